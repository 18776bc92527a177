//! Zip files byte by byte, as programs write them that no library writes like any more.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// Flag of an encrypted entry.
pub const ENCRYPTED: u16 = 1;
/// Flag of a name in UTF-8.
pub const UTF8: u16 = 1 << 11;
/// Mode of a file.
pub const FILE: u32 = 0o100_644;
/// Mode of a program.
pub const PROGRAM: u32 = 0o100_755;
/// Mode of a symbolic link.
pub const LINK: u32 = 0o120_777;

/// Entry of a zip file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Bytes of its name.
    pub name: Vec<u8>,
    /// Bytes of its file.
    pub content: Vec<u8>,
    /// Mode on Unix, with the kind of file.
    pub mode: u32,
    /// General flags.
    pub flags: u16,
    /// Whether its checksum is wrong.
    pub is_damaged: bool,
}

impl Entry {
    /// Returns a file.
    pub fn new(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Entry {
        let (name, content) = (name.as_ref().to_vec(), content.as_ref().to_vec());
        Entry { name, content, mode: FILE, flags: 0, is_damaged: false }
    }

    /// Returns the same entry with another mode.
    pub fn with_mode(self, mode: u32) -> Entry {
        Entry { mode, ..self }
    }

    /// Returns the same entry with other flags.
    pub fn with_flags(self, flags: u16) -> Entry {
        Entry { flags, ..self }
    }
}

/// Returns a zip file of these entries. Each is deflated, and stored if it is empty.
pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for Entry { name, content, mode, flags, is_damaged } in entries {
        let mut crc = Crc::new();
        crc.update(content);
        let crc = crc.sum() ^ u32::from(*is_damaged);
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
        deflated.write_all(content).unwrap();
        let (method, data) = match content.is_empty() {
            true => (0, Vec::new()),
            false => (8, deflated.finish().unwrap()),
        };
        // Version, flags, method, time, date, checksum, sizes, and the length of the name.
        let mut facts = Vec::new();
        [20, *flags, method, 0, 0x21].iter().for_each(|n: &u16| facts.extend(n.to_le_bytes()));
        let numbers = [crc, data.len() as u32, content.len() as u32, name.len() as u32];
        numbers.iter().for_each(|n| facts.extend(n.to_le_bytes()));
        directory.extend(b"PK\x01\x02");
        // Written on Unix.
        directory.extend([20, 3]);
        directory.extend(&facts);
        directory.extend([0; 6]);
        directory.extend((mode << 16).to_le_bytes());
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name);
        file.extend(b"PK\x03\x04");
        file.extend(&facts);
        file.extend(name);
        file.extend(data);
    }
    let (start, count) = (file.len() as u32, entries.len() as u16);
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    [count, count].iter().for_each(|n| file.extend(n.to_le_bytes()));
    [directory.len() as u32, start].iter().for_each(|n| file.extend(n.to_le_bytes()));
    file.extend([0; 2]);
    file
}
