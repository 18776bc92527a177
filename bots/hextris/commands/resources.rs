//! Processors and memory that a run may use, divided among its games.

use crate::options::Options;
use crate::program::warn;
use arbitre_games::game::ParseError;
use arbitre_games::games::hextris::Problem;
use std::time::Duration;

/// Bytes of a search regardless of its beam, most of them for spelling tables and letters. Not
/// tuned.
const FIXED: u64 = 32 << 20;
/// Bytes of a board of the beam beside its rows. Not tuned.
const BOARD: u64 = 200;
/// Bytes of a row, which has 128 bits.
const ROW: u64 = 16;
/// Boards in memory for each one of the beam: itself, and eight candidates for the next beam.
const COPIES: u64 = 9;

/// Processors and memory.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    cores: usize,
    /// Memory limit in bytes.
    memory: Option<u64>,
}

impl Resources {
    /// Takes `-c CORES` and `-m MEGABYTES`. The default is `usual` cores, of those that the system
    /// has, and no memory limit. Warns on standard error where the system has fewer processors, or
    /// a search needs more memory.
    ///
    /// # Errors
    /// Returns an error if either is not a number from 1.
    pub fn take(options: &mut Options, usual: usize) -> Result<Resources, ParseError> {
        let given = options.take_count("-c")?;
        let cores = given.unwrap_or(usual);
        let megabytes: Option<u64> = options.take_count("-m")?;
        let processors = std::thread::available_parallelism().map_or(cores, usize::from);
        for warning in warnings(given.unwrap_or(1), megabytes, processors) {
            warn(&warning);
        }
        Ok(Resources::new(cores.min(processors), megabytes))
    }

    /// Creates the resources, with fewer cores where memory does not suffice for a search on each.
    fn new(cores: usize, megabytes: Option<u64>) -> Resources {
        let memory = megabytes.map(|count| count.saturating_mul(1 << 20));
        let searches = memory.map_or(u64::MAX, |bytes| bytes / FIXED).max(1);
        Resources { cores: cores.min(usize::try_from(searches).unwrap_or(usize::MAX)), memory }
    }

    /// Returns the number of games played at a time, of `games` in all.
    pub fn games_at_once(&self, games: usize) -> usize {
        self.cores.min(games).max(1)
    }

    /// Returns the number of threads that play each of `games` games.
    pub fn threads_per_game(&self, games: usize) -> usize {
        self.cores / self.games_at_once(games)
    }

    /// Returns the largest number of boards for the beam of a thread on this problem, if memory is
    /// limited.
    pub fn boards(&self, problem: &Problem) -> Option<u32> {
        let (width, height) = (problem.width as u64, problem.height as u64);
        let letters = 3 * (width + height);
        let board = COPIES * (ROW * height + BOARD + letters);
        let boards = |bytes: u64| (bytes / self.cores as u64).saturating_sub(FIXED) / board;
        self.memory.map(|bytes| boards(bytes).clamp(1, u32::MAX.into()) as u32)
    }
}

/// Returns a line for each limit that a run does not keep to the letter.
fn warnings(cores: usize, megabytes: Option<u64>, processors: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if cores > processors {
        lines.push(format!(
            "-c: expected at most {processors} cores here, got {cores}; {processors} are used"
        ));
    }
    let least = FIXED >> 20;
    if let Some(few) = megabytes.filter(|&count| count < least) {
        lines.push(format!(
            "-m: expected at least {least} megabytes, got {few}; one search with the smallest beam \
             runs, and may exceed it"
        ));
    }
    lines
}

/// Takes `-t SECONDS`.
///
/// # Errors
/// Returns an error if the value is not a valid number of seconds.
pub fn take_seconds(options: &mut Options) -> Result<Option<Duration>, ParseError> {
    let Some(text) = options.take_text("-t")? else { return Ok(None) };
    let number = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let known = number.filter(|&time| time <= arbitre_games::text::LONGEST);
    let error = || ParseError::new(format!("-t: expected a number of seconds, got '{text}'"));
    known.map(Some).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hextris::testing::terrain;

    #[test]
    fn spare_cores_become_threads_of_games() {
        let shares = |cores, games| {
            let all = Resources::new(cores, None);
            (all.games_at_once(games), all.threads_per_game(games))
        };
        assert_eq!([shares(1, 9), shares(4, 9), shares(4, 1)], [(1, 1), (4, 1), (1, 4)]);
        assert_eq!([shares(4, 3), shares(8, 3), shares(2, 0)], [(3, 1), (3, 2), (1, 2)]);
    }

    #[test]
    fn memory_limits_searches_and_boards() {
        let terrain = terrain("small", 1);
        let boards = |cores, megabytes| Resources::new(cores, megabytes).boards(terrain.problem());
        assert_eq!(
            [boards(1, None), boards(1, Some(1)), boards(1, Some(32))],
            [None, Some(1), Some(1)]
        );
        // 8 columns and 10 rows: 360 bytes for the board, and 54 bytes for letters.
        assert_eq!(boards(1, Some(33)), Some((1 << 20) / (9 * 414)));
        assert_eq!(boards(2, Some(66)), boards(1, Some(33)));
        assert_eq!(Resources::new(8, Some(130)).cores, 4);
        assert_eq!(Resources::new(8, Some(u64::MAX)).cores, 8);
        assert_eq!(Resources::new(8, Some(1)).cores, 1);
    }

    #[test]
    fn limits_that_are_not_kept_are_named() {
        assert!(warnings(2, None, 2).is_empty() && warnings(1, Some(32), 2).is_empty());
        let both = warnings(200, Some(8), 2);
        assert_eq!(both[0], "-c: expected at most 2 cores here, got 200; 2 are used");
        assert!(both[1].starts_with("-m: expected at least 32 megabytes, got 8"), "{}", both[1]);
        let resources = Resources::take(&mut Options::of("-c 100000"), 1).unwrap();
        let processors = std::thread::available_parallelism().map_or(100_000, usize::from);
        assert_eq!(resources.games_at_once(200_000), processors);
    }

    #[test]
    fn option_replaces_the_usual_cores() {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let cores = |words| Resources::take(&mut Options::of(words), 2).unwrap().cores;
        assert_eq!((cores(""), cores("-c 1")), (processors.min(2), 1));
    }

    #[test]
    fn invalid_number_is_reported() {
        let error = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            Resources::take(&mut Options::new(&words), 1).unwrap_err().to_string()
        };
        assert_eq!(error(&["-m", "0"]), "-m: expected a number from 1, got '0'");
        assert_eq!(error(&["-m", "1GB"]), "-m: expected a whole number, got '1GB'");
        assert_eq!(error(&["-c", "-1"]), "-c: expected a whole number, got '-1'");
    }
}
