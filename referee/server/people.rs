//! People of a room, in a file of their own: the file of the games has only their numbers, so that
//! deleting a person changes no rating.

use crate::token::{Hash, Token};
use arbitre_games::text::HELP;
use arbitre_referee::escape::{escape, needs_escape};
use arbitre_referee::failure::Failure;
use arbitre_referee::run::room::{BOARD, PERSON};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::Timestamp;
use rusqlite::{params, Connection, ErrorCode, OptionalExtension};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::time::{Duration, SystemTime};

/// File of the people, in the folder of a room.
pub const FILE: &str = "people.db";
/// Mark of our files, `ARBP` as a number.
const APPLICATION: i32 = 0x4152_4250;
/// Format of the file. The first one had no uploads, the second one no solutions.
const FORMAT: i32 = 3;
/// Most characters of a name. Not tuned.
pub const LONGEST_NAME: usize = 40;
/// Most people of a room. Not tuned.
pub const MOST_PEOPLE: usize = 2000;
/// Time for which a process waits for another one that copies the file. Not tuned.
const PATIENCE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE person (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        token BLOB NOT NULL UNIQUE,
        is_disabled INTEGER NOT NULL DEFAULT 0,
        made INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE setting (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT;
";

/// Table that the second format added.
const UPLOADS: &str = "
    CREATE TABLE upload (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        person INTEGER NOT NULL,
        made INTEGER NOT NULL,
        files TEXT NOT NULL,
        folder TEXT NOT NULL,
        stage TEXT NOT NULL,
        log TEXT NOT NULL
    ) STRICT;
";

/// Table that the third format added: the best solution of each person.
const SOLUTIONS: &str = "
    CREATE TABLE solution (
        person INTEGER NOT NULL,
        problem INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        tag TEXT NOT NULL,
        score INTEGER NOT NULL,
        status TEXT NOT NULL,
        made INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (person, problem, seed)
    ) STRICT;
";

/// Person of a room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Number, which is never used again.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Whether the link of the person leads nowhere, and its player does not play.
    pub is_disabled: bool,
}

impl Person {
    /// Returns the name of its player in the file of the games.
    pub fn player(&self) -> String {
        player_of(self.id)
    }
}

/// Returns the name of the player of a person in the file of the games.
pub fn player_of(id: i64) -> String {
    format!("{PERSON}{id}")
}

/// Returns the name of a person at the board in the file of the games.
pub fn board_of(id: i64) -> String {
    format!("{BOARD}{id}")
}

/// Pages that are open to those without a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Openness {
    /// All public pages.
    #[default]
    Names,
    /// All public pages, with numbers in place of names.
    Numbers,
    /// None.
    Closed,
}

impl Openness {
    /// Words of the choices, as forms and the file have them.
    pub const WORDS: [(&'static str, Openness); 3] =
        [("names", Openness::Names), ("numbers", Openness::Numbers), ("closed", Openness::Closed)];

    fn of(word: &str) -> Openness {
        let found = Openness::WORDS.iter().find(|(of, _)| *of == word);
        found.map_or(Openness::Closed, |(_, openness)| *openness)
    }

    /// Returns the word.
    pub fn word(self) -> &'static str {
        Openness::WORDS.iter().find(|(_, of)| *of == self).map_or("closed", |(word, _)| word)
    }
}

/// Reason why a form is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// No name, too long, or with characters that act on a screen.
    Name(String),
    /// A name that another person has.
    Taken(String),
    /// The room is full.
    Full,
    /// There is no such person.
    Unknown,
    /// Files that cannot be a program, or another choice, with the reason.
    Files(String),
    /// The deadline is over.
    Frozen,
    /// The file cannot be written, with the reason.
    Store(String),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Refused {
        log::error!("{FILE}: {error}");
        Refused::Store(error.to_string())
    }
}

/// People and settings of a room. What pages show is kept in memory.
pub struct People {
    connection: Mutex<Connection>,
    known: RwLock<Known>,
    changes: AtomicU64,
}

#[derive(Clone, Default)]
struct Known {
    by_id: BTreeMap<i64, Person>,
    by_token: BTreeMap<Hash, i64>,
    teacher: Option<Hash>,
    openness: Openness,
    message: String,
    is_paused: bool,
    deadline: Option<Deadline>,
}

