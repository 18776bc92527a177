//! `arbitre`, the default dialect: one line is one message, and its first word is the keyword.
//! Messages with unknown keywords are ignored.
//!
//! ```text
//! referee                                  bot
//! arbitre 1
//! game awele grand-slam=nothing …
//! seats 2 you 0
//! clock fair first 1000 move 100
//! seed 8121985327
//! setup opening 2 5 0
//! begin                                    ready NAME [terse] [again]
//! moved 1 3
//! state 4 4 …
//! legal 0 2 5
//! go 100                                   3 # a comment
//! result 25 23
//! ```

use crate::clock::{Clock, Go};
use crate::dialect::{
    check_seats, BotAction, BotEnd, DialectInfo, Event, GameContext, GameEnd, Init, Notation,
    ParsedAnswer, Ready, RefereeEnd, Start, Turn,
};
use crate::game::{ParseError, Seat, Seats, State};
use std::fmt::{self, Write};

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo {
    name: "arbitre",
    max_seats: Seats::CAPACITY,
    tells_openings: true,
    has_keywords: true,
    kills_at_end: false,
    tells_rules: true,
};
/// Version of the dialect that this project speaks.
pub const VERSION: u32 = 1;
/// Length limit of a player's name in bytes.
pub const NAME_LIMIT: usize = 64;

