//! Speed and depth of the two-player search.

use crate::positions::starts;
use arbitre::bots::tron::best::bitboards::SmallGrid;
use arbitre::bots::tron::best::position::TwoPlayerPosition;
use arbitre::bots::tron::best::two_player::TwoPlayerSearch;
use arbitre::bots::tron::best::ENTRIES;
use arbitre::games::tron::Direction;
use arbitre::search::budget::{Budget, Timer};
use arbitre::search::cpu_time::thread_time;
use arbitre::search::deepening::SearchResult;
use std::time::Duration;

/// Number of positions for each one searched. Not tuned.
const SPACING: usize = 20;
/// CPU time of each search.
const TIME: Duration = Duration::from_millis(90);
/// Number of starts to search. Not tuned.
const STARTS: usize = 10;

/// Totals over several searches.
#[derive(Default)]
struct Sum {
    searches: f64,
    depth: f64,
    nodes: f64,
    leaves: f64,
    seconds: f64,
}

impl Sum {
    fn of(
        searcher: &mut TwoPlayerSearch,
        positions: impl Iterator<Item = TwoPlayerPosition<SmallGrid>>,
    ) -> Sum {
        let mut sum = Sum::default();
        for position in positions {
            // Earlier searches would otherwise fill the table for this one.
            searcher.clear();
            let begun = thread_time().expect("CPU time is available");
            let time = Some(Timer::cpu(TIME));
            let found = searcher.search(&position, Budget { time, ..Budget::default() });
            sum.add(
                &found,
                searcher.leaves(),
                thread_time().expect("CPU time was available before") - begun,
            );
        }
        sum
    }

    fn add(&mut self, found: &SearchResult<Direction>, leaves: u64, spent: Duration) {
        self.searches += 1.0;
        self.depth += f64::from(found.depth);
        self.nodes += found.nodes as f64;
        self.leaves += leaves as f64;
        self.seconds += spent.as_secs_f64();
    }

    fn print(&self, title: &str) {
        println!(
            "search: {} {title}, {} ms of processor time each",
            self.searches,
            TIME.as_millis()
        );
        let row = |name: &str, value: f64| println!("  {name:<44} {value:>10.1}");
        row("plies completed, on average", self.depth / self.searches);
        row("thousand nodes per second", self.nodes / self.seconds / 1e3);
        row("thousand leaves judged per second", self.leaves / self.seconds / 1e3);
    }
}

/// Measures both samples and prints the results.
pub fn measure(positions: &[TwoPlayerPosition<SmallGrid>]) {
    let mut searcher = TwoPlayerSearch::new(ENTRIES);
    let middle = Sum::of(&mut searcher, positions.iter().step_by(SPACING).copied());
    middle.print("positions in the middle of games");
    println!("  aim: at least 2000 thousand leaves per second\n");
    let starts =
        Sum::of(&mut searcher, starts(STARTS).iter().map(TwoPlayerPosition::<SmallGrid>::new));
    starts.print("starts of games");
    println!("  aim: at least 18 plies");
}
