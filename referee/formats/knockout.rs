//! Knockout: single elimination, double elimination on two seats, and tables whose upper half goes
//! on.
//!
//! Players are seeded in the order of their numbers. In each round the best remaining seed meets
//! the worst, the second best the second worst, and so on. The first round reduces the field to the
//! number of seats times a power of two; the best seeds have a bye there. Every later round halves
//! the field.
//!
//! At a table of `s` seats, `s / 2` players go on, rounded down. The last table of a round sends
//! more on where the field would become too small. The last `s` players play for the first place.
//!
//! In double elimination a player is out after its second loss. Players without a loss meet each
//! other, as do those with one; the last of each kind play the final. If the one without a loss
//! loses it, they play again.
//!
//! A tie between the last that goes on and the first that does not is broken by further rounds, at
//! most [`TIE_BREAK_ROUNDS`]. After them the better seed goes on. Every tie-break round is a stage.
//!
//! A player that is absent when a round begins is out. One that is absent when a tie is to be
//! broken loses the tie. A late joiner cannot enter.

use crate::formats::bracket::{
    Bracket, BracketMeeting, BracketPlayer, BracketRound, Decision, Side,
};
use crate::formats::error::check_table;
use crate::formats::scores::{rank_by, Scores};
use crate::formats::{
    Criterion, Format, FormatError, GameCount, History, Meeting, Placing, PlayedStage, Stage,
};
use std::cmp::Reverse;

/// Most further rounds of a tied meeting. Not tuned.
pub const TIE_BREAK_ROUNDS: u64 = 4;

/// Number of losses after which a player is out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elimination {
    /// One loss.
    Single {
        /// Whether the losers of the semi-finals play for the third place. On more than two seats
        /// there is no such match.
        third_place: bool,
    },
    /// Two losses.
    Double,
}

/// Knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knockout {
    seats: usize,
    rounds: u64,
    elimination: Elimination,
}

impl Knockout {
    /// Creates a knockout in which a meeting has `rounds` rounds, at least one.
    ///
    /// # Errors
    /// Returns an error if the players do not fill a table of at least two seats. Double
    /// elimination allows only two.
    pub fn new(
        players: usize,
        seats: usize,
        rounds: u64,
        elimination: Elimination,
    ) -> Result<Knockout, FormatError> {
        check_table(players, seats)?;
        if elimination == Elimination::Double && seats > 2 {
            return Err(FormatError::DoubleElimination { seats });
        }
        Ok(Knockout { seats, rounds: rounds.max(1), elimination })
    }

    fn lives(&self) -> usize {
        if self.elimination == Elimination::Double {
            2
        } else {
            1
        }
    }

    /// Plays the history again from the start.
    fn replay(&self, history: &History) -> Replay {
        let mut stages = history.stages.iter().peekable();
        let mut first_round = 0;
        let mut field = Field::new(history, self.lives());
        let mut rounds = Vec::new();
        loop {
            let stage = stages.next();
            let absent = field.begin_round(&attending(stage, history));
            let (mut tables, byes) = self.tables(&field);
            let sides = byes.iter().map(|&player| (player, self.side_of(&field, player)));
            let mut round = Round { tables: Vec::new(), byes: sides.collect(), absent };
            if tables.is_empty() {
                // The others may have won by the absence of the last opponent.
                rounds.extend(Some(round).filter(|of| !of.absent.is_empty()));
                return Replay { field, next: None, rounds };
            }
            let Some(stage) = stage else {
                let meeting = |table: &Table| Meeting {
                    players: table.players.clone(),
                    first_round,
                    rounds: self.rounds,
                };
                let meetings = tables.iter().map(meeting).collect();
                round.tables = tables;
                rounds.push(round);
                return Replay { field, next: Some(Stage { meetings, byes }), rounds };
            };
            first_round += self.rounds;
            for table in &mut tables {
                table.add(stage);
            }
            for _ in 0..TIE_BREAK_ROUNDS {
                let next = stages.peek().copied();
                match break_ties(&mut tables, next, history, first_round) {
                    TieBreak::Decided => break,
                    TieBreak::Played => stages.next(),
                    TieBreak::Next(stage) => {
                        round.tables = tables;
                        rounds.push(round);
                        return Replay { field, next: Some(stage), rounds };
                    }
                };
                first_round += 1;
            }
            field.settle(&tables, &byes);
            round.tables = tables;
            rounds.push(round);
        }
    }

