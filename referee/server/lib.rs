//! The class server: people, pages and live games of a room, in one process and on one port.
//!
//! The room itself, with its games and its ladder, is [`arbitre_referee::run::room`]. This crate
//! shows it to browsers. It is the only one that knows tokio; games are played by the workers of
//! the referee.

mod app;
mod backup;
mod board;
mod client;
mod connections;
mod contest;
mod events;
mod finals;
mod front;
mod guard;
mod join;
mod labels;
mod machine;
mod pages;
mod people;
mod places;
mod routes;
mod streams;
mod token;
mod uploads;
mod views;
mod words;

use app::App;
use arbitre_referee::failure::Failure;
use arbitre_referee::run::room::{Hosted, Listening, Server};
use connections::Incoming;
use join::relay;
use rustix::stdio::dup2_stdin;
use std::fs::File;
use std::io::stdin;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread;
use tokio::sync::watch;

/// The server of rooms.
pub static SERVER: Server =
    Server { start, front: front::serve, back_up: backup::write, join: client::join };

/// Threads that read stored games. Not tuned.
const READERS: usize = 3;

/// Starts the server on a thread of its own.
fn start(hosted: Hosted) -> Result<Listening, Failure> {
    let (incoming, address) = match &hosted.below {
        None => {
            let listener = connections::bind(hosted.listen)?;
            let address = listener.local_addr()?;
            (Incoming::Listener(listener), address)
        }
        Some(_) => {
            let socket = stdin().as_fd().try_clone_to_owned()?;
            // No program of the room may read connections in its place.
            dup2_stdin(File::open("/dev/null")?).map_err(std::io::Error::from)?;
            (Incoming::from_front(socket)?, hosted.listen)
        }
    };
    let (app, teacher) = App::open(hosted, address)?;
    let lines = lines(&app, teacher.as_deref());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(READERS)
        .build()?;
    let (stop, stopped) = watch::channel(false);
    let app = Arc::new(app);
    let (finals, boards) = (app.finals.clone(), app.boards.clone());
    let (sender, relay) = relay::start(app.members.clone(), app.title.clone(), stopped.clone())?;
    let serve = move || {
        runtime.block_on(connections::serve(app, sender, incoming, stopped));
        // A reader that hangs on a disk does not hold the end.
        runtime.shutdown_background();
    };
    let thread = thread::Builder::new().name("server".into()).spawn(serve)?;
    let stop = Box::new(move || {
        finals.end();
        boards.end();
        let _ = stop.send(true);
        for thread in [relay, thread] {
            if thread.join().is_err() {
                log::error!("the server panicked");
            }
        }
    });
    Ok(Listening { lines, stop })
}

/// Returns the lines for the person who starts the server.
fn lines(app: &App, teacher: Option<&str>) -> Vec<String> {
    let concurrency = app.room.concurrency();
    let s = if concurrency == 1 { "" } else { "s" };
    let games = app.room.standings().games;
    let mut lines = vec![format!("{}: {games} games, {concurrency} game{s} at once", app.title)];
    lines.extend(app.addresses.iter().map(|address| format!("people: {address}/")));
    match (teacher, app.addresses.first()) {
        (Some(token), Some(first)) => lines.push(format!("teacher: {first}/enter/{token}")),
        _ => lines.push("teacher: by the link of the first start; --new-link makes another".into()),
    }
    lines.push("Ctrl-C ends the server after the games that run".into());
    lines
}
