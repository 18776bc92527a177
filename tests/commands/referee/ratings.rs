//! Ratings of a field from rankings, compared with an independent reference implementation. With
//! two players they are compared with Elo, and on simulated tournaments with the true strengths.

use arbitre::internals::statistics::plackett_luce::{ratings, ELO_PER_LOGIT};
use arbitre::internals::statistics::ranking::{Ranking, Rankings};
use arbitre::internals::statistics::rating::{expected_score, Estimate, Z};
use arbitre::rng::Rng;

/// A ranking of players as groups, and the number of times it occurred.
type Counted = (Vec<Vec<usize>>, u64);

fn rankings(counted: &[Counted]) -> Rankings {
    let mut rankings = Rankings::default();
    for (groups, count) in counted {
        let players = groups.concat();
        let rank = |player| 1 + groups.iter().position(|group| group.contains(player)).unwrap();
        let ranks: Vec<usize> = players.iter().map(rank).collect();
        (0..*count).for_each(|_| rankings.add(Ranking::new(&players, &ranks)));
    }
    rankings
}

fn estimates(counted: &[Counted], players: usize) -> Vec<Estimate> {
    ratings(&rankings(counted), players).estimates
}

/// Returns the logarithm of the posterior density, without a constant: of the games by Efron's
/// approximation for shared ranks, and of a virtual draw of each player against strength 0.
fn log_posterior(counted: &[Counted], logits: &[f64]) -> f64 {
    let weight = |group: &[usize]| group.iter().map(|&i| logits[i].exp()).sum::<f64>();
    let of_game = |groups: &[Vec<usize>]| -> f64 {
        let (mut sum, mut behind) = (0.0, 0.0);
        for group in groups.iter().rev() {
            let size = group.len() as f64;
            let is_last = behind == 0.0;
            let share = if is_last { (size - 1.0) / size } else { 1.0 };
            sum += share * group.iter().map(|&i| logits[i]).sum::<f64>();
            let fewest = if is_last { 2 } else { 1 };
            let choice = |left: usize| (behind + left as f64 / size * weight(group)).ln();
            sum -= (fewest..=group.len()).map(choice).sum::<f64>();
            behind += weight(group);
        }
        sum
    };
    let games: f64 = counted.iter().map(|(groups, count)| *count as f64 * of_game(groups)).sum();
    games + logits.iter().map(|s| s / 2.0 - (1.0 + s.exp()).ln()).sum::<f64>()
}

/// Returns the value of a function near a point.
fn beside(f: &dyn Fn(&[f64]) -> f64, point: &[f64], steps: &[(usize, f64)]) -> f64 {
    let mut point = point.to_vec();
    steps.iter().for_each(|&(i, step)| point[i] += step);
    f(&point)
}

/// Gradient ascent with finite differences, with no formula except the likelihood.
fn climb(f: &dyn Fn(&[f64]) -> f64, size: usize) -> Vec<f64> {
    const H: f64 = 1e-5;
    let (mut point, mut pace) = (vec![0.0; size], 0.01);
    for _ in 0..20_000 {
        let slope = |i| (beside(f, &point, &[(i, H)]) - beside(f, &point, &[(i, -H)])) / (2.0 * H);
        let gradient: Vec<f64> = (0..size).map(slope).collect();
        if gradient.iter().all(|slope| slope.abs() < 1e-6) {
            break;
        }
        let next: Vec<f64> = point.iter().zip(&gradient).map(|(x, g)| x + pace * g).collect();
        if f(&next) >= f(&point) {
            (point, pace) = (next, pace * 1.5);
        } else {
            pace /= 4.0;
        }
    }
    point
}

/// Returns the inverse by Cramer's rule.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    fn determinant(matrix: &[Vec<f64>]) -> f64 {
        if matrix.is_empty() {
            return 1.0;
        }
        let signed = |j: usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 } * matrix[0][j];
        (0..matrix.len()).map(|j| signed(j) * determinant(&minor(matrix, 0, j))).sum()
    }
    fn minor(matrix: &[Vec<f64>], row: usize, column: usize) -> Vec<Vec<f64>> {
        let rows = matrix.iter().enumerate().filter(|(i, _)| *i != row);
        let without = |row: &Vec<f64>| {
            let kept = row.iter().enumerate().filter(|(j, _)| *j != column);
            kept.map(|(_, x)| *x).collect()
        };
        rows.map(|(_, row)| without(row)).collect()
    }
    let whole = determinant(matrix);
    let entry = |i: usize, j: usize| {
        let sign = if (i + j).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * determinant(&minor(matrix, j, i)) / whole
    };
    (0..matrix.len()).map(|i| (0..matrix.len()).map(|j| entry(i, j)).collect()).collect()
}

