//! Games in the Portable Game Notation: the tags of chess, the moves of whatever was played.
//!
//! Its first seat is called White and its second Black, as readers of this format expect; tables of
//! more seats go on with `Seat2`. What has no tag in the standard has one of its own.

use super::game::GameDocument;
use crate::config::MatchConfig;
use crate::escape::needs_escape;
use arbitre_games::text::join;

/// A line of moves is at most so long.
const WIDTH: usize = 80;
const SEATS: [&str; 2] = ["White", "Black"];

/// A game; `date` is when it was played, as `2026.11.21`, where that should be told.
pub fn game(game: &GameDocument, config: &MatchConfig, date: Option<&str>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| text += &format!("[{name} \"{}\"]\n", quoted(value));
    tag("Event", &format!("{}, seed {}", config.game, config.seed));
    tag("Site", "?");
    tag("Date", date.unwrap_or("????.??.??"));
    tag("Round", &format!("{}.{}", game.round + 1, game.game + 1));
    for (seat, name) in game.players.iter().enumerate() {
        let other = format!("Seat{seat}");
        tag(SEATS.get(seat).map_or(other.as_str(), |known| known), name);
    }
    tag("Result", &result(game));
    tag("Variant", &config.game);
    tag("Rules", &config.rules);
    tag("Setup", game.setup);
    if let Some(scores) = game.scores {
        tag("Scores", &join(scores, " "));
    }
    // Between two the result says it.
    if let Some(ranks) = game.ranks.as_deref().filter(|ranks| ranks.len() > 2) {
        tag("Ranks", &join(ranks, " "));
    }
    tag("PlyCount", &game.moves.len().to_string());
    let faults = game.faults_in_words();
    tag("Termination", if faults.is_empty() { "normal" } else { "rules infraction" });
    if !faults.is_empty() {
        tag("Faults", &faults);
    }
    text + "\n" + &wrapped(&moves(game)) + "\n"
}

/// `1-0`, `0-1` or `1/2-1/2` for two seats; `*` for a void game, and where there are other seats.
fn result(game: &GameDocument) -> String {
    match game.ranks.as_deref() {
        Some([1, 2]) => "1-0",
        Some([2, 1]) => "0-1",
        Some([1, 1]) => "1/2-1/2",
        _ => "*",
    }
    .into()
}

/// Numbers, moves and comments, and the result: words that a line may be broken between. At a table of
/// more than two each move has a number, as turns are left out when somebody is out.
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
            inside.last_mut().expect("there is the time").push('}');
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
        // Readers pass over a line that begins with this sign.
        let may_begin_a_line = !word.starts_with('%');
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

/// A comment ends at its brace, so it holds none.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c == '}' || needs_escape(c) { ' ' } else { c }).collect()
}

fn quoted(text: &str) -> String {
    let shown = text.chars().map(|c| if needs_escape(c) { ' ' } else { c });
    shown.flat_map(|c| (c == '"' || c == '\\').then_some('\\').into_iter().chain([c])).collect()
}
