//! The words for a player on the command line: `NAME[move-time=50ms]=DIALECT@COMMAND`.

use crate::registry::dialects;
use arbitre_bots as bots;
use arbitre_games::game::ParseError;
use arbitre_games::text::unknown;
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A player as its words describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name it was given, or one made from its command; not yet made unique.
    pub name: String,
    /// Limits of its own, as `key=value` or a bare word.
    pub terms: Vec<String>,
    /// The dialect it speaks, where it was said.
    pub dialect: Option<String>,
    /// The command as it was written.
    pub command: String,
    /// Who plays.
    pub kind: Kind,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A person at the terminal.
    Human,
    /// A bundled bot with its arguments.
    Bundled(String, Vec<String>),
    /// A program with its arguments.
    External(Vec<String>),
}

impl Spec {
    /// Reads the words for a player.
    ///
    /// # Errors
    /// If a quote is not closed, there is no command, or the dialect is unknown.
    pub fn parse(text: &str) -> Result<Spec, ParseError> {
        let (name, terms, rest) = split_name(text)?;
        let (dialect, command) = split_dialect(rest)?;
        let command = command.trim();
        if command.is_empty() {
            return Err(ParseError::new(format!("expected a command in '{text}'")));
        }
        let kind = Kind::of(command)?;
        let name = name.map_or_else(|| default_name(&kind), str::to_owned);
        Ok(Spec { name, terms, dialect, command: command.into(), kind })
    }
}

impl Kind {
    /// Who plays when this command is given.
    ///
    /// # Errors
    /// If a quote is not closed, or there are no words.
    pub fn of(command: &str) -> Result<Kind, ParseError> {
        let words = split_words(command)?;
        Ok(match words.split_first() {
            None => return Err(ParseError::new(format!("expected a command, not '{command}'"))),
            Some((first, [])) if first == "human" => Kind::Human,
            Some((first, rest)) if bots::find(first).is_some() => {
                Kind::Bundled(first.clone(), rest.to_vec())
            }
            Some(_) => Kind::External(words),
        })
    }
}

/// Splits off `NAME[limits]=`: an `=` counts only before the first blank.
fn split_name(text: &str) -> Result<(Option<&str>, Vec<String>, &str), ParseError> {
    let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let (limits, after) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((limits, after)) => (limits, after),
        None => ("", rest),
    };
    let Some(command) = after.strip_prefix('=') else {
        if !limits.is_empty() {
            let message = format!("expected '=' and a command after '{name}[{limits}]'");
            return Err(ParseError::new(message));
        }
        return Ok((None, Vec::new(), text));
    };
    let limits = limits.split(',').map(str::trim).filter(|word| !word.is_empty());
    Ok((Some(name).filter(|name| !name.is_empty()), limits.map(str::to_owned).collect(), command))
}

/// Splits off `DIALECT@`: a word of letters and digits before the first blank.
fn split_dialect(text: &str) -> Result<(Option<String>, &str), ParseError> {
    let Some((dialect, command)) = text.split_once('@') else { return Ok((None, text)) };
    if dialect.is_empty() || !dialect.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Ok((None, text));
    }
    if !dialects().contains(&dialect) {
        return Err(unknown("dialect", dialect, dialects()));
    }
    Ok((Some(dialect.into()), command))
}

/// The words of a command, with a shell's quotes and backslashes and nothing else of a shell. A
/// text that is the path of a file is one word, blanks and all.
fn split_words(command: &str) -> Result<Vec<String>, ParseError> {
    if command.contains('/') && Path::new(command).is_file() {
        return Ok(vec![command.into()]);
    }
    shell_words::split(command)
        .map_err(|_| ParseError::new(format!("a quote is not closed in the command: {command}")))
}

/// The bundled name, or the stem of the program's file: for an interpreter, of its script.
fn default_name(kind: &Kind) -> String {
    let stem = |word: &str| {
        let stem = Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| "player".into())
    };
    let name = match kind {
        Kind::Human => return "human".into(),
        Kind::Bundled(name, _) => return name.clone(),
        Kind::External(words) => {
            let script = words[1..].iter().find(|word| !word.starts_with('-'));
            let inline = words.iter().any(|word| word == "-c" || word == "-e");
            match script.filter(|_| is_interpreter(&stem(&words[0])) && !inline) {
                Some(script) => stem(script),
                None => stem(&words[0]),
            }
        }
    };
    name.chars().map(|c| if c.is_control() || c.is_whitespace() { '_' } else { c }).collect()
}

