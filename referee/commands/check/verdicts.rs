//! Verdicts of all checks, from all games together.

use super::findings::{Check, CheckVerdict};
use super::recorder::{Ending, TIME_TO_END};
use super::trial::{is_refusal, Case, Trial, TrialGames};
use arbitre_games::text::format_duration;
use arbitre_process::attempts::Attempts;
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::Level;
use arbitre_referee::escape::escape;
use arbitre_referee::player::attempts::in_words;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::player::last_words::last_words;
use arbitre_referee::run::PlayerSource;
use std::time::Duration;

type Findings = Vec<(Check, CheckVerdict)>;

/// Returns the verdicts after a mistake. Checks that the games before it support pass; the others
/// are skipped.
pub fn after_a_mistake(
    trial: &Trial,
    fresh: &TrialGames,
    mistake: Check,
    lines: Vec<String>,
) -> Findings {
    let is_ready = fresh.cases.iter().any(|case| case.ready().is_some());
    let has_answered = fresh
        .cases
        .iter()
        .any(|case| !case.record.played.plies.is_empty() && !case.answers().is_empty());
    // A fault other than a refused move may be an early exit.
    let stayed = fresh.cases.iter().filter_map(Case::fault_report).all(is_refusal);
    let verdict = |check: Check| match check {
        _ if check == mistake => CheckVerdict::Failed(lines.clone()),
        Check::Sandbox => sandbox(trial, fresh.cases.iter()),
        Check::Start if is_ready || has_answered => start(trial, fresh),
        Check::FirstMove | Check::Flush | Check::Answers | Check::Output
            if has_answered && check < mistake =>
        {
            seen_well(trial, fresh, check)
        }
        Check::Crash if has_answered && mistake > Check::Crash && stayed => {
            seen_well(trial, fresh, check)
        }
        _ => CheckVerdict::Skipped(format!("not before '{}' is fixed", mistake.name())),
    };
    Check::ALL.map(|(check, ..)| (check, verdict(check))).into()
}

/// Returns the verdicts if no game with a new process had a fault.
pub fn of_games_without_fault(
    trial: &Trial,
    fresh: &TrialGames,
    strange: Option<&Case>,
    kept: &TrialGames,
) -> Findings {
    let verdict = |check: Check| match check {
        Check::Start => start(trial, fresh),
        Check::Unknown => unknown(trial, strange),
        Check::Again => again(trial, kept),
        Check::End => end(trial, fresh),
        Check::Sandbox => sandbox(trial, fresh.cases.iter().chain(strange).chain(&kept.cases)),
        _ => seen_well(trial, fresh, check),
    };
    Check::ALL.map(|(check, ..)| (check, verdict(check))).into()
}

/// Judges what the program tried in these games beside playing them.
fn sandbox<'c>(trial: &Trial, cases: impl Iterator<Item = &'c Case>) -> CheckVerdict {
    let sandbox = match trial.source {
        PlayerSource::Program(program) => program.sandbox.as_ref(),
        _ => None,
    };
    let level = sandbox.map_or(Level::None, |of| of.layers.level);
    if level < Level::Partial {
        return CheckVerdict::Skipped(format!("a sandbox of level {level} does not tell"));
    }
    let mut attempts = Attempts::default();
    for case in cases {
        let of_game = case.record.played.notes.attempts.get(case.seat.index());
        of_game.into_iter().for_each(|more| attempts.add(more));
    }
    match attempts.is_empty() {
        true => CheckVerdict::Ok("no attempt to do so was seen".into()),
        false => CheckVerdict::Failed(vec![
            format!("it tried {}, which its sandbox refused", in_words(&attempts)),
            "a bot needs no network, no other programs and no files of others; remove what asks \
             for them, which may be a library"
                .into(),
        ]),
    }
}

fn start(trial: &Trial, fresh: &TrialGames) -> CheckVerdict {
    let readies = fresh.cases.iter().filter_map(|case| {
        let (_, spent) = case.requests.first()?.said.as_ref().ok()?;
        Some((case.ready()?, *spent))
    });
    match readies.max_by_key(|(_, spent)| *spent) {
        Some((line, spent)) => {
            let (line, allowed) = (escape(line), format_duration(trial.config.limits.init()));
            CheckVerdict::Ok(format!("'{line}' after {} at most, of {allowed}", millis(spent)))
        }
        None => CheckVerdict::Ok("its first move came".into()),
    }
}

