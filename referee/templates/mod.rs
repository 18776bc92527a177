//! Templates of bots: one file per language, which plays random legal moves in any game that lists
//! them and marks the place for the author's own code.

use crate::registry::GameInfo;
use arbitre_games::dialect::DialectInfo;

/// Template of a bot in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BotTemplate {
    /// Name of the language on the command line.
    pub language: &'static str,
    /// Name and text of the source file, before placeholders are filled in.
    source: (&'static str, &'static str),
    /// Text of the build script, if the language needs one.
    build: Option<&'static str>,
    /// Command that runs the bot; `{dir}` stands for its folder.
    run: &'static str,
}

/// Name of the build script.
pub const BUILD: &str = "build.sh";

const PYTHON: BotTemplate = BotTemplate {
    language: "python",
    source: ("bot.py", include_str!("bot.py")),
    build: None,
    run: "python3 {dir}/bot.py",
};
const C: BotTemplate = BotTemplate {
    language: "c",
    source: ("bot.c", include_str!("bot.c")),
    build: Some(include_str!("build-c.sh")),
    run: "{dir}/bot",
};
const JAVA: BotTemplate = BotTemplate {
    language: "java",
    source: ("Bot.java", include_str!("Bot.java")),
    build: Some(include_str!("build-java.sh")),
    run: "java -cp {dir} Bot",
};
const OCAML: BotTemplate = BotTemplate {
    language: "ocaml",
    source: ("bot.ml", include_str!("bot.ml")),
    build: Some(include_str!("build-ocaml.sh")),
    run: "{dir}/bot",
};
const RUST: BotTemplate = BotTemplate {
    language: "rust",
    source: ("bot.rs", include_str!("bot.rs")),
    build: Some(include_str!("build-rust.sh")),
    run: "{dir}/bot",
};

/// Templates of all languages.
pub const BOT_TEMPLATES: [BotTemplate; 5] = [PYTHON, C, JAVA, OCAML, RUST];

/// Template of games in one language: a serving part, and games that use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTemplate {
    /// Name of the language on the command line.
    pub language: &'static str,
    /// Names and texts of the files.
    pub files: &'static [(&'static str, &'static str)],
    /// Commands that run the games, each with its number of players; `{dir}` stands for their
    /// folder.
    pub commands: &'static [(&'static str, usize)],
    /// Command of a player.
    pub bot: &'static str,
    /// Arena whose lines the players speak, if they do.
    pub arena: Option<&'static str>,
}

/// Command of a player that the author writes.
const OWN_BOT: &str = "./my_bot";

/// Templates of games in all languages.
pub const GAME_TEMPLATES: [GameTemplate; 3] = [
    GameTemplate {
        language: "python",
        files: &[
            ("arbitre_rules.py", include_str!("games/arbitre_rules.py")),
            ("tictactoe.py", include_str!("games/tictactoe.py")),
            ("tricks.py", include_str!("games/tricks.py")),
        ],
        commands: &[("python3 {dir}/tictactoe.py", 2), ("python3 {dir}/tricks.py", 3)],
        bot: OWN_BOT,
        arena: None,
    },
    GameTemplate {
        language: "rust",
        files: &[
            ("arbitre_rules.rs", include_str!("games/arbitre_rules.rs")),
            ("tictactoe.rs", include_str!("games/tictactoe.rs")),
            ("tricks.rs", include_str!("games/tricks.rs")),
            (BUILD, include_str!("games/build.sh")),
        ],
        commands: &[("{dir}/tictactoe", 2), ("{dir}/tricks", 3)],
        bot: OWN_BOT,
        arena: None,
    },
    GameTemplate {
        language: "python",
        files: &[
            ("arbitre_rules.py", include_str!("games/arbitre_rules.py")),
            ("tictactoe.py", include_str!("codingame/tictactoe.py")),
            ("bot.py", include_str!("codingame/tictactoe_bot.py")),
        ],
        commands: &[("python3 {dir}/tictactoe.py", 2)],
        bot: "python3 {dir}/bot.py",
        arena: Some(DialectInfo::CODINGAME.name),
    },
];

impl BotTemplate {
    /// Returns the template with another source, which an arena takes too.
    pub fn for_arena(self, text: &'static str) -> BotTemplate {
        // The class that CodinGame runs has this name.
        let (file, run) = match self.language {
            "java" => ("Player.java", "java -cp {dir} Player"),
            _ => (self.source.0, self.run),
        };
        BotTemplate { source: (file, text), run, ..self }
    }

    /// Returns the files for a game, each with its name and text. `name` is the name that the bot
    /// reports.
    pub fn files(&self, entry: &GameInfo, name: &str) -> Vec<(&'static str, String)> {
        let (file, template) = self.source;
        let text = with_lines(template, "{state}", entry.state_help);
        let text = text.replace("{title}", entry.meta.title).replace("{name}", name);
        let build = self.build.map(|script| (BUILD, script.to_owned()));
        std::iter::once((file, text)).chain(build).collect()
    }

    /// Returns the command that runs the bot in `folder`, as an argument for the referee.
    pub fn command(&self, folder: &str) -> String {
        in_folder(self.run, folder)
    }
}

/// Returns a command with its folder filled in.
pub fn in_folder(command: &str, folder: &str) -> String {
    // The shell searches for a word without a slash in PATH.
    let folder = if folder.contains('/') { folder.into() } else { format!("./{folder}") };
    command.replace("{dir}", &shell_words::quote(&folder))
}

/// Repeats the line that contains `mark` once for each of `lines`.
fn with_lines(text: &str, mark: &str, lines: &[&str]) -> String {
    let expand = |line: &str| match line.contains(mark) {
        true => lines.iter().map(|new| line.replace(mark, new) + "\n").collect(),
        false => format!("{line}\n"),
    };
    text.lines().map(expand).collect()
}