    /// Returns the side on which a player has a bye.
    fn side_of(&self, field: &Field, player: usize) -> Side {
        match (self.elimination, field.losses[player]) {
            (Elimination::Single { .. }, _) => Side::Main,
            (Elimination::Double, 0) => Side::Winners,
            (Elimination::Double, _) => Side::Losers,
        }
    }

    /// Returns the tables of the next round, and the players with a bye.
    fn tables(&self, field: &Field) -> (Vec<Table>, Vec<usize>) {
        let mut byes = Vec::new();
        let mut tables = match self.elimination {
            Elimination::Single { .. } => halve(field.with_losses(0), self.seats, &mut byes),
            Elimination::Double => double_elimination(field, &mut byes),
        };
        let is_final = field.with_losses(0).len() == 2 && self.seats == 2;
        if is_final && self.elimination == (Elimination::Single { third_place: true }) {
            let losers = field.out_in_last_round();
            // An absent loser leaves the third place to the other one.
            if losers.len() == 2 && losers.iter().all(|&player| field.attending[player]) {
                tables.push(Table::new(losers, 1, Side::ThirdPlace));
            }
        }
        byes.sort_unstable();
        (tables, byes)
    }
}

impl Format for Knockout {
    fn next(&self, history: &History) -> Option<Stage> {
        self.replay(history).next
    }

    /// Ranks by the round in which a player went out. Losers of one round share a rank, except at
    /// the final table and in the match for the third place.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        let field = self.replay(history).field;
        let scores = Scores::of(history);
        let key = |player: usize| field.merit(player);
        rank_by(history.players(), key, |player| {
            (scores.half_points[player], vec![Criterion::Rounds(field.rounds_of[player])])
        })
    }

    fn bracket(&self, history: &History, current: Option<&PlayedStage>) -> Option<Bracket> {
        let mut known = history.clone();
        // The stage that is played tells its pairings, also if a player is absent by now.
        known.stages.extend(current.cloned());
        let Replay { field, next, mut rounds } = self.replay(&known);
        let is_begun = |round: &Round| round.tables.iter().any(|table| table.stages > 0);
        if current.is_some() {
            // The round after it is unknown.
            while rounds.last().is_some_and(|round| !is_begun(round)) {
                rounds.pop();
            }
        }
        let open: Vec<Vec<usize>> = match (current, &next) {
            (Some(stage), _) => {
                stage.meetings.iter().map(|of| of.meeting.players.clone()).collect()
            }
            (None, Some(stage)) => stage.meetings.iter().map(|of| of.players.clone()).collect(),
            (None, None) => Vec::new(),
        };
        let is_over = current.is_none() && next.is_none();
        let last = rounds.len().saturating_sub(1);
        let rounds = rounds.into_iter().enumerate().map(|(number, round)| {
            let is_open = |table: &Table| number == last && open.contains(&table.players);
            BracketRound {
                meetings: round.tables.iter().map(|of| of.described(is_open(of))).collect(),
                byes: round.byes,
                absent: round.absent,
            }
        });
        let remaining: Vec<usize> =
            (0..history.players()).filter(|&i| field.entered[i] && field.is_in(i)).collect();
        let winner = match remaining[..] {
            [winner] if is_over => Some(winner),
            _ => None,
        };
        Some(Bracket { rounds: rounds.collect(), winner })
    }

    /// Counts the games as if the better seed won every meeting.
    fn games(&self, players: usize) -> GameCount {
        let history = History { stages: vec![], present: vec![true; players] };
        let mut field = Field::new(&history, self.lives());
        let mut meetings = 0;
        loop {
            field.begin_round(&history.present);
            let (tables, byes) = self.tables(&field);
            if tables.is_empty() {
                break;
            }
            meetings += tables.len() as u64;
            field.settle(&tables, &byes);
        }
        // The final of a double elimination may be played twice.
        let second_final = u64::from(self.elimination == Elimination::Double);
        let seats = self.seats as u64;
        GameCount {
            least: meetings * self.rounds * seats,
            most: (meetings + second_final) * (self.rounds + TIE_BREAK_ROUNDS) * seats,
        }
    }
}

