//! Predicts an opponent by a paranoid search as deep as its time allows. It evaluates Voronoi
//! regions at the last complete ply. Of moves of equal value it takes the one with the most walls.
//!
//! Searches of players that evaluate by regions are much alike in this. A test compares this one
//! with `tron breadth`. Alpha-beta prunes here, and the opponent's depth is estimated from its
//! number of paths.

use super::evaluation::{EnclosedPlayers, RegionView};
use super::lookahead::starting_with;
use super::neighbours::{directions, SIDES};
use super::objective::Objective;
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use crate::tron::window::Window;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::SearchResult;

/// Fixed cost of one evaluation of an opponent, in cell visits besides the free cells. Measured on
/// `tron breadth`: 10.5 million cells / (free cells + 40) positions in 100 ms (bots/tron/diary.md).
const OVERHEAD: u64 = 40;
/// Cell visits of an opponent per second of its time limit. Measured on `tron breadth`, on one
/// machine (bots/tron/diary.md).
const CELLS_A_SECOND: f64 = 110e6;
/// Cell visits of an opponent per node of the own budget, where that is in nodes. Not tuned.
const CELLS_A_NODE: f64 = 35.0;
/// Deepest search assumed of an opponent, in plies. Not tuned.
const MOST_PLIES: usize = 40;
/// Cell visits of an opponent for each evaluation allowed here, so a prediction takes about a
/// twentieth of its time. Beyond that, static values decide. Not tuned.
const CELLS_A_LOOK: f64 = 3500.0;
/// Difference in plies of the first, shallower search that orders the moves. With four plies: 549 →
/// 436 evaluations (2026-11-23, bots/tron/diary.md).
const SHALLOWER: usize = MOST_SEATS;
/// Value of a won game. Later losses and earlier wins are better.
pub const WON: i32 = 1_000_000;

/// Returns the cell visits of an opponent's move with the same budget.
pub fn cells_within(budget: &Budget) -> f64 {
    let time = budget.time.map(|timer| timer.limit().as_secs_f64() * CELLS_A_SECOND);
    let nodes = budget.nodes.map(|nodes| nodes as f64 * CELLS_A_NODE);
    time.into_iter().chain(nodes).fold(f64::INFINITY, f64::min)
}

/// A search that predicts one seat.
pub struct OpponentSearch {
    objective: Objective,
    plies: usize,
    /// Number of evaluations after which the search goes no deeper.
    most_looks: u64,
    /// Limits after which the search has no result. Predictions have none.
    pub limiter: Limiter,
    /// Last best direction by cell of the mover's head.
    best: [u8; Cell::END],
    /// Number of positions evaluated: regions, or ends of the seat's game, of which small rooms
    /// have many before the last ply.
    pub looks: u64,
}

impl OpponentSearch {
    /// Creates a search with the depth that `cells` cell visits of an opponent allow.
    pub fn within<P: Bitboard>(
        position: &MultiplayerPosition<P>,
        objective: Objective,
        cells: f64,
    ) -> OpponentSearch {
        let positions = cells as u64 / (u64::from(position.free.count()) + OVERHEAD);
        let most_looks = (cells / CELLS_A_LOOK) as u64;
        OpponentSearch {
            most_looks,
            ..OpponentSearch::new(objective, complete(position, &objective, positions))
        }
    }

    /// Creates a search of `plies` plies without a limit.
    pub fn new(objective: Objective, plies: usize) -> OpponentSearch {
        let limiter = Limiter::new(Budget::default());
        let best = [0; Cell::END];
        OpponentSearch { objective, plies, most_looks: u64::MAX, limiter, best, looks: 0 }
    }

    /// Returns the direction that the seat chooses, as a number.
    ///
    /// # Panics
    /// Panics if the seat has no move.
    pub fn choose<P: SimdBitboard>(&mut self, position: &MultiplayerPosition<P>) -> usize {
        let (seat, plies) = (self.objective.seat, self.plies);
        let ways = position.sides(seat);
        let first = match plies.checked_sub(SHALLOWER).filter(|&plies| plies > 0) {
            None => 0,
            Some(shallow) => {
                self.plies = shallow;
                self.best_of(position, directions(ways)).1.trailing_zeros() as usize / 2
            }
        };
        self.plies = plies;
        let (_, best) = self.best_of(position, starting_with(first, ways));
        self.objective.closest(position, best)
    }

