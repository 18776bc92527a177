//! `referee tournament FILE.toml | DIR`: plays a tournament, or its remaining games.

mod entrants;
mod play;

use super::args::TournamentArgs;
use super::clock::timed_here;
use super::play_match::{warn_of_memory, warn_of_sandbox};
use super::report::page_of;
use super::{estimate, match_file, shard};
use crate::config::arena::Arena;
use crate::config::format::{FormatConfig, TournamentConfig};
use crate::config::from_args::{self, Absent};
use crate::config::player_arg::CommandKind;
use crate::config::sandbox_args::SandboxArgs;
use crate::config::tournament_args::TournamentOptions;
use crate::config::tournament_file::TournamentFile;
use crate::config::{MatchConfig, ResolvedMatch};
use crate::escape::escape;
use crate::failure::Failure;
use crate::formats::swiss::Swiss;
use crate::formats::{History, Meeting, Stage};
use crate::player::usage::tells_waits;
use crate::registry::Registry;
use crate::report::match_page::Extent;
use crate::report::output::{print, print_json, unwritable, write_whole};
use crate::report::player_pages::PageNotes;
use crate::report::results::Results;
use crate::report::standings;
use crate::report::summary::Summary;
use crate::report::table;
use crate::sandbox::{Profile, SandboxConfig};
use crate::store::{folder, OpenError, Order, Versions, Writer};
use crate::submissions::build::BuildLimits;
use crate::submissions::Builder;
use crate::tournament::containment::Containment;
use crate::tournament::format;
use crate::tournament::plan::MatchPlan;
use crate::tournament::stages::Stages;
use arbitre_games::clock::ClockKind;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::{io_reason, HELP};
use entrants::Entrants;
use play::{PlayedTournament, RunOptions};
use std::ffi::OsStr;
use std::path::{absolute, Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Largest number of meetings that a dry run lists. Not tuned.
const MOST_PAIRINGS: usize = 40;
/// Folder of the builds, below the folder of results.
const BUILDS: &str = "builds";

/// Source of a tournament: its file, or the folder of its players.
struct Source {
    /// Name of the tournament if nothing else says it.
    name: String,
    /// Name of the file or the folder.
    file_name: String,
    file: TournamentFile,
    /// Folder of the players.
    folder: Option<PathBuf>,
}

/// Plays the tournament.
pub fn run(args: &TournamentArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let db = args.db.as_deref().map(absolute).transpose()?;
    let outputs = Outputs {
        files: args.output.iter().map(absolute).collect::<Result<Vec<_>, _>>()?,
        pages: args.per_player.as_deref().map(absolute).transpose()?,
    };
    outputs.check(args)?;
    let source = Source::read(&args.source)?;
    let in_file = TournamentOptions::parse(&source.file.options)?;
    let options = args.options.over(&in_file);
    let path = match db {
        Some(path) => path,
        None => folder::tournament_file(&source.file_name)?,
    };
    let resumed = resumed(&path, registry)?;
    let mut containment =
        Containment::new(registry.executable, args.requirement.require_sandbox, Some(&path));
    if let Some(folder) = &source.folder {
        containment = containment.hiding([folder.clone()]);
    }
    let mut resolved = configure(&source, &options, resumed.as_ref(), &containment, registry)?;
    let stored = resumed.as_ref().map(Writer::archive);
    shard::choose(args.shard, options.common.seed.is_some(), stored, &mut resolved.config)?;
    let mut plan = MatchPlan::new(resolved, registry, options.concurrency, &containment)?;
    announce(args, &plan, registry)?;
    if args.dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    let mut store = match_file::begin_session(Some(&path), args.durable, resumed, &plan, registry)?;
    plan.confine(&containment);
    warn_of_sandbox(plan.sandboxes.as_ref());
    warn_of_memory(&plan);
    let run = RunOptions {
        pinned: !args.no_pin,
        events: args.events,
        until: args.deadline(begun),
        names_players: !args.anonymous,
        rating_interval: args.rating_interval,
    };
    let played = play::play(&plan, &mut store, &run)?;
    let mut notes = PageNotes::default();
    if outputs.pages.is_some() {
        let archive = store.archive();
        let view = archive.view(Versions::Current);
        archive.for_each_detailed::<Failure>(&view, Order::Schedule, &mut |result, details| {
            notes.add(&result, &details);
            Ok(())
        })?;
    }
    let archive = store.archive();
    // A run knows more than the stored games, such as why a player could not be started.
    let page = |summary: &Summary| {
        let results = Results::read(archive, Versions::Current)?;
        let results = Results { summary: summary.clone(), ..results };
        page_of(archive, &results, registry, Extent::Whole)
    };
    report(args, &plan, played, &outputs, &notes, &page)
}

/// Places of what is written at the end.
struct Outputs {
    /// Files of the standings.
    files: Vec<PathBuf>,
    /// Folder of the pages of the players.
    pages: Option<PathBuf>,
}

impl Outputs {
    /// Checks that the files can have the formats of their extensions.
    fn check(&self, args: &TournamentArgs) -> Result<(), Failure> {
        for path in &self.files {
            if !is_page(path) {
                standings::check_output(path)?;
            } else if args.anonymous {
                return Err(Failure::Usage(format!(
                    "--output: expected .md, .csv or .json beside --anonymous, got {}{HELP}the \
                     games in a page tell who the players are",
                    path.display()
                )));
            }
        }
        Ok(())
    }
}

/// Returns `true` if a file is a page for a browser.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "html")
}

