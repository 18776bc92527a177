//! The beam search.

use super::beam_width::BeamWidth;
use super::evaluate::{BoardEvaluator, RowScan, WEIGHT_SETS};
use super::letter_path::LetterPath;
use super::pass_plan::{EvalParams, PassEnd, PassPlan, PassResult};
use super::phrase_dp::{DpQuery, LockOption, PhraseDp};
use super::potential_cache::{BeamParams, PotentialCache};
use super::selection::{BoardCandidate, Selection};
use crate::hextris::phrases::TextEnd;
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{
    points, Board, PhraseNode, Piece, Row, UnitPosition, FIRST_USE,
};
use arbitre_games::search::budget::Limiter;
use std::collections::HashMap;

/// Added to the units placed so far to estimate the remaining ones, late in a plan. Not tuned.
const MORE_UNITS: usize = 3;

/// State of a game before a unit spawns.
struct BeamState {
    board: Board,
    /// Rows that the last unit removed.
    lines: u32,
    /// Rows removed since the start of the search.
    removed: u32,
    score: u64,
    node: PhraseNode,
    used: u64,
    path: LetterPath,
}

impl BeamState {
    /// Returns the number of cells that are full or were removed with their rows.
    fn cells(&self) -> u32 {
        let full: u32 = self.board.rows().iter().map(|row| row.count_ones()).sum();
        full + self.removed * self.board.width() as u32
    }
}

/// Effect of locking a unit in a position.
#[derive(Clone, Copy)]
struct LockEffect {
    lines: u32,
    board_value: f64,
    /// Whether the game ends: no unit follows, or the next one cannot spawn.
    is_over: bool,
}

/// A lock option with its value.
#[derive(Clone, Copy)]
struct ScoredLock {
    value: f64,
    score: u64,
    lines: u32,
    option: LockOption,
}

/// A beam of boards, with buffers that all of them share.
pub struct Beam<'a> {
    start: GameStart<'a>,
    evaluations: [BoardEvaluator; 2],
    scan: RowScan,
    phrase_dp: PhraseDp<'a>,
    potentials: PotentialCache<'a>,
    free: Vec<Row>,
    /// Scratch board for evaluation.
    board: Board,
    /// Lock effects on the current board, by the hash of the unit's cells.
    effects: HashMap<u64, LockEffect>,
    states: Vec<BeamState>,
    /// Number of labels that the phrase DP keeps for a place.
    pub labels: usize,
    params: EvalParams,
    /// Number of units after the one being placed.
    remaining_units: usize,
    /// The best score so far and its path.
    best: (u64, LetterPath),
}

