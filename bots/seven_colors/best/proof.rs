//! Depth-first proof-number search (A. Nagai, 2002).
//!
//! A [`ProofGoal`] asks whether one player, the *attacker*, gets at least a given result. Numbers
//! are those of the player to move: its proof number estimates the work to show that it gets its
//! way. Its disproof number estimates the work to show the contrary.
//!
//! The disproof number of a node is the largest proof number of its moves, plus one for each other
//! open move. A sum would count transpositions many times.
//!
//! The graph has no cycles: a move gains cells, or brings a stall nearer.

use super::bitboard_position::{BitboardNode, BoardContext, ColourMove};
use super::simd::SimdBitboard;
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// Infinite number: the proof, or the disproof, is impossible.
const NEVER: u32 = u32::MAX;
/// Weight of a lead of the whole board in the first numbers of a node. The lead counts the cells
/// that each player has or reaches first. In eight games at 50 ms, weights of 64, 2000 and 6000
/// gave proofs with 383, 432 and 431 cells free (2026-11-21).
const STEPS: u32 = 2000;

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
    fn goal(self, cells: u32) -> u32 {
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

/// Proof and disproof number of the claim that the player to move gets its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const SHOWN: Numbers = Numbers { proof: 0, disproof: NEVER };
    const REFUTED: Numbers = Numbers { proof: NEVER, disproof: 0 };

    /// Returns the final numbers of a node, given whether the attacker reaches its goal.
    fn settled(goal: ProofGoal, is_met: bool) -> Numbers {
        match is_met == goal.mover {
            true => Numbers::SHOWN,
            false => Numbers::REFUTED,
        }
    }

    fn are_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A proof-number search with a table that lasts from search to search.
pub struct Prover<P> {
    table: Proofs,
    moves: Vec<ColourMove<P>>,
    kids: Vec<Kid<P>>,
}

/// A child and its current numbers.
#[derive(Clone, Copy)]
struct Kid<P> {
    colour: u8,
    node: BitboardNode<P>,
    hash: u64,
    numbers: Numbers,
}

impl<P: SimdBitboard> Prover<P> {
    /// Creates a search with a table of about `entries` entries.
    pub fn new(entries: usize) -> Prover<P> {
        Prover { table: Proofs::new(entries), moves: Vec::new(), kids: Vec::new() }
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
        self.kids.clear();
        let hash = node.key() ^ goal.key();
        let limits = Numbers { proof: NEVER, disproof: NEVER };
        let numbers = match self.table.look(hash) {
            Some(known) if known.are_final() => known,
            _ => match first_look(context, node, goal) {
                known if known.are_final() => known,
                _ => self.descend(context, node, hash, goal, limits, limiter),
            },
        };
        match numbers {
            Numbers { proof: 0, .. } => Some(goal.mover),
            Numbers { disproof: 0, .. } => Some(!goal.mover),
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
        let (start, before) = (self.kids.len(), limiter.nodes());
        self.expand(context, node, goal.after());
        loop {
            let ProofSummary { numbers, best, second, others } = summary(&self.kids[start..]);
            let is_enough = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if is_enough || limiter.tick() {
                self.kids.truncate(start);
                let work = limiter.nodes() - before;
                self.table.keep(hash, numbers, work.try_into().unwrap_or(u32::MAX));
                return numbers;
            }
            let kid = self.kids[start + best];
            // Proof and disproof swap roles at each ply. The child's limit stops the search where
            // the node's own limit is reached, or another child becomes better.
            let limits = Numbers {
                proof: limits.disproof.saturating_sub(others),
                // A margin of a sixteenth (the 1 + ε trick) avoids a switch of child for every
                // small difference.
                disproof: limits.proof.min(second.saturating_add(1 + second / 16)),
            };
            let goal = goal.after();
            let found = self.descend(context, &kid.node, kid.hash, goal, limits, limiter);
            self.kids[start + best].numbers = found;
        }
    }

    /// Appends the children of `node` to `kids`. `goal` is from the side of the children.
    fn expand(&mut self, context: &BoardContext<P>, node: &BitboardNode<P>, goal: ProofGoal) {
        self.moves.clear();
        P::children(context, node, &mut self.moves);
        self.moves.sort_unstable_by_key(|child| std::cmp::Reverse(child.gain));
        for child in &self.moves {
            let ColourMove { colour, node, .. } = *child;
            let hash = node.key() ^ goal.key();
            let numbers = match self.table.look(hash) {
                Some(known) => known,
                None => {
                    let numbers = first_look(context, &node, goal);
                    self.table.keep(hash, numbers, 1);
                    numbers
                }
            };
            self.kids.push(Kid { colour, node, hash, numbers });
            // A child lost for its mover proves this node, so its siblings need no look.
            if numbers.disproof == 0 {
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
        self.kids.clear();
        self.expand(context, node, goal.after());
        let shown = self.kids.iter().find(|kid| kid.numbers.disproof == 0);
        shown.map(|kid| kid.colour)
    }
}

/// Numbers of a node, computed from its children.
struct ProofSummary {
    numbers: Numbers,
    /// Index of the child to search next, the one with the least disproof number.
    best: usize,
    /// Least disproof number among the other children.
    second: u32,
    /// Number of children whose proof number is above zero, minus one.
    others: u32,
}

fn summary<P>(kids: &[Kid<P>]) -> ProofSummary {
    let (mut best, mut least, mut second) = (0, NEVER, NEVER);
    let (mut hardest, mut open) = (0, 0u32);
    for (at, kid) in kids.iter().enumerate() {
        let Numbers { proof, disproof } = kid.numbers;
        if disproof < least {
            (best, second, least) = (at, least, disproof);
        } else {
            second = second.min(disproof);
        }
        hardest = hardest.max(proof);
        open += u32::from(proof > 0);
    }
    let others = open.saturating_sub(1);
    // A child with disproof number 0 proves the node, so the node can no longer be refuted.
    let disproof = if least == 0 { NEVER } else { hardest.saturating_add(others) };
    ProofSummary { numbers: Numbers { proof: least, disproof }, best, second, others }
}

/// Returns the numbers of a new node: final by rule or race, else an estimate from the lead.
fn first_look<P: SimdBitboard>(
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    goal: ProofGoal,
) -> Numbers {
    let zones = match context.verdict(node) {
        Some(verdict) => return Numbers::settled(goal, goal.is_met(verdict)),
        None => P::zones(context, node),
    };
    let totals = [0, 1].map(|seat| u32::from(node.cells[seat]) + zones[seat]);
    if let Some(is_met) = settled(context, node, goal, totals) {
        return Numbers::settled(goal, is_met);
    }
    let ahead = totals[0] as i32 - totals[1] as i32;
    let steps = ahead.unsigned_abs() * STEPS / context.rules.cells() as u32;
    match ahead > 0 {
        true => Numbers { proof: 1, disproof: 1 + steps },
        false => Numbers { proof: 1 + steps, disproof: 1 },
    }
}

/// Returns whether the attacker reaches `goal`, if a race decides it.
///
/// `totals` holds the cells that each player has or reaches first. The race is run only for a
/// player with enough of them.
fn settled<P: SimdBitboard>(
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    goal: ProofGoal,
    totals: [u32; 2],
) -> Option<bool> {
    let attacker = usize::from(!goal.mover);
    let cells = context.rules.cells() as u32;
    let goal = goal.goal(cells);
    // Races assume that no stall ends the game before the goal is reached.
    if !context.passing_is_too_late(node) {
        return None;
    }
    let outruns =
        |seat: usize, goal| totals[seat] >= goal && P::outruns(context, node, (seat, goal));
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

/// Proof table: groups of slots, in which the entry of least work is replaced.
struct Proofs {
    groups: Vec<[ProofSlot; Proofs::GROUP]>,
}

impl Proofs {
    const GROUP: usize = 4;
    const EMPTY: ProofSlot =
        ProofSlot { hash: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

    fn new(entries: usize) -> Proofs {
        // A power of two, so that a mask of the hash gives the group.
        let groups = (entries / Proofs::GROUP).next_power_of_two();
        Proofs { groups: vec![[Proofs::EMPTY; Proofs::GROUP]; groups] }
    }

    fn clear(&mut self) {
        self.groups.fill([Proofs::EMPTY; Proofs::GROUP]);
    }

    #[inline]
    fn look(&self, hash: u64) -> Option<Numbers> {
        let group = &self.groups[hash as usize & (self.groups.len() - 1)];
        let slot = group.iter().find(|slot| slot.hash == hash && slot.work > 0)?;
        Some(slot.numbers)
    }

    fn keep(&mut self, hash: u64, numbers: Numbers, work: u32) {
        let place = hash as usize & (self.groups.len() - 1);
        let group = &mut self.groups[place];
        let same = group.iter().position(|slot| slot.hash == hash);
        let cheapest = || (0..Proofs::GROUP).min_by_key(|&at| group[at].work).unwrap_or(0);
        let at = same.unwrap_or_else(cheapest);
        // Work adds up over visits, so entries that are searched often stay.
        let before = if same.is_some() { group[at].work } else { 0 };
        group[at] = ProofSlot { hash, numbers, work: before.saturating_add(work).max(1) };
    }
}
