//! Principal-variation search.

use super::evaluation::Evaluation;
use super::pace::Pace;
use crate::awele::endgame::EndgameTables;
use arbitre_games::games::awele::{
    Board, EndReason, Pit, Position, Repetition, Rules, HALF, ROW, SEEDS, SHORTEST_CYCLE,
};
use arbitre_games::parallel;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::{self, IterationOutcome, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;

/// Value of a win at the root. The plies to it are subtracted, so that nearer wins are better.
pub const WIN: i32 = 10_000;
/// Value at the root of a win by the endgame tables, whose distance is unknown.
pub const WON_BY_TABLE: i32 = 7_000;
/// Least value of a win.
pub const LEAST_WIN: i32 = 6_000;
/// Value beyond all others.
const INFINITY: i32 = 30_000;
/// Number of plies allowed for a win by the tables. Closer to the limit of plies, such wins are
/// ignored. Not tuned.
const LONG: u32 = 60;
/// Half of the first window around the value of the iteration before.
const WINDOW: i32 = 30;
/// Power of two above the number of seeds in a pit, so that an index needs no check of bounds.
const MANY: usize = 64;
/// Part of its depth that a position without a move from the table loses: one in this number. The
/// next iteration has the move, and orders the others behind it. The diary has the matches.
const UNORDERED: i32 = 3;
/// Largest change of a quiet move's merit at once. Not tuned.
const LARGEST_BONUS: i32 = 400;
/// Largest distance from the root in plies.
const MAX_PLY: usize = 200;

/// Transposition table of the search.
pub type Table = TranspositionTable<4>;

/// Means of a search.
pub struct SearchMeans<'a> {
    /// Evaluation of positions at the horizon.
    pub evaluation: &'a Evaluation,
    /// Transposition table.
    pub table: &'a Table,
    /// Endgame tables, if they hold under the rules.
    pub endgame: Option<&'a EndgameTables>,
    /// Number of threads.
    pub threads: usize,
}

/// Searches a position until the budget is spent, among the root moves of the mask `moves`.
///
/// Under a game clock, `pace` ends it earlier. All threads search the same tree and share the
/// transposition table. The result is that of the first, with the nodes of all.
///
/// # Panics
/// Panics if there is no move.
pub fn search(
    position: &Position,
    moves: u8,
    means: &SearchMeans,
    budget: Budget,
    pace: Option<Pace>,
) -> SearchResult<Pit> {
    let stop = Arc::new(AtomicBool::new(false));
    let results = parallel::run(means.threads, |thread| match thread {
        0 => {
            let result = Worker::new(position, means, &stop, budget).deepen(moves, thread, pace);
            stop.store(true, Relaxed);
            result
        }
        _ => {
            let budget = Budget { depth: budget.depth, ..Budget::default() };
            Worker::new(position, means, &stop, budget).deepen(moves, thread, None)
        }
    });
    let nodes = results.iter().map(|result| result.nodes).sum();
    let best = results.into_iter().next().expect("there is a first thread");
    SearchResult { nodes, ..best }
}

/// Returns `true` if enough plies are left that a win by the tables can be believed.
#[inline]
pub fn believes_tables(rules: &Rules, ply: u32) -> bool {
    rules.max_plies.is_none_or(|most| ply + LONG <= most)
}

/// A thread of a search.
struct Worker<'a> {
    means: &'a SearchMeans<'a>,
    rules: Rules,
    /// Ply of the root, counted from the start of the game.
    root_ply: u32,
    /// Seeds captured at the root.
    captured: u8,
    limiter: Limiter,
    /// Boards since the last capture of the game, then those of the line being searched.
    path: Vec<Board>,
    /// Index of the root in `path`.
    root: usize,
    /// Merits of quiet moves by pit and number of seeds.
    history: [[i32; MANY]; ROW],
    /// Principal variation from each ply.
    lines: Vec<Vec<Pit>>,
    /// Whether this iteration used the estimate of any position.
    horizon_reached: bool,
}