/// Moment after which no upload is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadline {
    /// Seconds since 1970.
    pub at: i64,
    /// Name of the time zone in which it was set, such as `Europe/Paris`.
    pub zone: String,
}

impl Deadline {
    /// Reads a moment such as `2026-12-04T18:00` in a time zone.
    ///
    /// # Errors
    /// Returns the reason if there is no such moment, or no such zone.
    pub fn parse(local: &str, zone: &str) -> Result<Deadline, String> {
        let local: DateTime = local.trim().parse().map_err(|_| {
            format!("expected a date and a time, such as 2026-12-04T18:00, got '{}'", escape(local))
        })?;
        let zoned = local.in_tz(zone.trim()).map_err(|_| {
            format!("expected a time zone, such as Europe/Paris, got '{}'", escape(zone))
        })?;
        Ok(Deadline { at: zoned.timestamp().as_second(), zone: zone.trim().into() })
    }

    /// Returns `true` if it is over.
    pub fn is_over(&self) -> bool {
        Timestamp::now().as_second() >= self.at
    }

    /// Returns the moment in its time zone, such as `2026-12-04 18:00`.
    pub fn text(&self) -> String {
        self.format("%Y-%m-%d %H:%M")
    }

    /// Returns the moment as a field of a form has it.
    pub fn local(&self) -> String {
        self.format("%Y-%m-%dT%H:%M")
    }

    fn format(&self, format: &str) -> String {
        let zoned = Timestamp::from_second(self.at).and_then(|at| at.in_tz(&self.zone));
        zoned.map_or_else(|_| self.at.to_string(), |zoned| zoned.strftime(format).to_string())
    }
}

/// Returns the name of the time zone of this machine.
pub fn zone_here() -> String {
    TimeZone::system().iana_name().unwrap_or("UTC").to_owned()
}

impl People {
    /// Opens the file in the folder of a room, which is made if it is not there.
    ///
    /// # Errors
    /// Returns an error if it is not ours, damaged, or cannot be written.
    pub fn open(folder: &Path) -> Result<People, Failure> {
        let path = folder.join(FILE);
        let connection = connect(&path).map_err(|error| refusal(&path, &error))?;
        let people = People {
            connection: Mutex::new(connection),
            known: RwLock::default(),
            changes: AtomicU64::new(0),
        };
        people.refresh().map_err(|why| match why {
            Refused::Store(why) => Failure::Store(format!("{}: {why}", path.display())),
            other => Failure::Store(format!("{}: {other:?}", path.display())),
        })?;
        Ok(people)
    }

    fn file(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().expect("no thread panics while it holds the lock")
    }

    fn known<T>(&self, look: impl FnOnce(&Known) -> T) -> T {
        look(&self.known.read().expect("no thread panics while it holds the lock"))
    }

    /// Reads what pages show.
    fn refresh(&self) -> Result<(), Refused> {
        let mut known = Known::default();
        {
            let file = self.file();
            let mut rows = file.prepare("SELECT id, name, is_disabled, token FROM person")?;
            let found = rows.query_map([], |row| {
                let (id, name, is_disabled) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok((Person { id, name, is_disabled }, row.get::<_, Hash>(3)?))
            })?;
            for row in found {
                let (person, hash) = row?;
                known.by_token.insert(hash, person.id);
                known.by_id.insert(person.id, person);
            }
            let text = |name: &str| setting::<String>(&file, name);
            known.openness = text("openness")?.as_deref().map(Openness::of).unwrap_or_default();
            known.message = text("message")?.unwrap_or_default();
            known.is_paused = setting(&file, "is_paused")?.unwrap_or(false);
            known.teacher = setting(&file, "teacher")?;
            let at = setting(&file, "deadline")?;
            let zone = || -> rusqlite::Result<String> {
                Ok(setting(&file, "zone")?.unwrap_or_else(|| "UTC".into()))
            };
            known.deadline = match at {
                Some(at) => Some(Deadline { at, zone: zone()? }),
                None => None,
            };
        }
        *self.known.write().expect("no thread panics while it holds the lock") = known;
        self.changes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Reads a table of others from the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        read(&self.file())
    }

