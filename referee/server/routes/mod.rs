//! Addresses of the server, and what each does.

mod answer;
mod board;
mod contest;
mod finals;
mod uploads;

use crate::app::{App, Visitor, Who};
use crate::events;
use crate::guard::{self, Peer};
use crate::join::relay::{Accepted, Held, RelaySender};
use crate::labels::Stored;
use crate::pages::{client, slips};
use crate::people::{Person, Refused};
use crate::streams::Topic;
use crate::token::Token;
use crate::views;
use crate::words::Language;
use answer::{
    beside, check_key, missing_page, person_of, streamed, Answer, Shared, Stopped, Wrong,
};
use arbitre_referee::play::replay::Replay;
use arbitre_referee::run::room::Refusal;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SEC_WEBSOCKET_ACCEPT,
    SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, SET_COOKIE, UPGRADE, USER_AGENT,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use base64::prelude::{Engine, BASE64_STANDARD};
use hyper::upgrade::Parts;
use serde::Deserialize;
use std::net::IpAddr;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tower::ServiceExt;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

/// Bytes of a form: two thousand names. Not tuned.
const FORM: usize = 256 * 1024;
/// Time for a request with its body. Not tuned.
const REQUEST: Duration = Duration::from_secs(20);
/// Content policy of all pages: only files of this server, and pictures of the pages themselves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'self'; \
                      frame-ancestors 'none'";
/// Time for which a browser keeps its cookie, in seconds: a school year.
const COOKIE_KEPT: u64 = 400 * 24 * 60 * 60;
/// Lines of a game that the page of the protocol shows. Not tuned.
const LINES: usize = 60;

/// Returns all routes.
pub fn router(app: Arc<App>, relay: RelaySender, stopped: watch::Receiver<bool>) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let teacher = Router::new()
        .route("/teacher", get(teacher))
        .route("/teacher/slips/{number}", get(slips_page))
        .route("/teacher/slips/{number}/csv", get(slips_csv))
        .route("/teacher/people", post(add_people))
        .route("/teacher/person/{id}", post(change_person))
        .route("/teacher/pause", post(pause))
        .route("/teacher/message", post(message))
        .route("/teacher/openness", post(openness))
        .route("/teacher/link", post(new_teacher))
        .merge(finals::teacher())
        .layer(middleware::from_fn_with_state(app.clone(), for_teacher));
    // A copy of a large room takes its time.
    let copies = Router::new()
        .route("/teacher/backup", get(backup))
        .merge(finals::copies())
        .layer(middleware::from_fn_with_state(app.clone(), for_teacher));
    let public = Router::new()
        .route("/", get(room))
        .route("/projector", get(projector))
        .route("/address", get(address))
        .route("/player/{number}", get(player))
        .route("/game/{number}", get(game))
        .route("/game/{number}/data", get(document))
        .route("/rules", get(rules))
        .route("/events/room", get(room_events))
        .route("/events/projector", get(projector_events))
        .route("/events/game/{number}", get(game_events))
        .merge(board::public())
        .merge(contest::public())
        .merge(finals::public())
        .layer(middleware::from_fn_with_state(app.clone(), for_members));
    let root = app.root.clone();
    let routes = Router::new()
        .merge(teacher)
        .merge(public)
        .route("/me", get(me))
        .route("/join.py", get(join_py))
        .route("/challenge", post(challenge))
        .route("/leave", post(leave))
        .route("/enter/{token}", get(enter).post(enter_anyway))
        .route("/language/{code}", get(language))
        .route("/style.css", get(style))
        .route("/script.js", get(script))
        .fallback(missing)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST))
        .merge(copies)
        .merge(uploads::router())
        .merge(contest::router())
        .layer(middleware::from_fn_with_state(app.clone(), identify))
        // A program, not a browser: it has no cookie and reads no page.
        .route("/join", get(join))
        .layer(Extension(relay))
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(X_FRAME_OPTIONS, "DENY"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(Extension(stopped))
        .with_state(app.clone());
    match root.is_empty() {
        true => routes,
        false => {
            Router::new().fallback(move |request| below(root.clone(), routes.clone(), request))
        }
    }
}

