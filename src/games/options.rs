//! Parser of rule options in text form: `PRESET key=value,key=value`.

use crate::game::ParseError;
use crate::text::{alternatives, unknown, HELP};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// An option of a game's rules, as help texts show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Key before the `=`.
    pub name: &'static str,
    /// Accepted values; a value in capitals stands for a number.
    pub values: &'static [&'static str],
    /// Effect of the option, in one line.
    pub meaning: &'static str,
}

/// Values of an option that is off or on.
pub const SWITCHES: [(&str, bool); 2] = [("no", false), ("yes", true)];

/// Returns the words of a table of words and values.
pub const fn words<T, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = table[at].0;
        at += 1;
    }
    words
}

/// Rules text split into its parts; values are not checked yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written<'a> {
    /// Preset at the start of the text.
    pub preset: Option<&'a str>,
    /// Options after the preset, each at most once, in the order of the text.
    pub pairs: Vec<(&'a str, &'a str)>,
}

/// Splits a rules text into `PRESET` and `key=value`, separated by commas or blanks.
///
/// # Errors
/// Returns an error if a preset or an option is unknown, or an option comes twice or without a
/// value. A preset must come first: it resets every option, so earlier ones would be lost.
///
/// ```
/// use arbitre_games::games::options::{read, OptionInfo};
/// let sweep = OptionInfo { name: "sweep", values: &["no", "yes"], meaning: "" };
/// let written = read("abapa, sweep=no", &["abapa"], &[sweep]).unwrap();
/// assert_eq!(written.preset, Some("abapa"));
/// assert_eq!(written.pairs, [("sweep", "no")]);
/// ```
pub fn read<'a>(
    text: &'a str,
    presets: &[&str],
    options: &[OptionInfo],
) -> Result<Written<'a>, ParseError> {
    let mut written = Written::default();
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    for word in text.split(is_separator).filter(|word| !word.is_empty()) {
        match word.split_once('=') {
            Some(pair) => written.add_option(pair, options)?,
            None => written.add_preset(word, presets, options)?,
        }
    }
    Ok(written)
}

/// Parses rules: one of `presets`, by default the first, and options, each applied by `set`.
///
/// # Errors
/// Returns an error if [`read`] does, or if `set` rejects a value.
pub fn resolve<R: Copy>(
    text: &str,
    presets: &[(&str, R)],
    options: &[OptionInfo],
    set: impl Fn(&mut R, &str, &str) -> Result<(), ParseError>,
) -> Result<R, ParseError> {
    let names: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let written = read(text, &names, options)?;
    let mut rules = written.preset_of(presets);
    written.pairs.iter().try_for_each(|(name, value)| set(&mut rules, name, value))?;
    Ok(rules)
}

impl<'a> Written<'a> {
    /// Returns the rules of the preset, or of the first one in `presets` if the text names none.
    ///
    /// # Panics
    /// Panics if `presets` is empty, or the text was read with others.
    pub fn preset_of<R: Copy>(&self, presets: &[(&str, R)]) -> R {
        let named = |name| presets.iter().find(|(known, _)| *known == name);
        self.preset.map_or(presets.first(), named).expect("the text was read with these presets").1
    }

    fn add_option(
        &mut self,
        (name, value): (&'a str, &'a str),
        options: &[OptionInfo],
    ) -> Result<(), ParseError> {
        if !options.iter().any(|option| option.name == name) {
            return Err(unknown_option(name, options));
        }
        if let Some((_, earlier)) = self.pairs.iter().find(|(other, _)| *other == name) {
            return Err(ParseError::new(format!(
                "option {name}: expected once, got {earlier} and {value}"
            )));
        }
        self.pairs.push((name, value));
        Ok(())
    }

