//! Commands that tell about games: `games` and `perft`.

use super::args::Perft;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::bots;
use crate::games::options::OptionInfo;
use crate::referee::registry::{self, Entry, GAMES};
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
    for option in entry.options {
        text += &format!("    {:<12} {}\n", option.name, option.meaning);
        text += &format!("    {:<12} {}\n", "", option.values.join(" | "));
    }
    text += &format!("\n  dialects (--dialect D): {}\n", entry.all_dialects().join(", "));
    text += "\n  bundled bots, the first is the default:\n";
    for (strategy, summary) in strategies(entry) {
        let command = format!("{name} {strategy}");
        text += &format!("    {command:<18} {summary}\n");
    }
    text
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
