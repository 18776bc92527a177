//! Programs that are equal, of which none may be better for its name or its place in the list.

use crate::tournament::harness::{player, Folder};
use serde_json::Value;

const NAMES: [&str; 8] = ["ada", "bea", "cleo", "dan", "eve", "finn", "gil", "hal"];
/// Seeds of the tournaments.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=20;
/// Value above which the chi-square distribution with seven degrees of freedom has 1 %.
const CHI_SQUARE: f64 = 18.475;
/// Fewest of 160 intervals of 95 % that must have the true value. 152 are expected, and their
/// deviation is 2.8.
const FEWEST: usize = 149;

/// Returns the statistic of Friedman's test for the ranks of the players in each tournament.
fn friedman(ranks: &[Vec<f64>]) -> f64 {
    let (count, players) = (ranks.len() as f64, NAMES.len() as f64);
    let mean = (players + 1.0) / 2.0;
    let apart = |player: usize| {
        let sum: f64 = ranks.iter().map(|of| of[player]).sum();
        (sum / count - mean).powi(2)
    };
    let squares: f64 = (0..NAMES.len()).map(apart).sum();
    12.0 * count / (players * (players + 1.0)) * squares
}

/// Returns the ranks of these values from the greatest on, counted from 1; the mean for equal ones.
fn ranks_of(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let above = values.iter().filter(|other| *other > value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        above + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[test]
fn equal_programs_are_equal_by_their_results() {
    let folder = Folder::new("equal");
    folder.cup("", &NAMES.map(|name| (name, "awele random")));
    let (mut ranks, mut holding) = (Vec::new(), 0);
    for seed in SEEDS {
        let standings = folder.standings(&["--seed", &seed.to_string(), "--db", ":memory:"]);
        let number = |name: &str, key: &str| -> f64 {
            let value: &Value = &player(&standings, name)[key];
            value.as_f64().expect("each player is rated")
        };
        ranks.push(ranks_of(&NAMES.map(|name| number(name, "points"))));
        let holds = |name: &&&str| number(name, "rating").abs() <= number(name, "error");
        holding += NAMES.iter().filter(holds).count();
    }
    let statistic = friedman(&ranks);
    println!("chi-square {statistic:.2}, {holding} of 160 intervals have the true value");
    assert!(statistic < CHI_SQUARE, "chi-square {statistic:.2}: {ranks:?}");
    assert!(holding >= FEWEST, "{holding} of 160 intervals");
}
