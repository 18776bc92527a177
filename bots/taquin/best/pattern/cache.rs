//! Cache folder for tables, so that they are built once. A file that is damaged, truncated or of
//! another version is built again. If nothing can be written, the tables are built for this process
//! alone.

use super::partition::Pattern;
use super::table::PatternTable;
use crate::memory;
use arbitre_games::{files, parallel};
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// First bytes of a file. A change of the meaning of entries needs a new number.
const MAGIC: &[u8] = b"arbitre pattern 4\n";
/// Kind of the tables: entries of one bit.
const KIND: u8 = 1;
/// Size of the header in bytes; the last eight are the digest.
const HEADER: usize = 64;

/// Reads the table of a pattern from this folder. Returns `None` if it is missing or damaged;
/// `threads` threads check the digest.
pub fn read(folder: &Path, pattern: &Pattern, threads: usize) -> Option<PatternTable> {
    let mut file = File::open(path(folder, pattern)).ok()?;
    let entries = TableFile(memory::open(&mut file).ok()?);
    let expected = header(pattern, digest(entries.get(..)?, threads));
    let is_whole = entries.0.get(..HEADER)? == expected;
    is_whole.then(|| PatternTable::with_entries(pattern.clone(), Box::new(entries))).flatten()
}

/// Entries of a table file.
struct TableFile(memory::FileBytes);

impl Deref for TableFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get(HEADER..).unwrap_or_default()
    }
}

/// Writes a table to this folder. Errors are ignored; the next process then builds the table again.
pub fn write(folder: &Path, table: &PatternTable) {
    let header = header(&table.pattern, digest(table.entries(), 1));
    let _ = files::write_whole(&path(folder, &table.pattern), &[&header, table.entries()]);
}

fn path(folder: &Path, pattern: &Pattern) -> PathBuf {
    let (rows, columns) = pattern.size;
    let tiles: Vec<String> = pattern.tiles.iter().map(u8::to_string).collect();
    folder.join(format!("taquin-{rows}x{columns}-{}.zones", tiles.join("-")))
}

fn header(pattern: &Pattern, digest: u64) -> Vec<u8> {
    let (rows, columns) = pattern.size;
    let numbers = [rows as u8, columns as u8, KIND, pattern.tiles.len() as u8];
    let mut header = [MAGIC, &numbers, &pattern.tiles].concat();
    header.resize(HEADER - 8, 0);
    header.extend(digest.to_le_bytes());
    header
}

/// Bytes per independent digest, the unit of work of a thread. Not tuned.
const SECTION: usize = 1 << 22;

/// Returns a digest that changes with any single word of eight bytes.
fn digest(bytes: &[u8], threads: usize) -> u64 {
    let sections: Vec<&[u8]> = bytes.chunks(SECTION).collect();
    let digests = parallel::map(threads, sections.len(), |at| digest_of_section(sections[at]));
    digests.into_iter().fold(bytes.len() as u64, step)
}

