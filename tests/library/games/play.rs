//! Single games between scripted players. Time is simulated, so no test waits.

use arbitre::clock::Clock;
use arbitre::game::Seat;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::{play, trial, PlayedGame, SeatedPlayer};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::script::{Line, Script};
use arbitre::referee::registry::table::Table;
use arbitre_process::exit::Exit;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

/// Plays Awélé from the start between two scripts. Both were ready earlier in this run.
fn game(rules: &str, limits: &PlayerLimits, scripts: &mut [Script; 2]) -> PlayedGame {
    game_of(rules, limits, scripts, [true; 2])
}

fn game_of(
    rules: &str,
    limits: &PlayerLimits,
    scripts: &mut [Script; 2],
    has_started: [bool; 2],
) -> PlayedGame {
    game_in("arbitre", rules, limits, scripts, has_started)
}

fn game_in(
    dialect: &'static str,
    rules: &str,
    limits: &PlayerLimits,
    scripts: &mut [Script; 2],
    has_started: [bool; 2],
) -> PlayedGame {
    seated_in(dialect, rules, limits, scripts, has_started, play)
}

/// Seats two scripts at the start of Awélé and hands the table to `then`.
fn seated_in<T>(
    dialect: &'static str,
    rules: &str,
    limits: &PlayerLimits,
    scripts: &mut [Script; 2],
    has_started: [bool; 2],
    then: impl FnOnce(&mut dyn Table, &mut [SeatedPlayer]) -> T,
) -> T {
    let game = arbitre::registry().open("awele", rules).unwrap();
    let mut table = game.table("opening", &[game.speech(dialect).unwrap(); 2]).unwrap();
    let has_started = has_started.map(AtomicBool::new);
    let mut seated: Vec<SeatedPlayer> = scripts
        .iter_mut()
        .zip(&has_started)
        .map(|(player, has_started)| SeatedPlayer {
            player,
            limits,
            arguments: vec![],
            seed: 4,
            label: String::new(),
            has_started,
            may_ponder: false,
        })
        .collect();
    then(&mut *table, &mut seated)
}

fn faults(played: &PlayedGame) -> Vec<(usize, &'static str)> {
    played.faults.iter().map(|story| (story.seat.index(), story.fault.word())).collect()
}

fn says(after: Duration, what: &str) -> Line {
    (after, Ok(what.into()))
}

#[test]
fn game_ends_by_the_rules_and_all_players_are_informed() {
    let mut scripts =
        [Script::of(&["ready a", "2", "0"]), Script::of(&["ready b terse", "3 # why not"])];
    let played = game("max-plies=3", &PlayerLimits::default(), &mut scripts);
    let moves: Vec<&str> = played.plies.iter().map(|ply| ply.mv.as_str()).collect();
    assert_eq!(moves, ["2", "3", "0"]);
    assert_eq!(played.plies[1].comment.as_deref(), Some("why not"));
    assert_eq!(played.plies[1].spent, MS);
    assert_eq!(played.outcome.unwrap().scores, [0, 0]);
    let [first, second] = &scripts;
    let opening = "arbitre 1\ngame awele grand-slam=nothing no-move=own-row repetition=none \
                   max-plies=3 sweep=no limit=before-moves\nseats 2 you 0\nclock fair first 1000 move 100\nseed 4\n\
                   setup opening\nbegin\n";
    assert_eq!(first.heard[0], opening);
    let turn = "state 4 4 4 4 4 4 4 4 4 4 4 4 0 0\nlegal 0 1 2 3 4 5\ngo 1000\n";
    assert_eq!(first.heard[1], turn);
    let turn = "moved 1 3\nstate 5 5 0 5 5 5 5 4 4 0 5 5 0 0\nlegal 0 1 3 4 5\ngo 100\n";
    assert_eq!(first.heard[2], turn);
    assert_eq!(second.heard[1], "moved 0 2\ngo 1000\n", "a terse bot keeps the board itself");
    assert_eq!(second.heard[2], "moved 0 0\nresult 0 0\n");
}