    fn add_preset(
        &mut self,
        word: &'a str,
        presets: &[&str],
        options: &[OptionInfo],
    ) -> Result<(), ParseError> {
        // The bare name of an option lacks its value; it is not an unknown preset.
        if let Some(option) = options.iter().find(|option| option.name == word) {
            return Err(needs_value(option));
        }
        if presets.is_empty() {
            return Err(unknown_option(word, options));
        }
        if !presets.contains(&word) {
            return Err(unknown("preset", word, presets.iter().copied()));
        }
        if self.preset.is_some() || !self.pairs.is_empty() {
            return Err(ParseError::new(format!(
                "expected preset {word} as the first word, got it after {}{HELP}a preset resets \
                 every option",
                self.last_word()
            )));
        }
        self.preset = Some(word);
        Ok(())
    }

    fn last_word(&self) -> &str {
        match self.pairs.last() {
            Some((name, _)) => name,
            None => self.preset.unwrap_or("nothing"),
        }
    }
}

/// Parses two sides joined by `x`, each within its range. `form` describes them.
///
/// # Errors
/// Returns an error if the text is anything else.
pub fn parse_sides<T: FromStr + PartialOrd>(
    text: &str,
    form: &str,
    [first, second]: [RangeInclusive<T>; 2],
) -> Result<(T, T), ParseError> {
    let side = |word: &str, range: RangeInclusive<T>| {
        word.parse().ok().filter(|side| range.contains(side))
    };
    let words = text.split_once('x');
    let sides = words.and_then(|(one, other)| Some((side(one, first)?, side(other, second)?)));
    sides.ok_or_else(|| ParseError::new(format!("expected {form}, got '{text}'")))
}

/// Parses the value of the option `name`, a number within a range.
///
/// # Errors
/// Returns an error if the text is anything else.
pub fn parse_number<T: FromStr + PartialOrd + Display>(
    name: &str,
    text: &str,
    range: RangeInclusive<T>,
) -> Result<T, ParseError> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        ParseError::new(format!(
            "expected {name} to be a number from {least} to {most}, got '{text}'"
        ))
    })
}

fn unknown_option(name: &str, options: &[OptionInfo]) -> ParseError {
    unknown("option", name, options.iter().map(|option| option.name))
}

fn needs_value(option: &OptionInfo) -> ParseError {
    let OptionInfo { name, values, .. } = option;
    ParseError::new(format!(
        "option {name}: expected a value, got none{HELP}write {name}={}",
        alternatives(values)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: [OptionInfo; 2] = [
        OptionInfo { name: "sweep", values: &["no", "yes"], meaning: "" },
        OptionInfo { name: "max-plies", values: &["N", "none"], meaning: "" },
    ];

    fn refusal(text: &str) -> String {
        read(text, &["abapa", "awari"], &OPTIONS).unwrap_err().to_string()
    }

    #[test]
    fn splits_a_rules_text() {
        let written = read(" abapa,sweep=no  max-plies=7,", &["abapa"], &OPTIONS).unwrap();
        assert_eq!(written.preset, Some("abapa"));
        assert_eq!(written.pairs, [("sweep", "no"), ("max-plies", "7")]);
        assert_eq!(read(" , ", &[], &OPTIONS), Ok(Written::default()));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let cases = [
            ("swep=no", "option: expected sweep or max-plies, got 'swep'; help: did you mean sweep?"),
            ("abap", "preset: expected abapa or awari, got 'abap'; help: did you mean abapa?"),
            ("sweep", "option sweep: expected a value, got none; help: write sweep=no or yes"),
            ("sweep=no sweep=yes", "option sweep: expected once, got no and yes"),
            (
                "sweep=no abapa",
                "expected preset abapa as the first word, got it after sweep; help: a preset resets \
                 every option",
            ),
            (
                "abapa awari",
                "expected preset awari as the first word, got it after abapa; help: a preset resets \
                 every option",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(refusal(text), message);
        }
        let without_presets = read("swep", &[], &OPTIONS).unwrap_err().to_string();
        assert_eq!(without_presets, refusal("swep=no"));
    }
}
