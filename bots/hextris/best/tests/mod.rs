mod parts;

use super::*;
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{
    draw_problem, score, Phrases, Play, Problem, Rules, SolutionEnd, Terrain,
};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use std::time::Duration;

/// The contest's, two of a custom kind, and none.
fn phrase_sets() -> Vec<Phrases> {
    let custom = |phrases: &[&str]| Phrases::new(phrases).unwrap();
    vec![
        Phrases::official(),
        custom(&["pkkpdbbd", "aaaabbbb", "aabllp", "ssseespsps", "uuuuu", "ddddd"]),
        custom(&["pkkpdbbd", "ssseespsps", "pb", "sd"]),
        custom(&[]),
    ]
}

fn terrains(rules: &str, count: usize) -> impl Iterator<Item = Terrain> {
    let (rules, mut rng) = (Rules::parse(rules).unwrap(), Rng::new(15));
    (0..count).map(move |_| Terrain::new(draw_problem(&rules, &mut rng)))
}

fn answer(terrain: &Terrain, phrases: &Phrases, budget: Budget) -> String {
    let play = Play::new(terrain, terrain.problem().source_seeds[0]);
    let start = GameStart::new(terrain, phrases, &play);
    let letters = solve(start, &BeamParams::default(), &mut Limiter::new(budget));
    String::from_utf8(letters).unwrap()
}

#[test]
fn answers_are_allowed_and_play_to_the_end() {
    for phrases in phrase_sets() {
        for terrain in terrains("small", 6).chain(terrains("contest length=8", 2)) {
            for nodes in [1, 40, 500] {
                let text = answer(&terrain, &phrases, Budget::nodes(nodes));
                let seed = terrain.problem().source_seeds[0];
                let score = score(&terrain, seed, &text, &phrases);
                let is_over =
                    matches!(score.ending, SolutionEnd::SourceEmpty | SolutionEnd::BoardFull);
                assert!(
                    is_over && score.total() > 0,
                    "{:?} {}",
                    score,
                    terrain.problem().to_json()
                );
            }
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_answer() {
    let units = r#"[{"members": [{"x": 0, "y": 0}, {"x": 0, "y": 2}], "pivot": {"x": 0, "y": 0}},
        {"members": [{"x": 0, "y": 0}], "pivot": {"x": 0, "y": 0}}]"#;
    let text = format!(
        r#"{{"id": 0, "width": 3, "height": 4, "units": {units}, "filled": [{{"x": 1, "y": 2}}],
            "sourceLength": 9, "sourceSeeds": [17]}}"#
    );
    let terrain = Terrain::new(Problem::parse(&text).unwrap());
    assert_eq!(answer(&terrain, &Phrases::official(), Budget::nodes(40)), "");
}

#[test]
fn a_limit_of_depth_is_one_of_width() {
    let terrain = terrains("small", 1).next().unwrap();
    let (phrases, play) = (Phrases::official(), Play::new(&terrain, 0));
    let start = GameStart::new(&terrain, &phrases, &play);
    let nodes = |depth| {
        let mut limiter = Limiter::new(Budget::depth(depth));
        solve(start, &BeamParams::default(), &mut limiter);
        limiter.nodes()
    };
    let spent = [1, 2, 4].map(nodes);
    assert!(
        0 < spent[0] && 3 * spent[0] < 2 * spent[1] && 3 * spent[1] < 2 * spent[2],
        "{spent:?}"
    );
}

#[test]
fn there_is_an_answer_where_there_is_no_time() {
    let terrain = terrains("contest", 1).next().unwrap();
    let text = answer(&terrain, &Phrases::official(), Budget::time(Duration::ZERO));
    let seed = terrain.problem().source_seeds[0];
    assert!(score(&terrain, seed, &text, &Phrases::official()).total() > 0);
}

#[test]
fn under_a_limit_of_nodes_an_answer_is_always_the_same_and_more_of_them_help() {
    let (terrain, phrases) = (terrains("small", 1).next().unwrap(), Phrases::official());
    let value = |nodes| {
        let texts = [0, 1].map(|_| answer(&terrain, &phrases, Budget::nodes(nodes)));
        assert_eq!(texts[0], texts[1]);
        score(&terrain, terrain.problem().source_seeds[0], &texts[0], &phrases).total()
    };
    assert!(value(8_000) > value(300));
}

fn assert_pass_knows_its_score(terrain: &Terrain, phrases: &Phrases) {
    let seed = terrain.problem().source_seeds[0];
    let play = Play::new(terrain, seed);
    let start = GameStart::new(terrain, phrases, &play);
    for width in [1, 3] {
        let mut beam = beam::Beam::new(start, &BeamParams::default(), 3);
        let mut best = 0;
        for weights in [0, 1] {
            let params = pass_plan::EvalParams { weights, scale: 0.4 };
            let plan = pass_plan::PassPlan { params, units: usize::MAX, until: 1.0, patience: 1.0 };
            let result = beam.pass(&plan, &mut Limiter::new(Budget::depth(width)));
            best = best.max(result.score);
            let text = String::from_utf8(beam.text()).unwrap();
            assert_eq!(best, score(terrain, seed, &text, phrases).total());
        }
    }
}

/// A pass counts what the scorer counts.
#[test]
fn a_pass_knows_its_score() {
    for phrases in phrase_sets() {
        for terrain in terrains("small", 8).chain(terrains("contest length=6", 2)) {
            assert_pass_knows_its_score(&terrain, &phrases);
        }
    }
}

/// A problem whose unit turns about a pivot far away.
#[test]
fn a_far_pivot_does_no_harm() {
    let text = "{\"id\":0,\"width\":9,\"height\":9,\"filled\":[],\"sourceLength\":3,\"sourceSeeds\":[0],
        \"units\":[{\"members\":[{\"x\":0,\"y\":0},{\"x\":1,\"y\":0}],\"pivot\":{\"x\":999999,\"y\":0}}]}";
    let terrain = Terrain::new(Problem::parse(text).unwrap());
    let text = answer(&terrain, &Phrases::official(), Budget::nodes(1000));
    let score = score(&terrain, 0, &text, &Phrases::official());
    assert_eq!((score.locked, score.ending), (3, SolutionEnd::SourceEmpty));
}

/// One cell can end a row in the leftmost column, and in the row below it can go where none is ended: places that
/// are alike but for a swap of row and column.
#[test]
fn places_of_one_cell_are_told_apart() {
    let gaps = [(5, [0, 0]), (6, [1, 3]), (7, [2, 2])];
    let filled = gaps.iter().flat_map(|(y, gaps)| {
        let cells = (0..6).filter(|x| !gaps.contains(x));
        cells.map(move |x| format!("{{\"x\":{x},\"y\":{y}}}"))
    });
    let filled: Vec<String> = filled.collect();
    let text = format!(
        "{{\"id\":0,\"width\":6,\"height\":8,\"filled\":[{}],\"sourceLength\":12,\"sourceSeeds\":[0],
        \"units\":[{{\"members\":[{{\"x\":0,\"y\":0}}],\"pivot\":{{\"x\":0,\"y\":0}}}}]}}",
        filled.join(",")
    );
    let terrain = Terrain::new(Problem::parse(&text).unwrap());
    for phrases in phrase_sets() {
        assert_pass_knows_its_score(&terrain, &phrases);
    }
}
