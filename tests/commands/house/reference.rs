//! The reference data, which are not part of the project, and the page that describes them.

use super::layout::read;
use arbitre_test_support::data::data;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;

/// Checksums of the reference data, in the format of `sha256sum`.
const LIST: &str = "tests/data/reference.sha256";

/// Returns the recorded files, each with its checksum.
fn recorded(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.lines().map(|line| line.split_once("  ").expect("a checksum and a name"))
}

#[test]
fn reference_data_is_the_recorded() {
    if std::env::var_os("ARBITRE_DATA").is_none() {
        eprintln!("SKIPPED: the reference data was not compared, as ARBITRE_DATA is not set");
        return;
    }
    for (checksum, name) in recorded(&read(LIST)) {
        let Some(file) = data(name, "its checksum was not compared") else { continue };
        let digest = Sha256::digest(fs::read(file).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, checksum, "{name}");
    }
}

/// Both tables of the page have a row for each file; the problems are one folder.
#[test]
fn page_names_the_recorded_files() {
    let (list, page) = (read(LIST), read("docs/data.md"));
    let names = recorded(&list).map(|(_, name)| name.split("/problem_").next().unwrap_or(name));
    let recorded: BTreeSet<&str> = names.collect();
    let (files, readers) = page.split_once("\n## Readers\n").expect("two tables");
    for table in [files, readers] {
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        assert_eq!(rows.collect::<BTreeSet<_>>(), recorded);
    }
}
