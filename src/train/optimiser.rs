//! AdamW: steps whose size does not depend on how large gradients are, and a slight
//! pull of every parameter towards zero. Beside the parameters it keeps their moving
//! average, which is what becomes the network.

use super::floats::Floats;
use super::model::{LARGEST_WEIGHT, Model};
use crate::math::power;
use crate::parallel::in_parallel;

/// How long the means remember.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const SMALLEST_ROOT: f32 = 1e-8;
/// How long the average of the parameters remembers.
const AVERAGE_DECAY: f32 = 0.999;
/// Parameters that a thread takes at once.
const SHARE: usize = 1 << 14;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Optimiser {
    pub(crate) mean: Floats,
    pub(crate) square: Floats,
    /// The moving average of the parameters.
    pub(crate) average: Floats,
    /// Steps taken.
    pub(crate) steps: u64,
}

/// How far to go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(crate) rate: f32,
    pub(crate) weight_decay: f32,
    /// Samples the gradient is the sum of.
    pub(crate) samples: usize,
}

impl Optimiser {
    pub(super) fn new(model: &Model) -> Optimiser {
        let zeros = Floats::zeros(model.parameters.len());
        let average = model.parameters.clone();
        Optimiser { mean: zeros.clone(), square: zeros, average, steps: 0 }
    }

    /// One step against the gradient, which is the sum of `parts`.
    pub(super) fn step<const P: usize>(
        &mut self,
        model: &mut Model,
        parts: [&[f32]; P],
        step: Step,
        threads: usize,
    ) {
        self.steps += 1;
        let Step { rate, weight_decay, samples } = step;
        let factors = Factors {
            rate: rate * (1.0 - power(SQUARE_DECAY, self.steps)).sqrt()
                / (1.0 - power(MEAN_DECAY, self.steps)),
            share: 1.0 / samples.max(1) as f32,
            keep: 1.0 - rate * weight_decay,
            // In the beginning the average follows quickly: what it began with counts for
            // nothing.
            follow: (1.0 - AVERAGE_DECAY).max(10.0 / (10.0 + self.steps as f32)),
        };
        let clipped = model.clipped().end;
        let shares = model
            .parameters
            .chunks_mut(SHARE)
            .zip(self.mean.chunks_mut(SHARE))
            .zip(self.square.chunks_mut(SHARE))
            .zip(self.average.chunks_mut(SHARE))
            .enumerate();
        in_parallel(threads, shares, |(index, (((parameters, mean), square), average))| {
            let start = index * SHARE;
            let parts = parts.map(|part| &part[start..start + parameters.len()]);
            let limit = clipped.saturating_sub(start).min(parameters.len());
            factors.step(Share { parameters, mean, square, average }, parts, limit);
        });
    }
}

/// What is the same for all parameters of a step.
#[derive(Debug, Clone, Copy)]
struct Factors {
    rate: f32,
    share: f32,
    keep: f32,
    follow: f32,
}

/// Some of the parameters.
struct Share<'a> {
    parameters: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    average: &'a mut [f32],
}

impl Factors {
    /// The first `clipped` parameters stay within the largest weight.
    fn step<const P: usize>(self, share: Share<'_>, parts: [&[f32]; P], clipped: usize) {
        let length = share.parameters.len();
        let Share { parameters, mean, square, average } = share;
        // Once for all, so that the loop has no bounds to check.
        let parts = parts.map(|part| &part[..length]);
        let (mean, square) = (&mut mean[..length], &mut square[..length]);
        let average = &mut average[..length];
        for index in 0..length {
            let mut gradient = 0.0;
            for part in parts {
                gradient += part[index];
            }
            gradient *= self.share;
            let new_mean = MEAN_DECAY * mean[index] + (1.0 - MEAN_DECAY) * gradient;
            let new_square =
                SQUARE_DECAY * square[index] + (1.0 - SQUARE_DECAY) * gradient * gradient;
            mean[index] = new_mean;
            square[index] = new_square;
            let step = self.rate * new_mean / (new_square.sqrt() + SMALLEST_ROOT);
            let limit = if index < clipped { LARGEST_WEIGHT } else { f32::MAX };
            let parameter = (parameters[index] * self.keep - step).clamp(-limit, limit);
            parameters[index] = parameter;
            average[index] += self.follow * (parameter - average[index]);
        }
    }
}
