//! The contest of a solo room: solutions, scores and places.

use crate::http::{quick, Client, Served, DEADLINE};
use crate::uploads::{form, send, wait_for};
use arbitre_test_support::command::cleared;
use base64::prelude::{Engine, BASE64_STANDARD};
use flate2::read::GzDecoder;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

/// Bytes of a request of the replay. Not tuned.
const PART: usize = 8 << 20;

/// Returns the folder of reference data; none where it is absent, which is said.
fn data() -> Option<PathBuf> {
    let root = std::env::var_os("ARBITRE_DATA").map(PathBuf::from);
    let folder = root.map(|root| root.join("icfp2015")).filter(|folder| folder.exists());
    if folder.is_none() {
        eprintln!("SKIPPED: ARBITRE_DATA does not lead to the solutions of the contest of 2015");
    }
    folder
}

/// Posts solutions as the contest of 2015 had it, and returns the status and the answer.
fn post(client: &Client, token: &str, path: &str, body: &str) -> (u16, String) {
    let basic = BASE64_STANDARD.encode(format!(":{token}"));
    let lines = format!("Authorization: Basic {basic}\r\nContent-Type: application/json\r\n");
    let reply = send(client, path, &lines, body.as_bytes()).expect("the server answers");
    (reply.status, reply.body)
}

pub fn judged(client: &Client, token: &str, path: &str, body: &Value) -> Vec<Value> {
    let (status, answer) = post(client, token, path, &body.to_string());
    assert_eq!(status, 201, "{path}: {answer:.300}");
    serde_json::from_str(&answer).unwrap()
}

/// A room of Hextris with one small problem of two seeds, and one of one seed.
pub fn hextris(name: &str) -> PathBuf {
    let folder =
        quick(name, "game = \"hextris\"\nopenings = \"problems.txt\"", &["hextris random"]);
    let problem = |id: u32, seeds: &str| {
        format!(
            "{{\"id\":{id},\"units\":[{{\"members\":[{{\"x\":0,\"y\":0}}],\"pivot\":{{\"x\":0,\"y\":0}}}}],\
             \"width\":5,\"height\":3,\"filled\":[],\"sourceLength\":2,\"sourceSeeds\":{seeds}}}\n"
        )
    };
    fs::write(folder.join("problems.txt"), problem(7, "[0,5,5]") + &problem(3, "[1]")).unwrap();
    folder
}

