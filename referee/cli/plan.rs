//! From what is agreed to a match that can be played: the game is opened, programs are found.

use super::failure::Failure;
use super::output::colours;
use crate::config::command::{Kind, Program};
use crate::config::{Charter, OpeningSource, Party};
use crate::pairing::openings::Openings;
use crate::pairing::schedule::Schedule;
use crate::player::process_group::Herd;
use crate::registry::{Hosted, Speech};
use crate::tournament::interrupt::Stop;
use crate::tournament::{Contestant, Source, Tournament};
use arbitre_bots as bots;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// A match that can be played.
pub struct Plan {
    /// What was agreed.
    pub charter: Charter,
    /// The game with its options.
    pub game: Box<dyn Hosted>,
    /// The players.
    pub contestants: Vec<Contestant>,
    /// Who meets whom, when.
    pub schedule: Schedule,
    /// What the rounds start from.
    pub openings: Openings,
    /// How many games are played at once.
    pub concurrency: usize,
}

impl Plan {
    /// A plan to play what was agreed.
    ///
    /// # Errors
    /// If a program cannot be used, or there are no such openings.
    pub fn new(charter: Charter, concurrency: Option<u16>) -> Result<Plan, Failure> {
        let game = charter.open_game().map_err(Failure::usage)?;
        let contestants: Result<Vec<Contestant>, Failure> =
            charter.players.iter().map(contestant).collect();
        let contestants = contestants?;
        let (schedule, openings) = (charter.schedule(), charter.openings(&*game));
        if let (OpeningSource::Drawn(plies), true) = (&charter.openings, openings.is_empty()) {
            let message = match plies {
                0 => "no start can be drawn under these rules: are they too strict?".into(),
                _ => format!(
                    "there is no opening of {plies} plies under these rules: try --openings 0"
                ),
            };
            return Err(Failure::Usage(message));
        }
        let with_a_person = contestants.iter().any(|who| matches!(who.source, Source::Person));
        let concurrency = if with_a_person { 1 } else { default_concurrency(concurrency) };
        let concurrency = concurrency.min(usize::try_from(schedule.games()).unwrap_or(usize::MAX));
        Ok(Plan { charter, game, contestants, schedule, openings, concurrency })
    }

    /// Takes these players, by their numbers, for started: they were ready in an earlier run.
    pub fn prove(&self, players: &HashSet<usize>) {
        players.iter().for_each(|&player| self.contestants[player].prove());
    }

    /// Does a person sit at the terminal?
    pub fn has_a_person(&self) -> bool {
        self.contestants.iter().any(|who| matches!(who.source, Source::Person))
    }

    /// What each player's files are, by its name.
    pub fn versions(&self) -> BTreeMap<String, String> {
        let versions = self.contestants.iter().filter_map(|who| match &who.source {
            Source::Program(program) | Source::Bundled(program) => {
                Some((who.party.name.clone(), program.digest()))
            }
            Source::Person | Source::Mind(_) => None,
        });
        versions.collect()
    }

    /// The tournament of this plan.
    pub fn tournament<'a>(
        &'a self,
        pinned: bool,
        herd: &'a Herd,
        stop: &'a Stop,
    ) -> Tournament<'a> {
        Tournament {
            game: &*self.game,
            contestants: &self.contestants,
            schedule: &self.schedule,
            openings: &self.openings,
            concurrency: self.concurrency,
            pinned,
            herd,
            stop,
        }
    }
}

/// Whoever was agreed upon, found on this machine.
///
/// # Errors
/// If its program cannot be used.
pub fn contestant(party: &Party) -> Result<Contestant, Failure> {
    let (source, tongue) = match Kind::of(&party.command).map_err(Failure::usage)? {
        Kind::Human => (Source::Person, Speech::Person { colour: colours(&std::io::stderr()) }),
        kind => (program(&kind)?, Speech::of(&party.dialect).map_err(Failure::usage)?),
    };
    Ok(Contestant::new(party.clone(), source, tongue))
}

fn program(kind: &Kind) -> Result<Source, Failure> {
    match kind {
        Kind::Human => Ok(Source::Person),
        Kind::Bundled(name, arguments) => {
            let bot = bots::find(name).expect("the words were compared");
            bot.console(arguments).map_err(Failure::usage)?;
            Ok(Source::Bundled(Program::bundled(Path::new("/proc/self/exe"), name, arguments)))
        }
        Kind::External(words) => {
            let program = Program::find(words).map_err(|why| Failure::Player(why.to_string()))?;
            Ok(Source::Program(program))
        }
    }
}

/// How many games are played at once.
pub fn default_concurrency(asked: Option<u16>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(if processors > 2 { processors - 1 } else { processors }, usize::from)
}
