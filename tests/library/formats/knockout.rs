//! Knockout.

use crate::formats::field::{start, Field};
use arbitre::internals::formats::knockout::{Elimination, Knockout, TIE_BREAK_ROUNDS};
use arbitre::internals::formats::{Format, History, PlayedMeeting, PlayedStage, Stage};
use arbitre::internals::statistics::ranking::Rankings;

const SINGLE: Elimination = Elimination::Single { third_place: false };
const WITH_THIRD: Elimination = Elimination::Single { third_place: true };

/// Returns the results of a stage in which a player has the points that `points` returns.
fn result(stage: &Stage, points: impl Fn(usize) -> u64) -> PlayedStage {
    let played = |meeting: &arbitre::internals::formats::Meeting| PlayedMeeting {
        meeting: meeting.clone(),
        half_points: meeting.players.iter().map(|&player| points(player)).collect(),
        rankings: Rankings::default(),
        texts: Vec::new(),
    };
    let meetings = stage.meetings.iter().map(played).collect();
    PlayedStage { meetings, byes: stage.byes.clone() }
}

fn groups(stage: &Stage) -> Vec<Vec<usize>> {
    stage.meetings.iter().map(|meeting| meeting.players.clone()).collect()
}

/// Returns the groups of all stages if a player has the points that `points` returns.
fn run(
    format: &Knockout,
    players: usize,
    points: impl Fn(usize) -> u64,
) -> (Vec<Vec<Vec<usize>>>, History) {
    let (mut history, mut stages) = (start(players), Vec::new());
    while let Some(stage) = format.next(&history) {
        stages.push(groups(&stage));
        history.stages.push(result(&stage, &points));
        assert!(stages.len() < 100);
    }
    (stages, history)
}

/// Returns the players of each rank.
fn ranks(format: &Knockout, history: &History) -> Vec<(usize, usize)> {
    format.ranking(history).iter().map(|placing| (placing.rank, placing.player)).collect()
}

fn better_seed(player: usize) -> u64 {
    100 - player as u64
}

#[test]
fn better_seeds_meet_as_late_as_possible() {
    let format = Knockout::new(8, 2, 1, SINGLE).unwrap();
    let (stages, history) = run(&format, 8, better_seed);
    let expected = [
        vec![vec![0, 7], vec![1, 6], vec![2, 5], vec![3, 4]],
        vec![vec![0, 3], vec![1, 2]],
        vec![vec![0, 1]],
    ];
    assert_eq!(stages, expected);
    let expected = [(1, 0), (2, 1), (3, 2), (3, 3), (5, 4), (5, 5), (5, 6), (5, 7)];
    assert_eq!(ranks(&format, &history), expected);
    let (_, upset) = run(&format, 8, |player| player as u64);
    assert_eq!(ranks(&format, &upset)[..2], [(1, 7), (2, 6)]);
}

#[test]
fn best_seeds_have_byes() {
    let format = Knockout::new(5, 2, 1, WITH_THIRD).unwrap();
    let first = format.next(&start(5)).unwrap();
    assert_eq!((groups(&first), first.byes), (vec![vec![3, 4]], vec![0, 1, 2]));
    let (stages, history) = run(&format, 5, better_seed);
    let expected = [vec![vec![3, 4]], vec![vec![0, 3], vec![1, 2]], vec![vec![0, 1], vec![2, 3]]];
    assert_eq!(stages, expected);
    assert_eq!(ranks(&format, &history), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]);
    // The loser of a semi-final may win the third place against the better seed.
    let mut upset = history.clone();
    upset.stages[2].meetings[1].half_points.reverse();
    assert_eq!(ranks(&format, &upset)[2..4], [(3, 3), (4, 2)]);
}

#[test]
fn loser_of_the_winners_final_can_still_win() {
    let format = Knockout::new(4, 2, 1, Elimination::Double).unwrap();
    let mut history = start(4);
    // Player 1 loses its second meeting and wins all others.
    let winners = [vec![0, 1], vec![0], vec![1], vec![1], vec![1]];
    let pairs = [
        vec![vec![0, 3], vec![1, 2]],
        vec![vec![0, 1], vec![2, 3]],
        vec![vec![1, 2]],
        vec![vec![0, 1]],
        vec![vec![0, 1]],
    ];
    for (stage, winners) in winners.iter().enumerate() {
        let next = format.next(&history).unwrap();
        assert_eq!(groups(&next), pairs[stage], "stage {stage}");
        history.stages.push(result(&next, |player| {
            2 * u64::from(winners.contains(&player)) + u64::from(player == 2)
        }));
    }
    assert_eq!(format.next(&history), None);
    assert_eq!(ranks(&format, &history), [(1, 1), (2, 0), (3, 2), (4, 3)]);
}

#[test]
fn all_but_the_winner_lose_twice_in_double_elimination() {
    for players in 2..=33 {
        let format = Knockout::new(players, 2, 1, Elimination::Double).unwrap();
        for seed in 0..20 {
            let history = Field::equal(players, seed).run(&format);
            let ranking = format.ranking(&history);
            assert_eq!(ranking.iter().filter(|placing| placing.rank == 1).count(), 1);
            let mut pairs: Vec<Vec<usize>> = Vec::new();
            // A tie-break repeats the pair of the stage before it.
            for stage in &history.stages {
                pairs.extend(stage.meetings.iter().map(|of| of.meeting.players.clone()));
            }
            assert!(pairs.len() >= 2 * players - 2, "{players} players");
        }
    }
}

