//! Finals: tournaments between the newest uploads, which the teacher starts. Another process of the
//! referee plays each of them, by the commands that a person would write.

mod plan;
mod worksheet;

pub use plan::{Plan, FORMATS};

use crate::people::{People, Person, Refused};
use crate::uploads::Uploads;
use arbitre_games::text::io_reason;
use arbitre_referee::config::from_args::unique;
use arbitre_referee::escape::escape;
use arbitre_referee::report::output::write_whole;
use arbitre_referee::run::room::{Class, Room};
use rustix::process::{kill_process, setpriority_process, Pid, Signal};
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Folder of the finals, in that of the room, each with its number.
pub const FOLDER: &str = "finals";
/// Files of a final in its folder: the plan, the players, the games, the page for a projector, what
/// the referee printed, and how it ended.
const PLAN: &str = "plan.json";
const PLAYERS: &str = "players";
const GAMES: &str = "final.db";
pub const WALL: &str = "wall.html";
const OUTPUT: &str = "output.txt";
const ENDED: &str = "ended";
/// Standings that the referee writes at the end, and the folder of the pages of players.
const STANDINGS: [&str; 3] = ["standings.html", "standings.csv", "standings.json"];
const EXCEL: &str = "standings-excel.csv";
const PAGES: &str = "pages";
/// Variable by which a referee that this server started ends with it.
const WITH_PARENT: &str = "ARBITRE_ENDS_WITH_PARENT";
/// Time for the games of the ladder that run when a final begins. Not tuned.
const LAST_GAMES: Duration = Duration::from_secs(120);
/// Time between two looks at a process. Not tuned.
const LOOK: Duration = Duration::from_millis(200);
/// Time after which a process that was asked to end is killed. Not tuned.
const PATIENCE: Duration = Duration::from_secs(10);
/// Steps by which its priority is below that of the pages. Not tuned.
const BELOW_THE_SERVER: i32 = 5;
/// Exit code of a referee whose file another one plays, and time for which that is waited for: one
/// that a server left which was killed ends at once.
const OCCUPIED: i32 = 4;
const LEFT_OVER: Duration = Duration::from_secs(5);

/// State of a final.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Games that are played.
    Running,
    /// All games were played.
    Ended,
    /// The teacher stopped it; it can go on.
    Stopped,
    /// Reason why it cannot be played.
    Failed(String),
}

/// Final of a room.
#[derive(Clone, Debug)]
pub struct Final {
    /// Number, from 1.
    pub number: u64,
    /// Plan of it.
    pub plan: Plan,
    /// State.
    pub progress: Progress,
}

impl Final {
    /// Returns `true` if it gives marks.
    pub fn is_graded(&self) -> bool {
        self.plan.format == "graded"
    }
}

/// Finals of a room.
pub struct Finals {
    room_folder: PathBuf,
    executable: &'static Path,
    class: Class,
    room: Arc<Room>,
    people: Arc<People>,
    state: Mutex<State>,
    is_ending: AtomicBool,
    changes: AtomicU64,
}

#[derive(Default)]
struct State {
    all: Vec<Final>,
    running: Option<Running>,
    /// Whether the programs of a new final are being copied.
    is_starting: bool,
}

impl State {
    fn is_busy(&self) -> bool {
        self.is_starting || self.running.as_ref().is_some_and(|of| !of.thread.is_finished())
    }
}

