//! Progress of a tournament: its stages, their results, and the players that take part.
//!
//! A format computes the next stage from the complete ones. Withdrawals are decided from the games
//! in the order of the schedule. The course of a tournament therefore does not depend on
//! concurrency, on the order in which games end, or on time.

use super::bracket::Bracket;
use super::graded::{GradedGame, GradedScores, Grading};
use super::open::open;
use super::result_table::{ResultTable, TableEntry};
use super::scores::Share;
use crate::config::format::{Course, FormatConfig};
use crate::config::Contest;
use crate::failure::Failure;
use crate::formats::schedule::Schedule;
use crate::formats::{
    Format, GameCount, History, Meeting, Placing, PlayedMeeting, PlayedStage, Stage, StoredStage,
};
use crate::play::pairing::GameId;
use crate::play::record::{half_points_of, ranks_of, GameResult};
use crate::statistics::ranking::{Ranking, Rankings};
use crate::statistics::rating::Estimate;
use crate::statistics::sprt::evidence::GameText;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// Number of games in a row that a player fails to start before it is withdrawn.
const FAILURES: u32 = 3;
/// Faults that count as a failure to start if the player had not moved yet.
const START_FAULTS: [&str; 4] = ["crash", "disconnect", "timeout", "not-started"];

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
#[derive(Clone)]
pub struct Stages {
    format: Rc<dyn Format>,
    /// Source of the stages.
    course: Course,
    /// Whether a player can join that was not there at the start.
    takes_joiners: bool,
    /// Whether the players of today have all of their pairings, where these follow from the field.
    is_paired: bool,
    /// Stages that have begun, or all of them.
    stages: Vec<StoredStage>,
    /// Number of stored rows: stages, and notes on the players that are absent.
    rows: usize,
    /// Players that the last row names as absent.
    noted: Vec<usize>,
    /// Games of the known stages.
    games: Schedule,
    /// Index after the last game of each known stage.
    ends: Vec<u64>,
    results: ResultTable,
    /// Texts of the games, if the format has a test.
    texts: Option<HashMap<GameId, GameText>>,
    /// Fixed bots and solo results, if the format gives marks.
    grading: Option<Grading>,
    /// Number of games from the first on that are played, or will not be.
    checked: u64,
    /// Complete stages, and whether each player takes part: it could be started, and was not
    /// withdrawn.
    history: History,
    /// Games that each player failed to start in a row.
    failures: Vec<u32>,
    /// Index of the last game of each withdrawn player.
    withdrawn: BTreeMap<usize, u64>,
    /// Whether players that fail to start are withdrawn, and struck if they played under half of
    /// their games. In a match they play on.
    withdraws: bool,
    is_over: bool,
}

impl Stages {
    /// Creates the stages of a contest, without results. `stored` are the stages that have begun.
    ///
    /// # Errors
    /// Returns an error if the players do not fit the format.
    pub fn of(contest: &Contest, stored: Vec<StoredStage>) -> Result<Stages, Failure> {
        let (config, players) = (&contest.format, contest.players.len());
        let format =
            open(contest).map_err(|why| Failure::Usage(format!("{}: {why}", config.word())))?;
        let stages = Stages::new(format, config, players, contest.empty_schedule(), stored);
        let (withdraws, grading) = (contest.tournament().is_some(), Grading::of(contest));
        Ok(Stages { withdraws, grading, ..stages })
    }

    /// Returns the first stage of a contest in which all players can play.
    pub fn of_all_players(contest: &Contest) -> Option<StoredStage> {
        let present = vec![true; contest.players.len()];
        let first = open(contest).ok()?.next(&History { stages: Vec::new(), present })?;
        Some(StoredStage::new(first, Vec::new()))
    }

    fn new(
        format: Box<dyn Format>,
        config: &FormatConfig,
        players: usize,
        games: Schedule,
        stored: Vec<StoredStage>,
    ) -> Stages {
        let mut stages = Stages {
            format: format.into(),
            course: config.course(),
            takes_joiners: config.takes_joiners(),
            is_paired: false,
            stages: Vec::new(),
            rows: stored.len(),
            noted: stored.last().map_or_else(Vec::new, |last| last.absent.clone()),
            games,
            ends: Vec::new(),
            results: ResultTable::default(),
            texts: config.sprt().map(|_| HashMap::new()),
            grading: None,
            checked: 0,
            history: History { stages: Vec::new(), present: vec![true; players] },
            failures: vec![0; players],
            withdrawn: BTreeMap::new(),
            withdraws: true,
            is_over: false,
        };
        let known = match stages.course {
            Course::Players => stages.repeated(players),
            Course::Field => stored.into_iter().filter(StoredStage::has_meetings).collect(),
            Course::Results => stored,
            Course::Tests => Vec::new(),
        };
        known.into_iter().for_each(|stage| stages.begin(stage));
        stages
    }

    /// Returns the equal stages of a format as a single one, whose memory does not depend on their
    /// number.
    fn repeated(&self, players: usize) -> Vec<StoredStage> {
        let Some(mut stage) = self.format.next(&self.history) else { return Vec::new() };
        let games: u64 = stage.meetings.iter().map(Meeting::games).sum();
        let stages = self.format.games(players).most / games.max(1);
        stage.meetings.iter_mut().for_each(|meeting| meeting.rounds *= stages);
        vec![StoredStage::new(stage, Vec::new())]
    }

