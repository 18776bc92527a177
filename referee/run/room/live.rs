//! Games that are played now, as far as they are known.

use crate::config::Contest;
use crate::play::pairing::Pairing;
use crate::play::record::Record;
use crate::play::PlayedGame;
use crate::registry::drawing::PositionTexts;
use crate::run::setting::Spectator;
use arbitre_process::launcher::layers::Level;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Game that is played now.
#[derive(Clone)]
pub(super) struct LiveGame {
    /// Number that the game will have in the file of the room.
    pub number: u64,
    /// Players by seat.
    pub pairing: Pairing,
    /// Setup.
    pub setup: String,
    /// Moves and eliminations so far.
    pub played: PlayedGame,
    /// Instant at which it began.
    pub begun: Instant,
}

/// Game as pages show it: its players are numbered by seat.
pub struct ShownGame {
    /// The game, or what there is of it.
    pub record: Record,
    /// Contest of its players alone.
    pub contest: Contest,
    /// Numbers of the players in the room, by seat.
    pub players: Vec<usize>,
    /// Whether it is played now.
    pub is_live: bool,
}

impl ShownGame {
    /// Takes the players of a game from those of the room.
    pub fn new(mut record: Record, contest: &Contest, is_live: bool) -> ShownGame {
        let own: Vec<usize> = (0..record.pairing.players.len()).collect();
        let numbers = std::mem::replace(&mut record.pairing.players, own);
        let players = numbers.iter().map(|&number| contest.players[number].clone()).collect();
        let contest = Contest {
            game: contest.game.clone(),
            rules: contest.rules.clone(),
            external: contest.external.clone(),
            openings: contest.openings.clone(),
            format: contest.format.clone(),
            source: contest.source.clone(),
            players,
            ..*contest
        };
        ShownGame { record, contest, players: numbers, is_live }
    }
}

impl LiveGame {
    /// Returns the game so far as a record, which has no outcome.
    pub fn into_record(self) -> Record {
        let LiveGame { number, pairing, setup, played, begun } = self;
        let (number, duration, sandbox) = (Some(number), begun.elapsed(), Level::None);
        let duration = Duration::from_micros(duration.as_micros() as u64);
        Record { number, pairing, setup, played, duration, sandbox }
    }
}

/// All games that are played now, by number.
#[derive(Default)]
pub struct Live(Mutex<BTreeMap<u64, LiveGame>>);

impl Live {
    /// Returns the number of moves and eliminations of each game.
    pub fn steps(&self) -> BTreeMap<u64, usize> {
        let steps = |played: &PlayedGame| played.plies.len() + played.faults.len();
        self.locked().iter().map(|(&number, game)| (number, steps(&game.played))).collect()
    }

    /// Returns the game of this number.
    pub fn game(&self, number: u64) -> Option<LiveGame> {
        self.locked().get(&number).cloned()
    }

    /// Forgets a game that is over.
    pub fn end(&self, number: u64) {
        self.locked().remove(&number);
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<u64, LiveGame>> {
        self.0.lock().expect("no thread panics while it holds the lock")
    }
}

impl Spectator for Live {
    fn begins(&self, number: u64, pairing: &Pairing, setup: &str) {
        let (pairing, setup) = (pairing.clone(), setup.to_owned());
        let played = PlayedGame::not_started(pairing.players.len(), Vec::new());
        let game = LiveGame { number, pairing, setup, played, begun: Instant::now() };
        self.locked().insert(number, game);
    }

    fn goes_on(&self, number: u64, played: &PlayedGame, texts: &[PositionTexts]) {
        let mut games = self.locked();
        let Some(LiveGame { played: known, .. }) = games.get_mut(&number) else { return };
        known.plies.extend_from_slice(&played.plies[known.plies.len()..]);
        known.faults.extend_from_slice(&played.faults[known.faults.len()..]);
        // The last text may be replaced by that after an elimination.
        let same = known.texts.len().saturating_sub(1).min(texts.len());
        known.texts.truncate(same);
        known.texts.extend_from_slice(&texts[same..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Ply;
    use arbitre_games::game::Seat;
    use arbitre_process::stopwatch::AnswerTime;

    fn ply(mv: &str) -> Ply {
        Ply {
            seat: Seat::new(0),
            mv: mv.into(),
            time: AnswerTime::default(),
            spent: Duration::ZERO,
            comment: None,
            stderr: String::new(),
        }
    }

    #[test]
    fn game_is_seen_as_it_goes_on_and_begins_anew() {
        let live = Live::default();
        let pairing = Pairing { round: 3, rotation: 0, players: vec![4, 2], seeds: vec![1, 2] };
        live.begins(7, &pairing, "start");
        let mut played = PlayedGame::not_started(2, Vec::new());
        for mv in ["a", "b", "c"] {
            played.plies.push(ply(mv));
            live.goes_on(7, &played, &[]);
        }
        let record = live.game(7).unwrap().into_record();
        assert_eq!((record.number, record.played.plies.len()), (Some(7), 3));
        assert_eq!((record.played.outcome, record.pairing.players), (None, vec![4, 2]));
        live.begins(7, &pairing, "start");
        assert_eq!(live.steps(), [(7, 0)].into(), "it is played again");
        live.end(7);
        assert!(live.steps().is_empty() && live.game(7).is_none());
    }
}
