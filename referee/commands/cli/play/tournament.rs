//! `referee tournament FILE.toml | DIR | ZIP`: a tournament from a file, a folder or a zip file,
//! and its standings.

use super::entrants::Entrants;
use super::layers::Asked;
use super::{builder, info, lack_of_resources, players_of, rules_failure, Settings};
use crate::cli::advice::after_faults;
use crate::cli::args::{RulesArgs, TournamentArgs};
use crate::cli::report::page_of;
use crate::cli::stored::StoredCommand;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::{join, HELP};
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_referee::config::csv_dialect::CsvDialect;
use arbitre_referee::config::format::FormatConfig;
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::sandbox_args::SandboxArgs;
use arbitre_referee::config::tournament_args::TournamentOptions;
use arbitre_referee::config::tournament_file::TournamentFile;
use arbitre_referee::config::{Contest, ResolvedContest, Source, TournamentSource};
use arbitre_referee::escape::escape;
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::formats::swiss::Swiss;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::anonymity::Anonymity;
use arbitre_referee::report::match_page::Extent;
use arbitre_referee::report::output::{unwritable, write_whole};
use arbitre_referee::report::player_pages::{self, PlayerPages};
use arbitre_referee::report::results::Results;
use arbitre_referee::report::standings;
use arbitre_referee::report::summary::Summary;
use arbitre_referee::report::table;
use arbitre_referee::run::contest_run::Outcome;
use arbitre_referee::run::sandboxes::SandboxPolicy;
use arbitre_referee::store::{address, folder, Address, Archive, Versions, Wish};
use arbitre_referee::submissions::zipped::is_zip;
use arbitre_referee::submissions::Builder;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::{absolute, Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Start of the error of a source that no stored tournament had.
const NO_FORMER_SOURCE: &str =
    "--source: expected the former source of a tournament that is stored here";

/// Place from which a tournament is played: its file, or the folder or zip file of its players.
struct Place {
    /// Canonical path.
    path: PathBuf,
    /// Name of the tournament if nothing else says it.
    name: String,
    file: TournamentFile,
    /// Folder of the players.
    folder: Option<PathBuf>,
    /// Means by which they were prepared. It keeps their copies while they are played.
    builder: OnceCell<Builder>,
}

/// Plays the tournament.
pub fn run(args: &TournamentArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let until = args.deadline(Instant::now());
    let (db, moved_from) = (args.db.as_deref(), args.moved_from.as_deref());
    // Before the folder changes, to which the paths are relative.
    let here = std::env::current_dir()?;
    let file = |path: &Path| match path == Path::new(folder::IN_MEMORY) {
        true => Ok(path.into()),
        false => absolute(path),
    };
    let (db, moved_from) = (db.map(file).transpose()?, moved_from.map(absolute).transpose()?);
    let outputs = Outputs {
        files: args.output.iter().map(absolute).collect::<Result<Vec<_>, _>>()?,
        pages: args.per_player.as_deref().map(absolute).transpose()?,
        csv: CsvDialect::default(),
    };
    outputs.check()?;
    if args.anonymous && args.run.events {
        let why = "--events: expected no --anonymous beside it, as events have the names";
        return Err(Failure::Usage(format!("{why}{HELP}leave one of the two out")));
    }
    if let Some(folder) = &outputs.pages {
        player_pages::check(folder, args.per_player_format)?;
    }
    let place = Place::read(&args.source)?;
    let in_file = TournamentOptions::parse(&place.file.options)?;
    let options = args.options.over(&in_file);
    let outputs = Outputs { csv: options.csv.unwrap_or_default(), ..outputs };
    let address = match db {
        Some(path) => Address::of(Some(&path)),
        None => Address::OfSource(place.stored_as(moved_from.as_deref(), registry)?),
    };
    let settings = Settings {
        run: &args.run,
        concurrency: options.concurrency,
        hidden: place.folder.clone(),
        until,
        names_players: !args.anonymous,
        rating_interval: args.rating_interval,
    };
    let played = super::play(
        address,
        Wish::ContinueOrBegin,
        &settings,
        &|stored, policy| {
            place.describe(&options, args, moved_from.as_deref(), stored, policy, registry)
        },
        registry,
    )?;
    played.map_or(Ok(ExitCode::SUCCESS), |outcome| report(args, outcome, &outputs, &here, registry))
}

/// Places of what is written at the end.
struct Outputs {
    /// Files of the standings.
    files: Vec<PathBuf>,
    /// Folder of the pages of the players.
    pages: Option<PathBuf>,
    /// Dialect of CSV files.
    csv: CsvDialect,
}

impl Outputs {
    /// Checks that the files can have the formats of their extensions.
    fn check(&self) -> Result<(), Failure> {
        let mut others = self.files.iter().filter(|path| !is_page(path));
        others.try_for_each(|path| standings::check_output(path))
    }
}

/// Returns `true` if a file is a page for a browser.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html")
}

