//! A file of an earlier format: it is refused with its number, and unchanged.
//!
//! `tests/data/store/format1.db` holds a round robin of four players, written by a referee of
//! format 1.

use crate::store::harness::{assert_fails, Folder};
use std::fs;
use std::path::Path;

#[test]
fn file_of_an_earlier_format_is_refused() {
    let folder = Folder::new("format1");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format1.db");
    fs::copy(&old, folder.join("old.db")).unwrap();
    for words in [
        &["verify"][..],
        &["export"],
        &["list"],
        &["show", "0"],
        &["drop", "0"],
        &["--resume"],
        &["awele", "awele random", "--resume"],
        &["awele", "awele random"],
    ] {
        let output = folder.run(&[words, &["--db", "old.db"]].concat());
        let part = "old.db: expected format 3, got 1 of an older referee";
        assert_fails(&output, 4, part, &format!("{words:?}"));
    }
    assert!(fs::read(old).unwrap() == fs::read(folder.join("old.db")).unwrap());
    assert_eq!(folder.names(), ["old.db"]);
}
