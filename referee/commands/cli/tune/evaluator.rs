//! Evaluation of candidates: plays the games whose results are not yet known.

use super::args::TuneArgs;
use super::batch::Batch;
use crate::tune::evaluation::{Entrant, EvaluationContext};
use crate::tune::fitness::Measure;
use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::config::args::ConfigArgs;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::from_args::{
    choose_game, player_config, resolve_players, Absent, Tables,
};
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::{Contest, OpeningSource, ResolvedContest};
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::openings::Openings;
use arbitre_referee::player::digest::VersionKind;
use arbitre_referee::registry::{DynGame, Registry};
use arbitre_referee::report::progress::Progress;
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::planned_player;
use arbitre_referee::run::processors::{default_concurrency, per_game};
use arbitre_referee::run::roster::Field;
use arbitre_referee::run::sandboxes::{ProgramSandboxes, SandboxPolicy};
use arbitre_referee::run::{PlannedPlayer, Workers};
use arbitre_referee::store::{folder, holder, Evaluation, Evaluations, StoreError};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Number of instances per candidate if neither `--instances` nor a list of openings sets it. Not
/// tuned.
const INSTANCES: u64 = 20;

/// Reason why a tuning run ended early.
pub enum TuneError {
    /// Failure.
    Failed(Failure),
    /// Request by the user to stop.
    Interrupted,
}

impl<F: Into<Failure>> From<F> for TuneError {
    fn from(failure: F) -> TuneError {
        TuneError::Failed(failure.into())
    }
}

