//! Boards: games of people in the browser, against programs of the room and each other. What is
//! here is in memory; a game that is over is in the file of the room.

mod hand;

pub use hand::Turn;

use crate::people::{board_of, Person};
use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Speech;
use arbitre_referee::run::room::{Refusal, Role, Room};
use arbitre_referee::run::{PlannedPlayer, PlayerSource};
use hand::{AtBoard, Hand, Said, MOVE};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Boards at which people play or wait at once. Each has a thread. Not tuned.
const MOST_OPEN: usize = 64;
/// Boards that are remembered after their end. Not tuned.
const MOST_OVER: usize = 200;
/// Time for which people are asked to sit down. Not tuned.
const ASKED: Duration = Duration::from_secs(600);
/// Command of a person in the file of the games.
const COMMAND: &str = "human";

/// Player at a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Program, by its number in the room.
    Program(usize),
    /// Person.
    Person(i64),
}

/// Stage of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// People are asked to sit down.
    Asking,
    /// The programs play other games.
    Waiting,
    /// The game of this number is played.
    Playing(u64),
    /// The game of this number was played.
    Over(u64),
    /// There was no game, or it is void.
    Left,
}

impl Stage {
    /// Returns `true` before the end.
    pub fn is_open(&self) -> bool {
        !matches!(self, Stage::Over(_) | Stage::Left)
    }
}

/// Reason why a person does not play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplayed {
    /// The person plays or waits at a board.
    AtBoard,
    /// There are too many boards.
    Full,
    /// There is no such board, or it is not the person's.
    Unknown,
    /// The room refuses.
    Room(Refusal),
    /// The room cannot take the person.
    Store(String),
}

impl From<Refusal> for Unplayed {
    fn from(refusal: Refusal) -> Unplayed {
        Unplayed::Room(refusal)
    }
}

impl From<Failure> for Unplayed {
    fn from(failure: Failure) -> Unplayed {
        Unplayed::Store(failure.to_string())
    }
}

/// Board as pages show it.
#[derive(Clone, Debug)]
pub struct View {
    /// Number.
    pub id: u64,
    /// Players: the person who asked first.
    pub places: Vec<Place>,
    /// Seat of that person.
    pub seat: usize,
    /// Stage.
    pub stage: Stage,
    /// People who were asked, and have not sat down.
    pub missing: BTreeSet<i64>,
}

impl View {
    /// Returns `true` if a person plays at the board, or is asked to.
    pub fn is_of(&self, person: i64) -> bool {
        self.places.contains(&Place::Person(person))
    }
}

struct Board {
    view: View,
    begun: Instant,
    /// Whether the people left before their game began.
    is_left: Arc<AtomicBool>,
}

/// Boards of a room.
pub struct Boards {
    room: Arc<Room>,
    state: Mutex<State>,
    changes: Arc<AtomicU64>,
}

#[derive(Default)]
struct State {
    next: u64,
    boards: BTreeMap<u64, Board>,
    /// Hand of each person that has sat down, and its number in the room.
    hands: BTreeMap<i64, (usize, Arc<Hand>)>,
    threads: Vec<JoinHandle<()>>,
    is_ended: bool,
}

impl Boards {
    /// Creates the boards of a room.
    pub fn new(room: Arc<Room>) -> Boards {
        Boards { room, state: Mutex::default(), changes: Arc::default() }
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Puts up a board for a person on `seat` and these others. The game begins once all people
    /// have sat down. Returns its number.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub fn put_up(
        self: &Arc<Boards>,
        person: &Person,
        others: &[Place],
        seat: usize,
    ) -> Result<u64, Unplayed> {
        let places: Vec<Place> = [Place::Person(person.id)].iter().chain(others).copied().collect();
        let is_twice = |at: usize| places[..at].contains(&places[at]);
        let (seats, is_wrong) = (self.room.seats(), (0..places.len()).any(is_twice));
        if !self.room.has_boards() || places.len() != seats || seat >= seats || is_wrong {
            return Err(Refusal::WrongNumber.into());
        }
        if self.room.is_paused() {
            return Err(Refusal::Paused.into());
        }
        // People are asked by name, and not as players of the room.
        let is_program = |number: usize| {
            self.room.player(number).is_some_and(|player| player.role != Role::Board)
        };
        let mut programs = others.iter().filter_map(|place| match place {
            Place::Program(number) => Some(*number),
            Place::Person(_) => None,
        });
        if !programs.all(is_program) {
            return Err(Refusal::Absent.into());
        }
        let mut state = self.state();
        state.refuse_second(person.id)?;
        if state.boards.values().filter(|of| of.view.stage.is_open()).count() >= MOST_OPEN {
            return Err(Unplayed::Full);
        }
        let id = state.next;
        state.next += 1;
        let asked = others.iter().filter_map(|place| match place {
            Place::Person(id) => Some(*id),
            Place::Program(_) => None,
        });
        let missing: BTreeSet<i64> = asked.collect();
        let is_whole = missing.is_empty();
        let view = View { id, places, seat, stage: Stage::Asking, missing };
        state.boards.insert(id, Board { view, begun: Instant::now(), is_left: Arc::default() });
        state.forget();
        if is_whole {
            self.begin(&mut state, id).inspect_err(|_| drop(state.boards.remove(&id)))?;
        }
        self.change();
        Ok(id)
    }

