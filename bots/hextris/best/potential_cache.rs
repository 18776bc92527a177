//! Spelling tables of the units of a problem, computed once for each set of used phrases.

use super::phrase_potential::{FirstUseValue, PhrasePotential, SpellingTable};
use crate::hextris::start::GameStart;
use arbitre_games::games::hextris::{Phrases, Piece, FIRST_USE};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Parameters of the beam search.
#[derive(Clone)]
pub struct BeamParams {
    /// Value of the first use of a phrase early in a game, in points, when it can still come later.
    /// With 50 instead of 300, problem 16 went from 12,506 to 15,984 (2026-11-22,
    /// `bots/hextris/diary.md`).
    pub first_use: f64,
    /// Percentage of a partial phrase's first-use value that counts, in proportion to the letters
    /// played. The default is not tuned.
    pub partial_percent: u32,
    /// Potentials of phrases, shared by all searches with these parameters.
    pub potentials: Arc<PotentialStore>,
}

impl Default for BeamParams {
    fn default() -> BeamParams {
        BeamParams { first_use: 50.0, partial_percent: 60, potentials: Arc::default() }
    }
}

/// Parameters of the spelling tables. Not tuned.
struct CacheParams {
    /// Number of units to come from which the first use of a phrase has its early value,
    /// [`BeamParams::first_use`].
    early_units: f64,
    /// Least change of the value of first uses that rebuilds the tables, in points.
    least_change: i32,
    /// Most spelling tables that are kept.
    most_tables: usize,
}

const CACHE: CacheParams = CacheParams { early_units: 50.0, least_change: 10, most_tables: 200 };

/// The spelling tables of all units of a game.
pub struct PotentialCache<'a> {
    start: GameStart<'a>,
    params: BeamParams,
    /// Potentials by period: units of one period can play the same phrases in open space.
    potentials: HashMap<usize, Arc<PhrasePotential>>,
    /// Spelling tables by period and used phrases.
    spellings: HashMap<(usize, u64), Rc<SpellingTable>>,
    /// Current value of the first use of a phrase, in points.
    first_use: i32,
}

impl<'a> PotentialCache<'a> {
    /// Creates the cache of a game.
    pub fn new(start: GameStart<'a>, params: &BeamParams) -> PotentialCache<'a> {
        let mut potentials = HashMap::new();
        for piece in start.terrain.pieces() {
            let potential = potentials.entry(piece.period());
            potential.or_insert_with(|| params.potentials.get(start.text.phrases, piece));
        }
        let (params, spellings) = (params.clone(), HashMap::new());
        PotentialCache { start, params, potentials, spellings, first_use: 0 }
    }

    /// Returns the value of the first use of a phrase, in points.
    pub fn first_use(&self) -> i32 {
        self.first_use
    }

    /// Sets the number of units to come. The first use of a phrase counts more towards the end.
    pub fn set_remaining_units(&mut self, remaining_units: usize) {
        let first = FIRST_USE as f64;
        let gap = first - self.params.first_use;
        let early = (remaining_units as f64 / CACHE.early_units).min(1.0);
        let value = (first - gap * early) as i32;
        if (self.first_use - value).abs() >= CACHE.least_change || remaining_units == 0 {
            self.first_use = value;
            self.spellings.clear();
        }
    }

    /// Returns the spelling table of a unit where these phrases were used.
    pub fn of(&mut self, unit: usize, used: u64) -> Rc<SpellingTable> {
        if self.spellings.len() > CACHE.most_tables {
            self.spellings.clear();
        }
        let period = self.start.terrain.pieces()[unit].period();
        let partial_percent = self.params.partial_percent;
        let firsts = FirstUseValue { used, points: self.first_use, partial_percent };
        let spellings = self.spellings.entry((period, used));
        let phrases = self.start.text.phrases;
        let compute = || self.potentials[&period].spellings(phrases, &firsts).into();
        spellings.or_insert_with(compute).clone()
    }
}

/// Number of potentials kept: enough for two sets of phrases. A set needs one for each period of
/// units, which is their number of distinct rotations (1, 2, 3 or 6).
const MOST_KNOWN: usize = 8;

/// Potentials that searches share, as computing one takes as long as some short games.
#[derive(Default)]
pub struct PotentialStore {
    known: Mutex<Vec<(Phrases, usize, Arc<PhrasePotential>)>>,
}

impl PotentialStore {
    /// Returns the potential of a unit, and computes it if it is not known.
    fn get(&self, phrases: &Phrases, piece: &Piece) -> Arc<PhrasePotential> {
        // The lock is held while a potential is computed, so that no two threads compute the same.
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
