//! Chamber tree of a Voronoi region: the part of it that a cycle can still use.
//!
//! A region consists of chambers joined by single cells, the *doors* (articulation points). A cycle
//! that passes a door cannot come back. The chambers thus form a tree with the head as root, and a
//! cycle gets what lies on one path down the tree. Chambers and doors are the *parts* of a region.

use super::bitboards::{Bitboard, Cell};

/// Returns the candidates for doors: cells whose neighbours in the region are not connected around
/// the cell. A candidate is a door if its neighbours are not connected elsewhere either.
#[inline(always)]
pub fn cuts<P: Bitboard>(region: P) -> P {
    let (up, down) = (region.shift_down(), region.shift_up());
    let (left, right) = (region.shift_right(), region.shift_left());
    let corners = [
        (up, right, up.shift_left()),
        (right, down, down.shift_left()),
        (down, left, down.shift_right()),
        (left, up, up.shift_right()),
    ];
    // A cut has more than one part in its ring of neighbours. The number of parts is that of the
    // free sides less those joined by a corner to the next side.
    let (mut ends, mut more) = (P::NONE, P::NONE);
    for (side, next, corner) in corners {
        // A part ends at a side whose corner or next side is missing.
        let end = side.and_not(next.and(corner));
        more = more.or(ends.and(end));
        ends = ends.or(end);
    }
    more.and(region)
}

/// The counts of a part of a region, or of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChamberPart {
    /// Number of cells of each colour of a chessboard.
    pub cells: [i32; 2],
    /// Number of free neighbours of all of them together.
    pub neighbours: i32,
    /// Whether it touches the region of another player.
    pub front: bool,
}

impl ChamberPart {
    /// Returns the counts of both parts together.
    pub fn with(self, other: ChamberPart) -> ChamberPart {
        ChamberPart {
            cells: [self.cells[0] + other.cells[0], self.cells[1] + other.cells[1]],
            neighbours: self.neighbours + other.neighbours,
            front: self.front | other.front,
        }
    }
}

/// Measure of a set of cells.
pub trait ChamberMeasure<P> {
    /// Returns the counts of the set as a part.
    fn part(&self, cells: P) -> ChamberPart;
    /// Returns the counts of one cell, which is faster.
    fn cell(&self, cell: Cell) -> ChamberPart;
}

/// Score of a path down the tree.
pub trait PathScore {
    /// Value of a path.
    type Value: Copy + PartialOrd;

    /// Returns the value of a path that ends in this part, entered from a cell of colour `from`.
    fn end(&self, part: &ChamberPart, from: usize) -> Self::Value;
    /// Returns the value of a path that leaves this part by a cell of colour `last` with the value
    /// `beyond`. It entered from a cell of colour `from`.
    fn onward(
        &self,
        part: &ChamberPart,
        from: usize,
        last: usize,
        beyond: Self::Value,
    ) -> Self::Value;
}

/// Largest number of parts, including the head: the bits of a mask.
const MOST: usize = 64;

/// The parts of a region as a graph; its memory is reused for each region.
#[derive(Default)]
pub struct ChamberTree {
    /// Parts: the head, then the candidates for doors, then the rooms. A room is a set of connected
    /// cells without a candidate.
    parts: Vec<ChamberPart>,
    /// Cells of the head and the candidates.
    cells: Vec<Cell>,
    /// Mask of the parts that each part touches.
    links: Vec<u64>,
}

impl ChamberTree {
    /// Divides a region at the candidates `cuts`, see [`cuts`]. Returns `false` if there are too
    /// many parts.
    #[inline(always)]
    pub fn divide<P: Bitboard>(
        &mut self,
        region: P,
        head: Cell,
        cuts: P,
        measure: &impl ChamberMeasure<P>,
    ) -> bool {
        self.clear();
        if cuts.count() as usize >= MOST / 2 {
            return false;
        }
        self.cells.push(head);
        cuts.each(|cell| self.cells.push(cell));
        let mut doors = cuts;
        doors.insert(head);
        self.add_cells(&doors, measure);
        let mut rooms = region.and_not(cuts);
        while let Some(cell) = rooms.any() {
            if self.parts.len() == MOST {
                return false;
            }
            let room = rooms.flood_fill_from(cell);
            rooms = rooms.and_not(room);
            let number = self.parts.len();
            self.parts.push(measure.part(room));
            self.links.push(0);
            room.dilate().and(doors).each(|cell| self.link(number, cell));
        }
        true
    }

    fn clear(&mut self) {
        self.parts.clear();
        self.cells.clear();
        self.links.clear();
    }

