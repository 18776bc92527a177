//! A file written by an earlier referee: it opens, verifies, exports the same bytes and is resumed.
//!
//! `tests/data/store/format1.db` holds a round robin of four players, one of which gives an invalid
//! answer in every game. The exports beside it were written by the same referee; the match was
//! resumed by it with `--games 4` for `format1-resumed.jsonl`.

use crate::harness::Folder;
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/store").join(name)
}

/// Creates a folder with a copy of the old file.
fn copied(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::copy(data("format1.db"), folder.join("old.db")).unwrap();
    folder
}

fn assert_exports(folder: &Folder, format: &str, expected: &str) {
    let exported = folder.done(&["export", "--db", "old.db", "--format", format]);
    let expected = std::fs::read_to_string(data(expected)).unwrap();
    assert_eq!(String::from_utf8_lossy(&exported), expected, "{format}");
}

#[test]
fn an_old_file_verifies_and_exports_the_same_bytes() {
    let folder = copied("format1");
    folder.done(&["verify", "--db", "old.db"]);
    assert_exports(&folder, "jsonl", "format1.jsonl");
    assert_exports(&folder, "csv", "format1.csv");
    assert_exports(&folder, "pgn", "format1.pgn");
}

#[test]
fn an_old_match_is_resumed() {
    let folder = copied("format1 resumed");
    folder.done(&["--resume", "--db", "old.db", "--games", "4"]);
    assert_exports(&folder, "jsonl", "format1-resumed.jsonl");
}
