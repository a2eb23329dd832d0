//! Trains the network on our own games, on the CPU.
//!
//! `sample` is what is learned from, `samples` all of them on disk, `model` the network in floating point,
//! `gradient` the pass forward and back, `optimiser` the steps, `training` a whole
//! training with its checkpoints. The same samples,
//! options and seed give the same network, byte for byte, however many threads work and
//! however often they are interrupted.

mod checkpoint;
mod floats;
mod gradient;
mod lanes;
mod model;
mod optimiser;
mod reference;
mod sample;
mod samples;
mod training;

pub(crate) use checkpoint::CheckpointError;
pub use gradient::{Batch, Gradients, Target};
pub use lanes::InstructionSet;
pub use model::Model;
pub(crate) use reference::{Measure, ReferenceError, ReferenceSet};
pub use sample::Sample;
pub use samples::Samples;
pub(crate) use training::{TooWide, Training, TrainingOptions};
