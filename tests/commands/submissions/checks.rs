//! `referee check` on folders of players.

use super::harness::{is_there, Class, REFEREE};
use arbitre_test_support::command::{stderr, stdout};
use arbitre_test_support::zips::{zip, Entry, PROGRAM, UTF8};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// Bot that passes every check.
const GOOD: &str = include_str!("../../../referee/templates/bot.py");

/// Runs `referee check` on these players, in the folder above the class. Returns its output, its
/// standard error and its exit code.
fn check(class: &Class, players: &[&str], more: &[&str]) -> (String, String, Option<i32>) {
    let mut referee = Command::new(REFEREE);
    referee.arg("check").args(players).args(["--game", "awele", "--games", "2"]).args(more);
    referee.args(["--move-time", "20s", "--init-time", "20s"]).current_dir(&class.0);
    let output = referee.output().unwrap();
    (stdout(&output), stderr(&output), output.status.code())
}

#[test]
fn players_of_a_folder_are_checked() {
    let class = Class::new("checked");
    if !is_there("python3", "folders were not checked") {
        return;
    }
    class.file("zoé m/main.py", GOOD);
    class.file("zoé m/data/book.txt", "");
    class.file("kim/build.sh", "echo no compiler; exit 3");
    // Its moves are counted from 1.
    class.file("leo.py", &GOOD.replace("random.choice(legal)", "int(random.choice(legal)) + 1"));
    class.file("ada.py", GOOD);
    class.file("notes.txt", "");
    let (text, said, code) = check(&class, &["class"], &[]);
    assert_eq!(code, Some(1), "{text}{said}");
    assert!(said.contains("note: ignored notes.txt: "), "{said}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("sandbox: ") && lines[0].ends_with("profile class"), "{text}");
    let start = "not started kim: its build ended with exit code 3 after ";
    assert!(lines[2].starts_with(start), "{text}");
    assert_eq!(
        [lines[1], lines[3], lines[4], lines[5]],
        ["ok          ada", "FAILED      leo: legal", "ok          zoé m", ""],
        "{text}"
    );
    // Details of those with something to fix.
    assert!(text.contains("kim (") && text.contains("no compiler"), "{text}");
    assert!(text.contains("to fix: legal") && !text.contains("nothing to fix"), "{text}");
    // One document or suite for each, as for players that are named.
    let (text, _, code) = check(&class, &["class"], &["--json"]);
    assert_eq!((text.lines().count(), code), (4, Some(1)), "{text}");
    let (text, _, _) = check(&class, &["class"], &["--junit"]);
    assert_eq!(text.matches("<testsuite ").count(), 4, "{text}");
}

/// A folder with an entry point is one player, with its folders and other files.
#[test]
fn folder_is_one_player_or_several() {
    let class = Class::new("one or several");
    if !is_there("python3", "folders were not checked") {
        return;
    }
    for (name, files, players) in [
        ("main", &["main.py", "ada.py", "lib/main.py"][..], &["main"][..]),
        ("bot", &["bot.py", "kim/bot.py"], &["bot"]),
        ("only", &["x.py", "__pycache__/x.pyc"], &["only"]),
        ("flat", &["ada.py", "leo.py"], &["ada", "leo"]),
        ("mixed", &["ada.py", "kim/bot.py", "zoé m/main.py"], &["ada", "kim", "zoé m"]),
        ("folders", &["kim/bot.py", "leo/main.py"], &["kim", "leo"]),
        ("of one", &["kim/bot.py"], &["kim"]),
    ] {
        files.iter().for_each(|file| drop(class.file(&format!("{name}/{file}"), GOOD)));
        let folder = format!("class/{name}");
        let (text, said, code) = check(&class, &[&folder], &["--json"]);
        assert_eq!(code, Some(0), "{name}: {text}{said}");
        let names = text.lines().map(|line| {
            let document: serde_json::Value = serde_json::from_str(line).unwrap();
            document["player"].as_str().unwrap().to_owned()
        });
        assert_eq!(names.collect::<Vec<_>>(), players, "{name}");
    }
    // One player has its report, also with a name, beside others and from its own folder.
    let (text, _, code) = check(&class, &["eve=class/bot"], &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("eve (python3 bot.py) at awele") && text.contains("nothing to fix"));
    let several = ["class/bot", "awele greedy", "class/only", "class/flat/leo.py"];
    let (text, _, _) = check(&class, &several, &["--json"]);
    assert_eq!(text.lines().count(), 4, "{text}");
    // A source file alone, and one that may be executed.
    let (text, said, code) = check(&class, &["class/flat/leo.py"], &[]);
    assert_eq!(code, Some(0), "{text}{said}");
    assert!(text.contains("leo (python3 leo.py) at awele"), "{text}");
    class.program("run.py", &format!("#!/usr/bin/env python3\n{GOOD}"));
    let (text, _, _) = check(&class, &["class/run.py"], &[]);
    assert!(text.contains("run (python3 run.py) at awele"), "{text}");
    assert!(text.contains("profile class"), "{text}");
}

#[test]
fn folder_without_a_player_is_refused() {
    let class = Class::new("no player");
    class.file("empty/notes.txt", "");
    class.file("broken/build.sh", "exit 3");
    for (folder, start) in [
        ("class/empty", "error: expected an entry point (main.py, "),
        ("class/broken", "error: its build ended with exit code 3 "),
    ] {
        let (text, said, code) = check(&class, &[folder], &[]);
        assert!(said.starts_with(start), "{said}");
        assert_eq!((text.as_str(), code), ("", Some(3)));
    }
}

/// A loose file of a usual name, and a file that cannot be used, hide no other player.
#[test]
fn no_player_hides_the_others() {
    let class = Class::new("hiding");
    if !is_there("python3", "folders were not checked") {
        return;
    }
    class.file("ada/main.py", GOOD);
    class.file("leo/main.py", GOOD);
    class.file("bot.py", GOOD);
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("ok ") || line.contains(" eve"));
        lines.map(|line| line.split_whitespace().nth(1).unwrap_or_default().into()).collect()
    };
    let (text, said, _) = check(&class, &["class"], &[]);
    assert_eq!(names(&text), ["ada", "bot", "leo"], "{text}{said}");
    class.file("eve/main.py", GOOD);
    std::os::unix::fs::symlink("/etc/passwd", class.path("eve/data")).unwrap();
    let (text, said, _) = check(&class, &["class"], &[]);
    assert!(text.contains("ok          ada") && text.contains("eve"), "{text}{said}");
}

