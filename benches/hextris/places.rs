//! Speed of finding the positions that a unit can reach, and in which it can be locked.

use super::games::ScoredGames;
use super::measure;
use arbitre::bots::hextris::taupegoons::path::{locking, shortest_paths};
use arbitre::bots::hextris::taupegoons::reachability::{lockable, reachable, PositionSet};
use arbitre::games::hextris::{Board, Effect, Piece, Play, Symbol, Terrain};

/// Number of units between the boards that are measured. Not tuned.
const SPACING: usize = 5;

/// Measures a flood fill on bitboards, and a search from position to position. Both find the same.
pub fn measure_all(games: &ScoredGames, rounds: usize) {
    let pairs = games.terrains.iter().zip(&games.solutions);
    let boards: Vec<(&Piece, Board)> = pairs
        .flat_map(|(terrain, played)| boards(terrain, played[0].seed, &played[0].text))
        .collect();
    for (piece, board) in &boards {
        assert_eq!(flood(piece, board), breadth_first(piece, board));
    }
    println!("where units come to on {} boards of these games", boards.len());
    println!("  {:<44} {:>10} {:>10}", "million positions reached a second", "median", "most");
    let with = |find: fn(&Piece, &Board) -> (u64, u64)| {
        let boards = &boards;
        move || boards.iter().map(|(piece, board)| find(piece, board).0).sum()
    };
    measure("floods by rows of bits", rounds, with(flood));
    measure("breadth first, position by position", rounds, with(breadth_first));
    println!();
}

/// Returns boards of a game on which a unit has just spawned.
fn boards<'t>(terrain: &'t Terrain, seed: u32, text: &str) -> Vec<(&'t Piece, Board)> {
    let mut play = Play::new(terrain, seed);
    let (mut boards, mut locked) = (Vec::new(), 0);
    for byte in text.bytes() {
        let Some(command) = Symbol::of(byte).command() else { continue };
        let effect = play.play(terrain, command).expect("the solution is legal");
        locked += usize::from(effect == Effect::Locked);
        if let (Effect::Locked, 0, Some((unit, _))) = (effect, locked % SPACING, play.unit()) {
            boards.push((&terrain.pieces()[unit], play.board().clone()));
        }
    }
    boards
}

/// Returns the number of positions reached, and of those in which the unit can be locked.
fn flood(piece: &Piece, board: &Board) -> (u64, u64) {
    let free = PositionSet::free(piece, board);
    let reached = reachable(piece, &free, piece.spawn());
    let lockable = lockable(piece, &free, &reached);
    (reached.iter().count() as u64, lockable.iter().count() as u64)
}

fn breadth_first(piece: &Piece, board: &Board) -> (u64, u64) {
    let reached = shortest_paths(piece, board, piece.spawn(), |_| false).found;
    let can_lock = reached.iter().filter(|&&at| locking(piece, board, at).is_some());
    (reached.len() as u64, can_lock.count() as u64)
}
