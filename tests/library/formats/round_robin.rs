//! Round robin and gauntlet.

use crate::formats::field::{games, met, start, Field};
use arbitre::internals::formats::round_robin::{Gauntlet, RoundRobin};
use arbitre::internals::formats::{Criterion, Format};

#[test]
fn too_many_groups_are_refused() {
    let error = RoundRobin::new(30, 4, 1).unwrap_err().to_string();
    let expected = "expected at most 5000 groups, got 27405 of 30 players on 4 seats; \
                    help: use the format balanced";
    assert_eq!(error, expected);
    assert!(RoundRobin::new(100, 2, 1).is_ok(), "4,950 groups");
    assert!(RoundRobin::new(101, 2, 1).is_err(), "5,050 groups");
    assert!(RoundRobin::new(200, 190, 1).is_err(), "more groups than a number can hold");
    let few = RoundRobin::new(2, 3, 1).unwrap_err().to_string();
    assert_eq!(few, "expected at least 3 players for 3 seats, got 2");
    assert!(Gauntlet::new(30, 1, 4, 1).is_ok(), "3,654 groups");
    assert!(Gauntlet::new(30, 2, 4, 1).is_err(), "6,552 groups");
    let alone = Gauntlet::new(4, 4, 2, 1).unwrap_err().to_string();
    assert_eq!(alone, "expected at least 2 players for 2 seats, got 1");
}

#[test]
fn late_joiner_plays_the_rounds_of_the_others() {
    let format = RoundRobin::new(4, 2, 3).unwrap();
    let field = Field::equal(5, 1);
    let mut history = Field::equal(4, 1).run(&format);
    history.present.push(true);
    while let Some(stage) = format.next(&history) {
        assert_eq!(stage.meetings.len(), 4, "only the games of the joiner");
        assert!(stage.meetings.iter().all(|meeting| meeting.players[1] == 4));
        history.stages.push(field.play(&stage));
    }
    assert_eq!(games(&history), format.games(5).least);
    let rounds: Vec<u64> =
        history.stages[3..].iter().map(|stage| stage.meetings[0].meeting.first_round).collect();
    assert_eq!(rounds, [0, 1, 2]);
}

#[test]
fn direct_encounter_breaks_ties() {
    let format = RoundRobin::new(4, 2, 1).unwrap();
    let broken = (0..200).filter(|&seed| {
        let history = Field::equal(4, seed).run(&format);
        let ranking = format.ranking(&history);
        ranking.windows(2).any(|pair| {
            let direct = [0, 1].map(|i| pair[i].criteria.first().copied());
            let [Some(Criterion::DirectEncounter(one)), Some(Criterion::DirectEncounter(other))] =
                direct
            else {
                return false;
            };
            let is_tied = pair[0].half_points == pair[1].half_points;
            assert!(!is_tied || (one > other) == (pair[0].rank < pair[1].rank));
            is_tied && one > other
        })
    });
    assert!(broken.count() > 20);
}

#[test]
fn only_the_first_players_of_a_gauntlet_meet_the_others() {
    let format = Gauntlet::new(7, 2, 3, 2).unwrap();
    let history = Field::equal(7, 1).run(&format);
    let met = met(&history);
    assert_eq!(met[0][1], 0);
    // In each round, both first players meet all ten pairs of others.
    assert_eq!((met[0][2], met[1][6], met[2][3]), (8, 8, 4));
    let shares = format.ranking(&history);
    let share = |placing: &arbitre::internals::formats::Placing| match placing.criteria[..] {
        [Criterion::Share(won, of)] => won as f64 / of as f64,
        _ => panic!("{placing:?}"),
    };
    assert!(shares.windows(2).all(|pair| share(&pair[0]) >= share(&pair[1])), "{shares:?}");
}

#[test]
fn absent_players_are_not_paired() {
    let format = RoundRobin::new(5, 2, 1).unwrap();
    let mut history = start(5);
    history.present[2] = false;
    let stage = format.next(&history).unwrap();
    assert_eq!(stage.meetings.len(), 6);
    assert!(stage.meetings.iter().all(|meeting| !meeting.players.contains(&2)));
}
