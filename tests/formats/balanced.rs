//! Balanced schedules.

use crate::field::{games_of, met, Field};
use arbitre::referee::formats::balanced::Balanced;
use arbitre::referee::formats::{Format, FormatError};

/// Returns the smallest and the largest number.
fn range(numbers: impl IntoIterator<Item = u64>) -> (u64, u64) {
    let numbers: Vec<u64> = numbers.into_iter().collect();
    (*numbers.iter().min().unwrap(), *numbers.iter().max().unwrap())
}

fn check(players: usize, seats: usize, stages: u64) -> Result<(), FormatError> {
    let wanted = stages * (seats * seats) as u64;
    // A number of games in between is rounded up.
    let format = Balanced::new(players, seats, wanted - 1)?;
    let history = Field::equal(players, 1).run(&format);
    assert_eq!(games_of(&history), vec![wanted; players]);
    let met = met(&history);
    let of_pairs = (0..players).flat_map(|one| met[one][..one].to_vec());
    let (least, most) = range(of_pairs);
    assert!(most - least <= 1, "{players} players, {seats} seats: {least} to {most} meetings");
    for (stage, played) in history.stages.iter().enumerate() {
        // The circle gives each player every place of a block once.
        let rounds: u64 = played.meetings.iter().map(|of| of.meeting.rounds).sum();
        assert_eq!(rounds, players as u64, "stage {stage}");
    }
    Ok(())
}

#[test]
fn pairs_meet_equally_often_within_one() {
    let mut refused = Vec::new();
    for seats in 2..=5 {
        for players in seats..=31 {
            for stages in 1..=4 {
                if check(players, seats, stages).is_err() {
                    refused.push((players, seats, stages));
                }
            }
        }
    }
    // A hundred times the starts found no more.
    let expected = [
        (6, 3, 4),
        (10, 3, 3),
        (12, 3, 2),
        (14, 3, 2),
        (18, 3, 3),
        (20, 3, 3),
        (24, 4, 2),
        // No perfect difference family of order 25 is cyclic.
        (25, 4, 2),
        (14, 5, 2),
        (20, 5, 1),
        (22, 5, 1),
        (28, 5, 4),
    ];
    assert_eq!(refused, expected);
}

#[test]
fn refusal_names_a_schedule_that_exists() {
    let error = Balanced::new(25, 4, 20).unwrap_err();
    let FormatError::Unbalanced { nearest: Some(nearest), .. } = error else { panic!("{error}") };
    let expected = "expected games per player with a balanced schedule of 25 players on 4 seats, \
                    got 20; help: play 48 games per player";
    assert_eq!(error.to_string(), expected);
    assert!(Balanced::new(25, 4, nearest).is_ok());
}

#[test]
fn changed_field_still_gets_its_games() {
    let format = Balanced::new(12, 3, 27).unwrap();
    let field = Field::equal(13, 1);
    let mut history = crate::field::start(12);
    for stage in 0.. {
        if stage == 1 {
            history.present[4] = false;
            history.present.push(true);
        }
        let Some(next) = format.next(&history) else { break };
        history.stages.push(field.play(&next));
        assert!(stage < 100);
    }
    let games = games_of(&history);
    assert_eq!(games[4], 9);
    let present = (0..13).filter(|&player| player != 4).map(|player| games[player]);
    let (least, most) = range(present);
    assert!(least >= 27 && most <= 36, "{games:?}");
}
