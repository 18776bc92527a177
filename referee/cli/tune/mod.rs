//! `referee tune PLAYER`: the numbers of a command, tuned by a genetic scheme.

mod args;
mod batch;
mod evaluator;

pub use args::Tune;

use super::failure::Failure;
use super::output::{print, print_json};
use super::plan::default_concurrency;
use super::play_match::make_room_for_descriptors;
use crate::report::progress::Progress;
use crate::report::tuning::{result, Circumstances, HeldOut, Tuning};
use crate::statistics::solo::Differences;
use crate::store::Evaluation;
use crate::tournament::interrupt::{Listener, INTERRUPTED};
use crate::tune::fitness::Fitness;
use crate::tune::gene::Template;
use crate::tune::genetic::{Candidate, Scheme};
use crate::tune::plot::Chart;
use crate::tune::run::Course;
use evaluator::{Bench, Halt};
use std::fs::OpenOptions;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Tunes a player.
pub fn run(args: &Tune) -> Result<ExitCode, Failure> {
    let template = Template::new(&args.player, args.genes.clone()).map_err(Failure::usage)?;
    let ancestor = template.genome(&args.ancestor).map_err(Failure::usage)?;
    let scheme = scheme(args, &template)?;
    let bench = Bench::new(args, &template.fill(&ancestor))?;
    if let Some(path) = &args.svg {
        let opened = OpenOptions::new().append(true).create(true).open(path);
        opened.map_err(|error| unwritable(path, &error))?;
    }
    let course = Course::new(scheme.clone(), ancestor, args.seed);
    let progress = progress(args, &bench);
    announce(args, &bench)?;
    make_room_for_descriptors(default_concurrency(args.concurrency));
    let _listener = listen(&bench, &progress)?;
    let mut tuner =
        Tuner { args, template, scheme, bench, course, progress, begun: Instant::now() };
    let ended = tuner.evolve().and_then(|()| tuner.hold_out());
    tuner.progress.finish();
    match ended {
        Ok(held_out) => tuner.show(held_out).map(|()| ExitCode::SUCCESS),
        Err(Halt::Interrupted) => tuner.show(None).map(|()| ExitCode::from(INTERRUPTED)),
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

fn scheme(args: &Tune, template: &Template) -> Result<Scheme, Failure> {
    let scheme = Scheme {
        candidates: args.candidates.into(),
        parents: args.parents.into(),
        new: args.new.into(),
        mutation: args.mutation,
        clamp: args.clamp,
        distinct: args.distinct,
        loci: template.loci(),
    };
    scheme.check().map_err(Failure::usage)?;
    Ok(scheme)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Data(format!("{}: {error}", path.display()))
}

/// The first line: what will be done.
fn announce(args: &Tune, bench: &Bench) -> Result<(), Failure> {
    let Tune { candidates, generations, seed, .. } = args;
    let instances = bench.instances;
    let line = format!(
        "{candidates} candidates x {generations} generations x {instances} instances, seed {seed}\n"
    );
    match args.json {
        true => eprint!("{line}"),
        false => drop(print(&line)?),
    }
    Ok(())
}

/// As many games as there are at most; parents and all else that is known are taken off.
fn progress(args: &Tune, bench: &Bench) -> Progress {
    let candidates = u64::from(args.candidates) * u64::from(args.generations);
    let games = candidates * bench.instances + 2 * args.held_out;
    Progress::new(games * bench.charter.seats as u64, 0, false, true)
}

fn listen(bench: &Bench, progress: &Progress) -> std::io::Result<Listener> {
    let (first, second) = (progress.clone(), progress.clone());
    let kept = match bench.db() {
        Some(path) => {
            format!("stopped; what was played is in {path}, and the same command goes on")
        }
        None => "stopped".into(),
    };
    Listener::start(
        bench.stop.clone(),
        bench.herd.clone(),
        move || first.say("finishing the games that run; once more to stop at once"),
        move || second.end_with(&kept),
    )
}

struct Tuner<'a> {
    args: &'a Tune,
    template: Template,
    scheme: Scheme,
    bench: Bench<'a>,
    course: Course,
    progress: Progress,
    begun: Instant,
}

impl Tuner<'_> {
    /// Judges all generations.
    fn evolve(&mut self) -> Result<(), Halt> {
        let planned = self.args.generations;
        for number in 1..=planned {
            let candidates = self.course.next();
            let fitness = self.judge(&candidates)?;
            self.course.take(candidates, fitness);
            let last = self.course.generations().last().expect("one was taken");
            let (best, winner) = (last.best(), self.template.describe(self.course.winner()));
            let best = result(&last.fitness[best]);
            self.progress.say(&format!("generation {number} of {planned}: {best} by {winner}"));
            self.draw()?;
        }
        Ok(())
    }

    fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Fitness>, Halt> {
        let players: Vec<String> =
            candidates.iter().map(|candidate| self.template.fill(&candidate.genome)).collect();
        let results = self.bench.judge(&players, 0..self.bench.instances, &self.progress)?;
        let measure = self.bench.measure;
        Ok(results.iter().map(|results| Fitness::of(measure, results)).collect())
    }

    /// Compares the winner and the ancestor on instances on which nothing was tuned.
    fn hold_out(&mut self) -> Result<Option<HeldOut>, Halt> {
        let instances = self.args.held_out;
        if instances == 0 {
            return Ok(None);
        }
        let players =
            [self.course.winner(), self.course.ancestor()].map(|genome| self.template.fill(genome));
        let first = self.bench.instances;
        let results = self.bench.judge(&players, first..first + instances, &self.progress)?;
        let (measure, seats) = (self.bench.measure, self.bench.charter.seats);
        let differences = differences(&results[0], &results[1], seats);
        let [winner, ancestor] = [0, 1].map(|at| Fitness::of(measure, &results[at]));
        Ok(Some(HeldOut { instances, winner, ancestor, differences }))
    }

    fn draw(&self) -> Result<(), Failure> {
        let Some(path) = &self.args.svg else { return Ok(()) };
        let Tune { candidates, seed, generations, .. } = self.args;
        let (game, instances) = (&self.bench.charter.game, self.bench.instances);
        let about =
            format!("{game}, {candidates} candidates on {instances} instances, seed {seed}");
        let chart = Chart {
            template: &self.template,
            about: &about,
            generations: self.course.generations(),
            planned: usize::from(*generations),
        };
        std::fs::write(path, chart.document()).map_err(|error| unwritable(path, &error))
    }

    fn show(&self, held_out: Option<HeldOut>) -> Result<(), Failure> {
        let db = self.bench.db();
        let kept = db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
        let tuning = Tuning::new(
            &self.course,
            &Circumstances {
                charter: &self.bench.charter,
                template: &self.template,
                scheme: &self.scheme,
                seed: self.args.seed,
                planned: self.args.generations.into(),
                instances: self.bench.instances,
                measure: self.bench.measure,
                held_out,
                games: self.bench.games,
                seconds: self.begun.elapsed().as_secs_f64(),
                db,
            },
        );
        if self.args.json {
            print_json(&tuning)?;
            eprint!("{kept}");
        } else {
            print(&(tuning.text().to_owned() + &kept))?;
        }
        Ok(())
    }
}

/// By instance, the results of one less those of another, where both came to all ends.
fn differences(one: &[Evaluation], other: &[Evaluation], seats: usize) -> Differences {
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
