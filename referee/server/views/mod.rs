//! Content of the pages, rendered by the templates.

pub mod board;
pub mod contest;
pub mod finals;
mod frame;
pub mod uploads;

use crate::app::{App, Visitor, Who};
use crate::labels::{Labels, Stored};
use crate::machine::Machine;
use crate::pages::history;
use crate::pages::slips::Links;
use crate::people::{Openness, Person};
use crate::streams::Topic;
use crate::token::Token;
use crate::words::Language;
use arbitre_referee::report::anonymity::hide_texts;
use arbitre_referee::report::page;
use arbitre_referee::report::replay::ReplayDocument;
use arbitre_referee::run::room::{Finished, Role, Row, ShownGame};
use askama::Template;
use frame::{notices, picture, render, Frame};
use qrcode::render::svg;
use qrcode::QrCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Last results on the page of the room. Not tuned.
const LAST: usize = 12;
/// Running games that the page of the room draws. Not tuned.
const DRAWN: usize = 6;
/// Players on the page for a projector. Not tuned.
const TOP: usize = 10;
/// Games on the page of a player. Not tuned.
const OF_A_PLAYER: usize = 40;

/// Row of the standings, as texts.
struct RowView {
    number: usize,
    rank: String,
    gained: i64,
    name: String,
    rating: String,
    error: String,
    games: u64,
    share: String,
    faults: u64,
    /// Mark: a house bot, or how a person's program plays.
    kind: &'static str,
    is_house: bool,
    is_present: bool,
    is_set_aside: bool,
}

#[derive(Template)]
#[template(path = "standings.html")]
struct StandingsView {
    t: Language,
    rows: Vec<RowView>,
    is_solo: bool,
    games: u64,
}

/// Game that is played, drawn small.
struct RunningView {
    number: u64,
    names: Vec<String>,
    picture: String,
}

#[derive(Template)]
#[template(path = "running.html")]
struct RunningsView {
    t: Language,
    games: Vec<RunningView>,
    others: usize,
    is_paused: bool,
}

/// Seat of a game that is over.
struct SeatView {
    player: usize,
    name: String,
    score: i64,
    is_first: bool,
    fault: Option<&'static str>,
}

/// Game that is over.
struct FinishedView {
    number: u64,
    seats: Vec<SeatView>,
    is_draw: bool,
}

#[derive(Template)]
#[template(path = "results.html")]
struct ResultsView {
    t: Language,
    games: Vec<FinishedView>,
}

#[derive(Template)]
#[template(path = "places.html")]
struct PlacesView {
    t: Language,
    rows: Vec<RowView>,
    left_out: usize,
}

/// Returns the standings of current versions as texts. `everyone` includes those that are not here.
fn rows(app: &App, labels: &Labels, t: Language) -> Vec<RowView> {
    let standings = app.room.standings();
    let before = app.places.before(&standings, Instant::now());
    let is_current = |row: &&Row| Stored::of(&row.name).version.is_none();
    let row = |row: &Row| {
        let then = before.get(&row.name).zip(row.rank);
        let share = row.share.map(|share| t.decimal(share * 100.0));
        let solo = || format!("{}, {}", row.solo.0, row.solo.1);
        RowView {
            number: row.number,
            rank: row.rank.map_or_else(String::new, |rank| rank.to_string()),
            gained: then.map_or(0, |(then, now)| *then as i64 - now as i64),
            name: labels.of(&row.name),
            rating: row.rating.map_or_else(String::new, |of| signed(of.value)),
            error: match row.rating {
                Some(of) if of.error.is_finite() => format!("± {:.0}", of.error),
                _ => String::new(),
            },
            games: row.games,
            share: share.unwrap_or_else(solo),
            faults: row.faults,
            kind: kind(row.is_house, row.is_connected, t),
            is_house: row.is_house,
            is_present: row.is_present,
            is_set_aside: row.is_set_aside,
        }
    };
    standings.rows.iter().filter(is_current).map(row).collect()
}

/// Returns the mark of a player: who it is of, or where it runs.
fn kind(is_house: bool, is_connected: bool, t: Language) -> &'static str {
    match (is_house, is_connected) {
        (true, _) => t.w("house"),
        (false, true) => t.w("own-machine"),
        (false, false) => t.w("uploaded"),
    }
}

