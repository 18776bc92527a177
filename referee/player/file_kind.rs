//! Kind of the file that a command names as its program, for advice where it cannot be executed.

use arbitre_games::files;
use std::io::Read;
use std::path::Path;

/// Number of bytes at the start of a file that show its kind: a first line, or the header of a
/// program.
const START: usize = 256;

/// Interpreters by the ending of their files.
const INTERPRETERS: [(&str, &str); 12] = [
    ("R", "Rscript"),
    ("bash", "bash"),
    ("jl", "julia"),
    ("js", "node"),
    ("lua", "lua"),
    ("mjs", "node"),
    ("php", "php"),
    ("pl", "perl"),
    ("py", "python3"),
    ("pyz", "python3"),
    ("rb", "ruby"),
    ("sh", "sh"),
];
/// Endings of sources that have to be compiled.
const SOURCES: [&str; 9] = ["c", "cc", "cpp", "cxx", "go", "java", "ml", "rs", "zig"];
/// Machines by their number in the header of a program (`e_machine` of ELF).
const MACHINES: [(u8, &str); 5] =
    [(3, "x86"), (40, "arm"), (62, "x86_64"), (183, "aarch64"), (243, "riscv64")];

/// Kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// File without content.
    Empty,
    /// Script with an interpreter in its first line.
    Script,
    /// Script whose first line ends in CR LF. The CR then belongs to the name of the interpreter.
    CrLfScript,
    /// Program of this machine.
    Program,
    /// Program of another system or machine.
    Foreign(&'static str),
    /// Java archive.
    Jar,
    /// Compiled class of Java.
    Class,
    /// Text or data that this interpreter reads, judged by its ending.
    Interpreted(&'static str),
    /// Source that has to be compiled.
    Source,
    /// Any other file.
    Unknown,
}

impl FileKind {
    /// Returns the kind of a file; `Unknown` if it cannot be read.
    pub fn of(path: &Path) -> FileKind {
        let mut start = Vec::new();
        let file = files::open(path).map(|file| file.take(START as u64));
        if file.and_then(|mut file| file.read_to_end(&mut start)).is_err() {
            return FileKind::Unknown;
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let interpreter = INTERPRETERS.iter().find(|(known, _)| *known == ending);
        match &start[..] {
            [b'#', b'!', line @ ..] => {
                let end = line.iter().position(|&byte| byte == b'\n');
                match end.is_some_and(|end| line[..end].ends_with(b"\r")) {
                    true => FileKind::CrLfScript,
                    false => FileKind::Script,
                }
            }
            [0x7f, b'E', b'L', b'F', ..] => match start.get(18).map(machine) {
                Some(machine) if machine != std::env::consts::ARCH => FileKind::Foreign(machine),
                _ => FileKind::Program,
            },
            [b'P', b'K', 3, 4, ..] if ending != "pyz" => FileKind::Jar,
            [0xca, 0xfe, 0xba, 0xbe, ..] => FileKind::Class,
            [b'M', b'Z', ..] => FileKind::Foreign("Windows"),
            [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => FileKind::Foreign("macOS"),
            _ if SOURCES.contains(&ending) => FileKind::Source,
            start => match interpreter {
                Some((_, interpreter)) => FileKind::Interpreted(interpreter),
                None if start.is_empty() => FileKind::Empty,
                None => FileKind::Unknown,
            },
        }
    }

    /// Returns the kind in a few words, if they help, and advice on a file that cannot be executed.
    /// The command names it as `word`; `is_executable` is whether it has the right.
    pub fn advice(self, word: &str, is_executable: bool) -> (String, String) {
        let quoted = shell_words::quote(word);
        let run = |interpreter: &str| format!("name its interpreter: \"{interpreter} {quoted}\"");
        let chmod = || format!("write chmod +x {quoted}");
        let (what, advice) = match self {
            FileKind::Empty => ("an empty file", "compile or copy it again".into()),
            FileKind::CrLfScript => {
                ("a script with line ends of Windows", format!("write sed -i 's/\\r$//' {quoted}"))
            }
            FileKind::Foreign(of) => {
                let what = format!("a program for {of}");
                return (what, "build it for this machine".into());
            }
            FileKind::Jar => ("a Java archive", run("java -jar")),
            FileKind::Class => {
                let path = Path::new(word);
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new(".")).to_string_lossy();
                let class = path.file_stem().unwrap_or_default().to_string_lossy();
                let folder = shell_words::quote(&folder);
                ("a class of Java", format!("write \"java -cp {folder} {class}\""))
            }
            FileKind::Source => {
                ("a source", "compile it, and name the program that results".into())
            }
            FileKind::Interpreted(interpreter) if is_executable => {
                let line = format!("begin it with #!/usr/bin/env {interpreter}");
                ("", format!("{line}, or {}", run(interpreter)))
            }
            FileKind::Interpreted(interpreter) => {
                ("", format!("{}, or {}", chmod(), run(interpreter)))
            }
            FileKind::Script | FileKind::Program if is_executable => {
                ("", "it may be damaged: build or copy it again".into())
            }
            FileKind::Unknown if is_executable => {
                ("", "begin a script with its interpreter, such as #!/usr/bin/env python3".into())
            }
            FileKind::Script | FileKind::Program | FileKind::Unknown => ("", chmod()),
        };
        (what.into(), advice)
    }
}

/// Returns the name of a machine, as the compiler names it.
fn machine(number: &u8) -> &'static str {
    MACHINES.iter().find(|(known, _)| known == number).map_or("another machine", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Returns the kind of a file of this name and content.
    fn kind(name: &str, content: &[u8]) -> FileKind {
        let folder = std::env::temp_dir().join(format!("file kinds {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        let kind = FileKind::of(&path);
        fs::remove_file(path).unwrap();
        kind
    }

    fn elf(machine: u8) -> Vec<u8> {
        let mut header = b"\x7fELF\x02\x01\x01".to_vec();
        header.resize(18, 0);
        header.extend([machine, 0]);
        header
    }

    #[test]
    fn kind_is_read_from_the_file() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(FileKind::of(&own), FileKind::Program);
        assert_eq!(FileKind::of(Path::new("/no/such")), FileKind::Unknown);
        let foreign = if cfg!(target_arch = "aarch64") { (62, "x86_64") } else { (183, "aarch64") };
        for (name, content, expected) in [
            ("bot", &b""[..], FileKind::Empty),
            ("bot.py", b"", FileKind::Interpreted("python3")),
            ("bot.py", b"print(1)", FileKind::Interpreted("python3")),
            ("run.sh", b"echo 1", FileKind::Interpreted("sh")),
            ("run.sh", b"#!/bin/sh\necho 1\r\n", FileKind::Script),
            ("run.sh", b"#!/bin/sh\r\necho 1\r\n", FileKind::CrLfScript),
            ("run.sh", b"#!/bin/sh", FileKind::Script),
            ("bot.jar", b"PK\x03\x04...", FileKind::Jar),
            ("bot", b"PK\x03\x04...", FileKind::Jar),
            ("bot.pyz", b"PK\x03\x04...", FileKind::Interpreted("python3")),
            ("Bot.class", b"\xca\xfe\xba\xbe\0", FileKind::Class),
            ("bot.exe", b"MZ\x90", FileKind::Foreign("Windows")),
            ("bot", b"\xcf\xfa\xed\xfe\x07", FileKind::Foreign("macOS")),
            ("bot", &elf(foreign.0), FileKind::Foreign(foreign.1)),
            ("bot", &elf(99), FileKind::Foreign("another machine")),
            ("bot.cpp", b"int main(){}", FileKind::Source),
            ("bot", b"\x01\x02", FileKind::Unknown),
        ] {
            assert_eq!(kind(name, content), expected, "{name}: {content:?}");
        }
    }

    #[test]
    fn advice_fits_the_file() {
        for (kind, word, is_executable, advice) in [
            (
                FileKind::Interpreted("sh"),
                "./run.sh",
                false,
                "chmod +x ./run.sh, or name its interpreter: \"sh ./run.sh\"",
            ),
            (
                FileKind::Interpreted("python3"),
                "./a b.py",
                true,
                "#!/usr/bin/env python3, or name its interpreter: \"python3 './a b.py'\"",
            ),
            (FileKind::Jar, "./bot.jar", false, "\"java -jar ./bot.jar\""),
            (FileKind::Class, "./out/Bot.class", true, "\"java -cp ./out Bot\""),
            (FileKind::Class, "Bot.class", true, "\"java -cp . Bot\""),
            (FileKind::Script, "./run", false, "write chmod +x ./run"),
            (FileKind::CrLfScript, "./run", true, "sed -i 's/\\r$//' ./run"),
            (FileKind::Foreign("aarch64"), "./bot", true, "build it for this machine"),
            (FileKind::Empty, "./bot", true, "compile or copy it again"),
        ] {
            let (_, told) = kind.advice(word, is_executable);
            assert!(told.contains(advice), "{kind:?}: {told}");
            assert!(told.contains("python") == advice.contains("python"), "{told}");
        }
    }
}
