//! Games for the league manager psyleague, and the data that players print for it.

use arbitre_test_support::command;

use command::{cleared, folder, json, run, script, stderr, stdout, SHELL_BOT};
use serde_json::{json, Value};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Bot that prints data at each of its moves.
const PRINTS_DATA: &str = "
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'begin':
        print('ready data', flush=True)
    elif word == 'legal':
        legal = rest
    elif word == 'go':
        print('[PDATA] mood = good\\n[PDATA+] moves = 0.5\\n[PDATA] depth = 3.5\\n[TDATA] weather = fine\\n[TDATA] seed = 5\\n[TDATA] ranks = 0', file=sys.stderr)
        sys.stderr.flush()
        print(legal[0], flush=True)
";

fn new_folder(name: &str) -> PathBuf {
    let folder = cleared(folder("psyleague").join(name));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: no bot printed data, as there is no python3");
    }
    found
}

/// Returns the command of the bot that prints data.
fn printing_bot(name: &str) -> String {
    let file = new_folder(name).join("data.py");
    fs::write(&file, PRINTS_DATA).unwrap();
    format!("data=python3 '{}'", file.display())
}

fn played(words: &[&str]) -> Vec<Value> {
    let output = run(&[&["arena", "psyleague"], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&stdout(&output)).as_array().unwrap().clone()
}

/// The stronger bot is named second, and wins on both seats.
#[test]
fn both_seats_are_played_and_results_are_by_player() {
    let games = played(&["awele random", "awele alpha-beta", "--depth", "4", "--seed", "1"]);
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game["ranks"], json!([1, 0]), "{game}");
        assert_eq!(game["errors"], json!([0, 0]));
        assert_eq!(game["test_data"]["seed"], 1);
        assert_eq!(game["player_data"], json!([{}, {}]));
    }
    let three = ["tron random", "b=tron random", "c=tron wall-hugger", "--rules", "size=6x6"];
    let games = played(&[&three[..], &["--seats", "3", "--seed", "1"]].concat());
    assert_eq!(games.len(), 3);
    for game in &games {
        let mut ranks: Vec<u64> =
            game["ranks"].as_array().unwrap().iter().map(|rank| rank.as_u64().unwrap()).collect();
        ranks.sort();
        assert_eq!(ranks, [0, 1, 2], "{game}");
    }
}

#[test]
fn faults_are_results() {
    let fails = |bot: &str| {
        let games = played(&["awele greedy", bot, "--seed", "1"]);
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!(game["ranks"], json!([0, 1]), "{bot}: {game}");
            assert_eq!(game["errors"], json!([0, 1]), "{bot}");
        }
    };
    fails("./there_is_no_such_bot");
    fails("sh -c 'exit 1'");
    // It is ready, and its first move is invalid.
    let text = SHELL_BOT.replace("echo \"$move\"", "echo 9");
    let bot = script(&new_folder("nine"), "answers-nine", &text);
    fails(&format!("'{}'", bot.display()));
    let output = run(&["arena", "psyleague", "awele", "b=awele", "c=awele"]);
    assert_eq!(output.status.code(), Some(2));
    let said = "error: expected 2 players, one for each seat, got 3\n";
    assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
}

