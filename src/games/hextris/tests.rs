//! The rules against the reference implementation, and particular cases of the task.

use super::reference::HextrisReference;
use super::*;
use crate::dialect::Notation;
use crate::rng::Rng;

fn rules(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

/// Members and pivot of a unit, as columns and rows.
type Shape = (&'static [(i32, i32)], (i32, i32));

/// Returns a problem with a board of this size and these units.
fn problem(width: usize, height: usize, units: &[Shape]) -> Problem {
    let cell = |&(x, y): &(i32, i32)| Cell { x, y };
    let unit = |(members, pivot): &Shape| Unit {
        members: members.iter().map(cell).collect(),
        pivot: cell(pivot),
    };
    let units = units.iter().map(unit).collect();
    let (source_length, source_seeds) = (100, vec![0]);
    Problem { id: 0, width, height, units, filled: Vec::new(), source_length, source_seeds }
}

const SINGLE: Shape = (&[(0, 0)], (0, 0));

/// Returns letters that mostly keep the game alive, with a few that do not.
fn random_solution(terrain: &Terrain, seed: u32, rng: &mut Rng) -> String {
    let mut play = Play::new(terrain, seed);
    let mut text = String::new();
    for _ in 0..rng.below(600) {
        if rng.below(60) == 0 {
            text.push_str(["ei!", "ia! ia!", "\n", "R'lyeh", "planet 10"][rng.below(5)]);
            continue;
        }
        let command = Command::ALL[rng.below(6)];
        if play.play(terrain, command).is_ok() || rng.below(200) == 0 {
            text.push(command.letters()[rng.below(6)].into());
        }
        if rng.below(3000) == 0 {
            text.push('9');
        }
    }
    text
}

/// Returns the number of characters that the reference accepts, and its score for them. Inserted
/// phrases may make the whole solution score zero.
fn by_reference(terrain: &Terrain, seed: u32, solution: &str) -> (usize, i64) {
    let phrases = Phrases::official();
    let mut slow = HextrisReference::new(terrain.problem(), seed, "", phrases.texts());
    let accepted = solution.chars().take_while(|&c| slow.put(c).is_ok()).count();
    (accepted, slow.score())
}

#[test]
fn score_equals_the_reference_score() {
    let phrases = Phrases::official();
    let (mut zeros, mut totals, mut lines) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let sizes = [
            "small",
            "size=3x9 length=30",
            "size=5x5",
            "size=any length=30",
            "size=30x9",
            "size=64x4",
            "size=128x4",
        ];
        let problem = draw_problem(&rules(sizes[rng.below(sizes.len())]), &mut rng);
        let (terrain, seed) = (Terrain::new(problem.clone()), problem.source_seeds[0]);
        let solution = random_solution(&terrain, seed, &mut rng);
        let (accepted, expected) = by_reference(&terrain, seed, &solution);
        let alive = &solution[..accepted];
        let scored = score(&terrain, seed, alive, &phrases);
        assert_eq!(scored.total() as i64, expected, "{alive:?} of {}", problem.to_json());
        if accepted < solution.len() {
            let zero = score(&terrain, seed, &solution, &phrases);
            let SolutionEnd::ZeroScore(ZeroScore { at: Some((index, _)), .. }) = zero.ending else {
                panic!("{zero:?}")
            };
            assert_eq!((index, zero.total()), (accepted, 0));
            zeros += 1;
        }
        totals += scored.total();
        lines += scored.lines;
    }
    assert!(zeros > 100 && totals > 10_000 && lines > 10, "{zeros} {totals} {lines}");
}

/// Compares free positions found as bitboards and one by one, and converts indices back and forth.
#[test]
fn free_positions_are_those_that_fit() {
    let mut free = Vec::new();
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let terrain = Terrain::new(draw_problem(&rules("size=any"), &mut rng));
        let board = terrain.start();
        for piece in terrain.pieces() {
            piece.free(board, &mut free);
            for index in 0..piece.positions() {
                let at = piece.position(index);
                assert_eq!(piece.index(at), index);
                let line = usize::from(at.rotation) * board.height() + usize::from(at.row);
                let is_free = free[line] >> at.column & 1 != 0;
                let fits = is_on_board(piece, at, board) && piece.fits(board, at);
                assert_eq!(is_free, fits, "{at:?}");
            }
        }
    }
}