fn is_interpreter(stem: &str) -> bool {
    const INTERPRETERS: [&str; 14] = [
        "python", "pypy", "node", "deno", "bun", "ruby", "perl", "lua", "java", "ocaml", "php",
        "bash", "sh", "guile",
    ];
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&stem)
}

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
    /// If there is no such file or it cannot be executed; the message says what to try.
    pub fn find(words: &[String]) -> Result<Program, ParseError> {
        let (first, arguments) = words.split_first().expect("a command has a first word");
        let path = if first.contains('/') {
            let absolute =
                std::path::absolute(first).map_err(|e| ParseError::new(e.to_string()))?;
            check_executable(first, &absolute)?;
            absolute
        } else {
            search_path(first)?
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
            let _ = File::open(path)
                .and_then(|file| io::copy(&mut file.take(DIGESTED), &mut Crc(&mut hasher)));
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

/// A checksum that takes what is written to it.
struct Crc<'a>(&'a mut crc32fast::Hasher);

impl io::Write for Crc<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
    match arbitre_games::text::closest(&name, names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean {}?", path.with_file_name(name).display()),
        None => format!("it was looked for in {}", folder.display()),
    }
}

fn search_path(word: &str) -> Result<PathBuf, ParseError> {
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
        let bundled = bots::BOTS.iter().map(|bot| bot.name).chain(["human"]);
        match arbitre_games::text::closest(word, bundled.clone()) {
            Some(name) => format!("; did you mean {name}?"),
            None => {
                let names: Vec<&str> = bundled.collect();
                format!(
                    "; bundled are {}",
                    arbitre_games::text::alternatives(&names).replace(" or ", " and ")
                )
            }
        }
    };
    Err(ParseError::new(format!("'{word}' is neither a bundled bot nor a program in PATH{hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn external(words: &[&str]) -> Kind {
        Kind::External(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn reads_every_part() {
        let spec = Spec::parse("me.2[move-time=50ms, depth=4]=arbitre@./bot 'a b' --x=1").unwrap();
        assert_eq!(spec.name, "me.2");
        assert_eq!(spec.terms, ["move-time=50ms", "depth=4"]);
        assert_eq!(spec.dialect.as_deref(), Some("arbitre"));
        assert_eq!(spec.command, "./bot 'a b' --x=1");
        assert_eq!(spec.kind, external(&["./bot", "a b", "--x=1"]));
    }

    #[test]
    fn an_equals_sign_after_a_blank_is_the_commands_own() {
        let spec = Spec::parse("./bot --x=1").unwrap();
        assert_eq!((spec.name.as_str(), spec.kind), ("bot", external(&["./bot", "--x=1"])));
        assert_eq!(Spec::parse("A=B=c").unwrap().kind, external(&["B=c"]));
    }

    #[test]
    fn names_come_from_bundled_bots_files_and_scripts() {
        let cases = [
            ("awele greedy", "awele"),
            ("human", "human"),
            ("./my_bot.py", "my_bot"),
            ("python3 -u dir/my_bot.py 3", "my_bot"),
            ("python3.11 x.y.py", "x.y"),
            ("java Bot", "Bot"),
            ("sh -c 'while read w; do :; done'", "sh"),
            ("./élève", "élève"),
        ];
        for (command, name) in cases {
            assert_eq!(Spec::parse(command).unwrap().name, name, "{command}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("arbitr@./bot", "did you mean arbitre?"),
            ("./bot 'a", "quote is not closed"),
            ("", "expected a command"),
            ("me=", "expected a command"),
            ("me[depth=3] ./bot", "expected '='"),
        ];
        for (text, part) in cases {
            let error = Spec::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn finds_programs_and_explains_what_it_does_not_find() {
        let find = |words: &[&str]| {
            Program::find(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert!(find(&["sh", "-c", "true"]).unwrap().path.is_absolute());
        let error = |word| find(&[word]).unwrap_err().to_string();
        assert!(error("awelle").contains("did you mean awele?"), "{}", error("awelle"));
        assert!(
            error("./no/such").contains("there is no file './no/such'; nor is there a folder /")
        );
        assert!(error("./unlike-any").contains("; it was looked for in /"));
        assert!(error("/unlike-any").ends_with("; it was looked for in /"));
        assert!(error("./src/").contains("folder"));
        assert!(error("./Cargo.toml").contains("chmod +x"));
        assert!(error("./Cargo.tml").contains("did you mean"), "{}", error("./Cargo.tml"));
    }
}
