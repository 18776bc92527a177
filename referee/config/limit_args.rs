//! Options that limit players: common ones, or those in the brackets of one player.

use crate::config::limits::{defaults, PlayerLimits};
use crate::config::number::{number, word};
use crate::failure::Failure;
use arbitre_games::clock::{Clock, ClockKind};
use arbitre_games::game::ParseError;
use arbitre_games::text::{parse_duration, HELP, LONGEST};
use clap::Args;
use std::time::Duration;

/// Largest number of threads of a player; larger machines are not known to be used.
const MAX_THREADS: u32 = 1024;

/// Limits of players.
#[derive(Args, Clone, PartialEq, Debug, Default)]
#[command(next_help_heading = "Time and limits")]
pub struct LimitArgs {
    /// Time per move, such as 50ms or 1.5s
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    move_time: Option<Duration>,
    /// Time for the first move of a game
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    first_move_time: Option<Duration>,
    /// Time for all moves of a game
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    game_time: Option<Duration>,
    /// Time added to the game clock after each move
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    increment: Option<Duration>,
    /// Game clock and increment in seconds: 8+0.08 is 8 s and 80 ms per move
    #[arg(long, value_name = "BASE+INCREMENT", value_parser = parse_time_control, conflicts_with_all = ["game_time", "increment"])]
    tc: Option<(Duration, Duration)>,
    /// Time from the start of a program until it is ready
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    init_time: Option<Duration>,
    /// Tolerance on top of each limit, for the referee's own delays
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    margin: Option<Duration>,
    /// Time by which two answers of a game may be late, beyond the margin; none by default
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    overtime: Option<Duration>,
    /// Time that counts: fair, wall or cpu
    #[arg(long, value_name = "KIND", value_parser = word("clock", &ClockKind::WORDS))]
    clock: Option<ClockKind>,
    /// Threads that a player may use at once
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u64::from(MAX_THREADS)))]
    threads: Option<u32>,
    /// Let players think while their opponents do
    #[arg(long)]
    ponder: bool,
    /// Positions to search per move, instead of a time
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Plies to search per move, instead of a time
    #[arg(long, value_name = "PLIES", value_parser = number::<u32>(1..=u32::MAX.into()))]
    depth: Option<u32>,
    /// Set no limit on moves
    #[arg(long, conflicts_with_all = ["move_time", "first_move_time", "game_time", "tc"])]
    no_timeout: bool,
    /// Let the program of --external set the time of each answer, where it does
    #[arg(long)]
    rules_time: bool,
}

impl LimitArgs {
    /// Returns limits of which only the margin is set.
    pub fn with_margin(margin: Duration) -> LimitArgs {
        LimitArgs { margin: Some(margin), ..LimitArgs::default() }
    }

    /// Returns `terms` with these limits set.
    ///
    /// # Errors
    /// Returns an error if an increment is set without a game clock.
    pub fn on(&self, mut terms: PlayerLimits) -> Result<PlayerLimits, Failure> {
        let clock = &mut terms.clock;
        // A new kind of limit replaces the inherited ones, except the clock kind, the
        // initialisation time and the number of threads.
        if self.replaces_time() {
            let Clock { kind, init, threads, .. } = *clock;
            *clock = Clock { kind, init, threads, ..Clock::default() };
            terms.by_rules = false;
        }
        terms.by_rules |= self.rules_time;
        if let Some(time) = self.move_time {
            clock.per_move = Some(time);
            // A first move never has less time than later ones, unless `first_move_time` says so.
            clock.first = Some(time.max(defaults::FIRST_MOVE));
        }
        clock.first = self.first_move_time.or(clock.first);
        if let Some((base, increment)) = self.tc {
            (clock.game, clock.increment) = (Some(base), increment);
        }
        clock.game = self.game_time.or(clock.game);
        clock.increment = self.increment.unwrap_or(clock.increment);
        clock.init = self.init_time.or(clock.init);
        clock.kind = self.clock.unwrap_or(clock.kind);
        clock.threads = self.threads.or(clock.threads).filter(|&threads| threads > 1);
        clock.nodes = self.nodes.or(clock.nodes);
        clock.depth = self.depth.or(clock.depth);
        if clock.game.is_none() && !clock.increment.is_zero() {
            return Err(Failure::Usage(format!(
                "expected --game-time beside --increment, got none{HELP}or write --tc 8+0.08"
            )));
        }
        terms.margin = self.margin.unwrap_or(terms.margin);
        terms.overtime = self.overtime.or(terms.overtime);
        terms.ponder |= self.ponder;
        Ok(terms)
    }

