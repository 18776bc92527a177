//! People whose programs are connected, and their players in the room.

use super::link::{Link, Outgoing};
use super::message::{Hello, ToClient};
use super::player::ConnectedPlayer;
use crate::people::Person;
use crate::token::Token;
use arbitre_referee::config::{PlayerConfig, CONNECTED};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Speech;
use arbitre_referee::run::room::{Finished, Refusal, Role, Room, Row};
use arbitre_referee::run::{Connected, PlannedPlayer, PlayerSource};
use governor::clock::DefaultClock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// Connections of a person, and changes of its files, in a minute, on average, and at once. Not
/// tuned.
const CONNECTIONS: (NonZeroU32, NonZeroU32) =
    (NonZeroU32::new(20).unwrap(), NonZeroU32::new(10).unwrap());
/// Seats of a player in a minute, on average, and at once: the room has a number of them. Not
/// tuned.
const VERSIONS: (NonZeroU32, NonZeroU32) =
    (NonZeroU32::new(4).unwrap(), NonZeroU32::new(20).unwrap());

type Keyed = RateLimiter<i64, DashMapStateStore<i64>, DefaultClock>;

/// People of a room whose programs are or were connected.
pub struct Members {
    room: Arc<Room>,
    /// Configuration of their players, without name and version.
    person: PlayerConfig,
    known: Mutex<BTreeMap<i64, Arc<Member>>>,
    connections: Keyed,
    changes: Keyed,
    versions: Keyed,
}

/// Person whose program is or was connected.
struct Member {
    link: Arc<Link>,
    owners: Arc<AtomicU64>,
    seat: Mutex<Seat>,
}

/// Player of a member in the room.
#[derive(Default)]
struct Seat {
    /// The start of the player that was seated last.
    last: Option<Seated>,
    /// Whether the client has joined, and its player is not seated yet.
    is_new: bool,
    /// Part of the client that is connected, and the player that it asks for a round.
    role: Role,
    opponent: Option<String>,
    /// Number of the player's games that the client has heard of; none if it hears of later ones
    /// only.
    told: Option<u64>,
    /// Whether the client was told that the player is set aside.
    has_told_why: bool,
}

/// Start of a player in the room.
struct Seated {
    /// Digest of its version.
    digest: String,
    /// Number of games at once.
    tables: usize,
    role: Role,
    /// Number of the player in the room.
    number: usize,
}

/// Connection of a person, as pages show it.
pub struct Status {
    /// File of the program.
    pub program: String,
    /// Smallest round trip of the last minute.
    pub round_trip: Option<Duration>,
}

impl Members {
    /// Creates the members of a room, whose players have the limits and the dialect of `person`.
    pub fn new(room: Arc<Room>, person: PlayerConfig) -> Members {
        let keyed = |(per_minute, at_once)| {
            Keyed::keyed(Quota::per_minute(per_minute).allow_burst(at_once))
        };
        let (connections, changes) = (keyed(CONNECTIONS), keyed(CONNECTIONS));
        let (known, versions) = (Mutex::default(), keyed(VERSIONS));
        Members { room, person, known, connections, changes, versions }
    }

    /// Returns `true` if the files of a person's program may change again, now.
    pub fn allows_change(&self, person: i64) -> bool {
        self.changes.check_key(&person).is_ok()
    }

    /// Returns `true` if a person may connect again, now.
    pub fn allows(&self, person: i64) -> bool {
        self.connections.check_key(&person).is_ok()
    }

    /// Takes a connection, whose number it returns. The player of the program is seated.
    ///
    /// # Errors
    /// Returns the reason why it is not, and whether the client may try again by itself.
    pub fn join(
        &self,
        person: &Person,
        hello: &Hello,
        sender: UnboundedSender<Outgoing>,
        welcome: impl FnOnce(Vec<super::message::Received>) -> ToClient,
    ) -> Result<u64, Refused> {
        let member = self.member(person.id);
        let mut seat = member.seat();
        // One that comes back in its round asks for no other.
        let waits = |of: &Seated| {
            let is_same = of.digest == hello.digest && of.role == Role::Asking;
            is_same && self.room.player(of.number).is_some_and(|player| player.waits)
        };
        let opponent = hello.once.clone().filter(|_| !seat.last.as_ref().is_some_and(waits));
        // One that will not play takes no other client's place.
        opponent.iter().try_for_each(|name| self.opponents(name, None).map(drop))?;
        seat.role = if hello.once.is_some() { Role::Asking } else { Role::Ladder };
        (seat.opponent, seat.is_new) = (opponent, true);
        let link = &member.link;
        let number = link.connect(sender, hello, welcome);
        let settled = self.settle(person.id, &member, &mut seat);
        if settled.is_err() {
            link.disconnect(number);
            seat.last.iter().for_each(|of| self.room.leave(of.number));
        }
        let player = seat.last.as_ref().and_then(|of| self.room.player(of.number));
        seat.told = player.map(|player| player.finished);
        settled.map(|()| number)
    }

