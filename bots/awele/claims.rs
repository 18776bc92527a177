//! The claims of the report that the bot `alpha-beta` follows: T. Blaiset, O. Hécart, S. Machefert,
//! A. Méré, "Projet Awélé", IFIPS, 2005.

use crate::awele::{AlphaBeta, Heuristic};
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{
    Claim, Experiments, Interval, LabGame, Laboratory, Measurement, Verdict,
};
use arbitre_games::game::{Game, ParseError, State};
use arbitre_games::games::awele::{Awele, Opening, Position};
use arbitre_games::search::budget::Budget;
use arbitre_games::search::cpu_time::thread_time;
use std::time::{Duration, Instant};

/// What the report claims of its program.
pub const EXPERIMENTS: Experiments = Experiments {
    game: "awele",
    source: "T. Blaiset, O. Hécart, S. Machefert, A. Méré: Projet Awélé, IFIPS INFO 2005",
    claims: &[
        Claim {
            name: "simple-wins",
            words: "Sur l'ensemble des tests, l'heuristique la plus simple s'est avérée gagnante.",
            meaning: "rows beats complex at the same depth, without book",
            measure: |lab| duel(lab, "rows", "complex"),
        },
        Claim {
            name: "simple-is-chosen",
            words: "Finalement, nous avons donc choisi d'utiliser pour la version finale \
                    l'heuristique la plus simple.",
            meaning: "rows is at least as good as captures, the third heuristic that the report \
                      names",
            measure: |lab| duel(lab, "rows", "captures"),
        },
        Claim {
            name: "finalist-of-1990",
            words: "Cette finale a donné gagnant le second programme, utilisant une heuristique \
                    simple",
            meaning: "captures, all that the finalist of 1990 counted, beats complex",
            measure: |lab| duel(lab, "captures", "complex"),
        },
        Claim {
            name: "complex-costs-no-time",
            words:
                "L'utilisation de l'heuristique « complexe » n'a pas révélé d'influence sensible \
                    sur la durée des calculs du coup à jouer.",
            meaning: "per move complex takes between 0.9 and 1.1 times as long as rows",
            measure: time_of_complex,
        },
        Claim {
            name: "killer-reply-hurts",
            words:
                "nous avons finalement décidé de ne pas l'intégrer à la version finale, car cela \
                    avait un effet trop défavorisant",
            meaning: "without killer replies the bot beats itself with them",
            measure: killer,
        },
        Claim {
            name: "factor-6",
            words:
                "d'un niveau à l'autre, le temps de calcul est multiplié par un facteur 6 (pour \
                    simplifier)",
            meaning: "a ply more takes between 5.5 and 6.5 times as long",
            measure: branching,
        },
        Claim {
            name: "calibration-13-to-15",
            words: "Sur notre machine de test, un PIII 700, la fonction d'initialisation stoppe \
                    généralement entre les niveaux 13 et 15.",
            meaning: "on this machine too the full board takes over a second at 13 to 15 plies",
            measure: calibration,
        },
        Claim {
            name: "degraded-under-a-second",
            words: "on garantit ainsi une réponse en moins d'une seconde, ce qui nous offre une \
                    espérance de soixante coups en mode dégradé, au minimum",
            meaning: "at the degraded depth at least 99 of 100 late positions take under a second",
            measure: degraded,
        },
    ],
};

/// Returns the command of the bot with this heuristic.
fn player(heuristic: &str, depth: u32) -> String {
    format!("{heuristic}=awele alpha-beta --heuristic {heuristic} --book none --depth {depth}")
}

/// The claim that the first heuristic is the better one.
fn duel(lab: &mut dyn Laboratory, first: &str, second: &str) -> Result<Measurement, ParseError> {
    let depth = lab.depth();
    let played = lab.play(&player(first, depth), &player(second, depth), lab.games())?;
    let score = played.score;
    let measured = format!(
        "{first} scores {} against {second} in {} games at depth {depth}; {:.2} and {:.2} ms per move",
        score.percent(),
        played.games.len(),
        played.move_millis[0],
        played.move_millis[1],
    );
    Ok(Measurement { measured, verdict: Verdict::within(score, 0.5, 1.0), how: played.command })
}

fn time_of_complex(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let depth = lab.depth();
    let played = lab.play(&player("rows", depth), &player("complex", depth), lab.games())?;
    let ratio = played.time_ratio();
    let measured = format!(
        "complex takes {} times as long per move as rows, in {} games at depth {depth}",
        ratio.figure(),
        played.games.len()
    );
    Ok(Measurement { measured, verdict: Verdict::within(ratio, 0.9, 1.1), how: played.command })
}

fn killer(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let depth = lab.depth();
    let player = |name: &str, word: &str| {
        format!("{name}=awele alpha-beta --killer {word} --book none --depth {depth}")
    };
    let played = lab.play(&player("without", "off"), &player("with", "on"), lab.games())?;
    let score = played.score;
    let measured = format!(
        "without killer replies it scores {} against itself with them, in {} games at depth {depth}",
        score.percent(),
        played.games.len()
    );
    Ok(Measurement { measured, verdict: Verdict::within(score, 0.5, 1.0), how: played.command })
}

