//! A module with a module inside, and one in a file.

mod area;

pub use area::Area;
pub use Side::*;

pub enum Side {
    Width,
    Height,
}

/// A grid, of which a method has the name of a field.
pub struct Grid {
    pub width: u32,
    height: u32,
}

impl Grid {
    pub fn new(width: u32, height: u32) -> Grid {
        Grid { width, height }
    }

    pub fn larger(&self) -> Side {
        if self.width > self.height {
            return Side::Width;
        }
        Side::Height
    }

    fn height(&self) -> u32 {
        inner::height(self)
    }
}

mod inner {
    use super::*;

    pub(in crate::parts) fn height(grid: &Grid) -> u32 {
        grid.height
    }
}
