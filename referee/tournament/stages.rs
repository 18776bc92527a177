//! Progress of a tournament: its stages, their results, and the players that take part.
//!
//! A format computes the next stage from the complete ones. Withdrawals are decided from the games
//! in the order of the schedule. The course of a tournament therefore does not depend on
//! concurrency, on the order in which games end, or on time.

use crate::config::format::FormatConfig;
use crate::formats::{Format, History, Meeting, Placing, PlayedMeeting, PlayedStage, Stage};
use crate::pairing::schedule::GameId;
use crate::play::record::{half_points_of, ranks_of, GameResult};
use crate::statistics::ranking::{Ranking, Rankings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Number of games in a row that a player fails to start before it is withdrawn.
const FAILURES: u32 = 3;
/// Faults that count as a failure to start if the player had not moved yet.
const START_FAULTS: [&str; 4] = ["crash", "disconnect", "timeout", "not-started"];

/// Stage with its circumstances, as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredStage {
    /// Players of each meeting, its first round and its number of rounds.
    meetings: Vec<(Vec<usize>, u64, u64)>,
    /// Players with a bye.
    byes: Vec<usize>,
    /// Players that took part no more when the stage was computed.
    absent: Vec<usize>,
}

/// Result of a game.
#[derive(Clone, Debug)]
struct CountedGame {
    half_points: Vec<u64>,
    ranking: Ranking,
    /// Players that failed to start.
    failed: Vec<usize>,
}

/// Next step of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Games of the current stage are missing.
    Games,
    /// A stage begins.
    Stage(StoredStage),
    /// The tournament is over.
    End,
}

/// Stages of a tournament with their results.
pub struct Stages {
    format: Box<dyn Format>,
    seats: usize,
    /// Whether stages depend on results. If not, all of them are known from the start.
    depends_on_results: bool,
    /// Stages that have begun, or all of them.
    stages: Vec<StoredStage>,
    /// Games of the known stages, in the order of the schedule.
    games: Vec<GameId>,
    /// Index of each game.
    indices: HashMap<GameId, usize>,
    /// Index after the last game of each known stage.
    ends: Vec<usize>,
    results: HashMap<GameId, CountedGame>,
    /// Number of games from the first on that are played, or will not be.
    checked: usize,
    /// Complete stages, and whether each player takes part: it could be started, and was not
    /// withdrawn.
    history: History,
    /// Games that each player failed to start in a row.
    failures: Vec<u32>,
    /// Index of the last game of each withdrawn player.
    withdrawn: BTreeMap<usize, usize>,
    is_over: bool,
}

impl Stages {
    /// Creates the stages of a format for `players` players at tables of `seats`. `stored` are the
    /// stages that have begun, if they depend on results.
    pub fn new(
        format: Box<dyn Format>,
        config: &FormatConfig,
        players: usize,
        seats: usize,
        stored: Vec<StoredStage>,
    ) -> Stages {
        let mut stages = Stages {
            format,
            seats,
            depends_on_results: config.depends_on_results(),
            stages: Vec::new(),
            games: Vec::new(),
            indices: HashMap::new(),
            ends: Vec::new(),
            results: HashMap::new(),
            checked: 0,
            history: History { stages: Vec::new(), present: vec![true; players] },
            failures: vec![0; players],
            withdrawn: BTreeMap::new(),
            is_over: false,
        };
        let known = match config {
            _ if stages.depends_on_results => stored,
            FormatConfig::RoundRobin | FormatConfig::Gauntlet => stages.repeated(players),
            _ => stages.all(),
        };
        known.into_iter().for_each(|stage| stages.begin(stage));
        stages
    }

    /// Returns all stages of a format of equal ones. To ask the format for each of many takes long,
    /// as it looks at all earlier ones.
    fn repeated(&self, players: usize) -> Vec<StoredStage> {
        let Some(first) = self.format.next(&self.history) else { return Vec::new() };
        let games: u64 = first.meetings.iter().map(Meeting::games).sum();
        let stage = |round: u64| {
            let later = |meeting: &Meeting| Meeting { first_round: round, ..meeting.clone() };
            let meetings = first.meetings.iter().map(later).collect();
            StoredStage::new(Stage { meetings, byes: first.byes.clone() }, Vec::new())
        };
        (0..self.format.games(players).most / games.max(1)).map(stage).collect()
    }

    /// Returns all stages of a format whose stages do not depend on results.
    fn all(&self) -> Vec<StoredStage> {
        let mut history = self.history.clone();
        let mut stages = Vec::new();
        while let Some(stage) = self.format.next(&history) {
            let unplayed = |meeting: &Meeting| PlayedMeeting {
                half_points: vec![0; meeting.players.len()],
                meeting: meeting.clone(),
                rankings: Rankings::default(),
            };
            let meetings = stage.meetings.iter().map(unplayed).collect();
            history.stages.push(PlayedStage { meetings, byes: stage.byes.clone() });
            stages.push(StoredStage::new(stage, Vec::new()));
        }
        stages
    }

