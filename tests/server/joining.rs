//! Programs that connect: games, time over a network, breaks, and what hostile clients try.

use crate::guest::{digest, fairly, Guest};
use crate::http::{quick, Served, DEADLINE};
use crate::kills::results_of;
use arbitre::internals::play::record::GameResult;
use serde_json::json;
use std::cell::Cell;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const MS: Duration = Duration::from_millis(1);

/// Room of Awélé with a house bot and people, whose programs have half a second.
pub fn room(name: &str, people: &[&str]) -> (Served, Vec<String>) {
    let settings =
        "game = \"awele\"\nmove-time = \"500ms\"\nmargin = \"0ms\"\nrules = \"max-plies=20\"";
    let served = Served::of(&quick(name, settings, &["awele random"]), &[]);
    let tokens = served.teacher().add_people(people);
    (served, tokens)
}

/// Returns the notes on games.
pub fn games(guest: &Guest) -> Vec<&String> {
    guest.notes.iter().filter(|note| note.starts_with("game ")).collect()
}

/// Returns the faults that are stored for players of people, by word.
pub fn faults(served: &Served) -> Vec<String> {
    faults_of(&served.folder, "person-").1
}

/// Returns the number of games of the players whose names in the file of a room begin like this,
/// and the faults of these players.
pub fn faults_of(room: &Path, start: &str) -> (usize, Vec<String>) {
    let (names, results) = results_of(room);
    let is_its = |number: usize| {
        let name = names[number].split('@').next().unwrap();
        name == start || start.ends_with('-') && name.starts_with(start)
    };
    let is_played = |game: &&GameResult| game.players.iter().any(|player| is_its(*player));
    let own = results.iter().flat_map(|game| {
        let faults = game.faults.iter();
        faults.filter(|(seat, _)| is_its(game.players[seat.index()])).map(|(_, word)| *word)
    });
    (results.iter().filter(is_played).count(), own.map(str::to_owned).collect())
}

#[test]
fn program_plays_from_its_own_machine() {
    let (served, tokens) = room("joining", &["Ada"]);
    let mut guest = Guest::join(&served, &tokens[0], 1);
    guest.play(fairly, |guest| games(guest).len() >= 4);
    assert!(games(&guest).iter().all(|note| !note.contains("fault")), "{:?}", guest.notes);
    let page = served.client().get("/").body;
    assert!(page.contains("own machine") && page.contains("<bdi>Ada</bdi>"), "{page}");
    let mut ada = served.client();
    ada.enter(&tokens[0]);
    let own = ada.get("/me").body;
    assert!(own.contains("Connected:") && own.contains("round trip"), "{own}");
    drop(guest);
    assert!(faults(&served).is_empty(), "{:?}", faults(&served));
    let until = Instant::now() + DEADLINE;
    while !ada.get("/me").body.contains("No program of yours is connected") {
        assert!(Instant::now() < until);
        thread::sleep(50 * MS);
    }
}

#[test]
fn changed_program_is_a_new_version() {
    let (served, tokens) = room("versions", &["Ada"]);
    let mut guest = Guest::join(&served, &tokens[0], 1);
    guest.play(fairly, |guest| games(guest).len() >= 2);
    let versions = || {
        let page = served.client().get("/player/1").body;
        page.split("</table>").next().unwrap().matches("<bdi>Ada").count() - 1
    };
    assert_eq!(versions(), 1);
    guest.send(&json!({"type": "digest", "digest": digest(2)}));
    guest.play(fairly, |_| versions() == 2);
    // One that has played nothing would be gone from the page.
    let before = games(&guest).len();
    guest.play(fairly, |guest| games(guest).len() >= before + 4);
    // The same program as before is the version that it was.
    guest.send(&json!({"type": "digest", "digest": digest(1)}));
    let before = games(&guest).len();
    guest.play(fairly, |guest| games(guest).len() >= before + 10);
    assert_eq!(versions(), 2);
    assert!(faults(&served).is_empty(), "{:?}", faults(&served));
}

/// A client that answers pings late gains at most a fifth of the limit; one that answers at once is
/// charged what it takes.
#[test]
fn delayed_pings_gain_no_more_than_the_bound() {
    for (delay, thought) in [(120, 610), (0, 530)] {
        let (served, tokens) = room(&format!("pings-{delay}"), &["Ada"]);
        let mut guest = Guest::join(&served, &tokens[0], 1);
        // Each look is late, and so is each answer to a ping.
        guest.delay = delay * MS;
        let asked = Cell::new(0);
        guest.play(
            |guest, table, mv| {
                asked.set(asked.get() + 1);
                // The first move has a second.
                guest.think(if asked.get() == 1 { MS } else { thought * MS });
                fairly(guest, table, mv);
            },
            |guest| guest.notes.iter().any(|note| note.contains("fault")),
        );
        let faults = faults(&served);
        assert!(faults.iter().all(|word| word == "timeout"), "{delay}: {faults:?}");
        assert!(guest.notes[0].starts_with("game 0: lost"), "{delay}: {:?}", guest.notes);
    }
}

/// A game goes on after a break before an answer, within one, and after one that was lost.
#[test]
fn game_goes_on_after_a_break() {
    let (served, tokens) = room("breaks", &["Ada"]);
    let token = tokens[0].clone();
    let mut guest = Guest::join(&served, &token, 1);
    let mut asked = 0;
    guest.play(
        |guest, table, mv| {
            asked += 1;
            let line = format!("{mv} # a comment\n");
            let (start, rest) = line.as_bytes().split_at(asked / 2 % 3);
            // Few answers, or the link would connect too often.
            if asked > 8 || asked % 2 != 0 {
                return fairly(guest, table, mv);
            }
            guest.say(table, start);
            guest.lose(table, rest);
            thread::sleep(20 * MS);
            let welcome = guest.come_back(&served, &token, 1);
            assert_eq!(welcome["open"][0][1], guest.open[&table].session, "{welcome}");
        },
        |guest| games(guest).len() >= 4,
    );
    assert!(asked >= 9);
    assert!(faults(&served).is_empty(), "{:?}", faults(&served));
    assert!(games(&guest).iter().all(|note| !note.contains("fault")), "{:?}", guest.notes);
}

/// Joins, makes a move, leaves when it is asked for the next, and waits until the game is over.
fn leave_behind(served: &Served, token: &str) {
    let mut guest = Guest::join(served, token, 1);
    let asked = Cell::new(0);
    guest.play(
        |guest, table, mv| {
            asked.set(asked.get() + 1);
            if asked.get() == 1 {
                fairly(guest, table, mv);
            }
        },
        |_| asked.get() == 2,
    );
    drop(guest);
    thread::sleep(1000 * MS);
}

/// A player that is behind leaves again and again: one game of an hour is void, the others are
/// lost.
#[test]
fn player_that_leaves_gains_nothing() {
    let (served, tokens) = room("leaving", &["Ada"]);
    for _ in 0..4 {
        leave_behind(&served, &tokens[0]);
    }
    assert_eq!(faults(&served), ["disconnect"; 3]);
}
