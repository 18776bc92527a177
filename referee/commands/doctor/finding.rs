//! Findings, and their layout as text.

use arbitre_referee::escape::{escape, needs_escape};
use serde::Serialize;
use serde_json::{json, Value};

/// Columns of the text.
const WIDTH: usize = 80;
/// Columns before the text of a finding: two blanks, the longest status and two blanks.
const INDENT: usize = 11;

/// Judgement of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nothing is missing.
    Ok,
    /// Something works, but worse than it could.
    Warning,
    /// Something does not work.
    Missing,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Missing => "missing",
        }
    }
}

/// One line of a section.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Judgement.
    pub status: Status,
    /// Ability of the machine, or what it lacks.
    pub text: String,
    /// Remedy, or request for an administrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Commands of the remedy, one after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
}

impl Finding {
    /// Creates a finding that nothing is missing.
    pub fn ok(text: impl Into<String>) -> Finding {
        Finding { status: Status::Ok, text: text.into(), help: None, commands: Vec::new() }
    }

    /// Creates a finding of something that could be better.
    pub fn warning(text: impl Into<String>) -> Finding {
        Finding { status: Status::Warning, ..Finding::ok(text) }
    }

    /// Creates a finding of something that is missing.
    pub fn missing(text: impl Into<String>) -> Finding {
        Finding { status: Status::Missing, ..Finding::ok(text) }
    }

    /// Adds a remedy.
    pub fn help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(help.into()), ..self }
    }

    /// Adds a command.
    pub fn command(mut self, command: impl Into<String>) -> Finding {
        self.commands.push(command.into());
        self
    }

    /// Returns the lines. Commands are not wrapped, so that they can be copied.
    fn lines(&self) -> String {
        let mut text = wrapped(&format!("  {:<9}", self.status.word()), &self.text);
        if let Some(help) = &self.help {
            text += &wrapped(&format!("{:INDENT$}help: ", ""), help);
        }
        for line in self.commands.iter().flat_map(|command| command.lines()) {
            text += &format!("{:>INDENT$}{}\n", "", whole(line));
        }
        text
    }
}

/// Part of an examination.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Name, which is also its key in documents.
    pub name: &'static str,
    /// Values read from the machine.
    pub facts: Value,
    /// Findings that follow from them.
    pub findings: Vec<Finding>,
}

impl Section {
    /// Returns the text for people.
    pub fn text(&self) -> String {
        let lines = self.findings.iter().map(Finding::lines);
        format!("{}\n{}", self.name, lines.collect::<String>())
    }

    /// Returns the facts and findings.
    pub fn document(&self) -> Value {
        json!({ "facts": self.facts, "findings": self.findings })
    }
}

/// Returns a command with its control characters escaped, however long it is.
fn whole(line: &str) -> String {
    let escaped = |c: char| match needs_escape(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    };
    line.chars().map(escaped).collect()
}

/// Returns a text in lines of at most [`WIDTH`] columns, the first of which begins with `start`.
/// A longer word has a line of its own.
fn wrapped(start: &str, text: &str) -> String {
    let (mut lines, mut line) = (String::new(), start.to_owned());
    let mut is_empty = true;
    for word in text.split(' ').map(escape) {
        let columns = line.chars().count() + usize::from(!is_empty) + word.chars().count();
        if !is_empty && columns > WIDTH {
            lines += &format!("{line}\n");
            (line, is_empty) = (" ".repeat(INDENT), true);
        }
        line += if is_empty { "" } else { " " };
        line += &word;
        is_empty = false;
    }
    format!("{lines}{line}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_and_commands_are_not() {
        let long = "word ".repeat(20);
        let command = "c".repeat(300);
        let finding = Finding::missing(long.trim()).help("do \u{1b}[2J this").command(&*command);
        let section = Section { name: "memory", facts: json!({ "a": 1 }), findings: vec![finding] };
        let expected = format!(
            "memory\n  missing  {}\n           {}\n           help: do \\u{{1b}}[2J this\n           {command}\n",
            ["word"; 14].join(" "),
            ["word"; 6].join(" "),
        );
        assert_eq!(section.text(), expected);
        let document = section.document();
        assert_eq!(document["facts"]["a"], 1);
        assert_eq!(document["findings"][0]["status"], "missing");
        assert_eq!(document["findings"][0]["commands"][0], command);
    }
}
