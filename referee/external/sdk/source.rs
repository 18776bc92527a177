//! Games of CodinGame's SDK as the user names them: a folder, a jar, or a command. A folder is
//! built once, in the sandbox of builds.

use super::Programs;
use crate::external::brutaltester::{name_of, name_of_file};
use crate::failure::Failure;
use crate::player::digest::{digest_of_paths, files_of, is_made_folder, VersionKind};
use crate::player::program;
use crate::submissions::build::{self, BuildEvent, BuildFailure, BuildLimits, SCRATCH};
use arbitre_games::files;
use arbitre_games::game::ParseError;
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::program::Program;
use arbitre_process::sandbox::SandboxConfig;
use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Main class of the SDK's referee.
const MAIN: &str = "com.codingame.gameengine.core.RefereeMain";
/// Class file of every game, in a folder of classes.
const REFEREE: &str = "com/codingame/game/Referee.class";
/// Folder of what we build in that of a game; build tools clean it.
const TARGET: &str = "target";
/// File of the class path in that folder. It is newer than what it was made from.
const CLASS_PATH: &str = "arbitre-classpath";
/// Class that plays many games in one process.
const GAMES: &str = include_str!("Games.java");
/// Options of a Java process. The SDK's Guice needs the first two on Java 17. One thread collects
/// garbage, so that the others do not disturb the players.
const JAVA: [&str; 7] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "-XX:+UseSerialGC",
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-Dsun.stdout.encoding=UTF-8",
    "-Dgame.mode=multi",
];

/// Game as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Java classes.
    Java {
        /// Words before the class path: the command and its options.
        words: Vec<String>,
        /// Folders and jars.
        class_path: Vec<PathBuf>,
        /// Folder of the class that plays many games in one process, if there is one.
        many: Option<PathBuf>,
    },
    /// Command that plays one game.
    Command(Vec<String>),
}

/// Facts that the folder of a game states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Title.
    pub title: Option<String>,
    /// Smallest and largest number of players.
    pub seats: (usize, usize),
}

/// Means of a build.
pub struct Means<'a> {
    /// Sandbox of the game.
    pub sandbox: &'a SandboxConfig,
    /// Protection that this machine gives.
    pub level: Level,
    /// Executable of the referee, which is the launcher.
    pub executable: &'a Path,
    /// Class path for sources that are compiled by `javac` alone.
    pub class_path: Option<&'a str>,
}

impl Source {
    /// Finds a game by the words of its command. A folder is built if it must be.
    ///
    /// # Errors
    /// Returns an error if there is no such program, or the build fails.
    pub fn find(words: &[String], means: &Means) -> Result<Source, Failure> {
        match folder_of(words) {
            Some(folder) => Ok(Source::of_classes(built(&folder, means)?)),
            None => Ok(Source::of_command(words)),
        }
    }

    /// Returns the game of a stored match, by the words of its command and its class path.
    pub fn stored(words: &[String], class_path: &[String]) -> Source {
        match (folder_of(words), class_path) {
            (Some(_), [_, ..]) => {
                Source::of_classes(class_path.iter().map(PathBuf::from).collect())
            }
            _ => Source::of_command(words),
        }
    }

    fn of_classes(class_path: Vec<PathBuf>) -> Source {
        let words = ["java"].into_iter().chain(JAVA).map(str::to_owned).collect();
        Source::Java { words, class_path, many: loop_classes() }
    }

    fn of_command(words: &[String]) -> Source {
        if let [jar] = words {
            if jar.ends_with(".jar") {
                return Source::of_classes(vec![jar.into()]);
            }
        }
        java_command(words).unwrap_or_else(|| Source::Command(words.to_vec()))
    }

    /// Returns the name of the game: that of its folder or jar, of the folder around its classes,
    /// or of the first file of its command.
    pub fn name(&self, words: &[String]) -> String {
        match (self, words) {
            (Source::Java { .. }, [path]) => {
                name_of_file(&fs::canonicalize(path).unwrap_or_else(|_| path.into()))
            }
            (Source::Java { class_path, .. }, _) => {
                let first = class_path.first().map(PathBuf::as_path).unwrap_or(Path::new("game"));
                let is_made = |path: &&Path| {
                    path.file_name().is_some_and(|name| is_made_folder(&name.to_string_lossy()))
                        || path.ends_with("classes")
                };
                name_of_file(first.ancestors().find(|path| !is_made(path)).unwrap_or(first))
            }
            (Source::Command(words), _) => {
                found(words).map_or_else(|_| "game".into(), |program| name_of(&program))
            }
        }
    }

