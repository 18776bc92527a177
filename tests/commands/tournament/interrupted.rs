//! A tournament ends in the same way at any concurrency and after any interruption.

use crate::tournament::harness::{names, player, Folder, PLAYERS, REFEREE};
use arbitre_test_support::command::{stderr, SHELL_BOT};
use arbitre_test_support::pages::document;
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Formats with the settings of a short tournament, and their numbers of games where they are
/// fixed.
const FORMATS: [(&str, Option<u64>); 8] = [
    ("format = \"round-robin\"\ngames = 4", Some(60)),
    ("format = \"gauntlet\"\ngames = 4", Some(20)),
    ("format = \"balanced\"\ngames-per-player = 8", Some(24)),
    ("format = \"swiss\"\nrounds = 4\ngames = 2", Some(24)),
    ("format = \"knockout\"\ngames = 2\nthird-place = true", None),
    ("format = \"double-knockout\"\ngames = 2", None),
    ("format = \"ladder\"\nmax-games = 130", Some(130)),
    ("format = \"graded\"\ngames = 8\n[[grade]]\nbot = \"awele greedy\"\npoints = 3", Some(48)),
];

/// Ways to play a tournament: games at once, and the numbers of events after which it is killed.
const WAYS: [(&str, &[usize]); 4] = [("2", &[1, 5, 3]), ("2", &[]), ("8", &[]), ("1", &[7])];

#[test]
fn every_format_ends_the_same_however_it_is_played() {
    check_every_format("format", &WAYS[..1]);
}

#[test]
#[ignore = "it takes half a minute: .ci/full whole"]
fn whole_formats_end_the_same_however_they_are_played() {
    check_every_format("whole format", &WAYS);
}

fn check_every_format(name: &str, ways: &[(&str, &[usize])]) {
    for (number, (settings, games)) in FORMATS.into_iter().enumerate() {
        let standings = play_in_ways(&format!("{name} {number}"), settings, &PLAYERS, ways);
        let played = standings["games"].as_u64().unwrap();
        assert!(games.is_none_or(|games| games == played), "{settings}: {played}");
    }
}

/// Plays a tournament alone and in other ways, which must lead to the same games and standings.
/// Returns the standings.
fn play_in_ways(
    name: &str,
    settings: &str,
    players: &[(&str, &str)],
    ways: &[(&str, &[usize])],
) -> Value {
    let play = |concurrency: &str, kills: &[usize]| -> (Value, String) {
        let folder = Folder::new(&format!("{name} {concurrency} {}", kills.len()));
        folder.cup(settings, players);
        let words = ["--concurrency", concurrency];
        kills.iter().for_each(|&events| folder.interrupted(&words, events));
        let standings = folder.standings(&words);
        compare_report(&folder, &standings);
        (standings, folder.export())
    };
    let (standings, export) = play("1", &[]);
    assert_eq!(standings["complete"], true, "{settings}");
    assert_eq!(export.lines().count() as u64, standings["games"].as_u64().unwrap());
    for (concurrency, kills) in ways {
        let again = play(concurrency, kills);
        assert!(again.0 == standings, "{settings}: {concurrency} {kills:?}\n{}", again.0);
        assert!(again.1 == export, "{settings}: {concurrency} {kills:?}: the games differ");
    }
    standings
}

/// In the middle of a round the percent follows the ranks, where these follow it.
#[test]
fn ranks_and_percent_are_of_the_same_games() {
    for settings in
        ["format = \"balanced\"\ngames-per-player = 16", "format = \"gauntlet\"\ngames = 8"]
    {
        let folder = Folder::new(&format!("percent {}", settings.len()));
        folder.cup(settings, &PLAYERS);
        for games in [3, 4, 6] {
            folder.interrupted(&["--concurrency", "1"], games);
            folder.done(&["report", "--output", "report.html"]);
            let page = document(&fs::read_to_string(folder.path("report.html")).unwrap());
            let order = page["order"].as_array().unwrap().iter();
            let players =
                order.map(|of| &page["summary"]["players"][of.as_u64().unwrap() as usize]);
            let percent: Vec<f64> = players.filter_map(|of| of["percent"].as_f64()).collect();
            assert!(percent.is_sorted_by(|one, other| one >= other), "{settings}: {percent:?}");
        }
    }
}

