//! `arbitre` through both ends: the messages of the referee suffice to keep the board.

use arbitre::clock::{Clock, Go};
use arbitre::dialect::{
    BotAction, BotEnd, Event, GameContext, GameEnd, Init, Notation, Ready, RefereeEnd, Turn,
};
use arbitre::dialects::arbitre::{ArbitreBot, ArbitreReferee};
use arbitre::game::{Seat, Seats, State};
use arbitre::games::awele::Awele;
use arbitre::games::seven_colors::SevenColors;
use arbitre::games::tron::Tron;
use arbitre::rng::Rng;
use std::time::Duration;

/// A game through both ends: the position of the referee, and the referee's end of each seat.
struct ParsedAnswer<G: Notation> {
    game: G,
    state: G::State,
    events: Vec<Event<G::Move>>,
    referee: Vec<ArbitreReferee>,
    told: Vec<usize>,
}

impl<G: Notation> ParsedAnswer<G> {
    fn sit(
        &mut self,
        seat: Seat,
        bot: &mut ArbitreBot<G>,
        setup: &G::Setup,
        terse: bool,
        kept: bool,
    ) {
        let clock = Clock { per_move: Some(Duration::from_millis(100)), ..Clock::default() };
        let seats = self.referee.len();
        let brief =
            GameContext { game: &self.game, setup, seat, seats, clock: &clock, seed: 9, kept };
        let mut text = String::new();
        let init = self.referee[seat.index()].open(&brief, &mut text);
        assert_eq!(init, Init::UntilReady, "a bot sends ready");
        assert_eq!(text.starts_with("arbitre 1\n"), !kept);
        let mut begun = false;
        for line in text.lines() {
            if let BotAction::Begin(start) = bot.hear(line).unwrap() {
                assert_eq!((start.seat, start.seats, start.seed), (seat, seats, 9));
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

    /// Returns the text of a turn, and the position on the bot's board.
    fn turn(&mut self, seat: Seat, bot: &mut ArbitreBot<G>) -> (String, String) {
        let news =
            &self.events[std::mem::replace(&mut self.told[seat.index()], self.events.len())..];
        let turn = Turn { game: &self.game, state: &self.state, seat, news, go: Go::Untimed };
        let mut text = String::new();
        self.referee[seat.index()].write_turn(&turn, &mut text);
        let mut believed = None;
        for line in text.lines() {
            if let BotAction::Choose(state, asked, Go::Untimed) = bot.hear(line).unwrap() {
                assert_eq!(asked, seat);
                let mut position = String::new();
                self.game.write_state(state, seat, &mut position);
                believed = Some(position);
            }
        }
        (text, believed.expect("a turn asks for a move"))
    }

    /// Eliminates the seat by a fault.
    fn give_up(&mut self, seat: Seat) {
        self.state.forfeit(Seats::one(seat));
        self.events.push(Event::Eliminated(Seats::one(seat), "timeout"));
    }

    fn answer(&mut self, seat: Seat, bot: &mut ArbitreBot<G>, mv: G::Move) {
        let mut line = String::new();
        bot.answer(mv, "score 3", &mut line);
        let read = self.referee[seat.index()].read_move(&self.game, line.trim_end()).unwrap();
        assert_eq!((read.mv, read.comment), (mv, Some("score 3")));
        self.state.play(seat, read.mv).expect("a listed move is legal");
        self.events.push(Event::Moved(seat, mv));
    }
}

/// Plays random games through both ends, with occasional forfeits. The bots never lose the board,
/// terse or not, and a kept bot starts each game afresh.
fn both_ends_keep_the_same_board<G: Notation>(rules: &str, seats: usize) {
    let game = G::from_rules(rules).unwrap();
    let mut bots: Vec<ArbitreBot<G>> = (0..seats).map(|_| ArbitreBot::new(None)).collect();
    let mut rng = Rng::new(5);
    let mut gone = 0;
    for (number, setup) in game.setups(seats, 4, Rng::new(8)).take(30).enumerate() {
        let terse = number % 2 == 0;
        let state = game.start(&setup).unwrap();
        let referee = (0..seats).map(|_| ArbitreReferee::default()).collect();
        let told = vec![0; seats];
        let mut spoken = ParsedAnswer { game: game.clone(), state, events: vec![], referee, told };
        let mut out = Seats::NONE;
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
            assert!(!text.contains(&format!("moved {seat} ")), "a seat's own moves are not echoed");
            if rng.below(50) == 0 {
                spoken.give_up(seat);
                out.insert(seat);
                gone += 1;
                continue;
            }
            let moves = spoken.state.moves(seat);
            spoken.answer(seat, bot, moves[rng.below(moves.len())]);
        }
        let scores = spoken.state.outcome().unwrap().scores;
        let there = |(i, _): &(usize, &mut ArbitreBot<G>)| !out.contains(Seat::new(*i));
        for (i, bot) in bots.iter_mut().enumerate().filter(there) {
            let (seat, news) = (Seat::new(i), &spoken.events[spoken.told[i]..]);
            let mut text = String::new();
            let end = GameEnd { game: &game, seat, news, scores: &scores };
            spoken.referee[i].close(&end, &mut text);
            let last =
                text.lines().map(|line| matches!(bot.hear(line), Ok(BotAction::Over))).next_back();
            assert_eq!(last, Some(true), "the last line is the result");
        }
    }
    assert!(gone > 3, "{gone} gave up");
}

#[test]
fn whole_games_pass_through_both_ends() {
    for seats in 2..=4 {
        both_ends_keep_the_same_board::<Tron>("size=9x7 walls=4:3 tolerance=10%", seats);
    }
    for rules in ["codingame", "abapa", "awari"] {
        both_ends_keep_the_same_board::<Awele>(rules, 2);
    }
    for rules in ["filler", "gamos size=9x9", "size=8x8 count-enclosed=yes"] {
        both_ends_keep_the_same_board::<SevenColors>(rules, 2);
    }
}