    /// Returns the class path.
    pub fn class_path(&self) -> &[PathBuf] {
        match self {
            Source::Java { class_path, .. } => class_path,
            Source::Command(_) => &[],
        }
    }

    /// Returns the digest of its files.
    ///
    /// # Errors
    /// Returns an error if there is no such program.
    pub fn digest(&self) -> Result<String, ParseError> {
        match self {
            Source::Java { words, class_path, .. } => Ok(digest_of_paths(words, class_path)),
            Source::Command(words) => Ok(VersionKind::Digest.version(&found(words)?)),
        }
    }

    /// Returns the programs that play it in this league, each passed through `wrap`, which puts it
    /// into its sandbox and lets it read the paths.
    ///
    /// # Errors
    /// Returns an error if there is no such program, or it takes no league.
    pub fn programs(
        &self,
        league: Option<&str>,
        wrap: impl Fn(Program, &[PathBuf]) -> Program,
    ) -> Result<Programs, ParseError> {
        let (words, class_path, many) = match (self, league) {
            (Source::Command(_), Some(league)) => {
                return Err(ParseError::new(format!(
                    "--rules: expected a folder, a jar or a java command with {MAIN} for a league, \
                     got league={league}"
                )))
            }
            (Source::Command(words), None) => {
                return Ok(Programs { one: wrap(found(words)?, &[]), many: None })
            }
            (Source::Java { words, class_path, many }, _) => (words, class_path, many),
        };
        let league = league.map(|league| format!("-Dleague.level={league}"));
        let program = |paths: &[PathBuf], main: &str| {
            let joined =
                env::join_paths(paths).map_err(|error| ParseError::new(error.to_string()))?;
            let class_path = ["-cp".to_owned(), joined.to_string_lossy().into_owned(), main.into()];
            let words = words.iter().chain(&league).chain(&class_path).cloned();
            let found = found(&words.collect::<Vec<_>>())?;
            Ok::<Program, ParseError>(wrap(found, paths))
        };
        let one = program(class_path, MAIN)?;
        let many = many.as_ref().map(|folder| {
            let paths = std::iter::once(folder).chain(class_path);
            program(&paths.cloned().collect::<Vec<_>>(), "Games")
        });
        Ok(Programs { one, many: many.transpose()? })
    }
}

/// Finds the program of a command.
fn found(words: &[String]) -> Result<Program, ParseError> {
    program::find(words, &[]).map_err(|why| ParseError::new(format!("--external: {why}")))
}

/// Returns the folder that a command is. A name without a slash is a program in `PATH` first.
fn folder_of(words: &[String]) -> Option<PathBuf> {
    let [word] = words else { return None };
    let is_folder = Path::new(word).is_dir();
    let is_program = || !word.contains('/') && program::find(words, &[]).is_ok();
    (is_folder && !is_program()).then(|| PathBuf::from(word))
}

/// Reads a command of Java that starts the SDK's referee with a class path.
fn java_command(words: &[String]) -> Option<Source> {
    let (first, rest) = words.split_first()?;
    let is_java = Path::new(first).file_name()? == "java";
    let main = rest.iter().position(|word| word == MAIN).filter(|_| is_java)?;
    if main + 1 < rest.len() {
        return None;
    }
    let (mut kept, mut class_path) = (vec![first.clone()], None);
    let mut options = rest[..main].iter();
    while let Some(word) = options.next() {
        match (word.as_str(), word.split_once('=')) {
            ("-cp" | "-classpath" | "--class-path", _) => class_path = options.next().cloned(),
            (_, Some(("--class-path", value))) => class_path = Some(value.to_owned()),
            _ => kept.push(word.clone()),
        }
    }
    let class_path = env::split_paths(&class_path?).collect();
    Some(Source::Java { words: kept, class_path, many: loop_classes() })
}

