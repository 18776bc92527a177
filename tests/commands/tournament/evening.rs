//! A teacher's evening: a class of which a third has mistakes plays every format at two and at four
//! seats. Each healthy student has the games that the format gives.

use crate::tournament::harness::{player, Folder};
use arbitre::internals::config::format::FormatKind;
use arbitre_test_support::class::{has_mistake, write, FAULTY, NOT_STARTED, STUDENTS};
use arbitre_test_support::command::{stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Students of a quick evening: two of six have mistakes, and the others fill a table of four.
const FEW: usize = 6;
/// Students of a whole evening where each group of them meets. Twenty would have 4,845 tables.
const SOME: usize = 12;
/// Fixed bots of a graded tournament, which fill a table with a student.
const BOTS: &str = "[[grade]]\nbot = \"a=tron random\"\npoints = 2\n\
     [[grade]]\nbot = \"b=tron random\"\npoints = 1\n\
     [[grade]]\nbot = \"c=tron wall-hugger\"\npoints = 1";

/// Rule of a format for the number of games of a healthy student.
#[derive(Clone, Copy)]
enum Games {
    /// From the number of ranked students, and whether the student is the first one.
    Of(fn(u64, bool) -> RangeInclusive<u64>),
    /// This number for each meeting of the bracket, and those of its tie-breaks.
    PerMeeting(u64),
}

/// Tournament of an evening.
struct Evening {
    format: &'static str,
    seats: usize,
    /// Students of a whole evening.
    students: usize,
    options: &'static str,
    games: Games,
}

const fn evening(
    format: &'static str,
    seats: usize,
    students: usize,
    options: &'static str,
    games: Games,
) -> Evening {
    Evening { format, seats, students, options, games }
}

/// Every format, at two seats and at four where it allows them.
const EVENINGS: [Evening; 16] = [
    evening("round-robin", 2, STUDENTS, "games = 2", Games::Of(|n, _| exactly(2 * (n - 1)))),
    evening("round-robin", 4, SOME, "games = 4", Games::Of(|n, _| exactly(4 * groups(n - 1, 3)))),
    evening("gauntlet", 2, STUDENTS, "games = 2", Games::Of(pairs_of_gauntlet)),
    evening("gauntlet", 4, SOME, "games = 4", Games::Of(tables_of_gauntlet)),
    evening("gauntlet", 2, STUDENTS, "games = 2\nsprt = \"elo0=0,elo1=40\"", {
        Games::Of(pairs_of_gauntlet)
    }),
    // Opponents of a withdrawn player have others, so some get a few more.
    evening("balanced", 2, STUDENTS, "games-per-player = 8", Games::Of(|_, _| 8..=16)),
    evening("balanced", 4, STUDENTS, "games-per-player = 16", Games::Of(|_, _| 16..=32)),
    // A bye, and a meeting with a withdrawn player.
    evening("swiss", 2, STUDENTS, "rounds = 4\ngames = 2", Games::Of(|_, _| 4..=8)),
    evening("swiss", 4, STUDENTS, "rounds = 3\ngames = 4", Games::Of(|_, _| 4..=12)),
    evening("knockout", 2, STUDENTS, "games = 2\nthird-place = true", Games::PerMeeting(2)),
    evening("knockout", 4, STUDENTS, "games = 4", Games::PerMeeting(4)),
    evening("double-knockout", 2, STUDENTS, "games = 2", Games::PerMeeting(2)),
    evening("ladder", 2, STUDENTS, "max-games = 40", Games::Of(|_, _| 1..=40)),
    evening("ladder", 4, STUDENTS, "max-games = 40", Games::Of(|_, _| 1..=40)),
    evening("graded", 2, STUDENTS, "games = 2", Games::Of(|_, _| exactly(3 * 2))),
    evening("graded", 4, STUDENTS, "games = 4", Games::Of(|_, _| exactly(4))),
];

const fn exactly(games: u64) -> RangeInclusive<u64> {
    games..=games
}

/// Returns the number of groups of two or three of `n` players.
fn groups(n: u64, size: u64) -> u64 {
    match size {
        2 => n * (n - 1) / 2,
        _ => n * (n - 1) * (n - 2) / 6,
    }
}

fn pairs_of_gauntlet(n: u64, is_first: bool) -> RangeInclusive<u64> {
    exactly(if is_first { 2 * (n - 1) } else { 2 })
}

fn tables_of_gauntlet(n: u64, is_first: bool) -> RangeInclusive<u64> {
    exactly(4 * if is_first { groups(n - 1, 3) } else { groups(n - 2, 2) })
}

/// Returns the number of games of each player of a bracket, `games` per meeting. With the withdrawn
/// player at a table the others may have fewer.
fn games_of_bracket<'a>(
    bracket: &'a Value,
    games: u64,
    withdrawn: Option<&str>,
) -> BTreeMap<&'a str, RangeInclusive<u64>> {
    let mut sums: BTreeMap<&str, RangeInclusive<u64>> = BTreeMap::new();
    let rounds = bracket["rounds"].as_array().unwrap().iter();
    for meeting in rounds.flat_map(|round| round["meetings"].as_array().unwrap()) {
        let players = meeting["players"].as_array().unwrap();
        let names: Vec<&str> = players.iter().map(|of| of["name"].as_str().unwrap()).collect();
        let most = games + names.len() as u64 * meeting["tie_breaks"].as_u64().unwrap();
        let has_withdrawn = names.iter().any(|name| Some(*name) == withdrawn);
        let least = if has_withdrawn { 0 } else { most };
        for name in names {
            let sum = sums.entry(name).or_insert(0..=0);
            *sum = sum.start() + least..=sum.end() + most;
        }
    }
    sums
}

