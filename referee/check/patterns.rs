//! Why a program's moves are refused: what its answers have in common.

use super::trial::{is_refusal, Case, Trial};
use crate::registry::{DynGame, Speech};

/// So many answers at the least tell a habit.
const ENOUGH: usize = 3;
/// Whoever knows the board answers rightly so often before a rule that he forgot matters,
const RIGHT_ANSWERS_OF_WHO_KNOWS_THE_BOARD: usize = 8;
/// and one game in so many goes well.
const GAMES_OF_WHO_KNOWS_THE_BOARD: usize = 2;
/// So many games are played again with other opponents.
const VARIATIONS: u64 = 3;

/// A habit that explains refused moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspicion {
    /// It counts from 1 where the game counts from 0, or the other way round: each of its answers
    /// would be right with this added.
    Shifted(i64),
    /// It answers the same whatever the others play.
    Deaf,
    /// It is refused so soon, or so often, that it cannot know the board.
    Lost,
    /// It plays well until a rule matters that it does not know.
    ForgetsARule,
}

/// The habit behind these games, some of which ended with a refused move.
pub fn suspect(trial: &Trial, cases: &[Case]) -> Suspicion {
    let refused: Vec<&Case> =
        cases.iter().filter(|case| case.fault_report().is_some_and(is_refusal)).collect();
    let shifts = [-1, 1].into_iter().find(|&shift| is_shifted(trial.game, cases, shift));
    if let Some(shift) = shifts {
        return Suspicion::Shifted(shift);
    }
    if refused.first().is_some_and(|case| is_deaf(trial, case)) {
        return Suspicion::Deaf;
    }
    let answers: usize = cases.iter().map(own_moves).sum();
    let is_seldom = refused.len() * GAMES_OF_WHO_KNOWS_THE_BOARD <= cases.len();
    match is_seldom && answers >= RIGHT_ANSWERS_OF_WHO_KNOWS_THE_BOARD * refused.len() {
        true => Suspicion::ForgetsARule,
        false => Suspicion::Lost,
    }
}

/// The moves that were accepted.
fn own_moves(case: &Case) -> usize {
    case.record.played.plies.iter().filter(|ply| ply.seat == case.seat).count()
}

/// Would every answer be legal with `shift` added to it?
fn is_shifted(game: &dyn DynGame, cases: &[Case], shift: i64) -> bool {
    let turns: Vec<(String, Vec<String>)> =
        cases.iter().flat_map(|case| turns(game, case)).collect();
    let fits = |(answer, legal): &(String, Vec<String>)| {
        let meant = answer.parse::<i64>().map(|number| (number + shift).to_string());
        meant.is_ok_and(|meant| legal.contains(&meant))
    };
    turns.len() >= ENOUGH && turns.iter().all(fits)
}

/// The program's answers, each with what was legal.
fn turns(game: &dyn DynGame, case: &Case) -> Vec<(String, Vec<String>)> {
    let speech = vec![Speech::Person { colour: false }; case.record.pairing.players.len()];
    let accepted = vec![case.record.played.plies.len(); speech.len()];
    let Ok(mut table) = game.table(&case.record.setup, &speech) else { return Vec::new() };
    table.replay(&accepted);
    let mut turns = Vec::new();
    for ply in &case.record.played.plies {
        if ply.seat == case.seat {
            turns.push((ply.mv.clone(), table.legal_moves(case.seat).unwrap_or_default()));
        }
        if table.hear(ply.seat, &ply.mv).is_err() {
            break;
        }
    }
    if let (Some(fault_report), Some(answer)) = (case.fault_report(), case.answers().last()) {
        let first_word = answer.split_whitespace().next().unwrap_or_default();
        turns.push((first_word.into(), fault_report.legal.clone()));
    }
    turns
}

/// Does it say the same when the others play otherwise?
fn is_deaf(trial: &Trial, case: &Case) -> bool {
    let others: Vec<Case> =
        (1..=VARIATIONS).map(|variation| trial.varied(case, variation)).collect();
    let is_same = |other: &Case| {
        let (mine, theirs) = (case.answers(), other.answers());
        let common = mine.len().min(theirs.len());
        common >= ENOUGH && mine[..common] == theirs[..common]
    };
    others.iter().all(is_same) && others.iter().any(|other| differs(case, other))
}

/// Did the others play otherwise?
fn differs(one: &Case, other: &Case) -> bool {
    let theirs = |case: &Case| -> Vec<String> {
        let plies = case.record.played.plies.iter().filter(|ply| ply.seat != case.seat);
        plies.map(|ply| ply.mv.clone()).collect()
    };
    theirs(one) != theirs(other)
}
