//! Matches of strategies on the region graph, in this process. They play the same games as the
//! programs do, without lines of text, clocks and the referee's table.

use crate::options::Options;
use crate::seven_colors::{strategy, MoveContext, Strategy, BOT};
use arbitre_games::dialect::Notation;
use arbitre_games::experiment::{HalfPoints, LabPairing, LabSchedule};
use arbitre_games::game::{Game, ParseError, Seat};
use arbitre_games::games::seven_colors::cells::CellSet;
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{seats, Board, Colour, SevenColors, SEATS};
use arbitre_games::parallel;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArenaGame {
    /// Index of the game and the seats of its players.
    pub pairing: LabPairing,
    /// Colours in the order of play, each with the number of cells gained.
    pub plies: Vec<(Colour, u16)>,
    /// Final scores by seat.
    pub scores: [u16; SEATS],
    /// Ply in which each seat first took a cell beyond the diagonal, by seat, if it did.
    pub crossed: [Option<usize>; SEATS],
}

impl ArenaGame {
    /// Returns the half points of a seat: 2 for a win, 1 for a draw.
    pub fn half_points(&self, seat: Seat) -> HalfPoints {
        let [own, other] = [seat, seat.other()].map(|seat| self.scores[seat.index()]);
        1 + HalfPoints::from(own > other) - HalfPoints::from(own < other)
    }

    /// Returns the seat that crossed the diagonal first, if one did.
    pub fn first_to_cross(&self) -> Option<Seat> {
        let crossings = seats().filter_map(|seat| Some((self.crossed[seat.index()]?, seat)));
        crossings.min_by_key(|&(ply, _)| ply).map(|(_, seat)| seat)
    }

    /// Returns the gains of a seat, move by move.
    pub fn gains(&self, seat: Seat) -> impl Iterator<Item = u16> + '_ {
        self.plies.iter().skip(seat.index()).step_by(SEATS).map(|&(_, gain)| gain)
    }
}

/// A strategy and its search depth.
pub struct ArenaPlayer {
    strategy: Box<dyn Strategy>,
    depth: Option<u32>,
}

impl ArenaPlayer {
    /// Creates a player from a strategy and its options, as on the command line of `seven-colors`.
    ///
    /// # Errors
    /// Returns an error if the strategy is unknown or an option is invalid.
    pub fn new(words: &str) -> Result<ArenaPlayer, ParseError> {
        let mut options = Options::of(words);
        let name = BOT.take_strategy(&mut options)?;
        let depth = options.take_count("--depth")?;
        let strategy = strategy(name, &mut options)?;
        options.finish()?;
        Ok(ArenaPlayer { strategy, depth })
    }

    /// Starts a game; `seed` is for random choices.
    pub fn begin(&mut self, seed: u64) {
        self.strategy.begin(seed);
    }

    /// Returns the colour that the player chooses.
    pub fn choose(&mut self, context: &MoveContext) -> Colour {
        self.strategy.choose(context, self.depth).0
    }
}

/// Plays the games of a schedule, in the order of their indices. The players are strategies with
/// their options, as on the command line of `seven-colors`.
///
/// # Errors
/// Returns an error if a strategy is unknown, or the rules cannot be read.
pub fn play(
    players: [&str; SEATS],
    rules: &str,
    LabSchedule { pairings, setups }: &LabSchedule,
    workers: usize,
) -> Result<Vec<ArenaGame>, ParseError> {
    let game = SevenColors::from_rules(rules)?;
    let rounds = pairings.last().map_or(0, |last| last.round as usize + 1);
    let boards: Vec<Board> = game.setups(SEATS, 0, setups.clone()).take(rounds).collect();
    let played = parallel::map(workers, pairings.len(), |number| {
        let pairing = pairings[number].clone();
        let board = &boards[pairing.round as usize % boards.len()];
        play_one(&game, board, pairing, players)
    });
    played.into_iter().collect()
}

fn play_one(
    game: &SevenColors,
    board: &Board,
    pairing: LabPairing,
    players: [&str; SEATS],
) -> Result<ArenaGame, ParseError> {
    let position = game.start(board)?;
    let (graph, mut node) = Graph::new(&position);
    let mut seated = Vec::with_capacity(SEATS);
    for (&player, &seed) in pairing.players.iter().zip(&pairing.seeds) {
        let mut arena_player = ArenaPlayer::new(players[player])?;
        arena_player.begin(seed);
        seated.push(arena_player);
    }
    let mut played =
        ArenaGame { pairing, plies: Vec::new(), scores: [0; SEATS], crossed: [None; SEATS] };
    let far_sides = [0, 1].map(|seat| far_side(board, &graph.area(node.taken(Seat::new(seat)))));
    let mut seat = position.mover();
    while !graph.is_over(&node) {
        let colour = seated[seat.index()].choose(&MoveContext { graph: &graph, node, seat });
        let before = node.cells(seat);
        let won = graph.area(&graph.play(&mut node, seat, colour));
        if won.and(&far_sides[seat.index()]) != CellSet::NONE {
            played.crossed[seat.index()].get_or_insert(played.plies.len());
        }
        played.plies.push((colour, node.cells(seat) - before));
        seat = seat.other();
    }
    played.scores = graph.scores(&node);
    Ok(played)
}

