//! The clients that people use, `join.py` and `referee join`, in rooms of each kind.

use crate::http::{quick, Served, DEADLINE};
use crate::kills::results_of;
use crate::operation::rules_of_eight;
use arbitre_test_support::command::program;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Bot that plays at random, as the page of the rules shows it.
const BOT: &str = include_str!("../../referee/server/assets/bot.py");

/// Client of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The file that the server made.
    Python,
    /// The command of the referee.
    Referee,
}

impl Kind {
    /// Both clients.
    pub const BOTH: [Kind; 2] = [Kind::Python, Kind::Referee];
}

/// Client that runs.
pub struct Running {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Running {
    /// Starts a client with the command of a bot and options, in a folder of its own.
    pub fn start(
        served: &Served,
        token: &str,
        kind: Kind,
        bot: &str,
        options: &[&str],
        folder: &Path,
    ) -> Running {
        fs::create_dir_all(folder).unwrap();
        let mut command = match kind {
            Kind::Python => {
                let mut person = served.client();
                person.enter(token);
                let client = person.get("/join.py");
                assert_eq!(client.status, 200, "{}", client.body);
                fs::write(folder.join("join.py"), client.body).unwrap();
                let mut command = Command::new("python3");
                command.arg("join.py");
                command
            }
            Kind::Referee => {
                let mut command = Command::new(program("referee"));
                command.args([
                    "join",
                    &format!("http://{}{}/enter/{token}", served.address, served.root),
                ]);
                command
            }
        };
        command.arg(bot).args(options).current_dir(folder).env_remove("PYTHONUNBUFFERED");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = Arc::default();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let lines: Arc<Mutex<Vec<String>>> = Arc::clone(&lines);
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    lines.lock().unwrap().push(line);
                }
            });
        }
        Running { child, lines }
    }

    /// Returns what the client has printed.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// Returns the lines on games.
    pub fn games(&self) -> Vec<String> {
        self.lines().into_iter().filter(|line| line.starts_with("game ")).collect()
    }

    /// Waits until the lines of the client are as they should be.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&Running) -> bool) {
        let until = Instant::now() + DEADLINE;
        while !is_so(self) {
            assert!(Instant::now() < until, "{what}: {:#?}", self.lines());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end of the client, and returns its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        crate::http::wait(&mut self.child).code()
    }

    /// Kills the client.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the folder of a client in the folder of its room, with a bot.
pub fn own_folder(served: &Served, name: &str) -> PathBuf {
    let folder = served.folder.join("clients").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bot.py"), BOT).unwrap();
    folder
}