/// Course of a knockout up to the last complete stage.
struct Replay {
    /// The field after the last complete round.
    field: Field,
    /// The next stage; `None` if the tournament is over.
    next: Option<Stage>,
    /// The rounds, with the one of the next stage.
    rounds: Vec<Round>,
}

/// Round of a knockout.
struct Round {
    tables: Vec<Table>,
    byes: Vec<(usize, Side)>,
    /// Players that went out because they were absent.
    absent: Vec<usize>,
}

/// Returns the players that take part in a stage: those with a meeting or a bye, or the present
/// ones if the stage is not complete.
fn attending(stage: Option<&PlayedStage>, history: &History) -> Vec<bool> {
    let includes =
        |stage: &PlayedStage| (0..history.players()).map(|player| stage.includes(player)).collect();
    stage.map_or_else(|| history.present.clone(), includes)
}

/// Merit of a player, the greatest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Merit {
    /// The player joined too late.
    NotEntered,
    /// The player went out in this round. The second number is greater for a better place at the
    /// final table or in the match for the third place, and otherwise 0.
    Out(u64, usize),
    /// The player has this number of lives left.
    In(usize),
}

/// Players of a knockout between two rounds.
struct Field {
    entered: Vec<bool>,
    losses: Vec<usize>,
    /// Round in which each player went out, and its merit among those that went out with it.
    out: Vec<Option<(u64, usize)>>,
    byes: Vec<u64>,
    rounds_of: Vec<u64>,
    attending: Vec<bool>,
    lives: usize,
    round: u64,
}

impl Field {
    /// Creates the field of those that attend the first stage.
    fn new(history: &History, lives: usize) -> Field {
        let players = history.players();
        let entered = attending(history.stages.first(), history);
        Field {
            attending: entered.clone(),
            entered,
            losses: vec![0; players],
            out: vec![None; players],
            byes: vec![0; players],
            rounds_of: vec![0; players],
            lives,
            round: 0,
        }
    }

    /// Begins a round, without the players that are absent, and returns those that are out by it.
    fn begin_round(&mut self, attending: &[bool]) -> Vec<usize> {
        self.attending = attending.to_vec();
        self.round += 1;
        // The winner cannot lose any more, so it may leave.
        let remaining: Vec<usize> = (0..self.losses.len()).filter(|&i| self.is_in(i)).collect();
        if remaining.len() < 2 {
            return Vec::new();
        }
        let is_absent = |player: &usize| !attending[*player];
        let absent: Vec<usize> = remaining.into_iter().filter(is_absent).collect();
        absent.iter().for_each(|&player| self.out[player] = Some((self.round, 0)));
        absent.into_iter().filter(|&player| self.entered[player]).collect()
    }

    // A late joiner is out since the first round, where it was absent.
    fn is_in(&self, player: usize) -> bool {
        self.out[player].is_none()
    }

    /// Returns the remaining players with this number of losses, the best seed first.
    fn with_losses(&self, losses: usize) -> Vec<usize> {
        let players = 0..self.losses.len();
        players.filter(|&player| self.is_in(player) && self.losses[player] == losses).collect()
    }

    /// Returns the players that went out by a loss in the last complete round.
    fn out_in_last_round(&self) -> Vec<usize> {
        let is_loser = |&player: &usize| {
            let round = self.out[player].map(|(round, _)| round);
            self.losses[player] > 0 && round == Some(self.round - 1)
        };
        (0..self.losses.len()).filter(is_loser).collect()
    }

