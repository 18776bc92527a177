//! A running game of a referee program.

use super::conversation::{AnswerLines, Command, Conversation, MOST_BYTES};
use crate::external::lines::SeatLines;
use crate::external::words::MOST_PLIES;
use crate::registry::drawing::{PositionTexts, Step};
use crate::registry::scene::Scene;
use crate::registry::table::{AcceptedMove, RejectedAnswer, RulesError, StartParams, Table};
use arbitre_games::clock::Go;
use arbitre_games::dialect::{Init, Ready, LINE_LIMIT};
use arbitre_games::game::{Outcome, ParseError, Seat, Seats};
use arbitre_games::text::join;
use std::time::Duration;

/// Line that the program reads in place of a line of a seat that is out. No game takes it for a
/// move.
pub const OUT: &str = "OUT";

/// Remaining time of a seat without a limit, in milliseconds.
const UNTIMED: &str = "-1";
/// Largest number of requests in a row to seats that are out. Not tuned.
const MOST_REQUESTS: usize = 10_000;

/// Running game of a referee program.
pub struct RefereeTable {
    /// Running program; none once the game is over, or the program has failed.
    conversation: Option<Conversation>,
    seats: Vec<SeatLines>,
    /// Request for an answer; none once a seat is accused.
    asked: Option<Request>,
    /// Seat whose answer the program forbids, with the reason. Nothing more is read before the seat
    /// is out.
    accused: Option<(Seat, String)>,
    /// Whether the program reads the remaining time before each answer.
    tells_time: bool,
    /// Groups of seats that are out, the earliest first.
    out: Vec<Seats>,
    outcome: Option<Outcome>,
    /// Whether a recorded game is repeated.
    is_replay: bool,
}

/// Request of the program for an answer.
struct Request {
    seat: Seat,
    /// Lines to come.
    lines: AnswerLines,
    /// Whether the program has read the remaining time, if it does.
    has_time: bool,
}

impl RefereeTable {
    /// Reads up to the first request of a program that was started.
    pub fn new(conversation: Conversation, seats: usize) -> Result<RefereeTable, RulesError> {
        let conversation = Some(conversation);
        let seats = (0..seats).map(|_| SeatLines::default()).collect();
        let mut table = RefereeTable {
            conversation,
            seats,
            asked: None,
            accused: None,
            tells_time: false,
            out: Vec::new(),
            outcome: None,
            is_replay: false,
        };
        table.advance()?;
        Ok(table)
    }

    /// Returns the lines before the first request, and the request itself.
    pub fn start_text(&self) -> String {
        let mut text = String::new();
        for (seat, lines) in self.seats.iter().enumerate() {
            lines.newest().lines().for_each(|line| text += &format!("{line} (for seat {seat})\n"));
        }
        match &self.asked {
            Some(Request { seat, lines, .. }) => text + &format!("###Output {seat} {lines}\n"),
            None => text + &format!("###End {:?} {:?}\n", self.accused, self.outcome),
        }
    }

    fn conversation(&mut self) -> Result<&mut Conversation, RulesError> {
        let failed = || RulesError("the referee program failed before".into());
        self.conversation.as_mut().ok_or_else(failed)
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.out.iter().any(|group| group.contains(seat))
    }

    /// Reads up to the next request to a seat that is in the game, its accusation, or the end.
    fn advance(&mut self) -> Result<(), RulesError> {
        let read = self.read_on();
        if read.is_err() {
            self.conversation = None;
        }
        read
    }

    fn read_on(&mut self) -> Result<(), RulesError> {
        self.asked = None;
        for _ in 0..MOST_REQUESTS {
            let Some((seat, lines)) = self.read_request()? else { return Ok(()) };
            let request = Request { seat, lines, has_time: false };
            if !self.is_out(seat) {
                self.asked = Some(request);
                return Ok(());
            }
            self.skip(&request)?;
        }
        Err(RulesError(format!(
            "the referee program asked seats that are out {MOST_REQUESTS} times"
        )))
    }

