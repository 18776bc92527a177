//! A room in Chromium.

use crate::clients::{own_folder, Kind, Running};
use crate::http::{quick, Served};
use crate::kills::results_of;
use crate::uploads::{upload, HEALTHY};
use arbitre::internals::statistics::plackett_luce::ratings;
use arbitre::internals::statistics::ranking::{Ranking, Rankings};
use arbitre_test_support::browser::Browser;
use base64::prelude::{Engine, BASE64_STANDARD};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns the rating of each player as the page shows it, computed from the file alone.
fn ratings_of(folder: &Path) -> Vec<(String, String)> {
    let (names, results) = results_of(folder);
    let mut rankings = Rankings::default();
    for result in &results {
        let outcome = result.outcome.as_ref().expect("a stored game has an outcome");
        let ranks: Vec<usize> = outcome.places().into_iter().map(|place| place + 1).collect();
        rankings.add(Ranking::new(&result.players, &ranks));
    }
    let estimates = ratings(&rankings, names.len()).estimates;
    // All players of this room are house bots.
    let mean = estimates.iter().map(|of| of.value).sum::<f64>() / names.len() as f64;
    let text = |number: usize| {
        format!("{:+.0}", (estimates[number].value - mean).round() + 0.0).replace('-', "−")
    };
    let mut shown: Vec<(String, String)> =
        (0..names.len()).map(|number| (names[number].clone(), text(number))).collect();
    shown.sort();
    shown
}

/// Returns the rating of each player on the page of the room.
fn ratings_shown(browser: &mut Browser) -> Vec<(String, String)> {
    let rows = browser.evaluate(
        "[...document.querySelectorAll('.standings tbody tr')].map((row) =>
            [row.querySelector('.who bdi').textContent, row.querySelector('.strong').textContent])",
    );
    let mut rows: Vec<(String, String)> = serde_json::from_value(rows).unwrap();
    rows.sort();
    rows
}

/// Writes a picture of each size and theme of a page, if `PAGE_PICTURES` names a folder.
fn pictures(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("PAGE_PICTURES") else { return };
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        for width in [400, 1280, 1920] {
            browser.resize(width, 900);
            let wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert!(wide.as_i64().unwrap() <= 0, "{name} is {wide} wider than {width}");
            let file = Path::new(&folder).join(format!("{name}-{width}-{theme}.png"));
            let picture = BASE64_STANDARD.decode(browser.screenshot()).unwrap();
            fs::write(file, picture).unwrap();
        }
    }
    browser.prefer("light");
    browser.resize(1280, 900);
}

/// Returns the address of a page of a server.
pub fn at(served: &Served, path: &str) -> String {
    format!("http://{}{path}", served.address)
}

/// Script that returns the number of the last game that the page of the room lists.
const LAST: &str = "Number(document.querySelector('.results a')?.textContent ?? -1)";
/// Script that is true on the page of a game that is played.
const IS_LIVE: &str = "!document.getElementById('live-mark').hidden";
/// Pages that are looked at: name of the picture, address, and a script that is true once it is
/// drawn.
const PAGES: [(&str, &str, &str); 7] = [
    ("teacher", "/teacher", "true"),
    ("projector", "/projector", "document.querySelector('#places')"),
    ("player", "/player/1", "true"),
    ("rules", "/rules", "true"),
    ("address", "/address", "true"),
    ("game", "/game/0", "document.documentElement.dataset.ready"),
    ("room", "/", "document.querySelector('.boards')"),
];

/// Logs a teacher in by the link and adds twelve people by the form.
fn make_people(browser: &mut Browser, served: &Served) {
    browser.visit_server(&at(served, &format!("/enter/{}", served.token())));
    browser.wait_for("location.pathname === '/teacher'");
    let names: Vec<String> = (1..=12).map(|number| format!("Élève {number}")).collect();
    let text = serde_json::to_string(&names.join("\n")).unwrap();
    browser.evaluate(&format!(
        "(document.querySelector('textarea').value = {text},
          document.querySelector('form[action=\"teacher/people\"]').requestSubmit())"
    ));
    browser.wait_for("document.querySelectorAll('.slips li').length === 12");
    pictures(browser, "slips");
}

