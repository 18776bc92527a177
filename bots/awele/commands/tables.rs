//! `awele tables`, `awele tables verify` and `awele probe`: endgame tables on the command line.

use crate::awele::endgame::index::LayerIndex;
use crate::awele::endgame::origins::Origins;
use crate::awele::endgame::{folder, verify, EndgameTables, ScoreBounds, SeedRows, TableRequest};
use crate::options::Options;
use crate::program::{progress, say, Failure, DATA, UNMET};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::awele::{Awele, Board, Pit, PITS, SEEDS};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Number of seeds of the tables that `awele probe` makes where it gets none.
const PROBED: usize = 12;
/// Default number of seeds of the tables that `awele tables` makes.
const CACHED: usize = 15;

/// Runs the command `awele tables`, which makes or verifies tables.
///
/// # Errors
/// Returns an error if an option is invalid, a file cannot be read or written, or a verified table
/// is unsound.
pub fn tables(mut options: Options) -> Result<(), Failure> {
    let threads = options.take_threads()?;
    let seeds = seeds(&mut options)?;
    match options.take_text("--format")?.as_deref() {
        None | Some("lh") => {}
        Some(other) => {
            return Err(ParseError::new(format!("--format: expected lh, got '{other}'")).into());
        }
    }
    let (mut folder, mut checking) = (options.take_word(), false);
    if folder.as_deref() == Some("verify") {
        (folder, checking) = (options.take_word(), true);
    }
    options.finish()?;
    let folder = folder.map_or_else(folder::cached, |folder| Ok(PathBuf::from(folder)))?;
    match checking {
        true => check(folder, seeds.unwrap_or(SEEDS.into()), threads),
        false => make(folder, seeds.unwrap_or(CACHED), threads),
    }
}

fn seeds(options: &mut Options) -> Result<Option<usize>, ParseError> {
    let seeds = options.take("--seeds")?;
    match seeds.filter(|seeds| *seeds > SEEDS.into()) {
        Some(seeds) => {
            Err(ParseError::new(format!("--seeds: expected at most {SEEDS}, got '{seeds}'")))
        }
        None => Ok(seeds),
    }
}

/// Makes the layers that are not in the folder yet.
fn make(folder: PathBuf, seeds: usize, threads: usize) -> Result<(), Failure> {
    let mut tables = folder::read_layers(&folder, seeds, true)?;
    tell(&format!("{} layers found in '{}'", tables.layers(), folder.display()));
    if tables.layers() <= seeds {
        enough_memory(seeds)?;
    }
    let origins = Origins::up_to(seeds);
    for next in tables.layers()..=seeds {
        let begun = Instant::now();
        tables.grow(&origins, threads, &mut |done, all| step(next, done, all));
        let layer = &tables.layers[next];
        folder::write_layer(&folder, layer)?;
        let (size, seconds) = (layer.index().size(), begun.elapsed().as_secs_f64());
        tell(&format!("{next:2} seeds: {size} boards in {seconds:.1} s"));
    }
    Ok(())
}

/// A layer in the making takes two bytes for each board, a finished one two at most.
fn enough_memory(seeds: usize) -> Result<(), ParseError> {
    let boards = |seeds| LayerIndex::new(seeds).size();
    let bytes = 2 * ((0..=seeds).map(boards).sum::<u64>() + boards(seeds));
    let needed = bytes >> 20;
    match available_memory() {
        Some(available) if available < needed => Err(ParseError::new(format!(
            "expected {needed} MiB of memory for tables of {seeds} seeds, got {available}"
        ))),
        _ => Ok(()),
    }
}

/// In MiB, where the system tells.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes >> 10)
}

fn bad_data(error: ParseError) -> Failure {
    Failure { code: DATA, ..error.into() }
}

