//! `awele analyse`: searches of positions from standard input.

use crate::awele::best::Best;
use crate::awele::found_text;
use crate::console::OwnLimits;
use crate::options::Options;
use crate::program::{bad_line, say, state_lines, Failure, InputReport};
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialect::Notation;
use arbitre_games::game::Seat;
use arbitre_games::games::awele::{Awele, Position};
use arbitre_games::search::cpu_time::Moment;
use std::time::Duration;

/// Search time of a position without a limit in the options. Not tuned.
const USUAL: Duration = Duration::from_secs(1);

/// Reads one position a line, in the notation of `state` lines, and prints a line for each. Invalid
/// lines are reported on standard error.
///
/// # Errors
/// Returns an error if an option is invalid, and at the end, if a line was.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let rules = options.take_text("--rules")?.unwrap_or_default();
    let game = Awele::from_rules(&rules)?;
    let (nodes, depth) = (options.take_count("--nodes")?, options.take_count("--depth")?);
    let is_unlimited = nodes.is_none() && depth.is_none();
    let move_time = options.take_duration("--move-time")?.or(is_unlimited.then_some(USUAL));
    let limits = OwnLimits { move_time, nodes, depth };
    let mut engine = Best::take_without_book(&mut options)?;
    options.finish()?;
    let mut input = InputReport::default();
    for line in state_lines() {
        if matches!(&line, Ok((_, text)) if text.is_empty()) {
            continue;
        }
        let read = line.and_then(|(number, text)| {
            let position = game.parse_state(&text, Seat::FIRST);
            Ok((position.map_err(|error| bad_line(number, error))?, text))
        });
        if let Some((position, text)) = input.take(read) {
            say(&format!("{text}  {}\n", found(&mut engine, &position, &limits)));
        }
    }
    input.finish("positions")
}

fn found(engine: &mut Best, position: &Position, limits: &OwnLimits) -> String {
    if position.end().is_some() {
        return "over".into();
    }
    engine.new_game(position.rules());
    let budget = limits.budget(&Clock::default(), Go::Untimed, Moment::now());
    let found = engine.search(position, budget);
    format!("best {} {}", found.best, found_text(&found))
}
