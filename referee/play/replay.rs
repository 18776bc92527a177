//! Replay of a record without its players: the same referee at the same table, with scripts that
//! repeat the recorded answers. The code that made a record thus checks it. The text sent to each
//! seat comes from the code that first wrote it.

use crate::config::adjudication::AdjudicationRule;
use crate::config::{Contest, PlayerConfig};
use crate::play::adjudicator::Adjudicator;
use crate::play::record::Record;
use crate::play::{play_adjudicated, PlayedGame, SeatedPlayer, StartReport};
use crate::player::fault::Fault;
use crate::player::script::Script;
use crate::player::Seating;
use crate::registry::table::{Explanation, RulesError, Table};
use crate::registry::{DynGame, Speech};
use arbitre_games::game::{ParseError, Seat};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Record that was played again.
pub struct Replay {
    /// The game as it went this time.
    pub played: PlayedGame,
    /// Text sent to each seat.
    pub heard: Vec<String>,
    /// Whether the rules are a program of others, which may not repeat a game.
    has_external_rules: bool,
}

impl Replay {
    /// Plays a record again. With `fresh`, players that were kept from an earlier game are
    /// addressed as if they had just been started.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules, or if the dialect of a player is
    /// unknown.
    pub fn of(
        record: &Record,
        game: &dyn DynGame,
        config: &Contest,
        fresh: bool,
    ) -> Result<Replay, ParseError> {
        Replay::at_table(record, game, config, fresh).map(|(replay, _)| replay)
    }

    /// Returns why a game ended, as far as its rules know. The record does not hold this: it is
    /// found by playing the record again.
    ///
    /// # Errors
    /// Returns the errors of [`Replay::of`].
    pub fn explanation(
        record: &Record,
        game: &dyn DynGame,
        config: &Contest,
    ) -> Result<Explanation, ParseError> {
        let (_, table) = Replay::at_table(record, game, config, false)?;
        table.explanation().map_err(|error: RulesError| ParseError::new(error.to_string()))
    }

    /// Plays a record again. Returns the table at which it ended, too.
    fn at_table<'g>(
        record: &Record,
        game: &'g dyn DynGame,
        config: &Contest,
        fresh: bool,
    ) -> Result<(Replay, Box<dyn Table + 'g>), ParseError> {
        let has_external_rules = config.external.is_some();
        let configs: Vec<&PlayerConfig> =
            record.pairing.players.iter().map(|&player| &config.players[player]).collect();
        let speech: Result<Vec<Speech>, ParseError> =
            configs.iter().map(|player| game.speech(&player.dialect)).collect();
        let mut accepted = vec![0; configs.len()];
        record.played.plies.iter().for_each(|ply| accepted[ply.seat.index()] += 1);
        let mut table = game.table(&record.setup, &speech?)?;
        table.replay(&accepted);
        if was_never_played(&record.played) {
            let heard = vec![String::new(); configs.len()];
            let played = record.played.clone();
            return Ok((Replay { played, heard, has_external_rules }, table));
        }
        let mut scripts: Vec<Script> =
            (0..configs.len()).map(|i| script(&record.played, Seat::new(i), fresh)).collect();
        let has_started = AtomicBool::new(true);
        let mut seated: Vec<SeatedPlayer> = scripts
            .iter_mut()
            .zip(configs.iter().zip(&record.pairing.seeds))
            .map(|(player, (config, &seed))| SeatedPlayer {
                label: format!("replay of round {} {}", record.pairing.round, config.name),
                ..SeatedPlayer::new(player, &config.limits, seed, &has_started)
            })
            .collect();
        let rules = config.adjudication.as_ref();
        let comments = || record.played.plies.iter().map(|ply| ply.comment.as_deref());
        let adjudicator = rules.map(|rules| Adjudicator::replaying(rules, comments()));
        let played = play_adjudicated(&mut *table, &mut seated, adjudicator);
        if let Some(error) = &played.rules_error {
            return Err(ParseError::new(error.to_string()));
        }
        let heard = scripts.into_iter().map(|script| script.heard.concat()).collect();
        Ok((Replay { played, heard, has_external_rules }, table))
    }

    /// Returns the first difference between the replay and the record, if any.
    pub fn difference(&self, record: &Record) -> Option<String> {
        let difference = self.first_difference(record);
        difference.map(|what| match self.has_external_rules {
            true => format!("{what}; the program of its rules did not repeat the game"),
            false => what,
        })
    }

    fn first_difference(&self, record: &Record) -> Option<String> {
        let (now, then) = (&self.played, &record.played);
        // The reason of a fault is not compared: another version may word it differently.
        let stories = |of: &PlayedGame| -> Vec<(Seat, &'static str, usize, String, Vec<String>)> {
            let told = of.faults.iter().cloned();
            told.map(|report| {
                (report.seat, report.fault.word(), report.ply, report.position, report.legal)
            })
            .collect()
        };
        if let (Some(report), true) = (now.faults.first(), stories(now) != stories(then)) {
            return Some(format!("at ply {} seat {} {}", report.ply, report.seat, report.fault));
        }
        if now.plies.len() != then.plies.len() {
            let (now, then) = (now.plies.len(), then.plies.len());
            return Some(format!("the game is over after {now} moves, not {then}"));
        }
        if stories(now) != stories(then) {
            return Some("a fault that was recorded does not happen".into());
        }
        if now.adjudicated != then.adjudicated {
            let end = |of: &PlayedGame| of.adjudicated.map_or("nothing", AdjudicationRule::word);
            return Some(format!("it is adjudicated by {}, not {}", end(now), end(then)));
        }
        let end = |of: &PlayedGame| match &of.outcome {
            Some(outcome) => format!("scores {:?}, places {:?}", outcome.scores, outcome.places()),
            None => "no result".into(),
        };
        (now.outcome != then.outcome)
            .then(|| format!("it ends with {}, not {}", end(now), end(then)))
    }
}

/// Returns `true` if no player was started, because one of them had been given up.
fn was_never_played(played: &PlayedGame) -> bool {
    played.outcome.is_none() && played.start_reports.iter().all(Option::is_none)
}

/// Returns a script of the recorded behaviour of the player on `seat`.
fn script(played: &PlayedGame, seat: Seat, fresh: bool) -> Script {
    let fault = played.faults.iter().find(|report| match report.fault {
        // The player that failed is asked, and the one that held the quota is then found.
        Fault::QuotaUsedUp { failed, .. } => failed == seat.index(),
        _ => report.seat == seat,
    });
    let fault = fault.map(|report| report.fault.clone());
    let Some(StartReport { kept, ready }) = &played.start_reports[seat.index()] else {
        return Script::absent(fault.unwrap_or(Fault::Disconnect));
    };
    let fault = fault.map(|fault| match fault {
        // The table judges the answer again, so only its text is repeated. A part of an answer
        // might be legal, so the verdict on a clipped one is taken from the record.
        Fault::Illegal { answer, dropped: 0, .. } | Fault::Invalid { answer, dropped: 0, .. } => {
            (Duration::ZERO, Ok(answer))
        }
        fault => (Duration::ZERO, Err(fault)),
    });
    let ready = ready.iter().map(|line| (Duration::ZERO, Ok(line.clone())));
    let own = played.plies.iter().filter(|ply| ply.seat == seat);
    let moves = own.map(|ply| (ply.spent, Ok(ply.mv.clone())));
    let seating = if *kept && !fresh { Seating::Kept } else { Seating::Fresh };
    Script::new(ready.chain(moves).chain(fault)).seated(seating)
}
