//! `referee tune PLAYER`: tunes the numbers of a command with a genetic algorithm.

pub mod args;
mod batch;
mod evaluator;

use crate::cli::listen::listen_beside;
use crate::cli::play::warn_of_sandbox;
use crate::tune::fitness::Fitness;
use crate::tune::gene::CommandTemplate;
use crate::tune::genetic::{Candidate, GeneticAlgorithm};
use crate::tune::plot::Plot;
use crate::tune::report::{result, text, HeldOut, Tuning, TuningInfo};
use crate::tune::run::TuningRun;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_either, tell, write_whole};
use arbitre_referee::report::progress::Progress;
use arbitre_referee::run::descriptors::make_room_for_descriptors;
use arbitre_referee::run::interrupt::Listener;
use arbitre_referee::run::processors::default_concurrency;
use arbitre_referee::statistics::solo::Differences;
use arbitre_referee::store::Evaluation;
use args::TuneArgs;
use evaluator::{Evaluator, TuneError};
use std::fs::OpenOptions;
use std::process::ExitCode;
use std::time::Instant;

/// Tunes a player.
pub fn run(args: &TuneArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let template = CommandTemplate::new(&args.player, args.genes.clone())?;
    let ancestor = template.genome(&args.ancestor)?;
    let algorithm = algorithm(args, &template)?;
    let evaluator = Evaluator::new(args, &template.fill(&ancestor), registry)?;
    // Opened now, so that an unwritable file is reported before the first game.
    if let Some(path) = &args.svg {
        let opened = OpenOptions::new().append(true).create(true).open(path);
        opened.map_err(about(path, Failure::Data))?;
    }
    let run = TuningRun::new(algorithm, ancestor, args.seed);
    let progress = progress(args, &evaluator);
    announce(args, &evaluator)?;
    warn_of_sandbox(evaluator.sandboxes.as_ref(), &evaluator.first);
    make_room_for_descriptors(default_concurrency(args.concurrency, 1));
    let _listener = listen(&evaluator, &progress)?;
    let mut tuner = Tuner { args, template, evaluator, run, progress, begun: Instant::now() };
    let ended = tuner.evolve().and_then(|()| tuner.hold_out());
    tuner.progress.finish();
    match ended {
        Ok(held_out) => tuner.show(held_out).map(|()| ExitCode::SUCCESS),
        Err(TuneError::Interrupted) => tuner.show(None).map(|()| ExitCode::from(INTERRUPTED)),
        Err(TuneError::Failed(failure)) => Err(failure),
    }
}

fn algorithm(args: &TuneArgs, template: &CommandTemplate) -> Result<GeneticAlgorithm, Failure> {
    let algorithm = GeneticAlgorithm {
        candidates: args.candidates.into(),
        parents: args.parents.into(),
        new: args.new.into(),
        mutation: args.mutation,
        clamp: args.clamp,
        distinct: args.distinct,
        gene_ranges: template.gene_ranges(),
    };
    algorithm.check()?;
    Ok(algorithm)
}

/// Prints the first lines, which describe the run.
fn announce(args: &TuneArgs, evaluator: &Evaluator) -> Result<(), Failure> {
    let TuneArgs { candidates, generations, seed, .. } = args;
    let instances = evaluator.instances;
    let mut line = format!(
        "{candidates} candidates x {generations} generations x {instances} instances, seed {seed}\n"
    );
    if let Some(sandboxes) = &evaluator.sandboxes {
        line += &format!("{}\n", sandboxes.line());
    }
    tell(&line, args.json)
}

/// Creates the progress bar for the largest possible number of games. The evaluator subtracts known
/// games, such as those of parents.
fn progress(args: &TuneArgs, evaluator: &Evaluator) -> Progress {
    let candidates = u64::from(args.candidates) * u64::from(args.generations);
    // The winner and the ancestor both play the held-out instances.
    let games = candidates * evaluator.instances + 2 * args.held_out;
    Progress::new(games * evaluator.config.seats as u64, 0, false, true)
}

fn listen(evaluator: &Evaluator, progress: &Progress) -> Result<Listener, Failure> {
    let last = match evaluator.db() {
        Some(path) => {
            format!("stopped; the games played are in {path}; the same command continues")
        }
        None => "stopped".into(),
    };
    listen_beside(progress, &evaluator.stop, &evaluator.processes, last)
}

