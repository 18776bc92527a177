//! Patterns in the refused moves of a program, which hint at the cause.

use super::trial::{is_refusal, Case, Trial};
use arbitre_games::game::Misreading;
use arbitre_referee::registry::table::Table;
use arbitre_referee::registry::{DynGame, Speech};

/// Minimum number of answers from which a pattern is inferred. Not tuned.
const ENOUGH: usize = 3;
/// Number of times that a game is repeated with other opponents. Not tuned.
const VARIATIONS: u64 = 3;

/// Pattern that explains refused moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspicion {
    /// Number that makes every answer legal when added: -1 for a program that counts from 1 where
    /// the game counts from 0.
    Shifted(i64),
    /// Answers do not depend on the moves of the other players.
    Deaf,
    /// Each refused move shows the same mistake.
    Misreads(Misreading),
    /// The only refused move breaks a rule. It may be legal on the program's own, wrong board.
    RuleOrBoard,
    /// The games do not show the cause.
    Unknown,
}

/// Returns the pattern behind these games, some of which ended with a refused move.
pub fn suspect(trial: &Trial, cases: &[Case]) -> Suspicion {
    let refused: Vec<&Case> =
        cases.iter().filter(|case| case.fault_report().is_some_and(is_refusal)).collect();
    // Tried first, as it needs no further games.
    let shifts = [-1, 1].into_iter().find(|&shift| is_shifted(trial.game, cases, shift));
    if let Some(shift) = shifts {
        return Suspicion::Shifted(shift);
    }
    let mut mistakes = refused.iter().map(|case| misreading(trial.game, case));
    let first = mistakes.next().flatten();
    let shared = first.filter(|first| mistakes.all(|other| other == Some(*first)));
    // Answers may be the same because nothing that the others play matters to them.
    let is_of_the_board = matches!(shared, Some(Misreading::Board(_)));
    if !is_of_the_board && refused.first().is_some_and(|case| is_deaf(trial, case)) {
        return Suspicion::Deaf;
    }
    match shared {
        Some(Misreading::Rule) if refused.len() < 2 => Suspicion::RuleOrBoard,
        Some(mistake) => Suspicion::Misreads(mistake),
        None => Suspicion::Unknown,
    }
}

/// Returns the mistake behind the refused move of a game, from its last position.
fn misreading(game: &dyn DynGame, case: &Case) -> Option<Misreading> {
    let mut table = replayed(game, case)?;
    for ply in &case.record.played.plies {
        table.hear(ply.seat, &ply.mv).ok()?;
    }
    table.misreading(case.seat, first_word(case.answers().last()?))
}

/// Returns a table for the accepted moves of a game.
fn replayed<'g>(game: &'g dyn DynGame, case: &Case) -> Option<Box<dyn Table + 'g>> {
    let speech = vec![Speech::Person { colour: false }; case.record.pairing.players.len()];
    let accepted = vec![case.record.played.plies.len(); speech.len()];
    let mut table = game.table(&case.record.setup, &speech).ok()?;
    table.replay(&accepted);
    Some(table)
}

fn first_word(answer: &str) -> &str {
    answer.split_whitespace().next().unwrap_or_default()
}

/// Returns `true` if every answer would be legal with `shift` added.
fn is_shifted(game: &dyn DynGame, cases: &[Case], shift: i64) -> bool {
    let turns: Vec<(String, Vec<String>)> =
        cases.iter().flat_map(|case| turns(game, case)).collect();
    let fits = |(answer, legal): &(String, Vec<String>)| {
        let meant = answer.parse::<i64>().map(|number| (number + shift).to_string());
        meant.is_ok_and(|meant| legal.contains(&meant))
    };
    turns.len() >= ENOUGH && turns.iter().all(fits)
}

/// Returns the program's answers, each with the moves that were legal.
fn turns(game: &dyn DynGame, case: &Case) -> Vec<(String, Vec<String>)> {
    let Some(mut table) = replayed(game, case) else { return Vec::new() };
    let mut turns = Vec::new();
    for ply in &case.record.played.plies {
        if ply.seat == case.seat {
            turns.push((ply.mv.clone(), table.legal_moves(case.seat).unwrap_or_default()));
        }
        if table.hear(ply.seat, &ply.mv).is_err() {
            break;
        }
    }
    // The refused answer is not among the plies of the record.
    if let (Some(fault_report), Some(answer)) = (case.fault_report(), case.answers().last()) {
        turns.push((first_word(answer).into(), fault_report.legal.clone()));
    }
    turns
}

/// Returns `true` if the answers stay the same when the other players play differently.
fn is_deaf(trial: &Trial, case: &Case) -> bool {
    let others: Vec<Case> =
        (1..=VARIATIONS).map(|variation| trial.varied(case, variation)).collect();
    let is_same = |other: &Case| {
        let (mine, theirs) = (case.answers(), other.answers());
        let common = mine.len().min(theirs.len());
        common >= ENOUGH && mine[..common] == theirs[..common]
    };
    // Equal answers prove nothing if the opponents happened to repeat their moves.
    others.iter().all(is_same) && others.iter().any(|other| differs(case, other))
}

/// Returns `true` if the other players' moves differ between two games.
fn differs(one: &Case, other: &Case) -> bool {
    let theirs = |case: &Case| -> Vec<String> {
        let plies = case.record.played.plies.iter().filter(|ply| ply.seat != case.seat);
        plies.map(|ply| ply.mv.clone()).collect()
    };
    theirs(one) != theirs(other)
}
