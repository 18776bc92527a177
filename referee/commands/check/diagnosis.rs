//! Diagnosis of a fault: the check that it belongs to, and advice for the bot's author.

use super::findings::Check;
use super::language::Language;
use super::patterns::{suspect, Suspicion};
use super::recorder::{FaultContext, RequestLog, Usage};
use super::trial::{is_refusal, Case, Trial};
use arbitre_games::game::Misreading;
use arbitre_games::text::{alternatives, format_duration};
use arbitre_referee::escape::escape;
use arbitre_referee::play::{may_be_of_an_arena, FaultReport};
use arbitre_referee::player::fault::Fault;
use arbitre_referee::player::last_words::last_words;
use std::time::Duration;

/// Returns the check that a fault belongs to, with a description. `cases` are all games of this
/// kind.
pub fn diagnose(
    trial: &Trial,
    cases: &[Case],
    case: &Case,
    fault_report: &FaultReport,
    language: Language,
) -> (Check, Vec<String>) {
    // Without a request the program failed before it was asked anything.
    let Some(request) = case.requests.last() else {
        return (Check::Start, vec![format!("it {}", fault_report.fault)]);
    };
    let asked = Asked::of(trial, case);
    let (check, mut lines) = match &request.said {
        Ok((answer, _)) if asked == Asked::Ready => not_ready(trial, answer, request, language),
        Ok((answer, _)) => refused(trial, cases, fault_report, answer, request, language),
        Err(fault) => failed(trial, fault, &fault_report.stderr, asked, request, language),
    };
    if check != Check::Start {
        lines.insert(
            1,
            format!(
                "in game {}, seat {}, after {} moves",
                case.record.pairing.index_in_group(),
                case.seat,
                fault_report.ply
            ),
        );
    }
    lines.extend(last_words(&fault_report.stderr));
    lines.extend(fault_report.refused.as_ref().map(|refused| escape(refused)));
    (check, lines)
}

/// Kind of answer that was expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Ready,
    FirstMove,
    LaterMove,
}

impl Asked {
    fn of(trial: &Trial, case: &Case) -> Asked {
        match case.turns().len() {
            _ if trial.dialect.has_keywords && case.ready().is_none() => Asked::Ready,
            0 | 1 => Asked::FirstMove,
            _ => Asked::LaterMove,
        }
    }

    fn what(self) -> &'static str {
        match self {
            Asked::Ready => "its 'ready'",
            Asked::FirstMove => "its first move",
            Asked::LaterMove => "its move",
        }
    }
}

/// Diagnoses an answer other than `ready NAME`.
fn not_ready(
    trial: &Trial,
    answer: &str,
    request: &RequestLog,
    language: Language,
) -> (Check, Vec<String>) {
    let said = format!("to 'begin' it said '{}', not 'ready NAME'", escape(answer));
    match followed(request).iter().any(|line| line.starts_with("ready")) {
        true => (Check::Output, vec![said, elsewhere(language)]),
        false => {
            let mend =
                "answer the line 'begin' with one line: ready, a blank, and a name of one word";
            let lines = [said, mend.into()].into_iter().chain(arena_hint(trial));
            (Check::Start, lines.collect())
        }
    }
}

/// Returns the hint that a bot may speak the dialect of an arena, if one has the game.
fn arena_hint(trial: &Trial) -> Option<String> {
    let names: Vec<&str> = trial.arena_dialects.iter().map(|info| info.name).collect();
    let named = alternatives(&names);
    (!names.is_empty()).then(|| format!("if it was written for an arena, add --dialect {named}"))
}

fn followed(request: &RequestLog) -> &[String] {
    match &request.context {
        FaultContext::Followed(lines) => lines,
        _ => &[],
    }
}

/// Returns advice on output that is no answer.
fn elsewhere(language: Language) -> String {
    let (name, stderr) = (language.name, language.stderr);
    format!(
        "print nothing but answers on standard output; boards and notes go to standard error \
         (in {name}: {stderr}) or behind a # after the move"
    )
}

