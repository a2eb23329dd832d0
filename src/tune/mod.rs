//! Fits the weights of the hand-crafted evaluation to our own games.
//!
//! The evaluation of a quiet position, squashed into an expected result, is to come
//! close to a mixture of how the game ended and of what the search thought. The
//! features come from the evaluation itself ([`crate::eval::trace`]), so the two
//! cannot disagree. `fit` is the gradient descent, `source` writes the result as
//! the Rust file the evaluation is built from. `chances` fits the model of winning
//! chances. `spsa`, in a build with the `tune` feature, tunes the search by playing.

mod chances;
mod fit;
mod source;
#[cfg(feature = "tune")]
pub(crate) mod spsa;

pub(crate) use chances::{Tally, unit_change};
pub(crate) use fit::{Dataset, FitOptions, fit};
pub(crate) use source::source;
