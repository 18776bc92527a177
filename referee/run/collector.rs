//! Collection of played games: each is stored, then counted, and may decide the match.

use crate::config::Contest;
use crate::formats::stages::Stages;
use crate::play::pairing::GameId;
use crate::play::record::{Details, GameResult, Record};
use crate::statistics::sprt::{Sprt, TestEnd};
use crate::statistics::tally::Tally;
use crate::store::{Archive, Order, StoreError, Versions, View, Writer};
use std::collections::{BTreeMap, HashSet};

/// Number of games that may begin beyond the last that a sequential test has counted. Those that
/// are over wait in memory. Not tuned.
pub const TEST_WINDOW: u64 = 1000;

/// Receiver of the games of a match as they finish.
pub struct Collector {
    /// The store.
    pub(super) store: Writer,
    count: OrderedCount,
    /// Stored games of the current versions.
    played: HashSet<GameId>,
}

/// Counts of a match.
///
/// A sequential test counts games in the order of the schedule, not in the order of their ends. It
/// therefore does not favour short games. A game that finishes early is stored, but counted only
/// when all games before it are there.
struct OrderedCount {
    sprt: Option<Sprt>,
    tally: Tally,
    /// Games of a test that are not counted yet, by their index in the group.
    early: BTreeMap<u64, Counted>,
    next: u64,
}

/// Game that can be counted.
struct Counted {
    result: GameResult,
    details: Details,
    /// Record of a game that was played now.
    record: Option<Record>,
}

impl OrderedCount {
    fn new(config: &Contest) -> OrderedCount {
        let (sprt, tally) = (config.sprt, tally_for(config));
        OrderedCount { sprt, tally, early: BTreeMap::new(), next: 0 }
    }

    fn end(&self) -> Option<TestEnd> {
        self.sprt?.end(self.tally.evidence()?)
    }

    /// Counts a game, or keeps it until all games before it are there. `on_game` receives each
    /// game that is counted now.
    fn add(&mut self, game: Counted, on_game: &mut dyn FnMut(&Record, &Tally)) {
        if self.sprt.is_none() {
            return self.count(&game, on_game);
        }
        self.early.insert(index_in_group(&game.result), game);
        while self.end().is_none() {
            let Some(game) = self.early.remove(&self.next) else { return };
            self.next += 1;
            self.count(&game, on_game);
        }
    }

    fn count(&mut self, game: &Counted, on_game: &mut dyn FnMut(&Record, &Tally)) {
        self.tally.add(&game.result, &game.details);
        if let Some(record) = &game.record {
            on_game(record, &self.tally);
        }
    }
}

impl Collector {
    /// Creates a collector that has counted the stored games, each of which `observer` receives
    /// with its setup.
    ///
    /// # Errors
    /// Returns an error if the store is damaged, or if games beyond the end of a test cannot be
    /// removed.
    pub fn new(
        store: Writer,
        observer: &mut dyn FnMut(&GameResult, &str),
    ) -> Result<Collector, StoreError> {
        let count = OrderedCount::new(store.archive().config());
        let mut collector = Collector { store, count, played: HashSet::new() };
        collector.reload(observer)?;
        Ok(collector)
    }

    /// Counts the stored games of the current versions anew.
    fn reload(&mut self, observer: &mut dyn FnMut(&GameResult, &str)) -> Result<(), StoreError> {
        let archive = self.store.archive();
        let mut count = OrderedCount::new(archive.config());
        let view = archive.view(Versions::Current);
        let mut played = HashSet::with_capacity(archive.ledger()?.games as usize);
        archive.for_each_detailed::<StoreError>(&view, Order::Number, &mut |result, details| {
            observer(&result, &details.setup);
            played.insert(result.id());
            count.add(Counted { result, details, record: None }, &mut |_, _| {});
            Ok(())
        })?;
        (self.count, self.played) = (count, played);
        self.forget_beyond_the_end()
    }

    /// Returns the stored games of the current versions.
    pub fn played(&self) -> &HashSet<GameId> {
        &self.played
    }

    /// Removes the games that do not count from the store, and counts the others anew. Of `struck`
    /// players only faults are counted.
    ///
    /// # Errors
    /// Returns an error if the store is damaged, or cannot be written.
    pub fn settle(&mut self, stages: &Stages, struck: &[usize]) -> Result<(), StoreError> {
        let archive = self.store.archive();
        let (mut tally, beyond) =
            counted(archive, &archive.view(Versions::Current), stages, struck)?;
        tally.void = self.count.tally.void;
        self.count.tally = tally;
        self.store.remove(&beyond).map(drop)
    }

