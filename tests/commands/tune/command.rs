//! `referee tune`: tunes the numbers in a command by playing games.

use arbitre_test_support::command;

use command::{json, script, signal, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Script of a Taquin bot that is best with 7,2,5. It wastes a pair of moves for each unit that its
/// three numbers are away from these, and then solves one of the boards below.
const BOT: &str = r#"#!/bin/sh
away() { if [ "$1" -gt "$2" ]; then echo $(($1 - $2)); else echo $(($2 - $1)); fi; }
first=${1%%,*} rest=${1#*,}
waste=$(($(away "$first" 7) + $(away "${rest%%,*}" 2) + $(away "${rest#*,}" 5)))
while read word board; do
    case $word in
        begin) echo ready wasteful ;;
        setup) case $board in
            *"6 _ 7") there=LR end=R ;;
            *"_ 6 7") there=RL end=RR ;;
            *"_ / 6 7 5") there=LR end=D ;;
            *"_ / 3 4 2 / 6 7 5") there=LR end=DD ;;
            *"3 _ 4 / 6 7 5") there=RL end=RD ;;
            esac ;;
        go) path=; n=$waste
            while [ $n -gt 0 ]; do path=$path$there; n=$((n - 1)); done
            echo $path$end ;;
    esac
done
"#;

const BOARDS: &str = "\
0 1 2 / 3 4 5 / 6 _ 7
0 1 2 / 3 4 5 / _ 6 7
0 1 2 / 3 4 _ / 6 7 5
0 1 _ / 3 4 2 / 6 7 5
0 1 2 / 3 _ 4 / 6 7 5
";

/// Creates a folder with only the bot and the boards.
fn folder(name: &str) -> PathBuf {
    let folder = command::cleared(command::scratch().join(format!("tune {name}")));
    fs::create_dir_all(&folder).unwrap();
    script(&folder, "wasteful", BOT);
    fs::write(folder.join("boards.txt"), BOARDS).unwrap();
    folder
}

/// Arguments of a short tuning run: three instances, and two held out.
const TUNE: [&str; 14] = [
    "tune",
    "./wasteful {w}",
    "--gene=w=3x0..10",
    "--ancestor=1,9,0",
    "--game=taquin",
    "--rules=eight",
    "--openings=boards.txt",
    "--held-out=2",
    "--seed=3",
    "--no-timeout",
    "--init-time=60s",
    "--json",
    "--no-pin",
    "--concurrency=2",
];

fn referee(folder: &Path, words: &[&str]) -> Command {
    let mut command = command::referee(words);
    command.current_dir(folder);
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    referee(folder, words).output().expect("the referee can be started")
}

/// Returns the document of a tuning run that completes.
fn document(folder: &Path, words: &[&str]) -> Value {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    json(&stdout(&output))
}

fn tuned(folder: &Path, more: &[&str]) -> Value {
    document(folder, &[&TUNE[..], more].concat())
}

/// Returns the arguments of the run with `word` replaced.
fn with<'a>(word: &str, other: &'a str) -> Vec<&'a str> {
    let at = TUNE.iter().position(|known| *known == word).expect("the argument is listed");
    let mut words: Vec<&str> = TUNE.to_vec();
    words[at] = other;
    words
}

/// Returns the document without what depends on known evaluations and on time.
fn course(document: &Value) -> Value {
    let mut course = document.clone();
    for key in ["played", "known", "seconds", "db"] {
        course[key].take();
    }
    course
}

fn count(document: &Value, key: &str) -> u64 {
    document[key].as_u64().unwrap_or_else(|| panic!("{key}: {document:#}"))
}

