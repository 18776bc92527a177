//! The endgame tables: a layer for each number of seeds on the board.

use super::layer::Layer;
use super::layer::ScoreBounds;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, GrandSlam, NoMove, Rules};

/// What the tables take a grand slam for.
pub(crate) const RULE: GrandSlam = GrandSlam::Nothing;

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
}
