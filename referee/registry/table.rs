//! A running game as lines of text, with its types hidden: all that the referee knows of it.

use crate::failure::Failure;
use crate::registry::drawing::PositionTexts;
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialect::{
    check_seats, Event, GameContext, GameEnd, Init, Notation, ParsedAnswer, Ready, RefereeEnd, Turn,
};
use arbitre_games::game::{Cause, LossReason, Misreading, Outcome, ParseError, Seat, Seats, State};
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

/// Parameters of a game that a player receives at its start.
#[derive(Clone, Copy, Debug)]
pub struct StartParams<'a> {
    /// Seat of the player.
    pub seat: Seat,
    /// Limits of the player.
    pub clock: &'a Clock,
    /// Seed of its random choices.
    pub seed: u64,
    /// Whether the player has already played with this process.
    pub kept: bool,
}

/// Accepted move, or the accepted path of a solo player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedMove {
    /// The move in the game's notation.
    pub mv: String,
    /// Comment of the player on the move.
    pub comment: Option<String>,
}

/// Failure of the rules, as opposed to a fault of a player. It makes the game void.
///
/// The games of this project never fail. Rules that run elsewhere can.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct RulesError(pub String);

impl From<ParseError> for RulesError {
    fn from(error: ParseError) -> RulesError {
        RulesError(error.to_string())
    }
}

impl From<RulesError> for ParseError {
    fn from(error: RulesError) -> ParseError {
        ParseError::new(error.0)
    }
}

impl From<RulesError> for String {
    fn from(error: RulesError) -> String {
        error.0
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        Failure::Data(error.to_string())
    }
}

/// Reason why an answer was rejected. The position is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RejectedAnswer {
    /// The answer is not a move.
    Invalid(String),
    /// The answer is a move that the rules forbid here.
    Illegal(String),
    /// The rules failed before they could judge the answer.
    Rules(RulesError),
}

impl RejectedAnswer {
    fn of(why: ParseError) -> RejectedAnswer {
        match why.cause() {
            Cause::Move => RejectedAnswer::Illegal(why.to_string()),
            _ => RejectedAnswer::Invalid(why.to_string()),
        }
    }
}

/// Reasons for the end of a game, as far as its rules know them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// Rule that ended the game: see [`State::end_reason`].
    pub end: Option<&'static str>,
    /// Losses, at most one per seat, in order.
    pub losses: Vec<Loss>,
}

/// Loss of a seat by the rules or by an illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The seat.
    pub seat: Seat,
    /// Number of moves played before.
    pub moves: usize,
    /// Reason of the rules.
    pub reason: LossReason,
}

/// Facts that rules in another process state of a game, and a reader of it could not find.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// Reason for the end.
    pub reason: Option<String>,
    /// Values that the rules publish.
    pub metadata: BTreeMap<String, String>,
}

/// Running game in which each seat has its own dialect.
///
/// # Errors
/// Methods that run the rules return an error if the rules fail. The game is then void.
pub trait Table {
    /// Returns the number of seats.
    fn seats(&self) -> usize;

    /// Prepares the replay of a recorded game, whose players are already started. The first
    /// `accepted` answers of each seat are moves in the game's own notation; later ones are raw.
    fn replay(&mut self, accepted: &[usize]);

    /// Returns the seats to move, none once the game is over.
    fn to_move(&self) -> Result<Seats, RulesError>;

    /// Returns the arguments for the command of this seat's player, if it must be started.
    fn arguments(&mut self, _start: &StartParams) -> Result<Vec<String>, RulesError> {
        Ok(Vec::new())
    }

    /// Returns `true` if all output of this seat's player is its one answer.
    fn answers_once(&self, _seat: Seat) -> bool {
        false
    }

    /// Returns `true` if a line that came before its player was asked is an answer.
    fn takes_early_answers(&self) -> bool {
        false
    }

    /// Returns the longest answer of this seat, in bytes.
    fn line_limit(&self, seat: Seat) -> usize;

    /// Appends the lines that open the game for a seat. Returns the use of its initialisation time.
    fn open(&mut self, start: &StartParams, out: &mut String) -> Result<Init, RulesError>;

