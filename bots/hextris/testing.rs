//! Problems, games and all paths of a unit, for the tests of the solvers.

use super::phrases::TextEnd;
use super::start::GameStart;
use arbitre_games::games::hextris::{
    draw_problem, score, Board, Cell, Command, Phrases, Piece, Play, Problem, Rules, Score,
    SolutionEnd, Terrain, Unit, UnitPosition,
};
use arbitre_games::rng::Rng;
use std::collections::{BTreeMap, HashSet};

/// Draws a problem.
pub fn terrain(rules: &str, seed: u64) -> Terrain {
    Terrain::new(draw_problem(&Rules::parse(rules).unwrap(), &mut Rng::new(seed)))
}

/// Draws problems with the seeds from 0.
pub fn terrains(rules: &str, count: u64) -> impl Iterator<Item = Terrain> + '_ {
    (0..count).map(move |seed| terrain(rules, seed))
}

/// Columns and rows of cells.
pub type Shape<'s> = &'s [(i32, i32)];

pub const SINGLE: Shape = &[(0, 0)];

/// Returns a problem of twelve units with one seed. The pivot of a unit is its first cell.
pub fn problem(width: usize, height: usize, units: &[Shape], filled: Shape) -> Problem {
    let cells = |shape: Shape| shape.iter().map(|&(x, y)| Cell { x, y }).collect::<Vec<_>>();
    let unit = |shape: &Shape| Unit { members: cells(shape), pivot: cells(shape)[0] };
    let (units, filled) = (units.iter().map(unit).collect(), cells(filled));
    Problem { id: 0, width, height, units, filled, source_length: 12, source_seeds: vec![0] }
}

/// Returns `true` if a piece is on the board and on free cells at a position.
pub fn is_free(piece: &Piece, board: &Board, at: UnitPosition) -> bool {
    let mut free = Vec::new();
    piece.free(board, &mut free);
    let line = usize::from(at.rotation) * piece.height() + usize::from(at.row);
    free[line] >> at.column & 1 != 0
}

/// Plays the first game of a problem with `solve`. Returns the letters and their score.
pub fn play_game(
    terrain: &Terrain,
    phrases: &Phrases,
    solve: impl FnOnce(GameStart) -> Vec<u8>,
) -> (String, Score) {
    let seed = terrain.problem().source_seeds[0];
    let letters = solve(GameStart::new(terrain, phrases, &Play::new(terrain, seed)));
    let text = String::from_utf8(letters).unwrap();
    let score = score(terrain, seed, &text, phrases);
    (text, score)
}

/// Asserts that a game is legal and over.
pub fn assert_is_over(score: &Score, terrain: &Terrain) {
    let is_over = matches!(score.ending, SolutionEnd::Over(_));
    assert!(is_over && score.total() > 0, "{score:?} {}", terrain.problem().to_json());
}

/// Returns the letters of a command that may follow a text.
type Letters<'l> = &'l dyn Fn(&TextEnd, Command) -> Vec<u8>;

/// Returns the most points for phrases on the paths to each place where a unit can be locked. Tries
/// all paths that move in one direction within a row of the pivot, and turn in one direction at a
/// cell.
pub fn most_points(
    piece: &Piece,
    board: &Board,
    text: TextEnd,
    letters: Letters,
) -> BTreeMap<UnitPosition, u32> {
    let (at, held) = (piece.spawn(), HashSet::from([piece.spawn()]));
    let path = PathState { at, text, points: 0, slide: None, turn: None, held };
    let mut best = BTreeMap::new();
    path.extend(piece, board, letters, &mut best);
    best
}

/// A path, and the commands that its last position allows.
#[derive(Clone)]
struct PathState<'p> {
    at: UnitPosition,
    text: TextEnd<'p>,
    points: u32,
    /// The first command to the side in this row.
    slide: Option<Command>,
    /// The first turn at this cell.
    turn: Option<Command>,
    held: HashSet<UnitPosition>,
}

impl PathState<'_> {
    fn extend(
        &self,
        piece: &Piece,
        board: &Board,
        letters: Letters,
        best: &mut BTreeMap<UnitPosition, u32>,
    ) {
        for command in Command::ALL {
            let next = piece.advance(board, self.at, command);
            if next.is_some_and(|next| self.held.contains(&next) || !self.may(command)) {
                continue;
            }
            let mut nodes = HashSet::new();
            for letter in letters(&self.text, command) {
                let mut then = self.clone();
                then.points += then.text.push(letter);
                match next {
                    // Letters with the same successor have the same continuations.
                    _ if !nodes.insert(then.text.node) => {}
                    Some(next) => {
                        then.move_to(next, command);
                        then.extend(piece, board, letters, best);
                    }
                    None => {
                        let known = best.entry(self.at).or_default();
                        *known = then.points.max(*known);
                    }
                }
            }
        }
    }

    fn may(&self, command: Command) -> bool {
        match command {
            Command::West | Command::East => self.slide.is_none_or(|slide| slide == command),
            Command::Clockwise | Command::CounterClockwise => {
                self.turn.is_none_or(|turn| turn == command)
            }
            Command::SouthWest | Command::SouthEast => true,
        }
    }

    fn move_to(&mut self, next: UnitPosition, command: Command) {
        self.at = next;
        self.held.insert(next);
        match command {
            Command::West | Command::East => (self.slide, self.turn) = (Some(command), None),
            Command::Clockwise | Command::CounterClockwise => self.turn = Some(command),
            Command::SouthWest | Command::SouthEast => (self.slide, self.turn) = (None, None),
        }
    }
}
