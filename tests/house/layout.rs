//! The invariants of the house that a test can keep (see ARCHITECTURE.md).

use arbitre::bots::BOTS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(file)).expect("a file of the project can be read")
}

fn folders(parent: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(parent)).expect("a folder of the project can be read");
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the project can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty());
    files
}

/// Compiles the library at `source`, which may use `dependency`, with nothing but the compiler.
fn compile_bare(name: &str, source: &str, dependency: Option<&str>) {
    let out = arbitre_test_support::command::scratch().join("bare");
    fs::create_dir_all(&out).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2021", "--crate-type", "lib", "--cap-lints", "allow"]);
    rustc.args(["--emit", "metadata", "--crate-name", name]).arg("--out-dir").arg(&out);
    if let Some(dependency) = dependency {
        let library = out.join(format!("lib{dependency}.rmeta"));
        rustc.arg("--extern").arg(format!("{dependency}={}", library.display()));
    }
    let compiled = rustc.arg(root().join(source)).output().expect("rustc can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// A bot for an arena is bundled from these files, where there is nothing but the compiler.
#[test]
fn games_and_bots_need_the_standard_library_alone() {
    compile_bare("arbitre_games", "src/lib.rs", None);
    compile_bare("arbitre_bots", "bots/lib.rs", Some("arbitre_games"));
}

#[test]
fn every_bot_is_a_program_with_its_own_door() {
    let manifest = read("Cargo.toml");
    for folder in folders("bots") {
        let name = folder.replace('_', "-");
        let listed = format!("name = \"{name}\"\npath = \"bots/{folder}/main.rs\"");
        assert!(manifest.contains(&listed), "bots/{folder} is not listed in Cargo.toml");
        assert!(read(format!("bots/{folder}/main.rs")).contains(&format!("main(\"{name}\")")));
        assert!(BOTS.iter().any(|bot| bot.name == name), "bots/{folder} is not among the bots");
    }
}

#[test]
fn every_game_has_its_rooms() {
    for folder in folders("src/games") {
        let known = arbitre::registry()
            .games
            .iter()
            .any(|entry| entry.meta.name.replace('-', "_") == folder);
        assert!(known, "src/games/{folder} is not in the registry");
    }
    for entry in &arbitre::registry().games {
        assert!(
            BOTS.iter().any(|bot| bot.name == entry.meta.name),
            "{} has no bot",
            entry.meta.name
        );
    }
}

/// Is this word there, and not as a part of another?
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// A game is a line in the registry, and what its own rooms say.
#[test]
fn nothing_of_the_referee_names_a_game_outside_its_room() {
    for file in sources("referee") {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let at_the_door = ["referee/registry.rs", "referee/games/", "referee/cli/"];
        if at_the_door.iter().any(|allowed| path.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap().to_lowercase();
        // What is named in tests and in comments binds nobody.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = code.lines().filter(|line| !line.trim().starts_with("//")).collect();
        for entry in &arbitre::registry().games {
            assert!(!has_word(&code, entry.meta.name), "{path} names {}", entry.meta.name);
        }
    }
}

/// `unsafe` lives in named corners, each use with a note that says why it is sound.
#[test]
fn unsafe_code_stays_in_its_corners() {
    let corners = [
        "src/planes/vector.rs",
        "bots/seven_colors/best/wide.rs",
        "bots/taquin/interleaved/wide.rs",
        "bots/taquin/pattern/map.rs",
        "bots/tron/best/wide.rs",
        "referee/sys.rs",
        "src/search/cpu_time.rs",
    ];
    for file in ["src", "bots", "referee"].into_iter().flat_map(sources) {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let uses = text.matches("unsafe {").count() + text.matches("unsafe fn").count();
        let notes = text.matches("SAFETY:").count();
        assert!(
            uses == 0 || corners.contains(&path.as_str()),
            "{path} is no corner for unsafe code"
        );
        assert!(notes >= uses, "{path}: {uses} uses of unsafe, {notes} notes");
    }
}

#[test]
fn the_readme_shows_the_defaults_as_they_are() {
    let table = arbitre::referee::cli::defaults_table(&arbitre::registry());
    assert!(read("README.md").contains(&table), "the README's table should be:\n{table}");
}

#[test]
fn the_licences_and_the_maps_are_there() {
    for file in
        ["LICENSE-MIT", "LICENSE-APACHE", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    {
        assert!(read(file).len() > 200, "{file}");
    }
}

/// Each dependency has its reason in ARCHITECTURE.md.
#[test]
fn every_dependency_earns_its_line() {
    let map = read("ARCHITECTURE.md");
    let manifests = ["Cargo.toml", "src/Cargo.toml", "bots/Cargo.toml", "referee/Cargo.toml"];
    let lines = manifests.iter().flat_map(|file| {
        let manifest = read(file);
        let sections = manifest.split("\n[").filter(|section| section.contains("dependencies]"));
        let lines = sections.flat_map(|section| section.lines().skip(1)).map(str::to_owned);
        lines.filter(|line| !line.starts_with("arbitre-")).collect::<Vec<_>>()
    });
    for line in lines {
        if let Some((name, _)) = line.split_once(" = ") {
            assert!(map.contains(&format!("`{name}`")), "{name} has no line in ARCHITECTURE.md");
        }
    }
}
