//! Index of a board among all boards with the same number of seeds.
//!
//! Only boards with an empty pit in the opponent's row have an index: after every move the pit just
//! sown from is one. They are ordered by the seeds in the opponent's row, then by that row, then by
//! the mover's row. Rows are in lexicographic order.
//!
//! The index of a row among those with its sum follows from its five suffix sums (R_i, the seeds of
//! pits i..=5). It is a sum of binomials from tables.

use arbitre_games::games::awele::{Board, ROW, SEEDS};

/// Number of possible sums of a row, from zero to all seeds.
const SUMS: usize = SEEDS as usize + 1;
/// A one in each byte of a row.
const ONES: u64 = 0x0101_0101_0101;
/// Addend that sets the top bit of each pit of a row with at least one seed.
const OCCUPIED: u64 = 0x7F7F_7F7F_7F7F;
/// Mask of the top bit of each pit.
const TOPS: u64 = 0x8080_8080_8080;
/// Number of suffix sums that identify a row: those of all pits except the first.
const SUFFIXES: usize = ROW - 1;

/// What the suffix sums subtract from the number of a row: `BEYOND[i - 1][R_i]`. A sum fits in 6
/// bits, so a masked one needs no check of bounds.
type Beyond = [[u32; 64]; SUFFIXES];

/// Table for a row among all rows of its sum.
static ALL: Beyond = beyond(None);
/// Tables for a row among those with an empty pit, by its first empty pit.
static OPEN: [Beyond; ROW] = {
    let mut tables = [[[0; 64]; SUFFIXES]; ROW];
    let mut first = 0;
    while first < ROW {
        tables[first] = beyond(Some(first));
        first += 1;
    }
    tables
};

/// The last number of an open row, by its sum and its first empty pit, before what the suffix sums
/// take off.
static LAST_OPEN: [[usize; ROW]; SUMS] = {
    let mut last = [[0; ROW]; SUMS];
    let mut sum = 0;
    while sum < SUMS {
        last[sum] = [rows_of(sum) - 1 - full_rows_of(sum); ROW];
        last[sum][0] = rows_of(sum) - 1;
        sum += 1;
    }
    last
};

/// How many rows have this sum.
const fn rows_of(sum: usize) -> usize {
    binomial(sum + ROW - 1, ROW - 1)
}

/// How many of them have no empty pit.
const fn full_rows_of(sum: usize) -> usize {
    match sum {
        0 => 0,
        _ => binomial(sum - 1, ROW - 1),
    }
}

