//! Both ends of a dialect are twins: what one writes, the other reads.

use arbitre::clock::{Clock, ClockKind, Go};
use arbitre::dialect::{
    BotEnd, Brief, Cue, End, Event, Init, Knowledge, Notation, Ready, RefereeEnd, Turn,
};
use arbitre::dialects::arbitre::{Bot, Message, Referee};
use arbitre::dialects::{detect::Detecting, relay};
use arbitre::game::{Game, Seat, State};
use arbitre::games::awele::{codingame, Awele, Pit, Position};
use arbitre::rng::Rng;
use proptest::prelude::*;
use std::time::Duration;

fn millis() -> impl Strategy<Value = Duration> {
    (0..10_000_000u64).prop_map(Duration::from_millis)
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..16usize).prop_map(Seat::new)
}

fn clock() -> impl Strategy<Value = Clock> {
    let times = prop::array::uniform4(prop::option::of(millis()));
    let counts = (prop::option::of(any::<u64>()), prop::option::of(any::<u32>()));
    (any::<bool>(), times, millis(), counts).prop_map(|(cpu, times, increment, (nodes, depth))| {
        let [init, first, per_move, game] = times;
        let timed = first.or(per_move).or(game).is_some();
        Clock {
            // Without a time there is nothing that a kind could say.
            kind: if cpu && timed { ClockKind::Cpu } else { ClockKind::Wall },
            increment: game.map_or(Duration::ZERO, |_| increment),
            init,
            first,
            per_move,
            game,
            nodes,
            depth,
        }
    })
}

fn go() -> impl Strategy<Value = Go> {
    prop_oneof![
        Just(Go::Untimed),
        millis().prop_map(Go::Move),
        (millis(), millis()).prop_map(|(remaining, increment)| Go::Game { remaining, increment }),
    ]
}

fn words() -> impl Strategy<Value = String> {
    "[a-z0-9=:-]{1,8}( [a-z0-9=:-]{1,8}){0,14}"
}

proptest! {
    #[test]
    fn every_message_comes_back(
        clock in clock(), go in go(), seat in seat(), words in words(), number in any::<u64>(),
        scores in prop::collection::vec(any::<i64>(), 0..16), extra in 1..5usize,
    ) {
        let (word, _) = words.split_once(' ').unwrap_or((&words, ""));
        let count = (seat.index() + extra).min(16);
        let messages = [
            Message::Arbitre(number as u32), Message::Game(word, &words), Message::Game(word, ""),
            Message::Seats(count, seat), Message::Clock(clock), Message::Seed(number),
            Message::Setup(&words), Message::Begin, Message::Moved(seat, &words),
            Message::Out(seat, word), Message::State(&words), Message::Legal(&words),
            Message::Go(go), Message::Result(scores),
        ];
        for message in messages {
            let line = message.to_string();
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Message::parse(&line), Ok(message), "{}", line);
        }
    }

    #[test]
    fn a_presentation_comes_back(name in "[!-~]{1,64}", terse in any::<bool>(), again in any::<bool>()) {
        let ready = Ready { name, terse, again };
        let mut line = String::new();
        BotEnd::<Awele>::ready(&mut Bot::<Awele>::new(0), &ready, &mut line);
        let read = RefereeEnd::<Awele>::read_ready(&mut Referee::default(), line.trim_end());
        prop_assert_eq!(read, Ok(ready));
    }

    /// No line makes a bot's end panic, whatever comes when.
    #[test]
    fn a_bots_end_survives_every_line(lines in prop::collection::vec(
        prop_oneof![
            words(), ".{0,40}", Just("begin".to_owned()), Just("go 5".to_owned()),
            Just("game awele".to_owned()), Just("seats 2 you 1".to_owned()),
            Just("moved 0 3".to_owned()), Just("out 1 crash".to_owned()), Just("setup opening 2".to_owned()),
        ], 0..30))
    {
        let mut bot = Bot::<Awele>::new(0);
        for line in &lines {
            let _ = bot.hear(line);
        }
    }
}

