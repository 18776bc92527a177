//! The document of a contest: its keys, the tournament among them.

use super::schema::Format;
use crate::config::format::FormatConfig;
use crate::config::{Contest, Source, TournamentSource};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// Document of a contest. Format 3 added `seeding`, the source of a tournament and
/// rooms.
#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(flatten)]
    contest: Contest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tournament: Option<Tournament>,
    /// Title of a room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    room: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Tournament {
    name: String,
    format: FormatConfig,
    references: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<PathBuf>,
}

/// Reads a document.
///
/// # Errors
/// Returns a description of the damage.
pub fn read(text: &str) -> Result<Contest, String> {
    let document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Document { contest, tournament, room } = document;
    Ok(match tournament {
        None => Contest { source: room.map_or(Source::Words, Source::Room), ..contest },
        Some(Tournament { name: title, format, references, left, source: path }) => {
            let source = Source::Tournament(TournamentSource { title, references, left, path });
            Contest { format, source, ..contest }
        }
    })
}

/// Returns the document of a contest. It keeps the keys of the document `before` that this version
/// does not know.
pub fn write(contest: &Contest, format: Format, before: Option<&str>) -> String {
    let is_new = format >= Format::Three;
    let contest = contest.clone();
    let (tournament, room) = match contest.source.clone() {
        Source::Words => (None, None),
        Source::Room(title) => (None, Some(title)),
        Source::Tournament(TournamentSource { title: name, references, left, path }) => {
            let (format, source) = (contest.format.clone(), path.filter(|_| is_new));
            (Some(Tournament { name, format, references, left, source }), None)
        }
    };
    let document = Document { contest, tournament, room };
    if before.is_none() && is_new {
        return super::cells::json(&document);
    }
    let mut all = serde_json::to_value(&document).unwrap_or_default();
    if let (Value::Object(all), false) = (&mut all, is_new) {
        all.remove("seeding");
    }
    let before = before.unwrap_or_default();
    let known = serde_json::from_str::<Document>(before).map(serde_json::to_value);
    if let (Ok(before), Ok(Ok(known))) = (serde_json::from_str(before), known) {
        keep_unknown(&before, &known, &mut all);
    }
    super::cells::json(&all)
}

/// Copies what `before` has and this version does not read, in objects of any depth.
fn keep_unknown(before: &Value, known: &Value, into: &mut Value) {
    let (Value::Object(before), Value::Object(into)) = (before, into) else { return };
    for (key, value) in before {
        match (known.get(key), into.get_mut(key)) {
            (Some(known), Some(into)) => keep_unknown(value, known, into),
            (None, None) if !value.is_null() => drop(into.insert(key.clone(), value.clone())),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_kept_and_unknown_seedings_refused() {
        let text = r#"{"game":"g","rules":"","seats":2,"games":4,"seed":1,"openings":{"drawn":0},
            "sprt":null,"later":[1],"seeding":"by-round"}"#;
        let contest = Contest { games: 6, ..read(text).unwrap() };
        let again = write(&contest, Format::Three, Some(text));
        assert!(again.contains(r#""later":[1]"#) && again.contains(r#""games":6"#), "{again}");
        assert_eq!(read(&again).unwrap(), contest);
        let nested = text.replace(
            "\"later\":[1]",
            r#""tournament":{"name":"t","format":{"kind":"double-knockout"},"references":[],"more":{"a":1}}"#,
        );
        let again = write(&read(&nested).unwrap(), Format::Three, Some(&nested));
        assert!(again.contains(r#""more":{"a":1}"#), "{again}");
        let match_of_it = Contest { source: Source::Words, ..read(&nested).unwrap() };
        assert!(!write(&match_of_it, Format::Three, Some(&nested)).contains("more"));
        let error = read(&text.replace("by-round", "by-moon")).unwrap_err();
        assert!(error.contains("by-moon"), "{error}");
        assert!(!write(&contest, Format::Two, None).contains("seeding"));
    }
}
