//! Tic-tac-toe: three in a row win. A move is the number of a cell, from 0 to 8.

mod arbitre_rules;

use arbitre_rules::{serve, Rules};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

#[derive(Default)]
struct TicTacToe {
    /// Seat on each cell.
    cells: [Option<usize>; 9],
    /// Seat that is alone after a fault of the other.
    alone: Option<usize>,
}

impl TicTacToe {
    fn winner(&self) -> Option<usize> {
        let line = |[a, b, c]: &[usize; 3]| {
            let seat = self.cells[*a]?;
            (self.cells[*b] == Some(seat) && self.cells[*c] == Some(seat)).then_some(seat)
        };
        LINES.iter().find_map(line).or(self.alone)
    }

    fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.map_or('.', |seat| ['X', 'O'][seat])).collect()
    }
}

impl Rules for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const TITLE: &'static str = "Tic-tac-toe";
    const SEATS: (usize, usize) = (2, 2);

    fn start(&mut self, _seats: usize, _setup: &str) -> bool {
        *self = TicTacToe::default();
        true
    }

    fn turn(&self) -> Vec<usize> {
        let moves = self.cells.iter().flatten().count();
        if self.winner().is_some() || moves == 9 { Vec::new() } else { vec![moves % 2] }
    }

    fn scores(&self) -> Vec<i64> {
        (0..2).map(|seat| i64::from(self.winner() == Some(seat))).collect()
    }

    fn legal(&self, _seat: usize) -> Vec<String> {
        (0..9).filter(|&cell| self.cells[cell].is_none()).map(|cell| cell.to_string()).collect()
    }

    fn play(&mut self, seat: usize, mv: &str) {
        let cell: usize = mv.parse().expect("legal moves are numbers");
        self.cells[cell] = Some(seat);
    }

    fn state(&self, _seat: usize) -> String {
        self.text()
    }

    fn out(&mut self, seats: &[usize]) {
        self.alone = Some(if seats.len() == 1 { 1 - seats[0] } else { 0 });
    }

    fn picture(&self, _seat: usize) -> Option<String> {
        let text = self.text();
        Some(format!("{}\n{}\n{}", &text[..3], &text[3..6], &text[6..]))
    }
}

fn main() -> std::io::Result<()> {
    serve(TicTacToe::default())
}
