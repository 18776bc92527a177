//! What is in a zone for a cycle that must leave some of it behind.
//!
//! A zone falls into chambers, which hang together by single cells, the *doors*: whoever goes through
//! one does not come back. So chambers form a tree whose root is the head, and a cycle gets what lies
//! on one way down. Chambers and doors are the *parts* of a zone.

use super::bitboards::{Bitboard, Cell};

/// The cells of a zone whose neighbours within it are not connected around them: where they are
/// nowhere else either, such a cell is a door.
#[inline(always)]
pub fn cuts<P: Bitboard>(region: P) -> P {
    let (up, down) = (region.above_to_here(), region.below_to_here());
    let (left, right) = (region.left_to_here(), region.right_to_here());
    let corners = [
        (up, right, up.right_to_here()),
        (right, down, down.right_to_here()),
        (down, left, down.left_to_here()),
        (left, up, up.left_to_here()),
    ];
    // Parts of the ring of neighbours: as many as there are sides, less those that a corner joins to
    // the next. More than one part is a cut.
    let (mut ends, mut more) = (P::NONE, P::NONE);
    for (side, next, corner) in corners {
        // A part ends at a side whose corner or next side is missing.
        let end = side.without(next.and(corner));
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

/// What is in a set of cells.
pub trait ChamberMeasure<P> {
    /// The set as a part.
    fn part(&self, cells: P) -> ChamberPart;
    /// The same of one cell, which takes less time.
    fn cell(&self, cell: Cell) -> ChamberPart;
}

/// What a way down the tree is to be judged by.
pub trait PathScore {
    /// What it is worth.
    type Value: Copy + PartialOrd;

    /// Of a way that ends in this part; it was entered from a cell of the colour `from`.
    fn end(&self, part: &ChamberPart, from: usize) -> Self::Value;
    /// Of a way that goes on from a cell of the colour `last`.
    fn onward(
        &self,
        part: &ChamberPart,
        from: usize,
        last: usize,
        beyond: Self::Value,
    ) -> Self::Value;
}

/// The most parts that are told apart: the bits of a mask, one of them for the head.
const MOST: usize = 64;

/// The parts of a zone as a graph. It keeps its memory from zone to zone.
#[derive(Default)]
pub struct ChamberTree {
    /// The head, then the cells that may be doors, then rooms: connected cells of which none can be
    /// a door.
    parts: Vec<ChamberPart>,
    /// Where the head and the cells that may be doors are.
    cells: Vec<Cell>,
    /// The parts that each part touches, as masks.
    links: Vec<u64>,
}

impl ChamberTree {
    /// Divides a zone. `cuts` are its cells that may be doors, see [`cuts`]. Returns whether there are
    /// few enough parts.
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
        let mut rooms = region.without(cuts);
        while let Some(cell) = rooms.any() {
            if self.parts.len() == MOST {
                return false;
            }
            let room = rooms.reach(cell);
            rooms = rooms.without(room);
            let number = self.parts.len();
            self.parts.push(measure.part(room));
            self.links.push(0);
            room.spread().and(doors).each(|cell| self.link(number, cell));
        }
        true
    }

    fn clear(&mut self) {
        self.parts.clear();
        self.cells.clear();
        self.links.clear();
    }

    /// Adds the parts of one cell, which are where `doors` are, and links them to each other.
    #[inline(always)]
    fn add_cells<P: Bitboard>(&mut self, doors: &P, measure: &impl ChamberMeasure<P>) {
        self.links.resize(self.cells.len(), 0);
        for number in 0..self.cells.len() {
            let cell = self.cells[number];
            // What is under the head is taken already.
            self.parts.push(if number == 0 { ChamberPart::default() } else { measure.cell(cell) });
            for beside in cell.beside() {
                // Most are not, and need not be looked for.
                if doors.has(beside) {
                    self.link(number, beside);
                }
            }
        }
    }

    /// Links a part to the head or the door that is this cell.
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

/// Tarjan's search for articulation points and the blocks between them, on parts: rooms are no
/// doors. A chamber is known when all beyond it is, so that the best way is found on the way back.
struct CutSearch<'a, S: PathScore> {
    tree: &'a ChamberTree,
    score: &'a S,
    /// The parts that were come to, and in which order; 0 for those that were not.
    met: u32,
    order: [u32; MOST],
    /// What the best way on from each door is worth.
    best: [Option<S::Value>; MOST],
}

impl<S: PathScore> CutSearch<'_, S> {
    /// Returns the first part in the order of the search that this part and those found from it
    /// touch, and those of them that are in no chamber yet.
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

    /// These parts are a chamber behind that door.
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

    /// The slow twin: the eight cells around, in order; the sides in it fall into runs.
    fn is_cut(region: &SmallGrid, cell: Cell) -> bool {
        let steps = [(-64, 0), (-64, 1), (0, 1), (64, 1), (64, 0), (64, -1), (0, -1), (-64, -1)];
        let ring =
            steps.map(|(row, column)| region.has(Cell(cell.0.wrapping_add_signed(row + column))));
        let sides = (0..8).step_by(2).filter(|&at| ring[at]);
        let ends = sides.filter(|&at| !(ring[at + 1] && ring[(at + 2) % 8]));
        region.has(cell) && ends.count() > 1
    }

    #[test]
    fn cuts_are_where_neighbours_are_apart() {
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
