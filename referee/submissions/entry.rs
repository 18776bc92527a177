//! Entry point of a submission: what builds it, and the command that starts it.

use super::language::{Added, Language};
use super::tree::{beginning, programs, BuiltFile, Tree};
use arbitre_games::text::{alternatives, join, HELP};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Number of bytes of a source or a `package.json` that are read to find the command. Not tuned.
const READ: u64 = 1 << 20;
/// Names of makefiles, in the order in which `make` prefers them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
/// Script that builds a bot of `referee new`.
const BUILD_SCRIPT: &str = crate::templates::BUILD;
/// Scripts of Python that are an entry point beside a build, too.
const PYTHON: [&str; 2] = ["main.py", "bot.py"];
/// Names of a program that are chosen among several.
const USUAL: [&str; 2] = ["bot", "main"];
/// Names of a source file, without its ending, that are chosen among several.
const USUAL_SOURCES: [&str; 2] = ["main", "bot"];
/// Names of a class with `main` that are chosen among several.
const USUAL_CLASSES: [&str; 3] = ["Main", "Bot", "Player"];
/// Program that a compiler makes without a name for it.
const UNNAMED: &str = "a.out";
/// Number of files that a message names. Not tuned.
const NAMED: usize = 3;
/// Number of players in the folders of a folder from which on it is no player itself. Not tuned.
const SEVERAL: usize = 2;
/// Advice for a folder whose entry point is not found.
pub const STATE: &str = "state its command, and how it is built";

/// Commands of a submission that were stated, each as its words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// Command that builds it.
    pub build: Option<Vec<String>>,
    /// Command that starts it.
    pub command: Option<Vec<String>>,
}

/// Commands by which a submission is built and started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Command that builds it, if it has to be built.
    pub build: Option<Vec<String>>,
    /// Files that are added to the copy in which it is built.
    pub added: &'static [Added],
    /// Rule that finds its command once it is built.
    pub start: Start,
}

/// Rule that finds the command of a built submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The command is known.
    Command(Vec<String>),
    /// A program that the build made in one of these folders; else the class with `main` among
    /// these sources.
    Made {
        /// Folders in which programs are expected.
        folders: &'static [&'static str],
        /// Ending of a program's name.
        ending: &'static str,
        /// Sources of Java.
        java: Vec<String>,
    },
}

impl Recipe {
    /// Finds the entry point of the submission `name` in `folder`.
    ///
    /// # Errors
    /// Returns an error if there is none, or more than one.
    pub fn find(name: &str, folder: &Path, tree: &Tree, stated: &Stated) -> Result<Recipe, String> {
        let made = |folders, ending| Start::Made { folders, ending, java: java_sources(tree) };
        let recipe = |build, start| Recipe { build, added: &[], start };
        match (&stated.build, &stated.command) {
            (build, Some(command)) => {
                return Ok(recipe(build.clone(), Start::Command(command.clone())));
            }
            (Some(build), None) => return Ok(recipe(Some(build.clone()), made(&["."], ""))),
            (None, None) => {}
        }
        let found = kinds(folder, tree);
        let kind = match found.as_slice() {
            [] => return Err(nothing_found(tree)),
            [(_, kind)] => kind,
            // The sources of what it builds.
            [(_, kind @ (Kind::Make | Kind::Script)), (_, Kind::Java)] => kind,
            _ => {
                let names = some_of(found.iter().map(|(file, _)| file.clone()));
                return Err(format!("expected one entry point, got {names}{HELP}{STATE}"));
            }
        };
        let built = |build: &[&str], start| recipe(Some(strings(build)), start);
        let plain = |command| recipe(None, Start::Command(command));
        Ok(match kind {
            // A stale program that was handed in, for another system perhaps, must not stay.
            Kind::Make => built(&["make", "-B"], made(&["."], "")),
            Kind::Script => built(&["sh", BUILD_SCRIPT], made(&["."], "")),
            Kind::Cargo => {
                built(&["cargo", "build", "--release", "--offline"], made(&["target/release"], ""))
            }
            Kind::Dune => built(
                &["dune", "build", "--root", ".", "--profile", "release"],
                made(&["_build/default", "_build/default/bin"], ".exe"),
            ),
            Kind::Java => {
                let sources = java_sources(tree);
                let start = Start::Command(java_command(name, folder, &sources)?);
                let mut build = strings(&["javac", "-encoding", "UTF-8", "-d", "."]);
                build.extend(sources);
                recipe(Some(build), start)
            }
            Kind::Source(language) => {
                let (file, way) = (&found[0].0, language.way());
                let (build, start) = (way.build(file), Start::Command(way.start(file)));
                Recipe { build, added: language.added, start }
            }
            Kind::Node => plain(node_command(folder)?),
            Kind::Program => plain(vec![format!("./{}", found[0].0)]),
        })
    }
}

