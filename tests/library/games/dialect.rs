//! Round trips through a dialect: each end parses what the other writes.

mod bare;
mod greeted;

use arbitre::clock::{Clock, ClockKind, Go};
use arbitre::dialect::{BotEnd, Notation, Ready, RefereeEnd};
use arbitre::dialects::arbitre::{ArbitreBot, ArbitreReferee, Message};
use arbitre::game::Seat;
use arbitre::games::awele::Awele;
use arbitre::games::hextris::Hextris;
use proptest::prelude::*;
use std::time::Duration;

fn millis() -> impl Strategy<Value = Duration> {
    (0..10_000_000u64).prop_map(Duration::from_millis)
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..16usize).prop_map(Seat::new)
}

fn clock() -> impl Strategy<Value = Clock> {
    let times = prop::array::uniform4(prop::option::of(millis()));
    let number = || prop::option::of(any::<u32>());
    let counts = (prop::option::of(any::<u64>()), number(), number());
    let kind = prop::sample::select(&ClockKind::WORDS[..]);
    (kind, times, millis(), counts).prop_map(|((_, kind), times, increment, counts)| {
        let (nodes, depth, threads) = counts;
        let [init, first, per_move, game] = times;
        let timed = first.or(per_move).or(game).is_some();
        Clock {
            // Without a time limit the line states no kind.
            kind: if timed { kind } else { ClockKind::Wall },
            increment: game.map_or(Duration::ZERO, |_| increment),
            init,
            first,
            per_move,
            game,
            nodes,
            depth,
            threads,
        }
    })
}

fn go() -> impl Strategy<Value = Go> {
    prop_oneof![
        Just(Go::Untimed),
        millis().prop_map(Go::Move),
        (millis(), millis()).prop_map(|(remaining, increment)| Go::Game { remaining, increment }),
    ]
}

fn words() -> impl Strategy<Value = String> {
    "[a-z0-9=:-]{1,8}( [a-z0-9=:-]{1,8}){0,14}"
}

proptest! {
    #[test]
    fn messages_round_trip(
        clock in clock(), go in go(), seat in seat(), words in words(), number in any::<u64>(),
        scores in prop::collection::vec(any::<i64>(), 0..16), extra in 1..5usize,
    ) {
        let (word, _) = words.split_once(' ').unwrap_or((&words, ""));
        let count = (seat.index() + extra).min(16);
        let messages = [
            Message::Arbitre(number as u32), Message::Game(word, &words), Message::Game(word, ""),
            Message::Seats(count, seat), Message::Clock(clock), Message::Seed(number),
            Message::Setup(&words), Message::Begin, Message::Moved(seat, &words),
            Message::Out(seat, word), Message::State(&words), Message::Legal(&words),
            Message::Go(go), Message::Result(scores),
        ];
        for message in messages {
            let line = message.to_string();
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Message::parse(&line), Ok(message), "{}", line);
        }
    }

    #[test]
    fn ready_line_round_trips(name in "[!-~]{1,64}", terse in any::<bool>(), again in any::<bool>()) {
        let ready = Ready { name, terse, again };
        let mut line = String::new();
        BotEnd::<Awele>::ready(&mut ArbitreBot::<Awele>::new(None), &ready, &mut line);
        let read = RefereeEnd::<Awele>::read_ready(&mut ArbitreReferee::default(), line.trim_end());
        prop_assert_eq!(read, Ok(ready));
    }

    /// No sequence of lines makes a bot's end panic.
    #[test]
    fn bot_end_survives_every_line(lines in prop::collection::vec(
        prop_oneof![
            words(), ".{0,40}", Just("begin".to_owned()), Just("go 5".to_owned()),
            Just("game awele".to_owned()), Just("seats 2 you 1".to_owned()),
            Just("moved 0 3".to_owned()), Just("out 1 crash".to_owned()), Just("setup opening 2".to_owned()),
        ], 0..30))
    {
        let mut bot = ArbitreBot::<Awele>::new(None);
        for line in &lines {
            let _ = bot.hear(line);
        }
    }
}

/// In Hextris blanks are moves, except one before a comment.
#[test]
fn verbatim_path_has_a_comment() {
    let game = Hextris::from_rules("small").unwrap();
    for (line, path, comment) in [
        ("ei!", "ei!", None),
        ("ei! ", "ei! ", None),
        (" ei!", " ei!", None),
        ("ei! # score 3", "ei!", Some("score 3")),
        ("ei!  # score 3", "ei! ", Some("score 3")),
        ("ei!# x # y ", "ei!", Some("x # y")),
        ("# score 3", "$", Some("score 3")),
    ] {
        let path = game.parse_path(path).unwrap();
        let read = ArbitreReferee::default().read_path(&game, line).unwrap();
        assert_eq!((read.mv, read.comment), (path, comment), "'{line}'");
    }
}

#[test]
fn unknown_words_are_ignored() {
    let clock = Clock::parse("solar first 1000 move 100 overtime 3").unwrap();
    assert_eq!(clock.to_string(), "wall first 1000 move 100");
    assert_eq!(Clock::parse("none").unwrap(), Clock::default());
    assert_eq!(Clock::parse("").unwrap(), Clock::default());
    assert!(Clock::parse("wall move").is_err());
    assert_eq!(Message::parse("applause 3"), Ok(Message::Unknown));
}

#[test]
fn protocol_errors_name_their_reason() {
    let cases = [
        (&["game tron"][..], "expected game awele, got 'tron'"),
        (&["arbitre 2"], "expected arbitre 1, got arbitre 2"),
        (&["begin"], "expected 'seats' before 'begin'"),
        (&["go 3"], "expected a game to begin first"),
        (&["game awele", "seats 2 you 1", "begin", "go 3"], "expected 'go' on this bot's turn"),
        (&["game awele", "seats 2 you 1", "begin", "moved 0 7"], "pit from 0 to 5"),
        (&["game awele grand-slam=maybe", "seats 2 you 1", "begin"], "grand-slam"),
    ];
    for (lines, part) in cases {
        let mut bot = ArbitreBot::<Awele>::new(None);
        let errors: Vec<String> =
            lines.iter().filter_map(|line| bot.hear(line).err()).map(|e| e.to_string()).collect();
        assert!(errors.len() == 1 && errors[0].contains(part), "{lines:?}: {errors:?}");
    }
}