/// Returns `true` if all cells are on the board. Columns left of it wrap to very large ones.
fn is_on_board(piece: &Piece, at: UnitPosition, board: &Board) -> bool {
    piece.cells(at).all(|(x, y)| x < board.width() && y < board.height())
}

#[test]
fn symmetric_unit_has_fewer_rotations() {
    const RING: &[(i32, i32)] = &[(1, 0), (2, 0), (0, 1), (2, 1), (1, 2), (2, 2)];
    let shapes: [(Shape, usize); 6] = [
        (SINGLE, 1),
        ((&[(0, 0)], (1, 0)), 6),
        ((&[(0, 0), (2, 0)], (1, 0)), 3),
        ((RING, (1, 1)), 1),
        ((&[(0, 0), (1, 0), (2, 1)], (1, 1)), 6),
        ((&[(1, 0), (2, 1), (1, 2)], (1, 1)), 2),
    ];
    for (shape, period) in shapes {
        let problem = problem(10, 10, &[shape]);
        let piece = Piece::new(&problem.units[0], &problem);
        assert_eq!(piece.period(), period, "{shape:?}");
    }
}

#[test]
fn unit_spawns_in_the_middle_rounded_to_the_left() {
    const TWO: &[(i32, i32)] = &[(3, 5), (4, 5)];
    for (width, column) in [(2, 0), (3, 0), (4, 1), (5, 1), (6, 2)] {
        let problem = problem(width, 7, &[(TWO, (3, 5))]);
        let spawn = Piece::new(&problem.units[0], &problem).spawn();
        assert_eq!((spawn.column, spawn.row), (column, 0), "width {width}");
    }
}

/// A unit of one cell repeats its position when it turns.
#[test]
fn single_cell_can_play_only_two_phrases() {
    let terrain = Terrain::new(problem(40, 60, &[SINGLE]));
    let phrases = Phrases::official();
    let is_safe = |phrase: &&String| {
        let scored = score(&terrain, 0, phrase, &phrases);
        !matches!(scored.ending, SolutionEnd::ZeroScore(_))
    };
    let safe: Vec<_> = phrases.texts().iter().filter(is_safe).collect();
    assert_eq!(safe, ["ia! ia!", "ei!"]);
}

#[test]
fn falling_row_keeps_its_columns() {
    let mut problem = problem(3, 4, &[SINGLE]);
    problem.filled = [(0, 1), (2, 2), (0, 3), (2, 3)].map(|(x, y)| Cell { x, y }).to_vec();
    let terrain = Terrain::new(problem);
    let piece = &terrain.pieces()[0];
    let mut board = terrain.start().clone();
    let lines = board.lock(piece, UnitPosition { rotation: 0, row: 3, column: 1 });
    assert_eq!((lines, board.rows()), (1, &[0, 0, 0b001, 0b100][..]));
}

#[test]
fn points_grow_with_rows_and_consecutive_clears() {
    let value = |size, lines, before| points(size, lines, before);
    assert_eq!([value(5, 1, 0), value(5, 3, 1), value(4, 0, 2)], [105, 605, 4]);
    assert_eq!([value(9, 0, 3), value(5, 0, 3), value(6, 2, 4)], [10, 6, 306 + 306 * 3 / 10]);
    // In a single column a unit of two cells fills two rows wherever it is locked.
    let terrain = Terrain::new(problem(1, 6, &[(&[(0, 0), (0, 1)], (0, 0))]));
    let scored = score(&terrain, 0, "lll", &Phrases::official());
    assert_eq!((scored.moves, scored.lines, scored.locked), (302 + 2 * 332, 6, 3));
}

/// Seed 22837 is listed twice: it counts once in the sum, and twice in the divisor.
#[test]
fn seed_listed_twice_counts_twice_in_the_divisor() {
    let mut problem = problem(3, 3, &[SINGLE]);
    problem.source_seeds = vec![0, 22837, 15, 22837];
    assert_eq!(problem.team_score(&[(0, 10), (22837, 29), (22837, 20), (9, 1000)]), 39 / 4);
}

