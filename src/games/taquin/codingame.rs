//! Dialect `codingame`, the protocol of the arena's 11-puzzle. The board is sent once, a row per
//! line. The blank is 0, and the goal has it first. Each answer is the row and the column of the
//! tile that slides into the blank, counted from 0. A bot may print all its answers at once.
//!
//! ```text
//! 1 2 0 3
//! 4 5 6 7
//! 8 9 10 11
//!                             0 1
//!                             0 0
//! ```

use super::{Board, Convention, Direction, Layout, Taquin};
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, ParsedAnswer, RefereeEnd, Start, Turn,
    CODINGAME_LINE,
};
use crate::game::{Game, ParseError, Seat, State};

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::CODINGAME;

/// Convention of the boards.
const BOARDS: Convention = Convention::KORF;

/// Returns the row and the column of a cell, as the arena counts them: from the other corner.
fn place(board: &Board, cell: usize) -> (usize, usize) {
    let cell = board.cells().len() - 1 - cell;
    (cell / board.columns(), cell % board.columns())
}

/// The referee's end of the dialect.
#[derive(Debug, Default)]
pub struct Referee {
    /// Board of the last turn.
    board: Option<Board>,
}

impl RefereeEnd<Taquin> for Referee {
    fn line_limit(&self) -> usize {
        CODINGAME_LINE
    }

    fn write_turn(&mut self, turn: &Turn<Taquin>, out: &mut String) {
        let board = turn.state.board();
        if turn.state.made() == 0 {
            *out += &(BOARDS.write(board, Layout::Slashes).replace(" / ", "\n") + "\n");
        }
        self.board = Some(board.clone());
    }

    fn read_move<'l>(
        &mut self,
        _: &Taquin,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Direction>, ParseError> {
        let board = self.board.as_ref().ok_or_else(|| ParseError::new("expected no answer yet"))?;
        let numbers = line.split_ascii_whitespace().map(|word| word.parse().ok());
        let numbers: Option<Vec<usize>> = numbers.collect();
        let Some(&[row, column]) = numbers.as_deref() else {
            return Err(ParseError::new(format!("expected ROW COLUMN of a tile, got '{line}'")));
        };
        let is_there = |way: &Direction| {
            board.target(*way).is_some_and(|cell| place(board, cell) == (row, column))
        };
        let way = Direction::ALL.into_iter().find(is_there).ok_or_else(|| {
            let (blank_row, blank_column) = place(board, board.blank());
            ParseError::of_move(format!("no tile beside the blank at {blank_row} {blank_column}"))
        })?;
        Ok(ParsedAnswer::bare(way))
    }
}

/// The bot's end of the dialect.
pub struct Bot {
    defaults: ArenaDefaults<Taquin>,
    /// Rows received so far.
    rows: Vec<String>,
    /// The game, once the board is complete.
    start: Option<Start<Taquin>>,
}

impl Bot {
    /// Creates an end that has received no line.
    pub fn new(defaults: ArenaDefaults<Taquin>) -> Bot {
        Bot { defaults, rows: Vec::new(), start: None }
    }
}

impl BotEnd<Taquin> for Bot {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, Taquin>, ParseError> {
        let ArenaDefaults { game, clock, seed } = self.defaults.clone();
        let size = (game.rules.rows(), game.rules.columns());
        self.rows.push(line.into());
        if self.rows.len() < size.0 {
            return Ok(BotAction::Listen);
        }
        let rows = std::mem::take(&mut self.rows).join("\n");
        let state = game.start(&BOARDS.read(&rows, Some(size))?.0)?;
        let start = Start { game, state, seat: Seat::FIRST, seats: 1, clock, seed };
        Ok(BotAction::Begin(self.start.insert(start)))
    }