impl Source {
    /// Reads a file, or the name of a folder. The folder of a file becomes the current one, because
    /// its paths are relative to it.
    fn read(path: &Path) -> Result<Source, Failure> {
        let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let folder = path.canonicalize()?;
            let file = TournamentFile::default();
            let name = text(folder.file_name());
            return Ok(Source { name: name.clone(), file_name: name, file, folder: Some(folder) });
        }
        let file = TournamentFile::read(path)?;
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::env::set_current_dir(parent).map_err(|error| {
                Failure::Data(format!("{}: {}", parent.display(), io_reason(&error)))
            })?;
        }
        let folder = match &file.from {
            Some(from) => Some(Path::new(from).canonicalize().map_err(|error| {
                Failure::Data(format!(
                    "{}: from: expected a folder, got '{from}': {}",
                    path.display(),
                    io_reason(&error)
                ))
            })?),
            None => None,
        };
        let (name, file_name) = (text(path.file_stem()), text(path.file_name()));
        Ok(Source { name, file_name, file, folder })
    }
}

/// Opens the results of an earlier run of this tournament. `None` if there are none.
fn resumed(path: &Path, registry: &Registry) -> Result<Option<Writer>, Failure> {
    if path == Path::new(folder::IN_MEMORY) || !path.exists() {
        return Ok(None);
    }
    Ok(Writer::resume(path, &match_file::holder(), registry)?)
}

