//! `referee check` reports each mistake of a bot once, and none of a correct bot.

use arbitre_test_support::command;

use command::{json, run, script, stderr, stdout, SHELL_BOT};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

/// Limits well above a move on a loaded machine. They are no longer, because a slow bot takes all
/// of them.
const TIMES: [&str; 6] =
    ["--first-move-time", "800ms", "--move-time", "800ms", "--margin", "400ms"];

/// Broken bots: the file, the failed check, and parts of the report.
const BROKEN: [(&str, &str, &[&str]); 12] = [
    ("no_flush.py", "flush", &["waited in a buffer", "print(..., flush=True)"]),
    ("from_one.py", "legal", &["counted from 0", "position: "]),
    (
        "board_too.py",
        "output",
        &["asked for a move it sent", "4 4 4 4 4 4", "standard error (in Python"],
    ),
    (
        "starves.py",
        "legal",
        &["it does not know this rule", "leaves the opponent no seed", "legal moves: "],
    ),
    ("deaf.py", "moved", &["whatever the others play", "'moved SEAT MOVE'"]),
    (
        "second_game.py",
        "again",
        &["in game 2 of one process", "reset everything at the line 'game'", "is already full"],
    ),
    (
        "slow_start.py",
        "first-move",
        &["its first move took", "may take 800ms", "before you say 'ready'"],
    ),
    ("one_line_more.py", "answers", &["another line was sent", "one line too many"]),
    ("no_end.py", "end", &["still ran", "end of the input"]),
    ("fixed_lines.py", "unknown", &["weather fine 17", "ignore lines"]),
    ("no_newline.py", "answers", &["without ending the line", "newline"]),
    ("online.py", "sandbox", &["socket, which its sandbox refused", "needs no network"]),
];

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: no bot in Python was checked, as there is no python3");
    }
    found
}

/// Returns the command of a bot of this test.
fn bot(file: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/referee/check_bots").join(file);
    // With -B Python writes no bytecode beside the bots.
    format!("python3 -B '{}'", path.display())
}

fn check(command: &str, more: &[&str]) -> Output {
    let words = ["check", command, "--game", "awele"];
    run(&[&words[..], more].concat())
}

fn failed(document: &Value) -> Vec<&str> {
    let checks = document["checks"].as_array().expect("a list of checks");
    let failed = checks.iter().filter(|check| check["verdict"] == "failed");
    failed.map(|check| check["check"].as_str().expect("a name")).collect()
}

fn checked(command: &str, more: &[&str]) -> (Value, Option<i32>) {
    let output = check(command, &[&TIMES[..], &["--json"], more].concat());
    (json(&stdout(&output)), output.status.code())
}

#[test]
fn each_mistake_is_named_once() {
    if !has_python() {
        return;
    }
    thread::scope(|scope| {
        // Most of the time is spent waiting.
        for part in BROKEN.chunks(BROKEN.len().div_ceil(4)) {
            scope.spawn(move || {
                part.iter().for_each(|(file, name, said)| is_named(file, name, said))
            });
        }
    });
}

/// Bots with a mistake whose cause a replay or a measurement shows: the file, more options, the
/// failed check, a part of the advice, and a part of a wrong cause.
const CAUSES: [(&str, &[&str], &str, &str, &str); 5] = [
    (
        "off_the_grid.py",
        &["--game", "tron", "--dialect", "codingame"],
        "legal",
        "it leaves the grid",
        "all lines",
    ),
    (
        "no_starts.py",
        &["--game", "tron", "--dialect", "codingame"],
        "legal",
        "mark the first cell of each trail",
        "this rule",
    ),
    (
        "near_limit.py",
        &["--game", "awele", "--dialect", "codingame", "--no-sandbox"],
        "time",
        "its move took 2.",
        "files",
    ),
    ("endless.py", &["--game", "awele"], "answers", "s meanwhile: end the search", "this line"),
    (
        "no_answer.py",
        &["--game", "awele"],
        "answers",
        "it computed nothing meanwhile",
        "without end",
    ),
];

#[test]
fn cause_is_found_or_not_named() {
    if !has_python() {
        return;
    }
    let folder = command::cleared(command::folder("check causes"));
    std::fs::create_dir_all(&folder).unwrap();
    let counter = folder.join("games");
    thread::scope(|scope| {
        for (file, more, name, part, wrong) in CAUSES {
            let mut command = bot(file);
            if file == "near_limit.py" {
                command += &format!(" '{}'", counter.display());
            }
            scope.spawn(move || {
                let words = [&["check", &command, "--games", "4", "--json"], more, &TIMES].concat();
                let document = json(&stdout(&run(&words)));
                assert_eq!(failed(&document), [name], "{file}: {document:#}");
                let checks = document["checks"].as_array().unwrap();
                let found = checks.iter().find(|check| check["check"] == name).unwrap();
                let advice = found["mend"].to_string();
                assert!(advice.contains(part) && !advice.contains(wrong), "{file}: {advice}");
            });
        }
    });
}

