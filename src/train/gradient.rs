//! The pass forward and back: what the net makes of samples, how far off it is, and
//! which way every parameter would have to go.
//!
//! The work goes block by block through a few samples at a time, so that the rows
//! of the first layer and of its gradient are found in the cache.

use super::float8::Float8;
use super::model::{BLOCK, Model};
use super::sample::{Inputs, Sample};
use crate::eval::nnue::{BUCKETS, INPUTS, bucket};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Samples that go through a block together.
const GROUP: usize = 32;
/// A batch is worked on in this many parts, whatever the number of threads, so that
/// sums do not depend on it.
const PARTS: usize = 4;
/// Vectors to a block.
const VECTORS: usize = BLOCK / 8;

/// What the net is to learn from a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// How much of it is the result; the rest is the score.
    pub result_share: f32,
    /// The score that 1.0 stands for.
    pub scale: f32,
}

impl Target {
    fn of(&self, sample: &Sample) -> f32 {
        let by_score = sigmoid(sample.score() / self.scale);
        self.result_share * sample.points() + (1.0 - self.result_share) * by_score
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Memory to work in: a gradient for each part of a batch.
#[derive(Debug)]
pub struct Gradients {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    gradient: Vec<f32>,
    inputs: Vec<Inputs>,
    /// The hidden layer of the group, by sample, side and neuron.
    values: Vec<f32>,
    loss: f64,
}

impl Gradients {
    pub fn new(model: &Model) -> Gradients {
        let part = || Part {
            gradient: vec![0.0; model.parameters.len()],
            inputs: vec![Inputs::default(); GROUP],
            values: vec![0.0; GROUP * 2 * model.hidden()],
            loss: 0.0,
        };
        Gradients { parts: (0..PARTS).map(|_| part()).collect() }
    }

    /// Computes the gradient of the sum of squared errors over the samples that
    /// `batch` names. Returns that sum.
    pub fn compute(
        &mut self,
        model: &Model,
        samples: &[Sample],
        batch: &[u32],
        target: Target,
        threads: usize,
    ) -> f64 {
        self.run(batch, threads, |part, indices| {
            part.gradient.fill(0.0);
            part.pass::<true>(model, samples, indices, target);
        })
    }

    /// The sum of squared errors alone.
    pub fn loss(
        &mut self,
        model: &Model,
        samples: &[Sample],
        batch: &[u32],
        target: Target,
        threads: usize,
    ) -> f64 {
        self.run(batch, threads, |part, indices| {
            part.pass::<false>(model, samples, indices, target);
        })
    }

    fn run(
        &mut self,
        batch: &[u32],
        threads: usize,
        work: impl Fn(&mut Part, &[u32]) + Sync,
    ) -> f64 {
        let size = batch.len().div_ceil(PARTS).max(1);
        let mut shares = batch.chunks(size);
        let parts: Vec<_> = self
            .parts
            .iter_mut()
            .map(|part| std::sync::Mutex::new((part, shares.next().unwrap_or_default())))
            .collect();
        let next = AtomicUsize::new(0);
        let run = || {
            while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Each part is taken once: nobody waits here.
                if let Ok(mut part) = part.lock() {
                    let (part, indices) = &mut *part;
                    part.loss = 0.0;
                    work(part, indices);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(PARTS) {
                scope.spawn(run);
            }
            run();
        });
        drop(parts);
        self.parts.iter().map(|part| part.loss).sum()
    }

    /// The gradients of the parts; their sum, in this order, is that of the batch.
    pub fn parts(&self) -> [&[f32]; PARTS] {
        std::array::from_fn(|index| &self.parts[index].gradient[..])
    }
}

impl Part {
    fn pass<const BACK: bool>(
        &mut self,
        model: &Model,
        samples: &[Sample],
        indices: &[u32],
        target: Target,
    ) {
        for group in indices.chunks(GROUP) {
            for (inputs, &index) in self.inputs.iter_mut().zip(group) {
                samples[index as usize].inputs(inputs);
            }
            for block in 0..model.blocks() {
                self.forward(model, block, group.len());
            }
            let mut slopes = [0.0; GROUP];
            for (place, &index) in group.iter().enumerate() {
                let sample = &samples[index as usize];
                let expected = sigmoid(self.output(model, place, bucket(sample.men())));
                let error = expected - target.of(sample);
                self.loss += f64::from(error * error);
                slopes[place] = 2.0 * error * expected * (1.0 - expected);
            }
            if BACK {
                for (place, &index) in group.iter().enumerate() {
                    let bucket = bucket(samples[index as usize].men());
                    self.output_gradient(model, place, bucket, slopes[place]);
                }
                for block in 0..model.blocks() {
                    self.backward(model, block, samples, group, &slopes);
                }
            }
        }
    }

    /// One block of the hidden layer, clipped, for the whole group.
    fn forward(&mut self, model: &Model, block: usize, group: usize) {
        let weights = block_of(&model.parameters[model.inputs()], block);
        let bias = &model.parameters[model.bias()].as_chunks::<BLOCK>().0[block];
        let hidden = model.hidden();
        for (place, inputs) in self.inputs[..group].iter().enumerate() {
            for (side, view) in inputs.views.iter().enumerate() {
                let mut sums = load(bias);
                for &input in &view[..inputs.count] {
                    let row = &weights[usize::from(input)];
                    for (sum, term) in sums.iter_mut().zip(load(row)) {
                        *sum = sum.plus(term);
                    }
                }
                let start = (2 * place + side) * hidden + block * BLOCK;
                let values = self.values[start..start + BLOCK].as_chunks_mut::<8>().0;
                for (value, sum) in values.iter_mut().zip(sums) {
                    sum.clipped().store(value);
                }
            }
        }
    }

    fn output(&self, model: &Model, place: usize, bucket: usize) -> f32 {
        let width = 2 * model.hidden();
        let values = &self.values[place * width..(place + 1) * width];
        let weights = &model.parameters[model.outputs()][bucket * width..(bucket + 1) * width];
        let mut sum = Float8::splat(0.0);
        for (value, weight) in values.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0) {
            let value = Float8::load(value);
            sum = value.times(value).times_plus(Float8::load(weight), sum);
        }
        sum.sum() + model.parameters[model.output_bias()][bucket]
    }

    fn output_gradient(&mut self, model: &Model, place: usize, bucket: usize, slope: f32) {
        let width = 2 * model.hidden();
        let values = &self.values[place * width..(place + 1) * width];
        let start = model.outputs().start + bucket * width;
        let gradient = self.gradient[start..start + width].as_chunks_mut::<8>().0;
        let slope8 = Float8::splat(slope);
        for (value, sum) in values.as_chunks::<8>().0.iter().zip(gradient) {
            let value = Float8::load(value);
            value.times(value).times_plus(slope8, Float8::load(sum)).store(sum);
        }
        self.gradient[model.output_bias().start + bucket] += slope;
    }

    /// The gradient of one block of the first layer.
    fn backward(
        &mut self,
        model: &Model,
        block: usize,
        samples: &[Sample],
        group: &[u32],
        slopes: &[f32; GROUP],
    ) {
        let hidden = model.hidden();
        let outputs = &model.parameters[model.outputs()];
        let (inputs_gradient, rest) = self.gradient.split_at_mut(model.inputs().end);
        let gradient = block_of_mut(inputs_gradient, block);
        let bias = &mut rest.as_chunks_mut::<BLOCK>().0[block];
        for (place, &index) in group.iter().enumerate() {
            let inputs = &self.inputs[place];
            let bucket = bucket(samples[index as usize].men());
            let slope = Float8::splat(2.0 * slopes[place]);
            for (side, view) in inputs.views.iter().enumerate() {
                let start = (2 * place + side) * hidden + block * BLOCK;
                let values = self.values[start..start + BLOCK].as_chunks::<8>().0;
                let start = (2 * bucket + side) * hidden + block * BLOCK;
                let weights = outputs[start..start + BLOCK].as_chunks::<8>().0;
                let mut slopes = [Float8::splat(0.0); VECTORS];
                for ((to, value), weight) in slopes.iter_mut().zip(values).zip(weights) {
                    let value = Float8::load(value);
                    let steep = slope.times(value).times(Float8::load(weight));
                    *to = steep.where_inside(value);
                }
                add(&slopes, bias);
                for &input in &view[..inputs.count] {
                    add(&slopes, &mut gradient[usize::from(input)]);
                }
            }
        }
    }
}

type Row = [f32; BLOCK];

/// The rows of one block, by input.
#[inline(always)]
fn block_of(inputs: &[f32], block: usize) -> &[Row; INPUTS] {
    let rows = inputs.as_chunks::<BLOCK>().0;
    &rows.as_chunks::<INPUTS>().0[block]
}

#[inline(always)]
fn block_of_mut(inputs: &mut [f32], block: usize) -> &mut [Row; INPUTS] {
    let rows = inputs.as_chunks_mut::<BLOCK>().0;
    &mut rows.as_chunks_mut::<INPUTS>().0[block]
}

#[inline(always)]
fn load(row: &Row) -> [Float8; VECTORS] {
    let parts = row.as_chunks::<8>().0;
    std::array::from_fn(|index| Float8::load(&parts[index]))
}

#[inline(always)]
fn add(terms: &[Float8; VECTORS], row: &mut Row) {
    for (sum, &term) in row.as_chunks_mut::<8>().0.iter_mut().zip(terms) {
        Float8::load(sum).plus(term).store(sum);
    }
}

const _: () = assert!(BUCKETS == 8 && BLOCK.is_multiple_of(8));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::types::Score;

