//! Tests of the compact board and the game against their reference implementations, in random play
//! and on random boards.

use super::reference::{AweleReference, ReferenceBoard};
use super::*;
use crate::game::Seats;
use std::collections::HashMap;

/// Counts of rare cases, so that a test can require them.
#[derive(Default, Debug)]
struct BoardCounts {
    boards: usize,
    slams: usize,
    hungry: usize,
    laps: [usize; 4],
}

impl BoardCounts {
    fn count(&mut self, slow: &ReferenceBoard) {
        let (pits, _) = slow.from_mover();
        self.boards += 1;
        self.hungry += usize::from(slow.row(1 - slow.mover) == 0);
        self.slams += (0..6).filter(|&pit| pits[pit] > 0 && slow.slam(pit)).count();
        let laps = pits[..6].iter().map(|&seeds| usize::from(seeds.saturating_sub(1)) / 11);
        laps.for_each(|laps| self.laps[laps.min(3)] += 1);
    }
}

fn fast(slow: &ReferenceBoard) -> Board {
    let (pits, captures) = slow.from_mover();
    Board::new(pits, captures)
}

/// Asserts equal legal moves of a board, and equal boards after each of them.
fn agree(slow: &ReferenceBoard, rule: GrandSlam) {
    let board = fast(slow);
    let legal: Vec<usize> = Pit::of_mask(board.legal(rule)).map(Pit::index).collect();
    assert_eq!(legal, slow.legal(rule), "legal moves of {board} under {rule:?}");
    assert_eq!(board.exchanged().exchanged(), board);
    for pit in legal {
        let after = board.after(Pit::new(pit).unwrap(), rule);
        let expected = fast(&slow.play(pit, rule));
        assert_eq!(after, expected, "{board}, pit {pit} under {rule:?}");
        assert_eq!(after.sides(), expected.sides());
        let pits = after.pits();
        let totals: [u8; 2] = [pits[..6].iter().sum(), pits[6..].iter().sum()];
        assert_eq!(after.totals(), totals);
    }
}

/// Compares every board of a random game, which stops without a legal move.
fn compare_a_game(rule: GrandSlam, rng: &mut Rng, seen: &mut BoardCounts) {
    let mut slow = ReferenceBoard::START;
    for _ in 0..200 {
        agree(&slow, rule);
        seen.count(&slow);
        match slow.legal(rule)[..] {
            [] => return,
            ref legal => slow = slow.play(legal[rng.below(legal.len())], rule),
        }
    }
}

/// Returns a random game that ends without a legal move: its pits and its last position.
fn game_without_a_last_move(rng: &mut Rng) -> Option<(Vec<Pit>, Position)> {
    let rules = Rules { max_plies: Some(400), ..CODINGAME };
    let mut position = Position::new(rules, Board::START, Seat::FIRST);
    let mut pits = Vec::new();
    while position.end().is_none() {
        let moves = position.moves(position.mover());
        pits.push(moves[rng.below(moves.len())]);
        position.play_unchecked(position.mover(), pits[pits.len() - 1]);
    }
    (position.end() == Some(EndReason::NoMove)).then_some((pits, position))
}

/// The source of `limit=before-moves` is the public referee of the arena. It ends the game at the
/// limit before it looks for a move, and seeds on the board belong to no player.
#[test]
fn limit_counts_before_or_after_the_moves() {
    let (mut rng, mut games, mut winners) = (Rng::new(54), 0, 0);
    while games < 40 {
        let Some((pits, last)) = game_without_a_last_move(&mut rng) else { continue };
        let board = last.board_of(Seat::FIRST);
        let [captures, rows] = [board.captures(), board.totals()].map(|both| both.map(i64::from));
        let owned = [captures[0] + rows[0], captures[1] + rows[1]];
        if rows == [0; 2] {
            continue;
        }
        let plies = pits.len() as u32;
        for (limit, max_plies, end, scores) in [
            (PlyLimit::BeforeMoves, plies, EndReason::MaxPlies, captures),
            (PlyLimit::BeforeMoves, plies + 1, EndReason::NoMove, owned),
            (PlyLimit::AfterMoves, plies, EndReason::NoMove, owned),
            (PlyLimit::AfterMoves, plies + 1, EndReason::NoMove, owned),
        ] {
            let rules = Rules { max_plies: Some(max_plies), limit, ..CODINGAME };
            let mut position = Position::new(rules, Board::START, Seat::FIRST);
            let mut slow = AweleReference::new(rules, ReferenceBoard::START);
            for &pit in &pits {
                position.play(position.mover(), pit).unwrap();
                slow.play(pit.index());
            }
            assert_eq!(position.end(), Some(end), "{rules}: {board}");
            assert_eq!(position.outcome().unwrap().scores, scores, "{rules}: {board}");
            assert_eq!(slow.scores(), Some(scores), "{rules}: {board}");
        }
        games += 1;
        winners += usize::from((captures[0].cmp(&captures[1])) != owned[0].cmp(&owned[1]));
    }
    assert!(winners > 0, "the two ends name different winners in none of {games} games");
}

