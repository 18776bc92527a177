//! Players as the referee sees them: a process, a person, a bot in this process, or a script. Time
//! passes in players only, so that a script can fake it.

pub mod attempts;
pub mod digest;
pub mod fault;
mod file_kind;
pub mod human;
pub mod in_process;
pub mod last_words;
mod process;
pub mod program;
pub mod refusal;
pub mod script;

use crate::player::fault::Fault;
use crate::player::refusal::in_words;
use arbitre_process::attempts::Attempts;
use arbitre_process::process::{Answer, Process, Uncharged, Wanted};
use arbitre_process::quota;
use arbitre_process::stopwatch::Limit;

/// Start state of a player that sits down to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seating {
    /// Started for this game.
    Fresh,
    /// Kept from the last game.
    Kept,
}

/// Way in which a player leaves the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shutdown {
    /// The player stays for another game.
    Stay,
    /// The player may end by itself within a short time.
    Finish,
    /// The player is ended at once.
    AtOnce,
}

/// Player at the table.
pub trait Player: Send {
    /// Sits down to a game. `arguments` are appended to the player's command if it must be started.
    ///
    /// # Errors
    /// Returns the fault of a player that cannot be started.
    fn sit(&mut self, _arguments: &[String]) -> Result<Seating, Fault> {
        Ok(Seating::Fresh)
    }

    /// Asks for one answer: a line, unless `limit` takes all output. The time runs from the moment
    /// when all of `prompt` has been handed over. `on_thinking` is called once it has taken
    /// [`THINKING`](arbitre_process::stopwatch::THINKING), unless the player is a person or a bot
    /// in this process.
    ///
    /// # Errors
    /// Returns the fault of a player that does anything else than answer.
    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault>;

    /// Sends text that needs no answer. A player that does not read may lose it.
    fn tell(&mut self, text: &str);

    /// Leaves the table. A program that does not stay is killed, and not waited for.
    fn leave(&mut self, how: Shutdown) {
        match (how, self.process_mut()) {
            (Shutdown::Stay, _) | (_, None) => {}
            (Shutdown::Finish, Some(process)) => process.finish(),
            (Shutdown::AtOnce, Some(process)) => process.kill(),
        }
    }

    /// Returns the process of a player that is a program. The methods below ask it; other players
    /// have no use for them.
    fn process(&self) -> Option<&Process> {
        None
    }

    /// Returns the process of a player that is a program.
    fn process_mut(&mut self) -> Option<&mut Process> {
        None
    }

    /// Waits for a short time until nothing is left of a program that was killed. All programs of a
    /// game are killed before the first wait, because one of them may keep another from ending.
    fn settle(&mut self) {
        self.process_mut().into_iter().for_each(Process::settle);
    }

    /// Takes note that an opponent thinks. Unless it may think too, the player is stopped until it
    /// is sent something.
    fn rest(&mut self, may_think: bool) {
        self.process_mut().into_iter().for_each(|process| process.rest(may_think));
    }

    /// Takes note that the player has reported that it is ready.
    fn note_ready(&mut self) {
        self.process_mut().into_iter().for_each(Process::end_start);
    }

    /// Returns `true` if something is left of a quota that the player may need, and that other
    /// programs of the user share.
    fn has_quota(&self) -> bool {
        self.process().is_none() || quota::has_room()
    }

    /// Stops the player until it is sent something, also one that may think.
    fn freeze(&mut self) {
        self.process_mut().into_iter().for_each(Process::freeze);
    }

    /// Returns `true` if the player was seen to hold more of that quota than a program needs.
    fn holds_quota(&self) -> bool {
        self.process().is_some_and(Process::holds_quota)
    }

    /// Returns `true` if the player was seen to run on processors that it was not given.
    fn has_left_processors(&self) -> bool {
        self.process().is_some_and(Process::has_left_processors)
    }

    /// Returns the attempts since the last call to reach beyond the player's sandbox.
    fn take_attempts(&mut self) -> Attempts {
        self.process_mut().map(Process::take_attempts).unwrap_or_default()
    }

    /// Returns the CPU time since the last call that no move is charged.
    fn take_uncharged(&mut self) -> Uncharged {
        self.process_mut().map(Process::take_uncharged).unwrap_or_default()
    }

    /// Returns the standard error written since the last call. Of a long text the beginning and the
    /// end are kept.
    fn take_stderr(&mut self) -> String {
        self.process_mut().map(Process::take_stderr).unwrap_or_default()
    }

    /// Returns the standard error that [`Player::take_stderr`] will return, as far as it has come.
    fn stderr(&self) -> String {
        self.process().map(Process::stderr).unwrap_or_default()
    }

    /// Returns the access that the player's sandbox refused, as its standard error names it, with
    /// the option that allows it.
    fn refused(&self, stderr: &str) -> Option<String> {
        self.process()?.refusal(stderr).map(|refusal| in_words(&refusal))
    }

    /// Returns the place for the legal moves of the next turn, of a player that chooses among them.
    fn choices(&mut self) -> Option<&mut Vec<String>> {
        None
    }

    /// Returns `true` if the player is asked again after a mistake: a person is, a program is not.
    fn is_asked_again(&self) -> bool {
        false
    }
}
