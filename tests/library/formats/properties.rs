//! Properties of all formats on random fields whose players come and go.

use crate::formats::field::{games_of, start, Field};
use arbitre::internals::formats::balanced::Balanced;
use arbitre::internals::formats::graded::Graded;
use arbitre::internals::formats::knockout::{Elimination, Knockout};
use arbitre::internals::formats::ladder::Ladder;
use arbitre::internals::formats::round_robin::{Gauntlet, RoundRobin};
use arbitre::internals::formats::swiss::Swiss;
use arbitre::internals::formats::tested_gauntlet::TestedGauntlet;
use arbitre::internals::formats::{Format, History, Stage};
use arbitre::internals::statistics::sprt::Sprt;
use arbitre::rng::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Format under test, and whether each player has a game or a bye in every stage.
type Named = (&'static str, Box<dyn Format>, bool);

/// Returns every format that this field can play.
fn formats(players: usize, seats: usize, rounds: u64) -> Vec<Named> {
    let single = |third_place| Elimination::Single { third_place };
    let mut formats: Vec<Named> = vec![
        ("swiss", Box::new(Swiss::new(players, seats, 5, rounds).unwrap()), true),
        (
            "knockout",
            Box::new(Knockout::new(players, seats, rounds, single(false)).unwrap()),
            false,
        ),
        ("third", Box::new(Knockout::new(players, seats, rounds, single(true)).unwrap()), false),
        ("ladder", Box::new(Ladder::new(players, seats, 200, None).unwrap()), false),
        ("exact", Box::new(Ladder::new(players, seats, 200, Some(150.0)).unwrap()), false),
    ];
    if let Ok(format) = RoundRobin::new(players, seats, rounds) {
        formats.push(("round robin", Box::new(format), false));
    }
    if let Ok(format) = Gauntlet::new(players, 2, seats, rounds) {
        formats.push(("gauntlet", Box::new(format), false));
    }
    let sprt = Sprt::parse("elo0=0,elo1=100").unwrap();
    if let Ok(format) = TestedGauntlet::new(players, seats, rounds * 20, sprt) {
        formats.push(("tested gauntlet", Box::new(format), false));
    }
    if let Ok(format) = Balanced::new(players, seats, rounds * 10) {
        formats.push(("balanced", Box::new(format), false));
    }
    let bots = (0..seats.max(3)).collect();
    if let Ok(format) = Graded::new(players, bots, seats, rounds, &Rng::new(rounds)) {
        formats.push(("graded", Box::new(format), false));
    }
    if let Ok(format) = Knockout::new(players, seats, rounds, Elimination::Double) {
        formats.push(("double", Box::new(format), false));
    }
    formats
}

fn check_stage(stage: &Stage, history: &History, seats: usize, includes_all: bool) {
    assert!(!stage.meetings.is_empty(), "a stage has a meeting");
    let mut seated: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for meeting in &stage.meetings {
        assert!(meeting.players.is_sorted_by(|one, other| one < other), "{meeting:?}");
        assert_eq!(meeting.players.len(), seats);
        assert!(meeting.rounds > 0);
        assert!(meeting.players.iter().all(|&player| history.present[player]), "{meeting:?}");
        for rotation in 0..seats {
            let mut players = meeting.players.clone();
            players.rotate_left(rotation);
            for (seat, player) in players.into_iter().enumerate() {
                seated.entry(player).or_insert_with(|| vec![0; seats])[seat] += meeting.rounds;
            }
        }
    }
    for (player, on_seat) in seated {
        let (least, most) = (on_seat.iter().min(), on_seat.iter().max());
        assert!(least == most, "player {player} sat {on_seat:?}");
    }
    let in_meetings = stage.meetings.iter().flat_map(|meeting| &meeting.players);
    let mut included: Vec<usize> = in_meetings.chain(&stage.byes).copied().collect();
    included.sort_unstable();
    if includes_all {
        let present: Vec<usize> =
            (0..history.players()).filter(|&player| history.present[player]).collect();
        assert_eq!(included, present, "everyone is paired once or has one bye");
    }
    assert!(stage.byes.iter().all(|&player| history.present[player]));
}

fn check_ranking(format: &dyn Format, history: &History) {
    let ranking = format.ranking(history);
    let mut players: Vec<usize> = ranking.iter().map(|placing| placing.player).collect();
    players.sort_unstable();
    assert_eq!(players, (0..history.players()).collect::<Vec<_>>(), "each player once");
    for (place, placing) in ranking.iter().enumerate() {
        let first = ranking.iter().position(|other| other.rank == placing.rank).unwrap();
        assert_eq!(placing.rank, first + 1);
        assert!(first <= place);
    }
}

/// Shuffles the results within each stage.
fn shuffled(history: &History, rng: &mut Rng) -> History {
    let mut other = history.clone();
    other.stages.iter_mut().for_each(|stage| rng.shuffle(&mut stage.meetings));
    other
}

fn check(named: &Named, players: usize, seats: usize, seed: u64, changes: bool) {
    let (name, format, includes_all) = named;
    let mut rng = Rng::new(seed);
    let field = Field::equal(players + 8, seed);
    let mut history = start(players);
    let mut rounds = BTreeSet::new();
    while let Some(stage) = format.next(&history) {
        let other = shuffled(&history, &mut rng);
        assert_eq!(format.next(&other), Some(stage.clone()), "{name}: order of results");
        check_stage(&stage, &history, seats, *includes_all);
        for meeting in &stage.meetings {
            for round in 0..meeting.rounds {
                let game = (meeting.first_round + round, meeting.players.clone());
                assert!(rounds.insert(game), "{name}: {meeting:?} was played before");
            }
        }
        history.stages.push(field.play(&stage));
        check_ranking(&**format, &history);
        let other = shuffled(&history, &mut rng);
        assert_eq!(format.ranking(&other), format.ranking(&history), "{name}: order of results");
        assert!(history.stages.len() < 500, "{name} does not end");
        if changes {
            for player in 0..history.players() {
                history.present[player] ^= rng.below(12) == 0;
            }
            if history.players() < players + 8 && rng.below(5) == 0 {
                history.present.push(true);
            }
        }
    }
    check_ranking(&**format, &history);
    if !changes {
        let played: u64 = games_of(&history).iter().sum::<u64>() / seats as u64;
        let count = format.games(players);
        assert!((count.least..=count.most).contains(&played), "{name}: {played}, {count:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn formats_pair_random_fields(
        seats in 2usize..6, more in 0usize..14, rounds in 1u64..3, seed in 0u64..1000,
    ) {
        let players = seats + more;
        for named in formats(players, seats, rounds) {
            check(&named, players, seats, seed, false);
        }
    }

    #[test]
    fn players_may_leave_and_join_between_stages(
        seats in 2usize..6, more in 0usize..14, rounds in 1u64..3, seed in 0u64..1000,
    ) {
        let players = seats + more;
        for named in formats(players, seats, rounds) {
            check(&named, players, seats, seed, true);
        }
    }
}