fn is_named(file: &str, name: &str, said: &[&str]) {
    // A wrong rule matters in some games only: in the first ones of this seed.
    let (document, code) = checked(&bot(file), &["--games", "8", "--seed", "4"]);
    assert_eq!((failed(&document), code), (vec![name], Some(1)), "{file}: {document:#}");
    let checks = document["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["check"] == name).unwrap();
    let advice = found["mend"].to_string();
    said.iter().for_each(|part| assert!(advice.contains(part), "{file}: {part}: {advice}"));
}

/// The students' page quotes the report of each mistake.
#[test]
fn students_page_quotes_the_reports() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/students.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `")).collect::<Vec<_>>();
    for (file, name, said) in &BROKEN[..8] {
        let is_of_it = |row: &&&str| row.contains(&format!("`{name}`")) && row.contains(said[0]);
        assert!(rows.iter().any(|row| is_of_it(&row)), "{file}: {name}: {}", said[0]);
    }
}

#[test]
fn shell_bot_gets_the_same_report() {
    let text = format!("{SHELL_BOT}echo 'nobody asks' >&2\nexit 3\n");
    let bare = script(&command::folder("check shell"), "bare.sh", &text);
    let (document, code) = checked(&format!("sh '{}'", bare.display()), &["--games", "4"]);
    assert_eq!((failed(&document), code), (vec!["end"], Some(1)), "{document:#}");
    assert!(document.to_string().contains("standard error: nobody asks"), "{document:#}");
}

#[test]
fn correct_bot_passes_every_check() {
    if !has_python() {
        return;
    }
    let (document, code) = checked(&bot("good.py"), &["--games", "10"]);
    assert_eq!((failed(&document), code), (vec![], Some(0)), "{document:#}");
    let checks = document["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["verdict"] == "ok"), "{document:#}");
}

/// Each of several players has the report that it has alone; one that does not start hides none.
#[test]
fn several_players_get_a_report_each() {
    let folder = command::folder("check several");
    let bad = script(&folder, "bad.sh", &format!("{SHELL_BOT}exit 3\n"));
    let bad = format!("sh '{}'", bad.display());
    let (good, none) = ("awele greedy", "./no/such/bot");
    let checked = |players: &[&str], more: &[&str]| {
        let common = ["check", "--game", "awele", "--games", "2", "--move-time", "20s"];
        let output = run(&[&common[..], players, more].concat());
        (stdout(&output), output.status.code())
    };
    let all = [good, &bad, none];
    let (text, code) = checked(&all, &[]);
    assert_eq!(code, Some(1), "{text}");
    let (reports, table) = text.rsplit_once("\n\n").expect("a table after the reports");
    let rows: Vec<Vec<&str>> =
        table.lines().map(|row| row.split_whitespace().take(4).collect()).collect();
    assert_eq!(rows[0], ["player", "verdict", "to", "fix"], "{table}");
    assert_eq!(rows[1][..4], ["awele", "greedy", "ok", "-"], "{table}");
    assert_eq!(rows[2][..3], ["bad", "FAILED", "end"], "{table}");
    assert_eq!(rows[3], ["bot", "not", "started", "start"], "{table}");
    assert!(reports.contains("could not be started\nerror: expected a program"), "{reports}");

    // Only times differ between two checks of the same player.
    let shape = |text: &str| -> Vec<String> {
        let line = |line: &str| line.split(':').next().unwrap().to_owned();
        text.lines().filter(|line| !line.is_empty()).map(line).collect()
    };
    let single: Vec<String> =
        [good, &bad].iter().flat_map(|one| shape(&checked(&[*one], &[]).0)).collect();
    let several = shape(reports);
    assert_eq!(several[..single.len()], single);

    let (documents, code) = checked(&all, &["--json"]);
    let documents: Vec<Value> = documents.lines().map(json).collect();
    let verdicts: Vec<&Value> = documents.iter().map(|document| &document["ok"]).collect();
    assert_eq!((verdicts, code), (vec![&true.into(), &false.into(), &false.into()], Some(1)));
    assert_eq!(failed(&documents[1]), ["end"]);
    assert!(
        documents[2]["error"].as_str().unwrap().contains("there is no folder"),
        "{documents:?}"
    );

    let (xml, _) = checked(&all, &["--junit"]);
    assert_eq!((well_formed(&xml), xml.matches("<testsuite ").count()), (Ok(27), 3), "{xml}");
    assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{xml}");

    assert_eq!(checked(&[good, "awele random"], &[]).1, Some(0));
    let (text, _) = checked(&[good, good], &["--json"]);
    let names: Vec<Value> = text.lines().map(|line| json(line)["player"].clone()).collect();
    assert_eq!(names, ["awele greedy", "awele greedy-2"]);
}

/// Checks all strategies of a bundled bot in one command.
fn every_strategy_passes(game: &str) {
    let bot = arbitre::bots::BOTS.iter().find(|bot| bot.name == game).expect("there is a bot");
    let commands = bot.strategies.iter().map(|(strategy, _)| format!("{game} {strategy}"));
    let commands: Vec<String> = commands.collect();
    // A beam of depth 2 takes seconds.
    let limit = if game == "hextris" { ["--nodes", "1000"] } else { ["--depth", "2"] };
    let mut words = [&["check", "--games", "4", "--json"], &limit[..]].concat();
    words.extend(commands.iter().map(String::as_str));
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output).lines().count(), commands.len());
}

macro_rules! bundled_bots {
    ($($test:ident $game:literal)*) => {
        $(#[test] fn $test() { every_strategy_passes($game); })*

        #[test]
        fn no_bundled_bot_is_forgotten() {
            let names: Vec<&str> = arbitre::bots::BOTS.iter().map(|bot| bot.name).collect();
            assert_eq!(names, [$($game),*]);
        }
    };
}

// A test each, as the longest test would otherwise run alone at the end.
bundled_bots! {
    bots_of_awele_pass_every_check "awele"
    bots_of_tron_pass_every_check "tron"
    bots_of_seven_colors_pass_every_check "seven-colors"
    bots_of_taquin_pass_every_check "taquin"
    bots_of_hextris_pass_every_check "hextris"
}

/// These dialects have no `ready` and no unknown messages.
#[test]
fn bots_in_other_dialects_are_checked() {
    for dialect in ["relay", "codingame"] {
        let words = ["--dialect", dialect, "--games", "4", "--json"];
        let output = check("awele random", &words);
        let document = json(&stdout(&output));
        assert_eq!(output.status.code(), Some(0), "{dialect}: {document:#}");
        assert_eq!(document["checks"][9]["verdict"], "skipped", "{dialect}: {document:#}");
    }
}

#[test]
fn text_report_names_the_mistake_and_its_fix() {
    let folder = command::folder("check text");
    let loud = script(
        &folder,
        "loud.sh",
        "#!/bin/sh\necho 'hello & <welcome>'; echo ready loud\ncat >/dev/null\n",
    );
    let command = format!("'{}'", loud.display());
    let output = check(&command, &[]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["FAILED   ", "to fix: output", "'hello & <welcome>", "in a shell: echo ... >&2"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (xml, document) =
        (stdout(&check(&command, &["--junit"])), json(&stdout(&check(&command, &["--json"]))));
    assert_eq!(document["ok"], false);
    assert!(xml.contains("hello &amp; &lt;welcome&gt;"), "{xml}");
    assert_eq!(well_formed(&xml), Ok(13), "{xml}");
    assert!(xml.contains("tests=\"13\" failures=\"1\" errors=\"0\""), "{xml}");
}

/// Parser for XML with only tags, attributes and a few entities. Returns the number of test cases.
fn well_formed(xml: &str) -> Result<usize, String> {
    let (mut open, mut cases) = (Vec::new(), 0);
    let body = xml.split_once("?>").ok_or("no declaration")?.1;
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').ok_or(format!("a tag is not closed: {piece}"))?;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("{opened:?} is closed by {name}"));
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        cases += usize::from(tag.starts_with("testcase "));
        if tag.matches('"').count() % 2 != 0 {
            return Err(format!("a quote is not closed: {tag}"));
        }
        for (at, _) in piece.match_indices('&') {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#10;"];
            if !known.iter().any(|entity| piece[at..].starts_with(entity)) {
                return Err(format!("a bare ampersand: {text}"));
            }
        }
    }
    if open.is_empty() {
        Ok(cases)
    } else {
        Err(format!("{open:?} are not closed"))
    }
}

#[test]
fn players_that_cannot_start_are_not_checked() {
    let folder = command::folder("check none");
    let bad = script(&folder, "bad", "#!/no/such/interpreter\n");
    let bad = format!("'{}'", bad.display());
    for (command, code, part) in [
        ("./no/such/bot", 3, "there is no folder"),
        (bad.as_str(), 3, "interpreter in its first line does not exist"),
        ("human", 2, "expected a program, got a person"),
    ] {
        let output = check(command, &[]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}
