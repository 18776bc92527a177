//! A class whose programs connect: an evening, a hundred at once, kills, the same games locally.

use crate::clients::{documents, own_folder, Kind, Running};
use crate::guest::{fairly, hello, Guest, Heard};
use crate::http::{quick, Client, Served, DEADLINE};
use crate::joining::faults_of;
use crate::kills::{results_of, stored};
use arbitre::internals::store::verify::verify;
use arbitre::rng::Rng;
use arbitre_test_support::command::program;
use rustix::process::Pid;
use rustix::thread::{sched_setaffinity, CpuSet};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time of the evening. Not tuned.
const EVENING: Duration = Duration::from_secs(150);
/// Programs at once.
const PROGRAMS: usize = 100;
/// Browsers beside them.
const BROWSERS: usize = 200;
/// Time for which the hundred programs are measured. Not tuned.
const MEASURED: Duration = Duration::from_secs(30);

/// Plays node-limited bots in a room, then each of its games again on this machine: the moves are
/// the same.
#[test]
fn connected_program_plays_as_a_local_one() {
    let settings = "game = \"awele\"\nnodes = 500\nconcurrency = 1";
    let folder = quick("same-moves", settings, &[]);
    let bot = "awele alpha-beta";
    let text = fs::read_to_string(folder.join("class.toml")).unwrap();
    let house = format!("[[player]]\nname = \"house\"\ncommand = \"{bot}\"\n");
    fs::write(folder.join("class.toml"), text + &house).unwrap();
    let served = Served::of(&folder, &[]);
    let token = served.teacher().add_people(&["Ada"]).remove(0);
    let own = own_folder(&served, "ada");
    let client = Running::start(&served, &token, Kind::Referee, bot, &[], &own);
    client.wait_for("games", |client| client.games().len() >= 6);
    drop(client);
    assert!(served.stop().0.success());
    let games = documents(&folder, &["list", "--games", "--json"]);
    assert!(games.len() >= 6);
    for game in games.iter().take(6) {
        let seat = &game["own_machine"][0];
        let replace = format!("{seat}=ada[nodes=500]={bot}");
        let number = game["game"].to_string();
        let mut command = Command::new(program("referee"));
        command.args(["rerun", &number, "--json", "--replace", &replace, "--db"]);
        let output = command.arg(folder.join("games.db")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let local: Value = serde_json::from_slice(&output.stdout).unwrap();
        for key in ["moves", "movers", "scores", "ranks", "ending", "setup", "round", "rotation"] {
            assert_eq!(local[key], game[key], "{key} of game {number}: {local}");
        }
    }
}

/// Part of a person in the evening.
struct Part {
    name: &'static str,
    /// Faults that its games may have; empty for none.
    faults: &'static [&'static str],
}

/// Parts of the evening. The first five are bots of `referee new`, each in its language.
const PARTS: [Part; 12] = [
    Part { name: "python", faults: &[] },
    Part { name: "c", faults: &[] },
    Part { name: "java", faults: &[] },
    Part { name: "ocaml", faults: &[] },
    Part { name: "rust", faults: &[] },
    Part { name: "bundled", faults: &[] },
    Part { name: "changes", faults: &[] },
    Part { name: "hangs", faults: &["timeout"] },
    Part { name: "floods", faults: &["invalid", "disconnect"] },
    Part { name: "crashes", faults: &["crash"] },
    Part { name: "cheats", faults: &["illegal", "invalid"] },
    Part { name: "leaves", faults: &["disconnect"] },
];

/// Bots of the evening that are not from `referee new`: they play a first move, then do this.
const HANGS: &str = "import time; time.sleep(1000)";
const FLOODS: &str = "\n            while True: print('0' * 1000, flush=True)";
const CRASHES: &str = "raise SystemExit('out of <b>memory</b>')";
const CHEATS: &str = "answer = '99'";

