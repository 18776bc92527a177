//! How often the report's first program scans a board until it has taken a colour (Q2.2), and what
//! recursion makes of that (Q2.3).

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

/// One colour winds, the other is its wall.
const WINDING: SevenColors =
    SevenColors::new(Rules { colours: 2, symmetric: false, random_corner: false, ..ARCSYS });
const WAY: usize = 0;
const WALL: usize = 1;

/// The claim that no board takes more scans than the report's worst one.
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

/// Changes of a spiral that are tried for each game of a match.
const CHANGES_A_GAME: u64 = 200;
/// More random boards than this say nothing more.
const BOARDS: u64 = 100;

/// The claim that a single scan is enough with recursion, and passes by each cell a few times only: once,
/// and once from each side.
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

/// A move by scans and by a scan with recursion.
struct Passes {
    /// How many scans the first takes.
    scans: usize,
    /// Do both take the same?
    is_the_same: bool,
    /// How often the second passes by a cell, on average and at most.
    mean: f64,
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

/// The slow game on a board.
fn reference(game: &SevenColors, board: &Board) -> SevenColorsReference {
    let rows = game.setup_lines(board);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    SevenColorsReference::new(*game.options(), &rows, 0, [None; SEATS])
}

/// How many scans a seat needs to take a colour, the last one, without a change, included. What is to the
/// right of a cell or below it is taken by the same scan, what is to the left or above by the next one.
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
            match next > index {
                true => waiting.push_front((next, number)),
                false => waiting.push_back((next, number + 1)),
            }
        }
    }
    most + 1
}

/// A board on which a colour winds inwards from a seat's corner.
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

/// The ways in which one can go; each is a turn to the left of the one before.
const WAYS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const LEFT: usize = 0;
const RIGHT: usize = 2;

/// The next cell of a seat's spiral, with the way that leads there: to the right if possible, else
/// straight on, else to the left. What winds never touches itself but for the cell before.
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

    /// The count by a queue against the scans themselves, on boards of two colours, where much of one
    /// colour hangs together.
    #[test]
    fn scans_are_counted_as_they_are_made() {
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

    /// The figures that are known of it (240 and 241 scans), by the slow twin.
    #[test]
    fn a_spiral_takes_more_scans_than_the_report_thinks() {
        for (number, known) in [240, 241].into_iter().enumerate() {
            let board = spiral(Seat::new(number));
            assert_eq!(scans(&board, Seat::new(number), Colour::new(WAY)), known);
            assert_eq!(reference(&WINDING, &board).capture(number, 'A'), known);
        }
    }

    /// A single scan takes all, and knows each cell from each of its sides at most.
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
