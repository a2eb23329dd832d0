//! The forward and the backward pass: the outputs for samples, their error, and the
//! gradient of every parameter.
//!
//! The work goes block by block through a few samples at a time, so that the rows
//! of the first layer and of its gradient are found in the cache. On the way back it
//! goes by input: what all samples of the group add to a row of the gradient is summed
//! up in registers, and the row is read and written once.

use super::floats::Floats;
use super::lanes::{InstructionSet, Lanes, Plain, WIDTH};
use super::model::{BLOCK, Model};
use super::sample::{ActiveInputs, Sample};
use crate::eval::nnue::{INPUTS, bucket};
use crate::math::sigmoid;
use crate::memory::{LargeVec, prefetch};
use crate::parallel::in_parallel;

/// Samples that go through a block together.
const GROUP: usize = 64;
/// A batch is worked on in this many parts, whatever the number of threads, so that
/// sums do not depend on it.
const PARTS: usize = 4;
/// Vectors to a block.
const VECTORS: usize = BLOCK / WIDTH;
/// Both sides' views of all samples of a group.
const VIEWS: usize = 2 * GROUP;

/// What the network is to learn from a sample.
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

/// The samples that a batch names.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    pub samples: &'a LargeVec<Sample>,
    pub indices: &'a [u32],
    pub target: Target,
}

/// Memory to work in: a gradient for each part of a batch.
#[derive(Debug)]
pub struct Gradients {
    parts: Vec<Part>,
    instructions: InstructionSet,
}

#[derive(Debug)]
struct Part {
    gradient: Floats,
    inputs: Vec<ActiveInputs>,
    buckets: [usize; GROUP],
    /// The hidden layer of the group, clipped, by block and view.
    values: Floats,
    /// How steeply the error rises with one block of the hidden layer, by view.
    slopes: Floats,
    occurrences: Occurrences,
    loss: f64,
}

/// Where each input is on: the views of a group, sorted by input.
#[derive(Debug)]
struct Occurrences {
    views: Vec<u16>,
    /// Where the views of an input begin; those of the next begin where they end.
    starts: [u16; INPUTS + 2],
}

impl Occurrences {
    fn sort(&mut self, inputs: &[ActiveInputs]) {
        let views =
            || inputs.iter().flat_map(|it| it.views.each_ref().map(|view| &view[..it.count]));
        // Counted two places on, summed up to where each begins one place on, and moved
        // there to where each ends.
        self.starts.fill(0);
        for &input in views().flatten() {
            self.starts[usize::from(input) + 2] += 1;
        }
        for index in 1..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        for (view, inputs) in views().enumerate() {
            for &input in inputs {
                let place = &mut self.starts[usize::from(input) + 1];
                self.views[usize::from(*place)] = view as u16;
                *place += 1;
            }
        }
    }

    #[inline(always)]
    fn of(&self, input: usize) -> &[u16] {
        &self.views[usize::from(self.starts[input])..usize::from(self.starts[input + 1])]
    }
}

impl Gradients {
    /// Works with the fastest instructions of this CPU.
    pub(crate) fn new(model: &Model) -> Gradients {
        Gradients::with_instructions(model, InstructionSet::fastest())
    }

    /// `instructions` must be [available](InstructionSet::available).
    pub fn with_instructions(model: &Model, instructions: InstructionSet) -> Gradients {
        assert!(InstructionSet::available().contains(&instructions));
        let part = || Part {
            gradient: Floats::zeros(model.parameters.len()),
            inputs: vec![ActiveInputs::default(); GROUP],
            buckets: [0; GROUP],
            values: Floats::zeros(VIEWS * model.hidden()),
            slopes: Floats::zeros(VIEWS * BLOCK),
            occurrences: Occurrences { views: vec![0; VIEWS * 32], starts: [0; INPUTS + 2] },
            loss: 0.0,
        };
        Gradients { parts: (0..PARTS).map(|_| part()).collect(), instructions }
    }

    /// Computes the gradient of the sum of squared errors over a batch. Returns that
    /// sum.
    pub fn compute(&mut self, model: &Model, batch: Batch<'_>, threads: usize) -> f64 {
        let instructions = self.instructions;
        self.run(batch, threads, |part, batch| {
            part.gradient.fill(0.0);
            part.pass::<true>(instructions, model, batch);
        })
    }

