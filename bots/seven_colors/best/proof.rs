//! Depth-first proof-number search (df-pn: A. Nagai, 2002).
//!
//! A [`ProofGoal`] asks whether one player, the *attacker*, gets at least a given result. Where the
//! attacker is to move, φ is the proof number of the node and δ its disproof number. Elsewhere they
//! swap.
//!
//! φ is the least δ of the children. δ is the largest φ of the children plus the number of other
//! open ones (weak proof-number search), as a sum counts transpositions repeatedly.
//!
//! The graph has no cycles: a move gains cells, or brings a stall nearer.

use super::bitboard_position::{BitboardNode, BoardContext, ColourMove, MOVER, OTHER};
use super::simd::SimdBitboard;
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// Infinite number: the proof, or the disproof, is impossible.
const INFINITE: u32 = u32::MAX;
/// Amount by which the initial φ exceeds 1 for a deficit of the whole board, and the initial δ for
/// a lead. The lead counts the cells that each player has or reaches first. In eight games at
/// 50 ms, weights 64, 2000 and 6000 first proved a result with 383, 432 and 431 cells free. More
/// free cells are better (2026-11-21).
const LEAD_WEIGHT: u32 = 2000;

/// A claim to be proved about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofGoal {
    /// Whether the player to move is the attacker.
    pub mover: bool,
    /// Least result that the attacker wants: a win, or a draw.
    pub least: Ordering,
}

impl ProofGoal {
    /// The player to move wins.
    pub const MOVER_WINS: ProofGoal = ProofGoal { mover: true, least: Ordering::Greater };
    /// The opponent of the player to move wins.
    pub const OTHER_WINS: ProofGoal = ProofGoal { mover: false, least: Ordering::Greater };
    /// The player to move wins or draws.
    pub const MOVER_DRAWS: ProofGoal = ProofGoal { mover: true, least: Ordering::Equal };

    /// Returns `true` if the attacker has its result. `verdict` is that of the player to move.
    fn is_met(self, verdict: Ordering) -> bool {
        let result = if self.mover { verdict } else { verdict.reverse() };
        result >= self.least
    }

    /// Returns the same goal from the side of the other player, one ply later.
    pub fn after(self) -> ProofGoal {
        ProofGoal { mover: !self.mover, ..self }
    }

    /// Returns the number of cells that the attacker needs on a board of `cells` cells.
    fn cells_needed(self, cells: u32) -> u32 {
        match self.least {
            Ordering::Greater => cells / 2 + 1,
            _ => cells.div_ceil(2),
        }
    }

    fn key(self) -> u64 {
        let number = 2 * u64::from(self.mover) + u64::from(self.least == Ordering::Greater);
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The numbers φ and δ of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    /// Estimated work to prove that the player to move succeeds: the attacker reaches the goal, or
    /// its opponent prevents that.
    phi: u32,
    /// Estimated work to prove that the player to move fails.
    delta: u32,
}

impl Numbers {
    const PROVEN: Numbers = Numbers { phi: 0, delta: INFINITE };
    const DISPROVEN: Numbers = Numbers { phi: INFINITE, delta: 0 };

    /// Returns the final numbers of a node, given whether the attacker reaches its goal.
    fn final_numbers(goal: ProofGoal, is_met: bool) -> Numbers {
        match is_met == goal.mover {
            true => Numbers::PROVEN,
            false => Numbers::DISPROVEN,
        }
    }

