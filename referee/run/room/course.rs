//! Course of a room: who is here, what was played, who plays next. It knows no clock, no thread and
//! no store.

use crate::formats::room::Draw;
use crate::play::record::{half_points_of, ranks_of, GameResult, Record};
use crate::run::roster::MOST_SEATED;
use crate::statistics::plackett_luce::ratings;
use crate::statistics::ranking::{Ranking, Rankings};
use crate::statistics::rating::Estimate;
use crate::statistics::solo::{standing, Attempt};
use arbitre_games::game::{places, Outcome};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Games of a player, or of the room, that are kept in memory. Not tuned.
const LAST_GAMES: usize = 100;
/// Ratings of a player over time that are kept. Not tuned.
const MOST_POINTS: usize = 240;
/// Games in a row that fail before a move, or are void by a player, after which it is set aside.
const FAILURES: u32 = 3;
/// Games in a row whose rules failed, after which the room is paused. Not tuned.
const FAILURES_OF_RULES: u32 = 3;
/// Most players whose ratings are computed with all covariances, which is cubic work: 100 players
/// with a million games took 50 ms, 1,000 took 41 s (2026-11-30).
const MOST_DENSE: usize = 300;
/// Faults that count as a failure to start if the player had not moved.
const START_FAULTS: [&str; 5] = ["absent", "crash", "disconnect", "timeout", "not-started"];

/// Part of a player in a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Player of the ladder.
    #[default]
    Ladder,
    /// Player of the ladder; ratings count from the mean of all of these.
    House,
    /// Player of the games alone that it asks for, or is asked to.
    Asking,
    /// Person at the board, whose games count for no rating.
    Board,
}

/// Player of a room: one version.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Player {
    /// Seat of the roster, if it has been here since the room was opened.
    pub seat: Option<usize>,
    /// Part in the room.
    pub role: Role,
    /// Whether its program runs on a machine of its own.
    pub is_connected: bool,
    /// Whether it may play.
    pub is_present: bool,
    /// Reason why it was set aside.
    pub given_up: Option<String>,
    /// Number of games.
    pub games: u64,
    /// Number of games that are over, with those at the board, which count for nothing.
    pub finished: u64,
    /// Half points of these games.
    pub half_points: u64,
    /// Most half points that these games could give.
    pub most_half_points: u64,
    /// Number of faults by word.
    pub faults: BTreeMap<&'static str, u64>,
    /// Rating, and number of the room's games at that time.
    pub history: Vec<(u64, Estimate)>,
    /// Last games, the latest at the end.
    last: VecDeque<Arc<Finished>>,
    /// Games in a row that failed before a move.
    failures: u32,
    /// Most games at once, if it has such a limit.
    most_at_once: Option<usize>,
    /// Solo instances that were handed out to it.
    instances: u64,
    /// Solved instances and total score in solo games.
    pub solo: (u64, i64),
    /// Whether it waits for a game that it asked for.
    pub waits: bool,
}

impl Player {
    /// Returns `true` for a house bot.
    pub fn is_house(&self) -> bool {
        self.role == Role::House
    }

    /// Returns the share of the points of its games; none without opponents.
    pub fn share(&self) -> Option<f64> {
        let most = self.most_half_points;
        (most > 0).then(|| self.half_points as f64 / most as f64)
    }
}

/// Game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Number of the game in the file of the room.
    pub number: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
    /// Score of each seat.
    pub scores: Vec<i64>,
    /// Rank of each seat.
    pub ranks: Vec<usize>,
    /// Seat and word of each fault.
    pub faults: Vec<(usize, &'static str)>,
}

/// Standings of a room at a moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standings {
    /// Players that were here, those with a rank first.
    pub rows: Vec<Row>,
    /// Number of games that count.
    pub games: u64,
}

/// Row of the standings.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Number of the player.
    pub number: usize,
    /// Name in the file, with `@` and a number for an earlier version.
    pub name: String,
    /// Rank among the current versions that are present or have a person; none without games.
    pub rank: Option<usize>,
    /// Rating above the mean of the house bots; none without games.
    pub rating: Option<Estimate>,
    /// Whether it is a house bot.
    pub is_house: bool,
    /// Whether its program runs on a machine of its own.
    pub is_connected: bool,
    /// Whether it may play.
    pub is_present: bool,
    /// Whether it was set aside.
    pub is_set_aside: bool,
    /// Number of games.
    pub games: u64,
    /// Share of the points of its games; none without opponents.
    pub share: Option<f64>,
    /// Solved instances and total score, in solo games.
    pub solo: (u64, i64),
    /// Number of faults.
    pub faults: u64,
}

