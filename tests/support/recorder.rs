//! Records the messages of the referee, by standing between it and its players.

use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::formats::openings::Openings;
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::{play, SeatedPlayer};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::{Player, Seating, Shutdown};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre_process::attempts::Attempts;
use arbitre_process::process::{Answer, Process, Uncharged, Wanted};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::stopwatch::Limit;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{channel, Sender};

/// A message to one program.
pub struct Said {
    /// Index of the program.
    pub to: usize,
    /// Text of the message.
    pub text: String,
    /// Whether the program had to answer with a line.
    pub answered: bool,
}

/// All messages of a match.
pub struct Transcript {
    /// Messages by game.
    pub games: Vec<Vec<Said>>,
    /// Moves by game and seat.
    pub answers: Vec<Vec<Vec<String>>>,
    /// Number of moves.
    pub moves: u64,
    /// Number of programs.
    pub seats: usize,
}

struct Recorder {
    inner: Process,
    number: usize,
    said: Sender<Said>,
}

impl Recorder {
    fn note(&self, text: &str, answered: bool) {
        self.said
            .send(Said { to: self.number, text: text.into(), answered })
            .expect("the receiver exists");
    }
}

impl Player for Recorder {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        self.inner.sit(arguments)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        self.note(prompt, true);
        self.inner.ask(prompt, limit, wanted, on_thinking)
    }

    fn tell(&mut self, text: &str) {
        self.note(text, false);
        self.inner.tell(text);
    }

    fn leave(&mut self, how: Shutdown) {
        self.inner.leave(how);
    }

    fn rest(&mut self, may_think: bool) {
        self.inner.rest(may_think);
    }

    fn note_ready(&mut self) {
        self.inner.note_ready();
    }

    fn has_quota(&self) -> bool {
        self.inner.has_quota()
    }

    fn freeze(&mut self) {
        self.inner.freeze();
    }

    fn holds_quota(&self) -> bool {
        self.inner.holds_quota()
    }

    fn has_left_processors(&self) -> bool {
        self.inner.has_left_processors()
    }

    fn take_attempts(&mut self) -> Attempts {
        self.inner.take_attempts()
    }

    fn take_uncharged(&mut self) -> Uncharged {
        self.inner.take_uncharged()
    }

    fn settle(&mut self) {
        self.inner.settle();
    }
}

/// Plays a match of a program against itself and records it.
pub fn record(
    game: &dyn DynGame,
    program: &Program,
    schedule: &Schedule,
    openings: &Openings,
    limits: &PlayerLimits,
) -> Transcript {
    let seats = schedule.seats();
    let (said, heard) = channel();
    let player = |number| Recorder {
        inner: Process::new(program.clone(), ProcessGroups::default()),
        number,
        said: said.clone(),
    };
    let mut players: Vec<Recorder> = (0..seats).map(player).collect();
    let has_started = AtomicBool::new(true);
    let mut transcript = Transcript { games: Vec::new(), answers: Vec::new(), moves: 0, seats };
    for pairing in schedule.pairings() {
        let setup = openings.setup(pairing.round).expect("the game draws setups");
        let speech = vec![Speech::Dialect(&arbitre::dialects::arbitre::INFO); seats];
        let mut table = game.table(&setup, &speech).expect("a drawn setup fits");
        // The players are in order here, so a rotation puts the right one at the first seat.
        players.rotate_left(pairing.players[0]);
        let sitter = |(player, &seed): (_, &u64)| SeatedPlayer {
            player,
            limits,
            arguments: Vec::new(),
            seed,
            label: String::new(),
            has_started: &has_started,
            may_ponder: false,
        };
        let seated = players.iter_mut().map(|player| player as &mut dyn Player);
        let mut seated: Vec<SeatedPlayer> = seated.zip(&pairing.seeds).map(sitter).collect();
        let played = play(&mut *table, &mut seated);
        players.sort_by_key(|player| player.number);
        transcript.moves += played.plies.len() as u64;
        let mut answers = vec![Vec::new(); seats];
        played.plies.into_iter().for_each(|ply| answers[ply.seat.index()].push(ply.mv));
        transcript.answers.push(answers);
        transcript.games.push(heard.try_iter().collect());
    }
    transcript
}
