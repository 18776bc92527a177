//! The bracket of a knockout, beside the stages from which it follows.

use crate::formats::field::{start, Field};
use arbitre::internals::formats::bracket::{Bracket, BracketMeeting, Decision, Side};
use arbitre::internals::formats::knockout::{Elimination, Knockout};
use arbitre::internals::formats::{Format, History, PlayedStage};
use arbitre::rng::Rng;
use std::collections::BTreeSet;

/// Returns the players of a meeting, in ascending order.
fn group(meeting: &BracketMeeting) -> Vec<usize> {
    let mut players: Vec<usize> = meeting.players.iter().map(|of| of.player).collect();
    players.sort_unstable();
    players
}

/// Returns the players of each meeting, by round.
fn groups(bracket: &Bracket) -> Vec<Vec<Vec<usize>>> {
    let of = |meetings: &Vec<BracketMeeting>| meetings.iter().map(group).collect();
    bracket.rounds.iter().map(|round| of(&round.meetings)).collect()
}

/// Returns the stage as it is before its first game.
fn unplayed(stage: &PlayedStage) -> PlayedStage {
    let mut stage = stage.clone();
    stage.meetings.iter_mut().for_each(|of| of.half_points.fill(0));
    stage
}

/// Plays a knockout in which players leave at random between stages.
fn play(format: &Knockout, field: &Field, leaves: usize) -> History {
    let mut rng = Rng::new(field.seed);
    let mut history = start(field.strengths.len());
    while let Some(stage) = format.next(&history) {
        history.stages.push(field.play(&stage));
        for present in &mut history.present {
            *present &= rng.below(100) >= leaves;
        }
    }
    history
}

/// Checks a bracket by the stages of its knockout.
fn check(format: &Knockout, elimination: Elimination, history: &History) {
    let bracket = format.bracket(history, None).unwrap();
    let all: Vec<&BracketMeeting> =
        bracket.rounds.iter().flat_map(|round| &round.meetings).collect();
    let played: Vec<_> = history.stages.iter().flat_map(|stage| &stage.meetings).collect();
    assert_eq!(all.iter().map(|of| 1 + of.tie_breaks).sum::<u64>(), played.len() as u64);
    let points = all.iter().flat_map(|of| &of.players).map(|of| of.half_points).sum::<u64>();
    assert_eq!(points, played.iter().flat_map(|of| &of.half_points).sum::<u64>());
    assert!(all.iter().all(|of| of.decision.is_some()));
    for rounds in bracket.rounds.windows(2) {
        let goes_on = |of: &BracketMeeting| {
            let keeps_a_life = of.side == Side::Winners || of.side == Side::Final;
            let is_third = elimination == (Elimination::Single { third_place: true });
            let count = if keeps_a_life || is_third { of.players.len() } else { of.advancing };
            of.players.iter().take(count).map(|of| of.player).collect::<Vec<_>>()
        };
        let byes = rounds[0].byes.iter().map(|(player, _)| *player);
        let from: BTreeSet<usize> =
            rounds[0].meetings.iter().flat_map(goes_on).chain(byes).collect();
        let byes = rounds[1].byes.iter().map(|(player, _)| *player);
        let to = rounds[1].meetings.iter().flat_map(group).chain(byes);
        let to: BTreeSet<usize> = to.chain(rounds[1].absent.iter().copied()).collect();
        assert!(to.is_subset(&from), "{to:?} are not all of {from:?}");
    }
    if let Some(winner) = bracket.winner {
        assert_eq!(format.ranking(history)[0].player, winner);
        let last = bracket.rounds.last().map(|round| &round.meetings[..]);
        if let Some([.., meeting]) = last.filter(|of| of.len() == 1) {
            assert_eq!(meeting.players[0].player, winner);
        }
    }
    // While a stage is played, its bracket is a beginning of the whole one.
    for count in 0..history.stages.len() {
        let (stages, current) = (history.stages[..count].to_vec(), &history.stages[count]);
        let known = History { stages, present: history.present.clone() };
        let early = format.bracket(&known, Some(&unplayed(current))).unwrap();
        assert!(groups(&bracket).starts_with(&groups(&early)), "{early:?}");
        let open = early.rounds.iter().flat_map(|round| &round.meetings);
        let open: Vec<Vec<usize>> = open.filter(|of| of.decision.is_none()).map(group).collect();
        let expected: Vec<&Vec<usize>> =
            current.meetings.iter().map(|of| &of.meeting.players).collect();
        assert_eq!((open.iter().collect(), early.winner), (expected, None));
    }
}

#[test]
fn brackets_follow_from_the_stages() {
    let single = |third_place| Elimination::Single { third_place };
    for (seats, elimination) in [
        (2, single(false)),
        (2, single(true)),
        (2, Elimination::Double),
        (3, single(false)),
        (4, single(true)),
    ] {
        for players in [seats, seats + 1, 7, 8, 13, 32] {
            let format = Knockout::new(players, seats, 1, elimination).unwrap();
            for seed in 0..40 {
                let leaves = if seed % 2 == 0 { 0 } else { 15 };
                check(&format, elimination, &play(&format, &Field::equal(players, seed), leaves));
            }
        }
    }
}

/// A bracket says what decided each meeting.
#[test]
fn decisions_name_their_basis() {
    let format = Knockout::new(4, 2, 1, Elimination::Single { third_place: false }).unwrap();
    let mut history = start(4);
    let decisions = |history: &History| {
        let bracket = format.bracket(history, None).unwrap();
        let all = bracket.rounds.iter().flat_map(|round| &round.meetings);
        all.map(|of| (of.decision, of.tie_breaks)).collect::<Vec<_>>()
    };
    let play = |history: &mut History, points: [u64; 4]| {
        let stage = format.next(history).unwrap();
        let mut played = Field::equal(4, 1).play(&stage);
        for of in &mut played.meetings {
            of.half_points = of.meeting.players.iter().map(|&player| points[player]).collect();
        }
        history.stages.push(played);
    };
    assert_eq!(decisions(&history), [(None, 0), (None, 0)], "nothing is played");
    play(&mut history, [2, 2, 2, 0]);
    let by_points = Some(Decision::Points);
    assert_eq!(decisions(&history), [(by_points, 0), (None, 0)], "1 and 2 are level");
    (0..3).for_each(|_| play(&mut history, [2, 2, 2, 0]));
    assert_eq!(decisions(&history)[1], (None, 3));
    let mut absent = history.clone();
    absent.present[1] = false;
    assert_eq!(decisions(&absent)[1], (Some(Decision::Absence), 3));
    play(&mut history, [2, 2, 2, 0]);
    assert_eq!(decisions(&history)[1], (Some(Decision::Seed), 4));
    history.present[0] = false;
    let bracket = format.bracket(&history, None).unwrap();
    assert_eq!((&bracket.rounds[1].absent[..], bracket.winner), (&[0][..], Some(1)));
}
