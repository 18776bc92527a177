//! Schedule of the passes of the beam through a game. The first ones are trials, which find the
//! parameters for the main passes.

use super::beam::Beam;
use super::pass_plan::{EvalParams, PassEnd, PassPlan, ROWS, SCALES, SMOOTH};
use super::potential_cache::BeamParams;
use crate::hextris::start::GameStart;
use arbitre_games::search::budget::Limiter;

/// Parameters of the schedule. Those with a source were compared on single problems of the contest
/// on 2026-11-22 (`bots/hextris/diary.md`); the others are not tuned.
struct BeamSchedule {
    /// Widest board, in columns, on which games too long for the trials use `SMOOTH`. On wider ones
    /// `ROWS` scored more.
    smooth_columns: usize,
    /// Parameters of a game too long for the trials: on boards up to `smooth_columns`, and on wider
    /// ones.
    without_trials: [EvalParams; 2],
    /// Fraction of the budget for each trial.
    trial_share: f64,
    /// Fraction of the budget after which no further trial begins.
    trials_end: f64,
    /// Fraction of the budget up to which the trials try all parameters.
    exhaustive_trials_end: f64,
    /// Largest number of main passes.
    main_passes: usize,
    /// Fraction of the budget after which no further main pass begins.
    main_passes_end: f64,
    /// Labels of a place in a beam of usual width. Two lost 3 to 23 % against six on five
    /// problems; three and six were not compared at equal time.
    labels: usize,
    /// Widths of the beam below each of which a place has one label less.
    fewer_labels_below: [f64; 2],
    /// Width of the beam above which a place has twice the labels.
    more_labels_above: f64,
    /// Width of the beam below which the first main pass is planned for half of the remaining
    /// budget, so that another can follow. Wider beams lose 1 to 4 % by that.
    halve_below: f64,
    /// Factor of the units planned after a trial whose game ended early. Raised problem 15 from
    /// 10,536 to 13,174 at 10 s, with `pass_growth` and more passes.
    trial_growth: f64,
    /// The same factor after a main pass, which is wider.
    pass_growth: f64,
}

const SCHEDULE: BeamSchedule = BeamSchedule {
    smooth_columns: 20,
    without_trials: [
        EvalParams { weights: SMOOTH, scale: 4 },
        EvalParams { weights: ROWS, scale: 3 },
    ],
    trial_share: 0.05,
    trials_end: 5.5 * 0.05,
    exhaustive_trials_end: 2.0 * 0.05,
    main_passes: 6,
    main_passes_end: 0.9,
    labels: 3,
    fewer_labels_below: [0.6, 1.2],
    more_labels_above: 60.0,
    halve_below: 30.0,
    trial_growth: 4.0,
    pass_growth: 1.25,
};

/// Plays from a position to the end of the game, or until the limiter stops. Returns the letters.
pub fn solve(start: GameStart, search: &BeamParams, limiter: &mut Limiter) -> Vec<u8> {
    let mut beam = Beam::new(start, search, SCHEDULE.labels);
    let mut trials = BeamTrials::default();
    trials.run(&start, &mut beam, limiter);
    let mut units = trials.units;
    // A game that ends early leaves time for another, with the next best parameters of the trials.
    let ranking = trials.ranking().into_iter().cycle();
    for (number, params) in ranking.take(SCHEDULE.main_passes).enumerate() {
        let spent = limiter.share_spent();
        let is_half = number == 0 && trials.affordable < SCHEDULE.halve_below;
        let until = if is_half { (1.0 + spent) / 2.0 } else { 1.0 };
        let plan = PassPlan { params, units, until, patience: 1.0 };
        units = beam.pass(&plan, limiter).expected(SCHEDULE.pass_growth);
        let spent = limiter.share_spent();
        if limiter.stopped() || spent > SCHEDULE.main_passes_end || spent == 0.0 {
            break;
        }
    }
    start.with_drops(beam.text())
}

/// The trials. They find the parameters that suit a game, and the labels that time allows.
struct BeamTrials {
    /// Parameters of the trials so far, with their scores.
    tried: Vec<(EvalParams, u64)>,
    /// Whether all games ended before the last unit.
    are_all_over: bool,
    /// The parameters that suit the game.
    choice: EvalParams,
    /// Number of units to plan the next pass for.
    units: usize,
    /// Width of the beam that the rest of the budget affords for the whole game.
    affordable: f64,
}

impl Default for BeamTrials {
    fn default() -> BeamTrials {
        BeamTrials {
            tried: Vec::new(),
            are_all_over: true,
            choice: EvalParams::USUAL,
            units: usize::MAX,
            affordable: 0.0,
        }
    }
}

