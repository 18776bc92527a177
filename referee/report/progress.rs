//! Progress bar on standard error, if that is a terminal: games, rate, remaining time and score.

use arbitre_games::diagnostics;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Instant;

/// Line on standard error, if that is a terminal, for what is being done.
pub struct Spinner(ProgressBar);

impl Default for Spinner {
    fn default() -> Self {
        Spinner::new()
    }
}

impl Spinner {
    /// Creates a line that is empty.
    pub fn new() -> Spinner {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template("{wide_msg}");
        Spinner(bar.with_style(style.expect("the template is well formed")))
    }

    /// Shows a text in place of the last one.
    pub fn show(&self, text: &str) {
        self.0.set_message(text.to_owned());
        self.0.tick();
    }

    /// Prints a remark for people above the line.
    pub fn note(&self, text: &str) {
        self.0.suspend(|| diagnostics::print(format_args!("note: {text}\n")));
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Progress bar of a tournament.
#[derive(Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Creates a bar for `games` games, of which `done` are played. It is visible if standard error
    /// is a terminal and `shown` is set. Under a test the match may end early, so the bar shows
    /// neither length nor remaining time.
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
            // Games of earlier sessions took no time of this one.
            let rate = state.pos().saturating_sub(done) as f64 / begun.elapsed().as_secs_f64();
            let digits = usize::from(rate < 10.0);
            let _ = write!(out, "{rate:.digits$}/s");
        };
        bar.set_style(style.with_key("rate", rate));
        Progress(bar)
    }

    /// Counts a finished game and shows the score.
    pub fn game(&self, score: String) {
        self.0.set_message(score);
        self.0.inc(1);
    }

    /// Shortens the bar by `games` games that need not be played.
    pub fn pass_over(&self, games: u64) {
        self.0.dec_length(games);
    }

    /// Prints a line above the bar, or plainly if there is no bar.
    pub fn say(&self, text: &str) {
        self.0.suspend(|| diagnostics::print(format_args!("{text}\n")));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }

    /// Removes the bar for good and prints a last line.
    pub fn end_with(&self, text: &str) {
        self.0.finish_and_clear();
        diagnostics::print(format_args!("{text}\n"));
    }
}
