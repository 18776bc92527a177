//! `referee check PLAYER…`: tests bots for common mistakes. A folder, source file or zip file
//! stands for its player, or for the players in it.

use super::args::CheckArgs;
use super::listen::listen;
use super::play::{builder, players_of, warn_of_sandbox};
use crate::check::{self, Checked, Report, Trial, Untested};
use arbitre_games::console::BundledBot;
use arbitre_games::diagnostics;
use arbitre_games::dialects::arbitre;
use arbitre_games::exit_code::{INTERRUPTED, UNAVAILABLE, UNMET};
use arbitre_games::text::{join, HELP};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_referee::config::from_args::{
    choose_game, find_external, player_config, set_conditions, unique,
};
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::sandbox_args::SandboxArgs;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::escape::escape;
use arbitre_referee::external::random::RandomBot;
use arbitre_referee::failure::Failure;
use arbitre_referee::player::program;
use arbitre_referee::registry::{DynGame, GameInfo, Registry};
use arbitre_referee::report::columns::Columns;
use arbitre_referee::report::output::{print, print_json};
use arbitre_referee::report::progress::Spinner;
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::failed_start;
use arbitre_referee::run::plan::planned_player;
use arbitre_referee::run::sandboxes::{ProgramSandboxes, SandboxPolicy};
use arbitre_referee::run::PlannedPlayer;
use arbitre_referee::submissions::entry::Stated;
use arbitre_referee::submissions::zipped::is_zip;
use arbitre_referee::submissions::{self, is_source, scan, Builder, Named};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

/// A check of several players, one after another.
struct CheckRun<'a> {
    args: &'a CheckArgs,
    bench: Bench<'a>,
    policy: SandboxPolicy<'a>,
}

/// Circumstances of the tests of players.
pub struct Bench<'a> {
    /// Games, bots and the referee's own program.
    pub registry: &'a Registry,
    /// The game.
    pub info: &'a GameInfo,
    /// The game with its rules.
    pub game: &'a dyn DynGame,
    /// Number of seats at a table.
    pub seats: usize,
    /// Maximum number of games.
    pub games: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Requests to stop.
    pub stop: &'a Stop,
    /// Process groups of the running programs.
    pub processes: &'a ProcessGroups,
}

/// Tests bots and prints the findings.
pub fn run(args: &CheckArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let parsed: Result<Vec<PlayerArg>, _> =
        args.players.iter().map(|text| PlayerArg::parse(&with_folder(text), registry)).collect();
    let parsed = parsed?;
    let mut options = args.options.clone();
    if parsed.iter().any(is_submission) {
        // Others may have written them, as in a tournament.
        options.sandbox = options.sandbox.over(&SandboxArgs::with_profile(Profile::Class));
    }
    if parsed.iter().any(|arg| arg.kind == CommandKind::Human) {
        return Err(Failure::Usage("expected a program, got a person".into()));
    }
    refuse_split_commands(&parsed)?;
    let required = args.requirement.require_sandbox;
    let policy = SandboxPolicy::new(registry.executable, required, None);
    policy.check_rules(args.external.as_deref(), &options.sandbox)?;
    let external = find_external(&args.config_args().common, &options.sandbox, registry)?;
    let registry = external.as_ref().map_or(registry, |external| &external.registry);
    let named = external.as_ref().map(|external| external.game);
    let info = choose_game(named.or(args.game.as_deref()), args.arena, &parsed, registry)?;
    let (config_args, options) = set_conditions(&args.config_args(), &options, info)?;
    let game = info.open(&config_args.common.rules)?;
    let sandbox = options.sandbox.on(SandboxConfig::default())?;
    let named = parsed.len();
    let kept = OnceCell::new();
    let parsed = prepared(parsed, &|| {
        let builder = || Builder { removes_others: false, ..builder(&sandbox, &policy, registry) };
        kept.get_or_init(builder)
    })?;
    let lines_first = parsed.len() > named && !args.json && !args.junit;
    let mut taken = HashSet::new();
    let configured = parsed.iter().map(|arg| {
        let name = unique(&arg.name, &mut taken);
        player_config(arg, config_args.dialect(), &options, name, registry)
    });
    let configured: Vec<PlayerConfig> = configured.collect::<Result<_, Failure>>()?;
    for config in &configured {
        info.dialect(&config.dialect)?;
    }
    let (stop, processes) = (&Stop::default(), &ProcessGroups::default());
    let (games, seed) = (args.games, args.seed);
    let (fewest, most) = game.meta().seats;
    let seats = 2.clamp(fewest, most);
    let bench = Bench { registry, info, game: &*game, seats, games, seed, stop, processes };
    let run = CheckRun { args, bench, policy };
    let _listener = listen(stop, processes, "the game")?;
    let (mut all, mut code): (Vec<Checked>, _) = (Vec::new(), UNMET);
    for (arg, config) in parsed.iter().zip(&configured) {
        let is_first = !all.iter().any(|of| of.outcome.is_ok());
        let found = match run.check(arg, config, is_first) {
            // One program that does not start must not hide the mistakes of the others.
            Err(Failure::Player(why)) if parsed.len() > 1 => Ok((Err(why), None)),
            // Nor must one for which the machine lacks resources.
            Err(Failure::Unavailable(why)) if parsed.len() > 1 && !all.is_empty() => {
                code = UNAVAILABLE;
                Ok((Err(why), None))
            }
            other => other,
        };
        // The user stopped it, so a failure may be a consequence.
        if stop.requested() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let (outcome, sandboxes) = found?;
        let (player, command) = (config.name.clone(), config.command.clone());
        let checked = Checked { game: info.meta.name, player, command, outcome };
        if lines_first {
            let sandbox = sandboxes.filter(|_| is_first).map(|of| of.line() + "\n");
            print(&format!("{}{}\n", sandbox.unwrap_or_default(), line(&checked)))?;
        } else {
            run.show(&checked, sandboxes.as_ref(), all.is_empty())?;
        }
        all.push(checked);
    }
    conclude(args, &all, lines_first, code)
}

