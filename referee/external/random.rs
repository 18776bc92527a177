//! A bot for games that have none: it plays random moves of the legal ones that a turn lists.

use arbitre_games::console::{BundledBot, Console};
use arbitre_games::dialects::arbitre::Message;
use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use std::process::ExitCode;

/// Player of random moves, in the dialect `arbitre`.
pub struct RandomBot;

/// Conversation of a player of random moves.
struct RandomConsole {
    rng: Rng,
    legal: Vec<String>,
}

impl BundledBot for RandomBot {
    fn name(&self) -> &'static str {
        "random"
    }

    fn signature(&self) -> u64 {
        0
    }

    fn strategies(&self) -> &'static [(&'static str, &'static str)] {
        &[("random", "play any legal move")]
    }

    fn console(&self, _arguments: &[String]) -> Result<Box<dyn Console>, ParseError> {
        Ok(Box::new(RandomConsole { rng: Rng::new(0), legal: Vec::new() }))
    }

    fn run(&self, _arguments: &[String]) -> ExitCode {
        unreachable!("it plays in the process of the referee")
    }
}

impl Console for RandomConsole {
    fn start(&mut self, _out: &mut String) {}

    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError> {
        match Message::parse(line)? {
            Message::Seed(seed) => self.rng = Rng::new(seed),
            Message::Begin => *out += "ready random again\n",
            Message::Legal(moves) => {
                self.legal = moves.split_ascii_whitespace().map(str::to_owned).collect();
            }
            Message::Go(_) => {
                let choice = self.legal.len().checked_sub(1).map(|last| self.rng.below(last + 1));
                *out += choice.map_or("?", |choice| &self.legal[choice]);
                out.push('\n');
            }
            _ => {}
        }
        Ok(())
    }
}
