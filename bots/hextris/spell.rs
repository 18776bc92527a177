//! The most phrases on the way to each place: dynamic programming over positions and the nodes of the
//! automaton of phrases, a row of the pivot after the other.
//!
//! Within a row a path keeps to one direction, and at one place of the pivot it turns one way and by less
//! than a whole turn, so that no path holds a position twice.

use super::flood::Positions;
use super::hopes::Hopes;
use super::lanes::{Kept, Lanes, Room, EAST, LANES, WEST};
use super::way::{first_uses, Way};
use arbitre_games::games::hextris::{Choice, Command, Node, Oblique, Phrases, Piece, Position};
use std::cmp::Reverse;
use std::collections::HashMap;

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Labels kept per position and direction.
    pub labels: usize,
    /// Labels that go on from a row to the next.
    pub entries: usize,
    /// Columns to either side of those of the entries.
    pub steps: usize,
}

/// A path to a position.
#[derive(Clone, Copy, Debug)]
struct Label {
    at: Position,
    node: Node,
    letter: u8,
    /// A better one took its place.
    is_out: bool,
    /// Turns since the pivot came to where it is: clockwise are positive.
    spin: i8,
    /// The row and the oblique column of the pivot.
    row: i32,
    column: i32,
    parent: u32,
    /// What phrases bring on the way, with first uses.
    points: u32,
    /// The phrases that were used, before this unit or on the way.
    used: u64,
}

const NOBODY: u32 = u32::MAX;

/// The end of a way.
struct Finish {
    label: u32,
    letter: u8,
    points: u32,
    rank: u32,
}

/// What the search is about.
pub struct Task<'a> {
    /// The unit.
    pub piece: &'a Piece,
    /// Where it fits.
    pub free: &'a Positions,
    /// Where the search may lead.
    pub allowed: &'a Positions,
    /// Where it should be locked.
    pub targets: &'a Positions,
    /// The node at which the text before it ends.
    pub node: Node,
    /// The phrases that were used before.
    pub used: u64,
    /// The phrases that the unit can play.
    pub playable: u64,
}

/// A task at work.
struct Search<'a> {
    task: &'a Task<'a>,
    effort: Effort,
    /// The lowest row of the pivot among the targets.
    lowest: i32,
    finishes: HashMap<Position, Finish>,
}

/// Finds ways full of phrases. It keeps its memory from unit to unit.
pub struct Speller<'p> {
    phrases: &'p Phrases,
    hopes: Hopes,
    labels: Vec<Label>,
    /// A row of the pivot, and the next one.
    rows: [Lanes; 2],
    entries: Vec<u32>,
}

impl<'p> Speller<'p> {
    /// For these phrases.
    pub fn new(phrases: &'p Phrases) -> Speller<'p> {
        let (labels, entries) = (Vec::new(), Vec::new());
        Speller { phrases, hopes: Hopes::default(), labels, rows: Default::default(), entries }
    }

    /// A way to each target that is found one for. They begin where the unit appears.
    pub fn ways(&mut self, task: &Task, effort: Effort) -> Vec<Way> {
        self.hopes.gather(self.phrases, task.playable, task.used);
        let rows = task.targets.iter().map(|at| task.piece.pivot_row(at));
        let lowest = rows.max().unwrap_or(0);
        let mut search = Search { task, effort, lowest, finishes: HashMap::new() };
        let at = task.piece.spawn();
        self.labels.clear();
        self.labels.push(Label {
            at,
            node: task.node,
            letter: 0,
            is_out: false,
            spin: 0,
            row: task.piece.pivot_row(at),
            column: task.piece.pivot_column(at),
            parent: NOBODY,
            points: 0,
            used: task.used,
        });
        self.entries.clear();
        self.entries.push(0);
        while !self.entries.is_empty() {
            self.pass_row(&mut search);
        }
        let finishes = search.finishes.iter();
        let mut ways: Vec<Way> = finishes.map(|(&at, end)| self.way(at, end)).collect();
        ways.sort_by_key(|way| way.at);
        ways
    }

    fn way(&self, at: Position, end: &Finish) -> Way {
        let mut text = vec![end.letter];
        let mut label = &self.labels[end.label as usize];
        while label.parent != NOBODY {
            text.push(label.letter);
            label = &self.labels[label.parent as usize];
        }
        text.reverse();
        Way { at, text, points: end.points }
    }

    /// What a label is worth that has so many rows before it.
    fn rank(&self, label: &Label, lowest: i32) -> u32 {
        label.points + self.hopes.promise(label.node, lowest - label.row)
    }

    /// Takes the entries of a row of the pivot as far as they come in it, and gathers those of the next.
    fn pass_row(&mut self, search: &mut Search) {
        let Search { task, effort, .. } = *search;
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|&id| !self.labels[id as usize].is_out);
        let rank = |id: u32| self.rank(&self.labels[id as usize], search.lowest);
        if entries.len() > effort.entries {
            entries.sort_by_key(|&id| Reverse(rank(id)));
            entries.truncate(effort.entries);
        }
        let columns = entries.iter().map(|&id| self.labels[id as usize].column);
        let (Some(first), Some(last)) = (columns.clone().min(), columns.max()) else { return };
        let [mut here, mut below] = std::mem::take(&mut self.rows);
        let (steps, turns) = (effort.steps as i32, task.piece.period());
        here.open(first - steps, (last - first + 1 + 2 * steps) as usize, turns);
        below.open(first - steps - 1, here.width() + 1, turns);
        for &id in &entries {
            let Label { at, node, column, .. } = self.labels[id as usize];
            let kept = Kept { id, node, rank: self.rank(&self.labels[id as usize], search.lowest) };
            here.keep(0, column, at.rotation, kept, effort.labels);
        }
        for lane in 0..LANES {
            for column in 0..here.width() {
                let column = if lane == WEST { here.width() - 1 - column } else { column };
                let mut number = 0;
                while let Some(id) = here.waiting(lane, column, number) {
                    number += 1;
                    if !self.labels[id as usize].is_out {
                        self.expand(id, lane, search, [&mut here, &mut below]);
                    }
                }
            }
        }
        entries.clear();
        entries.extend(below.arrivals());
        self.entries = entries;
        self.rows = [here, below];
    }

