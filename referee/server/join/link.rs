//! Link of a person's client and the games of its player. It outlives a connection, so that a game
//! goes on when the client comes back. Nothing here knows sockets.

use super::message::{FromClient, Hello, Received, ToClient};
use super::table::{Phase, Table};
use arbitre_referee::player::fault::{clip, Fault};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// Time over which the smallest round trip counts.
const ROUND_TRIPS: Duration = Duration::from_secs(60);
/// Largest part of a limit that a round trip may take off a charge: a fifth.
const CREDIT_SHARE: u32 = 5;
/// Most time that a round trip takes off a charge.
const MOST_CREDIT: Duration = Duration::from_millis(200);
/// Silence after which a client counts as gone: it answers a ping each second. Not tuned.
const SILENCE: Duration = Duration::from_secs(3);
/// Time in which a player has at most one void game because its connection broke.
const BETWEEN_VOIDS: Duration = Duration::from_secs(60 * 60);
/// Bytes of a reason that a client gives. Not tuned.
const REASON: usize = 500;

/// Message or lines to a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgoing {
    /// A message.
    Message(ToClient),
    /// Bytes for the program of a table, with the number of this part of its stream.
    Lines(u8, Vec<u8>, u64),
}

/// Connection of a client.
struct Connection {
    number: u64,
    sender: UnboundedSender<Outgoing>,
}

/// Changing part of a link.
#[derive(Default)]
pub struct State {
    connection: Option<Connection>,
    /// Instant at which a client was last heard.
    heard: Option<Instant>,
    connections: u64,
    /// Number of games at once.
    seats: usize,
    /// Digest of the program's files.
    digest: String,
    /// File of the program, as pages show it.
    program: String,
    round_trips: VecDeque<(Instant, Duration)>,
    tables: BTreeMap<u8, Table>,
    starts: u64,
    parts: u64,
    /// Part of each table's stream that is to be handed to the system last.
    last_part: BTreeMap<u8, u64>,
    last_void: Option<Instant>,
}

/// Link of a person.
pub struct Link {
    state: Mutex<State>,
    changed: Condvar,
    /// Start of the names of its tables, which differs from those of an earlier server.
    name: String,
}

impl Link {
    /// Creates the link of a person. `name` begins the names of its tables.
    pub fn new(name: String) -> Link {
        Link { state: Mutex::default(), changed: Condvar::new(), name }
    }

