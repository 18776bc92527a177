//! Sandboxes of the programs of a run.

use super::player::{PlannedPlayer, PlayerSource};
use crate::config::sandbox_args::{surroundings, SandboxArgs, RESULTS};
use crate::config::PlayerConfig;
use crate::failure::Failure;
use crate::store::folder;
use arbitre_games::text::{word_of, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::program::Program;
use arbitre_process::sandbox::command::{is_system, CommandFiles};
use arbitre_process::sandbox::interpreters::{replaced, ReplacedInterpreter};
use arbitre_process::sandbox::probe::{probe, Probe};
use arbitre_process::sandbox::{Profile, SandboxConfig, Surroundings};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Means to put programs into sandboxes. The level that this machine gives is found once.
pub struct SandboxPolicy<'a> {
    executable: &'a Path,
    required: Option<Level>,
    hidden: Vec<PathBuf>,
    /// Folders of results.
    results: Vec<PathBuf>,
    probed: OnceCell<Probe>,
}

/// Sandboxes of the programs of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSandboxes {
    /// Level that this machine gives; [`Level::None`] if no program asks for a sandbox.
    pub level: Level,
    /// Reason why the level is not higher.
    reason: Option<String>,
    /// Names and profiles of the programs.
    programs: Vec<(String, Option<Profile>)>,
}

impl<'a> SandboxPolicy<'a> {
    /// Creates the means for programs under the launcher in `executable`. They do not see the files
    /// of a store at `stored`. Less than `required` is refused.
    pub fn new(
        executable: &'a Path,
        required: Option<Level>,
        stored: Option<&Path>,
    ) -> SandboxPolicy<'a> {
        let hidden = stored.map(folder::files_of).unwrap_or_default();
        // The file may lie in the folder of results of another folder.
        let is_results = |folder: &&Path| folder.file_name().is_some_and(|name| name == RESULTS);
        let folders = hidden.first().and_then(|file| file.parent()).filter(is_results);
        let results = folders.map(Path::to_owned).into_iter().collect();
        SandboxPolicy { executable, required, hidden, results, probed: OnceCell::new() }
    }

    /// Hides these paths, too, from each program that is not in them, such as the folders of
    /// programs that were built elsewhere.
    pub fn hiding(mut self, paths: impl IntoIterator<Item = PathBuf>) -> SandboxPolicy<'a> {
        self.hidden.extend(paths);
        self
    }

    /// Returns the sandboxes that the programs among the players get; `None` if there are none:
    /// bundled bots are no programs of others.
    ///
    /// # Errors
    /// Returns an error if this machine gives less than is required, or a path of a player does not
    /// exist any more.
    pub fn sandboxes(
        &self,
        players: &[PlannedPlayer],
    ) -> Result<Option<ProgramSandboxes>, Failure> {
        let with_program = players.iter().filter(|player| player.program_of_others().is_some());
        let configs: Vec<&PlayerConfig> = with_program.map(|player| &player.config).collect();
        if configs.is_empty() {
            return Ok(None);
        }
        let open = configs.iter().find(|config| config.sandbox.profile.is_none());
        if let Some(PlayerConfig { name, .. }) = open {
            self.refuse_open(name)?;
        }
        configs.iter().try_for_each(|config| refuse_missing_paths(config))?;
        let has_sandbox = configs.iter().any(|config| config.sandbox.profile.is_some());
        let (level, reason) = match has_sandbox {
            true => (self.probe().level, self.probe().reasons.first().cloned()),
            false => (Level::None, None),
        };
        self.refuse_below(level, reason.as_ref())?;
        let programs = configs.iter().map(|of| (of.name.clone(), of.sandbox.profile)).collect();
        Ok(Some(ProgramSandboxes { level, reason, programs }))
    }

    /// Refuses rules in another process that would get less than is required. They are started
    /// before the players are known.
    ///
    /// # Errors
    /// Returns the error of [`SandboxPolicy::sandboxes`].
    pub fn check_rules(&self, command: Option<&str>, sandbox: &SandboxArgs) -> Result<(), Failure> {
        if self.required.is_none() || command.is_none() {
            return Ok(());
        }
        match sandbox.on(SandboxConfig::default())?.profile {
            None => self.refuse_open("the rules"),
            Some(_) => self.refuse_below(self.level(), self.probe().reasons.first()),
        }
    }

    /// Refuses a program without a sandbox, if one is required.
    fn refuse_open(&self, name: &str) -> Result<(), Failure> {
        let Some(level) = self.required else { return Ok(()) };
        Err(Failure::Usage(format!(
            "--require-sandbox {level}: expected a sandbox for each program, got none for {name}"
        )))
    }

    /// Refuses a level below the required one.
    fn refuse_below(&self, level: Level, reason: Option<&String>) -> Result<(), Failure> {
        match self.required.filter(|required| level < *required) {
            None => Ok(()),
            Some(required) => Err(Failure::Unavailable(format!(
                "--require-sandbox {required}: expected a machine that gives it, got {level}{}{HELP}see \
                 referee doctor",
                because(reason)
            ))),
        }
    }

    /// Puts the programs among the players into their sandboxes. All files to hide must exist.
    pub fn apply(&self, players: &mut [PlannedPlayer]) {
        let here = surroundings();
        let mut hidden = self.hidden.clone();
        // The same for all: no program's own files are hidden from it.
        let programs = players.iter().filter_map(PlannedPlayer::program_of_others);
        hidden.extend(programs.flat_map(|program| hidden_of(program, &here)));
        hidden.retain(|path| path.exists());
        let private = [&here.private[..], &self.results].concat();
        let around = Surroundings { hidden, private, ..here };
        for player in players {
            let (Some(program), Some(_)) =
                (player.program_of_others().cloned(), player.config.sandbox.profile)
            else {
                continue;
            };
            let (sandbox, level) = (&player.config.sandbox, self.probe().level);
            let around = around_of(&program, &around);
            let sandbox = sandbox.sandbox_for(&program.path, &program.arguments, &around, level);
            player.source = PlayerSource::Program(program.in_sandbox(sandbox));
        }
    }

    /// Returns the level that this machine gives.
    pub fn level(&self) -> Level {
        self.probe().level
    }

    fn probe(&self) -> &Probe {
        self.probed.get_or_init(|| probe(self.executable))
    }
}

