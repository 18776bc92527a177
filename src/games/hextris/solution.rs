//! Solutions as the contest has them: a JSON array of what was played for which seed of which problem.

use super::json::Json;
use super::problem::{field, integer, wrong};
use crate::game::ParseError;
use crate::text::write_json_string;
use std::borrow::Cow;
use std::fmt::Write;

/// What was played for a seed of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution<'a> {
    /// The number of the problem.
    pub problem: u32,
    /// The seed.
    pub seed: u32,
    /// What its author calls it.
    pub tag: Option<Cow<'a, str>>,
    /// The characters.
    pub text: Cow<'a, str>,
}

impl<'a> Solution<'a> {
    /// Reads a document: an array of objects with `problemId`, `seed`, `solution` and perhaps `tag`; other
    /// names are passed over.
    ///
    /// # Errors
    /// If it is no JSON, or something is missing or does not fit: the message names it.
    pub fn parse_all(text: &'a str) -> Result<Vec<Solution<'a>>, ParseError> {
        match Json::parse(text)? {
            Json::Array(elements) => {
                let numbered = elements.into_iter().enumerate();
                numbered.map(|(number, json)| Solution::read(number, json)).collect()
            }
            other => Err(wrong("the solutions", "an array", &other)),
        }
    }

    fn read(number: usize, json: Json<'a>) -> Result<Solution<'a>, ParseError> {
        let at = format!("[{number}]");
        let whole = |name: &str| {
            let range = 0..=u32::MAX.into();
            integer(field(&json, name, &at)?, range, || format!("{at}.{name}")).map(|n| n as u32)
        };
        let (problem, seed) = (whole("problemId")?, whole("seed")?);
        field(&json, "solution", &at)?;
        let Json::Object(members) = json else { unreachable!("it has a field") };
        let (mut text, mut tag) = (Cow::Borrowed(""), None);
        for (name, value) in members {
            let is_text = matches!(value, Json::Text(_));
            match (&*name, value) {
                ("solution", Json::Text(found)) => text = found,
                ("tag", Json::Text(found)) => tag = Some(found),
                ("tag", Json::Null) => {}
                ("solution" | "tag", other) if !is_text => {
                    return Err(wrong(&format!("{at}.{name}"), "a string", &other));
                }
                _ => {}
            }
        }
        Ok(Solution { problem, seed, tag, text })
    }

    /// Writes a document, a line per solution.
    pub fn write_all(solutions: &[Solution]) -> String {
        let mut out = String::from("[");
        for (number, solution) in solutions.iter().enumerate() {
            out.push_str(if number > 0 { ",\n" } else { "" });
            solution.write(&mut out);
        }
        out + "]\n"
    }

    fn write(&self, out: &mut String) {
        write!(out, "{{\"problemId\":{},\"seed\":{}", self.problem, self.seed)
            .expect("a string takes all");
        if let Some(tag) = &self.tag {
            out.push_str(",\"tag\":");
            write_json_string(tag, out);
        }
        out.push_str(",\"solution\":");
        write_json_string(&self.text, out);
        out.push('}');
    }
}
