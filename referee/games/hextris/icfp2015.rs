//! The dialect of the contest ICFP 2015. The problem is a file, everything else is on the command
//! line, and the answer is the whole output of the program.

use arbitre_games::dialect::{GameContext, GameEnd, Init, ParsedAnswer, RefereeEnd, Turn};
use arbitre_games::game::{Game, ParseError, Seat, State};
use arbitre_games::games::hextris::{
    Character, Hextris, Position, Problem, Setup, Solution, ANSWER_LIMIT,
};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// Referee's end of the dialect. A game is one run of the program: one problem with one seed.
#[derive(Default)]
pub struct ContestReferee {
    file: Option<ProblemFile>,
    setup: Option<Setup>,
    start: Option<Position>,
}

/// Problem file that is removed when it is dropped.
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
        unreachable!("the numbers do not run out")
    }
}

impl Drop for ProblemFile {
    fn drop(&mut self) {
        // If this fails, the file is left to the cleanup of the temporary folder.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl RefereeEnd<Hextris> for ContestReferee {
    /// Returns `-f FILE -t SECONDS -p PHRASE…`. The time is in whole seconds, at least one.
    fn arguments(&mut self, brief: &GameContext<Hextris>) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        match ProblemFile::write(brief.setup) {
            Ok(file) => {
                option("-f", file.0.display().to_string());
                self.file = Some(file);
            }
            // The program then reports the missing file itself.
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

    /// Returns twice the answer limit, because a JSON document is longer than its content.
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

    /// Reads the solution of this problem for this seed. A solution that ends early stops the game.
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
        let found = solutions.iter().rfind(|of| (of.problem, of.seed) == (problem, seed));
        let solution = found.ok_or_else(|| {
            ParseError::new(format!(
                "expected a solution of problem {problem} for seed {seed}, not none"
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
        // An illegal path stays as it is: the table names the move that breaks the rules.
        if is_legal && !game.to_move().is_empty() {
            path.push(Character::STOP);
        }
        Ok(ParsedAnswer { mv: path, comment: None })
    }

    fn close(&mut self, _: &GameEnd<Hextris>, _: &mut String) {}
}
