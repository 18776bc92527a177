//! A page per player of a tournament, in Markdown: its results, its faults, and the games that it
//! should look at, each with the command that shows it.

use super::markdown::{block, cell};
use super::output::{unwritable, write_whole};
use super::rounded;
use super::standings::status;
use super::summary::{PlayerSummary, Status, Summary};
use super::table::{absence_lines, report_lines};
use crate::failure::Failure;
use crate::play::metadata::number;
use crate::play::record::{half_points_of, ranks_of, Details, GameResult};
use crate::play::FaultReport;
use arbitre_games::text::{io_reason, join};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Number of faults that the page of a player describes. Not tuned.
const FAULTS: usize = 5;

/// Number of keys whose data the page of a player shows. Not tuned.
const KEYS: usize = 64;

/// Games that the pages mention.
#[derive(Default)]
pub struct PageNotes {
    players: BTreeMap<usize, PlayerNotes>,
}

#[derive(Default)]
struct PlayerNotes {
    /// Games, half points, and the most half points that were possible, against each opponent.
    against: BTreeMap<usize, (u64, u64, u64)>,
    /// Lost game with the smallest distance of scores, then with the most moves: its number last.
    closest_loss: Option<(u64, u64, u64)>,
    /// Number of moves of the longest game, and its number.
    longest: Option<(u64, u64)>,
    /// First faults, with the numbers of their games.
    faults: Vec<(u64, FaultReport)>,
    /// Number of all faults.
    fault_count: usize,
    /// Data that it printed, by key.
    data: BTreeMap<String, KeyNotes>,
}

/// Values of a key in the games of a player.
#[derive(Default)]
struct KeyNotes {
    /// Number of games with a value.
    games: u64,
    /// Number of those whose value is a number, and their sum.
    numbers: (u64, f64),
    /// The last value.
    last: String,
}

impl KeyNotes {
    fn add(&mut self, value: &str) {
        self.games += 1;
        if let Some(number) = number(value) {
            self.numbers = (self.numbers.0 + 1, self.numbers.1 + number);
        }
        value.clone_into(&mut self.last);
    }

    /// Returns the mean as text, or a dash if some values are no numbers.
    fn mean(&self) -> String {
        match self.numbers {
            (count, sum) if count == self.games => rounded(sum / count as f64, 2).to_string(),
            _ => "-".into(),
        }
    }
}

