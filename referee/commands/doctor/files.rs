//! Open files, and the folder of stored matches.

use super::finding::Finding;
use arbitre_games::text::io_reason;
use arbitre_referee::run::descriptors::descriptors_needed;
use arbitre_referee::store::folder::FOLDER;
use arbitre_referee::store::Journal;
use rustix::fs::{access, Access};
use rustix::process::{getrlimit, Resource};
use serde::Serialize;
use std::io;
use std::path::Path;

/// Values of files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Readings {
    /// Number of games at once.
    pub concurrency: usize,
    /// Number of files that the referee may open, after it raised its limit; none without a limit.
    pub open_files: Option<u64>,
    /// Number of files that it opens at most.
    pub open_files_needed: u64,
    /// Error of a file of results here.
    pub unwritable: Option<String>,
    /// Whether results are stored with a write-ahead log.
    pub has_log: bool,
}

impl Readings {
    /// Reads this machine and the current folder.
    pub fn here(concurrency: usize) -> Readings {
        let place = Path::new(FOLDER);
        // The folder is made by the first match.
        let folder = if place.exists() { place } else { Path::new(".") };
        let unwritable = access(folder, Access::WRITE_OK | Access::EXEC_OK).err();
        let scratch = format!("doctor-{}", std::process::id());
        let reason = unwritable.map(|error| io_reason(&io::Error::from(error)));
        Readings {
            concurrency,
            open_files: getrlimit(Resource::Nofile).maximum,
            open_files_needed: descriptors_needed(concurrency),
            has_log: reason.is_none() && Journal::choose(&folder.join(scratch)) == Journal::Wal,
            unwritable: reason,
        }
    }

    /// Returns the findings.
    pub fn findings(&self) -> Vec<Finding> {
        let Readings { concurrency, open_files_needed: needed, .. } = self;
        let open = match self.open_files {
            None => Finding::ok("open files: no limit"),
            Some(limit) if limit >= *needed => Finding::ok(format!(
                "open files: up to {limit}; --concurrency {concurrency} takes up to {needed}"
            )),
            Some(limit) => Finding::missing(format!(
                "open files: up to {limit}, but --concurrency {concurrency} takes up to {needed}"
            ))
            .help(format!(
                "ask for the line '* hard nofile {needed}' in /etc/security/limits.conf, and log in \
                 again; or write a lower --concurrency"
            )),
        };
        let results = match &self.unwritable {
            Some(reason) => {
                Finding::missing(format!("results cannot be stored in {FOLDER} here: {reason}"))
                    .help("run the referee in a folder of your own, or write --db FILE")
            }
            None if self.has_log => Finding::ok(format!("results are stored in {FOLDER} here")),
            None => Finding::warning(format!(
                "results are stored in {FOLDER} here, but slowly: this file system is shared \
                 between machines, or lacks shared memory"
            ))
            .help("run the referee in a folder on a disk of this machine, or write --db FILE"),
        };
        vec![open, results]
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Status;
    use super::*;

    #[test]
    fn each_limit_has_a_remedy() {
        use Status::{Missing, Ok, Warning};
        let good = Readings {
            concurrency: 2,
            open_files: Some(1024),
            open_files_needed: 96,
            unwritable: None,
            has_log: true,
        };
        let statuses = |of: &Readings| {
            [0, 1].map(|at| (of.findings()[at].status, of.findings()[at].help.is_some()))
        };
        assert_eq!(statuses(&good), [(Ok, false); 2]);
        assert_eq!(statuses(&Readings { open_files: None, ..good.clone() }), [(Ok, false); 2]);
        let few = Readings { open_files: Some(64), ..good.clone() };
        assert_eq!(statuses(&few), [(Missing, true), (Ok, false)]);
        assert!(few.findings()[0].help.as_ref().unwrap().contains("'* hard nofile 96'"));
        let slow = Readings { has_log: false, ..good.clone() };
        assert_eq!(statuses(&slow), [(Ok, false), (Warning, true)]);
        let unwritable = Some("read-only file system".into());
        let closed = Readings { unwritable, has_log: false, ..good };
        assert_eq!(statuses(&closed), [(Ok, false), (Missing, true)]);
    }
}
