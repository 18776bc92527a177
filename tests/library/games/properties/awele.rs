//! Properties of Awélé.

use arbitre::dialect::Notation;
use arbitre::game::Seat;
use arbitre::games::awele::{
    Awele, Board, Opening, Pit, ABAPA, GRAND_SLAMS, OPTIONS, PITS, PRESETS,
};
use proptest::prelude::*;

/// Words of rules in any number and order, so that most texts are wrong and many are right.
fn rules_text() -> impl Strategy<Value = String> {
    let options = OPTIONS.iter().flat_map(|option| {
        option.values.iter().map(|value| format!("{}={}", option.name, value.replace('N', "50")))
    });
    let presets = PRESETS.iter().map(|(name, _)| name.to_string());
    let words: Vec<String> = options.chain(presets).collect();
    prop::collection::vec(prop::sample::select(words), 0..4).prop_map(|words| words.join(","))
}

fn seeds(board: Board) -> u8 {
    board.totals().iter().chain(&board.captures()).sum()
}

proptest! {
    /// Rules that are read are written so that they are read the same.
    #[test]
    fn rules_come_back(text in rules_text()) {
        if let Ok(game) = Awele::from_rules(&text) {
            prop_assert_eq!(Awele::from_rules(&game.rules()), Ok(game));
        }
    }

    /// Reading never panics, whatever comes.
    #[test]
    fn any_text_is_read_or_refused(text in "[ 0-9a-z=,:;-]{0,60}") {
        let game = Awele::new(ABAPA);
        let _ = (Awele::from_rules(&text).is_ok(), game.parse_move(&text).is_ok());
        let _ = (game.parse_setup_text(&text).is_ok(), game.parse_state(&text, Seat::FIRST).is_ok());
    }

    #[test]
    fn openings_come_back(numbers in prop::collection::vec(0usize..6, 0..20)) {
        let game = Awele::new(ABAPA);
        let opening = Opening(numbers.into_iter().filter_map(Pit::new).collect());
        prop_assert_eq!(game.parse_setup_text(&game.setup_text(&opening)), Ok(opening));
    }

    /// Whatever is on the board, no seed is lost, and what was put in comes out.
    #[test]
    fn no_seed_is_lost(pits in prop::array::uniform12(0u8..=4), (_, slam) in prop::sample::select(&GRAND_SLAMS)) {
        let board = Board::new(pits, [0; 2]);
        prop_assert_eq!(board.pits(), pits);
        for pit in Pit::of_mask(board.legal(slam)) {
            prop_assert_eq!(seeds(board.after(pit, slam)), seeds(board));
        }
    }

    /// A position is written as what was read, and the other seat sees it the other way round.
    #[test]
    fn positions_come_back(places in prop::collection::vec(0..PITS + 2, 48), seat in 0..2usize) {
        let mut numbers = [0u8; PITS + 2];
        places.into_iter().for_each(|place| numbers[place] += 1);
        let text = numbers.map(|number| number.to_string()).join(" ");
        let game = Awele::new(ABAPA);
        let (mut mine, mut theirs) = (String::new(), String::new());
        let seat = Seat::new(seat);
        let position = game.parse_state(&text, seat).unwrap();
        game.write_state(&position, seat, &mut mine);
        game.write_state(&position, seat.other(), &mut theirs);
        prop_assert_eq!(position.mover(), seat);
        prop_assert_eq!(&mine, &text);
        numbers[..PITS].rotate_left(6);
        numbers[PITS..].reverse();
        prop_assert_eq!(theirs, numbers.map(|number| number.to_string()).join(" "));
    }
}
