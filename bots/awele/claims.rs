//! The claims of the report that the bot `alpha-beta` follows: T. Blaiset, O. Hécart, S. Machefert,
//! A. Méré, "Projet Awélé", IFIPS, 2005.

use crate::awele::{AlphaBeta, Heuristic};
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{
    Claim, Experiments, Interval, LabGame, LabMatch, Laboratory, MatchRequest, Measurement, Verdict,
};
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Awele, Position};
use arbitre_games::search::budget::Budget;
use arbitre_games::search::cpu_time::{Moment, TimeKind};
use std::time::{Duration, Instant};

/// Claims of the report about its program.
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

/// Returns the command of the bot without a book, with these options.
fn player(name: &str, options: &str, depth: u32) -> String {
    format!("{name}=awele alpha-beta {options} --book none --depth {depth}")
}

/// Plays a match of programs between two players, each with a name and options.
fn matched(
    lab: &mut dyn Laboratory,
    players: [(&str, &str); 2],
    depth: u32,
    games: u64,
) -> Result<LabMatch, ParseError> {
    let [first, second] = players.map(|(name, options)| player(name, options, depth));
    lab.play(MatchRequest { players: [&first, &second], rules: "", games, inside: false })
}

/// Plays a match at the depth of the laboratory. Returns it with the words for its size.
fn usual_match(
    lab: &mut dyn Laboratory,
    players: [(&str, &str); 2],
) -> Result<(LabMatch, String), ParseError> {
    let (depth, games) = (lab.depth(), lab.games());
    let played = matched(lab, players, depth, games)?;
    let size = format!("in {} games at depth {depth}", played.games.len());
    Ok((played, size))
}

/// Measures the claim that the first heuristic is the better one.
fn duel(lab: &mut dyn Laboratory, first: &str, second: &str) -> Result<Measurement, ParseError> {
    let options = [first, second].map(|name| format!("--heuristic {name}"));
    let (played, size) = usual_match(lab, [(first, &options[0]), (second, &options[1])])?;
    let (score, [ms, other_ms]) = (played.score, played.move_millis);
    let measured = format!(
        "{first} scores {} against {second} {size}; {ms:.2} and {other_ms:.2} ms per move",
        score.percent(),
    );
    Ok(played.within(measured, score, 0.5, 1.0))
}

fn time_of_complex(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = [("rows", "--heuristic rows"), ("complex", "--heuristic complex")];
    let (played, size) = usual_match(lab, players)?;
    let ratio = played.time_ratio();
    let measured =
        format!("complex takes {} times as long per move as rows, {size}", ratio.figure());
    Ok(played.within(measured, ratio, 0.9, 1.1))
}

fn killer(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let players = [("without", "--killer off"), ("with", "--killer on")];
    let (played, size) = usual_match(lab, players)?;
    let score = played.score;
    let measured = format!(
        "without killer replies it scores {} against itself with them, {size}",
        score.percent()
    );
    Ok(played.within(measured, score, 0.5, 1.0))
}

/// Returns what was measured without a match that could be played again.
fn measured(claim: &str, measured: String, verdict: Verdict) -> Measurement {
    Measurement { measured, verdict, how: format!("referee experiment awele --claim {claim}") }
}

/// Depth of the shallower search of which the cost is compared, in plies. Not tuned.
const SHALLOW: u32 = 9;
/// Depth of the deeper one, in plies. Not tuned.
const DEEP: u32 = 13;

fn branching(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    let positions = positions(lab, 40, |_| 0)?;
    let (mut times, mut nodes) = (Vec::new(), Vec::new());
    for (i, position) in positions.iter().enumerate() {
        lab.say(&format!("position {} of {}", i + 1, positions.len()));
        let (shallow, deep) = (cost(&engine, position, SHALLOW), cost(&engine, position, DEEP));
        // A position searched to the end of the game costs no more at a larger depth.
        if deep.depth == DEEP {
            let per_ply = |ratio: f64| ratio.powf(1.0 / f64::from(DEEP - SHALLOW));
            times.push(per_ply(deep.seconds / shallow.seconds));
            nodes.push(per_ply(deep.nodes / shallow.nodes));
        }
    }
    let (time, nodes) = (Interval::of_ratios(&times), Interval::of_ratios(&nodes));
    let figures = format!(
        "a ply more takes {} times as long and {} times the nodes, from {SHALLOW} to {DEEP} plies in \
         {} positions at the beginning of games",
        time.figure(),
        nodes.figure(),
        times.len()
    );
    Ok(measured("factor-6", figures, Verdict::within(time, 5.5, 6.5)))
}

struct SearchCost {
    seconds: f64,
    nodes: f64,
    depth: u32,
}

/// What a search costs, in processor time where the system tells.
fn cost(engine: &AlphaBeta, position: &Position, depth: u32) -> SearchCost {
    let begun = Moment::now();
    let found = engine.search(position, Budget::depth(depth));
    let seconds = begun.elapsed(TimeKind::Cpu).as_secs_f64();
    SearchCost { seconds: seconds.max(1e-6), nodes: found.nodes as f64, depth: found.depth }
}

/// Initialisation time of the report's tournament.
const INIT: Duration = Duration::from_secs(60);

fn calibration(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    let mut stops = Vec::new();
    for run in 1..=5 {
        lab.say(&format!("calibration {run} of 5"));
        stops.push(engine.calibrated(INIT, TimeKind::Wall).calibrated_at());
    }
    let first = f64::from(stops[0]);
    stops.sort_unstable();
    let (least, most) = (stops[0], stops[4]);
    let interval = Interval { value: first, low: least.into(), high: most.into() };
    let figures = format!("five calibrations stop at levels {least} to {most} here");
    Ok(measured("calibration-13-to-15", figures, Verdict::within(interval, 13.0, 15.0)))
}

/// Longest reply that is waited for. Not tuned.
const PATIENCE: Duration = Duration::from_secs(4);

fn degraded(lab: &mut dyn Laboratory) -> Result<Measurement, ParseError> {
    let engine = AlphaBeta::new(Heuristic::Rows);
    lab.say("calibration");
    let depth = engine.calibrated(INIT, TimeKind::Wall).degraded;
    let positions = positions(lab, 60, |plies| plies * 2 / 3)?;
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
    let figures = format!(
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
    Ok(measured("degraded-under-a-second", figures, Verdict::within(share, 0.99, 1.0)))
}

/// Returns a position from each of `games` games between equals; `plies` maps the length of a game
/// to the number of plies played before it.
fn positions(
    lab: &mut dyn Laboratory,
    games: u64,
    plies: fn(usize) -> usize,
) -> Result<Vec<Position>, ParseError> {
    let game = Awele::from_rules("")?;
    let played = matched(lab, ["one", "other"].map(|name| (name, "--killer off")), 5, games)?;
    let position =
        |played: &LabGame| Ok(played.positions(&game)?.swap_remove(plies(played.moves.len())));
    played.games.iter().map(position).collect()
}
