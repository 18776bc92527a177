//! A program that can be started: found, described and told apart from its other versions.

use arbitre_games::game::ParseError;
use arbitre_games::text::{alternatives, closest};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// So much of a file counts for the version of a program, in bytes: more than programs have.
const DIGESTED: u64 = 64 << 20;

/// A program that can be started as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file, as an absolute path.
    pub path: PathBuf,
    /// What it is told its own name is.
    pub arg0: OsString,
    /// The arguments.
    pub arguments: Vec<String>,
}

impl Program {
    /// The file behind the first word of a command, found as a shell would find it.
    ///
    /// # Errors
    /// If there is no such file or it cannot be executed; the message says what to try, the names in
    /// `bundled` among it.
    pub fn find(words: &[String], bundled: &[&str]) -> Result<Program, ParseError> {
        let (first, arguments) = words.split_first().expect("a command has a first word");
        let path = if first.contains('/') {
            let absolute =
                std::path::absolute(first).map_err(|e| ParseError::new(e.to_string()))?;
            check_executable(first, &absolute)?;
            absolute
        } else {
            search_path(first, bundled)?
        };
        Ok(Program { path, arg0: first.into(), arguments: arguments.to_vec() })
    }

    /// The referee's own program, started as a bundled bot.
    pub fn bundled(referee: &Path, name: &str, arguments: &[String]) -> Program {
        let words = ["bot", name].into_iter().map(str::to_owned);
        let arguments = words.chain(arguments.iter().cloned()).collect();
        Program { path: referee.into(), arg0: "referee".into(), arguments }
    }

    /// The program and every argument that is a file.
    pub fn files(&self) -> Vec<PathBuf> {
        let arguments = self.arguments.iter().map(PathBuf::from).filter(|path| path.is_file());
        std::iter::once(self.path.clone()).chain(arguments).collect()
    }

    /// What its files are: a checksum of the program and of every argument that is a file, so that
    /// a script counts as well as its interpreter. Two versions of a program differ in it.
    pub fn digest(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for path in self.files() {
            // What cannot be read now will be told when it is started.
            let mut bytes = Vec::new();
            let _ = File::open(path).and_then(|file| file.take(DIGESTED).read_to_end(&mut bytes));
            hasher.update(&bytes);
        }
        format!("{:08x}", hasher.finalize())
    }

    /// Why it could not be started, for people.
    pub fn explain(&self, error: &io::Error) -> String {
        let path = self.path.display();
        match error.raw_os_error() {
            Some(libc::ENOEXEC) => {
                format!(
                    "{path} is no program: a script begins with a line like #!/usr/bin/env python3"
                )
            }
            Some(libc::ENOENT) => {
                format!("{path} or the interpreter in its first line does not exist")
            }
            _ => format!("{path}: {error}"),
        }
    }
}

fn check_executable(word: &str, path: &Path) -> Result<(), ParseError> {
    let Ok(metadata) = path.metadata() else {
        return Err(ParseError::new(format!("there is no file '{word}'; {}", other_file(path))));
    };
    if metadata.is_dir() {
        return Err(ParseError::new(format!("'{word}' is a folder, not a program")));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        let hint = format!("chmod +x '{word}', or name its interpreter: \"python3 {word}\"");
        return Err(ParseError::new(format!("'{word}' is not executable: {hint}")));
    }
    Ok(())
}

/// What to try where there is no file: one of a similar name in the folder, or the right folder.
fn other_file(path: &Path) -> String {
    let folder = path.parent().unwrap_or(path);
    if !folder.is_dir() {
        return format!("nor is there a folder {}", folder.display());
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match closest(&name, names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean {}?", path.with_file_name(name).display()),
        None => format!("it was looked for in {}", folder.display()),
    }
}

fn search_path(word: &str, bundled: &[&str]) -> Result<PathBuf, ParseError> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(word)).find(|path| {
        path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    });
    if let Some(path) = found {
        return std::path::absolute(path).map_err(|error| ParseError::new(error.to_string()));
    }
    let hint = if Path::new(word).is_file() {
        format!("; for the file in this folder write ./{word}")
    } else {
        let bundled = bundled.iter().copied().chain(["human"]);
        match closest(word, bundled.clone()) {
            Some(name) => format!("; did you mean {name}?"),
            None => {
                let names: Vec<&str> = bundled.collect();
                format!("; bundled are {}", alternatives(&names).replace(" or ", " and "))
            }
        }
    };
    Err(ParseError::new(format!("'{word}' is neither a bundled bot nor a program in PATH{hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_programs_and_explains_what_it_does_not_find() {
        let find = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Program::find(&words, &["awele"])
        };
        assert!(find(&["sh", "-c", "true"]).unwrap().path.is_absolute());
        let error = |word| find(&[word]).unwrap_err().to_string();
        assert!(error("awelle").contains("did you mean awele?"), "{}", error("awelle"));
        assert!(
            error("./no/such").contains("there is no file './no/such'; nor is there a folder /")
        );
        assert!(error("./unlike-any").contains("; it was looked for in /"));
        assert!(error("/unlike-any").ends_with("; it was looked for in /"));
        assert!(error("./cli/").contains("folder"));
        assert!(error("./Cargo.toml").contains("chmod +x"));
        assert!(error("./Cargo.tml").contains("did you mean"), "{}", error("./Cargo.tml"));
    }
}
