//! Solutions in the contest's format: a JSON array of objects with problem, seed and characters.

use super::json::{Json, Located};
use crate::game::ParseError;
use crate::text::write_json_string;
use std::borrow::Cow;

/// Characters played for a seed of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<'a> {
    /// The number of the problem.
    pub problem: u32,
    /// The seed.
    pub seed: u32,
    /// Label given by the author.
    pub tag: Option<Cow<'a, str>>,
    /// Characters of the solution.
    pub text: Cow<'a, str>,
}

impl<'a> Solution<'a> {
    /// Parses a document: an array of objects with `problemId`, `seed`, `solution` and optionally
    /// `tag`; other names are ignored.
    ///
    /// # Errors
    /// Returns an error if `text` is not JSON, or a member is missing or invalid; the message names
    /// the member.
    pub fn parse_all(text: &'a str) -> Result<Vec<Solution<'a>>, ParseError> {
        Solution::parse_each(text)?.into_iter().collect()
    }

    /// Parses a document like [`Solution::parse_all`], with an error for each invalid solution.
    ///
    /// # Errors
    /// Returns an error if `text` is not JSON, or not an array.
    pub fn parse_each(text: &'a str) -> Result<Vec<Result<Solution<'a>, ParseError>>, ParseError> {
        Located::root(&Json::parse(text)?, "the solutions")
            .each(|solution| Ok(Solution::of(solution)))
    }

    fn of(solution: Located<'_, 'a>) -> Result<Solution<'a>, ParseError> {
        let problem = solution.member("problemId")?.u32()?;
        let seed = solution.member("seed")?.u32()?;
        let text = solution.member("solution")?.text()?.clone();
        let tag = solution.member("tag").ok().filter(|tag| *tag.json != Json::Null);
        let tag = tag.map(|tag| tag.text().cloned()).transpose()?;
        Ok(Solution { problem, seed, tag, text })
    }

    /// Writes a document with a line per solution.
    pub fn write_all(solutions: &[Solution]) -> String {
        let mut out = String::from("[");
        for (number, Solution { problem, seed, tag, text }) in solutions.iter().enumerate() {
            out.push_str(if number > 0 { ",\n" } else { "" });
            out += &format!("{{\"problemId\":{problem},\"seed\":{seed}");
            if let Some(tag) = tag {
                out.push_str(",\"tag\":");
                write_json_string(tag, &mut out);
            }
            out.push_str(",\"solution\":");
            write_json_string(text, &mut out);
            out.push('}');
        }
        out + "]\n"
    }
}
