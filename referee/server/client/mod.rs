//! Client of a room, `referee join`: it starts a program of this machine for each game.

mod files;
mod program;

use crate::join::message::{FromClient, Hello, Received, ToClient, VERSION};
use arbitre_games::diagnostics;
use arbitre_referee::escape::escape;
use arbitre_referee::failure::Failure;
use arbitre_referee::report::output::print;
use arbitre_referee::run::room::Joining;
use files::Files;
use futures_util::{SinkExt, StreamExt};
use program::{Event, Running, What};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{channel, Receiver, Sender};
use tokio::time::{interval, sleep, timeout, timeout_at, Instant};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{connect_async_with_config, MaybeTlsStream, WebSocketStream};

/// Time for a connection. Not tuned.
const CONNECT: Duration = Duration::from_secs(10);
/// Silence after which a connection is given up: the server pings each second.
const DEAD: Duration = Duration::from_secs(30);
/// Time between two looks at the files of the program. Not tuned.
const LOOK: Duration = Duration::from_secs(2);
/// Shortest and longest wait before another connection. Not tuned.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];
/// Bytes of a program's output that are kept, to be sent again. Not tuned.
const KEPT: usize = 8 << 20;
/// Lines that a program may print between two of the server's. Not tuned.
const LINES: usize = 1000;
/// Bytes of standard error that are sent between two lines of the server. Not tuned.
const ERRORS: usize = 64 << 10;
/// Events of programs that wait. Not tuned.
const EVENTS: usize = 64;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Joins a room until it is over for this client.
pub fn join(joining: Joining) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (sender, mut events) = channel(EVENTS);
        // As they are typed: an interpreter that was found elsewhere is no file of the program.
        let words = joining.program.arguments.iter().map(Path::new);
        let files = Files::of(words.chain([Path::new(&joining.program.arg0)]));
        let mut client = Client { files, joining, sender, tables: BTreeMap::new(), starts: 0 };
        tokio::select! {
            end = client.go_on(&mut events) => end,
            _ = tokio::signal::ctrl_c() => Ok(ExitCode::from(arbitre_games::exit_code::INTERRUPTED)),
        }
    })
}

/// End of a connection.
enum End {
    /// The connection broke or was closed, with the reason; the client comes back.
    Broken(String),
    /// The server sends the client away for good; whether it did all that it came for.
    Over(String, bool),
}

impl From<Error> for End {
    fn from(error: Error) -> End {
        match error {
            Error::Http(reply) if reply.status() == 401 => End::Over(
                "the server does not know this link: open your page once more".into(),
                false,
            ),
            Error::Http(reply) => End::Broken(format!("the server answers {}", reply.status())),
            other => End::Broken(other.to_string()),
        }
    }
}

/// Client with the games that it plays.
struct Client {
    joining: Joining,
    files: Files,
    sender: Sender<Event>,
    tables: BTreeMap<u8, Table>,
    starts: u64,
}

/// Game of a client.
struct Table {
    session: String,
    start: u64,
    program: Running,
    received: u64,
    /// Last part of its output, and the number of bytes before.
    printed: Vec<u8>,
    printed_before: u64,
    /// Lines, and bytes of standard error, since the server's last lines.
    lines: usize,
    errors: usize,
    end: Option<Option<i64>>,
}

impl Client {
    /// Connects again and again, and plays.
    async fn go_on(&mut self, events: &mut Receiver<Event>) -> Result<ExitCode, Failure> {
        let mut wait = WAITS[0];
        loop {
            let mut has_joined = false;
            let Err(end) = self.play(events, &mut has_joined).await;
            match end {
                End::Over(why, true) => {
                    print(&format!("{}\n", escape(&why)))?;
                    return Ok(ExitCode::SUCCESS);
                }
                End::Over(why, false) => return Err(Failure::Condition(escape(&why))),
                End::Broken(why) => {
                    wait = if has_joined { WAITS[0] } else { wait };
                    let seconds = wait.as_secs();
                    let why = escape(&why);
                    say(&format!("not connected ({why}), trying again in {seconds} s"));
                }
            }
            let over = sleep(wait);
            tokio::pin!(over);
            loop {
                tokio::select! {
                    () = &mut over => break,
                    Some(event) = events.recv() => drop(self.take(event)),
                }
            }
            wait = (2 * wait).min(WAITS[1]);
        }
    }

