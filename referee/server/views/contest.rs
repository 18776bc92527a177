//! Pages of the contest of a solo room.

use super::frame::{render, Frame};
use crate::app::{App, Visitor, Who};
use crate::contest::{Contest, Judged};
use crate::words::Language;
use askama::Template;

/// Place on the leaderboard, as texts.
struct PlaceView {
    rank: usize,
    name: String,
    points: String,
    total: i64,
    solved: usize,
    is_own: bool,
}

/// Problem in the list.
struct ProblemView {
    number: u64,
    games: usize,
    best: String,
    by: String,
    own: String,
}

#[derive(Template)]
#[template(path = "contest_part.html")]
struct PartView {
    t: Language,
    places: Vec<PlaceView>,
    problems: Vec<ProblemView>,
    is_person: bool,
}

/// Returns the number of the visitor, if it is a person.
fn own(visitor: &Visitor) -> Option<i64> {
    match &visitor.who {
        Who::Person(person) => Some(person.id),
        _ => None,
    }
}

fn text(score: Option<i64>) -> String {
    score.map_or_else(String::new, |score| score.to_string())
}

/// Returns the leaderboard and the problems.
pub fn places(app: &App, visitor: &Visitor, contest: &Contest) -> String {
    let (t, own) = (visitor.language, own(visitor));
    let labels = app.labels(t, app.shows_names(visitor));
    let board = contest.leaderboard();
    let score = |person: i64, at: usize| {
        board.places.iter().find(|of| of.person == person).and_then(|of| of.scores[at])
    };
    let problem = |(at, problem): (usize, &crate::contest::Problem)| {
        let best = board.best.get(at).copied().flatten();
        let has_best = |of: &&crate::contest::Place| best.is_some() && of.scores[at] == best;
        let by: Vec<String> =
            board.places.iter().filter(has_best).map(|of| labels.person(of.person)).collect();
        ProblemView {
            number: problem.number,
            games: problem.games.len(),
            best: text(best),
            by: by.join(", "),
            own: text(own.and_then(|own| score(own, at))),
        }
    };
    let place = |place: &crate::contest::Place| PlaceView {
        rank: place.rank,
        name: labels.person(place.person),
        points: t.decimal(place.points),
        total: place.total,
        solved: place.scores.iter().flatten().count(),
        is_own: own == Some(place.person),
    };
    render(&PartView {
        t,
        places: board.places.iter().map(place).collect(),
        problems: contest.problems.iter().enumerate().map(problem).collect(),
        is_person: own.is_some(),
    })
}

#[derive(Template)]
#[template(path = "contest.html")]
struct ContestView<'a> {
    frame: Frame<'a>,
    places: String,
    /// Number of the visitor, if it is a person.
    own: Option<i64>,
    token: String,
    address: &'a str,
    is_frozen: bool,
}

/// Returns the page of the contest.
pub fn page(app: &App, visitor: &Visitor, contest: &Contest) -> String {
    let frame = Frame::new(app, visitor, visitor.language.w("contest"), "/contest");
    render(&ContestView {
        places: places(app, visitor, contest),
        own: own(visitor),
        token: visitor.token.as_ref().map(ToString::to_string).unwrap_or_default(),
        address: app.addresses.first().map_or("", String::as_str),
        is_frozen: app.people.deadline().is_some_and(|deadline| deadline.is_over()),
        frame: frame.live("/events/contest"),
    })
}

/// Game of a problem with the best solution of the visitor.
struct GameView {
    seed: u64,
    score: String,
    tag: String,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame<'a>,
    number: u64,
    scores: Vec<(String, i64)>,
    games: Vec<GameView>,
    is_person: bool,
}

/// Returns the page of a problem; none if there is none of this number.
pub fn problem(app: &App, visitor: &Visitor, contest: &Contest, number: u64) -> Option<String> {
    let at = contest.problems.iter().position(|problem| problem.number == number)?;
    let (t, own) = (visitor.language, own(visitor));
    let labels = app.labels(t, app.shows_names(visitor));
    let board = contest.leaderboard();
    let score = |of: &crate::contest::Place| Some((labels.person(of.person), of.scores[at]?));
    let mut scores: Vec<(String, i64)> = board.places.iter().filter_map(score).collect();
    scores.sort_by_key(|(_, score)| *score);
    if !app.room.game().meta().lower_is_better {
        scores.reverse();
    }
    let game = |(seed, _): &(u64, String)| {
        let best = own.and_then(|own| contest.best_of(own, number, *seed));
        let (score, tag) = best.map_or((None, String::new()), |(score, tag)| (Some(score), tag));
        GameView { seed: *seed, score: text(score), tag }
    };
    let title = format!("{} {number}", t.w("problem"));
    Some(render(&ProblemPage {
        number,
        scores,
        games: contest.problems[at].games.iter().map(game).collect(),
        is_person: own.is_some(),
        frame: Frame::new(app, visitor, title, &format!("/contest/{number}")),
    }))
}

#[derive(Template)]
#[template(path = "judged.html")]
struct JudgedView<'a> {
    frame: Frame<'a>,
    judged: &'a [Judged],
}

/// Returns the page of solutions that were sent.
pub fn judged(app: &App, visitor: &Visitor, judged: &[Judged]) -> String {
    let frame = Frame::new(app, visitor, visitor.language.w("solutions"), "/contest");
    render(&JudgedView { frame, judged })
}
