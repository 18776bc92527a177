//! Escapes text from players for terminals and XML documents.

pub use arbitre_games::text::needs_escape;

/// Number of characters of a player's text that a message shows. Not tuned.
const SHOWN: usize = 200;

/// Returns a player's text for the terminal: one line, control characters escaped, the end cut off
/// if it is too long.
pub fn escape(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(escaped).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns a text for the terminal as [`escape`] does, but whole.
pub fn escape_whole(text: &str) -> String {
    text.chars().flat_map(escaped).collect()
}

/// Returns a text as it is printed on a terminal: lines, in which only colours act. Raw text of
/// others in it does no harm.
pub fn visible(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = colour_length(rest).unwrap_or(c.len_utf8());
        let (first, more) = rest.split_at(length);
        match needs_escape(c) && length == c.len_utf8() && !matches!(c, '\n' | '\t') {
            true => safe.extend(c.escape_default()),
            false => safe += first,
        }
        rest = more;
    }
    safe
}

/// Returns the length of the terminal code of a colour or style with which a text begins.
fn colour_length(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\x1b[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some("\x1b[".len() + end + 1)
}

/// Returns a line of JSON in which no character acts on a terminal.
pub fn visible_json(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for c in line.chars() {
        match needs_escape(c) && c != '\n' {
            true => safe += &format!("\\u{:04x}", u32::from(c)),
            false => safe.push(c),
        }
    }
    safe
}

/// Returns `c`, as an escape sequence if it needs one.
fn escaped(c: char) -> Vec<char> {
    if needs_escape(c) {
        c.escape_default().collect()
    } else {
        vec![c]
    }
}

/// Escapes a text for XML. Control characters that XML cannot express become U+FFFD.
pub fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_text_is_escaped() {
        assert_eq!(escape("\x1b[2J\u{202e}é\r\n"), "\\u{1b}[2J\\u{202e}é\\r\\n");
        assert_eq!(escape("\u{feff}ready x"), "\\u{feff}ready x");
        assert_eq!(escape(&"x".repeat(1000)).chars().count(), SHOWN + 1);
        assert_eq!(xml("a<b> & \"c\"\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
        let coloured = "\x1b[1mé\x1b[0m\t\x1b[30;48;5;9mx\n";
        assert_eq!(visible(coloured), coloured);
        let hostile = "\x1b]52;c;aGk=\x07\x1b[2J\x1b[1\u{9b}m\r\x1b[";
        assert_eq!(
            visible(hostile),
            "\\u{1b}]52;c;aGk=\\u{7}\\u{1b}[2J\\u{1b}[1\\u{9b}m\\r\\u{1b}["
        );
        assert_eq!(visible_json("\"\u{9b}\u{202e}é\"\n"), "\"\\u009b\\u202eé\"\n");
    }
}
