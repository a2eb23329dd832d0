//! Packed games: what a game file holds in a quarter of the room, for keeping.
//!
//! Results, openings, moves and the numbers of games stay as they were. Scores stay where
//! a position is usable, to a quarter of a percent of the expected points; the others,
//! which nothing learns from, become [`NO_SCORE`](super::NO_SCORE). So exactly the same
//! positions are usable afterwards, and packing what was unpacked gives the same bytes.
//!
//! A file is a header (magic 8, version 4, the header of the game file, CRC-32 4), blocks
//! of games, and an end. Each block has a header of its own (see [`BlockHeader`]) and
//! starts with fresh models, so that a damaged one is all that is lost.
//!
//! `coder` is the range coder, `games` the description of games, `moves` and `scores` its
//! two large parts, `writer` and `reader` the blocks around them.

mod coder;
mod games;
mod moves;
mod reader;
mod scores;
#[cfg(test)]
mod tests;
mod writer;

pub use games::{BlockError, decode, encode};
pub use reader::{Block, PackReader};
pub use writer::{PackWriter, put_in_place, unfinished};

pub const MAGIC: [u8; 8] = *b"GMBPACK\n";
const VERSION: u32 = 1;
/// Games to a block: more cost less room and are lost together.
const BLOCK: usize = 2_048;
/// No block of any version is larger.
const MOST_GAMES: u32 = 1 << 14;
const MOST_BYTES: u32 = 1 << 26;

/// A block that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostBlock {
    pub number: u32,
    pub error: BlockError,
}

/// Mark 4; number of the block, of its first game, and how many games and usable
/// positions it has, 4 each; bytes that follow 4 and their CRC-32 4; CRC-32 of the header
/// 4. At the end of the file the number of the block says how many there were, and there
/// are no games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BlockHeader {
    number: u32,
    first_game: u32,
    games: u32,
    usable: u32,
    bytes: u32,
    checksum: u32,
}

const MARK: [u8; 4] = *b"\xb6BLK";
const BLOCK_HEADER: usize = 32;

impl BlockHeader {
    fn encode(self) -> Vec<u8> {
        let BlockHeader { number, first_game, games, usable, bytes, checksum } = self;
        let mut header = MARK.to_vec();
        for word in [number, first_game, games, usable, bytes, checksum] {
            header.extend_from_slice(&word.to_le_bytes());
        }
        header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
        header
    }

    /// The header at the beginning of `bytes`, if it is a sound one.
    fn decode(bytes: &[u8]) -> Option<BlockHeader> {
        let header: &[u8; BLOCK_HEADER] = bytes.first_chunk()?;
        let (body, checksum) = header.split_last_chunk::<4>()?;
        if !body.starts_with(&MARK) || crc32fast::hash(body).to_le_bytes() != *checksum {
            return None;
        }
        let mut words = body.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let mut word = || words.next();
        word()?;
        let header = BlockHeader {
            number: word()?,
            first_game: word()?,
            games: word()?,
            usable: word()?,
            bytes: word()?,
            checksum: word()?,
        };
        (header.games <= MOST_GAMES && header.bytes <= MOST_BYTES).then_some(header)
    }

    fn is_end(self) -> bool {
        self.games == 0
    }
}