#[test]
fn phrases_are_found_with_overlaps_in_any_case_and_not_across_a_line_end() {
    let terrain = Terrain::new(problem(40, 60, &[SINGLE]));
    let phrases = Phrases::official();
    let count = |text: &str| {
        let scored = score(&terrain, 0, text, &phrases);
        (scored.counts[14], scored.counts[17], scored.power)
    };
    assert_eq!(count("Ia! ia! IA! ia!"), (3, 0, 342));
    assert_eq!(count("ia! \nia!"), (0, 0, 0));
    assert_eq!(count("eI!"), (0, 1, 306));
}

#[test]
fn phrases_are_lower_case_each_once_and_worth_twice_their_length() {
    let phrases = Phrases::new(&["EI!", "ei!", "", "p#"]).unwrap();
    assert_eq!(phrases.texts(), ["ei!", "p#"]);
    let end = |text: &str| text.bytes().fold(Phrases::ROOT, |node, byte| phrases.after(node, byte));
    assert_eq!((phrases.ended(end("ei!")), phrases.gain(end("ei!"))), (1, 6));
    assert_eq!(phrases.ended(end("p#")), 0, "no solution may contain '#'");
}

/// Uses random texts over few letters, so that phrases overlap and contain each other.
#[test]
fn automaton_finds_the_phrases_that_text_search_finds() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut word = |most: usize| -> String {
            (0..1 + rng.below(most)).map(|_| ['a', 'b', 'k', ' '][rng.below(4)]).collect()
        };
        let words: Vec<String> = (0..12).map(|_| word(4)).collect();
        let (phrases, text) = (Phrases::new(&words).unwrap(), word(300));
        let (mut node, mut visits) = (Phrases::ROOT, vec![0; phrases.nodes()]);
        for (at, byte) in text.bytes().enumerate() {
            node = phrases.after(node, byte);
            visits[usize::from(node)] += 1;
            for (number, phrase) in phrases.texts().iter().enumerate() {
                let ends = text[..=at].ends_with(phrase.as_str());
                assert_eq!(phrases.ended(node) >> number & 1 != 0, ends, "{phrase:?} in {text:?}");
            }
        }
        let count = |phrase: &String| {
            (0..text.len()).filter(|&at| text[at..].starts_with(phrase.as_str())).count() as u32
        };
        let counts: Vec<u32> = phrases.texts().iter().map(count).collect();
        assert_eq!(phrases.counts(visits), counts);
    }
}

/// Every letter has the successor of one of the choices, or leads to the root.
#[test]
fn choices_cover_every_letter() {
    let phrases = Phrases::official();
    let mut several = 0;
    for node in 0..phrases.nodes() as PhraseNode {
        for command in Command::ALL {
            let choices = phrases.choices(node, command);
            assert!(choices.iter().all(|choice| phrases.after(node, choice.letter) == choice.next));
            several += usize::from(choices.len() > 1);
            for &letter in command.letters() {
                let next = phrases.after(node, letter);
                let is_there = choices.iter().any(|choice| choice.next == next);
                assert!(is_there || next == Phrases::ROOT, "{command:?} at {node}");
            }
        }
    }
    assert!(several > 100);
    assert_eq!(phrases.choices(Phrases::ROOT, Command::CounterClockwise).len(), 1);
}

#[test]
fn ignored_characters_may_follow_the_end() {
    let mut problem = problem(2, 2, &[SINGLE]);
    problem.source_length = 1;
    let phrases = Phrases::official();
    let terrain = Terrain::new(problem);
    let ending = |text: &str| score(&terrain, 0, text, &phrases).ending.word();
    assert_eq!(
        [ending("p"), ending("p\n"), ending("pp")],
        ["source-empty", "source-empty", "after-source-empty"]
    );
    assert_eq!(
        [ending("p?"), ending("\tq"), ending("")],
        ["invalid-character", "repeat", "mid-game"]
    );
    assert_eq!([ending("p\t\r\n"), ending("#p")], ["source-empty", "invalid-character"]);
    assert_eq!(score(&terrain, 1, "p", &phrases).ending.word(), "unlisted-seed");
    assert_eq!(score(&terrain, 0, "\tq", &phrases).commands, 1, "it was carried out");
}

