//! `taquin tables`: builds pattern databases in advance.

use super::solve::take_table_options;
use crate::options::Options;
use crate::program::{progress, say, Failure, UNMET};
use crate::taquin::best::pattern::TableOptions;
use crate::taquin::heuristic_choice::{tables, HEURISTICS};
use crate::taquin::heuristics::Heuristic;
use crate::taquin::solver::{take_memory, TaquinSolver};
use arbitre_games::text::value_of;
use std::time::Instant;

/// Heuristics whose tables are built by default.
const DEFAULT: [&str; 2] = ["pattern-663", "pattern-78"];

/// Builds the tables of the named heuristics unless they are in the cache, and prints a line for
/// each.
///
/// # Errors
/// Returns an error if an option is invalid, or there is no cache folder. Also returns one if a
/// heuristic has no tables, or they do not fit into memory.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let memory = take_memory(&mut options)?.unwrap_or(TaquinSolver::MEMORY);
    let table_options = TableOptions { memory, ..take_table_options(&mut options)? };
    let names: Vec<String> = std::iter::from_fn(|| options.take_word()).collect();
    options.finish()?;
    let folder = table_options.folder.as_ref().ok_or_else(|| {
        Failure::new(UNMET, "expected XDG_CACHE_HOME or HOME to say where tables are kept")
    })?;
    let names = if names.is_empty() { DEFAULT.map(String::from).to_vec() } else { names };
    let with_tables = HEURISTICS.map(|(word, kind)| Some((word, (kind, kind.partition()?))));
    let with_tables: Vec<_> = with_tables.into_iter().flatten().collect();
    for word in names {
        let (kind, partition) = value_of("heuristic", &word, &with_tables)?;
        let begun = Instant::now();
        let patterns = tables(kind, &partition, &table_options)?;
        progress("");
        let megabytes = patterns.bytes() as f64 / 1e6;
        let seconds = begun.elapsed().as_secs_f64();
        say(&format!("{word}: {megabytes:.1} MB in {}, {seconds:.2} s\n", folder.display()));
    }
    Ok(())
}
