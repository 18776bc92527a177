//! The places where a unit fits with its pivot in one row (see [`super`]).

use arbitre_games::games::hextris::{Piece, Row, UnitPosition};

/// The places of a unit whose pivot is in a row. Columns are the pivot's, in axial coordinates.
pub struct RowFit {
    width: i32,
    /// Fits by rotation, that of the spawn first.
    fits: [RotationFit; 6],
    /// First column of the pivot, and the one after the last.
    span: (i32, i32),
}

#[derive(Clone, Copy, Default)]
struct RotationFit {
    /// The row of the anchor.
    anchor_row: i32,
    /// The column of the pivot when the anchor is in column 0.
    offset: i32,
    /// Columns of the anchor in which the unit fits, as bits.
    free: Row,
}

impl RowFit {
    /// Returns the number of buckets for all columns and rotations of a unit.
    pub fn buckets(piece: &Piece) -> usize {
        piece.positions() / piece.height()
    }

    /// Creates the places for a row of the pivot. `free` are the positions in which the unit fits,
    /// as [`Piece::free`] writes them.
    pub fn new(piece: &Piece, free: &[Row], row: i32) -> RowFit {
        let (width, height) = (piece.width() as i32, piece.height() as i32);
        let mut fits = [RotationFit::default(); 6];
        let mut span = (i32::MAX, i32::MIN);
        let spawn_offset = piece.offset(0, row + piece.rise(0));
        for (rotation, fit) in fits[..piece.period()].iter_mut().enumerate() {
            let anchor_row = row + piece.rise(rotation);
            *fit = RotationFit { anchor_row, offset: piece.offset(rotation, anchor_row), free: 0 };
            // With the pivot far beside the board, half a turn leads to the other side of it. The
            // rotation still fits on the board, but only for a pivot far on the other side. Such
            // columns would make `span` as long as the pivot is far. No path reaches them: a turn
            // stays on the board, so it changes the offset by `width` at most, and six turns by
            // less than this limit.
            let is_near = (fit.offset - spawn_offset).abs() <= 6 * (width + height);
            if (0..height).contains(&anchor_row) && is_near {
                fit.free = free[rotation * piece.height() + anchor_row as usize];
            }
            if fit.free != 0 {
                let last = Row::BITS - fit.free.leading_zeros();
                span.0 = span.0.min(fit.offset + fit.free.trailing_zeros() as i32);
                span.1 = span.1.max(fit.offset + last as i32);
            }
        }
        RowFit { width, fits, span }
    }

    /// Returns the columns of the pivot.
    pub fn columns(&self) -> std::ops::Range<i32> {
        self.span.0..self.span.1
    }

    /// Returns the bucket of a place, if the unit fits there.
    #[inline]
    pub fn place(&self, rotation: usize, column: i32) -> Option<usize> {
        let fit = &self.fits[rotation];
        let anchor_column = column - fit.offset;
        let is_on_board = (0..self.width).contains(&anchor_column);
        let is_free = is_on_board && fit.free >> anchor_column & 1 != 0;
        is_free.then(|| self.bucket(rotation, anchor_column))
    }

    /// Returns the bucket of a rotation with the anchor in a column.
    #[inline]
    pub fn bucket(&self, rotation: usize, anchor_column: i32) -> usize {
        rotation * self.width as usize + anchor_column as usize
    }

    /// Returns the position of a place where the unit fits.
    pub fn position(&self, rotation: usize, column: i32) -> UnitPosition {
        let fit = &self.fits[rotation];
        let column = (column - fit.offset) as u16;
        UnitPosition { rotation: rotation as u8, row: fit.anchor_row as u16, column }
    }
}
