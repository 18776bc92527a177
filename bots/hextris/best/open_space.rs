//! Open space, where a row down has its price: what phrases bring there, and what each beginning of
//! a phrase is worth.
//!
//! A unit on its way down gains what phrases bring and pays for rows. At the right price the best
//! way gains nothing in the long run; what a node of the automaton then gains above the root is its
//! value. The price is found as the ratio of points to rows of the best way at the last price (W.
//! Dinkelbach, "On nonlinear fractional programming", 1967).

use crate::hextris::row_direction::{self, DIRECTIONS};
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases};

/// What a step aside and a turn cost, where a row down costs one: the border is somewhere.
const ASIDE: f32 = 0.125;
/// The price to begin with, and the least.
const PRICES: (f32, f32) = (4.0, 0.1);
const ROUNDS: usize = 3;
/// Letters searched ahead: for each letter of the longest phrase, and in addition.
const AHEAD: (usize, usize) = (2, 64);
/// Letters of the path whose ratio is the next price.
const LETTERS: usize = 1000;
/// So many moves are looked at for a price at most: phrases may be long and many.
const MOST_MOVES: usize = 10_000_000;

/// Open space without an end.
pub struct OpenSpace {
    /// By way and node.
    moves: Vec<Vec<SpaceMove>>,
    /// What is gained from there on at a price.
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
    /// For units that turn or for others, where all phrases were used before.
    pub fn new(phrases: &Phrases, can_turn: bool) -> OpenSpace {
        let states = DIRECTIONS * phrases.nodes();
        let moves = (0..states).map(|state| moves(phrases, can_turn, state)).collect();
        let longest = phrases.texts().iter().map(String::len).max().unwrap_or(0);
        OpenSpace { moves, values: vec![0.0; states], longest }
    }

    /// By way and node, the points that it is worth above the root.
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

    fn settle(&mut self, price: f32) {
        self.values.fill(0.0);
        let moves: usize = self.moves.iter().map(Vec::len).sum();
        let ahead = (AHEAD.0 * self.longest + AHEAD.1).min(MOST_MOVES / moves);
        for _ in 0..ahead {
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

    /// Points to a row on the best way from the root.
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
