//! The position from which a solver plays, and the letters that drop units without a search.

use super::phrases::TextEnd;
use arbitre_games::games::hextris::{Phrases, Play, Symbol, Terrain};

/// Start of a solver: a game with a unit at its spawn position.
#[derive(Clone, Copy)]
pub struct GameStart<'a> {
    /// The problem.
    pub terrain: &'a Terrain,
    /// The game.
    pub play: &'a Play,
    /// The text so far, with the phrases of power.
    pub text: TextEnd<'a>,
}

impl<'a> GameStart<'a> {
    /// Starts from a game in which no text was played.
    pub fn new(terrain: &'a Terrain, phrases: &'a Phrases, play: &'a Play) -> GameStart<'a> {
        GameStart { terrain, play, text: TextEnd { phrases, node: Phrases::ROOT, used: 0 } }
    }

    /// Returns `text` followed by the letters that drop the remaining units straight down.
    pub fn with_drops(&self, mut text: Vec<u8>) -> Vec<u8> {
        let mut play = self.play.clone();
        let mut is_allowed = |letter: &u8| {
            let command = Symbol::of(*letter).command();
            command.is_some_and(|command| play.play(self.terrain, command).is_ok())
        };
        let allowed = text.iter().take_while(|letter| is_allowed(letter)).count();
        debug_assert_eq!(allowed, text.len(), "no path breaks a rule");
        // A release build plays the legal part of a bad text, rather than score zero.
        text.truncate(allowed);
        // A unit that only goes down repeats no position.
        text.extend(DOWN.into_iter().cycle().take_while(is_allowed));
        text
    }
}

/// Letters of the drop, south-east and south-west in turn.
const DOWN: [u8; 2] = *b"la";
