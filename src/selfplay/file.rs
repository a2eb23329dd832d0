//! Files of games: a header that says how the games were made, and one record
//! after the other, each written at once and with its own checksum. Whatever kills
//! the writer leaves at most one broken record at the end.

use super::{GameRecord, RecordError, Settings};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"GMBGAMES";
const VERSION: u32 = 1;
const HEADER: usize = 32;

#[derive(Debug, Error)]
pub enum DataError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is not a Gambeson game file", path.display())]
    Foreign { path: PathBuf },
    #[error("{} has version {version}; this program reads version {VERSION}", path.display())]
    Version { path: PathBuf, version: u32 },
    #[error("{} has a damaged header", path.display())]
    Header { path: PathBuf },
    #[error("{}, byte {offset}: {source}", path.display())]
    Record { path: PathBuf, offset: u64, source: RecordError },
    #[error("{} contains games generated with other settings: {found:?}", path.display())]
    OtherSettings { path: PathBuf, found: Origin },
    #[error("{} exists already", path.display())]
    Exists { path: PathBuf },
    #[error("not enough memory: {0}")]
    Memory(#[source] io::Error),
}

/// Where the games of a file come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The first games of one series, in order.
    Series(Settings),
    /// Games of several files.
    Collection,
}

impl Origin {
    /// Magic 8, version 4, nodes 4, seed 8, Chess960 share 2, kind 2, CRC-32 4.
    fn encode(self) -> [u8; HEADER] {
        let (kind, settings) = match self {
            Origin::Series(settings) => (1u16, settings),
            Origin::Collection => (2, Settings { seed: 0, nodes: 0, chess960: 0 }),
        };
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&settings.nodes.to_le_bytes());
        bytes[16..24].copy_from_slice(&settings.seed.to_le_bytes());
        bytes[24..26].copy_from_slice(&settings.chess960.to_le_bytes());
        bytes[26..28].copy_from_slice(&kind.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; HEADER], path: &Path) -> Result<Origin, DataError> {
        let path = path.to_path_buf();
        let (body, checksum) = bytes.split_at(28);
        let number = |range: std::ops::Range<usize>| {
            body[range].iter().rev().fold(0u64, |all, &byte| all << 8 | u64::from(byte))
        };
        if body[..8] != MAGIC {
            return Err(DataError::Foreign { path });
        }
        let version = number(8..12) as u32;
        if version != VERSION {
            return Err(DataError::Version { path, version });
        }
        let settings = Settings {
            nodes: number(12..16) as u32,
            seed: number(16..24),
            chess960: number(24..26) as u16,
        };
        match (crc32fast::hash(body).to_le_bytes() == checksum, number(26..28)) {
            (true, 1) => Ok(Origin::Series(settings)),
            (true, 2) => Ok(Origin::Collection),
            _ => Err(DataError::Header { path }),
        }
    }
}

/// Reads a file from its beginning, one game after the other.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    input: BufReader<File>,
    origin: Origin,
    /// Where the record read last begins, and where the next one does.
    start: u64,
    offset: u64,
}

impl GameReader {
    pub fn open(path: &Path) -> Result<GameReader, DataError> {
        let io = |source| DataError::Io { path: path.to_path_buf(), source };
        let mut input = BufReader::with_capacity(1 << 20, File::open(path).map_err(io)?);
        let mut header = [0; HEADER];
        match input.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(DataError::Foreign { path: path.to_path_buf() });
            }
            result => result.map_err(io)?,
        }
        let origin = Origin::decode(&header, path)?;
        let (path, offset) = (path.to_path_buf(), HEADER as u64);
        Ok(GameReader { path, input, origin, start: offset, offset })
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game, or `None` at the end.
    pub fn read(&mut self) -> Result<Option<GameRecord>, DataError> {
        self.start = self.offset;
        let mut bytes = vec![0; 2];
        if self.fill(&mut bytes)? == 0 {
            return Ok(None);
        }
        let size = GameRecord::size([bytes[0], bytes[1]]).map_err(|error| self.damaged(error))?;
        bytes.resize(size, 0);
        let read = 2 + self.fill(&mut bytes[2..])?;
        if read < size {
            return Err(self.damaged(RecordError::Truncated));
        }
        let record = GameRecord::decode(&bytes).map_err(|error| self.damaged(error))?;
        self.offset += size as u64;
        Ok(Some(record))
    }

    /// Says that there is something wrong with the record read last.
    pub fn damaged(&self, source: RecordError) -> DataError {
        DataError::Record { path: self.path.clone(), offset: self.start, source }
    }

    /// Reads as much as there is, up to the whole buffer.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, DataError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(DataError::Io { path: self.path.clone(), source }),
            }
        }
        Ok(filled)
    }
}

impl Iterator for GameReader {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Result<GameRecord, DataError>> {
        self.read().transpose()
    }
}

/// Appends games to a file.
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    file: File,
}

impl GameWriter {
    /// A new file; one that exists is left alone.
    pub fn create(path: &Path, origin: Origin) -> Result<GameWriter, DataError> {
        let file = File::options().write(true).create_new(true).open(path);
        let file = file.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => DataError::Exists { path: path.to_path_buf() },
            _ => DataError::Io { path: path.to_path_buf(), source },
        })?;
        let mut writer = GameWriter { path: path.to_path_buf(), file };
        writer.write_bytes(&origin.encode())?;
        Ok(writer)
    }

    /// The series in the file, or a new one. Calls `known` with each game that is
    /// there already. What a killed writer left unfinished at the end is cut off;
    /// worse damage is an error.
    pub fn resume(
        path: &Path,
        settings: Settings,
        mut known: impl FnMut(&GameRecord) -> Result<(), RecordError>,
    ) -> Result<GameWriter, DataError> {
        let io = |source| DataError::Io { path: path.to_path_buf(), source };
        let length = match std::fs::metadata(path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(source) => return Err(io(source)),
        };
        if length < HEADER as u64 {
            // Missing, or killed before the header was whole.
            let file = File::options().write(true).create(true).truncate(true).open(path);
            let mut writer = GameWriter { path: path.to_path_buf(), file: file.map_err(io)? };
            writer.write_bytes(&Origin::Series(settings).encode())?;
            return Ok(writer);
        }
        let mut reader = GameReader::open(path)?;
        if reader.origin() != Origin::Series(settings) {
            let found = reader.origin();
            return Err(DataError::OtherSettings { path: path.to_path_buf(), found });
        }
        loop {
            let left = length.saturating_sub(reader.offset());
            match reader.read() {
                Ok(Some(record)) => known(&record).map_err(|error| reader.damaged(error))?,
                Ok(None) => break,
                Err(DataError::Record { .. }) if left < GameRecord::MAX_SIZE as u64 => {
                    log::warn!("{}: {left} broken bytes dropped", path.display());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let end = reader.offset();
        let mut file = File::options().write(true).open(path).map_err(io)?;
        file.set_len(end).map_err(io)?;
        file.seek(SeekFrom::Start(end)).map_err(io)?;
        Ok(GameWriter { path: path.to_path_buf(), file })
    }

    /// Writes a game at once.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), DataError> {
        self.write_bytes(&record.encode())
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| DataError::Io { path: self.path.clone(), source })
    }
}