/// Returns what the folder of a game, or the project around its classes, states.
///
/// # Errors
/// Returns an error if it is a game of one player against a test, which has no opponents.
pub fn facts(words: &[String]) -> Result<Facts, ParseError> {
    let mut facts = Facts { title: None, seats: (1, 8) };
    let Some(folder) = folder_of(words) else { return Ok(facts) };
    let text = fs::read_to_string(folder.join("config/config.ini")).unwrap_or_default();
    let number = |value: &str| value.parse().ok().filter(|seats| (1..=8).contains(seats));
    for (key, value) in text.lines().filter_map(|line| line.trim().split_once('=')) {
        match (key.trim(), value.trim()) {
            ("title", title) => facts.title = Some(title.to_owned()),
            ("min_players", value) => facts.seats.0 = number(value).unwrap_or(facts.seats.0),
            ("max_players", value) => facts.seats.1 = number(value).unwrap_or(facts.seats.1),
            ("type", "multi") => {}
            ("type", other) => {
                return Err(ParseError::new(format!(
                    "--external: expected a game of type=multi in config/config.ini, got {other}"
                )))
            }
            _ => {}
        }
    }
    facts.seats.1 = facts.seats.1.max(facts.seats.0);
    Ok(facts)
}

/// Way to build a folder.
enum Recipe {
    /// Maven or Gradle.
    Tool {
        /// Words of a build that writes [`CLASS_PATH`] into [`TARGET`].
        words: Vec<String>,
        /// Paths that it may read besides.
        read: Vec<PathBuf>,
        /// Whether it opens sockets, which no sandbox of builds allows.
        has_sockets: bool,
        /// Command of the user that does the same, with the network.
        outside: String,
    },
    /// `javac` with this class path.
    Javac(Vec<PathBuf>),
    /// Nothing, as these are the classes.
    Classes(Vec<PathBuf>),
}

/// Returns the class path of a folder, which is built if it must be.
fn built(folder: &Path, means: &Means) -> Result<Vec<PathBuf>, Failure> {
    let folder = &fs::canonicalize(folder).map_err(|error| refused(folder, &io_reason(&error)))?;
    let recipe = recipe(folder, means.class_path)?;
    let class_path = match &recipe {
        Recipe::Classes(paths) => return Ok(paths.clone()),
        _ => folder.join(TARGET).join(CLASS_PATH),
    };
    if !is_newer(&class_path, folder) || recipe.differs(&class_path, folder) {
        build_in(folder, &recipe, means)?;
    }
    let text =
        files::read_text(&class_path).map_err(|error| refused(folder, &io_reason(&error)))?;
    // Maven's plugin leaves out the classes of the project itself.
    let own = Some(folder.join("target/classes")).filter(|made| made.is_dir());
    let others = env::split_paths(text.trim()).filter(|path| !path.as_os_str().is_empty());
    Ok(own.into_iter().chain(others).collect())
}

fn refused(folder: &Path, why: &str) -> Failure {
    Failure::Data(format!("--external: {}: {why}", folder.display()))
}

/// Finds the way to build a folder.
fn recipe(folder: &Path, class_path: Option<&str>) -> Result<Recipe, Failure> {
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let written = format!("{TARGET}/{CLASS_PATH}");
    let at = folder.display().to_string();
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    if let Some(paths) = class_path {
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        return Ok(Recipe::Javac(env::split_paths(paths).map(absolute).collect()));
    }
    // Sources that were compiled with a class path need it said only once.
    let before = fs::read_to_string(folder.join(&written)).unwrap_or_default();
    let mut before = env::split_paths(before.trim());
    if before.next() == Some(folder.join(TARGET).join(CLASSES)) {
        let resources = folder.join(RESOURCES);
        return Ok(Recipe::Javac(before.filter(|path| *path != resources).collect()));
    }
    if folder.join("pom.xml").is_file() {
        let output = format!("-Dmdep.outputFile={written}");
        let goals = ["package", "dependency:build-classpath", &output, "-DskipTests"];
        let mut words = strings(&["mvn", "-o", "-q", "-B"]);
        words.extend(strings(&goals));
        let m2 = Some(home.join(".m2")).filter(|path| path.is_dir());
        let repository = m2.as_ref().map(|m2| m2.join("repository"));
        words.extend(repository.map(|of| format!("-Dmaven.repo.local={}", of.display())));
        let read = m2.into_iter().chain([MAVEN_SETTINGS.into()]).collect();
        let outside = shell_words::join([&["mvn", "-f", &at], &goals[..]].concat());
        return Ok(Recipe::Tool { words, read, has_sockets: false, outside });
    }
    if ["build.gradle", "build.gradle.kts"].iter().any(|name| folder.join(name).is_file()) {
        let script = format!("{TARGET}/{GRADLE_SCRIPT}");
        let words = strings(&["gradle", "--offline", "-q", "-I", &script, "arbitreClasspath"]);
        let script = format!("{at}/{script}");
        let outside = shell_words::join(["gradle", "-p", &at, "-I", &script, "arbitreClasspath"]);
        return Ok(Recipe::Tool { words, read: Vec::new(), has_sockets: true, outside });
    }
    if folder.join(REFEREE).is_file() {
        let jars = [folder.to_owned(), folder.join("lib")].into_iter().flat_map(|of| jars_in(&of));
        return Ok(Recipe::Classes([folder.to_owned()].into_iter().chain(jars).collect()));
    }
    Err(Failure::Data(format!(
        "--external: expected pom.xml, build.gradle or {REFEREE} in the folder, got {at}{HELP}sources \
         alone need --classpath JARS"
    )))
}

