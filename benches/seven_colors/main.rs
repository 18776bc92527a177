//! Benchmark of a move, with the copy of the position, in several implementations. Times are CPU
//! time, interleaved in one run, since only ratios mean something on a shared machine.
//!
//! `cargo bench --bench seven-colors [-- --rounds N]`

mod ways;

use arbitre::bots::seven_colors::best::bitboard_position::{BoardContext, ColourMove};
use arbitre::bots::seven_colors::best::search::SevenColorsSearch;
use arbitre::bots::seven_colors::best::simd::{SimdBitboard, UsualCells};
use arbitre::bots::seven_colors::best::TRANSPOSITION_ENTRIES;
use arbitre::bots::seven_colors::{self, greedy, MoveContext};
use arbitre::dialect::Notation;
use arbitre::game::{Game, State};
use arbitre::games::seven_colors::graph::{Graph, GraphNode};
use arbitre::games::seven_colors::{Colour, Position, SevenColors};
use arbitre::rng::Rng;
use arbitre::search::budget::{Budget, Limiter};
use arbitre::search::cpu_time::Stopwatch;
use arbitre_test_support::median::median;
use std::cell::RefCell;
use std::hint::black_box;
use ways::{Bits, Bytes, Masks};

/// Number of boards of the report's kind, each with a position in the middle of a greedy game.
const BOARDS: usize = 100;
/// Number of plies to that position; games take about 85.
const PLIES: usize = 40;
/// Number of times that a round plays each colour on each board. Not tuned.
const TIMES: usize = 20;
/// Search depth of `best` in plies. Not tuned.
const DEPTH: u32 = 8;

/// A position in the form of each implementation.
struct Middle {
    position: Position,
    /// Graph of the initial board, so that it has all regions.
    graph: Graph,
    node: GraphNode,
    bytes: Bytes,
    bits: Bits,
    masks: Masks,
    context: BoardContext<UsualCells>,
    own: seven_colors::best::bitboard_position::BitboardNode<UsualCells>,
    /// Move list, allocated beforehand as in a search.
    found: RefCell<Vec<ColourMove<UsualCells>>>,
}

fn middles() -> Vec<Middle> {
    let game = SevenColors::from_rules("").expect("the default rules are valid");
    game.setups(2, 0, Rng::new(1)).take(BOARDS).map(|board| middle(&game, &board)).collect()
}

fn middle(game: &SevenColors, board: &<SevenColors as Game>::Setup) -> Middle {
    let mut position = game.start(board).expect("setups are valid boards");
    let ((graph, mut node), masks) = (Graph::new(&position), Masks::new(&position));
    for _ in 0..PLIES {
        let seat = position.mover();
        let colour = greedy(&MoveContext { graph: &graph, node, seat });
        graph.play(&mut node, seat, colour);
        position.play(seat, colour).expect("greedy moves are legal");
    }
    let (bytes, bits) = (Bytes::new(&position), Bits::new(&position));
    let (context, own) = BoardContext::new(&position);
    Middle { position, graph, node, bytes, bits, masks, context, own, found: RefCell::default() }
}

/// An implementation: the gains of the mover by each colour, each from a copy of the position.
type Way = fn(&Middle) -> [u32; 7];

const WAYS: [(&str, Way); 6] = [
    ("naive scans until nothing changes (Q2.2)", |middle| {
        each(|colour| middle.bytes.clone().scan(colour))
    }),
    ("one scan, with recursion (Q2.3)", |middle| {
        each(|colour| middle.bytes.clone().propagate(colour))
    }),
    ("flood with a queue", |middle| each(|colour| middle.bytes.clone().flood(colour))),
    ("bitboard of 1024 bits", |middle| {
        each(|colour| middle.bits.clone().play(&middle.masks, colour))
    }),
    ("region graph", |middle| {
        each(|colour| {
            let (seat, mut node) = (middle.position.mover(), middle.node);
            middle.graph.play(&mut node, seat, colour);
            u32::from(node.cells(seat) - middle.node.cells(seat))
        })
    }),
    ("the best bot's: all moves of a node, in registers", |middle| {
        let mut found = middle.found.borrow_mut();
        found.clear();
        UsualCells::children(&middle.context, &middle.own, &mut found);
        let mut gains = [0; 7];
        found.iter().for_each(|child| gains[usize::from(child.colour)] = child.gain.into());
        black_box(&*found);
        gains
    }),
];

fn each(gain: impl Fn(Colour) -> u32) -> [u32; 7] {
    std::array::from_fn(|colour| gain(black_box(Colour::new(colour))))
}

/// Checks that all implementations gain the same.
fn check(middles: &[Middle]) {
    for middle in middles {
        let seat = middle.position.mover();
        let board = middle.position.board();
        let gained = each(|colour| board.clone().capture(seat, colour) as u32);
        for (name, way) in WAYS {
            assert_eq!(way(middle), gained, "{name}");
        }
    }
}

/// Returns the nanoseconds per move.
fn nanos(middles: &[Middle], way: Way) -> f64 {
    let mut watch = Stopwatch::default();
    watch.measure(|| {
        for _ in 0..TIMES {
            for middle in middles {
                black_box(way(black_box(middle)));
            }
        }
    });
    watch.seconds() * 1e9 / (TIMES * middles.len() * 7) as f64
}

/// Returns the nodes per second of the search of `best`.
fn nodes_per_second(middles: &[Middle]) -> f64 {
    let mut searcher = SevenColorsSearch::new(TRANSPOSITION_ENTRIES);
    let (mut nodes, mut watch) = (0, Stopwatch::default());
    for middle in middles {
        searcher.clear();
        let mut limiter = Limiter::new(Budget::depth(DEPTH));
        let found = watch.measure(|| searcher.search(&middle.context, &middle.own, &mut limiter));
        nodes += found.nodes;
    }
    nodes as f64 / watch.seconds()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds: usize = rounds.map_or(15, |word| word.parse().expect("--rounds takes a number"));
    let middles = middles();
    check(&middles);
    let regions = middles.iter().map(|middle| middle.graph.regions()).sum::<usize>();
    println!(
        "{BOARDS} boards of 30x30, {} regions each on average, after {PLIES} plies",
        regions / BOARDS
    );
    println!(
        "\n  {:<50} {:>10} {:>10} {:>12}",
        "ns per move, copy included", "median", "least", "of the last"
    );
    let measured: Vec<[f64; 6]> =
        (0..rounds).map(|_| WAYS.map(|(_, way)| nanos(&middles, way))).collect();
    for (at, (name, _)) in WAYS.iter().enumerate() {
        let all = || measured.iter().map(|round| round[at]);
        let least = all().fold(f64::INFINITY, f64::min);
        let ratio = median(measured.iter().map(|round| round[at] / round[5]));
        println!("  {name:<50} {:>10.1} {least:>10.1} {ratio:>11.1}x", median(all()));
    }
    println!("\n  aims: the last at most 20 ns, and naive scans at least 100 times as long");
    let search = median((0..rounds.min(5)).map(|_| nodes_per_second(&middles)));
    println!(
        "  the best bot's search, {DEPTH} plies: {:.2} million nodes a second (aim: 3)",
        search / 1e6
    );
}