#[test]
fn boards_agree_in_random_play() {
    for ((_, rule), seed) in GRAND_SLAMS.into_iter().zip(0..) {
        let (mut seen, mut rng) = (BoardCounts::default(), Rng::new(seed));
        while seen.boards < 30_000 {
            compare_a_game(rule, &mut rng, &mut seen);
        }
        assert!(seen.slams > 20 && seen.hungry > 20, "{rule:?} {seen:?}");
    }
}

/// Returns a board with any number of seeds in few or many pits. Pits of several laps, empty rows
/// and grand slams are then common.
fn random_board(rng: &mut Rng) -> ReferenceBoard {
    let mut board = ReferenceBoard {
        pits: [0; 12],
        captures: [rng.below(10) as u8, rng.below(10) as u8],
        mover: rng.below(2),
    };
    let places: Vec<usize> = (0..1 + rng.below(8)).map(|_| rng.below(12)).collect();
    for _ in 0..rng.below(31) {
        board.pits[places[rng.below(places.len())]] += 1;
    }
    board
}

#[test]
fn boards_agree_out_of_play() {
    let (mut seen, mut rng) = (BoardCounts::default(), Rng::new(99));
    for _ in 0..100_000 {
        let board = random_board(&mut rng);
        seen.count(&board);
        GRAND_SLAMS.into_iter().for_each(|(_, rule)| agree(&board, rule));
    }
    assert!(seen.slams > 500 && seen.hungry > 1000, "{seen:?}");
    assert!(seen.laps[1] > 1000 && seen.laps[2] > 1000, "{seen:?}");
}

/// Returns a board with or near a grand slam.
///
/// A grand slam needs twos and threes up to the last seed, and nothing beyond. Random boards seldom
/// have one, so these are constructed, some with one pit changed.
fn nearly_a_slam(rng: &mut Rng) -> ReferenceBoard {
    let mut board = ReferenceBoard { pits: [0; 12], captures: [0; 2], mover: 0 };
    let (origin, last) = (rng.below(6), 6 + rng.below(6));
    board.pits[origin] = (last - origin) as u8;
    board.pits[rng.below(6)] += rng.below(3) as u8;
    (6..=last).for_each(|pit| board.pits[pit] = 1 + rng.below(2) as u8);
    board.pits[6 + rng.below(6)] += (rng.below(3) / 2) as u8;
    board
}

#[test]
fn boards_agree_around_grand_slams() {
    let (mut seen, mut rng) = (BoardCounts::default(), Rng::new(5));
    for _ in 0..20_000 {
        let board = nearly_a_slam(&mut rng);
        seen.count(&board);
        GRAND_SLAMS.into_iter().for_each(|(_, rule)| agree(&board, rule));
    }
    assert!(seen.slams > 5_000, "{seen:?}");
}

/// Covers every pit with every number of seeds: three laps are 33 seeds, four are 44.
#[test]
fn boards_agree_on_every_number_of_seeds() {
    for pit in 0..6 {
        for seeds in 1..=SEEDS {
            let mut board = ReferenceBoard { pits: [0; 12], captures: [0; 2], mover: 0 };
            board.pits[pit] = seeds;
            GRAND_SLAMS.into_iter().for_each(|(_, rule)| agree(&board, rule));
        }
    }
}

/// Returns every combination of the options that decide the end of a game.
fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for slam in OPTIONS[0].values {
        for no_move in OPTIONS[1].values {
            for repetition in OPTIONS[2].values {
                for rest in ["max-plies=60 sweep=no", "max-plies=300 sweep=yes"] {
                    let text = format!(
                        "grand-slam={slam} no-move={no_move} repetition={repetition} {rest}"
                    );
                    all.push(Rules::parse(&text).unwrap());
                }
            }
        }
    }
    all
}

/// Returns a board with few seeds, so that games end in every way.
fn sparse_start(rng: &mut Rng) -> ReferenceBoard {
    let mut board = ReferenceBoard { pits: [0; 12], captures: [0; 2], mover: rng.below(2) };
    let seeds = [3, 5, 8, 48][rng.below(4)];
    (0..seeds).for_each(|_| board.pits[rng.below(12)] += 1);
    let captured = SEEDS - seeds;
    board.captures = [captured / 2, captured - captured / 2];
    board
}

