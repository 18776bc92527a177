//! The searches beside slow ones, and what the solver promises.

use super::evaluate::PlacementWeights;
use super::label_search::{LabelLimits, LabelQuery, LabelSearch};
use super::path::{locking, LockPath, ShortestPaths};
use super::reachability::{leading_to, lockable, reachable, PositionSet};
use super::{TaupeGoons, PHRASE_STRATEGIES};
use crate::hextris::phrases::{playable, points};
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{
    draw_problem, score, AxialCoord, Board, Cell, Command, Meaning, Phrases, Piece, Play, Rules,
    SolutionEnd, Symbol, Terrain, UnitPosition, OFFICIAL,
};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use std::collections::BTreeSet;

fn terrain(rules: &str, seed: u64) -> Terrain {
    Terrain::new(draw_problem(&Rules::parse(rules).unwrap(), &mut Rng::new(seed)))
}

/// Pieces of drawn problems on their first boards, where they find room.
fn scenes(rules: &str, problems: u64, mut look: impl FnMut(&Piece, &Board)) {
    for seed in 0..problems {
        let terrain = terrain(rules, seed);
        for piece in terrain.pieces().iter().filter(|p| p.fits(terrain.start(), p.spawn())) {
            look(piece, terrain.start());
        }
    }
}

/// The distances of positions, by relaxing until nothing changes.
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

#[test]
fn floods_come_where_single_steps_come() {
    scenes("size=9x7", 60, floods_and_steps);
    scenes("size=120x3", 2, floods_and_steps);
}

fn floods_and_steps(piece: &Piece, board: &Board) {
    let free = PositionSet::free(piece, board);
    let reached = reachable(piece, &free, piece.spawn());
    let (distances, locks) = (distances(piece, board), lockable(piece, &free, &reached));
    let mut is_leading = vec![false; piece.positions()];
    let target = reached.iter().last().unwrap();
    for (index, is_leading) in is_leading.iter_mut().enumerate() {
        let at = piece.position(index);
        assert_eq!(reached.contains(at), distances[index].is_some(), "{at:?}");
        let can_lock = reached.contains(at) && locking(piece, board, at).is_some();
        assert_eq!(locks.contains(at), can_lock, "{at:?}");
        if reached.contains(at) {
            *is_leading = ShortestPaths::new(piece, board, at, |_| false).reached.contains(&target);
        }
    }
    let leading = leading_to(piece, &reached, &[target], 20 + board.width());
    for (index, &is_leading) in is_leading.iter().enumerate() {
        let at = piece.position(index);
        assert_eq!(leading.contains(at), is_leading, "{at:?} to {target:?}");
    }
}

/// The paths of a queue are the shortest ones; those of a stack are not.
#[test]
fn paths_found_breadth_first_are_the_shortest() {
    let mut is_longer = false;
    scenes("size=7x6", 40, |piece, board| {
        let distances = distances(piece, board);
        let shortest = ShortestPaths::new(piece, board, piece.spawn(), |_| false);
        let mut depths = vec![None; piece.positions()];
        depths[piece.index(piece.spawn())] = Some(0);
        let mut stack = vec![piece.spawn()];
        while let Some(at) = stack.pop() {
            let depth = depths[piece.index(at)].map(|depth: usize| depth + 1);
            for next in Command::ALL.iter().filter_map(|&c| piece.advance(board, at, c)) {
                if depths[piece.index(next)].is_none() {
                    depths[piece.index(next)] = depth;
                    stack.push(next);
                }
            }
        }
        for (index, distance) in distances.iter().enumerate() {
            let path = shortest.path(piece, piece.position(index)).map(|path| path.len());
            assert_eq!(path, *distance);
            is_longer |= depths[index] > *distance;
        }
    });
    assert!(is_longer);
}

/// Plays a way on a board; panics if it breaks a rule or locks before its end.
fn walk(piece: &Piece, board: &Board, path: &LockPath) {
    let (mut at, mut held) = (piece.spawn(), vec![piece.spawn()]);
    for (number, &letter) in path.text.iter().enumerate() {
        let Meaning::Command(command) = Symbol::of(letter).meaning() else { panic!("{letter}") };
        match piece.advance(board, at, command) {
            Some(next) => {
                assert!(
                    !held.contains(&next),
                    "{} comes back",
                    String::from_utf8_lossy(&path.text)
                );
                held.push(next);
                at = next;
            }
            None => assert_eq!((number + 1, at), (path.text.len(), path.at)),
        }
    }
    assert!(piece.advance(board, at, Command::West).is_none() || held.len() == path.text.len());
}