/// Returns a rating as a whole number with its sign.
fn signed(value: f64) -> String {
    // Adding zero turns -0 into 0.
    format!("{:+.0}", value.round() + 0.0).replace('-', "−")
}

fn standings(app: &App, labels: &Labels, t: Language) -> String {
    let (rows, is_solo) = (rows(app, labels, t), app.room.seats() == 1);
    render(&StandingsView { t, rows, is_solo, games: app.room.standings().games })
}

fn running(app: &App, labels: &Labels, t: Language, most: usize, counts: bool) -> String {
    let numbers: Vec<u64> = app.room.running().into_keys().collect();
    let others = if counts { numbers.len().saturating_sub(most) } else { 0 };
    let games = numbers.into_iter().take(most).filter_map(|number| {
        let shown = app.room.shown_game(number).ok()??;
        let names = shown.contest.players.iter().map(|player| labels.of(&player.name)).collect();
        Some(RunningView { number, names, picture: picture(app, &shown) })
    });
    let is_paused = app.room.is_paused();
    render(&RunningsView { t, games: games.collect(), others, is_paused })
}

fn results(games: &[Arc<Finished>], app: &App, labels: &Labels, t: Language) -> String {
    let names = app.room.names();
    let view = |game: &Arc<Finished>| {
        let seats = game.players.iter().enumerate().map(|(seat, &player)| SeatView {
            player,
            name: labels.of(&names[player]),
            score: game.scores[seat],
            is_first: game.ranks[seat] == 1,
            fault: game.faults.iter().find(|(of, _)| *of == seat).map(|(_, word)| *word),
        });
        let is_draw = game.ranks.len() > 1 && game.ranks.iter().all(|rank| *rank == 1);
        FinishedView { number: game.number, seats: seats.collect(), is_draw }
    };
    render(&ResultsView { t, games: games.iter().map(view).collect() })
}

/// Returns the parts of a topic that change, as JSON: HTML by the identity of its element.
pub fn parts(app: &App, topic: Topic, t: Language, shows_names: bool) -> String {
    let labels = app.labels(t, shows_names);
    let parts = match topic {
        Topic::Room => serde_json::json!({
            "notices": notices(app, t),
            "standings": standings(app, &labels, t),
            "running": running(app, &labels, t, DRAWN, true),
            "results": results(&last(app), app, &labels, t),
        }),
        Topic::Projector => serde_json::json!({
            "notices": notices(app, t),
            "places-part": places(app, &labels, t),
            "running": running(app, &labels, t, 1, false),
        }),
    };
    parts.to_string()
}

fn last(app: &App) -> Vec<Arc<Finished>> {
    app.room.last_games(None).into_iter().take(LAST).collect()
}

fn places(app: &App, labels: &Labels, t: Language) -> String {
    let mut rows = rows(app, labels, t);
    let left_out = rows.len().saturating_sub(TOP);
    rows.truncate(TOP);
    render(&PlacesView { t, rows, left_out })
}

/// Opponent that a person can choose.
struct Choice {
    number: usize,
    name: String,
}

/// Form by which a person asks for a game.
struct Ask {
    /// Number of its own player, if that is here.
    mine: Option<usize>,
    /// Whether it waits for a game.
    waits: bool,
    choices: Vec<Choice>,
    seats: usize,
}

/// Returns the players that a visitor can ask for a game.
fn ask(app: &App, visitor: &Visitor, labels: &Labels) -> Ask {
    let seats = app.room.seats();
    let none = Ask { mine: None, waits: false, choices: Vec::new(), seats };
    let Who::Person(person) = &visitor.who else { return none };
    let (own, standings) = (person.player(), app.room.standings());
    let here = standings.rows.iter().filter(|row| row.is_present);
    let (mine, others): (Vec<&Row>, Vec<&Row>) =
        here.partition(|row| Stored::of(&row.name).player == own);
    let choice = |row: &&Row| Choice { number: row.number, name: labels.of(&row.name) };
    let mine = mine.first().map(|row| row.number);
    let waits = mine.and_then(|number| app.room.player(number)).is_some_and(|player| player.waits);
    Ask { mine, waits, choices: others.iter().map(choice).collect(), seats }
}

