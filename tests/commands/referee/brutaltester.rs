//! Referee programs for cg-brutaltester, in both directions: games of the referee led for it, and
//! programs that were written for it.
//!
//! `tests/data/brutaltester` has an independent stand-in for cg-brutaltester in Python, and a
//! referee program for a shell. Both were written from the description of the protocol.

use arbitre_test_support::command::{cleared, folder, json, program, script, stderr, stdout};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
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
const ARENA: [&str; 2] = ["--arena", "brutaltester"];

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
}

/// Rules of a game of rounds, in which each seat says ok. The program judges an answer, here `bad`,
/// at once or at the end of a round, or only remarks on it.
const ROUNDS: &str = r####"#!/bin/sh
read seed; read start; seats=${start#* } round=0
all=$(seq 0 $((seats - 1)))
while [ $round -lt 3 ]; do
    later=
    for seat in $all; do
        echo "###Input $seat"; echo "$round"; echo "###Output $seat 1"; read answer
        case $1:$answer in
        at-once:bad) echo "###Error $seat illegal the word is bad" ;;
        round:bad) later="$later $seat" ;;
        remark:bad) echo "###Error $seat bad word" ;;
        esac
    done
    for seat in $later; do echo "###Error $seat illegal the word is bad"; done
    round=$((round + 1))
done
echo "###End $(echo $all | tr -d ' ')"
"####;

/// A forbidden answer is a fault of its seat, whenever the program judges it, at tables of two and
/// of three.
#[test]
fn illegal_answers_are_faults_of_their_seat() {
    let folder = folder("brutaltester-illegal");
    script(&folder, "rounds", ROUNDS);
    script(&folder, "bot", "#!/bin/sh\nwhile read round; do echo ok; done");
    let bad = "#!/bin/sh\nwhile read round; do [ $round = 1 ] && echo bad || echo ok; done";
    script(&folder, "bad", bad);
    for mode in ["at-once", "round", "remark"] {
        for seats in [2, 3] {
            let what = format!("{mode} at {seats} seats");
            arbitre_test_support::command::remove_results(folder.join("rounds.db"));
            let rules = format!("./rounds {mode}");
            let players = ["./bad", "b=./bot", "c=./bot"];
            let words = ["--external", &rules, "--games", "6", "--db", "rounds.db"];
            let output = referee(&folder, &[&players[..seats], &words, &ARENA, &PATIENT].concat());
            assert_eq!(output.status.code(), Some(0), "{what}: {}", stderr(&output));
            for game in games(&folder, "rounds.db") {
                let seat = game["players"].as_array().unwrap().iter().position(|who| who == "bad");
                let (seat, moves) = (seat.unwrap(), game["moves"].as_array().unwrap().len());
                if mode == "remark" {
                    assert_eq!((&game["faults"], moves), (&serde_json::json!([]), 3 * seats));
                    continue;
                }
                let fault = &game["faults"][0];
                let found = (&fault["fault"], &fault["seat"], &game["faults"][1]);
                assert_eq!(
                    found,
                    (&"illegal".into(), &seat.into(), &Value::Null),
                    "{what}: {game}"
                );
                assert_eq!(places(&game)[seat] as usize, seats - 1, "{what}: {game}");
                // The others play on.
                let expected = match (seats, mode) {
                    (2, "at-once") => 2 + seat + 1,
                    (2, _) => 4,
                    _ => 3 * seats - 1,
                };
                assert_eq!(moves, expected, "{what}: {game}");
            }
            let said = stderr(&output);
            assert_eq!(said.contains("###Error"), mode == "remark", "{what}: {said}");
            for words in [
                &["verify", "--allow-rules"][..],
                &["show", "last"],
                &["show", "last", "--allow-rules"],
                &["replay", "last", "--output", "game.html"],
                &["rerun", "1", "--brief"],
            ] {
                let said = done(&folder, &[words, &["--db", "rounds.db"]].concat());
                let part = match words {
                    ["show", "last"] if mode != "remark" => {
                        "played 'bad', which is illegal: the word"
                    }
                    ["rerun", ..] => "the same game as before",
                    _ => "",
                };
                assert!(said.contains(part), "{what}: {said}");
            }
        }
    }
}

