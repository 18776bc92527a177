use super::*;
use crate::tron::best::bitboards::{LargeGrid, SmallGrid, Step};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::reference::{drawn, RandomGrid};
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::Direction;
use arbitre_games::rng::Rng;
use std::collections::BTreeSet;

type Cells = BTreeSet<u16>;

/// Evaluates in a function of its own. Inlined into each test, the evaluation took a quarter of the
/// CPU time to compile the tests of all bots (2026-11-26).
#[inline(never)]
fn evaluate<P: Loaded>(
    position: &TwoPlayerPosition<P::Stored>,
    window: (i32, i32),
    tree: &mut ChamberTree,
) -> i32 {
    super::evaluate::<P>(position, window, tree)
}

/// Returns the cells reachable from `from` without `without`, one by one.
fn reach(cells: &Cells, from: Cell, without: Cell) -> Cells {
    let (mut reached, mut waiting) = (Cells::new(), vec![from]);
    while let Some(cell) = waiting.pop() {
        for next in Direction::ALL.map(|direction| cell.towards(direction)) {
            if cells.contains(&next.0) && next != without && reached.insert(next.0) {
                waiting.push(next);
            }
        }
    }
    reached
}

/// Reference of [`ChamberTree`], which tests for each cell what is cut off without it.
struct Slow<'a, R> {
    part: &'a dyn Fn(&Cells) -> ChamberPart,
    score: R,
}

impl<R: PathScore> Slow<'_, R> {
    /// Returns the value of the best path through `cells` from the door.
    fn best(&self, door: Cell, mut cells: Cells) -> Option<R::Value> {
        let mut best = None;
        for next in Direction::ALL.map(|direction| door.towards(direction)) {
            if cells.contains(&next.0) {
                let mut beyond = reach(&cells, next, door);
                beyond.insert(next.0);
                cells.retain(|cell| !beyond.contains(cell));
                let found = self.best_in(door, &beyond);
                best = match best {
                    Some(known) if known >= found => Some(known),
                    _ => Some(found),
                };
            }
        }
        best
    }

    fn best_in(&self, door: Cell, cells: &Cells) -> R::Value {
        let without = |cell: u16| reach(cells, door, Cell(cell));
        let mut chamber = cells.clone();
        for &cell in cells {
            let still = without(cell);
            chamber.retain(|other| *other == cell || still.contains(other));
        }
        let part = (self.part)(&chamber);
        let mut best = self.score.end(&part, door.colour());
        for &cell in &chamber {
            let still = without(cell);
            let beyond = cells.iter().copied().filter(|&at| at != cell && !still.contains(&at));
            if let Some(beyond) = self.best(Cell(cell), beyond.collect()) {
                let last = Cell(cell).colour();
                let found = self.score.onward(&part, door.colour(), last, beyond);
                best = if found > best { found } else { best };
            }
        }
        best
    }
}

fn cells_of(bitboards: SmallGrid) -> Cells {
    let mut cells = Cells::new();
    bitboards.each(|cell| _ = cells.insert(cell.0));
    cells
}

fn slowly(position: &TwoPlayerPosition<SmallGrid>) -> i32 {
    let regions = regions(position.free, position.heads);
    let sets = regions.map(cells_of);
    let beside = |cell: u16| Direction::ALL.map(|direction| Cell(cell).towards(direction));
    let touch = |cell: u16, set: &Cells| beside(cell).iter().any(|cell| set.contains(&cell.0));
    let mut others = sets[1].clone();
    others.insert(position.heads[1].0);
    if !sets[0].iter().any(|&cell| touch(cell, &others)) {
        let part = |cells: &Cells| {
            let of = |colour| cells.iter().filter(|&&at| Cell(at).colour() == colour).count();
            ChamberPart { cells: [0, 1].map(|one| of(one) as i32), ..ChamberPart::default() }
        };
        let slow = Slow { part: &part, score: Survival };
        let moves = |seat: usize| slow.best(position.heads[seat], sets[seat].clone()).unwrap_or(0);
        let lead = 2 * (moves(0) - moves(1)) - 1;
        return APART * lead.signum() + ROOM * lead;
    }
    let value = |seat: usize| {
        let part = |cells: &Cells| {
            let part = |&cell: &u16| {
                let free = beside(cell).iter().filter(|cell| position.free.has(**cell)).count();
                let front = touch(cell, &sets[1 - seat]);
                ChamberPart { cells: [1, 0], neighbours: free as i32, front }
            };
            cells.iter().map(part).fold(ChamberPart::default(), ChamberPart::with)
        };
        let slow = Slow { part: &part, score: ContestedPath };
        slow.best(position.heads[seat], sets[seat].clone()).map_or(0, |counts| counts.value())
    };
    let front = |seat: usize| {
        let at_front = sets[seat].iter().filter(|&&cell| touch(cell, &sets[1 - seat]));
        FRONT * at_front.count() as i32
    };
    (value(0) - front(0)) - (value(1) - front(1))
}

fn random(rng: &mut Rng, most: (usize, usize)) -> TwoPlayerPosition<SmallGrid> {
    RandomGrid::new(rng, (2, 2), most).two_players()
}

