//! Clocks of bundled bots: beside busy processes, and with several threads.

use arbitre::bots::BOTS;
use arbitre::console::{BundledBot, Console};
use arbitre_test_support::command::{folder, program};
use rustix::process::Pid;
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// Limit of each move, in milliseconds. Not tuned.
const LIMIT: u64 = 200;
/// Number of moves played. Not tuned.
const MOVES: usize = 3;
/// Number of busy threads on the processor of the bot.
const BUSY: usize = 3;

/// Returns one processor that this process may use.
fn one_processor() -> CpuSet {
    let allowed = sched_getaffinity(None).expect("the system tells the processors");
    let first = (0..CpuSet::MAX_CPU).find(|&number| allowed.is_set(number));
    let mut one = CpuSet::new();
    one.set(first.expect("a processor is allowed"));
    one
}

/// Runs `work` beside busy threads on `processor`.
fn beside_busy_threads<T>(processor: &CpuSet, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..BUSY {
            scope.spawn(|| {
                sched_setaffinity(None, processor).expect("this processor is allowed");
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

/// Returns the CPU time of a waiting process in milliseconds.
fn cpu_time(bot: &Child) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/schedstat", bot.id())).expect("statistics");
    let nanoseconds: u64 = text.split(' ').next().unwrap().parse().expect("a number");
    nanoseconds / 1_000_000
}

/// Plays the first moves of a game on `processor`. Returns the mean CPU time of a move in
/// milliseconds, and the nodes of all moves.
fn played(kind: &str, processor: &CpuSet) -> (u64, u64) {
    let mut command = Command::new(program("tron"));
    command.arg("breadth").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bot = command.spawn().expect("the bot can be started");
    let pid = Pid::from_raw(bot.id().cast_signed());
    sched_setaffinity(pid, processor).expect("this processor is allowed");
    let (mut input, output) = (bot.stdin.take().unwrap(), bot.stdout.take().unwrap());
    let mut answers = BufReader::new(output).lines().map(|line| line.expect("a line of text"));
    let mut ask = |text: &str| {
        input.write_all(text.as_bytes()).expect("the bot reads its input");
        answers.next().expect("the bot answers")
    };
    let header = "game tron\nseats 2 you 0\nsetup start 0 5 5\nsetup start 1 25 15\n";
    ask(&format!("{header}clock {kind} first {LIMIT} move {LIMIT}\nbegin\n"));
    let (before, mut nodes) = (cpu_time(&bot), 0);
    for number in 0..MOVES {
        let news = if number > 0 { "moved 1 LEFT\n" } else { "" };
        let answer = ask(&format!("{news}go {LIMIT}\n"));
        let mut words = answer.split(' ').skip_while(|word| *word != "nodes");
        nodes += words.nth(1).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    }
    let spent = (cpu_time(&bot) - before) / MOVES as u64;
    drop(input);
    bot.wait().expect("the bot ends");
    (spent, nodes)
}

/// `tron breadth` searches for 70 % of its time. Beside busy threads on its processor it has that
/// CPU time under `fair` and `cpu`, and a part of it under `wall`.
#[test]
fn busy_neighbours_take_no_time_of_a_search_unless_the_clock_is_wall() {
    if !Path::new("/proc/self/schedstat").exists() {
        eprintln!("SKIPPED: this system does not tell the CPU time of a process");
        return;
    }
    let processor = one_processor();
    let (idle, nodes) = played("fair", &processor);
    println!("fair, alone: {idle} ms of CPU per move, {nodes} nodes");
    let mut spent = |kind: &str| {
        let (spent, nodes) = beside_busy_threads(&processor, || played(kind, &processor));
        println!("{kind}, beside {BUSY} busy threads: {spent} ms of CPU per move, {nodes} nodes");
        spent
    };
    let [fair, cpu, wall] = ["fair", "cpu", "wall"].map(&mut spent);
    for by_cpu in [fair, cpu] {
        assert!((LIMIT / 2..=LIMIT).contains(&by_cpu), "{by_cpu} ms of {LIMIT}");
    }
    // A share of the processor like that of each busy thread is a quarter.
    assert!(wall < fair * 3 / 4, "{wall} ms of CPU under wall, {fair} ms under fair");
}

/// Returns the first block of an exchange on a page of the documentation, up to the first request
/// for a move, with another clock.
fn first_turn(page: &str, clock: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    let exchange = text.split("```exchange arbitre\n").nth(1).expect("an exchange");
    let mut turn = String::new();
    for line in exchange.lines().filter(|line| !line.starts_with('<')) {
        match line.split(' ').next() {
            Some("clock") => turn += &format!("clock {clock}\n"),
            Some("go") => return turn + "go\n",
            _ => turn += &format!("{line}\n"),
        }
    }
    panic!("{page}: no request for a move");
}

fn console(bot: &dyn BundledBot, words: &[&str]) -> Box<dyn Console> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    bot.console(&words).expect("these options are valid")
}

/// Returns the answers of a bot to these lines.
fn said(bot: &dyn BundledBot, words: &[&str], lines: &str) -> String {
    let (mut console, mut out) = (console(bot, words), String::new());
    console.start(&mut out);
    lines.lines().for_each(|line| console.hear(line, &mut out).expect("a valid line"));
    out
}

const PAGES: [(&str, &str); 5] = [
    ("awele", "docs/protocol.md"),
    ("tron", "docs/tron.md"),
    ("seven-colors", "docs/seven-colors.md"),
    ("taquin", "docs/taquin.md"),
    ("hextris", "docs/hextris.md"),
];

/// Engines search in one thread. Several threads change nothing in their answers.
#[test]
fn every_bot_accepts_threads() {
    for bot in BOTS {
        let page = PAGES.iter().find(|(name, _)| *name == bot.name).expect("a page").1;
        for (strategy, _) in bot.strategies {
            let answer = |clock: &str| said(bot, &[strategy], &first_turn(page, clock));
            let one = answer("nodes 300");
            assert_eq!(one.lines().count(), 2, "{} {strategy}: {one}", bot.name);
            assert_eq!(answer("nodes 300 threads 4"), one, "{} {strategy}", bot.name);
        }
    }
}

/// In the contest's dialect, limits come on the command line only. `--clock` is more exact than
/// `-t`, and a clock of nodes gives the answer of the dialect `arbitre`.
#[test]
fn contest_dialect_obeys_the_clock_option() {
    let bot = BOTS.iter().find(|bot| bot.name == "hextris").expect("a bot");
    let cells = "[{\"x\":0,\"y\":0},{\"x\":1,\"y\":0},{\"x\":1,\"y\":1}]";
    let problem = format!(
        "{{\"id\":3,\"width\":8,\"height\":12,\"filled\":[],\"units\":[{{\"members\":{cells},\
         \"pivot\":{{\"x\":0,\"y\":0}}}}],\"sourceLength\":40,\"sourceSeeds\":[0]}}"
    );
    let file = folder("clock of a contest").join("problem.json");
    fs::write(&file, &problem).unwrap();
    let contest = |limits: &[&str]| {
        let words = ["-f", file.to_str().unwrap(), "--official", "--dialect", "icfp2015"];
        let out = said(bot, &[&words, limits].concat(), "");
        let document: serde_json::Value = serde_json::from_str(&out).expect("a document");
        document[0]["solution"].as_str().expect("a solution").to_owned()
    };
    let arbitre = |clock: &str| {
        let header = "game hextris\nseats 1 you 0";
        let setup = format!("setup problem {problem}\nsetup seed 0");
        let out = said(bot, &[], &format!("{header}\nclock {clock}\n{setup}\nbegin\ngo\n"));
        let answer = out.lines().last().expect("an answer");
        answer.split(" # ").next().expect("a path").to_owned()
    };
    let few = contest(&["--clock", "nodes 50"]);
    assert_eq!(few, arbitre("nodes 50"));
    let many = contest(&["--clock", "nodes 3000"]);
    assert_ne!(few, many, "the nodes make no difference");
    assert_eq!(contest(&["--clock", "nodes 50", "--nodes", "3000"]), many);
    // The whole seconds of `-t` would allow much more.
    let begun = std::time::Instant::now();
    contest(&["-t", "600", "--clock", "wall first 100 move 100"]);
    assert!(begun.elapsed().as_secs() < 300, "{:?}", begun.elapsed());
}
