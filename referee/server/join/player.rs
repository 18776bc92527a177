//! Player whose program runs on a machine of its own.

use super::link::{Link, State};
use super::table::Phase;
use arbitre_games::dialect::DialectInfo;
use arbitre_process::exit::Exit;
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::{AnswerForm, AnswerTime, Limit, THINKING};
use arbitre_referee::player::fault::{clip, Fault};
use arbitre_referee::player::{Player, Seating, Shutdown};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

/// Time for the start of a program, and for a table to become free. Not tuned.
const START: Duration = Duration::from_secs(10);
/// Time after which a question counts as asked, though the system has not taken all of it: a client
/// that does not read gains no more. Not tuned.
const HANDED: Duration = Duration::from_millis(200);
/// Break that ends a game without a limit of time. Not tuned.
const LONGEST_BREAK: Duration = Duration::from_secs(30);
/// Longest wait between two looks. Not tuned.
const LOOK: Duration = Duration::from_secs(1);
/// Bytes of a line that is not complete, in a fault. Not tuned.
const PARTIAL: usize = 200;

/// Reason of a game that is void because of a break.
const BROKEN: &str = "its connection broke for longer than its limit";

/// The same, of one whose client came back without its program.
const LOST: &str = "its machine has lost it";

/// Player of a game, at a table of its client.
pub struct ConnectedPlayer {
    link: Arc<Link>,
    /// Digest of the version that plays.
    version: Arc<str>,
    owner: u64,
    /// Whether the arena of its dialect kills a program after a game.
    is_killed: bool,
    table: Option<u8>,
    line: String,
    stderr: String,
}

impl ConnectedPlayer {
    /// Creates the player of a version, which sits at no table yet. `owners` numbers the players of
    /// a link.
    pub fn new(
        link: Arc<Link>,
        version: Arc<str>,
        owners: &AtomicU64,
        dialect: &DialectInfo,
    ) -> ConnectedPlayer {
        let (owner, is_killed) = (owners.fetch_add(1, Ordering::Relaxed), dialect.kills_at_end);
        let (table, line, stderr) = (None, String::new(), String::new());
        ConnectedPlayer { link, version, owner, is_killed, table, line, stderr }
    }

    /// Waits for a table, and for the start of the program.
    fn start(&mut self) -> Result<(), Fault> {
        let absent = |why: &str| Err(Fault::Absent { why: why.into() });
        let (link, begun) = (self.link.clone(), Instant::now());
        let until = begun + START;
        let mut state = link.lock();
        loop {
            let now = Instant::now();
            let is_current = state.digest() == &*self.version;
            if !is_current || !state.is_connected() {
                // The room hears of it in a moment, and hands out no further game.
                if now < begun + LOOK {
                    state = link.wait(state, LOOK);
                    continue;
                }
                return absent(match is_current {
                    true => "it was not connected when the game began",
                    false => "its program changed before the game began",
                });
            }
            if self.table.is_none() {
                self.table = link.start(&mut state, self.owner);
            }
            match state.table(self.table, self.owner).map(|table| &table.phase) {
                Some(Phase::Running) => return Ok(()),
                Some(Phase::Failed(why)) => {
                    let why = format!("its machine says: {why}");
                    return Err(Fault::NotStarted { why, is_by_machine: false });
                }
                Some(Phase::Starting) if now >= until => {
                    state.close("a program was not started in time", true);
                    return absent("its machine did not start it in time");
                }
                None if now >= until => return absent("its machine plays other games"),
                Some(Phase::Starting) | None => {}
                Some(_) => return absent(LOST),
            }
            state = link.wait(state, until.saturating_duration_since(now).min(LOOK));
        }
    }

    /// Returns the fault that is seen in place of an answer, if there is one.
    fn fault(&self, state: &mut State, limit: &Limit) -> Option<Fault> {
        let Some(table) = state.table(self.table, self.owner) else {
            return Some(Fault::Disconnect);
        };
        if table.is_flooded() || table.partial().len() > limit.line {
            return Some(Fault::OutputLimit { limit: limit.line });
        }
        match table.phase {
            Phase::Ended(Some(code)) => Some(Fault::Crash(exit(code))),
            Phase::Ended(None) => Some(Fault::Disconnect),
            Phase::Lost => Some(state.break_fault(LOST, Instant::now())),
            _ => None,
        }
    }

    /// Returns the fault of a question whose time is up.
    fn late(&self, state: &mut State, asked: &Asked, limit: Duration, now: Instant) -> Fault {
        let out = asked.out(state, self);
        if !state.is_there(out.min(now), now) {
            return broken(state, now);
        }
        let said = state.table(self.table, self.owner).map(|table| table.partial().to_vec());
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        let used = AnswerTime::of_wall(asked.charge(out, now)).in_micros();
        Fault::Timeout { limit, partial: clip(&said, PARTIAL).0, state: None, used: Some(used) }
    }

