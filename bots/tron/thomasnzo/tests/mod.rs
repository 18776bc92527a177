//! Tests of the debrief's statements on positions, and reference implementations written from its
//! text.

mod context;
mod engine;
mod flood;
mod search;
mod slow;
mod ties;

use crate::tron::best::bitboards::{Bitboard, Cell, SmallGrid};
use crate::tron::best::multiplayer::objective::Objective;
use crate::tron::best::position::MultiplayerPosition;
use arbitre_games::dialect::Notation;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron, MOST_SEATS};
use arbitre_games::rng::Rng;

/// A position on bitboards. Its seats are counted from the player to move.
pub type Board = MultiplayerPosition<SmallGrid>;

/// Returns the position of a picture, with a seat to move.
pub fn position(picture: &str, seat: usize) -> Position {
    try_position(picture, seat).expect("a picture of a position")
}

fn try_position(picture: &str, seat: usize) -> Option<Position> {
    let rows: Vec<&str> = picture.split('/').collect();
    let game = Tron::from_rules(&format!("size={}x{}", rows[0].len(), rows.len())).ok()?;
    game.parse_state(picture, Seat::new(seat)).ok()
}

/// Returns the board of a picture.
pub fn board(picture: &str, me: usize) -> Board {
    Board::new(&position(picture, me), Seat::new(me))
}

/// Returns a board with the objective of the player to move.
pub fn studied(picture: &str, me: usize) -> (Board, Objective) {
    let board = board(picture, me);
    (board, Objective::of(&board, 0))
}

/// Returns the picture of a board, its letters and digits by the board's seats.
pub fn picture(board: &Board, text: &str) -> slow::Picture {
    let symbol = |x: usize, y: usize| {
        let cell = Cell::new(x, y);
        let owner = (0..MOST_SEATS).find(|&seat| {
            board.is_alive(seat) && board.trails[seat].has(cell) && !board.free.has(cell)
        });
        match owner {
            _ if board.free.has(cell) => '.',
            Some(seat) if board.heads[seat] == cell => slow::LETTERS[seat],
            Some(seat) => slow::DIGITS[seat],
            None => '#',
        }
    };
    let rows = text.split('/').enumerate();
    rows.map(|(y, row)| (0..row.len()).map(|x| symbol(x, y)).collect()).collect()
}

/// Returns a random picture with two to four cycles, and a seat that can move. Walls and pieces of
/// trails make enclosed players frequent.
pub fn random_picture(rng: &mut Rng) -> (String, usize) {
    loop {
        let (width, height) = (3 + rng.below(7), 3 + rng.below(6));
        let seats = 2 + rng.below(3);
        let density = 20 + rng.below(40);
        let mut cells: Vec<u8> = (0..width * height)
            .map(|_| match rng.below(100) {
                dice if dice >= density => b'.',
                dice if dice < density / 4 => b'#',
                _ => b'0' + rng.below(seats) as u8,
            })
            .collect();
        for head in 0..seats {
            cells[rng.below(width * height)] = b'A' + head as u8;
        }
        let rows: Vec<&[u8]> = cells.chunks(width).collect();
        let text = String::from_utf8(rows.join(&b'/')).expect("these are letters");
        let me = rng.below(seats);
        if try_position(&text, me).is_some() {
            return (text, me);
        }
    }
}

/// Returns the seats of a mask.
pub fn in_turn(mask: u8) -> Vec<usize> {
    crate::tron::seats::seats(mask).collect()
}
