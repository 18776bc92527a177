//! `contest`: the command line of the contest, where every game of every file is played.

use super::files::{games, problem, take_phrases, GameJob};
use super::resources::{take_seconds, Resources};
use crate::console::Console;
use crate::hextris::solver::HextrisSolver;
use crate::hextris::start::GameStart;
use crate::options::Options;
use crate::program::{say, Failure, USAGE};
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Phrases, Play, Solution, Terrain};
use arbitre_games::parallel;
use arbitre_games::search::budget::{Budget, Limiter};
use std::time::{Duration, Instant};

/// So long before the deadline everything is said.
const EARLY: Duration = Duration::from_millis(500);

/// What the contest's command line asks for.
struct ContestArgs {
    terrains: Vec<Terrain>,
    phrases: Phrases,
    deadline: Option<Instant>,
    resources: Resources,
    solver: HextrisSolver,
}

/// Runs the command: `-f FILE` and `-p PHRASE` as often as wanted, `-t SECONDS`, `-m MEGABYTES`, `-c CORES`.
///
/// # Errors
/// If a file cannot be read, or an option is not what it should be.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let strategy = options.take_word();
    let solver = HextrisSolver::take(strategy.as_deref().unwrap_or("best"), &mut options)?;
    let args = ContestArgs::take(&mut options, solver)?;
    options.finish()?;
    say(&args.answer());
    Ok(())
}

/// A bot that says its answer without being asked, which is what the contest's programs do.
pub struct ContestConsole {
    args: ContestArgs,
}

impl ContestConsole {
    /// A contestant with this solver, as the contest's options say.
    ///
    /// # Errors
    /// As [`run`].
    pub fn take(
        options: &mut Options,
        solver: HextrisSolver,
    ) -> Result<ContestConsole, ParseError> {
        // What all bots are told says nothing that the command line of the contest does not.
        for name in ["--seed", "--rules", "--clock"] {
            options.take_text(name)?;
        }
        let args =
            ContestArgs::take(options, solver).map_err(|failure| ParseError::new(failure.why))?;
        Ok(ContestConsole { args })
    }
}

impl Console for ContestConsole {
    fn start(&mut self, out: &mut String) {
        *out += &self.args.answer();
    }

    fn hear(&mut self, _: &str, _: &mut String) -> Result<(), ParseError> {
        Ok(())
    }
}

impl ContestArgs {
    fn take(options: &mut Options, solver: HextrisSolver) -> Result<ContestArgs, Failure> {
        let started = Instant::now();
        // The contest names the phrases that count, so without any there are none.
        let none = || Phrases::new::<String>(&[]).expect("none are few");
        let phrases = take_phrases(options)?.unwrap_or_else(none);
        let seconds = take_seconds(options)?;
        let resources = Resources::take(options)?;
        let mut terrains = Vec::new();
        while let Some(file) = options.take_text("-f")? {
            terrains.push(Terrain::new(problem(&file)?));
        }
        if terrains.is_empty() {
            return Err(Failure::new(USAGE, "expected -f FILE, once for each problem"));
        }
        let deadline = seconds.map(|time| started + time.saturating_sub(EARLY));
        Ok(ContestArgs { terrains, phrases, deadline, resources, solver })
    }

    /// The document that the contest wants.
    fn answer(&self) -> String {
        let texts = self.play();
        let solution = |(&(number, seed), text): (&GameJob, &String)| Solution {
            problem: self.terrains[number].problem().id,
            seed,
            tag: None,
            text: text.clone().into(),
        };
        let solutions: Vec<Solution> =
            games(&self.terrains, usize::MAX).iter().zip(&texts).map(solution).collect();
        Solution::write_all(&solutions)
    }

    /// Plays all games, small boards first, and returns their texts in the order of the jobs.
    fn play(&self) -> Vec<String> {
        let jobs = games(&self.terrains, usize::MAX);
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&job| self.size(jobs[job]));
        let mut texts = vec![String::new(); jobs.len()];
        parallel::map_unordered(
            self.resources.games_at_once(jobs.len()),
            jobs.len(),
            |place| self.solve(jobs[order[place]], jobs.len() - place, jobs.len()),
            |place, text| texts[order[place]] = text,
        );
        texts
    }

    /// What a game costs grows with its board and its units.
    fn size(&self, (number, _): GameJob) -> usize {
        let problem = self.terrains[number].problem();
        problem.width * problem.height * problem.source_length as usize
    }

    /// Plays a game within its share of the time, if so many of all games are still to be played.
    fn solve(&self, (number, seed): GameJob, left: usize, all: usize) -> String {
        let (terrain, resources) = (&self.terrains[number], &self.resources);
        let at_once = resources.games_at_once(all).min(left);
        let share = self.deadline.map(|deadline| {
            deadline.saturating_duration_since(Instant::now()) * at_once as u32 / left as u32
        });
        let limiter = || {
            let budget = share.map_or_else(Budget::default, Budget::time);
            Limiter::new(Budget { depth: resources.boards(terrain.problem()), ..budget })
        };
        let play = Play::new(terrain, seed);
        let start = GameStart::new(terrain, &self.phrases, &play);
        // What a search makes ready takes time as well, once for each game.
        let letters = match share {
            Some(Duration::ZERO) => start.with_drops(Vec::new()),
            _ => self.solver.solve_together(start, resources.threads_per_game(all), limiter),
        };
        letters.into_iter().map(char::from).collect()
    }
}