/// Kind of an entry point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Make,
    Script,
    Cargo,
    Dune,
    Java,
    Node,
    Source(&'static Language),
    Program,
}

/// Returns the entry points, each with its file: files of builds; else source files and programs.
fn kinds(folder: &Path, tree: &Tree) -> Vec<(String, Kind)> {
    let first = |names: &[&str]| names.iter().find(|name| tree.has(name)).map(|&name| name.into());
    let java = java_sources(tree).first().map(|_| "*.java".to_owned());
    let candidates = [
        (first(&MAKEFILES), Kind::Make),
        (first(&[BUILD_SCRIPT]), Kind::Script),
        (first(&["Cargo.toml"]), Kind::Cargo),
        (first(&["dune-project"]), Kind::Dune),
        (first(&["package.json"]), Kind::Node),
        (java, Kind::Java),
    ];
    let named = candidates.into_iter().filter_map(|(file, kind)| Some((file?, kind)));
    let mut named: Vec<(String, Kind)> = named.collect();
    if !named.is_empty() {
        named.extend(first(&PYTHON).and_then(source));
        return named;
    }
    let sources: Vec<(String, Kind)> =
        tree.top().filter_map(|file| source(file.path.to_str()?.into())).collect();
    let stem_of = |file: &str| Path::new(file).file_stem().map(|stem| stem.to_os_string());
    for usual in USUAL_SOURCES {
        let of_name =
            sources.iter().filter(|(file, _)| stem_of(file).is_some_and(|of| of == usual));
        let of_name: Vec<(String, Kind)> = of_name.cloned().collect();
        if !of_name.is_empty() {
            return of_name;
        }
    }
    // What an earlier build of a source left is no entry point of its own.
    let is_left = |name: &str| {
        let mut sources = sources.iter().map(|(file, _)| file);
        name == UNNAMED || sources.any(|file| file == name || stem_of(file) == Some(name.into()))
    };
    let there =
        |file: &BuiltFile| tree.has(&file.name) && (sources.is_empty() || !is_left(&file.name));
    let programs = programs(folder, Path::new(".")).into_iter().filter(there);
    let programs: Vec<_> = programs.map(|file| (file.name, Kind::Program)).collect();
    if programs.is_empty() {
        sources
    } else {
        programs
    }
}

/// Returns `true` if a folder is one player, and not a folder of players: it has a file of a build,
/// a file of a usual name, or one entry point and no folder. A folder with several players is none,
/// as one of them may be a loose file of a usual name.
pub fn is_player(folder: &Path, tree: &Tree) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let plays = |path: &PathBuf| Tree::read(path).is_ok_and(|tree| has_entry(path, &tree));
    let players = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).filter(plays);
    has_entry(folder, tree) && players.take(SEVERAL).count() < SEVERAL
}

/// Returns `true` if the files of a folder begin a player.
fn has_entry(folder: &Path, tree: &Tree) -> bool {
    let is_usual = |(file, kind): &(String, Kind)| match kind {
        Kind::Source(_) | Kind::Program => {
            let stem = Path::new(file).file_stem();
            stem.is_some_and(|stem| USUAL_SOURCES.iter().any(|usual| stem == *usual))
        }
        Kind::Java => USUAL_CLASSES.iter().any(|class| tree.has(&format!("{class}.java"))),
        Kind::Make | Kind::Script | Kind::Cargo | Kind::Dune | Kind::Node => true,
    };
    let has_one = || Recipe::find("", folder, tree, &Stated::default()).is_ok();
    kinds(folder, tree).iter().any(is_usual) || (!tree.has_folder() && has_one())
}

