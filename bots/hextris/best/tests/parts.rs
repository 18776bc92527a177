//! Tests of the parts of the beam: the phrase DP, its labels, the values of phrases, and the
//! evaluation of boards.

use super::*;
use crate::hextris::best::label_layer::{DpLabel, LabelLayer};
use crate::hextris::best::phrase_dp::{DpQuery, PhraseDp};
use crate::hextris::best::phrase_potential::{FirstUseValue, PhrasePotential, SpellingTable};
use crate::hextris::phrases::TextEnd;
use crate::hextris::row_direction::DIRECTIONS;
use crate::hextris::testing::{is_free, most_points, Shape};
use arbitre_games::games::hextris::{Command, PhraseNode, Piece, UnitPosition};
use arbitre_games::rng::Rng;
use std::collections::BTreeMap;

/// Number of labels per place at which none is ever dropped.
const ALL_LABELS: usize = 100;

#[test]
fn phrase_dp_finds_the_most_points_for_every_place() {
    let phrases = &Phrases::new(&["ei!", "da", "lp"]).unwrap();
    let (node, used, first_use, labels) = (Phrases::ROOT, u64::MAX, 0, ALL_LABELS);
    let mut places = 0;
    for terrain in terrains("size=3x2 length=1", 40) {
        let (piece, board) = (&terrain.pieces()[0], terrain.start());
        if piece.size() > 2 {
            continue;
        }
        let (mut free, spellings) = (Vec::new(), &spellings(phrases, piece, used));
        piece.free(board, &mut free);
        let (free, next_unit_spellings) = (&free, spellings);
        let query =
            DpQuery { piece, free, node, used, spellings, next_unit_spellings, first_use, labels };
        let options = PhraseDp::new(phrases).run(&query, &mut Limiter::new(Budget::default()));
        let mut most: BTreeMap<UnitPosition, u32> = BTreeMap::new();
        for option in &options {
            let entry = most.entry(option.at).or_default();
            *entry = (*entry).max(option.points);
        }
        let choices = |text: &TextEnd, command| {
            phrases.choices(text.node, command).iter().map(|choice| choice.letter).collect()
        };
        let expected = most_points(piece, board, TextEnd { phrases, node, used }, &choices);
        assert_eq!(most, expected, "{}", terrain.problem().to_json());
        places += most.len();
    }
    assert!(places > 60, "{places}");
}

#[test]
fn layer_keeps_the_best_label_of_each_node() {
    let mut layer = LabelLayer::default();
    layer.prepare(2, 2);
    let label = |node, points| DpLabel { node, points, key: points, ..Default::default() };
    for (node, points) in [(1, 5), (2, 3), (1, 4), (1, 7), (3, 6), (4, 1)] {
        layer.offer(1, &label(node, points), || 0);
    }
    let kept: Vec<(PhraseNode, i32)> = layer.labels(1).iter().map(|l| (l.node, l.points)).collect();
    assert_eq!(kept, [(1, 7), (3, 6)]);
    assert!(layer.labels(0).is_empty() && layer.occupied() == [1]);
    layer.clear();
    assert!(!layer.has_any() && layer.labels(1).is_empty());
}

fn spellings(phrases: &Phrases, piece: &Piece, used: u64) -> SpellingTable {
    PhrasePotential::new(phrases, piece)
        .spellings(phrases, &FirstUseValue { used, points: 300, partial_percent: 60 })
}

/// Returns a problem with a unit of one cell, and one of three cells that has six rotations.
fn one_and_three() -> Terrain {
    const THREE: Shape = &[(0, 0), (1, 0), (3, 0)];
    Terrain::new(problem(9, 9, &[SINGLE, THREE], &[]))
}

fn node_of(phrases: &Phrases, text: &str) -> usize {
    text.bytes().fold(Phrases::ROOT, |node, letter| phrases.after(node, letter)).into()
}

