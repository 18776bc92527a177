//! Broken and hostile clients, while another program plays beside them.

use crate::guest::{digest, fairly, hello, Guest, Heard};
use crate::http::Served;
use crate::joining::{faults, games, room};
use crate::kills::results_of;
use arbitre::internals::play::record::GameResult;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::thread;
use std::time::Duration;
use tungstenite::Message;

/// Answer of a client to a question.
type Answer = fn(&mut Guest, u8, &str);

/// Answers, and the fault that each is.
const ANSWERS: &[(&str, &str, Answer)] = &[
    ("before it is asked", "invalid", |guest, table, mv| {
        guest.say(table, format!("{mv}\n{mv}\n").as_bytes());
    }),
    ("half a line", "timeout", |guest, table, mv| {
        guest.say(table, mv.as_bytes());
        guest.think(Duration::from_millis(600));
    }),
    ("nothing", "timeout", |guest, _, _| guest.think(Duration::from_millis(600))),
    ("bytes that are no text", "invalid", |guest, table, _| guest.say(table, b"\xff\xfe\n")),
    ("a move that is none", "invalid", |guest, table, _| guest.say(table, b"<script>\n")),
    ("a line that never ends", "output-limit", |guest, table, _| {
        (0..3).for_each(|_| guest.say(table, &[b'x'; 1 << 16]));
    }),
    ("an end", "crash", |guest, table, _| {
        let text = "<script>alert(1)</script>\u{1b}[31m\n".repeat(1_000);
        guest.send(&json!({"type": "stderr", "table": table, "text": text}));
        guest.send(&json!({"type": "ended", "table": table, "code": 3}));
    }),
    ("a signal", "crash", |guest, table, _| {
        guest.send(&json!({"type": "ended", "table": table, "code": -11}));
    }),
    ("an end of its output", "disconnect", |guest, table, _| {
        guest.send(&json!({"type": "ended", "table": table, "code": null}));
    }),
];

#[test]
fn each_answer_has_its_fault() {
    let names: Vec<&str> = ANSWERS.iter().map(|(name, ..)| *name).chain(["fair"]).collect();
    let (served, tokens) = room("answers", &names);
    let served = &served;
    thread::scope(|scope| {
        let fair = tokens.last().unwrap();
        let fair = scope.spawn(|| {
            let mut guest = Guest::join(served, fair, 99);
            guest.play(fairly, |guest| games(guest).len() >= 20);
            guest.notes
        });
        for (number, ((name, fault, answer), token)) in ANSWERS.iter().zip(&tokens).enumerate() {
            let mut guest = Guest::join(served, token, number as u64);
            let mut asked = 0;
            // One that answers nothing at its start counts as not started.
            let answer = |guest: &mut Guest, table: u8, mv: &str| {
                asked += 1;
                // Notes of a second are those of its last hundred games.
                if asked % 50 == 2 {
                    answer(guest, table, mv);
                } else {
                    fairly(guest, table, mv);
                }
            };
            guest.play(answer, |guest| guest.notes.iter().any(|note| note.contains("fault")));
            let note = guest.notes.iter().find(|note| note.contains("fault")).unwrap();
            assert!(note.ends_with(&format!("your fault: {fault}")), "{name}: {note}");
        }
        let notes = fair.join().unwrap();
        assert!(notes.iter().all(|note| !note.contains("fault")), "{notes:?}");
    });
    let words = |of: Vec<String>| of.into_iter().collect::<BTreeSet<String>>();
    let expected = ANSWERS.iter().map(|(_, word, _)| (*word).to_owned()).collect();
    assert_eq!(words(faults(served)), words(expected));
    // What a program printed is data for the script of a page, and text on a page.
    let mut teacher = served.teacher();
    let of_crashes = crashes(served);
    assert!(!of_crashes.is_empty());
    for number in of_crashes.into_iter().take(3) {
        let document = teacher.get(&format!("/game/{number}/data"));
        assert_eq!(document.header("content-type"), Some("application/json"));
        assert!(document.body.len() < 100_000, "standard error is bounded");
        assert!(!teacher.get(&format!("/game/{number}")).body.contains("<script>alert"));
    }
}

