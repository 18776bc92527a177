//! Compact board: a 64-bit number for each side, with its pits, its captures and the total of its
//! row. A move is two additions and a capture without loops, and the sides are exchanged for free.
//!
//! The bytes of a side, lowest first:
//!
//! | bytes | hold |
//! |---|---|
//! | 0..=5 | its pits in sowing order |
//! | 6 | the seeds that it captured |
//! | 7 | the seeds in its row |
//!
//! A game has 48 seeds, so a byte never carries into the next. A table can therefore hold the
//! change of *all* bytes as one wrapped number. Bytes that decrease borrow from their neighbours
//! inside the table, and the sum with a board pays the borrow back exactly.

use super::tables::{LAST, MANY, SOWING, TOTAL};
use super::GrandSlam;
use std::fmt;

/// Number of seeds in a game.
pub const SEEDS: u8 = 48;
/// Number of pits in a row.
pub const ROW: usize = 6;
/// Number of pits in both rows.
pub const PITS: usize = 12;

/// Index of the byte of the captures in a side.
const CAPTURED: usize = 6;
/// Mask of the lowest 6 bytes, a row of pits.
const ROW_MASK: u64 = 0xFFFF_FFFF_FFFF;
/// A one in each byte of a row.
const ONES: u64 = 0x0101_0101_0101;
/// A two in each byte of a row.
const TWOS: u64 = 2 * ONES;
/// All bits of a row except the lowest of each byte, in which 2 and 3 agree.
const ALL_BUT_LOWEST: u64 = 0xFE * ONES;
/// Addend that sets the top bit of each pit of the mover's row with at least one seed.
const OCCUPIED: u64 = 0x7F7F_7F7F_7F7F;
/// Addend that sets the top bit of each pit of the mover's row whose seeds reach the opponent. Pit
/// `p` needs `6 - p` seeds, so its byte is `0x80 - (6 - p)`.
const REACHING: u64 = 0x7F7E_7D7C_7B7A;
/// Largest number of seeds in a capture: 3 from each of 6 pits.
const LARGEST_CAPTURE: u8 = 18;

/// A pit of the mover's row, 0..=5 from the mover's left, which is the order of sowing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pit(u8);

impl Pit {
    /// Pit 0.
    pub const FIRST: Pit = Pit(0);

    /// Returns the pit with this number, if it is in 0..=5.
    pub const fn new(number: usize) -> Option<Pit> {
        if number < ROW {
            Some(Pit(number as u8))
        } else {
            None
        }
    }

    /// Returns the number of the pit, 0..=5.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the pits of a mask, bit `p` for pit `p`, in ascending order.
    ///
    /// ```
    /// use arbitre_games::games::awele::Pit;
    /// let pits: Vec<usize> = Pit::of_mask(0b100101).map(Pit::index).collect();
    /// assert_eq!(pits, [0, 2, 5]);
    /// ```
    pub fn of_mask(mask: u8) -> impl Iterator<Item = Pit> {
        let mut left = mask & ((1 << ROW) - 1);
        std::iter::from_fn(move || {
            let pit = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (pit < ROW as u8).then_some(Pit(pit))
        })
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A board from the side of the player to move.
///
/// ```
/// use arbitre_games::games::awele::{Board, GrandSlam, Pit};
/// let board = Board::START.after(Pit::new(2).unwrap(), GrandSlam::Nothing);
/// assert_eq!(board.pits(), [5, 4, 4, 4, 4, 4, 4, 4, 0, 5, 5, 5]);
/// assert_eq!(board.legal(GrandSlam::Nothing), 0b111111);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// Side of the player to move.
    own: u64,
    /// Side of the opponent.
    other: u64,
}

impl Board {
    /// The initial board: four seeds in every pit.
    pub const START: Board = Board::new([4; PITS], [0; 2]);

    /// Creates a board from its pits, the mover's six first, and captures, the mover's first.
    ///
    /// # Panics
    /// Panics with more than [`SEEDS`] seeds in all, which would not fit the tables.
    pub const fn new(pits: [u8; PITS], captures: [u8; 2]) -> Board {
        let mut sides =
            [(captures[0] as u64) << (8 * CAPTURED), (captures[1] as u64) << (8 * CAPTURED)];
        let mut seeds = captures[0] as usize + captures[1] as usize;
        let mut pit = 0;
        while pit < PITS {
            seeds += pits[pit] as usize;
            assert!(seeds <= SEEDS as usize, "a board holds 48 seeds at most");
            sides[pit / ROW] += (pits[pit] as u64) << (8 * (pit % ROW));
            sides[pit / ROW] += (pits[pit] as u64) << (8 * TOTAL);
            pit += 1;
        }
        assert!(seeds <= SEEDS as usize, "a board holds 48 seeds at most");
        Board { own: sides[0], other: sides[1] }
    }

