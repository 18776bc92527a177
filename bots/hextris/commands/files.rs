//! Problems and solutions from files.

use crate::options::Options;
use crate::program::{Failure, DATA};
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Phrases, Problem, Terrain};

/// The text of a file.
///
/// # Errors
/// If it cannot be read, or is no text.
pub fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(name)
        .map_err(|error| Failure::new(DATA, format!("cannot read {name}: {error}")))
}

/// What is wrong with the content of a file.
pub fn bad(name: &str, why: impl std::fmt::Display) -> Failure {
    Failure::new(DATA, format!("{name}: {why}"))
}

/// The problem in a file.
///
/// # Errors
/// If there is none.
pub fn problem(name: &str) -> Result<Problem, Failure> {
    Problem::parse(&read(name)?).map_err(|why| bad(name, why))
}

/// A game to play: the number of the problem among the files, and a seed.
pub type GameJob = (usize, u32);

/// Returns the games of the first `seeds` seeds of each problem, each game once.
pub fn games(terrains: &[Terrain], seeds: usize) -> Vec<GameJob> {
    let mut jobs: Vec<GameJob> = Vec::new();
    for (number, terrain) in terrains.iter().enumerate() {
        for &seed in terrain.problem().source_seeds.iter().take(seeds) {
            if !jobs.contains(&(number, seed)) {
                jobs.push((number, seed));
            }
        }
    }
    jobs
}

/// The phrases that `-p` names; none if there is no such option.
///
/// # Errors
/// If an option has no value, or there are too many.
pub fn take_phrases(options: &mut Options) -> Result<Option<Phrases>, ParseError> {
    let mut phrases = Vec::new();
    while let Some(phrase) = options.take_text("-p")? {
        phrases.push(phrase);
    }
    Some(phrases).filter(|phrases| !phrases.is_empty()).map(|list| Phrases::new(&list)).transpose()
}
