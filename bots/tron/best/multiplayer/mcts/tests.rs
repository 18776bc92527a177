use super::*;
use crate::tron::best::bitboards::SmallGrid;
use crate::tron::best::reference::drawn;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat};
use arbitre_games::games::tron::Tron;
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Timer;
use arbitre_games::search::cpu_time::{Moment, TimeKind};
use std::time::Duration;

/// First place has the highest reward, and a better place more than a worse one.
#[test]
fn rewards_follow_places() {
    let mut rollout = Rollout::new(&MultiplayerPosition::<SmallGrid>::empty());
    (rollout.ply, rollout.out) = (200, [151, 0, 101, 200]);
    let [third, first, fourth, second] = rewards(&rollout, 0b1111);
    assert!(first > second && second > third && third > fourth, "{first} {second} {third}");
    assert!((first - (FIRST + PLACES + LEAD * 0.505)).abs() < 1e-6, "{first}");
    assert!((second - (PLACES * 2.0 / 3.0 + LEAD * 0.495)).abs() < 1e-6, "{second}");
    // Players that were not present do not count.
    rollout.out = [0, 0, 101, 200];
    let [none, one, two, three] = rewards(&rollout, 0b1110);
    assert!(none == 0.0 && one == first && two < three, "{none} {one} {two} {three}");
}

/// Seat 0 is in a corridor: to the left it leads into a room of forty cells, to the right it ends.
/// The others have rooms of 23 each.
fn fork() -> MultiplayerPosition<SmallGrid> {
    drawn(&[
        "........#...........",
        "........#..........1",
        "........############",
        "........#...........",
        "........#..........2",
        "###.################",
        "###......0....######",
    ])
}

#[test]
fn search_enters_the_larger_room() {
    let mut tree = Mcts::default();
    let found = tree.search(&fork(), Budget::nodes(3000));
    assert_eq!(found.best, Direction::Left, "{found:?}");
    assert!(found.reward > 0.5 && found.rollouts > 10, "{found:?}");
}

fn start() -> MultiplayerPosition<SmallGrid> {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(5)).next().unwrap();
    MultiplayerPosition::<SmallGrid>::new(&game.start(&setup).unwrap(), Seat::FIRST)
}

/// Searches of other games do not affect the result.
#[test]
fn search_is_deterministic() {
    let mut tree = Mcts::default();
    let found = tree.search(&start(), Budget::nodes(5000));
    assert_eq!(tree.search(&start(), Budget::nodes(5000)), found);
    tree.search(&fork(), Budget::nodes(2000));
    assert_eq!(tree.search(&start(), Budget::nodes(5000)), found);
    tree.search(&start(), Budget::nodes(40_000));
    let next = round(&start(), &tree).1;
    tree.clear();
    let fresh = tree.search(&next, Budget::nodes(5000));
    assert_eq!(Mcts::default().search(&next, Budget::nodes(5000)), fresh);
    assert!(found.nodes >= 5000 && found.nodes < 5000 + 1500, "{found:?}");
}

/// Every player makes its most visited move. Returns the node there, and the position.
fn round(
    position: &MultiplayerPosition<SmallGrid>,
    tree: &Mcts,
) -> (MctsNode, MultiplayerPosition<SmallGrid>) {
    let (mut next, mut node) = (*position, tree.nodes[0]);
    for seat in 0..MOST_SEATS {
        let children = node.children().map(|child| tree.nodes[child]);
        node = children.max_by_key(|child| child.visits).unwrap();
        next.go(seat, node.to);
    }
    (node, next)
}

/// Lists the cells and visits of all nodes by depth.
fn visits(nodes: &[MctsNode], at: usize, depth: usize, found: &mut Vec<(usize, Cell, u32)>) {
    found.push((depth, nodes[at].to, nodes[at].visits));
    nodes[at].children().for_each(|child| visits(nodes, child, depth + 1, found));
}

/// After a round the tree keeps the subtree of the moves made.
#[test]
fn subtree_ahead_is_kept() {
    let mut tree = Mcts::default();
    tree.search(&start(), Budget::nodes(40_000));
    let (node, next) = round(&start(), &tree);
    let at = tree.nodes.iter().position(|one| one.first == node.first && one.count > 0).unwrap();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    visits(&tree.nodes, at, 0, &mut before);
    tree.plant(&next);
    visits(&tree.nodes, 0, 0, &mut after);
    assert!(before.len() > 50, "{}", before.len());
    assert_eq!((after, tree.nodes.len()), (before.clone(), before.len()));
    // No player has moved since.
    tree.plant(&next);
    assert_eq!(tree.nodes.len(), 1);
}

