//! Frame of all pages.

use crate::app::{App, Visitor, Who};
use crate::words::Language;
use arbitre_referee::chart;
use arbitre_referee::report::replay::scene_after;
use arbitre_referee::run::room::ShownGame;
use askama::Template;

/// Frame of all pages.
pub struct Frame<'a> {
    /// Language.
    pub t: Language,
    /// Title of the room.
    pub room: &'a str,
    /// Start of the addresses of the room on its server; empty for one room alone.
    pub root: &'a str,
    /// Title of the page.
    pub title: String,
    /// Part of the addresses of its files.
    pub version: &'a str,
    /// Address of its stream; empty for none.
    pub events: String,
    /// Name of the visitor; none of a spectator.
    pub name: Option<String>,
    /// Whether the visitor is the teacher.
    pub is_teacher: bool,
    /// Key of its forms.
    pub key: String,
    /// Notices of all pages.
    pub notices: String,
    /// Message of the teacher.
    pub message: String,
    /// Whether the room is paused.
    pub is_paused: bool,
    /// Whether there is a contest.
    pub has_contest: bool,
    /// Whether there is a final.
    pub has_final: bool,
    /// Address of the page, to come back to.
    pub path: String,
    /// Code of the other language.
    pub other: &'static str,
}

impl<'a> Frame<'a> {
    /// Returns the frame of a page for a visitor.
    pub fn new(app: &'a App, visitor: &Visitor, title: impl Into<String>, path: &str) -> Frame<'a> {
        let t = visitor.language;
        let other = Language::ALL.into_iter().find(|other| *other != t).unwrap_or(t);
        let name = match &visitor.who {
            Who::Teacher => Some(t.w("teacher").to_owned()),
            Who::Person(person) => Some(person.name.clone()),
            Who::Spectator => None,
        };
        Frame {
            t,
            room: &app.title,
            root: &app.root,
            title: title.into(),
            version: &app.assets.version,
            events: String::new(),
            name,
            is_teacher: visitor.is_teacher(),
            key: visitor.token.as_ref().map_or_else(String::new, |token| token.form_key()),
            notices: if app.may_see(visitor) { notices(app, t) } else { String::new() },
            message: app.people.message(),
            is_paused: app.room.is_paused(),
            has_contest: app.contest.is_some(),
            has_final: app.finals.has_any() && app.shows_names(visitor),
            path: path.to_owned(),
            other: other.code(),
        }
    }

    /// Returns the frame of a page with a stream.
    pub fn live(self, events: impl Into<String>) -> Frame<'a> {
        Frame { events: events.into(), ..self }
    }
}

#[derive(Template)]
#[template(path = "notices.html")]
struct NoticesView {
    t: Language,
    message: String,
    is_paused: bool,
    /// Whether a final is played.
    is_final: bool,
    /// Text of the deadline, its seconds since 1970, and whether it is over.
    deadline: Option<(String, i64, bool)>,
}

/// Returns the message of the teacher and whether the room is paused.
pub fn notices(app: &App, t: Language) -> String {
    let (message, is_paused) = (app.people.message(), app.room.is_paused());
    let deadline = app
        .people
        .deadline()
        .map(|of| (format!("{} ({})", of.text(), of.zone), of.at, of.is_over()));
    let is_final = app.finals.is_running();
    render(&NoticesView { t, message, is_paused, is_final, deadline })
}

/// Draws the last position of a game.
pub fn picture(app: &App, shown: &ShownGame) -> String {
    let (record, viewer) = (&shown.record, app.room.viewer());
    let scene = scene_after(record, &*viewer.of(record), record.played.plies.len());
    scene.map_or_else(|_| String::new(), |(board, scene)| chart::position(&board, &scene).inline())
}

/// Renders a template.
pub fn render(template: &impl Template) -> String {
    template.render().expect("templates write to memory")
}
