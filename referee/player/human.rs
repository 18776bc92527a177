//! A person at the terminal. The board is drawn, and after a mistake the referee asks again.

use super::Player;
use crate::escape::visible;
use crate::player::fault::Fault;
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Instant;

/// Person who reads standard error and writes on standard input. Standard output stays free for the
/// result.
#[derive(Default)]
pub struct Person {
    line: String,
}

impl Player for Person {
    fn ask(
        &mut self,
        prompt: &str,
        _: &Limit,
        _: Wanted,
        _: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        self.tell(prompt);
        let asked = Instant::now();
        self.line.clear();
        match io::stdin().lock().read_line(&mut self.line) {
            Ok(0) | Err(_) => {
                self.tell("\n");
                Err(Fault::Disconnect)
            }
            Ok(_) => Ok(Answer::of_wall(self.line.trim(), asked.elapsed())),
        }
    }

    fn tell(&mut self, text: &str) {
        let mut terminal = io::stderr().lock();
        // Rules in another process and opponents have a part in it. If the terminal is gone,
        // standard input ends too.
        let _ = terminal.write_all(visible(text).as_bytes()).and_then(|()| terminal.flush());
    }

    fn is_asked_again(&self) -> bool {
        true
    }
}

/// Returns `true` if `terminal` shows colours. NO_COLOR turns them off (see no-color.org).
pub fn shows_colours(terminal: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    terminal.is_terminal() && !refused && !dumb
}