/// Answers a request to a room on a server of several, without the start of its addresses. For
/// another room on a connection of this one, a browser asks again, by another connection.
async fn below(root: String, routes: Router, mut request: Request) -> Response {
    let whole = request.uri().path_and_query().map_or("/", |place| place.as_str()).to_owned();
    let own = whole.strip_prefix(&root).filter(|own| own.is_empty() || own.starts_with(['/', '?']));
    match own.map(|own| format!("/{}", own.trim_start_matches('/')).parse()) {
        Some(Ok(place)) => {
            *request.uri_mut() = place;
            let Ok(response) = routes.oneshot(request).await;
            response
        }
        Some(Err(_)) => StatusCode::BAD_REQUEST.into_response(),
        None => {
            // Two strokes would begin another host.
            let place = format!("/{}", whole.trim_start_matches('/'));
            let head = [(CONNECTION, "close".to_owned()), (LOCATION, place)];
            (StatusCode::TEMPORARY_REDIRECT, head).into_response()
        }
    }
}

// ---- What comes before each page

/// Finds out who asks, and refuses too many requests and forms of other sites.
async fn identify(
    State(app): Shared,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let client = client_of(headers, peer.ip(), app.behind_proxy);
    let is_change = request.method() == Method::POST;
    let cookies: Vec<&str> =
        headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok()).collect();
    let cookie = |name: &str| guard::cookie(cookies.iter().copied(), name);
    let takes_basic = is_change && request.uri().path().ends_with("/solutions");
    let basic = takes_basic.then(|| basic_of(headers)).flatten();
    let bearer = basic.as_deref().or(bearer_of(headers));
    let token = bearer.or(cookie(&app.cookie)).and_then(Token::parse);
    let spoken = cookie("language").and_then(Language::of);
    let language = spoken.unwrap_or_else(|| {
        text_of(headers, &axum::http::header::ACCEPT_LANGUAGE)
            .map_or_else(Language::default, Language::accepted)
    });
    let known = token.and_then(|token| app.who(&token).map(|who| (who, token)));
    let (who, token) = known.map_or((Who::Spectator, None), |(who, token)| (who, Some(token)));
    let is_program = bearer.is_some();
    let visitor = Visitor { who, token, is_program, language };
    if is_program && visitor.token.is_none() {
        let wrong = match app.limiter.allows_try(client) {
            true => Wrong::of("error-link", StatusCode::UNAUTHORIZED),
            false => Wrong::of("error-limit", StatusCode::TOO_MANY_REQUESTS),
        };
        return wrong.page(&app, &visitor);
    }
    // The teacher gets through, also behind the router of a class that floods.
    if !visitor.is_teacher() && !app.limiter.allows(client, is_change) {
        // The page itself would cost what the limit saves.
        let text = language.w("error-limit");
        return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "5")], text).into_response();
    }
    let site = HeaderName::from_static("sec-fetch-site");
    let is_own =
        guard::is_own(text_of(headers, &ORIGIN), text_of(headers, &site), text_of(headers, &HOST));
    if is_change && !is_own {
        return Wrong::of("error-origin", StatusCode::FORBIDDEN).page(&app, &visitor);
    }
    request.extensions_mut().insert(visitor.clone());
    request.extensions_mut().insert(Client(client));
    let mut response = next.run(request).await;
    under_root(&app, response.headers_mut());
    let is_page = text_of(response.headers(), &CONTENT_TYPE).is_some_and(|of| of.contains("html"));
    if let Some(wrong) = response.extensions_mut().remove::<Arc<Wrong>>() {
        let wrong =
            Arc::into_inner(wrong).unwrap_or(Wrong::of("error-missing", StatusCode::NOT_FOUND));
        return wrong.page(&app, &visitor);
    }
    let is_own_text = visitor.is_program && response.headers().contains_key(CONTENT_TYPE);
    if response.status().is_client_error() && !is_page && !is_own_text {
        // The library's own words for a form that it cannot read.
        return Wrong::of("error-form", response.status()).page(&app, &visitor);
    }
    response
}

/// Names the page to which a browser is sent from the root of the server.
fn under_root(app: &App, headers: &mut HeaderMap) {
    let place = text_of(headers, &LOCATION).map(|place| format!("{}{place}", app.root));
    if let Some(Ok(place)) = place.filter(|_| !app.root.is_empty()).map(HeaderValue::try_from) {
        headers.insert(LOCATION, place);
    }
}

/// Returns the secret of a link that a program sends in a header.
fn bearer_of(headers: &HeaderMap) -> Option<&str> {
    let value = text_of(headers, &AUTHORIZATION)?;
    let secret = value.strip_prefix("Bearer ").unwrap_or(value).trim();
    // The whole link is as good.
    secret.rsplit('/').next()
}

