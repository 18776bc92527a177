//! Matches played in this process.

use crate::command::program;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::PlayerConfig;
use arbitre::internals::formats::openings::Openings;
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::record::Record;
use arbitre::internals::player::program;
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::roster::Field;
use arbitre::internals::run::{PlannedPlayer, PlayerSource, Workers};
use arbitre::internals::statistics::tally::Tally;
use arbitre::referee::registry::DynGame;
use arbitre_process::process_group::ProcessGroups;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

/// Returns Awélé with its default rules.
pub fn awele() -> Box<dyn DynGame> {
    arbitre::registry().open("awele", "").unwrap()
}

/// Returns a bundled Awélé bot as a program.
pub fn bundled(arguments: &[&str]) -> PlayerSource {
    bundled_bot("awele", arguments)
}

/// Returns a bundled bot as a program.
pub fn bundled_bot(name: &str, arguments: &[&str]) -> PlayerSource {
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).into()).collect();
    PlayerSource::Bundled(program::bundled(&program("referee"), name, &arguments))
}

/// Settings of a match.
pub struct Match {
    /// Name of the game.
    pub game: &'static str,
    /// Players.
    pub sources: Vec<PlayerSource>,
    /// Number of seats of a table.
    pub seats: usize,
    /// Games per group of players.
    pub games: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// Number of games at once.
    pub concurrency: usize,
    /// Rules.
    pub rules: &'static str,
    /// Length of the openings in plies.
    pub openings: usize,
    /// Dialect of all players.
    pub dialect: &'static str,
    /// Time for each move.
    pub move_time: Duration,
}

impl Match {
    /// Creates a match of forty games of Awélé for two seats, one game at a time.
    pub fn of(sources: impl IntoIterator<Item = PlayerSource>) -> Match {
        let sources = sources.into_iter().collect();
        let (game, seats, rules, openings, dialect) = ("awele", 2, "", 8, "arbitre");
        let (games, seed, concurrency) = (40, 1, 1);
        // A busy machine changes nothing.
        let move_time = Duration::from_secs(30);
        Match {
            game,
            sources,
            seats,
            games,
            seed,
            concurrency,
            rules,
            openings,
            dialect,
            move_time,
        }
    }

    /// Creates a match of twelve games of Tron, with all of `sources` at one table.
    pub fn of_tron(sources: impl IntoIterator<Item = PlayerSource>) -> Match {
        let all = Match::of(sources);
        Match { game: "tron", seats: all.sources.len(), games: 12, openings: 0, ..all }
    }

    /// Plays the match.
    pub fn play(&self) -> (Tally, Vec<Record>) {
        self.play_in(&ProcessGroups::default())
    }

    /// Plays the match with programs in these groups.
    pub fn play_in(&self, processes: &ProcessGroups) -> (Tally, Vec<Record>) {
        let game = arbitre::registry().open(self.game, self.rules).unwrap();
        let mut limits = PlayerLimits::default();
        limits.clock.per_move = Some(self.move_time);
        limits.clock.first = None;
        // A busy machine changes nothing.
        limits.clock.init = Some(Duration::from_secs(60));
        let names = ["a", "b", "c", "d"].into_iter();
        let player = |(source, name): (&PlayerSource, &str)| {
            let speech = game.speech(self.dialect).unwrap();
            let (name, dialect) = (name.into(), "arbitre".into());
            let limits = limits.clone();
            let player = PlayerConfig { name, dialect, limits, ..PlayerConfig::default() };
            PlannedPlayer::new(player, source.clone(), speech)
        };
        let players: Vec<PlannedPlayer> = self.sources.iter().zip(names).map(player).collect();
        let schedule = Schedule::new(players.len(), self.seats, self.games, self.seed);
        let openings = Openings::drawn(&*game, self.seats, self.openings, schedule.openings_rng());
        let games = (&schedule, &openings);
        let records = play_games(&*game, &players, games, self.concurrency, processes);
        let mut tally = Tally::new(players.len());
        records.iter().for_each(|record| tally.add_record(record));
        (tally, records)
    }
}

/// Plays all games of a schedule, `concurrency` at once.
pub fn play_all(
    game: &dyn DynGame,
    players: &[PlannedPlayer],
    schedule: &Schedule,
    openings: &Openings,
    concurrency: usize,
) -> Vec<Record> {
    let processes = ProcessGroups::default();
    play_games(game, players, (schedule, openings), concurrency, &processes)
}

fn play_games(
    game: &dyn DynGame,
    players: &[PlannedPlayer],
    (schedule, openings): (&Schedule, &Openings),
    concurrency: usize,
    processes: &ProcessGroups,
) -> Vec<Record> {
    let (stop, pinned) = (&Stop::default(), true);
    let workers = Workers {
        game,
        players: Field::Fixed(players),
        schedule,
        openings,
        adjudication: None,
        concurrency,
        pinned,
        processes,
        stop,
        spectator: None,
    };
    let mut records = Vec::new();
    let played = workers.run_games(HashSet::new(), |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    played.expect("no worker fails");
    records
}
