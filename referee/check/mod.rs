//! `referee check`: plays test games against a bot and reports each mistake with a fix.
//!
//! The games are ordinary games. A `recorder` between the program and the table logs the dialogue
//! and looks for answers that do not come. A mistake is reported once, by the most helpful check;
//! checks that it makes unreliable are skipped.

mod diagnosis;
mod findings;
mod language;
mod patterns;
mod recorder;
mod report;
mod trial;
mod verdicts;

pub use findings::{Check, CheckVerdict, Checked, NotStarted, Report};
pub use report::{document, junit, text};
pub use trial::Trial;

use diagnosis::diagnose;
use language::Language;
use trial::TrialGames;

/// Tests a program.
///
/// # Errors
/// Returns an error with the reason if the program cannot be started at all.
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
            // Without keywords there are no unknown messages to ignore.
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
        dialect: trial.dialect,
        seed: trial.seed,
        games,
        findings,
    })
}

impl TrialGames {
    /// Returns the reason why the program could not be started, if so.
    fn never_started(&self) -> Option<String> {
        let first = self.cases.first()?;
        let fault = &first.fault_report()?.fault;
        first.requests.is_empty().then(|| fault.to_string())
    }
}
