//! Endgame conversion: a winning move that makes progress.
//!
//! A search that only keeps a forced win may repeat positions. From a won board this module finds
//! moves that lead to the next capture, or to the end of the game, and keep the win. Their number
//! of plies is the least against the longest resistance.

use super::tables::{EndgameTables, RULE};
use arbitre_games::games::awele::{Board, Pit, SEEDS};
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use std::collections::{HashMap, VecDeque};

/// Moves to the next capture, for every board on which the winner may have to move before it.
#[derive(Clone)]
pub struct ConversionMoves {
    moves: HashMap<Board, (Pit, u32)>,
}

impl ConversionMoves {
    /// Largest number of boards explored; beyond it the search has to find a move. Not tuned.
    const MOST: u64 = 20_000;

    /// Returns the conversion of `board`, if its mover wins by force and half of the time of
    /// `budget` is enough to find it.
    pub fn find(tables: &EndgameTables, board: Board, budget: Budget) -> Option<ConversionMoves> {
        if !wins(tables, board, 0) {
            return None;
        }
        let half = |timer: Timer| timer.share_of_remaining(50);
        let most = budget.nodes.map_or(Self::MOST, |nodes| nodes.min(Self::MOST));
        let budget = Budget { time: budget.time.map(half), ..Budget::nodes(most) };
        let places = explore(tables, board, Limiter::new(budget))?;
        let plies = measure(&places);
        plies[0]?;
        let move_at = |(place, plies_here): (&ConversionNode, &Option<u32>)| {
            let least = plies_here.filter(|_| place.winner)?;
            let shortest =
                |to: Option<usize>| to.map_or(0, |to| plies[to].unwrap_or(least)) < least;
            let (pit, _) = place.ways.iter().find(|(_, to)| shortest(*to))?;
            Some((place.board, (*pit, least)))
        };
        Some(ConversionMoves { moves: places.iter().zip(&plies).filter_map(move_at).collect() })
    }

    /// Returns the move on `board`, if the conversion has one, and a bound in plies. The next
    /// capture, or the end of the game, comes within that bound.
    pub fn next(&self, board: Board) -> Option<(Pit, u32)> {
        self.moves.get(&board).copied()
    }
}

/// Does the mover, or the other where `side` is 1, win by force?
fn wins(tables: &EndgameTables, board: Board, side: usize) -> bool {
    let forced = tables.look(board).map(|forced| [forced.mover, forced.other][side]);
    forced.is_some_and(|forced| board.captures()[side] + forced > SEEDS / 2)
}

/// A board that can come up before the next capture while the winner keeps his win.
struct ConversionNode {
    board: Board,
    /// Is the winner to move?
    winner: bool,
    /// The moves to be considered, and the places that they lead to; to none where they capture or
    /// end the game.
    ways: Vec<(Pit, Option<usize>)>,
    /// The places that lead here.
    from: Vec<usize>,
}

impl ConversionNode {
    fn new(board: Board, winner: bool) -> ConversionNode {
        ConversionNode { board, winner, ways: Vec::new(), from: Vec::new() }
    }
}

/// All places, the board itself the first, unless they are too many.
fn explore(
    tables: &EndgameTables,
    board: Board,
    mut limiter: Limiter,
) -> Option<Vec<ConversionNode>> {
    let mut places = vec![ConversionNode::new(board, true)];
    let mut numbers = HashMap::from([((board, true), 0)]);
    for here in 0.. {
        let Some(&ConversionNode { board, winner, .. }) = places.get(here) else { break };
        for pit in Pit::of_mask(board.legal(RULE)) {
            let child = board.after(pit, RULE);
            if winner && !wins(tables, child, 1) {
                continue;
            }
            if !goes_on(board, child) {
                places[here].ways.push((pit, None));
                continue;
            }
            let there = *numbers.entry((child, !winner)).or_insert(places.len());
            if there == places.len() {
                places.push(ConversionNode::new(child, !winner));
            }
            places[here].ways.push((pit, Some(there)));
            places[there].from.push(here);
        }
        if limiter.tick() {
            return None;
        }
    }
    Some(places)
}

/// Did this move capture nothing, and is there another to play?
fn goes_on(before: Board, after: Board) -> bool {
    let captured = |board: Board| board.captures().iter().sum::<u8>();
    captured(before) == captured(after) && after.legal(RULE) != 0
}

/// Plies from each place to the next capture or the end. From a place of the winner one way is
/// enough; from one of the loser all must lead there, and the longest of these counts.
fn measure(places: &[ConversionNode]) -> Vec<Option<u32>> {
    let mut plies = vec![None; places.len()];
    let mut open: Vec<usize> = places
        .iter()
        .map(|place| place.ways.iter().filter(|(_, place)| place.is_some()).count())
        .collect();
    let mut queue = VecDeque::new();
    for (at, place) in places.iter().enumerate() {
        let out = if place.winner { open[at] < place.ways.len() } else { open[at] == 0 };
        if out {
            plies[at] = Some(1);
            queue.push_back((at, 1));
        }
    }
    while let Some((at, distance)) = queue.pop_front() {
        for &before in &places[at].from {
            open[before] -= 1;
            if plies[before].is_none() && (places[before].winner || open[before] == 0) {
                plies[before] = Some(distance + 1);
                queue.push_back((before, distance + 1));
            }
        }
    }
    plies
}
