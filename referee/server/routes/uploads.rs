//! Uploads: files that browsers and programs send, and the pages of what came of them.

use super::answer::{check_key, missing_page, person_of, Answer, Shared, Stopped, Wrong};
use crate::app::{App, Visitor};
use crate::events;
use crate::uploads::{Sent, Uploads, MOST_BYTES};
use crate::views;
use arbitre_referee::submissions::ENDINGS;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::error::Elapsed;
use tower_http::timeout::TimeoutLayer;

/// Time for a request with files: at 1 Mbit/s the most bytes take 134 s. Not tuned.
const REQUEST: Duration = Duration::from_secs(180);
/// Longest pause within a file. Not tuned.
pub const PAUSE: Duration = Duration::from_secs(15);
/// Bytes of a request beyond those of its files.
const AROUND: usize = 64 << 10;

/// Returns the routes of uploads.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/upload", post(upload))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST))
        .layer(DefaultBodyLimit::max(MOST_BYTES + AROUND))
        .route("/upload/{id}", get(page))
        .route("/events/upload/{id}", get(stream))
}

/// Content of a request.
#[derive(Default)]
pub struct Brought {
    /// Key of the form.
    pub key: String,
    text: String,
    ending: String,
    /// Files that were sent.
    pub sent: Vec<Sent>,
}

impl Brought {
    /// Reads a form.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is too large.
    pub async fn read(mut form: Multipart) -> Result<Brought, Wrong> {
        let mut brought = Brought::default();
        loop {
            let next = tokio::time::timeout(PAUSE, form.next_field()).await.map_err(late)?;
            let Some(field) = next.map_err(unreadable)? else { return Ok(brought) };
            match field.name().unwrap_or_default() {
                "key" => brought.key = text(field).await?,
                "text" => brought.text = text(field).await?,
                "ending" => brought.ending = text(field).await?,
                name if name == "file" || field.file_name().is_some() => {
                    let name = field.file_name().unwrap_or_default().to_owned();
                    let bytes = bytes(field).await?;
                    // A browser sends an empty part for a field without a file.
                    if !name.is_empty() || !bytes.is_empty() {
                        brought.sent.push((name, bytes));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the first file, or the pasted text, as one document.
    pub fn document(self) -> Option<Vec<u8>> {
        let first = self.sent.into_iter().next().map(|(_, bytes)| bytes);
        first.or(Some(self.text.into_bytes())).filter(|bytes| !bytes.trim_ascii().is_empty())
    }

    /// Returns the files, of which a pasted text is one.
    fn files(self) -> Result<Vec<Sent>, Wrong> {
        let mut files = self.sent;
        if !self.text.trim().is_empty() {
            if !ENDINGS.contains(&self.ending.as_str()) {
                return Err(Wrong::of("error-form", StatusCode::BAD_REQUEST));
            }
            // A class of Java has the name of its file.
            let stem = if self.ending == "java" { "Main" } else { "bot" };
            let text = self.text.replace("\r\n", "\n");
            files.push((format!("{stem}.{}", self.ending), text.into_bytes()));
        }
        match files.is_empty() {
            true => Err(Wrong::of("error-no-file", StatusCode::BAD_REQUEST)),
            false => Ok(files),
        }
    }
}

async fn text(field: Field<'_>) -> Result<String, Wrong> {
    Ok(String::from_utf8_lossy(&bytes(field).await?).into_owned())
}

pub fn late(_: Elapsed) -> Wrong {
    Wrong::of("error-form", StatusCode::REQUEST_TIMEOUT)
}

/// Reads a field that comes without long pauses.
async fn bytes(mut field: Field<'_>) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::new();
    loop {
        match tokio::time::timeout(PAUSE, field.chunk()).await.map_err(late)?.map_err(unreadable)? {
            Some(chunk) => bytes.extend(&chunk),
            None => return Ok(bytes),
        }
    }
}

/// Returns the most mebibytes that a request may bring, of at most `most` bytes.
pub fn mebibytes(headers: &HeaderMap, most: usize) -> u32 {
    let most = (most >> 20) as u32;
    let stated = headers.get(CONTENT_LENGTH).and_then(|of| of.to_str().ok()?.parse::<u64>().ok());
    stated.map_or(most, |bytes| (bytes >> 20).min(most.into()) as u32 + 1)
}

fn unreadable(error: MultipartError) -> Wrong {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = format!("{} MiB", MOST_BYTES >> 20);
            Wrong::about("error-large", StatusCode::PAYLOAD_TOO_LARGE, &most)
        }
        status => Wrong::of("error-form", status),
    }
}

/// Returns the uploads of the room.
pub fn uploads(app: &App) -> Result<&Arc<Uploads>, Wrong> {
    app.uploads.as_ref().map_err(|why| Wrong::about("no-uploads", StatusCode::CONFLICT, why))
}

/// Takes a program. A browser is sent to the page of its test, a program reads the same as text.
async fn upload(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
    headers: HeaderMap,
    form: Multipart,
) -> Answer {
    let person = person_of(&visitor)?.clone();
    let uploads = uploads(&app)?.clone();
    let too_often = || Wrong::of("error-uploads", StatusCode::TOO_MANY_REQUESTS);
    let _own = uploads.receiving(person.id).ok_or_else(too_often)?;
    // A class that uploads in one minute waits here, and is not sent away.
    let place = app.receivers.acquire_many(mebibytes(&headers, MOST_BYTES)).await;
    let brought = Brought::read(form).await?;
    check_key(&visitor, &brought.key)?;
    if !uploads.allows(person.id) {
        return Err(too_often());
    }
    let files = brought.files()?;
    let taken = tokio::task::spawn_blocking(move || uploads.receive(&person, &files)).await;
    let broken = |_| Wrong::of("error-busy", StatusCode::INTERNAL_SERVER_ERROR);
    let id = taken.map_err(broken)??;
    drop(place);
    if visitor.is_program {
        return Ok(as_text(app.clone(), id, visitor, stopped));
    }
    Ok(Redirect::to(&format!("/upload/{id}")).into_response())
}

fn as_text(
    app: Arc<App>,
    id: i64,
    visitor: Visitor,
    stopped: tokio::sync::watch::Receiver<bool>,
) -> Response {
    let body = events::text_of_upload(app, id, visitor, stopped);
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response()
}

async fn page(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
    Path(id): Path<i64>,
) -> Answer {
    let view = app.upload_of(&visitor, id).ok_or_else(missing_page)?;
    if visitor.is_program {
        return Ok(as_text(app, id, visitor, stopped));
    }
    Ok(Html(views::uploads::page(&app, &visitor, &view)).into_response())
}

async fn stream(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
    Path(id): Path<i64>,
) -> Answer {
    app.upload_of(&visitor, id).ok_or_else(missing_page)?;
    let changes = move |app: &App, visitor: &Visitor| app.upload_changes(visitor, id);
    let part = move |app: &App, visitor: &Visitor| {
        let view = app.upload_of(visitor, id)?;
        let part = views::uploads::state(&view, visitor.language);
        Some((serde_json::json!({ "upload": part }), view.stage.is_open()))
    };
    Ok(events::of_part(app, visitor, stopped, changes, part).into_response())
}
