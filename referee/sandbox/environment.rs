//! Environment of a confined program.

use super::{SandboxConfig, Surroundings};
use crate::launcher::jail::Level;
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

/// Returns the environment of a program as `NAME=VALUE`, sorted by name.
pub fn environment(config: &SandboxConfig, around: &Surroundings, level: Level) -> Vec<OsString> {
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
    for asked in &config.variables {
        let (name, value) = match asked.split_once('=') {
            Some((name, value)) => (name, Some(OsStr::new(value))),
            None => (asked.as_str(), around.variable(asked)),
        };
        variables.extend(value.map(|value| (name.into(), value.into())));
    }
    variables.into_iter().map(pair).collect()
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
            environment(&config, &around, level)
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
}
