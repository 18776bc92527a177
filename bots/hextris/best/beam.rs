//! The beam search.

use super::evaluate::{Evaluation, Survey, JUDGES};
use super::paths::{Paths, StepId, START};
use super::plan::{Extent, Manner, Passed, Plan};
use super::programme::{End, Programme, Task};
use super::prospects::Prospects;
use super::selection::{Candidate, Selection};
use super::width::Width;
use super::Start;
use arbitre_games::games::hextris::{points, Board, Node, Piece, Position, Row, FIRST_USE};
use arbitre_games::search::budget::Limiter;
use std::collections::HashMap;

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// What the first use of a phrase counts early in a game, when there is time for it later.
    pub first_use: f64,
    /// How far a phrase that was begun counts, in hundredths of the part that is there.
    pub promise: u32,
}

impl Default for Search {
    fn default() -> Search {
        Search { first_use: 50.0, promise: 60 }
    }
}

/// A game up to a unit that is about to appear.
struct State {
    board: Board,
    /// Rows that the last unit removed, and all of them.
    lines: u32,
    removed: u32,
    score: u64,
    node: Node,
    used: u64,
    /// The last step of its path.
    path: StepId,
}

impl State {
    /// The cells that are full and those that went with their rows.
    fn cells(&self) -> u32 {
        let full: u32 = self.board.rows().iter().map(|row| row.count_ones()).sum();
        full + self.removed * self.board.width() as u32
    }
}

/// What comes of locking a unit somewhere.
#[derive(Clone, Copy)]
struct Shape {
    lines: u32,
    promise: f64,
    /// Does the next unit find no room?
    is_over: bool,
}

/// A way to lock a unit, and what it is worth.
#[derive(Clone, Copy)]
struct Outcome {
    value: f64,
    score: u64,
    lines: u32,
    end: End,
}

/// A beam of boards, and what serves one after the other.
pub struct Beam<'a> {
    start: Start<'a>,
    evaluations: [Evaluation; 2],
    survey: Survey,
    programme: Programme<'a>,
    prospects: Prospects<'a>,
    free: Vec<Row>,
    /// The board that is looked at.
    board: Board,
    /// By the cells that are filled.
    shapes: HashMap<u64, Shape>,
    paths: Paths,
    states: Vec<State>,
    /// How many labels the programme keeps for a position.
    pub labels: usize,
    /// How boards are judged.
    manner: Manner,
    /// Units to come after the one that is placed.
    left: usize,
    /// Boards that were looked at, of all passes.
    boards: u64,
    /// The best score so far and its path.
    best: (u64, StepId),
    /// Those of the passes before.
    kept: (u64, StepId),
}

