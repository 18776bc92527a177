//! Players in a zip file, as Moodle and others write it.

use crate::tournament::class::BOT;
use crate::tournament::harness::{names, player, Folder};
use arbitre::internals::submissions::scan;
use arbitre::internals::submissions::zipped::{unpack, LIMITS};
use arbitre_test_support::command::stderr;
use arbitre_test_support::zips::{zip, Entry, ENCRYPTED, FILE, LINK, PROGRAM, UTF8};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{symlink, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a different program for each word.
fn bot(word: &str) -> String {
    format!("{}# {word}\n", BOT.replace("PLACE", "0"))
}

fn entry(name: &str) -> Entry {
    Entry::new(name, bot(name))
}

/// Writes a zip file of this folder.
fn write(folder: &Folder, name: &str, entries: &[Entry]) -> PathBuf {
    let path = folder.path(name);
    fs::write(&path, zip(entries)).unwrap();
    path
}

/// Plays a tournament of few games.
fn play(folder: &Folder, words: &[&str]) -> Value {
    let calm = ["--move-time", "60s", "--first-move-time", "60s", "--init-time", "60s"];
    let words = [&["tournament"], words, &["--games", "2", "--seed", "3", "--json"], &calm];
    serde_json::from_str(&folder.done(&words.concat())).unwrap()
}

/// Returns the players of a zip file, each with its files, and the remarks.
fn players(folder: &Folder, zip: &Path) -> (Vec<(String, Vec<String>)>, Vec<String>) {
    let unpacked = unpack(zip, &folder.path(".arbitre/zips")).unwrap();
    let files = |path: &Path| -> Vec<String> {
        let (mut files, mut waiting) = (Vec::new(), vec![path.to_owned()]);
        while let Some(at) = waiting.pop() {
            match at.is_dir() {
                true => waiting.extend(fs::read_dir(at).unwrap().map(|of| of.unwrap().path())),
                false => {
                    let file = at.strip_prefix(path).unwrap();
                    files.push(file.to_string_lossy().into_owned());
                }
            }
        }
        files.sort_unstable();
        files
    };
    let found = scan(&unpacked.folder).unwrap().submissions.into_iter();
    let found = found.map(|player| (player.name.clone(), files(&player.path()))).collect();
    (found, unpacked.notes)
}

#[track_caller]
fn check(folder: &Folder, entries: &[Entry], expected: &[(&str, &[&str])]) -> Vec<String> {
    let zip = write(folder, "x.zip", entries);
    let (found, notes) = players(folder, &zip);
    let found: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|(name, files)| (name.as_str(), files.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<_> = expected.iter().map(|(name, of)| (*name, of.to_vec())).collect();
    assert_eq!(found, expected);
    notes
}

/// The zip file as it is downloaded plays. Next week's one continues the tournament: a student with
/// the same files keeps the games, and the others play theirs.
#[test]
fn zip_of_moodle_plays_and_next_week_continues() {
    let folder = Folder::new("moodle");
    let part = |student: &str, rest: &str| format!("{student}_assignsubmission_{rest}");
    let file = |student: &str, word: &str| {
        Entry::new(part(student, "file_/main.py"), bot(word)).with_flags(UTF8)
    };
    let text = Entry::new(part("Leo Petit_12", "onlinetext_/onlinetext.html"), "<p>Hello</p>");
    let week1 = [file("Ada Roi_4711", "a"), file("Zoé NOM_2", "z"), file("Bea_3", "b"), text];
    write(&folder, "week1.zip", &week1);
    let first = play(&folder, &["week1.zip", "--game", "awele"]);
    let mut of_first = names(&first);
    of_first.sort_unstable();
    assert_eq!(of_first, ["Ada Roi", "Bea", "Zoé NOM"]);
    assert_eq!(first["games"], 6);
    let zips = folder.path(".arbitre/zips");
    let stamp = || {
        let entries = fs::read_dir(&zips).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().ino()))
            .collect::<Vec<_>>()
    };
    let before = stamp();
    assert_eq!(before.len(), 1);
    let again = folder.run(&["tournament", "week1.zip", "--json"]);
    assert!(stderr(&again).contains("note: Leo Petit sent no file"), "{}", stderr(&again));
    assert_eq!(stamp(), before, "it is unpacked once");
    // Bea sends another program, and Leo the first one. The numbers are those of a new assignment.
    let week2 = [
        file("Ada Roi_5", "a"),
        file("Zoé NOM_6", "z"),
        file("Bea_7", "new"),
        file("Leo Petit_8", "l"),
    ];
    write(&folder, "week2.zip", &week2);
    let words = ["week2.zip", "--source", "week1.zip", "--game", "awele"];
    let second = play(&folder, &words);
    assert_eq!(names(&second).len(), 4);
    // Six pairs; one of them was played before.
    assert_eq!(second["games"], 12);
    let listed = folder.done(&["list", "--games", "--db", ".arbitre/tournament-week1.zip.db"]);
    let kept = listed.lines().filter(|line| line.contains("Ada") && line.contains("Zo")).count();
    assert_eq!(kept, 2, "{listed}");
    for words in [&words[..], &["week2.zip", "--game", "awele"]] {
        let text = play(&folder, words);
        assert_eq!(text["games"], second["games"], "{words:?}");
    }
    // The same with a file of the user's choice.
    play(&folder, &["week1.zip", "--db", "own.db", "--game", "awele"]);
    let own = ["week2.zip", "--db", "own.db", "--source", "week1.zip", "--game", "awele"];
    assert_eq!(play(&folder, &own)["games"], 12);
}

