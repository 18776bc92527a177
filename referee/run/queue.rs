//! Work that remains in a tournament, shared by its workers: trials of players, then games.

use super::version_watch::VersionWatch;
use crate::formats::schedule::Schedule;
use crate::play::pairing::{GameId, Pairing};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Time between two looks of a thread that waits for players. Not tuned.
const RESERVING: Duration = Duration::from_millis(200);

/// Piece of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Trial of the player with this number.
    Trial(usize),
    /// A game.
    Game(Hold),
}

/// Right to play a game, until one of its players changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hold {
    /// The game.
    pub pairing: Pairing,
    /// Number of the game in the file of its match.
    pub number: u64,
    /// Number of changes of players before the game was taken.
    changes: usize,
}

/// Queue of the work of a tournament.
pub struct GameQueue {
    /// Number of games that may begin beyond those that are counted.
    window: u64,
    /// Observer of programs that may change, if a change begins a new version.
    watch: Option<VersionWatch>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    schedule: Schedule,
    /// Whether stages may be added to the schedule.
    is_open: bool,
    /// Players whose trial has not begun, in reverse order.
    trials: Vec<usize>,
    /// Number of trials that run.
    running_trials: usize,
    /// Players that could not be started. Their games are skipped.
    absent: HashSet<usize>,
    /// Most games at once of the players that have such a limit.
    most_at_once: HashMap<usize, usize>,
    /// Number of running games of each of these.
    playing: HashMap<usize, usize>,
    /// Players that are wanted for a game of another thread, which comes before those of the queue.
    wanted: HashMap<usize, usize>,
    /// Games that were played or are being played.
    taken: HashSet<GameId>,
    /// Index in the schedule before which there is nothing left to take.
    next: u64,
    /// Number of games that were taken, and are not over.
    running: usize,
    /// Number of the next game that begins.
    number: u64,
    /// Players whose games were handed out again, in the order of the changes.
    reopened: Vec<usize>,
    /// Number of games of the schedule that are counted.
    counted: u64,
    /// Last round of which games are handed out, if the tournament ends early.
    last_round: Option<u64>,
    /// Whether games wait.
    is_paused: bool,
    /// Whether no more work is handed out.
    closed: bool,
}

impl GameQueue {
    /// Creates a queue of all games of a schedule except those in `played`.
    pub fn new(schedule: &Schedule, played: HashSet<GameId>) -> GameQueue {
        let state = State { schedule: schedule.clone(), taken: played, ..State::default() };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        GameQueue { window: u64::MAX, watch: None, state, changed }
    }

    /// Adds trials of these players before the first game.
    pub fn with_trials(self, players: impl IntoIterator<Item = usize>) -> GameQueue {
        let mut trials: Vec<usize> = players.into_iter().collect();
        trials.reverse();
        self.state().trials = trials;
        self
    }

    /// Numbers the games from `first` on, in the order in which they begin.
    pub fn with_numbers_from(self, first: u64) -> GameQueue {
        self.state().number = first;
        self
    }

    /// Lets games begin at most `window` games after the last counted one, in the order of the
    /// schedule: those that are played wait in memory until they are counted.
    pub fn with_window(self, window: u64) -> GameQueue {
        GameQueue { window, ..self }
    }

    /// Waits for further stages when all games are taken, until [`GameQueue::end`].
    pub fn with_stages(self) -> GameQueue {
        self.state().is_open = true;
        self
    }

    /// Adds a stage after the last one, and forgets the first ones if all of their games were
    /// handed out, or lack a player. For a queue without an end, whose games are never handed out
    /// again.
    pub fn add_next_stage(&self, groups: Vec<Vec<usize>>, rounds: Range<u64>) {
        let mut state = self.state();
        let left = open(&state, state.next).next().unwrap_or(state.schedule.games());
        let ids: Vec<GameId> = (0..left).map(|index| state.schedule.id(index)).collect();
        let forgotten = state.schedule.forget_before(left);
        for id in ids.iter().take(forgotten as usize) {
            state.taken.remove(id);
        }
        state.next = left - forgotten;
        drop(state);
        self.add_stage(groups, rounds);
    }

    /// Adds a stage: see [`Schedule::add_stage`].
    pub fn add_stage(&self, groups: Vec<Vec<usize>>, rounds: Range<u64>) {
        self.state().schedule.add_stage(groups, rounds);
        self.changed.notify_all();
    }

    /// Takes note that the first `games` games of the schedule are over.
    pub fn skip(&self, games: u64) {
        let mut state = self.state();
        state.next = state.next.max(games);
    }

