//! The search's terrain, zones and proofs against the plain board, queues of cells, and whole games seen
//! to their end.

use super::proof::{Prover, Question};
use super::search::Searcher;
use super::solve::Solver;
use super::terrain::{Node, Terrain};
use super::wide::{Large, Small, Usual, Wide};
use super::zones;
use super::Best;
use crate::bots::mind::Mind;
use crate::dialect::Notation;
use crate::game::{Game, Seat, State};
use crate::games::seven_colors::{Cell, Colour, Position, SevenColors};
use crate::planes::{Plane, Spot};
use crate::rng::Rng;
use crate::search::budget::{Budget, Meter};
use crate::search::table::WON;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Debug;

/// Rules under which all that a search has to know of matters.
const RULES: [&str; 8] = [
    "",
    "ban=opponent",
    "ban=own-and-opponent",
    "capture-enclosed=yes",
    "count-enclosed=yes",
    "ban=opponent capture-enclosed=yes",
    "ban=own-and-opponent count-enclosed=yes",
    "stall=1",
];

/// A position some random plies into a game under rules of this kind, if it lasts so long: passes are
/// frequent, so that stalls are near.
fn position(rng: &mut Rng, rules: &str, (width, height): (usize, usize)) -> Option<Position> {
    let colours = 3 + rng.below(4);
    let stall = if rules.contains("stall") { "" } else { ["stall=3", "stall=9"][rng.below(2)] };
    let text = format!("size={width}x{height} symmetric=no colours={colours} {rules} {stall}");
    let game = SevenColors::from_rules(text.trim()).unwrap();
    let board = game.setups(2, 0, rng.fork(0)).next().unwrap();
    let _ = rng.next_u64();
    let mut position = game.start(&board).ok()?;
    for _ in 0..rng.below(width + height) {
        let mut moves = position.moves(position.mover());
        let passes: Vec<Colour> =
            moves.iter().copied().filter(|&c| is_pass(&position, c)).collect();
        if rng.below(2) == 0 && !passes.is_empty() {
            moves = passes;
        }
        let colour = *moves.get(rng.below(moves.len().max(1)))?;
        position.play_unchecked(position.mover(), colour);
    }
    position.outcome().is_none().then_some(position)
}

fn after(position: &Position, colour: Colour) -> Position {
    let mut after = position.clone();
    after.play_unchecked(position.mover(), colour);
    after
}

fn is_pass(position: &Position, colour: Colour) -> bool {
    after(position, colour).quiet() > 0
}

/// Who wins, as the player to move sees it.
fn verdict(position: &Position) -> Option<Ordering> {
    let scores = position.outcome()?.scores;
    let mover = position.mover();
    Some(scores[mover.index()].cmp(&scores[mover.other().index()]))
}

fn same_as_the_board<P: Wide + PartialEq + Debug>(position: &Position) -> usize {
    let (terrain, node) = Terrain::<P>::new(position);
    let mut found = Vec::new();
    P::children(&terrain, &node, &mut found);
    let mut useful = 0;
    for colour in position.moves(position.mover()) {
        let mut after = position.clone();
        after.play(position.mover(), colour).unwrap();
        let child = found.iter().find(|child| usize::from(child.colour) == colour.index());
        useful += usize::from(after.quiet() == 0);
        let Some(child) = child else {
            let seen = terrain.gaining_is_never_worse(&node) && after.quiet() > 0;
            assert!(seen, "{colour} is left out: {position:?}");
            continue;
        };
        let expected = Terrain::<P>::new(&after).1;
        assert_eq!(child.node, expected, "{colour}: {position:?}");
        assert_eq!(terrain.verdict(&child.node), verdict(&after), "{colour}: {position:?}");
        let gain = expected.cells[1] - node.cells[0];
        assert_eq!(child.gain, gain);
    }
    let banned = |colour: u8| position.is_banned(Colour::new(colour.into()));
    assert!(found.iter().all(|child| !banned(child.colour)), "{position:?}");
    assert!(!found.is_empty());
    useful
}

#[test]
fn moves_lead_where_they_lead_on_the_board() {
    let mut rng = Rng::new(1);
    let mut useful = 0;
    for round in 0..400 {
        let rules = RULES[round % RULES.len()];
        let small = (2 + rng.below(8), 2 + rng.below(8));
        if let Some(position) = position(&mut rng, rules, small) {
            useful += same_as_the_board::<Small>(&position);
            useful += same_as_the_board::<Usual>(&position);
            useful += same_as_the_board::<Large>(&position);
        }
        let large = (2 + rng.below(29), 2 + rng.below(29));
        if let Some(position) = position(&mut rng, rules, large) {
            useful += same_as_the_board::<Usual>(&position);
        }
    }
    assert!(useful > 1500, "{useful}");
}