    /// Returns the dialects of arenas that have this game: a bot that is not ready may speak one.
    fn arena_dialects(&self) -> &[&'static str] {
        &[]
    }

    /// Reads the answer that ends the initialisation under [`Init::UntilReady`].
    ///
    /// # Errors
    /// Returns an error if the answer is anything else.
    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError>;

    /// Returns the time for the next answer of this seat, where the rules set it.
    fn time_limit(&self, _seat: Seat) -> Option<Duration> {
        None
    }

    /// Takes note of the time that the next answer of this seat is charged, where the rules set its
    /// limit.
    fn charge(&mut self, _seat: Seat, _spent: Duration) {}

    /// Appends the lines that ask a seat for a move.
    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError>;

    /// Reads the answer of a seat and plays it.
    ///
    /// # Errors
    /// Returns the reason if the answer is rejected. The position is then unchanged.
    fn hear(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer>;

    /// Returns a seat whose answer the rules forbid after [`hear`](Table::hear) took it, with the
    /// reason. It is returned once, and expected to be eliminated. Rules that judge several answers
    /// together find it only then.
    fn accusation(&mut self) -> Option<(Seat, String)> {
        None
    }

    /// Eliminates seats together. `why` is the word of the fault.
    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError>;

    /// Returns the outcome once the game is over.
    fn outcome(&self) -> Result<Option<Outcome>, RulesError>;

    /// Returns `true` if the ranking by [`outcome_if_ended`](Table::outcome_if_ended) is final.
    fn is_decided(&self) -> Result<bool, RulesError> {
        Ok(false)
    }

    /// Returns the outcome of the game if it ends here. The seats of `losers` share the last place.
    /// Without losers, the scores so far rank the seats still in the game. In a game that has no
    /// scores before its end, they share their place.
    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError>;

    /// Appends the lines that end the game for a seat.
    fn close(&mut self, seat: Seat, outcome: &Outcome, out: &mut String) -> Result<(), RulesError>;

    /// Returns the position as this seat sees it, on one line.
    fn position(&self, seat: Seat) -> Result<String, RulesError>;

    /// Returns the legal moves of a seat, in games that list them.
    fn legal_moves(&self, _seat: Seat) -> Result<Vec<String>, RulesError> {
        Ok(Vec::new())
    }

    /// Returns the mistake behind an illegal answer of a seat: see [`State::misreading`].
    fn misreading(&self, _seat: Seat, _answer: &str) -> Option<Misreading> {
        None
    }

    /// Returns the texts of the position, where a reader of the game could not draw it: under rules
    /// in another process. A replay needs none.
    fn texts(&self) -> Result<Option<PositionTexts>, RulesError> {
        Ok(None)
    }

    /// Returns the most plies of a game; none where the rules of every game end it.
    fn most_plies(&self) -> Option<usize> {
        None
    }

    /// Returns what a reader of the game could not find.
    fn remarks(&self) -> Remarks {
        Remarks::default()
    }

    /// Returns why the game ended and why seats are out. Plays the moves so far again.
    fn explanation(&self) -> Result<Explanation, RulesError> {
        Ok(Explanation::default())
    }
}

/// The table of one game.
pub struct GameTable<'g, G: Notation> {
    game: &'g G,
    setup: G::Setup,
    state: G::State,
    events: Vec<Event<G::Move>>,
    ends: Vec<SeatEnd<G>>,
    /// Dialects of arenas.
    arenas: Vec<&'static str>,
}

struct SeatEnd<G: Notation> {
    end: Box<dyn RefereeEnd<G>>,
    /// Number of events that were sent.
    told: usize,
    /// In a replay, number of answers that will still come in the game's own notation.
    replayed: Option<usize>,
    /// Reason of the rules for the rejection of its last answer, if it was an illegal move.
    collision: Option<LossReason>,
}

