//! The parts of the beam: the programme, its labels, what phrases promise, and a survey.

use super::*;
use crate::hextris::best::label_layer::{DpLabel, LabelLayer};
use crate::hextris::best::phrase_dp::{DpQuery, PhraseDp};
use crate::hextris::best::phrase_potential::{FirstUseValue, PhrasePotential, SpellingTable};
use crate::hextris::row_direction::DIRECTIONS;
use arbitre_games::games::hextris::{
    Board, Command, PhraseNode, Piece, Row, UnitPosition, FIRST_USE,
};
use std::collections::{HashMap, HashSet};

/// All that the programme may write where every phrase was used before, path by path: in a row of the pivot one direction, at a cell one way to
/// turn. By position and node, the most points.
struct AllPaths<'a> {
    piece: &'a Piece,
    board: &'a Board,
    phrases: &'a Phrases,
    best: HashMap<(UnitPosition, PhraseNode), u32>,
}

/// Where a path is: points, first uses, and what was done in the row and at the cell.
#[derive(Clone)]
struct PathState {
    at: UnitPosition,
    node: PhraseNode,
    points: u32,
    used: u64,
    slide: Option<Command>,
    turn: Option<Command>,
    held: HashSet<UnitPosition>,
}

impl AllPaths<'_> {
    fn walk(&mut self, walk: &PathState) {
        for command in Command::ALL {
            let next = self.piece.advance(self.board, walk.at, command);
            if next.is_some_and(|next| walk.held.contains(&next) || !walk.may(command)) {
                continue;
            }
            for choice in self.phrases.choices(walk.node, command) {
                let mut then = walk.clone();
                then.node = choice.next;
                let ended = self.phrases.ended(choice.next);
                let fresh = (ended & !walk.used).count_ones();
                then.points += self.phrases.gain(choice.next) + fresh * FIRST_USE as u32;
                then.used |= ended;
                match next {
                    Some(next) => {
                        then.move_to(next, command);
                        self.walk(&then);
                    }
                    None => {
                        let best = self.best.entry((walk.at, then.node)).or_default();
                        *best = (*best).max(then.points);
                    }
                }
            }
        }
    }
}

impl PathState {
    fn may(&self, command: Command) -> bool {
        match command {
            Command::West | Command::East => self.slide.is_none_or(|slide| slide == command),
            Command::Clockwise | Command::CounterClockwise => {
                self.turn.is_none_or(|turn| turn == command)
            }
            _ => true,
        }
    }

    fn move_to(&mut self, next: UnitPosition, command: Command) {
        self.at = next;
        self.held.insert(next);
        match command {
            Command::West | Command::East => (self.slide, self.turn) = (Some(command), None),
            Command::Clockwise | Command::CounterClockwise => self.turn = Some(command),
            _ => (self.slide, self.turn) = (None, None),
        }
    }
}

/// So many labels that none is ever dropped.
const ALL_LABELS: usize = 100;

#[test]
fn the_programme_finds_the_most_points_for_every_place_and_node() {
    let phrases = Phrases::new(&["ei!", "da", "lp"]).unwrap();
    let mut places = 0;
    for terrain in terrains("size=3x2 length=1", 40) {
        let (piece, board) = (&terrain.pieces()[0], terrain.start());
        if piece.size() > 2 {
            continue;
        }
        let mut paths = AllPaths { piece, board, phrases: &phrases, best: HashMap::new() };
        let (at, node) = (piece.spawn(), Phrases::ROOT);
        let held = HashSet::from([at]);
        let used = u64::MAX;
        paths.walk(&PathState { at, node, points: 0, used, slide: None, turn: None, held });
        let mut free: Vec<Row> = Vec::new();
        piece.free(board, &mut free);
        let spellings = &spellings(&phrases, piece, used);
        let (first_use, labels) = (0, ALL_LABELS);
        let query = DpQuery {
            piece,
            free: &free,
            node,
            used,
            spellings,
            then: spellings,
            first_use,
            labels,
        };
        let mut phrase_dp = PhraseDp::new(&phrases);
        let ends = phrase_dp.run(&query, &mut Limiter::new(Budget::default()));
        let mut most: HashMap<UnitPosition, u32> = HashMap::new();
        for end in &ends {
            let entry = most.entry(end.at).or_default();
            *entry = (*entry).max(end.points);
        }
        let mut wanted: HashMap<UnitPosition, u32> = HashMap::new();
        for (&(at, _), &points) in &paths.best {
            let entry = wanted.entry(at).or_default();
            *entry = (*entry).max(points);
        }
        assert_eq!(most, wanted, "{}", terrain.problem().to_json());
        places += most.len();
    }
    assert!(places > 60, "{places}");
}

#[test]
fn a_layer_keeps_the_best_of_each_node() {
    let mut layer = LabelLayer::default();
    layer.prepare(2, 2);
    let label = |node, points| DpLabel { node, points, key: points, ..Default::default() };
    for (node, points) in [(1, 5), (2, 3), (1, 4), (1, 7), (3, 6), (4, 1)] {
        layer.offer(1, &label(node, points), || 0);
    }
    let kept: Vec<(PhraseNode, i32)> = layer.labels(1).iter().map(|l| (l.node, l.points)).collect();
    assert_eq!(kept, [(1, 7), (3, 6)]);
    assert!(layer.labels(0).is_empty() && layer.touched() == [1]);
    layer.clear();
    assert!(!layer.has_any() && layer.labels(1).is_empty());
}

