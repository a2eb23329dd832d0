//! A training from the first epoch to the finished network.

use super::checkpoint::{Checkpoint, CheckpointError};
use super::gradient::{Batch, Gradients, Target};
use super::model::Model;
use super::optimiser::{Optimiser, Step};
use super::samples::{SamplePool, Samples};
use crate::eval::nnue::Network;
use crate::math::cosine_decay;
use crate::plot::{Plot, PlotError};
use crate::selfplay::DataError;
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TrainingOptions {
    /// Neurons, a multiple of 64.
    pub(crate) hidden: usize,
    pub(crate) epochs: u32,
    pub(crate) batch: usize,
    /// The size of steps in the beginning and in the end; a cosine between.
    pub(crate) rate: f32,
    pub(crate) final_rate: f32,
    pub(crate) weight_decay: f32,
    /// The number of steps over which the size grows from nothing.
    pub(crate) warm_up: u32,
    /// How much of the target is the result of the game, in the first epoch and in
    /// the last; the rest is the score.
    pub(crate) result_share: f32,
    pub(crate) final_result_share: f32,
    pub(crate) seed: u64,
}

impl Default for TrainingOptions {
    fn default() -> TrainingOptions {
        TrainingOptions {
            hidden: 128,
            epochs: 30,
            batch: 8_192,
            rate: 1.5e-3,
            final_rate: 1e-5,
            weight_decay: 0.01,
            warm_up: 0,
            result_share: 0.1,
            final_result_share: 0.1,
            seed: 1,
        }
    }
}

impl TrainingOptions {
    /// The size of the step after `done` steps, with `batches` to an epoch.
    fn rate_after(&self, done: u64, batches: usize) -> f32 {
        let &TrainingOptions { rate, final_rate, epochs, warm_up, .. } = self;
        let steps = (batches as u64 * u64::from(epochs)).max(1);
        let decay = cosine_decay(done as f64 / steps as f64) as f32;
        let warm = (done + 1).min(u64::from(warm_up.max(1))) as f32 / warm_up.max(1) as f32;
        warm * (final_rate + (rate - final_rate) * decay)
    }
}

/// Mean squared errors of an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct EpochLoss {
    pub(crate) epoch: u32,
    /// While the network was changing.
    pub(crate) training: f64,
    /// After the epoch, on games it does not learn from.
    pub(crate) held_out: f64,
}

/// Training can widen a network, not narrow it.
#[derive(Debug, Error)]
#[error("the network to start from has {found} neurons, more than the {hidden} asked for")]
pub(crate) struct TooWide {
    found: usize,
    hidden: usize,
}

#[derive(Debug)]
pub(crate) struct Training {
    samples: Samples,
    options: TrainingOptions,
    threads: usize,
    /// The score that 1.0 of the output stands for.
    scale: f32,
    fingerprint: u32,
    /// The checksum of the network it began with, if any.
    started_from: Option<u32>,
    model: Model,
    optimiser: Optimiser,
    losses: Vec<EpochLoss>,
    gradients: Gradients,
}

impl Training {
    /// A training from random weights or from a network, which must not have more
    /// neurons than asked for.
    pub(crate) fn new(
        samples: Samples,
        options: TrainingOptions,
        from: Option<&Network>,
        threads: usize,
    ) -> Result<Training, TooWide> {
        let scale = samples.scale();
        let TrainingOptions { hidden, seed, .. } = options;
        let model = match from {
            None => Model::random(hidden, seed),
            Some(network) => Model::from_network(network, hidden, scale, seed)
                .ok_or(TooWide { found: network.hidden(), hidden })?,
        };
        Ok(Training {
            scale,
            fingerprint: fingerprint(&samples, &options, &model),
            started_from: from.map(Network::checksum),
            optimiser: Optimiser::new(&model),
            gradients: Gradients::new(&model),
            losses: Vec::new(),
            model,
            samples,
            options,
            threads,
        })
    }