/// Reason why a player cannot be asked to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The challenger waits for a game that it asked for.
    HasOne,
    /// A player is not here.
    Absent,
    /// The players are not different, or do not fill a table.
    WrongNumber,
    /// The room is paused.
    Paused,
}

/// Game that was handed out.
struct OpenRound {
    /// Games of the round that are not over.
    left: usize,
    /// Player that asked for it.
    challenger: Option<usize>,
}

/// Ratings of the players of a room.
pub struct Ratings {
    players: usize,
    /// Ratings with what is known of all differences, if there are few enough players for it.
    estimates: Option<Vec<Estimate>>,
    rankings: Rankings,
}

impl Ratings {
    /// Computes the ratings of `players` players.
    pub fn of(rankings: Rankings, players: usize) -> Ratings {
        let estimates = (players <= MOST_DENSE).then(|| ratings(&rankings, players).estimates);
        Ratings { players, estimates, rankings }
    }
}

/// State of a room.
pub struct Course {
    seats: usize,
    players: Vec<Player>,
    draw: Draw,
    rankings: Rankings,
    /// Attempts at each solo instance by player.
    attempts: BTreeMap<u64, BTreeMap<usize, Attempt>>,
    lower_is_better: bool,
    estimates: Vec<Estimate>,
    games: u64,
    next_round: u64,
    open: HashMap<(u64, Vec<usize>), OpenRound>,
    challenges: VecDeque<(usize, Vec<usize>)>,
    last: VecDeque<Arc<Finished>>,
    failures_of_rules: u32,
}

impl Course {
    /// Creates the course of a room without players.
    pub fn new(seats: usize) -> Course {
        Course {
            seats,
            players: Vec::new(),
            draw: Draw::new(seats),
            rankings: Rankings::default(),
            attempts: BTreeMap::new(),
            lower_is_better: false,
            estimates: Vec::new(),
            games: 0,
            next_round: 0,
            open: HashMap::new(),
            challenges: VecDeque::new(),
            last: VecDeque::new(),
            failures_of_rules: 0,
        }
    }

    /// Returns the players.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Adds a player of this part, which is not here yet.
    pub fn add_player(&mut self, is_connected: bool, role: Role) {
        self.players.push(Player { is_connected, role, ..Player::default() });
        self.estimates.push(Estimate { value: 0.0, error: f64::INFINITY });
    }

    /// Lets a player play on this seat of the roster, in at most this number of games at once.
    pub fn enter(&mut self, number: usize, seat: usize, role: Role, most_at_once: Option<usize>) {
        let player = &mut self.players[number];
        (player.seat, player.role, player.is_present) = (Some(seat), role, true);
        (player.given_up, player.failures, player.most_at_once) = (None, 0, most_at_once);
    }

    /// Lets a player that left play again.
    pub fn come_back(&mut self, number: usize) {
        self.players[number].is_present = true;
    }

    /// Lets a player play no further games.
    pub fn leave(&mut self, number: usize) {
        self.players[number].is_present = false;
        self.forget_challenges(number);
    }

    /// Sets a player aside.
    pub fn give_up(&mut self, number: usize, why: String) {
        self.leave(number);
        if self.players[number].given_up.is_none() {
            log::warn!("player {number} of the room is set aside: {why}");
            self.players[number].given_up = Some(why);
        }
    }

    fn forget_challenges(&mut self, number: usize) {
        let players = &mut self.players;
        self.challenges.retain(|(challenger, group)| {
            let stays = !group.contains(&number);
            players[*challenger].waits &= stays;
            stays
        });
        // Those that run are still counted.
        self.open.retain(|(_, group), round| {
            let stays = !group.contains(&number);
            round.challenger.into_iter().for_each(|of| players[of].waits &= stays);
            stays
        });
    }