/// Plays an evening of the first students of the class, and checks its standings.
fn play(folder: &Folder, number: usize, students: usize) {
    let Evening { format, seats, options, games, .. } = &EVENINGS[number];
    let what = format!("{format} of {students} at {seats} seats");
    let bots = if *format == "graded" { BOTS } else { "" };
    folder.file(
        &format!("{number}.toml"),
        &format!(
            "[tournament]\ngame = \"tron\"\nrules = \"size=12x9\"\nseats = {seats}\nseed = 7\n\
             init-time = \"20s\"\nfirst-move-time = \"300ms\"\nmove-time = \"300ms\"\n\
             format = \"{format}\"\n{options}\n[players]\nfrom = \"{students}.zip\"\n{bots}\n"
        ),
    );
    let (file, written) = (format!("{number}.toml"), format!("{number}.json"));
    let output = folder.run(&["tournament", &file, "--output", &written]);
    assert_eq!(output.status.code(), Some(0), "{what}: {}", stderr(&output));
    let text = stdout(&output);
    let written = std::fs::read_to_string(folder.path(&written)).unwrap();
    let standings: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(standings["complete"], true, "{what}");
    let all: Vec<&Value> = standings["standings"].as_array().unwrap().iter().collect();
    let names = || all.iter().map(|of| of["name"].as_str().unwrap());
    let students: Vec<&str> = names().filter(|name| name.len() > 1).collect();
    let ranked = all.iter().filter(|of| of["status"] == "ranked").count() as u64;
    let is_withdrawn =
        |name: &&str| text.contains(&format!("{name} made no move in three games in a row"));
    let withdrawn = names().find(is_withdrawn);
    let of_bracket = match games {
        Games::PerMeeting(games) => games_of_bracket(&standings["bracket"], *games, withdrawn),
        Games::Of(_) => BTreeMap::new(),
    };
    let healthy = || students.iter().copied().filter(|name| !has_mistake(name));
    for name in healthy() {
        let of = player(&standings, name);
        let expected = match games {
            Games::Of(rule) => rule(ranked, name == "Ada Blanc"),
            Games::PerMeeting(_) => of_bracket.get(name).cloned().unwrap_or(0..=0),
        };
        let played = of["games"].as_u64().unwrap();
        assert!(expected.contains(&played), "{what}: expected {expected:?}: {of}");
        assert_eq!(of["status"], "ranked", "{what}: {of}");
        assert_eq!(of["faults"], serde_json::json!({}), "{what}: {of}");
    }
    let is_here = |name: &&str| students.contains(name);
    for (name, part) in NOT_STARTED.iter().filter(|(name, _)| is_here(name)) {
        let of = player(&standings, name);
        assert_eq!((&of["status"], &of["games"]), (&"not-started".into(), &0.into()), "{what}");
        assert!(of["reason"].as_str().unwrap().contains(part), "{what}: {of}");
        let told = text.split("\n\n").find(|told| told.contains(&format!("{name} could not be")));
        assert!(told.is_some_and(|told| told.contains(part)), "{what}: {name}: {text}");
    }
    for (name, word) in FAULTY.iter().filter(|(name, _)| is_here(name)) {
        let of = player(&standings, name);
        assert!(of["faults"][word].as_u64() > Some(0), "{what}: expected {word}: {of}");
        assert!(text.contains(&format!("first fault of {name}: {word}, ")), "{what}: {text}");
    }
    let wrong = students.len() - healthy().count();
    println!("{what}: {} games, {wrong} with mistakes", standings["games"]);
}

/// Writes the classes and plays every `step`th evening with them.
fn play_all(name: &str, step: usize, students: fn(&Evening) -> usize) {
    let folder = Folder::new(name);
    for count in [FEW, SOME, STUDENTS] {
        let is_used = EVENINGS.iter().any(|of| students(of) == count);
        if is_used && !write(&folder.path(&format!("{count}.zip")), count, 1) {
            return;
        }
    }
    for (number, of) in EVENINGS.iter().enumerate().step_by(step) {
        play(&folder, number, students(of));
    }
}

/// Every third evening: six of the eight formats.
#[test]
fn healthy_students_have_their_games() {
    play_all("evening", 3, |_| FEW);
}

#[test]
#[ignore = "it takes minutes: .ci/full whole"]
fn whole_class_plays_every_format() {
    play_all("whole evening", 1, |of| of.students);
}

/// A new format has a line in the table: at four seats too, unless it refuses them.
#[test]
fn every_format_has_an_evening() {
    for (format, _) in FormatKind::WORDS {
        for seats in [2, 4] {
            let has_line = EVENINGS.iter().any(|of| of.format == format && of.seats == seats);
            let is_refused = format == "double-knockout" && seats == 4;
            assert_ne!(has_line, is_refused, "{format} at {seats} seats");
        }
    }
}
