//! Properties of Tron.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, Seats, State};
use arbitre::games::tron::{owned_cells, CellContent, Direction, Point, Position, Starts, Tron};
use proptest::prelude::*;
use std::collections::HashSet;

/// A grid with obstacles, and distinct cells that are none of these.
fn boards() -> impl Strategy<Value = (Tron, Starts)> {
    let sides = (3..14usize, 3..14usize, 2..=4usize);
    sides.prop_flat_map(|(width, height, seats)| {
        let cells: Vec<Point> = (0..width * height)
            .map(|i| Point { x: (i % width) as u8, y: (i / width) as u8 })
            .collect();
        let walls = 0..=(width * height - seats) / 3;
        (Just(cells).prop_shuffle(), walls).prop_map(move |(cells, walls)| {
            let (starts, rest) = cells.split_at(seats);
            let walls: Vec<String> =
                rest[..walls].iter().map(|Point { x, y }| format!("{x}:{y}")).collect();
            let walls = if walls.is_empty() { "none".into() } else { walls.join("/") };
            let game = Tron::from_rules(&format!("size={width}x{height} walls={walls}")).unwrap();
            (game, Starts(starts.to_vec()))
        })
    })
}

/// A game, which may be over, after moves and forfeits that these numbers choose.
fn positions() -> impl Strategy<Value = (Tron, Position)> {
    (boards(), prop::collection::vec(0..40usize, 0..120)).prop_filter_map(
        "nobody can move",
        |((game, starts), choices)| {
            let mut position = game.start(&starts).ok()?;
            for choice in choices {
                let Some(seat) = position.to_move().iter().next() else { break };
                let moves = position.moves(seat);
                match choice {
                    0..=3 => position.forfeit(Seats::one(Seat::new(choice % position.seats()))),
                    _ => position.play(seat, moves[choice % moves.len()]).unwrap(),
                }
            }
            Some((game, position))
        },
    )
}

fn written(game: &Tron, position: &Position) -> String {
    let mut text = String::new();
    game.write_state(position, Seat::FIRST, &mut text);
    text
}

proptest! {
    /// Rules that are read are written so that they are read the same.
    #[test]
    fn rules_come_back((game, _) in boards(), hundredths in 0..=10_000u32) {
        let tolerance = format!("{}.{:02}%", hundredths / 100, hundredths % 100);
        let text = game.rules().replace("1%", &tolerance);
        let read = Tron::from_rules(&text).unwrap();
        prop_assert_eq!(u32::from(read.options().tolerance()), hundredths);
        prop_assert_eq!(Tron::from_rules(&read.rules()), Ok(read));
    }

    /// Reading never panics, whatever comes.
    #[test]
    fn any_text_is_read_or_refused(text in "[ 0-9a-zA-D.#=,:;/%-]{0,60}") {
        let game = Tron::from_rules("size=3x3").unwrap();
        let _ = (Tron::from_rules(&text).is_ok(), game.parse_move(&text).is_ok());
        let _ = (game.parse_setup_text(&text).is_ok(), game.parse_state(&text, Seat::FIRST).is_ok());
        for option in ["size", "walls", "tolerance"] {
            let _ = Tron::from_rules(&format!("{option}={text}")).is_ok();
        }
        if let Ok(setup) = game.parse_setup_text(&format!("start 0 0 0; start 1 {text}")) {
            let _ = game.start(&setup).is_ok();
        }
    }

    #[test]
    fn starts_come_back((game, starts) in boards()) {
        prop_assert_eq!(game.parse_setup_text(&game.setup_text(&starts)), Ok(starts));
    }

    /// A position is written as what was read, and can be played on in the same ways.
    #[test]
    fn positions_come_back((game, position) in positions()) {
        let text = written(&game, &position);
        let Some(seat) = position.to_move().iter().next() else {
            return Ok(());
        };
        let read = game.parse_state(&text, seat).unwrap();
        prop_assert_eq!(written(&game, &read), text);
        prop_assert_eq!(read.legal_mask(), position.legal_mask());
        prop_assert_eq!(read.alive(), position.alive());
    }

    /// A cell belongs to a trail only if its cycle is in the game, and the head is one of these
    /// cells. Walls never change; a legal move leads to a free cell.
    #[test]
    fn cells_are_as_they_should_be((game, position) in positions()) {
        let owners: HashSet<Seat> = position.cells().filter_map(|cell| match cell {
            CellContent::Trail(seat) => Some(seat),
            _ => None,
        }).collect();
        prop_assert_eq!(owners, position.alive().iter().collect());
        let walls = position.cells().filter(|cell| *cell == CellContent::Wall).count();
        prop_assert_eq!(walls, game.options().walls().len());
        for seat in position.alive().iter() {
            let head = position.head(seat).unwrap();
            prop_assert_eq!(position.cell(head), CellContent::Trail(seat));
            for way in Direction::ALL {
                let is_free = position.cell(head.towards(way)) == CellContent::Free;
                prop_assert_eq!(position.ways(seat) >> way.index() & 1 != 0, is_free);
            }
        }
    }

    /// Who owns what does not depend on the order of the seats, and nobody owns a wall.
    #[test]
    fn ownership_goes_with_the_start((game, starts) in boards()) {
        let owned = owned_cells(&game, &starts);
        let mut rotated = starts.clone();
        rotated.0.rotate_left(1);
        let mut expected = owned.clone();
        expected.rotate_left(1);
        prop_assert_eq!(owned_cells(&game, &rotated), expected);
        let cells = game.options().width() * game.options().height() - game.options().walls().len();
        prop_assert!(owned.iter().all(|&cells| cells > 0));
        prop_assert!(owned.iter().sum::<usize>() <= cells);
    }
}
