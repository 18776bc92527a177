//! The bots that play Awélé.

mod alpha_beta;
mod bench;
pub mod book;
mod greedy;
mod heuristic;
mod node;
mod pace;

pub use alpha_beta::AlphaBeta;
pub use greedy::Greedy;
pub use heuristic::Heuristic;
pub use node::Aim;
pub use pace::Depths;

use self::book::Book;
use crate::bots::console::{Console, Foreign, Session};
use crate::bots::mind::{Mind, Random};
use crate::bots::options::Options;
use crate::bots::Bot;
use crate::game::BadText;
use crate::games::awele::{codingame, Awele};

/// The program `awele`.
pub const BOT: Bot = Bot {
    name: "awele",
    strategies: &[
        ("best", "the strongest of them: alpha-beta that counts seeds won, and a book"),
        ("alpha-beta", "searches as deep as the limits allow"),
        ("greedy", "captures as much as it can at once"),
        ("random", "plays any legal move"),
    ],
    options: &[
        ("--heuristic H", "alpha-beta: rows (default; seeds in own row), captures or complex"),
        ("--weights W", "complex: rows,own seeds,moves,longest run of empty pits (1,1,1,1)"),
        (
            "--threshold N",
            "alpha-beta: a line ends beyond N seeds of a side (24, the default, to 48)",
        ),
        ("--maximise on", "alpha-beta: search past a won game, for the score (off)"),
        ("--book FILE", "best, alpha-beta: the opening book, or none (the bundled one)"),
        ("--killer on", "alpha-beta: answer the expected reply without a search (off)"),
    ],
    commands: &[
        ("bench", "searches fixed positions and counts (--depth D)", bench::run),
        (
            "book",
            "makes an opening book, or goes on with it: --output FILE --own-moves N (4)\n                   \
             --depth D (14) --seat 0, 1 or both (both) --rules R (codingame), and\n                   \
             --heuristic, --weights, --threshold and --maximise as below",
            book::run,
        ),
    ],
    open,
};

/// What only this game is spoken in: the arena's Oware Abapa.
const FOREIGN: &[Foreign<Awele>] =
    &[("codingame", |knows| Box::new(codingame::Bot::new(knows)), "wall first 1000 move 50")];

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, BadText> {
    match strategy {
        "best" => {
            let book = Book::take(options)?;
            console("awele", AlphaBeta::new(Heuristic::Captures).with_book(book), options)
        }
        "alpha-beta" => {
            let mind = AlphaBeta::take(options)?;
            console("awele-alpha-beta", mind, options)
        }
        "greedy" => console("awele-greedy", Greedy::default(), options),
        _ => console("awele-random", Random::default(), options),
    }
}

fn console(
    name: &str,
    mind: impl Mind<Awele> + 'static,
    options: &mut Options,
) -> Result<Box<dyn Console>, BadText> {
    Ok(Box::new(Session::new(name, mind, options, FOREIGN)?))
}