    /// Returns all best moves of the seat as a mask of [`SIDES`], unless the limiter stops.
    pub fn best_moves<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
    ) -> Option<SearchResult<u8>> {
        let ways = position.sides(self.objective.seat);
        let (value, best) = self.best_of(position, directions(ways));
        let (depth, nodes) = (self.plies as u32, self.limiter.nodes());
        let found = SearchResult { best, value, line: Vec::new(), depth, nodes };
        Some(found).filter(|_| !self.limiter.stopped())
    }

    /// Returns the largest value of these moves, and those that have it as a mask of [`SIDES`].
    fn best_of<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        ways: impl Iterator<Item = usize>,
    ) -> (i32, u8) {
        let beside = position.heads[self.objective.seat].neighbours();
        let (mut most, mut best) = (i32::MIN + 1, 0);
        for direction in ways {
            let next = position.after(self.objective.seat, beside[direction]);
            let window = Window { alpha: most - 1, beta: i32::MAX };
            let value = self.value(next, self.objective.seat + 1, 1, window);
            if value >= most {
                best = if value > most { 0 } else { best } | 1 << (2 * direction);
                most = value;
            }
        }
        (most, best)
    }

    /// Returns the value of a position to the seat, `ply` plies after the root; outside the window,
    /// a bound.
    fn value<P: SimdBitboard>(
        &mut self,
        mut position: MultiplayerPosition<P>,
        turn: usize,
        ply: usize,
        mut window: Window,
    ) -> i32 {
        if self.limiter.tick() {
            return 0;
        }
        let next = self.settle(&mut position, turn);
        let (mover, ways) = match next {
            OpponentTurn::Of(mover, ways) if ply < self.plies && self.looks < self.most_looks => {
                (mover, ways)
            }
            _ => return self.look(&position, next, ply),
        };
        let own = mover == self.objective.seat;
        let (head, mut best) = (position.heads[mover], if own { i32::MIN } else { i32::MAX });
        let beside = head.neighbours();
        for direction in starting_with(self.best[head.index()].into(), ways) {
            let next = position.after(mover, beside[direction]);
            let value = self.value(next, mover + 1, ply + 1, window);
            if if own { value > best } else { value < best } {
                (best, self.best[head.index()]) = (value, direction as u8);
            }
            if window.narrow(own, value) || self.limiter.stopped() {
                break;
            }
        }
        best
    }

    /// Returns the next turn from `turn` on among the moving players. Players without a move are
    /// eliminated with their trails.
    pub fn settle<P: Bitboard>(
        &self,
        position: &mut MultiplayerPosition<P>,
        turn: usize,
    ) -> OpponentTurn {
        let mut mover = turn % MOST_SEATS;
        loop {
            match position.alive {
                alive if alive >> self.objective.seat & 1 == 0 => return OpponentTurn::Lost,
                alive if alive == 1 << self.objective.seat => return OpponentTurn::Won,
                alive if (alive & self.objective.players) >> mover & 1 == 0 => {
                    mover = (mover + 1) % MOST_SEATS;
                }
                _ => match position.sides(mover) {
                    0 => *position = position.without(mover),
                    ways => return OpponentTurn::Of(mover, ways),
                },
            }
        }
    }

    /// Returns the static value of a position, `ply` plies after the root.
    pub fn look<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        next: OpponentTurn,
        ply: usize,
    ) -> i32 {
        self.looks += 1;
        match next {
            OpponentTurn::Of(mover, _) => self.lead(position, mover),
            OpponentTurn::Lost => ply as i32 - WON,
            OpponentTurn::Won => WON - ply as i32,
        }
    }

    /// Returns the lead of the seat by regions.
    fn lead<P: SimdBitboard>(&self, position: &MultiplayerPosition<P>, mover: usize) -> i32 {
        let Objective { seat, regions, lives, target, .. } = &self.objective;
        let alive = position.alive & regions;
        let view = RegionView { free: position.free, heads: position.heads, alive, mover };
        let enclosed =
            EnclosedPlayers { seats: position.alive & !regions, trails: &position.trails, lives };
        P::lead(&view, Some(&enclosed).filter(|enclosed| enclosed.seats != 0), *seat, *target)
    }
}

/// State after a move.
#[derive(Clone, Copy)]
pub enum OpponentTurn {
    /// Turn of a seat, with its moves.
    Of(usize, u8),
    /// The searching seat was eliminated.
    Lost,
    /// All others were eliminated.
    Won,
}

/// Returns the number of plies that a search of `positions` positions completes, at least 1. The
/// count per ply is the product of all players' numbers of paths, as if they did not interfere.
fn complete<P: Bitboard>(
    position: &MultiplayerPosition<P>,
    objective: &Objective,
    positions: u64,
) -> usize {
    let mut paths: Vec<OpponentPaths<P>> =
        objective.turns().map(|seat| vec![(position.free, position.heads[seat])]).collect();
    let (mut left, mut counts) = (positions, [1; MOST_SEATS]);
    for ply in 0..MOST_PLIES {
        let turn = ply % paths.len();
        if ply >= paths.len() {
            paths[turn] = longer(&paths[turn]);
        }
        // A player without further moves is eliminated and adds nothing.
        counts[turn] = match ahead(&paths[turn]) {
            0 => counts[turn],
            count => count,
        };
        left = match left.checked_sub(counts.iter().product()) {
            Some(left) => left,
            None => return ply.max(1),
        };
    }
    MOST_PLIES
}

/// Self-avoiding paths of one length: the cells that each leaves free, and its end.
type OpponentPaths<P> = Vec<(P, Cell)>;

/// Returns the number of paths that are a step longer.
fn ahead<P: Bitboard>(paths: &OpponentPaths<P>) -> u64 {
    paths
        .iter()
        .map(|(free, end)| u64::from((free.neighbour_mask(*end) & SIDES).count_ones()))
        .sum()
}

/// Returns the paths that are a step longer.
fn longer<P: Bitboard>(paths: &OpponentPaths<P>) -> OpponentPaths<P> {
    let on = |&(free, end): &(P, Cell)| {
        let beside = end.neighbours();
        directions(free.neighbour_mask(end) & SIDES).map(move |direction| {
            let mut free = free;
            free.remove(beside[direction]);
            (free, beside[direction])
        })
    };
    paths.iter().flat_map(on).collect()
}

#[cfg(test)]
mod tests;
