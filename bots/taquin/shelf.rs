//! Boards for a search that keeps many: a word each, and two bytes that say how it was reached. Open and closed ones lie
//! in one table with open addressing, in drawers that grow apart from each other, so that little is copied
//! at a time.

use super::store::Packed;

/// How many drawers there are; the upper bits of a mixed word choose one.
const DRAWERS: usize = 1 << DRAWER_BITS;
const DRAWER_BITS: u32 = 8;
/// A drawer grows by a quarter when so many hundredths of it are taken.
const FULL: usize = 80;
/// The places of a new drawer.
const FIRST: usize = 16;

/// How a board was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// The length of the shortest path through it, as far as is known.
    pub length: u8,
    /// The last move of the path to it, or no move.
    pub way: u8,
    /// Are its successors still to be generated?
    pub is_open: bool,
}

/// A note in two bytes; where nothing is, the first of them is [`FREE`].
#[derive(Clone, Copy)]
struct Short([u8; 2]);

const FREE: u8 = u8::MAX;
const OPEN: u8 = 1 << 7;

impl Short {
    fn new(note: Note) -> Short {
        assert!(note.length != FREE, "paths are shorter than {FREE}");
        Short([note.length, note.way | if note.is_open { OPEN } else { 0 }])
    }

    fn note(self) -> Note {
        let [length, rest] = self.0;
        Note { length, way: rest & !OPEN, is_open: rest & OPEN != 0 }
    }
}

/// The boards.
pub struct Shelf<K> {
    drawers: Vec<Drawer<K>>,
    len: usize,
    /// The places of all drawers, and of the largest.
    places: usize,
    largest: usize,
}

#[derive(Clone)]
struct Drawer<K> {
    words: Vec<K>,
    notes: Vec<Short>,
    taken: usize,
}

/// The place of a board, until the next one is put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    drawer: usize,
    at: usize,
}

impl<K: Packed + Default> Shelf<K> {
    /// An empty one.
    pub fn new() -> Shelf<K> {
        let drawer = Drawer::with_places(FIRST);
        let (drawers, places) = (vec![drawer; DRAWERS], DRAWERS * FIRST);
        Shelf { drawers, len: 0, places, largest: FIRST }
    }

    /// How many boards there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes that it takes, also while its largest drawer grows.
    pub fn bytes(&self) -> usize {
        self.bytes_with(0)
    }

    /// The same once so many boards more are put in, at most.
    pub fn bytes_with(&self, boards: usize) -> usize {
        let place = std::mem::size_of::<K>() + std::mem::size_of::<Short>();
        let larger = if boards > 0 { grown(self.largest) } else { self.largest };
        place * (self.places + boards * (larger - self.largest) + grown(larger))
    }

    /// Where a board is; none if it is not there.
    pub fn find(&self, word: K) -> Option<Place> {
        let (drawer, mixed) = split(word);
        let at = self.drawers[drawer].place(word, mixed);
        (!self.drawers[drawer].is_free(at)).then_some(Place { drawer, at })
    }

    /// How a board was reached.
    pub fn note(&self, place: Place) -> Note {
        self.drawers[place.drawer].notes[place.at].note()
    }

    /// Changes how a board was reached.
    pub fn set(&mut self, place: Place, note: Note) {
        self.drawers[place.drawer].notes[place.at] = Short::new(note);
    }

    /// Puts a board in, or notes a shorter path to one that is there. Returns whether it did one of both.
    #[inline]
    pub fn improve(&mut self, word: K, note: Note) -> bool {
        let (number, mixed) = split(word);
        let drawer = &mut self.drawers[number];
        let at = drawer.place(word, mixed);
        if !drawer.is_free(at) {
            let is_shorter = note.length < drawer.notes[at].0[0];
            if is_shorter {
                drawer.notes[at] = Short::new(note);
            }
            return is_shorter;
        }
        drawer.words[at] = word;
        drawer.notes[at] = Short::new(note);
        drawer.taken += 1;
        self.len += 1;
        if 100 * drawer.taken >= FULL * drawer.words.len() {
            let before = drawer.words.len();
            drawer.grow();
            self.places += drawer.words.len() - before;
            self.largest = self.largest.max(drawer.words.len());
        }
        true
    }

    /// Asks for the place where a board is or belongs, which is looked at soon.
    #[inline]
    pub fn ask_for(&self, word: K) {
        let (drawer, mixed) = split(word);
        let drawer = &self.drawers[drawer];
        let at = drawer.home(mixed);
        super::pattern::ask_for(&drawer.words, at);
        super::pattern::ask_for(&drawer.notes, at);
    }

