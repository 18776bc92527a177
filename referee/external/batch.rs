//! `referee arena step GAME --json`: many games at once, for those who train programs. A request is
//! one line of JSON, and so is its answer.

use super::step::check_seats;
use crate::play::record::ranks_of;
use crate::registry::table::{RejectedAnswer, Table};
use crate::registry::{DynGame, Speech};
use crate::report::json_line;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{Outcome, ParseError, Seat};
use arbitre_games::rng::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// Largest number of games at once. One of them takes a kilobyte or two. Not tuned.
const MOST_GAMES: usize = 1_000_000;

/// Request: its key is the word, and its value the argument.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// Starts new games.
    Reset(Reset),
    /// Plays moves: a game, a seat and a move each.
    Step(Vec<(u64, usize, String)>),
    /// Returns the legal moves of seats.
    Legal(Vec<(u64, usize)>),
    /// Returns positions as seats see them.
    State(Vec<(u64, usize)>),
    /// Copies games.
    Clone(Vec<u64>),
    /// Forgets games.
    Drop(Vec<u64>),
}

/// New games: listed setups, or drawn ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reset {
    seats: Option<usize>,
    #[serde(default)]
    setups: Vec<String>,
    #[serde(default)]
    games: usize,
    /// Length of the openings that are drawn, in plies.
    #[serde(default)]
    plies: usize,
    #[serde(default)]
    seed: u64,
}

/// Course of a game.
#[derive(Serialize)]
struct Course {
    game: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    /// Seats to move; empty at the end.
    turn: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<i64>>,
    /// Ranks by seat, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<usize>>,
    /// Reason for which a move was rejected. The game is as before.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Game that is being played.
struct Running<'g> {
    setup: String,
    table: Box<dyn Table + 'g>,
    /// Moves so far, from which a copy is made.
    moves: Vec<(Seat, String)>,
}

