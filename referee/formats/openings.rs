//! Setups from which the rounds start: drawn without repetition, or the lines of a file.

use crate::registry::table::RulesError;
use crate::registry::{DynGame, Setups};
use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use std::sync::{Mutex, MutexGuard};

/// Setups by round. When they run out they are used again from the first.
pub struct Openings {
    state: Mutex<Supply>,
    /// Largest number of setups that are drawn.
    most: usize,
    /// Whether the setups are a list.
    is_listed: bool,
}

struct Supply {
    drawn: Vec<String>,
    more: Option<Setups>,
}

impl Openings {
    /// Creates setups drawn by the game for `seats` seats. In games with openings, each is `plies`
    /// long.
    pub fn drawn(game: &dyn DynGame, seats: usize, plies: usize, rng: Rng) -> Openings {
        Openings::new(Vec::new(), Some(game.setups(seats, plies, rng)))
    }

    /// Creates a fixed list of setups, each in the game's notation.
    pub fn listed(setups: Vec<String>) -> Openings {
        Openings::new(setups, None)
    }

    fn new(drawn: Vec<String>, more: Option<Setups>) -> Openings {
        let is_listed = more.is_none();
        Openings { state: Mutex::new(Supply { drawn, more }), most: usize::MAX, is_listed }
    }

    /// Draws at most `most` setups, so that the memory of many rounds is bounded.
    pub fn at_most(self, most: usize) -> Openings {
        Openings { most, ..self }
    }

    /// Draws until the setup at `index` exists, or there are no more.
    fn reached(&self, index: usize) -> Result<MutexGuard<'_, Supply>, RulesError> {
        let mut supply = self.state.lock().expect("no thread panics while it holds the lock");
        while supply.drawn.len() <= index {
            match supply.more.as_mut().and_then(Iterator::next) {
                Some(setup) => supply.drawn.push(setup?),
                None => {
                    // Some games would search for another one again.
                    supply.more = None;
                    break;
                }
            }
        }
        Ok(supply)
    }

    /// Returns all setups of a list, or the first ones that are drawn, at most `most` of them.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw them.
    pub fn first(&self, most: usize) -> Result<Vec<String>, RulesError> {
        let most = if self.is_listed { usize::MAX } else { most };
        let supply = self.reached(most.saturating_sub(1))?;
        Ok(supply.drawn.iter().take(most).cloned().collect())
    }

    /// Returns `true` if the game has no setup of this kind at all.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw one.
    pub fn is_empty(&self) -> Result<bool, RulesError> {
        Ok(self.reached(0)?.drawn.is_empty())
    }

    /// Returns the setup of a round.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw it, or there is no setup at all.
    pub fn setup(&self, round: u64) -> Result<String, RulesError> {
        let wanted = usize::try_from(round).expect("a round fits into usize") % self.most;
        let supply = self.reached(wanted)?;
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
        let rounds = usize::try_from(rounds).expect("the rounds fit into usize");
        let supply = self.reached(rounds.saturating_sub(1))?;
        Ok((supply.drawn.len() < rounds).then_some(supply.drawn.len()))
    }
}

/// Reads the setups for `seats` seats that a file lists, one per line. Blank lines and text after a
/// `#` are ignored.
///
/// # Errors
/// Returns an error if a line is not a setup, or if there is none. The message names the line.
pub fn read_setups(
    game: &dyn DynGame,
    seats: usize,
    text: &str,
) -> Result<Vec<String>, ParseError> {
    let mut setups = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let in_line = |why| ParseError::new(format!("line {}: {why}", i + 1));
            for setup in game.expand_setup(line).map_err(in_line)? {
                setups.push(game.check_setup(seats, &setup).map_err(in_line)?);
            }
        }
    }
    if setups.is_empty() {
        return Err(ParseError::new("expected one opening, board or problem per line, got none"));
    }
    Ok(setups)
}