    /// The sum of squared errors alone.
    pub(crate) fn loss(&mut self, model: &Model, batch: Batch<'_>, threads: usize) -> f64 {
        let instructions = self.instructions;
        self.run(batch, threads, |part, batch| part.pass::<false>(instructions, model, batch))
    }

    fn run(
        &mut self,
        batch: Batch<'_>,
        threads: usize,
        work: impl Fn(&mut Part, Batch<'_>) + Sync,
    ) -> f64 {
        let size = batch.indices.len().div_ceil(PARTS).max(1);
        let mut shares = batch.indices.chunks(size);
        let parts = self.parts.iter_mut().map(|part| {
            let indices = shares.next().unwrap_or_default();
            (part, Batch { indices, ..batch })
        });
        in_parallel(threads, parts, |(part, batch)| {
            part.loss = 0.0;
            work(part, batch);
        });
        self.parts.iter().map(|part| part.loss).sum()
    }

    /// The gradients of the parts; their sum, in this order, is that of the batch.
    pub(crate) fn parts(&self) -> [&[f32]; PARTS] {
        std::array::from_fn(|index| &self.parts[index].gradient[..])
    }
}

impl Part {
    fn pass<const BACK: bool>(
        &mut self,
        instructions: InstructionSet,
        model: &Model,
        batch: Batch<'_>,
    ) {
        match instructions {
            InstructionSet::Plain => self.pass_with::<Plain, BACK>(model, batch),
            // SAFETY: `Gradients` takes only instructions that the CPU has.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { pass_avx2::<BACK>(self, model, batch) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { pass_avx512::<BACK>(self, model, batch) },
        }
    }

    /// Inlined, and everything it calls, into functions that are compiled for the
    /// instructions of `V`.
    #[inline(always)]
    fn pass_with<V: Lanes, const BACK: bool>(&mut self, model: &Model, batch: Batch<'_>) {
        let Batch { samples, indices, target } = batch;
        for (number, group) in indices.chunks(GROUP).enumerate() {
            for &index in indices.iter().skip((number + 1) * GROUP).take(GROUP) {
                prefetch(&samples[index as usize]);
            }
            for (place, &index) in group.iter().enumerate() {
                let sample = &samples[index as usize];
                sample.inputs(&mut self.inputs[place]);
                self.buckets[place] = bucket(sample.piece_count());
            }
            for block in 0..model.blocks() {
                self.forward::<V>(model, block, group.len());
            }
            let mut slopes = [0.0; GROUP];
            for (place, &index) in group.iter().enumerate() {
                let expected = sigmoid(self.output::<V>(model, place));
                let error = expected - target.of(&samples[index as usize]);
                self.loss += f64::from(error * error);
                slopes[place] = 2.0 * error * expected * (1.0 - expected);
            }
            if BACK {
                self.occurrences.sort(&self.inputs[..group.len()]);
                for (place, &slope) in slopes[..group.len()].iter().enumerate() {
                    self.output_gradient::<V>(model, place, slope);
                }
                for block in 0..model.blocks() {
                    self.backward::<V>(model, block, &slopes[..group.len()]);
                }
            }
        }
    }

    /// One block of the hidden layer, clipped, for the whole group.
    #[inline(always)]
    fn forward<V: Lanes>(&mut self, model: &Model, block: usize, group: usize) {
        let weights = block_of(&model.parameters[model.inputs()], block);
        let bias = load::<V>(&model.parameters[model.bias()].as_chunks::<BLOCK>().0[block]);
        let values = &mut views_mut(&mut self.values)[block * VIEWS..];
        for (inputs, values) in self.inputs[..group].iter().zip(values.as_chunks_mut::<2>().0) {
            // Both views at once: more sums that do not wait for each other.
            let mut sums = [bias; 2];
            let [us, them] = inputs.views.each_ref().map(|view| &view[..inputs.count]);
            for (&us, &them) in us.iter().zip(them) {
                plus(&mut sums[0], load(&weights[usize::from(us)]));
                plus(&mut sums[1], load(&weights[usize::from(them)]));
            }
            for (to, sums) in values.iter_mut().zip(sums) {
                store(to, sums.map(V::clipped));
            }
        }
    }

