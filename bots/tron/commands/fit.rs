//! `tron fit`: fits the weights of cells, free neighbours and front cells to games of the bot
//! against itself. It also prints the log loss of the constants that the evaluation uses.
//!
//! Positions that a search may evaluate, with the players in contact, become examples. An example
//! has the counts of both Voronoi regions, as the evaluation counts them, and the winner of the
//! game. A logistic regression finds the weights whose differences predict the winner best. Games
//! whose number ends in 3 or 7 are held out for the log loss.

use crate::options::Options;
use crate::program::{say, Failure, USAGE};
use crate::tron::best::bitboards::SmallGrid;
use crate::tron::best::chamber_tree::ChamberTree;
use crate::tron::best::evaluation::{region_counts, CELL, FRONT, NEIGHBOUR};
use crate::tron::best::position::TwoPlayerPosition;
use crate::tron::best::two_player::TwoPlayerSearch;
use crate::tron::best::ENTRIES;
use crate::tron::endgame::{EndgamePlayer, FreeRegion};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::tron::{Position, Tron};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Opening plies requested from the generator of setups. Tron ignores them; games differ by their
/// random starts.
const RANDOM_PLIES: usize = 6;
/// Fewest games accepted, so that some are held out.
const FEWEST: usize = 20;
/// Node limit of each player's endgame search once the players are separated. Not tuned.
const ENDGAME: u64 = 30_000;

/// Number of counts: cells, neighbours, and cells at the front.
const COUNTED: usize = 3;

/// Weights of the counts, and of being the mover.
type FitWeights = [f64; COUNTED + 1];

/// A position of a game.
struct FitExample {
    /// Differences between the mover and the other player; then 1, for being the mover.
    inputs: FitWeights,
    /// Whether the mover won.
    won: bool,
    /// Whether its game is held out to evaluate the weights.
    held_out: bool,
}

/// Plays the games and prints the fitted weights with their log loss.
///
/// # Errors
/// Returns an error if an option is unknown or not a number, or if there are too few games.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let games: usize = options.take("--games")?.unwrap_or(400);
    let nodes: u64 = options.take_count("--nodes")?.unwrap_or(3000);
    let seed: u64 = options.take("--seed")?.unwrap_or(1);
    options.finish()?;
    if games < FEWEST {
        let why = format!("--games: expected a number from {FEWEST}, got '{games}'");
        return Err(Failure { code: USAGE, why });
    }
    let game = Tron::from_rules("").expect("the default rules are valid");
    let mut examples = Vec::new();
    let mut searcher = TwoPlayerSearch::new(ENTRIES / 16);
    let setups = game.setups(2, RANDOM_PLIES, Rng::new(seed)).take(games);
    for (number, setup) in setups.enumerate() {
        let position = game.start(&setup).expect("a generated setup is valid");
        searcher.clear();
        play(position, nodes, &mut searcher, matches!(number % 10, 3 | 7), &mut examples);
    }
    say(&format!("{games} games, {} positions\n", examples.len()));
    for (name, columns) in [
        ("cells", &[0][..]),
        ("neighbours", &[1]),
        ("cells and neighbours", &[0, 1]),
        ("neighbours and front", &[1, 2]),
        ("cells, neighbours and front", &[0, 1, 2]),
    ] {
        let weights = fit(&examples, columns);
        let thousandths: Vec<String> =
            columns.iter().map(|&column| format!("{:.2}", 1000.0 * weights[column])).collect();
        let loss = loss(&examples, &weights);
        say(&format!("{name}: {} thousandths, log loss {loss:.4}\n", thousandths.join(", ")));
    }
    let [cell, neighbour, front] = [CELL, NEIGHBOUR, -FRONT].map(f64::from);
    for example in &mut examples {
        let [cells, neighbours, fronts, mover] = example.inputs;
        let value = cells * cell + neighbours * neighbour + fronts * front;
        example.inputs = [value, 0.0, 0.0, mover];
    }
    let loss = loss(&examples, &fit(&examples, &[0]));
    say(&format!(
        "as the evaluation has them, {cell} to {neighbour} to {front}: log loss {loss:.4}\n"
    ));
    Ok(())
}

/// Plays a game until its winner is known, and adds its examples.
fn play(
    mut position: Position,
    nodes: u64,
    searcher: &mut TwoPlayerSearch,
    held_out: bool,
    examples: &mut Vec<FitExample>,
) {
    let begin = examples.len();
    let mut movers = Vec::new();
    let mut tree = ChamberTree::default();
    let winner = loop {
        let seat = position.mover();
        if position.outcome().is_some() {
            // The last player left is to move.
            break seat;
        }
        let two_player = TwoPlayerPosition::<SmallGrid>::new(&position);
        let Some(inputs) = inputs(&two_player, &mut tree) else {
            break outlasts(&position);
        };
        // The search evaluates no other positions.
        if two_player.races_after(0) {
            movers.push(seat);
            examples.push(FitExample { inputs, won: false, held_out });
        }
        let found = searcher.search(&two_player, Budget::nodes(nodes));
        position.play_unchecked(seat, found.best);
    };
    for (example, mover) in examples[begin..].iter_mut().zip(movers) {
        example.won = mover == winner;
    }
}

