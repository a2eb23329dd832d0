//! A training that was interrupted: everything needed to go on as if nothing had
//! happened. Written beside the old one and put in its place when it is whole.

use super::floats::Floats;
use super::model::Model;
use super::optimiser::Optimiser;
use super::training::EpochLoss;
use crate::files;
use std::io::ErrorKind;
use std::path::Path;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"GMBTRN02";

#[derive(Debug, Error)]
pub(crate) enum CheckpointError {
    #[error("the checkpoint: {0}")]
    Io(#[from] std::io::Error),
    #[error("the checkpoint is damaged or of another version")]
    Damaged,
    #[error("the checkpoint belongs to a training with other options or other data")]
    OtherTraining,
}

/// The state between two epochs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Checkpoint {
    /// Tells trainings apart.
    pub(crate) fingerprint: u32,
    pub(crate) model: Model,
    pub(crate) optimiser: Optimiser,
    pub(crate) losses: Vec<EpochLoss>,
}

impl Checkpoint {
    pub(super) fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        bytes.extend_from_slice(&(self.losses.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.optimiser.steps.to_le_bytes());
        for loss in &self.losses {
            bytes.extend_from_slice(&loss.training.to_le_bytes());
            bytes.extend_from_slice(&loss.held_out.to_le_bytes());
        }
        let Optimiser { mean, square, average, .. } = &self.optimiser;
        for numbers in [&self.model.parameters, mean, square, average] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        let unfinished = path.with_extension("unfinished");
        files::write(&unfinished, bytes)?;
        std::fs::rename(&unfinished, path)?;
        Ok(())
    }

    /// The checkpoint of this training, if there is one.
    pub(super) fn read(
        path: &Path,
        fingerprint: u32,
        hidden: usize,
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let bytes = match files::read(path, u64::MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(CheckpointError::Damaged)?;
        let sound = crc32fast::hash(body).to_le_bytes() == *checksum && body.starts_with(&MAGIC);
        if !sound {
            return Err(CheckpointError::Damaged);
        }
        let mut rest = Rest(&body[MAGIC.len()..]);
        if rest.number(u32::from_le_bytes)? != fingerprint {
            return Err(CheckpointError::OtherTraining);
        }
        let epochs = rest.number(u32::from_le_bytes)?;
        let steps = rest.number(u64::from_le_bytes)?;
        let mut losses = Vec::new();
        for epoch in 1..=epochs {
            let training = rest.number(f64::from_le_bytes)?;
            let held_out = rest.number(f64::from_le_bytes)?;
            losses.push(EpochLoss { epoch, training, held_out });
        }
        let size = Model::size(hidden);
        let (parameters, mean) = (rest.floats(size)?, rest.floats(size)?);
        let (square, average) = (rest.floats(size)?, rest.floats(size)?);
        let model = Model::from_parameters(hidden, parameters).ok_or(CheckpointError::Damaged)?;
        let optimiser = Optimiser { mean, square, average, steps };
        Ok(Some(Checkpoint { fingerprint, model, optimiser, losses }))
    }
}

/// Bytes not read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn number<const N: usize, T>(&mut self, read: fn([u8; N]) -> T) -> Result<T, CheckpointError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(read(*bytes))
    }

    fn floats(&mut self, count: usize) -> Result<Floats, CheckpointError> {
        (0..count).map(|_| self.number(f32::from_le_bytes)).collect()
    }
}
