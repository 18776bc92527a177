//! The games of a tournament, stage after stage.

use crate::cli::listen::listen_beside;
use crate::cli::play_match::{change, kept_in, print_event};
use crate::failure::Failure;
use crate::player::process_group::ProcessGroups;
use crate::report::machines;
use crate::report::progress::Progress;
use crate::report::summary::{score_so_far, RunInfo};
use crate::resource_limits::make_room_for_descriptors;
use crate::statistics::tally::Tally;
use crate::store::{StoreError, Versions, Writer};
use crate::tournament::collector::Collector;
use crate::tournament::interrupt::Stop;
use crate::tournament::plan::MatchPlan;
use crate::tournament::queue::GameQueue;
use crate::tournament::stages::{Next, Stages};
use crate::tournament::{format, Event};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

/// Options of a run.
pub struct RunOptions {
    /// Whether each worker shares a processor with its players.
    pub pinned: bool,
    /// Whether each game is printed as a line of JSON.
    pub events: bool,
    /// Instant after which no further round begins.
    pub until: Option<Instant>,
    /// Whether messages name players.
    pub names_players: bool,
    /// Number of games after which a line of standings is printed; zero for none.
    pub rating_interval: u64,
}

/// Tournament as far as it was played.
pub struct PlayedTournament {
    /// Stages and their results.
    pub stages: Stages,
    /// Counts of all games.
    pub tally: Tally,
    /// Circumstances of the run.
    pub info: RunInfo,
    /// Whether the time was up before the last stage.
    pub time_is_up: bool,
}

/// Run of a tournament.
struct Run<'a, 's> {
    plan: &'a MatchPlan,
    collector: Collector<'s>,
    stages: Stages,
    /// Players whose trial is not over.
    untried: HashSet<usize>,
    progress: Progress,
    options: &'a RunOptions,
    time_is_up: bool,
    /// Games played in this run.
    played: u64,
}

/// Plays the games that the store lacks, until the tournament is over or the user asks to stop.
///
/// # Errors
/// Returns an error if a game cannot be stored.
pub fn play(
    plan: &MatchPlan,
    store: &mut Writer,
    options: &RunOptions,
) -> Result<PlayedTournament, Failure> {
    let db = kept_in(store);
    let mut stages = Stages::of_tournament(&plan.config, store.archive())?;
    let collector = Collector::observed(store, &mut |result| stages.count(result))?;
    let played = collector.played().clone();
    let (done, begun) = (played.len() as u64, Instant::now());
    make_room_for_descriptors(plan.concurrency);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let queue = plan.staged_queue(played, collector.archive().ledger()?.next);
    let tournament = plan.config.tournament.as_ref().expect("a tournament has a format");
    let most = match plan.config.shard {
        Some(_) => stages.schedule(&plan.schedule).own_games(),
        None => format::open(&tournament.format, &plan.config)
            .map_or(0, |format| format.games(plan.config.players.len()).most),
    };
    let progress = Progress::new(most, done, false, !plan.has_a_person());
    let last = match &db {
        Some(path) => {
            format!("stopped; the games counted are in {path}; the same command continues")
        }
        None => "stopped".into(),
    };
    let _listener = listen_beside(&progress, &stop, &processes, last)?;
    let untried = plan.tried().into_iter().collect();
    let mut run =
        Run { plan, collector, stages, untried, progress, options, time_is_up: false, played: 0 };
    run.begin(&queue)?;
    let mut failed = None;
    plan.tournament(options.pinned, &processes, &stop).run(&queue, |event| {
        let limits = processes.limits().restore().map_err(Failure::Unavailable);
        limits.and_then(|()| run.take(event, &queue)).unwrap_or_else(|failure| {
            failed = Some(failure);
            ControlFlow::Break(())
        })
    });
    run.progress.finish();
    failed.map_or(Ok(()), Err)?;
    run.collector.check_count()?;
    let Run { mut collector, stages, time_is_up, .. } = run;
    let (_, struck) = stages.results();
    if stages.has_surplus(&struck) {
        collector.settle(&stages, &struck)?;
    }
    let tally = collector.tally().clone();
    let archive = collector.archive();
    let machines = machines::differing(archive, &archive.view(Versions::Current))?;
    let info = RunInfo {
        resumed: done,
        duration: begun.elapsed(),
        openings_ran_out: plan.openings.fewer_than(tally.rounds)?,
        db,
        crowd: plan.crowd(),
        machines,
        sandbox: plan.sandboxes.as_ref().map(|of| of.level),
        is_full: match plan.config.shard {
            Some(_) => stages.has_shard(&plan.schedule),
            None => stages.is_over(),
        },
        not_started: plan.not_started(),
    };
    Ok(PlayedTournament { stages, tally, info, time_is_up })
}

