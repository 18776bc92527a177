//! Ratings of a field from rankings, compared with an independent reference implementation. With
//! two players they are compared with Elo, and on simulated tournaments with the true strengths.

use arbitre::referee::statistics::plackett_luce::{ratings, Rating, ELO_PER_LOGIT};
use arbitre::referee::statistics::ranking::{Ranking, Rankings};
use arbitre::referee::statistics::rating::{elo, Estimate, Z};
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

fn known(ratings: &[Rating]) -> Vec<Estimate> {
    let value = |rating: &Rating| match rating {
        Rating::Known(estimate) => *estimate,
        other => panic!("{other:?} in {ratings:?}"),
    };
    ratings.iter().map(value).collect()
}

/// Returns all orders of `items`.
fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let starting_with = |&first: &usize| {
        let rest: Vec<usize> = items.iter().copied().filter(|&item| item != first).collect();
        orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    items.iter().flat_map(starting_with).collect()
}

/// Returns every strict order of every game, with its share of the game.
fn spelt_out(counted: &[Counted]) -> Vec<(Vec<usize>, f64)> {
    let mut all = Vec::new();
    for (groups, count) in counted {
        let mut of_this: Vec<Vec<usize>> = vec![vec![]];
        for group in groups {
            let longer = |start: Vec<usize>| {
                orders(group).into_iter().map(move |end| [start.clone(), end].concat())
            };
            of_this = of_this.into_iter().flat_map(longer).collect();
        }
        let part = *count as f64 / of_this.len() as f64;
        all.extend(of_this.into_iter().map(|order| (order, part)));
    }
    all
}

fn log_likelihood(games: &[(Vec<usize>, f64)], free: &[f64]) -> f64 {
    let logits = with_the_last(free);
    let of_order = |order: &[usize]| -> f64 {
        let stage = |at: usize| {
            let left: f64 = order[at..].iter().map(|&player| logits[player].exp()).sum();
            logits[order[at]] - left.ln()
        };
        (0..order.len()).map(stage).sum()
    };
    games.iter().map(|(order, part)| part * of_order(order)).sum()
}

/// Appends the last strength: all strengths sum to zero.
fn with_the_last(free: &[f64]) -> Vec<f64> {
    [free, &[-free.iter().sum::<f64>()]].concat()
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

/// Returns the maximum-likelihood strengths with errors, in Elo: by gradient ascent, and by second
/// differences at the maximum.
fn oracle(counted: &[Counted], players: usize) -> Vec<Estimate> {
    const H: f64 = 1e-3;
    let games = spelt_out(counted);
    let f = |free: &[f64]| log_likelihood(&games, free);
    let size = players - 1;
    let top = climb(&f, size);
    let curvature = |i, j| {
        let at = |one, other| beside(&f, &top, &[(i, one), (j, other)]);
        -(at(H, H) - at(H, -H) - at(-H, H) + at(-H, -H)) / (4.0 * H * H)
    };
    let information: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| curvature(i, j)).collect()).collect();
    let covariance = inverse(&information);
    let last: f64 = covariance.iter().flatten().sum();
    let variances = (0..size).map(|i| covariance[i][i]).chain([last]);
    let estimate = |(logit, variance): (f64, f64)| Estimate {
        value: ELO_PER_LOGIT * logit,
        error: Z * ELO_PER_LOGIT * variance.sqrt(),
    };
    with_the_last(&top).into_iter().zip(variances).map(estimate).collect()
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
fn ratings_maximise_the_likelihood() {
    let mut rng = Rng::new(8);
    for players in 2..=5 {
        for _ in 0..4 {
            let counted = random_games(&mut rng, players, 12 + 2 * players);
            let ours = ratings(&rankings(&counted), players);
            agree(&known(&ours), &oracle(&counted, players));
        }
    }
}

/// For two players a shared rank is half a win, and the model is Bradley-Terry: Elo.
#[test]
fn ratings_of_two_players_equal_elo() {
    for (wins, draws, losses) in [(60, 0, 40), (10, 80, 10), (5, 1, 0), (999, 0, 1), (3, 4, 90)] {
        let (won, lost) = (vec![vec![0], vec![1]], vec![vec![1], vec![0]]);
        let counted = [(won, wins), (vec![vec![0, 1]], draws), (lost, losses)];
        let games = (wins + draws + losses) as f64;
        let score = (wins as f64 + draws as f64 / 2.0) / games;
        let error = Z * ELO_PER_LOGIT / (games * score * (1.0 - score)).sqrt();
        // Each player is half the difference away from the mean.
        let of =
            |sign: f64| Estimate { value: sign * elo(score).unwrap() / 2.0, error: error / 2.0 };
        let found = known(&ratings(&rankings(&counted), 2));
        for (found, expected) in found.iter().zip([of(1.0), of(-1.0)]) {
            assert!((found.value - expected.value).abs() < 1e-6, "{found:?} is not {expected:?}");
            assert!((found.error - expected.error).abs() < 1e-6, "{found:?} is not {expected:?}");
        }
    }
}

