//! Tests of each strategy against a reference implementation on the plain board, and on positions
//! that show its preference.

mod plain;
mod strategies;

use super::{strategy, MoveContext, Strategy};
use crate::options::Options;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{Colour, Position, SevenColors};
use arbitre_games::rng::Rng;
use plain::Plain;

/// Returns the strategy of `words`, which are those of the command line.
fn named(words: &str) -> Box<dyn Strategy> {
    let mut options = Options::of(words);
    let name = options.take_word().unwrap();
    strategy(&name, &mut options).unwrap()
}

/// Returns the position of `picture`, with seat 0 to move.
fn position(rules: &str, picture: &str) -> Position {
    SevenColors::from_rules(rules).unwrap().parse_state(picture, Seat::FIRST).unwrap()
}

/// Returns the letter that a strategy plays in `position`.
fn choice(strategy: &mut dyn Strategy, position: &Position, depth: Option<u32>) -> char {
    let (graph, node) = Graph::new(position);
    let context = MoveContext { graph: &graph, node, seat: position.mover() };
    strategy.choose(&context, depth).0.letter()
}

/// Rules with bans, enclosures and the defaults of the report, on small boards.
const RULES: [&str; 5] = [
    "size=9x9",
    "size=8x6 symmetric=no colours=5",
    "size=8x8 colours=4 ban=opponent capture-enclosed=yes",
    "size=7x7 ban=own-and-opponent",
    "size=6x6 count-enclosed=yes colours=4",
];

/// Compares choices with `twin` in positions of random games under all `RULES`. Random players
/// alone soon have a border without interest, so half of the moves are those of `twin`.
fn agrees(words: &str, depth: Option<u32>, games: usize, twin: impl Fn(&Plain) -> Colour) {
    let (mut strategy, mut seen) = (named(words), 0);
    for rules in RULES {
        let game = SevenColors::from_rules(rules).unwrap();
        for (seed, board) in (0..).zip(game.setups(2, 0, Rng::new(5)).take(games)) {
            let (mut rng, mut position) = (Rng::new(seed), game.start(&board).unwrap());
            while position.outcome().is_none() {
                let wanted = twin(&Plain::new(&position));
                let chosen = choice(&mut *strategy, &position, depth);
                assert_eq!(chosen, wanted.letter(), "{rules}: {position:?}");
                let moves = position.moves(position.mover());
                let random = moves[rng.below(moves.len())];
                let colour = if rng.below(2) == 0 { wanted } else { random };
                position.play(position.mover(), colour).unwrap();
                seen += 1;
            }
        }
    }
    assert!(seen > 60, "{seen} positions");
}
