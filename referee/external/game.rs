//! A game whose rules run in another process.

use super::recorded::shown;
use super::words::{Status, END, LARGEST_PLIES, MOST_PLIES, VERSION};
use crate::player::{Player, Shutdown};
use crate::registry::drawing::{PositionTexts, Step, View};
use crate::registry::scene::{GameScenes, Scene};
use crate::registry::table::{
    AcceptedMove, RejectedAnswer, Remarks, RulesError, StartParams, Table,
};
use crate::registry::{find_dialect, DynGame, GameTraits, Setups, Speech, RAW};
use arbitre_games::clock::Go;
use arbitre_games::dialect::{DialectInfo, Init, Ready, LINE_LIMIT};
use arbitre_games::dialects::arbitre::{self, Message};
use arbitre_games::game::{Meta, Outcome, ParseError, Seat, Seats};
use arbitre_games::rng::Rng;
use arbitre_games::text::join;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::stopwatch::Limit;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time for an answer of the rules.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time beyond [`PATIENCE`] after which the referee itself was away, as it looks at the rules when
/// that is over. Not tuned.
const AWAY: Duration = Duration::from_millis(500);
/// Largest number of lines of an answer. Not tuned.
const MOST_LINES: usize = 10_000;
/// Most bytes of an answer: 4 MiB. Not tuned.
const MOST_BYTES: usize = 4 << 20;
/// Longest line of an answer in bytes: pictures are longer than moves. Not tuned.
const LINE: usize = 1 << 20;

/// Game whose rules run in another process. Each thread has a process of its own, which is kept
/// between games.
pub struct ExternalGame {
    rules: Arc<Rules>,
    about: Description,
}

/// Program of the rules, and those of its processes that wait for work.
struct Rules {
    program: Program,
    /// Options as asked for first, then as resolved.
    options: String,
    processes: ProcessGroups,
    waiting: Mutex<Vec<Process>>,
}

impl ExternalGame {
    /// Starts the rules with these options.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, does not speak the protocol, or does not
    /// know the options.
    pub fn open(program: Program, options: &str) -> Result<ExternalGame, RulesError> {
        let rules = Rules {
            program,
            options: options.into(),
            processes: ProcessGroups::default(),
            waiting: Mutex::default(),
        };
        let (process, lines) = again_if_away(PATIENCE, || rules.begin())?;
        let about = described(&lines)?;
        rules.waiting.lock().expect("no thread panics while it holds the lock").push(process);
        let rules = Arc::new(Rules { options: about.options.clone(), ..rules });
        Ok(ExternalGame { rules, about })
    }

    /// Returns the default length of its openings, in plies.
    pub fn opening_plies(&self) -> usize {
        self.about.opening_plies
    }

    /// Returns the dialect of its players.
    pub fn speech(&self) -> &'static DialectInfo {
        if self.about.is_raw {
            &RAW
        } else {
            &arbitre::INFO
        }
    }
}

/// Description of a game by its rules.
struct Description {
    meta: Meta,
    traits: GameTraits,
    opening_plies: usize,
    /// Most plies of a game.
    most_plies: usize,
    options: String,
    /// Whether its players read the lines of `ask`, and nothing else.
    is_raw: bool,
}

