//! The class of thirty submissions that `scripts/class` writes.

use super::harness::{go_on, is_there, level, ready, Class, REFEREE};
use super::matches::{play_between, Match};
use arbitre::internals::submissions::build::BuildLimits;
use arbitre::internals::submissions::entry::Stated;
use arbitre::internals::submissions::zipped::unpack;
use arbitre::internals::submissions::{scan, Broken, Builder, Prepared, Scan};
use arbitre_process::launcher::layers::Level;
use arbitre_test_support::class as students;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Writes the class into a folder of this name.
fn write(class: &Class, name: &str, game: &str) -> Scan {
    let folder = class.0.join(name);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/class");
    let mut command = Command::new("bash");
    command.arg(script).args(["--game", game, "--referee", REFEREE]).arg(&folder);
    let output = command.output().expect("bash can be started");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 30);
    eprint!("{stderr}");
    scan(&folder).unwrap()
}

#[test]
fn class_has_thirty_submissions_and_is_the_same_each_time() {
    let class = Class::new("written");
    let scans = ["one", "two"].map(|name| write(&class, name, "tron"));
    let parts = |scan: &Scan| {
        let part = |of: &arbitre::internals::submissions::Submission| {
            (of.name.clone(), of.digest().map(str::to_owned))
        };
        scan.submissions.iter().map(part).collect::<Vec<_>>()
    };
    assert_eq!(scans[0].submissions.len(), 30);
    assert_eq!(parts(&scans[0]), parts(&scans[1]));
    assert_eq!(scans[0].notes(), [""; 0]);
    assert_eq!(scans[0].submissions[29].name, "zoé de la cruz");
    assert_ne!(parts(&write(&class, "three", "awele")), parts(&scans[0]));
    assert_eq!(class.copies(), [""; 0]);
}

/// A zip file has the first students, and the same command writes the same bytes. In the second
/// week there is one more.
#[test]
fn zip_file_of_a_class_is_the_same_each_time() {
    let class = Class::new("zipped class");
    let files = [("one", 12, 1), ("two", 12, 1), ("three", 12, 2), ("four", 3, 1)];
    let written = files.map(|(name, students, week)| {
        let zip = class.0.join(format!("{name}.zip"));
        if !students::write(&zip, students, week) {
            return None;
        }
        let unpacked = unpack(&zip, &class.0.join("zips")).unwrap();
        Some((fs::read(zip).unwrap(), scan(&unpacked.folder).unwrap().submissions.len()))
    });
    let [Some(one), Some(two), Some(three), Some(four)] = written else { return };
    assert_eq!((one.1, three.1, four.1), (12, 13, 3));
    assert_eq!(one.0, two.0);
}

/// Compiles about twenty programs.
#[test]
#[ignore = "it takes a minute: .ci/full runs it"]
fn class_is_built_and_plays() {
    let class = Class::new("built");
    for (program, language) in
        [("cc", "C"), ("make", "C"), ("javac", "Java"), ("ocamlopt", "OCaml"), ("cargo", "Rust")]
    {
        is_there(program, &format!("bots in {language} were not built"));
    }
    let scan = write(&class, "class of tron", "tron");
    let limits = BuildLimits { time: Duration::from_secs(10), ..BuildLimits::default() };
    let builder = Builder { limits, ..class.builder() };
    let prepare = |submission| builder.prepare(submission, &Stated::default(), &go_on);
    let prepared: Vec<Prepared> = scan.submissions.iter().map(prepare).collect();
    let reason = |name: &str| match prepared.iter().find(|of| of.name() == name) {
        Some(Prepared::Broken(Broken { reason, .. })) => reason.as_str(),
        _ => "",
    };
    if is_there("make", "broken bots in C were not built") {
        assert!(
            reason("carol").starts_with("its build ended with exit code 2 "),
            "{}",
            reason("carol")
        );
        assert_eq!(reason("evelyn"), "its build took longer than 10s");
    }
    assert!(reason("shafi").starts_with("expected an entry point "), "{}", reason("shafi"));
    let is_broken = |of: &&Prepared| matches!(of, Prepared::Broken(_));
    let broken: Vec<&Prepared> = prepared.iter().filter(is_broken).collect();
    assert_eq!(broken.len(), 3, "{broken:?}");
    // Compilers find what they need below full, too.
    let builds = class.0.join("builds at partial");
    let partial = Builder { level: Level::Partial.min(level()), builds, ..class.builder() };
    for name in ["alan", "anita", "barbara", "bjarne"] {
        let found = scan.submissions.iter().find(|submission| submission.name == name);
        ready(partial.prepare(found.unwrap(), &Stated::default(), &go_on));
    }
    // One bot of each language, and those that fail in a game.
    let names = ["ada", "adele", "alan", "anita", "barbara", "bjarne", "brian", "zoé de la cruz"];
    let chosen = prepared.into_iter().filter(|of| names.contains(&of.name())).map(ready);
    let args = chosen.map(|ready| ready.arg()).collect();
    let settings =
        Match { game: "tron", profile: "class", time: Some("move-time=200ms"), games: 2 };
    let faults = play_between(&class, args, &settings).1;
    let mut faulty: Vec<&str> = faults.iter().map(|(name, _)| name.as_str()).collect();
    faulty.dedup();
    assert_eq!(faulty, ["adele", "brian"], "{faults:?}");
    let words = |name: &str| {
        let of = faults.iter().filter(|(player, _)| player == name);
        of.map(|(_, fault)| fault.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(words("brian"), ["timeout"; 14]);
    assert!(words("adele").iter().all(|word| *word == "crash"), "{faults:?}");
}
