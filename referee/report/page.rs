//! Pages for a browser: one file each, which makes no request.

use super::replay::ReplayDocument;
use crate::escape::xml;
use base64::prelude::{Engine, BASE64_STANDARD};
use flate2::write::DeflateEncoder;
use flate2::Compression;
use serde::Serialize;
use sha2::{Digest, Sha256};

const REPLAY: &str = include_str!("web/replay.html");
const STYLE: &str = include_str!("web/page.css");
const SCRIPTS: [&str; 2] = [include_str!("web/board.js"), include_str!("web/replay.js")];

/// Returns the page of a game.
pub fn of(document: &ReplayDocument) -> String {
    let script = SCRIPTS.join("\n");
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let parts = [
        ("csp", policy),
        ("title", xml(&document.title())),
        ("style", STYLE.into()),
        ("script", script),
        ("data", packed(document)),
    ];
    fill(REPLAY, &parts)
}

/// Returns a document as deflated JSON, in letters that cannot end the element around them.
fn packed(document: &impl Serialize) -> String {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    serde_json::to_writer(&mut deflated, document).expect("documents have string keys");
    BASE64_STANDARD.encode(deflated.finish().expect("a vector takes all bytes"))
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
