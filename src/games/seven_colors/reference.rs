//! The rules once more, slowly: the board is scanned again and again until nothing changes, as the
//! seed's first program did (Q2.2), and what is enclosed is found by naming every component. For tests
//! to compare the others with; nothing here shares code with them.

use super::rules::ColourRule;
use super::Rules;

/// What the program's array held on the cells of seat 0 and of seat 1.
const SYMBOLS: [char; 2] = ['0', '1'];

/// A game.
#[derive(Clone, Debug)]
pub struct SevenColorsReference {
    rules: Rules,
    /// A letter for a free cell, a seat's digit for one that it has.
    rows: Vec<Vec<char>>,
    turn: usize,
    last: [Option<char>; 2],
    plies_without_gain: u32,
}

impl SevenColorsReference {
    /// The game on these rows of letters, `.` for the cells of seat 0 and `*` for those of seat 1,
    /// with a seat to move, after each seat played these colours last.
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

    /// The rows of letters, with a digit for each cell that a seat has.
    pub fn rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().collect()).collect()
    }

    /// Whose turn it is, while the game goes on.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// What the seats played last.
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

    /// A seat takes all that it can of a colour, by scans of the whole board, each of which sees what
    /// the same scan changed before. Returns the number of scans, the last one without a change
    /// included.
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

    /// A seat takes the same by a single scan, which goes on from each cell that it takes to those beside
    /// it, as the seed's second program did (Q2.3). Returns how often it passes by each cell, row by row:
    /// once in the scan, and once from each cell beside it that is taken.
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

    /// The free components that one player alone touches, with that player.
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

    /// What counts towards the majority.
    pub fn scores(&self) -> [usize; 2] {
        let mut scores = SYMBOLS.map(|symbol| self.count(symbol));
        if self.rules.count_enclosed {
            self.enclosed().iter().for_each(|(cells, seat)| scores[*seat] += cells.len());
        }
        scores
    }

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        let (scores, all) = (self.scores(), self.rows.concat().len());
        let majority = scores.iter().any(|&score| score > all / 2);
        let halves = scores.iter().all(|&score| all % 2 == 0 && score == all / 2);
        majority || halves || self.plies_without_gain == u32::from(self.rules.stall)
    }

    /// The colours that may be played, as numbers; none once the game is over.
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
        let letter = ('A'..='P').nth(number).expect("a colour");
        let before = self.count(SYMBOLS[self.turn]);
        self.capture(self.turn, letter);
        self.take_enclosed();
        let gained = self.count(SYMBOLS[self.turn]) > before;
        self.plies_without_gain = if gained { 0 } else { self.plies_without_gain + 1 };
        self.last[self.turn] = Some(letter);
        self.turn = 1 - self.turn;
    }
}
