//! Speed of scoring solutions.

use super::games::ScoredGames;
use super::measure;
use arbitre::games::hextris::reference::HextrisReference;
use arbitre::games::hextris::{score, Phrases, Problem, Solution, Terrain};

/// Number of characters after which the reference rules begin no further game. Not tuned.
const SLOWLY: u64 = 20_000;

/// Measures all ways to score these games, and checks that the fast ones give the same scores.
pub fn measure_all(games: &ScoredGames, rounds: usize) {
    let phrases = Phrases::official();
    let documents: Vec<(String, String)> = documents(games);
    let (commands, total) = played(games, &phrases);
    let count: usize = games.solutions.iter().map(Vec::len).sum();
    println!("{count} {}, {commands} commands", games.name);
    println!("  {:<44} {:>10} {:>10}", "million commands scored a second", "median", "most");
    measure("scored", rounds, || {
        let (commands, sum) = played(games, &phrases);
        assert_eq!(sum, total);
        commands
    });
    measure("the same, documents read", rounds, || {
        let read = documents.iter().map(|(problem, text)| read_and_played(problem, text, &phrases));
        let (commands, sum) = read.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        assert_eq!(sum, total);
        commands
    });
    measure("by the slow rules", rounds.min(3), || slowly_played(games, &phrases));
    println!("  aim: 50\n");
}

/// Returns the contest's documents of each problem and of its solutions.
fn documents(games: &ScoredGames) -> Vec<(String, String)> {
    let problems = games.terrains.iter().map(|terrain| terrain.problem().to_json());
    problems.zip(games.solutions.iter().map(|all| Solution::write_all(all))).collect()
}

/// Returns the number of commands of these games, and the sum of their scores.
fn played(games: &ScoredGames, phrases: &Phrases) -> (u64, u64) {
    let pairs = games.terrains.iter().zip(&games.solutions);
    let all = pairs.map(|(terrain, solutions)| scored(terrain, solutions, phrases));
    all.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

fn scored(terrain: &Terrain, solutions: &[Solution], phrases: &Phrases) -> (u64, u64) {
    solutions.iter().fold((0, 0), |(commands, total), solution| {
        let scored = score(terrain, solution.seed, &solution.text, phrases);
        (commands + scored.commands, total + scored.total())
    })
}

fn read_and_played(problem: &str, solutions: &str, phrases: &Phrases) -> (u64, u64) {
    let terrain = Terrain::new(Problem::parse(problem).expect("a problem"));
    let solutions = Solution::parse_all(solutions).expect("solutions");
    scored(&terrain, &solutions, phrases)
}

/// Plays one game of each problem by the reference rules, up to [`SLOWLY`] characters each. Returns
/// the number of characters.
fn slowly_played(games: &ScoredGames, phrases: &Phrases) -> u64 {
    let mut characters = 0;
    for (terrain, solutions) in games.terrains.iter().zip(&games.solutions) {
        let Some(solution) = solutions.first() else { continue };
        if characters >= SLOWLY {
            break;
        }
        let mut game = HextrisReference::new(terrain.problem(), solution.seed, "", phrases.texts());
        for c in solution.text.chars().take(SLOWLY as usize) {
            game.put(c).expect("the solution is legal");
            characters += 1;
        }
    }
    characters
}
