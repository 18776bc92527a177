//! Swiss system, compared with a search of all pairings.

use crate::formats::field::{games, start, Field};
use arbitre::internals::formats::swiss::Swiss;
use arbitre::internals::formats::{Criterion, Format, History, Meeting, Stage};
use arbitre::rng::Rng;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Points of a won meeting of one round.
const WON: u64 = 4;

/// Cost of a pairing by each criterion, as `referee/formats/swiss.rs` states them.
type Cost = [u64; 4];

/// Facts that decide a pairing, computed from the history in another way than the format does.
struct Facts {
    standings: Vec<usize>,
    points: Vec<u64>,
    byes: Vec<u64>,
    met: BTreeMap<Vec<usize>, u64>,
}

impl Facts {
    fn of(history: &History) -> Facts {
        let mut points = vec![0; history.players()];
        let (mut byes, mut met) = (vec![0; history.players()], BTreeMap::new());
        for stage in &history.stages {
            for of in &stage.meetings {
                *met.entry(of.meeting.players.clone()).or_default() += 1;
                points[of.meeting.players[0]] += of.half_points[0];
                points[of.meeting.players[1]] += of.half_points[1];
            }
            for &player in &stage.byes {
                points[player] += WON;
                byes[player] += 1;
            }
        }
        let mut standings: Vec<usize> =
            (0..history.players()).filter(|&player| history.present[player]).collect();
        standings.sort_by_key(|&player| (Reverse(points[player]), player));
        Facts { standings, points, byes, met }
    }

    fn place(&self, player: usize) -> u64 {
        self.standings.iter().position(|&other| other == player).unwrap() as u64
    }

    fn bye_cost(&self, player: usize) -> Cost {
        let last = *self.standings.last().unwrap();
        let difference = self.points[player] - self.points[last];
        let above = self.place(last) - self.place(player);
        [0, self.byes[player], difference.pow(2), 4 * above.pow(2)]
    }

    fn pair_cost(&self, one: usize, other: usize) -> Cost {
        let group = [one.min(other), one.max(other)].to_vec();
        let met = self.met.get(&group).copied().unwrap_or(0);
        let difference = self.points[one].abs_diff(self.points[other]);
        let apart = 2 * self.place(one).abs_diff(self.place(other));
        let score = self.points[one];
        let equal = self.standings.iter().filter(|&&player| self.points[player] == score).count();
        let best = if difference == 0 { equal as u64 } else { 0 };
        [met, 0, difference.pow(2), apart.abs_diff(best).pow(2)]
    }

    fn cost(&self, stage: &Stage) -> Cost {
        let pairs = stage.meetings.iter().map(|of| self.pair_cost(of.players[0], of.players[1]));
        let byes = stage.byes.iter().map(|&player| self.bye_cost(player));
        pairs.chain(byes).fold([0; 4], sum)
    }

    /// Returns the least cost of pairing all of `left`, with or without a bye.
    fn least(&self, left: &[usize], has_bye: bool) -> Option<Cost> {
        let Some((&first, rest)) = left.split_first() else {
            return (!has_bye).then_some([0; 4]);
        };
        let without = |other: usize| -> Vec<usize> {
            rest.iter().copied().filter(|&player| player != other).collect()
        };
        let pairs = rest.iter().filter_map(|&other| {
            Some(sum(self.pair_cost(first, other), self.least(&without(other), has_bye)?))
        });
        let bye = has_bye.then(|| self.least(rest, false)).flatten();
        let bye = bye.map(|cost| sum(self.bye_cost(first), cost));
        pairs.chain(bye).min()
    }
}

fn sum(one: Cost, other: Cost) -> Cost {
    std::array::from_fn(|i| one[i] + other[i])
}

#[test]
fn every_round_of_random_histories_is_a_brute_force_optimum() {
    let (mut stages, mut repeats, mut second_byes) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let players = 2 + rng.below(9);
        let field = Field { ties: rng.unit() / 2.0, ..Field::equal(10, seed) };
        let format = Swiss::new(players, 2, 2 + rng.below(7) as u64, 1).unwrap();
        let mut history = start(players);
        while let Some(stage) = format.next(&history) {
            let facts = Facts::of(&history);
            let least = facts.least(&facts.standings, facts.standings.len() % 2 == 1);
            let cost = facts.cost(&stage);
            assert_eq!(Some(cost), least, "seed {seed}, {history:?}, {stage:?}");
            repeats += cost[0];
            second_byes += cost[1];
            stages += 1;
            history.stages.push(field.play(&stage));
            if rng.below(4) == 0 {
                let player = rng.below(history.players());
                history.present[player] ^= true;
            }
            if rng.below(6) == 0 && history.players() < 10 {
                history.present.push(true);
            }
        }
    }
    eprintln!("{stages} stages with {repeats} repeats and {second_byes} second byes");
    assert!(repeats > 0 && second_byes > 0, "the hard cases occur");
}

/// A random history has no order of its own, unlike one that the format itself paired.
#[test]
fn arbitrary_histories_are_paired_by_a_brute_force_optimum() {
    for seed in 0..200 {
        let mut rng = Rng::new(1000 + seed);
        let players = 3 + rng.below(8);
        let field = Field::equal(players, seed);
        let mut history = start(players);
        for round in 0..1 + rng.below(6) as u64 {
            let mut order: Vec<usize> = (0..players).collect();
            rng.shuffle(&mut order);
            let pairs = order.chunks_exact(2);
            let byes = pairs.remainder().to_vec();
            let meeting = |pair: &[usize]| {
                let mut players = pair.to_vec();
                players.sort_unstable();
                arbitre::internals::formats::Meeting { players, first_round: round, rounds: 1 }
            };
            let stage = Stage { meetings: pairs.map(meeting).collect(), byes };
            history.stages.push(field.play(&stage));
        }
        let stage = Swiss::new(players, 2, 100, 1).unwrap().next(&history).unwrap();
        let facts = Facts::of(&history);
        let least = facts.least(&facts.standings, players % 2 == 1);
        assert_eq!(Some(facts.cost(&stage)), least, "seed {seed}");
    }
}

