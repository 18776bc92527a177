//! The optimiser Adam (D. Kingma, J. Ba, 2015).

/// State of the optimiser for some numbers.
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Powers of the decay rates after the steps so far.
    powers: [f32; 2],
}

/// Decay rates of the mean and of the square of the gradient, as in the paper.
const DECAY: [f32; 2] = [0.9, 0.999];

impl Adam {
    /// Creates the state for `count` numbers.
    pub fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], powers: [1.0; 2] }
    }

    /// Moves `numbers` against `gradient` and clears it.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &mut [f32], rate: f32) {
        let [mean_decay, square_decay] = DECAY;
        self.powers = [self.powers[0] * mean_decay, self.powers[1] * square_decay];
        let (mean_scale, square_scale) =
            (1.0 / (1.0 - self.powers[0]), 1.0 / (1.0 - self.powers[1]));
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((number, slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(state) {
            *mean = mean_decay * *mean + (1.0 - mean_decay) * *slope;
            *square = square_decay * *square + (1.0 - square_decay) * *slope * *slope;
            *number -= rate * (*mean * mean_scale) / ((*square * square_scale).sqrt() + 1e-8);
            *slope = 0.0;
        }
    }
}