/// Evaluator of candidates.
pub struct Evaluator<'a> {
    args: &'a TuneArgs,
    registry: &'a Registry,
    /// Configuration of the match, with the ancestor as the first player.
    pub config: Contest,
    /// Kind of each player's command, in the order of the configuration.
    commands: Vec<CommandKind>,
    game: Box<dyn DynGame>,
    openings: Openings,
    /// Number of instances that each candidate plays.
    pub instances: u64,
    /// Unit of the results.
    pub measure: Measure,
    evaluations: Evaluations,
    /// Versions of programs, by path and arguments.
    versions: HashMap<(PathBuf, Vec<String>), String>,
    version_kind: VersionKind,
    /// Process groups of the running programs.
    pub processes: ProcessGroups,
    /// Requests of the user to stop.
    pub stop: Stop,
    /// Number of games played, and of games that were known.
    pub games: [u64; 2],
    policy: SandboxPolicy<'a>,
    /// Sandboxes of the programs; `None` if all players are bundled bots.
    pub sandboxes: Option<ProgramSandboxes>,
    /// The ancestor and its opponents, in their sandboxes.
    pub first: Vec<PlannedPlayer>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator for this ancestor and its descendants.
    ///
    /// # Errors
    /// Returns an error if the arguments describe no games, or the file of evaluations cannot be
    /// used.
    pub fn new(
        args: &'a TuneArgs,
        ancestor: &str,
        registry: &'a Registry,
    ) -> Result<Evaluator<'a>, Failure> {
        let resolved = resolve(args, ancestor, registry)?;
        if let Some(note) = &resolved.note {
            diagnostics::print(format_args!("{note}\n"));
        }
        let ResolvedContest { config, game, commands, .. } = resolved;
        let openings = config.openings(&*game);
        let listed = match &config.openings {
            OpeningSource::Listed(setups) => {
                // At least one: a list shorter than `held_out` is then refused below.
                Some((setups.len() as u64).saturating_sub(args.held_out).max(1))
            }
            OpeningSource::Drawn(_) => None,
        };
        let instances = args.instances.or(listed).unwrap_or(INSTANCES);
        if let Some(distinct) = openings.fewer_than(instances + args.held_out)? {
            let held_out = args.held_out;
            return Err(Failure::Usage(format!(
                "expected at most {distinct} instances, got {instances} to tune on and {held_out} held out"
            )));
        }
        let measure = match config.seats {
            1 => Measure::Score { lower_is_better: game.meta().lower_is_better },
            seats => Measure::HalfPoints { others: seats - 1 },
        };
        let (evaluations, versions) = (open(args.db.as_deref())?, HashMap::new());
        let version_kind = match evaluations.has_checksums()? {
            true => VersionKind::Checksum,
            false => VersionKind::Digest,
        };
        let (processes, stop, games) = (ProcessGroups::default(), Stop::default(), [0, 0]);
        let required = args.requirement.require_sandbox;
        let policy = SandboxPolicy::new(registry.executable, required, evaluations.path());
        let mut evaluator = Evaluator {
            args,
            registry,
            config,
            commands,
            game,
            openings,
            instances,
            measure,
            evaluations,
            versions,
            version_kind,
            processes,
            stop,
            games,
            policy,
            sandboxes: None,
            first: Vec::new(),
        };
        evaluator.first = evaluator.players(&[&ancestor.to_owned()])?;
        evaluator.sandboxes = evaluator.policy.sandboxes(&evaluator.first)?;
        evaluator.policy.apply(&mut evaluator.first);
        Ok(evaluator)
    }

    /// Returns the path of the file of evaluations; `None` if they are only in memory.
    pub fn db(&self) -> Option<String> {
        self.evaluations.path().map(|path| path.display().to_string())
    }

    /// Returns the results of `players` in `rounds` by player and game. The games of a round are in
    /// the order of the seats. Known games are not played again, and equal players play once.
    ///
    /// # Errors
    /// Returns an error if a player cannot be started, the file cannot be used, or the user asked
    /// to stop.
    pub fn evaluate(
        &mut self,
        players: &[String],
        rounds: Range<u64>,
        progress: &Progress,
    ) -> Result<Vec<Vec<Evaluation>>, TuneError> {
        let mut distinct: Vec<&String> = Vec::new();
        for player in players {
            if !distinct.contains(&player) {
                distinct.push(player);
            }
        }
        let mut seated = self.players(&distinct)?;
        self.policy.apply(&mut seated);
        let contexts = self.contexts(&seated, distinct.len());
        let mut batch = Batch::new(contexts, self.config.seats, rounds, self.config.seed);
        let again = (players.len() - distinct.len()) as u64 * batch.games_of_each();
        let known = batch.recall(&self.evaluations, &self.openings)? + again;
        progress.pass_over(known);
        self.games[1] += known;
        self.play(&seated, &mut batch, progress)?;
        if self.stop.requested() && batch.missing() > 0 {
            return Err(TuneError::Interrupted);
        }
        let results = batch.results();
        let at = |player: &String| distinct.iter().position(|known| *known == player);
        Ok(players.iter().filter_map(at).map(|at| results[at].clone()).collect())
    }

    /// Returns the candidates, followed by their opponents.
    fn players(&self, candidates: &[&String]) -> Result<Vec<PlannedPlayer>, Failure> {
        let candidate = |text: &&String| {
            let explain = |failure| match failure {
                Failure::Usage(why) => Failure::Usage(format!("{text}: {why}")),
                other => other,
            };
            let arg = PlayerArg::parse(text, self.registry)?;
            let (args, name) = (self.args, text.to_string());
            let config = player_config(&arg, &args.dialect, &args.options, name, self.registry)?;
            planned_player(&config, &arg.kind, &*self.game, self.registry).map_err(explain)
        };
        // The first configured player is the ancestor, which is a candidate.
        let opponents = self.config.players.iter().zip(&self.commands).skip(1);
        let opponents = opponents
            .map(|(config, kind)| planned_player(config, kind, &*self.game, self.registry));
        candidates.iter().map(candidate).chain(opponents).collect()
    }

    /// Returns the document of each candidate's games.
    fn contexts(&mut self, players: &[PlannedPlayer], candidates: usize) -> Vec<String> {
        let versions: Vec<String> = players.iter().map(|player| self.version(player)).collect();
        let entrant = |at: usize| Entrant::new(&players[at].config, &versions[at]);
        let Contest { game, rules, .. } = &self.config;
        let context = |at: usize| {
            let against = (candidates..players.len()).map(entrant).collect();
            EvaluationContext { game, rules, player: entrant(at), against }.document()
        };
        (0..candidates).map(context).collect()
    }

    fn version(&mut self, player: &PlannedPlayer) -> String {
        let Some(program) = player.source.program() else { return String::new() };
        let (key, kind) = ((program.path.clone(), program.arguments.clone()), self.version_kind);
        self.versions.entry(key).or_insert_with(|| kind.version(program)).clone()
    }

    /// Plays the missing games and stores their results.
    fn play(
        &mut self,
        players: &[PlannedPlayer],
        batch: &mut Batch,
        progress: &Progress,
    ) -> Result<(), TuneError> {
        if batch.missing() == 0 {
            return Ok(());
        }
        // The batch takes results while games run, so the workers need its own copies.
        let (done, schedule) = (batch.done.clone(), batch.schedule.clone());
        let limits = players.iter().map(|player| &player.config.limits);
        let per_game = per_game(limits, schedule.seats());
        let concurrency = default_concurrency(self.args.concurrency, per_game);
        let workers = Workers {
            game: &*self.game,
            players: Field::Fixed(players),
            schedule: &schedule,
            openings: &self.openings,
            adjudication: None,
            concurrency: concurrency.min(batch.missing()),
            pinned: !self.args.no_pin,
            processes: &self.processes,
            stop: &self.stop,
            spectator: None,
        };
        let mut failed = None;
        let mut played = 0;
        let worked = workers.run_games(done, |record| {
            match batch.take(&record, &self.evaluations, players) {
                Ok(()) => {
                    played += 1;
                    progress.game(String::new());
                    ControlFlow::Continue(())
                }
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            }
        });
        self.games[0] += played;
        failed.or(worked.err()).map_or(Ok(()), |failure| Err(TuneError::Failed(failure)))
    }
}

