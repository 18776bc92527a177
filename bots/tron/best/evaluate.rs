//! What a position of two is worth to its mover, as far as one can see without a search.

use super::chambers::best_way;
use super::duel::Duel;
use super::plane::{Plane, Spot};
use super::zones::Flood;

/// No estimate reaches this; who has won has more.
pub const WON: i32 = 100_000_000;
/// Who has a cell more once nobody can reach the other has all but won.
const APART: i32 = 1_000_000;
/// What a cell of the own zone counts for, and an edge between two: as in the evaluation that won
/// the contest of 2010, fitted there on 11,691 games.
const CELL: i32 = 55;
const EDGE: i32 = 194;

/// The value for a mover who has nowhere to go. The fewer cells are left, the later that is, and the
/// better.
pub fn lost<P: Plane>(duel: &Duel<P>) -> i32 {
    -(2 * WON) - duel.free.count() as i32
}

/// An estimate for the mover.
pub fn evaluate<P: Flood>(duel: &Duel<P>) -> i32 {
    let [own, other] = P::zones(duel.free, duel.heads);
    let heads = duel.heads;
    if !own.spread().and(other).is_empty() {
        let way = |zone, head| best_way(zone, head, worth, CELL + EDGE);
        return way(own, heads[0]) - way(other, heads[1]);
    }
    let lasts = |zone: P, head| {
        let chambers = best_way(zone, head, |cells: P| cells.count() as i32, 1);
        chambers.min(room(zone, head))
    };
    let (moves, others) = (lasts(own, heads[0]), lasts(other, heads[1]));
    // Who is to move must last longer; the other need not.
    let lead = 2 * (moves - others) - 1;
    APART * lead.signum() + CELL * EDGE * lead
}

/// What a zone counts for.
#[inline]
pub fn worth<P: Plane>(zone: P) -> i32 {
    CELL * zone.count() as i32 + EDGE * zone.edges() as i32
}

/// What a zone that nobody else can enter counts for: its moves, each as a cell with two edges.
pub fn room_of<P: Plane>(zone: P, head: Spot) -> i32 {
    (CELL + 2 * EDGE) * room(zone, head)
}

/// The most moves that the colours of the cells leave: they alternate.
fn room<P: Plane>(zone: P, head: Spot) -> i32 {
    let other = zone.of_colour(1 - head.colour()).count() as i32;
    let same = zone.count() as i32 - other;
    (2 * other).min(2 * same + 1)
}