#[test]
fn solutions_are_scored_at_once_and_the_best_ones_count() {
    let mut served = Served::of(&hextris("contest"), &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada", "Leo"]);
    let [ada, leo] = ["Ada", "Leo"].map(|name| teacher.number_of(name));
    let client = served.client();
    let solution = |problem: u64, seed: u64, text: &str| json!({ "problemId": problem, "seed": seed, "tag": "t", "solution": text });
    // As docs/hextris.md has it: the game of "ei!llaaa" scores 308.
    let sent = json!([
        solution(7, 0, "ei!llaaa"),
        solution(7, 0, "lla"),
        solution(7, 5, "pbp"),
        solution(7, 6, "lla"),
        solution(3, 1, "ei!#"),
    ]);
    let path = format!("/teams/{ada}/solutions");
    let answers = judged(&client, &tokens[0], &path, &sent);
    let rows: Vec<_> = answers
        .iter()
        .map(|of| {
            (of["score"].as_i64(), of["status"].as_str().unwrap(), of["best"].as_bool().unwrap())
        })
        .collect();
    let expected = [
        (Some(308), "source-empty", true),
        (Some(1), "mid-game", false),
        (Some(0), "repeat", false),
        (Some(0), "unlisted-seed", false),
        (Some(0), "invalid-character", false),
    ];
    assert_eq!(rows, expected);
    assert_eq!(answers[2]["why"], "character 1, 'b': the unit was there before");
    assert_eq!(answers[4]["why"], "character 3, '#': no command, and nothing that is passed over");
    // By the problem; a number in the solution is not needed.
    let short = json!([{ "seed": 5, "solution": "ei!" }]);
    let better = judged(&client, &tokens[1], "/problems/7/solutions", &short);
    assert_eq!(
        (better[0]["problemId"].as_u64(), better[0]["best"].as_bool()),
        (Some(7), Some(true))
    );
    // Official scores: sums divided by three, as a seed is listed twice.
    let page = served.client().get("/contest").body;
    let total = |name: &str| {
        let row =
            page.split("<tr>").find(|row| row.contains(&format!("<bdi>{name}</bdi>"))).unwrap();
        let cells: Vec<&str> = row.split("<td class=\"number\">").skip(1).collect();
        cells[1].split('<').next().unwrap().parse::<i64>().unwrap()
    };
    assert_eq!(total("Ada"), 308 / 3);
    assert_eq!(total("Leo"), better[0]["score"].as_i64().unwrap() / 3);
    let mut own = served.client();
    own.enter(&tokens[0]);
    assert_eq!(own.get("/contest/7/0").body, "ei!llaaa");
    assert!(own.get("/contest/7").body.contains(">308</a>"));
    assert_eq!(own.get("/problems/7").body.lines().count(), 2, "a setup for each seed");
    let mut other = served.client();
    other.enter(&tokens[1]);
    assert_eq!(other.get("/contest/7/0").status, 404, "it is not Leo's");
    // Through the form of the page.
    let key = own.get("/contest").key().to_owned();
    let text = json!([solution(3, 1, "ei!")]).to_string();
    let (kind, body) = form(&[], &[("key", &key), ("text", &text)]);
    let lines = format!("{kind}Cookie: {}\r\n", own.cookies);
    let reply = send(&own, "/contest", &lines, &body).unwrap();
    assert!(reply.status == 200 && reply.body.contains("your best"), "{reply:?}");
    // Refusals.
    let (basic, empty) =
        (|text: &str| post(&client, &tokens[0], &path, text), json!([]).to_string());
    for (body, status, what) in [
        ("", 400, "expected an array"),
        ("{}", 400, "expected an array"),
        ("[{\"problemId\":7,\"seed\":0}]", 400, "missing field `solution`"),
        ("[{\"seed\":0,\"solution\":\"\"}]", 400, "solution 0: expected a problemId"),
        (
            "[{\"problemId\":8,\"seed\":0,\"solution\":\"\"}]",
            400,
            "expected a problem of this contest",
        ),
        ("[{\"problemId\":-1,\"seed\":0,\"solution\":\"\"}]", 400, "invalid value"),
        (&empty, 201, "[]"),
    ] {
        let (found, answer) = basic(body);
        assert!(found == status && answer.contains(what), "{body}: {found} {answer}");
    }
    let all = sent.to_string();
    assert_eq!(post(&client, &tokens[0], &format!("/teams/{leo}/solutions"), &all).0, 403);
    assert_eq!(post(&client, &tokens[0], "/problems/3/solutions", &all).0, 400, "of problem 7");
    assert_eq!(post(&client, &tokens[0], "/problems/99/solutions", &all).0, 404);
    assert_eq!(post(&client, "AAAAAAAAAAAAAAAAAAAAAA", &path, &all).0, 401);
    assert_eq!(post(&client, served.token(), &path, &all).0, 403, "the teacher has no team");
    let large =
        format!("[{{\"problemId\":7,\"seed\":0,\"solution\":\"{}\"}}]", "p".repeat(17 << 20));
    assert_eq!(post(&client, &tokens[0], &path, &large).0, 413);
    // A form of another site, whose browser knows the password.
    let basic = BASE64_STANDARD.encode(format!(":{}", tokens[0]));
    let foreign = format!("Authorization: Basic {basic}\r\nOrigin: http://elsewhere.example\r\n");
    assert_eq!(send(&client, &path, &foreign, all.as_bytes()).unwrap().status, 403);
    assert_eq!(
        client.send("GET", "/me", &format!("Authorization: Basic {basic}\r\n"), "").status,
        401
    );
    // A kill loses nothing; after the deadline nothing is taken; who is deleted has no place.
    served.kill();
    let folder = served.folder.clone();
    let served = Served::of(&folder, &["--new-link"]);
    assert!(served.client().get("/contest").body.contains("<bdi>Ada</bdi>"));
    let mut teacher = served.teacher();
    teacher.act("/teacher/deadline", &[("at", "2020-01-01T00:00"), ("zone", "UTC")]);
    assert_eq!(post(&served.client(), &tokens[0], &path, &all).0, 409);
    teacher.act(&format!("/teacher/person/{ada}"), &[("do", "delete")]);
    assert!(!served.client().get("/contest").body.contains("<bdi>Ada</bdi>"));
}

/// A file of problems in the folder of a new room moves with it.
#[test]
fn problems_in_the_folder_of_a_room_move_with_it() {
    let folder = hextris("new contest");
    fs::remove_file(folder.join("class.toml")).unwrap();
    let problems = folder.join("problems.txt").display().to_string();
    let words = ["--listen", "127.0.0.1:0", "--game", "hextris", "--openings", &problems];
    let (status, error) = Served::try_of(&folder, &words).unwrap().stop();
    assert!(status.success(), "{error}");
    let settings = fs::read_to_string(folder.join("class.toml")).unwrap();
    assert!(settings.contains("openings = \"problems.txt\""), "{settings}");
    let there = cleared(folder.with_file_name("contest elsewhere"));
    fs::rename(&folder, &there).unwrap();
    let served = Served::of(&there, &[]);
    assert_eq!(served.client().get("/problems/7").body.lines().count(), 2);
}

/// Requests that stop midway hold little. Nothing of a person that is gone is kept.
#[test]
fn requests_that_stop_midway_hold_nothing() {
    let served = Served::of(&hextris("contest midway"), &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada", "Leo"]);
    let ada = teacher.number_of("Ada");
    let body = json!([{ "problemId": 7, "seed": 0, "solution": "ei!llaaa" }]).to_string();
    let begin = |token: &str, length: usize, part: &str| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let basic = BASE64_STANDARD.encode(format!(":{token}"));
        let head = format!(
            "POST /teams/{ada}/solutions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Authorization: Basic {basic}\r\nContent-Length: {length}\r\n\r\n{part}"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let answer = |mut stream: TcpStream| {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    // Those that may not send anything are answered before they have.
    assert_eq!(answer(begin(&tokens[1], 16 << 20, "")), "403");
    assert_eq!(answer(begin("AAAAAAAAAAAAAAAAAAAAAA", 16 << 20, "")), "401");
    // One request of a person at a time.
    let (part, rest) = body.split_at(10);
    let mut first = begin(&tokens[0], body.len(), part);
    wait_for("the second one is refused", || answer(begin(&tokens[0], 2, "[]")) == "429");
    teacher.act(&format!("/teacher/person/{ada}"), &[("do", "delete")]);
    first.write_all(rest.as_bytes()).unwrap();
    assert_eq!(answer(first), "404", "its person is gone");
    assert!(served.client().get("/contest").body.contains("no solution yet"));
}

/// Sliding boards have one problem each, and fewer moves are better.
#[test]
fn fewest_moves_win_a_contest_of_taquin() {
    let settings = "game = \"taquin\"\nrules = \"size=2x2\"";
    let served = Served::of(&quick("taquin contest", settings, &["taquin random"]), &[]);
    let tokens = served.teacher().add_people(&["Ada", "Leo"]);
    let problem = served.client().get("/problems/0").body;
    assert!(!problem.is_empty());
    // All paths up to six moves are tried: a board of four cells is solved by them.
    let mut paths = vec![String::new()];
    for _ in 0..6 {
        let longer: Vec<String> = paths
            .iter()
            .flat_map(|path| ["U", "D", "L", "R"].map(|mv| format!("{path}{mv}")))
            .collect();
        paths.extend(longer);
        paths.sort_unstable();
        paths.dedup();
    }
    let sent: Vec<Value> =
        paths.iter().map(|path| json!({ "problemId": 0, "solution": path })).collect();
    let id = served.teacher().number_of("Ada");
    let path = format!("/teams/{id}/solutions");
    let answers = judged(&served.client(), &tokens[0], &path, &Value::Array(sent));
    let solved: Vec<i64> = answers.iter().filter_map(|of| of["score"].as_i64()).collect();
    let statuses: Vec<&str> = answers.iter().map(|of| of["status"].as_str().unwrap()).collect();
    assert!(statuses.contains(&"illegal") && statuses.contains(&"unsolved"), "{:?}", &answers[..9]);
    let page = served.client().get("/contest").body;
    let best = solved.iter().min().expect("six moves solve each board of four cells");
    assert!(page.contains(&format!("strong\">{best}</td>")), "{best}: {page}");
}

#[test]
fn rooms_with_opponents_have_no_contest() {
    let served = Served::of(&quick("no contest", "game = \"awele\"", &["awele random"]), &[]);
    let tokens = served.teacher().add_people(&["Ada"]);
    assert_eq!(served.client().get("/contest").status, 404);
    assert!(!served.client().get("/").body.contains("href=\"contest\""));
    assert_eq!(post(&served.client(), &tokens[0], "/problems/0/solutions", "[]").0, 404);
    let id = served.teacher().number_of("Ada");
    assert_eq!(post(&served.client(), &tokens[0], &format!("/teams/{id}/solutions"), "[]").0, 404);
}

/// Word of the contest for the state at the end of a solution.
fn status_of_2015(status: &str) -> &str {
    match status {
        "source-empty" => "source_empty",
        "board-full" => "board_full",
        "mid-game" => "midgame",
        "after-source-empty" => "extra_commands_after_source_empty",
        "after-board-full" => "extra_commands_after_board_full",
        "invalid-character" => "invalid_char",
        "unlisted-seed" => "badseed",
        other => other,
    }
}

/// Each public solution is sent as the contest had it, and has the score and the status that are
/// stored. The best ones of each problem add up to the published sum.
#[test]
fn contest_of_2015_is_replayed() {
    let Some(data) = data() else { return };
    let folder = quick("contest of 2015", "game = \"hextris\"\nopenings = \"problems.txt\"", &[]);
    let problem =
        |id| fs::read_to_string(data.join(format!("problems/problem_{id}.json"))).unwrap();
    let problems: String = (0..33).map(|id| problem(id).trim().to_owned() + "\n").collect();
    fs::write(folder.join("problems.txt"), problems).unwrap();
    let served = Served::of(&folder, &[]);
    let token = served.teacher().add_people(&["Everyone"]).remove(0);
    let team = format!("/teams/{}/solutions", served.teacher().number_of("Everyone"));
    let client = served.client();
    let file = BufReader::new(GzDecoder::new(File::open(data.join("solutions.jsonl.gz")).unwrap()));
    let (mut part, mut bytes, mut rows) = (Vec::new(), 0, 0);
    let mut check = |part: &mut Vec<Value>| {
        let sent = part.iter().map(|row| {
            json!({ "problemId": row["problem"], "seed": row["seed"], "solution": row["solution"] })
        });
        let answers = judged(&client, &token, &team, &Value::Array(sent.collect()));
        assert_eq!(answers.len(), part.len());
        for (row, answer) in part.iter().zip(&answers) {
            let status = status_of_2015(answer["status"].as_str().unwrap());
            assert_eq!(
                (&answer["score"], status),
                (&row["score"], row["status"].as_str().unwrap())
            );
        }
        rows += part.len();
        part.clear();
    };
    for line in file.lines().map(Result::unwrap) {
        bytes += line.len();
        part.push(serde_json::from_str(&line).unwrap());
        if bytes >= PART {
            bytes = 0;
            check(&mut part);
        }
    }
    check(&mut part);
    assert_eq!(rows, 13_868);
    let best = fs::read_to_string(data.join("best_scores.csv")).unwrap();
    let mut lines = best.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|of| *of == name).unwrap();
    let (number, sum) = (column("problem"), column("best_public_solution_sum_all_seeds"));
    let expected: BTreeMap<u64, i64> = lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| (cells[number].parse().unwrap(), cells[sum].parse().unwrap()))
        .collect();
    let mut own = served.client();
    own.enter(&token);
    for (number, sum) in expected {
        let page = own.get(&format!("/contest/{number}")).body;
        let link = format!("<a href=\"contest/{number}/");
        let scores = page.split(&link).skip(1).map(|after| {
            let score = after.split('>').nth(1).unwrap().split('<').next().unwrap();
            score.parse::<i64>().unwrap()
        });
        assert_eq!(scores.sum::<i64>(), sum, "problem {number}");
    }
}
