//! Programs that people upload: their files, their history, and their players in the room.
//!
//! Another thread builds and tests them, in the order in which they come. Of each person the newest
//! one that passed plays, unless a program of that person is connected.

mod files;
mod likeness;
mod output;
mod record;

pub use files::{files_below, sources, Sent, MOST_BYTES};
pub use record::Stage;

use crate::join::members::Members;
use crate::people::{player_of, People, Person, Refused};
use crate::token::Token;
use arbitre_games::text::{report, HELP};
use arbitre_referee::failure::Failure;
use arbitre_referee::run::room::{Role, Room, Task, Tested, Upload, Uploads};
use arbitre_referee::run::PlannedPlayer;
use arbitre_referee::submissions::Submission;
use files::{FILES, FOLDER};
use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use output::Log;
use record::Row;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

/// Folder of an upload in which it is built.
const BUILDS: &str = "builds";
/// Characters of the name of an upload's folder.
const NAME: usize = 12;
/// Uploads of a person in a minute, on average, and at once. Not tuned.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(4).unwrap();
const AT_ONCE: NonZeroU32 = NonZeroU32::new(6).unwrap();
/// Requests of a person that bring files at once. Not tuned.
const MOST_REQUESTS: usize = 2;
/// Uploads of a person whose files are kept. Not tuned.
const KEPT: usize = 30;
/// Time after the end of a connection before the uploaded program plays in its place: a network
/// that stalls is back by then. Not tuned.
const GRACE: Duration = Duration::from_secs(20);

/// Uploads of a room.
pub struct Yard {
    folder: PathBuf,
    people: Arc<People>,
    room: Arc<Room>,
    queue: Uploads,
    state: Mutex<State>,
    changes: AtomicU64,
    limiter: RateLimiter<i64, DashMapStateStore<i64>, DefaultClock>,
}

#[derive(Default)]
struct State {
    /// Uploads by number.
    entries: BTreeMap<i64, Entry>,
    /// Last time at which the program of a person was seen to be connected.
    connected: HashMap<i64, Instant>,
    /// Requests of each person that bring files now.
    receiving: HashMap<i64, usize>,
}

/// Request of a person that brings files.
pub struct Receiving {
    yard: Arc<Yard>,
    person: i64,
}

impl Drop for Receiving {
    fn drop(&mut self) {
        let mut state = self.yard.state();
        if let Some(count) = state.receiving.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                state.receiving.remove(&self.person);
            }
        }
    }
}

/// Upload.
struct Entry {
    row: Row,
    log: Log,
    /// Begin of its build or its test.
    begun: Option<Instant>,
    /// Player that is ready, and not seated yet.
    player: Option<Box<PlannedPlayer>>,
    /// Number of its player in the room, once it was seated.
    number: Option<usize>,
    /// Whether it waits in the queue.
    is_queued: bool,
}

/// Upload as pages show it.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Number.
    pub id: i64,
    /// Number of its person.
    pub person: i64,
    /// Time at which it came, in seconds since 1970.
    pub made: i64,
    /// Names of its files.
    pub files: String,
    /// Stage.
    pub stage: Stage,
    /// Time since its build or its test began.
    pub begun: Option<Duration>,
    /// Number of uploads that come before it.
    pub before: usize,
    /// Whether it is the one that plays.
    pub is_current: bool,
    /// Number of its player in the room.
    pub number: Option<usize>,
    /// Output of its build, and findings of its test.
    pub log: String,
}

impl Entry {
    fn new(row: Row) -> Entry {
        let mut log = Log::default();
        log.add(row.log.as_bytes());
        Entry { row, log, begun: None, player: None, number: None, is_queued: false }
    }

    fn say(&mut self, text: &str) {
        self.log.add(text.as_bytes());
    }
}

