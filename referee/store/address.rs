//! Places of results. Nothing else chooses the names of their files.

use super::folder::{self, IN_MEMORY};
use super::{Archive, Machine, OpenError, Session, StoreError, Writer};
use crate::config::Contest;
use crate::failure::Failure;
use crate::registry::Registry;
use arbitre_games::text::HELP;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Place of the results of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// Memory, which is lost at the end.
    Memory,
    /// A file.
    File(PathBuf),
    /// The file below the folder of results whose last session began last; a new one for a new
    /// contest.
    Newest,
    /// The file below the folder of results that belongs to the source of a tournament, a canonical
    /// path.
    OfSource(PathBuf),
}

/// Use of the results that are stored at an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// No results may be stored.
    Begin,
    /// The stored results are continued.
    Continue,
    /// Stored results are continued; without any, new ones are begun.
    ContinueOrBegin,
}

/// Place of results that was looked at.
pub enum Opened {
    /// Nothing is stored there yet.
    New(Address),
    /// A contest that goes on.
    Resumed(Box<Writer>),
}

impl Address {
    /// Returns the place that `--db` names: a file, memory, or the newest results without it.
    pub fn of(db: Option<&Path>) -> Address {
        match db {
            None => Address::Newest,
            Some(path) if path == Path::new(IN_MEMORY) => Address::Memory,
            Some(path) => Address::File(path.into()),
        }
    }

    /// Returns the path of the file that is there.
    ///
    /// # Errors
    /// Returns an error if nothing is stored there.
    pub fn path(&self, registry: &Registry) -> Result<PathBuf, Failure> {
        match self {
            Address::Memory => Err(Failure::Usage(format!(
                "expected --db FILE, got {IN_MEMORY}, which stores nothing{HELP}name a file"
            ))),
            Address::File(path) => Ok(path.clone()),
            Address::Newest => match folder::newest()? {
                Some(path) => Ok(path),
                None => Err(OpenError::NothingStored.about(Path::new(folder::FOLDER)).into()),
            },
            Address::OfSource(source) => of_source(source, registry),
        }
    }

    /// Opens the results that are there for reading.
    ///
    /// # Errors
    /// Returns an error if nothing is stored there, or it cannot be read.
    pub fn read(&self, registry: &Registry) -> Result<Archive, Failure> {
        Ok(Archive::open(&self.path(registry)?, registry)?)
    }

    /// Opens the results that are there for writing.
    ///
    /// # Errors
    /// Returns an error if nothing is stored there, or it cannot be written.
    pub fn write(&self, registry: &Registry) -> Result<Writer, Failure> {
        let path = self.path(registry)?;
        Writer::resume(&path, &holder(), registry)?
            .ok_or_else(|| OpenError::Empty.about(&path).into())
    }

    /// Looks at the place for a command that plays.
    ///
    /// # Errors
    /// Returns an error if the results that are there do not fit the wish, or cannot be written.
    pub fn open(self, wish: Wish, registry: &Registry) -> Result<Opened, Failure> {
        match (wish, &self) {
            (Wish::Begin, _) | (Wish::ContinueOrBegin, Address::Memory) => {
                return Ok(Opened::New(self));
            }
            (Wish::Continue, _) => return Ok(Opened::Resumed(Box::new(self.write(registry)?))),
            (Wish::ContinueOrBegin, _) => {}
        }
        // A missing file means that the contest begins now.
        let path = match (self.path(registry), &self) {
            (Err(_), Address::Newest) => return Ok(Opened::New(self)),
            (path, _) => path?,
        };
        if !path.exists() {
            return Ok(Opened::New(self));
        }
        Ok(match Writer::resume(&path, &holder(), registry)? {
            Some(writer) => Opened::Resumed(Box::new(writer)),
            None => Opened::New(Address::File(path)),
        })
    }
}

impl Opened {
    /// Returns what is stored there.
    pub fn archive(&self) -> Option<&Archive> {
        match self {
            Opened::New(_) => None,
            Opened::Resumed(writer) => Some(writer.archive()),
        }
    }

