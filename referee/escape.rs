//! Escapes text from players for terminals and XML documents.

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

/// Returns a text of several lines for the terminal. Everything but the ends of lines is escaped.
pub fn escape_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escape_whole).collect();
    lines.join("\n")
}

/// Returns `true` for control characters, line separators and characters that change the writing
/// direction.
pub fn needs_escape(c: char) -> bool {
    let turns_text = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns_text
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
        assert_eq!(escape(&"x".repeat(1000)).chars().count(), SHOWN + 1);
        assert_eq!(xml("a<b> & \"c\"\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }
}
