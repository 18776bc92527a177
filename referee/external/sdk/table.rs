//! A running game of CodinGame's SDK.

use super::conversation::Conversation;
use super::course::{Course, Reply};
use super::message::{uncoloured, Call, Message};
use crate::escape::escape;
use crate::external::lines::SeatLines;
use crate::external::words::LARGEST_PLIES;
use crate::registry::drawing::{PositionTexts, Step};
use crate::registry::scene::Scene;
use crate::registry::table::{
    AcceptedMove, RejectedAnswer, Remarks, RulesError, StartParams, Table,
};
use arbitre_games::clock::Go;
use arbitre_games::dialect::{Init, Ready, LINE_LIMIT};
use arbitre_games::game::{Outcome, ParseError, Seat, Seats};
use arbitre_games::text::join;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem;
use std::time::Duration;

/// Most calls in a row that no player answers: of players that are out, or with no line to answer.
/// Not tuned; a game has at most 30 s by the SDK's own rule, and 50 ms a call.
const MOST_CALLS: usize = 10_000;
/// Characters that Java's `Scanner`, with which the SDK reads, takes for the end of a line.
const SEPARATORS: [char; 4] = ['\r', '\u{85}', '\u{2028}', '\u{2029}'];
/// Most frames of a stack trace that a failure shows. Not tuned.
const FRAMES: usize = 8;

/// Owner of the referees that play games.
pub trait Owner {
    /// Takes the referee of a game that is over.
    ///
    /// # Errors
    /// Returns an error if the game may not count.
    fn take_back(&self, referee: Conversation, course: &Course) -> Result<(), RulesError>;

    /// Takes the referee of a trial, which plays other trials.
    fn take_back_from_trial(&self, referee: Conversation);
}

/// Purpose of a table.
#[derive(Clone, Copy)]
pub enum Purpose<'g> {
    /// A game; its owner takes the referee back at the end.
    Game(&'g dyn Owner),
    /// The first moves of a game, which is then left.
    Trial(&'g dyn Owner),
    /// The course of a game, with the referee.
    Course,
}

/// Running game.
pub struct SdkTable<'g> {
    purpose: Purpose<'g>,
    /// Running referee; none once it was taken back, or has failed.
    referee: Option<Conversation>,
    course: Course,
    seats: Vec<SeatLines>,
    turn: Option<Turn>,
    /// Whether answers are sent with their time.
    has_monitoring: bool,
    out: Seats,
    outcome: Option<Outcome>,
    metadata: BTreeMap<String, String>,
    /// Texts of the newest turn.
    news: RefCell<News>,
    /// Whether a recorded game is repeated.
    is_replay: bool,
}

/// Call that a player is answering.
struct Turn {
    call: Call,
    /// Lines that it has answered.
    answer: Vec<String>,
    /// Time that they were charged, if the limit of the call holds.
    spent: Duration,
}

/// Texts of the newest turn, for people and for viewers.
#[derive(Default)]
struct News {
    /// Summary and tooltips.
    story: String,
    /// Data for a viewer.
    view: String,
    /// Whether they were given since they came.
    is_given: bool,
}

