//! The commands `score`, `solve-all` and `contest` of `hextris`, run as programs.

use super::command;
use arbitre::games::hextris::Phrases;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Problem with a board of 5x3 and three seeds, two of which are equal.
const PROBLEM: &str = "{\"id\":3,\"width\":5,\"height\":3,\"filled\":[],\"units\":[{\"members\":\
    [{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],\"sourceLength\":2,\"sourceSeeds\":[0,7,0]}";

fn hextris(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_hextris");
    Command::new(program).args(words).current_dir(folder).output().expect("the program starts")
}

/// Returns the output of a run that succeeds.
fn told(folder: &Path, words: &[&str]) -> String {
    let output = hextris(folder, words);
    assert!(output.status.success(), "{}", command::stderr(&output));
    command::stdout(&output)
}

/// Returns the exit code and the error message of a run that fails.
fn refused(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = hextris(folder, words);
    assert_eq!(command::stdout(&output), "", "{words:?}");
    (output.status.code(), command::stderr(&output))
}

/// Creates a folder with the problem in `problems`, and nothing else.
fn scene(name: &str) -> PathBuf {
    let folder = command::cleared(command::folder(name));
    fs::create_dir_all(folder.join("problems")).unwrap();
    fs::write(folder.join("problems/three.json"), PROBLEM).unwrap();
    folder
}

fn solution(seed: u32, text: &str) -> String {
    format!("{{\"problemId\":3,\"seed\":{seed},\"solution\":\"{text}\"}}")
}

#[test]
fn solutions_are_scored_with_the_reason_of_a_zero() {
    let folder = scene("score");
    let solutions = format!("[{},{}]", solution(0, "ei!"), solution(7, "\\npe"));
    fs::write(folder.join("solutions.json"), solutions).unwrap();
    let words = ["score", "problems/three.json", "solutions.json"];
    let expected =
        "problem 3 seed 0: 306, 0 for units and rows and 306 for phrases, mid-game, 3 commands, \
        0 units, 0 rows, 1 x ei!\n\
        problem 3 seed 7: 0, repeat: character 2, 'e': the unit was there before\n\
        problem 3: 102 as the mean of 3 seeds\n";
    assert_eq!(told(&folder, &words), expected);
    let documents = told(&folder, &[&words[..], &["--json"]].concat());
    let expected = "{\"problem\":3,\"seed\":0,\"score\":306,\"move_score\":0,\"power_score\":306,\
        \"phrases\":{\"ei!\":1},\"status\":\"mid-game\"}\n\
        {\"problem\":3,\"seed\":7,\"score\":0,\"move_score\":0,\"power_score\":0,\"phrases\":{},\
        \"status\":\"repeat\",\"index\":2,\"character\":\"e\"}\n";
    assert_eq!(documents, expected);
    let others = told(&folder, &[&words[..], &["-p", "i!", "-p", "IA"]].concat());
    assert!(others.starts_with("problem 3 seed 0: 304, "), "{others}");
    let more = told(&folder, &[&words[..], &["-p", "i!", "--official"]].concat());
    assert!(more.starts_with("problem 3 seed 0: 610, "), "{more}");
    let (code, why) = refused(&folder, &["score", "solutions.json"]);
    assert!(code == Some(2) && why.contains("then one of solutions"), "{why}");
    fs::write(folder.join("other.json"), PROBLEM.replace("\"id\":3", "\"id\":4")).unwrap();
    let output = hextris(&folder, &["score", "other.json", "solutions.json"]);
    let why = command::stderr(&output);
    assert_eq!(output.status.code(), Some(6));
    assert!(why.contains("solutions.json: [0]: problem 3 is in none of the files"), "{why}");
    assert!(why.ends_with("error: expected 2 valid solutions, got 0\n"), "{why}");
}

/// A file or solution that is malformed is named, and does not affect the others.
#[test]
fn malformed_problem_is_left_out() {
    let folder = scene("malformed");
    fs::write(folder.join("problems/bad.json"), "{\"id\":9}").unwrap();
    fs::write(folder.join("problems/bytes.json"), b"\xff").unwrap();
    let solutions = format!("[{},{{\"seed\":0}}]", solution(0, "ei!"));
    fs::write(folder.join("solutions.json"), solutions).unwrap();
    let score = "score problems/bad.json problems/three.json solutions.json";
    let contest = "contest -f problems/bytes.json -f problems/three.json -t 1";
    let cases = [
        (
            score,
            "problem 3 seed 0: 306",
            "problems/bad.json: the problem: expected",
            "2 valid problems",
        ),
        (
            "solve-all problems --nodes 200",
            "\n      3 ",
            "problems/bytes.json: it is not UTF-8",
            "3 valid problems",
        ),
        (contest, "\"problemId\":3", "problems/bytes.json: it is not UTF-8", "2 valid problems"),
    ];
    for (line, part, warning, count) in cases {
        let output = hextris(&folder, &line.split(' ').collect::<Vec<_>>());
        let (said, why) = (command::stdout(&output), command::stderr(&output));
        assert_eq!(output.status.code(), Some(6), "{line}: {why}");
        assert!(said.contains(part), "{line}: {said}");
        assert!(why.contains(&format!("warning: {warning}")), "{line}: {why}");
        assert!(why.contains(&format!("error: expected {count}, got 1\n")), "{line}: {why}");
    }
    let said = command::stderr(&hextris(&folder, &score.split(' ').collect::<Vec<_>>()));
    assert!(said.contains("solutions.json: [1]: expected an object with \"problemId\""), "{said}");
}