/// Reads the description of a game.
fn described(lines: &[String]) -> Result<Description, RulesError> {
    let value = |word: &str| after(lines, word);
    let expected =
        |what: &str| RulesError(format!("expected a line '{what}' about the game, got none"));
    let name = value("game").filter(|name| is_name(name)).ok_or_else(|| expected("game NAME"))?;
    let seats = value("seats").and_then(|seats| {
        let (least, most) = seats.split_once(' ')?;
        Some((least.parse().ok()?, most.parse().ok()?))
    });
    let seats = seats.filter(|&(least, most)| (1..=most).contains(&least) && most <= 8);
    // A process plays one game, so the texts of its description live as long as it does.
    let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let number = |word: &str, absent| match value(word) {
        None => Ok(absent),
        Some(text) => text.parse().map_err(|_| expected(&format!("{word} NUMBER"))),
    };
    let meta = Meta {
        name: kept(name),
        title: kept(value("title").unwrap_or(name)),
        summary: kept(value("summary").unwrap_or("rules in a process of its own")),
        seats: seats.ok_or_else(|| expected("seats LEAST MOST, from 1 to 8"))?,
        lower_is_better: value("lower-is-better").is_some(),
    };
    let is_raw = value("raw").is_some();
    let traits = GameTraits {
        lists_legal_moves: value("lists-legal").is_some(),
        is_verbatim: is_raw || value("verbatim").is_some(),
        answer_limit: number("answer-limit", LINE_LIMIT)?,
    };
    let most_plies = number("plies", MOST_PLIES)?;
    if most_plies > LARGEST_PLIES {
        let why = format!("expected at most {LARGEST_PLIES} plies of a game, got {most_plies}");
        return Err(RulesError(why));
    }
    let (opening_plies, options) = (number("openings", 0)?, value("options").unwrap_or("").into());
    Ok(Description { meta, traits, opening_plies, most_plies, options, is_raw })
}

/// Returns `true` for a name as games have it: lower case letters, digits and hyphens.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

impl Rules {
    /// Starts a process, and returns it with its description of the game.
    fn begin(&self) -> Result<(Process, Vec<String>), RulesError> {
        let mut process = Process::new(self.program.clone(), self.processes.clone());
        process.sit(&[]).map_err(|fault| RulesError(format!("the rules: {}", fault.in_brief())))?;
        let lines = request(&mut process, &format!("rules {VERSION} {}", self.options))?;
        Ok((process, lines))
    }

    /// Returns a process that waits for work, or a new one.
    fn process(&self) -> Result<Process, RulesError> {
        let waiting = self.waiting.lock().expect("no thread panics while it holds the lock").pop();
        waiting.map_or_else(|| self.begin().map(|(process, _)| process), Ok)
    }

    /// Sends a request that belongs to no game to a process, which is kept unless it fails.
    fn ask(&self, line: &str) -> Result<Vec<String>, RulesError> {
        again_if_away(PATIENCE, || {
            let mut process = self.process()?;
            let lines = request(&mut process, line)?;
            self.keep(process);
            Ok(lines)
        })
    }

    fn keep(&self, process: Process) {
        self.waiting.lock().expect("no thread panics while it holds the lock").push(process);
    }
}

/// Does some work, and once more if it failed so late that the referee must have been away. Of a
/// game in progress its worker takes note.
fn again_if_away<T>(
    patience: Duration,
    work: impl Fn() -> Result<T, RulesError>,
) -> Result<T, RulesError> {
    let begun = Instant::now();
    match work() {
        Err(_) if begun.elapsed() > patience + AWAY => work(),
        done => done,
    }
}

/// Sends a request and returns the lines of the answer, unless it is an error.
fn request(process: &mut Process, line: &str) -> Result<Vec<String>, RulesError> {
    let lines = exchange(process, line)?;
    match lines.first().and_then(|line| line.strip_prefix("error ")) {
        Some(why) => Err(RulesError(why.to_owned())),
        None => Ok(lines),
    }
}

/// Sends a request and returns the lines of the answer.
fn exchange(process: &mut Process, line: &str) -> Result<Vec<String>, RulesError> {
    let limit = Limit { time: Some(PATIENCE), ..Limit::untimed(LINE) };
    let word = line.split(' ').next().unwrap_or_default();
    let failed = |what: String| RulesError(format!("the rules failed at '{word}': {what}"));
    let mut prompt = format!("{line}\n");
    let (mut lines, mut bytes): (Vec<String>, usize) = (Vec::new(), 0);
    loop {
        let answer = process.ask(&prompt, &limit, None, &mut || {});
        let answer = answer.map(|answer| answer.line.to_owned());
        prompt.clear();
        match answer {
            Ok(line) if line == END => return Ok(lines),
            Ok(_) if lines.len() >= MOST_LINES => {
                process.leave(Shutdown::AtOnce);
                return Err(failed(format!("more than {MOST_LINES} lines")));
            }
            Ok(line) if bytes + line.len() > MOST_BYTES => {
                process.leave(Shutdown::AtOnce);
                return Err(failed(format!("more than {MOST_BYTES} bytes")));
            }
            Ok(line) => {
                bytes += line.len();
                lines.push(line);
            }
            Err(fault) => {
                let stderr = process.take_stderr();
                let said = stderr.lines().last().unwrap_or_default();
                let said = if said.is_empty() { String::new() } else { format!(": {said}") };
                process.leave(Shutdown::AtOnce);
                return Err(failed(format!("{}{said}", fault.in_brief())));
            }
        }
    }
}

