//! Several rooms on one server: each as if it were alone, with its own teacher.

use crate::boards::{choice, log_in, play_out, put_up};
use crate::clients::{Kind, Running};
use crate::contest::{hextris, judged};
use crate::http::{quick, signal, Client, Served};
use crate::uploads::{upload, wait_for, HEALTHY};
use arbitre_test_support::command::{cleared, program};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

/// Returns the processes that another one started, by their command lines.
fn children(pid: u32) -> Vec<(u32, String)> {
    let found = Command::new("pgrep").args(["-a", "-P", &pid.to_string()]).output().unwrap();
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(pid, words)| (pid.parse().unwrap(), words.to_owned())).collect()
}

/// Follows all links of a page and of those behind them, and returns the pages that were found.
fn crawl(client: &mut Client, from: &str) -> BTreeSet<String> {
    let (mut known, mut left) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(page) = left.pop() {
        if !known.insert(page.clone()) || known.len() > 60 {
            continue;
        }
        let mut reply = client.get(&page);
        while reply.status == 429 {
            std::thread::sleep(std::time::Duration::from_millis(200));
            reply = client.get(&page);
        }
        assert!(
            [200, 303].contains(&reply.status),
            "{page} from {}: {}",
            client.root,
            reply.status
        );
        if !reply.body.contains("<base href=") {
            continue;
        }
        assert!(reply.body.contains(&format!("<base href=\"{}/\">", client.root)), "{page}");
        for link in reply.body.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap())
        {
            let is_here = !link.contains(':') && !link.starts_with('/') && !link.contains("leave");
            let own = link.trim_start_matches("./").split('#').next().unwrap();
            if is_here {
                left.push(format!("/{own}"));
            } else {
                let is_own = link.starts_with(&format!("{}/", client.root));
                assert!(link.contains(':') || is_own, "{page}: {link} leads to another room");
            }
        }
    }
    known
}

#[test]
fn rooms_of_one_server_are_as_if_alone() {
    let bots = |name: &str, settings: &str, bot: &str| {
        let folder = quick(&format!("several/{name}"), settings, &[bot]);
        // A house bot and its files are found from the folder of its own room.
        fs::write(folder.join("bot.py"), HEALTHY).unwrap();
        let own = (1..4).map(|number| {
            format!("[[player]]\nname = \"python{number}\"\ncommand = \"python3 bot.py\"\n")
        });
        let text =
            fs::read_to_string(folder.join("class.toml")).unwrap() + &own.collect::<String>();
        fs::write(folder.join("class.toml"), text).unwrap();
        folder
    };
    let two = bots(
        "two",
        "game = \"awele\"\nrules = \"max-plies=30\"\nmove-time = \"1s\"",
        "awele random",
    );
    let four = bots("four", "game = \"tron\"\nseats = 4\nmove-time = \"1s\"", "tron random");
    let solo = hextris("several/solo");
    let mut rooms = Served::several(&[two, four, solo]);
    let links: BTreeSet<&str> = rooms.iter().map(Served::token).collect();
    assert_eq!(links.len(), 3, "each room has a teacher of its own");
    let mut tokens = Vec::new();
    for (at, room) in rooms.iter().enumerate() {
        room.wait_for_games(1);
        let mut teacher = room.teacher();
        assert_eq!(teacher.get("/teacher").status, 200);
        tokens.push(teacher.add_people(&["Ada", "Leo"]));
        let mut elsewhere = rooms[(at + 1) % 3].client();
        assert_eq!(elsewhere.get(&format!("/enter/{}", room.token())).status, 404);
        elsewhere.cookies = teacher.cookies.clone();
        assert_eq!(elsewhere.get("/teacher").status, 403, "a cookie of one room opens no other");
        crawl(&mut teacher, "/teacher");
        let mut ada = room.client();
        ada.enter(&tokens[at][0]);
        let pages = crawl(&mut ada, "/me");
        assert!(pages.contains("/rules") && pages.iter().any(|page| page.starts_with("/game/")));
    }
    // Programs that connect, by both clients.
    for (kind, token) in [(Kind::Python, &tokens[0][0]), (Kind::Referee, &tokens[0][1])] {
        let own = cleared(rooms[0].folder.join(format!("clients-{kind:?}")));
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("bot.py"), HEALTHY).unwrap();
        let running = Running::start(&rooms[0], token, kind, "python3 bot.py", &[], &own);
        running.wait_for("it plays", |running| !running.games().is_empty());
    }
    // An upload at four seats, a person at the board, a solution.
    let reply = upload(&rooms[1], &tokens[1][0], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(reply.body.ends_with("result: passed\n"), "{reply:?}");
    let mut people = log_in(&rooms[0], &tokens[0]);
    let bot = choice(&people[0].get("/me").body, "awele-random");
    let place = put_up(&mut people[0], &[&bot], "0");
    assert!(play_out(&mut people[..1], &place).contains("The game is over"));
    let id = rooms[2].teacher().number_of("Ada");
    let sent = json!([{ "problemId": 7, "seed": 0, "solution": "ei!llaaa" }]);
    let path = format!("/teams/{id}/solutions");
    assert_eq!(judged(&rooms[2].client(), &tokens[2][0], &path, &sent)[0]["score"], 308);
    // A browser asks for another room on the connection of the first one.
    let request =
        "GET /two/rules HTTP/1.1\r\nHost: x\r\n\r\nGET /four/rules HTTP/1.1\r\nHost: x\r\n\r\n";
    let mut front = rooms[0].client();
    let foreign = request.replace("/four/rules", "//elsewhere.example/");
    let foreign = front.raw(foreign.as_bytes()).unwrap();
    let foreign = foreign.head + &foreign.body;
    assert!(foreign.contains("location: /elsewhere.example/"), "{foreign:.400}");
    // Connections that end at once leave the room free for others.
    for _ in 0..1500 {
        let mut stream = TcpStream::connect(front.address).unwrap();
        let _ = stream.write_all(b"GET /two/ HTTP/1.1\r\n");
        // What was not read makes the end a reset.
        let _ = rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
    }
    assert_eq!(front.get("/rules").status, 200);
    let both = front.raw(request.as_bytes()).unwrap();
    let all = both.head + &both.body;
    assert!(all.contains("307 Temporary") && all.contains("location: /four/rules"), "{all:.400}");
    front.root.clear();
    let list = front.get("/").body;
    assert!(["two", "four", "solo"]
        .iter()
        .all(|room| list.contains(&format!("href=\"/{room}/\""))));
    for path in ["/twofold", "/nowhere/", "/..", "/two%2Frules"] {
        assert_eq!(front.get(path).status, 404, "{path}");
    }
    // One that is killed takes no other one with it.
    let processes = children(rooms[0].pid());
    let of = |name: &str| {
        let found = processes.iter().find(|(_, words)| words.contains(&format!("--below {name} ")));
        found.unwrap_or_else(|| panic!("{processes:?}")).0
    };
    signal(of("four"), "-KILL");
    wait_for("the list shows it", || front.clone().get("/").body.contains("has ended"));
    assert_eq!(rooms[1].client().get("/").status, 404);
    assert_eq!(rooms[0].client().get("/").status, 200);
    let first = rooms.remove(0);
    let (status, error) = first.stop();
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(
        error.contains("the room four has ended (signal: 9 (SIGKILL)); the others go on"),
        "{error}"
    );
}

