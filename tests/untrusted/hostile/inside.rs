//! Games between an attack and an honest bot, inside of namespaces.

use crate::hostile::attacks::{DISK, HOME, HOST, LIFE, MEMORY, PROCESSES};
use crate::hostile::namespaces::{RESULT, TASK};
use arbitre::clock::{Clock, ClockKind};
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::sandbox_args::surroundings;
use arbitre::internals::play::{play, PlayedGame, SeatedPlayer};
use arbitre::internals::player::program;
use arbitre::internals::player::Player;
use arbitre::referee::registry::Speech;
use arbitre::rng::Rng;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sandbox::probe::probe;
use arbitre_process::sandbox::{Profile, SandboxConfig, Surroundings};
use rustix::process::{getpid, set_child_subreaper, wait, WaitOptions};
use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

const REFEREE: &str = "/programs/referee";
/// Time in which everything must be gone after a game. Generous, as the machine may be busy.
const GONE: Duration = Duration::from_secs(3);
/// Attacks that both players make, and meet by.
const MUTUAL: [&str; 2] = ["rendezvous", "watch"];
/// Attacks whose program is the referee, with their words.
const REFEREES: [(&str, &[&str]); 3] = [
    ("referee", &[]),
    ("referee-match", &["awele random", "awele random", "--games", "2"]),
    ("fork-server", &["--fork-server"]),
];

