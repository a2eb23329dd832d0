//! AdamW: steps whose size does not depend on how large gradients are, and a slight
//! pull of every parameter towards zero.

use super::model::{LARGEST_WEIGHT, Model};

/// How long the means remember.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const SMALLEST_ROOT: f32 = 1e-8;

#[derive(Debug, Clone, PartialEq)]
pub struct Optimiser {
    pub mean: Vec<f32>,
    pub square: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl Optimiser {
    pub fn new(model: &Model) -> Optimiser {
        let zeros = vec![0.0; model.parameters.len()];
        Optimiser { mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// One step against the gradient, which is the sum of `parts` divided by `samples`.
    pub fn step<const P: usize>(
        &mut self,
        model: &mut Model,
        parts: [&[f32]; P],
        samples: usize,
        rate: f32,
        weight_decay: f32,
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let rate_now =
            rate * (1.0 - SQUARE_DECAY.powi(steps)).sqrt() / (1.0 - MEAN_DECAY.powi(steps));
        let share = 1.0 / samples.max(1) as f32;
        let keep = 1.0 - rate * weight_decay;
        let clipped = model.clipped().end;
        let length = model.parameters.len();
        let parts = parts.map(|part| &part[..length]);
        let (means, squares) = (&mut self.mean[..length], &mut self.square[..length]);
        for index in 0..length {
            let mut gradient = 0.0;
            for part in parts {
                gradient += part[index];
            }
            gradient *= share;
            let mean = MEAN_DECAY * means[index] + (1.0 - MEAN_DECAY) * gradient;
            let square = SQUARE_DECAY * squares[index] + (1.0 - SQUARE_DECAY) * gradient * gradient;
            means[index] = mean;
            squares[index] = square;
            let step = rate_now * mean / (square.sqrt() + SMALLEST_ROOT);
            model.parameters[index] = model.parameters[index] * keep - step;
        }
        for parameter in &mut model.parameters[..clipped] {
            *parameter = parameter.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
        }
    }
}
