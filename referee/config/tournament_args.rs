//! Options of a tournament, on the command line or in its file.

use crate::config::args::ConfigArgs;
use crate::config::common_args::CommonArgs;
use crate::config::csv_dialect::CsvDialect;
use crate::config::format::{FixedBot, FormatConfig, FormatKind};
use crate::config::limits::defaults::GAMES_OF_A_TEST;
use crate::config::number::{number, word};
use crate::config::player_options::PlayerOptions;
use crate::failure::Failure;
use crate::statistics::sprt::Sprt;
use arbitre_games::game::ParseError;
use arbitre_games::text::HELP;
use clap::{Args, FromArgMatches};

/// Games of a meeting, unless the format or the user says otherwise: every player has each seat
/// twice at tables of two. Not tuned.
const GAMES: u64 = 4;
/// Games of a ladder per player. Not tuned.
const LADDER_GAMES: u64 = 100;

/// Options of a tournament. Each is also a key of the table `[tournament]` in its file.
#[derive(Args, Clone, Debug, Default)]
pub struct TournamentOptions {
    /// Title of the tournament
    #[arg(long, value_name = "TEXT", help_heading = "Tournament")]
    pub name: Option<String>,
    /// Format: round-robin, gauntlet, balanced, swiss, knockout, double-knockout, ladder or graded
    #[arg(long, value_name = "FORMAT", value_parser = word("format", &FormatKind::WORDS), help_heading = "Tournament")]
    pub format: Option<FormatKind>,
    /// Rounds of a Swiss tournament
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=10_000), help_heading = "Tournament")]
    pub rounds: Option<u64>,
    /// Games per meeting, rounded up to whole rotations of the seats
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000), help_heading = "Tournament")]
    pub games: Option<u64>,
    /// Games of each player in a balanced tournament
    // The search for a schedule takes a time with the square of this number.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=10_000), help_heading = "Tournament")]
    pub games_per_player: Option<u64>,
    /// Games of a ladder
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000), help_heading = "Tournament")]
    pub max_games: Option<u64>,
    /// Rating error below which a ladder ends, in Elo
    #[arg(long, value_name = "ELO", value_parser = parse_error, help_heading = "Tournament")]
    pub max_error: Option<f64>,
    /// Test the first player of a gauntlet against each opponent, such as elo0=0,elo1=5
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse, help_heading = "Tournament")]
    pub sprt: Option<Sprt>,
    /// Play for the third place of a knockout
    #[arg(long, help_heading = "Tournament")]
    pub third_place: bool,
    /// Game, openings and dialect.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Number of games played at once
    #[arg(long, value_name = "C", value_parser = number::<u16>(1..=u16::MAX.into()), help_heading = "Execution")]
    pub concurrency: Option<u16>,
    /// CSV of --output FILE.csv: plain, or excel-fr for Excel with French settings [default: plain]
    #[arg(long, value_name = "DIALECT", value_parser = word("csv", &CsvDialect::WORDS), help_heading = "Output")]
    pub csv: Option<CsvDialect>,
    /// Limits and sandbox of all players.
    #[command(flatten)]
    pub players: PlayerOptions,
}

fn parse_error(text: &str) -> Result<f64, ParseError> {
    let error = text.parse().ok().filter(|error: &f64| error.is_finite() && *error > 0.0);
    error.ok_or_else(|| ParseError::new(format!("expected Elo above 0, got '{text}'")))
}

