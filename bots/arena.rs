//! The program of one strategy for one arena, which `scripts/bundle` joins into a single file.

use crate::console::{serve, ArenaDialect, OwnLimits, Session};
use crate::engine::Engine;
use arbitre_games::clock::Clock;
use arbitre_games::diagnostics;
use arbitre_games::dialect::{ArenaDefaults, Notation};
use arbitre_games::exit_code::USAGE;
use arbitre_games::game::ParseError;
use arbitre_games::text::report;
use std::io;
use std::process::ExitCode;

/// Plays `game` on standard input and output, in the only dialect of the program and with the clock
/// of its arena. The option `--nodes N` replaces the clock, so that every move is the same on any
/// machine.
pub fn play<G: Notation>(
    engine: impl Engine<G> + 'static,
    game: G,
    (name, open, clock): ArenaDialect<G>,
) -> ExitCode {
    let clock = match node_limit(std::env::args().nth(1), std::env::args().nth(2)) {
        Ok(None) => Clock::parse(clock),
        Ok(nodes) => Ok(Clock { nodes, ..Clock::default() }),
        Err(error) => Err(error),
    };
    let played = clock.and_then(|clock| {
        let end = open(ArenaDefaults { game, clock, seed: 0 });
        let mut session = Session::with_end(name, engine, OwnLimits::default(), end);
        serve(&mut session, io::stdin().lock(), io::stdout().lock())
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            diagnostics::print(report(&error.to_string()));
            ExitCode::from(USAGE)
        }
    }
}

/// Parses the only option and its value.
fn node_limit(option: Option<String>, value: Option<String>) -> Result<Option<u64>, ParseError> {
    let Some(option) = option else { return Ok(None) };
    let nodes = value.and_then(|text| text.parse().ok()).filter(|&nodes| nodes > 0);
    match nodes.filter(|_| option == "--nodes") {
        None => Err(ParseError::new(format!("expected --nodes N or no option, got '{option}'"))),
        nodes => Ok(nodes),
    }
}
