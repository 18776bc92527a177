//! The phrase DP: the best phrases on the path to every position to lock a unit in. The
//! dynamic programming is over the cell of the pivot, the rotation, the direction within the row,
//! and the node of the phrase automaton.
//!
//! No command moves the pivot up. Within a row a path goes in one direction. At a cell it turns in
//! one direction and by less than a full turn. So it holds no position twice.

use super::label_layer::{DpLabel, LabelLayer};
use super::phrase_potential::SpellingTable;
use super::row_fit::RowFit;
use crate::hextris::row_direction;
use arbitre_games::games::hextris::{
    Command, PhraseNode, Phrases, Piece, Row, UnitPosition, FIRST_USE,
};
use arbitre_games::search::budget::Limiter;

/// Input of a run of the phrase DP.
pub struct DpQuery<'t> {
    /// The unit.
    pub piece: &'t Piece,
    /// Positions in which the unit fits, as [`Piece::free`] writes them.
    pub free: &'t [Row],
    /// Node at the end of the text so far.
    pub node: PhraseNode,
    /// Phrases used so far, as bits.
    pub used: u64,
    /// Spelling table of the unit.
    pub spellings: &'t SpellingTable,
    /// Spelling table of the next unit.
    pub next_unit_spellings: &'t SpellingTable,
    /// Value of the first use of a phrase, in points.
    pub first_use: i32,
    /// Largest number of labels of a place.
    pub labels: usize,
}

/// A position to lock the unit in, with the text of a path to it.
#[derive(Clone, Copy, Debug)]
pub struct LockOption {
    /// Position in which the unit is locked.
    pub at: UnitPosition,
    /// Points for phrases on the path, with first uses.
    pub points: u32,
    /// Node at the end of the text.
    pub node: PhraseNode,
    /// Phrases used for the first time, as bits.
    pub newly_used: u64,
    /// Index of the last letter in [`PhraseDp::traces`].
    last_letter: u32,
}

/// A letter of a text, and the index of the letter before it.
#[derive(Clone, Copy)]
struct LetterTrace {
    before: u32,
    letter: u8,
}

/// Index before the first letter of a text.
const NONE: u32 = u32::MAX;
/// Largest number of options to lock a unit in a position. Not tuned.
const LOCK_OPTIONS: usize = 2;

/// Layer of the labels that came into the row from above.
const FALLEN: usize = row_direction::EITHER;
/// Layer of the labels that go west in the row.
const WESTWARD: usize = row_direction::WEST;
/// Layer of the labels that go east in the row.
const EASTWARD: usize = row_direction::EAST;
/// Layer of the labels in the next row.
const BELOW: usize = 3;
/// Layer of the locked labels.
const LOCKED: usize = 4;

/// The phrase DP, with buffers that are reused from run to run.
pub struct PhraseDp<'p> {
    phrases: &'p Phrases,
    layers: [LabelLayer; 5],
    /// Letters of all labels of the run. Texts with the same beginning share it.
    traces: Vec<LetterTrace>,
}

