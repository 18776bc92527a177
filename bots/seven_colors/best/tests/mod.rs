//! Tests of bitboard positions, zones and proofs against the plain board, breadth-first searches,
//! and games played to their end.

mod bitboard_position;
mod games;
mod proofs;

use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, State};
use arbitre_games::games::seven_colors::{Colour, Position, SevenColors};
use arbitre_games::rng::Rng;
use std::cmp::Ordering;

/// Rules that cover every case that the search must handle.
const RULES: [&str; 8] = [
    "",
    "ban=opponent",
    "ban=own-and-opponent",
    "capture-enclosed=yes",
    "count-enclosed=yes",
    "ban=opponent capture-enclosed=yes",
    "ban=own-and-opponent count-enclosed=yes",
    "stall=1",
];

/// Returns a position some random plies into a game, unless the game ends before. Passes are
/// frequent, so stalls are near.
fn position(rng: &mut Rng, rules: &str, (width, height): (usize, usize)) -> Option<Position> {
    let colours = 3 + rng.below(4);
    let stall = if rules.contains("stall") { "" } else { ["stall=3", "stall=9"][rng.below(2)] };
    let text = format!("size={width}x{height} symmetric=no colours={colours} {rules} {stall}");
    let game = SevenColors::from_rules(text.trim()).unwrap();
    let board = game.setups(2, 0, rng.fork(0)).next().unwrap();
    let _ = rng.next_u64();
    let mut position = game.start(&board).ok()?;
    for _ in 0..rng.below(width + height) {
        let mut moves = position.moves(position.mover());
        let passes: Vec<Colour> =
            moves.iter().copied().filter(|&c| is_pass(&position, c)).collect();
        if rng.below(2) == 0 && !passes.is_empty() {
            moves = passes;
        }
        let colour = *moves.get(rng.below(moves.len().max(1)))?;
        position.play_unchecked(position.mover(), colour);
    }
    position.outcome().is_none().then_some(position)
}

fn after(position: &Position, colour: Colour) -> Position {
    let mut after = position.clone();
    after.play_unchecked(position.mover(), colour);
    after
}

fn is_pass(position: &Position, colour: Colour) -> bool {
    after(position, colour).quiet() > 0
}

/// Returns the result for the player to move if the game is over.
fn verdict(position: &Position) -> Option<Ordering> {
    let scores = position.outcome()?.scores;
    let mover = position.mover();
    Some(scores[mover.index()].cmp(&scores[mover.other().index()]))
}
