//! Self-play: games of an evaluation against itself at a fixed depth.

use super::records::Record;
use crate::awele::best::evaluation::Evaluation;
use crate::awele::best::search::{search, SearchMeans, Table};
use arbitre_games::game::{Seat, State};
use arbitre_games::games::awele::{Board, Position, Rules};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Largest number of random plies at the beginning of a game; the least is 2.
const OPENING: usize = 15;
/// A move later in the game is random once in this number.
const RANDOM: usize = 50;

/// Games of an evaluation against itself.
pub struct SelfPlay<'a> {
    /// Rules.
    pub rules: Rules,
    /// Evaluation.
    pub evaluation: &'a Evaluation,
    /// Depth of the searches in plies.
    pub depth: u32,
    /// Seed of all games.
    pub seed: u64,
}

impl SelfPlay<'_> {
    /// Plays a game and returns its records.
    pub fn game(&self, number: u64) -> Vec<Record> {
        let mut rng = Rng::new(self.seed).fork(number);
        let mut position = Position::new(self.rules, Board::START, Seat::FIRST);
        let mut random = 2 + rng.below(OPENING - 1);
        let mut searched: Vec<(Seat, Record)> = Vec::new();
        let mut table = Table::new(Table::ENTRIES_IN_A_MEGABYTE);
        while position.end().is_none() {
            let moves = position.moves(position.mover());
            if random > 0 || rng.below(RANDOM) == 0 {
                random = random.saturating_sub(1);
                position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
                continue;
            }
            table.next_search();
            let means = SearchMeans {
                evaluation: self.evaluation,
                table: &table,
                endgame: None,
                threads: 1,
            };
            let budget = Budget::depth(self.depth);
            let found = search(&position, position.legal_mask(), &means, budget, None);
            let (board, value) = (position.board(), found.value as i16);
            searched.push((position.mover(), Record { board, value, result: 0, is_last: false }));
            position.play_unchecked(position.mover(), found.best);
        }
        let scores = position.outcome().map_or(vec![0, 0], |outcome| outcome.scores);
        let mut records: Vec<Record> = searched
            .into_iter()
            .map(|(seat, record)| {
                let [own, other] = [seat, seat.other()].map(|seat| scores[seat.index()]);
                Record { result: (1 + (own - other).signum()) as u8, ..record }
            })
            .collect();
        records.iter_mut().next_back().into_iter().for_each(|last| last.is_last = true);
        records
    }
}
