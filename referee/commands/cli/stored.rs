//! Commands for stored files, with the kinds of contest that each takes.

use arbitre_games::diagnostics;
use arbitre_games::game::ParseError;
use arbitre_games::text::HELP;
use arbitre_referee::config::Kind;
use arbitre_referee::escape::escape;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::store::{Address, Archive, OpenError};
use std::path::Path;

/// Command for a stored file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredCommand {
    /// Commands that read: `list`, `show`, `replay`, `report`, `rerun`, `export`, `verify`.
    Read,
    /// `drop GAME`.
    DropGames,
    /// `drop PLAYER`.
    DropPlayer,
    /// `referee A B --resume`.
    Match,
    /// `referee tournament`.
    Tournament,
}

/// Opens a stored file for a command that reads it.
///
/// # Errors
/// Returns an error if there is none, or it cannot be read.
pub fn read(db: Option<&Path>, registry: &Registry) -> Result<Archive, Failure> {
    let archive = Address::of(db).read(registry)?;
    StoredCommand::Read.check(&archive)?;
    warn_of_log(&archive);
    Ok(archive)
}

/// Warns of a file whose last games are in a log that is missing.
pub fn warn_of_log(archive: &Archive) {
    if let Some(why) = archive.cut_off() {
        diagnostics::print(format_args!("warning: {why}\n"));
    }
}

/// Returns the failure for games that break the rules although the checksums are correct. Rules in
/// another process may be at fault themselves.
pub fn misfit(archive: &Archive) -> impl Fn(ParseError) -> Failure + '_ {
    |why| match archive.config().external {
        None => OpenError::Damaged(why.to_string()).about(archive.path()).into(),
        Some(_) => Failure::Data(format!("{}: {why}", archive.path().display())),
    }
}

impl StoredCommand {
    /// Refuses a file of another kind than the command takes. A new kind does not compile before
    /// each command has an answer.
    ///
    /// # Errors
    /// Returns an error that names a command which works.
    pub fn check(self, archive: &Archive) -> Result<(), Failure> {
        let (path, contest) = (archive.path().display(), archive.config());
        let title = contest.tournament().map_or_else(String::new, |of| escape(&of.title));
        let refuse = |expected: &str, got: &str, help: String| {
            Err(Failure::Usage(format!("{path}: expected {expected}, got {got}{HELP}{help}")))
        };
        match (self, contest.kind()) {
            (
                StoredCommand::Read | StoredCommand::DropGames,
                Kind::Match | Kind::Test | Kind::Tournament | Kind::Staged | Kind::Room,
            )
            | (StoredCommand::DropPlayer, Kind::Match | Kind::Test | Kind::Tournament)
            | (StoredCommand::Match, Kind::Match | Kind::Test)
            | (StoredCommand::Tournament, Kind::Tournament | Kind::Staged) => Ok(()),
            (StoredCommand::DropPlayer, Kind::Room) => refuse(
                "a match or a tournament",
                "a room",
                "take a house bot out of its class.toml, or delete a person on the teacher's page"
                    .into(),
            ),
            (StoredCommand::Match | StoredCommand::Tournament, Kind::Room) => {
                let folder = archive.path().parent().unwrap_or(archive.path());
                let folder = folder.display().to_string();
                let help = format!("write referee serve {}", shell_words::quote(&folder));
                refuse("a match or a tournament", "a room", help)
            }
            (StoredCommand::DropPlayer, Kind::Staged) => refuse(
                "pairings that do not depend on results",
                &format!("a {}, whose stages name its players", contest.format.word()),
                "take the player out of the file or folder of the tournament: it is withdrawn"
                    .into(),
            ),
            (StoredCommand::Match, Kind::Tournament | Kind::Staged) => {
                let source = contest.tournament().and_then(|of| of.path.as_ref());
                let source = source.map_or("FILE.toml|DIR|ZIP".into(), |path| {
                    shell_words::quote(&path.display().to_string()).into_owned()
                });
                let help = format!("write referee tournament {source} --db {path}");
                refuse("a match", &format!("the tournament {title}"), help)
            }
            (StoredCommand::Tournament, Kind::Match | Kind::Test) => refuse(
                "a tournament",
                "a match",
                format!("write referee --resume --db {path}, or name another file by --db"),
            ),
        }
    }
}
