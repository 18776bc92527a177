//! A tournament ends in the same way at any concurrency and after any interruption.

use crate::harness::{names, player, Folder, PLAYERS, REFEREE};
use arbitre_test_support::command::SHELL_BOT;
use serde_json::Value;

/// Formats with the settings of a short tournament, and their numbers of games where they are
/// fixed.
const FORMATS: [(&str, Option<u64>); 7] = [
    ("format = \"round-robin\"\ngames = 4", Some(60)),
    ("format = \"gauntlet\"\ngames = 4", Some(20)),
    ("format = \"balanced\"\ngames-per-player = 8", Some(24)),
    ("format = \"swiss\"\nrounds = 4\ngames = 2", Some(24)),
    ("format = \"knockout\"\ngames = 2\nthird-place = true", None),
    ("format = \"double-knockout\"\ngames = 2", None),
    ("format = \"ladder\"\nmax-games = 130", Some(130)),
];

#[test]
fn every_format_ends_the_same_however_it_is_played() {
    for (number, (settings, games)) in FORMATS.into_iter().enumerate() {
        let play = |concurrency: &str, kills: &[usize]| -> (Value, String) {
            let folder = Folder::new(&format!("format {number} {concurrency} {}", kills.len()));
            folder.cup(settings, &PLAYERS);
            let words = ["--concurrency", concurrency];
            kills.iter().for_each(|&events| folder.interrupted(&words, events));
            (folder.standings(&words), folder.export())
        };
        let (standings, export) = play("1", &[]);
        assert_eq!(standings["complete"], true, "{settings}");
        let played = standings["games"].as_u64().unwrap();
        assert!(games.is_none_or(|games| games == played), "{settings}: {played}");
        assert_eq!(export.lines().count() as u64, played);
        for (concurrency, kills) in [("2", &[][..]), ("8", &[]), ("2", &[1, 5, 3]), ("1", &[7])] {
            let again = play(concurrency, kills);
            assert!(again.0 == standings, "{settings}: {concurrency} {kills:?}\n{}", again.0);
            assert!(again.1 == export, "{settings}: {concurrency} {kills:?}: the games differ");
        }
    }
}

/// A program that starts only in its trial is withdrawn after three games, at any concurrency.
#[test]
fn player_that_fails_to_start_is_withdrawn() {
    let play = |concurrency: &str| {
        let folder = Folder::new(&format!("withdrawn {concurrency}"));
        let bot = format!("#!/bin/sh\n[ -e started ] && exit 1\n: >started\n{SHELL_BOT}");
        folder.program("once", &bot);
        let players = [&PLAYERS[..4], &[("zoe", "./once")]].concat();
        folder.cup("no-sandbox = true\ngames = 4", &players);
        (folder.standings(&["--concurrency", concurrency]), folder.export())
    };
    let (standings, export) = play("1");
    let zoe = player(&standings, "zoe");
    assert_eq!((&zoe["status"], &zoe["rank"]), (&"struck".into(), &Value::Null));
    assert_eq!((&zoe["games"], &zoe["faults"]["crash"]), (&0.into(), &3.into()));
    assert_eq!(names(&standings).last(), Some(&"zoe"));
    for name in ["ada", "bea", "cleo", "dan"] {
        assert_eq!(player(&standings, name)["games"], 12, "{name}");
    }
    let again = play("4");
    assert_eq!((again.0, again.1), (standings, export));
}

/// Opponents win the games that a withdrawn player misses, if it played at least half of its own.
#[test]
fn late_withdrawal_leaves_the_games_that_were_played() {
    let folder = Folder::new("late");
    // The trial and four games; the others fail to start.
    let bot = format!(
        "#!/bin/sh\n[ $(wc -c <count) -ge 5 ] && exit 1\nprintf . >>count\n\
         {SHELL_BOT}"
    );
    folder.program("some", &bot);
    folder.file("count", "");
    folder.cup(
        "no-sandbox = true\ngames = 10\nconcurrency = 1",
        &[("ada", "awele random"), ("zoe", "./some")],
    );
    let standings = folder.standings(&[]);
    let [ada, zoe] = ["ada", "zoe"].map(|name| player(&standings, name));
    assert_eq!((&zoe["status"], &zoe["games"]), (&"withdrawn".into(), &7.into()));
    let points = |of: &Value| of["points"].as_f64().unwrap();
    assert_eq!(points(ada) + points(zoe), 10.0, "{standings}");
    assert!(points(ada) >= 6.0, "three games were lost by failures, three are forfeits");
}

/// The time is up at once, so only the first round is played. All players then have equally many
/// games, and the same command continues with the second.
#[test]
fn time_limit_ends_the_current_round() {
    let folder = Folder::new("time");
    folder.cup("games = 4", &PLAYERS);
    let standings = folder.standings(&["--max-time", "1ms"]);
    assert_eq!((&standings["games"], &standings["complete"]), (&30.into(), &false.into()));
    assert!(PLAYERS.iter().all(|(name, _)| player(&standings, name)["games"] == 10));
    let whole = folder.standings(&[]);
    assert_eq!((&whole["games"], &whole["complete"]), (&60.into(), &true.into()));
    folder.cup("games = 4\nformat = \"swiss\"\nrounds = 3", &PLAYERS);
    let swiss = folder.standings(&["--max-time", "1ms", "--db", "swiss.db"]);
    assert_eq!((&swiss["games"], &swiss["complete"]), (&6.into(), &false.into()));
}

/// Late joiners and changed programs continue a tournament. Where all games are known from the
/// start, a changed program plays its own again.
#[test]
fn players_join_and_change() {
    for (settings, again) in
        [("games = 2", true), ("format = \"swiss\"\nrounds = 4\ngames = 2", false)]
    {
        let folder = Folder::new(&format!("join {again}"));
        let bot = |words: &str| format!("#!/bin/sh\nexec '{REFEREE}' bot awele {words}\n");
        folder.program("bot", &bot("random"));
        let players = [&PLAYERS[..3], &[("zoe", "./bot")]].concat();
        let allow = format!("allow-read = [\"{REFEREE}\"]\n{settings}");
        folder.cup(&allow, &players);
        let first = folder.standings(&["--max-time", "1ms"]);
        let stored = folder.export().lines().count();
        folder.program("bot", &bot("greedy"));
        let players = [&players[..], &[("late", "awele greedy")]].concat();
        folder.cup(&allow, &players);
        let last = folder.standings(&[]);
        assert_eq!(last["complete"], true);
        let games = |of: &Value, name| player(of, name)["games"].as_u64().unwrap();
        if again {
            assert_eq!(games(&first, "zoe"), 6);
            assert_eq!(games(&last, "zoe"), 8, "its new version met all four others");
            assert_eq!(games(&last, "late"), 8);
            assert_eq!(last["games"], 20);
        } else {
            assert_eq!(games(&first, "zoe"), 2);
            assert!(games(&last, "zoe") >= 6, "its earlier games count: {last}");
            assert!(games(&last, "late") <= 6, "it missed a round: {last}");
            assert!(folder.export().lines().count() > stored);
        }
    }
}
