//! Front of several rooms: one port, on which each connection is handed to the process of its room.
//!
//! A room is served by a process of its own, as if it were alone: one that ends takes no other one
//! with it. The first folder of a request's path names the room.

use crate::connections::{self, accept, Incoming};
use crate::guard::Peer;
use crate::words::Language;
use arbitre_games::diagnostics;
use arbitre_process::handing::hand_over;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::failure::Failure;
use arbitre_referee::report::output::print;
use arbitre_referee::report::page;
use arbitre_referee::run::interrupt::{Listener, Stop};
use arbitre_referee::run::room::Front;
use askama::Template;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, CONNECTION, CONTENT_TYPE};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use rustix::process::{kill_process, Pid, Signal};
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;

/// Time between two looks at the start of a request that is not whole: it grows. Not tuned.
const LOOK: Duration = Duration::from_millis(10);
const LONGEST_LOOK: Duration = Duration::from_millis(500);
/// Time between two looks at the processes of the rooms. Not tuned.
const WATCH: Duration = Duration::from_millis(100);
/// Bytes of a request in which its room must be named. Not tuned.
const START: usize = 1024;

/// Room behind the front.
struct Room {
    name: String,
    /// Way to its process; none once that has ended.
    socket: Mutex<Option<UnixStream>>,
}

impl Room {
    /// Hands a connection to the process of the room. Returns `false` if that has ended.
    fn take(&self, stream: &TcpStream) -> bool {
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        // One that takes no more drops the connection, as a server that is too busy does.
        socket.as_ref().is_some_and(|socket| match hand_over(socket, stream) {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        })
    }

