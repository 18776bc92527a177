//! Dialects without a greeting, through both ends: bare moves, boards and heads.

use arbitre::clock::{Clock, Go};
use arbitre::dialect::{
    ArenaDefaults, BotAction, BotEnd, Event, GameContext, GameEnd, Init, Notation, RefereeEnd, Turn,
};
use arbitre::dialects::arbitre::ArbitreBot;
use arbitre::dialects::{detect::Detecting, relay};
use arbitre::game::{Game, Seat, Seats, State};
use arbitre::games::awele::{self, Awele};
use arbitre::games::seven_colors::SevenColors;
use arbitre::games::tron::{self, Tron};
use arbitre::rng::Rng;

const CLOCK: &str = "wall first 1000 move 50";

/// Returns the settings of a bot in a dialect without a greeting.
fn knowledge<G: Notation>(rules: &str) -> ArenaDefaults<G> {
    ArenaDefaults {
        game: G::from_rules(rules).unwrap(),
        clock: Clock::parse(CLOCK).unwrap(),
        seed: 4,
    }
}

struct Ends<G: Notation> {
    referee: Box<dyn RefereeEnd<G>>,
    bot: Box<dyn BotEnd<G>>,
}

/// Settings of a test: the games and the view to compare.
struct Trial<G: Notation> {
    rules: &'static str,
    seats: usize,
    plies: usize,
    open: fn(ArenaDefaults<G>, Seat) -> Ends<G>,
    init: Init,
    /// Text of a position as a seat sees it. A bot that does not know its seat sees it from the
    /// first.
    view: fn(&G, &G::State, Seat) -> String,
    /// Average number of turns between forfeits of the seat to move; 0 for none.
    quitters: usize,
}

/// A game in progress.
struct Table<'a, G: Notation> {
    trial: &'a Trial<G>,
    game: G,
    state: G::State,
    events: Vec<Event<G::Move>>,
    told: Vec<usize>,
    ends: Vec<Ends<G>>,
}

impl<G: Notation> Table<'_, G> {
    /// Sends a bot its turn. Returns its view of the position on its board.
    fn ask(&mut self, seat: Seat) -> Option<String> {
        let told = std::mem::replace(&mut self.told[seat.index()], self.events.len());
        let news = &self.events[told..];
        let Ends { referee, bot } = &mut self.ends[seat.index()];
        let mut text = String::new();
        let turn = Turn { game: &self.game, state: &self.state, seat, news, go: Go::Untimed };
        referee.write_turn(&turn, &mut text);
        let believed = |cue: BotAction<G>| match cue {
            BotAction::Choose(state, seat, _) => Some((self.trial.view)(&self.game, state, seat)),
            _ => None,
        };
        let mut last = believed(bot.follow_up()).filter(|_| text.is_empty());
        for line in text.lines() {
            let begins = match bot.hear(line).unwrap() {
                BotAction::Begin(start) => {
                    assert_eq!((start.clock.to_string().as_str(), start.seed), (CLOCK, 4));
                    assert_eq!(start.seats, self.trial.seats);
                    true
                }
                cue => {
                    last = believed(cue);
                    false
                }
            };
            if begins {
                last = believed(bot.follow_up());
            }
        }
        last
    }

    fn play(&mut self, seat: Seat, mv: G::Move) {
        let Ends { referee, bot } = &mut self.ends[seat.index()];
        let mut line = String::new();
        bot.answer(mv, "the dialect has no comments", &mut line);
        let spoken = referee.read_move(&self.game, line.trim_end()).unwrap();
        assert_eq!((spoken.mv, spoken.comment), (mv, None));
        self.state.play(seat, mv).unwrap();
        self.events.push(Event::Moved(seat, mv));
    }

    fn close(mut self) {
        let scores = self.state.outcome().unwrap().scores;
        for i in 0..self.ends.len() {
            let (seat, news) = (Seat::new(i), &self.events[self.told[i]..]);
            let Ends { referee, bot } = &mut self.ends[i];
            let mut text = String::new();
            referee.close(&GameEnd { game: &self.game, seat, news, scores: &scores }, &mut text);
            for line in text.lines() {
                assert!(matches!(bot.hear(line), Ok(BotAction::Over)), "{line}");
            }
        }
    }
}