/// Returns the password of HTTP basic, as the contest of 2015 had it. A browser could send it to
/// forms of other sites, so it counts for solutions alone.
fn basic_of(headers: &HeaderMap) -> Option<String> {
    let coded = text_of(headers, &AUTHORIZATION)?.strip_prefix("Basic ")?;
    let text = String::from_utf8(BASE64_STANDARD.decode(coded.trim()).ok()?).ok()?;
    Some(text.split_once(':')?.1.to_owned())
}

/// Address of the client of a request.
#[derive(Clone, Copy)]
struct Client(IpAddr);

/// Returns the address of a client. Only a proxy on this machine may name another one.
fn client_of(headers: &HeaderMap, peer: IpAddr, behind_proxy: bool) -> IpAddr {
    let named = headers.get_all("x-forwarded-for").into_iter().next_back();
    let named =
        named.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    named.filter(|_| behind_proxy && peer.to_canonical().is_loopback()).unwrap_or(peer)
}

fn text_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

async fn for_teacher(
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Answer {
    match visitor.is_teacher() {
        true => Ok(next.run(request).await),
        false => Err(Wrong::of("error-teacher", StatusCode::FORBIDDEN)),
    }
}

async fn for_members(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Answer {
    match app.may_see(&visitor) {
        true => Ok(next.run(request).await),
        false => Err(Wrong::of("closed-page", StatusCode::FORBIDDEN)),
    }
}

async fn missing() -> Wrong {
    missing_page()
}

// ---- Pages

async fn room(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Html<String> {
    Html(views::room(&app, &visitor))
}

async fn projector(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Html<String> {
    Html(views::projector(&app, &visitor))
}

async fn address(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Html<String> {
    Html(views::address(&app, &visitor))
}

async fn player(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    let page = views::player(&app, &visitor, number).ok_or_else(missing_page)?;
    Ok(Html(page).into_response())
}

async fn game(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
) -> Answer {
    let number: u64 = number.parse().map_err(|_| missing_page())?;
    let page = beside(app.clone(), move || {
        let shown = app.room.shown_game(number).ok()??;
        Some(views::game(&app, &visitor, &shown, number))
    });
    Ok(Html(page.await?).into_response())
}

async fn document(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
) -> Answer {
    let number: u64 = number.parse().map_err(|_| missing_page())?;
    let document = beside(app.clone(), move || {
        let shown = app.room.shown_game(number).ok()??;
        views::document(&app, &visitor, shown)
    });
    Ok(([(CONTENT_TYPE, "application/json")], document.await?).into_response())
}

async fn rules(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Answer {
    let page = beside(app.clone(), move || {
        let lines = lines_of_a_game(&app).unwrap_or_default();
        Some(views::rules(&app, &visitor, lines))
    });
    Ok(Html(page.await?).into_response())
}

/// Returns the lines of the first player of the last game, with its answers, as far as they have a
/// place. A bot that is not terse receives them.
fn lines_of_a_game(app: &App) -> Option<String> {
    let last = app.room.last_games(None);
    let mut shown = app.room.shown_game(last.first()?.number).ok()??;
    // Rules in another process would be started for it.
    if shown.contest.external.is_some() {
        return None;
    }
    for report in shown.record.played.start_reports.iter_mut().flatten() {
        report.ready = report.ready.is_some().then(|| "ready bot".into());
    }
    let replay = Replay::of(&shown.record, app.room.game(), &shown.contest, true).ok()?;
    let plies = shown.record.played.plies.iter().filter(|ply| ply.seat.index() == 0);
    let mut answers = plies.map(|ply| ply.mv.as_str());
    let (mut lines, heard) = (Vec::new(), replay.heard.first()?);
    for line in heard.lines() {
        lines.push(line.to_owned());
        match line.split(' ').next() {
            Some("begin") => lines.push("< ready bot".into()),
            Some("go") => lines.extend(answers.next().map(|answer| format!("< {answer}"))),
            _ => {}
        }
    }
    let is_whole = lines.len() <= LINES;
    lines.truncate(LINES);
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    Some(text + if is_whole { "" } else { "…\n" })
}

async fn me(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Answer {
    let command = client::command(text_of(&headers, &USER_AGENT));
    let address = reached(&app, &headers);
    match &visitor.who {
        Who::Person(person) => {
            Ok(Html(views::me(&app, &visitor, person, command, &address)).into_response())
        }
        Who::Teacher => Ok(Redirect::to("/teacher").into_response()),
        Who::Spectator => Err(Wrong::of("error-login", StatusCode::FORBIDDEN)),
    }
}

/// Returns the client of a person, with its address and its link.
async fn join_py(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Answer {
    let token = visitor.token.filter(|_| matches!(visitor.who, Who::Person(_)));
    let token = token.ok_or(Wrong::of("error-login", StatusCode::FORBIDDEN))?;
    let text = client::join(&reached(&app, &headers), &token);
    let name = "attachment; filename=\"join.py\"";
    Ok(([(CONTENT_TYPE, "text/x-python; charset=utf-8"), (CONTENT_DISPOSITION, name)], text)
        .into_response())
}

/// Returns the address at which a browser reached this server.
fn reached(app: &App, headers: &HeaderMap) -> String {
    client::address(text_of(headers, &HOST), &app.root, app.behind_proxy, &app.addresses)
}

async fn style(State(app): Shared) -> Response {
    file("text/css; charset=utf-8", app.assets.style.clone())
}

async fn script(State(app): Shared) -> Response {
    file("text/javascript; charset=utf-8", app.assets.script.clone())
}

/// Returns a file whose address changes with it.
fn file(kind: &'static str, text: String) -> Response {
    let kept = "public, max-age=31536000, immutable";
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, kept)], text).into_response()
}

// ---- Streams

async fn room_events(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
) -> Answer {
    let stream = events::of_topic(app, Topic::Room, visitor, stopped);
    Ok(stream.ok_or_else(missing_page)?.into_response())
}

async fn projector_events(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
) -> Answer {
    let stream = events::of_topic(app, Topic::Projector, visitor, stopped);
    Ok(stream.ok_or_else(missing_page)?.into_response())
}

async fn game_events(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
    Path(number): Path<String>,
) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    Ok(events::of_game(app, number, visitor, stopped).into_response())
}

// ---- Links, languages

/// Returns who a link belongs to.
fn holder_of(app: &App, client: IpAddr, token: &str) -> Result<(Token, Who), Wrong> {
    let token = Token::parse(token);
    let found = token.and_then(|token| app.who(&token).map(|who| (token, who)));
    found.ok_or_else(|| match app.limiter.allows_try(client) {
        true => Wrong::of("error-link", StatusCode::NOT_FOUND),
        false => Wrong::of("error-limit", StatusCode::TOO_MANY_REQUESTS),
    })
}

/// Logs a browser in by a link. One that is logged in as another is asked first: a link that others
/// send must not take its place.
async fn enter(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(Client(client)): Extension<Client>,
    Path(token): Path<String>,
) -> Answer {
    let (token, who) = holder_of(&app, client, &token)?;
    if visitor.who != Who::Spectator && visitor.who != who {
        return Ok(Html(views::enter(&app, &visitor, &who, &token)).into_response());
    }
    Ok(logged_in(&app, &token, &who))
}

/// Logs a browser in that was asked.
async fn enter_anyway(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(Client(client)): Extension<Client>,
    Path(token): Path<String>,
    Form(Key { key }): Form<Key>,
) -> Answer {
    check_key(&visitor, &key)?;
    let (token, who) = holder_of(&app, client, &token)?;
    Ok(logged_in(&app, &token, &who))
}

fn logged_in(app: &App, token: &Token, who: &Who) -> Response {
    let to = if *who == Who::Teacher { "/teacher" } else { "/me" };
    with_cookie(app, &app.cookie, &token.to_string(), to)
}

/// Sends a browser to a page with a cookie.
fn with_cookie(app: &App, name: &str, value: &str, to: &str) -> Response {
    let secure = if app.behind_proxy { "; Secure" } else { "" };
    let age = if value.is_empty() { 0 } else { COOKIE_KEPT };
    // Lax: a link in a message leads here from another site, and must find the cookie.
    let root = &app.root;
    let cookie =
        format!("{name}={value}; Path={root}/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
    ([(SET_COOKIE, cookie)], Redirect::to(to)).into_response()
}

#[derive(Deserialize)]
struct To {
    #[serde(default)]
    to: String,
}

async fn language(
    State(app): Shared,
    Path(code): Path<String>,
    Query(To { to }): Query<To>,
) -> Answer {
    let language = Language::of(&code).ok_or_else(missing_page)?;
    // Only a page of this server.
    let is_hidden = |c: char| c == '\\' || c.is_control();
    let is_own = to.starts_with('/') && !to.starts_with("//") && !to.contains(is_hidden);
    let to = if is_own { to.as_str() } else { "/" };
    Ok(with_cookie(&app, "language", language.code(), to))
}

#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    key: String,
}

async fn leave(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Key { key }): Form<Key>,
) -> Answer {
    check_key(&visitor, &key)?;
    Ok(with_cookie(&app, &app.cookie, "", "/"))
}

/// Asks for a game: the form has a field `against` for each other seat.
async fn challenge(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Answer {
    let person = person_of(&visitor)?;
    let values = |name: &'static str| fields.iter().filter(move |(of, _)| of == name);
    check_key(&visitor, values("key").next().map_or("", |(_, key)| key))?;
    let own = player_of(&app, person).ok_or(Refusal::Absent)?;
    let others = values("against").map(|(_, number)| number.parse());
    let others: Vec<usize> = others.collect::<Result<_, _>>().map_err(|_| Refusal::WrongNumber)?;
    app.room.challenge(own, &others)?;
    Ok(Redirect::to("/").into_response())
}

/// Returns the number of the player of a person that is here.
fn player_of(app: &App, person: &Person) -> Option<usize> {
    let (own, standings) = (person.player(), app.room.standings());
    let mut rows = standings.rows.iter();
    rows.find(|row| row.is_present && Stored::of(&row.name).player == own).map(|row| row.number)
}

// ---- Programs of people

/// Answer to a client that gets no connection: status, seconds to wait, reason.
type NoEntry = (StatusCode, [(&'static str, &'static str); 1], &'static str);

/// Opens the connection of a client, which the relay takes over.
async fn join(
    State(app): Shared,
    Extension(Peer(peer)): Extension<Peer>,
    Extension(relay): Extension<RelaySender>,
    mut request: Request,
) -> Result<Response, NoEntry> {
    // Only a client that came too often looks at the wait.
    let refused = |status, why| Err((status, [("retry-after", "5")], why));
    let headers = request.headers();
    let address = client_of(headers, peer.ip(), app.behind_proxy);
    if !app.limiter.allows(address, false) {
        return refused(StatusCode::TOO_MANY_REQUESTS, "too many requests");
    }
    let token = bearer_of(headers).and_then(Token::parse);
    let holder = token.clone().and_then(|token| app.people.person_with(&token));
    let (Some(person), Some(token)) = (holder, token) else {
        let status = match app.limiter.allows_try(address) {
            true => StatusCode::UNAUTHORIZED,
            false => StatusCode::TOO_MANY_REQUESTS,
        };
        return refused(status, "expected the link of a person, got another one");
    };
    if !app.members.allows(person.id) {
        return refused(StatusCode::TOO_MANY_REQUESTS, "too many connections by this link");
    }
    let Some(accept) = accepted(headers) else {
        return refused(StatusCode::BAD_REQUEST, "expected a WebSocket of version 13");
    };
    let page = format!("{}/me", app.addresses.first().map_or("", String::as_str));
    let upgrade = hyper::upgrade::on(&mut request);
    let (id, known) = (person.id, app.clone());
    let is_valid = Box::new(move || known.people.person_with(&token).is_some_and(|of| of.id == id));
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let Ok(Parts { io, read_buf, .. }) = upgraded.downcast::<Held>() else { return };
        // Another handle, which this thread's runtime does not know.
        let held = io.into_inner();
        let Ok(stream) = held.get_ref().as_fd().try_clone_to_owned() else { return };
        // The relay ends before this server does.
        let (stream, early) = (stream.into(), read_buf.to_vec());
        let _ = relay.send(Accepted { stream, early, person, is_valid, page });
    });
    let head = [
        (CONNECTION, "upgrade".to_owned()),
        (UPGRADE, "websocket".to_owned()),
        (SEC_WEBSOCKET_ACCEPT, accept),
    ];
    Ok((StatusCode::SWITCHING_PROTOCOLS, head).into_response())
}

/// Returns the answer to the key of a WebSocket; none if the request asks for no such connection.
fn accepted(headers: &HeaderMap) -> Option<String> {
    let has = |name: &HeaderName, word: &str| {
        text_of(headers, name).is_some_and(|text| text.to_ascii_lowercase().contains(word))
    };
    let asks = has(&UPGRADE, "websocket") && has(&CONNECTION, "upgrade");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| asks);
    let key = key.filter(|_| has(&SEC_WEBSOCKET_VERSION, "13"))?;
    Some(derive_accept_key(key.as_bytes()))
}

// ---- The teacher

async fn teacher(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Html<String> {
    Html(views::teacher(&app, &visitor))
}

async fn backup(State(app): Shared) -> Answer {
    let made = beside(app.clone(), move || Some(crate::backup::file(&app.folder))).await?;
    let made = made.map_err(|why| {
        Wrong::about("error-copy", StatusCode::INSUFFICIENT_STORAGE, &why.to_string())
    })?;
    let name = HeaderValue::from_static("attachment; filename=\"room.zip\"");
    let kind = HeaderValue::from_static("application/zip");
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], streamed(made)).into_response())
}

