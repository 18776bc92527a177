//! Playing of a contest: stage after stage, from its opened file to the last commit.

use super::collector::{tally_of, Collector};
use super::interrupt::Stop;
use super::plan::Plan;
use super::queue::GameQueue;
use super::setting::Event;
use crate::config::format::Course;
use crate::failure::Failure;
use crate::formats::stages::{Next, Stages};
use crate::formats::StoredStage;
use crate::play::record::Record;
use crate::registry::table::RulesError;
use crate::statistics::tally::Tally;
use crate::store::{Versions, View, Writer};
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::resource_limits::LoweredLimit;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Contest whose stored games are counted, and whose other games can be played.
pub struct Run {
    /// The plan.
    pub plan: Plan,
    collector: Collector,
    stages: Stages,
    /// Number of games that were counted at the beginning.
    resumed: u64,
}

/// Contest as far as it was played.
pub struct Outcome {
    /// The plan, with the players that could not be started.
    pub plan: Plan,
    /// File of the contest.
    pub store: Writer,
    /// Stages and their results.
    pub stages: Stages,
    /// Counts of the games that count.
    pub tally: Tally,
    /// Number of games that were counted at the beginning.
    pub resumed: u64,
    /// Duration of the run.
    pub duration: Duration,
    /// Whether all games are played that can be.
    pub is_full: bool,
    /// Whether the time was up before the last stage.
    pub time_is_up: bool,
    /// First failure of the rules.
    pub rules_error: Option<RulesError>,
}

/// News of a run.
pub enum News<'a> {
    /// A game was stored and counted, or is void.
    Game(&'a Record, &'a Tally),
    /// The program of a player changed.
    Changed(usize),
    /// A player failed to start time and again.
    Withdrawn(usize),
    /// The time is up, and the current round is the last.
    TimeIsUp,
}

/// Receiver of news.
pub type Reporter<'a> = &'a mut dyn FnMut(News) -> Result<(), Failure>;

/// Run while it is played.
struct Playing<'a> {
    plan: &'a Plan,
    collector: Collector,
    stages: Stages,
    /// Players whose trial is not over.
    untried: HashSet<usize>,
    until: Option<Instant>,
    report: Reporter<'a>,
    time_is_up: bool,
    rules_error: Option<RulesError>,
}

impl Run {
    /// Counts the stored games.
    ///
    /// # Errors
    /// Returns an error if the store is damaged.
    pub fn new(plan: Plan, store: Writer) -> Result<Run, Failure> {
        let mut stages = plan.stages.clone();
        let collector = Collector::new(store, &mut |result, setup| stages.count(result, setup))?;
        let resumed = collector.played().len() as u64;
        Ok(Run { plan, collector, stages, resumed })
    }

    /// Returns the number of games that were counted at the beginning.
    pub fn resumed(&self) -> u64 {
        self.resumed
    }

    /// Plays the games that the store lacks, until the contest is over or the user asks to stop.
    /// After `until` no further round begins. If `pinned`, each worker shares a processor with its
    /// players.
    ///
    /// # Errors
    /// Returns an error if a game cannot be stored or reported.
    pub fn play(
        self,
        pinned: bool,
        until: Option<Instant>,
        (stop, processes): (&Stop, &ProcessGroups),
        report: Reporter,
    ) -> Result<Outcome, Failure> {
        let Run { collector, stages, resumed, .. } = self;
        let (plan, begun) = (&self.plan, Instant::now());
        let tried = if is_over(&stages, &collector) { Vec::new() } else { plan.tried() };
        let (played, next) = (collector.played().clone(), collector.store.archive().ledger()?.next);
        let queue = plan.queue(tried.clone(), played, next);
        let (untried, time_is_up, rules_error) = (tried.into_iter().collect(), false, None);
        let mut playing =
            Playing { plan, collector, stages, untried, until, report, time_is_up, rules_error };
        playing.begin(&queue)?;
        let mut failed = None;
        // A resumed match may already be decided by its SPRT.
        if playing.collector.test_end().is_none() {
            let worked = plan.workers(pinned, processes, stop).run(&queue, |event| {
                let limits = restore_limits(processes);
                let taken = limits.and_then(|()| playing.take(event, &queue));
                queue.counted(playing.collector.counted());
                taken.unwrap_or_else(|failure| {
                    failed = Some(failure);
                    ControlFlow::Break(())
                })
            });
            failed = failed.or(worked.err());
        }
        let Playing { mut collector, stages, time_is_up, rules_error, .. } = playing;
        failed.map_or(Ok(()), Err)?;
        // Another process may have lowered a limit before the first game, so that none could begin.
        restore_limits(processes)?;
        collector.store.check_count()?;
        let (_, struck) = stages.results();
        if stages.has_surplus(&struck) {
            collector.settle(&stages, &struck)?;
        }
        collector.miss(stages.absent());
        // No stage begins once the time is up, so the end of the last one was not looked for.
        let is_full = stages.is_full() || time_is_up && is_over(&stages, &collector);
        let (tally, duration) = (collector.tally().clone(), begun.elapsed());
        let (plan, store) = (self.plan, collector.store);
        Ok(Outcome {
            plan,
            store,
            stages,
            tally,
            resumed,
            duration,
            is_full,
            time_is_up,
            rules_error,
        })
    }
}