    /// Begins the stages that another value of this contest has begun beyond those known here.
    /// Players that were withdrawn there stay so, also if one has `changed`: they get no games.
    pub fn follow(&mut self, other: &Stages, changed: usize) {
        if self.course.is_stored() {
            let begun = other.stages.iter().skip(self.stages.len());
            begun.for_each(|stage| self.begin(stage.clone()));
        }
        (self.rows, self.noted) = (other.rows, other.noted.clone());
        for (&player, &last) in &other.withdrawn {
            self.miss(player);
            // Tests have other games from now on, and so has a new version.
            if player != changed && self.course != Course::Tests {
                self.withdrawn.insert(player, last);
            }
        }
    }

    fn begin(&mut self, stage: StoredStage) {
        for (groups, rounds) in stage.rounds() {
            self.games.add_stage(groups, rounds);
        }
        self.ends.push(self.games.games());
        self.stages.push(stage);
    }

    /// Returns the next stage.
    ///
    /// Where tests are computed anew, a player that is absent now may have played before. Its
    /// meetings are in the stage if their games are there.
    fn next_stage(&mut self) -> Option<Stage> {
        match self.course {
            Course::Players => return None,
            Course::Field if !self.left_to_whole().is_empty() => return None,
            Course::Field => return self.format.next(&self.results().0),
            Course::Results => return self.next_of_results(),
            Course::Tests => {}
        }
        let everyone = vec![true; self.history.players()];
        let present = std::mem::replace(&mut self.history.present, everyone);
        let stage = self.format.next(&self.history);
        self.history.present = present;
        let mut stage = stage?;
        let is_played = |of: &Meeting| {
            ids_of(&of.players, of.first_round).all(|id| self.results.get(&id).is_some())
        };
        stage.meetings.retain(|of| {
            of.players.iter().all(|&player| self.history.present[player]) || is_played(of)
        });
        (!stage.meetings.is_empty()).then_some(stage)
    }

    /// Returns the players that left, if others may need games in their place that no shard begins.
    /// Whether the games of such a player count follows from those of all shards.
    pub fn left_to_whole(&self) -> Vec<usize> {
        if self.course != Course::Field || !self.games.is_part() {
            return Vec::new();
        }
        let had_games = |player: &usize| self.stages.iter().any(|stage| stage.includes(*player));
        self.absent().into_iter().filter(had_games).collect()
    }

    /// Returns the stage that follows from all results but the struck ones, whose rounds stay used.
    fn next_of_results(&self) -> Option<Stage> {
        let (history, struck) = self.results();
        let mut stage = self.format.next(&history)?;
        if !struck.is_empty() {
            let shift = self.history.next_round() - history.next_round();
            stage.meetings.iter_mut().for_each(|meeting| meeting.first_round += shift);
        }
        Some(stage)
    }

    /// Returns the stages that have begun, or all of them if they do not depend on results.
    pub fn known(&self) -> &[StoredStage] {
        &self.stages
    }

    /// Returns the number of stored rows: stages, and notes on the players that are absent.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a note on the players that are absent, if the last row names others. It is stored as
    /// a stage without meetings. Where stages depend on results, the next one names them.
    pub fn note(&mut self) -> Option<StoredStage> {
        let absent = self.absent();
        if absent == self.noted || !self.withdraws || self.course == Course::Results {
            return None;
        }
        self.rows += 1;
        self.noted.clone_from(&absent);
        Some(StoredStage::new(Stage::default(), absent))
    }

    /// Takes note that the players are absent that the last row names.
    pub fn miss_noted(&mut self) {
        self.noted.clone().into_iter().for_each(|player| self.miss(player));
    }

    /// Returns the stages without further ones, as earlier versions played a balanced schedule.
    pub fn without_further(self) -> Stages {
        Stages { course: Course::Players, ..self }
    }

    /// Returns `true` if a stage that has begun, or the last row, names the player as absent.
    pub fn lacks(&self, player: usize) -> bool {
        self.noted.contains(&player)
            || self.stages.iter().any(|stage| stage.absent.contains(&player))
    }

    /// Returns the first stage of the players of now.
    pub fn first(&self) -> Option<Stage> {
        self.format.next(&History { stages: Vec::new(), present: self.history.present.clone() })
    }

    /// Returns the games of the known stages.
    pub fn games(&self) -> &Schedule {
        &self.games
    }

    /// Returns the number of games that are played at most: those of the shard, or of all stages.
    pub fn most_games(&self) -> u64 {
        match self.course {
            Course::Tests | Course::Results => self.format.games(self.history.players()).most,
            Course::Players | Course::Field => self.planned().own_games(),
        }
    }