impl<G: Notation> Trial<G> {
    /// Plays random games: the view of a bot always equals the referee's.
    fn run(&self) {
        let game = knowledge::<G>(self.rules).game;
        let mut rng = Rng::new(7);
        let setups: Vec<_> = game.setups(self.seats, self.plies, Rng::new(3)).take(40).collect();
        for setup in setups.into_iter().cycle().take(40) {
            let mut table = self.sit(&game, &setup);
            while let Some(seat) = table.state.to_move().iter().next() {
                let expected = (self.view)(&game, &table.state, seat);
                assert_eq!(table.ask(seat), Some(expected));
                if self.quitters > 0 && rng.below(self.quitters) == 0 {
                    table.state.forfeit(Seats::one(seat));
                    table.events.push(Event::Eliminated(Seats::one(seat), "timeout"));
                    continue;
                }
                let moves = table.state.moves(seat);
                table.play(seat, moves[rng.below(moves.len())]);
            }
            table.close();
        }
    }

    fn sit(&self, game: &G, setup: &G::Setup) -> Table<'_, G> {
        let (game, seats, clock) = (game.clone(), self.seats, Clock::default());
        let all = (0..seats).map(Seat::new);
        let mut ends: Vec<Ends<G>> =
            all.clone().map(|seat| (self.open)(knowledge(self.rules), seat)).collect();
        for (seat, Ends { referee, bot }) in all.zip(&mut ends) {
            let (game, clock) = (&game, &clock);
            let brief = GameContext { game, setup, seat, seats, clock, seed: 1, kept: false };
            let mut text = String::new();
            assert_eq!(referee.open(&brief, &mut text), self.init);
            assert_eq!(text.lines().collect::<Vec<_>>(), relay::board_lines(game, setup, seat));
            let begins = |line| matches!(bot.hear(line), Ok(BotAction::Begin(_)));
            let begun: Vec<bool> = text.lines().map(begins).collect();
            assert!(
                begun.iter().rev().skip(1).all(|begun| !begun),
                "the game begins with the last line"
            );
            assert_ne!(begun.last(), Some(&false), "the game begins with the last line");
            assert!(referee.read_ready("ready me").is_err());
        }
        let state = game.start(setup).unwrap();
        Table { trial: self, game, state, events: Vec::new(), told: vec![0; seats], ends }
    }
}

fn board(_: &Awele, position: &awele::Position, seat: Seat) -> String {
    position.board_of(seat).to_string()
}

#[test]
fn bare_moves_keep_the_board() {
    let open = |knows, seat: Seat| {
        let mut bot = relay::RelayBot::new(knows, seat.index()).unwrap();
        assert!(matches!(bot.start(), BotAction::Begin(_)), "the game begins before any input");
        Ends { referee: Box::new(relay::RelayReferee), bot: Box::new(bot) }
    };
    let ArenaDefaults { game, clock, seed } = knowledge::<Awele>("");
    let setup = &game.setups(2, 0, Rng::new(1)).next().unwrap();
    let (seat, clock) = (Seat::new(1), &clock);
    let brief = GameContext { game: &game, setup, seat, seats: 2, clock, seed, kept: false };
    assert_eq!(RefereeEnd::<Awele>::arguments(&mut relay::RelayReferee, &brief), ["1"]);
    assert!(relay::RelayBot::new(knowledge::<Awele>(""), 2).is_err());
    let init = Init::UntilRead;
    Trial { rules: "", seats: 2, plies: 0, open, init, view: board, quitters: 0 }.run();
}

/// Returns a colour board as a seat sees it.
fn colours(game: &SevenColors, position: &<SevenColors as Game>::State, seat: Seat) -> String {
    let mut text = String::new();
    game.write_state(position, seat, &mut text);
    text
}

/// The board is sent first, differently to each seat, and then bare moves.
#[test]
fn bare_moves_keep_a_board_of_colours() {
    let open = |knows, seat: Seat| {
        let mut bot = relay::RelayBot::new(knows, seat.index()).unwrap();
        assert!(matches!(bot.start(), BotAction::Listen), "the bot waits for the board");
        Ends { referee: Box::new(relay::RelayReferee), bot: Box::new(bot) }
    };
    for rules in ["filler", "size=6x6", "gamos size=7x7"] {
        let init = Init::UntilRead;
        Trial { rules, seats: 2, plies: 0, open, init, view: colours, quitters: 0 }.run();
    }
}

