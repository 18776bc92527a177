//! A tournament of several weeks: each brings a zip file.

use crate::tournament::class::BOT;
use crate::tournament::harness::{player, Folder};
use arbitre_test_support::command::stderr;
use arbitre_test_support::zips::{zip, Entry, UTF8};
use serde_json::Value;
use std::fs;

/// Writes a zip file of these students, as Moodle does. Each has its own program.
fn write(folder: &Folder, name: &str, students: &[&str]) {
    let entries = students.iter().map(|student| {
        let bot = format!("{}# {}\n", BOT.replace("PLACE", "0"), student.len());
        Entry::new(format!("{student}_assignsubmission_file_/main.py"), bot).with_flags(UTF8)
    });
    fs::write(folder.path(name), zip(&entries.collect::<Vec<_>>())).unwrap();
}

/// Plays a tournament of few games. Returns its remarks, and its standings.
fn play(folder: &Folder, words: &[&str]) -> (String, Value) {
    let calm = ["--move-time", "60s", "--first-move-time", "60s", "--init-time", "60s"];
    let more = ["--game", "awele", "--games", "2", "--seed", "3", "--json"];
    let output = folder.run(&[&["tournament"], words, &more, &calm].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let notes = said.lines().filter(|line| line.starts_with("note: ")).collect::<Vec<_>>();
    (notes.join("\n"), serde_json::from_slice(&output.stdout).unwrap())
}

/// A student of a shared name has another name when the other one joins or leaves. A line says it
/// once, and the games stay.
#[test]
fn students_of_one_name_change_their_numbers() {
    let folder = Folder::new("numbers");
    let weeks: [(&str, &[&str], &str); 5] = [
        ("1.zip", &["Ada Roi_1", "Bob_2", "Léa 2_3"], ""),
        (
            "2.zip",
            &["Ada Roi_11", "ADA ROI_22", "Bob_33", "Léa 2_3"],
            "expected Ada Roi, got ADA ROI 22, Ada Roi 11: ",
        ),
        (
            "3.zip",
            &["Ada Roi_4", "ADA ROI_5", "Bob_6", "Léa 2_3"],
            "expected Ada Roi, ADA ROI 22, Ada Roi 11, got ADA ROI 5, Ada Roi 4: ",
        ),
        // Either of the two, or the one of the first week.
        (
            "4.zip",
            &["Ada Roi_7", "Bob_8", "Léa 2_9"],
            "expected ADA ROI 22, Ada Roi 11, ADA ROI 5, Ada Roi 4, got Ada Roi: ",
        ),
        ("5.zip", &["Bob_8", "Cem_9", "Dan 3_1"], ""),
    ];
    for (number, (name, students, part)) in weeks.into_iter().enumerate() {
        write(&folder, name, students);
        let former = format!("{number}.zip");
        let all = [name, "--source", &former];
        let words = if number == 0 { &all[..1] } else { &all[..] };
        let (notes, standings) = play(&folder, words);
        let told = notes.lines().filter(|line| line.ends_with("found by their whole names"));
        let told: Vec<&str> = told.collect();
        assert_eq!(told.len(), usize::from(!part.is_empty()), "{name}: {notes}");
        assert!(told.iter().all(|line| line.contains(part)), "{name}: {notes}");
        if number == 1 {
            let gone = player(&standings, "Ada Roi");
            assert_eq!(gone["reason"], "it is no longer among the players", "{gone}");
        }
        // Once all are stored, the names say who is who.
        let (notes, _) = play(&folder, words);
        assert_eq!(notes.contains("whole names"), number == 3, "{name}: {notes}");
    }
}

/// The title is the name of the newest source, unless the option gives one. Each source has the one
/// before as its former one.
#[test]
fn title_follows_the_source() {
    let dotted = "of 2026.11";
    for (name, sources, titles) in [
        (None, ["1.zip", "2.zip", "3.zip"], ["1", "2", "3"]),
        (Some("Tron & co"), ["1.zip", "2.zip", "3.zip"], ["Tron & co"; 3]),
        (None, ["class", dotted, "3.zip"], ["class", dotted, "3"]),
        (None, ["a.toml", "b.toml", "class"], ["a", "b", "class"]),
        (None, ["named.toml", "1.zip", "2.zip"], ["Own title"; 3]),
    ] {
        let folder = Folder::new(&format!("title {sources:?} {}", name.is_some()));
        let players = ["ada", "bob"]
            .map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"awele random\"\n"));
        for (file, title) in
            [("a.toml", ""), ("b.toml", ""), ("named.toml", "name = \"Own title\"\n")]
        {
            folder.file(file, &format!("[tournament]\n{title}{}", players.concat()));
        }
        for zip in ["1.zip", "2.zip", "3.zip"] {
            write(&folder, zip, &["ada_1", "bob_2"]);
        }
        for class in ["class", dotted] {
            for name in ["ada", "bob"] {
                folder.file(&format!("{class}/{name}.py"), &BOT.replace("PLACE", "0"));
            }
        }
        for (week, title) in titles.into_iter().enumerate() {
            let mut words = vec![sources[week]];
            if let Some(name) = name.filter(|_| week == 0) {
                words.extend(["--name", name]);
            }
            if week > 0 {
                words.extend(["--source", sources[week - 1]]);
            }
            // The second time the title is that of the file.
            for _ in 0..2 {
                assert_eq!(play(&folder, &words).1["name"], title, "{sources:?} {week}");
            }
        }
    }
}

/// The zip file of another week without `--source` begins a tournament. A line names the option.
#[test]
fn zip_of_another_week_names_the_source() {
    let folder = Folder::new("no source");
    let hint = |notes: &str, name: &str| {
        notes.lines().any(|line| {
            let option = format!("write --source '{}'", folder.path(name).display());
            let starts = ["note: a tournament begins; to continue that of ", "help: "];
            starts.iter().any(|start| line.starts_with(start)) && line.ends_with(&option)
        })
    };
    for week in ["1.zip", "2.zip", "3.zip", "4.zip"] {
        write(&folder, week, &["Ada_1", "Bob_2"]);
    }
    fs::create_dir(folder.path("class")).unwrap();
    for name in ["ada", "bob"] {
        folder.file(&format!("class/{name}.py"), &BOT.replace("PLACE", "0"));
    }
    // A folder is no week of a zip file, nor a zip file one of a folder.
    for (words, named) in [
        (&["class"][..], None),
        (&["1.zip"], None),
        (&["1.zip"], None),
        (&["2.zip", "--dry-run"], Some("1.zip")),
        (&["2.zip", "--db", "own.db"], None),
        (&["2.zip"], Some("1.zip")),
        (&["2.zip"], None),
        (&["3.zip", "--source", "2.zip"], None),
        (&["class"], None),
    ] {
        let output = folder.run(&[&["tournament"], words, &["--game", "awele"]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
        match named {
            Some(name) => assert!(hint(&said, name), "{words:?}: {said}"),
            None => assert!(!said.contains("--source"), "{words:?}: {said}"),
        }
    }
    // A former source without results is an error that names one with results.
    let output = folder.run(&["tournament", "4.zip", "--source", "0.zip", "--game", "awele"]);
    assert!(hint(&stderr(&output), "3.zip"), "{}", stderr(&output));
    // A file with another zip file's results is refused with the same advice.
    let output = folder.run(&["tournament", "1.zip", "--db", "own.db", "--game", "awele"]);
    let said = stderr(&output);
    assert!(said.contains("--source"), "{said}");
}
