//! `referee arena step GAME`: the rules of a game as a process that answers line by line. The
//! counterpart of [`crate::external::game`].

use crate::external::words::{parse_seats, Status, END, VERSION};
use crate::player::fault::Fault;
use crate::registry::table::{RejectedAnswer, RulesError, StartParams, Table};
use crate::registry::{DynGame, Registry, Setups, Speech};
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{Meta, Outcome, ParseError, Seat};
use arbitre_games::rng::Rng;
use arbitre_games::text::join;
use std::io::{self, BufRead, Write};

/// Largest number of setups that are drawn in one series. A hundred bytes each are kept. Not tuned.
const MOST_DRAWN: usize = 1_000_000;

/// Answers requests from `input` until it ends.
///
/// # Errors
/// Returns an error if an answer cannot be written.
pub fn serve(
    registry: &Registry,
    game: &str,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    // The game is opened with its rules by the first request; a table borrows it.
    let mut opened: Option<Box<dyn DynGame>> = None;
    // A line that is not text has an error as its answer, and the service goes on.
    let text = |line: Vec<u8>| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
    let mut lines = input.split(b'\n').map(|line| line.map(text));
    let mut first = lines.next().transpose()?;
    while let Some(line) = first.take() {
        match open(registry, game, &line) {
            Ok((game, answer)) => {
                reply(&mut output, &answer)?;
                let game = opened.insert(game);
                // A new request for the rules ends the service of these.
                first = Service::new(&**game).run(&mut lines, &mut output)?;
            }
            Err(why) => {
                reply(&mut output, &format!("error {why}"))?;
                first = lines.next().transpose()?;
            }
        }
    }
    Ok(())
}

/// Opens the game with the rules of the request `rules VERSION [OPTIONS]`. Returns its description.
fn open(
    registry: &Registry,
    name: &str,
    line: &str,
) -> Result<(Box<dyn DynGame>, String), ParseError> {
    let expected =
        || ParseError::new(format!("expected 'rules {VERSION} [OPTIONS]' first, got '{line}'"));
    let rest = line.strip_prefix("rules ").ok_or_else(expected)?;
    let (version, options) = rest.split_once(' ').unwrap_or((rest, ""));
    if version != VERSION.to_string() {
        return Err(expected());
    }
    let info = registry.game(name)?;
    let game = registry.open(name, options)?;
    let (meta, traits) = (game.meta(), game.traits());
    let mut lines = vec![
        format!("game {}", meta.name),
        format!("title {}", meta.title),
        format!("summary {}", meta.summary),
        format!("seats {} {}", meta.seats.0, meta.seats.1),
        format!("openings {}", info.opening_plies),
        format!("options {}", game.rules()),
    ];
    let words = [
        ("lower-is-better", meta.lower_is_better),
        ("lists-legal", traits.lists_legal_moves),
        ("verbatim", traits.is_verbatim),
    ];
    lines.extend(words.iter().filter(|(_, is_so)| *is_so).map(|(word, _)| (*word).into()));
    lines.push(format!("answer-limit {}", traits.answer_limit));
    Ok((game, lines.join("\n")))
}

/// Writes an answer and its end.
fn reply(output: &mut impl Write, answer: &str) -> io::Result<()> {
    match answer {
        "" => writeln!(output, "{END}")?,
        _ => writeln!(output, "{}\n{END}", answer.trim_end_matches('\n'))?,
    }
    output.flush()
}

/// Service of a game with its rules, and at most one table.
struct Service<'g> {
    game: &'g dyn DynGame,
    table: Option<Box<dyn Table + 'g>>,
    /// Setups that are being drawn: the request, the setups so far, and those that follow.
    drawn: Option<(String, Vec<String>, Setups)>,
}

