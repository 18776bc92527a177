//! SVG plot of a tuning run: every candidate by generation and result, and the numbers of the best.
use arbitre_referee::chart::{text_width, Anchor, Scale, Svg};

use super::fitness::Fitness;
use super::gene::CommandTemplate;
use super::genetic::Origin;
use super::run::Generation;

/// Width of the picture, in pixels like all lengths here.
const WIDTH: f64 = 800.0;
/// Left and right ends of both panels.
const SIDES: [f64; 2] = [70.0, 780.0];
/// Upper and lower ends of the panel of results.
const RESULTS: [f64; 2] = [76.0, 336.0];
/// Upper end of the panel of numbers.
const NUMBERS: f64 = 392.0;
/// Height of a row of numbers.
const ROW: f64 = 20.0;
/// Approximate number of grid lines in the panel of results. Not tuned.
const TICKS: f64 = 6.0;
/// Maximum number of rows in the panel of numbers. Longer genomes appear only in tooltips. Not
/// tuned.
const MOST_ROWS: usize = 60;

/// Words of the origins, each of which is a class with its own colour.
const ORIGINS: [&str; 4] = ["ancestor", "new", "parent", "child"];

/// Plot of a tuning run.
pub struct Plot<'a> {
    /// Command that was tuned.
    pub template: &'a CommandTemplate,
    /// Line of text about the run.
    pub about: &'a str,
    /// Generations so far.
    pub generations: &'a [Generation],
    /// Number of planned generations.
    pub planned: usize,
}

impl Plot<'_> {
    /// Returns the plot as an SVG document.
    pub fn document(&self) -> String {
        let rows = self.rows();
        let mut svg = Svg::new([WIDTH, NUMBERS + ROW * rows as f64 + 30.0], "tuning run");
        svg.text([16.0, 24.0], Anchor::Start, "heading", self.template.text());
        svg.text([16.0, 42.0], Anchor::Start, "faint", self.about);
        legend(&mut svg);
        self.results(&mut svg);
        if rows > 0 {
            self.numbers(&mut svg);
        }
        svg.document()
    }

    /// Returns the number of rows in the panel of numbers.
    fn rows(&self) -> usize {
        match self.template.gene_ranges().len() {
            count if count > MOST_ROWS || self.generations.is_empty() => 0,
            count => count,
        }
    }

    /// Returns the centre and the width of the column of a generation, counted from 0.
    fn column(&self, generation: usize) -> (f64, f64) {
        let width = (SIDES[1] - SIDES[0]) / self.planned.max(1) as f64;
        (SIDES[0] + width * (generation as f64 + 0.5), width)
    }

    /// Draws the panel of results: every candidate that solved an instance, a line through the best
    /// ones, and a dashed line at the ancestor's result.
    fn results(&self, svg: &mut Svg) {
        let fitness = self.generations.iter().flat_map(|generation| &generation.fitness);
        let Some(scale) = Scale::of(fitness.filter_map(mean), TICKS, [RESULTS[1], RESULTS[0]])
        else {
            return;
        };
        for (y, value) in scale.ticks() {
            svg.line(&[[SIDES[0], y], [SIDES[1], y]], "grid");
            svg.text([SIDES[0] - 8.0, y + 4.0], Anchor::End, "faint", value);
        }
        for (number, _) in self.generations.iter().enumerate() {
            let (x, _) = self.column(number);
            svg.text([x, RESULTS[1] + 18.0], Anchor::Middle, "faint", number + 1);
        }
        svg.text([SIDES[1], RESULTS[1] + 34.0], Anchor::End, "faint", "generation");
        if let Some(ancestor) = self.generations.first().and_then(|first| mean(&first.fitness[0])) {
            let y = scale.at(ancestor);
            svg.line(&[[SIDES[0], y], [SIDES[1], y]], "before");
        }
        let best = self.generations.iter().enumerate().filter_map(|(number, generation)| {
            let mean = mean(&generation.fitness[generation.best()])?;
            Some([self.column(number).0, scale.at(mean)])
        });
        svg.line(&best.collect::<Vec<_>>(), "best");
        for (number, generation) in self.generations.iter().enumerate() {
            self.candidates(svg, &scale, number, generation);
        }
    }

    /// Draws the candidates of a generation, with one lane per origin. Candidates that did not
    /// solve every instance are hollow.
    fn candidates(&self, svg: &mut Svg, scale: &Scale, number: usize, generation: &Generation) {
        let (middle, width) = self.column(number);
        for (candidate, fitness) in generation.candidates.iter().zip(&generation.fitness) {
            let Some(mean) = mean(fitness) else { continue };
            let word = candidate.origin.word();
            let lane = ORIGINS.iter().position(|origin| *origin == word);
            let lane = lane.expect("every origin has a colour");
            let x = middle + (lane as f64 - 1.5) * (width / 6.0).min(9.0);
            let solved = if fitness.solved == fitness.games { "solved" } else { "unsolved" };
            let genome = self.template.describe(&candidate.genome);
            let told = format!("{genome}: {mean:.2} ({})", described(candidate.origin, word));
            svg.circle([x, scale.at(mean)], 3.5, &format!("{word} {solved}"), &told);
        }
    }

    /// Draws the numbers of the best candidate of each generation, darker towards the upper bound.
    fn numbers(&self, svg: &mut Svg) {
        let heading = [SIDES[0], NUMBERS - 10.0];
        svg.text(heading, Anchor::Start, "faint", "numbers of the best of each generation");
        for (row, (name, range)) in
            self.template.names().iter().zip(self.template.gene_ranges()).enumerate()
        {
            let y = NUMBERS + ROW * row as f64;
            svg.text([SIDES[0] - 8.0, y + 14.0], Anchor::End, "", name);
            for (number, generation) in self.generations.iter().enumerate() {
                let value = generation.candidates[generation.best()].genome[row];
                let (middle, width) = self.column(number);
                // A range of one number has no span to divide by.
                let span = (range.high - range.low).max(1) as f64;
                // Numbers of the ancestor and of children may lie outside the range.
                let part = ((value - range.low) as f64 / span).clamp(0.0, 1.0);
                let (corner, size) = ([middle - width / 2.0, y], [width - 1.0, ROW - 1.0]);
                svg.rectangle(corner, size, "gene", 0.08 + 0.6 * part, "");
                svg.text([middle, y + 14.0], Anchor::Middle, "", value);
            }
        }
    }
}

/// Returns the mean over solved instances.
fn mean(fitness: &Fitness) -> Option<f64> {
    let total = fitness.measure.value(fitness.total as f64);
    (fitness.solved > 0).then(|| total / fitness.solved as f64)
}

fn described(origin: Origin, word: &str) -> String {
    match origin {
        Origin::Ancestor | Origin::New => word.into(),
        Origin::Parent(before) => format!("{word}, was candidate {}", before + 1),
        Origin::Child([one, other]) => {
            format!("{word} of candidates {} and {}", one + 1, other + 1)
        }
    }
}

fn legend(svg: &mut Svg) {
    let mut x = 20.0;
    for word in ORIGINS {
        svg.circle([x, 56.0], 4.0, &format!("{word} solved"), word);
        svg.text([x + 8.0, 60.0], Anchor::Start, "", word);
        x += 24.0 + text_width(word);
    }
    svg.line(&[[x, 56.0], [x + 20.0, 56.0]], "best");
    svg.text([x + 26.0, 60.0], Anchor::Start, "", "best, mean per game");
}
