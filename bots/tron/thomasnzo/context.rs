//! Phase 1: what the search of this turn is about. All of it is read off one flood.

use super::board::{wrap, Board};
use super::flood::{RegionFlood, FOREVER};
use crate::tron::seats::{mask_of, seats};
use arbitre_games::games::tron::{Direction, MOST_SEATS};

/// How a position is judged, decided anew at every turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// By my score and that of the target: it controls no more cells than I do.
    Attack,
    /// By my score alone: the target controls more, or there is none.
    #[default]
    Defence,
}

/// What is known of the players before the search. Masks have bit `s` for seat `s`.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Who has no cell that another can reach as well.
    pub enclosed: u8,
    /// How many cells each reaches first; of an enclosed player, all that it can reach: its life.
    pub controlled: [u16; MOST_SEATS],
    /// How many steps it is from my head to another's through free cells, where my zone meets that
    /// player's. It is exact for the nearest: where a shortest way to a player leads through the
    /// zone of a third, that one is as near and earlier in turn, or nearer.
    pub distances: [Option<u16>; MOST_SEATS],
    /// The nearest of those who are not enclosed; of several, the next in turn.
    pub target: Option<usize>,
    /// How to judge.
    pub mode: Mode,
    /// Who moves in the tree: all who are not enclosed, or I alone if I am.
    pub players: u8,
    /// Whose zones are judged: those who are not enclosed, and I.
    pub regions: u8,
    /// By seat, the step after which an enclosed player's walls go; [`FOREVER`] where they stay.
    pub lives: [u16; MOST_SEATS],
}

impl Context {
    /// The context of a board on which it is my turn.
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

/// The first in turn order after me among those of the mask that are nearest.
fn nearest(board: &Board, distances: &[Option<u16>], of: u8) -> Option<usize> {
    let others = board.turns().skip(1).filter(|seat| of >> seat & 1 != 0);
    others.filter(|&seat| distances[seat].is_some()).min_by_key(|&seat| distances[seat])
}

/// Where a zone of mine, my head included, is next to another's, a way leads from head to head.
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
                distances[other] = Some(shortest).filter(|_| other != me);
            }
        }
    }
    distances
}