/// Returns a warning for each interpreter that the sandbox hides from scripts of the players.
pub fn interpreter_warnings(players: &[PlannedPlayer]) -> Vec<String> {
    let here = surroundings();
    let programs = players.iter().filter_map(PlannedPlayer::program_of_others);
    let replaced = programs.flat_map(|program| {
        let sandbox = program.sandbox.as_deref();
        sandbox.map_or_else(Vec::new, |of| replaced(&program.path, of, &here))
    });
    let lines: BTreeSet<String> = replaced.map(interpreter_warning).collect();
    lines.into_iter().collect()
}

fn interpreter_warning(replaced: ReplacedInterpreter) -> String {
    let ReplacedInterpreter { hidden, found, shown_by } = replaced;
    let found = found.map_or("none".into(), |found| found.display().to_string());
    let (hidden, shown_by) = (hidden.display(), shown_by.display());
    format!(
        "warning: the sandbox hides {hidden}, so that scripts find {found}{HELP}--allow-read \
         {shown_by} shows it"
    )
}

/// Returns the circumstances of a program, which may start in a folder of its own.
fn around_of(program: &Program, around: &Surroundings) -> Surroundings {
    match &program.folder {
        Some(folder) => around.clone().in_own_folder(folder.clone()),
        None => around.clone(),
    }
}

/// Returns the reason why a level is not higher, as the end of a sentence.
fn because(reason: Option<&String>) -> String {
    reason.map_or_else(String::new, |reason| format!(": {reason}"))
}

/// Returns the files that a command names, and the folder of its program, unless the current folder
/// is in that.
fn hidden_of(program: &Program, around: &Surroundings) -> Vec<PathBuf> {
    let CommandFiles { paths, named, .. } =
        CommandFiles::find(&program.path, &program.arguments, &around_of(program, around));
    let folders = paths.into_iter().filter(|path| !around.folder.starts_with(path));
    folders.chain(named.into_iter().filter(|file| !is_system(file))).collect()
}

