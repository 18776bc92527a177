//! Pages of uploads.

use super::frame::{render, Frame};
use crate::app::{App, Visitor};
use crate::uploads::{Stage, View};
use crate::words::Language;
use arbitre_referee::submissions::ENDINGS;
use askama::Template;
use std::time::{Duration, SystemTime};

/// Upload in a list.
pub struct Line {
    /// Number.
    pub id: i64,
    /// Names of its files.
    pub files: String,
    /// Time since it came.
    pub age: String,
    /// Stage.
    pub stage: String,
    /// Whether it has a mistake.
    pub is_failed: bool,
    /// Whether it is the one that plays.
    pub is_current: bool,
}

/// Part of the page of a person about its uploads.
pub struct Mine {
    /// Reason why there are no uploads.
    pub refusal: Option<String>,
    /// Whether the deadline is over.
    pub is_frozen: bool,
    /// Uploads, the newest first.
    pub lines: Vec<Line>,
    /// Endings of source files.
    pub endings: &'static [&'static str],
}

/// Uploads on the page of a person. Not tuned.
const SHOWN: usize = 20;

/// Returns the part of the page of a person.
pub fn mine(app: &App, person: i64, t: Language) -> Mine {
    let lines = app.uploads.as_ref().map(|uploads| uploads.of_person(person, SHOWN));
    let lines = lines.unwrap_or_default().into_iter();
    Mine {
        refusal: app.uploads.as_ref().err().cloned(),
        is_frozen: app.people.deadline().is_some_and(|deadline| deadline.is_over()),
        lines: lines.map(|view| line(&view, t)).collect(),
        endings: ENDINGS,
    }
}

/// Returns an upload as a line of a list.
pub fn line(view: &View, t: Language) -> Line {
    Line {
        id: view.id,
        files: view.files.clone(),
        age: age(view.made, t),
        stage: stage(view, t),
        is_failed: view.stage == Stage::Failed,
        is_current: view.is_current,
    }
}

/// Returns the time since a moment, in seconds since 1970.
fn age(made: i64, t: Language) -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |at| at.as_secs().cast_signed());
    let minutes = (now - made).max(0) / 60;
    let (count, unit) = match minutes {
        0..60 => (minutes, "min"),
        60..2880 => (minutes / 60, "h"),
        _ => (minutes / 1440, t.w("days")),
    };
    format!("{count} {unit}")
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or_else(String::new, |time| format!(", {} s", time.as_secs()))
}

fn stage(view: &View, t: Language) -> String {
    match view.stage {
        Stage::Waiting if view.before > 0 => format!("{} {}", t.w("upload-waits"), view.before),
        Stage::Waiting => t.w("upload-next").into(),
        Stage::Testing => format!("{}{}", t.w("upload-tested"), seconds(view.begun)),
        Stage::Passed if view.is_current => t.w("upload-plays").into(),
        Stage::Passed => t.w("upload-passed").into(),
        Stage::Failed => t.w("upload-failed").into(),
        Stage::Replaced => t.w("upload-replaced").into(),
    }
}

#[derive(Template)]
#[template(path = "upload_state.html")]
struct StateView<'a> {
    t: Language,
    stage: String,
    is_failed: bool,
    is_open: bool,
    number: Option<usize>,
    log: &'a str,
}

/// Returns the part of the page of an upload that changes.
pub fn state(view: &View, t: Language) -> String {
    render(&StateView {
        t,
        stage: stage(view, t),
        is_failed: view.stage == Stage::Failed,
        is_open: view.stage.is_open(),
        number: view.number.filter(|_| view.is_current),
        log: &view.log,
    })
}

/// Returns an upload as lines for a program. They grow at their end alone.
pub fn text(view: &View) -> String {
    let head = format!("upload {}: {}\n", view.id, view.files);
    match view.stage {
        Stage::Waiting | Stage::Testing => head + &view.log,
        _ => {
            let gap = if view.log.is_empty() || view.log.ends_with('\n') { "" } else { "\n" };
            format!("{head}{}{gap}result: {}\n", view.log, view.stage.word())
        }
    }
}

#[derive(Template)]
#[template(path = "upload.html")]
struct UploadView<'a> {
    frame: Frame<'a>,
    files: &'a str,
    age: String,
    state: String,
}

/// Returns the page of an upload.
pub fn page(app: &App, visitor: &Visitor, view: &View) -> String {
    let t = visitor.language;
    let title = format!("{} {}", t.w("upload"), view.id);
    let events = match view.stage.is_open() {
        true => format!("/events/upload/{}", view.id),
        false => String::new(),
    };
    let frame = Frame::new(app, visitor, title, &format!("/upload/{}", view.id)).live(events);
    let (age, state) = (age(view.made, t), state(view, t));
    render(&UploadView { frame, files: &view.files, age, state })
}
