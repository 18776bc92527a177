//! Result of a tuning run: one document for people and for programs.

use crate::tune::fitness::{Fitness, Measure};
use crate::tune::gene::{CommandTemplate, Genome};
use crate::tune::genetic::{Candidate, GeneticAlgorithm, Origin};
use crate::tune::run::{Generation, TuningRun};
use arbitre_games::text::word_of;
use arbitre_process::launcher::layers::Level;
use arbitre_referee::config::Contest;
use arbitre_referee::escape::escape;
use arbitre_referee::report::columns::Columns;
use arbitre_referee::report::rounded;
use arbitre_referee::statistics::solo::Differences;
use serde::Serialize;

/// Document that `--json` prints.
#[derive(Serialize)]
pub struct Tuning {
    game: String,
    rules: String,
    /// Command with placeholders for numbers.
    player: String,
    /// Opponents, all at one table.
    against: Vec<String>,
    seed: u64,
    instance_seed: u64,
    #[serde(rename = "scheme")]
    algorithm: AlgorithmDocument,
    /// Number of instances of each candidate.
    instances: u64,
    /// Number of games of each candidate: one per seat of an instance.
    games: u64,
    /// Unit of totals: `score` or `points`.
    measure: &'static str,
    lower_is_better: bool,
    /// Whether all generations were evaluated.
    complete: bool,
    generations: Vec<GenerationDocument>,
    winner: Option<Vec<i64>>,
    winner_command: Option<String>,
    held_out: Option<HeldOutDocument>,
    /// Number of games played for this run.
    pub played: u64,
    /// Number of games whose results were known.
    pub known: u64,
    seconds: f64,
    /// Level of protection that the sandboxes give; `None` without programs that are not bundled.
    sandbox: Option<&'static str>,
    db: Option<String>,
}

#[derive(Serialize)]
struct AlgorithmDocument {
    generations: usize,
    #[serde(flatten)]
    algorithm: GeneticAlgorithm,
}

#[derive(Serialize)]
struct GenerationDocument {
    generation: usize,
    /// Index of the best candidate.
    best: usize,
    candidates: Vec<CandidateDocument>,
}

#[derive(Serialize)]
struct CandidateDocument {
    genome: Vec<i64>,
    origin: &'static str,
    /// Indices of its parents, or of the candidate itself, in the generation before.
    parents: Vec<usize>,
    #[serde(flatten)]
    results: Results,
}

#[derive(Serialize)]
struct Results {
    solved: u64,
    total: f64,
    faults: u64,
}

#[derive(Serialize)]
struct HeldOutDocument {
    instances: u64,
    winner: Results,
    ancestor: Results,
    /// Mean difference of the winner's results from the ancestor's, over instances that both solved
    /// in every seat.
    difference: Option<f64>,
    /// Half the width of its 95 % interval.
    difference_error: Option<f64>,
    verdict: &'static str,
}

/// Results of the winner and the ancestor on instances that the tuning did not use.
pub struct HeldOut {
    /// Number of instances.
    pub instances: u64,
    /// Results of the winner.
    pub winner: Fitness,
    /// Results of the ancestor.
    pub ancestor: Fitness,
    /// Differences of the winner's results from the ancestor's, by instance.
    pub differences: Differences,
}

/// Description of a tuning run, besides its generations.
pub struct TuningInfo<'a> {
    /// Configuration of the match, with the ancestor as the first player.
    pub config: &'a Contest,
    /// Command with placeholders.
    pub template: &'a CommandTemplate,
    /// Number of planned generations.
    pub planned: usize,
    /// Number of instances of each candidate.
    pub instances: u64,
    /// Unit of the results.
    pub measure: Measure,
    /// Comparison on held-out instances, if there is one.
    pub held_out: Option<HeldOut>,
    /// Number of games played, and of games whose results were known.
    pub games: [u64; 2],
    /// Duration of this run in seconds.
    pub seconds: f64,
    /// Level of protection that the sandboxes of the programs give.
    pub sandbox: Option<Level>,
    /// Path of the file of evaluations.
    pub db: Option<String>,
}

impl Tuning {
    /// Creates the document of a run.
    pub fn new(run: &TuningRun, about: &TuningInfo) -> Tuning {
        let TuningInfo { config, template, measure, .. } = *about;
        let generations = run.generations();
        let winner = (!generations.is_empty()).then(|| run.winner());
        Tuning {
            game: config.game.clone(),
            rules: config.rules.clone(),
            player: template.text().to_owned(),
            against: config.players[1..].iter().map(|player| player.command.clone()).collect(),
            seed: run.seed,
            instance_seed: config.seed,
            algorithm: AlgorithmDocument {
                generations: about.planned,
                algorithm: run.algorithm.clone(),
            },
            instances: about.instances,
            games: about.instances * config.seats as u64,
            measure: measure.word(),
            lower_is_better: measure.lower_is_better(),
            complete: generations.len() == about.planned,
            generations: generations.iter().zip(1..).map(GenerationDocument::of).collect(),
            winner: winner.cloned(),
            winner_command: winner.map(|genome| template.fill(genome)),
            held_out: about.held_out.as_ref().map(HeldOutDocument::of),
            played: about.games[0],
            known: about.games[1],
            seconds: rounded(about.seconds, 3),
            sandbox: about.sandbox.map(|level| word_of(level, &Level::WORDS)),
            db: about.db.clone(),
        }
    }
}

