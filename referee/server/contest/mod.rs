//! Contest of a solo room: people send solutions of its problems as text, which are scored at once.
//! The best solution of a person for each game counts, and is stored beside the people.

mod board;

pub use board::{Leaderboard, Place};

use crate::machine::has_space;
use crate::people::{People, Refused};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::contest::Solved;
use arbitre_referee::run::room::Room;
use rusqlite::{params, Connection};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;
use tokio::sync::Semaphore;

/// Problems of a room whose setups are drawn. The contest of 2015 had 25 in its first round.
const DRAWN: usize = 25;
/// Bytes of solutions that are kept of one person. The 13,868 public ones of the contest of 2015
/// have 38 MB together, as JSON.
const MOST_KEPT: i64 = 64 << 20;
/// Bytes of a tag. Not tuned.
const LONGEST_TAG: usize = 200;
/// Characters of the reason why a document is not read, which may repeat a part of it. Not tuned.
const LONGEST_WHY: usize = 200;
/// Solutions of one request: all public ones of 2015 fit. Not tuned.
const MOST_SENT: usize = 20_000;
/// Solutions that are scored at once. Not tuned.
const SCORERS: usize = 1;
/// Status of a solution for a seed that its problem does not list, as Hextris has it.
const UNLISTED: &str = "unlisted-seed";

/// Problem of a contest.
pub struct Problem {
    /// Number.
    pub number: u64,
    /// Games: seeds with their setups.
    pub games: Vec<(u64, String)>,
    /// Number of seeds by which the sum of the scores is divided.
    pub seeds: u64,
}

/// Solution as it is sent: the contest of 2015 had this form.
#[derive(Deserialize)]
pub struct Sent {
    #[serde(rename = "problemId")]
    problem: Option<u64>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    tag: Option<String>,
    solution: String,
}

/// Judgement of a solution that was sent.
#[derive(Serialize, Debug)]
pub struct Judged {
    /// Number of the problem.
    #[serde(rename = "problemId")]
    pub problem: u64,
    /// Seed.
    pub seed: u64,
    /// Label given by the author.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tag: String,
    /// Score; none if the solution does not solve its problem.
    pub score: Option<i64>,
    /// State at its end.
    pub status: &'static str,
    /// Reason why it scores nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether it is the best one of its person, now.
    pub best: bool,
}

/// Best solution of a person for a game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Best {
    score: i64,
    tag: String,
}

/// Person, problem and seed.
type Key = (i64, u64, u64);

/// Contest of a room.
pub struct Contest {
    people: Arc<People>,
    room: Arc<Room>,
    folder: PathBuf,
    /// Problems in the order of their numbers.
    pub problems: Vec<Problem>,
    lower_is_better: bool,
    best: Mutex<BTreeMap<Key, Best>>,
    /// People whose solutions are scored now.
    busy: Mutex<BTreeSet<i64>>,
    scorers: Arc<Semaphore>,
    changes: AtomicU64,
}

/// Right of a person to have solutions scored, one request at a time.
pub struct Turn(Arc<Contest>, i64);

impl Turn {
    /// Returns the contest.
    pub fn contest(&self) -> &Contest {
        &self.0
    }

    /// Returns the number of the person.
    pub fn person(&self) -> i64 {
        self.1
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.busy().remove(&self.1);
    }
}

impl Contest {
    /// Opens the contest of a room. There is none with opponents, or where the rules run elsewhere.
    ///
    /// # Errors
    /// Returns an error if the problems or the solutions cannot be read.
    pub fn open(
        room: Arc<Room>,
        people: Arc<People>,
        folder: &Path,
    ) -> Result<Option<Contest>, Failure> {
        if room.seats() != 1 {
            return Ok(None);
        }
        let setups = room.setups(DRAWN)?;
        let Some(problems) = problems(&room, setups) else { return Ok(None) };
        let best = people.read(|file| {
            let mut best = BTreeMap::new();
            let mut rows =
                file.prepare("SELECT person, problem, seed, score, tag FROM solution")?;
            let mut rows = rows.query([])?;
            while let Some(row) = rows.next()? {
                let (problem, seed): (i64, i64) = (row.get(1)?, row.get(2)?);
                let key = (row.get(0)?, problem.cast_unsigned(), seed.cast_unsigned());
                best.insert(key, Best { score: row.get(3)?, tag: row.get(4)? });
            }
            Ok(best)
        });
        let best =
            best.map_err(|why| Failure::Store(format!("{}: {why:?}", crate::people::FILE)))?;
        Ok(Some(Contest {
            people,
            lower_is_better: room.game().meta().lower_is_better,
            room,
            folder: folder.into(),
            problems,
            best: Mutex::new(best),
            busy: Mutex::default(),
            scorers: Arc::new(Semaphore::new(SCORERS)),
            changes: AtomicU64::default(),
        }))
    }

