//! Endgame play of an engine: its tables, and the conversion of the ending that it plays.

use super::conversion::ConversionMoves;
use super::tables::{EndgameTables, TableRequest};
use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Pit, Position, Rules};
use arbitre_games::search::budget::Budget;
use std::sync::Arc;

/// Number of seeds of the small tables, which take a third of a second at the start of a game.
/// Against 9 seeds they scored 53.9 % of 400 games at 10 ms of CPU time (2026-11-26).
const SMALL_TABLES: usize = 12;

/// Tables and conversion of an engine.
#[derive(Clone, Default)]
pub struct Endings {
    /// The tables, shared as they may be large.
    tables: Option<Arc<EndgameTables>>,
    /// Whether small tables are made before the first game without tables.
    makes_tables: bool,
    /// Moves to the next capture of the ending that is won now.
    conversion: Option<ConversionMoves>,
}

impl Endings {
    /// Takes the option `--tables`. Without it there are no tables, or small ones if `makes_tables`
    /// is set.
    ///
    /// # Errors
    /// Returns an error if the folder has no tables, or a file cannot be read.
    pub fn take(options: &mut Options, makes_tables: bool) -> Result<Endings, ParseError> {
        Ok(match EndgameTables::take(options)? {
            TableRequest::For(tables) => Endings::of(tables),
            TableRequest::Nothing if makes_tables => Endings::making_small_tables(),
            TableRequest::Nothing | TableRequest::ForNone => Endings::default(),
        })
    }

    /// Creates endgame play by `tables`.
    pub fn of(tables: EndgameTables) -> Endings {
        Endings { tables: Some(Arc::new(tables)), ..Endings::default() }
    }

    /// Creates endgame play that makes small tables before the first game whose rules they fit.
    pub fn making_small_tables() -> Endings {
        Endings { makes_tables: true, ..Endings::default() }
    }

    /// Prepares for a new game under these rules.
    pub fn begin(&mut self, rules: &Rules) {
        self.conversion = None;
        if self.makes_tables && self.tables.is_none() && EndgameTables::fit(rules) {
            self.tables = Some(Arc::new(EndgameTables::make(SMALL_TABLES, 1)));
        }
    }

    /// Returns the tables, if there are any that hold under these rules.
    pub fn tables(&self, rules: &Rules) -> Option<&EndgameTables> {
        self.tables.as_deref().filter(|_| EndgameTables::fit(rules))
    }

    /// Returns the move towards the next capture of a win that the tables know, and a bound in
    /// plies within which it comes.
    pub fn convert(&mut self, position: &Position, budget: Budget) -> Option<(Pit, u32)> {
        let (board, rules) = (position.board(), position.rules());
        let tables = self.tables.as_deref().filter(|_| EndgameTables::fit(rules))?;
        if self.conversion.as_ref().is_none_or(|way| way.next(board).is_none()) {
            self.conversion = ConversionMoves::find(tables, board, budget);
        }
        let (pit, plies) = self.conversion.as_ref()?.next(board)?;
        let left = rules.max_plies.map(|most| most.saturating_sub(position.ply()));
        left.is_none_or(|left| plies < left).then_some((pit, plies))
    }
}