/// Returns a source file with its kind.
fn source(file: String) -> Option<(String, Kind)> {
    let language = Language::of(Path::new(&file))?;
    Some((file, Kind::Source(language)))
}

/// Returns `true` if a file may be a player by itself.
pub fn is_source(file: &Path) -> bool {
    is_java(file) || Language::of(file).is_some()
}

fn nothing_found(tree: &Tree) -> String {
    let names =
        "main.py, Makefile, build.sh, Cargo.toml, dune-project, package.json, one source or \
                 one program";
    let help = match tree.only_folder() {
        Some(only) => format!("move the files of {} up into its folder", only.display()),
        None => STATE.into(),
    };
    let got = match tree.files.len() {
        0 => "an empty folder".into(),
        _ => some_of(tree.files.iter().map(|file| file.path.display().to_string())),
    };
    format!("expected an entry point ({names}), got {got}{HELP}{help}")
}

/// Returns the first of these files, as a text.
fn some_of(files: impl Iterator<Item = String>) -> String {
    let mut files: Vec<String> = files.take(NAMED + 1).collect();
    if let Some(last) = files.get_mut(NAMED) {
        *last = "others".into();
    }
    alternatives(&files.iter().map(String::as_str).collect::<Vec<_>>()).replace(" or ", " and ")
}

impl Start {
    /// Returns `true` if a build of the submission `name` in `folder` may have this command. A file
    /// of others that states another one could start any program.
    pub fn gives(&self, words: &[String], name: &str, folder: &Path) -> bool {
        match self {
            Start::Command(own) => own == words,
            Start::Made { folders, ending, java } => {
                let made = made(folder, folders, ending, &[]);
                made.iter().any(|(_, path)| words == [path.as_str()])
                    || java_command(name, folder, java).is_ok_and(|own| own == words)
            }
        }
    }

    /// Returns the command of the submission `name`, which was built in `folder`. `before` are the
    /// programs that were there before the build.
    ///
    /// # Errors
    /// Returns an error if the build made no program, or several with none of the usual names.
    pub fn command(
        &self,
        name: &str,
        folder: &Path,
        before: &[BuiltFile],
    ) -> Result<Vec<String>, String> {
        let (folders, ending, java) = match self {
            Start::Command(words) => return Ok(words.clone()),
            Start::Made { folders, ending, java } => (folders, ending, java),
        };
        let made = made(folder, folders, ending, before);
        let got = match chosen(&made, std::iter::once(name).chain(USUAL)) {
            Ok(path) => return Ok(vec![path.to_owned()]),
            Err(got) => got,
        };
        if made.is_empty() && !java.is_empty() {
            return java_command(name, folder, java);
        }
        Err(format!(
            "expected one program from its build, or one named {name}, bot or main, got {got}{HELP}state \
             its command"
        ))
    }
}

/// Returns the value of the only name, or of the first usual one that is there. Otherwise returns
/// the names.
fn chosen<'a>(
    named: &'a [(String, String)],
    mut usual: impl Iterator<Item = &'a str>,
) -> Result<&'a str, String> {
    let found = match named {
        [only] => Some(only),
        _ => usual.find_map(|name| named.iter().find(|(known, _)| known == name)),
    };
    found.map(|(_, value)| value.as_str()).ok_or_else(|| match named.is_empty() {
        true => "none".into(),
        false => join(named.iter().map(|(name, _)| name), " and "),
    })
}

/// Returns the programs with this ending in these folders of `folder`, except those of `before`.
/// Each has its name without the ending, and its path.
fn made(
    folder: &Path,
    folders: &[&str],
    ending: &str,
    before: &[BuiltFile],
) -> Vec<(String, String)> {
    let mut made = Vec::new();
    for inside in folders {
        let here = programs(folder, Path::new(inside)).into_iter();
        let new = here.filter(|file| !before.contains(file));
        let inside = if *inside == "." { String::new() } else { format!("{inside}/") };
        made.extend(new.filter_map(|file| {
            let stem = file.name.strip_suffix(ending)?.to_owned();
            Some((stem, format!("./{inside}{}", file.name)))
        }));
    }
    made
}

fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "java")
}

fn java_sources(tree: &Tree) -> Vec<String> {
    let sources = tree.top().map(|file| file.path.as_path()).filter(|path| is_java(path));
    sources.filter_map(|path| path.to_str()).map(str::to_owned).collect()
}

/// Returns the command that runs the class with `main`: the only one, or one with a usual name.
fn java_command(name: &str, folder: &Path, sources: &[String]) -> Result<Vec<String>, String> {
    let class = |source: &String| {
        let text = beginning(folder, Path::new(source), READ).ok()?;
        let stem = source.strip_suffix(".java")?.to_owned();
        let package = text.lines().find_map(|line| line.trim().strip_prefix("package "));
        let package = package.and_then(|rest| rest.split(';').next()).map(str::trim);
        let class = main_class(&text, &stem);
        let class = package.map_or_else(|| class.into(), |package| format!("{package}.{class}"));
        text.contains(" main(").then_some((stem, class))
    };
    let classes: Vec<(String, String)> = sources.iter().filter_map(class).collect();
    match chosen(&classes, USUAL_CLASSES.into_iter().chain([name])) {
        Ok(class) => Ok(strings(&["java", "-cp", ".", class])),
        Err(got) => {
            Err(format!(
                "expected one class with main, or one named Main, Bot or Player, got {got}{HELP}state its command"
            ))
        }
    }
}

/// Returns the class of a source that is started: that of the name of its file, else one with the
/// name that an arena demands, else the first.
fn main_class<'a>(text: &'a str, stem: &'a str) -> &'a str {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let classes = words.windows(2).filter(|pair| pair[0] == "class").map(|pair| pair[1]);
    let classes: Vec<&str> = classes.collect();
    let named = [stem, "Player", "Main"].into_iter().find(|name| classes.contains(name));
    named.or(classes.first().copied()).unwrap_or(stem)
}

/// Returns the command that runs a package of Node: its script `start` if that calls node, else its
/// file `main`, else `index.js`.
fn node_command(folder: &Path) -> Result<Vec<String>, String> {
    let text = beginning(folder, Path::new("package.json"), READ);
    let text = text.map_err(|error| format!("package.json: {error}"))?;
    let package: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| format!("package.json: expected JSON, got {error}"))?;
    let start = package["scripts"]["start"].as_str().unwrap_or_default();
    let mut words = shell_words::split(start).unwrap_or_default();
    if words.len() < 2 || words[0] != "node" {
        words = strings(&["node", package["main"].as_str().unwrap_or("index.js")]);
    }
    // The files of a command are shown to the program.
    match words.iter().find(|word| leads_out(word)) {
        None => Ok(words),
        Some(word) => Err(format!("package.json: expected files of its folder, got {word}")),
    }
}

