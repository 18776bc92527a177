//! A plain player of Seven Colors without bans and enclosed cells: Monte-Carlo tree search (UCT)
//! over colours that gain something. Its rollouts play to the end, three of four moves greedily and
//! the others by chance. The result of a rollout is a win or a loss, and to a small part the share
//! of the cells.
mod colours;
use colours::{key, now, serve, Position};

/// Weight of exploration. Not tuned.
const EXPLORATION: f64 = 0.4;
/// Weight of the share of the cells in the result of a rollout. Not tuned.
const SHARE: f64 = 0.3;

/// Moves and children of a node, and the results of the player that moved to it.
#[derive(Default)]
struct Node {
    moves: Vec<(u8, Node)>,
    visits: f64,
    points: f64,
}

/// Returns the gain of each colour.
fn gains(at: &Position, side: usize) -> [i32; 32] {
    let (mut gains, mut next) = ([0; 32], at.clone());
    for &cell in &at.border[side] {
        let (colour, before) = (next.board[cell], next.count[side]);
        if colour >= b'A' {
            next.flood(side, cell);
            gains[usize::from(colour & 31)] += next.count[side] - before;
        }
    }
    gains
}

/// Returns whether more than half of the cells are taken by one player, or all cells by both.
fn is_over(at: &Position, total: i32) -> bool {
    at.count.iter().any(|&count| 2 * count > total) || at.count[0] + at.count[1] == total
}

/// Plays to the end, and returns the result of player 0 from 0 to 1.
fn rollout(mut at: Position, mut side: usize, total: i32, random: &mut usize) -> f64 {
    while !is_over(&at, total) {
        let gains = gains(&at, side);
        *random = key(*random) as usize;
        let first = *random >> 8;
        let by_chance = (0..32).map(|step| (first + step) % 32).find(|&colour| gains[colour] > 0);
        let greedily = (0..32).max_by_key(|&colour| gains[colour]);
        let colour = if *random % 4 == 0 { by_chance } else { greedily };
        at.play(side, colour.map(|colour| b'@' + colour as u8));
        side = 1 - side;
    }
    result(&at)
}

fn result(at: &Position) -> f64 {
    let [own, other] = at.count.map(f64::from);
    let win = if own == other { 0.5 } else { f64::from(u8::from(own > other)) };
    SHARE * own / (own + other) + (1.0 - SHARE) * win
}

impl Node {
    fn expand(&mut self, at: &Position, side: usize) {
        let gains = gains(at, side);
        let mut colours: Vec<usize> = (0..32).filter(|&colour| gains[colour] > 0).collect();
        colours.sort_by_key(|&colour| -gains[colour]);
        let moves = colours.iter().map(|&colour| (b'@' + colour as u8, Node::default()));
        self.moves = moves.collect();
        if self.moves.is_empty() {
            self.moves.push((b'A', Node::default()));
        }
    }

    /// Plays one game from this node on, and returns the result of player 0.
    fn visit(&mut self, mut at: Position, side: usize, total: i32, random: &mut usize) -> f64 {
        let result = if is_over(&at, total) {
            result(&at)
        } else if self.visits == 0.0 {
            rollout(at, side, total, random)
        } else {
            if self.moves.is_empty() {
                self.expand(&at, side);
            }
            let log = self.visits.ln().max(0.0);
            let value = |node: &Node| match node.visits {
                0.0 => f64::INFINITY,
                visits => node.points / visits + EXPLORATION * (log / visits).sqrt(),
            };
            let mut best = 0;
            for number in 1..self.moves.len() {
                if value(&self.moves[number].1) > value(&self.moves[best].1) {
                    best = number;
                }
            }
            let (colour, child) = &mut self.moves[best];
            at.play(side, Some(*colour));
            child.visit(at, 1 - side, total, random)
        };
        self.visits += 1.0;
        self.points += if side == 1 { result } else { 1.0 - result };
        result
    }
}

fn main() {
    let mut random = 1;
    serve("colours-tree-search", |at, deadline| {
        let total = at.board.iter().filter(|&&cell| cell != b'/').count() as i32;
        let mut root = Node { visits: 1.0, ..Node::default() };
        root.expand(at, 0);
        while root.moves.len() > 1 && now() < deadline {
            root.visit(at.clone(), 0, total, &mut random);
        }
        let most = root.moves.iter().rev().max_by(|a, b| a.1.visits.total_cmp(&b.1.visits));
        most.unwrap().0
    });
}