impl<'p> PhraseDp<'p> {
    /// Creates the phrase DP for these phrases.
    pub fn new(phrases: &'p Phrases) -> PhraseDp<'p> {
        PhraseDp { phrases, layers: Default::default(), traces: Vec::new() }
    }

    /// Returns the options to lock a unit, a few for each position reached before the limiter
    /// stopped. The limiter counts rows.
    pub fn run(&mut self, query: &DpQuery, limiter: &mut Limiter) -> Vec<LockOption> {
        let (piece, spawn) = (query.piece, query.piece.spawn());
        let buckets = RowFit::buckets(piece);
        self.layers[..LOCKED].iter_mut().for_each(|layer| layer.prepare(buckets, query.labels));
        self.layers[LOCKED].prepare(piece.positions(), LOCK_OPTIONS);
        self.traces.clear();
        let start = DpLabel::start(query.node);
        let mut row = piece.pivot_row(spawn);
        let mut fit = RowFit::new(piece, query.free, row);
        let bucket = fit.bucket(0, spawn.column.into());
        self.layers[FALLEN].offer(bucket, &start, || NONE);
        while self.layers[FALLEN].has_any() && !limiter.tick() {
            let below = RowFit::new(piece, query.free, row + 1);
            self.visit_row(query, &fit, &below);
            self.layers.swap(FALLEN, BELOW);
            self.layers[WESTWARD..=BELOW].iter_mut().for_each(LabelLayer::clear);
            (row, fit) = (row + 1, below);
        }
        self.options(query)
    }

    fn options(&self, query: &DpQuery) -> Vec<LockOption> {
        let mut options = Vec::new();
        for &bucket in self.layers[LOCKED].occupied() {
            let at = query.piece.position(bucket as usize);
            let more = FIRST_USE as i32 - query.first_use;
            options.extend(self.layers[LOCKED].labels(bucket as usize).iter().map(|label| {
                LockOption {
                    at,
                    points: (label.points + label.newly_used.count_ones() as i32 * more) as u32,
                    node: label.node,
                    newly_used: label.newly_used,
                    last_letter: label.last_letter,
                }
            }));
        }
        options
    }

    /// Returns the letters of an option that the last run found.
    pub fn text(&self, option: &LockOption) -> Box<[u8]> {
        let (mut text, mut at) = (Vec::new(), option.last_letter);
        while at != NONE {
            let trace = self.traces[at as usize];
            text.push(trace.letter);
            at = trace.before;
        }
        text.reverse();
        text.into()
    }

    /// Visits a row of the pivot: first the labels that fell into it, then westward, then eastward.
    fn visit_row(&mut self, query: &DpQuery, fit: &RowFit, below: &RowFit) {
        for column in fit.columns() {
            self.visit(query, fit, below, column, FALLEN);
        }
        for column in fit.columns().rev() {
            self.visit(query, fit, below, column, WESTWARD);
        }
        for column in fit.columns() {
            self.visit(query, fit, below, column, EASTWARD);
        }
    }

    /// Extends the labels of a layer at a cell of the pivot.
    fn visit(&mut self, query: &DpQuery, fit: &RowFit, below: &RowFit, column: i32, layer: usize) {
        let mut places = [None; 6];
        let mut has_any = false;
        for (rotation, place) in places[..query.piece.period()].iter_mut().enumerate() {
            *place = fit.place(rotation, column);
            has_any |= place.is_some_and(|bucket| !self.layers[layer].labels(bucket).is_empty());
        }
        if !has_any {
            return;
        }
        if query.piece.period() > 1 {
            self.turn(query, fit, column, layer, &places);
        }
        for (rotation, place) in places.into_iter().enumerate() {
            let Some(bucket) = place else { continue };
            if self.layers[layer].labels(bucket).is_empty() {
                continue;
            }
            let locked = (LOCKED, query.piece.index(fit.position(rotation, column)));
            let aside = |to: i32, direction: usize| match fit.place(rotation, to) {
                Some(to) if layer == FALLEN || layer == direction => Some((direction, to)),
                // A path that turns back might hold a position twice.
                Some(_) => None,
                None => Some(locked),
            };
            let down = |to: i32| below.place(rotation, to).map_or(locked, |to| (BELOW, to));
            let targets = [
                (Command::West, aside(column - 1, WESTWARD)),
                (Command::East, aside(column + 1, EASTWARD)),
                (Command::SouthWest, Some(down(column - 1))),
                (Command::SouthEast, Some(down(column))),
            ];
            for number in 0..self.layers[layer].labels(bucket).len() {
                let label = DpLabel { turned: 0, ..self.layers[layer].labels(bucket)[number] };
                for (command, to) in targets {
                    if let Some(to) = to {
                        self.write(query, &label, command, to);
                    }
                }
            }
        }
    }

    /// Turns the labels of a cell, in rounds: labels turned once extend those not turned, and so
    /// on.
    fn turn(
        &mut self,
        query: &DpQuery,
        fit: &RowFit,
        column: i32,
        layer: usize,
        places: &[Option<usize>; 6],
    ) {
        let period = query.piece.period();
        for turns in 0..period as i8 {
            let mut has_any = false;
            for rotation in 0..period {
                let Some(bucket) = places[rotation] else { continue };
                for number in 0..self.layers[layer].labels(bucket).len() {
                    let label = self.layers[layer].labels(bucket)[number];
                    if label.turned.abs() == turns {
                        has_any = true;
                        self.turn_once(query, fit, (rotation, column), layer, places, &label);
                    }
                }
            }
            if !has_any {
                break;
            }
        }
    }

    fn turn_once(
        &mut self,
        query: &DpQuery,
        fit: &RowFit,
        (rotation, column): (usize, i32),
        layer: usize,
        places: &[Option<usize>; 6],
        label: &DpLabel,
    ) {
        let period = query.piece.period();
        for (command, sign, to) in [
            (Command::Clockwise, 1, (rotation + 1) % period),
            (Command::CounterClockwise, -1, (rotation + period - 1) % period),
        ] {
            if label.turned * sign < 0 {
                continue;
            }
            match places[to] {
                Some(to) if usize::from(label.turned.unsigned_abs()) + 1 < period => {
                    let label = DpLabel { turned: label.turned + sign, ..*label };
                    self.write(query, &label, command, (layer, to));
                }
                // After a full turn the unit would be back at a position that it has held.
                Some(_) => {}
                None => {
                    let locked = query.piece.index(fit.position(rotation, column));
                    self.write(query, label, command, (LOCKED, locked));
                }
            }
        }
    }

    /// Offers the labels to which each spelling of a command leads.
    #[inline]
    fn write(
        &mut self,
        query: &DpQuery,
        from: &DpLabel,
        command: Command,
        (layer, bucket): (usize, usize),
    ) {
        // The next unit continues the text of a locked one.
        let (spellings, direction) = match layer {
            LOCKED => (query.next_unit_spellings, FALLEN),
            BELOW => (query.spellings, FALLEN),
            direction => (query.spellings, direction),
        };
        for spelling in spellings.of(direction, from.node, command) {
            let mut key = from.points + spelling.value;
            // Spellings are sorted by value, so no later one is taken either.
            if !self.layers[layer].wants(bucket, key) {
                return;
            }
            // Fallen labels may go either way, so a label that moved aside must be better.
            let is_aside = layer == WESTWARD || layer == EASTWARD;
            if is_aside && !self.layers[FALLEN].wants(bucket, key) {
                return;
            }
            let mut points = from.points + self.phrases.gain(spelling.next) as i32;
            let mut newly_used = from.newly_used;
            // The value counts a phrase as a first use even if this path used it before.
            if spelling.is_first {
                let ended = self.phrases.ended(spelling.next) & !query.used;
                key -= (ended & from.newly_used).count_ones() as i32 * query.first_use;
                newly_used |= ended;
                points += (ended & !from.newly_used).count_ones() as i32 * query.first_use;
            }
            let label = DpLabel { key, points, node: spelling.next, newly_used, ..*from };
            let traces = &mut self.traces;
            self.layers[layer].offer(bucket, &label, || {
                traces.push(LetterTrace { before: from.last_letter, letter: spelling.letter });
                traces.len() as u32 - 1
            });
        }
    }
}