    /// Changes a table of others in the file, in one transaction.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write<T>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let file = self.file();
        let transaction = file.unchecked_transaction()?;
        let changed = change(&transaction)?;
        transaction.commit()?;
        Ok(changed)
    }

    /// Changes the file in one transaction, then what pages show.
    fn change<T>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let changed = self.write(change)?;
        self.refresh()?;
        Ok(changed)
    }

    /// Returns the number of changes since the file was opened.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns all people in the order of their numbers.
    pub fn all(&self) -> Vec<Person> {
        self.known(|known| known.by_id.values().cloned().collect())
    }

    /// Returns a person.
    pub fn person(&self, id: i64) -> Option<Person> {
        self.known(|known| known.by_id.get(&id).cloned())
    }

    /// Returns the person with this token, unless it is disabled.
    pub fn person_with(&self, token: &Token) -> Option<Person> {
        let hash = token.hash();
        let found = self.known(|known| known.by_id.get(known.by_token.get(&hash)?).cloned());
        found.filter(|person| !person.is_disabled)
    }

    /// Returns `true` if this is the teacher's token.
    pub fn is_teacher(&self, token: &Token) -> bool {
        self.known(|known| known.teacher == Some(token.hash()))
    }

    /// Returns `true` if there is a teacher's link.
    pub fn has_teacher(&self) -> bool {
        self.known(|known| known.teacher.is_some())
    }

    /// Returns the number by which the cookies of this room differ from those of others on the
    /// machine: ports of one host share their cookies.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn room(&self) -> Result<String, Refused> {
        if let Some(room) = setting(&self.file(), "room")? {
            return Ok(room);
        }
        let room: String = Token::draw().to_string().chars().take(8).collect();
        self.change(|file| set(file, "room", &room))?;
        Ok(room)
    }

    /// Gives the teacher another token.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new_teacher(&self) -> Result<Token, Refused> {
        let token = Token::draw();
        self.change(|file| set(file, "teacher", token.hash()))?;
        Ok(token)
    }

    /// Adds people, each with a token. None is added if one is refused.
    ///
    /// # Errors
    /// Returns the first name that is refused.
    pub fn add(&self, names: &[String]) -> Result<Vec<(Person, Token)>, Refused> {
        if self.known(|known| known.by_id.len()) + names.len() > MOST_PEOPLE {
            return Err(Refused::Full);
        }
        let made = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
        self.change(|file| {
            let add = |name: &String| -> Result<(Person, Token), Refused> {
                let (name, token) = (checked(name)?, Token::draw());
                refuse_taken(file, &name, None)?;
                let sql = "INSERT INTO person (name, token, made) VALUES (?, ?, ?)";
                file.execute(sql, params![name, token.hash(), made])?;
                let id = file.last_insert_rowid();
                Ok((Person { id, name, is_disabled: false }, token))
            };
            // A list by the alphabet would tell each number's name.
            let mut order: Vec<(Token, usize)> =
                (0..names.len()).map(|place| (Token::draw(), place)).collect();
            order.sort_unstable_by_key(|(token, _)| token.hash());
            let added = order.into_iter().map(|(_, place)| Ok((place, add(&names[place])?)));
            let mut added = added.collect::<Result<Vec<_>, Refused>>()?;
            added.sort_unstable_by_key(|(place, _)| *place);
            Ok(added.into_iter().map(|(_, person)| person).collect())
        })
    }

    /// Renames a person.
    ///
    /// # Errors
    /// Returns an error if there is none, or the name is refused.
    pub fn rename(&self, id: i64, name: &str) -> Result<(), Refused> {
        self.change(|file| {
            let name = checked(name)?;
            refuse_taken(file, &name, Some(id))?;
            one(file.execute("UPDATE person SET name = ? WHERE id = ?", params![name, id])?)
        })
    }

    /// Gives a person another token; the one before leads nowhere.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn reissue(&self, id: i64) -> Result<(Person, Token), Refused> {
        let token = Token::draw();
        self.change(|file| {
            let sql = "UPDATE person SET token = ? WHERE id = ?";
            one(file.execute(sql, params![token.hash(), id])?)
        })?;
        self.person(id).map(|person| (person, token)).ok_or(Refused::Unknown)
    }

    /// Disables a person, or enables it again.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn disable(&self, id: i64, is_disabled: bool) -> Result<(), Refused> {
        self.change(|file| {
            let sql = "UPDATE person SET is_disabled = ? WHERE id = ?";
            one(file.execute(sql, params![is_disabled, id])?)
        })
    }

    /// Deletes a person: its name and its token.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn delete(&self, id: i64) -> Result<(), Refused> {
        self.change(|file| one(file.execute("DELETE FROM person WHERE id = ?", [id])?))
    }

    /// Returns what those without a link see.
    pub fn openness(&self) -> Openness {
        self.known(|known| known.openness)
    }

    /// Changes what those without a link see.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_openness(&self, word: &str) -> Result<(), Refused> {
        self.change(|file| set(file, "openness", Openness::of(word).word()))
    }

    /// Returns `true` if the teacher has paused the room.
    pub fn is_paused(&self) -> bool {
        self.known(|known| known.is_paused)
    }

    /// Notes whether the teacher has paused the room, for the next start.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_paused(&self, is_paused: bool) -> Result<(), Refused> {
        self.change(|file| set(file, "is_paused", is_paused))
    }

    /// Returns the teacher's message to all; empty for none.
    pub fn message(&self) -> String {
        self.known(|known| known.message.clone())
    }

    /// Changes the teacher's message to all.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_message(&self, text: &str) -> Result<(), Refused> {
        let text: String = text.trim().chars().filter(|c| !needs_escape(*c)).take(500).collect();
        self.change(|file| set(file, "message", text))
    }

    /// Returns the moment after which no upload is taken.
    pub fn deadline(&self) -> Option<Deadline> {
        self.known(|known| known.deadline.clone())
    }

    /// Returns the time zone of the last deadline.
    pub fn zone(&self) -> Option<String> {
        setting(&self.file(), "zone").ok().flatten()
    }

    /// Changes the moment after which no upload is taken; none for no such moment.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_deadline(&self, deadline: Option<&Deadline>) -> Result<(), Refused> {
        self.change(|file| match deadline {
            Some(Deadline { at, zone }) => {
                set(file, "deadline", at)?;
                set(file, "zone", zone)
            }
            None => {
                file.execute("DELETE FROM setting WHERE name = 'deadline'", [])?;
                Ok(())
            }
        })
    }

    /// Writes a copy of the file in a folder as it is now, also while another process writes it.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or the copy written.
    pub fn copy(folder: &Path, to: &Path) -> Result<(), Failure> {
        let path = folder.join(FILE);
        let copied = || {
            let file = connect(&path)?;
            file.execute("VACUUM INTO ?", [to.to_string_lossy()])
        };
        copied().map(drop).map_err(|error| refusal(&path, &error))
    }
}

