//! Positions of stored games: from their rules, or from the texts that rules in another process
//! gave while the game was played. Those are read without a program.

use crate::config::Contest;
use crate::play::record::Record;
use crate::registry::drawing::{PositionTexts, Step, View};
use crate::registry::scene::{GameScenes, Scene};
use crate::registry::table::Table;
use crate::registry::{find_dialect, DynGame, GameTraits, Registry, Setups, Speech, RAW};
use arbitre_games::dialect::{DialectInfo, LINE_LIMIT};
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{Meta, ParseError};
use arbitre_games::rng::Rng;
use arbitre_games::text::HELP;
use std::iter;
use std::ops::Deref;

/// Text of a position that was not stored.
const NO_PICTURE: &str = "No picture was stored.\n";

/// Source of the positions of stored games.
pub enum Viewer {
    /// Their rules.
    Rules(Box<dyn DynGame>),
    /// Texts that were stored with each game, whose rules have these properties and options. The
    /// error is that of what only the rules know.
    Texts(Meta, String, ParseError),
}

/// Game as a [`Viewer`] sees it.
pub enum Viewed<'a> {
    /// Game with its rules.
    Rules(&'a dyn DynGame),
    /// Game with its texts.
    Texts(ToldGame<'a>),
}

/// Stored game whose rules ran in another process. It knows what these told, and starts nothing.
pub struct ToldGame<'a> {
    meta: Meta,
    rules: &'a str,
    record: &'a Record,
    unanswered: &'a ParseError,
}

impl Viewer {
    /// Returns the source for the games of a stored contest. It starts no program.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it has no such rules.
    pub fn new(contest: &Contest, registry: &Registry) -> Result<Viewer, ParseError> {
        match &contest.external {
            None => contest.open_game(registry).map(Viewer::Rules),
            Some(rules) => {
                let unanswered = rules.refuse_retired().err().unwrap_or_else(unanswered);
                Ok(Viewer::Texts(rules.meta(&contest.game), contest.rules.clone(), unanswered))
            }
        }
    }

    /// Returns a stored game as it is seen.
    pub fn of<'a>(&'a self, record: &'a Record) -> Viewed<'a> {
        match self {
            Viewer::Rules(game) => Viewed::Rules(&**game),
            Viewer::Texts(meta, rules, unanswered) => {
                Viewed::Texts(ToldGame { meta: *meta, rules, record, unanswered })
            }
        }
    }

    /// Returns `true` if the positions of a game are not known.
    pub fn lacks(&self, record: &Record) -> bool {
        matches!(self, Viewer::Texts(..)) && record.played.texts.is_empty()
    }

    /// Returns the properties of the game.
    pub fn meta(&self) -> Meta {
        match self {
            Viewer::Rules(game) => game.meta(),
            Viewer::Texts(meta, ..) => *meta,
        }
    }
}

impl<'a> Deref for Viewed<'a> {
    type Target = dyn DynGame + 'a;

    fn deref(&self) -> &(dyn DynGame + 'a) {
        match self {
            Viewed::Rules(game) => *game,
            Viewed::Texts(game) => game,
        }
    }
}

/// Returns the error of what only the rules know.
fn unanswered() -> ParseError {
    ParseError::new(format!(
        "expected its rules, got a file that only names their program{HELP}write --allow-rules to \
         start it, if you trust the file"
    ))
}

impl ToldGame<'_> {
    /// Returns the texts at the start and after each of `steps` steps, if they were stored.
    fn texts(&self, steps: usize) -> impl Iterator<Item = Option<&PositionTexts>> {
        let stored = self.record.played.texts.iter().map(Some);
        stored.chain(iter::repeat(None)).take(steps + 1)
    }
}

impl DynGame for ToldGame<'_> {
    fn meta(&self) -> Meta {
        self.meta
    }

    fn rules(&self) -> String {
        self.rules.to_owned()
    }

    fn traits(&self) -> GameTraits {
        GameTraits { lists_legal_moves: false, is_verbatim: false, answer_limit: LINE_LIMIT }
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&[&arbitre::INFO, &RAW], word)
    }

    fn setups(&self, _seats: usize, _plies: usize, _rng: Rng) -> Setups {
        Box::new(iter::empty())
    }

    fn check_setup(&self, _seats: usize, _text: &str) -> Result<String, ParseError> {
        Err(self.unanswered.clone())
    }

    fn table(&self, _setup: &str, _speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        Err(self.unanswered.clone())
    }

    fn draw(&self, _: &str, steps: &[Step], _: &View) -> Result<Vec<String>, ParseError> {
        let text = |texts: Option<&PositionTexts>| texts.map_or("", |texts| &texts.text).to_owned();
        Ok(self.texts(steps.len()).map(text).collect())
    }

    fn scenes(&self, _: &str, _: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        let scene = |texts: Option<&PositionTexts>| {
            let shown = texts.map_or(NO_PICTURE, |texts| match &texts.picture[..] {
                "" => &texts.text,
                picture => picture,
            });
            Scene::picture(shown)
        };
        let mut scenes: Vec<Scene> = self.texts(steps.len()).map(scene).collect();
        if let (Some(last), Some(outcome)) = (scenes.last_mut(), &self.record.played.outcome) {
            last.scores.clone_from(&outcome.scores);
        }
        Ok(GameScenes::of_pictures(scenes))
    }
}
