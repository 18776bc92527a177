//! What becomes of a game that was played: it is kept, then counted, and may decide the match.

use crate::referee::record::Record;
use crate::referee::sprt::Hypothesis;
use crate::referee::store::{StoreError, Writer};
use crate::referee::tally::Tally;
use std::collections::BTreeMap;

/// Takes the games of a match as they come in.
///
/// Under a sequential test games are kept and counted in the order of their indices, so that the
/// test ends with the same game at any concurrency: a game that came early waits until all before
/// it are there, and what was played beyond the end is forgotten.
pub struct Collector<'a> {
    store: &'a mut Writer,
    tally: Tally,
    early: BTreeMap<u64, Record>,
    next: u64,
}

impl<'a> Collector<'a> {
    /// A collector that has counted the games that the store holds.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn new(store: &'a mut Writer) -> Result<Collector<'a>, StoreError> {
        let charter = store.archive().charter();
        let mut tally = Tally::new(charter.players.len(), charter.schedule().groups().len());
        let mut next = 0;
        store.archive().for_each::<StoreError>(|record| {
            tally.add(&record);
            next = record.fixture.index + 1;
            Ok(())
        })?;
        Ok(Collector { store, tally, early: BTreeMap::new(), next })
    }

    /// The counts of all games that are kept.
    pub fn into_tally(self) -> Tally {
        self.tally
    }

    /// The hypothesis that the sequential test accepts, if there is one and it does.
    pub fn decision(&self) -> Option<Hypothesis> {
        let sprt = self.store.archive().charter().sprt?;
        sprt.verdict(sprt.llr_of_pairs(&self.tally.meetings[0].pairs))
    }

    /// Takes a game. `on_game` sees each game that is now kept and counted.
    ///
    /// # Errors
    /// If the store cannot take it.
    pub fn take(
        &mut self,
        record: Record,
        mut on_game: impl FnMut(&Record, &Tally),
    ) -> Result<(), StoreError> {
        if self.store.archive().charter().sprt.is_none() {
            return self.keep(&record, &mut on_game);
        }
        self.early.insert(record.fixture.index, record);
        while let (Some(record), None) = (self.early.remove(&self.next), self.decision()) {
            self.keep(&record, &mut on_game)?;
            self.next += 1;
        }
        Ok(())
    }

    fn keep(
        &mut self,
        record: &Record,
        on_game: &mut impl FnMut(&Record, &Tally),
    ) -> Result<(), StoreError> {
        self.store.add(record)?;
        self.tally.add(record);
        on_game(record, &self.tally);
        Ok(())
    }
}
