//! What a move costs, the copy of the position included, in the ways in which programs have played it: in
//! processor time and measured in one run, in turns, because only ratios mean something on a machine
//! that others use too.
//!
//! `cargo bench --bench seven-colors [-- --rounds N]`

#[path = "../median.rs"]
mod median;
mod ways;

use arbitre::bots::seven_colors::{Field, Greedy, Strategy};
use arbitre::dialect::Notation;
use arbitre::game::{Game, State};
use arbitre::games::seven_colors::graph::{Graph, Node};
use arbitre::games::seven_colors::{Colour, Position, SevenColors};
use arbitre::rng::Rng;
use arbitre::search::cpu_time::thread_time;
use median::median;
use std::hint::black_box;
use ways::{Bits, Bytes, Masks};

/// Boards of the report's kind, each with a position in the middle of a greedy game on it.
const BOARDS: usize = 100;
/// The plies until there: games take about 85.
const PLIES: usize = 40;
/// How often a round plays each colour on each board.
const TIMES: usize = 20;

/// A position as each way has it.
struct Middle {
    position: Position,
    /// Of the board as it was at the start, so that no region is spared.
    graph: Graph,
    node: Node,
    bytes: Bytes,
    bits: Bits,
    masks: Masks,
}

fn middles() -> Vec<Middle> {
    let game = SevenColors::from_rules("").expect("the default rules");
    game.setups(2, 0, Rng::new(1)).take(BOARDS).map(|board| middle(&game, &board)).collect()
}

fn middle(game: &SevenColors, board: &<SevenColors as Game>::Setup) -> Middle {
    let mut position = game.start(board).expect("a board to start from");
    let ((graph, mut node), masks) = (Graph::new(&position), Masks::new(&position));
    for _ in 0..PLIES {
        let seat = position.mover();
        let colour = Greedy.choose(&Field { graph: &graph, node, seat }, None);
        graph.play(&mut node, seat, colour);
        position.play(seat, colour).expect("the game goes on");
    }
    let (bytes, bits) = (Bytes::new(&position), Bits::new(&position));
    Middle { position, graph, node, bytes, bits, masks }
}

/// A way to play: what the mover gains by a colour.
type Way = fn(&Middle, Colour) -> u32;

const WAYS: [(&str, Way); 5] = [
    ("naive scans until nothing changes (Q2.2)", |middle, colour| {
        middle.bytes.clone().scan(colour)
    }),
    ("one scan, with recursion (Q2.3)", |middle, colour| middle.bytes.clone().propagate(colour)),
    ("flood with a queue", |middle, colour| middle.bytes.clone().flood(colour)),
    ("bitboard of 1024 bits", |middle, colour| middle.bits.clone().play(&middle.masks, colour)),
    ("region graph", |middle, colour| {
        let (seat, mut node) = (middle.position.mover(), middle.node);
        middle.graph.play(&mut node, seat, colour);
        u32::from(node.cells(seat) - middle.node.cells(seat))
    }),
];

/// All ways gain the same.
fn check(middles: &[Middle]) {
    for middle in middles {
        for colour in Colour::first(7) {
            let seat = middle.position.mover();
            let gained = middle.position.board().clone().capture(seat, colour);
            for (name, way) in WAYS {
                assert_eq!(way(middle, colour) as usize, gained, "{name}");
            }
        }
    }
}

/// Nanoseconds per move.
fn nanos(middles: &[Middle], way: Way) -> f64 {
    let begun = thread_time().expect("this system tells processor time");
    for _ in 0..TIMES {
        for middle in middles {
            for colour in Colour::first(7) {
                black_box(way(black_box(middle), black_box(colour)));
            }
        }
    }
    let spent = thread_time().expect("it did before") - begun;
    spent.as_nanos() as f64 / (TIMES * middles.len() * 7) as f64
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
        "\n  {:<44} {:>10} {:>10} {:>12}",
        "ns per move, copy included", "median", "least", "of the graph"
    );
    let measured: Vec<[f64; 5]> =
        (0..rounds).map(|_| WAYS.map(|(_, way)| nanos(&middles, way))).collect();
    for (at, (name, _)) in WAYS.iter().enumerate() {
        let all = || measured.iter().map(|round| round[at]);
        let least = all().fold(f64::INFINITY, f64::min);
        let ratio = median(measured.iter().map(|round| round[at] / round[4]));
        println!("  {name:<44} {:>10.1} {least:>10.1} {ratio:>11.1}x", median(all()));
    }
}
