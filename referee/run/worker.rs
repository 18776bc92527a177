//! Workers, each of which plays one game after another and keeps players where they allow it.

use super::player::PlannedPlayer;
use super::presence::Presence;
use super::processors::{set_of, threads_of};
use super::queue::{GameQueue, Work};
use super::roster::Field;
use super::setting::{Event, Workers};
use crate::play::adjudicator::Adjudicator;
use crate::play::pairing::Pairing;
use crate::play::record::Record;
use crate::play::{play_watched, trial, FaultReport, PlayedGame, SeatedPlayer, Watch};
use crate::player::fault::Fault;
use crate::player::script::Script;
use crate::player::{Player, Shutdown};
use crate::registry::drawing::PositionTexts;
use crate::registry::table::{RulesError, Table};
use crate::registry::Speech;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::Seat;
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use rustix::thread::CpuSet;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Worker of a run.
pub struct Worker<'t, 'a> {
    shared: &'t Workers<'a>,
    presence: &'t Presence,
    /// The shared list. If this worker is pinned, with a launcher that inherits its
    /// processor.
    processes: ProcessGroups,
    /// Processors of its games; none if it is not pinned.
    processors: Vec<usize>,
    players: HashMap<usize, KeptPlayer>,
    /// Number of the game that it plays.
    number: u64,
    /// Whether its last game is void and not played again, as a stop was requested.
    is_broken_off: bool,
}

/// Player that may be kept from game to game.
struct KeptPlayer {
    player: Box<dyn Player>,
    /// Number of changes of its program before it was started.
    revision: u64,
}

impl<'t, 'a> Worker<'t, 'a> {
    /// Creates a worker that keeps no player yet, and whose thread is pinned to `processors`.
    pub fn new(shared: &'t Workers<'a>, presence: &'t Presence, processors: Vec<usize>) -> Self {
        let processes = match shared.pinned {
            true => shared.processes.with_own_launcher(),
            false => shared.processes.clone(),
        };
        let (players, number, is_broken_off) = (HashMap::new(), 0, false);
        Worker { shared, presence, processes, processors, players, number, is_broken_off }
    }

    /// Works until the queue is empty or closed, or a stop is requested.
    pub fn work(&mut self, queue: &GameQueue, events: &SyncSender<Event>) {
        let stop = self.shared.stop;
        let is_cut_off = || stop.at_once() || queue.is_closed();
        while !stop.requested() {
            match queue.take() {
                None => break,
                Some(Work::Trial(player)) => {
                    self.trial(player);
                    queue.tried(player, self.shared.players[player].given_up().is_none());
                    // Without a receiver the run was broken off.
                    let _ = events.send(Event::Tried { player });
                }
                Some(Work::Game(hold)) => {
                    let revisions = look(&hold.pairing.players, queue, events);
                    if !queue.is_held(&hold) {
                        continue;
                    }
                    self.number = hold.number;
                    let mut record = self.game(hold.pairing, &revisions);
                    record.number = Some(hold.number);
                    // A game that was cut off says nothing about its players.
                    let faults = &record.played.faults;
                    if is_cut_off() || self.is_broken_off || self.was_ended_with_us(faults) {
                        break;
                    }
                    log::info!("{}", describe(&record, self.shared.players));
                    send(record, &revisions, queue, events);
                }
            }
        }
        self.dismiss();
    }

    /// Plays one game of this number, and keeps no player.
    pub fn play_alone(&mut self, number: u64, pairing: Pairing) -> Record {
        self.number = number;
        let revisions = vec![0; pairing.players.len()];
        let record = self.game(pairing, &revisions);
        self.dismiss();
        Record { number: Some(number), ..record }
    }

    /// Returns `true` if a player with one of these faults may have been ended by the signal that
    /// ends this referee: a cluster signals every process of a job. Waits for that signal, as it
    /// may arrive after the end of the player.
    fn was_ended_with_us(&self, reports: &[FaultReport]) -> bool {
        let stop = self.shared.stop;
        let faults = || reports.iter().map(|report| &report.fault);
        let is_missing = |fault: &Fault| matches!(fault, Fault::NotStarted { .. });
        if faults().any(|fault| fault.may_be_by_another_process() || is_missing(fault)) {
            let begun = Instant::now();
            while !stop.requested() {
                // On a busy machine the thread that requests the stop may run late.
                let most = if stop.is_coming() { SIGNAL_TAKEN } else { SIGNALS_APART };
                if begun.elapsed() >= most {
                    break;
                }
                sleep(Duration::from_millis(1));
            }
        }
        let is_end = |fault: &Fault| matches!(fault, Fault::Crash(_) | Fault::Disconnect);
        stop.requested() && faults().any(|fault| is_end(fault) || is_missing(fault))
    }

