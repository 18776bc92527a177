//! Claims about the number of board scans with which the report's first program takes a colour
//! (Q2.2), and about recursion in its place (Q2.3).

use super::climb::climb;
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{Interval, Laboratory, Verdict};
use arbitre_games::game::{Game, Seat};
use arbitre_games::games::seven_colors::reference::SevenColorsReference;
use arbitre_games::games::seven_colors::{
    corners, seats, Board, CellState, Colour, Rules, SevenColors, ARCSYS, SEATS,
};
use arbitre_games::parallel;
use arbitre_games::rng::Rng;
use std::collections::VecDeque;

/// Rules of two colours: the first one winds inwards, the second is its wall.
const WINDING: SevenColors =
    SevenColors::new(Rules { colours: 2, symmetric: false, random_corner: false, ..ARCSYS });
const WAY: usize = 0;
const WALL: usize = 1;

/// Measures the claim that no board takes more scans than the report's worst one.
pub fn most_scans(lab: &mut dyn Laboratory) -> (String, Verdict) {
    let rng = Rng::new(lab.seed());
    let changes = CHANGES_A_GAME * lab.games();
    let climbed = parallel::map(lab.workers(), SEATS, |number| {
        let seat = Seat::new(number);
        let value = |board: &Board| scans(board, seat, Colour::new(WAY));
        let spiral = spiral(seat);
        let mut rng = rng.fork(number as u64);
        let (board, _) = climb(WINDING.options(), spiral.clone(), changes, &mut rng, value);
        [spiral, board].map(|board| reference(&WINDING, &board).capture(number, 'A'))
    });
    let [drawn, found] = [0, 1].map(|at| climbed.iter().map(move |scans| scans[at]));
    let drawn: Vec<String> = drawn.map(|scans| scans.to_string()).collect();
    let most = found.max().expect("there are seats");
    let measured = format!(
        "a spiral takes {} scans, the last of which changes nothing; {changes} changes of it come to \
         {most}",
        drawn.join(" or ")
    );
    (measured, Verdict::within(Interval::exactly(most as f64), 0.0, 199.0))
}

/// Changes of a spiral for each game of a match. With 1000 games, 200,000 changes reach 256 scans,
/// a million reach 262 (2026-11-21).
const CHANGES_A_GAME: u64 = 200;
/// Largest number of random boards measured; more add nothing.
const BOARDS: u64 = 100;

/// Measures the claim that one scan is enough with recursion, and visits each cell a few times:
/// once in the scan, and once from each side.
pub fn recursion(lab: &mut dyn Laboratory) -> (String, Verdict) {
    let spiral = Passes::of(reference(&WINDING, &spiral(Seat::new(1))), 1, 'A');
    let game = SevenColors::new(ARCSYS);
    let boards = game.setups(SEATS, 0, Rng::new(lab.seed())).take(lab.games().min(BOARDS) as usize);
    let boards: Vec<Board> = boards.collect();
    let moves = boards.iter().flat_map(|board| Colour::first(7).map(move |colour| (board, colour)));
    let random: Vec<Passes> = moves
        .map(|(board, colour)| Passes::of(reference(&game, board), 0, colour.letter()))
        .collect();
    let most = random.iter().chain([&spiral]).map(|passes| passes.most).max().unwrap_or(0);
    let is_the_same = random.iter().chain([&spiral]).all(|passes| passes.is_the_same);
    let measured = format!(
        "on a spiral it passes by a cell {:.1} times on average, where scans do {} times; on {} random \
         boards {:.1} times; {most} times at most; it takes {} cells",
        spiral.mean,
        spiral.scans,
        boards.len(),
        random.iter().map(|passes| passes.mean).sum::<f64>() / random.len() as f64,
        if is_the_same { "the same" } else { "other" },
    );
    (measured, Verdict::of(is_the_same && most <= 5))
}

/// A move by repeated scans and by one scan with recursion.
struct Passes {
    /// Number of scans without recursion.
    scans: usize,
    /// Whether both take the same cells.
    is_the_same: bool,
    /// Mean number of visits of a cell with recursion.
    mean: f64,
    /// Largest number of visits of a cell with recursion.
    most: usize,
}

impl Passes {
    fn of(mut game: SevenColorsReference, seat: usize, colour: char) -> Passes {
        let mut other = game.clone();
        let scans = game.capture(seat, colour);
        let visits = other.capture_with_recursion(seat, colour).concat();
        Passes {
            scans,
            is_the_same: game.rows() == other.rows(),
            mean: visits.iter().sum::<usize>() as f64 / visits.len() as f64,
            most: visits.into_iter().max().unwrap_or(0),
        }
    }
}

/// Returns the reference implementation of the game on `board`.
fn reference(game: &SevenColors, board: &Board) -> SevenColorsReference {
    let rows = game.setup_lines(board, Seat::FIRST);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    SevenColorsReference::new(*game.options(), &rows, 0, [None; SEATS])
}