    /// Notes that a player asks others to a game.
    ///
    /// # Errors
    /// Returns the reason why they do not play.
    pub fn challenge(&mut self, challenger: usize, others: &[usize]) -> Result<(), Refusal> {
        let mut group: Vec<usize> = others.iter().copied().chain([challenger]).collect();
        group.sort_unstable();
        group.dedup();
        if group.len() != self.seats || others.len() + 1 != self.seats {
            return Err(Refusal::WrongNumber);
        }
        let is_program = |number: &usize| self.players[*number].role != Role::Board;
        if !group.iter().all(|number| self.is_here(*number) && is_program(number)) {
            return Err(Refusal::Absent);
        }
        let has_one = &mut self.players[challenger].waits;
        if std::mem::replace(has_one, true) {
            return Err(Refusal::HasOne);
        }
        self.challenges.push_back((challenger, group));
        Ok(())
    }

    fn is_here(&self, number: usize) -> bool {
        self.players.get(number).is_some_and(|of| of.is_present)
    }

    /// Hands out a game at the board between these players, and returns its round.
    ///
    /// # Errors
    /// Returns the reason why they do not play.
    pub fn begin_at_board(&mut self, players: &[usize]) -> Result<u64, Refusal> {
        let mut group = players.to_vec();
        group.sort_unstable();
        group.dedup();
        if group.len() != self.seats || players.len() != self.seats {
            return Err(Refusal::WrongNumber);
        }
        if !group.iter().all(|&number| self.is_here(number)) {
            return Err(Refusal::Absent);
        }
        let round = self.next_round;
        self.next_round += 1;
        self.open.insert((round, group), OpenRound { left: 1, challenger: None });
        Ok(round)
    }

    /// Takes note that a game at the board was broken off.
    pub fn break_off(&mut self, round: u64, mut group: Vec<usize>) {
        group.sort_unstable();
        self.open.remove(&(round, group));
    }

    /// Returns the number of games that players asked for and wait for a table.
    pub fn waiting(&self) -> usize {
        self.challenges.len()
    }

    /// Hands out a table: the seats of the roster in ascending order, and the round. `None` if
    /// there are too few players.
    pub fn next_table(&mut self) -> Option<(Vec<usize>, u64)> {
        let (challenger, group) = match self.challenges.pop_front() {
            Some((challenger, group)) => (Some(challenger), group),
            None => {
                let present = (0..self.players.len()).filter(|&of| self.is_free(of));
                let present: Vec<usize> = present.collect();
                // Games between house bots alone leave the other workers to people.
                let is_house = |number: &usize| self.players[*number].is_house();
                let house_plays = self.open.keys().any(|(_, group)| group.iter().all(is_house));
                let has_people = !present.iter().all(is_house);
                if house_plays && !has_people {
                    return None;
                }
                (None, self.draw.next(&present)?)
            }
        };
        let round = match self.seats {
            // All players play the same instances, each in the same order.
            1 => self.players[group[0]].instances,
            _ => self.next_round,
        };
        self.next_round = self.next_round.max(round + 1);
        group.iter().for_each(|&number| self.players[number].instances += 1);
        let seats = group.iter().filter_map(|&number| self.players[number].seat);
        let mut seats: Vec<usize> = seats.collect();
        seats.sort_unstable();
        self.open.insert((round, group.clone()), OpenRound { left: self.seats, challenger });
        Some((seats, round))
    }

    /// Returns `true` if a player is here for any game, and in fewer rounds than it can play at
    /// once.
    fn is_free(&self, number: usize) -> bool {
        let player = &self.players[number];
        let is_in = |(_, group): &&(u64, Vec<usize>)| group.contains(&number);
        let has_room = |most| self.open.keys().filter(is_in).count() < most;
        let is_here = player.is_present && !matches!(player.role, Role::Asking | Role::Board);
        is_here && player.most_at_once.is_none_or(has_room)
    }

    /// Counts a game that was handed out here, with the seat of the roster of each player. A void
    /// one only counts against a player that could not be started.
    pub fn take(&mut self, record: &Record, seats: &[usize]) {
        let result = record.result();
        let key = (result.round, record.pairing.group());
        if let Some(round) = self.open.get_mut(&key) {
            round.left -= 1;
            if round.left == 0 {
                let challenger = self.open.remove(&key).and_then(|round| round.challenger);
                challenger.into_iter().for_each(|of| self.players[of].waits = false);
            }
        }
        self.note_failures(record, &result, seats);
        self.count(&result);
    }