    /// Adds the parts of one cell, the head and the candidates (`doors`), and links them to each
    /// other.
    #[inline(always)]
    fn add_cells<P: Bitboard>(&mut self, doors: &P, measure: &impl ChamberMeasure<P>) {
        self.links.resize(self.cells.len(), 0);
        for number in 0..self.cells.len() {
            let cell = self.cells[number];
            // The head's cell is occupied, so it counts for nothing.
            self.parts.push(if number == 0 { ChamberPart::default() } else { measure.cell(cell) });
            for beside in cell.neighbours() {
                // This test avoids the scan in `link` for most neighbours.
                if doors.has(beside) {
                    self.link(number, beside);
                }
            }
        }
    }

    /// Links a part to the head or candidate at a cell.
    fn link(&mut self, number: usize, cell: Cell) {
        if let Some(other) = self.cells.iter().position(|&known| known == cell) {
            self.links[number] |= 1 << other;
            self.links[other] |= 1 << number;
        }
    }

    /// Returns the score of the best path from the head; `None` if there is no path.
    pub fn best<S: PathScore>(&self, score: &S) -> Option<S::Value> {
        let mut search =
            CutSearch { tree: self, score, met: 0, order: [0; MOST], best: [None; MOST] };
        search.visit(0);
        search.best[0]
    }
}

/// Tarjan's search for articulation points and blocks, on parts. Rooms are never doors. A chamber
/// is complete once everything beyond it is, so the best path is found on the way back.
struct CutSearch<'a, S: PathScore> {
    tree: &'a ChamberTree,
    score: &'a S,
    /// Number of visited parts.
    met: u32,
    /// Order in which the parts were visited, from 1; 0 for the others.
    order: [u32; MOST],
    /// Value of the best path beyond each door.
    best: [Option<S::Value>; MOST],
}

impl<S: PathScore> CutSearch<'_, S> {
    /// Returns the earliest part in search order that this part, or one found from it, touches.
    /// Also returns the mask of those parts that are in no chamber yet.
    fn visit(&mut self, part: usize) -> (u32, u64) {
        self.met += 1;
        let number = self.met;
        self.order[part] = number;
        let is_cell = part < self.tree.cells.len();
        let (mut first, mut open) = (number, 1 << part);
        for next in bits(self.tree.links[part]) {
            let known = self.order[next];
            if known != 0 {
                first = first.min(known);
                continue;
            }
            let (touched, found) = self.visit(next);
            if is_cell && touched >= number {
                self.close(part, found);
            } else {
                open |= found;
                first = first.min(touched);
            }
        }
        (first, open)
    }

    /// Closes the chamber of these parts behind a door.
    fn close(&mut self, door: usize, members: u64) {
        let ChamberTree { parts, cells, .. } = self.tree;
        let whole =
            bits(members).map(|part| parts[part]).fold(ChamberPart::default(), ChamberPart::with);
        let from = cells[door].colour();
        let mut best = self.score.end(&whole, from);
        for exit in bits(members) {
            if let Some(beyond) = self.best[exit] {
                let last = cells[exit].colour();
                best = greater(best, self.score.onward(&whole, from, last, beyond));
            }
        }
        self.best[door] = Some(self.best[door].map_or(best, |known| greater(known, best)));
    }
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

fn greater<W: PartialOrd>(one: W, two: W) -> W {
    if two > one {
        two
    } else {
        one
    }
}

#[cfg(test)]
mod tests {
    use super::super::bitboards::SmallGrid;
    use super::super::reference::{bitboard, RandomGrid};
    use super::*;
    use arbitre_games::rng::Rng;

    /// Reference: counts the runs of sides in the ring of eight neighbours.
    fn is_cut(region: &SmallGrid, cell: Cell) -> bool {
        let steps = [(-64, 0), (-64, 1), (0, 1), (64, 1), (64, 0), (64, -1), (0, -1), (-64, -1)];
        let ring =
            steps.map(|(row, column)| region.has(Cell(cell.0.wrapping_add_signed(row + column))));
        let sides = (0..8).step_by(2).filter(|&at| ring[at]);
        let ends = sides.filter(|&at| !(ring[at + 1] && ring[(at + 2) % 8]));
        region.has(cell) && ends.count() > 1
    }

    #[test]
    fn cuts_have_separate_neighbours() {
        let mut rng = Rng::new(2);
        for _ in 0..500 {
            let grid = RandomGrid::new(&mut rng, (9, 8), (9, 8));
            let region: SmallGrid = bitboard(&grid.free, grid.width);
            let cuts = cuts(region);
            for cell in (0..grid.free.len()).map(|cell| grid.cell(cell)) {
                assert_eq!(cuts.has(cell), is_cut(&region, cell), "{region:?} {cell:?}");
            }
        }
    }
}
