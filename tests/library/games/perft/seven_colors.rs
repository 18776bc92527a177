//! The fingerprint of Seven Colors.

use super::{check_all, fingerprints, Fingerprint};
use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::seven_colors::graph::{Graph, GraphNode};
use arbitre::games::seven_colors::reference::SevenColorsReference;
use arbitre::games::seven_colors::{Colour, SevenColors};
use arbitre::rng::Rng;

fn lines() -> Vec<Fingerprint<SevenColors>> {
    fingerprints(include_str!("../../../data/seven_colors.perft"), "there is no usual start")
}

fn slow_game(line: &Fingerprint<SevenColors>) -> SevenColorsReference {
    let mut text = String::new();
    line.game.write_state(&line.position, Seat::FIRST, &mut text);
    let rows: Vec<&str> = text.split(' ').next().expect("a board").split('/').collect();
    let held = [0, 1].map(|seat| line.position.last_played(Seat::new(seat)).map(Colour::letter));
    SevenColorsReference::new(*line.game.options(), &rows, 0, held)
}

fn graph_perft(graph: &Graph, node: &GraphNode, seat: Seat, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if graph.is_over(node) {
        return 0;
    }
    let after = |colour| {
        let mut after = *node;
        graph.play(&mut after, seat, colour);
        after
    };
    graph.legal(node, seat).map(|c| graph_perft(graph, &after(c), seat.other(), depth - 1)).sum()
}

#[test]
fn counts_match_the_data() {
    check_all(&lines(), slow_game);
}

#[test]
fn the_region_graph_counts_the_same() {
    for line in lines() {
        let (graph, node) = Graph::new(&line.position);
        for (depth, count) in line.up_to(u64::MAX) {
            let counted = graph_perft(&graph, &node, Seat::FIRST, depth);
            assert_eq!(counted, count, "depth {depth} of {}", line.name);
        }
    }
}

/// On a large board no game ends early, and only bans matter: none; the colour of the opponent,
/// which holds none before the first move; from the third move on also the mover's own colour.
#[test]
fn bans_leave_as_many_colours_as_they_say() {
    let count = |rules: &str, depth| {
        let game = SevenColors::from_rules(rules).unwrap();
        let setup = game.setups(2, 0, Rng::new(1)).next().unwrap();
        game.start(&setup).unwrap().leaves(depth)
    };
    let counts = |rules: &str| [1, 2, 3, 4].map(|depth| count(rules, depth));
    assert_eq!(counts("arcsys"), [7, 7 * 7, 7 * 7 * 7, 7 * 7 * 7 * 7]);
    assert_eq!(counts("gamos"), [7, 7 * 6, 7 * 6 * 6, 7 * 6 * 6 * 6]);
    assert_eq!(counts("ban=own-and-opponent"), [7, 7 * 6, 7 * 6 * 5, 7 * 6 * 5 * 5]);
}
