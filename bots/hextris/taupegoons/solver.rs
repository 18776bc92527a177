//! TaupeGoons' solver. It places unit by unit where a weighted sum is highest, with phrases on the
//! path.

use super::evaluate::PlacementWeights;
use super::label_search::{LabelLimits, LabelQuery, LabelSearch};
use super::path::{shortest_paths, LockPath};
use super::reachability::{leading_to, lockable, reachable, PositionSet};
use super::{atomic, rewrite};
use crate::hextris::phrases::{playable, TextEnd};
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{Board, Piece, Play, Row, Symbol, Terrain, UnitPosition};
use arbitre_games::search::budget::Limiter;

/// Strategy for phrases on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhraseStrategy {
    /// Phrases as moves of a breadth-first search.
    Atomic,
    /// Phrases inserted into the finished path.
    Rewrite,
    /// Dynamic programming over positions and nodes of the phrase automaton.
    PhraseDp,
}

/// The strategies by their names on the command line.
pub const PHRASE_STRATEGIES: [(&str, PhraseStrategy); 3] = [
    ("dp", PhraseStrategy::PhraseDp),
    ("atomic", PhraseStrategy::Atomic),
    ("rewrite", PhraseStrategy::Rewrite),
];

/// The solver of TaupeGoons' account.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaupeGoons {
    /// Weights of the evaluation of places.
    pub weights: PlacementWeights,
    /// Strategy for phrases on a path.
    pub strategy: PhraseStrategy,
}

/// Number of labels of all searches of a game, for about a second of CPU time.
const LABELS_PER_GAME: usize = 4_000_000;
/// Most labels of a position. Not tuned.
const MOST_LABELS: usize = 12;
/// Number of best places to which paths with phrases are searched. Not tuned.
const MOST_TARGETS: usize = 24;
/// The same on boards that are too large to be searched everywhere. Against 8 with wide steps,
/// problem 14 rose from 57,670 to 70,856. Problem 24 fell from 146,848 to 135,114, in 1.1 s instead
/// of 2.55 s (2026-11-21, `docs/diary/hextris.md`).
const FEW_TARGETS: usize = 4;
/// Nodes charged to the limiter for a unit, enough to make it read the clock.
const NODES_PER_UNIT: u64 = 1024;

/// A game that is being solved.
struct TaupeGoonsGame<'a> {
    taupegoons: TaupeGoons,
    terrain: &'a Terrain,
    label_search: LabelSearch,
    /// Phrases that each unit can play, as bits.
    playable: Vec<u64>,
    play: Play,
    letters: Vec<u8>,
    text: TextEnd<'a>,
}

impl TaupeGoons {
    /// The submitted weights with the best strategy for phrases.
    pub const USUAL: TaupeGoons =
        TaupeGoons { weights: PlacementWeights::SUBMITTED, strategy: PhraseStrategy::PhraseDp };

    /// Plays from a position to the end of the game, or until the limiter stops. Returns the
    /// letters.
    pub fn solve(&self, start: &GameStart, limiter: &mut Limiter) -> Vec<u8> {
        let pieces = start.terrain.pieces().iter();
        let mut game = TaupeGoonsGame {
            taupegoons: *self,
            terrain: start.terrain,
            label_search: LabelSearch::default(),
            playable: pieces.map(|piece| playable(start.text.phrases, piece)).collect(),
            play: start.play.clone(),
            letters: Vec::new(),
            text: start.text,
        };
        while let Some((unit, _)) = game.play.unit() {
            if limiter.spend(NODES_PER_UNIT) {
                break;
            }
            let path = game.best_path(unit);
            game.follow(&path);
        }
        game.letters
    }
}

impl TaupeGoonsGame<'_> {
    /// Plays the letters of a path.
    fn follow(&mut self, path: &LockPath) {
        for &letter in &path.text {
            let command = Symbol::of(letter).command().expect("a path consists of commands");
            self.play.play(self.terrain, command).expect("no path breaks a rule");
            self.text.push(letter);
        }
        self.letters.extend(&path.text);
    }

    fn best_path(&mut self, unit: usize) -> LockPath {
        let piece = &self.terrain.pieces()[unit];
        let board = self.play.board().clone();
        let free = PositionSet::free(piece, &board);
        let reached = reachable(piece, &free, piece.spawn());
        let places = self.places(piece, &board, &lockable(piece, &free, &reached));
        let paths = match self.taupegoons.strategy {
            PhraseStrategy::Atomic => atomic::paths(piece, &board, self.text),
            PhraseStrategy::Rewrite => {
                rewrite::path(piece, &board, places[0].1, self.text).into_iter().collect()
            }
            PhraseStrategy::PhraseDp => self.dp_paths(unit, &free, &reached, &places),
        };
        let value = |path: &LockPath| {
            let place = places.iter().find(|(_, at)| *at == path.at);
            place.map(|(value, _)| value + self.taupegoons.weights.of_phrases(path.points))
        };
        let valued = paths.into_iter().filter_map(|path| Some((value(&path)?, path)));
        let best = valued.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, path)| path);
        best.unwrap_or_else(|| self.plain_path(piece, &board, places[0].1))
    }

    /// Returns the places with their values without phrases, the best one first.
    fn places(
        &self,
        piece: &Piece,
        board: &Board,
        lockable: &PositionSet,
    ) -> Vec<(f64, UnitPosition)> {
        let top = board.top();
        let is_low = |at: &UnitPosition| usize::from(at.row) + piece.rows(*at).count() >= top;
        let mut all: Vec<UnitPosition> = lockable.iter().filter(is_low).collect();
        // Places high above the stack are ignored, unless there are no others.
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
        let piece = &self.terrain.pieces()[unit];
        let (limits, most) = self.limits(piece);
        let best: Vec<UnitPosition> = places.iter().take(most).map(|place| place.1).collect();
        let mut targets = free.none();
        best.iter().for_each(|&at| targets.insert(at));
        let mut steps = limits.steps;
        let width = self.terrain.problem().width;
        loop {
            let allowed = leading_to(piece, reached, &best, steps);
            let leads = allowed.contains(piece.spawn());
            if leads || steps >= width {
                let (allowed, targets) = (&allowed, &targets);
                let (before, playable) = (self.text, self.playable[unit]);
                let query = LabelQuery { piece, free, allowed, targets, before, playable };
                return self.label_search.paths(&query, LabelLimits { steps, ..limits });
            }
            // No path within these steps leads from the spawn to a target.
            steps *= 2;
        }
    }

    /// Divides the labels of a game among its units and the rows of the board. Returns the limits
    /// of a search and its number of targets.
    fn limits(&self, piece: &Piece) -> (LabelLimits, usize) {
        let problem = self.terrain.problem();
        let units = problem.source_length as usize;
        let per_row = LABELS_PER_GAME / units.max(1) / problem.height;
        let (width, turns) = (problem.width, piece.period());
        // One label for each direction, column and rotation.
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
        let shortest = shortest_paths(piece, board, piece.spawn(), |_| false);
        let letters = shortest.moves(piece, at).expect("all places are reached");
        LockPath::new(piece, board, at, letters, self.text).expect("the unit can be locked there")
    }
}

/// The bits of a row suffice for the widest board.
const _: () = assert!(arbitre_games::games::hextris::WIDEST <= Row::BITS as usize);