/// One line from the referee to a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message<'a> {
    /// Version of the dialect; only ever the first line of a process.
    Arbitre(u32),
    /// Start of a new game: its name, and its resolved options.
    Game(&'a str, &'a str),
    /// Number of seats, and the seat of the bot.
    Seats(usize, Seat),
    /// Limits of the bot.
    Clock(Clock),
    /// Seed for the bot's random choices.
    Seed(u64),
    /// A line of the setup.
    Setup(&'a str),
    /// End of the header; answer when ready.
    Begin,
    /// Move of another seat.
    Moved(Seat, &'a str),
    /// Elimination of a seat, with a word for the reason.
    Out(Seat, &'a str),
    /// Position, as the bot sees it.
    State(&'a str),
    /// Legal moves, separated by blanks.
    Legal(&'a str),
    /// Request for a move.
    Go(Go),
    /// Scores by seat.
    Result(Vec<i64>),
    /// A message with a keyword unknown to this version.
    Unknown,
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Arbitre(version) => write!(f, "arbitre {version}"),
            Message::Game(name, "") => write!(f, "game {name}"),
            Message::Game(name, rules) => write!(f, "game {name} {rules}"),
            Message::Seats(count, you) => write!(f, "seats {count} you {you}"),
            Message::Clock(clock) => write!(f, "clock {clock}"),
            Message::Seed(seed) => write!(f, "seed {seed}"),
            Message::Setup(text) => write!(f, "setup {text}"),
            Message::Begin => f.write_str("begin"),
            Message::Moved(seat, text) => write!(f, "moved {seat} {text}"),
            Message::Out(seat, why) => write!(f, "out {seat} {why}"),
            Message::State(text) => write!(f, "state {text}"),
            Message::Legal(moves) => write!(f, "legal {moves}"),
            Message::Go(go) => go.fmt(f),
            Message::Result(scores) => {
                f.write_str("result")?;
                scores.iter().try_for_each(|score| write!(f, " {score}"))
            }
            Message::Unknown => Ok(()),
        }
    }
}

impl<'a> Message<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// Returns an error if a known keyword has invalid arguments.
    pub fn parse(line: &'a str) -> Result<Message<'a>, ParseError> {
        let (word, rest) = split_word(line);
        let malformed = || ParseError::new(format!("expected '{}', got '{line}'", form(word)));
        let seat_and_word = || {
            let (seat, text) = split_word(rest);
            Some((parse_seat(seat)?, text))
        };
        Ok(match word {
            "arbitre" => Message::Arbitre(rest.parse().map_err(|_| malformed())?),
            "game" => {
                let (name, rules) = split_word(rest);
                Message::Game(name, rules)
            }
            "seats" => {
                let (count, rest) = split_word(rest);
                let you = rest.strip_prefix("you ").and_then(parse_seat).ok_or_else(malformed)?;
                let count = count.parse().map_err(|_| malformed())?;
                if !(you.index() + 1..=Seats::CAPACITY).contains(&count) {
                    return Err(malformed());
                }
                Message::Seats(count, you)
            }
            "clock" => Message::Clock(Clock::parse(rest)?),
            "seed" => Message::Seed(rest.parse().map_err(|_| malformed())?),
            "setup" => Message::Setup(rest),
            "begin" => Message::Begin,
            "moved" => {
                let (seat, text) = seat_and_word().ok_or_else(malformed)?;
                Message::Moved(seat, text)
            }
            "out" => {
                let (seat, why) = seat_and_word().ok_or_else(malformed)?;
                Message::Out(seat, why)
            }
            "state" => Message::State(rest),
            "legal" => Message::Legal(rest),
            "go" => Message::Go(Go::parse(rest)?),
            "result" => {
                let scores: Result<_, _> = rest.split_ascii_whitespace().map(str::parse).collect();
                Message::Result(scores.map_err(|_| malformed())?)
            }
            _ => Message::Unknown,
        })
    }
}

/// Returns the form of the messages with this keyword, for errors.
fn form(word: &str) -> &'static str {
    match word {
        "arbitre" => "arbitre VERSION",
        "seats" => "seats COUNT you SEAT",
        "seed" => "seed NUMBER",
        "moved" => "moved SEAT MOVE",
        "out" => "out SEAT REASON",
        _ => "result SCORE…",
    }
}

fn parse_seat(word: &str) -> Option<Seat> {
    word.parse().ok().filter(|&number: &usize| number < Seats::CAPACITY).map(Seat::new)
}

/// Splits off the first word, and trims the rest.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

/// The referee's end of the dialect.
#[derive(Debug, Default)]
pub struct ArbitreReferee {
    terse: bool,
}

fn push(out: &mut String, message: &Message) {
    writeln!(out, "{message}").expect("writing to a string succeeds");
}

impl ArbitreReferee {
    fn write_news<G: Notation>(game: &G, seat: Seat, news: &[Event<G::Move>], out: &mut String) {
        for event in news {
            match *event {
                // The player knows its own moves.
                Event::Moved(mover, _) if mover == seat => {}
                Event::Moved(mover, mv) => {
                    write!(out, "moved {mover} ").expect("writing to a string succeeds");
                    game.write_move(mv, out);
                    out.push('\n');
                }
                Event::Eliminated(seats, why) => {
                    seats.iter().for_each(|seat| push(out, &Message::Out(seat, why)));
                }
            }
        }
    }

    fn write_position<G: Notation>(turn: &Turn<G>, out: &mut String) {
        out.push_str("state ");
        turn.game.write_state(turn.state, turn.seat, out);
        out.push('\n');
        if G::LISTS_LEGAL_MOVES {
            out.push_str("legal");
            for mv in turn.state.moves(turn.seat) {
                out.push(' ');
                turn.game.write_move(mv, out);
            }
            out.push('\n');
        }
    }
}

impl<G: Notation> RefereeEnd<G> for ArbitreReferee {
    fn line_limit(&self) -> usize {
        G::ANSWER_LIMIT
    }

    fn open(&mut self, context: &GameContext<G>, out: &mut String) -> Init {
        if !context.kept {
            push(out, &Message::Arbitre(VERSION));
        }
        push(out, &Message::Game(G::META.name, &context.game.rules()));
        push(out, &Message::Seats(context.seats, context.seat));
        push(out, &Message::Clock(context.clock.clone()));
        push(out, &Message::Seed(context.seed));
        for line in context.game.setup_lines(context.setup, context.seat) {
            push(out, &Message::Setup(&line));
        }
        push(out, &Message::Begin);
        Init::UntilReady
    }

    fn read_ready(&mut self, line: &str) -> Result<Ready, ParseError> {
        let ready = read_ready(line)?;
        self.terse = ready.terse;
        Ok(ready)
    }

    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String) {
        Self::write_news(turn.game, turn.seat, turn.news, out);
        if !self.terse {
            Self::write_position(turn, out);
        }
        push(out, &Message::Go(turn.go));
    }

    fn read_move<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, G::Move>, ParseError> {
        let (word, comment) = split_comment(line, false);
        Ok(ParsedAnswer { mv: game.parse_move(word)?, comment })
    }

    fn read_path<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Vec<G::Move>>, ParseError> {
        let (path, comment) = split_comment(line, G::IS_VERBATIM);
        Ok(ParsedAnswer { mv: game.parse_path(path)?, comment })
    }

    fn close(&mut self, end: &GameEnd<G>, out: &mut String) {
        Self::write_news(end.game, end.seat, end.news, out);
        push(out, &Message::Result(end.scores.to_vec()));
    }
}

/// Parses the answer to `begin`.
///
/// # Errors
/// Returns an error if the line is anything else.
pub fn read_ready(line: &str) -> Result<Ready, ParseError> {
    let expected = |what: &str| Err(ParseError::new(format!("expected 'ready NAME', {what}")));
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("ready") {
        return expected("and nothing before it");
    }
    let mut ready = Ready::default();
    match words.next() {
        Some(name) if name.len() <= NAME_LIMIT => ready.name = name.into(),
        Some(_) => return expected("the name of 64 bytes at most"),
        None => return expected("but there is no name"),
    }
    for word in words {
        match word {
            "terse" => ready.terse = true,
            "again" => ready.again = true,
            _ => {}
        }
    }
    Ok(ready)
}

/// Splits an answer from its comment, and trims both. A verbatim answer keeps its blanks, except
/// one before a comment.
pub fn split_comment(line: &str, is_verbatim: bool) -> (&str, Option<&str>) {
    match line.split_once('#') {
        Some((answer, comment)) => {
            let verbatim = answer.strip_suffix(' ').unwrap_or(answer);
            (if is_verbatim { verbatim } else { answer.trim() }, Some(comment.trim()))
        }
        None => (if is_verbatim { line } else { line.trim() }, None),
    }
}

