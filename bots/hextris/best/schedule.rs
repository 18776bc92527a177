//! Passes of the beam through a game: what the first ones teach, the last ones use.

use super::beam::{Beam, BeamParams};
use super::pass_plan::{EvalParams, PassEnd, PassPlan};
use crate::hextris::start::GameStart;
use arbitre_games::search::budget::Limiter;

/// How much a board may count beside points. The first passes try which suits the game, and which judge, from
/// the usual ones on.
const SCALES: [f64; 7] = [0.015, 0.04, 0.12, 0.4, 1.2, 4.0, 12.0];
const USUAL: ParamChoice = ParamChoice { weights: SMOOTH, scale: 3 };
/// A game that is too long for the first passes is one in which to last: on boards of so many columns, and on wider
/// ones.
const MEDIUM: usize = 20;
const LASTING: [ParamChoice; 2] =
    [ParamChoice { weights: SMOOTH, scale: 4 }, ParamChoice { weights: ROWS, scale: 3 }];
/// Each of them has this part of the budget. They end when so much is spent, and where they have cost little they
/// try everything.
const PILOT: f64 = 0.05;
const ENOUGH: f64 = 5.5 * PILOT;
const LITTLE: f64 = 2.0 * PILOT;
const MOST_PASSES: usize = 6;
/// Another pass is worth while until this part is spent.
const ALL_BUT: f64 = 0.9;
/// Labels of a position; fewer where the beam would be narrower than these widths, and more where it would
/// be wider.
const LABELS: usize = 3;
const NARROW: [f64; 2] = [0.6, 1.2];
const WIDE: f64 = 60.0;
/// A beam narrower than this gains less by its width than by another try: the last pass is two.
const FEW: f64 = 30.0;
/// Where units found no room, the next pass may come so many times as far: after a narrow first pass, and
/// after a wide one.
const MUCH_FARTHER: f64 = 4.0;
const FARTHER: f64 = 1.25;

/// The numbers of the judges.
const SMOOTH: usize = 0;
const ROWS: usize = 1;

/// A judge and a scale by their numbers.
#[derive(Clone, Copy, PartialEq)]
struct ParamChoice {
    weights: usize,
    scale: usize,
}

impl ParamChoice {
    fn params(self) -> EvalParams {
        EvalParams { weights: self.weights, scale: SCALES[self.scale] }
    }
}

/// How a game is played on.
pub struct BeamAnswer {
    /// The letters.
    pub letters: Vec<u8>,
    /// On so many boards all places for a unit were found.
    pub boards: u64,
}

/// The letters of [`answer`].
pub fn solve(start: GameStart, search: &BeamParams, limiter: &mut Limiter) -> Vec<u8> {
    answer(start, search, limiter).letters
}

/// Plays on from a position to the end, or until the meter says stop.
pub fn answer(start: GameStart, search: &BeamParams, limiter: &mut Limiter) -> BeamAnswer {
    let mut beam = Beam::new(start, search, LABELS);
    let mut trials = Trials::default();
    trials.run(&start, &mut beam, limiter);
    let mut units = trials.units;
    // A game that ends early leaves time for another, judged by what came next in the trials.
    for (number, choice) in trials.ranking().into_iter().cycle().take(MOST_PASSES).enumerate() {
        let spent = limiter.share_spent();
        let is_half = number == 0 && trials.affordable < FEW;
        let until = if is_half { (1.0 + spent) / 2.0 } else { 1.0 };
        let plan = PassPlan { params: choice.params(), units, until, patience: 1.0 };
        units = beam.pass(&plan, limiter).expected(FARTHER);
        if limiter.stopped() || limiter.share_spent() > ALL_BUT || limiter.share_spent() == 0.0 {
            break;
        }
    }
    BeamAnswer { letters: start.with_drops(beam.text()), boards: beam.boards() }
}

/// The first passes, which find out how to judge the boards of a game, and how many labels the time allows.
struct Trials {
    tried: Vec<(ParamChoice, u64)>,
    /// Did all games end before the last unit?
    are_all_over: bool,
    /// What suits the game.
    choice: ParamChoice,
    /// So many units the next pass may place.
    units: usize,
    /// So wide a beam is affordable for all of the game.
    affordable: f64,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials {
            tried: Vec::new(),
            are_all_over: true,
            choice: USUAL,
            units: usize::MAX,
            affordable: 0.0,
        }
    }
}

