//! The searches against slow ones, and the games that the solver plays.

use super::evaluate::PlacementWeights;
use super::path::{shortest_paths, PathTree};
use super::{TaupeGoons, PHRASE_STRATEGIES};
use crate::hextris::best::BeamParams;
use crate::hextris::testing::{assert_is_over, is_free, play_game, terrain, terrains};
use arbitre_games::games::hextris::{
    AxialCoord, Board, Cell, Command, Phrases, Piece, SolutionEnd, UnitPosition, OFFICIAL,
};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use std::collections::BTreeSet;

/// Visits the pieces of drawn problems with their start boards, if they can spawn there.
fn scenes(rules: &str, problems: u64, mut visit: impl FnMut(&Piece, &Board)) {
    for terrain in terrains(rules, problems) {
        for piece in terrain.pieces().iter().filter(|p| p.fits(terrain.start(), p.spawn())) {
            visit(piece, terrain.start());
        }
    }
}

/// Returns the distances of positions, found by relaxing until nothing changes.
fn distances(piece: &Piece, board: &Board) -> Vec<Option<usize>> {
    let mut distances = vec![None; piece.positions()];
    distances[piece.index(piece.spawn())] = Some(0);
    loop {
        let before = distances.clone();
        for index in 0..piece.positions() {
            let Some(distance) = distances[index] else { continue };
            for command in Command::ALL {
                let Some(next) = piece.advance(board, piece.position(index), command) else {
                    continue;
                };
                let known = &mut distances[piece.index(next)];
                *known = Some(known.map_or(distance + 1, |known: usize| known.min(distance + 1)));
            }
        }
        if distances == before {
            return distances;
        }
    }
}

/// Longer paths of a depth-first search show that the problems can distinguish the searches.
#[test]
fn breadth_first_paths_are_the_shortest() {
    let mut is_longer = false;
    scenes("size=7x6", 40, |piece, board| {
        let shortest = shortest_paths(piece, board, piece.spawn(), |_| false);
        let (mut deep, mut stack) = (PathTree::new(piece, piece.spawn()), vec![piece.spawn()]);
        while let Some(at) = stack.pop() {
            for next in Command::ALL.iter().filter_map(|&c| piece.advance(board, at, c)) {
                let known = deep.found.len();
                deep.add(piece, at, (), next);
                stack.extend(&deep.found[known..]);
            }
        }
        for (index, distance) in distances(piece, board).into_iter().enumerate() {
            let at = piece.position(index);
            assert_eq!(shortest.moves(piece, at).map(|moves| moves.len()), distance);
            is_longer |= deep.moves(piece, at).map(|moves| moves.len()) > distance;
        }
    });
    assert!(is_longer);
}

#[test]
fn every_phrase_strategy_plays_whole_games() {
    let sets =
        [OFFICIAL.to_vec(), vec![], vec!["pkkpdbbd", "ssseespsps", "pb", "sd"], vec!["ei!9"]];
    let (mut totals, params) = ([0; PHRASE_STRATEGIES.len()], BeamParams::default());
    for seed in 0..24 {
        let terrain = terrain(["size=8x9 length=9", "size=any length=6"][seed as usize % 2], seed);
        let phrases = Phrases::new(&sets[seed as usize % sets.len()]).unwrap();
        for ((_, strategy), total) in PHRASE_STRATEGIES.into_iter().zip(&mut totals) {
            let taupegoons = TaupeGoons { strategy, ..TaupeGoons::USUAL };
            let mut limiter = Limiter::new(Budget::default());
            let (_, score) = play_game(&terrain, &phrases, |start| {
                taupegoons.solve(&start, &params, &mut limiter)
            });
            assert_is_over(&score, &terrain);
            *total += score.total();
        }
    }
    assert!(totals[0] > totals[1] && totals[0] > totals[2], "{totals:?}");
}

#[test]
fn stopped_game_has_the_units_placed_before() {
    let (terrain, phrases) = (terrain("size=9x12 length=50", 3), Phrases::official());
    let params = BeamParams::default();
    let solved = |budget| {
        let mut limiter = Limiter::new(budget);
        play_game(&terrain, &phrases, |start| {
            TaupeGoons::USUAL.solve(&start, &params, &mut limiter)
        })
        .1
    };
    let few = solved(Budget::nodes(5000));
    assert!(few.ending == SolutionEnd::MidGame && few.total() > 0, "{few:?}");
    assert!(solved(Budget::default()).total() > few.total());
}

