//! The solvers by name, with their options.

use super::best::{self, BeamParams};
use super::start::GameStart;
use super::taupegoons::evaluate::PlacementWeights;
use super::taupegoons::{TaupeGoons, PHRASE_STRATEGIES};
use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::Symbol;
use arbitre_games::parallel;
use arbitre_games::search::budget::Limiter;
use arbitre_games::text::value_of;

/// A solver of whole games.
pub enum HextrisSolver {
    /// The beam search.
    Best(BeamParams),
    /// The solver of TaupeGoons' account.
    TaupeGoons(TaupeGoons, BeamParams),
}

impl HextrisSolver {
    /// Takes the solver of this name, with its options.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or an option has an invalid value.
    pub fn take(name: &str, options: &mut Options) -> Result<HextrisSolver, ParseError> {
        let is_best = value_of("solver", name, &[("best", true), ("taupe", false)])?;
        if is_best {
            return Ok(HextrisSolver::Best(BeamParams::default()));
        }
        let mut solver = TaupeGoons::USUAL;
        if let Some(weights) = options.take_text("--weights")? {
            solver.weights = parse_weights(&weights)?;
        }
        if let Some(strategy) = options.take_text("--phrases")? {
            solver.strategy = value_of("--phrases", &strategy, &PHRASE_STRATEGIES)?;
        }
        Ok(HextrisSolver::TaupeGoons(solver, BeamParams::default()))
    }

    /// Returns the name of the bot.
    pub fn name(&self) -> &'static str {
        match self {
            HextrisSolver::Best(_) => "hextris",
            HextrisSolver::TaupeGoons(..) => "hextris-taupe",
        }
    }

    /// Plays to the end of the game, or until the limiter stops. Returns the letters.
    pub fn solve(&self, start: GameStart, limiter: &mut Limiter) -> Vec<u8> {
        match self {
            HextrisSolver::Best(search) => better_of_both(start, search, limiter),
            HextrisSolver::TaupeGoons(taupegoons, params) => {
                taupegoons.solve(&start, params, limiter)
            }
        }
    }

    /// Plays by `threads` searches, each with a limiter of its own. Beams beside the first have
    /// other parameters. Returns the letters of the best answer; among equals the first thread
    /// wins. Other solvers search once.
    pub fn solve_together(
        &self,
        start: GameStart,
        threads: usize,
        limiter: &(dyn Fn() -> Limiter + Sync),
    ) -> Vec<u8> {
        let HextrisSolver::Best(params) = self else { return self.solve(start, &mut limiter()) };
        let answers = parallel::run(threads, |number| match number {
            0 => self.solve(start, &mut limiter()),
            _ => best::solve(start, &varied(number, params), &mut limiter()),
        });
        let better_of = |known, answer| better(&start, answer, known);
        answers.into_iter().reduce(better_of).expect("one thread plays")
    }
}

/// Returns the parameters of helping thread `number`, counted from 1. Thread 0 keeps its own.
fn varied(number: usize, params: &BeamParams) -> BeamParams {
    let (first_use, partial_percent) = VARIATIONS[(number - 1) % VARIATIONS.len()];
    BeamParams { first_use, partial_percent, ..params.clone() }
}

/// `first_use` and `partial_percent` of the helping threads.
/// Measured on 11 problems (2026-11-22, `bots/hextris/diary.md`).
const VARIATIONS: [(f64, u32); 3] = [(150.0, 60), (50.0, 90), (150.0, 90)];

/// Most of the budget, in percent, for the answer that the beam has to beat. Mostly it needs far
/// less. Not tuned.
const FIRST: u32 = 20;

/// Returns the better answer of the beam and of the account's solver, which is fast and sometimes
/// better.
fn better_of_both(start: GameStart, search: &BeamParams, limiter: &mut Limiter) -> Vec<u8> {
    let mut quick = limiter.share(FIRST);
    let first = TaupeGoons::USUAL.solve(&start, search, &mut quick);
    // `quick` has counters of its own, so its nodes are charged here.
    limiter.spend(quick.nodes());
    let second = best::solve(start, search, limiter);
    better(&start, first, second)
}

/// Returns the letters with the higher score; among equals the second.
fn better(start: &GameStart, first: Vec<u8>, second: Vec<u8>) -> Vec<u8> {
    match value(start, &second) >= value(start, &first) {
        true => second,
        false => first,
    }
}

/// Returns the score of a game that continues by these letters.
fn value(start: &GameStart, letters: &[u8]) -> u64 {
    let mut play = start.play.clone();
    for command in letters.iter().filter_map(|&letter| Symbol::of(letter).command()) {
        // Solvers play only legal commands, so there is no error to report.
        let _ = play.play(start.terrain, command);
    }
    play.points() + u64::from(start.text.points(letters))
}

/// Parses six numbers separated by commas.
fn parse_weights(text: &str) -> Result<PlacementWeights, ParseError> {
    let number = |word: &str| word.trim().parse().ok().filter(|weight: &f64| weight.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let six = numbers.and_then(|numbers| numbers.try_into().ok());
    six.map(PlacementWeights).ok_or_else(|| {
        ParseError::new(format!(
            "--weights: expected six numbers separated by commas, got '{text}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hextris::testing::{play_game, terrain, terrains};
    use arbitre_games::games::hextris::{Phrases, Play};
    use arbitre_games::search::budget::Budget;

    #[test]
    fn threads_return_the_best_of_their_answers() {
        let phrases = Phrases::official();
        let mut helped = 0;
        for terrain in terrains("size=10x10 length=12", 6) {
            let play = &Play::new(&terrain, terrain.problem().source_seeds[0]);
            let start = GameStart::new(&terrain, &phrases, play);
            let limiter = || Limiter::new(Budget::nodes(200));
            let params = BeamParams::default();
            let solver = HextrisSolver::Best(params.clone());
            let alone = solver.solve(start, &mut limiter());
            assert_eq!(solver.solve_together(start, 1, &limiter), alone);
            let mut expected = alone.clone();
            for number in 1..4 {
                let answer = best::solve(start, &varied(number, &params), &mut limiter());
                if value(&start, &answer) > value(&start, &expected) {
                    expected = answer;
                }
            }
            assert_eq!(solver.solve_together(start, 4, &limiter), expected);
            helped += usize::from(expected != alone);
        }
        assert!(helped > 0);
    }

    /// Compares the beam's answer with a part of it, in either order, and both with the scorer.
    #[test]
    fn answer_with_the_higher_score_is_returned() {
        let phrases = Phrases::official();
        for seed in 0..10 {
            let terrain = terrain("small", seed);
            let play = &Play::new(&terrain, terrain.problem().source_seeds[0]);
            let start = GameStart::new(&terrain, &phrases, play);
            let mut limiter = Limiter::new(Budget::nodes(300));
            let all = best::solve(start, &BeamParams::default(), &mut limiter);
            let part = all[..all.len() / 2].to_vec();
            for text in [&all, &part] {
                let (_, scored) = play_game(&terrain, &phrases, |_| text.clone());
                assert_eq!(value(&start, text), scored.total());
            }
            assert_eq!(better(&start, part.clone(), all.clone()), all);
            assert_eq!(better(&start, all.clone(), part), all);
        }
    }
}
