//! All faults of players, with one name for each.

use crate::escape::escape;
use arbitre_games::text::{format_duration, format_size};
use arbitre_process::error::ProgramError;
use arbitre_process::exit::Exit;
use arbitre_process::stopwatch::AnswerTime;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Number of bytes of an answer that are kept with a fault. Not tuned.
const ANSWER: usize = 4096;

/// Number of bytes of an answer that are shown in brief. Not tuned.
const BRIEF_ANSWER: usize = 40;

/// Text in place of one that is hidden.
const HIDDEN: &str = "…";

/// Fault of a player. In turn-based play the first fault decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The process ended before it answered.
    Crash(Exit),
    /// The player closed its output, or the person left.
    Disconnect,
    /// The player did not answer in time.
    Timeout {
        /// Time limit, without the margin.
        limit: Duration,
        /// Start of a line that the player had not ended.
        partial: String,
        /// State of the process at the deadline, as `/proc` spells it, if it could not run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<char>,
        /// Time that had passed, and what the player used of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        used: Option<AnswerTime>,
    },
    /// The player got so little time on this machine that its answer could not be judged. The game
    /// is void and played again.
    Unjudged {
        /// Time limit, without the margin.
        limit: Duration,
        /// Time that had passed, and what the player used of it.
        used: AnswerTime,
    },
    /// The player answered with a move that the rules forbid.
    Illegal {
        /// The answer, or its start.
        answer: String,
        /// Number of bytes of the answer that are not kept.
        #[serde(default, skip_serializing_if = "is_zero")]
        dropped: usize,
        /// Reason given by the rules.
        why: String,
    },
    /// The player answered with text that is not a move.
    Invalid {
        /// The answer, or its start.
        answer: String,
        /// Number of bytes of the answer that are not kept.
        #[serde(default, skip_serializing_if = "is_zero")]
        dropped: usize,
        /// Reason why the answer is not a move.
        why: String,
    },
    /// The player sent output before it was asked, and was therefore not asked any more.
    Unasked {
        /// The output, or its start.
        answer: String,
        /// Number of bytes of the answer that are not kept.
        #[serde(default, skip_serializing_if = "is_zero")]
        dropped: usize,
    },
    /// The program ran in its opponent's turn although it was stopped, and was killed.
    Pondered,
    /// The epoll watches of this user, which all of its programs share, were used up when another
    /// program failed. Numbers are of seats.
    QuotaUsedUp {
        /// Player that was seen with a thousand watches, and has the fault; none if no player of
        /// the game was. The game is then void and played again.
        holder: Option<usize>,
        /// Player that failed.
        failed: usize,
    },
    /// The player runs on a machine of its own, and was not there: its connection broke, or its
    /// program changed before the game began. The game is void.
    Absent {
        /// Reason, as the end of a sentence.
        why: String,
    },
    /// The player sent a line that is too long.
    OutputLimit {
        /// Longest line allowed, in bytes.
        limit: usize,
    },
    /// The program and its descendants used too much memory, and were killed.
    MemoryLimit {
        /// Most memory allowed, in bytes.
        limit: u64,
    },
    /// The program cannot be executed, or never showed that it is ready. The game is void, because
    /// it shows nothing about strength.
    NotStarted {
        /// Reason, or the behaviour seen instead.
        why: String,
        /// Whether the machine had no process, open file or memory for it, which says nothing about
        /// the program.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_by_machine: bool,
    },
}

impl Fault {
    /// Words of all faults.
    pub const WORDS: [&'static str; 8] = [
        "crash",
        "disconnect",
        "timeout",
        "illegal",
        "invalid",
        "output-limit",
        "memory-limit",
        "not-started",
    ];

    /// Creates the fault of an answer that the rules forbid.
    pub fn illegal(answer: &str, why: &str) -> Fault {
        let (answer, dropped) = clip(answer, ANSWER);
        Fault::Illegal { answer, dropped, why: clip(why, ANSWER).0 }
    }

    /// Creates the fault of an answer that is not a move.
    pub fn invalid(answer: &str, why: &str) -> Fault {
        let (answer, dropped) = clip(answer, ANSWER);
        Fault::Invalid { answer, dropped, why: clip(why, ANSWER).0 }
    }

    /// Creates the fault of output that came before the player was asked.
    pub fn unasked(output: &str) -> Fault {
        let (answer, dropped) = clip(output, ANSWER);
        Fault::Unasked { answer, dropped }
    }

    /// Creates a timeout without a partial line.
    pub fn timeout(limit: Duration) -> Fault {
        Fault::Timeout { limit, partial: String::new(), state: None, used: None }
    }

