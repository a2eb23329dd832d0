//! Gradient descent (Adam) on the squared error of the expected result.

use crate::eval::features;
use crate::eval::trace::{Trace, Weights};
use crate::parallel::in_parallel;
use crate::selfplay::usable::{self, ScoreCounts};
use crate::selfplay::{DataError, GameReader};
use crate::types::Color;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FitOptions {
    pub(crate) epochs: u32,
    /// How much of the target is the result; the rest is the score.
    pub(crate) result_share: f32,
    /// Initial learning rate; it falls to a hundredth on a cosine.
    pub(crate) rate: f32,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
}

/// One game in this many is held out.
const HELD_OUT: u64 = 50;
const BATCH: usize = 16_384;
/// A batch is summed up in this many parts, whatever the number of threads, so that
/// the result does not depend on it.
const PARTS: usize = 8;
/// Features that occur less often keep their value.
const RARE: u32 = 1_000;

/// Positions ready to be fitted to.
#[derive(Debug, Default)]
pub(crate) struct Dataset {
    /// Of all positions, one after the other.
    counts: Vec<(u16, i8)>,
    positions: Vec<FittedPosition>,
}

#[derive(Debug, Clone, Copy)]
struct FittedPosition {
    /// Where its counts begin; they end where those of the next begin.
    first: u64,
    middlegame: f32,
    scales: [f32; 2],
    /// 1 if White is to move, -1 if Black is.
    side: f32,
    /// What the search thought and how the game ended, for White.
    score: f32,
    points: f32,
}

impl Dataset {
    /// Reads the usable positions of a file: every fiftieth game into `held_out`.
    pub(crate) fn read(
        path: &Path,
        training: &mut Dataset,
        held_out: &mut Dataset,
        mut report: impl FnMut(u64),
    ) -> Result<(), DataError> {
        let mut reader = GameReader::open(path)?;
        let mut games = 0;
        while let Some(record) = reader.read()? {
            games += 1;
            let target = if games % HELD_OUT == 0 { &mut *held_out } else { &mut *training };
            let read = usable::for_each(&record, |board, score, points| {
                let white = board.side_to_move() == Color::White;
                let side = if white { 1.0 } else { -1.0 };
                let score = side * score.0 as f32;
                let points = if white { points } else { 1.0 - points };
                target.push(Trace::of(board), side, score, points);
            });
            read.map_err(|error| reader.damaged(error))?;
            report(reader.offset());
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, trace: Trace, side: f32, score: f32, points: f32) {
        let first = self.counts.len() as u64;
        self.counts.extend_from_slice(&trace.counts);
        let Trace { middlegame, scales, .. } = trace;
        self.positions.push(FittedPosition { first, middlegame, scales, side, score, points });
    }

    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// See [`ScoreCounts::scale`].
    pub(crate) fn fit_scale(&self) -> f32 {
        let mut counts = ScoreCounts::default();
        self.positions.iter().for_each(|it| counts.add(it.score, it.points));
        counts.scale()
    }

    fn counts(&self, index: usize) -> &[(u16, i8)] {
        let end = self.positions.get(index + 1).map_or(self.counts.len() as u64, |next| next.first);
        &self.counts[self.positions[index].first as usize..end as usize]
    }

    /// The mean squared error of the expected results.
    pub(crate) fn loss(&self, weights: &Weights, scale: f32, result_share: f32) -> f64 {
        let errors = (0..self.len()).map(|index| {
            let position = &self.positions[index];
            let FittedPosition { middlegame, scales, side, .. } = *position;
            let value = weights.value(self.counts(index), middlegame, scales);
            let expected = sigmoid((value + side * weights.tempo) / scale);
            f64::from(expected - position.target(scale, result_share)).powi(2)
        });
        errors.sum::<f64>() / self.len().max(1) as f64
    }
}

impl FittedPosition {
    fn target(&self, scale: f32, result_share: f32) -> f32 {
        result_share * self.points + (1.0 - result_share) * sigmoid(self.score / scale)
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// How an epoch went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FitProgress {
    pub(crate) number: u32,
    /// The mean over the epoch, while the weights were changing.
    pub(crate) training_loss: f64,
    pub(crate) held_out_loss: f64,
}

/// Fits `weights` to `data`, calling `report` after each epoch.
pub(crate) fn fit(
    data: &Dataset,
    held_out: &Dataset,
    weights: &mut Weights,
    scale: f32,
    options: &FitOptions,
    mut report: impl FnMut(&FitProgress),
) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut order: Vec<u32> = (0..data.len() as u32).collect();
    let mut adam = Adam::new(&occurrences(data));
    let steps = u64::from(options.epochs) * data.len().div_ceil(BATCH) as u64;
    let mut step = 0u64;
    for number in 1..=options.epochs {
        for index in (1..order.len()).rev() {
            order.swap(index, (rng.next_u64() % (index as u64 + 1)) as usize);
        }
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let gradient = gradient(data, batch, weights, scale, options);
            loss += gradient.loss;
            step += 1;
            let cosine = (std::f64::consts::PI * step as f64 / steps as f64).cos() as f32;
            let rate = options.rate * (0.505 + 0.495 * cosine);
            adam.step(weights, &gradient, rate, step);
        }
        let training_loss = loss / data.len().max(1) as f64;
        let held_out_loss = held_out.loss(weights, scale, options.result_share);
        report(&FitProgress { number, training_loss, held_out_loss });
    }
}

