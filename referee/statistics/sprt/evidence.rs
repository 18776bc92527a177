//! Pairs of games as a sequential test counts them.
//!
//! Programs without chance repeat their games where an opening is used again. Such a pair says
//! nothing new, and a test that counts it errs more often than asked. Programs with chance repeat
//! some short games, too, but there every pair counts: without repeats, a frequent game would
//! weigh no more than a rare one. The share of equal pairs on the same opening separates the two.

use crate::statistics::rating::{HalfPoints, Pairs};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Least number of pairs in a row, none of which is new, after which the openings have run out. A
/// longer list is played from beginning to end. Not tuned.
pub const LEAST_PASS: u64 = 16;

/// Share of equal pairs among those on the same opening from which programs seem to play without
/// chance. Bots that look at the clock differ in some games. A game of chance with 44 % of equal
/// pairs was simulated in 1,500 tests. With 0.5, 415 of them ran out of openings; with 0.75, 2 did
/// (`repeats_of_programs_with_chance_leave_the_error_rates`, 2026-11-28).
const REPETITIVE: f64 = 0.75;

/// Pairs that count where programs without chance play an opening again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repeats {
    /// Each distinct pair.
    Once,
    /// Every pair.
    All,
}

impl Repeats {
    /// Words of an option.
    pub const WORDS: [(&str, Repeats); 2] = [("once", Repeats::Once), ("all", Repeats::All)];
}

/// Opening and moves of a game, as hashes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameText {
    opening: u64,
    moves: u64,
}

impl GameText {
    /// Creates the text of a game from its setup and its fingerprint.
    pub fn new(setup: &str, fingerprint: u64) -> GameText {
        let mut hasher = DefaultHasher::new();
        setup.hash(&mut hasher);
        GameText { opening: hasher.finish(), moves: fingerprint }
    }
}

/// Two games of a round in which the players exchange their seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedPair {
    /// Round of the games.
    pub round: u64,
    /// The games; the first player has the first seat in the first of them.
    pub games: [GameText; 2],
    /// Half points of the first player in each game.
    pub half_points: [HalfPoints; 2],
}

/// Pairs of games of a test. The order in which they are added does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    all: Pairs,
    /// Pairs without those that equal another one.
    distinct: Pairs,
    plays: HashMap<[GameText; 2], Plays>,
    /// Number of pairs of each opening.
    openings: HashMap<u64, u64>,
    /// Number of ways to choose two pairs of the same opening.
    comparisons: u64,
    /// Number of these in which the pairs are equal.
    equal: u64,
    /// Rounds of the pairs.
    rounds: BTreeSet<u64>,
    /// Length of the list of openings, which may have equal lines; 0 for drawn ones.
    listed: u64,
    /// First games of rounds whose second is missing, by round: see [`Evidence::add_game`].
    waiting: HashMap<u64, (usize, GameText, HalfPoints)>,
    /// Rounds of a batch, if a test ends after whole batches only.
    batch: Option<u64>,
}

/// Equal pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Plays {
    count: u64,
    first_round: u64,
}

impl Evidence {
    /// Creates evidence without pairs, on a list of `listed` openings; 0 for drawn ones.
    pub fn of_list(listed: u64) -> Evidence {
        Evidence { listed, ..Evidence::default() }
    }

    /// Ends a test only after whole batches of this number of rounds, if there is one.
    pub fn in_batches(self, batch: Option<u64>) -> Evidence {
        Evidence { batch, ..self }
    }

    /// Returns `true` if all batches of rounds are whole.
    pub fn has_whole_batches(&self) -> bool {
        let is_whole = |batch: u64| (self.rounds.len() as u64).is_multiple_of(batch);
        self.batch.is_none_or(|batch| self.waiting.is_empty() && is_whole(batch))
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: PlayedPair) {
        let [one, other] = pair.half_points;
        self.all.add(one, other);
        let of_opening = self.openings.entry(pair.games[0].opening).or_default();
        self.comparisons += *of_opening;
        *of_opening += 1;
        self.rounds.insert(pair.round);
        let new = Plays { count: 0, first_round: pair.round };
        let plays = self.plays.entry(pair.games).or_insert(new);
        if plays.count == 0 {
            self.distinct.add(one, other);
        }
        self.equal += plays.count;
        plays.count += 1;
        plays.first_round = plays.first_round.min(pair.round);
    }

