//! The recipe of the page on tournaments: a class from Moodle's zip files to standings and marks.

use crate::house::readme::{new_folder, page};
use arbitre_test_support::class::{has_mistake, write, FAULTY, MENDED, NOT_STARTED, STUDENTS};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const HEADING: &str = "\n## 25 students, four seats, one hour\n";
/// Texts of the page, each with one that takes less time: fewer games on small boards.
const QUICK: [(&str, &str); 5] = [
    ("check week1.zip", "check week1.zip --games 2"),
    ("--game tron --seats", "--game tron --rules size=12x9 --seats"),
    ("--games-per-player 32", "--games-per-player 16"),
    ("games = 40", "rules = \"size=12x9\"\ngames = 4"),
    ("--max-time 45min", "--max-time 45min --move-time 300ms --first-move-time 300ms"),
];

/// Returns the blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

/// Returns the cells of a CSV file for Excel with French settings, by name of the player.
fn rows(csv: &Path) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(csv).unwrap();
    let lines = text.strip_prefix('\u{feff}').expect("a byte order mark").lines().skip(1);
    let cells = lines.map(|line| line.split(';').map(str::to_owned).collect::<Vec<_>>());
    cells.map(|cells| (cells[1].clone(), cells)).collect()
}

/// Follows the recipe with the first students of the class of `scripts/class`. Each command is run
/// as it is written, apart from `changes`, and its time is printed.
fn follow(folder: &str, students: usize, changes: &[(&str, &str)]) {
    let folder = new_folder(folder);
    for week in [1, 2] {
        if !write(&folder.join(format!("week{week}.zip")), students, week) {
            return;
        }
    }
    let mut text = page("docs/tournaments.md");
    text = text.split(HEADING).nth(1).expect("a recipe").split("\n## ").next().unwrap().to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "expected {from} in the recipe");
        text = text.replace(from, to);
    }
    let [marks] = blocks(&text, "toml")[..] else { panic!("expected one file in the recipe") };
    fs::write(folder.join("marks.toml"), marks).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_referee")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let commands: Vec<&str> = blocks(&text, "shell").into_iter().flat_map(str::lines).collect();
    assert_eq!(commands.len(), 7, "{commands:?}");
    let mut texts = Vec::new();
    let mut first_marks = BTreeMap::new();
    for line in commands {
        let begun = Instant::now();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", &path).current_dir(&folder).stdin(Stdio::null());
        let output = shell.output().unwrap();
        let (said, text) = (output.stderr.clone(), String::from_utf8(output.stdout).unwrap());
        // `check` finds mistakes.
        let code = i32::from(line.starts_with("referee check"));
        let said = String::from_utf8_lossy(&said);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}{text}");
        println!("{:6.1} s  {line}", begun.elapsed().as_secs_f64());
        texts.push(text);
        if line.starts_with("sed") {
            first_marks = rows(&folder.join("marks.csv"));
        }
    }
    let [check, dry, standings, marks, next, _, _] = &texts[..] else { unreachable!() };
    let not_started = |name: &str| NOT_STARTED.iter().any(|(of, _)| *of == name);
    let names: Vec<String> =
        first_marks.keys().filter(|of| !of.starts_with("tron ")).cloned().collect();
    assert_eq!(names.len(), students);
    for name in &names {
        let found =
            check.lines().find(|line| line.get(12..).is_some_and(|of| of.starts_with(name)));
        let found = found.unwrap_or_else(|| panic!("{name}: {check}"));
        assert_eq!(found.starts_with("ok "), !has_mistake(name), "{found}");
        assert!(folder.join(format!("pages/{name}.html")).is_file(), "{name}");
        // One that never answers has none if it is withdrawn before half of its games.
        let mark = &first_marks[name][2];
        assert!(not_started(name) == mark.is_empty() || name == FAULTY[0].0, "{name}: {mark}");
    }
    assert!(dry.contains("likely") && dry.contains("these would not play:\n"), "{dry}");
    for (name, part) in
        NOT_STARTED.into_iter().filter(|(name, _)| names.iter().any(|of| of == name))
    {
        let told = |text: &str| text.contains(&format!("{name} could not be started"));
        assert!(told(standings) && standings.contains(part) && told(marks), "{standings}");
    }
    let page = fs::read_to_string(folder.join("standings.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.len() > 100_000, "{} bytes", page.len());
    // The late student and two new versions play, and change no other mark.
    let now = rows(&folder.join("standings.csv"));
    assert_eq!(now.len(), students + 1);
    assert_eq!(now["Yasmine Saïdi"][7], "ranked");
    let counts = next.lines().find(|line| line.contains(" games now, ")).expect("a line of counts");
    let [all, played] = [counts, counts.split_once("; ").unwrap().1]
        .map(|text| text.split(' ').next().unwrap().parse::<u64>().unwrap());
    assert!(0 < played && played < all, "{counts}");
    let new_marks = rows(&folder.join("marks.csv"));
    for name in names.iter().map(String::as_str).chain(["Yasmine Saïdi"]) {
        let (before, after) = (first_marks.get(name), &new_marks[name]);
        match MENDED.contains(&name) || before.is_none() {
            true => assert!(!after[2].is_empty(), "{after:?}"),
            false => assert_eq!(before.unwrap()[2..4], after[2..4], "{name}"),
        }
    }
}

#[test]
fn recipe_leads_from_the_zip_file_to_marks() {
    follow("recipe", 9, &QUICK);
}

/// The same, as it is written.
#[test]
#[ignore = "it takes minutes: .ci/full whole"]
fn whole_recipe_leads_from_the_zip_file_to_marks() {
    follow("whole recipe", STUDENTS, &[]);
}
