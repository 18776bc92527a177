//! A player in this process that panics ends the run with an error, whatever the other workers do,
//! and the run can go on.

use arbitre::console::Console;
use arbitre::game::ParseError;
use arbitre::internals::config::args::ConfigArgs;
use arbitre::internals::config::common_args::CommonArgs;
use arbitre::internals::config::format::FormatConfig;
use arbitre::internals::config::from_args::{resolve, Absent, Tables};
use arbitre::internals::config::player_options::PlayerOptions;
use arbitre::internals::config::{Source, TournamentSource};
use arbitre::internals::failure::Failure;
use arbitre::internals::run::contest_run::{Outcome, Run};
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::plan::Plan;
use arbitre::internals::run::sandboxes::SandboxPolicy;
use arbitre::internals::run::PlayerSource;
use arbitre::internals::statistics::sprt::Sprt;
use arbitre::internals::store::Writer;
use arbitre::referee::registry::Registry;
use arbitre_process::process_group::ProcessGroups;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Moment at which a player panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    Start,
    Move,
    End,
}

/// Contest in which it panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Case {
    Match,
    Test,
    Knockout,
}

/// Every combination must have a line here: contest, games at once, moment.
const TABLE: [(Case, u16, Moment); 18] = {
    use Case::{Knockout, Match, Test};
    use Moment::{End, Move, Start};
    [
        (Match, 1, Start),
        (Match, 1, Move),
        (Match, 1, End),
        (Match, 2, Start),
        (Match, 2, Move),
        (Match, 2, End),
        (Test, 1, Start),
        (Test, 1, Move),
        (Test, 1, End),
        (Test, 2, Start),
        (Test, 2, Move),
        (Test, 2, End),
        (Knockout, 1, Start),
        (Knockout, 1, Move),
        (Knockout, 1, End),
        (Knockout, 2, Start),
        (Knockout, 2, Move),
        (Knockout, 2, End),
    ]
};

/// Games before the panic.
const CALM_GAMES: u32 = 3;

/// Bot that plays the first legal move, and panics in a later game.
struct Panicking {
    moment: Option<Moment>,
    answer: String,
}

impl Console for Panicking {
    fn start(&mut self, _: &mut String) {
        assert_ne!(self.moment, Some(Moment::Start), "a planned panic");
    }

    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError> {
        let mut words = line.split(' ');
        match words.next() {
            Some("begin") => out.push_str("ready panicking\n"),
            Some("legal") => self.answer = words.next().unwrap_or_default().to_owned() + "\n",
            Some("go") => {
                assert_ne!(self.moment, Some(Moment::Move), "a planned panic");
                out.push_str(&self.answer);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Drop for Panicking {
    fn drop(&mut self) {
        if !thread::panicking() {
            assert_ne!(self.moment, Some(Moment::End), "a planned panic");
        }
    }
}

fn registry() -> Registry {
    Registry { executable: Path::new(env!("CARGO_BIN_EXE_referee")), ..arbitre::registry() }
}

/// Plays a contest, of which `store` may hold a part. Without a moment nothing panics.
fn play(
    contest: Case,
    concurrency: u16,
    moment: Option<Moment>,
    db: &Path,
) -> Result<Outcome, Failure> {
    let registry = registry();
    let common = CommonArgs { game: Some("awele".into()), ..CommonArgs::default() };
    let players = ["a", "b", "c", "d"].iter().map(|name| format!("{name}=awele random"));
    let players: Vec<String> =
        players.take(if contest == Case::Knockout { 4 } else { 2 }).collect();
    let common = CommonArgs { seats: Some(2), ..common };
    let args = ConfigArgs { players, common, ..ConfigArgs::default() };
    let absent = Absent { seed: 1, games: Some(12), tables: Tables::Two };
    let mut resolved = resolve(&args, &PlayerOptions::default(), absent, &registry)?;
    match contest {
        Case::Match => {}
        Case::Test => resolved.config.sprt = Sprt::parse("elo0=0,elo1=5").ok(),
        Case::Knockout => {
            resolved.config.format = FormatConfig::Knockout { third_place: false };
            resolved.config.source = Source::Tournament(TournamentSource::default());
        }
    }
    let policy = SandboxPolicy::new(registry.executable, None, Some(db));
    let stored = match db.exists() {
        true => Writer::resume(db, "a test", &registry)?,
        false => None,
    };
    let archive = stored.as_ref().map(Writer::archive);
    let mut plan = Plan::new(resolved, archive, &registry, Some(concurrency), &policy)?;
    let started = Arc::new(AtomicU32::new(0));
    for player in &mut plan.players {
        let started = started.clone();
        player.source = PlayerSource::InProcess(Arc::new(move || {
            let is_late = started.fetch_add(1, Ordering::Relaxed) >= CALM_GAMES;
            let moment = moment.filter(|_| is_late);
            Box::new(Panicking { moment, answer: String::new() })
        }));
    }
    let store = match stored {
        Some(store) => store,
        None => Writer::create(db, &plan.config, "a test", &registry)?,
    };
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    Run::new(plan, store)?.play(false, None, (&stop, &processes), &mut |_| Ok(()))
}

#[test]
fn panic_ends_the_run_and_loses_no_game() {
    for contest in [Case::Match, Case::Test, Case::Knockout] {
        for concurrency in [1, 2] {
            for moment in [Moment::Start, Moment::Move, Moment::End] {
                let row = (contest, concurrency, moment);
                assert!(TABLE.contains(&row), "{row:?} is missing");
            }
        }
    }
    let folder = arbitre_test_support::command::folder("panics");
    for (contest, concurrency, moment) in TABLE {
        let what = format!("{contest:?} {concurrency} {moment:?}");
        let db = folder.join(format!("{what}.db"));
        arbitre_test_support::command::remove_results(&db);
        // In a thread, as a hang must not hang the test.
        let (sender, results) = channel();
        let path = db.clone();
        thread::spawn(move || {
            let played = play(contest, concurrency, Some(moment), &path);
            let _ = sender.send(played.map(|outcome| outcome.tally.games));
        });
        let played = results.recv_timeout(Duration::from_secs(60));
        let played = played.unwrap_or_else(|error| panic!("{what}: it hangs or panics: {error}"));
        match played {
            Err(Failure::System(error)) => {
                assert!(error.to_string().contains("a planned panic"), "{what}: {error}");
            }
            other => panic!("{what}: {other:?}"),
        }
        let outcome = play(contest, concurrency, None, &db).unwrap();
        assert!(outcome.is_full, "{what}");
        let games = if contest == Case::Knockout { 36 } else { 12 };
        assert!(outcome.tally.games >= games, "{what}: {}", outcome.tally.games);
    }
}