    /// Counts the results of a round.
    fn settle(&mut self, tables: &[Table], byes: &[usize]) {
        for &player in byes {
            self.byes[player] += 1;
            self.rounds_of[player] += 1;
        }
        for table in tables {
            let order = table.order();
            for (place, &player) in order.iter().enumerate() {
                self.rounds_of[player] += 1;
                let is_out = self.out[player].is_some();
                if !is_out && place >= table.advancing {
                    self.losses[player] += 1;
                }
                // Only at a last table of single elimination do places within it matter.
                let is_last = self.lives == 1 && table.is_last();
                let merit = if is_last { order.len() - place } else { 0 };
                if is_out {
                    self.out[player] = self.out[player].map(|(round, _)| (round, merit));
                } else if self.losses[player] == self.lives {
                    self.out[player] = Some((self.round, merit));
                }
            }
        }
    }

    fn merit(&self, player: usize) -> Merit {
        match self.out[player] {
            _ if !self.entered[player] => Merit::NotEntered,
            Some((round, merit)) => Merit::Out(round, merit),
            None => Merit::In(self.lives - self.losses[player]),
        }
    }
}

/// Players that meet in a round, with their results.
struct Table {
    /// The players, in ascending order.
    players: Vec<usize>,
    half_points: Vec<u64>,
    /// Whether each player lost a tie by its absence.
    absent: Vec<bool>,
    /// Players that go on.
    advancing: usize,
    side: Side,
    /// Number of stages in which the table played.
    stages: u64,
}

impl Table {
    fn new(mut players: Vec<usize>, advancing: usize, side: Side) -> Table {
        players.sort_unstable();
        let seats = players.len();
        Table {
            players,
            half_points: vec![0; seats],
            absent: vec![false; seats],
            advancing,
            side,
            stages: 0,
        }
    }

    /// Returns `true` if every place counts.
    fn is_last(&self) -> bool {
        matches!(self.side, Side::Final | Side::ThirdPlace)
    }

    /// Adds the results in a stage. Returns `true` if the table played there.
    fn add(&mut self, stage: &PlayedStage) -> bool {
        let mut own = stage.meetings.iter().filter(|of| of.meeting.players == self.players);
        let Some(played) = own.next() else { return false };
        for (sum, half_points) in self.half_points.iter_mut().zip(&played.half_points) {
            *sum += half_points;
        }
        self.stages += 1;
        true
    }

    /// Returns the players by their result; the better seed first where it is equal.
    fn order(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.players.len()).collect();
        places.sort_by_key(|&i| (self.absent[i], Reverse(self.half_points[i]), i));
        places.into_iter().map(|i| self.players[i]).collect()
    }

    /// Returns the table as a meeting of a bracket. `is_open` says whether it has games to play.
    fn described(&self, is_open: bool) -> BracketMeeting {
        let order = if is_open { self.players.clone() } else { self.order() };
        let points = |player: usize| {
            let own = self.players.iter().position(|&of| of == player);
            own.map_or(0, |place| self.half_points[place])
        };
        let player = |player| BracketPlayer { player, half_points: points(player) };
        let decision = match is_open {
            true => None,
            false if self.absent.contains(&true) => Some(Decision::Absence),
            false if self.is_tied() => Some(Decision::Seed),
            false => Some(Decision::Points),
        };
        BracketMeeting {
            side: self.side,
            players: order.into_iter().map(player).collect(),
            advancing: self.advancing,
            tie_breaks: self.stages.saturating_sub(1),
            decision,
        }
    }

    /// Returns `true` if the result does not tell which players go on.
    fn is_tied(&self) -> bool {
        let mut results: Vec<(bool, Reverse<u64>)> = self
            .absent
            .iter()
            .zip(&self.half_points)
            .map(|(&absent, &half_points)| (absent, Reverse(half_points)))
            .collect();
        results.sort_unstable();
        // Once a player was absent, no further round is played.
        !self.absent.contains(&true) && results[self.advancing - 1] == results[self.advancing]
    }
}

/// Result of [`break_ties`].
enum TieBreak {
    /// No table needs a further round.
    Decided,
    /// The next stage was such a round; its results are added.
    Played,
    /// A further round is to be played.
    Next(Stage),
}