/// Returns the tree after the game has reached another position.
fn planted(tree: &Mcts, position: &MultiplayerPosition<SmallGrid>) -> Mcts {
    let mut planted = Mcts { nodes: tree.nodes.clone(), free: tree.free, ..Mcts::default() };
    planted.plant(position);
    planted
}

/// Trails of eliminated players become free, which the tree did not contain.
#[test]
fn tree_is_dropped_after_an_elimination() {
    let mut tree = Mcts::default();
    tree.search(&start(), Budget::nodes(40_000));
    let (_, next) = round(&start(), &tree);
    // Moves that the tree does not contain and other free cells have the same effect.
    let (mut other, mut filled) = (next, next);
    other.heads[2] = Cell::new(0, 0);
    filled.free.remove(filled.free.any().unwrap());
    let without = [1, 2, 3].map(|seat| next.without(seat));
    for position in [other, filled].iter().chain(&without) {
        assert_eq!(planted(&tree, position).nodes.len(), 1);
    }
}

/// A move is credited with the reward of its mover.
#[test]
fn move_is_credited_to_its_mover() {
    let mut tree = Mcts { nodes: vec![MctsNode::new(Cell::default(), 0.5); 4], ..Mcts::default() };
    tree.learn(&[(1, 0), (3, 2)], &[0.1, 0.2, 0.3, 0.4]);
    let kept: Vec<(u32, f32)> = tree.nodes.iter().map(|node| (node.visits, node.sum)).collect();
    assert_eq!(kept, [(1, 0.0), (1, 0.1), (0, 0.0), (1, 0.3)]);
}

fn child(likely: f32, visits: u32, sum: f32) -> MctsNode {
    MctsNode { visits, sum, ..MctsNode::new(Cell::default(), likely) }
}

/// Returns the child that a seat chooses.
fn chosen(children: [MctsNode; 2], seat: usize) -> usize {
    let parent = MctsNode { first: 1, count: 2, ..MctsNode::new(Cell::default(), 1.0) };
    Mcts { nodes: [&[parent], &children[..]].concat(), ..Mcts::default() }.choose(0, seat)
}

/// The likeliest untried move is chosen; between two tried equally often, the one with the higher
/// reward. A likely move is tried again sooner or later.
#[test]
fn likely_or_good_moves_are_tried() {
    assert_eq!(chosen([child(0.3, 0, 0.0), child(0.7, 0, 0.0)], 0), 2);
    assert_eq!(chosen([child(0.5, 10, 6.0), child(0.5, 10, 4.0)], 0), 1);
    assert_eq!(chosen([child(0.5, 100, 50.0), child(0.5, 1, 0.4)], 0), 2);
    assert_eq!(chosen([child(0.99, 100, 50.0), child(0.01, 1, 0.4)], 0), 1);
}

/// Opponents prefer a likely move to a slightly better one.
#[test]
fn opponents_prefer_likely_moves() {
    let children = [child(0.2, 10, 5.0), child(0.8, 10, 3.5)];
    assert_eq!([0, 1, 3].map(|seat| chosen(children, seat)), [1, 2, 2]);
}

/// Opponents in contact get the priors of the two-round lookahead; enclosed players and seat 0 do
/// not.
#[test]
fn opponents_get_two_round_priors() {
    let start = start();
    let found = |position: &MultiplayerPosition<SmallGrid>, seat| {
        let rollout = Rollout { seat, ..Rollout::new(position) };
        let ways = rollout.ways();
        let likely = likelihoods(&rollout, ways, &mut RolloutPolicy::new(1));
        (likely, after_a_step(position, seat, ways), after_two_rounds(position, seat, ways).0)
    };
    let (own, by_step, by_rounds) = found(&start, 0);
    assert!(own == by_step && own != by_rounds, "{own:?}");
    let (others, by_step, by_rounds) = found(&start, 1);
    assert!(others == by_rounds && others != by_step, "{others:?}");
    let (shut_in, by_step, by_rounds) = found(&fork(), 1);
    assert!(shut_in == by_step && shut_in != by_rounds, "{shut_in:?}");
}

