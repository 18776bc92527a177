use super::*;
use crate::bots::tron::best::melee as view;
use crate::bots::tron::best::plane::Small;
use crate::bots::tron::best::slow::melee as drawn;
use crate::dialect::Notation;
use crate::game::{Game, Seat};
use crate::games::tron::Tron;
use crate::rng::Rng;

/// Who is first has most, and a better place is worth more than a worse one.
#[test]
fn rewards_go_by_place() {
    let melee = Melee {
        free: Small::NONE,
        ribbons: [Small::NONE; MOST_SEATS],
        heads: [Spot::default(); MOST_SEATS],
        alive: 0b1111,
    };
    let mut course = Course::new(&melee);
    (course.ply, course.out) = (200, [151, 0, 101, 200]);
    let [third, first, fourth, second] = rewards(&course, 0b1111);
    assert!(first > second && second > third && third > fourth, "{first} {second} {third}");
    assert!((first - (FIRST + PLACES + LEAD * 0.505)).abs() < 1e-6, "{first}");
    assert!((second - (PLACES * 2.0 / 3.0 + LEAD * 0.495)).abs() < 1e-6, "{second}");
    // Who was not there is not asked.
    course.out = [0, 0, 101, 200];
    let [none, one, two, three] = rewards(&course, 0b1110);
    assert!(none == 0.0 && one == first && two < three, "{none} {one} {two} {three}");
}

/// Seat 0 comes from below to a corridor: to the left it leads into a room of forty cells, to the right it
/// ends. The others have rooms of 23 each.
fn fork() -> Melee<Small> {
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
fn it_takes_the_way_that_lasts() {
    let mut tree = Tree::default();
    let found = tree.search(&fork(), Budget::nodes(3000));
    assert_eq!(found.best, Direction::Left, "{found:?}");
    assert!(found.prospect > 0.5 && found.playouts > 10, "{found:?}");
}

/// It neither remembers nor forgets: what was searched before does not matter.
#[test]
fn the_same_position_gives_the_same_finding() {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(5)).next().unwrap();
    let melee = view::<Small>(&game.start(&setup).unwrap(), Seat::FIRST);
    let mut tree = Tree::default();
    let found = tree.search(&melee, Budget::nodes(5000));
    tree.search(&fork(), Budget::nodes(2000));
    assert_eq!(tree.search(&melee, Budget::nodes(5000)), found);
    assert!(found.nodes >= 5000 && found.nodes < 5000 + 500, "{found:?}");
}

/// Everybody is after his own good: a move is worth what came of it for who made it.
#[test]
fn a_move_is_credited_to_its_mover() {
    let mut tree = Tree { nodes: vec![Node::new(Spot::default(), 0.5); 4] };
    tree.learn(&[(1, 0), (3, 2)], &[0.1, 0.2, 0.3, 0.4]);
    let kept: Vec<(u32, f32)> = tree.nodes.iter().map(|node| (node.visits, node.sum)).collect();
    assert_eq!(kept, [(1, 0.0), (1, 0.1), (0, 0.0), (1, 0.3)]);
}

fn child(likely: f32, visits: u32, sum: f32) -> Node {
    Node { visits, sum, ..Node::new(Spot::default(), likely) }
}

/// Which of these is chosen by a seat.
fn chosen(children: [Node; 2], seat: usize) -> usize {
    let parent = Node { first: 1, count: 2, ..Node::new(Spot::default(), 1.0) };
    Tree { nodes: [&[parent], &children[..]].concat() }.choose(0, seat)
}

/// Of moves that were never tried it takes the likeliest; of two tried alike that from which more came; and
/// a likely one again sooner or later, whatever came of it.
#[test]
fn it_tries_what_is_likely_or_good() {
    assert_eq!(chosen([child(0.3, 0, 0.0), child(0.7, 0, 0.0)], 0), 2);
    assert_eq!(chosen([child(0.5, 10, 6.0), child(0.5, 10, 4.0)], 0), 1);
    assert_eq!(chosen([child(0.5, 100, 50.0), child(0.5, 1, 0.4)], 0), 2);
    assert_eq!(chosen([child(0.99, 100, 50.0), child(0.01, 1, 0.4)], 0), 1);
}

/// Others do what is likely of them sooner than what would be a little better.
#[test]
fn others_keep_to_their_habits() {
    let children = [child(0.2, 10, 5.0), child(0.8, 10, 3.5)];
    assert_eq!([0, 1, 3].map(|seat| chosen(children, seat)), [1, 2, 2]);
}

/// Others have the likelihoods of who looks two rounds ahead, but not who is shut in; nor has seat 0.
#[test]
fn others_look_two_rounds_ahead() {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(5)).next().unwrap();
    let start = view::<Small>(&game.start(&setup).unwrap(), Seat::FIRST);
    let found = |melee: &Melee<Small>, seat| {
        let course = Course { seat, ..Course::new(melee) };
        let ways = course.ways();
        let likely = likelihoods(&course, ways, &mut Hand::new(1));
        (likely, after_a_step(melee, seat, ways), after_two_rounds(melee, seat, ways).0)
    };
    let (own, by_step, by_rounds) = found(&start, 0);
    assert!(own == by_step && own != by_rounds, "{own:?}");
    let (others, by_step, by_rounds) = found(&start, 1);
    assert!(others == by_rounds && others != by_step, "{others:?}");
    let (shut_in, by_step, by_rounds) = found(&fork(), 1);
    assert!(shut_in == by_step && shut_in != by_rounds, "{shut_in:?}");
}
