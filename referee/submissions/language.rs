//! Languages in which one source file is a player, and the tools that build and start programs.

use crate::player::program;
use arbitre_games::text::HELP;
use arbitre_process::program::Program;
use std::path::Path;

/// Compilers and interpreters, each with the package of Debian that contains it. Builds see their
/// installations where they are no part of the system.
pub const TOOLS: [(&str, &str); 26] = [
    ("c++", "g++"),
    ("cabal", "cabal-install"),
    ("cargo", "cargo"),
    ("cc", "gcc"),
    ("clang", "clang"),
    ("cmake", "cmake"),
    ("csc", "mono-devel"),
    ("dune", "ocaml-dune"),
    ("esbuild", "esbuild or node-typescript"),
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
    ("tsc", "node-typescript"),
];

/// Language of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Ending of a source file.
    ending: &'static str,
    /// Ways to play it, the best first.
    ways: &'static [Way],
    /// Files that are added to a copy of it.
    pub added: &'static [Added],
}

/// Name and text of a file that the referee adds to the copy of a submission. The name is hidden:
/// no copy has another file of that name.
pub type Added = (&'static str, &'static str);

/// Commands for a source file. `{file}` stands for its name, and `{stem}` for that without the
/// ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Command that builds it, if it has to be built.
    build: Option<&'static str>,
    /// Command that starts it.
    start: &'static str,
}

/// Beginning of the names of added files.
pub const ADDED: &str = ".arbitre-";
/// Endings of the source files that are a player by themselves.
pub const ENDINGS: &[&str] = &["c", "cpp", "cs", "go", "java", "js", "ml", "py", "rb", "rs", "ts"];
/// Functions of CodinGame, which Node loads before a bot. The option is one word, which leaves the
/// bot the first file of the command.
const PRELUDE: Added = (".arbitre-codingame.js", include_str!("codingame.js"));
/// Types of these functions, and of Node.
const TYPES: Added = (".arbitre-codingame.d.ts", include_str!("codingame.d.ts"));

const LANGUAGES: [Language; 10] = [
    // The dialect of GNU has `getline` and `clock_gettime`, as without an option.
    language("c", &[compiled("gcc -O2 -std=gnu17 -o bot {file} -lm")]),
    language("cpp", &[compiled("g++ -O2 -std=c++17 -o bot {file}")]),
    language(
        "cs",
        &[
            Way { build: Some("mcs -optimize+ -out:bot.exe {file}"), start: "mono bot.exe" },
            Way { build: Some("csc -optimize+ -out:bot.exe {file}"), start: "mono bot.exe" },
        ],
    ),
    language("go", &[compiled("go build -o bot {file}")]),
    Language {
        ending: "js",
        ways: &[interpreted("node --require=./.arbitre-codingame.js {file}")],
        added: &[PRELUDE],
    },
    language(
        "ml",
        &[
            compiled("ocamlopt -O3 -I +unix -I +str -o bot unix.cmxa str.cmxa {file}"),
            compiled("ocamlc -I +unix -I +str -o bot unix.cma str.cma {file}"),
        ],
    ),
    language("py", &[interpreted("python3 {file}")]),
    language("rb", &[interpreted("ruby {file}")]),
    // The name of a file may be none of a crate.
    language("rs", &[compiled("rustc -O --edition 2021 --crate-name bot -o bot {file}")]),
    Language {
        ending: "ts",
        ways: &[
            Way {
                build: Some(
                    "esbuild {file} --bundle --platform=node --log-level=warning --outfile={stem}.js",
                ),
                start: "node --require=./.arbitre-codingame.js {stem}.js",
            },
            Way {
                build: Some(
                    "tsc --target es2021 --lib es2021 --module commonjs --moduleDetection force \
                     --outDir . .arbitre-codingame.d.ts {file}",
                ),
                start: "node --require=./.arbitre-codingame.js {stem}.js",
            },
        ],
        added: &[PRELUDE, TYPES],
    },
];

const fn language(ending: &'static str, ways: &'static [Way]) -> Language {
    Language { ending, ways, added: &[] }
}

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
    let stem = file.rsplit_once('.').map_or(&*file, |(stem, _)| stem);
    command.split(' ').map(|word| word.replace("{file}", &file).replace("{stem}", stem)).collect()
}

/// Returns `true` if `PATH` finds a program of this name.
pub fn is_in_path(program: &str) -> bool {
    program::find(&[program.to_owned()], &[]).is_ok()
}

/// Finds the program of a command in a folder.
///
/// # Errors
/// Returns an error if there is none, with the package of a tool.
pub fn find_program(folder: &Path, words: &[String]) -> Result<Program, String> {
    program::find_in(folder, words, &[]).map_err(|why| {
        let tool = TOOLS.iter().find(|(tool, _)| *tool == words[0] && !is_in_path(tool));
        let help = tool.map(|(_, package)| format!("{HELP}install {package}, a package of Debian"));
        format!("{why}{}", help.unwrap_or_default())
    })
}
