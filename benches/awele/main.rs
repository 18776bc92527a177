//! Benchmark of Awélé: moves, evaluations, endgame tables and the search of `best`. Times are CPU
//! time of one thread, interleaved in one run, since only ratios mean something on a shared
//! machine.
//!
//! `cargo bench --bench awele [-- --rounds N]`

use arbitre::bots::awele::best::evaluation::{Evaluation, EvaluationSource};
use arbitre::bots::awele::endgame::EndgameTables;
use arbitre::bots::awele::Best;
use arbitre::game::{Seat, State};
use arbitre::games::awele::{Board, GrandSlam, Pit, Position, ABAPA};
use arbitre::rng::Rng;
use arbitre::search::budget::Budget;
use arbitre::search::cpu_time::Stopwatch;
use arbitre_test_support::median::median;
use std::hint::black_box;

/// Number of positions of each kind. Not tuned.
const POSITIONS: usize = 1000;
/// Number of seeds of the endgame tables.
const SEEDS: usize = 12;
/// Number of times that a round visits each position, so that it takes longer than its clock.
const TIMES: usize = 100;
/// Search depth of `best` in plies, and the number of its positions. Not tuned.
const DEPTH: u32 = 12;
const SEARCHED: usize = 20;

/// Measures the time of each call in nanoseconds.
fn nanoseconds(boards: &[Board], mut call: impl FnMut(Board)) -> f64 {
    let mut spent = Stopwatch::default();
    spent.measure(|| (0..TIMES).for_each(|_| boards.iter().for_each(|&board| call(board))));
    spent.seconds() * 1e9 / (TIMES * boards.len()) as f64
}

/// Returns positions of random games whose number of seeds on the board is accepted.
fn positions(accept: impl Fn(u8) -> bool) -> Vec<Position> {
    let mut rng = Rng::new(1);
    let mut found = Vec::new();
    while found.len() < POSITIONS {
        let mut position = Position::new(ABAPA, Board::START, Seat::FIRST);
        while position.end().is_none() {
            if accept(position.board().totals().iter().sum()) && rng.below(10) == 0 {
                found.push(position.clone());
            }
            let moves = position.moves(position.mover());
            position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
        }
    }
    found.truncate(POSITIONS);
    found
}

/// Returns the nodes per second of searches from these positions.
fn speed(source: fn() -> EvaluationSource, positions: &[Position]) -> f64 {
    let mut engine = Best::new(source()).with_hash(64);
    let (mut nodes, mut spent) = (0, Stopwatch::default());
    for position in positions {
        engine.new_game(&ABAPA);
        nodes += spent.measure(|| engine.search(position, Budget::depth(DEPTH))).nodes;
    }
    nodes as f64 / spent.seconds()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(15, |word| word.parse().expect("--rounds takes a number"));
    let rule = GrandSlam::Nothing;
    let middles = positions(|seeds| seeds > 20);
    let boards = |positions: &[Position]| positions.iter().map(Position::board).collect();
    let (open, endgames): (Vec<Board>, Vec<Board>) =
        (boards(&middles), boards(&positions(|seeds| usize::from(seeds) <= SEEDS)));
    let tables = EndgameTables::make(SEEDS, 1);
    let [network, linear] = [Evaluation::network(&ABAPA), Evaluation::linear(&ABAPA)];
    let moves: usize = open.iter().map(|board| board.legal(rule).count_ones() as usize).sum();
    let mut rows: Vec<(&str, &str, Vec<f64>)> = Vec::new();
    let mut add = |name, unit, value| match rows.iter_mut().find(|(known, ..)| *known == name) {
        Some((.., values)) => values.push(value),
        None => rows.push((name, unit, vec![value])),
    };
    for _ in 0..rounds {
        let all = nanoseconds(&open, |board| {
            for pit in Pit::of_mask(board.legal(rule)) {
                black_box(board.after(pit, rule));
            }
        });
        add("a move, with the list of moves", "ns", all * open.len() as f64 / moves as f64);
        for (name, evaluation) in [("network", &network), ("linear evaluation", &linear)] {
            let time = nanoseconds(&open, |board| {
                black_box(evaluation.evaluate(black_box(board)));
            });
            add(name, "ns", time);
        }
        let time = nanoseconds(&endgames, |board| {
            black_box(tables.look(black_box(board)));
        });
        add("probe of the tables of 12 seeds", "ns", time);
        let mut making = Stopwatch::default();
        making.measure(|| black_box(EndgameTables::make(SEEDS, 1)));
        add("making these tables", "ms", making.seconds() * 1e3);
        let searched = &middles[..SEARCHED];
        let with_network = || EvaluationSource::Rules(Evaluation::network);
        add("search with the network", "million nodes/s", speed(with_network, searched) / 1e6);
        let by_captures = || EvaluationSource::Fixed(Evaluation::Captures);
        add("search by captures", "million nodes/s", speed(by_captures, searched) / 1e6);
    }
    println!("medians of {rounds} rounds, {POSITIONS} positions of random games");
    for (name, unit, values) in rows {
        println!("{name}: {:.1} {unit}", median(values.into_iter()));
    }
}
