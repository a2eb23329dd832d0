//! Reading packed files, and finding the way after damage.

use super::games::{BlockError, decode};
use super::{BLOCK_HEADER, BlockHeader, LostBlock, MAGIC, MARK, VERSION};
use crate::selfplay::{DataError, GameRecord, Origin};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A block as it was read.
#[derive(Debug)]
pub struct Block {
    pub number: u32,
    /// How many games it has.
    pub count: usize,
    bytes: Vec<u8>,
}

impl Block {
    /// Unpacks its games: most of the work of reading a packed file.
    pub fn games(&self) -> Result<Vec<GameRecord>, BlockError> {
        decode(&self.bytes, self.count)
    }
}

/// Reads a packed file from its beginning, one block after the other, and goes on after
/// those that are damaged.
#[derive(Debug)]
pub struct PackReader<R> {
    path: PathBuf,
    input: R,
    origin: Origin,
    /// Read, but not used yet.
    ahead: Vec<u8>,
    /// How many bytes have been used.
    offset: u64,
    /// The block that should come next; none after the end.
    next: Option<u32>,
    lost: Vec<LostBlock>,
}

impl<R: Read> PackReader<R> {
    /// `path` is for messages.
    pub fn new(mut input: R, path: &Path) -> Result<PackReader<R>, DataError> {
        let foreign = || DataError::Foreign { path: path.to_path_buf() };
        let io = |source: io::Error| match source.kind() {
            ErrorKind::UnexpectedEof => foreign(),
            _ => DataError::Io { path: path.to_path_buf(), source },
        };
        let mut head = [0; 12];
        input.read_exact(&mut head).map_err(io)?;
        let (magic, version) = head.split_at(8);
        if magic != MAGIC {
            return Err(foreign());
        }
        let version = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
        if version != VERSION {
            return Err(DataError::PackVersion { path: path.to_path_buf(), version });
        }
        let (origin, length) = Origin::read(&mut input, path)?;
        let mut checksum = [0; 4];
        input.read_exact(&mut checksum).map_err(io)?;
        let header = [&head[..], &origin.encode()].concat();
        if crc32fast::hash(&header).to_le_bytes() != checksum {
            return Err(DataError::Header { path: path.to_path_buf() });
        }
        let offset = (head.len() + length + checksum.len()) as u64;
        let (path, next) = (path.to_path_buf(), Some(0));
        Ok(PackReader { path, input, origin, ahead: Vec::new(), offset, next, lost: Vec::new() })
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The blocks found missing or damaged so far.
    pub fn lost(&self) -> &[LostBlock] {
        &self.lost
    }

    /// The games of the next sound block, or `None` at the end.
    pub fn read(&mut self) -> Result<Option<Vec<GameRecord>>, DataError> {
        while let Some(block) = self.read_block()? {
            match block.games() {
                Ok(games) => return Ok(Some(games)),
                Err(error) => self.lose(block.number, error),
            }
        }
        Ok(None)
    }

    /// The next block whose checksum is right, or `None` at the end. If its games make no
    /// sense all the same, tell [`PackReader::lose`].
    pub fn read_block(&mut self) -> Result<Option<Block>, DataError> {
        while let Some(next) = self.next {
            let Some(header) = self.find_header(next)? else {
                // Unless that has just been said of the block before.
                if self.lost.last().is_none_or(|lost| lost.error != BlockError::Truncated) {
                    self.lose(next, BlockError::Truncated);
                }
                self.next = None;
                break;
            };
            for number in next..header.number.min(next.saturating_add(MOST_LOST)) {
                self.lose(number, BlockError::Missing);
            }
            if header.is_end() {
                self.next = None;
                break;
            }
            self.next = header.number.checked_add(1);
            let size = BLOCK_HEADER + header.bytes as usize;
            let there = self.look_ahead(size)?;
            let bytes = self.ahead.get(BLOCK_HEADER..size).unwrap_or_default();
            let sound = crc32fast::hash(bytes) == header.checksum;
            if there >= size && sound {
                let (number, count) = (header.number, header.games as usize);
                let block = Block { number, count, bytes: bytes.to_vec() };
                self.use_up(size);
                return Ok(Some(block));
            }
            let error = if there < size { BlockError::Truncated } else { BlockError::Checksum };
            self.lose(header.number, error);
            // The next block begins after this one, unless bytes are missing.
            self.use_up(BLOCK_HEADER);
        }
        Ok(None)
    }

    /// Reports a block that cannot be read and remembers it.
    pub fn lose(&mut self, number: u32, error: BlockError) {
        log::error!("{}: block {number} is lost: {error}", self.path.display());
        self.lost.push(LostBlock { number, error });
    }

    /// Moves to the next sound header of block `next` or a later one.
    fn find_header(&mut self, next: u32) -> Result<Option<BlockHeader>, DataError> {
        loop {
            if self.look_ahead(BLOCK_HEADER)? < BLOCK_HEADER {
                return Ok(None);
            }
            let header = BlockHeader::decode(&self.ahead);
            if let Some(header) = header.filter(|header| header.number >= next) {
                return Ok(Some(header));
            }
            let mark = self.ahead[1..].windows(MARK.len()).position(|bytes| bytes == MARK);
            // What may be the beginning of a mark stays.
            self.use_up(mark.map_or(self.ahead.len() - (MARK.len() - 1), |place| place + 1));
        }
    }

    /// Reads until there are this many bytes ahead, or all there are.
    fn look_ahead(&mut self, size: usize) -> Result<usize, DataError> {
        if let Some(missing) = size.checked_sub(self.ahead.len()) {
            let limit = missing.max(1 << 16) as u64;
            let read = self.input.by_ref().take(limit).read_to_end(&mut self.ahead);
            read.map_err(|source| DataError::Io { path: self.path.clone(), source })?;
        }
        Ok(self.ahead.len())
    }

    fn use_up(&mut self, bytes: usize) {
        self.ahead.drain(..bytes);
        self.offset += bytes as u64;
    }
}

/// No file misses more blocks in a row; a header that says so is as strange as it is sound.
const MOST_LOST: u32 = 1 << 16;