    /// Returns `true` if another process may have ended the player: by a signal that neither a
    /// mistake of its own raises nor the referee sends, or in an unknown way.
    pub fn may_be_by_another_process(&self) -> bool {
        let may_be = |exit: Exit| exit == Exit::Unknown || exit.is_from_another_process();
        matches!(self, Fault::Crash(exit) if may_be(*exit))
    }

    /// Returns `true` if the game shows nothing about the player, and is therefore void.
    pub fn makes_void(&self) -> bool {
        matches!(self, Fault::NotStarted { .. } | Fault::Absent { .. }) || self.is_unjudged()
    }

    /// Returns `true` if the machine lacked the resources to start the player.
    pub fn is_lack_of_resources(&self) -> bool {
        matches!(self, Fault::NotStarted { is_by_machine: true, .. })
    }

    /// Returns `true` if the player could not be judged, so that the game is played again.
    pub fn is_unjudged(&self) -> bool {
        matches!(self, Fault::Unjudged { .. } | Fault::QuotaUsedUp { holder: None, .. })
    }

    /// Returns `true` if the answer may still be in the player's own output buffer.
    pub fn may_be_unflushed(&self) -> bool {
        matches!(self, Fault::Timeout { partial, state: None, .. } if partial.is_empty())
    }

    /// Returns the option that raises the limit which the player exceeded.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Fault::MemoryLimit { .. } => {
                Some("--memory allows more, memory=2GiB in its brackets too")
            }
            Fault::Crash(Exit::ProcessLimit) => {
                Some("--processes allows more, processes=512 in its brackets too")
            }
            Fault::Crash(Exit::Signal(libc::SIGXFSZ)) => {
                Some("--scratch allows larger files, scratch=1GiB in its brackets too")
            }
            Fault::Pondered => Some("--ponder allows it, ponder=true in its brackets too"),
            Fault::QuotaUsedUp { holder: None, .. } => {
                Some("end the other programs of this user, or play as another user")
            }
            _ => None,
        }
    }

    /// Removes what the player wrote, and what may quote it.
    pub fn hide_texts(&mut self) {
        match self {
            Fault::Timeout { partial, .. } => partial.clear(),
            Fault::Illegal { answer, dropped, why } | Fault::Invalid { answer, dropped, why } => {
                (*answer, *dropped, *why) = (HIDDEN.into(), 0, HIDDEN.into());
            }
            Fault::Unasked { answer, dropped } => (*answer, *dropped) = (HIDDEN.into(), 0),
            Fault::NotStarted { why, .. } => *why = "it could not be built or started".into(),
            Fault::Crash(_)
            | Fault::Disconnect
            | Fault::Unjudged { .. }
            | Fault::Pondered
            | Fault::QuotaUsedUp { .. }
            | Fault::Absent { .. }
            | Fault::OutputLimit { .. }
            | Fault::MemoryLimit { .. } => {}
        }
    }

    /// Returns the reason of a failure to start, or the fault as the end of a sentence.
    pub fn reason(&self) -> String {
        match self {
            Fault::NotStarted { why, .. } => why.clone(),
            fault => format!("it {fault}"),
        }
    }

    /// Returns the fault in a few words, as a noun phrase: "timeout of 120ms".
    pub fn in_brief(&self) -> String {
        let start = |answer: &str| match clip(answer, BRIEF_ANSWER) {
            (start, 0) => format!("'{start}'"),
            (start, _) => format!("'{start}…'"),
        };
        match self {
            Fault::Timeout { limit, .. } => format!("timeout of {}", format_duration(*limit)),
            Fault::Crash(exit) => format!("crash ({exit})"),
            Fault::Illegal { answer, why, .. } => format!("illegal move {}: {why}", start(answer)),
            Fault::Invalid { answer, .. } => format!("invalid answer {}", start(answer)),
            Fault::Unasked { answer, .. } => {
                format!("answer before it was asked {}", start(answer))
            }
            Fault::Pondered => "work in its opponent's turn".into(),
            Fault::QuotaUsedUp { .. } => "epoll watches used up".into(),
            Fault::OutputLimit { limit } => format!("line of more than {limit} bytes"),
            Fault::MemoryLimit { limit } => format!("memory-limit of {}", format_size(*limit)),
            fault => fault.word().into(),
        }
    }

    /// Returns the word for this fault, the same in every table, record and protocol.
    pub fn word(&self) -> &'static str {
        match self {
            Fault::Crash(_) => "crash",
            Fault::Disconnect => "disconnect",
            Fault::Timeout { .. } => "timeout",
            Fault::Unjudged { .. } => "unjudged",
            Fault::Illegal { .. } => "illegal",
            Fault::QuotaUsedUp { holder: None, .. } => "unjudged",
            Fault::Invalid { .. }
            | Fault::Unasked { .. }
            | Fault::Pondered
            | Fault::QuotaUsedUp { .. } => "invalid",
            Fault::Absent { .. } => "absent",
            Fault::OutputLimit { .. } => "output-limit",
            Fault::MemoryLimit { .. } => "memory-limit",
            Fault::NotStarted { .. } => "not-started",
        }
    }
}

