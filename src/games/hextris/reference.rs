//! The rules once more, slowly, as the task has them: cells in sets, moved one by one in the
//! coordinates of the task, turned in cube coordinates, and phrases looked for in the whole text.
//! Nothing here shares code with the board, the pieces or the automaton.

use super::Problem;
use std::collections::BTreeSet;

type Cell = (i64, i64);

/// A unit on its way: its cells and its pivot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Figure {
    cells: BTreeSet<Cell>,
    pivot: Cell,
}

/// A game.
#[derive(Clone, Debug)]
pub struct HextrisReference {
    problem: Problem,
    phrases: Vec<String>,
    filled: BTreeSet<Cell>,
    random: u64,
    left: u32,
    figure: Option<Figure>,
    held: Vec<Figure>,
    points: i64,
    last_lines: i64,
    text: String,
    /// The source is empty, the board is full, or the player stopped.
    end: Option<&'static str>,
}

/// The letters in the order of moves: six of each kind, then the stop.
const LETTERS: &str = "p'!.03bcefy2aghij4lmno 5dqrvz1kstuwx$";

impl HextrisReference {
    /// The game of a seed, after these characters, with these phrases.
    ///
    /// # Panics
    /// If these characters hold a stop, or something that is not allowed.
    pub fn new(problem: &Problem, seed: u32, played: &str, phrases: &[String]) -> HextrisReference {
        let mut game = HextrisReference {
            problem: problem.clone(),
            phrases: phrases.to_vec(),
            filled: problem.filled.iter().map(|c| (c.x.into(), c.y.into())).collect(),
            random: seed.into(),
            left: problem.source_length,
            figure: None,
            held: Vec::new(),
            points: 0,
            last_lines: 0,
            text: String::new(),
            end: None,
        };
        game.spawn();
        for c in played.chars() {
            assert!(game.put(c).is_ok(), "{c:?} in {played:?}");
        }
        game
    }

    fn is_free(&self, figure: &Figure) -> bool {
        let (width, height) = (self.problem.width as i64, self.problem.height as i64);
        let is_inside = |&(x, y): &Cell| x >= 0 && y >= 0 && x < width && y < height;
        figure.cells.iter().all(|cell| is_inside(cell) && !self.filled.contains(cell))
    }

    fn spawn(&mut self) {
        self.figure = None;
        self.held.clear();
        if self.left == 0 {
            self.end = Some("source empty");
            return;
        }
        self.left -= 1;
        let number = (self.random / 65536) % 32768;
        self.random = (self.random * 1_103_515_245 + 12345) % 4_294_967_296;
        let unit = &self.problem.units[(number % self.problem.units.len() as u64) as usize];
        let cells = unit.members.iter().map(|c| (c.x.into(), c.y.into())).collect();
        let mut figure = Figure { cells, pivot: (unit.pivot.x.into(), unit.pivot.y.into()) };
        // Two rows up leave the columns alone; one row up goes by way of a diagonal.
        while figure.cells.iter().map(|c| c.1).min() > Some(0) {
            figure = moved(&figure, north_west);
        }
        while figure.cells.iter().map(|c| c.1).min() < Some(0) {
            figure = moved(&figure, |cell| step(cell, 3));
        }
        let margins = |figure: &Figure| {
            let columns = figure.cells.iter().map(|c| c.0);
            (columns.clone().min().unwrap(), self.problem.width as i64 - 1 - columns.max().unwrap())
        };
        while margins(&figure).0 > margins(&figure).1 {
            figure = moved(&figure, |cell| step(cell, 0));
        }
        while margins(&figure).0 + 1 < margins(&figure).1 {
            figure = moved(&figure, |cell| step(cell, 1));
        }
        if !self.is_free(&figure) {
            self.end = Some("board full");
            return;
        }
        self.held.push(figure.clone());
        self.figure = Some(figure);
    }