/// Compares the ranks of a stored tournament, as a page has them, with its standings.
fn compare_report(folder: &Folder, standings: &Value) {
    folder.done(&["report", "--output", "report.html"]);
    let page = document(&fs::read_to_string(folder.path("report.html")).unwrap());
    let numbers = page["order"].as_array().unwrap().iter();
    let shown = numbers.map(|of| &page["summary"]["players"][of.as_u64().unwrap() as usize]);
    let standings = standings["standings"].as_array().unwrap();
    assert_eq!(shown.len(), standings.len());
    for (shown, standing) in shown.zip(standings) {
        for key in ["name", "rank", "points", "rating", "games"] {
            assert_eq!(shown[key], standing[key], "{key} of {}", standing["name"]);
        }
        let status = shown["status"].as_str().unwrap_or("ranked");
        assert_eq!(status, standing["status"], "{}", standing["name"]);
    }
}

/// A page has no reason why a player has no game, but ranks the others as the standings do.
#[test]
fn page_leaves_out_a_player_that_never_played() {
    for settings in ["format = \"round-robin\"\ngames = 4", "format = \"knockout\"\ngames = 2"] {
        let folder = Folder::new("report of absent");
        folder.program("dead", "#!/bin/sh\nexit 3\n");
        folder.cup(settings, &[ADA, ("dead", "./dead"), BEA, EVE]);
        let standings = folder.standings(&[]);
        assert_eq!(player(&standings, "dead")["status"], "not-started");
        compare_report(&folder, &standings);
    }
}

/// Gauntlet whose first player is weaker than `ada`, and stronger than `eve`.
const TESTED: &str =
    "format = \"gauntlet\"\ngames = 48\nsprt = \"elo0=0,elo1=100,alpha=0.1,beta=0.1\"";
const BEA: (&str, &str) = PLAYERS[1];
const ADA: (&str, &str) = PLAYERS[0];
const EVE: (&str, &str) = PLAYERS[4];

/// The test of each opponent ends on its own, and the output tells its state.
#[test]
fn gauntlet_tests_each_opponent() {
    let standings = play_in_ways("tested", TESTED, &[BEA, ADA, EVE], &WAYS);
    let state = |name| {
        let player = player(&standings, name);
        (player["games"].as_u64().unwrap(), player["sprt"]["accepted"].as_str())
    };
    assert_eq!(state("eve"), (16, Some("H1")), "{standings}");
    let (games, accepted) = state("ada");
    assert!(games == 32 && accepted == Some("H0"), "{standings}");
    assert_eq!(state("bea"), (48, None), "the first player has no test");
    let folder = Folder::new("tested text");
    folder.cup(TESTED, &[BEA, ADA, EVE]);
    let text = folder.done(&["tournament", "cup.toml", "--output", "s.md"]);
    let llr = player(&standings, "eve")["sprt"]["llr"].as_f64().unwrap();
    let line = format!("eve: LLR {llr:.2} ({:.0} %), H1 is accepted", 100.0 * llr / 2.2);
    assert!(text.contains("bounds -2.20 and 2.20; bea against each:\n  ada: LLR -"), "{text}");
    assert!(text.contains(&line), "{line} in\n{text}");
    let markdown = std::fs::read_to_string(folder.path("s.md")).unwrap();
    assert!(markdown.contains(&format!("| eve | 16 | LLR {llr:.2} (")), "{markdown}");
    // Of a batch that is cut short, nothing is decided.
    let short = folder.standings(&["--max-time", "1ms", "--db", "short.db"]);
    assert_eq!(
        (&short["complete"], &player(&short, "eve")["sprt"]["llr"]),
        (&false.into(), &0.0.into())
    );
}

/// Time that is up in the last round, or after the last game, cuts nothing short.
#[test]
fn last_round_is_complete_although_the_time_is_up() {
    for (settings, complete) in [
        ("format = \"swiss\"\nrounds = 1\ngames = 2", true),
        ("format = \"swiss\"\nrounds = 2\ngames = 2", false),
        ("format = \"ladder\"\nmax-games = 1000", false),
        ("format = \"round-robin\"\ngames = 2", true),
        ("format = \"round-robin\"\ngames = 4", false),
    ] {
        let folder = Folder::new("time is up");
        folder.cup(settings, &PLAYERS);
        let standings = folder.standings(&["--max-time", "1ms"]);
        assert_eq!(standings["complete"], complete, "{settings}: {standings}");
        let told = folder.standings(&["--db", "long.db"]);
        assert_eq!(told["complete"], true, "{settings}");
    }
}

