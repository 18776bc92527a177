//! Hextris at the table: an answer is a line of characters, taken as it stands.

use arbitre::clock::{Clock, Go};
use arbitre::dialect::{BotEnd, Notation, RefereeEnd};
use arbitre::dialects::arbitre::{Bot, Referee};
use arbitre::game::{Game, Seat, State};
use arbitre::games::hextris::{Hextris, ANSWER_LIMIT};
use arbitre::referee::registry::{self, Tongue};
use arbitre::referee::table::{Opening, Refusal};

const SETUP: &str = "problem {\"id\":0,\"width\":5,\"height\":3,\"filled\":[],\"units\":[{\"members\":\
    [{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],\"sourceLength\":2,\"sourceSeeds\":[0]}; seed 0";

/// What the table answers to these lines, and how it ends.
fn answers(lines: &[&str]) -> (Vec<Result<String, Refusal>>, Option<Vec<i64>>) {
    let game = (registry::find("hextris").unwrap().open)("phrases=ei!").unwrap();
    let mut table = game.table(SETUP, &[Tongue::Dialect("arbitre")]).unwrap();
    let (clock, mut said) = (Clock::default(), String::new());
    assert_eq!(table.line_limit(Seat::FIRST), ANSWER_LIMIT);
    table.open(Seat::FIRST, &Opening { clock: &clock, seed: 1, kept: false }, &mut said);
    table.hear_ready(Seat::FIRST, "ready tester").unwrap();
    let mut hear = |line: &&str| {
        table.ask(Seat::FIRST, Go::Untimed, &mut said);
        table.hear(Seat::FIRST, line).map(|heard| heard.mv)
    };
    let answers = lines.iter().map(&mut hear).collect();
    (answers, table.outcome().map(|outcome| outcome.scores))
}

/// Blanks are commands: south-east three times, of which the last locks; then the phrase, and the floor.
#[test]
fn blanks_are_commands_and_an_answer_may_stop_short() {
    let (said, scores) = answers(&["   ", "Ei!", "aa"]);
    let told = ["   ", "ei!", "aa"].map(|text| Ok(text.to_string()));
    assert_eq!((&said[..2], scores), (&told[..2], Some(vec![308])), "{said:?}");
    let (said, scores) = answers(&["ei!", ""]);
    assert_eq!((said[1].clone(), scores), (Ok("$".into()), Some(vec![306])));
}

#[test]
fn a_bad_character_is_named_and_nothing_was_played() {
    let (said, scores) = answers(&["epe", "e#p", "p$p", "  \t ei!$"]);
    let illegal = |why: &str| Err(Refusal::Illegal(why.into()));
    assert_eq!(said[0], illegal("move 2 of 3, p: the unit was there before"));
    assert!(matches!(&said[1], Err(Refusal::Invalid(why)) if why.contains("character 1 is '#'")));
    assert_eq!(said[2], illegal("move 3 of 3, p: the game is over"));
    assert_eq!((said[3].clone(), scores), (Ok("  \t ei!$".into()), Some(vec![307])));
}

/// What a bot's end writes the referee's end reads, blanks at both ends included.
#[test]
fn both_ends_mean_the_same_path() {
    let game = Hextris::from_rules("small").unwrap();
    for (number, setup) in game.setups(1, 0, arbitre::rng::Rng::new(3)).take(20).enumerate() {
        let (mut bot, mut referee) = (Bot::<Hextris>::new(0), Referee::default());
        let rules = format!("game hextris {}", game.rules());
        let setups = game.setup_lines(&setup);
        let setups: Vec<String> = setups.iter().map(|line| format!("setup {line}")).collect();
        for line in ["arbitre 1", &rules, "seats 1 you 0", &setups[0], &setups[1], "begin"] {
            bot.hear(line).unwrap();
        }
        let mut state = game.start(&setup).unwrap();
        let path = game.parse_path(&" a "[..1 + number % 3]).unwrap();
        let mut line = String::new();
        bot.answer_path(&path, "nobody reads this", &mut line);
        let read = referee.read_path(&game, line.strip_suffix('\n').unwrap()).unwrap();
        assert_eq!((&read.mv, read.comment), (&path, None));
        read.mv.iter().for_each(|&c| state.play(Seat::FIRST, c).unwrap());
        let arbitre::dialect::Cue::Choose(kept, ..) = bot.hear("go").unwrap() else {
            panic!("the bot is asked");
        };
        assert_eq!((kept.played(), kept.score()), (state.played(), state.score()));
    }
}
