//! JSON schema of the file of a tournament, for editors. It is made from the tables of keys and the
//! options of the command line. Their parsers say which kinds of values a key takes.

use super::arena::Arena;
use super::csv_dialect::CsvDialect;
use super::format::FormatKind;
use super::player_options::PlayerOptions;
use super::tournament_args::TournamentOptions;
use super::tournament_file::{is_inline, GRADE, PLAYER, PLAYERS};
use crate::failure::Failure;
use arbitre_games::clock::ClockKind;
use arbitre_process::sandbox::Profile;
use clap::{Arg, ArgAction, Args, Command};
use serde_json::{json, Map, Value};

/// Identity of the dialect of JSON schemas that editors of TOML know.
const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// Returns the schema.
pub fn tournament() -> Value {
    let of_tournament = TournamentOptions::augment_args(Command::new("options"));
    let parse = |word: &str| TournamentOptions::parse(&[format!("--{word}")]).map(drop);
    let tournament: Map<String, Value> = properties(&of_tournament, &parse).collect();
    let of_player = PlayerOptions::augment_args(Command::new("options"));
    let parse = |word: &str| PlayerOptions::parse_words(&[word.to_owned()]).map(drop);
    let own = PLAYER.map(|(key, meaning)| text_of(key, meaning));
    let player: Map<String, Value> =
        own.into_iter().chain(properties(&of_player, &parse)).collect();
    let [from, reference] = PLAYERS.map(|(key, meaning)| text_of(key, meaning));
    let (reference, of_reference) = reference;
    let list = json!({
        "type": "array", "items": { "type": "string" }, "description": of_reference["description"]
    });
    let players: Map<String, Value> = [from, (reference, list)].into_iter().collect();
    let table = |properties: Map<String, Value>, what: &str| {
        json!({
            "type": "object", "description": what, "properties": properties,
            "additionalProperties": false
        })
    };
    let of_players = json!({
        "type": "array", "description": "Single players, or settings of players from the folder",
        "items": table(player, "A player")
    });
    let [(bot, of_bot), (points, of_points)] = GRADE;
    let grade = Map::from_iter([
        text_of(bot, of_bot),
        (points.to_owned(), json!({ "type": "number", "description": of_points })),
    ]);
    let grades = json!({
        "type": "array", "description": "Fixed bots of a graded tournament",
        "items": table(grade, "A fixed bot")
    });
    json!({
        "$schema": DIALECT, "title": "Tournament of the referee", "type": "object",
        "properties": {
            "tournament": table(tournament, "Game, format, and limits of all players"),
            "players": table(players, "Players from a folder"),
            "player": of_players,
            "grade": grades
        },
        "additionalProperties": false
    })
}

fn text_of(key: &str, meaning: &str) -> (String, Value) {
    (key.to_owned(), json!({ "type": "string", "description": meaning }))
}

/// Returns the keys of a command's options with their schemas. `parse` parses a word `KEY=VALUE`.
fn properties<'a>(
    command: &'a Command,
    parse: &'a dyn Fn(&str) -> Result<(), Failure>,
) -> impl Iterator<Item = (String, Value)> + 'a {
    command.get_arguments().filter_map(move |arg| {
        let key = arg.get_long()?.to_owned();
        let mut schema = value_of(&key, arg, parse);
        let meaning = arg.get_help().map(ToString::to_string).unwrap_or_default();
        schema.insert("description".into(), meaning.into());
        Some((key, Value::Object(schema)))
    })
}

/// Returns the schema of an option's value.
fn value_of(
    key: &str,
    arg: &Arg,
    parse: &dyn Fn(&str) -> Result<(), Failure>,
) -> Map<String, Value> {
    let of_types = |types: Value| Map::from_iter([("type".to_owned(), types)]);
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return of_types("boolean".into());
    }
    let words = words_of(key);
    if !words.is_empty() {
        return Map::from_iter([("enum".to_owned(), words.into())]);
    }
    let takes = |value: &str| parse(&format!("{key}={value}")).is_ok();
    if matches!(arg.get_action(), ArgAction::Append) {
        let texts = json!({ "type": "array", "items": { "type": "string" } });
        return Map::from_iter([("anyOf".to_owned(), json!([{ "type": "string" }, texts]))]);
    }
    // Values that options with numbers take; the second one is a number of open files.
    let takes_number = takes("1") || takes("64");
    let takes_text = !takes_number || takes("word");
    let mut types = Vec::new();
    if takes_number {
        types.push(if takes("1.5") { "number" } else { "integer" });
    }
    if takes_text {
        types.push("string");
    }
    if is_inline(key) {
        types.push("object");
    }
    match types[..] {
        [only] => of_types(only.into()),
        _ => of_types(types.into()),
    }
}

/// Returns the words that an option takes, if it takes nothing else.
fn words_of(key: &str) -> Vec<&'static str> {
    match key {
        "format" => FormatKind::WORDS.map(|(word, _)| word).to_vec(),
        "csv" => CsvDialect::WORDS.map(|(word, _)| word).to_vec(),
        "clock" => ClockKind::WORDS.map(|(word, _)| word).to_vec(),
        "profile" => Profile::WORDS.map(|(word, _)| word).to_vec(),
        "arena" => Arena::WORDS.map(|(word, _)| word).to_vec(),
        _ => Vec::new(),
    }
}