    fn are_final(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// A proof-number search with a table that lasts from search to search.
pub struct Prover<P> {
    table: Proofs,
    moves: Vec<ColourMove<P>>,
    children: Vec<ProofChild<P>>,
}

/// A child and its current numbers.
#[derive(Clone, Copy)]
struct ProofChild<P> {
    colour: u8,
    node: BitboardNode<P>,
    hash: u64,
    numbers: Numbers,
}

impl<P: SimdBitboard> Prover<P> {
    /// Creates a search with a table of about `entries` entries.
    pub fn new(entries: usize) -> Prover<P> {
        Prover { table: Proofs::new(entries), moves: Vec::new(), children: Vec::new() }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Returns whether the attacker reaches `goal`, or `None` if the limiter stops the search
    /// first.
    pub fn answer(
        &mut self,
        context: &BoardContext<P>,
        node: &BitboardNode<P>,
        goal: ProofGoal,
        limiter: &mut Limiter,
    ) -> Option<bool> {
        self.children.clear();
        let hash = node.key() ^ goal.key();
        let limits = Numbers { phi: INFINITE, delta: INFINITE };
        let numbers = match self.table.probe(hash) {
            Some(known) if known.are_final() => known,
            _ => match initial_numbers(context, node, goal) {
                known if known.are_final() => known,
                _ => self.descend(context, node, hash, goal, limits, limiter),
            },
        };
        match numbers {
            Numbers { phi: 0, .. } => Some(goal.mover),
            Numbers { delta: 0, .. } => Some(!goal.mover),
            _ => None,
        }
    }

    /// Searches below `node` until one of its numbers reaches its limit.
    fn descend(
        &mut self,
        context: &BoardContext<P>,
        node: &BitboardNode<P>,
        hash: u64,
        goal: ProofGoal,
        limits: Numbers,
        limiter: &mut Limiter,
    ) -> Numbers {
        let (start, before) = (self.children.len(), limiter.nodes());
        self.expand(context, node, goal.after());
        loop {
            let ProofSummary { numbers, best, second, others } = summary(&self.children[start..]);
            let is_enough = numbers.phi >= limits.phi || numbers.delta >= limits.delta;
            if is_enough || limiter.tick() {
                self.children.truncate(start);
                let work = limiter.nodes() - before;
                self.table.store(hash, numbers, work.try_into().unwrap_or(u32::MAX));
                return numbers;
            }
            let child = self.children[start + best];
            // φ and δ swap roles at each ply. The child's limit stops the search where
            // the node's own limit is reached, or another child becomes better.
            let limits = Numbers {
                phi: limits.delta.saturating_sub(others),
                // A margin of a sixteenth (the 1 + ε trick) avoids a switch of child for every
                // small difference.
                delta: limits.phi.min(second.saturating_add(1 + second / 16)),
            };
            let goal = goal.after();
            let found = self.descend(context, &child.node, child.hash, goal, limits, limiter);
            self.children[start + best].numbers = found;
        }
    }

    /// Appends the children of `node` to `children`. `goal` is from the side of the children.
    fn expand(&mut self, context: &BoardContext<P>, node: &BitboardNode<P>, goal: ProofGoal) {
        self.moves.clear();
        P::children(context, node, &mut self.moves);
        self.moves.sort_unstable_by_key(|child| std::cmp::Reverse(child.gain));
        for child in &self.moves {
            let ColourMove { colour, node, .. } = *child;
            let hash = node.key() ^ goal.key();
            let numbers = match self.table.probe(hash) {
                Some(known) => known,
                None => {
                    let numbers = initial_numbers(context, &node, goal);
                    self.table.store(hash, numbers, 1);
                    numbers
                }
            };
            self.children.push(ProofChild { colour, node, hash, numbers });
            // A child lost for its mover proves this node, so its siblings are not needed.
            if numbers.delta == 0 {
                break;
            }
        }
    }

    /// Returns a colour with which the player to move reaches `goal`, if one was proved.
    pub fn winning(
        &mut self,
        context: &BoardContext<P>,
        node: &BitboardNode<P>,
        goal: ProofGoal,
    ) -> Option<u8> {
        self.children.clear();
        self.expand(context, node, goal.after());
        let proven = self.children.iter().find(|child| child.numbers.delta == 0);
        proven.map(|child| child.colour)
    }
}

/// Numbers of a node, computed from its children.
struct ProofSummary {
    numbers: Numbers,
    /// Index of the child to search next, the one with the least δ.
    best: usize,
    /// Least δ among the other children.
    second: u32,
    /// Number of open children, whose φ is above zero, minus one.
    others: u32,
}

fn summary<P>(children: &[ProofChild<P>]) -> ProofSummary {
    let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
    let (mut largest, mut open) = (0, 0u32);
    for (at, child) in children.iter().enumerate() {
        let Numbers { phi, delta } = child.numbers;
        if delta < least {
            (best, second, least) = (at, least, delta);
        } else {
            second = second.min(delta);
        }
        largest = largest.max(phi);
        open += u32::from(phi > 0);
    }
    let others = open.saturating_sub(1);
    // A child with δ = 0 proves the node, so the node can no longer be disproven.
    let delta = if least == 0 { INFINITE } else { largest.saturating_add(others) };
    ProofSummary { numbers: Numbers { phi: least, delta }, best, second, others }
}

/// Returns the numbers of a new node: final by rule or race, else an estimate from the lead.
fn initial_numbers<P: SimdBitboard>(
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    goal: ProofGoal,
) -> Numbers {
    let zones = match context.verdict(node) {
        Some(verdict) => return Numbers::final_numbers(goal, goal.is_met(verdict)),
        None => P::zones(context, node),
    };
    let totals = [MOVER, OTHER].map(|side| u32::from(node.cells[side]) + zones[side]);
    if let Some(is_met) = race_result(context, node, goal, totals) {
        return Numbers::final_numbers(goal, is_met);
    }
    let lead = totals[MOVER] as i32 - totals[OTHER] as i32;
    let excess = lead.unsigned_abs() * LEAD_WEIGHT / context.rules.cells() as u32;
    match lead > 0 {
        true => Numbers { phi: 1, delta: 1 + excess },
        false => Numbers { phi: 1 + excess, delta: 1 },
    }
}

/// Returns whether the attacker reaches `goal`, if a race decides it.
///
/// `totals` holds the cells that each player has or reaches first. The race is run only for a
/// player with enough of them.
fn race_result<P: SimdBitboard>(
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    goal: ProofGoal,
    totals: [u32; 2],
) -> Option<bool> {
    let attacker = if goal.mover { MOVER } else { OTHER };
    let cells = context.rules.cells() as u32;
    let goal = goal.cells_needed(cells);
    // Races assume that no stall ends the game before the goal is reached.
    if !context.passing_is_too_late(node) {
        return None;
    }
    let outruns =
        |side: usize, goal| totals[side] >= goal && P::outruns(context, node, (side, goal));
    if outruns(attacker, goal) {
        return Some(true);
    }
    outruns(1 - attacker, cells - goal + 1).then_some(false)
}

/// One entry of the proof table.
#[derive(Clone, Copy)]
struct ProofSlot {
    hash: u64,
    numbers: Numbers,
    /// Number of nodes searched for this entry; 0 marks an empty slot.
    work: u32,
}

/// Proof table: buckets of slots, in which the entry of least work is replaced.
struct Proofs {
    buckets: Vec<[ProofSlot; Proofs::BUCKET_SLOTS]>,
}

impl Proofs {
    const BUCKET_SLOTS: usize = 4;
    const EMPTY: ProofSlot = ProofSlot { hash: 0, numbers: Numbers { phi: 1, delta: 1 }, work: 0 };

    fn new(entries: usize) -> Proofs {
        // A power of two, so that a mask of the hash gives the bucket.
        let buckets = (entries / Proofs::BUCKET_SLOTS).next_power_of_two();
        Proofs { buckets: vec![[Proofs::EMPTY; Proofs::BUCKET_SLOTS]; buckets] }
    }

    fn clear(&mut self) {
        self.buckets.fill([Proofs::EMPTY; Proofs::BUCKET_SLOTS]);
    }

    #[inline]
    fn probe(&self, hash: u64) -> Option<Numbers> {
        let bucket = &self.buckets[hash as usize & (self.buckets.len() - 1)];
        let slot = bucket.iter().find(|slot| slot.hash == hash && slot.work > 0)?;
        Some(slot.numbers)
    }

    fn store(&mut self, hash: u64, numbers: Numbers, work: u32) {
        let index = hash as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[index];
        let same = bucket.iter().position(|slot| slot.hash == hash);
        let cheapest = || (0..Proofs::BUCKET_SLOTS).min_by_key(|&at| bucket[at].work).unwrap_or(0);
        let at = same.unwrap_or_else(cheapest);
        // Work adds up over visits, so entries that are searched often stay.
        let before = if same.is_some() { bucket[at].work } else { 0 };
        bucket[at] = ProofSlot { hash, numbers, work: before.saturating_add(work).max(1) };
    }
}