/// Waits until the page of the room has gone on by itself.
fn watch_the_room(browser: &mut Browser, served: &Served) {
    browser.visit_server(&at(served, "/"));
    browser.wait_for(&format!("{LAST} >= 3"));
    let before = browser.evaluate(LAST);
    browser.evaluate("window.isSame = true");
    browser.wait_for(&format!("{LAST} > {before} + 2"));
    assert_eq!(browser.evaluate("window.isSame"), true, "the page was not loaded again");
}

/// Takes pictures of all pages in both languages.
fn look_at_pages(browser: &mut Browser, served: &Served) {
    for (language, ending) in [("fr", "-fr"), ("en", "")] {
        browser.visit_server(&at(served, &format!("/language/{language}?to=/")));
        browser.wait_for(&format!("document.documentElement.lang === '{language}'"));
        for (name, path, is_drawn) in PAGES {
            browser.visit_server(&at(served, path));
            browser.wait_for(is_drawn);
            pictures(browser, &format!("{name}{ending}"));
        }
    }
}

/// Watches a game to its end. One may end before its page is there.
fn watch_a_game(browser: &mut Browser, served: &Served) {
    loop {
        browser.visit_server(&at(served, "/"));
        browser.wait_for("document.querySelector('.boards a')");
        let game = browser.evaluate("document.querySelector('.boards a').href");
        browser.visit_server(game.as_str().unwrap());
        browser.wait_for("document.documentElement.dataset.ready");
        if browser.evaluate(IS_LIVE) == true {
            break;
        }
    }
    let turns = "document.documentElement.dataset.step";
    let seen = browser.evaluate(turns);
    browser.wait_for(&format!("{turns} !== '{}'", seen.as_str().unwrap()));
    browser.wait_for(&format!("!({IS_LIVE})"));
    browser.press("End");
    browser.wait_for("document.querySelectorAll('#players .rank:not(:empty)').length === 2");
}

/// Kills the server, starts it again and pauses the room. Returns the new one.
fn kill_and_start(mut served: Served, folder: &Path) -> Served {
    served.kill();
    let (address, token) = (served.address.to_string(), served.token().to_owned());
    let served = Served::try_of(folder, &["--listen", &address]).unwrap();
    let mut teacher = served.client();
    teacher.enter(&token);
    teacher.act("/teacher/pause", &[("do", "pause")]);
    // The games that run are played to their end.
    while !teacher.get("/teacher").body.contains("<p>0 running") {
        std::thread::sleep(Duration::from_millis(50));
    }
    served
}

/// Connects the program of a person, and looks at that person's page, which has its command.
fn look_at_a_person(browser: &mut Browser, served: &Served, teacher_token: &str) {
    let mut teacher = served.client();
    teacher.enter(teacher_token);
    teacher.act("/teacher/pause", &[("do", "resume")]);
    let token = teacher.add_people(&["Zoé"]).remove(0);
    let own = own_folder(served, "zoe");
    let client = Running::start(served, &token, Kind::Python, "python3 bot.py", &[], &own);
    client.wait_for("games", |client| client.games().len() >= 3);
    browser.visit_server(&at(served, &format!("/enter/{token}")));
    browser.wait_for("document.querySelector('form[action^=\"enter/\"]')");
    browser.evaluate("document.querySelector('form[action^=\"enter/\"]').requestSubmit()");
    browser.wait_for("location.pathname === '/me' && document.querySelector('.results li')");
    let command = browser.evaluate("document.querySelector('main pre').textContent");
    assert_eq!(command, "python3 join.py \"python3 my_bot.py\"");
    pictures(browser, "me");
    browser.visit_server(&at(served, "/"));
    browser.wait_for("document.querySelector('#ask')");
    pictures(browser, "room-with-programs");
}

/// Uploads a file by the form of a person's page, and waits for the result.
fn upload_by_form(browser: &mut Browser, served: &Served, text: &str, result: &str) {
    browser.visit_server(&at(served, "/me"));
    let text = serde_json::to_string(text).unwrap();
    browser.evaluate(&format!(
        "{{ const files = new DataTransfer();
            files.items.add(new File([{text}], 'bot.py'));
            const field = document.querySelector('input[type=file]');
            field.files = files.files;
            field.form.requestSubmit(); }}"
    ));
    browser.wait_for(&format!(
        "location.pathname.startsWith('/upload/') &&
            document.getElementById('upload').textContent.includes('{result}')"
    ));
}

