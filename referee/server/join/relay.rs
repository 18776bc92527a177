//! Relay of connections: a thread of its own, so that no page holds up an answer.

use super::link::{Link, Outgoing};
use super::members::{Members, Refused};
use super::message::{is_digest, FromClient, Hello, ToClient};
use crate::people::Person;
use crate::streams::ended;
use futures_util::{SinkExt, StreamExt};
use governor::clock::DefaultClock;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use hyper_util::rt::TokioIo;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, timeout, MissedTickBehavior};
use tokio_io_timeout::TimeoutStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio_tungstenite::WebSocketStream;

/// Time for the first message of a client. Not tuned.
const HELLO: Duration = Duration::from_secs(10);
/// Time between two pings.
const PING: Duration = Duration::from_secs(1);
/// Silence after which a connection is given up. Not tuned.
const DEAD: Duration = Duration::from_secs(30);
/// Time for which a client may take nothing of what is written to it. Not tuned.
const STALLED: Duration = Duration::from_secs(10);
/// Bytes of a message. Clients keep 8 MiB of what a program printed, to send it again.
const MESSAGE: usize = 9 << 20;
/// Bytes of a message that is a text. Not tuned.
const TEXT: usize = 64 << 10;
/// Messages of a client in a second, on average, and at once; a KiB counts as one more. Not tuned.
const MESSAGES: (NonZeroU32, NonZeroU32) =
    (NonZeroU32::new(2000).unwrap(), NonZeroU32::new(20_000).unwrap());
/// Pings whose answers are awaited. Not tuned.
const MOST_PINGS: usize = 100;
/// Threads that seat players, which writes to the disk. Not tuned.
const WRITERS: usize = 2;

type Socket = WebSocketStream<TcpStream>;
type Direct = RateLimiter<NotKeyed, InMemoryState, DefaultClock>;

/// Stream of a connection, as the library of HTTP holds it.
pub type Held = TokioIo<Pin<Box<TimeoutStream<TcpStream>>>>;

/// Connection that a client has opened.
pub struct Accepted {
    /// Stream after the head of its request.
    pub stream: std::net::TcpStream,
    /// Bytes of the stream that were read already.
    pub early: Vec<u8>,
    /// The person.
    pub person: Person,
    /// Returns `true` as long as the link leads to the person.
    pub is_valid: Box<dyn Fn() -> bool + Send + Sync>,
    /// Address of the person's page.
    pub page: String,
}

/// Sender of accepted connections to the relay.
pub type RelaySender = mpsc::UnboundedSender<Accepted>;

/// Starts the relay for the people of a room of this title. It ends when `stopped` says so.
///
/// # Errors
/// Returns an error if the system has no thread.
pub fn start(
    members: Arc<Members>,
    title: String,
    stopped: watch::Receiver<bool>,
) -> std::io::Result<(RelaySender, JoinHandle<()>)> {
    let (sender, accepted) = mpsc::unbounded_channel();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(WRITERS)
        .build()?;
    let relay = move || {
        runtime.block_on(receive(members, title, accepted, stopped));
        runtime.shutdown_background();
    };
    Ok((sender, thread::Builder::new().name("connections".into()).spawn(relay)?))
}

async fn receive(
    members: Arc<Members>,
    title: String,
    mut accepted: mpsc::UnboundedReceiver<Accepted>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut conversations = tokio::task::JoinSet::new();
    loop {
        let connection = tokio::select! {
            connection = accepted.recv() => connection,
            () = ended(&mut stopped) => break,
        };
        let Some(connection) = connection else { break };
        let (members, title, stopped) = (members.clone(), title.clone(), stopped.clone());
        conversations.spawn(async move {
            if let Err(why) = converse(&members, &title, connection, stopped).await {
                log::debug!("a client of join left: {why}");
            }
        });
        while conversations.try_join_next().is_some() {}
    }
    let all = async { while conversations.join_next().await.is_some() {} };
    let _ = timeout(Duration::from_secs(2), all).await;
}

