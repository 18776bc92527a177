//! A record played again without its players: the same referee at the same table, with scripts that
//! say what was said. So a record is checked by what made it, and what a seat was sent is written
//! by what wrote it.

use crate::config::{Charter, Party};
use crate::play::record::Record;
use crate::play::{play, Entrance, Played, Sitter};
use crate::player::fault::Fault;
use crate::player::script::Script;
use crate::player::Seating;
use crate::registry::table::VERBATIM;
use crate::registry::{Hosted, Speech};
use arbitre_games::game::{ParseError, Seat};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A record, played again.
pub struct Replay {
    /// How it went this time.
    pub played: Played,
    /// By seat, all that it was sent.
    pub heard: Vec<String>,
}

impl Replay {
    /// Plays a record again. With `fresh`, players that were kept from an earlier game are spoken
    /// to as if they had just been started.
    ///
    /// # Errors
    /// If the setup does not fit the rules, or a player of the charter has an unknown dialect.
    pub fn of(
        record: &Record,
        game: &dyn Hosted,
        charter: &Charter,
        fresh: bool,
    ) -> Result<Replay, ParseError> {
        let seated: Vec<&Party> =
            record.fixture.players.iter().map(|&player| &charter.players[player]).collect();
        let tongues: Result<Vec<Speech>, ParseError> =
            seated.iter().map(|party| Speech::of(&party.dialect)).collect();
        let mut table = game.replay_table(&record.setup, &tongues?)?;
        if was_never_played(&record.played) {
            let heard = vec![String::new(); seated.len()];
            return Ok(Replay { played: record.played.clone(), heard });
        }
        let mut scripts: Vec<Script> =
            (0..seated.len()).map(|i| script(&record.played, Seat::new(i), fresh)).collect();
        let proven = AtomicBool::new(true);
        let mut sitters: Vec<Sitter> = scripts
            .iter_mut()
            .zip(seated.iter().zip(&record.fixture.seeds))
            .map(|(player, (party, &seed))| Sitter {
                player,
                terms: &party.terms,
                arguments: Vec::new(),
                seed,
                label: format!("replay of game {} {}", record.fixture.index, party.name),
                proven: &proven,
            })
            .collect();
        let played = play(&mut *table, &mut sitters);
        let heard = scripts.into_iter().map(|script| script.heard.concat()).collect();
        Ok(Replay { played, heard })
    }

    /// What went otherwise than the record says, if anything did.
    pub fn difference(&self, record: &Record) -> Option<String> {
        let (now, then) = (&self.played, &record.played);
        // What a rule says about a move may be worded otherwise in another version.
        let stories = |of: &Played| -> Vec<(Seat, &'static str, usize, String, Vec<String>)> {
            let told = of.faults.iter().cloned();
            told.map(|story| {
                (story.seat, story.fault.word(), story.ply, story.position, story.legal)
            })
            .collect()
        };
        if let (Some(story), true) = (now.faults.first(), stories(now) != stories(then)) {
            return Some(format!("at ply {} seat {} {}", story.ply, story.seat, story.fault));
        }
        if now.plies.len() != then.plies.len() {
            let (now, then) = (now.plies.len(), then.plies.len());
            return Some(format!("the game is over after {now} moves, not {then}"));
        }
        if stories(now) != stories(then) {
            return Some("a fault that was recorded does not happen".into());
        }
        let end = |of: &Played| match &of.outcome {
            Some(outcome) => format!("scores {:?}, places {:?}", outcome.scores, outcome.places()),
            None => "no result".into(),
        };
        (now.outcome != then.outcome)
            .then(|| format!("it ends with {}, not {}", end(now), end(then)))
    }
}

/// A player that had been given up voids its games without anybody being asked.
fn was_never_played(played: &Played) -> bool {
    played.outcome.is_none() && played.entrances.iter().all(Option::is_none)
}

/// What the player of a seat did.
fn script(played: &Played, seat: Seat, fresh: bool) -> Script {
    let fault = played.faults.iter().find(|story| story.seat == seat);
    let fault = fault.map(|story| story.fault.clone());
    let Some(Entrance { kept, ready }) = &played.entrances[seat.index()] else {
        return Script::absent(fault.unwrap_or(Fault::Disconnect));
    };
    let fault = fault.map(|fault| match fault {
        // What is wrong with an answer is found again.
        Fault::Illegal { answer, .. } | Fault::Invalid { answer, .. } => {
            (Duration::ZERO, Ok(format!("{VERBATIM}{answer}")))
        }
        fault => (Duration::ZERO, Err(fault)),
    });
    let ready = ready.iter().map(|line| (Duration::ZERO, Ok(line.clone())));
    let own = played.plies.iter().filter(|ply| ply.seat == seat);
    let moves = own.map(|ply| (ply.spent, Ok(ply.mv.clone())));
    let seating = if *kept && !fresh { Seating::Kept } else { Seating::Fresh };
    Script::new(ready.chain(moves).chain(fault)).seated(seating)
}
