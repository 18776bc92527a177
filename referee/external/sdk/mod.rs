//! Games that were written for CodinGame's SDK, unmodified, played by the arena's own protocol.
//!
//! 1. A [`Source`](source::Source) is what the user names: a folder, a jar, or a command that
//!    speaks the protocol. With a class path, one Java process plays many games by `Games.java`.
//! 2. The referee of a game leads: it calls a player with lines, a number of lines to answer and a
//!    limit. A `table` reads ahead to the next such call; its seat is to move.
//! 3. A ply is one line of an answer. A call for three lines is three plies of the same seat, which
//!    share the limit of the call.
//! 4. The game learns of a fault as a timeout, now and at each later call. It decides what follows,
//!    and its scores rank the players as they are.
//! 5. A setup is `seed N`. The same seed and answers give the same game.
//! 6. A process that keeps something from one game to the next would change results. The first
//!    process that has played two games is compared with another one that plays them in the other
//!    order. If they differ, each game has a process of its own.

mod conversation;
mod course;
pub mod message;
pub mod source;
mod table;

use crate::external::recorded::shown;
use crate::registry::drawing::{Step, View};
use crate::registry::entry::ArenaInfo;
use crate::registry::scene::GameScenes;
use crate::registry::table::{RulesError, Table};
use crate::registry::{find_dialect, DynGame, GameTraits, Setups, Speech, RAW};
use arbitre_games::dialect::{DialectInfo, LINE_LIMIT};
use arbitre_games::game::{Meta, ParseError};
use arbitre_games::rng::Rng;
use arbitre_games::text::join;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use conversation::Conversation;
use course::Course;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use table::{Owner, Purpose, SdkTable};

/// Conditions of the arena: its bots speak the game's lines, and the game sets their limits. They
/// are those of the SDK unless it sets others.
pub const ARENAS: &[ArenaInfo] = &[ArenaInfo {
    name: "codingame-sdk",
    dialect: RAW.name,
    rules: "",
    options: &["first-move-time=1s", "move-time=50ms", "rules-time"],
    starters: &[],
}];

/// Number of seats of most games.
const USUAL_SEATS: usize = 2;
/// Parameter that a Java process is given, and not a game.
const LEAGUE: &str = "league";
/// Parameter that is not free.
const SEED: &str = "seed";

/// Programs that play games.
#[derive(Clone)]
pub struct Programs {
    /// Program that plays one game.
    pub one: Program,
    /// Program that plays one game after another.
    pub many: Option<Program>,
}

/// Game of the SDK.
pub struct SdkGame {
    programs: Programs,
    meta: Meta,
    parameters: BTreeMap<String, String>,
    processes: ProcessGroups,
    kept: Mutex<Kept>,
}

/// Referees that wait for a game.
struct Kept {
    way: Way,
    waiting: Vec<Conversation>,
    /// Referees of trials. They play no game before it is known that none changes the next.
    tried: Vec<Conversation>,
}

/// Way in which games are given to processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Many games a process, which has not been compared yet.
    Untried,
    /// Many games a process.
    Many,
    /// One game a process.
    One,
}

/// Reads parameters of a game: `key=value`, separated by commas or blanks.
///
/// # Errors
/// Returns an error if a word is no such pair, or a key comes twice.
pub fn parameters_of(text: &str) -> Result<BTreeMap<String, String>, ParseError> {
    let mut parameters = BTreeMap::new();
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    for word in text.split(is_separator).filter(|word| !word.is_empty()) {
        let expected =
            |what: &str| ParseError::new(format!("--rules: expected {what}, got '{word}'"));
        let (key, value) = word.split_once('=').ok_or_else(|| expected("KEY=VALUE"))?;
        // The SDK reads these lines as properties of Java.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        match key {
            _ if key.is_empty() || !key.chars().all(is_plain) || value.contains('\\') => {
                return Err(expected("KEY=VALUE with letters, digits and _ in the key"))
            }
            SEED => return Err(expected("no seed, as each game has its own (see --seed)")),
            LEAGUE if value.parse::<u32>().is_err() => return Err(expected("league=NUMBER")),
            _ => {}
        }
        if parameters.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(expected(&format!("{key} once")));
        }
    }
    Ok(parameters)
}

impl SdkGame {
    /// Creates the game. No program is started yet. `programs` are given the league, if there is
    /// one.
    ///
    /// # Errors
    /// Returns an error if the options are no parameters, or the programs take no league.
    pub fn open(
        meta: Meta,
        options: &str,
        programs: impl FnOnce(Option<&str>) -> Result<Programs, ParseError>,
    ) -> Result<SdkGame, ParseError> {
        let parameters = parameters_of(options)?;
        let programs = programs(parameters.get(LEAGUE).map(String::as_str))?;
        let way = if programs.many.is_some() { Way::Untried } else { Way::One };
        let kept = Mutex::new(Kept { way, waiting: Vec::new(), tried: Vec::new() });
        Ok(SdkGame { programs, meta, parameters, processes: ProcessGroups::default(), kept })
    }

    /// Begins a game and leaves it, as in a trial.
    ///
    /// # Errors
    /// Returns an error if the program does not play.
    pub fn try_start(&self) -> Result<(), RulesError> {
        let (fewest, most) = self.meta.seats;
        self.begin(Purpose::Trial(self), 1, USUAL_SEATS.clamp(fewest, most)).map(drop)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("no thread panics while it holds the lock")
    }

    /// Returns a referee that waits for a game, or a new one.
    fn referee(&self, purpose: Purpose) -> Result<Conversation, RulesError> {
        let mut kept = self.kept();
        let way = kept.way;
        let waiting = match purpose {
            Purpose::Trial(_) => kept.tried.pop(),
            _ if way == Way::Many => kept.waiting.pop().or_else(|| kept.tried.pop()),
            _ => kept.waiting.pop(),
        };
        drop(kept);
        waiting.map_or_else(|| self.start(way), Ok)
    }

