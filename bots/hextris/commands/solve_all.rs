//! `solve-all`: plays every game of a folder of problems, and compares the scores with the best
//! known.

use super::games::{bad, read, take_phrases, terrain, GameJob, GameSet};
use super::resources::{take_seconds, Resources};
use crate::hextris::best::BeamParams;
use crate::hextris::solver::HextrisSolver;
use crate::options::Options;
use crate::program::{progress, say, Failure, InputReport, DATA, USAGE};
use arbitre_games::games::hextris::{score, Phrases, Solution, Terrain};
use arbitre_games::search::budget::{Budget, Timer};
use arbitre_games::text::io_reason;
use arbitre_games::{diagnostics, files, parallel};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{stderr, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of the command.
struct SolveAllArgs {
    games: GameSet,
    /// Creates the budget of a game that begins now, in this thread.
    budget: Box<dyn Fn() -> Budget + Sync>,
    /// Folder in which solutions are kept.
    output: Option<PathBuf>,
    resume: bool,
    input: InputReport,
}

/// Runs the command. Invalid problems are reported on standard error.
///
/// # Errors
/// Returns an error if an option is invalid, or a solution cannot be read or written. Also returns
/// one at the end, if a problem was invalid.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let seeds: usize = options.take_count("--seeds")?.unwrap_or(usize::MAX);
    let known = options.take_text("--best")?.map(|file| best_known(&file)).transpose()?;
    let args = SolveAllArgs::take(&mut options)?;
    options.finish()?;
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder).map_err(|error| cannot("make", folder, error))?;
    }
    let terrains = &args.games.terrains;
    let mut scores = vec![Vec::new(); terrains.len()];
    let mut failure = None;
    let jobs = args.jobs(seeds);
    let (count, mut finished) = (jobs.len(), 0);
    let play = |number: usize| args.play(jobs[number], count);
    let threads = args.games.resources.games_at_once(count);
    parallel::map_unordered(threads, count, play, |job, played| {
        let (number, seed) = jobs[job];
        finished += 1;
        match played {
            Ok(score) => {
                let id = terrains[number].problem().id;
                show(finished, count, &format!("problem {id} seed {seed}: {score}"));
                scores[number].push((seed, score));
            }
            Err(error) => failure = failure.take().or(Some(error)),
        }
    });
    if stderr().is_terminal() {
        diagnostics::print("\n");
    }
    say(&table(terrains, &scores, &known.unwrap_or_default()));
    failure.map_or_else(|| args.input.finish("problems"), Err)
}

impl SolveAllArgs {
    fn take(options: &mut Options) -> Result<SolveAllArgs, Failure> {
        let phrases = take_phrases(options)?.unwrap_or_else(Phrases::official);
        let time = take_seconds(options)?.unwrap_or(Duration::from_secs(20));
        let nodes = options.take_count("--nodes")?;
        let timer = if options.take_flag("--cpu") { Timer::cpu } else { Timer::wall };
        let budget: Box<dyn Fn() -> Budget + Sync> = match nodes {
            Some(nodes) => Box::new(move || Budget::nodes(nodes)),
            None => Box::new(move || Budget { time: Some(timer(time)), ..Budget::default() }),
        };
        let resources = Resources::take(options, 1)?;
        let output = options.take_text("--output")?.map(PathBuf::from);
        let resume = options.take_flag("--resume");
        if resume && output.is_none() {
            return Err(Failure::new(USAGE, "expected --output DIR beside --resume, got none"));
        }
        let folder = options.take_word();
        let folder =
            folder.ok_or_else(|| Failure::new(USAGE, "expected a folder of problems, got none"))?;
        let mut input = InputReport::default();
        let terrains = terrains(Path::new(&folder), &mut input)?;
        let solver = HextrisSolver::Best(BeamParams::default());
        let games = GameSet { terrains, phrases, resources, solver };
        Ok(SolveAllArgs { games, budget, output, resume, input })
    }

    /// Returns the games of the first seeds of each problem, each once, small boards first.
    fn jobs(&self, seeds: usize) -> Vec<GameJob> {
        let mut jobs = self.games.jobs(seeds);
        jobs.sort_by_key(|&(number, _)| {
            let problem = self.games.terrains[number].problem();
            (problem.width * problem.height, number)
        });
        jobs
    }

