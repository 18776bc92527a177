//! Consoles of all bundled bots, with every strategy, which hear mutated conversations.

use crate::parsers::claim::runner;
use crate::parsers::conversations::{greeted, BARE};
use crate::parsers::mutation::{inputs, Input};
use arbitre::bots::BOTS;
use arbitre::console::BundledBot;
use proptest::prelude::*;

/// Share of the usual cases per strategy and conversation: engines search at every turn.
const DIVISOR: u32 = 50;

/// Starts a console, and lets it hear a text line by line until the conversation cannot continue.
fn hear(bot: &dyn BundledBot, arguments: &[&str], text: &[u8]) -> Result<(), String> {
    let words: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    let mut console = bot.console(&words).map_err(|why| why.to_string())?;
    let mut out = String::new();
    console.start(&mut out);
    for line in String::from_utf8_lossy(text).lines() {
        console.hear(line, &mut out).map_err(|why| why.to_string())?;
    }
    Ok(())
}

#[test]
fn consoles_survive_every_conversation() {
    for bot in BOTS {
        let own = greeted(bot.name);
        let bare = BARE.iter().filter(|(game, ..)| *game == bot.name);
        let all: Vec<(&[&str], &str)> = std::iter::once((&[][..], own.as_str()))
            .chain(bare.map(|&(_, arguments, text)| (arguments, text)))
            .collect();
        for (strategy, _) in bot.strategies {
            for (arguments, text) in &all {
                // Few nodes, and a clock for which no engine calibrates itself.
                let mut words = vec![*strategy, "--nodes", "20", "--clock", "nodes 20"];
                if bot.name == "awele" && matches!(*strategy, "best" | "alpha-beta") {
                    words.extend(["--tables", "none"]);
                }
                words.extend(*arguments);
                let checked = |Input(text)| {
                    // Even the unchanged text may hold a reply to another move than the engine's.
                    if let Err(why) = hear(bot, &words, &text) {
                        prop_assert!(why.contains("expected"), "{why}");
                    }
                    Ok(())
                };
                checked(Input(text.as_bytes().to_vec())).unwrap();
                let valid = vec![text.as_bytes().to_vec()];
                if let Err(why) = runner(DIVISOR).run(&inputs(valid), checked) {
                    panic!("{words:?}: {why}");
                }
            }
        }
    }
}