    /// Returns the games of the known stages. Where no stage has begun that follows from the field,
    /// returns the games of the players of now.
    pub fn planned(&self) -> Cow<'_, Schedule> {
        if self.course != Course::Field || !self.stages.is_empty() {
            return Cow::Borrowed(&self.games);
        }
        let mut planned = self.clone();
        let first = self.first();
        first.into_iter().for_each(|stage| planned.begin(StoredStage::new(stage, Vec::new())));
        Cow::Owned(planned.games)
    }

    /// Returns the number of games if the players of now take part from beginning to end.
    pub fn game_count(&self) -> GameCount {
        self.format.games(self.present())
    }

    /// Returns `true` if all games are counted, or lack a player. Of a shard these are its own. A
    /// contest in which no game has its players is not full.
    pub fn is_full(&self) -> bool {
        if self.depends_on_results() {
            return self.is_over && self.has_games();
        }
        if self.course == Course::Field && !self.is_paired {
            return false;
        }
        let is_out = |player: &usize| !self.history.present[*player];
        let mut open = self.games.ids().filter(|id| !id.players.iter().any(is_out)).peekable();
        let has_games = self.withdraws && self.has_games() || open.peek().is_some();
        has_games && open.all(|id| self.results.get(&id).is_some())
    }

    /// Returns `true` if a player joined when nothing more is paired for it.
    pub fn is_late(&self, player: usize) -> bool {
        let has_begun = !self.stages.is_empty();
        (self.is_over || has_begun && !self.takes_joiners)
            && self.depends_on_results()
            && !self.stages.iter().any(|stage| stage.includes(player))
    }

    /// Returns the number of players that take part.
    pub fn present(&self) -> usize {
        self.history.present().len()
    }

    /// Returns `true` if a game is counted.
    pub fn has_games(&self) -> bool {
        self.results.ids().next().is_some()
    }

    fn depends_on_results(&self) -> bool {
        matches!(self.course, Course::Tests | Course::Results)
    }

    /// Returns the number of complete stages.
    pub fn complete(&self) -> usize {
        self.history.stages.len()
    }

    /// Returns the number of games from the first on that are played, or will not be.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Returns `true` if all stages are complete.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the players that were withdrawn because they failed to start.
    pub fn withdrawn(&self) -> impl Iterator<Item = usize> + '_ {
        self.withdrawn.keys().copied()
    }

    /// Counts a game that began from `setup`. A void game does not count.
    pub fn count(&mut self, game: &GameResult, setup: &str) {
        let Some(outcome) = &game.outcome else { return };
        let ranks = ranks_of(outcome);
        let mut failed = vec![false; ranks.len()];
        let faults = game.faults.iter().filter(|(seat, word)| {
            START_FAULTS.contains(word) && game.times[seat.index()].moves == 0
        });
        faults.for_each(|(seat, _)| failed[seat.index()] = true);
        self.results.add(game.id(), &ranks, &failed);
        if let Some(grading) = &mut self.grading {
            grading.count(game.id(), outcome);
        }
        if let Some(texts) = &mut self.texts {
            texts.insert(game.id(), GameText::new(setup, game.fingerprint));
        }
    }

    /// Takes note that a player could not be started, so it takes part no more.
    pub fn miss(&mut self, player: usize) {
        self.history.present[player] = false;
        self.is_paired = false;
    }

    /// Completes the stages whose games are there.
    pub fn complete_played(&mut self) {
        loop {
            self.check_games();
            let number = self.complete();
            if self.ends.get(number).is_none_or(|&end| self.checked < end) {
                return;
            }
            let absent = self.absent_in(number);
            let played = self.played(number, |_, player| absent.contains(&player));
            self.history.stages.push(played);
        }
    }

    /// Completes stages while their games are there, and returns the next step.
    pub fn advance(&mut self) -> Next {
        loop {
            self.complete_played();
            if self.course == Course::Field && !self.is_paired {
                match self.next_stage() {
                    Some(stage) => return self.begin_new(stage),
                    None => self.is_paired = true,
                }
            }
            if self.complete() < self.stages.len() {
                return Next::Games;
            }
            if !self.depends_on_results() || self.is_over {
                self.is_over = true;
                return Next::End;
            }
            match self.next_stage() {
                None => self.is_over = true,
                Some(stage) => return self.begin_new(stage),
            }
        }
    }

    fn begin_new(&mut self, stage: Stage) -> Next {
        let stage = StoredStage::new(stage, self.absent());
        self.begin(stage.clone());
        if self.course.is_stored() {
            self.rows += 1;
            self.noted.clone_from(&stage.absent);
        }
        Next::Stage(stage)
    }

    /// Follows the games in order, up to the first that is missing and may still be played.
    /// Withdraws players that failed to start.
    fn check_games(&mut self) {
        // The next stage depends on all games of the current one.
        let end = match self.depends_on_results() {
            true => self.ends.get(self.complete()).copied().unwrap_or(self.games.games()),
            false => self.games.games(),
        };
        // A stage is over at the latest when the next one has begun.
        let is_closed = self.depends_on_results() && self.complete() + 1 < self.stages.len();
        while self.checked < end {
            let is_out = |player: &usize| !self.history.present[*player];
            let id = self.games.id(self.checked);
            match self.counted(self.checked, &id).map(TableEntry::failed) {
                Some(failed) => self.note_failures(&id.players, &failed),
                None if is_closed || id.players.iter().any(is_out) => {}
                None => return,
            }
            self.checked += 1;
        }
    }

    /// Counts the failures to start of the players of the game that is checked.
    fn note_failures(&mut self, players: &[usize], failed: &[bool]) {
        for (&player, &has_failed) in players.iter().zip(failed) {
            let failures = &mut self.failures[player];
            *failures = if has_failed { *failures + 1 } else { 0 };
            if *failures == FAILURES && self.withdraws {
                self.miss(player);
                self.withdrawn.insert(player, self.checked);
            }
        }
    }

    /// Returns the players that take part no more, or do not yet.
    pub fn absent(&self) -> Vec<usize> {
        let present = self.history.present.iter();
        present.enumerate().filter(|(_, present)| !**present).map(|(player, _)| player).collect()
    }

    /// Returns the players that miss games of a stage. If the next one has begun, these were absent
    /// then.
    fn absent_in(&self, number: usize) -> Vec<usize> {
        let next = self.stages.get(number + 1).filter(|_| self.depends_on_results());
        next.map_or_else(|| self.absent(), |next| next.absent.clone())
    }

    /// Returns the result of the game `id` at `index`, if it counts. Games of a player after its
    /// withdrawal do not: how many there are depends on concurrency.
    fn counted(&self, index: u64, id: &GameId) -> Option<TableEntry<'_>> {
        let is_over = |player: &usize| self.withdrawn.get(player).is_some_and(|&last| last < index);
        self.results.get(id).filter(|_| !id.players.iter().any(is_over))
    }

    /// Returns the games of a stage, as their indices.
    fn games_of(&self, number: usize) -> Range<u64> {
        number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]
    }

    /// Returns the rank on each seat of a game and whether it was played. `None` if it is neither
    /// played nor missed by an absent player.
    fn ranks(
        &self,
        index: u64,
        id: &GameId,
        is_absent: impl Fn(u64, usize) -> bool,
    ) -> Option<(Vec<usize>, bool)> {
        if let Some(game) = self.counted(index, id) {
            return Some((game.ranks(), true));
        }
        let ranks = id.players.iter().map(|of| 1 + usize::from(is_absent(index, *of)));
        let ranks: Vec<usize> = ranks.collect();
        ranks.contains(&2).then_some((ranks, false))
    }

    /// Returns the results of a stage. A game that an absent player misses is won by the others,
    /// and not rated. `is_absent` takes the index of a game and a player.
    fn played(&self, number: usize, is_absent: impl Fn(u64, usize) -> bool) -> PlayedStage {
        let stage = &self.stages[number];
        let mut meetings: Vec<PlayedMeeting> = stage
            .meetings
            .iter()
            .map(|(players, first_round, rounds)| PlayedMeeting {
                half_points: vec![0; players.len()],
                rankings: Rankings::default(),
                texts: Vec::new(),
                meeting: Meeting {
                    players: players.clone(),
                    first_round: *first_round,
                    rounds: *rounds,
                },
            })
            .collect();
        // A group has a game for each rotation of its seats.
        let games_of = |place: usize| std::iter::repeat_n(place, stage.meetings[place].0.len());
        let segments = stage.segments().into_iter();
        let places = segments.flat_map(|(rounds, places)| {
            let places = rounds.flat_map(move |_| places.clone());
            places.flat_map(games_of)
        });
        for (index, place) in self.games_of(number).zip(places) {
            let id = self.games.id(index);
            let (players, meeting) = (&id.players, &mut meetings[place]);
            let Some((ranks, is_played)) = self.ranks(index, &id, &is_absent) else { continue };
            for (player, half_points) in players.iter().zip(half_points_of(&ranks)) {
                let place = meeting.meeting.players.iter().position(|of| of == player);
                let place = place.expect("a group has its players");
                meeting.half_points[place] += u64::from(half_points);
            }
            if is_played {
                meeting.rankings.add(Ranking::new(players, &ranks));
                meeting.texts.extend(self.texts.as_ref().and_then(|texts| texts.get(&id)));
            }
        }
        PlayedStage { meetings, byes: stage.byes.clone() }
    }

    /// Returns the results by which players are ranked, and the players whose results are struck.
    ///
    /// Where stages do not depend on results, the current ones count as far as they are played. The
    /// games of a withdrawn player after its withdrawal are won by the others. If it played under
    /// half of those that count, all are struck, unless pairings followed from them that stay.
    pub fn results(&self) -> (History, Vec<usize>) {
        let mut history = self.history.clone();
        let struck = self.struck();
        if self.course == Course::Results {
            history.stages.iter_mut().for_each(|stage| stage.strike(&struck));
            return (history, struck);
        }
        for number in self.complete()..self.stages.len() {
            history.stages.push(self.played(number, |index, player| self.has_left(index, player)));
        }
        for stage in &mut history.stages {
            stage.meetings.retain(|of| !of.meeting.players.iter().any(|of| struck.contains(of)));
        }
        (history, struck)
    }

    /// Returns `true` if a player that is absent loses the game at `index`. A player that is absent
    /// today may play the games that were not checked another day.
    fn has_left(&self, index: u64, player: usize) -> bool {
        self.withdrawn.contains_key(&player)
            || index < self.checked && !self.history.present[player]
    }

    /// Returns the mark of each player, if the format gives marks. Fixed bots, `struck` players and
    /// those without a result against one of the fixed bots have none. Without one of the fixed
    /// bots no player has one.
    pub fn marks(&self, struck: &[usize]) -> Option<Vec<Option<Estimate>>> {
        let grading = self.grading.as_ref()?;
        let (players, seats) = (self.history.players(), self.games.seats());
        let mut scores = GradedScores::new(grading, players, seats);
        if grading.bots().iter().any(|&bot| !self.history.present[bot]) {
            return Some(vec![None; players]);
        }
        for first in (0..self.games.games()).step_by(seats) {
            let game = |index: u64| {
                let id = self.games.id(index);
                let has_left = |index, player| self.has_left(index, player);
                let (ranks, is_played) = self.ranks(index, &id, has_left)?;
                Some(GradedGame { id, ranks, is_played })
            };
            let games = (first..first + seats as u64).map(game).collect::<Option<Vec<_>>>();
            games.into_iter().for_each(|games| scores.add(&games));
        }
        let mark = |player| scores.mark(player).filter(|_| !struck.contains(&player));
        Some((0..players).map(mark).collect())
    }

    /// Returns the results of the complete stages.
    pub fn complete_stages(&self) -> &History {
        &self.history
    }

    /// Returns the bracket with the results so far, if the format has one.
    pub fn bracket(&self) -> Option<Bracket> {
        let is_begun = self.complete() < self.stages.len();
        let current = is_begun.then(|| self.played(self.complete(), |_, _| false));
        self.format.bracket(&self.history, current.as_ref())
    }

    /// Returns every player once, the first rank first.
    pub fn ranking(&self, history: &History) -> Vec<Placing> {
        self.format.ranking(history)
    }

    /// Returns `true` if stored games do not count, or `struck` players have any. Where stages are
    /// computed anew, that is known at the end: games of later stages are there already if a player
    /// joined.
    pub fn has_surplus(&self, struck: &[usize]) -> bool {
        if !self.withdraws {
            return false;
        }
        let is_recomputed = self.course == Course::Tests;
        let is_known = self.is_over || !is_recomputed;
        let has_beyond = || {
            let counts = self.counts();
            self.results.ids().any(|id| !counts(&id))
        };
        let is_short = !self.withdrawn.is_empty() || !struck.is_empty();
        is_known && (is_short || is_recomputed && has_beyond())
    }

    /// Returns a predicate that is `true` for the games of the tournament, except those played
    /// after the withdrawal of one of their players.
    pub fn counts(&self) -> impl Fn(&GameId) -> bool + '_ {
        let index_of = self.games.indices();
        let is_away =
            |player: &usize| !self.history.present[*player] && !self.withdrawn.contains_key(player);
        move |game| match index_of(game) {
            Some(index) => self.counted(index, game).is_some(),
            // Its stage comes when the player is back.
            None => self.course == Course::Tests && game.players.iter().any(is_away),
        }
    }

    /// Returns the players that left before half of their games, in ascending order.
    ///
    /// Those with the smallest share of played games are struck first. Games against them count no
    /// more, so another player may have played half of its other games.
    fn struck(&self) -> Vec<usize> {
        let left: Vec<usize> = match self.course {
            _ if !self.withdraws => Vec::new(),
            Course::Results if self.format.games_of_struck().is_none() => Vec::new(),
            Course::Results => self.withdrawn().collect(),
            _ => self.absent(),
        };
        let mut struck = Vec::new();
        while struck.len() < left.len() {
            let shares = self.played_shares(&struck);
            let is_short = |player: &usize| {
                !struck.contains(player) && 2 * shares[*player].won < shares[*player].of
            };
            let short: Vec<usize> = left.iter().copied().filter(is_short).collect();
            let share = |player: &usize| shares[*player].in_order();
            let Some(least) = short.iter().map(share).min() else { break };
            struck.extend(short.into_iter().filter(|player| share(player) == least));
        }
        struck.sort_unstable();
        struck
    }

    /// Returns the share of its games that each player played, without those against `struck`
    /// players.
    fn played_shares(&self, struck: &[usize]) -> Vec<Share> {
        let players = self.history.players();
        let mut shares = vec![Share { won: 0, of: 0 }; players];
        let mut against_struck = vec![0; players];
        for index in (0..self.games.games()).filter(|&index| self.games.is_own(index)) {
            let id = self.games.id(index);
            let counts = !id.players.iter().any(|player| struck.contains(player));
            let played = u64::from(counts && self.counted(index, &id).is_some());
            for &player in &id.players {
                shares[player].of += u64::from(counts);
                shares[player].won += played;
                against_struck[player] += u64::from(!counts);
            }
        }
        let Some(all) = self.format.games_of_struck() else { return shares };
        for (player, share) in shares.iter_mut().enumerate() {
            share.of = match self.course {
                // The later stages are not known.
                Course::Results => all
                    .saturating_sub(against_struck[player])
                    .saturating_sub(self.games_without(player)),
                // Further games are in place of struck ones, or with a joiner.
                _ => all.min(share.of),
            };
        }
        shares
    }

    /// Returns the number of games of the stages in which a player has a bye, or had not joined.
    fn games_without(&self, player: usize) -> u64 {
        let has_none = |stage: &&StoredStage| {
            let mut meetings = stage.meetings.iter();
            let plays = meetings.any(|(players, ..)| players.contains(&player));
            !plays && !stage.absent.contains(&player)
        };
        let without = self.stages.iter().filter(has_none);
        without.filter_map(StoredStage::games_of_player).sum()
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

/// Returns the games of a group in a round, on each rotation of the seats.
fn ids_of(group: &[usize], round: u64) -> impl Iterator<Item = GameId> + '_ {
    (0..group.len()).map(move |rotation| {
        let mut players = group.to_vec();
        players.rotate_left(rotation);
        GameId { round, players }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::balanced::Balanced;
    use crate::formats::graded::Graded;
    use crate::formats::round_robin::{Gauntlet, RoundRobin};
    use crate::formats::swiss::Swiss;
    use crate::formats::tested_gauntlet::{TestedGauntlet, BATCH};
    use crate::play::record::ENDED_BY_THE_RULES;
    use crate::statistics::sprt::Sprt;
    use arbitre_games::game::Outcome;
    use arbitre_games::rng::Rng;

    const PLAYERS: usize = 3;
    const ROUNDS: u64 = 100;

    /// Returns the stages of a gauntlet with tests, without results.
    fn gauntlet() -> Stages {
        let sprt = Sprt::parse("elo0=0,elo1=40").unwrap();
        let format = Box::new(TestedGauntlet::new(PLAYERS, 2, ROUNDS, sprt).unwrap());
        let config = FormatConfig::Gauntlet { sprt: Some(sprt) };
        Stages::new(format, &config, PLAYERS, Schedule::staged(2, 1), Vec::new())
    }

    /// Returns a game. Player 0 wins all against player 1, and four in seven against player 2.
    fn game(GameId { round, players }: &GameId) -> GameResult {
        let opponent = players.iter().max().copied().unwrap_or_default();
        let (wins, of) = if opponent == 1 { (1, 1) } else { (4, 7) };
        let mut rng = Rng::new(*round).fork(players[0] as u64).fork(opponent as u64);
        let winner = if rng.below(of) < wins { 0 } else { opponent };
        let scores = players.iter().map(|&player| i64::from(player == winner)).collect();
        GameResult {
            number: None,
            round: *round,
            rotation: u64::from(players[0] != 0),
            players: players.clone(),
            ending: ENDED_BY_THE_RULES,
            outcome: Some(Outcome { scores, out: Vec::new(), lower_is_better: false }),
            faults: Vec::new(),
            times: Vec::new(),
            fingerprint: 0,
        }
    }

    /// Returns the setup of a game, another one for each round.
    fn setup(of: &GameId) -> String {
        of.round.to_string()
    }

    /// Plays to the end, the games of each stage in random order.
    fn play(mut stages: Stages, seed: u64) -> Stages {
        let mut rng = Rng::new(seed);
        while stages.advance() != Next::End {
            let first = stages.games_of(stages.complete()).start;
            let mut left: Vec<GameId> =
                (first..stages.games.games()).map(|index| stages.games.id(index)).collect();
            rng.shuffle(&mut left);
            left.iter().for_each(|id| stages.count(&game(id), &setup(id)));
        }
        stages
    }

    #[test]
    fn tests_do_not_depend_on_the_order_of_games() {
        let one = play(gauntlet(), 1);
        let games = [1, 2].map(|opponent| {
            one.games.ids().filter(|id| id.players.contains(&opponent)).count() as u64
        });
        assert!(games[0] < games[1], "the clear test is decided first: {games:?}");
        for seed in 2..10 {
            assert_eq!(play(gauntlet(), seed).known(), one.known());
        }
        // A later run counts all stored games before it asks for the first stage.
        let mut resumed = gauntlet();
        one.results.ids().for_each(|id| resumed.count(&game(&id), &setup(&id)));
        while let Next::Stage(_) = resumed.advance() {}
        assert_eq!((resumed.is_over(), resumed.known()), (true, one.known()));
        assert!(!resumed.has_surplus(&[]));
    }

    /// A program that changed has games beyond its new end: its rounds were handed out again.
    #[test]
    fn games_beyond_the_end_of_a_test_do_not_count() {
        let one = play(gauntlet(), 1);
        let beyond = GameId { round: ROUNDS - 1, players: vec![0, 1] };
        let mut stages = gauntlet();
        stages.count(&game(&beyond), &setup(&beyond));
        assert!(!stages.has_surplus(&[]), "it may count later");
        let stages = play(stages, 1);
        assert_eq!(stages.known(), one.known());
        assert!(stages.has_surplus(&[]) && !stages.counts()(&beyond));
    }

    /// The games of a player that is absent in a later run count, and it gets no further ones.
    #[test]
    fn absent_player_keeps_its_games() {
        let one = play(gauntlet(), 1);
        let mut stages = gauntlet();
        let is_early = |id: &GameId| id.round < BATCH || !id.players.contains(&2);
        let early = one.results.ids().filter(is_early);
        early.for_each(|id| stages.count(&game(&id), &setup(&id)));
        let odd = GameId { round: BATCH, players: vec![0, 2] };
        stages.count(&game(&odd), &setup(&odd));
        stages.miss(2);
        while let Next::Stage(_) = stages.advance() {}
        assert!(stages.is_over());
        let own = stages.games.ids().filter(|id| id.players.contains(&2));
        assert_eq!(own.count() as u64, 2 * BATCH);
        assert!(
            stages.counts()(&odd) && !stages.has_surplus(&[]),
            "its pair comes with the player"
        );
    }

    /// A later run may have the player, so the games that are not due yet are not lost.
    #[test]
    fn absent_player_loses_the_games_up_to_the_first_missing_one() {
        let format = Box::new(RoundRobin::new(PLAYERS, 2, 4).unwrap());
        let games = Schedule::staged(2, 1);
        let mut stages = Stages::new(format, &FormatConfig::RoundRobin, PLAYERS, games, Vec::new());
        stages.miss(2);
        let is_played = |id: &GameId| id.round < 2 || id.round < 3 && !id.players.contains(&2);
        let played: Vec<GameId> = stages.games.ids().filter(is_played).collect();
        played.iter().for_each(|id| stages.count(&game(id), &setup(id)));
        assert_eq!(stages.advance(), Next::Games);
        let (history, _) = stages.results();
        let half_points = |group: [usize; 2]| {
            let of_group = |of: &&PlayedMeeting| of.meeting.players == group;
            let meetings = history.stages.iter().flat_map(|stage| &stage.meetings);
            meetings.filter(of_group).flat_map(|of| &of.half_points).sum::<u64>()
        };
        assert_eq!([half_points([0, 2]), half_points([1, 2])], [12, 12], "three of four rounds");
    }

    /// Returns a balanced tournament whose first stage has the first three of four players.
    fn balanced() -> Stages {
        let config = FormatConfig::Balanced { games_per_player: 8 };
        let format = Box::new(Balanced::new(4, 2, 8).unwrap());
        let mut stages = Stages::new(format, &config, 4, Schedule::staged(2, 1), Vec::new());
        stages.miss(3);
        assert!(matches!(stages.advance(), Next::Stage(_)));
        stages.history.present[3] = true;
        stages.is_paired = false;
        stages
    }

    /// Plays the games of the known stages, except those of player 5, and except those of player 4
    /// after its first `games`.
    fn play_some(stages: &mut Stages, games: usize) {
        let left: Vec<GameId> = stages.games.ids().filter(|id| !id.players.contains(&5)).collect();
        let (own, others): (Vec<GameId>, Vec<GameId>) =
            left.into_iter().partition(|id| id.players.contains(&4));
        let played = own.iter().take(games).chain(&others);
        played.for_each(|id| stages.count(&game(id), &setup(id)));
    }

    /// Players 4 and 5 leave, the last one without a game. Against it, player 4 has none to play.
    #[test]
    fn games_against_struck_players_do_not_count() {
        type Opened = fn() -> (FormatConfig, Box<dyn Format>);
        let formats: [Opened; 4] = [
            || (FormatConfig::RoundRobin, Box::new(RoundRobin::new(6, 2, 4).unwrap())),
            || {
                let format = Gauntlet::new(6, 1, 3, 4).unwrap();
                (FormatConfig::Gauntlet { sprt: None }, Box::new(format))
            },
            || {
                let format = Balanced::new(6, 2, 20).unwrap();
                (FormatConfig::Balanced { games_per_player: 20 }, Box::new(format))
            },
            || {
                let format = Graded::new(6, vec![0, 1], 2, 4, &Rng::new(1)).unwrap();
                (FormatConfig::Graded { bots: Vec::new() }, Box::new(format))
            },
        ];
        for (open, is_short) in formats.into_iter().flat_map(|of| [(of, false), (of, true)]) {
            let (config, format) = open();
            let seats = if matches!(config, FormatConfig::Gauntlet { .. }) { 3 } else { 2 };
            let games = Schedule::staged(seats, 1);
            let mut stages = Stages::new(format, &config, 6, games, Vec::new());
            stages.advance();
            let is_own = |id: &GameId| id.players.contains(&4) && !id.players.contains(&5);
            let own = stages.games.ids().filter(is_own).count();
            play_some(&mut stages, own / 2 - usize::from(is_short));
            [4, 5].iter().for_each(|&player| stages.miss(player));
            let expected = if is_short { &[4, 5][..] } else { &[5] };
            assert_eq!(stages.results().1, expected, "{}, {is_short}", config.word());
        }
    }

    /// Games in place of struck ones, or with a joiner, do not raise the number that a player of a
    /// balanced tournament has to play.
    #[test]
    fn games_beyond_those_of_the_format_are_not_asked_for() {
        for (has_joiner, is_short) in [(false, false), (false, true), (true, false), (true, true)] {
            let format = Box::new(Balanced::new(7, 2, 20).unwrap());
            let config = FormatConfig::Balanced { games_per_player: 20 };
            let mut stages = Stages::new(format, &config, 7, Schedule::staged(2, 1), Vec::new());
            stages.miss(6);
            stages.advance();
            play_some(&mut stages, 0);
            if has_joiner {
                stages.history.present[6] = true;
            }
            stages.miss(5);
            while let Next::Stage(_) = stages.advance() {}
            let is_own = |id: &GameId| id.players.contains(&4) && !id.players.contains(&5);
            let own = stages.games.ids().filter(is_own).count();
            assert!(own >= 20 && (own > 20) == has_joiner, "{own} games");
            play_some(&mut stages, 10 - usize::from(is_short));
            stages.miss(4);
            let expected = if is_short { &[4, 5][..] } else { &[5] };
            let struck = stages.results().1.into_iter().filter(|&player| player != 6);
            assert_eq!(struck.collect::<Vec<_>>(), expected, "{has_joiner}, {is_short}");
        }
    }

    /// Plays the current stage. Player `failing` plays `games` of its games, and fails to start in
    /// the last three of them.
    fn play_stage(stages: &mut Stages, failing: usize, games: usize) {
        let indices = stages.games_of(stages.complete());
        let ids: Vec<GameId> = indices.map(|index| stages.games.id(index)).collect();
        let (own, others): (Vec<GameId>, Vec<GameId>) =
            ids.into_iter().partition(|id| id.players.contains(&failing));
        others.iter().for_each(|id| stages.count(&game(id), &setup(id)));
        for (number, id) in own.into_iter().take(games).enumerate() {
            let has_failed = |of: &usize| *of == failing && number + 3 >= games;
            let failed: Vec<bool> = id.players.iter().map(has_failed).collect();
            stages.results.add(id, &[1, 1], &failed);
        }
        stages.advance();
    }

    /// A stage with a bye or before a player joined has none of its games. Those against a struck
    /// player do not count.
    #[test]
    fn half_of_the_games_of_a_swiss_tournament_is_of_those_against_others() {
        const NONE: usize = 9;
        let swiss = |players| {
            let format = Box::new(Swiss::new(players, 2, 3, 2).unwrap());
            let config = FormatConfig::Swiss { rounds: Some(3) };
            Stages::new(format, &config, players, Schedule::staged(2, 1), Vec::new())
        };
        let struck = |stages: &Stages| stages.results().1;
        // It has a bye, then it plays in the first of two further stages.
        for (games, is_struck) in [(3, true), (4, false)] {
            let mut stages = swiss(5);
            stages.advance();
            let player = stages.stages[0].byes[0];
            play_stage(&mut stages, NONE, 0);
            play_stage(&mut stages, player, games);
            assert!(stages.withdrawn().eq([player]));
            assert_eq!(struck(&stages).contains(&player), is_struck, "{games} of eight games");
            // Of the last stage it knows that the player is absent.
            play_stage(&mut stages, NONE, 0);
            assert_eq!(struck(&stages).contains(&player), is_struck, "{games} of eight games");
        }
        // It joins in the second stage, has a bye there, and plays in the last one.
        let mut stages = swiss(5);
        stages.history.present.truncate(4);
        stages.advance();
        play_stage(&mut stages, NONE, 0);
        stages.stages.truncate(1);
        stages.games = Schedule::staged(2, 1);
        stages.ends.clear();
        let first = stages.stages.remove(0);
        stages.begin(first);
        stages.history.present.push(true);
        stages.advance();
        assert_eq!(stages.stages[1].byes, [4]);
        play_stage(&mut stages, NONE, 0);
        play_stage(&mut stages, 4, 3);
        assert!(stages.withdrawn().eq([4]));
        assert_eq!(struck(&stages), Vec::<usize>::new(), "three of four games");
        // The first opponent of a struck player plays in one of two further stages.
        for (games, is_struck) in [(3, true), (4, false)] {
            let mut stages = swiss(4);
            stages.advance();
            let pair = stages.stages[0].meetings[0].0.clone();
            play_stage(&mut stages, pair[1], 3);
            play_stage(&mut stages, pair[0], games);
            let mut withdrawn = pair.clone();
            withdrawn.sort_unstable();
            assert!(stages.withdrawn().eq(withdrawn));
            let expected = if is_struck { &pair[..] } else { &pair[1..] };
            assert_eq!(struck(&stages), expected, "{games} of eight games");
        }
    }

    /// An interrupted trial of a joiner leaves it without pairings.
    #[test]
    fn joiner_without_pairings_leaves_games_open() {
        let mut stages = balanced();
        let all: Vec<GameId> = stages.games.ids().collect();
        all.iter().for_each(|id| stages.count(&game(id), &setup(id)));
        assert!(!stages.is_full());
        assert!(matches!(stages.advance(), Next::Stage(_)), "its games");
    }

    /// The games of the changed player against the withdrawn one are not played again.
    #[test]
    fn withdrawn_player_stays_so_when_another_one_changes() {
        let mut before = balanced();
        before.miss(3);
        let of_two = |id: &GameId| id.players.contains(&2);
        let failed: Vec<GameId> = before.games.ids().filter(of_two).collect();
        for id in before.games.ids().collect::<Vec<_>>() {
            let place = failed.iter().position(|of| *of == id);
            match place {
                Some(..3) => {
                    let fails = id.players.iter().map(|&player| player == 2).collect::<Vec<_>>();
                    before.results.add(id, &[1, 1], &fails);
                }
                Some(_) => {}
                None => before.count(&game(&id), &setup(&id)),
            }
        }
        while let Next::Stage(_) = before.advance() {}
        assert_eq!(before.withdrawn().collect::<Vec<_>>(), [2]);
        let mut after = balanced();
        after.miss(3);
        after.follow(&before, 0);
        let left: Vec<GameId> = after.games.ids().filter(|id| !of_two(id)).collect();
        left.iter().for_each(|id| after.count(&game(id), &setup(id)));
        while let Next::Stage(_) = after.advance() {}
        assert_eq!(after.withdrawn().collect::<Vec<_>>(), [2]);
        assert_eq!(after.advance(), Next::End, "no game of the withdrawn player is waited for");
    }
}
