//! The compact board: pits, captures and row totals in one 128-bit number, so that a move is a
//! packed addition and a position is copied as 16 bytes.
//!
//! Byte by byte, lowest first, always from the mover's side of the table:
//!
//! | bytes | hold |
//! |---|---|
//! | 0..=5 | the mover's pits in sowing order |
//! | 6..=11 | the opponent's pits in sowing order |
//! | 12, 13 | the seeds captured by the mover, by the opponent |
//! | 14, 15 | the seeds in the mover's row, in the opponent's |
//!
//! There are 48 seeds at most, so a byte never carries into the next. A table may therefore hold
//! what a move adds to *all* bytes as one wrapped number: the bytes it takes from borrow from
//! their neighbours inside the table, and the sum with a board pays that back exactly.

use super::tables::{LAST, SOWING, TOTAL, WALK};
use super::GrandSlam;
use std::fmt;

/// The seeds of a game.
pub const SEEDS: u8 = 48;
/// The pits of one row.
pub const ROW: usize = 6;
/// The pits of both rows.
pub const PITS: usize = 12;

/// The first byte of the captures.
const CAPTURED: usize = 12;
/// The lowest 6 bytes: a row of pits.
const ROW_MASK: u64 = 0xFFFF_FFFF_FFFF;
/// One in each byte of a row.
const ONES: u64 = 0x0101_0101_0101;
/// Two in each byte of a row.
const TWOS: u64 = 2 * ONES;
/// All bits but the lowest of each byte of a row: 2 and 3 agree in them.
const ALL_BUT_LOWEST: u64 = 0xFE * ONES;
/// Added to the mover's row, it sets the top bit of each pit with at least one seed.
const OCCUPIED: u64 = 0x7F7F_7F7F_7F7F;
/// Added to the mover's row, it sets the top bit of each pit whose seeds reach the opponent: pit
/// `p` needs `6 - p` of them, so its byte is `0x80 - (6 - p)`.
const REACHING: u64 = 0x7F7E_7D7C_7B7A;
/// A capture takes 2 or 3 seeds from each of 6 pits at most.
const LARGEST_CAPTURE: u8 = 18;

/// A pit of the mover's row, counted from the mover's left, which is the order of sowing: 0..=5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pit(u8);

impl Pit {
    /// Pit 0.
    pub const FIRST: Pit = Pit(0);

    /// The pit with this number, if it is one.
    pub const fn new(number: usize) -> Option<Pit> {
        if number < ROW {
            Some(Pit(number as u8))
        } else {
            None
        }
    }