    /// Returns the number of changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Returns a problem.
    pub fn problem(&self, number: u64) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.number == number)
    }

    /// Returns the turn of a person; none while an earlier request of it is worked on.
    pub fn turn(self: &Arc<Contest>, person: i64) -> Option<Turn> {
        self.busy().insert(person).then(|| Turn(self.clone(), person))
    }

    /// Returns the places at which solutions are scored.
    pub fn scorers(&self) -> Arc<Semaphore> {
        self.scorers.clone()
    }

    /// Reads solutions: a JSON array. Those that name no problem are for `problem`.
    ///
    /// # Errors
    /// Returns the reason if one of them cannot be read, or its problem is another or none.
    pub fn read(&self, json: &[u8], problem: Option<u64>) -> Result<Vec<Sent>, String> {
        let mut sent: Vec<Sent> = serde_json::from_slice(json).map_err(|why| {
            let why: String = why.to_string().chars().take(LONGEST_WHY).collect();
            format!(
                "expected an array such as [{{\"problemId\": 0, \"seed\": 0, \"solution\": \"…\"}}], \
                 got {why}"
            )
        })?;
        if sent.len() > MOST_SENT {
            return Err(format!("expected at most {MOST_SENT} solutions, got {}", sent.len()));
        }
        for (at, of) in sent.iter_mut().enumerate() {
            let number = of.problem.or(problem);
            let number =
                number.ok_or_else(|| format!("solution {at}: expected a problemId, got none"))?;
            if problem.is_some_and(|problem| problem != number) {
                return Err(format!(
                    "solution {at}: expected the problem of the address, got {number}"
                ));
            }
            if self.problem(number).is_none() {
                return Err(format!(
                    "solution {at}: expected a problem of this contest, got {number}"
                ));
            }
            if of.tag.as_ref().is_some_and(|tag| tag.len() > LONGEST_TAG) {
                return Err(format!(
                    "solution {at}: expected a tag of at most {LONGEST_TAG} bytes"
                ));
            }
            of.problem = Some(number);
        }
        Ok(sent)
    }

    /// Scores solutions of a person, and stores those that are its best.
    ///
    /// # Errors
    /// Returns an error after the deadline, or if the best ones cannot be stored.
    pub fn judge(&self, person: i64, sent: &[Sent]) -> Result<Vec<Judged>, Refused> {
        let check = || {
            if self.people.deadline().is_some_and(|deadline| deadline.is_over()) {
                return Err(Refused::Frozen);
            }
            match self.people.person(person).is_some_and(|person| !person.is_disabled) {
                true => Ok(()),
                false => Err(Refused::Unknown),
            }
        };
        check()?;
        if !has_space(&self.folder) {
            return Err(Refused::Store("less than 1 GiB is free".into()));
        }
        let judged: Result<Vec<Judged>, Refused> = sent.iter().map(|of| self.judged(of)).collect();
        let mut judged = judged?;
        let made = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
        let mut known = self.best();
        // Much may have changed while they were scored.
        check()?;
        let mut best = known.clone();
        let mut news: BTreeMap<Key, usize> = BTreeMap::new();
        for (at, of) in judged.iter().enumerate() {
            let key = (person, of.problem, of.seed);
            // One with a mistake scores nothing, and is not kept.
            let Some(score) = of.score.filter(|_| of.why.is_none()) else {
                continue;
            };
            if best.get(&key).is_none_or(|than| self.is_better(score, than.score)) {
                best.insert(key, Best { score, tag: of.tag.clone() });
                news.insert(key, at);
            }
        }
        self.people.write(|file| {
            for (&(person, problem, seed), &at) in &news {
                let (of, text) = (&judged[at], &sent[at].solution);
                let (problem, seed) = (problem.cast_signed(), seed.cast_signed());
                file.prepare_cached(
                    "INSERT OR REPLACE INTO solution VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![person, problem, seed, of.tag, of.score, of.status, made, text])?;
            }
            match kept(file, person)? > MOST_KEPT {
                true => Err(Refused::Files(format!(
                    "expected at most {} MiB of solutions of a person, got more",
                    MOST_KEPT >> 20
                ))),
                false => Ok(()),
            }
        })?;
        *known = best;
        drop(known);
        news.values().for_each(|at| judged[*at].best = true);
        self.changes.fetch_add(1, Ordering::Relaxed);
        Ok(judged)
    }

    /// Forgets the solutions of a person.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn forget(&self, person: i64) -> Result<(), Refused> {
        let mut best = self.best();
        let delete = "DELETE FROM solution WHERE person = ?";
        self.people.write(|file| Ok(file.execute(delete, [person]).map(drop)?))?;
        best.retain(|(of, ..), _| *of != person);
        self.changes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the best solution of a person for a game.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn text(&self, person: i64, problem: u64, seed: u64) -> Result<String, Refused> {
        let select = "SELECT text FROM solution WHERE person = ? AND problem = ? AND seed = ?";
        let key = params![person, problem.cast_signed(), seed.cast_signed()];
        self.people.read(|file| Ok(file.query_row(select, key, |row| row.get(0))?))
    }

    /// Returns the leaderboard.
    pub fn leaderboard(&self) -> Leaderboard {
        let mut scores: BTreeMap<i64, BTreeMap<u64, Vec<i64>>> = BTreeMap::new();
        for ((person, problem, _), best) in &*self.best() {
            scores.entry(*person).or_default().entry(*problem).or_default().push(best.score);
        }
        let of_person = |(person, scores): (i64, BTreeMap<u64, Vec<i64>>)| {
            let official = |problem: &Problem| {
                let scores = scores.get(&problem.number)?;
                // Fewer points are no score while a game is missing.
                let is_whole = scores.len() == problem.games.len();
                let sum = scores.iter().sum::<i64>();
                (is_whole || !self.lower_is_better)
                    .then(|| sum.div_euclid(problem.seeds.max(1).cast_signed()))
            };
            (person, self.problems.iter().map(official).collect())
        };
        Leaderboard::new(scores.into_iter().map(of_person).collect(), self.lower_is_better)
    }

    /// Returns the score and the tag of the best solution of a person for a game.
    pub fn best_of(&self, person: i64, problem: u64, seed: u64) -> Option<(i64, String)> {
        let best = self.best().get(&(person, problem, seed)).cloned()?;
        Some((best.score, best.tag))
    }

    fn judged(&self, sent: &Sent) -> Result<Judged, Refused> {
        let Sent { problem, seed, tag, solution } = sent;
        let problem = problem.unwrap_or_default();
        let games = self.problem(problem).map_or(&[][..], |of| &of.games);
        let solved = match games.iter().find(|(of, _)| of == seed) {
            Some((_, setup)) => {
                let solved = self.room.game().solve(setup, solution);
                solved.map_err(|why| Refused::Files(why.to_string()))?
            }
            None => {
                let score = (!self.lower_is_better).then_some(0);
                let why = "the problem has no such seed";
                Solved { score, ..Solved::nothing(UNLISTED, why) }
            }
        };
        let Solved { score, status, why } = solved;
        let tag = tag.clone().unwrap_or_default();
        Ok(Judged { problem, seed: *seed, tag, score, status, why, best: false })
    }

    fn is_better(&self, score: i64, than: i64) -> bool {
        if self.lower_is_better {
            score < than
        } else {
            score > than
        }
    }

    fn best(&self) -> MutexGuard<'_, BTreeMap<Key, Best>> {
        self.best.lock().expect("no thread panics while it holds the lock")
    }

    fn busy(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.busy.lock().expect("no thread panics while it holds the lock")
    }
}