/// Speaks with a client until it leaves.
async fn converse(
    members: &Arc<Members>,
    title: &str,
    connection: Accepted,
    stopped: watch::Receiver<bool>,
) -> Result<(), Error> {
    let Accepted { stream, early, person, is_valid, page } = connection;
    stream.set_nonblocking(true)?;
    let stream = TcpStream::from_std(stream)?;
    let config =
        WebSocketConfig::default().max_message_size(Some(MESSAGE)).max_frame_size(Some(MESSAGE));
    let mut socket =
        WebSocketStream::from_partially_read(stream, early, Role::Server, Some(config)).await;
    let hello = match timeout(HELLO, socket.next()).await {
        Ok(Some(Ok(Message::Text(text)))) if text.len() <= TEXT => serde_json::from_str(&text).ok(),
        _ => None,
    };
    let Some(FromClient::Hello(hello)) = hello else {
        return refuse(&mut socket, "expected hello as the first message", false).await;
    };
    if let Some(why) = hello.refusal() {
        return refuse(&mut socket, &why, false).await;
    }
    log::debug!("person {} joins by {:?}", person.id, hello.client);
    let (sender, outgoing) = mpsc::unbounded_channel();
    let (name, room) = (person.name.clone(), title.to_owned());
    let welcome = move |open| ToClient::Welcome { name, room, page, open };
    let id = person.id;
    let joined = join(members, person, hello, sender, welcome).await;
    let number = match joined {
        Ok(number) => number,
        Err(Refused { why, again }) => return refuse(&mut socket, &why, again).await,
    };
    // The link may have been replaced or disabled since the request.
    if !is_valid() {
        members.expel(id, "this link leads nowhere any more");
    }
    let conversation = Conversation {
        members: members.clone(),
        person: id,
        link: members.link(id),
        number,
        pings: VecDeque::new(),
        pinged: 0,
    };
    let over = conversation.go_on(&mut socket, outgoing, stopped).await;
    // First of all, so that no game begins with it.
    let leaving = members.clone();
    let _ = tokio::task::spawn_blocking(move || leaving.left(id, number)).await;
    match over {
        Ok(bye) => {
            let sent = timeout(STALLED, send(&mut socket, &bye)).await;
            let _ = timeout(STALLED, socket.close(None)).await;
            sent.unwrap_or(Ok(()))
        }
        Err(error) => Err(error),
    }
}

/// Seats the player of a client, which may wait for the disk.
async fn join(
    members: &Arc<Members>,
    person: Person,
    hello: Hello,
    sender: mpsc::UnboundedSender<Outgoing>,
    welcome: impl FnOnce(Vec<super::message::Received>) -> ToClient + Send + 'static,
) -> Result<u64, Refused> {
    let members = members.clone();
    let joined =
        tokio::task::spawn_blocking(move || members.join(&person, &hello, sender, welcome));
    joined.await.unwrap_or_else(|_| Err(Refused::later("the server failed: see its log")))
}

/// Conversation with a client that has joined.
struct Conversation {
    members: Arc<Members>,
    person: i64,
    link: Arc<Link>,
    number: u64,
    /// Last pings that were not answered: number and instant.
    pings: VecDeque<(u64, Instant)>,
    pinged: u64,
}

impl Conversation {
    /// Relays messages until the connection is to be closed. Returns the last message for it.
    async fn go_on(
        mut self,
        socket: &mut Socket,
        mut outgoing: mpsc::UnboundedReceiver<Outgoing>,
        mut stopped: watch::Receiver<bool>,
    ) -> Result<ToClient, Error> {
        let (per_second, at_once) = MESSAGES;
        let limiter = Direct::direct(Quota::per_second(per_second).allow_burst(at_once));
        let mut beat = interval(PING);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let bye = |text: &str| Ok(ToClient::Bye { text: text.into(), again: true, ok: false });
        loop {
            tokio::select! {
                biased;
                message = socket.next() => {
                    let at = Instant::now();
                    let Some(message) = message else { return Err(Error::ConnectionClosed) };
                    let message = message?;
                    let size = NonZeroU32::MIN.saturating_add(message.len() as u32 / 1024);
                    if !matches!(limiter.check_n(size), Ok(Ok(()))) {
                        return bye("too many messages");
                    }
                    if let Some(why) = self.take(message, at)? {
                        return bye(why);
                    }
                }
                out = outgoing.recv() => match out {
                    Some(Outgoing::Message(bye @ ToClient::Bye { .. })) => return Ok(bye),
                    Some(Outgoing::Message(message)) => send(socket, &message).await?,
                    Some(Outgoing::Lines(table, lines, part)) => {
                        self.send_lines(socket, table, &lines, part).await?;
                    }
                    None => return Err(Error::ConnectionClosed),
                },
                _ = beat.tick() => {
                    if self.link.lock().silence(Instant::now()) >= DEAD {
                        return bye("nothing was heard for a long time");
                    }
                    self.ping(socket).await?;
                }
                () = ended(&mut stopped) => return bye("the server ends"),
            }
        }
    }