    /// Ends the players that were kept.
    fn dismiss(&mut self) {
        self.players.values_mut().for_each(|kept| kept.player.leave(Shutdown::Finish));
        self.players.clear();
    }

    /// Plays the first move of the first setup with a player. Gives the player up if it does not
    /// come so far.
    fn trial(&mut self, number: usize) {
        let shared = self.shared;
        let player = &shared.players[number];
        let Ok(setup) = shared.openings.setup(0) else { return };
        let mut lacking = None;
        for _ in 0..ABSENCES {
            let before = self.absences();
            let mut own = player.player(&self.processes, None);
            match self.try_player(player, &mut *own, &setup) {
                Ok(true) => {
                    drop(self.players.insert(number, KeptPlayer { player: own, revision: 0 }))
                }
                Ok(false) => {}
                // Another program may end.
                Err(report)
                    if report.fault.is_lack_of_resources()
                        && !shared.stop.requested()
                        && lacking.get_or_insert_with(Instant::now).elapsed() < RESOURCE_WAIT =>
                {
                    sleep(RESOURCE_WAIT / 20);
                    continue;
                }
                // It is tried again when the match is resumed.
                Err(report) if self.was_ended_with_us(std::slice::from_ref(&report)) => {}
                Err(_) if self.absences() > before => {
                    self.presence.tell();
                    if !shared.stop.requested() {
                        continue;
                    }
                }
                Err(report) => player.give_up(*report),
            }
            return;
        }
    }

    /// Has a player make the first move of a setup. Returns whether it can be kept, as [`trial`]
    /// does.
    fn try_player(
        &self,
        player: &PlannedPlayer,
        own: &mut dyn Player,
        setup: &str,
    ) -> Result<bool, Box<FaultReport>> {
        let shared = self.shared;
        // Failing rules are reported by the games.
        let Ok((mut table, seat, seats)) = self.trial_table(setup, player) else {
            return Ok(false);
        };
        let mut others: Vec<Script> = (0..seats).map(|_| Script::new([])).collect();
        let seeds = shared.schedule.seeds(0, 0, &[]);
        let placeholders_started = AtomicBool::new(true);
        let mut seated: Vec<SeatedPlayer> = others
            .iter_mut()
            .zip(&seeds)
            .map(|(script, &seed)| {
                SeatedPlayer::new(script, &player.config.limits, seed, &placeholders_started)
            })
            .collect();
        let own_seat = &mut seated[seat.index()];
        own_seat.player = own;
        own_seat.arguments = player.arguments(own_seat.seed, &shared.game.rules());
        own_seat.label = format!("trial of {}", player.config.name);
        own_seat.has_started = &player.has_started;
        trial(&mut *table, &mut seated, seat)
    }

    /// Returns a table at which a player sits on the seat that moves first, and the number of
    /// seats.
    fn trial_table(
        &self,
        setup: &str,
        player: &PlannedPlayer,
    ) -> Result<(Box<dyn Table + 'a>, Seat, usize), RulesError> {
        let game = self.shared.game;
        let seats = self.shared.schedule.seats();
        let mut speech = vec![Speech::Dialect(&arbitre::INFO); seats];
        let first = game.trial_table(setup, &speech)?.to_move()?.iter().next();
        let seat = first.ok_or_else(|| RulesError("no player is to move".into()))?;
        speech[seat.index()] = player.speech;
        Ok((game.trial_table(setup, &speech)?, seat, seats))
    }

    /// Plays a game between these revisions of the players.
    pub fn game(&mut self, pairing: Pairing, revisions: &[u64]) -> Record {
        let begun = Instant::now();
        let seats = pairing.players.len();
        let (setup, played) = match self.shared.openings.setup(pairing.round) {
            Err(error) => (String::new(), PlayedGame::failed(seats, error)),
            Ok(setup) => {
                let played = self.play_until_judged(&pairing, &setup, revisions);
                (setup, played)
            }
        };
        // Stored times are whole microseconds.
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let duration = Duration::from_micros(micros);
        let levels = pairing.players.iter().map(|&player| &self.shared.players[player]);
        let levels = levels.filter_map(PlannedPlayer::sandbox_level);
        let sandbox = levels.min().unwrap_or_default();
        Record { number: None, pairing, setup, played, duration, sandbox }
    }

