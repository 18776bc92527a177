//! Counts of a tournament; the order of the games does not matter.

use crate::play::pairing::GameId;
use crate::play::record::{half_points_of, ranks_of, Details, GameResult, MoveTime, Record};
use crate::play::FaultReport;
use crate::statistics::durations::Durations;
use crate::statistics::health::Health;
use crate::statistics::ranking::{Ranking, Rankings};
use crate::statistics::rating::{Games, HalfPoints, Pairs};
use crate::statistics::solo::SoloTally;
use crate::statistics::sprt::evidence::{Evidence, GameText};
use arbitre_games::clock::Clock;
use arbitre_games::experiment::Interval;
use arbitre_process::attempts::Attempts;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

/// Least time of a move that is counted.
const SHORTEST: Duration = Duration::from_micros(1);

/// Counts of one player.
#[derive(Clone, Debug, Default)]
pub struct PlayerTally {
    /// Two-player games by result, without void games.
    pub games: Games,
    /// Number of games at each rank, the first rank first. Its length is the number of seats, or of
    /// players in solo games.
    pub places: Vec<u64>,
    /// Half points by the number of ranked players, as [`Record::half_points`] counts them.
    half_points: BTreeMap<usize, u64>,
    /// Number of faults of each kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// First fault of the player.
    pub first_fault: Option<FirstFault>,
    /// Times per move.
    pub times: Durations,
    /// CPU time used while opponents thought.
    pub stolen: Duration,
    /// CPU time of its starts, until it was ready.
    pub init: Duration,
    /// Number of these starts.
    pub starts: u32,
    /// Attempts to reach beyond its sandbox.
    pub attempts: Attempts,
}

/// First fault of a player, by the round of its game.
#[derive(Clone, Debug)]
pub struct FirstFault {
    game: GameId,
    /// Number of the game in its file; none if it is not stored.
    pub number: Option<u64>,
    /// The fault.
    pub report: FaultReport,
}

/// Counts of two players against each other, from the view of the first.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    /// Games by result.
    pub games: Games,
    /// Pairs of games by result.
    pub pairs: Pairs,
    /// Half points of the first player by round, for pairs whose second game is missing.
    waiting: HashMap<u64, HalfPoints>,
}

impl HeadToHead {
    fn add(&mut self, round: u64, half_points: HalfPoints) {
        self.games.add(half_points);
        match self.waiting.remove(&round) {
            Some(other) => self.pairs.add(half_points, other),
            None => drop(self.waiting.insert(round, half_points)),
        }
    }
}

/// Counts of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Counts of each player.
    pub players: Vec<PlayerTally>,
    /// Counts of each pair of players, in ascending order, in games of two players.
    head_to_heads: BTreeMap<[usize; 2], HeadToHead>,
    no_games: HeadToHead,
    /// Rankings of the games that count.
    pub rankings: Rankings,
    /// Additional counts of solo games.
    pub solo: SoloTally,
    /// Number of games that count.
    pub games: u64,
    /// Number of rounds up to the last with a game that counts.
    pub rounds: u64,
    /// Number of void games, in which for example a player could not be started.
    pub void: u64,
    /// Number of moves in the games that count.
    pub moves: u64,
    /// Number of games with the setup, moves and faults of an earlier one.
    pub identical: u64,
    /// Pairs of games of a sequential test of two players, if there is one.
    evidence: Option<Evidence>,
    /// Hashes of the games that were counted; `None` if identical games are counted elsewhere.
    seen: Option<HashSet<u64>>,
    /// Clock of each player, if they are known.
    clocks: Vec<Clock>,
    /// Waits of the moves in the games that count, if the clocks are known.
    pub health: Health,
}

impl Tally {
    /// Creates an empty tally.
    pub fn new(players: usize) -> Tally {
        Tally {
            players: vec![PlayerTally::default(); players],
            solo: SoloTally::new(players),
            seen: Some(HashSet::new()),
            ..Tally::default()
        }
    }

    /// Creates an empty tally of players with these clocks.
    pub fn with_clocks(clocks: Vec<Clock>) -> Tally {
        let players = clocks.len();
        Tally { clocks, ..Tally::new(players) }
    }

    /// Creates an empty tally of a stored match, whose file counts identical games.
    pub fn of_stored(clocks: Vec<Clock>) -> Tally {
        Tally { seen: None, ..Tally::with_clocks(clocks) }
    }

    /// Also adds the pairs of the first two players to `evidence`, if there is a test of them.
    pub fn under_test(self, evidence: Option<Evidence>) -> Tally {
        Tally { evidence, ..self }
    }

