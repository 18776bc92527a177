//! Gauntlet with a test of the first player against each opponent.

use crate::formats::field::{games, start, Field};
use arbitre::internals::formats::tested_gauntlet::{evidence_of_first, TestedGauntlet, BATCH};
use arbitre::internals::formats::{Format, GameCount, History, Stage};
use arbitre::internals::statistics::rating::Pairs;
use arbitre::internals::statistics::sprt::evidence::{Evidence, GameText, LEAST_PASS};
use arbitre::internals::statistics::sprt::{Hypothesis, Repeats, Sprt, TestEnd};

const TEST: &str = "elo0=0,elo1=60";
/// Most rounds against an opponent.
const ROUNDS: u64 = 400;

/// Players of which the first is stronger than the second, weaker than the third, and between.
fn field(seed: u64) -> Field {
    Field { strengths: vec![0.0, -150.0, 150.0, -30.0, -60.0], ..Field::equal(5, seed) }
}

fn format(players: usize) -> TestedGauntlet {
    TestedGauntlet::new(players, 2, ROUNDS, Sprt::parse(TEST).unwrap()).unwrap()
}

/// Returns the points of player 0 in each round against an opponent, in half points, counted from
/// the rankings alone.
fn rounds(history: &History, opponent: usize) -> Vec<u64> {
    let meetings = history.stages.iter().flat_map(|stage| &stage.meetings);
    let own = meetings.filter(|of| of.meeting.players == [0, opponent]);
    let mut rounds: Vec<(u64, u64)> = own
        .map(|of| (of.meeting.first_round, of.rankings.against(history.players())[0][opponent]))
        .collect();
    rounds.sort_unstable();
    let numbers: Vec<u64> = rounds.iter().map(|(round, _)| *round).collect();
    assert_eq!(numbers, (0..rounds.len() as u64).collect::<Vec<_>>(), "rounds without a gap");
    rounds.into_iter().map(|(_, half_points)| half_points).collect()
}

/// Returns the first number of rounds after which the test is decided, and its decision, from the
/// sequence of results: it is evaluated after each batch.
fn decision(sequence: &[u64]) -> Option<(usize, Hypothesis)> {
    let test = Sprt::parse(TEST).unwrap();
    let mut pairs = Pairs::default();
    sequence.iter().enumerate().find_map(|(at, half_points)| {
        *[&mut pairs.ll, &mut pairs.ld, &mut pairs.wl, &mut pairs.wd, &mut pairs.ww]
            [*half_points as usize] += 1;
        let is_batch = (at as u64 + 1).is_multiple_of(BATCH);
        let verdict = test.verdict(test.llr_of_pairs(&pairs)).filter(|_| is_batch);
        verdict.map(|hypothesis| (at + 1, hypothesis))
    })
}

#[test]
fn each_decision_is_that_of_the_test_on_the_results() {
    let (mut accepted, mut undecided) = ([0; 2], 0);
    for seed in 0..20 {
        let history = field(seed).run(&format(5));
        for opponent in 1..5 {
            let sequence = rounds(&history, opponent);
            match decision(&sequence) {
                Some((length, hypothesis)) => {
                    assert_eq!(length, sequence.len(), "opponent {opponent} of seed {seed}");
                    accepted[hypothesis as usize] += 1;
                }
                None => {
                    assert_eq!(sequence.len() as u64, ROUNDS);
                    undecided += 1;
                }
            }
        }
        let decided = |opponent: usize| decision(&rounds(&history, opponent)).map(|of| of.1);
        assert_eq!(decided(1), Some(Hypothesis::H1), "seed {seed}");
        assert_eq!(decided(2), Some(Hypothesis::H0), "seed {seed}");
    }
    assert!(accepted.iter().all(|&count| count > 20) && undecided > 0, "{accepted:?} {undecided}");
}

/// The course of a test depends on its own results only.
#[test]
fn opponents_do_not_change_each_other() {
    let all = field(3).run(&format(5));
    let two = Field { strengths: vec![0.0, -150.0], ..field(3) }.run(&format(2));
    assert_eq!(rounds(&all, 1), rounds(&two, 1));
    assert!(rounds(&all, 1).len() < rounds(&all, 4).len());
}

/// A pair counts if both games are rated; the games that an absent player missed are not.
#[test]
fn pairs_are_counted_from_rated_games() {
    let history = field(5).run(&format(5));
    let test = Sprt::parse(TEST).unwrap();
    let evidence = evidence_of_first(&history, 0);
    assert_eq!(evidence[0], Evidence::default());
    let count = |of: &Evidence| of.pairs(Repeats::Once).count();
    for (opponent, of) in evidence.iter().enumerate().skip(1) {
        let sequence = rounds(&history, opponent);
        assert_eq!(count(of), sequence.len() as u64);
        let accepted = decision(&sequence).map(|(_, hypothesis)| TestEnd::Accepted(hypothesis));
        assert_eq!(test.end(of), accepted);
    }
    let mut missed = history.clone();
    missed.stages[0].meetings[0].rankings = Default::default();
    assert_eq!(count(&evidence_of_first(&missed, 0)[1]), count(&evidence[1]) - 1);
}

/// Programs without chance repeat the games of a short list. The test of such an opponent ends
/// after a pass without a new game, the others go on.
#[test]
fn openings_of_an_opponent_run_out() {
    const OPENINGS: u64 = 3;
    let field = field(4);
    let play = |stage: &Stage| {
        let mut played = field.play(stage);
        for of in played.meetings.iter_mut().filter(|of| of.meeting.players == [0, 4]) {
            let opening = of.meeting.first_round % OPENINGS;
            of.texts = (0..2).map(|game| GameText::new(&opening.to_string(), game)).collect();
        }
        played
    };
    let mut history = start(5);
    while let Some(stage) = format(5).next(&history) {
        history.stages.push(play(&stage));
    }
    let rounds_of = |opponent| {
        let meetings = history.stages.iter().flat_map(|stage| &stage.meetings);
        meetings.filter(|of| of.meeting.players == [0, opponent]).count() as u64
    };
    assert_eq!(rounds_of(4), (OPENINGS + LEAST_PASS).next_multiple_of(BATCH));
    let test = Sprt::parse(TEST).unwrap();
    assert_eq!(test.end(&evidence_of_first(&history, 0)[4]), Some(TestEnd::OpeningsRanOut));
    assert_eq!(rounds_of(3), rounds(&field.run(&format(5)), 3).len() as u64);
}

#[test]
fn absent_players_are_not_tested() {
    let mut history = start(5);
    history.present[2] = false;
    let stage = format(5).next(&history).unwrap();
    assert_eq!(stage.meetings.len() as u64, 3 * BATCH);
    assert!(stage.meetings.iter().all(|of| of.players[0] == 0 && of.players[1] != 2));
    history.present[0] = false;
    assert_eq!(format(5).next(&history), None);
}

#[test]
fn maximum_number_of_games_is_kept() {
    let always = Sprt::parse("elo0=-1,elo1=1,alpha=0.000001,beta=0.000001").unwrap();
    let format = TestedGauntlet::new(4, 2, 11, always).unwrap();
    assert_eq!(format.games(4), GameCount { least: 48, most: 66 });
    assert_eq!(games(&Field::equal(4, 1).run(&format)), 66, "the last batch is shorter");
    let error = |players, seats| TestedGauntlet::new(players, seats, 1, always).unwrap_err();
    let expected = "expected two seats for a test, got 3; help: leave out sprt";
    assert_eq!(error(5, 3).to_string(), expected);
    assert_eq!(error(1, 2).to_string(), "expected at least 2 players for 2 seats, got 1");
}
