//! The samples of a training. They are dealt into chunks on disk in the order of a
//! shuffled deck, and an epoch goes through a few chunks at a time: memory does not grow
//! with their number as long as a chunk is smaller than a pool.

use super::sample::Sample;
use crate::files;
use crate::memory::LargeVec;
use crate::parallel::in_parallel;
use crate::selfplay::pack::BlockError;
use crate::selfplay::usable::{self, ScoreCounts};
use crate::selfplay::{DataError, GameBatch, GameReader, GameRecord, RecordError};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// One game in this many is held out.
const HELD_OUT: u64 = 50;
const CHUNKS: usize = 64;
/// Bytes of a chunk that are written at once.
const EXTENT: usize = if cfg!(test) { 1 << 11 } else { 1 << 18 };
/// How many samples an epoch shuffles at once, some 300 megabytes with their order.
const POOL: u64 = 1 << 23;

/// Samples to learn from, and samples of other games to see how well that went.
#[derive(Debug)]
pub struct Samples {
    spool: Spool,
    chunks: Vec<Chunk>,
    dealer: Xoshiro256PlusPlus,
    training: u64,
    pub held_out: LargeVec<Sample>,
    counts: ScoreCounts,
    /// Of all samples, in order.
    digest: crc32fast::Hasher,
    /// Samples to a pool, if it is not a single chunk that is larger.
    pool: u64,
}

/// Samples as [`Sample::encode`] writes them: some on disk, the last ones here.
#[derive(Debug, Default)]
struct Chunk {
    count: u64,
    extents: Vec<(u64, usize)>,
    tail: Vec<u8>,
}

/// A file that goes when the training does, made when it is needed.
#[derive(Debug)]
struct Spool {
    path: PathBuf,
    file: Option<File>,
    length: u64,
}

impl Samples {
    /// No samples yet. `spool` is where they may be kept on disk: a name that nobody else
    /// uses.
    pub fn new(spool: &Path) -> Samples {
        Samples {
            spool: Spool { path: spool.to_path_buf(), file: None, length: 0 },
            chunks: (0..CHUNKS).map(|_| Chunk::default()).collect(),
            dealer: Xoshiro256PlusPlus::seed_from_u64(0),
            training: 0,
            held_out: LargeVec::default(),
            counts: ScoreCounts::default(),
            digest: crc32fast::Hasher::new(),
            pool: POOL,
        }
    }

    /// How many there are to learn from.
    pub fn training(&self) -> u64 {
        self.training
    }

    /// The score that stands for 73 % of the points in the samples to learn from.
    pub fn scale(&self) -> f32 {
        self.counts.scale()
    }

    /// Tells samples apart.
    pub fn digest(&self) -> u32 {
        self.digest.clone().finalize()
    }

    pub fn add(&mut self, sample: Sample, held_out: bool) -> Result<(), DataError> {
        let mut bytes = Vec::with_capacity(32);
        sample.encode(&mut bytes);
        self.digest.update(&bytes);
        if held_out {
            return self.held_out.push(sample).map_err(DataError::Memory);
        }
        self.training += 1;
        self.counts.add(sample.score(), sample.points());
        let chunk = &mut self.chunks[self.dealer.next_u64() as usize % CHUNKS];
        chunk.count += 1;
        chunk.tail.extend_from_slice(&bytes);
        if chunk.tail.len() >= EXTENT {
            let place = self.spool.append(&chunk.tail)?;
            chunk.extents.push((place, chunk.tail.len()));
            chunk.tail.clear();
        }
        Ok(())
    }

    /// Adds the usable positions of a file, calling `report` with the bytes read.
    pub fn read(
        &mut self,
        path: &Path,
        threads: usize,
        mut report: impl FnMut(u64),
    ) -> Result<(), DataError> {
        let mut reader = GameReader::open(path)?;
        let mut games = 0;
        loop {
            let mut work = Vec::new();
            while work.len() < 2 * threads
                && let Some(batch) = reader.read_batch()?
            {
                let first = games;
                games += batch.count() as u64;
                work.push(Work { batch, first, samples: Ok(Ok(Vec::new())) });
            }
            if work.is_empty() {
                return Ok(());
            }
            in_parallel(threads, work.iter_mut(), Work::run);
            for Work { batch, samples, .. } in work {
                match samples {
                    Ok(Ok(samples)) => {
                        for (sample, held_out) in samples {
                            self.add(sample, held_out)?;
                        }
                    }
                    Ok(Err(source)) => {
                        return Err(DataError::Game { path: path.to_path_buf(), source });
                    }
                    Err(error) => reader.lose(&batch, error),
                }
            }
            report(reader.offset());
        }
    }