#[test]
fn first_move_has_its_own_limit() {
    let late = |first, second| {
        let first = Script::new([says(MS, "ready a"), says(first, "0"), says(second, "1")]);
        let mut scripts = [first, Script::of(&["ready b", "0", "1"])];
        faults(&game("max-plies=4", &PlayerLimits::default(), &mut scripts))
    };
    // The margin of 10 ms is added to 1 s and to 100 ms.
    assert_eq!(late(1010 * MS, 110 * MS), []);
    assert_eq!(late(1011 * MS, MS), [(0, "timeout")]);
    assert_eq!(late(MS, 111 * MS), [(0, "timeout")]);
}

#[test]
fn game_clock_runs_down_and_gains() {
    let clock = Clock { game: Some(1000 * MS), increment: 100 * MS, ..Clock::default() };
    let limits =
        PlayerLimits { clock, margin: 10 * MS, overtime: None, ponder: false, by_rules: false };
    let lines =
        [says(MS, "ready a"), says(600 * MS, "0"), says(300 * MS, "1"), says(311 * MS, "2")];
    let mut scripts = [Script::new(lines), Script::of(&["ready b", "0", "1", "2"])];
    let played = game("", &limits, &mut scripts);
    let told: Vec<&str> = scripts[0].heard.iter().filter_map(|text| text.lines().last()).collect();
    // 1000 - 600 + 100 = 500, 500 - 300 + 100 = 300, and 311 exceeds 300 and the margin.
    assert_eq!(told, ["begin", "go 1000 100", "go 500 100", "go 300 100"]);
    assert_eq!(faults(&played), [(0, "timeout")]);
    assert!(scripts[0].heard[0].contains("clock wall game 1000 increment 100\n"));
}

#[test]
fn margin_is_not_deducted_later() {
    let clock = Clock { game: Some(100 * MS), ..Clock::default() };
    let limits =
        PlayerLimits { clock, margin: 10 * MS, overtime: None, ponder: false, by_rules: false };
    let lines = [says(MS, "ready a"), says(105 * MS, "0"), says(MS, "1"), says(11 * MS, "2")];
    let mut scripts = [Script::new(lines), Script::of(&["ready b", "0", "1", "2"])];
    let played = game("", &limits, &mut scripts);
    let told: Vec<&str> = scripts[0].heard.iter().filter_map(|text| text.lines().last()).collect();
    assert_eq!(told[2..], ["go 0 0", "go 0 0"], "a clock stops at zero");
    assert_eq!(faults(&played), [(0, "timeout")]);
}

/// With the margin, an answer within 160 ms uses the overtime, which two answers of a game may.
#[test]
fn third_late_answer_is_a_timeout() {
    let clock = Clock { per_move: Some(100 * MS), ..Clock::default() };
    let played = |spent: &[u32]| {
        let limits = PlayerLimits {
            overtime: Some(50 * MS),
            clock: clock.clone(),
            ..PlayerLimits::default()
        };
        let moves = ["0", "1", "2", "3", "4"].into_iter().zip(spent);
        let lines = moves.map(|(mv, &spent)| says(spent * MS, mv));
        let first = Script::new(std::iter::once(says(MS, "ready a")).chain(lines));
        let mut scripts = [first, Script::of(&["ready b", "0", "1", "2", "3", "4"])];
        faults(&game("max-plies=10", &limits, &mut scripts))
    };
    assert_eq!(played(&[110, 160, 110, 160, 110]), []);
    assert_eq!(played(&[160, 111, 160, 110, 110]), [(0, "timeout")]);
    assert_eq!(played(&[110, 161, 110, 110, 110]), [(0, "timeout")]);
}

#[test]
fn first_fault_decides_and_is_reported() {
    let mut scripts = [Script::of(&["ready a", "0", "0"]), Script::of(&["ready b", "1"])];
    let played = game("", &PlayerLimits::default(), &mut scripts);
    let [story] = &played.faults[..] else { panic!("one fault, not {:?}", played.faults) };
    assert_eq!((story.seat, story.ply), (Seat::new(0), 2));
    assert!(
        matches!(&story.fault, Fault::Illegal { answer, why, .. } if answer == "0" && why.contains("empty"))
    );
    assert!(story.position.starts_with("0 5 5 5 5 4 "), "{}", story.position);
    assert_eq!(story.legal, ["1", "2", "3", "4", "5"]);
    assert_eq!(played.outcome.unwrap().places(), [1, 0]);
    assert_eq!(scripts[1].heard.last().unwrap(), "out 0 illegal\nresult 0 0\n");
}

