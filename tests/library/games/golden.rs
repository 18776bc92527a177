//! Golden games: whole games stored as text, in which every change of the rules shows as a
//! difference.
//!
//! A file `tests/data/GAME/*.golden` begins with one line each for `rules`, `setup` and `moves`.
//! The rules write the rest: the resolved options, a line per turn, and the result. The line of a
//! turn has its number, the seat to move, the position as that seat sees it, the legal moves and
//! the move. A new game needs only its first three lines. The rest is written, and every file
//! rewritten, by `UPDATE_GOLDEN=1 cargo test --test library golden`.

use arbitre::dialect::Notation;
use arbitre::game::{Seat, State};
use arbitre_test_support::golden;
use std::fmt::Write;

/// Creates the test of a game: its folder in the data, its type, and its number of files.
macro_rules! golden {
    ($name:ident: $game:ty, files: $files:expr) => {
        #[test]
        fn $name() {
            check_all::<$game>(stringify!($name), $files);
        }
    };
}

golden!(awele: arbitre::games::awele::Awele, files: 19);
golden!(tron: arbitre::games::tron::Tron, files: 5);
golden!(seven_colors: arbitre::games::seven_colors::SevenColors, files: 8);
golden!(hextris: arbitre::games::hextris::Hextris, files: 3);
golden!(taquin: arbitre::games::taquin::Taquin, files: 3);

fn check_all<G: Notation>(room: &str, expected: usize) {
    let files = golden::files(room);
    assert_eq!(files.len(), expected, "golden games of {room}");
    for file in files {
        let kept = std::fs::read_to_string(&file).unwrap();
        let replayed =
            replay::<G>(&kept).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, replayed).unwrap();
        } else if let Some(difference) = difference(&kept, &replayed) {
            panic!("{}: {difference}", file.display());
        }
    }
}

/// Returns the first line in which two texts differ.
fn difference(kept: &str, replayed: &str) -> Option<String> {
    if kept == replayed {
        return None;
    }
    let pairs = kept.lines().zip(replayed.lines()).zip(1..);
    let differing = pairs.into_iter().find(|((kept, replayed), _)| kept != replayed);
    Some(match differing {
        Some(((kept, replayed), line)) => {
            format!("line {line} differs\n    kept: {kept}\nreplayed: {replayed}")
        }
        None => {
            format!("{} lines kept, {} replayed", kept.lines().count(), replayed.lines().count())
        }
    })
}

/// Returns the text that the rules produce from the first three lines of a file.
fn replay<G: Notation>(kept: &str) -> Result<String, String> {
    let field = |name| golden::field(kept, name);
    let (rules, setup, moves) = (field("rules")?, field("setup")?, field("moves")?);
    let game = G::from_rules(rules).map_err(|error| error.to_string())?;
    let mut text =
        format!("rules {rules}\nsetup {setup}\nmoves {moves}\n\nresolved {}\n", game.rules());
    let setup = game.parse_setup_text(setup).map_err(|error| error.to_string())?;
    let mut state = game.start(&setup).map_err(|error| error.to_string())?;
    for (turn, word) in moves.split_whitespace().enumerate() {
        let seat = state.to_move().iter().next().ok_or(format!("over before turn {turn}"))?;
        write_turn(&game, &state, seat, turn, &mut text);
        let mv = game.parse_move(word).map_err(|error| error.to_string())?;
        state.play(seat, mv).map_err(|error| format!("turn {turn}: {error}"))?;
        writeln!(text, "{word}").unwrap();
    }
    write_end(&game, &state, &mut text);
    Ok(text)
}

fn write_turn<G: Notation>(game: &G, state: &G::State, seat: Seat, turn: usize, text: &mut String) {
    write!(text, "{turn} seat {seat} | ").unwrap();
    game.write_state(state, seat, text);
    text.push_str(" |");
    for mv in state.moves(seat) {
        text.push(' ');
        game.write_move(mv, text);
    }
    text.push_str(" | ");
}

fn write_end<G: Notation>(game: &G, state: &G::State, text: &mut String) {
    text.push_str("end | ");
    game.write_state(state, Seat::FIRST, text);
    match state.outcome() {
        Some(outcome) => writeln!(
            text,
            "\nscores {:?} places {:?} out {}",
            outcome.scores,
            outcome.places(),
            outcome.out.len()
        ),
        None => writeln!(text, "\nnot over"),
    }
    .unwrap();
}