    /// Returns the pairs of a sequential test, if there is one.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref()
    }

    /// Counts a game with its moves.
    pub fn add_record(&mut self, record: &Record) {
        self.add(&record.result(), &record.details());
    }

    /// Counts only the faults of a game that does not count, and keeps the first ones.
    pub fn add_faults(&mut self, game: &GameResult, details: &Details) {
        for &(seat, word) in &game.faults {
            *self.players[game.players[seat.index()]].faults.entry(word).or_default() += 1;
        }
        for report in &details.faults {
            self.players[game.players[report.seat.index()]].add_report(game, report);
        }
    }

    /// Counts a game. Without its details the times of moves, the first faults, the attempts and a
    /// test are not counted.
    pub fn add(&mut self, game: &GameResult, details: &Details) {
        let seated = &game.players;
        self.add_faults(game, details);
        for (&player, attempts) in seated.iter().zip(&details.attempts) {
            self.players[player].attempts.add(attempts);
        }
        let Some(outcome) = &game.outcome else {
            self.void += 1;
            return;
        };
        self.games += 1;
        self.rounds = self.rounds.max(game.round + 1);
        self.moves += game.times.iter().map(|times| times.moves).sum::<u64>();
        for (&player, times) in seated.iter().zip(&game.times) {
            let counts = &mut self.players[player];
            counts.stolen += times.uncharged.stolen;
            counts.init += times.uncharged.init;
            counts.starts += u32::from(!times.uncharged.init.is_zero());
        }
        if let Some(seen) = &mut self.seen {
            self.identical += u64::from(!seen.insert(game.fingerprint));
        }
        let ranks = ranks_of(outcome);
        if seated.len() > 1 {
            let half_points = self.rank(seated, &ranks);
            if let [one, other] = seated[..] {
                let pair = [one.min(other), one.max(other)];
                let head_to_head = self.head_to_heads.entry(pair).or_default();
                head_to_head.add(game.round, half_points[usize::from(one > other)]);
            }
        } else if let Some((players, ranks)) = self.solo.add(game, outcome) {
            self.rank(&players, &ranks);
        }
        self.add_to_test(game, &details.setup, &ranks);
        self.add_times(seated, &details.times);
    }

    /// Adds a game to the pairs of a test.
    fn add_to_test(&mut self, game: &GameResult, setup: &str, ranks: &[usize]) {
        // Other players are earlier versions, or those of a file of others.
        let seat = match game.players[..] {
            [0, 1] => 0,
            [1, 0] => 1,
            _ => return,
        };
        if let Some(evidence) = &mut self.evidence {
            let text = GameText::new(setup, game.fingerprint);
            evidence.add_game(game.round, seat, text, half_points_of(ranks)[seat]);
        }
    }

    /// Counts the times of the moves of a game of these players, by seat.
    fn add_times(&mut self, players: &[usize], times: &[MoveTime]) {
        if !self.clocks.is_empty() {
            let clocks: Vec<&Clock> = players.iter().map(|&of| &self.clocks[of]).collect();
            self.health.add(times, &clocks);
        }
        for &MoveTime { seat, spent, .. } in times {
            self.players[players[seat.index()]].times.add(spent.max(SHORTEST));
        }
    }

    /// Takes note that a player takes part no more, so that no solo instance waits for it.
    pub fn miss(&mut self, player: usize) {
        for (players, ranks) in self.solo.miss(player) {
            self.rank(&players, &ranks);
        }
    }

    /// Returns the counts of two players against each other, from the view of the first, which must
    /// have the smaller number.
    pub fn head_to_head(&self, one: usize, other: usize) -> &HeadToHead {
        self.head_to_heads.get(&[one, other]).unwrap_or(&self.no_games)
    }

    /// Counts the ranks of these players. Returns their half points.
    fn rank(&mut self, players: &[usize], ranks: &[usize]) -> Vec<HalfPoints> {
        let half_points = half_points_of(ranks);
        self.rankings.add(Ranking::new(players, ranks));
        for (at, &player) in players.iter().enumerate() {
            self.players[player].add_game(ranks[at], half_points[at], players.len());
        }
        half_points
    }
}

impl PlayerTally {
    /// Returns the number of its games that count.
    pub fn played(&self) -> u64 {
        self.places.iter().sum()
    }

    /// Returns the points. A game gives the share of the others that rank below it, with a shared
    /// rank counted half. With two players, a win is 1 and a draw 1/2.
    pub fn points(&self) -> f64 {
        let share = |(&players, &half_points): (&usize, &u64)| {
            half_points as f64 / (2 * (players - 1).max(1)) as f64
        };
        self.half_points.iter().map(share).sum()
    }

    /// Returns the share of games with the first rank, which may be shared, with Wilson's interval.
    /// `None` without games.
    pub fn first_share(&self) -> Option<Interval> {
        let first = *self.places.first()?;
        Some(Interval::of_share(first as usize, self.played() as usize))
    }

    fn add_game(&mut self, rank: usize, half_points: HalfPoints, seats: usize) {
        self.places.resize(self.places.len().max(seats), 0);
        self.places[rank - 1] += 1;
        *self.half_points.entry(seats).or_default() += u64::from(half_points);
        if seats == 2 {
            self.games.add(half_points);
        }
    }

    fn add_report(&mut self, game: &GameResult, report: &FaultReport) {
        let id = game.id();
        if self.first_fault.as_ref().is_none_or(|earlier| id < earlier.game) {
            let (number, report) = (game.number, report.clone());
            self.first_fault = Some(FirstFault { game: id, number, report });
        }
    }
}
