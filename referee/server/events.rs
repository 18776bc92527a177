//! Streams of server-sent events: what is new is rendered once and sent to all.

use crate::app::{App, Visitor};
use crate::streams::{ended, Topic};
use crate::views;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Time between two looks at the room. Not tuned.
const TICK: Duration = Duration::from_secs(1);
/// Looks between two forgettings of quiet addresses. Not tuned.
const TIDY: u64 = 60;
/// Time between two signs of life in a quiet stream, for proxies. Not tuned.
const ALIVE: Duration = Duration::from_secs(15);

/// Looks at the room time and again, and sends what is new.
pub async fn tick(app: Arc<App>, mut stopped: watch::Receiver<bool>) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut known = None;
    for number in 1u64.. {
        tokio::select! {
            _ = interval.tick() => {}
            () = ended(&mut stopped) => return,
        }
        let (room, members, uploads) =
            (app.room.clone(), app.members.clone(), app.uploads.as_ref().ok().cloned());
        // The cubic part of it would hold up the pages of a large room.
        let look = move || {
            room.rate();
            members.look();
            uploads.iter().for_each(|uploads| uploads.look(&members));
        };
        let _ = tokio::task::spawn_blocking(look).await;
        if number.is_multiple_of(TIDY) {
            app.limiter.tidy();
            app.members.tidy();
            app.slips.tidy();
            app.boards.tidy();
            app.uploads.iter().for_each(|uploads| uploads.tidy());
        }
        let of_uploads = app.uploads.as_ref().map_or(0, |uploads| uploads.changes());
        let is_frozen = app.people.deadline().is_some_and(|deadline| deadline.is_over());
        let rooms = (app.room.changes(), app.room.running(), app.people.changes());
        let of_contest = app.contest.as_ref().map_or(0, |contest| contest.changes());
        let others = (app.finals.changes(), app.boards.changes(), of_contest);
        let now = (rooms, of_uploads, others, is_frozen);
        if known.as_ref() == Some(&now) {
            continue;
        }
        for ((topic, language, shows_names), source) in &app.streams.parts {
            if source.receiver_count() > 0 {
                let parts = views::parts(&app, *topic, *language, *shows_names);
                source.send_replace(parts.into());
            }
        }
        app.streams.looks.send_replace(number);
        known = Some(now);
    }
}

/// Body of a stream.
pub type Body = Sse<axum::response::sse::KeepAliveStream<Boxed>>;
type Boxed = std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>;

/// Returns the stream of a topic for a visitor. It ends when the visitor may not see it any more.
pub fn of_topic(
    app: Arc<App>,
    topic: Topic,
    visitor: Visitor,
    stopped: watch::Receiver<bool>,
) -> Option<Body> {
    let edition = (topic, visitor.language, app.shows_names(&visitor));
    let source = app.streams.source(edition)?.subscribe();
    let state = (source, stopped, Arc::new((app.clone(), visitor)), true);
    Some(body(Box::pin(stream::unfold(
        state,
        move |(mut source, mut stopped, seen, is_first)| async move {
            if !is_first {
                tokio::select! {
                    changed = source.changed() => changed.ok()?,
                    () = ended(&mut stopped) => return None,
                }
            }
            let (app, visitor) = &*seen;
            let shows_names = edition.2;
            if !app.may_see(visitor) || app.shows_names(visitor) != shows_names {
                return None;
            }
            // The last parts may be old, if no browser was there.
            let parts = match is_first {
                true => views::parts(app, topic, visitor.language, shows_names).into(),
                false => source.borrow_and_update().clone(),
            };
            let event = Event::default().event("parts").data(&*parts);
            Some((Ok(event), (source, stopped, seen, false)))
        },
    ))))
}

