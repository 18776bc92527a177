//! Games of referee programs that were written for cg-brutaltester, in its old mode (`-o`).
//!
//! 1. The program leads the game. It reads `###Seed N` and `###Start SEATS`, then it prints
//!    commands: lines for a seat, a request for N lines of a seat, at last the ranking.
//! 2. Each game has a process of its own, which ends with the game: a `Conversation`.
//! 3. A setup is `seed N`. The same seed and the same answers give the same game, so a stored game
//!    is replayed by its answers. The first setup is tried twice, to find programs without seeds.
//! 4. A [`Table`] reads ahead to the next request. The seat of the request is to move. Lines for
//!    the other seats wait until these are asked.
//! 5. A ply is one line. A request for three lines is three plies of the same seat.
//! 6. The players speak `raw`: the lines of the program, and nothing else.
//! 7. A fault ends the game of two. With more seats left, the program reads the line `OUT` for
//!    each line of a seat that is out, and plays on.
//! 8. The score of a seat is the number of seats ranked behind it.
//! 9. `###Error SEAT illegal WHY` is the fault of that seat. `###Options time` and
//!    `###Output SEAT until WORD` are extensions of this project.

mod conversation;
pub mod lead;
mod table;

use crate::external::recorded::shown;
use crate::failure::Failure;
use crate::player::digest::named_files;
use crate::registry::drawing::{Step, View};
use crate::registry::entry::ArenaInfo;
use crate::registry::scene::{GameScenes, Scene};
use crate::registry::table::{RulesError, Table};
use crate::registry::{find_dialect, DynGame, GameInfo, GameTraits, OpenGame, Setups, Speech, RAW};
use arbitre_games::dialect::{DialectInfo, LINE_LIMIT};
use arbitre_games::game::{Meta, ParseError};
use arbitre_games::games::options::{read, OptionInfo};
use arbitre_games::rng::Rng;
use arbitre_games::text::{join, HELP};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use conversation::Conversation;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use table::RefereeTable;

/// Smallest and largest number of seats. A ranking has one digit per seat.
const SEATS: (usize, usize) = (2, 8);

/// Number of seeds. The original draws a Java `int` that is not negative.
const SEEDS: usize = 1 << 31;

const SEED_OPTION: OptionInfo = OptionInfo {
    name: "seed",
    values: &["yes", "no"],
    meaning: "whether the program reads ###Seed; without it no game can be replayed",
};

/// Advice on a program that does not read seeds.
const WITHOUT_SEEDS: &str =
    "for a program that does not read ###Seed, write --rules seed=no; its games cannot be replayed";

/// Advice on a program that does not speak the old mode.
const WAYS_OUT: &str =
    "the old mode takes ten lines, see docs/external.md; a game of CodinGame's SDK \
                        plays unmodified by --arena codingame-sdk";

/// Picture of a game that cannot be replayed.
const NO_PICTURE: &str = "The lines of this game are not known: its program reads no seed.\n";

/// Game of a referee program.
#[derive(Clone)]
pub struct BrutaltesterGame {
    program: Program,
    processes: ProcessGroups,
    meta: Meta,
    /// Whether the program reads `###Seed`.
    has_seeds: bool,
}

/// Checks that a program is of the old mode: it answers `###Start` with a command. Some programs do
/// not read `###Seed` before it.
///
/// # Errors
/// Returns an error that names the ways out if it is not, as a program of the new mode.
pub fn check_mode(program: &Program) -> Result<(), Failure> {
    let start = |seed| {
        let processes = ProcessGroups::default();
        Conversation::start(program.clone(), processes, SEATS.0, seed)?.await_command()
    };
    start(Some(0)).or_else(|first| start(None).map_err(|_| first)).map_err(|why| {
        Failure::Data(format!(
            "--external: expected ###Input, ###Output or ###End for ###Start, as in cg-brutaltester's old \
             mode, got none: {why}{HELP}{WAYS_OUT}"
        ))
    })
}

/// Returns the ranking of these scores as `###End` has it: the best first, equal ones together.
fn ranking_of(scores: &[f64]) -> String {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
    let groups = order.chunk_by(|one, other| scores[*one] == scores[*other]);
    join(groups.map(|group| join(group, "")), " ")
}

/// Returns the entry of the game of a referee program.
///
/// # Errors
/// Returns an error if the default options are refused, which does not happen.
pub fn info(program: Program, name: &str) -> Result<GameInfo, Failure> {
    let game = BrutaltesterGame::open(program.clone(), name, "")?;
    let name = name.to_owned();
    let open = move |options: &str| BrutaltesterGame::open(program.clone(), &name, options);
    let open: OpenGame = Arc::new(move |options| Ok(Box::new(open(options)?)));
    Ok(GameInfo {
        options: &[SEED_OPTION],
        dialects: vec![&RAW],
        arenas: &[ArenaInfo {
            name: "brutaltester",
            dialect: RAW.name,
            rules: "",
            options: &[],
            starters: &[],
        }],
        ..GameInfo::elsewhere(game.meta, open)
    })
}