/// Returns the configuration of the tournament, which must agree with the stored results.
fn configure(
    source: &Source,
    options: &TournamentOptions,
    resumed: Option<&Writer>,
    containment: &Containment,
    registry: &Registry,
) -> Result<ResolvedMatch, Failure> {
    let stored = resumed.map(|writer| writer.archive().config());
    let mut options = options.clone();
    let class = SandboxArgs::with_profile(Profile::Class);
    options.players.sandbox = options.players.sandbox.over(&class);
    let sandbox = options.players.sandbox.on(SandboxConfig::default())?;
    let builder = || Builder {
        executable: registry.executable.into(),
        builds: Path::new(folder::FOLDER).join(BUILDS),
        level: if sandbox.profile.is_some() { containment.level() } else { Default::default() },
        sandbox: sandbox.clone(),
        limits: BuildLimits::default(),
        retries: false,
    };
    let mut entrants =
        Entrants::collect(source.folder.as_deref(), &source.file, &builder, registry)?;
    if let Some(stored) = stored {
        entrants.follow(stored);
    }
    let mut config_args = options.config_args();
    if let Some(stored) = stored {
        let common = &mut config_args.common;
        common.game = common.game.take().or_else(|| Some(stored.game.clone()));
        if let Some(rules) = &stored.external {
            common.external = common.external.take().or_else(|| Some(rules.command.clone()));
            common.arena = common.arena.or(Arena::of(rules.protocol));
        }
    }
    // A match seats all players at one table where the game allows it, a tournament two.
    let command = config_args.common.external.as_deref();
    containment.check_rules(command, &options.players.sandbox)?;
    let external =
        from_args::find_external(&config_args.common, &options.players.sandbox, registry)?;
    let (named, known) = match &external {
        Some(external) => (Some(external.game), &external.registry),
        None => (config_args.common.game.as_deref(), registry),
    };
    let game = from_args::choose_game(named, &entrants.players, known)?;
    let (fewest, most) = game.meta.seats;
    config_args.common.seats = config_args.common.seats.or(Some(2.clamp(fewest, most)));
    let seed = stored.map_or_else(|| rand::random::<u32>().into(), |stored| stored.seed);
    let absent = Absent { seed, games: None };
    if entrants.players.len() < 2 {
        return Err(Failure::Data(format!(
            "expected at least two players, got {}{HELP}name a folder of players by from, or add \
             [[player]]",
            entrants.players.len()
        )));
    }
    let players = entrants.players.clone();
    let mut resolved =
        from_args::resolve_players(players, &config_args, &options.players, absent, registry)?;
    let format = resolve_format(options.format(resolved.config.players.len())?, &resolved, stored);
    let name = options.name.clone().unwrap_or_else(|| source.name.clone());
    let tournament = TournamentConfig { name, format, references: Vec::new() };
    resolved.config.tournament = Some(entrants.refer(tournament));
    if let Some((writer, stored)) = resumed.zip(stored) {
        if let Some(difference) = stored.difference(&resolved.config) {
            let why = format!("{difference}{HELP}repeat the options, or name another file by --db");
            return Err(OpenError::AnotherMatch(why).about(writer.archive().path()).into());
        }
        // A player that cannot play now keeps its version.
        let kept = stored.players.iter().zip(&mut resolved.config.players);
        for ((stored, player), kind) in kept.zip(&resolved.commands) {
            if matches!(kind, CommandKind::Absent(_)) {
                *player = stored.clone();
            }
        }
    }
    let is_asked_for =
        resumed.is_some() || options.players.limits.clock_kind() == Some(ClockKind::Fair);
    let resolved = timed_here(resolved, is_asked_for, tells_waits())?;
    if let Some(note) = &resolved.note {
        diagnostics::print(format_args!("{note}\n"));
    }
    Ok(resolved)
}

/// Returns the format with the number of rounds of a Swiss tournament, which later players do not
/// change.
fn resolve_format(
    format: FormatConfig,
    resolved: &ResolvedMatch,
    stored: Option<&MatchConfig>,
) -> FormatConfig {
    let before = stored.and_then(|stored| stored.tournament.as_ref()).map(|of| &of.format);
    match (format, before) {
        (FormatConfig::Swiss { rounds: None }, Some(before @ FormatConfig::Swiss { .. })) => {
            before.clone()
        }
        (FormatConfig::Swiss { rounds: None }, _) => {
            let players = resolved.config.players.len();
            FormatConfig::Swiss { rounds: Some(Swiss::default_stages(players)) }
        }
        (format, _) => format,
    }
}

