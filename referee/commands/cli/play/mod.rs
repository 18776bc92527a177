//! The chain of every command that plays a contest. Each step consumes the value of the one before:
//!
//! ```text
//! words, file or folder -> contest -> opened address -> plan -> run -> outcome -> report
//! ```
//!
//! `words` and `tournament` describe the contest at its one end, and report the outcome at the
//! other.

mod entrants;
mod layers;
pub mod tournament;
pub mod words;

pub use entrants::single;

use super::args::RunArgs;
use super::estimate;
use super::listen::listen_beside;
use crate::doctor::size;
use arbitre_games::diagnostics;
use arbitre_games::text::{word_of, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_referee::config::player_arg::PlayerArg;
use arbitre_referee::config::{Contest, Kind, ResolvedContest, Source};
use arbitre_referee::escape::escape;
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::Meeting;
use arbitre_referee::play::pairing::GameId;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::FaultReport;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::game::GameDocument;
use arbitre_referee::report::output::{print, print_json};
use arbitre_referee::report::progress::{Progress, Spinner};
use arbitre_referee::report::summary::{score_so_far, Summary};
use arbitre_referee::report::{counted, machines, rounded};
use arbitre_referee::run::contest_run::{News, Outcome, Run};
use arbitre_referee::run::descriptors::make_room_for_descriptors;
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::{Plan, LACK_OF_RESOURCES};
use arbitre_referee::run::processors::processors;
use arbitre_referee::run::sandboxes::{interpreter_warnings, ProgramSandboxes, SandboxPolicy};
use arbitre_referee::run::PlannedPlayer;
use arbitre_referee::statistics::sprt::Sprt;
use arbitre_referee::store::{folder, Address, Archive, StoreError, Versions, Wish, Writer};
use arbitre_referee::submissions::build::{BuildEvent, BuildLimits};
use arbitre_referee::submissions::entry::Stated;
use arbitre_referee::submissions::zipped::{unpack, Unpacked};
use arbitre_referee::submissions::{Builder, Submission};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Largest number of meetings that a dry run lists. Not tuned.
const MOST_PAIRINGS: usize = 40;

/// Folder of the unpacked zip files, below the folder of results.
const ZIPS: &str = "zips";

/// Returns the means to prepare programs in folders for this sandbox.
pub fn builder(sandbox: &SandboxConfig, policy: &SandboxPolicy, registry: &Registry) -> Builder {
    Builder {
        executable: registry.executable.into(),
        builds: Path::new(folder::FOLDER).join(folder::BUILDS),
        level: sandbox.profile.map_or_else(Default::default, |_| policy.level()),
        sandbox: sandbox.clone(),
        limits: BuildLimits::default(),
        removes_others: true,
        in_use: OnceCell::new(),
    }
}

/// Prepares a submission, whose name is shown meanwhile.
pub fn prepared(
    submission: &Submission,
    stated: &Stated,
    builder: &Builder,
    progress: &Spinner,
) -> PlayerArg {
    progress.show(&format!("building {}", escape(&submission.name)));
    let tell = |event: BuildEvent| {
        if event == BuildEvent::Slow {
            progress.note(&builder.slow_note(&submission.name));
        }
        ControlFlow::Continue(())
    };
    builder.prepare(submission, stated, &tell).arg()
}

/// Unpacks a zip file below the folder of results, prints remarks on it, and returns the folder of
/// its players.
pub fn players_of(zip: &Path) -> Result<PathBuf, Failure> {
    let Unpacked { folder, notes } = unpack(zip, &Path::new(folder::FOLDER).join(ZIPS))?;
    notes.iter().for_each(|note| diagnostics::print(format_args!("note: {note}\n")));
    Ok(folder)
}

/// Settings of a run, none of which is stored.
pub struct Settings<'a> {
    /// Options that every command has which plays.
    pub run: &'a RunArgs,
    /// Number of games played at once; `None` for the default.
    pub concurrency: Option<u16>,
    /// Folder that no program may see.
    pub hidden: Option<PathBuf>,
    /// Instant after which no further round begins.
    pub until: Option<Instant>,
    /// Whether messages name players.
    pub names_players: bool,
    /// Number of games after which a line of standings is printed; zero for none.
    pub rating_interval: u64,
}

/// Describes the contest that the command asks for, over the stored one if it goes on.
type Describe<'a> =
    &'a dyn Fn(Option<&Archive>, &SandboxPolicy) -> Result<ResolvedContest, Failure>;

