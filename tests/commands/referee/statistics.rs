//! Claims of the statistics, checked on simulated matches with known strengths. Every match is
//! drawn from a seed, so the rates printed (`--nocapture`) are the same on every machine.

use arbitre::internals::statistics::rating::{Estimate, Games, Pairs, Sample};
use arbitre::internals::statistics::sprt::evidence::{Evidence, GameText, PlayedPair};
use arbitre::internals::statistics::sprt::{Hypothesis, Sprt, TestEnd};
use arbitre::internals::statistics::superiority::superiority;
use arbitre::rng::Rng;

const MATCHES: usize = 20_000;

/// Advantages, in logits, that an opening gives one of the seats; all are equally frequent.
const BIASES: [f64; 4] = [0.0, 0.5, 1.0, 1.5];

/// Advantage in logits at which a side wins half of its games; it leaves room for draws.
const MARGIN: f64 = 0.7;

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the probabilities of a loss, a draw and a win with an advantage in logits.
fn game_law(advantage: f64) -> Vec<f64> {
    let (win, loss) = (logistic(advantage - MARGIN), logistic(-advantage - MARGIN));
    vec![loss, 1.0 - win - loss, win]
}

/// Returns the probabilities of the results of a pair, `3 * one + other` in half points. The games
/// of a pair share their opening, so they are not independent.
fn pair_law(strength: f64) -> Vec<f64> {
    let mut law = vec![0.0; 9];
    for bias in BIASES {
        let (one, other) = (game_law(strength + bias), game_law(strength - bias));
        for (result, probability) in law.iter_mut().enumerate() {
            *probability += one[result / 3] * other[result % 3] / BIASES.len() as f64;
        }
    }
    law
}

/// Returns the mean score per game and its deviation per game or pair.
fn moments(law: &[f64]) -> (f64, f64) {
    let score = |result: usize| match law.len() {
        3 => result as f64 / 2.0,
        _ => (result / 3 + result % 3) as f64 / 4.0,
    };
    let expect = |value: &dyn Fn(f64) -> f64| -> f64 {
        law.iter().enumerate().map(|(result, p)| p * value(score(result))).sum()
    };
    let mean = expect(&|score| score);
    (mean, expect(&|score| (score - mean).powi(2)).sqrt())
}

fn true_elo(law: &[f64]) -> f64 {
    400.0 * (1.0 / (1.0 / moments(law).0 - 1.0)).log10()
}

fn true_normalized_elo(law: &[f64]) -> f64 {
    let (mean, deviation) = moments(law);
    let games = if law.len() == 3 { 1.0 } else { 2.0f64 };
    (mean - 0.5) / (deviation * games.sqrt()) * 800.0 / 10f64.ln()
}

/// Returns the law of pairs between players whose difference is `target`, in the units of
/// `measure`.
fn pairs_with(measure: fn(&[f64]) -> f64, target: f64) -> Vec<f64> {
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let below = measure(&pair_law(middle)) < target;
        *(if below { &mut low } else { &mut high }) = middle;
    }
    pair_law(low)
}

/// Draws a result with the probabilities of `law`.
fn draw(law: &[f64], rng: &mut Rng) -> usize {
    let mut rest = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let reached = |probability: &f64| {
        rest -= probability;
        rest < 0.0
    };
    law.iter().position(reached).unwrap_or(law.len() - 1)
}

fn add_pair(pairs: &mut Pairs, law: &[f64], rng: &mut Rng) {
    let result = draw(law, rng) as u8;
    pairs.add(result / 3, result % 3);
}

fn play_pairs(count: usize, law: &[f64], rng: &mut Rng) -> Sample {
    let mut pairs = Pairs::default();
    (0..count).for_each(|_| add_pair(&mut pairs, law, rng));
    pairs.sample()
}

fn play_games(count: usize, law: &[f64], rng: &mut Rng) -> Sample {
    let mut games = Games::default();
    (0..count).for_each(|_| games.add(draw(law, rng) as u8));
    games.sample()
}

/// Plays until the test has decided.
fn play_out(sprt: &Sprt, law: &[f64], rng: &mut Rng) -> (Hypothesis, u64) {
    let mut pairs = Pairs::default();
    loop {
        add_pair(&mut pairs, law, rng);
        let llr = sprt.llr_of_pairs(&pairs);
        assert!(llr.is_finite(), "{pairs:?}");
        if let Some(hypothesis) = sprt.verdict(llr) {
            return (hypothesis, pairs.count());
        }
    }
}