struct Tuner<'a> {
    args: &'a TuneArgs,
    template: CommandTemplate,
    evaluator: Evaluator<'a>,
    run: TuningRun,
    progress: Progress,
    begun: Instant,
}

impl Tuner<'_> {
    /// Evaluates all generations.
    fn evolve(&mut self) -> Result<(), TuneError> {
        let planned = self.args.generations;
        for number in 1..=planned {
            let candidates = self.run.next();
            let fitness = self.evaluate(&candidates)?;
            self.run.take(candidates, fitness);
            let last = self.run.generations().last().expect("a generation was just added");
            let (best, winner) = (last.best(), self.template.describe(self.run.winner()));
            let best = result(&last.fitness[best]);
            self.progress.say(&format!("generation {number} of {planned}: {best} by {winner}"));
            self.draw()?;
        }
        Ok(())
    }

    fn evaluate(&mut self, candidates: &[Candidate]) -> Result<Vec<Fitness>, TuneError> {
        let players: Vec<String> =
            candidates.iter().map(|candidate| self.template.fill(&candidate.genome)).collect();
        let results =
            self.evaluator.evaluate(&players, 0..self.evaluator.instances, &self.progress)?;
        let measure = self.evaluator.measure;
        Ok(results.iter().map(|results| Fitness::of(measure, results)).collect())
    }

    /// Compares the winner and the ancestor on instances that the tuning did not use.
    fn hold_out(&mut self) -> Result<Option<HeldOut>, TuneError> {
        let instances = self.args.held_out;
        if instances == 0 {
            return Ok(None);
        }
        let players =
            [self.run.winner(), self.run.ancestor()].map(|genome| self.template.fill(genome));
        // Instances are rounds of one schedule: those after the tuned ones are new.
        let first = self.evaluator.instances;
        let results =
            self.evaluator.evaluate(&players, first..first + instances, &self.progress)?;
        let (measure, seats) = (self.evaluator.measure, self.evaluator.config.seats);
        let differences = differences(&results[0], &results[1], seats);
        let [winner, ancestor] = [0, 1].map(|at| Fitness::of(measure, &results[at]));
        Ok(Some(HeldOut { instances, winner, ancestor, differences }))
    }

    fn draw(&self) -> Result<(), Failure> {
        let Some(path) = &self.args.svg else { return Ok(()) };
        let TuneArgs { candidates, seed, generations, .. } = self.args;
        let (game, instances) = (&self.evaluator.config.game, self.evaluator.instances);
        let line = format!("{game}, {candidates} candidates on {instances} instances, seed {seed}");
        let plot = Plot {
            template: &self.template,
            about: &line,
            generations: self.run.generations(),
            planned: usize::from(*generations),
        };
        write_whole(path, &plot.document()).map_err(about(path, Failure::Data))
    }

    fn show(&self, held_out: Option<HeldOut>) -> Result<(), Failure> {
        let db = self.evaluator.db();
        let kept = db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
        let about = TuningInfo {
            config: &self.evaluator.config,
            template: &self.template,
            planned: self.args.generations.into(),
            instances: self.evaluator.instances,
            measure: self.evaluator.measure,
            held_out,
            games: self.evaluator.games,
            seconds: self.begun.elapsed().as_secs_f64(),
            sandbox: self.evaluator.sandboxes.as_ref().map(|of| of.level),
            db,
        };
        let told = text(&self.run, &about) + &kept;
        print_either(&Tuning::new(&self.run, &about), &told, self.args.json)?;
        if self.args.json {
            diagnostics::print(kept);
        }
        Ok(())
    }
}

/// Returns the differences of results by instance, for instances that both players solved in every
/// seat.
fn differences(one: &[Evaluation], other: &[Evaluation], seats: usize) -> Differences {
    // The sum is `None` if the score of one seat is missing.
    let total = |results: &[Evaluation]| results.iter().map(|result| result.score).sum();
    let mut differences = Differences::default();
    for (one, other) in one.chunks(seats).zip(other.chunks(seats)) {
        let [one, other]: [Option<i64>; 2] = [total(one), total(other)];
        if let (Some(one), Some(other)) = (one, other) {
            differences.add(one - other);
        }
    }
    differences
}
