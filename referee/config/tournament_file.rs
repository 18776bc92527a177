//! The file of a tournament. Its options are those of the command line, so both have one grammar.

use crate::config::player_options::PlayerOptions;
use crate::config::tournament_args::TournamentOptions;
use crate::failure::{about, Failure};
use arbitre_games::files;
use arbitre_games::text::{alternatives, did_you_mean};
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// Tournament as its file describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TournamentFile {
    /// Options as words of a command line.
    pub options: Vec<String>,
    /// Folder with a folder or source file per player.
    pub from: Option<String>,
    /// Commands of players that are shown and not ranked.
    pub references: Vec<String>,
    /// Players that are described one by one.
    pub players: Vec<FilePlayer>,
    /// Fixed bots that the players are graded by.
    pub grades: Vec<FileGrade>,
}

/// Fixed bot in the file of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct FileGrade {
    /// Command.
    pub bot: String,
    /// Weight of its games in a mark; finite and above zero.
    pub points: f64,
    /// Place in the file, for messages.
    pub place: String,
}

/// Player in the file of a tournament.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FilePlayer {
    /// Name.
    pub name: Option<String>,
    /// Command.
    pub command: Option<String>,
    /// Dialect.
    pub dialect: Option<String>,
    /// Command that builds it.
    pub build: Option<String>,
    /// Own limits and sandbox, as in the brackets of a player.
    pub options: Vec<String>,
    /// Place in the file, for messages.
    pub place: String,
}

/// Keys of the file.
const TABLES: [&str; 4] = ["tournament", "players", "player", "grade"];
/// Keys whose value may be an inline table.
const INLINE: [&str; 2] = ["adjudicate", "sprt"];
/// Keys of the table `[players]` with their meanings.
pub const PLAYERS: [(&str, &str); 2] = [
    ("from", "Folder with a folder or source file per player"),
    ("reference", "Commands of players that are shown for comparison, and not ranked"),
];
/// Keys of a table `[[player]]` with their meanings, beside the options that limit players.
pub const PLAYER: [(&str, &str); 4] = [
    ("name", "Name, or that of a player from the folder"),
    ("command", "Command that starts the program"),
    ("dialect", "Dialect of the player"),
    ("build", "Command that builds the program, in the folder of the player"),
];
/// Keys of a table `[[grade]]` with their meanings.
pub const GRADE: [(&str, &str); 2] = [
    ("bot", "Command of a fixed bot that every player meets"),
    ("points", "Points of its games in the mark, above zero"),
];

/// Returns `true` if the value of a key may be an inline table.
pub fn is_inline(key: &str) -> bool {
    INLINE.contains(&key)
}

impl TournamentFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error with line and column if the file cannot be read, or is malformed.
    pub fn read(path: &Path) -> Result<TournamentFile, Failure> {
        let text = files::read_text(path).map_err(about(path, Failure::Data))?;
        TournamentFile::parse(&path.display().to_string(), &text)
    }

    /// Parses the text of the file `name`.
    ///
    /// # Errors
    /// Returns an error with line and column if the text is malformed.
    pub fn parse(name: &str, text: &str) -> Result<TournamentFile, Failure> {
        let source = Source { name, text };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            source.error(at, error.message())
        })?;
        let mut file = TournamentFile::default();
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "tournament" => file.options = source.options(value)?,
                "players" => source.players(value, &mut file)?,
                "player" => file.players = source.each("player", value, Source::player)?,
                "grade" => file.grades = source.each("grade", value, Source::grade)?,
                other => return Err(source.unknown(key, other, &TABLES)),
            }
        }
        Ok(file)
    }
}

