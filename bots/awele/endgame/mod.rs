//! Endgame tables: what each side can force on every board of up to so many seeds.
//!
//! Repetition makes the value of a position depend on the way to it, so a table cannot hold it. What
//! it holds depends on the board alone: how many of the seeds on it the mover can *force*, and how
//! many the other can, by play that ends by itself, without a position coming back. Together that is
//! all seeds at most; where it is all, the board is worth exactly that.
//!
//! The rules are those by which a grand slam captures nothing and each side keeps its own row where
//! the mover has no move: the presets `codingame` and `abapa`.

mod conversion;
pub(crate) mod folder;
pub(crate) mod index;
mod layer;
mod retrograde;
pub(crate) mod verify;

pub use conversion::ConversionMoves;
pub use index::SeedRows;

use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, GrandSlam, NoMove, Rules, SEEDS};
use layer::Layer;
use std::path::Path;

/// What the tables take a grand slam for.
pub(crate) const RULE: GrandSlam = GrandSlam::Nothing;

/// What both sides can force, in seeds of those on the board: the least that they get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreBounds {
    /// The side that is to move.
    pub mover: u8,
    /// The other.
    pub other: u8,
}

/// What the option `--tables` asks for.
pub enum TableRequest {
    /// It is not there.
    Nothing,
    /// `none`.
    ForNone,
    /// The tables of a folder.
    For(EndgameTables),
}

/// The layers from no seed up to some number of them.
#[derive(Clone, Default)]
pub struct EndgameTables {
    pub(crate) layers: Vec<Layer>,
}

impl EndgameTables {
    /// Makes the tables of up to so many seeds, 48 at most. 12 take a second; each seed more takes
    /// nearly twice as long.
    pub fn make(seeds: usize, threads: usize) -> EndgameTables {
        let (rows, mut tables) = (SeedRows::up_to(seeds), EndgameTables::default());
        for _ in 0..=seeds {
            tables.grow(&rows, threads, &mut |_, _| {});
        }
        tables
    }

    /// Makes the next layer. Tells, again and again, how many of how many steps are done.
    ///
    /// # Panics
    /// If the rows do not go so far.
    pub(crate) fn grow(&mut self, rows: &SeedRows, threads: usize, tell: &mut dyn FnMut(u8, u8)) {
        let layer = retrograde::make(rows, self, threads, tell);
        self.layers.push(layer);
    }

    /// The tables that the options name with `--tables FOLDER`.
    ///
    /// # Errors
    /// If there are none in that folder, or a file cannot be read.
    pub fn take(options: &mut Options) -> Result<TableRequest, ParseError> {
        match options.take_text("--tables")?.as_deref() {
            None => Ok(TableRequest::Nothing),
            Some("none") => Ok(TableRequest::ForNone),
            Some(folder) => folder::read(Path::new(folder), SEEDS.into()).map(TableRequest::For),
        }
    }

    /// Takes a layer in the form of its file; the first has no seed, each next one has one more.
    ///
    /// # Errors
    /// If the bytes are not those of this layer.
    pub fn add(&mut self, file: &[u8]) -> Result<(), ParseError> {
        let layer = Layer::parse(file.to_vec())?;
        let (seeds, expected) = (usize::from(layer.seeds()), self.layers());
        if seeds != expected {
            return Err(ParseError::new(format!(
                "expected the layer of {expected} seeds, not that of {seeds}"
            )));
        }
        self.layers.push(layer);
        Ok(())
    }

    /// The file of the layer with so many seeds, if it is there.
    pub fn file(&self, seeds: usize) -> Option<&[u8]> {
        self.layers.get(seeds).map(Layer::file)
    }

    /// How many layers there are: one more than the seeds of the largest.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Do the tables hold for these rules? The end by repetition or by the number of plies plays no
    /// part in what can be forced without either.
    pub fn fit(rules: &Rules) -> bool {
        rules.grand_slam == RULE && rules.no_move == NoMove::OwnRow
    }

    /// What both sides can force on this board, whatever was captured, if the board has no more
    /// seeds than the tables know. A board whose opponent's row is full is not in them, as no move
    /// leads to it.
    #[inline]
    pub fn look(&self, board: Board) -> Option<ScoreBounds> {
        let [own, other] = board.totals();
        self.layers.get(usize::from(own + other))?.look(board)
    }

    /// The board with the lowest number in the layer of so many seeds that is not worth what its
    /// moves say, and how many there are. Damage to a file shows here.
    ///
    /// # Panics
    /// If the tables or the rows do not go so far.
    pub fn unsound(&self, rows: &SeedRows, seeds: usize, threads: usize) -> (usize, Option<Board>) {
        verify::unsound(rows, self, seeds, threads)
    }
}
