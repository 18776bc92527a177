//! Training of the linear evaluation by logistic regression.

use super::adam::Adam;
use super::logistic::sigmoid;
use super::pass_over;
use super::records::Record;
use crate::awele::best::evaluation::{features, Linear, FEATURES};
use arbitre_games::rng::Rng;

/// Rate of the first step, in units of log-odds. Not tuned.
const RATE: f32 = 0.02;

/// Trains for `epochs` passes. Passes the mean error of each to `report`.
pub fn train(
    records: &mut [Record],
    epochs: usize,
    rng: &mut Rng,
    report: impl FnMut(usize, f64),
) -> Linear {
    let mut weights = vec![0.0f32; FEATURES + 1];
    let mut gradient = vec![0.0f32; FEATURES + 1];
    let mut adam = Adam::new(FEATURES + 1);
    let learn = |batch: &[Record], rate: f32| {
        let mut sum = 0.0;
        for record in batch {
            let active = features(record.board);
            let value = weights[FEATURES] + active.iter().map(|&at| weights[at]).sum::<f32>();
            let error = sigmoid(value) - record.target();
            sum += f64::from(error * error);
            active.iter().for_each(|&at| gradient[at] += error / batch.len() as f32);
            gradient[FEATURES] += error / batch.len() as f32;
        }
        adam.step(&mut weights, &mut gradient, rate);
        sum
    };
    pass_over(records, epochs, RATE, rng, learn, report);
    let whole = |weight: f32| (weight * 100.0).round() as i16;
    let numbers: Vec<i16> = weights[..FEATURES].iter().map(|&weight| whole(weight)).collect();
    let numbers = Box::new(numbers.try_into().expect("a number for each feature"));
    Linear::new(numbers, whole(weights[FEATURES]).into())
}
