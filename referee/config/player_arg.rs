//! Argument for a player on the command line: `NAME[move-time=50ms]=DIALECT@COMMAND`.

use crate::registry::Registry;
use arbitre_games::game::ParseError;
use arbitre_games::text::HELP;
use std::collections::{BTreeMap, HashSet};
use std::path::{absolute, Path};

/// Parsed argument for a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerArg {
    /// Given name, or one made from the command; not yet made unique.
    pub name: String,
    /// Whether the name was given.
    pub is_named: bool,
    /// The player's own limits and sandbox, as `key=value` or a bare word.
    pub options: Vec<String>,
    /// The player's own dialect, if given.
    pub dialect: Option<String>,
    /// Command as written.
    pub command: String,
    /// Kind of the command.
    pub kind: CommandKind,
    /// Folder of the program alone, in which it starts, if it has one.
    pub folder: Option<String>,
}

/// Kind of player that a command stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// A person at the terminal.
    Human,
    /// A bundled bot with its arguments.
    Bundled(String, Vec<String>),
    /// A program with its arguments.
    External(Vec<String>),
    /// A player that cannot play, with the reason.
    Absent(String),
}

impl PlayerArg {
    /// Parses the arguments for several players.
    ///
    /// # Errors
    /// Returns the errors of [`PlayerArg::parse`].
    pub fn parse_all(texts: &[String], registry: &Registry) -> Result<Vec<PlayerArg>, ParseError> {
        let parsed = texts.iter().map(|text| PlayerArg::parse(text, registry));
        let mut players: Vec<PlayerArg> = parsed.collect::<Result<_, _>>()?;
        name_by_folder(&mut players);
        Ok(players)
    }

    /// Parses the argument for one player.
    ///
    /// # Errors
    /// Returns an error if a quote is not closed, there is no command, or the dialect is unknown.
    /// A name with `=` and a word that is an operator of a shell are errors, too.
    pub fn parse(text: &str, registry: &Registry) -> Result<PlayerArg, ParseError> {
        let (name, options, rest) = split_name(text)?;
        let (dialect, command) = split_dialect(rest, registry)?;
        let command = command.trim();
        if let (Some(name), Some(more)) = (name, rest_of_name(command)) {
            return Err(ParseError::new(format!(
                "expected a name without '=', got '{name}={more}'{HELP}write {name}-{more}=COMMAND"
            )));
        }
        if command.is_empty() {
            return Err(ParseError::new(format!("expected a command, got '{text}'")));
        }
        let kind = CommandKind::parse(command, registry)?;
        if let CommandKind::External(words) = &kind {
            refuse_operators(command, words)?;
        }
        let is_named = name.is_some();
        let name = name.map_or_else(|| default_name(&kind), str::to_owned);
        let command = command.into();
        Ok(PlayerArg { name, is_named, options, dialect, command, kind, folder: None })
    }

    /// Returns a player that cannot play, with the reason.
    pub fn absent(name: &str, why: &str) -> PlayerArg {
        PlayerArg::of(name, String::new(), CommandKind::Absent(why.into()))
    }

    /// Returns a player of this name without options.
    pub fn of(name: &str, command: String, kind: CommandKind) -> PlayerArg {
        let (name, options) = (name.into(), Vec::new());
        PlayerArg { name, is_named: true, options, dialect: None, command, kind, folder: None }
    }
}

impl CommandKind {
    /// Parses a command.
    ///
    /// # Errors
    /// Returns an error if a quote is not closed, or there are no words.
    pub fn parse(command: &str, registry: &Registry) -> Result<CommandKind, ParseError> {
        let words = split_words(command)?;
        Ok(match words.split_first() {
            None => return Err(ParseError::new(format!("expected a command, got '{command}'"))),
            Some((first, [])) if first == "human" => CommandKind::Human,
            Some((first, rest)) if registry.bot(first).is_some() => {
                CommandKind::Bundled(first.clone(), rest.to_vec())
            }
            Some(_) => CommandKind::External(words),
        })
    }

    /// Parses the command of a program in a folder of its own.
    ///
    /// # Errors
    /// Returns an error if a quote is not closed, or there are no words.
    pub fn parse_program(command: &str) -> Result<Vec<String>, ParseError> {
        let words = split_closed(command)?;
        match words.is_empty() {
            true => Err(ParseError::new(format!("expected a command, got '{command}'"))),
            false => Ok(words),
        }
    }
}

/// Splits off `NAME[options]=`. Any other `=` belongs to the command.
fn split_name(text: &str) -> Result<(Option<&str>, Vec<String>, &str), ParseError> {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let (options, after) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((options, after)) => (options, after),
        None => ("", rest),
    };
    let Some(command) = after.strip_prefix('=') else {
        if !options.is_empty() {
            let message =
                format!("expected '=' and a command after '{name}[{options}]', got '{after}'");
            return Err(ParseError::new(message));
        }
        return Ok((None, Vec::new(), text));
    };
    let options = options.split(',').map(str::trim).filter(|word| !word.is_empty());
    Ok((Some(name).filter(|name| !name.is_empty()), options.map(str::to_owned).collect(), command))
}