impl<'g> SdkTable<'g> {
    /// Begins a game of `seats` seats with the lines of its first message, and reads up to the
    /// first call.
    ///
    /// # Errors
    /// Returns an error if the game fails.
    pub fn new(
        purpose: Purpose<'g>,
        mut referee: Conversation,
        seats: usize,
        init: Vec<String>,
    ) -> Result<SdkTable<'g>, RulesError> {
        referee.games += 1;
        referee.send("INIT", &init)?;
        let mut table = SdkTable {
            purpose,
            referee: Some(referee),
            course: Course { init, ..Course::default() },
            seats: (0..seats).map(|_| SeatLines::default()).collect(),
            turn: None,
            has_monitoring: false,
            out: Seats::NONE,
            outcome: None,
            metadata: BTreeMap::new(),
            news: RefCell::default(),
            is_replay: false,
        };
        table.advance()?;
        Ok(table)
    }

    fn referee(&mut self) -> Result<&mut Conversation, RulesError> {
        self.referee.as_mut().ok_or_else(|| RulesError("the game failed before".into()))
    }

    /// Reads up to the next call that a player is to answer, or the end. After a failure the
    /// referee is of no use any more.
    fn advance(&mut self) -> Result<(), RulesError> {
        let read = self.read_on();
        if read.is_err() {
            self.referee = None;
        }
        read
    }

    fn read_on(&mut self) -> Result<(), RulesError> {
        self.turn = None;
        *self.news.get_mut() = News::default();
        for _ in 0..MOST_CALLS {
            let Some(call) = self.read_call()? else { return self.end() };
            if call.lines > 0 && !self.out.contains(call.seat) {
                self.turn = Some(Turn { call, answer: Vec::new(), spent: Duration::ZERO });
                return Ok(());
            }
            let reply = match call.lines {
                0 => Reply::Answer(0, Vec::new()),
                _ => Reply::Timeout,
            };
            self.reply(reply)?;
        }
        let what = format!("made {MOST_CALLS} calls that no player answers");
        Err(RulesError(format!("the game {what}")))
    }

    /// Reads up to the next call; none at the end of the game.
    fn read_call(&mut self) -> Result<Option<Call>, RulesError> {
        // A game that is over does not read it, and its process may have ended.
        let _ = self.referee()?.send("GET_GAME_INFO", &[]);
        let mut input = String::new();
        loop {
            let message = self.referee()?.read()?;
            let call = self.take_message(&message, &mut input)?;
            if message.name != "VIEW" {
                self.course.messages.push(message);
            }
            match call {
                Some(call) => {
                    self.seats[call.seat.index()].add(&input);
                    return Ok(Some(call));
                }
                None if self.outcome.is_some() => return Ok(None),
                None => {}
            }
        }
    }

    /// Takes note of a message. Returns the call of a player, with which it may end.
    fn take_message(
        &mut self,
        message: &Message,
        input: &mut String,
    ) -> Result<Option<Call>, RulesError> {
        let lines = || message.lines.iter();
        let news = self.news.get_mut();
        match &message.name[..] {
            "VIEW" => lines().for_each(|line| news.view += &format!("{line}\n")),
            "MONITORING" => self.has_monitoring = true,
            "SUMMARY" => lines().for_each(|line| news.story += &format!("{}\n", uncoloured(line))),
            "TOOLTIP" => message.lines.chunks(2).for_each(|tip| {
                let of = tip.get(1).map_or(String::new(), |seat| format!(" (player {seat})"));
                news.story += &format!("{}{of}\n", uncoloured(&tip[0]));
            }),
            "NEXT_PLAYER_INPUT" => *input = lines().map(|line| format!("{line}\n")).collect(),
            "NEXT_PLAYER_INFO" => return message.call(self.seats.len()).map(Some),
            "METADATA" => self.metadata = metadata_of(&message.lines),
            "SCORES" => {
                let scores = message.scores(self.seats.len())?;
                self.outcome = Some(Outcome { scores, out: Vec::new(), lower_is_better: false });
            }
            "FAIL" => return Err(failure_of(&message.lines)),
            // Of later versions of the SDK.
            _ => {}
        }
        Ok(None)
    }

    /// Replies to the call.
    fn reply(&mut self, reply: Reply) -> Result<(), RulesError> {
        let has_monitoring = self.has_monitoring;
        let referee = self.referee()?;
        match &reply {
            Reply::Timeout => referee.send("SET_PLAYER_TIMEOUT", &[])?,
            Reply::Answer(time, lines) => {
                let time = has_monitoring.then(|| time.to_string());
                let lines: Vec<String> = time.into_iter().chain(lines.iter().cloned()).collect();
                referee.send("SET_PLAYER_OUTPUT", &lines)?;
            }
        }
        self.course.replies.push(reply);
        Ok(())
    }

    /// Gives the referee back at the end, as it may play another game.
    fn end(&mut self) -> Result<(), RulesError> {
        match (self.purpose, self.referee.take()) {
            (Purpose::Game(owner), Some(referee)) => owner.take_back(referee, &self.course),
            (Purpose::Trial(owner), Some(referee)) => {
                owner.take_back_from_trial(referee);
                Ok(())
            }
            (_, referee) => {
                self.referee = referee;
                Ok(())
            }
        }
    }

    /// Answers the call with a line. The last one goes to the game.
    fn answer(&mut self, line: &str) -> Result<(), RulesError> {
        let no_call = || RulesError("the game expects no answer".into());
        let turn = self.turn.as_mut().ok_or_else(no_call)?;
        turn.answer.push(line.to_owned());
        if turn.answer.len() < turn.call.lines {
            return Ok(());
        }
        let reply = Reply::Answer(turn.spent.as_millis(), mem::take(&mut turn.answer));
        self.reply_and_advance(reply)
    }

    fn reply_and_advance(&mut self, reply: Reply) -> Result<(), RulesError> {
        let replied = self.reply(reply);
        if replied.is_err() {
            self.referee = None;
        }
        replied?;
        self.advance()
    }

    /// Takes a step of a recorded game.
    ///
    /// # Errors
    /// Returns an error if the game fails, or asks another seat.
    pub fn take(&mut self, step: &Step) -> Result<(), RulesError> {
        match *step {
            Step::Eliminated(seats) => self.forfeit(seats, ""),
            Step::Moved(seat, line) => match &self.turn {
                Some(turn) if turn.call.seat == seat => {
                    self.seats[seat.index()].hand_out();
                    self.answer(line)
                }
                turn => {
                    let now = turn
                        .as_ref()
                        .map_or("ends".into(), |turn| format!("calls seat {}", turn.call.seat));
                    Err(RulesError(format!(
                        "expected a move of seat {seat}, but the game {now}: it does not repeat \
                         itself"
                    )))
                }
            },
        }
    }

    /// Plays on by the replies of another game. Returns the course, and the referee unless it has
    /// failed.
    ///
    /// # Errors
    /// Returns an error if the game fails.
    pub fn replay_course(
        mut self,
        replies: &[Reply],
    ) -> Result<(Course, Option<Conversation>), RulesError> {
        // A call without lines is replied to by itself.
        let is_of_player =
            |reply: &&Reply| !matches!(reply, Reply::Answer(_, lines) if lines.is_empty());
        for reply in replies.iter().filter(is_of_player) {
            if self.turn.is_none() {
                break;
            }
            self.reply_and_advance(reply.clone())?;
        }
        Ok((mem::take(&mut self.course), self.referee.take()))
    }

    /// Returns the story of the turn, and the newest lines of these seats.
    fn text_of(&self, seats: Seats) -> String {
        let mut text = self.news.borrow().story.clone();
        for (seat, lines) in seats.iter().map(|seat| (seat, &self.seats[seat.index()])) {
            if !lines.newest().is_empty() {
                text += &lines.text(seat);
            }
        }
        text
    }

    /// Returns the text of the position for people.
    pub fn text(&self) -> String {
        let called = self.turn.as_ref().map(|turn| turn.call.seat);
        self.text_of(called.map_or(Seats::NONE, Seats::one))
    }

    fn all(&self) -> Seats {
        Seats::first(self.seats.len())
    }

    /// Returns the scene that a page shows.
    pub fn scene(&self) -> Scene {
        let scores = self.outcome.as_ref().map_or(Vec::new(), |outcome| outcome.scores.clone());
        Scene { scores, ..Scene::picture(self.text_of(self.all())) }
    }
}