    /// Plays as long as a connection lasts, and returns how it ended.
    async fn play(
        &mut self,
        events: &mut Receiver<Event>,
        has_joined: &mut bool,
    ) -> Result<Infallible, End> {
        let mut socket = self.connect().await?;
        let mut look = interval(LOOK);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                message = timeout_at(heard + DEAD, socket.next()) => {
                    heard = Instant::now();
                    let message = message.map_err(|_| End::Broken("the server is silent".into()))?;
                    let message = message.ok_or(Error::ConnectionClosed)??;
                    for reply in self.hear(message, has_joined)? {
                        socket.send(reply).await?;
                    }
                }
                Some(event) = events.recv(), if *has_joined => {
                    for message in self.take(event) {
                        socket.send(message).await?;
                    }
                }
                _ = look.tick(), if *has_joined => {
                    if self.files.look() {
                        socket.send(self.changed()).await?;
                    }
                }
            }
        }
    }

    async fn connect(&self) -> Result<Socket, End> {
        let mut request = self.joining.url.as_str().into_client_request()?;
        let bearer = format!("Bearer {}", self.joining.token).parse();
        let bearer = bearer.map_err(|_| End::Over("expected a link".into(), false))?;
        request.headers_mut().insert("authorization", bearer);
        let connected = timeout(CONNECT, connect_async_with_config(request, None, true)).await;
        let (mut socket, _) =
            connected.map_err(|_| End::Broken("the server does not answer".into()))??;
        let hello = Hello {
            version: VERSION,
            client: concat!("referee ", env!("CARGO_PKG_VERSION")).into(),
            digest: self.files.digest().into(),
            program: self.joining.name.clone(),
            tables: self.joining.tables,
            open: self.tables.iter().map(|(&number, table)| table.received_of(number)).collect(),
            once: self.joining.once.clone(),
        };
        socket.send(text(&FromClient::Hello(hello))).await?;
        Ok(socket)
    }

    /// Takes a message of the server. Returns the answers.
    fn hear(&mut self, message: Message, has_joined: &mut bool) -> Result<Vec<Message>, End> {
        let message = match message {
            Message::Binary(bytes) => {
                if let Some((number, lines)) = bytes.split_first() {
                    self.watch(*number, "->", lines);
                    let table = self.tables.get_mut(number);
                    table.into_iter().for_each(|table| table.hear(lines));
                }
                return Ok(Vec::new());
            }
            Message::Text(text) => serde_json::from_str(&text),
            Message::Close(_) => return Err(End::Broken("the server closed it".into())),
            _ => return Ok(Vec::new()),
        };
        Ok(match message {
            Ok(ToClient::Welcome { name, room, page, open }) => {
                *has_joined = true;
                say(&format!(
                    "joined as {}, room {}: {}",
                    escape(&name),
                    escape(&room),
                    escape(&page)
                ));
                self.resume(&open)
            }
            Ok(ToClient::Start { table, session }) => vec![self.start(table, session)],
            Ok(ToClient::End { table, now }) => {
                let ended = self.tables.remove(&table);
                ended.into_iter().for_each(|table| table.program.end(now));
                Vec::new()
            }
            Ok(ToClient::Note { text }) => {
                say(&escape(&text));
                Vec::new()
            }
            Ok(ToClient::Bye { text, again: true, .. }) => return Err(End::Broken(text)),
            Ok(ToClient::Bye { text, ok, .. }) => return Err(End::Over(text, ok)),
            Err(_) => Vec::new(),
        })
    }

    /// Drops the tables that are over, and returns what the server lacks of the others.
    fn resume(&mut self, open: &[Received]) -> Vec<Message> {
        let known = |number: u8, session: &str| {
            let same = |(table, of, _): &&Received| *table == number && of == session;
            open.iter().find(same).map(|(.., received)| *received)
        };
        let mut messages = Vec::new();
        self.tables.retain(|&number, table| {
            let received = known(number, &table.session);
            let from = received.and_then(|received| received.checked_sub(table.printed_before));
            let Some(lacking) = from.and_then(|from| table.printed.get(from as usize..)) else {
                return false;
            };
            if !lacking.is_empty() {
                messages.push(lines(number, lacking));
            }
            let end = table.end.map(|code| text(&table.ended(number, code)));
            messages.extend(end);
            true
        });
        messages
    }

    /// Starts the program for a table. If it has changed, the server hears of that instead.
    fn start(&mut self, number: u8, session: String) -> Message {
        self.tables.remove(&number);
        if self.files.look() {
            return self.changed();
        }
        self.starts += 1;
        match Running::start(&self.joining.program, self.starts, &self.sender) {
            Ok(program) => {
                let table = Table {
                    session,
                    start: self.starts,
                    program,
                    received: 0,
                    printed: Vec::new(),
                    printed_before: 0,
                    lines: 0,
                    errors: 0,
                    end: None,
                };
                let session = Some(table.session.clone());
                self.tables.insert(number, table);
                text(&FromClient::Started { table: number, session })
            }
            Err(error) => {
                say(&format!("the program does not start: {error}"));
                let (session, why) = (None, error.to_string());
                text(&FromClient::Failed { table: number, session, why })
            }
        }
    }

    fn changed(&self) -> Message {
        say("the files of the program have changed");
        text(&FromClient::Digest { digest: self.files.digest().into() })
    }

    /// Takes what a program did. Returns the messages for the server, which are lost if it is not
    /// there: lines are kept, and sent again.
    fn take(&mut self, Event { start, what }: Event) -> Vec<Message> {
        let found = self.tables.iter_mut().find(|(_, table)| table.start == start);
        let Some((&number, table)) = found else { return Vec::new() };
        let messages = match what {
            What::Printed(line) => {
                let line = unix_line(line);
                let message = table.print(number, &line);
                self.watch(number, "<-", &line);
                message
            }
            What::Complained(complaint) => {
                diagnostics::print(format_args!("{}", shown(&complaint)));
                table.errors += complaint.len();
                let is_kept = table.errors <= ERRORS;
                is_kept.then(|| text(&FromClient::Stderr { table: number, text: complaint }))
            }
            What::Ended(code) => {
                say(&match code {
                    Some(code) => format!("the program ended with exit code {code}"),
                    None => "the program closed its output".into(),
                });
                table.end = table.end.or(Some(code));
                Some(text(&table.ended(number, code)))
            }
        };
        messages.into_iter().collect()
    }

    fn watch(&self, table: u8, arrow: &str, lines: &[u8]) {
        if self.joining.watch {
            let lines = String::from_utf8_lossy(lines);
            lines.lines().for_each(|line| say(&format!("{table} {arrow} {}", escape(line))));
        }
    }
}

