//! MCTS for several players: a tree over [rollouts](super::rollout).
//!
//! * Children are selected by upper confidence bounds (Kocsis and Szepesvári, "Bandit based
//!   Monte-Carlo planning", 2006).
//! * Each player maximises its own reward, as in max^n (Sturtevant, "An analysis of UCT in
//!   multi-player games", 2008).
//! * The bound is PUCT with a [`move_prior`](super::move_prior) (Silver et al., "Mastering the game
//!   of Go without human knowledge", 2017). It goes back to Rosin, "Multi-armed bandits with
//!   episode context", 2011.

use super::move_prior::{after_a_step, after_opponent_search, after_two_rounds, MissRate};
use super::neighbours::directions;
use super::opponent_search::cells_within;
use super::rollout::{Rollout, RolloutPolicy};
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use arbitre_games::search::budget::{Budget, Limiter};

/// Reward for first place; all three rewards add up to 1. First place as the only reward was not
/// kept: 40.0 % first of 120 games (M10, 2026-11-22, bots/tron/diary.md).
const FIRST: f32 = 0.6;
/// Reward for places below first, in proportion to the players outlasted. See [`FIRST`].
const PLACES: f32 = 0.3;
/// Reward for the lead in plies over the longest-lived of the others. See [`FIRST`].
const LEAD: f32 = 0.1;
/// Largest lead over the longest-lived of the others that counts, in plies. Not tuned.
const LONGEST_LEAD: f32 = 100.0;
/// PUCT exploration constant at the searching player's nodes. V260-400 from 0.343: 0.2, 0.5, 1.5
/// gained 0.010, 0.047, 0.027 (2026-11-23, bots/tron/diary.md).
const EXPLORATION: f32 = 0.5;
/// PUCT exploration constant at the others' nodes, where likely moves count for more than good
/// ones. V260-3000 from 0.397: 1, 3, 30 gained 0.010, 0.039, 0.002 (2026-11-23,
/// bots/tron/diary.md).
const OTHERS_EXPLORATION: f32 = 3.0;
/// Number of visits from which a node is expanded. Not tuned.
const RIPE: u32 = 2;
/// Number of visits at which another player's node gets the prior of an opponent search. With that
/// and the tree kept, V260-3000 rose from 0.451 to 0.610 (2026-11-23, bots/tron/diary.md).
const OFTEN: u32 = 10;
/// Share of the time after which no opponent search starts, as one may take long. With 0.95 and
/// another evaluation limit, three moves of one game took up to 102 ms (2026-11-23,
/// bots/tron/diary.md).
const FORETELLING_TIME: f64 = 0.9;
/// Largest number of nodes of the tree. Not tuned.
const MOST_NODES: usize = 1 << 20;
/// Largest depth of the tree, in moves. Not tuned.
const DEEPEST: usize = 128;

/// Result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct MctsResult {
    /// Best move, the one with the most visits.
    pub best: Direction,
    /// Mean reward of that move, from 0 to 1.
    pub reward: f32,
    /// Number of rollouts.
    pub rollouts: u64,
    /// Number of nodes: region evaluations and rollouts.
    pub nodes: u64,
}

/// A node of the tree: a move of the seat to move.
#[derive(Clone, Copy)]
struct MctsNode {
    to: Cell,
    /// Index of the first child; there are `count` children, none before the node is expanded.
    first: u32,
    count: u8,
    /// Whether the children's priors come from an opponent search.
    is_foretold: bool,
    /// Prior probability of the move.
    likely: f32,
    visits: u32,
    /// Sum of the mover's rewards.
    sum: f32,
}

impl MctsNode {
    fn new(to: Cell, likely: f32) -> MctsNode {
        MctsNode { to, first: 0, count: 0, is_foretold: false, likely, visits: 0, sum: 0.0 }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// Returns the PUCT bound, where the node and its siblings have `tried` visits and the mean
    /// reward `average`.
    fn bound(&self, tried: u32, average: f32, exploration: f32) -> f32 {
        let mean = if self.visits == 0 { average } else { self.sum / self.visits as f32 };
        let share = ((1 + tried) as f32).sqrt() / (1 + self.visits) as f32;
        mean + exploration * self.likely * share
    }
}

/// MCTS, which keeps the subtree still ahead from search to search.
#[derive(Default)]
pub struct Mcts {
    nodes: Vec<MctsNode>,
    /// Nodes of the previous tree.
    spare: Vec<MctsNode>,
    /// Number of free cells at the root of the previous search.
    free: Option<u32>,
    /// Budget of the search; the others are assumed to have the same.
    budget: Budget,
    /// Miss rate of the opponent search for each seat in this game.
    miss_rates: [MissRate; MOST_SEATS],
}

impl Mcts {
    /// Forgets the current game.
    pub fn clear(&mut self) {
        (self.free, self.miss_rates) = Default::default();
    }

