//! Text of players, shown so that no terminal obeys it and no document breaks.

/// The longest piece of a player's text that a message shows, in characters.
const SHOWN: usize = 200;

/// A player's text, safe on a terminal: one line, no control characters, not too long.
pub fn escape(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(escaped).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Is this a control character, or one that changes the direction of writing?
pub fn needs_escape(c: char) -> bool {
    let turns_text = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns_text
}

/// Control characters and those that change the direction of writing are written as escapes.
fn escaped(c: char) -> Vec<char> {
    if needs_escape(c) {
        c.escape_default().collect()
    } else {
        vec![c]
    }
}

/// A text in XML, which has no words for most control characters.
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
    fn nothing_of_a_player_reaches_the_terminal_raw() {
        assert_eq!(escape("\x1b[2J\u{202e}é\r\n"), "\\u{1b}[2J\\u{202e}é\\r\\n");
        assert_eq!(escape(&"x".repeat(1000)).chars().count(), SHOWN + 1);
        assert_eq!(xml("a<b> & \"c\"\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }
}
