//! Builds and tests the programs that people upload to a room, below its games in priority.

use crate::check::{self, Checked};
use crate::cli::check::Bench;
use crate::cli::play::builder;
use arbitre_games::diagnostics;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::config::from_args::player_config;
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::{GameInfo, Registry};
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::planned_player;
use arbitre_referee::run::room::{Room, Task, Tested, Upload};
use arbitre_referee::run::sandboxes::SandboxPolicy;
use arbitre_referee::submissions::build::BuildEvent;
use arbitre_referee::submissions::entry::Stated;
use arbitre_referee::submissions::{Broken, Builder, Prepared, Ready, Submission};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::slice::from_mut;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Programs that are built or tested at once. One that hangs must not hold up a class. Not tuned.
const AT_ONCE: usize = 2;
/// Steps by which their priority is below that of the games. Not tuned.
const BELOW_THE_GAMES: i32 = 5;
/// Most games of a test. Not tuned.
const GAMES: u64 = 12;
/// Seed of the test games, as in `referee check`.
const SEED: u64 = 1;
/// Time between two looks at whether the server ends. Not tuned.
const LOOK: Duration = Duration::from_millis(200);

/// Tester of the uploads of a room.
pub struct Tester<'a> {
    /// The room.
    pub room: &'a Room,
    /// Game of the room.
    pub info: &'a GameInfo,
    /// Games, bots and the referee's own program.
    pub registry: &'a Registry,
    /// Options of the programs.
    pub options: PlayerOptions,
    /// Configuration of a program, with its dialect and its limits.
    pub model: PlayerConfig,
    /// Creates the policy of the sandboxes.
    pub policy: &'a (dyn Fn() -> SandboxPolicy<'a> + Sync),
    /// Requests to stop.
    pub stop: Stop,
    /// Process groups of the programs that are tested.
    pub processes: ProcessGroups,
}

impl Tester<'_> {
    /// Plays, while threads of its own work on uploads as they come. They end with the games.
    pub fn work_beside<T>(
        &self,
        uploads: Receiver<Box<dyn Upload>>,
        play: impl FnOnce() -> T,
    ) -> T {
        let (uploads, end) = (Mutex::new(uploads), self.ending());
        thread::scope(|scope| {
            (0..AT_ONCE).for_each(|_| drop(scope.spawn(|| self.work(&uploads))));
            let played = play();
            end();
            played
        })
    }

    /// Returns a function that ends all tests at once.
    pub fn ending(&self) -> impl Fn() + Send + 'static {
        let (stop, processes) = (self.stop.clone(), self.processes.clone());
        move || {
            stop.request();
            processes.end_all();
        }
    }

    fn work(&self, uploads: &Mutex<Receiver<Box<dyn Upload>>>) {
        // Of this thread and the programs that it starts alone.
        let _ = rustix::process::nice(BELOW_THE_GAMES);
        let policy = (self.policy)();
        while !self.stop.requested() {
            let next = uploads.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK);
            match next {
                Ok(upload) => {
                    if let Some(task) = upload.begin() {
                        let outcome = self.outcome(&task, &*upload, &policy);
                        upload.end(outcome);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn outcome(&self, task: &Task, upload: &dyn Upload, policy: &SandboxPolicy) -> Tested {
        let tested = self.tested(task, upload, policy);
        // What was cut off says nothing about the program.
        if self.stop.requested() {
            upload.say(b"the server ends; its next start tests this upload\n");
            return Tested::Stopped;
        }
        tested.unwrap_or_else(|failure| {
            upload
                .say(format!("{}\n", arbitre_games::text::report(&failure.to_string())).as_bytes());
            Tested::Failed
        })
    }

    /// Builds a program, then tests it, unless it has passed before.
    fn tested(
        &self,
        task: &Task,
        upload: &dyn Upload,
        policy: &SandboxPolicy,
    ) -> Result<Tested, Failure> {
        let say = |text: &str| upload.say(text.as_bytes());
        let Tester { model, registry, options, .. } = self;
        let builder = Builder {
            removes_others: false,
            builds: task.builds.clone(),
            in_use: OnceCell::new(),
            ..builder(&model.sandbox, policy, registry)
        };
        let submission = Submission::read(task.player.clone(), task.folder.clone());
        let tell = |event: BuildEvent| {
            match event {
                BuildEvent::Output(bytes) => upload.say(bytes),
                BuildEvent::Slow => say(&format!("{}\n", builder.slow_note("your program"))),
                BuildEvent::Looked => {}
            }
            if self.stop.requested() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let begun = Instant::now();
        let prepared = builder.prepare(&submission, &Stated::default(), &tell);
        let arg = prepared.arg();
        let digest = match prepared {
            Prepared::Ready(Ready { digest, .. }) => digest,
            // Its output was said as it came.
            Prepared::Broken(Broken { reason, .. }) => return Err(Failure::Player(reason)),
        };
        let built = begun.elapsed().as_secs_f64();
        let config = player_config(&arg, &model.dialect, options, task.player.clone(), registry)?;
        let config = PlayerConfig { version: digest, limits: model.limits.clone(), ..config };
        let mut player = planned_player(&config, &arg.kind, self.room.game(), registry)?;
        policy.apply(from_mut(&mut player));
        if task.has_passed {
            return Ok(Tested::Passed(Box::new(player)));
        }
        say(&format!("ready to start after {built:.1} s: {}\ntest games begin\n", arg.command));
        let bench = Bench {
            registry,
            info: self.info,
            game: self.room.game(),
            seats: self.room.seats(),
            games: GAMES,
            seed: SEED,
            stop: &self.stop,
            processes: &self.processes,
        };
        let report = bench.test(&player, &arg)?;
        if self.stop.requested() {
            return Ok(Tested::Stopped);
        }
        let checked = Checked {
            game: self.info.meta.name,
            player: "your program".into(),
            command: arg.command,
            outcome: Ok(report),
        };
        say(&check::text(&checked));
        Ok(match checked.is_ok() {
            true => Tested::Passed(Box::new(player)),
            false => Tested::Failed,
        })
    }
}

/// Prints why people cannot upload programs.
pub fn say_why_not(why: &str) {
    diagnostics::print(format_args!("note: no uploads: {why}\n"));
}