impl PageNotes {
    /// Takes note of a stored game.
    pub fn add(&mut self, game: &GameResult, details: &Details) {
        let (Some(outcome), Some(number)) = (&game.outcome, game.number) else { return };
        let (ranks, moves) = (ranks_of(outcome), details.times.len() as u64);
        let half_points = half_points_of(&ranks);
        for (seat, &player) in game.players.iter().enumerate() {
            let notes = self.players.entry(player).or_default();
            for (other, &opponent) in game.players.iter().enumerate().filter(|(at, _)| *at != seat)
            {
                let against = notes.against.entry(opponent).or_default();
                let won = match ranks[seat].cmp(&ranks[other]) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 0,
                };
                *against = (against.0 + 1, against.1 + won, against.2 + 2);
            }
            if notes.longest.is_none_or(|(most, _)| moves > most) {
                notes.longest = Some((moves, number));
            }
            let best = outcome.scores.iter().max().zip(outcome.scores.iter().min());
            let (most, least) = best.unwrap_or((&0, &0));
            let distance =
                most.abs_diff(outcome.scores[seat]).max(least.abs_diff(outcome.scores[seat]));
            // Among equal distances the longest game says most.
            let closeness = (distance, u64::MAX - moves, number);
            let is_loss = half_points[seat] == 0;
            if is_loss && notes.closest_loss.is_none_or(|closest| closeness < closest) {
                notes.closest_loss = Some(closeness);
            }
        }
        for (&player, values) in game.players.iter().zip(&details.metadata.players) {
            let notes = self.players.entry(player).or_default();
            for (key, value) in values.iter().chain(&details.metadata.game) {
                // An author of many keys fills no page with them.
                if notes.data.len() < KEYS || notes.data.contains_key(key) {
                    notes.data.entry(key.clone()).or_default().add(value);
                }
            }
        }
        for report in &details.faults {
            let notes = self.players.entry(game.players[report.seat.index()]).or_default();
            notes.fault_count += 1;
            notes.faults.push((number, report.clone()));
            // Games come in the order in which they were stored.
            notes.faults.sort_by_key(|(number, _)| *number);
            notes.faults.truncate(FAULTS);
        }
    }

    /// Writes a page for each player into a folder, which is created if it is missing. `shown` are
    /// the names of the players on the pages of others.
    ///
    /// # Errors
    /// Returns an error if a page cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        summary: &Summary,
        title: &str,
        shown: &[String],
    ) -> Result<(), Failure> {
        fs::create_dir_all(folder).map_err(|error| {
            Failure::Store(format!("{}: {}", folder.display(), io_reason(&error)))
        })?;
        for (number, player) in summary.players.iter().enumerate() {
            let path = folder.join(format!("{}.md", file_name(&player.name)));
            let text = self.page(number, player, summary, title, shown);
            write_whole(&path, &text).map_err(|error| unwritable(&path, &error))?;
        }
        Ok(())
    }

    fn page(
        &self,
        number: usize,
        player: &PlayerSummary,
        summary: &Summary,
        title: &str,
        shown: &[String],
    ) -> String {
        let mut text = format!("# {} in {}\n\n", cell(&player.name), cell(title));
        if shown[number] != player.name {
            let _ = writeln!(text, "In the standings: {}.\n", shown[number]);
        }
        let ranked = summary.players.iter().filter(|player| player.rank.is_some()).count();
        let rank = player.rank.map(|rank| format!("Rank {rank} of {ranked}"));
        let rank = rank.unwrap_or_else(|| format!("Not ranked ({})", status(player)));
        let points = rounded(player.points, 2);
        let _ = player.mark_text().map_or(Ok(()), |mark| write!(text, "Mark {mark} of 20. "));
        let _ = write!(text, "{rank}: {points} points in {} games", player.games);
        if let Some((rating, error)) = player.rating.zip(player.rating_error) {
            let _ = write!(text, ", rating {rating:+.0} ± {error:.0}");
        }
        if let Some(time) = player.time_ms {
            let _ = write!(text, "; {:.1} ms per move, at most {:.1}", time.mean, time.max);
        }
        text += ".\n";
        if let Some(why) = &player.not_started {
            let what = match player.status {
                Some(Status::Struck | Status::Withdrawn) => "was withdrawn",
                _ if player.games > 0 => "plays no more games",
                _ => "could not be started",
            };
            let report = summary.not_started.get(&player.name).map(absence_lines);
            let lines = report.map_or_else(|| why.clone(), |lines| lines.join("\n"));
            let _ = write!(text, "\n## It {what}\n\n{}", block(&lines));
        }
        let Some(notes) = self.players.get(&number) else { return text };
        text += "\n## Results\n\n| opponent | games | points | % |\n|---|--:|--:|--:|\n";
        // No game against a struck player counts.
        let counts = |opponent: usize| summary.players[opponent].status != Some(Status::Struck);
        let counted = notes.against.iter().filter(|(&opponent, _)| counts(opponent));
        for (&opponent, &(games, won, possible)) in counted {
            let percent = 100.0 * won as f64 / possible as f64;
            let (name, points) = (cell(&shown[opponent]), won as f64 / 2.0);
            let _ = writeln!(text, "| {name} | {games} | {points} | {percent:.0} |");
        }
        text += "\n## Games to look at\n\n";
        let db = summary.db.as_deref().unwrap_or(":memory:");
        let show = |game: u64| format!("`referee show {game} --db '{db}'`");
        if let Some((distance, _, game)) = notes.closest_loss {
            let _ = writeln!(text, "- The closest loss, by {distance}: {}", show(game));
        }
        if let Some((moves, game)) = notes.longest {
            let _ = writeln!(text, "- The longest game, of {moves} moves: {}", show(game));
        }
        if let Some((game, report)) = notes.faults.first() {
            let _ = writeln!(text, "- The first fault, {}: {}", report.fault.word(), show(*game));
        }
        if !notes.data.is_empty() {
            text += "\n## Data of its games\n\n| key | games | mean | last |\n|---|--:|--:|---|\n";
        }
        for (key, of) in &notes.data {
            let (key, last) = (cell(key), cell(&of.last));
            let _ = writeln!(text, "| {key} | {} | {} | {last} |", of.games, of.mean());
        }
        if notes.fault_count > 0 {
            let kinds = player.faults.iter().map(|(kind, count)| format!("{count} {kind}"));
            let _ = writeln!(text, "\n## Faults: {}", join(kinds, ", "));
            for (game, report) in &notes.faults {
                let (word, ply) = (report.fault.word(), report.ply);
                let lines = report_lines(report).join("\n");
                let _ = write!(
                    text,
                    "\n{word} in game {game} at ply {ply} ({}):\n\n{}",
                    show(*game),
                    block(&lines)
                );
            }
            let more = notes.fault_count.saturating_sub(notes.faults.len());
            if more > 0 {
                let _ = writeln!(text, "\n{more} faults more: `referee list --faults --db '{db}'`");
            }
        }
        text
    }
}

/// Returns the name of a player as that of a file.
fn file_name(name: &str) -> String {
    // No name is a folder, a hidden file or empty.
    let plain: String =
        name.chars().map(|c| if c == '/' || c.is_control() { '-' } else { c }).collect();
    match plain.strip_prefix('.') {
        Some(rest) => format!("-{rest}"),
        None => plain,
    }
}