impl BeamTrials {
    fn run(&mut self, start: &GameStart, beam: &mut Beam, limiter: &mut Limiter) {
        let mut next = Some(EvalParams::USUAL);
        while let Some(params) = next {
            let (units, until) = (self.units, limiter.share_spent() + SCHEDULE.trial_share);
            let plan = PassPlan { params, units, until, patience: 2.0 * SCHEDULE.trial_share };
            let passed = beam.pass(&plan, limiter);
            if self.tried.is_empty() {
                self.affordable = passed.affordable * (1.0 - limiter.share_spent());
                beam.labels = labels(self.affordable);
            }
            if passed.end == PassEnd::OutOfBudget {
                let is_wide = start.play.board().width() > SCHEDULE.smooth_columns;
                self.choice = match self.tried.is_empty() {
                    true => SCHEDULE.without_trials[usize::from(is_wide)],
                    // This trial has outlived the others.
                    false if self.are_all_over => params,
                    false => self.choice,
                };
                return;
            }
            self.are_all_over &= passed.end == PassEnd::GameOver;
            if self.tried.iter().all(|(_, score)| *score < passed.score) {
                self.choice = params;
            }
            self.tried.push((params, passed.score));
            self.units = passed.expected(SCHEDULE.trial_growth);
            next = self.beside(limiter.share_spent());
        }
    }

    /// Returns the parameters that suit the game, then the others from the best score down.
    fn ranking(&self) -> Vec<EvalParams> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let others = tried.into_iter().map(|(params, _)| params);
        let others = others.filter(|params| *params != self.choice);
        std::iter::once(self.choice).chain(others).collect()
    }

    /// Returns the parameters to try next. If every game ended early, the other weights come first.
    /// Then follow the scales beside the best, and all others as long as the trials cost little.
    fn beside(&self, spent: f64) -> Option<EvalParams> {
        let of = |weights: usize| (0..SCALES.len()).map(move |scale| EvalParams { weights, scale });
        let distance = |params: &EvalParams| params.scale.abs_diff(self.choice.scale);
        let rows = EvalParams { weights: ROWS, ..EvalParams::USUAL };
        let rows = self.are_all_over.then_some(rows);
        let beside = of(self.choice.weights).rev().filter(|params| distance(params) == 1);
        let anything = of(SMOOTH)
            .chain(of(ROWS))
            .filter(|_| 0.0 < spent && spent < SCHEDULE.exhaustive_trials_end);
        let is_new = |new: &EvalParams| self.tried.iter().all(|(params, _)| params != new);
        let mut candidates = rows.into_iter().chain(beside).chain(anything);
        candidates.find(is_new).filter(|_| spent < SCHEDULE.trials_end)
    }
}

/// Returns the number of labels of a place in a beam of this width.
fn labels(width: f64) -> usize {
    match width {
        wide if wide > SCHEDULE.more_labels_above => 2 * SCHEDULE.labels,
        usual => {
            let bounds = SCHEDULE.fewer_labels_below.iter();
            SCHEDULE.labels - bounds.filter(|&&bound| usual < bound).count()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(are_all_over: bool, tried: &[(EvalParams, u64)]) -> BeamTrials {
        let tried = tried.to_vec();
        BeamTrials { tried, are_all_over, ..BeamTrials::default() }
    }

    const USUAL: EvalParams = EvalParams::USUAL;

    fn smooth(scale: usize) -> EvalParams {
        EvalParams { weights: SMOOTH, scale }
    }

    #[test]
    fn trials_choose_the_next_parameters_by_room_and_cost() {
        let BeamSchedule { trial_share, trials_end, exhaustive_trials_end, .. } = SCHEDULE;
        let near = [2, 3, 4].map(|scale| (smooth(scale), 10));
        let rows = EvalParams { weights: ROWS, ..USUAL };
        let cases = [
            (
                "the other weights where units find no room",
                true,
                &near[1..2],
                trial_share,
                Some(rows),
            ),
            ("a scale beside the best", false, &near[1..2], trial_share, Some(smooth(4))),
            ("the other scale beside it", false, &near[1..], 2.0 * trial_share, Some(smooth(2))),
            ("nothing where trials cost enough", false, &near[1..], trials_end, None),
            (
                "everything where they cost little",
                false,
                &near,
                exhaustive_trials_end / 2.0,
                Some(smooth(0)),
            ),
            ("nothing else where nothing limits", false, &near, 0.0, None),
            ("nothing else where they cost more", false, &near, exhaustive_trials_end, None),
        ];
        for (claim, are_all_over, tried, spent, expected) in cases {
            assert_eq!(after(are_all_over, tried).beside(spent), expected, "{claim}");
        }
    }

    #[test]
    fn chosen_parameters_come_first_then_the_others_by_score() {
        let rows = |scale| EvalParams { weights: ROWS, scale };
        let trials = after(true, &[(smooth(2), 7), (USUAL, 5), (rows(3), 9)]);
        let ranking = BeamTrials { choice: rows(5), ..trials }.ranking();
        assert_eq!(ranking, [rows(5), rows(3), smooth(2), USUAL]);
    }
}
