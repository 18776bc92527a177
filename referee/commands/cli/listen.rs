//! Handling of Ctrl-C in commands that run games.

use arbitre_games::diagnostics;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::pairing::Pairing;
use arbitre_referee::play::record::Record;
use arbitre_referee::report::progress::Progress;
use arbitre_referee::run::interrupt::{Listener, Stop};
use arbitre_referee::run::plan::Plan;

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

/// Plays one game of a plan. `is_pinned` says whether its players stay on processors of their own.
pub fn play_one(plan: &Plan, is_pinned: bool, pairing: Pairing) -> Result<Record, Failure> {
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let _listener = listen(&stop, &processes, "the game")?;
    Ok(plan.workers(is_pinned, &processes, &stop).play_one(pairing))
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
