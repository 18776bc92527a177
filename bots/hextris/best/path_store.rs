//! The letters that led to the boards of the beam, a unit's at a time; boards of one descent share them.

/// The number of a step.
pub type StepId = u32;
/// The step before the first.
pub const START: StepId = u32::MAX;

/// A unit's letters, and the step before.
struct PathStep {
    before: StepId,
    text: Box<[u8]>,
}

/// The steps of all paths.
pub struct PathStore {
    steps: Vec<PathStep>,
    /// Bytes that are kept, and how many are worth a look for steps that lead nowhere.
    bytes: usize,
    enough: usize,
}

/// So many bytes are kept without a look at them.
const FEW: usize = 1 << 23;
/// What a step takes beside its letters.
const STEP: usize = 48;

impl Default for PathStore {
    fn default() -> PathStore {
        PathStore { steps: Vec::new(), bytes: 0, enough: FEW }
    }
}

impl PathStore {
    /// Adds a step.
    pub fn add(&mut self, before: StepId, text: Box<[u8]>) -> StepId {
        self.bytes += STEP + text.len();
        self.steps.push(PathStep { before, text });
        self.steps.len() as StepId - 1
    }

    /// The letters up to the end of a step.
    pub fn text(&self, mut at: StepId) -> Vec<u8> {
        let mut parts = Vec::new();
        while at != START {
            let step = &self.steps[at as usize];
            parts.push(&step.text[..]);
            at = step.before;
        }
        parts.reverse();
        parts.concat()
    }

    /// If there is much to be had, drops the steps that lead to none of these, which are numbered anew.
    pub fn sweep<'i>(&mut self, ids: impl Iterator<Item = &'i mut StepId>) {
        if self.bytes <= self.enough {
            return;
        }
        let ids: Vec<&mut StepId> = ids.collect();
        let mut renamed = vec![START; self.steps.len()];
        for id in &ids {
            let mut at = **id;
            while at != START && renamed[at as usize] == START {
                renamed[at as usize] = 0;
                at = self.steps[at as usize].before;
            }
        }
        let old = std::mem::take(&mut self.steps);
        self.bytes = 0;
        for (number, step) in old.into_iter().enumerate() {
            if renamed[number] != START {
                let before = renamed.get(step.before as usize).copied().unwrap_or(START);
                renamed[number] = self.add(before, step.text);
            }
        }
        for id in ids.into_iter().filter(|id| **id != START) {
            *id = renamed[*id as usize];
        }
        self.enough = FEW.max(2 * self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;

    /// A tree that grows at random, beside the texts that lead to its leaves.
    #[test]
    fn what_leads_somewhere_outlives_a_sweep() {
        let mut rng = Rng::new(3);
        let mut paths = PathStore::default();
        let mut leaves = vec![(START, Vec::new())];
        for round in 0..200 {
            let (before, text): (StepId, Vec<u8>) = leaves[rng.below(leaves.len())].clone();
            let part: Vec<u8> = (0..rng.below(5)).map(|_| rng.below(256) as u8).collect();
            let id = paths.add(before, part.clone().into());
            leaves.push((id, [text, part].concat()));
            if leaves.len() > 8 {
                leaves.remove(rng.below(8));
            }
            if round % 10 == 9 {
                paths.enough = 0;
                paths.sweep(leaves.iter_mut().map(|leaf| &mut leaf.0));
                let mut led = std::collections::HashSet::new();
                for &(mut at, _) in &leaves {
                    while at != START && led.insert(at) {
                        at = paths.steps[at as usize].before;
                    }
                }
                assert_eq!(paths.steps.len(), led.len());
            }
            for (id, text) in &leaves {
                assert_eq!(paths.text(*id), *text);
            }
        }
    }
}