impl<'g> Service<'g> {
    fn new(game: &'g dyn DynGame) -> Service<'g> {
        Service { game, table: None, drawn: None }
    }

    /// Answers requests until the input ends. Returns a new request for the rules.
    fn run(
        &mut self,
        lines: &mut impl Iterator<Item = io::Result<String>>,
        output: &mut impl Write,
    ) -> io::Result<Option<String>> {
        while let Some(line) = lines.next().transpose()? {
            if line.starts_with("rules ") {
                return Ok(Some(line));
            }
            let answer = self.answer(&line).unwrap_or_else(|why| format!("error {why}"));
            reply(output, &answer)?;
        }
        Ok(None)
    }

    fn answer(&mut self, line: &str) -> Result<String, String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "draw" => return self.draw(rest),
            "check" => {
                let (seats, text) = self.numbered(rest)?;
                let setup = self.game.check_setup(seats, text).map_err(RulesError::from)?;
                return Ok(format!("setup {setup}"));
            }
            "start" => return self.start(rest),
            "turn" | "told" | "ask" | "play" | "out" | "close" | "state" | "legal" | "ended"
            | "decided" => {}
            // Others may know more words.
            _ => return Ok("unknown".into()),
        }
        let table = self.table.as_mut().ok_or("expected 'start SEATS SETUP' first, got none")?;
        let table = &mut **table;
        match word {
            "turn" => status(table),
            "told" => told(table, rest),
            "ask" => ask(table, rest),
            "play" => play(table, rest),
            "out" => out(table, rest),
            "close" => close(table, rest),
            "state" => {
                let position = table.position(seat(table, rest)?)?;
                Ok(format!("state {position}"))
            }
            "legal" => {
                let moves = table.legal_moves(seat(table, rest)?)?;
                Ok(format!("legal {}", moves.join(" ")).trim_end().into())
            }
            "ended" => {
                let losers = parse_seats(rest, table.seats()).ok_or("expected seats")?;
                let outcome = table.outcome_if_ended(losers)?;
                Ok(Status::Over(outcome).line())
            }
            _ => Ok(if table.is_decided()? { "yes" } else { "no" }.into()),
        }
    }

    /// Draws the setup of `SEATS PLIES SEED NUMBER`, or none if there are fewer.
    fn draw(&mut self, request: &str) -> Result<String, String> {
        let expected = || format!("expected 'draw SEATS PLIES SEED NUMBER', got 'draw {request}'");
        let (series, number) = request.rsplit_once(' ').ok_or_else(expected)?;
        let number: usize = number.parse().map_err(|_| expected())?;
        if number >= MOST_DRAWN {
            return Err(format!("expected a number below {MOST_DRAWN}, got {number}"));
        }
        if self.drawn.as_ref().is_none_or(|(known, ..)| known != series) {
            let words: Vec<&str> = series.split(' ').collect();
            let [seats, plies, seed] = words[..] else { return Err(expected()) };
            let numbers = seats.parse().ok().zip(plies.parse().ok());
            let ((seats, plies), rng) = numbers.zip(Rng::parse(seed)).ok_or_else(expected)?;
            check_seats(&self.game.meta(), seats)?;
            self.drawn = Some((series.into(), Vec::new(), self.game.setups(seats, plies, rng)));
        }
        let (_, drawn, more) = self.drawn.as_mut().expect("it was just set");
        while drawn.len() <= number {
            match more.next() {
                Some(setup) => drawn.push(setup?),
                None => return Ok(String::new()),
            }
        }
        Ok(format!("setup {}", drawn[number]))
    }

    /// Starts the game of `SEATS SETUP`.
    fn start(&mut self, request: &str) -> Result<String, String> {
        let (seats, setup) = self.numbered(request)?;
        self.table = None;
        let speeches = vec![Speech::Dialect(&arbitre::INFO); seats];
        let table = self.game.table(setup, &speeches).map_err(RulesError::from)?;
        status(&**self.table.insert(table))
    }

    /// Splits a number of seats that the game has from the text after it.
    fn numbered<'t>(&self, text: &'t str) -> Result<(usize, &'t str), String> {
        let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
        let number = number.parse().map_err(|_| format!("expected SEATS SETUP, got '{text}'"))?;
        check_seats(&self.game.meta(), number)?;
        Ok((number, rest))
    }
}

/// Refuses a number of seats that a game does not have.
pub fn check_seats(meta: &Meta, seats: usize) -> Result<(), String> {
    let (fewest, most) = meta.seats;
    match (fewest..=most).contains(&seats) {
        true => Ok(()),
        false => Err(format!("seats: expected {fewest} to {most}, got {seats}")),
    }
}

fn seat(table: &dyn Table, word: &str) -> Result<Seat, String> {
    let number = word.parse().ok().filter(|number: &usize| *number < table.seats());
    let last = table.seats() - 1;
    number.map(Seat::new).ok_or_else(|| format!("expected a seat from 0 to {last}, got '{word}'"))
}

fn status(table: &dyn Table) -> Result<String, String> {
    let status = match table.outcome()? {
        Some(outcome) => Status::Over(outcome),
        None => Status::Turn(table.to_move()?),
    };
    Ok(status.line())
}

/// Returns the lines of the setup for a seat.
fn told(table: &mut dyn Table, word: &str) -> Result<String, String> {
    let seat = seat(table, word)?;
    let clock = Clock::default();
    let start = StartParams { seat, clock: &clock, seed: 0, kept: true };
    let mut text = String::new();
    table.open(&start, &mut text)?;
    let setup = text.lines().filter_map(|line| line.strip_prefix("setup "));
    Ok(join(setup, "\n"))
}

/// Returns the lines for a seat that is to move, except the request itself.
fn ask(table: &mut dyn Table, word: &str) -> Result<String, String> {
    let mut text = String::new();
    table.ask(seat(table, word)?, Go::Untimed, &mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    let (_go, lines) = lines.split_last().expect("a request ends with its last line");
    Ok(lines.join("\n"))
}

fn play(table: &mut dyn Table, request: &str) -> Result<String, String> {
    let (word, text) = request.split_once(' ').unwrap_or((request, ""));
    let seat = seat(table, word)?;
    if !table.to_move()?.contains(seat) {
        return Err(format!("expected a seat to move, got {seat}"));
    }
    match table.hear(seat, text) {
        Ok(accepted) => Ok(format!("played {}\n{}", accepted.mv, status(table)?)),
        Err(RejectedAnswer::Illegal(why)) => Ok(format!("illegal {why}")),
        Err(RejectedAnswer::Invalid(why)) => Ok(format!("invalid {why}")),
        Err(RejectedAnswer::Rules(why)) => Err(why.into()),
    }
}

fn out(table: &mut dyn Table, request: &str) -> Result<String, String> {
    let (word, seats) = request.split_once(' ').unwrap_or((request, ""));
    let why = Fault::WORDS.into_iter().find(|known| *known == word);
    let why = why.ok_or_else(|| format!("expected {}, got '{word}'", join(Fault::WORDS, ", ")))?;
    let seats = parse_seats(seats, table.seats()).filter(|seats| !seats.is_empty());
    table.forfeit(seats.ok_or("expected seats")?, why)?;
    status(table)
}

/// Returns the last lines for a seat, except the result itself.
fn close(table: &mut dyn Table, word: &str) -> Result<String, String> {
    let seat = seat(table, word)?;
    // The referee knows the scores: an adjudication may have ended the game.
    let scores = vec![0; table.seats()];
    let outcome = Outcome { scores, out: Vec::new(), lower_is_better: false };
    let mut text = String::new();
    table.close(seat, &outcome, &mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    let (_result, lines) = lines.split_last().expect("the result is the last line");
    Ok(lines.join("\n"))
}
