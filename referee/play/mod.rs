//! One game, from the start of the players to the result.

pub mod adjudicator;
pub mod metadata;
pub mod notes;
pub mod pairing;
pub mod record;
pub mod replay;
pub mod viewer;

use crate::config::adjudication::AdjudicationRule;
use crate::config::limits::{PlayerLimits, LATE_ANSWERS};
use crate::escape::escape;
use crate::play::adjudicator::Adjudicator;
use crate::play::notes::Notes;
use crate::player::fault::{clip, Fault};
use crate::player::last_words::telling_line;
use crate::player::{Player, Seating, Shutdown};
use crate::registry::drawing::{PositionTexts, Step};
use crate::registry::table::{RejectedAnswer, Remarks, RulesError, StartParams, Table};
use arbitre_games::clock::RemainingTime;
use arbitre_games::dialect::Init;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{Outcome, Seat, Seats};
use arbitre_games::text::{alternatives, HELP};
use arbitre_process::attempts::Attempts;
use arbitre_process::process::Uncharged;
use arbitre_process::stopwatch::{AnswerForm, AnswerTime, Limit};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Number of bytes of a comment, or of a line of readiness, that are kept. Not tuned.
const COMMENT: usize = 1024;

/// Capacity for the lines of one turn, in bytes: enough for most games. Not tuned.
const PROMPT: usize = 512;

/// Most bytes of the texts of a game that are kept: 32 MiB. Not tuned.
const MOST_TEXTS: usize = 32 << 20;

/// Most bytes of the moves of a game whose rules run in another process, 32 MiB. Not tuned.
const MOST_MOVES: usize = 32 << 20;

/// Player on a seat, with its limits.
pub struct SeatedPlayer<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// Limits of the player.
    pub limits: &'a PlayerLimits,
    /// Arguments appended to its command if it must be started, before those of the dialect.
    pub arguments: Vec<String>,
    /// Seed of its random choices in this game.
    pub seed: u64,
    /// Name of the player in the log.
    pub label: String,
    /// Whether this player is known to start, because it was ready or answered before.
    pub has_started: &'a AtomicBool,
    /// Whether it may think while its opponents do.
    pub may_ponder: bool,
}

impl<'a> SeatedPlayer<'a> {
    /// Seats a player without arguments and without a label, which may not ponder.
    pub fn new(
        player: &'a mut dyn Player,
        limits: &'a PlayerLimits,
        seed: u64,
        has_started: &'a AtomicBool,
    ) -> SeatedPlayer<'a> {
        let (arguments, label) = (Vec::new(), String::new());
        SeatedPlayer { player, limits, arguments, seed, label, has_started, may_ponder: false }
    }
}

/// Move as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Seat that played.
    pub seat: Seat,
    /// The move in the game's notation.
    pub mv: String,
    /// Time of the answer, in whole microseconds.
    pub time: AnswerTime,
    /// Part of it that was charged.
    pub spent: Duration,
    /// Comment of the player on the move.
    pub comment: Option<String>,
    /// Standard error written since the player's last move, or since its start.
    pub stderr: String,
}

/// Fault with its circumstances.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultReport {
    /// Seat of the player at fault.
    #[serde(with = "SeatNumber")]
    pub seat: Seat,
    /// The fault.
    pub fault: Fault,
    /// Number of plies played before.
    pub ply: usize,
    /// Position as that seat saw it.
    pub position: String,
    /// Legal moves of the seat, in games that list them.
    pub legal: Vec<String>,
    /// End of its standard error.
    pub stderr: String,
    /// Access that the sandbox refused, from its standard error, with the option that allows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Stored form of a seat: its index.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Seat")]
