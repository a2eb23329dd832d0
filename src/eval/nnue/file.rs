//! Networks on disk: a header that says what is inside, the weights as little-endian
//! integers, and a checksum over all of it.

use super::network::{
    BUCKETS, INPUTS, LARGEST_INPUT_WEIGHT, LARGEST_OUTPUT_WEIGHT, LARGEST_SCALE, MAX_HIDDEN,
    Network,
};
use super::simd::{LANES, Row};
use crate::files;
use std::path::Path;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"GMBNNET\n";
const VERSION: u32 = 1;
/// Magic, version, inputs, neurons, buckets, scale, length of the record.
const HEADER: usize = 8 + 6 * 4;
const CHECKSUM: usize = 4;
/// No record is longer.
const MAX_RECORD: usize = 1 << 16;
/// No file with the largest architecture is longer.
const LARGEST: usize = HEADER
    + MAX_RECORD
    + (INPUTS + 1 + 2 * BUCKETS) * MAX_HIDDEN * size_of::<i16>()
    + 4 * BUCKETS
    + CHECKSUM;

/// Why a file is not used as a network.
#[derive(Debug, Error)]
pub enum NetError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("not a Gambeson network file")]
    Foreign,
    #[error("unsupported format version {0}, expected {VERSION}")]
    Version(u32),
    #[error(
        "its architecture is {inputs} inputs, {hidden} neurons, {buckets} outputs; this program \
         takes {INPUTS} inputs, a multiple of {LANES} up to {MAX_HIDDEN} neurons, {BUCKETS} outputs"
    )]
    Architecture { inputs: u32, hidden: u32, buckets: u32 },
    #[error("wrong size: {found} bytes instead of {expected}")]
    Length { found: usize, expected: usize },
    #[error("wrong checksum")]
    Checksum,
    #[error("weights out of range")]
    Weights,
}

impl Network {
    pub(crate) fn read(path: &Path) -> Result<Network, NetError> {
        Network::from_bytes(&files::read(path, LARGEST as u64)?)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let sizes = [VERSION, INPUTS as u32, self.hidden() as u32, BUCKETS as u32];
        for number in sizes.into_iter().chain([self.scale as u32, self.record.len() as u32]) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.record.as_bytes());
        for rows in [&self.inputs, &self.bias, &self.outputs] {
            for number in rows.iter().flat_map(|row| row.0) {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        for bias in self.output_bias {
            bytes.extend_from_slice(&bias.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Tells networks apart: the checksum at the end of the file.
    pub(crate) fn checksum(&self) -> u32 {
        self.to_bytes().last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Reads what [`Network::to_bytes`] wrote, and nothing else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetError::Foreign);
        }
        let too_short = |expected| NetError::Length { found: bytes.len(), expected };
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or_else(|| too_short(HEADER))?;
        let mut numbers =
            header[8..].as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let mut number = || numbers.next().unwrap_or_default();
        let (version, inputs, hidden, buckets) = (number(), number(), number(), number());
        let (scale, record) = (number() as i32, number() as usize);
        if version != VERSION {
            return Err(NetError::Version(version));
        }
        let width = hidden as usize / LANES;
        let fits =
            (LANES..=MAX_HIDDEN).contains(&(hidden as usize)) && width * LANES == hidden as usize;
        if inputs as usize != INPUTS || buckets as usize != BUCKETS || !fits {
            return Err(NetError::Architecture { inputs, hidden, buckets });
        }
        let record = record.min(MAX_RECORD);
        let weights = (INPUTS + 1 + 2 * BUCKETS) * width * size_of::<Row>();
        let expected = HEADER + record + weights + 4 * BUCKETS + CHECKSUM;
        if bytes.len() != expected {
            return Err(NetError::Length { found: bytes.len(), expected });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if crc32fast::hash(body).to_le_bytes() != checksum {
            return Err(NetError::Checksum);
        }
        let (record, rest) = rest.split_at(record);
        let (inputs, rest) = rest.split_at(INPUTS * width * size_of::<Row>());
        let (bias, rest) = rest.split_at(width * size_of::<Row>());
        let (outputs, rest) = rest.split_at(2 * BUCKETS * width * size_of::<Row>());
        let mut output_bias = [0; BUCKETS];
        for (bias, bytes) in output_bias.iter_mut().zip(rest.as_chunks::<4>().0) {
            *bias = i32::from_le_bytes(*bytes);
        }
        let network = Network {
            width,
            scale,
            inputs: rows(inputs),
            bias: rows(bias),
            outputs: rows(outputs),
            output_bias,
            record: String::from_utf8_lossy(record).into_owned(),
        };
        if network.is_safe() { Ok(network) } else { Err(NetError::Weights) }
    }

    /// Whether no position can make a sum overflow.
    fn is_safe(&self) -> bool {
        let within = |rows: &[Row], limit: i16| {
            rows.iter().flat_map(|row| row.0).all(|weight| (-limit..=limit).contains(&weight))
        };
        within(&self.inputs, LARGEST_INPUT_WEIGHT)
            && within(&self.bias, LARGEST_INPUT_WEIGHT)
            && within(&self.outputs, LARGEST_OUTPUT_WEIGHT)
            && self.output_bias.iter().all(|bias| bias.unsigned_abs() < 1 << 24)
            && (1..=LARGEST_SCALE).contains(&self.scale)
    }
}

fn rows(bytes: &[u8]) -> Vec<Row> {
    let row = |chunk: &[u8; 2 * LANES]| {
        Row(std::array::from_fn(|index| {
            i16::from_le_bytes([chunk[2 * index], chunk[2 * index + 1]])
        }))
    };
    bytes.as_chunks::<{ 2 * LANES }>().0.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::network::tests::random_network;

    #[test]
    fn survives_its_encoding() {
        let network = random_network(64, 3);
        let read = Network::from_bytes(&network.to_bytes()).expect("a net");
        assert_eq!(read, network);
        assert_eq!((read.hidden(), read.record()), (64, "random 3"));
    }

    #[test]
    fn refuses_everything_else() {
        let good = random_network(32, 3).to_bytes();
        let changed = |place: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[place] = value;
            Network::from_bytes(&bytes)
        };
        assert!(matches!(Network::from_bytes(b""), Err(NetError::Foreign)));
        assert!(matches!(Network::from_bytes(b"\x7fELF and so on"), Err(NetError::Foreign)));
        assert!(matches!(changed(8, 2), Err(NetError::Version(2))));
        for (place, value) in [(12, 1), (16, 33), (16, 0), (18, 1), (20, 7)] {
            assert!(matches!(changed(place, value), Err(NetError::Architecture { .. })), "{place}");
        }
        assert!(matches!(changed(16, 64), Err(NetError::Length { .. })));
        assert!(matches!(changed(28, 200), Err(NetError::Length { .. })));
        for place in [24, 40, 1_000, good.len() - 1] {
            assert!(matches!(changed(place, good[place] ^ 1), Err(NetError::Checksum)), "{place}");
        }
        for length in (8..good.len()).step_by(997) {
            let cut = Network::from_bytes(&good[..length]);
            assert!(matches!(cut, Err(NetError::Length { .. })), "{length}");
        }
        let mut wild = random_network(32, 3);
        wild.outputs[0].0[0] = 127;
        assert!(matches!(Network::from_bytes(&wild.to_bytes()), Err(NetError::Weights)));
    }
}
