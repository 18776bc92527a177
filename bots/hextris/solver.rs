//! The solvers by name, with their options.

use super::best::{self, BeamParams};
use super::phrases::points;
use super::start::GameStart;
use super::taupegoons::evaluate::PlacementWeights;
use super::taupegoons::{PhraseStrategy, TaupeGoons, PHRASE_STRATEGIES};
use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::Symbol;
use arbitre_games::parallel;
use arbitre_games::search::budget::Limiter;
use arbitre_games::text::value_of;

/// A way to play whole games.
pub enum HextrisSolver {
    /// The beam search.
    Best(BeamParams),
    /// The solver of the account.
    TaupeGoons(TaupeGoons),
}

impl HextrisSolver {
    /// The solver of this name, as the options describe it.
    ///
    /// # Errors
    /// If there is none, or a value is not what the option takes.
    pub fn take(name: &str, options: &mut Options) -> Result<HextrisSolver, ParseError> {
        let is_best = value_of("solver", name, &[("best", true), ("taupe", false)])?;
        if is_best {
            return Ok(HextrisSolver::Best(BeamParams::default()));
        }
        let weights = options.take_text("--weights")?;
        let weights =
            weights.map_or(Ok(PlacementWeights::SUBMITTED), |text| parse_weights(&text))?;
        let strategy = options.take_text("--phrases")?;
        let strategy = strategy.as_deref().unwrap_or(PHRASE_STRATEGIES[0].0);
        let strategy = value_of("way to come by phrases", strategy, &PHRASE_STRATEGIES)?;
        Ok(HextrisSolver::TaupeGoons(TaupeGoons { weights, strategy }))
    }

    /// What it calls itself.
    pub fn name(&self) -> &'static str {
        match self {
            HextrisSolver::Best(_) => "hextris",
            HextrisSolver::TaupeGoons(_) => "hextris-taupe",
        }
    }

    /// Plays on to the end, or until the meter says stop. Returns the letters.
    pub fn solve(&self, start: GameStart, limiter: &mut Limiter) -> Vec<u8> {
        match self {
            HextrisSolver::Best(search) => better_of_both(start, search, limiter),
            HextrisSolver::TaupeGoons(taupegoons) => taupegoons.solve(&start, limiter),
        }
    }

    /// Plays on by `threads` searches, each with a limiter of its own. With the beam the others vary its
    /// parameters. Returns the letters of the best answer, of equals those of the first.
    pub fn solve_together(
        &self,
        start: GameStart,
        threads: usize,
        limiter: impl Fn() -> Limiter + Sync,
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

/// The settings of the threads that help the first one, which plays as ever.
fn varied(number: usize, params: &BeamParams) -> BeamParams {
    let (first_use, begun_percent) = VARIATIONS[(number - 1) % VARIATIONS.len()];
    BeamParams { first_use, begun_percent, ..params.clone() }
}

/// What the first use of a phrase counts, and how far a phrase that was begun does.
const VARIATIONS: [(f64, u32); 3] = [(150.0, 60), (50.0, 90), (150.0, 90)];

/// So many hundredths of the time at most go to the answer that the beam has to beat. Mostly it needs far
/// less of it.
const FIRST: u32 = 20;

/// The beam's answer, or that of the account's solver, which is there soon and sometimes better.
fn better_of_both(start: GameStart, search: &BeamParams, limiter: &mut Limiter) -> Vec<u8> {
    let mut quick = limiter.share(FIRST);
    let taupegoons =
        TaupeGoons { weights: PlacementWeights::SUBMITTED, strategy: PhraseStrategy::PhraseDp };
    let first = taupegoons.solve(&start, &mut quick);
    limiter.spend(quick.nodes());
    let second = best::solve(start, search, limiter);
    better(&start, first, second)
}

/// Whichever brings more.
fn better(start: &GameStart, first: Vec<u8>, second: Vec<u8>) -> Vec<u8> {
    match value(start, &second) >= value(start, &first) {
        true => second,
        false => first,
    }
}

/// Returns the score of the letters that are played from there on.
fn value(start: &GameStart, letters: &[u8]) -> u64 {
    let mut play = start.play.clone();
    for command in letters.iter().filter_map(|&letter| Symbol::of(letter).command()) {
        // No solver breaks a rule.
        let _ = play.play(start.terrain, command);
    }
    play.points() + u64::from(points(start.phrases, start.node, letters, start.used))
}

/// Six numbers separated by commas.
fn parse_weights(text: &str) -> Result<PlacementWeights, ParseError> {
    let number = |word: &str| word.trim().parse().ok().filter(|weight: &f64| weight.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let six = numbers.and_then(|numbers| numbers.try_into().ok());
    six.map(PlacementWeights).ok_or_else(|| {
        ParseError::new(format!("--weights takes six numbers separated by commas, not '{text}'"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::hextris::{draw_problem, score, Phrases, Play, Rules, Terrain};
    use arbitre_games::rng::Rng;
    use arbitre_games::search::budget::Budget;

    /// So many threads give what the best of as many searches gives, and one what it always gives.
    #[test]
    fn threads_together_give_the_best_of_their_answers() {
        let (rules, phrases) = (Rules::parse("size=10x10 length=12").unwrap(), Phrases::official());
        let mut helped = 0;
        for seed in 0..6 {
            let terrain = Terrain::new(draw_problem(&rules, &mut Rng::new(seed)));
            let play = &Play::new(&terrain, terrain.problem().source_seeds[0]);
            let start = GameStart::new(&terrain, &phrases, play);
            let limiter = || Limiter::new(Budget::nodes(200));
            let params = BeamParams::default();
            let solver = HextrisSolver::Best(params.clone());
            let alone = solver.solve(start, &mut limiter());
            assert_eq!(solver.solve_together(start, 1, limiter), alone);
            let helpers =
                (1..4).map(|number| best::solve(start, &varied(number, &params), &mut limiter()));
            let expected = helpers.fold(alone.clone(), |known, answer| {
                let is_more = value(&start, &answer) > value(&start, &known);
                if is_more {
                    answer
                } else {
                    known
                }
            });
            assert_eq!(solver.solve_together(start, 4, limiter), expected);
            helped += usize::from(expected != alone);
        }
        assert!(helped > 0);
    }

    /// The beam's answer and a part of it, in either order, beside the scorer.
    #[test]
    fn whichever_brings_more_is_given() {
        let (rules, mut rng) = (Rules::parse("small").unwrap(), Rng::new(4));
        let phrases = Phrases::official();
        for _ in 0..10 {
            let terrain = Terrain::new(draw_problem(&rules, &mut rng));
            let seed = terrain.problem().source_seeds[0];
            let play = &Play::new(&terrain, seed);
            let start = GameStart::new(&terrain, &phrases, play);
            let all =
                best::solve(start, &BeamParams::default(), &mut Limiter::new(Budget::nodes(300)));
            let part = all[..all.len() / 2].to_vec();
            for text in [&all, &part] {
                let scored = score(&terrain, seed, std::str::from_utf8(text).unwrap(), &phrases);
                assert_eq!(value(&start, text), scored.total());
            }
            assert_eq!(better(&start, part.clone(), all.clone()), all);
            assert_eq!(better(&start, all.clone(), part), all);
        }
    }
}
