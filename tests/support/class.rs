//! Moodle's zip file of a class, by `scripts/class`.

use crate::command::{program, stderr, stdout};
use std::path::Path;
use std::process::Command;

/// Students of the class. Every third of them has a mistake.
pub const STUDENTS: usize = 25;
/// Submissions that do not start, each with a part of its reason.
pub const NOT_STARTED: [(&str, &str); 5] = [
    ("Chloé Lefèvre", "SyntaxError"),
    ("Noël Dubois", "windows.h"),
    ("Aoife O'Connor", "got rapport.pdf"),
    ("Camille Dupont", "ModuleNotFoundError"),
    ("Sacha Morel", "got tp.zip"),
];
/// Submissions that fail in games, each with its fault.
pub const FAULTY: [(&str, &str); 3] =
    [("Łukasz Nowak", "timeout"), ("Gaëlle Roux", "crash"), ("Jérôme Faure", "invalid")];
/// Submissions that do not start in the first week, and do in the second.
pub const MENDED: [&str; 2] = ["Chloé Lefèvre", "Noël Dubois"];

/// Returns `true` if a submission has a mistake.
pub fn has_mistake(name: &str) -> bool {
    NOT_STARTED.iter().chain(&FAULTY).any(|(of, _)| *of == name)
}

/// Writes the zip file of the first students in a week. Returns `false` and says why if the tools
/// of most of them are missing.
pub fn write(zip: &Path, students: usize, week: usize) -> bool {
    for tool in ["python3", "cc", "make"] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("SKIPPED: no class was written, as there is no {tool}");
            return false;
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/class");
    let mut class = Command::new("bash");
    class.arg(script).arg("--referee").arg(program("referee")).arg(zip);
    class.args(["--students", &students.to_string(), "--week", &week.to_string()]);
    let output = class.output().expect("bash can be started");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).lines().count() >= students, "{}", stdout(&output));
    eprint!("{}", stderr(&output));
    true
}
