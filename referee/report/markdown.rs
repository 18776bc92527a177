//! Texts of others in Markdown, in which nothing is markup.

use crate::escape::escape;

/// Returns a text for one cell of a Markdown table, in which nothing is markup.
pub fn cell(text: &str) -> String {
    let mut cell = String::new();
    for c in escape(text).chars() {
        match c {
            '&' => cell += "&amp;",
            '<' => cell += "&lt;",
            '|' | '\\' | '`' | '*' | '[' | ']' => cell.extend(['\\', c]),
            c => cell.push(c),
        }
    }
    cell
}

/// Returns a text as a block of Markdown in which nothing is markup.
pub fn block(text: &str) -> String {
    let fence = "`".repeat(3.max(1 + longest_run(text, '`')));
    format!("{fence}text\n{text}\n{fence}\n")
}

fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_player_wrote_is_markup() {
        assert_eq!(
            cell("a|b\n<i>&`x` *[l](u) \\"),
            "a\\|b\\\\n&lt;i>&amp;\\`x\\` \\*\\[l\\](u) \\\\"
        );
        assert_eq!(block("plain"), "```text\nplain\n```\n");
        let hostile = "```\n<script>\n````";
        assert_eq!(block(hostile), format!("`````text\n{hostile}\n`````\n"));
    }
}
