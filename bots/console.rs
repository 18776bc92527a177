//! The console of a bot: lines in, lines out, for any dialect and any engine.

use crate::engine::Engine;
use crate::options::Options;
use arbitre_games::clock::{Clock, ClockKind, Go, RemainingTime};
pub use arbitre_games::console::Console;
use arbitre_games::dialect::{ArenaDefaults, BotAction, BotEnd, Notation, Ready};
use arbitre_games::dialects::detect::Detecting;
use arbitre_games::dialects::{arbitre, relay};
use arbitre_games::game::ParseError;
use arbitre_games::search::budget::{Budget, GameClock, Timer};
use arbitre_games::search::cpu_time::{Moment, TimeKind};
use arbitre_games::text::unknown;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Connects a console to input and output until the input ends.
///
/// # Errors
/// Returns an error if the conversation cannot continue, or the input is not UTF-8.
pub fn serve(
    console: &mut dyn Console,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ParseError> {
    let (mut line, mut out) = (String::new(), String::new());
    console.start(&mut out);
    loop {
        // A write fails when the reader is gone; the input will end too.
        let _ = output.write_all(out.as_bytes()).and_then(|()| output.flush());
        if !read(&mut input, &mut line)? {
            return Ok(());
        }
        out.clear();
        console.hear(line.trim_end_matches(['\n', '\r']), &mut out)?;
    }
}

fn read(input: &mut impl BufRead, line: &mut String) -> Result<bool, ParseError> {
    line.clear();
    match input.read_line(line) {
        Ok(bytes) => Ok(bytes > 0),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(ParseError::new("expected UTF-8 on standard input"))
        }
        Err(_) => Ok(false),
    }
}

/// Returns the kind of time by which a search stays within a clock.
pub fn time_kind(clock: ClockKind) -> TimeKind {
    match clock {
        ClockKind::Wall => TimeKind::Wall,
        // The time of a thread that neither sleeps nor waits for a processor is its CPU time.
        ClockKind::Cpu | ClockKind::Fair => TimeKind::Cpu,
    }
}

/// Limits set on the bot's own command line; they apply whatever the referee sends.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnLimits {
    /// Time per move.
    pub move_time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Plies searched.
    pub depth: Option<u32>,
}

impl OwnLimits {
    /// Takes `--move-time`, `--nodes` and `--depth`.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid.
    pub fn take(options: &mut Options) -> Result<OwnLimits, ParseError> {
        Ok(OwnLimits {
            move_time: options.take_duration("--move-time")?,
            nodes: options.take_count("--nodes")?,
            depth: options.take_count("--depth")?,
        })
    }

