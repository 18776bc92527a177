//! The schema of the file of a tournament beside the parser of that file, and the examples.

use arbitre::internals::config::player_options::PlayerOptions;
use arbitre::internals::config::tournament_args::TournamentOptions;
use arbitre::internals::config::tournament_file::TournamentFile;
use arbitre_test_support::command::{json, referee, stdout};
use serde_json::Value;
use std::collections::BTreeSet;

/// Texts that the keys take.
const TEXTS: [(&str, &str); 28] = [
    ("adjudicate", "draw=8"),
    ("allow-device", "/dev/null"),
    ("allow-read", "/usr"),
    ("allow-write", "/tmp"),
    ("bot", "awele greedy"),
    ("build", "make"),
    ("classpath", "lib/core.jar"),
    ("command", "awele greedy"),
    ("dialect", "codingame"),
    ("env", "LANG=C"),
    ("external", "python3 rules.py"),
    ("first-move-time", "1s"),
    ("from", "class"),
    ("game", "awele"),
    ("game-time", "1min"),
    ("increment", "100ms"),
    ("init-time", "5s"),
    ("margin", "10ms"),
    ("memory", "512MiB"),
    ("move-time", "50ms"),
    ("name", "Tron 2026"),
    ("openings", "book.txt"),
    ("overtime", "1s"),
    ("reference", "awele greedy"),
    ("rules", "codingame"),
    ("scratch", "64MiB"),
    ("sprt", "elo0=0,elo1=40"),
    ("tc", "8+0.08"),
];
/// Tables that keys with a table take.
const INLINE: [(&str, &str); 2] =
    [("adjudicate", "{ draw = 8 }"), ("sprt", "{ elo0 = 0, elo1 = 40 }")];

fn schema() -> Value {
    let output = referee(&["schema", "tournament"]).output().unwrap();
    assert!(output.status.success());
    json(&stdout(&output))
}

/// Returns TOML values of every kind that a schema allows for a key.
fn values(key: &str, schema: &Value) -> Vec<String> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect();
    }
    if let Some(kinds) = schema["anyOf"].as_array() {
        return kinds.iter().flat_map(|kind| values(key, kind)).collect();
    }
    let text = || {
        let found = TEXTS.iter().find(|(of, _)| *of == key);
        let (_, text) = found.unwrap_or_else(|| panic!("the table has no text for {key}"));
        format!("{text:?}")
    };
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let value = |kind: &Value| match kind.as_str().unwrap() {
        "boolean" => "true".into(),
        "integer" => "64".into(),
        "number" => "1.5".into(),
        "string" => text(),
        "array" => format!("[{}]", text()),
        "object" => INLINE.iter().find(|(of, _)| *of == key).expect("it has a table").1.into(),
        kind => panic!("{key}: {kind}"),
    };
    kinds.iter().map(value).collect()
}

fn keys(table: &Value) -> BTreeSet<String> {
    table["properties"].as_object().unwrap().keys().cloned().collect()
}

/// Returns `true` if the parser takes a value of a key.
fn takes(table: &str, key: &str, value: &str) -> bool {
    let text = match (table, key) {
        ("[[grade]]", "bot") => format!("{table}\npoints = 1\n{key} = {value}\n"),
        ("[[grade]]", _) => format!("{table}\nbot = \"awele greedy\"\n{key} = {value}\n"),
        _ => format!("{table}\n{key} = {value}\n"),
    };
    let parsed = TournamentFile::parse("cup.toml", &text);
    parsed.is_ok()
}

#[test]
fn schema_has_the_keys_and_values_of_the_parser() {
    let schema = schema();
    let of = &schema["properties"];
    let tables = [
        ("[tournament]", &of["tournament"], TournamentOptions::names(), &[][..]),
        ("[players]", &of["players"], Vec::new(), &["from", "reference"][..]),
        (
            "[[player]]",
            &of["player"]["items"],
            PlayerOptions::names(),
            &["name", "command", "dialect", "build"],
        ),
    ];
    let grade = ("[[grade]]", &of["grade"]["items"], Vec::new(), &["bot", "points"][..]);
    for (table, schema, names, more) in tables.into_iter().chain([grade]) {
        let names: BTreeSet<String> =
            names.into_iter().chain(more.iter().map(|key| (*key).to_owned())).collect();
        assert_eq!(keys(schema), names, "{table}");
        for (key, of_key) in schema["properties"].as_object().unwrap() {
            assert!(of_key["description"].as_str().is_some_and(|text| !text.is_empty()), "{key}");
            for value in values(key, of_key) {
                assert!(takes(table, key, &value), "{table} {key} = {value}");
            }
            // What the schema refuses, the parser refuses.
            let types = of_key["type"].to_string();
            let is_refused = |kind: &str| of_key["enum"].is_array() || !types.contains(kind);
            let is_list = of_key["anyOf"].is_array() || types.contains("array");
            assert!(!is_refused("string") || is_list || !takes(table, key, "\"no such word\""));
            let has_number = types.contains("integer") || types.contains("number");
            assert!(has_number || is_list || !takes(table, key, "64"), "{table} {key}");
            assert!(types.contains("boolean") || !takes(table, key, "true"), "{table} {key}");
        }
    }
    assert!(!takes("[tournament]", "fromat", "\"swiss\""));
}

/// Returns what of a document a schema does not allow.
fn problems(at: &str, schema: &Value, value: &Value) -> Vec<String> {
    if let Some(kinds) = schema["anyOf"].as_array() {
        let fits = kinds.iter().any(|kind| problems(at, kind, value).is_empty());
        return if fits { Vec::new() } else { vec![format!("{at}: {value}")] };
    }
    if let Some(words) = schema["enum"].as_array() {
        let is_known = words.contains(value);
        return if is_known { Vec::new() } else { vec![format!("{at}: {value}")] };
    }
    let kind = match value {
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        _ => "object",
    };
    let types = schema["type"].to_string();
    let fits = types.contains(kind) || kind == "integer" && types.contains("number");
    if !fits {
        return vec![format!("{at}: {value} is none of {types}")];
    }
    let of_items = value.as_array().into_iter().flatten();
    let mut found: Vec<String> =
        of_items.flat_map(|item| problems(at, &schema["items"], item)).collect();
    for (key, value) in value.as_object().into_iter().flatten() {
        match &schema["properties"][key] {
            Value::Null if schema["additionalProperties"] == false => {
                found.push(format!("{at}: {key}"));
            }
            Value::Null => {}
            of => found.extend(problems(&format!("{at}.{key}"), of, value)),
        }
    }
    found
}

#[test]
fn examples_fit_the_schema() {
    let schema = schema();
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    let mut examples = 0;
    for page in std::fs::read_dir(pages).unwrap().flatten() {
        let Ok(text) = std::fs::read_to_string(page.path()) else { continue };
        let blocks = text.split("```toml\n").skip(1);
        for block in blocks.map(|rest| rest.split("```").next().unwrap()) {
            if !block.contains("[tournament]") {
                continue;
            }
            let value: toml::Table = toml::from_str(block).unwrap();
            let value = serde_json::to_value(value).unwrap();
            assert_eq!(problems("", &schema, &value), [""; 0], "{}", page.path().display());
            assert!(block.starts_with("#:schema "), "{}: {block}", page.path().display());
            examples += 1;
        }
    }
    assert!(examples > 1, "{examples} examples");
    let wrong = serde_json::json!({ "tournament": { "fromat": "swiss", "rounds": "x" } });
    assert_eq!(problems("", &schema, &wrong).len(), 2);
}