#[test]
fn invalid_colour_boards_are_rejected() {
    let cases = [
        (&["8 7"][..], "expected the rows and columns of the board, '7 8', got '8 7'"),
        (&["7 8", "A", "B", "C", "D", "E", "F", "A"], "expected a row of 8 letters from A to F"),
    ];
    for (lines, part) in cases {
        let mut bot = relay::RelayBot::<SevenColors>::new(knowledge("filler"), 0).unwrap();
        let errors: Vec<String> =
            lines.iter().filter_map(|line| bot.hear(line).err()).map(|e| e.to_string()).collect();
        assert!(errors.len() == 1 && errors[0].contains(part), "{lines:?}: {errors:?}");
    }
}

/// The arena sends no captures, yet a bot keeps the score of both seats. The first line determines
/// the dialect.
#[test]
fn bare_boards_keep_the_score() {
    let open = |knows, _| {
        let arena = Box::new(awele::codingame::Bot::new(knows));
        let bot = Box::new(Detecting::new(ArbitreBot::new(None), Some(arena)));
        Ends { referee: Box::new(awele::codingame::Referee), bot }
    };
    let init = Init::UntilRead;
    Trial { rules: "", seats: 2, plies: 8, open, init, view: board, quitters: 0 }.run();
}

#[test]
fn invalid_boards_are_rejected() {
    let mut bot = awele::codingame::Bot::new(knowledge(""));
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

/// Returns everything that a bot may need, and the seat that it believes to be to move.
fn grid(game: &Tron, position: &tron::Position, seat: Seat) -> String {
    let mut text = format!("{seat} of {} in ", position.seats());
    game.write_state(position, seat, &mut text);
    let tails: Vec<_> = (0..position.seats()).map(|i| position.tail(Seat::new(i))).collect();
    format!("{text} from {tails:?}")
}

/// The turns send only heads and first cells, yet a bot knows every trail and the eliminated seats.
/// The first line determines the dialect.
#[test]
fn bare_heads_keep_the_trails() {
    let open = |knows, _| {
        let arena = Box::new(tron::codingame::Bot::new(knows));
        let bot = Box::new(Detecting::new(ArbitreBot::new(None), Some(arena)));
        Ends { referee: Box::new(tron::codingame::Referee), bot }
    };
    for seats in 2..=4 {
        for rules in ["size=9x7 tolerance=10%", "size=8x8 walls=3:3/4:4 tolerance=10%"] {
            let init = Init::UntilRead;
            Trial { rules, seats, plies: 0, open, init, view: grid, quitters: 30 }.run();
        }
    }
}

/// Returns a map of `google2010`: the occupied cells, the bot's own head and the other one.
fn map(game: &Tron, position: &tron::Position, seat: Seat) -> String {
    let mut text = String::new();
    game.write_state(position, seat, &mut text);
    let (own, other) = if seat == Seat::FIRST { ('A', 'B') } else { ('B', 'A') };
    let seen = |cell: char| match cell {
        '0' | '1' => '#',
        _ if cell == own => '1',
        _ if cell == other => '2',
        _ => cell,
    };
    text.chars().map(seen).collect()
}

#[test]
fn bare_maps_show_what_is_occupied() {
    let open = |knows, _| {
        let bot = Box::new(tron::google2010::Bot::new(knows));
        Ends { referee: Box::new(tron::google2010::Referee), bot }
    };
    for rules in ["size=9x7 tolerance=10%", "size=5x8 walls=0:0/4:4 tolerance=20%"] {
        let init = Init::UntilRead;
        Trial { rules, seats: 2, plies: 0, open, init, view: map, quitters: 30 }.run();
    }
}

/// Returns the error for the last of these lines.
fn refusal(bot: &mut dyn BotEnd<Tron>, lines: &[&str]) -> String {
    let (last, before) = lines.split_last().unwrap();
    for line in before {
        assert!(bot.hear(line).is_ok(), "{line}");
    }
    bot.hear(last).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn invalid_turns_of_tron_battle_are_rejected() {
    let cases = [
        (&["2"][..], "expected the number of players, 2 to 4, and your own, like '2 1', got '2'"),
        (&["5 0"], "got '5 0'"),
        (&["2 2"], "got '2 2'"),
        (&["2 -1"], "got '2 -1'"),
        (&["2 0", "3 3 3"], "expected two cells of a grid of 30x20 or four times -1"),
        (&["2 0", "3 3 30 3"], "got '3 3 30 3'"),
        (&["2 0", "-1 -1 -1 0"], "got '-1 -1 -1 0'"),
        (&["2 0", "3 3 3 3", "9 9 9 9", "2 1", "3 3 3 3", "9 9 9 9"], "expected '2 0' as on the"),
    ];
    for (lines, part) in cases {
        let message = refusal(&mut tron::codingame::Bot::new(knowledge("")), lines);
        assert!(message.contains(part), "{lines:?}: {message}");
    }
}

#[test]
fn invalid_maps_are_rejected() {
    let cases = [
        (&["5"][..], "expected columns and rows like '17 17', got '5'"),
        (&["3 3", "1 "], "expected a row of 3 cells, got '1 '"),
        (&["3 3", "1  ", "   ", "  3"], "a map of # and blanks with one 1 and one 2"),
        (&["3 3", "1  ", "   ", "  1"], "a map of # and blanks with one 1 and one 2"),
        (&["2 3", "1 ", "  ", " 2"], "expected a size like 30x20"),
    ];
    for (lines, part) in cases {
        let message = refusal(&mut tron::google2010::Bot::new(knowledge("")), lines);
        assert!(message.contains(part), "{lines:?}: {message}");
    }
    let mut bot = tron::google2010::Bot::new(knowledge(""));
    for line in ["3 3", "1  ", "   "] {
        assert!(matches!(bot.hear(line), Ok(BotAction::Listen)));
    }
    assert!(matches!(bot.hear("  2"), Ok(BotAction::Begin(_))), "a map need not be framed");
}

/// Returns the answer to the last of these lines where the rules give the bot no turn.
fn reply<G: Notation>(bot: &mut dyn BotEnd<G>, lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let action = match bot.hear(line).unwrap() {
            BotAction::Begin(_) => bot.follow_up(),
            action => action,
        };
        out.clear();
        if let BotAction::Reply(mv) = action {
            bot.answer(mv, "", &mut out);
        }
    }
    out
}

/// The arenas ask every player that they have not eliminated yet, and count silence as a timeout.
#[test]
fn player_without_a_move_answers() {
    let tron = |lines: &[&str]| reply(&mut tron::codingame::Bot::new(knowledge("size=3x3")), lines);
    // Enclosed on a later turn, on the first turn, after its elimination, and as the last player.
    let first = ["2 0", "0 0 0 0", "1 0 1 1"];
    assert_eq!(tron(&[&first[..], &["2 0", "0 0 0 0", "1 0 0 1"]].concat()), "UP\n");
    assert_eq!(tron(&["2 0", "0 0 0 0", "1 0 0 1"]), "UP\n");
    assert_eq!(tron(&["2 0", "-1 -1 -1 -1", "1 0 0 1"]), "UP\n");
    assert_eq!(tron(&[&first[..], &["2 0", "0 0 0 0", "-1 -1 -1 -1"]].concat()), "RIGHT\n");
    let map = |rows: &[&str]| reply(&mut tron::google2010::Bot::new(knowledge("")), rows);
    assert_eq!(map(&["3 3", "1# ", "#  ", "  2"]), "1\n");
    let open = ["3 3", "1  ", "   ", "  2"];
    assert_eq!(map(&[&open[..], &["3 3", "## ", "#1#", "2# "]].concat()), "1\n");
    let oware = |line| reply(&mut awele::codingame::Bot::new(knowledge("")), &[line]);
    assert_eq!(oware("0 0 0 0 0 0 1 0 0 0 0 0"), "0\n");
    assert_eq!(oware("0 0 3 0 0 0 0 0 0 0 0 0"), "2\n");
}

#[test]
fn relayed_board_is_read_line_by_line() {
    let game = SevenColors::from_rules("size=3x2 colours=3 symmetric=no").unwrap();
    let lines = ["2 3", "AB*", ".CA"];
    let parse = |lines: &[&str]| relay::parse_board(&game, lines, Seat::FIRST);
    for known in 0..3 {
        assert_eq!(parse(&lines[..known]), Ok(None));
    }
    let board = parse(&lines).unwrap().unwrap();
    assert_eq!(relay::board_lines(&game, &board, Seat::FIRST), lines);
    assert_eq!(relay::board_lines(&game, &board, Seat::new(1)), ["2 3", "AB.", "*CA"]);
    let message = parse(&["3 2"]).unwrap_err().to_string();
    assert!(message.contains("'2 3', got '3 2'; help: set other sizes with --rules"), "{message}");
}