/// Plays a contest, or its remaining games. Returns `None` after a dry run.
///
/// # Errors
/// Returns an error if the contest cannot be played from here, or a game cannot be stored.
pub fn play(
    address: Address,
    wish: Wish,
    settings: &Settings,
    describe: Describe,
    registry: &Registry,
) -> Result<Option<Outcome>, Failure> {
    let run = match begin(address.clone(), wish, settings, describe, registry) {
        // Another referee has begun and ended the contest since this one found no file.
        Err(Failure::Occupied(_)) if wish == Wish::ContinueOrBegin => {
            begin(address, wish, settings, describe, registry)
        }
        run => run,
    };
    match run? {
        Some((run, db)) => play_all(run, db, settings).map(Some),
        None => Ok(None),
    }
}

/// Opens the file of the contest and plans its games.
fn begin(
    address: Address,
    wish: Wish,
    settings: &Settings,
    describe: Describe,
    registry: &Registry,
) -> Result<Option<(Run, Option<String>)>, Failure> {
    let opened = address.open(wish, registry)?;
    // Before the folder may change, to which the path is relative.
    let path = opened.path(registry);
    let policy = SandboxPolicy::new(
        registry.executable,
        settings.run.requirement.require_sandbox,
        path.as_deref(),
    )
    .hiding(settings.hidden.clone());
    let resolved = describe(opened.archive(), &policy)?;
    let stored = opened.archive();
    let mut plan = Plan::new(resolved, stored, registry, settings.concurrency, &policy)?;
    if settings.run.dry_run {
        announce(settings, &plan, stored.map_or(Ok(0), Archive::count)?, None)?;
        let games = plan.stages.game_count();
        let estimate = estimate::describe(&plan, games, plan.stages.most_games(), registry);
        print(&(estimate + &first_pairings(&plan) + &broken_players(&plan)))?;
        return Ok(None);
    }
    if let Some(archive) = stored {
        settings.run.tell(&format!("{}\n", content(archive)?))?;
        tell_new_versions(archive, &plan.config)?;
    }
    let mut store = opened.begin(&plan.config, settings.run.durable, processors(), registry)?;
    if plan.config.format.course().is_stored() {
        // Files of earlier versions lack the stages of a balanced tournament.
        for (number, stage) in plan.stages.known().iter().enumerate() {
            store.add_stage(number, stage)?;
        }
    }
    warn_of_lost_games(&store);
    plan.apply_sandboxes(&policy);
    let path = store.archive().path();
    let db = (path != Path::new(folder::IN_MEMORY)).then(|| path.display().to_string());
    Ok(Some((Run::new(plan, store)?, db)))
}

/// Describes a stored file before it is changed.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn content(archive: &Archive) -> Result<String, StoreError> {
    let (path, contest) = (archive.path().display(), archive.config());
    let players = counted(contest.players.len() as u64, "player");
    let (what, players) = match (&contest.source, &contest.players[..]) {
        (Source::Tournament(of), _) => (format!("tournament {}", escape(&of.title)), players),
        (Source::Words, [one, other]) => {
            ("match".into(), format!("{} and {}", escape(&one.name), escape(&other.name)))
        }
        (Source::Room(title), _) => (format!("room {}", escape(title)), players),
        (Source::Words, _) => ("match".into(), players),
    };
    let games = counted(archive.count()?, "game");
    Ok(format!("{path}: {what} of {}, {players}, {games}", contest.game))
}

/// Plays all games that the store lacks, until the user asks to stop.
fn play_all(run: Run, db: Option<String>, settings: &Settings) -> Result<Outcome, Failure> {
    let plan = &run.plan;
    let done = run.resumed();
    announce(settings, plan, done, db.as_deref())?;
    warn_of_sandbox(plan.sandboxes.as_ref(), &plan.players);
    warn_of_memory(plan);
    make_room_for_descriptors(plan.concurrency);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let under_test = plan.config.sprt.is_some();
    let progress = Progress::new(plan.stages.most_games(), done, under_test, !plan.has_a_person());
    let last = match &db {
        Some(path) => format!(
            "stopped; the games counted are in {path}; {} continues",
            plan.config.continued_by()
        ),
        None => "stopped".into(),
    };
    let _listener = listen_beside(&progress, &stop, &processes, last)?;
    let contest = plan.config.clone();
    let mut played: u64 = 0;
    let outcome =
        run.play(!settings.run.no_pin, settings.until, (&stop, &processes), &mut |news| {
            let name = |player: usize| match settings.names_players {
                true => contest.players[player].name.as_str(),
                false => "a player",
            };
            match news {
                News::Game(record, tally) => {
                    let score = settings.names_players.then(|| score_so_far(tally, &contest));
                    let score = score.unwrap_or_default();
                    played += 1;
                    let interval = settings.rating_interval;
                    if interval > 0 && !score.is_empty() && played.is_multiple_of(interval) {
                        progress.say(&format!("{} games: {score}", tally.games));
                    }
                    progress.game(score);
                    if settings.run.events {
                        print_event(record, &contest)?;
                    }
                }
                News::Changed(player) => progress.say(&format!(
                    "note: the program of {} changed; its new version plays all of its games",
                    name(player)
                )),
                News::Withdrawn(player) => progress.say(&format!(
                    "note: {} made no move in three games in a row and is withdrawn",
                    name(player)
                )),
                News::TimeIsUp => {
                    progress.say("the time is up; the current round is played to its end");
                }
            }
            Ok(())
        });
    progress.finish();
    outcome
}

