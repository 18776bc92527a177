use super::Grid;

pub struct Area(pub u32);

impl Area {
    pub fn of(grid: &Grid) -> Area {
        Area(grid.width * grid.height())
    }
}
