//! Origins: the boards before a move without capture, from tables by row.
//!
//! A sowing of less than a lap changes the two rows independently of each other. A table holds, for
//! each row of the player who moved, the rows before the sowings that end there. Another has those
//! before the sowings that put m seeds into the opponent's row. For each row of the opponent, a
//! third has the rows with m seeds less. Rows have numbers, so no index is computed.

use super::index::{open_rank, rank, SeedRows};
use super::tables::RULE;
use arbitre_games::games::awele::{Board, Pit, ROW};

/// In place of the number of a row that does not exist.
const NONE: u32 = u32::MAX;

/// Rows of a board by number: the mover's among all rows, the opponent's among open ones.
pub type RowPair = [u32; 2];

/// Tables of the origins of boards with up to some number of seeds.
pub struct Origins {
    /// All rows of these boards.
    pub(super) rows: SeedRows,
    /// For each open row of the player who moved, where its rows in `inside` begin; at the end,
    /// where the last ones end.
    first_inside: Vec<u32>,
    /// Rows before the sowings that end in the same row.
    inside: Vec<u32>,
    /// For each open row of the player who moved, the row before a sowing of 1 to 6 seeds into the
    /// opponent's row.
    beyond: Vec<[u32; ROW]>,
    /// For each row of the opponent, the open row before it received 0 to 6 seeds, if that captured
    /// nothing.
    received: Vec<[u32; ROW + 1]>,
}

impl Origins {
    /// Creates the tables for boards of up to `seeds` seeds.
    pub fn up_to(seeds: usize) -> Origins {
        let rows = SeedRows::up_to(seeds);
        let mut origins = Origins {
            first_inside: vec![0],
            inside: Vec::new(),
            beyond: Vec::with_capacity(rows.open.rows.len()),
            received: Vec::with_capacity(rows.all.rows.len()),
            rows,
        };
        for sum in 0..=seeds {
            for at in 0..origins.rows.open.of(sum).len() {
                origins.add_sowings(origins.rows.open.of(sum)[at], sum, seeds);
            }
            for &row in origins.rows.all.of(sum) {
                let received = std::array::from_fn(|gained| origins.before(row, sum, gained));
                origins.received.push(received);
            }
        }
        origins
    }

    /// Adds the sowings after which the player who moved has this row.
    fn add_sowings(&mut self, row: u64, sum: usize, seeds: usize) {
        let mut beyond = [NONE; ROW];
        for pit in (0..ROW).filter(|&pit| byte(row, pit) == 0) {
            let filled = (pit + 1..ROW).take_while(|&next| byte(row, next) > 0).count();
            let gave = |count: usize| row - ones(pit + 1, count);
            for count in 1..=filled {
                let before = gave(count) + ((count as u64) << (8 * pit));
                self.inside.push(self.number(before, sum));
            }
            if pit + filled + 1 == ROW {
                for gained in 1..=ROW.min(seeds - sum) {
                    let before = gave(filled) + (((filled + gained) as u64) << (8 * pit));
                    beyond[gained - 1] = self.number(before, sum + gained);
                }
            }
        }
        self.beyond.push(beyond);
        self.first_inside.push(self.inside.len() as u32);
    }

    fn number(&self, row: u64, sum: usize) -> u32 {
        (self.rows.all.first[sum] + rank(row, sum)) as u32
    }

    /// Returns the open row before each of the first `gained` pits received a seed.
    fn before(&self, row: u64, sum: usize, gained: usize) -> u32 {
        if row == 0 || (0..gained).any(|pit| byte(row, pit) == 0) {
            return NONE;
        }
        let (before, sum) = (row - ones(0, gained), sum - gained);
        if gained > 0 {
            let last = Pit::new(ROW - 1).expect("a row has six pits");
            let sown = Board::of_rows([(gained as u64) << (8 * (ROW - 1)), before]);
            if sown.after(last, RULE).captures()[1] > 0 {
                return NONE;
            }
        }
        open_rank(before, sum).map_or(NONE, |row| (self.rows.open.first[sum] + row) as u32)
    }

    /// Visits the rows of each board from which a move without capture leads to the board of these
    /// rows, once for each such move.
    #[inline]
    pub fn for_each(&self, [next, moved]: RowPair, mut found: impl FnMut(RowPair)) {
        let received = self.received[next as usize];
        // Moves of a lap and more fill the row of the opponent.
        if received[0] == NONE {
            return self.for_each_lap([next, moved], found);
        }
        let moved = moved as usize;
        let [first, end] = [moved, moved + 1].map(|row| self.first_inside[row] as usize);
        for &own in &self.inside[first..end] {
            found([own, received[0]]);
        }
        for (&own, &other) in self.beyond[moved].iter().zip(&received[1..]) {
            if own != NONE && other != NONE {
                found([own, other]);
            }
        }
    }

    /// Visits the same by the board, whatever the length of the moves.
    #[inline(never)]
    fn for_each_lap(&self, [next, moved]: RowPair, mut found: impl FnMut(RowPair)) {
        let (all, open) = (&self.rows.all, &self.rows.open);
        let board = Board::of_rows([all.rows[next as usize], open.rows[moved as usize]]);
        board.for_each_origin(|origin| {
            let ([own, other], [own_sum, sum]) = (origin.rows(), origin.totals().map(usize::from));
            if let Some(row) = open_rank(other, sum) {
                found([self.number(own, own_sum), (open.first[sum] + row) as u32]);
            }
        });
    }
}

/// Returns a row with one seed in each of `count` pits from `first` on.
fn ones(first: usize, count: usize) -> u64 {
    (first..first + count).fold(0, |row, pit| row | 1 << (8 * pit))
}

fn byte(row: u64, pit: usize) -> u8 {
    (row >> (8 * pit)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::endgame::index::LayerIndex;

    /// The tables find what the board finds, for every board of up to 9 seeds, and for those of
    /// 14 on which laps begin.
    #[test]
    fn origins_agree_with_the_board() {
        for (seeds, step) in (0..=9).map(|seeds| (seeds, 1)).chain([(14, 11)]) {
            let (index, origins) = (LayerIndex::new(seeds), Origins::up_to(seeds));
            let rows = &origins.rows;
            let starts = index.starts(rows);
            for number in (0..index.size()).step_by(step) {
                let board = index.board(rows, number);
                let mut expected = Vec::new();
                board.for_each_origin(|origin| expected.extend(index.rank(origin)));
                let mut got = Vec::new();
                let pair = index.rows(rows, number).map(|row| row as u32);
                origins.for_each(pair, |[own, other]| {
                    got.push(starts[other as usize].wrapping_add(own.into()));
                });
                expected.sort_unstable();
                got.sort_unstable();
                assert_eq!(got, expected, "{board}");
            }
        }
    }
}