    /// Waits for a line that is wanted. Returns it with its charge.
    fn await_line<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        asked: &Asked,
        limit: &Limit,
        mut wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<(String, Duration), Fault> {
        let mut has_thought = false;
        loop {
            let out = asked.out(&mut state, self);
            let line = state.table(self.table, self.owner).and_then(|table| table.take_line());
            if let Some((bytes, at)) = line {
                if bytes.len() > limit.line {
                    return Err(Fault::OutputLimit { limit: limit.line });
                }
                let text = String::from_utf8(bytes).map_err(|error| {
                    let said = String::from_utf8_lossy(error.as_bytes());
                    Fault::invalid(&said, "this is not UTF-8")
                })?;
                if wanted.as_mut().is_none_or(|is_wanted| is_wanted(&text)) {
                    let table = state.table(self.table, self.owner);
                    table.into_iter().for_each(|table| table.note_received());
                    return Ok((text, asked.charge(out, at)));
                }
                continue;
            }
            if let Some(fault) = self.fault(&mut state, limit) {
                return Err(fault);
            }
            let now = Instant::now();
            let left = match limit.time {
                Some(time) => {
                    let all = time + limit.margin + asked.credit;
                    let left = (out + all).saturating_duration_since(now);
                    if left.is_zero() {
                        return Err(self.late(&mut state, asked, time, now));
                    }
                    left
                }
                None if state.silence(now) < LONGEST_BREAK => LOOK,
                None => return Err(broken(&mut state, now)),
            };
            let thinks = now.duration_since(asked.at);
            if !has_thought && thinks >= THINKING {
                has_thought = true;
                drop(state);
                on_thinking();
                state = self.link.lock();
                continue;
            }
            let next = if has_thought { LOOK } else { THINKING.saturating_sub(thinks) };
            state = self.link.wait(state, left.min(next));
        }
    }
}

/// Returns the fault of a break that outlasts the limit, and ends a connection that is left.
fn broken(state: &mut State, now: Instant) -> Fault {
    state.close("no answer to the last question, and none to a ping", true);
    state.break_fault(BROKEN, now)
}

/// Question that was asked.
struct Asked {
    at: Instant,
    credit: Duration,
}

impl Asked {
    /// Returns the instant from which the time of the answer runs.
    fn out(&self, state: &mut State, player: &ConnectedPlayer) -> Instant {
        let out = state.table(player.table, player.owner).and_then(|table| table.out);
        out.unwrap_or(self.at + HANDED).clamp(self.at, self.at + HANDED)
    }

    /// Returns the charge of an answer that came at this instant.
    fn charge(&self, out: Instant, at: Instant) -> Duration {
        at.saturating_duration_since(out).saturating_sub(self.credit)
    }
}

/// Returns the end that a client reports: an exit code, or minus the signal.
fn exit(code: i64) -> Exit {
    match i32::try_from(code) {
        Ok(code @ -64..=-1) => Exit::Signal(-code),
        Ok(code) => Exit::Code(code),
        // Codes of Windows have 32 bits without a sign.
        Err(_) => Exit::Code(code as i32),
    }
}

impl Player for ConnectedPlayer {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        if !arguments.is_empty() {
            let why = "its dialect gives arguments, which only programs of the server get".into();
            return Err(Fault::NotStarted { why, is_by_machine: false });
        }
        self.table = {
            let mut state = self.link.lock();
            let is_current = state.is_connected() && state.digest() == &*self.version;
            is_current.then(|| state.take_idle(self.owner)).flatten()
        };
        match self.table {
            Some(_) => Ok(Seating::Kept),
            None => self.start().map(|()| Seating::Fresh),
        }
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let mut state = self.link.lock();
        let table = state.table(self.table, self.owner).ok_or(Fault::Disconnect)?;
        if table.phase == Phase::Lost {
            // The client does not know the table any more.
            return Err(state.break_fault(LOST, Instant::now()));
        }
        if wanted.is_some() {
            table.drop_leftovers();
        } else if !prompt.is_empty() && limit.form != AnswerForm::EarlyLine {
            if let Some(said) = table.leftovers() {
                return Err(Fault::unasked(&said));
            }
        }
        let at = Instant::now();
        let asked = Asked { at, credit: state.credit(limit.time, at) };
        // An empty prompt asks for what was asked before.
        if !prompt.is_empty() {
            state.say(self.table.unwrap_or_default(), prompt);
        }
        let (line, spent) = self.await_line(state, &asked, limit, wanted, on_thinking)?;
        match limit.time {
            Some(time) if !limit.allows(spent) => {
                let used = Some(AnswerTime::of_wall(spent).in_micros());
                Err(Fault::Timeout { limit: time, partial: String::new(), state: None, used })
            }
            _ => {
                self.line = line;
                Ok(Answer::of_wall(&self.line, spent))
            }
        }
    }

    fn tell(&mut self, text: &str) {
        let mut state = self.link.lock();
        let table = state.table(self.table, self.owner);
        if table.is_some_and(|table| table.phase == Phase::Running) {
            state.say(self.table.unwrap_or_default(), text);
        }
    }

    fn leave(&mut self, how: Shutdown) {
        self.stderr = self.take_stderr();
        let mut state = self.link.lock();
        let Some(table) = state.table(self.table, self.owner) else { return };
        match how {
            Shutdown::Stay => table.is_idle = true,
            Shutdown::Finish | Shutdown::AtOnce => {
                let number = self.table.take().unwrap_or_default();
                state.end(number, how == Shutdown::AtOnce || self.is_killed);
            }
        }
    }

    fn take_stderr(&mut self) -> String {
        let mut state = self.link.lock();
        let table = state.table(self.table, self.owner);
        std::mem::take(&mut self.stderr) + &table.map_or_else(String::new, |of| of.stderr.take())
    }

    fn stderr(&self) -> String {
        let mut state = self.link.lock();
        let table = state.table(self.table, self.owner);
        format!("{}{}", self.stderr, table.map_or_else(String::new, |of| of.stderr.text()))
    }
}

impl Drop for ConnectedPlayer {
    fn drop(&mut self) {
        self.leave(Shutdown::Finish);
    }
}
