//! Property tests of Taquin: notation, and invariants of slides.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::taquin::{
    parse_path, path_letters, path_words, uniform, walk, Board, Convention, Direction, Layout,
    Position, Taquin, OPTIONS, PRESETS,
};
use arbitre::rng::Rng;
use proptest::prelude::*;

/// Words of rules in any number and order; most texts are invalid, and many are valid.
fn rules_text() -> impl Strategy<Value = String> {
    let options = OPTIONS.iter().flat_map(|option| {
        let value = |value: &str| value.replace("RxC", "3x7").replace('N', "5");
        option.values.iter().map(move |text| format!("{}={}", option.name, value(text)))
    });
    let presets = PRESETS.iter().map(|(name, _)| name.to_string());
    let words: Vec<String> = options.chain(presets).collect();
    prop::collection::vec(prop::sample::select(words), 0..4).prop_map(|words| words.join(","))
}

/// Solvable boards of all sizes.
fn boards() -> impl Strategy<Value = Board> {
    (2..11usize, 2..11usize, any::<u64>())
        .prop_map(|(rows, columns, seed)| uniform(rows, columns, &mut Rng::new(seed)))
}

fn conventions() -> impl Strategy<Value = Convention> {
    let blanks = prop::sample::select(vec!['_', '.', '0']);
    (any::<bool>(), 0..2u8, blanks)
        .prop_filter("0 is a tile", |(_, first, blank)| *first == 1 || *blank != '0')
        .prop_map(|(blank_first, first_tile, blank)| Convention { blank_first, first_tile, blank })
}

fn paths() -> impl Strategy<Value = Vec<Direction>> {
    prop::collection::vec(prop::sample::select(Direction::ALL.to_vec()), 1..80)
}

/// Games in progress.
fn positions() -> impl Strategy<Value = (Taquin, Position)> {
    (boards(), 0..20u32, any::<u64>()).prop_filter_map("it is not over", |(board, moves, seed)| {
        let rules = format!("size={}x{} max-moves=25", board.rows(), board.columns());
        let game = Taquin::from_rules(&rules).expect("these options go together");
        let mut position = game.start(&board).ok()?;
        let mut rng = Rng::new(seed);
        for _ in 0..moves {
            let legal = position.moves(Seat::FIRST);
            position.play_unchecked(Seat::FIRST, *legal.get(rng.below(legal.len().max(1)))?);
        }
        position.outcome().is_none().then_some((game, position))
    })
}

fn written(game: &Taquin, position: &Position) -> String {
    let mut text = String::new();
    game.write_state(position, Seat::FIRST, &mut text);
    text
}

proptest! {
    #[test]
    fn rules_round_trip(text in rules_text()) {
        if let Ok(game) = Taquin::from_rules(&text) {
            prop_assert_eq!(Taquin::from_rules(&game.rules()), Ok(game));
        }
    }

    #[test]
    fn boards_round_trip_in_every_convention(board in boards(), convention in conventions()) {
        let size = Some((board.rows(), board.columns()));
        for layout in [Layout::Line, Layout::Slashes, Layout::Grid] {
            let text = convention.write(&board, layout);
            prop_assert_eq!(convention.read(&text, size), Ok((board.clone(), convention)), "{}", text);
        }
    }

    /// The blank of a board in Korf's convention must move in the converted direction.
    #[test]
    fn directions_follow_the_convention(board in boards(), seed in any::<u64>()) {
        let size = Some((board.rows(), board.columns()));
        let blank_at = |text: &str| text.split(' ').position(|word| word == "0").unwrap() as isize;
        let after = walk(board.clone(), 1, &mut Rng::new(seed));
        let way = board.ways().find(|&way| board.after(way).as_ref() == Some(&after)).unwrap();
        let texts = [&board, &after].map(|board| Convention::KORF.write(board, Layout::Line));
        let columns = board.columns() as isize;
        let step = [columns, 1, -1, -columns][Convention::KORF.direction(way).index()];
        prop_assert_eq!(blank_at(&texts[1]) - blank_at(&texts[0]), step);
        prop_assert_eq!(Convention::KORF.read(&texts[1], size).unwrap().0, after);
    }

    #[test]
    fn parsers_never_panic(text in "[0-9 _./;,\n]{0,60}", other in ".{0,30}") {
        for convention in [Convention::SEED, Convention::KORF] {
            let _ = (convention.read(&text, None), convention.read(&other, Some((2, 3))));
        }
        let game = Taquin::from_rules("size=2x3").unwrap();
        let _ = (parse_path(&other), game.parse_state(&text, Seat::FIRST), game.parse_setup_text(&other));
    }

    #[test]
    fn paths_round_trip(path in paths()) {
        for text in [path_letters(&path), path_words(&path), path_words(&path).to_uppercase()] {
            prop_assert_eq!(parse_path(&text), Ok(path.clone()));
        }
        let (game, mut word) = (Taquin::from_rules("").unwrap(), String::new());
        game.write_path(&path, &mut word);
        prop_assert_eq!(game.parse_path(&word), Ok(path));
    }

    #[test]
    fn positions_round_trip((game, position) in positions()) {
        let text = written(&game, &position);
        let read = game.parse_state(&text, Seat::FIRST).unwrap();
        prop_assert_eq!(written(&game, &read), text);
        prop_assert_eq!((read.board(), read.made()), (position.board(), position.made()));
    }

    /// Slides keep a board solvable; swapping two tiles makes it unsolvable.
    #[test]
    fn slides_keep_a_board_solvable(board in boards(), moves in 1..50u32, seed in any::<u64>()) {
        let board = walk(board, moves, &mut Rng::new(seed));
        prop_assert!(board.is_solvable());
        let mut tiles: Vec<usize> = (0..board.cells().len()).filter(|&c| c != board.blank()).collect();
        Rng::new(seed).shuffle(&mut tiles);
        let mut cells = board.cells().to_vec();
        cells.swap(tiles[0], tiles[1]);
        prop_assert!(!Board::new(board.rows(), board.columns(), cells).is_solvable());
    }

    #[test]
    fn opposite_slides_cancel_out(board in boards()) {
        for way in board.ways() {
            prop_assert_eq!(board.after(way).and_then(|next| next.after(way.opposite())), Some(board.clone()));
        }
    }
}