    /// Takes note of players that take part no more, for which no solo instance waits.
    pub fn miss(&mut self, players: impl IntoIterator<Item = usize>) {
        players.into_iter().for_each(|player| self.count.tally.miss(player));
    }

    /// Returns the counts of all games that count.
    pub fn tally(&self) -> &Tally {
        &self.count.tally
    }

    /// Returns the number of games that a sequential test has counted.
    pub fn counted(&self) -> u64 {
        self.count.next
    }

    /// Returns the end of the sequential test, if there is a test and it has ended.
    pub fn test_end(&self) -> Option<TestEnd> {
        self.count.end()
    }

    /// Begins a new version of a player. Its earlier games are stored, but do not count any more.
    /// `observer` receives the games that count, with their setups.
    ///
    /// # Errors
    /// Returns an error if the store cannot take it.
    pub fn change(
        &mut self,
        player: usize,
        version: String,
        observer: &mut dyn FnMut(&GameResult, &str),
    ) -> Result<(), StoreError> {
        let mut contest = self.store.archive().config().clone();
        contest.players[player].version = version;
        self.store.extend(&contest)?;
        self.reload(observer)
    }

    /// Stores and counts a game. `on_game` receives each game that is now stored and counted. A
    /// void game is counted as void, but not stored: it must still be played.
    ///
    /// # Errors
    /// Returns an error if the store cannot take it.
    pub fn take(
        &mut self,
        mut record: Record,
        mut on_game: impl FnMut(&Record, &Tally),
    ) -> Result<(), StoreError> {
        // Stored before it is counted: a game that was reported is never lost.
        record.number = self.store.add(&record)?;
        if record.number.is_none() {
            self.count.tally.add_record(&record);
            on_game(&record, &self.count.tally);
            return Ok(());
        }
        self.played.insert(record.pairing.id());
        let (result, details) = (record.result(), record.details());
        self.count.add(Counted { result, details, record: Some(record) }, &mut on_game);
        self.forget_beyond_the_end()
    }

    /// Removes games from the store that were played beyond the end of a test.
    fn forget_beyond_the_end(&mut self) -> Result<(), StoreError> {
        if self.test_end().is_none() || self.count.early.is_empty() {
            return Ok(());
        }
        let beyond = std::mem::take(&mut self.count.early);
        for game in beyond.values() {
            self.played.remove(&game.result.id());
        }
        let numbers: Vec<u64> = beyond.values().filter_map(|game| game.result.number).collect();
        self.store.remove(&numbers).map(drop)
    }
}

fn tally_for(contest: &Contest) -> Tally {
    Tally::with_clocks(contest.clocks()).under_test(contest.evidence())
}

/// Returns the counts of the games of a view.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn tally_of(archive: &Archive, view: &View) -> Result<Tally, StoreError> {
    let mut tally = tally_for(&view.config);
    archive.for_each_detailed::<StoreError>(view, Order::Number, &mut |result, details| {
        tally.add(&result, &details);
        Ok(())
    })?;
    Ok(tally)
}

/// Returns the counts of the stored games of a tournament that count, and the numbers of those
/// beyond its end. Of games with a player that is struck only the faults count.
///
/// # Errors
/// Returns an error if the store is damaged.
pub fn counted(
    archive: &Archive,
    view: &View,
    stages: &Stages,
    struck: &[usize],
) -> Result<(Tally, Vec<u64>), StoreError> {
    let mut tally = tally_for(&view.config);
    let (counts, mut beyond) = (stages.counts(), Vec::new());
    archive.for_each_detailed::<StoreError>(view, Order::Number, &mut |result, details| {
        if !counts(&result.id()) {
            beyond.extend(result.number);
        } else if result.players.iter().any(|player| struck.contains(player)) {
            tally.add_faults(&result, &details);
        } else {
            tally.add(&result, &details);
        }
        Ok(())
    })?;
    Ok((tally, beyond))
}

