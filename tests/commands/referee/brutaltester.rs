//! Referee programs for cg-brutaltester, in both directions: games of the referee led for it, and
//! programs that were written for it.
//!
//! `tests/data/brutaltester` has an independent stand-in for cg-brutaltester in Python, and a
//! referee program for a shell. Both were written from the description of the protocol.

use arbitre_test_support::command::{cleared, folder, json, program, script, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns a new folder with both programs, or `None` without Python.
fn arena_folder(name: &str) -> Option<PathBuf> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 in PATH");
        return None;
    }
    let folder = cleared(folder(&format!("brutaltester-{name}")));
    fs::create_dir(&folder).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/brutaltester");
    for file in ["arena.py", "guess.sh", "nim.py"] {
        fs::copy(data.join(file), folder.join(file)).unwrap();
    }
    Some(folder)
}

/// Runs a program in a folder.
fn run_in(folder: &Path, program: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    // With this variable set, Python flushes after every write.
    command.args(words).current_dir(folder).stdin(Stdio::null()).env_remove("PYTHONUNBUFFERED");
    command.output().unwrap()
}

fn referee(folder: &Path, words: &[&str]) -> Output {
    run_in(folder, &program("referee"), words)
}

/// Runs the referee, which must succeed.
fn done(folder: &Path, words: &[&str]) -> String {
    let output = referee(folder, words);
    assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// Has the stand-in for cg-brutaltester play a game.
fn arena(folder: &Path, mode: &str, seed: &str, referee: &str, players: &[&str]) -> Value {
    // Without the search for installed packages Python starts faster.
    let words = [&["-S", "arena.py", mode, seed, referee][..], players].concat();
    let output = run_in(folder, Path::new("python3"), &words);
    assert!(output.status.success(), "{}", stderr(&output));
    json(&stdout(&output))
}

/// Returns the games of a match.
fn games(folder: &Path, db: &str) -> Vec<Value> {
    done(folder, &["export", "--db", db]).lines().map(json).collect()
}

/// Returns the places of a game, counted from 0.
fn places(game: &Value) -> Vec<u64> {
    game["ranks"].as_array().unwrap().iter().map(|rank| rank.as_u64().unwrap() - 1).collect()
}

/// Limit that no honest player reaches on a busy machine.
const PATIENT: [&str; 2] = ["--move-time", "30s"];

/// The same seed and players give the same game in a match, and in both modes of cg-brutaltester.
/// The players receive the same bytes.
#[test]
fn brutaltester_plays_the_game_of_the_match() {
    let Some(folder) = arena_folder("modes") else { return };
    let path = program("referee");
    let own = path.display().to_string();
    for (game, dialect, bots) in [
        ("tron", "codingame", &["wall-hugger", "fixed --depth 2", "wall-hugger"][..]),
        ("seven-colors", "arbitre", &["greedy", "greedy"]),
    ] {
        let bots: Vec<String> =
            bots.iter().map(|bot| format!("{own} bot {game} {bot} --dialect {dialect}")).collect();
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        let words = ["--game", game, "--dialect", dialect, "--games", "1", "--seed", "11"];
        arbitre_test_support::command::remove_results(folder.join("match.db"));
        done(
            &folder,
            &[&bots[..], &words, &PATIENT, &["--no-sandbox", "--db", "match.db"]].concat(),
        );
        let played = &games(&folder, "match.db")[0];
        assert_eq!(played["faults"], serde_json::json!([]), "{played}");
        let led = format!("{own} arena brutaltester {game}");
        let old = arena(&folder, "old", "11", &led, &bots);
        assert_eq!((&old["code"], &old["stderr"]), (&0.into(), &"".into()), "{game}: {old}");
        assert_eq!(old["places"], serde_json::json!(places(played)), "{game}: {old}");
        for seat in 0..bots.len() {
            let number = seat.to_string();
            let heard =
                done(&folder, &["show", "0", "--fresh", "--input", &number, "--db", "match.db"]);
            assert!(heard.lines().count() > 5, "{heard}");
            // Without limits, the clock line of the dialect arbitre differs; the seed does not.
            let bare = |text: &str| -> Vec<String> {
                let is_limit = |line: &&str| !line.starts_with("clock ") && !line.starts_with("go");
                text.lines().filter(is_limit).map(str::to_owned).collect()
            };
            let remote = old["heard"][seat].as_str().unwrap();
            assert_eq!(bare(remote), bare(&heard), "{game}: seat {seat}");
            assert!(dialect == "arbitre" || remote == heard, "{game}: seat {seat}");
        }
        let led = format!("{led} --move-time 30s --no-sandbox");
        let new = arena(&folder, "new", "11", &led, &bots);
        assert_eq!((&new["code"], &new["stderr"]), (&0.into(), &"".into()), "{game}: {new}");
        assert_eq!(new["places"], old["places"], "{game}: {new}");
        assert_eq!(new["data"], serde_json::json!(["seed=11"]));
        let log = json(&fs::read_to_string(folder.join("game.json")).unwrap());
        let logged = &log["game"];
        assert_eq!((&logged["moves"], &logged["setup"]), (&played["moves"], &played["setup"]));
        assert_eq!(logged["scores"], played["scores"], "{game}");
        // As the example of psyleague reads it.
        let moves =
            played["moves"].as_array().unwrap().iter().zip(played["movers"].as_array().unwrap());
        for seat in 0..bots.len() {
            let key = seat.to_string();
            let own: Vec<&Value> =
                moves.clone().filter(|(_, by)| **by == seat).map(|(mv, _)| mv).collect();
            assert_eq!(log["outputs"][&key], serde_json::json!(own), "{game}");
            assert_eq!(log["errors"][&key].as_array().unwrap().len(), own.len(), "{game}");
            assert!(log["scores"][&key].is_i64(), "{log}");
        }
    }
}

/// A player that writes 200 KB of standard error in each turn, and drives into a wall.
const LOUD: &str =
    "#!/bin/sh\nwhile read n me; do i=0; while [ $i -lt $n ]; do read x; i=$((i+1)); \
                    done; head -c 200000 /dev/zero | tr '\\0' x >&2; echo UP; done";

/// A fault is a last place and a line of standard error.
#[test]
fn brutaltester_survives_loud_players_and_reads_of_faults() {
    let Some(folder) = arena_folder("loud") else { return };
    script(&folder, "loud", LOUD);
    let own = program("referee").display().to_string();
    let hugger = format!("{own} bot tron wall-hugger --dialect codingame");
    let led = format!("{own} arena brutaltester tron");
    let old = arena(&folder, "old", "5", &led, &["./loud", &hugger]);
    assert_eq!((&old["code"], &old["places"]), (&0.into(), &serde_json::json!([1, 0])), "{old}");
    assert!(old["player_stderr"][0].as_u64() >= Some(200_000), "{old}");
    assert_eq!(old["remarks"], serde_json::json!([]), "the original stops at ###Error");
    let why = old["stderr"].as_str().unwrap();
    assert!(why.starts_with("seat 0 played 'UP', which is illegal: "), "{why}");
    assert_eq!(why.lines().count(), 1, "{why}");
    let new = arena(&folder, "new", "5", &format!("{led} --move-time 30s"), &["./loud", &hugger]);
    assert_eq!((&new["code"], &new["places"]), (&0.into(), &serde_json::json!([1, 0])), "{new}");
    assert_eq!(new["stderr"], why.replace("seat 0", "loud"), "{new}");
    // A player that ends has cg-brutaltester end the game.
    let ended = arena(&folder, "old", "5", &led, &["true", &hugger]);
    assert_eq!((&ended["code"], &ended["places"]), (&6.into(), &Value::Null), "{ended}");
    let new = arena(&folder, "new", "5", &led, &["false", &hugger]);
    assert_eq!((&new["code"], &new["scores"]), (&3.into(), &serde_json::json!([-1, 0])), "{new}");
}

#[test]
fn brutaltester_is_told_what_was_expected() {
    let folder = folder("brutaltester-messages");
    let lead = |words: &[&str], input: &str| {
        let mut command = Command::new(program("referee"));
        command.args(["arena", "brutaltester"]).args(words).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap();
        // A command that fails early does not read its input.
        let _ = running.stdin.take().unwrap().write_all(input.as_bytes());
        let output = running.wait_with_output().unwrap();
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let start = "###Seed 3\n###Start 2\n";
    let (code, said, _) = lead(&["awele"], &format!("{start}7\n"));
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let [input, board, output, end] = lines[..] else { panic!("{said}") };
    assert_eq!([input, output, end], ["###Input 0", "###Output 0 1", "###End 1 0"], "{said}");
    assert_eq!(board.split(' ').count(), 12, "{said}");
    for (words, input, code, message) in [
        (&["awele"][..], "###Start 3\n", 6, "expected ###Start with 2 seats, got '###Start 3'"),
        (&["tron"], "hello\n", 6, "expected ###Start with 2 to 4 seats, got 'hello'"),
        (&["awele"], "", 6, "expected ###Start with 2 seats, got ''"),
        (&["awele"], start, 6, "expected a line of seat 0, got the end of the input"),
        (&["hextris"], start, 2, "expected a game of at least two seats, got hextris"),
        (
            &["awele", "--dialect", "relay"],
            start,
            2,
            "without arguments for the players, got relay",
        ),
        (&["awele", "--move-time", "1s"], start, 2, "expected -p1 COMMAND with limits"),
        (&["awele", "-p1", "awele"], "", 2, "awele: expected 2 seats, got 1"),
        (
            &["awele", "-p1", "awele", "-p3", "x"],
            "",
            2,
            "expected -p2 COMMAND, -d seed=N or -l FILE",
        ),
    ] {
        let (found, said, why) = lead(words, input);
        assert_eq!(found, Some(code), "{words:?} {input:?}: {said}{why}");
        assert!(why.contains(message), "{words:?} {input:?}: {why}");
    }
}

/// A player that halves the interval, from a first guess on. `fault` is what it does in turn 1.
fn guesser(folder: &Path, name: &str, fault: &str) {
    let text = format!(
        "#!/bin/sh\nread n me; low=0; high=99; guess=${{1:-49}}\nwhile read turn hint; do\ncase $hint \
         in low) low=$((guess+1));; high) high=$((guess-1));; esac\n[ $hint = start ] || \
         guess=$(((low+high)/2))\nif [ $turn = 1 ]; then :; {fault}\nfi\necho $guess; echo \
         because\ndone"
    );
    script(folder, name, &text);
}

const GUESS: [&str; 4] = ["--external", "./guess.sh", "--arena", "brutaltester"];

/// Plays a match by the rules of the program that was written for tests.
fn guess(folder: &Path, players: &[&str], words: &[&str]) -> Output {
    let db = ["--db", "guess.db"];
    arbitre_test_support::command::remove_results(folder.join("guess.db"));
    referee(folder, &[players, &GUESS, &PATIENT, &db, words].concat())
}

/// A stored game has what the stand-in for cg-brutaltester plays, and every command takes it.
#[test]
fn programs_for_brutaltester_are_played() {
    let Some(folder) = arena_folder("guess") else { return };
    guesser(&folder, "bot", "");
    let players = ["./bot 20", "low=./bot 7"];
    let output = guess(&folder, &players, &["--games", "2", "--seed", "5"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let played = games(&folder, "guess.db");
    assert_eq!(played.len(), 2);
    let list = ["list", "--games", "--json", "--db", "guess.db"];
    let listed: Vec<Value> = done(&folder, &list).lines().map(json).collect();
    for game in &played {
        assert_eq!(
            (&game["faults"], &game["dialects"][0]),
            (&serde_json::json!([]), &"raw".into())
        );
        let seed = game["setup"].as_str().unwrap().strip_prefix("seed ").unwrap();
        let command = |name: &Value| match name.as_str().unwrap() {
            "low" => "./bot 7",
            _ => "./bot 20",
        };
        let bots: Vec<&str> = game["players"].as_array().unwrap().iter().map(command).collect();
        let old = arena(&folder, "old", seed, "./guess.sh", &bots);
        assert_eq!(old["places"], serde_json::json!(places(game)), "{game}");
        let is_same =
            |row: &&Value| (&row["setup"], &row["players"]) == (&game["setup"], &game["players"]);
        let number = listed.iter().find(is_same).unwrap()["game"].to_string();
        let show =
            ["show", &number, "--input", "0", "--allow-rules", "--no-sandbox", "--db", "guess.db"];
        assert_eq!(old["heard"][0], done(&folder, &show), "{game}");
    }
    for words in [
        &["verify", "--allow-rules", "--no-sandbox"][..],
        &["show", "last"],
        &["replay", "last"],
        &["report", "--output", "report.html"],
        &["rerun", "1", "--brief"],
        &["--resume", "--games", "4"],
        &["verify", "--allow-rules", "--no-sandbox"],
    ] {
        let said = done(&folder, &[words, &["--db", "guess.db"]].concat());
        match words[0] {
            "show" => assert!(said.contains("to seat 0:\n") && said.contains("0 start"), "{said}"),
            "rerun" => assert!(said.contains("the same game as before"), "{said}"),
            _ => {}
        }
    }
    // The same program by the protocol of the referee is another match.
    let other = referee(&folder, &[&players[..], &GUESS[..2], &["--resume"]].concat());
    assert!(!other.status.success());
}

/// Options of two games in which no first guess is right.
const FAULTY: [&str; 5] = ["--games", "2", "--seed", "5", "--no-sandbox"];

/// Each fault has its word and the last place, at tables of two and of three.
#[test]
fn faults_under_programs_for_brutaltester() {
    let Some(folder) = arena_folder("faults") else { return };
    guesser(&folder, "bot", "");
    for (name, fault, word) in [
        ("crashing", "exit 3;", "crash"),
        ("slow", "exec sleep 60;", "timeout"),
        ("brief", "echo $guess; exec sleep 60;", "timeout"),
        // One write, so that the third line is there before the next request.
        ("chatty", "printf '%s\\none\\ntwo\\n' $guess; continue;", "invalid"),
        ("endless", "yes | tr -d '\\n' | head -c 200000;", "output-limit"),
    ] {
        guesser(&folder, name, fault);
        let faulty = format!("{name}[move-time=1s]=./{name}");
        let seats = if name == "crashing" { 3 } else { 2 };
        let players = [&faulty, "./bot 20", "third=./bot 70"];
        let output = guess(&folder, &players[..seats], &FAULTY);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        for game in games(&folder, "guess.db") {
            let seat = game["players"].as_array().unwrap().iter().position(|who| who == name);
            let seat = seat.unwrap();
            assert_eq!(game["faults"][0]["fault"], word, "{name}: {game}");
            assert_eq!(game["faults"][0]["seat"], seat, "{name}: {game}");
            assert_eq!(places(&game)[seat] as usize, seats - 1, "{name}: {game}");
            if seats == 3 {
                // The others play on.
                let ply = game["faults"][0]["ply"].as_u64().unwrap() as usize;
                let after = &game["moves"].as_array().unwrap()[ply..];
                assert!(after.len() >= 4, "{game}");
            }
        }
        done(&folder, &["verify", "--allow-rules", "--no-sandbox", "--db", "guess.db"]);
        done(&folder, &["show", "0", "--db", "guess.db"]);
    }
    // The program ranks a player with a wrong answer last, and says why.
    guesser(&folder, "wrong", "guess=abc;");
    let output = guess(&folder, &["./wrong", "./bot 20"], &FAULTY);
    assert!(output.status.success());
    let said = stderr(&output);
    assert!(said.contains("###Error 0 expected a number, got abc and because"), "{said}");
    for game in games(&folder, "guess.db") {
        let wrong = usize::from(game["players"][1] == "wrong");
        assert_eq!((places(&game)[wrong], &game["faults"]), (1, &serde_json::json!([])), "{game}");
    }
}

/// Plays two games by the rules of a script, which has read `###Seed` and `###Start`.
fn play_script(folder: &Path, name: &str, commands: &str, words: &[&str]) -> Output {
    script(folder, name, &format!("#!/bin/sh\nread seed\nread start\n{commands}\n"));
    script(folder, "bot", "#!/bin/sh\nwhile read line; do echo $line; done");
    let rules = format!("./{name}");
    let arena = ["./bot", "./bot", "--external", &rules, "--arena", "brutaltester"];
    let more = ["--games", "2", "--no-sandbox"];
    referee(folder, &[&arena[..], &more, &PATIENT, words].concat())
}

/// Each mistake of a program is named.
#[test]
fn programs_for_brutaltester_that_fail_are_named() {
    let folder = folder("brutaltester-failing");
    let memory = ["--db", ":memory:"];
    let asked = "echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer;";
    let honest = play_script(&folder, "honest", &format!("{asked} echo '###End 01'"), &memory);
    assert!(honest.status.success(), "{}", stderr(&honest));
    for (name, commands, message) in [
        (
            "crashing",
            "echo oops >&2; exit 7".to_owned(),
            "error: the referee program failed after '###Start 2': crash (exit code 7): oops\nhelp: it \
             prints no ###Input for ###Start, as in the old mode, and does not play with -p1 and -p2, \
             as in the new mode",
        ),
        (
            "ending",
            format!("{asked} exit 0"),
            "error: the rules of ending failed: the referee program failed after 'hello': crash (exit \
             code 0)\nhelp: --resume",
        ),
        (
            "remarking",
            "echo '###Error 0 no map'; exit 1".to_owned(),
            "error: the referee program failed after '###Start 2': crash (exit code 1): 0 no map\n",
        ),
        (
            "raving",
            "echo hello".to_owned(),
            "expected a score for each of 2 players, got 'hello'\nhelp: it prints no ###Input for",
        ),
        (
            "early",
            "echo '###Error hm'; echo hello".to_owned(),
            "error: expected ###Input before a line, got 'hello'\n",
        ),
        (
            "strange",
            "echo '###Begin 1'".to_owned(),
            "expected ###Input SEAT, ###Output SEAT LINES or ###End RANKING, got '###Begin 1'\n",
        ),
        (
            "beyond",
            "echo '###Input 2'".to_owned(),
            "error: expected ###Input with a seat from 0 to 1, got '###Input 2'\n",
        ),
        (
            "asking",
            "echo '###Output 5 1'".to_owned(),
            "expected ###Output with a seat from 0 to 1 and a number of lines, got '###Output 5 1'\n",
        ),
        (
            "idle",
            "echo '###Output 0 0'".to_owned(),
            "expected ###Output with a seat from 0 to 1 and a number of lines, got '###Output 0 0'\n",
        ),
        (
            "generous",
            format!("{asked} echo '###End 0 2'"),
            "expected ###End with each seat from 0 to 1 at most once, got '###End 0 2'\n",
        ),
        (
            "doubling",
            format!("{asked} echo '###End 0 10'"),
            "expected ###End with each seat from 0 to 1 at most once, got '###End 0 10'\n",
        ),
        (
            "forgetful",
            format!("{asked} echo '###End 1'"),
            "expected ###End with every seat, got '###End 1' without seat 0\n",
        ),
        (
            "flooding",
            "echo '###Input 0'; head -c 400000 /dev/zero | tr '\\0' x | fold -w 9999".to_owned(),
            "expected at most 262144 bytes before ###Output, got more\n",
        ),
        (
            "looping",
            "yes '###Input 0 '".to_owned(),
            "expected at most 262144 bytes before ###Output, got more\n",
        ),
    ] {
        let output = play_script(&folder, name, &commands, &memory);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(6), "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
    }
}

/// Writes a player of Nim, which runs `fault` at its second turn.
fn nim_player(folder: &Path, name: &str, fault: &str) {
    let text = format!(
        "#!/bin/sh\nturn=0\nwhile read me; do\nread n; heap=; i=0\nwhile [ $i -lt $n ]; do read x; [ \
         $x -gt 0 ] && heap=$i; i=$((i+1)); done\nturn=$((turn+1)); stones=1\nif [ $turn = 2 ]; then \
         :; {fault}\nfi\necho $heap; echo $stones\ndone"
    );
    script(folder, name, &text);
}

const NIM: [&str; 6] =
    ["--external", "python3 nim.py", "--arena", "brutaltester", "--rules", "lines=2"];

/// Plays a match by the rules of the program of the new mode, which starts the players itself.
fn nim(folder: &Path, players: &[&str], words: &[&str]) -> Output {
    arbitre_test_support::command::remove_results(folder.join("nim.db"));
    referee(folder, &[players, &NIM, &PATIENT, &["--db", "nim.db"], words].concat())
}

/// The program sees the modules beside its script under `class`, too, though a bridge starts it.
#[test]
fn programs_of_the_new_mode_find_their_modules() {
    let Some(folder) = arena_folder("nim-modules") else { return };
    fs::rename(folder.join("nim.py"), folder.join("heaps.py")).unwrap();
    fs::write(folder.join("nim.py"), "import heaps\n").unwrap();
    nim_player(&folder, "bot", "");
    for profile in ["mine", "class"] {
        let words = ["--games", "2", "--profile", profile];
        let output = nim(&folder, &["./bot", "b=./bot"], &words);
        assert_eq!(output.status.code(), Some(0), "{profile}: {}", stderr(&output));
    }
}

/// A stored game has what the stand-in for cg-brutaltester plays in its new mode.
#[test]
fn programs_of_the_new_mode_are_played() {
    let Some(folder) = arena_folder("nim") else { return };
    nim_player(&folder, "bot", "");
    nim_player(&folder, "greedy", "stones=2;");
    let output = nim(&folder, &["./bot", "./greedy"], &["--games", "2", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let played = games(&folder, "nim.db");
    assert_eq!(played.len(), 2);
    for game in &played {
        assert!(game["moves"].as_array().unwrap().len() >= 4, "{game}");
        let seed = game["setup"].as_str().unwrap().strip_prefix("seed ").unwrap();
        let command = |name: &Value| format!("./{}", name.as_str().unwrap());
        let bots: Vec<String> = game["players"].as_array().unwrap().iter().map(command).collect();
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        let new = arena(&folder, "new", seed, "python3 nim.py", &bots);
        assert_eq!(new["places"], serde_json::json!(places(game)), "{game}");
    }
    for words in [
        &["verify", "--allow-rules", "--no-sandbox"][..],
        &["show", "last"],
        &["rerun", "1", "--brief"],
    ] {
        let said = done(&folder, &[words, &["--db", "nim.db"]].concat());
        match words[0] {
            "show" => assert!(said.contains("to seat 0:\n  0\n  3\n"), "{said}"),
            "rerun" => assert!(said.contains("the same game as before"), "{said}"),
            _ => {}
        }
    }
}

/// The limits and faults of the referee hold for players that a program starts itself.
#[test]
fn faults_under_programs_of_the_new_mode() {
    let Some(folder) = arena_folder("nim-faults") else { return };
    nim_player(&folder, "bot", "");
    for (name, fault, word) in
        [("crashing", "exit 3;", "crash"), ("slow", "echo $heap; exec sleep 60;", "timeout")]
    {
        nim_player(&folder, name, fault);
        let faulty = format!("{name}[move-time=1s]=./{name}");
        let seats = if name == "crashing" { 3 } else { 2 };
        let players = [&faulty, "./bot", "third=./bot"];
        let more = ["--games", "1", "--seed", "5", "--no-sandbox"];
        let output = nim(&folder, &players[..seats], &more);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        for game in games(&folder, "nim.db") {
            let seat = game["players"].as_array().unwrap().iter().position(|who| who == name);
            let seat = seat.unwrap();
            assert_eq!(game["faults"][0]["fault"], word, "{name}: {game}");
            assert_eq!(places(&game)[seat] as usize, seats - 1, "{name}: {game}");
            if seats == 3 {
                let ply = game["faults"][0]["ply"].as_u64().unwrap() as usize;
                let after = &game["moves"].as_array().unwrap()[ply..];
                assert!(after.len() >= 4, "the others play on: {game}");
            }
        }
        done(&folder, &["verify", "--allow-rules", "--no-sandbox", "--db", "nim.db"]);
    }
}

#[test]
fn programs_of_the_new_mode_that_fail_are_named() {
    let Some(folder) = arena_folder("nim-failing") else { return };
    nim_player(&folder, "bot", "");
    let play = |external: &str, rules: &str, bots: [&str; 2], code: i32| {
        let words = ["--external", external, "--arena", "brutaltester", "--rules", rules];
        let more = ["--games", "1", "--db", ":memory:", "--no-sandbox"];
        let output = referee(&folder, &[&bots[..], &words, &PATIENT, &more].concat());
        assert_eq!(output.status.code(), Some(code), "{external}: {}", stderr(&output));
        stderr(&output)
    };
    let own = ["./bot", "b=./bot"];
    let said = play("python3 nim.py --fail", "lines=2", own, 6);
    assert!(said.contains("crash (exit code 1): no map for this seed\n"), "{said}");
    let said = play("sh -c 'echo nothing'", "lines=2", own, 6);
    assert!(said.contains("expected a score for each of 2 players, got 'nothing'\n"), "{said}");
    let said = play("python3 nim.py", "lines=0", own, 2);
    assert!(said.contains("lines: expected a number from 1 to 1000, got '0'\n"), "{said}");
}

/// Most referee programs run on a Java machine, whose own threads work beside the game.
#[test]
#[ignore = "starts a Java machine for each game; .ci/full brutaltester runs it"]
fn programs_in_java_are_played() {
    let folder = folder("brutaltester-java");
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/brutaltester/Countdown.java");
    let built = Command::new("javac").arg("-d").arg(&folder).arg(source).output();
    let built = built.expect("javac is installed");
    assert!(built.status.success(), "{}", stderr(&built));
    script(&folder, "bot", "#!/bin/sh\nwhile read me; do read stones; echo 1; done");
    arbitre_test_support::command::remove_results(folder.join("java.db"));
    let words = ["./bot", "b=./bot", "--external", "java -cp . Countdown", "--seed", "1"];
    let more = ["--arena", "brutaltester", "--games", "20", "--db", "java.db", "--json"];
    let summary = json(&done(&folder, &[&words[..], &more, &PATIENT].concat()));
    assert_eq!((&summary["games"], &summary["void"]), (&20.into(), &0.into()), "{summary:#}");
    for player in summary["players"].as_array().unwrap() {
        assert_eq!(player["faults"], serde_json::json!({}), "{summary:#}");
    }
    done(&folder, &["verify", "--allow-rules", "--no-sandbox", "--db", "java.db"]);
}

/// A player could not read lines that come after its question.
#[test]
fn late_lines_of_the_new_mode_end_the_game() {
    let Some(folder) = arena_folder("nim-late") else { return };
    let words = ["--brutaltester-bridge", "python3", "nim.py", "--late"];
    let mut command = Command::new(program("referee"));
    command.args(words).current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = bridge.stdin.take().unwrap();
    input.write_all(b"###Seed 5\n###Lines 2\n###Start 2\n").unwrap();
    let mut question = String::new();
    let mut lines = BufReader::new(bridge.stdout.take().unwrap());
    while !question.contains("###Output 0 2\n") {
        assert!(lines.read_line(&mut question).unwrap() > 0, "{question}");
    }
    assert!(question.starts_with("###Input 0\n0\n3\n"), "{question}");
    // The program sends the line now.
    fs::write(folder.join("asked"), "").unwrap();
    let output = bridge.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = "expected no line for seat 0 after its question, got 'one line more'\n";
    assert_eq!(stderr(&output), message);
}

/// A program that reads more lines than it is given has five seconds, three times.
#[test]
#[ignore = "takes half a minute; .ci/full brutaltester runs it"]
fn programs_of_the_new_mode_that_want_more_lines_are_named() {
    let Some(folder) = arena_folder("nim-lines") else { return };
    nim_player(&folder, "bot", "");
    let words = ["./bot", "b=./bot", "--games", "1", "--db", ":memory:", "--no-sandbox"];
    let output = referee(&folder, &[&words[..], &NIM[..4], &PATIENT].concat());
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let message = "if its turns have more lines than 1, write --rules lines=N\n";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
}

/// The referee waits ten seconds for a program, and names what it was sent.
#[test]
#[ignore = "takes a minute; .ci/full brutaltester runs it"]
fn programs_for_brutaltester_that_hang_are_named() {
    let folder = folder("brutaltester-hanging");
    let asked = "echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer; exec sleep 60";
    for (name, commands, message) in [
        ("later", asked, "the referee program failed after 'hello': timeout of 10s\n"),
        ("hanging", "exec sleep 60", "the program neither asks a player nor ends\n"),
    ] {
        let output = play_script(&folder, name, commands, &["--db", ":memory:"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(6), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

/// A program whose games do not follow from the seed is found before the first game, or by
/// `verify`.
#[test]
fn programs_for_brutaltester_without_seeds_are_found() {
    let folder = folder("brutaltester-seedless");
    let _ = fs::remove_file(folder.join("count"));
    arbitre_test_support::command::remove_results(folder.join("seedless.db"));
    let counting =
        "[ -f count ] && n=$(wc -c < count); n=${n:-0}; printf x >> count; echo '###Input \
                    0'; echo $n";
    let once = format!("{counting}; echo '###Output 0 1'; read answer; echo '###End 0 1'");
    let output = play_script(&folder, "counting", &once, &["--seed", "3", "--db", ":memory:"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(6), "{said}");
    let message =
        "got '1 (for seat 0)', then '2 (for seat 0)'\nhelp: for a program that does not read \
                   ###Seed, write --rules seed=no; its games cannot be replayed";
    assert!(said.contains("expected the same start twice from ###Seed "), "{said}");
    assert!(said.contains(message), "{said}");
    // Without `###Seed` the first line is the start. Each game is longer than the one before.
    let longer = "#!/bin/sh\nread start\n[ -f count ] && n=$(wc -c < count); n=${n:-0}; printf x >> \
                  count; for i in $(seq $n); do echo '###Input 0'; echo $i; echo '###Output 0 1'; read \
                  answer; done; echo '###End 0 1'";
    script(&folder, "longer", longer);
    let words = ["./bot", "./bot", "--external", "./longer", "--arena", "brutaltester", "--rules"];
    let more = ["seed=no", "--games", "2", "--no-sandbox", "--db", "seedless.db"];
    let output = referee(&folder, &[&words[..], &more, &PATIENT].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let verified =
        referee(&folder, &["verify", "--allow-rules", "--no-sandbox", "--db", "seedless.db"]);
    assert_eq!(verified.status.code(), Some(1));
    let said = stdout(&verified);
    assert!(said.contains("; the program of its rules did not repeat the game\n"), "{said}");
    for words in [&["show", "0"][..], &["report", "--output", "report.html"]] {
        done(&folder, &[words, &["--db", "seedless.db"]].concat());
    }
}

#[test]
fn option_arena_needs_a_program_and_its_dialect() {
    let folder = folder("brutaltester-options");
    script(&folder, "rules", "#!/bin/sh\nread start");
    let arena = ["--arena", "brutaltester"];
    for (words, message) in [
        (&["--game", "awele"][..], "--arena brutaltester: expected --external COMMAND, got none"),
        (&["--external", "./rules", "--dialect", "arbitre"], "expected raw, got 'arbitre'"),
        (&["--external", "./rules", "--rules", "seed=maybe"], "expected yes or no, got 'maybe'"),
        (&["--external", "./rules", "--seats", "9"], "rules: expected 2 to 8 seats, got 9"),
    ] {
        let output = referee(&folder, &[&["true", "false"][..], words, &arena].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{words:?}: {}", stderr(&output));
    }
    let check = referee(&folder, &["check", "true", "--external", "./rules", arena[0], arena[1]]);
    assert_eq!(check.status.code(), Some(2));
    assert!(stderr(&check).contains("--arena: expected codingame, got brutaltester"));
}
