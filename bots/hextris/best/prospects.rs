//! What phrases promise the units of a problem, worked out once for each set of used phrases.

use super::promise::{Arrows, FirstUses, Outlook};
use super::Start;
use arbitre_games::games::hextris::{Phrases, Piece, FIRST_USE};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// With so many units to come, a first use has all the time.
const EARLY: f64 = 50.0;
/// What a first use counts changes by so much at a time.
const STEP: i32 = 10;
/// So many sets of used phrases are remembered.
const MOST: usize = 200;

/// The prospects of all units.
pub struct Prospects<'a> {
    start: Start<'a>,
    /// By period: units with as many rotations can play the same phrases in open space.
    outlooks: HashMap<usize, Arc<Outlook>>,
    /// By period and used phrases.
    arrows: HashMap<(usize, u64), Rc<Arrows>>,
    /// What the first use of a phrase counts now, and early in a game.
    first_use: i32,
    early: f64,
    promise: u32,
}

impl<'a> Prospects<'a> {
    /// Those of a game, where first uses count `early` points when there is time for them later, and a
    /// phrase that was begun so many hundredths of the part that is there.
    pub fn new(start: Start<'a>, early: f64, promise: u32) -> Prospects<'a> {
        let mut outlooks = HashMap::new();
        for piece in start.terrain.pieces() {
            let outlook = outlooks.entry(piece.period());
            outlook.or_insert_with(|| known_outlook(start.phrases, piece));
        }
        Prospects { start, outlooks, arrows: HashMap::new(), first_use: 0, early, promise }
    }

    /// What the first use of a phrase counts.
    pub fn first_use(&self) -> i32 {
        self.first_use
    }

    /// So many units are to come: the sooner the end, the more counts the first use of a phrase.
    pub fn draw_near(&mut self, left: usize) {
        let first = FIRST_USE as f64;
        let value = (first - (first - self.early) * (left as f64 / EARLY).min(1.0)) as i32;
        if (self.first_use - value).abs() >= STEP || left == 0 {
            self.first_use = value;
            self.arrows.clear();
        }
    }

    /// How a unit may write its commands where these phrases were used.
    pub fn of(&mut self, unit: usize, used: u64) -> Rc<Arrows> {
        if self.arrows.len() > MOST {
            self.arrows.clear();
        }
        let period = self.start.terrain.pieces()[unit].period();
        let firsts = FirstUses { used, points: self.first_use, promise: self.promise };
        let arrows = self.arrows.entry((period, used));
        let work_out = || self.outlooks[&period].arrows(self.start.phrases, &firsts).into();
        arrows.or_insert_with(work_out).clone()
    }
}

/// Outlooks of units of a period.
type Known = (Phrases, usize, Arc<Outlook>);
/// What is known of all games of the process: to work an outlook out takes as long as some short games have.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
/// So many are kept. There are four periods.
const MOST_KNOWN: usize = 8;

/// The outlook of a unit, worked out where it is not known.
fn known_outlook(phrases: &Phrases, piece: &Piece) -> Arc<Outlook> {
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let is_it = |(known, period, _): &Known| *period == piece.period() && known == phrases;
    if let Some((_, _, outlook)) = known.iter().find(|entry| is_it(entry)) {
        return Arc::clone(outlook);
    }
    let outlook = Arc::new(Outlook::new(phrases, piece));
    if known.len() == MOST_KNOWN {
        known.remove(0);
    }
    known.push((phrases.clone(), piece.period(), Arc::clone(&outlook)));
    outlook
}
