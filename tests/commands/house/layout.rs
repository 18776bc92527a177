//! Invariants of the source tree that a test can check (see ARCHITECTURE.md).

use arbitre::bots::BOTS;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(file: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(file)).expect("a file of the project can be read")
}

pub fn folders(parent: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(parent)).expect("a folder of the project can be read");
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

pub fn sources(folder: &str) -> Vec<PathBuf> {
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

/// Compiles the library at `source`, which may use `dependency`, with the compiler alone.
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

/// A bot for an arena is bundled from these files, and an arena has only the compiler.
#[test]
fn games_and_bots_need_only_the_standard_library() {
    compile_bare("arbitre_games", "src/lib.rs", None);
    compile_bare("arbitre_bots", "bots/lib.rs", Some("arbitre_games"));
}

/// Bots, and the folder named after the source document that each reproduces.
const SOURCES: [(&str, &str); 5] = [
    ("awele", "ifips2005"),
    ("tron", "thomasnzo"),
    ("seven_colors", "arcsys2016"),
    ("taquin", "sheet"),
    ("hextris", "taupegoons"),
];

#[test]
fn every_bot_is_a_program() {
    let manifest = read("Cargo.toml");
    for folder in folders("bots") {
        let name = folder.replace('_', "-");
        let listed = format!("name = \"{name}\"\npath = \"programs/{folder}.rs\"");
        assert!(manifest.contains(&listed), "programs/{folder}.rs is not listed in Cargo.toml");
        let door = read(format!("programs/{folder}.rs"));
        assert!(door.contains(&format!("main(&arbitre::bots::{folder}::BOT)")), "{door}");
        let source = SOURCES.iter().find(|(bot, _)| *bot == folder).map(|(_, source)| *source);
        let source = source.unwrap_or_else(|| panic!("bots/{folder} names no source document"));
        for inside in ["commands", "best", source] {
            let module = format!("bots/{folder}/{inside}/mod.rs");
            assert!(root().join(&module).exists(), "{module} is missing");
        }
        assert!(BOTS.iter().any(|bot| bot.name == name), "bots/{folder} is not among the bots");
        assert!(root().join(format!("bots/{folder}/diary.md")).exists(), "bots/{folder}: no diary");
    }
}

#[test]
fn every_game_is_registered_and_has_a_bot() {
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

/// Returns `true` if `word` occurs, not as a part of another word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

/// A game is one entry of the registry; only its own modules name it.
#[test]
fn referee_names_games_only_in_their_modules() {
    for file in sources("referee") {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let at_the_door =
            ["referee/registry/testing.rs", "referee/games/", "referee/commands/cli/"];
        if at_the_door.iter().any(|allowed| path.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap().to_lowercase();
        // Names in tests and comments create no dependency.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = code.lines().filter(|line| !line.trim().starts_with("//")).collect();
        for entry in &arbitre::registry().games {
            assert!(!has_word(&code, entry.meta.name), "{path} names {}", entry.meta.name);
        }
    }
}

/// The process library runs programs of any host. The words of matches belong to the referee.
#[test]
fn process_library_knows_no_game() {
    let words = [
        "bot",
        "bots",
        "contest",
        "contests",
        "game",
        "games",
        "opponent",
        "opponents",
        "player",
        "players",
        "referee",
        "tournament",
        "tournaments",
    ];
    for file in sources("referee/process") {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap().to_lowercase();
        let shown = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let named = words.iter().find(|word| has_word(shown, word));
        assert_eq!(named, None, "{path}");
    }
    let manifest = read("referee/process/Cargo.toml");
    assert_eq!(manifest.lines().find(|line| line.starts_with("arbitre-")), None);
}

#[test]
fn readme_of_the_process_library_shows_its_example() {
    let example = read("referee/process/examples/run.rs");
    let shown = format!("```rust\n{example}```\n");
    assert!(read("referee/process/README.md").contains(&shown), "{shown}");
}

/// Only the listed modules use `unsafe`, each use with a SAFETY comment.
#[test]
fn unsafe_code_is_confined_to_listed_modules() {
    let corners = [
        "bots/awele/best/evaluation/network.rs",
        "bots/memory.rs",
        "bots/seven_colors/best/simd.rs",
        "bots/taquin/best/batched/simd.rs",
        "bots/tron/best/simd.rs",
        "referee/process/sys.rs",
        "src/bitboard/vector.rs",
        "src/search/cpu_time.rs",
        "src/search/prefetch.rs",
    ];
    for file in ["src", "bots", "referee"].into_iter().flat_map(sources) {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        let uses = text.matches("unsafe {").count() + text.matches("unsafe fn").count();
        let notes = text.matches("SAFETY:").count();
        assert!(
            uses == 0 || corners.contains(&path.as_str()),
            "{path} is not listed for unsafe code"
        );
        assert!(notes >= uses, "{path}: {uses} uses of unsafe, {notes} notes");
    }
}

#[test]
fn readme_shows_the_defaults() {
    let table = arbitre::internals::cli::defaults_table(&arbitre::registry());
    assert!(read("README.md").contains(&table), "the README's table should be:\n{table}");
}

#[test]
fn licences_and_guides_exist() {
    for file in
        ["LICENSE-MIT", "LICENSE-APACHE", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    {
        assert!(read(file).len() > 200, "{file}");
    }
}

/// ARCHITECTURE.md gives a reason for each dependency.
#[test]
fn every_dependency_has_a_reason() {
    let map = read("ARCHITECTURE.md");
    let manifests = [
        "Cargo.toml",
        "src/Cargo.toml",
        "bots/Cargo.toml",
        "referee/Cargo.toml",
        "referee/commands/Cargo.toml",
        "referee/process/Cargo.toml",
        "referee/server/Cargo.toml",
    ];
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

/// Returns the code of a file without its tests and comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

/// Returns the files of the libraries except tests and examples, each with its path from the root.
fn library_files() -> Vec<(String, String)> {
    let files = ["src", "bots", "referee"].into_iter().flat_map(sources);
    let named = files.map(|file| {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        (path, code(&file))
    });
    let is_other = |path: &str| {
        path.contains("/tests") || path.contains("/examples/") || path.ends_with("testing.rs")
    };
    named.filter(|(path, _)| !is_other(path)).collect()
}

/// Folders of the referee, with the folders that they may use.
const REFEREE_EDGES: &[(&str, &[&str])] = &[
    ("escape", &[]),
    ("failure", &[]),
    ("registry", &["failure"]),
    ("games", &["registry"]),
    ("chart", &["escape", "registry"]),
    ("player", &["escape"]),
    (
        "external",
        &[
            "config",
            "escape",
            "failure",
            "formats",
            "play",
            "player",
            "registry",
            "report",
            "submissions",
        ],
    ),
    ("config", &["external", "failure", "formats", "registry", "statistics"]),
    ("play", &["config", "escape", "player", "registry"]),
    ("statistics", &["play"]),
    ("formats", &["config", "failure", "play", "registry", "statistics"]),
    (
        "store",
        &["config", "escape", "failure", "formats", "play", "player", "registry", "statistics"],
    ),
    ("run", &["config", "failure", "formats", "play", "player", "registry", "statistics", "store"]),
    ("templates", &["registry"]),
    ("submissions", &["config", "escape", "failure", "player", "templates"]),
    (
        "report",
        &[
            "chart",
            "config",
            "escape",
            "failure",
            "formats",
            "play",
            "player",
            "registry",
            "run",
            "statistics",
            "store",
            "submissions",
        ],
    ),
];

/// Modules of the commands, with the modules that they may use. None uses the command line.
const COMMANDS_EDGES: &[(&str, &[&str])] =
    &[("check", &[]), ("doctor", &[]), ("tune", &[]), ("cli", &["check", "doctor", "tune"])];

/// Modules of the server, with the modules that they may use.
const SERVER_EDGES: &[(&str, &[&str])] = &[
    ("words", &[]),
    ("token", &[]),
    ("guard", &[]),
    ("machine", &[]),
    ("places", &[]),
    ("people", &["token"]),
    ("labels", &["people", "words"]),
    ("pages", &["people", "token"]),
    ("backup", &["people", "token", "uploads"]),
    ("streams", &["words"]),
    ("join", &["people", "streams", "token"]),
    ("client", &["join"]),
    ("uploads", &["join", "machine", "people", "token"]),
    ("board", &["people"]),
    ("contest", &["machine", "people"]),
    ("finals", &["people", "uploads"]),
    (
        "app",
        &[
            "backup", "board", "contest", "finals", "guard", "join", "labels", "machine", "pages",
            "people", "places", "streams", "token", "uploads", "words",
        ],
    ),
    (
        "views",
        &[
            "app", "board", "contest", "finals", "labels", "machine", "pages", "people", "streams",
            "token", "uploads", "words",
        ],
    ),
    ("events", &["app", "streams", "views"]),
    (
        "routes",
        &[
            "app", "backup", "board", "contest", "events", "finals", "guard", "join", "labels",
            "pages", "people", "streams", "token", "uploads", "views", "words",
        ],
    ),
    ("connections", &["app", "events", "guard", "join", "routes", "streams"]),
    ("front", &["connections", "guard", "words"]),
];

/// Modules of the process library, with the modules that they may use.
const PROCESS_EDGES: &[(&str, &[&str])] = &[
    ("sys", &[]),
    ("attempts", &[]),
    ("error", &["exit", "stopwatch"]),
    ("exit", &[]),
    ("launcher", &["attempts", "exit", "sys"]),
    ("handing", &["launcher"]),
    (
        "process",
        &[
            "attempts",
            "error",
            "exit",
            "process_group",
            "program",
            "quota",
            "running",
            "sandbox",
            "stderr",
            "stopwatch",
            "usage",
        ],
    ),
    ("process_group", &["launcher", "resource_limits"]),
    ("program", &["launcher", "sandbox"]),
    ("quota", &[]),
    ("resource_limits", &[]),
    (
        "running",
        &[
            "attempts",
            "error",
            "exit",
            "launcher",
            "process_group",
            "program",
            "stderr",
            "stopwatch",
            "sys",
            "usage",
        ],
    ),
    ("sandbox", &["exit", "launcher", "sys"]),
    ("stderr", &[]),
    ("stopwatch", &["sys", "usage"]),
    ("usage", &["launcher", "sys"]),
];

/// Modules of the games, with the modules that they may use.
const GAMES_EDGES: &[(&str, &[&str])] = &[
    ("rng", &[]),
    ("diagnostics", &["text"]),
    ("exit_code", &[]),
    ("parallel", &["diagnostics", "text"]),
    ("bitboard", &[]),
    ("search", &[]),
    ("game", &["rng"]),
    ("text", &["game"]),
    ("perft", &["game"]),
    ("opening", &["game", "rng"]),
    ("experiment", &["dialect", "game"]),
    ("files", &[]),
    ("console", &["game"]),
    ("clock", &["game", "text"]),
    ("dialect", &["clock", "game"]),
    ("dialects", &["clock", "dialect", "game"]),
    ("games", &["bitboard", "dialect", "game", "rng", "text"]),
];

/// Modules of the bots, with the modules that they may use. No bot uses another bot.
const BOTS_EDGES: &[(&str, &[&str])] = &[
    ("cache", &[]),
    ("memory", &[]),
    ("options", &[]),
    ("engine", &[]),
    ("console", &["engine", "options"]),
    ("arena", &["console", "engine"]),
    ("program", &["console", "options"]),
    ("bench", &["program"]),
    ("awele", &["bench", "cache", "console", "engine", "memory", "options", "program"]),
    ("tron", &["bench", "console", "engine", "options", "program"]),
    ("seven_colors", &["bench", "options", "program"]),
    ("taquin", &["bench", "cache", "engine", "memory", "options", "program"]),
    ("hextris", &["bench", "console", "engine", "options", "program"]),
    ("experiments", &["awele", "seven_colors"]),
];

/// Path of a module in its library.
type Module = Vec<String>;

/// Modules used by each module of a library.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// The code of each module of a library with the paths that it imports. Also the named re-exports,
/// as written there.
struct Library {
    code: BTreeMap<Module, String>,
    exports: BTreeMap<(Module, String), String>,
}

impl Library {
    fn new(name: &str) -> Library {
        let mut library = Library { code: BTreeMap::new(), exports: BTreeMap::new() };
        for (path, code) in library_files() {
            let inside = path.strip_prefix(&format!("{name}/")).map(str::to_owned);
            let nested = ["commands/", "process/", "server/"];
            let is_other = |inside: &String| {
                name == "referee" && nested.iter().any(|folder| inside.starts_with(folder))
            };
            let Some(inside) = inside.filter(|inside| !is_other(inside)) else { continue };
            let mut module: Module =
                inside.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            module.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
            let (uses, rest) = take_uses(&code);
            let mut code = rest;
            // An inline module uses its own file in this way.
            for (is_exported, path) in uses.into_iter().filter(|(_, path)| path != "super::*") {
                if is_exported {
                    let item = path.rsplit("::").next().unwrap_or_default().to_owned();
                    library.exports.insert((module.clone(), item), path);
                } else {
                    code += &format!(" {path}");
                }
            }
            library.code.insert(module, code);
        }
        library
    }

    /// Returns the modules that each module uses; a re-exported item counts for the module that
    /// defines it.
    fn imports(&self) -> Imports {
        let used = |(module, code): (&Module, &String)| {
            let is_in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let words = code.split(|c| !is_in_path(c)).filter(|word| word.contains("::"));
            let modules = words.filter_map(|path| self.resolve(module, path));
            (module.clone(), modules.filter(|used| used != module).collect())
        };
        self.code.iter().map(used).collect()
    }

    /// Returns the module of a path used in `module`; `None` if it is outside the library.
    fn resolve(&self, module: &Module, path: &str) -> Option<Module> {
        let mut rest = path.split("::").peekable();
        let child = |of: &Module, name: &str| [&of[..], &[name.to_owned()]].concat();
        let mut found = module.clone();
        match *rest.peek()? {
            "crate" => found.clear(),
            "self" => {}
            "super" => {
                while rest.next_if_eq(&"super").is_some() {
                    found.pop();
                }
            }
            first if self.code.contains_key(&child(module, first)) => {}
            _ => return None,
        }
        rest.next_if(|first| ["crate", "self"].contains(first));
        for name in rest {
            let deeper = child(&found, name);
            if !self.code.contains_key(&deeper) {
                let exported = self.exports.get(&(found.clone(), name.to_owned()));
                return exported.and_then(|path| self.resolve(&found, path)).or(Some(found));
            }
            found = deeper;
        }
        Some(found)
    }
}

/// Removes the `use` declarations from a file. Returns their paths, each with whether it is
/// re-exported, and the remaining code.
fn take_uses(code: &str) -> (Vec<(bool, String)>, String) {
    let (mut uses, mut rest) = (Vec::new(), String::new());
    for statement in code.split(';') {
        let lines: Vec<&str> = statement.lines().collect();
        let is_use = |line: &&str| {
            let line = line.trim_start();
            line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ")
        };
        let at = lines.iter().position(is_use).unwrap_or(lines.len());
        rest += &lines[..at].join("\n");
        rest.push('\n');
        let declaration = lines[at..].concat();
        if let Some((visibility, tree)) = declaration.split_once("use ") {
            let is_exported = visibility.contains("pub");
            uses.extend(paths(tree).into_iter().map(|path| (is_exported, path)));
        }
    }
    (uses, rest)
}

/// Returns the paths of a tree such as `a::{b, c::d}`.
fn paths(tree: &str) -> Vec<String> {
    let Some((prefix, inner)) = tree.split_once('{') else {
        return tree.trim().split(" as ").take(1).map(str::to_owned).collect();
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| paths(&format!("{}{part}", prefix.trim()))).collect()
}

/// Checks that the modules of a library use what `allowed` lists, and nothing else of the library.
fn check_edges(library: &str, allowed: &[(&str, &[&str])]) {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, uses) in Library::new(library).imports() {
        let Some(top) = module.first() else { continue };
        let used = uses.into_iter().filter_map(|used| used.into_iter().next());
        found.entry(top.clone()).or_default().extend(used.filter(|used| used != top));
    }
    for (module, uses) in &found {
        let listed = allowed.iter().find(|(name, _)| name == module);
        let (_, listed) = listed.unwrap_or_else(|| panic!("{library}/{module} has no list"));
        let uses: BTreeSet<&str> = uses.iter().map(String::as_str).collect();
        let listed = listed.iter().copied().collect();
        assert_eq!(uses, listed, "{library}: what {module} uses, and what it may use");
    }
    assert_eq!(found.len(), allowed.len(), "{library}: modules");
}

#[test]
fn modules_use_only_what_they_may() {
    check_edges("src", GAMES_EDGES);
    check_edges("bots", BOTS_EDGES);
    check_edges("referee/process", PROCESS_EDGES);
    check_edges("referee", REFEREE_EDGES);
    check_edges("referee/commands", COMMANDS_EDGES);
    check_edges("referee/server", SERVER_EDGES);
}

/// Removes modules without imports or without users, repeatedly. Returns the remaining ones;
/// without a cycle there are none.
fn cyclic(mut imports: Imports) -> Vec<String> {
    loop {
        let count = imports.len();
        let used: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        imports.retain(|module, uses| used.contains(module) && !uses.is_empty());
        let left: BTreeSet<Module> = imports.keys().cloned().collect();
        imports.values_mut().for_each(|uses| uses.retain(|module| left.contains(module)));
        if imports.len() == count {
            return imports.into_keys().map(|module| module.join("::")).collect();
        }
    }
}

#[test]
fn modules_have_no_import_cycles() {
    for name in ["src", "bots", "referee/process", "referee", "referee/commands", "referee/server"]
    {
        assert_eq!(cyclic(Library::new(name).imports()), [""; 0], "{name}");
    }
    let module = |name: &str| vec![name.to_owned()];
    let imports = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e")];
    let imports = imports.map(|(one, other)| (module(one), BTreeSet::from([module(other)])));
    assert_eq!(cyclic(imports.into_iter().collect()), [""; 0], "c uses d alone");
    let cycle = [("a", "b"), ("b", "c"), ("c", "b"), ("e", "a")];
    let cycle = cycle.map(|(one, other)| (module(one), BTreeSet::from([module(other)])));
    assert_eq!(cyclic(cycle.into_iter().collect()), ["b", "c"]);
}

#[test]
fn the_referee_does_not_know_the_bots() {
    for manifest in ["referee/Cargo.toml", "referee/commands/Cargo.toml"] {
        assert!(!read(manifest).contains("bots"), "{manifest}");
    }
    assert!(!read("referee/Cargo.toml").contains("commands"));
    // The root package hands the server to the command line as a value.
    for manifest in ["referee/Cargo.toml", "referee/commands/Cargo.toml"] {
        assert!(!read(manifest).contains("server"), "{manifest}");
    }
    for (path, code) in library_files() {
        let has_runtime =
            ["tokio::", "async fn", "axum::", "hyper::"].iter().any(|of| code.contains(of));
        assert!(!has_runtime || path.starts_with("referee/server/"), "{path}");
    }
    for (path, code) in library_files() {
        assert!(!path.starts_with("referee/") || !code.contains("arbitre_bots"), "{path}");
        assert!(!path.starts_with("src/") || !code.contains("arbitre_"), "{path}");
    }
    let manifests = ["src/Cargo.toml", "bots/Cargo.toml"].map(read);
    let lines = manifests.iter().flat_map(|manifest| manifest.lines());
    let foreign = |line: &&str| line.contains(" = {") && !line.starts_with("arbitre-games = ");
    assert_eq!(lines.filter(foreign).collect::<Vec<_>>(), [""; 0]);
}

/// Other projects get the registry, the program and what games and bots are made of.
#[test]
fn internals_are_used_by_tests_and_benches_alone() {
    let shown = ["src", "bots", "referee", "programs", "examples"].into_iter().flat_map(sources);
    let pages = ["README.md", "src/README.md", "bots/README.md", "referee/README.md"];
    for file in shown.chain(pages.map(|page| root().join(page))) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("internals"), "{}", file.display());
    }
    let library = read("lib.rs");
    assert!(library.contains("#[doc(hidden)]\npub mod internals {"), "{library}");
    let lines = read("examples/tictactoe.rs").lines().count();
    assert!(lines <= 150, "the example of a game has {lines} lines");
}

/// Standard macros panic if their stream is full or closed.
#[test]
fn messages_are_printed_without_a_panic() {
    for (path, code) in library_files() {
        // Templates are programs of their own.
        let prints = ["print!(", "println!(", "dbg!("];
        let is_ours = !path.starts_with("referee/templates/");
        let mut used = prints.iter().filter(|print| is_ours && has_macro(&code, print));
        assert_eq!(used.next(), None, "{path}: expected diagnostics::print");
    }
}

/// Text for a terminal passes one of two functions, which escape what acts on it. Other modules
/// serve programs, or escape by themselves.
#[test]
fn terminals_are_written_in_listed_modules() {
    let places = [
        "src/diagnostics.rs",
        "referee/report/output.rs",
        // A person's terminal, escaped.
        "referee/player/human.rs",
        // Data for programs; at a terminal it passes `output::print`.
        "referee/commands/cli/export.rs",
        // Protocols.
        "referee/commands/cli/arena.rs",
    ];
    let streams = ["io::stdout().lock()", "io::stderr().lock()", "stderr().lock()"];
    for (path, code) in library_files() {
        let is_ours = path.starts_with("referee/") || path.starts_with("src/");
        let writes = streams.iter().any(|stream| code.contains(stream));
        let is_listed = places.contains(&path.as_str()) || path.starts_with("referee/templates/");
        assert!(!is_ours || !writes || is_listed, "{path} writes to a terminal");
    }
}

/// Returns `true` if the code calls this macro or its twin for standard error.
fn has_macro(code: &str, call: &str) -> bool {
    let in_text = |before: &str| before.ends_with('"') || before.ends_with('`');
    code.match_indices(call).any(|(at, _)| {
        let before = code[..at].strip_suffix('e').unwrap_or(&code[..at]);
        let is_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !is_word && !in_text(before)
    })
}

/// One module shares work among threads. Others are the workers of a run, the interrupt handler,
/// and the one that shows absences. The server has its own, for tests of uploads, for each game at
/// a board, and between rooms of one server. The doctor needs two, whose round trips it measures.
#[test]
fn threads_are_started_in_listed_modules() {
    let places = [
        "src/parallel.rs",
        "referee/run/workers.rs",
        "referee/run/interrupt.rs",
        "referee/run/presence.rs",
        "referee/commands/cli/serve/tester.rs",
        "referee/commands/doctor/clock.rs",
        "referee/server/board/mod.rs",
        "referee/server/connections.rs",
        "referee/server/front.rs",
        "referee/server/finals/mod.rs",
        "referee/server/lib.rs",
        "referee/server/join/relay.rs",
    ];
    for (path, code) in library_files() {
        let starts = ["thread::scope", "thread::spawn", ".spawn("];
        let threads =
            starts.iter().any(|start| code.contains(start)) && code.contains("std::thread");
        assert!(!threads || places.contains(&path.as_str()), "{path} starts threads");
    }
}

/// One module may have others: the control group of a process belongs to the whole process, as its
/// current folder does.
#[test]
fn statics_are_immutable() {
    let cells = ["Mutex", "RwLock", "Atomic", "OnceLock", "LazyLock", "OnceCell", "LazyCell"];
    for (path, code) in library_files() {
        assert!(!code.contains("thread_local!") && !code.contains("static mut"), "{path}");
        let mut statics = code.lines().filter(|line| {
            let line = line.trim_start().trim_start_matches("pub ");
            line.starts_with("static ") && cells.iter().any(|cell| line.contains(cell))
        });
        assert!(statics.next().is_none() || path == "referee/process/launcher/groups.rs", "{path}");
    }
}

/// The `DialectInfo` states the capabilities of a dialect; comparisons with its name are not
/// allowed.
#[test]
fn dialect_names_occur_only_in_their_modules() {
    let names = ["\"arbitre\"", "\"relay\"", "\"google2010\"", "\"icfp2015\""];
    let homes = [
        "src/dialects/arbitre.rs",
        "src/dialects/relay.rs",
        "src/games/tron/google2010.rs",
        "src/games/hextris/icfp2015.rs",
        // The arena has the same name.
        "referee/config/arena.rs",
        // Name of a cache folder.
        "bots/cache.rs",
    ];
    for (path, code) in library_files() {
        let named = names.iter().find(|name| code.contains(*name));
        assert!(named.is_none() || homes.contains(&path.as_str()), "{path} names {named:?}");
    }
}

#[test]
fn top_folder_of_the_referee_has_few_files() {
    let entries = fs::read_dir(root().join("referee")).unwrap().flatten();
    let files = entries.filter(|entry| entry.path().is_file()).count();
    assert!(files <= 8, "{files} files");
}

#[test]
fn module_paths_are_the_default() {
    let files = ["src", "bots", "referee", "tests", "benches"].into_iter().flat_map(sources);
    for file in files.filter(|file| !file.ends_with("house/layout.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("#[path"), "{}", file.display());
    }
}
