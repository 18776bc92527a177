//! The referee is away: stopped alone, with everything that it started, by Ctrl-Z, or frozen. No
//! player has a fault for it, and none escapes its own.

use arbitre::internals::player::program;
use arbitre::internals::run::presence::Presence;
use arbitre::internals::run::PlayerSource;
use arbitre_process::process_group::ProcessGroups;
use arbitre_test_support::command::{
    folder, json, program, referee, remove_results, script, signal, stderr, stdout, SHELL_BOT,
};
use arbitre_test_support::matches::Match;
use serde_json::{json, Value};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::iter;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Way in which the referee is stopped.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Away {
    Alone,
    /// With its players, as a frozen container or a suspended job of a cluster is.
    WithAll,
    CtrlZ,
    /// In a control group that is frozen, as that of a paused container.
    Frozen,
}

/// Returns the ways that this machine and user have.
fn ways() -> impl Iterator<Item = Away> {
    let all = [Away::Alone, Away::WithAll, Away::CtrlZ, Away::Frozen];
    all.into_iter().filter(|&way| way != Away::Frozen || Freezer::new().is_some())
}

/// Time of an absence, which is longer than any limit of these matches.
const ABSENCE: Duration = Duration::from_millis(1_500);
/// Start of the warning of an absence.
const AWAY: &str = "the referee was away for ";
/// Time that a match runs between absences.
const PRESENCE: Duration = Duration::from_millis(300);
/// Longest wait for anything else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the processes that descend from one.
pub fn descendants(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let children = lists.iter().flat_map(|list| list.split_whitespace());
    let children = children.filter_map(|child| child.parse().ok());
    children.flat_map(|child: u32| [vec![child], descendants(child)].concat()).collect()
}

/// Returns the letter by which the system names the state of a process.
fn state(pid: u32) -> Option<char> {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    status.rsplit_once(") ")?.1.chars().next()
}

/// Returns `true` if the process runs a shell, as all bots of these tests do.
fn is_shell(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "sh\n")
}