/// Returns the error of a file that cannot be opened.
fn refusal(path: &Path, error: &rusqlite::Error) -> Failure {
    let is_foreign = matches!(error, rusqlite::Error::InvalidQuery)
        || error.sqlite_error_code() == Some(ErrorCode::NotADatabase);
    let path = path.display();
    Failure::Store(match is_foreign {
        true => format!(
            "{path}: expected the people of a room, got a file of another program or of a later \
             version{HELP}move it away, or restore a backup"
        ),
        false => format!("{path}: {error}{HELP}see its rights, and the free space"),
    })
}

/// Opens the file and lays its tables, if it has none.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let file = Connection::open(path)?;
    file.busy_timeout(PATIENCE)?;
    // A name that was deleted leaves no letters behind.
    file.pragma_update(None, "secure_delete", true)?;
    let (application, format): (i32, i32) = (
        file.pragma_query_value(None, "application_id", |row| row.get(0))?,
        file.pragma_query_value(None, "user_version", |row| row.get(0))?,
    );
    let tables: i64 = file.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    let lacking: &[&str] = match (application, format, tables) {
        (APPLICATION, FORMAT, _) => return Ok(file),
        (APPLICATION, 2, _) => &[SOLUTIONS],
        (APPLICATION, 1, _) => &[UPLOADS, SOLUTIONS],
        (_, _, 0) => &[TABLES, UPLOADS, SOLUTIONS],
        // Foreign, or of a later version.
        _ => return Err(rusqlite::Error::InvalidQuery),
    };
    let laid = file.unchecked_transaction()?;
    lacking.iter().try_for_each(|sql| laid.execute_batch(sql))?;
    laid.pragma_update(None, "application_id", APPLICATION)?;
    laid.pragma_update(None, "user_version", FORMAT)?;
    laid.commit()?;
    Ok(file)
}

fn setting<T: rusqlite::types::FromSql>(
    file: &Connection,
    name: &str,
) -> Result<Option<T>, rusqlite::Error> {
    let sql = "SELECT value FROM setting WHERE name = ?";
    file.query_row(sql, [name], |row| row.get(0)).optional()
}

