//! The solvers by name, with their options.

use super::best::{self, Search, Start};
use super::evaluate::Weights;
use super::taupe::{Spelling, Taupe, SPELLINGS};
use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::{Meaning, Symbol, FIRST_USE};
use arbitre_games::search::budget::Limiter;
use arbitre_games::text::value_of;

/// A way to play whole games.
pub enum Solver {
    /// The beam search.
    Best(Search),
    /// The solver of the account.
    Taupe(Taupe),
}

impl Solver {
    /// The solver of this name, as the options describe it.
    ///
    /// # Errors
    /// If there is none, or a value is not what the option takes.
    pub fn take(name: &str, options: &mut Options) -> Result<Solver, ParseError> {
        let is_best = value_of("solver", name, &[("best", true), ("taupe", false)])?;
        if is_best {
            return Ok(Solver::Best(Search::default()));
        }
        let weights = options.take_text("--weights")?;
        let weights = weights.map_or(Ok(Weights::SUBMITTED), |text| parse_weights(&text))?;
        let spelling = options.take_text("--phrases")?;
        let spelling = spelling.as_deref().unwrap_or(SPELLINGS[0].0);
        let spelling = value_of("way to come by phrases", spelling, &SPELLINGS)?;
        Ok(Solver::Taupe(Taupe { weights, spelling }))
    }

    /// What it calls itself.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Best(_) => "hextris",
            Solver::Taupe(_) => "hextris-taupe",
        }
    }

    /// Plays on to the end, or until the meter says stop. Returns the letters.
    pub fn solve(&self, start: Start, meter: &mut Limiter) -> Vec<u8> {
        match self {
            Solver::Best(search) => better_of_both(start, search, meter),
            Solver::Taupe(taupe) => taupe.solve(&start, meter),
        }
    }

    /// The same by so many threads, each with a meter of its own. With the beam they go about it differently, and
    /// the answer that brings most is given, of equals that of the first.
    pub fn solve_together(
        &self,
        start: Start,
        threads: usize,
        meter: impl Fn() -> Limiter + Sync,
    ) -> Vec<u8> {
        let Solver::Best(_) = self else { return self.solve(start, &mut meter()) };
        let help = &|number| best::solve(start, &varied(number), &mut meter());
        std::thread::scope(|scope| {
            let helpers: Vec<_> =
                (1..threads).map(|number| scope.spawn(move || help(number))).collect();
            let first = self.solve(start, &mut meter());
            let answers = helpers.into_iter().map(|helper| helper.join().expect("no search fails"));
            answers.fold(first, |known, answer| better(&start, answer, known))
        })
    }
}

/// Straight down with every unit: an answer for which no time is needed. Returns the letters.
pub fn dropped(start: &Start) -> Vec<u8> {
    let mut play = start.play.clone();
    let is_allowed = |letter: &u8| match Symbol::of(*letter).meaning() {
        Meaning::Command(command) => play.play(start.terrain, command).is_ok(),
        _ => false,
    };
    b"la".iter().copied().cycle().take_while(is_allowed).collect()
}

/// The settings of the threads that help the first one, which plays as ever.
fn varied(number: usize) -> Search {
    let (first_use, promise) = VARIATIONS[(number - 1) % VARIATIONS.len()];
    Search { first_use, promise }
}

/// What the first use of a phrase counts, and how far a phrase that was begun does.
const VARIATIONS: [(f64, u32); 3] = [(150.0, 60), (50.0, 90), (150.0, 90)];

/// So many hundredths of the time at most go to the answer that the beam has to beat. Mostly it needs far
/// less of it.
const FIRST: u32 = 20;

/// The beam's answer, or that of the account's solver, which is there soon and sometimes better.
fn better_of_both(start: Start, search: &Search, meter: &mut Limiter) -> Vec<u8> {
    let mut quick = meter.share(FIRST);
    let taupe = Taupe { weights: Weights::SUBMITTED, spelling: Spelling::Programme };
    let first = taupe.solve(&start, &mut quick);
    meter.spend(quick.nodes());
    let second = best::solve(start, search, meter);
    better(&start, first, second)
}

/// Whichever brings more.
fn better(start: &Start, first: Vec<u8>, second: Vec<u8>) -> Vec<u8> {
    match worth(start, &second) >= worth(start, &first) {
        true => second,
        false => first,
    }
}

/// What letters bring that are played from there on.
fn worth(start: &Start, letters: &[u8]) -> u64 {
    let (mut play, mut node, mut used) = (start.play.clone(), start.node, start.used);
    let mut power = 0;
    for &letter in letters {
        node = start.phrases.after(node, letter);
        let ended = start.phrases.ended(node);
        let fresh = (ended & !used).count_ones();
        power += u64::from(start.phrases.gain(node)) + FIRST_USE * u64::from(fresh);
        used |= ended;
        if let Meaning::Command(command) = Symbol::of(letter).meaning() {
            // Neither of the two breaks a rule.
            let _ = play.play(start.terrain, command);
        }
    }
    play.points() + power
}

/// Six numbers separated by commas.
fn parse_weights(text: &str) -> Result<Weights, ParseError> {
    let number = |word: &str| word.trim().parse().ok().filter(|weight: &f64| weight.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let six = numbers.and_then(|numbers| numbers.try_into().ok());
    six.map(Weights).ok_or_else(|| {
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
            let start =
                Start { terrain: &terrain, phrases: &phrases, play, node: Phrases::ROOT, used: 0 };
            let meter = || Limiter::new(Budget::nodes(200));
            let solver = Solver::Best(Search::default());
            let alone = solver.solve(start, &mut meter());
            assert_eq!(solver.solve_together(start, 1, meter), alone);
            let helpers = (1..4).map(|number| best::solve(start, &varied(number), &mut meter()));
            let expected = helpers.fold(alone.clone(), |known, answer| {
                let is_more = worth(&start, &answer) > worth(&start, &known);
                if is_more {
                    answer
                } else {
                    known
                }
            });
            assert_eq!(solver.solve_together(start, 4, meter), expected);
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
            let start =
                Start { terrain: &terrain, phrases: &phrases, play, node: Phrases::ROOT, used: 0 };
            let all = best::solve(start, &Search::default(), &mut Limiter::new(Budget::nodes(300)));
            let part = all[..all.len() / 2].to_vec();
            for text in [&all, &part] {
                let scored = score(&terrain, seed, std::str::from_utf8(text).unwrap(), &phrases);
                assert_eq!(worth(&start, text), scored.total());
            }
            assert_eq!(better(&start, part.clone(), all.clone()), all);
            assert_eq!(better(&start, all.clone(), part), all);
        }
    }
}
