//! The endgame tables: a layer for each number of seeds on the board.

use super::layer::Layer;
use super::layer::ScoreBounds;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, GrandSlam, NoMove, Rules};
use std::sync::Arc;

/// Rule on grand slams in the tables.
pub(crate) const RULE: GrandSlam = GrandSlam::Nothing;

/// Value of the option `--tables`.
pub enum TableRequest {
    /// The option is absent.
    Nothing,
    /// The option is `none`.
    ForNone,
    /// The option names the folder of these tables.
    For(EndgameTables),
}

/// Layers from zero seeds up to some number of seeds.
#[derive(Clone, Default)]
pub struct EndgameTables {
    pub(crate) layers: Vec<Layer>,
}

impl EndgameTables {
    /// Adds the next layer from the bytes of its file. The first has no seeds, each further one has
    /// one more.
    ///
    /// # Errors
    /// Returns an error if the bytes are not those of the next layer.
    pub fn add(&mut self, file: &[u8]) -> Result<(), ParseError> {
        let layer = Layer::open(Arc::new(file.to_vec()))?;
        layer.check()?;
        let (seeds, expected) = (usize::from(layer.seeds()), self.layers());
        if seeds != expected {
            return Err(ParseError::new(format!(
                "expected the layer of {expected} seeds, not that of {seeds}"
            )));
        }
        self.layers.push(layer);
        Ok(())
    }

    /// Returns the file of the layer with `seeds` seeds, if there is one.
    pub fn file(&self, seeds: usize) -> Option<&[u8]> {
        self.layers.get(seeds).map(Layer::file)
    }

    /// Returns the number of layers, one more than the seeds of the largest.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Returns `true` if the tables hold under `rules`. Ends by repetition or by the number of
    /// plies do not matter, since forced play has neither.
    pub fn fit(rules: &Rules) -> bool {
        rules.grand_slam == RULE && rules.no_move == NoMove::OwnRow
    }

    /// Returns the seeds that both sides can force on a board, if the tables have enough seeds.
    /// Captures are ignored. Boards with a full opponent's row are missing, as no move leads to
    /// them.
    #[inline]
    pub fn look(&self, board: Board) -> Option<ScoreBounds> {
        let [own, other] = board.totals();
        self.layers.get(usize::from(own + other))?.look(board)
    }
}
