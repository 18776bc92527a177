//! The strongest bot: a principal-variation search with a transposition table and a learned
//! evaluation, with a book and endgame tables.

pub mod evaluation;
mod pace;
pub mod search;

use self::evaluation::{Evaluation, EvaluationSource};
use self::pace::Pace;
use self::search::{believes_tables, search, SearchMeans, Table, WON_BY_TABLE};
use super::book::{BookMove, BookSource, GrownBook};
use super::endgame::{EndgameTables, Endings};
use super::found_text;
use crate::engine::Engine;
use crate::options::{no_memory, Options};
use arbitre_games::dialect::Start;
use arbitre_games::game::{ParseError, Seat, State};
use arbitre_games::games::awele::{Awele, Pit, Position, Rules, CODINGAME, HALF};
use arbitre_games::search::budget::Budget;
use arbitre_games::search::deepening::SearchResult;
use std::sync::Arc;

/// Size of the transposition table in megabytes. A search of 100 ms fills about a third of it.
const HASH: usize = 64;

/// Largest size that `--hash` accepts, in megabytes: 64 GB.
const LARGEST_HASH: usize = 1 << 16;
/// Largest number of threads that `--threads` accepts.
const MOST_THREADS: usize = 1024;

/// The engine. It plays the move of the book, the only legal one or a conversion, and otherwise
/// searches within the budget.
pub struct Best {
    evaluation: Evaluation,
    source: EvaluationSource,
    table: Table,
    endings: Endings,
    books: BookSource,
    /// Book for the rules of the game.
    book: Option<Arc<GrownBook>>,
    /// Number of threads of the options, which replaces that of the clock.
    own_threads: Option<usize>,
    threads: usize,
    /// Value of the last search or conversion in this game.
    value: Option<i32>,
}

impl Best {
    /// Creates the engine of the options with their book. Without `--tables` it makes small tables.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid, or a file cannot be read.
    pub fn take(options: &mut Options) -> Result<Best, ParseError> {
        let books = BookSource::take(options)?;
        Ok(Best { books, ..Best::take_without_book(options)? })
    }

    /// Creates the engine of the options without a book.
    ///
    /// # Errors
    /// Returns an error as [`take`](Best::take) does.
    pub fn take_without_book(options: &mut Options) -> Result<Best, ParseError> {
        let source = EvaluationSource::take(options)?;
        let endings = Endings::take(options, true)?;
        let own_threads = take_up_to(options, "--threads", MOST_THREADS)?;
        let hash = take_up_to(options, "--hash", LARGEST_HASH)?.unwrap_or(HASH);
        let table = Table::try_new(hash * Table::ENTRIES_IN_A_MEGABYTE);
        let table = table.map_err(|_| no_memory("--hash", hash))?;
        Ok(Best { table, endings, own_threads, ..Best::new(source) })
    }

    /// Creates an engine without a book, which makes small tables.
    pub fn new(source: EvaluationSource) -> Best {
        Best {
            evaluation: source.evaluation(&CODINGAME),
            source,
            table: Table::new(Table::ENTRIES_IN_A_MEGABYTE),
            endings: Endings::making_small_tables(),
            books: BookSource::None,
            book: None,
            own_threads: None,
            threads: 1,
            value: None,
        }
    }

    /// Creates the engine that a bundle contains.
    pub fn for_arena() -> Best {
        let source = EvaluationSource::Fixed(Evaluation::codingame_network());
        Best::new(source).with_hash(16)
    }

    /// Returns the engine with a transposition table of `megabytes` megabytes.
    pub fn with_hash(self, megabytes: usize) -> Best {
        Best { table: Table::new(megabytes * Table::ENTRIES_IN_A_MEGABYTE), ..self }
    }

    /// Returns the engine with this endgame play.
    pub fn with_endings(self, endings: Endings) -> Best {
        Best { endings, ..self }
    }

    /// Prepares for a game under these rules.
    pub fn new_game(&mut self, rules: &Rules) {
        self.value = None;
        if !self.book.as_ref().is_some_and(|book| book.fits(rules)) {
            self.book = self.books.book(rules);
        }
        self.endings.begin(rules);
        self.table.next_game();
        self.evaluation = self.source.evaluation(rules);
    }