/// The free cells by a queue of cells: what each player reaches first, a region further at a time, the
/// mover first, as far as two more cells within a region go.
fn zones_by_queue(position: &Position) -> [u32; 2] {
    let board = position.board();
    let mut cells = board.cells().to_vec();
    let colour = board.cells().to_vec();
    let mover = position.mover();
    let of = |seat| (0..colour.len()).filter(|&at| colour[at] == Cell::Taken(seat)).collect();
    let mut fronts: [Vec<usize>; 2] = [of(mover), of(mover.other())];
    let mut counts = [0; 2];
    while fronts.iter().any(|front| !front.is_empty()) {
        for turn in 0..2 {
            let seat = if turn == 0 { mover } else { mover.other() };
            let mut reached: Vec<usize> = Vec::new();
            let mut from = fronts[turn].clone();
            for further in 0..3 {
                let mut next = Vec::new();
                for &cell in &from {
                    for beside in board.neighbours(cell) {
                        let is_free = matches!(cells[beside], Cell::Free(_));
                        if is_free && (further == 0 || colour[beside] == colour[cell]) {
                            cells[beside] = Cell::Taken(seat);
                            next.push(beside);
                        }
                    }
                }
                reached.extend(&next);
                from = next;
            }
            counts[turn] += reached.len() as u32;
            fronts[turn] = reached;
        }
    }
    counts
}

fn zones_agree<P: Wide>(position: &Position, expected: [u32; 2]) {
    let (terrain, node) = Terrain::<P>::new(position);
    assert_eq!(P::zones(&terrain, &node), expected, "{position:?}");
    assert_eq!(zones::zones::<P>(&terrain, &node), expected, "{position:?}");
}

#[test]
fn zones_are_told_by_a_queue() {
    let mut rng = Rng::new(2);
    for round in 0..400 {
        let small = round % 2 == 0;
        let longest = if small { 8 } else { 29 };
        let size = (2 + rng.below(longest), 2 + rng.below(longest));
        let Some(position) = position(&mut rng, "", size) else { continue };
        let expected = zones_by_queue(&position);
        zones_agree::<Usual>(&position, expected);
        zones_agree::<Large>(&position, expected);
        if small {
            zones_agree::<Small>(&position, expected);
        }
    }
}

/// Also the forms that a newer processor would not use.
#[cfg(target_arch = "x86_64")]
#[test]
fn registers_of_every_kind_say_what_arrays_say() {
    let mut rng = Rng::new(7);
    let mut outrun = [0; 2];
    for round in 0..400 {
        let size = (2 + rng.below(29), 2 + rng.below(29));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let (terrain, node) = Terrain::<Usual>::new(&position);
        let cells = position.rules().cells() as u32;
        let goal = cells / 8 + rng.below(cells as usize / 2) as u32;
        let answers = super::wide::in_each_form(&terrain, &node, goal);
        outrun[usize::from(answers[0].2.contains(&true))] += 1;
        assert!(answers.iter().all(|other| *other == answers[0]), "{position:?}");
    }
    assert!(outrun.iter().all(|&count| count > 50), "{outrun:?}");
}

/// What comes of a position where both play well, by the plain rules and without any bound, but for a
/// memory: board, mover, what is held and the plies without a gain.
#[derive(Default)]
struct Exhaustive {
    known: HashMap<String, Ordering>,
}