/// Options of a command, over those of its file.
struct Wished<'a> {
    options: &'a TournamentOptions,
    /// Limits and sandbox of the players.
    players: PlayerOptions,
    args: &'a TournamentArgs,
    moved_from: Option<&'a Path>,
}

impl Place {
    /// Reads a file, or the name of a folder or zip file. The folder of a file becomes the current
    /// one, because its paths are relative to it.
    fn read(source: &Path) -> Result<Place, Failure> {
        let builder = OnceCell::new();
        let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        if source.is_dir() {
            let path = source.canonicalize()?;
            let (name, folder) = (text(path.file_name()), Some(path.clone()));
            let file = TournamentFile::default();
            return Ok(Place { path, name, file, folder, builder });
        }
        if is_zip(source) {
            let (path, folder) = (source.canonicalize(), Some(players_of(source)?));
            let name = text(source.file_stem());
            let (path, file) = (path?, TournamentFile::default());
            return Ok(Place { path, name, file, folder, builder });
        }
        let file = TournamentFile::read(source)?;
        let path = source.canonicalize()?;
        if let Some(parent) = source.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::env::set_current_dir(parent).map_err(about(parent, Failure::Data))?;
        }
        let folder = match &file.from {
            Some(from) if Path::new(from).is_dir() => Some(Path::new(from).canonicalize()?),
            Some(from) if Path::new(from).exists() => Some(players_of(Path::new(from))?),
            Some(from) => {
                return Err(Failure::Data(format!(
                    "{}: from: expected a folder or a zip file, got '{from}', which does not exist",
                    source.display()
                )))
            }
            None => None,
        };
        let name = text(source.file_stem());
        Ok(Place { path, name, file, folder, builder })
    }

    /// Returns the tournament of this place, over the stored one if it goes on.
    fn describe(
        &self,
        options: &TournamentOptions,
        args: &TournamentArgs,
        moved_from: Option<&Path>,
        stored: Option<&Archive>,
        policy: &SandboxPolicy,
        registry: &Registry,
    ) -> Result<ResolvedContest, Failure> {
        match stored {
            Some(archive) => StoredCommand::Tournament.check(archive)?,
            None if args.db.is_none() => tell_former(&self.path, registry)?,
            None => {}
        }
        let mut players = options.players.clone();
        players.sandbox = players.sandbox.over(&SandboxArgs::with_profile(Profile::Class));
        let sandbox = players.sandbox.on(SandboxConfig::default())?;
        let wish = Wished { options, players, args, moved_from };
        let asked = |builder: Option<&Builder>| {
            let folder = self.folder.as_deref();
            let entrants = Entrants::collect(folder, &self.file, builder, registry)?;
            self.asked(entrants, &wish, stored, policy)
        };
        let asked = match self.folder {
            None => asked(None)?,
            Some(_) => {
                // Options are checked before the builds, which may take minutes.
                asked(None)?.check(stored, registry)?;
                let of_class = || builder(&sandbox, policy, registry);
                asked(Some(self.builder.get_or_init(of_class)))?
            }
        };
        if let Some(archive) = stored {
            tell_renumbered(&asked.named, archive.config());
        }
        let mut resolved = asked.resolve(stored, registry)?;
        if let Source::Tournament(of) = &mut resolved.config.source {
            let former = of.path.replace(self.path.clone());
            // Another title was given by the option, now or before.
            if former.is_some_and(|former| is_name_of(&of.title, &former)) && options.name.is_none()
            {
                of.title.clone_from(&self.name);
            }
        }
        Ok(resolved)
    }

    /// Returns what is asked for with these players.
    fn asked(
        &self,
        mut entrants: Entrants,
        wish: &Wished,
        stored: Option<&Archive>,
        policy: &SandboxPolicy,
    ) -> Result<Asked, Failure> {
        let Wished { options, players, args, moved_from } = wish;
        let before = stored.map(Archive::config);
        let named = entrants.players.iter().map(|player| player.name.clone()).collect();
        if let Some(before) = before {
            entrants.follow(before);
        }
        let Entrants { players: entrants, references, left, bots } = entrants;
        if entrants.len() < 2 {
            return Err(Failure::Data(format!(
                "expected at least two players, got {}{HELP}name a folder of players by from, or \
                 add [[player]]",
                entrants.len()
            )));
        }
        let rules = before.and_then(|before| before.external.as_ref()).map(|of| of.command.clone());
        let rules = options.common.external.clone().or(rules);
        policy.check_rules(rules.as_deref(), &players.sandbox)?;
        let title = options.name.clone().unwrap_or_else(|| self.name.clone());
        let mut source =
            TournamentSource { title, references, left, path: Some(self.path.clone()) };
        let has_moved = self.has_moved(*moved_from, before)?;
        if let Some(before) = before.and_then(Contest::tournament) {
            if has_moved {
                source.path.clone_from(&before.path);
            }
            // It may have got another name when it moved, now or before.
            if options.name.is_none() && source.path == before.path {
                source.title.clone_from(&before.title);
            }
        }
        let can_play = |player: &&PlayerArg| !matches!(player.kind, CommandKind::Absent(_));
        let able = entrants.iter().filter(can_play).count().max(2);
        let before_format = before.map(|before| &before.format);
        let format = match options.format(able, bots, before_format)? {
            FormatConfig::Swiss { rounds: None } => {
                FormatConfig::Swiss { rounds: Some(Swiss::default_stages(able)) }
            }
            format => format,
        };
        Ok(Asked {
            format,
            players: entrants,
            named,
            args: options.config_args(before.is_none()),
            options: players.clone(),
            source: Source::Tournament(source),
            shard: args.run.shard,
        })
    }

    /// Returns the path by which the results of this place are found, which was `moved_from`.
    fn stored_as(
        &self,
        moved_from: Option<&Path>,
        registry: &Registry,
    ) -> Result<PathBuf, Failure> {
        let Some(from) = moved_from.filter(|from| *from != self.path) else {
            return Ok(self.path.clone());
        };
        let place = Address::OfSource(from.into());
        let former = place.path(registry).ok().filter(|file| file.exists());
        match (address::stored_of(&self.path, registry)?, former) {
            (Some(own), Some(former)) => Err(Failure::Usage(format!(
                "--source: expected a tournament that has no results yet, got {}, whose results \
                 are in {}{HELP}write --db {} to continue those of {}",
                self.path.display(),
                own.display(),
                former.display(),
                from.display()
            ))),
            (Some(_), None) => Ok(self.path.clone()),
            (None, Some(_)) => Ok(from.into()),
            (None, None) => {
                let known = address::orphaned(registry)?.into_iter().next();
                let known =
                    known.map_or_else(|| other_zip(&self.path, registry), |of| Ok(Some(of)));
                let help = match known? {
                    None => "leave it out to begin a tournament".into(),
                    Some((_, source)) => format!("write --source '{}'", source.display()),
                };
                Err(Failure::Usage(format!(
                    "{NO_FORMER_SOURCE}, got {}{HELP}{help}",
                    from.display()
                )))
            }
        }
    }

    /// Returns `true` if the stored tournament is that of this place, which was `moved_from`.
    fn has_moved(
        &self,
        moved_from: Option<&Path>,
        before: Option<&Contest>,
    ) -> Result<bool, Failure> {
        let Some(moved_from) = moved_from else { return Ok(false) };
        let stored = before.and_then(Contest::tournament);
        match stored.map(|of| of.path.as_deref()) {
            // Files of earlier versions have no source.
            Some(None) => Ok(true),
            Some(Some(path)) if path == moved_from || path == self.path => Ok(true),
            found => {
                let found =
                    found.flatten().map_or("none".into(), |path| path.display().to_string());
                Err(Failure::Usage(format!(
                    "{NO_FORMER_SOURCE}, got {}{HELP}the stored source is {found}",
                    moved_from.display()
                )))
            }
        }
    }
}

