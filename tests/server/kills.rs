//! Kills at random moments.

use crate::http::{quick, Served};
use arbitre::internals::play::record::GameResult;
use arbitre::internals::store::verify::verify;
use arbitre::internals::store::{Archive, StoreError};
use arbitre::rng::Rng;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Returns the numbers of the games that the page of the room shows.
fn shown(page: &str) -> BTreeSet<u64> {
    let links = page.split("<li><a class=\"dim\" href=\"game/").skip(1);
    links.filter_map(|link| link.split('"').next()?.parse().ok()).collect()
}

/// Returns the names of the players in the file of a room, and the results of its games.
pub fn results_of(room: &Path) -> (Vec<String>, Vec<GameResult>) {
    results_at(&room.join("games.db"))
}

/// Returns the names of the players in a file, and the results of its games.
pub fn results_at(file: &Path) -> (Vec<String>, Vec<GameResult>) {
    let archive = Archive::open(file, &arbitre::registry()).unwrap();
    let names = archive.config().names().into_iter().map(str::to_owned).collect();
    let mut results = Vec::new();
    let mut take = |result| -> Result<(), StoreError> {
        results.push(result);
        Ok(())
    };
    archive.for_each_result(archive.current(), &mut take).unwrap();
    (names, results)
}

/// Returns the numbers of the stored games, and the numbers of their places in the schedule, and of
/// the games.
pub fn stored(folder: &Path) -> (BTreeSet<u64>, usize, usize) {
    let (_, results) = results_of(folder);
    let places: BTreeSet<_> = results.iter().map(|game| (game.round, game.rotation)).collect();
    (results.iter().filter_map(|game| game.number).collect(), places.len(), results.len())
}

/// Kills a server, and checks that each game and each person that a page showed is in the files.
fn kill(kills: usize, name: &str) {
    let folder = quick(name, "game = \"awele\"", &["awele random", "awele greedy"]);
    let mut rng = Rng::new(kills as u64);
    let (mut token, mut seen, mut people) = (String::new(), BTreeSet::new(), 0);
    for number in 0..kills {
        let mut served = Served::of(&folder, &[]);
        if token.is_empty() {
            token = served.token().to_owned();
        }
        let mut teacher = served.client();
        teacher.enter(&token);
        std::thread::sleep(Duration::from_millis(rng.below(400) as u64));
        if number % 3 == 0 {
            teacher.add_people(&[&format!("Person {number}")]);
            people += 1;
        }
        let page = teacher.get("/").body;
        seen.extend(shown(&page));
        served.kill();
        drop(served);
        let checked = verify(&folder.join("games.db"), &arbitre::registry()).unwrap();
        assert_eq!(checked.problems, [""; 0], "after kill {number}");
        let (numbers, places, count) = stored(&folder);
        assert!(seen.is_subset(&numbers), "a game that was shown is lost after kill {number}");
        assert_eq!((numbers.len(), places), (count, count), "a game counts twice");
    }
    let served = Served::of(&folder, &[]);
    let mut teacher = served.client();
    teacher.enter(&token);
    let page = teacher.get("/teacher").body;
    assert!(page.contains(&format!("People ({people})")), "{page}");
    assert!(!seen.is_empty(), "no game was seen");
}

#[test]
fn kills_lose_nothing() {
    kill(5, "kills");
}

#[test]
#[ignore = "it takes two minutes: .ci/full serve"]
fn hundred_kills_lose_nothing() {
    kill(100, "hundred kills");
}