/// Refuses the sandbox of a stored player whose paths are gone. Those on the command line were
/// checked before.
fn refuse_missing_paths(PlayerConfig { name, sandbox, .. }: &PlayerConfig) -> Result<(), Failure> {
    let SandboxConfig { read, write, devices, .. } = sandbox;
    let mut paths = [read, write, devices].into_iter().flatten();
    match paths.find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) => Err(Failure::Data(format!(
            "{name}: its sandbox allows {}, which does not exist{HELP}name {name} again with other \
             options",
            path.display()
        ))),
    }
}

impl ProgramSandboxes {
    /// Returns the line that names level and profiles.
    pub fn line(&self) -> String {
        let text = |profile: Option<Profile>| match profile {
            Some(profile) => format!("profile {}", word_of(profile, &Profile::WORDS)),
            None => "none".into(),
        };
        let (_, first) = self.programs[0];
        let parts = match (self.level, self.programs.iter().all(|(_, other)| *other == first)) {
            (_, true) if first.is_none() => return "sandbox: none".into(),
            (_, true) => text(first),
            (_, false) => {
                let each = self.programs.iter();
                let each = each.map(|(name, profile)| format!("{} for {name}", text(*profile)));
                each.collect::<Vec<_>>().join(", ")
            }
        };
        format!("sandbox: {}, {parts}", self.level)
    }