/// In how many positions each feature occurs.
fn occurrences(data: &Dataset) -> Vec<u32> {
    let mut seen = vec![0; features::COUNT];
    for &(feature, _) in &data.counts {
        seen[usize::from(feature)] += 1;
    }
    seen
}

struct Gradient {
    features: Vec<[f32; 2]>,
    tempo: f32,
    loss: f64,
}

impl Gradient {
    fn zero() -> Gradient {
        Gradient { features: vec![[0.0; 2]; features::COUNT], tempo: 0.0, loss: 0.0 }
    }

    fn add(&mut self, other: &Gradient) {
        for (sum, part) in self.features.iter_mut().zip(&other.features) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
        self.tempo += other.tempo;
        self.loss += other.loss;
    }
}

/// The gradient of the sum of squared errors over a batch, scaled to a mean by the
/// optimiser, which does not care.
fn gradient(
    data: &Dataset,
    batch: &[u32],
    weights: &Weights,
    scale: f32,
    options: &FitOptions,
) -> Gradient {
    let parts: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
    let done = in_parallel(options.threads, parts, |part| {
        let mut gradient = Gradient::zero();
        for &position in part {
            add_gradient(data, position as usize, weights, scale, options, &mut gradient);
        }
        gradient
    });
    let mut sum = Gradient::zero();
    for part in &done {
        sum.add(part);
    }
    sum
}

fn add_gradient(
    data: &Dataset,
    index: usize,
    weights: &Weights,
    scale: f32,
    options: &FitOptions,
    gradient: &mut Gradient,
) {
    let position = &data.positions[index];
    let counts = data.counts(index);
    let FittedPosition { middlegame, scales, side, .. } = *position;
    let value = weights.value(counts, middlegame, scales);
    let expected = sigmoid((value + side * weights.tempo) / scale);
    let error = expected - position.target(scale, options.result_share);
    gradient.loss += f64::from(error * error);
    let slope = 2.0 * error * expected * (1.0 - expected) / scale;
    gradient.tempo += slope * side;
    // Scaling does not change the sign.
    let slope = slope * scales[usize::from(value < 0.0)];
    let (middlegame, endgame) = (slope * middlegame, slope * (1.0 - middlegame));
    for &(feature, count) in counts {
        let sum = &mut gradient.features[usize::from(feature)];
        sum[0] += middlegame * f32::from(count);
        sum[1] += endgame * f32::from(count);
    }
}