/// Returns the number of scans in which a seat takes a colour, including the last one, which
/// changes nothing.
///
/// Cells to the right or below are taken in the same scan, cells to the left or above in the next
/// one.
fn scans(board: &Board, seat: Seat, colour: Colour) -> usize {
    let cells = board.cells();
    let mut scan = vec![usize::MAX; cells.len()];
    let own = (0..cells.len()).filter(|&index| cells[index] == CellState::Taken(seat));
    let beside_own = own.flat_map(|index| board.neighbours(index));
    let mut waiting: VecDeque<(usize, usize)> = beside_own.map(|index| (index, 1)).collect();
    let mut most = 0;
    while let Some((index, number)) = waiting.pop_front() {
        if cells[index] != CellState::Free(colour) || scan[index] <= number {
            continue;
        }
        scan[index] = number;
        most = most.max(number);
        for next in board.neighbours(index) {
            // A 0-1 breadth-first search: cells of the same scan come before those of the next one.
            match next > index {
                true => waiting.push_front((next, number)),
                false => waiting.push_back((next, number + 1)),
            }
        }
    }
    most + 1
}

/// Returns a board on which a colour winds inwards from the corner of a seat.
fn spiral(seat: Seat) -> Board {
    let (rules, wall) = (WINDING.options(), CellState::Free(Colour::new(WALL)));
    let homes = corners(rules);
    let mut cells = vec![wall; rules.cells()];
    seats().zip(homes).for_each(|(seat, home)| cells[home] = CellState::Taken(seat));
    let mut board = Board::new(rules.width(), cells);
    let (mut at, mut heading) = (homes[seat.index()], [LEFT, RIGHT][seat.index()]);
    while let Some((way, next)) = wind(&board, seat, at, heading) {
        board.recolour(next, Colour::new(WAY));
        (at, heading) = (next, way);
    }
    board
}

/// Directions as (down, right); each is a left turn from the one before.
const WAYS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const LEFT: usize = 0;
const RIGHT: usize = 2;

/// Returns the next cell of a spiral and the direction to it. A right turn is preferred to straight
/// on, and that to a left turn. The spiral touches itself only at the previous cell.
fn wind(board: &Board, seat: Seat, at: usize, heading: usize) -> Option<(usize, usize)> {
    let [way, wall] = [WAY, WALL].map(|number| CellState::Free(Colour::new(number)));
    let cells = board.cells();
    let winds = |index: usize| cells[index] == way || cells[index] == CellState::Taken(seat);
    [3, 0, 1].into_iter().find_map(|turn| {
        let heading = (heading + turn) % WAYS.len();
        let next = step(board, at, WAYS[heading])?;
        let mut beside = board.neighbours(next).filter(|&index| index != at);
        let is_open = cells[next] == wall && !beside.any(winds);
        is_open.then_some((heading, next))
    })
}

fn step(board: &Board, at: usize, (down, right): (isize, isize)) -> Option<usize> {
    let row = (at / board.width()).checked_add_signed(down)?;
    let column = (at % board.width()).checked_add_signed(right)?;
    (row < board.height() && column < board.width()).then(|| board.index(row, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the scans themselves, on boards of two colours, which have large regions.
    #[test]
    fn scan_counts_agree_with_the_reference() {
        let game = SevenColors::from_rules("size=9x7 colours=2 symmetric=no").unwrap();
        let mut most = 0;
        for board in game.setups(2, 0, Rng::new(3)).take(300) {
            for (seat, letter) in seats().zip(['A', 'B']) {
                let colour = Colour::of_letter(letter).unwrap();
                let made = reference(&game, &board).capture(seat.index(), letter);
                assert_eq!(scans(&board, seat, colour), made, "{board:?}");
                most = most.max(made);
            }
        }
        assert!(most > 6, "{most}");
    }

    /// Compares with the published figures (240 and 241 scans), also by the reference
    /// implementation.
    #[test]
    fn spiral_takes_more_scans_than_published() {
        for (number, known) in [240, 241].into_iter().enumerate() {
            let board = spiral(Seat::new(number));
            assert_eq!(scans(&board, Seat::new(number), Colour::new(WAY)), known);
            assert_eq!(reference(&WINDING, &board).capture(number, 'A'), known);
        }
    }

    /// A single scan takes every cell, and visits a cell at most once from each of its sides and
    /// once itself.
    #[test]
    fn recursion_takes_what_scans_take() {
        let game = SevenColors::from_rules("size=9x9 colours=2").unwrap();
        let mut longest = 0;
        for board in game.setups(2, 0, Rng::new(4)).take(100) {
            let passes = Passes::of(reference(&game, &board), 0, 'A');
            assert!(passes.is_the_same && passes.most <= 5, "{board:?}");
            longest = longest.max(passes.scans);
        }
        assert!(longest > 6, "{longest}");
    }
}