#[test]
fn upper_half_meets_lower_half_in_the_first_stage() {
    let stage = Swiss::new(8, 2, 5, 1).unwrap().next(&start(8)).unwrap();
    let pairs: Vec<&[usize]> = stage.meetings.iter().map(|of| &of.players[..]).collect();
    assert_eq!(pairs, [[0, 4], [1, 5], [2, 6], [3, 7]]);
    let odd = Swiss::new(7, 2, 5, 1).unwrap().next(&start(7)).unwrap();
    assert_eq!(odd.byes, [6]);
}

#[test]
fn default_number_of_stages_grows_with_the_logarithm() {
    let stages = [2, 3, 4, 5, 8, 9, 12, 16, 30, 64, 100].map(Swiss::default_stages);
    assert_eq!(stages, [1, 3, 3, 5, 5, 6, 6, 6, 7, 8, 9]);
}

#[test]
fn first_stages_have_no_repeats() {
    for players in [12, 13, 30, 64] {
        let field = Field::equal(players, 7);
        let stages = Swiss::default_stages(players);
        let history = field.run(&Swiss::new(players, 2, stages, 1).unwrap());
        let met = crate::formats::field::met(&history);
        assert!(met.iter().flatten().all(|&meetings| meetings <= 1), "{players} players");
        let byes: Vec<usize> = history.stages.iter().flat_map(|stage| stage.byes.clone()).collect();
        let mut different = byes.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), byes.len());
    }
}

#[test]
fn bye_counts_as_a_won_meeting_and_a_late_joiner_has_no_points() {
    let format = Swiss::new(3, 2, 3, 2).unwrap();
    let mut history = start(3);
    let stage = format.next(&history).unwrap();
    assert_eq!((stage.meetings[0].games(), &stage.byes[..]), (4, &[2][..]));
    history.stages.push(Field::equal(4, 1).play(&stage));
    history.present.push(true);
    let ranking = format.ranking(&history);
    let of = |player: usize| ranking.iter().find(|placing| placing.player == player).unwrap();
    assert_eq!(of(2).half_points, 8);
    assert_eq!(of(2).criteria[0], Criterion::Buchholz(8));
    assert_eq!(of(3).half_points, 0);
    assert_eq!(of(0).criteria[0], Criterion::Buchholz(of(1).half_points));
}

#[test]
fn buchholz_is_the_sum_of_the_points_of_all_opponents() {
    let format = Swiss::new(10, 2, 6, 1).unwrap();
    for seed in 0..20 {
        let history = Field::equal(10, seed).run(&format);
        let met = crate::formats::field::met(&history);
        let ranking = format.ranking(&history);
        for placing in &ranking {
            let sum: u64 =
                ranking.iter().map(|of| met[placing.player][of.player] * of.half_points).sum();
            assert_eq!(placing.criteria[0], Criterion::Buchholz(sum));
        }
        for pair in ranking.windows(2) {
            let key = |i: usize| match pair[i].criteria[0] {
                Criterion::Buchholz(sum) => (pair[i].half_points, sum),
                _ => panic!("{pair:?}"),
            };
            assert!(key(0) >= key(1));
        }
    }
}

#[test]
fn tables_join_neighbours_and_avoid_repeats() {
    let format = Swiss::new(32, 4, 4, 1).unwrap();
    let mut repeats = 0;
    for seed in 0..20 {
        let history = Field::equal(32, seed).run(&format);
        assert_eq!(games(&history), 4 * 8 * 4);
        let met = crate::formats::field::met(&history);
        repeats += met.iter().flatten().filter(|&&meetings| meetings > 1).count() / 2;
    }
    eprintln!("{repeats} repeats in 20 tournaments of 768 meetings of two players each");
    assert!(repeats < 20 * 10);
    // The players that do not fill a table have byes, the lowest first, each at most once.
    let history = Field::equal(30, 1).run(&Swiss::new(30, 4, 7, 1).unwrap());
    let byes: Vec<usize> = history.stages.iter().flat_map(|stage| stage.byes.clone()).collect();
    assert_eq!((byes.len(), &byes[..2]), (14, &[28, 29][..]));
    assert!(byes.iter().all(|player| byes.iter().filter(|&other| other == player).count() == 1));
}

#[test]
fn byes_alone_never_rank_first() {
    let format = Swiss::new(3, 2, 3, 1).unwrap();
    let mut history = start(3);
    let meeting = Meeting { players: vec![0, 1], first_round: 0, rounds: 1 };
    let stage = Stage { meetings: vec![meeting], byes: vec![2] };
    history.stages.push(Field::equal(3, 1).play(&stage));
    let places = |history: &History| -> Vec<usize> {
        format.ranking(history).iter().map(|place| place.player).collect()
    };
    assert_eq!(places(&history)[2], 2, "it has all points of a bye, and no game");
    let meeting = Meeting { players: vec![0, 2], first_round: 1, rounds: 1 };
    history.stages.push(Field::equal(3, 1).play(&Stage { meetings: vec![meeting], byes: vec![1] }));
    assert_eq!(places(&history)[0], 2, "its bye counts beside a game: {history:?}");
}