    fn any(&self) -> bool {
        self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Returns the budget of an answer. The bot's own limits replace the nodes and depth of the
    /// referee but not its clock, so a bot with both stays within its time.
    pub fn budget(&self, clock: &Clock, go: Go, asked: Moment) -> Budget {
        let (nodes, depth) = match self.any() {
            true => (self.nodes, self.depth),
            false => (clock.nodes, clock.depth),
        };
        let kind = time_kind(clock.kind);
        let unlimited = nodes.is_none() && depth.is_none();
        // Nodes or depth end a search by themselves; without them it needs a time limit.
        let time = self.time(clock, go).or(unlimited.then_some(UNLIMITED_THINKING));
        let game = match go {
            // Only an engine without other limits may manage the game clock itself.
            Go::Game { remaining, increment } if unlimited && !self.any() => {
                let per_move = clock.per_move.map(prudent);
                Some(GameClock { remaining, increment, per_move, asked, kind })
            }
            _ => None,
        };
        Budget { time: time.map(|limit| Timer::new(kind, asked, limit)), nodes, depth, game }
    }

    /// Returns the time for an answer, if it is limited.
    fn time(&self, clock: &Clock, go: Go) -> Option<Duration> {
        let told = match go {
            Go::Untimed => None,
            Go::Move(time) => Some(prudent(time)),
            Go::Game { remaining, increment } => {
                let share = share_of_game(remaining, increment);
                Some(clock.per_move.map_or(share, |limit| share.min(prudent(limit))))
            }
        };
        [told, self.move_time].into_iter().flatten().min()
    }
}

/// Thinking time per move if nothing limits it. Not tuned.
const UNLIMITED_THINKING: Duration = Duration::from_millis(100);

/// Returns `limit` less a reserve between the last check of the clock and the arrival of the
/// answer.
fn prudent(limit: Duration) -> Duration {
    // A twentieth and 100 µs, but at most half of a very short limit.
    limit.saturating_sub(limit / 20 + Duration::from_micros(100)).max(limit / 2)
}

/// Returns the time for one move of a game clock: a twentieth of the remaining time and four fifths
/// of the increment, at most a fifth of the remaining time.
fn share_of_game(remaining: Duration, increment: Duration) -> Duration {
    (remaining / 20 + increment * 4 / 5).min(remaining / 5)
}

/// A dialect of one game only: its name, its bot's end, and the default clock of its arena.
pub type ArenaDialect<G> = (&'static str, fn(ArenaDefaults<G>) -> Box<dyn BotEnd<G>>, &'static str);

/// Default clock of a class tournament: a minute of initialisation, ten minutes for the game.
const RELAY_CLOCK: &str = "wall init 60000 game 600000 increment 0";

/// An engine that takes part in a conversation.
pub struct Session<G: Notation> {
    engine: Box<dyn Engine<G>>,
    end: Box<dyn BotEnd<G>>,
    ready: Ready,
    own: OwnLimits,
    clock: Clock,
    /// The bot's own count of its remaining time, for dialects that do not send it.
    remaining: RemainingTime,
}

impl<G: Notation> Session<G> {
    /// Creates a console for `engine`, named `name`, from the options common to all bots. It
    /// offers the dialects of all games and `arena_dialects`.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid, or the dialect is unknown.
    pub fn new(
        name: &str,
        engine: impl Engine<G> + 'static,
        options: &mut Options,
        arena_dialects: &[ArenaDialect<G>],
    ) -> Result<Self, ParseError> {
        let end = end(options, arena_dialects)?;
        Ok(Session::with_end(name, engine, OwnLimits::take(options)?, end))
    }

    /// Creates a console for `engine` that speaks the dialect of `end`.
    pub fn with_end(
        name: &str,
        engine: impl Engine<G> + 'static,
        own: OwnLimits,
        end: Box<dyn BotEnd<G>>,
    ) -> Self {
        let ready = Ready { name: name.into(), terse: true, again: true };
        let clock = Clock::default();
        let remaining = RemainingTime::new(&clock);
        Session { engine: Box::new(engine), end, ready, own, clock, remaining }
    }