fn spellings(phrases: &Phrases, piece: &Piece, used: u64) -> SpellingTable {
    PhrasePotential::new(phrases, piece)
        .spellings(phrases, &FirstUseValue { used, points: 300, begun_percent: 60 })
}

/// A unit of one cell, and one of three that has six rotations.
fn one_and_three() -> Terrain {
    let text = "{\"id\":0,\"width\":9,\"height\":9,\"filled\":[],\"sourceLength\":3,\"sourceSeeds\":[0],
        \"units\":[{\"members\":[{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}},
                 {\"members\":[{\"x\":0,\"y\":0},{\"x\":1,\"y\":0},{\"x\":3,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}]}";
    Terrain::new(Problem::parse(text).unwrap())
}

#[test]
fn a_first_use_that_was_begun_promises_more_the_more_of_it_is_there() {
    let phrases = Phrases::new(&["abcd", "bx"]).unwrap();
    let terrain = one_and_three();
    let first_use_at = |unit: usize, text: &str, used| {
        let potential = PhrasePotential::new(&phrases, &terrain.pieces()[unit]);
        let node = text.bytes().fold(Phrases::ROOT, |node, letter| phrases.after(node, letter));
        let prefix_values = |used| {
            let firsts = FirstUseValue { used, points: 300, begun_percent: 100 };
            potential.prefix_values(&firsts)[usize::from(node)]
        };
        prefix_values(used) - prefix_values(u64::MAX)
    };
    assert_eq!(first_use_at(1, "a", 0), 75);
    assert_eq!(first_use_at(1, "ab", 1), 150, "the shorter end");
    assert_eq!(first_use_at(1, "abc", 0), 225);
    assert_eq!(first_use_at(1, "abc", 1), 0, "it was used");
    assert_eq!(first_use_at(1, "abcd", 0), 0, "it is complete");
    assert_eq!(first_use_at(0, "abc", 0), 0, "a unit of one cell cannot turn");
}

/// In open space a phrase that was begun saves the rows that its beginning takes.
#[test]
fn a_phrase_is_worth_what_it_has_cost_so_far() {
    let phrases = Phrases::new(&["lala"]).unwrap();
    let potential = PhrasePotential::new(&phrases, &one_and_three().pieces()[0]);
    let prefix_values =
        potential.prefix_values(&FirstUseValue { used: u64::MAX, points: 0, begun_percent: 0 });
    let nodes = ["", "l", "la", "lal", "lala"].map(|text| {
        let node = text.bytes().fold(Phrases::ROOT, |node, letter| phrases.after(node, letter));
        prefix_values[usize::from(node)]
    });
    // Two rows more bring another 8 points.
    assert_eq!(nodes, [0, 4, 8, 12, 8]);
    assert_eq!(prefix_values.len(), DIRECTIONS * phrases.nodes());
}

#[test]
fn the_best_way_to_write_a_command_comes_first() {
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

/// To one judge a row that was removed is worth no less than one that is all but full, so that nothing keeps it
/// from its last cell.
#[test]
fn to_remove_a_row_pays() {
    let row = |cells: usize| {
        let filled: Vec<String> = (0..cells).map(|x| format!("{{\"x\":{x},\"y\":9}}")).collect();
        let text = format!(
            "{{\"id\":0,\"width\":12,\"height\":10,\"filled\":[{}],\"sourceLength\":1,
            \"sourceSeeds\":[0],
            \"units\":[{{\"members\":[{{\"x\":0,\"y\":0}}],\"pivot\":{{\"x\":0,\"y\":0}}}}]}}",
            filled.join(",")
        );
        Terrain::new(Problem::parse(&text).unwrap())
    };
    let value = |terrain: &Terrain, removed: u32| {
        let evaluation = evaluate::BoardEvaluator::new(terrain, &evaluate::EvalWeights::ROWS);
        evaluation.value(terrain.start(), removed, 50)
    };
    let by_cells: Vec<f64> = (8..12).map(|cells| value(&row(cells), 0)).collect();
    assert!(by_cells.is_sorted() && by_cells[3] < value(&row(0), 1), "{by_cells:?}");
    assert!(by_cells[3] - by_cells[2] > 2.0 * (by_cells[1] - by_cells[0]), "{by_cells:?}");
}

/// Boards that differ in a few rows, beside the whole look.
#[test]
fn a_survey_saves_looking_at_what_is_the_same() {
    let mut rng = Rng::new(8);
    let weights = evaluate::WEIGHT_SETS.into_iter().cycle();
    for (terrain, weights) in terrains("contest", 30).zip(weights) {
        let evaluation = evaluate::BoardEvaluator::new(&terrain, &weights);
        let (mut board, mut scan) = (terrain.start().clone(), evaluate::RowScan::default());
        for _ in 0..40 {
            let piece = &terrain.pieces()[rng.below(terrain.pieces().len())];
            let at = piece.position(rng.below(piece.positions()));
            let mut free = Vec::new();
            piece.free(&board, &mut free);
            if free[usize::from(at.rotation) * board.height() + usize::from(at.row)] >> at.column
                & 1
                == 0
            {
                continue;
            }
            evaluation.scan(&board, 3, &mut scan);
            if board.lock(piece, at) > 0 {
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