/// A position of the search.
#[derive(Clone, Copy)]
struct Node {
    board: Board,
    key: u64,
    /// Plies from the root.
    ply: usize,
    /// Plies since the last capture of the game.
    quiet: usize,
    /// Plies to the horizon.
    depth: i32,
}

/// Knowledge about a board before its search.
enum Known {
    /// Exact value.
    Value(i32),
    /// The least and the largest possible value.
    Bounds(i32, i32),
}

/// The moves of a position, by pit, with the boards after them.
struct Children {
    boards: [Board; ROW],
    keys: [u64; ROW],
    merits: [i32; ROW],
    /// Moves that were not returned yet, as a mask.
    left: u8,
}

impl Children {
    fn new(board: Board) -> Children {
        Children { boards: [board; ROW], keys: [0; ROW], merits: [0; ROW], left: 0 }
    }

    /// Returns the move with the largest merit that was not returned yet.
    #[inline]
    fn next(&mut self) -> Option<Pit> {
        let mut moves = Pit::of_mask(self.left);
        let mut best = moves.next()?;
        for pit in moves {
            if self.merits[pit.index()] > self.merits[best.index()] {
                best = pit;
            }
        }
        self.left &= !(1 << best.index());
        Some(best)
    }
}

impl<'a> Worker<'a> {
    fn new(
        position: &Position,
        means: &'a SearchMeans<'a>,
        stop: &Arc<AtomicBool>,
        budget: Budget,
    ) -> Self {
        let mut path = position.boards_since_capture().to_vec();
        if path.is_empty() {
            path.push(position.board());
        }
        let root = path.len() - 1;
        path.resize(root + MAX_PLY + 2, position.board());
        Worker {
            means,
            rules: *position.rules(),
            root_ply: position.ply(),
            captured: position.board().captures().iter().sum(),
            limiter: Limiter::new(budget).stopped_by(stop),
            path,
            root,
            history: [[0; MANY]; ROW],
            lines: vec![Vec::new(); MAX_PLY + 2],
            horizon_reached: false,
        }
    }

    /// Deepens until the budget is spent or the result is final.
    fn deepen(&mut self, moves: u8, thread: usize, mut pace: Option<Pace>) -> SearchResult<Pit> {
        let board = self.path[self.root];
        let mut children: Vec<(Pit, Board)> =
            Pit::of_mask(moves).map(|pit| (pit, board.after(pit, self.rules.grand_slam))).collect();
        let first = children[0].0;
        let most = self.limiter.depth_limit().min(MAX_PLY as u32);
        // Helpers skip a ply now and then, so that the threads search different depths.
        let depths =
            (1..=most).filter(|depth| thread == 0 || !(*depth as usize + thread).is_multiple_of(3));
        let result = deepening::deepen(first, depths, |depth, result| {
            self.horizon_reached = false;
            let is_complete = self.iterate(&mut children, depth as i32, result);
            let enough = |pace: &mut Pace| pace.is_enough(result.best, result.value);
            // A win within the depth is the nearest, or nearly so.
            let is_won = result.value.abs() > WIN - depth as i32;
            let is_final = !self.horizon_reached || is_won || pace.as_mut().is_some_and(enough);
            IterationOutcome::new(is_complete, is_final)
        });
        SearchResult { nodes: self.limiter.nodes(), ..result }
    }

    /// Runs one iteration with a growing window. Returns whether it was complete; if not, a better
    /// move that it found still counts.
    fn iterate(
        &mut self,
        children: &mut [(Pit, Board)],
        depth: i32,
        result: &mut SearchResult<Pit>,
    ) -> bool {
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (result.value - width, result.value + width);
        if depth < 4 || result.value.abs() >= LEAST_WIN {
            (alpha, beta) = (-INFINITY, INFINITY);
        }
        loop {
            let Some(value) = self.root(children, depth, alpha, beta, result) else { return false };
            width *= 3;
            if value <= alpha {
                alpha = if width > 300 { -INFINITY } else { value - width };
            } else if value >= beta {
                beta = if width > 300 { INFINITY } else { value + width };
            } else {
                return true;
            }
        }
    }

