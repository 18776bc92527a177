//! Axes between round numbers.

/// Mapping from values to places on an axis, whose ends are round numbers.
pub struct Scale {
    low: f64,
    high: f64,
    step: f64,
    ends: [f64; 2],
}

impl Scale {
    /// Creates a scale of about `ticks` steps that contains all values. Its ends lie at these
    /// places. Returns `None` without a finite value.
    pub fn of(values: impl Iterator<Item = f64>, ticks: f64, ends: [f64; 2]) -> Option<Scale> {
        let bounds = values.filter(|value| value.is_finite()).fold(None, |bounds, value| {
            let (low, high) = bounds.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        });
        let (low, high): (f64, f64) = bounds?;
        // Equal values get a margin on both sides, which puts them in the middle.
        let margin = if low == high { low.abs().max(1.0) / 10.0 } else { 0.0 };
        let (low, high) = (low - margin, high + margin);
        let step = round_up((high - low) / ticks);
        Some(Scale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
            ends,
        })
    }

    /// Returns the place of a value. Values outside the scale are at its ends.
    pub fn at(&self, value: f64) -> f64 {
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.ends[0] + part * (self.ends[1] - self.ends[0])
    }

    /// Returns the places of the grid lines, with their values.
    pub fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let count = ((self.high - self.low) / self.step).round() as usize;
        (0..=count).map(move |tick| {
            // Adding zero turns -0 into 0.
            let value = (self.low / self.step + tick as f64).round() * self.step + 0.0;
            (self.at(value), format!("{value:.digits$}"))
        })
    }
}

/// Returns the least of 1, 2, 5 times a power of ten that is not below `value`.
pub fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    // A rounding error does not lead to the next step.
    steps.into_iter().find(|step| *step >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_ends_are_round_numbers() {
        for (values, expected) in [
            (&[3.0, 97.0][..], (0.0, 100.0, 20.0)),
            (&[0.31, f64::NAN, 0.52], (0.3, 0.55, 0.05)),
            (&[-7.0, 12.0], (-10.0, 15.0, 5.0)),
            (&[5.0, f64::INFINITY, 5.0], (4.4, 5.6, 0.2)),
        ] {
            let scale = Scale::of(values.iter().copied(), 6.0, [300.0, 100.0]).unwrap();
            let Scale { low, high, step, .. } = scale;
            for (found, expected) in [(low, expected.0), (high, expected.1), (step, expected.2)] {
                assert!((found - expected).abs() < 1e-9, "{values:?}: {low} {high} {step}");
            }
            let places = [low, high, 2.0 * low - high, f64::INFINITY].map(|value| scale.at(value));
            assert_eq!(places, [300.0, 100.0, 300.0, 100.0]);
        }
        assert!(Scale::of(std::iter::empty(), 6.0, [0.0, 1.0]).is_none());
    }

    #[test]
    fn ticks_have_the_digits_of_their_step() {
        let scale = Scale::of([-0.2, 0.4].into_iter(), 3.0, [0.0, 60.0]).unwrap();
        let ticks: Vec<String> = scale.ticks().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["-0.2", "0.0", "0.2", "0.4"]);
    }
}