    /// The samples to learn from in the order of an epoch, which depends on the seed
    /// alone, a pool at a time.
    pub fn epoch(&mut self, seed: u64) -> Epoch<'_> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut chunks: Vec<usize> = (0..CHUNKS).collect();
        shuffle(&mut chunks, &mut rng);
        Epoch { samples: self, chunks, rng, pool: LargeVec::default(), order: Vec::new() }
    }

    /// Appends the samples of a chunk.
    fn load(&mut self, chunk: usize, to: &mut LargeVec<Sample>) -> Result<(), DataError> {
        let chunk = &self.chunks[chunk];
        let mut bytes = Vec::new();
        for &(place, length) in &chunk.extents {
            self.spool.read(place, length, &mut bytes)?;
        }
        bytes.extend_from_slice(&chunk.tail);
        let mut rest = &bytes[..];
        while let Some(sample) = Sample::decode(&mut rest) {
            to.push(sample).map_err(DataError::Memory)?;
        }
        // Somebody has written into the file.
        let torn = io::Error::new(io::ErrorKind::InvalidData, "its samples have changed");
        if rest.is_empty() { Ok(()) } else { Err(self.spool.failed(torn)) }
    }
}

/// Samples, and whether they are held out.
type Made = Vec<(Sample, bool)>;

/// Games to make samples of, and what came of them.
struct Work {
    batch: GameBatch,
    /// How many games of the file came before.
    first: u64,
    samples: Result<Result<Made, RecordError>, BlockError>,
}

impl Work {
    fn run(&mut self) {
        let make = |games: &[GameRecord]| {
            let mut samples = Vec::new();
            for (number, game) in (self.first + 1..).zip(games) {
                let held_out = number % HELD_OUT == 0;
                usable::for_each(game, |board, score, points| {
                    samples.push((Sample::new(board, score, points), held_out));
                })?;
            }
            Ok(samples)
        };
        self.samples = self.batch.games().map(|games| make(&games));
    }
}

/// The pools of an epoch.
#[derive(Debug)]
pub struct Epoch<'a> {
    samples: &'a mut Samples,
    /// Those still to come, the next one last.
    chunks: Vec<usize>,
    rng: Xoshiro256PlusPlus,
    pool: LargeVec<Sample>,
    order: Vec<u32>,
}

impl Epoch<'_> {
    /// Fills the pool with the last `left` samples of the pool before and those of the
    /// next chunks.
    pub fn next_pool(&mut self, left: usize) -> Result<SamplePool<'_>, DataError> {
        let kept = &self.order[self.order.len() - left..];
        let kept: Vec<Sample> = kept.iter().map(|&index| self.pool[index as usize]).collect();
        self.pool.clear();
        for sample in kept {
            self.pool.push(sample).map_err(DataError::Memory)?;
        }
        while let Some(&chunk) = self.chunks.last() {
            let count = self.pool.len() as u64 + self.samples.chunks[chunk].count;
            if count > self.samples.pool && self.pool.len() > left {
                break;
            }
            self.chunks.pop();
            self.samples.load(chunk, &mut self.pool)?;
        }
        self.order.clear();
        self.order.extend(0..self.pool.len() as u32);
        shuffle(&mut self.order, &mut self.rng);
        let is_last = self.chunks.is_empty();
        Ok(SamplePool { samples: &self.pool, order: &self.order, is_last })
    }
}

/// Some of the samples and the order to go through them.
#[derive(Debug, Clone, Copy)]
pub struct SamplePool<'a> {
    pub samples: &'a LargeVec<Sample>,
    pub order: &'a [u32],
    /// Whether the epoch ends with it.
    pub is_last: bool,
}

fn shuffle<T>(items: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for index in (1..items.len()).rev() {
        items.swap(index, (rng.next_u64() % (index as u64 + 1)) as usize);
    }
}

