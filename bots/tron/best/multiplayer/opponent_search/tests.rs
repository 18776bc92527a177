use super::*;
use crate::engine::{Engine, Random};
use crate::tron::best::bitboards::SmallGrid;
use crate::tron::best::reference::drawn;
use crate::tron::{ThomasNzo, Version};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::tron::{Position, Tron};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Timer;
use std::time::Duration;

/// Returns positions of random games at which the mover has a choice.
fn positions(tables: &[(usize, &str)], games: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for &(seats, rules) in tables {
        let game = Tron::from_rules(rules).unwrap();
        for setup in game.setups(seats, 0, Rng::new(3)).take(games) {
            let mut position = game.start(&setup).unwrap();
            let mut random = Random::<Tron>::default();
            while position.outcome().is_none() {
                let mover = position.mover();
                if position.legal_mask().count_ones() > 1 {
                    positions.push(position.clone());
                }
                let (direction, _) =
                    Engine::<Tron>::choose(&mut random, &position, mover, Budget::nodes(1));
                position.play(mover, direction).unwrap();
            }
        }
    }
    positions
}

const TABLES: [(usize, &str); 4] = [
    (4, "size=9x8 tolerance=20%"),
    (3, "size=7x7 tolerance=20%"),
    (4, "size=14x6 tolerance=20%"),
    (4, ""),
];

/// The reference is `ThomasNzo`, which keeps every position of a depth and prunes nothing. The
/// choices agree from every seat's view.
#[test]
fn choices_agree_with_thomasnzo_breadth_first() {
    let mut seed = ThomasNzo::new(Version::Breadth);
    let (mut chosen, mut heirs, mut shorter, mut against) = (0, 0, 0, 0);
    for (number, position) in positions(&TABLES, 12).into_iter().enumerate() {
        let mover = position.mover();
        let asks = Seat::new(number % position.seats());
        let seat = (mover.index() + position.seats() - asks.index()) % position.seats();
        if !position.is_alive(asks) || seat > 0 && position.seats() < MOST_SEATS {
            continue;
        }
        let all = MultiplayerPosition::<SmallGrid>::new(&position, asks);
        let objective = Objective::of(&all, seat);
        if objective.players.count_ones() == 1 {
            continue;
        }
        let plies = 1 + number % 7;
        let expected = seed.choose(&position, mover, Budget::depth(plies as u32)).0;
        let found = OpponentSearch::new(objective, plies).choose(&all);
        assert_eq!(found, expected.index(), "{plies} plies, {objective:?}, {position:?}");
        chosen += 1;
        heirs += usize::from(all.alive & !objective.regions != 0);
        shorter += usize::from(objective.shorter != 0);
        against += usize::from(objective.target.is_some());
    }
    assert!(chosen > 300 && heirs > 50 && shorter > 20 && against > 100);
    assert!(against < chosen - 50, "{chosen} {heirs} {shorter} {against}");
}

/// The estimated depth is that of `ThomasNzo` with the same number of positions, or close to it.
#[test]
fn depth_is_estimated_from_the_moves() {
    let mut seed = ThomasNzo::new(Version::Breadth);
    let (mut same, mut chosen) = (0, 0);
    for (number, position) in positions(&[(4, ""), (3, "")], 3).into_iter().enumerate() {
        let (mover, positions) = (position.mover(), [60, 700, 2000][number % 3]);
        let all = MultiplayerPosition::<SmallGrid>::new(&position, mover);
        let objective = Objective::of(&all, 0);
        if objective.players.count_ones() == 1 {
            continue;
        }
        let (_, comment) = seed.choose(&position, mover, Budget::nodes(positions));
        let mut words = comment.split(' ').skip_while(|word| *word != "depth");
        let expected: usize = words.nth(1).unwrap().parse().unwrap();
        let found = complete(&all, &objective, positions);
        assert!(found.abs_diff(expected) <= 2, "{found} {comment} {position:?}");
        (same, chosen) = (same + usize::from(found == expected), chosen + 1);
    }
    assert!(chosen > 100 && same * 10 >= chosen * 9, "{same} of {chosen}");
}

/// Returns the number of paths of one to four steps for seat 0.
fn counts(position: &MultiplayerPosition<SmallGrid>) -> [u64; 4] {
    let mut paths = vec![(position.free, position.heads[0])];
    std::array::from_fn(|_| {
        let count = ahead(&paths);
        paths = longer(&paths);
        count
    })
}

/// In the open two steps have 4 * 3 paths; an enclosed player soon has none.
#[test]
fn paths_do_not_cross_themselves() {
    let open = drawn(&[".........", ".........", "....0....", ".........", "........."]);
    assert_eq!(counts(&open)[..2], [4, 12]);
    assert_eq!(counts(&drawn(&["0..#..1"])), [1, 1, 0, 0]);
}

/// A player without further moves keeps its ply, with the same number of positions. One ply is the
/// least.
#[test]
fn stuck_player_adds_no_positions() {
    let position = drawn(&["1.0......", "##.......", ".........", "........."]);
    let objective = Objective::of(&position, 0);
    assert_eq!(objective.players, 0b0011);
    let positions = 2 * counts(&position)[..3].iter().sum::<u64>();
    assert_eq!([0, 1].map(|fewer| complete(&position, &objective, positions - fewer)), [6, 5]);
    assert_eq!(complete(&position, &objective, 0), 1);
}

/// In a small room a game of two players is over before the last ply, and no region is evaluated:
/// without a limit, 3381 games in this one.
#[test]
fn search_ends_at_its_limit() {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(5)).next().unwrap();
    let start = MultiplayerPosition::<SmallGrid>::new(&game.start(&setup).unwrap(), Seat::FIRST);
    let small_room = drawn(&["0......", ".......", ".......", "......1"]);
    for (position, plies) in [(start, 16), (small_room, MOST_PLIES)] {
        for most in [100, 3000] {
            let cells = most as f64 * CELLS_A_LOOK;
            let objective = Objective::of(&position, 0);
            let within = OpponentSearch::within(&position, objective, cells);
            let mut search = OpponentSearch { plies, ..within };
            search.choose(&position);
            assert!((most..most + 200).contains(&search.looks), "{}", search.looks);
        }
    }
}

/// The tighter of the own limits also limits the opponents.
#[test]
fn opponents_have_the_same_budget() {
    let (time, nodes) = (Timer::wall(Duration::from_millis(50)), 1000);
    let timed = Budget { time: Some(time), ..Budget::default() };
    assert_eq!(cells_within(&timed), 0.05 * CELLS_A_SECOND);
    assert_eq!(cells_within(&Budget::nodes(nodes)), 1000.0 * CELLS_A_NODE);
    let both = Budget { nodes: Some(nodes), ..timed };
    assert_eq!(cells_within(&both), 1000.0 * CELLS_A_NODE);
}
