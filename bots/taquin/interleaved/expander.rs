//! Boards of the fast search, and what it takes to slide on from one.

use crate::bots::taquin::automaton::Automaton;
use crate::bots::taquin::heuristic::{Heuristic, Manhattan};
use crate::bots::taquin::pattern::{
    board_with_blank, Lens, Patterns, Placement, Sum, CAP, MOST_GROUPS,
};
use crate::games::taquin::{Board, Direction, Size};

/// How many directions there are.
pub const WAYS: usize = Direction::ALL.len();
/// Longer paths than this are not looked for: no board of 5x5 needs as many.
pub const LONGEST: usize = 256;

/// A board within the bound.
#[derive(Clone, Copy, Default)]
pub struct Node {
    pub cells: [u8; CAP],
    pub sums: [Sum; 2],
    /// The Manhattan distance.
    pub distance: u8,
    /// The moves made, and the last of them.
    pub depth: u8,
    pub way: u8,
    pub blank: u8,
    pub state: u32,
}

/// A slide whose entries are on their way.
#[derive(Clone, Copy, Default)]
pub struct Child {
    pub looks: [Look; 2],
    pub state: u32,
    pub distance: u8,
    pub way: u8,
    pub from: u8,
}

/// From one side: the group that slides, where it is then, and its entry.
#[derive(Clone, Copy, Default)]
pub struct Look {
    pub placement: Placement,
    pub number: usize,
    pub group: u8,
    /// What the other groups exceed.
    pub others: u8,
}

/// What the search of a board needs and does not change.
pub struct Expander<'p> {
    pub patterns: &'p Patterns,
    pub automaton: &'p Automaton,
    /// From each side, by group.
    pub lenses: [[Lens<'p>; MOST_GROUPS]; 2],
    /// By tile.
    pub groups: [[u8; 2]; CAP],
    /// By the blank's cell and direction.
    pub slides: [[Slid; WAYS]; CAP],
}

/// Where the blank goes, and what the slide adds to the Manhattan distance, by tile.
#[derive(Clone, Copy)]
pub struct Slid {
    pub target: u8,
    pub changes: [i8; CAP],
}

impl<'p> Expander<'p> {
    /// For square boards: from two sides.
    pub fn new(patterns: &'p Patterns, automaton: &'p Automaton) -> Box<Self> {
        let size = patterns.size();
        let sides = [patterns.lenses(0), patterns.lenses(1)];
        let group = |side: usize, tile: usize| patterns.group(side, tile) as u8;
        Box::new(Expander {
            patterns,
            automaton,
            lenses: sides.map(|side| std::array::from_fn(|group| side[group % side.len()])),
            groups: std::array::from_fn(|tile| [group(0, tile), group(1, tile)]),
            slides: std::array::from_fn(|cell| slides(size, cell)),
        })
    }

    pub fn root(&self, board: &Board) -> Node {
        let mark = self.patterns.mark(board.cells(), board.blank());
        let mut cells = [0; CAP];
        cells[..board.cells().len()].copy_from_slice(board.cells());
        Node {
            cells,
            sums: mark.sums,
            distance: mark.distance as u8,
            depth: 0,
            way: 0,
            blank: board.blank() as u8,
            state: self.automaton.start(board.blank()),
        }
    }

    #[inline(always)]
    pub fn estimate(&self, node: &Node) -> u32 {
        let [plain, reflected] = node.sums.each_ref().map(Sum::excess);
        u32::from(node.distance) + 2 * plain.max(reflected)
    }
}

/// The slides of the blank from a cell.
fn slides(size: Size, cell: usize) -> [Slid; WAYS] {
    let mut slides = [Slid { target: 0, changes: [0; CAP] }; WAYS];
    let (manhattan, cells) = (Manhattan::new(size.0, size.1), size.0 * size.1);
    if cell < cells {
        let board = board_with_blank(size, cell);
        for (way, slid) in Direction::ALL.into_iter().zip(&mut slides) {
            let Some(target) = board.target(way) else { continue };
            slid.target = target as u8;
            for (tile, change) in slid.changes.iter_mut().enumerate().take(cells) {
                let [from, to] = [target, cell].map(|cell| manhattan.of_tile(tile, cell));
                *change = to as i8 - from as i8;
            }
        }
    }
    slides
}

impl Node {
    /// Becomes the board after a slide.
    #[inline(always)]
    pub fn slide(&mut self, child: &Child, excesses: [u32; 2]) {
        for (side, look) in child.looks.iter().enumerate() {
            self.sums[side].put(look.group.into(), look.placement, excesses[side]);
        }
        let from = usize::from(child.from) % CAP;
        self.cells[usize::from(self.blank) % CAP] = self.cells[from];
        self.distance = child.distance;
        self.depth += 1;
        self.way = child.way;
        self.blank = child.from;
        self.state = child.state;
    }
}

impl Child {
    /// Asks for the entries of a slide, unless it needs more than so many moves beyond its distance. Returns
    /// whether it does not.
    #[inline(always)]
    pub fn ask(
        &mut self,
        expander: &Expander,
        node: &Node,
        (tile, blank, way): (usize, usize, usize),
        left: u32,
    ) -> bool {
        let groups = expander.groups[tile];
        for (side, &group) in groups.iter().enumerate() {
            let others = node.sums[side].others(group.into());
            if 2 * others > left || left > LONGEST as u32 {
                return false;
            }
            self.looks[side].others = others as u8;
            self.looks[side].group = group;
        }
        for (side, &group) in groups.iter().enumerate() {
            let group = usize::from(group) % MOST_GROUPS;
            let placement = node.sums[side].placement(group);
            let (placement, number) = expander.lenses[side][group].look(placement, blank, way);
            self.looks[side].placement = placement;
            self.looks[side].number = number;
        }
        true
    }
}

impl Child {
    /// What the groups that slid exceed, from each side, if the board is within so many moves of the goal as far as is
    /// known.
    #[inline(always)]
    pub fn judge(&self, expander: &Expander, most: u32) -> Option<[u32; 2]> {
        let left = most - u32::from(self.distance);
        let plain = self.looks[0].excess(expander, 0);
        if 2 * (u32::from(self.looks[0].others) + plain) > left {
            return None;
        }
        let reflected = self.looks[1].excess(expander, 1);
        (2 * (u32::from(self.looks[1].others) + reflected) <= left).then_some([plain, reflected])
    }
}

impl Look {
    /// What its group exceeds.
    #[inline(always)]
    fn excess(&self, expander: &Expander, side: usize) -> u32 {
        expander.lenses[side][usize::from(self.group) % MOST_GROUPS].entry(self.number)
    }
}