impl Exhaustive {
    fn result(&mut self, position: &Position) -> Ordering {
        if let Some(verdict) = verdict(position) {
            return verdict;
        }
        let mover = position.mover();
        let held = [mover, mover.other()].map(|seat| position.held(seat));
        let key = format!("{:?} {mover:?} {held:?} {}", position.board(), position.quiet());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best = Ordering::Less;
        for colour in position.moves(mover) {
            let mut after = position.clone();
            after.play_unchecked(mover, colour);
            best = best.max(self.result(&after).reverse());
            if best == Ordering::Greater {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }
}

fn proofs_agree<P: Wide>(position: &Position, result: Ordering) {
    let (terrain, node) = Terrain::<P>::new(position);
    let mut prover = Prover::<P>::new(1 << 12);
    let mut meter = Meter::new(Budget::default());
    let mut ask = |question| prover.answer(&terrain, &node, question, &mut meter).unwrap();
    assert_eq!(ask(Question::MOVER_WINS), result == Ordering::Greater, "{position:?}");
    assert_eq!(ask(Question::OTHER_WINS), result == Ordering::Less, "{position:?}");
    assert_eq!(ask(Question::MOVER_DRAWS), result != Ordering::Less, "{position:?}");
    if result == Ordering::Greater {
        let best = prover.winning(&terrain, &node, Question::MOVER_WINS).unwrap();
        let mut after = position.clone();
        after.play(position.mover(), Colour::new(best.into())).unwrap();
        assert_eq!(Exhaustive::default().result(&after), Ordering::Less, "{position:?}");
    }
    let mut searcher = Searcher::<P>::new(1 << 10);
    let budget = Budget { depth: Some(12), nodes: Some(5000), ..Budget::default() };
    let found = searcher.search(&terrain, &node, &mut Meter::new(budget));
    assert!(found.value < WON || result == Ordering::Greater, "{found:?} {position:?}");
    assert!(found.value > -WON || result == Ordering::Less, "{found:?} {position:?}");
}

/// Under every kind of rules, and on planes of every kind.
#[test]
fn proofs_are_what_comes_of_all_games() {
    let mut rng = Rng::new(3);
    let mut seen = [0; 3];
    for round in 0..240 {
        let size = (2 + rng.below(3), 2 + rng.below(3));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let result = Exhaustive::default().result(&position);
        seen[(result as i8 + 1) as usize] += 1;
        proofs_agree::<Small>(&position, result);
        proofs_agree::<Usual>(&position, result);
    }
    assert!(seen.iter().all(|&count| count >= 15), "{seen:?}");
}

/// Races in which the rival may close a colour at every move, but none twice in a row: whoever outruns the
/// other wins where all games are looked at.
#[test]
fn who_outruns_the_other_wins_although_colours_are_closed() {
    let mut rng = Rng::new(6);
    let (mut outrun, mut seen) = ([0; 2], 0);
    for round in 0..6000 {
        let size = (3 + rng.below(2), 3 + rng.below(2));
        let ban = ["ban=own-and-opponent stall=7", "ban=opponent stall=7"][round % 2];
        let Some(position) = position(&mut rng, ban, size) else { continue };
        let (terrain, node) = Terrain::<Small>::new(&position);
        if !terrain.passing_is_too_late(&node) {
            continue;
        }
        let goal = position.rules().cells() as u32 / 2 + 1;
        let outruns = [0, 1].map(|seat| Small::outruns(&terrain, &node, seat, goal));
        seen += 1;
        if outruns.contains(&true) {
            let result = Exhaustive::default().result(&position);
            let expected = if outruns[0] { Ordering::Greater } else { Ordering::Less };
            assert_eq!(result, expected, "{position:?}");
            outrun[usize::from(outruns[1])] += 1;
        }
    }
    assert!(outrun.iter().all(|&count| count > 50) && seen > 2000, "{outrun:?} of {seen}");
}

/// Fifty drawn boards of each size up to 9x9, symmetric: who starts never loses (he could play what the
/// other wins by), and the line that is given leads to the result that is given.
#[test]
fn who_starts_on_a_symmetric_board_does_not_lose() {
    let mut solver = Solver::new(false);
    for side in 4..=9 {
        let game = SevenColors::from_rules(&format!("size={side}x{side}")).unwrap();
        for board in game.setups(2, 0, Rng::new(1)).take(50) {
            let mut position = game.start(&board).unwrap();
            let solution = solver.solve(&position, &mut Meter::new(Budget::default())).unwrap();
            assert_ne!(solution.result, Ordering::Less, "{position:?}");
            for colour in solution.line {
                position.play(position.mover(), colour).unwrap();
            }
            let scores = position.outcome().expect("the line is whole").scores;
            assert_eq!(scores[0].cmp(&scores[1]), solution.result, "{position:?}");
        }
    }
}

/// Where colours are closed, who leaves moves that gain nothing out of account names the wrong winner of
/// this board of `filler`; docs/seven-colors.md shows it.
#[test]
fn a_move_that_gains_nothing_may_decide() {
    let game = SevenColors::from_rules("filler").unwrap();
    let board = "DFBABCD./BCEFDBCD/EDBDFDFA/BFCFCFBE/AEFBECFA/CFDAFECB/*EFDEBDA";
    let position = game.parse_state(board, Seat::FIRST).unwrap();
    let result = |only_gains| {
        let mut meter = Meter::new(Budget::default());
        Solver::new(only_gains).solve(&position, &mut meter).unwrap().result
    };
    assert_eq!(result(false), Ordering::Greater);
    assert_eq!(result(true), Ordering::Less);
}

/// The slow twin of the search: plain minimax.
fn minimax<P: Wide>(terrain: &Terrain<P>, node: &Node<P>, depth: u32) -> i32 {
    let taken = i32::from(node.cells[0] + node.cells[1]);
    match terrain.verdict(node) {
        Some(Ordering::Greater) => return 2 * WON - taken,
        Some(Ordering::Less) => return taken - 2 * WON,
        Some(Ordering::Equal) => return 0,
        None => {}
    }
    if depth == 0 {
        let [own, other] = P::zones(terrain, node).map(|zone| zone as i32);
        return own + i32::from(node.cells[0]) - other - i32::from(node.cells[1]);
    }
    let mut found = Vec::new();
    P::children(terrain, node, &mut found);
    found.iter().map(|child| -minimax(terrain, &child.node, depth - 1)).max().unwrap()
}

/// Where nothing is searched less deep.
#[test]
fn the_search_finds_what_minimax_finds() {
    let mut rng = Rng::new(4);
    let mut decided = 0;
    for round in 0..160 {
        let size = (3 + rng.below(6), 3 + rng.below(6));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let (terrain, node) = Terrain::<Small>::new(&position);
        let mut searcher = Searcher::without_reductions(1 << 10);
        let mut meter = Meter::new(Budget::depth(1 + rng.below(4) as u32));
        let found = searcher.search(&terrain, &node, &mut meter);
        assert_eq!(found.value, minimax(&terrain, &node, found.depth), "{position:?}");
        let mut children = Vec::new();
        Small::children(&terrain, &node, &mut children);
        let best = children.iter().find(|child| child.colour == found.best).unwrap();
        assert_eq!(-minimax(&terrain, &best.node, found.depth - 1), found.value);
        decided += usize::from(found.value.abs() >= WON);
    }
    assert!((10..150).contains(&decided), "{decided}");
}

/// Who wins is mostly said where that can be shown with half of the nodes: the question is asked of the right
/// player.
#[test]
fn what_can_be_proved_is_said() {
    let game = SevenColors::from_rules("size=14x14").unwrap();
    let (mut shown, mut said) = ([0; 2], [0; 2]);
    for (number, board) in game.setups(2, 0, Rng::new(8)).take(60).enumerate() {
        let mut position = game.start(&board).unwrap();
        for _ in 0..14 + number % 4 {
            let mover = position.mover();
            let score = |&colour: &Colour| after(&position, colour).scores()[mover.index()];
            let greediest = position.moves(mover).into_iter().max_by_key(score).unwrap();
            position.play(mover, greediest).unwrap();
        }
        let mut meter = Meter::new(Budget::nodes(1500));
        let Some(solution) = Solver::new(false).solve(&position, &mut meter) else { continue };
        let thought = Best::default().think(&position, Budget::nodes(3000));
        assert!(thought.proved.is_none_or(|result| result == solution.result), "{position:?}");
        let who = usize::from(solution.result == Ordering::Less);
        shown[who] += 1;
        said[who] += usize::from(thought.proved.is_some());
    }
    let are_said = (0..2).all(|who| shown[who] > 8 && 2 * said[who] > shown[who]);
    assert!(are_said, "{said:?} of {shown:?}");
}

/// Every choice is legal, under all rules and on boards of every kind; random play loses, and who was
/// said to have won has.
#[test]
fn it_plays_whole_games_and_keeps_its_word() {
    let mut rng = Rng::new(5);
    let (mut won, mut games, mut said) = (0, 0, 0);
    for round in 0..40 {
        let size = [(6, 7), (9, 9), (12, 10), (31, 5)][round % 4];
        let rules = RULES[round % 7];
        let Some(start) = position(&mut rng, rules, size) else { continue };
        let (mut best, mut position, mut winner) = (Best::default(), start, None);
        while position.outcome().is_none() {
            let mover = position.mover();
            let colour = match mover == Seat::FIRST {
                true => {
                    let (colour, comment) = best.choose(&position, mover, Budget::nodes(600));
                    winner = winner.or(comment.contains("proved win").then_some(mover));
                    colour
                }
                false => {
                    let moves = position.moves(mover);
                    moves[rng.below(moves.len())]
                }
            };
            position.play(mover, colour).unwrap();
        }
        let scores = position.scores();
        games += 1;
        won += usize::from(scores[0] > scores[1]);
        said += usize::from(winner.is_some());
        assert!(winner.is_none() || scores[0] > scores[1], "{position:?}");
    }
    assert!(10 * won >= 8 * games && said >= games / 2, "{won} of {games}, {said} said");
}

/// A cell is where it is on every plane.
#[test]
fn the_usual_board_has_a_place_for_each_cell() {
    let game = SevenColors::from_rules("").unwrap();
    let board = game.setups(2, 0, Rng::new(1)).next().unwrap();
    let position = game.start(&board).unwrap();
    let (terrain, node) = Terrain::<Usual>::new(&position);
    assert_eq!(terrain.board.count(), 900);
    assert!(terrain.board.has(Spot::new(29, 29)) && !terrain.board.has(Spot::new(30, 29)));
    assert_eq!(terrain.free(&node).count(), 898);
}