/// Returns what a command begins with if it was meant to be a part of the name, as in
/// `lr=0.1=./bot`: a word before `=` that is neither a file nor a variable such as `DEBUG=1`.
fn rest_of_name(command: &str) -> Option<&str> {
    let (word, after) = command.split_once('=')?;
    let is_word = !word.is_empty() && word.chars().all(is_name) && !after.is_empty();
    let is_variable = word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let program = command.split_whitespace().next()?;
    (is_word && !is_variable && !Path::new(program).is_file()).then_some(word)
}

/// Returns `true` for a character of a name.
pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// Splits off `DIALECT@`: letters and digits before the first `@`.
fn split_dialect<'a>(
    text: &'a str,
    registry: &Registry,
) -> Result<(Option<String>, &'a str), ParseError> {
    let Some((dialect, command)) = text.split_once('@') else { return Ok((None, text)) };
    if dialect.is_empty() || !dialect.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Ok((None, text));
    }
    registry.check_dialect(dialect)?;
    Ok((Some(dialect.into()), command))
}

/// Splits a command into words by a shell's quotes and backslashes, without any expansion. A text
/// with a slash or an apostrophe is one word if it is the path of a file or folder.
fn split_words(command: &str) -> Result<Vec<String>, ParseError> {
    let split = split_closed(command);
    if (command.contains('/') || split.is_err()) && Path::new(command).exists() {
        return Ok(vec![command.into()]);
    }
    split
}

/// Operators of shells, where they stand alone.
const OPERATORS: [&str; 9] = ["|", "||", "&&", "&", ";", "<", ">", ">>", "2>"];

/// Refuses an operator of a shell that is not quoted: the program would get it as an argument.
fn refuse_operators(command: &str, words: &[String]) -> Result<(), ParseError> {
    let is_bare = |operator: &&str| {
        let is_word = words.iter().any(|word| word == operator);
        is_word && command.split_whitespace().any(|word| word == *operator)
    };
    match OPERATORS.iter().find(|operator| is_bare(operator)) {
        None => Ok(()),
        Some(operator) => Err(ParseError::new(format!(
            "expected a command without a shell, got '{operator}' in '{command}'{HELP}write sh -c {}",
            shell_words::quote(command)
        ))),
    }
}

/// Splits a command into words by a shell's quotes and backslashes.
fn split_closed(command: &str) -> Result<Vec<String>, ParseError> {
    shell_words::split(command)
        .map_err(|_| ParseError::new(format!("expected closed quotes, got '{command}'")))
}

/// Names programs whose files have equal names by folders of their paths: the nearest ones that all
/// differ. Names stay equal where no folders do.
pub fn name_by_folder(players: &mut [PlayerArg]) {
    let mut equal: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, player) in players.iter().enumerate() {
        if !player.is_named && file(&player.kind).is_some() {
            equal.entry(player.name.clone()).or_default().push(i);
        }
    }
    let mut taken: HashSet<String> = players.iter().map(|player| player.name.clone()).collect();
    for group in equal.into_values().filter(|group| group.len() > 1) {
        let paths = group.iter().filter_map(|&i| absolute(file(&players[i].kind)?).ok());
        let folders: Vec<Vec<String>> = paths.map(|path| folders_of(&path)).collect();
        let depth = folders.iter().map(Vec::len).min().unwrap_or(0);
        let names_at = |level: usize| folders.iter().map(move |folders| &folders[level]);
        let level = (0..depth).find(|&level| {
            let names: HashSet<&String> = names_at(level).collect();
            names.len() == group.len() && names.iter().all(|name| !taken.contains(*name))
        });
        for (&i, name) in group.iter().zip(level.into_iter().flat_map(names_at)) {
            players[i].name.clone_from(name);
            taken.insert(name.clone());
        }
    }
}

/// Returns the names of the folders of a path, the nearest one first.
fn folders_of(path: &Path) -> Vec<String> {
    let folders = path.ancestors().skip(1).filter_map(Path::file_name);
    folders.map(|name| printable(&name.to_string_lossy())).collect()
}

/// Returns the file after which a program is named, which for an interpreter is the script.
fn file(kind: &CommandKind) -> Option<&str> {
    let CommandKind::External(words) = kind else { return None };
    let script = words[1..].iter().find(|word| !word.starts_with('-'));
    // Code after `-c` or `-e` is no file, so the interpreter gives the name.
    let inline = words.iter().any(|word| word == "-c" || word == "-e");
    Some(script.filter(|_| is_interpreter(&stem(&words[0])) && !inline).unwrap_or(&words[0]))
}