fn set(file: &Connection, name: &str, value: impl rusqlite::ToSql) -> Result<(), Refused> {
    let sql = "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2";
    file.execute(sql, params![name, value])?;
    Ok(())
}

/// Returns a name without blanks around it.
fn checked(name: &str) -> Result<String, Refused> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_good = !name.is_empty()
        && name.chars().count() <= LONGEST_NAME
        && !name.chars().any(needs_escape)
        && ![PERSON, BOARD].iter().any(|start| name.starts_with(start));
    is_good.then(|| name.clone()).ok_or(Refused::Name(name))
}

fn refuse_taken(file: &Connection, name: &str, own: Option<i64>) -> Result<(), Refused> {
    // The database compares only the letters of English without their case.
    let mut rows = file.prepare("SELECT id, name FROM person")?;
    let others = rows.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let others: Vec<(i64, String)> = others.collect::<Result<_, _>>()?;
    let is_same =
        |(id, of): &(i64, String)| Some(*id) != own && of.to_lowercase() == name.to_lowercase();
    match others.iter().any(is_same) {
        true => Err(Refused::Taken(name.into())),
        false => Ok(()),
    }
}

fn one(changed: usize) -> Result<(), Refused> {
    (changed == 1).then_some(()).ok_or(Refused::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn people(name: &str) -> (People, std::path::PathBuf) {
        let folder =
            std::env::temp_dir().join(format!("arbitre-people-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        (People::open(&folder).unwrap(), folder)
    }

    fn names(of: &[&str]) -> Vec<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn token_leads_to_its_person_until_it_is_replaced() {
        let (people, folder) = people("tokens");
        let added = people.add(&names(&["Ada", " Grace  Hopper "])).unwrap();
        let (ada, token) = &added[0];
        assert_eq!(added[1].0.name, "Grace Hopper");
        assert_eq!(people.person_with(token).as_ref(), Some(ada));
        assert_eq!(people.person_with(&Token::draw()), None);
        let (_, other) = people.reissue(ada.id).unwrap();
        assert_eq!((people.person_with(token), people.person_with(&other).is_some()), (None, true));
        people.disable(ada.id, true).unwrap();
        assert_eq!(people.person_with(&other), None);
        people.disable(ada.id, false).unwrap();
        let again = People::open(&folder).unwrap();
        assert_eq!(again.person_with(&other).unwrap().name, "Ada", "all is in the file");
        let bytes = fs::read(folder.join(FILE)).unwrap();
        let text = other.to_string();
        assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()), "only a hash is");
        people.delete(ada.id).unwrap();
        assert_eq!((people.person_with(&other), people.all().len()), (None, 1));
        let (next, _) = people.add(&names(&["Ada"])).unwrap().remove(0);
        assert!(next.id > added[1].0.id, "a number is never used again");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_are_refused_together() {
        let (people, folder) = people("names");
        let long = "x".repeat(LONGEST_NAME + 1);
        for (bad, refused) in [
            ("", Refused::Name(String::new())),
            ("a\u{202e}b", Refused::Name("a\u{202e}b".into())),
            (long.as_str(), Refused::Name(long.clone())),
            ("person-7", Refused::Name("person-7".into())),
            ("ADA", Refused::Taken("ADA".into())),
        ] {
            // People are added in any order, so that either of two equal names may be the second.
            let found = people.add(&names(&["Ada", bad])).map_err(|refused| match refused {
                Refused::Taken(name) => Refused::Taken(name.to_uppercase()),
                other => other,
            });
            assert_eq!(found, Err(refused), "{bad:?}");
            assert!(people.all().is_empty(), "{bad:?}");
        }
        for name in ["Ada", "<b>Bob</b>"] {
            people.add(&names(&[name])).unwrap();
        }
        people.add(&names(&["Zoé"])).unwrap();
        assert_eq!(people.rename(2, "ZOÉ"), Err(Refused::Taken("ZOÉ".into())));
        assert_eq!(people.rename(2, "ada"), Err(Refused::Taken("ada".into())));
        assert_eq!(people.rename(1, "ADA"), Ok(()), "its own name in other letters");
        assert_eq!(people.rename(9, "Eve"), Err(Refused::Unknown));
        fs::remove_dir_all(folder).unwrap();
    }
}