/// A test accepts the wrong hypothesis at the requested rate. It is at most three standard
/// deviations of the simulation above it, and not far below, where matches would be longer than
/// necessary.
fn errs_as_asked(text: &str, law: &[f64], wrong: Hypothesis, asked: f64) {
    // Each of these matches computes a likelihood after every pair, which takes long.
    const COUNT: usize = MATCHES / 2;
    let (sprt, mut rng) = (Sprt::parse(text).unwrap(), Rng::new(31));
    let matches: Vec<_> = (0..COUNT).map(|_| play_out(&sprt, law, &mut rng)).collect();
    let wrongly = matches.iter().filter(|(accepted, _)| *accepted == wrong).count();
    let pairs = matches.iter().map(|(_, pairs)| pairs).sum::<u64>() as f64 / COUNT as f64;
    let rate = wrongly as f64 / COUNT as f64;
    println!("{text}: wrongly {wrong} in {rate:.4}, after {pairs:.1} pairs");
    let deviation = (asked * (1.0 - asked) / COUNT as f64).sqrt();
    assert!(rate < asked + 3.0 * deviation, "{text}: wrongly {wrong} in {rate}");
    assert!(rate > 0.8 * asked, "{text}: wrongly {wrong} in only {rate}");
}

#[test]
fn a_normalized_test_errs_as_asked() {
    let text = "elo0=-10,elo1=30,alpha=0.1,beta=0.04";
    errs_as_asked(text, &pairs_with(true_normalized_elo, -10.0), Hypothesis::H1, 0.1);
    errs_as_asked(text, &pairs_with(true_normalized_elo, 30.0), Hypothesis::H0, 0.04);
}

#[test]
fn a_logistic_test_errs_as_asked() {
    let text = "elo0=-10,elo1=25,alpha=0.1,beta=0.04,model=logistic";
    errs_as_asked(text, &pairs_with(true_elo, -10.0), Hypothesis::H1, 0.1);
    errs_as_asked(text, &pairs_with(true_elo, 25.0), Hypothesis::H0, 0.04);
}

/// Plays on a list of openings until the test ends. `play` returns the result of a pair from its
/// opening, and pairs with equal results on an opening have the same moves.
fn play_list(sprt: &Sprt, openings: u64, mut play: impl FnMut(u64) -> usize) -> (TestEnd, u64) {
    let mut evidence = Evidence::default();
    for round in 0.. {
        let opening = round % openings;
        let result = play(opening);
        let text = |game| GameText::new(&opening.to_string(), (2 * result + game) as u64);
        let half_points = [result / 3, result % 3].map(|of| of as u8);
        evidence.add(PlayedPair { round, games: [0, 1].map(text), half_points });
        if let Some(end) = sprt.end(&evidence) {
            return (end, round + 1);
        }
    }
    unreachable!("the rounds have no end")
}

/// Returns the share of `ends` that accept a hypothesis.
fn share_of(ends: &[(TestEnd, u64)], hypothesis: Hypothesis) -> f64 {
    let accepted = ends.iter().filter(|(end, _)| *end == TestEnd::Accepted(hypothesis));
    accepted.count() as f64 / ends.len() as f64
}

/// Programs with chance in a small game, whose list of openings is used many times: up to 45 % of
/// the pairs of an opening are equal. No pair is left out, and the test errs as asked.
#[test]
fn repeats_of_programs_with_chance_leave_the_error_rates() {
    const COUNT: usize = 1500;
    let at_most = |wrong: f64, asked: f64, what: &str| {
        let deviation = (asked * (1.0 - asked) / COUNT as f64).sqrt();
        assert!(wrong < asked + 3.0 * deviation, "{what}: wrong in {wrong}");
    };
    // Most pairs are a win and a loss, so that few results are possible.
    let narrow = |wins: f64, losses: f64| {
        let mut law = vec![0.0; 9];
        (law[8], law[0], law[2]) = (wins, losses, 1.0 - wins - losses);
        law
    };
    for (text, openings, law, wrong, asked) in [
        ("elo0=-30,elo1=60", 20, pairs_with(true_normalized_elo, -30.0), Hypothesis::H1, 0.05),
        ("elo0=-30,elo1=60", 20, pairs_with(true_normalized_elo, 60.0), Hypothesis::H0, 0.05),
        ("elo0=0,elo1=60,alpha=0.1", 3, narrow(0.2, 0.2), Hypothesis::H1, 0.1),
        ("elo0=0,elo1=60,alpha=0.1", 1, narrow(0.2, 0.2), Hypothesis::H1, 0.1),
    ] {
        let (sprt, mut rng) = (Sprt::parse(text).unwrap(), Rng::new(34));
        let ends: Vec<_> =
            (0..COUNT).map(|_| play_list(&sprt, openings, |_| draw(&law, &mut rng))).collect();
        let ran_out = ends.iter().filter(|(end, _)| *end == TestEnd::OpeningsRanOut).count();
        let pairs = ends.iter().map(|(_, pairs)| pairs).sum::<u64>() / COUNT as u64;
        let rate = share_of(&ends, wrong);
        println!(
            "{text}, {openings} openings: wrongly {wrong} in {rate:.4}, {pairs} pairs, \
             ran out in {ran_out}"
        );
        at_most(rate, asked, text);
        assert!(ran_out * 20 < COUNT, "{text}, {openings} openings: ran out in {ran_out}");
    }
}