    /// Returns the game of a player that was given up: void, without another attempt.
    fn absent(&self, pairing: &Pairing) -> Option<PlayedGame> {
        let stories = pairing.players.iter().enumerate().filter_map(|(seat, &player)| {
            let FaultReport { fault, .. } = self.shared.players[player].start_failure()?;
            let is_by_machine = fault.is_lack_of_resources();
            let fault = Fault::NotStarted { why: fault.reason(), is_by_machine };
            Some(FaultReport::of_absence(Seat::new(seat), fault))
        });
        let faults: Vec<FaultReport> = stories.collect();
        (!faults.is_empty()).then(|| PlayedGame::not_started(pairing.players.len(), faults))
    }

    /// Plays a game until it is judged: again while a player got too little processor time, while
    /// its rules fail, or if the referee was away. There are [`ATTEMPTS`], [`RULES_ATTEMPTS`] and
    /// [`ABSENCES`].
    fn play_until_judged(
        &mut self,
        pairing: &Pairing,
        setup: &str,
        revisions: &[u64],
    ) -> PlayedGame {
        let seats = pairing.players.len();
        let (mut attempts, mut absences, mut lacking) = (0, 0, None);
        loop {
            if let Some(played) = self.absent(pairing) {
                return played;
            }
            let before = self.absences();
            let played = self.play(pairing, setup, revisions);
            let played = played.unwrap_or_else(|why| PlayedGame::failed(seats, why));
            if self.absences() > before && self.is_void_by_absence(pairing, &played) {
                self.presence.tell();
                self.dismiss();
                absences += 1;
                if self.shared.stop.requested() {
                    self.is_broken_off = true;
                    return played;
                }
                if absences < ABSENCES {
                    continue;
                }
                let why = format!("the referee was away in each of {ABSENCES} attempts");
                return PlayedGame::failed(seats, RulesError(why));
            }
            if self.lacks_resources(pairing, &played)
                && lacking.get_or_insert_with(Instant::now).elapsed() < RESOURCE_WAIT
            {
                sleep(RESOURCE_WAIT / 20);
                continue;
            }
            self.take_note(pairing, &played);
            attempts += 1;
            if let Some(why) = &played.rules_error {
                log::warn!("{}: {why}; the game is void", place(pairing));
                if attempts >= RULES_ATTEMPTS || self.shared.stop.requested() {
                    return played;
                }
                continue;
            }
            let is_unjudged = |report: &&FaultReport| report.fault.is_unjudged();
            let Some(report) = played.faults.iter().find(is_unjudged) else { return played };
            let name = &self.shared.players[pairing.players[report.seat.index()]].config.name;
            log::warn!("{}: {name} {}; the game is void", place(pairing), report.fault);
            // A person would begin again and again.
            if attempts >= ATTEMPTS || self.has_a_person(pairing) || self.shared.stop.requested() {
                return played;
            }
        }
    }

    /// Returns `true` if the machine lacked resources for a player, and the game may be tried again
    /// because another program may end. After one wait in vain no further game of a player waits.
    fn lacks_resources(&self, pairing: &Pairing, played: &PlayedGame) -> bool {
        let player = |seat: Seat| &self.shared.players[pairing.players[seat.index()]];
        let lacks = |report: &FaultReport| {
            let has_lacked = player(report.seat).has_lacked_resources.load(Ordering::Relaxed);
            report.fault.is_lack_of_resources() && !has_lacked
        };
        // A person would begin again and again.
        let may_wait = !self.shared.stop.requested() && !self.has_a_person(pairing);
        may_wait && played.faults.iter().any(lacks)
    }

    fn has_a_person(&self, pairing: &Pairing) -> bool {
        pairing.players.iter().any(|&player| self.shared.players[player].is_person())
    }

    /// Returns the number of absences of the referee up to now. One by Ctrl-Z begins when the
    /// players are stopped, before the referee, and ends when they are continued, after it.
    fn absences(&self) -> u64 {
        self.presence.absences() + self.processes.pauses()
    }