    /// Plays one of `count` games, or takes the solution that an earlier run kept. Returns the
    /// score.
    fn play(&self, (number, seed): GameJob, count: usize) -> Result<u64, Failure> {
        let (terrain, phrases) = (&self.games.terrains[number], &self.games.phrases);
        let id = terrain.problem().id;
        let file = self.output.as_ref().map(|folder| folder.join(format!("{id}_{seed}.json")));
        if let Some(file) = file.as_ref().filter(|file| self.resume && file.exists()) {
            let name = file.to_string_lossy();
            let text = read(&name)?;
            let kept = Solution::parse_all(&text).map_err(|why| bad(&name, why))?;
            let kept = kept.iter().find(|kept| (kept.problem, kept.seed) == (id, seed));
            let kept = kept.ok_or_else(|| bad(&name, "it has another game"))?;
            return Ok(score(terrain, seed, &kept.text, phrases).total());
        }
        let text = self.games.play((number, seed), count, Some(&*self.budget));
        let total = score(terrain, seed, &text, phrases).total();
        if let Some(file) = &file {
            let solution = Solution { problem: id, seed, tag: None, text: text.into() };
            files::write_whole(file, &[Solution::write_all(&[solution]).as_bytes()])
                .map_err(|error| cannot("write", file, error))?;
        }
        Ok(total)
    }
}

/// Reads the problems in the JSON files of a folder, in the order of their numbers.
fn terrains(folder: &Path, input: &mut InputReport) -> Result<Vec<Terrain>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, error))?;
    let files = entries.flatten().map(|entry| entry.path());
    let problems = files.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    let terrains = problems.filter_map(|file| input.take(terrain(&file.to_string_lossy())));
    let mut terrains: Vec<Terrain> = terrains.collect();
    terrains.sort_by_key(|terrain| terrain.problem().id);
    match terrains.is_empty() && input.finish("problems").is_ok() {
        true => Err(Failure::new(
            DATA,
            format!("expected problems in {}, got no .json file", folder.display()),
        )),
        false => Ok(terrains),
    }
}

fn cannot(what: &str, file: &Path, error: std::io::Error) -> Failure {
    Failure::new(DATA, format!("cannot {what} {}: {}", file.display(), io_reason(&error)))
}

/// Reads the best averages known, by problem: the columns `problem` and `best_any_avg` of a table
/// with commas.
fn best_known(file: &str) -> Result<HashMap<u32, u64>, Failure> {
    let text = read(file)?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = |name: &str| {
        header
            .iter()
            .position(|cell| *cell == name)
            .ok_or_else(|| bad(file, format!("expected a line of names with {name} among them")))
    };
    let (id, best) = (column("problem")?, column("best_any_avg")?);
    let number = |cells: &Vec<&str>, at: usize| cells.get(at).and_then(|cell| cell.parse().ok());
    // A problem without a known average has no number.
    let row = |cells: Vec<&str>| Some((number(&cells, id)? as u32, number(&cells, best)?));
    Ok(lines.filter_map(row).collect())
}

fn show(finished: usize, count: usize, what: &str) {
    const WIDTH: usize = 30;
    let done = WIDTH * finished / count.max(1);
    let bar = format!("{}{}", "#".repeat(done), ".".repeat(WIDTH - done));
    progress(&format!("[{bar}] {finished}/{count} {what}"));
}

/// Returns a line per problem with the average over the seeds that were played, and the sums.
fn table(terrains: &[Terrain], scores: &[Vec<(u32, u64)>], known: &HashMap<u32, u64>) -> String {
    let mut out = String::from("problem  seeds  average   best known  percent\n");
    let (mut sum, mut best_sum) = (0, 0);
    for (terrain, scores) in terrains.iter().zip(scores) {
        let problem = terrain.problem();
        let all = problem.source_seeds.len();
        let different: HashSet<&u32> = problem.source_seeds.iter().collect();
        // The official score would count a seed that was not played as zero.
        let (seeds, average) = if scores.len() < different.len() {
            let total: u64 = scores.iter().map(|(_, score)| score).sum();
            (format!("{}/{all}", scores.len()), total / scores.len().max(1) as u64)
        } else {
            (all.to_string(), problem.team_score(scores))
        };
        out += &format!("{:>7} {seeds:>6} {average:>8}", problem.id);
        sum += average;
        if let Some(&best) = known.get(&problem.id).filter(|&&best| best > 0) {
            best_sum += best;
            let percent = 100.0 * average as f64 / best as f64;
            out += &format!(" {best:>12} {percent:>8.1}");
        }
        out.push('\n');
    }
    let best_sum = if best_sum > 0 { format!(" {best_sum:>12}") } else { String::new() };
    out + &format!("    sum        {sum:>8}{best_sum}\n")
}