/// Programs without chance: where repeats count, a test on a short list errs far more often.
#[test]
fn repeats_of_programs_without_chance_would_raise_the_error_rates() {
    const COUNT: usize = 1500;
    const OPENINGS: u64 = 150;
    let law = pairs_with(true_normalized_elo, 0.0);
    let rates = ["once", "all"].map(|repeats| {
        let text = format!("elo0=0,elo1=40,repeats={repeats}");
        let (sprt, mut rng) = (Sprt::parse(&text).unwrap(), Rng::new(35));
        let mut play = |_| {
            let results: Vec<usize> = (0..OPENINGS).map(|_| draw(&law, &mut rng)).collect();
            play_list(&sprt, OPENINGS, |opening| results[opening as usize])
        };
        let ends: Vec<_> = (0..COUNT).map(&mut play).collect();
        let rate = share_of(&ends, Hypothesis::H1);
        let most = ends.iter().map(|(_, pairs)| *pairs).max().unwrap_or_default();
        println!("{text}: wrongly H1 in {rate:.4}, at most {most} pairs");
        assert!(repeats == "all" || most <= 2 * OPENINGS, "{most} pairs");
        rate
    });
    assert!(rates[0] < 0.05 && rates[1] > 0.1, "{rates:?}");
}

fn covers(estimate: Option<Estimate>, truth: f64) -> bool {
    estimate.is_some_and(|estimate| (estimate.value - truth).abs() <= estimate.error)
}

/// 95 % intervals contain the truth in 94 to 96 % of the matches.
fn covers_as_claimed(what: &str, law: &[f64], play: fn(usize, &[f64], &mut Rng) -> Sample) {
    let mut rng = Rng::new(32);
    let samples: Vec<_> = (0..MATCHES).map(|_| play(400, law, &mut rng)).collect();
    let rate = |covered: &dyn Fn(&Sample) -> bool| {
        samples.iter().filter(|sample| covered(sample)).count() as f64 / MATCHES as f64
    };
    let elo = rate(&|sample| covers(sample.elo(), true_elo(law)));
    let normalized = rate(&|sample| covers(sample.normalized_elo(), true_normalized_elo(law)));
    let truths = format!("Elo {:.1}, normalized {:.1}", true_elo(law), true_normalized_elo(law));
    println!("{what}, {truths}: covered in {elo:.4} and {normalized:.4}");
    assert!((0.94..=0.96).contains(&elo) && (0.94..=0.96).contains(&normalized));
}

#[test]
fn intervals_cover_the_truth() {
    for strength in [0.0, 0.2] {
        covers_as_claimed("pairs", &pair_law(strength), play_pairs);
        covers_as_claimed("games", &game_law(strength), play_games);
    }
}

/// Between equal players the likelihood of superiority is uniformly distributed.
fn superiority_is_calibrated(what: &str, mut play: impl FnMut(&mut Rng) -> f64) {
    /// Number of matches. An LOS takes longer than a match.
    const COUNT: usize = MATCHES / 5;
    let mut rng = Rng::new(33);
    let found: Vec<f64> = (0..COUNT).map(|_| play(&mut rng)).collect();
    for level in [0.05, 0.25, 0.5, 0.75, 0.95] {
        let above = found.iter().filter(|los| **los > level).count() as f64 / COUNT as f64;
        println!("{what}: LOS above {level} in {above:.4}");
        let deviation = (level * (1.0 - level) / COUNT as f64).sqrt();
        let miss = (above - (1.0 - level)).abs();
        // Scores are discrete, and so is the likelihood: a step has a probability of up to one
        // percent.
        assert!(miss < 3.0 * deviation + 0.005, "{what}: LOS above {level} in {above}");
    }
}

#[test]
fn likelihood_of_superiority_is_calibrated() {
    superiority_is_calibrated("pairs", |rng| {
        let mut pairs = Pairs::default();
        (0..200).for_each(|_| add_pair(&mut pairs, &pair_law(0.0), rng));
        superiority(&pairs.categories()).unwrap()
    });
    superiority_is_calibrated("games", |rng| {
        let mut games = Games::default();
        (0..400).for_each(|_| games.add(draw(&game_law(0.0), rng) as u8));
        superiority(&games.categories()).unwrap()
    });
}