/// Returns `true` if a title is the name of a source.
fn is_name_of(title: &str, source: &Path) -> bool {
    [source.file_name(), source.file_stem()].contains(&Some(OsStr::new(title)))
}

/// Names stored tournaments that may be the one that begins at `path`: those whose sources are
/// gone, and for a zip file the last one of another zip file.
fn tell_former(path: &Path, registry: &Registry) -> Result<(), Failure> {
    for (file, source) in address::orphaned(registry)? {
        let (file, source) = (file.display(), source.display());
        diagnostics::print(format_args!(
            "note: {source}, the source of {file}, is gone; if it has moved here, write --source \
             '{source}'\n"
        ));
    }
    if let Some((file, source)) = other_zip(path, registry)? {
        let (file, source) = (file.display(), source.display());
        diagnostics::print(format_args!(
            "note: a tournament begins; to continue that of {source}, which is in {file}, write \
             --source '{source}'\n"
        ));
    }
    Ok(())
}

/// Returns the tournament of another zip file that was played last, with its source, if `path` is a
/// zip file, too.
fn other_zip(path: &Path, registry: &Registry) -> Result<Option<(PathBuf, PathBuf)>, Failure> {
    let is_zip = |path: &Path| path.is_file() && is_zip(path);
    if !is_zip(path) {
        return Ok(None);
    }
    let others = address::sources(registry)?.into_iter().filter(|(_, source)| is_zip(source));
    let changed =
        |(file, _): &(PathBuf, PathBuf)| file.metadata().and_then(|of| of.modified()).ok();
    Ok(others.max_by_key(changed))
}