async fn slips_page(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<String>,
) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    let links = app.slips.get(number).ok_or_else(missing_page)?;
    Ok(Html(views::slips(&app, &visitor, number, &links)).into_response())
}

async fn slips_csv(State(app): Shared, Path(number): Path<String>) -> Answer {
    let number = number.parse().map_err(|_| missing_page())?;
    let links = app.slips.get(number).ok_or_else(missing_page)?;
    let text = slips::csv(&links, app.addresses.first().map_or("", String::as_str));
    let name = "attachment; filename=\"links.csv\"";
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, name)], text)
        .into_response())
}

#[derive(Deserialize)]
struct Names {
    #[serde(default)]
    key: String,
    #[serde(default)]
    names: String,
}

async fn add_people(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Names { key, names }): Form<Names>,
) -> Answer {
    check_key(&visitor, &key)?;
    let lines = names.lines().map(str::trim).filter(|line| !line.is_empty());
    let names: Vec<String> = lines.map(str::to_owned).collect();
    if names.is_empty() {
        return Err(Wrong::of("error-names", StatusCode::BAD_REQUEST));
    }
    let number = app.slips.add(app.people.add(&names)?);
    Ok(Redirect::to(&format!("/teacher/slips/{number}")).into_response())
}

#[derive(Deserialize)]
struct Change {
    #[serde(default)]
    key: String,
    #[serde(rename = "do", default)]
    what: String,
    #[serde(default)]
    name: String,
}

