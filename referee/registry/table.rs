//! A running game as lines: all that the referee knows of it, its types hidden.

use crate::failure::Failure;
use arbitre_games::clock::{Clock, Go};
use arbitre_games::dialect::{
    check_seats, Event, GameContext, GameEnd, Init, Notation, ParsedAnswer, Ready, RefereeEnd, Turn,
};
use arbitre_games::game::{Outcome, ParseError, Seat, Seats, State};
use thiserror::Error;

/// What the referee tells a player when it sits down.
#[derive(Clone, Copy, Debug)]
pub struct StartParams<'a> {
    /// Its seat.
    pub seat: Seat,
    /// Its limits.
    pub clock: &'a Clock,
    /// For its own random choices.
    pub seed: u64,
    /// It has already played with this process.
    pub kept: bool,
}

/// A move, or a solo player's path, that was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedMove {
    /// It, in the game's notation.
    pub mv: String,
    /// What the player said about it.
    pub comment: Option<String>,
}

/// A failure of the rules, as opposed to a fault of a player: the game is void.
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

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        Failure::Data(error.to_string())
    }
}

/// Reason why an answer was not accepted. The game is where it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RejectedAnswer {
    /// It is no move at all.
    Invalid(String),
    /// It is a move that the rules forbid here.
    Illegal(String),
    /// The rules failed before they could judge it.
    Rules(RulesError),
}

impl RejectedAnswer {
    fn invalid(why: ParseError) -> RejectedAnswer {
        RejectedAnswer::Invalid(why.to_string())
    }
}

/// A running game. Each seat is spoken to in a dialect of its own.
///
/// # Errors
/// Methods that run the rules return an error where these fail. The game is void then.
pub trait Table {
    /// How many sit here.
    fn seats(&self) -> usize;

    /// Prepares the replay of a recorded game, whose players are already started. By seat,
    /// `accepted` answers are moves in the game's own notation; later ones are raw.
    fn replay(&mut self, accepted: &[usize]);

    /// Who must speak now; nobody once the game is over.
    fn to_move(&self) -> Result<Seats, RulesError>;

    /// What is appended to the command of this seat's player, if it must be started.
    fn arguments(&mut self, start: &StartParams) -> Result<Vec<String>, RulesError>;

    /// Is all that this seat's player says its one answer?
    fn answers_once(&self, seat: Seat) -> bool;

    /// The longest answer of this seat, in bytes.
    fn line_limit(&self, seat: Seat) -> usize;

    /// Appends what opens the game for a seat. Returns what it does with its initialisation time.
    fn open(&mut self, start: &StartParams, out: &mut String) -> Result<Init, RulesError>;

    /// Takes the answer that ends it, under [`Init::UntilReady`].
    ///
    /// # Errors
    /// If it says anything else.
    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError>;

    /// Appends what asks a seat for a move.
    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError>;

    /// Takes a seat's move and plays it.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    fn hear(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer>;

    /// Puts seats out together; the word says why.
    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError>;

    /// How the game ended, once it is over.
    fn outcome(&self) -> Result<Option<Outcome>, RulesError>;

    /// Appends what ends the game for a seat.
    fn close(&mut self, seat: Seat, outcome: &Outcome, out: &mut String) -> Result<(), RulesError>;

    /// The position as this seat sees it, on one line.
    fn position(&self, seat: Seat) -> Result<String, RulesError>;

    /// The legal moves of a seat, where the game has few.
    fn legal_moves(&self, seat: Seat) -> Result<Vec<String>, RulesError>;
}

/// The table of one game.
pub struct GameTable<'g, G: Notation> {
    game: &'g G,
    setup: G::Setup,
    state: G::State,
    events: Vec<Event<G::Move>>,
    ends: Vec<SeatEnd<G>>,
}

struct SeatEnd<G: Notation> {
    end: Box<dyn RefereeEnd<G>>,
    /// Number of events that were told.
    told: usize,
    /// In a replay, number of answers to come in the game's own notation.
    replayed: Option<usize>,
}

impl<G: Notation> SeatEnd<G> {
    /// Whether the next answer is in the game's own notation. Counts it.
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
    /// A game of this setup, with the referee's end of each seat's dialect.
    ///
    /// # Errors
    /// If the setup does not fit the rules or the number of seats.
    pub fn new(
        game: &'g G,
        setup: G::Setup,
        ends: Vec<Box<dyn RefereeEnd<G>>>,
    ) -> Result<GameTable<'g, G>, ParseError> {
        check_seats(game, &setup, ends.len())?;
        let state = game.start(&setup)?;
        let ends = ends.into_iter().map(|end| SeatEnd { end, told: 0, replayed: None }).collect();
        Ok(GameTable { game, setup, state, events: Vec::new(), ends })
    }

    fn move_text(&self, mv: G::Move) -> String {
        let mut text = String::new();
        self.game.write_move(mv, &mut text);
        text
    }

    /// Plays a whole path, or nothing of it if one of its moves is refused.
    fn hear_path(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        let seat_end = &mut self.ends[seat.index()];
        let parsed = match seat_end.takes_notation() {
            true => self.game.parse_path(line).map(ParsedAnswer::bare),
            false => seat_end.end.read_path(self.game, line),
        };
        let spoken = parsed.map_err(RejectedAnswer::invalid)?;
        let (path, mut state) = (spoken.mv, self.state.clone());
        for (number, &mv) in (1..).zip(&path) {
            state.play(seat, mv).map_err(|why| {
                let (word, length) = (self.move_text(mv), path.len());
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

/// What a seat may know when the game begins.
fn context<'a, G: Notation>(
    game: &'a G,
    setup: &'a G::Setup,
    seats: usize,
    start: &'a StartParams,
) -> GameContext<'a, G> {
    let StartParams { seat, clock, seed, kept } = *start;
    GameContext { game, setup, seat, seats, clock, seed, kept }
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

    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError> {
        self.ends[seat.index()].end.read_ready(line)
    }

    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError> {
        let seat_end = &mut self.ends[seat.index()];
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
        let spoken = parsed.map_err(RejectedAnswer::invalid)?;
        self.state.play(seat, spoken.mv).map_err(|why| RejectedAnswer::Illegal(why.to_string()))?;
        self.events.push(Event::Moved(seat, spoken.mv));
        Ok(heard(self.move_text(spoken.mv), spoken.comment))
    }

    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError> {
        self.state.forfeit(seats);
        self.events.push(Event::Eliminated(seats, why));
        Ok(())
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        Ok(self.state.outcome())
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
            true => self.state.moves(seat).into_iter().map(|mv| self.move_text(mv)).collect(),
            false => Vec::new(),
        })
    }
}
