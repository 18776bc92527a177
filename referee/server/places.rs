//! Places that players gained in the last hour.

use arbitre_referee::report::projector::{Looks, Ranks};
use arbitre_referee::run::room::Standings;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time over which gained places are counted.
const SPAN: Duration = Duration::from_secs(3600);
/// Time between two ranks that are kept. Not tuned.
const APART: Duration = Duration::from_secs(60);

/// Ranks of the last hour.
pub struct Places(Mutex<State>);

struct State {
    looks: Looks,
    before: Ranks,
    next: Instant,
}

impl Default for Places {
    fn default() -> Places {
        let (looks, before, next) = (Looks::over(SPAN), Ranks::new(), Instant::now());
        Places(Mutex::new(State { looks, before, next }))
    }
}

impl Places {
    /// Returns the ranks an hour ago, or as early as they are known.
    pub fn before(&self, standings: &Standings, now: Instant) -> Ranks {
        let mut state = self.0.lock().expect("no thread panics while it holds the lock");
        if now >= state.next {
            let ranks = standings.rows.iter().filter_map(|row| Some((row.name.clone(), row.rank?)));
            state.before = state.looks.add(now, ranks.collect()).clone();
            state.next = now + APART;
        }
        state.before.clone()
    }
}
