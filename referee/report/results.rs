//! Results of a stored match: its summary, and an entry for each game.

use super::machines::differing;
use super::summary::Summary;
use crate::config::{Source, TournamentSource};
use crate::failure::Failure;
use crate::formats::stages::{Next, Stages};
use crate::play::record::{ranks_of, Details, GameResult};
use crate::run::collector::counted;
use crate::statistics::tally::Tally;
use crate::store::{is_written, Archive, Order, Versions, View};
use std::collections::HashMap;
use std::time::Duration;

/// Results of a stored match.
pub struct Results {
    /// Match with the players that are counted.
    pub view: View,
    /// Counts of all games that count.
    pub tally: Tally,
    /// Summary of the counts, with the ranks of the format in a tournament.
    pub summary: Summary,
    /// Stored games in the order of their numbers.
    pub games: Vec<ListedGame>,
    /// Different setups, in the order of their first game.
    pub setups: Vec<String>,
    /// Whether the players are hidden: see [`super::anonymity`].
    pub is_anonymous: bool,
}

/// Stored game in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedGame {
    /// Number of the game.
    pub number: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
    /// Score of each seat.
    pub scores: Vec<i64>,
    /// Rank of each seat.
    pub ranks: Vec<usize>,
    /// Reason for the end: see [`crate::play::record::Record::end`].
    pub ending: &'static str,
    /// Seat and word of each fault.
    pub faults: Vec<(usize, &'static str)>,
    /// Index of its setup.
    pub setup: usize,
    /// Number of moves.
    pub moves: u64,
    /// Time of the longest move.
    pub longest: Duration,
}

impl ListedGame {
    /// Returns the distance between the best and the worst score.
    pub fn distance(&self) -> u64 {
        let ends = self.scores.iter().max().zip(self.scores.iter().min());
        ends.map_or(0, |(most, least)| most.abs_diff(*least))
    }
}

impl Results {
    /// Reads the results of a match.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn read(archive: &Archive, versions: Versions) -> Result<Results, Failure> {
        let view = archive.view(versions);
        let (mut games, mut setups) = (Vec::new(), Numbering::default());
        let Summarised { summary, tally, .. } =
            summarise(archive, &view, &mut |result, details| {
                games.extend(listed(result, details, &mut setups));
            })?;
        Ok(Results { view, tally, summary, games, setups: setups.texts, is_anonymous: false })
    }

    /// Returns a function that tells the points of one player against another, and the number of
    /// their games; `None` without games.
    pub fn meetings(&self) -> impl Fn(usize, usize) -> Option<(f64, u64)> {
        let against = self.tally.rankings.against(self.view.config.players.len());
        move |one, other| {
            let half_points = against[one][other] + against[other][one];
            (half_points > 0).then(|| (against[one][other] as f64 / 2.0, half_points / 2))
        }
    }
}

/// Stored games of a view, counted.
pub struct Summarised {
    /// Summary of the counts, with the ranks of the format in a tournament.
    pub summary: Summary,
    /// Counts of all games that count.
    pub tally: Tally,
    /// Largest number of games of the match; of a complete one, the number of its games.
    pub asked: u64,
    /// Number of stages that have begun; 0 without a tournament.
    pub stages: usize,
}