impl<G: Notation> SeatEnd<G> {
    /// Returns `true` if the next answer is in the game's own notation. Counts it.
    fn takes_notation(&mut self) -> bool {
        match &mut self.replayed {
            Some(left @ 1..) => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

impl<'g, G: Notation> GameTable<'g, G> {
    /// Creates a table for this setup, with the referee's end of each seat's dialect. `arenas` are
    /// the dialects of arenas that have the game.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules or the number of seats.
    pub fn new(
        game: &'g G,
        setup: G::Setup,
        ends: Vec<Box<dyn RefereeEnd<G>>>,
        arenas: Vec<&'static str>,
    ) -> Result<GameTable<'g, G>, ParseError> {
        check_seats(game, &setup, ends.len())?;
        let state = game.start(&setup)?;
        let seat_end = |end| SeatEnd { end, told: 0, replayed: None, collision: None };
        let ends = ends.into_iter().map(seat_end).collect();
        Ok(GameTable { game, setup, state, events: Vec::new(), ends, arenas })
    }

    /// Returns the outcome after a forfeit of `losers`, or of all seats if there are none.
    fn outcome_after_forfeit(&self, losers: Seats) -> Result<Outcome, RulesError> {
        let all = || Seats::first(self.ends.len());
        let mut state = self.state.clone();
        state.forfeit(if losers.is_empty() { all() } else { losers });
        state.outcome().ok_or_else(|| RulesError("the game goes on after an adjudication".into()))
    }

    /// Plays a whole path, or nothing of it if one of its moves is rejected.
    fn hear_path(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        let seat_end = &mut self.ends[seat.index()];
        let parsed = match seat_end.takes_notation() {
            true => self.game.parse_path(line).map(ParsedAnswer::bare),
            false => seat_end.end.read_path(self.game, line),
        };
        let spoken = parsed.map_err(RejectedAnswer::of)?;
        // The path is played on a copy, so that a rejected one leaves the position unchanged.
        let (path, mut state) = (spoken.mv, self.state.clone());
        for (number, &mv) in (1..).zip(&path) {
            state.play(seat, mv).map_err(|why| {
                let (word, length) = (move_text(self.game, mv), path.len());
                RejectedAnswer::Illegal(format!("move {number} of {length}, {word}: {why}"))
            })?;
        }
        self.state = state;
        self.events.extend(path.iter().map(|&mv| Event::Moved(seat, mv)));
        let mut text = String::new();
        self.game.write_path(&path, &mut text);
        Ok(heard(text, spoken.comment))
    }
}

/// Returns the information that a seat has when the game begins.
fn context<'a, G: Notation>(
    game: &'a G,
    setup: &'a G::Setup,
    seats: usize,
    start: &'a StartParams,
) -> GameContext<'a, G> {
    let StartParams { seat, clock, seed, kept } = *start;
    GameContext { game, setup, seat, seats, clock, seed, kept }
}

/// Returns a move in the game's notation.
pub fn move_text<G: Notation>(game: &G, mv: G::Move) -> String {
    let mut text = String::new();
    game.write_move(mv, &mut text);
    text
}

fn heard(mv: String, comment: Option<&str>) -> AcceptedMove {
    AcceptedMove { mv, comment: comment.filter(|text| !text.is_empty()).map(str::to_owned) }
}

