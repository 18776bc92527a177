//! Reference implementation of the rules, slow and close to the task. Cells are in sets and move
//! one by one in the coordinates of the task; turns use cube coordinates. Phrases are searched in
//! the whole text. It shares no code with the board, the pieces or the automaton.

use super::Problem;
use std::collections::BTreeSet;

type Cell = (i64, i64);

/// The moving unit: its cells and its pivot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Figure {
    cells: BTreeSet<Cell>,
    pivot: Cell,
}

/// State of a game by the reference rules.
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
    /// Reason why the game is over: the source is empty, the board is full, or the player stopped.
    end: Option<&'static str>,
}

/// Letters by command, six each, then the stop.
const LETTERS: &str = "p'!.03bcefy2aghij4lmno 5dqrvz1kstuwx$";

impl HextrisReference {
    /// Starts the game of a seed with these phrases, and plays the characters of `played`.
    ///
    /// # Panics
    /// Panics if a character of `played` would make the score zero.
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
        // Along a diagonal: straight up, rows of cells would shift against each other.
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

    /// Appends a character to the solution, unless that makes the score zero.
    ///
    /// # Errors
    /// Returns the reason why the score would be zero.
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
        // The bonus of a tenth per row counts from the second row of the unit before.
        let bonus = if self.last_lines > 1 { (self.last_lines - 1) * points / 10 } else { 0 };
        self.points += points + bonus;
        self.last_lines = lines;
        self.spawn();
    }

    /// Returns the score of the characters so far.
    pub fn score(&self) -> i64 {
        let power = |phrase: &String| {
            let starts = 0..self.text.len();
            let count = starts.filter(|&at| self.text[at..].starts_with(phrase.as_str())).count();
            2 * phrase.len() as i64 * count as i64 + if count > 0 { 300 } else { 0 }
        };
        self.points + self.phrases.iter().map(power).sum::<i64>()
    }

    /// Returns the reason why the game is over, if it is.
    pub fn end(&self) -> Option<&'static str> {
        self.end
    }

    /// Returns the indices of the legal letters, the stop included; none once the game is over.
    pub fn legal(&self) -> Vec<usize> {
        let is_legal = |&letter: &usize| {
            let c = LETTERS.chars().nth(letter).expect("a letter");
            self.end.is_none() && self.clone().put(c).is_ok()
        };
        (0..LETTERS.len()).filter(is_legal).collect()
    }

    /// Plays the legal letter of this index.
    pub fn play(&mut self, letter: usize) {
        let c = LETTERS.chars().nth(letter).expect("a letter");
        self.put(c).expect("it is legal");
    }

    /// Returns a picture of the full cells, row by row.
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

/// Returns the cell one step west (0), east (1), south-west (2) or south-east.
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

/// Turns a figure about its pivot by `sixths` of a full turn clockwise. In cube coordinates, whose
/// sum is 0, one sixth rotates the coordinates cyclically and negates them.
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
