//! Median of repeated measurements, for the output of benches.

/// Returns the median; the larger of two middle values.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
