//! Standings of a tournament: ranks by the rules of its format, as a document, a table for a
//! gradebook, and Markdown.

use super::bracket::{self, BracketDocument};
use super::columns::{optional, Columns};
use super::json_line;
use super::markdown::cell;
use super::output::{unwritable, write_whole};
use super::rounded;
use super::summary::{PlayerSummary, SprtSummary, Status, Summary};
use super::table::{add_points, time};
use crate::config::csv_dialect::CsvDialect;
use crate::config::Contest;
use crate::failure::Failure;
use crate::formats::graded::rank_by_mark;
use crate::formats::stages::{rankings_of, Stages};
use crate::formats::tested_gauntlet::evidence_of_first;
use crate::formats::{Criterion, Placing};
use crate::player::attempts::in_words;
use crate::statistics::plackett_luce::ratings;
use crate::statistics::ranking::Rankings;
use crate::statistics::tally::Tally;
use arbitre_process::attempts::Attempts;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Basis of the ratings.
const BASIS: &str = "plackett-luce, one virtual draw";

/// Document that `referee tournament --json` prints.
#[derive(Serialize)]
pub struct Standings<'a> {
    name: &'a str,
    game: &'a str,
    rules: &'a str,
    format: &'static str,
    seed: u64,
    complete: bool,
    games: u64,
    standings: Vec<Standing<'a>>,
    /// Rounds of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    bracket: Option<BracketDocument<'a>>,
}

/// Player in the standings.
#[derive(Serialize)]
struct Standing<'a> {
    rank: Option<usize>,
    name: &'a str,
    #[serde(flatten)]
    mark: Option<MarkDocument>,
    points: f64,
    /// Share of the points of its games, in percent.
    percent: Option<f64>,
    games: u64,
    rating: Option<f64>,
    error: Option<f64>,
    basis: &'static str,
    faults: &'a BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Attempts::is_empty")]
    attempts: &'a Attempts,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tie_breaks: &'a BTreeMap<&'static str, f64>,
    /// Test of the first player against this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<&'a SprtSummary>,
    /// Mean time per move in milliseconds.
    ms_per_move: Option<f64>,
}

/// Mark of a player in a graded tournament.
#[derive(Serialize)]
struct MarkDocument {
    /// Mark up to 20; none for a player that is not graded.
    mark: Option<f64>,
    /// Half the width of its 95 % interval.
    mark_error: Option<f64>,
}

impl Summary {
    /// Ranks and rates the players of a tournament by its stages, and adds the tests of its first
    /// player if it has any.
    pub fn rank_by(&mut self, stages: &Stages, config: &Contest) {
        let (history, struck) = stages.results();
        let withdrawn: Vec<usize> = stages.withdrawn().collect();
        if self.seats > 1 {
            self.rate_by(&rankings_of(&history));
        }
        // Solo games rank all players that solved an instance, and have no meetings.
        let marks = stages.marks(&struck);
        let placings = match (&marks, self.seats) {
            (Some(marks), _) => rank_by_mark(&history, marks),
            (None, 1) => self.solo_placings(),
            (None, _) => stages.ranking(&history),
        };
        self.is_graded = marks.is_some();
        let others = (self.seats.saturating_sub(1)).max(1) as f64;
        let references = config.tournament().map_or(&[][..], |of| &of.references);
        let is_reference = |player: usize| references.contains(&config.players[player].name);
        let bots = config.format.fixed_bots();
        let is_bot = |player: usize| bots.iter().any(|of| of.name == config.players[player].name);
        let mark = |player: usize| marks.as_ref().and_then(|marks| marks[player]);
        let is_graded = |player: usize| marks.is_none() || mark(player).is_some();
        let is_ranked =
            |player: usize| !struck.contains(&player) && !is_reference(player) && is_graded(player);
        // Solo games have no place for a player that solved no instance.
        for (number, player) in self.players.iter_mut().enumerate() {
            player.status = match number {
                number if config.has_left(number) && struck.contains(&number) => {
                    Some(Status::Struck)
                }
                number if config.has_left(number) => Some(Status::Withdrawn),
                _ if player.not_started.is_some() => Some(Status::NotStarted),
                number if is_bot(number) => Some(Status::FixedBot),
                number if is_reference(number) => Some(Status::Reference),
                number if struck.contains(&number) => Some(Status::Struck),
                number if withdrawn.contains(&number) => Some(Status::Withdrawn),
                number if stages.is_late(number) => Some(Status::Late),
                _ => None,
            };
            let mark = mark(number);
            player.mark = mark.map(|mark| rounded(mark.value, 3));
            player.mark_error = mark.map(|mark| rounded(mark.error, 3));
        }
        let mut above = 0;
        let mut last: Option<(usize, usize)> = None;
        for placing in &placings {
            let player = &mut self.players[placing.player];
            let started = player.games > 0
                || player.not_started.is_none() && player.status != Some(Status::Late);
            player.rank = (is_ranked(placing.player) && started).then(|| {
                // Players that share a rank in the field share it among the ranked ones too.
                let rank = match last {
                    Some((of_field, rank)) if of_field == placing.rank => rank,
                    _ => above + 1,
                };
                last = Some((placing.rank, rank));
                above += 1;
                rank
            });
            if self.seats > 1 {
                player.points = rounded(placing.half_points as f64 / (2.0 * others), 3);
            }
            // The percent and the ranks are of the same games while a round is played.
            if let Some(&Criterion::Share(won, of)) = placing.criteria.first() {
                player.percent = (of > 0).then(|| rounded(100.0 * won as f64 / of as f64, 2));
            }
            player.tie_breaks = placing.criteria.iter().filter_map(tie_break).collect();
        }
        self.bracket = stages.bracket();
        if let Some(test) = config.format.sprt() {
            let listed = config.openings.listed();
            let evidence = evidence_of_first(stages.complete_stages(), listed);
            let opponents = self.players.iter_mut().zip(&evidence).skip(1);
            opponents.for_each(|(player, of)| player.sprt = Some(SprtSummary::new(test, of)));
        }
    }

