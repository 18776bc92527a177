//! Transcript of a game for people: moves with times, comments and boards.

use super::ending::Ending;
use super::game::{disturbed_moves, names};
use super::table::{ordinal, report_lines};
use crate::config::Contest;
use crate::escape::{escape, escape_whole};
use crate::play::metadata::{Metadata, Values};
use crate::play::record::Record;
use crate::play::Ply;
use crate::player::attempts::in_words;
use crate::registry::drawing::{Step, View};
use crate::registry::DynGame;
use arbitre_games::diagnostics;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::text::join;
use arbitre_process::launcher::layers::Level;
use std::time::Duration;

/// Boards in a transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// The position at the start and after each move.
    All,
    /// No boards.
    None,
    /// Only the position after this number of moves.
    After(usize),
}

/// Returns the transcript of a game.
///
/// # Errors
/// Returns an error if the record does not fit the rules, or has fewer moves than `boards` asks
/// for.
pub fn text(
    record: &Record,
    config: &Contest,
    game: &dyn DynGame,
    boards: Boards,
    colour: bool,
) -> Result<String, ParseError> {
    let transcript = Transcript::of(record, config);
    let pictures = match boards {
        Boards::After(plies) => return transcript.picture_after(plies, game, colour),
        Boards::All => transcript.pictures(game, colour)?,
        Boards::None => Vec::new(),
    };
    Ok(transcript.text(&pictures, &Ending::of(record, config, game)))
}

/// Returns the pictures of a game, each with a line above it: the start, and the position after
/// each move, also after those of a path.
///
/// # Errors
/// Returns an error if the record does not fit the rules.
pub fn frames(
    record: &Record,
    config: &Contest,
    game: &dyn DynGame,
    colour: bool,
) -> Result<Vec<String>, ParseError> {
    let transcript = Transcript::of(record, config);
    let (names, total) = (&transcript.names, record.played.plies.len());
    let mut lines = vec![names.join(" - ")];
    let mut single: Vec<(Step, String)> = Vec::new();
    for (step, number) in &transcript.steps {
        match step {
            Step::Eliminated(seats) => {
                let out = seats.iter().map(|seat| &names[seat.index()]);
                lines.push(format!("{} out by a fault", join(out, ", ")));
                single.push((*step, String::new()));
            }
            Step::Moved(seat, path) => {
                let (name, number) = (&names[seat.index()], number.unwrap_or_default());
                for mv in game.split_path(path)? {
                    lines.push(format!("{number}/{total}  {name}: {}", escape(&mv)));
                    single.push((*step, mv));
                }
            }
        }
    }
    let of_one = single.iter().map(|(step, mv)| match *step {
        Step::Moved(seat, _) => Step::Moved(seat, mv),
        eliminated => eliminated,
    });
    let pictures = transcript.draw(&of_one.collect::<Vec<_>>(), game, colour)?;
    let frames = lines.into_iter().zip(pictures);
    let mut frames: Vec<String> =
        frames.map(|(line, picture)| format!("{line}\n\n{picture}")).collect();
    if let Some(last) = frames.last_mut() {
        *last += &format!("{}\n", transcript.result());
    }
    Ok(frames)
}

/// Event of a game. A move has its number, counted from 1.
type NumberedStep<'a> = (Step<'a>, Option<usize>);

struct Transcript<'a> {
    record: &'a Record,
    config: &'a Contest,
    /// Names of the players by seat, safe on a terminal.
    names: Vec<String>,
    steps: Vec<NumberedStep<'a>>,
}

