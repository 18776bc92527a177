//! Handling of Ctrl-C in commands that run games.

use arbitre_games::diagnostics;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::failure::Failure;
use arbitre_referee::report::progress::Progress;
use arbitre_referee::run::interrupt::{Listener, Stop};

/// Listens for signals in a command without a progress bar. `running` names what the first signal
/// lets finish.
pub fn listen(
    stop: &Stop,
    processes: &ProcessGroups,
    running: &'static str,
) -> Result<Listener, Failure> {
    let finishing = move || {
        diagnostics::print(format_args!("finishing {running}; once more to stop at once\n"));
    };
    Listener::start(stop.clone(), processes.clone(), finishing, || {})
}

/// Listens for signals in a command with a progress bar. `last` is printed if a second signal stops
/// the command.
pub fn listen_beside(
    progress: &Progress,
    stop: &Stop,
    processes: &ProcessGroups,
    last: String,
) -> Result<Listener, Failure> {
    let (first, second) = (progress.clone(), progress.clone());
    let finishing = move || first.say("finishing the games that run; once more to stop at once");
    let stopped = move || second.end_with(&last);
    Listener::start(stop.clone(), processes.clone(), finishing, stopped)
}