impl<'a> Beam<'a> {
    /// Creates the beam before its first pass.
    pub fn new(start: GameStart<'a>, search: &BeamParams, labels: usize) -> Beam<'a> {
        let board = start.play.board().clone();
        Beam {
            start,
            evaluations: WEIGHT_SETS.map(|weights| BoardEvaluator::new(start.terrain, &weights)),
            scan: RowScan::default(),
            phrase_dp: PhraseDp::new(start.text.phrases),
            potentials: PotentialCache::new(start, search),
            free: Vec::new(),
            board,
            effects: HashMap::new(),
            states: Vec::new(),
            remaining_units: 0,
            labels,
            params: EvalParams::USUAL,
            best: Default::default(),
        }
    }

    /// Plays the whole game once, with a part of the budget.
    pub fn pass(&mut self, plan: &PassPlan, limiter: &mut Limiter) -> PassResult {
        // The result has the score of this pass; the best game of all passes is restored below.
        let best_before = std::mem::take(&mut self.best);
        let play = self.start.play;
        let TextEnd { node, used, .. } = self.start.text;
        let (board, lines, path) = (play.board().clone(), play.last_lines(), LetterPath::default());
        self.params = plan.params;
        self.states = vec![BeamState { board, lines, removed: 0, score: 0, node, used, path }];
        let units: Vec<usize> = play.upcoming(self.start.terrain).collect();
        let spent_before = limiter.share_spent();
        let mut width = BeamWidth::new(spent_before, plan.until, limiter.depth_limit());
        let (mut boards, mut placed) = (0, 0);
        for (number, &unit) in units.iter().enumerate() {
            self.remaining_units = units.len() - number - 1;
            self.potentials.set_remaining_units(self.remaining_units);
            let expanded = self.advance(unit, units.get(number + 1).copied(), &width, limiter);
            (boards, placed) = (boards + expanded, placed + 1);
            let spent = limiter.share_spent();
            let has_lost_patience = spent - spent_before > plan.patience;
            if self.states.is_empty() || limiter.stopped() || has_lost_patience {
                break;
            }
            // From the middle of the plan on, the game is expected to last twice as long as so far.
            let likely = plan.units.saturating_sub(placed).max(placed + MORE_UNITS);
            width.adapt(expanded, spent, likely.min(self.remaining_units));
        }
        let score = self.best.0;
        if best_before.0 > score {
            self.best = best_before;
        }
        let spent = limiter.share_spent() - spent_before;
        let affordable = boards as f64 / spent.max(1e-9) / units.len().max(1) as f64;
        let end = match self.states.is_empty() {
            _ if placed == units.len() => PassEnd::Completed,
            true => PassEnd::GameOver,
            false => PassEnd::OutOfBudget,
        };
        PassResult { score, affordable, placed, end }
    }

    /// Places `unit` on every board of the beam and keeps the best successors. `next` is the
    /// following unit; a board on which it cannot spawn ends the game. Returns the number of boards
    /// expanded.
    fn advance(
        &mut self,
        unit: usize,
        next: Option<usize>,
        width: &BeamWidth,
        limiter: &mut Limiter,
    ) -> usize {
        let mut selection = Selection::new(width.boards);
        let states = std::mem::take(&mut self.states);
        let mut expanded = 0;
        for state in &states {
            self.expand(state, (unit, next), &mut selection, limiter);
            expanded += 1;
            if limiter.stopped() {
                break;
            }
        }
        let mut chosen = Vec::with_capacity(width.boards);
        for candidate in selection.best() {
            let (mut state, text) = candidate.item;
            state.path = state.path.then(text);
            if state.score > self.best.0 {
                self.best = (state.score, state.path.clone());
            }
            chosen.push(state);
        }
        self.states = chosen;
        // All states have placed the same units.
        debug_assert!(self.states.windows(2).all(|pair| pair[0].cells() == pair[1].cells()));
        expanded
    }

    /// Offers the successors of a board, those of the highest values first.
    fn expand(
        &mut self,
        state: &BeamState,
        (unit, next): (usize, Option<usize>),
        selection: &mut Selection<(BeamState, Box<[u8]>)>,
        limiter: &mut Limiter,
    ) {
        let piece = &self.start.terrain.pieces()[unit];
        let mut locks = self.locks(state, (unit, next), limiter);
        // The selection keeps at most `limit` boards, so no more options of one board are offered.
        locks.sort_by(|a, b| b.value.total_cmp(&a.value));
        for lock in locks.iter().take(selection.limit()) {
            let ScoredLock { value, score, lines, option } = *lock;
            if !selection.wants(value) {
                break;
            }
            let mut board = state.board.clone();
            board.lock(piece, option.at);
            let board_hash = hash(&board);
            let rest = u64::from(option.node) << 32 | u64::from(lines);
            let state_hash = board_hash ^ rest.wrapping_mul(GOLDEN_RATIO);
            let (node, used) = (option.node, state.used | option.newly_used);
            let path = state.path.clone();
            let removed = state.removed + lines;
            let state = BeamState { board, lines, removed, score, node, used, path };
            let item = (state, self.phrase_dp.text(&option));
            selection.offer(BoardCandidate { value, board_hash, state_hash, item });
        }
    }

    /// Returns the options to lock a unit after which the game continues. Records those that end
    /// it.
    fn locks(
        &mut self,
        state: &BeamState,
        (unit, next): (usize, Option<usize>),
        limiter: &mut Limiter,
    ) -> Vec<ScoredLock> {
        let piece = &self.start.terrain.pieces()[unit];
        piece.free(&state.board, &mut self.free);
        let first_use = self.potentials.first_use();
        let next_unit = next.unwrap_or(unit);
        let spellings = &self.potentials.of(unit, state.used);
        let next_unit_spellings = &self.potentials.of(next_unit, state.used);
        let query = DpQuery {
            piece,
            free: &self.free,
            node: state.node,
            used: state.used,
            spellings,
            next_unit_spellings,
            first_use,
            labels: self.labels,
        };
        let options = self.phrase_dp.run(&query, limiter);
        self.effects.clear();
        self.evaluations[self.params.weights].scan(&state.board, state.removed, &mut self.scan);
        let (mut locks, scale) = (Vec::new(), self.params.scale());
        for option in options {
            let LockEffect { lines, board_value, is_over } =
                self.effect(state, piece, option.at, next);
            let gained = points(piece.size(), lines, state.lines) + option.points;
            let score = state.score + u64::from(gained);
            if is_over {
                self.finish(state, score, &option);
                continue;
            }
            // To the next unit, phrases that this option used are no longer first uses.
            let used = state.used | option.newly_used;
            let prefix_value = match option.newly_used {
                0 => next_unit_spellings.prefix_value(option.node),
                _ => self.potentials.of(next_unit, used).prefix_value(option.node),
            };
            // The score has first uses in full, although early in a game they count less.
            let discount = (FIRST_USE as i32 - first_use) * used.count_ones() as i32;
            let value = score as f64 + board_value * scale + f64::from(prefix_value - discount);
            locks.push(ScoredLock { value, score, lines, option });
        }
        locks
    }

    /// Returns the effect of locking a unit, from the cache where another rotation filled the same
    /// cells.
    fn effect(
        &mut self,
        state: &BeamState,
        piece: &Piece,
        at: UnitPosition,
        next: Option<usize>,
    ) -> LockEffect {
        let cells = piece.rows(at).fold(mix(0, at.row.into()), mix);
        if let Some(&effect) = self.effects.get(&cells) {
            return effect;
        }
        self.board.copy_from(&state.board);
        let lines = self.board.lock(piece, at);
        let first = usize::from(at.row);
        let evaluation = &self.evaluations[self.params.weights];
        let from_scratch =
            |board: &Board| evaluation.value(board, state.removed + lines, self.remaining_units);
        let board_value = match lines {
            // No row moved: only the rows of the unit need to be evaluated again.
            0 => {
                let changed = first..first + piece.rows(at).count();
                evaluation.value_beside(&self.scan, &self.board, changed, self.remaining_units)
            }
            _ => from_scratch(&self.board),
        };
        debug_assert!(
            (board_value - from_scratch(&self.board)).abs() < 1e-9 * (1e6 + board_value.abs())
        );
        let is_over = next.is_none_or(|next| {
            let piece = &self.start.terrain.pieces()[next];
            !piece.fits(&self.board, piece.spawn())
        });
        let effect = LockEffect { lines, board_value, is_over };
        self.effects.insert(cells, effect);
        effect
    }

    /// Records a finished game if it is the best so far.
    fn finish(&mut self, state: &BeamState, score: u64, option: &LockOption) {
        if score > self.best.0 {
            self.best = (score, state.path.clone().then(self.phrase_dp.text(option)));
        }
    }

    /// Returns the letters of the best game.
    pub fn text(&self) -> Vec<u8> {
        self.best.1.text()
    }
}

/// Multiplier of the hash: 2^64 divided by the golden ratio.
const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

fn hash(board: &Board) -> u64 {
    board.rows().iter().fold(0, |hash, &row| mix(hash, row))
}

/// Adds a row to a hash. The rotations bring high bits down, which the multiplications never do.
/// Their widths are not tuned.
fn mix(hash: u64, row: Row) -> u64 {
    let mixed = (hash ^ row as u64).wrapping_mul(GOLDEN_RATIO).rotate_left(29);
    (mixed ^ (row >> 64) as u64).wrapping_mul(GOLDEN_RATIO).rotate_left(31)
}
