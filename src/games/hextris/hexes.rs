//! Coordinates of the honeycomb. Odd rows are displaced half a cell to the right. In axial
//! coordinates every step is a translation, and every turn is linear with integer coefficients.

/// A cell as problems write it: column `x` and row `y`, from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

/// A cell, or its offset from another, in axial coordinates. `q` grows to the right; one row down
/// with the same `q` is one step south-east.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AxialCoord {
    /// The row. It comes first so that cells are sorted from the top.
    pub y: i32,
    /// The axial column.
    pub q: i32,
}

impl Cell {
    /// Returns the axial coordinates.
    #[inline]
    pub const fn axial(self) -> AxialCoord {
        AxialCoord { y: self.y, q: self.x - self.y.div_euclid(2) }
    }
}

impl AxialCoord {
    /// Returns the cell as problems write it.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell { x: self.q + self.y.div_euclid(2), y: self.y }
    }

    /// Returns the offset of this cell from another.
    #[inline]
    pub const fn from(self, other: AxialCoord) -> AxialCoord {
        AxialCoord { y: self.y - other.y, q: self.q - other.q }
    }

    /// Returns the cell at an offset.
    #[inline]
    pub const fn plus(self, offset: AxialCoord) -> AxialCoord {
        AxialCoord { y: self.y + offset.y, q: self.q + offset.q }
    }

    /// Returns an offset a sixth of a turn clockwise.
    #[inline]
    pub const fn clockwise(self) -> AxialCoord {
        AxialCoord { q: -self.y, y: self.q + self.y }
    }
}
