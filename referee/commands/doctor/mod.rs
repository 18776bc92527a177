//! Examination of this machine for `referee doctor`: its abilities, the reasons why it has no more,
//! and requests for its administrator.
//!
//! Each part reads the machine into plain values. A pure function derives its findings from them.

mod clock;
mod files;
mod finding;
mod memory;
mod processors;
mod runtimes;
mod sandbox;
mod system;

pub use finding::{Finding, Status};
pub use system::size;

use arbitre_process::launcher::layers::Level;
use finding::Section;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// Result of an examination.
#[derive(Clone, PartialEq, Debug)]
pub struct Examination {
    /// Protection of programs.
    pub level: Level,
    sections: Vec<Section>,
}

/// Examines this machine. `executable` is the referee's own program. Takes about a second, most of
/// it for the start of the runtimes.
pub fn examine(executable: &Path) -> Examination {
    // Before the runtimes start and keep the processors busy.
    let processors = processors::Readings::here();
    let clock = clock::Readings::here();
    let memory = memory::Readings::here();
    let sandbox = sandbox::Readings::here(executable);
    let files = files::Readings::here(processors.concurrency);
    let runtimes = runtimes::Readings::here(executable, sandbox.level);
    let sections = vec![
        section("sandbox", &sandbox, sandbox.findings()),
        section("memory", &memory, memory.findings()),
        section("clock", &clock, clock.findings()),
        section("processors", &processors, processors.findings()),
        section("files", &files, files.findings()),
        section("runtimes", &runtimes, runtimes.findings()),
    ];
    Examination { level: sandbox.level, sections }
}

fn section(name: &'static str, facts: &impl Serialize, findings: Vec<Finding>) -> Section {
    let facts = serde_json::to_value(facts).unwrap_or_default();
    Section { name, facts, findings }
}

impl Examination {
    /// Returns the text for people, at most 80 columns wide except for commands.
    pub fn text(&self) -> String {
        self.sections.iter().map(Section::text).collect::<Vec<_>>().join("\n")
    }

    /// Returns the facts and findings of each section.
    pub fn document(&self) -> Value {
        let sections =
            self.sections.iter().map(|section| (section.name.into(), section.document()));
        Value::Object(sections.collect::<Map<_, _>>())
    }
}