    /// Goes on from a checkpoint of the same training, if there is one.
    pub(crate) fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let found = Checkpoint::read(path, self.fingerprint, self.options.hidden)?;
        if let Some(Checkpoint { model, optimiser, losses, .. }) = found {
            self.model = model;
            self.optimiser = optimiser;
            self.losses = losses;
        }
        Ok(())
    }

    pub(crate) fn write_checkpoint(&self, path: &Path) -> Result<(), CheckpointError> {
        let checkpoint = Checkpoint {
            fingerprint: self.fingerprint,
            model: self.model.clone(),
            optimiser: self.optimiser.clone(),
            losses: self.losses.clone(),
        };
        checkpoint.write(path)
    }

    /// Those of the epochs done.
    pub(crate) fn losses(&self) -> &[EpochLoss] {
        &self.losses
    }

    /// Draws the losses by epoch into an SVG file.
    pub(crate) fn plot(&self, path: &Path) -> Result<(), PlotError> {
        let curve = |pick: fn(&EpochLoss) -> f64| {
            self.losses.iter().map(|loss| (f64::from(loss.epoch), pick(loss))).collect()
        };
        let plot = Plot {
            title: "Mean squared error by epoch",
            x_label: "epoch",
            curves: [
                ("training".to_owned(), curve(|loss| loss.training)),
                ("held out".to_owned(), curve(|loss| loss.held_out)),
            ],
            decimals: 5,
            room: 1e-9,
        };
        plot.write(path)
    }

    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) fn batches(&self) -> usize {
        (self.samples.training() as usize).div_ceil(self.options.batch)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.losses.len() >= self.options.epochs as usize
    }

    /// One epoch; calls `report` after each batch.
    pub(crate) fn run_epoch(&mut self, mut report: impl FnMut()) -> Result<EpochLoss, DataError> {
        let epoch = self.losses.len() as u32 + 1;
        let target = self.target(epoch);
        let (batches, batch) = (self.batches(), self.options.batch);
        let mut loss = 0.0;
        let mut pools = self.samples.epoch(self.options.seed ^ u64::from(epoch) << 32);
        let mut left = 0;
        loop {
            let SamplePool { samples, order, is_last } = pools.next_pool(left)?;
            left = if is_last { 0 } else { order.len() % batch };
            for indices in order[..order.len() - left].chunks(batch) {
                let batch = Batch { samples, indices, target };
                loss += self.gradients.compute(&self.model, batch, self.threads);
                let step = Step {
                    rate: self.options.rate_after(self.optimiser.steps, batches),
                    weight_decay: self.options.weight_decay,
                    samples: indices.len(),
                };
                self.optimiser.step(&mut self.model, self.gradients.parts(), step, self.threads);
                report();
            }
            if is_last {
                break;
            }
        }
        let training = loss / self.samples.training().max(1) as f64;
        let held_out: Vec<u32> = (0..self.samples.held_out.len() as u32).collect();
        let (model, samples) = (self.averaged(), &self.samples.held_out);
        let batch = Batch { samples, indices: &held_out, target };
        let error = self.gradients.loss(&model, batch, self.threads);
        let loss = EpochLoss { epoch, training, held_out: error / held_out.len().max(1) as f64 };
        self.losses.push(loss);
        Ok(loss)
    }

    /// The average of the model over the last steps.
    fn averaged(&self) -> Model {
        self.model.with_parameters(self.optimiser.average.clone())
    }

    fn target(&self, epoch: u32) -> Target {
        let TrainingOptions { result_share: first, final_result_share: last, epochs, .. } =
            self.options;
        let done = (epoch - 1) as f32 / (epochs.max(2) - 1) as f32;
        Target { result_share: first + (last - first) * done, scale: self.scale }
    }

    /// The network as the engine uses it, with a record of how it came to be.
    pub(crate) fn finish(&self) -> Network {
        let options = &self.options;
        let mut record = format!(
            "{} positions, {} held out, {} epochs of {} samples a batch, rate {} to {}, decay {}, \
             result share {} to {}, scale {:.1}, seed {}",
            self.samples.training(),
            self.samples.held_out.len(),
            self.losses.len(),
            options.batch,
            options.rate,
            options.final_rate,
            options.weight_decay,
            options.result_share,
            options.final_result_share,
            self.scale,
            options.seed,
        );
        if let Some(loss) = self.losses.last() {
            record += &format!(", loss {:.6}, held out {:.6}", loss.training, loss.held_out);
        }
        if let Some(checksum) = self.started_from {
            record += &format!(", started from {checksum:08x}");
        }
        self.averaged().quantised(self.scale, record)
    }
}

