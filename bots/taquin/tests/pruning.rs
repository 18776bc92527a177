//! Tests of FSM pruning against a search without it.

use super::Distances;
use crate::taquin::best::fsm_pruning::{PruningFsm, DEAD};
use arbitre_games::games::taquin::{uniform, Board, Direction};
use arbitre_games::rng::Rng;
use std::collections::HashSet;

/// Returns the boards at the ends of all paths of `moves` moves, and the number of paths.
fn ends(fsm: &PruningFsm, board: &Board, moves: u32) -> (HashSet<Board>, usize) {
    let mut layer = vec![(board.clone(), fsm.start(board.blank()))];
    for _ in 0..moves {
        let mut next = Vec::new();
        for (board, state) in &layer {
            for (direction, &state) in Direction::ALL.into_iter().zip(fsm.after(*state)) {
                match board.after(direction) {
                    Some(after) if state != DEAD => next.push((after, state)),
                    Some(_) => {}
                    None => assert_eq!(state, DEAD, "the move leaves the board"),
                }
            }
        }
        layer = next;
    }
    let count = layer.len();
    (layer.into_iter().map(|(board, _)| board).collect(), count)
}

/// Every board at that distance must still be reached, on no more paths than by a search that
/// prunes only moves straight back.
#[test]
fn pruning_removes_duplicates_but_no_board() {
    let distances = Distances::new(3, 3);
    let (back, twelve) = (PruningFsm::new((3, 3), 2), PruningFsm::new((3, 3), 12));
    assert!(back.states() < 64 && twelve.states() > 100);
    for moves in [1, 5, 11, 12, 16] {
        let at_distance = distances.each(1).filter(|(_, distance)| *distance == moves);
        let expected: HashSet<Board> = at_distance.map(|(board, _)| board).collect();
        let (all, paths) = ends(&back, &Board::goal(3, 3), moves);
        let (fewer, fewer_paths) = ends(&twelve, &Board::goal(3, 3), moves);
        assert!(expected.is_subset(&all) && expected.is_subset(&fewer));
        assert!(fewer_paths <= paths);
        if moves <= 12 {
            // Up to the longest known duplicate, a board has a single path, unless a shorter one
            // leads there.
            assert!(fewer_paths == fewer.len() && fewer.len() == expected.len());
        }
    }
    let mut rng = Rng::new(2);
    for (rows, columns) in [(2, 2), (2, 5), (4, 4), (5, 5), (3, 4)] {
        let (few, many) =
            (PruningFsm::new((rows, columns), 7), PruningFsm::new((rows, columns), 2));
        for _ in 0..4 {
            let board = uniform(rows, columns, &mut rng);
            for moves in [3, 7, 9] {
                let ((fewer, paths), (all, all_paths)) =
                    (ends(&few, &board, moves), ends(&many, &board, moves));
                let shorter: HashSet<Board> =
                    (0..moves).flat_map(|moves| ends(&many, &board, moves).0).collect();
                let farthest = |boards: HashSet<Board>| -> HashSet<Board> {
                    boards.difference(&shorter).cloned().collect()
                };
                assert_eq!(farthest(fewer), farthest(all));
                assert!(paths <= all_paths);
            }
        }
    }
}
