//! Connections of browsers: accepted up to a number, each with limits on its time.

use crate::app::App;
use crate::guard::{network_of, Peer};
use crate::join::relay::RelaySender;
use crate::streams::ended;
use crate::{events, routes};
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::handing::take_over;
use arbitre_referee::failure::Failure;
use axum::Extension;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::Signal;
use std::collections::HashMap;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{self, Receiver};
use tokio::sync::{watch, OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Connections at once. Each browser with a live page keeps one. Not tuned.
const MOST: usize = 2000;
/// Connections of one network. A class behind one router has some two hundred. Not tuned.
const MOST_OF_ONE: usize = 1000;
/// Time for the head of a request, after which a silent connection ends. Not tuned.
pub const HEAD: Duration = Duration::from_secs(15);
/// Time for which a browser may take nothing of what is written to it. Not tuned.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of a head. Not tuned.
const HEAD_BYTES: usize = 16 * 1024;
/// Time after which one that was refused for lack of files or memory is tried again. Not tuned.
const REFUSED: Duration = Duration::from_millis(100);
/// Time for which requests that run at the end are waited for. Not tuned.
const LAST: Duration = Duration::from_secs(2);

/// Source of connections.
pub enum Incoming {
    /// Port of this process.
    Listener(TcpListener),
    /// Front of several rooms.
    Front(Receiver<std::net::TcpStream>),
}

impl Incoming {
    /// Takes the connections that a front hands over through a socket. Its end ends this process
    /// as a signal does.
    ///
    /// # Errors
    /// Returns an error if there is no thread for it.
    pub fn from_front(socket: OwnedFd) -> io::Result<Incoming> {
        let (sender, receiver) = mpsc::channel(MOST);
        let take = move || {
            while let Ok(Some(descriptor)) = take_over(&socket) {
                // One too many is closed.
                let _ = sender.try_send(descriptor.into());
            }
            let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::TERM);
        };
        thread::Builder::new().name("incoming".into()).spawn(take)?;
        Ok(Incoming::Front(receiver))
    }
}

/// The same for the thread of the server.
enum Source {
    Port(tokio::net::TcpListener),
    Front(Receiver<std::net::TcpStream>),
}

impl Source {
    /// Waits for the next connection; `None` once the front is gone.
    async fn next(&mut self) -> Option<Accepted> {
        match self {
            Source::Port(listener) => Some(listener.accept().await),
            Source::Front(front) => loop {
                let stream = front.recv().await?;
                // One that its browser has given up meanwhile is no trouble of this machine.
                let Ok(peer) = stream.peer_addr() else { continue };
                return Some(TcpStream::from_std(stream).map(|stream| (stream, peer)));
            },
        }
    }
}

/// Connection with its address.
type Accepted = io::Result<(TcpStream, SocketAddr)>;

/// Listens on an address of this machine.
///
/// # Errors
/// Returns an error if it is no such address, or its port is in use.
pub fn bind(listen: SocketAddr) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(listen).map_err(|error| {
        let why = io_reason(&error);
        Failure::Unavailable(match error.kind() {
            ErrorKind::AddrNotAvailable => format!(
                "--listen {listen}: expected an address of this machine, got another one: {why}{HELP}\
                 write --listen 0.0.0.0:{} for all of them",
                listen.port()
            ),
            _ => format!(
                "--listen {listen}: expected a free port of this machine, got none: {why}{HELP}\
                 write another one, such as --listen {}:{}",
                listen.ip(),
                listen.port().wrapping_add(1).max(1024)
            ),
        })
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves until `stopped` says so.
pub async fn serve(
    app: Arc<App>,
    relay: RelaySender,
    incoming: Incoming,
    stopped: watch::Receiver<bool>,
) {
    let router = routes::router(app.clone(), relay, stopped.clone());
    tokio::spawn(events::tick(app, stopped.clone()));
    let end = stopped.clone();
    accept(incoming, stopped, move |stream, peer, place| {
        let service = router.clone().layer(Extension(Peer(peer)));
        let end = end.clone();
        async move {
            connection(stream, service, end).await;
            drop(place);
        }
    })
    .await;
}

/// Takes connections until `stopped` says so, each as a task of its own.
pub async fn accept<T: Future<Output = ()> + Send + 'static>(
    incoming: Incoming,
    stopped: watch::Receiver<bool>,
    take: impl Fn(TcpStream, SocketAddr, (OwnedSemaphorePermit, Place)) -> T,
) {
    let mut source = match incoming {
        Incoming::Front(front) => Source::Front(front),
        Incoming::Listener(listener) => match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => Source::Port(listener),
            Err(error) => return log::error!("the server does not listen: {error}"),
        },
    };
    let free = Arc::new(Semaphore::new(MOST));
    let places = Places::default();
    let mut end = stopped.clone();
    loop {
        let accepted = tokio::select! {
            accepted = source.next() => accepted,
            () = ended(&mut end) => break,
        };
        let (stream, peer) = match accepted {
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                log::debug!("no connection: {error}");
                tokio::time::sleep(REFUSED).await;
                continue;
            }
            // The front is gone; a signal ends the rest.
            None => break ended(&mut end).await,
        };
        // One too many is closed, so that a browser says so in place of waiting.
        let Ok(permit) = free.clone().try_acquire_owned() else { continue };
        let Some(place) = Place::take(&places, peer.ip()) else { continue };
        tokio::spawn(take(stream, peer, (permit, place)));
    }
    drop(source);
    let all = u32::try_from(MOST).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(LAST, free.acquire_many(all)).await;
}

/// Number of connections of each network.
type Places = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Connection among those of its network.
pub struct Place(Places, IpAddr);

impl Place {
    /// Takes a place, unless the network has its share. This machine has no bound: a proxy on it
    /// speaks for all.
    fn take(places: &Places, address: IpAddr) -> Option<Place> {
        let network = network_of(address);
        let mut counts = places.lock().expect("no thread panics while it holds the lock");
        let count = counts.entry(network).or_default();
        if *count >= MOST_OF_ONE && !network.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Place(places.clone(), network))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.0.lock().expect("no thread panics while it holds the lock");
        if let Some(count) = counts.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.1);
            }
        }
    }
}

/// Serves the requests of one connection.
pub async fn connection(
    stream: TcpStream,
    router: axum::Router,
    mut stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALLED));
    let service = router.map_request(|request: hyper::Request<hyper::body::Incoming>| {
        request.map(axum::body::Body::new)
    });
    let service = TowerToHyperService::new(service);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(HEAD_BYTES);
    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
    let connection = connection.with_upgrades();
    let mut connection = pin!(connection);
    let closed = tokio::select! {
        closed = connection.as_mut() => closed,
        () = ended(&mut stopped) => {
            // The request that runs is answered; streams end by themselves.
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = closed {
        log::debug!("a connection ended: {error}");
    }
}
