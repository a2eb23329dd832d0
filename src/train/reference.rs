//! A fixed set of positions scored by a deep search: the yardstick by which the
//! networks of all generations compare. The error is that of the finished integer
//! network, in expected points, so it includes what rounding costs.

use super::sample::{ActiveInputs, Sample};
use crate::board::Board;
use crate::eval::nnue::{Network, bucket};
use crate::math::{minimum, sigmoid};
use crate::parallel::with_workers;
use crate::search::{Control, Pool, Task};
use crate::selfplay::usable::ScoreCounts;
use crate::selfplay::{DataError, GameReader, PackedPosition, usable};
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"GMBREFER";
const VERSION: u32 = 1;
/// Magic, version, nodes, scale, number of positions.
const HEADER: usize = 8 + 4 * 4;
/// No reference set is larger.
const LARGEST_FILE: u64 = 1 << 28;
/// Megabytes of hash for each search.
const HASH: usize = 8;
/// A search breaks off at this many times its nodes.
const HARD_LIMIT: u64 = 8;

#[derive(Debug, Error)]
pub(crate) enum ReferenceError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: not a Gambeson reference set", path.display())]
    Foreign { path: PathBuf },
    #[error("{}: version {version} of the format; this program reads version {VERSION}", path.display())]
    Version { path: PathBuf, version: u32 },
    #[error("{}: damaged or cut off", path.display())]
    Damaged { path: PathBuf },
}

/// Positions, what a search of `nodes` nodes says about each, and the score that
/// stands for 73 % of the points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReferenceSet {
    pub(crate) nodes: u32,
    pub(crate) scale: f32,
    pub(crate) samples: Vec<Sample>,
}

/// How a network does on a reference set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measure {
    /// Mean squared error in expected points.
    pub(crate) error: f64,
    /// The factor that would bring the network's values nearest to the scores.
    pub(crate) unit: f32,
}

impl ReferenceSet {
    /// Draws `count` usable positions evenly from a file of games and searches each
    /// with `nodes` nodes, from an empty hash table. Positions with a mate in sight are
    /// left out. Calls `report` after each position.
    pub(crate) fn make(
        games: &Path,
        count: usize,
        nodes: u32,
        network: Option<&Arc<Network>>,
        threads: usize,
        report: impl Fn() + Sync,
    ) -> Result<ReferenceSet, DataError> {
        let mut found: Vec<(PackedPosition, f32)> = Vec::new();
        let mut counts = ScoreCounts::default();
        let mut reader = GameReader::open(games)?;
        while let Some(record) = reader.read()? {
            usable::for_each(&record, |board, score, points| {
                found.push((PackedPosition::pack(board), points));
                counts.add(score.0 as f32, points);
            })
            .map_err(|error| reader.damaged(error))?;
        }
        let scale = counts.scale();
        let count = count.min(found.len());
        let drawn: Vec<_> = (0..count).map(|index| found[index * found.len() / count]).collect();
        let samples = score_all(&drawn, nodes, network, threads, report)?;
        Ok(ReferenceSet { nodes, scale, samples })
    }