struct SeatNumber(#[serde(getter = "seat_number")] usize);

fn seat_number(seat: &Seat) -> usize {
    seat.index()
}

impl From<SeatNumber> for Seat {
    fn from(SeatNumber(number): SeatNumber) -> Seat {
        // `Seat::new` panics on a seat beyond every table. Such a record is rejected when its seats
        // are checked.
        Seat::new(number.min(Seats::CAPACITY - 1))
    }
}

impl FaultReport {
    /// Returns why a player could not be started, with the error that its build or program printed,
    /// in one line.
    pub fn absence_line(&self) -> String {
        let reason = self.fault.reason();
        let (reason, output) = reason.split_once('\n').unwrap_or((&reason, ""));
        let is_cause = matches!(self.fault, Fault::NotStarted { .. });
        let stderr = if is_cause { self.stderr.as_str() } else { "" };
        match telling_line(&format!("{output}\n{stderr}")) {
            Some(line) => format!("{reason}: {line}"),
            None => reason.into(),
        }
    }

    /// Removes what the player wrote: its standard error and its answer.
    pub fn hide_texts(&mut self) {
        self.fault.hide_texts();
        self.stderr.clear();
        self.refused = None;
    }

    /// Creates the report of a player that was not asked to play, because it had been given up.
    pub fn of_absence(seat: Seat, fault: Fault) -> FaultReport {
        let (position, stderr) = (String::new(), String::new());
        FaultReport { seat, fault, ply: 0, position, legal: Vec::new(), stderr, refused: None }
    }
}

/// Report on the start of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartReport {
    /// Whether the player was kept from an earlier game.
    pub kept: bool,
    /// Line that reported readiness, if the dialect has one and the player sent it.
    pub ready: Option<String>,
}

/// Game that was played, or could not be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedGame {
    /// Start report of each seat, if its player was started.
    pub start_reports: Vec<Option<StartReport>>,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The faults, in the order in which they were found.
    pub faults: Vec<FaultReport>,
    /// Outcome of the game; none if it is void.
    pub outcome: Option<Outcome>,
    /// Rule of adjudication that ended the game.
    pub adjudicated: Option<AdjudicationRule>,
    /// Failure of the rules that made the game void.
    pub rules_error: Option<RulesError>,
    /// CPU time of each seat that no move is charged.
    pub uncharged: Vec<Uncharged>,
    /// Notes.
    pub notes: Notes,
    /// Texts of the positions at the start and after each of its [steps](PlayedGame::steps), if the
    /// rules gave any. Last ones may be missing.
    pub texts: Vec<PositionTexts>,
}

impl PlayedGame {
    /// Creates a void game of `seats` seats in which no player was started, because of `faults`.
    pub fn not_started(seats: usize, faults: Vec<FaultReport>) -> PlayedGame {
        PlayedGame {
            start_reports: vec![None; seats],
            faults,
            uncharged: vec![Uncharged::default(); seats],
            ..PlayedGame::default()
        }
    }

    /// Returns the events of the game in order. A move has its number, counted from 1.
    pub fn steps(&self) -> Vec<(Step<'_>, Option<usize>)> {
        let out_after = |plies: usize| {
            let reports = self.faults.iter().filter(|report| report.ply == plies);
            let seats: Seats = reports.map(|report| report.seat).collect();
            (!seats.is_empty()).then_some((Step::Eliminated(seats), None))
        };
        let mut steps: Vec<_> = out_after(0).into_iter().collect();
        for (i, ply) in self.plies.iter().enumerate() {
            steps.push((Step::Moved(ply.seat, &ply.mv), Some(i + 1)));
            steps.extend(out_after(i + 1));
        }
        steps
    }

    /// Returns a game of `seats` seats whose rules failed before it began.
    pub fn failed(seats: usize, error: RulesError) -> PlayedGame {
        PlayedGame { rules_error: Some(error), ..PlayedGame::not_started(seats, Vec::new()) }
    }
}

/// Plays a game to the end of the rules. Players that can play another game are then kept, all
/// others have ended.
pub fn play(table: &mut dyn Table, seated: &mut [SeatedPlayer]) -> PlayedGame {
    play_adjudicated(table, seated, None)
}

/// Plays a game as [`play`] does, unless `adjudicator` ends it earlier.
pub fn play_adjudicated<'t>(
    table: &'t mut dyn Table,
    seated: &'t mut [SeatedPlayer],
    adjudicator: Option<Adjudicator<'t>>,
) -> PlayedGame {
    play_watched(table, seated, adjudicator, None)
}

