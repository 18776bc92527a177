//! Progress of a tournament: its stages, their results, and the players that take part.
//!
//! A format computes the next stage from the complete ones. Withdrawals are decided only when a
//! stage is complete, from its games in the order of the schedule. The course of a tournament
//! therefore does not depend on concurrency, on the order in which games end, or on time.

use crate::config::format::FormatConfig;
use crate::formats::{Format, History, Meeting, Placing, PlayedMeeting, PlayedStage, Stage};
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

/// Game that counts.
#[derive(Clone, Debug)]
struct CountedGame {
    players: Vec<usize>,
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
    results: HashMap<(u64, Vec<usize>), Vec<CountedGame>>,
    /// Complete stages, and whether each player takes part: it could be started, and was not
    /// withdrawn.
    history: History,
    /// Games that each player failed to start in a row.
    failures: Vec<u32>,
    /// Number of complete stages when each withdrawn player was withdrawn.
    withdrawn: BTreeMap<usize, usize>,
    /// Whether the format has no further stage.
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
            stages: stored,
            results: HashMap::new(),
            history: History { stages: Vec::new(), present: vec![true; players] },
            failures: vec![0; players],
            withdrawn: BTreeMap::new(),
            is_over: false,
        };
        if !stages.depends_on_results {
            stages.stages = stages.all();
        }
        stages
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

    /// Returns `true` if the player could be started and was not withdrawn.
    pub fn takes_part(&self, player: usize) -> bool {
        self.history.present[player]
    }

    /// Returns the players that were withdrawn because they failed to start.
    pub fn withdrawn(&self) -> impl Iterator<Item = usize> + '_ {
        self.withdrawn.keys().copied()
    }

    /// Counts a game. A void game does not count.
    pub fn count(&mut self, game: &GameResult) {
        let Some(outcome) = &game.outcome else { return };
        let ranks = ranks_of(outcome);
        let mut group = game.players.clone();
        group.sort_unstable();
        let failed = game.faults.iter().filter(|(seat, word)| {
            START_FAULTS.contains(word) && game.times[seat.index()].moves == 0
        });
        let counted = CountedGame {
            players: game.players.clone(),
            half_points: half_points_of(&ranks).into_iter().map(u64::from).collect(),
            ranking: Ranking::new(&game.players, &ranks),
            failed: failed.map(|(seat, _)| game.players[seat.index()]).collect(),
        };
        self.results.entry((game.round, group)).or_default().push(counted);
    }

    /// Takes note that a player could not be started, so it takes part no more.
    pub fn miss(&mut self, player: usize) {
        self.history.present[player] = false;
    }

    /// Completes stages while their games are there, and returns what happens next.
    pub fn advance(&mut self) -> Next {
        loop {
            let Some(stage) = self.stages.get(self.complete()) else {
                if !self.depends_on_results || self.is_over {
                    self.is_over = true;
                    return Next::End;
                }
                match self.format.next(&self.history) {
                    None => self.is_over = true,
                    Some(stage) => {
                        let stage = StoredStage::new(stage, self.absent());
                        self.stages.push(stage.clone());
                        return Next::Stage(stage);
                    }
                }
                continue;
            };
            // Where stages depend on results, one is over at the latest when the next has begun.
            // It then lacks the games of players that were absent.
            let next = self.stages.get(self.complete() + 1).filter(|_| self.depends_on_results);
            let absent = next.map_or_else(|| self.absent(), |next| next.absent.clone());
            if next.is_none() && !self.has_all_games(stage, &absent) {
                return Next::Games;
            }
            let played = self.played(self.complete(), &absent);
            self.note_failures();
            self.history.stages.push(played);
        }
    }

    fn absent(&self) -> Vec<usize> {
        let present = self.history.present.iter();
        present.enumerate().filter(|(_, present)| !**present).map(|(player, _)| player).collect()
    }

    fn has_all_games(&self, stage: &StoredStage, absent: &[usize]) -> bool {
        stage.group_rounds().all(|(group, round)| {
            group.iter().any(|player| absent.contains(player))
                || self.games(group, round).len() == self.seats
        })
    }

    fn games(&self, group: &[usize], round: u64) -> &[CountedGame] {
        self.results.get(&(round, group.to_vec())).map_or(&[], Vec::as_slice)
    }

    /// Returns the games of a group that count. Those that a withdrawn player played after its
    /// withdrawal do not: it depends on concurrency how many there are.
    fn counted(&self, number: usize, group: &[usize], round: u64) -> &[CountedGame] {
        let is_over = |player: &usize| self.withdrawn.get(player).is_some_and(|&at| at < number);
        if group.iter().any(is_over) {
            return &[];
        }
        self.games(group, round)
    }

    /// Returns the results of a stage. A game that an absent player misses is won by the others,
    /// and not rated.
    fn played(&self, number: usize, absent: &[usize]) -> PlayedStage {
        let stage = &self.stages[number];
        let meeting = |(players, first_round, rounds): &(Vec<usize>, u64, u64)| {
            let mut half_points = vec![0; players.len()];
            let mut rankings = Rankings::default();
            for round in *first_round..first_round + rounds {
                let games = self.counted(number, players, round);
                for game in games {
                    for (player, points) in game.players.iter().zip(&game.half_points) {
                        let place = players.iter().position(|of| of == player);
                        half_points[place.expect("the group has its players")] += points;
                    }
                    rankings.add(game.ranking.clone());
                }
                let missing = (self.seats - games.len().min(self.seats)) as u64;
                let ranks: Vec<usize> =
                    players.iter().map(|of| 1 + usize::from(absent.contains(of))).collect();
                if missing > 0 && ranks.contains(&2) {
                    let won = half_points_of(&ranks).into_iter().map(u64::from);
                    half_points.iter_mut().zip(won).for_each(|(sum, won)| *sum += won * missing);
                }
            }
            let (first_round, rounds) = (*first_round, *rounds);
            let meeting = Meeting { players: players.clone(), first_round, rounds };
            PlayedMeeting { meeting, half_points, rankings }
        };
        let meetings = stage.meetings.iter().map(meeting).collect();
        PlayedStage { meetings, byes: stage.byes.clone() }
    }

    /// Withdraws the players that failed to start in the stage that is now complete.
    fn note_failures(&mut self) {
        let stage = &self.stages[self.complete()];
        let mut rounds: Vec<(u64, &Vec<usize>)> =
            stage.group_rounds().map(|(group, round)| (round, group)).collect();
        rounds.sort_unstable();
        let games = rounds.into_iter().flat_map(|(round, group)| {
            let mut games: Vec<&CountedGame> =
                self.counted(self.complete(), group, round).iter().collect();
            games.sort_unstable_by(|a, b| a.players.cmp(&b.players));
            games
        });
        let (mut withdrawn, mut failures_of) = (Vec::new(), self.failures.clone());
        for game in games {
            for &player in &game.players {
                let failures = &mut failures_of[player];
                *failures = if game.failed.contains(&player) { *failures + 1 } else { 0 };
                if *failures == FAILURES {
                    withdrawn.push(player);
                }
            }
        }
        let complete = self.complete();
        self.failures = failures_of;
        for player in withdrawn {
            self.history.present[player] = false;
            self.withdrawn.entry(player).or_insert(complete);
        }
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
        let absent = self.absent();
        let struck: Vec<usize> = absent.into_iter().filter(|&of| self.is_struck(of)).collect();
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

    /// Returns `true` if the player played under half of its games.
    fn is_struck(&self, player: usize) -> bool {
        let (mut all, mut played) = (0, 0);
        for (number, stage) in self.stages.iter().enumerate() {
            for (group, round) in stage.group_rounds().filter(|(group, _)| group.contains(&player))
            {
                all += self.seats;
                played += self.counted(number, group, round).len();
            }
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

    /// Returns every group with every round that it plays in the stage.
    fn group_rounds(&self) -> impl Iterator<Item = (&Vec<usize>, u64)> {
        self.meetings
            .iter()
            .flat_map(|(group, first, rounds)| (*first..first + rounds).map(move |r| (group, r)))
    }

    /// Returns the players with a bye.
    pub fn byes(&self) -> &[usize] {
        &self.byes
    }

    /// Returns the groups of each round, for a schedule.
    pub fn rounds(&self) -> Vec<(Vec<Vec<usize>>, Range<u64>)> {
        let mut rounds: BTreeMap<u64, Vec<Vec<usize>>> = BTreeMap::new();
        for (group, round) in self.group_rounds() {
            rounds.entry(round).or_default().push(group.clone());
        }
        rounds.into_iter().map(|(round, groups)| (groups, round..round + 1)).collect()
    }
}
