//! Tricks: three players hold hidden cards, and play one each at once. The highest takes the trick.
//! There are fifteen cards from 1 to 15, five for each player. A move is the number of a card.

mod arbitre_rules;

use arbitre_rules::{serve, Random, Rules};

#[derive(Default)]
struct Tricks {
    hands: [Vec<u32>; 3],
    points: [i64; 3],
    /// Card that each seat has played to this trick.
    table: [Option<u32>; 3],
    gone: [bool; 3],
}

impl Tricks {
    fn here(&self) -> impl Iterator<Item = usize> + '_ {
        (0..3).filter(|&seat| !self.gone[seat])
    }

    fn end_trick(&mut self) {
        if self.here().all(|seat| self.table[seat].is_some()) {
            if let Some(best) = (0..3).max_by_key(|&seat| self.table[seat]) {
                self.points[best] += 1;
            }
            self.table = [None; 3];
        }
    }
}

impl Rules for Tricks {
    const NAME: &'static str = "tricks";
    const TITLE: &'static str = "Tricks";
    const SEATS: (usize, usize) = (3, 3);

    fn setup(&self, _seats: usize, _number: usize, random: &mut Random) -> Option<String> {
        let mut cards: Vec<usize> = (1..=15).collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, random.below(last + 1));
        }
        Some(cards.iter().map(usize::to_string).collect::<Vec<_>>().join(" "))
    }

    fn start(&mut self, _seats: usize, setup: &str) -> bool {
        let cards: Vec<u32> = setup.split(' ').filter_map(|card| card.parse().ok()).collect();
        let mut sorted = cards.clone();
        sorted.sort_unstable();
        *self = Tricks::default();
        for (number, &card) in cards.iter().enumerate() {
            self.hands[number % 3].push(card);
        }
        self.hands.iter_mut().for_each(|hand| hand.sort_unstable());
        sorted == (1..=15).collect::<Vec<_>>()
    }

    fn turn(&self) -> Vec<usize> {
        if self.here().count() < 2 {
            return Vec::new();
        }
        let is_to_move = |&seat: &usize| self.table[seat].is_none() && !self.hands[seat].is_empty();
        self.here().filter(is_to_move).collect()
    }

    fn scores(&self) -> Vec<i64> {
        self.points.to_vec()
    }

    fn legal(&self, seat: usize) -> Vec<String> {
        self.hands[seat].iter().map(u32::to_string).collect()
    }

    fn play(&mut self, seat: usize, mv: &str) {
        let card = mv.parse().expect("legal moves are numbers");
        self.hands[seat].retain(|other| *other != card);
        self.table[seat] = Some(card);
        self.end_trick();
    }

    fn state(&self, seat: usize) -> String {
        let [a, b, c] = self.points;
        let hand = self.legal(seat).join(" ");
        format!("points {a} {b} {c} hand {}", if hand.is_empty() { "-" } else { &hand })
    }

    fn out(&mut self, seats: &[usize]) {
        seats.iter().for_each(|&seat| self.gone[seat] = true);
        if self.table.iter().any(Option::is_some) {
            self.end_trick();
        }
    }

    fn hides(&self, seat: usize, mv: &str) -> bool {
        self.table[seat].is_some_and(|card| card.to_string() == mv)
    }
}

fn main() -> std::io::Result<()> {
    serve(Tricks::default())
}