    /// Takes note that a person who was asked sits down.
    ///
    /// # Errors
    /// Returns the reason why there is no game.
    pub fn sit(self: &Arc<Boards>, person: i64, id: u64) -> Result<(), Unplayed> {
        let mut state = self.state();
        if !state.boards.get(&id).is_some_and(|of| of.view.missing.contains(&person)) {
            return Err(Unplayed::Unknown);
        }
        state.refuse_second(person)?;
        if self.room.is_paused() {
            return Err(Refusal::Paused.into());
        }
        let board = state.boards.get_mut(&id).ok_or(Unplayed::Unknown)?;
        if board.view.stage != Stage::Asking {
            return Err(Unplayed::Unknown);
        }
        board.view.missing.remove(&person);
        let begun = match board.view.missing.is_empty() {
            true => self.begin(&mut state, id),
            false => Ok(()),
        };
        if begun.is_err() {
            state.set_stage(id, Stage::Left);
        }
        self.change();
        begun
    }

    /// Plays a move of a person. Returns `false` if it is no legal move of its turn.
    pub fn play(&self, person: i64, turn: u64, mv: &str) -> bool {
        let hand = self.state().hands.get(&person).map(|(_, hand)| hand.clone());
        let is_played = hand.is_some_and(|hand| hand.play(turn, mv));
        self.change();
        is_played
    }

    /// Takes a person from a board: a game is lost, else there is none.
    ///
    /// # Errors
    /// Returns an error if the person is not at it.
    pub fn give_up(&self, person: i64, id: u64) -> Result<(), Unplayed> {
        self.take_from(person, Some(id), Said::GivesUp)
    }

    /// Takes a person from all boards. A game is void.
    pub fn expel(&self, person: i64) {
        let _ = self.take_from(person, None, Said::Leaves);
    }

    fn take_from(&self, person: i64, id: Option<u64>, said: Said) -> Result<(), Unplayed> {
        let mut state = self.state();
        let is_it = |of: &&mut Board| {
            of.view.is_of(person) && id.is_none_or(|id| id == of.view.id) && of.view.stage.is_open()
        };
        let mut found = false;
        let mut ends = false;
        for board in state.boards.values_mut().filter(|of| is_it(of)) {
            found = true;
            match board.view.stage {
                Stage::Playing(_) => ends = true,
                _ => {
                    board.view.stage = Stage::Left;
                    board.is_left.store(true, Ordering::Relaxed);
                }
            }
        }
        if ends {
            state.hands.get(&person).iter().for_each(|(_, hand)| hand.end(said.clone()));
        }
        self.change();
        found.then_some(()).ok_or(Unplayed::Unknown)
    }

    /// Returns a board.
    pub fn view(&self, id: u64) -> Option<View> {
        self.state().boards.get(&id).map(|board| board.view.clone())
    }

    /// Returns the open boards of a person, and those to which it is asked.
    pub fn of_person(&self, person: i64) -> Vec<View> {
        let state = self.state();
        let own = state.boards.values().map(|board| &board.view);
        own.filter(|view| view.stage.is_open() && view.is_of(person)).cloned().collect()
    }

    /// Returns the turn of a person, if it is to move.
    pub fn turn(&self, person: i64) -> Option<Turn> {
        self.state().hands.get(&person)?.1.turn()
    }

