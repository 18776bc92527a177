//! The estimates by their names, and making them for boards of a size.

use super::conflict::LinearConflict;
use super::databases::Databases;
use super::heuristic::Manhattan;
use super::pattern::partition::{SEVEN_EIGHT, SIXES, SIX_SIX_THREE};
use super::pattern::{Making, Partition, Patterns};
use super::walking::WalkingDistance;
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::Size;
use std::path::PathBuf;
use std::time::Duration;

/// Which estimate guides a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guide {
    /// Manhattan distance.
    Manhattan,
    /// Manhattan distance with linear conflicts.
    LinearConflict,
    /// Walking distance.
    WalkingDistance,
    /// Pattern databases of 6, 6 and 3 tiles of the 15-puzzle.
    Pattern663,
    /// Pattern databases of 7 and 8 tiles of the 15-puzzle.
    Pattern78,
    /// Pattern databases of four groups of 6 tiles of the 24-puzzle.
    Pattern6666,
    /// Those of 7 and 8 tiles that leave the blank's place out.
    KorfFelner78,
    /// Those of 6 tiles that leave it out.
    KorfFelner6666,
}

/// The words for the estimates.
pub const GUIDES: [(&str, Guide); 8] = [
    ("manhattan", Guide::Manhattan),
    ("linear-conflict", Guide::LinearConflict),
    ("walking-distance", Guide::WalkingDistance),
    ("pattern-663", Guide::Pattern663),
    ("pattern-78", Guide::Pattern78),
    ("pattern-6666", Guide::Pattern6666),
    ("korf-felner-78", Guide::KorfFelner78),
    ("korf-felner-6666", Guide::KorfFelner6666),
];

impl Guide {
    /// The one that needs no long preparation and suits boards of this size.
    pub fn usual((rows, columns): Size) -> Guide {
        match rows.max(columns) <= 4 {
            true => Guide::WalkingDistance,
            false => Guide::LinearConflict,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        let known = GUIDES.iter().find(|(_, guide)| *guide == self);
        known.expect("every estimate has a word").0
    }

    /// The groups of its pattern databases, if it has any.
    pub fn partition(self) -> Option<Partition<'static>> {
        match self {
            Guide::Pattern663 => Some(SIX_SIX_THREE),
            Guide::Pattern78 => Some(SEVEN_EIGHT),
            Guide::Pattern6666 => Some(SIXES),
            Guide::KorfFelner78 => Some(Partition { zoned: false, ..SEVEN_EIGHT }),
            Guide::KorfFelner6666 => Some(Partition { zoned: false, ..SIXES }),
            _ => None,
        }
    }

    /// As long as making its tables takes at most on a slow machine, by one thread.
    pub fn making_time(self) -> Duration {
        match self {
            Guide::Pattern663 => Duration::from_secs(4),
            _ if self.partition().is_some() => Duration::from_secs(120),
            _ => Duration::ZERO,
        }
    }
}

/// How tables are made, and where they are kept.
#[derive(Clone)]
pub struct Means {
    /// The folder, if they are kept.
    pub folder: Option<PathBuf>,
    /// The threads that work on them.
    pub threads: usize,
    /// Is told which part of them is made, from 0 to 1.
    pub progress: fn(f64),
}

impl Means {
    /// Quietly, in one thread, for this process alone.
    pub const ALONE: Means = Means { folder: None, threads: 1, progress: |_| () };

    /// The tables of a partition.
    pub fn make(&self, partition: &Partition) -> Patterns {
        let folder = self.folder.as_deref();
        Patterns::new(
            partition,
            &Making { folder, threads: self.threads, progress: &self.progress },
        )
    }

    /// The same if they are kept already.
    fn found(&self, partition: &Partition) -> Option<Patterns> {
        Patterns::found(partition, self.folder.as_deref()?, self.threads)
    }
}

/// An estimate for boards of one size.
pub enum Estimator {
    /// See [`Manhattan`].
    Manhattan(Manhattan),
    /// See [`LinearConflict`].
    LinearConflict(LinearConflict),
    /// See [`WalkingDistance`].
    WalkingDistance(Box<WalkingDistance>),
    /// See [`Patterns`].
    Patterns(Box<Databases>),
}

impl Estimator {
    /// The one that is named.
    ///
    /// # Errors
    /// If it is not for boards of this size.
    pub fn new(guide: Guide, size: Size, means: &Means) -> Result<Estimator, ParseError> {
        let (rows, columns) = size;
        match (guide, guide.partition()) {
            (_, Some(partition)) if partition.size == size => {
                Ok(Estimator::of(means.make(&partition), means.threads))
            }
            (_, Some(Partition { size: (side, _), .. })) => Err(ParseError::new(format!(
                "{} is for {side}x{side}, not for {rows}x{columns}: expected another heuristic",
                guide.word()
            ))),
            (Guide::LinearConflict, _) => {
                Ok(Estimator::LinearConflict(LinearConflict::new(rows, columns)))
            }
            (Guide::WalkingDistance, _) => {
                WalkingDistance::new(rows, columns).map(Box::new).map(Estimator::WalkingDistance)
            }
            _ => Ok(Estimator::Manhattan(Manhattan::new(rows, columns))),
        }
    }

    fn of(patterns: Patterns, threads: usize) -> Estimator {
        Estimator::Patterns(Box::new(Databases::new(patterns, threads)))
    }

    /// The best that is at hand where none is named: the largest tables that are kept; where tables are kept and
    /// those of 4x4 are not there yet, the small ones are made.
    ///
    /// # Errors
    /// None for the sizes of boards.
    pub fn usual(size: Size, means: &Means) -> Result<Estimator, ParseError> {
        let guides = [Guide::Pattern78, Guide::Pattern6666];
        let mut kept = guides.into_iter().filter_map(Guide::partition);
        let found = kept.find(|of| of.size == size).and_then(|of| means.found(&of));
        match (found, &means.folder) {
            (Some(patterns), _) => Ok(Estimator::of(patterns, means.threads)),
            (None, Some(_)) if size == SIX_SIX_THREE.size => {
                Estimator::new(Guide::Pattern663, size, means)
            }
            (None, _) => Estimator::new(Guide::usual(size), size, means),
        }
    }

    /// One that is made within this time: what is named, or what is usual for players.
    ///
    /// # Errors
    /// If it is not for boards of this size.
    pub fn within(
        time: Duration,
        guide: Option<Guide>,
        size: Size,
        means: &Means,
    ) -> Result<Estimator, ParseError> {
        let guide = guide.unwrap_or(match size == SIX_SIX_THREE.size {
            true => Guide::Pattern663,
            false => Guide::usual(size),
        });
        let partition =
            guide.partition().filter(|of| of.size == size && time < guide.making_time());
        match partition {
            None => Estimator::new(guide, size, means),
            Some(partition) => match means.found(&partition) {
                Some(patterns) => Ok(Estimator::of(patterns, means.threads)),
                None => Estimator::new(Guide::usual(size), size, means),
            },
        }
    }
}