/// Uploads programs as a person, then plays a final as the teacher.
fn look_at_a_final(browser: &mut Browser, served: &Served, teacher_token: &str) {
    upload_by_form(browser, served, "def x(:", "Not accepted");
    pictures(browser, "upload-failed");
    upload_by_form(browser, served, HEALTHY, "Passed: it plays");
    pictures(browser, "upload");
    browser.visit_server(&at(served, "/me"));
    pictures(browser, "me-with-uploads");
    let mut teacher = served.client();
    teacher.enter(teacher_token);
    let token = teacher.add_people(&["Léa"]).remove(0);
    let other = format!("# Léa\n{HEALTHY}");
    upload(served, &token, &[("bot.py", other.as_bytes())]);
    browser.visit_server(&at(served, &format!("/enter/{teacher_token}")));
    browser.wait_for("document.querySelector('form[action^=\"enter/\"]')");
    browser.evaluate("document.querySelector('form[action^=\"enter/\"]').requestSubmit()");
    browser.wait_for("location.pathname === '/teacher'");
    browser.visit_server(&at(served, "/teacher/final"));
    browser.evaluate(
        "{ const form = document.querySelector('form[action=\"teacher/deadline\"]');
           form.at.value = '2030-12-04T18:00';
           form.requestSubmit(); }",
    );
    browser.wait_for("document.querySelector('[data-until]')?.textContent.includes(' d ')");
    pictures(browser, "plan");
    browser.evaluate(
        "{ const form = document.querySelector('form[action=\"teacher/final\"]');
           form.elements.title.value = 'Finale';
           form.format.value = 'knockout';
           form.requestSubmit(); }",
    );
    browser.wait_for("location.pathname === '/final/1'");
    pictures(browser, "final-running");
    let until = Instant::now() + Duration::from_secs(60);
    while !teacher.get("/final/1").body.contains("<b>ended</b>") {
        assert!(Instant::now() < until, "{}", teacher.get("/final/1").body);
        std::thread::sleep(Duration::from_millis(200));
    }
    browser.visit_server(&at(served, "/final/1"));
    pictures(browser, "final");
    // Scripts of the referee's own pages work without an origin.
    browser.visit_server(&at(served, "/final/1/wall"));
    browser.wait_for("document.body.textContent.includes('Léa')");
    pictures(browser, "wall");
    browser.visit_server(&at(served, "/final/1/standings"));
    browser.wait_for("document.querySelectorAll('table tbody tr').length > 0");
    pictures(browser, "final-standings");
    assert_eq!(browser.evaluate("window.origin"), "null");
}

/// An evening: a teacher starts, makes twelve people, house bots play, pages move, a game is
/// watched live, the server is killed and started again.
#[test]
#[ignore = "it needs Chromium and takes a minute: .ci/full serve"]
fn evening_in_a_browser() {
    let bots = ["awele random", "awele greedy", "awele best"];
    let folder = quick("evening", "name = \"Tuesday class\"\ngame = \"awele\"", &bots);
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let served = Served::of(&folder, &[]);
    let token = served.token().to_owned();
    browser.resize(1280, 900);
    make_people(browser, &served);
    watch_the_room(browser, &served);
    look_at_pages(browser, &served);
    watch_a_game(browser, &served);

    // Nothing that was shown is lost by a kill, and ratings follow the games within a moment.
    browser.visit_server(&at(&served, "/"));
    let shown = browser.evaluate(LAST);
    let served = kill_and_start(served, &folder);
    browser.visit_server(&at(&served, "/"));
    let last = browser.evaluate(LAST);
    assert!(last.as_i64() >= shown.as_i64(), "{last} after {shown}");
    let (expected, until) = (ratings_of(&folder), Instant::now() + Duration::from_secs(20));
    while ratings_shown(browser) != expected && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(ratings_shown(browser), expected);
    look_at_a_person(browser, &served, &token);
    look_at_a_final(browser, &served, &token);
    let problems = browser.problems();
    let of_the_kill = |problem: &String| problem.contains("ERR_") || problem.contains("events");
    let others: Vec<&String> = problems.iter().filter(|problem| !of_the_kill(problem)).collect();
    assert!(others.is_empty(), "{others:#?}");
    let (status, error) = served.stop();
    assert!(status.success(), "{error}");
}
