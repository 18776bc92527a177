//! The beam search.

use super::evaluate::{Evaluation, Weights};
use super::programme::{End, Programme, Task};
use super::promise::Beginnings;
use super::selection::{Candidate, Selection};
use super::width::Width;
use super::Start;
use crate::games::hextris::{points, Board, Node, Piece, Position, Row, FIRST_USE};
use crate::search::budget::Meter;
use std::collections::HashMap;

/// With so many units to come, a first use has all the time.
const EARLY: f64 = 50.0;
/// What a first use counts changes by so much at a time.
const STEP: i32 = 10;

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// What it likes of a board.
    pub weights: Weights,
    /// What the first use of a phrase counts early in a game, when there is time for it later.
    pub first_use: f64,
    /// How far a phrase that was begun counts, in hundredths of the part that is there.
    pub promise: u32,
}

impl Default for Search {
    fn default() -> Search {
        Search { weights: Weights::default(), first_use: 50.0, promise: 60 }
    }
}

/// A game up to a unit that is about to appear.
struct State {
    board: Board,
    /// Rows that the last unit removed.
    lines: u32,
    score: u64,
    node: Node,
    used: u64,
    /// The number of the last step of its path.
    path: u32,
}

/// A unit's letters, and the number of the step before.
struct Step {
    before: u32,
    text: Box<[u8]>,
}

/// What comes of locking a unit somewhere.
#[derive(Clone, Copy)]
struct Shape {
    lines: u32,
    promise: f64,
    /// Does the next unit find no room?
    is_over: bool,
}

const NONE: u32 = u32::MAX;

/// A beam of boards, and what serves one after the other.
pub struct Beam<'a> {
    start: Start<'a>,
    search: Search,
    evaluation: Evaluation,
    programme: Programme<'a>,
    beginnings: Beginnings,
    /// By the phrases that were used: what the nodes promise.
    promises: HashMap<u64, Vec<i32>>,
    free: Vec<Row>,
    /// The board that is looked at.
    board: Board,
    /// By the cells that are filled.
    shapes: HashMap<u64, Shape>,
    steps: Vec<Step>,
    states: Vec<State>,
    /// How many labels the programme keeps for a position.
    pub labels: usize,
    /// How much a board counts beside points.
    scale: f64,
    /// What the first use of a phrase counts now.
    first_use: i32,
    /// So many units are likely to be placed.
    expected: usize,
    /// Units to come after the one that is placed.
    left: usize,
    /// The best score so far and its path.
    best: (u64, u32),
}

/// So many numbers are remembered, 16 MB of them: there are as many rows of them as sets of used phrases.
const MOST_PROMISES: usize = 1 << 22;
/// A pass may play by so many units longer than the one before.
const LONGER: usize = 4;

/// What came of a pass.
pub struct Passed {
    /// The best score.
    pub score: u64,
    /// Boards to a unit, on average.
    pub width: f64,
    /// Was the game played to its end?
    pub is_whole: bool,
}