    fn follow_up(&mut self) -> BotAction<'_, Taquin> {
        // A board that is sent is not solved yet, so there is always a turn.
        self.start.as_ref().map_or(BotAction::Listen, |start| start.turn(Direction::Down))
    }

    fn answer(&mut self, way: Direction, _: &str, out: &mut String) {
        let Start { state, seat, .. } = self.start.as_mut().expect("a game is being played");
        let board = state.board();
        let (row, column) = place(board, board.target(way).expect("the move is legal"));
        *out += &format!("{row} {column}\n");
        state.play_unchecked(*seat, way);
    }

    /// Prints all answers at once, as nothing asks for the later ones.
    fn answer_path(&mut self, path: &[Direction], comment: &str, out: &mut String) {
        path.iter().for_each(|&way| self.answer(way, comment, out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Go};
    use crate::dialect::Notation;
    use crate::rng::Rng;

    /// Board of the arena, kept by what its statement says alone.
    struct Grid(Vec<Vec<u8>>);

    impl Grid {
        fn parse(text: &str) -> Grid {
            let row = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
            Grid(text.lines().map(row).collect())
        }

        fn blank(&self) -> (usize, usize) {
            let row = self.0.iter().position(|row| row.contains(&0)).unwrap();
            (row, self.0[row].iter().position(|&tile| tile == 0).unwrap())
        }

        /// Slides the tile at a place into the blank, if it stands beside it.
        fn slide(&mut self, row: usize, column: usize) -> bool {
            let (y, x) = self.blank();
            let is_there = row < 3 && column < 4 && y.abs_diff(row) + x.abs_diff(column) == 1;
            if is_there {
                self.0[y][x] = self.0[row][column];
                self.0[row][column] = 0;
            }
            is_there
        }

        fn text(&self) -> String {
            let line = |row: &Vec<u8>| crate::text::join(row, " ") + "\n";
            self.0.iter().map(line).collect()
        }
    }

    fn ask(referee: &mut Referee, game: &Taquin, state: &crate::games::taquin::Position) -> String {
        let mut out = String::new();
        let turn = Turn { game, state, seat: Seat::FIRST, news: &[], go: Go::Untimed };
        referee.write_turn(&turn, &mut out);
        out
    }

    #[test]
    fn every_tile_is_judged_as_on_the_board_of_the_arena() {
        let game = Taquin::from_rules("size=3x4,max-moves=50").unwrap();
        let mut rng = Rng::new(1);
        for board in game.setups(1, 0, Rng::new(2)).take(20) {
            let (mut referee, mut state) = (Referee::default(), game.start(&board).unwrap());
            let mut grid = Grid::parse(&ask(&mut referee, &game, &state));
            while !state.to_move().is_empty() {
                let (row, column) = (rng.below(4), rng.below(5));
                let line = format!("{row} {column}");
                let read = referee.read_move(&game, &line).map(|answer| answer.mv);
                assert_eq!(read.is_ok(), grid.slide(row, column), "{line}");
                let Ok(way) = read else { continue };
                state.play(Seat::FIRST, way).unwrap();
                assert_eq!(ask(&mut referee, &game, &state), "", "the board is sent once");
                assert_eq!(
                    BOARDS.write(state.board(), Layout::Slashes).replace(" / ", "\n"),
                    grid.text().trim_end()
                );
            }
        }
    }

    #[test]
    fn goal_has_the_blank_first() {
        let goal = BOARDS.write(&Board::goal(3, 4), Layout::Slashes);
        assert_eq!(goal, "0 1 2 3 / 4 5 6 7 / 8 9 10 11");
    }

    /// The path of a bot is printed at once, and each of its lines is the move.
    #[test]
    fn path_of_a_bot_is_read_back() {
        let game = Taquin::from_rules("size=3x4").unwrap();
        let board = game.setups(1, 0, Rng::new(5)).next().unwrap();
        let (mut referee, mut state) = (Referee::default(), game.start(&board).unwrap());
        let defaults = ArenaDefaults { game, clock: Clock::default(), seed: 0 };
        let mut bot = Bot::new(defaults);
        let text = ask(&mut referee, &game, &state);
        let begins = text.lines().filter(|line| matches!(bot.hear(line), Ok(BotAction::Begin(_))));
        assert_eq!(begins.count(), 1);
        assert!(matches!(bot.follow_up(), BotAction::Choose(..)));
        let mut path = Vec::new();
        let mut walked = state.clone();
        for _ in 0..30 {
            let way = walked.board().ways().last().unwrap();
            walked.play(Seat::FIRST, way).unwrap();
            path.push(way);
        }
        let mut lines = String::new();
        bot.answer_path(&path, "", &mut lines);
        assert_eq!(lines.lines().count(), path.len());
        for (line, way) in lines.lines().zip(path) {
            assert_eq!(referee.read_move(&game, line).unwrap().mv, way);
            state.play(Seat::FIRST, way).unwrap();
            ask(&mut referee, &game, &state);
        }
    }
}
