//! A plain player of Seven Colors without bans and enclosed cells: a beam with the evaluation of
//! `napoleon`, own cells and expanding cells, less those of the opponent. It keeps the best
//! positions after each own move. The opponent answers each with the move of the best evaluation.
//! Beams of 1, 2, 4 positions and so on go to the end of the game, until the time is over.
mod colours;
use colours::{now, serve, Position};

/// Value of a won game, above all evaluations.
const WON: i32 = 10_000;

/// Counts own cells and expanding cells: free cells beside own ones, at least two of whose
/// neighbours are not own.
fn strength(at: &Position, side: usize) -> i32 {
    let mut border: Vec<usize> = at.border[side].clone();
    border.sort_unstable();
    border.dedup();
    border.retain(|&cell| {
        let beside = [cell + 1, cell + at.width, cell - 1, cell - at.width];
        let open = beside.iter().filter(|&&next| !matches!(at.board[next], b'/' | b'0' | b'1'));
        let other = beside.iter().filter(|&&next| at.board[next] == b"10"[side]);
        at.board[cell] >= b'A' && open.count() + other.count() >= 2
    });
    at.count[side] + border.len() as i32
}

fn value(at: &Position, side: usize, total: i32) -> i32 {
    let won = at.count.map(|count| WON * i32::from(2 * count > total));
    let value = strength(at, side) - strength(at, 1 - side);
    value + won[side] - won[1 - side]
}

/// Returns the position after the reply of the best evaluation, or the same where none gains.
fn reply(at: Position, total: i32) -> Position {
    let replies = at.children(1).into_iter().map(|(_, _, next)| next);
    replies.max_by_key(|next| value(next, 1, total)).unwrap_or(at)
}

/// Returns the first move of the best end of game that a beam of some width finds, or `None` at the
/// deadline.
fn beam(at: &Position, width: usize, total: i32, deadline: f64) -> Option<u8> {
    let mut kept = vec![(value(at, 0, total), None, at.clone())];
    loop {
        let mut next = Vec::new();
        for (known, first, position) in &kept {
            let is_won = position.count.iter().any(|&count| 2 * count > total);
            let children = if is_won { Vec::new() } else { position.children(0) };
            if children.is_empty() {
                next.push((*known, *first, position.clone()));
            }
            for (_, colour, child) in children {
                if now() > deadline {
                    return None;
                }
                let child = reply(child, total);
                next.push((value(&child, 0, total), first.or(Some(colour)), child));
            }
        }
        next.sort_by_key(|&(value, _, ref position)| (-value, position.hash));
        next.dedup_by_key(|(_, _, position)| position.hash);
        next.truncate(width);
        let is_same = |(old, new): (&(i32, _, Position), &(i32, _, Position))| {
            old.2.hash == new.2.hash && old.0 == new.0
        };
        if kept.len() == next.len() && kept.iter().zip(&next).all(is_same) {
            return next[0].1;
        }
        kept = next;
    }
}

fn main() {
    serve("colours-beam", |at, deadline| {
        let total = at.board.iter().filter(|&&cell| cell != b'/').count() as i32;
        let greedy = at.children(0).into_iter().max_by_key(|&(gain, ..)| gain);
        let (mut best, mut width) = (greedy.map_or(b'A', |(_, colour, _)| colour), 1);
        while let Some(colour) = beam(at, width, total, deadline) {
            (best, width) = (colour, 2 * width);
            if width > 4096 {
                break;
            }
        }
        best
    });
}