/// A file names a zip file as it names a folder.
#[test]
fn file_of_a_tournament_names_a_zip() {
    let folder = Folder::new("zip in a file");
    fs::create_dir(folder.path("cups")).unwrap();
    write(&folder, "cups/sent.zip", &[entry("ada/main.py"), entry("bob.py")]);
    let toml = "[tournament]\ngame = \"awele\"\n[players]\nfrom = \"sent.zip\"\n\
                [[player]]\nname = \"ada\"\nmove-time = \"50s\"\n";
    folder.file("cups/cup.toml", toml);
    let standings = play(&folder, &["cups/cup.toml"]);
    assert_eq!((names(&standings).len(), &standings["games"]), (2, &2.into()));
    assert!(folder.path("cups/.arbitre/zips").is_dir());
    assert!(!folder.path(".arbitre").exists());
}

/// Without flag 11 a name is UTF-8 if its bytes are; else its letters decide.
#[test]
fn names_come_in_every_encoding() {
    let folder = Folder::new("encodings");
    let tail = b"_7_assignsubmission_file_/main.py";
    let named = |name: &[u8], flags| Entry::new([name, tail].concat(), bot("x")).with_flags(flags);
    // Bytes of Python's `str.encode` for cp437, cp850, latin-1 and utf-8.
    let cases: [(&[u8], u16, &str); 7] = [
        (b"Pr\x82nom NO\x89L", 0, "Prénom NOëL"),
        (b"H\x90L\xd4NE \xb7", 0, "HÉLÈNE À"),
        (b"Pr\xe9nom \xe0 \xc7a", 0, "Prénom à Ça"),
        ("Prénom".as_bytes(), 0, "Prénom"),
        ("Prénom".as_bytes(), UTF8, "Prénom"),
        ("Е́лена 李".as_bytes(), UTF8, "Е́лена 李"),
        (b"Ada", 0, "Ada"),
    ];
    for (name, flags, expected) in cases {
        check(&folder, &[named(name, flags)], &[(expected, &["main.py"])]);
    }
}

#[test]
fn students_of_one_name_have_their_numbers() {
    let of = |student: &str| entry(&format!("{student}_assignsubmission_file_/main.py"));
    let folder = Folder::new("one name");
    let notes = check(
        &folder,
        &[of("Ada Roi_1"), of("Ada Roi_22"), of("ADA ROI_3"), of("Bob_4"), of("Participant_5")],
        &[
            ("ADA ROI 3", &["main.py"]),
            ("Ada Roi 1", &["main.py"]),
            ("Ada Roi 22", &["main.py"]),
            ("Bob", &["main.py"]),
            ("Participant", &["main.py"]),
        ],
    );
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert_eq!(notes[1], "several students have the name Ada Roi: one plays as 'Ada Roi 1'");
}