/// Returns the summary of the stored games of a view and their counts. `take` receives each game
/// after it was counted. Without a tournament the memory does not depend on the number of games.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn summarise(
    archive: &Archive,
    view: &View,
    take: &mut dyn FnMut(GameResult, Details),
) -> Result<Summarised, Failure> {
    let _moment = archive.moment()?;
    let config = &view.config;
    let mut stages = match config.source {
        Source::Tournament(_) => {
            let stages = Stages::of(config, archive.stages()?)?;
            Some(if archive.lacks_stages()? { stages.without_further() } else { stages })
        }
        Source::Words | Source::Room(_) => None,
    };
    let mut tally = Tally::of_stored(config.clocks()).under_test(config.evidence());
    let mut plays = vec![false; config.players.len()];
    archive.for_each_detailed::<Failure>(view, Order::Number, &mut |result, details| {
        tally.add(&result, &details);
        if let Some(stages) = &mut stages {
            stages.count(&result, &details.setup);
        }
        result.players.iter().for_each(|&player| plays[player] = true);
        take(result, details);
        Ok(())
    })?;
    archive.refuse_missing()?;
    tally.identical = archive.identical(view)?;
    let mut missed = Vec::new();
    let mut reasons = archive.failed_starts(view)?;
    if let Some(stages) = &mut stages {
        // While the match is played, a player without a game is yet to play, unless its start
        // failed.
        let is_played = is_written(archive.path());
        let idle = |player: &usize| !plays[*player] && (!is_played || reasons.contains_key(player));
        missed = complete(stages, &plays, (0..plays.len()).filter(idle).collect());
        let (_, struck) = stages.results();
        if stages.has_surplus(&struck) {
            tally = counted(archive, view, stages, &struck)?.0;
        }
        stages.absent().into_iter().for_each(|player| tally.miss(player));
    }
    let is_full = match &stages {
        Some(stages) => stages.is_full(),
        None => tally.games >= config.schedule().own_games(),
    };
    let (db, machines) = (archive.path().display().to_string(), differing(archive, view)?);
    let run = Summary { db: Some(db), machines, complete: is_full, ..Summary::default() };
    let missed = missed.into_iter().map(|player| {
        let why = if plays[player] { "it takes part no more" } else { "it has no game" };
        (player, reasons.remove(&player).unwrap_or_else(|| why.to_owned()))
    });
    let left = (0..config.players.len()).filter(|&player| config.has_left(player));
    let missed = missed.chain(left.map(|player| (player, TournamentSource::LEFT.to_owned())));
    let mut summary = Summary::new(&tally, config, run).without(missed);
    if let Some(stages) = &stages {
        summary.rank_by(stages, config);
    }
    let asked = match &stages {
        // The formats that depend on results may end before.
        _ if summary.complete => tally.games,
        Some(stages) => stages.most_games(),
        None => config.schedule().own_games(),
    };
    let stages = stages.map_or(0, |stages| stages.known().len());
    Ok(Summarised { summary, tally, asked, stages })
}

/// Follows the stages as far as their games are stored. Returns the players that take part no more:
/// those that the file names, unless they were withdrawn, and those `idle` ones that a stage lacks,
/// or without which the tournament is over.
fn complete(stages: &mut Stages, plays: &[bool], mut idle: Vec<usize>) -> Vec<usize> {
    let advance = |stages: &mut Stages| while let Next::Stage(_) = stages.advance() {};
    stages.miss_noted();
    let mut absent = stages.absent();
    let mut without = stages.clone();
    idle.iter().for_each(|&player| without.miss(player));
    advance(stages);
    advance(&mut without);
    if !stages.is_over() && without.is_over() {
        *stages = without;
    } else {
        idle.retain(|&player| stages.lacks(player));
    }
    absent.retain(|&player| plays[player] && !stages.withdrawn().any(|of| of == player));
    absent.extend(idle);
    absent
}

fn listed(result: GameResult, details: Details, setups: &mut Numbering) -> Option<ListedGame> {
    let outcome = result.outcome?;
    Some(ListedGame {
        number: result.number?,
        ranks: ranks_of(&outcome),
        players: result.players,
        scores: outcome.scores,
        ending: result.ending,
        faults: result.faults.into_iter().map(|(seat, word)| (seat.index(), word)).collect(),
        setup: setups.number(details.setup),
        moves: result.times.iter().map(|times| times.moves).sum(),
        longest: result.times.iter().map(|times| times.longest).max().unwrap_or_default(),
    })
}

/// Numbers of different texts.
#[derive(Default)]
struct Numbering {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Numbering {
    fn number(&mut self, text: String) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.texts.len();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }
}
