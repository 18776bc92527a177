//! Page of a match for a projector: ranks or the bracket in large type, and the last game.
//! `referee/report/web/projector.js` draws it.

use super::anonymity::{hide_texts, Anonymity};
use super::bracket::{self, BracketDocument};
use super::match_page::title;
use super::page;
use super::replay::ReplayDocument;
use super::results::{summarise, Summarised};
use super::standings::status;
use super::summary::{PlayerSummary, Summary};
use super::{counted, rounded};
use crate::config::format::FormatKind;
use crate::config::Contest;
use crate::failure::Failure;
use crate::play::viewer::Viewer;
use crate::store::{Archive, Versions};
use arbitre_games::text::join;
use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Format of the document.
const FORMAT: u32 = 1;
/// Number of players with their ranks.
const TOP: usize = 10;
/// Number of players that are listed before the first game. Not tuned.
const LISTED: usize = 40;
/// Time over which gained places are counted. Not tuned.
const SPAN: Duration = Duration::from_secs(60);

/// Document of the page.
#[derive(Serialize)]
struct ProjectorDocument<'a> {
    format: u32,
    title: String,
    /// Format, round and number of games, as parts of a line.
    progress: Vec<String>,
    state: State,
    /// Head of the results.
    measure: &'static str,
    players: Vec<PlayerDocument<'a>>,
    /// Number of players below those.
    left_out: usize,
    bracket: Option<BracketDocument<'a>>,
    /// Game that began last, of those that are over.
    game: Option<ReplayDocument<'a>>,
}

/// State of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// Games are played. The page loads itself again.
    Live,
    /// All games were played.
    Over,
    /// Games are missing, and the page is not renewed.
    Stopped,
}

#[derive(Serialize)]
struct PlayerDocument<'a> {
    name: &'a str,
    #[serde(flatten)]
    standing: Standing,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Standing {
    Ranked {
        rank: usize,
        value: String,
        /// Places gained within [`SPAN`], or lost if negative.
        gained: i64,
    },
    Unranked {
        why: &'static str,
    },
}

/// Result by which players are compared on the page: the one that decides their ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    Mark,
    Solved,
    Points,
    Rating,
    /// Share of the points of its games.
    Share,
}

impl Measure {
    fn of(config: &Contest) -> Measure {
        match config.format.kind() {
            FormatKind::Graded => Measure::Mark,
            _ if config.seats == 1 => Measure::Solved,
            FormatKind::Ladder => Measure::Rating,
            FormatKind::Gauntlet | FormatKind::Balanced => Measure::Share,
            FormatKind::RoundRobin if config.tournament().is_none() => Measure::Share,
            FormatKind::RoundRobin
            | FormatKind::Swiss
            | FormatKind::Knockout
            | FormatKind::DoubleKnockout => Measure::Points,
        }
    }

    fn head(self) -> &'static str {
        match self {
            Measure::Mark => "mark of 20",
            Measure::Solved => "solved, total",
            Measure::Points => "points",
            Measure::Rating => "Elo",
            Measure::Share => "% of the points",
        }
    }

    /// Returns the result of a player that has a game; `None` if the games do not determine it.
    fn text(self, player: &PlayerSummary) -> Option<String> {
        Some(match self {
            Measure::Mark => player.mark_text()?,
            Measure::Solved => {
                let solo = player.solo?;
                format!("{} of {}, {}", solo.solved, player.games, solo.total)
            }
            Measure::Points => rounded(player.points, 2).to_string(),
            Measure::Rating => format!("{:+.0}", player.rating?),
            Measure::Share => format!("{:.1} %", player.percent?),
        })
    }
}

/// Ranks of the pages of the last minute. The referee keeps them, as some browsers keep nothing for
/// a file that they load again.
pub struct Looks {
    /// Time over which gained places are counted.
    span: Duration,
    pages: VecDeque<(Instant, Ranks)>,
}

/// Ranks by name.
pub type Ranks = HashMap<String, usize>;

impl Default for Looks {
    fn default() -> Looks {
        Looks::over(SPAN)
    }
}

impl Looks {
    /// Creates looks by which gained places are counted over `span`.
    pub fn over(span: Duration) -> Looks {
        Looks { span, pages: VecDeque::new() }
    }

    /// Adds the ranks of a page, and returns those a span before, or those of the first page.
    pub fn add(&mut self, now: Instant, ranks: Ranks) -> &Ranks {
        // Before the first game there is nothing to compare with.
        if self.pages.iter().all(|(_, ranks)| ranks.is_empty()) {
            self.pages.clear();
        }
        self.pages.push_back((now, ranks));
        while self.pages.get(1).is_some_and(|(then, _)| now.duration_since(*then) >= self.span) {
            self.pages.pop_front();
        }
        &self.pages[0].1
    }
}

