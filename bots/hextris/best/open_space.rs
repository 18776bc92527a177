//! Values of partial phrases in open space, where nothing is in the way of a unit and each row down
//! has a price.
//!
//! On its way down a unit gains points for phrases and pays for rows. At the right price the best
//! path gains nothing in the long run. The value of a node of the automaton is then its gain above
//! that of the root. The price is found by iteration: the next one is the ratio of points to rows
//! on the best path at the last one (W. Dinkelbach, "On nonlinear fractional programming", 1967).

use crate::hextris::row_direction::{self, DIRECTIONS};
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases};

/// Parameters of the price and of the value iteration. Not tuned.
struct OpenSpaceParams {
    /// Cost of a step aside or a turn, in rows. Not free, as a real board has borders.
    aside: f32,
    /// First price of a row, in points.
    first_price: f32,
    /// Least price of a row, in points.
    least_price: f32,
    /// Number of iterations of the price.
    price_rounds: usize,
    /// Sweeps of the value iteration for each letter of the longest phrase.
    sweeps_per_letter: usize,
    /// Sweeps of the value iteration in addition.
    more_sweeps: usize,
    /// Number of letters of the path whose ratio is the next price.
    letters: usize,
    /// Most moves evaluated for a price, as phrases may be long and many.
    most_moves: usize,
}

const SPACE: OpenSpaceParams = OpenSpaceParams {
    aside: 0.125,
    first_price: 4.0,
    least_price: 0.1,
    price_rounds: 3,
    sweeps_per_letter: 2,
    more_sweeps: 64,
    letters: 1000,
    most_moves: 10_000_000,
};

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
        let mut price = SPACE.first_price;
        for _ in 0..SPACE.price_rounds {
            self.settle(price);
            price = self.ratio(price).max(SPACE.least_price);
        }
        self.settle(price);
        let root = self.values[usize::from(Phrases::ROOT)];
        self.values.iter().map(|value| (value - root).round() as i32).collect()
    }

    /// Computes the gains at a price by value iteration.
    fn settle(&mut self, price: f32) {
        self.values.fill(0.0);
        let moves: usize = self.moves.iter().map(Vec::len).sum();
        let ahead = (SPACE.sweeps_per_letter * self.longest + SPACE.more_sweeps)
            .min(SPACE.most_moves / moves);
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
        // The cost starts with one step aside too many, which lowers the price slightly. It is no
        // guard against a division by zero, as every move has a cost.
        let (mut state, mut gain, mut cost) = (usize::from(Phrases::ROOT), 0.0, SPACE.aside);
        for _ in 0..SPACE.letters {
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
            _ => SPACE.aside,
        };
        let Some(direction) = row_direction::after(direction, command) else { continue };
        for choice in phrases.choices(node, command) {
            let to = (direction * phrases.nodes() + usize::from(choice.next)) as u32;
            moves.push(SpaceMove { to, gain: phrases.gain(choice.next) as f32, cost });
        }
    }
    moves
}
