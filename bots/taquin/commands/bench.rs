//! `taquin bench`: a search of fixed boards, whose node count is the signature of IDA*. A refactor that
//! changes it is no refactor.

use crate::bench::BenchReport;
use crate::options::Options;
use crate::taquin::best::specialised::{specialised_ida_star, PackedManhattan};
use crate::taquin::solution::Solution;
use crate::Failure;
use arbitre_games::games::taquin::{path_letters, Board, Convention, Layout};
use arbitre_games::search::budget::{Budget, Limiter};

/// Boards of Korf's hundred (1985) that need the fewest nodes: 79, 12, 42, 55, 97, 19, 94, 47, 93 and 9.
const BOARDS: [&str; 10] = [
    "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15",
    "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
    "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
    "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11",
    "9 14 5 7 8 15 1 2 10 4 13 6 12 0 11 3",
    "7 11 8 3 14 0 6 15 1 4 13 9 5 12 2 10",
    "5 7 11 8 0 14 9 13 10 12 3 15 6 1 4 2",
    "6 10 1 14 15 8 3 5 13 0 2 7 4 9 11 12",
    "13 9 14 6 12 8 1 2 3 4 0 7 5 10 11 15",
    "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0",
];

/// Solves the boards and prints a line for each, then `N nodes M nps`.
///
/// # Errors
/// If an option is unknown.
pub fn run(options: Options) -> Result<(), Failure> {
    options.finish()?;
    let mut report = BenchReport::default();
    for board in boards() {
        let solution = report.measure(|| solve(&board));
        let path = solution.path.unwrap_or_default();
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
    specialised_ida_star(&PackedManhattan, board, &mut Limiter::new(Budget::default()), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signature of the search. A change of it belongs into the commit, with the new count.
    #[test]
    fn the_search_expands_what_it_expanded() {
        let solutions: Vec<Solution> = boards().map(|board| solve(&board)).collect();
        let nodes: u64 = solutions.iter().map(|solution| solution.stats.expanded).sum();
        let moves: usize = solutions.iter().map(|solution| solution.lower_bound).sum();
        assert_eq!((nodes, moves), (0, 0));
    }
}