/// Receiver of a game after each of its moves and eliminations, with the texts of its positions.
pub type Watch<'w> = &'w dyn Fn(&PlayedGame, &[PositionTexts]);

/// Plays a game as [`play_adjudicated`] does, and shows it to `watch` as it goes on.
pub fn play_watched<'t>(
    table: &'t mut dyn Table,
    seated: &'t mut [SeatedPlayer],
    adjudicator: Option<Adjudicator<'t>>,
    watch: Option<Watch<'t>>,
) -> PlayedGame {
    let mut game = RunningGame { adjudicator, watch, ..RunningGame::new(table, seated) };
    match game.run() {
        Ok(outcome) => game.played.outcome = outcome,
        Err(error) => {
            // The players wait for lines that will never come.
            game.seated.iter_mut().for_each(|seated| seated.player.leave(Shutdown::AtOnce));
            game.played.rules_error = Some(error);
        }
    }
    game.seated.iter_mut().for_each(|seated| seated.player.settle());
    let uncharged = game.seated.iter_mut().map(|seated| seated.player.take_uncharged().in_micros());
    let uncharged = uncharged.collect();
    let left = game.seated.iter().map(|seated| seated.player.has_left_processors());
    let left_processors = kept_if(left.collect(), |left| *left);
    let attempts = game.seated.iter_mut().map(|seated| seated.player.take_attempts()).collect();
    let attempts = kept_if(attempts, |of: &Attempts| !of.is_empty());
    let Remarks { reason, metadata } = game.table.remarks();
    let Texts { kept: texts, left_out: texts_left_out, .. } = game.texts;
    let notes =
        Notes { reason, metadata, texts_left_out, left_processors, attempts, ..Notes::default() };
    PlayedGame { uncharged, notes, texts, ..game.played }
}

/// Returns facts on the seats, or none if no seat has such a fact.
fn kept_if<T>(facts: Vec<T>, is_one: impl Fn(&T) -> bool) -> Vec<T> {
    if facts.iter().any(is_one) {
        facts
    } else {
        Vec::new()
    }
}

/// Plays the first move of a game with the player on `seat`, which moves first; the others are
/// placeholders that are never asked. Returns whether the player can play another game; if not, it
/// has ended.
///
/// # Errors
/// Returns the report of a player that ended or never showed that it is there. A wrong or late
/// answer is no error: the player loses its games by itself.
pub fn trial(
    table: &mut dyn Table,
    seated: &mut [SeatedPlayer],
    seat: Seat,
) -> Result<bool, Box<FaultReport>> {
    let mut game = RunningGame::new(table, seated);
    // Failing rules are reported by the games.
    let is_kept = game.trial(seat).unwrap_or(false);
    let player = &mut game.seated[seat.index()].player;
    if !is_kept {
        player.leave(Shutdown::AtOnce);
        player.settle();
    }
    // They belong to no game.
    player.take_attempts();
    match game.played.faults.pop() {
        Some(report) if is_end(&report.fault) => Err(Box::new(report)),
        _ => Ok(is_kept),
    }
}

/// Returns `true` if the player is not there after this fault.
fn is_end(fault: &Fault) -> bool {
    let is_ended = matches!(fault, Fault::Crash(_) | Fault::MemoryLimit { .. } | Fault::Pondered);
    is_ended || matches!(fault, Fault::Disconnect | Fault::NotStarted { .. })
}

/// Step that a player never got to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingStep {
    Ready,
    Answer,
}

/// Reason why a player's start or answer does not count.
enum TurnFailure {
    Fault(Fault),
    Rules(RulesError),
}

impl From<Fault> for TurnFailure {
    fn from(fault: Fault) -> TurnFailure {
        TurnFailure::Fault(fault)
    }
}

impl From<RulesError> for TurnFailure {
    fn from(error: RulesError) -> TurnFailure {
        TurnFailure::Rules(error)
    }
}

