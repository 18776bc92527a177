//! A bot for CodinGame's Tron Battle that moves to a free cell. Put your own code into `choose`.
//! The same file plays in the arena and here.

use std::collections::HashMap;
use std::io::{self, Write};

const WIDTH: i32 = 30;
const HEIGHT: i32 = 20;
const DIRECTIONS: [(&str, i32, i32); 4] =
    [("LEFT", -1, 0), ("RIGHT", 1, 0), ("UP", 0, -1), ("DOWN", 0, 1)];

type Cell = (i32, i32);

/// Returns your move: LEFT, RIGHT, UP or DOWN, within 100 ms (1 s for the first one). `taken` maps
/// each occupied cell to its player, `heads` each player in the game to its head.
fn choose(taken: &HashMap<Cell, usize>, heads: &HashMap<usize, Cell>, me: usize) -> &'static str {
    let (x, y) = heads[&me];
    // As good as random: the number of occupied cells changes with each turn.
    let first = taken.len() * 7;
    let ways = (0..4).map(|turn| DIRECTIONS[(first + turn) % 4]);
    let is_free = |x: i32, y: i32| {
        (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y) && !taken.contains_key(&(x, y))
    };
    let mut free = ways.filter(|(_, dx, dy)| is_free(x + dx, y + dy));
    free.next().map_or("LEFT", |(word, ..)| word)
}

/// Reads the numbers of a line; `None` at the end of the input.
fn numbers() -> io::Result<Option<Vec<i32>>> {
    let mut line = String::new();
    let length = io::stdin().read_line(&mut line)?;
    let numbers = line.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
    Ok(Some(numbers).filter(|_| length > 0))
}

fn main() -> io::Result<()> {
    let (mut taken, mut heads) = (HashMap::new(), HashMap::new());
    while let Some(turn) = numbers()? {
        for player in 0..turn[0] as usize {
            let Some(cells) = numbers()? else { return Ok(()) };
            let (tail, head) = ((cells[0], cells[1]), (cells[2], cells[3]));
            if head.0 < 0 {
                // It is out, and its trail disappears.
                taken.retain(|_, owner| *owner != player);
                heads.remove(&player);
            } else {
                taken.extend([(tail, player), (head, player)]);
                heads.insert(player, head);
            }
        }
        // Notes go to standard error: eprintln!.
        println!("{}", choose(&taken, &heads, turn[1] as usize));
        io::stdout().flush()?;
    }
    Ok(())
}
