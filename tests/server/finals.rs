//! The deadline, and finals between uploads.

use crate::boards::{choice, log_in, play_out, put_up};
use crate::http::{quick, Client, Served, DEADLINE};
use crate::kills::results_at;
use crate::operation::rules_of_eight;
use crate::uploads::{form, send, upload, wait_for, HEALTHY};
use arbitre::internals::store::verify::verify;
use arbitre_test_support::command::{self, cleared, run, stderr};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// People of a class, and their tokens. All but the last one, whose program is broken, have uploads
/// that pass.
const NAMES: [&str; 5] = ["Ada", "Élise / B", ".hidden", "Leo", "Broken"];

/// A room in which a class has uploaded programs.
fn class(name: &str, settings: &str) -> (Served, Client, Vec<String>) {
    let settings = format!("game = \"awele\"\nrules = \"max-plies=40\"\n{settings}");
    let folder = quick(name, &settings, &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    // The ladder would take the processors.
    teacher.act("/teacher/pause", &[("do", "pause")]);
    let tokens = teacher.add_people(&NAMES);
    for (number, token) in tokens.iter().enumerate() {
        let text = match NAMES[number] {
            "Broken" => "x".to_owned(),
            _ => format!("# {number}\n{HEALTHY}"),
        };
        let reply = upload(&served, token, &[("bot.py", text.as_bytes())]);
        let result = if text == "x" { "failed" } else { "passed" };
        assert!(reply.body.ends_with(&format!("result: {result}\n")), "{reply:?}");
    }
    (served, teacher, tokens)
}

/// Starts a final, and returns its place.
fn start(teacher: &mut Client, fields: &[(&str, &str)]) -> String {
    let reply = teacher.act("/teacher/final", fields);
    assert_eq!(reply.status, 303, "{}", reply.body);
    reply.header("location").unwrap().to_owned()
}

fn wait_for_end(teacher: &Client, place: &str) {
    let until = Instant::now() + DEADLINE;
    loop {
        let page = teacher.clone().get(place).body;
        assert!(!page.contains("It cannot be played"), "{page}");
        if page.contains("<b>ended</b>") {
            return;
        }
        assert!(Instant::now() < until, "{page}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the number of games of each player in the file of a final.
pub fn games_of(file: &Path) -> Vec<(String, usize)> {
    let (names, results) = results_at(file);
    let count = |player: usize| results.iter().filter(|of| of.players.contains(&player)).count();
    let mut games: Vec<_> = names.into_iter().enumerate().map(|(at, of)| (of, count(at))).collect();
    games.sort_unstable();
    games
}

#[test]
fn deadline_freezes_uploads() {
    let (served, mut teacher, tokens) = class("deadline", "");
    for (at, zone, status) in [
        ("2030-12-04T18:00", "Europe/Paris", 303),
        ("2030-12-04T18:00", "Europe/Nowhere", 400),
        ("tomorrow", "Europe/Paris", 400),
        ("2030-02-31T18:00", "UTC", 400),
    ] {
        let reply = teacher.act("/teacher/deadline", &[("at", at), ("zone", zone)]);
        assert_eq!(reply.status, status, "{at} {zone}: {}", reply.body);
    }
    let page = served.client().get("/").body;
    // 18:00 in Paris is 17:00 in UTC in winter.
    assert!(page.contains("Uploads until 2030-12-04 18:00 (Europe/Paris)"), "{page}");
    assert!(page.contains("data-until=\"1922634000\""), "{page}");
    let again = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(again.body.ends_with("result: passed\n"), "{again:?}");
    teacher.act("/teacher/deadline", &[("at", "2020-12-04T18:00"), ("zone", "UTC")]);
    let frozen = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert_eq!(frozen.status, 409, "{frozen:?}");
    assert!(frozen.body.starts_with("error: The deadline is over"), "{frozen:?}");
    // All of them came later than that.
    let none = teacher.act("/teacher/final", &[("format", "swiss")]);
    assert_eq!(none.status, 400);
    assert!(none.body.contains("expected 2 uploads that play, got 0"), "{}", none.body);
    teacher.act("/teacher/deadline", &[("at", ""), ("zone", "UTC")]);
    assert!(!served.client().get("/").body.contains("data-until"));
    assert_eq!(upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]).status, 200);
}

#[test]
fn final_is_played_between_the_programs_that_passed() {
    let (served, mut teacher, tokens) = class("final", "move-time = \"1s\"");
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    assert_eq!(ada.get("/teacher/final").status, 403);
    // The one without a program that passed, with the reason.
    let plan = teacher.get("/teacher/final").body;
    assert!(plan.contains("<a href=\"upload/5\"><bdi>Broken</bdi></a>"), "{plan}");
    assert!(teacher.get("/upload/5").body.contains("to fix: "), "the teacher reads why");
    assert_eq!(ada.get("/final").status, 404);
    for fields in [
        &[("format", "sprt")][..],
        &[("format", "swiss"), ("games", "no")],
        &[("format", "graded")],
    ] {
        assert_eq!(teacher.act("/teacher/final", fields).status, 400, "{fields:?}");
    }
    let fields = [("format", "swiss"), ("title", "Finale « A »"), ("games", "2"), ("rounds", "2")];
    let place = start(&mut teacher, &fields);
    let second = teacher.act("/teacher/final", &fields);
    assert!(second.body.contains("a final is being played"), "{}", second.body);
    wait_for_end(&teacher, &place);
    let folder = served.folder.join("finals/1");
    let games = games_of(&folder.join("final.db"));
    // Two rounds of two games; none has a bye among four.
    let expected = ["Ada", "Leo", "_.hidden", "Élise _ B"].map(|name| (name.to_owned(), 4));
    assert_eq!(games, expected);
    verify(&folder.join("final.db"), &arbitre::registry()).unwrap();
    let csv = teacher.get("/final/1/standings.csv").body;
    assert!(csv.contains("Élise _ B") && csv.lines().count() == 5, "{csv}");
    assert!(teacher.get("/final/1/standings-excel.csv").body.contains(';'));
    let wall = served.client().get("/final/1/wall");
    assert!(wall.body.contains("projector"), "{wall:?}");
    assert!(wall.header("content-security-policy").unwrap().starts_with("sandbox allow-scripts;"));
    assert!(teacher.get("/final/1/standings").body.contains("Finale « A »"));
    let table = served.client().get("/final/1").body;
    assert!(table.contains("<bdi>Élise _ B</bdi>") && table.contains("Finale « A »"), "{table}");
    assert!(ada.get("/final/1/mine").body.contains("Ada"));
    assert!(teacher.get("/final/1/pages/Leo.html").body.contains("Leo"));
    for (path, status) in [
        ("/final/1/standings", 403),
        ("/final/1/standings.json", 403),
        ("/final/1/standings.csv", 403),
        ("/final/1/pages/Leo.html", 403),
        ("/final/2", 404),
        ("/final/1/final.db", 404),
        ("/final/1/..%2f..%2fclass.toml", 404),
        ("/teacher/class.zip", 403),
        ("/teacher/uploads.zip", 403),
    ] {
        assert_eq!(ada.get(path).status, status, "{path}");
    }
    assert_eq!(teacher.get("/final/1/pages/..%2fplan.json").status, 404);
    // Where spectators see numbers, they see no final.
    teacher.act("/teacher/openness", &[("openness", "numbers")]);
    assert_eq!(served.client().get("/final/1").status, 403);
    assert_eq!(ada.get("/final/1").status, 200);
    // The ladder goes on, if it is not paused.
    teacher.act("/teacher/pause", &[("do", "resume")]);
    let before = served.games();
    wait_for("the ladder goes on", || served.games() > before);
    // Marks by the bots of the house.
    teacher.act("/teacher/pause", &[("do", "pause")]);
    let fields = [("format", "graded"), ("games", "4"), ("points-0", "5"), ("points-1", "2,5")];
    let place = start(&mut teacher, &fields);
    wait_for_end(&teacher, &place);
    let csv = teacher.get("/final/2/standings.csv").body;
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert!(head.contains(&"mark") && head.contains(&"mark_error"), "{csv}");
    assert_eq!(csv.lines().count(), 7, "{csv}");
    assert!(teacher.get("/final").header("location") == Some("/final/2"));
    // Marks are for the teacher, and each one for its person.
    assert_eq!(served.client().get("/final/2").status, 403);
    assert_eq!(ada.get("/final/2/wall").status, 403);
    let own = ada.get("/final/2").body;
    let own = own.split("<tbody>").nth(1).unwrap_or_default();
    assert!(own.contains("<bdi>Ada</bdi>") && !own.contains("Leo"), "{own}");
    assert!(csv.contains("awele-greedy"), "a house bot has its name: {csv}");
    // All programs of this class are one: that says nothing of two of them.
    assert!(!teacher.get("/teacher/final").body.contains("Programs with much in common"));
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nP 1,leo,,100.00\nP 2,Ann,,100.00\n";
    let key = teacher.get("/teacher").key().to_owned();
    let filled = |place: &str, sheet: &str| {
        let (kind, body) = form(&[("sheet.csv", sheet.as_bytes())], &[("key", &key)]);
        let lines = format!("{kind}Cookie: {}\r\n", teacher.cookies);
        send(&teacher, &format!("/teacher{place}/worksheet"), &lines, &body).unwrap()
    };
    let grades = filled("/final/2", sheet);
    assert_eq!(grades.status, 200, "{}", grades.body);
    let row = grades.body.lines().nth(1).unwrap_or_default().to_owned();
    let grade: f64 = row.split(',').nth(2).and_then(|of| of.parse().ok()).expect(&row);
    assert!(
        (0.0..=100.0).contains(&grade) && grades.body.ends_with("P 2,Ann,,100.00\n"),
        "{grades:?}"
    );
    assert_eq!(filled("/final/1", sheet).status, 400, "it has no marks");
    assert_eq!(filled("/final/2", "a,b\n").status, 400, "it is no worksheet");
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

/// A final does not wait for a person at the board, who plays on beside it. One that is not wanted
/// is deleted, and the others stay.
#[test]
fn final_is_played_beside_a_board() {
    let (served, mut teacher, tokens) = class("final-beside-board", "");
    teacher.act("/teacher/pause", &[("do", "resume")]);
    let mut people = log_in(&served, &tokens[..1]);
    let bot = choice(&people[0].get("/me").body, "awele-random");
    let board = put_up(&mut people[0], &[&bot], "0");
    wait_for("it is her turn", || people[0].clone().get(&board).body.contains("Your move"));
    let fields = [("format", "round-robin"), ("games", "2")];
    for number in 1..=2 {
        let place = start(&mut teacher, &fields);
        assert_eq!(place, format!("/final/{number}"));
        let running = teacher.act(&place.replace("/final", "/teacher/final"), &[("do", "delete")]);
        assert_eq!(running.status, 400, "it is being played: {}", running.body);
        wait_for_end(&teacher, &place);
        assert!(people[0].get(&board).body.contains("Your move"), "it goes on");
    }
    assert_eq!(teacher.act("/teacher/final/1", &[("do", "delete")]).status, 303);
    assert_eq!(teacher.get("/final/1").status, 404);
    assert_eq!(teacher.get("/final/2").status, 200);
    assert!(
        !served.folder.join("finals/1").exists() && !served.folder.join("final-1.toml").exists()
    );
    let page = play_out(&mut people, &board);
    assert!(page.contains("The game is over"), "{page}");
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

/// The class as a folder is played by the command, also by shards.
#[test]
fn class_is_a_folder_that_a_cluster_plays() {
    let (served, mut teacher, _) = class("cluster", "");
    let place = cleared(served.folder.with_file_name("cluster-class"));
    let zip = served.folder.with_file_name("cluster.zip");
    let port = served.address.to_string();
    let fetch = "import sys, urllib.request as u, zipfile, io\n\
                 for name in sys.argv[4:]:\n    \
                 r = u.Request(f'http://{sys.argv[1]}/teacher/{name}.zip', headers={'Cookie': sys.argv[2]})\n    \
                 zipfile.ZipFile(io.BytesIO(u.urlopen(r).read())).extractall(sys.argv[3] + '/' + name)\n";
    let _ = fs::remove_file(&zip);
    let words = [&port, &teacher.cookies, &place.display().to_string(), "class", "uploads"];
    let status = Command::new("python3").args(["-c", fetch]).args(words).status().unwrap();
    assert!(status.success());
    let uploads = place.join("uploads");
    let mut names: Vec<String> = fs::read_dir(&uploads)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(names.len(), NAMES.len(), "{names:?}");
    let number = teacher.number_of("Broken");
    let broken = uploads.join(format!("Broken ({number})/5 failed/bot.py"));
    assert_eq!(fs::read_to_string(broken).unwrap(), "x");
    let file = place.join("class/programs/tournament.toml").display().to_string();
    let parts = ["1/2", "2/2"].map(|shard| {
        let db = place.join(format!("{}.db", &shard[..1])).display().to_string();
        let words =
            ["tournament", &file, "--shard", shard, "--seed", "7", "--games", "2", "--db", &db];
        let played = run(&words);
        assert!(played.status.success(), "{}", stderr(&played));
        db
    });
    let whole = place.join("whole.db").display().to_string();
    let merged = run(&["merge", &parts[0], &parts[1], "--output", &whole]);
    assert!(merged.status.success(), "{}", stderr(&merged));
    // Each of four against three others, in two games.
    let games = games_of(Path::new(&whole));
    assert!(games.len() == 4 && games.iter().all(|(_, count)| *count == 6), "{games:?}");
}

/// A final that is stopped, and a server that is killed or ends: no game is lost or played twice.
#[test]
fn final_goes_on_after_a_stop_and_a_kill() {
    let (mut served, mut teacher, _) = class("final-kills", "move-time = \"1s\"");
    let fields = [("format", "round-robin"), ("games", "20")];
    let place = start(&mut teacher, &fields);
    let file = served.folder.join("finals/1/final.db");
    let has_games = |count: usize| {
        wait_for("games are played", || file.exists() && results_at(&file).1.len() >= count);
    };
    has_games(10);
    teacher.act("/teacher/final/1", &[("do", "stop")]);
    wait_for("it is stopped", || teacher.clone().get(&place).body.contains("<b>stopped</b>"));
    let count = results_at(&file).1.len();
    assert!((10..120).contains(&count), "{count}");
    teacher.act("/teacher/final/1", &[("do", "resume")]);
    has_games(count + 10);
    let token = served.token().to_owned();
    let folder = served.folder.clone();
    served.kill();
    drop(served);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.client();
    teacher.enter(&token);
    has_games(count + 20);
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    let served = Served::of(&folder, &[]);
    teacher.address = served.address;
    wait_for_end(&teacher, &place);
    let games = games_of(&file);
    assert!(games.iter().all(|(_, count)| *count == 60), "{games:?}");
    let (_, results) = results_at(&file);
    let numbers: std::collections::BTreeSet<_> = results.iter().map(|of| of.number).collect();
    assert_eq!((results.len(), numbers.len()), (120, 120));
    verify(&file, &arbitre::registry()).unwrap();
}

/// Rooms in which uploads play, and their finals: settings and seats.
const ROOMS: [(&str, usize); 7] = [
    ("game = \"taquin\"\nrules = \"size=2x2\"", 1),
    ("game = \"hextris\"", 1),
    ("game = \"awele\"\nrules = \"max-plies=40\"", 2),
    ("game = \"tron\"\nseats = 4\nrules = \"size=8x8\"", 4),
    ("external = \"RULES\"\nseats = 2", 2),
    ("external = \"RULES\"\nseats = 4", 4),
    ("external = \"RULES\"\nseats = 8", 8),
];

/// Uploads a program for each seat of a table, and two at least. Plays a final of them.
fn play_in_a_room(name: &str, settings: &str, seats: usize) {
    let rules = rules_of_eight(&format!("rules of {name}"));
    let settings = settings.replace("RULES", &rules);
    let program = match settings.split('"').nth(1).unwrap() {
        // It does not list its moves.
        "hextris" => HEALTHY.replace("legal[0]", "'aa'"),
        game if settings.starts_with("game") => {
            let place = cleared(command::folder("served").join(format!("{name} bot")));
            let made = run(&["new", "python", "--game", game, place.to_str().unwrap()]);
            assert!(made.status.success(), "{}", stderr(&made));
            fs::read_to_string(place.join("bot.py")).unwrap()
        }
        _ => include_str!("../../referee/server/assets/bot.py").to_owned(),
    };
    let folder = quick(name, &format!("{settings}\nmove-time = \"1s\""), &[]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let names: Vec<String> = (0..seats.max(2)).map(|number| format!("P{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tokens = teacher.add_people(&names);
    thread::scope(|scope| {
        for (number, token) in tokens.iter().enumerate() {
            let (served, text) = (&served, format!("{program}\n# {number}\n"));
            scope.spawn(move || {
                let reply = upload(served, token, &[("bot.py", text.as_bytes())]);
                assert!(reply.body.ends_with("result: passed\n"), "{reply:?}");
            });
        }
    });
    served.wait_for_games(2);
    let format = if seats > 2 { "swiss" } else { "round-robin" };
    let place = start(&mut teacher, &[("format", format), ("games", "2"), ("rounds", "1")]);
    wait_for_end(&teacher, &place);
    let games = games_of(&folder.join("finals/1/final.db"));
    assert_eq!(games.len(), names.len(), "{settings}: {games:?}");
    assert!(games.iter().all(|(_, count)| *count >= 2), "{settings}: {games:?}");
    let (status, error) = served.stop();
    assert!(status.success(), "{settings}: {error}");
}

/// Kinds that differ most; the others are in the next test.
#[test]
fn solo_rooms_and_rules_of_others_take_uploads() {
    for number in [0, 4] {
        let (settings, seats) = ROOMS[number];
        play_in_a_room(&format!("kind {number}"), settings, seats);
    }
}

#[test]
#[ignore = "it takes minutes: .ci/full evening"]
fn rooms_of_each_kind_take_uploads() {
    for (number, (settings, seats)) in ROOMS.into_iter().enumerate() {
        play_in_a_room(&format!("each kind {number}"), settings, seats);
    }
}

/// A final of each format between the same programs: it is played, its file agrees with its rules,
/// and each player has the games that the format gives, by hand for four players.
#[test]
#[ignore = "it takes half a minute: .ci/full evening"]
fn finals_of_each_format_are_played() {
    type Case = (&'static str, &'static [(&'static str, &'static str)], usize, usize);
    let formats: [Case; 7] = [
        ("round-robin", &[("games", "2")], 6, 6),
        ("swiss", &[("games", "2"), ("rounds", "2")], 4, 4),
        // Equal programs draw, and a pair plays up to ten games.
        ("knockout", &[("games", "2")], 2, 20),
        ("double-knockout", &[("games", "2")], 4, 50),
        ("balanced", &[("games", "6")], 6, 8),
        ("ladder", &[("games", "12")], 2, 12),
        ("graded", &[("games", "4"), ("points-0", "5"), ("points-1", "5")], 8, 8),
    ];
    let (served, mut teacher, _) = class("each-format", "");
    for (at, (format, fields, least, most)) in formats.into_iter().enumerate() {
        let place = start(&mut teacher, &[&[("format", format)], fields].concat());
        assert_eq!(place, format!("/final/{}", at + 1));
        wait_for_end(&teacher, &place);
        let file = served.folder.join(format!("finals/{}/final.db", at + 1));
        assert_eq!(verify(&file, &arbitre::registry()).unwrap().problems, [""; 0], "{format}");
        let games = games_of(&file);
        let own: Vec<_> = games.iter().filter(|(name, _)| !name.contains("awele")).collect();
        assert_eq!(own.len(), 4, "{format}: {games:?}");
        let is_right = |count: usize| (least..=most).contains(&count);
        assert!(own.iter().all(|(_, count)| is_right(*count)), "{format}: {games:?}");
        for page in ["", "/wall", "/standings.csv"] {
            assert_eq!(teacher.get(&format!("{place}{page}")).status, 200, "{format} {page}");
        }
    }
}