/// Returns the cells on the other side of the diagonal than `home`.
fn far_side(board: &Board, home: &CellSet) -> CellSet {
    let mut sides = [CellSet::NONE; 2];
    for row in 0..board.height() {
        // Cells of the diagonal itself belong to neither side.
        for column in (0..board.width()).filter(|&column| column != row) {
            sides[usize::from(column > row)].insert(row, column);
        }
    }
    let [below, above] = sides;
    if home.and(&above) == *home {
        below
    } else {
        above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::State;
    use arbitre_games::games::seven_colors::{CellState, Position};
    use arbitre_games::rng::Rng;

    /// Returns a schedule of `games` games: pairs with the seats exchanged, and seeds from the
    /// index of the game.
    fn schedule(games: u64) -> LabSchedule {
        let pairing = |index: u64| LabPairing {
            index,
            round: index / 2,
            players: if index.is_multiple_of(2) { [0, 1] } else { [1, 0] },
            seeds: [2 * index, 2 * index + 1],
        };
        LabSchedule { pairings: (0..games).map(pairing).collect(), setups: Rng::new(1) }
    }

    /// Plays a game of two greedy players. The first takes A, the second D, then the first takes B,
    /// which lies beyond the diagonal.
    fn crossing(index: usize) -> ArenaGame {
        let game = SevenColors::from_rules("size=3x3 symmetric=no").unwrap();
        let board = game.parse_setup(&["AA.", "BAC", "*DD"]).unwrap();
        let pairing = schedule(2).pairings[index].clone();
        play_one(&game, &board, pairing, ["greedy"; SEATS]).unwrap()
    }

    #[test]
    fn game_is_recorded_move_by_move() {
        let played = crossing(0);
        let plies: Vec<(char, u16)> =
            played.plies.iter().map(|(colour, gain)| (colour.letter(), *gain)).collect();
        assert_eq!(plies, [('A', 3), ('D', 2), ('B', 1)]);
        assert_eq!(played.scores, [5, 3]);
        let [one, other] = [0, 1].map(Seat::new);
        assert_eq!(played.gains(one).collect::<Vec<u16>>(), [3, 1]);
        assert_eq!(played.gains(other).collect::<Vec<u16>>(), [2]);
        assert_eq!([one, other].map(|seat| played.half_points(seat)), [2, 0]);
        assert_eq!((played.crossed, played.first_to_cross()), ([Some(2), None], Some(one)));
    }

    /// Plays four games on small boards and returns them with their boards.
    fn games(players: [&str; SEATS]) -> (Vec<Board>, Vec<ArenaGame>) {
        let (rules, mut schedule) = ("size=9x9", schedule(8));
        schedule.pairings.retain(|pairing| pairing.index.is_multiple_of(2));
        let game = SevenColors::from_rules(rules).unwrap();
        let boards = game.setups(SEATS, 0, schedule.setups.clone()).take(4);
        (boards.collect(), play(players, rules, &schedule, 2).unwrap())
    }

    #[test]
    fn player_plans_to_the_depth_of_its_option() {
        let plies = |first| -> Vec<_> {
            let (_, played) = games([first, "greedy"]);
            played.into_iter().map(|game| game.plies).collect()
        };
        assert_eq!(plies("oracle --depth 1"), plies("greedy"));
        assert_ne!(plies("oracle --depth 3"), plies("greedy"));
        assert_ne!(plies("oracle --depth 3"), plies("oracle"));
    }

    /// Compares with the plain board, searched cell by cell after each ply.
    #[test]
    fn crossings_agree_with_the_plain_board() {
        let (boards, played) = games(["greedy"; SEATS]);
        let beyond = |position: &Position, seat: Seat, home: usize| {
            let width = position.board().width();
            let side = |index: usize| (index % width).cmp(&(index / width));
            let cells = position.board().cells().iter().enumerate();
            let mut own = cells.filter(|(_, cell)| **cell == CellState::Taken(seat));
            own.any(|(index, _)| side(index) == side(home).reverse())
        };
        assert_eq!(played.len(), boards.len());
        for (board, played) in boards.iter().zip(&played) {
            let mut position = SevenColors::from_rules("size=9x9").unwrap().start(board).unwrap();
            let home =
                |seat| board.cells().iter().position(|c| *c == CellState::Taken(seat)).unwrap();
            let mut crossed = [None; SEATS];
            for (ply, (colour, _)) in played.plies.iter().enumerate() {
                let seat = position.mover();
                position.play(seat, *colour).unwrap();
                if crossed[seat.index()].is_none() && beyond(&position, seat, home(seat)) {
                    crossed[seat.index()] = Some(ply);
                }
            }
            assert_eq!(played.crossed, crossed, "{board:?}");
        }
    }

    #[test]
    fn first_to_cross_has_the_earlier_ply() {
        let crossed = |crossed| ArenaGame { crossed, ..crossing(0) }.first_to_cross();
        assert_eq!(crossed([Some(8), Some(5)]), Some(Seat::new(1)));
        assert_eq!(crossed([Some(4), Some(5)]), Some(Seat::FIRST));
        assert_eq!(crossed([None, Some(5)]), Some(Seat::new(1)));
        assert_eq!(crossed([None, None]), None);
    }

    /// On this board the starter wins, whichever player it is.
    #[test]
    fn results_are_by_player_or_by_seat() {
        let pair = [crossing(0), crossing(1)];
        let seats = [0, 1].map(|at: usize| pair[at].pairing.seat_of(0));
        assert_eq!(seats, [0, 1].map(Seat::new));
        assert_eq!([0, 1].map(|at: usize| pair[at].half_points(seats[at])), [2, 0]);
        assert_eq!([0, 1].map(|at: usize| pair[at].half_points(Seat::FIRST)), [2, 2]);
    }
}