    /// Adds no more stages. The games that are there are still handed out.
    pub fn end(&self) {
        self.state().is_open = false;
        self.changed.notify_all();
    }

    /// Hands out no games of later rounds than those that have begun.
    pub fn end_after_round(&self) {
        let mut state = self.state();
        state.is_open = false;
        let last = state.next.checked_sub(1).map(|last| state.schedule.id(last).round);
        state.last_round = Some(last.unwrap_or(0));
        self.changed.notify_all();
    }

    /// Skips the remaining games of a player.
    pub fn withdraw(&self, player: usize) {
        self.state().absent.insert(player);
        self.changed.notify_all();
    }

    /// Hands out the games of a player, at most this number at once. One that was withdrawn is
    /// back.
    pub fn admit(&self, player: usize, most_at_once: Option<usize>) {
        let mut state = self.state();
        state.absent.remove(&player);
        if let Some(most) = most_at_once {
            state.most_at_once.insert(player, most);
        }
        self.changed.notify_all();
    }

    /// Hands out the games of a player again when its program changes.
    pub fn with_watch(self, watch: VersionWatch) -> GameQueue {
        GameQueue { watch: Some(watch), ..self }
    }

    /// Returns the observer of programs, if there is one.
    pub fn watch(&self) -> Option<&VersionWatch> {
        self.watch.as_ref()
    }

    /// Returns the next piece of work, and waits while all that is left has to wait. Returns `None`
    /// at the end.
    pub fn take(&self) -> Option<Work> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            if let Some(player) = state.trials.pop() {
                state.running_trials += 1;
                return Some(Work::Trial(player));
            }
            // The players of the games are known only after all trials.
            if state.is_paused && !state.is_open {
                return None;
            }
            if state.running_trials == 0 && !state.is_paused {
                match first(&state) {
                    None if !state.is_open => return None,
                    Some((index, pairing)) if index < state.counted.saturating_add(self.window) => {
                        state.taken.insert(pairing.id());
                        // Games before it wait for their players.
                        let earlier = open(&state, state.next).next().filter(|of| *of < index);
                        state.next = earlier.unwrap_or(index + 1);
                        state.sit(&pairing.players);
                        let (number, changes) = (state.number, state.reopened.len());
                        state.number += 1;
                        state.running += 1;
                        return Some(Work::Game(Hold { pairing, number, changes }));
                    }
                    _ => {}
                }
            }
            state = self.changed.wait(state).expect("no thread panics while it holds the lock");
        }
    }

    /// Takes the end of a trial. Games of a player that could not be started are skipped.
    pub fn tried(&self, player: usize, has_started: bool) {
        let mut state = self.state();
        state.running_trials -= 1;
        if !has_started {
            state.absent.insert(player);
        }
        self.changed.notify_all();
    }

    /// Takes the number of games of the schedule that are counted, which moves the window.
    pub fn counted(&self, games: u64) {
        self.state().counted = games;
        self.changed.notify_all();
    }

    /// Lets the games that have not begun wait, or go on. At the end those that wait are dropped.
    pub fn pause(&self, is_paused: bool) {
        self.state().is_paused = is_paused;
        self.changed.notify_all();
    }

    /// Takes note that a game between these players, which was taken, is over.
    pub fn done(&self, players: &[usize]) {
        let mut state = self.state();
        state.running -= 1;
        state.rise(players);
        self.changed.notify_all();
    }

    /// Waits until these players can play a game of another thread, and returns its number. `None`
    /// if `is_ended` says so before, which is asked while the queue is locked.
    pub fn reserve(&self, players: &[usize], is_ended: impl Fn() -> bool) -> Option<u64> {
        let mut state = self.state();
        players.iter().for_each(|&of| *state.wanted.entry(of).or_default() += 1);
        let mut number = None;
        while !is_ended() {
            if state.has_room(&state.playing, players) {
                state.sit(players);
                state.number += 1;
                number = Some(state.number - 1);
                break;
            }
            let waited = self.changed.wait_timeout(state, RESERVING);
            state = waited.expect("no thread panics while it holds the lock").0;
        }
        for player in players {
            state.wanted.entry(*player).and_modify(|wanted| *wanted -= 1);
        }
        state.wanted.retain(|_, wanted| *wanted > 0);
        drop(state);
        self.changed.notify_all();
        number
    }

    /// Takes note that a game of another thread is over.
    pub fn release(&self, players: &[usize]) {
        self.state().rise(players);
        self.changed.notify_all();
    }

    /// Returns the number of games of the queue that run.
    pub fn running(&self) -> usize {
        self.state().running
    }

    /// Returns the number of games that run, or can begin beside them.
    pub fn pending(&self) -> usize {
        let state = self.state();
        let mut playing = state.playing.clone();
        let beside = open(&state, state.next).filter(|&index| {
            let players = state.schedule.id(index).players;
            let is_free = state.is_open_to(&playing, &players);
            players.iter().filter(|_| is_free).for_each(|&of| *playing.entry(of).or_default() += 1);
            is_free
        });
        state.running + beside.count()
    }

    /// Hands out all games of a player again, because its program changed.
    pub fn reopen(&self, player: usize) {
        let mut state = self.state();
        state.taken.retain(|game| !game.players.contains(&player));
        state.next = 0;
        state.reopened.push(player);
        self.changed.notify_all();
    }

    /// Returns `true` if none of the game's players has changed since the game was taken. If one
    /// has, the game is handed out again.
    pub fn is_held(&self, Hold { pairing, changes, .. }: &Hold) -> bool {
        let state = self.state();
        !state.reopened[*changes..].iter().any(|player| pairing.players.contains(player))
    }

    /// Hands out no more work.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Returns `true` if no more work is handed out.
    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }
}