struct Running {
    number: u64,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Finals {
    /// Opens the finals of a room. One that ran when the server ended goes on.
    pub fn open(
        folder: &Path,
        executable: &'static Path,
        class: Class,
        room: Arc<Room>,
        people: Arc<People>,
    ) -> Arc<Finals> {
        let finals = Arc::new(Finals {
            room_folder: folder.into(),
            executable,
            class,
            room,
            people,
            state: Mutex::default(),
            is_ending: AtomicBool::new(false),
            changes: AtomicU64::default(),
        });
        let numbers = finals.numbers();
        let all: Vec<Final> =
            numbers.into_iter().filter_map(|number| finals.read(number)).collect();
        let open = all.iter().find(|of| of.progress == Progress::Running).map(|of| of.number);
        let mut state = finals.state();
        state.all = all;
        open.into_iter().for_each(|number| finals.run(&mut state, number));
        drop(state);
        finals
    }

    /// Returns all finals, the first one first.
    pub fn all(&self) -> Vec<Final> {
        self.state().all.clone()
    }

    /// Returns `true` if there is a final.
    pub fn has_any(&self) -> bool {
        !self.state().all.is_empty()
    }

    /// Returns `true` while a final is played.
    pub fn is_running(&self) -> bool {
        self.state().is_busy()
    }

    /// Returns the settings of the room.
    pub fn class(&self) -> &Class {
        &self.class
    }

    /// Returns a final.
    pub fn get(&self, number: u64) -> Option<Final> {
        self.state().all.iter().find(|of| of.number == number).cloned()
    }

    /// Returns the house bots with their commands.
    pub fn house(&self) -> &[(String, String)] {
        &self.class.house
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns the path of a file of a final, which may not exist.
    pub fn path(&self, number: u64, name: &str) -> PathBuf {
        self.room_folder.join(FOLDER).join(number.to_string()).join(name)
    }

    /// Returns the path of the page of a person's player.
    pub fn page_of(&self, number: u64, person: i64) -> Option<PathBuf> {
        let name = self.get(number)?.plan.players.get(&person)?.clone();
        Some(self.path(number, PAGES).join(format!("{name}.html"))).filter(|path| path.is_file())
    }

    /// Returns the path of the page of any player by its file, or of their index.
    pub fn page(&self, number: u64, file: &str) -> Option<PathBuf> {
        let is_plain = !file.contains(['/', '\\']) && !file.starts_with('.');
        let path = self.path(number, PAGES).join(file);
        Some(path).filter(|path| is_plain && path.is_file())
    }

    /// Fills Moodle's grading worksheet with the marks of a final.
    ///
    /// # Errors
    /// Returns the reason if there are no marks, or it is no worksheet.
    pub fn worksheet(&self, number: u64, sheet: &[u8]) -> Result<Vec<u8>, Refused> {
        let plan = self.get(number).ok_or(Refused::Unknown)?.plan;
        let csv = fs::read(self.path(number, STANDINGS[1])).unwrap_or_default();
        let marks = worksheet::marks(&csv);
        let people = self.people.all().into_iter();
        let marks: BTreeMap<String, f64> = people
            .filter_map(|person| {
                let mark = marks.get(plan.players.get(&person.id)?)?;
                Some((worksheet::plain(&person.name), *mark))
            })
            .collect();
        let refuse = |why: &str| Refused::Files(why.into());
        if marks.is_empty() {
            return Err(refuse("expected a final of the format graded that has ended"));
        }
        match worksheet::filled(sheet, &marks) {
            Ok((_, 0)) => Err(refuse("expected names of this room in the worksheet, got none")),
            Ok((sheet, _)) => Ok(sheet),
            Err(why) => Err(Refused::Files(why)),
        }
    }

    /// Starts a final between the uploads that play now. Returns its number.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub fn start(self: &Arc<Finals>, plan: Plan, uploads: &Uploads) -> Result<u64, Refused> {
        {
            let mut state = self.state();
            if state.is_busy() {
                return Err(Refused::Files("a final is being played".into()));
            }
            state.is_starting = true;
        }
        // The lock is one of all pages, and copies take their time.
        let made = self.make(plan, uploads);
        let mut state = self.state();
        state.is_starting = false;
        let (number, plan) = made?;
        state.all.push(Final { number, plan, progress: Progress::Running });
        self.run(&mut state, number);
        Ok(number)
    }

    /// Makes the folder of a new final. Returns its number, and the plan with its players.
    fn make(&self, plan: Plan, uploads: &Uploads) -> Result<(u64, Plan), Refused> {
        // One that was cut off before it began keeps its number.
        let number = self.numbers().last().map_or(1, |last| last + 1);
        let text = plan.file(&self.class, &format!("{FOLDER}/{number}/{PLAYERS}"))?;
        let of_io = |error: io::Error| Refused::Store(io_reason(&error));
        let folder = self.path(number, "");
        fs::create_dir_all(folder.join(PLAYERS)).map_err(of_io)?;
        let players =
            copy_class(&self.people.all(), uploads, &folder.join(PLAYERS)).map_err(of_io)?;
        let least = self.room.seats().max(1);
        if players.len() < least && plan.format != "graded" || players.is_empty() {
            let _ = fs::remove_dir_all(&folder);
            let got = players.len();
            return Err(Refused::Files(format!("expected {least} uploads that play, got {got}")));
        }
        let plan = Plan { players, ..plan };
        fs::write(self.file_of(number), text).map_err(of_io)?;
        let json = serde_json::to_string(&plan).expect("a plan has only texts");
        // The last file: without it, there is no final of this number.
        write_whole(&folder.join(PLAN), &json).map_err(of_io)?;
        Ok((number, plan))
    }

    /// Returns the numbers of the folders of finals.
    fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.room_folder.join(FOLDER)).into_iter().flatten().flatten();
        let number = |entry: fs::DirEntry| entry.file_name().to_string_lossy().parse().ok();
        let mut numbers: Vec<u64> = entries.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Stops a final, or has one that was stopped, or failed, go on.
    pub fn stop(self: &Arc<Finals>, number: u64, goes_on: bool) {
        let mut state = self.state();
        match &state.running {
            Some(running) if running.number == number && !running.thread.is_finished() => {
                running.stop.store(!goes_on, Ordering::SeqCst);
            }
            _ if goes_on && !state.is_busy() => {
                let _ = fs::remove_file(self.path(number, ENDED));
                self.run(&mut state, number);
            }
            _ => {}
        }
    }

