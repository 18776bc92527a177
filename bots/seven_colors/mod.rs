//! The bots that play Seven Colors: `best`, and the strategies of two reports on the same task. The
//! reports are R. Hutin, R. Sun, "Arcsys : le jeu des 7 couleurs" (2016), and C. Morand, I.
//! Martayan (2020).

mod arcsys2016;
pub mod best;
pub mod claims;
mod commands;

#[cfg(test)]
mod tests;

pub use arcsys2016::{greedy, MoveContext, Strategy};

use crate::console::{Console, Session};
use crate::engine::Engine;
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::dialect::Start;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{Colour, Position, SevenColors};
use arbitre_games::search::budget::Budget;
use arcsys2016::{
    foreseeing, hegemonic, hegemonic_contact, hegemonic_expanding, hybrid, mix, napoleon, oracle,
    Random, MIX_WEIGHT,
};

/// Names, options and commands of the program `seven-colors`.
pub const BOT: BotProgram = BotProgram {
    name: "seven-colors",
    signature: 30_248,
    strategies: &[
        ("best", "principal variation and proof-number search; the strongest"),
        ("oracle", "plan --depth own moves (4) for cells, without the opponent"),
        ("napoleon", "alpha-beta of --depth plies (4) over useful colours, evaluated as by hybrid"),
        ("mix", "plan --depth own moves (2) for cells and --weight times the perimeter"),
        ("foreseeing", "plan two own moves, the second one greedy"),
        ("hybrid", "maximise own cells plus expanding cells"),
        ("hegemonic-expanding", "maximise expanding cells: border cells with two neighbours not yet owned"),
        ("hegemonic-contact", "maximise contacts of own cells with free ones"),
        ("hegemonic", "maximise contested free cells at the border"),
        ("greedy", "gain the most cells with the next move"),
        ("random-useful", "play any colour that gains a cell"),
        ("random", "play any legal colour"),
    ],
    options: &[
        ("--weight W", "mix: value of a perimeter cell, in own cells [default: 0.5]"),
        ("--edges on", "hegemonic-expanding: also count sides at the edge of the board [default: off]"),
    ],
    commands: &[
        (
            "solve",
            "prove the winner of boards from standard input: --rules R, --nodes N, --only-gains on\n\
             (omits moves without gain, as some solvers do); or of random boards: --boards N,\n\
             --seed S (1)",
            commands::solve::run,
        ),
        ("bench", "count the nodes of fixed positions: --depth D", commands::bench::run),
        (
            "proofs",
            "play games of best against itself and print when the winner was proved: --games N (10)\n\
             --move-time T (1s of CPU time) or --nodes N, --rules R, --seed S (1)",
            commands::proofs::run,
        ),
    ],
    open,
};

fn open(name: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    if name == "best" {
        return Ok(Box::new(Session::new("seven-colors", best::Best::default(), options, &[])?));
    }
    let strategy = strategy(name, options)?;
    Ok(Box::new(Session::new(&format!("seven-colors-{name}"), strategy, options, &[])?))
}

/// Creates the strategy of a report called `name`, with its options.
///
/// # Errors
/// Returns an error if the value of an option is invalid.
pub fn strategy(name: &str, options: &mut Options) -> Result<Box<dyn Strategy>, ParseError> {
    let without_plan = |choose: fn(&MoveContext) -> Colour| -> Box<dyn Strategy> {
        Box::new(move |context: &MoveContext, _: Option<u32>| (choose(context), None))
    };
    Ok(match name {
        "oracle" => Box::new(oracle),
        "napoleon" => Box::new(napoleon),
        "mix" => {
            let weight = weight(options)?;
            Box::new(move |context: &MoveContext, depth| mix(context, depth, weight))
        }
        "foreseeing" => Box::new(|context: &MoveContext, _| foreseeing(context)),
        "hybrid" => without_plan(hybrid),
        "hegemonic-expanding" => {
            let edges = options.take_switch("--edges")?;
            Box::new(move |context: &MoveContext, _| (hegemonic_expanding(context, edges), None))
        }
        "hegemonic-contact" => without_plan(hegemonic_contact),
        "hegemonic" => without_plan(hegemonic),
        "greedy" => without_plan(greedy),
        "random-useful" => Box::new(Random::useful()),
        _ => Box::new(Random::any()),
    })
}

fn weight(options: &mut Options) -> Result<f64, ParseError> {
    let Some(text) = options.take_text("--weight")? else { return Ok(MIX_WEIGHT) };
    let weight = text.parse().ok().filter(|weight: &f64| weight.is_finite());
    weight.ok_or_else(|| {
        ParseError::new(format!("--weight: expected a number like 0.5, got '{text}'"))
    })
}

/// Lets a strategy play by the protocol.
impl Engine<SevenColors> for Box<dyn Strategy> {
    fn begin(&mut self, start: &Start<SevenColors>) {
        (**self).begin(start.seed);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Colour, String) {
        // A new graph at each move has fewer regions each time.
        let (graph, node) = Graph::new(state);
        let context = MoveContext { graph: &graph, node, seat };
        let (colour, value) = (**self).choose(&context, budget.depth);
        let lead_after = || context.lead(context.after(colour).cells().into());
        (colour, format!("score {}", value.unwrap_or_else(lead_after)))
    }
}
