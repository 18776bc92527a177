//! Progress on standard error, when that is a terminal: games, rate, time left, score.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Instant;

/// A line that tells how far the tournament is.
#[derive(Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A line for so many games, of which some are `done`; it only appears if standard error is a
    /// terminal and `shown`. Where a test may end the match before, nobody knows how long it takes.
    pub fn new(games: u64, done: u64, under_test: bool, shown: bool) -> Progress {
        let target = if shown {
            ProgressDrawTarget::stderr_with_hz(5)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(games), target).with_position(done);
        bar.reset_eta();
        let template = match under_test {
            true => "{pos} games, {rate}  {wide_msg}",
            false => "{bar:24} {pos}/{len} games, {rate}, {eta} left  {wide_msg}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let begun = Instant::now();
        let rate = move |state: &ProgressState, out: &mut dyn Write| {
            let rate = state.pos().saturating_sub(done) as f64 / begun.elapsed().as_secs_f64();
            let digits = usize::from(rate < 10.0);
            let _ = write!(out, "{rate:.digits$}/s");
        };
        bar.set_style(style.with_key("rate", rate));
        Progress(bar)
    }

    /// A game came in.
    pub fn game(&self, score: String) {
        self.0.set_message(score);
        self.0.inc(1);
    }

    /// So many games need not be played: they are not waited for.
    pub fn pass_over(&self, games: u64) {
        self.0.dec_length(games);
    }

    /// Says something above the line, or plainly where there is no line.
    pub fn say(&self, text: &str) {
        self.0.suspend(|| eprintln!("{text}"));
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }

    /// Takes the line away for good, and says something.
    pub fn end_with(&self, text: &str) {
        self.0.finish_and_clear();
        eprintln!("{text}");
    }
}
