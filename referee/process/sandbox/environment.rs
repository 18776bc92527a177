//! Environment of a program in a sandbox.

use super::{SandboxConfig, Surroundings};
use crate::launcher::layers::Level;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Variables that name the folder of a runtime. The folder is shown.
pub const RUNTIMES: [&str; 8] = [
    "CONDA_PREFIX",
    "DOTNET_ROOT",
    "GOROOT",
    "JAVA_HOME",
    "OPAM_SWITCH_PREFIX",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "VIRTUAL_ENV",
];
/// Variables that say who and where the user is, and where a runtime finds its own files. Variables
/// that change what a program does or imports are not among them, such as `PYTHONUNBUFFERED`,
/// `PYTHONPATH`, `NODE_PATH` and `CLASSPATH`: the program would fail where they are not set.
const KEPT: [&str; 11] = [
    "CAML_LD_LIBRARY_PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "OCAMLPATH",
    "PATH",
    "PYENV_VERSION",
    "TZ",
    "USER",
];

/// Memory that a runtime needs beside its heap, in bytes: code, threads, and what collects garbage.
/// Not tuned.
const BESIDE_HEAP: u64 = 128 << 20;
/// Variable with options that every JVM reads, and names on standard error.
const JVM_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// Parts of options of a JVM beside which it gets no other limit. It would refuse an initial heap
/// above that, and ignore a percentage.
const OWN_HEAPS: [&str; 3] = ["-Xms", "InitialHeapSize", "RAMPercentage"];

/// Returns the environment of a program with these arguments as `NAME=VALUE`, sorted by name.
pub fn environment(
    config: &SandboxConfig,
    arguments: &[String],
    around: &Surroundings,
    level: Level,
) -> Vec<OsString> {
    let is_kept = |name: &OsStr| {
        name.as_bytes().starts_with(b"LC_")
            || KEPT.iter().chain(&RUNTIMES).any(|kept| name == *kept)
    };
    let kept = around.variables.iter().filter(|(name, _)| is_kept(name)).cloned();
    let mut variables: BTreeMap<OsString, OsString> = kept.collect();
    // Below full, the folder for temporary files cannot be used.
    if level == Level::Full {
        variables.insert("TMPDIR".into(), "/tmp".into());
    }
    // By default the JVM and Node grow to a part of the machine's memory before they collect
    // garbage. Options of the command come later, and win.
    let mut words = arguments.iter();
    if !words.any(|word| OWN_HEAPS.iter().any(|heap| word.contains(heap))) {
        variables.insert(JVM_OPTIONS.into(), jvm_options(config.memory).into());
    }
    let node = format!("--max-old-space-size={}", heap(config.memory) >> 20);
    variables.insert("NODE_OPTIONS".into(), node.into());
    for asked in &config.variables {
        let (name, value) = match asked.split_once('=') {
            Some((name, value)) => (name, Some(OsStr::new(value))),
            None => (asked.as_str(), around.variable(asked)),
        };
        variables.extend(value.map(|value| (name.into(), value.into())));
    }
    variables.into_iter().map(pair).collect()
}

/// Returns the largest heap of a program with this limit of memory, in bytes: at most three
/// quarters, at least a quarter.
pub fn heap(memory: u64) -> u64 {
    (memory / 4 * 3).min(memory.saturating_sub(BESIDE_HEAP)).max(memory / 4)
}

fn jvm_options(memory: u64) -> String {
    format!("-Xmx{}m", heap(memory) >> 20)
}

/// Returns the line in which a JVM names the options that [`environment`] gives it.
pub fn jvm_notice(memory: u64) -> String {
    format!("Picked up {JVM_OPTIONS}: {}\n", jvm_options(memory))
}

/// Returns a variable as `NAME=VALUE`.
pub fn pair((mut name, value): (OsString, OsString)) -> OsString {
    name.push("=");
    name.push(value);
    name
}

#[cfg(test)]
mod tests {
    use super::super::testing::strings;
    use super::*;

    #[test]
    fn environment_is_an_allow_list() {
        let variables = [
            ("USER", "ada"),
            ("PATH", "/usr/bin"),
            ("LC_ALL", "C"),
            ("PYTHONUNBUFFERED", "1"),
            ("PYTHONPATH", "/x"),
            ("SSH_AUTH_SOCK", "/run/x"),
            ("DEBUG", "2"),
            ("TOKEN", "secret"),
            ("VIRTUAL_ENV", "/v"),
        ];
        let variables = variables.map(|(name, value)| (name.into(), value.into())).to_vec();
        let around = Surroundings { variables, ..Surroundings::default() };
        let of = |asked: Vec<String>, level| {
            let config = SandboxConfig { variables: asked, ..SandboxConfig::default() };
            let mut variables = environment(&config, &[], &around, level);
            let heaps = ["JAVA_TOOL_OPTIONS=-Xmx768m", "NODE_OPTIONS=--max-old-space-size=768"];
            assert!(heaps.iter().all(|heap| variables.contains(&heap.into())), "{variables:?}");
            variables.retain(|variable| !heaps.iter().any(|heap| variable == heap));
            variables
        };
        let plain = ["LC_ALL=C", "PATH=/usr/bin", "USER=ada", "VIRTUAL_ENV=/v"];
        assert_eq!(of(Vec::new(), Level::Partial), plain);
        let full = ["LC_ALL=C", "PATH=/usr/bin", "TMPDIR=/tmp", "USER=ada", "VIRTUAL_ENV=/v"];
        assert_eq!(of(Vec::new(), Level::Full), full);
        let asked = strings(["DEBUG", "ABSENT", "USER=eve=", "TMPDIR=/x"]);
        let with =
            ["DEBUG=2", "LC_ALL=C", "PATH=/usr/bin", "TMPDIR=/x", "USER=eve=", "VIRTUAL_ENV=/v"];
        assert_eq!(of(asked, Level::Full), with);
    }

    #[test]
    fn heap_leaves_room_for_the_runtime() {
        let mib = |size: u64| heap(size << 20) >> 20;
        assert_eq!([64, 256, 512, 1024, 4096].map(mib), [16, 128, 384, 768, 3072]);
        let variables = strings(["JAVA_TOOL_OPTIONS=-Xmx9m"]);
        let config = SandboxConfig { variables, memory: 256 << 20, ..SandboxConfig::default() };
        let found = environment(&config, &[], &Surroundings::default(), Level::Partial);
        let expected = ["JAVA_TOOL_OPTIONS=-Xmx9m", "NODE_OPTIONS=--max-old-space-size=128"];
        assert_eq!(found, expected, "the user's own options win");
        let arguments = strings(["-Xms300m", "Bot"]);
        let config = SandboxConfig::default();
        let found = environment(&config, &arguments, &Surroundings::default(), Level::Partial);
        assert_eq!(found, ["NODE_OPTIONS=--max-old-space-size=768"]);
    }
}