/// Returns the rest of the line with this first word.
fn after<'a>(lines: &'a [String], word: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| match line.split_once(' ') {
        Some((first, rest)) => (first == word).then_some(rest),
        None => (line == word).then_some(""),
    })
}

impl DynGame for ExternalGame {
    fn meta(&self) -> Meta {
        self.about.meta
    }

    fn rules(&self) -> String {
        self.rules.options.clone()
    }

    fn traits(&self) -> GameTraits {
        self.about.traits
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&[self.speech()], word)
    }

    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups {
        let rules = self.rules.clone();
        let draw = move |number: usize| {
            let line = format!("draw {seats} {plies} {rng} {number}");
            rules.ask(&line).map(|lines| after(&lines, "setup").map(str::to_owned)).transpose()
        };
        // After a failure the rules are not asked again.
        let mut is_over = false;
        Box::new((0..).map_while(move |number| {
            let setup = if is_over { None } else { draw(number) };
            is_over = setup.as_ref().is_none_or(Result::is_err);
            setup
        }))
    }

    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError> {
        let line = format!("check {seats} {text}");
        let lines = self.rules.ask(&line)?;
        let setup = after(&lines, "setup").map(str::to_owned);
        Ok(setup.ok_or_else(|| unexpected("setup TEXT", &lines))?)
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        Ok(Box::new(ExternalTable::start(self, setup, speech.len())?))
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        let mut table = ExternalTable::start(self, setup, view.names.len())?;
        shown(&mut table, steps, ExternalTable::take, |table| table.picture(view.seat))
    }

    fn scenes(&self, setup: &str, seats: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        let mut table = ExternalTable::start(self, setup, seats)?;
        let scenes = shown(&mut table, steps, ExternalTable::take, ExternalTable::scene)?;
        Ok(GameScenes::of_pictures(scenes))
    }
}

/// Appends lines with their ends.
fn push_lines(lines: &[String], out: &mut String) {
    for line in lines {
        *out += line;
        out.push('\n');
    }
}

/// Returns the failure of rules that answer with something else.
fn unexpected(expected: &str, lines: &[String]) -> RulesError {
    let got = lines.first().map_or("nothing", String::as_str);
    RulesError(format!("the rules: expected '{expected}', got '{got}'"))
}

/// Running game in another process.
struct ExternalTable<'g> {
    game: &'g ExternalGame,
    /// Process of the rules; none once it has failed.
    process: RefCell<Option<Process>>,
    status: Status,
    /// Reason that the rules gave for the end of the game.
    reason: Option<String>,
    ends: Vec<SeatEnd>,
    /// Whether a recorded game is repeated.
    is_replay: bool,
    /// Whether the rules have not said yet that they draw no SVG documents.
    may_draw: Cell<bool>,
}

/// Conversation with a seat.
#[derive(Default)]
struct SeatEnd {
    /// Whether the player keeps the board itself.
    terse: bool,
    /// In a replay, number of answers that will still come in the game's own notation.
    replayed: usize,
    /// Legal moves as they were listed to it last.
    listed: Option<Vec<String>>,
    /// Whether it is out.
    is_out: bool,
}

