//! The bot that is meant to win.

pub mod bench;
pub mod chambers;
pub mod duel;
pub mod evaluate;
pub mod fit;
pub mod melee;
pub mod plane;
#[cfg(test)]
mod slow;
pub mod wide;
pub mod zones;

use super::endgame::Region;
use super::endgame::Survivor;
use crate::mind::Mind;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Position, Tron, MOST_SEATS};
use arbitre_games::search::budget::{Budget, Limiter};
use duel::{Duel, Searcher};
use melee::tree::Tree;
use melee::Melee;
use plane::{Bitboard, Cell, Large, Small};
use wide::Wide;

/// The entries of the transposition table.
pub const ENTRIES: usize = 1 << 20;

/// The plies that are looked ahead in the opening of three or four, where the budget does not say: two
/// rounds of four.
const OPENING_DEPTH: u32 = 8;

/// The mind.
pub struct Best {
    searcher: Searcher,
    melee: melee::Searcher,
    tree: Tree,
    survivor: Survivor,
}

impl Default for Best {
    fn default() -> Best {
        let (melee, tree, survivor) = Default::default();
        Best { searcher: Searcher::new(ENTRIES), melee, tree, survivor }
    }
}

impl Best {
    fn think<P: Wide>(
        &mut self,
        position: &Position,
        seat: Seat,
        budget: Budget,
    ) -> (Direction, String) {
        let melee = melee::<P>(position, seat);
        let around = melee.free.reach(melee.heads[0]).spread();
        let others = (1..MOST_SEATS).filter(|seat| melee.alive >> seat & 1 != 0);
        let near = others.filter(|&seat| around.has(melee.heads[seat]));
        let many = melee.alive.count_ones() > 2;
        match near.collect::<Vec<_>>()[..] {
            // A playout looks no number of plies ahead.
            _ if many && melee.is_filled() && budget.depth.is_none() => {
                self.imagine(&melee, budget)
            }
            [] => self.survive(position, seat, budget),
            [other] if !many => self.fight(&melee, other, budget),
            _ => self.open(&melee, budget),
        }
    }

    /// Several others are left, and the grid is open. Who looks much further ahead, and takes all others to
    /// be against him, walls himself in.
    fn open<P: Wide>(&mut self, melee: &Melee<P>, budget: Budget) -> (Direction, String) {
        let depth = budget.depth.or(Some(OPENING_DEPTH));
        let found = self.melee.search(melee, Budget { depth, ..budget });
        let (value, depth, nodes) = (found.value, found.depth, found.nodes);
        (found.best, format!("score {value} depth {depth} nodes {nodes}"))
    }

    /// Several others are left, and enough is taken for games played to their end to tell who wins.
    fn imagine<P: Wide>(&mut self, melee: &Melee<P>, budget: Budget) -> (Direction, String) {
        let found = self.tree.search(melee, budget);
        let (prospect, playouts, nodes) = (found.prospect, found.playouts, found.nodes);
        (found.best, format!("prospect {prospect:.2} playouts {playouts} nodes {nodes}"))
    }

    /// Nobody can come here: it only remains to last.
    fn survive(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let region = Region::of(position, seat).expect("who is asked is in the game");
        let mut meter = Limiter::new(budget);
        let way = self.survivor.choose(&region, &mut meter);
        let plan = self.survivor.plan();
        let exact = if plan.exact { ", which is the most" } else { "" };
        let way = way.expect("who is asked has somewhere to go");
        (way, format!("alone for {} moves more{exact}", plan.path.len()))
    }

    /// One other is left, and can come here.
    fn fight<P: Wide>(
        &mut self,
        melee: &Melee<P>,
        other: usize,
        budget: Budget,
    ) -> (Direction, String) {
        let duel = Duel { free: melee.free, heads: [melee.heads[0], melee.heads[other]] };
        let found = self.searcher.search(&duel, budget);
        let (value, depth, nodes) = (found.value, found.depth, found.nodes);
        (found.best, format!("score {value} depth {depth} nodes {nodes}"))
    }
}

/// The position as this seat's search sees it.
fn melee<P: Bitboard>(position: &Position, seat: Seat) -> Melee<P> {
    let mut melee = Melee {
        free: P::NONE,
        ribbons: [P::NONE; MOST_SEATS],
        heads: [Cell::default(); MOST_SEATS],
        alive: 0,
    };
    let seats = position.seats();
    let turn = |other: Seat| (other.index() + seats - seat.index()) % seats;
    let width = position.width();
    for (at, cell) in position.cells().enumerate() {
        let spot = Cell::new(at % width, at / width);
        match cell {
            CellContent::Free => melee.free.insert(spot),
            CellContent::Wall => {}
            CellContent::Trail(other) => melee.ribbons[turn(other)].insert(spot),
        }
    }
    for other in position.alive().iter() {
        let point = position.head(other).expect("who is in the game is somewhere");
        melee.heads[turn(other)] = Cell::new(point.x.into(), point.y.into());
        melee.alive |= 1 << turn(other);
    }
    melee
}

impl Mind<Tron> for Best {
    fn begin(&mut self, _: &Start<Tron>) {
        self.searcher.clear();
        self.melee.clear();
        self.tree.clear();
        self.survivor = Survivor::default();
    }

    fn choose(&mut self, position: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        if let [only] = Direction::of_mask(position.legal_mask()).collect::<Vec<_>>()[..] {
            return (only, String::new());
        }
        let (width, height) = Small::LARGEST;
        match position.width() <= width && position.height() <= height {
            true => self.think::<Small>(position, seat, budget),
            false => self.think::<Large>(position, seat, budget),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::Random;
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
                    let (way, _) = match seat == Seat::FIRST {
                        true => best.choose(&position, seat, Budget::nodes(300)),
                        false => {
                            Mind::<Tron>::choose(&mut random, &position, seat, Budget::nodes(1))
                        }
                    };
                    position.play(seat, way).unwrap();
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
