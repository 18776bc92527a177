//! The strategy `dp`: the most points for phrases on the path to each place. The dynamic
//! programming is over positions and nodes of the phrase automaton, one row of the pivot after the
//! other.
//!
//! Within a row a path keeps to one direction. At one cell of the pivot it turns one way and by
//! less than a full turn. So it holds no position twice.

use super::label_buckets::{InsertResult, LabelBuckets, RankedLabel};
use super::path::LockPath;
use super::phrase_potential::PartialPhrases;
use super::reachability::PositionSet;
use crate::hextris::phrases::{first_uses, TextEnd};
use crate::hextris::row_direction::{self, DIRECTIONS, EITHER, WEST};
use arbitre_games::games::hextris::{
    AxialCoord, Command, LetterChoice, PhraseNode, Piece, UnitPosition,
};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelLimits {
    /// Labels kept per position and direction.
    pub labels: usize,
    /// Labels kept from a row to the next.
    pub entries: usize,
    /// Columns searched on either side of the entries.
    pub steps: usize,
}

/// A path to a position.
#[derive(Clone, Copy, Debug)]
struct PathLabel {
    at: UnitPosition,
    node: PhraseNode,
    letter: u8,
    /// Whether a better label took its place.
    is_out: bool,
    /// Turns since the pivot came to its cell; clockwise ones are positive.
    turns: i8,
    /// Row of the pivot.
    row: i32,
    /// Axial column of the pivot.
    column: i32,
    parent: u32,
    /// Points for phrases on the path, with first uses.
    points: u32,
    /// Phrases used before this unit or on the path, as bits.
    used: u64,
}

/// Parent of the first label of a path.
const NO_PARENT: u32 = u32::MAX;

/// The last letter of a path, which locks the unit.
struct LockLabel {
    label: u32,
    letter: u8,
    points: u32,
    rank: u32,
}

/// A unit, and the positions that its paths may enter.
pub struct LabelQuery<'a> {
    /// The unit.
    pub piece: &'a Piece,
    /// Positions in which the unit fits.
    pub free: &'a PositionSet,
    /// Positions that the search may enter.
    pub allowed: &'a PositionSet,
    /// Positions in which the unit should be locked.
    pub targets: &'a PositionSet,
    /// The text before the unit.
    pub before: TextEnd<'a>,
    /// Phrases that the unit can play, as bits.
    pub playable: u64,
}

/// A query in progress.
struct RunningQuery<'a> {
    query: &'a LabelQuery<'a>,
    limits: LabelLimits,
    /// The lowest row of the pivot among the targets.
    lowest: i32,
    finishes: HashMap<UnitPosition, LockLabel>,
}

/// Search for paths with many points for phrases. Its buffers are reused from unit to unit.
#[derive(Default)]
pub struct LabelSearch {
    partial_phrases: PartialPhrases,
    labels: Vec<PathLabel>,
    /// Buckets of a row of the pivot, and of the next one.
    rows: [LabelBuckets; 2],
    entries: Vec<u32>,
}

impl LabelSearch {
    /// Returns a path from the spawn to each target for which one is found.
    pub fn paths(&mut self, query: &LabelQuery, limits: LabelLimits) -> Vec<LockPath> {
        self.partial_phrases.gather(&query.before, query.playable);
        let rows = query.targets.iter().map(|at| query.piece.pivot_row(at));
        let lowest = rows.max().unwrap_or(0);
        let mut search = RunningQuery { query, limits, lowest, finishes: HashMap::new() };
        let at = query.piece.spawn();
        self.labels.clear();
        self.labels.push(PathLabel {
            at,
            node: query.before.node,
            letter: 0,
            is_out: false,
            turns: 0,
            row: query.piece.pivot_row(at),
            column: query.piece.pivot_column(at),
            parent: NO_PARENT,
            points: 0,
            used: query.before.used,
        });
        self.entries.clear();
        self.entries.push(0);
        while !self.entries.is_empty() {
            self.pass_row(&mut search);
        }
        let finishes = search.finishes.iter();
        let mut paths: Vec<LockPath> = finishes.map(|(&at, end)| self.path(at, end)).collect();
        paths.sort_by_key(|path| path.at);
        paths
    }

    fn path(&self, at: UnitPosition, end: &LockLabel) -> LockPath {
        let mut text = vec![end.letter];
        let mut label = &self.labels[end.label as usize];
        while label.parent != NO_PARENT {
            text.push(label.letter);
            label = &self.labels[label.parent as usize];
        }
        text.reverse();
        LockPath { at, text, points: end.points }
    }

    /// Returns the points of a label and the value of its partial phrases.
    fn rank(&self, label: &PathLabel, lowest: i32) -> u32 {
        label.points + self.partial_phrases.prefix_value(label.node, lowest - label.row)
    }

