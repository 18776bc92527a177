//! A client of `join` that does what a test tells it, on a WebSocket of another library's making.

use crate::http::{Served, DEADLINE};
use serde_json::{json, Value};
use std::collections::{BTreeMap, VecDeque};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

/// Client that is connected.
pub struct Guest {
    /// The connection.
    pub socket: WebSocket<TcpStream>,
    /// Tables whose programs were started.
    pub open: BTreeMap<u8, Open>,
    /// Time before each look at what has come.
    pub delay: Duration,
    /// Notes of the server.
    pub notes: Vec<String>,
    /// Messages that came while it thought.
    unheard: VecDeque<Message>,
}

/// Table whose program was started.
#[derive(Clone, Default)]
pub struct Open {
    /// Name of the start.
    pub session: String,
    /// Bytes received for the program.
    pub received: u64,
    /// All that the program has said.
    pub said: Vec<u8>,
}

/// Message or lines from the server.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// Message.
    Message(Value),
    /// Lines for the program of a table.
    Lines(u8, String),
    /// The connection was closed.
    Closed,
}

/// Digest of a program of this number.
pub fn digest(number: u64) -> String {
    format!("{number:064x}")
}

/// First message of a client.
pub fn hello(version: u64) -> Value {
    json!({"type": "hello", "version": 1, "client": "test", "digest": digest(version),
           "program": "bot", "tables": 1, "open": [], "once": null})
}

impl Guest {
    /// Opens a connection by a link, without a first message. Returns the status of a refusal.
    pub fn open(address: SocketAddr, token: &str) -> Result<Guest, u16> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut request = format!("ws://{address}/join").into_client_request().unwrap();
        let bearer = format!("Bearer {token}").parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Guest {
                socket,
                open: BTreeMap::new(),
                delay: Duration::ZERO,
                notes: Vec::new(),
                unheard: VecDeque::new(),
            }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(reply))) => {
                Err(reply.status().as_u16())
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Joins by a link with a program of this version, and hears the welcome.
    pub fn join(served: &Served, token: &str, version: u64) -> Guest {
        Guest::join_with(served, token, hello(version))
    }

    /// Joins with this first message, and hears the welcome.
    pub fn join_with(served: &Served, token: &str, hello: Value) -> Guest {
        let mut guest = Guest::open(served.address, token).unwrap();
        guest.send(&hello);
        let welcome = guest.hear_message();
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        guest
    }

    /// Leaves without a word, and comes back with the tables that are open. What the server lacks
    /// is sent again.
    pub fn come_back(&mut self, served: &Served, token: &str, version: u64) -> Value {
        let open: Vec<Value> =
            self.open.iter().map(|(table, of)| json!([table, of.session, of.received])).collect();
        let mut back = Guest::open(served.address, token).unwrap();
        let mut first = hello(version);
        first["open"] = open.into();
        back.send(&first);
        back.open = std::mem::take(&mut self.open);
        back.notes = std::mem::take(&mut self.notes);
        let welcome = back.hear_message();
        for of in welcome["open"].as_array().unwrap() {
            let (table, had) = (of[0].as_u64().unwrap() as u8, of[2].as_u64().unwrap() as usize);
            let lacking = back.open[&table].said[had..].to_vec();
            back.transmit(table, &lacking);
        }
        *self = back;
        welcome
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        let _ = self.socket.send(Message::text(message.to_string()));
    }

    /// Sends lines of the program of a table.
    pub fn say(&mut self, table: u8, lines: &[u8]) {
        self.lose(table, lines);
        self.transmit(table, lines);
    }

    /// Has the program of a table say something that never arrives.
    pub fn lose(&mut self, table: u8, lines: &[u8]) {
        self.open.entry(table).or_default().said.extend_from_slice(lines);
    }

    fn transmit(&mut self, table: u8, lines: &[u8]) {
        let frame = [&[table], lines].concat();
        let _ = self.socket.send(Message::binary(frame));
    }

    /// Thinks for a time, in which pings are answered.
    pub fn think(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until {
            thread::sleep(self.delay.min(until.saturating_duration_since(Instant::now())));
            self.socket.get_ref().set_read_timeout(Some(Duration::from_millis(5))).unwrap();
            if let Ok(message) = self.socket.read() {
                let _ = self.socket.flush();
                self.unheard.push_back(message);
            }
        }
        self.socket.get_ref().set_read_timeout(Some(DEADLINE)).unwrap();
    }

    /// Waits for a message or lines. Starts are answered.
    pub fn hear(&mut self) -> Heard {
        loop {
            thread::sleep(self.delay);
            let next = self.unheard.pop_front();
            match next.map_or_else(|| self.socket.read(), Ok) {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    let table = message["table"].as_u64().unwrap_or_default() as u8;
                    match message["type"].as_str().unwrap() {
                        "start" => {
                            let session = message["session"].as_str().unwrap().to_owned();
                            self.open.insert(table, Open { session, ..Open::default() });
                            self.send(&json!({"type": "started", "table": table}));
                        }
                        "end" => drop(self.open.remove(&table)),
                        "note" => self.notes.push(message["text"].as_str().unwrap().into()),
                        _ => {}
                    }
                    return Heard::Message(message);
                }
                Ok(Message::Binary(bytes)) => {
                    let (&table, lines) = bytes.split_first().unwrap();
                    let of = self.open.get_mut(&table).expect("the table was started");
                    of.received += lines.len() as u64;
                    return Heard::Lines(table, String::from_utf8(lines.to_vec()).unwrap());
                }
                Ok(Message::Close(_)) | Err(_) => return Heard::Closed,
                Ok(_) => drop(self.socket.flush()),
            }
        }
    }

    /// Waits for a message.
    pub fn hear_message(&mut self) -> Value {
        loop {
            match self.hear() {
                Heard::Message(message) => return message,
                Heard::Lines(..) => {}
                Heard::Closed => panic!("the connection was closed"),
            }
        }
    }

    /// Waits for the last message, which tells why the connection is closed.
    pub fn hear_bye(&mut self) -> Value {
        let until = Instant::now() + DEADLINE;
        while Instant::now() < until {
            match self.hear() {
                Heard::Message(message) if message["type"] == "bye" => return message,
                Heard::Closed => panic!("the connection was closed without a word"),
                _ => {}
            }
        }
        panic!("the server says no bye");
    }

    /// Answers as a program does that always plays the first legal move, until `is_over` holds
    /// after something that was heard. `answer` may send something else in place of a move.
    pub fn play(
        &mut self,
        mut answer: impl FnMut(&mut Guest, u8, &str),
        mut is_over: impl FnMut(&Guest) -> bool,
    ) {
        let mut legal = BTreeMap::new();
        let until = Instant::now() + DEADLINE;
        while !is_over(self) {
            let last = &self.notes[self.notes.len().saturating_sub(5)..];
            assert!(Instant::now() < until, "it goes on: {last:?}");
            let (table, lines) = match self.hear() {
                Heard::Lines(table, lines) => (table, lines),
                Heard::Message(_) => continue,
                Heard::Closed => panic!("the connection was closed: {:?}", self.notes),
            };
            for line in lines.lines() {
                match line.split(' ').next().unwrap() {
                    "begin" => self.say(table, b"ready guest\n"),
                    "legal" => {
                        drop(legal.insert(table, line.split(' ').nth(1).unwrap().to_owned()))
                    }
                    "go" => {
                        let mv = legal.get(&table).cloned().unwrap_or_default();
                        answer(self, table, &mv);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Answers with a move.
pub fn fairly(guest: &mut Guest, table: u8, mv: &str) {
    guest.say(table, format!("{mv}\n").as_bytes());
}