    #[inline(always)]
    fn output<V: Lanes>(&self, model: &Model, place: usize) -> f32 {
        let (values, weights) = (views(&self.values), outputs(model, self.buckets[place]));
        let mut sums = [V::splat(0.0); VECTORS];
        for block in 0..model.blocks() {
            for side in 0..2 {
                let value = load::<V>(&values[block * VIEWS + 2 * place + side]);
                let weight = load::<V>(&weights[side * model.blocks() + block]);
                for index in 0..VECTORS {
                    let square = value[index].times(value[index]);
                    sums[index] = square.times_plus(weight[index], sums[index]);
                }
            }
        }
        let [a, b, c, d] = sums;
        let bias = model.parameters[model.output_bias()][self.buckets[place]];
        a.plus(c).plus(b.plus(d)).sum() + bias
    }

    #[inline(always)]
    fn output_gradient<V: Lanes>(&mut self, model: &Model, place: usize, slope: f32) {
        let (blocks, bucket) = (model.blocks(), self.buckets[place]);
        let values = views(&self.values);
        let gradient = self.gradient[model.outputs()].as_chunks_mut::<BLOCK>().0;
        for block in 0..blocks {
            for side in 0..2 {
                let value = load::<V>(&values[block * VIEWS + 2 * place + side]);
                let row = &mut gradient[(2 * bucket + side) * blocks + block];
                let mut sums = load::<V>(row);
                for index in 0..VECTORS {
                    let square = value[index].times(value[index]);
                    sums[index] = square.times_plus(V::splat(slope), sums[index]);
                }
                store(row, sums);
            }
        }
        self.gradient[model.output_bias().start + bucket] += slope;
    }

