//! Balanced schedules.

use crate::formats::field::{games_of, met, Field};
use arbitre::internals::formats::balanced::Balanced;
use arbitre::internals::formats::Format;

/// Returns the smallest and the largest number.
fn range(numbers: impl IntoIterator<Item = u64>) -> (u64, u64) {
    let numbers: Vec<u64> = numbers.into_iter().collect();
    (*numbers.iter().min().unwrap(), *numbers.iter().max().unwrap())
}

/// Checks a schedule. Returns by how much the meetings of two pairs differ at most.
fn check(players: usize, seats: usize, blocks: u64) -> u64 {
    let wanted = blocks * (seats * seats) as u64;
    // A number of games in between is rounded up.
    let format = Balanced::new(players, seats, wanted - 1).unwrap();
    let history = Field::equal(players, 1).run(&format);
    assert_eq!(games_of(&history), vec![wanted; players]);
    let met = met(&history);
    let of_pairs = (0..players).flat_map(|one| met[one][..one].to_vec());
    let (least, most) = range(of_pairs);
    // The circle gives each player every place of a block once.
    let meetings = history.stages.iter().flat_map(|stage| &stage.meetings);
    let rounds: u64 = meetings.map(|of| of.meeting.rounds).sum();
    assert_eq!((rounds, history.stages.len()), (blocks * players as u64, 1));
    most - least
}

#[test]
fn pairs_meet_equally_often_within_one() {
    let mut uneven = Vec::new();
    for seats in 2..=5 {
        for players in seats..=31 {
            for blocks in 1..=4 {
                let apart = check(players, seats, blocks);
                if apart > 1 {
                    uneven.push((players, seats, blocks));
                }
                assert!(apart <= 2, "{players} players, {seats} seats, {blocks} blocks: {apart}");
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
    assert_eq!(uneven, expected);
}

/// Players that cannot play leave their places on the circle to others.
#[test]
fn circle_has_the_players_of_the_start() {
    for (players, seats, blocks) in [(27, 4, 1), (27, 2, 4), (9, 4, 2), (5, 4, 1), (31, 8, 1)] {
        let format = Balanced::new(players, seats, blocks * (seats * seats) as u64).unwrap();
        let mut history = crate::formats::field::start(players);
        (0..players).step_by(3).for_each(|player| history.present[player] = false);
        let able = history.present.iter().filter(|present| **present).count();
        let field = Field::equal(players, 1);
        while let Some(next) = format.next(&history) {
            history.stages.push(field.play(&next));
        }
        let wanted = if able < seats { 0 } else { blocks * (seats * seats) as u64 };
        for (player, games) in games_of(&history).into_iter().enumerate() {
            let expected = if history.present[player] { wanted } else { 0 };
            assert_eq!(games, expected, "player {player} of {players} on {seats} seats");
        }
    }
}

/// A player leaves, and its games are struck. Another one joins.
#[test]
fn changed_field_still_gets_its_games() {
    let format = Balanced::new(12, 3, 27).unwrap();
    let field = Field::equal(13, 1);
    let mut history = crate::formats::field::start(12);
    history.stages.push(field.play(&format.next(&history).unwrap()));
    history.stages[0].meetings.retain(|of| !of.meeting.players.contains(&4));
    history.present[4] = false;
    history.present.push(true);
    while let Some(next) = format.next(&history) {
        history.stages.push(field.play(&next));
        assert!(history.stages.len() < 100);
    }
    let games = games_of(&history);
    assert_eq!(games[4], 0);
    let present = (0..13).filter(|&player| player != 4).map(|player| games[player]);
    let (least, most) = range(present);
    assert!(least == 27 && most <= 36, "{games:?}");
}