    /// Takes a message of the client. Returns the reason why the connection is closed.
    fn take(&mut self, message: Message, at: Instant) -> Result<Option<&'static str>, Error> {
        match message {
            Message::Binary(bytes) => match bytes.split_first() {
                Some((&table, lines)) => self.link.hear(self.number, table, lines, at),
                None => return Ok(Some("expected the number of a table, got nothing")),
            },
            Message::Text(text) if text.len() > TEXT => {
                return Ok(Some("expected a short message, got a long one"));
            }
            Message::Text(text) => match serde_json::from_str::<FromClient>(&text) {
                Ok(FromClient::Digest { digest }) if !is_digest(&digest) => {
                    return Ok(Some("expected a digest"));
                }
                Ok(FromClient::Digest { .. }) if !self.members.allows_change(self.person) => {
                    return Ok(Some("its program changed too often: wait a minute"));
                }
                Ok(message) => {
                    let is_change = matches!(message, FromClient::Digest { .. });
                    self.link.take(self.number, message, at);
                    if is_change {
                        let (members, person) = (self.members.clone(), self.person);
                        tokio::task::spawn_blocking(move || members.look_at(person));
                    }
                }
                Err(_) => return Ok(Some("expected a message of join, got another text")),
            },
            Message::Pong(payload) => {
                let number = <[u8; 8]>::try_from(&payload[..]).map_or(0, u64::from_be_bytes);
                let sent = self.pings.iter().position(|(of, _)| *of == number);
                if let Some(place) = sent {
                    let round_trip = at.duration_since(self.pings[place].1);
                    self.pings.drain(..=place);
                    self.link.take_pong(self.number, round_trip, at);
                }
            }
            Message::Ping(_) | Message::Frame(_) => {}
            Message::Close(_) => return Err(Error::ConnectionClosed),
        }
        Ok(None)
    }

    /// Sends lines, then a ping, which shows whether the client has heard them.
    async fn send_lines(
        &mut self,
        socket: &mut Socket,
        table: u8,
        lines: &[u8],
        part: u64,
    ) -> Result<(), Error> {
        let mut frame = Vec::with_capacity(lines.len() + 1);
        frame.push(table);
        frame.extend_from_slice(lines);
        write(socket, Message::Binary(frame.into())).await?;
        self.link.note_out(table, part, Instant::now());
        self.ping(socket).await
    }

    async fn ping(&mut self, socket: &mut Socket) -> Result<(), Error> {
        self.pinged += 1;
        self.pings.push_back((self.pinged, Instant::now()));
        if self.pings.len() > MOST_PINGS {
            self.pings.pop_front();
        }
        let payload = Bytes::copy_from_slice(&self.pinged.to_be_bytes());
        write(socket, Message::Ping(payload)).await
    }
}

async fn write(socket: &mut Socket, message: Message) -> Result<(), Error> {
    let sent = timeout(STALLED, socket.send(message)).await;
    sent.unwrap_or_else(|_| Err(Error::Io(std::io::ErrorKind::TimedOut.into())))
}

async fn send(socket: &mut Socket, message: &ToClient) -> Result<(), Error> {
    let text = serde_json::to_string(message).expect("messages are texts and numbers");
    write(socket, Message::Text(text.into())).await
}

/// Closes the connection of a client that cannot play, with the reason.
async fn refuse(socket: &mut Socket, why: &str, again: bool) -> Result<(), Error> {
    send(socket, &ToClient::Bye { text: why.into(), again, ok: false }).await?;
    let _ = timeout(STALLED, socket.close(None)).await;
    Ok(())
}
