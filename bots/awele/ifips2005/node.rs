//! A node of the search: the board's 16 bytes and a number of plies. A [`SearchContext`] has what
//! is common to all nodes.

use super::heuristic::Heuristic;
use crate::awele::best::search::{believes_tables, WIN, WON_BY_TABLE};
use crate::awele::endgame::EndgameTables;
use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, EndReason, Pit, Position, Rules, HALF, SEEDS};
use arbitre_games::search::alpha_beta;
use std::cmp::{Ordering, Reverse};
use std::ops::ControlFlow;

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchGoal {
    /// Evaluation at the horizon.
    pub heuristic: Heuristic,
    /// Number of captured seeds, at least 24, beyond which a line ends. With 24 it ends where the
    /// rules end the game; with more, the search continues after a win.
    pub threshold: u8,
    /// Whether a win is better the larger its margin, in place of the nearer it is.
    pub maximise: bool,
}

impl Default for SearchGoal {
    fn default() -> SearchGoal {
        SearchGoal { heuristic: Heuristic::default(), threshold: HALF, maximise: false }
    }
}

impl SearchGoal {
    /// Returns the goal of the options. Without a threshold, `--maximise on` searches to the end.
    ///
    /// # Errors
    /// Returns an error if the heuristic is unknown, or the value of an option is invalid.
    pub fn take(options: &mut Options) -> Result<SearchGoal, ParseError> {
        let heuristic = Heuristic::take(options)?.unwrap_or_default();
        let maximise = options.take_switch("--maximise")?;
        let threshold = options.take_text("--threshold")?;
        let threshold = threshold.map(|text| SearchGoal::parse_threshold(&text)).transpose()?;
        let threshold = threshold.unwrap_or(if maximise { SEEDS } else { HALF });
        Ok(SearchGoal { heuristic, threshold, maximise })
    }

    /// Returns `true` if endgame tables fit the goal. They give the winner under their rules, and
    /// no more.
    pub fn is_told_by_tables(&self, rules: &Rules) -> bool {
        EndgameTables::fit(rules) && self.threshold == HALF && !self.maximise
    }

    /// Parses a threshold.
    ///
    /// # Errors
    /// Returns an error if it is invalid.
    pub fn parse_threshold(text: &str) -> Result<u8, ParseError> {
        let expected = || {
            ParseError::new(format!(
                "--threshold: expected a number from {HALF} to {SEEDS}, got '{text}'"
            ))
        };
        let number = text.parse().ok().filter(|number| (HALF..=SEEDS).contains(number));
        number.ok_or_else(expected)
    }
}

/// Data common to all nodes of a search.
#[derive(Clone)]
pub struct SearchContext<'a> {
    /// The rules of the game. Repetition is left to the referee: a position's value would depend
    /// on the way to it.
    rules: Rules,
    /// The goal of the search.
    goal: SearchGoal,
    /// The endgame tables, if they hold for these rules and this goal.
    tables: Option<&'a EndgameTables>,
    /// The seeds captured at the root. Nothing is decided by the tables before the next capture:
    /// who only kept a won position would never have to win it, and positions that come back may
    /// have been there before.
    captured: u8,
    /// The plies played at the root, and the moves that may be chosen there: those that keep a win
    /// that the tables know, or else those after which they know none of the other's.
    root: (u32, u8),
}

impl<'a> SearchContext<'a> {
    /// Creates the context of a search from `position`.
    pub fn new(
        position: &Position,
        goal: SearchGoal,
        tables: Option<&'a EndgameTables>,
    ) -> SearchContext<'a> {
        let rules = *position.rules();
        let told = goal.is_told_by_tables(&rules);
        let board = position.board();
        let captured = board.captures().iter().sum();
        let root = (position.ply(), board.legal(rules.grand_slam));
        let mut context =
            SearchContext { rules, goal, tables: tables.filter(|_| told), captured, root };
        context.root.1 = context.best_by_table(board, root);
        context
    }

    /// What both sides get at least by the tables, captures included, the mover first.
    #[inline]
    fn bounds(&self, board: Board) -> Option<[u8; 2]> {
        let [own, other] = board.captures();
        let bounds = self.tables?.look(board)?;
        Some([own + bounds.mover, other + bounds.other])
    }

    /// The moves of a mask of which the tables think most, if they know the boards after them.
    fn best_by_table(&self, board: Board, (ply, moves): (u32, u8)) -> u8 {
        let value = |pit| match self.bounds(board.after(pit, self.rules.grand_slam)) {
            Some([_, own]) if own > HALF => 2,
            Some([other, _]) if other > HALF => 0,
            _ => 1,
        };
        let best = Pit::of_mask(moves).map(value).max();
        let best = best.filter(|_| self.tables.is_some() && believes_tables(&self.rules, ply));
        let of_best = |pit: &Pit| best.is_none_or(|best| value(*pit) == best);
        Pit::of_mask(moves).filter(of_best).fold(0, |mask, pit| mask | 1 << pit.index())
    }
}

