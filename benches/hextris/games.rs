//! The games to score: problems with legal solutions.

use arbitre_test_support::data;

use arbitre::bots::hextris::best::BeamParams;
use arbitre::bots::hextris::taupegoons::TaupeGoons;
use arbitre::bots::hextris::GameStart;
use arbitre::dialect::Notation;
use arbitre::game::Game;
use arbitre::games::hextris::json::Json;
use arbitre::games::hextris::{
    score, Hextris, Phrases, Play, Problem, Solution, SolutionEnd, Terrain,
};
use arbitre::rng::Rng;
use arbitre::search::budget::{Budget, Limiter};
use flate2::read::GzDecoder;
use std::fs::{read_to_string, File};
use std::io::Read;

/// Number of drawn problems. Not tuned.
const DRAWN: usize = 40;
/// Number of problems of the contest.
const OF_THE_CONTEST: usize = 33;

/// Problems with solutions.
pub struct ScoredGames {
    /// Source of the problems.
    pub name: &'static str,
    pub terrains: Vec<Terrain>,
    /// Solutions by problem.
    pub solutions: Vec<Vec<Solution<'static>>>,
}

/// Returns random problems (seed 1), each with the solution of the TaupeGoons solver.
pub fn drawn() -> ScoredGames {
    let game = Hextris::from_rules("").expect("the default rules are valid");
    let setups = game.setups(1, 0, Rng::new(1)).take(DRAWN);
    let terrains: Vec<Terrain> =
        setups.map(|setup| Terrain::new(setup.problem.as_ref().clone())).collect();
    let solutions = terrains.iter().map(|terrain| vec![play(terrain)]).collect();
    ScoredGames { name: "problems of our own", terrains, solutions }
}

fn play(terrain: &Terrain) -> Solution<'static> {
    let (problem, phrases) = (terrain.problem(), Phrases::official());
    let seed = problem.source_seeds[0];
    let play = Play::new(terrain, seed);
    let start = GameStart::new(terrain, &phrases, &play);
    let letters = TaupeGoons::USUAL.solve(
        &start,
        &BeamParams::default(),
        &mut Limiter::new(Budget::default()),
    );
    let text = String::from_utf8(letters).expect("commands are letters");
    Solution { problem: problem.id, seed, tag: None, text: text.into() }
}

/// Returns the public solutions of the contest that do not score zero, or `None` without the data.
pub fn of_the_contest() -> Option<ScoredGames> {
    let folder = data::data("icfp2015", "the public solutions of the contest")?;
    let terrain = |id: usize| {
        let text = read_to_string(folder.join(format!("problems/problem_{id}.json")));
        Terrain::new(Problem::parse(&text.expect("a file")).expect("a problem"))
    };
    let terrains: Vec<Terrain> = (0..OF_THE_CONTEST).map(terrain).collect();
    let mut lines = String::new();
    let file = File::open(folder.join("solutions.jsonl.gz")).expect("a file");
    GzDecoder::new(file).read_to_string(&mut lines).expect("compressed text");
    let (mut solutions, phrases) = (vec![Vec::new(); OF_THE_CONTEST], Phrases::official());
    for line in lines.lines() {
        let json = Json::parse(line).expect("a solution");
        let number = |name| json.get(name).and_then(Json::integer).expect("a number") as u32;
        let (problem, seed) = (number("problem"), number("seed"));
        let text = json.get("solution").and_then(Json::text).expect("a string");
        let scored = score(&terrains[problem as usize], seed, text, &phrases);
        if !matches!(scored.ending, SolutionEnd::ZeroScore(_)) {
            let text = text.to_string().into();
            solutions[problem as usize].push(Solution { problem, seed, tag: None, text });
        }
    }
    Some(ScoredGames { name: "public solutions of the contest", terrains, solutions })
}
