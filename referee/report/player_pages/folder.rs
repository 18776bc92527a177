//! Folder of the pages: the names of its files, and the index that lists them.
//!
//! A run removes only files that the index of an earlier run lists, and replaces no other file.

use super::format::PageFormat;
use crate::escape::{escape, needs_escape};
use crate::failure::{about, Failure};
use crate::player::fault::clip;
use crate::report::json_line;
use crate::report::output::{unwritable, write_whole};
use arbitre_games::diagnostics;
use arbitre_games::files;
use arbitre_games::text::{join, HELP};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the index, without its ending.
const INDEX: &str = "index";
/// Start and end of the line of an index that lists the files of its run. In both forms of an
/// index it is a comment.
const LIST: (&str, &str) = ("<!-- arbitre-pages ", " -->");
/// Largest length of the name of a player in that of its file, in bytes. Not tuned.
const NAME: usize = 120;

/// Line of an index: a player.
#[derive(Serialize)]
pub struct IndexRow<'a> {
    pub name: &'a str,
    /// File of its page; `None` for a bundled bot and a player that was taken out.
    pub file: Option<String>,
    /// Result; `None` if players are anonymous.
    pub result: Option<IndexResult>,
}

/// Result of a player in an index.
#[derive(Serialize)]
pub struct IndexResult {
    pub rank: Option<usize>,
    /// Mark of 20; `None` for a player without one.
    pub mark: Option<String>,
    /// Points; `None` without games.
    pub points: Option<f64>,
    /// Share of the points of its games, in percent; `None` in solo games.
    pub percent: Option<f64>,
    /// Word for a player that is not ranked as the others are.
    pub status: Option<&'static str>,
}

/// Folder of the pages.
pub struct PageFolder {
    path: PathBuf,
    /// Name of the index.
    index: String,
    /// Files of earlier runs.
    owned: BTreeSet<String>,
}

impl PageFolder {
    /// Reads which files of a folder are those of earlier runs.
    ///
    /// # Errors
    /// Returns an error if a file that is not of such a run has the name of the index.
    pub fn read(path: &Path, format: PageFormat) -> Result<PageFolder, Failure> {
        let indices = PageFormat::ALL.map(|format| format!("{INDEX}.{}", format.ending()));
        let lists = indices.iter().filter_map(|name| files::read_text(path.join(name)).ok());
        let owned = lists.flat_map(|text| listed(&text)).collect();
        let index = format!("{INDEX}.{}", format.ending());
        let folder = PageFolder { path: path.to_owned(), index, owned };
        folder.check(&folder.index)?;
        Ok(folder)
    }

    /// Checks that no file of others would be replaced.
    fn check(&self, name: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        // A pipe or device would be written as it is.
        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
        match self.owned.contains(name) && !is_special || path.symlink_metadata().is_err() {
            true => Ok(()),
            false => Err(Failure::Store(format!(
                "--per-player: expected a file that an earlier run wrote and lists in its index, \
                 got {}{HELP}move it, or name another folder",
                path.display()
            ))),
        }
    }

    /// Replaces the pages of earlier runs by others. `index` returns the index with a list of files
    /// in it.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or is not of an earlier run. Nothing is then
    /// lost, and an index lists every page.
    pub fn replace(
        &self,
        pages: &[(String, String)],
        index: &dyn Fn(&str) -> String,
    ) -> Result<(), Failure> {
        let names = pages.iter().map(|(name, _)| name.clone());
        let new: BTreeSet<String> = names.chain([self.index.clone()]).collect();
        new.iter().try_for_each(|name| self.check(name))?;
        fs::create_dir_all(&self.path).map_err(about(&self.path, Failure::Store))?;
        let write = |name: &str, text: &str| {
            let path = self.path.join(name);
            write_whole(&path, text).map_err(|error| unwritable(&path, &error))
        };
        // A run that ends meanwhile leaves no page that the next one does not know.
        write(&self.index, &index(&list(&self.owned.union(&new).collect::<Vec<_>>())))?;
        // Some disks do not distinguish the names of an old and a new page.
        let gone: Vec<&String> = self.owned.difference(&new).collect();
        gone.iter().try_for_each(|name| self.remove(name))?;
        if !gone.is_empty() {
            let (path, gone) = (self.path.display().to_string(), join(gone, ", "));
            diagnostics::print(format_args!(
                "note: removed from {}, as this tournament has no such pages: {}\n",
                escape(&path),
                escape(&gone)
            ));
        }
        pages.iter().try_for_each(|(name, text)| write(name, text))?;
        write(&self.index, &index(&list(&new.iter().collect::<Vec<_>>())))
    }

