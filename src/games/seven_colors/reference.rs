//! Reference implementation of the rules, for tests; it shares no code with the others.
//!
//! The board is scanned until nothing changes, as in the report's first program (Q2.2). Enclosed
//! cells are found by listing every component.

use super::rules::ColourRule;
use super::Rules;

/// Symbols of the cells of seat 0 and seat 1, as in the array of the report's program.
const SYMBOLS: [char; 2] = ['0', '1'];

/// A game in progress.
#[derive(Clone, Debug)]
pub struct SevenColorsReference {
    rules: Rules,
    /// Rows of symbols: a letter for a free cell, the digit of its seat for a taken one.
    rows: Vec<Vec<char>>,
    turn: usize,
    last: [Option<char>; 2],
    plies_without_gain: u32,
}

impl SevenColorsReference {
    /// Creates a game from rows of letters, with `.` for the cells of seat 0 and `*` for those of
    /// seat 1. `turn` is the seat to move, and `last` the colours played last.
    pub fn new(
        rules: Rules,
        rows: &[&str],
        turn: usize,
        last: [Option<char>; 2],
    ) -> SevenColorsReference {
        let symbol = |letter| match letter {
            '.' => SYMBOLS[0],
            '*' => SYMBOLS[1],
            colour => colour,
        };
        let rows = rows.iter().map(|row| row.chars().map(symbol).collect()).collect();
        let mut game = SevenColorsReference { rules, rows, turn, last, plies_without_gain: 0 };
        game.take_enclosed();
        game
    }

    /// Returns the rows, with a digit for each taken cell.
    pub fn rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().collect()).collect()
    }

    /// Returns the seat to move while the game is not over.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// Returns the colours that the seats played last.
    pub fn last(&self) -> [Option<char>; 2] {
        self.last
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = (self.rules.width(), self.rules.height());
        (0..height).flat_map(move |y| (0..width).map(move |x| (y, x)))
    }

    fn beside(&self, (y, x): (usize, usize)) -> Vec<(usize, usize)> {
        let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let at = |(dy, dx)| Some((y.checked_add_signed(dy)?, x.checked_add_signed(dx)?));
        let inside = |&(y, x): &(usize, usize)| y < self.rows.len() && x < self.rows[y].len();
        steps.into_iter().filter_map(at).filter(inside).collect()
    }

    fn around(&self, at: (usize, usize)) -> Vec<char> {
        self.beside(at).into_iter().map(|(y, x)| self.rows[y][x]).collect()
    }

    fn count(&self, symbol: char) -> usize {
        self.rows.iter().flatten().filter(|cell| **cell == symbol).count()
    }

    /// Takes a colour for a seat by scans of the whole board, each of which sees its own changes.
    /// Returns the number of scans, including the last one, which changes nothing.
    pub fn capture(&mut self, seat: usize, colour: char) -> usize {
        let mut scans = 0;
        loop {
            scans += 1;
            let mut changed = false;
            for (y, x) in self.places() {
                if self.rows[y][x] == colour && self.around((y, x)).contains(&SYMBOLS[seat]) {
                    self.rows[y][x] = SYMBOLS[seat];
                    changed = true;
                }
            }
            if !changed {
                return scans;
            }
        }
    }

    /// Takes the same cells by one scan that recurses from each taken cell, as in the report's
    /// second program (Q2.3). Returns the number of visits of each cell: one by the scan, and one
    /// from each neighbour taken in this move.
    pub fn capture_with_recursion(&mut self, seat: usize, colour: char) -> Vec<Vec<usize>> {
        let mut visits: Vec<Vec<usize>> = self.rows.iter().map(|row| vec![0; row.len()]).collect();
        for (y, x) in self.places() {
            visits[y][x] += 1;
            if self.rows[y][x] == colour && self.around((y, x)).contains(&SYMBOLS[seat]) {
                self.propagate(seat, (y, x), &mut visits);
            }
        }
        visits
    }

    fn propagate(&mut self, seat: usize, (y, x): (usize, usize), visits: &mut [Vec<usize>]) {
        let colour = std::mem::replace(&mut self.rows[y][x], SYMBOLS[seat]);
        for (v, u) in self.beside((y, x)) {
            visits[v][u] += 1;
            if self.rows[v][u] == colour {
                self.propagate(seat, (v, u), visits);
            }
        }
    }

    /// Returns the free components that only one player touches, each with that player.
    fn enclosed(&self) -> Vec<(Vec<(usize, usize)>, usize)> {
        let mut found = Vec::new();
        let mut waiting: Vec<_> =
            self.places().filter(|&(y, x)| self.rows[y][x].is_ascii_uppercase()).collect();
        while let Some(first) = waiting.pop() {
            let mut component = vec![first];
            loop {
                let beside = |&(y, x): &(usize, usize)| {
                    component.iter().any(|&(v, u)| y.abs_diff(v) + x.abs_diff(u) == 1)
                };
                let (more, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(beside);
                waiting = rest;
                if more.is_empty() {
                    break;
                }
                component.extend(more);
            }
            let touched: Vec<char> = component.iter().flat_map(|&at| self.around(at)).collect();
            let touches = SYMBOLS.map(|symbol| touched.contains(&symbol));
            if touches[0] != touches[1] {
                found.push((component, usize::from(touches[1])));
            }
        }
        found
    }

    fn take_enclosed(&mut self) {
        if self.rules.capture_enclosed {
            for (component, seat) in self.enclosed() {
                component.into_iter().for_each(|(y, x)| self.rows[y][x] = SYMBOLS[seat]);
            }
        }
    }

    /// Returns the scores, which count towards the majority.
    pub fn scores(&self) -> [usize; 2] {
        let mut scores = SYMBOLS.map(|symbol| self.count(symbol));
        if self.rules.count_enclosed {
            self.enclosed().iter().for_each(|(cells, seat)| scores[*seat] += cells.len());
        }
        scores
    }

    /// Returns `true` if the game is over.
    pub fn is_over(&self) -> bool {
        let (scores, all) = (self.scores(), self.rows.concat().len());
        let majority = scores.iter().any(|&score| score > all / 2);
        let halves = scores.iter().all(|&score| all % 2 == 0 && score == all / 2);
        majority || halves || self.plies_without_gain == u32::from(self.rules.stall)
    }

    /// Returns the numbers of the legal colours; none once the game is over.
    pub fn legal(&self) -> Vec<usize> {
        let letters = ('A'..='P').take(self.rules.colours.into()).map(Some);
        let banned = |letter: Option<char>| match self.rules.ban {
            ColourRule::None => false,
            ColourRule::Opponent => letter == self.last[1 - self.turn],
            ColourRule::OwnAndOpponent => self.last.contains(&letter),
        };
        let open = letters.enumerate().filter(|(_, letter)| !banned(*letter));
        if self.is_over() {
            Vec::new()
        } else {
            open.map(|(number, _)| number).collect()
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, number: usize) {
        let letter = ('A'..='P').nth(number).expect("the number of a colour");
        let before = self.count(SYMBOLS[self.turn]);
        self.capture(self.turn, letter);
        self.take_enclosed();
        let gained = self.count(SYMBOLS[self.turn]) > before;
        self.plies_without_gain = if gained { 0 } else { self.plies_without_gain + 1 };
        self.last[self.turn] = Some(letter);
        self.turn = 1 - self.turn;
    }
}
