//! Boards of Seven Colors and the dialect `arbitre`, for the pool's players. `scripts/strength`
//! compiles each of them with `rustc -O`. No code comes from the bundled bots. Boards have 2x2 to
//! 32x32 cells and up to 16 colours. Bans, enclosed cells and the stall are unknown.
use std::io::{stdin, BufRead};

/// A position: the board in rows with walls around, the numbers of cells, and lists of the cells
/// beside them. Player 0 is the bot. Lists may name a cell twice, and cells taken since.
#[derive(Clone)]
pub struct Position {
    pub board: Vec<u8>,
    pub count: [i32; 2],
    pub border: [Vec<usize>; 2],
    pub hash: u64,
    pub width: usize,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

/// Returns the CPU time of the process in seconds, on Linux.
pub fn now() -> f64 {
    let mut time = [0; 2];
    // SAFETY: the clock writes two numbers of 64 bits to `time`.
    unsafe { clock_gettime(2, &mut time) };
    time[0] as f64 + time[1] as f64 * 1e-9
}

impl Position {
    pub fn read(state: &str) -> Self {
        let width = state.find('/').unwrap() + 1;
        let board = [&"/".repeat(width), state, &"/".repeat(width + 1)].concat().into_bytes();
        let (count, border) = ([0; 2], [Vec::new(), Vec::new()]);
        let mut position = Position { board, count, border, hash: 0, width };
        for cell in width..position.board.len() - width {
            if let Some(side) = b".*".iter().position(|&mark| mark == position.board[cell]) {
                position.flood(side, cell);
            }
        }
        position
    }

    /// Gives a player the connected cells of one colour, or its own cells at the start.
    pub fn flood(&mut self, side: usize, cell: usize) {
        let colour = self.board[cell];
        self.board[cell] = b"01"[side];
        self.count[side] += 1;
        self.hash ^= key(2 * cell + side);
        for next in [cell + 1, cell + self.width, cell - 1, cell - self.width] {
            match self.board[next] {
                there if there == colour => self.flood(side, next),
                b'A'.. => self.border[side].push(next),
                _ => {}
            }
        }
    }

    /// Plays a colour, or with `None` all of them at once.
    pub fn play(&mut self, side: usize, colour: Option<u8>) {
        for cell in std::mem::take(&mut self.border[side]) {
            match self.board[cell] {
                there if there >= b'A' && colour.map_or(true, |colour| colour == there) => {
                    self.flood(side, cell)
                }
                b'A'.. => self.border[side].push(cell),
                _ => {}
            }
        }
    }

    /// Returns the gains, colours and positions of the moves that gain something.
    pub fn children(&self, side: usize) -> Vec<(i32, u8, Position)> {
        let seen = self.border[side].iter().fold(0u32, |seen, &cell| {
            seen | u32::from(self.board[cell] >= b'A') << (self.board[cell] & 31)
        });
        let colours = (b'A'..=b'Z').filter(|colour| seen >> (colour & 31) & 1 > 0);
        let all = colours.map(|colour| {
            let mut next = self.clone();
            next.play(side, Some(colour));
            (next.count[side] - self.count[side], colour, next)
        });
        all.collect()
    }
}

/// Returns the hash of a number.
pub fn key(number: usize) -> u64 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 27
}

/// Answers a referee with the colours that `choose` finds before a CPU time in seconds.
pub fn serve(name: &str, mut choose: impl FnMut(&Position, f64) -> u8) {
    let mut state = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split(' ');
        match words.next() {
            Some("begin") => println!("ready {name} again"),
            Some("state") => state = words.next().unwrap_or_default().into(),
            Some("go") => {
                let limit: f64 = words.next().map_or(100.0, |word| word.parse().unwrap());
                let deadline = now() + 0.9 * limit / 1000.0;
                println!("{}", char::from(choose(&Position::read(&state), deadline)));
            }
            _ => {}
        }
    }
}
