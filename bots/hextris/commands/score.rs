//! `score`: the scores of solutions, with their parts.

use super::games::{bad, read, take_phrases, terrain};
use crate::options::Options;
use crate::program::{say, Failure, InputReport, USAGE};
use arbitre_games::games::hextris::{
    score, Phrases, Score, Solution, SolutionEnd, Terrain, ZeroScore,
};
use arbitre_games::text::write_json_string;

/// Runs the command: prints a line per game, then one per problem. Invalid problems and solutions
/// are reported on standard error.
///
/// # Errors
/// Returns an error if the solutions are not JSON. Also returns one at the end, if a problem or a
/// solution was invalid, or a solution has no problem among the files.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let phrases = take_phrases(&mut options)?.unwrap_or_else(Phrases::official);
    let json = options.take_flag("--json");
    let mut files: Vec<String> = std::iter::from_fn(|| options.take_word()).collect();
    options.finish()?;
    let solutions_file = files.pop().filter(|_| !files.is_empty());
    let solutions_file = solutions_file
        .ok_or_else(|| Failure::new(USAGE, "expected files of problems, then one of solutions"))?;
    let text = read(&solutions_file)?;
    let solutions = Solution::parse_each(&text).map_err(|why| bad(&solutions_file, why))?;
    let mut problems = InputReport::default();
    let terrains: Vec<Terrain> =
        files.iter().filter_map(|file| problems.take(terrain(file))).collect();
    let mut input = InputReport::default();
    let mut out = String::new();
    let mut scores = vec![Vec::new(); terrains.len()];
    for (number, solution) in solutions.into_iter().enumerate() {
        let solution = solution.map_err(|why| bad(&solutions_file, why)).and_then(|solution| {
            let wanted = |terrain: &Terrain| terrain.problem().id == solution.problem;
            let found = terrains.iter().position(wanted).ok_or_else(|| {
                let id = solution.problem;
                bad(&solutions_file, format!("[{number}]: problem {id} is in none of the files"))
            })?;
            Ok((solution, found))
        });
        let Some((solution, found)) = input.take(solution) else { continue };
        let scored = score(&terrains[found], solution.seed, &solution.text, &phrases);
        scores[found].push((solution.seed, scored.total()));
        let write = if json { json_line } else { text_line };
        out += &write(&solution, &scored, &phrases);
    }
    for (terrain, scores) in terrains.iter().zip(&scores).filter(|_| !json) {
        let problem = terrain.problem();
        let (average, seeds) = (problem.team_score(scores), problem.source_seeds.len());
        let plural = if seeds == 1 { "" } else { "s" };
        out += &format!("problem {}: {average} as the mean of {seeds} seed{plural}\n", problem.id);
    }
    say(&out);
    problems.finish("problems")?;
    input.finish("solutions")
}

fn text_line(solution: &Solution, score: &Score, phrases: &Phrases) -> String {
    let Solution { problem, seed, .. } = solution;
    let (total, word) = (score.total(), score.ending.word());
    let line = format!("problem {problem} seed {seed}: {total}, ");
    if let SolutionEnd::ZeroScore(zero) = &score.ending {
        return line + &format!("{word}: {zero}\n");
    }
    let Score { moves, power, locked, lines, commands, .. } = score;
    let counts = used(phrases, score).map(|(text, count)| format!(", {count} x {text}"));
    line + &format!(
        "{moves} for units and rows and {power} for phrases, {word}, {commands} commands, \
         {locked} units, {lines} rows{}\n",
        counts.collect::<String>()
    )
}

/// Returns the phrases that were used, with their counts.
fn used<'p>(phrases: &'p Phrases, score: &'p Score) -> impl Iterator<Item = (&'p str, u32)> {
    let counted = phrases.texts().iter().zip(&score.counts);
    counted.filter(|(_, &count)| count > 0).map(|(text, &count)| (text.as_str(), count))
}

fn json_line(solution: &Solution, score: &Score, phrases: &Phrases) -> String {
    let Solution { problem, seed, .. } = solution;
    let (Score { moves, power, .. }, total) = (score, score.total());
    let mut out = format!(
        "{{\"problem\":{problem},\"seed\":{seed},\"score\":{total},\"move_score\":{moves},\
         \"power_score\":{power},\"phrases\":{{"
    );
    for (number, (text, count)) in used(phrases, score).enumerate() {
        out.push_str(if number > 0 { "," } else { "" });
        write_json_string(text, &mut out);
        out += &format!(":{count}");
    }
    out += &format!("}},\"status\":\"{}\"", score.ending.word());
    if let SolutionEnd::ZeroScore(ZeroScore { at: Some((index, character)), .. }) = score.ending {
        out += &format!(",\"index\":{index},\"character\":");
        write_json_string(&character.to_string(), &mut out);
    }
    out + "}\n"
}