    /// Reads up to the next request, and returns its seat and lines; none at the end of the game,
    /// and after an accusation.
    ///
    /// Lines without a command are for the seat of the last `###Input`. Others are skipped, up to
    /// [`MOST_BYTES`]. cg-brutaltester (`GameThread.java`, `OldGameThread.java`) does so in its new
    /// mode: it logs lines before a score as an error, and reads on. In its old mode it repeats a
    /// line that begins with no command that it knows, also `###Error`, for ever.
    fn read_request(&mut self) -> Result<Option<(Seat, AnswerLines)>, RulesError> {
        let (mut target, mut bytes) = (None, 0);
        loop {
            let (command, length) = self.conversation()?.read()?;
            bytes += length;
            if bytes > MOST_BYTES {
                let what = format!("at most {MOST_BYTES} bytes before ###Output");
                return Err(RulesError(format!("expected {what}, got more")));
            }
            match command {
                Command::Input(seat) => target = Some(seat),
                Command::Output(seat, lines) => return Ok(Some((seat, lines))),
                Command::End(groups) => return self.end(&groups).map(|()| None),
                Command::Illegal(seat, why) if !self.is_out(seat) => {
                    self.accused = Some((seat, why));
                    return Ok(None);
                }
                Command::TellTime => self.tells_time = true,
                Command::Illegal(..) | Command::Remark => target = None,
                Command::Text(line) => match target {
                    Some(seat) => self.seats[Seat::index(seat)].add(&(line + "\n")),
                    None => self.conversation()?.skip(&line),
                },
            }
        }
    }

    /// Answers in place of a seat that is out.
    fn skip(&mut self, request: &Request) -> Result<(), RulesError> {
        if self.tells_time && !request.has_time {
            self.tell_time(request.seat, Go::Move(Duration::ZERO))?;
        }
        let conversation = self.conversation()?;
        match &request.lines {
            AnswerLines::Count(lines) => (0..*lines).try_for_each(|_| conversation.send(OUT)),
            AnswerLines::Until(word) => {
                conversation.send(OUT)?;
                conversation.send(word)
            }
        }
    }

    /// Tells the program the remaining time of a seat.
    fn tell_time(&mut self, seat: Seat, go: Go) -> Result<(), RulesError> {
        let millis = match go {
            Go::Untimed => UNTIMED.to_owned(),
            Go::Move(time) | Go::Game { remaining: time, .. } => time.as_millis().to_string(),
        };
        self.conversation()?.send(&format!("###Time {seat} {millis}"))
    }

    /// Tells the program the remaining time of the seat that is asked, once per request.
    fn begin_answer(&mut self, go: Go) -> Result<(), RulesError> {
        match &mut self.asked {
            Some(request) if self.tells_time && !request.has_time => {
                request.has_time = true;
                let seat = request.seat;
                self.tell_time(seat, go)
            }
            _ => Ok(()),
        }
    }

    /// Ends the game with this ranking.
    fn end(&mut self, groups: &[Seats]) -> Result<(), RulesError> {
        let all = Seats::first(self.seats.len());
        let is_ranked = |seat: &Seat| groups.iter().any(|group| group.contains(*seat));
        if let Some(seat) = all.iter().find(|seat| !is_ranked(seat) && !self.is_out(*seat)) {
            let ranking = groups.iter().map(|group| join(group.iter(), "")).collect::<Vec<_>>();
            return Err(RulesError(format!(
                "expected ###End with every seat, got '###End {}' without seat {seat}",
                ranking.join(" ")
            )));
        }
        let mut scores = vec![0; self.seats.len()];
        let mut behind = 0;
        for group in groups.iter().rev() {
            group.iter().for_each(|seat| scores[seat.index()] = behind);
            behind += group.len() as i64;
        }
        self.finish(scores);
        Ok(())
    }

    /// Ends the game and the program.
    fn finish(&mut self, scores: Vec<i64>) {
        let out = self.out.clone();
        self.outcome = Some(Outcome { scores, out, lower_is_better: false });
        self.conversation = None;
    }

