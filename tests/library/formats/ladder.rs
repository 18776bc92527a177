//! Ladder.

use crate::formats::field::{games, games_of, start, Field};
use arbitre::internals::formats::ladder::{Ladder, BATCH};
use arbitre::internals::formats::{Criterion, Format};

fn spread_field(players: usize, seed: u64) -> Field {
    let strengths = (0..players).map(|player| -60.0 * player as f64).collect();
    Field { strengths, ties: 0.0, seed }
}

#[test]
fn batch_has_sixty_four_games() {
    let format = Ladder::new(12, 2, 1000, None).unwrap();
    let history = spread_field(12, 1).run(&format);
    for stage in &history.stages[..15] {
        let of_stage: u64 = stage.meetings.iter().map(|of| of.meeting.games()).sum();
        assert_eq!(of_stage, BATCH);
    }
    assert_eq!(games(&history), 1000);
}

#[test]
fn first_batch_includes_everyone() {
    for (players, seats) in [(12, 2), (30, 2), (31, 2), (12, 4)] {
        let format = Ladder::new(players, seats, BATCH, None).unwrap();
        let history = spread_field(players, 1).run(&format);
        assert!(games_of(&history).iter().all(|&games| games > 0), "{players} on {seats}");
    }
}

#[test]
fn ladder_ends_when_all_errors_are_small() {
    let format = Ladder::new(12, 2, 100_000, Some(50.0)).unwrap();
    let field = spread_field(12, 1);
    let history = field.run(&format);
    let errors = |history: &_| {
        let error = |placing: &arbitre::internals::formats::Placing| match placing.criteria[..] {
            [Criterion::Rating(rating)] => rating.error,
            _ => panic!("{placing:?}"),
        };
        format.ranking(history).iter().map(error).fold(0.0, f64::max)
    };
    assert!(errors(&history) < 50.0);
    let mut before = history.clone();
    before.stages.pop();
    assert!(errors(&before) >= 50.0);
}

/// A round robin with the same number of games leaves larger errors, because it spends games on
/// pairs whose result is known.
#[test]
fn ladder_is_more_exact_than_a_round_robin() {
    let round_robin = arbitre::internals::formats::round_robin::RoundRobin::new(12, 2, 8).unwrap();
    let ladder = Ladder::new(12, 2, 1056, None).unwrap();
    let strengths = (0..12).map(|player| -150.0 * player as f64).collect();
    let field = Field { strengths, ties: 0.0, seed: 1 };
    let largest = |format: &dyn Format| {
        let history = field.run(format);
        assert_eq!(games(&history), 1056);
        let ratings = ladder.ranking(&history).into_iter().map(|placing| placing.criteria[0]);
        let errors = ratings.map(|criterion| match criterion {
            Criterion::Rating(rating) => rating.error,
            _ => 0.0,
        });
        errors.fold(0.0, f64::max)
    };
    assert!(largest(&ladder) < 0.9 * largest(&round_robin));
}

#[test]
fn unrated_players_share_the_last_rank() {
    let format = Ladder::new(6, 2, 1000, None).unwrap();
    assert!(format.ranking(&start(6)).iter().all(|placing| placing.rank == 1));
    let mut history = start(6);
    let stage = format.next(&history).unwrap();
    history.stages.push(spread_field(6, 1).play(&stage));
    history.present.extend([true, true]);
    let ranking = format.ranking(&history);
    assert_eq!((ranking[6].rank, ranking[7].rank), (7, 7));
    assert_eq!((ranking[6].player, ranking[7].player), (6, 7));
}