impl Drop for SdkTable<'_> {
    /// Lets all players be late for the rest of a trial, as its process then plays another.
    fn drop(&mut self) {
        if matches!(self.purpose, Purpose::Trial(_)) && self.referee.is_some() {
            let _ = self.forfeit(self.all(), "");
        }
    }
}

/// Returns the values that a game publishes at its end.
fn metadata_of(lines: &[String]) -> BTreeMap<String, String> {
    let values: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&lines.concat()).unwrap_or_default();
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        value => value.to_string(),
    };
    values.into_iter().map(|(key, value)| (key, text(value))).collect()
}

/// Returns the failure of a game with its stack trace, in one line.
fn failure_of(trace: &[String]) -> RulesError {
    let lines = trace.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let is_frame = |line: &&str| line.starts_with("at ");
    let shown =
        lines.clone().take_while(|line| !is_frame(line)).chain(lines.filter(is_frame).take(FRAMES));
    RulesError(escape(&join(shown, ", ")))
}

impl Table for SdkTable<'_> {
    fn most_plies(&self) -> Option<usize> {
        Some(LARGEST_PLIES)
    }

    fn seats(&self) -> usize {
        self.seats.len()
    }

    fn replay(&mut self, _accepted: &[usize]) {
        self.is_replay = true;
    }

    fn texts(&self) -> Result<Option<PositionTexts>, RulesError> {
        if self.is_replay {
            return Ok(None);
        }
        let mut news = self.news.borrow_mut();
        let view = if news.is_given { String::new() } else { news.view.clone() };
        news.is_given = true;
        drop(news);
        Ok(Some(PositionTexts { text: self.text(), picture: self.text_of(self.all()), view }))
    }

    fn to_move(&self) -> Result<Seats, RulesError> {
        Ok(self.turn.as_ref().map_or(Seats::NONE, |turn| Seats::one(turn.call.seat)))
    }

    fn time_limit(&self, _seat: Seat) -> Option<Duration> {
        self.turn.as_ref().map(|turn| turn.call.limit.saturating_sub(turn.spent))
    }

    fn charge(&mut self, _seat: Seat, spent: Duration) {
        if let Some(turn) = &mut self.turn {
            turn.spent += spent;
        }
    }

    /// A bot's lines stay in its pipe until the game asks for them, as in the arena.
    fn takes_early_answers(&self) -> bool {
        true
    }

    fn line_limit(&self, _seat: Seat) -> usize {
        LINE_LIMIT
    }

    fn open(&mut self, _start: &StartParams, _out: &mut String) -> Result<Init, RulesError> {
        Ok(Init::UntilRead)
    }

    fn hear_ready(&mut self, _seat: Seat, _line: &str) -> Result<Ready, ParseError> {
        Err(ParseError::new("expected no 'ready' in this dialect"))
    }

    fn ask(&mut self, seat: Seat, _go: Go, out: &mut String) -> Result<(), RulesError> {
        *out += self.seats[seat.index()].hand_out();
        Ok(())
    }

    fn hear(&mut self, _seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        if line.contains(SEPARATORS) {
            let what =
                "expected lines that end with \\n, got another separator of lines inside one";
            return Err(RejectedAnswer::Invalid(what.into()));
        }
        self.answer(line).map_err(RejectedAnswer::Rules)?;
        Ok(AcceptedMove { mv: line.to_owned(), comment: None })
    }

    /// The game learns of a fault when it calls the player, and decides what follows.
    fn forfeit(&mut self, seats: Seats, _why: &'static str) -> Result<(), RulesError> {
        seats.iter().for_each(|seat| self.out.insert(seat));
        match &self.turn {
            Some(turn) if self.out.contains(turn.call.seat) => {
                self.reply_and_advance(Reply::Timeout)
            }
            _ => Ok(()),
        }
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        Ok(self.outcome.clone())
    }

    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError> {
        let losers = Some(losers).filter(|losers| !losers.is_empty());
        let scores = vec![0; self.seats.len()];
        Ok(Outcome { scores, out: losers.into_iter().collect(), lower_is_better: false })
    }

    fn close(&mut self, seat: Seat, _: &Outcome, out: &mut String) -> Result<(), RulesError> {
        *out += &self.seats[seat.index()].take_rest();
        Ok(())
    }

    fn position(&self, seat: Seat) -> Result<String, RulesError> {
        Ok(self.seats[seat.index()].in_one_line())
    }

    fn remarks(&self) -> Remarks {
        Remarks { reason: None, metadata: self.metadata.clone() }
    }
}
