//! The places where a unit fits with its pivot in one row.

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
    row: i32,
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
            let anchor = row + piece.rise(rotation);
            *fit = RotationFit { row: anchor, offset: piece.offset(rotation, anchor), free: 0 };
            // A turn about a far pivot leads off the board, or back to it far away.
            let is_near = (fit.offset - spawn_offset).abs() <= 6 * (width + height);
            if (0..height).contains(&anchor) && is_near {
                fit.free = free[rotation * piece.height() + anchor as usize];
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
        let anchor = column - fit.offset;
        let is_free = (0..self.width).contains(&anchor) && fit.free >> anchor & 1 != 0;
        is_free.then(|| self.bucket(rotation, anchor))
    }

    /// Returns the bucket of a rotation with the anchor in a column.
    #[inline]
    pub fn bucket(&self, rotation: usize, anchor: i32) -> usize {
        rotation * self.width as usize + anchor as usize
    }

    /// Returns the position of a place where the unit fits.
    pub fn position(&self, rotation: usize, column: i32) -> UnitPosition {
        let fit = &self.fits[rotation];
        let anchor = column - fit.offset;
        UnitPosition { rotation: rotation as u8, row: fit.row as u16, column: anchor as u16 }
    }
}