impl State {
    /// Takes note that these players play a game.
    fn sit(&mut self, players: &[usize]) {
        for &player in players.iter().filter(|player| self.most_at_once.contains_key(player)) {
            *self.playing.entry(player).or_default() += 1;
        }
    }

    /// Takes note that these players play one game less.
    fn rise(&mut self, players: &[usize]) {
        for player in players {
            if let Some(playing) = self.playing.get_mut(player) {
                *playing -= 1;
            }
        }
    }

    /// Returns `true` if each of these players can play a game of the queue.
    fn is_open_to(&self, playing: &HashMap<usize, usize>, players: &[usize]) -> bool {
        self.has_room(playing, players)
            && (self.wanted.is_empty() || {
                let mut all = playing.clone();
                self.wanted.iter().for_each(|(&of, wanted)| *all.entry(of).or_default() += wanted);
                self.has_room(&all, players)
            })
    }

    /// Returns `true` if none of these players has its most games at once already.
    fn has_room(&self, playing: &HashMap<usize, usize>, players: &[usize]) -> bool {
        players.iter().all(|player| {
            let most = self.most_at_once.get(player).copied().unwrap_or(usize::MAX);
            playing.get(player).copied().unwrap_or(0) < most
        })
    }
}

/// Returns the first game that can begin: one of the shard that is not taken, has all of its
/// players, none of them in too many games, and is not beyond the last round.
fn first(state: &State) -> Option<(u64, Pairing)> {
    let has_room = |index: &u64| {
        state.most_at_once.is_empty()
            || state.is_open_to(&state.playing, &state.schedule.id(*index).players)
    };
    let index = open(state, state.next).find(has_room)?;
    Some((index, state.schedule.pairing(index)))
}

