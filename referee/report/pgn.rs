//! Games in Portable Game Notation: the tags of chess, with the moves of any game.
//!
//! Seat 0 is White and seat 1 is Black, as readers of the format expect; further seats are `Seat2`
//! and so on. Facts without a standard tag have a tag of their own.

use super::game::GameDocument;
use crate::config::adjudication::AdjudicationRule;
use crate::config::Contest;
use crate::escape::needs_escape;
use arbitre_games::text::join;

/// Maximum length of a line of moves, in characters. Not tuned.
const WIDTH: usize = 80;
/// Names of the player tags of the first two seats.
const SEATS: [&str; 2] = ["White", "Black"];

/// Returns a game as PGN. `date` is the date of play, as `2026.11.21`, if it is to be included.
pub fn game(game: &GameDocument, config: &Contest, date: Option<&str>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| text += &format!("[{name} \"{}\"]\n", quoted(value));
    tag("Event", &format!("{}, seed {}", config.game, config.seed));
    tag("Site", "?");
    tag("Date", date.unwrap_or("????.??.??"));
    tag("Round", &format!("{}.{}", game.round + 1, game.rotation + 1));
    let seats: Vec<String> = (0..game.players.len())
        .map(|seat| SEATS.get(seat).map_or(format!("Seat{seat}"), |known| (*known).to_owned()))
        .collect();
    seats.iter().zip(&game.players).for_each(|(seat, name)| tag(seat, name));
    tag("Result", &result(game));
    tag("Variant", &config.game);
    tag("Rules", &config.rules);
    tag("Setup", game.setup);
    if let Some(scores) = game.scores {
        tag("Scores", &join(scores, " "));
    }
    // With two seats the result already shows the ranks.
    if let Some(ranks) = game.ranks.as_deref().filter(|ranks| ranks.len() > 2) {
        tag("Ranks", &join(ranks, " "));
    }
    tag("PlyCount", &game.moves.len().to_string());
    for (seat, name) in seats.iter().enumerate() {
        tag(&format!("{name}Version"), game.versions[seat]);
        tag(&format!("{name}Dialect"), game.dialects[seat]);
        tag(&format!("{name}Limits"), &game.limits[seat]);
    }
    if let Some(details) = &game.details {
        tag("Sandbox", details.sandbox);
    }
    let faults = game.faults_in_words();
    let is_adjudicated = AdjudicationRule::WORDS.iter().any(|(word, _)| *word == game.ending);
    tag(
        "Termination",
        match (is_adjudicated, faults.is_empty()) {
            (true, _) => "adjudication",
            (false, true) => "normal",
            (false, false) => "rules infraction",
        },
    );
    if is_adjudicated {
        tag("Adjudication", game.ending);
    }
    if !faults.is_empty() {
        tag("Faults", &faults);
    }
    text + "\n" + &wrapped(&moves(game)) + "\n"
}

/// Returns `1-0`, `0-1` or `1/2-1/2` for two seats; `*` for a void game or another number of seats.
fn result(game: &GameDocument) -> String {
    match game.ranks.as_deref() {
        Some([1, 2]) => "1-0",
        Some([2, 1]) => "0-1",
        Some([1, 1]) => "1/2-1/2",
        _ => "*",
    }
    .into()
}

/// Returns move numbers, moves, comments and the result as words, between which lines may break.
/// Unless there are two seats each move has a number, as an eliminated player skips its turns.
fn moves(game: &GameDocument) -> Vec<String> {
    let moves_per_number = if game.players.len() == 2 { 2 } else { 1 };
    let mut words = Vec::new();
    for (ply, mv) in game.moves.iter().enumerate() {
        if ply % moves_per_number == 0 {
            words.push(format!("{}.", ply / moves_per_number + 1));
        }
        words.push((*mv).to_owned());
        if let Some(details) = &game.details {
            let time = format!("{{{:.3}ms", details.times_ms[ply]);
            let said = details.comments.get(&ply).map(|said| comment(said));
            let mut inside = vec![time];
            inside.extend(
                said.iter().flat_map(|said| said.split_ascii_whitespace()).map(str::to_owned),
            );
            inside.last_mut().expect("the time was added").push('}');
            words.extend(inside);
        }
    }
    words.push(result(game));
    words
}

fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        // PGN readers ignore a line that begins with `%`, and read a tag where one begins with `[`.
        let may_begin_a_line = !word.starts_with(['%', '[']);
        if column > 0 && column + 1 + length > WIDTH && may_begin_a_line {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text + "\n"
}

/// Replaces closing braces and control characters by blanks: a comment ends at its first brace.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c == '}' || needs_escape(c) { ' ' } else { c }).collect()
}

fn quoted(text: &str) -> String {
    let shown = text.chars().map(|c| if needs_escape(c) { ' ' } else { c });
    shown.flat_map(|c| (c == '"' || c == '\\').then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comment of a player cannot become a tag or hide a line, wherever its lines break.
    #[test]
    fn no_line_of_a_comment_is_read_as_a_tag() {
        for length in 1..40 {
            let word = format!("[Result{}", "x".repeat(length));
            let text = wrapped(&vec![word; 30]);
            assert!(text.lines().skip(1).all(|line| !line.starts_with(['[', '%'])), "{text}");
            let text = wrapped(&vec!["%".repeat(length); 30]);
            assert_eq!(text.lines().count(), 1, "{text}");
            let text = wrapped(&vec!["a".repeat(length); 30]);
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
    }
}
