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
use crate::machine::has_space;
use crate::people::{player_of, People, Person, Refused};
use crate::token::Token;
use arbitre_games::text::{report, HELP};
use arbitre_referee::failure::Failure;
use arbitre_referee::run::room::{Role, Room, Task, Tested, Upload, UploadQueue};
use arbitre_referee::run::PlannedPlayer;
use arbitre_referee::submissions::entry::STATE;
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

/// Programs that are compared with each other. Not tuned.
const COMPARED: usize = 300;
/// Folder of an upload in which it is built.
const BUILDS: &str = "builds";
/// Characters of the name of an upload's folder.
const NAME: usize = 12;
/// UploadQueue of a person in a minute, on average, and at once. Not tuned.
const PER_MINUTE: NonZeroU32 = NonZeroU32::new(4).unwrap();
const AT_ONCE: NonZeroU32 = NonZeroU32::new(6).unwrap();
/// Requests of a person that bring files at once. Not tuned.
const MOST_REQUESTS: usize = 2;
/// UploadQueue of a person in an hour, on average, and at once. Not tuned.
const PER_HOUR: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// Newest uploads of a person of which what was built is kept if they passed. Not tuned.
const RECENT: usize = 3;
/// UploadQueue of a person whose files are kept, and whose logs are. Not tuned.
const KEPT: usize = 10;
const LISTED: usize = 100;
/// Time before a player that could not be prepared or seated is prepared again. Not tuned.
const AGAIN: Duration = Duration::from_secs(600);
/// Time after the end of a connection before the uploaded program plays in its place: a network
/// that stalls is back by then. Not tuned.
const GRACE: Duration = Duration::from_secs(20);

/// UploadQueue of a room.
pub struct Uploads {
    folder: PathBuf,
    people: Arc<People>,
    room: Arc<Room>,
    queue: UploadQueue,
    state: Mutex<State>,
    changes: AtomicU64,
    limiters: [Limiter; 2],
}

type Limiter = RateLimiter<i64, DashMapStateStore<i64>, DefaultClock>;

#[derive(Default)]
struct State {
    /// UploadQueue by number.
    entries: BTreeMap<i64, Entry>,
    /// Last time at which the program of a person was seen to be connected.
    connected: HashMap<i64, Instant>,
    /// Requests of each person that bring files now.
    receiving: HashMap<i64, usize>,
}

/// Request of a person that brings files.
pub struct Receiving {
    uploads: Arc<Uploads>,
    person: i64,
}

impl Drop for Receiving {
    fn drop(&mut self) {
        let mut state = self.uploads.state();
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
    /// Moment after which it is prepared again, if it could not be seated.
    again: Option<Instant>,
    /// Number of changes of its page.
    changes: u64,
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
        Entry {
            row,
            log,
            begun: None,
            player: None,
            number: None,
            is_queued: false,
            again: None,
            changes: 0,
        }
    }

    fn say(&mut self, text: &str) {
        self.log.add(text.as_bytes());
        self.changes += 1;
    }

    /// Returns `true` for one whose test is over.
    fn is_over(&self) -> bool {
        !self.row.stage.is_open() && self.begun.is_none()
    }
}

