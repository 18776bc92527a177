//! Where candidates are judged: in games that are not known yet.

use super::args::Tune;
use super::batch::Batch;
use crate::cli::args::Duel;
use crate::cli::charter::{choose_game, party, read};
use crate::cli::failure::Failure;
use crate::cli::match_file::holder;
use crate::cli::plan::{contestant, default_concurrency};
use crate::config::command::{Kind, Spec};
use crate::config::{Charter, OpeningSource};
use crate::pairing::openings::Openings;
use crate::player::process_group::Herd;
use crate::registry::Hosted;
use crate::report::progress::Progress;
use crate::store::{folder, Evaluation, Evaluations, StoreError};
use crate::tournament::interrupt::Stop;
use crate::tournament::{Contestant, Source, Tournament};
use crate::tune::evaluation::{Entrant, Trial};
use crate::tune::fitness::Measure;
use arbitre_games::game::ParseError;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// The instances of a tuning where nobody says how many.
const INSTANCES: u64 = 20;

/// Why a tuning does not come to its end.
pub enum Halt {
    /// Something is wrong.
    Failed(Failure),
    /// Somebody asked to stop.
    Interrupted,
}

impl<F: Into<Failure>> From<F> for Halt {
    fn from(failure: F) -> Halt {
        Halt::Failed(failure.into())
    }
}

/// Where candidates are judged.
pub struct Bench<'a> {
    args: &'a Tune,
    /// What was agreed, with the ancestor as the first player.
    pub charter: Charter,
    game: Box<dyn Hosted>,
    openings: Openings,
    /// How many instances each candidate plays.
    pub instances: u64,
    /// What results are counted in.
    pub measure: Measure,
    evaluations: Evaluations,
    /// The digests of programs, by their files.
    versions: HashMap<Vec<PathBuf>, String>,
    /// Where running programs are written down.
    pub herd: Herd,
    /// Whether to go on.
    pub stop: Stop,
    /// Games that were played, and that were known.
    pub games: [u64; 2],
}