    /// Counts the games in a row that say nothing about a player but that it does not play.
    fn note_failures(&mut self, record: &Record, result: &GameResult, seats: &[usize]) {
        let has_failed = record.played.rules_error.is_some();
        self.failures_of_rules = if has_failed { self.failures_of_rules + 1 } else { 0 };
        for (seat, &number) in result.players.iter().enumerate() {
            let player = &self.players[number];
            if player.seat != Some(seats[seat]) || player.role == Role::Board {
                // A game of an earlier start says nothing about this one, nor a person that left.
                continue;
            }
            let is_failure = |(of, word): &(_, &str)| {
                let of: &arbitre_games::game::Seat = of;
                let has_moved = result.times[seat].moves > 0;
                of.index() == seat && START_FAULTS.contains(word) && !has_moved
            };
            let report = record.played.faults.iter().find(|of| of.seat.index() == seat);
            // Another program may end, and give back what the machine lacks.
            let is_lack = report.is_some_and(|report| report.fault.is_lack_of_resources());
            let is_failure = |fault: &&_| !is_lack && is_failure(fault);
            let fault = result.faults.iter().find(is_failure);
            let failures = &mut self.players[number].failures;
            *failures = if fault.is_some() { *failures + 1 } else { 0 };
            if *failures >= FAILURES {
                let why = report.map_or_else(String::new, |report| report.absence_line());
                self.give_up(number, why);
            }
        }
    }

    /// Returns `true` if the rules failed in [`FAILURES_OF_RULES`] games in a row.
    pub fn rules_fail(&self) -> bool {
        self.failures_of_rules >= FAILURES_OF_RULES
    }

    /// Counts a stored game.
    pub fn count(&mut self, result: &GameResult) {
        self.next_round = self.next_round.max(result.round + 1);
        let Some(outcome) = &result.outcome else { return };
        let ranks = ranks_of(outcome);
        if result.players.iter().any(|&of| self.players[of].role == Role::Board) {
            self.keep(result, outcome, ranks);
            return;
        }
        self.games += 1;
        self.lower_is_better = outcome.lower_is_better;
        match result.players[..] {
            [player] => {
                let attempt = Attempt::new(outcome, Duration::ZERO);
                let solo = &mut self.players[player].solo;
                solo.0 += u64::from(attempt.score.is_some());
                solo.1 = solo.1.saturating_add(attempt.score.unwrap_or(0));
                self.attempts.entry(result.round).or_default().insert(player, attempt);
                let instances = &mut self.players[player].instances;
                *instances = (*instances).max(result.round + 1);
            }
            _ => self.rankings.add(Ranking::new(&result.players, &ranks)),
        }
        let most = 2 * (result.players.len() as u64 - 1);
        for (&number, points) in result.players.iter().zip(half_points_of(&ranks)) {
            let player = &mut self.players[number];
            player.games += 1;
            player.half_points += u64::from(points);
            player.most_half_points += most;
        }
        for (seat, word) in &result.faults {
            let number = result.players[seat.index()];
            *self.players[number].faults.entry(*word).or_default() += 1;
        }
        self.keep(result, outcome, ranks);
    }

    /// Keeps a game among the last ones.
    fn keep(&mut self, result: &GameResult, outcome: &Outcome, ranks: Vec<usize>) {
        let Some(number) = result.number else { return };
        let faults = result.faults.iter().map(|(seat, word)| (seat.index(), *word)).collect();
        let (players, scores) = (result.players.clone(), outcome.scores.clone());
        let finished = Arc::new(Finished { number, players, scores, ranks, faults });
        for player in &result.players {
            let player = &mut self.players[*player];
            player.finished += 1;
            keep(&mut player.last, finished.clone());
        }
        keep(&mut self.last, finished);
    }

    /// Returns the last games of the room, or of one player, the last one first.
    pub fn last_games(&self, player: Option<usize>) -> Vec<Arc<Finished>> {
        let games = match player {
            None => Some(&self.last),
            Some(number) => self.players.get(number).map(|of| &of.last),
        };
        games.into_iter().flatten().rev().cloned().collect()
    }

