//! Properties of the texts of Hextris: JSON, problems and positions.

use arbitre::bots::hextris::best::{self, BeamParams};
use arbitre::bots::hextris::taupegoons::{PhraseStrategy, TaupeGoons};
use arbitre::bots::hextris::GameStart;
use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::hextris::json::{Json, DEPTH_LIMIT};
use arbitre::games::hextris::{
    draw_problem, score, Hextris, Phrases, Play, Problem, Rules, Solution, SolutionEnd, Terrain,
};
use arbitre::rng::Rng;
use arbitre::search::budget::{Budget, Limiter};
use arbitre::text::write_json_string;
use proptest::prelude::*;
use serde_json::Value;
use std::borrow::Cow;

/// A document of any shape.
fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((".{0,5}", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Do two readers mean the same?
fn is_same(ours: &Json, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(a), Value::Bool(b)) => a == b,
        (Json::Number(a), Value::Number(b)) => {
            // Theirs are off by a bit or two at times.
            let (a, b) = (a.parse::<f64>().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= a.abs() * 1e-14
        }
        (Json::Text(a), Value::String(b)) => a == b,
        (Json::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Json::Object(a), Value::Object(b)) => {
            let found = |(name, value): &(Cow<str>, Json)| {
                b.get(&**name).is_some_and(|b| is_same(value, b))
            };
            a.len() == b.len() && a.iter().all(found)
        }
        _ => false,
    }
}

/// Texts that are nearly JSON: a document with some bytes exchanged.
fn near_documents() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"", "\\u12", "-", "1e", "0", " ",
    ]);
    (documents(), prop::collection::vec((any::<prop::sample::Index>(), pieces), 1..4)).prop_map(
        |(document, changes)| {
            let mut text: Vec<char> = document.to_string().chars().collect();
            for (at, piece) in changes {
                let at = at.index(text.len());
                text.splice(at..=at, piece.chars());
            }
            text.into_iter().collect()
        },
    )
}

fn problems() -> impl Strategy<Value = Problem> {
    any::<u64>().prop_map(|seed| draw_problem(&Rules::default(), &mut Rng::new(seed)))
}

/// Scores a few commands, and has the solvers play within a few nodes.
fn play_a_little(problem: Problem) {
    let (terrain, phrases) = (Terrain::new(problem), Phrases::official());
    let seed = terrain.problem().source_seeds[0];
    score(&terrain, seed, "lalakdlla", &phrases);
    let play = &Play::new(&terrain, seed);
    let start = GameStart::new(&terrain, &phrases, play);
    let taupegoons = TaupeGoons { strategy: PhraseStrategy::Rewrite, ..TaupeGoons::USUAL };
    let few = || Limiter::new(Budget::nodes(20));
    let params = BeamParams::default();
    for letters in
        [taupegoons.solve(&start, &params, &mut few()), best::solve(start, &params, &mut few())]
    {
        let text = String::from_utf8(letters).unwrap();
        let ending = score(&terrain, seed, &text, &phrases).ending;
        assert!(!matches!(ending, SolutionEnd::ZeroScore(_)), "{ending:?}");
    }
}

/// Nesting ends at a limit, long before the stack does.
#[test]
fn deep_nesting_is_refused() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("{}0{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"\":", "}]")] {
        let most = DEPTH_LIMIT / open.matches(['[', '{']).count();
        assert!(Json::parse(&nested(open, close, most)).is_ok(), "{open}");
        for depth in [most + 1, 1_000_000] {
            let error = Json::parse(&nested(open, close, depth)).unwrap_err().to_string();
            assert!(error.contains("expected no deeper nesting"), "{error}");
        }
    }
    let unclosed = "[".repeat(1_000_000);
    assert!(Problem::parse(&unclosed).is_err() && Solution::parse_all(&unclosed).is_err());
}