/// Returns `true` if a word, or the value of an option, is a path that leads out of a folder.
fn leads_out(word: &str) -> bool {
    let parts = [Some(word), word.split_once('=').map(|(_, value)| value)];
    parts.into_iter().flatten().any(|part| {
        let mut components = Path::new(part).components();
        components.any(|part| matches!(part, Component::RootDir | Component::ParentDir))
    })
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    /// Writes executable files into a new folder.
    fn folder(name: &str, files: &[&str]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("arbitre-{name}-{}", std::process::id()));
        for file in files.iter().map(|file| folder.join(file)) {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn recipe(folder: &Path) -> Recipe {
        let tree = Tree::read(folder).unwrap();
        Recipe::find("ada", folder, &tree, &Stated::default()).unwrap()
    }

    /// A stranger writes this file, and its command would show the files that it names.
    #[test]
    fn package_names_files_of_its_folder_only() {
        let folder = folder("package", &["package.json", "index.js"]);
        for (package, expected) in [
            (r#"{"main": "lib/a.js"}"#, Ok("node lib/a.js")),
            (
                r#"{"scripts": {"start": "node --max-old-space-size=100 a.js"}}"#,
                Ok("node --max-old-space-size=100 a.js"),
            ),
            (r#"{"main": "/home/t/.ssh/key"}"#, Err("/home/t/.ssh/key")),
            (r#"{"main": "../eve/bot.js"}"#, Err("../eve/bot.js")),
            (
                r#"{"scripts": {"start": "node index.js /home/t/.ssh/key"}}"#,
                Err("/home/t/.ssh/key"),
            ),
            (
                r#"{"scripts": {"start": "node --require=/home/t/x index.js"}}"#,
                Err("--require=/home/t/x"),
            ),
            (
                r#"{"scripts": {"start": "node index.js --book=a/../../x"}}"#,
                Err("--book=a/../../x"),
            ),
        ] {
            fs::write(folder.join("package.json"), package).unwrap();
            let found = node_command(&folder).map(|words| words.join(" "));
            let expected = expected
                .map(str::to_owned)
                .map_err(|word| format!("package.json: expected files of its folder, got {word}"));
            assert_eq!(found, expected, "{package}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn programs_are_found_where_their_build_puts_them() {
        for (file, built, program) in [
            ("dune-project", "_build/default/ada.exe", "./_build/default/ada.exe"),
            ("dune-project", "_build/default/bin/x.exe", "./_build/default/bin/x.exe"),
            ("Cargo.toml", "target/release/x", "./target/release/x"),
            ("GNUmakefile", "x", "./x"),
        ] {
            let folder = folder("entry", &[file]);
            let Recipe { build, start, .. } = recipe(&folder);
            let tools = ["dune", "cargo", "make"].map(|tool| Some(tool.to_owned()));
            assert!(tools.contains(&build.unwrap().first().cloned()), "{file}");
            let before = programs(&folder, Path::new("."));
            assert!(start.command("ada", &folder, &before).unwrap_err().contains("got none"));
            self::folder("entry", &[built, "_build/default/x.bc", "_build/log", "src/x"]);
            assert_eq!(start.command("ada", &folder, &before).unwrap(), [program]);
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn folder_is_a_player_or_has_players() {
        let class = "class Player { public static void main(String[] a) {} }";
        for (files, is_one) in [
            (&["main.py", "ada/x"][..], true),
            (&["bot.c", "ada.py"], true),
            (&["main.c", "main.py"], true),
            (&["ada.py", "Makefile", "lib/x"], true),
            (&["ada.py", "__pycache__/x"], true),
            (&["ada.py", "kim/x"], false),
            (&["ada.py", "leo.c"], false),
            (&["kim/main.py"], false),
            (&["ada.java"], true),
            (&["ada.java", "leo.java"], false),
            (&["ada.java", "kim/x"], false),
            (&["Bot.java", "Node.java", "lib/x"], true),
            (&["run", "ada/x"], false),
            (&["bot", "books/x"], true),
            (&["run"], true),
            (&["kim/x"], false),
        ] {
            let folder = folder("whose", files);
            let java = files.iter().filter(|file| file.ends_with(".java"));
            java.for_each(|file| fs::write(folder.join(file), class).unwrap());
            assert_eq!(is_player(&folder, &Tree::read(&folder).unwrap()), is_one, "{files:?}");
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn class_with_main_is_started() {
        let source = |package: &str| format!("{package}public static void main(String[] a) {{}}");
        for (files, class) in [
            (&[("X.java", source("")), ("Y.java", String::new())][..], "X"),
            (&[("X.java", source("")), ("Main.java", source("package a.b;\n"))], "a.b.Main"),
            (&[("X.java", source("")), ("ada.java", source(""))], "ada"),
        ] {
            let folder = folder("java", &["data/x"]);
            files.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
            let command = strings(&["java", "-cp", ".", class]);
            assert_eq!(recipe(&folder).start, Start::Command(command));
            // With a build of its own, unless that makes a program.
            fs::write(folder.join("Makefile"), "").unwrap();
            let Recipe { build, start, .. } = recipe(&folder);
            assert_eq!(build.unwrap(), ["make", "-B"]);
            assert_eq!(start.command("ada", &folder, &[]).unwrap()[3], class);
            fs::remove_dir_all(folder).unwrap();
        }
    }
}