    const TARGET: Target = Target { result_share: 0.4, scale: 300.0 };

    fn samples(count: usize) -> Vec<Sample> {
        let boards = RandomGames::new(2).positions(count).enumerate();
        boards
            .map(|(index, board)| {
                let score = Score((index as i32 * 97) % 900 - 450);
                Sample::new(&board, score, (index % 3) as f32 / 2.0)
            })
            .collect()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples(150);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        let mut model = Model::random(128, 7);
        let mut gradients = Gradients::new(&model);
        gradients.compute(&model, &samples, &batch, TARGET, 1);
        let exact: Vec<f32> = (0..model.parameters.len())
            .map(|index| gradients.parts().iter().map(|part| part[index]).sum())
            .collect();
        // The steepest parameters of each kind: there rounding shows least.
        for range in [model.inputs(), model.bias(), model.outputs(), model.output_bias()] {
            let mut steepest: Vec<usize> = range.collect();
            steepest.sort_by(|&a, &b| exact[b].abs().total_cmp(&exact[a].abs()));
            for &index in steepest.iter().take(8) {
                let mut loss_at = |change: f32| {
                    let before = model.parameters[index];
                    model.parameters[index] += change;
                    let loss = gradients.loss(&model, &samples, &batch, TARGET, 1);
                    model.parameters[index] = before;
                    loss
                };
                let step = 1e-2;
                let slope = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
                let found = f64::from(exact[index]);
                assert!(
                    (slope - found).abs() < 0.05 * slope.abs() + 1e-3,
                    "{index}: {slope} {found}"
                );
            }
        }
    }

    #[test]
    fn threads_make_no_difference() {
        let samples = samples(500);
        let batch: Vec<u32> = (0..samples.len() as u32).rev().collect();
        let model = Model::random(64, 7);
        let run = |threads| {
            let mut gradients = Gradients::new(&model);
            let loss = gradients.compute(&model, &samples, &batch, TARGET, threads);
            (loss, gradients.parts().map(<[f32]>::to_vec))
        };
        assert!(run(1) == run(3));
    }

    #[test]
    fn the_finished_net_says_what_the_model_says() {
        let model = Model::random(128, 3);
        let network = model.quantised(300.0, String::new());
        let mut part = Gradients::new(&model).parts.remove(0);
        for board in RandomGames::new(9).positions(300) {
            Sample::new(&board, Score(0), 0.5).inputs(&mut part.inputs[0]);
            for block in 0..model.blocks() {
                part.forward(&model, block, 1);
            }
            let exact = 300.0 * part.output(&model, 0, bucket(board.occupied().count()));
            let found = network.evaluate(&board) as f32;
            assert!((exact - found).abs() < 8.0, "{exact} {found} {}", board.fen());
        }
    }
}
