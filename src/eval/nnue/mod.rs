//! The network: 768 inputs for each side (a piece on a square, seen from its own
//! half of the board), one hidden layer shared by both, and an output for each of
//! eight stages of the game. Numbers are 16-bit integers throughout.
//!
//! `network` holds the weights and computes from nothing, `accumulator` follows a
//! line of play, `simd` has the inner loops, `file` reads and writes networks.

mod accumulator;
mod explain;
mod file;
mod network;
pub mod simd;

pub(crate) use accumulator::AccumulatorLine;
pub(crate) use explain::explain;
pub use file::NetError;
#[cfg(test)]
pub(crate) use network::tests::random_network;
pub use network::{BUCKETS, INPUTS, Network};
pub(crate) use network::{OUTPUT_UNIT, QUANTUM, WEIGHT_UNIT, bucket};
pub(crate) use simd::chosen as instruction_set;

use std::sync::{Arc, OnceLock};

include!(concat!(env!("OUT_DIR"), "/net.rs"));

/// The network this program was built with, if it was built with one.
pub(crate) fn embedded() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let load = || {
        let network = Network::from_bytes(EMBEDDED?);
        network.inspect_err(|error| log::error!("the built-in network: {error}")).ok().map(Arc::new)
    };
    NETWORK.get_or_init(load).clone()
}