/// A table for two at which both ends speak: the referee's board, and a bot's end per seat.
struct Spoken<G: Notation> {
    game: G,
    state: G::State,
    events: Vec<Event<G::Move>>,
    referee: Vec<Referee>,
    told: Vec<usize>,
}

impl<G: Notation> Spoken<G> {
    fn sit(&mut self, seat: Seat, bot: &mut Bot<G>, setup: &G::Setup, terse: bool, kept: bool) {
        let clock = Clock { per_move: Some(Duration::from_millis(100)), ..Clock::default() };
        let brief = Brief { game: &self.game, setup, seat, seats: 2, clock: &clock, seed: 9, kept };
        let mut text = String::new();
        let init = self.referee[seat.index()].open(&brief, &mut text);
        assert_eq!(init, Init::UntilReady, "a bot says that it is ready");
        assert_eq!(text.starts_with("arbitre 1\n"), !kept);
        let mut begun = false;
        for line in text.lines() {
            if let Cue::Begin(start) = bot.hear(line).unwrap() {
                assert_eq!((start.seat, start.seats, start.seed), (seat, 2, 9));
                assert_eq!(start.clock, clock);
                assert_eq!(start.game.rules(), self.game.rules());
                begun = true;
            }
        }
        assert!(begun);
        let mut answer = String::new();
        bot.ready(&Ready { name: "twin".into(), terse, again: true }, &mut answer);
        let referee = &mut self.referee[seat.index()];
        let ready = RefereeEnd::<G>::read_ready(referee, answer.trim_end()).unwrap();
        assert!(ready.again && ready.terse == terse);
    }

    /// The text of a turn, and the position in which the bot believes to be.
    fn turn(&mut self, seat: Seat, bot: &mut Bot<G>) -> (String, String) {
        let news =
            &self.events[std::mem::replace(&mut self.told[seat.index()], self.events.len())..];
        let turn = Turn { game: &self.game, state: &self.state, seat, news, go: Go::Untimed };
        let mut text = String::new();
        self.referee[seat.index()].write_turn(&turn, &mut text);
        let mut believed = None;
        for line in text.lines() {
            if let Cue::Choose(state, asked, Go::Untimed) = bot.hear(line).unwrap() {
                assert_eq!(asked, seat);
                let mut position = String::new();
                self.game.write_state(state, seat, &mut position);
                believed = Some(position);
            }
        }
        (text, believed.expect("a turn asks for a move"))
    }

    fn answer(&mut self, seat: Seat, bot: &mut Bot<G>, mv: G::Move) {
        let mut line = String::new();
        bot.answer(mv, "score 3", &mut line);
        let read = self.referee[seat.index()].read_move(&self.game, line.trim_end()).unwrap();
        assert_eq!((read.mv, read.comment), (mv, Some("score 3")));
        self.state.play(seat, read.mv).expect("a listed move is accepted");
        self.events.push(Event::Moved(seat, mv));
    }
}

/// Random games spoken through both ends: the bots never lose the board, terse or not, and a bot
/// that is kept starts each game anew.
fn both_ends_keep_the_same_board<G: Notation>(rules: &str) {
    let game = G::from_rules(rules).unwrap();
    let mut bots = [Bot::<G>::new(0), Bot::<G>::new(0)];
    let mut rng = Rng::new(5);
    for (number, setup) in game.setups(2, 4, Rng::new(8)).take(30).enumerate() {
        let terse = number % 2 == 0;
        let state = game.start(&setup).unwrap();
        let referee = vec![Referee::default(), Referee::default()];
        let mut spoken =
            Spoken { game: game.clone(), state, events: vec![], referee, told: vec![0; 2] };
        for (i, bot) in bots.iter_mut().enumerate() {
            spoken.sit(Seat::new(i), bot, &setup, terse, number > 0);
        }
        while let Some(seat) = spoken.state.to_move().iter().next() {
            let bot = &mut bots[seat.index()];
            let (text, believed) = spoken.turn(seat, bot);
            let mut position = String::new();
            game.write_state(&spoken.state, seat, &mut position);
            assert_eq!(believed, position);
            assert_eq!(text.contains(&format!("state {position}\n")), !terse);
            assert!(!text.contains(&format!("moved {seat} ")), "one's own moves are not echoed");
            let moves = spoken.state.moves(seat);
            spoken.answer(seat, bot, moves[rng.below(moves.len())]);
        }
        let scores = spoken.state.outcome().unwrap().scores;
        for (i, bot) in bots.iter_mut().enumerate() {
            let (seat, news) = (Seat::new(i), &spoken.events[spoken.told[i]..]);
            let mut text = String::new();
            let end = End { game: &game, seat, news, scores: &scores };
            spoken.referee[i].close(&end, &mut text);
            let last = text.lines().map(|line| matches!(bot.hear(line), Ok(Cue::Over))).next_back();
            assert_eq!(last, Some(true), "the last word is the result");
        }
    }
}

