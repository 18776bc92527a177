//! What becomes of a game that was played: it is kept, then counted, and may decide the match.

use crate::referee::record::Record;
use crate::referee::sprt::Hypothesis;
use crate::referee::store::{StoreError, Writer};
use crate::referee::tally::Tally;
use std::collections::{BTreeMap, HashSet};

/// Takes the games of a match as they come in.
///
/// Under a sequential test games are counted in the order of their indices, so that the test ends
/// with the same game at any concurrency: a game that came early is kept, but waits to be counted
/// until all before it are there. What was played beyond the end is forgotten.
pub struct Collector<'a> {
    store: &'a mut Writer,
    tally: Tally,
    early: BTreeMap<u64, Record>,
    next: u64,
    before: Before,
}

/// What the store held before.
#[derive(Clone, Default, Debug)]
pub struct Before {
    /// The indices of its games.
    pub games: HashSet<u64>,
    /// The players, by their numbers, who came to the table of one of them.
    pub players: HashSet<usize>,
}

impl Before {
    fn add(&mut self, record: &Record) {
        self.games.insert(record.fixture.index);
        let seated = record.fixture.players.iter().zip(&record.played.entrances);
        self.players.extend(seated.filter(|(_, came)| came.is_some()).map(|(&player, _)| player));
    }
}

impl<'a> Collector<'a> {
    /// A collector that has counted the games that the store holds.
    ///
    /// # Errors
    /// If the store is damaged, or a test is decided and what is beyond cannot be forgotten.
    pub fn new(store: &'a mut Writer) -> Result<Collector<'a>, StoreError> {
        let charter = store.archive().charter();
        let mut tally = Tally::new(charter.players.len(), charter.schedule().groups().len());
        let (mut early, mut before) = (BTreeMap::new(), Before::default());
        store.archive().for_each::<StoreError>(|record, _| {
            before.add(&record);
            match charter.sprt {
                None => tally.add(&record),
                Some(_) => drop(early.insert(record.fixture.index, record)),
            }
            Ok(())
        })?;
        let mut collector = Collector { store, tally, early, next: 0, before };
        collector.advance(&mut |_, _| {})?;
        Ok(collector)
    }

    /// What the store held before.
    pub fn before(&self) -> &Before {
        &self.before
    }

    /// The counts of all games that count.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The hypothesis that the sequential test accepts, if there is one and it does.
    pub fn decision(&self) -> Option<Hypothesis> {
        let sprt = self.store.archive().charter().sprt?;
        sprt.verdict(sprt.llr_of_pairs(&self.tally.meetings[0].pairs))
    }

    /// Takes a game. `on_game` sees each game that is now kept and counted. A void game counts as
    /// such, but is not kept: it is still to be played.
    ///
    /// # Errors
    /// If the store cannot take it.
    pub fn take(
        &mut self,
        record: Record,
        mut on_game: impl FnMut(&Record, &Tally),
    ) -> Result<(), StoreError> {
        if record.played.outcome.is_none() {
            self.tally.add(&record);
            on_game(&record, &self.tally);
            return Ok(());
        }
        self.store.add(&record)?;
        if self.store.archive().charter().sprt.is_none() {
            self.tally.add(&record);
            on_game(&record, &self.tally);
            return Ok(());
        }
        self.early.insert(record.fixture.index, record);
        self.advance(&mut on_game)
    }

    /// Counts what was waiting, as far as there is no gap and no decision.
    fn advance(&mut self, on_game: &mut impl FnMut(&Record, &Tally)) -> Result<(), StoreError> {
        while let (Some(record), None) = (self.early.remove(&self.next), self.decision()) {
            self.tally.add(&record);
            on_game(&record, &self.tally);
            self.next += 1;
        }
        match self.decision() {
            Some(_) => self.store.forget_from(self.next),
            None => Ok(()),
        }
    }
}