impl<'a> Beam<'a> {
    /// Before the first pass.
    pub fn new(start: Start<'a>, search: &Search, labels: usize) -> Beam<'a> {
        let board = start.play.board().clone();
        Beam {
            start,
            search: *search,
            evaluation: Evaluation::new(start.terrain, &search.weights),
            programme: Programme::new(start.phrases),
            beginnings: Beginnings::new(start.phrases),
            promises: HashMap::new(),
            free: Vec::new(),
            board,
            shapes: HashMap::new(),
            steps: Vec::new(),
            states: Vec::new(),
            expected: usize::MAX,
            left: 0,
            labels,
            scale: 1.0,
            first_use: 0,
            best: (0, NONE),
        }
    }

    /// Plays the whole game once, by a part of the budget. Gives up when it has used so much.
    pub fn pass(&mut self, scale: f64, until: f64, patience: f64, meter: &mut Meter) -> Passed {
        let before = std::mem::replace(&mut self.best, (0, NONE));
        let play = self.start.play;
        let (node, used, path) = (self.start.node, self.start.used, NONE);
        let (board, lines) = (play.board().clone(), play.last_lines());
        self.scale = scale;
        self.states = vec![State { board, lines, score: 0, node, used, path }];
        let units: Vec<usize> = play.upcoming(self.start.terrain).collect();
        let begun = meter.share_spent();
        let mut width = Width::new(begun, until, meter.depth_limit());
        let (mut boards, mut placed) = (0, 0);
        let expected = self.expected.min(units.len());
        for (number, &unit) in units.iter().enumerate() {
            self.left = units.len() - number - 1;
            self.value_first_uses();
            let expanded = self.advance(unit, units.get(number + 1).copied(), &width, meter);
            (boards, placed) = (boards + expanded, placed + 1);
            let spent = meter.share_spent();
            if self.states.is_empty() || meter.stopped() || spent - begun > patience {
                break;
            }
            width.adapt(expanded, spent, expected.saturating_sub(number + 1));
        }
        let score = self.best.0;
        if before.0 > score {
            self.best = before;
        }
        let width = boards as f64 / placed.max(1) as f64;
        let is_dead = self.states.is_empty();
        self.expected = if is_dead { placed + LONGER } else { units.len() };
        let is_whole = is_dead || placed == units.len();
        Passed { score, width, is_whole }
    }

    /// The sooner the end, the more counts the first use of a phrase.
    fn value_first_uses(&mut self) {
        let early = (self.left as f64 / EARLY).min(1.0);
        let first = FIRST_USE as f64;
        let value = (first - (first - self.search.first_use) * early) as i32;
        if (self.first_use - value).abs() >= STEP || self.left == 0 {
            self.first_use = value;
            self.promises.clear();
        }
    }

    /// Places a unit on all boards of the beam; the next one tells which boards the game ends with. Returns
    /// on how many boards.
    fn advance(
        &mut self,
        unit: usize,
        next: Option<usize>,
        width: &Width,
        meter: &mut Meter,
    ) -> usize {
        let mut selection = Selection::new(width.boards);
        let states = std::mem::take(&mut self.states);
        let mut expanded = 0;
        for state in &states {
            self.expand(state, unit, next, self.labels, &mut selection, meter);
            expanded += 1;
            if meter.stopped() {
                break;
            }
        }
        let mut chosen = Vec::with_capacity(width.boards);
        for candidate in selection.best() {
            let (mut state, text) = candidate.item;
            self.steps.push(Step { before: state.path, text });
            state.path = self.steps.len() as u32 - 1;
            if state.score > self.best.0 {
                self.best = (state.score, state.path);
            }
            chosen.push(state);
        }
        self.states = chosen;
        expanded
    }

    fn expand(
        &mut self,
        state: &State,
        unit: usize,
        next: Option<usize>,
        labels: usize,
        selection: &mut Selection<(State, Box<[u8]>)>,
        meter: &mut Meter,
    ) {
        let piece = &self.start.terrain.pieces()[unit];
        piece.free(&state.board, &mut self.free);
        self.know_promises(state.used);
        let promises = &self.promises[&state.used];
        let (node, used) = (state.node, state.used);
        let free = &self.free;
        let ends = self.programme.run(
            &Task { piece, free, node, used, promises, first_use: self.first_use, labels },
            meter,
        );
        self.shapes.clear();
        for end in &ends {
            let shape = self.shape(state, piece, end.at, next);
            let Shape { lines, promise, is_over } = shape;
            let gained = points(piece.size(), lines, state.lines) + end.points;
            let score = state.score + u64::from(gained);
            if is_over {
                self.finish(state, score, end);
                continue;
            }
            let used = state.used | end.fresh;
            self.know_promises(used);
            let begun = self.promises[&used][usize::from(end.node)];
            let discount = (FIRST_USE as i32 - self.first_use) * used.count_ones() as i32;
            let value = score as f64 + promise * self.scale + f64::from(begun - discount);
            if selection.wants(value) {
                let text = self.programme.text(end);
                let mut board = state.board.clone();
                board.lock(piece, end.at);
                let hash = hash(&board);
                let whole = hash ^ (u64::from(end.node) << 32 | u64::from(lines)).wrapping_mul(ODD);
                let path = state.path;
                let state = State { board, lines, score, node: end.node, used, path };
                selection.offer(Candidate { value, board: hash, whole, item: (state, text) });
            }
        }
    }

    /// What comes of locking a unit. Rotations of a unit may fill the same cells.
    fn shape(&mut self, state: &State, piece: &Piece, at: Position, next: Option<usize>) -> Shape {
        let cells = piece.rows(at).fold(u64::from(at.row), mix);
        if let Some(&shape) = self.shapes.get(&cells) {
            return shape;
        }
        self.board.copy_from(&state.board);
        let lines = self.board.lock(piece, at);
        let promise = self.evaluation.promise(&self.board, self.left);
        let is_over = next.is_none_or(|next| {
            let piece = &self.start.terrain.pieces()[next];
            !piece.fits(&self.board, piece.spawn())
        });
        let shape = Shape { lines, promise, is_over };
        self.shapes.insert(cells, shape);
        shape
    }

    fn know_promises(&mut self, used: u64) {
        if self.promises.len() * self.start.phrases.nodes() > MOST_PROMISES {
            self.promises.clear();
        }
        let (beginnings, percent) = (&self.beginnings, self.search.promise);
        self.promises
            .entry(used)
            .or_insert_with(|| beginnings.promises(used, self.first_use, percent));
    }

    /// Takes note of a game that is over.
    fn finish(&mut self, state: &State, score: u64, end: &End) {
        if score > self.best.0 {
            self.steps.push(Step { before: state.path, text: self.programme.text(end) });
            self.best = (score, self.steps.len() as u32 - 1);
        }
    }

    /// The letters of the best game.
    pub fn text(&self) -> Vec<u8> {
        let (mut parts, mut at) = (Vec::new(), self.best.1);
        while at != NONE {
            let step = &self.steps[at as usize];
            parts.push(&step.text[..]);
            at = step.before;
        }
        parts.reverse();
        parts.concat()
    }
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

fn hash(board: &Board) -> u64 {
    board.rows().iter().fold(0, |hash, &row| mix(hash, row))
}

fn mix(hash: u64, row: Row) -> u64 {
    let mixed = (hash ^ row as u64).wrapping_mul(ODD).rotate_left(29);
    (mixed ^ (row >> 64) as u64).wrapping_mul(ODD).rotate_left(31)
}
