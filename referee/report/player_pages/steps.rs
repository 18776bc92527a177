//! Steps that a player's author takes next, with commands that work where the program alone is.

use super::notes::PlayerNotes;
use crate::config::player_arg::CommandKind;
use crate::config::Contest;
use crate::escape::escape_whole;
use crate::player::attempts::in_words;
use crate::registry::Registry;
use crate::report::commands::OwnCommands;
use crate::report::counted;
use crate::report::summary::{PlayerSummary, Status, Summary};
use arbitre_games::text::join;
use serde::Serialize;
use std::cmp::Reverse;

/// Largest number of kinds of faults that a step is about. Not tuned.
const KINDS: usize = 2;

/// Step with its command.
#[derive(Serialize)]
pub struct Step {
    /// Sentences.
    pub text: String,
    /// Command, to be given in the folder of the program.
    pub command: Option<String>,
}

/// Returns the steps for the player `number`, the most urgent first.
pub fn steps(
    number: usize,
    notes: Option<&PlayerNotes>,
    summary: &Summary,
    contest: &Contest,
    hides_others: bool,
    registry: &Registry,
) -> Vec<Step> {
    let player = &summary.players[number];
    let commands = OwnCommands::new(&contest.players[number], contest, registry);
    let check = commands.as_ref().map(|of| escape_whole(&of.check()));
    let fix = fix(player, notes, summary);
    let mut steps = Vec::new();
    let has_fix = fix.is_some();
    if let Some(text) = fix {
        let text = match &check {
            Some(_) => format!("{text} Then test it:"),
            None => text,
        };
        steps.push(Step { text, command: check.clone() });
    }
    let Some(commands) = commands else {
        steps.push(Step {
            text: "The rules of this game are a program. With a copy of it, referee check and \
                   the option --external test yours."
                .into(),
            command: None,
        });
        return steps;
    };
    // A program that does not start plays no match.
    if player.not_started.is_some() {
        return steps;
    }
    let met = notes.filter(|_| !hides_others).and_then(|notes| nearest(notes, contest, registry));
    let opponent = match met {
        Some((bot, share)) => Some((
            bot.to_owned(),
            format!("against which it made {:.0} % of the points", 100.0 * share),
        )),
        None => of_its_strength(player, contest, registry)
            .map(|bot| (bot.to_owned(), "a bundled bot".into())),
    };
    let play = opponent.and_then(|(bot, why)| {
        Some((escape_whole(&commands.play(&bot)?), format!("{bot}, {why}")))
    });
    if let Some((command, whom)) = play {
        let first =
            if commands.needs_build() { "Build it in its folder, then play" } else { "Play" };
        steps.push(Step { text: format!("{first} against {whom}:"), command: Some(command) });
    }
    if !has_fix {
        steps.push(Step { text: "Test it after each change:".into(), command: check });
    }
    steps
}

/// Returns what has to be fixed first, as sentences; `None` if nothing is known.
fn fix(player: &PlayerSummary, notes: Option<&PlayerNotes>, summary: &Summary) -> Option<String> {
    if player.not_started.is_some() {
        let report = summary.not_started.get(&player.name);
        return Some(
            match report.is_some_and(|report| report.fault.is_lack_of_resources()) {
                true => {
                    "The machine lacked the resources to start it, which says nothing about it."
                }
                false => "Fix the error above first.",
            }
            .to_owned(),
        );
    }
    if matches!(player.status, Some(Status::Struck | Status::Withdrawn)) {
        return Some("It made no move in three games in a row.".into());
    }
    let mut kinds: Vec<(&str, u64)> = player.faults.iter().map(|(&kind, &of)| (kind, of)).collect();
    kinds.sort_by_key(|&(_, count)| Reverse(count));
    let has_fault = notes.is_some_and(|notes| notes.fault_count > 0);
    let texts = kinds.iter().take(KINDS).map(|&(kind, count)| {
        let (what, advice) = advice(kind);
        format!("It {what} in {}: {advice}.", counted(count, "game"))
    });
    let texts: Vec<String> = texts.filter(|_| has_fault).chain(attempts(player)).collect();
    (!texts.is_empty()).then(|| join(texts, " "))
}

/// Returns what to do about attempts to reach beyond the sandbox.
fn attempts(player: &PlayerSummary) -> Option<String> {
    let attempts = &player.attempts;
    (!attempts.is_empty()).then(|| {
        format!(
            "It tried to reach beyond its sandbox ({}), which was refused: remove that.",
            in_words(attempts)
        )
    })
}

/// Returns what a player with a fault did, and how to fix it.
fn advice(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "crash" => ("ended too early", "its standard error below names the error"),
        "disconnect" => ("closed its output", "keep standard output open until the input ends"),
        "timeout" => (
            "answered too late",
            "flush each answer, prepare before the game begins, and end the search after 80 % of \
             the time",
        ),
        "illegal" => (
            "chose an illegal move",
            "compare the position and the legal moves below with those that it computes",
        ),
        "invalid" => (
            "printed something other than a move",
            "answer each go with one move, spelled as the legal moves below, and print notes on \
             standard error",
        ),
        "output-limit" => ("printed too long a line", "print nothing but the move"),
        "memory-limit" => ("used too much memory", "store fewer positions"),
        _ => ("failed to start", "print a line when it is ready"),
    }
}

/// Returns the command of the bundled bot that it met and is nearest to, and its share of the
/// points against it.
fn nearest<'a>(
    notes: &PlayerNotes,
    contest: &'a Contest,
    registry: &Registry,
) -> Option<(&'a str, f64)> {
    let is_bot = |opponent: usize| {
        matches!(contest.players[opponent].kind(registry), Ok(CommandKind::Bundled(..)))
    };
    let bots = notes.against.iter().filter(|(&opponent, _)| is_bot(opponent));
    let bots = bots.map(|(&opponent, of)| (&*contest.players[opponent].command, of.share()));
    bots.min_by(|(_, one), (_, other)| (one - 0.5).abs().total_cmp(&(other - 0.5).abs()))
}

/// Returns the command of a bundled bot, the stronger the more points the player has.
fn of_its_strength(
    player: &PlayerSummary,
    contest: &Contest,
    registry: &Registry,
) -> Option<&'static str> {
    let bots = registry.game(&contest.game).ok()?.opponents;
    let share = player.percent.unwrap_or(0.0) / 100.0;
    let at = (share * bots.len() as f64) as usize;
    bots.get(at.min(bots.len().checked_sub(1)?)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::fault::Fault;
    use std::collections::BTreeSet;

    #[test]
    fn each_fault_has_advice() {
        let advice: BTreeSet<&str> = Fault::WORDS.iter().map(|word| advice(word).1).collect();
        assert_eq!(advice.len(), Fault::WORDS.len());
    }
}
