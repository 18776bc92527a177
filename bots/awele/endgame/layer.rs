//! One layer: the seeds that both sides can force on each board with a given number of seeds. It is
//! packed as in the files `OWARELH1`.
//!
//! A file has a header of 56 bytes with little-endian numbers, and the packed values:
//!
//! | bytes | hold |
//! |---|---|
//! | 0..8 | `OWARELH1` |
//! | 8..40 | eight numbers of 32 bits: seeds, A, V, P, mode, G, w, 0 |
//! | 40..56 | two of 64 bits: how many boards there are, how many bytes follow |
//!
//! With more than 24 seeds on the board, not every difference matters. A side that forces 25 has
//! won, and forcing A = seeds - 25 or less is as good as nothing. A forced number of seeds
//! therefore has V levels. A pair of levels has one of P = V (V + 1) / 2 *values*. With m for the
//! mover, o for the other and s = m + o, the value is s (s + 1) / 2 + m.

use super::index::LayerIndex;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, SEEDS};
use std::ops::Deref;
use std::sync::Arc;

/// Least number of the seeds on the board that each side gets by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreBounds {
    /// Seeds of the side to move.
    pub mover: u8,
    /// Seeds of the other side.
    pub other: u8,
}

/// First bytes of every file.
const MAGIC: &[u8; 8] = b"OWARELH1";
/// Length of the header, in bytes.
const HEADER: usize = 56;
/// Number of forced seeds that wins, whatever was captured before.
const ENOUGH: u8 = SEEDS / 2 + 1;

/// How values are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Packing {
    /// Mode 0: so many digits of base P to a byte, the first board's the lowest.
    Digits(usize),
    /// Mode 1: fields of this number of bits from the lowest bit of the first byte on, and two more
    /// bytes, so that two can be read at any field.
    Bits(usize),
    /// Mode 2: two bytes, the lowest first.
    Words,
}

/// Parameters of a layer that follow from its number of seeds.
#[derive(Clone, Debug)]
pub struct LayerShape {
    seeds: u8,
    /// A: the most that is as good as nothing.
    floor: u8,
    /// V: how many levels a force has.
    levels: u8,
    /// The levels of each of the P values, the mover's and the other's.
    values: Vec<[u8; 2]>,
    packing: Packing,
}

impl LayerShape {
    /// Creates the shape of a layer with `seeds` seeds, 48 at most.
    pub fn new(seeds: u8) -> LayerShape {
        let (floor, levels) = match seeds.checked_sub(ENOUGH) {
            Some(floor) => (floor, ENOUGH + 1 - floor),
            None => (0, seeds + 1),
        };
        let pairs = |sum: u8| (0..=sum).map(move |mover| [mover, sum - mover]);
        let values: Vec<[u8; 2]> = (0..levels).flat_map(pairs).collect();
        let packing = match (values.len(), width(values.len())) {
            (257.., _) => Packing::Words,
            (17.., width @ ..8) => Packing::Bits(width),
            (count, _) => Packing::Digits(digits(count)),
        };
        LayerShape { seeds, floor, levels, values, packing }
    }

    /// Returns the highest level.
    pub fn top(&self) -> u8 {
        self.levels - 1
    }

    /// Returns the level of a forced number of seeds.
    #[inline]
    pub fn level(&self, seeds: u8) -> u8 {
        seeds.saturating_sub(self.floor).min(self.top())
    }

    /// What a level says for sure.
    fn at_least(&self, level: u8) -> u8 {
        match level {
            0 => 0,
            _ => self.floor + level,
        }
    }

    /// The bytes that so many packed values take.
    fn bytes(&self, size: usize) -> usize {
        match self.packing {
            Packing::Digits(digits) => size.div_ceil(digits),
            Packing::Bits(width) => (size * width).div_ceil(8) + 2,
            Packing::Words => 2 * size,
        }
    }

    /// The header of a layer of this shape and size.
    fn header(&self, size: usize) -> [u8; HEADER] {
        let count = self.values.len();
        let mode = match self.packing {
            Packing::Digits(_) => 0,
            Packing::Bits(_) => 1,
            Packing::Words => 2,
        };
        let [seeds, floor, levels] = [self.seeds, self.floor, self.levels].map(usize::from);
        let short = [seeds, floor, levels, count, mode, digits(count), width(count), 0];
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        for (at, number) in header[8..40].chunks_exact_mut(4).zip(short) {
            at.copy_from_slice(&(number as u32).to_le_bytes());
        }
        for (at, number) in header[40..].chunks_exact_mut(8).zip([size, self.bytes(size)]) {
            at.copy_from_slice(&(number as u64).to_le_bytes());
        }
        header
    }
}

/// The value of two levels.
fn value([mover, other]: [u8; 2]) -> usize {
    let sum = usize::from(mover + other);
    sum * (sum + 1) / 2 + usize::from(mover)
}

/// G: how many digits of this base fit in a byte, of three at most.
fn digits(base: usize) -> usize {
    (1..=3).rev().find(|&digits| base.pow(digits) <= 256).unwrap_or(1) as usize
}

/// w: how many bits hold the numbers below this one, one at least.
fn width(count: usize) -> usize {
    count.next_power_of_two().trailing_zeros().max(1) as usize
}

