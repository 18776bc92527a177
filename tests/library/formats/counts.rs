//! Numbers of games of thirty players.

use crate::formats::field::{games, Field};
use arbitre::internals::formats::balanced::Balanced;
use arbitre::internals::formats::graded::Graded;
use arbitre::internals::formats::knockout::{Elimination, Knockout};
use arbitre::internals::formats::ladder::Ladder;
use arbitre::internals::formats::round_robin::{Gauntlet, RoundRobin};
use arbitre::internals::formats::swiss::Swiss;
use arbitre::internals::formats::{Format, GameCount};
use arbitre::rng::Rng;

const PLAYERS: usize = 30;

/// Checks the predicted number of games, and that a tournament without ties has it.
fn check(format: &dyn Format, least: u64, most: u64) {
    assert_eq!(format.games(PLAYERS), GameCount { least, most });
    let field = Field { ties: 0.0, ..Field::equal(PLAYERS, 1) };
    let played = games(&field.run(format));
    assert!((least..=most).contains(&played), "{played} games, expected {least} to {most}");
}

#[test]
fn thirty_players_play_the_right_number_of_games() {
    // 435 pairs, four games each.
    check(&RoundRobin::new(PLAYERS, 2, 2).unwrap(), 1740, 1740);
    // 4,060 groups of three.
    check(&RoundRobin::new(PLAYERS, 3, 1).unwrap(), 12_180, 12_180);
    // Solo games.
    check(&RoundRobin::new(PLAYERS, 1, 7).unwrap(), 210, 210);
    // 2 x 28 pairs, four games each.
    check(&Gauntlet::new(PLAYERS, 2, 2, 2).unwrap(), 224, 224);
    // Each of two meets 28 * 27 / 2 pairs.
    check(&Gauntlet::new(PLAYERS, 2, 3, 1).unwrap(), 2268, 2268);
    // 28 players meet two fixed bots, four games each.
    let graded = |bots: &[usize], seats, rounds| {
        Graded::new(PLAYERS, bots.to_vec(), seats, rounds, &Rng::new(1)).unwrap()
    };
    check(&graded(&[0, 1], 2, 2), 224, 224);
    // All thirty play seven instances.
    check(&graded(&[0, 1], 1, 7), 210, 210);
    // Two rounds against each of five, three at a table, are four rounds of four games.
    check(&graded(&[0, 1, 2, 3, 4], 4, 2), 400, 400);
    // Thirty groups in each of two stages, four games each.
    check(&Balanced::new(PLAYERS, 4, 32).unwrap(), 240, 240);
    // Seven stages of 15 meetings, four games each.
    check(&Swiss::new(PLAYERS, 2, Swiss::default_stages(PLAYERS), 2).unwrap(), 420, 420);
    // Seven stages of seven tables, four games each.
    check(&Swiss::new(PLAYERS, 4, Swiss::default_stages(PLAYERS), 1).unwrap(), 196, 196);
    // 29 meetings of four games; six times the rounds with every tie.
    let single = |third_place| Elimination::Single { third_place };
    check(&Knockout::new(PLAYERS, 2, 2, single(false)).unwrap(), 116, 348);
    check(&Knockout::new(PLAYERS, 2, 2, single(true)).unwrap(), 120, 360);
    // 58 losses, and one more if the final is played twice.
    check(&Knockout::new(PLAYERS, 2, 2, Elimination::Double).unwrap(), 232, 708);
    // 30 players are reduced to 16, 8 and 4, two at a table, then the final.
    check(&Knockout::new(PLAYERS, 4, 1, single(false)).unwrap(), 56, 280);
    check(&Ladder::new(PLAYERS, 2, 1000, None).unwrap(), 1000, 1000);
    // Batches of 66 games, the last of 12.
    check(&Ladder::new(PLAYERS, 3, 1000, None).unwrap(), 1002, 1002);
    check(&Ladder::new(PLAYERS, 2, 1000, Some(60.0)).unwrap(), 64, 1000);
}