/// psyleague turns JSON numbers into whole ones, and keeps the fraction of a text.
#[test]
fn data_of_players_is_collected_and_shown() {
    if !has_python() {
        return;
    }
    let bot = printing_bot("shown");
    let times = ["--move-time", "20s", "--first-move-time", "20s", "--seed", "1"];
    let games = played(&[&["awele greedy", &bot], &times[..]].concat());
    for game in &games {
        assert_eq!(game["test_data"]["weather"], "fine", "{game}");
        // The keys of the referee are not replaced.
        assert_eq!(game["test_data"]["seed"], 1, "{game}");
        assert!(game["test_data"]["moves"].as_u64().is_some_and(|moves| moves > 1), "{game}");
        assert_eq!(game["test_data"].get("ranks"), None, "{game}");
        let own = &game["player_data"][1];
        assert_eq!((&own["depth"], own.get("mood")), (&json!("3.5"), None), "{game}");
        let moves: f64 = own["moves"].as_str().unwrap().parse().unwrap();
        let all = game["test_data"]["moves"].as_f64().unwrap();
        assert!((moves * 4.0 - all).abs() <= 2.0, "half a point for each of its moves: {game}");
        assert_eq!(game["player_data"][0], json!({}));
    }
    let place = new_folder("match");
    let db = place.join("games.db");
    let db = db.to_str().unwrap();
    let words = ["awele greedy", &bot, "--games", "2", "--db", db];
    assert_eq!(run(&[&words[..], &times].concat()).status.code(), Some(0));
    let shown = stdout(&run(&["show", "0", "--brief", "--db", db]));
    let told = "data of the game: ranks = 0, seed = 5, weather = fine\n";
    assert!(shown.contains(told), "{shown}");
    assert!(shown.contains("data of data: depth = 3.5, mood = good, moves = "), "{shown}");
    let exported = stdout(&run(&["export", "--times", "--db", db]));
    let game = json(exported.lines().next().unwrap());
    assert_eq!(game["test_data"]["weather"], "fine");
    assert_eq!(game["player_data"][1]["depth"], "3.5", "{game}");
    assert!(!stdout(&run(&["export", "--db", db])).contains("weather"), "it may differ by run");
    let class = place.join("class.toml");
    let text = format!(
        "[tournament]\ngame = 'awele'\ngames = 2\nmove-time = '20s'\n[[player]]\ncommand = 'awele \
         greedy'\n[[player]]\nname = 'data'\ncommand = \"{}\"\n",
        bot.strip_prefix("data=").unwrap()
    );
    fs::write(&class, text).unwrap();
    let (class, db, pages) = (class.to_str().unwrap(), place.join("t.db"), place.join("pages"));
    let words = ["tournament", class, "--db", db.to_str().unwrap(), "--per-player"];
    let pages_in_markdown = [pages.to_str().unwrap(), "--per-player-format", "md"];
    let output = run(&[&words[..], &pages_in_markdown].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = fs::read_to_string(pages.join("data.md")).unwrap();
    assert!(
        page.contains("| depth | 2 | 3.5 | 3.5 |\n| mood | 2 | - | good |\n| moves | 2 | "),
        "{page}"
    );
    assert!(page.contains("| weather | 2 | - | fine |\n"), "{page}");
}

/// Runs psyleague in a folder, and returns what it printed.
fn psyleague(program: &str, place: &PathBuf, words: &[&str]) -> Output {
    Command::new(program).args(words).current_dir(place).output().unwrap()
}

/// A league of three bots and one that crashes plays 50 games. `PSYLEAGUE` names the program.
#[test]
#[ignore = "needs psyleague; .ci/full psyleague installs it"]
fn psyleague_runs_a_league() {
    let program = env::var("PSYLEAGUE").expect("PSYLEAGUE names the program");
    let place = new_folder("league");
    let referee = env!("CARGO_BIN_EXE_referee");
    let bots = [
        ("random", "exec '@' bot awele random"),
        ("greedy", "exec '@' bot awele greedy"),
        ("deep", "exec '@' bot awele alpha-beta --depth 4"),
        ("crashing", "echo '[PDATA] why = tired' >&2; exit 1"),
    ];
    fs::create_dir_all(place.join("bots")).unwrap();
    let config = psyleague(&program, &place, &["config"]);
    assert!(config.status.success(), "{}", stderr(&config));
    let path = place.join("psyleague.cfg");
    let mut config = String::new();
    for line in fs::read_to_string(&path).unwrap().lines() {
        config += &match line.split(' ').next() {
            Some("cmd_bot_setup") => "cmd_bot_setup = 'true'\n".into(),
            Some("cmd_play_game") => format!(
                "cmd_play_game = '''\"{referee}\" arena psyleague %DIR%/%ALL_PLAYERS% --game awele \
                 --allow-read \"{referee}\" --move-time 50ms'''\n"
            ),
            _ => format!("{line}\n"),
        };
    }
    fs::write(&path, config).unwrap();
    for (name, text) in bots {
        let file = place.join("bots").join(name);
        fs::write(&file, format!("#!/bin/sh\n{}\n", text.replace('@', referee))).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let added = psyleague(&program, &place, &["bot", "add", name]);
        assert!(added.status.success(), "{}", stderr(&added));
    }
    let run = psyleague(&program, &place, &["run", "--games", "50", "--silent"]);
    assert!(run.status.success(), "{}{}", stdout(&run), stderr(&run));
    let output = psyleague(&program, &place, &["show"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = stdout(&output);
    println!("{shown}");
    let place_of = |name: &str| {
        let at = shown.lines().position(|line| line.split_whitespace().any(|word| word == name));
        at.unwrap_or_else(|| panic!("{name} is not shown: {shown}"))
    };
    assert!(place_of("deep") < place_of("random"), "{shown}");
    assert!(place_of("random") < place_of("crashing"), "{shown}");
    let games = fs::read_to_string(place.join("psyleague.games")).unwrap();
    assert!(games.lines().count() >= 50, "{}", games.lines().count());
    for line in games.lines() {
        let game = json(line);
        let (players, errors) = (game["players"].as_array().unwrap(), &game["errors"]);
        for (number, player) in players.iter().enumerate() {
            assert_eq!(errors[number], u64::from(player == "crashing"), "{game}");
        }
    }
}