#[test]
fn a_whole_game_passes_through_both_ends() {
    for rules in ["codingame", "abapa", "awari"] {
        both_ends_keep_the_same_board::<Awele>(rules);
    }
}

#[test]
fn a_bot_of_today_understands_a_referee_of_tomorrow() {
    let clock = Clock::parse("fair first 1000 move 100 overtime 3").unwrap();
    assert_eq!(clock.to_string(), "wall first 1000 move 100");
    assert_eq!(Clock::parse("none").unwrap(), Clock::default());
    assert_eq!(Clock::parse("").unwrap(), Clock::default());
    assert!(Clock::parse("wall move").is_err());
    assert_eq!(Message::parse("applause 3"), Ok(Message::Unknown));
}

#[test]
fn a_bot_says_why_it_cannot_go_on() {
    let cases = [
        (&["game tron"][..], "plays awele, not 'tron'"),
        (&["arbitre 2"], "arbitre 1, not arbitre 2"),
        (&["begin"], "before 'seats'"),
        (&["go 3"], "no game has begun"),
        (&["game awele", "seats 2 you 1", "begin", "go 3"], "not this bot's turn"),
        (&["game awele", "seats 2 you 1", "begin", "moved 0 7"], "pit from 0 to 5"),
        (&["game awele grand-slam=maybe", "seats 2 you 1", "begin"], "grand-slam"),
    ];
    for (lines, part) in cases {
        let mut bot = Bot::<Awele>::new(0);
        let errors: Vec<String> =
            lines.iter().filter_map(|line| bot.hear(line).err()).map(|e| e.to_string()).collect();
        assert!(errors.len() == 1 && errors[0].contains(part), "{lines:?}: {errors:?}");
    }
}

/// What the bots of dialects without a greeting know before they hear anything.
fn knowledge() -> Knowledge<Awele> {
    let game = Awele::from_rules("").unwrap();
    Knowledge { game, clock: Clock::parse("wall first 1000 move 50").unwrap(), seed: 4 }
}

type Ends = (Box<dyn RefereeEnd<Awele>>, Box<dyn BotEnd<Awele>>);

/// Tells a bot its turn. Returns the position in which it believes to be.
fn ask(state: &Position, news: &[Event<Pit>], seat: Seat, ends: &mut Ends) -> Option<String> {
    let game = &knowledge().game;
    let mut text = String::new();
    ends.0.write_turn(&Turn { game, state, seat, news, go: Go::Untimed }, &mut text);
    let believed = |cue: Cue<Awele>| match cue {
        Cue::Choose(state, seat, _) => Some(state.board_of(seat).to_string()),
        _ => None,
    };
    let mut last = believed(ends.1.follow_up()).filter(|_| text.is_empty());
    for line in text.lines() {
        let begins = match ends.1.hear(line).unwrap() {
            Cue::Begin(start) => {
                assert_eq!(start.clock.to_string(), "wall first 1000 move 50");
                true
            }
            cue => {
                last = believed(cue);
                false
            }
        };
        if begins {
            last = believed(ends.1.follow_up());
        }
    }
    last
}

