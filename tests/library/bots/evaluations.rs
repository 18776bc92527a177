//! Evaluations in the comments of bundled bots.

use arbitre::bots::{BotProgram, BOTS};
use arbitre::console::BundledBot;
use arbitre::internals::play::adjudicator::{number_after, score_of};
use arbitre::internals::play::record::Record;
use arbitre::internals::run::PlayerSource;
use arbitre_test_support::matches::Match;
use std::sync::Arc;

/// Rules of short games; the others are played by their defaults.
const SHORT: [(&str, &str); 4] = [
    ("tron", "size=12x10"),
    ("seven-colors", "size=10x10"),
    ("taquin", "eight"),
    ("hextris", "small"),
];

/// Plays a game of a strategy against itself, with few nodes per move.
fn game(bot: &'static BotProgram, strategy: &str, seats: usize) -> Record {
    let words = [strategy, "--nodes", "100"].map(str::to_owned);
    let source =
        PlayerSource::InProcess(Arc::new(move || bot.console(&words).expect("valid options")));
    let rules = SHORT.iter().find(|(game, _)| *game == bot.name).map_or("", |(_, rules)| rules);
    let sources = Match::of(vec![source; seats]);
    let match_of_one = Match { game: bot.name, seats, games: 1, rules, openings: 0, ..sources };
    match_of_one.play().1.swap_remove(0)
}

/// In solo games the last score is that of the game, so that more is better.
#[test]
fn every_move_of_every_strategy_has_an_evaluation() {
    let registry = arbitre::registry();
    for bot in BOTS {
        let meta = registry.open(bot.name, "").unwrap().meta();
        let (least, most) = meta.seats;
        for (strategy, _) in bot.strategies {
            for seats in least..=most {
                let played = game(bot, strategy, seats).played;
                let name = format!("{} {strategy}, {seats} seats", bot.name);
                assert!(played.faults.is_empty(), "{name}: {:?}", played.faults);
                assert!(!played.plies.is_empty(), "{name}");
                for ply in &played.plies {
                    let comment = ply.comment.as_deref().unwrap_or_default();
                    let (score, win) = (score_of(comment), number_after("win", comment));
                    assert!(score.is_some() || win.is_some(), "{name}: '{comment}'");
                    assert!(win.is_none_or(|share| (0.0..=1.0).contains(&share)), "{comment}");
                }
                let last = played.plies.last().and_then(|ply| score_of(ply.comment.as_deref()?));
                let points = played.outcome.expect("the game ended").scores[0] as f64;
                let expected = if meta.lower_is_better { -points } else { points };
                assert!(!meta.is_solo() || last == Some(expected), "{name}: {last:?}, {expected}");
            }
        }
    }
}