/// A node of the search.
#[derive(Clone, Copy)]
pub struct AweleNode<'a> {
    board: Board,
    /// Plies since the start of the game.
    ply: u32,
    context: &'a SearchContext<'a>,
}

/// Value of a seed of the margin under `maximise`, which outweighs all plies together.
const SEED_OF_MARGIN: i32 = WIN;

/// Returns the value of a win by the tables at this ply.
pub fn won_by_table(ply: u32) -> i32 {
    WON_BY_TABLE - ply.min(1_000) as i32
}

impl<'a> AweleNode<'a> {
    /// Creates the root of a search.
    pub fn new(position: &Position, context: &'a SearchContext<'a>) -> AweleNode<'a> {
        AweleNode { board: position.board(), ply: position.ply(), context }
    }

    fn legal(&self) -> u8 {
        self.board.legal(self.context.rules.grand_slam)
    }

    fn end(&self) -> Option<EndReason> {
        let rules = &self.context.rules;
        let is_last = rules.max_plies.is_some_and(|plies| self.ply >= plies);
        if self.board.captures().iter().any(|&seeds| seeds > self.context.goal.threshold) {
            Some(EndReason::Majority)
        } else if self.legal() == 0 {
            Some(rules.end_without_move(is_last))
        } else {
            is_last.then_some(EndReason::MaxPlies)
        }
    }

    /// The value of a game whose winner the tables know.
    #[inline]
    fn decided_by_table(&self) -> Option<i32> {
        let captured: u8 = self.board.captures().iter().sum();
        if captured == self.context.captured || !believes_tables(&self.context.rules, self.ply) {
            return None;
        }
        let bounds = self.context.bounds(self.board)?;
        let won = won_by_table(self.ply);
        match bounds {
            [own, _] if own > HALF => Some(won),
            [_, other] if other > HALF => Some(-won),
            [HALF, HALF] => Some(0),
            _ => None,
        }
    }

    /// The value of a game that ends here with these seeds.
    fn value(&self, [own, other]: [u8; 2]) -> i32 {
        let margin = i32::from(own.abs_diff(other)) * i32::from(self.context.goal.maximise);
        let win = WIN - self.ply.min(WIN as u32 / 2) as i32 + SEED_OF_MARGIN * margin;
        match own.cmp(&other) {
            Ordering::Less => -win,
            Ordering::Equal => 0,
            Ordering::Greater => win,
        }
    }
}

