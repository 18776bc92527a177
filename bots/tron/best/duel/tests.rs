use super::*;
use crate::tron::best::evaluate::OPEN;
use crate::tron::best::plane::Small;

/// The slow twin: plain minimax.
fn minimax(duel: &Duel<Small>, depth: u32) -> i32 {
    if depth == 0 {
        return Small::evaluate(duel, OPEN, &mut Chambers::default());
    }
    let values = duel.ways().map(|(_, to)| -minimax(&duel.after(to), depth - 1));
    values.max().unwrap_or(lost(duel))
}

fn random(rng: &mut Rng) -> Duel<Small> {
    let (width, height) = (2 + rng.below(6), 2 + rng.below(5));
    let mut free = Small::NONE;
    let spots: Vec<Cell> =
        (0..width * height).map(|cell| Cell::new(cell % width, cell / width)).collect();
    spots.iter().filter(|_| rng.below(6) > 0).for_each(|&spot| free.insert(spot));
    let heads = [spots[0], spots[spots.len() - 1]];
    heads.into_iter().for_each(|head| free.remove(head));
    Duel { free, heads }
}

/// Where nothing is searched less deep.
#[test]
fn the_search_finds_what_minimax_finds() {
    let mut rng = Rng::new(11);
    let mut decided = 0;
    for _ in 0..300 {
        let duel = random(&mut rng);
        if duel.ways().next().is_none() {
            continue;
        }
        let mut searcher = Searcher { selective: false, ..Searcher::new(1 << 10) };
        let found = searcher.search(&duel, Budget::depth(1 + rng.below(7) as u32));
        assert_eq!(found.value, minimax(&duel, found.depth), "{duel:?}");
        let to = duel.heads[0].towards(found.best);
        assert_eq!(-minimax(&duel.after(to), found.depth - 1), found.value);
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
        let duel = random(&mut rng);
        if duel.ways().next().is_none() {
            continue;
        }
        let most = 2 + rng.below(5) as u32;
        let found = Searcher::new(1 << 10).search(&duel, Budget::depth(most));
        let steps = |spot: Cell| spot.index() / 64 + spot.index() % 64;
        let apart = steps(duel.heads[0]).abs_diff(steps(duel.heads[1])) as u32;
        if found.value.abs() < WON {
            assert!(found.depth == most || found.depth == most - 1 || most == 2);
            assert!(found.depth == 1 || (apart + found.depth) % 2 == 1, "{duel:?}");
            even += found.depth % 2;
        }
    }
    assert!((20..180).contains(&even), "{even} ended after an odd number of plies");
}
