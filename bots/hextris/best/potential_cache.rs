//! What phrases promise the units of a problem, worked out once for each set of used phrases.

use super::phrase_potential::{FirstUseValue, PhrasePotential, SpellingTable};
use crate::hextris::start::GameStart;
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
pub struct PotentialCache<'a> {
    start: GameStart<'a>,
    /// By period: units with as many rotations can play the same phrases in open space.
    potentials: HashMap<usize, Arc<PhrasePotential>>,
    /// By period and used phrases.
    spellings: HashMap<(usize, u64), Rc<SpellingTable>>,
    /// What the first use of a phrase counts now, and early in a game.
    first_use: i32,
    early: f64,
    begun_percent: u32,
}

impl<'a> PotentialCache<'a> {
    /// Those of a game, where first uses count `early` points when there is time for them later, and a
    /// phrase that was begun so many hundredths of the part that is there.
    pub fn new(
        start: GameStart<'a>,
        store: &PotentialStore,
        early: f64,
        begun_percent: u32,
    ) -> PotentialCache<'a> {
        let mut potentials = HashMap::new();
        for piece in start.terrain.pieces() {
            let potential = potentials.entry(piece.period());
            potential.or_insert_with(|| store.get(start.phrases, piece));
        }
        PotentialCache {
            start,
            potentials,
            spellings: HashMap::new(),
            first_use: 0,
            early,
            begun_percent,
        }
    }

    /// What the first use of a phrase counts.
    pub fn first_use(&self) -> i32 {
        self.first_use
    }

    /// So many units are to come: the sooner the end, the more counts the first use of a phrase.
    pub fn set_remaining_units(&mut self, left: usize) {
        let first = FIRST_USE as f64;
        let value = (first - (first - self.early) * (left as f64 / EARLY).min(1.0)) as i32;
        if (self.first_use - value).abs() >= STEP || left == 0 {
            self.first_use = value;
            self.spellings.clear();
        }
    }

    /// How a unit may write its commands where these phrases were used.
    pub fn of(&mut self, unit: usize, used: u64) -> Rc<SpellingTable> {
        if self.spellings.len() > MOST {
            self.spellings.clear();
        }
        let period = self.start.terrain.pieces()[unit].period();
        let firsts =
            FirstUseValue { used, points: self.first_use, begun_percent: self.begun_percent };
        let spellings = self.spellings.entry((period, used));
        let work_out = || self.potentials[&period].spellings(self.start.phrases, &firsts).into();
        spellings.or_insert_with(work_out).clone()
    }
}

/// Number of potentials that are kept. There are four periods.
const MOST_KNOWN: usize = 8;

/// Potentials that searches share: to compute one takes as long as some short games do.
#[derive(Default)]
pub struct PotentialStore {
    known: Mutex<Vec<(Phrases, usize, Arc<PhrasePotential>)>>,
}

impl PotentialStore {
    /// Returns the potential of a unit, computed where it is not known.
    fn get(&self, phrases: &Phrases, piece: &Piece) -> Arc<PhrasePotential> {
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut same = known.iter().filter(|(_, period, _)| *period == piece.period());
        if let Some((_, _, potential)) = same.find(|(known, ..)| known == phrases) {
            return Arc::clone(potential);
        }
        let potential = Arc::new(PhrasePotential::new(phrases, piece));
        if known.len() == MOST_KNOWN {
            known.remove(0);
        }
        known.push((phrases.clone(), piece.period(), Arc::clone(&potential)));
        potential
    }
}
