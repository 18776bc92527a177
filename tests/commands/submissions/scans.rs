//! Reading a folder of submissions.

use super::harness::{broken, ready, Class};
use arbitre::internals::submissions::scan;
use rustix::fs::{mknodat, FileType, Mode, CWD};
use std::fs::{self, File};
use std::os::unix::fs::symlink;

#[test]
fn each_folder_is_a_player() {
    let class = Class::new("names");
    for name in ["zoé müller", "ada", "ada@2", "b\u{1b}[31m", ".git", "__MACOSX", "9"] {
        class.file(&format!("{name}/main.py"), name);
    }
    class.file("notes.txt", "");
    class.file(".hidden", "");
    let scan = class.scan();
    let names: Vec<&str> = scan.submissions.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["9", "ada", "ada_2", "b_[31m", "zoé müller"]);
    assert_eq!(scan.submissions[4].folder, class.path("zoé müller"));
    assert_eq!(
        scan.notes(),
        ["ignored notes.txt: a player is a folder or a source file of a known language"]
    );
    for name in ["a", "b", "c", "d"] {
        class.file(name, "");
    }
    // A link could show any file.
    class.link("eve.py", "/etc/passwd");
    assert_eq!(class.scan().submissions.len(), 5);
    fs::remove_file(class.path("eve.py")).unwrap();
    assert!(class.scan().notes()[0].starts_with("ignored a, b, c and 2 others: "));
}

#[test]
fn names_stay_distinct() {
    let class = Class::new("distinct");
    for name in ["a@b", "a_b", " a_b"] {
        class.file(&format!("{name}/main.py"), name);
    }
    let names: Vec<String> = class.scan().submissions.into_iter().map(|of| of.name).collect();
    assert_eq!(names, ["a_b", "a_b-2", "a_b-3"]);
}

#[test]
fn equal_programs_are_named() {
    let class = Class::new("equal");
    for (name, text) in [("leo", "1"), ("lea", "1"), ("max", "2"), ("mia", "2"), ("tim", "3")] {
        class.file(&format!("{name}/main.py"), text);
        class.file(&format!("{name}/__pycache__/main.pyc"), name);
    }
    class.file("lou/main2.py", "1");
    class.file("empty/.x", "");
    class.file("void/.x", "");
    assert_eq!(class.scan().equal(), [["lea", "leo"], ["max", "mia"]]);
    assert_eq!(class.scan().notes()[0], "lea and leo submitted the same program");
    // Rights and links belong to a program.
    class.program("leo/main.py", "1");
    assert_eq!(class.scan().equal(), [["max", "mia"]]);
}

#[test]
fn digest_tells_where_a_file_ends() {
    let class = Class::new("ends");
    class.file("a/x", "12");
    class.file("a/y", "3");
    class.file("b/x", "1");
    class.file("b/y", "23");
    assert_eq!(class.scan().equal(), [[""; 2]; 0]);
}

#[test]
fn folder_without_players_is_refused() {
    let class = Class::new("none");
    let refused = scan(&class.path("")).unwrap_err().to_string();
    let end = "which has none; help: put each player into a folder, or into a file such as bot.py";
    assert!(refused.ends_with(end), "{refused}");
    let refused = scan(&class.path("absent")).unwrap_err().to_string();
    assert!(refused.ends_with("absent: no such file or folder"), "{refused}");
}

/// None of these folders may stop the referee, which must not open what they contain.
#[test]
fn hostile_folders_are_refused_with_a_reason() {
    let class = Class::new("hostile");
    let names = ["far", "up", "nowhere", "pipe", "huge", "deep", "many", "good"];
    for name in names {
        class.file(&format!("{name}/main.py"), "");
    }
    class.link("far/x", "/etc/passwd");
    class.link("up/sub/x", "../../good/main.py");
    class.link("nowhere/x", "absent");
    class.link("good/sub/x", "../main.py");
    mknodat(CWD, class.path("pipe/x"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    File::create(class.path("huge/x")).unwrap().set_len(1 << 40).unwrap();
    fs::create_dir_all(class.path(&format!("deep/{}", "d/".repeat(40)))).unwrap();
    for number in 0..10_001 {
        symlink("main.py", class.path(&format!("many/{number}"))).unwrap();
    }
    for (name, reason) in [
        ("far", "expected links within the folder, got x"),
        ("up", "expected links within the folder, got sub/x"),
        ("nowhere", "expected links within the folder, got x"),
        ("pipe", "expected files and folders, got the named pipe x"),
        ("huge", "expected at most 256 MiB, got more"),
        ("deep", "expected at most 32 folders within each other"),
        ("many", "expected at most 10000 files, got more"),
    ] {
        assert_eq!(broken(class.prepare(name)).reason, reason, "{name}");
    }
    assert_eq!(ready(class.prepare("good")).words, ["python3", "main.py"]);
}