    /// Searches for seat 0 at a later turn of the same game. A node is a region evaluation or a
    /// rollout.
    ///
    /// # Panics
    /// Panics if seat 0 has no move, or no other player is in the game.
    pub fn search<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        budget: Budget,
    ) -> MctsResult {
        let mut limiter = Limiter::new(budget);
        let mut policy = RolloutPolicy::new(0x7EE);
        let present = position.alive;
        self.budget = budget;
        self.plant(position);
        let mut rollouts = 0;
        loop {
            let before = policy.looks;
            let (mut rollout, path) = self.descend(Rollout::new(position), &mut policy);
            policy.finish(&mut rollout);
            self.learn(&path, &rewards(&rollout, present));
            rollouts += 1;
            if limiter.spend(1 + policy.looks - before) {
                break;
            }
        }
        let best = self.nodes[0].children().max_by_key(|&child| self.nodes[child].visits);
        let best = self.nodes[best.expect("the searching player has a move")];
        let mut ways = position.ways(0);
        let (direction, _) = ways.find(|&(_, to)| to == best.to).expect("a child is a legal move");
        let reward = best.sum / best.visits as f32;
        MctsResult { best: direction, reward, rollouts, nodes: limiter.nodes() }
    }

    /// Starts with the known subtree of this position, or with an empty tree.
    fn plant<P: Bitboard>(&mut self, position: &MultiplayerPosition<P>) {
        let before = self.free.replace(position.free.count());
        let known = before.and_then(|free| self.after_a_round(free, position));
        std::mem::swap(&mut self.nodes, &mut self.spare);
        self.nodes.clear();
        self.nodes.push(known.map_or(MctsNode::new(position.heads[0], 1.0), |at| self.spare[at]));
        // Copies breadth first, so that siblings stay next to each other.
        let mut next = 0;
        while next < self.nodes.len() {
            let children = self.nodes[next].children();
            self.nodes[next].first = self.nodes.len() as u32;
            self.nodes.extend_from_slice(&self.spare[children]);
            next += 1;
        }
    }

    /// Returns the node reached by one move of every player since the previous root, which had
    /// `free` free cells. Updates the miss rates of predicted players. Returns `None` if the tree
    /// lacks the node, or a player was eliminated, whose trail is free again.
    fn after_a_round<P: Bitboard>(
        &mut self,
        free: u32,
        now: &MultiplayerPosition<P>,
    ) -> Option<usize> {
        if free != now.free.count() + now.alive.count_ones() {
            return None;
        }
        let mut at = 0;
        for seat in (0..MOST_SEATS).filter(|&seat| now.is_alive(seat)) {
            let mut children = self.nodes[at].children();
            let taken = children.find(|&child| self.nodes[child].to == now.heads[seat])?;
            if self.nodes[at].is_foretold {
                let mut others = self.nodes[self.nodes[at].children()].iter();
                let is_right = others.all(|other| other.likely <= self.nodes[taken].likely);
                self.miss_rates[seat].learn(is_right);
            }
            at = taken;
        }
        Some(at)
    }

    /// Descends to a leaf. Returns the game there, and the nodes on the path with their movers.
    fn descend<P: SimdBitboard>(
        &mut self,
        mut rollout: Rollout<P>,
        policy: &mut RolloutPolicy,
    ) -> (Rollout<P>, Vec<(usize, usize)>) {
        let (mut at, mut path) = (0, Vec::with_capacity(DEEPEST));
        while !rollout.is_over() {
            let ways = rollout.ways();
            if ways == 0 {
                rollout.leave();
                continue;
            }
            let MctsNode { count, visits, .. } = self.nodes[at];
            if count == 0 {
                let ripe = at == 0 || visits >= RIPE;
                if !ripe || path.len() == DEEPEST || self.nodes.len() + 4 > MOST_NODES {
                    break;
                }
                self.grow(at, &rollout, ways, policy);
            } else if visits == OFTEN {
                self.foretell(at, &rollout, ways, policy);
            }
            at = self.choose(at, rollout.seat);
            path.push((at, rollout.seat));
            rollout.go(self.nodes[at].to);
        }
        (rollout, path)
    }