/// Answers requests from `input` until it ends.
///
/// # Errors
/// Returns an error if an answer cannot be written.
pub fn serve(game: &dyn DynGame, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut games = Games { game, running: BTreeMap::new(), next: 0 };
    for line in input.split(b'\n') {
        let request = serde_json::from_slice(&line?).map_err(|why| why.to_string());
        let answer = request.and_then(|request| games.answer(request));
        let answer = answer.unwrap_or_else(|why| json!({ "error": why }));
        output.write_all(json_line(&answer).as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

struct Games<'g> {
    game: &'g dyn DynGame,
    running: BTreeMap<u64, Running<'g>>,
    /// Number of the next game.
    next: u64,
}

impl<'g> Games<'g> {
    fn answer(&mut self, request: Request) -> Result<Value, String> {
        Ok(match request {
            Request::Reset(reset) => {
                self.check_room(reset.setups.len().max(reset.games))?;
                let setups = self.setups(&reset)?;
                let seats = self.seats(&reset);
                let started = setups.into_iter().map(|setup| self.start(setup, seats));
                json!({ "games": started.collect::<Result<Vec<_>, _>>()? })
            }
            Request::Step(moves) => {
                let played = moves.into_iter().map(|(game, seat, mv)| self.step(game, seat, &mv));
                json!({ "games": played.collect::<Result<Vec<_>, _>>()? })
            }
            Request::Legal(of) => {
                let legal = |(game, seat)| -> Result<_, String> {
                    let running = self.find(game)?;
                    Ok(running.table.legal_moves(seat_of(running, seat)?)?)
                };
                json!({ "legal": of.into_iter().map(legal).collect::<Result<Vec<_>, _>>()? })
            }
            Request::State(of) => {
                let state = |(game, seat)| -> Result<_, String> {
                    let running = self.find(game)?;
                    Ok(running.table.position(seat_of(running, seat)?)?)
                };
                json!({ "state": of.into_iter().map(state).collect::<Result<Vec<_>, _>>()? })
            }
            Request::Clone(games) => {
                self.check_room(games.len())?;
                let copies = games.into_iter().map(|game| self.copy(game));
                json!({ "games": copies.collect::<Result<Vec<_>, _>>()? })
            }
            Request::Drop(games) => {
                games.iter().for_each(|game| drop(self.running.remove(game)));
                json!({ "games": self.running.len() })
            }
        })
    }

    /// Refuses more games than can be played at once.
    fn check_room(&self, more: usize) -> Result<(), String> {
        let room = MOST_GAMES.saturating_sub(self.running.len());
        match more <= room {
            true => Ok(()),
            false => Err(format!(
                "games: expected at most {room} more, as {MOST_GAMES} are played at once, got {more}"
            )),
        }
    }

    fn seats(&self, reset: &Reset) -> usize {
        let (fewest, most) = self.game.meta().seats;
        reset.seats.unwrap_or(2.clamp(fewest, most))
    }

    fn setups(&self, reset: &Reset) -> Result<Vec<String>, String> {
        let seats = self.seats(reset);
        check_seats(&self.game.meta(), seats)?;
        if !reset.setups.is_empty() {
            let check = |text: &String| self.game.check_setup(seats, text);
            let checked: Result<_, ParseError> = reset.setups.iter().map(check).collect();
            return checked.map_err(|why| why.to_string());
        }
        let drawn = self.game.setups(seats, reset.plies, Rng::new(reset.seed));
        let drawn: Vec<String> = drawn.take(reset.games).collect::<Result<_, _>>()?;
        if drawn.is_empty() && reset.games > 0 {
            return Err("expected games, but there is no setup of this kind".into());
        }
        // Games that have few setups use them again.
        Ok(drawn.iter().cycle().take(reset.games).cloned().collect())
    }

    fn start(&mut self, setup: String, seats: usize) -> Result<Course, String> {
        let speeches = vec![Speech::Dialect(&arbitre::INFO); seats];
        let table = self.game.table(&setup, &speeches).map_err(|why| why.to_string())?;
        let number = self.add(Running { setup: setup.clone(), table, moves: Vec::new() });
        Ok(Course { setup: Some(setup), ..self.course(number)? })
    }

    fn add(&mut self, running: Running<'g>) -> u64 {
        let number = self.next;
        self.running.insert(number, running);
        self.next += 1;
        number
    }

    fn find(&self, number: u64) -> Result<&Running<'g>, String> {
        self.running.get(&number).ok_or_else(|| format!("expected a game, got {number}"))
    }

    fn course(&self, game: u64) -> Result<Course, String> {
        let table = &self.find(game)?.table;
        let outcome: Option<Outcome> = table.outcome()?;
        let turn = table.to_move()?.iter().map(Seat::index).collect();
        let ranks = outcome.as_ref().map(ranks_of);
        let scores = outcome.map(|outcome| outcome.scores);
        Ok(Course { game, setup: None, turn, scores, ranks, error: None })
    }

    fn step(&mut self, game: u64, seat: usize, mv: &str) -> Result<Course, String> {
        let seat = seat_of(self.find(game)?, seat)?;
        let running = self.running.get_mut(&game).expect("it was just found");
        let is_turn = running.table.to_move()?.contains(seat);
        let error = match is_turn.then(|| running.table.hear(seat, mv)) {
            None => Some(format!("seat {seat} is not to move")),
            Some(Ok(accepted)) => {
                running.moves.push((seat, accepted.mv));
                None
            }
            Some(Err(RejectedAnswer::Invalid(why) | RejectedAnswer::Illegal(why))) => Some(why),
            Some(Err(RejectedAnswer::Rules(why))) => return Err(why.into()),
        };
        Ok(Course { error, ..self.course(game)? })
    }

    /// Copies a game by playing it again.
    fn copy(&mut self, game: u64) -> Result<Course, String> {
        let Running { setup, table, moves } = self.find(game)?;
        let (setup, seats, moves) = (setup.clone(), table.seats(), moves.clone());
        let Course { game: copy, .. } = self.start(setup, seats)?;
        let running = self.running.get_mut(&copy).expect("it was just started");
        for (seat, mv) in &moves {
            running.table.hear(*seat, mv).map_err(|_| "the rules reject their own move")?;
        }
        running.moves = moves;
        self.course(copy)
    }
}

fn seat_of(running: &Running, seat: usize) -> Result<Seat, String> {
    let seats = running.table.seats();
    match seat < seats {
        true => Ok(Seat::new(seat)),
        false => Err(format!("expected a seat below {seats}, got {seat}")),
    }
}
