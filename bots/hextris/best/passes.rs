//! Passes of the beam through a game: what the first ones teach, the last ones use.

use super::beam::{Beam, Search};
use super::Start;
use crate::games::hextris::{Meaning, Symbol};
use crate::search::budget::Meter;

/// The first passes try how much a board should count beside points, each with this part of the budget.
const SCALES: [f64; 3] = [0.12, 0.4, 1.2];
const PILOT: f64 = 0.08;
const MOST_PASSES: usize = 6;
/// What is taken where not even the first of them comes to the end of the game.
const USUAL_SCALE: f64 = 0.4;
/// Labels of a position in these passes; later on fewer where the beam would be narrower than the first of
/// these widths, and more where it would be wider than the second.
const LABELS: usize = 3;
const WIDTHS: (f64, f64) = (8.0, 60.0);

/// Plays on from a position to the end, or until the meter says stop. Returns the letters.
pub fn solve(start: Start, search: &Search, meter: &mut Meter) -> Vec<u8> {
    let mut beam = Beam::new(start, search, LABELS);
    let (mut best, mut scale, mut width) = (0, USUAL_SCALE, 0.0);
    for pilot in SCALES {
        let until = meter.share_spent() + PILOT;
        let passed = beam.pass(pilot, until, 2.0 * PILOT, meter);
        width = passed.width / PILOT * (1.0 - SCALES.len() as f64 * PILOT);
        if !passed.is_whole {
            break;
        }
        if passed.score > best {
            (best, scale) = (passed.score, pilot);
        }
    }
    beam.labels = match width {
        narrow if narrow < WIDTHS.0 => LABELS - 1,
        wide if wide > WIDTHS.1 => 2 * LABELS,
        _ => LABELS,
    };
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