#[derive(Template)]
#[template(path = "room.html")]
struct RoomView<'a> {
    frame: Frame<'a>,
    standings: String,
    running: String,
    results: String,
    ask: Ask,
    offer: board::Offer,
}

/// Returns the page of the room.
pub fn room(app: &App, visitor: &Visitor) -> String {
    let (t, labels) = (visitor.language, app.labels(visitor.language, app.shows_names(visitor)));
    let frame = Frame::new(app, visitor, t.w("room"), "/").live("/events/room");
    render(&RoomView {
        standings: standings(app, &labels, t),
        running: running(app, &labels, t, DRAWN, true),
        results: results(&last(app), app, &labels, t),
        ask: ask(app, visitor, &labels),
        offer: board::offer(app, visitor, &labels),
        frame,
    })
}

#[derive(Template)]
#[template(path = "projector.html")]
struct ProjectorView<'a> {
    frame: Frame<'a>,
    places: String,
    running: String,
    code: String,
    address: &'a str,
}

/// Returns the page for a projector.
pub fn projector(app: &App, visitor: &Visitor) -> String {
    let (t, labels) = (visitor.language, app.labels(visitor.language, app.shows_names(visitor)));
    let frame = Frame::new(app, visitor, t.w("projector"), "/projector").live("/events/projector");
    let address = app.addresses.first().map_or("", String::as_str);
    render(&ProjectorView {
        places: places(app, &labels, t),
        running: running(app, &labels, t, 1, false),
        code: code(address),
        address,
        frame,
    })
}

/// Returns the code of an address for cameras.
fn code(address: &str) -> String {
    let drawn = QrCode::new(address);
    drawn.map_or_else(
        |_| String::new(),
        |code| {
            let (dark, light) = (svg::Color("#000000"), svg::Color("#ffffff"));
            let drawn = code.render().dark_color(dark).light_color(light).build();
            // Part of a page, not a file.
            drawn.split_once("?>").map_or(drawn.clone(), |(_, svg)| svg.to_owned())
        },
    )
}

#[derive(Template)]
#[template(path = "address.html")]
struct AddressView<'a> {
    frame: Frame<'a>,
    codes: Vec<(String, &'a str)>,
}

/// Returns the page with the addresses of the server and their codes.
pub fn address(app: &App, visitor: &Visitor) -> String {
    let frame = Frame::new(app, visitor, visitor.language.w("address"), "/address");
    let codes = app.addresses.iter().map(|address| (code(address), address.as_str()));
    render(&AddressView { frame, codes: codes.collect() })
}

/// Version of a player.
struct VersionView {
    number: usize,
    name: String,
    rating: String,
    games: u64,
    is_shown: bool,
}

#[derive(Template)]
#[template(path = "player.html")]
struct PlayerView<'a> {
    frame: Frame<'a>,
    status: &'static str,
    round_trip: String,
    given_up: Option<String>,
    versions: Vec<VersionView>,
    chart: Option<String>,
    faults: Vec<(&'static str, u64)>,
    results: String,
}

/// Returns the page of a player; `None` if there is none of this number.
pub fn player(app: &App, visitor: &Visitor, number: usize) -> Option<String> {
    let t = visitor.language;
    let labels = app.labels(t, app.shows_names(visitor));
    let (player, names, standings) =
        (app.room.player(number)?, app.room.names(), app.room.standings());
    let own = Stored::of(&names[number]).player.to_owned();
    let is_of_it = |row: &&Row| Stored::of(&row.name).player == own;
    let mut versions: Vec<&Row> = standings.rows.iter().filter(is_of_it).collect();
    versions.sort_by_key(|row| std::cmp::Reverse(row.number));
    let version = |row: &&Row| VersionView {
        number: row.number,
        name: labels.of(&row.name),
        rating: row.rating.map_or_else(String::new, |of| match of.error.is_finite() {
            true => format!("{} ± {:.0}", signed(of.value), of.error),
            false => signed(of.value),
        }),
        games: row.games,
        is_shown: row.number == number,
    };
    let mut games = app.room.last_games(Some(number));
    games.truncate(OF_A_PLAYER);
    let name = labels.of(&names[number]);
    let connection = Stored::of(&names[number]).person.filter(|_| player.is_present);
    let connection = connection.and_then(|person| app.members.status(person));
    let has_history = player.history.len() > 1;
    let chart =
        has_history.then(|| history::chart(&player.history, t.w("over-games"), t.w("rating-time")));
    // The reason has texts that the program printed, which are for its author.
    let is_own = visitor.is_teacher() || is_person(visitor, &own);
    Some(render(&PlayerView {
        status: match player.given_up {
            Some(_) => t.w("given-up"),
            None if player.role == Role::Board => t.w("in-person"),
            None => kind(player.is_house(), player.is_connected, t),
        },
        round_trip: connection.map_or_else(String::new, |of| milliseconds(of.round_trip, t)),
        given_up: player.given_up.filter(|_| is_own),
        versions: versions.iter().map(version).collect(),
        chart,
        faults: player.faults.into_iter().collect(),
        results: results(&games, app, &labels, t),
        frame: Frame::new(app, visitor, name, &format!("/player/{number}")),
    }))
}

