//! Boards: people play in the browser.

use super::answer::{check_key, missing_page, person_of, Answer, Shared, Stopped};
use crate::app::{App, Visitor};
use crate::board::Place;
use crate::events;
use crate::views;
use arbitre_referee::run::room::Refusal;
use axum::extract::{Form, Path, State};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use std::sync::Arc;

/// Returns the routes of boards.
pub fn public() -> Router<Arc<App>> {
    Router::new()
        .route("/board", post(put_up))
        .route("/board/{id}", get(page).post(act))
        .route("/events/board/{id}", get(stream))
}

/// Puts up a board. The form has the own seat, and a field `against` for each other one: the
/// number of a program, or `p` and that of a person.
async fn put_up(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Answer {
    let person = person_of(&visitor)?;
    let values = |name: &'static str| {
        fields.iter().filter(move |(of, _)| of == name).map(|(_, value)| value.as_str())
    };
    check_key(&visitor, values("key").next().unwrap_or_default())?;
    let others: Option<Vec<Place>> = values("against").map(|text| place(&app, text)).collect();
    let seat = values("seat").next().unwrap_or("0").parse();
    let (Some(others), Ok(seat)) = (others, seat) else {
        return Err(Refusal::WrongNumber.into());
    };
    let id = app.boards.put_up(person, &others, seat)?;
    Ok(Redirect::to(&format!("/board/{id}")).into_response())
}

/// Reads a player of a form.
fn place(app: &App, text: &str) -> Option<Place> {
    match text.strip_prefix('p') {
        Some(id) => {
            let person = app.people.person(id.parse().ok()?)?;
            (!person.is_disabled).then_some(Place::Person(person.id))
        }
        None => text.parse().ok().map(Place::Program),
    }
}

#[derive(Deserialize)]
struct Act {
    #[serde(default)]
    key: String,
    #[serde(rename = "do", default)]
    what: String,
    #[serde(default)]
    turn: u64,
    #[serde(rename = "move", default)]
    mv: String,
}

/// Sits down, plays a move or gives up.
async fn act(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(Act { key, what, turn, mv }): Form<Act>,
) -> Answer {
    let person = person_of(&visitor)?.id;
    check_key(&visitor, &key)?;
    let id: u64 = id.parse().map_err(|_| missing_page())?;
    let view = app.boards.view(id).filter(|view| view.is_of(person)).ok_or_else(missing_page)?;
    match what.as_str() {
        "sit" => app.boards.sit(person, view.id)?,
        "give-up" => app.boards.give_up(person, view.id)?,
        // A late or second click: the page shows what is so.
        "" => drop(app.boards.play(person, turn, &mv)),
        _ => return Err(missing_page()),
    }
    Ok(Redirect::to(&format!("/board/{id}")).into_response())
}

async fn page(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Answer {
    let id = id.parse().map_err(|_| missing_page())?;
    let page = views::board::page(&app, &visitor, id).ok_or_else(missing_page)?;
    Ok(Html(page).into_response())
}

async fn stream(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Extension(stopped): Stopped,
    Path(id): Path<String>,
) -> Answer {
    let id: u64 = id.parse().map_err(|_| missing_page())?;
    let changes = move |app: &App, visitor: &Visitor| {
        let view = app.boards.view(id).filter(|_| app.may_see(visitor))?;
        let steps = views::board::steps(app, &view);
        Some((app.boards.changes() << 20) + steps as u64)
    };
    let part = move |app: &App, visitor: &Visitor| views::board::part(app, visitor, id);
    Ok(events::of_part(app, visitor, stopped, changes, part).into_response())
}