/// Lines that are no command are skipped, wherever they stand.
#[test]
fn lines_for_no_seat_are_skipped() {
    let folder = folder("brutaltester-banner");
    for (name, lines) in [
        (
            "before",
            "echo loading; echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer",
        ),
        ("after", "echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer; echo score 3"),
        (
            "unknown",
            "echo '###Map 3'; echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer",
        ),
        (
            "remark",
            "echo '###Error 0 hm'; echo '###Input 0'; echo hello; echo '###Output 0 1'; read a",
        ),
    ] {
        let lines = format!("{lines}; echo '###End 0 1'");
        let output = play_script(&folder, name, &lines, &["--db", ":memory:", "--json"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        let summary = json(&stdout(&output));
        assert_eq!((&summary["games"], &summary["void"]), (&2.into(), &0.into()), "{name}");
        assert!(said.matches("the referee program: ").count() >= 2, "{name}: {said}");
    }
}

/// A program may read the remaining time, and answers of unknown length. A seat that is out answers
/// both.
#[test]
fn extensions_of_the_old_mode_are_served() {
    let folder = folder("brutaltester-extensions");
    let program = r####"#!/bin/sh
read seed; read start; seats=${start#* } round=0 time=none
all=$(seq 0 $((seats - 1)))
echo "###Options time"
while [ $round -lt 3 ]; do
    for seat in $all; do
        echo "###Input $seat"; echo "$round $time"; echo "###Output $seat until end"
        read word number time; [ "$word $number" = "###Time $seat" ] || exit 1
        count=0
        while read line && [ "$line" != end ]; do count=$((count + 1)); done
        case $line in end) ;; *) exit 2 ;; esac
    done
    round=$((round + 1))
done
echo "###End $(echo $all | tr -d ' ')"
"####;
    script(&folder, "rules", program);
    let says = |name: &str, fault: &str| {
        let text = format!(
            "#!/bin/sh\nwhile read round time; do {fault}\n[ $round = 1 ] && echo one && echo two; echo \
             end; done"
        );
        script(&folder, name, &text);
    };
    says("bot", "");
    says("crashing", "[ $round = 1 ] && echo one && exit 3;");
    for (limit, first) in [("--move-time=30s", "30000"), ("--game-time=60s", "60000")] {
        for (seats, faulty) in [(2, "./bot"), (3, "./bot"), (3, "./crashing")] {
            let what = format!("{limit} {seats} {faulty}");
            arbitre_test_support::command::remove_results(folder.join("time.db"));
            let faulty = format!("a={faulty}");
            let players = [&faulty[..], "b=./bot", "c=./bot"];
            let words = ["--external", "./rules", "--games", "6", "--db", "time.db", limit];
            done(&folder, &[&players[..seats], &words, &ARENA].concat());
            for game in games(&folder, "time.db") {
                let moves: Vec<&str> = game["moves"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|mv| mv.as_str().unwrap())
                    .collect();
                let ends = moves.iter().filter(|mv| **mv == "end").count();
                let is_faulty = faulty.ends_with("crashing");
                assert_eq!(
                    ends,
                    if is_faulty { 3 * seats - 2 } else { 3 * seats },
                    "{what}: {game}"
                );
                assert_eq!(
                    game["faults"].as_array().unwrap().len(),
                    usize::from(is_faulty),
                    "{what}"
                );
            }
            let input = ["show", "1", "--input", "1", "--allow-rules", "--db", "time.db"];
            let heard = done(&folder, &input);
            let time = heard.lines().next().unwrap().strip_prefix("0 ").unwrap();
            assert!(time == first, "{what}: {heard}");
            for words in [&["verify", "--allow-rules"][..], &["show", "last", "--allow-rules"]] {
                done(&folder, &[words, &["--db", "time.db"]].concat());
            }
        }
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
            "got none: the referee program failed after '###Start 2': crash (exit code 7): oops\nhelp: \
             the old mode takes ten lines",
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
            "failed after '###Start 2': crash (exit code 1): ###Error 0 no map\n",
        ),
        (
            "raving",
            "echo hello".to_owned(),
            "got none: the referee program failed after '###Start 2': crash (exit code 0): hello\nhelp:",
        ),
        (
            "early",
            "echo '###Error hm'; echo hello".to_owned(),
            "error: the referee program failed after '###Start 2': crash (exit code 0): hello\n",
        ),
        (
            "strange",
            "echo '###Begin 1'".to_owned(),
            "error: the referee program failed after '###Start 2': crash (exit code 0): ###Begin 1\n",
        ),
        (
            "beyond",
            "echo '###Input 2'".to_owned(),
            "error: expected ###Input with a seat from 0 to 1, got '###Input 2'\n",
        ),
        (
            "asking",
            "echo '###Output 5 1'".to_owned(),
            "expected ###Output with a seat from 0 to 1 and a number of lines, or until WORD, got \
             '###Output 5 1'\n",
        ),
        (
            "idle",
            "echo '###Output 0 0'".to_owned(),
            "expected ###Output with a seat from 0 to 1 and a number of lines, or until WORD, got \
             '###Output 0 0'\n",
        ),
        (
            "bare",
            "echo '###Output 0'".to_owned(),
            "and a number of lines, or until WORD, got '###Output 0'\n",
        ),
        (
            "wishing",
            "echo '###Options colour'".to_owned(),
            "error: expected ###Options time, got '###Options colour'\n",
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

/// Programs of the new mode start the players themselves. Their own clock decides when one has been
/// silent for too long.
#[test]
fn programs_of_the_new_mode_are_refused_with_both_ways_out() {
    let Some(folder) = arena_folder("nim") else { return };
    let words = ["true", "false", "--external", "python3 nim.py", "--arena", "brutaltester"];
    let output = referee(&folder, &[&words[..], &["--db", "nim.db"]].concat());
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let said = stderr(&output);
    let expected = "error: --external: expected ###Input, ###Output or ###End for ###Start, as in \
                    cg-brutaltester's old mode, got none: the referee program failed after \
                    '###Start 2': crash (exit code 1): expected -p1 and -p2\nhelp: the old mode takes \
                    ten lines, see docs/external.md; a game of CodinGame's SDK plays unmodified by \
                    --arena codingame-sdk\n";
    assert_eq!(said, expected);
    assert!(!folder.join("nim.db").exists());
    let rules = referee(&folder, &[&words[..4], &ARENA, &["--rules", "lines=2"]].concat());
    assert_ne!(rules.status.code(), Some(0), "the option lines is gone");
}

/// Returns a folder with a match of the new mode, as version 0.2 stored it, and its export.
fn retired(name: &str) -> (PathBuf, String) {
    let folder = cleared(folder(&format!("brutaltester-retired-{name}")));
    fs::create_dir(&folder).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/brutaltester-new");
    let unpacked = |name: &str| {
        let mut bytes = Vec::new();
        let packed = fs::File::open(data.join(name)).unwrap();
        GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        bytes
    };
    fs::write(folder.join("nim.db"), unpacked("nim.db.gz")).unwrap();
    (folder, String::from_utf8(unpacked("nim.jsonl.gz")).unwrap())
}

/// Stored games of the new mode are read as before. None can be repeated or continued.
#[test]
fn stored_games_of_the_new_mode_are_kept() {
    let (folder, export) = retired("kept");
    let before = fs::read(folder.join("nim.db")).unwrap();
    let db = ["--db", "nim.db"];
    assert_eq!(done(&folder, &["export", "--db", "nim.db"]), export);
    for (words, part) in [
        (&["list"][..], "nim"),
        (&["list", "--games"], "greedy"),
        (&["show", "last"], "to seat 0:\n  0\n  3\n"),
        (&["show", "last", "--allow-rules", "--no-sandbox"], "to seat 0:\n  0\n  3\n"),
        (&["replay", "last", "--output", "game.html"], ""),
        (&["report", "--output", "report.html"], ""),
        (&["report", "--svg", "ratings"], "svg"),
    ] {
        let said = done(&folder, &[words, &db].concat());
        assert!(said.contains(part), "{words:?}: {said}");
    }
    let not_repeated = "the games were not repeated, as their rules are a program of \
                        cg-brutaltester's new mode, which is no longer played\n";
    let refused = "error: nim.db: expected rules that can be started, got 'python3 nim.py' of \
                   cg-brutaltester's new mode, which is no longer played\nhelp: list, show, report and \
                   export read its games\n";
    let one_problem = "nim.db: 1 problem in 4 games";
    for (words, code, printed, why) in [
        (&["verify"][..], 1, not_repeated, one_problem),
        (&["verify", "--allow-rules", "--no-sandbox"], 1, not_repeated, one_problem),
        (&["rerun", "1"], 6, "", refused),
        (&["--resume"], 6, "", refused),
        (&["--resume", "--games", "9"], 6, "", refused),
        (&["./bot", "./greedy", "--resume", "--games", "9"], 6, "", refused),
    ] {
        let output = referee(&folder, &[words, &db].concat());
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), printed, "{words:?}");
        let said = stderr(&output);
        assert!(said.trim_end().ends_with(why.trim_end()), "{words:?}: {said}");
    }
    let input = referee(&folder, &["show", "1", "--input", "0", "--db", "nim.db"]);
    assert!(stderr(&input).contains("of cg-brutaltester's new mode"), "{}", stderr(&input));
    assert!(fs::read(folder.join("nim.db")).unwrap() == before, "the file was changed");
}

/// The page shows a whole program in ten lines.
#[test]
fn program_of_the_page_plays() {
    let Some(folder) = arena_folder("page") else { return };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/external.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split("```python\n").find(|block| block.contains("###Start")).unwrap();
    let program = block.split("```").next().unwrap();
    fs::write(folder.join("stones.py"), program).unwrap();
    script(&folder, "bot", "#!/bin/sh\nwhile read stones; do echo 1; done");
    let words = ["./bot", "b=./bot", "--external", "python3 stones.py", "--games", "4"];
    let db = ["--db", "stones.db"];
    done(&folder, &[&words[..], &ARENA, &PATIENT, &db].concat());
    for game in games(&folder, "stones.db") {
        let stones = game["moves"].as_array().unwrap().len();
        assert!(stones >= 10 && places(&game)[(stones - 1) % 2] == 0, "{game}");
    }
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

/// The referee waits ten seconds for a program, and names what it was sent.
#[test]
#[ignore = "takes a minute; .ci/full brutaltester runs it"]
fn programs_for_brutaltester_that_hang_are_named() {
    let folder = folder("brutaltester-hanging");
    let asked = "echo '###Input 0'; echo hello; echo '###Output 0 1'; read answer";
    let later = &format!("{asked}; echo one >&2; printf two >&2; exec sleep 60");
    let said = "failed after 'hello': timeout of 10s\nstandard error: one\nstandard error: two\n";
    for (name, commands, message) in [
        ("later", later.as_str(), said),
        ("busy", "echo '###Input 0'; while :; do :; done", "timeout of 10s\n"),
        (
            "hanging",
            "exec sleep 60",
            "failed after '###Start 2': timeout of 10s\nhelp: the old mode",
        ),
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
    let asked = "#!/bin/sh\nread start\necho '###Output 0 1'";
    script(&folder, "rules", asked);
    let arena = ARENA;
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
}

/// A bot is tested against itself, as the program lists no moves for another opponent.
#[test]
fn bots_of_programs_for_brutaltester_are_checked() {
    let Some(folder) = arena_folder("check") else { return };
    script(&folder, "rounds", ROUNDS);
    let bot = |name: &str, second: &str| {
        let text = format!(
            "#!/bin/sh\nwhile read round; do case $round in 1) {second};; *) echo ok;; esac; done"
        );
        script(&folder, name, &text);
    };
    bot("fine", "echo ok");
    bot("bad", "echo bad");
    bot("crash", "exit 3");
    bot("twice", "echo ok; echo ok; sleep 0.2");
    let rules = ["--external", "./rounds round"];
    for (name, failed) in [
        ("fine", None),
        ("bad", Some("legal")),
        ("crash", Some("crash")),
        ("twice", Some("output")),
    ] {
        let bot = format!("./{name}");
        let words =
            [&["check", &bot, "--json", "--games", "4"][..], &rules, &ARENA, &PATIENT].concat();
        let output = referee(&folder, &words);
        let document = json(&stdout(&output));
        let checks = document["checks"].as_array().unwrap();
        let named = checks.iter().find(|check| check["verdict"] == "failed");
        assert_eq!(named.map(|check| check["check"].as_str().unwrap()), failed, "{document:#}");
        assert_eq!(output.status.code(), Some(i32::from(failed.is_some())), "{name}");
    }
    // A match proposes the test of a faulty bot.
    let words =
        [&["./bad", "./fine", "--games", "2", "--db", ":memory:"][..], &rules, &ARENA, &PATIENT];
    let said = done(&folder, &words.concat());
    let line = "referee check ./bad --external './rounds round' --arena brutaltester";
    assert!(said.contains(line), "{said}");
}