/// Name of the script that has Gradle print a class path.
const GRADLE_SCRIPT: &str = "arbitre.gradle";
/// Script that has Gradle build the classes and write their class path. Versions before 4.9 have no
/// `tasks.register`, and a script's own `file` is beside the script.
const GRADLE: &str = "allprojects { afterEvaluate { made ->
    made.tasks.create('arbitreClasspath') {
        dependsOn 'classes'
        doLast {
            made.file('target/arbitre-classpath').text = made.sourceSets.main.runtimeClasspath.asPath
        }
    }
} }
";
/// Settings of Debian's Maven, without which it does not start.
const MAVEN_SETTINGS: &str = "/etc/maven";

fn jars_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "jar")).collect();
    jars.sort_unstable();
    jars
}

impl Recipe {
    /// Returns `true` if the class path in this file was made another way.
    fn differs(&self, class_path: &Path, folder: &Path) -> bool {
        let text = fs::read_to_string(class_path).unwrap_or_default();
        matches!(self, Recipe::Javac(paths) if text != joined(&javac_paths(folder, paths)))
    }
}

/// Folder of files beside the sources that belong on the class path.
const RESOURCES: &str = "src/main/resources";
/// Folder of the classes that `javac` writes, in [`TARGET`].
const CLASSES: &str = "arbitre-classes";

/// Returns the class path of sources that are compiled by `javac` alone.
fn javac_paths(folder: &Path, others: &[PathBuf]) -> Vec<PathBuf> {
    let classes = folder.join(TARGET).join(CLASSES);
    let resources = Some(folder.join(RESOURCES)).filter(|path| path.is_dir());
    [classes].into_iter().chain(resources).chain(others.iter().cloned()).collect()
}

fn joined(paths: &[PathBuf]) -> String {
    env::join_paths(paths).unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns `true` if a file is newer than the sources of a folder.
fn is_newer(made: &Path, folder: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|of| of.modified()).ok();
    let Some(made) = time(made) else { return false };
    let newest = sources(folder).iter().filter_map(|path| time(path)).max();
    newest.unwrap_or(SystemTime::UNIX_EPOCH) < made
}

/// Returns the files below a folder, except hidden ones and what builds make.
fn sources(folder: &Path) -> Vec<PathBuf> {
    files_of(folder).unwrap_or_default()
}

/// Builds a folder in the sandbox of builds, with what its tool has downloaded before.
fn build_in(folder: &Path, recipe: &Recipe, means: &Means) -> Result<(), Failure> {
    let of_io = |error: std::io::Error| refused(folder, &io_reason(&error));
    let target = folder.join(TARGET);
    fs::create_dir_all(target.join(CLASSES)).map_err(|error| {
        let why = io_reason(&error);
        refused(folder, &format!("{why}{HELP}a build writes {TARGET}/ there, so copy the folder"))
    })?;
    let mut sandbox = means.sandbox.clone();
    let words = match recipe {
        Recipe::Tool { words, read, has_sockets, outside } => {
            fs::write(target.join(GRADLE_SCRIPT), GRADLE).map_err(of_io)?;
            let is_confined = sandbox.profile.is_some() && means.level != Level::None;
            if *has_sockets && is_confined {
                let why = format!(
                    "expected {TARGET}/{CLASS_PATH} that is newer than all sources, as Gradle \
                     opens sockets, which the sandbox refuses{HELP}run outside: {outside}"
                );
                return Err(refused(folder, &why));
            }
            sandbox.read.extend(read.clone());
            words.clone()
        }
        Recipe::Javac(paths) => {
            sandbox.read.extend(paths.iter().filter(|path| path.exists()).cloned());
            javac_words(folder, paths).map_err(of_io)?
        }
        Recipe::Classes(_) => return Ok(()),
    };
    let note = |event: BuildEvent| {
        if event == BuildEvent::Slow {
            log::warn!("the build of {} takes long", folder.display());
        }
        ControlFlow::Continue(())
    };
    let limits = BuildLimits::default();
    let built = build::run(&words, folder, &sandbox, means.level, &limits, means.executable, &note);
    let _ = build::remove(&folder.join(SCRATCH));
    match built {
        Ok(Ok(())) => {}
        Ok(Err(failure)) | Err(failure) => return Err(build_failure(folder, recipe, &failure)),
    }
    match recipe {
        Recipe::Javac(paths) => {
            fs::write(target.join(CLASS_PATH), joined(&javac_paths(folder, paths))).map_err(of_io)
        }
        _ => Ok(()),
    }
}