/// Returns the most probable strengths with errors, in Elo above their mean, by gradient ascent.
/// Errors come from second differences at the maximum.
fn oracle(counted: &[Counted], players: usize) -> Vec<Estimate> {
    const H: f64 = 1e-3;
    let f = |logits: &[f64]| log_posterior(counted, logits);
    let top = climb(&f, players);
    let curvature = |i, j| {
        let at = |one, other| beside(&f, &top, &[(i, one), (j, other)]);
        -(at(H, H) - at(H, -H) - at(-H, H) + at(-H, -H)) / (4.0 * H * H)
    };
    let all = 0..players;
    let information: Vec<Vec<f64>> =
        all.clone().map(|i| all.clone().map(|j| curvature(i, j)).collect()).collect();
    let covariance = inverse(&information);
    let mean = top.iter().sum::<f64>() / players as f64;
    let estimate = |i: usize| {
        // Weights of the strengths in the difference from the mean.
        let weight = |j: usize| f64::from(u8::from(i == j)) - 1.0 / players as f64;
        let terms = all.clone().flat_map(|j| all.clone().map(move |k| (j, k)));
        let variance: f64 = terms.map(|(j, k)| weight(j) * weight(k) * covariance[j][k]).sum();
        let error = Z * ELO_PER_LOGIT * variance.sqrt();
        Estimate { value: ELO_PER_LOGIT * (top[i] - mean), error }
    };
    all.clone().map(estimate).collect()
}

#[track_caller]
fn agree(ours: &[Estimate], theirs: &[Estimate]) {
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(theirs) {
        let is_near = |a: f64, b: f64| (a - b).abs() < 1e-3 * (1.0 + b.abs());
        let both = is_near(our.value, their.value) && is_near(our.error, their.error);
        assert!(both, "{ours:?} are not {theirs:?}");
    }
}

/// Returns random games of random groups, often with shared ranks.
fn random_games(rng: &mut Rng, players: usize, games: usize) -> Vec<Counted> {
    let game = |_| {
        let mut all: Vec<usize> = (0..players).collect();
        rng.shuffle(&mut all);
        all.truncate(2 + rng.below(players - 1));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for player in all {
            match groups.last_mut() {
                Some(group) if rng.below(4) == 0 => group.push(player),
                _ => groups.push(vec![player]),
            }
        }
        (groups, 1 + rng.below(5) as u64)
    };
    (0..games).map(game).collect()
}

#[test]
fn ratings_maximise_the_posterior() {
    let mut rng = Rng::new(8);
    for players in 2..=5 {
        for _ in 0..4 {
            let counted = random_games(&mut rng, players, 12 + 2 * players);
            agree(&estimates(&counted, players), &oracle(&counted, players));
        }
    }
}

/// For two players a shared rank is half a win, and the model is Bradley-Terry: Elo. At the maximum
/// the points of the first player are those expected, with its virtual draw.
#[test]
fn ratings_of_two_players_follow_from_elo() {
    for (wins, draws, losses) in [(60, 0, 40), (10, 80, 10), (5, 1, 0), (999, 0, 1), (3, 4, 90)] {
        let (won, lost) = (vec![vec![0], vec![1]], vec![vec![1], vec![0]]);
        let counted = [(won, wins), (vec![vec![0, 1]], draws), (lost, losses)];
        let games = (wins + draws + losses) as f64;
        let points = wins as f64 + draws as f64 / 2.0;
        let [first, second] = estimates(&counted, 2)[..] else { panic!() };
        assert!((first.value + second.value).abs() < 1e-6);
        let expected = games * expected_score(2.0 * first.value) + expected_score(first.value);
        assert!((expected - (points + 0.5)).abs() < 1e-6, "{expected} {points}");
        let information = |elo: f64| expected_score(elo) * (1.0 - expected_score(elo));
        // The difference from the mean is half of that between the players.
        let of_games = 4.0 * games * information(2.0 * first.value);
        let error = Z * ELO_PER_LOGIT / (of_games + 2.0 * information(first.value)).sqrt();
        assert!((first.error - error).abs() < 1e-6, "{first:?} is not {error}");
    }
}

/// The ratings are equal to the last bit, so that a match gives the same output however it was
/// played.
#[test]
fn the_order_of_games_does_not_matter() {
    let mut rng = Rng::new(9);
    let mut counted = random_games(&mut rng, 6, 60);
    let reference = ratings(&rankings(&counted), 6);
    for _ in 0..20 {
        rng.shuffle(&mut counted);
        assert_eq!(ratings(&rankings(&counted), 6), reference);
    }
}

/// Some players hardly ever lose: an optimiser that stops too early is far from the truth here.
#[test]
fn strengths_far_apart_are_found() {
    let order = |order: [usize; 4]| order.map(|player| vec![player]).to_vec();
    let counted = [
        (order([0, 1, 2, 3]), 100_000),
        (order([1, 0, 2, 3]), 1),
        (order([0, 2, 1, 3]), 1),
        (order([0, 1, 3, 2]), 1),
    ];
    let found = estimates(&counted, 4);
    // One upset in 100 003 games is a difference of about ln(100 002) logits. The virtual draws
    // bring the players closer to each other.
    for pair in found.windows(2) {
        let logits = (pair[0].value - pair[1].value) / ELO_PER_LOGIT;
        assert!((logits - 100_002f64.ln()).abs() < 1.0, "{found:?}");
    }
    assert!(found.iter().all(|of| of.error > 50.0 && of.error < 1000.0), "{found:?}");
}

