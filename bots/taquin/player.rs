//! A solver as the engine of a bot.

use crate::engine::Engine;
use crate::program::warn;
use crate::taquin::best::quick::quick;
use crate::taquin::solution::Solution;
use crate::taquin::solver::TaquinSolver;
use arbitre_games::clock::Clock;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::taquin::{Direction, Position, Taquin};
use arbitre_games::search::budget::{Budget, Limiter};

/// Answers with the solution that it finds in time, or otherwise with that of [`quick`].
impl Engine<Taquin> for TaquinSolver {
    fn begin(&mut self, start: &Start<Taquin>) {
        let board = start.state.board();
        let size = (board.rows(), board.columns());
        let time = start.clock.init.unwrap_or(Clock::DEFAULT_INIT) / 2;
        if let Err(why) = self.prepare_within(time, size) {
            // A weaker answer is better than none, but not without a word.
            warn(&format!("the default heuristic is used: {why}"));
            self.use_default_heuristic();
            // An error about the size is reported with each answer.
            let _ = self.prepare_within(time, size);
        }
    }

    fn plan(&mut self, state: &Position, _: Seat, budget: Budget) -> (Vec<Direction>, String) {
        let board = state.board();
        let at_once = quick(board);
        let solution = self.solve(board, &mut Limiter::new(budget));
        let (path, details) = match solution {
            Ok(Solution { path: Some(path), lower_bound, stats, .. }) => {
                (path, format!("at least {lower_bound} nodes {}", stats.expanded))
            }
            Ok(solution) => (at_once, format!("no proof nodes {}", solution.stats.expanded)),
            Err(why) => (at_once, why.to_string()),
        };
        // Fewer moves are better, so the evaluation is negative.
        let comment = format!("score -{} {details}", state.made() as usize + path.len());
        (path, comment)
    }
}