/// Returns `true` if the visitor is the person of a player of this name.
fn is_person(visitor: &Visitor, player: &str) -> bool {
    matches!(&visitor.who, Who::Person(person) if person.player() == player)
}

#[derive(Template)]
#[template(path = "game.html")]
struct GameView<'a> {
    frame: Frame<'a>,
    number: u64,
    is_live: bool,
    picture: String,
    template: String,
    names: Vec<(usize, String, bool)>,
}

/// Returns the page of a game, which its script fills from its document.
pub fn game(app: &App, visitor: &Visitor, shown: &ShownGame, number: u64) -> String {
    let t = visitor.language;
    let labels = app.labels(t, app.shows_names(visitor));
    let players = shown.players.iter().zip(&shown.contest.players);
    let names = players.map(|(&number, of)| (number, labels.of(&of.name), of.is_connected()));
    let names = names.collect();
    let events = if shown.is_live { format!("/events/game/{number}") } else { String::new() };
    let title = format!("{} {number}", t.w("game"));
    let frame = Frame::new(app, visitor, title, &format!("/game/{number}")).live(events);
    let picture = picture(app, shown);
    let template = page::viewer_template();
    render(&GameView { frame, number, is_live: shown.is_live, picture, template, names })
}

/// Returns the document of a game for its script. Texts of players are for those that made them,
/// and for the teacher.
pub fn document(app: &App, visitor: &Visitor, mut shown: ShownGame) -> Option<String> {
    let labels = app.labels(visitor.language, app.shows_names(visitor));
    if !visitor.is_teacher() {
        let players = &shown.contest.players;
        let own = players.iter().position(|of| is_person(visitor, Stored::of(&of.name).player));
        hide_texts(&mut shown.record, own);
    }
    let shows_names = app.shows_names(visitor);
    for player in &mut shown.contest.players {
        player.name = labels.of(&player.name);
        if !shows_names {
            // The digest of a program tells whose it is.
            player.version.clear();
        }
    }
    let viewer = app.room.viewer();
    let game = viewer.of(&shown.record);
    let document = ReplayDocument::new(&shown.record, &shown.contest, &*game).ok()?;
    let document = if shown.is_live { document.unfinished() } else { document };
    serde_json::to_string(&document).ok()
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesView<'a> {
    frame: Frame<'a>,
    game: &'a str,
    rules: String,
    limits: &'a str,
    state: &'static [&'static str],
    bot: &'static str,
    lines: String,
}

/// Returns the page of the rules and the protocol. `lines` are those of a game.
pub fn rules(app: &App, visitor: &Visitor, lines: String) -> String {
    render(&RulesView {
        frame: Frame::new(app, visitor, visitor.language.w("rules"), "/rules"),
        game: app.game.meta.title,
        rules: app.room.game().rules(),
        limits: &app.limits,
        state: app.game.state_help,
        bot: crate::pages::protocol::BOT,
        lines,
    })
}

#[derive(Template)]
#[template(path = "me.html")]
struct MeView<'a> {
    frame: Frame<'a>,
    ask: Ask,
    status: Option<(String, String)>,
    command: &'a str,
    address: &'a str,
    token: String,
    results: String,
    mine: uploads::Mine,
    offer: board::Offer,
}