/// A player that changes begins its test anew. One that joins is tested too, and the results of
/// one that is gone stay. The end is that of a tournament of the last players.
#[test]
fn tests_follow_the_players() {
    let bot = |words: &str| format!("#!/bin/sh\nexec '{REFEREE}' bot awele {words}\n");
    let settings = format!("allow-read = [\"{REFEREE}\"]\n{TESTED}");
    let folder = Folder::new("tested changes");
    folder.program("bot", &bot("random"));
    folder.cup(&settings, &[BEA, ADA, ("zoe", "./bot")]);
    let first = folder.standings(&[]);
    assert_eq!(player(&first, "zoe")["sprt"]["accepted"], "H1");
    folder.program("bot", &bot("alpha-beta --depth 3"));
    folder.cup(&settings, &[BEA, ADA, ("zoe", "./bot"), EVE]);
    let last = folder.standings(&[]);
    let fresh = Folder::new("tested fresh");
    fresh.program("bot", &bot("alpha-beta --depth 3"));
    fresh.cup(&settings, &[BEA, ADA, ("zoe", "./bot"), EVE]);
    assert_eq!(last, fresh.standings(&[]));
    assert_eq!(player(&last, "zoe")["sprt"], player(&last, "ada")["sprt"], "they play alike");
    folder.cup(&settings, &[BEA, ("zoe", "./bot"), EVE]);
    let without = folder.standings(&[]);
    assert_eq!((&without["complete"], &without["games"]), (&true.into(), &last["games"]));
    assert_eq!(player(&without, "ada")["sprt"], player(&last, "ada")["sprt"]);
    assert_eq!(player(&without, "bea")["points"], player(&last, "bea")["points"]);
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

/// A void game ends a tournament with its stage, and the same command continues.
#[test]
fn void_game_is_played_by_the_next_run() {
    let folder = Folder::new("void");
    // It starts once, for its trial; then there is nothing to start.
    let bot = format!("#!/bin/sh\nrm -f ./bot\n{SHELL_BOT}");
    folder.program("bot", &bot);
    folder.cup(
        "no-sandbox = true\nformat = \"swiss\"\nrounds = 2\ngames = 2",
        &[PLAYERS[3], ("zoe", "./bot")],
    );
    let output = folder.run(&["tournament", "cup.toml"]);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    folder.program("bot", &format!("#!/bin/sh\n{SHELL_BOT}"));
    let standings = folder.standings(&[]);
    assert_eq!((&standings["complete"], &standings["games"]), (&true.into(), &4.into()));
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

/// Returns the descendants of a process.
fn descendants(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|line| line.split(' ').flat_map(str::parse).collect::<Vec<_>>())
        .collect();
    children.iter().flat_map(|&child| [vec![child], descendants(child)].concat()).collect()
}

/// A cluster that stops a job signals all of its processes, in any order.
#[test]
fn players_signalled_with_the_referee_are_not_at_fault() {
    for (number, own) in ["awele greedy", "python3 bot/bot.py"].into_iter().enumerate() {
        let folder = Folder::new(&format!("signalled {number}"));
        folder.done(&["new", "python", "--game", "awele", "bot"]);
        let words = ["awele alpha-beta --depth 10", own, "--games", "4000", "--seed", "1"];
        let more = ["--no-timeout", "--concurrency", "2", "--events", "--db", "match.db"];
        let mut referee = folder.referee(&[&words[..], &more].concat());
        let mut child = referee.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut events = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(events.by_ref().take(4).count(), 4);
        for process in descendants(child.id()).into_iter().chain([child.id()]) {
            let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
            // A player that has ended by now is of no interest.
            let _ = kill_process(pid, Signal::TERM);
        }
        events.for_each(drop);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let list = ["list", "--games", "--faults", "--json", "--db", "match.db"];
        assert_eq!(folder.done(&list), "", "{own}");
    }
}

/// The same at the first start of a player, which is then not taken for one that cannot start.
#[test]
fn players_signalled_at_their_start_are_not_at_fault() {
    let bot = "while [ ! -s referee.pid ]; do sleep 0.01; done
kill -TERM $(cat referee.pid)
kill -TERM $$
";
    let of_match = ["own=sh bot.sh", "other=awele greedy", "--games", "20", "--game", "awele"];
    let of_match = [&of_match[..], &["--no-sandbox", "--no-timeout"]].concat();
    for words in [&of_match[..], &["tournament", "cup.toml"]] {
        let folder = Folder::new(&format!("signalled at the start {}", words.len()));
        folder.file("bot.sh", bot);
        folder.cup("no-sandbox = true\ngames = 4", &[PLAYERS[3], ("own", "sh bot.sh")]);
        let mut referee = folder.referee(&[words, &["--db", "match.db"]].concat());
        let child = referee.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        folder.file("referee.pid", &child.id().to_string());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        let list = ["list", "--games", "--faults", "--json", "--db", "match.db"];
        assert_eq!(folder.done(&list), "", "{}", stderr(&output));
    }
}
