//! `referee experiment GAME`: measures the claims of the game's source document again.

use super::args::ExperimentArgs;
use super::listen::listen;
use crate::config::args::ConfigArgs;
use crate::config::from_args::{self, Absent};
use crate::config::limit_args::LimitArgs;
use crate::config::player_options::PlayerOptions;
use crate::failure::Failure;
use crate::formats::schedule::Schedule;
use crate::play::pairing::Pairing;
use crate::play::record::Record;
use crate::registry::Registry;
use crate::report::output::{print, print_json, write_whole};
use crate::report::progress::Progress;
use crate::run::interrupt::Stop;
use crate::run::plan::Plan;
use crate::run::processors::default_concurrency;
use crate::run::sandboxes::SandboxPolicy;
use crate::statistics::rating::Pairs;
use crate::statistics::tally::Tally;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::experiment::{
    Claim, HalfPoints, Interval, LabGame, LabMatch, LabPairing, LabSchedule, Laboratory,
};
use arbitre_games::game::ParseError;
use arbitre_games::text::{format_duration, io_reason, unknown};
use arbitre_process::process_group::ProcessGroups;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

/// A claim with its measurement.
#[derive(Serialize)]
struct MeasuredClaim<'a> {
    claim: &'a str,
    words: &'a str,
    meaning: &'a str,
    measured: String,
    verdict: &'static str,
    how: String,
}

/// Measures the chosen claims.
pub fn run(args: &ExperimentArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let game = registry.game(&args.game)?.meta.name;
    let experiments = registry.experiments.iter().find(|experiments| experiments.game == game);
    let (source, claims) = experiments.map_or(("", &[][..]), |it| (it.source, it.claims));
    let chosen = choose(claims, &args.claim)?;
    let mut lab = MatchLab { args, registry, stop: Stop::default(), processes: Default::default() };
    let _listener = listen(&lab.stop, &lab.processes, "the games that run")?;
    let mut results = Vec::new();
    for claim in chosen {
        diagnostics::print(format_args!("{}: {}\n", claim.name, claim.meaning));
        let measurement = (claim.measure)(&mut lab);
        // Checked before the error, as an interrupted match fails with an error of its own.
        if lab.stop.requested() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let measurement = measurement.map_err(|why| Failure::Data(why.to_string()))?;
        let result = MeasuredClaim {
            claim: claim.name,
            words: claim.words,
            meaning: claim.meaning,
            measured: measurement.measured,
            verdict: measurement.verdict.word(),
            how: measurement.how,
        };
        if args.json {
            print_json(&result)?;
        } else {
            print(&text(&result))?;
        }
        results.push(result);
    }
    if let Some(file) = &args.markdown {
        write_whole(file, &markdown(source, &results))
            .map_err(|error| Failure::Data(format!("{}: {}", file.display(), io_reason(&error))))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the named claims, or all claims if `names` is empty.
fn choose<'a>(claims: &'a [Claim], names: &[String]) -> Result<Vec<&'a Claim>, ParseError> {
    if names.is_empty() {
        return Ok(claims.iter().collect());
    }
    let find = |name: &String| {
        let found = claims.iter().find(|claim| claim.name == name);
        found.ok_or_else(|| unknown("claim", name, claims.iter().map(|claim| claim.name)))
    };
    names.iter().map(find).collect()
}

fn text(result: &MeasuredClaim) -> String {
    let MeasuredClaim { claim, words, measured, verdict, how, .. } = result;
    format!("{claim}: {verdict}\n  « {words} »\n  {measured}\n  {how}\n\n")
}

fn markdown(source: &str, results: &[MeasuredClaim]) -> String {
    let mut page = format!("Claims of: {source}\n\n");
    page += "| claim | measured (95 % interval) | verdict |\n|---|---|---|\n";
    for MeasuredClaim { words, meaning, measured, verdict, how, .. } in results {
        let how = how.replace('|', "\\|");
        page += &format!("| « {words} » {meaning} | {measured} (`{how}`) | {verdict} |\n");
    }
    page
}

/// Margin on top of each time limit, so that load on the machine decides no game. Not tuned.
const MARGIN: Duration = Duration::from_secs(10);

/// Laboratory that plays its matches on this machine.
struct MatchLab<'a> {
    args: &'a ExperimentArgs,
    registry: &'a Registry,
    stop: Stop,
    processes: ProcessGroups,
}

