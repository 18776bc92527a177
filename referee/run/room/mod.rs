//! Room: games between players that come and go, on one ladder that never ends.
//!
//! A player of a room is one version of a program. Its number is that of its version in the file of
//! the room, and never changes. The workers are those of every other run. The room hands out a
//! table whenever one is free.

mod board;
mod course;
mod host;
mod live;

pub use board::BoardGame;
pub use course::{Finished, Player, Refusal, Role, Row, Standings};
pub use host::{
    Class, Front, Hosted, Joining, Listening, Server, Task, Tested, Upload, UploadQueue, BOARD,
    GAMES, PERSON, SETTINGS,
};
pub use live::ShownGame;

use super::interrupt::Stop;
use super::plan::Plan;
use super::player::PlannedPlayer;
use super::queue::GameQueue;
use super::roster::{Field, Roster, MOST_SEATED};
use super::setting::{Event, Workers};
use crate::config::adjudication::Adjudication;
use crate::failure::Failure;
use crate::formats::openings::Openings;
use crate::formats::schedule::Schedule;
use crate::play::record::Record;
use crate::play::viewer::Viewer;
use crate::registry::table::RulesError;
use crate::registry::{DynGame, Registry};
use crate::store::{StoreError, Writer};
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use course::{Course, Ratings};
use live::Live;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

/// Ratings of the past that are computed when a room is opened, and time for them. Not tuned.
const HISTORY: u64 = 60;
const HISTORY_TIME: Duration = Duration::from_secs(2);
/// Part of the time that ratings may take: a tenth. Not tuned.
const RATING_SHARE: u32 = 10;

/// Room that is played.
pub struct Room {
    game: Box<dyn DynGame>,
    viewer: Viewer,
    schedule: Schedule,
    openings: Openings,
    adjudication: Option<Adjudication>,
    concurrency: usize,
    roster: Roster,
    queue: GameQueue,
    live: Live,
    core: Mutex<Core>,
    is_ending: AtomicBool,
    /// Stop of the games at boards, and their programs.
    at_boards: (Stop, ProcessGroups),
    standings: RwLock<Arc<Standings>>,
    /// Number of changes of what [`Room::standings`] and [`Room::last_games`] return.
    changes: AtomicU64,
}

/// Changing part of a room: with each game and each player.
struct Core {
    writer: Writer,
    course: Course,
    /// Number of the room that the next player which starts gets.
    next_seat: usize,
    /// Version of each seat of the roster.
    seats: Vec<usize>,
    is_paused: bool,
    /// Reason why the last game could not be stored.
    trouble: Option<String>,
    /// Whether there are games that the ratings do not count yet.
    is_stale: bool,
    /// Instant before which no ratings are computed.
    rated_again: Instant,
}

impl Room {
    /// Opens a room in the file of `store`. The players of the plan are its house bots, which are
    /// present.
    ///
    /// # Errors
    /// Returns an error if the store is damaged, or cannot be written.
    pub fn open(plan: Plan, store: Writer, registry: &Registry) -> Result<Room, Failure> {
        let viewer = Viewer::new(&plan.config, registry)?;
        let Plan { config, game, players, openings, concurrency, .. } = plan;
        let (schedule, archive) = (config.empty_schedule(), store.archive());
        let mut course = Course::new(config.seats);
        for stored in &archive.config().players {
            // Ratings of the past count from the mean of the house bots, too.
            let is_it = |of: &PlannedPlayer| {
                of.config.name == stored.name && of.config.is_same_version(stored)
            };
            let is_house = players.iter().any(is_it);
            let role = match (is_house, stored.is_person()) {
                (true, _) => Role::House,
                (_, true) => Role::Board,
                _ => Role::Ladder,
            };
            course.add_player(stored.is_connected(), role);
        }
        let (between, begun) = (archive.count()? / HISTORY + 1, Instant::now());
        archive.for_each_result::<StoreError>(archive.current(), &mut |result| {
            course.count(&result);
            if course.games().is_multiple_of(between) && begun.elapsed() < HISTORY_TIME {
                course.rate();
            }
            Ok(())
        })?;
        course.rate();
        let next = archive.ledger()?.next;
        let queue = GameQueue::new(&schedule, HashSet::new()).with_stages().with_numbers_from(next);
        let core = Core {
            writer: store,
            course,
            next_seat: 0,
            seats: Vec::new(),
            is_paused: false,
            trouble: None,
            is_stale: false,
            rated_again: Instant::now(),
        };
        let room = Room {
            game,
            viewer,
            schedule,
            openings,
            adjudication: config.adjudication,
            concurrency,
            roster: Roster::default(),
            queue,
            live: Live::default(),
            core: Mutex::new(core),
            is_ending: AtomicBool::new(false),
            at_boards: Default::default(),
            standings: RwLock::default(),
            changes: AtomicU64::default(),
        };
        players.into_iter().try_for_each(|player| room.enter(player, Role::House).map(drop))?;
        Ok(room)
    }

