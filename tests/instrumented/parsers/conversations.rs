//! Bots' ends of every dialect, which hear mutated lines of a whole conversation.

use crate::parsers::claim::{valid, Claim};
use crate::parsers::texts::{constant_of, PROBLEM};
use arbitre::clock::Clock;
use arbitre::dialect::{ArenaDefaults, BotAction, BotEnd, Notation, Ready};
use arbitre::dialects::arbitre::ArbitreBot;
use arbitre::dialects::detect::Detecting;
use arbitre::dialects::relay::RelayBot;
use arbitre::game::State;
use arbitre::games::awele::{self, Awele};
use arbitre::games::hextris::Hextris;
use arbitre::games::seven_colors::SevenColors;
use arbitre::games::taquin::Taquin;
use arbitre::games::tron::{self, Tron};

/// Reaction of a bot that plays the first legal move.
enum Reaction<M> {
    Nothing,
    Ready,
    Play(M),
}

fn reaction<G: Notation>(action: BotAction<G>) -> Reaction<G::Move> {
    match action {
        BotAction::Choose(state, seat, _) => {
            let moves = state.moves(seat);
            Reaction::Play(*moves.first().expect("a bot that is asked has a legal move"))
        }
        BotAction::Reply(mv) => Reaction::Play(mv),
        BotAction::Begin(_) => Reaction::Ready,
        BotAction::Listen | BotAction::Over => Reaction::Nothing,
    }
}

/// Lets `end` react until it waits for the next line.
fn react<G: Notation>(end: &mut dyn BotEnd<G>, mut next: Reaction<G::Move>) {
    let mut out = String::new();
    loop {
        match next {
            Reaction::Nothing => return,
            Reaction::Ready => {
                end.ready(&Ready { name: "tester".into(), ..Ready::default() }, &mut out);
                next = reaction(end.follow_up());
            }
            Reaction::Play(mv) if G::META.is_solo() => return end.answer_path(&[mv], "", &mut out),
            Reaction::Play(mv) => return end.answer(mv, "", &mut out),
        }
    }
}

/// Leads the conversation of a text, line by line.
fn converse<G: Notation>(end: &mut dyn BotEnd<G>, text: &[u8]) -> Result<(), String> {
    let next = reaction(end.start());
    react(end, next);
    for line in String::from_utf8_lossy(text).lines() {
        let next = reaction(end.hear(line).map_err(|why| why.to_string())?);
        react(end, next);
    }
    Ok(())
}

fn check<G: Notation>(name: &'static str, texts: &[&str], end: impl Fn() -> Box<dyn BotEnd<G>>) {
    let parse = |text: &[u8]| converse(&mut *end(), text);
    let constant = constant_of(G::META.name);
    Claim { name, valid: valid(texts), factor: 60, constant, parse }.check();
}

fn defaults<G: Notation>(rules: &str) -> ArenaDefaults<G> {
    ArenaDefaults { game: G::from_rules(rules).unwrap(), clock: Clock::default(), seed: 4 }
}

/// Conversations in the dialect `arbitre`, by game.
pub fn greeted(game: &str) -> String {
    let (rules, seats, setup, turns) = match game {
        "awele" => ("", "2 you 1", "opening 2 5", "moved 0 3\ngo 100\nmoved 0 2\ngo 90\nresult 25 23"),
        "tron" => (
            "size=4x3",
            "2 you 0",
            "start 0 0 1\nsetup start 1 3 1",
            "state ..../A..B/....\nlegal UP RIGHT DOWN\ngo 1000\nmoved 1 UP\ngo 100\nout 1 crash\nresult 1 0",
        ),
        "seven-colors" => (
            "size=3x3 colours=4 ban=opponent symmetric=no",
            "2 you 0",
            "AB.\nsetup BCA\nsetup *AD",
            "go\nmoved 1 B\ngo 60000 100",
        ),
        "taquin" => ("eight", "1 you 0", "0 1 2 / 3 4 5 / _ 6 7", "go\nstate 0 1 2 / 3 4 5 / 6 _ 7\ngo 5\nresult 2"),
        "hextris" => ("", "1 you 0", "", "go 100\ngo 100"),
        _ => panic!("no conversation for {game}"),
    };
    let setup = match game {
        "hextris" => format!("problem {PROBLEM}\nsetup seed 7"),
        _ => setup.to_owned(),
    };
    format!(
        "arbitre 1\ngame {game} {rules}\nseats {seats}\nclock wall first 1000 move 100\nseed 77\n\
         setup {setup}\nbegin\n{turns}\n"
    )
}

#[test]
fn greeted_conversations_hold_their_claim() {
    check::<Awele>("awele", &[&greeted("awele")], || Box::new(ArbitreBot::new(None)));
    check::<Tron>("tron", &[&greeted("tron")], || Box::new(ArbitreBot::new(None)));
    check::<SevenColors>("seven-colors", &[&greeted("seven-colors")], || {
        Box::new(ArbitreBot::new(None))
    });
    check::<Taquin>("taquin", &[&greeted("taquin")], || Box::new(ArbitreBot::new(None)));
    check::<Hextris>("hextris", &[&greeted("hextris")], || Box::new(ArbitreBot::new(None)));
}

/// Conversations of dialects without a greeting: game, arguments of a bundled bot, lines.
pub const BARE: [(&str, &[&str], &str); 8] = [
    ("awele", &["0"], "3\n2\n"),
    ("awele", &["1"], "3\n2\n"),
    ("seven-colors", &["--rules", "size=3x2 colours=3 symmetric=no", "1"], "2 3\nAB.\n*CA\nC\n"),
    ("awele", &["--dialect", "codingame"], "4 4 4 4 4 4 4 4 4 4 4 4\n5 5 0 5 5 5 5 4 4 0 5 5\n"),
    ("awele", &[], "0 0 0 0 0 1 0 0 0 0 0 0\n0 0 0 0 0 0 1 0 0 0 0 0\n"),
    (
        "tron",
        &["--dialect", "codingame"],
        "3 1\n0 0 1 0\n4 0 4 0\n0 2 0 2\n3 1\n0 0 2 0\n4 0 3 0\n-1 -1 -1 -1\n",
    ),
    ("tron", &[], "2 0\n0 0 0 0\n1 0 0 1\n2 0\n0 0 0 0\n1 0 1 1\n"),
    (
        "tron",
        &["--dialect", "google2010"],
        "6 5\n######\n#    #\n#1  2#\n#    #\n######\n6 5\n######\n#    #\n##12##\n#    #\n######\n",
    ),
];

#[test]
fn bare_conversations_hold_their_claim() {
    let [first, second, colours, oware, starved, heads, enclosed, maps] =
        BARE.map(|(.., text)| text);
    for (seat, text) in [first, second].into_iter().enumerate() {
        check::<Awele>("relay", &[text], || Box::new(RelayBot::new(defaults(""), seat).unwrap()));
    }
    check::<SevenColors>("relay", &[colours], || {
        Box::new(RelayBot::new(defaults("size=3x2 colours=3 symmetric=no"), 1).unwrap())
    });
    check::<Awele>("codingame", &[oware, starved], || {
        let arena = Box::new(awele::codingame::Bot::new(defaults("")));
        Box::new(Detecting::new(ArbitreBot::new(None), Some(arena)))
    });
    check::<Tron>("codingame", &[heads, enclosed], || {
        let arena = Box::new(tron::codingame::Bot::new(defaults("")));
        Box::new(Detecting::new(ArbitreBot::new(None), Some(arena)))
    });
    check::<Tron>("google2010", &[maps], || Box::new(tron::google2010::Bot::new(defaults(""))));
}
