//! Entry points of submissions.

use super::harness::{broken, go_on, is_there, ready, Class};
use arbitre::internals::submissions::entry::Stated;

#[test]
fn programs_without_a_build_run_in_place() {
    let class = Class::new("in place");
    class.file("a/main.py", "");
    class.file("a/bot.py", "imported");
    class.program("a/helper.sh", "#!/bin/sh\n");
    class.file("b/bot.py", "");
    class.program("élève un/run me", "#!/bin/sh\n");
    class.file("élève un/book.txt", "");
    class.program("élève un/data.txt", "executable on a memory stick");
    for (name, words) in [
        ("a", &["python3", "main.py"][..]),
        ("b", &["python3", "bot.py"]),
        ("élève un", &["./run me"]),
    ] {
        let found = ready(class.prepare(name));
        assert_eq!(
            (found.words.as_slice(), found.folder),
            (&*words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>(), class.path(name))
        );
        assert_eq!(found.digest.len(), 64);
    }
    assert_eq!(class.copies(), [""; 0]);
}

#[test]
fn packages_of_node_name_their_start() {
    let class = Class::new("node");
    if !is_there("node", "entry points of Node were not looked for") {
        return;
    }
    for (name, package, words) in [
        ("a", "{}", "node index.js"),
        ("b", r#"{"main": "x.js"}"#, "node x.js"),
        ("c", r#"{"main": "x.js", "scripts": {"start": "node 'y z.js' 1"}}"#, "node y z.js 1"),
        ("d", r#"{"scripts": {"start": "rm -rf ."}}"#, "node index.js"),
    ] {
        class.file(&format!("{name}/package.json"), package);
        assert_eq!(ready(class.prepare(name)).words.join(" "), words);
    }
    class.file("e/package.json", "{");
    assert!(broken(class.prepare("e")).reason.starts_with("package.json: expected JSON, got "));
}

#[test]
fn one_entry_point_is_expected() {
    let class = Class::new("how many");
    for file in ["main.py", "package.json", "Cargo.toml"] {
        class.file(&format!("three/{file}"), "");
    }
    class.file("make/Makefile", "");
    class.file("make/main.py", "");
    class.program("two/a", "#!/bin/sh\n");
    class.program("two/b", "#!/bin/sh\n");
    class.file("sources/bot.h", "");
    class.file("inner/project/main.py", "");
    class.file("empty/.x", "");
    class.link("link/main.py", "other.txt");
    class.file("link/other.txt", "");
    let reason = |name: &str| broken(class.prepare(name)).reason;
    let state = "; help: state its command, and how it is built";
    let several = [
        ("three", "Cargo.toml, package.json and main.py"),
        ("make", "Makefile and main.py"),
        ("two", "a and b"),
    ];
    for (name, files) in several {
        assert_eq!(reason(name), format!("expected one entry point, got {files}{state}"));
    }
    for (name, end) in [
        ("sources", format!(", got bot.h{state}")),
        ("empty", format!(", got an empty folder{state}")),
        (
            "inner",
            ", got project/main.py; help: move the files of project up into its folder".into(),
        ),
        ("link", format!(", got main.py and other.txt{state}")),
    ] {
        let reason = reason(name);
        assert!(reason.starts_with("expected an entry point (main.py, Makefile, "), "{reason}");
        assert!(reason.ends_with(&end), "{reason}");
    }
}

#[test]
fn stated_command_settles_what_is_unclear() {
    let class = Class::new("stated");
    class.file("a/main.py", "");
    class.file("a/Makefile", "");
    let words = |text: &str| Some(text.split(' ').map(str::to_owned).collect::<Vec<_>>());
    let stated = Stated { build: None, command: words("sh main.py 1") };
    let found = ready(class.builder().prepare(&class.submission("a"), &stated, &go_on));
    assert_eq!((found.words.join(" "), found.folder), ("sh main.py 1".into(), class.path("a")));
    for (command, part) in [
        ("./absent", "there is no such file in "),
        ("../b/x", "expected a program"),
        ("absent-program", "got 'absent-program'"),
        ("sh ..", ".. leads to "),
    ] {
        let stated = Stated { build: None, command: words(command) };
        let reason =
            broken(class.builder().prepare(&class.submission("a"), &stated, &go_on)).reason;
        assert!(reason.contains(part), "{command}: {reason}");
    }
}
