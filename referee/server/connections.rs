//! Connections of browsers: accepted up to a number, each with limits on its time.

use crate::app::App;
use crate::guard::{network_of, Peer};
use crate::join::relay::RelaySender;
use crate::streams::ended;
use crate::{events, routes};
use axum::Extension;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::HashMap;
use std::net::{IpAddr, TcpListener};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{watch, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Connections at once. Each browser with a live page keeps one. Not tuned.
const MOST: usize = 2000;
/// Connections of one network. A class behind one router has some two hundred. Not tuned.
const MOST_OF_ONE: usize = 1000;
/// Time for the head of a request, after which a silent connection ends. Not tuned.
const HEAD: Duration = Duration::from_secs(15);
/// Time for which a browser may take nothing of what is written to it. Not tuned.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of a head. Not tuned.
const HEAD_BYTES: usize = 16 * 1024;
/// Time after which one that was refused for lack of files or memory is tried again. Not tuned.
const REFUSED: Duration = Duration::from_millis(100);
/// Time for which requests that run at the end are waited for. Not tuned.
const LAST: Duration = Duration::from_secs(2);

/// Serves until `stopped` says so.
pub async fn serve(
    app: Arc<App>,
    relay: RelaySender,
    listener: TcpListener,
    stopped: watch::Receiver<bool>,
) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return log::error!("the server does not listen: {error}"),
    };
    let router = routes::router(app.clone(), relay, stopped.clone());
    tokio::spawn(events::tick(app, stopped.clone()));
    let free = Arc::new(Semaphore::new(MOST));
    let places = Places::default();
    let mut end = stopped.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ended(&mut end) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                log::debug!("no connection: {error}");
                tokio::time::sleep(REFUSED).await;
                continue;
            }
        };
        // One too many is closed, so that a browser says so in place of waiting.
        let Ok(permit) = free.clone().try_acquire_owned() else { continue };
        let Some(place) = Place::take(&places, peer.ip()) else { continue };
        let service = router.clone().layer(Extension(Peer(peer)));
        let stopped = stopped.clone();
        tokio::spawn(async move {
            connection(stream, service, stopped).await;
            drop((permit, place));
        });
    }
    drop(listener);
    let all = u32::try_from(MOST).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(LAST, free.acquire_many(all)).await;
}

/// Number of connections of each network.
type Places = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Connection among those of its network.
struct Place(Places, IpAddr);

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
async fn connection(stream: TcpStream, router: axum::Router, mut stopped: watch::Receiver<bool>) {
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