fn seen_well(trial: &Trial, fresh: &TrialGames, check: Check) -> CheckVerdict {
    let cases = &fresh.cases;
    let moves: usize = cases.iter().map(|case| case.turns().len()).sum();
    let clock = &trial.config.limits.clock;
    CheckVerdict::Ok(match check {
        Check::FirstMove => times(cases, clock.first.or(clock.per_move).or(clock.game), 0..1),
        Check::Time => times(cases, clock.per_move.or(clock.game), 1..usize::MAX),
        Check::Flush => "every answer came when it was given".into(),
        Check::Answers => "one line for each question".into(),
        Check::Output => "nothing but answers".into(),
        Check::Crash => format!("it stayed for {} games", cases.len()),
        Check::Moved => "its moves fit what the others played".into(),
        _ => format!("{moves} moves in {} games, in every seat", cases.len()),
    })
}

/// Returns statistics on answer times, for the turns `which` of each game.
fn times(cases: &[Case], limit: Option<Duration>, which: std::ops::Range<usize>) -> String {
    let of = |case: &Case| -> Vec<Duration> {
        let spent = |(i, turn): (usize, &super::recorder::RequestLog)| {
            which.contains(&i).then(|| turn.said.as_ref().ok().map(|(_, spent)| *spent))?
        };
        case.turns().iter().enumerate().filter_map(spent).collect()
    };
    let mut times: Vec<Duration> = cases.iter().flat_map(of).collect();
    times.sort_unstable();
    let Some(&longest) = times.last() else { return "there was none".into() };
    let p99 = times[(times.len() * 99 / 100).min(times.len() - 1)];
    let allowed = limit.map_or("no limit".into(), |limit| format!("of {}", format_duration(limit)));
    format!("99 % within {}, the longest {}, {allowed}", millis(p99), millis(longest))
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn unknown(trial: &Trial, strange: Option<&Case>) -> CheckVerdict {
    let Some(strange) = strange else {
        return CheckVerdict::Skipped(format!("{} has no words", trial.config.dialect));
    };
    match strange.fault_report() {
        None => CheckVerdict::Ok("a line 'weather fine 17' does not disturb it".into()),
        Some(fault_report) => {
            let mut lines = vec![
                format!(
                    "where the line 'weather fine 17' came before a question, it {}",
                    fault_report.fault
                ),
                "read the first word of each line and ignore lines whose word you do not \
                 recognise: later versions of the protocol may add some"
                    .into(),
            ];
            lines.extend(last_words(&fault_report.stderr));
            CheckVerdict::Failed(lines)
        }
    }
}

fn again(trial: &Trial, kept: &TrialGames) -> CheckVerdict {
    let is_kept = kept.is_kept();
    let has_words = trial.dialect.has_keywords;
    let mut numbered = (1..).zip(&kept.cases);
    let Some((number, case, fault_report)) =
        numbered.find_map(|(number, case)| Some((number, case, case.fault_report()?)))
    else {
        return CheckVerdict::Ok(match is_kept {
            true => format!("{} games in one process", kept.cases.len()),
            false if !has_words => "it is started for each game".into(),
            false => "it is started for each game, as it does not say 'again'".into(),
        });
    };
    // Without the dialogue nothing shows whether a slow answer came by chance.
    let has_no_dialogue = case.requests.is_empty();
    let may_be_chance = has_no_dialogue && matches!(fault_report.fault, Fault::Timeout { .. });
    if fault_report.fault.is_unjudged() || may_be_chance {
        let why = format!("the machine was too busy in game {number} of a row");
        return CheckVerdict::Skipped(why);
    }
    let process = if is_kept { "one process" } else { "a row" };
    let mut lines = vec![format!(
        "in game {number} of {process} it {}, though single games go well",
        fault_report.fault
    )];
    lines.push(if is_kept {
        "a bot that says 'again' must reset everything at the line 'game': board, seat, seed; or \
         omit the word 'again'"
            .into()
    } else {
        "if it writes files, a game must not depend on those of an earlier one; else it fails by \
         chance"
            .into()
    });
    lines.extend(last_words(&fault_report.stderr));
    CheckVerdict::Failed(lines)
}

fn end(trial: &Trial, fresh: &TrialGames) -> CheckVerdict {
    let Some(Ending { exit, took }) = fresh.log.ending else {
        return CheckVerdict::Skipped("no game came to its end".into());
    };
    if trial.dialect.kills_at_end {
        return CheckVerdict::Ok(match exit {
            Some(exit) => format!("here with {exit}, when its input ended"),
            None => "here it was still running".into(),
        });
    }
    let mend = "when a read finds the end of the input, leave with exit code 0";
    let what = match exit {
        Some(Exit::Code(0)) => {
            return CheckVerdict::Ok(format!("{} after its input", millis(took)))
        }
        Some(exit) => format!("when its input ended after a game, it ended with {exit}"),
        None => format!(
            "it still ran {} after its input had ended, and was killed",
            format_duration(TIME_TO_END)
        ),
    };
    let mut lines = vec![what, mend.to_owned()];
    lines.extend(last_words(&fresh.log.last_words));
    CheckVerdict::Failed(lines)
}
