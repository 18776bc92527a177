//! Reasons why a game ended and its players are out.

use super::game::names;
use crate::config::Contest;
use crate::escape::escape;
use crate::play::record::{Record, ENDED_BY_THE_RULES};
use crate::play::replay::Replay;
use crate::registry::drawing::Step;
use crate::registry::table::Explanation;
use crate::registry::DynGame;
use arbitre_games::game::{LossReason, Seat, Seats};
use serde::Serialize;
use std::iter;

/// Reasons for the end of a game and for the elimination of its players.
#[derive(Serialize)]
pub struct Ending<'a> {
    /// Rule that ended the game; none if a fault did, or if the game is void.
    end_reason: Option<String>,
    /// Players that are out, in the order in which they went out.
    out: Vec<OutPlayer<'a>>,
    /// Word for the cause: that of a fault, or [`ENDED_BY_THE_RULES`].
    #[serde(skip)]
    word: &'static str,
}

#[derive(Serialize)]
struct OutPlayer<'a> {
    player: &'a str,
    seat: usize,
    /// Number of moves played before; none in solo games, whose moves are paths.
    moves: Option<usize>,
    /// Reason of the rules, or the fault.
    reason: String,
}

impl<'a> Ending<'a> {
    /// Finds the reasons, by playing the record again. Of a record that does not fit the rules,
    /// only its own reasons are known.
    pub fn of(record: &Record, config: &'a Contest, game: &dyn DynGame) -> Ending<'a> {
        let explanation = Replay::explanation(record, game, config).unwrap_or_default();
        Ending::new(record, config, &explanation, game.meta().is_solo())
    }

    fn new(
        record: &Record,
        config: &'a Contest,
        explanation: &Explanation,
        is_solo: bool,
    ) -> Ending<'a> {
        let names = names(record, config);
        let plies = record.played.plies.len();
        let player = |seat: Seat, moves: usize, reason: String| OutPlayer {
            player: names[seat.index()],
            seat: seat.index(),
            moves: (!is_solo).then_some(moves),
            reason,
        };
        let in_words = |reason: LossReason| match reason.other {
            Some(other) => format!("{} {}", reason.text, names[other.index()]),
            None => reason.text.to_owned(),
        };
        let mut known = Seats::NONE;
        let mut out = Vec::new();
        for loss in &explanation.losses {
            known.insert(loss.seat);
            out.push(player(loss.seat, loss.moves, in_words(loss.reason)));
        }
        for report in &record.played.faults {
            if !known.contains(report.seat) {
                known.insert(report.seat);
                out.push(player(report.seat, report.ply, report.fault.in_brief()));
            }
        }
        let groups = record.played.outcome.iter().flat_map(|outcome| outcome.out.iter());
        for seat in groups.flat_map(|group| group.iter()) {
            if !known.contains(seat) {
                known.insert(seat);
                out.push(player(seat, plies, "lost by the rules".into()));
            }
        }
        out.sort_by_key(|player| player.moves);
        let word = record.end();
        let is_by_rules = word == ENDED_BY_THE_RULES && record.played.outcome.is_some();
        // Rules in another process gave it when the game was played.
        let reason = explanation.end.map(str::to_owned).or(record.played.notes.reason.clone());
        Ending { end_reason: reason.filter(|_| is_by_rules), out, word }
    }

    /// Returns the number of steps of a game after which a seat is out; none if it stays.
    pub fn steps_until_out(&self, seat: usize, steps: &[(Step, Option<usize>)]) -> Option<usize> {
        let lost = self.out.iter().find(|out| out.seat == seat)?;
        let is_own = |step| matches!(step, Step::Eliminated(of) if of.contains(Seat::new(seat)));
        let fault = steps.iter().position(|&(step, _)| is_own(step));
        let last_move = || match lost.moves {
            Some(0) => None,
            Some(moves) => steps.iter().position(|(_, number)| *number == Some(moves)),
            None => steps.len().checked_sub(1),
        };
        Some(fault.or_else(last_move).map_or(0, |step| step + 1))
    }

    /// Returns the reasons as lines for people, safe on a terminal.
    pub fn text(&self) -> String {
        self.lines(escape).join("\n") + "\n"
    }

    /// Returns the reasons as lines for people. `shown` returns a player's text as it is shown.
    pub fn lines(&self, shown: impl Fn(&str) -> String) -> Vec<String> {
        let cause = match (self.word, &self.end_reason) {
            (ENDED_BY_THE_RULES, Some(reason)) => format!("ended by the rules: {}", shown(reason)),
            (ENDED_BY_THE_RULES, None) => "ended by the rules".into(),
            (fault, _) => format!("ended by a fault: {fault}"),
        };
        let line = |out: &OutPlayer| {
            let when = match out.moves {
                None => String::new(),
                Some(1) => " after 1 move".into(),
                Some(moves) => format!(" after {moves} moves"),
            };
            format!("  {} is out{when}: {}", shown(out.player), shown(&out.reason))
        };
        iter::once(cause).chain(self.out.iter().map(line)).collect()
    }
}
