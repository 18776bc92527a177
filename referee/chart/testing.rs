//! Helpers of the tests of charts.

use super::Svg;

/// Name that breaks pictures which do not escape it.
pub const HOSTILE: &str = "</text><script>alert(1)</script>\"'&\u{0}\u{1b}[2J\u{202e}\n\u{ffff}";

/// Checks that both forms of a picture are well-formed XML with the same hostile text escaped.
/// Returns the element for a page.
pub fn check_pictures(svg: &Svg) -> String {
    for picture in [svg.document(), svg.inline()] {
        check_xml(&picture);
        assert!(!picture.contains("<script") && !picture.contains('\u{202e}'), "{picture}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }
    let inline = svg.inline();
    for forbidden in [" style=", "<style", " id=", "url(", "javascript", " on"] {
        assert!(!inline.contains(forbidden), "{forbidden}: {inline}");
    }
    inline
}

/// Checks that elements are closed in order, that attributes are quoted, and that text is escaped.
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.trim_end().split('<').skip(1) {
        let (tag, content) = part.split_once('>').unwrap_or_else(|| panic!("no end: {part}"));
        let entities = ["amp;", "lt;", "gt;", "quot;"];
        let mut ends = part.split('&').skip(1);
        assert!(ends.all(|end| entities.iter().any(|entity| end.starts_with(entity))), "{part}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{part}");
            assert!(!open.is_empty() || content.is_empty(), "text at the end: {part}");
            continue;
        }
        let attributes: Vec<&str> = tag.split('"').collect();
        assert!(attributes.len() % 2 == 1, "quotes: {tag}");
        let names = attributes[..attributes.len() - 1].iter().step_by(2);
        assert!(names.into_iter().all(|name| name.contains(' ') && name.ends_with('=')), "{tag}");
        if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        let is_allowed = |c: char| !c.is_control() || c == '\n';
        assert!(part.chars().all(is_allowed) && !part.contains('\u{ffff}'), "{part}");
    }
    assert!(open.is_empty(), "{open:?}");
}
