//! Store of packed boards, each stored once and numbered in order of insertion.

use crate::taquin::packed_board::PackedBoard;

/// Boards in a hash table with open addressing.
pub struct NodeStore<K> {
    boards: Vec<K>,
    /// Numbers of the boards by slot; at most three of four slots are taken.
    places: Vec<u32>,
}

/// Marks a free slot.
const FREE: u32 = u32::MAX;

impl<K> Default for NodeStore<K> {
    fn default() -> Self {
        NodeStore { boards: Vec::new(), places: vec![FREE; 1 << 10] }
    }
}

impl<K: PackedBoard> NodeStore<K> {
    /// Returns the number of a board, and whether it is new.
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

    /// Returns the slot of a board, or the free slot where it belongs.
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

    /// Returns the board with this number.
    #[inline]
    pub fn get(&self, number: u32) -> K {
        self.boards[number as usize]
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Returns the size in bytes, with room for `more` more boards.
    pub fn bytes(&self, more: usize) -> usize {
        let grows = 4 * (self.boards.len() + more) >= 3 * self.places.len();
        // While the table grows, the old slots and double their number exist together.
        let places = if grows && more > 0 { 3 * self.places.len() } else { self.places.len() };
        std::mem::size_of::<K>() * room(&self.boards, more) + 4 * places
    }
}

/// Divisor of the growth of a full vector: it grows by an eighth, because doubled vectors are often
/// half empty.
const GROWTH: usize = 8;

/// Appends an item to a vector that may hold millions.
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact((items.len() / GROWTH).max(1 << 10));
    }
    items.push(item);
}

/// Returns the number of items for which a vector takes memory, with room for `more` more items.
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
    fn each_board_is_stored_once() {
        boards_come_back::<u64>(2, 3);
        boards_come_back::<u64>(4, 4);
        boards_come_back::<u128>(3, 2);
        boards_come_back::<u128>(5, 5);
    }
}