impl Table {
    fn ended(&self, table: u8, code: Option<i64>) -> FromClient {
        FromClient::Ended { table, session: Some(self.session.clone()), code }
    }

    fn received_of(&self, number: u8) -> Received {
        (number, self.session.clone(), self.received)
    }

    fn hear(&mut self, lines: &[u8]) {
        self.received += lines.len() as u64;
        (self.lines, self.errors) = (0, 0);
        self.program.write(lines);
    }

    /// Takes a line of the program; none is sent for one that prints and prints.
    fn print(&mut self, number: u8, line: &[u8]) -> Option<Message> {
        if self.end.is_some() {
            return None;
        }
        self.lines += 1;
        if self.lines > LINES {
            self.end = Some(None);
            self.program.kill();
            return Some(text(&self.ended(number, None)));
        }
        self.printed.extend_from_slice(line);
        let too_many = self.printed.len().saturating_sub(KEPT);
        self.printed.drain(..too_many);
        self.printed_before += too_many as u64;
        Some(lines(number, line))
    }
}

/// Returns a line that ends as the lines of the protocol do.
fn unix_line(mut line: Vec<u8>) -> Vec<u8> {
    if line.ends_with(b"\r\n") {
        line.truncate(line.len() - 2);
        line.push(b'\n');
    }
    line
}

/// Returns standard error of a program, safe for a terminal.
fn shown(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => escape(line.trim_end_matches('\r')) + "\n",
            None => escape(line),
        })
        .collect()
}

fn text(message: &FromClient) -> Message {
    let text = serde_json::to_string(message).expect("messages are texts and numbers");
    Message::text(text)
}

fn lines(table: u8, lines: &[u8]) -> Message {
    Message::binary([&[table], lines].concat())
}

/// Says a line to the person. A closed output is no reason to stop.
fn say(line: &str) {
    let _ = print(&format!("{line}\n"));
}
