//! Names of the heuristics, and their construction for boards of one size.

use crate::taquin::best::pattern::partition::{SEVEN_EIGHT, SIXES, SIX_SIX_THREE};
use crate::taquin::best::pattern::{Partition, PatternDatabases, TableOptions};
use crate::taquin::best::pattern_search::PatternSearch;
use crate::taquin::heuristics::linear_conflict::LinearConflict;
use crate::taquin::heuristics::walking_distance::WalkingDistance;
use crate::taquin::heuristics::Manhattan;
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::Size;
use std::time::Duration;

/// Name of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeuristicKind {
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
}

/// Names of the heuristics on the command line.
pub const HEURISTICS: [(&str, HeuristicKind); 6] = [
    ("manhattan", HeuristicKind::Manhattan),
    ("linear-conflict", HeuristicKind::LinearConflict),
    ("walking-distance", HeuristicKind::WalkingDistance),
    ("pattern-663", HeuristicKind::Pattern663),
    ("pattern-78", HeuristicKind::Pattern78),
    ("pattern-6666", HeuristicKind::Pattern6666),
];

impl HeuristicKind {
    /// Returns the default heuristic for boards of this size: walking distance up to 4x4, linear
    /// conflicts beyond. Neither needs long preparation.
    pub fn default_for((rows, columns): Size) -> HeuristicKind {
        match rows.max(columns) <= 4 {
            true => HeuristicKind::WalkingDistance,
            false => HeuristicKind::LinearConflict,
        }
    }

    /// Returns its name on the command line.
    pub fn word(self) -> &'static str {
        let known = HEURISTICS.iter().find(|(_, kind)| *kind == self);
        known.expect("every heuristic has a name").0
    }

    /// Returns the groups of its pattern databases, if it has any.
    pub fn partition(self) -> Option<Partition<'static>> {
        match self {
            HeuristicKind::Pattern663 => Some(SIX_SIX_THREE),
            HeuristicKind::Pattern78 => Some(SEVEN_EIGHT),
            HeuristicKind::Pattern6666 => Some(SIXES),
            _ => None,
        }
    }

    /// Returns an upper limit of the build time of its tables with one thread on a slow machine.
    pub fn build_time(self) -> Duration {
        match self {
            HeuristicKind::Pattern663 => Duration::from_secs(4),
            _ if self.partition().is_some() => Duration::from_secs(120),
            _ => Duration::ZERO,
        }
    }
}

/// Heuristic for boards of one size.
pub enum LoadedHeuristic {
    /// See [`Manhattan`].
    Manhattan(Manhattan),
    /// See [`LinearConflict`].
    LinearConflict(LinearConflict),
    /// See [`WalkingDistance`].
    WalkingDistance(Box<WalkingDistance>),
    /// See [`PatternDatabases`].
    PatternDatabases(Box<PatternSearch>),
}

impl LoadedHeuristic {
    /// Builds or loads heuristic `kind` for boards of `size`.
    ///
    /// # Errors
    /// Returns an error if the heuristic does not support boards of this size, or its tables do not
    /// fit into memory.
    pub fn new(
        kind: HeuristicKind,
        size: Size,
        options: &TableOptions,
    ) -> Result<LoadedHeuristic, ParseError> {
        let (rows, columns) = size;
        match (kind, kind.partition()) {
            (_, Some(partition)) if partition.size == size => {
                Ok(LoadedHeuristic::of(tables(kind, &partition, options)?, options))
            }
            (_, Some(Partition { size: (side, _), .. })) => Err(ParseError::new(format!(
                "{} expects boards of {side}x{side}, got {rows}x{columns}; help: choose another heuristic",
                kind.word()
            ))),
            (HeuristicKind::LinearConflict, _) => {
                Ok(LoadedHeuristic::LinearConflict(LinearConflict::new(rows, columns)))
            }
            (HeuristicKind::WalkingDistance, _) => WalkingDistance::new(rows, columns)
                .map(Box::new)
                .map(LoadedHeuristic::WalkingDistance),
            _ => Ok(LoadedHeuristic::Manhattan(Manhattan::new(rows, columns))),
        }
    }