    /// Searches a position.
    ///
    /// # Panics
    /// Panics if the game is over.
    pub fn search(&mut self, position: &Position, budget: Budget) -> SearchResult<Pit> {
        let moves = match self.endings.tables(position.rules()) {
            Some(tables) if believes_tables(position.rules(), position.ply()) => {
                root_moves(position, tables)
            }
            _ => position.legal_mask(),
        };
        self.search_among(moves, position, budget)
    }

    /// Searches a position among the moves of a mask, which must be legal.
    ///
    /// # Panics
    /// Panics if the mask is empty.
    pub fn search_among(
        &mut self,
        moves: u8,
        position: &Position,
        budget: Budget,
    ) -> SearchResult<Pit> {
        self.table.next_search();
        // By nodes or depth the result is the same everywhere, which threads would spoil.
        let is_timed = budget.nodes.is_none() && budget.depth.is_none();
        let granted = if is_timed { self.threads } else { 1 };
        let means = SearchMeans {
            evaluation: &self.evaluation,
            table: &self.table,
            endgame: self.endings.tables(position.rules()),
            threads: self.own_threads.unwrap_or(granted),
        };
        let pace = budget.game.map(Pace::new);
        let time = pace.map_or(budget.time, |pace| Some(pace.timer()));
        search(position, moves, &means, Budget { time, ..budget }, pace)
    }

    /// Returns the move to play without a search, if there is one, and its comment.
    fn at_once(&mut self, state: &Position, seat: Seat, budget: Budget) -> Option<(Pit, String)> {
        if let Some(found) = self.book.as_ref().and_then(|book| book.look(state)) {
            let BookMove { pit, score, depth } = found;
            self.value = Some(score);
            return Some((pit, format!("score {score} depth {depth} book")));
        }
        if let [only] = state.moves(seat)[..] {
            return Some((only, self.known_score(state)));
        }
        let (pit, plies) = self.endings.convert(state, budget)?;
        self.value = Some(WON_BY_TABLE);
        let score = self.known_score(state);
        Some((pit, format!("{score} won by the tables, next capture in {plies} plies at most")))
    }

    /// Returns the score of a position that is not searched. The last value still holds, as no
    /// reply of the opponent lowers it; before any search the evaluation counts.
    fn known_score(&self, state: &Position) -> String {
        let evaluate = || self.evaluation.evaluate(state.board());
        format!("score {}", self.value.unwrap_or_else(evaluate))
    }
}

/// Takes the value of an option from 1 to `most`.
fn take_up_to(
    options: &mut Options,
    name: &'static str,
    most: usize,
) -> Result<Option<usize>, ParseError> {
    let value = options.take_count(name)?;
    match value.filter(|&value| value > most) {
        None => Ok(value),
        Some(value) => {
            Err(ParseError::new(format!("{name}: expected at most {most}, got '{value}'")))
        }
    }
}

/// Returns the moves that keep the most that the tables know, as a mask: a win, or else a draw at
/// least, or else anything but a loss.
fn root_moves(position: &Position, tables: &EndgameTables) -> u8 {
    let rule = position.rules().grand_slam;
    let worth = |pit: Pit| {
        let after = position.board().after(pit, rule);
        let [other, own] = after.captures();
        match tables.look(after) {
            Some(bounds) if own + bounds.other > HALF => 3,
            Some(bounds) if own + bounds.other == HALF => 2,
            Some(bounds) if other + bounds.mover > HALF => 0,
            _ => 1,
        }
    };
    let moves = || Pit::of_mask(position.legal_mask());
    let best = moves().map(worth).max();
    moves().filter(|pit| Some(worth(*pit)) == best).fold(0, |mask, pit| mask | 1 << pit.index())
}

impl Engine<Awele> for Best {
    fn begin(&mut self, start: &Start<Awele>) {
        self.threads = start.clock.threads.map_or(1, |threads| threads as usize);
        self.new_game(start.game.options());
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Pit, String) {
        if let Some(known) = self.at_once(state, seat, budget) {
            return known;
        }
        let found = self.search(state, budget);
        self.value = Some(found.value);
        (found.best, found_text(&found))
    }
}
