//! Drawing of positions for the terminal.

use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat, Seats, State};
use serde::{Deserialize, Serialize};

/// Text and picture of a position, as rules in another process gave them. They are stored, so that
/// a reader of the game needs no rules.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PositionTexts {
    /// Position for people.
    pub text: String,
    /// Picture for a page, if there is one: an SVG document, or text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub picture: String,
}

/// Point of view from which a position is drawn.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// Seat whose view is drawn.
    pub seat: Seat,
    /// Whether the terminal shows colours.
    pub colour: bool,
    /// Names of the seats.
    pub names: Vec<&'a str>,
}

/// Terminal style of the essential parts, for example playable moves.
pub const BOLD: &str = "\x1b[1m";
/// Terminal style of parts that only help orientation, for example row numbers.
pub const DIM: &str = "\x1b[2m";
/// Terminal code that ends every style.
const PLAIN: &str = "\x1b[0m";

impl View<'_> {
    /// Returns the text in `style`, where colours are shown.
    pub fn paint(&self, style: &str, text: String) -> String {
        match self.colour {
            true => format!("{style}{text}{PLAIN}"),
            false => text,
        }
    }
}

/// Function that draws a position. Its text ends with a line end.
pub type Draw<G> = fn(&<G as arbitre_games::game::Game>::State, &View) -> String;

/// Step of a recorded game.
///
/// Faults before the same move are one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// Move of a seat, in the game's notation.
    Moved(Seat, &'a str),
    /// Seats eliminated together by a fault.
    Eliminated(Seats),
}

/// Draws the position at the start and after each step.
///
/// # Errors
/// Returns an error if the setup or a step does not fit the rules. The message names the step.
pub fn draw_all<G: Notation>(
    game: &G,
    draw: Draw<G>,
    setup: &str,
    steps: &[Step],
    view: &View,
) -> Result<Vec<String>, ParseError> {
    let mut state = game.start(&game.parse_setup_text(setup)?)?;
    let mut pictures = vec![draw(&state, view)];
    for (i, step) in steps.iter().enumerate() {
        take(game, &mut state, step, |_, _, _, _| {})
            .map_err(|why| ParseError::new(format!("step {} of the game: {why}", i + 1)))?;
        pictures.push(draw(&state, view));
    }
    Ok(pictures)
}

/// Takes a step. Passes each of its moves to `played`, with the positions before and after it.
///
/// # Errors
/// Returns an error if the step does not fit the rules.
pub fn take<G: Notation>(
    game: &G,
    state: &mut G::State,
    step: &Step,
    mut played: impl FnMut(&G::State, Seat, G::Move, &G::State),
) -> Result<(), ParseError> {
    match *step {
        Step::Eliminated(seats) => state.forfeit(seats),
        Step::Moved(seat, text) => {
            let refused = |why| ParseError::new(format!("'{text}' is illegal: {why}"));
            for mv in game.parse_path(text)? {
                let before = state.clone();
                state.play(seat, mv).map_err(refused)?;
                played(&before, seat, mv, state);
            }
        }
    }
    Ok(())
}