    /// Its number, 0..=5.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The pits of a mask, bit `p` for pit `p`, in ascending order.
    ///
    /// ```
    /// use arbitre_games::games::awele::Pit;
    /// let pits: Vec<usize> = Pit::of_mask(0b100101).map(Pit::index).collect();
    /// assert_eq!(pits, [0, 2, 5]);
    /// ```
    pub fn of_mask(mask: u8) -> impl Iterator<Item = Pit> {
        (0..ROW as u8).filter(move |pit| mask >> pit & 1 != 0).map(Pit)
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A board as the player to move sees it.
///
/// ```
/// use arbitre_games::games::awele::{Board, GrandSlam, Pit};
/// let board = Board::START.after(Pit::new(2).unwrap(), GrandSlam::Nothing);
/// assert_eq!(board.pits(), [5, 4, 4, 4, 4, 4, 4, 4, 0, 5, 5, 5]);
/// assert_eq!(board.legal(GrandSlam::Nothing), 0b111111);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(u128);

impl Board {
    /// Four seeds in every pit.
    pub const START: Board = Board::new([4; PITS], [0; 2]);

    /// The board with these pits, the mover's six first, and captures, the mover's first.
    ///
    /// # Panics
    /// With more than [`SEEDS`] seeds in all, which would not fit the tables.
    pub const fn new(pits: [u8; PITS], captures: [u8; 2]) -> Board {
        let mut bytes = [0; 16];
        bytes[CAPTURED] = captures[0];
        bytes[CAPTURED + 1] = captures[1];
        let mut seeds = captures[0] as usize + captures[1] as usize;
        let mut pit = 0;
        while pit < PITS {
            seeds += pits[pit] as usize;
            assert!(seeds <= SEEDS as usize, "a board holds 48 seeds at most");
            bytes[pit] = pits[pit];
            bytes[TOTAL + pit / ROW] += pits[pit];
            pit += 1;
        }
        assert!(seeds <= SEEDS as usize, "a board holds 48 seeds at most");
        Board(u128::from_le_bytes(bytes))
    }

    /// All 16 bytes as one number, equal for equal boards: what a hash table mixes.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The seeds in each pit, the mover's six first, both rows in sowing order.
    pub fn pits(self) -> [u8; PITS] {
        std::array::from_fn(|pit| self.byte(pit))
    }

    /// The seeds captured by the mover and by the opponent.
    pub fn captures(self) -> [u8; 2] {
        [self.byte(CAPTURED), self.byte(CAPTURED + 1)]
    }

    /// The seeds in the mover's row and in the opponent's.
    pub fn totals(self) -> [u8; 2] {
        [self.byte(TOTAL), self.byte(TOTAL + 1)]
    }

    /// The legal moves as a mask, bit `p` for pit `p`.
    ///
    /// Only where the opponent's row is empty can a move fail to leave a seed there, grand slams
    /// apart: sowing takes nothing from that row and a lesser capture leaves something. So feeding
    /// asks no more than to reach an empty row. Where no pit reaches it, nothing is legal.
    #[inline]
    pub fn legal(self, rule: GrandSlam) -> u8 {
        let feeding = self.feeding();
        match rule {
            GrandSlam::Illegal => feeding & !self.slams(feeding),
            GrandSlam::IllegalUnlessOnly => match feeding & !self.slams(feeding) {
                0 => feeding,
                others => others,
            },
            _ => feeding,
        }
    }

    /// The board after sowing from `pit` and capturing, as the next player to move sees it.
    ///
    /// Sensible for a legal move only. A grand slam captures everything also where `rule` makes it
    /// illegal, as it does when it is the only move.
    #[inline]
    pub fn after(self, pit: Pit, rule: GrandSlam) -> Board {
        let (sown, taken) = self.sow(pit);
        let taken = if sown.is_slam(taken) { spare(taken, rule) } else { taken };
        sown.capture(taken).exchanged()
    }

    /// The opponent's pits with at least one seed as a mask, bit `p` for its pit `p`.
    pub fn opposing_mask(self) -> u8 {
        top_bits(self.opposing_row() + OCCUPIED)
    }

    /// Every board from which a move that captures nothing leads to this one, once for each such
    /// move, where a grand slam captures nothing. Walking backwards is what retrograde analysis does.
    #[inline]
    pub fn for_each_origin(self, mut found: impl FnMut(Board)) {
        let sown = self.exchanged();
        if sown.byte(TOTAL + 1) == 0 {
            return; // The other row was fed, or not empty before.
        }
        for pit in (0..ROW).filter(|&pit| sown.byte(pit) == 0) {
            let mut origin = sown;
            for (seeds, &last) in (1..).zip(&LAST[pit][1..]) {
                if origin.byte(last.into()) == 0 {
                    break;
                }
                origin = origin.take_back(pit, last.into());
                if !sown.captures_by(WALK[pit][seeds]) {
                    found(origin);
                }
            }
        }
    }

    /// Would this move capture every seed of the opponent's row?
    pub fn grand_slam(self, pit: Pit) -> bool {
        let (sown, taken) = self.sow(pit);
        sown.is_slam(taken)
    }

    /// The same board as the other player sees it.
    #[inline]
    pub const fn exchanged(self) -> Board {
        const ROWS: u128 = (1 << 96) - 1;
        const FIRST_OF_PAIR: u32 = 0x00FF_00FF;
        let rows = (self.0 & ROWS) >> 48 | (self.0 << 48 & ROWS);
        let pairs = (self.0 >> 96) as u32;
        let pairs = (pairs & FIRST_OF_PAIR) << 8 | (pairs >> 8 & FIRST_OF_PAIR);
        Board(rows | (pairs as u128) << 96)
    }

    #[inline]
    const fn byte(self, at: usize) -> u8 {
        (self.0 >> (8 * at)) as u8
    }

    /// The occupied pits, or where the opponent has no seed those that reach its row.
    fn feeding(self) -> u8 {
        let needed = match self.byte(TOTAL + 1) {
            0 => REACHING,
            _ => OCCUPIED,
        };
        top_bits((self.0 as u64 & ROW_MASK) + needed)
    }

    /// Those of the pits in `mask` whose move would be a grand slam.
    fn slams(self, mask: u8) -> u8 {
        if self.byte(TOTAL + 1) > LARGEST_CAPTURE {
            return 0;
        }
        Pit::of_mask(mask)
            .filter(|pit| self.grand_slam(*pit))
            .fold(0, |slams, pit| slams | 1 << pit.0)
    }

    /// The board after sowing and before capturing, still from the mover's side, and the bytes of
    /// the opponent's row that the walk back would take.
    ///
    /// A pit stops the walk if it holds neither 2 nor 3, which is a byte that differs from 2 above
    /// its lowest bit. The highest such byte and everything below it are not taken.
    #[inline]
    fn sow(self, pit: Pit) -> (Board, u64) {
        let (pit, seeds) = (pit.index(), self.byte(pit.index()) as usize);
        let sown = Board(self.0.wrapping_add(SOWING[pit][seeds]));
        (sown, sown.taken(WALK[pit][seeds]))
    }

    /// The bytes of the opponent's row that a walk back over these bytes takes.
    #[inline]
    fn taken(self, walk: u64) -> u64 {
        let row = self.opposing_row();
        let stops = (row ^ TWOS) & ALL_BUT_LOWEST & walk;
        let up_to_stop = (1 << (64 - (stops.leading_zeros() & !7))) - 1;
        row & walk & !up_to_stop
    }

    /// Does this walk back capture, where a grand slam does not?
    #[inline]
    fn captures_by(self, walk: u64) -> bool {
        let taken = self.taken(walk);
        taken != 0 && !self.is_slam(taken)
    }

    /// The board with a seed of pit `from` back in pit `to` of the mover's row.
    #[inline]
    fn take_back(self, to: usize, from: usize) -> Board {
        let one = |pit: usize| 1 << (8 * pit) | 1 << (8 * (TOTAL + pit / ROW));
        Board(self.0 + one(to) - one(from))
    }

    /// The mover's row and the opponent's, each as six bytes in sowing order, the first the lowest.
    #[inline]
    pub const fn rows(self) -> [u64; 2] {
        [self.0 as u64 & ROW_MASK, self.opposing_row()]
    }

    /// The board with these rows, in the form of [`rows`](Board::rows), and nothing captured.
    ///
    /// Sensible for rows of 48 seeds at most.
    #[inline]
    pub const fn of_rows([own, other]: [u64; 2]) -> Board {
        let totals = row_total(own) | row_total(other) << 8;
        Board(own as u128 | (other as u128) << 48 | (totals as u128) << (8 * TOTAL))
    }

    const fn opposing_row(self) -> u64 {
        (self.0 >> 48) as u64 & ROW_MASK
    }

    /// Is something taken, and nothing left of the opponent's row?
    fn is_slam(self, taken: u64) -> bool {
        taken != 0 && taken == self.opposing_row()
    }

    /// Moves the taken bytes of the opponent's row to the mover's captures. The product with
    /// [`ONES`] holds in its sixth byte the sum of all six, 18 at most.
    #[inline]
    fn capture(self, taken: u64) -> Board {
        let seeds = u128::from(row_total(taken));
        Board(self.0 - (u128::from(taken) << 48) - (seeds << 120) + (seeds << 96))
    }
}

impl fmt::Display for Board {
    /// The twelve pits, then the mover's and the opponent's captures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pits().iter().try_for_each(|seeds| write!(f, "{seeds} "))?;
        let [mine, theirs] = self.captures();
        write!(f, "{mine} {theirs}")
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// What a grand slam takes under a rule, of the pits that it would take.
fn spare(taken: u64, rule: GrandSlam) -> u64 {
    match rule {
        GrandSlam::Nothing => 0,
        GrandSlam::TakeButLast => taken & !(0xFF << (taken.trailing_zeros() & !7)),
        _ => taken,
    }
}

/// The top bit of each of the six bytes of a row, as a mask.
///
/// The factor moves the bit of byte `i` by `56 - 7 i`, to bit `56 + i`; no two of the partial
/// products meet, so nothing carries.
fn top_bits(row: u64) -> u8 {
    ((row >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The seeds of a row: the product with [`ONES`] holds in its sixth byte the sum of all six.
const fn row_total(row: u64) -> u64 {
    row.wrapping_mul(ONES) >> 40 & 0xFF
}