/// Checks every layer in the folder.
fn check(folder: PathBuf, most: usize, threads: usize) -> Result<(), Failure> {
    let tables = folder::read(&folder, most, true).map_err(bad_data)?;
    let rows = SeedRows::up_to(tables.layers() - 1);
    let mut wrong = 0;
    for seeds in 0..tables.layers() {
        let size = tables.layers[seeds].index().size();
        match tables.unsound(&rows, seeds, threads) {
            (_, None) => say(&format!("{seeds:2} seeds: {size} boards, sound\n")),
            (count, Some(board)) => {
                wrong += count;
                say(&format!(
                    "{seeds:2} seeds: {size} boards, {count} not what their moves say, first {:?}\n",
                    board.pits()
                ));
            }
        }
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::new(
            UNMET,
            "expected sound tables; help: delete the layers named above and those with more seeds, \
             then run awele tables again",
        )),
    }
}

/// Runs the command `awele probe`: the seeds that both sides force on a board, and by each move.
///
/// # Errors
/// Returns an error if the board is invalid, or not covered by the tables.
pub fn probe(mut options: Options) -> Result<(), Failure> {
    let given = EndgameTables::take(&mut options)?;
    let words: Vec<String> = std::iter::from_fn(|| options.take_word()).collect();
    options.finish()?;
    let (board, captured) = parse_board(&words.join(" ")).map_err(bad_data)?;
    let tables = covering(given, board)?;
    let forced = tables.look(board).unwrap_or_else(|| verify::from_moves(&tables, board));
    let seeds = board.totals().iter().sum::<u8>();
    let exact = if forced.mover + forced.other == seeds { ", which is all of them" } else { "" };
    let ScoreBounds { mover, other } = forced;
    say(&format!("of {seeds} seeds the mover forces {mover}, the other {other}{exact}\n"));
    for pit in Pit::of_mask(board.legal(crate::awele::endgame::RULE)) {
        let ScoreBounds { mover, other } = verify::after(&tables, board, pit);
        say(&format!("  pit {pit}: {mover}, {other}\n"));
    }
    if captured {
        say(&format!("{}\n", verdict(board, forced)));
    }
    Ok(())
}

/// Reads twelve pits, or twelve pits and two captures that make up a game.
fn parse_board(text: &str) -> Result<(Board, bool), ParseError> {
    let pits: Vec<u8> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let seeds: usize = pits.iter().copied().map(usize::from).sum();
    match <[u8; PITS]>::try_from(pits) {
        Ok(pits) if seeds <= SEEDS.into() && text.split_whitespace().count() == PITS => {
            Ok((Board::new(pits, [0; 2]), false))
        }
        _ => {
            let game = Awele::from_rules("abapa")?;
            game.parse_state(text, Seat::FIRST).map(|position| (position.board(), true))
        }
    }
}

/// The tables for this board: those given, or small ones made now.
fn covering(given: TableRequest, board: Board) -> Result<EndgameTables, ParseError> {
    let seeds = usize::from(board.totals().iter().sum::<u8>());
    match given {
        TableRequest::For(tables) if seeds < tables.layers() => Ok(tables),
        TableRequest::For(tables) => Err(ParseError::new(format!(
            "expected a board of at most {} seeds for these tables, got {seeds}",
            tables.layers() - 1
        ))),
        _ if seeds <= PROBED => Ok(EndgameTables::make(seeds, 1)),
        _ => Err(ParseError::new(format!(
            "expected --tables DIR for a board of {seeds} seeds, got none; help: make them with \
             awele tables --seeds {seeds} DIR"
        ))),
    }
}

/// What is known of the game, to its mover.
fn verdict(board: Board, forced: ScoreBounds) -> String {
    let [own, theirs] = board.captures();
    let (least, most) = (own + forced.mover, SEEDS - theirs - forced.other);
    let bounds = format!("the mover ends with {least} to {most} of {SEEDS}");
    match (least, most) {
        (25.., _) => format!("won: {bounds}"),
        (_, ..=23) => format!("lost: {bounds}"),
        (24, 24) => format!("drawn: {bounds}"),
        _ => format!("open: {bounds}"),
    }
}

/// Tells how far a layer has come, to whoever looks at a terminal.
fn step(seeds: usize, done: u8, all: u8) {
    if done == all {
        progress("");
    } else if seeds > PROBED {
        progress(&format!("{seeds:2} seeds: step {done} of {all}"));
    }
}

/// Whether anybody reads it is no concern of the tables.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
