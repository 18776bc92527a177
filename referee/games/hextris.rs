//! Hextris in the referee: its entry in the registry, and the drawing of positions.

mod icfp2015;

use crate::registry::contest::{Problem, Solved};
use crate::registry::drawing::{View, BOLD, DIM};
use crate::registry::entry::{DialectEnd, GameEntry};
use crate::registry::scene::{Look, Paint, Scene, SceneBoard, Shape};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, ParseError, Seat};
use arbitre_games::games::hextris::icfp2015::INFO as ICFP2015;
use arbitre_games::games::hextris::{
    score, Hextris, Phrases, Position, Problem as ContestProblem, Rules, Setup, SolutionEnd,
    Terrain, OPTIONS, PRESETS,
};
use arbitre_games::games::options::OptionInfo;
use std::collections::HashSet;
use std::sync::Arc;

impl GameEntry for Hextris {
    const STATE_HELP: &'static [&'static str] = &[
        "an object in JSON: the seed, the characters played so far, and the problem as",
        "the contest writes it. An answer is a line of characters, taken as it stands:",
        "p'!.03 west, bcefy2 east, aghij4 south-west, lmno 5 south-east, dqrvz1",
        "clockwise, kstuwx counter-clockwise; $ or an empty line stops the game.",
    ];
    const OPTIONS: &'static [OptionInfo] = &OPTIONS;
    const DIALECTS: &'static [DialectEnd<Hextris>] =
        &[(&ICFP2015, || Box::<icfp2015::ContestReferee>::default())];
    const OPPONENTS: &'static [&'static str] = &["hextris random", "hextris taupe", "hextris best"];

    fn presets() -> Vec<(&'static str, String)> {
        let resolved = |name| Rules::parse(name).expect("a preset is read").to_string();
        PRESETS.iter().map(|(name, _)| (*name, resolved(name))).collect()
    }

    /// Returns a setup for each seed of a problem in the contest's JSON.
    fn expand_setup(&self, line: &str) -> Result<Vec<String>, ParseError> {
        if !line.starts_with('{') {
            return Ok(vec![line.to_owned()]);
        }
        let problem = Arc::new(ContestProblem::parse(line)?);
        let mut seeds = problem.source_seeds.clone();
        // One that is listed twice is one game.
        let mut known = HashSet::new();
        seeds.retain(|seed| known.insert(*seed));
        let text = |seed| self.setup_text(&Setup { problem: problem.clone(), seed });
        Ok(seeds.into_iter().map(text).collect())
    }

    fn problem(&self, setup: &Setup) -> Problem {
        let Setup { problem, seed } = setup;
        let seeds = problem.source_seeds.len() as u64;
        Problem { number: Some(problem.id.into()), seed: (*seed).into(), seeds }
    }

    /// Judges a solution as the contest did: any part of a game counts, and a mistake scores zero.
    fn solve(&self, setup: &Setup, solution: &str) -> Result<Solved, ParseError> {
        let terrain = Terrain::new((*setup.problem).clone());
        let scored = score(&terrain, setup.seed, solution, &Phrases::new(&self.options().phrases)?);
        let total = i64::try_from(scored.total()).unwrap_or(i64::MAX);
        let why = match &scored.ending {
            SolutionEnd::ZeroScore(zero) => Some(zero.to_string()),
            SolutionEnd::Over(_) | SolutionEnd::MidGame => None,
        };
        Ok(Solved { score: Some(total), status: scored.ending.word(), why })
    }

    /// Draws the board, odd rows half a cell to the right: full cells as `#`, the moving unit as
    /// `o`. Below are the score, the units and the rows.
    fn draw(&self, situation: &Position, view: &View) -> String {
        let play = situation.progress();
        let pieces = situation.terrain().pieces();
        let unit: HashSet<(usize, usize)> =
            play.unit().map(|(unit, at)| pieces[unit].cells(at).collect()).unwrap_or_default();
        let board = play.board();
        let cell = |column: usize, row: usize| {
            if unit.contains(&(column, row)) {
                view.paint(BOLD, "o ".into())
            } else if board.is_filled(column, row) {
                "# ".into()
            } else {
                view.paint(DIM, ". ".into())
            }
        };
        let row = |row: usize| {
            let indent = if row.is_multiple_of(2) { "" } else { " " };
            let cells: String = (0..board.width()).map(|column| cell(column, row)).collect();
            format!("  {indent}{}\n", cells.trim_end())
        };
        let grid: String = (0..board.height()).map(row).collect();
        let (name, score) = (view.names[view.seat.index()], situation.score());
        let (locked, lines) = (play.locked(), play.lines());
        format!("{grid}  {name}: {score} points, {locked} units, {lines} rows\n")
    }

    fn board(situation: &Position) -> SceneBoard {
        let board = situation.progress().board();
        let (width, height) = (board.width(), board.height());
        SceneBoard { shape: Shape::Hex, width, height, slides: false }
    }

    fn scene(&self, situation: &Position) -> Scene {
        let play = situation.progress();
        let board = play.board();
        let pieces = situation.terrain().pieces();
        let rows = 0..board.height();
        let places = rows.flat_map(|row| (0..board.width()).map(move |column| (column, row)));
        let look = |(column, row)| match board.is_filled(column, row) {
            true => Look::plain(Paint::Full),
            false => Look::plain(Paint::Free),
        };
        let mut cells: Vec<Look> = places.map(look).collect();
        for (column, row) in play.unit().iter().flat_map(|&(unit, at)| pieces[unit].cells(at)) {
            cells[row * board.width() + column] = Look::plain(Paint::Unit);
        }
        Scene { scores: vec![situation.score() as i64], ..Scene::of(cells) }
    }

    fn played(
        &self,
        before: &Position,
        _: Seat,
        _: <Hextris as Game>::Move,
        after: &Position,
    ) -> Vec<Scene> {
        let mut drawn = self.scene(after);
        // A character without a command may follow a phrase that ended before.
        let is_new = before.counts() != after.counts();
        let phrases = after.phrases().texts().iter().enumerate();
        let ended = after.phrases().ended(after.node());
        let ended = phrases.filter(|(bit, _)| is_new && ended >> bit & 1 != 0);
        let texts: Vec<&str> = ended.map(|(_, text)| text.as_str()).collect();
        drawn.label = (!texts.is_empty()).then(|| texts.join(", "));
        vec![drawn]
    }
}
