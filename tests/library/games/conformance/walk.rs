//! Random games for the suite, and the text by which it compares positions.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::rng::Rng;

/// Random games per rule text and number of seats.
const GAMES: u64 = 30;
/// Exclusive limit of the length of openings, in plies.
const PLIES: u64 = 5;

/// A game in the suite.
pub struct Suite<G: Game> {
    /// The game with each of its rule texts.
    pub games: Vec<G>,
    /// All candidate moves.
    pub moves: Vec<G::Move>,
    /// Number of turns within which a random game ends.
    pub turns: usize,
}

/// A turn of a game.
pub struct Turn<'a, G: Game> {
    pub game: &'a G,
    pub state: &'a G::State,
    /// First seat to move.
    pub seat: Seat,
    /// Move that is played next.
    pub mv: G::Move,
}

impl<G: Notation> Suite<G> {
    pub fn new(rules: &[&str], words: &[&str], turns: usize) -> Suite<G> {
        let read =
            |text: &&str| G::from_rules(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let games: Vec<G> = rules.iter().map(read).collect();
        let parse = |word: &&str| games[0].parse_move(word).expect("a word for a move");
        let moves = words.iter().map(parse).collect();
        Suite { games, moves, turns }
    }

    /// Calls `look` at every turn of random games under all rules, with every number of seats.
    /// Returns the final positions. Panics unless there are more turns than games.
    pub fn play(&self, mut look: impl FnMut(Turn<G>)) -> Vec<(G, G::State)> {
        let mut finished = Vec::new();
        let mut turns = 0;
        for game in &self.games {
            for (seats, seed) in tables::<G>(GAMES) {
                let end = self.play_one(game, seats, seed, &mut |turn| {
                    turns += 1;
                    look(turn);
                });
                finished.push((game.clone(), end));
            }
        }
        assert!(turns > finished.len(), "only {turns} turns in {} games", finished.len());
        assert_eq!(finished.len(), self.games.len() * tables::<G>(GAMES).count());
        finished
    }

    fn play_one(
        &self,
        game: &G,
        seats: usize,
        seed: u64,
        look: &mut impl FnMut(Turn<G>),
    ) -> G::State {
        let mut rng = Rng::new(seed);
        let mut state = some_start(game, seats, seed);
        for _ in 0..self.turns {
            let Some(seat) = state.to_move().iter().next() else {
                return state;
            };
            let moves = state.moves(seat);
            assert!(
                !moves.is_empty(),
                "{seat} must speak and has no move: {}",
                portrait(game, &state)
            );
            let mv = moves[rng.below(moves.len())];
            look(Turn { game, state: &state, seat, mv });
            state.play(seat, mv).expect("a listed move is legal");
        }
        panic!("no end within {} turns: {}", self.turns, portrait(game, &state));
    }
}

/// Returns the possible numbers of seats in ascending order.
pub fn table_sizes<G: Game>() -> std::ops::RangeInclusive<usize> {
    G::META.seats.0..=G::META.seats.1
}

/// Returns every number of seats with `games` seeds each.
pub fn tables<G: Game>(games: u64) -> impl Iterator<Item = (usize, u64)> {
    table_sizes::<G>().flat_map(move |seats| (0..games).map(move |seed| (seats, seed)))
}

/// Returns the first position of a setup for `seats` seats. The seed determines setup and length.
pub fn some_start<G: Game>(game: &G, seats: usize, seed: u64) -> G::State {
    let mut setups = game.setups(seats, (seed % PLIES) as usize, Rng::new(seed));
    let setup = setups.next().expect("a game has a setup");
    drop(setups);
    assert_eq!(game.seats(&setup), seats, "a setup has the requested number of seats");
    game.start(&setup).expect("a game starts from its own setups")
}

/// Returns all seats that the game may have.
pub fn seats<G: Game>() -> impl Iterator<Item = Seat> {
    (0..G::META.seats.1).map(Seat::new)
}

/// Returns everything visible of a position: the view of each seat, the seats to move, the moves of
/// each seat and the result.
pub fn portrait<G: Notation>(game: &G, state: &G::State) -> String {
    let mut text = format!("{:?} {:?}\n", state.to_move(), state.outcome());
    for seat in seats::<G>() {
        game.write_state(state, seat, &mut text);
        text += &format!(" | {:?}\n", words(game, &state.moves(seat)));
    }
    text
}

/// Returns moves as words.
pub fn words<G: Notation>(game: &G, moves: &[G::Move]) -> Vec<String> {
    moves.iter().map(|mv| word(game, *mv)).collect()
}

/// Returns a move as a word.
pub fn word<G: Notation>(game: &G, mv: G::Move) -> String {
    let mut word = String::new();
    game.write_move(mv, &mut word);
    word
}
