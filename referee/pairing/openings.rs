//! The setups that the rounds start from: drawn without repetition, or the lines of a file.

use crate::registry::table::RulesError;
use crate::registry::{DynGame, Setups};
use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use std::sync::Mutex;

/// Setups by round. When they run out they are used again from the first.
pub struct Openings {
    state: Mutex<Supply>,
}

struct Supply {
    drawn: Vec<String>,
    more: Option<Setups>,
}

impl Supply {
    /// Draws until the setup of this index is there, or there are no more.
    fn reach(&mut self, index: usize) -> Result<(), RulesError> {
        while self.drawn.len() <= index {
            match self.more.as_mut().and_then(Iterator::next) {
                Some(setup) => self.drawn.push(setup?),
                None => break,
            }
        }
        Ok(())
    }
}

impl Openings {
    /// Setups for so many seats as the game draws them; `plies` long, where it has openings.
    pub fn drawn(game: &dyn DynGame, seats: usize, plies: usize, rng: Rng) -> Openings {
        Openings::new(Vec::new(), Some(game.setups(seats, plies, rng)))
    }

    /// These setups, each in its own words.
    pub fn listed(setups: Vec<String>) -> Openings {
        Openings::new(setups, None)
    }

    fn new(drawn: Vec<String>, more: Option<Setups>) -> Openings {
        Openings { state: Mutex::new(Supply { drawn, more }) }
    }

    /// Whether the game has no setup of this kind at all.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw one.
    pub fn is_empty(&self) -> Result<bool, RulesError> {
        let mut supply = self.state.lock().expect("no holder panics");
        supply.reach(0)?;
        Ok(supply.drawn.is_empty())
    }

    /// Returns the setup of a round.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw it, or there is no setup at all.
    pub fn setup(&self, round: u64) -> Result<String, RulesError> {
        let mut supply = self.state.lock().expect("no holder panics");
        let wanted = usize::try_from(round).expect("fewer rounds than addresses");
        supply.reach(wanted)?;
        match supply.drawn.len() {
            0 => Err(RulesError("there is no setup".into())),
            distinct => Ok(supply.drawn[wanted % distinct].clone()),
        }
    }

    /// Returns the number of distinct setups if `rounds` rounds need more.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw them.
    pub fn fewer_than(&self, rounds: u64) -> Result<Option<usize>, RulesError> {
        let mut supply = self.state.lock().expect("no holder panics");
        let rounds = usize::try_from(rounds).expect("fewer rounds than addresses");
        supply.reach(rounds.saturating_sub(1))?;
        Ok((supply.drawn.len() < rounds).then_some(supply.drawn.len()))
    }
}

/// The setups for so many seats that a file lists, one per line; blank lines and what follows a `#` do not count.
///
/// # Errors
/// If a line is no setup, or there is none; the message names the line.
pub fn read_setups(
    game: &dyn DynGame,
    seats: usize,
    text: &str,
) -> Result<Vec<String>, ParseError> {
    let mut setups = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let setup = game.check_setup(seats, line);
            setups.push(setup.map_err(|why| ParseError::new(format!("line {}: {why}", i + 1)))?);
        }
    }
    if setups.is_empty() {
        return Err(ParseError::new("it holds no opening"));
    }
    Ok(setups)
}
