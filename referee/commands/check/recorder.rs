//! Recorder between a program and the table. It logs the dialogue, and finds out where a missing
//! answer is.

use arbitre_process::exit::Exit;
use arbitre_process::process::{Answer, Process, Wanted};
use arbitre_process::stopwatch::Limit;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::player::{Player, Seating, Shutdown};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Time to wait for a late answer. Not tuned.
const LATE: Duration = Duration::from_secs(3);
/// Time for a program to react to another line, or to the end of its input. Not tuned.
const SOON: Duration = Duration::from_secs(1);
/// Time to wait for further output after a line. Not tuned.
const AFTER_A_LINE: Duration = Duration::from_millis(200);
/// Time for a program to exit after the end of its input. Not tuned.
pub const TIME_TO_END: Duration = Duration::from_secs(2);
/// Number of lines after a refused answer at which the recorder stops to read. Not tuned.
const LINES: usize = 30;

/// Treatment of a program in test games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Started for each game, even if the program could be kept.
    Fresh,
    /// Kept from game to game, if the program supports it.
    Kept,
    /// Started for each game, and sent messages that it cannot know.
    Strange,
}

/// Findings about a missing or refused answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultContext {
    /// No search was made.
    Nothing,
    /// Time from the request to a late answer.
    Late(Duration),
    /// Answer that came after another line was sent.
    OneLineMore(String),
    /// Answer that came when the input or the program ended, and so was in a buffer.
    Buffered(String),
    /// Answer without an end of line.
    Unended(String),
    /// No answer at all, and what the program used meanwhile, where it can be read.
    Silence(Option<Usage>),
    /// Lines that followed a refused answer.
    Followed(Vec<String>),
}

/// Use of a processor while an answer was searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Time that passed.
    pub wall: Duration,
    /// CPU time of all tasks of the program.
    pub cpu: Duration,
    /// Longest time for which one of them waited for a processor, at most.
    pub wait: Duration,
}

/// A request with its answer.
#[derive(Clone, Debug)]
pub struct RequestLog {
    /// All text that was sent.
    pub prompt: String,
    /// The answer with its time, or the fault instead.
    pub said: Result<(String, Duration), Fault>,
    /// Findings after the answer or fault.
    pub context: FaultContext,
}

/// End of a program after the end of its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Exit status; `None` if the program did not exit in time.
    pub exit: Option<Exit>,
    /// Time until the program exited, or until the wait ended.
    pub took: Duration,
}

/// Log of all games.
#[derive(Default, Debug)]
pub struct Log {
    /// Requests by game.
    pub games: Vec<Vec<RequestLog>>,
    /// End of the first program that played to the end of its game.
    pub ending: Option<Ending>,
    /// Standard error of that program after the end of its input.
    pub last_words: String,
}

/// Log that one thread writes and another reads.
pub type Shared = Arc<Mutex<Log>>;

/// A player that forwards to a process and logs its answers.
pub struct Recorder {
    process: Process,
    log: Shared,
    manner: Manner,
    /// Message that means nothing in the dialect.
    strange: &'static str,
    line: String,
    is_asked: bool,
}

impl Recorder {
    /// Creates a recorder for `process` that writes to `log`. `has_words` is whether the dialect
    /// has keywords, so that programs must ignore messages with unknown ones.
    pub fn new(process: Process, log: Shared, manner: Manner, has_words: bool) -> Recorder {
        let strange = if has_words { "weather fine 17\n" } else { "\n" };
        Recorder { process, log, manner, strange, line: String::new(), is_asked: false }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().expect("no holder panics")
    }

    /// Returns the text that the program is sent. For [`Manner::Strange`] it has an unknown message
    /// before the last line.
    fn dress(&self, prompt: &str) -> String {
        let last = prompt.trim_end().rfind('\n').map_or(0, |at| at + 1);
        match self.manner {
            Manner::Strange => [&prompt[..last], self.strange, &prompt[last..]].concat(),
            Manner::Fresh | Manner::Kept => prompt.into(),
        }
    }

