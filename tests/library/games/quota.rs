//! Players that use up a quota which all programs of a user share, at every table.

use arbitre::game::Outcome;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::{play, PlayedGame, SeatedPlayer};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::script::Script;
use arbitre::internals::player::{Player, Seating, Shutdown};
use arbitre::referee::registry::DynGame;
use arbitre::rng::Rng;
use arbitre_process::exit::Exit;
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Player that shares a quota with the others. It plays the first legal move.
struct Sharer {
    /// Line of readiness, then the failure of the one that fails.
    script: Script,
    is_failing: bool,
    answer: String,
    is_used_up: bool,
    is_holder: bool,
    is_ended: bool,
    is_stopped: bool,
}

impl Player for Sharer {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        self.script.sit(arguments)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        assert!(!self.is_ended, "an ended player is asked: {prompt}");
        let legal = prompt.lines().find_map(|line| line.strip_prefix("legal "));
        match legal.filter(|_| !self.is_failing) {
            Some(legal) => {
                self.answer = legal.split(' ').next().unwrap().to_owned();
                Ok(Answer::of_wall(&self.answer, Duration::ZERO))
            }
            None => self.script.ask(prompt, limit, wanted, on_thinking),
        }
    }

    fn tell(&mut self, text: &str) {
        self.script.tell(text);
    }

    fn leave(&mut self, how: Shutdown) {
        self.is_ended |= how == Shutdown::AtOnce;
    }

    fn freeze(&mut self) {
        self.is_stopped = true;
    }

    fn has_quota(&self) -> bool {
        !self.is_used_up
    }

    fn holds_quota(&self) -> bool {
        assert!(self.is_stopped, "it could have given it back unseen");
        self.is_holder
    }
}

/// Holder of a quota.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Holder {
    /// Player on a seat.
    Of(usize),
    /// Program of no player.
    Elsewhere,
    /// No one: there is room.
    Nowhere,
}

/// Moment of a failure.
#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    Start,
    FirstTurn,
}

/// Games and their numbers of seats.
const TABLES: [(&str, usize); 7] = [
    ("taquin", 1),
    ("hextris", 1),
    ("awele", 2),
    ("seven-colors", 2),
    ("tron", 2),
    ("tron", 3),
    ("tron", 4),
];

/// Plays until the player on `failed` fails, and checks that all were ended.
fn play_at(
    (game, setup): (&dyn DynGame, &str),
    seats: usize,
    failed: usize,
    when: When,
    holder: Holder,
    fault: &Fault,
) -> PlayedGame {
    let mut table = game.table(setup, &vec![game.speech("arbitre").unwrap(); seats]).unwrap();
    let said = |line: &str| (Duration::ZERO, Ok(line.to_owned()));
    let script = |seat: usize| {
        let mut lines = vec![said(&format!("ready {seat}"))];
        if seat == failed {
            lines.truncate(usize::from(when == When::FirstTurn));
            lines.push((Duration::ZERO, Err(fault.clone())));
        }
        Script::new(lines)
    };
    let mut players: Vec<Sharer> = (0..seats)
        .map(|seat| Sharer {
            script: script(seat),
            is_failing: seat == failed,
            answer: String::new(),
            is_used_up: holder != Holder::Nowhere,
            is_holder: holder == Holder::Of(seat),
            is_ended: false,
            is_stopped: false,
        })
        .collect();
    let (limits, has_started) = (PlayerLimits::default(), AtomicBool::new(true));
    let mut seated: Vec<SeatedPlayer> = players
        .iter_mut()
        .map(|player| SeatedPlayer {
            player,
            limits: &limits,
            arguments: vec![],
            seed: 1,
            label: String::new(),
            has_started: &has_started,
            may_ponder: false,
        })
        .collect();
    let played = play(&mut *table, &mut seated);
    assert_eq!(played.rules_error, None);
    // After a failure of its own the others play on.
    if !matches!(holder, Holder::Nowhere) && holder != Holder::Of(failed) {
        assert!(players.iter().all(|player| player.is_ended), "{holder:?}");
    }
    played
}

/// Each table, each seat that fails, at each moment, beside each holder. Played again from what was
/// stored, the game is the same.
#[test]
fn holder_of_a_quota_has_the_fault() {
    for (name, seats) in TABLES {
        let game = arbitre::registry().open(name, "").unwrap();
        let setup = game.setups(seats, 0, Rng::new(1)).next().unwrap().unwrap();
        let holders = || (0..seats).map(Holder::Of).chain([Holder::Elsewhere, Holder::Nowhere]);
        let cases = (0..seats).flat_map(|failed| {
            holders().flat_map(move |holder| {
                [When::Start, When::FirstTurn].map(|when| (failed, when, holder))
            })
        });
        for (failed, when, holder) in cases {
            let case = format!("{name} {seats} {failed} {when:?} {holder:?}");
            let play = |holder, fault: &Fault| {
                play_at((&*game, &setup), seats, failed, when, holder, fault)
            };
            let crash = Fault::Crash(Exit::Code(1));
            let played = play(holder, &crash);
            let first = &played.faults[0];
            let by = match holder {
                Holder::Of(of) if of != failed => Some(of),
                Holder::Elsewhere => None,
                // The others play on.
                Holder::Of(_) | Holder::Nowhere => {
                    assert_eq!((first.seat.index(), &first.fault), (failed, &crash), "{case}");
                    continue;
                }
            };
            let quota = Fault::QuotaUsedUp { holder: by, failed };
            assert_eq!((played.faults.len(), &first.fault), (1, &quota), "{case}");
            assert_eq!(first.seat.index(), by.unwrap_or(failed), "{case}");
            let places = played.outcome.as_ref().map(Outcome::places);
            let last = |of| (0..seats).map(|seat| if seat == of { seats - 1 } else { 0 }).collect();
            assert_eq!(places, by.map(last), "{case}");
            let again = play(Holder::Nowhere, &quota);
            assert_eq!((again.faults, again.outcome), (played.faults, played.outcome), "{case}");
        }
    }
}
