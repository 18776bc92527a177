//! `awele book grow`: grows an opening book by searches of the best engine.
//!
//! Every search goes to a journal, from which the same command continues. The order of the searches
//! depends on their values alone. The book is therefore the same with any number of threads, and
//! however often the growth was interrupted.

use crate::awele::best::evaluation::{Evaluation, EvaluationSource};
use crate::awele::best::search::{LEAST_WIN, WIN};
use crate::awele::best::Best;
use crate::awele::book::graph::{BookGraph, LeafValue};
use crate::awele::book::journal::BookJournal;
use crate::awele::book::{BookMove, GrownBook};
use crate::awele::endgame::Endings;
use crate::options::Options;
use crate::program::Failure;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, Position, Rules, CODINGAME};
use arbitre_games::parallel;
use arbitre_games::search::budget::Budget;
use arbitre_games::text::io_reason;
use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;

/// Number of positions expanded at a time, so that several threads have work. It does not depend on
/// the number of threads, as the order of the searches depends on it. Not tuned.
const BATCH: usize = 8;

/// Parameters of the growth of a book.
pub struct Growth {
    /// Rules of the game.
    pub rules: Rules,
    /// Least number of positions in the book.
    pub positions: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Number of threads, which does not change the book.
    pub threads: usize,
}

/// Runs the command `awele book grow`.
///
/// # Errors
/// Returns an error if an option is invalid, or a file cannot be written or has other contents.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let rules = options.take_text("--rules")?.map(|text| Rules::parse(&text)).transpose()?;
    let growth = Growth {
        rules: rules.unwrap_or(CODINGAME),
        positions: options.take_count("--positions")?.unwrap_or(2_000),
        nodes: options.take_count("--nodes")?.unwrap_or(1_000_000),
        threads: options.take_threads()?,
    };
    let file = |options: &mut Options, name: &'static str, what: &str| {
        let path = options.take_text(name)?;
        path.ok_or_else(|| ParseError::new(format!("{name}: expected a file for {what}, got none")))
    };
    let journal = file(&mut options, "--journal", "the searches")?;
    let output = file(&mut options, "--output", "the book")?;
    options.finish()?;
    if journal == output {
        let expected = "--output: expected another file than that of the searches";
        return Err(ParseError::new(format!("{expected}, got '{output}'")).into());
    }
    let text = grow(&growth, Path::new(&journal))?;
    fs::write(&output, text).map_err(|error| {
        ParseError::in_file(format!("'{output}' cannot be written: {}", io_reason(&error)))
    })?;
    Ok(())
}

/// Grows a book with the searches of the journal and new ones, which it appends there. Returns the
/// text of the book.
///
/// # Errors
/// Returns an error if the journal cannot be written, or belongs to another book.
pub fn grow(growth: &Growth, journal: &Path) -> Result<String, ParseError> {
    let Growth { rules, positions, nodes, .. } = *growth;
    let header = format!("awele book journal 1\nrules {rules}\nnodes {nodes}\n");
    let journal = BookJournal::open(journal, &header)?;
    let mut endings = Endings::making_small_tables();
    endings.begin(&rules);
    let mut searches = Searches { growth, journal, endings, engines: Mutex::new(Vec::new()) };
    let mut graph = BookGraph::new(rules);
    searches.value(&mut graph, &[0])?;
    let mut expanded = 0;
    while expanded < positions {
        let leaves = graph.next_leaves(BATCH);
        if leaves.is_empty() {
            break;
        }
        let new: Vec<usize> = leaves.iter().flat_map(|&leaf| graph.expand(leaf)).collect();
        expanded += leaves.len();
        searches.value(&mut graph, &new)?;
        graph.propagate();
        progress(expanded, positions);
    }
    let mut seen = HashSet::new();
    let entries: Vec<(Board, BookMove)> =
        graph.entries().filter(|&(board, _)| seen.insert(board)).collect();
    Ok(GrownBook::text(&rules, nodes, &entries))
}

/// The searches of a growth.
struct Searches<'a> {
    growth: &'a Growth,
    journal: BookJournal,
    /// Endgame tables, which all engines share.
    endings: Endings,
    /// Engines that no thread uses at the moment.
    engines: Mutex<Vec<Best>>,
}

impl Searches<'_> {
    /// Gives these positions their values, from the journal as far as it goes.
    fn value(&mut self, graph: &mut BookGraph, numbers: &[usize]) -> Result<(), ParseError> {
        let mut open = Vec::new();
        for &number in numbers {
            let position = graph.position(number);
            if let Some(value) = value_of_end(position) {
                graph.set(number, LeafValue { value, depth: 0 }, true);
                continue;
            }
            let start = format!("{} score ", position.board());
            let kept = self.journal.kept(&start, "a score and a depth", parse_value)?;
            match kept {
                Some(found) => graph.set(number, found, found.value.abs() >= LEAST_WIN),
                None => open.push(number),
            }
        }
        let found = parallel::map(self.growth.threads, open.len(), |at| {
            self.search(graph.position(open[at]))
        });
        for (number, found) in open.into_iter().zip(found) {
            let LeafValue { value, depth } = found;
            let board = graph.position(number).board();
            self.journal.append(&format!("{board} score {value} depth {depth}"))?;
            graph.set(number, found, value.abs() >= LEAST_WIN);
        }
        Ok(())
    }

    fn search(&self, position: &Position) -> LeafValue {
        let free = self.engines.lock().expect("no thread panics with the lock").pop();
        let mut engine = free.unwrap_or_else(|| {
            let engine = Best::new(EvaluationSource::Rules(Evaluation::network));
            engine.with_hash(HASH).with_endings(self.endings.clone())
        });
        engine.new_game(position.rules());
        let found = engine.search(position, Budget::nodes(self.growth.nodes));
        self.engines.lock().expect("no thread panics with the lock").push(engine);
        LeafValue { value: found.value, depth: found.depth }
    }
}

/// Size of the transposition table of a thread, in megabytes: a search of a million nodes fills it
/// once.
const HASH: usize = 16;

/// Returns the value of a finished game for the player to move.
fn value_of_end(position: &Position) -> Option<i32> {
    let [own, other] = position.rules().shares(position.end()?, position.board());
    Some(WIN * (own.cmp(&other) as i32))
}

fn parse_value(text: &str) -> Option<LeafValue> {
    let (value, depth) = text.split_once(" depth ")?;
    Some(LeafValue { value: value.parse().ok()?, depth: depth.parse().ok()? })
}

/// Tells on a terminal how far the book has come.
fn progress(done: usize, all: usize) {
    let mut out = io::stderr();
    if out.is_terminal() {
        let end = if done == all { "\n" } else { "\r" };
        let _ = write!(out, "{done} of {all} positions{end}");
    }
}