/// Returns the numbers of the games in which a program crashed.
fn crashes(served: &Served) -> Vec<u64> {
    let (_, results) = results_of(&served.folder);
    let has_crash = |game: &&GameResult| game.faults.iter().any(|(_, word)| *word == "crash");
    results.iter().filter(has_crash).filter_map(|game| game.number).collect()
}

#[test]
fn program_that_cannot_be_started_is_set_aside_with_its_reason() {
    let (served, tokens) = room("failing", &["Ada"]);
    let mut guest = Guest::join(&served, &tokens[0], 1);
    let aside = loop {
        match guest.hear() {
            // The guest has said that it was started; what counts is the first word.
            Heard::Message(message) if message["type"] == "start" => {}
            Heard::Message(message) if message["type"] == "note" => {
                break message["text"].as_str().unwrap().to_owned();
            }
            Heard::Lines(table, _) => {
                guest.send(&json!({"type": "ended", "table": table, "code": 127}));
            }
            Heard::Message(_) => {}
            Heard::Closed => panic!("the connection stays"),
        }
    };
    assert!(aside.starts_with("set aside: it never said that it is ready"), "{aside}");
    // A version that works plays.
    guest.send(&json!({"type": "digest", "digest": digest(2)}));
    guest.play(fairly, |guest| games(guest).len() >= 2);
}

/// First messages that are refused, with a word of the reason.
#[test]
fn first_message_is_refused_with_its_reason() {
    let (served, tokens) = room("hello", &["Ada"]);
    let with = |key: &str, value: Value| {
        let mut message = hello(1);
        message[key] = value;
        message
    };
    for (first, word) in [
        (with("version", 0.into()), "take join.py"),
        (with("version", 2.into()), "take join.py"),
        (with("digest", "x".into()), "digest"),
        (with("tables", 0.into()), "games at once"),
        (with("tables", 1000.into()), "games at once"),
        (json!({"type": "digest", "digest": digest(1)}), "hello"),
        (json!({"type": "hello"}), "hello"),
        (json!([1, 2]), "hello"),
    ] {
        let mut guest = Guest::open(served.address, &tokens[0]).unwrap();
        guest.send(&first);
        let bye = guest.hear_bye();
        assert!(bye["text"].as_str().unwrap().contains(word), "{first}: {bye}");
        assert_eq!(bye["again"], false, "{first}");
    }
    for token in ["", "x", "AAAAAAAAAAAAAAAAAAAAAA", served.token()] {
        assert_eq!(Guest::open(served.address, token).err(), Some(401), "{token:?}");
    }
    let page = served.client().send("GET", "/join", "", "");
    assert_eq!((page.status, page.body.lines().count()), (401, 1), "a browser has no link");
    let plain = format!("Authorization: Bearer {}\r\n", tokens[0]);
    assert_eq!(served.client().send("GET", "/join", &plain, "").status, 400);
}

