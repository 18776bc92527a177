//! TaupeGoons' solver: unit by unit, to the place that a weighted sum likes best, with phrases on the way.

use super::atomic::AtomicPhrases;
use super::evaluate::PlacementWeights;
use super::label_search::{LabelLimits, LabelQuery, LabelSearch};
use super::path::{plain, LockPath, ShortestPaths, TextEnd};
use super::reachability::{leading_to, lockable, reachable, PositionSet};
use super::rewrite;
use crate::hextris::phrases::playable;
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{
    Board, PhraseNode, Phrases, Piece, Play, Row, Symbol, Terrain, UnitPosition,
};
use arbitre_games::search::budget::Limiter;

/// How phrases come into a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhraseStrategy {
    /// As moves of their own in the search.
    Atomic,
    /// Put into the finished path.
    Rewrite,
    /// By dynamic programming over positions and nodes of the automaton.
    PhraseDp,
}

/// The words for these.
pub const PHRASE_STRATEGIES: [(&str, PhraseStrategy); 3] = [
    ("dp", PhraseStrategy::PhraseDp),
    ("atomic", PhraseStrategy::Atomic),
    ("rewrite", PhraseStrategy::Rewrite),
];

/// The solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaupeGoons {
    /// What it likes.
    pub weights: PlacementWeights,
    /// How it spells.
    pub strategy: PhraseStrategy,
}

/// So many labels of the dynamic programme are worth about a second of processor time.
const LABELS_PER_GAME: usize = 4_000_000;
/// No position keeps more labels than this.
const MOST_LABELS: usize = 12;
/// So many of the best places are looked at with the phrases on the way to them.
const MOST_TARGETS: usize = 24;
/// The same on boards that are too large to be looked at everywhere.
const FEW_TARGETS: usize = 4;

/// So much that the clock is looked at for each unit.
const NODES_PER_UNIT: u64 = 1024;

/// A game that is being solved.
struct TaupeGoonsGame<'a> {
    taupegoons: TaupeGoons,
    terrain: &'a Terrain,
    phrases: &'a Phrases,
    label_search: LabelSearch<'a>,
    atomic: AtomicPhrases,
    /// By unit: the phrases that it can play.
    playable: Vec<u64>,
    play: Play,
    text: Vec<u8>,
    node: PhraseNode,
    used: u64,
}

impl TaupeGoons {
    /// Plays on from a position to the end, or until the limiter stops it. Returns the letters.
    pub fn solve(&self, start: &GameStart, limiter: &mut Limiter) -> Vec<u8> {
        let pieces = start.terrain.pieces();
        let mut game = TaupeGoonsGame {
            taupegoons: *self,
            terrain: start.terrain,
            phrases: start.phrases,
            label_search: LabelSearch::new(start.phrases),
            atomic: AtomicPhrases::new(start.phrases),
            playable: pieces.iter().map(|piece| playable(start.phrases, piece)).collect(),
            play: start.play.clone(),
            text: Vec::new(),
            node: start.node,
            used: start.used,
        };
        while let Some((unit, _)) = game.play.unit() {
            if limiter.spend(NODES_PER_UNIT) {
                break;
            }
            let path = game.best_path(unit);
            game.follow(&path);
        }
        game.text
    }
}

