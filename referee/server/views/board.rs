//! Pages of boards, at which people play.

use super::frame::{picture, render, Frame};
use crate::app::{App, Visitor, Who};
use crate::board::{Place, Stage, Turn, View};
use crate::labels::{Labels, Stored};
use crate::words::Language;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::run::room::Row;
use askama::Template;

/// Opponent that a person can choose at the board.
pub struct Opponent {
    /// Value of the form.
    pub value: String,
    /// Name.
    pub name: String,
    /// Whether it is a person.
    pub is_person: bool,
}

/// Boards on the page of a person.
pub struct Offer {
    /// Opponents; none if the game has no boards.
    pub opponents: Vec<Opponent>,
    /// Number of seats.
    pub seats: usize,
    /// Boards at which the person plays, or is asked to, with the names of the others.
    pub boards: Vec<(u64, String, bool)>,
}

/// Returns the boards on the page of a person.
pub fn offer(app: &App, visitor: &Visitor, labels: &Labels) -> Offer {
    let seats = app.room.seats();
    let none = Offer { opponents: Vec::new(), seats, boards: Vec::new() };
    let Who::Person(person) = &visitor.who else { return none };
    if !app.room.has_boards() {
        return none;
    }
    let standings = app.room.standings();
    let here = standings.rows.iter().filter(|row| row.is_present);
    let (t, own) = (visitor.language, person.player());
    let program = |row: &Row| {
        let name = labels.of(&row.name);
        let name = match Stored::of(&row.name).player == own {
            true => t.w("own-program").to_owned(),
            false => name,
        };
        Opponent { value: row.number.to_string(), name, is_person: false }
    };
    let others = app.people.all().into_iter().filter(|of| of.id != person.id && !of.is_disabled);
    let people =
        others.map(|of| Opponent { value: format!("p{}", of.id), name: of.name, is_person: true });
    let line = |view: View| {
        let others = view.places.iter().filter(|place| **place != Place::Person(person.id));
        let others: Vec<String> = others.map(|place| name(app, labels, place)).collect();
        (view.id, others.join(", "), view.missing.contains(&person.id))
    };
    Offer {
        opponents: here.map(program).chain(people).collect(),
        boards: app.boards.of_person(person.id).into_iter().map(line).collect(),
        ..none
    }
}

fn name(app: &App, labels: &Labels, place: &Place) -> String {
    match place {
        Place::Person(id) => labels.person(*id),
        Place::Program(number) => {
            app.room.names().get(*number).map_or_else(String::new, |name| labels.of(name))
        }
    }
}

#[derive(Template)]
#[template(path = "board_part.html")]
struct PartView<'a> {
    t: Language,
    id: u64,
    key: &'a str,
    stage: &'static str,
    /// Number of the game, if there is one.
    number: Option<u64>,
    is_open: bool,
    /// Names by seat, whether it is that of the visitor, and the score at the end. Before the game
    /// the seats are not known.
    names: Vec<(String, bool, String)>,
    picture: String,
    turn: Option<Turn>,
    is_asked: bool,
    is_player: bool,
}

/// Returns the number of steps of the game of a board.
pub fn steps(app: &App, view: &View) -> usize {
    match view.stage {
        Stage::Playing(number) => app.room.running().get(&number).map_or(0, |steps| steps + 1),
        _ => 0,
    }
}

/// Returns the part of the page of a board that changes, and whether it still can.
pub fn part(app: &App, visitor: &Visitor, id: u64) -> Option<(serde_json::Value, bool)> {
    let (html, is_open) = html(app, visitor, id)?;
    Some((serde_json::json!({ "board": html }), is_open))
}

fn html(app: &App, visitor: &Visitor, id: u64) -> Option<(String, bool)> {
    let view = app.boards.view(id)?;
    let t = visitor.language;
    let labels = app.labels(t, app.shows_names(visitor));
    let own = match &visitor.who {
        Who::Person(person) => Some(person.id),
        _ => None,
    };
    let number = match view.stage {
        Stage::Playing(number) | Stage::Over(number) => Some(number),
        Stage::Asking | Stage::Waiting | Stage::Left => None,
    };
    let shown = number.and_then(|number| app.room.shown_game(number).ok()?);
    let is_mine = |place: &Place| own.is_some_and(|own| *place == Place::Person(own));
    let names = match &shown {
        Some(shown) => {
            let outcome = shown.record.played.outcome.as_ref().filter(|_| !shown.is_live);
            let of = |(seat, player): (usize, &PlayerConfig)| {
                let Stored { person, is_at_board, .. } = Stored::of(&player.name);
                let score = outcome.map_or_else(String::new, |of| of.scores[seat].to_string());
                (labels.of(&player.name), is_at_board && person == own, score)
            };
            shown.contest.players.iter().enumerate().map(of).collect()
        }
        None => {
            let named = |place: &Place| (name(app, &labels, place), is_mine(place), String::new());
            view.places.iter().map(named).collect()
        }
    };
    let turn = own.filter(|own| view.is_of(*own)).and_then(|own| app.boards.turn(own));
    let key = visitor.token.as_ref().map_or_else(String::new, |token| token.form_key());
    let is_open = view.stage.is_open();
    let turn = turn.filter(|_| matches!(view.stage, Stage::Playing(_)));
    let part = PartView {
        t,
        id,
        key: &key,
        stage: match view.stage {
            Stage::Asking => t.w("board-asking"),
            Stage::Waiting => t.w("board-waiting"),
            Stage::Playing(_) if turn.is_some() => t.w("board-turn"),
            Stage::Playing(_) => t.w("board-playing"),
            Stage::Over(_) => t.w("board-over"),
            Stage::Left => t.w("board-left"),
        },
        number,
        is_open,
        names,
        picture: shown.map_or_else(String::new, |shown| picture(app, &shown)),
        turn,
        is_asked: own.is_some_and(|own| view.missing.contains(&own)),
        is_player: own.is_some_and(|own| view.is_of(own)),
    };
    Some((render(&part), is_open))
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardView<'a> {
    frame: Frame<'a>,
    part: String,
}

/// Returns the page of a board; none if there is none of this number.
pub fn page(app: &App, visitor: &Visitor, id: u64) -> Option<String> {
    let (part, is_open) = html(app, visitor, id)?;
    let events = if is_open { format!("/events/board/{id}") } else { String::new() };
    let title = visitor.language.w("board");
    let frame = Frame::new(app, visitor, title, &format!("/board/{id}")).live(events);
    Some(render(&BoardView { frame, part }))
}