#[test]
fn program_of_the_contest_has_its_own_help() {
    let program = env!("CARGO_BIN_EXE_play_icfp2015");
    for word in ["--help", "-h"] {
        let output = Command::new(program).arg(word).output().unwrap();
        let help = command::stdout(&output);
        assert!(output.status.success() && help.starts_with("Usage: play_icfp2015 "), "{help}");
        for option in ["-f FILE", "-p PHRASE", "-t SECONDS", "-m MEGABYTES", "-c CORES"] {
            assert!(help.contains(option), "{help}");
        }
    }
}

/// Returns the cells of a table's row.
fn row<'t>(table: &'t str, first: &str) -> Vec<&'t str> {
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.into_iter().find(|cells| cells.first() == Some(&first)).expect("the table has the row")
}

#[test]
fn folder_is_solved_and_resumed() {
    let folder = scene("solve-all");
    fs::write(folder.join("best.csv"), "problem,teams,best_any_avg\n3,1,204\n8,2,\n").unwrap();
    let words = "solve-all problems --nodes 5000 -p ei! --output out --best best.csv";
    let words: Vec<&str> = words.split(' ').collect();
    let table = told(&folder, &words);
    // Each of the two games has the phrase and two units; one of three seeds is listed twice.
    let average: u64 = row(&table, "3")[2].parse().unwrap();
    assert!(average >= 2 * 308 / 3, "{table}");
    let known = row(&table, "3");
    assert_eq!((known[1], known[3], row(&table, "sum")[2]), ("3", "204", "204"), "{table}");
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 2);
    // Kept solutions are not played again.
    let keep = |seed: u32, text: &str| {
        let file = folder.join(format!("out/3_{seed}.json"));
        fs::write(file, format!("[{}]", solution(seed, text))).unwrap();
    };
    keep(0, "");
    keep(7, "ei!");
    let again = [&words[..], &["--resume"]].concat();
    let table = told(&folder, &again);
    assert_eq!(row(&table, "3"), ["3", "3", "102", "204", "50.0"]);
    let table = told(&folder, &[&again[..], &["--seeds", "1"]].concat());
    assert_eq!(row(&table, "3")[1..3], ["1/3", "0"], "{table}");
    let (code, why) = {
        keep(0, "\"");
        let output = hextris(&folder, &again);
        (output.status.code(), command::stderr(&output))
    };
    assert!(code == Some(6) && why.contains("3_0.json"), "{why}");
}

/// Games for which no time remains are played without a search.
#[test]
fn games_without_time_drop_all_units() {
    let folder = scene("no-time");
    let solutions =
        told(&folder, &["contest", "-f", "problems/three.json", "-t", "0.1", "-p", "ei!"]);
    fs::write(folder.join("solutions.json"), solutions).unwrap();
    let scores = told(&folder, &["score", "problems/three.json", "solutions.json"]);
    let is_whole = |line: &str| line.contains(": 2, 2 for units") && line.contains("source-empty");
    assert!(scores.lines().take(2).all(is_whole), "{scores}");
}

#[test]
fn official_phrases_need_not_be_named() {
    let folder = scene("official");
    let words = ["contest", "taupe", "-f", "problems/three.json"];
    let phrases = Phrases::official();
    let named = phrases.texts().iter().flat_map(|text| ["-p", text]);
    let named: Vec<&str> = words.into_iter().chain(named).collect();
    let answer = told(&folder, &[&words[..], &["--official"]].concat());
    assert_eq!(answer, told(&folder, &named));
    assert_ne!(answer, told(&folder, &words));
}

#[test]
fn invalid_arguments_are_refused() {
    let folder = scene("orders");
    fs::create_dir_all(folder.join("empty")).unwrap();
    let cases: [(&[&str], i32, &str); 6] = [
        (&["solve-all", "problems", "--resume"], 2, "expected --output DIR beside --resume"),
        (&["solve-all"], 2, "expected a folder of problems"),
        (&["solve-all", "empty"], 6, "expected problems in empty"),
        (
            &["solve-all", "problems", "-t", "soon"],
            2,
            "-t: expected a number of seconds, got 'soon'",
        ),
        (
            &["contest", "-f", "problems/three.json", "-m", "0"],
            2,
            "-m: expected a number from 1, got '0'",
        ),
        (&["contest", "-t", "1"], 2, "expected -f FILE for each problem"),
    ];
    for (words, code, why) in cases {
        let (found, said) = refused(&folder, words);
        assert!(found == Some(code) && said.contains(why), "{words:?}: {said}");
    }
}
