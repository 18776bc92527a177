//! Properties of Seven Colors, among them the seed's checks of its function `play` (Q2.2, Q2.3).

use arbitre::dialect::Notation;
use arbitre::dialects::relay::{board_lines, parse_board};
use arbitre::game::{Game, Seat, State};
use arbitre::games::seven_colors::{
    corners, seats, Board, CellState, Colour, Position, SevenColors, OPTIONS, PRESETS,
};
use arbitre::rng::Rng;
use proptest::prelude::*;
use std::cell::Cell as Counter;

/// Words of rules in any number and order, so that most texts are wrong and many are right.
fn rules_text() -> impl Strategy<Value = String> {
    let options = OPTIONS.iter().flat_map(|option| {
        let value = |value: &str| value.replace("WxH", "7x7").replace('N', "5");
        option.values.iter().map(move |text| format!("{}={}", option.name, value(text)))
    });
    let presets = PRESETS.iter().map(|(name, _)| name.to_string());
    let words: Vec<String> = options.chain(presets).collect();
    prop::collection::vec(prop::sample::select(words), 0..4).prop_map(|words| words.join(","))
}

/// A game of any size and with any options.
fn games() -> impl Strategy<Value = SevenColors> {
    let bans = prop::sample::select(vec!["none", "opponent", "own-and-opponent"]);
    let switch = || prop::sample::select(vec!["no", "yes"]);
    let numbers = (2..12u8, 2..12u8, 3..8u8);
    (numbers, bans, switch(), switch()).prop_map(|((width, height, colours), ban, take, count)| {
        let text = format!(
            "size={width}x{height} colours={colours} ban={ban} symmetric=no \
             capture-enclosed={take} count-enclosed={count} stall=20"
        );
        SevenColors::from_rules(&text).expect("these options go together")
    })
}

fn boards() -> impl Strategy<Value = (SevenColors, Board)> {
    (games(), any::<u64>()).prop_map(|(game, seed)| {
        let board = game.setups(2, 0, Rng::new(seed)).next().expect("there is a board");
        (game, board)
    })
}

/// A game under way, after moves that these numbers choose, the start, and the next colour.
fn positions() -> impl Strategy<Value = (SevenColors, Board, Position, Colour)> {
    let numbers = prop::collection::vec(0..40usize, 1..60);
    (boards(), numbers).prop_map(|((game, board), numbers)| {
        let mut position = game.start(&board).expect("a board to start from");
        let (next, played) = numbers.split_last().expect("there is one");
        for number in played {
            let mut after = position.clone();
            let moves = position.moves(position.mover());
            after.play(position.mover(), moves[number % moves.len()]).expect("a legal move");
            if after.outcome().is_some() {
                break;
            }
            position = after;
        }
        let moves = position.moves(position.mover());
        (game, board, position, moves[next % moves.len()])
    })
}

fn written(game: &SevenColors, position: &Position, seat: Seat) -> String {
    let mut text = String::new();
    game.write_state(position, seat, &mut text);
    text
}

/// The cells of a seat.
fn taken(board: &Board, seat: Seat) -> Vec<usize> {
    (0..board.cells().len()).filter(|&i| board.cells()[i] == CellState::Taken(seat)).collect()
}

proptest! {
    /// Rules that are read are written so that they are read the same.
    #[test]
    fn rules_come_back(text in rules_text()) {
        if let Ok(game) = SevenColors::from_rules(&text) {
            prop_assert_eq!(SevenColors::from_rules(&game.rules()), Ok(game));
        }
    }

    /// Reading never panics, whatever comes.
    #[test]
    fn any_text_is_read_or_refused(text in "[ 0-9a-zA-Q.*=,;/-]{0,60}", rows in "[A-D.*/ -]{0,14}") {
        let game = SevenColors::from_rules("size=3x3 colours=4 ban=opponent").unwrap();
        for text in [text, rows] {
            let _ = (SevenColors::from_rules(&text).is_ok(), game.parse_move(&text).is_ok());
            let _ = game.parse_setup_text(&text).is_ok();
            let _ = parse_board(&game, &[&text, &text, &text, &text], Seat::FIRST).is_ok();
            if let Ok(position) = game.parse_state(&text, Seat::FIRST) {
                prop_assert!(position.outcome().is_none());
            }
        }
    }

    /// Each seat reads the board that it is told as the same one.
    #[test]
    fn boards_come_back((game, board) in boards()) {
        for seat in seats() {
            let lines = game.setup_lines(&board, seat);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            prop_assert_eq!(game.parse_setup(&lines, seat), Ok(board.clone()));
            let lines = board_lines(&game, &board, seat);
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            prop_assert_eq!(parse_board(&game, &lines, seat), Ok(Some(board.clone())));
        }
    }

    /// A position is written as what was read, and can be played on in the same ways.
    #[test]
    fn positions_come_back((game, _, position, _) in positions()) {
        let mover = position.mover();
        let text = written(&game, &position, mover);
        let read = game.parse_state(&text, mover).unwrap();
        for seat in seats() {
            prop_assert_eq!(written(&game, &read, seat), written(&game, &position, seat));
        }
        prop_assert_eq!(read.moves(mover), position.moves(mover));
        prop_assert_eq!(read.scores(), position.scores());
    }

    /// Q2.2: cells of other colours do not change, except those that are enclosed where that is the
    /// rule.
    #[test]
    fn other_colours_are_unchanged((game, _, position, colour) in positions()) {
        let mut after = position.clone();
        after.play(position.mover(), colour).unwrap();
        for (old, new) in position.board().cells().iter().zip(after.board().cells()) {
            let is_taken = *old == CellState::Free(colour) && *new == CellState::Taken(position.mover());
            prop_assert!(old == new || is_taken || game.options().capture_enclosed);
        }
    }

    /// Q2.2: no free cell of the colour just played is left beside the player's own.
    #[test]
    fn no_cell_of_the_colour_is_left_at_the_border((_, _, position, colour) in positions()) {
        let mut after = position.clone();
        after.play(position.mover(), colour).unwrap();
        let board = after.board();
        for next in taken(board, position.mover()).into_iter().flat_map(|i| board.neighbours(i)) {
            prop_assert_ne!(board.cells()[next], CellState::Free(colour));
        }
    }

    /// Q2.2: what a player has hangs together and holds its start.
    #[test]
    fn what_one_has_is_connected_to_its_start((game, start, position, colour) in positions()) {
        let mut after = position.clone();
        after.play(position.mover(), colour).unwrap();
        for seat in seats() {
            let home = corners(game.options()).into_iter().find(|&c| start.cells()[c] == CellState::Taken(seat));
            let connected = after.board().flood(vec![home.unwrap()], |cell| cell == CellState::Taken(seat));
            prop_assert_eq!(connected.len(), after.board().count(seat));
        }
    }

    /// Q2.3: the flood looks at each side of each cell that it reaches once, and at no cell more
    /// than four times.
    #[test]
    fn a_flood_looks_at_a_cell_four_times_at_most((_, _, position, colour) in positions()) {
        let board = position.board();
        let own = taken(board, position.mover());
        let looks = Counter::new(0);
        let reached = board.flood(own, |cell| {
            looks.set(looks.get() + 1);
            cell == CellState::Free(colour)
        });
        let sides: usize = reached.iter().map(|&index| board.neighbours(index).count()).sum();
        prop_assert!(looks.get() <= sides && sides <= 4 * reached.len());
    }
}