    fn grow<P: SimdBitboard>(
        &mut self,
        at: usize,
        rollout: &Rollout<P>,
        ways: u8,
        policy: &mut RolloutPolicy,
    ) {
        let beside = rollout.position.heads[rollout.seat].neighbours();
        let likely = likelihoods(rollout, ways, policy);
        let first = self.nodes.len();
        let children = directions(ways).zip(likely);
        self.nodes
            .extend(children.map(|(direction, likely)| MctsNode::new(beside[direction], likely)));
        let count = (self.nodes.len() - first) as u8;
        let node = &mut self.nodes[at];
        (node.first, node.count) = (first as u32, count);
    }

    /// Replaces the children's priors by those of an opponent search.
    fn foretell<P: SimdBitboard>(
        &mut self,
        at: usize,
        rollout: &Rollout<P>,
        ways: u8,
        policy: &mut RolloutPolicy,
    ) {
        let spent = self.budget.time.map_or(0.0, |timer| timer.share_spent());
        if spent > FORETELLING_TIME || !looks_ahead(rollout, ways) {
            return;
        }
        let (position, seat) = (&rollout.position, rollout.seat);
        let cells = cells_within(&self.budget);
        let (likely, looks) =
            after_opponent_search(position, seat, ways, cells, self.miss_rates[seat]);
        policy.looks += looks;
        self.nodes[at].is_foretold = true;
        let children = self.nodes[at].children();
        for (child, likely) in self.nodes[children].iter_mut().zip(likely) {
            child.likely = likely;
        }
    }

    /// Returns the child with the highest bound for this seat.
    fn choose(&self, at: usize, seat: usize) -> usize {
        let exploration = if seat == 0 { EXPLORATION } else { OTHERS_EXPLORATION };
        let children = self.nodes[at].children();
        let add = |(tried, sum), node: &MctsNode| (tried + node.visits, sum + node.sum);
        let (tried, sum) = self.nodes[children.clone()].iter().fold((0, 0.0), add);
        let average = sum / tried.max(1) as f32;
        let bound = |child: usize| self.nodes[child].bound(tried, average, exploration);
        let best = children.max_by(|&one, &two| bound(one).total_cmp(&bound(two)));
        best.expect("the mover has a move")
    }

    fn learn(&mut self, path: &[(usize, usize)], rewards: &[f32; MOST_SEATS]) {
        self.nodes[0].visits += 1;
        for &(at, seat) in path {
            self.nodes[at].visits += 1;
            self.nodes[at].sum += rewards[seat];
        }
    }
}

/// Returns `true` if the mover is assumed to search: an opponent with a choice and in contact.
fn looks_ahead<P: SimdBitboard>(rollout: &Rollout<P>, ways: u8) -> bool {
    rollout.seat != 0 && ways.count_ones() > 1 && rollout.position.can_be_met(rollout.seat)
}

/// Returns the mover's move priors from a step or a lookahead.
fn likelihoods<P: SimdBitboard>(
    rollout: &Rollout<P>,
    ways: u8,
    policy: &mut RolloutPolicy,
) -> [f32; 4] {
    let (position, seat) = (&rollout.position, rollout.seat);
    if !looks_ahead(rollout, ways) {
        policy.looks += u64::from(ways.count_ones());
        return after_a_step(position, seat, ways);
    }
    let (likely, looks) = after_two_rounds(position, seat, ways);
    policy.looks += looks;
    likely
}

/// Returns the rewards of a finished game for each player of the mask `present`, from 0 to 1.
fn rewards<P: Bitboard>(rollout: &Rollout<P>, present: u8) -> [f32; MOST_SEATS] {
    let seats = || (0..MOST_SEATS).filter(|seat| present >> seat & 1 != 0);
    // The last player left counts as eliminated after all others.
    let out =
        |seat: usize| if rollout.out[seat] == 0 { rollout.ply + 1 } else { rollout.out[seat] };
    let places = (seats().count() - 1) as f32;
    let mut rewards = [0.0; MOST_SEATS];
    for seat in seats() {
        let others = || seats().filter(|&other| other != seat).map(out);
        let outlasted = others().filter(|&other| other < out(seat)).count() as f32;
        let longest = others().max().expect("a game has several players");
        let lead = (out(seat) as f32 - longest as f32) / LONGEST_LEAD;
        rewards[seat] = FIRST * f32::from(outlasted == places)
            + PLACES * outlasted / places
            + LEAD * (1.0 + lead.clamp(-1.0, 1.0)) / 2.0;
    }
    rewards
}

#[cfg(test)]
mod tests;
