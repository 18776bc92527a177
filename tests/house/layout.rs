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
        let door = read(format!("bots/{folder}/main.rs"));
        assert!(door.contains(&format!("main(&arbitre::bots::{folder}::BOT)")), "{door}");
        assert!(root().join(format!("bots/{folder}/commands/mod.rs")).exists(), "{folder}");
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
        let at_the_door = ["referee/registry/testing.rs", "referee/games/", "referee/cli/"];
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
        "bots/seven_colors/best/simd.rs",
        "bots/taquin/best/batched/simd.rs",
        "bots/taquin/best/pattern/memory.rs",
        "bots/tron/best/simd.rs",
        "referee/sys.rs",
        "src/bitboard/vector.rs",
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

/// The code of a file without its tests and comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

/// The files of the three libraries, each with its path from the root; tests are left out.
fn library_files() -> Vec<(String, String)> {
    let files = ["src", "bots", "referee"].into_iter().flat_map(sources);
    let named = files.map(|file| {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        (path, code(&file))
    });
    named.filter(|(path, _)| !path.contains("/tests") && !path.ends_with("testing.rs")).collect()
}

/// Folders of the referee and the folders whose code they may use.
const REFEREE_EDGES: &[(&str, &[&str])] = &[
    ("sys", &[]),
    ("escape", &[]),
    ("failure", &[]),
    ("registry", &["failure"]),
    ("games", &["registry"]),
    ("pairing", &["registry"]),
    ("player", &["escape", "sys"]),
    ("config", &["failure", "pairing", "registry", "statistics"]),
    ("play", &["config", "escape", "pairing", "player", "registry"]),
    ("statistics", &["play"]),
    ("store", &["config", "failure", "pairing", "play", "player", "registry", "statistics"]),
    (
        "tournament",
        &["config", "failure", "pairing", "play", "player", "registry", "statistics", "store"],
    ),
    ("templates", &["registry"]),
    ("check", &["config", "escape", "pairing", "play", "player", "registry", "tournament"]),
    ("tune", &["config", "play", "statistics", "store"]),
    (
        "report",
        &[
            "config",
            "escape",
            "failure",
            "play",
            "player",
            "registry",
            "statistics",
            "store",
            "tune",
        ],
    ),
    (
        "cli",
        &[
            "check",
            "config",
            "escape",
            "failure",
            "pairing",
            "play",
            "player",
            "registry",
            "report",
            "statistics",
            "store",
            "templates",
            "tournament",
            "tune",
        ],
    ),
];

/// Modules of the games and what they may use.
const GAMES_EDGES: &[(&str, &[&str])] = &[
    ("rng", &[]),
    ("exit_code", &[]),
    ("parallel", &[]),
    ("bitboard", &[]),
    ("search", &[]),
    ("game", &["rng"]),
    ("text", &["game"]),
    ("perft", &["game"]),
    ("opening", &["game", "rng"]),
    ("experiment", &["game", "rng"]),
    ("console", &["game"]),
    ("clock", &["game", "text"]),
    ("dialect", &["clock", "game"]),
    ("dialects", &["clock", "dialect", "game"]),
    ("games", &["clock", "dialect", "game", "opening", "rng", "text"]),
];

/// Checks that the modules of a library use only what `allowed` lists.
fn check_edges(library: &str, allowed: &[(&str, &[&str])]) {
    for (path, code) in library_files() {
        let Some(inside) = path.strip_prefix(&format!("{library}/")) else { continue };
        let module = inside.split(['/', '.']).next().unwrap_or_default();
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let edges = allowed.iter().find(|(name, _)| *name == module);
        let (_, edges) = edges.unwrap_or_else(|| panic!("{path}: {module} has no list of edges"));
        for used in code.split("crate::").skip(1) {
            let end = used.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(used.len());
            let used = &used[..end];
            let is_allowed = used == module || edges.contains(&used);
            assert!(is_allowed, "{path} uses {used}, which {module} may not");
        }
    }
}

#[test]
fn modules_use_only_what_they_may() {
    check_edges("src", GAMES_EDGES);
    check_edges("referee", REFEREE_EDGES);
}

#[test]
fn the_referee_does_not_know_the_bots() {
    assert!(!read("referee/Cargo.toml").contains("bots"));
    for (path, code) in library_files() {
        assert!(!path.starts_with("referee/") || !code.contains("arbitre_bots"), "{path}");
        assert!(!path.starts_with("src/") || !code.contains("arbitre_"), "{path}");
    }
    let manifests = ["src/Cargo.toml", "bots/Cargo.toml"].map(read);
    let lines = manifests.iter().flat_map(|manifest| manifest.lines());
    let foreign = |line: &&str| line.contains(" = {") && !line.starts_with("arbitre-games = ");
    assert_eq!(lines.filter(foreign).collect::<Vec<_>>(), [""; 0]);
}

/// Work is shared among threads in one module; the others are the tournament's workers and the
/// interrupt handler.
#[test]
fn threads_are_started_in_few_places() {
    let places =
        ["src/parallel.rs", "referee/tournament/mod.rs", "referee/tournament/interrupt.rs"];
    for (path, code) in library_files() {
        let starts = ["thread::scope", "thread::spawn", ".spawn("];
        let threads = starts.iter().any(|start| code.contains(start)) && code.contains("thread");
        assert!(!threads || places.contains(&path.as_str()), "{path} starts threads");
    }
}

#[test]
fn no_static_can_change() {
    let cells = ["Mutex", "RwLock", "Atomic", "OnceLock", "LazyLock", "OnceCell", "LazyCell"];
    for (path, code) in library_files() {
        assert!(!code.contains("thread_local!") && !code.contains("static mut"), "{path}");
        let mut statics = code.lines().filter(|line| {
            let line = line.trim_start().trim_start_matches("pub ");
            line.starts_with("static ") && cells.iter().any(|cell| line.contains(cell))
        });
        assert_eq!(statics.next(), None, "{path}");
    }
}

/// What a dialect can do is said by its `DialectInfo`, not by comparisons with its name.
#[test]
fn dialects_are_named_where_they_are_described() {
    let names = ["\"arbitre\"", "\"relay\"", "\"google2010\"", "\"icfp2015\""];
    let homes = [
        "src/dialects/arbitre.rs",
        "src/dialects/relay.rs",
        "src/games/tron/google2010.rs",
        "src/games/hextris/icfp2015.rs",
        // The name of a cache folder.
        "bots/taquin/best/pattern/cache.rs",
    ];
    for (path, code) in library_files() {
        let named = names.iter().find(|name| code.contains(*name));
        assert!(named.is_none() || homes.contains(&path.as_str()), "{path} names {named:?}");
    }
}

#[test]
fn few_files_stand_loose_at_the_top_of_the_referee() {
    let entries = fs::read_dir(root().join("referee")).unwrap().flatten();
    let files = entries.filter(|entry| entry.path().is_file()).count();
    assert!(files <= 8, "{files} files");
}

#[test]
fn modules_are_found_where_their_names_say() {
    let files = ["src", "bots", "referee", "tests", "benches"].into_iter().flat_map(sources);
    for file in files.filter(|file| !file.ends_with("house/layout.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("#[path"), "{}", file.display());
    }
}