/// Breaks ties by one further round. A tie at a table with an absent player is decided without it.
fn break_ties(
    tables: &mut [Table],
    next: Option<&PlayedStage>,
    history: &History,
    first_round: u64,
) -> TieBreak {
    let attending = attending(next, history);
    let (mut meetings, mut byes) = (Vec::new(), Vec::new());
    let mut was_played = false;
    for table in tables.iter_mut().filter(|table| table.is_tied()) {
        if next.is_some_and(|stage| table.add(stage)) {
            was_played = true;
            continue;
        }
        let is_full = table.players.iter().all(|&player| attending[player]);
        if next.is_none() && is_full {
            let players = table.players.clone();
            meetings.push(Meeting { players, first_round, rounds: 1 });
            continue;
        }
        table.absent = table.players.iter().map(|&player| !attending[player]).collect();
        // Their byes record that they were there.
        byes.extend(table.players.iter().filter(|&&player| attending[player]));
    }
    byes.sort_unstable();
    match (was_played, meetings.is_empty()) {
        (true, _) => TieBreak::Played,
        (false, true) => TieBreak::Decided,
        (false, false) => TieBreak::Next(Stage { meetings, byes }),
    }
}

/// Returns the largest `unit` times a power of two that is below `count`, at least `unit`.
fn reduced(count: usize, unit: usize) -> usize {
    let mut size = unit;
    while size * 2 < count {
        size *= 2;
    }
    size
}

/// Returns the tables of a round of single elimination. The best seeds of a field that does not
/// fill them have a bye.
fn halve(players: Vec<usize>, seats: usize, byes: &mut Vec<usize>) -> Vec<Table> {
    let count = players.len();
    let eliminated_at_table = seats - seats / 2;
    if count < seats {
        return vec![];
    }
    if count == seats {
        return vec![Table::new(players, 1, Side::Final)];
    }
    let eliminated = (count - reduced(count, seats)).min(count / seats * eliminated_at_table);
    let tables = eliminated.div_ceil(eliminated_at_table);
    let (resting, playing) = players.split_at(count - tables * seats);
    byes.extend(resting);
    let table = |(i, players): (usize, Vec<usize>)| {
        let of_this = eliminated_at_table.min(eliminated - i * eliminated_at_table);
        Table::new(players, seats - of_this, Side::Main)
    };
    folded(playing, tables).into_iter().enumerate().map(table).collect()
}

/// Deals players out to tables forwards and backwards, so that the sums of the seeds are close. On
/// two seats the best meets the worst.
fn folded(players: &[usize], tables: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); tables];
    if tables == 0 {
        return dealt;
    }
    for (row, players) in players.chunks(tables).enumerate() {
        for (i, &player) in players.iter().enumerate() {
            dealt[if row % 2 == 0 { i } else { tables - 1 - i }].push(player);
        }
    }
    dealt
}

/// Returns the tables of a round of double elimination.
fn double_elimination(field: &Field, byes: &mut Vec<usize>) -> Vec<Table> {
    let (unbeaten, mut beaten) = (field.with_losses(0), field.with_losses(1));
    let pairs = |players: &[usize], side: Side| {
        let pairs = folded(players, players.len() / 2).into_iter();
        pairs.map(|pair| Table::new(pair, 1, side)).collect::<Vec<_>>()
    };
    if unbeaten.len() < 2 && unbeaten.len() + beaten.len() == 2 {
        return pairs(&[unbeaten, beaten].concat(), Side::Final);
    }
    let mut tables = Vec::new();
    if unbeaten.len() > 1 {
        let playing = 2 * (unbeaten.len() - reduced(unbeaten.len(), 1));
        let (resting, playing) = unbeaten.split_at(unbeaten.len() - playing);
        byes.extend(resting);
        tables.extend(pairs(playing, Side::Winners));
    } else {
        byes.extend(&unbeaten);
    }
    if beaten.len() % 2 == 1 {
        let resting = (0..beaten.len()).min_by_key(|&place| (field.byes[beaten[place]], place));
        byes.extend(resting.map(|place| beaten.remove(place)));
    }
    tables.extend(pairs(&beaten, Side::Losers));
    tables
}