    fn rate_by(&mut self, rankings: &Rankings) {
        let ratings = ratings(rankings, self.players.len()).estimates;
        for (player, rating) in self.players.iter_mut().zip(ratings) {
            let of_games = |value| (player.games > 0).then(|| rounded(value, 2));
            (player.rating, player.rating_error) = (of_games(rating.value), of_games(rating.error));
        }
    }

    /// Returns the ranks of solo games as placings.
    fn solo_placings(&self) -> Vec<Placing> {
        let ranked = self.players.iter().enumerate();
        let placing = |(player, of): (usize, &PlayerSummary)| {
            let rank = of.rank?;
            Some(Placing { rank, player, half_points: 0, criteria: Vec::new() })
        };
        let mut placings: Vec<Placing> = ranked.filter_map(placing).collect();
        placings.sort_by_key(|placing| placing.rank);
        placings
    }
}

fn tie_break(criterion: &Criterion) -> Option<(&'static str, f64)> {
    Some(match criterion {
        Criterion::Buchholz(half_points) => ("buchholz", *half_points as f64 / 2.0),
        Criterion::DirectEncounter(half_points) => ("direct-encounter", *half_points as f64 / 2.0),
        Criterion::Rounds(rounds) => ("rounds", *rounds as f64),
        // The table has them already.
        Criterion::Share(..) | Criterion::Rating(_) => return None,
    })
}

/// Returns the word of a player's status.
pub fn status(player: &PlayerSummary) -> &'static str {
    match player.status {
        None => "ranked",
        Some(Status::Reference) => "reference",
        Some(Status::FixedBot) => "fixed-bot",
        Some(Status::Withdrawn) => "withdrawn",
        Some(Status::Struck) => "struck",
        Some(Status::NotStarted) => "not-started",
        Some(Status::Late) => "late",
    }
}

/// Returns the standings as a document.
pub fn document<'a>(summary: &'a Summary, config: &'a Contest) -> Standings<'a> {
    let standing = |player: &'a PlayerSummary| Standing {
        rank: player.rank,
        name: &player.name,
        mark: summary
            .is_graded
            .then_some(MarkDocument { mark: player.mark, mark_error: player.mark_error }),
        points: player.points,
        percent: player.percent,
        games: player.games,
        rating: player.rating,
        error: player.rating_error,
        basis: BASIS,
        faults: &player.faults,
        attempts: &player.attempts,
        status: status(player),
        reason: player.not_started.as_deref(),
        tie_breaks: &player.tie_breaks,
        sprt: player.sprt.as_ref(),
        ms_per_move: player.time_ms.map(|time| time.mean),
    };
    Standings {
        name: config.tournament().map_or("", |of| &of.title),
        game: &summary.game,
        rules: &summary.rules,
        format: config.format.word(),
        seed: summary.seed,
        complete: summary.complete,
        games: summary.games,
        standings: summary.in_order().into_iter().map(standing).collect(),
        bracket: bracket::document(summary),
    }
}

/// Checks that the standings can be written into a file of this name.
///
/// # Errors
/// Returns an error if its extension is not that of a format.
pub fn check_output(path: &Path) -> Result<(), Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("md" | "csv" | "json") => Ok(()),
        _ => Err(Failure::Usage(format!(
            "--output: expected a file .html, .md, .csv or .json, got {}",
            path.display()
        ))),
    }
}

/// Writes the standings into a file, in the format of its extension: `md`, `csv` or `json`. `csv`
/// is the dialect of a CSV file.
///
/// # Errors
/// Returns an error if the extension is another one, or the file cannot be written.
pub fn write(
    path: &Path,
    summary: &Summary,
    config: &Contest,
    tally: &Tally,
    csv: CsvDialect,
) -> Result<(), Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    check_output(path)?;
    let text = match extension {
        Some("md") => markdown(summary, config, tally),
        Some("csv") => grades(summary, csv),
        _ => json_line(&document(summary, config)),
    };
    write_whole(path, &text).map_err(|error| unwritable(path, &error))
}