proptest! {
    #[test]
    fn json_is_read_as_another_library_reads_it(document in documents()) {
        for text in [document.to_string(), serde_json::to_string_pretty(&document).unwrap()] {
            prop_assert!(is_same(&Json::parse(&text).unwrap(), &document), "{}", text);
        }
    }

    /// Text that is not JSON is rejected by both, and by neither with a panic. Ours also rejects
    /// names that come twice, and theirs numbers that are too large.
    #[test]
    fn what_is_no_json_is_refused(text in near_documents()) {
        match (Json::parse(&text), serde_json::from_str::<Value>(&text)) {
            (Ok(ours), Ok(theirs)) => prop_assert!(is_same(&ours, &theirs), "{}", text),
            (Err(_), Err(_)) => {}
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("out of range"), "{} {}", text, error),
            (Err(error), Ok(_)) => prop_assert!(error.to_string().contains("another name"), "{} {}", text, error),
        }
    }

    #[test]
    fn strings_come_back(text in any::<String>()) {
        let mut written = String::new();
        write_json_string(&text, &mut written);
        prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), &*text);
        let read = Json::parse(&written).unwrap();
        prop_assert_eq!(read.text(), Some(&*text));
    }

    #[test]
    fn problems_come_back(problem in problems()) {
        prop_assert_eq!(Problem::parse(&problem.to_json()), Ok(problem));
    }

    /// Nothing that is nearly a problem makes anything panic.
    #[test]
    fn a_damaged_problem_is_refused_or_played(
        problem in problems(),
        at in any::<prop::sample::Index>(),
        digit in "[-0-9]{1,6}",
    ) {
        let text = problem.to_json();
        let digits: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|m| m.0).collect();
        let at = digits[at.index(digits.len())];
        let damaged = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
        if let Ok(problem) = Problem::parse(&damaged) {
            play_a_little(problem);
        }
    }

    /// Numbers that are too long, too small, or written with a fraction or an exponent.
    #[test]
    fn a_number_of_any_size_is_refused_or_played(
        problem in problems(),
        field in prop::sample::select(vec!["id", "x", "y", "width", "height", "sourceLength"]),
        place in any::<prop::sample::Index>(),
        number in prop_oneof![
            "[0-9]{1,3}",
            "-?[0-9]{1,40}(\\.[0-9]{1,5})?([eE][-+]?[0-9]{1,9})?",
        ],
    ) {
        let (text, name) = (problem.to_json(), format!("\"{field}\":"));
        let places: Vec<usize> = text.match_indices(&name).map(|found| found.0).collect();
        let begin = places[place.index(places.len())] + name.len();
        let end = begin + text[begin..].find([',', '}']).unwrap();
        let changed = format!("{}{number}{}", &text[..begin], &text[end..]);
        match Problem::parse(&changed) {
            Ok(problem) => {
                prop_assert!(number.parse::<i64>().is_ok(), "{number} is no whole number");
                play_a_little(problem);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    /// Cut short, a document is refused with the place where something is missing.
    #[test]
    fn a_document_that_was_cut_short_is_refused(problem in problems(), end in any::<prop::sample::Index>()) {
        let text = problem.to_json();
        let error = Problem::parse(&text[..end.index(text.len())]).unwrap_err().to_string();
        prop_assert!(error.starts_with("line 1, column ") && error.ends_with("got the end"), "{}", error);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(Json::parse(&text).is_ok(), serde_json::from_str::<Value>(&text).is_ok());
        prop_assert!(Problem::parse(&text).is_err());
        let _ = Solution::parse_all(&text);
    }

    #[test]
    fn solutions_come_back(problem in any::<u32>(), seed in any::<u32>(), text in any::<String>()) {
        let solution = Solution { problem, seed, tag: None, text: text.into() };
        let written = Solution::write_all(&[solution.clone(), solution.clone()]);
        prop_assert_eq!(Solution::parse_all(&written).unwrap(), [solution.clone(), solution]);
    }

    #[test]
    fn no_text_of_rules_or_positions_panics(text in ".{0,40}", seed in any::<u64>()) {
        let _ = Hextris::from_rules(&text);
        let game = Hextris::from_rules("small").unwrap();
        let _ = game.parse_state(&text, Seat::FIRST);
        let _ = game.parse_setup_text(&text);
        let setup = game.setups(1, 0, Rng::new(seed)).next().unwrap();
        let state = game.start(&setup).unwrap();
        let mut written = String::new();
        game.write_state(&state, Seat::FIRST, &mut written);
        prop_assert_eq!(game.parse_state(&written, Seat::FIRST).unwrap().moves(Seat::FIRST), state.moves(Seat::FIRST));
    }
}

/// A second occurrence of a name is found in small and large objects, wherever the first one is.
#[test]
fn name_of_a_large_object_comes_once() {
    for count in [1, 15, 16, 17, 18, 200, 50_000] {
        let members: Vec<String> = (0..count).map(|number| format!("\"n{number}\":1")).collect();
        let members = members.join(",");
        assert!(Json::parse(&format!("{{{members}}}")).is_ok());
        for twice in [0, count / 2, count - 1] {
            let text = format!("{{{members},\"n{twice}\":2}}");
            let error = Json::parse(&text).unwrap_err().to_string();
            assert!(error.contains("another name"), "{count}: {error}");
        }
    }
}
