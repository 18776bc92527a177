//! The referee's end of the contest's dialect. The problem is a file, all other input is on the
//! command line, and the answer is the whole output of the program.

use arbitre_games::dialect::{GameContext, GameEnd, Init, ParsedAnswer, RefereeEnd, Turn};
use arbitre_games::game::{Game, ParseError, Seat, State};
use arbitre_games::games::hextris::{
    Character, Hextris, Position, Problem, Setup, Solution, ANSWER_LIMIT,
};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The referee's end. A game is one run of the program: one problem with one seed.
#[derive(Default)]
pub struct ContestReferee {
    file: Option<ProblemFile>,
    setup: Option<Setup>,
    start: Option<Position>,
}

/// A file with a problem, removed when it is dropped.
struct ProblemFile(PathBuf);

impl ProblemFile {
    fn write(setup: &Setup) -> io::Result<ProblemFile> {
        let problem = Problem { source_seeds: vec![setup.seed], ..(*setup.problem).clone() };
        let process = std::process::id();
        for number in 0.. {
            let path = std::env::temp_dir().join(format!("arbitre-{process}-{number}.json"));
            match File::create_new(&path) {
                Ok(mut file) => {
                    let kept = ProblemFile(path);
                    file.write_all(problem.to_json().as_bytes())?;
                    return Ok(kept);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("some number is free")
    }
}

impl Drop for ProblemFile {
    fn drop(&mut self) {
        // If this fails, a file is left in the folder for temporary files.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl RefereeEnd<Hextris> for ContestReferee {
    /// Returns `-f FILE -t SECONDS -p PHRASE…`, with the time in whole seconds, at least one.
    fn arguments(&mut self, brief: &GameContext<Hextris>) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        match ProblemFile::write(brief.setup) {
            Ok(file) => {
                option("-f", file.0.display().to_string());
                self.file = Some(file);
            }
            // Without `-f` the program reports the missing file itself.
            Err(error) => log::error!("cannot write a problem for a player: {error}"),
        }
        let clock = brief.clock;
        if let Some(time) = clock.first.or(clock.per_move).or(clock.game) {
            option("-t", time.as_secs().max(1).to_string());
        }
        brief.game.options().phrases.iter().for_each(|phrase| option("-p", phrase.clone()));
        words
    }

    fn answers_once(&self) -> bool {
        true
    }

    /// Returns twice the limit of an answer, as the JSON document is longer than the solution in
    /// it.
    fn line_limit(&self) -> usize {
        2 * ANSWER_LIMIT
    }

    fn open(&mut self, brief: &GameContext<Hextris>, _: &mut String) -> Init {
        self.setup = Some(brief.setup.clone());
        self.start = brief.game.start(brief.setup).ok();
        Init::None
    }

    fn write_turn(&mut self, _: &Turn<Hextris>, _: &mut String) {}

    fn read_move<'l>(
        &mut self,
        _: &Hextris,
        _: &'l str,
    ) -> Result<ParsedAnswer<'l, Character>, ParseError> {
        Err(ParseError::new("an answer in this dialect is a whole game"))
    }

    /// Parses the solution for this problem and seed. One that ends before the game does stops it.
    fn read_path<'l>(
        &mut self,
        _: &Hextris,
        answer: &'l str,
    ) -> Result<ParsedAnswer<'l, Vec<Character>>, ParseError> {
        let (Some(setup), Some(mut game)) = (&self.setup, self.start.clone()) else {
            return Err(ParseError::new("no game has begun"));
        };
        let (problem, seed) = (setup.problem.id, setup.seed);
        let solutions = Solution::parse_all(answer)?;
        // The last solution for the game counts.
        let found = solutions.iter().rfind(|of| (of.problem, of.seed) == (problem, seed));
        let solution = found.ok_or_else(|| {
            ParseError::new(format!(
                "expected a solution of problem {problem} for seed {seed}, got none"
            ))
        })?;
        let mut path = Vec::new();
        let mut is_legal = true;
        for (index, c) in solution.text.chars().enumerate() {
            let known = Character::new(c).filter(|character| *character != Character::STOP);
            let character = known.ok_or_else(|| {
                ParseError::new(format!("character {index} of the solution, {c:?}, is no command"))
            })?;
            is_legal = is_legal && game.play(Seat::FIRST, character).is_ok();
            path.push(character);
        }
        // The table reports an illegal character. A legal solution that ends early stops the game.
        if is_legal && !game.to_move().is_empty() {
            path.push(Character::STOP);
        }
        Ok(ParsedAnswer { mv: path, comment: None })
    }

    fn close(&mut self, _: &GameEnd<Hextris>, _: &mut String) {}
}