#[test]
fn estimates_agree_with_the_reference() {
    let mut rng = Rng::new(21);
    for _ in 0..3000 {
        let position = random(&mut rng, (9, 7));
        let value = evaluate::<SmallGrid>(&position, OPEN, &mut ChamberTree::default());
        assert_eq!(value, slowly(&position), "{position:?}");
    }
}

/// Vector registers, arrays and large grids give the same estimates with shared memory.
#[test]
fn all_bitboards_give_the_same_estimates() {
    let mut rng = Rng::new(22);
    let mut tree = ChamberTree::default();
    for _ in 0..3000 {
        let grid = RandomGrid::new(&mut rng, (2, 2), SmallGrid::LARGEST);
        let (position, large) = (grid.two_players(), grid.two_players());
        let expected = evaluate::<SmallGrid>(&position, OPEN, &mut tree);
        assert_eq!(SmallGrid::evaluate(&position, OPEN, &mut tree), expected, "{position:?}");
        assert_eq!(evaluate::<LargeGrid>(&large, OPEN, &mut tree), expected, "{position:?}");
    }
}

/// A result outside the window is a bound: the estimate lies beyond it.
#[test]
fn estimates_outside_the_window_are_bounds() {
    let mut rng = Rng::new(24);
    let mut tree = ChamberTree::default();
    let mut bounds = 0;
    for _ in 0..5000 {
        let position = random(&mut rng, (12, 9));
        let value = evaluate::<SmallGrid>(&position, OPEN, &mut tree);
        let alpha = value - 15_000 + rng.below(30_000) as i32;
        let beta = alpha + 1 + rng.below(10_000) as i32;
        let found = evaluate::<SmallGrid>(&position, (alpha, beta), &mut tree);
        match found {
            _ if found <= alpha => assert!(value <= found, "{found} {value} {position:?}"),
            _ if found >= beta => assert!(value >= found, "{found} {value} {position:?}"),
            _ => assert_eq!(found, value, "{position:?}"),
        }
        bounds += usize::from(found != value);
    }
    assert!(bounds > 50, "{bounds} estimates were cut short");
}

fn longest(free: &mut SmallGrid, head: Cell) -> i32 {
    let mut longest = 0;
    for to in Direction::ALL.map(|direction| head.towards(direction)) {
        if free.has(to) {
            free.remove(to);
            longest = longest.max(1 + self::longest(free, to));
            free.insert(to);
        }
    }
    longest
}

/// No path is longer than the bound, and most bounds are close.
#[test]
fn room_is_an_upper_bound_on_moves() {
    let mut rng = Rng::new(23);
    let (mut all, mut close) = (0, 0);
    for _ in 0..3000 {
        let TwoPlayerPosition { mut free, heads: [head, _] } = random(&mut rng, (5, 5));
        let mut region = free.flood_fill_from(head);
        region.remove(head);
        let (bound, truth) =
            (room(region, head, &mut ChamberTree::default()), longest(&mut free, head));
        assert!(bound >= truth, "{bound} {truth} {region:?} {head:?}");
        all += 1;
        close += usize::from(bound <= truth + 1);
    }
    assert!(10 * close > 9 * all, "{close} of {all} bounds are close");
}

/// Returns the position of two players that rows draw.
fn two_players(rows: &[&str]) -> TwoPlayerPosition<SmallGrid> {
    let MultiplayerPosition { free, heads: [one, two, ..], .. } = drawn(rows);
    TwoPlayerPosition { free, heads: [one, two] }
}

#[test]
fn moves_add_up_over_chambers() {
    let moves = |rows: &[&str]| {
        let MultiplayerPosition { free, heads: [head, ..], .. } = drawn(rows);
        room(free, head, &mut ChamberTree::default())
    };
    assert_eq!(moves(&["0....", "#####"]), 4, "a corridor");
    assert_eq!(moves(&["..0...#", "..#...#"]), 6, "a head between two rooms");
    assert_eq!(moves(&["0....", ".....", "....."]), 14, "one room");
    let bend = ["0..#", "#..#", "#.##", "#..."];
    assert_eq!(moves(&bend), 3 + 1 + 1 + 3, "a room, a corridor and its turn");
}

/// Seat 0's room has five cells, which it leaves behind if it enters its one-cell front. Of seat
/// 1's eight cells one is a dead end at the front.
#[test]
fn chambers_before_the_front_do_not_count() {
    let position = two_players(&["0..#....1", "........."]);
    let (region_counts, fronts) = region_counts(&position, &mut ChamberTree::default()).unwrap();
    assert_eq!(region_counts.map(|counts| counts.cells[0]), [5, 7]);
    assert_eq!(fronts, [1, 2]);
}

/// A player whose only cell the mover can take first is not separated yet.
#[test]
fn heads_that_share_a_cell_can_still_meet() {
    let value = |rows: &[&str]| {
        evaluate::<SmallGrid>(&two_players(rows), OPEN, &mut ChamberTree::default())
    };
    assert!(value(&["..0.1", "...##"]).abs() < APART);
    assert!(value(&["..0#1", "...#."]).abs() >= APART);
}
