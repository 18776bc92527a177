//! Choice of a table by the gain of its pairs: how much a game of two players tells about them.

/// Returns the variance of a result between two players whose strengths differ by `difference`
/// logits, `p (1 - p)`.
pub(super) fn spread(difference: f64) -> f64 {
    let chance = 1.0 / (1.0 + (-difference).exp());
    chance * (1.0 - chance)
}

/// Fills a table to `seats` players and sorts it. Each seat goes to the first candidate whose sum
/// of `gain` over the players already at the table is at least `share` of the greatest.
pub(super) fn fill(
    table: &mut Vec<usize>,
    candidates: &[usize],
    seats: usize,
    share: f64,
    gain: impl Fn(usize, usize) -> f64,
) {
    let free = candidates.iter().copied().filter(|player| !table.contains(player));
    let sum = |player: usize| table.iter().map(|&at| gain(at, player)).sum();
    let mut sums: Vec<(usize, f64)> = free.map(|player| (player, sum(player))).collect();
    while table.len() < seats {
        let greatest = sums.iter().map(|of| of.1).fold(0.0, f64::max);
        let Some(place) = sums.iter().position(|of| of.1 >= share * greatest) else { break };
        let (taken, _) = sums.remove(place);
        sums.iter_mut().for_each(|(player, sum)| *sum += gain(taken, *player));
        table.push(taken);
    }
    table.sort_unstable();
}
