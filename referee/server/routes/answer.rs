//! Answers of handlers, and their errors.

use crate::app::{App, Visitor, Who};
use crate::board::Unplayed;
use crate::people::{Person, Refused};
use crate::token::Token;
use crate::views;
use arbitre_referee::run::room::Refusal;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderName, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::Extension;
use futures_util::stream;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use tokio::sync::watch;

/// Bytes of a piece of a file. Not tuned.
const PIECE: usize = 256 << 10;

/// State of a handler.
pub type Shared = State<Arc<App>>;
/// Whether the server ends.
pub type Stopped = Extension<watch::Receiver<bool>>;

/// Page of an error with its status.
pub struct Wrong {
    status: StatusCode,
    key: &'static str,
    about: String,
}

impl Wrong {
    /// Creates an error with a word of the table.
    pub fn of(key: &'static str, status: StatusCode) -> Wrong {
        Wrong { status, key, about: String::new() }
    }

    /// Creates an error with a word of the table, and what it is about.
    pub fn about(key: &'static str, status: StatusCode, about: &str) -> Wrong {
        Wrong { status, key, about: format!(" {about}") }
    }

    /// Returns its page, or its line for a program.
    pub fn page(self, app: &App, visitor: &Visitor) -> Response {
        let text = format!("{}{}", visitor.language.w(self.key), self.about);
        if visitor.is_program {
            return (self.status, format!("error: {text}\n")).into_response();
        }
        (self.status, Html(views::error(app, visitor, text))).into_response()
    }
}

impl From<Refused> for Wrong {
    fn from(refused: Refused) -> Wrong {
        let bad = StatusCode::BAD_REQUEST;
        match refused {
            Refused::Name(name) => Wrong::about("error-name", bad, &format!("'{name}'")),
            Refused::Taken(name) => Wrong::about("error-taken", bad, &name),
            Refused::Full => Wrong::of("error-full", bad),
            Refused::Unknown => Wrong::of("error-person", StatusCode::NOT_FOUND),
            Refused::Frozen => Wrong::of("error-frozen", StatusCode::CONFLICT),
            Refused::Files(why) => Wrong::about("error-files", bad, &why),
            Refused::Store(why) => {
                Wrong::about("error-store", StatusCode::INSUFFICIENT_STORAGE, &why)
            }
        }
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        match refusal {
            Refusal::HasOne => Wrong::of("error-has-one", StatusCode::CONFLICT),
            Refusal::Absent => Wrong::of("error-absent", StatusCode::CONFLICT),
            Refusal::Paused => Wrong::of("error-paused", StatusCode::CONFLICT),
            Refusal::WrongNumber => Wrong::of("error-number", StatusCode::BAD_REQUEST),
        }
    }
}

impl From<Unplayed> for Wrong {
    fn from(unplayed: Unplayed) -> Wrong {
        match unplayed {
            Unplayed::AtBoard => Wrong::of("error-at-board", StatusCode::CONFLICT),
            Unplayed::Full => Wrong::of("error-boards", StatusCode::SERVICE_UNAVAILABLE),
            Unplayed::Unknown => Wrong::of("error-no-board", StatusCode::NOT_FOUND),
            Unplayed::Room(refusal) => refusal.into(),
            Unplayed::Store(why) => {
                Wrong::about("error-store", StatusCode::INSUFFICIENT_STORAGE, &why)
            }
        }
    }
}

/// Answer of a page, or the error that it shows.
pub type Answer = Result<Response, Wrong>;

/// Refuses a form without the key of its browser.
pub fn check_key(visitor: &Visitor, key: &str) -> Result<(), Wrong> {
    let expected = visitor.token.as_ref().map(Token::form_key);
    match visitor.is_program || expected.is_some_and(|expected| expected == key) {
        true => Ok(()),
        false => Err(Wrong::of("error-origin", StatusCode::FORBIDDEN)),
    }
}

/// Returns the person who asks.
///
/// # Errors
/// Returns an error for the teacher and for spectators.
pub fn person_of(visitor: &Visitor) -> Result<&Person, Wrong> {
    match &visitor.who {
        Who::Person(person) => Ok(person),
        _ => Err(Wrong::of("error-login", StatusCode::FORBIDDEN)),
    }
}

/// Returns the error of a page that is not there.
pub fn missing_page() -> Wrong {
    Wrong::of("error-missing", StatusCode::NOT_FOUND)
}

/// A handler does not know the visitor of its error, so the page is made by the layer around it.
impl IntoResponse for Wrong {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Runs work that reads the store, or plays a game again, beside the other requests.
///
/// # Errors
/// Returns an error if too many requests do so, or there is nothing.
pub async fn beside<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce() -> Option<T> + Send + 'static,
) -> Result<T, Wrong> {
    // Ratings need the same threads, and must not wait for a crowd.
    let busy = || Wrong::of("error-busy", StatusCode::SERVICE_UNAVAILABLE);
    let _place = app.readers.try_acquire().map_err(|_| busy())?;
    let done = tokio::task::spawn_blocking(work).await;
    done.ok().flatten().ok_or_else(missing_page)
}

/// Returns the content of a file piece by piece, so that a slow reader keeps little memory.
pub fn streamed(file: File) -> ([(HeaderName, String); 1], Body) {
    let length = file.metadata().map_or(0, |of| of.len()).to_string();
    let body = Body::from_stream(stream::unfold(file, |mut file| async move {
        let read = move || {
            let mut piece = vec![0; PIECE];
            let count = file.read(&mut piece);
            (count.map(|count| piece.drain(..count).collect::<Vec<u8>>()), file)
        };
        let (piece, file) = tokio::task::spawn_blocking(read).await.ok()?;
        let is_end = piece.as_ref().is_ok_and(Vec::is_empty);
        (!is_end).then_some((piece, file))
    }));
    ([(CONTENT_LENGTH, length)], body)
}
