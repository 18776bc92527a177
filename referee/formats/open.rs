//! The format of a tournament, from its configuration.

use crate::config::format::FormatConfig;
use crate::config::{Contest, Kind};
use crate::formats::balanced::Balanced;
use crate::formats::graded::{Graded, Grading};
use crate::formats::knockout::{Elimination, Knockout};
use crate::formats::ladder::Ladder;
use crate::formats::round_robin::{Gauntlet, RoundRobin};
use crate::formats::swiss::Swiss;
use crate::formats::tested_gauntlet::TestedGauntlet;
use crate::formats::{Format, FormatError};
use arbitre_games::rng::Rng;

/// Branch of the generator that draws the tables of a graded contest.
const TABLES: u64 = 1;

/// Returns the format of a contest.
///
/// # Errors
/// Returns an error if the players do not fit the format.
pub fn open(of: &Contest) -> Result<Box<dyn Format>, FormatError> {
    let (players, seats) = (of.players.len(), of.seats);
    let rounds = of.rounds();
    Ok(match of.format {
        // What is played follows from the players of the moment.
        _ if of.kind() == Kind::Room => Box::new(Ladder::without_games(seats)),
        FormatConfig::RoundRobin if of.tournament().is_none() => {
            Box::new(RoundRobin::of_any_size(seats, rounds))
        }
        FormatConfig::RoundRobin => Box::new(RoundRobin::new(players, seats, rounds)?),
        FormatConfig::Gauntlet { sprt: None } => {
            Box::new(Gauntlet::new(players, 1, seats, rounds)?)
        }
        FormatConfig::Gauntlet { sprt: Some(sprt) } => {
            let format = TestedGauntlet::new(players, seats, rounds, sprt)?;
            Box::new(format.on_list(of.openings.listed()))
        }
        FormatConfig::Balanced { games_per_player } => {
            Box::new(Balanced::new(players, seats, games_per_player)?)
        }
        FormatConfig::Swiss { rounds: stages } => {
            let stages = stages.unwrap_or_else(|| Swiss::default_stages(players));
            Box::new(Swiss::new(players, seats, stages, rounds)?)
        }
        FormatConfig::Knockout { third_place } => {
            let elimination = Elimination::Single { third_place };
            Box::new(Knockout::new(players, seats, rounds, elimination)?)
        }
        FormatConfig::DoubleKnockout => {
            Box::new(Knockout::new(players, seats, rounds, Elimination::Double)?)
        }
        FormatConfig::Ladder { max_games, max_error } => {
            Box::new(Ladder::new(players, seats, max_games, max_error)?)
        }
        FormatConfig::Graded { .. } => {
            let bots = Grading::of(of).map_or_else(Vec::new, |grading| grading.bots());
            Box::new(Graded::new(players, bots, seats, rounds, &Rng::new(of.seed).fork(TABLES))?)
        }
    })
}