/// Returns the games from an index on that can begin.
fn open(state: &State, from: u64) -> impl Iterator<Item = u64> + '_ {
    let is_absent = |player: &usize| state.absent.contains(player);
    (from..state.schedule.games()).filter(move |&index| {
        if !state.schedule.is_own(index) {
            return false;
        }
        let id = state.schedule.id(index);
        !state.taken.contains(&id)
            && !id.players.iter().any(is_absent)
            && state.last_round.is_none_or(|last| id.round <= last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn game(number: u64, pairing: Pairing) -> Work {
        Work::Game(Hold { pairing, number, changes: 0 })
    }

    fn games(queue: &GameQueue) -> Vec<GameId> {
        std::iter::from_fn(|| queue.take())
            .map(|work| match work {
                Work::Game(hold) => hold.pairing.id(),
                Work::Trial(_) => panic!("there are no trials"),
            })
            .collect()
    }

    #[test]
    fn every_game_is_taken_once() {
        let schedule = Schedule::new(3, 2, 4, 1);
        let all: Vec<GameId> = schedule.pairings().map(|pairing| pairing.id()).collect();
        assert_eq!(games(&GameQueue::new(&schedule, HashSet::new())), all);
        let played: HashSet<GameId> = [all[0].clone(), all[5].clone()].into();
        assert_eq!(games(&GameQueue::new(&schedule, played)), [&all[1..5], &all[6..]].concat());
    }

    #[test]
    fn games_begin_after_all_trials_and_without_absent_players() {
        let schedule = Schedule::new(3, 2, 4, 1);
        let queue = GameQueue::new(&schedule, HashSet::new()).with_trials([0, 2]);
        assert_eq!(queue.take(), Some(Work::Trial(0)));
        assert_eq!(queue.take(), Some(Work::Trial(2)));
        thread::scope(|scope| {
            let first = scope.spawn(|| queue.take());
            queue.tried(2, false);
            queue.tried(0, true);
            assert_eq!(first.join().unwrap(), Some(game(0, schedule.pairing(0))));
        });
        let left = games(&queue);
        assert_eq!(left.len(), 3, "of twelve games, four are without player 2");
        assert!(left.iter().all(|game| !game.players.contains(&2)));
    }

    #[test]
    fn first_games_are_skipped_until_a_player_changes() {
        let schedule = Schedule::new(2, 2, 6, 1);
        let all: Vec<GameId> = schedule.ids().collect();
        let queue = GameQueue::new(&schedule, HashSet::new());
        queue.skip(4);
        queue.skip(2);
        assert_eq!(games(&queue), all[4..]);
        queue.reopen(0);
        assert_eq!(games(&queue), all);
    }

    #[test]
    fn stages_are_played_as_they_come() {
        let queue = GameQueue::new(&Schedule::staged(2, 1), HashSet::new()).with_stages();
        queue.add_stage(vec![vec![0, 1]], 0..1);
        assert!(matches!(queue.take(), Some(Work::Game(_))));
        assert!(matches!(queue.take(), Some(Work::Game(_))));
        thread::scope(|scope| {
            let next = scope.spawn(|| queue.take());
            queue.add_stage(vec![vec![0, 2], vec![1, 3]], 1..2);
            let Some(Work::Game(hold)) = next.join().unwrap() else { panic!("there is a game") };
            assert_eq!(hold.pairing.id(), GameId { round: 1, players: vec![0, 2] });
            queue.withdraw(1);
            assert!(matches!(queue.take(), Some(Work::Game(_))));
            let none = scope.spawn(|| queue.take());
            queue.end();
            assert_eq!(none.join().unwrap(), None, "player 1 is absent");
        });
    }

    #[test]
    fn game_of_another_thread_comes_before_the_next_one() {
        let queue = GameQueue::new(&Schedule::staged(2, 1), HashSet::new()).with_stages();
        queue.admit(0, Some(1));
        for round in 0..3 {
            queue.add_stage(vec![vec![0, 1]], round..round + 1);
        }
        let Some(Work::Game(hold)) = queue.take() else { panic!("there is a game") };
        assert_eq!((hold.number, queue.pending()), (0, 1));
        assert_eq!(queue.reserve(&[0, 2], || true), None, "the people have left");
        thread::scope(|scope| {
            let reserved = scope.spawn(|| queue.reserve(&[0, 2], || false));
            while queue.state().wanted.is_empty() {
                thread::sleep(Duration::from_millis(1));
            }
            let next = scope.spawn(|| queue.take());
            queue.done(&hold.pairing.players);
            assert_eq!(reserved.join().unwrap(), Some(1));
            assert_eq!(queue.pending(), 0, "player 0 plays elsewhere");
            assert!(!next.is_finished());
            queue.release(&[0, 2]);
            let Some(Work::Game(hold)) = next.join().unwrap() else { panic!("there is a game") };
            assert_eq!(hold.number, 2);
        });
    }

    #[test]
    fn games_wait_during_a_pause() {
        let schedule = Schedule::new(2, 2, 6, 1);
        let queue = GameQueue::new(&schedule, HashSet::new()).with_stages();
        assert_eq!(queue.take(), Some(game(0, schedule.pairing(0))));
        queue.pause(true);
        thread::scope(|scope| {
            let next = scope.spawn(|| queue.take());
            queue.pause(false);
            assert_eq!(next.join().unwrap(), Some(game(1, schedule.pairing(1))));
            queue.pause(true);
            let none = scope.spawn(|| queue.take());
            queue.end();
            assert_eq!(none.join().unwrap(), None, "those that wait are dropped");
        });
    }

    /// The memory of a room does not grow with its games.
    #[test]
    fn past_stages_are_forgotten() {
        let queue = GameQueue::new(&Schedule::staged(2, 1), HashSet::new()).with_stages();
        for round in 0..1000 {
            queue.add_next_stage(vec![vec![0, 1]], round..round + 1);
            for players in [[0, 1], [1, 0]] {
                let Some(Work::Game(hold)) = queue.take() else { panic!("there is a game") };
                assert_eq!(hold.pairing.id(), GameId { round, players: players.to_vec() });
                assert_eq!(hold.pairing, Schedule::new(2, 2, 4000, 1).pairing(hold.number));
                queue.done(&players);
            }
            assert_eq!(queue.pending(), 0);
        }
        assert_eq!(queue.state().schedule.games(), 2);
        assert_eq!(queue.state().taken.len(), 2);
    }

    /// A player of one game at a time leaves the other games to others. Its own begin in their
    /// order.
    #[test]
    fn player_has_at_most_its_games_at_once() {
        let queue = GameQueue::new(&Schedule::staged(2, 1), HashSet::new()).with_stages();
        queue.admit(0, Some(1));
        queue.admit(1, Some(2));
        for round in 0..100 {
            queue.add_next_stage(vec![vec![0, 1], vec![2, 3]], 0..1);
            let take = || match queue.take() {
                Some(Work::Game(hold)) => hold.pairing.players,
                other => panic!("{round}: {other:?}"),
            };
            assert_eq!(queue.pending(), 3, "{round}: one game of player 0 waits");
            assert_eq!([take(), take(), take()], [[0, 1], [2, 3], [3, 2]], "{round}");
            assert_eq!(queue.pending(), 3, "{round}");
            thread::scope(|scope| {
                let next = scope.spawn(take);
                queue.done(&[2, 3]);
                queue.done(&[0, 1]);
                assert_eq!(next.join().unwrap(), [1, 0], "{round}");
            });
            queue.done(&[3, 2]);
            queue.withdraw(0);
            queue.add_next_stage(vec![vec![0, 1]], 1..2);
            queue.done(&[1, 0]);
            assert_eq!(queue.pending(), 0, "{round}: player 0 is away");
            queue.admit(0, Some(1));
            assert_eq!(queue.pending(), 1, "{round}: it is back");
            assert_eq!(take(), [0, 1]);
            queue.done(&[0, 1]);
            assert_eq!(take(), [1, 0]);
            queue.done(&[1, 0]);
            assert!(queue.state().schedule.games() < 10 && queue.state().playing[&0] == 0);
        }
    }

    /// The same where a game waits at each moment for a player that plays one at a time.
    #[test]
    fn past_stages_are_forgotten_beside_games_that_wait() {
        let queue = GameQueue::new(&Schedule::staged(2, 1), HashSet::new()).with_stages();
        (0..4).for_each(|player| queue.admit(player, Some(1)));
        let take = || match queue.take() {
            Some(Work::Game(hold)) => hold.pairing.players,
            other => panic!("{other:?}"),
        };
        queue.add_next_stage(vec![vec![0, 1]], 0..1);
        let mut first = take();
        for round in 1..1000 {
            // The second game of one pair begins when the first one of the other runs.
            let next = if round % 2 == 0 { [0, 1] } else { [2, 3] };
            queue.add_next_stage(vec![next.to_vec()], round..round + 1);
            assert_eq!(take(), next);
            queue.done(&first);
            let second = take();
            assert_eq!(second, [first[1], first[0]], "{round}");
            queue.done(&second);
            first = next.to_vec();
        }
        assert!(queue.state().schedule.games() < 8 && queue.state().taken.len() < 8);
    }

    #[test]
    fn round_that_has_begun_is_played_to_its_end() {
        let schedule = Schedule::new(3, 2, 6, 1);
        let queue = GameQueue::new(&schedule, HashSet::new());
        (0..7).for_each(|_| drop(queue.take()));
        queue.end_after_round();
        assert_eq!(games(&queue).len(), 5, "of 18 games in three rounds, the second ends");
    }

    #[test]
    fn window_follows_the_counted_games() {
        let schedule = Schedule::new(2, 2, 100, 1);
        let queue = GameQueue::new(&schedule, HashSet::new()).with_window(3);
        (0..3).for_each(|index| {
            assert_eq!(queue.take(), Some(game(index, schedule.pairing(index))));
        });
        thread::scope(|scope| {
            let next = scope.spawn(|| queue.take());
            queue.counted(1);
            assert_eq!(next.join().unwrap(), Some(game(3, schedule.pairing(3))));
            let last = scope.spawn(|| queue.take());
            queue.close();
            assert_eq!(last.join().unwrap(), None);
        });
    }

    #[test]
    fn changed_player_plays_its_games_again() {
        let schedule = Schedule::new(3, 2, 2, 1);
        let queue = GameQueue::new(&schedule, HashSet::new());
        let Some(Work::Game(hold)) = queue.take() else { panic!("there are games") };
        let all = [vec![hold.pairing.id()], games(&queue)].concat();
        queue.reopen(2);
        assert!(queue.is_held(&hold), "player 2 does not play in the first game");
        assert_eq!(games(&queue).len(), 4);
        queue.reopen(0);
        assert!(!queue.is_held(&hold));
        let again: Vec<GameId> = all.into_iter().filter(|game| game.players.contains(&0)).collect();
        assert_eq!(games(&queue), again);
    }
}
