//! The command line: words in, exit code out.

mod args;
mod charter;
mod check;
mod condition;
mod defaults;
mod experiment;
mod failure;
mod games;
mod limits;
mod match_file;
mod new;
mod output;
mod plan;
mod play_match;
mod records;
mod rerun;
mod tune;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use failure::Failure;
use rustix::process::Signal;
use std::process::ExitCode;

pub use defaults::table as defaults_table;

/// Runs the referee with the arguments of this process.
pub fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into()).collect();
    // A bot's arguments are its own affair, so this comes before anything else is parsed.
    if let Some(["bot", name, rest @ ..]) = words.get(1..).map(as_strs).as_deref() {
        if !name.starts_with('-') {
            return bot(name, rest);
        }
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return Failure::parser(&error).report(),
        Err(help) => return output::print(&help.render().to_string()).unwrap_or(ExitCode::SUCCESS),
    };
    start_log(cli.verbose);
    // Whatever a player leaves behind becomes our child, and can be ended and waited for.
    let own = rustix::process::getpid();
    if let Err(error) = rustix::process::set_child_subreaper(Some(own)) {
        log::warn!("orphans of players cannot be waited for: {error}");
    }
    match run(cli) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// Runs a bundled bot. It ends with the referee that started it, however that ends.
fn bot(name: &str, arguments: &[&str]) -> ExitCode {
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)) {
        eprintln!("this bot may outlive its referee: {error}");
    }
    let arguments: Vec<String> = arguments.iter().map(|word| (*word).into()).collect();
    arbitre_bots::run(name, &arguments)
}

fn as_strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn start_log(verbose: u8) {
    let level = ["warn", "info", "debug"][usize::from(verbose.min(2))];
    let env = env_logger::Env::default().default_filter_or(level);
    env_logger::Builder::from_env(env).format_timestamp(None).format_target(false).init();
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        None if cli.duel.players.is_empty() && !cli.duel.resume => {
            eprint!("{}", Cli::command().render_help());
            Err(Failure::Usage(
                "expected two players, such as: referee awele \"awele greedy\"".into(),
            ))
        }
        None => play_match::run(&cli.duel),
        Some(Command::Games { json }) => games::games(json),
        Some(Command::List(args)) => records::list(&args),
        Some(Command::Show(args)) => records::show(&args),
        Some(Command::Rerun(args)) => rerun::run(&args),
        Some(Command::Export(args)) => records::export(&args),
        Some(Command::Verify(args)) => records::verify(&args),
        Some(Command::Experiment(args)) => experiment::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::New(args)) => new::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Perft(args)) => games::perft(&args),
        Some(Command::Bot { .. }) => {
            let names: Vec<&str> = arbitre_bots::BOTS.iter().map(|bot| bot.name).collect();
            let names = arbitre_games::text::alternatives(&names);
            Err(Failure::Usage(format!("expected the name of a bundled bot: {names}")))
        }
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "referee", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Some(Command::Man) => output::print(&manual()),
    }
}

/// The manual page: the program's own, then one for each command.
fn manual() -> String {
    let mut command = Cli::command();
    command.build();
    let mut pages = Vec::new();
    let subcommands = command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned();
    for page in std::iter::once(command.clone()).chain(subcommands) {
        clap_mangen::Man::new(page).render(&mut pages).expect("memory takes every byte");
    }
    String::from_utf8_lossy(&pages).into_owned()
}
