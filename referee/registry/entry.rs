//! The entry of a game: everything about it besides its rules and its texts.

use super::contest::{Problem, Solved};
use super::drawing::View;
use super::scene::{Scene, SceneBoard};
use arbitre_games::dialect::{DialectInfo, Notation, RefereeEnd};
use arbitre_games::game::{ParseError, Seat, State};
use arbitre_games::games::options::OptionInfo;

/// Dialect besides `arbitre`, with the referee's end of it.
pub type DialectEnd<G> = (&'static DialectInfo, fn() -> Box<dyn RefereeEnd<G>>);

/// Conditions under which an arena plays a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaInfo {
    /// Name of the arena.
    pub name: &'static str,
    /// Name of its dialect.
    pub dialect: &'static str,
    /// Rules of the game there.
    pub rules: &'static str,
    /// Limits of its players, as options without dashes.
    pub options: &'static [&'static str],
    /// Bots to start from: languages and sources.
    pub starters: &'static [(&'static str, &'static str)],
}

/// Entry of a game, beside its rules and texts. Everything has a default: a game without drawings
/// is shown as its line `state`.
pub trait GameEntry: Notation {
    /// Explanation of the line `state` for bot authors: a few lines of at most 80 characters.
    const STATE_HELP: &'static [&'static str] = &[];

    /// Default length of openings, in plies.
    const OPENING_PLIES: usize = 0;

    /// Options of the rules.
    const OPTIONS: &'static [OptionInfo] = &[];

    /// Dialects besides `arbitre`: those of the game's arenas, and `relay` for two players whose
    /// first board is known or can be sent.
    const DIALECTS: &'static [DialectEnd<Self>] = &[];

    /// Commands of bundled bots to play against, from weak to strong.
    const OPPONENTS: &'static [&'static str] = &[];

    /// Arenas that have the game, with their conditions.
    const ARENAS: &'static [ArenaInfo] = &[];

    /// Returns the presets: names and the rules that they stand for, the default first.
    fn presets() -> Vec<(&'static str, String)> {
        let usual = Self::from_rules("").map(|game| ("standard", game.rules()));
        usual.into_iter().collect()
    }

    /// Opens the game with these rules, which may name files.
    ///
    /// # Errors
    /// Returns an error if there are no such rules.
    fn open(rules: &str) -> Result<Self, ParseError> {
        Self::from_rules(rules)
    }

    /// Returns the setups that a line of a file stands for, as lines: one that is no setup itself
    /// may stand for several.
    ///
    /// # Errors
    /// Returns an error if the line is not read so far.
    fn expand_setup(&self, line: &str) -> Result<Vec<String>, ParseError> {
        Ok(vec![line.to_owned()])
    }

    /// Returns the problem of which a setup is one game.
    fn problem(&self, _setup: &Self::Setup) -> Problem {
        Problem::WHOLE
    }

    /// Judges a solution: its moves reach the end of the game, and all are legal.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules.
    fn solve(&self, setup: &Self::Setup, solution: &str) -> Result<Solved, ParseError> {
        let mut state = self.start(setup)?;
        let path = match self.parse_path(solution.trim()) {
            Ok(path) => path,
            Err(why) => return Ok(Solved::nothing("invalid", why)),
        };
        for (number, mv) in path.into_iter().enumerate() {
            if let Err(why) = state.play(Seat::FIRST, mv) {
                return Ok(Solved::nothing("illegal", format!("move {}: {why}", number + 1)));
            }
        }
        Ok(match state.outcome() {
            Some(outcome) if outcome.out.is_empty() => {
                Solved { score: outcome.scores.first().copied(), status: Solved::SOLVED, why: None }
            }
            _ => Solved::nothing("unsolved", "the moves do not reach the end"),
        })
    }

    /// Draws a position for a terminal. The text ends with a line end.
    fn draw(&self, position: &Self::State, view: &View) -> String {
        self.state_text(position, view.seat) + "\n"
    }

    /// Returns the board on which scenes of this position are drawn.
    fn board(_position: &Self::State) -> SceneBoard {
        SceneBoard::PICTURE
    }

    /// Draws the scene of a position.
    fn scene(&self, position: &Self::State) -> Scene {
        Scene::picture(self.state_text(position, Seat::FIRST))
    }

    /// Draws the scenes of a move, given the positions before and after it, which the last one
    /// shows.
    fn played(
        &self,
        _before: &Self::State,
        _seat: Seat,
        _mv: Self::Move,
        after: &Self::State,
    ) -> Vec<Scene> {
        vec![self.scene(after)]
    }

    /// Returns the line `state` of a position.
    fn state_text(&self, position: &Self::State, seat: Seat) -> String {
        let mut text = String::new();
        self.write_state(position, seat, &mut text);
        text
    }
}