    /// Takes down boards to which people were asked and did not come.
    pub fn tidy(&self) {
        let mut state = self.state();
        let is_late =
            |of: &&mut Board| of.view.stage == Stage::Asking && of.begun.elapsed() > ASKED;
        for board in state.boards.values_mut().filter(|of| is_late(of)) {
            board.view.stage = Stage::Left;
            self.change();
        }
        state.threads.retain(|thread| !thread.is_finished());
    }

    /// Ends all games, and waits for that.
    pub fn end(&self) {
        let threads = {
            let mut state = self.state();
            state.is_ended = true;
            state.hands.values().for_each(|(_, hand)| hand.end(Said::Leaves));
            std::mem::take(&mut state.threads)
        };
        for thread in threads {
            if thread.join().is_err() {
                log::error!("a game at the board panicked");
            }
        }
    }

    /// Begins the game of a board on a thread of its own.
    fn begin(self: &Arc<Boards>, state: &mut State, id: u64) -> Result<(), Unplayed> {
        let View { places, seat, .. } = state.boards[&id].view.clone();
        let number = |place: &Place| match place {
            Place::Program(number) => Ok(*number),
            Place::Person(person) => self.seated(state, *person),
        };
        let numbers: Vec<usize> = places.iter().map(number).collect::<Result<_, Unplayed>>()?;
        if state.is_ended {
            return Err(Refusal::Absent.into());
        }
        let game = self.room.begin_at_board(&numbers, seat)?;
        let is_left = state.boards[&id].is_left.clone();
        state.set_stage(id, Stage::Waiting);
        let boards = self.clone();
        let play = move || {
            let begun = |number| {
                let mut state = boards.state();
                let is_here = !is_left.load(Ordering::Relaxed);
                if is_here {
                    state.set_stage(id, Stage::Playing(number));
                }
                boards.change();
                is_here
            };
            let stage = game.play(&is_left, begun).map_or(Stage::Left, Stage::Over);
            boards.state().set_stage(id, stage);
            boards.change();
        };
        let named = thread::Builder::new().name(format!("board-{id}"));
        let thread = named.spawn(play).map_err(|error| Unplayed::Store(error.to_string()))?;
        state.threads.push(thread);
        Ok(())
    }

    /// Seats a person in the room, if that was not done, and returns its number.
    fn seated(&self, state: &mut State, person: i64) -> Result<usize, Unplayed> {
        if let Some((number, hand)) = state.hands.get(&person) {
            hand.clear();
            return Ok(*number);
        }
        let hand = Arc::new(Hand::default());
        let (own, changes) = (hand.clone(), self.changes.clone());
        let turns: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
            changes.fetch_add(1, Ordering::Relaxed);
        });
        let player = move || Box::new(AtBoard::new(own.clone(), MOVE, turns.clone())) as _;
        let config = PlayerConfig {
            name: board_of(person),
            command: COMMAND.into(),
            dialect: Speech::PERSON.into(),
            limits: PlayerLimits::untimed(),
            ..PlayerConfig::default()
        };
        let speech = Speech::Person { colour: false };
        let source = PlayerSource::AtBoard(Arc::new(player));
        let player = PlannedPlayer::new(config, source, speech);
        let number = self.room.enter(player, Role::Board)?;
        state.hands.insert(person, (number, hand));
        Ok(number)
    }

    fn change(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }
}

impl State {
    fn set_stage(&mut self, id: u64, stage: Stage) {
        self.boards.get_mut(&id).into_iter().for_each(|of| of.view.stage = stage.clone());
    }

    /// Refuses a person who plays or waits at a board.
    fn refuse_second(&self, person: i64) -> Result<(), Unplayed> {
        let sits = |view: &View| {
            view.stage.is_open() && view.is_of(person) && !view.missing.contains(&person)
        };
        match self.boards.values().any(|board| sits(&board.view)) {
            true => Err(Unplayed::AtBoard),
            false => Ok(()),
        }
    }

    /// Forgets the boards that ended first.
    fn forget(&mut self) {
        let over: Vec<u64> = self
            .boards
            .values()
            .filter(|of| !of.view.stage.is_open())
            .map(|of| of.view.id)
            .collect();
        for id in over.iter().take(over.len().saturating_sub(MOST_OVER)) {
            self.boards.remove(id);
        }
    }
}