    /// Returns the rankings of all games that count.
    pub fn rankings(&self) -> Cow<'_, Rankings> {
        match self.seats {
            1 => Cow::Owned(self.rankings_of_instances()),
            _ => Cow::Borrowed(&self.rankings),
        }
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Rates all players by the games so far.
    pub fn rate(&mut self) {
        self.take_ratings(Ratings::of(self.rankings().into_owned(), self.players.len()));
    }

    /// Takes ratings of the games so far. Players that came since have none yet.
    pub fn take_ratings(&mut self, Ratings { players, estimates, rankings }: Ratings) {
        self.draw.rate(&rankings, players);
        let mut estimates = estimates.unwrap_or_else(|| self.draw.estimates());
        estimates.truncate(players);
        let is_anchor = |of: &Player| of.is_house() && of.games > 0;
        let house = self.players.iter().zip(&estimates).filter(|(of, _)| is_anchor(of));
        let house: Vec<f64> = house.map(|(_, estimate)| estimate.value).collect();
        let anchor = house.iter().sum::<f64>() / house.len().max(1) as f64;
        estimates.iter_mut().for_each(|estimate| estimate.value -= anchor);
        for (player, estimate) in self.players.iter_mut().zip(&estimates) {
            if player.games > 0 && player.history.last().is_none_or(|(_, last)| last != estimate) {
                player.history.push((self.games, *estimate));
                thin(&mut player.history);
            }
        }
        self.estimates[..estimates.len()].copy_from_slice(&estimates);
    }

    /// Returns the rankings of all players on each instance.
    fn rankings_of_instances(&self) -> Rankings {
        let mut rankings = Rankings::default();
        for attempts in self.attempts.values().filter(|attempts| attempts.len() > 1) {
            let players: Vec<usize> = attempts.keys().copied().collect();
            let key = |attempt: &Attempt| {
                let (solved, total) = (attempt.score.is_some(), attempt.score.unwrap_or(0));
                Reverse(standing(u64::from(solved), total, self.lower_is_better))
            };
            let keys: Vec<_> = attempts.values().map(key).collect();
            let ranks: Vec<usize> = places(&keys).into_iter().map(|place| place + 1).collect();
            rankings.add(Ranking::new(&players, &ranks));
        }
        rankings
    }

    /// Returns the standings. Ranks are those of the current versions by rating.
    pub fn standings(&self, names: &[&str]) -> Standings {
        let is_shown = |of: &Player| of.games > 0 || of.is_present || of.given_up.is_some();
        let is_program = |of: &Player| of.role != Role::Board;
        let rows = self.players.iter().enumerate();
        let rows = rows.filter(|(_, of)| is_shown(of) && is_program(of));
        let mut rows: Vec<Row> = rows
            .map(|(number, player)| Row {
                number,
                name: names[number].to_owned(),
                rank: None,
                rating: Some(self.estimates[number])
                    .filter(|of| player.games > 0 && of.error.is_finite()),
                is_house: player.is_house(),
                is_connected: player.is_connected,
                is_present: player.is_present,
                is_set_aside: player.given_up.is_some(),
                games: player.games,
                share: player.share(),
                solo: player.solo,
                faults: player.faults.values().sum(),
            })
            .collect();
        let value = |row: &Row| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.value);
        rows.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let is_ranked = |row: &Row| row.rating.is_some() && !row.name.contains('@');
        let (mut above, mut last) = (0, (0, f64::NAN));
        for row in rows.iter_mut().filter(|row| is_ranked(row)) {
            above += 1;
            let value = row.rating.map_or(0.0, |rating| rating.value);
            if value != last.1 {
                last = (above, value);
            }
            row.rank = Some(last.0);
        }
        rows.sort_by_key(|row| row.rank.unwrap_or(MOST_SEATED));
        Standings { rows, games: self.games }
    }
}

/// Adds a game to the last ones.
fn keep(games: &mut VecDeque<Arc<Finished>>, game: Arc<Finished>) {
    games.push_back(game);
    if games.len() > LAST_GAMES {
        games.pop_front();
    }
}

/// Drops every second point of a history that is too long, except the last.
fn thin(history: &mut Vec<(u64, Estimate)>) {
    if history.len() > MOST_POINTS {
        let (mut number, last) = (0, history.len() - 1);
        history.retain(|_| {
            number += 1;
            number % 2 == 0 || number > last
        });
    }
}
