//! The dialect of the contest: the problem is a file, all else is on the command line, and the
//! answer is all that the program says.

use arbitre_games::dialect::{GameContext, GameEnd, Init, ParsedAnswer, RefereeEnd, Turn};
use arbitre_games::game::{Game, ParseError, Seat, State};
use arbitre_games::games::hextris::{
    Character, Hextris, Position, Problem, Setup, Solution, ANSWER_LIMIT,
};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The referee's end. A game is a program run: one problem with one seed.
#[derive(Default)]
pub struct ContestReferee {
    file: Option<ProblemFile>,
    setup: Option<Setup>,
    start: Option<Position>,
}

/// A file that is gone when nobody needs it any more.
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
        unreachable!("there are numbers enough")
    }
}

impl Drop for ProblemFile {
    fn drop(&mut self) {
        // Whoever cleans up that folder finds it if this fails.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl RefereeEnd<Hextris> for ContestReferee {
    /// `-f FILE -t SECONDS -p PHRASE…`; the time is in whole seconds, one at least.
    fn arguments(&mut self, brief: &GameContext<Hextris>) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        match ProblemFile::write(brief.setup) {
            Ok(file) => {
                option("-f", file.0.display().to_string());
                self.file = Some(file);
            }
            // The program then says what it misses.
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

    /// A JSON document is longer than what is in it.
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

    /// The solution for this problem and this seed. What stops short of the end stops the game.
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
        // The table names what breaks the rules.
        if is_legal && !game.to_move().is_empty() {
            path.push(Character::STOP);
        }
        Ok(ParsedAnswer { mv: path, comment: None })
    }

    fn close(&mut self, _: &GameEnd<Hextris>, _: &mut String) {}
}