    /// Returns the path of the file, as far as it is known.
    pub fn path(&self, registry: &Registry) -> Option<PathBuf> {
        match self {
            Opened::New(Address::Memory | Address::Newest) => None,
            Opened::New(address) => address.path(registry).ok(),
            Opened::Resumed(writer) => Some(writer.archive().path().into()),
        }
    }

    /// Begins a session of the contest, which is stored now if it is new.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn begin(
        self,
        contest: &Contest,
        durable: bool,
        processors: usize,
        registry: &Registry,
    ) -> Result<Writer, Failure> {
        let mut writer = match self {
            Opened::Resumed(writer) => *writer,
            Opened::New(Address::Memory) => Writer::in_memory(contest, registry)?,
            Opened::New(address) => {
                let path = match address {
                    Address::Newest => folder::new_file(&contest.names())?,
                    address => address.path(registry)?,
                };
                Writer::create(&path, contest, &holder(), registry)?
            }
        };
        let begun = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
        let referee = env!("CARGO_PKG_VERSION").into();
        let machine = Some(Machine::here(processors));
        writer.begin_session(Session { begun, referee, machine }, durable)?;
        let stored = writer.archive().config();
        let facts = |of: &Contest| (of.games, of.players.clone(), of.source.clone());
        if facts(contest) != facts(stored) {
            writer.extend(contest)?;
        }
        Ok(writer)
    }
}

/// Returns the file that holds the tournament of the source `path`, whatever its name is.
///
/// # Errors
/// Returns an error if the folder of results cannot be read.
pub fn stored_of(path: &Path, registry: &Registry) -> Result<Option<PathBuf>, StoreError> {
    let is_of = |(_, source): &(PathBuf, PathBuf)| source == path;
    Ok(sources(registry)?.into_iter().find(is_of).map(|(file, _)| file))
}

/// Returns the files of tournaments below the folder of results whose sources are gone, each with
/// its source. Files that cannot be read are left out.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn orphaned(registry: &Registry) -> Result<Vec<(PathBuf, PathBuf)>, StoreError> {
    let all = sources(registry)?.into_iter();
    Ok(all.filter(|(_, source)| !source.exists()).collect())
}

/// Returns the files of tournaments below the folder of results, each with its source.
/// Files that cannot be read are left out.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn sources(registry: &Registry) -> Result<Vec<(PathBuf, PathBuf)>, StoreError> {
    let source = |file: PathBuf| {
        let archive = Archive::open(&file, registry).ok()?;
        let source = archive.config().tournament()?.path.clone()?;
        Some((file, source))
    };
    Ok(folder::tournaments()?.into_iter().filter_map(source).collect())
}

/// Returns the file of the tournament from the source `path`. It may not exist yet.
fn of_source(path: &Path, registry: &Registry) -> Result<PathBuf, Failure> {
    // A source that has moved keeps its file, whose name is that of its former place.
    if let Some(file) = stored_of(path, registry)? {
        return Ok(file);
    }
    let (mut gone, name) = (None, path.file_name().unwrap_or_default().to_string_lossy());
    for file in folder::tournament_files(&name)? {
        let is_empty = file.metadata().is_ok_and(|file| file.len() == 0);
        if !file.exists() || is_empty {
            return gone.map_or(Ok(file), Err);
        }
        let archive = Archive::open(&file, registry)?;
        match archive.config().tournament().and_then(|of| of.path.as_deref()) {
            Some(source) => {
                let (old, new) = (source.display(), path.display());
                let refuse = || {
                    Failure::Data(format!(
                        "{}: expected the tournament of {new}, got that of {old}, which is gone\
                         {HELP}write --source '{old}' if it has moved, or --db NEW for another \
                         tournament",
                        file.display(),
                    ))
                };
                gone = gone.or((!source.exists()).then(refuse));
            }
            // Files of earlier versions have no source, and are found by its name.
            None => return Ok(file),
        }
    }
    unreachable!("the numbers do not run out")
}

/// Returns a description of this process for others that open the same file.
pub fn holder() -> String {
    let (pid, since) = (std::process::id(), folder::date("now", "%Y-%m-%d %H:%M:%S"));
    let host = rustix::system::uname();
    format!("the referee with pid {pid} on {}, since {since},", host.nodename().to_string_lossy())
}
