//! Detection of the language of a bot from its command, with the way to flush in that language.

use arbitre_games::files;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A programming language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Name of the language.
    pub name: &'static str,
    /// Endings of source files.
    endings: &'static [&'static str],
    /// Interpreters, without version numbers.
    interpreters: &'static [&'static str],
    /// Advice on flushing.
    pub flush: &'static str,
    /// Advice on writing to standard error.
    pub stderr: &'static str,
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "Python",
        endings: &["py"],
        interpreters: &["python", "pypy"],
        flush: "print(..., flush=True)",
        stderr: "print(..., file=sys.stderr)",
    },
    Language {
        name: "C",
        endings: &["c"],
        interpreters: &[],
        flush: "fflush(stdout) after each answer, or setvbuf(stdout, NULL, _IOLBF, 0) once",
        stderr: "fprintf(stderr, ...)",
    },
    Language {
        name: "C++",
        endings: &["cpp", "cc", "cxx"],
        interpreters: &[],
        flush: "std::cout << move << std::endl",
        stderr: "std::cerr << ...",
    },
    Language {
        name: "Java",
        endings: &["java", "class", "jar"],
        interpreters: &["java"],
        flush: "System.out.flush() after each answer",
        stderr: "System.err.println(...)",
    },
    Language {
        name: "OCaml",
        endings: &["ml"],
        interpreters: &["ocaml", "ocamlrun"],
        flush: "print_endline answer, or flush stdout after each answer",
        stderr: "prerr_endline ...",
    },
    Language {
        name: "Rust",
        endings: &["rs"],
        interpreters: &[],
        flush: "io::stdout().flush() after each answer",
        stderr: "eprintln!(...)",
    },
    Language {
        name: "JavaScript",
        endings: &["js", "mjs", "ts"],
        interpreters: &["node", "deno", "bun"],
        flush: "process.stdout.write(answer + \"\\n\"), and no busy waiting after it",
        stderr: "console.error(...)",
    },
    Language {
        name: "Perl",
        endings: &["pl"],
        interpreters: &["perl"],
        flush: "$| = 1; at the top",
        stderr: "print STDERR ...",
    },
    Language {
        name: "Ruby",
        endings: &["rb"],
        interpreters: &["ruby"],
        flush: "$stdout.sync = true at the top",
        stderr: "warn ...",
    },
    Language {
        name: "a shell",
        endings: &["sh"],
        interpreters: &["sh", "bash", "dash"],
        flush: "echo does it; in a pipe put stdbuf -oL before each program",
        stderr: "echo ... >&2",
    },
];

/// Advice for an unknown language.
const ANY: Language = Language {
    name: "your language",
    endings: &[],
    interpreters: &[],
    flush: "C: fflush(stdout), C++: std::endl, Java: System.out.flush(), OCaml: print_endline, \
            Rust: io::stdout().flush(), Python: print(..., flush=True)",
    stderr: "standard error",
};

impl Language {
    /// Returns the language of a command. It is found from the interpreter, the ending of a file in
    /// the command, the first line of the program, or the source beside it.
    pub fn of(words: &[String]) -> Language {
        let first = words.first().map_or("", String::as_str);
        let by_interpreter = || by_interpreter(first);
        let by_files = || words.iter().find_map(|word| by_ending(Path::new(word)));
        let found = by_interpreter().or_else(by_files).or_else(|| by_first_line(first));
        found.or_else(|| by_source(Path::new(first))).unwrap_or(ANY)
    }
}

fn by_interpreter(word: &str) -> Option<Language> {
    let stem = Path::new(word).file_name()?.to_string_lossy().into_owned();
    // `python3.11` is the interpreter `python`.
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES.iter().find(|language| language.interpreters.contains(&stem)).copied()
}

fn by_ending(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_str()?;
    LANGUAGES.iter().find(|language| language.endings.contains(&ending)).copied()
}

/// Returns the language of a first line such as `#!/usr/bin/env python3`.
fn by_first_line(program: &str) -> Option<Language> {
    let mut text = Vec::new();
    // Enough for a `#!` line, and a large binary is not read whole.
    files::open(program).ok()?.take(100).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next()?.strip_prefix("#!")?;
    line.split_whitespace().find_map(by_interpreter)
}

/// Returns the language of a source beside the program: `bot.c` for `bot`, Rust for any path
/// through `target`.
fn by_source(program: &Path) -> Option<Language> {
    let is_cargos = program.components().any(|part| part.as_os_str() == "target");
    if is_cargos {
        return by_ending(Path::new("main.rs"));
    }
    let beside = |ending: &&str| -> PathBuf { program.with_extension(ending) };
    let has_source = |language: &&Language| language.endings.iter().any(|e| beside(e).is_file());
    LANGUAGES.iter().find(has_source).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_found_from_the_command() {
        let cases = [
            ("python3 bot", "Python"),
            ("/usr/bin/python3.11 -u x", "Python"),
            ("java Bot", "Java"),
            ("./bot.py", "Python"),
            ("./target/release/bot", "Rust"),
            ("../../scripts/same.sh", "a shell"),
            ("../../.ci/run", "a shell"),
            ("./nothing", "your language"),
        ];
        for (command, name) in cases {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(Language::of(&words).name, name, "{command}");
        }
    }
}