/// Returns the documents of the games of a room, by a command for stored files.
pub fn documents(room: &Path, words: &[&str]) -> Vec<Value> {
    let mut command = Command::new(program("referee"));
    let db = room.join("games.db");
    let out = command.args(words).arg("--db").arg(db).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rooms: settings, a bot of the house, and the bot of the person.
const ROOMS: [(&str, usize, &str, &str); 8] = [
    ("game = \"taquin\"", 1, "taquin random", "REFEREE bot taquin random"),
    ("game = \"hextris\"", 1, "hextris random", "REFEREE bot hextris random"),
    ("game = \"awele\"\nrules = \"max-plies=20\"", 2, "awele random", "python3 bot.py"),
    ("game = \"seven-colors\"", 2, "seven-colors random", "python3 bot.py"),
    ("game = \"tron\"", 2, "tron random", "REFEREE bot tron random"),
    ("game = \"tron\"", 4, "tron random", "python3 bot.py"),
    ("external = \"EIGHT\"", 8, "python3 bot.py", "python3 bot.py"),
    ("external = \"REFEREE arena step awele\"", 2, "awele random", "python3 bot.py"),
];

#[test]
fn clients_play_in_rooms_of_each_kind() {
    play_in_rooms(|number, kind| Kind::BOTH[number % 2] == kind);
}

#[test]
#[ignore = "every cell: .ci/full join"]
fn both_clients_play_in_rooms_of_each_kind() {
    play_in_rooms(|_, _| true);
}

/// Plays in the chosen cells of the table of rooms and clients.
fn play_in_rooms(is_chosen: impl Fn(usize, Kind) -> bool) {
    let referee = program("referee").display().to_string();
    let eight = rules_of_eight("rules of clients");
    for (number, (game, seats, house, bot)) in ROOMS.iter().enumerate() {
        for kind in Kind::BOTH.into_iter().filter(|kind| is_chosen(number, *kind)) {
            let name = format!("clients-{number}-{kind:?}");
            let named = |text: &str| text.replace("REFEREE", &referee).replace("EIGHT", &eight);
            let house = vec![*house; *seats];
            let settings = format!("{}\nseats = {seats}\nmove-time = \"2s\"", named(game));
            let folder = quick(&name, &settings, &[]);
            let bots = house.iter().enumerate().map(|(number, command)| {
                format!("[[player]]\nname = \"house-{number}\"\ncommand = \"{command}\"\n")
            });
            fs::write(folder.join("bot.py"), BOT).unwrap();
            let file = folder.join("class.toml");
            let text = fs::read_to_string(&file).unwrap() + &bots.collect::<String>();
            fs::write(&file, text).unwrap();
            let served = Served::of(&folder, &[]);
            let token = served.teacher().add_people(&["Ada"]).remove(0);
            let own = own_folder(&served, "ada");
            let client = Running::start(&served, &token, kind, &named(bot), &[], &own);
            client.wait_for(&name, |client| client.games().len() >= 2);
            let games = client.games();
            assert!(games.iter().all(|line| !line.contains("fault")), "{name}: {games:#?}");
            let marked = documents(&folder, &["export"]);
            let is_marked = |game: &&Value| game["own_machine"].is_array();
            let marked: Vec<&Value> = marked.iter().filter(is_marked).collect();
            assert!(marked.len() >= 2, "{name}: the mark is in the file");
            for game in marked {
                let seat = game["own_machine"][0].as_u64().unwrap() as usize;
                assert_eq!(game["players"][seat], "person-1", "{name}");
            }
            drop(client);
            let (status, error) = served.stop();
            assert!(status.success(), "{name}: {status}: {error}");
        }
    }
}

/// One round, from both clients: exit codes, and what a person reads.
#[test]
fn clients_end_as_they_say() {
    let folder = quick("clients-end", "game = \"awele\"\nmove-time = \"1s\"", &["awele random"]);
    let mut served = Served::of(&folder, &[]);
    let token = served.teacher().add_people(&["Ada"]).remove(0);
    for kind in Kind::BOTH {
        let own = own_folder(&served, &format!("{kind:?}"));
        let start = |token: &str, bot: &str, options: &[&str]| {
            Running::start(&served, token, kind, bot, options, &own)
        };
        let mut once = start(&token, "python3 bot.py", &["--once", "awele-random", "--watch"]);
        assert_eq!(once.wait(), Some(0), "{kind:?}: {:#?}", once.lines());
        once.wait_for("it says so", |client| client.lines().contains(&"the round is over".into()));
        assert_eq!(once.games().len(), 2, "{kind:?}: a game on each seat: {:#?}", once.games());
        assert!(once.lines().iter().any(|line| line.contains("<- ready python")), "{kind:?}");
        let mut unknown = start(&token, "python3 bot.py", &["--once", "nothing"]);
        assert_eq!(unknown.wait(), Some(1), "{kind:?}: {:#?}", unknown.lines());
        let mut missing = start(&token, "./missing", &[]);
        assert!([Some(2), Some(3)].contains(&missing.wait()), "{kind:?}: {:#?}", missing.lines());
        // A program that fails is set aside, and its author reads why.
        fs::write(own.join("bad.py"), "import sys\nsys.exit('no \\x1b[31m such module')").unwrap();
        let bad = start(&token, "python3 bad.py", &[]);
        bad.wait_for("it is set aside", |client| {
            client.lines().iter().any(|line| line.starts_with("set aside: "))
        });
        assert!(bad.lines().iter().all(|line| !line.contains('\u{1b}')), "{:?}", bad.lines());
        assert!(bad.lines().iter().any(|line| line.contains("such module")), "{:?}", bad.lines());
        fs::copy(own.join("bot.py"), own.join("bad.py")).unwrap();
        bad.wait_for("its new version plays", |client| client.games().len() >= 2);
    }
    // The same files are the same version for both.
    let (names, _) = results_of(&folder);
    let versions = names.iter().filter(|name| name.split('@').next() == Some("person-1"));
    assert_eq!(versions.count(), 3, "a bot, a bad bot beside it, and two bots");
    // Both come back to a server that was killed.
    let tokens = served.teacher().add_people(&["Grace", "Alan"]);
    let clients: Vec<Running> = Kind::BOTH
        .iter()
        .zip(&tokens)
        .map(|(kind, token)| {
            let own = own_folder(&served, &format!("{kind:?}"));
            Running::start(&served, token, *kind, "python3 bot.py", &[], &own)
        })
        .collect();
    clients.iter().for_each(|client| client.wait_for("games", |of| of.games().len() >= 2));
    let address = served.address;
    served.kill();
    thread::sleep(Duration::from_millis(300));
    let listen = address.to_string();
    let served = Served::at(&folder, &["--listen", &listen], Some(address)).unwrap();
    for client in &clients {
        let before = client.games().len();
        client.wait_for("it is back", |of| of.games().len() >= before + 2);
        assert!(client.lines().iter().filter(|line| line.starts_with("joined as")).count() >= 2);
    }
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
    clients.iter().for_each(|client| {
        client.wait_for("it tries again", |of| of.lines().last().unwrap().contains("trying again"));
    });
}