/// Random games, bare moves or bare boards: the bots never lose the board or the score.
fn ends_without_a_greeting_agree(plies: usize, open: impl Fn(Seat) -> Ends, init: Init) {
    let game = knowledge().game;
    let mut rng = Rng::new(7);
    let setups: Vec<_> = game.setups(2, plies, Rng::new(3)).take(40).collect();
    for setup in setups.into_iter().cycle().take(40) {
        let mut state = game.start(&setup).unwrap();
        let mut ends: Vec<Ends> = (0..2).map(|seat| open(Seat::new(seat))).collect();
        let clock = Clock::default();
        for (i, ends) in ends.iter_mut().enumerate() {
            let (game, setup, clock, seat) = (&game, &setup, &clock, Seat::new(i));
            let brief = Brief { game, setup, seat, seats: 2, clock, seed: 1, kept: false };
            let mut text = String::new();
            assert_eq!((ends.0.open(&brief, &mut text), text.as_str()), (init, ""));
            assert!(ends.0.read_ready("ready me").is_err());
        }
        let (mut events, mut told) = (Vec::new(), [0; 2]);
        while let Some(seat) = state.to_move().iter().next() {
            let i = seat.index();
            let news = &events[std::mem::replace(&mut told[i], events.len())..];
            let believed = ask(&state, news, seat, &mut ends[i]);
            assert_eq!(believed, Some(state.board_of(seat).to_string()));
            let moves = state.moves(seat);
            let pit = moves[rng.below(moves.len())];
            let mut line = String::new();
            ends[i].1.answer(pit, "a comment has no place here", &mut line);
            let spoken = ends[i].0.read_move(&game, line.trim_end()).unwrap();
            assert_eq!((spoken.mv, spoken.comment), (pit, None));
            state.play(seat, pit).unwrap();
            events.push(Event::Moved(seat, pit));
        }
        let scores = state.outcome().unwrap().scores;
        for (i, ends) in ends.iter_mut().enumerate() {
            let (seat, news) = (Seat::new(i), &events[told[i]..]);
            let mut text = String::new();
            ends.0.close(&End { game: &game, seat, news, scores: &scores }, &mut text);
            for line in text.lines() {
                assert!(matches!(ends.1.hear(line), Ok(Cue::Over)), "{line}");
            }
        }
    }
}

#[test]
fn bare_moves_keep_the_board() {
    let open = |seat: Seat| -> Ends {
        let mut bot = relay::Bot::new(knowledge(), seat.index()).unwrap();
        assert!(matches!(bot.start(), Cue::Begin(_)), "it begins before it hears anything");
        (Box::new(relay::Referee), Box::new(bot))
    };
    assert_eq!(RefereeEnd::<Awele>::arguments(&relay::Referee, Seat::new(1)), ["1"]);
    assert!(relay::Bot::new(knowledge(), 2).is_err());
    ends_without_a_greeting_agree(0, open, Init::WithFirstMove);
}

/// The arena never sends the captures; a bot that knew its own alone still knows them all. Its
/// dialect is found by the first line.
#[test]
fn bare_boards_keep_the_score() {
    let open = |_: Seat| -> Ends {
        let arena = Box::new(codingame::Bot::new(knowledge()));
        (Box::new(codingame::Referee), Box::new(Detecting::new(Bot::new(0), Some(arena))))
    };
    ends_without_a_greeting_agree(8, open, Init::None);
}

#[test]
fn lines_that_are_no_board_are_refused() {
    let mut bot = codingame::Bot::new(knowledge());
    for line in [
        "",
        "4 4",
        "4 4 4 4 4 4 4 4 4 4 4 5",
        "x 4 4 4 4 4 4 4 4 4 4 4",
        "-1 4 4 4 4 4 4 4 4 4 4 4",
    ] {
        let error = bot.hear(line).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("expected the seeds of 12 pits"), "{line}: {error}");
    }
}