/// Returns a row per player, for a gradebook.
fn grades(summary: &Summary, csv: CsvDialect) -> String {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| csv.number(value));
    let mut columns = Columns::<PlayerSummary>::default();
    columns.number("rank", |of| of.rank.map_or(String::new(), |rank| rank.to_string()));
    columns.text("name", |of| of.name.clone());
    if summary.is_graded {
        columns.number("mark", |of| number(of.mark));
        columns.number("mark_error", |of| number(of.mark_error));
    }
    columns.number("points", |of| csv.number(of.points));
    columns.number("games", |of| of.games.to_string());
    columns.number("rating", |of| number(of.rating));
    columns.number("error", |of| number(of.rating_error));
    columns.text("faults", PlayerSummary::faults_text);
    columns.text("status", |of| status(of).into());
    columns.text("reason", |of| of.not_started.clone().unwrap_or_default());
    // New columns are added at the end, as sheets may find them by their number.
    columns.text("attempts", |of| in_words(&of.attempts));
    columns.number("percent", |of| number(of.percent));
    columns.csv(summary.in_order(), csv)
}

/// Returns the standings, a cross table and the probabilities of superiority.
fn markdown(summary: &Summary, config: &Contest, tally: &Tally) -> String {
    let title = config.tournament().map_or(&summary.game, |of| &of.title);
    let mut text = format!("# {}\n\n", cell(title));
    let _ = writeln!(
        text,
        "{} games of {} ({}), seed {}.\n",
        summary.games,
        summary.game,
        config.format_text(),
        summary.seed
    );
    let mut columns = Columns::<PlayerSummary>::default();
    columns.number("#", |of| of.rank.map_or(status(of).into(), |rank| rank.to_string()));
    columns.text("player", |of| cell(&of.name));
    add_points(&mut columns, summary);
    columns.number("games", |of| of.games.to_string());
    columns.number("rating", |of| optional(of.rating_text()));
    columns.text("faults", |of| cell(&of.not_started.clone().unwrap_or_else(|| of.faults_text())));
    columns.number("ms/move", |of| time(of, |time| time.mean));
    if summary.players.iter().any(|of| !of.attempts.is_empty()) {
        columns.text("attempts", |of| cell(&in_words(&of.attempts)));
    }
    let order = summary.in_order();
    text += &columns.markdown(order.iter().copied());
    text += &tests(&order);
    text += &bracket::markdown(summary);
    let played: Vec<usize> = order
        .iter()
        .filter(|player| player.games > 0)
        .filter_map(|player| config.players.iter().position(|of| of.name == player.name))
        .collect();
    let against = tally.rankings.against(config.players.len());
    let ratings = ratings(&tally.rankings, config.players.len());
    let points = |row: usize, column: usize| match against[row][column] + against[column][row] {
        0 => String::new(),
        _ => rounded(against[row][column] as f64 / 2.0, 2).to_string(),
    };
    text += "\n## Points against each other\n\n";
    text += &matrix(&played, config, points);
    text += "\n## Probability that the player of the row is stronger, in percent\n\n";
    text += &matrix(&played, config, |row, column| {
        format!("{:.0}", 100.0 * ratings.superiority(row, column))
    });
    text
}

/// Returns the tests of the first player against each opponent.
fn tests(order: &[&PlayerSummary]) -> String {
    let tested = order.iter().filter_map(|of| Some((*of, of.sprt.as_ref()?)));
    let tested: Vec<(&PlayerSummary, &SprtSummary)> = tested.collect();
    if tested.is_empty() {
        return String::new();
    }
    let mut columns = Columns::<(&PlayerSummary, &SprtSummary)>::default();
    columns.text("opponent", |(of, _)| cell(&of.name));
    columns.number("games", |(of, _)| of.games.to_string());
    columns.number("SPRT", |(_, sprt)| sprt.llr());
    columns.text("decision", |(_, sprt)| sprt.decision());
    format!("\n## Tests of the first player\n\n{}", columns.markdown(tested))
}

fn matrix(players: &[usize], config: &Contest, value: impl Fn(usize, usize) -> String) -> String {
    let mut columns = Columns::<(usize, usize)>::default();
    columns.number("#", |(number, _)| (number + 1).to_string());
    columns.text("player", |&(_, row)| cell(&config.players[row].name));
    for (number, &column) in players.iter().enumerate() {
        let value = &value;
        columns.number(&(number + 1).to_string(), move |&(_, row)| match row == column {
            true => String::new(),
            false => value(row, column),
        });
    }
    columns.markdown(players.iter().copied().enumerate())
}
