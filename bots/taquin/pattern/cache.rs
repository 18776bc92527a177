//! Tables kept in a folder, so that they are made once. A file that is damaged, of another version or cut short
//! is made anew, and where nothing can be written the tables are made for this process alone.

use super::table::Table;
use std::fs;
use std::path::{Path, PathBuf};

/// What a file begins with. Whatever changes the meaning of an entry changes the number.
const MAGIC: &[u8] = b"arbitre pattern 2\n";

/// The folder of a user: `$XDG_CACHE_HOME/arbitre`, or else `~/.cache/arbitre`; none if there is neither.
pub fn folder() -> Option<PathBuf> {
    let variable =
        |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let cache = cache.or_else(|| Some(variable("HOME")?.join(".cache")));
    cache.map(|folder| folder.join("arbitre"))
}

/// The table of these tiles from this folder; nothing if it is not there, or not whole.
pub fn read(folder: &Path, rows: usize, columns: usize, tiles: &[u8]) -> Option<Table> {
    let file = fs::read(path(folder, rows, columns, tiles)).ok()?;
    let rest = file.strip_prefix(&header(rows, columns, tiles)[..])?;
    let (digest_of_rest, nibbles) = rest.split_first_chunk()?;
    let is_whole = u64::from_le_bytes(*digest_of_rest) == digest(nibbles);
    is_whole.then(|| Table::of_nibbles(rows, columns, tiles, nibbles.to_vec())).flatten()
}

/// Keeps a table. The file appears whole or not at all, also where two processes write it at once; where it
/// cannot be written, the next process makes the table again.
pub fn write(folder: &Path, rows: usize, columns: usize, table: &Table) {
    let path = path(folder, rows, columns, table.tiles());
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let unfinished = path.with_extension(format!("{process}-{thread:?}.tmp"));
    let mut file = header(rows, columns, table.tiles());
    file.extend(digest(table.nibbles()).to_le_bytes());
    file.extend(table.nibbles());
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&unfinished, file))
        .and_then(|()| fs::rename(&unfinished, &path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
}

fn path(folder: &Path, rows: usize, columns: usize, tiles: &[u8]) -> PathBuf {
    let tiles: Vec<String> = tiles.iter().map(u8::to_string).collect();
    folder.join(format!("taquin-{rows}x{columns}-{}.pattern", tiles.join("-")))
}

fn header(rows: usize, columns: usize, tiles: &[u8]) -> Vec<u8> {
    let numbers = [rows as u8, columns as u8, tiles.len() as u8];
    [MAGIC, &numbers, tiles].concat()
}

/// FNV-1a over words of eight bytes: any change of one of them changes it.
fn digest(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let start = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    bytes.chunks(8).map(word).fold(start, |digest: u64, word| {
        (digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::taquin::pattern::Patterns;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const TILES: [u8; 4] = [0, 1, 3, 4];

    /// A folder of this test's own, which is gone when it ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Folder {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("arbitre-pattern-{}-{number}", std::process::id());
            Folder(std::env::temp_dir().join(name))
        }

        fn file(&self) -> PathBuf {
            path(&self.0, 3, 3, &TILES)
        }

        fn read(&self) -> Option<Table> {
            read(&self.0, 3, 3, &TILES)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_table_comes_back() {
        let (folder, table) = (Folder::new(), Table::build(3, 3, &TILES));
        assert!(folder.read().is_none());
        write(&folder.0, 3, 3, &table);
        assert_eq!(folder.read().expect("it was written").nibbles(), table.nibbles());
        assert!(read(&folder.0, 3, 3, &[0, 1, 4, 3]).is_none(), "another order of tiles");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left");
    }

    /// Every byte of the header and many others changed, and every length but the whole one.
    #[test]
    fn what_is_damaged_is_not_taken() {
        let (folder, table) = (Folder::new(), Table::build(3, 3, &TILES));
        write(&folder.0, 3, 3, &table);
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

    const GROUPS: [&[u8]; 2] = [&TILES, &[2, 5, 6, 7]];

    #[test]
    fn tables_are_made_where_they_are_missing_or_damaged() {
        let (folder, made) = (Folder::new(), Patterns::build(3, 3, &GROUPS));
        let is_same = |patterns: &Patterns| {
            let pairs = patterns.tables().iter().zip(made.tables());
            pairs.into_iter().all(|(one, other)| one.nibbles() == other.nibbles())
        };
        assert!(Patterns::found(3, 3, &GROUPS, &folder.0).is_none());
        assert!(is_same(&Patterns::kept(3, 3, &GROUPS, Some(&folder.0))));
        assert!(is_same(&Patterns::found(3, 3, &GROUPS, &folder.0).expect("they are kept")));
        fs::write(folder.file(), b"damaged").unwrap();
        assert!(is_same(&Patterns::kept(3, 3, &GROUPS, Some(&folder.0))));
        assert!(folder.read().is_some(), "it was made anew, and kept");
        // No folder can be made below a file.
        assert!(is_same(&Patterns::kept(3, 3, &GROUPS, Some(&folder.file()))));
        assert!(is_same(&Patterns::kept(3, 3, &GROUPS, None)));
    }

    #[test]
    fn several_may_start_at_once() {
        let folder = Folder::new();
        let start =
            || Patterns::kept(3, 3, &GROUPS, Some(&folder.0)).tables()[0].nibbles().to_vec();
        let tables: Vec<Vec<u8>> = std::thread::scope(|scope| {
            let started: Vec<_> = (0..6).map(|_| scope.spawn(start)).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(tables.iter().all(|table| *table == tables[0]));
        assert!(folder.read().is_some());
    }
}
