//! The beam search.

use super::evaluate::{Evaluation, Weights};
use super::programme::{End, Programme, Task};
use super::promise::Beginnings;
use super::selection::{Candidate, Selection};
use super::width::Width;
use super::Start;
use crate::games::hextris::{points, Board, Meaning, Node, Row, Symbol, FIRST_USE};
use crate::search::budget::Meter;
use std::collections::HashMap;

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// What it likes of a board.
    pub weights: Weights,
    /// How many labels the programme keeps for a position.
    pub labels: usize,
    /// How much a board counts beside points; 0 to find out.
    pub scale: f64,
    /// What the first use of a phrase counts early in a game, when there is time for it later.
    pub first_use: f64,
    /// How far a phrase that was begun counts, in hundredths of the part that is there.
    pub promise: u32,
}

impl Default for Search {
    fn default() -> Search {
        Search { weights: Weights::default(), labels: 3, scale: 1.0, first_use: 50.0, promise: 60 }
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

const NONE: u32 = u32::MAX;

struct Beam<'a> {
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
    steps: Vec<Step>,
    states: Vec<State>,
    /// How much a board counts beside points.
    scale: f64,
    /// What the first use of a phrase counts now.
    first_use: i32,
    promised: i32,
    /// Units to come after the one that is placed.
    left: usize,
    /// The best score so far and its path.
    best: (u64, u32),
}

/// The first passes try how much a board should count beside points, each with this part of the budget.
const PILOTS: [f64; 3] = [0.5, 1.5, 4.5];
const PILOT_SHARE: f64 = 0.07;

/// Plays on from a position to the end, or until the meter says stop. Returns the letters.
pub fn solve(start: Start, search: &Search, meter: &mut Meter) -> Vec<u8> {
    let mut beam = Beam::new(start, search);
    let mut best = (0, 1.0);
    if search.scale == 0.0 {
        for scale in PILOTS {
            let until = meter.share_spent() + PILOT_SHARE;
            let score = beam.pass(scale, until, meter);
            if score > best.0 {
                best = (score, scale);
            }
        }
    } else {
        best.1 = search.scale;
    }
    beam.pass(best.1, 1.0, meter);
    finish(start, beam.text())
}

/// Plays what was found, and drops the units for which there was no time.
fn finish(start: Start, mut text: Vec<u8>) -> Vec<u8> {
    let mut play = start.play.clone();
    let mut is_allowed = |letter: u8| match Symbol::of(letter).meaning() {
        Meaning::Command(command) => play.play(start.terrain, command).is_ok(),
        _ => false,
    };
    let allowed = text.iter().take_while(|&&letter| is_allowed(letter)).count();
    debug_assert_eq!(allowed, text.len(), "no way breaks a rule");
    text.truncate(allowed);
    // Whoever goes down comes to no position twice.
    text.extend(DOWN.into_iter().cycle().take_while(|&letter| is_allowed(letter)));
    text
}

/// South-east and south-west.
const DOWN: [u8; 2] = *b"la";

impl<'a> Beam<'a> {
    fn new(start: Start<'a>, search: &Search) -> Beam<'a> {
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
            steps: Vec::new(),
            states: Vec::new(),
            left: 0,
            scale: 1.0,
            first_use: 0,
            promised: 0,
            best: (0, NONE),
        }
    }

    /// Plays the whole game once, up to a part of the budget. Returns the best score of this pass.
    fn pass(&mut self, scale: f64, until: f64, meter: &mut Meter) -> u64 {
        let before = std::mem::replace(&mut self.best, (0, NONE));
        let play = self.start.play;
        let (node, used, path) = (self.start.node, self.start.used, NONE);
        let (board, lines) = (play.board().clone(), play.last_lines());
        self.scale = scale;
        self.states = vec![State { board, lines, score: 0, node, used, path }];
        let units: Vec<usize> = play.upcoming(self.start.terrain).collect();
        let mut width = Width::new(meter.share_spent(), until);
        for (number, &unit) in units.iter().enumerate() {
            self.left = units.len() - number - 1;
            let early = (self.left as f64 / 50.0).min(1.0);
            let first = FIRST_USE as f64;
            self.first_use = (first - (first - self.search.first_use) * early) as i32;
            if (self.first_use - self.promised).abs() > 10 {
                self.promised = self.first_use;
                self.promises.clear();
            }
            let expanded = self.advance(unit, units.get(number + 1).copied(), &width, meter);
            if self.states.is_empty() || meter.stopped() {
                break;
            }
            width.adapt(expanded, meter.share_spent(), self.left);
        }
        let score = self.best.0;
        if before.0 > score {
            self.best = before;
        }
        score
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
            self.expand(state, unit, next, self.search.labels, &mut selection, meter);
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
        let mut place = None;
        let (mut lines, mut promise, mut is_over) = (0, 0.0, false);
        for end in &ends {
            if place != Some(end.at) {
                place = Some(end.at);
                self.board.copy_from(&state.board);
                lines = self.board.lock(piece, end.at);
                promise = self.evaluation.promise(&self.board, self.left);
                is_over = next.is_none_or(|next| {
                    let piece = &self.start.terrain.pieces()[next];
                    !piece.fits(&self.board, piece.spawn())
                });
            }
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
                let board = self.board.clone();
                let hash = hash(&board);
                let whole = hash ^ (u64::from(end.node) << 32 | u64::from(lines)).wrapping_mul(ODD);
                let path = state.path;
                let state = State { board, lines, score, node: end.node, used, path };
                selection.offer(Candidate { value, board: hash, whole, item: (state, text) });
            }
        }
    }

    fn know_promises(&mut self, used: u64) {
        let (beginnings, percent) = (&self.beginnings, self.search.promise);
        self.promises
            .entry(used)
            .or_insert_with(|| beginnings.promises(used, self.promised, percent));
    }

    /// Takes note of a game that is over.
    fn finish(&mut self, state: &State, score: u64, end: &End) {
        if score > self.best.0 {
            self.steps.push(Step { before: state.path, text: self.programme.text(end) });
            self.best = (score, self.steps.len() as u32 - 1);
        }
    }

    /// The letters of the best game.
    fn text(&self) -> Vec<u8> {
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
    board.rows().iter().fold(0, |hash: u64, &row| {
        let mixed = (hash ^ row as u64).wrapping_mul(ODD).rotate_left(29);
        (mixed ^ (row >> 64) as u64).wrapping_mul(ODD).rotate_left(31)
    })
}
