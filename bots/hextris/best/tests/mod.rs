mod parts;

use super::*;
use crate::hextris::start::GameStart;
use crate::hextris::testing::{assert_is_over, play_game, problem, terrain, terrains, SINGLE};
use arbitre_games::games::hextris::{
    Cell, EndReason, Phrases, Play, Problem, Score, SolutionEnd, Terrain,
};
use arbitre_games::search::budget::{Budget, Limiter};
use std::time::Duration;

/// Returns the phrases of the contest, two custom sets, and an empty one.
fn phrase_sets() -> Vec<Phrases> {
    let custom = |phrases: &[&str]| Phrases::new(phrases).unwrap();
    vec![
        Phrases::official(),
        custom(&["pkkpdbbd", "aaaabbbb", "aabllp", "ssseespsps", "uuuuu", "ddddd"]),
        custom(&["pkkpdbbd", "ssseespsps", "pb", "sd"]),
        custom(&[]),
    ]
}

fn answer(terrain: &Terrain, phrases: &Phrases, budget: Budget) -> (String, Score) {
    let mut limiter = Limiter::new(budget);
    play_game(terrain, phrases, |start| solve(start, &BeamParams::default(), &mut limiter))
}

#[test]
fn answers_are_legal_and_complete_even_without_time() {
    for phrases in phrase_sets() {
        for terrain in terrains("small", 6).chain(terrains("contest length=8", 2)) {
            let budgets = [1, 40, 500].map(Budget::nodes).into_iter();
            for budget in budgets.chain([Budget::time(Duration::ZERO)]) {
                assert_is_over(&answer(&terrain, &phrases, budget).1, &terrain);
            }
        }
    }
}

#[test]
fn finished_game_has_an_empty_answer() {
    let problem = problem(3, 4, &[&[(0, 0), (0, 2)], SINGLE], &[(1, 2)]);
    let terrain = Terrain::new(Problem { source_seeds: vec![17], ..problem });
    assert_eq!(answer(&terrain, &Phrases::official(), Budget::nodes(40)).0, "");
}

#[test]
fn depth_limit_limits_the_width() {
    let (terrain, phrases) = (terrain("small", 0), Phrases::official());
    let nodes = |depth| {
        let (play, mut limiter) = (Play::new(&terrain, 0), Limiter::new(Budget::depth(depth)));
        let start = GameStart::new(&terrain, &phrases, &play);
        solve(start, &BeamParams::default(), &mut limiter);
        limiter.nodes()
    };
    let spent = [1, 2, 4].map(nodes);
    let grows = |less: u64, more: u64| 3 * less < 2 * more;
    assert!(0 < spent[0] && grows(spent[0], spent[1]) && grows(spent[1], spent[2]), "{spent:?}");
}

#[test]
fn answers_under_a_node_limit_are_deterministic_and_improve_with_it() {
    let (terrain, phrases) = (terrain("small", 0), Phrases::official());
    let value = |nodes| {
        let answers = [0, 1].map(|_| answer(&terrain, &phrases, Budget::nodes(nodes)));
        assert_eq!(answers[0], answers[1]);
        answers[0].1.total()
    };
    assert!(value(8_000) > value(300));
}

/// Returns a problem with places that are equal except for a swap of row and column. A single cell
/// can complete a row in its leftmost column; in the row below it can lock without completing one.
fn swapped_places() -> Terrain {
    let gaps = [(5, [0, 0]), (6, [1, 3]), (7, [2, 2])];
    let filled = gaps
        .iter()
        .flat_map(|&(y, gaps)| (0..6).filter(move |x| !gaps.contains(x)).map(move |x| (x, y)));
    Terrain::new(problem(6, 8, &[SINGLE], &filled.collect::<Vec<_>>()))
}

/// Compares the score of a pass with that of the scorer.
#[test]
fn pass_score_equals_the_scorer() {
    for phrases in phrase_sets() {
        let drawn = terrains("small", 8).chain(terrains("contest length=6", 2));
        for (terrain, width) in
            drawn.chain([swapped_places()]).flat_map(|t| [(t.clone(), 1), (t, 3)])
        {
            let play = Play::new(&terrain, terrain.problem().source_seeds[0]);
            let start = GameStart::new(&terrain, &phrases, &play);
            let mut beam = beam::Beam::new(start, &BeamParams::default(), 3);
            let mut best = 0;
            for weights in [pass_plan::SMOOTH, pass_plan::ROWS] {
                let params = pass_plan::EvalParams { weights, ..pass_plan::EvalParams::USUAL };
                let units = usize::MAX;
                let plan = pass_plan::PassPlan { params, units, until: 1.0, patience: 1.0 };
                let result = beam.pass(&plan, &mut Limiter::new(Budget::depth(width)));
                best = best.max(result.score);
                let (_, score) = play_game(&terrain, &phrases, |_| beam.text());
                assert_eq!(best, score.total());
            }
        }
    }
}

/// The unit turns about a pivot far away.
#[test]
fn far_pivot_is_handled() {
    let mut problem = problem(9, 9, &[&[(0, 0), (1, 0)]], &[]);
    problem.units[0].pivot = Cell { x: 999_999, y: 0 };
    let (_, score) = answer(&Terrain::new(problem), &Phrases::official(), Budget::nodes(1000));
    assert_eq!((score.locked, score.ending), (12, SolutionEnd::Over(EndReason::SourceEmpty)));
}