/// Plays the same random game with both implementations and returns how it ended.
fn compare_whole_game(rules: Rules, rng: &mut Rng) -> EndReason {
    let start = sparse_start(rng);
    let mut slow = AweleReference::new(rules, start.clone());
    let mut game = Position::new(rules, fast(&start), Seat::new(start.mover));
    loop {
        let legal: Vec<usize> = Pit::of_mask(game.legal_mask()).map(Pit::index).collect();
        assert_eq!(legal, slow.legal(), "{game:?}");
        assert_eq!(game.board(), fast(slow.board()));
        let scores = game.outcome().map(|outcome| outcome.scores);
        assert_eq!(scores, slow.scores().map(Vec::from), "{game:?}");
        if let Some(end) = game.end() {
            return end;
        }
        let pit = legal[rng.below(legal.len())];
        slow.play(pit);
        game.play(game.mover(), Pit::new(pit).unwrap()).unwrap();
    }
}

#[test]
fn games_agree_under_all_rules() {
    let mut rng = Rng::new(12);
    let mut ends: std::collections::HashMap<String, usize> = Default::default();
    for rules in all_rules() {
        for _ in 0..30 {
            let end = compare_whole_game(rules, &mut rng);
            *ends.entry(format!("{end:?}")).or_default() += 1;
        }
    }
    assert_eq!(ends.len(), 6, "{ends:?}");
    assert!(ends.values().all(|&count| count > 50), "{ends:?}");
}

#[test]
fn rejections_give_the_reason() {
    let position = |pits, rules: &str| {
        Position::new(Rules::parse(rules).unwrap(), Board::new(pits, [0; 2]), Seat::FIRST)
    };
    let refusal = |position: &Position, seat, pit| {
        let refused = position.clone().play(Seat::new(seat), Pit::new(pit).unwrap());
        refused.unwrap_err().0
    };
    let start = position([4; 12], "");
    assert_eq!(refusal(&start, 1, 0), "it is the other seat's turn");
    let hungry = position([0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0], "");
    assert_eq!(refusal(&hungry, 0, 0), "that pit is empty");
    assert_eq!(refusal(&hungry, 0, 1), "it leaves the opponent no seed, and another pit does");
    let slam = position([1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0], "grand-slam=illegal");
    assert_eq!(refusal(&slam, 0, 5), "a grand slam is illegal here");
    let mut over = start.clone();
    over.forfeit(Seats::one(Seat::new(1)));
    assert_eq!(refusal(&over, 0, 0), "the game is over");
}

/// Returns all boards of `seeds` seeds, in no particular order.
fn boards_of(seeds: u8) -> Vec<ReferenceBoard> {
    let mut boards = vec![ReferenceBoard { pits: [0; 12], captures: [0; 2], mover: 0 }];
    for (pit, _) in boards[0].clone().pits.iter().enumerate() {
        let with = |board: &ReferenceBoard| {
            let board = board.clone();
            let left = seeds - board.pits.iter().sum::<u8>();
            let fewest = if pit == 11 { left } else { 0 };
            (fewest..=left).map(move |seeds| {
                let mut board = board.clone();
                board.pits[pit] = seeds;
                board
            })
        };
        boards = boards.iter().flat_map(with).collect();
    }
    boards
}

/// Every move without capture of every board with few seeds is found backwards, and nothing else.
/// So are moves of whole laps, from boards of 2 seeds with 23 more in one pit.
#[test]
fn predecessors_agree_with_moves() {
    let rule = GrandSlam::Nothing;
    let laps = boards_of(2).into_iter().flat_map(|board| {
        (0..12).map(move |pit| {
            let mut board = board.clone();
            board.pits[pit] += 23;
            board
        })
    });
    let mut there: HashMap<Board, Vec<Board>> = HashMap::new();
    for slow in (0..=5).flat_map(boards_of).chain(laps) {
        for pit in slow.legal(rule) {
            let after = slow.play(pit, rule);
            if after.captures == [0; 2] {
                there.entry(fast(&after)).or_default().push(fast(&slow));
            }
        }
    }
    let order = |boards: &mut Vec<Board>| boards.sort_by_key(|board| board.sides());
    for (end, mut origins) in there {
        let mut back = Vec::new();
        end.for_each_origin(|origin| back.push(origin));
        if end.totals().iter().sum::<u8>() > 5 {
            // Only some of the boards of that many seeds were starting points.
            back.retain(|board| board.pits().iter().any(|&seeds| seeds > 22));
            origins.retain(|board| board.pits().iter().any(|&seeds| seeds > 22));
        }
        order(&mut back);
        order(&mut origins);
        assert_eq!(back, origins, "{end}");
    }
    assert_eq!(Board::new([0; 12], [0; 2]).rows(), [0; 2]);
}

#[test]
fn rows_make_a_board() {
    let mut rng = Rng::new(3);
    for _ in 0..1000 {
        let board = Board::new(fast(&random_board(&mut rng)).pits(), [0; 2]);
        assert_eq!(Board::of_rows(board.rows()), board);
    }
}
