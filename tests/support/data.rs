//! Where the reference data is, which is not part of the project.

use std::io::Write;
use std::path::PathBuf;

/// A file or folder of the reference data. Where there is none, says loudly what was skipped: also
/// when the test passes, past what the test harness keeps to itself.
pub fn data(name: &str, skipped: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ARBITRE_DATA").map(PathBuf::from);
    let path = folder.map(|folder| folder.join(name)).filter(|path| path.exists());
    if path.is_none() {
        let line = format!("\nSKIPPED, as ARBITRE_DATA has no {name}: {skipped}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    path
}
