//! The board as a graph of its monochrome regions, for search.
//!
//! A region is always taken as a whole, so a position is one set of regions for each player.
//! Regions of one colour never touch, so a move takes those of its colour beside the own ones,
//! without repetition. Their neighbours are then added to the neighbours of the player. A node is
//! copied byte by byte.

use super::regions::{Regions, CAPACITY};
use super::{
    seats, Board, CellSet, CellState, Colour, ColourRule, Position, Rules, MOST_COLOURS, SEATS,
};
use crate::bitboard::Bitboard;
use crate::game::Seat;

/// Parts of a game that do not change.
pub struct Graph {
    rules: Rules,
    /// Set of all cells of the board.
    board: CellSet,
    regions: Vec<ColourRegion>,
    of_colour: [Regions; MOST_COLOURS],
}

/// A connected region of one colour, or the cells of a player when the graph was made.
struct ColourRegion {
    cells: u16,
    /// Colour of the region; `None` for the cells of a player.
    colour: Option<Colour>,
    beside: Regions,
    area: CellSet,
}

/// Number of cells that each colour would gain, by the number of the colour.
pub type Gains = [u16; MOST_COLOURS];

/// A position on a graph. The search itself knows the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphNode {
    taken: [Regions; SEATS],
    /// Regions beside those of each seat, including ones taken since. They are masked where free
    /// ones are needed: removal at each move was slower (15.6 against 21.3 times as fast as naive
    /// scans, 2026-11-21).
    beside: [Regions; SEATS],
    cells: [u16; SEATS],
    last_played: [Option<Colour>; SEATS],
    quiet: u16,
}

impl GraphNode {
    /// Returns the regions of a seat.
    pub fn taken(&self, seat: Seat) -> &Regions {
        &self.taken[seat.index()]
    }

    /// Returns the free regions beside those of a seat.
    #[inline]
    pub fn frontier(&self, seat: Seat) -> Regions {
        let mut frontier = self.beside[seat.index()];
        self.taken.iter().for_each(|taken| frontier.remove(taken));
        frontier
    }

    /// Returns the number of cells of a seat.
    pub fn cells(&self, seat: Seat) -> u16 {
        self.cells[seat.index()]
    }

    /// Returns the colour that a seat played last, if it has played.
    pub fn last_played(&self, seat: Seat) -> Option<Colour> {
        self.last_played[seat.index()]
    }
}

impl Graph {
    /// Creates the graph of the free cells of a position, and the node of the position.
    pub fn new(position: &Position) -> (Graph, GraphNode) {
        let board = position.board();
        let mut graph = Graph {
            rules: *position.rules(),
            board: board.cells_where(|_| true),
            regions: Vec::new(),
            of_colour: [Regions::NONE; MOST_COLOURS],
        };
        let region_of = graph.cut_up(board);
        graph.connect(board, &region_of);
        let quiet = position.quiet().try_into().unwrap_or(u16::MAX);
        let last_played = [0, 1].map(|seat| position.last_played(Seat::new(seat)));
        let taken = [0, 1].map(Regions::one);
        let beside = [0, 1].map(|seat| graph.regions[seat].beside);
        let cells = [0, 1].map(|seat| graph.regions[seat].cells);
        (graph, GraphNode { taken, beside, cells, last_played, quiet })
    }

    /// Creates the regions and returns the region of each cell. The cells of each player come
    /// first, as one region each, connected or not.
    fn cut_up(&mut self, board: &Board) -> Vec<usize> {
        let cells = board.cells();
        // `CAPACITY` marks a cell whose region is not known yet.
        let mut region_of = vec![CAPACITY; cells.len()];
        let mut found = Vec::new();
        for seat in seats() {
            found.clear();
            found.extend((0..cells.len()).filter(|&index| cells[index] == CellState::Taken(seat)));
            found.iter().for_each(|&index| region_of[index] = self.regions.len());
            self.add(board, &found, None);
        }
        for index in 0..cells.len() {
            if let (CellState::Free(colour), CAPACITY) = (cells[index], region_of[index]) {
                found.clear();
                self.trace(board, index, &mut region_of, &mut found);
                self.of_colour[colour.index()].insert(self.regions.len());
                self.add(board, &found, Some(colour));
            }
        }
        region_of
    }

    /// Finds the cells of the next region, starting from one of them.
    fn trace(&self, board: &Board, from: usize, region_of: &mut [usize], found: &mut Vec<usize>) {
        let (cells, region) = (board.cells(), self.regions.len());
        region_of[from] = region;
        found.push(from);
        let mut at = 0;
        while let Some(&index) = found.get(at) {
            at += 1;
            for next in board.neighbours(index) {
                if cells[next] == cells[from] && region_of[next] == CAPACITY {
                    region_of[next] = region;
                    found.push(next);
                }
            }
        }
    }

    fn add(&mut self, board: &Board, cells: &[usize], colour: Option<Colour>) {
        let mut area = CellSet::NONE;
        cells.iter().for_each(|&index| area.insert(board.cell(index)));
        let (cells, beside) = (cells.len() as u16, Regions::NONE);
        self.regions.push(ColourRegion { cells, colour, beside, area });
    }

