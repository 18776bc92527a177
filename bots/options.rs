//! Command line of a bundled bot: a strategy, then options as `--name VALUE` or `--name=VALUE`.

use arbitre_games::game::ParseError;
use arbitre_games::text::{parse_duration, unknown, HELP};
use std::cell::RefCell;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

/// Options of every bot, each with a one-line description.
pub const COMMON: &[(&str, &str)] = &[
    ("--dialect D", "dialect [default: that of the first line]"),
    ("--rules R", "rules, for dialects that do not convey them"),
    ("--clock LINE", "limits, for dialects that do not convey them"),
    ("--move-time T", "time per move, instead of the referee's, such as 100ms or 1.5s"),
    ("--nodes N", "positions to search per move"),
    ("--depth D", "plies to search per move"),
    ("--seed S", "seed of random choices, in place of the referee's"),
    ("--help", "print this text"),
];

/// Words of a command line, which are taken one by one; a remaining word is an error.
pub struct Options {
    words: Vec<String>,
    /// Options requested so far, to suggest corrections of typos.
    known: RefCell<Vec<&'static str>>,
}

/// Returns the error of an option whose size in megabytes the system does not give.
pub fn no_memory(name: &str, megabytes: usize) -> ParseError {
    let error = format!("{name}: expected {megabytes} MB of free memory, got less");
    ParseError::of_machine(format!("{error}{HELP}a smaller {name} may fit"))
}

impl Options {
    /// Creates options from the words of a command line.
    pub fn new(words: &[String]) -> Options {
        Options { words: words.to_vec(), known: RefCell::default() }
    }

    /// Options of a command line whose words contain no blanks.
    pub fn of(line: &str) -> Options {
        Options {
            words: line.split_whitespace().map(str::to_owned).collect(),
            known: RefCell::default(),
        }
    }

    /// Takes the first word, if it is not an option.
    pub fn take_word(&mut self) -> Option<String> {
        self.words.first().filter(|word| !word.starts_with('-'))?;
        Some(self.words.remove(0))
    }

    /// Takes the last word, if it is a number and not the value of an option.
    pub fn take_last_number(&mut self) -> Option<usize> {
        let (last, before) = self.words.split_last()?;
        let is_value =
            before.last().is_some_and(|word| word.starts_with("--") && !word.contains('='));
        let number = last.parse().ok().filter(|_| !is_value)?;
        self.words.pop();
        Some(number)
    }

    /// Returns `true` if the option is present and not taken yet.
    pub fn has(&self, name: &str) -> bool {
        let is_it = |word: &String| {
            word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        self.words.iter().any(is_it)
    }

    /// Takes the value of an option. `name` includes the dashes.
    ///
    /// # Errors
    /// Returns an error if the option has no value.
    pub fn take_text(&mut self, name: &'static str) -> Result<Option<String>, ParseError> {
        self.known.borrow_mut().push(name);
        let joined = format!("{name}=");
        let found = self.words.iter().position(|word| word == name || word.starts_with(&joined));
        let Some(at) = found else { return Ok(None) };
        let word = self.words.remove(at);
        if let Some(value) = word.strip_prefix(&joined) {
            return Ok(Some(value.into()));
        }
        if at == self.words.len() {
            return Err(ParseError::new(format!("{name}: expected a value, got none")));
        }
        Ok(Some(self.words.remove(at)))
    }

    /// Takes the value of a numeric option.
    ///
    /// # Errors
    /// Returns an error if the value is missing or not a number of type `T`.
    pub fn take<T: FromStr>(&mut self, name: &'static str) -> Result<Option<T>, ParseError> {
        let Some(text) = self.take_text(name)? else { return Ok(None) };
        let bad = |_| ParseError::new(format!("{name}: expected a whole number, got '{text}'"));
        text.parse().map(Some).map_err(bad)
    }

    /// Takes the number of threads; by default one for each processor.
    ///
    /// # Errors
    /// Returns an error if the value is missing, 0, or not a number.
    pub fn take_threads(&mut self) -> Result<usize, ParseError> {
        let processors = || available_parallelism().map_or(1, usize::from);
        Ok(self.take_count("--threads")?.unwrap_or_else(processors))
    }

    /// Takes the value of a numeric option of at least 1.
    ///
    /// # Errors
    /// Returns an error if the value is missing, 0, or not a number of type `T`.
    pub fn take_count<T>(&mut self, name: &'static str) -> Result<Option<T>, ParseError>
    where
        T: FromStr + Default + PartialEq,
    {
        match self.take(name)? {
            Some(count) if count == T::default() => {
                Err(ParseError::new(format!("{name}: expected a number from 1, got '0'")))
            }
            count => Ok(count),
        }
    }

    /// Takes the value of an option that is a duration.
    ///
    /// # Errors
    /// Returns an error if the value is missing or not a duration.
    pub fn take_duration(&mut self, name: &'static str) -> Result<Option<Duration>, ParseError> {
        let named = |why| ParseError::new(format!("{name}: {why}"));
        self.take_text(name)?.map(|text| parse_duration(&text).map_err(named)).transpose()
    }

    /// Takes the value of an option that is `on` or `off`; the default is off.
    ///
    /// # Errors
    /// Returns an error if the value is missing or another word.
    pub fn take_switch(&mut self, name: &'static str) -> Result<bool, ParseError> {
        match self.take_text(name)?.as_deref() {
            None | Some("off") => Ok(false),
            Some("on") => Ok(true),
            Some(other) => {
                Err(ParseError::new(format!("{name}: expected on or off, got '{other}'")))
            }
        }
    }

    /// Takes an option without a value. Returns whether it was present.
    pub fn take_flag(&mut self, name: &'static str) -> bool {
        self.known.borrow_mut().push(name);
        let found = self.words.iter().position(|word| word == name);
        found.map(|at| self.words.remove(at)).is_some()
    }

    /// Checks that every word was taken.
    ///
    /// # Errors
    /// Returns an error that names the first remaining word.
    pub fn finish(self) -> Result<(), ParseError> {
        let Some(word) = self.words.first() else { return Ok(()) };
        let name = word.split('=').next().unwrap_or(word);
        // Each take removes one occurrence, so a known name that remains was given twice.
        if self.known.borrow().contains(&name) {
            return Err(ParseError::new(format!("{name}: expected once, got twice")));
        }
        Err(unknown("option", name, self.known.borrow().iter().copied()))
    }
}
