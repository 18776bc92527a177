//! Proofs: who wins for sure, by a depth-first proof-number search (A. Nagai, 2002).
//!
//! A goal is set for a position: does one of the two, the *attacker*, get a result at least as good
//! as wanted? A node's proof number is how much seems to be missing to show that its mover gets
//! what he wants, its disproof number how much to show that he does not; the search goes where the
//! least is missing. Of a node all of whose moves must be refuted the hardest counts, and one for
//! each other: the same positions come up by many orders of moves, and would be counted many times
//! in a sum.
//!
//! Games do not repeat: a move gains, or brings the stall nearer.

use super::bitboard_position::{BitboardNode, BoardContext, ColourMove};
use super::simd::SimdBitboard;
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// A number of what cannot be.
const NEVER: u32 = u32::MAX;
/// Who reaches all cells first has so many steps less to go to a proof than the other.
const STEPS: u32 = 2000;

/// What is to be shown of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofGoal {
    /// Is it the player to move who attacks?
    pub mover: bool,
    /// The least result that the attacker wants: to win, or not to lose.
    pub least: Ordering,
}

impl ProofGoal {
    /// Does the player to move win?
    pub const MOVER_WINS: ProofGoal = ProofGoal { mover: true, least: Ordering::Greater };
    /// Does the other one win?
    pub const OTHER_WINS: ProofGoal = ProofGoal { mover: false, least: Ordering::Greater };
    /// Does the player to move win or draw?
    pub const MOVER_DRAWS: ProofGoal = ProofGoal { mover: true, least: Ordering::Equal };

    /// Does the attacker have what he wants where the game is over, as the player to move sees it?
    fn is_met(self, verdict: Ordering) -> bool {
        let result = if self.mover { verdict } else { verdict.reverse() };
        result >= self.least
    }

    /// Returns the goal a ply later.
    pub fn after(self) -> ProofGoal {
        ProofGoal { mover: !self.mover, ..self }
    }

    /// How many cells the attacker has to have of so many.
    fn goal(self, cells: u32) -> u32 {
        match self.least {
            Ordering::Greater => cells / 2 + 1,
            _ => cells.div_ceil(2),
        }
    }

    /// Returns a hash that distinguishes the goals of a position.
    fn key(self) -> u64 {
        let number = 2 * u64::from(self.mover) + u64::from(self.least == Ordering::Greater);
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// What is missing to show that the mover gets what he wants, and that he does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const SHOWN: Numbers = Numbers { proof: 0, disproof: NEVER };
    const REFUTED: Numbers = Numbers { proof: NEVER, disproof: 0 };

    /// The numbers where it is known whether the attacker gets what he wants.
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

/// A proof search and what it keeps from search to search.
pub struct Prover<P> {
    table: Proofs,
    moves: Vec<ColourMove<P>>,
    kids: Vec<Kid<P>>,
}

/// A child with what is known of it.
#[derive(Clone, Copy)]
struct Kid<P> {
    colour: u8,
    node: BitboardNode<P>,
    hash: u64,
    numbers: Numbers,
}

impl<P: SimdBitboard> Prover<P> {
    /// A search with a table of about so many entries.
    pub fn new(entries: usize) -> Prover<P> {
        Prover { table: Proofs::new(entries), moves: Vec::new(), kids: Vec::new() }
    }

    /// Forgets what it kept.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Returns whether the goal is reached, unless the limiter stops the search first.
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

    /// Searches below a node until one of its numbers reaches its limit.
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
            let limits = Numbers {
                proof: limits.disproof.saturating_sub(others),
                disproof: limits.proof.min(second.saturating_add(1 + second / 16)),
            };
            let goal = goal.after();
            let found = self.descend(context, &kid.node, kid.hash, goal, limits, limiter);
            self.kids[start + best].numbers = found;
        }
    }

    /// Adds the children of a node to the kids. `goal` is theirs.
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
            if numbers.disproof == 0 {
                break;
            }
        }
    }

    /// Returns the colour with which the player to move reaches the goal, if that was shown.
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

/// What the kids of a node say of it.
struct ProofSummary {
    numbers: Numbers,
    /// The kid to look at next: the one with the least disproof number.
    best: usize,
    /// The least disproof number of the others.
    second: u32,
    /// How many kids are open, but for one.
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
    let disproof = if least == 0 { NEVER } else { hardest.saturating_add(others) };
    ProofSummary { numbers: Numbers { proof: least, disproof }, best, second, others }
}

/// What can be said of a position at first sight.
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

/// Does the attacker get the result, as far as that can be told without a search? The totals are what each
/// of the two has and reaches first: only who has enough of them can outrun the other.
fn settled<P: SimdBitboard>(
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    goal: ProofGoal,
    totals: [u32; 2],
) -> Option<bool> {
    let attacker = usize::from(!goal.mover);
    let cells = context.rules.cells() as u32;
    let goal = goal.goal(cells);
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

/// A place in the table.
#[derive(Clone, Copy)]
struct ProofSlot {
    hash: u64,
    numbers: Numbers,
    /// How many nodes it took; nothing is kept where that is 0.
    work: u32,
}

/// What is known of positions: groups of slots, of which the cheapest makes room.
struct Proofs {
    groups: Vec<[ProofSlot; Proofs::GROUP]>,
}

impl Proofs {
    const GROUP: usize = 4;
    const EMPTY: ProofSlot =
        ProofSlot { hash: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

    fn new(entries: usize) -> Proofs {
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
        let before = if same.is_some() { group[at].work } else { 0 };
        group[at] = ProofSlot { hash, numbers, work: before.saturating_add(work).max(1) };
    }
}
