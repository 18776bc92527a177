//! Full disks and read-only folders. Each is a small file system in memory, mounted in namespaces
//! of its own, which end with the script that runs in them.

use crate::store::harness::{acknowledged, game_of, index_of, Folder, CALM, PLAYERS, REFEREE};
use std::collections::HashSet;
use std::fs;
use std::process::{Command, Output, Stdio};

/// Options of `unshare` to try: as an unprivileged user, and as root.
const WAYS: [&str; 2] = ["-Urm", "-m"];

/// Runs a shell script in its own mount namespace; `None` if the system does not allow one.
fn in_namespace(folder: &Folder, script: &str) -> Option<Output> {
    let command = |way: &str, script: &str| {
        let mut command = Command::new("unshare");
        command.args([way, "sh", "-euc", script]).current_dir(folder.join(""));
        command.stdin(Stdio::null()).env("REFEREE", REFEREE);
        command
    };
    fs::create_dir_all(folder.join("room")).unwrap();
    let probe = "mount -t tmpfs -o size=64k tmpfs room";
    let works = |way: &&&str| command(way, probe).output().is_ok_and(|it| it.status.success());
    let Some(way) = WAYS.iter().find(works) else {
        eprintln!("SKIPPED: no mount namespaces are to be had here, so nobody has looked");
        return None;
    };
    Some(command(way, script).output().expect("unshare can be started"))
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}' ")).collect()
}

fn match_words() -> String {
    let more = ["--games", "200", "--seed", "7", "--concurrency", "2", "--db", "match.db"];
    quoted(&[&PLAYERS[..], &CALM, &more].concat())
}

fn read(folder: &Folder, name: &str) -> String {
    String::from_utf8(fs::read(folder.join(name)).expect(name)).expect(name)
}

/// Returns the only error line, which only a remedy may follow.
fn error_line(text: &str) -> String {
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    let last = text.lines().rfind(|line| !line.starts_with("help: "));
    assert_eq!(last, Some(errors[0]), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    errors[0].to_owned()
}

/// Returns a script that plays until the disk is full, frees space, and resumes.
fn script_of_a_full_disk(size: &str) -> String {
    let play = format!("\"$REFEREE\" {}", match_words());
    format!(
        "mount -t tmpfs -o size={size} tmpfs room
        cd room
        code=0
        {play} --events >../events 2>../errors || code=$?
        echo $code >../code
        ls >../after
        mount -o remount,size=32m .
        \"$REFEREE\" list --games --json --db match.db >../kept 2>../unread || true
        {play} --resume --events >../rest 2>../said
        \"$REFEREE\" verify --db match.db
        \"$REFEREE\" export --db match.db >../whole
        ls >../left"
    )
}

#[test]
fn full_disk_loses_no_acknowledged_game() {
    let reference = Folder::new("roomy");
    reference.play(&PLAYERS, "200", "match.db");
    let reference = String::from_utf8(reference.exports("match.db")[0].clone()).unwrap();
    let sizes = ["4k", "8k", "16k", "24k", "48k", "64k", "100k", "200k", "400k"];
    for size in sizes {
        let folder = Folder::new(&format!("full {size}"));
        let Some(output) = in_namespace(&folder, &script_of_a_full_disk(size)) else { return };
        assert!(output.status.success(), "{size}: {output:?} {}", read(&folder, "said"));
        assert_eq!(read(&folder, "code").trim(), "4", "{size}: {}", read(&folder, "errors"));
        let error = error_line(&read(&folder, "errors"));
        let first = acknowledged(&read(&folder, "events"));
        println!("{size}: {} games, then {error}", first.len());
        assert!(error.contains("match.db: the disk is full"), "{size}: {error}");
        assert!(!read(&folder, "after").contains("lock"), "{size}: {}", read(&folder, "after"));
        // 12 games, where the log was allowed to grow to its usual size.
        let least = if size == "400k" { 60 } else { 0 };
        assert!(first.len() >= least, "{size}: {} games", first.len());
        let kept = read(&folder, "kept");
        let kept: HashSet<u64> = kept.lines().filter_map(number_of).collect();
        assert!(first.iter().all(|game| kept.contains(game)), "{size}: {first:?} {kept:?}");
        let rest: Vec<u64> = read(&folder, "rest").lines().filter_map(game_of).collect();
        assert_eq!(kept.len() + rest.len(), 200, "{size}");
        assert!(read(&folder, "whole") == reference, "{size}: other games");
        assert_eq!(read(&folder, "left"), "match.db\n", "{size}");
    }
}

/// Returns the number of a listed game.
fn number_of(line: &str) -> Option<u64> {
    let game: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
    Some(index_of(&game))
}

/// Returns a script for a folder with a finished match, which then becomes read-only.
fn script_of_a_locked_room(commands: &str) -> String {
    format!(
        "mount -t tmpfs -o size=32m tmpfs room
        cd room
        \"$REFEREE\" {} >/dev/null
        mount -o remount,ro .
        try() {{
            code=0
            \"$REFEREE\" \"$@\" >>../out 2>>../errors || code=$?
            echo $code >>../codes
        }}
        {commands}",
        match_words()
    )
}

#[test]
fn read_only_folder_is_named() {
    let folder = Folder::new("read-only");
    let pair = quoted(&[&PLAYERS[..], &CALM, &["--games", "2"]].concat());
    let commands = format!(
        "try {pair}
        try {pair} --db new.db
        try {pair} --db new.db --resume
        try {} --resume
        try --resume --db match.db",
        match_words()
    );
    let Some(output) = in_namespace(&folder, &script_of_a_locked_room(&commands)) else { return };
    assert!(output.status.success(), "{output:?}");
    let errors = read(&folder, "errors");
    let errors: Vec<&str> = errors.lines().filter(|line| line.starts_with("error: ")).collect();
    let names = [".arbitre", "new.db", "new.db", "match.db", "match.db"];
    assert_eq!(errors.len(), names.len(), "{errors:?}");
    for (error, name) in errors.iter().zip(names) {
        let expected = format!("error: {name}: it cannot be written: Read-only file system");
        assert!(error.starts_with(&expected), "{error}");
    }
    assert_eq!(read(&folder, "codes"), "4\n".repeat(names.len()));
}

#[test]
fn finished_match_is_readable_in_a_read_only_folder() {
    let folder = Folder::new("read there");
    let commands = "try verify --db match.db
        try list --db match.db --json
        try show 7 --db match.db --brief
        try export --db match.db";
    let Some(output) = in_namespace(&folder, &script_of_a_locked_room(commands)) else { return };
    assert!(output.status.success(), "{output:?}");
    assert_eq!((read(&folder, "codes"), read(&folder, "errors")), ("0\n".repeat(4), String::new()));
    assert!(read(&folder, "out").contains("200 games, all as they were played"));
}
