//! Tests of the debrief's statements on positions, and reference implementations written from its
//! text.

mod context;
mod engine;
mod flood;
mod search;
mod slow;
mod ties;

use super::board::{Board, FREE, TRAIL, WALL};
use super::context::Context;
use super::flood::RegionFlood;
use arbitre_games::dialect::Notation;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron, MOST_SEATS};
use arbitre_games::rng::Rng;

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
    let mut board = Board::empty();
    board.load(&position(picture, me), Seat::new(me));
    board
}

/// Returns a board with its context, whose players move in the tree.
pub fn studied(picture: &str, me: usize) -> (Board, Context) {
    let mut board = board(picture, me);
    let context = Context::of(&board, &mut RegionFlood::new());
    board.players = context.players;
    (board, context)
}

/// Returns the index of a cell on the board of a picture.
pub fn index(picture: &slow::Picture, (x, y): (usize, usize)) -> usize {
    (y + 1) * (picture[0].len() + 1) + x
}

/// Returns the picture of a board.
pub fn picture(board: &Board, width: usize, height: usize) -> slow::Picture {
    let symbol = |x: usize, y: usize| {
        let cell = (y + 1) * (width + 1) + x;
        match board.content(cell) {
            FREE => '.',
            WALL => '#',
            byte => {
                let seat = byte - TRAIL;
                let first = if board.head(seat.into()) == cell { b'A' } else { b'0' };
                char::from(first + seat)
            }
        }
    };
    (0..height).map(|y| (0..width).map(|x| symbol(x, y)).collect()).collect()
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

/// Plays up to `plies` random moves, with all players in the tree. Returns `true` if the game is
/// not over.
pub fn play_on(board: &mut Board, plies: usize, rng: &mut Rng) -> bool {
    for _ in 0..plies {
        if board.end().is_some() {
            return false;
        }
        let ways = board.ways(board.standing.mover.into());
        let ways: Vec<Direction> = Direction::of_mask(ways).collect();
        board.play(ways[rng.below(ways.len())]);
    }
    board.end().is_none()
}

/// Returns the seats of a mask in turn order.
pub fn in_turn(board: &Board, mask: u8) -> Vec<usize> {
    board.turns().filter(|seat| mask >> seat & 1 != 0).collect()
}

/// Returns lives by seat, endless except for `enclosed`.
pub fn lives(enclosed: &[(usize, u16)]) -> [u16; MOST_SEATS] {
    let mut lives = [super::flood::FOREVER; MOST_SEATS];
    enclosed.iter().for_each(|&(seat, life)| lives[seat] = life);
    lives
}
