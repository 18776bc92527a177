//! TaupeGoons' solver: unit by unit, to the place that a weighted sum likes best, with phrases on the way.

use super::atomic::Atomic;
use super::best::Start;
use super::evaluate::Weights;
use super::flood::{leading_to, lockable, reachable, Positions};
use super::hopes::playable;
use super::rewrite;
use super::spell::{Effort, Speller, Task};
use super::way::{locking, plain, points, Shortest, Way};
use arbitre_games::games::hextris::{
    Board, Meaning, Node, Phrases, Piece, Play, Position, Row, Symbol, Terrain,
};
use arbitre_games::search::budget::Limiter;

/// How phrases come into a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// As moves of their own in the search.
    Atomic,
    /// Put into the finished path.
    Rewrite,
    /// By dynamic programming over positions and nodes of the automaton.
    Programme,
}

/// The words for these.
pub const SPELLINGS: [(&str, Spelling); 3] =
    [("dp", Spelling::Programme), ("atomic", Spelling::Atomic), ("rewrite", Spelling::Rewrite)];

/// The solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taupe {
    /// What it likes.
    pub weights: Weights,
    /// How it spells.
    pub spelling: Spelling,
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
struct Solving<'a> {
    taupe: Taupe,
    terrain: &'a Terrain,
    phrases: &'a Phrases,
    speller: Speller<'a>,
    atomic: Atomic<'a>,
    /// By unit: the phrases that it can play.
    playable: Vec<u64>,
    play: Play,
    text: Vec<u8>,
    node: Node,
    used: u64,
}

impl Taupe {
    /// Plays on from a position to the end, or until the meter says stop. Returns the letters.
    pub fn solve(&self, start: &Start, meter: &mut Limiter) -> Vec<u8> {
        let pieces = start.terrain.pieces();
        let mut solving = Solving {
            taupe: *self,
            terrain: start.terrain,
            phrases: start.phrases,
            speller: Speller::new(start.phrases),
            atomic: Atomic::new(start.phrases),
            playable: pieces.iter().map(|piece| playable(start.phrases, piece)).collect(),
            play: start.play.clone(),
            text: Vec::new(),
            node: start.node,
            used: start.used,
        };
        while let Some((unit, _)) = solving.play.unit() {
            if meter.spend(NODES_PER_UNIT) {
                break;
            }
            let way = solving.best_way(unit);
            solving.follow(&way);
        }
        solving.text
    }
}

