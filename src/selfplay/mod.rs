//! Games of the engine against itself: playing them, keeping them, and looking at
//! what was kept. Tuning and training learn from nothing else.
//!
//! `play` makes one game from a seed and a number, [`generate`] runs many on
//! several threads, `record` and `file` are the format on disk, `pack` a smaller one
//! for keeping games, `usable` says which positions are worth learning from, and
//! `survey` counts what is there.

pub(crate) mod duel;
pub mod export;
mod file;
mod generate;
pub mod import;
mod job;
pub mod journal;
pub mod pack;
mod play;
mod position;
mod record;
pub mod sources;
pub mod survey;
pub mod usable;
pub mod verify;

pub use file::{DataError, GameBatch, GameReader, GameWriter, Origin};
pub use generate::{Goal, Progress, generate, generate_from};
pub use job::{Job, JobError};
pub use play::{PlayedGame, SeriesPlayer, Settings};
pub use position::PackedPosition;
pub use record::{GameRecord, ScoredMove};
pub use record::{NO_SCORE, RecordError};
