//! The command line: maps arguments to an exit code.

mod advice;
mod arena;
mod args;
mod brutaltester;
mod check;
mod clock;
mod condition;
mod defaults;
mod doctor;
mod drop;
mod estimate;
mod experiment;
mod export;
mod foreign_options;
mod game_filter;
mod games;
mod help;
mod join;
mod list;
mod listen;
mod merge;
mod new;
mod perft;
mod play;
mod replay;
mod report;
mod rerun;
mod serve;
mod show;
mod stored;
mod trust;
mod tune;
mod usage;
mod verify;

use arbitre_games::diagnostics;
use arbitre_games::text::{alternatives, unknown, HELP};
use arbitre_process::launcher;
use arbitre_process::resource_limits::survive_exceeded_limits;
use arbitre_referee::config::schema;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output;
use arbitre_referee::run::room::Server;
use args::{Cli, RefereeCommand, SchemaCommand};
use clap::FromArgMatches;
use rustix::process::{getppid, set_parent_process_death_signal, Signal};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::process::ExitCode;
use std::{fs, io};

pub use defaults::table as defaults_table;

/// Runs the referee with the arguments of this process. `server` serves its rooms, if it was built
/// with one.
pub fn main(registry: &Registry, server: Option<&Server>) -> ExitCode {
    if let Some(code) = launcher::serve_if_asked() {
        return code;
    }
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into()).collect();
    // The arguments belong to the bot's own parser, so this comes before anything else is parsed.
    if let Some(["bot", name, rest @ ..]) = words.get(1..).map(as_strs).as_deref() {
        if !name.starts_with('-') {
            return bot(name, rest, registry);
        }
    }
    if let Some(["help", "all"]) = words.get(1..).map(as_strs).as_deref() {
        return output::print(&help::all(registry)).unwrap_or(ExitCode::SUCCESS);
    }
    let joined = usage::join_negative_values(std::env::args_os());
    let matches = help::command().try_get_matches_from(joined);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            return usage::failure(&error, &words, &args::grammar()).report();
        }
        Err(help) => return output::print(&help.render().to_string()).unwrap_or(ExitCode::SUCCESS),
    };
    start_log(cli.verbose);
    if let Err(error) = survive_exceeded_limits() {
        log::warn!("an exceeded limit may end the referee: {error}");
    }
    if std::env::var_os(WITH_PARENT).is_some() {
        end_with_parent();
    }
    let code = run(cli, server, registry).unwrap_or_else(|failure| failure.report());
    launcher::groups::leave();
    code
}

/// Number of a parent outside the namespace of a process.
const OUTSIDE: i32 = 0;

/// Variable of a referee that a server started: it ends with that.
const WITH_PARENT: &str = "ARBITRE_ENDS_WITH_PARENT";

/// Has the kernel kill this process when the referee that started it ends, for any reason.
fn end_with_parent() {
    let parent = getppid().map_or(OUTSIDE, |parent| parent.as_raw_nonzero().get());
    if is_referee(parent) {
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            diagnostics::print(format_args!(
                "warning: this process may outlive its referee: {error}\n"
            ));
        }
    }
}

/// Runs a bundled bot.
fn bot(name: &str, arguments: &[&str], registry: &Registry) -> ExitCode {
    end_with_parent();
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).into()).collect();
    match registry.bot(name) {
        Some(bot) => bot.run(&arguments),
        None => Failure::from(unknown("bot", name, registry.bot_names())).report(),
    }
}

