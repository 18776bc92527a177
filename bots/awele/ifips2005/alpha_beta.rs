//! The alpha-beta bot, with iterative deepening.

use super::heuristic::Heuristic;
use super::node::{won_by_table, AweleNode, SearchContext, SearchGoal};
use super::time_management::{Depths, TimeManager};
use crate::awele::book::Book;
use crate::awele::endgame::{EndgameTables, Endings};
use crate::console::time_kind;
use crate::engine::Engine;
use crate::options::Options;
use arbitre_games::clock::Clock;
use arbitre_games::dialect::Start;
use arbitre_games::game::{ParseError, Seat, State};
use arbitre_games::games::awele::{Awele, Board, Pit, Position, CODINGAME};
use arbitre_games::search::alpha_beta::{deepen, SearchPosition as _};
use arbitre_games::search::budget::{Budget, Timer};
use arbitre_games::search::cpu_time::{Moment, TimeKind};
use arbitre_games::search::deepening::SearchResult;
use std::time::Duration;

/// The engine. It plays the move of the book, the only legal one, a conversion or a killer reply,
/// and otherwise searches within the budget.
#[derive(Clone, Default)]
pub struct AlphaBeta {
    goal: SearchGoal,
    /// What it plays by while it knows the position.
    book: Option<Book>,
    endings: Endings,
    /// Does it play killer replies?
    killer: bool,
    /// The position that the last search expected when it is our turn again, and our answer there.
    expected: Option<(Board, Pit)>,
    /// Value of the last search or conversion in this game.
    value: Option<i32>,
    /// Does it share a game's clock out by itself?
    paced: bool,
    /// What fits this machine: found once per process, as it is the same in all games.
    depths: Option<Depths>,
    /// The pace of this game, if it has a clock and the clock is ours to share out.
    time_manager: Option<TimeManager>,
}

impl AlphaBeta {
    /// Creates an engine with the evaluation `heuristic`.
    pub fn new(heuristic: Heuristic) -> AlphaBeta {
        AlphaBeta {
            goal: SearchGoal { heuristic, ..SearchGoal::default() },
            ..AlphaBeta::default()
        }
    }

    /// Returns the engine with this endgame play.
    pub fn with_endings(self, endings: Endings) -> AlphaBeta {
        AlphaBeta { endings, ..self }
    }

    /// Searches a position.
    ///
    /// # Panics
    /// Panics if the game is over.
    pub fn search(&self, position: &Position, budget: Budget) -> SearchResult<Pit> {
        search(self.goal, self.endings.tables(position.rules()), position, budget)
    }

    /// Returns the depths at which searches of the full board take long on this machine, by time
    /// of this kind.
    pub fn calibrated(&self, init: Duration, kind: TimeKind) -> Depths {
        let full = Position::new(CODINGAME, Board::START, Seat::FIRST);
        Depths::calibrate(init, |depth, limit| {
            let begun = Moment::now();
            let time = Some(Timer::new(kind, begun, limit));
            search(self.goal, None, &full, Budget { time, ..Budget::depth(depth) });
            begun.elapsed(kind)
        })
    }

    /// Creates the engine of the options. If they limit a move, the engine does not manage the
    /// clock.
    ///
    /// # Errors
    /// Returns an error if the heuristic is unknown, or the value of an option is invalid.
    pub fn take(options: &mut Options) -> Result<AlphaBeta, ParseError> {
        let limited = ["--move-time", "--nodes", "--depth"].iter().any(|name| options.has(name));
        let goal = SearchGoal::take(options)?;
        let book = Book::take(options, || Some(Book::shipped()))?;
        let endings = Endings::take(options, false)?;
        let killer = options.take_switch("--killer")?;
        let paced = !limited;
        Ok(AlphaBeta { goal, book, endings, killer, paced, ..AlphaBeta::default() })
    }

    /// The move to play without a search, if there is one, and what to say about it.
    fn at_once(&mut self, state: &Position, seat: Seat, budget: Budget) -> Option<(Pit, String)> {
        let expected = self.expected.take();
        if let Some(pit) = self.book.as_ref().and_then(|book| book.look(state)) {
            return Some((pit, format!("{} book", self.known_score(state))));
        }
        if let [only] = state.moves(seat)[..] {
            return Some((only, self.known_score(state)));
        }
        if let Some((pit, plies)) = self.conversion(state, budget) {
            self.value = Some(won_by_table(state.ply()));
            let score = self.known_score(state);
            let comment =
                format!("{score} won by the tables, next capture in {plies} plies at most");
            return Some((pit, comment));
        }
        let answer = expected.filter(|(board, _)| *board == state.board())?.1;
        Some((answer, format!("{} killer reply", self.known_score(state))))
    }

    /// Returns the score of a position that is not searched. The last value still holds, as no
    /// reply of the opponent lowers it; before any search the evaluation counts.
    fn known_score(&self, state: &Position) -> String {
        let evaluate = || {
            let tables = self.endings.tables(state.rules());
            let context = SearchContext::new(state, self.goal, tables);
            AweleNode::new(state, &context).evaluate()
        };
        format!("score {}", self.value.unwrap_or_else(evaluate))
    }

