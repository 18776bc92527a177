//! Cost of a piece of work.

use std::time::{Duration, Instant};

/// Cost of playing.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Number of games.
    pub games: u64,
    /// Number of moves.
    pub moves: u64,
    /// Wall time.
    pub wall: Duration,
    /// Resources used by this process.
    pub own: Usage,
    /// Resources used by its children.
    pub children: Usage,
}

/// Resource usage, as the system accounts for it.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    cpu: Duration,
    voluntary_switches: u64,
}

impl Cost {
    /// Measures `work`. Children count once they have been waited for.
    pub fn of<T>(work: impl FnOnce() -> T) -> (Cost, T) {
        let before = (usage(libc::RUSAGE_SELF), usage(libc::RUSAGE_CHILDREN), Instant::now());
        let value = work();
        let wall = before.2.elapsed();
        let own = usage(libc::RUSAGE_SELF).since(before.0);
        let children = usage(libc::RUSAGE_CHILDREN).since(before.1);
        (Cost { games: 0, moves: 0, wall, own, children }, value)
    }

    /// Returns the CPU time per move of the referee and the bots, in microseconds.
    pub fn cpu_per_move(&self) -> f64 {
        self.per_move((self.own.cpu + self.children.cpu).as_secs_f64() * 1e6)
    }

    /// Returns the CPU time per move of the referee alone, in microseconds.
    pub fn own_cpu_per_move(&self) -> f64 {
        self.per_move(self.own.cpu.as_secs_f64() * 1e6)
    }

    /// Returns the referee's share of the CPU time.
    pub fn own_share(&self) -> f64 {
        self.own_cpu_per_move() / self.cpu_per_move()
    }

    /// Returns the number of voluntary context switches of the referee per move.
    pub fn own_switches_per_move(&self) -> f64 {
        self.per_move(self.own.voluntary_switches as f64)
    }

    /// Returns the number of voluntary context switches of the bots per move.
    pub fn bots_switches_per_move(&self) -> f64 {
        self.per_move(self.children.voluntary_switches as f64)
    }

    /// Returns the number of moves per second.
    pub fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.wall.as_secs_f64()
    }

    /// Returns the number of games per second.
    pub fn games_per_second(&self) -> f64 {
        self.games as f64 / self.wall.as_secs_f64()
    }

    fn per_move(&self, value: f64) -> f64 {
        value / self.moves as f64
    }
}

impl Usage {
    fn since(self, before: Usage) -> Usage {
        Usage {
            cpu: self.cpu - before.cpu,
            voluntary_switches: self.voluntary_switches - before.voluntary_switches,
        }
    }
}

#[allow(unsafe_code)]
fn usage(who: libc::c_int) -> Usage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills the structure at the pointer, which is also valid if it stays zeroed.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Usage {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        voluntary_switches: usage.ru_nvcsw as u64,
    }
}