/// Returns the bot of the rules' page that misbehaves at every sixth question.
fn bad_bot(act: &str) -> String {
    format!(
        "import sys, random\nasked = 0\nfor line in sys.stdin:\n    word, *rest = line.split()\n    \
         if word == 'legal': answer = random.choice(rest)\n    if word == 'go':\n        asked += 1\n        \
         if asked % 6 == 0:\n            {act}\n    \
         if word in ('begin', 'go'): print('ready bad' if word == 'begin' else answer, flush=True)\n"
    )
}

/// Writes the program of a part, and returns its command.
fn command_of(part: &Part, own: &Path) -> String {
    let script = |text: &str| {
        fs::write(own.join("mine.py"), text).unwrap();
        "python3 mine.py".to_owned()
    };
    match part.name {
        "bundled" => "awele greedy".into(),
        "changes" => "python3 bot.py".into(),
        "hangs" => script(&bad_bot(HANGS)),
        "floods" => script(&bad_bot(FLOODS)),
        "crashes" => script(&bad_bot(CRASHES)),
        "cheats" => script(&bad_bot(CHEATS)),
        language => {
            let made = own.join("made");
            let mut new = Command::new(program("referee"));
            let new = new.args(["new", language]).arg(&made).args(["--game", "awele"]);
            assert!(new.output().unwrap().status.success());
            if made.join("build.sh").exists() {
                let built = Command::new("sh").arg(made.join("build.sh")).output().unwrap();
                assert!(built.status.success(), "{language}: {built:?}");
            }
            match language {
                "python" => "python3 made/bot.py".into(),
                "java" => "java -cp made Bot".into(),
                _ => "./made/bot".into(),
            }
        }
    }
}

/// Leaves in each phase of a game, one after another, and comes back each time.
fn leave_in_each_phase(address: std::net::SocketAddr, token: &str, is_over: &AtomicBool) {
    let mut phase = 0;
    while !is_over.load(Ordering::Relaxed) {
        // The link may connect twenty times in a minute.
        thread::sleep(Duration::from_millis(3500));
        let Ok(stream) = TcpStream::connect(address) else { continue };
        drop(stream);
        let Ok(mut guest) = Guest::open(address, token) else { continue };
        if phase % 5 == 0 {
            // Before the first message.
            phase += 1;
            continue;
        }
        guest.send(&hello(77));
        let mut seen = 0;
        let wanted = phase % 5;
        let mut legal = String::new();
        while !is_over.load(Ordering::Relaxed) {
            match guest.hear() {
                Heard::Message(message) if message["type"] == "start" && wanted == 1 => break,
                Heard::Lines(..) if wanted == 2 => break,
                Heard::Lines(table, lines) => {
                    for line in lines.lines() {
                        match line.split(' ').next().unwrap() {
                            "begin" => guest.say(table, b"ready leaver\n"),
                            "legal" => legal = line.split(' ').nth(1).unwrap().to_owned(),
                            "go" => seen += 1,
                            _ => {}
                        }
                    }
                    if seen >= wanted {
                        break;
                    }
                    if lines.contains("go ") {
                        fairly(&mut guest, table, &legal);
                    }
                }
                Heard::Closed => break,
                Heard::Message(_) => {}
            }
        }
        phase += 1;
    }
}

/// Returns the rows of the standings, by name: rating, error, games, points and faults.
fn standings(client: &mut Client) -> BTreeMap<String, Vec<String>> {
    let page = client.get("/").body;
    let table = page.split("<table class=\"standings\">").nth(1).unwrap_or_default();
    let body = table.split("<tbody>").nth(1).unwrap_or_default();
    let rows = body.split("</tbody>").next().unwrap_or_default().split("<tr").skip(1);
    let text = |cell: &str| {
        let parts = cell.split('<').filter_map(|part| part.split('>').nth(1));
        parts.map(str::trim).collect::<String>()
    };
    let row = |row: &str| {
        let name = row.split("<bdi>").nth(1).unwrap().split('<').next().unwrap().to_owned();
        // Of the rank and the arrow one depends on who is here, and one on the last hour.
        let cells = row.split("<td").skip(4).map(|cell| text(&format!("<td{cell}")));
        (name, cells.collect())
    };
    rows.map(row).collect()
}

