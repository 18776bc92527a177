//! Parsers of files: opening books, endgame tables and pattern databases.

use crate::parsers::claim::{of_text, Claim};
use arbitre::bots::awele::best::evaluation::Evaluation;
use arbitre::bots::awele::book::{Book, GrownBook, Parameters};
use arbitre::bots::awele::commands::book::make;
use arbitre::bots::awele::commands::grow::{grow, Growth};
use arbitre::bots::awele::endgame::EndgameTables;
use arbitre::bots::options::Options;
use arbitre::bots::taquin::best::pattern::partition::Pattern;
use arbitre::bots::taquin::best::pattern::{cache, Partition, PatternDatabases, TableOptions};
use arbitre::games::awele::ABAPA;
use arbitre::internals::submissions::zipped;
use arbitre_test_support::command::scratch;
use arbitre_test_support::zips::{zip, Entry};
use std::fs;

#[test]
fn books_hold_their_claim() {
    let words = "--own-moves 1 --depth 2 --heuristic complex --weights 1,1,2,-3";
    let parameters = Parameters::take(&mut Options::of(words)).unwrap();
    let path = scratch().join("book of the parsers");
    let _ = fs::remove_file(&path);
    make(&parameters, &path, &mut std::io::sink()).unwrap();
    let valid = vec![fs::read(&path).unwrap()];
    let parse = of_text(Book::parse);
    Claim { name: "book", valid, factor: 20, constant: 10_000, parse }.check();
}

#[test]
fn grown_books_hold_their_claim() {
    let growth = Growth { rules: ABAPA, positions: 8, nodes: 100, threads: 1 };
    let path = scratch().join("journal of the parsers");
    let _ = fs::remove_file(&path);
    let valid = vec![grow(&growth, &path).unwrap().into_bytes()];
    let parse = of_text(GrownBook::parse);
    Claim { name: "grown book", valid, factor: 20, constant: 10_000, parse }.check();
}

#[test]
fn evaluations_hold_their_claim() {
    for of_rules in [Evaluation::linear, Evaluation::network] {
        let valid = vec![of_rules(&ABAPA).text().into_bytes()];
        let parse = of_text(Evaluation::parse);
        Claim { name: "evaluation", valid, factor: 40, constant: 200_000, parse }.check();
    }
}

#[test]
fn endgame_files_hold_their_claim() {
    let tables = EndgameTables::make(4, 1);
    let files: Vec<Vec<u8>> =
        (0..=4).filter_map(|seeds| tables.file(seeds)).map(<[u8]>::to_vec).collect();
    assert_eq!(files.len(), 5);
    for (seeds, file) in files.iter().enumerate() {
        let parse = |bytes: &[u8]| {
            let mut known = EndgameTables::default();
            files[..seeds].iter().for_each(|file| known.add(file).expect("it was made here"));
            known.add(bytes).map_err(|why| why.to_string())
        };
        Claim { name: "layer", valid: vec![file.clone()], factor: 4, constant: 100_000, parse }
            .check();
    }
}

/// A file of tables that is not exactly what was written is not used.
#[test]
fn pattern_files_hold_their_claim() {
    let partition = Partition { size: (3, 3), groups: &[&[0, 1, 3, 4], &[2, 5, 6, 7]] };
    let folder = scratch().join("pattern files");
    let options = TableOptions { folder: Some(folder.clone()), ..TableOptions::ALONE };
    PatternDatabases::new(&partition, &options);
    let pattern: Pattern = partition.patterns().remove(0);
    let path = folder.join("taquin-3x3-0-1-3-4.zones");
    let written = fs::read(&path).unwrap();
    let parse = |bytes: &[u8]| {
        // A new file: bytes under a mapping must not change.
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        let is_used = cache::read(&folder, &pattern, 1).is_some();
        assert_eq!(is_used, bytes == written, "a damaged file is used");
        Ok(())
    };
    let valid = vec![written.clone()];
    Claim { name: "pattern file", valid, factor: 4, constant: 100_000, parse }.check();
}

/// Nothing of a mutated zip file is written outside of its folder.
#[test]
fn zip_files_hold_their_claim() {
    let folder = scratch().join("zips of the parsers");
    let (path, zips) = (folder.join("around/x.zip"), folder.join("around/zips"));
    let inner = zip(&[Entry::new("bot/main.py", "print()")]);
    let entries = [
        Entry::new("Ada Roi_4711_assignsubmission_file_/main.py", "print()"),
        Entry::new(b"Zo\x82_12_assignsubmission_file_/sent.zip", &inner),
        Entry::new("../around\\..".replace("..", "_"), "print()"),
    ];
    let parse = |bytes: &[u8]| {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let unpacked = zipped::unpack(&path, &zips).map_err(|why| why.to_string());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(fs::read_dir(path.parent().unwrap()).unwrap().count() <= 2);
        unpacked.map(drop)
    };
    let valid = vec![zip(&entries), zip(&entries[..1])];
    Claim { name: "zip file", valid, factor: 40, constant: 500_000, parse }.check();
}