impl Yard {
    /// Opens the uploads of a room. Those that play, and those that wait, are worked on again.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn open(
        folder: &Path,
        people: Arc<People>,
        room: Arc<Room>,
        queue: Uploads,
    ) -> Result<Arc<Yard>, Failure> {
        let rows = people.read(record::all).map_err(|why| {
            Failure::Store(format!("{}: {why:?}{HELP}see its rights", folder.display()))
        })?;
        let folder = folder.join(FOLDER);
        // Of one that was cut off, or whose person was deleted meanwhile.
        let known: HashSet<String> = rows.iter().map(|row| row.folder.clone()).collect();
        files::others(&folder, &known).iter().for_each(|path| files::remove(path));
        let entries = rows.into_iter().map(|row| (row.id, Entry::new(row))).collect();
        let yard = Arc::new(Yard {
            folder,
            people,
            room,
            queue,
            state: Mutex::new(State { entries, ..State::default() }),
            changes: AtomicU64::default(),
            limiter: RateLimiter::keyed(Quota::per_minute(PER_MINUTE).allow_burst(AT_ONCE)),
        });
        let mut state = yard.state();
        let persons: HashSet<i64> = state.entries.values().map(|of| of.row.person).collect();
        persons.into_iter().for_each(|person| yard.settle(&mut state, person));
        let waiting = |of: &&Entry| of.row.stage == Stage::Waiting;
        let waiting: Vec<i64> =
            state.entries.values().filter(waiting).map(|of| of.row.id).collect();
        waiting.into_iter().for_each(|id| yard.queue(&mut state, id));
        drop(state);
        Ok(yard)
    }

    /// Takes files of a person. Returns the number of the upload.
    ///
    /// # Errors
    /// Returns the reason why they are refused.
    pub fn receive(self: &Arc<Yard>, person: &Person, sent: &[Sent]) -> Result<i64, Refused> {
        if self.people.deadline().is_some_and(|deadline| deadline.is_over()) {
            return Err(Refused::Frozen);
        }
        let name: String = Token::draw().to_string().replace(['-', '_'], "0");
        let name: String = name.chars().take(NAME).collect();
        let to = self.folder.join(&name);
        let written = files::write(sent, &to).and_then(|()| {
            let made = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
            let files = files::summary(sent);
            let row = Row::new(person.id, made, files, name);
            // The row is what names its folder: without it, the next start removes that.
            self.people.write(|file| record::add(file, row)).map_err(|why| match why {
                Refused::Store(why) => Failure::Store(why),
                other => Failure::Store(format!("{other:?}")),
            })
        });
        let row = written.map_err(|failure| {
            files::remove(&to);
            match failure {
                Failure::Data(why) => Refused::Files(why),
                other => Refused::Store(other.to_string()),
            }
        })?;
        let id = row.id;
        let submission = Submission::read(player_of(person.id), to.join(FILES));
        let mut state = self.state();
        let mut entry = Entry::new(row);
        // Its author reads this at once, also behind a queue.
        match submission.outlook() {
            Ok(outlook) => {
                let before = state.open_tests();
                entry.say(&format!("{outlook}\nuploads before it: {before}\n"));
                state.entries.insert(id, entry);
                self.queue(&mut state, id);
            }
            Err(why) => {
                entry.say(&format!("{}\n", report(&why)));
                state.entries.insert(id, entry);
                self.note(&mut state, id, Stage::Failed);
            }
        }
        self.forget_old(&mut state, person.id);
        drop(state);
        self.changed();
        Ok(id)
    }

    /// Returns the people of two programs that play and have much in common, with the share of the
    /// shorter one.
    pub fn alike(&self) -> Vec<(i64, i64, f64)> {
        let current = self.current();
        let sources: Vec<String> =
            current.iter().map(|(.., folder)| files::text_of(folder)).collect();
        let pairs = likeness::pairs(&sources).into_iter();
        pairs.map(|pair| (current[pair.of.0].0, current[pair.of.1].0, pair.share)).collect()
    }

    /// Returns all uploads with the folder of their files.
    pub fn history(&self) -> Vec<(View, PathBuf)> {
        let state = self.state();
        let files = |of: &Entry| self.folder.join(&of.row.folder).join(FILES);
        let all = state.entries.values();
        all.filter_map(|of| Some((state.view(of.row.id)?, files(of)))).collect()
    }

    /// Returns the number of uploads whose test is not over.
    pub fn open_tests(&self) -> usize {
        self.state().open_tests()
    }

    /// Takes note of a request that brings files; none if its person has too many of them now.
    pub fn receiving(self: &Arc<Yard>, person: i64) -> Option<Receiving> {
        let mut state = self.state();
        let count = state.receiving.entry(person).or_default();
        if *count >= MOST_REQUESTS {
            return None;
        }
        *count += 1;
        drop(state);
        Some(Receiving { yard: self.clone(), person })
    }

    /// Returns `true` if a person may upload again, now.
    pub fn allows(&self, person: i64) -> bool {
        self.limiter.check_key(&person).is_ok()
    }

    /// Forgets people who have been quiet.
    pub fn tidy(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns an upload.
    pub fn view(&self, id: i64) -> Option<View> {
        let state = self.state();
        Some(View { log: self.shown(state.entries.get(&id)?), ..state.view(id)? })
    }

    /// Returns the uploads of a person without their logs, the newest first.
    pub fn of_person(&self, person: i64) -> Vec<View> {
        let state = self.state();
        let own = state.entries.values().rev().filter(|of| of.row.person == person);
        own.filter_map(|of| state.view(of.row.id)).collect()
    }

    /// Returns the program of each person that takes part in a final: its person, the number of the
    /// upload, and the folder of its files. Those that came after the deadline do not.
    pub fn current(&self) -> Vec<(i64, i64, PathBuf)> {
        let until = self.people.deadline().map_or(i64::MAX, |deadline| deadline.at);
        let state = self.state();
        let persons: HashSet<i64> = state.entries.values().map(|of| of.row.person).collect();
        let mut current: Vec<_> = persons
            .into_iter()
            .filter_map(|person| {
                let row = &state.entries[&state.current_until(person, until)?].row;
                Some((person, row.id, self.folder.join(&row.folder).join(FILES)))
            })
            .collect();
        current.sort_unstable();
        current
    }

    /// Removes all uploads of a person that was deleted.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn forget(&self, person: i64) -> Result<(), Refused> {
        self.people.write(|file| record::forget(file, person))?;
        let mut state = self.state();
        let (own, others) = std::mem::take(&mut state.entries)
            .into_iter()
            .partition(|(_, of)| of.row.person == person);
        state.entries = others;
        drop(state);
        let own: BTreeMap<i64, Entry> = own;
        own.values().for_each(|of| files::remove(&self.folder.join(&of.row.folder)));
        self.changed();
        Ok(())
    }

    /// Seats the programs of people who are not connected.
    pub fn look(&self, members: &Members) {
        let people = self.people.all();
        let mut state = self.state();
        for person in people {
            if members.status(person.id).is_some() {
                state.connected.insert(person.id, Instant::now());
                continue;
            }
            let is_near = |at: &Instant| at.elapsed() < GRACE;
            if person.is_disabled || state.connected.get(&person.id).is_some_and(is_near) {
                continue;
            }
            if let Some(id) = state.current(person.id) {
                self.seat(state.entries.get_mut(&id).expect("it is there"));
            }
        }
    }

    /// Seats the player of an upload, unless it plays already.
    fn seat(&self, entry: &mut Entry) {
        if let Some(number) = entry.number {
            if self.room.player(number).is_some_and(|player| !player.is_present) {
                self.room.come_back(number);
            }
            return;
        }
        let Some(player) = entry.player.take() else { return };
        match self.room.enter(*player, Role::Ladder) {
            Ok(number) => entry.number = Some(number),
            Err(why) => {
                log::error!("upload {}: {why}", entry.row.id);
                entry.say(&format!("it does not play: {why}\n"));
            }
        }
        self.changed();
    }

    /// Returns the log of an upload without the paths of this machine.
    fn shown(&self, entry: &Entry) -> String {
        let folder = self.folder.join(&entry.row.folder);
        let mut text = entry.log.text();
        for path in [folder.canonicalize().unwrap_or_default(), folder] {
            let path = path.display().to_string();
            if !path.is_empty() {
                text = text.replace(&format!("{path}/{FILES}/"), "").replace(&path, "…");
            }
        }
        text
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Puts an upload into the queue, unless it is there.
    fn queue(self: &Arc<Yard>, state: &mut State, id: i64) {
        let Some(entry) = state.entries.get_mut(&id).filter(|of| !of.is_queued) else { return };
        entry.is_queued = true;
        // Its other end is gone when the server ends.
        let _ = self.queue.send(Box::new(Work { yard: self.clone(), id }));
    }

    /// Prepares the newest upload of a person that passed, unless it is ready. Tests one that was
    /// replaced if all newer ones failed.
    fn settle(self: &Arc<Yard>, state: &mut State, person: i64) {
        if let Some(id) = state.current(person) {
            let entry = &state.entries[&id];
            if entry.player.is_none() && entry.number.is_none() {
                self.queue(state, id);
            }
        }
        let own = state.entries.values().rev().filter(|of| of.row.person == person);
        let newest = own.into_iter().find(|of| of.row.stage != Stage::Failed);
        let passed_over = newest.filter(|of| of.row.stage == Stage::Replaced).map(|of| of.row.id);
        if let Some(id) = passed_over {
            state.entries.get_mut(&id).expect("it is there").row.stage = Stage::Waiting;
            self.queue(state, id);
        }
    }

    /// Removes the files of uploads of a person that are old and do not play.
    fn forget_old(&self, state: &mut State, person: i64) {
        let current = state.current(person);
        let own = state.entries.values().rev().filter(|of| of.row.person == person);
        let old: Vec<i64> = own.skip(KEPT).map(|of| of.row.id).collect();
        for id in old {
            let entry = state.entries.get_mut(&id).expect("it is there");
            let is_over = matches!(entry.row.stage, Stage::Passed | Stage::Failed);
            if Some(id) != current && is_over {
                files::remove(&self.folder.join(&entry.row.folder));
            }
        }
    }

    /// Stores the stage that an upload has reached for good.
    fn note(&self, state: &mut State, id: i64, stage: Stage) {
        let Some(entry) = state.entries.get_mut(&id) else { return };
        entry.row.stage = stage;
        let log = self.shown(entry);
        if let Err(why) = self.people.write(|file| record::end(file, id, stage, &log)) {
            log::error!("upload {id}: {why:?}");
        }
    }

    /// Notes the end of the work on an upload.
    fn end(self: &Arc<Yard>, id: i64, outcome: Tested) {
        let mut state = self.state();
        let Some(entry) = state.entries.get_mut(&id) else { return };
        entry.begun = None;
        let person = entry.row.person;
        let (stage, player) = match outcome {
            Tested::Passed(player) => (Stage::Passed, Some(player)),
            Tested::Failed => (Stage::Failed, None),
            // The next start works on it again.
            Tested::Stopped => return,
        };
        entry.player = player;
        self.note(&mut state, id, stage);
        self.settle(&mut state, person);
        drop(state);
        self.changed();
    }
}

