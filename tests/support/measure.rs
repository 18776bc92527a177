//! What a piece of work costs.

use std::time::{Duration, Instant};

/// The cost of playing.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Games played.
    pub games: u64,
    /// Moves played.
    pub moves: u64,
    /// Time on the wall.
    pub wall: Duration,
    /// What this process was charged,
    pub own: Usage,
    /// and what its children were.
    pub children: Usage,
}

/// What the system charged.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    cpu: Duration,
    voluntary_switches: u64,
}

impl Cost {
    /// The cost of running `work`. Children count once they were waited for.
    pub fn of<T>(work: impl FnOnce() -> T) -> (Cost, T) {
        let before = (usage(libc::RUSAGE_SELF), usage(libc::RUSAGE_CHILDREN), Instant::now());
        let value = work();
        let wall = before.2.elapsed();
        let own = usage(libc::RUSAGE_SELF).since(before.0);
        let children = usage(libc::RUSAGE_CHILDREN).since(before.1);
        (Cost { games: 0, moves: 0, wall, own, children }, value)
    }

    /// Processor time per move, in microseconds, referee and bots together.
    pub fn cpu_per_move(&self) -> f64 {
        self.per_move((self.own.cpu + self.children.cpu).as_secs_f64() * 1e6)
    }

    /// Processor time per move, in microseconds, without the bots.
    pub fn own_cpu_per_move(&self) -> f64 {
        self.per_move(self.own.cpu.as_secs_f64() * 1e6)
    }

    /// The referee's share of the processor time.
    pub fn own_share(&self) -> f64 {
        self.own_cpu_per_move() / self.cpu_per_move()
    }

    /// How often the referee gave up the processor to wait, per move.
    pub fn own_switches_per_move(&self) -> f64 {
        self.per_move(self.own.voluntary_switches as f64)
    }

    /// How often the bots did.
    pub fn bots_switches_per_move(&self) -> f64 {
        self.per_move(self.children.voluntary_switches as f64)
    }

    /// The rate in moves.
    pub fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.wall.as_secs_f64()
    }

    /// The rate in games.
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
    // SAFETY: the call fills the structure it is given, which is valid when zeroed too.
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
