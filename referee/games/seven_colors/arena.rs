//! Matches in this process, on the region graph: the very games that the same match plays through
//! programs, without lines, clocks and the referee's table.

use super::threads::in_parallel;
use crate::pairing::schedule::{Pairing, Schedule};
use crate::statistics::rating::{Games, HalfPoints, Pairs};
use arbitre_bots::options::Options;
use arbitre_bots::seven_colors::{strategy, Field, Strategy, BOT};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, ParseError, Seat};
use arbitre_games::games::seven_colors::cells::Cells;
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{seats, Board, Colour, SevenColors, SEATS};
use arbitre_games::text::unknown;

/// What is played.
#[derive(Clone, Debug)]
pub struct Bout<'a> {
    /// Two strategies, each with its options, as on the command line of `seven-colors`.
    pub players: [&'a str; SEATS],
    /// The rules.
    pub rules: &'a str,
    /// How many games; two share a board.
    pub games: u64,
    /// All of them, or only the first on each board.
    pub both: bool,
    /// The seed of the match.
    pub seed: u64,
    /// How many are played at once.
    pub workers: usize,
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Which game it is, and who had which seat.
    pub pairing: Pairing,
    /// The colours in order of play, each with what it gained.
    pub plies: Vec<(Colour, u16)>,
    /// The scores by seat.
    pub scores: [u16; SEATS],
    /// By seat, the ply in which it first took a cell on the far side of the diagonal, if it did.
    pub crossed: [Option<usize>; SEATS],
}

impl Played {
    /// What a seat made of it.
    pub fn half_points(&self, seat: Seat) -> HalfPoints {
        let [own, other] = [seat, seat.other()].map(|seat| self.scores[seat.index()]);
        1 + HalfPoints::from(own > other) - HalfPoints::from(own < other)
    }

    /// The seat of a player, by its number.
    pub fn seat_of(&self, player: usize) -> Seat {
        Seat::new(self.pairing.players.iter().position(|&seated| seated == player).unwrap_or(0))
    }

    /// The seat that was the first to cross the diagonal, if one did.
    pub fn first_to_cross(&self) -> Option<Seat> {
        let crossings = seats().filter_map(|seat| Some((self.crossed[seat.index()]?, seat)));
        crossings.min_by_key(|&(ply, _)| ply).map(|(_, seat)| seat)
    }

    /// What a seat gained, move by move.
    pub fn gains(&self, seat: Seat) -> impl Iterator<Item = u16> + '_ {
        self.plies.iter().skip(seat.index()).step_by(SEATS).map(|&(_, gain)| gain)
    }
}

/// A strategy, and how far it looks ahead.
pub struct Contender {
    strategy: Box<dyn Strategy>,
    depth: Option<u32>,
}

impl Contender {
    /// The strategy of these words, with its options, as on the command line of `seven-colors`.
    ///
    /// # Errors
    /// If there is no such strategy, or an option is not what it takes.
    pub fn new(words: &str) -> Result<Contender, ParseError> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let mut options = Options::new(&words);
        let name = options.take_word().unwrap_or_default();
        let names = BOT.strategies.iter().map(|(name, _)| *name);
        if !names.clone().any(|known| known == name) {
            return Err(unknown("strategy of seven-colors", &name, names));
        }
        let depth = options.take_count("--depth")?;
        let strategy = strategy(&name, &mut options)?;
        options.finish()?;
        Ok(Contender { strategy, depth })
    }

    /// A game begins; the seed is for random choices.
    pub fn begin(&mut self, seed: u64) {
        self.strategy.begin(seed);
    }

    /// The colour that it plays.
    pub fn choose(&mut self, field: &Field) -> Colour {
        self.strategy.choose(field, self.depth)
    }
}

/// Plays a bout. The games are in the order of their numbers.
///
/// # Errors
/// If there is no such strategy, or the rules are none.
pub fn play(bout: &Bout) -> Result<Vec<Played>, ParseError> {
    let game = SevenColors::from_rules(bout.rules)?;
    bout.players.iter().try_for_each(|words| Contender::new(words).map(drop))?;
    let schedule = Schedule::new(SEATS, SEATS, bout.games, bout.seed);
    let rounds = schedule.games_per_group() / SEATS as u64;
    let boards: Vec<Board> =
        game.setups(SEATS, 0, schedule.openings_rng()).take(rounds as usize).collect();
    let step = if bout.both { 1 } else { SEATS };
    let played = in_parallel(bout.workers, schedule.games() as usize / step, |number| {
        let pairing = schedule.pairing((number * step) as u64);
        let board = &boards[pairing.round as usize % boards.len()];
        play_one(&game, board, pairing, bout.players)
    });
    played.into_iter().collect()
}