impl State {
    /// Returns the number of uploads whose test is not over.
    fn open_tests(&self) -> usize {
        self.entries.values().filter(|of| of.row.stage == Stage::Waiting).count()
    }

    /// Returns the number of a person's upload that plays: the newest one that passed.
    fn current(&self, person: i64) -> Option<i64> {
        self.current_until(person, i64::MAX)
    }

    /// Returns the number of a person's newest upload that passed and came until then.
    fn current_until(&self, person: i64, until: i64) -> Option<i64> {
        let mut own = self.entries.values().rev().filter(|of| of.row.person == person);
        let is_it = |of: &&Entry| of.row.stage == Stage::Passed && of.row.made <= until;
        own.find(is_it).map(|of| of.row.id)
    }

    fn view(&self, id: i64) -> Option<View> {
        let Entry { row, begun, number, .. } = self.entries.get(&id)?;
        let waits = |of: &&Entry| of.row.stage == Stage::Waiting && of.row.id < id;
        Some(View {
            id,
            person: row.person,
            made: row.made,
            files: row.files.clone(),
            stage: if begun.is_some() { Stage::Testing } else { row.stage },
            begun: begun.map(|at| at.elapsed()),
            before: self.entries.values().filter(waits).count(),
            is_current: self.current(row.person) == Some(id),
            number: *number,
            log: String::new(),
        })
    }
}

