//! Charts of a match.

use super::results::Results;
use super::rounded;
use super::summary::PlayerSummary;
use crate::chart::{self, Place, RatingRow, Svg, TimeRow};
use crate::config::PlayerConfig;

/// Largest number of players in a chart of the page, those of the first ranks. Not tuned.
const MOST_ROWS: usize = 64;

/// Returns the ratings with their intervals, the first rank first.
pub fn ratings(results: &Results, place: Place) -> Svg {
    let players = ranked(results).map(|player| &results.summary.players[player]);
    let row = |player: &PlayerSummary| {
        let (value, error) = player.rating.zip(player.rating_error)?;
        let note = format!("{} points in {} games", rounded(player.points, 2), player.games);
        Some(RatingRow { name: player.name.clone(), value, error, note })
    };
    chart::ratings(&players.filter_map(row).collect::<Vec<_>>(), place)
}

/// Returns the numbers of moves of the games.
pub fn lengths(results: &Results, place: Place) -> Svg {
    chart::histogram(["moves", "games"], results.games.iter().map(|game| (game.moves, 1)), place)
}

/// Returns the times per move of each player.
pub fn times(results: &Results, place: Place) -> Svg {
    let limit = |player: &PlayerConfig| player.limits.clock.per_move;
    let row = |player: usize| TimeRow {
        name: results.summary.players[player].name.clone(),
        times: &results.tally.players[player].times,
        limit: limit(&results.view.config.players[player]),
    };
    let rows = ranked(results).map(row).filter(|row| !row.times.is_empty());
    chart::times(&rows.collect::<Vec<_>>(), place)
}

/// Returns the points of the players against each other.
pub fn cross_table(results: &Results) -> Svg {
    let order = results.summary.order();
    let names: Vec<String> =
        order.iter().map(|&player| results.summary.players[player].name.clone()).collect();
    let meetings = results.meetings();
    chart::cross_table(&names, |row, column| meetings(order[row], order[column]))
}

fn ranked(results: &Results) -> impl Iterator<Item = usize> {
    results.summary.order().into_iter().take(MOST_ROWS)
}
