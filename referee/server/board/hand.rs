//! Hand of a person at the board: its turn, and the move that its page sends.

use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::player::Player;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

/// Time of a person for a move, after which the game is void. Not tuned.
pub const MOVE: Duration = Duration::from_secs(600);

/// Answer to a game that asks whether its players are ready.
const READY: &str = "ready person";

/// Turn of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Number of the turn among all turns of the hand.
    pub number: u64,
    /// Legal moves.
    pub moves: Vec<String>,
    /// Second since 1970 at which the game is void.
    pub until: u64,
}

/// Word of a person to its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// A move.
    Move(String),
    /// The game is lost.
    GivesUp,
    /// The game is void: the person is gone, or the server ends.
    Leaves,
}

/// Hand of a person, which its page and its game share.
#[derive(Default)]
pub struct Hand {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    turns: u64,
    turn: Option<Turn>,
    said: Option<Said>,
}

impl Hand {
    /// Returns the turn, if the person is to move.
    pub fn turn(&self) -> Option<Turn> {
        self.state().turn.clone()
    }

    /// Takes a move of this turn. Returns `false` if it is no legal move, or of another turn.
    pub fn play(&self, number: u64, mv: &str) -> bool {
        let mut state = self.state();
        let is_legal = |turn: &Turn| turn.number == number && turn.moves.iter().any(|of| of == mv);
        if !state.turn.as_ref().is_some_and(is_legal) {
            return false;
        }
        // A second click comes too late.
        (state.said, state.turn) = (Some(Said::Move(mv.to_owned())), None);
        self.changed.notify_all();
        true
    }

    /// Takes the end of the game, also between two turns.
    pub fn end(&self, said: Said) {
        self.state().said = Some(said);
        self.changed.notify_all();
    }

    /// Forgets the last game.
    pub fn clear(&self) {
        let mut state = self.state();
        (state.turn, state.said) = (None, None);
    }

    /// Waits for a word on a turn. `None` if there is none in time.
    fn wait(&self, moves: Vec<String>, time: Duration, turns: &dyn Fn()) -> Option<Said> {
        let mut state = self.state();
        let until = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |now| (now + time).as_secs());
        state.turns += 1;
        state.turn = Some(Turn { number: state.turns, moves, until });
        turns();
        let begun = Instant::now();
        while state.said.is_none() {
            let left = time.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
            let Some(left) = left else { break };
            let waited = self.changed.wait_timeout(state, left);
            state = waited.expect("no thread panics while it holds the lock").0;
        }
        state.turn = None;
        // The end of a game stays said.
        match &state.said {
            Some(Said::Move(_)) => state.said.take(),
            other => other.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }
}

/// Player of a game whose moves come from a page.
pub struct AtBoard {
    hand: Arc<Hand>,
    /// Function that hears of each turn.
    turns: Arc<dyn Fn() + Send + Sync>,
    time: Duration,
    /// Legal moves of the turn; none before the first one.
    moves: Option<Vec<String>>,
    line: String,
}

impl AtBoard {
    /// Creates the player of a hand, with this time for a move.
    pub fn new(hand: Arc<Hand>, time: Duration, turns: Arc<dyn Fn() + Send + Sync>) -> AtBoard {
        AtBoard { hand, turns, time, moves: None, line: String::new() }
    }
}

impl Player for AtBoard {
    fn ask(
        &mut self,
        _: &str,
        _: &Limit,
        _: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let asked = Instant::now();
        let Some(moves) = self.moves.clone() else {
            // Rules in another process ask a person, too, whether it is ready.
            return Ok(Answer::of_wall(READY, Duration::ZERO));
        };
        // The programs of the others are stopped at once: a person takes its time.
        on_thinking();
        let said = self.hand.wait(moves, self.time, &*self.turns);
        (self.turns)();
        match said {
            Some(Said::Move(mv)) => {
                self.line = mv;
                Ok(Answer::of_wall(&self.line, asked.elapsed()))
            }
            Some(Said::GivesUp) => Err(Fault::Disconnect),
            Some(Said::Leaves) => Err(Fault::Absent { why: "it left the board".into() }),
            None => {
                let minutes = self.time.as_secs() / 60;
                Err(Fault::Absent { why: format!("it made no move for {minutes} minutes") })
            }
        }
    }

    fn tell(&mut self, _: &str) {}

    fn choices(&mut self) -> Option<&mut Vec<String>> {
        Some(self.moves.get_or_insert_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Waits for a word while another thread acts on the turn.
    fn heard(hand: &Hand, act: impl FnOnce(&Hand) + Send, time: Duration) -> Option<Said> {
        thread::scope(|scope| {
            scope.spawn(|| {
                while hand.turn().is_none() {
                    thread::sleep(Duration::from_millis(1));
                }
                act(hand);
            });
            hand.wait(vec!["a".into(), "b".into()], time, &|| {})
        })
    }

    #[test]
    fn only_a_legal_move_of_this_turn_is_played() {
        let (hand, long) = (Hand::default(), Duration::from_secs(60));
        assert!(!hand.play(1, "a"), "it is not to move");
        let act = |hand: &Hand| {
            for (number, mv) in [(0, "a"), (2, "a"), (1, "c"), (1, ""), (1, "a b")] {
                assert!(!hand.play(number, mv), "{number} {mv}");
            }
            assert!(hand.play(1, "b"));
            assert!(!hand.play(1, "a"), "a second click");
        };
        assert_eq!(heard(&hand, act, long), Some(Said::Move("b".into())));
        let act = |hand: &Hand| {
            assert!(!hand.play(1, "a"), "of the turn before");
            assert!(hand.play(2, "a"));
        };
        assert_eq!(heard(&hand, act, long), Some(Said::Move("a".into())));
    }

    #[test]
    fn game_ends_by_a_word_or_by_time() {
        let (hand, long) = (Hand::default(), Duration::from_secs(60));
        assert_eq!(heard(&hand, |_| {}, Duration::from_millis(20)), None);
        assert_eq!(heard(&hand, |hand| hand.end(Said::GivesUp), long), Some(Said::GivesUp));
        hand.clear();
        hand.end(Said::Leaves);
        assert_eq!(hand.wait(Vec::new(), long, &|| {}), Some(Said::Leaves), "before its turn");
        assert_eq!(hand.wait(Vec::new(), long, &|| {}), Some(Said::Leaves), "it stays said");
    }
}