    /// Takes note that a person's connection ended.
    pub fn left(&self, person: i64, connection: u64) {
        let member = self.member(person);
        let seat = member.seat();
        if member.link.disconnect(connection) {
            seat.last.iter().for_each(|of| self.room.leave(of.number));
        }
    }

    /// Returns the link of a person.
    pub fn link(&self, person: i64) -> Arc<Link> {
        self.member(person).link.clone()
    }

    /// Ends the connection of a person for good.
    pub fn expel(&self, person: i64, why: &str) {
        self.member(person).link.close(why, false);
    }

    /// Returns the connection of a person, if there is one.
    pub fn status(&self, person: i64) -> Option<Status> {
        let member = self.known().get(&person)?.clone();
        let state = member.link.lock();
        let round_trip = state.round_trip(Instant::now());
        let program = state.program().to_owned();
        state.is_connected().then_some(Status { program, round_trip })
    }

    /// Seats players whose programs have changed, and tells clients what is new.
    pub fn look(&self) {
        let known: Vec<i64> = self.known().keys().copied().collect();
        known.into_iter().for_each(|person| self.look_at(person));
    }

    /// Does so for one person.
    pub fn look_at(&self, person: i64) {
        let member = self.member(person);
        let mut seat = member.seat();
        if member.link.lock().is_connected() {
            if let Err(Refused { why, again }) = self.settle(person, &member, &mut seat) {
                member.link.close(&why, again);
            }
            self.tell(&member, &mut seat);
        }
    }