/// Messages after the first one that end the connection, and those that do not.
#[test]
fn nonsense_of_a_client_touches_no_game() {
    let people: Vec<String> = (0..11).map(|number| format!("P{number}")).collect();
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    let (served, tokens) = room("nonsense", &people);
    let sent = [
        (Message::text("{}"), true),
        (Message::text(r#"{"type":"time","spent":0}"#), true),
        (Message::text(r#"{"type":"ended","table":-1,"code":0}"#), true),
        (Message::text(r#"{"type":"digest","digest":"../x"}"#), true),
        (Message::binary(vec![]), true),
        (Message::text(" ".repeat(100_000)), true),
        (Message::binary(b"\x05of another table\n".to_vec()), false),
        (Message::binary(b"\xfeof another table\n".to_vec()), false),
        (Message::text(r#"{"type":"ended","table":7,"code":0}"#), false),
        (Message::text(r#"{"type":"started","table":7}"#), false),
        (Message::text(hello(3).to_string()), false),
    ];
    for ((sent, is_closed), token) in sent.into_iter().zip(&tokens) {
        let mut guest = Guest::join(&served, token, 1);
        guest.socket.send(sent.clone()).unwrap();
        if is_closed {
            assert_eq!(guest.hear_bye()["again"], true, "{sent}");
        } else {
            guest.play(fairly, |guest| games(guest).len() >= 2);
        }
    }
    assert!(faults(&served).iter().all(|word| word == "disconnect"), "{:?}", faults(&served));
}

#[test]
fn floods_end_their_own_connection() {
    let (served, tokens) = room("floods", &["small", "large", "often", "Grace"]);
    let served = &served;
    thread::scope(|scope| {
        let fair = scope.spawn(|| {
            let mut guest = Guest::join(served, &tokens[3], 9);
            guest.play(fairly, |guest| games(guest).len() >= 20);
            guest.notes
        });
        let mut small = Guest::join(served, &tokens[0], 1);
        let sent = (0..1_000_000)
            .take_while(|_| small.socket.send(Message::binary(b"\0x".to_vec())).is_ok());
        assert!(sent.count() < 1_000_000, "the connection is closed");

        // A frame of a GiB is refused by its head.
        let mut large = Guest::join(served, &tokens[1], 1);
        let head = [&[0x82, 0xff][..], &(1u64 << 30).to_be_bytes(), &[1, 2, 3, 4]].concat();
        let stream = large.socket.get_mut();
        stream.write_all(&head).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);

        let opened: Vec<Option<u16>> =
            (0..40).map(|_| Guest::open(served.address, &tokens[2]).err()).collect();
        let refused = opened.iter().filter(|status| **status == Some(429)).count();
        assert!((25..40).contains(&refused), "{opened:?}");
        let notes = fair.join().unwrap();
        assert!(notes.iter().all(|note| !note.contains("fault")), "{notes:?}");
    });
}

/// A client that says nothing, or the start of a message for ever, is sent away.
#[test]
fn client_without_a_word_is_sent_away() {
    let (served, tokens) = room("wordless", &["Ada", "Grace"]);
    let mut starts = [&b""[..], &[0x81, 0xff]].into_iter().zip(&tokens).map(|(start, token)| {
        let mut guest = Guest::open(served.address, token).unwrap();
        guest.socket.get_mut().write_all(start).unwrap();
        guest
    });
    let (mut one, mut other) = (starts.next().unwrap(), starts.next().unwrap());
    for guest in [&mut one, &mut other] {
        let bye = guest.hear_bye();
        assert!(bye["text"].as_str().unwrap().contains("hello"), "{bye}");
    }
}

#[test]
fn newer_client_takes_the_place_of_the_older_one() {
    let (served, tokens) = room("newer", &["Ada"]);
    let mut older = Guest::join(&served, &tokens[0], 1);
    older.play(fairly, |guest| !games(guest).is_empty());
    let mut newer = Guest::join(&served, &tokens[0], 1);
    let bye = older.hear_bye();
    assert!(bye["text"].as_str().unwrap().contains("another client"), "{bye}");
    assert_eq!(bye["again"], false, "or the two would take turns for ever");
    // The link is replaced: the client hears it, and may not come back by itself.
    let mut teacher = served.teacher();
    let own = format!("/teacher/person/{}", teacher.number_of("Ada"));
    let replace = |guest: &Guest| {
        let is_time = games(guest).len() >= 2;
        is_time && teacher.act(&own, &[("do", "reissue")]).status == 303
    };
    newer.play(fairly, replace);
    assert_eq!(newer.hear_bye()["again"], false);
    assert_eq!(Guest::open(served.address, &tokens[0]).err(), Some(401));
}

/// One round against a bot of the room, and nothing more.
#[test]
fn round_that_was_asked_for_is_all() {
    let (served, tokens) = room("once", &["Ada"]);
    let asks = |bot: &str| {
        let mut first = hello(1);
        first["once"] = bot.into();
        first
    };
    let mut guest = Guest::join_with(&served, &tokens[0], asks("awele-random"));
    guest.play(fairly, |guest| games(guest).len() >= 2);
    let bye = guest.hear_bye();
    assert_eq!((&bye["ok"], &bye["again"]), (&true.into(), &false.into()), "{bye}");
    assert_eq!(games(&guest).len(), 2, "a game on each seat: {:?}", guest.notes);
    // One that is refused takes no other's place.
    let mut other = Guest::join(&served, &tokens[0], 1);
    let mut guest = Guest::open(served.address, &tokens[0]).unwrap();
    guest.send(&asks("nothing"));
    let bye = guest.hear_bye();
    other.play(fairly, |other| games(other).len() >= 2);
    assert!(bye["text"].as_str().unwrap().contains("awele-random"), "{bye}");
    assert_eq!(bye["again"], false);
}
