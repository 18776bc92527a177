//! Pages for a browser: one file each, which makes no request.

use super::replay::ReplayDocument;
use crate::chart;
use crate::escape::xml;
use base64::prelude::{Engine, BASE64_STANDARD};
use flate2::write::DeflateEncoder;
use flate2::Compression;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::Write;

/// Frame of all pages.
const PAGE: &str = include_str!("web/page.html");
const VIEWER: &str = include_str!("web/viewer.html");
/// Styles of all pages.
const STYLES: [&str; 5] = [
    include_str!("web/page.css"),
    include_str!("web/viewer.css"),
    include_str!("web/boards.css"),
    include_str!("web/report.css"),
    chart::STYLE,
];
/// Scripts of all pages.
const SCRIPTS: [&str; 5] = [
    include_str!("web/text.js"),
    include_str!("web/board.js"),
    include_str!("web/game.js"),
    include_str!("web/timeline.js"),
    include_str!("web/viewer.js"),
];

/// Content of a kind of page, with its own style and scripts.
struct Template {
    content: &'static str,
    style: &'static str,
    scripts: &'static [&'static str],
}

const REPLAY: Template = Template {
    content: include_str!("web/replay.html"),
    style: "",
    scripts: &[include_str!("web/replay.js")],
};
const REPORT: Template = Template {
    content: include_str!("web/report.html"),
    style: "",
    scripts: &[
        include_str!("web/document.js"),
        include_str!("web/standings.js"),
        include_str!("web/bracket.js"),
        include_str!("web/filters.js"),
        include_str!("web/games.js"),
        include_str!("web/report.js"),
    ],
};
const PROJECTOR: Template = Template {
    content: include_str!("web/projector.html"),
    style: include_str!("web/projector.css"),
    scripts: &[include_str!("web/projector.js")],
};
const STUDENT: Template = Template {
    content: include_str!("web/student.html"),
    style: include_str!("web/student.css"),
    scripts: &[include_str!("web/lines.js"), include_str!("web/student.js")],
};
const STUDENTS: Template = Template {
    content: include_str!("web/students.html"),
    style: include_str!("web/student.css"),
    scripts: &[include_str!("web/lines.js"), include_str!("web/students.js")],
};

/// Returns the styles of all pages, for a server that has them as one file.
pub fn style() -> String {
    [&STYLES[..], &[PROJECTOR.style]].concat().join("\n")
}

/// Returns the scripts of all pages, with the viewer of a game.
pub fn script() -> String {
    SCRIPTS.join("\n")
}

/// Returns the template element from which the viewer of a game is made.
pub fn viewer_template() -> String {
    format!("<template id=\"viewer-template\">\n{VIEWER}</template>")
}

/// Returns the page of a game.
pub fn of_game(document: &ReplayDocument) -> String {
    page(&REPLAY, &document.title(), &[("data", packed(document))])
}

/// Returns the page of a match, from the parts of its template.
pub fn of_match(title: &str, parts: &[(&str, String)]) -> String {
    page(&REPORT, title, parts)
}

/// Returns the page of a match for a projector, with its packed document.
pub fn of_projector(title: &str, data: String) -> String {
    page(&PROJECTOR, title, &[("data", data)])
}

/// Returns the page of a player for its author. `replays` are packed documents of games.
pub fn of_player(title: &str, facts: &impl Serialize, replays: &[String]) -> String {
    page(&STUDENT, title, &[("data", packed(facts)), ("replays", replays.join("\n"))])
}

/// Returns the index of the pages of players. `files` is a comment.
pub fn of_index(title: &str, rows: &impl Serialize, files: &str) -> String {
    let data = packed(&json!({"title": title, "rows": rows}));
    page(&STUDENTS, title, &[("data", data), ("files", files.into())])
}

fn page(template: &Template, title: &str, parts: &[(&str, String)]) -> String {
    let script = [&SCRIPTS[..], template.scripts].concat().join("\n");
    let style = [&STYLES[..], &[template.style]].concat().join("\n");
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let parts = [
        ("csp", policy),
        ("title", xml(title)),
        ("style", style),
        ("content", fill(template.content, parts)),
        ("viewer", VIEWER.into()),
        ("script", script),
    ];
    fill(PAGE, &parts)
}

/// Returns a document as deflated JSON, in letters that cannot end the element around them.
pub fn packed(document: &impl Serialize) -> String {
    let text = serde_json::to_vec(document).expect("documents have string keys");
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    // Each write costs the encoder a buffer, so there is one.
    let packed = deflated.write_all(&text).and_then(|()| deflated.finish());
    BASE64_STANDARD.encode(packed.expect("a vector takes all bytes"))
}

/// Returns the source expression of an inline text in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// Replaces each `{{name}}` of a template. Values are not searched.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page += before;
        let (name, after) = after.split_once("}}").expect("every placeholder of a template ends");
        let part = parts.iter().find(|(known, _)| *known == name);
        page += part.map_or_else(|| panic!("{name} is no part of a page"), |(_, text)| text);
        rest = after;
    }
    page + rest
}
