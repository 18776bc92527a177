//! Phase 1: the context of a turn's search, read from one flood.

use super::board::{wrap, Board};
use super::flood::{RegionFlood, FOREVER};
use crate::tron::seats::{mask_of, seats};
use arbitre_games::games::tron::{Direction, MOST_SEATS};

/// Evaluation mode, chosen anew each turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Own score less that of the target, which controls no more cells than the root player.
    Attack,
    /// Own score alone: the target controls more cells, or there is no target.
    #[default]
    Defence,
}

/// Facts about the players before the search. Masks have bit `s` for seat `s`.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Mask of the players without a cell that another player can reach as well.
    pub enclosed: u8,
    /// Number of cells that each player reaches first. For an enclosed player this is all that it
    /// can reach, its life in moves.
    pub controlled: [u16; MOST_SEATS],
    /// Steps from the root player's head to each other head over free cells, where their regions
    /// meet. The value is exact for the nearest player. Where a shortest path to a player crosses
    /// the region of a third, that one is nearer, or as near and earlier in turn.
    pub distances: [Option<u16>; MOST_SEATS],
    /// The nearest player that is not enclosed; of several, the next in turn.
    pub target: Option<usize>,
    /// Evaluation mode.
    pub mode: Mode,
    /// Mask of the players that move in the tree: all that are not enclosed, or the root player
    /// alone if it is.
    pub players: u8,
    /// Mask of the players whose regions are counted: those not enclosed, and the root player.
    pub regions: u8,
    /// Step by seat after which an enclosed player's walls vanish; [`FOREVER`] where they stay.
    pub lives: [u16; MOST_SEATS],
}

impl Context {
    /// Returns the context of a board on which the root player is to move.
    pub fn of(board: &Board, flood: &mut RegionFlood) -> Context {
        let (me, alive) = (board.me, board.standing.alive);
        flood.run(board, alive, &[FOREVER; MOST_SEATS]);
        let enclosed = mask_of(seats(alive).filter(|&seat| !flood.meets_others(seat)));
        let controlled = std::array::from_fn(|seat| flood.controlled(seat));
        let distances = distances(board, flood);
        let open = alive & !enclosed;
        let target = nearest(board, &distances, open).filter(|_| enclosed >> me & 1 == 0);
        let lives = std::array::from_fn(|seat| match enclosed >> seat & 1 != 0 && seat != me {
            true => controlled[seat],
            false => FOREVER,
        });
        Context {
            mode: mode(&controlled, me, target),
            players: if target.is_some() { open } else { 1 << me },
            regions: open | 1 << me,
            enclosed,
            controlled,
            distances,
            target,
            lives,
        }
    }
}

fn mode(controlled: &[u16; MOST_SEATS], me: usize, target: Option<usize>) -> Mode {
    match target {
        Some(target) if controlled[target] <= controlled[me] => Mode::Attack,
        _ => Mode::Defence,
    }
}

/// Returns the nearest player of the mask `of`; of several, the next in turn after the root player.
fn nearest(board: &Board, distances: &[Option<u16>], of: u8) -> Option<usize> {
    let others = board.turns().skip(1).filter(|seat| of >> seat & 1 != 0);
    others.filter(|&seat| distances[seat].is_some()).min_by_key(|&seat| distances[seat])
}

/// Returns the distances from the root player's head to the others. Where its region, head
/// included, touches another, a path joins both heads.
fn distances(board: &Board, flood: &RegionFlood) -> [Option<u16>; MOST_SEATS] {
    let (me, mut distances) = (board.me, [None; MOST_SEATS]);
    let head_of = |cell| seats(board.standing.alive).find(|&seat| board.head(seat) == cell);
    let region = |cell| flood.reached(cell).or_else(|| head_of(cell).map(|seat| (seat, 0u16)));
    for cell in 0..board.cells().len() {
        let Some((_, steps)) = region(cell).filter(|&(seat, _)| seat == me) else { continue };
        for direction in Direction::ALL {
            if let Some((other, more)) = region(wrap(board.step(cell, direction))) {
                let way_to = steps + 1 + more;
                let shortest = distances[other].map_or(way_to, |known: u16| known.min(way_to));
                // Neighbours within the own region are not a contact.
                distances[other] = Some(shortest).filter(|_| other != me);
            }
        }
    }
    distances
}
