//! Start, stop, copies and mistakes of those who run a room.

use crate::http::{quick, signal, Served, DEADLINE};
use crate::uploads::{rows, upload, wait_for, HEALTHY};
use arbitre_test_support::command::{cleared, folder, json, program, run, stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn first_start_writes_settings_and_a_second_reads_them() {
    let folder = cleared(folder("served").join("first"));
    let path = folder.display().to_string();
    let none = run(&["serve", &path]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("expected a room, or --game to begin one"), "{}", stderr(&none));
    assert!(!folder.exists(), "nothing is made in vain");
    let served = Served::of(&folder, &["--game", "awele", "--seats", "2"]);
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let settings = fs::read_to_string(folder.join("class.toml")).unwrap();
    for part in ["game = \"awele\"", "seats = 2", "# House bots", "command = \"awele greedy\""] {
        assert!(settings.contains(part), "{settings}");
    }
    served.wait_for_games(1);
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    let games = json(&stdout(&run(&["show", "0", "--db", &format!("{path}/games.db"), "--json"])));
    assert_eq!(games["game"], 0, "other commands read the file: {games}");
    // The same command continues it.
    let served = Served::of(&folder, &["--game", "awele"]);
    assert!(!served.lines[0].contains(": 0 games"), "{:?}", served.lines);
    drop(served);
    let other = Served::try_of(&folder, &["--listen", "127.0.0.1:0", "--game", "tron"]);
    assert!(other.err().unwrap().contains("expected awele, the game of"), "another game");
}

/// Mistakes in the words or in the settings, with the exit code and a part of the error.
#[test]
fn mistakes_get_one_line() {
    let bots: &[&str] = &["awele random"];
    let cases: [(&str, &[&str], &str, i32); 12] = [
        (
            "game = \"awele\"\nformat = \"swiss\"",
            bots,
            "expected the settings of a room, got format",
            6,
        ),
        ("game = \"awele\"\nrounds = 3", bots, "got rounds", 6),
        ("game = \"chess\"", &[], "chess", 2),
        ("game = \"awele\"\nseats = 9", bots, "expected 2 seats, got 9", 2),
        ("game = \"awele\"\ngmae = 3", bots, "expected a key", 6),
        ("game = \"awele\"\nmove-time = \"soon\"", bots, "move-time", 6),
        ("game = \"tron\"", bots, "awele does not play tron", 2),
        ("game = \"awele\"", &["human"], "got a person", 6),
        ("game = \"awele\"", &["/nowhere/bot"], "/nowhere/bot", 3),
        (
            "game = \"awele\"\n[[player]]\nname = \"person-3\"\ncommand = \"awele random\"",
            &[],
            "name",
            6,
        ),
        ("game = \"awele\"\n[[player]]\nname = \"a\"", &[], "expected a command", 6),
        ("external = \"/nowhere/rules\"", &[], "/nowhere/rules", 2),
    ];
    for (number, (settings, bots, part, code)) in cases.into_iter().enumerate() {
        let folder = quick(&format!("mistake {number}"), settings, bots);
        let error = Served::try_of(&folder, &["--listen", "127.0.0.1:0"]).err().unwrap();
        assert!(error.starts_with("error: ") && error.contains(part), "{settings}: {error}");
        assert!(error.ends_with(&format!("code {code}")), "{settings}: {error}");
    }
    let folder = quick("mistaken port", "game = \"awele\"", bots);
    let served = Served::of(&folder, &[]);
    let address = served.address.to_string();
    let other = quick("mistaken port 2", "game = \"awele\"", bots);
    let error = Served::try_of(&other, &["--listen", &address]).err().unwrap();
    assert!(error.contains("expected a free port") && error.contains("code 5"), "{error}");
    let error = Served::try_of(&other, &["--listen", "8000"]).err().unwrap();
    assert!(error.contains("expected ADDR:PORT") && error.contains("code 2"), "{error}");
    // A second server on the folder.
    let error = Served::try_of(&folder, &["--listen", "127.0.0.1:0"]).err().unwrap();
    assert!(error.contains("holds it") && error.contains("another folder"), "{error}");
    assert!(error.ends_with("code 4"), "{error}");
    assert_eq!(served.client().get("/").status, 200);
    // Other commands refuse to play in its file, and name the one that does.
    let games = folder.join("games.db").display().to_string();
    for words in [&["--resume", "--db", &games][..], &["drop", "awele-random", "--db", &games]] {
        let refused = run(words);
        assert!(!refused.status.success(), "{words:?}");
    }
    drop(served);
    for (words, part) in [
        (&["--resume", "--db", &games][..], "write referee serve"),
        (&["tournament", folder.to_str().unwrap(), "--db", &games], "write referee serve"),
        (&["drop", "awele-random", "--db", &games], "delete a person on the teacher's page"),
    ] {
        let refused = run(words);
        assert!(stderr(&refused).contains(part), "{words:?}: {}", stderr(&refused));
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
    }
}

/// A copy is taken while the room is played, by the page and by the command.
#[test]
fn copies_are_rooms_of_their_own() {
    let folder = quick("copied", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let tokens = teacher.add_people(&["Ada"]);
    let uploaded = upload(&served, &tokens[0], &[("bot.py", HEALTHY.as_bytes())]);
    assert!(uploaded.body.ends_with("result: passed\n"), "{uploaded:?}");
    served.wait_for_games(5);
    let zip = folder.with_file_name("copy.zip");
    let _ = fs::remove_file(&zip);
    let words = ["serve", folder.to_str().unwrap(), "--backup", zip.to_str().unwrap()];
    let copied = run(&words);
    assert!(copied.status.success(), "{}", stderr(&copied));
    let again = run(&words);
    assert!(stderr(&again).contains("expected a new file"), "{}", stderr(&again));
    let page = teacher.get("/teacher/backup");
    assert_eq!(page.header("content-type"), Some("application/zip"));
    assert_eq!(served.client().get("/teacher/backup").status, 403);
    drop(served);
    let restored = cleared(folder.with_file_name("restored"));
    let unzip = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
    let status = Command::new("python3").args(["-c", unzip]).args([&zip, &restored]).status();
    assert!(status.unwrap().success());
    let games = restored.join("games.db").display().to_string();
    let verified = run(&["verify", "--db", &games]);
    assert!(verified.status.success(), "{}{}", stdout(&verified), stderr(&verified));
    let served = Served::of(&restored, &[]);
    let mut ada = served.client();
    assert_eq!(ada.enter(&tokens[0]).status, 303, "links go on");
    served.wait_for_games(5);
    wait_for("uploads go on", || {
        rows(&served, "Ada").iter().any(|row| row.contains("uploaded") && !row.contains("away"))
    });
    let nothing = run(&["serve", "/tmp", "--backup", "/tmp/never.zip"]);
    assert!(stderr(&nothing).contains("expected the folder of a room"), "{}", stderr(&nothing));
}

/// A room on a full disk pauses and says why. What it has stored stays whole.
#[test]
fn full_disk_pauses_the_room() {
    let folder = quick("full", "game = \"awele\"", &["awele random", "awele greedy"]);
    // Files of at most 100 KiB, as on a disk that is full: the log of the games outgrows that.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 200; exec \"$@\"", "sh"]).arg(program("referee"));
    command.args(["serve", folder.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    let served = Served::by(&mut command, &folder, None).unwrap();
    let mut teacher = served.teacher();
    let until = Instant::now() + DEADLINE;
    while !teacher.get("/teacher").body.contains("A game could not be stored") {
        assert!(Instant::now() < until, "the room does not pause");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(teacher.get("/").body.contains("The room is paused"), "people see that");
    served.stop();
    let games = folder.join("games.db").display().to_string();
    let verified = run(&["verify", "--db", &games]);
    assert!(verified.status.success(), "{}{}", stdout(&verified), stderr(&verified));
}

/// A first start that fails leaves nothing behind.
#[test]
fn failed_first_start_leaves_nothing() {
    for words in [
        &["--game", "awele", "--seats", "9"][..],
        &["--game", "awele", "--rules", "nonsense"],
        &["--game", "chess"],
        &["--external", "./missing"],
    ] {
        let folder = cleared(folder("served").join("failed"));
        let words = [words, &["--listen", "127.0.0.1:0"]].concat();
        assert!(Served::try_of(&folder, &words).is_err(), "{words:?}");
        assert!(!folder.exists(), "{words:?}");
    }
    // Options of the first start are kept, and others refused later.
    let folder = cleared(folder("served").join("options"));
    let words =
        ["--game", "awele", "--openings", "2", "--seed", "5", "--adjudicate", "max-plies=6"];
    let served = Served::of(&folder, &words);
    served.wait_for_games(2);
    drop(served);
    let settings = fs::read_to_string(folder.join("class.toml")).unwrap();
    for part in ["openings = \"2\"", "seed = 5", "adjudicate = \"max-plies=6\""] {
        assert!(settings.contains(part), "{settings}");
    }
    let path = folder.join("games.db").display().to_string();
    let game = json(&stdout(&run(&["show", "0", "--db", &path, "--json"])));
    assert_eq!(game["ending"], "max-plies", "{game}");
    assert!(game["setup"].as_str().unwrap().split(' ').count() <= 3, "{game}");
    let verified = run(&["verify", "--db", &path]);
    assert!(verified.status.success(), "{}", stdout(&verified));
    let error = Served::try_of(&folder, &["--seats", "3"]).err().unwrap();
    assert!(error.contains("--seats: expected it in"), "{error}");
}

#[test]
fn proxy_names_the_address_and_the_client() {
    let folder = quick("proxy", "game = \"awele\"", &["awele random"]);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let words = ["--listen", &free.to_string(), "--behind-proxy", "https://room.example.org/"];
    let served = Served::at(&folder, &words, Some(free)).unwrap();
    assert!(served.lines.iter().any(|line| line == "people: https://room.example.org/"));
    let reply = served.client().get(&format!("/enter/{}", served.token()));
    assert!(reply.header("set-cookie").unwrap().contains("; Secure"), "{reply:?}");
    let page = served.client().get("/address").body;
    assert!(page.contains("https://room.example.org") && !page.contains("127.0.0.1"), "{page}");
    // Each client of the proxy has a limit of its own.
    let mut statuses = Vec::new();
    for number in 0..120 {
        let lines = format!("X-Forwarded-For: 10.0.0.{}\r\n", number % 2);
        let reply = served.client().send("GET", "/enter/0000000000000000000000", &lines, "");
        statuses.push(reply.status);
    }
    assert!(statuses.iter().all(|status| *status == 404), "{statuses:?}");
}

/// Commands for stored files, and what each says of a room that is not served.
#[test]
fn every_command_answers_for_a_room() {
    let folder = quick("commands", "game = \"awele\"", &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    served.wait_for_games(4);
    assert!(served.stop().0.success());
    let db = folder.join("games.db").display().to_string();
    let [page, copy] = ["page.html", "copy.db"].map(|name| {
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        path.display().to_string()
    });
    let settings = folder.join("class.toml").display().to_string();
    let answers: [(&[&str], i32, &str); 16] = [
        (&["list", "--db", &db], 0, "awele-greedy"),
        (&["list", "--games", "--db", &db], 0, "awele-random"),
        (&["show", "last", "--db", &db], 0, "awele-greedy"),
        (&["show", "0", "--input", "0", "--db", &db], 0, "arbitre 1"),
        (&["replay", "0", "--db", &db, "--output", &page], 0, ""),
        (&["report", "--db", &db, "--output", &page], 0, ""),
        (&["rerun", "0", "--db", &db], 0, "awele-random"),
        (&["export", "--db", &db, "--format", "csv"], 0, "awele-greedy"),
        (&["verify", "--db", &db], 0, "all as they were played"),
        (&["merge", &db, "--output", &copy], 0, "games"),
        (&["verify", "--db", &copy], 0, "all as they were played"),
        (&["drop", "0", "--db", &copy], 0, "removed 1 game"),
        (&["drop", "awele-random", "--db", &db], 2, "take a house bot out of its class.toml"),
        (&["--resume", "--db", &db], 2, "write referee serve"),
        (&["awele random", "awele greedy", "--db", &db], 4, "match"),
        (&["tournament", &settings, "--db", &db], 2, "write referee serve"),
    ];
    for (words, code, part) in answers {
        let output = run(words);
        let text = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {text}");
        assert!(text.contains(part), "{words:?}: {text}");
    }
    // The copy is a room as well.
    fs::rename(&copy, &db).unwrap();
    let served = Served::of(&folder, &[]);
    served.wait_for_games(5);
    drop(served);
}

/// A room by the rules of a program, whose folder is elsewhere.
#[test]
fn rules_may_be_a_program() {
    let rules = cleared(folder("served").join("rules"));
    let made = run(&["new-game", "python", rules.to_str().unwrap()]);
    assert!(made.status.success(), "{}", stderr(&made));
    let folder = cleared(folder("served").join("external"));
    let command = format!("python3 '{}'", rules.join("tictactoe.py").display());
    let words = ["--external", &command, "--listen", "127.0.0.1:0"];
    drop(Served::try_of(&folder, &words).unwrap());
    // The bot of README plays any game that lists its moves.
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/server/assets/bot.py");
    fs::copy(bot, folder.join("bot.py")).unwrap();
    let settings = folder.join("class.toml");
    let mut text = fs::read_to_string(&settings).unwrap();
    for name in ["one", "other"] {
        text += &format!("\n[[player]]\nname = \"{name}\"\ncommand = \"python3 bot.py\"\n");
    }
    fs::write(&settings, text).unwrap();
    let served = Served::of(&folder, &[]);
    served.wait_for_games(2);
    let mut client = served.client();
    for page in ["/", "/game/0", "/game/0/data", "/player/0", "/rules", "/projector"] {
        let reply = client.get(page);
        assert_eq!(reply.status, 200, "{page}: {}", reply.body);
    }
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

/// Ctrl-Z pauses the server and its players: no game that it cuts in two is a fault.
#[test]
fn room_goes_on_after_a_stop() {
    let bots = ["awele alpha-beta --depth 9", "awele best"];
    let folder = quick("stopped", "game = \"awele\"\nmargin = \"2s\"", &bots);
    let served = Served::of(&folder, &[]);
    served.wait_for_games(1);
    for _ in 0..3 {
        signal(served.pid(), "-TSTP");
        std::thread::sleep(Duration::from_millis(3000));
        signal(served.pid(), "-CONT");
        std::thread::sleep(Duration::from_millis(300));
    }
    let before = served.games();
    served.wait_for_games(before + 1);
    let page = served.client().get("/").body;
    assert!(!page.contains("class=\"fault\""), "{page}");
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}

/// A room is where its folder is, also for a user without rights elsewhere, and on a machine that
/// gives less of a sandbox.
#[test]
fn folder_of_a_room_may_move() {
    let folder = quick("here", "game = \"awele\"", &["awele random"]);
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/server/assets/bot.py");
    fs::copy(bot, folder.join("bot.py")).unwrap();
    let settings = folder.join("class.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text + "[[player]]\nname = \"python\"\ncommand = \"python3 bot.py\"\n")
        .unwrap();
    let served = Served::of(&folder, &[]);
    served.wait_for_games(2);
    served.stop();
    let there = cleared(folder.with_file_name("there"));
    fs::rename(&folder, &there).unwrap();
    let served = Served::of(&there, &[]);
    served.wait_for_games(4);
    let page = served.client().get("/").body;
    assert!(!page.contains("@") && page.contains("<title>Room · there</title>"), "{page}");
    served.stop();
    let weak = Served::try_of(&there, &["--listen", "127.0.0.1:0", "--require-sandbox", "full"]);
    match weak {
        Ok(served) => assert!(served.lines[0].starts_with("sandbox: full"), "{:?}", served.lines),
        Err(error) => assert!(error.contains("--require-sandbox full"), "{error}"),
    }
}

/// Rules for two to eight players, each of which names a number at once.
const EIGHT: &str = r#"
from arbitre_rules import Rules

class Eight(Rules):
    name = "eight"
    title = "Eight"
    seats = (2, 8)

    def setup(self, seats, number, rng):
        return str(number)

    def start(self, seats, setup):
        self.all, self.named, self.gone = range(seats), {}, set()

    def turn(self):
        here = [seat for seat in self.all if seat not in self.gone]
        return [seat for seat in here if seat not in self.named] if len(here) > 1 else []

    def scores(self):
        return [self.named.get(seat, 0) for seat in self.all]

    def legal(self, seat):
        return ["1", "2", "3"]

    def play(self, seat, move):
        self.named[seat] = int(move)

    def state(self, seat):
        return "-"

    def out(self, seats):
        self.gone.update(seats)

Eight().serve()
"#;

/// Writes these rules into a folder of this name, and returns the command that starts them.
pub fn rules_of_eight(name: &str) -> String {
    let rules = cleared(folder("served").join(name));
    let made = run(&["new-game", "python", rules.to_str().unwrap()]);
    assert!(made.status.success(), "{}", stderr(&made));
    fs::write(rules.join("eight.py"), EIGHT).unwrap();
    format!("python3 '{}'", rules.join("eight.py").display())
}

/// Rules of a program at tables of two, four and eight, with a house bot that crashes: it is set
/// aside, and the others play on.
#[test]
fn tables_of_programs_have_up_to_eight_seats() {
    let command = rules_of_eight("rules of eight");
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/server/assets/bot.py");
    for seats in [2, 4, 8] {
        let folder = cleared(folder("served").join(format!("seats {seats}")));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(bot, folder.join("bot.py")).unwrap();
        fs::write(folder.join("crash.py"), "raise SystemExit(3)").unwrap();
        let mut text = format!("[tournament]\nexternal = \"{command}\"\nseats = {seats}\n");
        for number in 0..=seats {
            let file = if number == seats { "crash.py" } else { "bot.py" };
            text += &format!("[[player]]\nname = \"b{number}\"\ncommand = \"python3 {file}\"\n");
        }
        fs::write(folder.join("class.toml"), text).unwrap();
        let served = Served::of(&folder, &[]);
        served.wait_for_games(seats);
        let until = Instant::now() + DEADLINE;
        while !served.client().get("/").body.contains("set aside") {
            assert!(Instant::now() < until, "{seats}: {}", served.client().get("/").body);
            std::thread::sleep(Duration::from_millis(50));
        }
        let page = served.teacher().get(&format!("/player/{seats}")).body;
        assert!(page.contains("exit code 3"), "{seats}: the teacher sees why: {page}");
        served.wait_for_games(seats + 1);
        let (status, error) = served.stop();
        assert!(status.success(), "{error}");
    }
}