/// Starts the clients of all parts but the last.
fn start_clients(served: &Served, tokens: &[String]) -> Vec<Running> {
    let parts = PARTS[..11].iter().zip(tokens).enumerate();
    let clients = parts.map(|(number, (part, token))| {
        let own = own_folder(served, part.name);
        let bot = command_of(part, &own);
        let kind = if part.name == "bundled" { Kind::Referee } else { Kind::BOTH[number % 2] };
        let tables = if part.name == "rust" { "2" } else { "1" };
        Running::start(served, token, kind, &bot, &["--tables", tables], &own)
    });
    clients.collect()
}

/// Lets the clients play, changes a program twice and kills the server between. Returns the new
/// server, whose games are over.
fn play_the_evening(mut served: Served, folder: &Path, clients: &[Running]) -> Served {
    let teacher_token = served.token().to_owned();
    let begun = Instant::now();
    let until = |share: u32| thread::sleep((EVENING * share / 4).saturating_sub(begun.elapsed()));
    let changing = folder.join("clients/changes/bot.py");
    let text = fs::read_to_string(&changing).unwrap();
    until(1);
    fs::write(&changing, format!("{text}# second\n")).unwrap();
    until(2);
    served.kill();
    thread::sleep(Duration::from_secs(2));
    let address = served.address;
    let listen = address.to_string();
    let served = Served::at(folder, &["--listen", &listen], Some(address)).unwrap();
    until(3);
    fs::write(&changing, format!("{text}# third\n")).unwrap();
    until(4);
    for (part, client) in PARTS.iter().zip(clients) {
        let joined = client.lines().iter().filter(|line| line.starts_with("joined as")).count();
        assert!(joined >= 2, "{}: it came back: {:#?}", part.name, client.lines());
    }
    let mut teacher = served.client();
    teacher.enter(&teacher_token);
    teacher.act("/teacher/pause", &[("do", "pause")]);
    let waits = Instant::now() + DEADLINE;
    while !teacher.get("/teacher").body.contains("<p>0 running") {
        assert!(Instant::now() < waits, "running games end");
        thread::sleep(Duration::from_millis(100));
    }
    // One that waits for a game hears of it.
    let leaver = format!("/teacher/person/{}", teacher.number_of(PARTS[11].name));
    teacher.act(&leaver, &[("do", "disable")]);
    served
}