    /// Searches the root moves within a window and moves the best to the front. Returns its value,
    /// unless the search was stopped.
    fn root(
        &mut self,
        children: &mut [(Pit, Board)],
        depth: i32,
        mut alpha: i32,
        beta: i32,
        result: &mut SearchResult<Pit>,
    ) -> Option<i32> {
        let mut best = -INFINITY;
        let [own, _] = self.path[self.root].captures();
        for number in 0..children.len() {
            let (pit, board) = children[number];
            let quiet = if board.captures()[1] == own { self.root + 1 } else { 0 };
            let node = Node { board, key: self.key(board, 1), ply: 1, quiet, depth: depth - 1 };
            let mut value = alpha + 1;
            if number > 0 {
                value = -self.value(node, -alpha - 1, -alpha);
            }
            if number == 0 || value > alpha && !self.limiter.stopped() {
                value = -self.value(node, -beta, -alpha);
            }
            if self.limiter.stopped() {
                return None;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                result.best = pit;
                result.value = value;
                result.line.clear();
                result.line.push(pit);
                result.line.extend(&self.lines[1]);
                children[..=number].rotate_right(1);
            } else if number == 0 {
                result.value = value;
            }
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns the value of a position within (`alpha`, `beta`); outside that window, a bound. Once
    /// the limiter has stopped, the value is meaningless.
    fn value(&mut self, mut node: Node, mut alpha: i32, mut beta: i32) -> i32 {
        let Node { board, ply, quiet, .. } = node;
        if node.depth <= 0 || ply >= MAX_PLY {
            self.lines[ply].clear();
            return self.leaf(board, ply, quiet);
        }
        let is_open = beta - alpha > 1;
        if is_open {
            self.lines[ply].clear();
        }
        if self.limiter.tick() {
            return 0;
        }
        let legal = board.legal(self.rules.grand_slam);
        match self.known(board, legal, ply, quiet) {
            Known::Value(value) => return value,
            Known::Bounds(low, _) if low >= beta => return low,
            Known::Bounds(_, high) if high <= alpha => return high,
            Known::Bounds(low, high) => (alpha, beta) = (alpha.max(low), beta.min(high)),
        }
        self.path[self.root + ply] = board;
        if node.depth == 1 {
            return self.frontier(board, legal, ply, quiet, alpha, beta);
        }
        let entry = self.means.table.probe(node.key);
        let cutoff = entry.and_then(|entry| cutoff(entry, &node, alpha, beta));
        if let Some(value) = cutoff.filter(|_| !is_open) {
            self.horizon_reached = true;
            return value;
        }
        let first = entry.and_then(|entry| entry.best).map_or(0, |pit| legal & 1 << pit);
        if first == 0 {
            node.depth -= node.depth / UNORDERED;
        }
        let (value, best) = self.best_child(&node, first, legal & !first, alpha, beta);
        if self.limiter.stopped() {
            return 0;
        }
        let best = best.map(|pit| pit.index() as u8);
        let entry = Entry::new(node.depth as u32, value, best, alpha, beta);
        self.means.table.store(node.key, Entry { value: to_table(value, ply), ..entry });
        value
    }

    /// Searches the moves of the mask `first`, then those of `others`. Returns the largest value
    /// and its move, if that raises `alpha`.
    fn best_child(
        &mut self,
        node: &Node,
        first: u8,
        mut others: u8,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Pit>) {
        let Node { board, ply, depth, .. } = *node;
        let is_open = beta - alpha > 1;
        let (mut best, mut best_pit) = (-INFINITY, None);
        let mut children = Children::new(board);
        // The move of the table alone comes first: it often makes the others needless.
        self.generate(board, first, &mut children, ply, depth);
        let [captured, _] = board.captures();
        let (mut number, mut quiet_tried) = (0, 0u8);
        loop {
            if children.left == 0 {
                self.generate(board, std::mem::take(&mut others), &mut children, ply, depth);
            }
            let Some(pit) = children.next() else { break };
            let (board, key) = (children.boards[pit.index()], children.keys[pit.index()]);
            let quiet = if board.captures()[1] == captured { node.quiet + 1 } else { 0 };
            let child = Node { board, key, ply: ply + 1, quiet, depth: depth - 1 };
            let value = self.child(child, number, alpha, beta);
            if self.limiter.stopped() {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                best_pit = Some(pit);
                if is_open {
                    self.keep_line(ply, pit);
                }
                if value >= beta {
                    if quiet > 0 {
                        self.reward(node.board, pit, quiet_tried, depth);
                    }
                    break;
                }
            }
            number += 1;
            quiet_tried |= u8::from(quiet > 0) << pit.index();
        }
        (best, best_pit)
    }

    /// Returns the value of the child with this number, for the player who moves to it.
    ///
    /// The first is searched with the whole window. The others must first beat `alpha` in an empty
    /// window; late quiet moves do so with less depth.
    fn child(&mut self, child: Node, number: usize, alpha: i32, beta: i32) -> i32 {
        if number == 0 {
            return -self.value(child, -beta, -alpha);
        }
        let mut value = alpha + 1;
        if number >= 2 && child.quiet > 0 && child.depth >= 2 {
            value = -self.value(Node { depth: child.depth - 1, ..child }, -alpha - 1, -alpha);
        }
        if value > alpha && !self.limiter.stopped() {
            value = -self.value(child, -alpha - 1, -alpha);
        }
        if value > alpha && value < beta && !self.limiter.stopped() {
            value = -self.value(child, -beta, -alpha);
        }
        value
    }

    /// Returns the value of a board one ply before the horizon: captures first, then the others.
    fn frontier(
        &mut self,
        board: Board,
        legal: u8,
        ply: usize,
        quiet: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let [captured, _] = board.captures();
        let is_open = beta - alpha > 1;
        self.lines[ply + 1].clear();
        let mut best = -INFINITY;
        let mut children = [(board, Pit::FIRST); ROW];
        let (mut captures, mut others) = (0, ROW);
        for pit in Pit::of_mask(legal) {
            let child = board.after(pit, self.rules.grand_slam);
            if child.captures()[1] == captured {
                others -= 1;
                children[others] = (child, pit);
            } else {
                children[captures] = (child, pit);
                captures += 1;
            }
        }
        for at in (0..captures).chain(others..ROW) {
            let (child, pit) = children[at];
            let next_quiet = if at < captures { 0 } else { quiet + 1 };
            let value = -self.leaf(child, ply + 1, next_quiet);
            if self.limiter.stopped() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if is_open {
                        self.keep_line(ply, pit);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Returns the value of a board at the horizon.
    #[inline]
    fn leaf(&mut self, board: Board, ply: usize, quiet: usize) -> i32 {
        if self.limiter.tick() {
            return 0;
        }
        let legal = board.legal(self.rules.grand_slam);
        match self.known(board, legal, ply, quiet) {
            Known::Value(value) => value,
            Known::Bounds(low, high) => {
                self.horizon_reached = true;
                self.means.evaluation.evaluate(board).clamp(low, high)
            }
        }
    }

    /// Returns what the rules and the endgame tables say about a board.
    #[inline]
    fn known(&self, board: Board, legal: u8, ply: usize, quiet: usize) -> Known {
        if let Some(value) = self.terminal(board, legal, ply, quiet) {
            return Known::Value(value);
        }
        let won = WON_BY_TABLE - ply as i32;
        match self.forced(board, ply) {
            None => Known::Bounds(-INFINITY, INFINITY),
            Some([HALF, HALF]) => Known::Value(0),
            Some([own, _]) if own > HALF => Known::Value(won),
            Some([_, other]) if other > HALF => Known::Value(-won),
            Some([HALF, _]) => Known::Bounds(0, INFINITY),
            Some([_, HALF]) => Known::Bounds(-INFINITY, 0),
            Some(_) => Known::Bounds(-INFINITY, INFINITY),
        }
    }

    /// Adds the boards after the moves of a mask, with their merits. The entries of the table that
    /// they need are on their way then.
    #[inline]
    fn generate(&self, board: Board, moves: u8, children: &mut Children, ply: usize, depth: i32) {
        let [own, _] = board.captures();
        let row = board.sides()[0];
        for pit in Pit::of_mask(moves) {
            let at = pit.index();
            let child = board.after(pit, self.rules.grand_slam);
            let taken = i32::from(child.captures()[1] - own);
            children.boards[at] = child;
            children.merits[at] = match taken {
                0 => self.history[at][(row >> (8 * at)) as usize % MANY],
                taken => (1 << 24) * taken,
            };
            if depth > 2 {
                children.keys[at] = self.key(child, ply + 1);
                self.means.table.prefetch(children.keys[at]);
            }
        }
        children.left |= moves;
    }

    /// Remembers that a quiet move refuted a position, and that those of the mask `failed` did not.
    fn reward(&mut self, board: Board, pit: Pit, failed: u8, depth: i32) {
        let row = board.sides()[0];
        let bonus = (depth * depth).min(LARGEST_BONUS);
        let mut add = |pit: Pit, bonus: i32| {
            let merit = &mut self.history[pit.index()][(row >> (8 * pit.index())) as usize % MANY];
            // Merits stay below 2^14, and old ones fade.
            *merit += bonus - *merit * bonus.abs() / (1 << 14);
        };
        add(pit, bonus);
        for pit in Pit::of_mask(failed) {
            add(pit, -bonus);
        }
    }

    fn keep_line(&mut self, ply: usize, pit: Pit) {
        let [line, next] = &mut self.lines[ply..=ply + 1] else { return };
        line.clear();
        line.push(pit);
        line.extend(next.iter());
    }

    /// Returns the value of a finished game.
    #[inline]
    fn terminal(&self, board: Board, legal: u8, ply: usize, quiet: usize) -> Option<i32> {
        let [own, other] = board.captures();
        let end = if own > HALF || other > HALF {
            EndReason::Majority
        } else if legal == 0 {
            self.rules.end_without_move(self.is_last(ply))
        } else if quiet >= SHORTEST_CYCLE && self.rules.repetition.is_some() {
            let rule = self.rules.repetition?;
            match self.repeats(rule, board, ply, quiet) {
                true => EndReason::Repetition(rule.sharing),
                false => self.last_ply(ply)?,
            }
        } else {
            self.last_ply(ply)?
        };
        let [own, other] = self.rules.shares(end, board);
        let win = WIN - ply as i32;
        Some(match own.cmp(&other) {
            Ordering::Less => -win,
            Ordering::Equal => 0,
            Ordering::Greater => win,
        })
    }

    #[inline]
    fn last_ply(&self, ply: usize) -> Option<EndReason> {
        self.is_last(ply).then_some(EndReason::MaxPlies)
    }

    #[inline]
    fn is_last(&self, ply: usize) -> bool {
        self.rules.max_plies.is_some_and(|most| self.root_ply + ply as u32 >= most)
    }

    /// Returns whether a board that comes `quiet` plies after the last capture was there often
    /// enough to end the game.
    fn repeats(&self, rule: Repetition, board: Board, ply: usize, quiet: usize) -> bool {
        let here = self.root + ply;
        let earlier = (SHORTEST_CYCLE..=quiet.min(here)).step_by(2);
        let occurrences = 1 + earlier.filter(|back| self.path[here - back] == board).count();
        occurrences >= rule.occurrence.into()
    }

    /// Returns the seeds that both sides have by force, captures included, if the tables know the
    /// board and it has fewer seeds than the root.
    #[inline]
    fn forced(&self, board: Board, ply: usize) -> Option<[u8; 2]> {
        let tables = self.means.endgame?;
        let [own, other] = board.captures();
        if own + other == self.captured || SEEDS - own - other >= tables.layers() as u8 {
            return None;
        }
        if !believes_tables(&self.rules, self.root_ply + ply as u32) {
            return None;
        }
        let bounds = tables.look(board)?;
        Some([own + bounds.mover, other + bounds.other])
    }

    /// Returns the key of a board. Near the limit of plies it depends on the plies left.
    #[inline]
    fn key(&self, board: Board, ply: usize) -> u64 {
        let left = self
            .rules
            .max_plies
            .map_or(u32::MAX, |most| most.saturating_sub(self.root_ply + ply as u32));
        match left < 40 {
            true => key(board) ^ u64::from(left + 1) << 48,
            false => key(board),
        }
    }
}

/// Returns the value of an entry, if it is deep enough and suffices within (`alpha`, `beta`).
#[inline]
fn cutoff(entry: Entry, node: &Node, alpha: i32, beta: i32) -> Option<i32> {
    let value = from_table(entry.value, node.ply);
    Entry { value, ..entry }.cutoff(node.depth as u32, alpha, beta)
}

/// Returns a value from the view of the root, for a distance stored from the node.
#[inline]
fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        LEAST_WIN.. => value - ply as i32,
        _ if value <= -LEAST_WIN => value + ply as i32,
        _ => value,
    }
}

/// Returns a value with its distance counted from the node.
#[inline]
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        LEAST_WIN.. => value + ply as i32,
        _ if value <= -LEAST_WIN => value - ply as i32,
        _ => value,
    }
}

/// Returns the key of a board.
#[inline]
pub fn key(board: Board) -> u64 {
    let [own, other] = board.sides();
    // The constants are 2⁶⁴ divided by the golden ratio, and by the root of x⁴ = x + 1.
    let product =
        u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::commands::bench::positions;
    use arbitre_games::game::{Game, Seat, State};
    use arbitre_games::games::awele::{Awele, Opening, PlyLimit, CODINGAME, PITS};
    use arbitre_games::rng::Rng;

    fn find(position: &Position, threads: usize, budget: Budget) -> SearchResult<Pit> {
        let table = &Table::new(Table::ENTRIES_IN_A_MEGABYTE);
        let evaluation = &Evaluation::Terms;
        let means = SearchMeans { evaluation, table, endgame: None, threads };
        search(position, position.legal_mask(), &means, budget, None)
    }

    /// Winner of a game with the best play, for the player to move, by the rules of the referee.
    /// `None` if more than `left` positions are needed.
    fn winner(position: &Position, left: &mut u32) -> Option<i32> {
        *left = left.checked_sub(1)?;
        if let Some(end) = position.end() {
            let [own, other] = position.rules().shares(end, position.board());
            return Some(own.cmp(&other) as i32);
        }
        let mut best = -1;
        for pit in position.moves(position.mover()) {
            if best == 1 {
                break;
            }
            let mut next = position.clone();
            next.play_unchecked(position.mover(), pit);
            best = best.max(-winner(&next, left)?);
        }
        Some(best)
    }

    /// Positions near the end of games, with all kinds of ends.
    #[test]
    fn finished_searches_find_the_winner() {
        let rules = [
            "codingame",
            "abapa",
            "awari",
            "abapa max-plies=60",
            "repetition=first:draw no-move=mover-all max-plies=none",
            "repetition=third:split grand-slam=take max-plies=none",
        ];
        let mut seen = [0; 3];
        for rules in rules {
            let game = Awele::new(Rules::parse(rules).unwrap());
            for seed in 0..60 {
                let (mut rng, mut position) =
                    (Rng::new(seed), game.start(&Opening::default()).unwrap());
                let mut late = position.clone();
                while position.end().is_none() {
                    if position.board().totals().iter().sum::<u8>() < 8 || position.ply() == 54 {
                        late = position.clone();
                        if rng.below(4) == 0 {
                            break;
                        }
                    }
                    let moves = position.moves(position.mover());
                    position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
                }
                let Some(expected) = winner(&late, &mut 30_000) else { continue };
                if late.end().is_some() {
                    continue;
                }
                let found = find(&late, 1, Budget::depth(60));
                let sign = if found.value.abs() >= LEAST_WIN { found.value.signum() } else { 0 };
                if found.value == 0 || sign != 0 {
                    assert_eq!(sign, expected, "{rules}: {late:?}");
                    seen[(sign + 1) as usize] += 1;
                }
            }
        }
        assert!(seen[0] > 10 && seen[1] > 1 && seen[2] > 10, "{seen:?}");
    }

    #[test]
    fn merits_stay_bounded() {
        let position = positions().next().unwrap();
        let (table, evaluation) = (&Table::new(0), &Evaluation::Terms);
        let means = SearchMeans { evaluation, table, endgame: None, threads: 1 };
        let mut worker = Worker::new(&position, &means, &Arc::default(), Budget::default());
        for number in 0..2_000 {
            let pit = Pit::new(usize::from(number >= 1_000)).unwrap();
            worker.reward(position.board(), pit, 0b11 ^ 1 << pit.index(), MAX_PLY as i32);
            let merits = worker.history.as_flattened();
            assert!(merits.iter().all(|merit| merit.abs() <= 1 << 14));
        }
        assert!(worker.history[1][4] > 1 << 13, "the last thousand count");
    }

    /// The limit of plies ends all lines, whatever the depth.
    #[test]
    fn searches_end_at_the_last_ply() {
        let game = Awele::new(Rules::parse("max-plies=40").unwrap());
        let mut decided = 0;
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut position = game.start(&Opening::default()).unwrap();
            while position.end().is_none() {
                if position.ply() >= 36 {
                    let expected = winner(&position, &mut 30_000).unwrap();
                    let found = find(&position, 1, Budget::depth(20)).value;
                    assert_eq!(found.signum(), expected, "{position:?}");
                    decided += i32::from(found.abs() >= LEAST_WIN);
                }
                let moves = position.moves(position.mover());
                position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
            }
        }
        assert!(decided > 50, "{decided}");
    }