impl alpha_beta::SearchPosition for AweleNode<'_> {
    type Move = Pit;

    #[inline]
    fn terminal_value(&self) -> Option<i32> {
        let end = self.end().map(|end| self.value(self.context.rules.shares(end, self.board)));
        end.or_else(|| self.decided_by_table())
    }

    /// A won game is a won game at the horizon too, where the threshold lies beyond it.
    #[inline]
    fn evaluate(&self) -> i32 {
        let captures = self.board.captures();
        if captures.iter().any(|&seeds| seeds > HALF) {
            return self.value(captures);
        }
        match self.context.bounds(self.board) {
            Some([own, other]) => i32::from(own) - i32::from(other),
            None => self.context.goal.heuristic.judge(self.board, || self.legal()),
        }
    }

    /// Captures come first, the largest before the others.
    #[inline]
    fn for_each_child(&self, mut found: impl FnMut(Pit, Self) -> ControlFlow<()>) {
        let rule = self.context.rules.grand_slam;
        let mut children = [(0, Pit::FIRST, self.board); 6];
        let mut count = 0;
        let (root, allowed) = self.context.root;
        let moves = if self.ply == root { allowed } else { self.legal() };
        for pit in Pit::of_mask(moves) {
            let board = self.board.after(pit, rule);
            children[count] = (board.captures()[1], pit, board);
            count += 1;
        }
        children[..count].sort_by_key(|&(captured, ..)| Reverse(captured));
        let _ = children[..count].iter().try_for_each(|&(_, pit, board)| {
            found(pit, AweleNode { board, ply: self.ply + 1, context: self.context })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::commands::bench::positions;
    use crate::awele::ifips2005::search;
    use arbitre_games::game::{Game, Seat, State};
    use arbitre_games::games::awele::{Awele, Opening, CODINGAME};
    use arbitre_games::rng::Rng;
    use arbitre_games::search::alpha_beta::SearchPosition as _;
    use arbitre_games::search::budget::Budget;
    use arbitre_games::search::deepening::SearchResult;

    /// Rules that end in every way but by repetition, which a node does not know.
    const RULES: [&str; 7] = [
        "codingame",
        "max-plies=40",
        "max-plies=40 limit=after-moves",
        "max-plies=40 sweep=yes",
        "grand-slam=illegal no-move=mover-all max-plies=400",
        "grand-slam=illegal-unless-only no-move=opponent-all max-plies=400 sweep=yes",
        "grand-slam=take max-plies=400",
    ];

    /// What the slow twin says: a position of the game that the referee plays.
    fn agree(position: &Position, context: &SearchContext) {
        let node = AweleNode::new(position, context);
        let seeds = position.end().map(|end| position.rules().shares(end, position.board()));
        let sign = seeds.map(|[own, other]| own.cmp(&other) as i32);
        assert_eq!(node.terminal_value().map(i32::signum), sign, "{position:?}");
        let mut children = Vec::new();
        node.for_each_child(|pit, child| {
            children.push((pit, child));
            ControlFlow::Continue(())
        });
        assert!(children.is_sorted_by_key(|(_, child)| Reverse(child.board.captures()[1])));
        children.sort_by_key(|(pit, _)| *pit);
        let moves = position.moves(position.mover());
        if sign.is_none() {
            assert!(children.iter().map(|(pit, _)| *pit).eq(moves), "{position:?}");
        }
        for (pit, child) in children.into_iter().filter(|_| sign.is_none()) {
            let mut next = position.clone();
            next.play(position.mover(), pit).unwrap();
            assert_eq!((child.board, child.ply), (next.board(), next.ply()));
        }
    }

    #[test]
    fn a_node_is_what_the_referee_plays() {
        let mut ends = 0;
        for (rules, seed) in RULES.into_iter().zip(0..) {
            let game = Awele::new(Rules::parse(rules).unwrap());
            let start = game.start(&Opening::default()).unwrap();
            let context = SearchContext::new(&start, SearchGoal::default(), None);
            let mut rng = Rng::new(seed);
            for _ in 0..60 {
                let mut position = start.clone();
                agree(&position, &context);
                while position.end().is_none() {
                    let moves = position.moves(position.mover());
                    position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
                    agree(&position, &context);
                }
                ends += 1;
            }
        }
        assert_eq!(ends, 420);
    }

    /// Searches all positions of the bench for this goal, five plies deep.
    fn findings(threshold: u8, maximise: bool) -> Vec<SearchResult<Pit>> {
        let goal = SearchGoal { heuristic: Heuristic::Captures, threshold, maximise };
        let find = |position: Position| search(goal, None, &position, Budget::depth(5));
        positions().map(find).collect()
    }

    /// Where no line gets beyond 24, neither the threshold nor what a margin is worth matters, to
    /// the node; where one does, a search that ends there sees less.
    #[test]
    fn the_threshold_matters_only_beyond_a_won_game() {
        let usual = findings(HALF, false);
        let others = [(HALF, true), (30, false), (SEEDS, false), (SEEDS, true)]
            .map(|(threshold, maximise)| findings(threshold, maximise));
        let mut decided = 0;
        for (at, position) in positions().enumerate() {
            // Each of the mover's turns can take no more than a full walk back does.
            let quiet = position.board().captures().iter().all(|&seeds| seeds < 7);
            let won = usual[at].value.abs() > WIN / 2;
            decided += usize::from(won);
            for other in &others {
                assert_eq!(won, other[at].value.abs() > WIN / 2, "{position:?}");
                if quiet {
                    assert_eq!(usual[at], other[at], "{position:?}");
                }
            }
        }
        let nodes =
            |findings: &[SearchResult<Pit>]| findings.iter().map(|one| one.nodes).sum::<u64>();
        assert!(decided > 0, "no position was decided");
        assert!(nodes(&others[2]) > nodes(&usual), "the cut saved nothing");
    }

    /// By hand: after pit 0 the opponent's only move captures 3 of the 5 seeds and leaves us the
    /// others, 24 to 23 in the end; after pit 1 it captures nothing and all are ours, 27 to 20.
    /// Both are won after two plies, so only a search that maximises tells them apart.
    #[test]
    fn maximising_takes_the_larger_win() {
        let board = Board::new([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2], [22, 20]);
        let position = Position::new(CODINGAME, board, Seat::FIRST);
        let find = |maximise| {
            let goal = SearchGoal { maximise, heuristic: Heuristic::Captures, threshold: HALF };
            let found = search(goal, None, &position, Budget::depth(7));
            (found.best.index(), found.value)
        };
        assert_eq!(find(false), (0, WIN - 2));
        assert_eq!(find(true), (1, WIN - 2 + 7 * SEED_OF_MARGIN));
    }
}