fn play_one(
    game: &SevenColors,
    board: &Board,
    pairing: Pairing,
    players: [&str; SEATS],
) -> Result<Played, ParseError> {
    let position = game.start(board)?;
    let (graph, mut node) = Graph::new(&position);
    let mut seated = Vec::with_capacity(SEATS);
    for (&player, &seed) in pairing.players.iter().zip(&pairing.seeds) {
        let mut contender = Contender::new(players[player])?;
        contender.begin(seed);
        seated.push(contender);
    }
    let mut played =
        Played { pairing, plies: Vec::new(), scores: [0; SEATS], crossed: [None; SEATS] };
    let far_sides = [0, 1].map(|seat| far_side(board, &graph.area(node.taken(Seat::new(seat)))));
    let mut seat = position.mover();
    while !graph.is_over(&node) {
        let colour = seated[seat.index()].choose(&Field { graph: &graph, node, seat });
        let before = node.cells(seat);
        let won = graph.area(&graph.play(&mut node, seat, colour));
        if won.and(&far_sides[seat.index()]) != Cells::NONE {
            played.crossed[seat.index()].get_or_insert(played.plies.len());
        }
        played.plies.push((colour, node.cells(seat) - before));
        seat = seat.other();
    }
    played.scores = graph.scores(&node);
    Ok(played)
}

/// The cells on the other side of the diagonal than a player's home.
fn far_side(board: &Board, home: &Cells) -> Cells {
    let mut sides = [Cells::NONE; 2];
    for row in 0..board.height() {
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

/// The results of the first player, by game and by pair of games on one board.
pub fn results(played: &[Played]) -> (Games, Pairs) {
    let (mut games, mut pairs) = (Games::default(), Pairs::default());
    let of = |game: &Played| game.half_points(game.seat_of(0));
    played.iter().for_each(|game| games.add(of(game)));
    played.chunks_exact(SEATS).for_each(|pair| pairs.add(of(&pair[0]), of(&pair[1])));
    (games, pairs)
}

/// How often the starter won, drew and lost.
pub fn starters(played: &[Played]) -> Games {
    let mut games = Games::default();
    let first = seats().next().expect("there are seats");
    played.iter().for_each(|game| games.add(game.half_points(first)));
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::State;
    use arbitre_games::games::seven_colors::{CellState, Position};

    /// Two greedy players on a board on which the first takes A, the second D, and the first B, which is
    /// beyond the diagonal.
    fn crossing(index: u64) -> Played {
        let game = SevenColors::from_rules("size=3x3 symmetric=no").unwrap();
        let board = game.parse_setup(&["AA.", "BAC", "*DD"]).unwrap();
        let pairing = Schedule::new(SEATS, SEATS, 2, 1).pairing(index);
        play_one(&game, &board, pairing, ["greedy"; SEATS]).unwrap()
    }

    #[test]
    fn a_game_is_told_move_by_move() {
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

    /// Games on small boards, with these boards.
    fn games(players: [&str; SEATS]) -> (Vec<Board>, Vec<Played>) {
        let rules = "size=9x9";
        let bout = Bout { players, rules, games: 8, both: false, seed: 1, workers: 2 };
        let rng = Schedule::new(SEATS, SEATS, bout.games, bout.seed).openings_rng();
        let boards = SevenColors::from_rules(rules).unwrap().setups(SEATS, 0, rng).take(4);
        (boards.collect(), play(&bout).unwrap())
    }

    #[test]
    fn a_contender_looks_as_far_ahead_as_its_words_say() {
        let plies = |first| -> Vec<_> {
            let (_, played) = games([first, "greedy"]);
            played.into_iter().map(|game| game.plies).collect()
        };
        assert_eq!(plies("oracle --depth 1"), plies("greedy"));
        assert_ne!(plies("oracle --depth 3"), plies("greedy"));
        assert_ne!(plies("oracle --depth 3"), plies("oracle"));
    }

    /// Against the plain board, looked at cell by cell after each ply.
    #[test]
    fn crossings_are_seen_when_they_happen() {
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
    fn who_crosses_first_did_so_in_an_earlier_ply() {
        let crossed = |crossed| Played { crossed, ..crossing(0) }.first_to_cross();
        assert_eq!(crossed([Some(8), Some(5)]), Some(Seat::new(1)));
        assert_eq!(crossed([Some(4), Some(5)]), Some(Seat::FIRST));
        assert_eq!(crossed([None, Some(5)]), Some(Seat::new(1)));
        assert_eq!(crossed([None, None]), None);
    }

    /// Whoever starts wins on this board, whichever player that is.
    #[test]
    fn results_are_the_first_players_and_the_starters() {
        let pair = [crossing(0), crossing(1)];
        assert_eq!([0, 1].map(|at: usize| pair[at].seat_of(0).index()), [0, 1]);
        let (games, pairs) = results(&pair);
        assert_eq!((games.wins, games.losses, pairs.wl), (1, 1, 1));
        let (games, pairs) = results(&[crossing(0), crossing(0)]);
        assert_eq!((games.wins, games.losses, pairs.ww), (2, 0, 1));
        assert_eq!(starters(&pair), Games { wins: 2, draws: 0, losses: 0 });
    }
}
