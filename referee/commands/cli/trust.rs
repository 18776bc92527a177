//! Programs that a stored file names. The file may be a stranger's: reading it starts none of them,
//! each is named before it starts, and a hole in its sandbox holds only if it is typed again.

use super::args::RulesArgs;
use super::stored::misfit;
use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_referee::config::player_arg::CommandKind;
use arbitre_referee::config::sandbox_args::{beyond, in_words, SandboxArgs};
use arbitre_referee::config::{Contest, PlayerConfig};
use arbitre_referee::escape::escape_whole;
use arbitre_referee::external::ExternalRules;
use arbitre_referee::failure::Failure;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::viewer::Viewer;
use arbitre_referee::registry::Registry;
use arbitre_referee::store::Archive;

/// Program that a file names.
pub struct StoredProgram<'a> {
    /// Name of the player, or what the program is.
    name: &'a str,
    command: &'a str,
    sandbox: &'a SandboxConfig,
}

impl<'a> StoredProgram<'a> {
    /// Returns the program of a stored player.
    pub fn of_player(player: &'a PlayerConfig) -> StoredProgram<'a> {
        let PlayerConfig { name, command, sandbox, .. } = player;
        StoredProgram { name, command, sandbox }
    }

    /// Returns the program of stored rules, which runs in `sandbox`.
    pub fn of_rules(rules: &'a ExternalRules, sandbox: &'a SandboxConfig) -> StoredProgram<'a> {
        StoredProgram { name: "the rules", command: &rules.command, sandbox }
    }

    /// Returns `true` if the sandbox has no hole, and no larger limit than usual.
    pub fn has_sandbox(&self) -> bool {
        beyond(self.sandbox, &SandboxConfig::default()).is_empty()
    }

    /// Checks that the sandbox does not go beyond the options that were typed.
    ///
    /// # Errors
    /// Returns an error that names the missing options.
    pub fn check(&self, typed: &SandboxConfig, archive: &Archive) -> Result<(), Failure> {
        let mut options = beyond(self.sandbox, &SandboxConfig::default());
        let missing = beyond(self.sandbox, typed);
        options.retain(|option| missing.contains(option));
        if options.is_empty() {
            return Ok(());
        }
        let options = options.join(" ");
        let (path, [options, name, command]) =
            (archive.path().display(), [&options, self.name, self.command].map(escape_whole));
        Err(Failure::Usage(format!(
            "{path}: expected {options} again, as it is stored for {name}, got none{HELP}add it if you \
             trust the file, whose command is '{command}'"
        )))
    }
}

/// Returns the programs of the stored players that `selects` takes, and of the rules.
pub fn programs_of<'a>(
    contest: &'a Contest,
    selects: impl Fn(&PlayerConfig) -> bool,
    registry: &Registry,
) -> Vec<StoredProgram<'a>> {
    let is_program =
        |player: &PlayerConfig| matches!(player.kind(registry), Ok(CommandKind::External(_)));
    let players = contest.players.iter().filter(|player| is_program(player) && selects(player));
    let rules = contest.external.iter().map(|of| StoredProgram::of_rules(of, &of.sandbox));
    players.map(StoredProgram::of_player).chain(rules).collect()
}

/// Checks that the sandboxes of stored programs do not go beyond the options `typed`.
///
/// # Errors
/// Returns the error of [`StoredProgram::check`].
pub fn check(
    programs: &[StoredProgram],
    typed: &SandboxArgs,
    archive: &Archive,
) -> Result<(), Failure> {
    refuse_retired(archive)?;
    let typed = typed.on(SandboxConfig::default())?;
    programs.iter().try_for_each(|program| program.check(&typed, archive))
}

/// Refuses a match whose rules no version starts any more.
///
/// # Errors
/// Returns an error if it is one.
pub fn refuse_retired(archive: &Archive) -> Result<(), Failure> {
    let rules = archive.config().external.as_ref();
    rules.map_or(Ok(()), ExternalRules::refuse_retired).map_err(misfit(archive))
}

/// Names stored programs that start now.
pub fn tell(programs: &[StoredProgram], archive: &Archive) {
    if programs.is_empty() {
        return;
    }
    let line = |StoredProgram { name, command, sandbox }: &StoredProgram| {
        // Whole: what is cut off would start unseen.
        let [name, command, sandbox] = [name, command, &in_words(sandbox)[..]].map(escape_whole);
        format!("  {name}: {command}  (sandbox: {sandbox})\n")
    };
    let (path, lines) = (archive.path().display(), programs.iter().map(line));
    let lines: String = lines.collect();
    diagnostics::print(format_args!(
        "note: {path} names these programs, which start now:\n{lines}"
    ));
}

impl RulesArgs {
    /// Returns the source of the positions of stored games.
    ///
    /// # Errors
    /// Returns an error if the rules are not there, or their sandbox goes beyond the options.
    pub fn viewer(
        &self,
        archive: &Archive,
        config: &Contest,
        registry: &Registry,
    ) -> Result<Viewer, Failure> {
        if config.external.is_none() || !self.allow_rules {
            if !self.sandbox.is_empty() {
                return Err(Failure::Usage(
                    "expected --allow-rules beside options of a sandbox, got a command that starts \
                     no program"
                        .into(),
                ));
            }
            return Viewer::new(config, registry).map_err(misfit(archive));
        }
        // Their texts remain.
        if refuse_retired(archive).is_err() {
            return Viewer::new(config, registry).map_err(misfit(archive));
        }
        let programs = programs_of(config, |_| false, registry);
        check(&programs, &self.sandbox, archive)?;
        tell(&programs, archive);
        config.open_game(registry).map(Viewer::Rules).map_err(misfit(archive))
    }
}

/// Tells it if no positions of a game were stored.
pub fn tell_missing(viewer: &Viewer, record: &Record) {
    if viewer.lacks(record) {
        diagnostics::print(format_args!(
            "note: no pictures were stored{HELP}write --allow-rules to start the program of the \
             rules, if you trust the file\n"
        ));
    }
}