impl Laboratory for MatchLab<'_> {
    fn games(&self) -> u64 {
        self.args.games
    }

    fn depth(&self) -> u32 {
        self.args.depth
    }

    fn seed(&self) -> u64 {
        self.args.seed
    }

    fn workers(&self) -> usize {
        default_concurrency(self.args.concurrency, 1)
    }

    fn schedule(&self, games: u64) -> LabSchedule {
        lab_schedule(games, self.args.seed)
    }

    fn score(&self, pairs: &[[HalfPoints; 2]]) -> Result<Interval, ParseError> {
        let mut counts = Pairs::default();
        pairs.iter().for_each(|&[one, other]| counts.add(one, other));
        score(&counts)
    }

    fn play(&mut self, first: &str, second: &str, games: u64) -> Result<LabMatch, ParseError> {
        let command = self.command(first, second, games);
        let bad = |why: Failure| ParseError::new(format!("{command}: {why}"));
        let plan = self.plan(first, second, games).map_err(bad)?;
        let (tally, mut records) = self.collect(&plan).map_err(bad)?;
        if self.stop.requested() {
            return Err(ParseError::new("interrupted"));
        }
        // Games that run in parallel finish in any order.
        records.sort_by_key(|record| record.pairing.index_in_group());
        Ok(LabMatch {
            games: records.iter().map(lab_game).collect(),
            score: score(&tally.head_to_head(0, 1).pairs)?,
            // Times are recorded in microseconds.
            move_millis: [0, 1].map(|player: usize| tally.players[player].times.mean() / 1000.0),
            command,
        })
    }

    fn say(&mut self, what: &str) {
        log::info!("{what}");
    }
}

impl MatchLab<'_> {
    /// Returns the command line that plays a match again.
    fn command(&self, first: &str, second: &str, games: u64) -> String {
        let (games, seed) = (games.to_string(), self.args.seed.to_string());
        let margin = format_duration(MARGIN);
        shell_words::join([
            "referee", first, second, "--games", &games, "--seed", &seed, "--margin", &margin,
        ])
    }

    fn plan(&self, first: &str, second: &str, games: u64) -> Result<Plan, Failure> {
        let players = vec![first.to_owned(), second.to_owned()];
        let config = ConfigArgs { players, games: Some(games), ..ConfigArgs::default() };
        let limits = LimitArgs::with_margin(MARGIN);
        let options = PlayerOptions { limits, ..PlayerOptions::default() };
        let absent = Absent { seed: self.args.seed, games: None, two_at_a_table: false };
        let resolved = from_args::resolve(&config, &options, absent, self.registry)?;
        // The players are bundled bots.
        let policy = SandboxPolicy::new(self.registry.executable, None, None);
        Plan::new(resolved, None, self.registry, self.args.concurrency, &policy)
    }

    fn collect(&self, plan: &Plan) -> Result<(Tally, Vec<Record>), Failure> {
        let progress = Progress::new(plan.stages.games().games(), 0, false, true);
        let mut tally = Tally::new(2);
        let mut records = Vec::new();
        plan.workers(true, &self.processes, &self.stop).run_games(HashSet::new(), |record| {
            tally.add_record(&record);
            progress.game(String::new());
            records.push(record);
            ControlFlow::Continue(())
        })?;
        progress.finish();
        Ok((tally, records))
    }
}

/// Returns the schedule of a match of two players in the form that experiments use.
pub fn lab_schedule(games: u64, seed: u64) -> LabSchedule {
    let schedule = Schedule::new(2, 2, games, seed);
    let pairings = schedule.pairings().map(|pairing| lab_pairing(&pairing));
    LabSchedule { pairings: pairings.collect(), setups: schedule.openings_rng() }
}

fn score(pairs: &Pairs) -> Result<Interval, ParseError> {
    let sample = pairs.sample();
    let value = sample.score().ok_or_else(|| ParseError::new("no pair of games was played"))?;
    let (low, high) = sample.score_interval();
    Ok(Interval { value, low, high })
}

/// Returns the place of a two-player game in its match.
pub fn lab_pairing(pairing: &Pairing) -> LabPairing {
    let Pairing { round, players, seeds, .. } = pairing;
    let (players, seeds) = ([players[0], players[1]], [seeds[0], seeds[1]]);
    LabPairing { index: pairing.index_in_group(), round: *round, players, seeds }
}

fn lab_game(record: &Record) -> LabGame {
    let plies = record.played.plies.iter();
    LabGame {
        pairing: lab_pairing(&record.pairing),
        setup: record.setup.clone(),
        moves: plies.map(|ply| (ply.seat, ply.mv.clone(), ply.spent.as_secs_f64())).collect(),
    }
}