    /// Deletes a final that is not played now, with its games and pages.
    ///
    /// # Errors
    /// Returns an error if it is played, or its files cannot be removed.
    pub fn delete(&self, number: u64) -> Result<(), Refused> {
        let mut state = self.state();
        if state.is_busy() {
            return Err(Refused::Files("a final is being played: stop it first".into()));
        }
        let removed = fs::remove_dir_all(self.path(number, ""))
            .and_then(|()| fs::remove_file(self.file_of(number)));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Refused::Store(io_reason(&error)))
            }
            _ => {
                state.all.retain(|of| of.number != number);
                self.changes.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Ends a final that runs. The next start continues it.
    pub fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
        let running = self.state().running.take();
        if running.is_some_and(|running| running.thread.join().is_err()) {
            log::error!("the thread of a final panicked");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Returns the path of the file of a final. It is beside the settings of the room, as paths in
    /// both are relative to them.
    fn file_of(&self, number: u64) -> PathBuf {
        self.room_folder.join(format!("final-{number}.toml"))
    }

    fn read(&self, number: u64) -> Option<Final> {
        let plan = fs::read(self.path(number, PLAN)).ok()?;
        let plan = serde_json::from_slice(&plan).ok()?;
        let ended = fs::read_to_string(self.path(number, ENDED)).ok();
        let progress = match ended.as_deref() {
            None => Progress::Running,
            Some("ended") => Progress::Ended,
            Some("stopped") => Progress::Stopped,
            Some(why) => Progress::Failed(why.into()),
        };
        Some(Final { number, plan, progress })
    }

    fn set(&self, state: &mut State, number: u64, progress: Progress) {
        let found = state.all.iter_mut().find(|of| of.number == number);
        found.into_iter().for_each(|of| of.progress = progress.clone());
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Plays a final on a thread of its own.
    fn run(self: &Arc<Finals>, state: &mut State, number: u64) {
        self.set(state, number, Progress::Running);
        let (finals, stop) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let stopped = stop.clone();
        let play = move || finals.play(number, &stopped);
        match thread::Builder::new().name("final".into()).spawn(play) {
            Ok(thread) => state.running = Some(Running { number, stop, thread }),
            Err(error) => self.set(state, number, Progress::Failed(io_reason(&error))),
        }
    }

    fn play(&self, number: u64, stop: &AtomicBool) {
        let is_over = || stop.load(Ordering::SeqCst) || self.is_ending.load(Ordering::SeqCst);
        // The ladder must not take its processors.
        self.room.pause(true);
        let until = Instant::now() + LAST_GAMES;
        while !self.room.is_idle() && Instant::now() < until && !is_over() {
            thread::sleep(LOOK);
        }
        let progress = if is_over() { Progress::Stopped } else { self.played(number, &is_over) };
        if !self.is_ending.load(Ordering::SeqCst) {
            let text = match &progress {
                Progress::Running | Progress::Ended => "ended",
                Progress::Stopped => "stopped",
                Progress::Failed(why) => why,
            };
            if let Err(error) = fs::write(self.path(number, ENDED), text) {
                log::error!("final {number}: {error}");
            }
            self.set(&mut self.state(), number, progress);
            self.room.pause(self.people.is_paused());
        }
    }

    /// Plays a final to its end, and writes its standings.
    fn played(&self, number: u64, is_over: &dyn Fn() -> bool) -> Progress {
        let until = Instant::now() + LEFT_OVER;
        let code = loop {
            match self.referee(number, "plain", &STANDINGS, is_over) {
                Ok(Some(OCCUPIED)) if !is_over() && Instant::now() < until => thread::sleep(LOOK),
                Ok(code) => break code,
                Err(error) => return Progress::Failed(io_reason(&error)),
            }
        };
        if is_over() {
            return Progress::Stopped;
        }
        if code != Some(0) {
            return Progress::Failed(self.last_line(number));
        }
        match self.referee(number, "excel-fr", &[EXCEL], is_over) {
            Ok(Some(0)) => Progress::Ended,
            _ => Progress::Failed(self.last_line(number)),
        }
    }

    /// Runs `referee tournament` until it ends, and the command that writes the page of a projector
    /// beside it. Returns its exit code.
    fn referee(
        &self,
        number: u64,
        csv: &str,
        outputs: &[&str],
        is_over: &dyn Fn() -> bool,
    ) -> io::Result<Option<i32>> {
        let output = File::create(self.path(number, OUTPUT))?;
        let mut command = self.command(number);
        command.arg("tournament").arg(self.file_of(number)).args(["--db", GAMES, "--csv", csv]);
        for name in outputs {
            command.args(["--output", name]);
        }
        command.args(["--per-player", PAGES]).stdout(output.try_clone()?).stderr(output);
        let mut child = command.spawn()?;
        let _ = setpriority_process(Some(Pid::from_child(&child)), BELOW_THE_SERVER);
        let mut follower: Option<Child> = None;
        let mut asked: Option<Instant> = None;
        let code = loop {
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            match asked {
                None if is_over() => {
                    // Once to finish the games that run, twice to end at once.
                    for _ in 0..2 {
                        let _ = kill_process(Pid::from_child(&child), Signal::INT);
                        thread::sleep(LOOK);
                    }
                    asked = Some(Instant::now());
                }
                Some(at) if at.elapsed() > PATIENCE => {
                    let _ = child.kill();
                }
                _ => {}
            }
            let follows = match &mut follower {
                Some(follower) => follower.try_wait()?.is_none(),
                None => false,
            };
            if !follows && self.path(number, GAMES).exists() {
                let mut command = self.command(number);
                command.args([
                    "report",
                    "--db",
                    GAMES,
                    "--output",
                    WALL,
                    "--follow",
                    "--projector",
                ]);
                follower = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
            }
            thread::sleep(LOOK);
        };
        if let Some(mut follower) = follower {
            // It writes its last page when the games are over.
            let until = Instant::now() + PATIENCE;
            while follower.try_wait()?.is_none() && Instant::now() < until {
                thread::sleep(LOOK);
            }
            let _ = follower.kill();
            follower.wait()?;
        }
        Ok(code)
    }

    /// Returns a command of the referee in the folder of a final.
    fn command(&self, number: u64) -> Command {
        let mut command = Command::new(self.executable);
        command.current_dir(self.path(number, "")).env(WITH_PARENT, "1").stdin(Stdio::null());
        // Ctrl-C in the terminal of the server is for the server.
        command.process_group(0);
        command
    }

    /// Returns the last error that the referee printed.
    fn last_line(&self, number: u64) -> String {
        let text = fs::read(self.path(number, OUTPUT)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines = || text.lines().rev().filter(|line| !line.trim().is_empty());
        let line = lines().find(|line| line.starts_with("error: ")).or(lines().next());
        escape(line.unwrap_or("it ended without a word"))
    }
}

/// Copies the programs that play into a folder, one for each person, named after it. Returns these
/// names by person.
///
/// # Errors
/// Returns an error if a file cannot be copied.
pub fn copy_class(
    people: &[Person],
    uploads: &Uploads,
    to: &Path,
) -> io::Result<BTreeMap<i64, String>> {
    let mut taken = HashSet::new();
    let mut names = BTreeMap::new();
    for (id, _, folder) in uploads.current() {
        let Some(person) = people.iter().find(|of| of.id == id && !of.is_disabled) else {
            continue;
        };
        let name = unique(&folder_of(&person.name), &mut taken);
        match copy(&folder, &to.join(&name)) {
            Ok(()) => drop(names.insert(id, name)),
            // The person was deleted, or its upload replaced, at this moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                log::warn!("{}: {}", folder.display(), io_reason(&error));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(names)
}

/// Returns the name of a folder for a person.
pub fn folder_of(name: &str) -> String {
    let name: String = name.chars().map(|c| if "/@\\".contains(c) { '_' } else { c }).collect();
    match name.starts_with('.') {
        true => format!("_{name}"),
        false => name,
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        let to = to.join(entry.file_name().unwrap_or_default());
        match kind.is_dir() {
            true => copy(&entry, &to)?,
            // It keeps the right to be executed.
            false => fs::copy(&entry, &to).map(drop)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stay_in_their_folder() {
        let names = ["Ada", "../x", "a/b", "a\\b", ".", "ada@3"].map(folder_of);
        assert_eq!(names, ["Ada", "_.._x", "a_b", "a_b", "_.", "ada_3"]);
    }
}
