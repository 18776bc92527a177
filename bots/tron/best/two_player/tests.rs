use super::*;
use crate::tron::best::bitboards::SmallGrid;
use crate::tron::best::evaluation::OPEN;
use crate::tron::best::reference::RandomGrid;

/// Reference: plain minimax.
fn minimax(position: &TwoPlayerPosition<SmallGrid>, depth: u32) -> i32 {
    if depth == 0 {
        return SmallGrid::evaluate(position, OPEN, &mut ChamberTree::default());
    }
    let values = position.ways().map(|(_, to)| -minimax(&position.after(to), depth - 1));
    values.max().unwrap_or(lost(position))
}

/// Returns a random position in which the mover can move.
fn random(rng: &mut Rng) -> TwoPlayerPosition<SmallGrid> {
    let mut draws = std::iter::repeat_with(|| RandomGrid::new(rng, (2, 2), (7, 6)).two_players());
    draws.find(|position| position.ways().next().is_some()).expect("there are many")
}

/// The values agree without reductions and static pruning.
#[test]
fn search_agrees_with_minimax() {
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..300 {
        let position = random(&mut rng);
        let mut searcher = TwoPlayerSearch { selective: false, ..TwoPlayerSearch::new(1 << 10) };
        let found = searcher.search(&position, Budget::depth(1 + rng.below(7) as u32));
        assert_eq!(found.value, minimax(&position, found.depth), "{position:?}");
        let to = position.heads[0].towards(found.best);
        assert_eq!(-minimax(&position.after(to), found.depth - 1), found.value);
        decided += usize::from(found.value.abs() >= WON);
    }
    assert!((20..280).contains(&decided), "{decided} were decided");
}

/// Beyond the first ply, iterations end only where no cell is equally near to both.
#[test]
fn iterations_end_on_cells_of_different_colours() {
    let mut rng = Rng::new(14);
    let mut even = 0;
    for _ in 0..200 {
        let position = random(&mut rng);
        let most = 2 + rng.below(5) as u32;
        let found = TwoPlayerSearch::new(1 << 10).search(&position, Budget::depth(most));
        let steps = |cell: Cell| cell.index() / 64 + cell.index() % 64;
        let apart = steps(position.heads[0]).abs_diff(steps(position.heads[1])) as u32;
        if found.value.abs() < WON {
            assert!(found.depth == most || found.depth == most - 1 || most == 2);
            assert!(found.depth == 1 || (apart + found.depth) % 2 == 1, "{position:?}");
            even += found.depth % 2;
        }
    }
    assert!((20..180).contains(&even), "{even} searches ended after an odd number of plies");
}
