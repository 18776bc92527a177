//! Players of a tournament: from a folder, from its file, and from its stored results.

use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use arbitre_referee::config::format::FixedBot;
use arbitre_referee::config::player_arg::{name_by_folder, CommandKind, PlayerArg};
use arbitre_referee::config::tournament_file::{FileGrade, FilePlayer, TournamentFile};
use arbitre_referee::config::{Contest, TournamentSource};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::progress::Spinner;
use arbitre_referee::submissions::entry::Stated;
use arbitre_referee::submissions::{scan, Builder, Submission};
use std::path::Path;

/// Players of a tournament.
#[derive(Default)]
pub struct Entrants {
    /// Players in the order of their numbers, each with a name of its own.
    pub players: Vec<PlayerArg>,
    /// Names of the players that are shown and not ranked.
    pub references: Vec<String>,
    /// Names of the stored players that are there no more.
    pub left: Vec<String>,
    /// Fixed bots, which come first among the players of a new tournament.
    pub bots: Vec<FixedBot>,
}

impl Entrants {
    /// Collects the players of a folder and of a file. Programs are built here if there is a
    /// builder. Otherwise the players of the folder cannot play.
    ///
    /// # Errors
    /// Returns an error if there are none, or two have the same name.
    pub fn collect(
        folder: Option<&Path>,
        file: &TournamentFile,
        builder: Option<&Builder>,
        registry: &Registry,
    ) -> Result<Entrants, Failure> {
        let mut entrants = Entrants::default();
        let mut described: Vec<&FilePlayer> = file.players.iter().collect();
        if let Some(folder) = folder {
            let scan = scan(folder)?;
            for note in scan.notes().iter().filter(|_| builder.is_some()) {
                diagnostics::print(format_args!("note: {note}\n"));
            }
            let progress = Spinner::new();
            for submission in &scan.submissions {
                let at = described.iter().position(|player| is_about(player, submission));
                let player = at.map(|at| described.remove(at));
                entrants.players.push(prepared(submission, player, builder, &progress)?);
            }
        }
        for player in described {
            entrants.players.push(single(player, folder, registry)?);
        }
        name_by_folder(&mut entrants.players);
        for command in &file.references {
            let arg = PlayerArg::parse(command, registry)?;
            entrants.references.push(arg.name.clone());
            entrants.players.push(arg);
        }
        entrants.add_bots(&file.grades, registry)?;
        entrants.check_names()?;
        Ok(entrants)
    }

    /// Puts the fixed bots before the other players.
    fn add_bots(&mut self, grades: &[FileGrade], registry: &Registry) -> Result<(), Failure> {
        let bot = |FileGrade { bot, place, .. }: &FileGrade| {
            PlayerArg::parse(bot, registry)
                .map_err(|why| Failure::Data(format!("{place}: bot: {why}")))
        };
        let mut bots = grades.iter().map(bot).collect::<Result<Vec<_>, _>>()?;
        name_by_folder(&mut bots);
        let weighted = bots.iter().zip(grades);
        let weighted =
            weighted.map(|(bot, of)| FixedBot { name: bot.name.clone(), points: of.points });
        self.bots = weighted.collect();
        self.players.splice(0..0, bots);
        Ok(())
    }

    fn check_names(&self) -> Result<(), Failure> {
        for (number, player) in self.players.iter().enumerate() {
            if self.players[..number].iter().any(|other| other.name == player.name) {
                return Err(Failure::Data(format!(
                    "expected players of different names, got '{}' twice{HELP}give one of them \
                     another name",
                    player.name
                )));
            }
        }
        Ok(())
    }

    /// Brings the players into the order of the stored ones, with new ones last. A stored player
    /// that is not there any more stays, and plays no more games.
    pub fn follow(&mut self, stored: &Contest) {
        let mut new = std::mem::take(&mut self.players);
        for player in &stored.players {
            let again = new.iter().position(|arg| arg.name == player.name);
            self.players.push(match again {
                Some(at) => new.remove(at),
                None => {
                    self.left.push(player.name.clone());
                    let dialect = Some(player.dialect.clone());
                    PlayerArg { dialect, ..PlayerArg::absent(&player.name, TournamentSource::LEFT) }
                }
            });
        }
        self.players.extend(new);
    }
}

/// Returns `true` if an entry of the file describes a submission.
fn is_about(player: &FilePlayer, submission: &Submission) -> bool {
    player.name.as_deref() == Some(&submission.name)
}

/// Returns the player of a submission, which is built if there is a builder.
fn prepared(
    submission: &Submission,
    player: Option<&FilePlayer>,
    builder: Option<&Builder>,
    progress: &Spinner,
) -> Result<PlayerArg, Failure> {
    let mut stated = Stated::default();
    if let Some(FilePlayer { command, build, place, .. }) = player {
        let words = |key: &str, text: &Option<String>| match text {
            Some(text) => words_of(text, &format!("{place}: {key}")).map(Some),
            None => Ok(None),
        };
        stated = Stated { build: words("build", build)?, command: words("command", command)? };
    }
    let arg = match builder {
        Some(builder) => super::prepared(submission, &stated, builder, progress),
        None => PlayerArg::absent(&submission.name, "it is not built yet"),
    };
    Ok(match player {
        Some(FilePlayer { dialect, options, .. }) => {
            PlayerArg { dialect: dialect.clone(), options: options.clone(), ..arg }
        }
        None => arg,
    })
}

/// Returns the player of an entry that describes no submission.
pub fn single(
    player: &FilePlayer,
    folder: Option<&Path>,
    registry: &Registry,
) -> Result<PlayerArg, Failure> {
    let FilePlayer { name, command, dialect, build, options, place } = player;
    let refuse = |why: String| Failure::Data(format!("{place}: {why}"));
    let Some(command) = command else {
        let name = name.as_deref().unwrap_or_default();
        let why = match folder {
            Some(folder) => {
                format!(
                    "expected a folder or source file '{name}' in {}, got none",
                    folder.display()
                )
            }
            None => format!("expected a command for the player '{name}', got none"),
        };
        return Err(refuse(why));
    };
    if build.is_some() {
        return Err(refuse(
            "build: expected a player from a folder, got one with a command".to_owned()
                + HELP
                + "name a folder of players by from",
        ));
    }
    let parsed = PlayerArg::parse(command, registry);
    let parsed = parsed.map_err(|why| refuse(format!("command: {why}")))?;
    Ok(PlayerArg {
        is_named: name.is_some() || parsed.is_named,
        name: name.clone().unwrap_or(parsed.name),
        options: [parsed.options, options.clone()].concat(),
        dialect: dialect.clone().or(parsed.dialect),
        ..parsed
    })
}

fn words_of(text: &str, place: &str) -> Result<Vec<String>, Failure> {
    CommandKind::parse_program(text).map_err(|why| Failure::Data(format!("{place}: {why}")))
}