fn spell(piece: &Piece, board: &Board, phrases: &Phrases, labels: usize) -> Vec<LockPath> {
    let free = PositionSet::free(piece, board);
    let reached = reachable(piece, &free, piece.spawn());
    let targets = lockable(piece, &free, &reached);
    let (allowed, targets, playable) = (&reached, &targets, playable(phrases, piece));
    let (node, used) = (Phrases::ROOT, 0);
    let query = LabelQuery { piece, free: &free, allowed, targets, node, used, playable };
    let limits = LabelLimits { labels, entries: usize::MAX, steps: board.width() };
    LabelSearch::new(phrases).paths(&query, limits)
}

#[test]
fn ways_full_of_phrases_keep_the_rules_and_are_worth_what_they_say() {
    let phrases = Phrases::official();
    let (mut paths, mut most) = (0, 0);
    scenes("size=12x12", 25, |piece, board| {
        for path in spell(piece, board, &phrases, 4) {
            walk(piece, board, &path);
            assert_eq!(points(&phrases, Phrases::ROOT, &path.text, 0), path.points);
            (paths, most) = (paths + 1, most.max(path.points));
        }
    });
    assert!(paths > 1000 && most > 700, "{paths} {most}");
}

/// The best of all paths of a cell that never come back in their row, by trying them all.
fn best_of_all(
    piece: &Piece,
    board: &Board,
    phrases: &Phrases,
    text: &mut Vec<u8>,
    (at, last): (UnitPosition, Option<Command>),
    best: &mut Vec<u32>,
) {
    for command in Command::ALL.into_iter().take(4) {
        let returns = [(Command::West, Command::East), (Command::East, Command::West)];
        if last.is_some_and(|last| returns.contains(&(last, command))) {
            continue;
        }
        // Letters of no phrase are all alike.
        let is_spare = |letter: u8| !phrases.texts()[0].as_bytes().contains(&letter);
        let spare = command.letters().iter().copied().find(|&letter| is_spare(letter));
        let dp_paths = command.letters().iter().copied().filter(|&letter| !is_spare(letter));
        for letter in dp_paths.chain(spare) {
            text.push(letter);
            match piece.advance(board, at, command) {
                Some(next) => {
                    best_of_all(piece, board, phrases, text, (next, Some(command)), best);
                }
                None => {
                    let points = points(phrases, Phrases::ROOT, text, 0);
                    let known = &mut best[piece.index(at)];
                    *known = points.max(*known);
                }
            }
            text.pop();
        }
    }
}

#[test]
fn nothing_brings_more_than_the_programme_finds() {
    let cell = r#"{"members":[{"x":0,"y":0}],"pivot":{"x":0,"y":0}}"#;
    let text = format!(
        r#"{{"id":0,"width":3,"height":3,"units":[{cell}],"filled":[{{"x":0,"y":2}}],
        "sourceLength":1,"sourceSeeds":[0]}}"#
    );
    let terrain = Terrain::new(arbitre_games::games::hextris::Problem::parse(&text).unwrap());
    let (piece, board) = (&terrain.pieces()[0], terrain.start());
    for phrase in ["ei!", "al", "pal", "la", "b", "aa"] {
        let phrases = Phrases::new(&[phrase]).unwrap();
        let mut best = vec![0; piece.positions()];
        let start = (piece.spawn(), None);
        best_of_all(piece, board, &phrases, &mut Vec::new(), start, &mut best);
        let paths = spell(piece, board, &phrases, 50);
        assert!(paths.len() >= 5);
        for path in paths {
            assert_eq!(path.points, best[piece.index(path.at)], "{phrase} to {:?}", path.at);
        }
    }
}

/// A game solved, and its score.
fn solved(
    taupegoons: TaupeGoons,
    terrain: &Terrain,
    phrases: &Phrases,
    budget: Budget,
) -> (SolutionEnd, u64) {
    let seed = terrain.problem().source_seeds[0];
    let play = &Play::new(terrain, seed);
    let start = GameStart::new(terrain, phrases, play);
    let text = String::from_utf8(taupegoons.solve(&start, &mut Limiter::new(budget))).unwrap();
    let scored = score(terrain, seed, &text, phrases);
    (scored.ending, scored.total())
}

