//! Contest of a solo room: solutions that programs and browsers send, and its pages.

use super::answer::{check_key, missing_page, person_of, Answer, Shared, Stopped, Wrong};
use super::uploads::Brought;
use crate::app::{App, Visitor};
use crate::contest::{Contest, Judged};
use crate::events;
use crate::people::Refused;
use crate::views;
use axum::body::Bytes;
use axum::extract::multipart::Multipart;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
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
    body: Bytes,
) -> Answer {
    let person = person_of(&visitor)?;
    if id != person.id.to_string() {
        let own = person.id.to_string();
        return Err(Wrong::about("error-team", StatusCode::FORBIDDEN, &own));
    }
    Ok(as_json(&judged(&app, &visitor, body, None).await?))
}

async fn of_problem(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
    body: Bytes,
) -> Answer {
    let number: u64 = number.parse().map_err(|_| missing_page())?;
    contest(&app)?.problem(number).ok_or_else(missing_page)?;
    Ok(as_json(&judged(&app, &visitor, body, Some(number)).await?))
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
    form: Multipart,
) -> Answer {
    person_of(&visitor)?;
    let _place = app.receivers.acquire_many((MOST_BYTES >> 20) as u32).await;
    let brought = Brought::read(form).await?;
    check_key(&visitor, &brought.key)?;
    let json = brought.document().ok_or(Wrong::of("error-no-file", StatusCode::BAD_REQUEST))?;
    let judged = judged(&app, &visitor, json.into(), None).await?;
    Ok(Html(views::contest::judged(&app, &visitor, &judged)).into_response())
}

/// Scores solutions, those of one request after those of another.
async fn judged(
    app: &Arc<App>,
    visitor: &Visitor,
    json: Bytes,
    problem: Option<u64>,
) -> Result<Vec<Judged>, Wrong> {
    let person = person_of(visitor)?.id;
    // A form of another site has no such header, and one of this site comes with its key.
    let contest = contest(app)?.clone();
    let busy = || Wrong::of("error-solutions", StatusCode::TOO_MANY_REQUESTS);
    let turn_of = contest.clone();
    let turn = turn_of.turn(person).ok_or_else(busy)?;
    let _scorer = turn_of.scorers().acquire().await;
    let work = move || {
        let sent = contest.read(&json, problem).map_err(Refused::Files)?;
        contest.judge(person, &sent)
    };
    let done = tokio::task::spawn_blocking(work).await;
    drop(turn);
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