/// Bytes of a layer's file, in memory or mapped.
pub type LayerBytes = Arc<dyn Deref<Target = [u8]> + Send + Sync>;

/// A layer of the tables, in the bytes of its file.
#[derive(Clone)]
pub struct Layer {
    shape: LayerShape,
    index: LayerIndex,
    file: LayerBytes,
}

impl Layer {
    /// Packs the levels of all boards of a layer. `levels` maps the index of a board to the levels
    /// of the mover and the other.
    pub fn pack(shape: LayerShape, index: LayerIndex, levels: impl Fn(usize) -> [u8; 2]) -> Layer {
        let size = index.size() as usize;
        let mut file = Vec::with_capacity(HEADER + shape.bytes(size));
        file.extend(shape.header(size));
        let value = |number| value(levels(number));
        match shape.packing {
            Packing::Digits(digits) => {
                for first in (0..size).step_by(digits) {
                    let digits = (first..size.min(first + digits)).rev().map(value);
                    let byte = digits.fold(0, |byte, digit| byte * shape.values.len() + digit);
                    file.push(byte as u8);
                }
            }
            Packing::Bits(width) => {
                for first in (0..size).step_by(8) {
                    let fields = (first..size.min(first + 8)).rev().map(value);
                    let bits = fields.fold(0, |bits, field| bits << width | field as u64);
                    file.extend(&bits.to_le_bytes()[..width]);
                }
                file.resize(HEADER + shape.bytes(size), 0);
            }
            Packing::Words => {
                (0..size).for_each(|number| file.extend((value(number) as u16).to_le_bytes()));
            }
        }
        Layer { shape, index, file: Arc::new(file) }
    }

    /// Opens the file of a layer. Only its header and length are read.
    ///
    /// # Errors
    /// Returns an error if either is invalid.
    pub fn open(file: LayerBytes) -> Result<Layer, ParseError> {
        let expected = |what: &str| Err(ParseError::new(format!("expected {what}")));
        if !file.starts_with(MAGIC) || file.len() < HEADER {
            return expected("a layer of an endgame table, which begins with OWARELH1");
        }
        let seeds = u32::from_le_bytes(file[8..12].try_into().expect("four bytes"));
        if seeds > SEEDS.into() {
            return expected(&format!("a layer of {SEEDS} seeds at most, got {seeds}"));
        }
        let (shape, index) = (LayerShape::new(seeds as u8), LayerIndex::new(seeds as usize));
        let size = index.size() as usize;
        if file[..HEADER] != shape.header(size) {
            return expected(&format!("the header of a layer of {seeds} seeds"));
        }
        let length = HEADER + shape.bytes(size);
        if file.len() != length {
            return expected(&format!("{length} bytes, got {}", file.len()));
        }
        Ok(Layer { shape, index, file })
    }

    /// Checks that every value is one of this layer. A value changed to another one is not noticed
    /// here: see [`verify`](super::verify).
    ///
    /// # Errors
    /// Returns an error that names the first board with an impossible value.
    pub fn check(&self) -> Result<(), ParseError> {
        let mut boards = 0..self.index.size() as usize;
        match boards.find(|&number| self.value(number) >= self.shape.values.len()) {
            Some(number) => {
                Err(ParseError::new(format!("expected a value of this layer for board {number}")))
            }
            None => Ok(()),
        }
    }

    /// Returns the bytes of the file.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Returns the number of seeds on its boards.
    pub fn seeds(&self) -> u8 {
        self.shape.seeds
    }

    /// Returns `bounds` rounded down to the levels of the layer, which it can distinguish.
    pub fn known(&self, bounds: ScoreBounds) -> ScoreBounds {
        let known = |seeds| self.shape.at_least(self.shape.level(seeds));
        ScoreBounds { mover: known(bounds.mover), other: known(bounds.other) }
    }

    /// Returns the index of its boards.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Returns the seeds that both sides can force on a board, unless the opponent's row is full.
    ///
    /// The number of seeds must be that of the layer.
    #[inline]
    pub fn look(&self, board: Board) -> Option<ScoreBounds> {
        let number = self.index.rank(board)? as usize;
        // An impossible value, which only a damaged file has, says nothing.
        let levels = self.shape.values.get(self.value(number));
        let [mover, other] = levels.copied().unwrap_or_default();
        Some(ScoreBounds { mover: self.shape.at_least(mover), other: self.shape.at_least(other) })
    }

    #[inline]
    fn value(&self, number: usize) -> usize {
        let packed = &self.file[HEADER..];
        match self.shape.packing {
            Packing::Digits(1) => packed[number].into(),
            Packing::Digits(digits) => {
                let base = self.shape.values.len();
                let above =
                    usize::from(packed[number / digits]) / base.pow((number % digits) as u32);
                match number % digits + 1 == digits {
                    true => above,
                    false => above % base,
                }
            }
            Packing::Bits(width) => {
                let (byte, shift) = (number * width / 8, number * width % 8);
                let two = u16::from_le_bytes([packed[byte], packed[byte + 1]]);
                usize::from(two) >> shift & ((1 << width) - 1)
            }
            Packing::Words => {
                u16::from_le_bytes([packed[2 * number], packed[2 * number + 1]]).into()
            }
        }
    }
}