#[test]
fn every_way_to_spell_plays_whole_games() {
    let sets =
        [OFFICIAL.to_vec(), vec![], vec!["pkkpdbbd", "ssseespsps", "pb", "sd"], vec!["ei!9"]];
    let mut totals = [0; PHRASE_STRATEGIES.len()];
    for seed in 0..24 {
        let terrain = terrain(["size=8x9 length=9", "size=any length=6"][seed as usize % 2], seed);
        let phrases = Phrases::new(&sets[seed as usize % sets.len()]).unwrap();
        for ((word, strategy), total) in PHRASE_STRATEGIES.into_iter().zip(&mut totals) {
            let taupegoons = TaupeGoons { weights: PlacementWeights::SUBMITTED, strategy };
            let (ending, score) = solved(taupegoons, &terrain, &phrases, Budget::default());
            assert!(
                matches!(ending, SolutionEnd::SourceEmpty | SolutionEnd::BoardFull),
                "{word}: {ending:?}"
            );
            *total += score;
        }
    }
    assert!(totals[0] > totals[1] && totals[0] > totals[2], "{totals:?}");
}

#[test]
fn who_is_stopped_has_played_what_there_was_time_for() {
    let terrain = terrain("size=9x12 length=50", 3);
    let phrases = Phrases::official();
    let taupegoons =
        TaupeGoons { weights: PlacementWeights::SUBMITTED, strategy: PHRASE_STRATEGIES[0].1 };
    let (ending, few) = solved(taupegoons, &terrain, &phrases, Budget::nodes(5000));
    assert!(ending == SolutionEnd::MidGame && few > 0, "{ending:?}");
    let (_, all) = solved(taupegoons, &terrain, &phrases, Budget::default());
    assert!(all > few);
}

#[test]
fn unions_of_positions_are_told_apart() {
    let terrain = terrain("size=6x6", 1);
    let free = PositionSet::free(&terrain.pieces()[0], terrain.start());
    let all: BTreeSet<UnitPosition> = free.iter().collect();
    let none: BTreeSet<UnitPosition> = PositionSet::empty_like(&free).iter().collect();
    assert!(none.is_empty() && all.iter().all(|&at| free.contains(at)) && all.len() > 6);
}

/// What there is to see of a place, cell by cell: growth and cells shut in are bad.
fn seen(piece: &Piece, board: &Board, at: UnitPosition) -> [f64; 4] {
    let own: BTreeSet<(i32, i32)> = piece.cells(at).map(|(x, y)| (x as i32, y as i32)).collect();
    let (width, height) = (board.width() as i32, board.height() as i32);
    let is_on_board = |(x, y): (i32, i32)| (0..width).contains(&x) && (0..height).contains(&y);
    let is_full =
        |(x, y): (i32, i32)| own.contains(&(x, y)) || board.is_filled(x as usize, y as usize);
    let is_free = |cell: &(i32, i32)| is_on_board(*cell) && !is_full(*cell);
    let near = |(x, y): (i32, i32), path: AxialCoord| {
        let cell = Cell { x, y }.axial().plus(path).cell();
        (cell.x, cell.y)
    };
    let [up_left, up_right] = [(-1, 0), (-1, 1)].map(|(y, q)| AxialCoord { y, q });
    let paths = std::iter::successors(Some(up_left), |path| Some(path.clockwise())).take(6);
    let around = paths.flat_map(|path| own.iter().map(move |&cell| near(cell, path)));
    let first = own.iter().map(|cell| cell.1).min().unwrap();
    let last = own.iter().map(|cell| cell.1).max().unwrap();
    let is_shut = |cell: &(i32, i32)| {
        let above = [up_left, up_right].map(|path| near(*cell, path));
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
fn places_are_judged_as_their_cells_say() {
    let mut sums = [0.0; 4];
    for seed in 0..30 {
        let (terrain, mut rng) = (terrain("size=7x8", seed), Rng::new(seed));
        let mut problem = terrain.problem().clone();
        let low = (2..8).flat_map(|y| (0..7).map(move |x| Cell { x, y }));
        problem.filled = low.filter(|cell| rng.below(10) < cell.y as usize).collect();
        let board = Board::new(&problem);
        for (piece, at) in terrain.pieces().iter().flat_map(|piece| {
            PositionSet::free(piece, &board).iter().map(|at| (piece, at)).collect::<Vec<_>>()
        }) {
            let cells: Vec<_> = piece.rows(at).collect();
            for (number, expected) in seen(piece, &board, at).into_iter().enumerate() {
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
