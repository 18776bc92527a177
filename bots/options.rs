//! The command line of a bundled bot: a strategy, then options as `--name VALUE` or `--name=VALUE`.

use arbitre_games::game::ParseError;
use arbitre_games::text::{parse_duration, unknown};
use std::cell::RefCell;
use std::str::FromStr;
use std::time::Duration;

/// The options that every bot has, with a line about each.
pub const COMMON: &[(&str, &str)] = &[
    ("--dialect D", "how to speak; without it, as the first line does"),
    ("--rules R", "the game's options, where the dialect does not tell them"),
    ("--clock LINE", "the limits, where the dialect does not tell them"),
    ("--move-time T", "think so long, whatever the referee says (100ms, 1.5s)"),
    ("--nodes N", "search so many positions"),
    ("--depth D", "search so many plies"),
    ("--seed S", "for random choices, where the dialect brings no seed"),
    ("--help", "this text"),
];

/// The words of a command line, taken out one by one; what is left over at the end is an error.
pub struct Options {
    words: Vec<String>,
    /// The options asked for so far: what a typo is compared with.
    known: RefCell<Vec<&'static str>>,
}

impl Options {
    /// Options to be taken out of these words.
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

    /// Takes the last word, if it is a number and no option's value.
    pub fn take_last_number(&mut self) -> Option<usize> {
        let (last, before) = self.words.split_last()?;
        let is_value =
            before.last().is_some_and(|word| word.starts_with("--") && !word.contains('='));
        let number = last.parse().ok().filter(|_| !is_value)?;
        self.words.pop();
        Some(number)
    }

    /// Is this option there, not taken yet?
    pub fn has(&self, name: &str) -> bool {
        let is_it = |word: &String| {
            word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        self.words.iter().any(is_it)
    }

    /// Takes the value of an option, written with its dashes.
    ///
    /// # Errors
    /// If the option stands there without a value.
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
            return Err(ParseError::new(format!("{name} needs a value")));
        }
        Ok(Some(self.words.remove(at)))
    }

    /// Takes the value of an option that is a number.
    ///
    /// # Errors
    /// If the value is missing or no number of that kind.
    pub fn take<T: FromStr>(&mut self, name: &'static str) -> Result<Option<T>, ParseError> {
        let Some(text) = self.take_text(name)? else { return Ok(None) };
        let bad = |_| ParseError::new(format!("{name} takes a whole number, not '{text}'"));
        text.parse().map(Some).map_err(bad)
    }

    /// Takes the value of an option that is a number from 1.
    ///
    /// # Errors
    /// If the value is missing, no number of that kind, or 0.
    pub fn take_count<T>(&mut self, name: &'static str) -> Result<Option<T>, ParseError>
    where
        T: FromStr + Default + PartialEq,
    {
        match self.take(name)? {
            Some(count) if count == T::default() => {
                Err(ParseError::new(format!("{name} takes a number from 1, not '0'")))
            }
            count => Ok(count),
        }
    }

    /// Takes the value of an option that is a duration.
    ///
    /// # Errors
    /// If the value is missing or no duration.
    pub fn take_duration(&mut self, name: &'static str) -> Result<Option<Duration>, ParseError> {
        self.take_text(name)?.map(|text| parse_duration(&text)).transpose()
    }

    /// Takes the value of an option that is `on` or `off`; off where it is not there.
    ///
    /// # Errors
    /// If the value is missing or another word.
    pub fn take_switch(&mut self, name: &'static str) -> Result<bool, ParseError> {
        match self.take_text(name)?.as_deref() {
            None | Some("off") => Ok(false),
            Some("on") => Ok(true),
            Some(other) => Err(ParseError::new(format!("{name} takes on or off, not '{other}'"))),
        }
    }

    /// Takes an option that has no value. Returns whether it was there.
    pub fn take_flag(&mut self, name: &'static str) -> bool {
        self.known.borrow_mut().push(name);
        let found = self.words.iter().position(|word| word == name);
        found.map(|at| self.words.remove(at)).is_some()
    }

    /// Says whether every word was taken.
    ///
    /// # Errors
    /// Names the first word that was not.
    pub fn finish(self) -> Result<(), ParseError> {
        let Some(word) = self.words.first() else { return Ok(()) };
        let name = word.split('=').next().unwrap_or(word);
        if self.known.borrow().contains(&name) {
            return Err(ParseError::new(format!("{name} was given twice")));
        }
        Err(unknown("option", name, self.known.borrow().iter().copied()))
    }
}