#[test]
fn known_optimum_is_approached_in_ten_generations() {
    let document = tuned(&folder("optimum"), &[]);
    assert_eq!(document["complete"], true);
    assert_eq!(
        (&document["measure"], &document["lower_is_better"]),
        (&"score".into(), &true.into())
    );
    let generations = document["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 10);
    let candidates = |at: usize| generations[at]["candidates"].as_array().unwrap();
    // The ancestor is 18 units away, so it wastes 18 pairs of moves on boards of 1, 2 and 1 moves.
    assert_eq!(candidates(0)[0]["genome"], serde_json::json!([1, 9, 0]));
    assert_eq!(candidates(0)[0]["total"], 3.0 * 36.0 + 4.0);
    let best = |at: usize| {
        let best = generations[at]["best"].as_u64().unwrap() as usize;
        candidates(at)[best]["total"].as_f64().unwrap()
    };
    assert!((1..10).all(|at| best(at) <= best(at - 1)), "the best candidates survive");
    assert!(best(9) <= 3.0 * 4.0 + 4.0, "at most 2 units away: {}", best(9));
    let held_out = &document["held_out"];
    assert_eq!(held_out["verdict"], "better", "{held_out}");
    // Boards of 2 and 2 moves.
    assert_eq!(held_out["ancestor"]["total"], 2.0 * 36.0 + 4.0);
    let apart = held_out["winner"]["total"].as_f64().unwrap() - 76.0;
    assert_eq!(held_out["difference"], apart / 2.0);
    assert_eq!(held_out["difference_error"], 0.0);
}

#[test]
fn a_second_run_evaluates_nothing() {
    let folder = folder("again");
    let first = tuned(&folder, &[]);
    // Parents and repeated candidates are known: 12 evaluations, then at most 8 per generation.
    assert!(count(&first, "played") <= (12 + 9 * 8) * 3 + 2 * 2);
    let all = 12 * 10 * 3 + 2 * 2;
    assert_eq!(count(&first, "played") + count(&first, "known"), all);
    let second = tuned(&folder, &[]);
    assert_eq!((count(&second, "played"), count(&second, "known")), (0, all));
    assert_eq!(course(&second), course(&first));
    // Another run in the same folder knows the ancestor too.
    let words = with("--seed=3", "--seed=4");
    let more = ["--instance-seed=3", "--generations=1", "--candidates=6"];
    let other = document(&folder, &[&words[..], &more].concat());
    assert_eq!(count(&other, "played") + count(&other, "known"), 6 * 3 + 2 * 2);
    assert!(count(&other, "known") >= 3 + 2, "{other:#}");
    // A changed program counts as another program.
    script(&folder, "wasteful", &format!("{BOT}# changed\n"));
    let changed = tuned(&folder, &["--generations=1"]);
    assert_eq!(count(&changed, "known"), 0, "{changed:#}");
}

#[test]
fn run_depends_on_the_seed_only() {
    let folder = folder("seeds");
    let memory = |more: &[&str]| tuned(&folder, &[&["--db=:memory:"], more].concat());
    let one = memory(&[]);
    assert_eq!(one["db"], Value::Null);
    let words = with("--concurrency=2", "--concurrency=1");
    let alone = document(&folder, &[&words[..], &["--db=:memory:"]].concat());
    assert_eq!(course(&alone), course(&one));
    assert_eq!((&alone["played"], &alone["known"]), (&one["played"], &one["known"]));
    let words = with("--seed=3", "--seed=5");
    let other = document(&folder, &[&words[..], &["--db=:memory:"]].concat());
    assert_ne!(other["generations"], one["generations"]);
}

/// A run whose progress is read, and that is killed after its test.
struct GameTable(Child);

impl GameTable {
    fn start(folder: &Path, words: &[&str]) -> GameTable {
        let mut command = referee(folder, words);
        GameTable(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Waits for a line of progress that contains `part`.
    fn await_line(&mut self, part: &str) {
        let stderr = BufReader::new(self.0.stderr.as_mut().unwrap());
        let mut lines = stderr.lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains(part)), "{part} was never printed");
    }
}

impl Drop for GameTable {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn killed_run_resumes_with_the_same_result() {
    let folder = folder("killed");
    let whole = tuned(&folder, &["--db=whole"]);
    let words = [&TUNE[..], &["--db=killed"]].concat();
    for line in ["generation 1 of 10", "generation 4 of 10"] {
        let mut running = GameTable::start(&folder, &words);
        running.await_line(line);
        drop(running);
    }
    let resumed = document(&folder, &words);
    assert_eq!(course(&resumed), course(&whole));
    let total = |document: &Value| count(document, "played") + count(document, "known");
    assert_eq!(total(&resumed), total(&whole));
    assert!(
        count(&resumed, "played") <= count(&whole, "played") - 8 * 3,
        "four generations were stored"
    );
}

#[test]
fn interrupted_run_prints_its_results() {
    let folder = folder("interrupted");
    let words: Vec<&str> = TUNE.iter().copied().filter(|word| *word != "--json").collect();
    let mut running = GameTable::start(&folder, &words);
    running.await_line("generation 2 of 10");
    signal(running.0.id(), "INT");
    let code = running.0.wait().unwrap().code();
    assert_eq!(code, Some(130));
    let mut text = String::new();
    std::io::Read::read_to_string(running.0.stdout.as_mut().unwrap(), &mut text).unwrap();
    assert!(text.contains("ancestor: ./wasteful 1,9,0  (112 score)"), "{text}");
    assert!(text.contains("kept in .arbitre/tuning.evaluations"), "{text}");
    tuned(&folder, &[]);
}

/// The result of a candidate is that of the plain match of its command.
#[test]
fn evaluation_can_be_replayed_as_a_match() {
    let folder = folder("match");
    let found = tuned(&folder, &["--generations=1", "--candidates=6"]);
    let candidate = &found["generations"][0]["candidates"][4];
    let numbers: Vec<String> =
        candidate["genome"].as_array().unwrap().iter().map(Value::to_string).collect();
    let player = format!("./wasteful {}", numbers.join(","));
    let words = ["--openings=boards.txt", "--games=3", "--seed=3", "--no-timeout", "--json"];
    let more = ["--game=taquin", "--rules=eight", "--db=:memory:", "--init-time=60s"];
    let played = document(&folder, &[&[player.as_str()][..], &words, &more].concat());
    let solo = &played["players"][0]["solo"];
    assert_eq!(solo["total"].as_f64(), candidate["total"].as_f64(), "{solo} {candidate}");
    assert_eq!(solo["solved"], candidate["solved"]);
}

#[test]
fn two_players_are_tuned_against_a_third() {
    let folder = folder("points");
    let words = [
        "tune",
        "awele alpha-beta --depth {d}",
        "--gene=d=1..4",
        "--clamp",
        "--ancestor=1",
        "--against=awele greedy",
        "--instances=6",
        "--held-out=10",
        "--generations=2",
        "--candidates=5",
        "--parents=2",
        "--new=2",
        "--no-timeout",
        "--init-time=60s",
        "--json",
    ];
    let found = document(&folder, &words);
    assert_eq!((&found["measure"], &found["games"]), (&"points".into(), &12.into()));
    let generations = found["generations"].as_array().unwrap();
    let all = generations.iter().flat_map(|one| one["candidates"].as_array().unwrap());
    for candidate in all.clone() {
        let depth = candidate["genome"][0].as_i64().unwrap();
        assert!((1..=4).contains(&depth), "{candidate}");
        assert!(candidate["total"].as_f64().unwrap() <= 12.0);
    }
    // The plain match between the two has the same result.
    let candidate = all.clone().last().unwrap();
    let player = format!("awele alpha-beta --depth {}", candidate["genome"][0]);
    let words = ["--games=12", "--seed=1", "--no-timeout", "--json", "--db=:memory:"];
    let played = document(&folder, &[&[player.as_str(), "awele greedy"][..], &words].concat());
    assert_eq!(played["players"][0]["points"].as_f64(), candidate["total"].as_f64());
    // A deeper search does better.
    let winner = found["winner"][0].as_i64().unwrap();
    assert!(winner > 1, "{found:#}");
    let held_out = &found["held_out"];
    let apart = held_out["winner"]["total"].as_f64().unwrap()
        - held_out["ancestor"]["total"].as_f64().unwrap();
    assert!((held_out["difference"].as_f64().unwrap() - apart / 10.0).abs() < 1e-3, "{held_out}");
}

#[test]
fn tuning_fills_a_table_of_three() {
    let folder = folder("three");
    let words = [
        "tune",
        "tron fixed --depth {d}",
        "--gene=d=1..2",
        "--clamp",
        "--against=tron wall-hugger",
        "--against=tron random",
        "--rules=size=9x7",
        "--instances=2",
        "--generations=1",
        "--candidates=2",
        "--parents=2",
        "--new=0",
        "--no-timeout",
        "--init-time=60s",
        "--json",
    ];
    let found = document(&folder, &words);
    assert_eq!((count(&found, "games"), count(&found, "played")), (6, 12 - count(&found, "known")));
    let total = found["generations"][0]["candidates"][0]["total"].as_f64().unwrap();
    assert!((0.0..=6.0).contains(&total), "points of whole tables: {total}");
}

#[test]
fn run_is_shown_as_a_table_and_a_plot() {
    let folder = folder("picture");
    let words: Vec<&str> = TUNE.iter().copied().filter(|word| *word != "--json").collect();
    let output = run(&folder, &[&words[..], &["--generations=3", "--svg=course.svg"]].concat());
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.starts_with("12 candidates x 3 generations x 3 instances, seed 3\n"), "{text}");
    for part in ["generation", "winner: ./wasteful ", "held out, 2 instances: winner"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let rows = text.lines().filter(|line| {
        line.split_whitespace().next().is_some_and(|word| ["1", "2", "3"].contains(&word))
    });
    assert_eq!(rows.count(), 3, "{text}");
    let picture = fs::read_to_string(folder.join("course.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    // One dot per candidate, and one per origin in the legend.
    assert_eq!(picture.matches("<circle ").count(), 3 * 12 + 4);
    assert!(picture.contains("./wasteful {w}</text>"));
}

#[test]
fn bad_input_gets_one_clear_line_and_its_code() {
    let folder = folder("bad input");
    script(&folder, "mute", "#!/bin/sh\nexit 7\n");
    fs::write(folder.join("foreign"), "no database").unwrap();
    let play = ["--games=2", "--db=match.db", "--depth=1", "awele greedy", "awele random"];
    assert!(run(&folder, &play).status.success());
    let taquin = "taquin ida-star --nodes {n}";
    let cases: &[(&[&str], i32, &str)] = &[
        (&["taquin"], 2, "expected a range such as w=6x0..10"),
        (&["taquin", "--gene=w=1..2"], 2, "gene w: expected {w} in the command"),
        (&[taquin, "--gene=n=2..1"], 2, "expected the lower end first"),
        (&[taquin, "--gene=n=1..9", "--ancestor=1,2"], 2, "expected 1 whole number"),
        (&[taquin, "--gene=n=1..9", "--parents=11"], 2, "got 11 and 2"),
        (&[taquin, "--gene=n=1..9", "--mutation=2"], 2, "from 0 to 1"),
        (&[taquin, "--gene=n=0..9", "--ancestor=0"], 2, "--nodes 0: --nodes: expected"),
        (&[taquin, "--gene=n=1..9", "--against=taquin"], 2, "expected no --against in a solo game"),
        (&["awele --depth {d}", "--gene=d=1..4"], 2, "help: name opponents with --against"),
        (&["awele --depth {d}", "--gene=d=1..4", "--against=human"], 2, "a person"),
        (
            &["awele --depth {d}", "--gene=d=1..4", "--against=awele", "--against=awele"],
            2,
            "awele: expected 2 seats",
        ),
        (&["./bot {d}", "--gene=d=1..4"], 2, "--game: expected"),
        (&["./bot {d}", "--gene=d=1..4", "--game=taquin"], 3, "expected a program, got './bot'"),
        (&["./mute {d}", "--gene=d=1..4", "--game=taquin"], 3, "./mute 2 could not be started"),
        (
            &[taquin, "--gene=n=1..9", "--openings=boards.txt", "--rules=eight", "--instances=6"],
            2,
            "expected at most 5",
        ),
        (&[taquin, "--gene=n=1..9", "--problems=nowhere"], 6, "nowhere"),
        (&[taquin, "--gene=n=1..9", "--db=foreign"], 4, "expected a database of Arbitre"),
        (&[taquin, "--gene=n=1..9", "--db=match.db"], 4, "it holds a match"),
        (&[taquin, "--gene=n=1..9", "--svg=no/such/course.svg"], 6, "no/such/course.svg"),
    ];
    for (words, code, part) in cases {
        let output = run(&folder, &[&["tune"], *words].concat());
        let said = stderr(&output);
        let error = said.find("error: ").map_or("", |at| &said[at..]);
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {said}");
        assert!(error.contains(part), "{words:?}: {said}");
        assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1);
    }
    // Conversely, a file of evaluations is not a match file.
    let tuned = ["tune", taquin, "--gene=n=1..9", "--rules=eight", "--db=tuned", "--instances=1"];
    let small = ["--generations=1", "--candidates=2", "--parents=2", "--new=0"];
    assert!(run(&folder, &[&tuned[..], &small].concat()).status.success());
    let shown = run(&folder, &["show", "0", "--db", "tuned"]);
    assert_eq!(shown.status.code(), Some(4));
    assert!(stderr(&shown).contains("it holds evaluations of tunings"), "{}", stderr(&shown));
}
