//! A plain player of Seven Colors without bans and enclosed cells: alpha-beta with a transposition
//! table, the largest gain first. Its evaluation gives each free cell to the player that reaches it
//! first. It passes only where it gains nothing.
mod colours;
use colours::{key, now, serve, Position};

const WON: i32 = 10_000;

/// Returns the lead of `side`, to move, after both players take all they reach in turn.
fn evaluate(at: &Position, side: usize) -> i32 {
    let (mut end, mut mover) = (at.clone(), side);
    while end.border != [Vec::new(), Vec::new()] {
        end.play(mover, None);
        mover = 1 - mover;
    }
    end.count[side] - end.count[1 - side]
}

#[derive(Default)]
struct Search {
    /// Hash, depth, value, bound, colour.
    table: Vec<(u64, i32, i32, i8, u8)>,
    total: i32,
    deadline: f64,
    nodes: u64,
    is_over: bool,
}

impl Search {
    fn value(&mut self, at: &Position, side: usize, depth: i32, low: i32, high: i32) -> i32 {
        self.nodes += 1;
        self.is_over |= self.nodes % 32 == 0 && now() > self.deadline;
        let lead = [side, 1 - side].map(|side| 2 * at.count[side] - self.total);
        if lead[0] > 0 || lead[1] > 0 || lead == [0; 2] {
            return (WON + depth) * lead[0].signum();
        }
        if depth == 0 || self.is_over {
            return evaluate(at, side);
        }
        let hash = at.hash ^ key(4096 + side);
        let slot = hash as usize % self.table.len();
        let (known, known_depth, value, bound, first) = self.table[slot];
        let suffices = bound == 0 || bound > 0 && value >= high || bound < 0 && value <= low;
        if known == hash && known_depth == depth && suffices {
            return value;
        }
        let mut children = at.children(side);
        if children.is_empty() {
            return -self.value(at, 1 - side, depth - 1, -high, -low);
        }
        children.sort_by_key(|&(gain, colour, _)| (known != hash || colour != first, -gain));
        let (mut alpha, mut best, mut best_colour) = (low, -2 * WON, children[0].1);
        for (number, (_, colour, next)) in children.iter().enumerate() {
            let mut value = alpha + 1;
            if number > 0 {
                value = -self.value(next, 1 - side, depth - 1, -alpha - 1, -alpha);
            }
            if number == 0 || value > alpha && value < high {
                value = -self.value(next, 1 - side, depth - 1, -high, -alpha);
            }
            if value > best {
                (best, best_colour, alpha) = (value, *colour, alpha.max(value));
            }
            if alpha >= high || self.is_over {
                break;
            }
        }
        let bound = if best >= high { 1 } else { -i8::from(best <= low) };
        if !self.is_over {
            self.table[slot] = (hash, depth, best, bound, best_colour);
        }
        best
    }

    fn choose(&mut self, at: &Position, deadline: f64) -> u8 {
        let mut moves = at.children(0);
        moves.sort_by_key(|&(gain, ..)| -gain);
        // The table does not survive a game: hashes leave out the colours of the board.
        if at.count[0] == 1 || self.table.is_empty() {
            self.table = vec![(0, 0, 0, 0, 0); 1 << 17];
        }
        self.total = at.board.iter().filter(|&&cell| cell != b'/').count() as i32;
        (self.deadline, self.is_over) = (deadline, false);
        for depth in 1..200 * i32::from(moves.len() > 1) {
            let mut low = -2 * WON;
            for number in 0..moves.len() {
                let value = -self.value(&moves[number].2, 1, depth - 1, -2 * WON, -low);
                if self.is_over {
                    return moves[0].1;
                }
                if value > low {
                    low = value;
                    moves[..=number].rotate_right(1);
                }
            }
            if low.abs() >= WON {
                break;
            }
        }
        moves.first().map_or(b'A', |&(_, colour, _)| colour)
    }
}

fn main() {
    let mut search = Search::default();
    serve("colours-alpha-beta", |at, deadline| search.choose(at, deadline));
}