    fn of(patterns: PatternDatabases, options: &TableOptions) -> LoadedHeuristic {
        let search = PatternSearch::new(patterns, options.threads, options.memory);
        LoadedHeuristic::PatternDatabases(Box::new(search))
    }

    /// Returns the default heuristic: the largest pattern databases found in the cache that fit
    /// into memory. On 4x4 without them, builds the small ones if `options` names a cache folder
    /// and memory suffices. Otherwise returns the heuristic of [`HeuristicKind::default_for`].
    ///
    /// # Errors
    /// Never returns an error for the size of a board.
    pub fn default_for(size: Size, options: &TableOptions) -> Result<LoadedHeuristic, ParseError> {
        let kinds = [HeuristicKind::Pattern78, HeuristicKind::Pattern6666];
        let mut kept = kinds.into_iter().filter_map(HeuristicKind::partition);
        let found = kept.find(|of| of.size == size).and_then(|of| load(&of, options));
        if let Some(patterns) = found {
            return Ok(LoadedHeuristic::of(patterns, options));
        }
        if size == SIX_SIX_THREE.size && options.folder.is_some() {
            // An error means that the tables do not fit into memory.
            if let Ok(small) = LoadedHeuristic::new(HeuristicKind::Pattern663, size, options) {
                return Ok(small);
            }
        }
        LoadedHeuristic::new(HeuristicKind::default_for(size), size, options)
    }

    /// Returns a heuristic that is ready within `time`: `kind`, or the default of players.
    ///
    /// # Errors
    /// Returns an error if `kind` does not support boards of this size, does not fit into memory,
    /// or takes too long to build.
    pub fn within_time(
        time: Duration,
        kind: Option<HeuristicKind>,
        size: Size,
        options: &TableOptions,
    ) -> Result<LoadedHeuristic, ParseError> {
        let Some(kind) = kind else {
            let small = HeuristicKind::Pattern663;
            let small = (size == SIX_SIX_THREE.size)
                .then(|| LoadedHeuristic::within_time(time, Some(small), size, options));
            return match small {
                Some(Ok(small)) => Ok(small),
                _ => LoadedHeuristic::new(HeuristicKind::default_for(size), size, options),
            };
        };
        // Tables that take too long to build are used only if they are in the cache.
        let partition = kind.partition().filter(|of| of.size == size && time < kind.build_time());
        match partition.map(|partition| load(&partition, options)) {
            None => LoadedHeuristic::new(kind, size, options),
            Some(Some(patterns)) => Ok(LoadedHeuristic::of(patterns, options)),
            Some(None) => {
                let word = kind.word();
                Err(ParseError::new(format!(
                    "expected stored tables of {word}, or an initialisation time that suffices to \
                     build them; help: store them with taquin tables {word}"
                )))
            }
        }
    }
}

/// Loads pattern databases from the cache. Returns `None` if they are not there or do not fit into
/// memory.
fn load(partition: &Partition, options: &TableOptions) -> Option<PatternDatabases> {
    options.folder.as_ref()?;
    (partition.memory().tables <= options.memory)
        .then(|| PatternDatabases::load(partition, options))
        .flatten()
}

/// Loads the pattern databases of heuristic `kind`, or builds them.
///
/// # Errors
/// Returns an error if they do not fit into memory.
pub fn tables(
    kind: HeuristicKind,
    partition: &Partition,
    options: &TableOptions,
) -> Result<PatternDatabases, ParseError> {
    let needed = partition.memory();
    if needed.build <= options.memory {
        return Ok(PatternDatabases::new(partition, options));
    }
    load(partition, options).ok_or_else(|| {
        let megabytes = |bytes: usize| bytes.div_ceil(1 << 20);
        ParseError::new(format!(
            "--memory: expected at least {} to build the tables of {}, or {} once they are stored, \
             got {}",
            megabytes(needed.build),
            kind.word(),
            megabytes(needed.tables),
            options.memory >> 20
        ))
    })
}