/// Returns the words of `javac` for all sources of a folder, whose names are in a file.
fn javac_words(folder: &Path, class_path: &[PathBuf]) -> std::io::Result<Vec<String>> {
    let roots = ["src/main/java", "src"].iter().map(|name| folder.join(name));
    let root = roots.into_iter().find(|path| path.is_dir()).unwrap_or_else(|| folder.to_owned());
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "java");
    let quoted =
        |path: &PathBuf| format!("\"{}\"\n", path.display().to_string().replace('\\', "\\\\"));
    let list: String = sources(&root).iter().filter(is_source).map(quoted).collect();
    let file = format!("{TARGET}/arbitre-sources");
    fs::write(folder.join(&file), list)?;
    let classes = format!("{TARGET}/{CLASSES}");
    let words = ["javac", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", &classes, "-cp"];
    let words = words.into_iter().map(str::to_owned);
    Ok(words.chain([joined(class_path), format!("@{file}")]).collect())
}

/// Returns the failure of a build in one line, with what to run outside the sandbox.
fn build_failure(folder: &Path, recipe: &Recipe, failure: &BuildFailure) -> Failure {
    let lines = || failure.output.lines().filter(|line| !line.trim().is_empty());
    let is_error =
        |line: &&str| ["ERROR", "error:", "Exception"].iter().any(|of| line.contains(of));
    let said = lines().find(is_error).or(lines().next_back());
    let said = said.map_or(String::new(), |line| format!(": {line}"));
    let help = match recipe {
        Recipe::Tool { outside, .. } => {
            format!("{HELP}where it lacks downloads, run outside: {outside}")
        }
        _ => String::new(),
    };
    refused(folder, &format!("{}{}{help}", failure.reason, said.trim_end()))
}

/// Returns the folder of the class that plays many games. Says why there is none.
fn loop_classes() -> Option<PathBuf> {
    let why = |why: &String| log::warn!("{why}: each game has a Java process of its own");
    compile_loop().inspect_err(why).ok()
}

/// Returns the folder of the class that plays many games, which is compiled where it is not there
/// yet.
fn compile_loop() -> Result<PathBuf, String> {
    let cache = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let cache = cache.or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
    let cache = cache.filter(|path| path.is_absolute()).ok_or("expected HOME, got none")?;
    let digest = &digest_of_paths(&[GAMES.to_owned()], &[])[..16];
    let folder = cache.join(format!("arbitre-games-{digest}"));
    if folder.join("Games.class").is_file() {
        return Ok(folder);
    }
    let part = folder.with_extension(std::process::id().to_string());
    let failed = |error: std::io::Error| format!("{}: {}", part.display(), io_reason(&error));
    fs::create_dir_all(&part).map_err(failed)?;
    let source = part.join("Games.java");
    fs::write(&source, GAMES).map_err(failed)?;
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-d"]).arg(&part).arg(&source).stdin(Stdio::null());
    let compiled = javac.output().map_err(|error| format!("javac: {}", io_reason(&error)));
    let result = compiled.and_then(|output| match output.status.success() {
        true => Ok(()),
        false => Err(format!("javac: {}", String::from_utf8_lossy(&output.stderr).trim())),
    });
    if result.is_ok() && !folder.exists() {
        // Another referee may have made it meanwhile.
        let _ = fs::rename(&part, &folder);
    }
    let _ = fs::remove_dir_all(&part);
    result.map(|()| folder)
}
