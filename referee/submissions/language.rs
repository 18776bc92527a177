//! Languages in which one source file is a player, and the tools that build and start programs.

use crate::player::program::Program;
use arbitre_games::text::HELP;
use std::path::Path;

/// Compilers and interpreters, each with the package of Debian that contains it. Builds see their
/// installations where they are no part of the system.
pub const TOOLS: [(&str, &str); 24] = [
    ("c++", "g++"),
    ("cabal", "cabal-install"),
    ("cargo", "cargo"),
    ("cc", "gcc"),
    ("clang", "clang"),
    ("cmake", "cmake"),
    ("csc", "mono-devel"),
    ("dune", "ocaml-dune"),
    ("g++", "g++"),
    ("gcc", "gcc"),
    ("ghc", "ghc"),
    ("go", "golang-go"),
    ("java", "default-jre-headless"),
    ("javac", "default-jdk-headless"),
    ("make", "make"),
    ("mcs", "mono-mcs"),
    ("mono", "mono-runtime"),
    ("node", "nodejs"),
    ("ocamlc", "ocaml-nox"),
    ("ocamlfind", "ocaml-findlib"),
    ("ocamlopt", "ocaml-nox"),
    ("python3", "python3"),
    ("ruby", "ruby"),
    ("rustc", "rustc"),
];

/// Language of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Ending of a source file.
    ending: &'static str,
    /// Ways to play it, the best first.
    ways: &'static [Way],
}

/// Commands for a source file, for which `{file}` stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Command that builds it, if it has to be built.
    build: Option<&'static str>,
    /// Command that starts it.
    start: &'static str,
}

const LANGUAGES: [Language; 9] = [
    // The dialect of GNU has `getline` and `clock_gettime`, as without an option.
    Language { ending: "c", ways: &[compiled("gcc -O2 -std=gnu17 -o bot {file} -lm")] },
    Language { ending: "cpp", ways: &[compiled("g++ -O2 -std=c++17 -o bot {file}")] },
    Language {
        ending: "cs",
        ways: &[
            Way { build: Some("mcs -optimize+ -out:bot.exe {file}"), start: "mono bot.exe" },
            Way { build: Some("csc -optimize+ -out:bot.exe {file}"), start: "mono bot.exe" },
        ],
    },
    Language { ending: "go", ways: &[compiled("go build -o bot {file}")] },
    Language { ending: "js", ways: &[interpreted("node {file}")] },
    Language {
        ending: "ml",
        ways: &[
            compiled("ocamlopt -O3 -I +unix -I +str -o bot unix.cmxa str.cmxa {file}"),
            compiled("ocamlc -I +unix -I +str -o bot unix.cma str.cma {file}"),
        ],
    },
    Language { ending: "py", ways: &[interpreted("python3 {file}")] },
    Language { ending: "rb", ways: &[interpreted("ruby {file}")] },
    // The name of a file may be none of a crate.
    Language {
        ending: "rs",
        ways: &[compiled("rustc -O --edition 2021 --crate-name bot -o bot {file}")],
    },
];

const fn compiled(build: &'static str) -> Way {
    Way { build: Some(build), start: "./bot" }
}

const fn interpreted(start: &'static str) -> Way {
    Way { build: None, start }
}

impl Language {
    /// Returns the language of a source file.
    pub fn of(file: &Path) -> Option<&'static Language> {
        let ending = file.extension()?;
        LANGUAGES.iter().find(|language| ending == language.ending)
    }

    /// Returns the first way whose tools are installed, else the first.
    pub fn way(&self) -> &'static Way {
        self.ways.iter().find(|way| way.is_installed()).unwrap_or(&self.ways[0])
    }
}

impl Way {
    /// Returns the command that builds a file, if it has to be built.
    pub fn build(&self, file: &str) -> Option<Vec<String>> {
        self.build.map(|command| words(command, file))
    }

    /// Returns the command that starts a file, or what was built from it.
    pub fn start(&self, file: &str) -> Vec<String> {
        words(self.start, file)
    }

    fn is_installed(&self) -> bool {
        let programs = [self.build, Some(self.start)].into_iter().flatten();
        let mut programs = programs.filter_map(|command| command.split(' ').next());
        programs.all(|program| program.contains('/') || is_in_path(program))
    }
}

/// Returns the words of a command for a file.
fn words(command: &str, file: &str) -> Vec<String> {
    // Tools take other names for options, or for files with options.
    let is_plain = file.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let file = if is_plain { file.to_owned() } else { format!("./{file}") };
    command.split(' ').map(|word| word.replace("{file}", &file)).collect()
}

fn is_in_path(program: &str) -> bool {
    Program::find(&[program.to_owned()], &[]).is_ok()
}

/// Finds the program of a command in a folder.
///
/// # Errors
/// Returns an error if there is none, with the package of a tool.
pub fn find_program(folder: &Path, words: &[String]) -> Result<Program, String> {
    Program::find_in(folder, words, &[]).map_err(|why| {
        let tool = TOOLS.iter().find(|(tool, _)| *tool == words[0] && !is_in_path(tool));
        let help = tool.map(|(_, package)| format!("{HELP}install {package}, a package of Debian"));
        format!("{why}{}", help.unwrap_or_default())
    })
}