impl<G: Notation> Table for GameTable<'_, G> {
    fn seats(&self) -> usize {
        self.ends.len()
    }

    fn replay(&mut self, accepted: &[usize]) {
        for (end, &accepted) in self.ends.iter_mut().zip(accepted) {
            end.replayed = Some(accepted);
        }
    }

    fn to_move(&self) -> Result<Seats, RulesError> {
        Ok(self.state.to_move())
    }

    fn arguments(&mut self, start: &StartParams) -> Result<Vec<String>, RulesError> {
        let context = context(self.game, &self.setup, self.ends.len(), start);
        let SeatEnd { end, replayed, .. } = &mut self.ends[start.seat.index()];
        // A dialect may write files for the program that is started; a replay starts none.
        Ok(if replayed.is_some() { Vec::new() } else { end.arguments(&context) })
    }

    fn answers_once(&self, seat: Seat) -> bool {
        self.ends[seat.index()].end.answers_once()
    }

    fn line_limit(&self, seat: Seat) -> usize {
        self.ends[seat.index()].end.line_limit()
    }

    fn open(&mut self, start: &StartParams, out: &mut String) -> Result<Init, RulesError> {
        let context = context(self.game, &self.setup, self.ends.len(), start);
        Ok(self.ends[start.seat.index()].end.open(&context, out))
    }

    fn arena_dialects(&self) -> &[&'static str] {
        &self.arenas
    }

    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError> {
        self.ends[seat.index()].end.read_ready(line)
    }

    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError> {
        let seat_end = &mut self.ends[seat.index()];
        // A seat receives the events since it was last asked.
        let told = std::mem::replace(&mut seat_end.told, self.events.len());
        let news = &self.events[told..];
        let turn = Turn { game: self.game, state: &self.state, seat, news, go };
        seat_end.end.write_turn(&turn, out);
        Ok(())
    }

    fn hear(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        if G::META.is_solo() {
            return self.hear_path(seat, line);
        }
        let seat_end = &mut self.ends[seat.index()];
        let parsed = match seat_end.takes_notation() {
            true => self.game.parse_move(line).map(ParsedAnswer::bare),
            false => seat_end.end.read_move(self.game, line),
        };
        let spoken = parsed.map_err(RejectedAnswer::of)?;
        if let Err(why) = self.state.play(seat, spoken.mv) {
            seat_end.collision = self.state.collision(seat, spoken.mv);
            return Err(RejectedAnswer::Illegal(why.to_string()));
        }
        seat_end.collision = None;
        self.events.push(Event::Moved(seat, spoken.mv));
        Ok(heard(move_text(self.game, spoken.mv), spoken.comment))
    }

    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError> {
        self.state.forfeit(seats);
        self.events.push(Event::Eliminated(seats, why));
        Ok(())
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        Ok(self.state.outcome())
    }

    fn is_decided(&self) -> Result<bool, RulesError> {
        Ok(self.state.is_decided())
    }

    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError> {
        let ranked = self.state.outcome_so_far().filter(|_| losers.is_empty());
        ranked.map_or_else(|| self.outcome_after_forfeit(losers), Ok)
    }

    fn close(&mut self, seat: Seat, outcome: &Outcome, out: &mut String) -> Result<(), RulesError> {
        let told = self.ends[seat.index()].told;
        let news = &self.events[told..];
        let end = GameEnd { game: self.game, seat, news, scores: &outcome.scores };
        self.ends[seat.index()].end.close(&end, out);
        Ok(())
    }

    fn position(&self, seat: Seat) -> Result<String, RulesError> {
        let mut text = String::new();
        self.game.write_state(&self.state, seat, &mut text);
        Ok(text)
    }

    fn legal_moves(&self, seat: Seat) -> Result<Vec<String>, RulesError> {
        Ok(match G::LISTS_LEGAL_MOVES {
            true => self.state.moves(seat).into_iter().map(|mv| move_text(self.game, mv)).collect(),
            false => Vec::new(),
        })
    }

    fn misreading(&self, seat: Seat, answer: &str) -> Option<Misreading> {
        self.state.misreading(seat, self.game.parse_move(answer).ok()?)
    }

    fn explanation(&self) -> Result<Explanation, RulesError> {
        let mut state = self.game.start(&self.setup)?;
        let (mut losses, mut out, mut moves) = (Vec::new(), Seats::NONE, 0);
        for event in &self.events {
            match *event {
                Event::Moved(seat, mv) => {
                    state.play_unchecked(seat, mv);
                    moves += 1;
                }
                Event::Eliminated(seats, _) => {
                    state.forfeit(seats);
                    // An illegal move is a fault, whose reason the rules know too.
                    for seat in seats.iter() {
                        let collision = self.ends[seat.index()].collision;
                        losses.extend(collision.map(|reason| Loss { seat, moves, reason }));
                        out.insert(seat);
                    }
                }
            }
            for seat in Seats::first(self.ends.len()).iter() {
                let lost = state.elimination(seat).filter(|_| !out.contains(seat));
                if let Some(reason) = lost {
                    losses.push(Loss { seat, moves, reason });
                    out.insert(seat);
                }
            }
        }
        Ok(Explanation { end: state.end_reason(), losses })
    }
}