/// Returns what is known of a run besides its counts, for its summary.
fn info(outcome: &Outcome) -> Result<Summary, Failure> {
    let Outcome { plan, store, tally, .. } = outcome;
    let archive = store.archive();
    let path = archive.path();
    Ok(Summary {
        resumed: outcome.resumed,
        seconds: rounded(outcome.duration.as_secs_f64(), 3),
        openings_ran_out: plan.openings.fewer_than(tally.rounds)?,
        db: (path != Path::new(folder::IN_MEMORY)).then(|| path.display().to_string()),
        crowd: plan.crowd(),
        machines: machines::differing(archive, &archive.view(Versions::Current))?,
        sandbox: plan.sandboxes.as_ref().map(|of| word_of(of.level, &Level::WORDS)),
        complete: outcome.is_full,
        not_started: plan.not_started(),
        has_lacked_resources: plan.has_lacked_resources(),
        ..Summary::default()
    })
}

/// Returns the failure of a contest with missing games, for which the machine lacked resources.
fn lack_of_resources(summary: &Summary, continued_by: &str) -> Option<Failure> {
    let is_short = summary.void > 0 || !summary.complete;
    (summary.has_lacked_resources && is_short).then(|| {
        Failure::Unavailable(format!(
            "{LACK_OF_RESOURCES}{HELP}see ulimit -u, ulimit -n or a lower --concurrency; {continued_by} \
             plays the missing games"
        ))
    })
}

/// Returns the failure of a contest whose rules failed.
fn rules_failure(outcome: &Outcome) -> Option<Failure> {
    let error = outcome.rules_error.as_ref()?;
    let contest = &outcome.plan.config;
    let (game, continued_by) = (&contest.game, contest.continued_by());
    Some(Failure::Data(format!(
        "the rules of {game} failed: {error}{HELP}{continued_by} plays the missing games"
    )))
}

fn print_event(record: &Record, contest: &Contest) -> Result<(), Failure> {
    #[derive(serde::Serialize)]
    struct GameEvent<'a> {
        event: &'static str,
        #[serde(flatten)]
        game: GameDocument<'a>,
    }
    print_json(&GameEvent { event: "game", game: GameDocument::new(record, contest, true) })
        .map(drop)
}

/// Prints the lines that describe the contest, on standard error if standard output is for
/// programs. A closed pipe is no error if the games are stored in the file `db`, which has `done`
/// games.
fn announce(settings: &Settings, plan: &Plan, done: u64, db: Option<&str>) -> Result<(), Failure> {
    let contest = &plan.config;
    let (mut line, what) = match &contest.source {
        // Only a server plays in a room.
        Source::Words | Source::Room(_) => match_line(plan),
        Source::Tournament(of) => {
            let (players, format) = (contest.players.len(), contest.format_text());
            let games = games_text(plan);
            let line = format!(
                "{}: {players} players, {format}, {games} games, seed {}\n",
                of.title, contest.seed
            );
            (line, "games")
        }
    };
    if let Some(shard) = contest.shard {
        let own = plan.stages.planned().own_games();
        line += &format!("shard {shard}: {own} of {} {what}\n", games_text(plan));
    }
    if let Some((asked, played)) = contest.rounded_games() {
        let why = match contest.test().and_then(Sprt::batch) {
            Some(rounds) => format!("to whole batches of {rounds} rounds"),
            None => "so that each player has each seat equally often".into(),
        };
        line += &format!("({asked} rounded up to {played}, {why})\n");
    }
    if let Some(sandboxes) = &plan.sandboxes {
        line += &format!("{}\n", sandboxes.line());
    }
    if let (Source::Words, Some(db), 1..) = (&contest.source, db, done) {
        line += &format!("({done} of these are in {db})\n");
    }
    match settings.run.tell(&line) {
        Err(Failure::BrokenPipe) if db.is_some() => Ok(()),
        told => told,
    }
}

