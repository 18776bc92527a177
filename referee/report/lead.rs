//! Result in plain words: a few sentences before all statistics.

use super::results::Results;
use super::summary::{PlayerSummary, Status, Summary};
use super::table::{plain_result, standing, ENOUGH};
use super::{counted, rounded};
use crate::escape::escape;
use crate::statistics::plackett_luce::ratings;
use arbitre_games::text::join;

/// Likelihood of superiority from which a player is called stronger: that of a 95 % interval with
/// zero at its end.
const CERTAIN: f64 = 0.975;
/// Largest number of players whose ratings are compared, as this takes seconds for a thousand. Not
/// tuned.
const MOST_RATED: usize = 200;
/// Number of names that a sentence lists. Not tuned.
const MOST_NAMES: usize = 3;

/// Returns the result as sentences, safe on a terminal.
pub fn sentences(results: &Results) -> Vec<String> {
    let summary = &results.summary;
    if summary.games == 0 {
        return [Some("No game was played yet.".into()), broken(summary)]
            .into_iter()
            .flatten()
            .collect();
    }
    let result = match &summary.players[..] {
        [one, other] if summary.seats == 2 && summary.bracket.is_none() => {
            of_two(summary, one, other)
        }
        _ => of_field(results),
    };
    let test = summary
        .sprt
        .as_ref()
        .map(standing)
        .map(|line| line.lines().next().unwrap_or_default().to_owned());
    [result, test, broken(summary)].into_iter().flatten().collect()
}

/// Describes a match of two players.
fn of_two(summary: &Summary, one: &PlayerSummary, other: &PlayerSummary) -> Option<String> {
    let result = plain_result(summary)?;
    let stronger = match summary.los {
        _ if summary.games < ENOUGH => "These are too few games to tell which is stronger.".into(),
        Some(los) if los >= CERTAIN => format!("{} is stronger.", escape(&one.name)),
        Some(los) if los <= 1.0 - CERTAIN => format!("{} is stronger.", escape(&other.name)),
        _ => "That is too close to tell which is stronger.".into(),
    };
    Some(format!("{result}. {stronger}"))
}

/// Describes the first ranks of more players, or of solo games.
fn of_field(results: &Results) -> Option<String> {
    let summary = &results.summary;
    if let Some(bracket) = &summary.bracket {
        let winner = escape(&summary.players[bracket.winner?].name);
        return Some(format!("{winner} won the tournament."));
    }
    let ranked = |rank: usize| summary.players.iter().filter(move |of| of.rank == Some(rank));
    let first: Vec<&PlayerSummary> = ranked(1).collect();
    let best = first.first()?;
    if best.games == 0 {
        return None;
    }
    let result = match (&best.solo, best.mark_text()) {
        (Some(solo), _) if solo.solved == 0 => return Some("No player solved a game.".into()),
        (Some(solo), _) => format!("{} of {} solved", solo.solved, counted(best.games, "game")),
        (None, Some(mark)) => format!("mark {mark} of 20"),
        (None, None) => {
            let percent = best.percent.map_or(String::new(), |percent| format!(", {percent:.0} %"));
            let games = counted(best.games, "game");
            let byes = if best.has_bye_points() { ", with those of byes," } else { "" };
            format!("{} points{byes} in {games}{percent}", rounded(best.points, 1))
        }
    };
    let verb = match (summary.complete, first.len()) {
        (_, 2..) => "share the first rank",
        (true, _) => "is first",
        (false, _) => "leads",
    };
    let names = listed(first.iter().map(|of| &of.name[..]));
    let chance = match first.len() {
        1 => ranked(2).next().and_then(|second| chance(results, best, second)).unwrap_or_default(),
        _ => String::new(),
    };
    Some(format!("{names} {verb}: {result}.{chance}"))
}

/// Says whether the lead over the second is more than chance, if both have enough games.
fn chance(results: &Results, best: &PlayerSummary, second: &PlayerSummary) -> Option<String> {
    let players = &results.summary.players;
    if best.games.min(second.games) < ENOUGH || players.len() > MOST_RATED {
        return None;
    }
    let number = |of: &PlayerSummary| players.iter().position(|player| player.name == of.name);
    let (one, other) = number(best).zip(number(second))?;
    let ratings = ratings(&results.tally.rankings, players.len());
    let second = escape(&second.name);
    Some(match ratings.superiority(one, other) >= CERTAIN {
        true => format!(" Its lead over {second} is more than chance."),
        false => format!(" Its lead over {second} may be chance."),
    })
}

/// Names the number of the players that could not be started or built.
fn broken(summary: &Summary) -> Option<String> {
    let is_broken = |of: &&PlayerSummary| of.status == Some(Status::NotStarted);
    let broken: Vec<&PlayerSummary> = summary.players.iter().filter(is_broken).collect();
    let names = listed(broken.iter().map(|of| &of.name[..]));
    match broken.len() {
        0 => None,
        _ => Some(format!("{names} could not be started.")),
    }
}

/// Returns names as a list: `ada, bea and cleo`, or `ada, bea and 5 others`.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let shown = if count > MOST_NAMES { MOST_NAMES - 1 } else { count };
    let mut names: Vec<String> = names.take(shown).map(escape).collect();
    if count > shown {
        names.push(format!("{} others", count - shown));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", join(others, ", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_at_most_three() {
        for (count, expected) in
            [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c"), (4, "a, b and 2 others")]
        {
            assert_eq!(listed(["a", "b", "c", "d"][..count].iter().copied()), expected);
        }
    }
}