/// A rotation that leaves the board has no positions.
#[test]
fn far_pivot_and_narrow_board_are_handled() {
    let far = problem(4, 9, &[(&[(0, 0), (1, 0)], (900_000, -900_000))]);
    let tall = problem(1, 9, &[(&[(0, 0), (0, 1), (0, 2)], (0, 0))]);
    for problem in [far, tall] {
        let terrain = Terrain::new(Problem::parse(&problem.to_json()).unwrap());
        let mut play = Play::new(&terrain, 0);
        assert_eq!(play.play(&terrain, Command::Clockwise), Ok(Effect::Locked));
        let slow = HextrisReference::new(terrain.problem(), 0, "d", &[]);
        assert_eq!(play.points() as i64, slow.score());
    }
}

#[test]
fn invalid_problem_is_reported_with_its_member() {
    let good = problem(4, 4, &[SINGLE]).to_json();
    assert_eq!(Problem::parse(&good).unwrap(), problem(4, 4, &[SINGLE]));
    let unit = r#"[{"members":[{"x":0,"y":0}],"pivot":{"x":0,"y":0}}]"#;
    let cases = [
        (r#""width":4"#, r#""width":0"#, "width: expected a whole number from 1 to 128, got 0"),
        (r#""width":4"#, r#""width":1e3"#, "width: "),
        (r#""height":4"#, r#""height":1000000"#, "height: "),
        (r#""height":4,"#, "", "the problem: expected an object with \"height\""),
        (r#""filled":[]"#, r#""filled":[{"x":4,"y":0}]"#, "filled[0].x: "),
        (r#""pivot":{"x":0"#, r#""pivot":{"x":-1000001"#, "units[0].pivot.x: "),
        (r#""sourceSeeds":[0]"#, r#""sourceSeeds":[]"#, "sourceSeeds: expected at least one"),
        (r#""sourceSeeds":[0]"#, r#""sourceSeeds":[-1]"#, "sourceSeeds[0]: "),
        (r#""sourceLength":100"#, r#""sourceLength":0"#, "sourceLength: "),
        (r#"s":[{"x"#, r#"s":[{"x":0,"y":9},{"x"#, "units[0].members: expected a unit that"),
        (r#"s":[{"x"#, r#"s":[{"x":9,"y":0},{"x"#, "units[0].members: expected a unit that"),
        (r#"s":[{"x"#, r#"s":[{"x":0,"y":0},{"x"#, "units[0].members: expected different"),
        (unit, "[]", "units: expected at least one"),
        (unit, "7", "units: expected an array, got 7"),
        (r#"{"id""#, r#"["id""#, "line 1, column 6: expected ',' or ']', got ':'"),
    ];
    for (from, to, why) in cases {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        let error = Problem::parse(&bad).unwrap_err().to_string();
        assert!(error.starts_with(why), "{error} instead of {why}");
    }
}

#[test]
fn solutions_come_back() {
    let text = "[{\"problemId\":6,\"seed\":0,\"tag\":\"a\\\"b\",\"solution\":\"ei! \\n\"},\n{\"problemId\":0,\"seed\":7,\"solution\":\"\"}]\n";
    let solutions = Solution::parse_all(text).unwrap();
    assert_eq!((solutions.len(), &*solutions[0].text), (2, "ei! \n"));
    assert_eq!(Solution::write_all(&solutions), text);
    let error = |text: &str| Solution::parse_all(text).unwrap_err().to_string();
    assert_eq!(error("{}"), "the solutions: expected an array, got an object");
    assert_eq!(
        error("[{\"problemId\":1,\"seed\":2}]"),
        "[0]: expected an object with \"solution\""
    );
    assert!(error("[{\"problemId\":1,\"seed\":2,\"solution\":3}]").starts_with("[0].solution: "));
}

#[test]
fn empty_path_stops_the_game() {
    let game = Hextris::from_rules("small").unwrap();
    let path: String = game.parse_path("").unwrap().iter().map(|c| c.char()).collect();
    assert_eq!(path, "$");
    assert!(game.parse_path("ei9").unwrap_err().to_string().contains("character 2 is '9'"));
}
