//! Benchmark of the Taquin searches, in CPU time, all in one run: generated boards per second for
//! each heuristic and method, build times of the tables, and the time `quick` needs for large
//! boards.
//!
//! The boards are those of R. Korf's hundred that Manhattan distance solves within `--nodes` nodes.
//!
//! `cargo bench --bench taquin [-- --nodes N]`

use arbitre::bots::taquin::best::batched::BatchedSearch;
use arbitre::bots::taquin::best::fsm_pruning::PruningFsm;
use arbitre::bots::taquin::best::packed_manhattan::packed_manhattan;
use arbitre::bots::taquin::best::parallel_deepening::parallel_deepening;
use arbitre::bots::taquin::best::pattern::{CellIndexedTables, PatternDatabases, TableOptions};
use arbitre::bots::taquin::best::quick::quick;
use arbitre::bots::taquin::heuristic_choice::HeuristicKind;
use arbitre::bots::taquin::heuristics::linear_conflict::LinearConflict;
use arbitre::bots::taquin::heuristics::walking_distance::WalkingDistance;
use arbitre::bots::taquin::heuristics::{Heuristic, Manhattan};
use arbitre::bots::taquin::sheet::a_star::a_star;
use arbitre::bots::taquin::sheet::ida_star::ida_star;
use arbitre::bots::taquin::solution::Solution;
use arbitre::games::taquin::{uniform, Board, Convention};
use arbitre::rng::Rng;
use arbitre::search::budget::{Budget, Limiter};
use arbitre::search::cpu_time::thread_time;
use std::time::Duration;

/// Default of `--nodes`: largest number of nodes generated with Manhattan distance on the boards
/// used. Not tuned.
const NODES: u64 = 10_000_000;
/// Memory limit of A* in bytes, more than it needs on boards solved within [`NODES`]. Not tuned.
const MEMORY: usize = 8 << 30;
/// Length in moves of the longest duplicates pruned, as in the solver on 4x4: 10 was faster than 6
/// and 8 on 2026-11-22 (`bots/taquin/diary.md`).
const DUPLICATES: usize = 10;
/// Number of random boards of each size given to `quick`. Not tuned.
const LARGE_BOARDS: usize = 20;

/// Returns the boards of the table solved within `nodes` nodes, with the lengths of their shortest
/// solutions.
fn boards(nodes: u64) -> Vec<(Board, usize)> {
    let table = include_str!("../../tests/data/taquin/korf100.txt");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let fields = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    let is_easy = |fields: &Vec<&str>| fields[3].parse::<u64>().expect("a number") <= nodes;
    let board = |fields: Vec<&str>| {
        let (board, _) = Convention::KORF.read(fields[1], None).expect("a board");
        (board, fields[2].parse().expect("a length"))
    };
    fields.filter(is_easy).map(board).collect()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = thread_time().expect("the system reports CPU time");
    let result = work();
    (result, thread_time().expect("CPU time was available before") - begun)
}

/// Solves all boards, checks the lengths of the solutions, and prints one line of the table.
fn measure(
    name: &str,
    boards: &[(Board, usize)],
    solve: impl Fn(&Board, &mut Limiter) -> Solution,
) {
    let (mut generated, mut expanded, mut stored, mut bytes) = (0, 0, 0, 0);
    let (_, spent) = timed(|| {
        for (board, length) in boards {
            let solution = solve(board, &mut Limiter::new(Budget::default()));
            assert_eq!(solution.path.map(|path| path.len()), Some(*length), "{name}: {board:?}");
            let stats = solution.stats;
            generated += stats.generated;
            expanded += stats.expanded;
            (stored, bytes) = (stats.stored.max(stored), stats.bytes.max(bytes));
        }
    });
    let seconds = spent.as_secs_f64();
    print!(
        "  {name:<34} {generated:>11} {expanded:>11} {seconds:>8.3} {:>8.1} {:>8.2}",
        generated as f64 / seconds / 1e6,
        expanded as f64 / seconds / 1e6
    );
    match stored {
        0 => println!(),
        _ => println!("  {stored} boards stored, {:.1} bytes each", bytes as f64 / stored as f64),
    }
}