const fn binomial(n: usize, k: usize) -> usize {
    if k > n {
        return 0;
    }
    let (mut product, mut i) = (1, 0);
    while i < k {
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

/// Of the rows behind a row, those that differ first in pit `i - 1` are as many as there are ways
/// to put fewer than R_i seeds into the pits from i on. Among rows with an empty pit, those without
/// one drop out: they agree with the row up to its first empty pit at most.
const fn beyond(first_empty: Option<usize>) -> Beyond {
    let mut table = [[0; 64]; SUFFIXES];
    let mut i = 1;
    while i < ROW {
        let mut rest = 0;
        while rest < SUMS {
            let all = binomial(rest + ROW - 1 - i, ROW - i);
            let full = match first_empty {
                Some(first) if i < first && rest > 0 => binomial(rest - 1, ROW - i),
                Some(first) if i == first => binomial(rest, ROW - i),
                _ => 0,
            };
            table[i - 1][rest] = (all - full) as u32;
            rest += 1;
        }
        i += 1;
    }
    table
}

/// The suffix sums from pit 1 on, a byte each, of a row with this sum. The product holds the prefix
/// sums.
#[inline]
fn suffixes(row: u64, sum: usize) -> u64 {
    (sum as u64 * ONES).wrapping_sub(row.wrapping_mul(ONES))
}

#[inline]
fn less_beyond(last: usize, table: &Beyond, suffixes: u64) -> usize {
    let sum_of = |i: usize| table[i][(suffixes >> (8 * i) & 63) as usize];
    last - (sum_of(0) + sum_of(1) + sum_of(2) + sum_of(3) + sum_of(4)) as usize
}

/// The number of a row among all rows of its sum.
#[inline]
pub(super) fn rank(row: u64, sum: usize) -> usize {
    less_beyond(rows_of(sum) - 1, &ALL, suffixes(row, sum))
}

/// The number of a row among the open rows of its sum, if it is one.
#[inline]
pub(super) fn open_rank(row: u64, sum: usize) -> Option<usize> {
    let empty = empty_pits(row);
    if empty == 0 {
        return None;
    }
    let first = empty.trailing_zeros() as usize / 8;
    Some(less_beyond(LAST_OPEN[sum][first], &OPEN[first], suffixes(row, sum)))
}

/// The pits of a row that are empty, by their top bits.
#[inline]
fn empty_pits(row: u64) -> u64 {
    !(row + OCCUPIED) & TOPS
}

/// All rows of every sum up to a maximum, in the form of [`Board::rows`]. They are ordered by their
/// sum, then lexicographically.
pub struct SeedRows {
    /// All rows.
    pub(super) all: RowList,
    /// Rows with an empty pit.
    pub(super) open: RowList,
}

impl SeedRows {
    /// Creates the rows of up to `seeds` seeds.
    pub fn up_to(seeds: usize) -> SeedRows {
        let all: Vec<Vec<u64>> = (0..=seeds).map(|sum| rows_in_order(ROW, sum)).collect();
        let open = |rows: &Vec<u64>| {
            let open = rows.iter().filter(|&&row| empty_pits(row) != 0);
            open.copied().collect()
        };
        let open: Vec<Vec<u64>> = all.iter().map(open).collect();
        SeedRows { all: RowList::new(&all), open: RowList::new(&open) }
    }
}

/// Rows, each with a number of its own.
pub(super) struct RowList {
    pub rows: Vec<u64>,
    /// The first number of the rows of each sum, and the end of all.
    pub first: Vec<usize>,
}

impl RowList {
    fn new(by_sum: &[Vec<u64>]) -> RowList {
        let mut first = vec![0];
        first.extend(by_sum.iter().scan(0, |end, rows| {
            *end += rows.len();
            Some(*end)
        }));
        RowList { rows: by_sum.concat(), first }
    }

    /// Returns the rows of a sum.
    pub fn of(&self, sum: usize) -> &[u64] {
        &self.rows[self.first[sum]..self.first[sum + 1]]
    }

    /// Returns the sum of the row with this number.
    pub fn sum(&self, number: usize) -> usize {
        self.first.partition_point(|&first| first <= number) - 1
    }
}

/// The rows of the last `pits` pits with this sum, in lexicographic order.
fn rows_in_order(pits: usize, sum: usize) -> Vec<u64> {
    let at = 8 * (ROW - pits);
    match pits {
        1 => vec![(sum as u64) << at],
        _ => {
            let with = |first: usize| {
                let rest = rows_in_order(pits - 1, sum - first).into_iter();
                rest.map(move |row| row | (first as u64) << at)
            };
            (0..=sum).flat_map(with).collect()
        }
    }
}

/// Index of the boards of one layer, which have the same number of seeds.
#[derive(Clone, Debug)]
pub struct LayerIndex {
    seeds: usize,
    /// The first number of the boards with `k` seeds in the opponent's row, and the end of all.
    base: [u64; SUMS + 1],
    /// How many boards share an opponent's row of `k` seeds.
    width: [u64; SUMS],
}

impl LayerIndex {
    /// Creates the index of the boards with `seeds` seeds, 48 at most.
    pub fn new(seeds: usize) -> LayerIndex {
        let mut index = LayerIndex { seeds, base: [0; SUMS + 1], width: [0; SUMS] };
        for sum in 0..=seeds {
            let (all, full) = (rows_of(sum), full_rows_of(sum));
            index.width[sum] = rows_of(seeds - sum) as u64;
            index.base[sum + 1] = index.base[sum] + (all - full) as u64 * index.width[sum];
        }
        index
    }

    /// Returns the number of boards.
    pub fn size(&self) -> u64 {
        self.base[self.seeds + 1]
    }

    /// Returns the index of a board, if its opponent's row has an empty pit; captures are ignored.
    ///
    /// The number of seeds must be that of the layer.
    #[inline]
    pub fn rank(&self, board: Board) -> Option<u64> {
        let [own, other] = board.rows();
        let [own_sum, sum] = board.totals().map(usize::from);
        let row = open_rank(other, sum)?;
        Some(self.base[sum] + row as u64 * self.width[sum] + rank(own, own_sum) as u64)
    }

    /// Returns the board with index `number`.
    ///
    /// # Panics
    /// Panics if there is no such board.
    pub fn board(&self, rows: &SeedRows, number: u64) -> Board {
        let [own, other] = self.rows(rows, number);
        Board::of_rows([rows.all.rows[own], rows.open.rows[other]])
    }

    /// Returns the numbers of the rows of the board with index `number`: that of the mover's among
    /// all rows, and that of the opponent's among open ones.
    ///
    /// # Panics
    /// Panics if there is no such board.
    pub fn rows(&self, rows: &SeedRows, number: u64) -> [usize; 2] {
        let sum = self.base[..=self.seeds].partition_point(|&base| base <= number) - 1;
        let within = number - self.base[sum];
        let [row, own] = [within / self.width[sum], within % self.width[sum]];
        [rows.all.first[self.seeds - sum] + own as usize, rows.open.first[sum] + row as usize]
    }

    /// Returns what to add to the number of the mover's row, for each open row of the opponent. The
    /// sum is the index of the board. Numbers are wrapped.
    pub fn starts(&self, rows: &SeedRows) -> Vec<u64> {
        let starts = (0..=self.seeds).flat_map(|sum| {
            let first = self.base[sum].wrapping_sub(rows.all.first[self.seeds - sum] as u64);
            let count = rows.open.of(sum).len() as u64;
            (0..count).map(move |row| first.wrapping_add(row * self.width[sum]))
        });
        starts.collect()
    }

    /// Returns the number of opponent's rows, each with one run of consecutive boards.
    pub fn runs(&self, rows: &SeedRows) -> usize {
        rows.open.first[self.seeds + 1]
    }

    /// Returns the boards of a run, and the index of the first.
    ///
    /// # Panics
    /// Panics if there is no such run.
    pub fn run<'r>(
        &self,
        rows: &'r SeedRows,
        run: usize,
    ) -> (u64, impl Iterator<Item = Board> + 'r) {
        let (sum, other) = (rows.open.sum(run), rows.open.rows[run]);
        let boards =
            rows.all.of(self.seeds - sum).iter().map(move |&own| Board::of_rows([own, other]));
        let row = run - rows.open.first[sum];
        (self.base[sum] + row as u64 * self.width[sum], boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every board of a layer in the order of the numbers, as the words above have it.
    fn boards_in_order(seeds: u8) -> Vec<[u8; 12]> {
        fn rows(pits: usize, sum: u8) -> Vec<Vec<u8>> {
            if pits == 0 {
                return if sum == 0 { vec![Vec::new()] } else { Vec::new() };
            }
            let with = |first: u8| {
                let rest = rows(pits - 1, sum - first).into_iter();
                rest.map(move |row| [vec![first], row].concat())
            };
            (0..=sum).flat_map(with).collect()
        }
        let mut boards = Vec::new();
        for sum in 0..=seeds {
            for other in rows(6, sum).iter().filter(|row| row.contains(&0)) {
                for own in rows(6, seeds - sum) {
                    boards.push(std::array::from_fn(|i| [&own[..], other].concat()[i]));
                }
            }
        }
        boards
    }

    #[test]
    fn boards_are_numbered_in_order() {
        for seeds in 0..=9 {
            let (index, rows) = (LayerIndex::new(seeds.into()), SeedRows::up_to(seeds.into()));
            let boards = boards_in_order(seeds);
            assert_eq!(index.size(), boards.len() as u64);
            for (number, pits) in (0..).zip(boards) {
                let board = Board::new(pits, [0, 0]);
                assert_eq!(index.rank(board), Some(number), "{board}");
                assert_eq!(index.board(&rows, number), board);
            }
        }
    }

    #[test]
    fn boards_without_an_empty_pit_have_no_number() {
        let board = Board::new([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 0]);
        assert_eq!(LayerIndex::new(7).rank(board), None);
    }

    #[test]
    fn runs_hold_every_board_once() {
        let (index, rows) = (LayerIndex::new(8), SeedRows::up_to(8));
        let mut next = 0;
        for run in 0..index.runs(&rows) {
            let (first, boards) = index.run(&rows, run);
            assert_eq!(first, next);
            for board in boards {
                assert_eq!(index.rank(board), Some(next));
                next += 1;
            }
        }
        assert_eq!(next, index.size());
    }

    /// How many boards there are with up to so many seeds, as published with the strong solution of
    /// these rules (jh85/smallgames, 2026), and with all 48: one less than Romein and Bal's count,
    /// which has the full board in it.
    #[test]
    fn layers_have_the_published_sizes() {
        let up_to = |seeds| (0..=seeds).map(|n| LayerIndex::new(n).size()).sum::<u64>();
        let published = [
            (8, 125_879),
            (12, 2_685_592),
            (15, 17_089_930),
            (18, 83_789_069),
            (24, 1_165_184_475),
            (28, 5_038_499_440),
        ];
        published.into_iter().for_each(|(seeds, size)| assert_eq!(up_to(seeds), size, "{seeds}"));
        assert_eq!(up_to(48) - LayerIndex::new(47).size(), 889_063_398_405);
    }
}