impl Spool {
    fn failed(&self, source: io::Error) -> DataError {
        DataError::Io { path: self.path.clone(), source }
    }

    /// Writes at the end and says where that was.
    fn append(&mut self, bytes: &[u8]) -> Result<u64, DataError> {
        if self.file.is_none() {
            let mut options = File::options();
            let options = options.read(true).write(true).create(true).truncate(true);
            let file = files::open_regular(&self.path, options);
            self.file = Some(file.map_err(|error| self.failed(error))?);
            // Where the system allows it nobody sees the file, and it goes even if this
            // program is killed.
            #[cfg(unix)]
            std::fs::remove_file(&self.path).map_err(|error| self.failed(error))?;
        }
        let place = self.length;
        self.with_file(|file| {
            file.seek(SeekFrom::Start(place))?;
            file.write_all(bytes)
        })?;
        self.length += bytes.len() as u64;
        Ok(place)
    }

    /// Appends this many bytes to `to`.
    fn read(&mut self, place: u64, length: usize, to: &mut Vec<u8>) -> Result<(), DataError> {
        let start = to.len();
        to.resize(start + length, 0);
        self.with_file(|file| {
            file.seek(SeekFrom::Start(place))?;
            file.read_exact(&mut to[start..])
        })
    }

    fn with_file(
        &mut self,
        work: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), DataError> {
        let result = match &mut self.file {
            Some(file) => work(file),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        result.map_err(|error| self.failed(error))
    }
}

#[cfg(not(unix))]
impl Drop for Spool {
    fn drop(&mut self) {
        if self.file.take().is_some()
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            log::warn!("{} is left: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::types::Score;
    use std::collections::BTreeMap;

    /// `count` samples in pools of `pool`.
    fn samples(folder: &Path, count: usize, pool: u64) -> Samples {
        let mut samples = Samples::new(&folder.join("spool"));
        samples.pool = pool;
        for (index, board) in RandomGames::new(6).positions(count).enumerate() {
            let sample = Sample::new(&board, Score(index as i32 % 5_000), 0.5);
            samples.add(sample, false).expect("room on the disk");
        }
        samples
    }

    fn key(sample: &Sample) -> Vec<u8> {
        let mut bytes = Vec::new();
        sample.encode(&mut bytes);
        bytes
    }

    /// The samples of an epoch that takes batches of 100.
    fn epoch(samples: &mut Samples, seed: u64) -> Vec<Vec<u8>> {
        let (mut seen, mut left, mut pools) = (Vec::new(), 0, 0);
        let several = samples.pool != POOL;
        let mut epoch = samples.epoch(seed);
        loop {
            let SamplePool { samples, order, is_last } =
                epoch.next_pool(left).expect("a sound spool");
            left = if is_last { 0 } else { order.len() % 100 };
            let now = &order[..order.len() - left];
            seen.extend(now.iter().map(|&index| key(&samples[index as usize])));
            pools += 1;
            if is_last {
                assert_eq!(pools > 1, several);
                return seen;
            }
        }
    }

    #[test]
    fn an_epoch_sees_every_sample_once_whatever_fits_into_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let count = 40_000;
        for (count, pool) in [(count, 5_000), (count, POOL), (count / 50, 100)] {
            let mut samples = samples(folder.path(), count, pool);
            let extents: usize = samples.chunks.iter().map(|chunk| chunk.extents.len()).sum();
            assert!(cfg!(miri) || (extents > CHUNKS) == (count > 10_000), "{extents}");
            let mut expected = BTreeMap::new();
            for chunk in 0..CHUNKS {
                let mut all = LargeVec::default();
                samples.load(chunk, &mut all).expect("a sound spool");
                for sample in all.iter() {
                    *expected.entry(key(sample)).or_insert(0) += 1;
                }
            }
            assert_eq!(expected.values().sum::<u64>(), samples.training());
            let first = epoch(&mut samples, 1);
            let mut found = BTreeMap::new();
            first.iter().for_each(|sample| *found.entry(sample.clone()).or_insert(0) += 1);
            assert!(found == expected, "other samples");
            assert!(epoch(&mut samples, 1) == first && epoch(&mut samples, 2) != first);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