/// Returns `false` if `parent` has ended, or runs another program, such as a shell that may end
/// before the bot.
fn is_referee(parent: i32) -> bool {
    let program = |process: &str| {
        let file = fs::metadata(format!("/proc/{process}/exe"))?;
        io::Result::Ok((file.dev(), file.ino()))
    };
    match (program("self"), program(&parent.to_string())) {
        (Ok(own), Ok(other)) => own == other,
        // The system forgets the program of a process before it gives its children a new parent.
        (Ok(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => parent == OUTSIDE,
        _ => true,
    }
}

fn as_strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn start_log(verbose: u8) {
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let mut builder = env_logger::Builder::new();
    builder.parse_filters(level).format(|out, record| {
        // A message may quote the text of a program.
        let message = diagnostics::visible(&record.args().to_string()).replace('\n', "\n    ");
        let (level, style) = (record.level(), out.default_level_style(record.level()));
        writeln!(out, "[{style}{level:<5}{style:#}] {message}")
    });
    if let Ok(filters) = std::env::var(env_logger::DEFAULT_FILTER_ENV) {
        // Checked first: the logger itself panics if it cannot print its warning.
        match env_filter::Builder::new().try_parse(&filters) {
            Ok(_) => drop(builder.parse_filters(&filters)),
            Err(error) => diagnostics::print(format_args!("warning: RUST_LOG: {error}\n")),
        }
    }
    if let Ok(style) = std::env::var(env_logger::DEFAULT_WRITE_STYLE_ENV) {
        builder.parse_write_style(&style);
    }
    builder.init();
}

fn run(cli: Cli, server: Option<&Server>, registry: &Registry) -> Result<ExitCode, Failure> {
    match cli.command {
        None if cli.play.config.players.is_empty() && !cli.play.resume => {
            Err(Failure::Usage(format!(
                "expected two players or a command, got none{HELP}write referee awele \"awele \
                 greedy\", or see referee --help"
            )))
        }
        None => play::words::run(&cli.play, registry),
        Some(RefereeCommand::Tournament(args)) => play::tournament::run(&args, registry),
        Some(RefereeCommand::Serve(args)) => serve::run(&args, server, registry),
        Some(RefereeCommand::Join(args)) => join::run(&args, server, registry),
        Some(RefereeCommand::Games { json }) => games::run(json, registry),
        Some(RefereeCommand::List(args)) => list::run(&args, registry),
        Some(RefereeCommand::Show(args)) => show::run(&args, registry),
        Some(RefereeCommand::Replay(args)) => replay::run(&args, registry),
        Some(RefereeCommand::Report(args)) => report::run(&args, registry),
        Some(RefereeCommand::Rerun(args)) => rerun::run(&args, registry),
        Some(RefereeCommand::Export(args)) => export::run(&args, registry),
        Some(RefereeCommand::Drop(args)) => drop::run(&args, registry),
        Some(RefereeCommand::Merge(args)) => merge::run(&args, registry),
        Some(RefereeCommand::Verify(args)) => verify::run(&args, registry),
        Some(RefereeCommand::Experiment(args)) => experiment::run(&args, registry),
        Some(RefereeCommand::Check(args)) => check::run(&args, registry),
        Some(RefereeCommand::Doctor(args)) => doctor::run(&args, registry),
        Some(RefereeCommand::New(args)) => new::run(&args, registry),
        Some(RefereeCommand::NewGame(args)) => new::run_game(&args),
        Some(RefereeCommand::Tune(args)) => tune::run(&args, registry),
        Some(RefereeCommand::Arena(command)) => arena::run(&command, registry),
        Some(RefereeCommand::Perft(args)) => perft::run(&args, registry),
        Some(RefereeCommand::Bot { .. }) => {
            let names = alternatives(&registry.bot_names());
            Err(Failure::Usage(format!("bot: expected {names}, got none")))
        }
        Some(RefereeCommand::Completions { shell }) => {
            let mut script = Vec::new();
            let mut command = args::grammar();
            clap_complete::generate(shell, &mut command, "referee", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Some(RefereeCommand::Man) => output::print(&manual(registry)),
        Some(RefereeCommand::Schema(SchemaCommand::Tournament)) => {
            let text = serde_json::to_string_pretty(&schema::tournament()).unwrap_or_default();
            output::print(&(text + "\n"))
        }
    }
}

/// Returns the manual page: the page of `referee`, then one for each command.
fn manual(registry: &Registry) -> String {
    let mut command = args::grammar().after_help(args::reference(registry));
    command.build();
    let mut pages = Vec::new();
    let subcommands = command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned();
    for page in std::iter::once(command.clone()).chain(subcommands) {
        clap_mangen::Man::new(page).render(&mut pages).expect("writing to memory cannot fail");
    }
    String::from_utf8_lossy(&pages).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{waitid, Pid, WaitId, WaitIdOptions};
    use std::process::{Command, Stdio};

    /// A shell may end while the bot asks for its program. It then is a zombie for a moment.
    #[test]
    fn parent_is_told_from_other_programs() {
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", "read line"]).stdin(Stdio::piped()).spawn().unwrap();
        let number = shell.id().cast_signed();
        assert!(is_referee(std::process::id().cast_signed()) && is_referee(OUTSIDE));
        assert!(!is_referee(number), "another program");
        drop(shell.stdin.take());
        let id = WaitId::Pid(Pid::from_child(&shell));
        waitid(id, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
        assert!(!is_referee(number), "one that has ended");
        shell.wait().unwrap();
    }
}