impl TournamentOptions {
    /// Returns the names of the options, without dashes.
    pub fn names() -> Vec<String> {
        let command = TournamentOptions::augment_args(clap::Command::new("options"));
        let names = command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned));
        names.collect()
    }

    /// Parses options, of which a later one replaces an earlier one.
    ///
    /// # Errors
    /// Returns an error if an option or its value is invalid.
    pub fn parse(words: &[String]) -> Result<TournamentOptions, Failure> {
        let command = clap::Command::new("options").no_binary_name(true).args_override_self(true);
        let command = TournamentOptions::augment_args(command);
        let matches = command.try_get_matches_from(words);
        let parsed = matches.and_then(|matches| TournamentOptions::from_arg_matches(&matches));
        parsed.map_err(|error| Failure::parser(&error))
    }

    /// Returns these options on top of others.
    pub fn over(&self, base: &TournamentOptions) -> TournamentOptions {
        TournamentOptions {
            name: self.name.clone().or_else(|| base.name.clone()),
            format: self.format.or(base.format),
            rounds: self.rounds.or(base.rounds),
            games: self.games.or(base.games),
            games_per_player: self.games_per_player.or(base.games_per_player),
            max_games: self.max_games.or(base.max_games),
            max_error: self.max_error.or(base.max_error),
            sprt: self.sprt.or(base.sprt),
            third_place: self.third_place || base.third_place,
            common: self.common.over(&base.common),
            concurrency: self.concurrency.or(base.concurrency),
            csv: self.csv.or(base.csv),
            players: self.players.over(&base.players),
        }
    }

    /// Returns what a tournament has in common with a match, with the usual number of games if it
    /// is new.
    pub fn config_args(&self, is_new: bool) -> ConfigArgs {
        let games = if self.sprt.is_some() { GAMES_OF_A_TEST } else { GAMES };
        let games = self.games.or(is_new.then_some(games));
        ConfigArgs { games, common: self.common.clone(), ..ConfigArgs::default() }
    }

    /// Returns these options on top of those of a stored format, unless they name another one.
    fn over_format(&self, before: &FormatConfig) -> TournamentOptions {
        let mut of = self.clone();
        if self.format.is_some_and(|kind| kind != before.kind()) {
            return of;
        }
        of.format = Some(before.kind());
        match *before {
            // The file describes the fixed bots anew.
            FormatConfig::RoundRobin
            | FormatConfig::DoubleKnockout
            | FormatConfig::Graded { .. } => {}
            FormatConfig::Gauntlet { sprt } => of.sprt = of.sprt.or(sprt),
            FormatConfig::Balanced { games_per_player } => {
                of.games_per_player = of.games_per_player.or(Some(games_per_player));
            }
            FormatConfig::Swiss { rounds } => of.rounds = of.rounds.or(rounds),
            FormatConfig::Knockout { third_place } => of.third_place |= third_place,
            FormatConfig::Ladder { max_games, max_error } => {
                of.max_games = of.max_games.or(Some(max_games));
                of.max_error = of.max_error.or(max_error);
            }
        }
        of
    }

    /// Returns the format for `players` players and these fixed bots, over that of a stored
    /// tournament: later players do not change the number of its rounds.
    ///
    /// # Errors
    /// Returns an error if an option does not belong to the format.
    pub fn format(
        &self,
        players: usize,
        bots: Vec<FixedBot>,
        before: Option<&FormatConfig>,
    ) -> Result<FormatConfig, Failure> {
        match before {
            Some(before) => self.over_format(before).new_format(players, bots),
            None => self.new_format(players, bots),
        }
    }

    fn new_format(&self, players: usize, bots: Vec<FixedBot>) -> Result<FormatConfig, Failure> {
        let kind = self.format.unwrap_or(FormatKind::RoundRobin);
        let given = [
            ("rounds", self.rounds.is_some(), &[FormatKind::Swiss][..]),
            ("games-per-player", self.games_per_player.is_some(), &[FormatKind::Balanced]),
            ("max-games", self.max_games.is_some(), &[FormatKind::Ladder]),
            ("max-error", self.max_error.is_some(), &[FormatKind::Ladder]),
            ("sprt", self.sprt.is_some(), &[FormatKind::Gauntlet]),
            ("third-place", self.third_place, &[FormatKind::Knockout]),
            ("[[grade]]", !bots.is_empty(), &[FormatKind::Graded]),
        ];
        for (name, is_given, kinds) in given {
            if is_given && !kinds.contains(&kind) {
                let [word, own] = [kind, kinds[0]]
                    .map(|kind| arbitre_games::text::word_of(kind, &FormatKind::WORDS));
                return Err(Failure::Usage(format!(
                    "{name}: expected the format {own}, got {word}{HELP}choose the format {own}, or \
                     leave out {name}"
                )));
            }
        }
        Ok(match kind {
            FormatKind::RoundRobin => FormatConfig::RoundRobin,
            FormatKind::Gauntlet => FormatConfig::Gauntlet { sprt: self.sprt },
            FormatKind::Balanced => {
                let games_per_player = self.games_per_player.ok_or_else(|| {
                    Failure::Usage(
                        "games-per-player: expected a number for the format balanced, got none"
                            .into(),
                    )
                })?;
                FormatConfig::Balanced { games_per_player }
            }
            FormatKind::Swiss => FormatConfig::Swiss { rounds: self.rounds },
            FormatKind::Knockout => FormatConfig::Knockout { third_place: self.third_place },
            FormatKind::DoubleKnockout => FormatConfig::DoubleKnockout,
            FormatKind::Ladder => FormatConfig::Ladder {
                max_games: self.max_games.unwrap_or(LADDER_GAMES * players as u64 / 2),
                max_error: self.max_error,
            },
            FormatKind::Graded if bots.is_empty() => {
                return Err(Failure::Usage(format!(
                    "[[grade]]: expected a fixed bot for the format graded, got none{HELP}add \
                     [[grade]] with bot and points to the file of the tournament"
                )));
            }
            FormatKind::Graded => FormatConfig::Graded { bots },
        })
    }
}
