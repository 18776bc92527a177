//! `referee perft`: counts the leaves of a game tree.

use super::args::PerftArgs;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print, print_json};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// Counts leaves and prints their number.
pub fn run(args: &PerftArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let game = registry.open(&args.game, &args.rules)?;
    let begun = Instant::now();
    let leaves = game.perft(args.position.as_deref(), args.depth);
    let leaves = leaves.map_err(|why| Failure::Data(why.to_string()))?;
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let (game, rules) = (game.meta().name, game.rules());
        let depth = args.depth;
        return print_json(&json!({
            "game": game, "rules": rules, "depth": depth, "leaves": leaves, "seconds": seconds,
        }));
    }
    log::info!("{seconds:.3} s, {:.1} million leaves a second", leaves as f64 / seconds / 1e6);
    print(&format!("{leaves}\n"))
}