    fn is_here(&self) -> bool {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn close(&self) {
        *self.socket.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Process of a room, which a signal may still reach.
struct Left(Mutex<Option<Pid>>);

impl Left {
    fn of(process: &Child) -> Left {
        Left(Mutex::new(Some(Pid::from_child(process))))
    }

    /// Returns how the process ended, if it did. Its number may then be that of another one.
    fn wait(&self, process: &mut Child) -> io::Result<Option<ExitStatus>> {
        let mut pid = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let status = process.try_wait()?;
        if status.is_some() {
            *pid = None;
        }
        Ok(status)
    }

    /// Ends the process at once, by the second signal that it gets.
    fn end(&self) {
        let pid = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pid) = pid {
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

/// Serves rooms until a signal comes, or all of their processes have ended.
///
/// # Errors
/// Returns an error if the address cannot be listened on, or a process cannot be started.
pub fn serve(front: Front) -> Result<ExitCode, Failure> {
    let listener = connections::bind(front.listen)?;
    let address = listener.local_addr()?;
    let (mut rooms, mut processes) = (Vec::new(), Vec::new());
    for (name, folder) in &front.rooms {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut command = Command::new(front.executable);
        command.arg("serve").arg(folder).args(["--below", name]).args(&front.arguments);
        command.arg("--listen").arg(address.to_string()).stdin(OwnedFd::from(theirs));
        // Ctrl-C in the terminal is for the front, which closes their sockets.
        let mut process = std::os::unix::process::CommandExt::process_group(&mut command, 0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        say(name, process.stdout.take(), |line| drop(print(&line)))?;
        say(name, process.stderr.take(), |line| diagnostics::print(format_args!("{line}")))?;
        rooms.push(Room { name: name.clone(), socket: Mutex::new(Some(ours)) });
        processes.push(process);
    }
    let rooms: Arc<[Room]> = rooms.into();
    let left: Arc<[Left]> = processes.iter().map(Left::of).collect();
    let (end, stopped) = watch::channel(false);
    let end = Arc::new(end);
    let closing = (rooms.clone(), end.clone());
    let finish = move || {
        closing.0.iter().for_each(Room::close);
        closing.1.send_replace(true);
    };
    let ending = left.clone();
    let at_once = move || ending.iter().for_each(Left::end);
    let _listener = Listener::start(Stop::default(), ProcessGroups::default(), finish, at_once)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let routed = rooms.clone();
    let thread = thread::Builder::new().name("front".into()).spawn(move || {
        runtime.block_on(route(Incoming::Listener(listener), routed, stopped));
    })?;
    let code = wait(&rooms, &mut processes, &left)?;
    end.send_replace(true);
    if thread.join().is_err() {
        log::error!("the front panicked");
    }
    Ok(code)
}

/// Prints the lines of a room with its name, on a thread of its own.
fn say(
    name: &str,
    output: Option<impl Read + Send + 'static>,
    print: impl Fn(String) + Send + 'static,
) -> Result<(), Failure> {
    let (name, Some(output)) = (name.to_owned(), output) else { return Ok(()) };
    let lines = move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            print(format!("{name}: {}\n", String::from_utf8_lossy(&line)));
        }
    };
    thread::Builder::new().spawn(lines)?;
    Ok(())
}

/// Waits until all processes have ended. Returns the first exit code that is no success.
fn wait(rooms: &[Room], processes: &mut [Child], left: &[Left]) -> Result<ExitCode, Failure> {
    let mut failed = None;
    let mut running: Vec<_> = rooms.iter().zip(processes).zip(left).collect();
    while !running.is_empty() {
        let mut waiting = Vec::new();
        for ((room, process), left) in running {
            let Some(status) = left.wait(process)? else {
                waiting.push(((room, process), left));
                continue;
            };
            if room.is_here() {
                log::warn!("the room {} has ended ({status}); the others go on", room.name);
                room.close();
            }
            let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
            failed = failed.or((code != 0).then_some(code));
        }
        running = waiting;
        thread::sleep(WATCH);
    }
    Ok(ExitCode::from(failed.unwrap_or(0)))
}

/// Hands each connection to its room, until `stopped` says so.
async fn route(incoming: Incoming, rooms: Arc<[Room]>, stopped: watch::Receiver<bool>) {
    let router = Router::new()
        .route("/", get(list))
        .route("/style.css", get(style))
        .fallback(missing)
        .with_state(rooms.clone());
    let end = stopped.clone();
    accept(incoming, stopped, move |stream, peer, place| {
        let (rooms, router, end) = (rooms.clone(), router.clone(), end.clone());
        async move {
            let named = tokio::time::timeout(connections::HEAD, room_of(&stream)).await;
            let Ok(Some(name)) = named else { return };
            let found = rooms.iter().find(|room| room.name == name);
            if !found.is_some_and(|room| room.take(&stream)) {
                let service = router.layer(Extension(Peer(peer)));
                connections::connection(stream, service, end).await;
            }
            drop(place);
        }
    })
    .await;
}

/// Returns the first folder of the path that a connection asks for, which stays to be read. `None`
/// if it asks for nothing.
async fn room_of(stream: &TcpStream) -> Option<String> {
    let (mut bytes, mut look) = ([0; START], LOOK);
    loop {
        let count = stream.peek(&mut bytes).await.ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&bytes[..count]);
        if let Some(name) = named(&text) {
            return Some(name.to_owned());
        }
        if count == bytes.len() || text.contains('\n') {
            // Whatever it is, the page of the front answers.
            return Some(String::new());
        }
        tokio::time::sleep(look).await;
        look = (look * 2).min(LONGEST_LOOK);
    }
}

/// Returns the first folder of the path in the first line of a request; none while it is not whole.
fn named(text: &str) -> Option<&str> {
    let (_, target) = text.lines().next()?.split_once(' ')?;
    // Proxies may be asked for whole addresses.
    let path = match target.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => &rest[rest.find('/')?..],
        _ => target,
    };
    let path = path.strip_prefix('/')?;
    path.find(['/', '?', ' ']).map(|end| &path[..end])
}

#[derive(Template)]
#[template(path = "rooms.html")]
struct RoomsView {
    t: Language,
    rooms: Vec<(String, bool)>,
    is_missing: bool,
}

fn rooms_page(rooms: &[Room], request: &Request, is_missing: bool) -> Response {
    let language = request.headers().get(ACCEPT_LANGUAGE).and_then(|of| of.to_str().ok());
    let t = language.map_or_else(Language::default, Language::accepted);
    let rooms = rooms.iter().map(|room| (room.name.clone(), room.is_here())).collect();
    let page = RoomsView { t, rooms, is_missing }.render().expect("templates write to memory");
    let status = if is_missing { StatusCode::NOT_FOUND } else { StatusCode::OK };
    // The next request of this browser may be for a room.
    (status, [(CONNECTION, "close")], Html(page)).into_response()
}

async fn list(State(rooms): State<Arc<[Room]>>, request: Request) -> Response {
    rooms_page(&rooms, &request, false)
}

async fn missing(State(rooms): State<Arc<[Room]>>, request: Request) -> Response {
    rooms_page(&rooms, &request, true)
}

async fn style() -> Response {
    let style = page::style() + include_str!("assets/room.css");
    ([(CONTENT_TYPE, "text/css; charset=utf-8"), (CONNECTION, "close")], style).into_response()
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn room_is_the_first_folder_of_the_first_line() {
        for (text, name) in [
            ("GET / HTTP/1.1\r\n", Some("")),
            ("GET /tuesday HTTP/1.1\r\n", Some("tuesday")),
            ("POST /tuesday/upload?x HTTP/1.1\r\n", Some("tuesday")),
            ("GET /tuesday?x", Some("tuesday")),
            ("GET http://room.example:8000/tuesday/ HTTP/1.1\r\n", Some("tuesday")),
            ("GET //elsewhere.example/ HTTP/1.1\r\n", Some("")),
            ("GET /tues", None),
            ("GET", None),
            ("", None),
            ("OPTIONS * HTTP/1.1\r\nReferer: /tuesday/ x", None),
            ("GET http://room.example", None),
        ] {
            assert_eq!(named(text), name, "{text}");
        }
    }
}
