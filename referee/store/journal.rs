//! Which journal a file's place allows. The write-ahead log is many times faster and lets readers
//! look on, but needs memory that is shared between processes: network file systems and some mounts
//! have none.

use super::error::plain;
use super::lock::beside;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::Path;

/// How SQLite survives being cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Journal {
    /// The write-ahead log.
    Wal,
    /// The rollback journal, which works everywhere.
    Delete,
}

/// Network file systems, by the number that the system gives them: NFS, SMB, CIFS, SMB2, 9P, AFS,
/// Ceph. A probe from one machine cannot show what another one would break.
const NETWORK: [u64; 7] =
    [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x5346_414f, 0x00c3_6400];

impl Journal {
    /// The journal for a database at this place.
    pub fn choose(database: &Path) -> Journal {
        if is_on_a_network(database) || !probe(database, None) {
            Journal::Delete
        } else {
            Journal::Wal
        }
    }

    /// Sets it. Under the write-ahead log a commit survives the end of this process, and the
    /// rollback journal costs the same with or without surviving a power cut.
    pub fn set(self, connection: &Connection) -> rusqlite::Result<()> {
        let (mode, synchronous) = match self {
            Journal::Wal => ("wal", "normal"),
            Journal::Delete => ("delete", "full"),
        };
        connection.pragma_update(None, "journal_mode", mode)?;
        // The log may grow to 16 MB before it is worked in: quick games would wait for that.
        connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
        connection.pragma_update(None, "synchronous", synchronous)
    }
}

fn is_on_a_network(database: &Path) -> bool {
    let folder = match database.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // The number is 32 bits wide; on some systems its type has a sign.
    rustix::fs::statfs(folder)
        .is_ok_and(|system| NETWORK.contains(&(system.f_type as u64 & 0xffff_ffff)))
}

/// Does a scratch database beside this one work with the write-ahead log, for two connections?
/// `layer` names the layer through which SQLite reaches the system, where it is not the usual one.
fn probe(database: &Path, layer: Option<&std::ffi::CStr>) -> bool {
    let scratch = plain(&beside(database, "probe"));
    let clean = || {
        for ending in ["", "-wal", "-shm", "-journal"] {
            let mut name = scratch.clone().into_os_string();
            name.push(ending);
            let _ = fs::remove_file(name);
        }
    };
    clean();
    let open = || match layer {
        None => Connection::open(&scratch),
        Some(layer) => Connection::open_with_flags_and_vfs(&scratch, OpenFlags::default(), layer),
    };
    let works = || -> rusqlite::Result<bool> {
        let (writer, reader) = (open()?, open()?);
        // It is thrown away: nothing of it need reach the disk.
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
    fn a_place_without_shared_memory_is_recognised() {
        let database = std::env::temp_dir().join(format!("arbitre-probe-{}", std::process::id()));
        assert!(probe(&database, None), "the folder for temporary files has shared memory");
        assert!(!probe(&database, Some(c"unix-dotfile")), "this layer of SQLite has none");
        assert!(!beside(&database, "probe").exists());
    }

    #[test]
    fn a_place_that_cannot_be_written_has_no_log() {
        assert_eq!(Journal::choose(Path::new("/proc/nothing.db")), Journal::Delete);
    }
}
