//! The bot that is meant to win.

pub mod bitboards;
pub mod chamber_tree;
pub mod evaluation;
pub mod multiplayer;
pub mod position;
#[cfg(test)]
mod reference;
pub mod simd;
pub mod two_player;
pub mod voronoi;

use super::endgame::EndgamePlayer;
use super::endgame::FreeRegion;
use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron, MOST_SEATS};
use arbitre_games::search::budget::{Budget, Limiter};
use bitboards::{Bitboard, LargeGrid, SmallGrid};
use multiplayer::mcts::Mcts;
use multiplayer::ParanoidSearch;
use position::{MultiplayerPosition, TwoPlayerPosition};
use simd::SimdBitboard;
use two_player::TwoPlayerSearch;

/// The entries of the transposition table.
pub const ENTRIES: usize = 1 << 20;

/// The plies that are looked ahead in the opening of three or four, where the budget does not say: two
/// rounds of four.
const OPENING_DEPTH: u32 = 8;

/// The engine.
pub struct Best {
    searcher: TwoPlayerSearch,
    multiplayer: ParanoidSearch,
    mcts: Mcts,
    endgame_player: EndgamePlayer,
}

impl Default for Best {
    fn default() -> Best {
        let (multiplayer, mcts, endgame_player) = Default::default();
        Best { searcher: TwoPlayerSearch::new(ENTRIES), multiplayer, mcts, endgame_player }
    }
}

impl Best {
    fn think<P: SimdBitboard>(
        &mut self,
        position: &Position,
        seat: Seat,
        budget: Budget,
    ) -> (Direction, String) {
        let multiplayer = MultiplayerPosition::<P>::new(position, seat);
        let around = multiplayer.free.reach(multiplayer.heads[0]).spread();
        let others = (1..MOST_SEATS).filter(|seat| multiplayer.alive >> seat & 1 != 0);
        let near = others.filter(|&seat| around.has(multiplayer.heads[seat]));
        let many = multiplayer.alive.count_ones() > 2;
        match near.collect::<Vec<_>>()[..] {
            // A playout looks no number of plies ahead.
            _ if many && multiplayer.is_filled() && budget.depth.is_none() => {
                self.imagine(&multiplayer, budget)
            }
            [] => self.survive(position, seat, budget),
            [other] if !many => self.fight(&multiplayer, other, budget),
            _ => self.open(&multiplayer, budget),
        }
    }

    /// Several others are left, and the grid is open. Who looks much further ahead, and takes all others to
    /// be against him, walls himself in.
    fn open<P: SimdBitboard>(
        &mut self,
        multiplayer: &MultiplayerPosition<P>,
        budget: Budget,
    ) -> (Direction, String) {
        let depth = budget.depth.or(Some(OPENING_DEPTH));
        let found = self.multiplayer.search(multiplayer, Budget { depth, ..budget });
        let (value, depth, nodes) = (found.value, found.depth, found.nodes);
        (found.best, format!("score {value} depth {depth} nodes {nodes}"))
    }

    /// Several others are left, and enough is taken for games played to their end to tell who wins.
    fn imagine<P: SimdBitboard>(
        &mut self,
        multiplayer: &MultiplayerPosition<P>,
        budget: Budget,
    ) -> (Direction, String) {
        let found = self.mcts.search(multiplayer, budget);
        let (prospect, rollouts, nodes) = (found.prospect, found.rollouts, found.nodes);
        (found.best, format!("prospect {prospect:.2} playouts {rollouts} nodes {nodes}"))
    }

    /// Nobody can come here: it only remains to last.
    fn survive(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let region = FreeRegion::of(position, seat).expect("who is asked is in the game");
        let mut limiter = Limiter::new(budget);
        let direction = self.endgame_player.choose(&region, &mut limiter);
        let plan = self.endgame_player.plan();
        let exact = if plan.exact { ", which is the most" } else { "" };
        let direction = direction.expect("who is asked has somewhere to go");
        (direction, format!("alone for {} moves more{exact}", plan.path.len()))
    }

    /// One other is left, and can come here.
    fn fight<P: SimdBitboard>(
        &mut self,
        multiplayer: &MultiplayerPosition<P>,
        other: usize,
        budget: Budget,
    ) -> (Direction, String) {
        let two_player = TwoPlayerPosition {
            free: multiplayer.free,
            heads: [multiplayer.heads[0], multiplayer.heads[other]],
        };
        let found = self.searcher.search(&two_player, budget);
        let (value, depth, nodes) = (found.value, found.depth, found.nodes);
        (found.best, format!("score {value} depth {depth} nodes {nodes}"))
    }
}

impl Engine<Tron> for Best {
    fn begin(&mut self, _: &Start<Tron>) {
        self.searcher.clear();
        self.multiplayer.clear();
        self.mcts.clear();
        self.endgame_player = EndgamePlayer::default();
    }

    fn choose(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        if let [only] = Direction::of_mask(position.legal_mask()).collect::<Vec<_>>()[..] {
            return (only, String::new());
        }
        let (width, height) = SmallGrid::LARGEST;
        match position.width() <= width && position.height() <= height {
            true => self.think::<SmallGrid>(position, seat, budget),
            false => self.think::<LargeGrid>(position, seat, budget),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Random;
    use arbitre_games::dialect::Notation;
    use arbitre_games::game::{Game, State};
    use arbitre_games::rng::Rng;

    /// Every choice is legal, at tables of every size and on grids of either kind of rows, down to
    /// the last move; and random play loses.
    #[test]
    fn it_plays_whole_games() {
        let tables = [(2, "size=12x9"), (3, "size=9x9"), (4, "size=11x10"), (2, "size=33x6")];
        for (seats, rules) in tables {
            let game = Tron::from_rules(&format!("{rules} tolerance=20%")).unwrap();
            let mut won = 0;
            for setup in game.setups(seats, 0, Rng::new(1)).take(4) {
                let mut position = game.start(&setup).unwrap();
                let (mut best, mut random) = (Best::default(), Random::default());
                while position.outcome().is_none() {
                    let seat = position.mover();
                    let (direction, _) = match seat == Seat::FIRST {
                        true => best.choose(&position, seat, Budget::nodes(300)),
                        false => {
                            Engine::<Tron>::choose(&mut random, &position, seat, Budget::nodes(1))
                        }
                    };
                    position.play(seat, direction).unwrap();
                }
                won += usize::from(position.is_alive(Seat::FIRST));
            }
            assert!(won >= 3, "{rules}: {won} of 4");
        }
    }

    /// The same position and limits give the same move, whatever was searched in games before.
    #[test]
    fn it_is_deterministic() {
        let game = Tron::from_rules("").unwrap();
        let setup = game.setups(2, 0, Rng::new(5)).next().unwrap();
        let position = game.start(&setup).unwrap();
        let mut best = Best::default();
        let first = best.choose(&position, Seat::FIRST, Budget::nodes(5000));
        best.searcher.clear();
        assert_eq!(best.choose(&position, Seat::FIRST, Budget::nodes(5000)), first);
    }
}
