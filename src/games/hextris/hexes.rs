//! Cells of the honeycomb. Rows are displaced, odd ones half a cell to the right; oblique coordinates make
//! every move a translation and every turn a matter of whole numbers.

/// A cell as problems write it: column `x` and row `y`, from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

/// A cell, or the way from one to another, in oblique coordinates: `q` grows to the right, and going down
/// a row without changing `q` is going down to the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AxialCoord {
    /// The row; it comes first, so that cells are sorted from the top.
    pub y: i32,
    /// The oblique column.
    pub q: i32,
}

impl Cell {
    /// In oblique coordinates.
    #[inline]
    pub const fn axial(self) -> AxialCoord {
        AxialCoord { y: self.y, q: self.x - self.y.div_euclid(2) }
    }
}

impl AxialCoord {
    /// As problems write it.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell { x: self.q + self.y.div_euclid(2), y: self.y }
    }

    /// The way from another cell to this one.
    #[inline]
    pub const fn from(self, other: AxialCoord) -> AxialCoord {
        AxialCoord { y: self.y - other.y, q: self.q - other.q }
    }

    /// The cell that this way leads to.
    #[inline]
    pub const fn plus(self, way: AxialCoord) -> AxialCoord {
        AxialCoord { y: self.y + way.y, q: self.q + way.q }
    }

    /// A way, a sixth of a turn clockwise.
    #[inline]
    pub const fn clockwise(self) -> AxialCoord {
        AxialCoord { q: -self.y, y: self.q + self.y }
    }
}
