//! Contest of a solo room: solutions that programs and browsers send, and its pages.

use super::answer::{check_key, missing_page, person_of, Answer, Shared, Stopped, Wrong};
use super::uploads::{late, mebibytes, Brought, PAUSE};
use crate::app::{App, Visitor};
use crate::contest::{Contest, Judged, Turn};
use crate::events;
use crate::people::Refused;
use crate::views;
use axum::extract::multipart::Multipart;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tower_http::timeout::TimeoutLayer;

/// Bytes of a request. The longest public solution of the contest of 2015 has 1.4 MB.
const MOST_BYTES: usize = 16 << 20;
/// Time for a request and the scores of its solutions. Not tuned.
const REQUEST: Duration = Duration::from_secs(180);

/// Returns the routes that take solutions.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/teams/{id}/solutions", post(of_team))
        .route("/problems/{number}/solutions", post(of_problem))
        .route("/contest", post(by_form))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// Returns the routes of its pages.
pub fn public() -> Router<Arc<App>> {
    Router::new()
        .route("/contest", get(page))
        .route("/contest/{number}", get(problem))
        .route("/contest/{number}/{seed}", get(solution))
        .route("/problems/{number}", get(setups))
        .route("/events/contest", get(stream))
}

fn contest(app: &App) -> Result<&Arc<Contest>, Wrong> {
    app.contest.as_ref().ok_or_else(missing_page)
}

async fn of_team(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    request: Request,
) -> Answer {
    contest(&app)?;
    let own = person_of(&visitor)?.id.to_string();
    if id != own {
        return Err(Wrong::about("error-team", StatusCode::FORBIDDEN, &own));
    }
    let turn = turn(&app, &visitor)?;
    let json = read(&app, request).await?;
    Ok(as_json(&judged(turn, json, None).await?))
}

async fn of_problem(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
    request: Request,
) -> Answer {
    let number: u64 = number.parse().map_err(|_| missing_page())?;
    contest(&app)?.problem(number).ok_or_else(missing_page)?;
    let turn = turn(&app, &visitor)?;
    let json = read(&app, request).await?;
    Ok(as_json(&judged(turn, json, Some(number)).await?))
}

/// Returns the turn of the person who asks. Nothing is read before it.
fn turn(app: &App, visitor: &Visitor) -> Result<Turn, Wrong> {
    let turn = contest(app)?.turn(person_of(visitor)?.id);
    turn.ok_or_else(|| Wrong::of("error-solutions", StatusCode::TOO_MANY_REQUESTS))
}

/// Reads a document that comes without long pauses, once there is memory for it.
async fn read(app: &App, request: Request) -> Result<Vec<u8>, Wrong> {
    let _place = app.receivers.acquire_many(mebibytes(request.headers(), MOST_BYTES)).await;
    let mut stream = request.into_body().into_data_stream();
    let mut json = Vec::new();
    loop {
        match tokio::time::timeout(PAUSE, stream.next()).await.map_err(late)? {
            None => return Ok(json),
            Some(Ok(part)) if json.len() + part.len() <= MOST_BYTES => json.extend(&part),
            Some(Ok(_)) => {
                let most = format!("{} MiB", MOST_BYTES >> 20);
                return Err(Wrong::about("error-large", StatusCode::PAYLOAD_TOO_LARGE, &most));
            }
            Some(Err(_)) => return Err(Wrong::of("error-form", StatusCode::BAD_REQUEST)),
        }
    }
}

fn as_json(judged: &[Judged]) -> Response {
    let json = serde_json::to_string(judged).expect("plain fields have a form in JSON");
    let kind = [(CONTENT_TYPE, "application/json")];
    (StatusCode::CREATED, kind, json + "\n").into_response()
}

/// Takes the solutions of a browser: a file, or pasted text.
async fn by_form(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    form: Multipart,
) -> Answer {
    let turn = turn(&app, &visitor)?;
    let place = app.receivers.acquire_many(mebibytes(&headers, MOST_BYTES)).await;
    let brought = Brought::read(form).await?;
    check_key(&visitor, &brought.key)?;
    let json = brought.document().ok_or(Wrong::of("error-no-file", StatusCode::BAD_REQUEST))?;
    drop(place);
    let judged = judged(turn, json, None).await?;
    Ok(Html(views::contest::judged(&app, &visitor, &judged)).into_response())
}

/// Scores solutions, those of one request after those of another. The turn ends with the work, also
/// where the client does not wait for that.
async fn judged(turn: Turn, json: Vec<u8>, problem: Option<u64>) -> Result<Vec<Judged>, Wrong> {
    let scorer = turn.contest().scorers().acquire_owned().await;
    let work = move || {
        let sent = turn.contest().read(&json, problem).map_err(Refused::Files)?;
        let judged = turn.contest().judge(turn.person(), &sent);
        drop((scorer, turn));
        judged
    };
    let done = tokio::task::spawn_blocking(work).await;
    let broken = |_| Wrong::of("error-busy", StatusCode::INTERNAL_SERVER_ERROR);
    Ok(done.map_err(broken)??)
}

async fn page(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Answer {
    let page = views::contest::page(&app, &visitor, contest(&app)?);
    Ok(Html(page).into_response())
}

async fn problem(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    let page = views::contest::problem(&app, &visitor, contest(&app)?, number);
    Ok(Html(page.ok_or_else(missing_page)?).into_response())
}

/// Returns the best solution of a person for a game, which only that person reads.
async fn solution(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path((number, seed)): Path<(String, String)>,
) -> Answer {
    let (number, seed) = number.parse().ok().zip(seed.parse().ok()).ok_or_else(missing_page)?;
    let text = contest(&app)?.text(person_of(&visitor)?.id, number, seed);
    let text = text.map_err(|_| missing_page())?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Returns the setups of a problem, one per line.
async fn setups(State(app): Shared, Path(number): Path<String>) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    let problem = contest(&app)?.problem(number).ok_or_else(missing_page)?;
    let text: String = problem.games.iter().map(|(_, setup)| format!("{setup}\n")).collect();
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

async fn stream(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
) -> Answer {
    contest(&app)?;
    let changes = |app: &App, visitor: &Visitor| {
        let contest = app.contest.as_ref().filter(|_| app.may_see(visitor))?;
        Some(contest.changes() + app.people.changes())
    };
    let part = |app: &App, visitor: &Visitor| {
        let contest = app.contest.as_ref()?;
        Some((
            serde_json::json!({ "contest": views::contest::places(app, visitor, contest) }),
            true,
        ))
    };
    Ok(events::of_part(app, visitor, stopped, changes, part).into_response())
}
