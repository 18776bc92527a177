//! Attempts of a player to reach beyond its sandbox, in words.

use crate::escape::escape;
use arbitre_games::text::join;
use arbitre_process::attempts::Attempts;

/// Returns the attempts as a list: "2 socket, 1 neighbour".
pub fn in_words(attempts: &Attempts) -> String {
    join(attempts.iter().map(|(kind, number)| format!("{number} {}", escape(kind))), ", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts that a forged file names.
    #[test]
    fn any_words_and_numbers_can_be_shown() {
        let text =
            format!("{{\"a\\u001b[31m\\nb{}\":{},\"socket\":7}}", "b".repeat(9999), u64::MAX);
        let forged: Attempts = serde_json::from_str(&text).unwrap();
        let mut all = forged.clone();
        all.add(&forged);
        assert_eq!(all.total(), u64::MAX);
        let shown = in_words(&all);
        assert!(shown.ends_with(", 14 socket") && !shown.contains(char::is_control), "{shown}");
        assert!(shown.len() < 400, "{}", shown.len());
    }
}
