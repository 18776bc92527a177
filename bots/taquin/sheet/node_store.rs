//! Boards as words, each stored once and numbered in the order in which it came.

use crate::taquin::packed_board::PackedBoard;

/// The boards, in a table with open addressing.
pub struct NodeStore<K> {
    boards: Vec<K>,
    /// The numbers of the boards, at most three of four places taken.
    places: Vec<u32>,
}

/// In place of a number.
const FREE: u32 = u32::MAX;

impl<K> Default for NodeStore<K> {
    fn default() -> Self {
        NodeStore { boards: Vec::new(), places: vec![FREE; 1 << 10] }
    }
}

impl<K: PackedBoard> NodeStore<K> {
    /// The number of a board, and whether it is new.
    pub fn number(&mut self, board: K) -> (u32, bool) {
        if 4 * self.boards.len() >= 3 * self.places.len() {
            self.grow();
        }
        let place = self.place(board);
        let number = self.places[place];
        if number != FREE {
            return (number, false);
        }
        let number = self.boards.len() as u32;
        self.places[place] = number;
        push(&mut self.boards, board);
        (number, true)
    }

    /// The place of a board, or the one where it belongs.
    #[inline]
    fn place(&self, board: K) -> usize {
        let mask = self.places.len() - 1;
        let mut place = board.mixed() as usize & mask;
        while self.places[place] != FREE && self.boards[self.places[place] as usize] != board {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![FREE; 2 * self.places.len()];
        for number in 0..self.boards.len() {
            let place = self.place(self.boards[number]);
            self.places[place] = number as u32;
        }
    }

    /// The board with this number.
    #[inline]
    pub fn get(&self, number: u32) -> K {
        self.boards[number as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// The bytes that they take, if so many more are to have room.
    pub fn bytes(&self, more: usize) -> usize {
        let grows = 4 * (self.boards.len() + more) >= 3 * self.places.len();
        // While it grows there are the old places and twice as many new ones.
        let places = if grows && more > 0 { 3 * self.places.len() } else { self.places.len() };
        std::mem::size_of::<K>() * room(&self.boards, more) + 4 * places
    }
}

/// A vector grows by this part when it is full: doubled, it would often be half empty.
const GROWTH: usize = 8;

/// Adds an item to a vector of millions.
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact((items.len() / GROWTH).max(1 << 10));
    }
    items.push(item);
}

/// For how many items a vector takes memory, if so many more are to have room.
pub fn room<T>(items: &Vec<T>, more: usize) -> usize {
    match items.len() + more > items.capacity() {
        true => items.capacity() + items.capacity() / GROWTH + more,
        false => items.capacity(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::taquin::uniform;
    use arbitre_games::rng::Rng;
    use std::collections::HashMap;

    fn boards_come_back<K: PackedBoard>(rows: usize, columns: usize) {
        let (mut store, mut slow, mut rng) =
            (NodeStore::<K>::default(), HashMap::new(), Rng::new(2));
        for _ in 0..5_000 {
            let board = uniform(rows, columns, &mut rng);
            let next = slow.len() as u32;
            let expected = *slow.entry(board.cells().to_vec()).or_insert(next);
            let word = K::pack(board.cells());
            assert_eq!(store.number(word), (expected, expected == next));
            let mut cells = vec![0; board.cells().len()];
            assert_eq!(store.get(expected).unpack(&mut cells), board.blank());
            assert_eq!(cells, board.cells());
            for next in board.successors() {
                let (from, to) = (next.blank(), board.blank());
                let tile = board.cells()[from].into();
                let slid = word.slid(tile, board.cells().len() - 1, from, to);
                assert!(slid == K::pack(next.cells()));
            }
        }
        assert_eq!(store.len(), slow.len());
    }

    #[test]
    fn a_board_is_stored_once() {
        boards_come_back::<u64>(2, 3);
        boards_come_back::<u64>(4, 4);
        boards_come_back::<u128>(3, 2);
        boards_come_back::<u128>(5, 5);
    }
}
