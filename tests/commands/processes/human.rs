//! A person at a real terminal. The board is drawn, an invalid answer is asked for again, and
//! colours appear only on terminals that accept them.

use rustix::fs::{open, Mode, OFlags};
use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use rustix::termios::{tcsetwinsize, Winsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A referee at a terminal of its own, with a separate standard output.
struct Seated {
    terminal: File,
    referee: Child,
    shown: String,
}

impl Seated {
    fn new(words: &[&str], environment: &[(&str, &str)]) -> Seated {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("there are terminals");
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave: OwnedFd =
            open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.current_dir(arbitre_test_support::command::scratch());
        command.args(words).env_remove("NO_COLOR").env("TERM", "xterm");
        command.envs(environment.iter().copied());
        command.stdin(slave.try_clone().unwrap()).stderr(slave).stdout(Stdio::piped());
        let referee = command.spawn().unwrap();
        drop(command);
        Seated { terminal: master.into(), referee, shown: String::new() }
    }

    /// Reads until the terminal shows `part`. Returns the text since the last call, with `part`.
    fn until(&mut self, part: &str) -> String {
        let mut chunk = [0; 4096];
        loop {
            if let Some(at) = self.shown.find(part) {
                let rest = self.shown.split_off(at + part.len());
                return std::mem::replace(&mut self.shown, rest);
            }
            let count = self.terminal.read(&mut chunk).unwrap_or(0);
            assert!(count > 0, "'{part}' was never shown: {}", self.shown);
            self.shown += &String::from_utf8_lossy(&chunk[..count]);
        }
    }

    fn type_in(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Returns the standard output and the exit code.
    fn finish(self) -> (String, Option<i32>) {
        let output = self.referee.wait_with_output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }
}

#[test]
fn invalid_answers_are_asked_for_again() {
    let mut seated = Seated::new(&["human", "awele greedy", "--seed", "1", "--json"], &[]);
    let opening = seated.until("> ");
    assert!(opening.contains("You have seat 0"), "{opening}");
    assert!(opening.contains("\x1b[1m 4\x1b[0m"), "pits that can be played are bold: {opening}");
    assert!(opening.contains("your move (0 1 2 3 4 5)"), "{opening}");
    for slip in ["seven", "9", ""] {
        seated.type_in(&format!("{slip}\n"));
        let again = seated.until("> ");
        assert!(again.contains("expected a pit from 0 to 5"), "{again}");
    }
    seated.type_in("2\n");
    let turn = seated.until("> ");
    assert!(turn.contains("you: 2") && turn.contains("the other: "), "{turn}");
    seated.type_in("2\n");
    assert!(seated.until("> ").contains("that pit is empty"));
    seated.type_in("\x04");
    assert!(seated.until("> ").contains("You have seat 1"), "the second game exchanges the seats");
    seated.type_in("\x04");
    let (document, code) = seated.finish();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["players"][0]["faults"]["disconnect"], 2);
    assert_eq!((&document["games"], code), (&2.into(), Some(0)));
}

/// Rules in another process, and an opponent, say what a person sees.
#[test]
fn texts_of_others_do_not_act_on_the_terminal() {
    let folder = arbitre_test_support::command::folder("person and rules");
    let attack = "\\033]52;c;aGFjaw==\\007\\033[2J";
    let rules = format!(
        "#!/bin/sh\nwhile read w r; do case $w in\nrules) echo game odd; echo title 'o{attack}'; echo \
         seats 1 2; echo lists-legal;;\ndraw|check) echo setup x;;\nstart) echo turn 0;;\n\
         out) echo over 0 out 0;;\nask|state) printf 'state {attack}\\n'; echo legal a;;\nlegal) printf 'legal {attack}\\n';;\n\
         picture) printf 'x{attack}\\n';;\nplay) printf 'illegal {attack}\\n';;\nesac; echo .; done"
    );
    arbitre_test_support::command::script(&folder, "rules", &rules);
    let rules = format!("'{}'", folder.join("rules").display());
    let words = ["human", "--external", &rules, "--games", "1", "--db", ":memory:"];
    let mut seated = Seated::new(&words, &[("NO_COLOR", "1")]);
    let first = seated.until("begin");
    seated.type_in("ready me\n");
    let second = seated.until("go");
    seated.type_in("\x04");
    assert!(second.contains("state \\u{1b}]52;"), "{second:?}");
    for text in [first, second] {
        assert!(!text.contains(['\x1b', '\x07']), "{text:?}");
    }
    seated.finish();
}

/// Text of a stored game that `show` prints on a terminal of `rows` lines, or passes to a pager
/// that keeps it in a file.
fn shown(rows: u16, place: &Path, pager: &str) -> (String, Option<String>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let slave: OwnedFd = open(name, flags, Mode::empty()).unwrap();
    let size = Winsize { ws_row: rows, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&slave, size).unwrap();
    let _ = std::fs::remove_file(place.join("paged"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.current_dir(place).args(["show", "last", "--db", "match.db"]).env("PAGER", pager);
    let mut referee = command.stdin(Stdio::null()).stdout(slave).spawn().unwrap();
    drop(command);
    let mut text = String::new();
    // At the end of a terminal its other side reads an error.
    let _ = File::from(master).read_to_string(&mut text);
    assert!(referee.wait().unwrap().success());
    (text, std::fs::read_to_string(place.join("paged")).ok())
}

#[test]
fn long_game_goes_through_the_pager() {
    let place = arbitre_test_support::command::folder("pager");
    arbitre_test_support::command::remove_results(place.join("match.db"));
    let mut play = Command::new(env!("CARGO_BIN_EXE_referee"));
    play.args(["awele random", "awele greedy", "--games", "2", "--rules", "max-plies=8"]);
    play.args(["--openings", "0"]);
    let played = play.args(["--db", "match.db"]).current_dir(&place).output().unwrap();
    assert!(played.status.success(), "{played:?}");
    let keep = "sh -c 'cat > paged'";
    let (whole, none) = shown(1_000, &place, keep);
    assert!(whole.lines().count() > 30 && none.is_none(), "{whole}");
    let (rest, paged) = shown(30, &place, keep);
    let paged = paged.expect("the text is longer than the terminal");
    assert_eq!((rest.as_str(), paged.lines().count()), ("", whole.lines().count()));
    assert!(paged.lines().zip(whole.lines()).all(|(one, other)| one == other.trim_end()));
    // A pager that is empty, or is not there.
    for pager in ["", "no-such-pager", "'"] {
        assert_eq!(shown(30, &place, pager), (whole.clone(), None), "{pager}");
    }
}

#[test]
fn colours_respect_the_environment() {
    for refusal in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut seated = Seated::new(&["human", "awele random"], &[refusal]);
        let opening = seated.until("> ");
        assert!(!opening.contains('\x1b'), "{refusal:?}: {opening}");
        seated.type_in("\x04");
        seated.until("> ");
        seated.type_in("\x04");
        assert_eq!(seated.finish().1, Some(0));
    }
}

#[test]
fn two_people_share_a_terminal_and_play_to_the_end() {
    let words = ["human", "human", "--game", "awele", "--games", "2", "--rules", "max-plies=2"];
    let mut seated = Seated::new(&words, &[]);
    for pit in ["0\n", "1\n", "2\n", "3\n"] {
        seated.until("> ");
        seated.type_in(pit);
    }
    seated.until("The game is over: you 0, the other 0");
    let (table, code) = seated.finish();
    assert!(table.contains("human-2") && table.contains("2 games, 4 moves"), "{table}");
    assert_eq!(code, Some(0));
}

#[test]
fn a_person_steers_a_cycle() {
    let words = ["human", "tron random", "--seed", "1", "--rules", "small", "--json"];
    let mut seated = Seated::new(&words, &[]);
    let opening = seated.until("> ");
    assert!(opening.contains("Tron: steer a cycle"), "{opening}");
    assert!(opening.contains("A you") && opening.contains("B the other"), "{opening}");
    assert!(opening.contains("\x1b[34mA\x1b[0m"), "heads have colours: {opening}");
    seated.type_in("sideways\n");
    assert!(seated.until("> ").contains("expected UP, RIGHT, DOWN or LEFT, got 'sideways'"));
    let way = opening.rsplit("your move (").next().unwrap().split([' ', ')']).next().unwrap();
    seated.type_in(&format!("{way}\n"));
    let turn = seated.until("> ");
    assert!(turn.contains(&format!("you: {way}")) && turn.contains("the other: "), "{turn}");
    seated.type_in("\x04");
    seated.until("> ");
    seated.type_in("\x04");
    assert_eq!(seated.finish().1, Some(0));
}

#[test]
fn a_person_floods_a_board() {
    let rules = ["--rules", "size=5x5 ban=opponent colours=4", "--seed", "1"];
    let words = ["human", "seven-colors oracle --depth 3", "--game", "seven-colors"];
    let mut seated = Seated::new(&[&words[..], &rules].concat(), &[]);
    let opening = seated.until("> ");
    assert!(opening.contains("Seven Colors: flood a board"), "{opening}");
    assert!(opening.contains("your move (A B C D)"), "{opening}");
    let coloured = |letter: char| opening.contains(&format!("\x1b[30;48;5;203m{letter} \x1b[0m"));
    assert!(coloured('A') && !coloured('B'), "each letter has its colour: {opening}");
    assert!(opening.contains("\x1b[30;107m. \x1b[0m") && opening.contains("\x1b[97;40m* \x1b[0m"));
    assert!(opening.contains("more than 12 cells win"), "{opening}");
    for slip in ["E", "blue", "", "AB"] {
        seated.type_in(&format!("{slip}\n"));
        let again = seated.until("> ");
        assert!(again.contains("expected a colour from A to D"), "{again}");
    }
    seated.type_in("a\n");
    let turn = seated.until("> ");
    let answer = turn.split("the other: ").nth(1).expect("what the other played");
    let banned = answer.chars().next().unwrap();
    assert!(turn.contains("you: A") && turn.contains(&format!("played {banned} last")), "{turn}");
    seated.type_in(&format!("{banned}\n"));
    assert!(seated.until("> ").contains("the opponent played this colour last"));
    seated.type_in("\x04");
    seated.until("> ");
    seated.type_in("\x04");
    assert_eq!(seated.finish().1, Some(0));
}

#[test]
fn a_board_has_letters_where_there_are_no_colours() {
    let words = ["human", "seven-colors random", "--rules", "size=4x4", "--seed", "1"];
    let mut seated = Seated::new(&words, &[("NO_COLOR", "1")]);
    let opening = seated.until("> ");
    let rows: Vec<&str> = opening.lines().filter(|line| line.trim().len() == 7).collect();
    assert_eq!(rows.len(), 4, "{opening}");
    assert!(!opening.contains('\x1b') && opening.contains(". you: 1"), "{opening}");
    seated.type_in("\x04");
    seated.until("> ");
    seated.type_in("\x04");
    assert_eq!(seated.finish().1, Some(0));
}