    /// Forgets people who have been quiet.
    pub fn tidy(&self) {
        for keyed in [&self.connections, &self.changes, &self.versions] {
            keyed.retain_recent();
            keyed.shrink_to_fit();
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<i64, Arc<Member>>> {
        self.known.lock().expect("no thread panics while it holds the lock")
    }

    fn member(&self, id: i64) -> Arc<Member> {
        let new = || {
            let name: String = Token::draw().to_string().chars().take(8).collect();
            let (link, owners) = (Arc::new(Link::new(name)), Arc::default());
            Arc::new(Member { link, owners, seat: Mutex::default() })
        };
        self.known().entry(id).or_insert_with(new).clone()
    }

    /// Seats the player of the program that is connected, unless it is seated. Another version
    /// waits until the games of the one before are over.
    fn settle(&self, id: i64, member: &Member, seat: &mut Seat) -> Result<(), Refused> {
        let (digest, tables, is_busy) = {
            let state = member.link.lock();
            (state.digest().to_owned(), state.seats(), state.is_busy())
        };
        if let Some(last) = &seat.last {
            let number = last.number;
            let is_same = (&last.digest, last.tables, last.role) == (&digest, tables, seat.role);
            let is_set_aside =
                || self.room.player(number).is_some_and(|player| player.given_up.is_some());
            // One that was set aside plays again when its client joins again.
            let stays = || self.room.come_back(number) || (is_set_aside() && !seat.is_new);
            if is_same && stays() {
                seat.is_new = false;
                return self.challenge(number, seat);
            }
            if !is_same {
                self.room.leave(number);
            }
        }
        if is_busy {
            return Ok(());
        }
        if self.versions.check_key(&id).is_err() {
            return Err(Refused::later("its program changed too often: wait a minute"));
        }
        let failed = |why: Failure| Refused::later(&why.to_string());
        let player = self.planned(id, &digest, tables, member).map_err(failed)?;
        let number = self.room.enter(player, seat.role).map_err(failed)?;
        seat.last = Some(Seated { digest, tables, role: seat.role, number });
        (seat.has_told_why, seat.is_new, seat.told) = (false, false, None);
        self.challenge(number, seat)
    }

    fn planned(
        &self,
        id: i64,
        digest: &str,
        tables: usize,
        member: &Member,
    ) -> Result<PlannedPlayer, Failure> {
        let config = PlayerConfig {
            name: crate::people::player_of(id),
            command: CONNECTED.into(),
            version: digest.into(),
            ..self.person.clone()
        };
        let dialect = self.room.game().dialect(&config.dialect)?;
        let (link, owners) = (member.link.clone(), member.owners.clone());
        let version: Arc<str> = digest.into();
        let player = move || {
            Box::new(ConnectedPlayer::new(link.clone(), version.clone(), &owners, dialect))
                as Box<_>
        };
        let source = PlayerSource::Connected(Connected { tables, player: Arc::new(player) });
        Ok(PlannedPlayer::new(config, source, Speech::Dialect(dialect)))
    }

    /// Asks for the round that a client wants, once.
    fn challenge(&self, number: usize, seat: &mut Seat) -> Result<(), Refused> {
        let Some(name) = seat.opponent.take() else { return Ok(()) };
        let group = self.opponents(&name, Some(number))?;
        self.room.challenge(number, &group).map_err(no_game)
    }

    /// Returns the opponents of a round against a house bot, with others at a larger table.
    fn opponents(&self, name: &str, own: Option<usize>) -> Result<Vec<usize>, Refused> {
        if self.room.is_paused() {
            return Err(no_game(Refusal::Paused));
        }
        let standings = self.room.standings();
        let is_house = |row: &&Row| row.is_present && row.is_house && Some(row.number) != own;
        let house: Vec<&Row> = standings.rows.iter().filter(is_house).collect();
        let others = self.room.seats() - 1;
        if others > 0 && !house.iter().any(|row| row.name == name) {
            let names: Vec<&str> = house.iter().map(|row| &*row.name).collect();
            let why = format!("expected a house bot ({}), got {name}", names.join(", "));
            return Err(Refused { why, again: false });
        }
        let (first, rest): (Vec<&Row>, Vec<&Row>) =
            house.into_iter().partition(|row| row.name == name);
        Ok(first.into_iter().chain(rest).map(|row| row.number).take(others).collect())
    }

    /// Returns a game in one line, as its player sees it: its own score first.
    fn line(&self, game: &Finished, player: usize) -> String {
        let standings = self.room.standings();
        let is_own = |of: &(usize, &usize)| *of.1 == player;
        let (seat, _) = game.players.iter().enumerate().find(is_own).unwrap_or((0, &player));
        let others = game.players.iter().enumerate().filter(|(of, _)| *of != seat);
        let name = |number: usize| {
            let row = standings.rows.iter().find(|row| row.number == number && row.is_house);
            row.map_or("another person", |row| &row.name)
        };
        let against: Vec<String> =
            others.map(|(of, &number)| format!("{} {}", name(number), game.scores[of])).collect();
        let (rank, own) = (game.ranks[seat], game.scores[seat]);
        let is_shared = game.ranks.iter().filter(|of| **of == rank).count() > 1;
        let result = match (rank, against.len()) {
            (_, 0) => format!("score {own}"),
            (1, 1) if is_shared => format!("drawn, {own}"),
            (1, _) if !is_shared => format!("won, {own}"),
            (_, 1) => format!("lost, {own}"),
            (_, others) => format!("place {rank} of {}, {own}", others + 1),
        };
        let against = match against.is_empty() {
            true => String::new(),
            false => format!(" against {}", against.join(", ")),
        };
        let fault = game.faults.iter().find(|(of, _)| *of == seat);
        let fault = fault.map_or_else(String::new, |(_, word)| format!("; your fault: {word}"));
        format!("game {}: {result}{against}{fault}", game.number)
    }

    /// Tells a client the games that are over, and why its player is set aside.
    fn tell(&self, member: &Member, seat: &mut Seat) {
        let Some(Seated { number, .. }) = seat.last else { return };
        let Some(player) = self.room.player(number) else { return };
        let note = |text: String| member.link.send(ToClient::Note { text });
        let new = player.finished.saturating_sub(*seat.told.get_or_insert(player.finished));
        let games = self.room.last_games(Some(number));
        let new: Vec<&Arc<Finished>> = games.iter().take(new as usize).collect();
        new.into_iter().rev().for_each(|game| note(self.line(game, number)));
        seat.told = Some(player.finished);
        match player.given_up {
            Some(why) if !seat.has_told_why => {
                note(format!("set aside: {why}; it plays again when its file has changed"));
                seat.has_told_why = true;
            }
            _ => {}
        }
        let is_over = !player.waits && seat.opponent.is_none();
        if seat.role == Role::Asking && is_over && !member.link.lock().is_busy() {
            member.link.send(ToClient::Bye {
                text: "the round is over".into(),
                again: false,
                ok: true,
            });
        }
    }
}

/// Reason why a client does not play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The reason.
    pub why: String,
    /// Whether the client may try again by itself.
    pub again: bool,
}

impl Refused {
    /// Creates the reason of a client that may try again.
    pub fn later(why: &str) -> Refused {
        Refused { why: why.into(), again: true }
    }
}

impl Member {
    fn seat(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().expect("no thread panics while it holds the lock")
    }
}

/// Returns the reason why a round is not played.
fn no_game(why: Refusal) -> Refused {
    let why = match why {
        Refusal::HasOne => "the player waits for one already",
        Refusal::Absent => "a player is not there",
        Refusal::WrongNumber => "too few house bots are there for a table",
        Refusal::Paused => "the room is paused",
    };
    Refused { why: format!("no game now: {why}"), again: false }
}
