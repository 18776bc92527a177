//! The public solutions of the contest, each with its score and status.

use super::data::data;
use arbitre::games::hextris::json::Json;
use arbitre::games::hextris::{
    score, EndReason, IllegalCommand, Phrases, Problem, Score, SolutionEnd, Terrain, ZeroReason,
    ZeroScore,
};
use flate2::read::GzDecoder;
use std::fs::{read_to_string, File};
use std::io::Read;
use std::path::Path;

/// Number of public solutions.
const SOLUTIONS: usize = 13_868;

fn terrain(folder: &Path, id: i64) -> Terrain {
    let text = read_to_string(folder.join(format!("problems/problem_{id}.json"))).unwrap();
    Terrain::new(Problem::parse(&text).unwrap())
}

fn integer(json: &Json, name: &str) -> i64 {
    json.get(name).and_then(Json::integer).unwrap_or_else(|| panic!("{name}"))
}

/// Returns the contest's word for the state at the end of a solution.
fn status(ending: &SolutionEnd) -> &'static str {
    match ending {
        SolutionEnd::Over(EndReason::SourceEmpty) => "source_empty",
        SolutionEnd::Over(EndReason::BoardFull) => "board_full",
        SolutionEnd::MidGame => "midgame",
        SolutionEnd::ZeroScore(ZeroScore { reason, .. }) => match reason {
            ZeroReason::Illegal(IllegalCommand::Repeat) => "repeat",
            ZeroReason::Illegal(IllegalCommand::Over(EndReason::SourceEmpty)) => {
                "extra_commands_after_source_empty"
            }
            ZeroReason::Illegal(IllegalCommand::Over(EndReason::BoardFull)) => {
                "extra_commands_after_board_full"
            }
            ZeroReason::InvalidCharacter => "invalid_char",
            ZeroReason::UnlistedSeed => "badseed",
        },
    }
}

#[test]
fn every_public_solution_has_the_score_of_the_contest() {
    let Some(folder) = data("icfp2015", "the public solutions of the contest") else { return };
    let mut text = String::new();
    let file = File::open(folder.join("solutions.jsonl.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let terrains: Vec<Terrain> = (0..33).map(|id| terrain(&folder, id)).collect();
    let phrases = Phrases::official();
    for line in text.lines() {
        let json = Json::parse(line).unwrap();
        let (problem, seed) = (integer(&json, "problem"), integer(&json, "seed"));
        let solution = json.get("solution").and_then(Json::text).unwrap();
        let scored = score(&terrains[problem as usize], seed as u32, solution, &phrases);
        compare(&scored, &json, &format!("problem {problem}, seed {seed}, {solution:.60?}"));
    }
    assert_eq!(text.lines().count(), SOLUTIONS);
    // The task's own sample, which is among them, scores 3261.
    let sample = "\"problem\":6,\"seed\":0,\"score\":3261,";
    assert!(text.lines().any(|line| line.contains(sample) && line.contains("\"commands\":1180,")));
}

fn compare(scored: &Score, json: &Json, name: &str) {
    assert_eq!(Some(status(&scored.ending)), json.get("status").and_then(Json::text), "{name}");
    let counts = json.get("phrase_counts").and_then(Json::array).unwrap().iter();
    let counts: Vec<u32> = counts.map(|count| count.integer().unwrap() as u32).collect();
    assert_eq!(in_the_order_of_the_data(&scored.counts), counts, "{name}");
    let found = [scored.total(), scored.moves, scored.power, scored.commands];
    let more = [u64::from(scored.locked), u64::from(scored.lines)];
    let names = ["score", "move_score", "power_score", "commands", "locked", "lines"];
    for (value, what) in found.into_iter().chain(more).zip(names) {
        assert_eq!(value as i64, integer(json, what), "{what} of {name}");
    }
}

/// Index in the official list of each phrase, in the order in which the data count them.
const ORDER: [usize; 18] = [17, 14, 16, 15, 8, 9, 5, 6, 3, 1, 0, 7, 12, 13, 11, 4, 10, 2];

fn in_the_order_of_the_data(counts: &[u32]) -> Vec<u32> {
    ORDER.iter().filter_map(|&place| counts.get(place).copied()).collect()
}

#[test]
fn problem_5_lists_a_seed_twice() {
    let Some(folder) = data("icfp2015", "the problems of the contest") else { return };
    let terrain = terrain(&folder, 5);
    let scores: Vec<(u32, u64)> =
        terrain.problem().source_seeds.iter().map(|&seed| (seed, 100)).collect();
    assert_eq!((scores.len(), terrain.problem().team_score(&scores)), (10, 90));
}