impl Solving<'_> {
    /// Plays the letters of a way.
    fn follow(&mut self, way: &Way) {
        for &letter in &way.text {
            let symbol = Symbol::of(letter);
            if let Meaning::Command(command) = symbol.meaning() {
                self.play.play(self.terrain, command).expect("no way breaks a rule");
            }
            self.node = self.phrases.next(self.node, symbol);
            self.used |= self.phrases.ended(self.node);
        }
        self.text.extend(&way.text);
    }

    fn best_way(&mut self, unit: usize) -> Way {
        let terrain = self.terrain;
        let piece = &terrain.pieces()[unit];
        let board = self.play.board().clone();
        let free = Positions::free(piece, &board);
        let reached = reachable(piece, &free, piece.spawn());
        let places = self.places(piece, &board, &lockable(piece, &free, &reached));
        let weights = self.taupe.weights;
        let ways = match self.taupe.spelling {
            Spelling::Atomic => {
                let is_place = |way: &Way| places.iter().any(|(_, at)| *at == way.at);
                let tail = &self.text[self.text.len().saturating_sub(LONGEST_TAIL)..];
                let mut ways = self.atomic.ways(piece, &board, tail, self.used);
                ways.retain(is_place);
                ways
            }
            Spelling::Rewrite => {
                let tail = &self.text[self.text.len().saturating_sub(LONGEST_TAIL)..];
                let state = (tail, self.used);
                rewrite::way(piece, &board, places[0].1, self.phrases, state).into_iter().collect()
            }
            Spelling::Programme => self.spelt(unit, &free, &reached, &places),
        };
        let liking = |way: &Way| {
            let place = places.iter().find(|(_, at)| *at == way.at).map(|(liking, _)| *liking);
            place.unwrap_or(f64::MIN) + weights.of_phrases(way.points)
        };
        let best = ways.into_iter().max_by(|a, b| liking(a).total_cmp(&liking(b)));
        best.unwrap_or_else(|| self.plain_way(piece, &board, places[0].1))
    }

    /// The places that are worth a look, the best one first, phrases left out.
    fn places(&self, piece: &Piece, board: &Board, lockable: &Positions) -> Vec<(f64, Position)> {
        let top = board.top();
        let is_low = |at: &Position| usize::from(at.row) + piece.rows(*at).count() >= top;
        let mut all: Vec<Position> = lockable.iter().filter(is_low).collect();
        if all.is_empty() {
            all = lockable.iter().collect();
        }
        let mut cells = Vec::new();
        let mut liking = |at| {
            cells.clear();
            cells.extend(piece.rows(at));
            (self.taupe.weights.of_place(board, (at, &cells), top), at)
        };
        let mut places: Vec<(f64, Position)> = all.into_iter().map(&mut liking).collect();
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        places
    }

    fn spelt(
        &mut self,
        unit: usize,
        free: &Positions,
        reached: &Positions,
        places: &[(f64, Position)],
    ) -> Vec<Way> {
        let terrain = self.terrain;
        let piece = &terrain.pieces()[unit];
        let (effort, most) = self.effort(piece);
        let best: Vec<Position> = places.iter().take(most).map(|place| place.1).collect();
        let mut targets = Positions::empty_like(free);
        best.iter().for_each(|&at| targets.insert(at));
        let mut steps = effort.steps;
        let width = self.terrain.problem().width;
        loop {
            let allowed = leading_to(piece, reached, &best, steps);
            let leads = allowed.contains(piece.spawn());
            if leads || steps >= width {
                let (node, used, playable) = (self.node, self.used, self.playable[unit]);
                let (allowed, targets) = (&allowed, &targets);
                let task = Task { piece, free, allowed, targets, node, used, playable };
                return self.speller.ways(&task, Effort { steps, ..effort });
            }
            steps *= 2;
        }
    }

    /// As much as a game may cost, shared out over its units and the rows of the board. Returns how many
    /// places are looked at besides.
    fn effort(&self, piece: &Piece) -> (Effort, usize) {
        let problem = self.terrain.problem();
        let units = problem.source_length as usize;
        let per_row = LABELS_PER_GAME / units.max(1) / problem.height;
        let (width, turns) = (problem.width, piece.period());
        let whole = 3 * width * turns;
        if per_row >= whole {
            let labels = (per_row / whole).min(MOST_LABELS);
            let entries = width * turns * labels;
            return (Effort { labels, entries, steps: width }, MOST_TARGETS);
        }
        let steps = (per_row / (4 * turns)).clamp(1, width);
        let entries = (per_row / (turns * (1 + 2 * steps))).max(4);
        (Effort { labels: 2, entries, steps }, FEW_TARGETS)
    }

    /// The shortest way to a place.
    fn plain_way(&self, piece: &Piece, board: &Board, at: Position) -> Way {
        let shortest = Shortest::new(piece, board, piece.spawn(), |_| false);
        let path = shortest.path(piece, at).expect("only places that are reached are looked at");
        let mut text: Vec<u8> = path.into_iter().map(plain).collect();
        text.push(plain(locking(piece, board, at).expect("it can be locked there")));
        let tail = &self.text[self.text.len().saturating_sub(LONGEST_TAIL)..];
        let (points, _) = points(self.phrases, tail, &text, self.used);
        Way { at, text, points }
    }
}

/// No phrase of the contest is longer than this.
const LONGEST_TAIL: usize = 64;

/// The widest board is no wider than a row of bits.
const _: () = assert!(arbitre_games::games::hextris::WIDEST <= Row::BITS as usize);
