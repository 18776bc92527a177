//! Bots to begin with: one file in each language that plays any legal move of any game that lists
//! them, with the place for one's own thinking.

use crate::registry::GameInfo;

/// A language in which a bot can be begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BotTemplate {
    /// The word for it on the command line.
    pub language: &'static str,
    /// The name of the source, and its text before the game is filled in.
    source: (&'static str, &'static str),
    /// The script that builds it, where it must be built.
    build: Option<&'static str>,
    /// What runs it: `{dir}` is its folder.
    run: &'static str,
}

/// The name of the script that builds a bot.
pub const BUILD: &str = "build.sh";

/// Every language.
pub const BOT_TEMPLATES: [BotTemplate; 5] = [
    BotTemplate {
        language: "python",
        source: ("bot.py", include_str!("bot.py")),
        build: None,
        run: "python3 {dir}/bot.py",
    },
    BotTemplate {
        language: "c",
        source: ("bot.c", include_str!("bot.c")),
        build: Some(include_str!("build-c.sh")),
        run: "{dir}/bot",
    },
    BotTemplate {
        language: "java",
        source: ("Bot.java", include_str!("Bot.java")),
        build: Some(include_str!("build-java.sh")),
        run: "java -cp {dir} Bot",
    },
    BotTemplate {
        language: "ocaml",
        source: ("bot.ml", include_str!("bot.ml")),
        build: Some(include_str!("build-ocaml.sh")),
        run: "{dir}/bot",
    },
    BotTemplate {
        language: "rust",
        source: ("bot.rs", include_str!("bot.rs")),
        build: Some(include_str!("build-rust.sh")),
        run: "{dir}/bot",
    },
];

impl BotTemplate {
    /// Its files for this game, each with its name and text. `name` is what the bot calls itself.
    pub fn files(&self, entry: &GameInfo, name: &str) -> Vec<(&'static str, String)> {
        let (file, template) = self.source;
        let text = with_lines(template, "{state}", entry.state_help);
        let text = text.replace("{title}", entry.meta.title).replace("{name}", name);
        let build = self.build.map(|script| (BUILD, script.to_owned()));
        std::iter::once((file, text)).chain(build).collect()
    }

    /// The command that runs it in this folder, a player for the referee.
    pub fn command(&self, folder: &str) -> String {
        // A word without a slash would be looked for in PATH.
        let folder = if folder.contains('/') { folder.into() } else { format!("./{folder}") };
        self.run.replace("{dir}", &shell_words::quote(&folder))
    }
}

/// A text in which the line of this mark is there once for each of these lines.
fn with_lines(text: &str, mark: &str, lines: &[&str]) -> String {
    let expand = |line: &str| match line.contains(mark) {
        true => lines.iter().map(|new| line.replace(mark, new) + "\n").collect(),
        false => format!("{line}\n"),
    };
    text.lines().map(expand).collect()
}
