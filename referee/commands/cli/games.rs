//! `referee games`: lists the games with their rules, dialects and bundled bots.

use arbitre_games::games::options::OptionInfo;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::entry::ArenaInfo;
use arbitre_referee::registry::{GameInfo, Registry};
use arbitre_referee::report::output::print_either;
use serde_json::{json, Map, Value};
use std::process::ExitCode;

/// Prints all games.
pub fn run(as_json: bool, registry: &Registry) -> Result<ExitCode, Failure> {
    for info in &registry.games {
        print_either(&as_document(info, registry), &as_text(info, registry), as_json)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn strategies(info: &GameInfo, registry: &Registry) -> &'static [(&'static str, &'static str)] {
    registry.bot(info.meta.name).map_or(&[], |bot| bot.strategies())
}

fn dialects(info: &GameInfo) -> Vec<&'static str> {
    info.dialects.iter().map(|dialect| dialect.name).collect()
}

fn as_document(info: &GameInfo, registry: &Registry) -> Value {
    let (fewest, most) = info.meta.seats;
    let presets: Map<String, Value> =
        (info.presets)().into_iter().map(|(name, rules)| (name.into(), rules.into())).collect();
    let option = |option: &OptionInfo| json!({ "name": option.name, "values": option.values, "meaning": option.meaning });
    let options: Vec<Value> = info.options.iter().map(option).collect();
    let bots: Map<String, Value> = strategies(info, registry)
        .iter()
        .map(|(name, text)| ((*name).into(), (*text).into()))
        .collect();
    let arenas: Map<String, Value> = info
        .arenas
        .iter()
        .map(|ArenaInfo { name, rules, options, .. }| {
            ((*name).into(), json!({ "rules": rules, "options": options }))
        })
        .collect();
    json!({
        "game": info.meta.name,
        "title": info.meta.title,
        "summary": info.meta.summary,
        "seats": { "min": fewest, "max": most },
        "opening_plies": info.opening_plies,
        "presets": presets,
        "options": options,
        "bots": bots,
        "dialects": dialects(info),
        "arenas": arenas,
    })
}

fn as_text(info: &GameInfo, registry: &Registry) -> String {
    let (name, title) = (info.meta.name, info.meta.title);
    let mut text = format!("{name}: {title}\n  {}\n", info.meta.summary);
    text += "\n  presets (--rules PRESET), the first by default:\n";
    for (preset, rules) in (info.presets)() {
        text += &format!("    {preset:<12} {rules}\n");
    }
    text += "\n  options (--rules key=value,…):\n";
    let column = width(12, info.options.iter().map(|option| option.name));
    for option in info.options {
        text += &format!("    {:<column$} {}\n", option.name, option.meaning);
        text += &format!("    {:<column$} {}\n", "", option.values.join(" | "));
    }
    text += &format!("\n  dialects (--dialect D): {}\n", dialects(info).join(", "));
    if !info.arenas.is_empty() {
        text += "\n  arenas (--arena ARENA):\n";
    }
    for ArenaInfo { name, rules, options, .. } in info.arenas {
        text += &format!("    {name:<12} rules={rules} {}\n", options.join(" "));
    }
    text += "\n  bundled bots, the first by default:\n";
    let commands =
        strategies(info, registry).iter().map(|(strategy, _)| format!("{name} {strategy}"));
    let commands: Vec<String> = commands.collect();
    let column = width(18, commands.iter().map(String::as_str));
    for (command, (_, summary)) in commands.iter().zip(strategies(info, registry)) {
        text += &format!("    {command:<column$} {summary}\n");
    }
    text
}

/// Returns the width of a column: at least `least`, and enough for the longest word.
fn width<'a>(least: usize, words: impl Iterator<Item = &'a str>) -> usize {
    words.map(str::len).fold(least, usize::max)
}
