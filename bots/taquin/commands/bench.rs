//! `taquin bench`: a search of fixed boards. Its node count is the signature of IDA*, which a
//! refactoring must not change.

use crate::bench::BenchReport;
use crate::options::Options;
use crate::program::Failure;
use crate::taquin::best::packed_manhattan::packed_manhattan;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{path_letters, Board, Convention, Layout};
use arbitre_games::search::budget::{Budget, Limiter};

/// Boards 34, 46, 62, 18, 38, 51, 6, 8, 43 and 24 of Korf's hundred (1985).
const BOARDS: [&str; 10] = [
    "6 11 7 8 13 2 5 4 1 10 3 9 14 0 12 15",
    "8 4 6 1 14 12 2 15 13 10 9 5 3 7 0 11",
    "4 6 12 0 14 2 9 13 11 8 3 15 7 10 1 5",
    "6 0 14 12 1 15 9 10 11 4 7 2 8 3 5 13",
    "7 15 8 2 13 6 3 12 11 0 4 10 9 5 1 14",
    "10 2 8 4 15 0 1 14 11 13 3 6 9 7 5 12",
    "14 7 1 9 12 3 6 15 8 11 2 5 10 0 4 13",
    "12 11 15 3 8 0 4 2 6 13 9 5 14 1 10 7",
    "11 15 14 13 1 9 10 4 3 6 2 12 7 5 8 0",
    "7 3 14 13 4 1 10 8 5 12 9 11 2 15 6 0",
];

/// Solves the boards, prints a line for each, then `N nodes M nps`.
///
/// # Errors
/// Returns an error if an option is unknown.
pub fn run(options: Options) -> Result<(), Failure> {
    options.finish()?;
    let mut report = BenchReport::default();
    for board in boards() {
        let solution = report.measure(|| solve(&board));
        let path = solution.path.unwrap_or_default().into_iter();
        let path: Vec<_> = path.map(|direction| Convention::KORF.direction(direction)).collect();
        let text = Convention::KORF.write(&board, Layout::Line);
        report.add(text, path_letters(&path), path.len() as i32, solution.stats.expanded);
    }
    report.finish();
    Ok(())
}

fn boards() -> impl Iterator<Item = Board> {
    BOARDS.iter().map(|text| Convention::KORF.read(text, None).expect("a board").0)
}

fn solve(board: &Board) -> Solution {
    packed_manhattan(board, &mut Limiter::new(Budget::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signature of the search. A commit that changes it must state the new count.
    #[test]
    fn node_count_is_the_signature() {
        let solutions: Vec<Solution> = boards().map(|board| solve(&board)).collect();
        let nodes: u64 = solutions.iter().map(|solution| solution.stats.expanded).sum();
        let moves: usize = solutions.iter().map(|solution| solution.lower_bound).sum();
        assert_eq!((nodes, moves), (150_226_073, 542));
    }
}
