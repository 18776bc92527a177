//! A table of a solo game, and its replies to lines.

use arbitre::clock::{Clock, Go};
use arbitre::game::Seat;
use arbitre::referee::registry::table::{RejectedAnswer, StartParams};
use arbitre::referee::registry::Speech;

/// The move or the rejection of each line, and the scores if the game is then over.
pub type Answers = (Vec<Result<String, RejectedAnswer>>, Option<Vec<i64>>);

/// Returns the replies of a table of this game to these lines, and the result of the game.
pub fn answers(game: &str, rules: &str, setup: &str, lines: &[&str]) -> Answers {
    let game = arbitre::registry().open(game, rules).unwrap();
    let mut table =
        game.table(setup, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO)]).unwrap();
    let (clock, mut said) = (Clock::default(), String::new());
    let start = StartParams { seat: Seat::FIRST, clock: &clock, seed: 1, kept: false };
    table.open(&start, &mut said).unwrap();
    table.hear_ready(Seat::FIRST, "ready tester").unwrap();
    let mut hear = |line: &&str| {
        table.ask(Seat::FIRST, Go::Untimed, &mut said).unwrap();
        table.hear(Seat::FIRST, line).map(|heard| heard.mv)
    };
    let answers = lines.iter().map(&mut hear).collect();
    (answers, table.outcome().unwrap().map(|outcome| outcome.scores))
}