    /// Puts a character at the end of the solution, unless that makes the score zero.
    ///
    /// # Errors
    /// Why it makes the score zero.
    pub fn put(&mut self, c: char) -> Result<(), &'static str> {
        let letter = LETTERS.find(c.to_ascii_lowercase()).filter(|_| c.is_ascii());
        if letter.is_none() && !"\t\n\r".contains(c) {
            return Err("no such character");
        }
        if let (Some(_), Some(end)) = (letter, self.end) {
            return Err(end);
        }
        if letter == Some(36) {
            self.end = Some("stopped");
        } else if let Some(letter) = letter {
            self.command(letter / 6)?;
        }
        self.text.push(c.to_ascii_lowercase());
        Ok(())
    }

    fn command(&mut self, command: usize) -> Result<(), &'static str> {
        let figure = self.figure.as_ref().expect("a unit moves");
        let next = match command {
            4 | 5 => turned(figure, if command == 4 { 1 } else { 5 }),
            _ => moved(figure, |cell| step(cell, command)),
        };
        if !self.is_free(&next) {
            self.lock();
            return Ok(());
        }
        if self.held.contains(&next) {
            return Err("there before");
        }
        self.held.push(next.clone());
        self.figure = Some(next);
        Ok(())
    }

    fn lock(&mut self) {
        let figure = self.figure.take().expect("a unit moves");
        let size = figure.cells.len() as i64;
        self.filled.extend(figure.cells);
        let (width, height) = (self.problem.width as i64, self.problem.height as i64);
        let mut lines = 0;
        for row in 0..height {
            if (0..width).all(|x| self.filled.contains(&(x, row))) {
                lines += 1;
                let kept = self.filled.iter().filter(|cell| cell.1 != row);
                self.filled = kept.map(|&(x, y)| (x, if y < row { y + 1 } else { y })).collect();
            }
        }
        let points = size + 100 * (1 + lines) * lines / 2;
        let bonus = if self.last_lines > 1 { (self.last_lines - 1) * points / 10 } else { 0 };
        self.points += points + bonus;
        self.last_lines = lines;
        self.spawn();
    }

    /// The score of what was put so far.
    pub fn score(&self) -> i64 {
        let power = |phrase: &String| {
            let starts = 0..self.text.len();
            let count = starts.filter(|&at| self.text[at..].starts_with(phrase.as_str())).count();
            2 * phrase.len() as i64 * count as i64 + if count > 0 { 300 } else { 0 }
        };
        self.points + self.phrases.iter().map(power).sum::<i64>()
    }

    /// Why there is nothing more to play, once it is so.
    pub fn end(&self) -> Option<&'static str> {
        self.end
    }

    /// The letters that may be put, by their places in the list of all; none once it is over.
    pub fn legal(&self) -> Vec<usize> {
        let is_legal = |&letter: &usize| {
            let c = LETTERS.chars().nth(letter).expect("a letter");
            self.end.is_none() && self.clone().put(c).is_ok()
        };
        (0..LETTERS.len()).filter(is_legal).collect()
    }

    /// Puts one of them.
    pub fn play(&mut self, letter: usize) {
        let c = LETTERS.chars().nth(letter).expect("a letter");
        self.put(c).expect("it is legal");
    }

    /// The full cells, row by row, as a picture.
    pub fn picture(&self) -> String {
        let cell = |x, y| if self.filled.contains(&(x, y)) { '#' } else { '.' };
        let row = |y| (0..self.problem.width as i64).map(move |x| cell(x, y)).collect::<String>();
        (0..self.problem.height as i64).map(row).collect::<Vec<_>>().join("/")
    }
}

fn moved(figure: &Figure, step: impl Fn(Cell) -> Cell) -> Figure {
    let cells = figure.cells.iter().map(|&cell| step(cell)).collect();
    Figure { cells, pivot: step(figure.pivot) }
}

/// West, east, south-west, south-east.
fn step((x, y): Cell, command: usize) -> Cell {
    let is_odd = y.rem_euclid(2) == 1;
    match command {
        0 => (x - 1, y),
        1 => (x + 1, y),
        2 => (if is_odd { x } else { x - 1 }, y + 1),
        _ => (if is_odd { x + 1 } else { x }, y + 1),
    }
}

fn north_west((x, y): Cell) -> Cell {
    (if y.rem_euclid(2) == 1 { x } else { x - 1 }, y - 1)
}

/// About the pivot, so many sixths clockwise: in cube coordinates, whose sum is 0, a sixth of a
/// turn exchanges them in a circle and changes their signs.
fn turned(figure: &Figure, sixths: usize) -> Figure {
    let cube = |(x, y): Cell| {
        let a = x - (y - y.rem_euclid(2)) / 2;
        (a, -a - y, y)
    };
    let (pa, pb, pc) = cube(figure.pivot);
    let turn = |&cell: &Cell| {
        let (a, b, c) = cube(cell);
        let (mut a, mut b, mut c) = (a - pa, b - pb, c - pc);
        for _ in 0..sixths {
            (a, b, c) = (-c, -a, -b);
        }
        let (a, y) = (a + pa, c + pc);
        debug_assert_eq!(a + b + pb + y, 0);
        (a + (y - y.rem_euclid(2)) / 2, y)
    };
    Figure { cells: figure.cells.iter().map(turn).collect(), pivot: figure.pivot }
}