impl From<ProgramError> for Fault {
    fn from(error: ProgramError) -> Fault {
        match error {
            ProgramError::Ended(Exit::RanWhileStopped) => Fault::Pondered,
            ProgramError::Ended(exit) => Fault::Crash(exit),
            ProgramError::MemoryLimit { limit } => Fault::MemoryLimit { limit },
            ProgramError::Closed => Fault::Disconnect,
            ProgramError::Late { limit, partial, state, used } => {
                Fault::Timeout { limit, partial, state, used: Some(used.in_micros()) }
            }
            ProgramError::Unjudged { limit, used } => {
                Fault::Unjudged { limit, used: used.in_micros() }
            }
            ProgramError::Unasked(output) => Fault::unasked(&String::from_utf8_lossy(&output)),
            ProgramError::LineTooLong { limit } => Fault::OutputLimit { limit },
            ProgramError::NotText(line) => {
                Fault::invalid(&String::from_utf8_lossy(&line), "this is not UTF-8")
            }
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Returns the start of a text, at most `limit` bytes of whole characters, and the number of bytes
/// dropped.
pub fn clip(text: &str, limit: usize) -> (String, usize) {
    let ends = (0..=limit.min(text.len())).rev();
    let end = ends.into_iter().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    (text[..end].to_owned(), text.len() - end)
}

/// Returns a remark on an answer of which only the start was kept.
fn kept(answer: &str, dropped: usize) -> String {
    match dropped {
        0 => String::new(),
        _ => format!(" ({} of {} bytes kept)", answer.len(), answer.len() + dropped),
    }
}

/// Returns the time that passed, and what the player used of it.
fn passed(AnswerTime { wall, cpu, wait }: &AnswerTime) -> String {
    let mut text = format!(" ({} ms of wall time", rounded_millis(*wall));
    if let Some(cpu) = cpu {
        text += &format!(", {} ms of CPU", rounded_millis(*cpu));
    }
    if let Some(wait) = wait {
        text += &format!(", {} ms waiting for a processor", rounded_millis(*wait));
    }
    text + ")"
}

/// Returns milliseconds: whole ones from 10 on, else with one decimal.
fn rounded_millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1000.0;
    if millis < 9.95 {
        format!("{millis:.1}")
    } else {
        format!("{millis:.0}")
    }
}

/// Returns the meaning of a state in which a process cannot run.
fn state_word(state: char) -> &'static str {
    match state {
        'T' => "stopped",
        't' => "stopped by a tracer",
        'D' => "waiting for a device",
        _ => "unable to run",
    }
}

/// Writes the fault as the end of a sentence that begins with the player's name.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(exit) if exit.is_from_another_process() => write!(
                f,
                "ended before it answered (killed by a signal that the referee did not send: {exit})"
            ),
            Fault::Crash(exit) => write!(f, "ended before it answered ({exit})"),
            Fault::Disconnect => f.write_str("closed its output"),
            Fault::Unjudged { limit, used } => write!(
                f,
                "used too little processor time to be judged by a limit of {}{}",
                format_duration(*limit),
                passed(used)
            ),
            Fault::Timeout { limit, partial, state, used } => {
                write!(f, "did not answer within {}", format_duration(*limit))?;
                if let Some(used) = used {
                    f.write_str(&passed(used))?;
                }
                if let Some(state) = state {
                    write!(f, "; found {} (state {state}) at the deadline", state_word(*state))?;
                }
                match partial.as_str() {
                    "" => Ok(()),
                    said => {
                        write!(f, "; it had said '{}' without ending the line", escape(said))
                    }
                }
            }
            Fault::Illegal { answer, dropped, why } => {
                let kept = kept(answer, *dropped);
                write!(f, "played '{}'{kept}, which is illegal: {}", escape(answer), escape(why))
            }
            Fault::Invalid { answer, dropped, why } => {
                let kept = kept(answer, *dropped);
                write!(f, "said '{}'{kept}: {}", escape(answer), escape(why))
            }
            Fault::Unasked { answer, dropped } => {
                let kept = kept(answer, *dropped);
                write!(f, "said '{}'{kept}: this came before the player was asked", escape(answer))
            }
            Fault::Pondered => {
                f.write_str("ran in its opponent's turn, although it was stopped three times")
            }
            Fault::QuotaUsedUp { holder: Some(_), failed } => write!(
                f,
                "used up the epoll watches that all programs of a user share, so that seat {failed} \
                 failed"
            ),
            Fault::QuotaUsedUp { holder: None, .. } => f.write_str(
                "failed while the epoll watches that all programs of a user share were used up",
            ),
            Fault::Absent { why } => write!(f, "was not there: {why}"),
            Fault::OutputLimit { limit } => write!(f, "sent a line of more than {limit} bytes"),
            Fault::MemoryLimit { limit } => {
                write!(f, "used more than {} of memory", format_size(*limit))
            }
            Fault::NotStarted { why, .. } => write!(f, "could not be started: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_answers_are_clipped_at_characters() {
        assert_eq!(clip("abc", 3), ("abc".into(), 0));
        assert_eq!(clip("abé", 3), ("ab".into(), 2));
        let Fault::Invalid { answer, dropped, .. } = Fault::invalid(&"é".repeat(5000), "why")
        else {
            panic!("it is invalid");
        };
        assert_eq!((answer.len(), dropped), (ANSWER, 10_000 - ANSWER));
        assert!(Fault::unasked(&"x".repeat(5000))
            .to_string()
            .contains("' (4096 of 5000 bytes kept): "));
        assert!(!Fault::illegal("x", "why").to_string().contains("bytes"));
    }

    #[test]
    fn stored_faults_of_earlier_versions_are_read() {
        let stored = r#"{"invalid":{"answer":"x","why":"y"}}"#;
        assert_eq!(serde_json::from_str::<Fault>(stored).unwrap(), Fault::invalid("x", "y"));
        assert_eq!(serde_json::to_string(&Fault::invalid("x", "y")).unwrap(), stored);
        let stored = r#"{"timeout":{"limit":{"secs":1,"nanos":0},"partial":""}}"#;
        let timeout = Fault::timeout(Duration::from_secs(1));
        assert_eq!(serde_json::from_str::<Fault>(stored).unwrap(), timeout);
        assert_eq!(serde_json::to_string(&timeout).unwrap(), stored);
    }

    #[test]
    fn exceeded_limits_name_the_option_that_raises_them() {
        let limit = 3 << 29;
        let end = |exit| Fault::from(ProgramError::Ended(exit));
        let memory = Fault::from(ProgramError::MemoryLimit { limit });
        assert_eq!((memory.word(), &memory), ("memory-limit", &Fault::MemoryLimit { limit }));
        assert_eq!(memory.to_string(), "used more than 1536MiB of memory");
        assert!(memory.remedy().unwrap().contains("--memory"));
        let processes = end(Exit::ProcessLimit);
        assert_eq!(processes.word(), "crash");
        let told = "ended before it answered (it had more processes than allowed)";
        assert_eq!(processes.to_string(), told);
        assert!(processes.remedy().unwrap().contains("--processes"));
        let file = end(Exit::Signal(libc::SIGXFSZ));
        assert!(file.remedy().unwrap().contains("--scratch"), "{file}");
        let unknown = end(Exit::Unknown);
        assert_eq!((unknown.word(), unknown.remedy()), ("crash", None));
        assert_eq!(unknown.to_string(), "ended before it answered (how it ended is unknown)");
        let crash = end(Exit::Code(1));
        assert_eq!((crash.remedy(), crash), (None, Fault::Crash(Exit::Code(1))));
        for fault in [memory, processes, unknown] {
            let stored = serde_json::to_string(&fault).unwrap();
            assert_eq!(serde_json::from_str::<Fault>(&stored).unwrap(), fault, "{stored}");
        }
    }

    #[test]
    fn signals_of_other_processes_are_named() {
        let told = |exit| Fault::Crash(exit).to_string();
        let hint = "killed by a signal that the referee did not send";
        assert!(told(Exit::Signal(libc::SIGKILL)).contains(hint));
        assert!(!told(Exit::Signal(libc::SIGSEGV)).contains(hint));
        assert!(!told(Exit::Code(1)).contains(hint));
        let fault = Fault::Timeout {
            limit: Duration::from_millis(150),
            partial: String::new(),
            state: Some('T'),
            used: None,
        };
        let told = "did not answer within 150ms; found stopped (state T) at the deadline";
        assert_eq!(fault.to_string(), told);
    }
}