/// Diagnoses a request that got no answer, or output that is none.
fn failed(
    trial: &Trial,
    fault: &Fault,
    stderr: &str,
    asked: Asked,
    request: &RequestLog,
    language: Language,
) -> (Check, Vec<String>) {
    match fault {
        Fault::Timeout { limit, .. } => late(trial, *limit, asked, request, language),
        // No player of a check runs on another machine.
        Fault::Unjudged { .. } | Fault::Absent { .. } => {
            let check = match asked {
                Asked::Ready => Check::Start,
                Asked::FirstMove => Check::FirstMove,
                Asked::LaterMove => Check::Time,
            };
            let busy = "the machine was too busy each time, which says nothing about the player: \
                        check it again when less runs here";
            (check, vec![format!("{}: it {fault}", asked.what()), busy.into()])
        }
        Fault::Unasked { answer, .. } => {
            let said = format!("before it was asked it said '{}'", escape(answer.trim_end()));
            (Check::Output, vec![said, elsewhere(language)])
        }
        Fault::OutputLimit { .. } | Fault::Invalid { .. } | Fault::Illegal { .. } => {
            (Check::Output, vec![format!("it {fault}"), elsewhere(language)])
        }
        Fault::Crash(_)
        | Fault::Disconnect
        | Fault::MemoryLimit { .. }
        | Fault::Pondered
        | Fault::QuotaUsedUp { .. }
        | Fault::NotStarted { .. } => {
            let question = request.prompt.lines().last().unwrap_or("the start");
            let what = format!("it {fault}, when it was told '{}'", escape(question));
            let by_hand = "run it by hand on what it was sent, or look at its standard error";
            let mend = fault.remedy().unwrap_or(by_hand);
            let lines = [what, mend.into()].into_iter();
            match asked {
                Asked::Ready => {
                    let hint = arena_hint(trial).filter(|_| may_be_of_an_arena(stderr));
                    (Check::Start, lines.chain(hint).collect())
                }
                _ => (Check::Crash, lines.collect()),
            }
        }
    }
}

/// Diagnoses a timeout from what the recorder found out afterwards.
fn late(
    trial: &Trial,
    limit: Duration,
    asked: Asked,
    request: &RequestLog,
    language: Language,
) -> (Check, Vec<String>) {
    let (what, time, limit) = (asked.what(), limit, format_duration(limit));
    let said = |text: &str| escape(text.trim_end());
    match &request.context {
        FaultContext::Buffered(text) => {
            let (name, flush) = (language.name, language.flush);
            let first = text.lines().next().unwrap_or_default();
            let waited = format!(
                "{what} did not come within {limit}, and came when its input was closed: '{}' had \
                 waited in a buffer",
                escape(first)
            );
            (Check::Flush, vec![waited, format!("flush after each answer; in {name}: {flush}")])
        }
        FaultContext::OneLineMore(text) => {
            let came = format!(
                "{what} did not come within {limit}, but as soon as another line was sent: '{}'",
                said(text)
            );
            let mend =
                "it reads one line too many before it answers: answer at the last line of a \
                        question, and read on only after that";
            (Check::Answers, vec![came, mend.into()])
        }
        FaultContext::Unended(text) => {
            let partial = format!("it said '{}' without ending the line", said(text));
            (Check::Answers, vec![partial, unended(text).into()])
        }
        FaultContext::Late(took) => too_slow(trial, asked, *took, &limit),
        FaultContext::Silence(used) => {
            let question = request.prompt.lines().last().unwrap_or("nothing");
            let silent = format!(
                "to '{}' it did not answer: not within {limit}, nor later, nor when another line \
                 came, nor when its input was closed",
                escape(question)
            );
            let check = if asked == Asked::Ready { Check::Start } else { Check::Answers };
            (check, vec![silent, silence(used.as_ref(), time)])
        }
        FaultContext::Nothing | FaultContext::Followed(_) => {
            (Check::Answers, vec![format!("{what} did not come within {limit}")])
        }
    }
}