async fn change_person(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<i64>,
    Form(Change { key, what, name }): Form<Change>,
) -> Answer {
    check_key(&visitor, &key)?;
    let person = app.people.person(id).ok_or(Refused::Unknown)?;
    let away = || player_of(&app, &person).into_iter().for_each(|number| app.room.leave(number));
    match what.as_str() {
        "rename" => app.people.rename(id, &name)?,
        "reissue" => {
            let number = app.slips.add(vec![app.people.reissue(id)?]);
            app.members.expel(id, "this link was replaced");
            return Ok(Redirect::to(&format!("/teacher/slips/{number}")).into_response());
        }
        "disable" => {
            app.people.disable(id, true)?;
            app.boards.expel(id);
            app.members.expel(id, "this link is disabled");
            away();
        }
        "enable" => app.people.disable(id, false)?,
        "delete" => {
            app.people.delete(id)?;
            app.boards.expel(id);
            app.uploads.iter().try_for_each(|uploads| uploads.forget(id))?;
            app.contest.iter().try_for_each(|contest| contest.forget(id))?;
            app.members.expel(id, "this link is gone");
            away();
        }
        _ => return Err(missing_page()),
    }
    Ok(Redirect::to("/teacher").into_response())
}

async fn pause(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Change { key, what, .. }): Form<Change>,
) -> Answer {
    check_key(&visitor, &key)?;
    app.people.set_paused(what == "pause")?;
    // The end of a final looks at what was stored.
    app.room.pause(what == "pause" || app.finals.is_running());
    Ok(Redirect::to("/teacher").into_response())
}

#[derive(Deserialize)]
struct Text {
    #[serde(default)]
    key: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    openness: String,
}

async fn message(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Text { key, text, .. }): Form<Text>,
) -> Answer {
    check_key(&visitor, &key)?;
    app.people.set_message(&text)?;
    Ok(Redirect::to("/teacher").into_response())
}

async fn openness(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Text { key, openness, .. }): Form<Text>,
) -> Answer {
    check_key(&visitor, &key)?;
    app.people.set_openness(&openness)?;
    Ok(Redirect::to("/teacher").into_response())
}

/// Gives the teacher another link, and this browser its cookie.
async fn new_teacher(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(Key { key }): Form<Key>,
) -> Answer {
    check_key(&visitor, &key)?;
    let token = app.people.new_teacher()?;
    let person = Person { id: 0, name: visitor.language.w("teacher").into(), is_disabled: false };
    let number = app.slips.add(vec![(person, token.clone())]);
    Ok(with_cookie(&app, &app.cookie, &token.to_string(), &format!("/teacher/slips/{number}")))
}