    /// The move towards the next capture of a win that the tables know, and how far that is.
    fn conversion(&mut self, state: &Position, budget: Budget) -> Option<(Pit, u32)> {
        let told = self.goal.is_told_by_tables(state.rules());
        told.then(|| self.endings.convert(state, budget))?
    }

    /// Searches, and keeps what is expected next.
    fn think(&mut self, state: &Position, budget: Budget) -> SearchResult<Pit> {
        let limits = self.limits(budget);
        let found = self.search(state, limits);
        self.expected = killer_reply(state, &found.line).filter(|_| self.killer);
        self.value = Some(found.value);
        found
    }

    /// The limits of a search: those of the pace where there is one.
    fn limits(&mut self, budget: Budget) -> Budget {
        let (Some(time_manager), Some(clock)) = (&mut self.time_manager, budget.game) else {
            return budget;
        };
        let allowance = time_manager.search(clock.remaining, clock.increment);
        let time = Some(clock.stop_after(allowance.time));
        Budget { time, depth: Some(allowance.depth), ..budget }
    }
}

/// What a search of this position finds.
pub(crate) fn search(
    goal: SearchGoal,
    tables: Option<&EndgameTables>,
    position: &Position,
    budget: Budget,
) -> SearchResult<Pit> {
    let context = SearchContext::new(position, goal, tables);
    deepen(&AweleNode::new(position, &context), budget)
}

/// The "coup qui tue" of the report: the board after our move and the reply that is best for the
/// opponent, and our answer there, if the expected line goes so far.
fn killer_reply(position: &Position, line: &[Pit]) -> Option<(Board, Pit)> {
    let &[best, reply, answer, ..] = line else { return None };
    let rule = position.rules().grand_slam;
    Some((position.board().after(best, rule).after(reply, rule), answer))
}

/// The game's clock, if nothing else limits a move but time.
fn game_clock(clock: &Clock) -> Option<Duration> {
    clock.game.filter(|_| clock.nodes.is_none() && clock.depth.is_none())
}

impl Engine<Awele> for AlphaBeta {
    fn begin(&mut self, start: &Start<Awele>) {
        self.expected = None;
        self.value = None;
        self.endings.begin(start.game.options());
        self.time_manager = game_clock(&start.clock).filter(|_| self.paced).map(|clock| {
            let init = start.clock.init.unwrap_or(Clock::DEFAULT_INIT);
            let kind = time_kind(start.clock.kind);
            let depths = self.depths.unwrap_or_else(|| self.calibrated(init, kind));
            self.depths = Some(depths);
            TimeManager::new(depths, clock)
        });
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Pit, String) {
        if let Some((pit, why)) = self.at_once(state, seat, budget) {
            self.time_manager.iter_mut().for_each(TimeManager::rest);
            return (pit, why);
        }
        let found = self.think(state, budget);
        (found.best, found_text(&found))
    }
}