/// Steps of a size that does not depend on how large the gradient is.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    frozen: Vec<bool>,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Adam {
    fn new(occurrences: &[u32]) -> Adam {
        let size = 2 * features::COUNT + 1;
        let frozen = occurrences.iter().flat_map(|&seen| [seen < RARE; 2]).chain([false]);
        Adam { mean: vec![0.0; size], square: vec![0.0; size], frozen: frozen.collect() }
    }

    fn step(&mut self, weights: &mut Weights, gradient: &Gradient, rate: f32, step: u64) {
        let step = step.min(1 << 30) as i32;
        let rate = rate * (1.0 - SQUARE_DECAY.powi(step)).sqrt() / (1.0 - MEAN_DECAY.powi(step));
        let gradients = gradient.features.iter().flatten().chain([&gradient.tempo]);
        let values = weights.features.iter_mut().flatten().chain([&mut weights.tempo]);
        for (index, (value, &gradient)) in values.zip(gradients).enumerate() {
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            if !self.frozen[index] {
                *value -= rate * *mean / (square.sqrt() + 1e-12);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;

    const OPTIONS: FitOptions =
        FitOptions { epochs: 1, result_share: 0.5, rate: 1.0, seed: 1, threads: 1 };

    /// Random positions with the scores and results that `truth` would give them.
    fn dataset(truth: &Weights, count: usize) -> Dataset {
        let mut data = Dataset::default();
        for board in RandomGames::new(11).positions(count) {
            let trace = Trace::of(&board);
            let side = if board.side_to_move() == Color::White { 1.0 } else { -1.0 };
            let value = truth.value(&trace.counts, trace.middlegame, trace.scales);
            let score = value + side * truth.tempo;
            data.push(trace, side, score, sigmoid(score / 200.0).round());
        }
        data
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let truth = Weights::in_use();
        let data = dataset(&truth, 200);
        let mut weights = truth.clone();
        weights.features.iter_mut().for_each(|pair| pair[0] *= 0.9);
        let batch: Vec<u32> = (0..data.len() as u32).collect();
        let exact = gradient(&data, &batch, &weights, 200.0, &OPTIONS);
        for feature in [features::PLACEMENT + 12, features::BISHOP_PAIR, features::ISOLATED] {
            for phase in 0..2 {
                let loss = |change: f32| {
                    let mut moved = weights.clone();
                    moved.features[feature][phase] += change;
                    data.loss(&moved, 200.0, 0.5) * data.len() as f64
                };
                let slope = (loss(2.0) - loss(-2.0)) / 4.0;
                let found = f64::from(exact.features[feature][phase]);
                assert!((slope - found).abs() <= 1e-3 + 0.02 * slope.abs(), "{slope} {found}");
            }
        }
    }

    #[test]
    fn finds_the_weights_that_made_the_scores() {
        let mut truth = Weights::in_use();
        truth.features[features::BISHOP_PAIR] = [130.0, 120.0];
        truth.tempo = 25.0;
        let data = dataset(&truth, 20_000);
        let mut weights = Weights::in_use();
        let before = data.loss(&weights, 200.0, 0.0);
        let options = FitOptions { epochs: 60, result_share: 0.0, rate: 4.0, ..OPTIONS };
        fit(&data, &data, &mut weights, 200.0, &options, |_| {});
        let after = data.loss(&weights, 200.0, 0.0);
        assert!(after < before / 20.0, "{before} {after}");
        assert!((weights.tempo - 25.0).abs() < 3.0, "{}", weights.tempo);
    }

    #[test]
    fn threads_make_no_difference() {
        let data = dataset(&Weights::in_use(), 3_000);
        let run = |threads| {
            let mut weights = Weights::in_use();
            fit(&data, &data, &mut weights, 150.0, &FitOptions { threads, ..OPTIONS }, |_| {});
            weights
        };
        assert_eq!(run(1), run(3));
    }
}