/// Returns the match of the ancestor against its opponents.
fn resolve(
    args: &TuneArgs,
    ancestor: &str,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    let players =
        PlayerArg::parse_all(&[&[ancestor.to_owned()], &args.against[..]].concat(), registry)?;
    if players.iter().any(|arg| arg.kind == CommandKind::Human) {
        return Err(Failure::Usage("expected a program, got a person".into()));
    }
    let meta = choose_game(args.game.as_deref(), None, &players, registry)?.meta;
    match meta.seats {
        (_, 1) if players.len() > 1 => {
            let message = format!("{}: expected no --against in a solo game", meta.name);
            return Err(Failure::Usage(message));
        }
        (fewest, _) if players.len() < fewest => {
            let message = format!(
                "{}: expected {fewest} players, got {}{HELP}name opponents with --against",
                meta.name,
                players.len()
            );
            return Err(Failure::Usage(message));
        }
        _ => {}
    }
    let config = ConfigArgs {
        common: CommonArgs {
            // One seat per player: all opponents sit at the candidate's table.
            seats: Some(players.len()),
            game: args.game.clone(),
            openings: args.openings.clone(),
            rules: args.rules.clone(),
            dialect: Some(args.dialect.clone()),
            ..CommonArgs::default()
        },
        ..ConfigArgs::default()
    };
    let absent = Absent {
        seed: args.instance_seed.unwrap_or(args.seed),
        games: Some(1),
        tables: Tables::All,
    };
    resolve_players(players, &config, &args.options, absent, registry)
}

fn open(db: Option<&Path>) -> Result<Evaluations, StoreError> {
    match db {
        Some(path) if path == Path::new(folder::IN_MEMORY) => Evaluations::in_memory(),
        Some(path) => Evaluations::open(path, &holder()),
        None => Evaluations::open(&folder::tuning_file()?, &holder()),
    }
}