/// Returns the stream of a game: the number of its steps whenever it has changed, and `over` at the
/// end.
pub fn of_game(
    app: Arc<App>,
    number: u64,
    visitor: Visitor,
    stopped: watch::Receiver<bool>,
) -> Body {
    let looks = app.streams.looks.subscribe();
    let state = Some((looks, stopped, None));
    body(Box::pin(stream::unfold(state, move |state| {
        let (app, visitor) = (app.clone(), visitor.clone());
        async move {
            let (mut looks, mut stopped, before) = state?;
            loop {
                if !app.may_see(&visitor) {
                    return None;
                }
                let event = Event::default();
                match app.room.running().get(&number).copied() {
                    None => return Some((Ok(event.event("over").data("over")), None)),
                    now if now != before => {
                        let steps = event.event("steps").data(now.unwrap_or(0).to_string());
                        return Some((Ok(steps), Some((looks, stopped, now))));
                    }
                    _ => {}
                }
                tokio::select! {
                    changed = looks.changed() => changed.ok()?,
                    () = ended(&mut stopped) => return None,
                }
            }
        }
    })))
}

/// Part of a page that only some may see: its HTML by the identity of its element. Whether it can
/// still change comes with it.
pub type Part = (serde_json::Value, bool);

/// Returns the stream of a part of a page, which is sent whenever the number of its changes is
/// another one. The last part, and one that the visitor may not see any more, end the stream.
pub fn of_part(
    app: Arc<App>,
    visitor: Visitor,
    stopped: watch::Receiver<bool>,
    changes: impl Fn(&App, &Visitor) -> Option<u64> + Send + Sync + 'static,
    part: impl Fn(&App, &Visitor) -> Option<Part> + Send + Sync + 'static,
) -> Body {
    let looks = app.streams.looks.subscribe();
    let state = Some((looks, stopped, None, true));
    let seen = Arc::new((app, visitor, changes, part));
    body(Box::pin(stream::unfold(state, move |state| {
        let seen = seen.clone();
        async move {
            let (mut looks, mut stopped, before, is_open) = state?;
            let (app, visitor, changes, part) = &*seen;
            if !is_open {
                // The page then asks no more.
                return Some((Ok(Event::default().event("over").data("over")), None));
            }
            loop {
                let now = changes(app, visitor)?;
                if before != Some(now) {
                    let (parts, is_open) = part(app, visitor)?;
                    let event = Event::default().event("parts").data(parts.to_string());
                    return Some((Ok(event), Some((looks, stopped, Some(now), is_open))));
                }
                tokio::select! {
                    changed = looks.changed() => changed.ok()?,
                    () = ended(&mut stopped) => return None,
                }
            }
        }
    })))
}

/// Returns the stream of an upload for a program, as lines of text.
pub fn text_of_upload(
    app: Arc<App>,
    id: i64,
    visitor: Visitor,
    stopped: watch::Receiver<bool>,
) -> axum::body::Body {
    let looks = app.streams.looks.subscribe();
    let state = Some((looks, stopped, String::new(), None));
    let lines = stream::unfold(state, move |state| {
        let (app, visitor) = (app.clone(), visitor.clone());
        async move {
            let (mut looks, mut stopped, before, mut seen) = state?;
            loop {
                let changes = app.upload_changes(&visitor, id)?;
                if seen == Some(changes) {
                    tokio::select! {
                        changed = looks.changed() => changed.ok()?,
                        () = ended(&mut stopped) => return None,
                    }
                    continue;
                }
                seen = Some(changes);
                let view = app.upload_of(&visitor, id)?;
                let now = views::uploads::text(&view);
                let is_open = view.stage.is_open();
                // What is left out of a long log moves: it is sent once that is whole.
                let new = now.strip_prefix(&before).filter(|new| !new.is_empty());
                let shared = || before.chars().zip(now.chars()).take_while(|(a, b)| a == b);
                let new = match new {
                    None if !is_open => Some(now.chars().skip(shared().count()).collect()),
                    new => new.map(str::to_owned),
                };
                if let Some(new) = new {
                    let next = is_open.then_some((looks, stopped, now, seen));
                    return Some((Ok::<_, Infallible>(new), next));
                }
            }
        }
    });
    axum::body::Body::from_stream(lines)
}

fn body(stream: Boxed) -> Body {
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
}