/// Returns the inputs of an example, or `None` where the players cannot meet any more.
fn inputs(position: &TwoPlayerPosition<SmallGrid>, tree: &mut ChamberTree) -> Option<FitWeights> {
    let ([own, other], fronts) = region_counts(position, tree)?;
    let (cells, neighbours) = (own.cells[0] - other.cells[0], own.neighbours - other.neighbours);
    Some([cells, neighbours, fronts[0] - fronts[1], 1].map(f64::from))
}

/// Returns the player that survives longer once the players are separated.
fn outlasts(position: &Position) -> Seat {
    let moves = |seat: Seat| {
        let region = FreeRegion::of(position, seat).expect("both players are in the game");
        let mut player = EndgamePlayer::default();
        let first = player.choose(&region, &mut Limiter::new(Budget::nodes(ENDGAME)));
        first.map_or(0, |_| 1 + player.plan().path.len())
    };
    let mover = position.mover();
    // With equal moves the mover loses: it is the first to have none.
    let mover_wins = moves(mover) > moves(mover.other());
    if mover_wins {
        mover
    } else {
        mover.other()
    }
}

/// Returns the predicted probability that the mover wins.
fn chance(example: &FitExample, weights: &FitWeights) -> f64 {
    let sum: f64 = example.inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Returns the mean log loss over the held-out games, in nats.
fn loss(examples: &[FitExample], weights: &FitWeights) -> f64 {
    let held_out = examples.iter().filter(|example| example.held_out);
    let surprises = held_out.map(|example| {
        let chance = chance(example, weights);
        -(if example.won { chance } else { 1.0 - chance }).max(1e-12).ln()
    });
    let (sum, count) = surprises.fold((0.0, 0), |(sum, count), one| (sum + one, count + 1));
    sum / f64::from(count.max(1))
}

/// Returns the maximum-likelihood weights of these columns and of being the mover, by Newton's
/// method; other weights are 0.
fn fit(examples: &[FitExample], columns: &[usize]) -> FitWeights {
    let used: Vec<usize> = columns.iter().copied().chain([COUNTED]).collect();
    let mut weights = [0.0; COUNTED + 1];
    for _ in 0..25 {
        let mut slope = vec![0.0; used.len()];
        let mut curve = vec![vec![0.0; used.len()]; used.len()];
        for example in examples.iter().filter(|example| !example.held_out) {
            let inputs = example.inputs;
            let chance = chance(example, &weights);
            for (row, &at) in used.iter().enumerate() {
                slope[row] += inputs[at] * (f64::from(u8::from(example.won)) - chance);
                for (column, &other) in used.iter().enumerate() {
                    curve[row][column] += inputs[at] * inputs[other] * chance * (1.0 - chance);
                }
            }
        }
        for (&at, step) in used.iter().zip(solve(curve, slope)) {
            weights[at] += step;
        }
    }
    weights
}

/// Solves a positive definite system of equations by Gauss-Jordan elimination.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = rows[row][pivot] / rows[pivot][pivot];
            let above = rows[pivot].clone();
            rows[row].iter_mut().zip(above).for_each(|(entry, above)| *entry -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    (0..size).map(|at| right[at] / rows[at][at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Winners drawn with known weights give back these weights.
    #[test]
    fn fit_recovers_known_weights() {
        let mut rng = Rng::new(8);
        let truth = [-0.3, 0.8, -0.5, 0.2];
        let mut draw = || rng.below(10_000) as f64 / 10_000.0;
        let examples: Vec<FitExample> = (0..20_000)
            .map(|number| {
                let [cells, neighbours, front] = [(); COUNTED].map(|()| 4.0 * draw() - 2.0);
                let inputs = [cells, neighbours, front, 1.0];
                let mut example = FitExample { inputs, won: false, held_out: number % 5 == 0 };
                example.won = draw() < chance(&example, &truth);
                example
            })
            .collect();
        let found = fit(&examples, &[0, 1, 2]);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 0.08, "{found} for {truth}");
        }
        assert!(loss(&examples, &found) < loss(&examples, &fit(&examples, &[0])) - 0.05);
    }

    #[test]
    fn separated_player_with_more_room_wins() {
        let game = Tron::from_rules("size=6x3").unwrap();
        let winner = |board: &str| outlasts(&game.parse_state(board, Seat::FIRST).unwrap());
        assert_eq!(winner("A.##B./####../######"), Seat::new(1));
        assert_eq!(winner("A...#B/######/######"), Seat::FIRST);
        // With equal moves the mover is the first to have none.
        assert_eq!(winner("A.##B./######/######"), Seat::new(1));
    }
}
