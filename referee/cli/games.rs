//! Commands that tell about games: `games` and `perft`.

use super::args::Perft;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::registry::{self, Entry, GAMES};
use arbitre_bots as bots;
use arbitre_games::games::options::OptionInfo;
use serde_json::{json, Map, Value};
use std::process::ExitCode;
use std::time::Instant;

/// Lists the games.
pub fn games(as_json: bool) -> Result<ExitCode, Failure> {
    for entry in GAMES {
        if as_json {
            print_json(&as_document(entry))?;
        } else {
            print(&as_text(entry))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn strategies(entry: &Entry) -> &'static [(&'static str, &'static str)] {
    bots::find(entry.meta.name).map_or(&[], |bot| bot.strategies)
}

fn as_document(entry: &Entry) -> Value {
    let (fewest, most) = entry.meta.seats;
    let presets: Map<String, Value> =
        (entry.presets)().into_iter().map(|(name, rules)| (name.into(), rules.into())).collect();
    let option = |option: &OptionInfo| json!({ "name": option.name, "values": option.values, "meaning": option.meaning });
    let options: Vec<Value> = entry.options.iter().map(option).collect();
    let bots: Map<String, Value> =
        strategies(entry).iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
    json!({
        "game": entry.meta.name,
        "title": entry.meta.title,
        "summary": entry.meta.summary,
        "seats": { "min": fewest, "max": most },
        "opening_plies": entry.opening_plies,
        "presets": presets,
        "options": options,
        "bots": bots,
        "dialects": entry.all_dialects(),
    })
}

fn as_text(entry: &Entry) -> String {
    let (name, title) = (entry.meta.name, entry.meta.title);
    let mut text = format!("{name}: {title}\n  {}\n", entry.meta.summary);
    text += "\n  presets (--rules PRESET), the first is the default:\n";
    for (preset, rules) in (entry.presets)() {
        text += &format!("    {preset:<12} {rules}\n");
    }
    text += "\n  options (--rules key=value,…):\n";
    let column = width(12, entry.options.iter().map(|option| option.name));
    for option in entry.options {
        text += &format!("    {:<column$} {}\n", option.name, option.meaning);
        text += &format!("    {:<column$} {}\n", "", option.values.join(" | "));
    }
    text += &format!("\n  dialects (--dialect D): {}\n", entry.all_dialects().join(", "));
    text += "\n  bundled bots, the first is the default:\n";
    let commands = strategies(entry).iter().map(|(strategy, _)| format!("{name} {strategy}"));
    let commands: Vec<String> = commands.collect();
    let column = width(18, commands.iter().map(String::as_str));
    for (command, (_, summary)) in commands.iter().zip(strategies(entry)) {
        text += &format!("    {command:<column$} {summary}\n");
    }
    text
}

/// The width of a column of words.
fn width<'a>(least: usize, words: impl Iterator<Item = &'a str>) -> usize {
    words.map(str::len).fold(least, usize::max)
}

/// Counts leaves.
pub fn perft(args: &Perft) -> Result<ExitCode, Failure> {
    let entry = registry::find(&args.game).map_err(Failure::usage)?;
    let game = (entry.open)(&args.rules).map_err(Failure::usage)?;
    let begun = Instant::now();
    let leaves = game.perft(args.position.as_deref(), args.depth);
    let leaves = leaves.map_err(|why| Failure::Data(why.to_string()))?;
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let (game, rules) = (entry.meta.name, game.rules());
        let depth = args.depth;
        return print_json(&json!({
            "game": game, "rules": rules, "depth": depth, "leaves": leaves, "seconds": seconds,
        }));
    }
    log::info!("{seconds:.3} s, {:.1} million leaves a second", leaves as f64 / seconds / 1e6);
    print(&format!("{leaves}\n"))
}
