//! Drawing of positions for the terminal.

use arbitre_games::game::{Seat, Seats};
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
    /// Data for a viewer of the arena, if there is any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub view: String,
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
