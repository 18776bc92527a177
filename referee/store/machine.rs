//! Machine on which the games of a session were played.

use serde::{Deserialize, Serialize};
use std::fs;

/// Machine on which games were played.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the machine.
    pub host: String,
    /// Model of its processors.
    pub processor: String,
    /// Number of processors that the referee could use.
    pub processors: usize,
}

impl Machine {
    /// Describes this machine, of which the referee may use `processors` processors.
    pub fn here(processors: usize) -> Machine {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Machine { host, processor: model(&cpus), processors }
    }
}

/// Returns the model that a content of `/proc/cpuinfo` names first. On ARM it has only numbers.
fn model(cpus: &str) -> String {
    let value = |name: &str| {
        let mut lines = cpus.lines().filter_map(|line| line.split_once(':'));
        let found = lines.find(|(key, _)| key.trim() == name)?;
        Some(found.1.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    };
    let part = || Some(format!("{} part {}", value("CPU implementer")?, value("CPU part")?));
    value("model name").or_else(part).unwrap_or_else(|| "unknown processor".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_is_named_or_numbered() {
        let named = "processor\t: 0\nmodel name\t: AMD  EPYC 7B13\nflags\t\t: fpu\n";
        assert_eq!(model(named), "AMD EPYC 7B13");
        let numbered = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        assert_eq!(model(numbered), "0x41 part 0xd0c");
        assert_eq!(model(""), "unknown processor");
        assert!(!Machine::here(2).host.is_empty());
    }
}