#[test]
fn partial_phrase_counts_by_the_letters_played() {
    let phrases = Phrases::new(&["abcd", "bx"]).unwrap();
    let terrain = one_and_three();
    let cases = [
        (1, "a", 0, 75, "a quarter"),
        (1, "ab", 1, 150, "the shorter end"),
        (1, "abc", 0, 225, "three quarters"),
        (1, "abc", 1, 0, "it was used"),
        (1, "abcd", 0, 0, "it is complete"),
        (0, "abc", 0, 0, "a unit of one cell cannot turn"),
    ];
    for (unit, text, used, expected, claim) in cases {
        let potential = PhrasePotential::new(&phrases, &terrain.pieces()[unit]);
        let value = |used| {
            let firsts = FirstUseValue { used, points: 300, partial_percent: 100 };
            potential.prefix_values(&firsts)[node_of(&phrases, text)]
        };
        assert_eq!(value(used) - value(u64::MAX), expected, "{claim}");
    }
}

/// In open space a partial phrase saves the rows that its played letters take.
#[test]
fn partial_phrase_has_the_value_of_its_cost_so_far() {
    let phrases = Phrases::new(&["lala"]).unwrap();
    let potential = PhrasePotential::new(&phrases, &one_and_three().pieces()[0]);
    let prefix_values =
        potential.prefix_values(&FirstUseValue { used: u64::MAX, points: 0, partial_percent: 0 });
    let values = ["", "l", "la", "lal", "lala"].map(|text| prefix_values[node_of(&phrases, text)]);
    // Two rows more bring another 8 points.
    assert_eq!(values, [0, 4, 8, 12, 8]);
    assert_eq!(prefix_values.len(), DIRECTIONS * phrases.nodes());
}

#[test]
fn best_spelling_of_a_command_comes_first() {
    let phrases = Phrases::official();
    for piece in one_and_three().pieces() {
        let spellings = spellings(&phrases, piece, 5);
        for node in 0..phrases.nodes() as PhraseNode {
            for (direction, command) in (0..DIRECTIONS).flat_map(|d| Command::ALL.map(|c| (d, c))) {
                let choices = spellings.of(direction, node, command);
                assert_eq!(choices.len(), phrases.choices(node, command).len());
                assert!(choices.is_sorted_by(|a, b| a.value >= b.value));
                for spelling in choices {
                    assert_eq!(spelling.next, phrases.after(node, spelling.letter));
                    assert_eq!(spelling.is_first, phrases.ended(spelling.next) & !5 != 0);
                }
            }
        }
    }
}

/// With `ROWS` a removed row counts no less than an almost full one, so nothing keeps the search
/// from completing a row.
#[test]
fn removing_a_row_pays() {
    let value = |cells: i32, removed: u32| {
        let filled: Vec<(i32, i32)> = (0..cells).map(|x| (x, 9)).collect();
        let terrain = Terrain::new(problem(12, 10, &[SINGLE], &filled));
        let evaluation = evaluate::BoardEvaluator::new(&terrain, &evaluate::EvalWeights::ROWS);
        evaluation.value(terrain.start(), removed, 50)
    };
    let by_cells = [8, 9, 10, 11].map(|cells| value(cells, 0));
    assert!(by_cells.is_sorted() && by_cells[3] < value(0, 1), "{by_cells:?}");
    assert!(by_cells[3] - by_cells[2] > 2.0 * (by_cells[1] - by_cells[0]), "{by_cells:?}");
}

#[test]
fn incremental_evaluation_equals_full_evaluation() {
    let mut rng = Rng::new(8);
    let weights = evaluate::WEIGHT_SETS.into_iter().cycle();
    for (terrain, weights) in terrains("contest", 30).zip(weights) {
        let evaluation = evaluate::BoardEvaluator::new(&terrain, &weights);
        let (mut board, mut scan) = (terrain.start().clone(), evaluate::RowScan::default());
        for _ in 0..40 {
            let piece = &terrain.pieces()[rng.below(terrain.pieces().len())];
            let at = piece.position(rng.below(piece.positions()));
            evaluation.scan(&board, 3, &mut scan);
            if !is_free(piece, &board, at) || board.lock(piece, at) > 0 {
                continue;
            }
            let first = usize::from(at.row);
            let changed = first..first + piece.rows(at).count();
            let soon = evaluation.value_beside(&scan, &board, changed, 20);
            let whole = evaluation.value(&board, 3, 20);
            assert!((soon - whole).abs() < 1e-6 * whole.abs().max(1.0), "{soon} {whole}");
        }
    }
}