/// Runs inside of namespaces only; the other tests start it.
#[test]
#[ignore = "a part of other tests"]
fn play_in_namespaces() {
    let task = std::env::var(TASK).expect("the namespaces have a task");
    assert_eq!(rustix::system::uname().nodename().to_str(), Ok(HOST));
    let task: Value = serde_json::from_str(&task).unwrap();
    let word = |key: &str| task[key].as_str().unwrap().to_owned();
    let level = Level::parse(&word("level")).unwrap();
    let profile = Profile::WORDS.iter().find(|(known, _)| *known == word("profile")).unwrap().1;
    set_child_subreaper(Some(getpid())).unwrap();
    if level >= Level::Partial {
        let found = probe(Path::new(REFEREE));
        assert_eq!(found.level, level, "{found:?}");
    }
    let attacks: Vec<&str> =
        task["attacks"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
    let empty = processes();
    for _ in 0..task["rounds"].as_u64().unwrap() {
        for attack in &attacks {
            // Without a sandbox, hundreds of processes of an earlier attack may still be ending.
            wait_for_others(&empty, Duration::from_secs(LIFE.into()));
            println!("begins: {attack}");
            // Without a sandbox, an earlier attack may have changed them.
            build_home();
            println!("{RESULT}{}", try_attack(attack, profile, level));
        }
    }
}

/// Creates the files of the user inside.
fn build_home() {
    for (folder, file, text) in [
        ("attacker", "notes", "notes of the attacker"),
        ("opponent", "secret", "secret of the opponent"),
        ("matches", "match.db", "stored match"),
        (".config", "token", "token of the user"),
    ] {
        let folder = Path::new(HOME).join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
    }
    for player in ["attacker", "opponent"] {
        let program = Path::new(HOME).join(player).join("attack");
        if !program.exists() {
            fs::copy("/programs/attack", program).unwrap();
        }
    }
}

fn player(file: &Path, words: &[&str], profile: Profile, level: Level) -> Process {
    let file = file.to_str().unwrap();
    let words: Vec<String> = [file].iter().chain(words).map(|word| (*word).to_owned()).collect();
    let program = program::find(&words, &[]).unwrap();
    let hidden = ["attacker", "opponent", "matches"].map(|name| Path::new(HOME).join(name));
    let around = Surroundings { hidden: hidden.into(), ..surroundings() };
    let config = SandboxConfig {
        profile: Some(profile),
        memory: MEMORY as u64,
        processes: PROCESSES,
        disk: DISK as u64,
        ..SandboxConfig::default()
    };
    let sandbox = config.sandbox_for(&program.path, &program.arguments, &around, level);
    let program = program.launched_by(Path::new(REFEREE)).in_sandbox(sandbox);
    Process::new(program, ProcessGroups::default())
}

fn try_attack(name: &str, profile: Profile, level: Level) -> Value {
    let before = (files(), processes());
    let home = Path::new(HOME);
    let mut attacker = match REFEREES.iter().find(|(known, _)| *known == name) {
        Some((_, words)) => player(Path::new(REFEREE), words, profile, level),
        None => player(&home.join("attacker/attack"), &[name], profile, level),
    };
    let other = if MUTUAL.contains(&name) { name } else { "honest" };
    let mut opponent = player(&home.join("opponent/attack"), &[other], profile, level);
    let begun = Instant::now();
    let game = play_game([&mut attacker, &mut opponent]);
    let time = begun.elapsed();
    drop((attacker, opponent));
    let begun = Instant::now();
    let left = wait_for_others(&before.1, GONE);
    let gone = begun.elapsed();
    let after = files();
    // The next attack finds the same files.
    for new in after.keys().filter(|path| !before.0.contains_key(*path)) {
        let _ = fs::remove_file(new);
    }
    let reports = game.plies.iter().map(|ply| (ply.seat, &ply.stderr));
    let reports = reports.chain(game.faults.iter().map(|report| (report.seat, &report.stderr)));
    // Players that make the same attack report together.
    let mine = reports.filter(|(seat, _)| seat.index() == 0 || MUTUAL.contains(&name));
    let said: Vec<&str> = mine.flat_map(|(_, text)| text.lines()).collect();
    let faults = game.faults.iter().map(|report| {
        json!({ "seat": report.seat.index(), "word": report.fault.word(), "text": report.fault.to_string() })
    });
    json!({
        "attack": name,
        "said": said,
        "faults": faults.collect::<Vec<_>>(),
        "places": game.outcome.map(|outcome| outcome.places().to_vec()),
        "changed": changes(&before.0, &after),
        "left": left,
        "seconds": time.as_secs_f64(),
        "gone": gone.as_secs_f64(),
        "descriptors": fs::read_dir("/proc/self/fd").unwrap().count(),
        "memory": resident(),
    })
}

/// Waits until no process is left but `known` ones, for at most `patience`. Returns a line about
/// each that is left.
fn wait_for_others(known: &BTreeSet<String>, patience: Duration) -> Vec<String> {
    let begun = Instant::now();
    loop {
        // Fork servers that ended late, which nothing waits for.
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        let left: Vec<String> = processes().difference(known).cloned().collect();
        if left.is_empty() || begun.elapsed() > patience {
            // The name and the state say more than a number.
            let story =
                |pid: &String| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            return left.iter().map(story).collect();
        }
        sleep(Duration::from_millis(2));
    }
}

fn play_game(players: [&mut Process; 2]) -> PlayedGame {
    let game = arbitre::registry().open("awele", "").unwrap();
    let setup = game.setups(2, 0, Rng::new(1)).next().unwrap().unwrap();
    let speech = Speech::Dialect(&arbitre::dialects::arbitre::INFO);
    let mut table = game.table(&setup, &[speech; 2]).unwrap();
    let time = Some(Duration::from_secs(15));
    let clock = Clock { kind: ClockKind::Wall, init: time, per_move: time, ..Clock::default() };
    let limits = PlayerLimits {
        clock,
        margin: Duration::from_millis(10),
        overtime: None,
        ponder: false,
        by_rules: false,
    };
    let has_started = [AtomicBool::new(false), AtomicBool::new(false)];
    let mut seated: Vec<SeatedPlayer> = players
        .into_iter()
        .zip(&has_started)
        .map(|(player, has_started)| SeatedPlayer {
            player: player as &mut dyn Player,
            limits: &limits,
            arguments: Vec::new(),
            seed: 1,
            label: String::new(),
            has_started,
            may_ponder: false,
        })
        .collect();
    play(&mut *table, &mut seated)
}

/// Returns the state of each file that the user inside owns, which any change alters.
fn files() -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut waiting = ["/home", "/tmp", "/var", "/run", "/dev"].map(PathBuf::from).to_vec();
    waiting.extend(
        fs::read_dir("/")
            .unwrap()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_file()),
    );
    while let Some(path) = waiting.pop() {
        let Ok(data) = fs::symlink_metadata(&path) else { continue };
        if data.is_dir() {
            waiting.extend(
                fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()),
            );
        }
        // No program can set the time of the last change.
        let state = (data.ino(), data.mode(), data.len(), data.ctime(), data.ctime_nsec());
        found.insert(path, format!("{state:?}"));
    }
    found
}

fn changes(before: &BTreeMap<PathBuf, String>, after: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    paths.into_iter().filter(|&path| before.get(path) != after.get(path)).cloned().collect()
}

/// Returns the processes of the namespaces, except the fork servers that wait for the next game.
fn processes() -> BTreeSet<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// Returns the resident memory of this process without files, in bytes.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}
