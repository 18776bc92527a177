//! `awele analyse`: what a search finds in positions from standard input.

use crate::awele::endgame::{EndgameTables, TableRequest};
use crate::awele::AlphaBeta;
use crate::awele::Heuristic;
use crate::options::Options;
use crate::program::{say, Failure, DATA};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::awele::{Awele, Pit, Position};
use arbitre_games::search::budget::{Budget, Timer};
use std::io;
use std::time::{Duration, Instant};

/// How long a position is searched where nothing limits it.
const USUAL: Duration = Duration::from_secs(1);

/// Reads a position a line, as `state` lines write it, and prints a line for each.
///
/// # Errors
/// If an option is not what it should be, or a line holds no position: it is named.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let rules = options.take_text("--rules")?.unwrap_or_default();
    let game = Awele::from_rules(&rules)?;
    let limits = AnalysisLimits::take(&mut options)?;
    let engine = match EndgameTables::take(&mut options)? {
        TableRequest::For(tables) => AlphaBeta::new(Heuristic::Captures).with_tables(tables),
        _ => AlphaBeta::new(Heuristic::Captures),
    };
    options.finish()?;
    for (number, line) in (1..).zip(io::stdin().lines()) {
        let line = line.map_err(|error| Failure::new(DATA, format!("line {number}: {error}")))?;
        let text = line.trim().strip_prefix("state ").unwrap_or(line.trim());
        if text.is_empty() {
            continue;
        }
        let bad = |error: ParseError| Failure::new(DATA, format!("line {number}: {error}"));
        let position = game.parse_state(text, Seat::FIRST).map_err(bad)?;
        say(&format!("{text}  {}\n", found(&engine, &position, &limits)));
    }
    Ok(())
}

fn found(engine: &AlphaBeta, position: &Position, limits: &AnalysisLimits) -> String {
    if position.end().is_some() {
        return "over".into();
    }
    let found = engine.search(position, limits.budget());
    let line: Vec<String> = found.line.iter().map(Pit::to_string).collect();
    let (best, score, depth, nodes) = (found.best, found.value, found.depth, found.nodes);
    format!("best {best} score {score} depth {depth} nodes {nodes} pv {}", line.join(" "))
}

/// What limits the search of a position.
struct AnalysisLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl AnalysisLimits {
    fn take(options: &mut Options) -> Result<AnalysisLimits, ParseError> {
        let (nodes, depth) = (options.take_count("--nodes")?, options.take_count("--depth")?);
        let free = nodes.is_none() && depth.is_none();
        let time = options.take_duration("--move-time")?.or(free.then_some(USUAL));
        Ok(AnalysisLimits { time, nodes, depth })
    }

    fn budget(&self) -> Budget {
        let time = self.time.map(|time| Timer::wall(Instant::now(), time));
        Budget { time, nodes: self.nodes, depth: self.depth, ..Budget::default() }
    }
}
