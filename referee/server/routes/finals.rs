//! Finals, the deadline before them, and the programs of a class as files.

use super::answer::{beside, check_key, missing_page, streamed, Answer, Shared, Wrong};
use crate::app::{App, Visitor, Who};
use crate::backup;
use crate::finals::{copy_class, Plan, Progress, WALL};
use crate::people::{Deadline, Refused};
use crate::views;
use axum::extract::{Form, Multipart, Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use axum::{Extension, Router};
use std::collections::HashMap;
use std::fs::File;
use std::io::Seek;
use std::path::PathBuf;
use std::sync::Arc;

/// Content policy of the pages that the referee wrote into files. They have no origin, and thus no
/// cookie.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; \
                      script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Returns the routes that all visitors have who see names.
pub fn public() -> Router<Arc<App>> {
    Router::new()
        .route("/final", get(newest))
        .route("/final/{number}", get(page))
        .route("/final/{number}/{file}", get(file))
        .route("/final/{number}/pages/{file}", get(player_page))
}

/// Returns the routes of the teacher.
pub fn teacher() -> Router<Arc<App>> {
    Router::new()
        .route("/teacher/final", get(plan).post(start))
        .route("/teacher/final/{number}", post(change))
        .route("/teacher/final/{number}/worksheet", post(worksheet))
        .route("/teacher/deadline", post(deadline))
}

/// Returns the routes of the teacher whose answers take their time.
pub fn copies() -> Router<Arc<App>> {
    Router::new()
        .route("/teacher/class.zip", get(class_zip))
        .route("/teacher/uploads.zip", get(uploads_zip))
}

/// Finals have names.
fn check_names(app: &App, visitor: &Visitor) -> Result<(), Wrong> {
    match app.shows_names(visitor) {
        true => Ok(()),
        false => Err(Wrong::of("error-names-of", StatusCode::FORBIDDEN)),
    }
}

async fn newest(State(app): Shared) -> Answer {
    let last = app.finals.all().pop().ok_or_else(missing_page)?;
    Ok(Redirect::to(&format!("/final/{}", last.number)).into_response())
}

async fn page(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<u64>,
) -> Answer {
    check_names(&app, &visitor)?;
    let found = app.finals.get(number).ok_or_else(missing_page)?;
    if found.is_graded() && visitor.who == Who::Spectator {
        return Err(Wrong::of("error-marks", StatusCode::FORBIDDEN));
    }
    let page = Html(views::finals::page(&app, &visitor, &found));
    match found.progress {
        // The page has no part that moves.
        Progress::Running => Ok(([("refresh", "5")], page).into_response()),
        _ => Ok(page.into_response()),
    }
}

/// Files of a final: the word of the address, the name of the file, its kind, and whether it is for
/// the teacher alone.
const FILES: [(&str, &str, &str, bool); 5] = [
    ("wall", WALL, "text/html; charset=utf-8", false),
    // It has what programs wrote on standard error.
    ("standings", "standings.html", "text/html; charset=utf-8", true),
    ("standings.json", "standings.json", "application/json", true),
    ("standings.csv", "standings.csv", "text/csv; charset=utf-8", true),
    ("standings-excel.csv", "standings-excel.csv", "text/csv; charset=utf-8", true),
];

async fn file(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path((number, word)): Path<(u64, String)>,
) -> Answer {
    check_names(&app, &visitor)?;
    let is_graded = app.finals.get(number).ok_or_else(missing_page)?.is_graded();
    if let (true, Who::Person(person)) = (word == "mine", &visitor.who) {
        let path = app.finals.page_of(number, person.id).ok_or_else(missing_page)?;
        return sent(&app, path, "text/html; charset=utf-8").await;
    }
    let found = FILES.iter().find(|(of, ..)| *of == word).ok_or_else(missing_page)?;
    let (_, name, kind, is_for_teacher) = *found;
    // Marks are for the teacher, and each one for its person.
    if (is_for_teacher || is_graded) && !visitor.is_teacher() {
        return Err(Wrong::of("error-teacher", StatusCode::FORBIDDEN));
    }
    sent(&app, app.finals.path(number, name), kind).await
}

/// Returns the page of a player, for the teacher.
async fn player_page(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path((number, file)): Path<(u64, String)>,
) -> Answer {
    if !visitor.is_teacher() {
        return Err(Wrong::of("error-teacher", StatusCode::FORBIDDEN));
    }
    let path = app.finals.page(number, &file).ok_or_else(missing_page)?;
    sent(&app, path, "text/html; charset=utf-8").await
}

/// Sends a file that the referee wrote.
async fn sent(app: &Arc<App>, path: PathBuf, kind: &'static str) -> Answer {
    let file = beside(app.clone(), move || File::open(path).ok()).await?;
    let head = [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)];
    Ok((head, streamed(file)).into_response())
}