#[test]
#[ignore = "it takes three minutes: .ci/full join"]
fn evening_of_twelve_programs() {
    let settings =
        "game = \"awele\"\nmove-time = \"1s\"\nconcurrency = 4\nrules = \"max-plies=100\"";
    let folder = quick("evening-join", settings, &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    let tokens = served.teacher().add_people(&names);
    let numbers: Vec<String> = names.iter().map(|name| served.teacher().number_of(name)).collect();
    let (address, is_over) = (served.address, AtomicBool::new(false));
    let served = thread::scope(|scope| {
        scope.spawn(|| leave_in_each_phase(address, &tokens[11], &is_over));
        let clients = start_clients(&served, &tokens);
        let served = play_the_evening(served, &folder, &clients);
        is_over.store(true, Ordering::Relaxed);
        served
    });
    // Ratings take at most a tenth of the time.
    thread::sleep(Duration::from_secs(3));
    let shown = standings(&mut served.client());
    assert!(served.stop().0.success());
    assert_eq!(verify(&folder.join("games.db"), &arbitre::registry()).unwrap().problems, [""; 0]);
    for (part, number) in PARTS.iter().zip(&numbers) {
        let (games, found) = faults_of(&folder, &format!("person-{number}"));
        let words: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        eprintln!("{}: {games} games, {} faults {words:?}", part.name, found.len());
        assert!(games >= 4, "{}: {games} games", part.name);
        let allowed: BTreeSet<&str> = part.faults.iter().copied().collect();
        assert!(words.is_subset(&allowed), "{}: {words:?}", part.name);
        assert_eq!(words.is_empty(), allowed.is_empty(), "{}: {words:?}", part.name);
    }
    let its = format!("person-{}", numbers[6]);
    let (names, _) = results_of(&folder);
    let versions = names.iter().filter(|name| name.split('@').next() == Some(&its));
    assert_eq!(versions.count(), 3, "three versions");
    // A server that computes everything from the file shows the same.
    let served = Served::of(&folder, &[]);
    thread::sleep(Duration::from_secs(2));
    assert_eq!(standings(&mut served.client()), shown);
}

/// A server that starts again, and plays nothing, shows the ratings of before: they count from the
/// house bots, though none of them has played since.
#[test]
fn standings_are_the_same_after_a_restart() {
    let settings = "game = \"awele\"\nrules = \"max-plies=40\"";
    let folder = quick("restart", settings, &["awele random", "awele greedy"]);
    let served = Served::of(&folder, &[]);
    let mut teacher = served.teacher();
    let token = teacher.add_people(&["Ada"]).remove(0);
    let own = own_folder(&served, "ada");
    let client = Running::start(&served, &token, Kind::Referee, "awele best", &[], &own);
    client.wait_for("games", |client| client.games().len() >= 6);
    drop(client);
    teacher.act("/teacher/pause", &[("do", "pause")]);
    thread::sleep(Duration::from_secs(3));
    let shown = standings(&mut served.client());
    assert!(served.stop().0.success());
    let served = Served::of(&folder, &[]);
    assert_eq!(standings(&mut served.client()), shown);
}

/// A hundred programs that answer at once, on a processor of their own, and two hundred browsers.
#[test]
#[ignore = "it measures: .ci/full join"]
fn hundred_programs_at_once() {
    let settings =
        "game = \"awele\"\nmove-time = \"1s\"\nconcurrency = 50\nrules = \"max-plies=100\"";
    let folder = quick("hundred", settings, &["awele random"]);
    let served = Served::of(&folder, &[]);
    let names: Vec<String> = (0..PROGRAMS).map(|number| format!("P{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let tokens = served.teacher().add_people(&names);
    pin(&format!("/proc/{}/task", served.pid()), 0);
    let (is_over, address) = (AtomicBool::new(false), served.address);
    thread::scope(|scope| {
        for token in &tokens {
            let (is_over, served) = (&is_over, &served);
            scope.spawn(move || {
                let mut guest = Guest::join(served, token, 1);
                guest.play(fairly, |_| is_over.load(Ordering::Relaxed));
            });
        }
        for _ in 0..BROWSERS {
            let is_over = &is_over;
            scope.spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
                let head = format!("GET /events/room HTTP/1.1\r\nHost: {address}\r\n\r\n");
                stream.write_all(head.as_bytes()).unwrap();
                let mut buffer = vec![0; 64 * 1024];
                while !is_over.load(Ordering::Relaxed) {
                    let _ = stream.read(&mut buffer);
                }
            });
        }
        pin("/proc/self/task", 1);
        thread::sleep(MEASURED);
        is_over.store(true, Ordering::Relaxed);
    });
    pin("/proc/self/task", 0);
    let games = documents(&folder, &["export", "--times"]);
    let mut times: Vec<f64> = Vec::new();
    for game in games.iter().filter(|game| game["own_machine"].is_array()) {
        let own: Vec<u64> =
            game["own_machine"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        let movers = game["movers"].as_array().unwrap().iter().filter_map(Value::as_u64);
        let spent = game["times_ms"].as_array().unwrap().iter().filter_map(Value::as_f64);
        times.extend(movers.zip(spent).filter(|(seat, _)| own.contains(seat)).map(|(_, of)| of));
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[times.len() * share / 1000];
    eprintln!(
        "{PROGRAMS} programs, {BROWSERS} browsers, {} games, {} moves in {MEASURED:?}: charged beyond \
         the round trip median {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        games.len(),
        times.len(),
        at(500),
        at(990),
        times[times.len() - 1]
    );
    let faults: usize = games.iter().map(|game| game["faults"].as_array().unwrap().len()).sum();
    assert_eq!(faults, 0, "no wrong forfeit");
}

/// Pins all threads of a process to one processor, or to all from it on if it is the first.
fn pin(tasks: &str, processor: usize) {
    let mut set = CpuSet::new();
    set.set(processor);
    for task in fs::read_dir(tasks).unwrap().flatten() {
        let number = task.file_name().to_string_lossy().parse().unwrap();
        // A thread may have ended meanwhile.
        let _ = sched_setaffinity(Pid::from_raw(number), &set);
    }
}

/// Kills the server or a client, again and again. What a client heard of is in the file, once.
fn kill(kills: usize, name: &str) {
    let settings = "game = \"awele\"\nmove-time = \"1s\"\nrules = \"max-plies=20\"";
    let folder = quick(name, settings, &["awele random"]);
    let mut served = Served::of(&folder, &[]);
    let tokens = served.teacher().add_people(&["Ada", "Grace"]);
    let own: Vec<_> = ["ada", "grace"].iter().map(|name| own_folder(&served, name)).collect();
    let start = |served: &Served, of: usize| {
        Running::start(served, &tokens[of], Kind::BOTH[of], "python3 bot.py", &[], &own[of])
    };
    let mut clients = [start(&served, 0), start(&served, 1)];
    let address = served.address;
    let (mut rng, mut heard) = (Rng::new(kills as u64), BTreeSet::new());
    let listen = address.to_string();
    let numbers = |client: &Running| -> Vec<u64> {
        let lines = client.games();
        lines.iter().filter_map(|line| line[5..].split(':').next()?.parse().ok()).collect()
    };
    for number in 0..kills {
        thread::sleep(Duration::from_millis(rng.below(800) as u64));
        match rng.below(3) {
            0 => {
                served.kill();
                clients.iter().for_each(|client| heard.extend(numbers(client)));
                let problems = verify(&folder.join("games.db"), &arbitre::registry()).unwrap();
                assert_eq!(problems.problems, [""; 0], "after kill {number}");
                served = Served::at(&folder, &["--listen", &listen], Some(address)).unwrap();
            }
            client => {
                let client = client - 1;
                heard.extend(numbers(&clients[client]));
                clients[client].kill();
                clients[client] = start(&served, client);
            }
        }
    }
    // Clients that wait for the server come back.
    let before: Vec<usize> = clients.iter().map(|client| client.games().len()).collect();
    for (client, before) in clients.iter().zip(before) {
        client.wait_for("it plays on", |client| client.games().len() > before);
        heard.extend(numbers(client));
    }
    drop(clients);
    assert!(served.stop().0.success());
    let (numbers, places, count) = stored(&folder);
    assert_eq!((numbers.len(), places), (count, count), "a game counts twice");
    let lost: Vec<&u64> = heard.difference(&numbers).collect();
    assert!(lost.is_empty(), "games that clients heard of are lost: {lost:?} of {count}");
    eprintln!("{kills} kills: {} games heard of, {count} stored", heard.len());
}

#[test]
fn kills_of_servers_and_clients_lose_nothing() {
    kill(6, "kills-join");
}

#[test]
#[ignore = "it takes minutes: .ci/full join"]
fn hundred_kills_of_servers_and_clients() {
    kill(100, "hundred-kills-join");
}
