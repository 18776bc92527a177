use super::*;
use crate::tron::best::bitboards::SmallGrid;
use crate::tron::best::evaluation::OPEN;

/// The slow twin: plain minimax.
fn minimax(two_player: &TwoPlayerPosition<SmallGrid>, depth: u32) -> i32 {
    if depth == 0 {
        return SmallGrid::evaluate(two_player, OPEN, &mut ChamberTree::default());
    }
    let values = two_player.ways().map(|(_, to)| -minimax(&two_player.after(to), depth - 1));
    values.max().unwrap_or(lost(two_player))
}

fn random(rng: &mut Rng) -> TwoPlayerPosition<SmallGrid> {
    let (width, height) = (2 + rng.below(6), 2 + rng.below(5));
    let mut free = SmallGrid::NONE;
    let cells: Vec<Cell> =
        (0..width * height).map(|cell| Cell::new(cell % width, cell / width)).collect();
    cells.iter().filter(|_| rng.below(6) > 0).for_each(|&cell| free.insert(cell));
    let heads = [cells[0], cells[cells.len() - 1]];
    heads.into_iter().for_each(|head| free.remove(head));
    TwoPlayerPosition { free, heads }
}

/// Where nothing is searched less deep.
#[test]
fn the_search_finds_what_minimax_finds() {
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..300 {
        let two_player = random(&mut rng);
        if two_player.ways().next().is_none() {
            continue;
        }
        let mut searcher = TwoPlayerSearch { selective: false, ..TwoPlayerSearch::new(1 << 10) };
        let found = searcher.search(&two_player, Budget::depth(1 + rng.below(7) as u32));
        assert_eq!(found.value, minimax(&two_player, found.depth), "{two_player:?}");
        let to = two_player.heads[0].towards(found.best);
        assert_eq!(-minimax(&two_player.after(to), found.depth - 1), found.value);
        decided += usize::from(found.value.abs() >= WON);
    }
    assert!((20..280).contains(&decided), "{decided} were decided");
}

/// Beyond the first ply a search ends where no cell is equally near to both.
#[test]
fn leaves_are_where_nobody_is_first_by_turn_alone() {
    let mut rng = Rng::new(14);
    let mut even = 0;
    for _ in 0..200 {
        let two_player = random(&mut rng);
        if two_player.ways().next().is_none() {
            continue;
        }
        let most = 2 + rng.below(5) as u32;
        let found = TwoPlayerSearch::new(1 << 10).search(&two_player, Budget::depth(most));
        let steps = |cell: Cell| cell.index() / 64 + cell.index() % 64;
        let apart = steps(two_player.heads[0]).abs_diff(steps(two_player.heads[1])) as u32;
        if found.value.abs() < WON {
            assert!(found.depth == most || found.depth == most - 1 || most == 2);
            assert!(found.depth == 1 || (apart + found.depth) % 2 == 1, "{two_player:?}");
            even += found.depth % 2;
        }
    }
    assert!((20..180).contains(&even), "{even} ended after an odd number of plies");
}