/// Often visited nodes get the priors of an opponent search.
#[test]
fn frequent_nodes_get_opponent_search_priors() {
    let mut seen = [0, 0];
    for nodes in [2000, 40_000] {
        let (mut tree, budget) = (Mcts::default(), Budget::nodes(nodes));
        tree.search(&start(), budget);
        for child in tree.nodes[0].children().map(|child| tree.nodes[child]) {
            let mut rollout = Rollout::new(&start());
            rollout.go(child.to);
            let (ways, cells) = (rollout.ways(), cells_within(&budget));
            let soon = likelihoods(&rollout, ways, &mut RolloutPolicy::new(1));
            let (well, _) =
                after_opponent_search(&rollout.position, 1, ways, cells, MissRate::default());
            assert_ne!(soon, well);
            let often = child.visits > OFTEN;
            let found = child.children().map(|reply| tree.nodes[reply].likely);
            assert!(found.zip(if often { well } else { soon }).all(|(one, two)| one == two));
            seen[usize::from(often)] += usize::from(child.count > 0);
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// No opponent search starts when the time is nearly spent.
#[test]
fn opponent_search_needs_time() {
    let limit = Duration::from_secs(3600);
    let is_foretold = |spent: Duration| {
        let now = Moment::now();
        let begun = Moment { wall: now.wall - spent, ..now };
        let time = Some(Timer::new(TimeKind::Wall, begun, limit));
        let mut tree = Mcts { budget: Budget { time, ..Budget::nodes(5000) }, ..Mcts::default() };
        let rollout = Rollout { seat: 1, ..Rollout::new(&start()) };
        tree.nodes.push(MctsNode::new(Cell::default(), 1.0));
        tree.foretell(0, &rollout, rollout.ways(), &mut RolloutPolicy::new(1));
        tree.nodes[0].is_foretold
    };
    assert!(is_foretold(limit * 7 / 8) && !is_foretold(limit * 12 / 13));
}

/// A player that deviates from its prediction gets a higher miss rate for the rest of the game.
#[test]
fn wrong_prediction_raises_the_miss_rate() {
    let mut tree = Mcts::default();
    tree.search(&start(), Budget::nodes(100_000));
    let own = tree.nodes[0].children().max_by_key(|&child| tree.nodes[child].visits).unwrap();
    let replies = tree.nodes[own].children().map(|child| tree.nodes[child].to);
    let mut shares = Vec::new();
    for to in replies {
        let mut next = start();
        next.go(0, tree.nodes[own].to);
        next.go(1, to);
        for seat in [2, 3] {
            let (_, to) = next.ways(seat).next().unwrap();
            next.go(seat, to);
        }
        let mut planted = planted(&tree, &next);
        shares.push(planted.miss_rates.map(|miss_rate| miss_rate.share()));
        planted.clear();
        assert!(planted.miss_rates.iter().all(|miss_rate| miss_rate.share() == 0.02));
    }
    // One reply of seat 1 was predicted; seat 0 is never predicted.
    let right = shares.iter().filter(|shares| shares[1] == 0.2 / 11.0).count();
    let wrong = shares.iter().filter(|shares| shares[1] == 1.2 / 11.0).count();
    assert_eq!((right, right + wrong), (1, shares.len()), "{shares:?}");
    assert!(shares.iter().all(|shares| shares[0] == 0.02));
}

/// The higher the miss rate, the more even are the priors.
#[test]
fn miss_rate_evens_out_priors() {
    let mut miss_rate = MissRate::default();
    let position = start();
    let ways = Rollout { seat: 1, ..Rollout::new(&position) }.ways();
    let mut most = || {
        let (likely, _) = after_opponent_search(&position, 1, ways, 1e5, miss_rate);
        let ways = ways.count_ones() as usize;
        assert!((likely[..ways].iter().sum::<f32>() - 1.0).abs() < 1e-5);
        miss_rate.learn(false);
        likely.into_iter().fold(0.0, f32::max)
    };
    let (first, second) = (most(), most());
    assert!(first > 0.98 && second < 0.95 && second > 0.9, "{first} {second}");
}

/// The searching player's moves are never predicted, nor those of enclosed players.
#[test]
fn enclosed_players_are_not_predicted() {
    let mut tree = Mcts::default();
    tree.search(&fork(), Budget::nodes(20_000));
    let root = tree.nodes[0];
    assert!(root.visits > OFTEN);
    for child in root.children().map(|child| tree.nodes[child]).filter(|it| it.visits > OFTEN) {
        let mut rollout = Rollout::new(&fork());
        rollout.go(child.to);
        let expected = after_a_step(&rollout.position, 1, rollout.ways());
        let found = child.children().map(|reply| tree.nodes[reply].likely);
        assert!(found.zip(expected).all(|(one, two)| one == two));
    }
}