impl<'g> ExternalTable<'g> {
    fn start(
        game: &'g ExternalGame,
        setup: &str,
        seats: usize,
    ) -> Result<ExternalTable<'g>, RulesError> {
        let mut process = game.rules.process()?;
        let lines = request(&mut process, &format!("start {seats} {setup}"))?;
        let ends = (0..seats).map(|_| SeatEnd::default()).collect();
        let status = Status::Turn(Seats::NONE);
        let process = RefCell::new(Some(process));
        let (reason, is_replay, may_draw) = (None, false, Cell::new(true));
        let mut table = ExternalTable { game, process, status, reason, ends, is_replay, may_draw };
        table.follow(&lines)?;
        Ok(table)
    }

    /// Sends a request that the rules must know.
    fn ask_rules(&self, line: &str) -> Result<Vec<String>, RulesError> {
        self.send(line, request)
    }

    /// Sends a request as `by` does. After a failure the process is of no use any more.
    fn send(
        &self,
        line: &str,
        by: fn(&mut Process, &str) -> Result<Vec<String>, RulesError>,
    ) -> Result<Vec<String>, RulesError> {
        let mut slot = self.process.borrow_mut();
        let process = slot.as_mut().ok_or_else(|| RulesError("the rules failed before".into()))?;
        let answer = by(process, line);
        if answer.is_err() {
            *slot = None;
        }
        answer
    }

    /// Reads the status at the end of an answer.
    fn follow(&mut self, lines: &[String]) -> Result<(), RulesError> {
        let last = lines.last().map_or("", String::as_str);
        let lower_is_better = self.game.about.meta.lower_is_better;
        let status = Status::parse(last, self.ends.len(), lower_is_better)?;
        if let Status::Turn(seats) = &status {
            if let Some(seat) = seats.iter().find(|seat| self.ends[seat.index()].is_out) {
                return Err(self.contradiction(format!("seat {seat} is out and to move")));
            }
        }
        self.status = status;
        self.reason = after(lines, "reason").filter(|why| !why.is_empty()).map(str::to_owned);
        Ok(())
    }

    /// Returns the failure of rules that contradict themselves, whose process is ended.
    fn contradiction(&self, what: String) -> RulesError {
        *self.process.borrow_mut() = None;
        RulesError(format!("the rules contradict themselves: {what}"))
    }

    /// Plays a move, and returns it as it is recorded.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, RejectedAnswer> {
        let rules = RejectedAnswer::Rules;
        let lines = self.ask_rules(&format!("play {seat} {text}")).map_err(rules)?;
        let is_listed = |listed: &Vec<String>| listed.iter().any(|mv| mv == text);
        let listed = self.ends[seat.index()].listed.as_ref();
        let first = lines.first().map_or("", String::as_str);
        let (word, rest) = first.split_once(' ').unwrap_or((first, ""));
        match word {
            "played" => {
                if listed.is_some_and(|listed| !is_listed(listed)) {
                    let what = format!("'{text}' is played and not among the legal moves");
                    return Err(rules(self.contradiction(what)));
                }
                self.follow(&lines[1..]).map_err(rules)?;
                Ok(rest.to_owned())
            }
            "illegal" | "invalid" if listed.is_some_and(is_listed) => {
                let what = format!("'{text}' is a legal move, and then {first}");
                Err(rules(self.contradiction(what)))
            }
            "illegal" => Err(RejectedAnswer::Illegal(rest.to_owned())),
            "invalid" => Err(RejectedAnswer::Invalid(rest.to_owned())),
            _ => Err(rules(unexpected("played MOVE, illegal WHY or invalid WHY", &lines))),
        }
    }

    /// Takes a step of a recorded game.
    fn take(&mut self, step: &Step) -> Result<(), RulesError> {
        match *step {
            Step::Eliminated(seats) => self.forfeit(seats, "crash"),
            Step::Moved(seat, mv) => match self.play(seat, mv) {
                Ok(_) => Ok(()),
                Err(RejectedAnswer::Rules(why)) => Err(why),
                Err(RejectedAnswer::Illegal(why) | RejectedAnswer::Invalid(why)) => {
                    Err(RulesError(format!("'{mv}' is illegal: {why}")))
                }
            },
        }
    }

    /// Sends a request that the rules need not know. Returns the lines of the answer, if they do.
    fn ask_optional(&self, line: &str) -> Result<Option<String>, RulesError> {
        let lines = self.send(line, exchange)?;
        let is_known = |first: &String| first != "unknown" && !first.starts_with("error ");
        Ok(lines.first().is_some_and(is_known).then(|| join(lines, "\n")))
    }

    /// Returns the picture that the rules draw, or else the position.
    fn picture(&self, seat: Seat) -> Result<String, RulesError> {
        match self.ask_optional(&format!("picture {seat}"))? {
            Some(picture) => Ok(picture + "\n"),
            None => Ok(self.position(seat)? + "\n"),
        }
    }

    /// Returns the SVG document that the rules draw, if they do.
    fn svg(&self) -> Result<Option<String>, RulesError> {
        if !self.may_draw.get() {
            return Ok(None);
        }
        let svg = self.ask_optional(&format!("svg {}", Seat::FIRST))?;
        self.may_draw.set(svg.is_some());
        Ok(svg)
    }

    /// Returns the scene that a page shows: an SVG document, or text.
    fn scene(&self) -> Result<Scene, RulesError> {
        let text = match self.svg()? {
            Some(svg) => svg,
            None => self.picture(Seat::FIRST)?,
        };
        let scores = match &self.status {
            Status::Over(outcome) => outcome.scores.clone(),
            Status::Turn(_) => Vec::new(),
        };
        Ok(Scene { scores, ..Scene::picture(text) })
    }
}

