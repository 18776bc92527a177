//! `taquin graph`: the size of the graph of all boards, and the cost of iterative deepening on two
//! kinds of graphs.

use crate::options::Options;
use crate::program::{say, Failure};
use crate::taquin::distance_census::{distance_census, MOST_CELLS};
use crate::taquin::sheet::iterative_deepening::{
    breadth_first, iterative_deepening, SyntheticGraph,
};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{parse_size, Board, Size};
use arbitre_games::search::budget::{Budget, Limiter};
use std::collections::HashSet;

/// Largest number of cells of boards that are searched for components. Not tuned.
const SEARCHED: usize = 9;
/// Distances of the final vertex in the two graphs.
const DISTANCES: [u32; 5] = [1, 5, 10, 15, 20];

/// Prints the figures of a `--size`, the components of 3x3 (or of that size if it is no larger),
/// and the costs. With `--distances`, prints the number of boards at each distance instead.
///
/// # Errors
/// Returns an error if the size is invalid, or an option is unknown.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let (rows, columns) = parse_size(&options.take_text("--size")?.unwrap_or("4x4".into()))?;
    let with_distances = options.take_flag("--distances");
    options.finish()?;
    let size: Size = (rows.into(), columns.into());
    if with_distances {
        return distances(size);
    }
    say(&figures(size));
    let searched = if size.0 * size.1 <= SEARCHED { size } else { (3, 3) };
    let sizes: Vec<String> = components(searched).iter().map(usize::to_string).collect();
    say(&format!(
        "components of {}x{}, found by search: {} of {} boards\n\n",
        searched.0,
        searched.1,
        sizes.len(),
        sizes.join(" and ")
    ));
    say(&costs());
    Ok(())
}

/// Prints the number of boards of a size at each distance from the goal.
fn distances(size: Size) -> Result<(), Failure> {
    let (rows, columns) = size;
    if rows * columns > MOST_CELLS {
        let why = format!("expected a size of {MOST_CELLS} cells at most, got {rows}x{columns}");
        return Err(ParseError::new(why).into());
    }
    let counts = distance_census(size);
    for (distance, count) in counts.iter().enumerate() {
        say(&format!("{distance} {count}\n"));
    }
    let (radius, all) = (counts.len() - 1, counts.iter().sum::<u64>());
    say(&format!("{all} boards of {rows}x{columns}, {radius} moves at most\n"));
    Ok(())
}

/// Returns the numbers of vertices and edges of a size, and the bytes needed to store them.
fn figures((rows, columns): Size) -> String {
    let cells = rows * columns;
    // An edge swaps the blank on one cell of a pair with the tile on the other.
    let pairs = rows * (columns - 1) + columns * (rows - 1);
    let (vertices, of_a_pair) = (factorial(cells), factorial(cells - 1));
    let edges = pairs as f64 * of_a_pair;
    let exactly = |number: f64| match number < 9e15 {
        true => format!("{number:.0}"),
        false => format!("{number:.4e}"),
    };
    format!(
        "{rows}x{columns}: {cells}! = {} vertices\n\
         {pairs} pairs of neighbouring cells x {}! = {} edges\n\
         as lists of neighbours, 8 bytes for a board: {:.3e} bytes\n",
        exactly(vertices),
        cells - 1,
        exactly(edges),
        8.0 * (vertices + 2.0 * edges)
    )
}

fn factorial(number: usize) -> f64 {
    (1..=number).map(|factor| factor as f64).product()
}

/// Returns the sizes of the connected components, found by search from the goal and from a board
/// with two tiles swapped.
fn components((rows, columns): Size) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut seen: HashSet<Board> = HashSet::new();
    let mut swapped = Board::goal(rows, columns).cells().to_vec();
    swapped.swap(0, 1);
    let roots = [Board::goal(rows, columns), Board::new(rows, columns, swapped)];
    for root in roots {
        let before = seen.len();
        let mut waiting = vec![root];
        while let Some(board) = waiting.pop() {
            if seen.insert(board.clone()) {
                waiting.extend(board.successors());
            }
        }
        sizes.push(seen.len() - before);
    }
    sizes
}

/// Returns a table of search costs on both graphs, with the final vertex last at its distance.
fn costs() -> String {
    let mut text = String::from(
        "                     iterative deepening         breadth first\n\
         distance  vertices      visits  stored      visits    stored\n",
    );
    for successors in [1, 2] {
        text += ["one vertex at each distance\n", "2^k vertices at distance k\n"][successors - 1];
        for distance in DISTANCES {
            let graph = SyntheticGraph { successors: successors as u64, distance };
            let (_, deepening) =
                iterative_deepening(&graph, &(0, 0), &mut Limiter::new(Budget::default()));
            let (_, breadth) = breadth_first(&graph, &(0, 0));
            let vertices: u64 = (0..=distance).map(|k| (successors as u64).pow(k)).sum();
            text += &format!(
                "{distance:>8}{vertices:>10}{:>12}{:>8}{:>12}{:>10}\n",
                deepening.generated, deepening.stored, breadth.generated, breadth.stored
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_agree_with_the_sheet() {
        let text = figures((4, 4));
        for part in ["16! = 20922789888000 vertices", "24 pairs", "31384184832000 edges"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(figures((10, 10)).contains("9.3326e157 vertices"));
    }

    #[test]
    fn there_are_two_components() {
        assert_eq!(components((3, 3)), [181_440; 2]);
        assert_eq!(components((2, 2)), [12; 2]);
    }

    /// With one vertex at each distance, n+1 searches visit 1, 2, …, n+1 vertices. With 2^k they
    /// visit 1, 3, 7 and so on: twice the size of the graph, minus n+1. The path has n+1 vertices.
    #[test]
    fn deepening_costs_time_on_thin_graphs_and_saves_memory_on_wide_ones() {
        for distance in [3, 10] {
            for successors in [1, 2] {
                let graph = SyntheticGraph { successors, distance };
                let mut limiter = Limiter::new(Budget::default());
                let (path, cost) = iterative_deepening(&graph, &(0, 0), &mut limiter);
                let (found, breadth) = breadth_first(&graph, &(0, 0));
                assert_eq!(
                    (path.map(|path| path.len()), found),
                    (Some(distance as usize + 1), Some(distance as usize))
                );
                let n = u64::from(distance);
                let visits = [(n + 1) * (n + 2) / 2, 2u64.pow(distance + 2) - n - 3];
                assert_eq!(cost.generated, visits[successors as usize - 1]);
                assert_eq!(cost.stored, distance as usize + 1);
                let vertices = [n + 1, 2u64.pow(distance + 1) - 1][successors as usize - 1];
                assert_eq!((breadth.generated, breadth.stored as u64), (vertices, vertices));
            }
        }
    }
}
