//! How positions are drawn for people.

use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat, Seats, State};

/// Who looks at a position.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// The seat from which it is seen.
    pub seat: Seat,
    /// Does the terminal show colours?
    pub colour: bool,
    /// What the seats are called.
    pub names: Vec<&'a str>,
}

/// For the terminal: what can be played.
pub const BOLD: &str = "\x1b[1m";
/// For the terminal: what is there for orientation alone.
pub const DIM: &str = "\x1b[2m";
/// For the terminal: the end of every style.
const PLAIN: &str = "\x1b[0m";

impl View<'_> {
    /// The text in a style, where colours are shown.
    pub fn paint(&self, style: &str, text: String) -> String {
        match self.colour {
            true => format!("{style}{text}{PLAIN}"),
            false => text,
        }
    }
}

/// Draws a position; it ends with a line's end.
pub type Draw<G> = fn(&<G as arbitre_games::game::Game>::State, &View) -> String;

/// What happened in a game that was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// A seat played this.
    Moved(Seat, &'a str),
    /// Seats went out together by a fault.
    Eliminated(Seats),
}

/// The position at the start and after each step, drawn.
///
/// # Errors
/// If the setup or a step does not fit the rules; the message names the step.
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
        take(game, &mut state, step)
            .map_err(|why| ParseError::new(format!("step {} of the game: {why}", i + 1)))?;
        pictures.push(draw(&state, view));
    }
    Ok(pictures)
}

fn take<G: Notation>(game: &G, state: &mut G::State, step: &Step) -> Result<(), ParseError> {
    match *step {
        Step::Eliminated(seats) => state.forfeit(seats),
        Step::Moved(seat, text) => {
            let refused = |why| ParseError::new(format!("'{text}' is illegal: {why}"));
            for mv in game.parse_path(text)? {
                state.play(seat, mv).map_err(refused)?;
            }
        }
    }
    Ok(())
}
