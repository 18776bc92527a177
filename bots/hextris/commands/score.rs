//! `score`: what solutions are worth, and why.

use super::files::{bad, problem, read, take_phrases};
use crate::options::Options;
use crate::program::{say, Failure, USAGE};
use arbitre_games::games::hextris::{score, Phrases, Score, Solution, SolutionEnd, Terrain};
use arbitre_games::text::write_json_string;
use std::fmt::Write;

/// Runs the command: a line for each game, then one for each problem.
///
/// # Errors
/// If a file cannot be read, or a solution is for a problem that is not among the files.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let phrases = take_phrases(&mut options)?.unwrap_or_else(Phrases::official);
    let json = options.take_flag("--json");
    let mut files: Vec<String> = std::iter::from_fn(|| options.take_word()).collect();
    options.finish()?;
    let solutions_file = files.pop().filter(|_| !files.is_empty());
    let solutions_file = solutions_file.ok_or_else(|| {
        Failure::new(USAGE, "score takes one or several files of problems, then one of solutions")
    })?;
    let terrains: Vec<Terrain> =
        files.iter().map(|file| problem(file).map(Terrain::new)).collect::<Result<_, _>>()?;
    let text = read(&solutions_file)?;
    let solutions = Solution::parse_all(&text).map_err(|why| bad(&solutions_file, why))?;
    let mut out = String::new();
    let mut scores = vec![Vec::new(); terrains.len()];
    for (number, solution) in solutions.iter().enumerate() {
        let wanted = |terrain: &Terrain| terrain.problem().id == solution.problem;
        let found = terrains.iter().position(wanted).ok_or_else(|| {
            let message =
                format!("[{number}]: problem {} is in none of the files", solution.problem);
            bad(&solutions_file, message)
        })?;
        let scored = score(&terrains[found], solution.seed, &solution.text, &phrases);
        scores[found].push((solution.seed, scored.total()));
        let write = if json { write_json } else { write_line };
        write(solution, &scored, &phrases, &mut out);
    }
    for (terrain, scores) in terrains.iter().zip(&scores).filter(|_| !json) {
        write_average(terrain, scores, &mut out);
    }
    say(&out);
    Ok(())
}

fn write_line(solution: &Solution, score: &Score, phrases: &Phrases, out: &mut String) {
    let Solution { problem, seed, .. } = solution;
    let total = score.total();
    write!(out, "problem {problem} seed {seed}: {total}, ").expect("a string takes all");
    if let SolutionEnd::ZeroScore(zero) = &score.ending {
        writeln!(out, "{}: {zero}", score.ending.word()).expect("a string takes all");
        return;
    }
    let Score { moves, power, locked, lines, commands, .. } = score;
    write!(
        out,
        "{moves} for units and rows and {power} for phrases, {}, {commands} commands, {locked} units, \
         {lines} rows",
        score.ending.word()
    )
    .expect("a string takes all");
    for (text, count) in used(phrases, score) {
        write!(out, ", {count} x {text}").expect("a string takes all");
    }
    out.push('\n');
}

/// The phrases that were used, and how often.
fn used<'p>(phrases: &'p Phrases, score: &'p Score) -> impl Iterator<Item = (&'p str, u32)> {
    let counted = phrases.texts().iter().zip(&score.counts);
    counted.filter(|(_, &count)| count > 0).map(|(text, &count)| (text.as_str(), count))
}

fn write_json(solution: &Solution, score: &Score, phrases: &Phrases, out: &mut String) {
    let Solution { problem, seed, .. } = solution;
    let Score { moves, power, .. } = score;
    write!(
        out,
        "{{\"problem\":{problem},\"seed\":{seed},\"score\":{},\"move_score\":{moves},\
         \"power_score\":{power},\"phrases\":{{",
        score.total()
    )
    .expect("a string takes all");
    for (number, (text, count)) in used(phrases, score).enumerate() {
        out.push_str(if number > 0 { "," } else { "" });
        write_json_string(text, out);
        write!(out, ":{count}").expect("a string takes all");
    }
    write!(out, "}},\"status\":\"{}\"", score.ending.word()).expect("a string takes all");
    if let SolutionEnd::ZeroScore(zero) = &score.ending {
        if let Some((index, character)) = zero.at {
            write!(out, ",\"index\":{index},\"character\":").expect("a string takes all");
            write_json_string(&character.to_string(), out);
        }
    }
    out.push_str("}\n");
}

fn write_average(terrain: &Terrain, scores: &[(u32, u64)], out: &mut String) {
    let problem = terrain.problem();
    let (average, seeds) = (problem.team_score(scores), problem.source_seeds.len());
    let plural = if seeds == 1 { "" } else { "s" };
    writeln!(out, "problem {}: {average} as the mean of {seeds} seed{plural}", problem.id)
        .expect("a string takes all");
}
