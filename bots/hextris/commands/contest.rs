//! `contest`: the command line of the contest, where every game of every file is played.

use super::files::{problem, take_phrases};
use super::pool::work;
use super::resources::Resources;
use crate::console::Console;
use crate::hextris::best::Start;
use crate::hextris::solver::{dropped, Solver};
use crate::options::Options;
use crate::{say, Failure, USAGE};
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Phrases, Play, Solution, Terrain};
use arbitre_games::search::budget::{Budget, Limiter};
use std::time::{Duration, Instant};

/// So long before the deadline everything is said.
const EARLY: Duration = Duration::from_millis(500);

/// What the contest's command line asks for.
struct Order {
    terrains: Vec<Terrain>,
    phrases: Phrases,
    deadline: Option<Instant>,
    resources: Resources,
    solver: Solver,
}

/// A game to play: the number of the problem among the files, and a seed.
type Job = (usize, u32);

/// Runs the command: `-f FILE` and `-p PHRASE` as often as wanted, `-t SECONDS`, `-m MEGABYTES`, `-c CORES`.
///
/// # Errors
/// If a file cannot be read, or an option is not what it should be.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let strategy = options.take_word();
    let solver = Solver::take(strategy.as_deref().unwrap_or("best"), &mut options)?;
    let order = Order::take(&mut options, solver)?;
    options.finish()?;
    say(&order.answer());
    Ok(())
}

/// A bot that says its answer without being asked, which is what the contest's programs do.
pub struct Contestant {
    order: Order,
}

impl Contestant {
    /// A contestant with this solver, as the contest's options say.
    ///
    /// # Errors
    /// As [`run`].
    pub fn take(options: &mut Options, solver: Solver) -> Result<Contestant, ParseError> {
        // What all bots are told says nothing that the command line of the contest does not.
        for name in ["--seed", "--rules", "--clock"] {
            options.take_text(name)?;
        }
        let order = Order::take(options, solver).map_err(|failure| ParseError::new(failure.why))?;
        Ok(Contestant { order })
    }
}

impl Console for Contestant {
    fn start(&mut self, out: &mut String) {
        *out += &self.order.answer();
    }

    fn hear(&mut self, _: &str, _: &mut String) -> Result<(), ParseError> {
        Ok(())
    }
}

impl Order {
    fn take(options: &mut Options, solver: Solver) -> Result<Order, Failure> {
        let started = Instant::now();
        // The contest names the phrases that count, so without any there are none.
        let none = || Phrases::new::<String>(&[]).expect("none are few");
        let phrases = take_phrases(options)?.unwrap_or_else(none);
        let seconds = options.take_text("-t")?.map(|text| seconds(&text)).transpose()?;
        let resources = Resources::take(options)?;
        let mut terrains = Vec::new();
        while let Some(file) = options.take_text("-f")? {
            terrains.push(Terrain::new(problem(&file)?));
        }
        if terrains.is_empty() {
            return Err(Failure::new(USAGE, "expected -f FILE, once for each problem"));
        }
        let deadline = seconds.map(|time| started + time.saturating_sub(EARLY));
        Ok(Order { terrains, phrases, deadline, resources, solver })
    }

    /// The document that the contest wants.
    fn answer(&self) -> String {
        let texts = self.play();
        let solution = |(&(number, seed), text): (&Job, &String)| Solution {
            problem: self.terrains[number].problem().id,
            seed,
            tag: None,
            text: text.clone().into(),
        };
        let solutions: Vec<Solution> = self.jobs().iter().zip(&texts).map(solution).collect();
        Solution::write_all(&solutions)
    }

    /// The games in the order of the files and of their seeds, each once.
    fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (number, terrain) in self.terrains.iter().enumerate() {
            for &seed in &terrain.problem().source_seeds {
                if !jobs.contains(&(number, seed)) {
                    jobs.push((number, seed));
                }
            }
        }
        jobs
    }

    /// Plays all games, small boards first, and returns their texts in the order of the jobs.
    fn play(&self) -> Vec<String> {
        let jobs = self.jobs();
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&job| self.size(jobs[job]));
        let left = (1..=jobs.len()).rev();
        let mut texts = vec![String::new(); jobs.len()];
        work(
            order.into_iter().zip(left).collect(),
            self.resources.games_at_once(jobs.len()),
            |&(job, left)| self.solve(jobs[job], left, jobs.len()),
            |(job, _), text| texts[job] = text,
        );
        texts
    }

    /// What a game costs grows with its board and its units.
    fn size(&self, (number, _): Job) -> usize {
        let problem = self.terrains[number].problem();
        problem.width * problem.height * problem.source_length as usize
    }

    /// Plays a game within its share of the time, if so many of all games are still to be played.
    fn solve(&self, (number, seed): Job, left: usize, all: usize) -> String {
        let (terrain, resources) = (&self.terrains[number], &self.resources);
        let at_once = resources.games_at_once(all).min(left);
        let share = self.deadline.map(|deadline| {
            deadline.saturating_duration_since(Instant::now()) * at_once as u32 / left as u32
        });
        let meter = || {
            let budget = share.map_or_else(Budget::default, Budget::time);
            Limiter::new(Budget { depth: resources.boards(terrain.problem()), ..budget })
        };
        let start = Start {
            terrain,
            phrases: &self.phrases,
            play: &Play::new(terrain, seed),
            node: Phrases::ROOT,
            used: 0,
        };
        // What a search makes ready takes time as well, once for each game.
        let letters = match share {
            Some(Duration::ZERO) => dropped(&start),
            _ => self.solver.solve_together(start, resources.threads_per_game(all), meter),
        };
        letters.into_iter().map(char::from).collect()
    }
}

/// A number of seconds, as the contest gives them.
fn seconds(text: &str) -> Result<Duration, ParseError> {
    let number = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let known = number.filter(|&time| time <= arbitre_games::text::LONGEST);
    known.ok_or_else(|| ParseError::new(format!("-t takes a number of seconds, not '{text}'")))
}
