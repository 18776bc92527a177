//! Search for the program of a command, and explanation of errors at its start.

use super::file_kind::FileKind;
use arbitre_games::game::ParseError;
use arbitre_games::text::{alternatives, closest, did_you_mean, io_reason, HELP};
use arbitre_process::program::Program;
use std::env;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Finds the file behind the first word of a command, as a shell would.
///
/// # Errors
/// Returns an error if there is no such file or it is not executable. The message suggests an
/// alternative, for example one of the names in `bundled`.
pub fn find(words: &[String], bundled: &[&str]) -> Result<Program, ParseError> {
    find_from(None, words, bundled)
}

fn find_from(
    folder: Option<PathBuf>,
    words: &[String],
    bundled: &[&str],
) -> Result<Program, ParseError> {
    let (first, arguments) = words.split_first().expect("a command is not empty");
    let path = if first.contains('/') {
        let from = folder.as_deref().unwrap_or(Path::new("")).join(first);
        let absolute = std::path::absolute(from).map_err(|e| ParseError::new(e.to_string()))?;
        check_executable(first, &absolute)?;
        absolute
    } else {
        search_path(first, bundled)?
    };
    Ok(Program { arg0: first.into(), folder, ..Program::new(path, arguments.to_vec()) })
}

/// Finds the program of a command that is given in the program's own `folder`.
///
/// # Errors
/// Returns the errors of [`find`], or an error if a relative path leads out of the
/// folder: a program may have left a link, to be shown the file behind it.
pub fn find_in(folder: &Path, words: &[String], bundled: &[&str]) -> Result<Program, ParseError> {
    let refuse = |why: String| {
        ParseError::new(format!("expected a folder, got {}: {why}", folder.display()))
    };
    let folder = folder.canonicalize().map_err(|error| refuse(io_reason(&error)))?;
    // The value of an option may be a path, too.
    let values = words.iter().filter_map(|word| Some(word.split_once('=')?.1));
    let paths = words.iter().map(String::as_str).chain(values);
    for path in paths.filter(|path| Path::new(path).is_relative()) {
        match folder.join(path).canonicalize() {
            Ok(real) if !real.starts_with(&folder) => {
                return Err(refuse(format!("{path} leads to {}", real.display())));
            }
            _ => {}
        }
    }
    find_from(Some(folder), words, bundled)
}

/// Returns the referee's own program, started directly as the bundled bot `name`. The bot ends
/// with the referee by itself, and starts no other process.
pub fn bundled(referee: &Path, name: &str, arguments: &[String]) -> Program {
    let words = ["bot", name].into_iter().map(str::to_owned);
    let arguments = words.chain(arguments.iter().cloned()).collect();
    Program { arg0: "referee".into(), ..Program::new(referee, arguments) }
}

/// Returns the reason why the program could not be started, for the user.
pub fn explain(program: &Program, error: &io::Error) -> String {
    let path = program.path.display();
    match error.raw_os_error() {
        Some(libc::ENOEXEC) => {
            let kind = FileKind::of(&program.path);
            let (what, advice) = kind.advice(&program.arg0.to_string_lossy(), true);
            let which = if what.is_empty() { "" } else { ", which is " };
            format!("expected a program, got {path}{which}{what}{HELP}{advice}")
        }
        Some(libc::ENOENT | libc::EACCES) if program.is_hidden() => format!(
            "the sandbox does not show {path} or its interpreter{HELP}--allow-read PATH shows more"
        ),
        Some(libc::ENOENT) => {
            format!("{path} or the interpreter in its first line does not exist")
        }
        Some(libc::EAGAIN) => {
            format!("this machine has no more processes for this user{HELP}see ulimit -u")
        }
        Some(libc::EMFILE | libc::ENFILE) => {
            format!("this machine has no more open files for it{HELP}see ulimit -n")
        }
        Some(libc::ENOMEM) => "this machine has no memory for it".into(),
        _ => format!("{path}: {error}"),
    }
}

fn check_executable(word: &str, path: &Path) -> Result<(), ParseError> {
    let Ok(metadata) = path.metadata() else {
        let why = match path.read_link() {
            Ok(target) => format!("it is a link to {}, which is not there", target.display()),
            Err(_) => other_file(path),
        };
        return Err(ParseError::new(format!("expected a program, got '{word}': {why}")));
    };
    if metadata.is_dir() {
        return Err(ParseError::new(format!("expected a program, got the folder '{word}'")));
    }
    let kind = FileKind::of(path);
    let is_executable = metadata.permissions().mode() & 0o111 != 0;
    let (what, advice) = kind.advice(word, is_executable);
    match kind {
        // The system would look for an interpreter whose name ends in CR.
        FileKind::CrLfScript => Err(ParseError::new(format!(
            "expected a program, got '{word}', which is {what}{HELP}{advice}"
        ))),
        _ if !is_executable => Err(ParseError::new(format!(
            "expected a program, got '{word}', which is not executable{HELP}{advice}"
        ))),
        _ => Ok(()),
    }
}