    /// Returns the sides of the mover and of the opponent, for hash tables; equal boards have equal
    /// sides.
    #[inline]
    pub const fn sides(self) -> [u64; 2] {
        [self.own, self.other]
    }

    /// Returns the seeds of each pit, the mover's six first, both rows in sowing order.
    #[inline]
    pub fn pits(self) -> [u8; PITS] {
        std::array::from_fn(|pit| byte(self.sides()[pit / ROW], pit % ROW))
    }

    /// Returns the seeds captured by the mover and by the opponent.
    #[inline]
    pub fn captures(self) -> [u8; 2] {
        self.sides().map(|side| byte(side, CAPTURED))
    }

    /// Returns the seeds in the mover's row and in the opponent's.
    #[inline]
    pub fn totals(self) -> [u8; 2] {
        self.sides().map(|side| byte(side, TOTAL))
    }

    /// Returns the legal moves as a mask, bit `p` for pit `p`.
    ///
    /// Grand slams apart, a move can starve the opponent only if the row opposite is empty already.
    /// Sowing takes nothing from that row, and a smaller capture leaves a seed. Feeding therefore
    /// means to reach an empty row. If no pit reaches it, no move is legal.
    #[inline]
    pub fn legal(self, rule: GrandSlam) -> u8 {
        let feeding = self.feeding();
        match rule {
            GrandSlam::Illegal | GrandSlam::IllegalUnlessOnly => self.without_slams(feeding, rule),
            _ => feeding,
        }
    }

    /// Returns the legal moves among those of the mask `feeding`, where grand slams are illegal.
    #[inline(never)]
    fn without_slams(self, feeding: u8, rule: GrandSlam) -> u8 {
        match feeding & !self.slams(feeding) {
            0 if rule == GrandSlam::IllegalUnlessOnly => feeding,
            others => others,
        }
    }

    /// Returns the board after sowing from `pit` and capturing, from the side of the next player.
    ///
    /// The move must be legal. A grand slam captures everything under the rules that make it
    /// illegal, as it does where no other move is left.
    #[inline]
    pub fn after(self, pit: Pit, rule: GrandSlam) -> Board {
        let (sown, taken) = self.sow(pit);
        let taken = if sown.is_slam(taken) { spare(taken, rule) } else { taken };
        sown.capture(taken).exchanged()
    }

    /// Returns the opponent's occupied pits as a mask, bit `p` for its pit `p`.
    #[inline]
    pub fn opposing_mask(self) -> u8 {
        top_bits(self.opposing_row() + OCCUPIED)
    }

    /// Visits each predecessor by a move without capture, for retrograde analysis.
    ///
    /// A predecessor with several such moves is visited once for each. Grand slams count as moves
    /// without capture.
    #[inline]
    pub fn for_each_origin(self, mut found: impl FnMut(Board)) {
        let sown = self.exchanged();
        // No legal move without capture leaves the row of the next player empty.
        if sown.opposing_row() == 0 {
            return;
        }
        let own = top_bits((sown.own & ROW_MASK) + OCCUPIED);
        let occupied = u32::from(own) | u32::from(sown.opposing_mask()) << ROW;
        let around = occupied | occupied << PITS;
        // The origin is empty after the move, as sowing skips it on every lap.
        for pit in Pit::of_mask(!own).map(Pit::index) {
            // An empty pit received no seed, so neither a sowing that ends there nor a longer one
            // was the move.
            let mut most = (around >> (pit + 1)).trailing_ones() as usize;
            while most >= PITS - 1 && sown.unsow(pit, most).pit(LAST[pit][most + 1].into()) > 0 {
                most += 1;
            }
            for seeds in 1..=most {
                if !sown.captures_by(SOWING[pit][seeds % MANY].walk) {
                    found(sown.unsow(pit, seeds));
                }
            }
        }
    }

    /// Returns `true` if the move would capture every seed of the opponent's row.
    #[inline]
    pub fn grand_slam(self, pit: Pit) -> bool {
        let (sown, taken) = self.sow(pit);
        sown.is_slam(taken)
    }

