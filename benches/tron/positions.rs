//! Positions from the middle of games that the bot `best` plays against itself.

use arbitre::bots::engine::Engine;
use arbitre::bots::tron::best::bitboards::{Bitboard, SmallGrid};
use arbitre::bots::tron::best::position::TwoPlayerPosition;
use arbitre::bots::tron::best::Best;
use arbitre::dialect::Notation;
use arbitre::game::{Game, State};
use arbitre::games::tron::{Position, Tron};
use arbitre::rng::Rng;
use arbitre::search::budget::Budget;

/// First ply of the middle of a game, which ends once the players are separated. Not tuned.
const OPENING: u32 = 16;
/// Average number of positions for each one kept. Not tuned.
const SPACING: usize = 8;
/// Node limit per move of those games. Not tuned.
const NODES: u64 = 500;
/// Seed of the starts.
const STARTS: u64 = 1;
/// Seed of the choice of positions.
const KEPT: u64 = 2;

/// Returns `count` two-player starts on the default grid.
pub fn starts(count: usize) -> Vec<Position> {
    let game = usual();
    let setups = game.setups(2, 0, Rng::new(STARTS)).take(count);
    setups.map(|setup| game.start(&setup).expect("a generated start is valid")).collect()
}

/// Returns `count` positions, and the number of games that they come from.
pub fn positions(count: usize) -> (Vec<TwoPlayerPosition<SmallGrid>>, usize) {
    let (game, rng) = (usual(), Rng::new(KEPT));
    let (mut kept, mut games) = (Vec::new(), 0);
    let mut setups = game.setups(2, 0, Rng::new(STARTS));
    while kept.len() < count {
        let setup = setups.next().expect("the starts suffice");
        let position = game.start(&setup).expect("a generated start is valid");
        kept.extend(middle_of_game(position, &mut rng.fork(games as u64)));
        games += 1;
    }
    kept.truncate(count);
    (kept, games)
}

fn usual() -> Tron {
    Tron::from_rules("").expect("the default rules are valid")
}

fn middle_of_game(mut position: Position, rng: &mut Rng) -> Vec<TwoPlayerPosition<SmallGrid>> {
    // Two engines, as in a match: each keeps its state from move to move.
    let mut best = [Best::default(), Best::default()];
    let mut kept = Vec::new();
    while position.outcome().is_none() {
        let seat = position.mover();
        let seen = TwoPlayerPosition::<SmallGrid>::new(&position);
        // Separated players would measure the endgame, not the search for two.
        if !SmallGrid::flood_fill_from(seen.free, seen.heads[0]).dilate().has(seen.heads[1]) {
            break;
        }
        if position.ply() >= OPENING && rng.below(SPACING) == 0 {
            kept.push(seen);
        }
        let (direction, _) = best[seat.index()].choose(&position, seat, Budget::nodes(NODES));
        position.play_unchecked(seat, direction);
    }
    kept
}