fn stem(word: &str) -> String {
    let stem = Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "player".into())
}

/// Replaces characters that a name cannot have.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c.is_whitespace() { '_' } else { c }).collect()
}

/// Returns the name of the bundled bot with its strategy, or the stem of the program's file.
fn default_name(kind: &CommandKind) -> String {
    match kind {
        CommandKind::Human => "human".into(),
        CommandKind::Bundled(name, words) => {
            // An option is no strategy.
            let strategy = words.first().filter(|word| !word.starts_with('-'));
            strategy.map_or_else(|| name.clone(), |strategy| format!("{name} {strategy}"))
        }
        kind => printable(&file(kind).map_or_else(|| "player".into(), stem)),
    }
}

fn is_interpreter(stem: &str) -> bool {
    const INTERPRETERS: [&str; 14] = [
        "python", "pypy", "node", "deno", "bun", "ruby", "perl", "lua", "java", "ocaml", "php",
        "bash", "sh", "guile",
    ];
    // Versioned interpreters such as `python3.11` count as well.
    let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::testing::registry;

    fn parse(text: &str) -> Result<PlayerArg, ParseError> {
        PlayerArg::parse(text, &registry())
    }

    fn external(words: &[&str]) -> CommandKind {
        CommandKind::External(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn all_parts_are_parsed() {
        let arg = parse("me.2[move-time=50ms, depth=4]=arbitre@./bot 'a b' --x=1").unwrap();
        assert_eq!(arg.name, "me.2");
        assert_eq!(arg.options, ["move-time=50ms", "depth=4"]);
        assert_eq!(arg.dialect.as_deref(), Some("arbitre"));
        assert_eq!(arg.command, "./bot 'a b' --x=1");
        assert_eq!(arg.kind, external(&["./bot", "a b", "--x=1"]));
    }

    #[test]
    fn equals_sign_after_a_blank_belongs_to_the_command() {
        let arg = parse("./bot --x=1").unwrap();
        assert_eq!((arg.name.as_str(), arg.kind), ("bot", external(&["./bot", "--x=1"])));
        assert_eq!(parse("me=DEBUG=1 ./bot").unwrap().kind, external(&["DEBUG=1", "./bot"]));
        assert_eq!(parse("A=./B=c").unwrap().kind, external(&["./B=c"]));
        assert_eq!(parse("./bot '|' a").unwrap().kind, external(&["./bot", "|", "a"]));
        assert_eq!(parse("sh -c 'a | b'").unwrap().kind, external(&["sh", "-c", "a | b"]));
    }

    #[test]
    fn default_name_is_that_of_the_bot_file_or_script() {
        let cases = [
            ("awele greedy", "awele greedy"),
            ("awele --depth 2", "awele"),
            ("human", "human"),
            ("./my_bot.py", "my_bot"),
            ("python3 -u dir/my_bot.py 3", "my_bot"),
            ("python3.11 x.y.py", "x.y"),
            ("java Bot", "Bot"),
            ("sh -c 'while read w; do :; done'", "sh"),
            ("./élève", "élève"),
        ];
        for (command, name) in cases {
            assert_eq!(parse(command).unwrap().name, name, "{command}");
        }
    }

    #[test]
    fn files_with_equal_names_are_named_by_folder() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["a/main.py", "python3 b/main.py", "awele"], &["a", "b", "awele"]),
            (&["v1/target/release/bot", "v2/target/release/bot"], &["v1", "v2"]),
            (&["x/a/bot", "y/a/bot", "z/b/bot"], &["x", "y", "z"]),
            (&["./bot", "./bot", "a/bot"], &["bot", "bot", "bot"]),
            (&["me=a/bot", "b/bot", "a/other"], &["me", "bot", "other"]),
            (&["bot=a/bot", "b/bot"], &["bot", "bot"]),
        ];
        for (commands, names) in cases {
            let commands: Vec<String> = commands.iter().map(|&word| word.into()).collect();
            let players = PlayerArg::parse_all(&commands, &registry()).unwrap();
            let found: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
            assert_eq!(found, names);
        }
    }

    #[test]
    fn malformed_players_are_refused() {
        let cases = [
            ("arbitr@./bot", "did you mean arbitre?"),
            ("./bot 'a", "expected closed quotes"),
            ("", "expected a command"),
            ("me=", "expected a command"),
            ("me[depth=3] ./bot", "expected '='"),
            (
                "./bot | tee log",
                "got '|' in './bot | tee log'; help: write sh -c './bot | tee log'",
            ),
            ("me=./bot 2> /dev/null", "got '2>' in './bot 2> /dev/null'"),
            (
                "lr=0.1=./bot",
                "expected a name without '=', got 'lr=0.1'; help: write lr-0.1=COMMAND",
            ),
            ("lr[depth=3]=0.1=./bot -x", "got 'lr=0.1'"),
        ];
        for (text, part) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