    fn expand(&mut self, id: u32, lane: usize, search: &mut Search, rows: [&mut Lanes; 2]) {
        let (label, task) = (self.labels[id as usize], search.task);
        let phrases = self.phrases;
        let [here, below] = rows;
        for command in Command::ALL {
            let to = task.piece.step(label.at, command).filter(|&to| task.free.contains(to));
            let Some(to) = to else {
                if task.targets.contains(label.at) {
                    self.finish(id, command, search);
                }
                continue;
            };
            let Some((lane, spin)) = course(command, lane, label.spin, task.piece.period()) else {
                continue;
            };
            if !task.allowed.contains(to) {
                continue;
            }
            let Oblique { y: rows, q: columns } = command.way();
            let (row, column) = (label.row + rows, label.column + columns);
            let lanes: &mut Lanes = if rows > 0 { &mut *below } else { &mut *here };
            for &choice in phrases.choices(label.node, command) {
                let next = Label { at: to, spin, row, column, parent: id, ..label };
                self.keep(next, choice, lane, lanes, search);
            }
        }
    }

    /// Keeps a label whose letter and what that brings are still to be put in, if it is good enough.
    fn keep(
        &mut self,
        next: Label,
        choice: Choice,
        lane: usize,
        lanes: &mut Lanes,
        search: &Search,
    ) {
        let Choice { letter, next: node } = choice;
        let ended = self.phrases.ended(node);
        let points = next.points + self.phrases.gain(node) + first_uses(ended & !next.used);
        let label = Label { letter, node, points, used: next.used | ended, ..next };
        let (id, rank) = (self.labels.len() as u32, self.rank(&label, search.lowest));
        let kept = Kept { id, rank, node };
        match lanes.keep(lane, label.column, label.at.rotation, kept, search.effort.labels) {
            Room::None => return,
            Room::For(other) => self.labels[other as usize].is_out = true,
            Room::Free => {}
        }
        self.labels.push(label);
    }

    /// A command that locks where the unit should be locked. What the next unit makes of a phrase that was
    /// begun is not known: it is worth a little.
    fn finish(&self, id: u32, command: Command, search: &mut Search) {
        let label = &self.labels[id as usize];
        for choice in self.phrases.choices(label.node, command) {
            let new = self.phrases.ended(choice.next) & !label.used;
            let points = label.points + self.phrases.gain(choice.next) + first_uses(new);
            let rank = points + self.hopes.promise(choice.next, i32::MAX) / 4;
            if search.finishes.get(&label.at).is_none_or(|known| known.rank < rank) {
                let finish = Finish { label: id, letter: choice.letter, points, rank };
                search.finishes.insert(label.at, finish);
            }
        }
    }
}

/// The lane to which a command leads, and the spin there; none if a position might be held twice.
fn course(command: Command, lane: usize, spin: i8, period: usize) -> Option<(usize, i8)> {
    let can_turn = |spin: i8| (usize::from(spin.unsigned_abs()) < period).then_some((lane, spin));
    match command {
        Command::West if lane != EAST => Some((WEST, 0)),
        Command::East if lane != WEST => Some((EAST, 0)),
        Command::West | Command::East => None,
        Command::SouthWest | Command::SouthEast => Some((0, 0)),
        Command::Clockwise if spin >= 0 => can_turn(spin + 1),
        Command::CounterClockwise if spin <= 0 => can_turn(spin - 1),
        Command::Clockwise | Command::CounterClockwise => None,
    }
}
