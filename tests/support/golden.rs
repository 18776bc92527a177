//! Files of golden games, which `tests/library/games/golden.rs` describes.

use std::path::{Path, PathBuf};

/// Returns the files of the golden games in a folder of `tests/data`.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(folder);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "golden"));
    files.sort();
    files
}

/// Returns the rest of the line of a golden game that begins with `name`.
///
/// # Errors
/// Returns an error if there is no such line.
pub fn field<'a>(text: &'a str, name: &str) -> Result<&'a str, String> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    line.ok_or_else(|| format!("no line '{name}'"))
}