/// Returns the first line of a match, and the word for its games.
fn match_line(plan: &Plan) -> (String, &'static str) {
    let (schedule, contest) = (plan.stages.games(), &plan.config);
    let (pairings, games) = (schedule.groups().len(), schedule.games_per_group());
    let s = if pairings == 1 { "" } else { "s" };
    let (pairing, what) = match contest.seats {
        1 => (format!("player{s}"), "instances"),
        2 => (format!("pairing{s}"), "games"),
        seats => (format!("group{s} of {seats}"), "games"),
    };
    let most = if contest.sprt.is_some() { "at most " } else { "" };
    let seed = schedule.seed();
    (format!("{pairings} {pairing} x {most}{games} {what}, seed {seed}\n"), what)
}

/// Returns the number of games of a contest for people.
fn games_text(plan: &Plan) -> String {
    let count = plan.stages.game_count();
    match count.least == count.most {
        true => count.most.to_string(),
        false => format!("{} to {}", count.least, count.most),
    }
}

/// Lists the meetings of the first stage of a tournament, if they are few.
fn first_pairings(plan: &Plan) -> String {
    let contest = &plan.config;
    if contest.tournament().is_none() {
        return String::new();
    }
    let mut meetings = plan.stages.first().map_or_else(Vec::new, |stage| stage.meetings);
    // A batch has a meeting for each of its rounds, and a balanced schedule has all of them.
    meetings.retain(|meeting| meeting.first_round == 0);
    if meetings.len() > MOST_PAIRINGS {
        return String::new();
    }
    let line = |meeting: &Meeting| {
        let names = meeting.players.iter().map(|&player| escape(&contest.players[player].name));
        format!("  {}\n", names.collect::<Vec<_>>().join(" - "))
    };
    let lines: String = meetings.iter().map(line).collect();
    format!("first round:\n{lines}")
}

/// Lists the players that cannot play, with the reasons.
fn broken_players(plan: &Plan) -> String {
    let broken = plan.not_started();
    let line = |(name, report): (&String, &FaultReport)| {
        format!("  {}: {}\n", escape(name), report.fault.reason())
    };
    let lines: String = broken.iter().map(line).collect();
    match lines.is_empty() {
        true => lines,
        false => format!("these would not play:\n{lines}"),
    }
}

/// Warns that this machine does not give a full sandbox, and of interpreters that it hides.
pub fn warn_of_sandbox(sandboxes: Option<&ProgramSandboxes>, players: &[PlannedPlayer]) {
    let warning = sandboxes.and_then(ProgramSandboxes::warning);
    for warning in warning.into_iter().chain(interpreter_warnings(players)) {
        diagnostics::print(format_args!("{warning}\n"));
    }
}

/// Warns that the programs may use more memory together than they are granted.
pub fn warn_of_memory(plan: &Plan) {
    if let Some((needed, granted)) = plan.memory_shortage() {
        let (needed, granted, games) = (size(needed), size(granted), plan.concurrency);
        diagnostics::print(format_args!(
            "warning: {games} games at once may take {needed} of memory, and {granted} are \
             granted{HELP}write a lower --memory or --concurrency\n"
        ));
    }
}

/// Warns of games that another program removed.
pub fn warn_of_lost_games(store: &Writer) {
    if store.lost() > 0 {
        let (path, lost) = (store.archive().path().display(), counted(store.lost(), "game"));
        let (removed, end) = (
            "another program removed",
            match store.archive().config().kind() {
                // What is played there follows from the players of the moment.
                Kind::Room => "",
                _ => "; resuming plays them",
            },
        );
        diagnostics::print(format_args!("warning: {path}: {removed} {lost}{end}\n"));
    }
}

/// Tells which players have changed since their stored games, which do not count any more.
fn tell_new_versions(archive: &Archive, contest: &Contest) -> Result<(), StoreError> {
    let stored = archive.config().players.iter().enumerate();
    let players = stored.zip(&contest.players).filter(|((_, old), now)| !now.is_same_version(old));
    let changed: Vec<usize> = players.map(|((number, _), _)| number).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let games = archive.games(&archive.view(Versions::Current))?;
    let count = |player: usize| {
        let has = |(id, _): &&(GameId, u64)| id.players.contains(&player);
        games.iter().filter(has).count() as u64
    };
    let changed: Vec<(&str, u64)> = changed
        .into_iter()
        .map(|player| (contest.players[player].name.as_str(), count(player)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let names = changed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    match &changed[..] {
        [] => {}
        // Where games depend on results, those of earlier versions still count.
        _ if contest.counts_all_versions() => {
            diagnostics::print(format_args!("note: new versions continue the games of {names}\n"))
        }
        [(name, count)] => diagnostics::print(format_args!(
            "note: {name} is another version than in its {} so far; they stay in the file but do \
             not count (see --all-versions)\n",
            counted(*count, "game")
        )),
        _ => diagnostics::print(format_args!(
            "note: other versions than in their games so far, which stay in the file but do not \
             count (see --all-versions): {names}\n"
        )),
    }
    Ok(())
}