/// Upload in the queue.
struct Work {
    yard: Arc<Yard>,
    id: i64,
}

impl Upload for Work {
    fn begin(&self) -> Option<Task> {
        let mut state = self.yard.state();
        let entry = state.entries.get_mut(&self.id)?;
        entry.is_queued = false;
        let Row { person, stage, .. } = entry.row;
        let is_newer = |of: &Entry| of.row.person == person && of.row.id > self.id;
        let mut newer = state.entries.values().filter(|of| is_newer(of));
        let is_replaced = newer.any(|of| of.row.stage != Stage::Failed);
        let entry = state.entries.get_mut(&self.id)?;
        let has_passed = match stage {
            Stage::Passed => true,
            Stage::Waiting if !is_replaced => false,
            Stage::Waiting => {
                entry.row.stage = Stage::Replaced;
                drop(state);
                self.yard.changed();
                return None;
            }
            _ => return None,
        };
        entry.begun = Some(Instant::now());
        let folder = self.yard.folder.join(&entry.row.folder);
        drop(state);
        self.yard.changed();
        let (builds, folder) = (folder.join(BUILDS), folder.join(FILES));
        Some(Task { player: player_of(person), builds, folder, has_passed })
    }

    fn say(&self, bytes: &[u8]) {
        if let Some(entry) = self.yard.state().entries.get_mut(&self.id) {
            entry.log.add(bytes);
        }
        self.yard.changed();
    }

    fn end(self: Box<Self>, outcome: Tested) {
        self.yard.end(self.id, outcome);
    }
}