    /// Returns these limits on top of others. A kind of time limit replaces the others' one.
    pub fn over(&self, base: &LimitArgs) -> LimitArgs {
        let of_time = match self.replaces_time() {
            true => LimitArgs::default(),
            false => base.clone(),
        };
        LimitArgs {
            move_time: self.move_time.or(of_time.move_time),
            first_move_time: self.first_move_time.or(of_time.first_move_time),
            game_time: self.game_time.or(of_time.game_time),
            increment: self.increment.or(of_time.increment),
            tc: self.tc.or(of_time.tc),
            init_time: self.init_time.or(base.init_time),
            margin: self.margin.or(base.margin),
            overtime: self.overtime.or(base.overtime),
            clock: self.clock.or(base.clock),
            threads: self.threads.or(base.threads),
            ponder: self.ponder || base.ponder,
            nodes: self.nodes.or(of_time.nodes),
            depth: self.depth.or(of_time.depth),
            no_timeout: self.no_timeout || of_time.no_timeout,
            rules_time: self.rules_time || of_time.rules_time && self.first_move_time.is_none(),
        }
    }

    /// Returns the kind of time that counts, if an option sets it.
    pub fn clock_kind(&self) -> Option<ClockKind> {
        self.clock
    }

    /// Returns `true` if one of these options replaces the default time per move.
    fn replaces_time(&self) -> bool {
        let another_time = self.move_time.or(self.game_time).is_some() || self.tc.is_some();
        self.no_timeout || another_time || self.nodes.is_some() || self.depth.is_some()
    }
}

/// Shortest limit: the protocol states times in whole milliseconds.
const SHORTEST: Duration = Duration::from_millis(1);

/// Parses a limit.
fn parse_limit(text: &str) -> Result<Duration, ParseError> {
    match parse_duration(text)? {
        time if time < SHORTEST => {
            Err(ParseError::new(format!("expected at least 1ms, got '{text}'")))
        }
        time => Ok(time),
    }
}

fn parse_time_control(text: &str) -> Result<(Duration, Duration), ParseError> {
    let expected = || ParseError::new(format!("expected seconds like 8+0.08 or 60, got '{text}'"));
    let seconds = |word: &str| {
        let number: f64 = word.parse().map_err(|_| expected())?;
        let time = Duration::try_from_secs_f64(number).map_err(|_| expected())?;
        if time > LONGEST {
            Err(expected())
        } else {
            Ok(time)
        }
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(base)?, seconds(increment)?) {
        (Duration::ZERO, _) => Err(expected()),
        control => Ok(control),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::player_options::PlayerOptions;

    fn terms(words: &[&str]) -> PlayerLimits {
        let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
        let options = PlayerOptions::parse_words(&words).expect("limits are well formed");
        options.limits.on(PlayerLimits::default()).unwrap()
    }

    #[test]
    fn limits_print_as_clock_lines() {
        let cases: [(&[&str], &str); 10] = [
            (&[], "fair first 1000 move 100"),
            (&["move-time=20ms"], "fair first 1000 move 20"),
            (&["move-time=2s"], "fair first 2000 move 2000"),
            (&["move-time=20ms", "first-move-time=20ms"], "fair first 20 move 20"),
            (&["tc=8+0.08", "clock=cpu"], "cpu game 8000 increment 80"),
            (&["game-time=10min", "init-time=1min"], "fair init 60000 game 600000 increment 0"),
            (&["nodes=1000"], "nodes 1000"),
            (&["depth=4", "move-time=1s"], "fair first 1000 move 1000 depth 4"),
            (&["no-timeout"], "none"),
            (&["depth=3", "first-move-time=5ms"], "fair first 5 depth 3"),
        ];
        for (words, line) in cases {
            assert_eq!(terms(words).clock.to_string(), line, "{words:?}");
        }
    }

    #[test]
    fn malformed_limits_are_refused() {
        let cases = [
            ("mov-time=3ms", "did you mean move-time?"),
            ("move-time=3", "write 3ms or 3s"),
            ("clock=wal", "did you mean wall?"),
            ("tc=fast", "expected seconds like 8+0.08"),
            ("depth=deep", "depth: expected a number from 1 to 4294967295, got 'deep'"),
            ("depth=0", "a number from 1 to 4294967295, got '0'"),
            ("nodes=0", "nodes: expected a number from 1, got '0'"),
            ("move-time=0ms", "move-time: expected at least 1ms, got '0ms'"),
            ("move-time=1us", "move-time: expected at least 1ms, got '1us'"),
            ("move-time=9999999h", "at most 1000h"),
        ];
        for (word, part) in cases {
            let error = PlayerOptions::parse_words(&[word.into()]).unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{word}: {error}");
        }
    }
}
