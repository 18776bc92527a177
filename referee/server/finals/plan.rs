//! Plan of a final: what the teacher chose, and the file from which it is played.

use crate::people::Refused;
use arbitre_referee::config::tournament_args::TournamentOptions;
use arbitre_referee::run::room::Class;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Formats of a final with the option that says how long it is.
pub const FORMATS: [(&str, &str); 7] = [
    ("swiss", "games"),
    ("knockout", "games"),
    ("double-knockout", "games"),
    ("round-robin", "games"),
    ("balanced", "games-per-player"),
    ("ladder", "max-games"),
    ("graded", "games"),
];
/// Options of a room that are not those of its final. Its profile is for house bots.
const OF_A_ROOM: [&str; 3] = ["name", "concurrency", "profile"];

/// Choices of the teacher.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Title.
    pub title: String,
    /// Format.
    pub format: String,
    /// Rounds of a Swiss tournament; empty for the default.
    pub rounds: String,
    /// Games, as the format counts them; empty for the default.
    pub games: String,
    /// Points of each fixed bot of a graded tournament, by its command.
    pub points: Vec<(String, String)>,
    /// Name of each person's folder, by the number of the person.
    #[serde(default)]
    pub players: BTreeMap<i64, String>,
}

impl Plan {
    /// Returns the text of the file from which the final is played, with the options of the room.
    /// Its players are in the folder `from`.
    ///
    /// # Errors
    /// Returns the reason why the options are refused.
    pub fn file(&self, class: &Class, from: &str) -> Result<String, Refused> {
        let Plan { title, format, rounds, games, points, .. } = self;
        let refuse = |why: &str| Refused::Files(why.to_owned());
        let (_, length) = FORMATS
            .iter()
            .find(|(of, _)| of == format)
            .ok_or_else(|| refuse("expected a format, got another word"))?;
        let mut options: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut add = |name: &str, value: &str| {
            options.entry(name.to_owned()).or_default().push(value.to_owned());
        };
        for word in &class.options {
            let word = word.trim_start_matches('-');
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if !OF_A_ROOM.contains(&name) {
                add(name, value);
            }
        }
        add("format", format);
        for (name, value) in [("name", title), ("rounds", rounds), (length, games)] {
            let is_for_it = name != "rounds" || format == "swiss";
            if !value.trim().is_empty() && is_for_it {
                add(name, value.trim());
            }
        }
        let words: Vec<String> = options
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| word_of(name, value)))
            .collect();
        TournamentOptions::parse(&words).map_err(|why| refuse(&why.to_string()))?;
        let mut text = String::from(
            "# A final of this room. Paths are relative to this file.\n[tournament]\n",
        );
        for (name, values) in &options {
            let value = match values.as_slice() {
                [one] if one.is_empty() => "true".to_owned(),
                [one] => quoted(one),
                all => {
                    format!("[{}]", all.iter().map(|of| quoted(of)).collect::<Vec<_>>().join(", "))
                }
            };
            let _ = writeln!(text, "{name} = {value}");
        }
        let _ = write!(text, "\n[players]\nfrom = {}\n", quoted(from));
        if format == "graded" {
            let graded: Vec<_> = points.iter().filter(|(_, of)| !of.trim().is_empty()).collect();
            if graded.is_empty() {
                return Err(refuse("expected points for a fixed bot, got none"));
            }
            for (bot, of) in graded {
                let number: Option<f64> = of.trim().replace(',', ".").parse().ok();
                let number = number.filter(|number| number.is_finite() && *number > 0.0);
                let number = number.ok_or_else(|| refuse("expected points above 0"))?;
                let _ = write!(text, "\n[[grade]]\nbot = {}\npoints = {number}\n", quoted(bot));
            }
        }
        Ok(text)
    }
}

fn word_of(name: &str, value: &str) -> String {
    match value {
        "" => format!("--{name}"),
        value => format!("--{name}={value}"),
    }
}

/// Returns a text as TOML and JSON write it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_referee::config::tournament_file::TournamentFile;

    fn class() -> Class {
        let options = [
            "--name=Room",
            "--game=tron",
            "--seats=4",
            "--move-time=50ms",
            "--ponder",
            "--concurrency=3",
        ];
        let options = options.map(str::to_owned).to_vec();
        Class { options, house: vec![("g".into(), "tron random".into())] }
    }

    #[test]
    fn file_has_the_options_of_the_room_and_those_of_the_final() {
        let plan = Plan {
            title: "Finale « 2026 » \"A\"".into(),
            format: "graded".into(),
            rounds: "7".into(),
            games: " 12 ".into(),
            points: vec![
                ("tron random".into(), "2,5".into()),
                ("tron wall-hugger".into(), "".into()),
            ],
            players: BTreeMap::new(),
        };
        let text = plan.file(&class(), "finals/1/players").unwrap();
        let file = TournamentFile::parse("final.toml", &text).unwrap();
        let expected = [
            "--format=graded",
            "--game=tron",
            "--games=12",
            "--move-time=50ms",
            "--name=Finale « 2026 » \"A\"",
            "--ponder",
            "--seats=4",
        ];
        let mut options = file.options.clone();
        options.sort_unstable();
        assert_eq!(options, expected);
        assert_eq!(file.from.as_deref(), Some("finals/1/players"));
        assert_eq!((file.grades.len(), file.grades[0].points), (1, 2.5));
        assert!(file.players.is_empty());
    }

    #[test]
    fn choices_that_no_tournament_has_are_refused() {
        let plan = |format: &str, games: &str, points: &[(&str, &str)]| {
            let points = points.iter().map(|(bot, of)| ((*bot).into(), (*of).into())).collect();
            let plan =
                Plan { format: format.into(), games: games.into(), points, ..Plan::default() };
            plan.file(&class(), "x")
        };
        for (format, games, points) in [
            ("sprt", "", &[][..]),
            ("swiss", "0", &[]),
            ("swiss", "many", &[]),
            ("swiss", "4\nname = 1", &[]),
            ("graded", "", &[]),
            ("graded", "", &[("tron random", "-1")]),
            ("graded", "", &[("tron random", "inf")]),
        ] {
            assert!(plan(format, games, points).is_err(), "{format} {games}");
        }
        for (format, _) in FORMATS {
            assert!(plan(format, "24", &[("tron random", "1")]).is_ok(), "{format}");
        }
    }
}