/// How much deeper than this the searches go whose cost is compared.
const SHALLOW: u32 = 9;
const DEEP: u32 = 13;

fn branching(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    let positions = positions(lab, 40, Phase::Beginning)?;
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    for (i, position) in positions.iter().enumerate() {
        lab.say(&format!("position {} of {}", i + 1, positions.len()));
        let (shallow, deep) = (cost(&engine, position, SHALLOW), cost(&engine, position, DEEP));
        // What is seen to the end of the game costs no more at any depth.
        if deep.depth == DEEP {
            let per_ply = |ratio: f64| ratio.powf(1.0 / f64::from(DEEP - SHALLOW));
            times.push(per_ply(deep.seconds / shallow.seconds));
            nodes.push(per_ply(deep.nodes / shallow.nodes));
        }
    }
    let (time, nodes) = (Interval::of_ratios(&times), Interval::of_ratios(&nodes));
    let measured = format!(
        "a ply more takes {} times as long and {} times the nodes, from {SHALLOW} to {DEEP} plies in \
         {} positions at the beginning of games",
        time.figure(),
        nodes.figure(),
        times.len()
    );
    let how = "referee experiment awele --claim factor-6".into();
    Ok(Measurement { measured, verdict: Verdict::within(time, 5.5, 6.5), how })
}

struct SearchCost {
    seconds: f64,
    nodes: f64,
    depth: u32,
}

/// What a search costs, in processor time where the system tells.
fn cost(engine: &AlphaBeta, position: &Position, depth: u32) -> SearchCost {
    let (begun, cpu) = (Instant::now(), thread_time());
    let found = engine.search(position, Budget::depth(depth));
    let cpu = cpu.and_then(|before| Some(thread_time()?.saturating_sub(before)));
    let seconds = cpu.unwrap_or_else(|| begun.elapsed()).as_secs_f64();
    SearchCost { seconds: seconds.max(1e-6), nodes: found.nodes as f64, depth: found.depth }
}

/// The initialisation of the report's tournament.
const INIT: Duration = Duration::from_secs(60);

fn calibration(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    let mut stops = Vec::new();
    for run in 1..=5 {
        lab.say(&format!("calibration {run} of 5"));
        stops.push(engine.calibrated(INIT).calibrated_at());
    }
    let (least, most) = (stops.iter().min(), stops.iter().max());
    let (least, most) = (*least.expect("there are five"), *most.expect("there are five"));
    let interval =
        Interval { value: f64::from(stops[0]), low: f64::from(least), high: f64::from(most) };
    let measured = format!("five calibrations stop at levels {least} to {most} here");
    let how = "referee experiment awele --claim calibration-13-to-15".into();
    Ok(Measurement { measured, verdict: Verdict::within(interval, 13.0, 15.0), how })
}

/// A reply that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(4);

fn degraded(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    lab.say("calibration");
    let depth = engine.calibrated(INIT).degraded;
    let positions = positions(lab, 60, Phase::Late)?;
    let mut seconds = Vec::new();
    for (i, position) in positions.iter().enumerate() {
        lab.say(&format!("position {} of {}", i + 1, positions.len()));
        let begun = Instant::now();
        engine.search(position, Budget { depth: Some(depth), ..Budget::time(PATIENCE) });
        seconds.push(begun.elapsed().as_secs_f64());
    }
    let quick = seconds.iter().filter(|&&taken| taken < 1.0).count();
    let share = Interval::of_share(quick, seconds.len());
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let measured = format!(
        "at depth {depth} {} of {} positions after two thirds of a game take under a second; mean \
         {mean:.2} s, longest {}",
        share.percent(),
        seconds.len(),
        if longest >= PATIENCE.as_secs_f64() {
            "over 4 s".into()
        } else {
            format!("{longest:.2} s")
        },
    );
    let how = "referee experiment awele --claim degraded-under-a-second".into();
    Ok(Measurement { measured, verdict: Verdict::within(share, 0.99, 1.0), how })
}

/// Where in a game a position is taken.
#[derive(Clone, Copy)]
enum Phase {
    /// After the opening, on a board that is nearly full.
    Beginning,
    /// After two thirds of the moves.
    Late,
}

/// Positions of games between equals.
fn positions(
    lab: &mut dyn Laboratory,
    games: u64,
    phase: Phase,
) -> Result<Vec<Position>, ParseError> {
    let player = |name: &str| format!("{name}=awele alpha-beta --book none --depth 5");
    let played = lab.play(&player("one"), &player("other"), games)?;
    played.games.iter().map(|game| position_in(game, phase)).collect()
}

fn position_in(played: &LabGame, phase: Phase) -> Result<Position, ParseError> {
    let game = Awele::from_rules("")?;
    let opening: Opening = game.parse_setup_text(&played.setup)?;
    let mut position = game.start(&opening)?;
    let end = match phase {
        Phase::Beginning => 0,
        Phase::Late => played.moves.len() * 2 / 3,
    };
    for (seat, text, _) in &played.moves[..end] {
        let pit = game.parse_move(text)?;
        let accepted = position.play(*seat, pit);
        accepted.map_err(|why| ParseError::new(format!("'{text}': {why}")))?;
    }
    Ok(position)
}
