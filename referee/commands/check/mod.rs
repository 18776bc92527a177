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

pub use findings::{Check, CheckVerdict, Checked, Report};
pub use report::{document, junit, text};
pub use trial::Trial;

use arbitre_referee::play::FaultReport;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::registry::table::RulesError;
use diagnosis::diagnose;
use language::Language;
use trial::{Case, TrialGames};

/// Reason why a program was not tested.
#[derive(Clone, Debug)]
pub enum Untested {
    /// The program cannot be started at all, or the machine lacks the resources.
    Fault(Fault),
    /// The rules failed, time and again.
    Rules(RulesError),
}

/// Tests a program.
///
/// # Errors
/// Returns the reason if nothing can be said of the program.
pub fn run(trial: &Trial, words: &[String]) -> Result<Report, Untested> {
    let language = Language::of(words);
    let fresh = trial.fresh();
    if let Some(fault) = fresh.never_started() {
        return Err(Untested::Fault(fault.clone()));
    }
    refuse_failures(&fresh.cases)?;
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
            refuse_failures(strange.iter().chain(&kept.cases))?;
            games += kept.cases.len() + usize::from(strange.is_some());
            match kept.first_fault() {
                // A slow answer comes by chance, and not from the games before it.
                Some((case, fault_report))
                    if !case.requests.is_empty() && is_late(&fresh, &kept, fault_report) =>
                {
                    let (check, lines) = diagnose(trial, &kept.cases, case, fault_report, language);
                    verdicts::after_a_mistake(trial, &fresh, check, lines)
                }
                _ => verdicts::of_games_without_fault(trial, &fresh, strange.as_ref(), &kept),
            }
        }
    };
    let (rules, dialect, seed) = (trial.game.rules(), trial.dialect, trial.seed);
    Ok(Report { rules, dialect, seed, games, findings })
}

/// Returns an error for a game whose rules failed, or for which the machine lacked resources.
fn refuse_failures<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Result<(), Untested> {
    for case in cases {
        if let Some(error) = &case.record.played.rules_error {
            return Err(Untested::Rules(error.clone()));
        }
        let fault = case.fault_report().map(|report| &report.fault);
        if let Some(fault) = fault.filter(|fault| fault.is_lack_of_resources()) {
            return Err(Untested::Fault(fault.clone()));
        }
    }
    Ok(())
}

/// Returns `true` if an answer in a row of games was too slow, and nothing shows that an earlier
/// game is the cause: each had a process of its own, or single games took almost as long.
fn is_late(fresh: &TrialGames, kept: &TrialGames, late: &FaultReport) -> bool {
    match &late.fault {
        Fault::Unjudged { .. } => true,
        Fault::Timeout { limit, .. } => !kept.is_kept() || 2 * fresh.longest_answer() > *limit,
        _ => false,
    }
}

impl TrialGames {
    /// Returns the reason why the program could not be started, if so.
    fn never_started(&self) -> Option<&Fault> {
        let first = self.cases.first()?;
        let fault = &first.fault_report()?.fault;
        first.requests.is_empty().then_some(fault)
    }
}