    fn start(&self, way: Way) -> Result<Conversation, RulesError> {
        let many = self.programs.many.as_ref().filter(|_| way != Way::One);
        let program = many.unwrap_or(&self.programs.one).clone();
        Conversation::start(program, self.processes.clone())
    }

    /// Begins a game.
    fn begin<'g>(
        &'g self,
        purpose: Purpose<'g>,
        seed: i64,
        seats: usize,
    ) -> Result<SdkTable<'g>, RulesError> {
        let parameters = self.parameters.iter().filter(|(key, _)| *key != LEAGUE);
        let lines = parameters.map(|(key, value)| format!("{key}={value}"));
        let init = [seats.to_string(), format!("{SEED}={seed}")].into_iter().chain(lines);
        SdkTable::new(purpose, self.referee(purpose)?, seats, init.collect())
    }

    /// Has another process play two games of one process, in the other order. Where a game then
    /// goes another way, each has its own process from now on.
    ///
    /// # Errors
    /// Returns an error if the second game may not count.
    fn compare(&self, first: &Course, second: &Course) -> Result<(), RulesError> {
        let Some(difference) = self.difference(&[second, first])? else {
            let mut kept = self.kept();
            kept.way = if kept.way == Way::Untried { Way::Many } else { kept.way };
            return Ok(());
        };
        let repeats = self.difference(&[first])?.is_none();
        let mut kept = self.kept();
        if kept.way != Way::One {
            *kept = Kept { way: Way::One, waiting: Vec::new(), tried: Vec::new() };
            let why = match repeats {
                true => "a game goes another way after another one in the same process",
                false => "a game goes another way by the same seed and answers",
            };
            log::warn!("{why} ({difference}): from now on each has a process of its own");
        }
        match repeats {
            true => Err(has_kept_something()),
            false => Ok(()),
        }
    }

    /// Has a new process play these games. Returns the first difference.
    fn difference(&self, games: &[&Course]) -> Result<Option<String>, RulesError> {
        let mut referee = self.start(Way::Many)?;
        for game in games {
            let table = SdkTable::new(Purpose::Course, referee, game.seats(), game.init.clone());
            match table.and_then(|table| table.replay_course(&game.replies)) {
                Ok((now, Some(kept))) if game.difference(&now).is_none() => referee = kept,
                Ok((now, _)) => return Ok(game.difference(&now)),
                Err(why) => return Ok(Some(why.0)),
            }
        }
        Ok(None)
    }

    /// Returns the seed of a setup.
    fn seed_of(setup: &str) -> Result<i64, ParseError> {
        let seed = setup.strip_prefix(SEED).and_then(|rest| rest.trim().parse().ok());
        seed.ok_or_else(|| ParseError::new(format!("expected '{SEED} NUMBER', got '{setup}'")))
    }

    fn table_of(&self, setup: &str, seats: usize) -> Result<SdkTable<'_>, ParseError> {
        Ok(self.begin(Purpose::Game(self), SdkGame::seed_of(setup)?, seats)?)
    }
}

impl Owner for SdkGame {
    fn take_back(&self, mut referee: Conversation, course: &Course) -> Result<(), RulesError> {
        let way = self.kept().way;
        match (way, referee.first.take()) {
            (Way::One, _) if referee.games > 1 => return Err(has_kept_something()),
            (Way::One, _) => return Ok(()),
            (Way::Many, _) => {}
            (Way::Untried, None) => referee.first = Some(course.clone()),
            (Way::Untried, Some(first)) => self.compare(&first, course)?,
        }
        self.kept().waiting.push(referee);
        Ok(())
    }

    fn take_back_from_trial(&self, referee: Conversation) {
        let mut kept = self.kept();
        if kept.way != Way::One {
            kept.tried.push(referee);
        }
    }
}

impl DynGame for SdkGame {
    fn meta(&self) -> Meta {
        self.meta
    }

    fn rules(&self) -> String {
        join(self.parameters.iter().map(|(key, value)| format!("{key}={value}")), " ")
    }

    fn traits(&self) -> GameTraits {
        GameTraits { lists_legal_moves: false, is_verbatim: true, answer_limit: LINE_LIMIT }
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&[&RAW], word)
    }

    fn setups(&self, _seats: usize, _plies: usize, mut rng: Rng) -> Setups {
        Box::new(std::iter::repeat_with(move || Ok(format!("{SEED} {}", rng.next_u64() as i64))))
    }

    fn check_setup(&self, _seats: usize, text: &str) -> Result<String, ParseError> {
        Ok(format!("{SEED} {}", SdkGame::seed_of(text)?))
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        Ok(Box::new(self.table_of(setup, speech.len())?))
    }

    fn trial_table(
        &self,
        setup: &str,
        seats: &[Speech],
    ) -> Result<Box<dyn Table + '_>, ParseError> {
        let seed = SdkGame::seed_of(setup)?;
        Ok(Box::new(self.begin(Purpose::Trial(self), seed, seats.len())?))
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        let mut table = self.table_of(setup, view.names.len())?;
        shown(&mut table, steps, SdkTable::take, |table| Ok(table.text()))
    }

    fn scenes(&self, setup: &str, seats: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        let mut table = self.table_of(setup, seats)?;
        let scenes = shown(&mut table, steps, SdkTable::take, |table| Ok(table.scene()))?;
        Ok(GameScenes::of_pictures(scenes))
    }
}

fn has_kept_something() -> RulesError {
    RulesError("its process had kept something from the game before".into())
}