    /// The first open board from this place on whose path is no longer than this, in the order of places, with its
    /// own place; none if there is none.
    pub fn next_open(&self, from: Place, longest: u8) -> Option<(Place, K)> {
        let mut place = from;
        while let Some(drawer) = self.drawers.get(place.drawer) {
            let rest = drawer.notes[place.at.min(drawer.notes.len())..].iter();
            // A free place is longer than any path.
            let is_it = |note: &Short| note.0[0] <= longest && note.0[1] & OPEN != 0;
            if let Some(skipped) = rest.into_iter().position(is_it) {
                place.at += skipped;
                return Some((place, drawer.words[place.at]));
            }
            place = Place { drawer: place.drawer + 1, at: 0 };
        }
        None
    }
}

impl Place {
    /// The first one.
    pub const FIRST: Place = Place { drawer: 0, at: 0 };
}

/// A drawer's number, and the bits that say where in it.
#[inline]
fn split<K: Packed>(word: K) -> (usize, u64) {
    let mixed = word.mixed();
    ((mixed >> (u64::BITS - DRAWER_BITS)) as usize, mixed << DRAWER_BITS)
}

/// The places of a drawer that has grown.
fn grown(places: usize) -> usize {
    places + places / 4 + 1
}

impl<K: Packed + Default> Drawer<K> {
    fn with_places(places: usize) -> Drawer<K> {
        let (words, notes) = (vec![K::default(); places], vec![Short([FREE; 2]); places]);
        Drawer { words, notes, taken: 0 }
    }

    fn is_free(&self, at: usize) -> bool {
        self.notes[at].0[0] == FREE
    }

    /// The place from which on a board is looked for.
    #[inline]
    fn home(&self, mixed: u64) -> usize {
        ((u128::from(mixed) * self.words.len() as u128) >> u64::BITS) as usize
    }

    /// The place of a board, or the one where it belongs.
    #[inline]
    fn place(&self, word: K, mixed: u64) -> usize {
        let mut at = self.home(mixed);
        while !self.is_free(at) && self.words[at] != word {
            at = if at + 1 == self.words.len() { 0 } else { at + 1 };
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Drawer::with_places(grown(self.words.len()));
        for (&word, &note) in
            self.words.iter().zip(&self.notes).filter(|(_, note)| note.0[0] != FREE)
        {
            let at = larger.place(word, split(word).1);
            larger.words[at] = word;
            larger.notes[at] = note;
        }
        larger.taken = self.taken;
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::taquin::uniform;
    use arbitre_games::rng::Rng;
    use std::collections::{HashMap, HashSet};

    /// Against a map; and the open boards of a length are those that are found one after the other.
    fn boards_come_back<K: Packed + Default + std::fmt::Debug>(rows: usize, columns: usize) {
        let (mut shelf, mut slow, mut rng) = (Shelf::<K>::new(), HashMap::new(), Rng::new(2));
        for _ in 0..30_000 {
            let word = K::pack(uniform(rows, columns, &mut rng).cells());
            let (length, way) = (rng.below(80) as u8, rng.below(5) as u8);
            let note = Note { length, way, is_open: rng.below(2) == 0 };
            let is_better = slow.get(&word).is_none_or(|known: &Note| length < known.length);
            assert_eq!(shelf.improve(word, note), is_better);
            if is_better {
                slow.insert(word, note);
            }
        }
        assert_eq!(shelf.len(), slow.len());
        for (&word, &note) in &slow {
            assert_eq!(shelf.note(shelf.find(word).expect("it is there")), note);
        }
        let expected = slow.iter().filter(|(_, note)| note.is_open && note.length <= 40);
        let expected: HashSet<K> = expected.map(|(&word, _)| word).collect();
        let (mut found, mut place) = (HashSet::new(), Place::FIRST);
        while let Some((at, word)) = shelf.next_open(place, 40) {
            assert!(found.insert(word) && shelf.find(word) == Some(at));
            shelf.set(at, Note { is_open: false, ..shelf.note(at) });
            place = at;
        }
        assert_eq!(found, expected);
        let place = std::mem::size_of::<K>() + 2;
        assert!(slow.len() < 1_000 || shelf.bytes() < 2 * place * slow.len());
    }

    #[test]
    fn a_board_is_kept_once_with_its_shortest_path() {
        boards_come_back::<u64>(2, 3);
        boards_come_back::<u64>(4, 4);
        boards_come_back::<u128>(3, 3);
        boards_come_back::<u128>(5, 5);
    }
}
