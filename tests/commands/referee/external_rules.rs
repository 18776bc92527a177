//! The conformance suite for games whose rules run in another process: at every turn of random
//! games they must agree with the same rules in this process, which the suite of
//! `tests/library/games/conformance.rs` examines.

use arbitre::clock::Go;
use arbitre::dialects::arbitre::INFO;
use arbitre::game::{Seat, Seats};
use arbitre::internals::external::game::ExternalGame;
use arbitre::internals::player::program;
use arbitre::referee::registry::table::{RejectedAnswer, StartParams, Table};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre::rng::Rng;
use arbitre_test_support::command::program;
use std::path::Path;

/// Random games per rule text and number of seats.
const GAMES: u64 = 4;

/// Starts `referee arena step GAME` with these rules.
fn in_another_process(game: &str, rules: &str) -> ExternalGame {
    let referee = program("referee").to_string_lossy().into_owned();
    let words = [&referee, "arena", "step", game].map(str::to_owned);
    let program = program::find(&words, &[]).unwrap().launched_by(Path::new(&referee));
    ExternalGame::open(program, rules).unwrap()
}

/// Returns everything that a table says about its position.
fn portrait(table: &dyn Table) -> String {
    let over = Seats::first(table.seats());
    let to_move = table.to_move().unwrap();
    let mut text = format!("{to_move:?} {:?} ", table.outcome().unwrap());
    text += &format!("{:?} ", table.is_decided().unwrap());
    // At a larger table the game goes on without a single loser.
    let losers = if table.seats() == 2 { Seats::one(Seat::FIRST) } else { Seats::NONE };
    text += &format!("{:?} ", table.outcome_if_ended(losers).unwrap());
    for seat in over.iter() {
        text += &format!("{seat}: {} {:?}; ", table.position(seat).unwrap(), {
            // A seat that is not to move has no question to answer.
            to_move.contains(seat).then(|| table.legal_moves(seat).unwrap())
        });
    }
    text
}

/// Answer of a table to a move, as text.
fn played(table: &mut dyn Table, seat: Seat, answer: &str) -> String {
    match table.hear(seat, answer) {
        Ok(accepted) => format!("played {}, {:?}", accepted.mv, accepted.comment),
        Err(RejectedAnswer::Illegal(why)) => format!("illegal {why}"),
        Err(RejectedAnswer::Invalid(why)) => format!("invalid {why}"),
        Err(RejectedAnswer::Rules(why)) => panic!("{seat} answers {answer}: {why}"),
    }
}

/// Two tables at which the same random game is played.
struct Pair<'g> {
    tables: [Box<dyn Table + 'g>; 2],
    rng: Rng,
}

impl Pair<'_> {
    /// Has both tables do the same, and compares their answers.
    fn both<T: PartialEq + std::fmt::Debug>(
        &mut self,
        mut act: impl FnMut(&mut dyn Table) -> T,
    ) -> T {
        let [own, other] = &mut self.tables;
        let (own, other) = (act(&mut **own), act(&mut **other));
        assert_eq!(own, other);
        own
    }

    /// Plays a random game, and returns the number of its moves.
    fn play(&mut self, words: &[&str]) -> usize {
        let seats = self.tables[0].seats();
        let clock = Default::default();
        for seat in Seats::first(seats).iter() {
            let start = StartParams { seat, clock: &clock, seed: 7, kept: seat == Seat::FIRST };
            self.both(|table| {
                let mut text = String::new();
                let init = table.open(&start, &mut text).unwrap();
                let ready = if seat == Seat::FIRST { "ready a terse" } else { "ready b again" };
                (format!("{init:?}"), text, table.hear_ready(seat, ready).unwrap().terse)
            });
        }
        let mut turns = 0;
        loop {
            self.both(|table| portrait(table));
            let to_move = self.both(|table| table.to_move().unwrap());
            let Some(seat) = to_move.iter().next() else { break };
            self.both(|table| {
                let mut text = String::new();
                table.ask(seat, Go::Untimed, &mut text).unwrap();
                text
            });
            let legal = self.both(|table| table.legal_moves(seat).unwrap());
            let wrong = words[self.rng.below(words.len())].to_owned();
            for answer in [wrong, "  ".into(), "what? # no".into()] {
                if !legal.contains(&answer) && !legal.is_empty() {
                    self.both(|table| played(table, seat, &answer));
                    self.both(|table| portrait(table));
                }
            }
            if seats > 1 && self.rng.below(40) == 0 {
                self.both(|table| table.forfeit(Seats::one(seat), "timeout").unwrap());
                break;
            }
            let answer = match legal.is_empty() {
                true => path(words, &mut self.rng),
                false => legal[self.rng.below(legal.len())].clone(),
            };
            let said = self.both(|table| played(table, seat, &answer));
            if said.starts_with("played") {
                turns += 1;
            } else {
                // A path with an illegal move; games that list their moves do not get here.
                self.both(|table| table.forfeit(Seats::one(seat), "illegal").unwrap());
            }
        }
        self.both(|table| portrait(table));
        if let Some(outcome) = self.both(|table| table.outcome().unwrap()) {
            for seat in Seats::first(seats).iter() {
                self.both(|table| {
                    let mut text = String::new();
                    table.close(seat, &outcome, &mut text).unwrap();
                    text
                });
            }
        }
        turns
    }
}