/// A zip file is checked as the folder of its players would be, below any name.
#[test]
fn players_of_a_zip_file_are_checked() {
    let class = Class::new("zip");
    if !is_there("python3", "zip files were not checked") {
        return;
    }
    let part = |student: &str, rest: &str, text: &str| {
        Entry::new(format!("{student}_assignsubmission_{rest}"), text).with_flags(UTF8)
    };
    let wrong = GOOD.replace("random.choice(legal)", "int(random.choice(legal)) + 1");
    let sent = zip(&[
        part("Zoé NOM_1", "file_/main.py", GOOD),
        part("Léo Roi_2", "file_/tp.py", &wrong),
        part("Kim O'Hara_3", "file_/report.txt", ""),
        part("Ada Bell_4", "onlinetext_/onlinetext.html", ""),
        part("Ida Lee_5", "file_/", ""),
        part("Ida Lee_5", "file_/bot.py", GOOD).with_mode(PROGRAM),
    ]);
    for name in ["submissions.zip", "TP d'algo 2-4711.zip", "download"] {
        std::fs::write(class.0.join(name), &sent).unwrap();
        // As on a disk whose files have all rights.
        let path = class.0.join("TP d'algo 2-4711.zip");
        let _ = std::fs::set_permissions(path, Permissions::from_mode(0o755));
        let (text, said, code) = check(&class, &[name], &[]);
        assert_eq!(code, Some(1), "{name}: {text}{said}");
        assert!(said.contains("note: Ada Bell sent no file, and does not play"), "{name}: {said}");
        let mut lines = text.lines();
        assert!(lines.next().unwrap().ends_with("profile class"), "{name}: {text}");
        let found: Vec<&str> = lines.take(4).collect();
        assert!(found[1].starts_with("not started Kim O'Hara: expected an entry point"), "{text}");
        assert_eq!(
            [found[0], found[2], found[3]],
            ["ok          Ida Lee", "FAILED      Léo Roi: legal", "ok          Zoé NOM"],
            "{name}: {text}"
        );
    }
    assert!(class.0.join(".arbitre/zips").is_dir());
    std::fs::write(class.0.join("x.zip"), "<html>Log in").unwrap();
    let (text, said, code) = check(&class, &["x.zip"], &[]);
    assert!(said.starts_with("error: x.zip: expected a zip file, got another"), "{said}");
    assert_eq!((text.as_str(), code), ("", Some(6)));
}
