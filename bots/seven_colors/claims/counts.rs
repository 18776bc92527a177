//! Claims of the report that can be checked by counting.

use crate::seven_colors::{greedy, MoveContext};
use arbitre_games::experiment::{Interval, Verdict};
use arbitre_games::game::Game;
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{Board, CellState, Colour, SevenColors, ARCSYS, SEATS};
use arbitre_games::rng::Rng;

const GAME: SevenColors = SevenColors::new(ARCSYS);

fn first_board(seed: u64) -> Board {
    GAME.setups(SEATS, 0, Rng::new(seed)).next().expect("there is a board")
}

/// Measures the claim that a move of `greedy` takes about 3884 actions (Q5.1). The formula has
/// eight copies of the board, five actions for each cell and colour, and fourteen comparisons. The
/// report applies it to a board of 90 cells.
pub fn actions_of_greedy() -> (String, Verdict) {
    let actions = |cells: usize| 8 * cells + 7 * 5 * cells + 14;
    let [theirs, ours] = [90, ARCSYS.cells()].map(actions);
    let measured = format!("{ours} by the report's own formula, which gives {theirs} for 90 cells");
    (measured, Verdict::within(Interval::exactly(ours as f64), 3800.0, 4000.0))
}

/// Measures the claim that an oracle of one more move takes seven times as long (Q6.2), in plays.
pub fn plays_of_oracle(seed: u64) -> (String, Verdict) {
    let position = GAME.start(&first_board(seed)).expect("setups are valid boards");
    let (graph, node) = Graph::new(&position);
    let context = MoveContext { graph: &graph, node, seat: position.mover() };
    let plays: Vec<u64> = (2..=5).map(|moves| plan(&context, moves).1).collect();
    let growth: Vec<f64> = plays.windows(2).map(|two| two[1] as f64 / two[0] as f64).collect();
    let (low, high) = (growth[growth.len() - 1], growth[0]);
    let measured = format!(
        "{plays:?} plays for 2 to 5 moves, besides the trials of greedy: {low:.2} to {high:.2} times as many \
         for a move more"
    );
    (measured, Verdict::within(Interval { value: low, low, high }, 6.5, 7.5))
}

/// Returns the best colour of a plan of `moves` moves as the report describes it, and the number of
/// plays. Each colour is tried, and the choice of the oracle of one move less is played after it,
/// down to `greedy`.
fn plan<'a>(context: &MoveContext<'a>, moves: u32) -> (Colour, u64) {
    if moves == 1 {
        return (greedy(context), 0);
    }
    let mut plays = 0;
    let mut worth = |colour: Colour| {
        let mut last = context.after(colour);
        plays += 1;
        for left in (1..moves).rev() {
            let (next, tried) = plan(&last, left);
            last = last.after(next);
            plays += tried + 1;
        }
        last.cells()
    };
    let best =
        context.legal().map(|colour| (worth(colour), colour)).max_by_key(|(cells, _)| *cells);
    (best.expect("some colour is legal").1, plays)
}

/// Measures the claim that there are 7^465 symmetric boards (Q7.1). One colour is chosen for each
/// pair of mirrored cells and each cell of the diagonal, except the cells of the players.
pub fn symmetric_boards(seed: u64) -> (String, Verdict) {
    let board = first_board(seed);
    let is_free = |index: &usize| matches!(board.cells()[*index], CellState::Free(_));
    let is_first = |index: &usize| *index <= board.transposed(*index);
    let chosen = (0..board.cells().len()).filter(is_free).filter(is_first).count();
    let measured = format!("7^{chosen}: the players' corners mirror each other");
    (measured, Verdict::within(Interval::exactly(chosen as f64), 465.0, 465.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known figures: 38,714 actions, 15 * 8^(p - 2) - 1 plays, 7^464 boards.
    #[test]
    fn counts_match_known_figures() {
        let known = [
            (actions_of_greedy(), "38714 by the report's own formula, which gives 3884 for"),
            (plays_of_oracle(1), "[14, 119, 959, 7679] plays"),
            (symmetric_boards(1), "7^464: "),
        ];
        for ((measured, verdict), words) in known {
            assert!(measured.starts_with(words), "{measured}");
            assert_eq!(verdict, Verdict::Contradicted);
        }
    }
}