/// Kinds of zip files, and of what a student sends.
#[test]
fn zips_of_every_kind_have_the_same_players() {
    let folder = Folder::new("zip kinds");
    let two: &[(&str, &[&str])] = &[("ada", &["main.py", "util.py"]), ("bob", &["main.py"])];
    let files = ["ada/main.py", "ada/util.py", "bob/main.py"];
    let with = |change: fn(&str) -> String| files.map(|file| entry(&change(file))).to_vec();
    let inner = zip(&[entry("main.py"), entry("util.py")]);
    let around = zip(&[entry("projet/"), entry("projet/main.py"), entry("projet/util.py")]);
    let moodle = |rest: &str| format!("ada_12_assignsubmission_file_{rest}");
    let bob = || entry("bob/main.py");
    let python = |entries: Vec<Entry>| [entries, vec![bob()]].concat();
    let cases = [
        with(str::to_owned),
        with(|file| format!("class/{file}")),
        with(|file| format!("./{file}")),
        with(|file| file.replace('/', "\\")),
        with(|file| format!("class\\{file}").replace('/', "\\")),
        [with(|file| format!("class/{file}")), with(|file| format!("__MACOSX/class/{file}"))]
            .concat(),
        [vec![Entry::new("ada/", ""), Entry::new("bob/", "")], with(str::to_owned)].concat(),
        with(|file| file.replace('/', "/a/b/c/")),
        python(vec![Entry::new("ada.zip", &inner)]),
        python(vec![Entry::new("ada/sent.ZIP", &inner), Entry::new("ada/report.pdf", "%PDF")]),
        python(vec![Entry::new("ada/sent.zip", &around)]),
        python(vec![Entry::new(moodle("sent.zip"), &around)]),
        python(vec![Entry::new(moodle("/sent.zip"), &around)]),
        python(vec![entry(&moodle("main.py")), entry(&moodle("util.py"))]),
        python(vec![entry(&moodle("/src/main.py")), entry(&moodle("/src/util.py"))]),
        python(vec![
            entry(&moodle("/main.py")),
            entry(&moodle("/util.py")),
            entry("ada_12_assignsubmission_onlinetext_/onlinetext.html"),
        ]),
    ];
    for entries in cases {
        let notes = check(&folder, &entries, two);
        assert!(notes.is_empty(), "{notes:?}");
    }
    // One player is no folder of players.
    check(&folder, &[entry(files[0]), entry(files[1])], &two[..1]);
}

/// The broken zip file of a student breaks that player only.
#[test]
fn zip_of_a_student_may_be_broken() {
    let deeper = zip(&[Entry::new("more.zip", zip(&[entry("main.py")]))]);
    let link = zip(&[entry("main.py").with_mode(LINK)]);
    for (inner, part) in [
        (b"no zip".to_vec(), "sent.zip of ada was not unpacked: expected a zip file"),
        (link, "sent.zip of ada was not unpacked: expected no links, got main.py"),
        (deeper, ""),
    ] {
        let folder = Folder::new("student's zip");
        let entries = [Entry::new("ada/sent.zip", inner), entry("bob.py"), entry("eve.py")];
        write(&folder, "x.zip", &entries);
        let words = ["tournament", "x.zip", "--game", "awele", "--games", "2", "--json"];
        let output = folder.run(&words);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
        let reason = player(&standings, "ada")["reason"].as_str().unwrap().to_owned();
        let left = if part.is_empty() { "got more.zip" } else { "got sent.zip" };
        assert!(reason.contains(left), "{reason}");
    }
}

/// A student's zip file of very many files has no place, and takes none from the others.
#[test]
fn zip_of_a_student_takes_no_place_of_others() {
    let folder = Folder::new("many files");
    let many = (0..9_000).map(|number| Entry::new(format!("node_modules/{number}"), ""));
    let many = zip(&many.chain([entry("main.py")]).collect::<Vec<_>>());
    let few = (0..30).map(|number| Entry::new(format!("data/{number}"), ""));
    let few = zip(&few.chain([entry("main.py")]).collect::<Vec<_>>());
    let others =
        ["bea", "cem", "dan"].map(|name| Entry::new(format!("{name}/bot.zip"), few.clone()));
    let entries = [&[Entry::new("aaron/bot.zip", many)], &others[..]].concat();
    write(&folder, "x.zip", &entries);
    let standings = play(&folder, &["x.zip", "--game", "awele"]);
    assert_eq!((&standings["games"], names(&standings)[3]), (&6.into(), "aaron"), "{standings}");
}

