//! Order in which a report keeps games, as it has not the room for all of them.

use super::results::ListedGame;
use arbitre_games::rng::Rng;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Returns the indices of all games, those that one most wants to see first: in turn one with a
/// fault, the closest, the longest, and one drawn at random.
pub fn order(games: &[ListedGame], seed: u64) -> Vec<usize> {
    let all = 0..games.len();
    let mut faulty: Vec<(usize, usize)> =
        all.clone().zip(rarities(games)).filter_map(|(game, of)| Some((of?, game))).collect();
    faulty.sort_unstable();
    let mut closest: Vec<usize> = all.clone().collect();
    closest.sort_by_key(|&game| (games[game].distance(), Reverse(games[game].moves)));
    let mut longest: Vec<usize> = all.clone().collect();
    longest.sort_by_key(|&game| Reverse(games[game].moves));
    let mut drawn: Vec<usize> = all.collect();
    Rng::new(seed).shuffle(&mut drawn);
    let mut waiting = [faulty.into_iter().map(|(_, game)| game).collect(), closest, longest, drawn]
        .map(Vec::into_iter);
    let mut taken = HashSet::new();
    let mut order = Vec::with_capacity(games.len());
    while order.len() < games.len() {
        for list in &mut waiting {
            order.extend(list.find(|&game| taken.insert(game)));
        }
    }
    order
}

/// Returns the number of earlier games with a fault of the same kind by the same player, for each
/// game with a fault. Of several faults the rarest decides.
fn rarities(games: &[ListedGame]) -> impl Iterator<Item = Option<usize>> + '_ {
    let mut seen: HashMap<(usize, &str), usize> = HashMap::new();
    games.iter().map(move |game| {
        let faults = game.faults.iter().map(|&(seat, word)| {
            let count = seen.entry((game.players[seat], word)).or_default();
            *count += 1;
            *count - 1
        });
        faults.min()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn game(number: u64, distance: i64, moves: u64, fault: Option<&'static str>) -> ListedGame {
        ListedGame {
            number,
            players: vec![0, 1],
            scores: vec![distance, 0],
            ranks: vec![1, 2],
            ending: "rules",
            faults: fault.into_iter().map(|word| (1, word)).collect(),
            setup: 0,
            moves,
            longest: Duration::ZERO,
        }
    }

    #[test]
    fn faults_close_and_long_games_come_first() {
        let mut games: Vec<ListedGame> =
            (0..100).map(|number| game(number, 20 + number as i64, 10, None)).collect();
        games[10..20].iter_mut().for_each(|game| game.faults = vec![(1, "timeout")]);
        games[50].faults = vec![(0, "crash")];
        games[60].scores = vec![3, 3];
        games[70].moves = 11;
        let order = order(&games, 5);
        assert_eq!(order[..3], [10, 60, 70], "the first fault, the closest game, the longest one");
        // The second list is at its second game, and the first at another kind of fault.
        assert_eq!(order[4..6], [50, 0]);
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>(), "each game once");
        assert_ne!(order, super::order(&games, 6), "the fourth list depends on the seed");
    }
}
