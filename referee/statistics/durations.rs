//! Distribution of durations.

use hdrhistogram::Histogram;
use std::ops::Deref;
use std::time::Duration;

/// Durations in microseconds, with three significant digits.
#[derive(Clone, Debug)]
pub struct Durations(Histogram<u64>);

impl Durations {
    /// Counts a duration.
    pub fn add(&mut self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.0.record(micros).expect("the histogram grows as needed");
    }
}

impl Default for Durations {
    fn default() -> Durations {
        Durations(Histogram::new(3).expect("a histogram supports 3 significant digits"))
    }
}

impl Deref for Durations {
    type Target = Histogram<u64>;

    fn deref(&self) -> &Histogram<u64> {
        &self.0
    }
}
