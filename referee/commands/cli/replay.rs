//! `referee replay GAME`: writes a page that plays a stored game.

use super::args::ReplayArgs;
use super::trust::tell_missing;
use super::{show, stored};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_path, unwritable, write_whole};
use arbitre_referee::report::page;
use arbitre_referee::report::replay::ReplayDocument;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the page and prints its path.
pub fn run(args: &ReplayArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let archive = stored::read(args.stored.db.as_deref(), registry)?;
    let (record, config) = show::find(&archive, args.game)?;
    let viewer = args.rules.viewer(&archive, &config, registry)?;
    tell_missing(&viewer, &record);
    let document = ReplayDocument::new(&record, &config, &*viewer.of(&record));
    let document = document.map_err(stored::misfit(&archive))?;
    let number = record.number.unwrap_or_default();
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("game-{number}.html")));
    write_whole(&path, &page::of_game(&document)).map_err(|error| unwritable(&path, &error))?;
    print_path(&path)
}