#[test]
fn double_elimination_needs_two_seats() {
    let error = Knockout::new(8, 4, 1, Elimination::Double).unwrap_err().to_string();
    let expected = "expected two seats for double elimination, got 4; help: use knockout";
    assert_eq!(error, expected);
    let alone = Knockout::new(8, 1, 1, SINGLE).unwrap_err().to_string();
    assert_eq!(alone, "expected at least two seats for this format, got 1; help: use round-robin");
}

#[test]
fn upper_half_of_a_table_goes_on() {
    let format = Knockout::new(16, 4, 1, SINGLE).unwrap();
    let (stages, history) = run(&format, 16, better_seed);
    assert_eq!(stages[0][0], [0, 7, 8, 15]);
    assert_eq!(stages[1], [[0, 3, 4, 7], [1, 2, 5, 6]]);
    assert_eq!(stages[2], [[0, 1, 2, 3]]);
    let ranks = ranks(&format, &history);
    assert_eq!(ranks[..5], [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]);
    assert_eq!((ranks[7].0, ranks[8].0, ranks[15].0), (5, 9, 9));
    // Seven players cannot become four at one table, so the field shrinks twice.
    let (stages, _) = run(&Knockout::new(7, 4, 1, SINGLE).unwrap(), 7, better_seed);
    assert_eq!(stages, [[[3, 4, 5, 6]], [[1, 2, 3, 4]], [[0, 1, 2, 3]]]);
}

#[test]
fn ties_are_broken_by_further_rounds_then_by_seed() {
    let format = Knockout::new(4, 2, 3, SINGLE).unwrap();
    let mut history = start(4);
    let first = format.next(&history).unwrap();
    // Only the players 0 and 3 tie.
    let tie = |player: usize| [6, 8, 4, 6][player];
    history.stages.push(result(&first, tie));
    for further in 0..TIE_BREAK_ROUNDS {
        let next = format.next(&history).unwrap();
        assert_eq!((groups(&next), next.byes.len()), (vec![vec![0, 3]], 0));
        assert_eq!((next.meetings[0].first_round, next.meetings[0].rounds), (3 + further, 1));
        let mut decided = history.clone();
        decided.stages.push(result(&next, |player| [1, 0, 0, 3][player]));
        assert_eq!(groups(&format.next(&decided).unwrap()), [[1, 3]]);
        history.stages.push(result(&next, |_| 2));
    }
    let last = format.next(&history).unwrap();
    assert_eq!((groups(&last), last.meetings[0].first_round), (vec![vec![0, 1]], 7));
}

#[test]
fn tie_above_or_below_the_cut_is_not_played_again() {
    let format = Knockout::new(8, 4, 1, SINGLE).unwrap();
    let mut history = start(8);
    let first = format.next(&history).unwrap();
    let points = |at_table: [u64; 4]| {
        let players = first.meetings[0].players.clone();
        move |player: usize| {
            let place = players.iter().position(|&other| other == player);
            place.map_or(player as u64, |place| at_table[place])
        }
    };
    history.stages.push(result(&first, points([5, 5, 1, 1])));
    assert_eq!(format.next(&history).unwrap().meetings[0].players.len(), 4);
    assert_eq!(format.next(&history).unwrap().meetings[0].rounds, 1);
    let final_table = groups(&format.next(&history).unwrap());
    assert_ne!(final_table, groups(&first));
    history.stages[0] = result(&first, points([5, 3, 3, 1]));
    assert_eq!(groups(&format.next(&history).unwrap()), [first.meetings[0].players.clone()]);
}

#[test]
fn absent_player_is_out_when_a_round_begins_and_loses_a_tie() {
    let format = Knockout::new(8, 2, 1, SINGLE).unwrap();
    let mut history = start(8);
    let first = format.next(&history).unwrap();
    history.stages.push(result(&first, better_seed));
    history.present[0] = false;
    let second = format.next(&history).unwrap();
    // Three are left: 3 and 2 play, and 1 has a bye.
    assert_eq!((groups(&second), second.byes.clone()), (vec![vec![2, 3]], vec![1]));
    history.stages.push(result(&second, |_| 2));
    // Its return changes nothing.
    history.present[0] = true;
    assert_eq!(groups(&format.next(&history).unwrap()), [[2, 3]]);
    history.present[2] = false;
    let last = format.next(&history).unwrap();
    assert_eq!(groups(&last), [[1, 3]]);
    history.stages.push(result(&last, better_seed));
    history.present = vec![true; 8];
    assert_eq!(format.next(&history), None);
    assert_eq!(ranks(&format, &history)[..4], [(1, 1), (2, 3), (3, 0), (3, 2)]);
}

#[test]
fn late_joiner_cannot_enter() {
    let format = Knockout::new(4, 2, 1, SINGLE).unwrap();
    let mut history = start(4);
    let first = format.next(&history).unwrap();
    history.stages.push(result(&first, better_seed));
    history.present.push(true);
    assert_eq!(groups(&format.next(&history).unwrap()), [[0, 1]]);
    assert_eq!(format.ranking(&history)[4].player, 4);
}