/// Explains a silence by the program's use of a processor meanwhile. A busy machine is the cause
/// only if the program computed for less than `limit`.
fn silence(used: Option<&Usage>, limit: Duration) -> String {
    let Some(Usage { wall, cpu, wait }) = used else {
        return "it computes without end, or it does not answer this line".into();
    };
    let [wall, cpu, wait] = [*wall, *cpu, *wait];
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    if 2 * wait > wall && cpu < limit {
        let (wait, wall) = (seconds(wait), seconds(wall));
        format!(
            "the machine is busy: it waited for a processor for {wait} of {wall}, so the cause is \
             not known; check it again when less runs here"
        )
    } else if 2 * cpu > wall.saturating_sub(wait) {
        format!("it computed for {} meanwhile: end the search or the loop in time", seconds(cpu))
    } else if 20 * cpu > wall {
        format!("meanwhile it computed for {} of {}", seconds(cpu), seconds(wall))
    } else {
        "it computed nothing meanwhile: it waits for something else, such as a line that does not \
         come, or sleeps"
            .into()
    }
}

/// Returns advice on a line without its end: a prompt for a person, or an answer.
fn unended(text: &str) -> &'static str {
    match text.trim_end().ends_with(['?', ':', '>']) {
        true => "remove the prompt: no person reads it; in Python, call input() without a text",
        false => "end each answer with a newline",
    }
}

fn too_slow(trial: &Trial, asked: Asked, took: Duration, limit: &str) -> (Check, Vec<String>) {
    let took = format!("{} took {:.2} s, and may take {limit}", asked.what(), took.as_secs_f64());
    let has_words = trial.dialect.has_keywords;
    match asked {
        Asked::Ready => (Check::Start, vec![took, "prepare less before you are ready".into()]),
        Asked::FirstMove if !has_words => {
            let mend = "prepare less before the first move; --first-move-time allows more here";
            (Check::FirstMove, vec![took, mend.into()])
        }
        Asked::LaterMove if !has_words => {
            let mend = "look at the clock while you think, and stop early";
            (Check::Time, vec![took, mend.into()])
        }
        Asked::FirstMove => {
            let mend = "load and prepare before you say 'ready', for which there is more time; \
                        --first-move-time allows more here";
            (Check::FirstMove, vec![took, mend.into()])
        }
        Asked::LaterMove => {
            let mend = "the number after 'go' is the time in ms: look at the clock while you \
                        think, and stop early";
            (Check::Time, vec![took, mend.into()])
        }
    }
}

/// Diagnoses a refused answer: text that is no move, or an illegal move.
fn refused(
    trial: &Trial,
    cases: &[Case],
    fault_report: &FaultReport,
    answer: &str,
    request: &RequestLog,
    language: Language,
) -> (Check, Vec<String>) {
    let said = escape(answer);
    if matches!(fault_report.fault, Fault::Invalid { .. }) {
        let more = followed(request);
        let holds_a_move = |text: &str| {
            text.split_whitespace().any(|word| fault_report.legal.iter().any(|mv| mv == word))
        };
        // A lone number is a wrong move rather than debug output.
        let is_number = answer.trim().parse::<i64>().is_ok();
        if !is_number && (!more.is_empty() || holds_a_move(answer)) {
            let what = format!("asked for a move it sent '{said}'{}", and_more(more));
            return (Check::Output, vec![what, elsewhere(language)]);
        }
    }
    let (check, mend) = habit(trial, suspect(trial, cases));
    let mut lines = vec![format!("it {}", fault_report.fault)];
    lines.push(format!("position: {}", fault_report.position));
    if !fault_report.legal.is_empty() {
        lines.push(format!("legal moves: {}", fault_report.legal.join(" ")));
    }
    lines.extend(mend);
    if trial.dialect.has_keywords {
        lines.extend(only_where(cases));
    }
    (check, lines)
}

fn and_more(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        [line] => format!(", and then '{}'", escape(line)),
        [line, rest @ ..] => format!(", then '{}' and {} more lines", escape(line), rest.len()),
    }
}