/// Texts of the positions of a game.
#[derive(Default)]
struct Texts {
    kept: Vec<PositionTexts>,
    /// Number of positions whose texts were not kept.
    left_out: u64,
    /// Bytes that are kept.
    bytes: usize,
    /// Number of moves before the last position, if it is that after a fault.
    fault_after: Option<usize>,
}

impl Texts {
    /// Adds the position after `moves` moves. Those after faults at the same move are one.
    fn add(&mut self, texts: PositionTexts, moves: usize, is_after_fault: bool) {
        let fault_after = is_after_fault.then_some(moves);
        let is_again = is_after_fault && self.fault_after == fault_after;
        self.fault_after = fault_after;
        self.bytes += texts.text.len() + texts.picture.len() + texts.view.len();
        if self.left_out > 0 || self.bytes > MOST_TEXTS {
            self.left_out += u64::from(!is_again);
        } else if let (Some(last), true) = (self.kept.last_mut(), is_again) {
            *last = texts;
        } else {
            self.kept.push(texts);
        }
    }
}

struct RunningGame<'t, 's, 'p> {
    table: &'t mut dyn Table,
    seated: &'s mut [SeatedPlayer<'p>],
    remaining: Vec<RemainingTime>,
    /// Number of answers of each seat that used the overtime.
    late: Vec<u32>,
    /// Time limit of each seat's start, if it ends with the player's next answer.
    starts: Vec<Option<Duration>>,
    /// Whether each player can play another game.
    keep: Vec<bool>,
    /// The game so far, without its texts.
    played: PlayedGame,
    texts: Texts,
    /// Bytes of the moves.
    bytes: usize,
    /// Seats eliminated by a fault.
    out: Seats,
    /// Whether all players were ended in the middle of the game.
    is_cut_off: bool,
    adjudicator: Option<Adjudicator<'t>>,
    watch: Option<Watch<'t>>,
}