/// Returns a hint for a missing file: a similar name in its folder, or a missing folder.
fn other_file(path: &Path) -> String {
    let folder = path.parent().unwrap_or(path);
    if !folder.is_dir() {
        return format!("there is no folder {}", folder.display());
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match closest(&name, names.iter().map(String::as_str)) {
        Some(name) => {
            let near = path.with_file_name(name);
            format!("there is no such file{HELP}did you mean {}?", near.display())
        }
        None => format!("there is no such file in {}", folder.display()),
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
    let expected = match bundled {
        [] => "a program in PATH",
        _ => "a bundled bot or a program in PATH",
    };
    let hint = if Path::new(word).is_file() {
        format!("{HELP}for the file in this folder write ./{word}")
    } else if bundled.is_empty() {
        String::new()
    } else {
        let bundled = bundled.iter().copied().chain(["human"]);
        match did_you_mean(word, bundled.clone()) {
            help if help.is_empty() => {
                let names: Vec<&str> = bundled.collect();
                format!("{HELP}bundled are {}", alternatives(&names).replace(" or ", " and "))
            }
            help => help,
        }
    };
    Err(ParseError::new(format!("expected {expected}, got '{word}'{hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn missing_programs_are_explained() {
        let find = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            find(&words, &["awele"])
        };
        assert!(find(&["sh", "-c", "true"]).unwrap().path.is_absolute());
        let error = |word| find(&[word]).unwrap_err().to_string();
        assert!(error("awelle").contains("did you mean awele?"), "{}", error("awelle"));
        assert!(error("./no/such").contains("got './no/such': there is no folder /"));
        assert!(error("./unlike-any").contains("there is no such file in /"));
        assert!(error("/unlike-any").ends_with("there is no such file in /"));
        assert!(error("./run/").contains("folder"));
        assert!(error("./Cargo.toml").ends_with("help: write chmod +x ./Cargo.toml"));
        assert!(error("./Cargo.tml").contains("did you mean"), "{}", error("./Cargo.tml"));
    }

    #[test]
    fn program_is_found_in_its_own_folder() {
        let scratch = env::temp_dir().canonicalize().unwrap();
        let folder = scratch.join(format!("arbitre élève program-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let bot = folder.join("sub/bot");
        fs::write(&bot, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
        symlink("sub/bot", folder.join("near")).unwrap();
        symlink("/etc/passwd", folder.join("far")).unwrap();
        symlink("gone", folder.join("dead")).unwrap();
        fs::write(folder.join("windows"), "#!/bin/sh\r\n").unwrap();
        symlink("/bin", folder.join("tools")).unwrap();
        let find = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            find_in(&folder, &words, &[])
        };
        let program = find(&["./sub/bot", "near", "--x"]).unwrap();
        assert_eq!((&program.path, program.folder.as_ref()), (&bot, Some(&folder)));
        assert_eq!(program.files(), [bot, folder.join("near")]);
        assert!(find(&["sh", "near"]).unwrap().path.is_absolute());
        let option = "--book=far";
        for words in
            [&["sh", "far"][..], &["./far"], &["./tools/sh"], &["sh", ".."], &["sh", option]]
        {
            assert!(find(words).is_err(), "{words:?}");
        }
        let refused = find(&["sh", "far"]).unwrap_err().to_string();
        assert!(refused.ends_with("far leads to /etc/passwd"), "{refused}");
        let dead = find(&["./dead"]).unwrap_err().to_string();
        assert!(dead.ends_with("got './dead': it is a link to gone, which is not there"), "{dead}");
        let windows = find(&["./windows"]).unwrap_err().to_string();
        assert!(windows.contains("line ends of Windows; help: write sed -i"), "{windows}");
        assert!(find(&["./absent"]).unwrap_err().to_string().contains("there is no such file in"));
        let gone = find_in(&folder.join("gone"), &["sh".into()], &[]).unwrap_err();
        assert!(gone.to_string().starts_with("expected a folder, got "), "{gone}");
        fs::remove_dir_all(folder).unwrap();
    }
}
