//! What a seat does that looks at all that can happen, ply by ply, for as long as it has time, and takes all
//! others to be against it. It goes by zones at the last ply that it completes, and of ways that come to the
//! same it takes the one with the most walls.
//!
//! The searches of those who know of zones are much alike in this, `tron breadth` among them, which a test
//! compares it with. Here alpha and beta leave out what does not matter, and how deep the other comes is
//! told by how many ways there are.

use super::evaluation::{EnclosedPlayers, RegionView};
use super::lookahead::starting_with;
use super::neighbours::{directions, sides_of, SIDES};
use super::objective::Objective;
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use crate::tron::seats::seats;
use crate::tron::window::Window;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::search::budget::Budget;

/// A position of which somebody looks at the zones costs him so many cells more than are free.
const OVERHEAD: u64 = 40;
/// So many cells are looked at in a second of the time for an answer, with what is kept in reserve of it.
const CELLS_A_SECOND: f64 = 110e6;
/// The same while a node of one's own is looked at.
const CELLS_A_NODE: f64 = 35.0;
/// Nobody is taken to look further ahead.
const MOST_PLIES: usize = 40;
/// Of so many cells that others look at one zone may be looked at here, so about a twentieth of the time; then
/// a choice is made by what is seen at once.
const CELLS_A_LOOK: f64 = 3500.0;
/// What is best is looked for so many plies less deep first.
const SHALLOWER: usize = MOST_SEATS;
/// What it is worth to be out, the less the sooner, or the last.
const WON: i32 = 1_000_000;

/// How many cells others can look at for an answer of theirs, if they may spend as much.
pub fn cells_within(budget: &Budget) -> f64 {
    let time = budget.time.map(|timer| timer.limit().as_secs_f64() * CELLS_A_SECOND);
    let nodes = budget.nodes.map(|nodes| nodes as f64 * CELLS_A_NODE);
    time.into_iter().chain(nodes).fold(f64::INFINITY, f64::min)
}

/// Looks ahead for a seat.
pub struct OpponentSearch {
    objective: Objective,
    plies: usize,
    /// After so many looks it goes no deeper.
    most_looks: u64,
    /// By the cell where somebody is, the direction that was best there where it was looked for last.
    best: [u8; Cell::END],
    /// How many positions it has looked at the worth of: zones, or the end of the seat's game, of which a
    /// small room has many before the last ply.
    pub looks: u64,
}

impl OpponentSearch {
    /// As far as looking at so many cells leads.
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

    /// So many plies ahead, whatever it takes.
    pub fn new(objective: Objective, plies: usize) -> OpponentSearch {
        OpponentSearch { objective, plies, most_looks: u64::MAX, best: [0; Cell::END], looks: 0 }
    }

    /// The direction that it takes, as a number.
    ///
    /// # Panics
    /// If there is none.
    pub fn choose<P: SimdBitboard>(&mut self, position: &MultiplayerPosition<P>) -> usize {
        let (seat, plies) = (self.objective.seat, self.plies);
        let ways = position.sides(seat);
        let first = match plies.checked_sub(SHALLOWER).filter(|&plies| plies > 0) {
            None => 0,
            Some(shallow) => {
                self.plies = shallow;
                self.best_of(position, directions(ways)).trailing_zeros() as usize / 2
            }
        };
        self.plies = plies;
        let best = self.best_of(position, starting_with(first, ways));
        self.closest(position, best)
    }

    /// Which of these ways are worth most, as a mask of [`SIDES`].
    fn best_of<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        ways: impl Iterator<Item = usize>,
    ) -> u8 {
        let beside = position.heads[self.objective.seat].beside();
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
        best
    }

    /// Of these ways, without those beside the walls of who will be out sooner, if others are left: the first
    /// of those with the most walls.
    fn closest<P: Bitboard>(&self, position: &MultiplayerPosition<P>, ways: u8) -> usize {
        let beside = position.heads[self.objective.seat].beside();
        let shorter = seats(self.objective.shorter);
        let walls = shorter.fold(P::NONE, |walls, seat| walls.or(position.trails[seat]));
        let opens = |direction: &usize| P::one(beside[*direction]).spread().and(walls).is_empty();
        let open = sides_of(directions(ways).filter(opens));
        let free =
            |direction: &usize| (position.free.ring(beside[*direction]) & SIDES).count_ones();
        let closest = directions(if open == 0 { ways } else { open }).min_by_key(free);
        closest.expect("there is a way to take")
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
        let next = self.settle(&mut position, turn % MOST_SEATS);
        let (mover, ways) = match next {
            OpponentTurn::Of(mover, ways) if ply < self.plies && self.looks < self.most_looks => {
                (mover, ways)
            }
            _ => return self.look(&position, next, ply),
        };
        let own = mover == self.objective.seat;
        let (head, mut best) = (position.heads[mover], if own { i32::MIN } else { i32::MAX });
        let beside = head.beside();
        for direction in starting_with(self.best[head.index()].into(), ways) {
            let next = position.after(mover, beside[direction]);
            let value = self.value(next, mover + 1, ply + 1, window);
            if if own { value > best } else { value < best } {
                (best, self.best[head.index()]) = (value, direction as u8);
            }
            if window.narrow(own, value) {
                break;
            }
        }
        best
    }

    /// Whose turn it is from this seat on, of those who move. Who cannot is out, and his ribbon is gone.
    fn settle<P: Bitboard>(
        &self,
        position: &mut MultiplayerPosition<P>,
        mut mover: usize,
    ) -> OpponentTurn {
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

    /// What a position is worth that is not searched further.
    fn look<P: SimdBitboard>(
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

    /// By how much zones speak for the seat.
    fn lead<P: SimdBitboard>(&self, position: &MultiplayerPosition<P>, mover: usize) -> i32 {
        let Objective { seat, regions, lives, target, .. } = &self.objective;
        let alive = position.alive & regions;
        let view = RegionView { free: position.free, heads: position.heads, alive, mover };
        let enclosed =
            EnclosedPlayers { seats: position.alive & !regions, trails: &position.trails, lives };
        P::lead(&view, Some(&enclosed).filter(|enclosed| enclosed.seats != 0), *seat, *target)
    }
}

/// What comes after a move.
#[derive(Clone, Copy)]
enum OpponentTurn {
    /// The turn of a seat, and its ways.
    Of(usize, u8),
    Lost,
    Won,
}

/// How many plies one completes who looks at so many positions: as many as there are ways of all
/// together, where they do not come in each other's way.
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
        // Who gets on no further is out, and adds nothing.
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

/// Paths that do not cross themselves, all of a length: what each leaves free, and where it ends.
type OpponentPaths<P> = Vec<(P, Cell)>;

/// How many there are that are a step longer.
fn ahead<P: Bitboard>(paths: &OpponentPaths<P>) -> u64 {
    paths.iter().map(|(free, end)| u64::from((free.ring(*end) & SIDES).count_ones())).sum()
}

/// Those that are a step longer.
fn longer<P: Bitboard>(paths: &OpponentPaths<P>) -> OpponentPaths<P> {
    let on = |&(free, end): &(P, Cell)| {
        let beside = end.beside();
        directions(free.ring(end) & SIDES).map(move |direction| {
            let mut free = free;
            free.remove(beside[direction]);
            (free, beside[direction])
        })
    };
    paths.iter().flat_map(on).collect()
}

#[cfg(test)]
mod tests;