    /// Answers a line, or opens the conversation if there is none, and every action that follows.
    fn respond(&mut self, line: Option<&str>, out: &mut String) -> Result<(), ParseError> {
        let asked = Moment::now();
        let mut action = match line {
            Some(line) => self.end.hear(line)?,
            None => self.end.start(),
        };
        while let BotAction::Begin(start) = action {
            self.clock.clone_from(&start.clock);
            self.remaining = RemainingTime::new(&self.clock);
            self.engine.begin(start);
            self.end.ready(&self.ready, out);
            action = self.end.follow_up();
        }
        let (state, seat, told) = match action {
            BotAction::Choose(state, seat, told) => (state, seat, told),
            BotAction::Reply(mv) => {
                self.end.answer(mv, "", out);
                return Ok(());
            }
            BotAction::Listen | BotAction::Begin(_) | BotAction::Over => return Ok(()),
        };
        let go = if told == Go::Untimed { self.remaining.go(&self.clock) } else { told };
        let budget = self.own.budget(&self.clock, go, asked);
        let kind = time_kind(self.clock.kind);
        if G::META.is_solo() {
            let (path, comment) = self.engine.plan(state, seat, budget);
            self.remaining.charge(asked.elapsed(kind), &self.clock);
            self.end.answer_path(&path, &comment, out);
        } else {
            let (mv, comment) = self.engine.choose(state, seat, budget);
            self.remaining.charge(asked.elapsed(kind), &self.clock);
            self.end.answer(mv, &comment, out);
        }
        Ok(())
    }
}

impl<G: Notation> Console for Session<G> {
    fn start(&mut self, out: &mut String) {
        self.respond(None, out).expect("only a line can be refused");
    }

    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError> {
        self.respond(Some(line), out)
    }
}

/// Returns the bot's end of the dialect in the options, or of the one that the first line will
/// show.
fn end<G: Notation>(
    options: &mut Options,
    arena_dialects: &[ArenaDialect<G>],
) -> Result<Box<dyn BotEnd<G>>, ParseError> {
    let dialect = options.take_text("--dialect")?;
    let own_seed: Option<u64> = options.take("--seed")?;
    let game = G::from_rules(&options.take_text("--rules")?.unwrap_or_default())?;
    let told = options.take_text("--clock")?.map(|line| Clock::parse(&line)).transpose()?;
    let usual = |line: &str| Clock::parse(line).expect("this is a clock line");
    let knows = |line: &str| {
        let clock = told.clone().unwrap_or_else(|| usual(line));
        ArenaDefaults { game: game.clone(), clock, seed: own_seed.unwrap_or(0) }
    };
    // In `relay` the last argument is the seat. Without `--dialect`, a last number means `relay`.
    let speaks_relay = dialect.as_deref().is_none_or(|name| name == relay::INFO.name);
    let seat = if speaks_relay { options.take_last_number() } else { None };
    let arena = |(_, open, line): &ArenaDialect<G>| open(knows(line));
    if let (true, Some(seat)) = (speaks_relay, seat) {
        return Ok(Box::new(relay::RelayBot::new(knows(RELAY_CLOCK), seat)?));
    }
    let Some(name) = dialect.as_deref() else {
        let arena = arena_dialects.first().map(arena);
        return Ok(Box::new(Detecting::new(arbitre::ArbitreBot::new(own_seed), arena)));
    };
    if name == arbitre::INFO.name {
        return Ok(Box::new(arbitre::ArbitreBot::new(own_seed)));
    }
    if name == relay::INFO.name {
        return Err(ParseError::new(format!(
            "{name}: expected seat 0 or 1 as last argument, got none"
        )));
    }
    let found = arena_dialects.iter().find(|(known, ..)| *known == name).map(arena);
    let common = [arbitre::INFO.name, relay::INFO.name];
    let names = common.into_iter().chain(arena_dialects.iter().map(|known| known.0));
    found.ok_or_else(|| unknown("dialect", name, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::dialect::Start;
    use arbitre_games::game::{Seat, State};
    use arbitre_games::games::awele::{codingame, Awele, Pit, Position};
    use std::sync::mpsc::{channel, Sender};

    /// Returns the time, in microseconds, that a bot with these limits uses.
    fn time(own: OwnLimits, clock: &str, go: &str) -> Option<u128> {
        let time = own.time(&Clock::parse(clock).unwrap(), Go::parse(go).unwrap());
        time.map(|time| time.as_micros())
    }

    #[test]
    fn time_stays_below_the_referees_limit() {
        let none = OwnLimits::default();
        assert_eq!(time(none, "wall move 100", "100"), Some(94_900));
        assert_eq!(time(none, "wall move 1", "1"), Some(850));
        assert_eq!(time(none, "wall game 60000 increment 0", "60000 0"), Some(3_000_000));
        assert_eq!(time(none, "wall game 60000 increment 100", "100 100"), Some(20_000));
        assert_eq!(time(none, "wall move 50 game 60000", "60000 0"), Some(47_400));
        assert_eq!(time(none, "nodes 1000", ""), None);
    }

    #[test]
    fn own_limits_never_exceed_the_referees_time() {
        let own = OwnLimits { move_time: Some(Duration::from_millis(70)), ..OwnLimits::default() };
        assert_eq!(time(own, "wall move 100", "100"), Some(70_000));
        assert_eq!(time(own, "wall move 50", "50"), Some(47_400));
        assert_eq!(time(own, "none", ""), Some(70_000));
    }

    #[test]
    fn engine_receives_the_clock_where_nothing_else_limits_it() {
        // The expected values are remaining time, increment and limit per move, in milliseconds.
        let told = |clock: &str, go: &str, words: &str| {
            let own = OwnLimits::take(&mut Options::of(words)).unwrap();
            let (clock, go) = (Clock::parse(clock).unwrap(), Go::parse(go).unwrap());
            let GameClock { remaining, increment, per_move, .. } =
                own.budget(&clock, go, Moment::now()).game?;
            let per_move = per_move.map(|time| time.as_millis());
            Some((remaining.as_millis(), increment.as_millis(), per_move))
        };
        let clock = "wall game 60000 increment 100";
        assert_eq!(told(clock, "59000 100", ""), Some((59_000, 100, None)));
        let both = "wall move 1000 game 60000 increment 0";
        assert_eq!(told(both, "59000 0", ""), Some((59_000, 0, Some(949))));
        for own in ["--depth 3", "--nodes 9", "--move-time 5ms"] {
            assert_eq!(told(clock, "59000 100", own), None, "{own}");
        }
        assert_eq!(told("wall game 60000 increment 0 depth 3", "59000 0", ""), None);
        assert_eq!(told("wall move 100", "100", ""), None);
        assert_eq!(told("none", "", "--depth 3"), None);
    }

    #[test]
    fn own_depth_replaces_the_referees_nodes() {
        let clock = Clock::parse("nodes 1000").unwrap();
        let limits = |own: OwnLimits| {
            let budget = own.budget(&clock, Go::Untimed, Moment::now());
            (budget.time.is_some(), budget.nodes, budget.depth)
        };
        assert_eq!(limits(OwnLimits::default()), (false, Some(1000), None));
        let own = OwnLimits { depth: Some(5), ..OwnLimits::default() };
        assert_eq!(limits(own), (false, None, Some(5)));
        let unlimited = OwnLimits::default().budget(&Clock::default(), Go::Untimed, Moment::now());
        assert!(unlimited.time.is_some(), "the bot needs some limit");
    }

    /// Returns the remaining time of a move of a second under a clock of `kind`. The move was asked
    /// for before `wait`, in which the thread did not run.
    fn remaining_after(wait: Duration, kind: &str) -> Duration {
        let clock = Clock::parse(&format!("{kind} move 1000")).unwrap();
        let now = Moment::now();
        let asked = Moment { wall: now.wall - wait, ..now };
        let budget = OwnLimits::default().budget(&clock, Go::parse("1000").unwrap(), asked);
        budget.time.unwrap().remaining()
    }

    /// A wait of ten limits uses up a wall clock. It costs nothing under the other clocks.
    #[test]
    fn only_a_wall_clock_counts_waiting() {
        if Moment::now().cpu.is_none() {
            eprintln!("SKIPPED: this system does not tell CPU time");
            return;
        }
        let wait = Duration::from_secs(10);
        assert_eq!(remaining_after(wait, "wall"), Duration::ZERO);
        for kind in ["fair", "cpu"] {
            assert!(remaining_after(wait, kind) > Duration::from_millis(500), "{kind}");
        }
    }

    /// Records what it is given, sleeps, and plays the first legal move.
    struct Spy {
        clocks: Sender<Clock>,
        budgets: Sender<Budget>,
        sleep: Duration,
    }

    impl Engine<Awele> for Spy {
        fn begin(&mut self, start: &Start<Awele>) {
            self.clocks.send(start.clock.clone()).unwrap();
        }

        fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Pit, String) {
            self.budgets.send(budget).unwrap();
            std::thread::sleep(self.sleep);
            (state.moves(seat)[0], String::new())
        }
    }

    /// Lets a spy hear these lines. Returns the clock that it got, and the budget of each answer.
    fn spied(options: &[&str], lines: &[&str], sleep: Duration) -> (Clock, Vec<Budget>) {
        let arenas: &[ArenaDialect<Awele>] = &[(
            "codingame",
            |knows| Box::new(codingame::Bot::new(knows)),
            "wall first 900 move 90",
        )];
        let words: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
        let (clocks, told) = channel();
        let (budgets, given) = channel();
        let spy = Spy { clocks, budgets, sleep };
        let mut session = Session::new("spy", spy, &mut Options::new(&words), arenas).unwrap();
        let mut out = String::new();
        session.start(&mut out);
        lines.iter().for_each(|line| session.hear(line, &mut out).unwrap());
        (told.try_recv().unwrap(), given.try_iter().collect())
    }

    /// The clock of the command line applies in every dialect that sends none, and its arena's
    /// clock where none is given.
    #[test]
    fn clock_option_replaces_that_of_the_arena() {
        let rows: &[&str] = &["4 4 4 4 4 4 4 4 4 4 4 4"; 2];
        let arenas: [(&[&str], &[&str]); 3] = [
            (&["--dialect", "codingame"], rows),
            (&[], rows),
            (&["--dialect", "relay", "0"], &["3"]),
        ];
        for (arguments, lines) in arenas {
            let spied = |options: &[&str]| {
                let words = [options, arguments].concat();
                let (clock, budgets) = spied(&words, lines, Duration::ZERO);
                let given = |budget: &Budget| {
                    (budget.time.map(|timer| timer.limit().as_millis()), budget.nodes)
                };
                (clock.to_string(), budgets.iter().map(given).collect::<Vec<_>>())
            };
            let fair = "fair first 300 move 60 threads 4";
            let expected = (fair.to_owned(), vec![(Some(284), None), (Some(56), None)]);
            assert_eq!(spied(&["--clock", fair]), expected, "{arguments:?}");
            let nodes = ("nodes 7".to_owned(), vec![(None, Some(7)); 2]);
            assert_eq!(spied(&["--clock", "nodes 7"]), nodes, "{arguments:?}");
            let own = ("nodes 7".to_owned(), vec![(None, Some(9)); 2]);
            assert_eq!(spied(&["--clock", "nodes 7", "--nodes", "9"]), own, "{arguments:?}");
            let none = ("none".to_owned(), vec![(None, Some(9)); 2]);
            assert_eq!(spied(&["--clock", "none", "--nodes", "9"]), none, "{arguments:?}");
        }
        let (clock, _) = spied(&["--dialect", "codingame"], rows, Duration::ZERO);
        assert_eq!(clock.to_string(), "wall first 900 move 90");
    }

    /// The bot's own count of its game clock counts the same time as the referee.
    #[test]
    fn own_game_clock_counts_the_time_of_its_kind() {
        let sleep = Duration::from_millis(200);
        let remaining = |kind: &str| {
            let clock = format!("{kind} game 10000 increment 0");
            let options = ["--clock", &clock, "--dialect", "relay", "0"];
            let (_, budgets) = spied(&options, &["3"], sleep);
            budgets[1].game.unwrap().remaining
        };
        assert!(remaining("wall") <= Duration::from_millis(9_800));
        if Moment::now().cpu.is_none() {
            eprintln!("SKIPPED: this system does not tell CPU time");
            return;
        }
        for kind in ["fair", "cpu"] {
            assert!(remaining(kind) > Duration::from_millis(9_900), "{kind}");
        }
    }
}
