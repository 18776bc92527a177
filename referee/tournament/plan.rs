//! From a configuration to a match that can be played: finds programs and draws openings.

use crate::config::player_arg::CommandKind;
use crate::config::{MatchConfig, OpeningSource, PlayerConfig, ResolvedMatch};
use crate::failure::Failure;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::Schedule;
use crate::player::human::shows_colours;
use crate::player::process_group::ProcessGroups;
use crate::player::program::Program;
use crate::registry::{DynGame, Registry, Speech};
use crate::tournament::interrupt::Stop;
use crate::tournament::{PlayerSource, Tournament, TournamentPlayer};
use std::collections::{BTreeMap, HashSet};
use std::io::stderr;

/// Match that can be played.
pub struct MatchPlan {
    /// The configuration.
    pub config: MatchConfig,
    /// The game with its rules.
    pub game: Box<dyn DynGame>,
    /// The players.
    pub players: Vec<TournamentPlayer>,
    /// Index, players and seeds of each game.
    pub schedule: Schedule,
    /// Setups by round.
    pub openings: Openings,
    /// Number of games played at once.
    pub concurrency: usize,
}

impl MatchPlan {
    /// Finds the programs of a match and draws its first opening.
    ///
    /// # Errors
    /// Returns an error if a program cannot be used, or there are no such openings.
    pub fn new(
        resolved: ResolvedMatch,
        registry: &Registry,
        concurrency: Option<u16>,
    ) -> Result<MatchPlan, Failure> {
        let ResolvedMatch { config, game, commands, .. } = resolved;
        let with_commands = config.players.iter().zip(&commands);
        let players = with_commands
            .map(|(player, kind)| tournament_player(player, kind, &*game, registry))
            .collect::<Result<Vec<_>, Failure>>()?;
        let (schedule, openings) = (config.schedule(), config.openings(&*game));
        if let (OpeningSource::Drawn(plies), true) = (&config.openings, openings.is_empty()?) {
            let message = match plies {
                0 => "expected a random start under these rules, got none".into(),
                _ => format!(
                    "--openings: expected a possible length under these rules, got {plies}; help: try \
                     --openings 0"
                ),
            };
            return Err(Failure::Usage(message));
        }
        // A person plays one game at a time.
        let with_a_person = commands.contains(&CommandKind::Human);
        let concurrency = if with_a_person { 1 } else { default_concurrency(concurrency) };
        let concurrency = concurrency.min(usize::try_from(schedule.games()).unwrap_or(usize::MAX));
        Ok(MatchPlan { config, game, players, schedule, openings, concurrency })
    }

    /// Marks players, by their numbers, as known to start: they were ready in an earlier run.
    pub fn prove(&self, players: &HashSet<usize>) {
        players.iter().for_each(|&player| self.players[player].mark_started());
    }

    /// Returns `true` if a person plays at the terminal.
    pub fn has_a_person(&self) -> bool {
        self.players.iter().any(|who| matches!(who.source, PlayerSource::Person))
    }

    /// Returns the digest of each player's files, by its name.
    pub fn versions(&self) -> BTreeMap<String, String> {
        let version = |player: &TournamentPlayer| {
            Some((player.config.name.clone(), player.source.program()?.digest()))
        };
        self.players.iter().filter_map(version).collect()
    }

    /// Returns the tournament of this plan.
    pub fn tournament<'a>(
        &'a self,
        pinned: bool,
        processes: &'a ProcessGroups,
        stop: &'a Stop,
    ) -> Tournament<'a> {
        Tournament {
            game: &*self.game,
            players: &self.players,
            schedule: &self.schedule,
            openings: &self.openings,
            concurrency: self.concurrency,
            pinned,
            processes,
            stop,
        }
    }
}

/// Finds a player on this machine.
///
/// # Errors
/// Returns an error if its program cannot be used.
pub fn tournament_player(
    config: &PlayerConfig,
    kind: &CommandKind,
    game: &dyn DynGame,
    registry: &Registry,
) -> Result<TournamentPlayer, Failure> {
    let source = match kind {
        CommandKind::Human => {
            let speech = Speech::Person { colour: shows_colours(&stderr()) };
            return Ok(TournamentPlayer::new(config.clone(), PlayerSource::Person, speech));
        }
        CommandKind::Bundled(name, arguments) => {
            let bot = registry.bot(name).expect("a bundled command names a bundled bot");
            // Built and dropped, so that wrong arguments are reported before the match.
            bot.console(arguments)?;
            let program = Program::bundled(registry.executable, name, arguments);
            PlayerSource::Bundled(program)
        }
        CommandKind::External(words) => {
            let program = Program::find(words, &registry.bot_names());
            let program = program.map_err(|why| Failure::Player(why.to_string()))?;
            PlayerSource::Program(program.launched_by(registry.executable))
        }
    };
    let speech = Speech::Dialect(game.dialect(&config.dialect)?);
    Ok(TournamentPlayer::new(config.clone(), source, speech))
}

/// Returns the failure of a match in which a player could not be started.
pub fn start_failure(players: &[TournamentPlayer]) -> Option<Failure> {
    let (player, why) = players.iter().find_map(|player| Some((player, player.given_up()?)))?;
    Some(Failure::Player(format!("{} could not be started: {why}", player.config.name)))
}

/// Returns the number of games played at once: `asked`, else one less than the processors if there
/// are more than two.
pub fn default_concurrency(asked: Option<u16>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(if processors > 2 { processors - 1 } else { processors }, usize::from)
}
