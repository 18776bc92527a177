//! Worst boards of a player, found by hill climbing (Q7.1).

use super::climb::climb;
use crate::options::Options;
use crate::seven_colors::{strategy, MoveContext, Strategy, BOT};
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{Interval, Laboratory, Verdict};
use arbitre_games::game::{Game, ParseError, Seat};
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{Board, SevenColors, ARCSYS, SEATS};
use arbitre_games::parallel;
use arbitre_games::rng::Rng;
use std::ops::Range;

/// Number of climbs, each from a random board of its own. Not tuned.
const CLIMBS: usize = 4;
/// Changes in each climb for each game of a match. Not tuned.
const CHANGES_A_GAME: u64 = 3;
/// Number of moves after which a player gives up a board. Not tuned.
const PATIENCE: u32 = 2000;

/// Measures the claim that a player needs more moves on some board than on random ones. A player
/// with random choices plays `trials` games on each board.
///
/// # Panics
/// Panics if the player is unknown.
pub fn worst_board(lab: &mut dyn Laboratory, player: &str, trials: u64) -> (String, Verdict) {
    let (game, rng) = (SevenColors::new(ARCSYS), Rng::new(lab.seed()));
    let new_player = || SoloPlayer::new(player).expect("the player is known");
    let cost = |board: &Board, player: &mut _, seeds| board_cost(&game, board, player, seeds);
    let boards: Vec<Board> =
        game.setups(SEATS, 0, rng.fork(0)).take(lab.games() as usize).collect();
    let usual = parallel::map(lab.workers(), boards.len(), |number| {
        cost(&boards[number], &mut new_player(), 0..trials).moves
    });
    let changes = CHANGES_A_GAME * lab.games();
    let climbs = parallel::map(lab.workers(), CLIMBS, |number| {
        let (mut player, start) = (new_player(), boards[number % boards.len()].clone());
        let value = |board: &Board| cost(board, &mut player, 0..trials);
        climb(game.options(), start, changes, &mut rng.fork(1 + number as u64), value)
    });
    let longer =
        |one: (Board, BoardCost), next: (Board, BoardCost)| if next.1 > one.1 { next } else { one };
    let (board, _) = climbs.into_iter().reduce(longer).expect("there are climbs");
    lab.say(&format!(
        "seat 0, '.', is {player}:\n{}",
        game.setup_lines(&board, Seat::FIRST).join("\n")
    ));
    // New seeds are used here: the climb has adapted the board to the earlier ones.
    let found = cost(&board, &mut new_player(), trials..2 * trials).moves;
    let most = usual.iter().copied().fold(0.0, f64::max);
    let measured = format!(
        "alone, {player} needs {} moves on {} random boards, {most:.1} at most, and {found:.1} on one that \
         {CLIMBS} searches of {changes} changes each found",
        Interval::of_mean(&usual).figure(),
        lab.games(),
    );
    (measured, if found > most { Verdict::Reproduced } else { Verdict::Undecided })
}

/// A strategy and its search depth.
struct SoloPlayer {
    strategy: Box<dyn Strategy>,
    depth: Option<u32>,
}

impl SoloPlayer {
    /// Creates a player from a strategy and its options, as on the command line of `seven-colors`.
    fn new(words: &str) -> Result<SoloPlayer, ParseError> {
        let mut options = Options::of(words);
        let name = BOT.take_strategy(&mut options)?;
        let depth = options.take_count("--depth")?;
        let strategy = strategy(name, &mut options)?;
        options.finish()?;
        Ok(SoloPlayer { strategy, depth })
    }
}

/// Cost of a board for a player: its way to more than half of the cells while the opponent passes.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct BoardCost {
    /// Mean number of moves.
    moves: f64,
    /// Mean of the missing cells, summed over the moves. Of two games of equal length, the slower
    /// one costs more.
    lacking: f64,
}

fn board_cost(
    game: &SevenColors,
    board: &Board,
    player: &mut SoloPlayer,
    seeds: Range<u64>,
) -> BoardCost {
    let position = game.start(board).expect("recolouring keeps the corners");
    let (graph, node) = Graph::new(&position);
    let start = MoveContext { graph: &graph, node, seat: position.mover() };
    let most = game.options().cells() as u32 / 2;
    let (mut moves, mut lacking) = (0, 0);
    let trials = seeds.end - seeds.start;
    for seed in seeds {
        player.strategy.begin(seed);
        let (mut context, mut played) = (start, 0);
        while u32::from(context.cells()) <= most && played < PATIENCE {
            let (colour, _) = player.strategy.choose(&context, player.depth);
            context = context.after(colour);
            played += 1;
            lacking += most.saturating_sub(context.cells().into());
        }
        moves += played;
    }
    let mean = |sum: u32| f64::from(sum) / trials as f64;
    BoardCost { moves: mean(moves), lacking: mean(lacking) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(player: &str, rows: &[&str]) -> BoardCost {
        let game = SevenColors::from_rules("size=4x4 symmetric=no").unwrap();
        let board = game.parse_setup(rows, Seat::FIRST).unwrap();
        board_cost(&game, &board, &mut SoloPlayer::new(player).unwrap(), 0..3)
    }

    /// From 1 cell of 16 to at least 9.
    #[test]
    fn board_cost_counts_moves_and_missing_cells() {
        let quick = alone("greedy", &["AAA.", "AAAA", "AAAA", "*AAA"]);
        assert_eq!(quick, BoardCost { moves: 1.0, lacking: 0.0 });
        // A, B and A take 2, 3 and 4 cells, so 5 and 2 of 8 are missing on the way.
        let reference = alone("greedy", &["ABA.", "CABA", "CCAB", "*CCA"]);
        assert_eq!(reference, BoardCost { moves: 3.0, lacking: 7.0 });
        // Here the second A takes 2, and half of the board is not enough.
        let slower = alone("greedy", &["DBA.", "CABA", "CCAB", "*CCD"]);
        assert_eq!(slower, BoardCost { moves: 4.0, lacking: 7.0 });
    }

    #[test]
    fn player_plans_to_the_depth_of_its_option() {
        let game = SevenColors::from_rules("size=12x12").unwrap();
        let board = game.setups(2, 0, Rng::new(1)).next().unwrap();
        let cost = |player| board_cost(&game, &board, &mut SoloPlayer::new(player).unwrap(), 0..1);
        assert_eq!(cost("oracle --depth 1"), cost("greedy"));
        assert_ne!(cost("oracle --depth 3"), cost("greedy"));
        assert!(SoloPlayer::new("oracle --deep 3").is_err());
    }

    #[test]
    fn climb_finds_a_worse_board() {
        let game = SevenColors::from_rules("size=8x8 colours=4").unwrap();
        let boards = game.setups(2, 0, Rng::new(1)).take(200).collect::<Vec<Board>>();
        let moves = |board: &Board| {
            board_cost(&game, board, &mut SoloPlayer::new("greedy").unwrap(), 0..1).moves
        };
        let most = boards.iter().map(moves).fold(0.0, f64::max);
        let mut greedy = SoloPlayer::new("greedy").unwrap();
        let value = |board: &Board| board_cost(&game, board, &mut greedy, 0..1);
        let start = boards[0].clone();
        let (board, _) = climb(game.options(), start, 1000, &mut Rng::new(2), value);
        assert!(moves(&board) > most, "{} and {most}", moves(&board));
    }
}
