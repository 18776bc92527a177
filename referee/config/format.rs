//! Format of a tournament, as it is configured and stored.

use crate::statistics::sprt::{as_text, Sprt};
use arbitre_games::text::word_of;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Format of a tournament.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FormatConfig {
    /// All groups of players meet.
    #[default]
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet {
        /// Test that ends the games against an opponent early.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "as_text")]
        sprt: Option<Sprt>,
    },
    /// All pairs of players meet equally often, and every player plays this number of games.
    Balanced {
        /// Games of each player.
        games_per_player: u64,
    },
    /// Players with equal points meet.
    Swiss {
        /// Number of rounds; `None` for the usual number.
        rounds: Option<u64>,
    },
    /// A player is out after a lost meeting.
    Knockout {
        /// Whether the losers of the semi-finals play for the third place.
        third_place: bool,
    },
    /// A player is out after two lost meetings.
    DoubleKnockout,
    /// Players meet whose ratings gain most.
    Ladder {
        /// Number of games.
        max_games: u64,
        /// Rating error in Elo of all players below which the ladder ends.
        max_error: Option<f64>,
    },
    /// Every other player meets the fixed bots alone, which give it a mark.
    Graded {
        /// The fixed bots.
        bots: Vec<FixedBot>,
    },
}

/// Fixed bot of a graded tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FixedBot {
    /// Name of its player.
    pub name: String,
    /// Weight of its games in a mark; above zero.
    pub points: f64,
}

/// Source of the stages of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// The players of the contest. All stages are known from the start.
    Players,
    /// The players that can play when the first game begins, and later those that join. A stage
    /// that has begun stays as it is, and is stored.
    Field,
    /// Tests on the results of the current versions. All stages are computed anew in each run.
    Tests,
    /// Earlier results. A stage that has begun stays as it is, and is stored.
    Results,
}

impl Course {
    /// Returns `true` if stages that have begun are stored.
    pub fn is_stored(self) -> bool {
        matches!(self, Course::Field | Course::Results)
    }
}

/// Name of a format, before its numbers are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatKind {
    /// See [`FormatConfig::RoundRobin`].
    RoundRobin,
    /// See [`FormatConfig::Gauntlet`].
    Gauntlet,
    /// See [`FormatConfig::Balanced`].
    Balanced,
    /// See [`FormatConfig::Swiss`].
    Swiss,
    /// See [`FormatConfig::Knockout`].
    Knockout,
    /// See [`FormatConfig::DoubleKnockout`].
    DoubleKnockout,
    /// See [`FormatConfig::Ladder`].
    Ladder,
    /// See [`FormatConfig::Graded`].
    Graded,
}

impl FormatKind {
    /// Words of the formats.
    pub const WORDS: [(&'static str, FormatKind); 8] = [
        ("round-robin", FormatKind::RoundRobin),
        ("gauntlet", FormatKind::Gauntlet),
        ("balanced", FormatKind::Balanced),
        ("swiss", FormatKind::Swiss),
        ("knockout", FormatKind::Knockout),
        ("double-knockout", FormatKind::DoubleKnockout),
        ("ladder", FormatKind::Ladder),
        ("graded", FormatKind::Graded),
    ];
}

impl FormatConfig {
    /// Returns the kind of the format.
    pub fn kind(&self) -> FormatKind {
        match self {
            FormatConfig::RoundRobin => FormatKind::RoundRobin,
            FormatConfig::Gauntlet { .. } => FormatKind::Gauntlet,
            FormatConfig::Balanced { .. } => FormatKind::Balanced,
            FormatConfig::Swiss { .. } => FormatKind::Swiss,
            FormatConfig::Knockout { .. } => FormatKind::Knockout,
            FormatConfig::DoubleKnockout => FormatKind::DoubleKnockout,
            FormatConfig::Ladder { .. } => FormatKind::Ladder,
            FormatConfig::Graded { .. } => FormatKind::Graded,
        }
    }

    /// Returns the word of the format.
    pub fn word(&self) -> &'static str {
        word_of(self.kind(), &FormatKind::WORDS)
    }

    /// Returns what the stages of the format follow from.
    pub fn course(&self) -> Course {
        match self {
            FormatConfig::Gauntlet { sprt: Some(_) } => Course::Tests,
            FormatConfig::RoundRobin
            | FormatConfig::Gauntlet { sprt: None }
            | FormatConfig::Graded { .. } => Course::Players,
            FormatConfig::Balanced { .. } => Course::Field,
            FormatConfig::Swiss { .. }
            | FormatConfig::Knockout { .. }
            | FormatConfig::DoubleKnockout
            | FormatConfig::Ladder { .. } => Course::Results,
        }
    }

    /// Returns `true` if a player can join that was not there at the start.
    pub fn takes_joiners(&self) -> bool {
        !matches!(self.kind(), FormatKind::Knockout | FormatKind::DoubleKnockout)
    }

    /// Returns `true` if later games depend on earlier results.
    pub fn depends_on_results(&self) -> bool {
        matches!(self.course(), Course::Tests | Course::Results)
    }

    /// Returns `true` if a player that changes keeps its points and continues with its new version.
    /// Elsewhere the player plays all of its games again, because the results of two versions must
    /// not be mixed in one count.
    pub fn counts_all_versions(&self) -> bool {
        self.course() == Course::Results
    }

    /// Returns the test of the first player against each opponent, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        match self {
            FormatConfig::Gauntlet { sprt } => *sprt,
            _ => None,
        }
    }

    /// Returns the format with the games that are played on this number of seats: in a balanced
    /// schedule each player has each seat equally often in each place of a group.
    pub fn rounded(&self, seats: usize) -> FormatConfig {
        match *self {
            FormatConfig::Balanced { games_per_player } => {
                let block = (seats * seats) as u64;
                let games_per_player = games_per_player.div_ceil(block).saturating_mul(block);
                FormatConfig::Balanced { games_per_player }
            }
            _ => self.clone(),
        }
    }

    /// Returns the fixed bots of a graded tournament; none of another format.
    pub fn fixed_bots(&self) -> &[FixedBot] {
        match self {
            FormatConfig::Graded { bots } => bots,
            _ => &[],
        }
    }
}

impl fmt::Display for FormatConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            FormatConfig::Balanced { games_per_player } => {
                write!(f, ", {games_per_player} games per player")
            }
            FormatConfig::Gauntlet { sprt: Some(sprt) } => write!(f, ", SPRT {sprt}"),
            FormatConfig::Swiss { rounds: Some(rounds) } => write!(f, ", {rounds} rounds"),
            FormatConfig::Knockout { third_place: true } => f.write_str(", third place"),
            FormatConfig::Ladder { max_games, max_error } => {
                write!(f, ", at most {max_games} games")?;
                max_error.map_or(Ok(()), |error| write!(f, ", error below {error}"))
            }
            FormatConfig::Graded { bots } => {
                write!(f, " by {} fixed bot{}", bots.len(), if bots.len() == 1 { "" } else { "s" })
            }
            _ => Ok(()),
        }
    }
}
