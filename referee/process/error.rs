//! Events that come in place of an answer.

use crate::exit::Exit;
use crate::stopwatch::AnswerTime;
use std::time::Duration;

/// Event in place of an answer of a program, as the end of a sentence that begins with its name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// The program ended.
    #[error("ended before it answered ({0})")]
    Ended(Exit),
    /// The program and its descendants used more memory than allowed, and were killed.
    #[error("used more than {limit} bytes of memory")]
    MemoryLimit {
        /// Most memory allowed, in bytes.
        limit: u64,
    },
    /// The program closed its output, or does not run.
    #[error("closed its output")]
    Closed,
    /// The program did not answer in time.
    #[error("did not answer within {limit:?}")]
    Late {
        /// Time limit, without the margin.
        limit: Duration,
        /// Start of a line that the program had not ended.
        partial: String,
        /// State of the process at the deadline, as `/proc` spells it, if it could not run.
        state: Option<char>,
        /// Time that had passed, and what the program used of it.
        used: AnswerTime,
    },
    /// The program got so little time on this machine that it cannot be called late.
    #[error("used too little processor time to be judged by a limit of {limit:?}")]
    Unjudged {
        /// Time limit, without the margin.
        limit: Duration,
        /// Time that had passed, and what the program used of it.
        used: AnswerTime,
    },
    /// The program wrote this before it was asked, and was therefore not asked any more.
    #[error("wrote before it was asked")]
    Unasked(Vec<u8>),
    /// The program wrote a line that is too long.
    #[error("wrote a line of more than {limit} bytes")]
    LineTooLong {
        /// Longest line allowed, in bytes.
        limit: usize,
    },
    /// The program wrote this line, which is not UTF-8.
    #[error("wrote a line that is not UTF-8")]
    NotText(Vec<u8>),
}