/// Returns the page of a match, of which `looks` has the pages before. `is_live` says whether it
/// will be written again.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn of(
    archive: &Archive,
    (versions, is_anonymous): (Versions, bool),
    viewer: &Viewer,
    is_live: bool,
    looks: &mut Looks,
) -> Result<String, Failure> {
    let mut view = archive.view(versions);
    let mut last = None;
    let mut found = summarise(archive, &view, &mut |result, _| {
        last = result.outcome.and(result.number).or(last);
    })?;
    let record = last.map(|number| archive.game(number, &view)).transpose()?.flatten();
    let mut record = record.map(|(record, _)| record);
    if is_anonymous {
        let anonymity = Anonymity::of(&view.config);
        anonymity.hide_players(&mut view.config);
        anonymity.hide_summary(&mut found.summary);
    }
    if let Some(record) = &mut record {
        // The page shows none of these texts, and would be large with them.
        hide_texts(record, None);
    }
    let summary = &found.summary;
    let state = match (is_live, summary.complete) {
        (true, _) => State::Live,
        (false, true) => State::Over,
        (false, false) => State::Stopped,
    };
    let players = standings(summary, &view.config, looks, state);
    let shown = if summary.games == 0 { LISTED } else { TOP };
    let document = ProjectorDocument {
        format: FORMAT,
        title: title(&view.config),
        progress: progress(&found, &view.config),
        state,
        measure: Measure::of(&view.config).head(),
        left_out: players.len().saturating_sub(shown),
        players: players.into_iter().take(shown).collect(),
        bracket: bracket::document(summary),
        // The rules may have changed since the game was played.
        game: record
            .as_ref()
            .and_then(|record| ReplayDocument::new(record, &view.config, &*viewer.of(record)).ok()),
    };
    Ok(page::of_projector(&document.title, page::packed(&document)))
}

/// Returns all players, those with a rank first. Ranks are counted among the players that have one:
/// before its first game a player has none.
fn standings<'a>(
    summary: &'a Summary,
    config: &Contest,
    looks: &mut Looks,
    state: State,
) -> Vec<PlayerDocument<'a>> {
    let measure = Measure::of(config);
    // The points of a bye are points, too.
    let has_begun = |of: &PlayerSummary| of.games > 0 || of.points > 0.0;
    let value = |of: &PlayerSummary| measure.text(of).filter(|_| has_begun(of));
    let ranked = summary.players.iter().filter(|of| value(of).is_some());
    let ranks: Vec<usize> = ranked.filter_map(|of| of.rank).collect();
    let rank = |of: &PlayerSummary| {
        let own = of.rank.filter(|_| value(of).is_some())?;
        Some(1 + ranks.iter().filter(|rank| **rank < own).count())
    };
    let now = summary.players.iter().filter_map(|of| Some((of.name.clone(), rank(of)?)));
    let before = looks.add(Instant::now(), now.collect());
    let standing = |of: &PlayerSummary| match (rank(of), value(of)) {
        (Some(rank), Some(value)) => {
            // The last page stays, and its arrows would.
            let then = before.get(&of.name).filter(|_| state == State::Live);
            let gained = then.map_or(0, |then| *then as i64 - rank as i64);
            Standing::Ranked { rank, value, gained }
        }
        _ => Standing::Unranked {
            why: match of.status {
                Some(_) => status(of),
                None if of.not_started.is_some() => "not-started",
                None if has_begun(of) => "no result yet",
                None => "no game yet",
            },
        },
    };
    let players = summary.in_order().into_iter();
    let mut players: Vec<PlayerDocument> =
        players.map(|of| PlayerDocument { name: &of.name, standing: standing(of) }).collect();
    players.sort_by_key(|of| matches!(of.standing, Standing::Unranked { .. }));
    players
}

/// Returns the format, the round and the number of games.
fn progress(found: &Summarised, config: &Contest) -> Vec<String> {
    let Summarised { summary, asked, stages, .. } = found;
    let mut parts = vec![config.format_text()];
    let round = match (&summary.bracket, config.format.kind()) {
        (Some(bracket), _) => bracket.rounds.len(),
        (None, FormatKind::Swiss) => *stages,
        (None, _) => 0,
    };
    if round > 0 {
        parts.push(format!("round {round}"));
    }
    let games = summary.games;
    let may_end_before = config.evidence().is_some() || config.format.kind() == FormatKind::Ladder;
    parts.push(if games == 0 {
        "no game yet".into()
    } else if summary.complete || summary.bracket.is_some() {
        // Absent players and tie-breaks change the number of games of a knockout.
        counted(games, "game")
    } else if may_end_before {
        format!("{games} of at most {}", counted(*asked, "game"))
    } else {
        format!("{games} of {}", counted(*asked, "game"))
    });
    if let Some(test) = &summary.sprt {
        parts.push(join([test.llr(), test.decision()], ", "));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_gained_since_a_minute_ago() {
        let begun = Instant::now();
        let mut looks = Looks::default();
        let mut then = |seconds, rank| {
            let ranks = [("ada".to_owned(), rank)].into();
            looks.add(begun + Duration::from_secs(seconds), ranks)["ada"]
        };
        assert_eq!(then(0, 9), 9, "the first page");
        assert_eq!(then(2, 8), 9);
        assert_eq!(then(59, 7), 9, "no page is a minute old");
        assert_eq!(then(60, 6), 9);
        assert_eq!(then(62, 5), 8, "a minute ago");
        assert_eq!(then(1000, 4), 5, "the last one that is a minute old");
        assert_eq!(looks.pages.len(), 2);
    }
}