/// Returns the page of a person, with the command that connects its program to this address.
pub fn me(app: &App, visitor: &Visitor, person: &Person, command: &str, address: &str) -> String {
    let (t, labels) = (visitor.language, app.labels(visitor.language, true));
    let status =
        app.members.status(person.id).map(|of| (of.program, milliseconds(of.round_trip, t)));
    let token = visitor.token.as_ref().map(ToString::to_string).unwrap_or_default();
    let ask = ask(app, visitor, &labels);
    let mut games = ask.mine.map(|number| app.room.last_games(Some(number))).unwrap_or_default();
    games.truncate(LAST);
    render(&MeView {
        frame: Frame::new(app, visitor, person.name.clone(), "/me"),
        status,
        command,
        address,
        token,
        mine: uploads::mine(app, person.id, t),
        offer: board::offer(app, visitor, &labels),
        results: results(&games, app, &labels, t),
        ask,
    })
}

/// Returns a time in milliseconds; empty if it is not known.
fn milliseconds(time: Option<Duration>, t: Language) -> String {
    time.map_or_else(String::new, |time| format!("{} ms", t.decimal(time.as_secs_f64() * 1000.0)))
}

#[derive(Template)]
#[template(path = "teacher.html")]
struct TeacherView<'a> {
    frame: Frame<'a>,
    people: Vec<(Person, Option<usize>)>,
    running: usize,
    waiting: usize,
    machine: Machine,
    load: String,
    disk: String,
    streams: usize,
    openness: Vec<(&'static str, &'static str, bool)>,
    trouble: Option<String>,
}

/// Returns the page of the teacher.
pub fn teacher(app: &App, visitor: &Visitor) -> String {
    let (t, machine) = (visitor.language, Machine::here(&app.folder));
    let standings = app.room.standings();
    let player = |person: &Person| {
        let own = person.player();
        let mut rows = standings.rows.iter();
        rows.find(|row| row.name == own).map(|row| row.number)
    };
    let people = app.people.all().into_iter().map(|person| {
        let player = player(&person);
        (person, player)
    });
    let now = app.people.openness();
    let openness = [
        (Openness::Names, t.w("names")),
        (Openness::Numbers, t.w("numbers")),
        (Openness::Closed, t.w("closed")),
    ];
    render(&TeacherView {
        frame: Frame::new(app, visitor, t.w("teacher"), "/teacher"),
        people: people.collect(),
        running: app.room.running().len(),
        waiting: app.room.waiting(),
        load: t.decimal(machine.load),
        disk: t.decimal(machine.disk),
        machine,
        streams: app.streams.streams(),
        openness: openness.map(|(of, text)| (of.word(), text, of == now)).to_vec(),
        trouble: app.room.trouble(),
    })
}

#[derive(Template)]
#[template(path = "slips.html")]
struct SlipsView<'a> {
    frame: Frame<'a>,
    number: u64,
    address: &'a str,
    links: Vec<(String, String, String)>,
}

/// Returns the page with the links of people, to print.
pub fn slips(app: &App, visitor: &Visitor, number: u64, links: &Links) -> String {
    let address = app.addresses.first().map_or("", String::as_str);
    let link = |(person, token): &(Person, Token)| {
        let link = format!("{address}/enter/{token}");
        let code = code(&link);
        (person.name.clone(), link, code)
    };
    let path = format!("/teacher/slips/{number}");
    render(&SlipsView {
        frame: Frame::new(app, visitor, visitor.language.w("slips"), &path),
        number,
        address,
        links: links.iter().map(link).collect(),
    })
}

#[derive(Template)]
#[template(path = "enter.html")]
struct EnterView<'a> {
    frame: Frame<'a>,
    name: String,
    token: String,
}

/// Returns the page that asks a visitor whether to log in as another.
pub fn enter(app: &App, visitor: &Visitor, who: &Who, token: &Token) -> String {
    let t = visitor.language;
    let name = match who {
        Who::Person(person) => person.name.clone(),
        Who::Teacher | Who::Spectator => t.w("teacher").to_owned(),
    };
    let frame = Frame::new(app, visitor, t.w("enter"), "/");
    render(&EnterView { frame, name, token: token.to_string() })
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorView<'a> {
    frame: Frame<'a>,
    text: String,
}

/// Returns the page of an error.
pub fn error(app: &App, visitor: &Visitor, text: String) -> String {
    let frame = Frame::new(app, visitor, visitor.language.w("error"), "/");
    render(&ErrorView { frame, text })
}
