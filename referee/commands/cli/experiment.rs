//! `referee experiment GAME`: measures the claims of the game's source document again.

use super::args::ExperimentArgs;
use super::listen::listen;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::experiment::{
    Claim, HalfPoints, Interval, LabGame, LabMatch, Laboratory, MatchRequest,
};
use arbitre_games::game::ParseError;
use arbitre_games::text::{format_duration, unknown};
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::config::args::ConfigArgs;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::from_args::{self, Absent, Tables};
use arbitre_referee::config::limit_args::LimitArgs;
use arbitre_referee::config::player_arg::CommandKind;
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::play::record::Record;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_either, write_whole};
use arbitre_referee::report::progress::Progress;
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::Plan;
use arbitre_referee::run::processors::default_concurrency;
use arbitre_referee::run::sandboxes::SandboxPolicy;
use arbitre_referee::run::PlayerSource;
use arbitre_referee::statistics::tally::Tally;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
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
        print_either(&result, &text(&result), args.json)?;
        results.push(result);
    }
    if let Some(file) = &args.markdown {
        write_whole(file, &markdown(source, &results)).map_err(about(file, Failure::Data))?;
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

    fn play(&mut self, request: MatchRequest) -> Result<LabMatch, ParseError> {
        let command = self.command(&request);
        let bad = |why: Failure| ParseError::new(format!("{command}: {why}"));
        let plan = self.plan(&request).map_err(bad)?;
        let (tally, mut records) = self.collect(&plan).map_err(bad)?;
        if self.stop.requested() {
            return Err(ParseError::new("interrupted"));
        }
        // Games that run in parallel finish in any order.
        records.sort_by_key(|record| record.pairing.index_in_group());
        let sample = tally.head_to_head(0, 1).pairs.sample();
        let value = sample.score().ok_or_else(|| ParseError::new("no pair of games was played"))?;
        let (low, high) = sample.score_interval();
        Ok(LabMatch {
            games: records.iter().map(lab_game).collect(),
            score: Interval { value, low, high },
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
    /// Returns the command line that plays a match again, through programs.
    fn command(&self, request: &MatchRequest) -> String {
        let [first, second] = request.players;
        let (games, seed) = (request.games.to_string(), self.args.seed.to_string());
        let margin = format_duration(MARGIN);
        let mut words = vec!["referee", first, second];
        if !request.rules.is_empty() {
            words.extend(["--rules", request.rules]);
        }
        words.extend(["--games", &games, "--seed", &seed, "--margin", &margin]);
        shell_words::join(words)
    }

    fn plan(&self, request: &MatchRequest) -> Result<Plan, Failure> {
        let players = request.players.map(str::to_owned).to_vec();
        let common = CommonArgs { rules: request.rules.into(), ..CommonArgs::default() };
        let games = Some(request.games);
        let config = ConfigArgs { players, games, common, ..ConfigArgs::default() };
        let limits = LimitArgs::with_margin(MARGIN);
        let options = PlayerOptions { limits, ..PlayerOptions::default() };
        let absent = Absent { seed: self.args.seed, games: None, tables: Tables::All };
        let resolved = from_args::resolve(&config, &options, absent, self.registry)?;
        let commands = resolved.commands.clone();
        // The players are bundled bots.
        let policy = SandboxPolicy::new(self.registry.executable, None, None);
        let mut plan = Plan::new(resolved, None, self.registry, self.args.concurrency, &policy)?;
        for (player, command) in plan.players.iter_mut().zip(commands) {
            if let (CommandKind::Bundled(name, words), true) = (command, request.inside) {
                let bot = self.registry.bot(&name).expect("a planned bot is registered");
                bot.console(&words)?;
                player.source = PlayerSource::InProcess(Arc::new(move || {
                    bot.console(&words).expect("the words were read before")
                }));
            }
        }
        Ok(plan)
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

fn lab_game(record: &Record) -> LabGame {
    let Record { pairing, setup, played, .. } = record;
    let plies = played.plies.iter();
    let scores = played.outcome.as_ref().map_or(&[0, 0][..], |outcome| &outcome.scores);
    let result = |own, other| 1 + HalfPoints::from(own > other) - HalfPoints::from(own < other);
    LabGame {
        round: pairing.round,
        players: [pairing.players[0], pairing.players[1]],
        setup: setup.clone(),
        moves: plies.map(|ply| (ply.seat, ply.mv.clone(), ply.spent.as_secs_f64())).collect(),
        results: [result(scores[0], scores[1]), result(scores[1], scores[0])],
    }
}