    /// Logs a request. After a timeout it searches for the answer.
    fn note(&mut self, prompt: String, said: Result<(String, Duration), Fault>) {
        let context = match &said {
            Err(Fault::Timeout { limit, used, .. }) => {
                self.look_for_the_answer(used.map_or(*limit, |used| used.wall))
            }
            _ => FaultContext::Nothing,
        };
        self.is_asked = said.is_ok();
        if let Some(game) = self.log().games.last_mut() {
            game.push(RequestLog { prompt, said, context });
        }
    }

    /// Searches for an answer that did not come in time. `passed` is the time since the request.
    fn look_for_the_answer(&mut self, passed: Duration) -> FaultContext {
        let begun = Instant::now();
        if let Some(meter) = self.process.meter() {
            meter.begin();
        }
        // First only wait: the answer may be late, or lack its end of line.
        let (said, can_go_on) = self.process.overhear(LATE);
        match said.ends_with('\n') {
            true => return FaultContext::Late(passed + begun.elapsed()),
            false if !said.is_empty() => return FaultContext::Unended(said),
            false if !can_go_on => return FaultContext::Silence(None),
            false => {}
        }
        // Read before the next line, which a program without a fault here may wait for.
        let used = self.process.meter().map(|meter| {
            meter.read();
            let used = meter.usage(true);
            Usage { wall: begun.elapsed(), cpu: used.cpu, wait: used.wait_at_most }
        });
        // Another line reaches a program that reads too far before it answers.
        self.process.tell(self.strange);
        let (said, _) = self.process.overhear(SOON);
        if !said.is_empty() {
            // A program that fails on the unknown line exits, which flushes its buffers too.
            let (_, can_go_on) = self.process.overhear(AFTER_A_LINE);
            return match can_go_on {
                true => FaultContext::OneLineMore(said),
                false => FaultContext::Buffered(said),
            };
        }
        // At the end of its input a program exits, which flushes its buffers.
        self.process.close_input();
        let (said, _) = self.process.overhear(SOON);
        if said.is_empty() {
            FaultContext::Silence(used)
        } else {
            FaultContext::Buffered(said)
        }
    }

    /// Logs the lines that follow a refused answer.
    fn listen_on(&mut self) {
        let mut lines = Vec::new();
        while lines.len() < LINES {
            let (said, can_go_on) = self.process.overhear(AFTER_A_LINE);
            lines.extend(said.lines().map(str::to_owned));
            if said.is_empty() || !can_go_on {
                break;
            }
        }
        let mut log = self.log();
        if let Some(request) = log.games.last_mut().and_then(|game| game.last_mut()) {
            request.context = FaultContext::Followed(lines);
        }
    }

    /// Logs the exit of the first program that plays to the end of its game.
    fn see_it_end(&mut self) {
        if self.log().ending.is_some() {
            return self.process.leave(Shutdown::Finish);
        }
        let begun = Instant::now();
        // Drops the standard error of the game; only what follows counts as last words.
        self.process.take_stderr();
        self.process.close_input();
        let exit = self.process.await_end(TIME_TO_END);
        let took = begun.elapsed();
        self.process.leave(Shutdown::AtOnce);
        let last_words = self.process.take_stderr();
        let mut log = self.log();
        log.ending = Some(Ending { exit, took });
        log.last_words = last_words;
    }
}

impl Player for Recorder {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        self.log().games.push(Vec::new());
        self.is_asked = false;
        self.process.sit(arguments)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let prompt = self.dress(prompt);
        let said = self.process.ask(&prompt, limit, wanted, on_thinking);
        let said = said.map(|answer| (answer.line.to_owned(), answer.time));
        let charged = said.clone().map(|(line, time)| (line, time.charge(limit.counting)));
        self.note(prompt, charged);
        let (line, time) = said?;
        self.line = line;
        Ok(Answer { line: &self.line, time })
    }

    fn tell(&mut self, text: &str) {
        self.process.tell(text);
    }

    fn leave(&mut self, how: Shutdown) {
        match how {
            Shutdown::AtOnce => {
                // The last request was answered, and still the player is removed: the answer was
                // refused.
                if std::mem::take(&mut self.is_asked) {
                    self.listen_on();
                }
                self.process.leave(how);
            }
            Shutdown::Stay if self.manner == Manner::Kept => {}
            Shutdown::Stay | Shutdown::Finish => self.see_it_end(),
        }
    }

    fn process(&self) -> Option<&Process> {
        Some(&self.process)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(&mut self.process)
    }
}