    /// Locks the state.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Waits until something has changed, at most this long.
    pub fn wait<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        most: Duration,
    ) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout(state, most);
        waited.expect("no thread panics while it holds the lock").0
    }

    /// Takes a connection, whose number it returns. The one before gets the reason, and is closed.
    pub fn connect(
        &self,
        sender: UnboundedSender<Outgoing>,
        hello: &Hello,
        welcome: impl FnOnce(Vec<Received>) -> ToClient,
    ) -> u64 {
        let mut state = self.lock();
        state.close("another client has joined by this link", false);
        state.connections += 1;
        let number = state.connections;
        state.connection = Some(Connection { number, sender });
        state.heard = Some(Instant::now());
        state.round_trips.clear();
        state.seats = hello.tables;
        state.program = hello.program();
        state.note_digest(&hello.digest);
        state.resume(&hello.open, welcome);
        drop(state);
        self.changed.notify_all();
        number
    }

    /// Takes note that a connection has ended. Returns `false` if another one has replaced it.
    pub fn disconnect(&self, number: u64) -> bool {
        let mut state = self.lock();
        let is_own = state.connection.as_ref().is_none_or(|connection| connection.number == number);
        if is_own {
            state.connection = None;
        }
        drop(state);
        self.changed.notify_all();
        is_own
    }

    /// Ends the connection, with the reason, and whether the client may come back by itself.
    pub fn close(&self, why: &str, again: bool) {
        self.lock().close(why, again);
        self.changed.notify_all();
    }

    /// Sends a message, if a client is there.
    pub fn send(&self, message: ToClient) {
        self.lock().send(Outgoing::Message(message));
    }

    /// Takes bytes that a client sent for a table.
    pub fn hear(&self, number: u64, table: u8, bytes: &[u8], at: Instant) {
        self.change(number, at, |state| {
            state.tables.get_mut(&table).into_iter().for_each(|table| table.hear(bytes, at));
        });
    }

    /// Takes a message of a client.
    pub fn take(&self, number: u64, message: FromClient, at: Instant) {
        self.change(number, at, |state| state.take(message));
    }

    /// Takes the answer to a ping.
    pub fn take_pong(&self, number: u64, round_trip: Duration, at: Instant) {
        self.change(number, at, |state| {
            state.round_trips.push_back((at, round_trip));
            state.forget_round_trips(at);
        });
    }

    fn change(&self, number: u64, at: Instant, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        // One that was replaced is not heard any more.
        if state.connection.as_ref().is_none_or(|connection| connection.number != number) {
            return;
        }
        state.heard = Some(at);
        change(&mut state);
        drop(state);
        self.changed.notify_all();
    }

    /// Takes note that a part of a table's stream was handed to the system.
    pub fn note_out(&self, table: u8, part: u64, at: Instant) {
        let mut state = self.lock();
        if state.last_part.get(&table) == Some(&part) {
            let table = state.tables.get_mut(&table);
            // Only the first time counts: what is sent again was asked before.
            table.into_iter().for_each(|table| table.out = table.out.or(Some(at)));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Has a client start its program at a table for the player `owner`. Returns the table; none if
    /// all are in use.
    pub fn start(&self, state: &mut State, owner: u64) -> Option<u8> {
        let idle = state.tables.iter().find(|(_, table)| table.is_idle).map(|(&table, _)| table);
        let free = (0..state.seats as u8).find(|table| !state.tables.contains_key(table));
        let table = free.or(idle)?;
        state.starts += 1;
        let session = format!("{}-{}", self.name, state.starts);
        state.tables.insert(table, Table::new(session.clone(), owner));
        state.last_part.remove(&table);
        state.send(Outgoing::Message(ToClient::Start { table, session }));
        Some(table)
    }
}

impl State {
    /// Returns `true` if a client is connected.
    pub fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    /// Returns `true` if the client was heard since `since`, and shortly before `now`.
    pub fn is_there(&self, since: Instant, now: Instant) -> bool {
        let is_heard = |heard| heard >= since && now.duration_since(heard) < SILENCE;
        self.is_connected() && self.heard.is_some_and(is_heard)
    }

    /// Returns the time since a client was last heard.
    pub fn silence(&self, now: Instant) -> Duration {
        self.heard.map_or(Duration::MAX, |heard| now.duration_since(heard))
    }

    /// Returns `true` if a game is played at a table.
    pub fn is_busy(&self) -> bool {
        self.tables.values().any(|table| !table.is_idle)
    }

    /// Returns the file of the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Returns the number of games at once.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Returns the digest of the client's program.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the smallest round trip of the last minute; none if none is known.
    pub fn round_trip(&self, now: Instant) -> Option<Duration> {
        let recent =
            self.round_trips.iter().filter(|(at, _)| now.duration_since(*at) < ROUND_TRIPS);
        recent.map(|(_, round_trip)| *round_trip).min()
    }

    /// Returns the time that the network takes off the charge of an answer.
    pub fn credit(&self, limit: Option<Duration>, now: Instant) -> Duration {
        let most = limit.map_or(MOST_CREDIT, |limit| (limit / CREDIT_SHARE).min(MOST_CREDIT));
        self.round_trip(now).unwrap_or_default().min(most)
    }

    /// Returns a table of this player.
    pub fn table(&mut self, table: Option<u8>, owner: u64) -> Option<&mut Table> {
        self.tables.get_mut(&table?).filter(|table| table.owner == owner)
    }

    /// Takes a table whose program was kept, for a player of this version.
    pub fn take_idle(&mut self, owner: u64) -> Option<u8> {
        let is_kept = |table: &Table| table.is_idle && table.phase == Phase::Running;
        let (&number, table) = self.tables.iter_mut().find(|(_, table)| is_kept(table))?;
        (table.owner, table.is_idle) = (owner, false);
        table.drop_leftovers();
        Some(number)
    }

    /// Sends text to the program of a table.
    pub fn say(&mut self, number: u8, text: &str) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        table.say(text.as_bytes());
        self.send_lines(number, text.as_bytes().to_vec());
    }

    /// Ends the program of a table.
    pub fn end(&mut self, table: u8, now: bool) {
        self.tables.remove(&table);
        self.send(Outgoing::Message(ToClient::End { table, now }));
    }

    /// Returns the fault of a break that outlasts the limit. The game is void, unless another one
    /// was within the hour: a player that is behind gains nothing.
    pub fn break_fault(&mut self, why: &str, now: Instant) -> Fault {
        let is_pardoned =
            self.last_void.is_none_or(|last| now.duration_since(last) >= BETWEEN_VOIDS);
        match is_pardoned {
            true => {
                self.last_void = Some(now);
                Fault::Absent { why: why.into() }
            }
            false => Fault::Disconnect,
        }
    }

    /// Ends the connection.
    pub fn close(&mut self, why: &str, again: bool) {
        let text = why.to_owned();
        self.send(Outgoing::Message(ToClient::Bye { text, again, ok: false }));
        self.connection = None;
    }

    fn send(&self, outgoing: Outgoing) {
        // A failed send means that the connection ends.
        let connection = self.connection.as_ref();
        connection
            .into_iter()
            .for_each(|connection| drop(connection.sender.send(outgoing.clone())));
    }

    fn send_lines(&mut self, table: u8, bytes: Vec<u8>) {
        self.parts += 1;
        self.last_part.insert(table, self.parts);
        self.send(Outgoing::Lines(table, bytes, self.parts));
    }

    fn forget_round_trips(&mut self, now: Instant) {
        let is_old = |(at, _): &(Instant, Duration)| now.duration_since(*at) >= ROUND_TRIPS;
        while self.round_trips.front().is_some_and(is_old) {
            self.round_trips.pop_front();
        }
    }

    /// Takes note of the digest. A program that has changed is not started as what it was.
    fn note_digest(&mut self, digest: &str) {
        if self.digest != digest {
            self.digest = digest.into();
            for table in self.tables.values_mut().filter(|of| of.phase == Phase::Starting) {
                table.phase = Phase::Changed;
            }
            // None of them plays on as another version.
            let idle = self.tables.iter().filter(|(_, of)| of.is_idle).map(|(&number, _)| number);
            idle.collect::<Vec<_>>().into_iter().for_each(|number| self.end(number, false));
        }
    }

    /// Compares the tables of both sides after a connection, and sends what the client lacks.
    fn resume(&mut self, open: &[Received], welcome: impl FnOnce(Vec<Received>) -> ToClient) {
        let of_client = |number: u8, session: &str| {
            let same = |(table, of, _): &&Received| *table == number && of == session;
            open.iter().find(same).map(|(.., received)| *received)
        };
        let (mut going_on, mut lacking, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (&number, table) in &mut self.tables {
            let received = of_client(number, &table.session);
            match (received.and_then(|received| table.lacking(received)), &table.phase) {
                (Some(bytes), _) => {
                    lacking.push((number, bytes.to_vec()));
                    going_on.push((number, table.session.clone(), table.received()));
                    if table.phase == Phase::Starting {
                        table.phase = Phase::Running;
                    }
                }
                (None, Phase::Starting) => starts.push((number, table.session.clone())),
                (None, _) => table.phase = Phase::Lost,
            }
        }
        self.send(Outgoing::Message(welcome(going_on)));
        for (table, session) in starts {
            self.send(Outgoing::Message(ToClient::Start { table, session }));
        }
        for (table, bytes) in lacking.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
            self.send_lines(table, bytes);
        }
    }

    fn take(&mut self, message: FromClient) {
        let (number, session, phase) = match message {
            FromClient::Started { table, session } => (table, session, Phase::Running),
            FromClient::Failed { table, session, why } => {
                (table, session, Phase::Failed(clip(&why, REASON).0))
            }
            FromClient::Ended { table, session, code } => (table, session, Phase::Ended(code)),
            FromClient::Stderr { table, text } => {
                let of = self.tables.get_mut(&table).filter(|of| of.phase == Phase::Running);
                of.into_iter().for_each(|table| table.stderr.push(text.as_bytes()));
                return;
            }
            FromClient::Digest { digest } => return self.note_digest(&digest),
            FromClient::Hello(_) => return,
        };
        let Some(table) = self.tables.get_mut(&number) else { return };
        if session.is_some_and(|session| session != table.session) {
            // It is of an earlier start of the table.
            return;
        }
        let starts = matches!(phase, Phase::Running | Phase::Failed(_));
        let is_next = if starts { Phase::Starting } else { Phase::Running };
        if table.phase == is_next {
            table.phase = phase;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver};

    const MS: Duration = Duration::from_millis(1);

    fn connect(link: &Link, open: &[Received]) -> (u64, UnboundedReceiver<Outgoing>) {
        let (sender, receiver) = unbounded_channel();
        let (client, program) = (String::new(), "bot".into());
        let (version, tables, once) = (super::super::message::VERSION, 1, None);
        let (digest, open) = ("d".into(), open.to_vec());
        let hello = Hello { version, client, digest, program, tables, open, once };
        let welcome = |open| ToClient::Welcome {
            name: String::new(),
            room: String::new(),
            page: String::new(),
            open,
        };
        (link.connect(sender, &hello, welcome), receiver)
    }

    fn sent(receiver: &mut UnboundedReceiver<Outgoing>) -> Vec<Outgoing> {
        std::iter::from_fn(|| receiver.try_recv().ok()).collect()
    }

    #[test]
    fn smallest_round_trip_of_a_minute_counts_up_to_the_bound() {
        let link = Link::new("s".into());
        let (number, _receiver) = connect(&link, &[]);
        let now = Instant::now();
        let credit = |limit: Option<u64>| {
            link.lock().credit(limit.map(Duration::from_millis), Instant::now())
        };
        assert_eq!(credit(Some(1000)), Duration::ZERO, "nothing is known yet");
        link.take_pong(number, 5000 * MS, now);
        // A fifth of the limit, and never more than 200 ms.
        for (limit, most) in [(Some(500), 100), (Some(1000), 200), (Some(60_000), 200), (None, 200)]
        {
            assert_eq!(credit(limit), most * MS, "{limit:?}");
        }
        link.take_pong(number, 30 * MS, now);
        link.take_pong(number, 90 * MS, now);
        assert_eq!(credit(Some(1000)), 30 * MS);
        link.take_pong(number + 1, MS, now);
        assert_eq!(credit(Some(1000)), 30 * MS, "a connection that is not there is not heard");
        // A later connection may come by another network.
        connect(&link, &[]);
        assert_eq!(credit(Some(1000)), Duration::ZERO);
    }

    #[test]
    fn one_break_in_an_hour_makes_a_game_void() {
        let (link, begun) = (Link::new("s".into()), Instant::now());
        let fault = |minutes: u64| {
            let at = begun + Duration::from_secs(60 * minutes);
            link.lock().break_fault("it broke", at).word()
        };
        let words: Vec<&str> = [0, 1, 59, 60, 61, 119, 200].into_iter().map(fault).collect();
        let (void, lost) = ("absent", "disconnect");
        assert_eq!(words, [void, lost, lost, void, lost, lost, void]);
    }

    #[test]
    fn tables_of_both_sides_are_compared_after_a_break() {
        let link = Link::new("s".into());
        let (number, mut first) = connect(&link, &[]);
        let table = link.start(&mut link.lock(), 7).unwrap();
        let started = |session: &str| FromClient::Started { table, session: Some(session.into()) };
        link.take(number, started("s-0"), Instant::now());
        let phase = link.lock().table(Some(table), 7).unwrap().phase.clone();
        assert_eq!(phase, Phase::Starting, "that was an earlier start");
        link.take(number, started("s-1"), Instant::now());
        link.lock().say(table, "one\n");
        link.hear(number, table, b"half", Instant::now());
        assert_eq!(sent(&mut first).len(), 3, "welcome, start and lines");
        assert!(link.disconnect(number));
        link.lock().say(table, "two\n");
        // The client has all but the last line, and the server half of an answer.
        let open = [(table, "s-1".to_owned(), 4)];
        let (_, mut again) = connect(&link, &open);
        let messages = sent(&mut again);
        let Outgoing::Message(ToClient::Welcome { open, .. }) = &messages[0] else {
            panic!("{messages:?}");
        };
        assert_eq!(open, &[(table, "s-1".to_owned(), 4)]);
        assert!(matches!(&messages[1], Outgoing::Lines(0, lines, _) if lines == b"two\n"));
        assert_eq!(messages.len(), 2);
        // One that comes back with another start, or none, has lost the program.
        for open in [vec![(table, "s-0".to_owned(), 4)], vec![(table, "s-1".to_owned(), 999)]] {
            let (_, mut receiver) = connect(&link, &open);
            assert_eq!(sent(&mut receiver).len(), 1, "only the welcome");
            let phase = link.lock().table(Some(table), 7).unwrap().phase.clone();
            assert_eq!(phase, Phase::Lost);
        }
        // The number of a table is free again once it has ended.
        assert_eq!(link.start(&mut link.lock(), 8), None);
        link.lock().end(table, true);
        assert_eq!(link.start(&mut link.lock(), 8), Some(table));
    }
}