/// One result more never makes the ratings jump, and none of them is ever infinite.
#[test]
fn every_rating_is_a_number() {
    let order = |order: &[usize]| order.iter().map(|&player| vec![player]).collect::<Vec<_>>();
    let none = estimates(&[], 3);
    // Of a single draw: the variance of a logit is 4.
    assert!(none
        .iter()
        .all(|of| of.value == 0.0 && (of.error - 2.0 * Z * ELO_PER_LOGIT).abs() < 1e-6));
    let mut before = 0.0;
    for count in (0..11).map(|doublings| 1 << doublings) {
        let absent = estimates(&[(order(&[2, 0, 1]), count)], 4)[3];
        assert_eq!((absent.value, absent.error), (none[0].value, none[0].error));
        let best = estimates(&[(order(&[2, 0, 1]), count)], 4)[2].value;
        assert!(best > before && best < before + 250.0, "{count}: {best} after {before}");
        before = best;
    }
}

/// Draws a ranking from the Plackett-Luce model with these logits.
fn draw(logits: &[f64], rng: &mut Rng) -> Ranking {
    // Exponential clocks with the weights as rates ring in the order of the model.
    let rings = |logit: &f64| -> f64 {
        let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        -uniform.ln() / logit.exp()
    };
    let rings: Vec<f64> = logits.iter().map(rings).collect();
    let rank = |ring: &f64| 1 + rings.iter().filter(|other| *other < ring).count();
    let players: Vec<usize> = (0..logits.len()).collect();
    Ranking::new(&players, &rings.iter().map(rank).collect::<Vec<_>>())
}

/// 95 % intervals contain the truth in 93 to 97 % of the tournaments.
#[test]
fn intervals_cover_the_truth() {
    for (truth, games) in [([0.0; 4], 100), ([0.9, 0.3, -0.2, -1.0], 200)] {
        let mut rng = Rng::new(10);
        let tournaments = 1500;
        let mut covered = [0; 4];
        for _ in 0..tournaments {
            let mut rankings = Rankings::default();
            (0..games).for_each(|_| rankings.add(draw(&truth, &mut rng)));
            for (i, found) in ratings(&rankings, 4).estimates.iter().enumerate() {
                let miss = (found.value - ELO_PER_LOGIT * truth[i]).abs();
                covered[i] += u32::from(miss <= found.error);
            }
        }
        let shares = covered.map(|count| f64::from(count) / f64::from(tournaments));
        println!("{truth:?} after {games} games: covered in {shares:.3?}");
        assert!(shares.iter().all(|share| (0.93..=0.97).contains(share)), "{shares:?}");
    }
}

/// A round robin of all groups of three out of five: the strengths are those of the whole field.
#[test]
fn field_is_rated_across_its_groups() {
    let truth = [0.8, 0.4, 0.0, -0.4, -0.8];
    let mut rng = Rng::new(12);
    let mut rankings = Rankings::default();
    for group in 0u32..32 {
        let seated: Vec<usize> = (0..5).filter(|i| group >> i & 1 != 0).collect();
        for _ in 0..if seated.len() == 3 { 2000 } else { 0 } {
            let logits: Vec<f64> = seated.iter().map(|&player| truth[player]).collect();
            let groups = draw(&logits, &mut rng).groups().concat();
            let players: Vec<usize> = groups.into_iter().map(|place| seated[place]).collect();
            rankings.add(Ranking::new(&players, &[1, 2, 3]));
        }
    }
    let found = ratings(&rankings, 5).estimates;
    for (found, truth) in found.iter().zip(truth) {
        assert!((found.value - ELO_PER_LOGIT * truth).abs() < 1.5 * found.error, "{found:?}");
        assert!(found.error < 7.0, "{found:?}");
    }
}

/// The LOS of two players is that of the normal distribution with the ratings' covariance. Between
/// equal players it is uniformly distributed.
#[test]
fn superiority_follows_from_the_ratings() {
    let mut rng = Rng::new(13);
    let tournaments = 2000;
    let mut above = [0; 3];
    for _ in 0..tournaments {
        let mut rankings = Rankings::default();
        (0..100).for_each(|_| rankings.add(draw(&[0.3, 0.0, 0.0, -0.3], &mut rng)));
        let ratings = ratings(&rankings, 4);
        let los = ratings.superiority(1, 2);
        assert!((los + ratings.superiority(2, 1) - 1.0).abs() < 1e-12);
        for (level, count) in [0.05, 0.5, 0.95].iter().zip(&mut above) {
            *count += u32::from(los > *level);
        }
    }
    let shares = above.map(|count| f64::from(count) / f64::from(tournaments));
    println!("LOS above 5, 50 and 95 %: {shares:.3?}");
    // Three standard deviations of the middle one are 0.034.
    let expected = [0.95, 0.5, 0.05];
    assert!(shares.iter().zip(expected).all(|(share, of)| (share - of).abs() < 0.034));
}
