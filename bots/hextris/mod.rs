//! The Hextris bots: a beam search, the solver of TaupeGoons' account of the contest with three
//! strategies for phrases, and a random player.

pub mod best;
mod commands;
mod phrases;
mod player;
mod row_direction;
mod solver;
mod start;
pub mod taupegoons;
#[cfg(test)]
mod testing;

pub use start::GameStart;

use crate::console::{Console, Session};
use crate::engine::Random;
use crate::options::Options;
use crate::program::{say, BotProgram};
use arbitre_games::console::BundledBot;
use arbitre_games::game::{ParseError, State};
use arbitre_games::games::hextris::Hextris;
use arbitre_games::text::value_of;
use commands::contest::ContestRun;
use commands::{bench, contest, score, solve_all};
use solver::HextrisSolver;

/// The program `hextris`.
pub const BOT: BotProgram = BotProgram {
    name: "hextris",
    signature: 29_310,
    strategies: &[
        ("best", "beam search over boards, with the best phrases on each path; the strongest"),
        ("taupe", "place each unit where a weighted sum is highest, with phrases on the path"),
        ("random", "play any legal command"),
    ],
    options: &[
        (
            "--weights W",
            "taupe: six weights, of growth, depth, enclosed cells, rows, phrases and an unused\n\
             one [default: 7,7,1,4,4,4]",
        ),
        ("--phrases WAY", "taupe: method for phrases, dp, atomic or rewrite [default: dp]"),
        ("--official", "contest: play with the contest's eighteen phrases"),
    ],
    commands: &[
        ("bench", "count the nodes of five problems: the signature of the search", bench::run),
        (
            "score",
            "score solutions and print the reasons: PROBLEM… SOLUTION, -p PHRASE…, --json",
            score::run,
        ),
        (
            "contest",
            "play as in the contest: -f FILE… -t SECONDS -m MB -c CORES -p PHRASE…; contest taupe\n\
             plays by that strategy, with its options",
            contest::run,
        ),
        (
            "solve-all",
            "play every problem of DIR: -t SECONDS per game (20), of CPU time with --cpu,\n\
             --nodes N, -m MB, -c CORES, -p PHRASE…, --seeds N, --best FILE,\n\
             --output DIR [--resume]",
            solve_all::run,
        ),
    ],
    open,
};

/// Name of the contest's dialect, which has only a command line and an answer.
const CONTEST: &str = arbitre_games::games::hextris::icfp2015::INFO.name;

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    if strategy == "random" {
        let engine = Random::<Hextris>::of(|state, seat, _| {
            let mut moves = state.moves(seat);
            // The last move is the stop, which is never played.
            moves.pop();
            (moves, 0)
        });
        return Ok(Box::new(Session::new("hextris-random", engine, options, &[])?));
    }
    let solver = HextrisSolver::take(strategy, options)?;
    if options.has("-f") {
        let dialect = options.take_text("--dialect")?.unwrap_or_else(|| CONTEST.into());
        value_of("dialect with -f", &dialect, &[(CONTEST, ())])?;
        return Ok(Box::new(ContestRun::take_as_bot(options, solver)?));
    }
    Ok(Box::new(Session::new(solver.name(), solver, options, &[])?))
}

/// Runs `play_icfp2015`, the name under which the contest started programs.
pub fn contest() -> std::process::ExitCode {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into());
    let words: Vec<String> = std::iter::once("contest".into()).chain(words).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        say(CONTEST_USAGE);
        return std::process::ExitCode::SUCCESS;
    }
    BOT.run(&words)
}

/// Text of `play_icfp2015 --help`.
const CONTEST_USAGE: &str = "\
Usage: play_icfp2015 [best|taupe] -f FILE… [OPTIONS]

Play every game of the problems, small boards first, and print the solutions in the format of the
ICFP contest 2015. `hextris contest` is the same command.

Options:
  -f FILE          problem in the contest's JSON; may be repeated
  -p PHRASE        phrase of power; may be repeated [default: no phrases]
  --official       the contest's eighteen phrases, besides those of -p
  -t SECONDS       time limit of the whole run [default: none]
  -m MEGABYTES     memory limit, from 32 [default: none]
  -c CORES         threads, at most one per processor [default: 1]
  --weights W      taupe: six weights [default: 7,7,1,4,4,4]
  --phrases WAY    taupe: dp, atomic or rewrite [default: dp]
  --help           print this text
";