#[test]
fn rooms_end_with_their_server() {
    let folders = ["one", "other"].map(|name| {
        quick(
            &format!("ending/{name}"),
            "game = \"awele\"\nrules = \"max-plies=20\"",
            &["awele random"],
        )
    });
    let mut rooms = Served::several(&folders);
    let (status, error) = rooms.remove(0).stop();
    assert!(status.success() && error.contains("one: finishing"), "{status} {error}");
    let mut rooms = Served::several(&folders);
    let processes = children(rooms[0].pid());
    assert_eq!(processes.len(), 2, "{processes:?}");
    rooms[0].kill();
    let is_gone = |pid: u32| !fs::exists(format!("/proc/{pid}/exe")).unwrap_or(false);
    wait_for("the rooms have ended", || processes.iter().all(|(pid, _)| is_gone(*pid)));
    // Twice Ctrl-C ends all at once.
    let rooms = Served::several(&folders);
    let processes = children(rooms[0].pid());
    signal(rooms[0].pid(), "-INT");
    std::thread::sleep(Duration::from_millis(100));
    signal(rooms[0].pid(), "-INT");
    wait_for("the rooms have ended", || processes.iter().all(|(pid, _)| is_gone(*pid)));
    drop(rooms);
    // Nothing of them is left in the way.
    let mut rooms = Served::several(&folders);
    assert!(rooms.remove(0).stop().0.success());
}

#[test]
fn rooms_that_cannot_be_served_together_are_refused() {
    let room =
        |name: &str| quick(&format!("together/{name}"), "game = \"awele\"", &["awele random"]);
    let (one, space, same) = (room("one"), room("my class"), room("x/one"));
    let none = cleared(one.with_file_name("none"));
    let long = room(&"l".repeat(41));
    let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    for (words, what) in [
        (vec![text(&one), text(&space)], "expected a folder whose name is part of an address"),
        (vec![text(&one), text(&long)], "of at most 40 letters"),
        (vec![text(&one), text(&same)], "expected rooms in folders of different names"),
        (vec![text(&one), text(&one)], "expected rooms in folders of different names"),
        (vec![text(&one), text(&none)], "expected a room with class.toml, got none"),
        (vec![text(&one), text(&one), "--game".into(), "awele".into()], "expected one new room"),
        (
            vec![text(&one), text(&one), "--backup".into(), "x.zip".into()],
            "--backup: expected one room",
        ),
    ] {
        let made = Command::new(program("referee")).arg("serve").args(&words).output().unwrap();
        let error = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(error.starts_with("error: ") && error.contains(what), "{words:?}: {error}");
        assert_eq!(made.status.code(), Some(2), "{words:?}");
    }
}