    fn connect(&mut self, board: &Board, region_of: &[usize]) {
        for (index, &region) in region_of.iter().enumerate() {
            for next in board.neighbours(index).map(|next| region_of[next]) {
                if next != region {
                    self.regions[region].beside.insert(next);
                }
            }
        }
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of regions, including those of the players.
    pub fn regions(&self) -> usize {
        self.regions.len()
    }

    /// Returns the number of cells of a region.
    pub fn size(&self, region: usize) -> u16 {
        self.regions[region].cells
    }

    /// Returns all cells of the board.
    pub fn board(&self) -> &CellSet {
        &self.board
    }

    /// Returns the cells of `regions`.
    pub fn area(&self, regions: &Regions) -> CellSet {
        regions.iter().fold(CellSet::NONE, |area, region| area.or(self.regions[region].area))
    }

    /// Returns the number of cells of `regions`.
    pub fn count(&self, regions: &Regions) -> u16 {
        regions.iter().map(|region| self.regions[region].cells).sum()
    }

    /// Returns `true` if a seat may play a colour.
    pub fn is_legal(&self, node: &GraphNode, seat: Seat, colour: Colour) -> bool {
        let holds = |seat: Seat| node.last_played[seat.index()] == Some(colour);
        match self.rules.ban {
            ColourRule::None => true,
            ColourRule::Opponent => !holds(seat.other()),
            ColourRule::OwnAndOpponent => !holds(seat) && !holds(seat.other()),
        }
    }

    /// Returns the colours that a seat may play.
    pub fn legal<'a>(
        &'a self,
        node: &'a GraphNode,
        seat: Seat,
    ) -> impl DoubleEndedIterator<Item = Colour> + 'a {
        let colours = Colour::first(self.rules.colours.into());
        colours.filter(move |&colour| self.is_legal(node, seat, colour))
    }

    /// Plays a colour for a seat, to move or not, and returns the regions taken.
    #[inline]
    pub fn play(&self, node: &mut GraphNode, seat: Seat, colour: Colour) -> Regions {
        let mut won = node.frontier(seat).and(&self.of_colour[colour.index()]);
        self.take(node, seat, &won);
        if self.rules.capture_enclosed {
            let enclosed = self.enclosed(node, seat);
            self.take(node, seat, &enclosed);
            won.add(&enclosed);
        }
        node.last_played[seat.index()] = Some(colour);
        node.quiet = if won.is_empty() { node.quiet + 1 } else { 0 };
        won
    }

    #[inline]
    fn take(&self, node: &mut GraphNode, seat: Seat, won: &Regions) {
        let own = seat.index();
        for region in won.iter() {
            let region = &self.regions[region];
            node.beside[own].add(&region.beside);
            node.cells[own] += region.cells;
        }
        node.taken[own].add(won);
    }

    /// Returns the free regions that a seat can reach over free ones.
    pub fn reach(&self, node: &GraphNode, seat: Seat) -> Regions {
        let mut reached = Regions::NONE;
        let mut waiting = node.frontier(seat);
        while let Some(region) = waiting.first() {
            reached.insert(region);
            waiting.add(&self.regions[region].beside);
            seats().for_each(|seat| waiting.remove(&node.taken[seat.index()]));
            waiting.remove(&reached);
        }
        reached
    }

    /// Returns the free regions enclosed by a seat, which it can reach and its opponent cannot.
    pub fn enclosed(&self, node: &GraphNode, seat: Seat) -> Regions {
        let mut enclosed = self.reach(node, seat);
        enclosed.remove(&self.reach(node, seat.other()));
        enclosed
    }

    /// Returns the scores by seat, which count towards the majority.
    pub fn scores(&self, node: &GraphNode) -> [u16; SEATS] {
        match self.rules.count_enclosed {
            false => node.cells,
            true => [0, 1]
                .map(|seat| node.cells[seat] + self.count(&self.enclosed(node, Seat::new(seat)))),
        }
    }

    /// Returns `true` if the game is over.
    pub fn is_over(&self, node: &GraphNode) -> bool {
        let cells = self.rules.cells();
        let [one, other] = self.scores(node).map(|score| 2 * usize::from(score));
        let is_decided = one > cells || other > cells || (one == cells && other == cells);
        is_decided || node.quiet >= self.rules.stall
    }

    /// Returns the number of cells that a seat would gain by each colour, banned ones included.
    pub fn gains(&self, node: &GraphNode, seat: Seat) -> Gains {
        let mut gains = [0; MOST_COLOURS];
        // Enclosed cells depend on the whole position, so each colour is played on a copy.
        if self.rules.capture_enclosed {
            for colour in Colour::first(self.rules.colours.into()) {
                let mut after = *node;
                self.play(&mut after, seat, colour);
                gains[colour.index()] = after.cells(seat) - node.cells(seat);
            }
            return gains;
        }
        self.add_gains(&node.frontier(seat), &mut gains);
        gains
    }

    /// Returns the gains of a seat after it has played `colour`, from its `gains` before. Only
    /// newly adjacent regions are counted.
    pub fn gains_after(
        &self,
        node: &GraphNode,
        seat: Seat,
        gains: &Gains,
        colour: Colour,
    ) -> Gains {
        if self.rules.capture_enclosed {
            let mut after = *node;
            self.play(&mut after, seat, colour);
            return self.gains(&after, seat);
        }
        let won = node.frontier(seat).and(&self.of_colour[colour.index()]);
        let mut new = Regions::NONE;
        won.iter().for_each(|region| new.add(&self.regions[region].beside));
        new.remove(&node.beside[seat.index()]);
        node.taken.iter().for_each(|taken| new.remove(taken));
        let mut after = *gains;
        // The move takes all adjacent regions of its colour, so the colour gains nothing right
        // after.
        after[colour.index()] = 0;
        self.add_gains(&new, &mut after);
        after
    }

    /// Adds the cells of free `regions` to the gains of their colours.
    fn add_gains(&self, regions: &Regions, gains: &mut Gains) {
        for region in regions.iter() {
            let ColourRegion { cells, colour, .. } = &self.regions[region];
            gains[colour.expect("free regions have a colour").index()] += cells;
        }
    }
}