/// Returns `true` if all games are played, with players that have failed here included.
fn is_over(stages: &Stages, collector: &Collector) -> bool {
    let mut stages = stages.clone();
    while let Next::Stage(_) = stages.advance() {}
    stages.is_full() || collector.test_end().is_some()
}

impl Outcome {
    /// Returns the counts of the games of these versions, and how the file shows them.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn seen(&self, versions: Versions) -> Result<(Tally, View), Failure> {
        let archive = self.store.archive();
        let view = archive.view(versions);
        let mut tally = match versions {
            Versions::All => tally_of(archive, &view)?,
            Versions::Current => self.tally.clone(),
        };
        tally.void = self.tally.void;
        Ok((tally, view))
    }
}

impl Playing<'_> {
    /// Begins with the players that can play, unless programs have to be tried first.
    fn begin(&mut self, queue: &GameQueue) -> Result<(), Failure> {
        for player in self.miss_absent()? {
            queue.withdraw(player);
        }
        if self.untried.is_empty() {
            self.advance(queue, true)?;
        }
        Ok(())
    }

    /// Notes the players that could not be started, and returns them.
    fn miss_absent(&mut self) -> Result<Vec<usize>, Failure> {
        let mut absent = Vec::new();
        for player in 0..self.plan.players.len() {
            if self.miss_if_absent(player)? {
                absent.push(player);
            }
        }
        Ok(absent)
    }

    /// Notes a player if it could not be started. In a tournament the reason is stored, as those
    /// that read the file later ask for it.
    fn miss_if_absent(&mut self, player: usize) -> Result<bool, Failure> {
        let Some(report) = self.plan.players[player].start_failure() else { return Ok(false) };
        self.stages.miss(player);
        if self.plan.config.tournament().is_some() && !report.fault.is_lack_of_resources() {
            self.collector.store.add_failed_start(player, report.absence_line())?;
        }
        Ok(true)
    }

    /// Takes an event of the workers.
    fn take(&mut self, event: Event, queue: &GameQueue) -> Result<ControlFlow<()>, Failure> {
        match event {
            Event::Tried { player } => {
                self.untried.remove(&player);
                if self.plan.lacks_resources() {
                    return Ok(ControlFlow::Break(()));
                }
                self.miss_if_absent(player)?;
                if self.untried.is_empty() {
                    self.advance(queue, true)?;
                }
                Ok(ControlFlow::Continue(()))
            }
            Event::Game(record) => self.game(*record, queue),
            Event::Changed { player, version } => {
                let mut stages = self.plan.stages.clone();
                stages.follow(&self.stages, player);
                self.collector
                    .change(player, version, &mut |result, setup| stages.count(result, setup))?;
                self.stages = stages;
                self.miss_absent()?;
                (self.report)(News::Changed(player))?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Stores a game and counts it.
    fn game(&mut self, record: Record, queue: &GameQueue) -> Result<ControlFlow<()>, Failure> {
        let (is_void, rules_error) =
            (record.played.outcome.is_none(), record.played.rules_error.clone());
        self.stages.count(&record.result(), &record.setup);
        let mut unread = None;
        self.collector.take(record, |record, tally| {
            unread = unread.take().or((self.report)(News::Game(record, tally)).err());
        })?;
        // Reported only now: a closed pipe must not keep a game from being stored.
        unread.map_or(Ok(()), Err)?;
        // Rules that failed time and again will fail in other games too. A void game leaves a gap
        // in the order of games, beyond which the SPRT cannot count.
        let is_gap = is_void && self.plan.config.sprt.is_some();
        let is_over = self.collector.test_end().is_some() || self.plan.lacks_resources();
        if rules_error.is_some() || is_gap || is_over {
            self.rules_error = rules_error;
            return Ok(ControlFlow::Break(()));
        }
        if is_void {
            // Its stage cannot be completed in this run, so no further one begins.
            queue.end();
        }
        self.look_at_the_clock(queue)?;
        self.advance(queue, false)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Begins the stages that can begin. Stages that do not depend on results all begin at first.
    fn advance(&mut self, queue: &GameQueue, is_first: bool) -> Result<(), Failure> {
        let config = &self.plan.config;
        let is_stored = config.format.course().is_stored();
        if is_first {
            self.check_fixed_bots()?;
            for stage in self.stages.known() {
                add_stage(queue, stage);
            }
        }
        loop {
            let withdrawn: Vec<usize> = self.stages.withdrawn().collect();
            let next = match self.time_is_up {
                true => {
                    self.stages.complete_played();
                    Next::Games
                }
                false => self.stages.advance(),
            };
            for player in self.stages.withdrawn().filter(|player| !withdrawn.contains(player)) {
                queue.withdraw(player);
                (self.report)(News::Withdrawn(player))?;
                self.check_fixed_bots()?;
            }
            self.collector.miss(self.stages.absent());
            match next {
                Next::Games => break,
                Next::Stage(stage) => {
                    if is_stored {
                        self.collector.store.add_stage(self.stages.rows() - 1, &stage)?;
                    }
                    add_stage(queue, &stage);
                }
                Next::End => {
                    queue.end();
                    break;
                }
            }
        }
        if let Some(note) = self.stages.note() {
            self.collector.store.add_stage(self.stages.rows() - 1, &note)?;
        }
        if is_first {
            queue.skip(self.stages.checked());
        }
        // All stages are there from the start, or no further one begins: in a shard, the games of
        // the others are missing.
        let is_fixed = config.format.course() == Course::Players || config.shard.is_some();
        if is_fixed || self.time_is_up {
            queue.end();
        }
        Ok(())
    }

    /// Returns an error if a fixed bot of a graded tournament cannot play, as all marks would lack
    /// its games.
    fn check_fixed_bots(&self) -> Result<(), Failure> {
        let config = &self.plan.config;
        let absent = self.stages.absent().into_iter().find(|&player| {
            let name = &config.players[player].name;
            config.format.fixed_bots().iter().any(|bot| bot.name == *name)
        });
        let Some(absent) = absent else { return Ok(()) };
        let player = &self.plan.players[absent];
        let why = player.given_up();
        let why = why.unwrap_or_else(|| "it made no move in three games in a row".into());
        Err(Failure::Player(format!(
            "expected all fixed bots to play, got {}: {why}{HELP}mend it: without it there are \
             no marks",
            player.config.name
        )))
    }

    /// Lets the contest end with the current round if its time is up.
    fn look_at_the_clock(&mut self, queue: &GameQueue) -> Result<(), Failure> {
        let is_late = !self.time_is_up && self.until.is_some_and(|until| Instant::now() >= until);
        if is_late && !is_over(&self.stages, &self.collector) {
            self.time_is_up = true;
            (self.report)(News::TimeIsUp)?;
            queue.end_after_round();
        }
        Ok(())
    }
}

fn add_stage(queue: &GameQueue, stage: &StoredStage) {
    for (groups, rounds) in stage.rounds() {
        queue.add_stage(groups, rounds);
    }
}

/// Restores the resource limits of this process.
fn restore_limits(processes: &ProcessGroups) -> Result<(), Failure> {
    processes.limits().restore().map_err(|LoweredLimit { name, error }| {
        Failure::Unavailable(format!(
            "another process lowered the limit on {name} of the referee ({error}){HELP}--resume \
             continues"
        ))
    })
}
