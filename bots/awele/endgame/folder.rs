//! Files of endgame tables: one for each layer, from `oware_n00.lh` on.

use super::layer::Layer;
use super::tables::{EndgameTables, TableRequest};
use crate::cache;
use crate::memory;
use crate::options::Options;
use arbitre_games::files;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::SEEDS;
use arbitre_games::text::io_reason;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file of the layer with so many seeds.
fn path(folder: &Path, seeds: usize) -> PathBuf {
    folder.join(format!("oware_n{seeds:02}.lh"))
}

impl EndgameTables {
    /// Returns the tables that the option `--tables` names: a folder, `cache` or `none`.
    ///
    /// # Errors
    /// Returns an error if the folder has no tables, or a file cannot be read.
    pub fn take(options: &mut Options) -> Result<TableRequest, ParseError> {
        match options.take_text("--tables")?.as_deref() {
            None => Ok(TableRequest::Nothing),
            Some("none") => Ok(TableRequest::ForNone),
            Some("cache") => of_engine(&cached()?),
            Some(folder) => of_engine(Path::new(folder)),
        }
    }
}

fn of_engine(folder: &Path) -> Result<TableRequest, ParseError> {
    read(folder, SEEDS.into(), false).map(TableRequest::For)
}

/// Returns the folder of tables in the user's cache.
///
/// # Errors
/// Returns an error if no variable says where the cache is.
pub fn cached() -> Result<PathBuf, ParseError> {
    let cache = cache::folder().map(|folder| folder.join("awele"));
    cache.ok_or_else(|| {
        ParseError::new(
            "expected XDG_CACHE_HOME or HOME to say where tables are kept, got neither; help: name \
             a folder",
        )
    })
}

/// Maps the tables of a folder into memory, up to the first missing layer and at most `most` seeds.
/// With `is_checked` every value is checked, otherwise only headers and lengths.
///
/// # Errors
/// Returns an error if there are no tables, or a file cannot be read or is invalid.
pub fn read(folder: &Path, most: usize, is_checked: bool) -> Result<EndgameTables, ParseError> {
    let tables = read_layers(folder, most, is_checked)?;
    match tables.layers() {
        0 => Err(ParseError::in_file(format!(
            "expected endgame tables in '{folder}', got no file oware_n00.lh; help: make them with \
             awele tables --seeds 12 '{folder}'",
            folder = folder.display()
        ))),
        _ => Ok(tables),
    }
}

/// Maps the tables of a folder as [`read`] does, but accepts a folder without tables.
///
/// # Errors
/// Returns an error if a file cannot be read or is invalid.
pub fn read_layers(
    folder: &Path,
    most: usize,
    is_checked: bool,
) -> Result<EndgameTables, ParseError> {
    let mut tables = EndgameTables::default();
    while tables.layers() <= most {
        let Some(layer) = read_layer(folder, tables.layers(), is_checked)? else { break };
        tables.layers.push(layer);
    }
    Ok(tables)
}

/// Reads the layer with `seeds` seeds, if its file is there.
fn read_layer(folder: &Path, seeds: usize, is_checked: bool) -> Result<Option<Layer>, ParseError> {
    let path = path(folder, seeds);
    let refused = |why: &dyn std::fmt::Display| {
        ParseError::in_file(format!(
            "'{}' cannot be used: {why}; help: delete it and run awele tables again",
            path.display()
        ))
    };
    let mut file = match files::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| refused(&io_reason(&error)))?,
    };
    let bytes = memory::open(&mut file).map_err(|error| refused(&io_reason(&error)))?;
    let layer = Layer::open(bytes.into()).map_err(|error| refused(&error))?;
    if is_checked {
        layer.check().map_err(|error| refused(&error))?;
    }
    match usize::from(layer.seeds()) == seeds {
        true => Ok(Some(layer)),
        false => Err(refused(&format!("its boards have {} seeds", layer.seeds()))),
    }
}

/// Writes the file of a layer atomically.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_layer(folder: &Path, layer: &Layer) -> Result<(), ParseError> {
    let path = path(folder, layer.seeds().into());
    files::write_whole(&path, &[layer.file()]).map_err(|error| {
        ParseError::in_file(format!(
            "'{}' cannot be written: {}",
            path.display(),
            io_reason(&error)
        ))
    })
}