/// The ratings are equal to the last bit, so that a match gives the same output however it was
/// played.
#[test]
fn the_order_of_games_does_not_matter() {
    let mut rng = Rng::new(9);
    let mut counted = random_games(&mut rng, 6, 60);
    let reference = ratings(&rankings(&counted), 6);
    known(&reference);
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
    let found = known(&ratings(&rankings(&counted), 4));
    // One upset in 100 003 games is a difference of about ln(100 002) logits.
    for pair in found.windows(2) {
        let logits = (pair[0].value - pair[1].value) / ELO_PER_LOGIT;
        assert!((logits - 100_002f64.ln()).abs() < 1e-4, "{found:?}");
    }
    assert!(found.iter().all(|of| of.error > 50.0 && of.error < 1000.0), "{found:?}");
}

#[test]
fn undetermined_ratings_are_not_reported() {
    let order = |order: &[usize]| order.iter().map(|&player| vec![player]).collect::<Vec<_>>();
    let rate = |counted: &[Counted], players| ratings(&rankings(counted), players);
    assert_eq!(rate(&[], 3), [Rating::Undetermined; 3]);
    // One game, or many with the same result, leave the middle player anywhere between the others.
    for count in [1, 10, 1000] {
        let [first, middle, last] = rate(&[(order(&[2, 0, 1]), count)], 3)[..] else { panic!() };
        let (Rating::Over(over), Rating::Under(under)) = (last, middle) else {
            panic!("{first:?} {middle:?} {last:?}")
        };
        assert_eq!(first, Rating::Undetermined);
        assert_eq!((over > 0.0, under < 0.0), (count > 4, count > 4), "{count}: {over} {under}");
        assert!(over.is_finite() && under.is_finite());
    }
    // Two players that share all ranks are equal; a player that never played is undetermined.
    let [one, other, absent] = rate(&[(vec![vec![0, 1]], 50)], 3)[..] else { panic!() };
    assert_eq!(absent, Rating::Undetermined);
    let both = known(&[one, other]);
    assert!(both[0].value.abs() < 1e-9 && both[0].error > 10.0, "{both:?}");
    // A player that shared the first rank was not ahead of all.
    let shared = rate(&[(order(&[0, 1, 2]), 9), (vec![vec![0, 1], vec![2]], 1)], 3);
    assert_eq!((shared[0], shared[1]), (Rating::Undetermined, Rating::Undetermined));
    assert!(matches!(shared[2], Rating::Under(_)), "{shared:?}");
    // A player has a bound only if it met all others equally often.
    let uneven = [(order(&[0, 1]), 5), (order(&[0, 2]), 4), (order(&[1, 2]), 5)];
    assert_eq!(rate(&uneven, 3), [Rating::Undetermined; 3]);
}

/// For two players the bound is that of a match, halved: Elo is the difference, a rating half of
/// it.
#[test]
fn sweep_of_two_has_the_bound_of_a_match() {
    for count in [1, 5, 100] {
        let swept = rankings(&[(vec![vec![0], vec![1]], count)]);
        let bound = elo(0.025f64.powf(1.0 / count as f64)).unwrap() / 2.0;
        let [Rating::Over(over), Rating::Under(under)] = ratings(&swept, 2)[..] else { panic!() };
        assert!((over - bound).abs() < 1e-6 && (under + bound).abs() < 1e-6, "{over} {under}");
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

/// At the bound itself, all of `n` games go this way with a probability of 2.5 %.
#[test]
fn bound_has_a_probability_of_2_5_percent() {
    let rounds = 40_000;
    for (player, order) in [(0, [0, 1, 2, 3]), (3, [0, 1, 2, 3])] {
        let count = 3;
        let swept = rankings(&[(order.map(|player| vec![player]).to_vec(), count)]);
        let bound = match ratings(&swept, 4)[player] {
            Rating::Over(bound) | Rating::Under(bound) => bound,
            other => panic!("{other:?}"),
        };
        let mut logits = [-bound / 3.0 / ELO_PER_LOGIT; 4];
        logits[player] = bound / ELO_PER_LOGIT;
        let mut rng = Rng::new(11);
        let at_that_end = |rng: &mut Rng| {
            let ranking = draw(&logits, rng);
            let groups = ranking.groups();
            groups[if player == 0 { 0 } else { 3 }] == [player]
        };
        let hits = (0..rounds).filter(|_| (0..count).all(|_| at_that_end(&mut rng))).count();
        let share = hits as f64 / f64::from(rounds);
        println!("player {player} at the bound {bound:.1}: all {count} games in {share:.4}");
        assert!((share - 0.025).abs() < 0.003, "{share}");
    }
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
            for (i, found) in known(&ratings(&rankings, 4)).iter().enumerate() {
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
    let found = known(&ratings(&rankings, 5));
    for (found, truth) in found.iter().zip(truth) {
        assert!((found.value - ELO_PER_LOGIT * truth).abs() < 1.5 * found.error, "{found:?}");
        assert!(found.error < 7.0, "{found:?}");
    }
}