/// One step of a variant of FNV-1a on words of eight bytes. The rotation is an addition to FNV-1a:
/// it brings high bits down, which the multiplication never does.
fn step(digest: u64, word: u64) -> u64 {
    (digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
}

/// Returns the digest of a section. Eight lanes are computed independently, so that they do not
/// wait for each other, and combined at the end.
fn digest_of_section(bytes: &[u8]) -> u64 {
    const LANES: usize = 8;
    let mut lanes: [u64; LANES] = std::array::from_fn(|lane| 0xcbf2_9ce4_8422_2325 ^ lane as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    let (rows, left) = words.as_chunks::<LANES>();
    for row in rows {
        for (lane, word) in lanes.iter_mut().zip(row) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    }
    let left = left.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|&byte| u64::from(byte));
    lanes.into_iter().chain(left).chain(rest).fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::best::pattern::{Partition, PatternDatabases, TableOptions};
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const GROUPS: Partition = Partition { size: (3, 3), groups: &[&[0, 1, 3, 4], &[2, 5, 6, 7]] };

    fn pattern() -> Pattern {
        GROUPS.patterns().remove(0)
    }

    fn made() -> PatternTable {
        PatternTable::build(pattern(), 1, &|_| ())
    }

    /// Folder of one test, deleted at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Folder {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("arbitre-pattern-{}-{number}", std::process::id());
            Folder(std::env::temp_dir().join(name))
        }

        fn file(&self) -> PathBuf {
            path(&self.0, &pattern())
        }

        fn read(&self) -> Option<PatternTable> {
            read(&self.0, &pattern(), 2)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn table_round_trips() {
        let (folder, table) = (Folder::new(), made());
        assert!(folder.read().is_none());
        write(&folder.0, &table);
        assert_eq!(folder.read().expect("it was written").entries(), table.entries());
        let other = Pattern { tiles: vec![0, 1, 4, 3], ..pattern() };
        assert!(read(&folder.0, &other, 1).is_none(), "another order of tiles");
        fs::copy(folder.file(), path(&folder.0, &other)).unwrap();
        assert!(read(&folder.0, &other, 1).is_none(), "the header names the pattern");
        fs::remove_file(path(&folder.0, &other)).unwrap();
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left");
    }

    /// Changes every byte of the header and many others, and cuts the file to other lengths.
    #[test]
    fn damaged_files_are_ignored() {
        let (folder, table) = (Folder::new(), made());
        write(&folder.0, &table);
        let whole = fs::read(folder.file()).unwrap();
        for at in (0..whole.len()).filter(|at| *at < 64 || at % 97 == 0) {
            let mut file = whole.clone();
            file[at] ^= 1 << (at % 8);
            fs::write(folder.file(), file).unwrap();
            assert!(folder.read().is_none(), "byte {at}");
            fs::write(folder.file(), &whole[..at]).unwrap();
            assert!(folder.read().is_none(), "{at} bytes");
        }
        fs::write(folder.file(), [&whole[..], b"x"].concat()).unwrap();
        assert!(folder.read().is_none(), "a byte more");
    }

    fn options(folder: Option<&Path>) -> TableOptions {
        TableOptions { folder: folder.map(Path::to_path_buf), ..TableOptions::ALONE }
    }

    fn kept(folder: Option<&Path>) -> PatternDatabases {
        PatternDatabases::new(&GROUPS, &options(folder))
    }

    #[test]
    fn missing_or_damaged_tables_are_built() {
        let (folder, made) = (Folder::new(), kept(None));
        let is_same = |patterns: &PatternDatabases| {
            let pairs = patterns.tables.iter().zip(&made.tables);
            pairs.into_iter().all(|(one, other)| one.entries() == other.entries())
        };
        assert!(PatternDatabases::load(&GROUPS, &options(Some(&folder.0))).is_none());
        assert!(is_same(&kept(Some(&folder.0))));
        assert!(is_same(
            &PatternDatabases::load(&GROUPS, &options(Some(&folder.0)))
                .expect("the tables are in the cache")
        ));
        fs::write(folder.file(), b"damaged").unwrap();
        assert!(is_same(&kept(Some(&folder.0))));
        assert!(folder.read().is_some(), "the table was built and written again");
        // A folder cannot be created below a file.
        assert!(is_same(&kept(Some(&folder.file()))));
        assert!(is_same(&kept(None)));
    }

    #[test]
    fn concurrent_builds_share_a_folder() {
        let folder = Folder::new();
        let start = || kept(Some(&folder.0)).tables[0].entries().to_vec();
        let tables = parallel::run(6, |_| start());
        assert!(tables.iter().all(|table| *table == tables[0]));
        assert!(folder.read().is_some());
    }

    /// The data spans several sections; the digest does not depend on the number of threads.
    #[test]
    fn digest_depends_on_every_word() {
        let mut bytes = vec![7; 2 * SECTION + 77];
        let whole = digest(&bytes, 1);
        assert_eq!(digest(&bytes, 3), whole);
        for at in [0, 5, 64, SECTION - 1, SECTION, 2 * SECTION + 70, 2 * SECTION + 76] {
            bytes[at] ^= 16;
            assert_ne!(digest(&bytes, 2), whole, "byte {at}");
            bytes[at] ^= 16;
        }
        assert_ne!(digest(&bytes[..2 * SECTION + 76], 2), whole);
    }

    /// A mapped file has the bytes that reading returns.
    #[test]
    fn mapped_file_equals_the_read_file() {
        let folder = Folder::new();
        write(&folder.0, &made());
        let open = || File::open(folder.file()).unwrap();
        let (mapped, read) =
            (memory::open(&mut open()).unwrap(), memory::read(&mut open()).unwrap());
        assert!(mapped.len() > HEADER && mapped[..] == read[..]);
        fs::write(folder.file(), b"").unwrap();
        assert!(memory::open(&mut open()).unwrap().is_empty());
    }
}