async fn plan(State(app): Shared, Extension(visitor): Extension<Visitor>) -> Answer {
    let page = beside(app.clone(), move || {
        let alike = app.uploads.as_ref().map(|uploads| uploads.alike()).unwrap_or_default();
        Some(views::finals::plan(&app, &visitor, &alike))
    });
    Ok(Html(page.await?).into_response())
}

/// Returns Moodle's grading worksheet with the marks of a final.
async fn worksheet(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<u64>,
    form: Multipart,
) -> Answer {
    let brought = super::uploads::Brought::read(form).await?;
    check_key(&visitor, &brought.key)?;
    let (_, sheet) = brought.sent.into_iter().next().unwrap_or_default();
    let filled = app.finals.worksheet(number, &sheet)?;
    let name = "attachment; filename=\"grades.csv\"";
    Ok(([(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, name)], filled)
        .into_response())
}

type Fields = Vec<(String, String)>;

/// Starts a final.
async fn start(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(fields): Form<Fields>,
) -> Answer {
    let of = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map_or_else(String::new, |(_, value)| value.clone())
    };
    check_key(&visitor, &of("key"))?;
    let uploads = super::uploads::uploads(&app)?.clone();
    let house = app.finals.house().iter().enumerate();
    let points = house.map(|(at, (_, command))| (command.clone(), of(&format!("points-{at}"))));
    let plan = Plan {
        title: of("title"),
        format: of("format"),
        rounds: of("rounds"),
        games: of("games"),
        points: points.collect(),
        ..Plan::default()
    };
    let finals = app.finals.clone();
    let started = beside(app.clone(), move || Some(finals.start(plan, &uploads))).await??;
    Ok(Redirect::to(&format!("/final/{started}")).into_response())
}

/// Stops a final, or has it go on.
async fn change(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<u64>,
    Form(fields): Form<HashMap<String, String>>,
) -> Answer {
    check_key(&visitor, fields.get("key").map_or("", String::as_str))?;
    app.finals.get(number).ok_or_else(missing_page)?;
    match fields.get("do").map_or("", String::as_str) {
        "delete" => {
            app.finals.delete(number)?;
            return Ok(Redirect::to("/teacher/final").into_response());
        }
        word => app.finals.stop(number, word == "resume"),
    }
    Ok(Redirect::to(&format!("/final/{number}")).into_response())
}

/// Sets the deadline, or removes it.
async fn deadline(
    State(app): Shared,
    Extension(visitor): Extension<Visitor>,
    Form(fields): Form<HashMap<String, String>>,
) -> Answer {
    let of = |name: &str| fields.get(name).map_or("", String::as_str);
    check_key(&visitor, of("key"))?;
    let deadline = match of("at") {
        "" => None,
        at => Some(Deadline::parse(at, of("zone")).map_err(Refused::Files)?),
    };
    app.people.set_deadline(deadline.as_ref())?;
    Ok(Redirect::to("/teacher/final").into_response())
}

/// Returns the class as a folder that `referee tournament` takes, also by shards.
async fn class_zip(State(app): Shared) -> Answer {
    let uploads = super::uploads::uploads(&app)?.clone();
    let made = beside(app.clone(), move || {
        let plan =
            Plan { format: "round-robin".into(), title: app.title.clone(), ..Plan::default() };
        let text = plan.file(app.finals.class(), "players").ok()?;
        let made = backup::Copies::new(&app.folder).ok()?;
        let programs = made.path().join("programs");
        copy_class(&app.people.all(), &uploads, &programs.join("players")).ok()?;
        std::fs::create_dir_all(&programs).ok()?;
        std::fs::write(programs.join("tournament.toml"), text).ok()?;
        backup::folder(backup::unnamed(&app.folder).ok()?, made.path()).ok()
    });
    zip("programs.zip", made.await?)
}

/// Returns the files of all uploads, in a folder for each person.
async fn uploads_zip(State(app): Shared) -> Answer {
    let uploads = super::uploads::uploads(&app)?.clone();
    let made = beside(app.clone(), move || {
        let people = app.people.all();
        let files = uploads.history().into_iter().flat_map(|(view, folder)| {
            let person = people.iter().find(|of| of.id == view.person);
            let name = person.map_or_else(String::new, |of| crate::finals::folder_of(&of.name));
            let into = format!("{name} ({})/{} {}", view.person, view.id, view.stage.word());
            crate::uploads::files_below(&folder).into_iter().filter_map(move |path| {
                let below = path.strip_prefix(&folder).ok()?.to_string_lossy().into_owned();
                Some((format!("{into}/{below}"), path))
            })
        });
        backup::pack(backup::unnamed(&app.folder).ok()?, files).ok()
    });
    zip("uploads.zip", made.await?)
}

fn zip(name: &str, mut file: File) -> Answer {
    file.rewind().map_err(|error| Refused::Store(error.to_string()))?;
    let name = format!("attachment; filename=\"{name}\"");
    let head = [(CONTENT_TYPE, "application/zip".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((head, streamed(file)).into_response())
}
