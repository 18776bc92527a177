//! Choice of the journal mode. The write-ahead log (WAL) is many times faster and does not block
//! readers. It needs memory shared between processes, which network file systems and some mounts do
//! not have.

use super::error::plain;
use super::lock::{beside, files_of};
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::Path;

/// Journal mode of SQLite, by which a database survives an interrupted write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Journal {
    /// The write-ahead log.
    Wal,
    /// The rollback journal, which works everywhere.
    Delete,
}

/// Types of network file systems, as `statfs` numbers them: NFS, SMB, CIFS, SMB2, 9P, AFS, Ceph.
/// The last five are of clusters: Lustre, GPFS, BeeGFS, OrangeFS, PanFS. A probe on one machine
/// cannot show what another machine would break.
const NETWORK: [u64; 12] = [
    0x6969,
    0x517b,
    0xff53_4d42,
    0xfe53_4d42,
    0x0102_1997,
    0x5346_414f,
    0x00c3_6400,
    0x0bd0_0bd0,
    0x4750_4653,
    0x1983_0326,
    0x2003_0528,
    0xaad7_aaea,
];

impl Journal {
    /// Returns the journal mode for a database at this path.
    pub fn choose(database: &Path) -> Journal {
        if is_on_a_network(database) || !probe(database, None) {
            Journal::Delete
        } else {
            Journal::Wal
        }
    }

    /// Sets the journal mode. Under the write-ahead log a commit survives the end of this process,
    /// and if `durable` a power failure too. The rollback journal costs the same with or without
    /// protection from power failures.
    pub fn set(self, connection: &Connection, durable: bool) -> rusqlite::Result<()> {
        let (mode, synchronous) = match (self, durable) {
            (Journal::Wal, false) => ("wal", "normal"),
            (Journal::Wal, true) => ("wal", "full"),
            (Journal::Delete, _) => ("delete", "full"),
        };
        connection.pragma_update(None, "journal_mode", mode)?;
        connection.pragma_update(None, "synchronous", synchronous)
    }
}

/// Number of pages of 4 KiB that the log may have before a checkpoint: 16 MB, as more frequent
/// checkpoints would delay quick games. Where little room is left, the log takes at most a
/// sixteenth of it, because it holds each page of the file many times. Not tuned.
pub fn pages_of_log(connection: &Connection) -> i64 {
    let room = connection.path().and_then(|path| rustix::fs::statvfs(path).ok());
    let pages = room.map_or(u64::MAX, |room| room.f_bavail * room.f_frsize / 4096);
    (pages / 16).clamp(4, 4000).cast_signed()
}

fn is_on_a_network(database: &Path) -> bool {
    let folder = match database.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // The number has 32 bits; on some systems its type is signed.
    rustix::fs::statfs(folder)
        .is_ok_and(|system| NETWORK.contains(&(system.f_type as u64 & 0xffff_ffff)))
}

/// Returns `true` if a scratch database beside this one works with the write-ahead log for two
/// connections. `layer` names the VFS of SQLite, where it is not the default.
fn probe(database: &Path, layer: Option<&std::ffi::CStr>) -> bool {
    let scratch = plain(&beside(database, "probe"));
    let clean = || files_of(&scratch).iter().for_each(|file| drop(fs::remove_file(file)));
    // An earlier probe may have been killed before it removed its files.
    clean();
    let open = || match layer {
        None => Connection::open(&scratch),
        Some(layer) => Connection::open_with_flags_and_vfs(&scratch, OpenFlags::default(), layer),
    };
    let works = || -> rusqlite::Result<bool> {
        let (writer, reader) = (open()?, open()?);
        // The database is thrown away, so nothing of it must reach the disk.
        writer.pragma_update(None, "synchronous", "off")?;
        let mode: String =
            writer.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
        writer.execute_batch("CREATE TABLE probe (x); INSERT INTO probe VALUES (7)")?;
        let read: i64 = reader.query_row("SELECT x FROM probe", [], |row| row.get(0))?;
        Ok(mode == "wal" && read == 7)
    };
    let works = works().unwrap_or(false);
    clean();
    works
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shared_memory_is_detected() {
        let database = std::env::temp_dir().join(format!("arbitre-probe-{}", std::process::id()));
        assert!(probe(&database, None), "the folder for temporary files has shared memory");
        assert!(!probe(&database, Some(c"unix-dotfile")), "this layer of SQLite has none");
        assert!(!beside(&database, "probe").exists());
    }

    #[test]
    fn unwritable_place_has_no_log() {
        assert_eq!(Journal::choose(Path::new("/proc/nothing.db")), Journal::Delete);
    }
}