impl Run<'_, '_> {
    /// Begins with the players that can play, unless programs have to be tried first.
    fn begin(&mut self, queue: &GameQueue) -> Result<(), Failure> {
        for number in self.miss_absent() {
            queue.withdraw(number);
        }
        if self.untried.is_empty() {
            self.advance(queue, true)?;
        }
        Ok(())
    }

    /// Notes the players that could not be started, and returns them.
    fn miss_absent(&mut self) -> Vec<usize> {
        let players = self.plan.players.iter().enumerate();
        let absent = players.filter(|(_, player)| player.start_failure().is_some());
        let absent: Vec<usize> = absent.map(|(number, _)| number).collect();
        absent.iter().for_each(|&number| self.stages.miss(number));
        absent
    }

    /// Takes an event of the workers.
    fn take(&mut self, event: Event, queue: &GameQueue) -> Result<ControlFlow<()>, Failure> {
        match event {
            Event::Tried { player } => {
                self.untried.remove(&player);
                if self.plan.players[player].start_failure().is_some() {
                    self.stages.miss(player);
                }
                if self.untried.is_empty() {
                    self.advance(queue, true)?;
                }
            }
            Event::Game(record) => {
                let mut unread = None;
                let result = record.result();
                self.stages.count(&result);
                if result.outcome.is_none() {
                    // Its stage cannot be completed in this run, so no further one begins.
                    queue.end();
                }
                let (plan, options) = (self.plan, self.options);
                let progress = &self.progress;
                self.collector.take(*record, |record, tally| {
                    let score = options.names_players.then(|| score_so_far(tally, &plan.config));
                    progress.game(score.unwrap_or_default());
                    if options.events {
                        unread = print_event(record, plan).err();
                    }
                })?;
                unread.map_or(Ok(()), Err)?;
                self.played += 1;
                self.look_at_the_clock(queue);
                self.advance(queue, false)?;
                self.report_standings();
            }
            Event::Changed { player, version } => {
                let flow = change(self.plan, &mut self.collector, player, version, &self.progress)?;
                let archive = self.collector.archive();
                let mut stages = Stages::of_tournament(&self.plan.config, archive)?;
                let view = archive.view(Versions::Current);
                archive.for_each_result::<StoreError>(&view, &mut |result| {
                    stages.count(&result);
                    Ok(())
                })?;
                self.stages = stages;
                self.miss_absent();
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Begins the stages that can begin. Stages that do not depend on results all begin at first.
    fn advance(&mut self, queue: &GameQueue, is_first: bool) -> Result<(), Failure> {
        if is_first {
            for stage in self.stages.known() {
                stage.rounds().into_iter().for_each(|(groups, round)| {
                    queue.add_stage(groups, round);
                });
            }
        }
        loop {
            let withdrawn: Vec<usize> = self.stages.withdrawn().collect();
            let next = match self.time_is_up {
                true => Next::Games,
                false => self.stages.advance(),
            };
            for player in self.stages.withdrawn().filter(|player| !withdrawn.contains(player)) {
                queue.withdraw(player);
                let name = match self.options.names_players {
                    true => &self.plan.config.players[player].name,
                    false => "a player",
                };
                self.progress.say(&format!(
                    "note: {name} failed to start three games in a row and is withdrawn"
                ));
            }
            match next {
                Next::Games => break,
                Next::Stage(stage) => {
                    if self.plan.config.counts_all_versions() {
                        self.collector.add_stage(self.stages.known().len() - 1, &stage)?;
                    }
                    for (groups, round) in stage.rounds() {
                        queue.add_stage(groups, round);
                    }
                }
                Next::End => {
                    queue.end();
                    break;
                }
            }
        }
        if is_first {
            queue.skip(self.stages.checked());
        }
        let tournament = self.plan.config.tournament.as_ref();
        let depends_on_results = tournament.is_some_and(|of| of.format.depends_on_results());
        // All stages are there from the start, or no further one begins.
        if !depends_on_results || self.time_is_up {
            queue.end();
        }
        Ok(())
    }

    /// Lets the tournament end with the current round if its time is up.
    fn look_at_the_clock(&mut self, queue: &GameQueue) {
        if !self.time_is_up && self.options.until.is_some_and(|until| Instant::now() >= until) {
            self.time_is_up = true;
            self.progress.say("the time is up; the current round is played to its end");
            queue.end_after_round();
        }
    }

    fn report_standings(&self) {
        let interval = self.options.rating_interval;
        if interval > 0 && self.options.names_players && self.played.is_multiple_of(interval) {
            let tally = self.collector.tally();
            self.progress.say(&format!(
                "{} games: {}",
                tally.games,
                score_so_far(tally, &self.plan.config)
            ));
        }
    }
}