    /// Returns `true` if a game is void because the referee was away. A person's game goes on,
    /// unless the rules or a program failed in a way that an absence can cause.
    fn is_void_by_absence(&self, pairing: &Pairing, played: &PlayedGame) -> bool {
        let players = self.shared.players;
        if !self.has_a_person(pairing) {
            return true;
        }
        let is_of_a_program = |report: &FaultReport| {
            !players[pairing.players[report.seat.index()]].is_person()
                && may_be_by_absence(&report.fault)
        };
        played.rules_error.is_some() || played.faults.iter().any(is_of_a_program)
    }

    fn play(
        &mut self,
        pairing: &Pairing,
        setup: &str,
        revisions: &[u64],
    ) -> Result<PlayedGame, RulesError> {
        let players = self.shared.players;
        let speech: Vec<Speech> = pairing.players.iter().map(|&p| players[p].speech).collect();
        let mut table = self.shared.game.table(setup, &speech)?;
        let rules = self.shared.game.rules();
        let mut taken = self.take_players(pairing, revisions);
        let mut seated: Vec<SeatedPlayer> = taken
            .iter_mut()
            .zip(&pairing.seeds)
            .map(|((number, kept), &seed)| SeatedPlayer {
                player: &mut *kept.player,
                limits: &players[*number].config.limits,
                arguments: players[*number].arguments(seed, &rules),
                seed,
                label: format!("{} {}", place(pairing), players[*number].config.name),
                has_started: &players[*number].has_started,
                may_ponder: players[*number].config.limits.ponder,
            })
            .collect();
        let adjudicator = self.shared.adjudication.map(Adjudicator::new);
        let (number, spectator) = (self.number, self.shared.spectator);
        if let Some(spectator) = spectator {
            spectator.begins(number, pairing, setup);
        }
        let watch = spectator.map(|spectator| {
            move |played: &PlayedGame, texts: &[PositionTexts]| {
                spectator.goes_on(number, played, texts);
            }
        });
        let watch = watch.as_ref().map(|watch| watch as Watch);
        let played = play_watched(&mut *table, &mut seated, adjudicator, watch);
        self.players.extend(taken);
        Ok(played)
    }

    /// Takes note of what a game shows about its players, besides its result.
    fn take_note(&self, pairing: &Pairing, played: &PlayedGame) {
        let players = self.shared.players;
        if played.rules_error.is_none() {
            count_unjudged(players, pairing, played);
        }
        for (&number, _) in
            pairing.players.iter().zip(&played.notes.left_processors).filter(|of| *of.1)
        {
            if !players[number].has_left.swap(true, Ordering::Relaxed) {
                let name = &players[number].config.name;
                log::warn!(
                    "{}: {name} runs on processors that it was not given{HELP}--threads gives it more",
                    place(pairing)
                );
            }
        }
        for report in &played.faults {
            let player = &players[pairing.players[report.seat.index()]];
            if report.fault.is_lack_of_resources() {
                player.has_lacked_resources.store(true, Ordering::Relaxed);
            }
            // A player that was ready before lacks resources only for the moment: it is not given
            // up.
            if matches!(report.fault, Fault::NotStarted { .. })
                && !player.has_started.load(Ordering::Relaxed)
            {
                player.give_up(report.clone());
            }
        }
    }

    /// Returns the processors of one player of a game, if its players do not share them.
    fn own_processors(&self, number: usize, pairing: &Pairing) -> Option<CpuSet> {
        let limits = |player: usize| &self.shared.players[player].config.limits;
        if self.processors.is_empty() || !pairing.players.iter().any(|&of| limits(of).ponder) {
            return None;
        }
        // The same ones on every seat, as the player may be kept.
        let before = pairing.players.iter().filter(|&&other| other < number);
        let first: usize = before.map(|&other| threads_of(limits(other))).sum();
        Some(set_of(&self.processors[first..first + threads_of(limits(number))]))
    }

    /// Takes the players of a game, by seat. Those of the last group that do not play in it leave.
    fn take_players(&mut self, pairing: &Pairing, revisions: &[u64]) -> Vec<(usize, KeptPlayer)> {
        let mut take = |(&number, &revision): (&usize, &u64)| {
            // A process that was started before a change still runs the earlier version.
            let kept = self.players.remove(&number).filter(|kept| kept.revision == revision);
            let new = || {
                let player = &self.shared.players[number];
                player.player(&self.processes, self.own_processors(number, pairing))
            };
            (number, kept.unwrap_or_else(|| KeptPlayer { player: new(), revision }))
        };
        let seated = pairing.players.iter().zip(revisions).map(&mut take).collect();
        self.dismiss();
        seated
    }
}

