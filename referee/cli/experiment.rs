//! `referee experiment GAME`: the claims of the game's source document, measured again.

use super::args::{Cli, Experiment};
use super::charter;
use super::failure::Failure;
use super::output::{print, print_json};
use super::plan::{default_concurrency, Plan};
use crate::experiment::{Claim, Finding, Lab, Played};
use crate::player::process_group::Herd;
use crate::registry;
use crate::report::progress::Progress;
use crate::statistics::tally::Tally;
use crate::tournament::interrupt::{Listener, Stop, INTERRUPTED};
use arbitre_games::game::ParseError;
use arbitre_games::text::unknown;
use clap::Parser;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::process::ExitCode;

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
pub fn run(args: &Experiment) -> Result<ExitCode, Failure> {
    let entry = registry::find(&args.game).map_err(Failure::usage)?;
    let chosen = choose(entry.experiments.claims, &args.claim).map_err(Failure::usage)?;
    let mut bench = Bench { args, stop: Stop::default(), herd: Herd::default() };
    let _listener = Listener::start(
        bench.stop.clone(),
        bench.herd.clone(),
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

/// Matches on this machine.
struct Bench<'a> {
    args: &'a Experiment,
    stop: Stop,
    herd: Herd,
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
        let (games, seed) = (games.to_string(), self.args.seed.to_string());
        let words =
            ["referee", first, second, "--games", &games, "--seed", &seed, "--margin", "10s"];
        let command = shell_words::join(words);
        let bad = |why: Failure| ParseError::new(format!("{command}: {why}"));
        let cli = Cli::try_parse_from(words).map_err(|error| bad(Failure::parser(&error)))?;
        let charter = charter::read(&cli.duel, self.args.seed, None).map_err(bad)?;
        let plan = Plan::new(charter, self.args.concurrency).map_err(bad)?;
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
    fn collect(&self, plan: &Plan) -> (Tally, Vec<crate::play::record::Record>) {
        let progress = Progress::new(plan.schedule.games(), 0, false, true);
        let mut tally = Tally::new(2, 1);
        let mut records = Vec::new();
        plan.tournament(true, &self.herd, &self.stop).run(&HashSet::new(), |record| {
            tally.add(&record);
            progress.game(String::new());
            records.push(record);
            ControlFlow::Continue(())
        });
        progress.finish();
        (tally, records)
    }
}