/// Returns score, depth, nodes and principal variation as bots print them.
pub(crate) fn found_text(found: &SearchResult<Pit>) -> String {
    let SearchResult { value, depth, nodes, line, .. } = found;
    let line: Vec<String> = line.iter().map(Pit::to_string).collect();
    format!("score {value} depth {depth} nodes {nodes} pv {}", line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::Game;
    use arbitre_games::games::awele::Opening;
    use arbitre_games::search::budget::GameClock;
    use arbitre_games::search::cpu_time::thread_time;

    fn start() -> Position {
        Awele::new(CODINGAME).start(&Opening::default()).unwrap()
    }

    /// After the expected reply the stored answer is played without a search, once; after any other
    /// reply, or without the option, the engine searches.
    #[test]
    fn a_killer_reply_waits_for_the_expected_reply() {
        for killer in [true, false] {
            for reply in 0..6 {
                let mut engine = AlphaBeta { killer, ..AlphaBeta::new(Heuristic::Captures) };
                let mut position = start();
                let line = engine.search(&position, Budget::depth(6)).line;
                let (best, comment) = engine.choose(&position, Seat::FIRST, Budget::depth(6));
                assert!(comment.starts_with("score "));
                position.play(Seat::FIRST, best).unwrap();
                let reply = Pit::new(reply).unwrap();
                position.play(Seat::new(1), reply).unwrap();
                let (answer, comment) = engine.choose(&position, Seat::FIRST, Budget::depth(6));
                let at_once = killer && reply == line[1];
                assert_eq!(comment.ends_with(" killer reply"), at_once, "{reply}");
                if at_once {
                    assert_eq!(answer, line[2]);
                    let (_, comment) = engine.choose(&position, Seat::FIRST, Budget::depth(6));
                    assert!(comment.contains(" depth "), "an answer is good once");
                }
            }
        }
    }

    /// The book comes first, and is silent where the game has left it; without one it searches.
    #[test]
    fn the_book_comes_before_the_search() {
        let books = [Some(Book::shipped()), None];
        for book in books {
            let known = book.is_some();
            let mut engine = AlphaBeta { book, ..AlphaBeta::new(Heuristic::Rows) };
            let mut said = |position: &Position| {
                let (pit, comment) = engine.choose(position, position.mover(), Budget::depth(3));
                assert!(position.is_legal(pit));
                comment
            };
            assert_eq!(said(&start()) == "score 0 book", known);
            let board = Board::new([0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [4, 0]);
            let elsewhere = Position::new(CODINGAME, board, Seat::FIRST);
            assert!(said(&elsewhere).contains(" depth "));
        }
    }

    /// What a game left behind is not played in the next.
    #[test]
    fn a_killer_reply_does_not_outlive_its_game() {
        let mut engine = AlphaBeta { killer: true, ..AlphaBeta::new(Heuristic::Captures) };
        let mut position = start();
        let line = engine.think(&position, Budget::depth(6)).line;
        for pit in &line[..2] {
            position.play(position.mover(), *pit).unwrap();
        }
        begin(&mut engine, "depth 6");
        let (_, comment) = engine.choose(&position, Seat::FIRST, Budget::depth(6));
        assert!(comment.contains(" depth "), "{comment}");
    }

    fn begin(engine: &mut AlphaBeta, clock: &str) -> bool {
        let (game, state) = (Awele::new(CODINGAME), start());
        let clock = Clock::parse(clock).unwrap();
        engine.begin(&Start { game, state, seat: Seat::FIRST, seats: 2, clock, seed: 0 });
        engine.time_manager.is_some()
    }

    /// An engine in a game with this clock, whatever the machine.
    fn paced(depths: Depths, clock: Duration) -> AlphaBeta {
        let time_manager = Some(TimeManager::new(depths, clock));
        AlphaBeta { time_manager, ..AlphaBeta::new(Heuristic::Rows) }
    }

    fn on_the_clock(remaining: Duration) -> Budget {
        let (asked, kind) = (Moment::now(), TimeKind::Cpu);
        let (increment, per_move) = (Duration::ZERO, None);
        let game = GameClock { remaining, increment, per_move, asked, kind };
        Budget { game: Some(game), ..Budget::default() }
    }

    /// Moves without a search tell nothing about the time that one takes.
    #[test]
    fn the_depth_is_that_of_the_time_management() {
        let only = Board::new([0, 1, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4], [12, 11]);
        let only = Position::new(CODINGAME, only, Seat::FIRST);
        let searched = [(1000, true, 4), (999, true, 5), (900, true, 4), (60, true, 2)];
        let resting = [(1000, true, 4), (999, false, 0), (998, true, 4), (997, true, 5)];
        for turns in [searched, resting] {
            let depths = Depths { degraded: 2, starting: 4 };
            let mut engine = paced(depths, Duration::from_secs(1000));
            for (seconds, searches, depth) in turns {
                let position = if searches { &start() } else { &only };
                let budget = on_the_clock(Duration::from_secs(seconds));
                let (_, comment) = engine.choose(position, Seat::FIRST, budget);
                match searches {
                    true => assert!(comment.contains(&format!(" depth {depth} ")), "{comment}"),
                    false => assert!(!comment.contains(" depth "), "{comment}"),
                }
            }
        }
    }

    /// A whole game whose depths are far too deep for its half second of processor time.
    #[test]
    fn a_clock_is_not_overrun_by_searches_that_never_end() {
        if thread_time().is_none() {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        }
        let mut clock = Duration::from_millis(500);
        let mut engine = paced(Depths { degraded: 40, starting: 40 }, clock);
        let mut position = start();
        while position.end().is_none() {
            let (seat, before) = (position.mover(), thread_time().unwrap());
            let (pit, _) = engine.choose(&position, seat, on_the_clock(clock));
            let spent = thread_time().unwrap() - before;
            assert!(spent < clock, "{spent:?} of {clock:?} at ply {}", position.ply());
            clock -= spent;
            position.play(seat, pit).unwrap();
        }
        assert!(position.ply() > 20);
    }

    #[test]
    fn a_clock_is_calibrated_for_once_and_only_where_it_is_ours() {
        let take = |words| AlphaBeta::take(&mut Options::of(words)).unwrap();
        let clock = "wall init 40 game 1000 increment 0";
        let mut engine = take("");
        assert!(!begin(&mut engine, "wall init 40 move 1000") && engine.depths.is_none());
        assert!(!begin(&mut engine, "wall init 40 game 1000 depth 4") && engine.depths.is_none());
        assert!(begin(&mut engine, clock));
        engine.depths = Some(Depths { degraded: 77, starting: 78 });
        assert!(begin(&mut engine, clock));
        assert_eq!(engine.limits(on_the_clock(Duration::from_secs(1))).depth, Some(78));
        assert!(!begin(&mut engine, "wall move 1000"), "the pace of the last game was kept");
        for own in ["--depth=3", "--nodes 3", "--move-time 3"] {
            assert!(!begin(&mut take(own), clock), "{own}");
        }
    }
}
