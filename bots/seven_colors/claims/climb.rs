//! Hill climbing over boards.

use arbitre_games::games::seven_colors::{Board, Colour, Rules};
use arbitre_games::rng::Rng;

/// Largest number of cells recoloured in one change. Not tuned.
const AT_ONCE: usize = 3;

/// Tries `changes` random changes of a few cells and keeps each that does not lower the value of
/// the board. Under symmetric rules the board stays symmetric.
pub fn climb<V: PartialOrd>(
    rules: &Rules,
    start: Board,
    changes: u64,
    rng: &mut Rng,
    mut value: impl FnMut(&Board) -> V,
) -> (Board, V) {
    let worth = value(&start);
    let mut best = (start, worth);
    for _ in 0..changes {
        let mut board = best.0.clone();
        (0..1 + rng.below(AT_ONCE)).for_each(|_| recolour(rules, &mut board, rng));
        let worth = value(&board);
        // Equal values are accepted, so the climb can cross plateaus.
        if worth >= best.1 {
            best = (board, worth);
        }
    }
    best
}

fn recolour(rules: &Rules, board: &mut Board, rng: &mut Rng) {
    let index = rng.below(board.cells().len());
    let colour = Colour::new(rng.below(rules.colours.into()));
    board.recolour(index, colour);
    if rules.symmetric {
        board.recolour(board.transposed(index), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::dialect::Notation;
    use arbitre_games::game::Game;
    use arbitre_games::games::seven_colors::{CellState, SevenColors};

    #[test]
    fn climb_raises_the_value_and_keeps_the_rules() {
        for rules in ["size=6x6 colours=3", "size=6x5 colours=3 symmetric=no"] {
            let game = SevenColors::from_rules(rules).unwrap();
            let start = game.setups(2, 0, Rng::new(1)).next().unwrap();
            let last = CellState::Free(Colour::new(2));
            let value = |board: &Board| board.cells().iter().filter(|&&c| c == last).count();
            // Few changes, so that no board becomes all one colour, which is symmetric in any case.
            let climbed =
                |seed| climb(game.options(), start.clone(), 30, &mut Rng::new(seed), value);
            let (board, worth) = climbed(5);
            assert!(worth > value(&start) + 3 && worth == value(&board) && worth < 28, "{worth}");
            assert!(game.start(&board).is_ok(), "both players still have a corner");
            let is_mirrored = |i: &usize| {
                let [one, other] = [*i, board.transposed(*i)].map(|i| board.cells()[i]);
                one == other || matches!(one, CellState::Taken(_))
            };
            let symmetric = game.options().symmetric;
            assert!(!symmetric || (0..board.cells().len()).all(|i| is_mirrored(&i)));
            assert_eq!(climbed(5).0, board, "the same seed gives the same board");
        }
    }
}
