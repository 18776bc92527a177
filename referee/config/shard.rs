//! Part of a match that one machine of several plays.

use arbitre_games::game::ParseError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Largest number of shards. Not tuned.
const MOST: u64 = 1_000_000;

/// One of several parts of a match, which together have each of its games once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Number of this part, from 1.
    number: u64,
    /// Number of all parts.
    count: u64,
}

impl Shard {
    /// Parses `K/N`.
    ///
    /// # Errors
    /// Returns an error unless K is one of the numbers from 1 to N.
    pub fn parse(text: &str) -> Result<Shard, ParseError> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            let (number, count) = (number.parse().ok()?, count.parse().ok()?);
            Some(Shard { number, count })
        });
        let is_part = |shard: &Shard| (1..=shard.count.min(MOST)).contains(&shard.number);
        numbers.filter(|shard| is_part(shard) && shard.count <= MOST).ok_or_else(|| {
            ParseError::new(format!("expected K/N such as 3/20, with K from 1 to N, got '{text}'"))
        })
    }

    /// Returns the number of this part, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of all parts.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns `true` if the part has the unit at `index`, where each round has `in_round` units.
    /// Units are dealt to the parts in turn. After each cycle the deal begins one part later:
    /// otherwise a part could have the same pairings in every round.
    pub fn has(self, index: u64, in_round: u64) -> bool {
        let cycle = lcm(in_round, self.count);
        (index % self.count + index / cycle % self.count) % self.count == self.number - 1
    }

    /// Returns how many of the first `units` units the part has.
    pub fn count_of(self, units: u64, in_round: u64) -> u64 {
        let cycle = lcm(in_round, self.count);
        let (cycles, rest) = (units / cycle, units % cycle);
        let first = (self.number - 1 + self.count - cycles % self.count) % self.count;
        let last = if first < rest { (rest - first).div_ceil(self.count) } else { 0 };
        cycles * (cycle / self.count) + last
    }
}

/// Returns the least common multiple; no product of two numbers of games overflows it.
fn lcm(one: u64, other: u64) -> u64 {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (one / a.max(1)).saturating_mul(other).max(1)
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Shard, ParseError> {
        Shard::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_checked() {
        assert_eq!(Shard::parse("3/20").unwrap().to_string(), "3/20");
        for text in ["0/3", "4/3", "1", "1/", "/2", "1/0", "-1/2", "1/1000001", "a/b"] {
            let error = Shard::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("expected K/N such as 3/20"), "{error}");
        }
    }

    /// Every unit has one part, and the parts differ by one unit at most. No part of many rounds
    /// lacks a pairing that others have often.
    #[test]
    fn parts_are_even() {
        for (in_round, rounds, count) in
            [(1, 100, 7), (3, 50, 3), (4, 30, 20), (6, 40, 4), (435, 3, 20), (10, 10, 10)]
        {
            let units = in_round * rounds;
            let parts: Vec<Shard> = (1..=count).map(|number| Shard { number, count }).collect();
            let mut sizes = Vec::new();
            let mut of_group = vec![vec![0; in_round as usize]; count as usize];
            for index in 0..units {
                let mut owners = parts.iter().filter(|part| part.has(index, in_round));
                let owner = owners.next().unwrap();
                assert!(owners.next().is_none());
                of_group[owner.number as usize - 1][(index % in_round) as usize] += 1;
            }
            for (part, groups) in parts.iter().zip(&of_group) {
                let own: u64 = groups.iter().sum();
                assert_eq!(own, part.count_of(units, in_round), "{part} of {in_round} x {rounds}");
                sizes.push(own);
                let most = groups.iter().max().unwrap();
                assert!(most * in_round <= 2 * own + 2 * in_round, "{part}: {groups:?}");
            }
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(most - least <= 1, "{sizes:?}");
        }
    }
}
