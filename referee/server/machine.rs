//! Facts on this machine for the teacher's page.

use std::fs;
use std::net::IpAddr;
use std::path::Path;

/// Bytes that stay free on the disk of a room, for its games. Not tuned.
const FREE: u64 = 1 << 30;

/// Returns `true` if what people send may be written into a folder.
pub fn has_space(folder: &Path) -> bool {
    let space = rustix::fs::statvfs(folder);
    space.map_or(true, |of| of.f_bavail.saturating_mul(of.f_frsize) >= FREE)
}

/// Facts on this machine.
pub struct Machine {
    /// Mean number of tasks that ran or waited in the last minute.
    pub load: f64,
    /// Number of processors.
    pub processors: usize,
    /// Memory of this process, in MiB.
    pub memory: u64,
    /// Free space for the room, in GiB.
    pub disk: f64,
}

impl Machine {
    /// Reads the facts, of which those that are missing are zero.
    pub fn here(folder: &Path) -> Machine {
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        let load = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok());
        let pages = read("/proc/self/statm").split(' ').nth(1).and_then(|of| of.parse().ok());
        let page = rustix::param::page_size() as u64;
        let space = rustix::fs::statvfs(folder);
        let free = space.map_or(0, |of| of.f_bavail.saturating_mul(of.f_frsize));
        Machine {
            load: load.unwrap_or(0.0),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            memory: (pages.unwrap_or(0) * page) >> 20,
            disk: free as f64 / (1u64 << 30) as f64,
        }
    }
}

/// Returns the addresses of this machine in its networks, of the fourth version of IP first.
pub fn addresses(with_six: bool) -> Vec<IpAddr> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    let mut found: Vec<IpAddr> = found
        .iter()
        .filter(|of| !of.is_loopback() && !of.is_link_local())
        .map(|of| of.ip())
        .collect();
    found.retain(|address| address.is_ipv4() || with_six);
    found.sort_by_key(IpAddr::is_ipv6);
    found
}