#[test]
fn executable_bits_are_kept_and_no_others() {
    let folder = Folder::new("modes");
    let modes = [FILE, PROGRAM, 0o106_755, 0, 0o100_000];
    let entries = modes.iter().enumerate();
    let entries: Vec<Entry> =
        entries.map(|(n, mode)| entry(&format!("ada/{n}.py")).with_mode(*mode)).collect();
    let zip = write(&folder, "x.zip", &[&entries[..], &[entry("bob.py")]].concat());
    let home = unpack(&zip, &folder.path("zips")).unwrap().folder.join("ada");
    let found = [0, 1, 2, 3, 4].map(|n| {
        let mode = fs::metadata(home.join(format!("{n}.py"))).unwrap().permissions().mode();
        (mode & 0o7000, mode & 0o100 != 0)
    });
    assert_eq!(found, [(0, false), (0, true), (0, true), (0, false), (0, false)]);
}

/// Python's module, which is no relative of the library, writes and we read.
#[test]
fn zip_of_another_program_is_read() {
    let folder = Folder::new("python's zip");
    let script = "import zipfile
with zipfile.ZipFile('x.zip', 'w', zipfile.ZIP_DEFLATED) as z:
    for name in ['Prénom NOM_4_assignsubmission_file_/', 'Bob_5_assignsubmission_file_/']:
        z.writestr(name, '')
        z.writestr(name + 'main.py', 'print()' * 9999)
";
    let written =
        Command::new("python3").args(["-c", script]).current_dir(folder.path(".")).status();
    if !written.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no zip file was read, as there is no python3");
        return;
    }
    let (found, _) = players(&folder, &folder.path("x.zip"));
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Bob", "Prénom NOM"]);
}