/// Prints what follows the tests of all players, and returns the exit code: `code` unless all are
/// right. After a line for each (`lines_first`) the mistakes come last.
fn conclude(
    args: &CheckArgs,
    all: &[Checked],
    lines_first: bool,
    code: u8,
) -> Result<ExitCode, Failure> {
    let with_mistakes = all.iter().filter(|checked| !checked.is_ok());
    let text = if lines_first {
        with_mistakes.map(|checked| format!("\n{}", check::text(checked))).collect()
    } else if args.junit {
        check::junit(all)
    } else if !args.json && all.len() > 1 {
        format!("\n{}\n", overview(all))
    } else {
        String::new()
    };
    print(&text)?;
    Ok(if all.iter().all(Checked::is_ok) { ExitCode::SUCCESS } else { ExitCode::from(code) })
}

impl CheckRun<'_> {
    /// Tests one player. `is_first` says whether none has started before: the warning of a weak
    /// sandbox is printed once.
    fn check(
        &self,
        arg: &PlayerArg,
        config: &PlayerConfig,
        is_first: bool,
    ) -> Result<(Result<Report, String>, Option<ProgramSandboxes>), Failure> {
        if let CommandKind::Absent(why) = &arg.kind {
            return Err(Failure::Player(why.clone()));
        }
        let Bench { game, registry, .. } = self.bench;
        let mut player = planned_player(config, &arg.kind, game, registry)?;
        let sandboxes = self.policy.sandboxes(std::slice::from_ref(&player))?;
        self.policy.apply(std::slice::from_mut(&mut player));
        let told = sandboxes.as_ref().filter(|_| is_first);
        warn_of_sandbox(told, std::slice::from_ref(&player));
        Ok((Ok(self.bench.test(&player, arg)?), sandboxes))
    }

    /// Prints the findings about one player, except as JUnit XML, which is one document for all.
    fn show(
        &self,
        checked: &Checked,
        sandboxes: Option<&ProgramSandboxes>,
        is_first: bool,
    ) -> Result<(), Failure> {
        if self.args.json {
            let mut document = check::document(checked);
            document["sandbox"] = sandboxes.map(|of| of.level.to_string()).into();
            print_json(&document)?;
        } else if !self.args.junit {
            let gap = if is_first { "" } else { "\n" };
            let line = sandboxes.map_or_else(String::new, |of| of.line() + "\n");
            print(&format!("{gap}{line}{}", check::text(checked)))?;
        }
        Ok(())
    }
}

impl Bench<'_> {
    /// Tests a player that is in its sandbox, and was described by `arg`.
    ///
    /// # Errors
    /// Returns an error if it cannot be started, the machine lacks resources, or the rules fail.
    pub fn test(&self, player: &PlannedPlayer, arg: &PlayerArg) -> Result<Report, Failure> {
        let Bench { info, .. } = self;
        let dialect = info.dialect(&player.config.dialect)?;
        let blind = info.hides_openings(dialect);
        // Another bot must speak the language of the rules.
        let random: Option<&'static dyn BundledBot> =
            if info.dialects.contains(&&arbitre::INFO) { Some(&RandomBot) } else { None };
        let trial = Trial {
            game: self.game,
            config: &player.config,
            source: &player.source,
            dialect,
            arena_dialects: info.arena_dialects(),
            opponent: self.registry.bot(info.meta.name).or(random),
            seats: self.seats,
            opening_plies: if blind { 0 } else { info.opening_plies },
            games: self.games,
            seed: self.seed,
            processes: self.processes,
            stop: self.stop,
        };
        check::run(&trial, &words(arg)).map_err(|why| match why {
            Untested::Fault(fault) => failed_start(&fault, fault.to_string()),
            Untested::Rules(error) => {
                Failure::Data(format!("the rules of {} failed: {error}", info.meta.name))
            }
        })
    }
}