fn of<H: Heuristic>(heuristic: &H) -> impl Fn(&Board, &mut Limiter) -> Solution + '_ {
    |board, limiter| ida_star(heuristic, board, limiter)
}

fn solutions_at_once() {
    let mut rng = Rng::new(1);
    for side in [4, 5, 6, 8, 10] {
        let (mut moves, mut slowest) = (0, Duration::ZERO);
        for _ in 0..LARGE_BOARDS {
            let board = uniform(side, side, &mut rng);
            let (path, spent) = timed(|| quick(&board));
            moves += path.len();
            slowest = slowest.max(spent);
        }
        let (mean, millis) = (moves / LARGE_BOARDS, 1e3 * slowest.as_secs_f64());
        println!("  {side}x{side}: {mean} moves on average, {millis:.1} ms at most");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let nodes = words.iter().skip_while(|word| *word != "--nodes").nth(1);
    let boards = boards(nodes.map_or(NODES, |word| word.parse().expect("--nodes takes a number")));
    println!("{} of Korf's boards", boards.len());
    let (walking, of_walking) = timed(|| WalkingDistance::new(4, 4).expect("4x4 is small"));
    let partition = HeuristicKind::Pattern663.partition().expect("it has patterns");
    let (patterns, of_patterns) = timed(|| PatternDatabases::new(&partition, &TableOptions::ALONE));
    let (fsm, of_fsm) = timed(|| PruningFsm::new((4, 4), DUPLICATES));
    println!("  tables of walking distance made in {of_walking:.3?}, of pattern-663 in {of_patterns:.3?},");
    println!("  {} states of duplicates up to {DUPLICATES} moves in {of_fsm:.3?}", fsm.states());
    println!(
        "\n  {:<34} {:>11} {:>11} {:>8} {:>8} {:>8}",
        "", "generated", "expanded", "s", "M gen/s", "M exp/s"
    );
    let (manhattan, conflict) = (Manhattan::new(4, 4), LinearConflict::new(4, 4));
    measure("IDA*, Manhattan, unrolled", &boards, packed_manhattan);
    measure("IDA*, Manhattan, any size", &boards, of(&manhattan));
    measure("IDA*, linear conflict", &boards, of(&conflict));
    measure("IDA*, walking distance", &boards, of(&walking));
    measure("IDA*, pattern-663", &boards, of(&patterns));
    // With duplicates of up to two moves, the FSM prunes only moves straight back.
    let (back, patterns) = (PruningFsm::new((4, 4), 2), &patterns);
    let all = self::boards(u64::MAX);
    let fast = |fsm| {
        move |board: &Board, limiter: &mut Limiter| {
            let search = BatchedSearch::<u64, _>::by_rank(patterns, fsm, board);
            parallel_deepening(search.bound, 0, limiter, 1, |iteration| search.search(iteration))
        }
    };
    measure("the same, interleaved", &boards, fast(&back));
    measure("the same without duplicates", &boards, fast(&fsm));
    measure("that, all of Korf's boards", &all, fast(&fsm));
    for (name, fsm) in [("by cells, all boards", &back), ("that without duplicates", &fsm)] {
        let (tables, spent) = timed(|| CellIndexedTables::<u8>::new(patterns, 1));
        let tables = &tables.expect("its groups have at most six tiles");
        measure(name, &all, |board, limiter| {
            let search = BatchedSearch::<u64, _>::by_cells(patterns, fsm, tables, board);
            parallel_deepening(search.bound, 0, limiter, 1, |iteration| search.search(iteration))
        });
        println!("    (tables by cells made in {spent:.3?})");
    }
    measure("A*, Manhattan", &boards, |board, limiter| {
        a_star::<u64, _>(&manhattan, board, limiter, MEMORY)
    });
    println!("\n  solutions at once, of {LARGE_BOARDS} boards each");
    solutions_at_once();
}