/// The bot's end of the dialect, which keeps the board.
pub struct ArbitreBot<G: Notation> {
    /// Seed in place of the referee's, if the bot has one of its own.
    seed: Option<u64>,
    header: Header,
    start: Option<Start<G>>,
}

/// Information collected between `game` and `begin`.
#[derive(Default)]
struct Header {
    rules: String,
    seats: Option<(usize, Seat)>,
    clock: Clock,
    seed: u64,
    setup: Vec<String>,
}

impl Header {
    fn start<G: Notation>(&mut self) -> Result<Start<G>, ParseError> {
        let header = std::mem::take(self);
        let missing = || ParseError::new("expected 'seats' before 'begin', got none");
        let (seats, seat) = header.seats.ok_or_else(missing)?;
        let game = G::from_rules(&header.rules)?;
        let lines: Vec<&str> = header.setup.iter().map(String::as_str).collect();
        let setup = game.parse_setup(&lines, seat)?;
        check_seats(&game, &setup, seats)?;
        let state = game.start(&setup)?;
        Ok(Start { game, state, seat, seats, clock: header.clock, seed: header.seed })
    }
}

impl<G: Notation> ArbitreBot<G> {
    /// Creates an end without a game. `seed` replaces that of the referee.
    pub fn new(seed: Option<u64>) -> ArbitreBot<G> {
        ArbitreBot { seed, header: Header::default(), start: None }
    }

    fn playing(&mut self) -> Result<&mut Start<G>, ParseError> {
        self.start
            .as_mut()
            .ok_or_else(|| ParseError::new("expected a game to begin first, got none"))
    }
}

impl<G: Notation> BotEnd<G> for ArbitreBot<G> {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, G>, ParseError> {
        match Message::parse(line)? {
            Message::Arbitre(VERSION) => {}
            Message::Arbitre(version) => {
                let message = format!("expected arbitre {VERSION}, got arbitre {version}");
                return Err(ParseError::new(message));
            }
            Message::Game(name, rules) => {
                if name != G::META.name {
                    let message = format!("expected game {}, got '{name}'", G::META.name);
                    return Err(ParseError::new(message));
                }
                let seed = self.seed.unwrap_or(0);
                self.header = Header { rules: rules.into(), seed, ..Header::default() };
            }
            Message::Seats(count, you) => self.header.seats = Some((count, you)),
            Message::Clock(clock) => self.header.clock = clock,
            Message::Seed(seed) => self.header.seed = self.seed.unwrap_or(seed),
            Message::Setup(text) => self.header.setup.push(text.into()),
            Message::Begin => return Ok(BotAction::Begin(self.start.insert(self.header.start()?))),
            Message::Moved(seat, text) => {
                let Start { game, state, .. } = self.playing()?;
                let mv = game.parse_move(text)?;
                let illegal =
                    |why| ParseError::new(format!("expected a legal move, got '{line}': {why}"));
                state.play(seat, mv).map_err(illegal)?;
            }
            Message::Out(seat, _) => self.playing()?.state.forfeit(Seats::one(seat)),
            Message::Go(go) => {
                let Start { state, seat, .. } = self.playing()?;
                if !state.to_move().contains(*seat) {
                    let why = "expected 'go' on this bot's turn, got it on another";
                    return Err(ParseError::new(why));
                }
                return Ok(BotAction::Choose(state, *seat, go));
            }
            Message::Result(_) => return Ok(BotAction::Over),
            // This end keeps the board itself, and ignores unknown messages.
            Message::State(_) | Message::Legal(_) | Message::Unknown => {}
        }
        Ok(BotAction::Listen)
    }

    fn ready(&mut self, ready: &Ready, out: &mut String) {
        let word = |on: bool, word: &'static str| if on { word } else { "" };
        let (terse, again) = (word(ready.terse, " terse"), word(ready.again, " again"));
        writeln!(out, "ready {}{terse}{again}", ready.name).expect("writing to a string succeeds");
    }

    fn answer(&mut self, mv: G::Move, comment: &str, out: &mut String) {
        let Start { game, state, seat, .. } = self.start.as_mut().expect("a game is being played");
        game.write_move(mv, out);
        push_comment(comment, out);
        state.play_unchecked(*seat, mv);
    }

    fn answer_path(&mut self, path: &[G::Move], comment: &str, out: &mut String) {
        let Start { game, state, seat, .. } = self.start.as_mut().expect("a game is being played");
        game.write_path(path, out);
        push_comment(comment, out);
        path.iter().for_each(|&mv| state.play_unchecked(*seat, mv));
    }
}

/// Ends an answer, with its comment if there is one.
fn push_comment(comment: &str, out: &mut String) {
    if !comment.is_empty() {
        write!(out, " # {comment}").expect("writing to a string succeeds");
    }
    out.push('\n');
}
