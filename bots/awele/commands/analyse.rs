//! `awele analyse`: searches of positions from standard input.

use crate::awele::best::Best;
use crate::awele::found_text;
use crate::console::OwnLimits;
use crate::options::Options;
use crate::program::{bad_line, say, state_lines, Failure, InputReport};
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialect::Notation;
use arbitre_games::game::Seat;
use arbitre_games::games::awele::{Awele, Pit, Position};
use arbitre_games::search::cpu_time::Moment;
use arbitre_games::search::deepening::SearchResult;
use std::cmp::Reverse;
use std::time::Duration;

/// Search time of a position without a limit in the options. Not tuned.
const USUAL: Duration = Duration::from_secs(1);

/// Reads one position a line, in the notation of `state` lines, and prints a line for each, or for
/// each of its best moves. Invalid lines are reported on standard error.
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
    let lines: Option<u32> = options.take_count("--lines")?;
    let is_json = options.take_switch("--json")?;
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
        let Some((position, text)) = input.take(read) else { continue };
        let found = analyse(&mut engine, &position, &limits, lines.unwrap_or(1));
        say(&match (is_json, lines) {
            (true, _) => json(&position, &found),
            (false, _) if found.is_empty() => format!("{text}  over\n"),
            (false, None) => format!("{text}  best {} {}\n", found[0].best, found_text(&found[0])),
            (false, Some(_)) => {
                let line = |(rank, found): (usize, &SearchResult<Pit>)| {
                    format!("{text}  {rank}. {} {}\n", found.best, found_text(found))
                };
                (1..).zip(&found).map(line).collect()
            }
        });
    }
    input.finish("positions")
}

/// Returns the best moves of a position, at most `lines`, the best first. They share the limits.
fn analyse(
    engine: &mut Best,
    position: &Position,
    limits: &OwnLimits,
    lines: u32,
) -> Vec<SearchResult<Pit>> {
    engine.new_game(position.rules());
    let mut moves = position.legal_mask();
    let lines = lines.min(moves.count_ones());
    let share = OwnLimits {
        move_time: limits.move_time.map(|time| time / lines.max(1)),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(lines.max(1))).max(1)),
        depth: limits.depth,
    };
    let mut found = Vec::new();
    for rank in 0..lines {
        let budget = share.budget(&Clock::default(), Go::Untimed, Moment::now());
        let result = match rank {
            0 => engine.search(position, budget),
            _ => engine.search_among(moves, position, budget),
        };
        moves &= !(1 << result.best.index());
        found.push(result);
    }
    // A later search may find a larger value, as it profits from the table.
    found.sort_by_key(|result| Reverse(result.value));
    found
}

/// Returns a document on one line.
fn json(position: &Position, found: &[SearchResult<Pit>]) -> String {
    let list = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(",");
    let [own, other] = position.board().captures();
    let board = list(&mut position.board().pits().iter().chain([&own, &other]).map(u8::to_string));
    let line = |found: &SearchResult<Pit>| {
        let SearchResult { best, value, depth, nodes, line } = found;
        let line = list(&mut line.iter().map(Pit::to_string));
        format!(
            "{{\"move\":{best},\"score\":{value},\"depth\":{depth},\"nodes\":{nodes},\
             \"pv\":[{line}]}}"
        )
    };
    let lines = list(&mut found.iter().map(line));
    format!("{{\"board\":[{board}],\"over\":{},\"lines\":[{lines}]}}\n", found.is_empty())
}