#[test]
fn trial_fails_if_the_player_is_gone() {
    let cases = [
        (Fault::Crash(Exit::ProcessLimit), true),
        (Fault::Disconnect, true),
        (Fault::MemoryLimit { limit: 9 }, true),
        (Fault::Pondered, true),
        (Fault::OutputLimit { limit: 9 }, false),
    ];
    for (fault, is_gone) in cases {
        let answers = [says(MS, "ready a"), (MS, Err(fault.clone()))];
        let (limits, mut scripts) =
            (PlayerLimits::default(), [Script::new(answers), Script::new([])]);
        let tried = seated_in("arbitre", "", &limits, &mut scripts, [true; 2], |table, seated| {
            trial(table, seated, Seat::FIRST)
        });
        let report = tried.err().map(|report| report.fault);
        assert_eq!(report, Some(fault).filter(|_| is_gone));
    }
}

#[test]
fn every_fault_has_its_word() {
    let crash = Fault::Crash(Exit::Code(1));
    let cases = [
        (says(MS, "6"), "invalid"),
        (says(MS, ""), "invalid"),
        (says(MS, "2 3"), "invalid"),
        (says(MS, "# 2"), "invalid"),
        (says(1011 * MS, "2"), "timeout"),
        ((MS, Err(crash)), "crash"),
        ((MS, Err(Fault::Disconnect)), "disconnect"),
        ((MS, Err(Fault::OutputLimit { limit: 9 })), "output-limit"),
        ((MS, Err(Fault::MemoryLimit { limit: 9 })), "memory-limit"),
    ];
    for (line, word) in cases {
        let shown = format!("{line:?}");
        let mut scripts = [Script::new([says(MS, "ready a"), line]), Script::of(&["ready b"])];
        let played = game("", &PlayerLimits::default(), &mut scripts);
        assert_eq!(faults(&played), [(0, word)], "{shown}");
    }
}

#[test]
fn blanks_and_comments_are_accepted() {
    for answer in ["2", "2 ", " 2", "2 # 3 was worse", "2# x # y", "2 #"] {
        let mut scripts = [Script::of(&["ready a", answer]), Script::of(&["ready b"])];
        let played = game("max-plies=1", &PlayerLimits::default(), &mut scripts);
        assert_eq!(faults(&played), [], "'{answer}'");
        assert_eq!(played.plies[0].mv, "2");
    }
}

#[test]
fn two_faults_at_the_start_share_a_place() {
    let mut scripts = [Script::of(&["hello"]), Script::of(&["ready"])];
    let played = game("", &PlayerLimits::default(), &mut scripts);
    assert_eq!(faults(&played), [(0, "invalid"), (1, "invalid")]);
    assert_eq!(played.outcome.unwrap().places(), [0, 0]);
}

#[test]
fn player_never_ready_in_this_run_did_not_start() {
    let mut scripts = [Script::of(&["hello"]), Script::of(&["ready b"])];
    let played = game_of("", &PlayerLimits::default(), &mut scripts, [false, true]);
    assert_eq!(faults(&played), [(0, "not-started")]);
    assert_eq!(played.outcome, None, "the game is void");

    let late = Script::new([says(10_011 * MS, "ready a")]);
    let played =
        game_of("", &PlayerLimits::default(), &mut [late, Script::of(&["ready b"])], [true; 2]);
    assert_eq!(faults(&played), [(0, "timeout")], "a player that was ready before loses");
    assert_eq!(played.outcome.unwrap().places(), [1, 0]);
}

/// In a dialect without `ready`, a player counts as not started until its first line of any kind.
#[test]
fn first_answer_shows_that_a_player_runs() {
    let first = |line: Line| {
        let mut scripts = [Script::new([line]), Script::of(&["0", "1"])];
        let played =
            game_in("codingame", "max-plies=2", &PlayerLimits::default(), &mut scripts, [false; 2]);
        (faults(&played), played.outcome.is_none())
    };
    let crash = Fault::Crash(Exit::Code(1));
    assert_eq!(first((MS, Err(crash))), (vec![(0, "not-started")], true));
    assert_eq!(first(says(MS, "hello")), (vec![(0, "invalid")], false));
    assert_eq!(first(says(MS, "0")), (vec![], false));
}
