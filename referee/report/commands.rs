//! Commands that test a player under the conditions of its contest.

use crate::config::arena::Arena;
use crate::config::args::DIALECT;
use crate::config::limits::defaults;
use crate::config::player_arg::CommandKind;
use crate::config::{Contest, PlayerConfig};
use crate::registry::Registry;
use crate::store::folder::{BUILDS, FOLDER};
use crate::submissions::entry::is_source;
use crate::submissions::ADDED;
use arbitre_games::text::{format_duration, word_of};
use arbitre_process::sandbox::Profile;
use std::path::{Component, Path};
use std::time::Duration;

/// Number of games of a match against a bundled bot. Not tuned.
const GAMES: &str = "20";

/// Returns the options that repeat the conditions of a contest for a player.
pub fn conditions(player: &PlayerConfig, contest: &Contest, registry: &Registry) -> Vec<String> {
    let PlayerConfig { dialect, limits, .. } = player;
    let mut words: Vec<String> = Vec::new();
    match &contest.external {
        Some(rules) => {
            words.extend(["--external".into(), rules.command.clone()]);
            let arena = Arena::of(rules.protocol).map(|arena| word_of(arena, &Arena::WORDS));
            words.extend(arena.into_iter().flat_map(|word| ["--arena".into(), word.into()]));
        }
        None => words.extend(["--game".into(), contest.game.clone()]),
    }
    // Those of rules in another process are not known here, so all are named.
    let usual = registry.open(&contest.game, "").map_or(String::new(), |game| game.rules());
    if usual != contest.rules {
        words.extend(["--rules".into(), contest.rules.replace(' ', ",")]);
    }
    if player.sandbox.profile == Some(Profile::Class) {
        words.extend(["--profile".into(), word_of(Profile::Class, &Profile::WORDS).into()]);
    }
    if dialect != DIALECT {
        words.extend(["--dialect".into(), dialect.clone()]);
    }
    // The arena of the rules sets the limits, where they are those of the game.
    let is_own = |&time: &Duration| time != defaults::MOVE && !limits.by_rules;
    if let Some(time) = limits.clock.per_move.filter(is_own) {
        words.extend(["--move-time".into(), format_duration(time)]);
    }
    words
}

/// Commands for a player on the machine of its author, in the folder of the program alone.
pub struct OwnCommands<'a> {
    player: &'a PlayerConfig,
    contest: &'a Contest,
    registry: &'a Registry,
    /// Words of the program, with paths relative to its folder; none if it was never started.
    words: Option<Vec<String>>,
    /// Whether the referee copied or built the program.
    is_copy: bool,
}

impl<'a> OwnCommands<'a> {
    /// Returns the commands for a player; `None` if the rules of its contest are a program, which
    /// its author does not have.
    pub fn new(
        player: &'a PlayerConfig,
        contest: &'a Contest,
        registry: &'a Registry,
    ) -> Option<OwnCommands<'a>> {
        if contest.external.is_some() {
            return None;
        }
        let own = player.environment.own_folder.as_deref();
        let words = match player.kind(registry) {
            Ok(CommandKind::External(words)) if own.is_none() => {
                Some(without_folders(words, Path::new(&player.environment.folder)))
            }
            Ok(CommandKind::External(words)) => Some(words),
            _ => None,
        };
        let is_copy = own.is_some_and(is_in_builds);
        Some(OwnCommands { player, contest, registry, words, is_copy })
    }

    /// Returns the command that tests the program.
    pub fn check(&self) -> String {
        // A folder is built as in the tournament.
        let program = match &self.words {
            Some(words) if !self.is_copy => shell_words::join(words),
            _ => ".".into(),
        };
        self.command(vec!["referee".into(), "check".into(), program])
    }

    /// Returns the command of a match against a bundled bot; `None` if the program needs files of
    /// the referee, or was never started.
    pub fn play(&self, bot: &str) -> Option<String> {
        let needs_files = |words: &&Vec<String>| words.iter().any(|word| word.contains(ADDED));
        let words = self.words.as_ref().filter(|words| !needs_files(words))?;
        let mut command = vec!["referee".into(), shell_words::join(words)];
        let seats = self.contest.seats;
        command.extend(vec![bot.to_owned(); (seats - 1).max(1)]);
        if seats > 2 {
            command.extend(["--seats".into(), seats.to_string()]);
        }
        command.extend(["--games".into(), GAMES.into()]);
        Some(self.command(command))
    }

    /// Returns `true` if the author has to build the program before it plays.
    pub fn needs_build(&self) -> bool {
        let is_interpreted =
            |words: &Vec<String>| words.iter().any(|word| is_source(Path::new(word)));
        self.is_copy && !self.words.as_ref().is_some_and(is_interpreted)
    }

    fn command(&self, mut words: Vec<String>) -> String {
        words.extend(conditions(self.player, self.contest, self.registry));
        shell_words::join(words)
    }
}

/// Returns `true` if a folder is that of a copy of the referee.
fn is_in_builds(folder: &str) -> bool {
    let parts: Vec<Component> = Path::new(folder).components().collect();
    let [results, builds] = [FOLDER, BUILDS].map(|name| Component::Normal(name.as_ref()));
    parts.windows(2).any(|pair| pair == [results, builds])
}

/// Removes the folders from those words that are files below `folder`.
fn without_folders(words: Vec<String>, folder: &Path) -> Vec<String> {
    let plain = |(number, word): (usize, String)| {
        let path = folder.join(&word);
        match path.file_name().filter(|_| path.starts_with(folder) && path.is_file()) {
            // A program is found in its folder by a path only.
            Some(name) if number == 0 => format!("./{}", name.to_string_lossy()),
            Some(name) => name.to_string_lossy().into_owned(),
            None => word,
        }
    };
    words.into_iter().enumerate().map(plain).collect()
}
