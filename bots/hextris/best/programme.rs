//! The best phrases on the way to every place where a piece can be locked, by dynamic programming over the
//! cell of the pivot, the rotation, the direction within the row, and the node of the phrases' automaton.
//!
//! No command brings the pivot up. Within a row the programme goes in one direction, and at a cell it turns
//! in one direction and by less than a full turn, so that no position is ever held twice.

use super::lane::Lane;
use super::layer::{Label, Layer};
use super::promise::Arrows;
use arbitre_games::games::hextris::{Command, Node, Phrases, Piece, Position, Row, FIRST_USE};
use arbitre_games::search::budget::Limiter;

/// What a programme starts from.
pub struct Task<'t> {
    /// The unit.
    pub piece: &'t Piece,
    /// Where it fits, as [`Piece::free`] writes it.
    pub free: &'t [Row],
    /// The node at which the text so far ends.
    pub node: Node,
    /// The phrases that were used.
    pub used: u64,
    /// How the unit may write its commands.
    pub arrows: &'t Arrows,
    /// How the one after it may.
    pub then: &'t Arrows,
    /// What the first use of a phrase counts, in points.
    pub first_use: i32,
    /// How many labels a position keeps.
    pub labels: usize,
}

/// A way to lock the unit.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Where it is locked.
    pub at: Position,
    /// What phrases bring on the way, with first uses.
    pub points: u32,
    /// The node at which the text ends then.
    pub node: Node,
    /// The phrases that are used for the first time.
    pub fresh: u64,
    trace: u32,
}

/// A letter, and the number of the one before.
#[derive(Clone, Copy)]
struct Trace {
    before: u32,
    letter: u8,
}

const NONE: u32 = u32::MAX;
/// A place where a piece can be locked keeps so many ways to end the text.
const ENDS: usize = 2;

/// Which layer of labels: those that came into the row from above, those that go west or east in it, those
/// of the next row, and the locked ones.
const FALLEN: usize = 0;
const WESTWARD: usize = 1;
const EASTWARD: usize = 2;
const BELOW: usize = 3;
const LOCKED: usize = 4;

/// The memory of a programme, which serves one run after the other.
pub struct Programme<'p> {
    phrases: &'p Phrases,
    layers: [Layer; 5],
    traces: Vec<Trace>,
}

