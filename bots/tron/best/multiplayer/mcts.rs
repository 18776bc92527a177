//! The search after the opening: a tree of what everybody may do next, over
//! [playouts](super::rollout).
//!
//! It grows by upper confidence bounds (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006) in
//! the form for many players: at each node who is to move goes where it has fared best so far, or where it
//! has tried less than what is likely, and everybody is after his own good alone (Sturtevant, "An analysis of
//! UCT in multi-player games", 2008). What is likely beforehand tells [`move_prior`](super::move_prior); the bound is
//! that of Silver et al., "Mastering the game of Go without human knowledge", 2017, after Rosin, "Multi-armed
//! bandits with episode context", 2011.

use super::move_prior::{after_a_step, after_opponent_search, after_two_rounds, MissRate};
use super::neighbours::directions;
use super::opponent_search::cells_within;
use super::rollout::{Rollout, RolloutPolicy};
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use arbitre_games::search::budget::{Budget, Limiter};

/// What being first, a better place, and lasting longer than the others count for; 1 is all there is.
const FIRST: f32 = 0.6;
/// See [`FIRST`].
const PLACES: f32 = 0.3;
/// See [`FIRST`].
const LEAD: f32 = 0.1;
/// So many plies more than the longest of the others are the most that count.
const LONGEST_LEAD: f32 = 100.0;
/// How much a way of one's own that was tried less than what is likely is worth more.
const EXPLORATION: f32 = 0.5;
/// The same of the others: what they are likely to do counts for more than what would be good for them.
const OTHERS_EXPLORATION: f32 = 3.0;
/// A node has children from its second visit on.
const RIPE: u32 = 2;
/// With so many visits it is worth knowing better what the others will do there.
const OFTEN: u32 = 10;
/// Others are looked ahead for until so much of the time is spent, as a share of 1: that may take a while.
const FORETELLING_TIME: f64 = 0.9;
/// The tree has no more nodes.
const MOST_NODES: usize = 1 << 20;
/// Nor is it deeper.
const DEEPEST: usize = 128;

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct MctsResult {
    /// The best way: the one that was tried most.
    pub best: Direction,
    /// What came of it on average, from 0 to 1.
    pub prospect: f32,
    /// How many games were played to their end.
    pub rollouts: u64,
    /// How many positions were looked at in them.
    pub nodes: u64,
}

/// A move that somebody may make.
#[derive(Clone, Copy)]
struct MctsNode {
    to: Cell,
    /// Where the moves after it are, and how many; none until the node is ripe.
    first: u32,
    count: u8,
    /// Has a sweep told how likely those are?
    is_foretold: bool,
    /// How likely it is before it was tried.
    likely: f32,
    visits: u32,
    /// What came of it for who made it, all together.
    sum: f32,
}

impl MctsNode {
    fn new(to: Cell, likely: f32) -> MctsNode {
        MctsNode { to, first: 0, count: 0, is_foretold: false, likely, visits: 0, sum: 0.0 }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// The upper bound of what can be expected of it, where it and its siblings were tried so often, and what
    /// came of them on average is this.
    fn bound(&self, tried: u32, average: f32, exploration: f32) -> f32 {
        let mean = if self.visits == 0 { average } else { self.sum / self.visits as f32 };
        let share = ((1 + tried) as f32).sqrt() / (1 + self.visits) as f32;
        mean + exploration * self.likely * share
    }
}

/// The tree, of which the part that is still ahead is kept from search to search.
#[derive(Default)]
pub struct Mcts {
    nodes: Vec<MctsNode>,
    /// The memory of the tree of the search before.
    spare: Vec<MctsNode>,
    /// How many cells were free where that began.
    free: Option<u32>,
    /// What a search may spend; others are taken to spend as much.
    budget: Budget,
    /// By seat, how well it was foretold in this game.
    miss_rates: [MissRate; MOST_SEATS],
}

impl Mcts {
    /// Forgets what it knows of a game.
    pub fn clear(&mut self) {
        (self.free, self.miss_rates) = Default::default();
    }