impl Drop for ExternalTable<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.process.borrow_mut().take() {
            self.game.rules.keep(process);
        }
    }
}

impl Table for ExternalTable<'_> {
    fn seats(&self) -> usize {
        self.ends.len()
    }

    fn replay(&mut self, accepted: &[usize]) {
        self.is_replay = true;
        for (end, &accepted) in self.ends.iter_mut().zip(accepted) {
            end.replayed = accepted;
        }
    }

    fn to_move(&self) -> Result<Seats, RulesError> {
        Ok(match self.status {
            Status::Turn(seats) => seats,
            Status::Over(_) => Seats::NONE,
        })
    }

    fn line_limit(&self, _seat: Seat) -> usize {
        self.game.about.traits.answer_limit
    }

    fn open(&mut self, start: &StartParams, out: &mut String) -> Result<Init, RulesError> {
        let StartParams { seat, clock, seed, kept } = *start;
        let told = self.ask_rules(&format!("told {seat}"))?;
        if self.game.about.is_raw {
            push_lines(&told, out);
            return Ok(Init::UntilRead);
        }
        let mut push = |message: Message| *out += &format!("{message}\n");
        if !kept {
            push(Message::Arbitre(arbitre::VERSION));
        }
        push(Message::Game(self.game.about.meta.name, &self.game.rules.options));
        push(Message::Seats(self.ends.len(), seat));
        push(Message::Clock(clock.clone()));
        push(Message::Seed(seed));
        told.iter().for_each(|line| push(Message::Setup(line)));
        push(Message::Begin);
        Ok(Init::UntilReady)
    }

    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError> {
        let ready = arbitre::read_ready(line)?;
        self.ends[seat.index()].terse = ready.terse;
        Ok(ready)
    }

    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError> {
        let lines = self.ask_rules(&format!("ask {seat}"))?;
        if self.game.about.is_raw {
            push_lines(&lines, out);
            return Ok(());
        }
        let end = &mut self.ends[seat.index()];
        // In solo games an answer is a path.
        let listed = after(&lines, "legal").filter(|_| !self.game.about.meta.is_solo());
        end.listed =
            listed.map(|moves| moves.split_ascii_whitespace().map(str::to_owned).collect());
        let is_board = |line: &str| line.starts_with("state ") || line.starts_with("legal");
        for line in lines.iter().filter(|line| !(end.terse && is_board(line))) {
            *out += line;
            out.push('\n');
        }
        *out += &format!("{go}\n");
        Ok(())
    }

    fn hear(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        let end = &mut self.ends[seat.index()];
        let (answer, comment) = match end.replayed {
            0 if self.game.about.is_raw => (line, None),
            0 => arbitre::split_comment(line, self.game.about.traits.is_verbatim),
            _ => {
                end.replayed -= 1;
                (line, None)
            }
        };
        let mv = self.play(seat, answer)?;
        let comment = comment.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(AcceptedMove { mv, comment })
    }

    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError> {
        seats.iter().for_each(|seat| self.ends[seat.index()].is_out = true);
        let lines = self.ask_rules(&format!("out {why} {}", join(seats.iter(), " ")))?;
        self.follow(&lines)
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        Ok(match &self.status {
            Status::Over(outcome) => Some(outcome.clone()),
            Status::Turn(_) => None,
        })
    }

    fn is_decided(&self) -> Result<bool, RulesError> {
        Ok(self.ask_rules("decided")?.first().is_some_and(|line| line == "yes"))
    }

    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError> {
        let lines = self.ask_rules(format!("ended {}", join(losers.iter(), " ")).trim_end())?;
        let (seats, lower_is_better) = (self.ends.len(), self.game.about.meta.lower_is_better);
        match lines.first().map(String::as_str) {
            Some("unknown") | None => {
                // Rules without scores before the end rank the losers alone.
                let out = if losers.is_empty() { Vec::new() } else { vec![losers] };
                Ok(Outcome { scores: vec![0; seats], out, lower_is_better })
            }
            Some(line) => match Status::parse(line, seats, lower_is_better)? {
                Status::Over(outcome) => Ok(outcome),
                Status::Turn(_) => Err(unexpected("over SCORE…", &lines)),
            },
        }
    }

    fn close(&mut self, seat: Seat, outcome: &Outcome, out: &mut String) -> Result<(), RulesError> {
        let lines = self.ask_rules(&format!("close {seat}"))?;
        let lines: Vec<String> = lines.into_iter().filter(|line| line != "unknown").collect();
        push_lines(&lines, out);
        if !self.game.about.is_raw {
            *out += &format!("{}\n", Message::Result(outcome.scores.clone()));
        }
        Ok(())
    }

    fn position(&self, seat: Seat) -> Result<String, RulesError> {
        let lines = self.ask_rules(&format!("state {seat}"))?;
        let state = after(&lines, "state").map(str::to_owned);
        state.ok_or_else(|| unexpected("state TEXT", &lines))
    }

    fn texts(&self) -> Result<Option<PositionTexts>, RulesError> {
        if self.is_replay {
            return Ok(None);
        }
        let (text, picture) = (self.picture(Seat::FIRST)?, self.svg()?.unwrap_or_default());
        Ok(Some(PositionTexts { text, picture, ..PositionTexts::default() }))
    }

    fn most_plies(&self) -> Option<usize> {
        Some(self.game.about.most_plies)
    }

    fn remarks(&self) -> Remarks {
        Remarks { reason: self.reason.clone(), ..Remarks::default() }
    }

    fn legal_moves(&self, seat: Seat) -> Result<Vec<String>, RulesError> {
        if !self.game.about.traits.lists_legal_moves {
            return Ok(Vec::new());
        }
        let lines = self.ask_rules(&format!("legal {seat}"))?;
        let moves = after(&lines, "legal").ok_or_else(|| unexpected("legal MOVE…", &lines))?;
        Ok(moves.split_ascii_whitespace().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_failure_is_tried_again_and_once() {
        let tries = Cell::new(0);
        let fail = |time: Duration| {
            tries.set(tries.get() + 1);
            std::thread::sleep(time);
            Err::<(), _>(RulesError("no answer".into()))
        };
        assert!(again_if_away(Duration::ZERO, || fail(AWAY + Duration::from_millis(10))).is_err());
        assert_eq!(tries.take(), 2);
        assert!(again_if_away(Duration::from_secs(60), || fail(Duration::ZERO)).is_err());
        assert_eq!(tries.take(), 1);
        let succeeds_at_last = || match tries.get() {
            0 => fail(AWAY + Duration::from_millis(10)),
            _ => Ok(()),
        };
        assert!(again_if_away(Duration::ZERO, succeeds_at_last).is_ok());
    }
}