impl BrutaltesterGame {
    /// Creates the game `name`. The program is not started yet.
    ///
    /// # Errors
    /// Returns an error if an option is unknown.
    pub fn open(
        program: Program,
        name: &str,
        options: &str,
    ) -> Result<BrutaltesterGame, ParseError> {
        let mut has_seeds = true;
        for (option, value) in read(options, &[], &[SEED_OPTION])?.pairs {
            has_seeds = match value {
                "yes" => true,
                "no" => false,
                _ => {
                    let what = format!("{option}: expected yes or no, got '{value}'");
                    return Err(ParseError::new(what));
                }
            };
        }
        // A process plays one game, so its name lives as long as the process does.
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let summary = "rules in a referee program for cg-brutaltester";
        let meta = Meta { name, title: name, summary, seats: SEATS, lower_is_better: false };
        Ok(BrutaltesterGame { program, processes: ProcessGroups::default(), meta, has_seeds })
    }

    /// Returns the number of a setup.
    fn number(&self, setup: &str) -> Result<u64, ParseError> {
        let word = self.word();
        let number = setup.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        let number = number.and_then(|number| number.parse().ok());
        number
            .filter(|number| *number < SEEDS as u64)
            .ok_or_else(|| ParseError::new(format!("expected '{word} NUMBER', got '{setup}'")))
    }

    /// Returns the first word of a setup.
    fn word(&self) -> &'static str {
        if self.has_seeds {
            "seed"
        } else {
            "game"
        }
    }

    /// Starts the program for a game.
    fn start(&self, number: u64, seats: usize) -> Result<RefereeTable, RulesError> {
        let (program, processes) = (self.program.clone(), self.processes.clone());
        let seed = self.has_seeds.then_some(number);
        let conversation = Conversation::start(program, processes, seats, seed)?;
        RefereeTable::new(conversation, seats)
    }

    /// Checks that a seed gives the same start twice, if the program reads seeds.
    fn try_seed(&self, seats: usize, seed: u64) -> Result<(), RulesError> {
        if !self.has_seeds {
            return Ok(());
        }
        let start = || self.start(seed, seats).map(|table| table.start_text());
        let (first, second) = (start()?, start()?);
        let lines = first.lines().zip(second.lines().chain(std::iter::repeat("nothing")));
        match lines.into_iter().find(|(one, other)| one != other) {
            None if first == second => Ok(()),
            differing => {
                let (one, other) = differing.unwrap_or(("nothing", "more lines"));
                Err(RulesError(format!(
                    "expected the same start twice from ###Seed {seed}, got '{one}', then \
                     '{other}'{HELP}{WITHOUT_SEEDS}"
                )))
            }
        }
    }

    fn table_of(&self, setup: &str, seats: usize) -> Result<RefereeTable, ParseError> {
        Ok(self.start(self.number(setup)?, seats)?)
    }
}

/// Returns the name of a game: that of the first file among the arguments, else of the program.
pub fn name_of(program: &Program) -> String {
    let file = named_files(program).into_iter().find(|file| *file != program.path);
    name_of_file(&file.unwrap_or_else(|| program.path.clone()))
}

/// Returns the name of a game after a file or folder.
pub fn name_of_file(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let words: Vec<&str> = stem.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        "referee".into()
    } else {
        words.join("-")
    }
}

impl DynGame for BrutaltesterGame {
    fn meta(&self) -> Meta {
        self.meta
    }

    fn rules(&self) -> String {
        format!("seed={}", if self.has_seeds { "yes" } else { "no" })
    }

    fn traits(&self) -> GameTraits {
        GameTraits { lists_legal_moves: false, is_verbatim: true, answer_limit: LINE_LIMIT }
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&[&RAW], word)
    }

    fn setups(&self, seats: usize, _plies: usize, mut rng: Rng) -> Setups {
        let (game, word) = (self.clone(), self.word());
        let mut drawn = HashSet::new();
        let mut tried = None;
        Box::new(std::iter::from_fn(move || {
            // After a failure no more setups are asked for.
            if tried.as_ref().is_some_and(Result::is_err) {
                return None;
            }
            let number = loop {
                let number = if game.has_seeds { rng.below(SEEDS) } else { drawn.len() };
                if drawn.insert(number) {
                    break number as u64;
                }
            };
            let tried: &Result<(), RulesError> =
                tried.get_or_insert_with(|| game.try_seed(seats, number));
            Some(tried.clone().map(|()| format!("{word} {number}")))
        }))
    }

    fn check_setup(&self, _seats: usize, text: &str) -> Result<String, ParseError> {
        Ok(format!("{} {}", self.word(), self.number(text)?))
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        Ok(Box::new(self.table_of(setup, speech.len())?))
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        if !self.has_seeds {
            return Ok(vec![String::new(); steps.len() + 1]);
        }
        let mut table = self.table_of(setup, view.names.len())?;
        let show = |table: &RefereeTable| Ok(table.lines_of_asked());
        shown(&mut table, steps, RefereeTable::take, show)
    }

    fn scenes(&self, setup: &str, seats: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        let scenes = match self.has_seeds {
            true => {
                let mut table = self.table_of(setup, seats)?;
                shown(&mut table, steps, RefereeTable::take, |table| Ok(table.scene()))?
            }
            false => vec![Scene::picture(NO_PICTURE); steps.len() + 1],
        };
        Ok(GameScenes::of_pictures(scenes))
    }
}