/// Creates a command that runs the referee in a process group of its own, as a shell does. The
/// kernel ignores Ctrl-Z for a group without a parent in its session, as after `setsid`.
fn apart(words: &[&str]) -> Command {
    let mut command = referee(words);
    command.process_group(0);
    command
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Control group that freezes processes.
struct Freezer {
    folder: PathBuf,
    /// File by which it is frozen.
    control: &'static str,
    /// Words for that file: to thaw, and to freeze.
    words: [&'static str; 2],
}

impl Freezer {
    /// Creates a group, of either version of the system. Only the superuser may, as a rule.
    fn new() -> Option<Freezer> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("arbitre-absence-{}-{number}", std::process::id());
        let [first, second] =
            [("freezer.state", ["THAWED", "FROZEN"]), ("cgroup.freeze", ["0", "1"])];
        for (root, (control, words)) in [("freezer", first), ("", second), ("unified", second)] {
            let folder = Path::new("/sys/fs/cgroup").join(root).join(&name);
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            let freezer = Freezer { folder, control, words };
            if freezer.folder.join(control).exists() {
                return Some(freezer);
            }
        }
        None
    }

    /// Takes in the referee with all that it started.
    fn take(&self, referee: u32) {
        for pid in iter::once(referee).chain(descendants(referee)) {
            self.put(&self.folder, &pid.to_string());
        }
    }

    /// Moves a process into a group. It may have ended.
    fn put(&self, folder: &Path, pid: &str) {
        let _ = fs::write(folder.join("cgroup.procs"), pid);
    }

    fn set(&self, is_frozen: bool) {
        let word = self.words[usize::from(is_frozen)];
        fs::write(self.folder.join(self.control), word).unwrap();
    }

    fn is_frozen(&self) -> bool {
        let read = |file: &str| fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        read(self.control).starts_with("FROZEN") || read("cgroup.events").contains("frozen 1")
    }
}

impl Drop for Freezer {
    fn drop(&mut self) {
        let inside = || fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
        let begun = Instant::now();
        // A child may come meanwhile.
        while fs::remove_dir(&self.folder).is_err() && begun.elapsed() < PATIENCE {
            inside().lines().for_each(|pid| self.put(self.folder.parent().unwrap(), pid));
            sleep(Duration::from_millis(1));
        }
    }
}

/// Freezes the referee with all that it started for a while.
fn freeze(referee: u32) {
    let freezer = Freezer::new().expect("the way is there");
    freezer.take(referee);
    // Again, for what was started meanwhile.
    freezer.take(referee);
    let mut tries = 0;
    wait_until("the group is frozen", || {
        // The first version may miss a process that is created meanwhile, until it thaws once.
        freezer.set(tries % 50 != 49);
        tries += 1;
        freezer.is_frozen()
    });
    sleep(ABSENCE);
    freezer.set(false);
}

/// Stops the referee for a while.
fn go_away(referee: u32, way: Away) {
    if way == Away::Frozen {
        return freeze(referee);
    }
    let all = match way {
        Away::WithAll => descendants(referee),
        _ => Vec::new(),
    };
    let send = |pid: u32, name: &str| {
        let mut kill = Command::new("kill");
        // One of them may have ended.
        let _ = kill.args(["-s", name, &pid.to_string()]).stderr(Stdio::null()).status();
    };
    signal(referee, if way == Away::CtrlZ { "TSTP" } else { "STOP" });
    all.iter().for_each(|&pid| send(pid, "STOP"));
    // It may also have just ended.
    wait_until("the referee is stopped", || matches!(state(referee), Some('T' | 'Z')));
    sleep(ABSENCE);
    all.iter().for_each(|&pid| send(pid, "CONT"));
    signal(referee, "CONT");
}

/// Match in which the referee is away twice.
struct Interrupted {
    name: &'static str,
    words: Vec<String>,
    /// Faults of each player, or the reason why it was not started.
    faults: Vec<Value>,
    games: u64,
    code: i32,
}

/// Bot that plays the first legal move after `work`, and runs `start` first.
fn bot(start: &str, work: &str) -> String {
    format!(
        "sh -c '{start}; while read -r w f r; do case $w in begin) echo ready x;; legal) m=$f;; \
         go) {work}; echo $m;; esac; done'"
    )
}

fn case(name: &'static str, players: &[&str], words: &[&str]) -> Interrupted {
    let limits =
        ["--move-time", "400ms", "--first-move-time", "400ms", "--json", "--db", ":memory:"];
    let words = players.iter().chain(words).chain(&limits).map(|word| word.to_string()).collect();
    Interrupted { name, words, faults: vec![json!({}); players.len()], games: 4, code: 0 }
}

/// Every kind of player, table and clock that an absence can meet.
fn cases() -> Vec<Interrupted> {
    let (usual, slow) = (&bot(":", "sleep 0.05"), &bot("sleep 0.6", "sleep 0.05"));
    let (late, dead) = (&bot(":", "sleep 5"), "sh -c 'exit 3'");
    let two = |name, one: &str, words: &[&str]| {
        let usual =
            ["--game", "awele", "--games", "4", "--rules", "max-plies=10", "--openings", "0"];
        case(name, &[one, &format!("other={}", bot(":", "sleep 0.05"))], &[&usual, words].concat())
    };
    let rules = format!("'{}' arena step awele", program("referee").display());
    let four: Vec<String> = (0..4).map(|number| format!("p{number}={usual}")).collect();
    let four: Vec<&str> = four.iter().map(String::as_str).collect();
    vec![
        two("fair", usual, &["--clock", "fair"]),
        two("wall", usual, &["--clock", "wall"]),
        two("cpu", usual, &["--clock", "cpu"]),
        two("no sandbox", usual, &["--no-sandbox"]),
        two("thinks in its opponent's turn", usual, &["--ponder"]),
        two("while it starts", slow, &["--init-time", "1s"]),
        two("bundled", "awele random", &[]),
        two("two at once", usual, &["--concurrency", "2"]),
        two("test", usual, &["--sprt", "elo0=0,elo1=5,alpha=0.05,beta=0.05"]),
        case(
            "rules of others",
            &[usual, &format!("other={usual}")],
            &["--external", &rules, "--rules", "max-plies=10", "--games", "4", "--openings", "0"],
        ),
        case("one seat", &[usual], &["--game", "taquin", "--rules", "size=2x2", "--games", "4"]),
        case(
            "four seats",
            &four,
            &["--game", "tron", "--seats", "4", "--games", "4", "--rules", "size=6x6"],
        ),
        Interrupted {
            faults: vec![json!({ "timeout": 4 }), json!({})],
            ..two("late by itself", late, &[])
        },
        Interrupted {
            faults: vec![json!("it ended before it answered (exit code 3)"), json!({})],
            games: 0,
            code: 3,
            ..two("dead by itself", dead, &["--init-time", "1s"])
        },
    ]
}

/// Plays a match with two absences, and checks that it ends as without.
fn play(case: &Interrupted, way: Away) {
    let words: Vec<&str> = case.words.iter().map(String::as_str).collect();
    let what = format!("{}, {way:?}", case.name);
    let mut referee = apart(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (pid, begun) = (referee.id(), Instant::now());
    let is_over = |referee: &mut Child| referee.try_wait().unwrap().is_some();
    let mut stderr = BufReader::new(referee.stderr.take().unwrap());
    let (told, mut absences) = (Arc::new(Mutex::new(String::new())), 0);
    let heard = Arc::clone(&told);
    let listener = thread::spawn(move || {
        let mut line = String::new();
        while stderr.read_line(&mut line).is_ok_and(|count| count > 0) {
            heard.lock().unwrap().push_str(&line);
            line.clear();
        }
    });
    let warnings = || told.lock().unwrap().matches(AWAY).count();
    // On a busy machine an absence may be over before the first game begins.
    while absences < 2 || warnings() == 0 && absences < 8 {
        wait_until("a player runs", || {
            is_over(&mut referee) || descendants(pid).into_iter().any(is_shell)
        });
        sleep(PRESENCE);
        if is_over(&mut referee) {
            break;
        }
        go_away(pid, way);
        absences += 1;
    }
    let output = referee.wait_with_output().unwrap();
    listener.join().unwrap();
    let warnings = warnings();
    let told = told.lock().unwrap();
    println!("{what}: {:.1} s", begun.elapsed().as_secs_f64());
    assert!(!output.stdout.is_empty(), "{what}: {told}");
    let document = json(&String::from_utf8_lossy(&output.stdout));
    let players = document["players"].as_array().unwrap_or_else(|| panic!("{what}: {told}"));
    let fault = |player: &Value| match player["not_started"].as_str() {
        Some(why) => json!(why.split(';').nth(1).unwrap_or(why).trim()),
        None => player["faults"].clone(),
    };
    let faults: Vec<Value> = players.iter().map(fault).collect();
    assert_eq!(faults, case.faults, "{what}: {told}");
    assert_eq!((&document["games"], output.status.code()), (&case.games.into(), Some(case.code)));
    // A game may be over before an absence. The machine itself may be away, too.
    assert!(case.code != 0 || (absences > 0 && warnings > 0), "{what}: {absences}, {told}");
}

fn play_all(way: Away) {
    thread::scope(|scope| {
        for case in cases() {
            scope.spawn(move || play(&case, way));
        }
    });
}

#[test]
fn no_player_has_a_fault_while_the_referee_alone_is_stopped() {
    play_all(Away::Alone);
}

#[test]
fn no_player_has_a_fault_while_all_are_stopped() {
    play_all(Away::WithAll);
}

#[test]
fn no_player_has_a_fault_for_ctrl_z() {
    play_all(Away::CtrlZ);
}

#[test]
fn no_player_has_a_fault_while_a_control_group_is_frozen() {
    match ways().find(|&way| way == Away::Frozen) {
        Some(way) => play_all(way),
        None => eprintln!("SKIPPED: no control group that freezes can be made here"),
    }
}

/// On a busy machine some time passes between the stop of the players by Ctrl-Z and that of the
/// referee, and between their continuations.
#[test]
fn no_player_has_a_fault_while_the_referee_still_runs() {
    let words = shell_words::split(&bot(":", "sleep 0.02")).unwrap();
    let launcher = program("referee");
    let player = || {
        let program = program::find(&words, &[]).unwrap();
        PlayerSource::Program(program.launched_by(&launcher))
    };
    let (rules, move_time) = ("max-plies=10", Duration::from_millis(300));
    let contest =
        Match { games: 8, rules, move_time, openings: 0, ..Match::of([player(), player()]) };
    let processes = ProcessGroups::default();
    let (_, records) = thread::scope(|scope| {
        let playing = scope.spawn(|| contest.play_in(&processes));
        let mut stops = 0;
        while !playing.is_finished() {
            sleep(PRESENCE);
            if stops < 3 {
                stops += 1;
                processes.pause_all(true);
                sleep(2 * move_time);
                processes.pause_all(false);
            }
        }
        assert_eq!(stops, 3, "the match was over before");
        playing.join().unwrap()
    });
    let faults: Vec<_> = records.iter().flat_map(|record| &record.played.faults).collect();
    assert!(faults.is_empty() && records.len() == 8, "{faults:?}");
}

/// Tournaments of every format, a part of a match, and a match that is continued: words, and lines
/// of a tournament's file.
const KEPT: [(&str, &[&str], &str); 10] = [
    ("round robin", &["tournament", "cup.toml"], "format = \"round-robin\"\ngames = 2"),
    ("gauntlet", &["tournament", "cup.toml"], "format = \"gauntlet\"\ngames = 2"),
    ("balanced", &["tournament", "cup.toml"], "format = \"balanced\"\ngames-per-player = 4"),
    ("swiss", &["tournament", "cup.toml"], "format = \"swiss\"\nrounds = 2\ngames = 2"),
    ("knockout", &["tournament", "cup.toml"], "format = \"knockout\"\ngames = 2"),
    ("double knockout", &["tournament", "cup.toml"], "format = \"double-knockout\"\ngames = 2"),
    ("ladder", &["tournament", "cup.toml"], "format = \"ladder\"\nmax-games = 12"),
    (
        "graded",
        &["tournament", "cup.toml"],
        "format = \"graded\"\ngames = 2\n[[grade]]\nbot = \"staff=./sh\"\npoints = 3",
    ),
    ("shard", &["./sh", "b=./sh", "--games", "8", "--shard", "1/2", "--seed", "1"], ""),
    ("resumed", &["./sh", "b=./sh", "--games", "8", "--resume"], ""),
];

/// Plays into a file with an absence. No game in it has a fault, and the run ends as complete.
fn keep(name: &str, words: &[&str], settings: &str) {
    let place = folder(&format!("absent {name}"));
    let run = |words: &[&str]| {
        let mut command = apart(words);
        command.args(["--db", "kept.db"]).current_dir(&place).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        command
    };
    remove_results(place.join("kept.db"));
    // Its name is what the system shows of it.
    script(&place, "sh", &SHELL_BOT.replace("go)", "go) sleep 0.05;"));
    let limits = "rules = \"max-plies=10\"\nopenings = 0\nmove-time = \"400ms\"\n\
                  first-move-time = \"400ms\"\nseed = 1\n";
    let player = |number| format!("[[player]]\nname = \"p{number}\"\ncommand = \"./sh\"\n");
    let players: String = (0..4).map(player).collect();
    let cup = format!("[tournament]\ngame = \"awele\"\n{limits}{settings}\n{players}");
    fs::write(place.join("cup.toml"), cup).unwrap();
    let of_match = ["--game", "awele", "--rules", "max-plies=10", "--openings", "0"];
    let of_match =
        [&of_match[..], &["--move-time", "400ms", "--first-move-time", "400ms"]].concat();
    let more = if words[0] == "tournament" { &[][..] } else { &of_match };
    if words.contains(&"--resume") {
        let begun = run(&[&words[..2], &["--games", "2"], more].concat()).output().unwrap();
        assert!(begun.status.success(), "{name}: {}", stderr(&begun));
    }
    let stored = || stdout(&run(&["export"]).output().unwrap()).lines().count();
    let before = stored();
    let referee = run(&[words, more].concat()).spawn().unwrap();
    // An absence during the trials of the programs is no absence from a game.
    wait_until("a game is stored", || stored() > before);
    go_away(referee.id(), Away::WithAll);
    let output = referee.wait_with_output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{name}: {told}");
    assert!(told.contains(AWAY), "{name}: {told}");
    let exported = run(&["export"]).output().unwrap();
    let games: Vec<Value> = stdout(&exported).lines().map(json).collect();
    assert!(games.len() >= 4, "{name}: {} games", games.len());
    for game in games {
        assert_eq!((&game["faults"], &game["ending"]), (&json!([]), &json!("rules")), "{name}");
    }
}

#[test]
fn file_is_as_without_an_absence() {
    thread::scope(|scope| {
        for (name, words, settings) in KEPT {
            scope.spawn(move || keep(name, words, settings));
        }
    });
}

/// With Ctrl-Z the machine is the user's again: the players stop, too. Then they go on.
#[test]
fn players_are_stopped_with_the_referee() {
    for sandbox in [&["--no-sandbox"][..], &[]] {
        let busy = bot(":", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
        let words = [&busy, "awele random", "--game", "awele", "--games", "2"];
        let words =
            [&words[..], &["--rules", "max-plies=6", "--openings", "0", "--move-time", "30s"]]
                .concat();
        let words = [&words[..], &["--json", "--db", ":memory:"], sandbox].concat();
        let mut command = apart(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let pid = child.id();
        let shells = || descendants(pid).into_iter().filter(|&pid| is_shell(pid));
        wait_until("the bot runs", || shells().any(|pid| state(pid) == Some('R')));
        signal(pid, "TSTP");
        wait_until("the referee is stopped", || state(pid) == Some('T'));
        wait_until("the bot is stopped", || shells().all(|pid| state(pid) == Some('T')));
        sleep(ABSENCE);
        assert!(shells().count() > 0 && shells().all(|pid| state(pid) == Some('T')));
        signal(pid, "CONT");
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(json(&text)["players"][0]["faults"], json!({}), "{sandbox:?}: {text}");
    }
}

/// A person thinks as long as it likes, and does not begin again because the referee was away.
#[test]
fn game_of_a_person_goes_on() {
    let words = ["human", "awele random", "--games", "2", "--rules", "max-plies=4", "--json"];
    for (way, answers) in ways().flat_map(|way| [(way, "0\n1\n2\n3\n4\n5\n"), (way, "")]) {
        let mut command = apart(&[&words[..], &["--seed", "1", "--db", ":memory:"]].concat());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut shown = child.stderr.take().unwrap();
        let (mut seen, mut chunk) = (String::new(), [0; 4096]);
        while !seen.contains("your move") {
            let count = shown.read(&mut chunk).unwrap();
            assert!(count > 0, "{seen}");
            seen += &String::from_utf8_lossy(&chunk[..count]);
        }
        go_away(child.id(), way);
        child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
        shown.read_to_string(&mut seen).unwrap();
        assert_eq!(seen.matches("You have seat 0").count(), 1, "{way:?}: {seen}");
        let output = child.wait_with_output().unwrap();
        let document = json(&String::from_utf8_lossy(&output.stdout));
        // A person that leaves afterwards has lost.
        let faults = if answers.is_empty() { json!({ "disconnect": 2 }) } else { json!({}) };
        assert_eq!(document["players"][0]["faults"], faults, "{way:?}: {seen}");
        assert_eq!(document["games"], 2, "{way:?}: {seen}");
    }
}

/// The fault of a bot stays its own, also if it stops its launcher or fills the machine.
#[test]
fn bot_does_not_send_the_referee_away() {
    let place = folder("no absence");
    for (name, work) in [
        ("stops its launcher", "kill -STOP $PPID; sleep 3"),
        ("stops its group", "(sleep 2; kill -CONT -- -$$) & kill -STOP 0; sleep 3"),
        ("fills the machine", "for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; sleep 3"),
    ] {
        for sandbox in [&["--no-sandbox"][..], &[]] {
            refuse_an_absence(&place, &format!("{name}, {sandbox:?}"), work, sandbox);
        }
    }
}

fn refuse_an_absence(place: &Path, what: &str, work: &str, sandbox: &[&str]) {
    // The machine of the test may stall.
    let own = Presence::start();
    let words =
        [&bot(":", work), "awele random", "--game", "awele", "--games", "2"].map(str::to_owned);
    let mut command = referee(&words.each_ref().map(String::as_str));
    command.args(["--rules", "max-plies=4", "--openings", "0", "--move-time", "1s"]);
    let output = command
        .args(["--json", "--db", ":memory:"])
        .args(sandbox)
        .current_dir(place)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let document = json(&String::from_utf8_lossy(&output.stdout));
    if own.absences() == 0 {
        assert!(!told.contains("the referee was away"), "{what}: {told}");
        assert_ne!(document["players"][0]["faults"], json!({}), "{what}: {told}");
    }
}
