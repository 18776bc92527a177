//! Programs that change while a tournament runs: each change begins a new version.

use crate::player::digest::ProgramFiles;
use std::sync::{Mutex, MutexGuard};

/// Observer of the programs of a tournament.
pub struct VersionWatch {
    players: Mutex<Vec<Watched>>,
}

struct Watched {
    /// Files of the program; none for a player that is no program of its own.
    files: Option<ProgramFiles>,
    /// Number of changes so far.
    revision: u64,
}

impl VersionWatch {
    /// Creates an observer of these programs, one per player.
    pub fn new(files: Vec<Option<ProgramFiles>>) -> VersionWatch {
        let watched = files.into_iter().map(|files| Watched { files, revision: 0 });
        VersionWatch { players: Mutex::new(watched.collect()) }
    }

    /// Looks for changes of these players, and passes each changed one with its new digest to
    /// `on_change`. Nothing else happens to versions meanwhile.
    pub fn look(&self, players: &[usize], mut on_change: impl FnMut(usize, String)) {
        let mut watched = self.watched();
        for &player in players {
            let one = &mut watched[player];
            if let Some(digest) = one.files.as_mut().and_then(ProgramFiles::new_digest) {
                one.revision += 1;
                on_change(player, digest);
            }
        }
    }

    /// Returns the number of changes of each of these players.
    pub fn revisions(&self, players: &[usize]) -> Vec<u64> {
        let watched = self.watched();
        players.iter().map(|&player| watched[player].revision).collect()
    }

    /// Runs `act` if these players have not changed since `revisions`.
    pub fn if_unchanged(&self, players: &[usize], revisions: &[u64], act: impl FnOnce()) {
        let watched = self.watched();
        if players
            .iter()
            .zip(revisions)
            .all(|(&player, &before)| watched[player].revision == before)
        {
            act();
        }
    }

    fn watched(&self) -> MutexGuard<'_, Vec<Watched>> {
        self.players.lock().expect("no thread panics while it holds the lock")
    }
}