/// Returns the bytes of the solutions that are kept of a person.
fn kept(file: &Connection, person: i64) -> Result<i64, Refused> {
    let select = "SELECT COALESCE(SUM(LENGTH(CAST(text AS BLOB)) + LENGTH(CAST(tag AS BLOB))), 0) \
                  FROM solution WHERE person = ?";
    Ok(file.query_row(select, [person], |row| row.get(0))?)
}

/// Returns the problems of these setups; none if their game has none. Setups without numbers of
/// their own, or with the same ones, are numbered.
fn problems(room: &Room, setups: Vec<String>) -> Option<Vec<Problem>> {
    let mut of_setups = Vec::new();
    for setup in setups {
        of_setups.push((room.game().problem(&setup).ok()?, setup));
    }
    let keys: BTreeSet<_> =
        of_setups.iter().filter_map(|(of, _)| of.number.map(|number| (number, of.seed))).collect();
    let are_numbered = keys.len() == of_setups.len();
    let mut problems: BTreeMap<u64, Problem> = BTreeMap::new();
    for (at, (of, setup)) in (0..).zip(of_setups) {
        let number = of.number.filter(|_| are_numbered).unwrap_or(at);
        let seeds = if are_numbered { of.seeds } else { 1 };
        let new = || Problem { number, games: Vec::new(), seeds };
        problems.entry(number).or_insert_with(new).games.push((of.seed, setup));
    }
    Some(problems.into_values().collect())
}
