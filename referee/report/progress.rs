//! Progress on standard error, when that is a terminal: games, rate, time left, score.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;

/// A line that tells how far the tournament is.
#[derive(Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A line for so many games, of which some are `done`; it only appears if standard error is a
    /// terminal and `shown`.
    pub fn new(games: u64, done: u64, shown: bool) -> Progress {
        let target = if shown {
            ProgressDrawTarget::stderr_with_hz(5)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(games), target);
        let template = "{bar:24} {pos}/{len} games, {rate}, {eta} left  {msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style.with_key("rate", write_rate));
        bar.set_position(done);
        bar.reset_eta();
        Progress(bar)
    }

    /// A game came in.
    pub fn game(&self, score: String) {
        self.0.set_message(score);
        self.0.inc(1);
    }

    /// Says something above the line, or plainly where there is no line.
    pub fn say(&self, text: &str) {
        self.0.suspend(|| eprintln!("{text}"));
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn write_rate(state: &ProgressState, out: &mut dyn Write) {
    let rate = state.per_sec();
    let digits = usize::from(rate < 10.0);
    let _ = write!(out, "{rate:.digits$}/s");
}