    /// The gradient of one block of the first layer.
    #[inline(always)]
    fn backward<V: Lanes>(&mut self, model: &Model, block: usize, errors: &[f32]) {
        let values = &views(&self.values)[block * VIEWS..];
        let slopes = views_mut(&mut self.slopes);
        let (inputs_gradient, rest) = self.gradient.split_at_mut(model.inputs().end);
        let bias_gradient = &mut rest.as_chunks_mut::<BLOCK>().0[block];
        let mut bias = load::<V>(bias_gradient);
        for (place, &error) in errors.iter().enumerate() {
            let weights = outputs(model, self.buckets[place]);
            let error = V::splat(2.0 * error);
            for side in 0..2 {
                let value = load::<V>(&values[2 * place + side]);
                let weight = load::<V>(&weights[side * model.blocks() + block]);
                let mut steep = [error; VECTORS];
                for index in 0..VECTORS {
                    let product = error.times(value[index]).times(weight[index]);
                    steep[index] = product.where_inside(value[index]);
                }
                plus(&mut bias, steep);
                store(&mut slopes[2 * place + side], steep);
            }
        }
        store(bias_gradient, bias);
        for (input, row) in block_of_mut(inputs_gradient, block).iter_mut().enumerate() {
            let views = self.occurrences.of(input);
            if !views.is_empty() {
                let mut sums = load::<V>(row);
                for &view in views {
                    plus(&mut sums, load(&slopes[usize::from(view) % VIEWS]));
                }
                store(row, sums);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn pass_avx2<const BACK: bool>(part: &mut Part, model: &Model, batch: Batch<'_>) {
    part.pass_with::<super::lanes::x86::Avx2, BACK>(model, batch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,fma")]
fn pass_avx512<const BACK: bool>(part: &mut Part, model: &Model, batch: Batch<'_>) {
    part.pass_with::<super::lanes::x86::Avx512, BACK>(model, batch);
}

type BlockRow = [f32; BLOCK];

/// The rows of one block, by input.
#[inline(always)]
fn block_of(inputs: &[f32], block: usize) -> &[BlockRow; INPUTS] {
    let rows = inputs.as_chunks::<BLOCK>().0;
    &rows.as_chunks::<INPUTS>().0[block]
}

#[inline(always)]
fn block_of_mut(inputs: &mut [f32], block: usize) -> &mut [BlockRow; INPUTS] {
    let rows = inputs.as_chunks_mut::<BLOCK>().0;
    &mut rows.as_chunks_mut::<INPUTS>().0[block]
}

/// The weights of an output, by side and block.
#[inline(always)]
fn outputs(model: &Model, bucket: usize) -> &[BlockRow] {
    let rows = model.parameters[model.outputs()].as_chunks::<BLOCK>().0;
    &rows[2 * bucket * model.blocks()..2 * (bucket + 1) * model.blocks()]
}

#[inline(always)]
fn views(floats: &Floats) -> &[BlockRow] {
    floats.as_chunks::<BLOCK>().0
}

#[inline(always)]
fn views_mut(floats: &mut Floats) -> &mut [BlockRow] {
    floats.as_chunks_mut::<BLOCK>().0
}

#[inline(always)]
fn load<V: Lanes>(row: &BlockRow) -> [V; VECTORS] {
    let [a, b, c, d] = row.as_chunks::<WIDTH>().0 else {
        unreachable!("a row has four vectors");
    };
    [V::load(a), V::load(b), V::load(c), V::load(d)]
}

#[inline(always)]
fn store<V: Lanes>(row: &mut BlockRow, values: [V; VECTORS]) {
    for (to, value) in row.as_chunks_mut::<WIDTH>().0.iter_mut().zip(values) {
        value.store(to);
    }
}

#[inline(always)]
fn plus<V: Lanes>(sums: &mut [V; VECTORS], terms: [V; VECTORS]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum = sum.plus(term);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::types::Score;

    const TARGET: Target = Target { result_share: 0.4, scale: 300.0 };

    fn samples(count: usize) -> LargeVec<Sample> {
        let mut samples = LargeVec::default();
        for (index, board) in RandomGames::new(2).positions(count).enumerate() {
            let score = Score((index as i32 * 97) % 900 - 450);
            let sample = Sample::new(&board, score, (index % 3) as f32 / 2.0);
            samples.push(sample).expect("memory");
        }
        samples
    }

    fn batch<'a>(samples: &'a LargeVec<Sample>, indices: &'a [u32]) -> Batch<'a> {
        Batch { samples, indices, target: TARGET }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples(150);
        let indices: Vec<u32> = (0..samples.len() as u32).collect();
        let batch = batch(&samples, &indices);
        let mut model = Model::random(128, 7);
        let mut gradients = Gradients::new(&model);
        gradients.compute(&model, batch, 1);
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
                    let loss = gradients.loss(&model, batch, 1);
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
    fn neither_threads_nor_instructions_make_a_difference() {
        let samples = samples(if cfg!(miri) { 20 } else { 1_000 });
        let indices: Vec<u32> = (0..samples.len() as u32).rev().collect();
        let batch = batch(&samples, &indices);
        let model = Model::random(128, 7);
        let run = |instructions, threads| {
            let mut gradients = Gradients::with_instructions(&model, instructions);
            let loss = gradients.compute(&model, batch, threads);
            assert_eq!(gradients.loss(&model, batch, 1), loss);
            (loss, gradients.parts().map(<[f32]>::to_vec))
        };
        let plain = run(InstructionSet::Plain, 1);
        for instructions in InstructionSet::available() {
            assert!(run(instructions, 3) == plain, "{instructions:?}");
        }
    }

    #[test]
    fn the_finished_net_says_what_the_model_says() {
        let model = Model::random(128, 3);
        let network = model.quantised(300.0, String::new());
        let mut part = Gradients::new(&model).parts.remove(0);
        for board in RandomGames::new(9).positions(300) {
            Sample::new(&board, Score(0), 0.5).inputs(&mut part.inputs[0]);
            for block in 0..model.blocks() {
                part.forward::<Plain>(&model, block, 1);
            }
            part.buckets[0] = bucket(board.occupied().count());
            let exact = 300.0 * part.output::<Plain>(&model, 0);
            let found = network.evaluate(&board) as f32;
            assert!((exact - found).abs() < 8.0, "{exact} {found} {}", board.fen());
        }
    }
}
