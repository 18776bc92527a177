//! Who stands between a program and the table: it writes down all that is said, and where an answer
//! does not come it finds out where the answer is.

use crate::player::fault::{Exit, Fault};
use crate::player::process::Process;
use crate::player::stopwatch::Limit;
use crate::player::{Answer, Player, Seating, Shutdown, Wanted};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long we wait for an answer that is late.
const LATE: Duration = Duration::from_secs(3);
/// How long a program has to react to another line, or to the end of its input.
const SOON: Duration = Duration::from_secs(1);
/// How long we listen for what follows an answer that was refused.
const AFTER_A_LINE: Duration = Duration::from_millis(200);
/// How long a program may take to end when its input has ended.
pub const TIME_TO_END: Duration = Duration::from_secs(2);
/// So many lines that follow a refused answer are kept.
const LINES: usize = 30;

/// How a program is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// It is started for each game, whatever it says.
    Fresh,
    /// It is kept from game to game, if it says so.
    Kept,
    /// It is started for each game, and hears words that it cannot know.
    Strange,
}

/// What was found out about an answer that did not come, or was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultContext {
    /// Nothing was looked for.
    Nothing,
    /// The answer came so long after the question.
    Late(Duration),
    /// It came when another line was sent.
    OneLineMore(String),
    /// It came when the input, or the program, ended: it had waited in a buffer.
    Buffered(String),
    /// It came, but its line was never ended.
    Unended(String),
    /// It did not come at all.
    Silence,
    /// These lines followed a refused answer.
    Followed(Vec<String>),
}

/// A question, and what became of it.
#[derive(Clone, Debug)]
pub struct RequestLog {
    /// All that was sent.
    pub prompt: String,
    /// The answer with the time it took, or what happened instead.
    pub said: Result<(String, Duration), Fault>,
    /// What was found out afterwards.
    pub context: FaultContext,
}

/// How a program ended when its input had ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// How, if it did in time.
    pub exit: Option<Exit>,
    /// How long that took.
    pub took: Duration,
}

/// All that was written down.
#[derive(Default, Debug)]
pub struct Log {
    /// The requests of each game.
    pub games: Vec<Vec<RequestLog>>,
    /// How the first program that played to the end of its game ended.
    pub ending: Option<Ending>,
    /// What it wrote to standard error in the end.
    pub last_words: String,
}

/// A log that is written on one thread and read on another.
pub type Shared = Arc<Mutex<Log>>;

/// The one who watches.
pub struct Recorder {
    process: Process,
    log: Shared,
    manner: Manner,
    /// A line that means nothing in the dialect.
    strange: &'static str,
    line: String,
    is_asked: bool,
}

impl Recorder {
    /// A watch over this process that writes to this log. `has_words` tells of the dialect whether
    /// there are words in it that one passes over.
    pub fn new(process: Process, log: Shared, manner: Manner, has_words: bool) -> Recorder {
        let strange = if has_words { "weather fine 17\n" } else { "\n" };
        Recorder { process, log, manner, strange, line: String::new(), is_asked: false }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().expect("no holder panics")
    }

    /// What the program is sent: a line that it cannot know before the last one, if that is the
    /// manner.
    fn dress(&self, prompt: &str) -> String {
        let last = prompt.trim_end().rfind('\n').map_or(0, |at| at + 1);
        match self.manner {
            Manner::Strange => [&prompt[..last], self.strange, &prompt[last..]].concat(),
            Manner::Fresh | Manner::Kept => prompt.into(),
        }
    }

    /// Writes an exchange down.
    fn note(&mut self, prompt: String, said: Result<(String, Duration), Fault>) {
        let context = match &said {
            Err(Fault::Timeout { limit, .. }) => self.look_for_the_answer(*limit),
            _ => FaultContext::Nothing,
        };
        self.is_asked = said.is_ok();
        if let Some(game) = self.log().games.last_mut() {
            game.push(RequestLog { prompt, said, context });
        }
    }

    /// Where is the answer that did not come in time?
    fn look_for_the_answer(&mut self, limit: Duration) -> FaultContext {
        let begun = Instant::now();
        let (said, can_go_on) = self.process.overhear(LATE);
        match said.ends_with('\n') {
            true => return FaultContext::Late(limit + begun.elapsed()),
            false if !said.is_empty() => return FaultContext::Unended(said),
            false if !can_go_on => return FaultContext::Silence,
            false => {}
        }
        self.process.tell(self.strange);
        let (said, _) = self.process.overhear(SOON);
        if !said.is_empty() {
            // A program that cannot stand the line ends, and then its buffers are emptied too.
            let (_, can_go_on) = self.process.overhear(AFTER_A_LINE);
            return match can_go_on {
                true => FaultContext::OneLineMore(said),
                false => FaultContext::Buffered(said),
            };
        }
        self.process.close_input();
        let (said, _) = self.process.overhear(SOON);
        if said.is_empty() {
            FaultContext::Silence
        } else {
            FaultContext::Buffered(said)
        }
    }

    /// What else was said along with an answer that was refused.
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

    /// How does it end, the first time that it should?
    fn see_it_end(&mut self) {
        if self.log().ending.is_some() {
            return self.process.leave(Shutdown::Finish);
        }
        let begun = Instant::now();
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

    fn ask(&mut self, prompt: &str, limit: &Limit, wanted: Wanted) -> Result<Answer<'_>, Fault> {
        let prompt = self.dress(prompt);
        let said = self.process.ask(&prompt, limit, wanted);
        let said = said.map(|answer| (answer.line.to_owned(), answer.spent));
        self.note(prompt, said.clone());
        let (line, spent) = said?;
        self.line = line;
        Ok(Answer { line: &self.line, spent })
    }

    fn tell(&mut self, text: &str) {
        self.process.tell(text);
    }

    fn leave(&mut self, how: Shutdown) {
        match how {
            Shutdown::AtOnce => {
                // Its answer was heard, and it goes all the same: the answer was refused.
                if std::mem::take(&mut self.is_asked) {
                    self.listen_on();
                }
                self.process.leave(how);
            }
            Shutdown::Stay if self.manner == Manner::Kept => {}
            Shutdown::Stay | Shutdown::Finish => self.see_it_end(),
        }
    }

    fn take_stderr(&mut self) -> String {
        self.process.take_stderr()
    }
}