/// Tells trainings apart: by their options, their samples and the model they begin with.
fn fingerprint(samples: &Samples, options: &TrainingOptions, model: &Model) -> u32 {
    let (training, held_out) = (samples.training(), samples.held_out.len());
    let text = format!("{options:?} {training} {held_out} {:08x}", samples.digest());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(text.as_bytes());
    model.parameters.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::eval::evaluate;
    use crate::train::{InstructionSet, Sample};
    use crate::types::Score;

    fn samples(count: usize) -> Samples {
        // So few samples stay in memory.
        let mut samples = Samples::new(Path::new("no such folder/spool"));
        for board in RandomGames::new(12).positions(count) {
            let score = evaluate(&board);
            let points = if score.0 > 60 { 1.0 } else { f32::from(u8::from(score.0 > -60)) / 2.0 };
            let held_out = samples.training() >= count as u64 * 9 / 10;
            samples.add(Sample::new(&board, score, points), held_out).expect("memory");
        }
        samples
    }

    fn training(count: usize, options: TrainingOptions, threads: usize) -> Training {
        Training::new(samples(count), options, None, threads).expect("a training")
    }

    fn options() -> TrainingOptions {
        TrainingOptions { hidden: 64, epochs: 3, batch: 256, ..TrainingOptions::default() }
    }

    #[test]
    fn a_tiny_net_learns_a_tiny_set_by_heart() {
        let options =
            TrainingOptions { epochs: 400, batch: 32, rate: 4e-3, weight_decay: 0.0, ..options() };
        let mut training = training(200, options, 1);
        let first = training.run_epoch(|| {}).expect("an epoch").training;
        while !training.is_done() {
            training.run_epoch(|| {}).expect("an epoch");
        }
        let last = training.losses().last().expect("epochs").training;
        assert!(last < 1e-4 && last < first / 50.0, "{first} {last}");
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_even_when_interrupted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let mut whole = training(2_000, options(), 1);
        while !whole.is_done() {
            whole.run_epoch(|| {}).expect("an epoch");
        }
        let mut first = training(2_000, options(), 2);
        first.resume(&path).expect("no checkpoint is no error");
        first.run_epoch(|| {}).expect("an epoch");
        first.write_checkpoint(&path).expect("a checkpoint");
        let mut second = training(2_000, options(), 3);
        second.resume(&path).expect("a checkpoint");
        assert_eq!(second.losses().len(), 1);
        while !second.is_done() {
            second.run_epoch(|| {}).expect("an epoch");
        }
        assert_eq!(second.finish().to_bytes(), whole.finish().to_bytes());
        let other = TrainingOptions { seed: 2, ..options() };
        let refused = training(2_000, other, 1).resume(&path);
        assert!(matches!(refused, Err(CheckpointError::OtherTraining)));
        std::fs::write(&path, "nonsense").expect("a file");
        assert!(matches!(whole.resume(&path), Err(CheckpointError::Damaged)));
    }

    /// Nothing in a training may depend on the CPU or on a library of mathematics. Who
    /// changes what a training does changes this number.
    #[test]
    fn every_cpu_trains_the_same_network() {
        for instructions in InstructionSet::available() {
            let mut samples = Samples::new(Path::new("no such folder/spool"));
            for (index, board) in RandomGames::new(3).take(600).enumerate() {
                let score = Score((index as i32 * 97) % 900 - 450);
                let sample = Sample::new(&board, score, (index % 3) as f32 / 2.0);
                samples.add(sample, index % 10 == 0).expect("memory");
            }
            let options = TrainingOptions { batch: 64, warm_up: 10, ..options() };
            let mut training = Training::new(samples, options, None, 2).expect("a training");
            training.gradients = Gradients::with_instructions(&training.model, instructions);
            while !training.is_done() {
                training.run_epoch(|| {}).expect("an epoch");
            }
            assert_eq!(training.finish().checksum(), 0x7974_de2b, "{instructions:?}");
        }
    }

    #[test]
    fn a_warm_start_begins_where_the_network_ended_and_widens_it() {
        let mut first = training(3_000, TrainingOptions { epochs: 12, ..options() }, 2);
        while !first.is_done() {
            first.run_epoch(|| {}).expect("an epoch");
        }
        let (network, reached) = (first.finish(), first.losses()[11].held_out);
        let wide = TrainingOptions { hidden: 128, rate: 2e-4, warm_up: 10, epochs: 4, ..options() };
        let mut second =
            Training::new(samples(3_000), wide, Some(&network), 2).expect("a wider training");
        let begun = second.run_epoch(|| {}).expect("an epoch").held_out;
        let mut cold = training(3_000, wide, 2);
        let cold = cold.run_epoch(|| {}).expect("an epoch").held_out;
        assert!(begun < 1.05 * reached && begun < 0.95 * cold, "{reached} {begun} {cold}");
        while !second.is_done() {
            second.run_epoch(|| {}).expect("an epoch");
        }
        let wider = second.finish();
        assert_eq!(wider.hidden(), 128);
        assert!(wider.record().contains("started from "), "{}", wider.record());
        let refused = Training::new(samples(100), options(), Some(&wider), 1);
        assert!(refused.is_err_and(|error| error.to_string().contains("128 neurons")));
    }
}
