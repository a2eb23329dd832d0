//! The network in floating point: all parameters in one row, the first layer in
//! blocks of 64 neurons so that a block fits into the cache.

use super::floats::Floats;
use crate::eval::nnue::{BUCKETS, INPUTS, Network, OUTPUT_UNIT, QUANTUM, WEIGHT_UNIT};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::Range;

/// Neurons to a block.
pub(super) const BLOCK: usize = 64;
/// Larger weights do not fit into the integers of the finished network.
pub(super) const LARGEST_WEIGHT: f32 = 1.96;

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    hidden: usize,
    /// ActiveInputs by block, input and neuron; biases; outputs by bucket, side and neuron;
    /// output biases.
    pub(crate) parameters: Floats,
}

impl Model {
    /// A network that knows nothing yet. `hidden` is a multiple of 64.
    pub fn random(hidden: usize, seed: u64) -> Model {
        assert!(hidden > 0 && hidden.is_multiple_of(BLOCK));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut model = Model { hidden, parameters: Floats::zeros(Model::size(hidden)) };
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

    /// A network to train further, `hidden` neurons wide. Neurons that `network` does not
    /// have begin with random inputs and without any say in the output. `scale` is the
    /// score that 1.0 of the output is to stand for. None if the network is wider.
    pub(crate) fn from_network(
        network: &Network,
        hidden: usize,
        scale: f32,
        seed: u64,
    ) -> Option<Model> {
        let (mut model, old) = (Model::random(hidden, seed), network.hidden());
        if old > hidden {
            return None;
        }
        let quantum = f32::from(QUANTUM);
        let (bias, outputs) = (model.bias().start, model.outputs());
        let parameters = &mut model.parameters;
        for (input, row) in (0..INPUTS).map(|input| (input, network.input_weights(input))) {
            for (neuron, weight) in row.enumerate() {
                let place = ((neuron / BLOCK) * INPUTS + input) * BLOCK + neuron % BLOCK;
                parameters[place] = f32::from(weight) / quantum;
            }
        }
        for (neuron, weight) in network.bias_weights().enumerate() {
            parameters[bias + neuron] = f32::from(weight) / quantum;
        }
        let unit = network.scale() as f32 / scale;
        parameters[outputs.clone()].fill(0.0);
        for (index, weight) in network.output_weights().enumerate() {
            let place = outputs.start + index / old * hidden + index % old;
            let weight = unit * f32::from(weight) / f32::from(WEIGHT_UNIT);
            parameters[place] = weight.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
        }
        let range = model.output_bias();
        for (to, from) in model.parameters[range].iter_mut().zip(network.output_bias()) {
            *to = unit * from as f32 / OUTPUT_UNIT as f32;
        }
        Some(model)
    }

    pub(crate) fn from_parameters(hidden: usize, parameters: Floats) -> Option<Model> {
        (parameters.len() == Model::size(hidden)).then_some(Model { hidden, parameters })
    }

    /// A model of the same shape.
    pub(crate) fn with_parameters(&self, parameters: Floats) -> Model {
        assert_eq!(parameters.len(), self.parameters.len());
        Model { hidden: self.hidden, parameters }
    }

    /// How many parameters such a network has.
    pub(crate) fn size(hidden: usize) -> usize {
        (INPUTS + 1 + 2 * BUCKETS) * hidden + BUCKETS
    }

    pub(crate) fn hidden(&self) -> usize {
        self.hidden
    }

    pub(crate) fn blocks(&self) -> usize {
        self.hidden / BLOCK
    }

    pub(crate) fn inputs(&self) -> Range<usize> {
        0..INPUTS * self.hidden
    }

    pub(crate) fn bias(&self) -> Range<usize> {
        let start = INPUTS * self.hidden;
        start..start + self.hidden
    }

    pub(crate) fn outputs(&self) -> Range<usize> {
        let start = self.bias().end;
        start..start + 2 * BUCKETS * self.hidden
    }

    pub(crate) fn output_bias(&self) -> Range<usize> {
        let start = self.outputs().end;
        start..start + BUCKETS
    }

    /// Everything but the biases of the outputs has to fit into 16 bits.
    pub(crate) fn clipped(&self) -> Range<usize> {
        0..self.outputs().end
    }

    /// The network as the engine uses it; `scale` is the score that 1.0 of the output
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;

    #[test]
    fn a_wider_model_says_what_the_network_says() {
        let network = Model::random(64, 5).quantised(300.0, String::new());
        assert!(Model::from_network(&network, 64, 300.0, 1).is_some());
        assert!(
            Model::from_network(
                &Model::random(128, 5).quantised(300.0, String::new()),
                64,
                300.0,
                1
            )
            .is_none()
        );
        let same = Model::from_network(&network, 64, 300.0, 1)
            .map(|model| model.quantised(300.0, String::new()));
        assert_eq!(same, Some(network.clone()));
        let wider = Model::from_network(&network, 192, 200.0, 1).expect("a wider model");
        let wider = wider.quantised(200.0, String::new());
        for board in RandomGames::new(8).positions(300) {
            let (old, new) = (network.evaluate(&board), wider.evaluate(&board));
            assert!((old - new).abs() <= 6, "{old} {new} {}", board.fen());
        }
    }
}