    /// Returns the same board from the side of the other player.
    #[inline]
    pub const fn exchanged(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// Returns the seeds of a pit, the mover's six first.
    #[inline]
    const fn pit(self, pit: usize) -> u8 {
        byte(self.sides()[pit / ROW], pit % ROW)
    }

    /// Returns the occupied pits, or those that reach the opponent's row if it is empty.
    #[inline]
    fn feeding(self) -> u8 {
        let needed = match self.opposing_row() {
            0 => REACHING,
            _ => OCCUPIED,
        };
        top_bits((self.own & ROW_MASK) + needed)
    }

    /// Returns the pits of `mask` whose move is a grand slam.
    #[inline]
    fn slams(self, mask: u8) -> u8 {
        // A row of more seeds than the largest capture cannot be captured as a whole.
        if byte(self.other, TOTAL) > LARGEST_CAPTURE {
            return 0;
        }
        Pit::of_mask(mask)
            .filter(|pit| self.grand_slam(*pit))
            .fold(0, |slams, pit| slams | 1 << pit.0)
    }

    /// Returns the board after sowing and before capturing, still from the mover's side.
    ///
    /// The second value is the bytes of the opponent's row that the walk back would capture.
    #[inline]
    fn sow(self, pit: Pit) -> (Board, u64) {
        let sowing = SOWING[pit.index()][byte(self.own, pit.index()) as usize % MANY];
        // The entries are wrapped differences, so the sums must wrap as well.
        let own = self.own.wrapping_add(sowing.own);
        let other = self.other.wrapping_add(sowing.other);
        let sown = Board { own, other };
        (sown, sown.taken(sowing.walk))
    }

    /// Returns the bytes of the opponent's row that are captured by a walk back over `walk`.
    ///
    /// A pit stops the walk if it holds neither 2 nor 3: its byte differs from 2 above the lowest
    /// bit. The highest such byte and everything below it stay.
    #[inline]
    fn taken(self, walk: u64) -> u64 {
        let row = self.opposing_row();
        let stops = (row ^ TWOS) & ALL_BUT_LOWEST & walk;
        // A byte below the row holds a stop, so that there is one, at this bit.
        let highest = 63 - (stops << 8 | 1).leading_zeros();
        // `| 7` rounds to whole bytes, so that everything up to the highest stop stays.
        let up_to_stop = ((2 << (highest | 7)) - 1) >> 8;
        row & walk & !up_to_stop
    }

    /// Returns `true` if a walk back over `walk` captures, where a grand slam does not.
    #[inline]
    fn captures_by(self, walk: u64) -> bool {
        let taken = self.taken(walk);
        taken != 0 && !self.is_slam(taken)
    }

    /// Returns the board before sowing `seeds` seeds from `pit`.
    #[inline]
    fn unsow(self, pit: usize, seeds: usize) -> Board {
        let sowing = SOWING[pit][seeds % MANY];
        let own = self.own.wrapping_sub(sowing.own);
        Board { own, other: self.other.wrapping_sub(sowing.other) }
    }

    /// Returns the mover's row and the opponent's, each as six bytes in sowing order, lowest first.
    #[inline]
    pub const fn rows(self) -> [u64; 2] {
        [self.own & ROW_MASK, self.opposing_row()]
    }

    /// Returns the board with these rows, in the form of [`rows`](Board::rows), and no captures.
    ///
    /// The rows must have at most 48 seeds.
    #[inline]
    pub const fn of_rows([own, other]: [u64; 2]) -> Board {
        Board {
            own: own | row_total(own) << (8 * TOTAL),
            other: other | row_total(other) << (8 * TOTAL),
        }
    }

    const fn opposing_row(self) -> u64 {
        self.other & ROW_MASK
    }

    /// Returns `true` if `taken` is the whole opponent's row, and not empty.
    #[inline]
    fn is_slam(self, taken: u64) -> bool {
        taken != 0 && taken == self.opposing_row()
    }

    /// Moves the bytes `taken` of the opponent's row to the mover's captures.
    #[inline]
    fn capture(self, taken: u64) -> Board {
        let seeds = row_total(taken);
        Board {
            own: self.own + (seeds << (8 * CAPTURED)),
            other: self.other - taken - (seeds << (8 * TOTAL)),
        }
    }
}

impl fmt::Display for Board {
    /// Writes the twelve pits, then the mover's and the opponent's captures.
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

/// Returns a byte of a side.
#[inline]
const fn byte(side: u64, at: usize) -> u8 {
    (side >> (8 * at)) as u8
}

/// Returns the bytes that a grand slam captures under `rule`, out of all bytes `taken`.
fn spare(taken: u64, rule: GrandSlam) -> u64 {
    match rule {
        GrandSlam::Nothing => 0,
        GrandSlam::TakeButLast => taken & !(0xFF << (taken.trailing_zeros() & !7)),
        _ => taken,
    }
}

/// Returns the top bit of each of the six bytes of a row, as a mask.
///
/// The factor moves the bit of byte `i` by `56 - 7 i` to bit `56 + i`. No two partial products
/// meet, so there is no carry.
fn top_bits(row: u64) -> u8 {
    ((row >> 7 & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Returns the number of seeds of a row.
///
/// The product with [`ONES`] has the sum of all six bytes in its sixth byte.
const fn row_total(row: u64) -> u64 {
    row.wrapping_mul(ONES) >> 40 & 0xFF
}