    /// Expands the entries of a row of the pivot within it, and gathers those of the next row.
    fn pass_row(&mut self, search: &mut RunningQuery) {
        let RunningQuery { query, limits, .. } = *search;
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|&id| !self.labels[id as usize].is_out);
        let rank = |id: u32| self.rank(&self.labels[id as usize], search.lowest);
        if entries.len() > limits.entries {
            entries.sort_by_key(|&id| Reverse(rank(id)));
            entries.truncate(limits.entries);
        }
        let columns = entries.iter().map(|&id| self.labels[id as usize].column);
        let (Some(first), Some(last)) = (columns.clone().min(), columns.max()) else { return };
        let [mut here, mut below] = std::mem::take(&mut self.rows);
        let (steps, turns) = (limits.steps as i32, query.piece.period());
        here.open(first - steps, (last - first + 1 + 2 * steps) as usize, turns);
        below.open(first - steps - 1, here.width() + 1, turns);
        for &id in &entries {
            let PathLabel { at, node, column, .. } = self.labels[id as usize];
            let kept =
                RankedLabel { id, node, rank: self.rank(&self.labels[id as usize], search.lowest) };
            here.keep(EITHER, column, at.rotation, kept, limits.labels);
        }
        for direction in 0..DIRECTIONS {
            for column in 0..here.width() {
                // In the direction of the paths, so that labels added to the row are expanded too.
                let column = if direction == WEST { here.width() - 1 - column } else { column };
                let mut number = 0;
                while let Some(id) = here.waiting(direction, column, number) {
                    number += 1;
                    if !self.labels[id as usize].is_out {
                        self.expand(id, direction, search, [&mut here, &mut below]);
                    }
                }
            }
        }
        entries.clear();
        entries.extend(below.arrivals());
        self.entries = entries;
        self.rows = [here, below];
    }

    fn expand(
        &mut self,
        id: u32,
        direction: usize,
        search: &mut RunningQuery,
        rows: [&mut LabelBuckets; 2],
    ) {
        let (label, query) = (self.labels[id as usize], search.query);
        let phrases = query.before.phrases;
        let [here, below] = rows;
        for command in Command::ALL {
            let to = query.piece.step(label.at, command).filter(|&to| query.free.contains(to));
            let Some(to) = to else {
                if query.targets.contains(label.at) {
                    self.finish(id, command, search);
                }
                continue;
            };
            let Some(direction) = row_direction::after(direction, command) else { continue };
            let Some(turns) = turns_after(command, label.turns, query.piece.period()) else {
                continue;
            };
            if !query.allowed.contains(to) {
                continue;
            }
            let AxialCoord { y: rows, q: columns } = command.pivot_step();
            let (row, column) = (label.row + rows, label.column + columns);
            let buckets: &mut LabelBuckets = if rows > 0 { &mut *below } else { &mut *here };
            for &choice in phrases.choices(label.node, command) {
                let next = PathLabel { at: to, turns, row, column, parent: id, ..label };
                self.keep(next, choice, direction, buckets, search);
            }
        }
    }

    /// Keeps a label if it is good enough, once its letter and the points for it are filled in.
    fn keep(
        &mut self,
        next: PathLabel,
        choice: LetterChoice,
        direction: usize,
        buckets: &mut LabelBuckets,
        search: &RunningQuery,
    ) {
        let LetterChoice { letter, next: node } = choice;
        let phrases = search.query.before.phrases;
        let ended = phrases.ended(node);
        let points = next.points + phrases.gain(node) + first_uses(ended & !next.used);
        let label = PathLabel { letter, node, points, used: next.used | ended, ..next };
        let (id, rank) = (self.labels.len() as u32, self.rank(&label, search.lowest));
        let kept = RankedLabel { id, rank, node };
        match buckets.keep(direction, label.column, label.at.rotation, kept, search.limits.labels) {
            InsertResult::None => return,
            InsertResult::For(other) => self.labels[other as usize].is_out = true,
            InsertResult::Free => {}
        }
        self.labels.push(label);
    }

    /// Records a command that locks the unit at a target. The next unit may not complete a partial
    /// phrase, so the phrase counts a quarter.
    fn finish(&self, id: u32, command: Command, search: &mut RunningQuery) {
        let (label, phrases) = (&self.labels[id as usize], search.query.before.phrases);
        for choice in phrases.choices(label.node, command) {
            let new = phrases.ended(choice.next) & !label.used;
            let points = label.points + phrases.gain(choice.next) + first_uses(new);
            let rank = points + self.partial_phrases.prefix_value(choice.next, i32::MAX) / 4;
            if search.finishes.get(&label.at).is_none_or(|known| known.rank < rank) {
                let finish = LockLabel { label: id, letter: choice.letter, points, rank };
                search.finishes.insert(label.at, finish);
            }
        }
    }
}

/// Returns the number of turns at the pivot's cell after a command, clockwise ones positive, or
/// `None` if the unit might hold a position twice.
fn turns_after(command: Command, turns: i8, period: usize) -> Option<i8> {
    let turns = match command {
        Command::Clockwise if turns >= 0 => turns + 1,
        Command::CounterClockwise if turns <= 0 => turns - 1,
        Command::Clockwise | Command::CounterClockwise => return None,
        _ => 0,
    };
    (usize::from(turns.unsigned_abs()) < period).then_some(turns)
}