impl<'a> Transcript<'a> {
    fn of(record: &'a Record, config: &'a Contest) -> Transcript<'a> {
        let names = names(record, config).into_iter().map(escape).collect();
        Transcript { record, config, names, steps: record.played.steps() }
    }

    /// Draws the position at the start and after each step.
    fn pictures(&self, game: &dyn DynGame, colour: bool) -> Result<Vec<String>, ParseError> {
        let steps: Vec<Step> = self.steps.iter().map(|(step, _)| *step).collect();
        self.draw(&steps, game, colour)
    }

    fn draw(
        &self,
        steps: &[Step],
        game: &dyn DynGame,
        colour: bool,
    ) -> Result<Vec<String>, ParseError> {
        let names = self.names.iter().map(String::as_str).collect();
        let view = View { seat: Seat::FIRST, colour, names };
        let pictures = game.draw(&self.record.setup, steps, &view)?;
        // Those of a program may have any characters; ours have colours.
        Ok(match self.config.external {
            Some(_) => pictures.iter().map(|picture| diagnostics::visible(picture)).collect(),
            None => pictures,
        })
    }

    fn picture_after(
        &self,
        plies: usize,
        game: &dyn DynGame,
        colour: bool,
    ) -> Result<String, ParseError> {
        let mut pictures = self.pictures(game, colour)?;
        let of_ply = |(_, number): &NumberedStep| *number == Some(plies);
        match self.steps.iter().position(of_ply) {
            _ if plies == 0 => Ok(pictures.swap_remove(0)),
            Some(step) => Ok(pictures.swap_remove(step + 1)),
            None => {
                let moves = self.record.played.plies.len();
                Err(ParseError::new(format!(
                    "--ply: expected a number from 0 to {moves}, got {plies}"
                )))
            }
        }
    }

    /// Writes the game; `pictures` is empty if no boards are drawn.
    fn text(&self, pictures: &[String], ending: &Ending) -> String {
        let picture = |step: usize| pictures.get(step).map_or("", String::as_str);
        let mut text = self.head() + picture(0);
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let disturbed = disturbed_moves(self.record, self.config);
        for (i, (step, number)) in self.steps.iter().enumerate() {
            text += &match (step, number) {
                (Step::Moved(seat, _), Some(number)) => {
                    let ply = &self.record.played.plies[number - 1];
                    let wait = ply.time.wait.filter(|_| disturbed.contains(&(number - 1)));
                    ply_text(*number, &self.names[seat.index()], width, ply, wait)
                }
                (step, _) => self.faults(step),
            };
            text += picture(i + 1);
        }
        text + &self.result() + "\n" + &ending.text() + &self.metadata()
    }

    /// Lists the data that players printed.
    fn metadata(&self) -> String {
        let Metadata { game, players } = self.record.metadata();
        let line = |name: &str, values: &Values| {
            let pairs = values.iter().map(|(key, value)| format!("{key} = {value}"));
            match values.is_empty() {
                true => String::new(),
                false => format!("data of {name}: {}\n", escape(&join(pairs, ", "))),
            }
        };
        let of_players = self.names.iter().zip(&players).map(|(name, values)| line(name, values));
        line("the game", &game) + &of_players.collect::<String>()
    }

    fn head(&self) -> String {
        let Transcript { record: Record { pairing, setup, played, .. }, config, .. } = self;
        let Contest { game, rules, players, .. } = config;
        let number = self.record.number.map_or(String::new(), |number| format!(" {number}"));
        // Rules in another process may have no options.
        let rules = if rules.is_empty() { String::new() } else { format!(" ({})", escape(rules)) };
        let game = escape(game);
        let mut text = format!("game{number} of {game}{rules}, round {}\n", pairing.round);
        for (seat, name) in self.names.iter().enumerate() {
            let command = escape(&players[pairing.players[seat]].command);
            let start_report = played.start_reports.get(seat).and_then(Option::as_ref);
            let ready = start_report.and_then(|start_report| start_report.ready.as_deref());
            let ready =
                ready.map_or("never ready".into(), |line| format!("said '{}'", escape(line)));
            let elsewhere = match played.notes.left_processors.get(seat) {
                Some(true) => ", and ran on processors that it was not given",
                _ => "",
            };
            text += &format!("  seat {seat}: {name}  ({command})  {ready}{elsewhere}\n");
            if let Some(of) = played.notes.attempts.get(seat).filter(|of| !of.is_empty()) {
                text += &format!("          its sandbox refused: {}\n", in_words(of));
            }
        }
        if self.record.sandbox != Level::None {
            text += &format!("sandbox: {}\n", self.record.sandbox);
        }
        text + &format!("starts from {}\n\n", escape_whole(setup))
    }

    fn faults(&self, step: &Step) -> String {
        let Step::Eliminated(seats) = step else { return String::new() };
        let mut text = String::new();
        let reports = self.record.played.faults.iter();
        for report in reports.filter(|report| seats.contains(report.seat)) {
            let name = &self.names[report.seat.index()];
            text += &format!("      {name}: {}\n", report.fault.word());
            report_lines(report).iter().for_each(|line| text += &format!("        {line}\n"));
        }
        text
    }

    fn result(&self) -> String {
        let (record, names) = (self.record, &self.names);
        let seconds = record.duration.as_secs_f64();
        let (Some(outcome), Some(ranks)) = (&record.played.outcome, record.ranks()) else {
            return "void: a player could not be started or judged".into();
        };
        let verdict = match ranks[..] {
            [1, 2] => format!("{} wins", names[0]),
            [2, 1] => format!("{} wins", names[1]),
            [_, _] => "a draw".into(),
            _ => places(&ranks, names),
        };
        let rule = record.played.adjudicated;
        let by = rule.map_or(String::new(), |rule| format!(", adjudicated by {}", rule.word()));
        format!("result {}: {verdict}{by}, after {seconds:.3} s", join(&outcome.scores, " "))
    }
}

/// Returns the line of a ply. `wait` is its time without a processor, if that was long.
fn ply_text(number: usize, name: &str, width: usize, ply: &Ply, wait: Option<Duration>) -> String {
    let millis = ply.spent.as_secs_f64() * 1000.0;
    let comment =
        ply.comment.as_deref().map_or(String::new(), |said| format!("  # {}", escape(said)));
    let wait = wait.map_or(String::new(), |wait| {
        format!("  (waited {:.1} ms for a processor)", wait.as_secs_f64() * 1000.0)
    });
    let stderr = ply.stderr.lines().map(|line| format!("      | {}\n", escape(line)));
    let mv = escape_whole(&ply.mv);
    format!("{number:>4}. {name:<width$}  {mv:<4} {millis:>9.3} ms{wait}{comment}\n")
        + &stderr.collect::<String>()
}

/// Lists the players by place: `1st c, 2nd a and d, 4th b`.
fn places(ranks: &[usize], names: &[String]) -> String {
    let at = |rank: usize| -> Vec<&str> {
        let here = ranks.iter().zip(names).filter(|(of, _)| **of == rank);
        here.map(|(_, name)| name.as_str()).collect()
    };
    let groups = (1..=ranks.len()).map(|rank| (rank, at(rank)));
    let taken = groups.filter(|(_, names)| !names.is_empty());
    join(taken.map(|(rank, names)| format!("{} {}", ordinal(rank), names.join(" and "))), ", ")
}