    /// Adds a game of a round. The pair counts when both of its games are there. The first player
    /// has the seat `seat`, from 0.
    pub fn add_game(&mut self, round: u64, seat: usize, text: GameText, half_points: HalfPoints) {
        let Some((other_seat, other_text, other_points)) = self.waiting.remove(&round) else {
            self.waiting.insert(round, (seat, text, half_points));
            return;
        };
        let (mut games, mut points) = ([text, other_text], [half_points, other_points]);
        if other_seat < seat {
            (games, points) = ([other_text, text], [other_points, half_points]);
        }
        self.add(PlayedPair { round, games, half_points: points });
    }

    /// Returns the pairs that count.
    pub fn pairs(&self, repeats: Repeats) -> &Pairs {
        match repeats {
            Repeats::Once if self.is_repetitive() => &self.distinct,
            Repeats::Once | Repeats::All => &self.all,
        }
    }

    /// Returns the number of pairs that do not count, because they equal another one.
    pub fn left_out(&self, repeats: Repeats) -> u64 {
        self.all.count() - self.pairs(repeats).count()
    }

    /// Returns `true` if the programs repeat their games, and no pair of the last pass through the
    /// openings is new.
    pub fn has_run_out(&self, repeats: Repeats) -> bool {
        let pass = LEAST_PASS.max(self.openings.len() as u64).max(self.listed);
        // Cheap, and false for most games of a test.
        if self.left_out(repeats) < pass {
            return false;
        }
        let last_new = self.plays.values().map(|plays| plays.first_round).max();
        last_new.is_some_and(|round| self.rounds.range(round + 1..).count() as u64 >= pass)
    }