/// Bad zip files are one clear error each, and nothing is left of them.
#[test]
fn bad_zips_are_one_clear_error() {
    let folder = Folder::new("bad zips");
    let ok = || vec![entry("ada/main.py"), entry("bob/main.py")];
    let and = |entry: Entry| zip(&[ok(), vec![entry]].concat());
    let cut = |left: usize| zip(&ok())[..left].to_vec();
    let damaged = Entry { is_damaged: true, ..entry("eve/main.py") };
    let many: Vec<Entry> =
        (0..=LIMITS.entries).map(|n| Entry::new(format!("a/{n}.py"), "")).collect();
    let folders: Vec<Entry> =
        (0..400).map(|n| Entry::new(format!("{n}/{}f", "a/".repeat(30)), "")).collect();
    let zeros = vec![0; 128 << 20];
    let big: Vec<Entry> = (0..9).map(|n| Entry::new(format!("ada/{n}.py"), &zeros)).collect();
    let deep = "a/".repeat(40) + "main.py";
    let long = format!("ada/{}.py", "n".repeat(300));
    let whole = zip(&ok()).len();
    let mut directory_cut = zip(&ok());
    directory_cut.drain(20..40);
    let cases: [(Vec<u8>, &str); 25] = [
        (
            and(Entry::new("ada/link", "/etc/passwd").with_mode(LINK)),
            "expected no links, got ada/link",
        ),
        (and(entry("ada/pipe").with_mode(0o010_644)), "expected files and folders, got ada/pipe"),
        (and(entry("../x.py")), "expected paths inside of the zip file, got ../x.py"),
        (and(entry("ada/../../x.py")), "expected paths inside"),
        (and(entry("ada\\..\\..\\x.py")), "expected paths inside"),
        (and(entry("/tmp/x.py")), "expected paths inside of the zip file, got /tmp/x.py"),
        (and(entry("C:\\x.py")), "expected paths inside"),
        (and(entry("")), "expected the name of a file, got ''"),
        (and(entry("ada/\0.py")), "expected the name of a file"),
        (and(entry(&deep)), "expected at most 32 folders within each other"),
        (and(entry(&long)), "expected a shorter name"),
        (zip(&many), "expected at most 10000 files and folders, got more"),
        (zip(&folders), "expected at most 10000 files and folders, got more"),
        (zip(&big), "expected at most 1024 MiB unpacked, got more"),
        (and(damaged), "expected whole files, got eve/main.py, which is damaged"),
        (and(entry("x.py").with_flags(ENCRYPTED)), "expected files without a password, got x.py"),
        (cut(whole / 2), "expected a zip file, got another or a damaged one"),
        (cut(whole - 1), "expected a zip file, got another or a damaged one"),
        (directory_cut, "damaged"),
        (Vec::new(), "expected a zip file, got another or a damaged one"),
        (b"<html>Log in".to_vec(), "expected a zip file, got another or a damaged one"),
        (and(entry("ada/main.py")), "expected each file once, got one twice"),
        (and(entry("ada/./main.py")), "expected each file once, got ada/main.py twice"),
        (and(entry("ada/main.py/x")), "got a file and a folder in ada/main.py"),
        (zip(&[]), "expected players, got none"),
    ];
    for (bytes, part) in cases {
        fs::write(folder.path("x.zip"), bytes).unwrap();
        let output = folder.run(&["tournament", "x.zip", "--game", "awele"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(6), "{part}: {error}");
        assert!(error.starts_with("error: x.zip: ") && error.contains(part), "{part}: {error}");
        assert!(error.lines().count() <= 2 && !error.contains('\0'), "{error}");
        let left = fs::read_dir(folder.path(".arbitre/zips")).unwrap().map(|of| of.unwrap());
        let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["lock"], "{part}");
    }
    let texts = zip(&[Entry::new("report.pdf", ""), Entry::new("notes.txt", "")]);
    fs::write(folder.path("x.zip"), texts).unwrap();
    let output = folder.run(&["tournament", "x.zip", "--game", "awele"]);
    assert!(stderr(&output).contains("expected players, got none"), "{}", stderr(&output));
    let twice = [entry("Ada/main.py"), Entry::new("Ada.zip", zip(&ok())), entry("bob.py")];
    write(&folder, "x.zip", &twice);
    let output = folder.run(&["tournament", "x.zip", "--game", "awele"]);
    assert!(stderr(&output).contains("expected players of different names"), "{}", stderr(&output));
    // A file of the kernel has more bytes than it states, as one that grows.
    symlink("/proc/self/status", folder.path("grows.zip")).unwrap();
    let output = folder.run(&["tournament", "grows.zip", "--game", "awele"]);
    assert!(
        stderr(&output).contains("got one that changed while it was read"),
        "{}",
        stderr(&output)
    );
    // A name is no ending.
    write(&folder, "download", &ok());
    assert_eq!(play(&folder, &["download", "--game", "awele"])["games"], 2);
}

/// The page of a student has a name of its own beside other pages.
#[test]
fn student_named_index_has_a_page() {
    let folder = Folder::new("index");
    write(&folder, "x.zip", &[entry("index/main.py"), entry("Index/main.py"), entry("bob.py")]);
    let pages = ["--per-player", "pages", "--per-player-format", "md"];
    play(&folder, &[&["x.zip", "--game", "awele"], &pages[..]].concat());
    // Some disks do not distinguish the first two.
    for (name, file) in [("Index", "Index-2"), ("index", "index-3"), ("bob", "bob")] {
        let page = fs::read_to_string(folder.path(&format!("pages/{file}.md"))).unwrap();
        assert!(page.starts_with(&format!("# {name} in x\n")), "{page}");
    }
}

/// A zip file, folder or source file is checked by its name, also if that looks like options.
#[test]
fn names_that_look_like_options_are_checked() {
    let folder = Folder::new("signs");
    for stem in ["week=1", "tron@2", "ada[x]", "r&d"] {
        let (zip, source) = (format!("{stem}.zip"), format!("{stem}.py"));
        write(&folder, &zip, &[entry("ada/main.py")]);
        folder.file(&source, &bot("x"));
        folder.file(&format!("{stem}/main.py"), &bot("x"));
        for name in [&zip, &source, stem] {
            let output = folder.run(&["check", name, "--game", "awele", "--games", "1"]);
            let said = stderr(&output);
            // It was played, and has a mistake.
            assert_eq!(output.status.code(), Some(1), "{name}: {said}");
            assert_eq!(said, "", "{name}");
        }
    }
}
