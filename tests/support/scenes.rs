//! Games without players, and comparisons of their scenes with the positions of the protocol.

use arbitre::clock::Go;
use arbitre::dialects::arbitre as dialect;
use arbitre::game::Seat;
use arbitre::referee::registry::drawing::{Step, View};
use arbitre::referee::registry::scene::{GameScenes, Look, Paint, Scene};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre::rng::Rng;
use serde_json::Value;

/// Length of a random game in plies. Longer ones are cut.
const PLIES: usize = 300;

/// Moves of a game with their seats.
pub struct Moves {
    /// Number of seats.
    pub seats: usize,
    /// Setup.
    pub setup: String,
    /// Moves in order of play.
    pub moves: Vec<(Seat, String)>,
}

impl Moves {
    /// Plays a random game.
    pub fn random(game: &dyn DynGame, seats: usize, seed: u64) -> Moves {
        let mut rng = Rng::new(seed);
        let plies = if game.meta().is_solo() { 0 } else { 4 };
        let setup = game.setups(seats, plies, Rng::new(seed)).next().unwrap().unwrap();
        let mut table = game.table(&setup, &vec![Speech::Dialect(&dialect::INFO); seats]).unwrap();
        let mut moves = Vec::new();
        while table.outcome().unwrap().is_none() && moves.len() < PLIES {
            let seat = table.to_move().unwrap().iter().next().unwrap();
            let legal = table.legal_moves(seat).unwrap();
            let answer = legal[rng.below(legal.len())].clone();
            table.ask(seat, Go::Untimed, &mut String::new()).unwrap();
            table.hear(seat, &answer).unwrap();
            moves.push((seat, answer));
        }
        Moves { seats, setup, moves }
    }

    /// Reads the document of a stored game.
    pub fn of_document(document: &Value) -> Moves {
        let list = |key: &str| document[key].as_array().expect("it is a list").iter();
        let seats = list("movers").map(|seat| Seat::new(seat.as_u64().unwrap() as usize));
        let moves = list("moves").map(|mv| mv.as_str().unwrap().to_owned());
        let setup = document["setup"].as_str().expect("a game has a setup").into();
        Moves { seats: list("players").len(), setup, moves: seats.zip(moves).collect() }
    }

    /// Returns the moves as steps.
    pub fn steps(&self) -> Vec<Step<'_>> {
        self.moves.iter().map(|(seat, mv)| Step::Moved(*seat, mv)).collect()
    }

    /// Returns the scenes of the game.
    pub fn scenes(&self, game: &dyn DynGame) -> GameScenes {
        game.scenes(&self.setup, self.seats, &self.steps()).unwrap()
    }

    /// Returns the position of seat 0 at the start and after each move.
    pub fn positions(&self, game: &dyn DynGame) -> Vec<String> {
        let speech = vec![Speech::Dialect(&dialect::INFO); self.seats];
        let mut table = game.table(&self.setup, &speech).unwrap();
        let mut positions = vec![table.position(Seat::FIRST).unwrap()];
        for (seat, mv) in &self.moves {
            table.ask(*seat, Go::Untimed, &mut String::new()).unwrap();
            table.hear(*seat, mv).unwrap();
            positions.push(table.position(Seat::FIRST).unwrap());
        }
        positions
    }

    /// Returns the drawing for the terminal at the start and after each move.
    pub fn pictures(&self, game: &dyn DynGame) -> Vec<String> {
        let view = View { seat: Seat::FIRST, colour: false, names: vec!["a", "b", "c", "d"] };
        game.draw(&self.setup, &self.steps(), &view).unwrap()
    }
}

/// Returns the texts of cells.
pub fn texts<'a>(cells: impl IntoIterator<Item = &'a Look>) -> Vec<&'a str> {
    cells.into_iter().map(|look| look.text.as_str()).collect()
}

/// Checks that a scene shows a position of seat 0, or its drawing for the terminal where that has
/// more.
pub fn check_scene(game: &str, scene: &Scene, position: &str, picture: &str) {
    match game {
        "awele" => check_awele(scene, position),
        "tron" => check_tron(scene, position, picture),
        "seven-colors" => check_seven_colors(scene, position),
        "taquin" => check_taquin(scene, position),
        "hextris" => check_hextris(scene, picture),
        other => panic!("{other} has no comparison"),
    }
}

fn check_awele(Scene { cells, scores, .. }: &Scene, position: &str) {
    let numbers: Vec<&str> = position.split(' ').collect();
    assert_eq!(texts(&cells[6..12]), numbers[..6], "{position}");
    assert_eq!(texts(cells[..6].iter().rev()), numbers[6..12], "{position}");
    assert_eq!(texts(&cells[12..]), numbers[12..], "{position}");
    assert_eq!(scores[0].to_string(), numbers[12]);
}

fn check_tron(scene: &Scene, position: &str, picture: &str) {
    // The position of an ended game lacks the trails that the drawing keeps.
    let drawn = picture.lines().filter_map(|line| line.split_once('|')?.1.split_once('|'));
    let drawn: String = drawn.map(|(row, _)| row).collect();
    let letter = |look: &Look| match look.paint {
        Paint::Free => '.',
        Paint::Wall => '#',
        Paint::Taken(seat) => char::from(b'0' + seat.index() as u8),
        Paint::Head(seat) => char::from(b'A' + seat.index() as u8),
        other => panic!("{other}"),
    };
    let shown: String = scene.cells.iter().map(letter).collect();
    assert_eq!(shown, drawn);
    let rows = position.split(' ').next().unwrap().replace('/', "");
    assert!(rows.chars().zip(shown.chars()).all(|(a, b)| a == b || a == '.'), "{rows}");
}

fn check_seven_colors(scene: &Scene, position: &str) {
    let letter = |look: &Look| match look.paint {
        Paint::Colour(number) => char::from(b'A' + number as u8),
        Paint::Taken(Seat::FIRST) => '.',
        _ => '*',
    };
    let shown: String = scene.cells.iter().map(letter).collect();
    assert_eq!(shown, position.split(' ').next().unwrap().replace('/', ""));
    let own = shown.chars().filter(|c| *c == '.').count();
    assert_eq!(scene.scores[0], own as i64);
}

fn check_taquin(scene: &Scene, position: &str) {
    let (board, made) = position.split_once(" after ").unwrap_or((position, "0"));
    let tiles = board.replace('/', " ").replace('_', "");
    let shown = texts(&scene.cells).join(" ");
    assert_eq!(
        shown.split_whitespace().collect::<Vec<_>>(),
        tiles.split_whitespace().collect::<Vec<_>>()
    );
    assert_eq!(scene.scores[0].to_string(), made);
    for (at, look) in scene.cells.iter().enumerate() {
        assert_eq!(look.paint == Paint::Goal, look.text == at.to_string(), "{position}");
    }
}

fn check_hextris(scene: &Scene, picture: &str) {
    let letter = |look: &Look| match look.paint {
        Paint::Free => '.',
        Paint::Full => '#',
        _ => 'o',
    };
    let shown: String = scene.cells.iter().map(letter).collect();
    let rows = picture.lines().filter(|line| !line.contains("points"));
    assert_eq!(shown, rows.collect::<String>().replace(' ', ""));
    let points = format!(" {} points", scene.scores[0]);
    assert!(picture.contains(&points), "{picture}");
}
