//! `referee experiment GAME`: the claims of the game's source document, measured again.

use super::args::Experiment;
use crate::config::args::ConfigArgs;
use crate::config::from_args::{self, Absent};
use crate::config::limit_args::LimitArgs;
use crate::experiment::{Claim, Finding, Lab, Played};
use crate::failure::Failure;
use crate::player::process_group::ProcessGroups;
use crate::registry::Registry;
use crate::report::output::{print, print_json};
use crate::report::progress::Progress;
use crate::statistics::tally::Tally;
use crate::tournament::interrupt::{Listener, Stop};
use crate::tournament::plan::{default_concurrency, MatchPlan};
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::game::ParseError;
use arbitre_games::text::{format_duration, unknown};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

/// A claim with what came out.
#[derive(Serialize)]
struct Outcome<'a> {
    claim: &'a str,
    words: &'a str,
    meaning: &'a str,
    #[serde(flatten)]
    finding: Finding,
}

/// Measures the claims.
pub fn run(args: &Experiment, registry: &Registry) -> Result<ExitCode, Failure> {
    let entry = registry.game(&args.game).map_err(Failure::usage)?;
    let chosen = choose(entry.experiments.claims, &args.claim).map_err(Failure::usage)?;
    let mut bench =
        Bench { args, registry, stop: Stop::default(), processes: ProcessGroups::default() };
    let _listener = Listener::start(
        bench.stop.clone(),
        bench.processes.clone(),
        || eprintln!("finishing the games that run; once more to stop at once"),
        || {},
    )?;
    let mut results = Vec::new();
    for claim in chosen {
        eprintln!("{}: {}", claim.name, claim.meaning);
        let finding = (claim.measure)(&mut bench);
        if bench.stop.requested() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let finding = finding.map_err(|why| Failure::Data(why.to_string()))?;
        let (words, meaning) = (claim.words, claim.meaning);
        let result = Outcome { claim: claim.name, words, meaning, finding };
        if args.json {
            print_json(&result)?;
        } else {
            print(&text(&result))?;
        }
        results.push(result);
    }
    if let Some(file) = &args.markdown {
        std::fs::write(file, markdown(entry.experiments.source, &results))
            .map_err(|error| Failure::Data(format!("{}: {error}", file.display())))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The claims of these names; all of them where none is named.
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

fn text(result: &Outcome) -> String {
    let Finding { measured, verdict, how } = &result.finding;
    let (claim, words, word) = (result.claim, result.words, verdict.word());
    format!("{claim}: {word}\n  « {words} »\n  {measured}\n  {how}\n\n")
}

fn markdown(source: &str, results: &[Outcome]) -> String {
    let mut page = format!("Claims of: {source}\n\n");
    page += "| claim | measured (95 % interval) | verdict |\n|---|---|---|\n";
    for result in results {
        let Finding { measured, verdict, how } = &result.finding;
        let (words, meaning, word) = (result.words, result.meaning, verdict.word());
        let how = how.replace('|', "\\|");
        page += &format!("| « {words} » {meaning} | {measured} (`{how}`) | {word} |\n");
    }
    page
}

/// Allowance on top of the default time per move, so that a busy machine decides no game.
const MARGIN: Duration = Duration::from_secs(10);

/// Matches on this machine.
struct Bench<'a> {
    args: &'a Experiment,
    registry: &'a Registry,
    stop: Stop,
    processes: ProcessGroups,
}

impl Lab for Bench<'_> {
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
        default_concurrency(self.args.concurrency)
    }

    fn play(&mut self, first: &str, second: &str, games: u64) -> Result<Played, ParseError> {
        let command = self.command(first, second, games);
        let bad = |why: Failure| ParseError::new(format!("{command}: {why}"));
        let plan = self.plan(first, second, games).map_err(bad)?;
        let (tally, records) = self.collect(&plan);
        match self.stop.requested() {
            true => Err(ParseError::new("interrupted")),
            false => Ok(Played { tally, records, command }),
        }
    }

    fn say(&mut self, what: &str) {
        log::info!("{what}");
    }
}

impl Bench<'_> {
    /// Returns the command that plays a match again.
    fn command(&self, first: &str, second: &str, games: u64) -> String {
        let (games, seed) = (games.to_string(), self.args.seed.to_string());
        let margin = format_duration(MARGIN);
        shell_words::join([
            "referee", first, second, "--games", &games, "--seed", &seed, "--margin", &margin,
        ])
    }

    fn plan(&self, first: &str, second: &str, games: u64) -> Result<MatchPlan, Failure> {
        let players = vec![first.to_owned(), second.to_owned()];
        let config = ConfigArgs { players, games: Some(games), ..ConfigArgs::default() };
        let limits = LimitArgs::with_margin(MARGIN);
        let absent = Absent { seed: self.args.seed, games: None };
        let resolved = from_args::resolve(&config, &limits, absent, self.registry)?;
        MatchPlan::new(resolved, self.registry, self.args.concurrency)
    }

    fn collect(&self, plan: &MatchPlan) -> (Tally, Vec<crate::play::record::Record>) {
        let progress = Progress::new(plan.schedule.games(), 0, false, true);
        let mut tally = Tally::new(2, 1);
        let mut records = Vec::new();
        plan.tournament(true, &self.processes, &self.stop).run(&HashSet::new(), |record| {
            tally.add(&record);
            progress.game(String::new());
            records.push(record);
            ControlFlow::Continue(())
        });
        progress.finish();
        (tally, records)
    }
}
