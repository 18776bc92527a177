//! Perft on boards alone, without a position for each node.

use super::{Board, Pit, Position, Rules, HALF, SHORTEST_CYCLE};

/// Returns the same number as [`State::leaves`].
pub fn leaves(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.end().is_some() {
        return 0;
    }
    let path = position.boards_since_capture().split_last().map_or(&[][..], |(_, before)| before);
    let mut line = Line { rules: *position.rules(), path: path.to_vec(), ply: position.ply() };
    line.leaves(position.board(), path.len(), depth)
}

/// A line of play from the position.
struct Line {
    rules: Rules,
    /// Boards before the current one. Those before the last capture of the line stay, too.
    path: Vec<Board>,
    /// Plies since the start of the game.
    ply: u32,
}

impl Line {
    /// Counts the leaves below a board that comes `quiet` plies after the last capture.
    fn leaves(&mut self, board: Board, quiet: usize, depth: u32) -> u64 {
        if self.ends(board, quiet) {
            return 0;
        }
        let moves = board.legal(self.rules.grand_slam);
        if depth == 1 {
            return moves.count_ones().into();
        }
        let [own, _] = board.captures();
        self.path.push(board);
        self.ply += 1;
        let mut leaves = 0;
        for pit in Pit::of_mask(moves) {
            let after = board.after(pit, self.rules.grand_slam);
            let quiet = if after.captures()[1] == own { quiet + 1 } else { 0 };
            leaves += match depth {
                // Most of all calls would be for these.
                2 if self.ends(after, quiet) => 0,
                2 => after.legal(self.rules.grand_slam).count_ones().into(),
                _ => self.leaves(after, quiet, depth - 1),
            };
        }
        self.ply -= 1;
        self.path.pop();
        leaves
    }

    /// Returns whether the game is over. Boards without a legal move need no test.
    #[inline]
    fn ends(&self, board: Board, quiet: usize) -> bool {
        let is_won = board.captures().iter().any(|&seeds| seeds > HALF);
        let is_last = self.rules.max_plies.is_some_and(|most| self.ply >= most);
        is_won || is_last || self.is_repeated(board, quiet)
    }

    /// Returns whether a board ends the game by repetition.
    #[inline]
    fn is_repeated(&self, board: Board, quiet: usize) -> bool {
        let Some(rule) = self.rules.repetition else { return false };
        if quiet < SHORTEST_CYCLE {
            return false;
        }
        let before = self.path[self.path.len() - quiet..].iter().rev().skip(1).step_by(2);
        1 + before.filter(|earlier| **earlier == board).count() >= rule.occurrence.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Seat, State};
    use crate::games::awele::{Awele, Opening};
    use crate::rng::Rng;

    /// Plays random games and passes each position to `visit`.
    fn play(rules: &str, games: u64, mut visit: impl FnMut(&Position)) {
        let game = Awele::new(Rules::parse(rules).unwrap());
        for seed in 0..games {
            let mut rng = Rng::new(seed);
            let mut position = game.start(&Opening::default()).unwrap();
            while position.end().is_none() {
                visit(&position);
                let moves = position.moves(position.mover());
                position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
            }
            visit(&position);
        }
    }

    #[test]
    fn boards_count_like_positions() {
        let mut ended = 0;
        let rules = ["codingame", "abapa", "awari", "max-plies=40", "repetition=third:draw"];
        for rules in rules {
            play(rules, 10, |position| {
                let depth = if position.board().totals().iter().sum::<u8>() < 5 { 7 } else { 3 };
                let count = leaves(position, depth);
                assert_eq!(count, position.leaves(depth), "{position:?}");
                ended += u64::from(count == 0);
            });
        }
        assert!(ended > 50, "{ended} positions without leaves are too few");
    }

    /// Without the rule a line goes on where the other ends, so that equal numbers are no accident.
    #[test]
    fn repetitions_end_lines() {
        let board = Board::new([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], [23, 23]);
        let count = |rules: &str, depth| {
            let position = Position::new(Rules::parse(rules).unwrap(), board, Seat::FIRST);
            let count = leaves(&position, depth);
            assert_eq!(count, position.leaves(depth), "{rules}");
            count
        };
        assert!(count("abapa", 14) < count("abapa repetition=none", 14));
        assert_eq!(count("abapa", 12), count("abapa repetition=none", 12));
    }

    #[test]
    fn no_cycle_is_shorter() {
        let mut shortest = usize::MAX;
        play("abapa max-plies=none", 600, |position| {
            let boards = position.boards_since_capture();
            let mut before = boards.iter().rev().enumerate().step_by(2).skip(1);
            if let Some((plies, _)) = before.find(|(_, board)| **board == position.board()) {
                shortest = shortest.min(plies);
            }
        });
        assert_eq!(shortest, SHORTEST_CYCLE);
    }
}