    /// Magic 8, version 4, nodes 4, scale 4, number of positions 4; the positions as
    /// [`Sample::encode`] writes them; CRC-32 4. Little-endian.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [VERSION, self.nodes, self.scale.to_bits(), self.samples.len() as u32] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        self.samples.iter().for_each(|sample| sample.encode(&mut bytes));
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    pub(crate) fn read(path: &Path) -> Result<ReferenceSet, ReferenceError> {
        let path = || path.to_path_buf();
        let bytes = crate::files::read(&path(), LARGEST_FILE)
            .map_err(|source| ReferenceError::Io { path: path(), source })?;
        let damaged = || ReferenceError::Damaged { path: path() };
        if !bytes.starts_with(&MAGIC) {
            return Err(ReferenceError::Foreign { path: path() });
        }
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        let (header, mut rest) = body.split_at_checked(HEADER).ok_or_else(damaged)?;
        let number = |index: usize| {
            header[8 + 4 * index..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        if number(0) != VERSION {
            return Err(ReferenceError::Version { path: path(), version: number(0) });
        }
        if crc32fast::hash(body).to_le_bytes() != *checksum {
            return Err(damaged());
        }
        let scale = f32::from_bits(number(2));
        let samples: Option<Vec<Sample>> =
            (0..number(3)).map(|_| Sample::decode(&mut rest)).collect();
        let samples = samples.filter(|_| rest.is_empty() && scale > 0.0).ok_or_else(damaged)?;
        Ok(ReferenceSet { nodes: number(1), scale, samples })
    }

    /// How far the network is from the deep scores.
    pub(crate) fn measure(&self, network: &Network) -> Measure {
        let mut inputs = ActiveInputs::default();
        let values: Vec<f32> = self
            .samples
            .iter()
            .map(|sample| {
                sample.inputs(&mut inputs);
                let [us, them] = &inputs.views;
                let views = [&us[..inputs.count], &them[..inputs.count]];
                network.evaluate_inputs(views, bucket(sample.piece_count())) as f32
            })
            .collect();
        let error = |unit: f32| -> f64 {
            let pairs = self.samples.iter().zip(&values);
            let sum: f64 = pairs
                .map(|(sample, value)| {
                    let expected = sigmoid(unit * value / self.scale);
                    let off = f64::from(expected - sigmoid(sample.score() / self.scale));
                    off * off
                })
                .sum();
            sum / self.samples.len().max(1) as f64
        };
        Measure { error: error(1.0), unit: minimum(0.25, 4.0, 0.002, error) }
    }
}

/// Searches all positions on several threads; the order stays.
fn score_all(
    positions: &[(PackedPosition, f32)],
    nodes: u32,
    network: Option<&Arc<Network>>,
    threads: usize,
    report: impl Fn() + Sync,
) -> Result<Vec<Sample>, DataError> {
    let pool = |_| {
        let table = TranspositionTable::new(HASH)?;
        let mut pool = Pool::new(1, &Arc::new(table))?;
        pool.set_network(network);
        Ok(pool)
    };
    let pools: io::Result<Vec<Pool>> = (0..threads.max(1)).map(pool).collect();
    let scored = with_workers(pools.map_err(DataError::Memory)?, positions, |pool, it| {
        let (position, points) = it;
        let sample = position.unpack().ok().and_then(|board| score(pool, board, nodes, *points));
        report();
        sample
    });
    Ok(scored.into_iter().flatten().collect())
}

fn score(pool: &mut Pool, board: Board, nodes: u32, points: f32) -> Option<Sample> {
    let nodes = u64::from(nodes);
    let limits =
        Limits { soft_nodes: Some(nodes), nodes: Some(nodes * HARD_LIMIT), ..Limits::default() };
    pool.clear();
    let control = Arc::new(Control::new(Budget::UNLIMITED));
    let outcome = pool.search(Task::new(board.clone(), limits), &control, &mut |_| {});
    (outcome.score.0.abs() <= usable::LARGEST_SCORE)
        .then(|| Sample::new(&board, outcome.score, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Goal, Settings, generate};
    use crate::train::Model;

    fn games(folder: &Path) -> PathBuf {
        let path = folder.join("games");
        let settings = Settings { seed: 3, nodes: 30, chess960: 100 };
        generate(&path, settings, None, Goal::Games(12), 1, |_| {}).expect("games");
        path
    }

    #[test]
    fn is_the_same_with_any_number_of_threads_and_survives_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games(folder.path());
        let make = |threads| ReferenceSet::make(&games, 60, 200, None, threads, || {});
        let set = make(1).expect("a set");
        assert!((50..=60).contains(&set.samples.len()), "{}", set.samples.len());
        assert_eq!(make(3).expect("a set"), set);
        let path = folder.path().join("set");
        std::fs::write(&path, set.to_bytes()).expect("a file");
        assert_eq!(ReferenceSet::read(&path).expect("a set"), set);
    }

    #[test]
    fn refuses_what_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("set");
        let sample = Sample::new(&Board::startpos(), crate::types::Score(20), 0.5);
        let good = ReferenceSet { nodes: 1, scale: 200.0, samples: vec![sample; 3] }.to_bytes();
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("a file");
            ReferenceSet::read(&path)
        };
        assert!(read(&good).is_ok());
        assert!(matches!(read(b"GMBGAMES"), Err(ReferenceError::Foreign { .. })));
        for length in 8..good.len() {
            assert!(matches!(read(&good[..length]), Err(ReferenceError::Damaged { .. })));
        }
        for place in 12..good.len() {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            assert!(matches!(read(&bytes), Err(ReferenceError::Damaged { .. })), "{place}");
        }
        let mut bytes = good.clone();
        bytes[8] = 9;
        assert!(matches!(read(&bytes), Err(ReferenceError::Version { version: 9, .. })));
    }

    #[test]
    fn the_error_is_that_of_the_engine_and_the_unit_is_found() {
        let network = Model::random(64, 3).quantised(300.0, String::new());
        let boards: Vec<Board> =
            crate::board::testing::RandomGames::new(5).positions(300).collect();
        let set = |factor: i32| {
            let sample = |board: &Board| {
                Sample::new(board, crate::types::Score(factor * network.evaluate(board)), 0.5)
            };
            ReferenceSet { nodes: 1, scale: 200.0, samples: boards.iter().map(sample).collect() }
        };
        let exact = set(1).measure(&network);
        assert_eq!(exact.error, 0.0);
        assert!((exact.unit - 1.0).abs() < 0.01, "{exact:?}");
        let doubled = set(2).measure(&network);
        assert!(doubled.error > 0.0 && (doubled.unit - 2.0).abs() < 0.02, "{doubled:?}");
    }
}