    fn begin(&mut self, stage: StoredStage) {
        for (groups, rounds) in stage.rounds() {
            for group in groups {
                for rotation in 0..self.seats {
                    let mut players = group.clone();
                    players.rotate_left(rotation);
                    let id = GameId { round: rounds.start, players };
                    self.indices.insert(id.clone(), self.games.len());
                    self.games.push(id);
                }
            }
        }
        self.ends.push(self.games.len());
        self.stages.push(stage);
    }

    /// Returns the stages that have begun, or all of them if they do not depend on results.
    pub fn known(&self) -> &[StoredStage] {
        &self.stages
    }

    /// Returns the number of complete stages.
    pub fn complete(&self) -> usize {
        self.history.stages.len()
    }

    /// Returns `true` if all stages are complete.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the players that were withdrawn because they failed to start.
    pub fn withdrawn(&self) -> impl Iterator<Item = usize> + '_ {
        self.withdrawn.keys().copied()
    }

    /// Counts a game. A void game does not count.
    pub fn count(&mut self, game: &GameResult) {
        let Some(outcome) = &game.outcome else { return };
        let ranks = ranks_of(outcome);
        let failed = game.faults.iter().filter(|(seat, word)| {
            START_FAULTS.contains(word) && game.times[seat.index()].moves == 0
        });
        let counted = CountedGame {
            half_points: half_points_of(&ranks).into_iter().map(u64::from).collect(),
            ranking: Ranking::new(&game.players, &ranks),
            failed: failed.map(|(seat, _)| game.players[seat.index()]).collect(),
        };
        self.results.insert(game.id(), counted);
    }

    /// Takes note that a player could not be started, so it takes part no more.
    pub fn miss(&mut self, player: usize) {
        self.history.present[player] = false;
    }

    /// Completes stages while their games are there, and returns the next step.
    pub fn advance(&mut self) -> Next {
        loop {
            self.check_games();
            let number = self.complete();
            match self.ends.get(number) {
                Some(&end) if self.checked < end => return Next::Games,
                Some(_) => {
                    let absent = self.absent_in(number);
                    let played = self.played(number, &absent);
                    self.history.stages.push(played);
                }
                None if !self.depends_on_results || self.is_over => {
                    self.is_over = true;
                    return Next::End;
                }
                None => match self.format.next(&self.history) {
                    None => self.is_over = true,
                    Some(stage) => {
                        let stage = StoredStage::new(stage, self.absent());
                        self.begin(stage.clone());
                        return Next::Stage(stage);
                    }
                },
            }
        }
    }

    /// Follows the games in order, up to the first that is missing and may still be played.
    /// Withdraws players that failed to start.
    fn check_games(&mut self) {
        // The next stage depends on all games of the current one.
        let end = match self.depends_on_results {
            true => self.ends.get(self.complete()).copied().unwrap_or(self.games.len()),
            false => self.games.len(),
        };
        // A stage is over at the latest when the next one has begun.
        let is_closed = self.depends_on_results && self.complete() + 1 < self.stages.len();
        while self.checked < end {
            let id = &self.games[self.checked];
            let is_out = |player: &usize| !self.history.present[*player];
            match self.counted(self.checked) {
                Some(game) => {
                    let (players, failed) = (id.players.clone(), game.failed.clone());
                    self.note_failures(&players, &failed);
                }
                None if is_closed || id.players.iter().any(is_out) => {}
                None => return,
            }
            self.checked += 1;
        }
    }

    fn note_failures(&mut self, players: &[usize], failed: &[usize]) {
        for &player in players {
            let failures = &mut self.failures[player];
            *failures = if failed.contains(&player) { *failures + 1 } else { 0 };
            if *failures == FAILURES {
                self.history.present[player] = false;
                self.withdrawn.insert(player, self.checked);
            }
        }
    }

    fn absent(&self) -> Vec<usize> {
        let present = self.history.present.iter();
        present.enumerate().filter(|(_, present)| !**present).map(|(player, _)| player).collect()
    }

    /// Returns the players that miss games of a stage. If the next one has begun, these were absent
    /// then.
    fn absent_in(&self, number: usize) -> Vec<usize> {
        let next = self.stages.get(number + 1).filter(|_| self.depends_on_results);
        next.map_or_else(|| self.absent(), |next| next.absent.clone())
    }

    /// Returns the result of the game at `index`, if it counts. No game counts that a player played
    /// after its withdrawal: how many there are depends on concurrency.
    fn counted(&self, index: usize) -> Option<&CountedGame> {
        let id = &self.games[index];
        let is_over = |player: &usize| self.withdrawn.get(player).is_some_and(|&last| last < index);
        self.results.get(id).filter(|_| !id.players.iter().any(is_over))
    }

    /// Returns the games of a stage, as their indices.
    fn games_of(&self, number: usize) -> Range<usize> {
        number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]
    }

    /// Returns the results of a stage. A game that an absent player misses is won by the others,
    /// and not rated.
    fn played(&self, number: usize, absent: &[usize]) -> PlayedStage {
        let stage = &self.stages[number];
        let mut meetings: Vec<PlayedMeeting> = stage
            .meetings
            .iter()
            .map(|(players, first_round, rounds)| PlayedMeeting {
                half_points: vec![0; players.len()],
                rankings: Rankings::default(),
                meeting: Meeting {
                    players: players.clone(),
                    first_round: *first_round,
                    rounds: *rounds,
                },
            })
            .collect();
        let mut places: HashMap<(Vec<usize>, u64), usize> = HashMap::new();
        for (place, (players, first_round, rounds)) in stage.meetings.iter().enumerate() {
            for round in *first_round..first_round + rounds {
                places.insert((players.clone(), round), place);
            }
        }
        for index in self.games_of(number) {
            let GameId { round, players } = &self.games[index];
            let mut group = players.clone();
            group.sort_unstable();
            let meeting = &mut meetings[places[&(group, *round)]];
            let forfeit = || {
                let ranks: Vec<usize> =
                    players.iter().map(|of| 1 + usize::from(absent.contains(of))).collect();
                let is_missed = ranks.contains(&2);
                is_missed.then(|| half_points_of(&ranks).into_iter().map(u64::from).collect())
            };
            let game = self.counted(index);
            let half_points = game.map(|game| game.half_points.clone()).or_else(forfeit);
            for (player, half_points) in players.iter().zip(half_points.unwrap_or_default()) {
                let place = meeting.meeting.players.iter().position(|of| of == player);
                meeting.half_points[place.expect("a group has its players")] += half_points;
            }
            game.into_iter().for_each(|game| meeting.rankings.add(game.ranking.clone()));
        }
        PlayedStage { meetings, byes: stage.byes.clone() }
    }

    /// Returns the results by which players are ranked, and the players whose results are struck.
    ///
    /// Where stages do not depend on results, the current ones count as far as they are played. The
    /// games of a withdrawn player after its withdrawal are won by the others. If it played under
    /// half of its games, all of them are struck.
    pub fn results(&self) -> (History, Vec<usize>) {
        let mut history = self.history.clone();
        if self.depends_on_results {
            return (history, Vec::new());
        }
        let struck: Vec<usize> =
            self.absent().into_iter().filter(|&player| self.is_struck(player)).collect();
        let left: Vec<usize> = self.withdrawn().collect();
        for number in self.complete()..self.stages.len() {
            history.stages.push(self.played(number, &left));
        }
        for stage in &mut history.stages {
            stage.meetings.retain(|of| !of.meeting.players.iter().any(|of| struck.contains(of)));
        }
        (history, struck)
    }

    /// Returns every player once, the first rank first.
    pub fn ranking(&self, history: &History) -> Vec<Placing> {
        self.format.ranking(history)
    }

    /// Returns `true` if a player was withdrawn, so that some stored games may not count.
    pub fn has_withdrawals(&self) -> bool {
        !self.withdrawn.is_empty()
    }

    /// Returns `true` if a game is one of the tournament and was not played after the withdrawal of
    /// one of its players.
    pub fn counts(&self, game: &GameId) -> bool {
        self.indices.get(game).is_some_and(|&index| self.counted(index).is_some())
    }

    /// Returns `true` if the player played under half of its games.
    fn is_struck(&self, player: usize) -> bool {
        let own = (0..self.games.len()).filter(|&at| self.games[at].players.contains(&player));
        let (mut all, mut played) = (0, 0);
        for index in own {
            all += 1;
            played += usize::from(self.counted(index).is_some());
        }
        2 * played < all
    }
}

/// Returns the rankings of the rated games.
pub fn rankings_of(history: &History) -> Rankings {
    let mut rankings = Rankings::default();
    for meeting in history.stages.iter().flat_map(|stage| &stage.meetings) {
        rankings.add_all(&meeting.rankings);
    }
    rankings
}

impl StoredStage {
    fn new(stage: Stage, absent: Vec<usize>) -> StoredStage {
        let of = |Meeting { players, first_round, rounds }| (players, first_round, rounds);
        let meetings = stage.meetings.into_iter().map(of).collect();
        StoredStage { meetings, byes: stage.byes, absent }
    }

    /// Returns the groups of each round, for a schedule.
    pub fn rounds(&self) -> Vec<(Vec<Vec<usize>>, Range<u64>)> {
        let mut rounds: BTreeMap<u64, Vec<Vec<usize>>> = BTreeMap::new();
        for (group, first, count) in &self.meetings {
            for round in *first..first + count {
                rounds.entry(round).or_default().push(group.clone());
            }
        }
        rounds.into_iter().map(|(round, groups)| (groups, round..round + 1)).collect()
    }
}
