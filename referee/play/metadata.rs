//! Data that players print about a game on standard error, in the lines that psyleague reads:
//!
//! ```text
//! [TDATA] key = value        of the game
//! [PDATA] key = value        of the player
//! [PDATA+] key = number      of the player, added up
//! ```

use arbitre_games::game::Seat;
use std::collections::BTreeMap;

/// Largest number of keys of a player, and of a game. Not tuned.
const KEYS: usize = 64;
/// Largest length of a key and of a value, in bytes. Not tuned.
const LENGTH: usize = 256;

/// Values by key.
pub type Values = BTreeMap<String, String>;

/// Data of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// Data of the game itself.
    pub game: Values,
    /// Data of the player on each seat.
    pub players: Vec<Values>,
}

impl Metadata {
    /// Reads the data of a game of `seats` seats from the standard error of its players, in the
    /// order in which it was written.
    pub fn read<'a>(seats: usize, stderr: impl Iterator<Item = (Seat, &'a str)>) -> Metadata {
        let mut read = Metadata { game: Values::new(), players: vec![Values::new(); seats] };
        // A line may continue in a later turn.
        let mut texts = vec![String::new(); seats];
        for (seat, text) in stderr {
            texts[seat.index()] += text;
        }
        for (text, own) in texts.iter().zip(&mut read.players) {
            for line in text.lines().filter(|line| line.contains("DATA")) {
                take(line, &mut read.game, own);
            }
        }
        read
    }
}

/// Adds the value of a line. Ignores other lines, as standard error is for anything.
fn take(line: &str, game: &mut Values, player: &mut Values) {
    let mut words = line.split_whitespace();
    let (Some(kind), Some(key), Some("=")) = (words.next(), words.next(), words.next()) else {
        return;
    };
    let value = words.collect::<Vec<_>>().join(" ");
    let values = if kind == "[TDATA]" { game } else { player };
    let is_full = values.len() == KEYS && !values.contains_key(key);
    if value.is_empty() || value.len() > LENGTH || key.len() > LENGTH || is_full {
        return;
    }
    let value = match kind {
        "[TDATA]" | "[PDATA]" => value,
        "[PDATA+]" => {
            let before = values.get(key).and_then(|value| number(value)).unwrap_or(0.0);
            let Some(sum) = number(&value).map(|more| before + more) else { return };
            sum.to_string()
        }
        _ => return,
    };
    values.insert(key.to_owned(), value);
}

/// Parses a finite number.
pub fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[(usize, &str)]) -> Metadata {
        Metadata::read(2, texts.iter().map(|(seat, text)| (Seat::new(*seat), *text)))
    }

    fn values(pairs: &[(&str, &str)]) -> Values {
        pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect()
    }

    #[test]
    fn last_value_holds_and_sums_add_up() {
        let data = read(&[
            (0, "hello\n[TDATA] map = 3\n[PDATA] depth = 4\n[PDATA+] nodes = 1000\n"),
            (1, "[PDATA] book = left early\n"),
            (0, "[PDATA] depth = 5\n[PDATA+] nodes = 0.5\n[PDATA+] ms"),
            (0, " = 2\n"),
        ]);
        assert_eq!(data.game, values(&[("map", "3")]));
        let own = values(&[("depth", "5"), ("nodes", "1000.5"), ("ms", "2")]);
        assert_eq!(data.players[0], own);
        assert_eq!(data.players[1], values(&[("book", "left early")]));
    }

    #[test]
    fn other_lines_are_ignored() {
        let text = "[PDATA] depth 4\n[PDATA] depth =\n[DATA] depth = 4\n[PDATA+] nodes = many\n\
                    PDATA depth = 4\n[PDATA+] nodes = inf\n";
        assert_eq!(read(&[(0, text)]), read(&[]));
        let many: String = (0..1000).map(|key| format!("[PDATA] {key} = 1\n")).collect();
        assert_eq!(read(&[(0, &many)]).players[0].len(), KEYS);
        let long = format!("[PDATA] {} = 1\n[TDATA] a = {}\n", "k".repeat(300), "v".repeat(300));
        assert_eq!(read(&[(0, &long)]), read(&[]));
    }
}