/// Names players whose names differ by a number only from those of stored players that are there no
/// more. Moodle's numbers of students who share a name do so.
fn tell_renumbered(named: &HashSet<String>, before: &Contest) {
    let plain = |name: &str| {
        let is_number = |end: &str| !end.is_empty() && end.bytes().all(|of| of.is_ascii_digit());
        let cut = name.rsplit_once(' ').filter(|(_, end)| is_number(end));
        cut.map_or(name, |(start, _)| start).to_lowercase()
    };
    let stored = before.names();
    let gone: Vec<&str> = stored.iter().copied().filter(|name| !named.contains(*name)).collect();
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    // One without a number may be any of those that had one, also if it was there before.
    let is_new = |name: &&String| {
        !stored.contains(&name.as_str()) || plain(name.as_str()) == name.to_lowercase()
    };
    for name in named.iter().filter(is_new) {
        found.entry(plain(name)).or_default().insert(name);
    }
    for (plain_name, found) in found {
        let gone = gone.iter().filter(|name| plain(name) == plain_name).map(|name| escape(name));
        let (gone, found) = (gone.collect::<Vec<_>>(), found.into_iter().map(escape));
        if !gone.is_empty() {
            diagnostics::print(format_args!(
                "note: expected {}, got {}: players are found by their whole names\n",
                gone.join(", "),
                found.collect::<Vec<_>>().join(", ")
            ));
        }
    }
}

