//! Training of the network evaluation.

use super::adam::Adam;
use super::logistic::sigmoid;
use super::pass_over;
use super::records::Record;
use crate::awele::best::evaluation::characters::NUMBERS;
use crate::awele::best::evaluation::{
    features, phase, Network, Row, FEATURES, HIDDEN, ONE, ONE_OUT, PHASES,
};
use arbitre_games::rng::Rng;

/// Rate of the first step. Not tuned.
const RATE: f32 = 0.002;
/// Largest absolute value of a row's number: 14 of them fit in 16 bits.
const LARGEST: f32 = 8.0;
/// Index of the bias, and of the first output weights, in rows.
const BIAS: usize = FEATURES;
const OUT: usize = FEATURES + 1;

type FloatRow = [f32; HIDDEN];

/// Trains for `epochs` passes. Passes the mean error of each to `report`.
pub fn train(
    records: &mut [Record],
    epochs: usize,
    rng: &mut Rng,
    report: impl FnMut(usize, f64),
) -> Network {
    let mut rows = vec![[0.0f32; HIDDEN]; OUT + PHASES];
    for (number, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != BIAS) {
        // The usual scale: one over the root of the number of inputs.
        let scale = if number < BIAS { 0.25 } else { 0.18 };
        for weight in row {
            *weight = scale * (rng.below(2001) as f32 / 1000.0 - 1.0);
        }
    }
    let mut gradient = vec![[0.0f32; HIDDEN]; OUT + PHASES];
    let mut adam = Adam::new(HIDDEN * (OUT + PHASES));
    let learn = |batch: &[Record], rate: f32| {
        let mut sum = 0.0;
        for record in batch {
            let error = learn(&rows, &mut gradient, record, batch.len());
            sum += f64::from(error * error);
        }
        adam.step(rows.as_flattened_mut(), gradient.as_flattened_mut(), rate);
        let limited = rows[..BIAS].as_flattened_mut();
        limited.iter_mut().for_each(|weight| *weight = weight.clamp(-LARGEST, LARGEST));
        sum
    };
    pass_over(records, epochs, RATE, rng, learn, report);
    whole(&rows)
}

/// Adds the gradient of a record, and returns the error.
#[inline]
fn learn(rows: &[FloatRow], gradient: &mut [FloatRow], record: &Record, batch: usize) -> f32 {
    let active = features(record.board);
    let out = OUT + phase(record.board);
    let mut hidden = rows[BIAS];
    for &feature in &active {
        for (sum, weight) in hidden.iter_mut().zip(&rows[feature]) {
            *sum += weight;
        }
    }
    let clamped = hidden.map(|value| value.clamp(0.0, 1.0));
    let sum: f32 = clamped.iter().zip(&rows[out]).map(|(value, weight)| value * weight).sum();
    let error = sigmoid(sum) - record.target();
    let slope = error / batch as f32;
    let mut back = [0.0; HIDDEN];
    for at in 0..HIDDEN {
        gradient[out][at] += slope * clamped[at];
        let is_inside = hidden[at] > 0.0 && hidden[at] < 1.0;
        back[at] = if is_inside { slope * rows[out][at] } else { 0.0 };
    }
    for feature in active.into_iter().chain([BIAS]) {
        for (sum, slope) in gradient[feature].iter_mut().zip(&back) {
            *sum += slope;
        }
    }
    error
}

/// Returns the network with whole numbers.
fn whole(rows: &[FloatRow]) -> Network {
    let [least, largest] = [NUMBERS.start(), NUMBERS.end()].map(|&number| f32::from(number));
    let scaled = |row: &FloatRow, one: i16| {
        Row(row.map(|weight| (weight * f32::from(one)).round().clamp(least, largest) as i16))
    };
    let features = rows[..BIAS].iter().map(|row| scaled(row, ONE)).collect();
    let out = std::array::from_fn(|phase| scaled(&rows[OUT + phase], ONE_OUT));
    Network::new(features, scaled(&rows[BIAS], ONE), out)
}
