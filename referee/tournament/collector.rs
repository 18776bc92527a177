//! Collection of played games: each is stored, then counted, and may decide the match.

use crate::play::record::Record;
use crate::statistics::sprt::Hypothesis;
use crate::statistics::tally::Tally;
use crate::store::{StoreError, Writer};
use std::collections::{BTreeMap, HashSet};

/// Receiver of the games of a match as they finish.
///
/// A sequential test counts games in the order of their indices, not in the order of their ends.
/// It therefore does not favour short games. A game that finishes early is stored, but counted only
/// when all games before it are there. Games beyond the end are removed.
pub struct Collector<'a> {
    store: &'a mut Writer,
    tally: Tally,
    early: BTreeMap<u64, Record>,
    next: u64,
    before: ResumeState,
}

/// Content of the store before this run.
#[derive(Clone, Default, Debug)]
pub struct ResumeState {
    /// Indices of its games.
    pub games: HashSet<u64>,
    /// Numbers of the players that were started in one of these games.
    pub players: HashSet<usize>,
}

impl ResumeState {
    fn add(&mut self, record: &Record) {
        self.games.insert(record.pairing.index);
        let seated = record.pairing.players.iter().zip(&record.played.start_reports);
        self.players.extend(seated.filter(|(_, came)| came.is_some()).map(|(&player, _)| player));
    }
}

impl<'a> Collector<'a> {
    /// Creates a collector that has counted the stored games.
    ///
    /// # Errors
    /// Returns an error if the store is damaged, or if games beyond the end of a test cannot be
    /// removed.
    pub fn new(store: &'a mut Writer) -> Result<Collector<'a>, StoreError> {
        let config = store.archive().config();
        let mut tally = Tally::new(config.players.len(), config.schedule().groups().len());
        let (mut early, mut before) = (BTreeMap::new(), ResumeState::default());
        store.archive().for_each::<StoreError>(&mut |record, _| {
            before.add(&record);
            match config.sprt {
                None => tally.add(&record),
                Some(_) => drop(early.insert(record.pairing.index, record)),
            }
            Ok(())
        })?;
        let mut collector = Collector { store, tally, early, next: 0, before };
        collector.advance(&mut |_, _| {})?;
        Ok(collector)
    }

    /// Returns the content of the store before this run.
    pub fn before(&self) -> &ResumeState {
        &self.before
    }

    /// Returns the counts of all games that count.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the hypothesis that the sequential test accepts, if there is a test and it is
    /// decided.
    pub fn decision(&self) -> Option<Hypothesis> {
        let sprt = self.store.archive().config().sprt?;
        sprt.verdict(sprt.llr_of_pairs(&self.tally.head_to_heads[0].pairs))
    }

    /// Stores and counts a game. `on_game` receives each game that is now stored and counted. A
    /// void game is counted as void, but not stored: it must still be played.
    ///
    /// # Errors
    /// Returns an error if the store cannot take it.
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
        // Stored before it is counted: a game that was reported is never lost.
        self.store.add(&record)?;
        if self.store.archive().config().sprt.is_none() {
            self.tally.add(&record);
            on_game(&record, &self.tally);
            return Ok(());
        }
        self.early.insert(record.pairing.index, record);
        self.advance(&mut on_game)
    }

    /// Counts the waiting games up to the first gap, or to the decision.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::limits::PlayerLimits;
    use crate::config::{MatchConfig, OpeningSource, PlayerConfig};
    use crate::play::PlayedGame;
    use crate::registry::testing::registry;
    use crate::statistics::sprt::Sprt;
    use arbitre_games::game::Outcome;
    use arbitre_games::rng::Rng;
    use std::time::Duration;

    fn config() -> MatchConfig {
        let player = |name: &str| {
            let (name, command, dialect) = (name.into(), String::new(), "arbitre".into());
            PlayerConfig { name, command, dialect, limits: PlayerLimits::default() }
        };
        MatchConfig {
            game: "awele".into(),
            rules: String::new(),
            seats: 2,
            games: 5000,
            seed: 1,
            openings: OpeningSource::Drawn(0),
            players: vec![player("a"), player("b")],
            sprt: Some(Sprt::parse("elo0=0,elo1=40").unwrap()),
        }
    }

    /// Games of which the first player wins three in five.
    fn records(config: &MatchConfig) -> Vec<Record> {
        let schedule = config.schedule();
        let mut rng = Rng::new(3);
        let mut record = |index| {
            let pairing = schedule.pairing(index);
            let winner = usize::from(rng.below(5) >= 3);
            let scores = pairing.players.iter().map(|&who| i64::from(who == winner)).collect();
            let outcome = Some(Outcome { scores, out: Vec::new(), lower_is_better: false });
            let played = PlayedGame { outcome, ..PlayedGame::not_started(2, Vec::new()) };
            Record { pairing, setup: String::new(), played, duration: Duration::ZERO }
        };
        (0..2000).map(&mut record).collect()
    }

    /// Takes records until the test is decided. Returns the counted and the stored games.
    fn collect(config: &MatchConfig, records: &[Record]) -> (Vec<u64>, HashSet<u64>) {
        let mut store = Writer::in_memory(config, &registry()).unwrap();
        let mut counted = Vec::new();
        let mut collector = Collector::new(&mut store).unwrap();
        for record in records {
            let seen = |record: &Record, _: &Tally| counted.push(record.pairing.index);
            collector.take(record.clone(), seen).unwrap();
            if collector.decision().is_some() {
                break;
            }
        }
        assert!(collector.decision().is_some());
        let again = Collector::new(&mut store).unwrap();
        assert!(again.decision().is_some(), "the stored games decide too");
        let kept = again.before().games.clone();
        (counted, kept)
    }

    #[test]
    fn test_ends_at_the_same_game_in_any_order() {
        let config = config();
        let mut records = records(&config);
        let (counted, kept) = collect(&config, &records);
        assert_eq!(counted, (0..counted.len() as u64).collect::<Vec<_>>());
        assert_eq!(kept, counted.iter().copied().collect());
        assert!(counted.len() > 100 && counted.len() < 1900, "{}", counted.len());
        let mut rng = Rng::new(4);
        records.chunks_mut(60).for_each(|games| rng.shuffle(games));
        assert_eq!(collect(&config, &records), (counted, kept));
    }

    /// A slow game delays the counts of later games, but not their storage.
    #[test]
    fn early_game_is_stored_at_once() {
        let config = config();
        let records = records(&config);
        let mut store = Writer::in_memory(&config, &registry()).unwrap();
        let mut collector = Collector::new(&mut store).unwrap();
        for record in &records[1..10] {
            collector.take(record.clone(), |_, _| panic!("game 0 is not there")).unwrap();
        }
        assert_eq!(store.archive().count().unwrap(), 9);
        let mut counted = 0;
        let mut collector = Collector::new(&mut store).unwrap();
        collector.take(records[0].clone(), |_, _| counted += 1).unwrap();
        assert_eq!(counted, 10, "after a resume too");
    }
}