    /// Returns `true` if at least [`REPETITIVE`] of two pairs on the same opening are equal.
    fn is_repetitive(&self) -> bool {
        self.equal > 0 && self.equal as f64 >= REPETITIVE * self.comparisons as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::sprt::Sprt;
    use arbitre_games::rng::Rng;

    fn pair(round: u64, opening: u64, moves: u64, half_points: [HalfPoints; 2]) -> PlayedPair {
        let text = |seat| GameText { opening, moves: 2 * moves + seat };
        PlayedPair { round, games: [0, 1].map(text), half_points }
    }

    /// Plays rounds on a list of openings. `moves` returns the moves of a pair.
    fn play(openings: u64, rounds: u64, mut moves: impl FnMut(u64) -> u64) -> Evidence {
        let mut evidence = Evidence::default();
        for round in 0..rounds {
            let moves = moves(round);
            evidence.add(pair(round, round % openings, moves, [2, (moves % 3) as HalfPoints]));
        }
        evidence
    }

    #[test]
    fn repeats_of_programs_without_chance_count_once() {
        let evidence = play(30, 75, |round| round % 30);
        assert_eq!(evidence.pairs(Repeats::Once).count(), 30);
        assert_eq!(evidence.pairs(Repeats::All).count(), 75);
        assert_eq!((evidence.left_out(Repeats::Once), evidence.left_out(Repeats::All)), (45, 0));
        let first = play(30, 30, |round| round % 30);
        assert_eq!(evidence.pairs(Repeats::Once), first.pairs(Repeats::All));
    }

    /// Two equal pairs of six: a game of chance that is repeated sometimes.
    #[test]
    fn pairs_of_programs_with_chance_all_count() {
        let mut rng = Rng::new(1);
        let evidence = play(4, 400, |_| rng.below(6) as u64);
        assert_eq!(evidence.pairs(Repeats::Once).count(), 400);
        assert!(!evidence.has_run_out(Repeats::Once));
    }

    #[test]
    fn openings_run_out_after_a_pass_without_a_new_pair() {
        for (openings, pass) in [(1, LEAST_PASS), (5, LEAST_PASS), (40, 40)] {
            let has_run_out = |rounds| {
                play(openings, rounds, |round| round % openings).has_run_out(Repeats::Once)
            };
            let end = openings + pass;
            assert!(!has_run_out(end - 1) && has_run_out(end), "{openings} openings");
            let all = play(openings, end, |round| round % openings);
            assert!(!all.has_run_out(Repeats::All), "every pair counts");
        }
        // A new game in the second pass begins another one.
        let late = |round| if round == 60 { 99 } else { round % 40 };
        assert!(!play(40, 100, late).has_run_out(Repeats::Once));
        assert!(play(40, 101, late).has_run_out(Repeats::Once));
    }

    /// Equal lines at the head of a list, and rounds that are not rated, end no test early.
    #[test]
    fn whole_list_is_played_before_it_has_run_out() {
        let has_run_out = |rounds: &mut dyn Iterator<Item = u64>| {
            let mut evidence = Evidence::of_list(40);
            for round in rounds {
                // The first 30 lines are one opening.
                let opening = (round % 40).saturating_sub(29);
                evidence.add(pair(round, opening, opening, [1, 1]));
            }
            evidence.has_run_out(Repeats::Once)
        };
        assert!(!has_run_out(&mut (0..30)) && !has_run_out(&mut (0..79)));
        assert!(has_run_out(&mut (0..80)));
        let is_rated = |round: &u64| !(32..40).contains(round);
        assert!(!has_run_out(&mut (0..79).filter(is_rated)), "lines 32 to 39 come at last");
    }

    #[test]
    fn test_in_batches_ends_after_a_whole_one() {
        let sprt = Sprt::parse("elo1=40,batch=16").unwrap();
        let mut evidence = Evidence::default().in_batches(sprt.batch());
        let mut free = Evidence::default();
        let mut ends = [None, None];
        for round in 0..200 {
            for seat in 0..2 {
                let text = GameText { opening: round, moves: seat as u64 };
                for (end, evidence) in ends.iter_mut().zip([&mut evidence, &mut free]) {
                    if end.is_none() {
                        evidence.add_game(round, seat, text, 2);
                        *end = sprt.end(evidence).map(|_| 2 * round + seat as u64 + 1);
                    }
                }
            }
        }
        let [in_batches, free] = ends.map(Option::unwrap);
        assert!(free % 32 != 0, "the case distinguishes: {free}");
        assert_eq!(in_batches, free.next_multiple_of(32));
    }

    #[test]
    fn order_does_not_matter() {
        let mut rng = Rng::new(2);
        for openings in [1, 3, 20] {
            let moves = |round: u64| if round.is_multiple_of(7) { round } else { round % openings };
            let mut pairs: Vec<PlayedPair> =
                (0..60).map(|round| pair(round, round % openings, moves(round), [1, 1])).collect();
            let of = |pairs: &[PlayedPair]| {
                let mut evidence = Evidence::default();
                pairs.iter().for_each(|pair| evidence.add(*pair));
                evidence
            };
            let expected = of(&pairs);
            for _ in 0..5 {
                rng.shuffle(&mut pairs);
                assert_eq!(of(&pairs), expected);
            }
        }
    }

    #[test]
    fn games_of_a_round_form_a_pair_in_either_order() {
        let texts = [("a", 1), ("a", 2)].map(|(setup, moves)| GameText::new(setup, moves));
        let mut expected = Evidence::default();
        expected.add(PlayedPair { round: 3, games: texts, half_points: [2, 0] });
        for order in [[0, 1], [1, 0]] {
            let mut evidence = Evidence::default();
            for seat in order {
                assert_eq!(evidence.pairs(Repeats::Once).count(), 0);
                evidence.add_game(3, seat, texts[seat], [2, 0][seat]);
            }
            assert_eq!(evidence, expected);
        }
    }
}