impl<'a> Beam<'a> {
    /// Before the first pass.
    pub fn new(start: Start<'a>, search: &Search, labels: usize) -> Beam<'a> {
        let board = start.play.board().clone();
        Beam {
            start,
            evaluations: JUDGES.map(|weights| Evaluation::new(start.terrain, &weights)),
            survey: Survey::default(),
            programme: Programme::new(start.phrases),
            prospects: Prospects::new(start, search.first_use, search.promise),
            free: Vec::new(),
            board,
            shapes: HashMap::new(),
            paths: Paths::default(),
            states: Vec::new(),
            left: 0,
            boards: 0,
            labels,
            manner: Manner { judge: 0, scale: 1.0 },
            best: (0, START),
            kept: (0, START),
        }
    }

    /// Plays the whole game once, by a part of the budget.
    pub fn pass(&mut self, plan: &Plan, meter: &mut Limiter) -> Passed {
        self.kept = std::mem::replace(&mut self.best, (0, START));
        let play = self.start.play;
        let (node, used, path) = (self.start.node, self.start.used, START);
        let (board, lines) = (play.board().clone(), play.last_lines());
        self.manner = plan.manner;
        self.states = vec![State { board, lines, removed: 0, score: 0, node, used, path }];
        let units: Vec<usize> = play.upcoming(self.start.terrain).collect();
        let begun = meter.share_spent();
        let mut width = Width::new(begun, plan.until, meter.depth_limit());
        let (mut boards, mut placed) = (0, 0);
        for (number, &unit) in units.iter().enumerate() {
            self.left = units.len() - number - 1;
            self.prospects.draw_near(self.left);
            let expanded = self.advance(unit, units.get(number + 1).copied(), &width, meter);
            (boards, placed) = (boards + expanded, placed + 1);
            let spent = meter.share_spent();
            if self.states.is_empty() || meter.stopped() || spent - begun > plan.patience {
                break;
            }
            let likely = plan.units.saturating_sub(number + 1).max(number + 4);
            width.adapt(expanded, spent, likely.min(self.left));
        }
        self.boards += boards as u64;
        let score = self.best.0;
        if self.kept.0 > score {
            self.best = self.kept;
        }
        let spent = meter.share_spent() - begun;
        let affordable = boards as f64 / spent.max(1e-9) / units.len().max(1) as f64;
        let extent = match self.states.is_empty() {
            _ if placed == units.len() => Extent::Lasted,
            true => Extent::Died,
            false => Extent::Cut,
        };
        Passed { score, affordable, placed, extent }
    }

    /// Places a unit on all boards of the beam; the next one tells which boards the game ends with. Returns
    /// on how many boards.
    fn advance(
        &mut self,
        unit: usize,
        next: Option<usize>,
        width: &Width,
        meter: &mut Limiter,
    ) -> usize {
        let mut selection = Selection::new(width.boards);
        let states = std::mem::take(&mut self.states);
        let mut expanded = 0;
        for state in &states {
            self.expand(state, (unit, next), &mut selection, meter);
            expanded += 1;
            if meter.stopped() {
                break;
            }
        }
        let mut chosen = Vec::with_capacity(width.boards);
        for candidate in selection.best() {
            let (mut state, text) = candidate.item;
            state.path = self.paths.add(state.path, text);
            if state.score > self.best.0 {
                self.best = (state.score, state.path);
            }
            chosen.push(state);
        }
        self.states = chosen;
        // All have placed the same units.
        debug_assert!(self.states.windows(2).all(|pair| pair[0].cells() == pair[1].cells()));
        let ids = self.states.iter_mut().map(|state| &mut state.path);
        self.paths.sweep(ids.chain([&mut self.best.1, &mut self.kept.1]));
        expanded
    }

    /// Offers what comes of a unit on a board.
    fn expand(
        &mut self,
        state: &State,
        (unit, next): (usize, Option<usize>),
        selection: &mut Selection<(State, Box<[u8]>)>,
        meter: &mut Limiter,
    ) {
        let piece = &self.start.terrain.pieces()[unit];
        let mut outcomes = self.outcomes(state, (unit, next), meter);
        // No two of a board are alike, so that no more of them can be among the best.
        outcomes.sort_by(|a, b| b.value.total_cmp(&a.value));
        for outcome in outcomes.iter().take(selection.limit()) {
            let Outcome { value, score, lines, end } = *outcome;
            if !selection.wants(value) {
                break;
            }
            let mut board = state.board.clone();
            board.lock(piece, end.at);
            let hash = hash(&board);
            let whole = hash ^ (u64::from(end.node) << 32 | u64::from(lines)).wrapping_mul(ODD);
            let (node, used, path) = (end.node, state.used | end.fresh, state.path);
            let removed = state.removed + lines;
            let state = State { board, lines, removed, score, node, used, path };
            let item = (state, self.programme.text(&end));
            selection.offer(Candidate { value, board: hash, whole, item });
        }
    }

    /// What may come of a unit on a board, but for the ends of the game.
    fn outcomes(
        &mut self,
        state: &State,
        (unit, next): (usize, Option<usize>),
        meter: &mut Limiter,
    ) -> Vec<Outcome> {
        let piece = &self.start.terrain.pieces()[unit];
        piece.free(&state.board, &mut self.free);
        let first_use = self.prospects.first_use();
        let follower = next.unwrap_or(unit);
        let arrows = &self.prospects.of(unit, state.used);
        let then = &self.prospects.of(follower, state.used);
        let (node, used, free, labels) = (state.node, state.used, &self.free, self.labels);
        let task = Task { piece, free, node, used, arrows, then, first_use, labels };
        let ends = self.programme.run(&task, meter);
        self.shapes.clear();
        self.evaluations[self.manner.judge].survey(&state.board, state.removed, &mut self.survey);
        let mut outcomes = Vec::new();
        for end in ends {
            let Shape { lines, promise, is_over } = self.shape(state, piece, end.at, next);
            let gained = points(piece.size(), lines, state.lines) + end.points;
            let score = state.score + u64::from(gained);
            if is_over {
                self.finish(state, score, &end);
                continue;
            }
            let used = state.used | end.fresh;
            let begun = match end.fresh {
                0 => then.promise(end.node),
                _ => self.prospects.of(follower, used).promise(end.node),
            };
            let discount = (FIRST_USE as i32 - first_use) * used.count_ones() as i32;
            let value = score as f64 + promise * self.manner.scale + f64::from(begun - discount);
            outcomes.push(Outcome { value, score, lines, end });
        }
        outcomes
    }

    /// What comes of locking a unit. Rotations of a unit may fill the same cells.
    fn shape(&mut self, state: &State, piece: &Piece, at: Position, next: Option<usize>) -> Shape {
        let cells = piece.rows(at).fold(mix(0, at.row.into()), mix);
        if let Some(&shape) = self.shapes.get(&cells) {
            return shape;
        }
        self.board.copy_from(&state.board);
        let lines = self.board.lock(piece, at);
        let first = usize::from(at.row);
        let evaluation = &self.evaluations[self.manner.judge];
        let from_scratch =
            |board: &Board| evaluation.promise(board, state.removed + lines, self.left);
        let promise = match lines {
            0 => {
                let changed = first..first + piece.rows(at).count();
                evaluation.promise_beside(&self.survey, &self.board, changed, self.left)
            }
            _ => from_scratch(&self.board),
        };
        debug_assert!((promise - from_scratch(&self.board)).abs() < 1e-9 * (1e6 + promise.abs()));
        let is_over = next.is_none_or(|next| {
            let piece = &self.start.terrain.pieces()[next];
            !piece.fits(&self.board, piece.spawn())
        });
        let shape = Shape { lines, promise, is_over };
        self.shapes.insert(cells, shape);
        shape
    }

    /// Takes note of a game that is over.
    fn finish(&mut self, state: &State, score: u64, end: &End) {
        if score > self.best.0 {
            self.best = (score, self.paths.add(state.path, self.programme.text(end)));
        }
    }

    /// So many boards were looked at.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// The letters of the best game.
    pub fn text(&self) -> Vec<u8> {
        self.paths.text(self.best.1)
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
