//! Figures of the report that can be counted out.

use super::how::how;
use crate::seven_colors::{Greedy, MoveContext, Strategy};
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{Interval, Laboratory, Measurement, Verdict};
use arbitre_games::game::{Game, ParseError};
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{CellState, Colour, SevenColors, SEATS};
use arbitre_games::rng::Rng;

/// The claim that a move of greedy takes about 3884 actions (Q5.1): eight copies of the board, five actions
/// for each cell and colour, and fourteen comparisons. The report takes it for one of 90 cells.
pub fn actions_of_greedy(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let actions = |cells: usize| 8 * cells + 7 * 5 * cells + 14;
    let [theirs, ours] = [90, SevenColors::from_rules("")?.options().cells()].map(actions);
    let measured = format!("{ours} by the report's own formula, which gives {theirs} for 90 cells");
    let verdict = Verdict::within(Interval::exactly(ours as f64), 3800.0, 4000.0);
    Ok(Measurement { measured, verdict, how: how(lab, "actions-of-greedy") })
}

/// The claim that an oracle of a move more takes seven times as long (Q6.2), counted in plays.
pub fn plays_of_oracle(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let game = SevenColors::from_rules("")?;
    let board = game.setups(SEATS, 0, Rng::new(lab.seed())).next().expect("there is a board");
    let position = game.start(&board)?;
    let (graph, node) = Graph::new(&position);
    let context = MoveContext { graph: &graph, node, seat: position.mover() };
    let plays: Vec<u64> = (2..=5).map(|moves| plan(&context, moves).1).collect();
    let growth: Vec<f64> = plays.windows(2).map(|two| two[1] as f64 / two[0] as f64).collect();
    let (low, high) = (growth[growth.len() - 1], growth[0]);
    let measured = format!(
        "{plays:?} plays for 2 to 5 moves, besides the trials of greedy: {low:.2} to {high:.2} times as many \
         for a move more"
    );
    let verdict = Verdict::within(Interval { value: low, low, high }, 6.5, 7.5);
    Ok(Measurement { measured, verdict, how: how(lab, "plays-of-oracle") })
}

/// The best colour of so many moves as the report tells it, and how many plays that takes: each colour
/// is tried, and what the oracle of a move less would do is played after it, and so on down to greedy.
fn plan<'a>(context: &MoveContext<'a>, moves: u32) -> (Colour, u64) {
    if moves == 1 {
        return (Greedy.choose(context, None), 0);
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
    (best.expect("some colour can be played").1, plays)
}

/// The claim that there are 7^465 symmetric boards (Q7.1): a colour for each pair of cells that mirror each
/// other, and for each cell of the diagonal, but for those of the players.
pub fn symmetric_boards(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let game = SevenColors::from_rules("")?;
    let board = game.setups(SEATS, 0, Rng::new(lab.seed())).next().expect("there is a board");
    let is_free = |index: &usize| matches!(board.cells()[*index], CellState::Free(_));
    let is_first = |index: &usize| *index <= board.transposed(*index);
    let chosen = (0..board.cells().len()).filter(is_free).filter(is_first).count();
    let measured = format!("7^{chosen}: the players' corners mirror each other");
    let verdict = Verdict::within(Interval::exactly(chosen as f64), 465.0, 465.0);
    Ok(Measurement { measured, verdict, how: how(lab, "symmetric-boards") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::experiment::{HalfPoints, LabMatch, LabSchedule};

    struct NoMatches;

    impl Laboratory for NoMatches {
        fn games(&self) -> u64 {
            2
        }

        fn depth(&self) -> u32 {
            1
        }

        fn seed(&self) -> u64 {
            1
        }

        fn workers(&self) -> usize {
            1
        }

        fn schedule(&self, _: u64) -> LabSchedule {
            unreachable!("nothing is played")
        }

        fn score(&self, _: &[[HalfPoints; 2]]) -> Result<Interval, ParseError> {
            unreachable!("nothing is played")
        }

        fn play(&mut self, _: &str, _: &str, _: u64) -> Result<LabMatch, ParseError> {
            unreachable!("nothing is played")
        }

        fn say(&mut self, _: &str) {}
    }

    /// The figures that are known: 38,714 actions, 15 * 8^(p - 2) - 1 plays, 7^464 boards.
    #[test]
    fn counts_are_as_known() {
        let known = [
            (
                actions_of_greedy(&mut NoMatches),
                "38714 by the report's own formula, which gives 3884 for",
            ),
            (plays_of_oracle(&mut NoMatches), "[14, 119, 959, 7679] plays"),
            (symmetric_boards(&mut NoMatches), "7^464: "),
        ];
        for (counted, words) in known {
            let Measurement { measured, verdict, .. } = counted.unwrap();
            assert!(measured.starts_with(words), "{measured}");
            assert_eq!(verdict, Verdict::Contradicted);
        }
    }
}