    /// Takes a step of a recorded game.
    pub fn take(&mut self, step: &Step) -> Result<(), RulesError> {
        match *step {
            Step::Eliminated(seats) => self.forfeit(seats, ""),
            Step::Moved(seat, line) => match self.asked.as_ref().map(|asked| asked.seat) {
                Some(asked) if asked == seat => {
                    self.seats[seat.index()].hand_out();
                    // A step does not have its time.
                    self.begin_answer(Go::Untimed)?;
                    self.answer(line)
                }
                Some(asked) => Err(RulesError(format!(
                    "expected a move of seat {seat}, but the referee program asks seat {asked}: it \
                     does not repeat the game"
                ))),
                None => Err(RulesError(format!(
                    "expected a move of seat {seat}, but the referee program ends: it does not \
                     repeat the game"
                ))),
            },
        }
    }

    /// Passes a line of the seat that is asked to the program.
    fn answer(&mut self, line: &str) -> Result<(), RulesError> {
        let sent = self.conversation()?.send(line);
        if sent.is_err() {
            self.conversation = None;
        }
        sent?;
        match self.asked.as_mut().map(|asked| &mut asked.lines) {
            Some(AnswerLines::Count(lines @ 2..)) => {
                *lines -= 1;
                Ok(())
            }
            Some(AnswerLines::Until(word)) if line.trim() != *word => Ok(()),
            _ => self.advance(),
        }
    }

    fn lines_of(&self, seat: Seat) -> String {
        self.seats[seat.index()].text(seat)
    }

    /// Returns the newest lines of the seat that is asked.
    pub fn lines_of_asked(&self) -> String {
        self.asked.as_ref().map_or(String::new(), |asked| self.lines_of(asked.seat))
    }

    /// Returns the newest lines of every seat.
    fn lines_of_all(&self) -> String {
        Seats::first(self.seats.len()).iter().map(|seat| self.lines_of(seat)).collect()
    }

    /// Returns the scene that a page shows: the newest lines of every seat.
    pub fn scene(&self) -> Scene {
        let text = self.lines_of_all();
        let scores = self.outcome.as_ref().map_or(Vec::new(), |outcome| outcome.scores.clone());
        Scene { scores, ..Scene::picture(text) }
    }
}

impl Table for RefereeTable {
    fn most_plies(&self) -> Option<usize> {
        Some(MOST_PLIES)
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
        let (text, picture) = (self.lines_of_asked(), self.lines_of_all());
        Ok(Some(PositionTexts { text, picture, ..PositionTexts::default() }))
    }

    fn to_move(&self) -> Result<Seats, RulesError> {
        Ok(self.asked.as_ref().map_or(Seats::NONE, |asked| Seats::one(asked.seat)))
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

    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError> {
        *out += self.seats[seat.index()].hand_out();
        self.begin_answer(go)
    }

    fn hear(&mut self, _seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        self.answer(line).map_err(RejectedAnswer::Rules)?;
        Ok(AcceptedMove { mv: line.to_owned(), comment: None })
    }

    fn forfeit(&mut self, seats: Seats, _why: &'static str) -> Result<(), RulesError> {
        self.out.push(seats);
        let left = Seats::first(self.seats.len()).iter().filter(|seat| !self.is_out(*seat)).count();
        self.accused = None;
        match self.asked.take() {
            _ if left < 2 => {
                self.finish(vec![0; self.seats.len()]);
                Ok(())
            }
            Some(request) if self.is_out(request.seat) => {
                self.skip(&request)?;
                self.advance()
            }
            None if self.outcome.is_none() => self.advance(),
            asked => {
                self.asked = asked;
                Ok(())
            }
        }
    }

    fn accusation(&mut self) -> Option<(Seat, String)> {
        self.accused.take()
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        Ok(self.outcome.clone())
    }

    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError> {
        let losers = Some(losers).filter(|losers| !losers.is_empty());
        let out = self.out.iter().copied().chain(losers).collect();
        Ok(Outcome { scores: vec![0; self.seats.len()], out, lower_is_better: false })
    }

    fn close(&mut self, seat: Seat, _: &Outcome, out: &mut String) -> Result<(), RulesError> {
        *out += &self.seats[seat.index()].take_rest();
        Ok(())
    }

    fn position(&self, seat: Seat) -> Result<String, RulesError> {
        Ok(self.seats[seat.index()].in_one_line())
    }
}