/// Returns `true` if the fault may come from a clock that ran on, or from a process that was ended.
fn may_be_by_absence(fault: &Fault) -> bool {
    let is_late = matches!(fault, Fault::Timeout { .. } | Fault::Unjudged { .. });
    is_late || matches!(fault, Fault::NotStarted { .. } | Fault::Crash(_) | Fault::Disconnect)
}

/// Time to retry the start of a player for which the machine lacks resources. Not tuned.
const RESOURCE_WAIT: Duration = Duration::from_secs(2);
/// Longest time between the signals that a player and the referee receive together. Not tuned.
const SIGNALS_APART: Duration = Duration::from_millis(100);
/// Longest time until a signal that has come requests a stop. Not tuned.
const SIGNAL_TAKEN: Duration = Duration::from_secs(10);
/// Number of attempts to play a game in which a player gets too little processor time to be judged.
/// The game then stays void. Not tuned.
const ATTEMPTS: usize = 4;
/// Number of attempts to play a game whose rules fail. The match then ends. Not tuned.
const RULES_ATTEMPTS: usize = 3;
/// Number of attempts to play a game, or to try a player, during which the referee is away. The
/// match then ends. Not tuned.
const ABSENCES: u32 = 100;
/// Number of games in a row in which a player could not be judged, after which it is withdrawn. Not
/// tuned.
const UNJUDGED_IN_A_ROW: u32 = 3;

/// Counts, for each player, the games in a row in which it could not be judged. Withdraws a player
/// to which this happens time and again, while its opponents are judged.
fn count_unjudged(players: Field, pairing: &Pairing, played: &PlayedGame) {
    let is_unjudged = |report: &&FaultReport| matches!(report.fault, Fault::Unjudged { .. });
    let Some(report) = played.faults.iter().find(is_unjudged) else {
        pairing.players.iter().for_each(|&player| players[player].was_judged());
        return;
    };
    let number = pairing.players[report.seat.index()];
    let in_a_row = players[number].was_not_judged();
    let mut opponents = pairing.players.iter().filter(|&&player| player != number);
    if in_a_row >= UNJUDGED_IN_A_ROW && opponents.all(|&player| players[player].is_judged()) {
        players[number].give_up(report.clone());
    }
}

/// Looks for changes of the players of a game, and reports them. Returns the revisions of the
/// players.
fn look(players: &[usize], queue: &GameQueue, events: &SyncSender<Event>) -> Vec<u64> {
    let Some(watch) = queue.watch() else { return vec![0; players.len()] };
    watch.look(players, |player, version| {
        // A failed send means that the queue is closed.
        let _ = events.send(Event::Changed { player, version });
        queue.reopen(player);
    });
    watch.revisions(players)
}

/// Reports a game, unless one of its programs changed while it was played: such a game counts for
/// no version.
fn send(record: Record, before: &[u64], queue: &GameQueue, events: &SyncSender<Event>) {
    let players = record.pairing.players.clone();
    let event = Event::Game(Box::new(record));
    match queue.watch() {
        None => drop(events.send(event)),
        Some(watch) => {
            look(&players, queue, events);
            watch.if_unchanged(&players, before, || drop(events.send(event)));
        }
    }
}

/// Returns the place of a game in its group, for the log.
fn place(pairing: &Pairing) -> String {
    format!("round {} seats {}", pairing.round, pairing.rotation)
}

/// Returns a game in one line, for the log.
fn describe(record: &Record, players: Field) -> String {
    let name = |seat: usize| players[record.pairing.players[seat]].config.name.as_str();
    let mut parts: Vec<String> = match &record.played.outcome {
        Some(outcome) => {
            (0..).zip(&outcome.scores).map(|(i, score)| format!("{} {score}", name(i))).collect()
        }
        None => vec!["void".into()],
    };
    parts.push(format!("{} moves", record.played.plies.len()));
    let faults = record.played.faults.iter();
    parts.extend(
        faults.map(|report| format!("{} of {}", report.fault.word(), name(report.seat.index()))),
    );
    format!("{}: {}", place(&record.pairing), parts.join(", "))
}
