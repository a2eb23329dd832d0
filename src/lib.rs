//! Gambeson, a chess engine that speaks UCI and xboard, and a board to play it on.
//!
//! Dependencies point one way: `types` know nothing, `board` knows the rules,
//! `game` one notion of a game, `perft`, `tt`, `eval`, `book` and `tablebase` build on it, `search` on them,
//! `engine` runs searches and games, `protocol` puts it into words, `web` onto a board
//! in the browser, and `cli` sits on top. `selfplay` lets the search play against
//! itself and keeps the games; `tune` fits the hand-crafted evaluation to them and
//! `train` the network.

#![warn(missing_debug_implementations, unreachable_pub, unused_qualifications)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
pub mod cpu;
mod engine;
pub mod eval;
mod files;
pub mod game;
mod math;
pub mod memory;
mod parallel;
pub mod perft;
mod plot;
pub mod protocol;
mod search;
pub mod selfplay;
mod signal;
pub mod tablebase;
mod text;
mod time;
pub mod train;
mod tt;
mod tune;
pub mod types;
#[cfg(feature = "play")]
pub mod web;
