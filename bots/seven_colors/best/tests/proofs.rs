//! Tests of proofs, races and solved boards against exhaustive search.

use super::super::bitboard_position::BoardContext;
use super::super::proof::{ProofGoal, Prover};
use super::super::search::SevenColorsSearch;
use super::super::simd::{SimdBitboard, SmallCells, UsualCells};
use super::super::solve::BoardSolver;
use super::{position, verdict, RULES};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::seven_colors::{Colour, Position, SevenColors};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::transposition::WON;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Exhaustive search by the plain rules, without bounds. Its table is keyed by board, mover, last
/// colours and plies without a gain.
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
        let last_played = [mover, mover.other()].map(|seat| position.last_played(seat));
        let key = format!("{:?} {mover:?} {last_played:?} {}", position.board(), position.quiet());
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

fn proofs_agree<P: SimdBitboard>(position: &Position, result: Ordering) {
    let (context, node) = BoardContext::<P>::new(position);
    let mut prover = Prover::<P>::new(1 << 12);
    let mut limiter = Limiter::new(Budget::default());
    let mut ask = |goal| prover.answer(&context, &node, goal, &mut limiter).unwrap();
    assert_eq!(ask(ProofGoal::MOVER_WINS), result == Ordering::Greater, "{position:?}");
    assert_eq!(ask(ProofGoal::OTHER_WINS), result == Ordering::Less, "{position:?}");
    assert_eq!(ask(ProofGoal::MOVER_DRAWS), result != Ordering::Less, "{position:?}");
    if result == Ordering::Greater {
        let best = prover.winning(&context, &node, ProofGoal::MOVER_WINS).unwrap();
        let mut after = position.clone();
        after.play(position.mover(), Colour::new(best.into())).unwrap();
        assert_eq!(Exhaustive::default().result(&after), Ordering::Less, "{position:?}");
    }
    let mut searcher = SevenColorsSearch::<P>::new(1 << 10);
    let budget = Budget { depth: Some(12), nodes: Some(5000), ..Budget::default() };
    let found = searcher.search(&context, &node, &mut Limiter::new(budget));
    assert!(found.value < WON || result == Ordering::Greater, "{found:?} {position:?}");
    assert!(found.value > -WON || result == Ordering::Less, "{found:?} {position:?}");
}

/// Covers every kind of rules on two sizes of bitboard.
#[test]
fn proofs_agree_with_exhaustive_search() {
    let mut rng = Rng::new(3);
    let mut seen = [0; 3];
    for round in 0..240 {
        let size = (2 + rng.below(3), 2 + rng.below(3));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let result = Exhaustive::default().result(&position);
        seen[(result as i8 + 1) as usize] += 1;
        proofs_agree::<SmallCells>(&position, result);
        proofs_agree::<UsualCells>(&position, result);
    }
    assert!(seen.iter().all(|&count| count >= 15), "{seen:?}");
}

/// Races where the rival may ban a colour at every move, under one rule none twice in a row. A
/// player that outruns the other must win by exhaustive search.
#[test]
fn outrunning_player_wins_under_bans() {
    let mut rng = Rng::new(6);
    let (mut outrun, mut seen) = ([0; 2], 0);
    for round in 0..6000 {
        let size = (3 + rng.below(2), 3 + rng.below(2));
        let ban = ["ban=own-and-opponent stall=7", "ban=opponent stall=7"][round % 2];
        let Some(position) = position(&mut rng, ban, size) else { continue };
        let (context, node) = BoardContext::<SmallCells>::new(&position);
        if !context.passing_is_too_late(&node) {
            continue;
        }
        let goal = position.rules().cells() as u32 / 2 + 1;
        let outruns = [0, 1].map(|side| SmallCells::outruns(&context, &node, (side, goal)));
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

/// Solves fifty symmetric boards of each size up to 9x9. The starter never loses, as it could play
/// whatever the other wins by. Each line leads to the result given with it.
#[test]
fn starter_never_loses_on_a_symmetric_board() {
    let mut solver = BoardSolver::new(false);
    for side in 4..=9 {
        let game = SevenColors::from_rules(&format!("size={side}x{side}")).unwrap();
        for board in game.setups(2, 0, Rng::new(1)).take(50) {
            let mut position = game.start(&board).unwrap();
            let solution = solver.solve(&position, &mut Limiter::new(Budget::default())).unwrap();
            assert_ne!(solution.result, Ordering::Less, "{position:?}");
            for colour in solution.line {
                position.play(position.mover(), colour).unwrap();
            }
            let scores = position.outcome().expect("the line ends the game").scores;
            assert_eq!(scores[0].cmp(&scores[1]), solution.result, "{position:?}");
        }
    }
}

/// Under bans, a solver that skips moves without gain names the wrong winner of this `filler`
/// board; docs/seven-colors.md shows it.
#[test]
fn move_without_gain_may_decide() {
    let game = SevenColors::from_rules("filler").unwrap();
    let board = "DFBABCD./BCEFDBCD/EDBDFDFA/BFCFCFBE/AEFBECFA/CFDAFECB/*EFDEBDA";
    let position = game.parse_state(board, Seat::FIRST).unwrap();
    let result = |only_gains| {
        let mut limiter = Limiter::new(Budget::default());
        BoardSolver::new(only_gains).solve(&position, &mut limiter).unwrap().result
    };
    assert_eq!(result(false), Ordering::Greater);
    assert_eq!(result(true), Ordering::Less);
}