impl TaupeGoonsGame<'_> {
    /// Plays the letters of a path.
    fn follow(&mut self, path: &LockPath) {
        for &letter in &path.text {
            let symbol = Symbol::of(letter);
            if let Some(command) = symbol.command() {
                self.play.play(self.terrain, command).expect("no path breaks a rule");
            }
            self.node = self.phrases.next(self.node, symbol);
            self.used |= self.phrases.ended(self.node);
        }
        self.text.extend(&path.text);
    }

    fn best_path(&mut self, unit: usize) -> LockPath {
        let terrain = self.terrain;
        let piece = &terrain.pieces()[unit];
        let board = self.play.board().clone();
        let free = PositionSet::free(piece, &board);
        let reached = reachable(piece, &free, piece.spawn());
        let places = self.places(piece, &board, &lockable(piece, &free, &reached));
        let weights = self.taupegoons.weights;
        let paths = match self.taupegoons.strategy {
            PhraseStrategy::Atomic => {
                let is_place = |path: &LockPath| places.iter().any(|(_, at)| *at == path.at);
                let mut paths = self.atomic.paths(piece, &board, &self.text_end());
                paths.retain(is_place);
                paths
            }
            PhraseStrategy::Rewrite => {
                let path = rewrite::path(piece, &board, places[0].1, &self.text_end());
                path.into_iter().collect()
            }
            PhraseStrategy::PhraseDp => self.dp_paths(unit, &free, &reached, &places),
        };
        let value = |path: &LockPath| {
            let place = places.iter().find(|(_, at)| *at == path.at).map(|(value, _)| *value);
            place.unwrap_or(f64::MIN) + weights.of_phrases(path.points)
        };
        let best = paths.into_iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        best.unwrap_or_else(|| self.plain_path(piece, &board, places[0].1))
    }

    /// The places that are worth a look, the best one first, phrases left out.
    fn places(
        &self,
        piece: &Piece,
        board: &Board,
        lockable: &PositionSet,
    ) -> Vec<(f64, UnitPosition)> {
        let top = board.top();
        let is_low = |at: &UnitPosition| usize::from(at.row) + piece.rows(*at).count() >= top;
        let mut all: Vec<UnitPosition> = lockable.iter().filter(is_low).collect();
        if all.is_empty() {
            all = lockable.iter().collect();
        }
        let mut cells = Vec::new();
        let mut value = |at| {
            cells.clear();
            cells.extend(piece.rows(at));
            (self.taupegoons.weights.of_place(board, (at, &cells), top), at)
        };
        let mut places: Vec<(f64, UnitPosition)> = all.into_iter().map(&mut value).collect();
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        places
    }

    fn dp_paths(
        &mut self,
        unit: usize,
        free: &PositionSet,
        reached: &PositionSet,
        places: &[(f64, UnitPosition)],
    ) -> Vec<LockPath> {
        let terrain = self.terrain;
        let piece = &terrain.pieces()[unit];
        let (limits, most) = self.limits(piece);
        let best: Vec<UnitPosition> = places.iter().take(most).map(|place| place.1).collect();
        let mut targets = PositionSet::empty_like(free);
        best.iter().for_each(|&at| targets.insert(at));
        let mut steps = limits.steps;
        let width = self.terrain.problem().width;
        loop {
            let allowed = leading_to(piece, reached, &best, steps);
            let leads = allowed.contains(piece.spawn());
            if leads || steps >= width {
                let (node, used, playable) = (self.node, self.used, self.playable[unit]);
                let (allowed, targets) = (&allowed, &targets);
                let query = LabelQuery { piece, free, allowed, targets, node, used, playable };
                return self.label_search.paths(&query, LabelLimits { steps, ..limits });
            }
            steps *= 2;
        }
    }

    /// As much as a game may cost, shared out over its units and the rows of the board. Returns how many
    /// places are looked at besides.
    fn limits(&self, piece: &Piece) -> (LabelLimits, usize) {
        let problem = self.terrain.problem();
        let units = problem.source_length as usize;
        let per_row = LABELS_PER_GAME / units.max(1) / problem.height;
        let (width, turns) = (problem.width, piece.period());
        let whole = 3 * width * turns;
        if per_row >= whole {
            let labels = (per_row / whole).min(MOST_LABELS);
            let entries = width * turns * labels;
            return (LabelLimits { labels, entries, steps: width }, MOST_TARGETS);
        }
        let steps = (per_row / (4 * turns)).clamp(1, width);
        let entries = (per_row / (turns * (1 + 2 * steps))).max(4);
        (LabelLimits { labels: 2, entries, steps }, FEW_TARGETS)
    }

    /// Returns the shortest path to a place.
    fn plain_path(&self, piece: &Piece, board: &Board, at: UnitPosition) -> LockPath {
        let shortest = ShortestPaths::new(piece, board, piece.spawn(), |_| false);
        let path = shortest.path(piece, at).expect("only places that are reached are looked at");
        let text = path.into_iter().map(plain).collect();
        self.text_end().lock(piece, board, at, text).expect("it can be locked there")
    }

    fn text_end(&self) -> TextEnd<'_> {
        TextEnd { phrases: self.phrases, node: self.node, used: self.used }
    }
}

/// The widest board is no wider than a row of bits.
const _: () = assert!(arbitre_games::games::hextris::WIDEST <= Row::BITS as usize);
