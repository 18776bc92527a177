//! Passes of the beam through a game: what the first ones teach, the last ones use.

use super::beam::{Beam, Search};
use super::Start;
use crate::games::hextris::{Meaning, Symbol};
use crate::search::budget::Meter;

/// How much a board may count beside points. The first passes try which suits the game, from the usual one
/// on. A game that is too long for them is one in which to last.
const SCALES: [f64; 7] = [0.015, 0.04, 0.12, 0.4, 1.2, 4.0, 12.0];
const USUAL: usize = 3;
const LASTING: usize = 4;
/// Each of them has this part of the budget, and there are so many at most.
const PILOT: f64 = 0.06;
const MOST_PILOTS: usize = 5;
const MOST_PASSES: usize = 6;
/// Labels of a position; fewer where the beam would be narrower than these widths, and more where it would
/// be wider.
const LABELS: usize = 3;
const NARROW: [f64; 2] = [0.6, 1.2];
const WIDE: f64 = 60.0;

/// Plays on from a position to the end, or until the meter says stop. Returns the letters.
pub fn solve(start: Start, search: &Search, meter: &mut Meter) -> Vec<u8> {
    let mut beam = Beam::new(start, search, LABELS);
    let scale = try_scales(&mut beam, meter);
    // A game that ends early leaves time for another with a wider beam.
    for _ in 0..MOST_PASSES {
        let before = meter.share_spent();
        beam.pass(scale, 1.0, 1.0, meter);
        let spent = meter.share_spent();
        if meter.stopped() || 1.0 - spent < spent - before || spent == 0.0 {
            break;
        }
    }
    finish(start, beam.text())
}

/// Finds out which scale suits the game, and how many labels the time allows.
fn try_scales(beam: &mut Beam, meter: &mut Meter) -> f64 {
    let mut scores = [None; SCALES.len()];
    let mut best = USUAL;
    for pilot in 0..MOST_PILOTS {
        let around = [best, best + 1, best.wrapping_sub(1)];
        let untried = |&scale: &usize| scores.get(scale).is_some_and(Option::is_none);
        let Some(scale) = around.into_iter().find(untried) else { break };
        let until = meter.share_spent() + PILOT;
        let passed = beam.pass(SCALES[scale], until, 2.0 * PILOT, meter);
        let left = 1.0 - meter.share_spent();
        if pilot == 0 {
            beam.labels = match passed.affordable * left {
                wide if wide > WIDE => 2 * LABELS,
                narrow => LABELS - NARROW.iter().filter(|&&width| narrow < width).count(),
            };
        }
        if !passed.is_whole || meter.stopped() {
            return SCALES[if pilot == 0 { LASTING } else { best }];
        }
        scores[scale] = Some(passed.score);
        if Some(passed.score) > scores[best] {
            best = scale;
        }
    }
    SCALES[best]
}

/// Plays what was found, and drops the units for which there was no time.
fn finish(start: Start, mut text: Vec<u8>) -> Vec<u8> {
    let mut play = start.play.clone();
    let mut is_allowed = |letter: u8| match Symbol::of(letter).meaning() {
        Meaning::Command(command) => play.play(start.terrain, command).is_ok(),
        _ => false,
    };
    let allowed = text.iter().take_while(|&&letter| is_allowed(letter)).count();
    debug_assert_eq!(allowed, text.len(), "no way breaks a rule");
    text.truncate(allowed);
    // Whoever goes down comes to no position twice.
    text.extend(DOWN.into_iter().cycle().take_while(|&letter| is_allowed(letter)));
    text
}

/// South-east and south-west.
const DOWN: [u8; 2] = *b"la";