impl<'a> Bench<'a> {
    /// Where this ancestor and those who come after it are judged.
    ///
    /// # Errors
    /// If the words describe no games, or the file of evaluations does not serve.
    pub fn new(args: &'a Tune, ancestor: &str) -> Result<Bench<'a>, Failure> {
        let charter = agree(args, ancestor)?;
        let game = charter.open_game().map_err(Failure::usage)?;
        let openings = charter.openings(&*game);
        let listed = match &charter.openings {
            OpeningSource::Listed(setups) => {
                Some((setups.len() as u64).saturating_sub(args.held_out).max(1))
            }
            OpeningSource::Drawn(_) => None,
        };
        let instances = args.instances.or(listed).unwrap_or(INSTANCES);
        if let Some(distinct) = openings.fewer_than(instances + args.held_out) {
            let held_out = args.held_out;
            return Err(Failure::Usage(format!(
                "there are only {distinct} instances, not {instances} to tune on and {held_out} held out"
            )));
        }
        let measure = match charter.seats {
            1 => Measure::Score { lower_is_better: game.meta().lower_is_better },
            seats => Measure::HalfPoints { others: seats - 1 },
        };
        let (evaluations, versions) = (open(args.db.as_deref())?, HashMap::new());
        let (herd, stop, games) = (Herd::default(), Stop::default(), [0, 0]);
        Ok(Bench {
            args,
            charter,
            game,
            openings,
            instances,
            measure,
            evaluations,
            versions,
            herd,
            stop,
            games,
        })
    }

    /// Where the evaluations are kept, if they are.
    pub fn db(&self) -> Option<String> {
        self.evaluations.path().map(|path| path.display().to_string())
    }

    /// What these players make of these rounds, by player and game; the games of a round are in the
    /// order of the seats. What is known is not played again, and nothing twice.
    ///
    /// # Errors
    /// If one cannot be started, the file does not serve, or somebody asked to stop.
    pub fn judge(
        &mut self,
        players: &[String],
        rounds: Range<u64>,
        progress: &Progress,
    ) -> Result<Vec<Vec<Evaluation>>, Halt> {
        let mut distinct: Vec<&String> = Vec::new();
        for player in players {
            if !distinct.contains(&player) {
                distinct.push(player);
            }
        }
        let contestants = self.contestants(&distinct)?;
        let trials = self.trials(&contestants, distinct.len());
        let mut batch = Batch::new(trials, self.charter.seats, rounds, self.charter.seed);
        let again = (players.len() - distinct.len()) as u64 * batch.games_of_each();
        let known = batch.recall(&self.evaluations, &self.openings)? + again;
        progress.pass_over(known);
        self.games[1] += known;
        self.play(&contestants, &mut batch, progress)?;
        if self.stop.requested() && batch.missing() > 0 {
            return Err(Halt::Interrupted);
        }
        let results = batch.results();
        let at = |player: &String| distinct.iter().position(|known| *known == player);
        Ok(players.iter().filter_map(at).map(|at| results[at].clone()).collect())
    }

    /// The candidates, and behind them those they play against.
    fn contestants(&self, candidates: &[&String]) -> Result<Vec<Contestant>, Failure> {
        let candidate = |text: &&String| {
            let explain = |failure| match failure {
                Failure::Usage(why) => Failure::Usage(format!("{text}: {why}")),
                other => other,
            };
            let spec = Spec::parse(text).map_err(Failure::usage)?;
            let (args, name) = (self.args, text.to_string());
            let party = party(&spec, &args.dialect, &args.limits, name)?;
            contestant(&party).map_err(explain)
        };
        let opponents = self.charter.players[1..].iter().map(contestant);
        candidates.iter().map(candidate).chain(opponents).collect()
    }

    /// The document of each candidate's games.
    fn trials(&mut self, contestants: &[Contestant], candidates: usize) -> Vec<String> {
        let versions: Vec<String> = contestants.iter().map(|who| self.version(who)).collect();
        let entrant = |at: usize| Entrant::new(&contestants[at].party, &versions[at]);
        let Charter { game, rules, .. } = &self.charter;
        let trial = |at: usize| {
            let against = (candidates..contestants.len()).map(entrant).collect();
            Trial { game, rules, player: entrant(at), against }.document()
        };
        (0..candidates).map(trial).collect()
    }

    fn version(&mut self, who: &Contestant) -> String {
        match &who.source {
            Source::Program(program) | Source::Bundled(program) => {
                let version = self.versions.entry(program.files());
                version.or_insert_with(|| program.digest()).clone()
            }
            Source::Person | Source::Mind(_) => String::new(),
        }
    }

    /// Plays what is missing, and keeps it.
    fn play(
        &mut self,
        contestants: &[Contestant],
        batch: &mut Batch,
        progress: &Progress,
    ) -> Result<(), Halt> {
        if batch.missing() == 0 {
            return Ok(());
        }
        // While games come in the batch takes their results.
        let (done, schedule) = (batch.done.clone(), batch.schedule.clone());
        let tournament = Tournament {
            game: &*self.game,
            contestants,
            schedule: &schedule,
            openings: &self.openings,
            concurrency: default_concurrency(self.args.concurrency).min(batch.missing()),
            pinned: !self.args.no_pin,
            herd: &self.herd,
            stop: &self.stop,
        };
        let mut failed = None;
        let mut played = 0;
        tournament.run(&done, |record| match batch.take(&record, &self.evaluations, contestants) {
            Ok(()) => {
                played += 1;
                progress.game(String::new());
                ControlFlow::Continue(())
            }
            Err(failure) => {
                failed = Some(failure);
                ControlFlow::Break(())
            }
        });
        self.games[0] += played;
        failed.map_or(Ok(()), |failure| Err(Halt::Failed(failure)))
    }
}

/// What is agreed with the ancestor and those it plays against.
fn agree(args: &Tune, ancestor: &str) -> Result<Charter, Failure> {
    let players: Vec<String> =
        std::iter::once(ancestor.to_owned()).chain(args.against.iter().cloned()).collect();
    let specs: Result<Vec<Spec>, ParseError> =
        players.iter().map(|text| Spec::parse(text)).collect();
    let specs = specs.map_err(Failure::usage)?;
    if specs.iter().any(|spec| spec.kind == Kind::Human) {
        return Err(Failure::Usage("a person plays no tunings".into()));
    }
    let meta = choose_game(args.game.as_deref(), &specs)?.meta;
    match meta.seats {
        (_, 1) if players.len() > 1 => {
            let message = format!("{} is played alone: leave --against out", meta.name);
            return Err(Failure::Usage(message));
        }
        (fewest, _) if players.len() < fewest => {
            let message = format!("{} needs {fewest} players: name --against", meta.name);
            return Err(Failure::Usage(message));
        }
        _ => {}
    }
    read(&duel(args, players), args.instance_seed.unwrap_or(args.seed), Some(1))
}

/// The words of the match that the ancestor's games are.
fn duel(args: &Tune, players: Vec<String>) -> Duel {
    Duel {
        seats: Some(players.len()),
        players,
        game: args.game.clone(),
        games: None,
        seed: None,
        concurrency: args.concurrency,
        openings: args.openings.clone(),
        rules: args.rules.clone(),
        dialect: args.dialect.clone(),
        db: None,
        resume: false,
        sprt: None,
        require: Vec::new(),
        json: args.json,
        events: false,
        no_pin: args.no_pin,
        limits: args.limits.clone(),
    }
}

fn open(db: Option<&Path>) -> Result<Evaluations, StoreError> {
    match db {
        Some(path) if path == Path::new(folder::IN_MEMORY) => Evaluations::in_memory(),
        Some(path) => Evaluations::open(path, &holder()),
        None => Evaluations::open(&folder::tuning_file()?, &holder()),
    }
}
