//! Connections of browsers: accepted up to a number, each with limits on its time.

use crate::app::App;
use crate::guard::Peer;
use crate::streams::ended;
use crate::{events, routes};
use axum::Extension;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{watch, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// Connections at once. Each browser with a live page keeps one. Not tuned.
const MOST: usize = 2000;
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
pub async fn serve(app: Arc<App>, listener: TcpListener, stopped: watch::Receiver<bool>) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return log::error!("the server does not listen: {error}"),
    };
    let router = routes::router(app.clone(), stopped.clone());
    tokio::spawn(events::tick(app, stopped.clone()));
    let free = Arc::new(Semaphore::new(MOST));
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
        let service = router.clone().layer(Extension(Peer(peer)));
        let stopped = stopped.clone();
        tokio::spawn(async move {
            connection(stream, service, stopped).await;
            drop(permit);
        });
    }
    drop(listener);
    let all = u32::try_from(MOST).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(LAST, free.acquire_many(all)).await;
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
