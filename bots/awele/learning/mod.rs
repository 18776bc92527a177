//! Learning of evaluations: positions from self-play, and training on them.

mod adam;
pub mod linear;
mod logistic;
pub mod network;
pub mod records;
pub mod selfplay;

use self::records::Record;
use arbitre_games::rng::Rng;

/// Records between two steps of the optimiser. Not tuned.
const BATCH: usize = 512;

/// Passes batches of all records in random order to `learn`, `epochs` times. The rate falls from
/// `rate` to zero. `learn` returns the sum of the squared errors, of which `report` gets the mean.
fn pass_over(
    records: &mut [Record],
    epochs: usize,
    rate: f32,
    rng: &mut Rng,
    mut learn: impl FnMut(&[Record], f32) -> f64,
    mut report: impl FnMut(usize, f64),
) {
    for epoch in 0..epochs {
        rng.shuffle(records);
        let rate = rate * (1.0 - epoch as f32 / epochs as f32);
        let error: f64 = records.chunks(BATCH).map(|batch| learn(batch, rate)).sum();
        report(epoch + 1, error / records.len() as f64);
    }
}
