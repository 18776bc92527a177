//! A plain player of Awélé in the dialect `arbitre`, in one file: principal-variation search with a
//! hash table, captures first, and an evaluation of four terms. `scripts/strength` compiles it with
//! `rustc -O`. It knows neither repetition nor endgames nor the limit of plies.
use std::collections::HashMap;
use std::io::{stdin, BufRead};
use std::time::{Duration, Instant};

/// The mover's pits, the opponent's, and the captures of both.
type Board = [u8; 14];
struct Search {
    table: HashMap<Board, (i32, i32, i8, usize)>,
    deadline: Instant,
    nodes: u64,
}

fn after(mut board: Board, pit: usize) -> Board {
    let (mut seeds, mut at) = (std::mem::take(&mut board[pit]), pit);
    while seeds > 0 {
        at = (at + 1) % 12;
        if at != pit {
            board[at] += 1;
            seeds -= 1;
        }
    }
    let row: u8 = board[6..12].iter().sum();
    let back = (6..at + 1).rev().take_while(|&at| matches!(board[at], 2 | 3));
    let taken: Vec<usize> = back.collect();
    let sum: u8 = taken.iter().map(|&at| board[at]).sum();
    if sum < row {
        taken.iter().for_each(|&at| board[at] = 0);
        board[12] += sum;
    }
    board[..12].rotate_left(6);
    board.swap(12, 13);
    board
}

fn moves(board: &Board) -> Vec<usize> {
    let is_starved = board[6..12].iter().all(|&seeds| seeds == 0);
    let needs = |pit: usize| if is_starved { 6 - pit as u8 } else { 1 };
    (0..6).filter(|&pit| board[pit] >= needs(pit)).collect()
}

fn evaluate(board: &Board) -> i32 {
    let term = |seeds: &u8| match seeds {
        0 => -54,
        1 | 2 => -36,
        3..=12 => 0,
        _ => 28,
    };
    let row = |row: &[u8]| row.iter().map(term).sum::<i32>();
    25 * (i32::from(board[12]) - i32::from(board[13])) + row(&board[..6]) - row(&board[6..12])
}

impl Search {
    fn value(&mut self, board: &Board, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if board[13] > 24 {
            return -10_000 - depth;
        }
        let legal = moves(board);
        if legal.is_empty() {
            let [own, other] = [&board[..6], &board[6..12]].map(|row| row.iter().sum::<u8>());
            return 10_000 * (i32::from(board[12] + own) - i32::from(board[13] + other)).signum();
        }
        if depth == 0 || self.nodes % 256 == 0 && Instant::now() > self.deadline {
            return evaluate(board);
        }
        let entry = self.table.get(board).copied();
        if let Some((known, value, bound, _)) = entry {
            let suffices = bound == 0 || bound > 0 && value >= beta || bound < 0 && value <= alpha;
            if known == depth && suffices {
                return value;
            }
        }
        let mut children: Vec<_> = legal.iter().map(|&pit| (pit, after(*board, pit))).collect();
        let first = entry.map(|(.., pit)| pit);
        children.sort_by_key(|(pit, next)| (Some(*pit) != first, 48 - next[13]));
        let (before, mut best, mut best_pit) = (alpha, -20_000, children[0].0);
        for (number, (pit, next)) in children.iter().enumerate() {
            let mut value = alpha + 1;
            if number > 0 {
                value = -self.value(next, depth - 1, -alpha - 1, -alpha);
            }
            if number == 0 || value > alpha && value < beta {
                value = -self.value(next, depth - 1, -beta, -alpha);
            }
            if value > best {
                (best, best_pit) = (value, *pit);
                alpha = alpha.max(value);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = if best >= beta { 1 } else { -i8::from(best <= before) };
        if Instant::now() < self.deadline {
            self.table.insert(*board, (depth, best, bound, best_pit));
        }
        best
    }

    fn choose(&mut self, board: &Board) -> usize {
        self.table.clear();
        let mut best = moves(board)[0];
        for depth in 1..60 {
            let value = self.value(board, depth, -20_000, 20_000);
            if Instant::now() >= self.deadline || value.abs() >= 10_000 {
                break;
            }
            best = self.table[board].3;
        }
        best
    }
}

fn main() {
    let (mut board, mut search) =
        ([0; 14], Search { table: HashMap::new(), deadline: Instant::now(), nodes: 0 });
    for line in stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split(' ');
        match words.next() {
            Some("begin") => println!("ready plain-pvs again"),
            Some("state") => {
                words.zip(&mut board).for_each(|(word, seeds)| *seeds = word.parse().unwrap())
            }
            Some("go") => {
                let limit: f64 = words.next().map_or(100.0, |word| word.parse().unwrap());
                search.deadline = Instant::now() + Duration::from_secs_f64(0.9 * limit / 1000.0);
                println!("{}", search.choose(&board));
            }
            _ => {}
        }
    }
}
