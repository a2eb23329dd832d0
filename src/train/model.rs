//! The network in floating point: all parameters in one row, the first layer in
//! blocks of 64 neurons so that a block fits into the cache.

use crate::eval::nnue::{BUCKETS, INPUTS, Network, OUTPUT_UNIT, QUANTUM, WEIGHT_UNIT};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::Range;

/// Neurons to a block.
pub const BLOCK: usize = 64;
/// Larger weights do not fit into the integers of the finished net.
pub const LARGEST_WEIGHT: f32 = 1.96;

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    hidden: usize,
    /// Inputs by block, input and neuron; biases; outputs by bucket, side and neuron;
    /// output biases.
    pub parameters: Vec<f32>,
}

impl Model {
    /// A net that knows nothing yet. `hidden` is a multiple of 64.
    pub fn random(hidden: usize, seed: u64) -> Model {
        assert!(hidden > 0 && hidden.is_multiple_of(BLOCK));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut model = Model { hidden, parameters: vec![0.0; Model::size(hidden)] };
        // Some two dozen inputs are on at once; each output sums up all neurons.
        let ranges = [
            (model.inputs(), 0.1),
            (model.bias(), 0.1),
            (model.outputs(), 1.0 / (hidden as f32).sqrt()),
        ];
        for (range, limit) in ranges {
            for parameter in &mut model.parameters[range] {
                let unit = (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
                *parameter = (2.0 * unit - 1.0) * limit;
            }
        }
        model
    }

    pub fn from_parameters(hidden: usize, parameters: Vec<f32>) -> Option<Model> {
        (parameters.len() == Model::size(hidden)).then_some(Model { hidden, parameters })
    }

    /// How many parameters such a net has.
    pub fn size(hidden: usize) -> usize {
        (INPUTS + 1 + 2 * BUCKETS) * hidden + BUCKETS
    }

    pub fn hidden(&self) -> usize {
        self.hidden
    }

    pub fn blocks(&self) -> usize {
        self.hidden / BLOCK
    }

    pub fn inputs(&self) -> Range<usize> {
        0..INPUTS * self.hidden
    }

    pub fn bias(&self) -> Range<usize> {
        let start = INPUTS * self.hidden;
        start..start + self.hidden
    }

    pub fn outputs(&self) -> Range<usize> {
        let start = self.bias().end;
        start..start + 2 * BUCKETS * self.hidden
    }

    pub fn output_bias(&self) -> Range<usize> {
        let start = self.outputs().end;
        start..start + BUCKETS
    }

    /// Everything but the biases of the outputs has to fit into 16 bits.
    pub fn clipped(&self) -> Range<usize> {
        0..self.outputs().end
    }

    /// The net as the engine uses it; `scale` is the score that 1.0 of the output
    /// stands for.
    pub fn quantised(&self, scale: f32, record: String) -> Network {
        let round = |value: f32, unit: i32| (value * unit as f32).round() as i16;
        let inputs = &self.parameters[self.inputs()];
        let mut weights = Vec::with_capacity(inputs.len());
        for input in 0..INPUTS {
            for block in 0..self.blocks() {
                let start = (block * INPUTS + input) * BLOCK;
                let row = &inputs[start..start + BLOCK];
                weights.extend(row.iter().map(|&value| round(value, i32::from(QUANTUM))));
            }
        }
        let integers = |range: Range<usize>, unit: i16| -> Vec<i16> {
            self.parameters[range].iter().map(|&value| round(value, i32::from(unit))).collect()
        };
        let mut output_bias = [0; BUCKETS];
        for (to, &from) in output_bias.iter_mut().zip(&self.parameters[self.output_bias()]) {
            *to = (from * OUTPUT_UNIT as f32).round() as i32;
        }
        Network::new(
            &weights,
            &integers(self.bias(), QUANTUM),
            &integers(self.outputs(), WEIGHT_UNIT),
            output_bias,
            scale.round().max(1.0) as i32,
            record,
        )
    }
}
