//! Boards of many games, compared cell by cell with their stored positions.

use super::drawn;
use super::harness::{check_problems, games, open_game};
use arbitre::game::Seat;
use arbitre::internals::config::format::FormatConfig;
use arbitre::internals::config::{Contest, OpeningSource, PlayerConfig, Seeding, Source};
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{PlayedGame, Ply};
use arbitre::internals::report::output::write_whole;
use arbitre::internals::report::page;
use arbitre::internals::report::replay::ReplayDocument;
use arbitre::referee::registry::scene::{GameScenes, Scene};
use arbitre::referee::registry::DynGame;
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::golden;
use arbitre_test_support::pages::{played, report};
use arbitre_test_support::scenes::{check_scene, Moves};
use std::fs;
use std::time::Duration;

/// Rules of each game with the number of seats. Each has an equal share of [`GAMES`].
pub const RULES: [(&str, &[(&str, usize)]); 5] = [
    ("awele", &[("codingame", 2), ("abapa", 2), ("awari", 2)]),
    ("tron", &[("codingame", 2), ("small", 3), ("size=20x14 walls=3:3/4:3/16:10", 4)]),
    ("seven-colors", &[("arcsys", 2), ("gamos", 2), ("filler", 2)]),
    ("taquin", &[("fifteen", 1), ("eight", 1), ("size=2x3", 1)]),
    ("hextris", &[("contest", 1), ("small", 1)]),
];
/// Random games of each game.
const GAMES: usize = 200;
/// Games of each set of rules that are stepped through in both directions.
const STEPPED: usize = 2;

/// Checks the last position of the game that is shown.
fn check_last(browser: &mut Browser, name: &str, game: &dyn DynGame, moves: &Moves, what: &str) {
    let scenes = moves.scenes(game);
    let last = scenes.steps.last().and_then(|step| step.last()).unwrap_or(&scenes.start);
    drawn::check(browser, moves.seats, last, what);
    let (positions, pictures) = (moves.positions(game), moves.pictures(game));
    let (position, picture) = (positions.last().unwrap(), pictures.last().unwrap());
    check_scene(name, &drawn::scene(browser, moves.seats), position, picture);
    if name == "tron" {
        drawn::check_trails(browser, &scenes);
    }
}

/// Steps from the end to the start and back, and checks every scene.
fn check_steps(browser: &mut Browser, game: &dyn DynGame, moves: &Moves, what: &str) {
    let GameScenes { start, steps, .. } = moves.scenes(game);
    // These keys lead from frame to frame where there are any.
    let has_frames = steps.iter().any(|step| step.len() > 1);
    let [back, forward] =
        if has_frames { ["ArrowUp", "ArrowDown"] } else { ["ArrowLeft", "ArrowRight"] };
    let scenes: Vec<Scene> = [start].into_iter().chain(steps.into_iter().flatten()).collect();
    browser.press("End");
    for (at, scene) in scenes.iter().enumerate().rev().skip(1) {
        browser.press(back);
        drawn::check(browser, moves.seats, scene, &format!("{what}, back to frame {at}"));
    }
    for (at, scene) in scenes.iter().enumerate().skip(1) {
        browser.press(forward);
        drawn::check(browser, moves.seats, scene, &format!("{what}, on to frame {at}"));
    }
}

#[test]
#[ignore = "it takes minutes: .ci/full runs it"]
fn random_games_end_as_they_are_stored() {
    let folder = folder("pages-random");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    for (name, all) in RULES {
        let mut count = 0;
        for (rules, seats) in all {
            let bot = format!("{name} random");
            let number = GAMES.div_ceil(all.len()).to_string();
            let options = ["--rules", rules, "--games", &number, "--seed", "6"];
            let db = played(&folder, &[&vec![&bot[..]; *seats][..], &options].concat());
            let game = arbitre::registry().open(name, rules).unwrap();
            browser.visit(&report(&folder, &["--db", &db]), "");
            for (number, document) in games(&db).iter().enumerate() {
                let what = format!("{name}, {rules}, game {number}");
                let moves = Moves::of_document(document);
                open_game(browser, number, "&turn=last");
                check_last(browser, name, &*game, &moves, &what);
                if number < STEPPED {
                    check_steps(browser, &*game, &moves, &what);
                }
                count += 1;
            }
            check_problems(browser);
        }
        assert!(count >= GAMES, "{name}: {count}");
        println!("{name}: {count} games");
    }
}

/// Returns the moves of a golden game.
fn golden_moves(text: &str) -> Moves {
    let turns = text.lines().filter_map(|line| line.split_once(" seat ")?.1.split_once(" | "));
    let seats = turns.map(|(seat, _)| Seat::new(seat.parse().unwrap()));
    let words = golden::field(text, "moves").unwrap().split_whitespace().map(str::to_owned);
    let moves: Vec<(Seat, String)> = seats.zip(words).collect();
    let seats = moves.iter().map(|(seat, _)| seat.index() + 1).max().unwrap_or(1);
    Moves { seats, setup: golden::field(text, "setup").unwrap().into(), moves }
}

/// Returns the page of a game that no players played, and that has no result.
pub fn page_of(name: &str, rules: &str, game: &dyn DynGame, moves: &Moves) -> String {
    let player = |number| PlayerConfig {
        name: format!("player {number}"),
        dialect: "arbitre".into(),
        ..PlayerConfig::default()
    };
    let config = Contest {
        game: name.into(),
        rules: rules.into(),
        external: None,
        seats: moves.seats,
        games: 1,
        seed: 1,
        openings: OpeningSource::Drawn(0),
        players: (0..moves.seats).map(player).collect(),
        format: FormatConfig::RoundRobin,
        sprt: None,
        adjudication: None,
        shard: None,
        seeding: Seeding::default(),
        source: Source::Words,
    };
    let ply = |(seat, mv): &(Seat, String)| Ply {
        seat: *seat,
        mv: mv.clone(),
        time: AnswerTime::of_wall(Duration::ZERO),
        spent: Duration::ZERO,
        comment: None,
        stderr: String::new(),
    };
    let plies = moves.moves.iter().map(ply).collect();
    let record = Record {
        number: None,
        pairing: config.schedule().pairing(0),
        setup: moves.setup.clone(),
        played: PlayedGame { plies, ..PlayedGame::not_started(moves.seats, Vec::new()) },
        duration: Duration::ZERO,
        sandbox: Level::Weak,
    };
    page::of_game(&ReplayDocument::new(&record, &config, game).unwrap())
}

#[test]
#[ignore = "it takes minutes: .ci/full runs it"]
fn golden_games_are_drawn() {
    let folder = folder("pages-golden");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    for (name, _) in RULES {
        for file in golden::files(&name.replace('-', "_")) {
            let text = fs::read_to_string(&file).unwrap();
            let (rules, moves) = (golden::field(&text, "rules").unwrap(), golden_moves(&text));
            let game = arbitre::registry().open(name, rules).unwrap();
            let page = folder.join("golden.html");
            write_whole(&page, &page_of(name, rules, &*game, &moves)).unwrap();
            browser.visit(&page, "turn=last");
            let what = file.display().to_string();
            check_last(browser, name, &*game, &moves, &what);
            // The file has the last position, too.
            let position = golden::field(&text, "end | ").unwrap();
            let picture = moves.pictures(&*game).pop().unwrap();
            check_scene(name, &drawn::scene(browser, moves.seats), position, &picture);
            check_steps(browser, &*game, &moves, &what);
        }
    }
    check_problems(browser);
}
