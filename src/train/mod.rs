//! Trains the network on our own games, on the CPU.
//!
//! `sample` is what is learned from, `model` the network in floating point,
//! `gradient` the pass forward and back, `optimiser` the steps, `session` a whole
//! training with its checkpoints, `plot` the picture of it. The same samples,
//! options and seed give the same net, byte for byte, however many threads work and
//! however often they are interrupted.

mod checkpoint;
mod float8;
mod gradient;
mod model;
mod optimiser;
mod plot;
mod sample;
mod session;

pub use checkpoint::CheckpointError;
pub use gradient::{Gradients, Target};
pub use model::Model;
pub use plot::{PlotError, plot};
pub use sample::{Sample, Samples};
pub use session::{EpochLoss, Options, Session};
