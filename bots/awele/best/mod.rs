//! The strongest bot: the alpha-beta search of the course report by seeds captured, with a book,
//! endgame tables and a share of the clock for each move.

use super::book::Book;
use super::endgame::{EndgameTables, TableRequest};
use super::ifips2005::{AlphaBeta, Heuristic};
use crate::options::Options;
use arbitre_games::game::ParseError;

/// Returns the engine that `--book` and `--tables` describe. It makes small tables unless an
/// option names others.
///
/// # Errors
/// Returns an error if a file that an option names cannot be read.
pub fn engine(options: &mut Options) -> Result<AlphaBeta, ParseError> {
    let engine =
        AlphaBeta::new(Heuristic::Captures).with_book(Book::take(options)?).with_repetition();
    Ok(match EndgameTables::take(options)? {
        TableRequest::For(tables) => engine.with_tables(tables),
        TableRequest::ForNone => engine,
        TableRequest::Nothing => engine.with_small_tables(),
    })
}
