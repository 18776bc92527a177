//! Views: what is shown, hidden and writable, and in which order entries apply.

use crate::sandbox::harness::{layers, run};
use arbitre_process::launcher::layers::{Access, Layers, Level, ViewEntry};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Returns a new folder with some files: `own/bot`, `own/.secret`, `other/bot`, `data/book`, and
/// `link`, which leads to `data` by an absolute path.
fn tree(name: &str) -> PathBuf {
    let root = arbitre_test_support::command::folder(&format!("view-{name}"));
    let _ = fs::remove_file(root.join("data/new"));
    for folder in ["own", "other", "data"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for file in ["own/bot", "own/.secret", "other/bot", "data/book"] {
        fs::write(root.join(file), format!("this is {file}\n")).unwrap();
    }
    let _ = fs::remove_file(root.join("link"));
    symlink(root.join("data"), root.join("link")).unwrap();
    root
}

fn look(layers: &Layers, root: &Path, script: &str) -> String {
    run(layers, &format!("cd '{}'; {script}", root.display()))
}

fn with(mut layers: Layers, entries: &[(Access, PathBuf)]) -> Layers {
    let entries = entries.iter().map(|(access, path)| ViewEntry::new(*access, path));
    layers.view.extend(entries);
    layers
}

/// Returns the sandbox of a user who reads everything but what is hidden.
fn whole(entries: &[(Access, PathBuf)]) -> Layers {
    let base = Layers { view: vec![ViewEntry::new(Access::Read, "/")], ..layers(Level::Full) };
    with(base, entries)
}

const SHOW: &str = "cat own/bot other/bot data/book link/book";

#[test]
fn only_listed_paths_are_shown() {
    let root = tree("listed");
    let listed = with(layers(Level::Full), &[(Access::Read, root.join("own"))]);
    let output = look(&listed, &root, &format!("ls; {SHOW}"));
    assert!(output.starts_with("own\nthis is own/bot\n"), "{output}");
    assert_eq!(output.matches("No such file").count(), 3, "{output}");
    let output = look(&listed, &root, "echo x > own/new; ls -A own");
    assert_eq!(output.matches("Read-only file system").count(), 1, "{output}");
    assert!(output.ends_with(".secret\nbot\n"), "{output}");
}

#[test]
fn later_entries_override_earlier_ones_above_them() {
    let root = tree("order");
    let entries = [
        (Access::Hidden, root.clone()),
        (Access::Read, root.join("own")),
        (Access::Hidden, root.join("own/.secret")),
        (Access::Write, root.join("data")),
    ];
    let output = look(&whole(&entries), &root, &format!("ls -A . own; {SHOW}; cat own/.secret"));
    assert!(
        output.starts_with(".:\ndata\nown\n\nown:\n.secret\nbot\nthis is own/bot\n"),
        "{output}"
    );
    assert!(output.contains("this is data/book"), "{output}");
    assert!(!output.contains("this is own/.secret"), "{output}");
    let output = look(&whole(&entries), &root, "echo new > data/new; echo x > x; cat data/new");
    assert!(output.ends_with("new\n") && output.contains("Read-only"), "{output}");
    assert_eq!(fs::read_to_string(root.join("data/new")).unwrap(), "new\n");
}

/// An absolute link inside of the view is followed there, and not outside.
#[test]
fn links_do_not_lead_out_of_the_view() {
    let root = tree("links");
    let hidden = whole(&[(Access::Hidden, root.join("link"))]);
    let output = look(&hidden, &root, SHOW);
    assert_eq!(output.matches("this is data/book").count(), 0, "{output}");
    // A link that is shown is the same link.
    let shown = with(layers(Level::Full), &[(Access::Read, root.join("link"))]);
    let output = look(&shown, &root, "readlink link; cat link/book");
    assert!(output.contains("/data\n") && output.contains("No such file"), "{output}");
    let shown = with(shown, &[(Access::Read, root.join("data"))]);
    assert!(look(&shown, &root, "cat link/book").contains("this is data/book"));
}

#[test]
fn missing_paths_are_ignored() {
    let root = tree("missing");
    let entries = [
        (Access::Read, root.clone()),
        (Access::Read, root.join("no/such")),
        (Access::Hidden, root.join("none")),
        (Access::Write, root.join("own/bot/below-a-file")),
    ];
    let output = look(&whole(&entries), &root, SHOW);
    assert_eq!(output.matches("this is").count(), 4, "{output}");
}

#[test]
fn single_files_can_be_shown_hidden_and_written() {
    let root = tree("files");
    let entries = [(Access::Read, root.join("own/bot")), (Access::Write, root.join("data/book"))];
    let output =
        look(&with(layers(Level::Full), &entries), &root, "ls -A own; echo y >> data/book");
    assert_eq!(output, "bot\n");
    assert_eq!(fs::read_to_string(root.join("data/book")).unwrap(), "this is data/book\ny\n");
}

/// The names of the system's folders that are links in the old root are links in the new one.
#[test]
fn system_links_stay_links() {
    if fs::symlink_metadata("/bin").unwrap().is_symlink() {
        assert_eq!(
            run(&layers(Level::Full), "readlink /bin"),
            format!("{}\n", fs::read_link("/bin").unwrap().display())
        );
    }
}

#[test]
fn landlock_alone_grants_what_is_listed() {
    let root = tree("alone");
    let entries = [(Access::Read, root.join("own")), (Access::Write, root.join("data"))];
    let listed = with(layers(Level::Partial), &entries);
    let output = look(&listed, &root, &format!("{SHOW}; echo x > own/new; echo new > data/new"));
    assert!(output.contains("this is own/bot") && output.contains("this is data/book"), "{output}");
    assert_eq!(output.matches("Permission denied").count(), 2, "{output}");
    assert_eq!(fs::read_to_string(root.join("data/new")).unwrap(), "new\n");
}
