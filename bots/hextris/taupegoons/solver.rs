//! TaupeGoons' solver. It places unit by unit where a weighted sum is highest, with phrases on the
//! path.

use super::evaluate::PlacementWeights;
use super::path::{locking, shortest_paths};
use super::{atomic, rewrite};
use crate::hextris::best::{BeamParams, DpQuery, PhraseDp, PotentialCache};
use crate::hextris::phrases::TextEnd;
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{Board, Piece, Play, Symbol, Terrain, UnitPosition};
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

/// Largest number of labels of a position on a path, in the search for phrases. Not tuned.
const MOST_LABELS: usize = 3;
/// Number of positions of all units of a game with which a position keeps one label less. Not
/// tuned.
const POSITIONS_PER_LABEL: usize = 10_000_000;
/// Nodes charged to the limiter for a unit, enough to make it read the clock.
const NODES_PER_UNIT: u64 = 1024;

/// A game that is being solved.
struct TaupeGoonsGame<'a> {
    taupegoons: TaupeGoons,
    terrain: &'a Terrain,
    phrase_dp: PhraseDp<'a>,
    /// Values of beginnings of phrases; only [`PhraseStrategy::PhraseDp`] has them.
    potentials: Option<PotentialCache<'a>>,
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
    pub fn solve(&self, start: &GameStart, params: &BeamParams, limiter: &mut Limiter) -> Vec<u8> {
        let mut potentials = (self.strategy == PhraseStrategy::PhraseDp)
            .then(|| PotentialCache::new(*start, params));
        // First uses of phrases then count with their real points.
        potentials.iter_mut().for_each(|known| known.set_remaining_units(0));
        let mut game = TaupeGoonsGame {
            taupegoons: *self,
            terrain: start.terrain,
            phrase_dp: PhraseDp::new(start.text.phrases),
            potentials,
            play: start.play.clone(),
            letters: Vec::new(),
            text: start.text,
        };
        while !limiter.spend(NODES_PER_UNIT) {
            let Some(text) = game.best_text(limiter) else { break };
            game.follow(text);
        }
        game.letters
    }
}

impl TaupeGoonsGame<'_> {
    /// Plays the letters of a path.
    fn follow(&mut self, text: Vec<u8>) {
        for &letter in &text {
            let command = Symbol::of(letter).command().expect("a path consists of commands");
            self.play.play(self.terrain, command).expect("no path breaks a rule");
            self.text.push(letter);
        }
        self.letters.extend(text);
    }

    /// Returns the letters of the best path of the next unit, unless the game is over or the
    /// limiter stops.
    fn best_text(&mut self, limiter: &mut Limiter) -> Option<Vec<u8>> {
        let mut units = self.play.upcoming(self.terrain);
        let unit = units.next()?;
        let next = units.next().unwrap_or(unit);
        let (piece, board) = (&self.terrain.pieces()[unit], self.play.board().clone());
        if let Some(potentials) = &mut self.potentials {
            let mut free = Vec::new();
            piece.free(&board, &mut free);
            let used = self.text.used;
            let units = self.terrain.problem().source_length as usize;
            let fewer = piece.positions() * units / POSITIONS_PER_LABEL;
            let labels = MOST_LABELS.saturating_sub(fewer).max(1);
            let query = DpQuery {
                piece,
                free: &free,
                node: self.text.node,
                used,
                spellings: &potentials.of(unit, used),
                next_unit_spellings: &potentials.of(next, used),
                first_use: potentials.first_use(),
                labels,
            };
            let options = self.phrase_dp.run(&query, limiter).into_iter();
            let options = options.map(|option| (option.at, option.points, option));
            let best = self.best_place(piece, &board, options)?;
            return Some(self.phrase_dp.text(&best).into());
        }
        if self.taupegoons.strategy == PhraseStrategy::Atomic {
            let paths = atomic::paths(piece, &board, self.text).into_iter();
            let paths = paths.map(|path| (path.at, path.points, path));
            return self.best_place(piece, &board, paths).map(|path| path.text);
        }
        let shortest = shortest_paths(piece, &board, piece.spawn(), |_| false);
        let can_lock = |at: &&UnitPosition| locking(piece, &board, **at).is_some();
        let places = shortest.found.iter().filter(can_lock).map(|&at| (at, 0, at));
        let at = self.best_place(piece, &board, places)?;
        rewrite::path(piece, &board, at, self.text).map(|path| path.text)
    }

    /// Returns the candidate of the best place, with its points for phrases. Places high above the
    /// stack are ignored, unless there are no others.
    fn best_place<T>(
        &self,
        piece: &Piece,
        board: &Board,
        candidates: impl Iterator<Item = (UnitPosition, u32, T)>,
    ) -> Option<T> {
        let (top, weights) = (board.top(), self.taupegoons.weights);
        let mut cells = Vec::new();
        let valued = candidates.map(|(at, points, candidate)| {
            cells.clear();
            cells.extend(piece.rows(at));
            let is_low = usize::from(at.row) + cells.len() >= top;
            let value = weights.of_place(board, (at, &cells), top) + weights.of_phrases(points);
            (is_low, value, candidate)
        });
        let best = valued.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        best.map(|(_, _, candidate)| candidate)
    }
}
