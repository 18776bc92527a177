//! Readings that several parts use, and texts of numbers.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;
/// Bytes of a gibibyte.
const GIB: u64 = 1 << 30;

/// Returns the content of a file without the blanks around it, if it can be read.
pub fn read(path: impl AsRef<Path>) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

/// Returns the value of a line `NAME: VALUE` or `NAME:\tVALUE`.
pub fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(line.trim())
}

/// Returns the release of the kernel.
pub fn kernel() -> String {
    read("/proc/sys/kernel/osrelease").unwrap_or_default()
}

/// Returns the two first numbers of a kernel's release; zeros if it has none.
pub fn version(release: &str) -> (u32, u32) {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|word| word.parse());
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    (next(), next())
}

/// Formats a size for people: `512 MiB`, `1.5 GiB`.
pub fn size(bytes: u64) -> String {
    if bytes < GIB {
        return format!("{} MiB", bytes / MIB);
    }
    let tenths = bytes * 10 / GIB;
    match tenths % 10 {
        0 => format!("{} GiB", tenths / 10),
        tenth => format!("{}.{tenth} GiB", tenths / 10),
    }
}

/// Formats a duration for people, with two digits or more.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let (number, unit) = match duration.as_micros() {
        0..1_000 => (seconds * 1e6, "us"),
        1_000..1_000_000 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    if number < 10.0 {
        format!("{number:.1} {unit}")
    } else {
        format!("{number:.0} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let status = "Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n";
        assert_eq!((field(status, "Seccomp"), field(status, "Uid")), (Some("2"), None));
        assert_eq!(version("6.8.0-31-generic"), (6, 8));
        assert_eq!(version("5.15+"), (5, 15));
        assert_eq!(version(""), (0, 0));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([MIB * 512, GIB, GIB * 3 / 2].map(size), ["512 MiB", "1 GiB", "1.5 GiB"]);
        let times = [8_123, 83_000, 2_340_000, 12_000_000_000].map(Duration::from_nanos);
        assert_eq!(times.map(time), ["8.1 us", "83 us", "2.3 ms", "12 s"]);
    }
}