/// Returns the check and the advice for a suspected pattern of refused moves.
fn habit(trial: &Trial, suspicion: Suspicion) -> (Check, Option<String>) {
    let has_words = trial.dialect.has_keywords;
    let (check, mend) = match suspicion {
        Suspicion::Shifted(-1) => (
            Check::Legal,
            "each of its answers is one too high: moves are counted from 0, not from 1",
        ),
        Suspicion::Shifted(_) => {
            (Check::Legal, "each of its answers is one too low: count one higher")
        }
        Suspicion::Deaf if has_words => (
            Check::Moved,
            "it answers the same whatever the others play: take in each line 'moved SEAT MOVE', or \
             the position from 'state', before you choose",
        ),
        Suspicion::Deaf => (
            Check::Moved,
            "it answers the same whatever the others play: read the position at each turn",
        ),
        Suspicion::Misreads(Misreading::Rule) if has_words => (
            Check::Legal,
            "it does not know this rule; the moves in the line 'legal' keep all rules",
        ),
        Suspicion::Misreads(Misreading::Rule) => (Check::Legal, "it does not know this rule"),
        Suspicion::RuleOrBoard if has_words => (
            Check::Legal,
            "it does not know this rule, or its board is wrong: compare it with 'state', or choose one \
             of the moves in the line 'legal'",
        ),
        Suspicion::RuleOrBoard => {
            (Check::Legal, "it does not know this rule, or its board is wrong")
        }
        Suspicion::Misreads(Misreading::Board(advice)) => (Check::Legal, advice),
        Suspicion::Unknown if has_words => (
            Check::Legal,
            "choose one of the moves in the line 'legal', or compare its board with 'state'",
        ),
        Suspicion::Unknown => return (Check::Legal, None),
    };
    (check, Some(mend.into()))
}

/// Describes where refused moves occur, if only in one seat or only in games that do not begin at
/// the initial position.
fn only_where(cases: &[Case]) -> Option<String> {
    let is_refused = |case: &&Case| case.fault_report().is_some_and(is_refusal);
    let (bad, good): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(is_refused);
    // With fewer games on either side the split may be chance.
    if bad.len() < 2 || good.len() < 2 {
        return None;
    }
    let seat = bad[0].seat;
    if bad.iter().all(|case| case.seat == seat) && good.iter().all(|case| case.seat != seat) {
        return Some(format!(
            "this happens in seat {seat} alone: the line 'seats' tells your seat"
        ));
    }
    let from_start = |case: &&Case| case.record.pairing.round == 0;
    let is_of_openings = good.iter().all(from_start) && !bad.iter().any(from_start);
    is_of_openings.then(|| "games from the start go well: others begin as 'setup' says".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time of a processor is the program's, waiting for one is the machine's.
    #[test]
    fn silence_is_explained_by_its_use_of_a_processor() {
        let said = |cpu, wait| {
            let [wall, cpu, wait] = [5, cpu, wait].map(Duration::from_secs);
            silence(Some(&Usage { wall, cpu, wait }), Duration::from_secs(2))
        };
        for (cpu, wait, part) in [
            (0, 0, "it computed nothing meanwhile"),
            (5, 0, "it computed for 5.0 s meanwhile"),
            (2, 2, "it computed for 2.0 s meanwhile"),
            (2, 3, "it computed for 2.0 s meanwhile"),
            (1, 4, "it waited for a processor for 4.0 s of 5.0 s"),
            (0, 5, "it waited for a processor for 5.0 s of 5.0 s"),
            (1, 2, "meanwhile it computed for 1.0 s of 5.0 s"),
            (1, 0, "meanwhile it computed for 1.0 s of 5.0 s"),
        ] {
            assert!(said(cpu, wait).contains(part), "{cpu} {wait}: {}", said(cpu, wait));
        }
        assert!(silence(None, Duration::ZERO).contains("or it does not answer"));
    }

    #[test]
    fn prompt_is_no_answer_without_its_end() {
        for prompt in ["Votre coup? ", "Votre coup ?", "move: ", "> ", "coup>"] {
            assert!(unended(prompt).starts_with("remove the prompt"), "{prompt}");
        }
        for answer in ["3", "3 ", "left", "3 # score 4"] {
            assert_eq!(unended(answer), "end each answer with a newline", "{answer}");
        }
    }
}
