//! Values of begun phrases in open space, where nothing is in the way of a unit and each row down
//! has a price.
//!
//! On its way down a unit gains points for phrases and pays for rows. At the right price the best
//! path gains nothing in the long run. The value of a node of the automaton is then its gain above
//! that of the root. The price is found by iteration: the next one is the ratio of points to rows
//! on the best path at the last one (W. Dinkelbach, "On nonlinear fractional programming", 1967).

use crate::hextris::row_direction::{self, DIRECTIONS};
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases};

/// Cost of a step aside or a turn, in rows. Not free, as a real board has borders. Not tuned.
const ASIDE: f32 = 0.125;
/// First and least price of a row, in points. Not tuned.
const PRICES: (f32, f32) = (4.0, 0.1);
/// Number of iterations of the price. Not tuned.
const ROUNDS: usize = 3;
/// Sweeps of the value iteration: for each letter of the longest phrase, and in addition. Not
/// tuned.
const AHEAD: (usize, usize) = (2, 64);
/// Number of letters of the path whose ratio is the next price. Not tuned.
const LETTERS: usize = 1000;
/// Most moves evaluated for a price, as phrases may be long and many. Not tuned.
const MOST_MOVES: usize = 10_000_000;

/// Unbounded open space, as a graph over directions and nodes.
pub struct OpenSpace {
    /// Moves by direction and node.
    moves: Vec<Vec<SpaceMove>>,
    /// Gain from each direction and node on, at the current price.
    values: Vec<f32>,
    longest: usize,
}

#[derive(Clone, Copy)]
struct SpaceMove {
    to: u32,
    gain: f32,
    cost: f32,
}

impl OpenSpace {
    /// Creates the graph for units that turn, or for others. All phrases count as used before.
    pub fn new(phrases: &Phrases, can_turn: bool) -> OpenSpace {
        let states = DIRECTIONS * phrases.nodes();
        let moves = (0..states).map(|state| moves(phrases, can_turn, state)).collect();
        let longest = phrases.texts().iter().map(String::len).max().unwrap_or(0);
        OpenSpace { moves, values: vec![0.0; states], longest }
    }

    /// Returns the values by direction and node, in points above the root.
    pub fn relative_values(mut self) -> Vec<i32> {
        let mut price = PRICES.0;
        for _ in 0..ROUNDS {
            self.settle(price);
            price = self.ratio(price).max(PRICES.1);
        }
        self.settle(price);
        let root = self.values[usize::from(Phrases::ROOT)];
        self.values.iter().map(|value| (value - root).round() as i32).collect()
    }

    /// Computes the gains at a price by value iteration.
    fn settle(&mut self, price: f32) {
        self.values.fill(0.0);
        let moves: usize = self.moves.iter().map(Vec::len).sum();
        let ahead = (AHEAD.0 * self.longest + AHEAD.1).min(MOST_MOVES / moves);
        for _ in 0..ahead {
            // Indices mostly grow along a phrase, so backward sweeps carry values to its beginning.
            for state in (0..self.moves.len()).rev() {
                self.values[state] = self.best(state, price).1;
            }
        }
    }

    fn best(&self, state: usize, price: f32) -> (SpaceMove, f32) {
        let value =
            |step: &SpaceMove| step.gain - step.cost * price + self.values[step.to as usize];
        let moves = self.moves[state].iter().map(|step| (*step, value(step)));
        moves.max_by(|a, b| a.1.total_cmp(&b.1)).expect("there is always a way down")
    }

    /// Returns the points per row on the best path from the root.
    fn ratio(&self, price: f32) -> f32 {
        let (mut state, mut gain, mut cost) = (usize::from(Phrases::ROOT), 0.0, ASIDE);
        for _ in 0..LETTERS {
            let (step, _) = self.best(state, price);
            (state, gain, cost) = (step.to as usize, gain + step.gain, cost + step.cost);
        }
        gain / cost
    }
}

fn moves(phrases: &Phrases, can_turn: bool, state: usize) -> Vec<SpaceMove> {
    let (direction, node) = (state / phrases.nodes(), (state % phrases.nodes()) as PhraseNode);
    let mut moves = Vec::new();
    for command in Command::ALL {
        let cost = match command {
            Command::SouthWest | Command::SouthEast => 1.0,
            Command::Clockwise | Command::CounterClockwise if !can_turn => continue,
            _ => ASIDE,
        };
        let Some(direction) = row_direction::after(direction, command) else { continue };
        for choice in phrases.choices(node, command) {
            let to = (direction * phrases.nodes() + usize::from(choice.next)) as u32;
            moves.push(SpaceMove { to, gain: phrases.gain(choice.next) as f32, cost });
        }
    }
    moves
}
