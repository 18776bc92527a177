//! Properties of the texts of Hextris: JSON, problems and positions.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::hextris::{draw_problem, Hextris, Problem, Rules, Solution, Terrain};
use arbitre::json::{write_text, Json};
use arbitre::rng::Rng;
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

proptest! {
    #[test]
    fn json_is_read_as_another_library_reads_it(document in documents()) {
        for text in [document.to_string(), serde_json::to_string_pretty(&document).unwrap()] {
            prop_assert!(is_same(&Json::parse(&text).unwrap(), &document), "{}", text);
        }
    }

    /// What is no JSON is refused by both, and by neither with a panic. Ours refuses names that come twice
    /// besides, and theirs numbers that are too large.
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
        write_text(&text, &mut written);
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
            let seed = problem.source_seeds[0];
            let phrases = arbitre::games::hextris::Phrases::official();
            arbitre::games::hextris::score(&Terrain::new(problem), seed, "lalakdlla", &phrases);
        }
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