/// Returns `true` if a player is named by a folder, source file or zip file, and not by a program.
/// Each of them may have the right to be executed, as all files of some disks have.
fn is_submission(arg: &PlayerArg) -> bool {
    let is_named = matches!(arg.kind, CommandKind::External(_));
    is_named && is_path_of_submission(Path::new(&arg.command))
}

/// Returns `true` for the path of a folder, source file or zip file.
fn is_path_of_submission(path: &Path) -> bool {
    path.is_dir() || path.is_file() && (is_source(path) || is_zip(path))
}

/// Returns the text of a player. The name of a folder or file of the current folder, such as
/// `week=1.zip`, has no options: as a path it has no name and no dialect.
fn with_folder(text: &str) -> Cow<'_, str> {
    let has_option = text.contains(['=', '@', '[']) && !text.contains('/');
    match has_option && is_path_of_submission(Path::new(text)) {
        true => format!("./{text}").into(),
        false => text.into(),
    }
}

/// Replaces each folder, source file and zip file by its player, or by the players in it. Programs
/// are built here.
///
/// # Errors
/// Returns an error if a zip file has no players, or cannot be unpacked.
fn prepared<'a>(
    named: Vec<PlayerArg>,
    builder: &dyn Fn() -> &'a Builder,
) -> Result<Vec<PlayerArg>, Failure> {
    let progress = Spinner::new();
    let mut players = Vec::new();
    for arg in named {
        if !is_submission(&arg) {
            players.push(arg);
            continue;
        }
        let path = Path::new(&arg.command);
        let found = match path.is_file() && is_zip(path) {
            true => Named::Players(scan(&players_of(path)?)?),
            false => submissions::read(path),
        };
        let (submissions, name) = match found {
            Named::Player(own) => (vec![own], arg.is_named.then_some(&arg.name)),
            Named::Players(scan) => {
                for note in scan.notes() {
                    diagnostics::print(format_args!("note: {note}\n"));
                }
                (scan.submissions, None)
            }
        };
        for submission in submissions {
            let found =
                super::play::prepared(&submission, &Stated::default(), builder(), &progress);
            let command = match found.kind {
                CommandKind::Absent(_) => submission.path().display().to_string(),
                _ => found.command,
            };
            let (options, dialect) = (arg.options.clone(), arg.dialect.clone());
            let name = name.unwrap_or(&found.name).clone();
            players.push(PlayerArg { name, command, options, dialect, ..found });
        }
    }
    Ok(players)
}

/// Refuses a command whose words were given as players, as in `python3 my_bot.py`.
fn refuse_split_commands(players: &[PlayerArg]) -> Result<(), Failure> {
    for pair in players.windows(2) {
        let (CommandKind::External(program), CommandKind::External(file)) =
            (&pair[0].kind, &pair[1].kind)
        else {
            continue;
        };
        let is_file = Path::new(&file[0]).is_file() && program::find(file, &[]).is_err();
        if program.len() == 1 && is_file && program::find(program, &[]).is_ok() {
            let (program, file) = (&pair[0].command, &pair[1].command);
            return Err(Failure::Usage(format!(
                "expected a program, got '{file}'{HELP}write \"{program} {file}\", in quotes"
            )));
        }
    }
    Ok(())
}

fn words(arg: &PlayerArg) -> Vec<String> {
    match (&arg.kind, &arg.folder) {
        // The language is found from the files beside the program.
        (CommandKind::External(words), Some(folder)) if words[0].contains('/') => {
            vec![Path::new(folder).join(&words[0]).to_string_lossy().into_owned()]
        }
        (CommandKind::External(words), _) => words.clone(),
        (CommandKind::Bundled(..) | CommandKind::Human | CommandKind::Absent(_), _) => Vec::new(),
    }
}

/// Returns a line about one of many players.
fn line(checked: &Checked) -> String {
    let (verdict, to_fix) = verdict(checked);
    let player = escape(&checked.player);
    match &checked.outcome {
        Err(why) => format!("{verdict:<11} {player}: {}", why.lines().next().unwrap_or_default()),
        Ok(report) if report.is_ok() => format!("{verdict:<11} {player}"),
        Ok(_) => format!("{verdict:<11} {player}: {to_fix}"),
    }
}

/// Returns the verdict about a player, and what it has to fix.
fn verdict(checked: &Checked) -> (&'static str, String) {
    match &checked.outcome {
        Err(_) => ("not started", "start".into()),
        Ok(report) if report.is_ok() => ("ok", "-".into()),
        Ok(report) => {
            ("FAILED", join(report.failures().iter().map(|(check, _)| check.name()), ", "))
        }
    }
}

/// Returns a table with one line per player.
fn overview(all: &[Checked]) -> String {
    let mut columns = Columns::<Checked>::default();
    columns.text("player", |of| escape(&of.player));
    columns.text("verdict", |of| verdict(of).0.into());
    columns.text("to fix", |of| verdict(of).1);
    columns.text("command", |of| escape(&of.command));
    columns.plain(all)
}
