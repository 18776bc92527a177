//! Pages of finals.

use super::frame::{render, Frame};
use crate::app::{App, Visitor, Who};
use crate::finals::{Final, Progress, FORMATS};
use crate::people::{zone_here, Person};
use crate::words::Language;
use askama::Template;
use serde_json::Value;
use std::fs;

#[derive(Template)]
#[template(path = "final.html")]
struct FinalView<'a> {
    frame: Frame<'a>,
    number: u64,
    format: &'a str,
    players: String,
    progress: String,
    is_failed: bool,
    is_running: bool,
    has_ended: bool,
    has_wall: bool,
    has_own: bool,
    has_marks: bool,
    finals: Vec<(u64, String)>,
    rows: Vec<Place>,
}

/// Row of the standings of a final.
struct Place {
    rank: String,
    name: String,
    points: String,
    mark: String,
    games: String,
}

/// Returns the standings that the referee wrote at the end of a final.
fn places(app: &App, number: u64, t: Language) -> Vec<Place> {
    let text = fs::read(app.finals.path(number, "standings.json")).unwrap_or_default();
    let document: Value = serde_json::from_slice(&text).unwrap_or_default();
    let rows = document["standings"].as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_f64().map_or_else(String::new, |of| t.decimal(of));
    let place = |row: &Value| Place {
        rank: row["rank"].as_u64().map_or_else(String::new, |rank| rank.to_string()),
        name: row["name"].as_str().unwrap_or_default().into(),
        points: number(&row["points"]),
        mark: match row["mark_error"].as_f64() {
            Some(error) => format!("{} ± {}", number(&row["mark"]), t.decimal(error)),
            None => number(&row["mark"]),
        },
        games: row["games"].as_u64().unwrap_or_default().to_string(),
    };
    rows.iter().map(place).collect()
}

/// Returns the page of a final.
pub fn page(app: &App, visitor: &Visitor, found: &Final) -> String {
    let (t, number) = (visitor.language, found.number);
    let own = match &visitor.who {
        Who::Person(person) => app.finals.page_of(number, person.id),
        Who::Teacher | Who::Spectator => None,
    };
    let players = found.plan.players.len() as u64;
    let mut rows = places(app, number, t);
    if let (true, Who::Person(person)) = (found.is_graded(), &visitor.who) {
        let own = found.plan.players.get(&person.id);
        rows.retain(|row| own == Some(&row.name));
    }
    let may_see_all = visitor.is_teacher() || !found.is_graded();
    let path = format!("/final/{number}");
    render(&FinalView {
        frame: Frame::new(app, visitor, title(found, t), &path),
        number,
        format: &found.plan.format,
        players: t.count(players, "player-word", "players-word"),
        progress: progress(&found.progress, t, visitor.is_teacher()),
        is_failed: matches!(found.progress, Progress::Failed(_)),
        is_running: found.progress == Progress::Running,
        has_ended: found.progress == Progress::Ended,
        has_wall: may_see_all && app.finals.path(number, crate::finals::WALL).is_file(),
        has_own: own.is_some(),
        has_marks: found.is_graded(),
        finals: list(app, t),
        rows,
    })
}

fn title(found: &Final, t: Language) -> String {
    match found.plan.title.trim() {
        "" => format!("{} {}", t.w("final"), found.number),
        title => title.to_owned(),
    }
}

fn progress(progress: &Progress, t: Language, is_teacher: bool) -> String {
    match progress {
        Progress::Running => t.w("final-running").into(),
        Progress::Ended => t.w("final-ended").into(),
        Progress::Stopped => t.w("final-stopped").into(),
        Progress::Failed(why) if is_teacher => format!("{} {why}", t.w("final-failed")),
        Progress::Failed(_) => t.w("final-stopped").into(),
    }
}

fn list(app: &App, t: Language) -> Vec<(u64, String)> {
    app.finals.all().iter().rev().map(|of| (of.number, title(of, t))).collect()
}

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanView<'a> {
    frame: Frame<'a>,
    refusal: Option<String>,
    at: String,
    zone: String,
    ready: usize,
    open: usize,
    /// People without a program that takes part, and the number of the newest upload of each.
    without: Vec<(Person, Option<i64>)>,
    formats: Vec<&'static str>,
    house: &'a [(String, String)],
    finals: Vec<(u64, String)>,
    /// Names of two people, and the share in per cent.
    alike: Vec<(String, String, String)>,
}

/// Returns the page on which the teacher plans a final. `alike` names programs with much in common.
pub fn plan(app: &App, visitor: &Visitor, alike: &[(i64, i64, f64)]) -> String {
    let t = visitor.language;
    let deadline = app.people.deadline();
    let uploads = app.uploads.as_ref();
    let current = uploads.map(|uploads| uploads.current()).unwrap_or_default();
    let mut without = app.people.all();
    without
        .retain(|person| !person.is_disabled && !current.iter().any(|(of, ..)| *of == person.id));
    // Their numbers are drawn.
    without.sort_by_key(|person| person.name.to_lowercase());
    let newest = uploads.map(|uploads| uploads.newest()).unwrap_or_default();
    let with_upload = |person: Person| {
        let upload = newest.get(&person.id).copied();
        (person, upload)
    };
    let labels = app.labels(t, true);
    let named = |(one, other, share): &(i64, i64, f64)| {
        (labels.person(*one), labels.person(*other), format!("{:.0} %", share * 100.0))
    };
    render(&PlanView {
        frame: Frame::new(app, visitor, t.w("final"), "/teacher/final"),
        refusal: uploads.err().cloned(),
        at: deadline.as_ref().map_or_else(String::new, |of| of.local()),
        zone: app.people.zone().unwrap_or_else(zone_here),
        ready: current.len(),
        open: uploads.map_or(0, |uploads| uploads.open_tests()),
        without: without.into_iter().map(with_upload).collect(),
        formats: FORMATS.iter().map(|(format, _)| *format).collect(),
        house: app.finals.house(),
        finals: list(app, t),
        alike: alike.iter().map(named).collect(),
    })
}