    /// Searches for seat 0, at a turn of the game of the searches before. A node is a position whose
    /// zones were looked at, or a game without any.
    ///
    /// # Panics
    /// If it has nowhere to go, or nobody else is in the game.
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
        let best = self.nodes[best.expect("who searches has somewhere to go")];
        let mut ways = position.ways(0);
        let (direction, _) = ways.find(|&(_, to)| to == best.to).expect("a child is a way");
        let prospect = best.sum / best.visits as f32;
        MctsResult { best: direction, prospect, rollouts, nodes: limiter.nodes() }
    }

    /// Begins with what is known of this position, or with nothing.
    fn plant<P: Bitboard>(&mut self, position: &MultiplayerPosition<P>) {
        let before = self.free.replace(position.free.count());
        let known = before.and_then(|free| self.after_a_round(free, position));
        std::mem::swap(&mut self.nodes, &mut self.spare);
        self.nodes.clear();
        self.nodes.push(known.map_or(MctsNode::new(position.heads[0], 1.0), |at| self.spare[at]));
        let mut next = 0;
        while next < self.nodes.len() {
            let children = self.nodes[next].children();
            self.nodes[next].first = self.nodes.len() as u32;
            self.nodes.extend_from_slice(&self.spare[children]);
            next += 1;
        }
    }

    /// The node to which everybody's move led from where the search before began, with so many cells free; it
    /// takes note of who had been foretold. There is none where somebody has gone, whose walls are free again.
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

    /// Down to a leaf. Returns the game as it is there, and the nodes on the way with their movers.
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
        let beside = rollout.position.heads[rollout.seat].beside();
        let likely = likelihoods(rollout, ways, policy);
        let first = self.nodes.len();
        let children = directions(ways).zip(likely);
        self.nodes
            .extend(children.map(|(direction, likely)| MctsNode::new(beside[direction], likely)));
        let count = (self.nodes.len() - first) as u8;
        let node = &mut self.nodes[at];
        (node.first, node.count) = (first as u32, count);
    }

    /// Once more, and better, how likely the children are.
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

    /// The child to go on with, where it is this seat's turn: that with the highest bound.
    fn choose(&self, at: usize, seat: usize) -> usize {
        let exploration = if seat == 0 { EXPLORATION } else { OTHERS_EXPLORATION };
        let children = self.nodes[at].children();
        let add = |(tried, sum), node: &MctsNode| (tried + node.visits, sum + node.sum);
        let (tried, sum) = self.nodes[children.clone()].iter().fold((0, 0.0), add);
        let average = sum / tried.max(1) as f32;
        let bound = |child: usize| self.nodes[child].bound(tried, average, exploration);
        let best = children.max_by(|&one, &two| bound(one).total_cmp(&bound(two)));
        best.expect("who is to move has somewhere to go")
    }

    fn learn(&mut self, path: &[(usize, usize)], rewards: &[f32; MOST_SEATS]) {
        self.nodes[0].visits += 1;
        for &(at, seat) in path {
            self.nodes[at].visits += 1;
            self.nodes[at].sum += rewards[seat];
        }
    }
}

/// Does who is to move look ahead before he chooses? Others do where somebody can come to them.
fn looks_ahead<P: SimdBitboard>(rollout: &Rollout<P>, ways: u8) -> bool {
    rollout.seat != 0 && ways.count_ones() > 1 && rollout.position.can_be_met(rollout.seat)
}

/// How likely who is to move takes each of his ways, as far as is to be seen soon.
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

/// What a game that is over is worth to each of those who were `present`, a mask, from 0 to 1.
fn rewards<P: Bitboard>(rollout: &Rollout<P>, present: u8) -> [f32; MOST_SEATS] {
    let seats = || (0..MOST_SEATS).filter(|seat| present >> seat & 1 != 0);
    // Who is left goes out after all others.
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