/// Returns the measures of a place, found cell by cell. Growth and enclosed cells are negative.
fn measures(piece: &Piece, board: &Board, at: UnitPosition) -> [f64; 4] {
    let own: BTreeSet<(i32, i32)> = piece.cells(at).map(|(x, y)| (x as i32, y as i32)).collect();
    let (width, height) = (board.width() as i32, board.height() as i32);
    let is_on_board = |(x, y): (i32, i32)| (0..width).contains(&x) && (0..height).contains(&y);
    let is_full =
        |(x, y): (i32, i32)| own.contains(&(x, y)) || board.is_filled(x as usize, y as usize);
    let is_free = |cell: &(i32, i32)| is_on_board(*cell) && !is_full(*cell);
    let near = |(x, y): (i32, i32), offset: AxialCoord| {
        let cell = Cell { x, y }.axial().plus(offset).cell();
        (cell.x, cell.y)
    };
    let [up_left, up_right] = [(-1, 0), (-1, 1)].map(|(y, q)| AxialCoord { y, q });
    let offsets = std::iter::successors(Some(up_left), |offset| Some(offset.clockwise())).take(6);
    let around = offsets.flat_map(|offset| own.iter().map(move |&cell| near(cell, offset)));
    let first = own.iter().map(|cell| cell.1).min().unwrap();
    let last = own.iter().map(|cell| cell.1).max().unwrap();
    let is_shut = |cell: &(i32, i32)| {
        let above = [up_left, up_right].map(|offset| near(*cell, offset));
        cell.1 >= first.max(1) && above.into_iter().all(|c| !is_on_board(c) || is_full(c))
    };
    let around: BTreeSet<(i32, i32)> = around.filter(is_free).collect();
    let lowest: Vec<i32> = own.iter().filter(|cell| cell.1 == last).map(|cell| cell.0).collect();
    let (left, right) = (lowest.iter().min().unwrap() - 1, lowest.iter().max().unwrap() + 1);
    let beside = (left..=right).map(|x| (x, last)).filter(is_free).count();
    let shut = around.into_iter().filter(is_shut).count() + 2 * beside;
    let missing = |y: i32| (0..width).filter(|&x| !is_full((x, y))).count();
    let rows = (first..=last).map(|y| [1.0, 0.5, 0.25].get(missing(y)).copied().unwrap_or(0.0));
    let top = (0..height).find(|&y| (0..width).any(|x| board.is_filled(x as usize, y as usize)));
    let growth = (top.unwrap_or(height) - first).max(0);
    [
        -100.0 * f64::from(growth) / f64::from(height),
        400.0 * f64::from(last) / f64::from(height),
        -100.0 * shut as f64 / own.len() as f64,
        100.0 * rows.sum::<f64>(),
    ]
}

#[test]
fn value_of_a_place_is_that_of_its_cells() {
    let mut sums = [0.0; 4];
    for seed in 0..30 {
        let (terrain, mut rng) = (terrain("size=7x8", seed), Rng::new(seed));
        let mut problem = terrain.problem().clone();
        let low = (2..8).flat_map(|y| (0..7).map(move |x| Cell { x, y }));
        problem.filled = low.filter(|cell| rng.below(10) < cell.y as usize).collect();
        let board = Board::new(&problem);
        for (piece, at) in terrain.pieces().iter().flat_map(|piece| {
            let positions = (0..piece.positions()).map(|index| piece.position(index));
            let free = positions.filter(|&at| is_free(piece, &board, at));
            free.map(|at| (piece, at)).collect::<Vec<_>>()
        }) {
            let cells: Vec<_> = piece.rows(at).collect();
            for (number, expected) in measures(piece, &board, at).into_iter().enumerate() {
                let mut weights = [0.0; 6];
                weights[number] = 1.0;
                let found = PlacementWeights(weights).of_place(&board, (at, &cells), board.top());
                assert!((found - expected).abs() < 1e-9, "{number}: {found} not {expected}");
                sums[number] += expected.abs();
            }
        }
    }
    assert!(sums.iter().all(|&sum| sum > 1000.0), "{sums:?}");
}