/// Text of a file, for messages.
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Source<'_> {
    /// Returns `FILE:LINE:COLUMN` of a byte.
    fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        format!("{}:{line}:{column}", self.name)
    }

    fn error(&self, at: usize, what: impl std::fmt::Display) -> Failure {
        Failure::Data(format!("{}: {what}", self.place(at)))
    }

    fn expected(&self, what: &str, key: &str, value: &Value) -> Failure {
        let kind = value.get_ref().type_str();
        self.error(value.span().start, format_args!("{key}: expected {what}, got {kind}"))
    }

    fn unknown<T: AsRef<str>>(&self, key: &Spanned<T>, word: &str, known: &[&str]) -> Failure {
        let help = did_you_mean(word, known.iter().copied());
        let expected = alternatives(known);
        self.error(
            key.span().start,
            format_args!("expected a key ({expected}), got '{word}'{help}"),
        )
    }

    fn table<'t, 'i>(&self, key: &str, value: &'t Value<'i>) -> Result<&'t DeTable<'i>, Failure> {
        value.get_ref().as_table().ok_or_else(|| self.expected("a table", key, value))
    }

    /// Returns what `read` makes of each table of an array of tables.
    fn each<'t, 'i, T>(
        &self,
        key: &str,
        value: &'t Value<'i>,
        read: impl Fn(&Self, &'t Value<'i>) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let array = value.get_ref().as_array();
        let array = array.ok_or_else(|| self.expected(&format!("[[{key}]]"), key, value))?;
        array.iter().map(|table| read(self, table)).collect()
    }

    fn string(&self, key: &str, value: &Value) -> Result<String, Failure> {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| self.expected("a text in quotes", key, value))
    }

    /// Returns the table of options as words of a command line.
    fn options(&self, value: &Value) -> Result<Vec<String>, Failure> {
        let names = TournamentOptions::names();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut words = Vec::new();
        for (key, value) in self.table("tournament", value)? {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                return Err(self.unknown(key, name, &known));
            }
            for word in self.words(name, value)? {
                let word = format!("--{word}");
                // Parsed alone, so that an error names its place.
                self.check(value, TournamentOptions::parse(std::slice::from_ref(&word)))?;
                words.push(word);
            }
        }
        Ok(words)
    }

    /// Reports an error of an option at its place in the file.
    fn check<T>(&self, value: &Value, parsed: Result<T, Failure>) -> Result<(), Failure> {
        parsed.map(drop).map_err(|why| {
            // Keys have no dashes.
            let why = why.to_string();
            self.error(value.span().start, why.strip_prefix("--").unwrap_or(&why))
        })
    }

    /// Returns an option as words `NAME=VALUE`: none for `false`, one for each value of a list.
    fn words(&self, name: &str, value: &Value) -> Result<Vec<String>, Failure> {
        Ok(match value.get_ref() {
            DeValue::Boolean(true) => vec![name.into()],
            DeValue::Boolean(false) => Vec::new(),
            DeValue::Array(values) => {
                let words = values.iter().map(|value| self.words(name, value));
                words.collect::<Result<Vec<_>, _>>()?.concat()
            }
            DeValue::String(text) => vec![format!("{name}={text}")],
            DeValue::Integer(number) => vec![format!("{name}={}", number.as_str())],
            DeValue::Float(number) => vec![format!("{name}={}", number.as_str())],
            // The command line takes the same options as one text.
            DeValue::Table(rules) if is_inline(name) => {
                let words = rules.iter().map(|(key, value)| self.words(key.get_ref(), value));
                let words = words.collect::<Result<Vec<_>, _>>()?.concat();
                vec![format!("{name}={}", words.join(","))]
            }
            DeValue::Table(_) | DeValue::Datetime(_) => {
                return Err(self.expected("a text or a number", name, value));
            }
        })
    }

    fn players(&self, value: &Value, file: &mut TournamentFile) -> Result<(), Failure> {
        for (key, value) in self.table("players", value)? {
            match key.get_ref().as_ref() {
                "from" => file.from = Some(self.string("from", value)?),
                "reference" => {
                    let list = value.get_ref().as_array();
                    let list = list
                        .ok_or_else(|| self.expected("a list of commands", "reference", value))?;
                    file.references = list
                        .iter()
                        .map(|command| self.string("reference", command))
                        .collect::<Result<_, _>>()?;
                }
                other => return Err(self.unknown(key, other, &PLAYERS.map(|(key, _)| key))),
            }
        }
        Ok(())
    }

    fn grade(&self, value: &Value) -> Result<FileGrade, Failure> {
        let (mut bot, mut points) = (None, None);
        for (key, value) in self.table("grade", value)? {
            match key.get_ref().as_ref() {
                "bot" => bot = Some(self.string("bot", value)?),
                "points" => points = Some(self.points(value)?),
                other => return Err(self.unknown(key, other, &GRADE.map(|(key, _)| key))),
            }
        }
        let at = value.span().start;
        let lacking = |key| self.error(at, format_args!("grade: expected the key {key}, got none"));
        Ok(FileGrade {
            bot: bot.ok_or_else(|| lacking("bot"))?,
            points: points.ok_or_else(|| lacking("points"))?,
            place: self.place(at),
        })
    }

    fn points(&self, value: &Value) -> Result<f64, Failure> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            _ => return Err(self.expected("a number above 0", "points", value)),
        };
        let points = text.parse().ok().filter(|points: &f64| points.is_finite() && *points > 0.0);
        points.ok_or_else(|| {
            let at = value.span().start;
            self.error(at, format_args!("points: expected a number above 0, got {text}"))
        })
    }

    fn player(&self, value: &Value) -> Result<FilePlayer, Failure> {
        let place = self.place(value.span().start);
        let mut player = FilePlayer { place, ..FilePlayer::default() };
        let options = PlayerOptions::names();
        let known: Vec<&str> = PLAYER
            .map(|(key, _)| key)
            .into_iter()
            .chain(options.iter().map(String::as_str))
            .collect();
        for (key, value) in self.table("player", value)? {
            let name = key.get_ref().as_ref();
            let text = match name {
                "name" => &mut player.name,
                "command" => &mut player.command,
                "dialect" => &mut player.dialect,
                "build" => &mut player.build,
                _ if known.contains(&name) => {
                    for word in self.words(name, value)? {
                        let words = std::slice::from_ref(&word);
                        self.check(value, PlayerOptions::parse_words(words))?;
                        player.options.push(word);
                    }
                    continue;
                }
                _ => return Err(self.unknown(key, name, &known)),
            };
            *text = Some(self.string(name, value)?);
        }
        Ok(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TournamentFile, Failure> {
        TournamentFile::parse("class.toml", text)
    }

    #[test]
    fn every_part_is_read() {
        let file = parse(
            "[tournament]\nname = \"Tron 2026\"\ngame = \"tron\"\nformat = \"swiss\"\nrounds = 7\n\
             seed = 42\nmove-time = \"100ms\"\nponder = false\n\n[players]\nfrom = \"sent\"\n\
             reference = [\"tron breadth\"]\n\n[[player]]\nname = \"ada\"\n\
             command = \"python3 ada/main.py\"\nthreads = 1\nallow-read = [\"/usr\", \"/etc\"]\n",
        )
        .unwrap();
        let words = ["--game=tron", "--rounds=7", "--move-time=100ms", "--name=Tron 2026"];
        assert!(words.iter().all(|word| file.options.iter().any(|of| of == word)), "{file:?}");
        assert_eq!(file.options.len(), 6, "false is left out");
        assert_eq!((file.from.as_deref(), file.references.len()), (Some("sent"), 1));
        let [player] = &file.players[..] else { panic!("{file:?}") };
        assert_eq!(
            (player.name.as_deref(), player.place.as_str()),
            (Some("ada"), "class.toml:14:1")
        );
        let mut options = player.options.clone();
        options.sort_unstable();
        assert_eq!(options, ["allow-read=/etc", "allow-read=/usr", "threads=1"]);
    }

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        for (text, part) in [
            (
                "[tournament]\ngame = \"tron\"\nfromat = \"swiss\"",
                "class.toml:3:1: expected a key (",
            ),
            ("[tournament]\nfromat = \"swiss\"", "did you mean format?"),
            ("[tournament]\nformat = \"swis\"", "class.toml:2:10: format: expected round-robin"),
            ("[tournament]\nformat = \"swis\"", "did you mean swiss?"),
            ("[tournament]\nrounds = \"seven\"", "class.toml:2:10: rounds: expected a number"),
            ("[tournament]\nmove-time = 100", "class.toml:2:13: move-time: "),
            ("[tournament]\nrounds = {}", "expected a text or a number, got table"),
            (
                "[tournment]\n",
                "class.toml:1:2: expected a key (tournament, players, player or grade)",
            ),
            ("[players]\nform = \"x\"", "did you mean from?"),
            ("[[player]]\nnam = \"x\"", "did you mean name?"),
            (
                "[[player]]\nname = 3",
                "class.toml:2:8: name: expected a text in quotes, got integer",
            ),
            ("[player]\nname = \"x\"", "player: expected [[player]], got table"),
            ("[grade]\nbot = \"x\"", "grade: expected [[grade]], got table"),
            ("[[grade]]\nbot = \"x\"", "class.toml:1:1: grade: expected the key points, got none"),
            ("[[grade]]\npoints = 1", "class.toml:1:1: grade: expected the key bot, got none"),
            ("[[grade]]\npoint = 1", "did you mean points?"),
            ("[[grade]]\npoints = 0", "class.toml:2:10: points: expected a number above 0, got 0"),
            ("[[grade]]\npoints = -1.5", "points: expected a number above 0, got -1.5"),
            ("[[grade]]\npoints = inf", "points: expected a number above 0, got inf"),
            ("[[grade]]\npoints = nan", "points: expected a number above 0, got nan"),
            ("[[grade]]\npoints = \"1\"", "points: expected a number above 0, got string"),
            ("[tournament\n", "class.toml:1:12: "),
            ("[tournament]\ngame = \"a\"\ngame = \"b\"", "class.toml:3:1: duplicate key"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