impl GenerationDocument {
    fn of((generation, number): (&Generation, usize)) -> GenerationDocument {
        let candidates = generation.candidates.iter().zip(&generation.fitness);
        GenerationDocument {
            generation: number,
            best: generation.best(),
            candidates: candidates.map(CandidateDocument::of).collect(),
        }
    }
}

impl CandidateDocument {
    fn of((candidate, fitness): (&Candidate, &Fitness)) -> CandidateDocument {
        let parents = match candidate.origin {
            Origin::Ancestor | Origin::New => Vec::new(),
            Origin::Parent(itself) => vec![itself],
            Origin::Child(parents) => parents.to_vec(),
        };
        let (genome, origin) = (candidate.genome.clone(), candidate.origin.word());
        CandidateDocument { genome, origin, parents, results: Results::of(fitness) }
    }
}

impl Results {
    fn of(fitness: &Fitness) -> Results {
        let total = rounded(fitness.measure.value(fitness.total as f64), 4);
        Results { solved: fitness.solved, total, faults: fitness.faults }
    }
}

impl HeldOut {
    /// Returns the mean difference of an instance, and half the width of its 95 % interval.
    fn difference(&self) -> Option<[f64; 2]> {
        let (mean, error) = self.differences.mean()?;
        Some([mean, error].map(|value| self.winner.measure.value(value)))
    }

    fn verdict(&self) -> &'static str {
        match self.difference() {
            // Undecided unless zero is outside the 95 % interval.
            Some([mean, error]) if mean.abs() > error => {
                match (mean < 0.0) == self.winner.measure.lower_is_better() {
                    true => "better",
                    false => "worse",
                }
            }
            _ => "undecided",
        }
    }
}

impl HeldOutDocument {
    fn of(held_out: &HeldOut) -> HeldOutDocument {
        let difference = held_out.difference().map(|pair| pair.map(|value| rounded(value, 4)));
        HeldOutDocument {
            instances: held_out.instances,
            winner: Results::of(&held_out.winner),
            ancestor: Results::of(&held_out.ancestor),
            difference: difference.map(|[mean, _]| mean),
            difference_error: difference.map(|[_, error]| error),
            verdict: held_out.verdict(),
        }
    }
}

/// Returns a result for people, with the number of solved games if some were not solved.
pub fn result(fitness: &Fitness) -> String {
    let total = rounded(fitness.measure.value(fitness.total as f64), 2);
    match fitness.solved == fitness.games {
        true => total.to_string(),
        false => format!("{total} ({} of {})", fitness.solved, fitness.games),
    }
}

/// Returns the report for people.
pub fn text(run: &TuningRun, about: &TuningInfo) -> String {
    let generations = run.generations();
    let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
        return "no generation was judged\n".into();
    };
    let template = about.template;
    let described = |genome: &Genome| escape(&template.fill(genome));
    let mut text = table(generations, template) + "\n";
    text += &format!(
        "ancestor: {}  ({} {})\nwinner: {}  ({} {})\n",
        described(run.ancestor()),
        result(&first.fitness[0]),
        about.measure.word(),
        described(run.winner()),
        result(&last.fitness[last.best()]),
        about.measure.word(),
    );
    if run.winner() == run.ancestor() {
        text += "nothing was better than the ancestor\n";
    }
    if let Some(held_out) = &about.held_out {
        text += &told(held_out);
    }
    let faults = generations.iter().flat_map(|generation| &generation.fitness);
    let faults: u64 = faults.map(|fitness| fitness.faults).sum();
    if faults > 0 {
        text += &format!("{faults} results are of games that a fault of the candidate ended\n");
    }
    let [played, known] = about.games;
    text + &format!("{played} games in {:.1} s, {known} were known\n", about.seconds)
}

fn told(held_out: &HeldOut) -> String {
    let HeldOut { instances, winner, ancestor, .. } = held_out;
    let (winner, ancestor) = (result(winner), result(ancestor));
    let difference = match held_out.difference() {
        Some([mean, error]) => {
            format!(", {mean:+.2} ± {error:.2} an instance: {}", held_out.verdict())
        }
        None => String::new(),
    };
    format!("held out, {instances} instances: winner {winner}, ancestor {ancestor}{difference}\n")
}

fn table(generations: &[Generation], template: &CommandTemplate) -> String {
    // Parents are copied from the generation before.
    let is_new = |candidate: &&Candidate| !matches!(candidate.origin, Origin::Parent(_));
    let mut columns = Columns::<(usize, &Generation)>::default();
    columns.number("generation", |(number, _)| (number + 1).to_string());
    columns.number("best", |(_, of)| result(&of.fitness[of.best()]));
    columns.number("median", |(_, of)| result(&of.median()));
    columns.number("new", |(_, of)| of.candidates.iter().filter(is_new).count().to_string());
    columns.text("the best", |(_, of)| {
        let Candidate { genome, origin } = &of.candidates[of.best()];
        format!("{} ({})", template.describe(genome), origin.word())
    });
    columns.plain(generations.iter().enumerate())
}