impl Trials {
    fn run(&mut self, start: &GameStart, beam: &mut Beam, limiter: &mut Limiter) {
        let mut next = Some(USUAL);
        while let Some(choice) = next {
            let until = limiter.share_spent() + PILOT;
            let (params, units) = (choice.params(), self.units);
            let passed =
                beam.pass(&PassPlan { params, units, until, patience: 2.0 * PILOT }, limiter);
            if self.tried.is_empty() {
                self.affordable = passed.affordable * (1.0 - limiter.share_spent());
                beam.labels = labels(self.affordable);
            }
            if passed.end == PassEnd::OutOfBudget {
                self.choice = match self.tried.is_empty() {
                    true => LASTING[usize::from(start.play.board().width() > MEDIUM)],
                    // It has outlived the others.
                    false if self.are_all_over => choice,
                    false => self.choice,
                };
                return;
            }
            self.are_all_over &= passed.end == PassEnd::GameOver;
            if self.tried.iter().all(|(_, score)| *score < passed.score) {
                self.choice = choice;
            }
            self.tried.push((choice, passed.score));
            self.units = passed.expected(MUCH_FARTHER);
            next = self.beside(limiter.share_spent());
        }
    }

    /// The choices from the best score down, after the one that suits the game.
    fn ranking(&self) -> Vec<ParamChoice> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let others = tried.into_iter().map(|(choice, _)| choice);
        let others = others.filter(|choice| *choice != self.choice);
        std::iter::once(self.choice).chain(others).collect()
    }

    /// What else to try: the other judge, if units find no room by the usual one, then the scales beside
    /// the best, and anything as long as that costs little.
    fn beside(&self, spent: f64) -> Option<ParamChoice> {
        let of =
            |weights: usize| (0..SCALES.len()).map(move |scale| ParamChoice { weights, scale });
        let by_distance = |choice: &ParamChoice| choice.scale.abs_diff(self.choice.scale);
        let rows = self.are_all_over.then_some(ParamChoice { weights: ROWS, ..USUAL });
        let beside = of(self.choice.weights).rev().filter(|choice| by_distance(choice) == 1);
        let anything = of(SMOOTH).chain(of(ROWS)).filter(|_| 0.0 < spent && spent < LITTLE);
        let is_new = |new: &ParamChoice| self.tried.iter().all(|(choice, _)| choice != new);
        let mut candidates = rows.into_iter().chain(beside).chain(anything);
        candidates.find(is_new).filter(|_| spent < ENOUGH)
    }
}

fn labels(width: f64) -> usize {
    match width {
        wide if wide > WIDE => 2 * LABELS,
        narrow => LABELS - NARROW.iter().filter(|&&width| narrow < width).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(weights: usize, scale: usize) -> ParamChoice {
        ParamChoice { weights, scale }
    }

    fn after(are_all_over: bool, tried: &[(ParamChoice, u64)]) -> Trials {
        let tried = tried.to_vec();
        Trials { tried, are_all_over, ..Trials::default() }
    }

    #[test]
    fn the_other_judge_is_asked_where_units_find_no_room() {
        let usual = [(USUAL, 10)];
        assert!(after(true, &usual).beside(PILOT) == Some(choice(ROWS, USUAL.scale)));
        assert!(after(false, &usual).beside(PILOT) == Some(choice(SMOOTH, USUAL.scale + 1)));
    }

    #[test]
    fn trials_end_when_they_cost_enough_and_try_everything_where_they_cost_little() {
        let near = [2, 3, 4].map(|scale| (choice(SMOOTH, scale), 10));
        assert!(after(false, &near[1..]).beside(2.0 * PILOT) == Some(near[0].0));
        assert!(after(false, &near[1..]).beside(ENOUGH).is_none());
        assert!(after(false, &near).beside(LITTLE / 2.0) == Some(choice(SMOOTH, 0)));
        for spent in [0.0, LITTLE] {
            assert!(after(false, &near).beside(spent).is_none());
        }
    }

    #[test]
    fn what_suits_the_game_is_played_first_and_then_the_best_of_the_others() {
        let tried = [(choice(SMOOTH, 2), 7), (USUAL, 5), (choice(ROWS, 3), 9)];
        let cut = choice(ROWS, 5);
        let ranking = Trials { choice: cut, ..after(true, &tried) }.ranking();
        assert!(ranking == [cut, choice(ROWS, 3), choice(SMOOTH, 2), USUAL]);
    }
}