/// Returns a path of a few moves.
fn path(words: &[&str], rng: &mut Rng) -> String {
    let separator = if words.iter().all(|word| word.len() == 1) { "" } else { " " };
    let moves: Vec<&str> = (0..1 + rng.below(4)).map(|_| words[rng.below(words.len())]).collect();
    moves.join(separator)
}

fn conforms(name: &str, rules: &[&str], words: &[&str]) {
    let (registry, mut turns) = (arbitre::registry(), 0);
    for rules in rules {
        let own = registry.open(name, rules).unwrap();
        let other = in_another_process(name, rules);
        let (meta, traits) = (own.meta(), own.traits());
        let described = |game: &dyn DynGame| format!("{:?} {}", game.meta(), game.rules());
        assert_eq!((described(&*own), traits), (described(&other), other.traits()));
        let games = [&*own, &other as &dyn DynGame];
        for seats in meta.seats.0..=meta.seats.1 {
            for seed in 0..GAMES {
                let drawn = games.map(|game| {
                    let setups = game.setups(seats, (seed % 3) as usize, Rng::new(seed)).take(2);
                    setups.map(Result::unwrap).collect::<Vec<String>>()
                });
                assert_eq!(drawn[0], drawn[1], "{name} {rules}");
                let setup = &drawn[0][0];
                let checked = games.map(|game| game.check_setup(seats, setup).unwrap());
                assert_eq!(checked[0], checked[1]);
                for text in ["", "nonsense 3", &setup[1..]] {
                    let checked = games
                        .map(|game| game.check_setup(seats, text).map_err(|why| why.to_string()));
                    assert_eq!(checked[0], checked[1], "{name}: '{text}'");
                }
                let speech = vec![Speech::Dialect(&INFO); seats];
                let tables = games.map(|game| game.table(setup, &speech).unwrap());
                turns += Pair { tables, rng: Rng::new(seed) }.play(words);
            }
        }
    }
    assert!(turns as u64 > GAMES, "{name}: {turns} moves");
}

#[test]
fn awele_in_another_process_conforms() {
    let rules = ["codingame", "abapa grand-slam=take", "awari"];
    conforms("awele", &rules, &["0", "1", "2", "3", "4", "5", "6"]);
}

#[test]
fn tron_in_another_process_conforms() {
    let rules = ["size=8x6 tolerance=20%", "size=5x5 tolerance=20%"];
    conforms("tron", &rules, &["UP", "RIGHT", "DOWN", "LEFT", "up"]);
}

#[test]
fn seven_colors_in_another_process_conforms() {
    let rules = ["size=8x8 colours=6 ban=opponent", "filler stall=9 size=5x7"];
    conforms("seven-colors", &rules, &["A", "B", "C", "D", "E", "F", "Z"]);
}

#[test]
fn taquin_in_another_process_conforms() {
    conforms("taquin", &["eight scramble=9 max-moves=20", "size=2x2"], &["U", "D", "L", "R"]);
}

#[test]
fn hextris_in_another_process_conforms() {
    let rules = ["size=3x4 length=4 phrases=ei!+k", "size=4x4 length=3"];
    conforms("hextris", &rules, &["p", "b", "a", "l", "d", "k", " ", "4", "$"]);
}
