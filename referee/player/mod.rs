//! The seam between the referee and whoever plays: a process, a person, an engine in this process, a
//! script. Time passes here and nowhere else, so that a script can fake it.

pub mod fault;
pub mod human;
pub mod in_process;
pub mod process;
pub mod process_group;
pub mod program;
mod running;
pub mod script;
mod stderr;
pub mod stopwatch;

use crate::player::fault::Fault;
use crate::player::stopwatch::Limit;
use std::time::Duration;

/// Is a player new to this game, or has it played before?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seating {
    /// It was started for this game.
    Fresh,
    /// It was kept from the last game.
    Kept,
}

/// How a player leaves the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shutdown {
    /// It stays for another game.
    Stay,
    /// It may finish in its own time, within reason.
    Finish,
    /// It is ended at once.
    AtOnce,
}

/// An answer in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<'a> {
    /// One line, its end removed.
    pub line: &'a str,
    /// The time that counts, as the player's clock measures it.
    pub spent: Duration,
}

/// Recognises the answer of a player that was kept, which may still print lines of its last game.
/// Absent, the first line is the answer.
pub type Wanted<'a> = Option<&'a mut dyn FnMut(&str) -> bool>;

/// A player at the table.
pub trait Player: Send {
    /// Sits down to a game. `arguments` are appended to its command if it must be started.
    ///
    /// # Errors
    /// If it cannot be started.
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault>;

    /// Asks for one line. The time runs from the moment when all of `prompt` has been handed over.
    ///
    /// # Errors
    /// Returns the fault of a player that does anything else than answer.
    fn ask(&mut self, prompt: &str, limit: &Limit, wanted: Wanted) -> Result<Answer<'_>, Fault>;

    /// Says something that needs no answer. It may be lost on a player that does not listen.
    fn tell(&mut self, text: &str);

    /// Leaves the table.
    fn leave(&mut self, how: Shutdown);

    /// What it wrote to standard error since it was last asked for this: the end of it, where it
    /// was long.
    fn take_stderr(&mut self) -> String {
        String::new()
    }

    /// A person is asked again after a slip; a program is not.
    fn is_asked_again(&self) -> bool {
        false
    }
}