/// Prints the lines that describe the tournament.
fn announce(args: &TournamentArgs, plan: &MatchPlan, registry: &Registry) -> Result<(), Failure> {
    let MatchPlan { config, .. } = plan;
    let tournament = config.tournament.as_ref().expect("a tournament has a format");
    let format = format::open(&tournament.format, config)
        .map_err(|why| Failure::Usage(format!("{}: {why}", tournament.format.word())))?;
    let count = format.games(config.players.len());
    let games = match count.least == count.most {
        true => count.most.to_string(),
        false => format!("{} to {}", count.least, count.most),
    };
    let mut text = format!(
        "{}: {} players, {}, {games} games, seed {}\n",
        tournament.name,
        config.players.len(),
        tournament.format,
        config.seed
    );
    let mut own = count.most;
    if let Some(shard) = config.shard {
        own = Stages::of_new(config)?.schedule(&plan.schedule).own_games();
        text += &format!("shard {shard}: {own} of {games} games\n");
    }
    if let Some(sandboxes) = &plan.sandboxes {
        text += &format!("{}\n", sandboxes.line());
    }
    if args.dry_run {
        text += &estimate::describe(plan, count, own, registry);
        let first =
            format.next(&History { stages: Vec::new(), present: vec![true; config.players.len()] });
        text += &pairings(first, config);
    }
    match args.json || args.events {
        true => diagnostics::print(&text),
        false => drop(print(&text)?),
    }
    Ok(())
}

/// Lists the meetings of the first stage, if they are few.
fn pairings(stage: Option<Stage>, config: &MatchConfig) -> String {
    let mut meetings = stage.map_or_else(Vec::new, |stage| stage.meetings);
    // A batch has a meeting for each of its rounds.
    meetings.dedup_by(|one, other| one.players == other.players);
    if meetings.len() > MOST_PAIRINGS {
        return String::new();
    }
    let line = |meeting: &Meeting| {
        let names = meeting.players.iter().map(|&player| escape(&config.players[player].name));
        format!("  {}\n", names.collect::<Vec<_>>().join(" - "))
    };
    let lines: String = meetings.iter().map(line).collect();
    format!("first round:\n{lines}")
}

/// Prints the standings. Returns the exit code.
fn report(
    args: &TournamentArgs,
    plan: &MatchPlan,
    played: PlayedTournament,
    outputs: &Outputs,
    notes: &PageNotes,
    page: &dyn Fn(&Summary) -> Result<String, Failure>,
) -> Result<ExitCode, Failure> {
    let PlayedTournament { stages, tally, info, time_is_up } = played;
    let mut summary = Summary::new(&tally, &plan.config, info);
    summary.rank_by(&stages, &plan.config);
    let tournament = plan.config.tournament.as_ref().expect("a tournament has a format");
    let names = match args.anonymous {
        true => standings::anonymous_names(&plan.config),
        false => plan.config.names().into_iter().map(str::to_owned).collect(),
    };
    if let Some(folder) = &outputs.pages {
        notes.write(folder, &summary, &tournament.name, &names)?;
    }
    let mut config = plan.config.clone();
    if args.anonymous {
        summary.anonymise(&names);
        config.players.iter_mut().zip(&names).for_each(|(of, name)| of.name.clone_from(name));
    }
    let kept = summary.db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
    let text = match args.anonymous {
        // The stories of faults name files and say what a program printed.
        true => table::figures(&summary),
        false => table::text(&summary, &tally),
    } + &kept;
    match args.json {
        true => {
            print_json(&standings::document(&summary, &config))?;
            diagnostics::print(kept);
        }
        false if args.events => diagnostics::print(text),
        false => drop(print(&text)?),
    }
    for output in &outputs.files {
        match is_page(output) {
            true => {
                write_whole(output, &page(&summary)?).map_err(|error| unwritable(output, &error))?
            }
            false => standings::write(output, &summary, &config, &tally)?,
        }
    }
    match summary.complete || time_is_up {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(INTERRUPTED)),
    }
}
