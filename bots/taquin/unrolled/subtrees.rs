//! Where the subtrees of an iteration begin.

use super::geometry::{target, NOWHERE, WAYS};
use super::{by_blank, from_everywhere, Guide, Stand};
use crate::taquin::deepen::Counts;
use crate::taquin::forest::Root;
use crate::taquin::pattern::MOST_CELLS;
use arbitre_games::games::taquin::Direction;

/// The board on which a subtree begins.
pub struct Subtree<G: Guide> {
    pub stand: Stand<G>,
    pub blank: usize,
    /// The direction in which the blank came there.
    pub came: usize,
    /// From the root.
    pub path: Vec<Direction>,
}

impl<G: Guide> Clone for Subtree<G> {
    fn clone(&self) -> Self {
        let Stand { desk, mark, tally } = &self.stand;
        let stand = Stand { desk: desk.clone(), mark: *mark, tally: *tally };
        Subtree { stand, path: self.path.clone(), ..*self }
    }
}

impl<G: Guide> Root for Subtree<G> {
    fn path(&self) -> Vec<Direction> {
        self.path.clone()
    }
}

/// The first layer that has as many boards as there should be subtrees, in the order of a depth-first search; or the path
/// to the goal.
pub fn divided<G: Guide>(
    guide: &G,
    root: Subtree<G>,
    subtrees: usize,
    counts: &mut Counts,
) -> (Vec<Subtree<G>>, Option<Vec<Direction>>) {
    let mut layer = vec![root];
    while !layer.is_empty() && layer.len() < subtrees {
        let mut next = Vec::new();
        for subtree in &layer {
            let expand = Expansions::<G>::ALL[subtree.blank][subtree.came];
            counts.generated += expand(guide, subtree, &mut next);
            counts.expanded += 1;
        }
        let is_goal = |of: &&Subtree<G>| guide.is_goal(of.stand.mark, of.stand.tally, &mut 1);
        if let Some(goal) = next.iter().find(is_goal) {
            return (Vec::new(), Some(goal.path.clone()));
        }
        layer = next;
    }
    (layer, None)
}

/// Adds the boards after one. Returns how many slides there are.
type Expand<G> = fn(&G, &Subtree<G>, &mut Vec<Subtree<G>>) -> u64;

struct Expansions<G>(std::marker::PhantomData<G>);

impl<G: Guide> Expansions<G> {
    const ALL: [[Expand<G>; WAYS + 1]; MOST_CELLS] = by_blank!(expand);
}

fn expand<G: Guide, const BLANK: usize, const CAME: usize>(
    guide: &G,
    subtree: &Subtree<G>,
    next: &mut Vec<Subtree<G>>,
) -> u64 {
    next.extend(slid::<G, BLANK, CAME, 0>(guide, subtree));
    next.extend(slid::<G, BLANK, CAME, 1>(guide, subtree));
    next.extend(slid::<G, BLANK, CAME, 2>(guide, subtree));
    next.extend(slid::<G, BLANK, CAME, 3>(guide, subtree));
    guide.slides::<BLANK, CAME, 0>(subtree.stand.mark)
}

fn slid<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    guide: &G,
    subtree: &Subtree<G>,
) -> Option<Subtree<G>> {
    let blank = const { target(G::SIDE, BLANK, CAME, WAY) }?;
    let mut next = subtree.clone();
    let Stand { desk, mark, tally } = &mut next.stand;
    let slid = guide.slide::<BLANK, WAY>(desk, *mark, *tally)?;
    guide.make::<BLANK, WAY>(desk, slid);
    (*mark, *tally) = guide.after(slid);
    next.path.push(Direction::ALL[WAY]);
    Some(Subtree { blank, came: WAY, ..next })
}