impl<'p> Programme<'p> {
    /// For these phrases.
    pub fn new(phrases: &'p Phrases) -> Programme<'p> {
        Programme { phrases, layers: Default::default(), traces: Vec::new() }
    }

    /// The ways to lock a unit, a few for each place that can be reached, or that was until the meter said
    /// stop. It counts rows.
    pub fn run(&mut self, task: &Task, meter: &mut Limiter) -> Vec<End> {
        let (piece, spawn) = (task.piece, task.piece.spawn());
        let buckets = Lane::buckets(piece);
        self.layers[..LOCKED].iter_mut().for_each(|layer| layer.prepare(buckets, task.labels));
        self.layers[LOCKED].prepare(piece.positions(), ENDS);
        self.traces.clear();
        let start = Label::start(task.node);
        let mut row = piece.pivot_row(spawn);
        let mut lane = Lane::new(piece, task.free, row);
        let bucket = lane.bucket(0, spawn.column.into());
        self.layers[FALLEN].offer(bucket, &start, || NONE);
        while self.layers[FALLEN].has_any() && !meter.tick() {
            let below = Lane::new(piece, task.free, row + 1);
            self.sweep(task, &lane, &below);
            self.layers.swap(FALLEN, BELOW);
            self.layers[WESTWARD..=BELOW].iter_mut().for_each(Layer::clear);
            (row, lane) = (row + 1, below);
        }
        self.ends(task)
    }

    fn ends(&self, task: &Task) -> Vec<End> {
        let mut ends = Vec::new();
        for &bucket in self.layers[LOCKED].touched() {
            let at = task.piece.position(bucket as usize);
            let more = FIRST_USE as i32 - task.first_use;
            ends.extend(self.layers[LOCKED].labels(bucket as usize).iter().map(|label| End {
                at,
                points: (label.points + label.fresh.count_ones() as i32 * more) as u32,
                node: label.node,
                fresh: label.fresh,
                trace: label.trace,
            }));
        }
        ends
    }

    /// The letters of a way that the last run found.
    pub fn text(&self, end: &End) -> Box<[u8]> {
        let (mut text, mut at) = (Vec::new(), end.trace);
        while at != NONE {
            let trace = self.traces[at as usize];
            text.push(trace.letter);
            at = trace.before;
        }
        text.reverse();
        text.into()
    }

    /// Goes through a row of the pivot: first what fell into it, then westward, then eastward.
    fn sweep(&mut self, task: &Task, lane: &Lane, below: &Lane) {
        for column in lane.columns() {
            self.visit(task, lane, below, column, FALLEN);
        }
        for column in lane.columns().rev() {
            self.visit(task, lane, below, column, WESTWARD);
        }
        for column in lane.columns() {
            self.visit(task, lane, below, column, EASTWARD);
        }
    }

    /// Goes on from the labels of a cell of the pivot that go in a direction.
    fn visit(&mut self, task: &Task, lane: &Lane, below: &Lane, column: i32, layer: usize) {
        let mut places = [None; 6];
        let mut has_any = false;
        for (rotation, place) in places[..task.piece.period()].iter_mut().enumerate() {
            *place = lane.place(rotation, column);
            has_any |= place.is_some_and(|bucket| !self.layers[layer].labels(bucket).is_empty());
        }
        if !has_any {
            return;
        }
        if task.piece.period() > 1 {
            self.turn(task, lane, column, layer, &places);
        }
        for (rotation, place) in places.into_iter().enumerate() {
            let Some(bucket) = place else { continue };
            if self.layers[layer].labels(bucket).is_empty() {
                continue;
            }
            let locked = (LOCKED, task.piece.index(lane.position(rotation, column)));
            let aside = |to: i32, direction: usize| match lane.place(rotation, to) {
                Some(to) if layer == FALLEN || layer == direction => Some((direction, to)),
                // It may have been there before.
                Some(_) => None,
                None => Some(locked),
            };
            let down = |to: i32| below.place(rotation, to).map_or(locked, |to| (BELOW, to));
            let ways = [
                (Command::West, aside(column - 1, WESTWARD)),
                (Command::East, aside(column + 1, EASTWARD)),
                (Command::SouthWest, Some(down(column - 1))),
                (Command::SouthEast, Some(down(column))),
            ];
            for number in 0..self.layers[layer].labels(bucket).len() {
                let label = Label { turned: 0, ..self.layers[layer].labels(bucket)[number] };
                for (command, to) in ways {
                    if let Some(to) = to {
                        self.write(task, &label, command, to);
                    }
                }
            }
        }
    }

    /// Turns the labels of a cell: those that were turned once go on from those that were not, and so on.
    fn turn(
        &mut self,
        task: &Task,
        lane: &Lane,
        column: i32,
        layer: usize,
        places: &[Option<usize>; 6],
    ) {
        let period = task.piece.period();
        for turns in 0..period as i8 {
            let mut has_any = false;
            for rotation in 0..period {
                let Some(bucket) = places[rotation] else { continue };
                for number in 0..self.layers[layer].labels(bucket).len() {
                    let label = self.layers[layer].labels(bucket)[number];
                    if label.turned.abs() == turns {
                        has_any = true;
                        self.turn_once(task, lane, (rotation, column), layer, places, &label);
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
        task: &Task,
        lane: &Lane,
        (rotation, column): (usize, i32),
        layer: usize,
        places: &[Option<usize>; 6],
        label: &Label,
    ) {
        let period = task.piece.period();
        for (command, way, to) in [
            (Command::Clockwise, 1, (rotation + 1) % period),
            (Command::CounterClockwise, -1, (rotation + period - 1) % period),
        ] {
            if label.turned * way < 0 {
                continue;
            }
            match places[to] {
                Some(to) if usize::from(label.turned.unsigned_abs()) + 1 < period => {
                    let label = Label { turned: label.turned + way, ..*label };
                    self.write(task, &label, command, (layer, to));
                }
                // It was there before.
                Some(_) => {}
                None => {
                    let locked = task.piece.index(lane.position(rotation, column));
                    self.write(task, label, command, (LOCKED, locked));
                }
            }
        }
    }

    /// Offers what becomes of a label by each way to write a command.
    #[inline]
    fn write(
        &mut self,
        task: &Task,
        from: &Label,
        command: Command,
        (layer, bucket): (usize, usize),
    ) {
        // Of a locked unit's letters the next one makes the best.
        let (arrows, way) = match layer {
            LOCKED => (task.then, FALLEN),
            BELOW => (task.arrows, FALLEN),
            way => (task.arrows, way),
        };
        for arrow in arrows.of(way, from.node, command) {
            let mut key = from.points + arrow.worth;
            if !self.layers[layer].wants(bucket, key) {
                return;
            }
            // Who has just fallen there may go either way.
            let is_aside = layer == WESTWARD || layer == EASTWARD;
            if is_aside && !self.layers[FALLEN].wants(bucket, key) {
                return;
            }
            let mut points = from.points + self.phrases.gain(arrow.next) as i32;
            let mut fresh = from.fresh;
            if arrow.is_first {
                let ended = self.phrases.ended(arrow.next) & !task.used;
                key -= (ended & from.fresh).count_ones() as i32 * task.first_use;
                fresh |= ended;
                points += (ended & !from.fresh).count_ones() as i32 * task.first_use;
            }
            let label = Label { key, points, node: arrow.next, fresh, ..*from };
            let traces = &mut self.traces;
            self.layers[layer].offer(bucket, &label, || {
                traces.push(Trace { before: from.trace, letter: arrow.letter });
                traces.len() as u32 - 1
            });
        }
    }
}