    fn remove(&self, name: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        fs::remove_file(&path).map_err(|error| unwritable(&path, &error))
    }
}

/// Returns the line of an index that lists files, in letters that cannot end the comment.
fn list(names: &[&String]) -> String {
    let json = json_line(&names);
    let escaped = json.trim_end().chars().map(|c| match c {
        '<' | '>' | '-' | '&' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("{}{}{}\n", LIST.0, escaped.collect::<String>(), LIST.1)
}

/// Returns the files that an index lists. Those beyond its folder are ignored, and those that are
/// no pages.
fn listed(index: &str) -> Vec<String> {
    let line = index.lines().find_map(|line| line.strip_prefix(LIST.0)?.strip_suffix(LIST.1));
    let names = line.and_then(|line| serde_json::from_str::<Vec<String>>(line).ok());
    let is_page = |name: &String| {
        let path = Path::new(name);
        let is_plain = path.file_name().is_some_and(|file| *file == **name);
        let ending = path.extension();
        is_plain && PageFormat::ALL.iter().any(|of| ending.is_some_and(|own| own == of.ending()))
    };
    names.unwrap_or_default().into_iter().filter(is_page).collect()
}

/// Returns names of files for players, which differ on every disk and from that of the index.
pub fn file_names<'a>(players: impl Iterator<Item = &'a str>, format: PageFormat) -> Vec<String> {
    let mut taken = HashSet::from([INDEX.to_owned()]);
    let name = |player: &str| {
        let plain = plain(player);
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        let free = names.find(|name| taken.insert(name.to_lowercase()));
        format!("{}.{}", free.expect("the numbers do not end"), format.ending())
    };
    players.map(name).collect()
}

/// Returns the name of a player with characters that the names of files may have on every system.
fn plain(player: &str) -> String {
    let is_refused = |c: char| needs_escape(c) || r#"/\<>:"|?*"#.contains(c);
    let plain: String = player.chars().map(|c| if is_refused(c) { '-' } else { c }).collect();
    // No name is a folder, a hidden file or empty.
    let plain = match plain.strip_prefix('.') {
        Some(rest) => format!("-{rest}"),
        None if plain.is_empty() => "-".into(),
        None => plain,
    };
    clip(&plain, NAME).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_differ_on_every_disk() {
        let players = ["ada", "Ada", "index", "INDEX", "a/b", "a\\b", "a\u{202e}b", ".", "..", ""];
        let names = file_names(players.into_iter(), PageFormat::Html);
        let names: Vec<&str> =
            names.iter().map(|name| name.strip_suffix(".html").unwrap()).collect();
        let expected =
            ["ada", "Ada-2", "index-2", "INDEX-3", "a-b", "a-b-2", "a-b-3", "-", "-.", "--2"];
        assert_eq!(names, expected);
        let long = file_names(["é".repeat(300)].iter().map(String::as_str), PageFormat::Markdown);
        assert_eq!(long, [format!("{}.md", "é".repeat(60))]);
    }

    #[test]
    fn list_of_files_is_read_again() {
        let names = ["index.html", "a-->b <i>.html", "é\u{202e}.md"].map(str::to_owned);
        let line = list(&names.iter().collect::<Vec<_>>());
        assert_eq!((line.matches('<').count(), line.matches("--").count()), (1, 2), "{line}");
        assert_eq!(listed(&format!("<p>\n{line}</p>")), names);
        let forged = ["../a.html", "/a.html", "b/a.html", "..", "a.txt", "", "a.html/", "a.html"];
        assert_eq!(
            listed(&list(&forged.map(str::to_owned).iter().collect::<Vec<_>>())),
            ["a.html"]
        );
        for damaged in ["", "<!-- arbitre-pages [1] -->", "<!-- arbitre-pages  -->", "[\"a.html\"]"]
        {
            assert_eq!(listed(damaged), [""; 0]);
        }
    }
}
