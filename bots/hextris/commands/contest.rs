//! `contest`: the command line of the contest. Plays every game of every file.

use super::games::{take_phrases, terrain, GameJob, GameSet};
use super::resources::{take_seconds, Resources};
use crate::console::{time_kind, Console, OwnLimits};
use crate::hextris::solver::HextrisSolver;
use crate::options::Options;
use crate::program::{say, Failure, InputReport, DATA, USAGE};
use arbitre_games::clock::{Clock, Go, RemainingTime};
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Phrases, Solution};
use arbitre_games::parallel;
use arbitre_games::search::budget::Budget;
use arbitre_games::search::cpu_time::Moment;
use std::time::{Duration, Instant};

/// Time kept between the answer and the deadline. On the contest's problems, at least 452 ms of it
/// remained (2026-11-22, `bots/hextris/diary.md`).
const EARLY: Duration = Duration::from_millis(500);

/// A run of the contest's command line. As the console of a bot it answers without being asked, as
/// the contest's programs do.
pub struct ContestRun {
    games: GameSet,
    limits: RunLimits,
    input: InputReport,
}

/// Limits of a run.
enum RunLimits {
    /// Deadline of all games together, if there is one.
    Together(Option<Instant>),
    /// Limits of a referee for each game.
    PerGame { own: OwnLimits, clock: Clock, go: Go },
}

/// Runs the command with `-t SECONDS`, `-m MEGABYTES`, `-c CORES`, and any number of `-f FILE` and
/// `-p PHRASE`. Invalid files are reported on standard error.
///
/// # Errors
/// Returns an error if an option is invalid, and at the end, if a file was.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let strategy = options.take_word();
    let solver = HextrisSolver::take(strategy.as_deref().unwrap_or("best"), &mut options)?;
    let run = ContestRun::take(&mut options, solver, None)?;
    options.finish()?;
    if !run.games.terrains.is_empty() {
        say(&run.answer());
    }
    run.input.finish("problems")
}

impl Console for ContestRun {
    fn start(&mut self, out: &mut String) {
        *out += &self.answer();
    }

    fn hear(&mut self, _: &str, _: &mut String) -> Result<(), ParseError> {
        Ok(())
    }
}

impl ContestRun {
    /// Takes the run that the options of a bundled bot describe. The limits of `--clock` are more
    /// exact than `-t`, and its threads are the default of `-c`.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`run`].
    pub fn take_as_bot(
        options: &mut Options,
        solver: HextrisSolver,
    ) -> Result<ContestRun, ParseError> {
        let started = Moment::now();
        // Every bot gets these options, but here the contest's own options replace them.
        for name in ["--seed", "--rules"] {
            options.take_text(name)?;
        }
        let clock = options.take_text("--clock")?.map(|line| Clock::parse(&line)).transpose()?;
        let own = clock.as_ref().map(|_| OwnLimits::take(options)).transpose()?;
        let threads = clock.as_ref().and_then(|clock| clock.threads);
        let parse_error = |failure: Failure| match failure.code {
            DATA => ParseError::in_file(failure.why),
            _ => ParseError::new(failure.why),
        };
        let mut run = ContestRun::take(options, solver, threads).map_err(parse_error)?;
        if let (Some(clock), Some(own)) = (clock, own) {
            let go = match RemainingTime::new(&clock).go(&clock) {
                // The referee counts from the start of the program.
                Go::Move(limit) => {
                    Go::Move(limit.saturating_sub(started.elapsed(time_kind(clock.kind))))
                }
                go => go,
            };
            run.limits = RunLimits::PerGame { own, clock, go };
        }
        run.input.finish("problems").map_err(parse_error)?;
        Ok(run)
    }

    fn take(
        options: &mut Options,
        solver: HextrisSolver,
        threads: Option<u32>,
    ) -> Result<ContestRun, Failure> {
        let started = Instant::now();
        // The contest names the phrases that count, so without `-p` there are none.
        let none = || Phrases::new::<String>(&[]).expect("an empty set is valid");
        let phrases = take_phrases(options)?.unwrap_or_else(none);
        let seconds = take_seconds(options)?;
        let resources = Resources::take(options, threads.map_or(1, |count| count as usize))?;
        let (mut terrains, mut input) = (Vec::new(), InputReport::default());
        while let Some(file) = options.take_text("-f")? {
            terrains.extend(input.take(terrain(&file)));
        }
        if terrains.is_empty() && input.finish("problems").is_ok() {
            return Err(Failure::new(USAGE, "expected -f FILE for each problem, got none"));
        }
        let deadline = seconds.map(|time| started + time.saturating_sub(EARLY));
        let games = GameSet { terrains, phrases, resources, solver };
        Ok(ContestRun { games, limits: RunLimits::Together(deadline), input })
    }

    /// Plays all games, small ones first. Returns the document that the contest expects.
    fn answer(&self) -> String {
        let jobs = self.games.jobs(usize::MAX);
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&job| self.size(jobs[job]));
        let mut texts = vec![String::new(); jobs.len()];
        parallel::map_unordered(
            self.games.resources.games_at_once(jobs.len()),
            jobs.len(),
            |place| self.play(jobs[order[place]], jobs.len() - place, jobs.len()),
            |place, text| texts[order[place]] = text,
        );
        let solution = |(&(number, seed), text): (&GameJob, String)| {
            let problem = self.games.terrains[number].problem().id;
            Solution { problem, seed, tag: None, text: text.into() }
        };
        Solution::write_all(&jobs.iter().zip(texts).map(solution).collect::<Vec<_>>())
    }

    /// Returns a measure of the cost of a game, which grows with its board and its units.
    fn size(&self, (number, _): GameJob) -> usize {
        let problem = self.games.terrains[number].problem();
        problem.width * problem.height * problem.source_length as usize
    }

    /// Plays a game within its limits, or its share of the time. `remaining` of `all` games are
    /// still to be played.
    fn play(&self, job: GameJob, remaining: usize, all: usize) -> String {
        let deadline = match &self.limits {
            RunLimits::Together(deadline) => deadline,
            RunLimits::PerGame { own, clock, go } => {
                // Each thread of a game counts its own CPU time.
                let budget = || own.budget(clock, *go, Moment::now());
                return self.games.play(job, all, Some(&budget));
            }
        };
        let at_once = self.games.resources.games_at_once(all).min(remaining);
        let share = deadline.map(|deadline| {
            deadline.saturating_duration_since(Instant::now()) * at_once as u32 / remaining as u32
        });
        let budget = || share.map_or_else(Budget::default, Budget::time);
        // Setting up a search takes time for each game (18 ms on problem 6, 2026-11-22).
        let has_time = share != Some(Duration::ZERO);
        self.games.play(job, all, has_time.then_some(&budget))
    }
}