fn index_in_group(game: &GameResult) -> u64 {
    game.round * game.players.len() as u64 + game.rotation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::format::FormatConfig;
    use crate::config::{Contest, OpeningSource, PlayerConfig, Seeding, Source};
    use crate::play::pairing::Pairing;
    use crate::play::PlayedGame;
    use crate::registry::testing::registry;
    use crate::statistics::sprt::Sprt;
    use arbitre_games::game::Outcome;
    use arbitre_games::rng::Rng;
    use arbitre_process::launcher::layers::Level;
    use std::time::Duration;

    fn config() -> Contest {
        let player = |name: &str| {
            let (name, dialect) = (name.into(), "arbitre".into());
            PlayerConfig { name, dialect, ..PlayerConfig::default() }
        };
        Contest {
            game: "awele".into(),
            rules: String::new(),
            external: None,
            seats: 2,
            games: 5000,
            seed: 1,
            openings: OpeningSource::Drawn(0),
            players: vec![player("a"), player("b")],
            format: FormatConfig::RoundRobin,
            sprt: Some(Sprt::parse("elo0=0,elo1=40").unwrap()),
            adjudication: None,
            shard: None,
            seeding: Seeding::default(),
            source: Source::Words,
        }
    }

    /// Games of which the first player wins three in five.
    fn records(config: &Contest) -> Vec<Record> {
        let schedule = config.schedule();
        let mut rng = Rng::new(3);
        let mut record = |pairing: Pairing| {
            let winner = usize::from(rng.below(5) >= 3);
            let scores = pairing.players.iter().map(|&who| i64::from(who == winner)).collect();
            let outcome = Some(Outcome { scores, out: Vec::new(), lower_is_better: false });
            let played = PlayedGame { outcome, ..PlayedGame::not_started(2, Vec::new()) };
            let (setup, duration) = (pairing.round.to_string(), Duration::ZERO);
            Record { number: None, pairing, setup, played, duration, sandbox: Level::None }
        };
        schedule.pairings().take(2000).map(&mut record).collect()
    }

    /// Takes records until the test is decided. Returns the counted and the stored games.
    fn collect(config: &Contest, records: &[Record]) -> (Vec<u64>, HashSet<u64>) {
        let store = Writer::in_memory(config, &registry()).unwrap();
        let mut counted = Vec::new();
        let mut collector = Collector::new(store, &mut |_, _| {}).unwrap();
        for record in records {
            let seen = |record: &Record, _: &Tally| counted.push(record.pairing.index_in_group());
            collector.take(record.clone(), seen).unwrap();
            if collector.test_end().is_some() {
                break;
            }
        }
        assert!(collector.test_end().is_some());
        let again = Collector::new(collector.store, &mut |_, _| {}).unwrap();
        assert!(again.test_end().is_some(), "the stored games decide too");
        let kept = again.played();
        let number = |id: &GameId| id.round * 2 + id.players[0] as u64;
        (counted, kept.iter().map(number).collect())
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

    #[test]
    fn games_are_read_in_either_order() {
        let config = config();
        let mut store = Writer::in_memory(&config, &registry()).unwrap();
        for record in records(&config)[..6].iter().rev() {
            store.add(record).unwrap();
        }
        let view = store.archive().view(Versions::Current);
        for (order, expected) in
            [(Order::Number, [5, 4, 3, 2, 1, 0]), (Order::Schedule, [0, 1, 2, 3, 4, 5])]
        {
            let mut games = Vec::new();
            let mut take = |game, _| -> Result<(), StoreError> {
                games.push(index_in_group(&game));
                Ok(())
            };
            store.archive().for_each_detailed(&view, order, &mut take).unwrap();
            assert_eq!(games, expected);
        }
    }

    /// A slow game delays the counts of later games, but not their storage.
    #[test]
    fn early_game_is_stored_at_once() {
        let config = config();
        let records = records(&config);
        let store = Writer::in_memory(&config, &registry()).unwrap();
        let mut collector = Collector::new(store, &mut |_, _| {}).unwrap();
        for record in &records[1..10] {
            collector.take(record.clone(), |_, _| panic!("game 0 is not there")).unwrap();
        }
        let store = collector.store;
        assert_eq!(store.archive().count().unwrap(), 9);
        let mut counted = 0;
        let mut collector = Collector::new(store, &mut |_, _| {}).unwrap();
        collector.take(records[0].clone(), |_, _| counted += 1).unwrap();
        assert_eq!(counted, 1, "the others were played before a resume");
        assert_eq!((collector.tally().games, collector.counted()), (10, 10));
    }
}
