//! Matches in this process, on the region graph: the very games that the same match plays through
//! programs, without lines, clocks and the referee's table.

use crate::bots::options::Options;
use crate::bots::seven_colors::{strategy, Field, Strategy, BOT};
use crate::dialect::Notation;
use crate::game::{BadText, Game, Seat};
use crate::games::seven_colors::cells::Cells;
use crate::games::seven_colors::graph::Graph;
use crate::games::seven_colors::{seats, Board, Colour, SevenColors, SEATS};
use crate::referee::rating::{Games, HalfPoints, Pairs};
use crate::referee::schedule::{Fixture, Schedule};
use crate::text::unknown;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;

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
    pub fixture: Fixture,
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
        Seat::new(self.fixture.players.iter().position(|&seated| seated == player).unwrap_or(0))
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

/// A player of a bout: a strategy, and how far it looks ahead.
struct Contender {
    strategy: Box<dyn Strategy>,
    depth: Option<u32>,
}

impl Contender {
    fn new(words: &str) -> Result<Contender, BadText> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let mut options = Options::new(&words);
        let name = options.take_word().unwrap_or_default();
        let names = BOT.strategies.iter().map(|(name, _)| *name);
        if !names.clone().any(|known| known == name) {
            return Err(unknown("strategy of seven-colors", &name, names));
        }
        let depth = options.take("--depth")?;
        let strategy = strategy(&name, &mut options)?;
        options.finish()?;
        Ok(Contender { strategy, depth })
    }
}

/// Plays a bout. The games are in the order of their numbers.
///
/// # Errors
/// If there is no such strategy, or the rules are none.
pub fn play(bout: &Bout) -> Result<Vec<Played>, BadText> {
    let game = SevenColors::from_rules(bout.rules)?;
    bout.players.iter().try_for_each(|words| Contender::new(words).map(drop))?;
    let schedule = Schedule::new(SEATS, SEATS, bout.games, bout.seed);
    let rounds = schedule.games_per_group() / SEATS as u64;
    let boards: Vec<Board> =
        game.setups(SEATS, 0, schedule.openings_rng()).take(rounds as usize).collect();
    let (next, played) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let step = if bout.both { 1 } else { SEATS as u64 };
    let work = || -> Result<(), BadText> {
        let [one, other] = bout.players.map(Contender::new);
        let mut players = [one?, other?];
        loop {
            let index = next.fetch_add(step, Ordering::Relaxed);
            if index >= schedule.games() {
                return Ok(());
            }
            let fixture = schedule.fixture(index);
            let board = &boards[fixture.round as usize % boards.len()];
            let one_more = play_one(&game, board, fixture, &mut players)?;
            played.lock().expect("no holder panics").push(one_more);
        }
    };
    thread::scope(|scope| -> Result<(), BadText> {
        let workers: Vec<_> = (0..bout.workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker returns"))
    })?;
    let mut played = played.into_inner().expect("no holder panics");
    played.sort_by_key(|game: &Played| game.fixture.index);
    Ok(played)
}

fn play_one(
    game: &SevenColors,
    board: &Board,
    fixture: Fixture,
    players: &mut [Contender; SEATS],
) -> Result<Played, BadText> {
    let position = game.start(board)?;
    let (graph, mut node) = Graph::new(&position);
    let mut played =
        Played { fixture, plies: Vec::new(), scores: [0; SEATS], crossed: [None; SEATS] };
    for (&player, &seed) in played.fixture.players.iter().zip(&played.fixture.seeds) {
        players[player].strategy.begin(seed);
    }
    let far_sides = [0, 1].map(|seat| far_side(board, &graph.area(node.taken(Seat::new(seat)))));
    let mut seat = position.mover();
    while !graph.is_over(&node) {
        let Contender { strategy, depth } = &mut players[played.fixture.players[seat.index()]];
        let colour = strategy.choose(&Field { graph: &graph, node, seat }, *depth);
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
