//! A program is played through what goes wrong, and its author is told what to mend.
//!
//! Its games are games like any other; a `recorder` between the program and the table writes down
//! what is said and looks for answers that do not come. A mistake is named once, by the check that
//! helps most, and what cannot be judged because of it is passed over.

mod diagnosis;
mod findings;
mod language;
mod patterns;
mod recorder;
mod report;
mod trial;
mod verdicts;

pub use findings::{Check, CheckVerdict, Report};
pub use report::{document, junit, text};
pub use trial::Trial;

use diagnosis::diagnose;
use language::Language;
use trial::TrialGames;

/// Tries a program.
///
/// # Errors
/// If it cannot be started at all; the message says why.
pub fn run(trial: &Trial, words: &[String]) -> Result<Report, String> {
    let language = Language::of(words);
    let fresh = trial.fresh();
    if let Some(why) = fresh.never_started() {
        return Err(why);
    }
    let mut games = fresh.cases.len();
    let findings = match fresh.first_fault() {
        Some((case, fault_report)) => {
            let (check, lines) = diagnose(trial, &fresh.cases, case, fault_report, language);
            verdicts::after_a_mistake(trial, &fresh, check, lines)
        }
        None => {
            let (strange, kept) =
                (trial.dialect.has_keywords.then(|| trial.strange()), trial.kept());
            games += kept.cases.len() + usize::from(strange.is_some());
            verdicts::of_games_without_fault(trial, &fresh, strange.as_ref(), &kept)
        }
    };
    let (player, game) = (trial.config, trial.game);
    Ok(Report {
        game: game.meta().name,
        rules: game.rules(),
        player: player.name.clone(),
        command: player.command.clone(),
        dialect: player.dialect.clone(),
        seed: trial.seed,
        games,
        findings,
    })
}

impl TrialGames {
    /// Why the program could not be executed, if it could not.
    fn never_started(&self) -> Option<String> {
        let first = self.cases.first()?;
        let fault = &first.fault_report()?.fault;
        first.requests.is_empty().then(|| fault.to_string())
    }
}
