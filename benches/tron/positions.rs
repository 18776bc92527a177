//! Positions from the middle of games that the best bot plays against itself.

use arbitre::bots::engine::Engine;
use arbitre::bots::tron::best::bitboards::{Bitboard, SmallGrid};
use arbitre::bots::tron::best::position::TwoPlayerPosition;
use arbitre::bots::tron::best::Best;
use arbitre::dialect::Notation;
use arbitre::game::{Game, State};
use arbitre::games::tron::{Position, Tron};
use arbitre::rng::Rng;
use arbitre::search::budget::Budget;

/// The middle of a game begins at this ply; it ends when nobody can reach the other any more.
const OPENING: u32 = 16;
/// One position in so many is kept.
const SPACING: usize = 8;
/// What a move of those games may cost.
const NODES: u64 = 500;
/// Seeds of the starts, and of what is kept.
const STARTS: u64 = 1;
const KEPT: u64 = 2;

/// The starts of so many games for two on the usual grid.
pub fn starts(count: usize) -> Vec<Position> {
    let game = usual();
    let setups = game.setups(2, 0, Rng::new(STARTS)).take(count);
    setups.map(|setup| game.start(&setup).expect("a drawn start is one")).collect()
}

/// As many positions, from as many games as that takes; how many those were.
pub fn positions(count: usize) -> (Vec<TwoPlayerPosition<SmallGrid>>, usize) {
    let (game, rng) = (usual(), Rng::new(KEPT));
    let (mut kept, mut games) = (Vec::new(), 0);
    let mut setups = game.setups(2, 0, Rng::new(STARTS));
    while kept.len() < count {
        let setup = setups.next().expect("there is no end of starts");
        let position = game.start(&setup).expect("a drawn start is one");
        kept.extend(middle_of_game(position, &mut rng.fork(games as u64)));
        games += 1;
    }
    kept.truncate(count);
    (kept, games)
}

fn usual() -> Tron {
    Tron::from_rules("").expect("the usual rules are rules")
}

fn middle_of_game(mut position: Position, rng: &mut Rng) -> Vec<TwoPlayerPosition<SmallGrid>> {
    let mut best = [Best::default(), Best::default()];
    let mut kept = Vec::new();
    while position.outcome().is_none() {
        let seat = position.mover();
        let seen = TwoPlayerPosition::<SmallGrid>::new(&position);
        if !SmallGrid::reach(seen.free, seen.heads[0]).spread().has(seen.heads[1]) {
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