/// Prints the standings. Returns the exit code.
fn report(
    args: &TournamentArgs,
    outcome: Outcome,
    outputs: &Outputs,
    here: &Path,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let contest = &outcome.plan.config;
    let archive = outcome.store.archive();
    let mut summary = summary_of(&outcome, here)?;
    let anonymity = args.anonymous.then(|| Anonymity::of(contest));
    let of_authors = summary.clone();
    let mut shown = contest.clone();
    if let Some(anonymity) = &anonymity {
        anonymity.hide_summary(&mut summary);
        anonymity.hide_players(&mut shown);
    }
    let kept = of_authors.db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
    let kept = left_to_whole(&outcome, &shown.names()) + &kept;
    let text = match args.anonymous {
        // The stories of faults name files and say what a program printed.
        true => table::figures(&summary),
        false => {
            let db = summary.db.as_deref();
            table::text(&summary, &outcome.tally)
                + &after_faults(contest, &outcome.tally, db, here, registry)
        }
    };
    args.run.show(&standings::document(&summary, &shown), &text, &kept)?;
    for output in &outputs.files {
        if is_page(output) {
            // A run knows more than the stored games, such as why a player could not be started.
            let results = Results::read(archive, Versions::Current)?;
            let mut results = Results { summary: summary.clone(), ..results };
            if let Some(anonymity) = &anonymity {
                anonymity.hide(&mut results);
            }
            let page = page_of(archive, &results, &RulesArgs::default(), registry, Extent::Whole)?;
            write_whole(output, &page).map_err(|error| unwritable(output, &error))?;
        } else {
            standings::write(output, &summary, &shown, &outcome.tally, outputs.csv)?;
        }
    }
    if let Some(folder) = &outputs.pages {
        let pages = PlayerPages {
            format: args.per_player_format,
            archive,
            contest,
            summary: &of_authors,
            anonymity: anonymity.as_ref(),
            registry,
        };
        pages.write(folder)?;
    }
    rules_failure(&outcome).map_or(Ok(()), Err)?;
    lack_of_resources(&summary, contest.continued_by()).map_or(Ok(()), Err)?;
    lack_of_players(&outcome).map_or(Ok(()), Err)?;
    match summary.complete || outcome.time_is_up {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(INTERRUPTED)),
    }
}

/// Returns the summary of the run, with the ranks of the format. `here` is the folder of the user.
fn summary_of(outcome: &Outcome, here: &Path) -> Result<Summary, Failure> {
    let (contest, archive) = (&outcome.plan.config, outcome.store.archive());
    let mut info = info(outcome)?;
    if std::env::current_dir()? != here {
        // The folder of the file is not that of the user, who reads the path.
        let path = info.db.map(absolute).transpose()?;
        info.db = path.map(|path| path.display().to_string());
    }
    let summary = Summary::new(&outcome.tally, contest, info);
    // A run that starts no player says nothing about those that an earlier one could not start.
    let mut failed = archive.failed_starts(&archive.view(Versions::Current))?;
    failed.retain(|&player, _| {
        let of = &summary.players[player];
        of.games == 0 && of.not_started.is_none()
    });
    let mut summary = summary.without(failed);
    summary.rank_by(&outcome.stages, contest);
    Ok(summary)
}

/// Returns a line on the games that no shard begins; empty if there are none.
fn left_to_whole(outcome: &Outcome, names: &[&str]) -> String {
    let left = outcome.stages.left_to_whole();
    let left: Vec<String> = left.into_iter().map(|player| escape(names[player])).collect();
    if left.is_empty() {
        return String::new();
    }
    format!(
        "games in place of those of {} are not part of a shard: merge the shards, then repeat the \
         command with the merged file, without --shard\n",
        join(&left, ", ")
    )
}

/// Returns the failure of a tournament in which too few players can play for any game.
fn lack_of_players(outcome: &Outcome) -> Option<Failure> {
    let contest = &outcome.plan.config;
    let bots = contest.format.fixed_bots().len();
    let is_graded = bots > 0;
    // Fixed bots alone play solo games.
    let has_games = outcome.stages.has_games() && !(is_graded && outcome.stages.present() <= bots);
    if has_games || !outcome.stages.is_over() {
        return None;
    }
    let (able, needed) = (outcome.stages.present(), contest.seats);
    let what = match able < needed {
        _ if is_graded => "expected a player that can play against the fixed bots, got none".into(),
        true => format!("expected at least {needed} players that can play, got {able}"),
        false => format!("expected {} to play, which meets each of the others", contest.names()[0]),
    };
    Some(Failure::Player(format!("{what}{HELP}mend the others by their reasons above")))
}
