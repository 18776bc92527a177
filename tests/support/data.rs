//! Location of the reference data, which is not part of the project.

use std::io::Write;
use std::path::PathBuf;

/// Returns a file or folder of the reference data. If it is missing, prints what was skipped, past
/// the output capture of the test harness, so that it shows when the test passes too.
pub fn data(name: &str, skipped: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ARBITRE_DATA").map(PathBuf::from);
    let path = folder.map(|folder| folder.join(name)).filter(|path| path.exists());
    if path.is_none() {
        let line = format!("\nSKIPPED, as ARBITRE_DATA has no {name}: {skipped}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    path
}
