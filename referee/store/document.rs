//! The document of a contest: the only place where it is read and written.

use super::schema::Format;
use crate::config::adjudication::Adjudication;
use crate::config::format::FormatConfig;
use crate::config::shard::Shard;
use crate::config::{Contest, OpeningSource, Seeding, Source, TournamentSource};
use crate::external::ExternalRules;
use crate::statistics::sprt::{as_text, Sprt};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// Document of a contest. Format 3 added `seeding` and the source of a tournament.
#[derive(Serialize, Deserialize)]
struct Document {
    game: String,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    external: Option<ExternalRules>,
    seats: usize,
    games: u64,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seeding: Option<Seeding>,
    openings: OpeningSource,
    #[serde(with = "as_text")]
    sprt: Option<Sprt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adjudication: Option<Adjudication>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tournament: Option<Tournament>,
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
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let (format, source) = match document.tournament {
        None => (FormatConfig::RoundRobin, Source::Words),
        Some(Tournament { name: title, format, references, left, source: path }) => {
            (format, Source::Tournament(TournamentSource { title, references, left, path }))
        }
    };
    Ok(Contest {
        game: document.game,
        rules: document.rules,
        external: document.external,
        seats: document.seats,
        games: document.games,
        seed: document.seed,
        seeding: document.seeding.unwrap_or_default(),
        openings: document.openings,
        players: Vec::new(),
        format,
        sprt: document.sprt,
        adjudication: document.adjudication,
        shard: document.shard,
        source,
    })
}

/// Returns the document of a contest. It keeps the keys of the document `before` that this version
/// does not know.
pub fn write(contest: &Contest, format: Format, before: Option<&str>) -> String {
    let is_new = format >= Format::Three;
    let contest = contest.clone();
    let tournament = match contest.source {
        Source::Words => None,
        Source::Tournament(TournamentSource { title: name, references, left, path }) => {
            let source = path.filter(|_| is_new);
            Some(Tournament { name, format: contest.format, references, left, source })
        }
    };
    let document = Document {
        game: contest.game,
        rules: contest.rules,
        external: contest.external,
        seats: contest.seats,
        games: contest.games,
        seed: contest.seed,
        seeding: is_new.then_some(contest.seeding),
        openings: contest.openings,
        sprt: contest.sprt,
        adjudication: contest.adjudication,
        shard: contest.shard,
        tournament,
    };
    let Some(before) = before else { return super::cells::json(&document) };
    let mut all = serde_json::to_value(&document).unwrap_or_default();
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
