//! Games of a command: the input files, the phrases, and the search for each game.

use super::resources::Resources;
use crate::hextris::solver::HextrisSolver;
use crate::hextris::start::GameStart;
use crate::options::Options;
use crate::program::{Failure, DATA};
use arbitre_games::files;
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Phrases, Play, Problem, Terrain};
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::text::io_reason;

/// Reads a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not text.
pub fn read(name: &str) -> Result<String, Failure> {
    files::read_text(name)
        .map_err(|error| Failure::new(DATA, format!("{name}: {}", io_reason(&error))))
}

/// Returns the failure of a file with bad content.
pub fn bad(name: &str, why: impl std::fmt::Display) -> Failure {
    Failure::new(DATA, format!("{name}: {why}"))
}

/// Reads the problem in a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not a problem.
pub fn terrain(name: &str) -> Result<Terrain, Failure> {
    Problem::parse(&read(name)?).map(Terrain::new).map_err(|why| bad(name, why))
}

/// Takes the phrases that `-p` names, and the contest's with `--official`; `None` without these
/// options.
///
/// # Errors
/// Returns an error if an option has no value, or there are too many phrases.
pub fn take_phrases(options: &mut Options) -> Result<Option<Phrases>, ParseError> {
    let mut phrases = Vec::new();
    if options.take_flag("--official") {
        phrases.extend_from_slice(Phrases::official().texts());
    }
    while let Some(phrase) = options.take_text("-p")? {
        phrases.push(phrase);
    }
    Some(phrases).filter(|phrases| !phrases.is_empty()).map(|list| Phrases::new(&list)).transpose()
}

/// A game to play: the index of the problem, and a seed.
pub type GameJob = (usize, u32);

/// Problems, with the settings that all their games share.
pub struct GameSet {
    pub terrains: Vec<Terrain>,
    pub phrases: Phrases,
    pub resources: Resources,
    pub solver: HextrisSolver,
}

impl GameSet {
    /// Returns the games of the first `seeds` seeds of each problem, each game once.
    pub fn jobs(&self, seeds: usize) -> Vec<GameJob> {
        let mut jobs: Vec<GameJob> = Vec::new();
        for (number, terrain) in self.terrains.iter().enumerate() {
            for &seed in terrain.problem().source_seeds.iter().take(seeds) {
                if !jobs.contains(&(number, seed)) {
                    jobs.push((number, seed));
                }
            }
        }
        jobs
    }

    /// Plays one of `count` games, with a budget for each of the threads that search. Without a
    /// budget all units are dropped. Returns the letters.
    pub fn play(
        &self,
        (number, seed): GameJob,
        count: usize,
        budget: Option<&(dyn Fn() -> Budget + Sync)>,
    ) -> String {
        let (terrain, resources) = (&self.terrains[number], &self.resources);
        let play = Play::new(terrain, seed);
        let start = GameStart::new(terrain, &self.phrases, &play);
        let depth = resources.boards(terrain.problem());
        let letters = match budget {
            Some(budget) => {
                let limiter = || {
                    let budget = budget();
                    let depth = budget.depth.into_iter().chain(depth).min();
                    Limiter::new(Budget { depth, ..budget })
                };
                self.solver.solve_together(start, resources.threads_per_game(count), &limiter)
            }
            None => start.with_drops(Vec::new()),
        };
        letters.into_iter().map(char::from).collect()
    }
}