impl<'t, 's, 'p> RunningGame<'t, 's, 'p> {
    fn new(table: &'t mut dyn Table, seated: &'s mut [SeatedPlayer<'p>]) -> Self {
        let clocks = seated.iter().map(|player| &player.limits.clock);
        RunningGame {
            table,
            remaining: clocks.map(RemainingTime::new).collect(),
            late: vec![0; seated.len()],
            starts: vec![None; seated.len()],
            keep: vec![false; seated.len()],
            played: PlayedGame::not_started(seated.len(), Vec::new()),
            texts: Texts::default(),
            bytes: 0,
            out: Seats::NONE,
            is_cut_off: false,
            adjudicator: None,
            watch: None,
            seated,
        }
    }

    /// Starts the player on `seat` and asks for its first move. All others are then out, so that
    /// the player receives a result. Returns whether the player is kept.
    fn trial(&mut self, seat: Seat) -> Result<bool, RulesError> {
        if self.start(seat)?.is_none() {
            self.turn(seat)?;
        }
        if !self.played.faults.is_empty() || !self.keep[seat.index()] {
            return Ok(false);
        }
        let others: Seats =
            Seats::first(self.seated.len()).iter().filter(|other| *other != seat).collect();
        if others.is_empty() {
            return Ok(false);
        }
        self.table.forfeit(others, "trial")?;
        others.iter().for_each(|other| self.out.insert(other));
        let outcome = self.outcome()?;
        self.close(outcome).map(|_| true)
    }

    fn run(&mut self) -> Result<Option<Outcome>, RulesError> {
        self.keep_position(false)?;
        self.initialise()?;
        loop {
            self.hear_accusations()?;
            let seats = self.table.to_move()?;
            if seats.is_empty() {
                break;
            }
            // A game that the rules have ended does not get here.
            if let Some(outcome) = self.adjudicate()? {
                return self.close(outcome);
            }
            self.check_length()?;
            // Seats that move at once are asked one after another. The rules keep their moves from
            // each other, and those that fail share their place.
            let mut failed = Seats::NONE;
            for (number, seat) in seats.iter().enumerate() {
                if number > 0 && !self.table.to_move()?.contains(seat) {
                    break;
                }
                self.turn(seat)?.into_iter().for_each(|out| failed.insert(out));
                if self.is_cut_off {
                    break;
                }
            }
            self.eliminate(failed)?;
        }
        let outcome = self.outcome()?;
        self.close(outcome)
    }

    /// Eliminates the seats that the rules accuse of an illegal answer.
    fn hear_accusations(&mut self) -> Result<(), RulesError> {
        while let Some((seat, why)) = self.table.accusation() {
            let last = self.played.plies.iter().rfind(|ply| ply.seat == seat);
            let fault = Fault::illegal(last.map_or("", |ply| &ply.mv), &why);
            let seat = self.record(seat, fault)?;
            self.eliminate(Seats::one(seat))?;
        }
        Ok(())
    }

    /// Returns the outcome if the adjudicator ends the game here.
    fn adjudicate(&mut self) -> Result<Option<Outcome>, RulesError> {
        let Some(adjudicator) = &self.adjudicator else { return Ok(None) };
        let Some((rule, losers)) = adjudicator.ruling(&*self.table)? else { return Ok(None) };
        self.played.adjudicated = Some(rule);
        self.table.outcome_if_ended(losers).map(Some)
    }

    /// Refuses a game that goes on beyond its most plies. A bound that the user set has ended it
    /// before, or is higher.
    fn check_length(&self) -> Result<(), RulesError> {
        let is_bounded = self.adjudicator.as_ref().is_some_and(Adjudicator::bounds_plies);
        match self.table.most_plies() {
            Some(most) if self.played.plies.len() >= most && !is_bounded => {
                let mend = match self.table.seats() {
                    1 => "rules of longer games say 'plies N'",
                    _ => "--adjudicate max-plies=N ends it by the scores so far",
                };
                Err(RulesError(format!("the game has not ended after {most} plies{HELP}{mend}")))
            }
            Some(_) if self.bytes > MOST_MOVES => {
                Err(RulesError(format!("the moves of a game exceed {MOST_MOVES} bytes")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the outcome by the rules.
    fn outcome(&self) -> Result<Outcome, RulesError> {
        let over = || RulesError("no player is to move, and the game is not over".into());
        self.table.outcome()?.ok_or_else(over)
    }

    /// Starts the players one after another, so that each has the machine to itself. All that fail
    /// are eliminated together and share the last place.
    fn initialise(&mut self) -> Result<(), RulesError> {
        let mut failed = Seats::NONE;
        for seat in Seats::first(self.seated.len()).iter() {
            if self.is_cut_off {
                break;
            }
            self.start(seat)?.into_iter().for_each(|out| failed.insert(out));
        }
        self.eliminate(failed)
    }

    /// Starts the player on `seat`. Returns the seat that is out after a fault.
    fn start(&mut self, seat: Seat) -> Result<Option<Seat>, RulesError> {
        match self.seat(seat) {
            Ok(()) => Ok(None),
            Err(TurnFailure::Fault(fault)) => {
                let fault = self.start_fault(seat, fault, MissingStep::Ready);
                self.record(seat, fault).map(Some)
            }
            Err(TurnFailure::Rules(error)) => Err(error),
        }
    }

    fn seat(&mut self, seat: Seat) -> Result<(), TurnFailure> {
        let player = &mut self.seated[seat.index()];
        let (clock, seed) = (&player.limits.clock, player.seed);
        let start = StartParams { seat, clock, seed, kept: false };
        let arguments = [&player.arguments[..], &self.table.arguments(&start)?].concat();
        let kept = player.player.sit(&arguments)? == Seating::Kept;
        let start_report =
            self.played.start_reports[seat.index()].insert(StartReport { kept, ready: None });
        let start = StartParams { kept, ..start };
        let mut prompt = String::new();
        let init = self.table.open(&start, &mut prompt)?;
        if init != Init::UntilReady {
            // The player reports no readiness, so nothing tells the end of its initialisation.
            player.player.tell(&prompt);
            if init == Init::UntilRead {
                self.starts[seat.index()] = Some(player.limits.init());
            }
            // A person is present; a program proves it by its first answer.
            if player.player.is_asked_again() {
                player.has_started.store(true, Ordering::Relaxed);
            }
            return Ok(());
        }
        let time = Some(player.limits.init());
        let line = self.table.line_limit(seat);
        let (margin, counting) = (player.limits.margin, player.limits.counting());
        let limit = Limit { time, margin, counting, start: None, line, form: AnswerForm::Line };
        log_lines(&player.label, ">", &prompt);
        let table = &mut self.table;
        // A kept player may still print lines of its last game: the ready line is searched among
        // them.
        let is_ready: &mut dyn FnMut(&str) -> bool =
            &mut |line| table.hear_ready(seat, line).is_ok();
        let answer = player.player.ask(&prompt, &limit, kept.then_some(is_ready), &mut || {})?;
        log_lines(&player.label, "<", answer.line);
        let ready = self
            .table
            .hear_ready(seat, answer.line)
            .map_err(|why| Fault::invalid(answer.line, &why.to_string()))?;
        start_report.ready = Some(clip(answer.line, COMMENT).0);
        if !kept {
            player.player.note_ready();
        }
        self.keep[seat.index()] = ready.again;
        player.has_started.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the fault to record. A player that was never ready and never answered has shown
    /// nothing about its strength: it counts as not started. A program whose whole output is one
    /// answer gets a timeout even so.
    fn start_fault(&self, seat: Seat, fault: Fault, missing: MissingStep) -> Fault {
        let seated = &self.seated[seat.index()];
        let has_started = seated.has_started.load(Ordering::Relaxed);
        match fault {
            _ if fault.makes_void() => fault,
            Fault::Timeout { .. } if self.table.answers_once(seat) => fault,
            _ if has_started => fault,
            _ => {
                let hint = match (missing, &fault) {
                    _ if fault.may_be_unflushed() => "; is its output flushed?".into(),
                    // A bot of an arena expects numbers where the default dialect has a greeting.
                    // One that names another error needs no guess.
                    (
                        MissingStep::Ready,
                        Fault::Crash(_) | Fault::Invalid { .. } | Fault::OutputLimit { .. },
                    ) if may_be_of_an_arena(&seated.player.stderr()) => {
                        other_dialect(self.table.arena_dialects()).unwrap_or_default()
                    }
                    _ => String::new(),
                };
                let step = match missing {
                    MissingStep::Ready => "said that it is ready",
                    MissingStep::Answer => "answered",
                };
                let why = format!("it never {step}; it {fault}{hint}");
                Fault::NotStarted { why, is_by_machine: false }
            }
        }
    }

    /// Asks `seat` for a move and plays its answer. Returns the seat that is out after a fault.
    fn turn(&mut self, seat: Seat) -> Result<Option<Seat>, RulesError> {
        let mut prompt = String::with_capacity(PROMPT);
        let (limits, time_left) = (self.seated[seat.index()].limits, self.remaining[seat.index()]);
        self.table.ask(seat, time_left.go(&limits.clock), &mut prompt)?;
        if let Some(choices) = self.seated[seat.index()].player.choices() {
            *choices = self.table.legal_moves(seat)?;
        }
        let of_rules = self.table.time_limit(seat).filter(|_| limits.by_rules);
        let strict = Limit {
            time: of_rules.or(time_left.limit(&limits.clock)),
            margin: limits.margin,
            counting: limits.counting(),
            start: self.starts[seat.index()].take(),
            line: self.table.line_limit(seat),
            form: match self.table.answers_once(seat) {
                true => AnswerForm::AllOutput,
                false if self.table.takes_early_answers() => AnswerForm::EarlyLine,
                false => AnswerForm::Line,
            },
        };
        let overtime = limits.overtime.filter(|_| self.late[seat.index()] < LATE_ANSWERS);
        let limit = Limit { margin: strict.margin + overtime.unwrap_or_default(), ..strict };
        loop {
            match self.request_move(seat, &prompt, &limit) {
                Ok(ply) => {
                    self.remaining[seat.index()].charge(ply.spent, &limits.clock);
                    self.late[seat.index()] += u32::from(!strict.allows(ply.spent));
                    if let Some(adjudicator) = &mut self.adjudicator {
                        adjudicator.add(seat, ply.comment.as_deref());
                    }
                    self.bytes += ply.mv.len();
                    self.played.plies.push(ply);
                    self.keep_position(false)?;
                    return Ok(None);
                }
                Err(TurnFailure::Rules(error)) => return Err(error),
                // A person may try again, with the reason as the new prompt.
                Err(TurnFailure::Fault(
                    Fault::Illegal { why, .. } | Fault::Invalid { why, .. },
                )) if self.seated[seat.index()].player.is_asked_again() => {
                    prompt = format!("{why}; once more> ");
                }
                Err(TurnFailure::Fault(fault)) => {
                    let fault = self.start_fault(seat, fault, MissingStep::Answer);
                    return self.record(seat, fault).map(Some);
                }
            }
        }
    }

    fn request_move(
        &mut self,
        seat: Seat,
        prompt: &str,
        limit: &Limit,
    ) -> Result<Ply, TurnFailure> {
        let (before, rest) = self.seated.split_at_mut(seat.index());
        let (own, after) = rest.split_first_mut().expect("the seat is at the table");
        let SeatedPlayer { player, label, has_started, limits, .. } = own;
        log_lines(label, ">", prompt);
        let mut on_thinking = || {
            let others = before.iter_mut().chain(after.iter_mut());
            others.for_each(|other| other.player.rest(other.may_ponder));
        };
        let answer = player.ask(prompt, limit, None, &mut on_thinking)?;
        has_started.store(true, Ordering::Relaxed);
        log_lines(label, "<", answer.line);
        // What is charged is what is stored, so that a replay charges the same.
        let time = answer.time.in_micros();
        let spent = time.charge(limit.counting);
        // Rules whose limits are replaced would find an answer late by their own.
        if limits.by_rules {
            self.table.charge(seat, spent);
        }
        let heard = self.table.hear(seat, answer.line).map_err(|refusal| match refusal {
            RejectedAnswer::Invalid(why) => Fault::invalid(answer.line, &why).into(),
            RejectedAnswer::Illegal(why) => Fault::illegal(answer.line, &why).into(),
            RejectedAnswer::Rules(error) => TurnFailure::Rules(error),
        })?;
        let stderr = player.take_stderr();
        let (mv, comment) = (heard.mv, heard.comment);
        let comment = comment.map(|comment| clipped_comment(&comment));
        Ok(Ply { seat, mv, time, spent, comment, stderr })
    }

    /// Records a fault while the position is still the one in which it happened. Ends the player.
    /// Returns its seat, which is another one if that used up a quota.
    fn record(&mut self, seat: Seat, fault: Fault) -> Result<Seat, RulesError> {
        let (seat, fault) = self.of_holder(seat, fault);
        let player = &mut self.seated[seat.index()].player;
        // Ended first, so that the report has all of its standard error.
        player.leave(Shutdown::AtOnce);
        let stderr = player.take_stderr();
        self.played.faults.push(FaultReport {
            seat,
            fault,
            ply: self.played.plies.len(),
            position: self.table.position(seat)?,
            legal: self.table.legal_moves(seat)?,
            refused: player.refused(&stderr),
            stderr,
        });
        self.keep[seat.index()] = false;
        Ok(seat)
    }

    /// Returns a fault with its seat. Where a program ended while a quota was used up, looks for
    /// the player that holds it, and ends all of them.
    fn of_holder(&mut self, failed: Seat, fault: Fault) -> (Seat, Fault) {
        let count = self.seated.len();
        let holder = match fault {
            Fault::QuotaUsedUp { holder, .. } => holder.filter(|&of| of < count).map(Seat::new),
            Fault::Crash(_) | Fault::Disconnect | Fault::NotStarted { .. }
                if !self.seated[failed.index()].player.has_quota() =>
            {
                // Stopped, so that none gives it back unseen.
                self.seated.iter_mut().for_each(|seated| seated.player.freeze());
                let mut present = Seats::first(count).iter().filter(|&of| !self.out.contains(of));
                present.find(|of| self.seated[of.index()].player.holds_quota())
            }
            _ => return (failed, fault),
        };
        if holder == Some(failed) {
            return (failed, fault);
        }
        self.seated.iter_mut().for_each(|seated| seated.player.leave(Shutdown::AtOnce));
        self.is_cut_off = true;
        let fault = Fault::QuotaUsedUp { holder: holder.map(Seat::index), failed: failed.index() };
        (holder.unwrap_or(failed), fault)
    }

    fn eliminate(&mut self, seats: Seats) -> Result<(), RulesError> {
        if let Some(first) = seats.iter().next() {
            let report = self.played.faults.iter().rev().find(|report| report.seat == first);
            self.table.forfeit(seats, report.map_or("fault", |report| report.fault.word()))?;
            seats.iter().for_each(|seat| self.out.insert(seat));
            self.keep_position(true)?;
        }
        // The others share the places before it.
        let left = Seats::first(self.seated.len()).iter().filter(|&seat| !self.out.contains(seat));
        let left: Seats = left.collect();
        if self.is_cut_off && !left.is_empty() && self.table.outcome()?.is_none() {
            self.eliminate(left)?;
        }
        Ok(())
    }

    /// Keeps the texts of the position, if the rules give any, and shows the game.
    fn keep_position(&mut self, is_after_fault: bool) -> Result<(), RulesError> {
        if let Some(texts) = self.table.texts()? {
            self.texts.add(texts, self.played.plies.len(), is_after_fault);
        }
        if let Some(watch) = self.watch {
            watch(&self.played, &self.texts.kept);
        }
        Ok(())
    }

    /// Sends the result to every player still in the game, and ends or keeps the player. Returns
    /// `outcome`, unless a player that could not be started or judged makes the game void.
    fn close(&mut self, outcome: Outcome) -> Result<Option<Outcome>, RulesError> {
        for (i, player) in self.seated.iter_mut().enumerate() {
            let seat = Seat::new(i);
            if !self.out.contains(seat) {
                let mut last_words = String::new();
                self.table.close(seat, &outcome, &mut last_words)?;
                log_lines(&player.label, ">", &last_words);
                player.player.tell(&last_words);
                player.player.leave(if self.keep[i] { Shutdown::Stay } else { Shutdown::Finish });
            }
        }
        let is_void = self.played.faults.iter().any(|report| report.fault.makes_void());
        Ok(Some(outcome).filter(|_| !is_void))
    }
}

/// Returns `true` if a program with this standard error may have expected a number in place of the
/// greeting `arbitre 1`. It says nothing, quotes the greeting, or names the error of its language
/// for a text that is no number.
pub fn may_be_of_an_arena(stderr: &str) -> bool {
    let greeting = arbitre::INFO.name;
    let errors = [
        "FormatException",
        "InputMismatchException",
        "int_of_string",
        "Scan_failure",
        "ParseIntError",
    ];
    let quotes = ["'", "\""].map(|quote| format!("{quote}{greeting}"));
    let mut signs = errors.into_iter().chain(quotes.iter().map(String::as_str));
    stderr.trim().is_empty() || signs.any(|sign| stderr.contains(sign))
}

/// Returns the hint that a bot may speak one of these dialects.
fn other_dialect(dialects: &[&str]) -> Option<String> {
    let names = alternatives(dialects);
    (!dialects.is_empty()).then(|| format!("; a bot for an arena needs --dialect {names}"))
}

/// Returns a comment, or its start with the number of bytes dropped.
fn clipped_comment(comment: &str) -> String {
    match clip(comment, COMMENT) {
        (comment, 0) => comment,
        (start, dropped) => format!("{start} [{dropped} bytes dropped]"),
    }
}

/// Logs the conversation at level debug (`-vv`), escaped for the terminal. `>` marks lines to the
/// player, `<` lines from it.
fn log_lines(label: &str, direction: &str, text: &str) {
    if log::log_enabled!(log::Level::Debug) {
        text.lines().for_each(|line| log::debug!("{label} {direction} {}", escape(line)));
    }
}
