//! Games of people at the board: each is played on a thread of its own, and counts for no rating.

use super::course::Refusal;
use super::Room;
use crate::play::pairing::Pairing;
use crate::run::player::PlannedPlayer;
use crate::run::presence::Presence;
use crate::run::worker::Worker;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Game at the board that was handed out.
pub struct BoardGame {
    room: Arc<Room>,
    pairing: Pairing,
    /// Numbers of the players in the room.
    players: Vec<usize>,
}

impl Room {
    /// Returns `true` if people can play at the board: their moves are listed, and they have
    /// opponents.
    pub fn has_boards(&self) -> bool {
        self.seats() > 1 && self.game.traits().lists_legal_moves
    }

    /// Hands out a game between these players at once, beside those of the workers. The first one
    /// sits on `seat`, and the others in turn.
    ///
    /// # Errors
    /// Returns the reason why they do not play.
    pub fn begin_at_board(
        self: &Arc<Room>,
        players: &[usize],
        seat: usize,
    ) -> Result<BoardGame, Refusal> {
        let (mut core, count) = (self.core(), self.seats());
        if seat >= count {
            return Err(Refusal::WrongNumber);
        }
        let round = core.course.begin_at_board(players)?;
        let seats = players.iter().filter_map(|&number| core.course.players()[number].seat);
        let mut seats: Vec<usize> = seats.collect();
        let own = seats[0];
        seats.sort_unstable();
        let at = seats.iter().position(|of| *of == own).unwrap_or(0);
        let rotation = (at + count - seat) % count;
        seats.rotate_left(rotation);
        let rotation = rotation as u64;
        let seeds = self.schedule.seeds(round, rotation, &seats);
        let pairing = Pairing { round, rotation, players: seats, seeds };
        drop(core);
        Ok(BoardGame { room: self.clone(), pairing, players: players.to_vec() })
    }

    /// Returns `true` if a person sits on one of these seats of the roster.
    pub(super) fn is_at_board(&self, seats: &[usize]) -> bool {
        let mut players = seats.iter().filter_map(|&seat| self.roster.get(seat));
        players.any(PlannedPlayer::is_person)
    }
}

impl BoardGame {
    /// Plays the game to its end, and returns its number; none if it is void, or was broken off.
    /// Waits until all programs have a place for it, or `is_left` is set. Then `begun` takes the
    /// number, and returns `false` if the people have left.
    pub fn play(self, is_left: &AtomicBool, begun: impl FnOnce(u64) -> bool) -> Option<u64> {
        let room = &self.room;
        let (stop, processes) = &room.at_boards;
        let seats = &self.pairing.players;
        // The queue is locked meanwhile: nothing else may be asked here.
        let is_ended = || stop.requested() || is_left.load(Ordering::Relaxed);
        let number = room.queue.reserve(seats, is_ended)?;
        let record = begun(number).then(|| {
            let workers = room.workers(processes, stop);
            let presence = Presence::start();
            let mut worker = Worker::new(&workers, &presence, Vec::new());
            worker.play_alone(number, self.pairing.clone())
        });
        match record.filter(|_| !stop.requested()) {
            Some(record) => {
                let is_void = record.played.outcome.is_none();
                room.take(record);
                (!is_void).then_some(number)
            }
            None => {
                room.live.end(number);
                room.queue.release(seats);
                None
            }
        }
    }
}

/// A game that was not counted is handed out no more.
impl Drop for BoardGame {
    fn drop(&mut self) {
        self.room.core().course.break_off(self.pairing.round, self.players.clone());
    }
}