impl Uploads {
    /// Opens the uploads of a room. Those that play, and those that wait, are worked on again.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    pub fn open(
        folder: &Path,
        people: Arc<People>,
        room: Arc<Room>,
        queue: UploadQueue,
    ) -> Result<Arc<Uploads>, Failure> {
        let rows = people.read(record::all).map_err(|why| {
            Failure::Store(format!("{}: {why:?}{HELP}see its rights", folder.display()))
        })?;
        // Programs print paths as the system has them.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.into()).join(FOLDER);
        // Of one that was cut off, or whose person was deleted meanwhile.
        let known: HashSet<String> = rows.iter().map(|row| row.folder.clone()).collect();
        files::others(&folder, &known).iter().for_each(|path| files::remove(path));
        let entries = rows.into_iter().map(|row| (row.id, Entry::new(row))).collect();
        let uploads = Arc::new(Uploads {
            folder,
            people,
            room,
            queue,
            state: Mutex::new(State { entries, ..State::default() }),
            changes: AtomicU64::default(),
            limiters: [
                Limiter::keyed(Quota::per_minute(PER_MINUTE).allow_burst(AT_ONCE)),
                Limiter::keyed(Quota::per_hour(PER_HOUR)),
            ],
        });
        let mut state = uploads.state();
        let persons: HashSet<i64> = state.entries.values().map(|of| of.row.person).collect();
        persons.into_iter().for_each(|person| uploads.settle(&mut state, person));
        let waiting = |of: &&Entry| of.row.stage == Stage::Waiting;
        let waiting: Vec<i64> =
            state.entries.values().filter(waiting).map(|of| of.row.id).collect();
        waiting.into_iter().for_each(|id| uploads.queue(&mut state, id));
        drop(state);
        Ok(uploads)
    }

    /// Takes files of a person. Returns the number of the upload.
    ///
    /// # Errors
    /// Returns the reason why they are refused.
    pub fn receive(self: &Arc<Uploads>, person: &Person, sent: &[Sent]) -> Result<i64, Refused> {
        let made = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
        // The same moment decides whether it takes part in a final.
        if self.people.deadline().is_some_and(|deadline| made > deadline.at) {
            return Err(Refused::Frozen);
        }
        let room = self.folder.parent().unwrap_or(&self.folder);
        if !has_space(room) {
            return Err(Refused::Store("less than 1 GiB is free".into()));
        }
        let name: String = Token::draw().to_string().replace(['-', '_'], "0");
        let name: String = name.chars().take(NAME).collect();
        let to = self.folder.join(&name);
        let written = files::write(sent, &to).and_then(|()| {
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
                // An upload has no place for a command.
                let why =
                    why.replace(STATE, "name the file that starts it main, or add a build.sh");
                entry.say(&format!("{}\n", report(&why)));
                entry.row.stage = Stage::Failed;
                state.entries.insert(id, entry);
            }
        }
        let (is_open, old) = (state.entries[&id].row.stage.is_open(), state.take_old(person.id));
        drop(state);
        if !is_open {
            self.note(id);
        }
        self.forget_old(old);
        self.changed();
        Ok(id)
    }

    /// Returns the people of two programs that play and have much in common, with the share of the
    /// shorter one.
    pub fn alike(&self) -> Vec<(i64, i64, f64)> {
        let mut current = self.current();
        current.truncate(COMPARED);
        let sources: Vec<String> =
            current.iter().map(|(.., folder)| files::text_of(folder)).collect();
        let pairs = likeness::pairs(&sources).into_iter();
        pairs.map(|pair| (current[pair.of.0].0, current[pair.of.1].0, pair.share)).collect()
    }

    /// Returns all uploads with the folder of their files.
    pub fn history(&self) -> Vec<(View, PathBuf)> {
        let state = self.state();
        let files = |of: &Entry| self.folder.join(&of.row.folder).join(FILES);
        state.entries.values().map(|of| (of.view(false), files(of))).collect()
    }

    /// Returns the number of uploads whose test is not over.
    pub fn open_tests(&self) -> usize {
        self.state().open_tests()
    }

    /// Takes note of a request that brings files; none if its person has too many of them now.
    pub fn receiving(self: &Arc<Uploads>, person: i64) -> Option<Receiving> {
        let mut state = self.state();
        let count = state.receiving.entry(person).or_default();
        if *count >= MOST_REQUESTS {
            return None;
        }
        *count += 1;
        drop(state);
        Some(Receiving { uploads: self.clone(), person })
    }

    /// Returns `true` if a person may upload again, now.
    pub fn allows(&self, person: i64) -> bool {
        self.limiters.iter().all(|limiter| limiter.check_key(&person).is_ok())
    }

    /// Forgets people who have been quiet.
    pub fn tidy(&self) {
        for limiter in &self.limiters {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns an upload.
    pub fn view(&self, id: i64) -> Option<View> {
        let state = self.state();
        let entry = state.entries.get(&id)?;
        let is_current = state.current(entry.row.person) == Some(id);
        let before = state.waiting().filter(|of| of.row.id < id).count();
        Some(View { log: self.shown(entry), before, ..entry.view(is_current) })
    }

    /// Returns the person of an upload, and the number of changes of its page.
    pub fn changes_of(&self, id: i64) -> Option<(i64, u64)> {
        let state = self.state();
        let entry = state.entries.get(&id)?;
        Some((entry.row.person, entry.changes + u64::from(entry.begun.is_some())))
    }

    /// Returns the newest uploads of a person without their logs and places.
    pub fn of_person(&self, person: i64, most: usize) -> Vec<View> {
        let state = self.state();
        let current = state.current(person);
        let own = state.entries.values().rev().filter(|of| of.row.person == person);
        own.take(most).map(|of| of.view(current == Some(of.row.id))).collect()
    }

    /// Returns the number of the newest upload of each person.
    pub fn newest(&self) -> BTreeMap<i64, i64> {
        self.state().entries.values().map(|of| (of.row.person, of.row.id)).collect()
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
    pub fn look(self: &Arc<Uploads>, members: &Members) {
        let people = self.people.all();
        let mut state = self.state();
        for person in people {
            if members.status(person.id).is_some() {
                state.connected.insert(person.id, Instant::now());
                continue;
            }
            let is_near = |at: &Instant| at.elapsed() < GRACE;
            if state.connected.get(&person.id).is_some_and(is_near) {
                continue;
            }
            let Some(id) = state.current(person.id) else { continue };
            let entry = state.entries.get_mut(&id).expect("it is there");
            if person.is_disabled {
                // It may have been seated a moment ago.
                entry.number.iter().for_each(|number| self.room.leave(*number));
            } else if entry.again.is_some_and(|at| Instant::now() > at) {
                entry.again = None;
                self.queue(&mut state, id);
            } else {
                self.seat(entry);
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
                entry.again = Some(Instant::now() + AGAIN);
            }
        }
        self.changed();
    }

    /// Returns the log of an upload without the paths of this machine.
    fn shown(&self, entry: &Entry) -> String {
        let path = self.folder.join(&entry.row.folder).display().to_string();
        entry.log.text().replace(&format!("{path}/{FILES}/"), "").replace(&path, "…")
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Puts an upload into the queue, unless it is there.
    fn queue(self: &Arc<Uploads>, state: &mut State, id: i64) {
        let Some(entry) = state.entries.get_mut(&id).filter(|of| !of.is_queued) else { return };
        entry.is_queued = true;
        // Its other end is gone when the server ends.
        let _ = self.queue.send(Box::new(Work { uploads: self.clone(), id }));
    }

    /// Prepares the newest upload of a person that passed, unless it is ready. Tests one that was
    /// replaced if all newer ones failed.
    fn settle(self: &Arc<Uploads>, state: &mut State, person: i64) {
        if let Some(id) = state.current(person) {
            let entry = &state.entries[&id];
            let is_lacking = entry.player.is_none() && entry.number.is_none();
            if is_lacking && entry.again.is_none() {
                self.queue(state, id);
            }
        }
        let own = state.entries.values_mut().rev().filter(|of| of.row.person == person);
        let newest = own.into_iter().find(|of| of.row.stage != Stage::Failed);
        let waits = |of: &&mut Entry| {
            of.begun.is_none() && matches!(of.row.stage, Stage::Replaced | Stage::Waiting)
        };
        if let Some(entry) = newest.filter(waits) {
            entry.row.stage = Stage::Waiting;
            let id = entry.row.id;
            self.queue(state, id);
        }
    }

    /// Removes the files of old uploads, and what was built of others that do not play.
    fn forget_old(&self, old: Old) {
        old.files.iter().for_each(|name| files::remove(&self.folder.join(name)));
        old.builds.iter().for_each(|name| files::remove(&self.folder.join(name).join(BUILDS)));
        if !old.rows.is_empty() {
            let deleted = self.people.write(|file| record::delete(file, &old.rows));
            deleted.err().iter().for_each(|why| log::error!("uploads: {why:?}"));
        }
    }

    /// Stores the stage that an upload has reached for good, with its log.
    fn note(&self, id: i64) {
        let (stage, log) = match self.state().entries.get(&id) {
            Some(entry) => (entry.row.stage, self.shown(entry)),
            None => return,
        };
        // The lock of all pages does not wait for the disk.
        if let Err(why) = self.people.write(|file| record::end(file, id, stage, &log)) {
            log::error!("upload {id}: {why:?}");
        }
    }

    /// Takes the end of the work on an upload.
    fn end(self: &Arc<Uploads>, id: i64, outcome: Tested) {
        let mut state = self.state();
        let Some(entry) = state.entries.get_mut(&id) else { return };
        entry.begun = None;
        entry.changes += 1;
        let person = entry.row.person;
        let had_passed = entry.row.stage == Stage::Passed;
        match outcome {
            Tested::Passed(player) => {
                (entry.row.stage, entry.player) = (Stage::Passed, Some(player));
            }
            // It was right before: this machine lacks something. It stays what it was.
            Tested::Failed if had_passed => {
                entry.say("it cannot be started here now\n");
                entry.again = Some(Instant::now() + AGAIN);
            }
            Tested::Failed => entry.row.stage = Stage::Failed,
            // The next start works on it again.
            Tested::Stopped => return,
        }
        self.settle(&mut state, person);
        let old = state.take_old(person);
        drop(state);
        self.note(id);
        self.forget_old(old);
        self.changed();
    }
}

/// Parts of uploads that are removed.
#[derive(Default)]
struct Old {
    /// Folders that are removed.
    files: Vec<String>,
    /// Folders of which what was built is removed.
    builds: Vec<String>,
    /// Numbers of uploads that leave the history.
    rows: Vec<i64>,
}

impl Entry {
    /// Returns it for pages, without its log and its place.
    fn view(&self, is_current: bool) -> View {
        let Entry { row, begun, number, .. } = self;
        View {
            id: row.id,
            person: row.person,
            made: row.made,
            files: row.files.clone(),
            stage: if begun.is_some() { Stage::Testing } else { row.stage },
            begun: begun.map(|at| at.elapsed()),
            before: 0,
            is_current,
            number: *number,
            log: String::new(),
        }
    }
}

impl State {
    /// Returns the uploads whose test is not over.
    fn waiting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().filter(|of| of.row.stage == Stage::Waiting)
    }

    /// Returns the number of uploads whose test is not over.
    fn open_tests(&self) -> usize {
        self.waiting().count()
    }

    /// Takes out what is old among the uploads of a person. Those that play, in the room or in a
    /// game that goes on, stay whole.
    fn take_old(&mut self, person: i64) -> Old {
        let current = self.current(person);
        let own = self.entries.values().rev().filter(|of| of.row.person == person);
        let mut old = Old::default();
        for (place, entry) in own.enumerate().filter(|(_, of)| of.is_over()) {
            let Row { id, folder, stage, .. } = &entry.row;
            if Some(*id) == current {
                continue;
            }
            // A game of the version before may go on.
            let may_play = *stage == Stage::Passed && place < RECENT;
            if place >= KEPT {
                old.files.push(folder.clone());
            } else if !may_play {
                old.builds.push(folder.clone());
            }
            if place >= LISTED {
                old.rows.push(*id);
            }
        }
        for id in &old.rows {
            self.entries.remove(id);
        }
        old
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
}

/// Upload in the queue.
struct Work {
    uploads: Arc<Uploads>,
    id: i64,
}

impl Upload for Work {
    fn begin(&self) -> Option<Task> {
        let mut state = self.uploads.state();
        let entry = state.entries.get_mut(&self.id)?;
        entry.is_queued = false;
        let Row { person, stage, .. } = entry.row;
        let own = || state.entries.values().filter(|of| of.row.person == person);
        let is_newer = |of: &&Entry| of.row.id > self.id;
        let is_replaced = own().filter(is_newer).any(|of| of.row.stage != Stage::Failed);
        // One of a person at a time; its end puts this one into the queue again.
        let is_busy = own().any(|of| of.begun.is_some());
        let entry = state.entries.get_mut(&self.id)?;
        let has_passed = match stage {
            Stage::Passed => true,
            Stage::Waiting if !is_replaced => false,
            Stage::Waiting => {
                entry.row.stage = Stage::Replaced;
                entry.changes += 1;
                let old = state.take_old(person);
                drop(state);
                self.uploads.forget_old(old);
                self.uploads.changed();
                return None;
            }
            _ => return None,
        };
        if is_busy {
            return None;
        }
        entry.begun = Some(Instant::now());
        entry.changes += 1;
        let folder = self.uploads.folder.join(&entry.row.folder);
        drop(state);
        self.uploads.changed();
        let (builds, folder) = (folder.join(BUILDS), folder.join(FILES));
        Some(Task { player: player_of(person), builds, folder, has_passed })
    }

    fn say(&self, bytes: &[u8]) {
        if let Some(entry) = self.uploads.state().entries.get_mut(&self.id) {
            entry.log.add(bytes);
            entry.changes += 1;
        }
        self.uploads.changed();
    }

    fn end(self: Box<Self>, outcome: Tested) {
        self.uploads.end(self.id, outcome);
    }
}