    /// Returns the warning that this machine does not give a full sandbox.
    pub fn warning(&self) -> Option<String> {
        let is_asked_for = self.programs.iter().any(|(_, profile)| profile.is_some());
        (is_asked_for && self.level < Level::Full).then(|| {
            let why = because(self.reason.as_ref());
            format!("warning: the sandbox is {}, not full{why}{HELP}see referee doctor", self.level)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::player_options::PlayerOptions;
    use crate::player::program;
    use crate::registry::Speech;
    use arbitre_games::dialects::arbitre;
    use std::{env, fs};

    fn player(name: &str, words: &[&str], profile: Option<Profile>) -> PlannedPlayer {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let sandbox = SandboxConfig { profile, ..SandboxConfig::default() };
        let config = PlayerConfig { name: name.into(), sandbox, ..PlayerConfig::default() };
        let source = PlayerSource::Program(program::find(&words, &[]).unwrap());
        PlannedPlayer::new(config, source, Speech::Dialect(&arbitre::INFO))
    }

    fn policy(level: Level, required: Option<Level>) -> SandboxPolicy<'static> {
        let reasons = vec!["no user namespaces".into(), "no more".into()];
        let probed = OnceCell::from(Probe { level, reasons });
        SandboxPolicy { probed, ..SandboxPolicy::new(Path::new("/none"), required, None) }
    }

    #[test]
    fn less_than_required_is_refused() {
        let mine = || player("a", &["sh"], Some(Profile::Mine));
        let sandboxes = |level, required| policy(level, required).sandboxes(&[mine()]);
        for (level, required) in [
            (Level::Full, Level::Full),
            (Level::Full, Level::Weak),
            (Level::Partial, Level::Partial),
        ] {
            assert!(sandboxes(level, Some(required)).is_ok());
        }
        let refused = sandboxes(Level::Weak, Some(Level::Partial)).unwrap_err();
        assert!(matches!(refused, Failure::Unavailable(_)));
        assert_eq!(
            refused.to_string(),
            "--require-sandbox partial: expected a machine that gives it, got weak: no user \
             namespaces; help: see referee doctor"
        );
        let players = [mine(), player("b", &["sh"], None)];
        let refused = policy(Level::Full, Some(Level::Weak)).sandboxes(&players);
        assert!(refused.unwrap_err().to_string().ends_with("got none for b"));
    }

    #[test]
    fn rules_in_another_process_need_the_level_too() {
        let refusal = |level, required, command, options: &[&str]| {
            let words: Vec<String> = options.iter().map(|word| (*word).into()).collect();
            let sandbox = PlayerOptions::parse_words(&words).unwrap().sandbox;
            let checked = policy(level, required).check_rules(command, &sandbox);
            checked.err().map(|failure| failure.to_string())
        };
        let (full, rules) = (Some(Level::Full), Some("./rules"));
        assert_eq!(refusal(Level::Full, full, rules, &[]), None);
        assert_eq!(refusal(Level::Weak, None, rules, &["no-sandbox"]), None);
        assert_eq!(refusal(Level::Weak, full, None, &[]), None);
        assert!(refusal(Level::Weak, full, rules, &[]).unwrap().contains("got weak: no user"));
        let refused = refusal(Level::Full, full, rules, &["no-sandbox"]).unwrap();
        assert!(refused.ends_with("got none for the rules"), "{refused}");
    }

    #[test]
    fn level_is_that_of_the_machine_and_told() {
        let level_of = |player: &PlannedPlayer| player.sandbox_level();
        let mut players = [player("a", &["sh"], Some(Profile::Class)), player("b", &["sh"], None)];
        let partial = policy(Level::Partial, None);
        let told = partial.sandboxes(&players).unwrap().unwrap();
        partial.apply(&mut players);
        assert_eq!(players.each_ref().map(level_of), [Some(Level::Partial), Some(Level::None)]);
        assert_eq!(told.line(), "sandbox: partial, profile class for a, none for b");
        let warning = "warning: the sandbox is partial, not full: no user namespaces; help: see \
                       referee doctor";
        assert_eq!(told.warning().as_deref(), Some(warning));
        let players = [player("b", &["sh"], None)];
        let told = policy(Level::Partial, None).sandboxes(&players).unwrap().unwrap();
        assert_eq!((told.line().as_str(), told.warning()), ("sandbox: none", None));
        assert_eq!(policy(Level::Full, None).sandboxes(&[]).unwrap(), None);
        let players = [player("a", &["sh"], Some(Profile::Mine))];
        let told = policy(Level::Full, None).sandboxes(&players).unwrap().unwrap();
        assert_eq!((told.line().as_str(), told.warning()), ("sandbox: full, profile mine", None));
    }

    #[test]
    fn paths_that_are_gone_are_named() {
        let mut gone = player("a", &["sh"], Some(Profile::Mine));
        gone.config.sandbox.write = vec!["/".into(), "/nowhere".into()];
        let refused = policy(Level::Full, None).sandboxes(&[gone]).unwrap_err();
        assert!(matches!(refused, Failure::Data(_)));
        assert!(refused.to_string().starts_with("a: its sandbox allows /nowhere, which does not"));
    }

    #[test]
    fn other_players_are_hidden_but_nothing_that_is_needed() {
        let folder = env::temp_dir().join(format!("arbitre-policy-{}", std::process::id()));
        let file = |name: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path.to_string_lossy().into_owned()
        };
        let (ada, here, book) = (file("ada/bot.py"), file("bot.py"), file("books/a.bin"));
        let around = Surroundings { folder: folder.clone(), ..surroundings() };
        let hidden = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let hidden = hidden_of(&program::find(&words, &[]).unwrap(), &around);
            let names = hidden.iter().map(|path| path.strip_prefix(&folder).unwrap_or(path));
            names.map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        // The interpreter belongs to the system, and a book does not hide its folder.
        assert_eq!(hidden(&["sh", &ada, &book]), ["ada", "ada/bot.py", "books/a.bin"]);
        // The folder is the program's own, whichever file it starts.
        let own = program::find_in(&folder.join("ada"), &["sh".into(), "-c".into()], &[]).unwrap();
        assert_eq!(hidden_of(&own, &around), [folder.canonicalize().unwrap().join("ada")]);
        // The user plays from here.
        assert_eq!(hidden(&["sh", &here]), ["bot.py"]);
        let stored =
            SandboxPolicy::new(Path::new("/none"), None, Some(&folder.join("m.db"))).hidden;
        assert!(stored.contains(&folder.join("m.db")) && stored.contains(&folder.join("m.db-wal")));
        fs::remove_dir_all(&folder).unwrap();
    }
}