    /// Plays until a stop is requested. The caller's thread stores the games.
    ///
    /// # Errors
    /// Returns an error if a game cannot be stored, or a worker panics.
    pub fn play(&self, processes: &ProcessGroups, stop: &Stop) -> Result<(), Failure> {
        self.workers(processes, stop).run(&self.queue, |event| {
            if let Event::Game(record) = event {
                self.take(*record);
            }
            ControlFlow::Continue(())
        })?;
        Ok(self.core().writer.check_count()?)
    }

    fn workers<'a>(&'a self, processes: &'a ProcessGroups, stop: &'a Stop) -> Workers<'a> {
        Workers {
            game: &*self.game,
            players: Field::Growing(&self.roster),
            schedule: &self.schedule,
            openings: &self.openings,
            adjudication: self.adjudication.as_ref(),
            concurrency: self.concurrency,
            pinned: false,
            processes,
            stop,
            spectator: Some(&self.live),
        }
    }

    /// Hands out no more tables, so that [`Room::play`] returns when the running games are over.
    pub fn finish(&self) {
        // A thread that stores a game may hang on its disk; this must not wait for it.
        self.is_ending.store(true, Ordering::SeqCst);
        self.queue.end();
        // People may take their time: their games are broken off.
        let (stop, processes) = &self.at_boards;
        stop.request();
        processes.end_all();
    }

    /// Seats a player, or another version of it, and returns its number. It plays from now on.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written, or the room has no seat left.
    pub fn enter(&self, player: PlannedPlayer, role: Role) -> Result<usize, Failure> {
        let mut core = self.core();
        let seat = core.next_seat;
        let is_full = || {
            Failure::Unavailable(format!(
                "expected a room with a free seat, got one in which {seat} players have been \
                 seated{HELP}stop the server and start it again"
            ))
        };
        if seat >= MOST_SEATED {
            return Err(is_full());
        }
        let number = core.writer.join(&player.config)?;
        if number == core.course.players().len() {
            core.course.add_player(player.config.is_connected(), role);
        }
        let most_at_once = player.most_at_once();
        if !self.roster.add(seat, player) {
            return Err(is_full());
        }
        core.next_seat += 1;
        core.seats.push(number);
        // Its own earlier seat is among them, if it has been here.
        let versions = core.versions_of(number);
        versions.into_iter().for_each(|version| self.take_out(&mut core, version));
        self.queue.admit(seat, most_at_once);
        core.course.enter(number, seat, role, most_at_once);
        // Ratings count from the mean of these.
        core.is_stale |= role == Role::House;
        self.hand_out(&mut core);
        self.publish(&core);
        Ok(number)
    }

    /// Takes a player out. The games that it is playing are still counted.
    pub fn leave(&self, player: usize) {
        let mut core = self.core();
        self.take_out(&mut core, player);
        self.hand_out(&mut core);
        self.publish(&core);
    }

    /// Lets a player that left play again, on the seat that it had. Returns `false` if it has none,
    /// was set aside, or another version of it is here.
    pub fn come_back(&self, number: usize) -> bool {
        let mut core = self.core();
        let Some(player) = core.course.players().get(number) else { return false };
        let Some(seat) = player.seat.filter(|_| player.given_up.is_none()) else { return false };
        if !player.is_present {
            let is_here = |version: &usize| core.course.players()[*version].is_present;
            if core.versions_of(number).iter().any(is_here) {
                return false;
            }
            self.queue.admit(seat, None);
            core.course.come_back(number);
            self.hand_out(&mut core);
            self.publish(&core);
        }
        true
    }

    /// Asks for a round of games between these players as soon as a table is free.
    ///
    /// # Errors
    /// Returns the reason why they do not play.
    pub fn challenge(&self, challenger: usize, others: &[usize]) -> Result<(), Refusal> {
        let mut core = self.core();
        if core.is_paused {
            return Err(Refusal::Paused);
        }
        core.course.challenge(challenger, others)?;
        self.hand_out(&mut core);
        Ok(())
    }

    /// Stops handing out tables, or goes on. Running games are played to their end.
    pub fn pause(&self, is_paused: bool) {
        let mut core = self.core();
        self.set_paused(&mut core, is_paused);
        core.trouble = None;
        self.hand_out(&mut core);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns `true` if no tables are handed out.
    pub fn is_paused(&self) -> bool {
        self.core().is_paused
    }

    /// Returns the reason why the room paused by itself, if it did.
    pub fn trouble(&self) -> Option<String> {
        self.core().trouble.clone()
    }

    /// Returns the number of games that wait for a table.
    pub fn waiting(&self) -> usize {
        self.core().course.waiting()
    }

    /// Returns the names of all players that have been in the room, by number.
    pub fn names(&self) -> Vec<String> {
        let core = self.core();
        core.writer.archive().config().names().into_iter().map(str::to_owned).collect()
    }

    /// Returns the game with its rules.
    pub fn game(&self) -> &dyn DynGame {
        &*self.game
    }

    /// Returns the setups of its contest: those that are listed, else at most `most` drawn ones.
    ///
    /// # Errors
    /// Returns an error if the rules fail to draw them.
    pub fn setups(&self, most: usize) -> Result<Vec<String>, RulesError> {
        self.openings.first(most)
    }

    /// Returns the number of seats at a table.
    pub fn seats(&self) -> usize {
        self.schedule.seats()
    }

    /// Returns the number of games played at once.
    pub fn concurrency(&self) -> usize {
        self.concurrency
    }

    /// Computes the ratings if there are new games, unless that would take too large a part of the
    /// time. Games are stored and handed out meanwhile.
    pub fn rate(&self) {
        let begun = Instant::now();
        let (rankings, players) = {
            let mut core = self.core();
            if !core.is_stale || begun < core.rated_again {
                return;
            }
            core.is_stale = false;
            (core.course.rankings().into_owned(), core.course.players().len())
        };
        let ratings = Ratings::of(rankings, players);
        let mut core = self.core();
        core.course.take_ratings(ratings);
        core.rated_again = Instant::now() + begun.elapsed() * (RATING_SHARE - 1);
        self.publish(&core);
    }

    /// Returns the standings as they were computed last.
    pub fn standings(&self) -> Arc<Standings> {
        self.standings.read().expect("no thread panics while it holds the lock").clone()
    }

    /// Returns a player.
    pub fn player(&self, number: usize) -> Option<Player> {
        self.core().course.players().get(number).cloned()
    }

    /// Returns the last games of the room, or of one player, the last one first.
    pub fn last_games(&self, player: Option<usize>) -> Vec<Arc<Finished>> {
        self.core().course.last_games(player)
    }

    /// Returns the number of changes of the standings and of the last games.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns the numbers of the games that are played now, with the number of their steps.
    pub fn running(&self) -> BTreeMap<u64, usize> {
        self.live.steps()
    }

    /// Returns `true` if no game of the ladder is played. People at boards may still play.
    pub fn is_idle(&self) -> bool {
        self.queue.running() == 0
    }

    /// Returns a game that is played now or stored.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn shown_game(&self, number: u64) -> Result<Option<ShownGame>, StoreError> {
        let live = self.live.game(number);
        let core = self.core();
        let archive = core.writer.archive();
        let is_live = live.is_some();
        let record = match live {
            Some(game) => {
                let mut record = game.into_record();
                record.pairing.players.iter_mut().for_each(|seat| *seat = core.seats[*seat]);
                Some(record)
            }
            None => archive.game(number, archive.current())?.map(|(record, _)| record),
        };
        Ok(record.map(|record| ShownGame::new(record, archive.config(), is_live)))
    }

    /// Returns the source of the positions of its games.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().expect("no thread panics while it holds the lock")
    }

    fn set_paused(&self, core: &mut Core, is_paused: bool) {
        core.is_paused = is_paused;
        self.queue.pause(is_paused);
    }

    /// Takes a player out, and its games that have not begun.
    fn take_out(&self, core: &mut Core, player: usize) {
        let seat = core.course.players()[player].seat;
        seat.into_iter().for_each(|seat| self.queue.withdraw(seat));
        core.course.leave(player);
    }

    /// Stores a game, then counts it. If the disk refuses, the room pauses and the game is lost.
    /// No page has shown its result.
    fn take(&self, mut record: Record) {
        let mut core = self.core();
        let seats = record.pairing.players.clone();
        record.pairing.players.iter_mut().for_each(|seat| *seat = core.seats[*seat]);
        record.number.into_iter().for_each(|number| self.live.end(number));
        match core.writer.add(&record) {
            Ok(number) => record.number = number,
            Err(why) => {
                log::error!("the room is paused: {why}");
                record.played.outcome = None;
                core.trouble = Some(why.to_string());
                self.set_paused(&mut core, true);
            }
        }
        match self.is_at_board(&seats) {
            true => self.queue.release(&seats),
            false => self.queue.done(&seats),
        }
        core.course.take(&record, &seats);
        core.is_stale = true;
        for seat in seats {
            let version = core.seats[seat];
            // It may be here again, from another start.
            let is_current = core.course.players()[version].seat == Some(seat);
            let given_up = self.roster.get(seat).and_then(PlannedPlayer::given_up);
            let why = given_up.filter(|_| is_current);
            why.into_iter().for_each(|why| core.course.give_up(version, why));
            if core.course.players()[version].given_up.is_some() {
                self.queue.withdraw(seat);
            }
        }
        if core.course.rules_fail() {
            let why = record.played.rules_error.as_ref().map(ToString::to_string);
            core.trouble = why;
            self.set_paused(&mut core, true);
        }
        self.hand_out(&mut core);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Fills the queue, so that each worker has a game, and the next one is ready.
    fn hand_out(&self, core: &mut Core) {
        while !core.is_paused
            && !self.is_ending.load(Ordering::SeqCst)
            && self.queue.pending() <= self.concurrency
        {
            let Some((group, round)) = core.course.next_table() else { return };
            self.queue.add_next_stage(vec![group], round..round + 1);
        }
    }

    /// Publishes the standings.
    fn publish(&self, core: &Core) {
        let contest = core.writer.archive().config();
        let standings = Arc::new(core.course.standings(&contest.names()));
        *self.standings.write().expect("no thread panics while it holds the lock") = standings;
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Core {
    /// Returns all versions of a player.
    fn versions_of(&self, number: usize) -> Vec<usize> {
        let players = &self.writer.archive().config().players;
        let own = players[number].first_name();
        let versions = players.iter().enumerate().filter(|(_, of)| of.first_name() == own);
        versions.map(|(version, _)| version).collect()
    }
}