    /// Few seeds and few plies, so that the last ply often leaves no legal move.
    #[test]
    fn searches_know_which_end_counts_at_the_last_ply() {
        let (mut rng, mut differing) = (Rng::new(54), 0);
        for _ in 0..2_000 {
            let mut pits = [0; PITS];
            (0..5).for_each(|_| pits[rng.below(PITS)] += 1);
            let own = 19 + rng.below(6) as u8;
            let board = Board::new(pits, [own, SEEDS - 5 - own]);
            let max_plies = Some(1 + rng.below(5) as u32);
            let winners = [PlyLimit::AfterMoves, PlyLimit::BeforeMoves].map(|limit| {
                let rules = Rules { max_plies, limit, ..CODINGAME };
                let position = Position::new(rules, board, Seat::FIRST);
                if position.end().is_some() {
                    return None;
                }
                let expected = winner(&position, &mut 30_000).unwrap();
                let found = find(&position, 1, Budget::depth(8)).value;
                assert_eq!(found.signum(), expected, "{position:?}");
                Some(expected)
            });
            differing += usize::from(winners[0] != winners[1]);
        }
        assert!(differing > 10, "{differing}");
    }

    #[test]
    fn searches_repeat_and_stay_within_their_nodes() {
        for position in positions() {
            let found = find(&position, 1, Budget::nodes(3000));
            assert!(found.nodes <= 3001 && position.is_legal(found.best));
            assert_eq!(found, find(&position, 1, Budget::nodes(3000)));
            assert!(!found.line.is_empty() && found.line[0] == found.best, "{found:?}");
        }
    }

    /// The principal variation can be played.
    #[test]
    fn lines_are_legal() {
        for position in positions() {
            let mut line = position.clone();
            for pit in find(&position, 1, Budget::depth(9)).line {
                line.play(line.mover(), pit).unwrap();
            }
        }
    }

    #[test]
    fn threads_stop_together() {
        for position in positions() {
            let found = find(&position, 3, Budget::depth(8));
            assert!(position.is_legal(found.best) && found.depth <= 8);
            let alone = find(&position, 1, Budget::depth(8));
            assert!(found.nodes >= alone.nodes / 8, "{} and {}", found.nodes, alone.nodes);
        }
    }

    #[test]
    fn random_boards_have_different_keys() {
        let mut rng = Rng::new(1);
        let mut boards = std::collections::HashMap::new();
        for _ in 0..200_000 {
            let mut pits = [0; 12];
            let mut captures = [0; 2];
            for _ in 0..48 {
                match rng.below(14) {
                    pit @ 0..12 => pits[pit] += 1,
                    side => captures[side - 12] += 1,
                }
            }
            let board = Board::new(pits, captures);
            assert_eq!(*boards.entry(key(board)).or_insert(board), board);
        }
    }
}
