//! Files of games: a header that says how the games were made, and one record
//! after the other, each written at once and with its own checksum. Whatever kills
//! the writer leaves at most one broken record at the end.

use super::pack::{self, Block, BlockError, LostBlock, PackReader};
use super::{GameRecord, RecordError, Settings};
use crate::files;
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"GMBGAMES";
const VERSION: u32 = 2;
/// Bytes of the header: magic 8, version 4, nodes 4, seed 8, Chess960 share 2, kind 2,
/// checksum of the network 4, nothing 4, CRC-32 4. Version 1 ends with a CRC-32 in the
/// place of the checksum of the network.
const HEADER: usize = 40;
const HEADER_1: usize = 32;

#[derive(Debug, Error)]
pub enum DataError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is not a Gambeson game file", path.display())]
    Foreign { path: PathBuf },
    #[error("{} has version {version}; this program reads versions up to {VERSION}", path.display())]
    Version { path: PathBuf, version: u32 },
    #[error("{} is packed in version {version}; this program reads version 1", path.display())]
    PackVersion { path: PathBuf, version: u32 },
    #[error("{} has a damaged header", path.display())]
    Header { path: PathBuf },
    #[error("{}, byte {offset}: {source}", path.display())]
    Record { path: PathBuf, offset: u64, source: RecordError },
    #[error("{}: {source}", path.display())]
    Game { path: PathBuf, source: RecordError },
    #[error("{} is packed; unpack it first", path.display())]
    Packed { path: PathBuf },
    #[error("{} contains {found}", path.display())]
    OtherSettings { path: PathBuf, found: Origin },
    #[error("{} holds games of another network ({found:08x})", path.display())]
    OtherNetwork { path: PathBuf, found: u32 },
    #[error(
        "{} was made by another version of this program, which plays game {game} differently",
        path.display()
    )]
    OtherProgram { path: PathBuf, game: u32 },
    #[error("{} exists already", path.display())]
    Exists { path: PathBuf },
    #[error("not enough memory: {0}")]
    Memory(#[source] io::Error),
}

/// Where the games of a file come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The first games of one series, in order.
    Series {
        settings: Settings,
        /// The checksum of the network that played, 0 for the hand-crafted evaluation.
        /// Files of version 1 do not say.
        network: Option<u32>,
    },
    /// Games of several files.
    Collection,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Series { settings: Settings { seed, nodes, chess960 }, network } => {
                let share = f64::from(*chess960) / 10.0;
                write!(
                    f,
                    "games of another series: --seed {seed} --nodes {nodes} --frc-share {share}"
                )?;
                match network {
                    Some(0) => write!(f, " --no-net"),
                    Some(checksum) => write!(f, ", network {checksum:08x}"),
                    None => Ok(()),
                }
            }
            Origin::Collection => write!(f, "games of several files"),
        }
    }
}

impl Origin {
    /// The header of a file, of version 1 if that says all there is to say.
    pub(super) fn encode(self) -> Vec<u8> {
        let (kind, settings, network) = match self {
            Origin::Series { settings, network } => (1u16, settings, network),
            Origin::Collection => (2, Settings { seed: 0, nodes: 0, chess960: 0 }, Some(0)),
        };
        let version = if network.is_some() { VERSION } else { 1 };
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&version.to_le_bytes());
        bytes.extend_from_slice(&settings.nodes.to_le_bytes());
        bytes.extend_from_slice(&settings.seed.to_le_bytes());
        bytes.extend_from_slice(&settings.chess960.to_le_bytes());
        bytes.extend_from_slice(&kind.to_le_bytes());
        if let Some(network) = network {
            bytes.extend_from_slice(&network.to_le_bytes());
            bytes.extend_from_slice(&[0; 4]);
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a header and says how long it is.
    pub(super) fn read(input: &mut impl Read, path: &Path) -> Result<(Origin, usize), DataError> {
        let path = path.to_path_buf();
        let io = |source: io::Error| match source.kind() {
            ErrorKind::UnexpectedEof => DataError::Foreign { path: path.clone() },
            _ => DataError::Io { path: path.clone(), source },
        };
        let mut bytes = [0; HEADER];
        input.read_exact(&mut bytes[..HEADER_1]).map_err(io)?;
        if bytes[..8] != MAGIC {
            return Err(DataError::Foreign { path });
        }
        let number = |bytes: &[u8], range: std::ops::Range<usize>| {
            bytes[range].iter().rev().fold(0u64, |all, &byte| all << 8 | u64::from(byte))
        };
        let version = number(&bytes, 8..12) as u32;
        let length = match version {
            1 => HEADER_1,
            VERSION => HEADER,
            _ => return Err(DataError::Version { path, version }),
        };
        input.read_exact(&mut bytes[HEADER_1..length]).map_err(io)?;
        let (body, checksum) = bytes[..length].split_at(length - 4);
        let settings = Settings {
            nodes: number(body, 12..16) as u32,
            seed: number(body, 16..24),
            chess960: number(body, 24..26) as u16,
        };
        let network = (version > 1).then(|| number(&bytes, 28..32) as u32);
        match (crc32fast::hash(body).to_le_bytes() == checksum, number(body, 26..28)) {
            (true, 1) => Ok((Origin::Series { settings, network }, length)),
            (true, 2) => Ok((Origin::Collection, length)),
            _ => Err(DataError::Header { path }),
        }
    }
}

/// Reads a file of games, packed or not, from its beginning, one game after the other.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    source: AnyReader,
}

/// Games that were read at once.
#[derive(Debug)]
pub enum GameBatch {
    Plain(Vec<GameRecord>),
    Packed(Block),
}

impl GameBatch {
    /// How many games it has.
    pub fn count(&self) -> usize {
        match self {
            GameBatch::Plain(games) => games.len(),
            GameBatch::Packed(block) => block.count,
        }
    }

    pub fn games(&self) -> Result<Cow<'_, [GameRecord]>, BlockError> {
        match self {
            GameBatch::Plain(games) => Ok(Cow::Borrowed(games)),
            GameBatch::Packed(block) => Ok(Cow::Owned(block.games()?)),
        }
    }
}

/// Games in a batch that are not packed.
const BATCH: usize = 1_024;

#[derive(Debug)]
enum AnyReader {
    Plain(PlainReader),
    Packed { reader: PackReader<File>, games: std::vec::IntoIter<GameRecord> },
}

#[derive(Debug)]
struct PlainReader {
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
        let mut file = files::open(path).map_err(io)?;
        let mut magic = Vec::new();
        let length = pack::MAGIC.len() as u64;
        Read::by_ref(&mut file).take(length).read_to_end(&mut magic).map_err(io)?;
        file.rewind().map_err(io)?;
        let source = if magic == pack::MAGIC {
            let reader = PackReader::new(file, path)?;
            AnyReader::Packed { reader, games: Vec::new().into_iter() }
        } else {
            let mut input = BufReader::with_capacity(1 << 20, file);
            let (origin, length) = Origin::read(&mut input, path)?;
            let (path, offset) = (path.to_path_buf(), length as u64);
            AnyReader::Plain(PlainReader { path, input, origin, start: offset, offset })
        };
        Ok(GameReader { path: path.to_path_buf(), source })
    }

    pub fn origin(&self) -> Origin {
        match &self.source {
            AnyReader::Plain(reader) => reader.origin,
            AnyReader::Packed { reader, .. } => reader.origin(),
        }
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> u64 {
        match &self.source {
            AnyReader::Plain(reader) => reader.offset,
            AnyReader::Packed { reader, .. } => reader.offset(),
        }
    }

    /// Whether scores are as a packed file keeps them.
    pub fn is_packed(&self) -> bool {
        matches!(self.source, AnyReader::Packed { .. })
    }

    /// The blocks of a packed file that were damaged and left out so far.
    pub fn lost(&self) -> &[LostBlock] {
        match &self.source {
            AnyReader::Plain(_) => &[],
            AnyReader::Packed { reader, .. } => reader.lost(),
        }
    }

    /// The next game, or `None` at the end.
    pub fn read(&mut self) -> Result<Option<GameRecord>, DataError> {
        match &mut self.source {
            AnyReader::Plain(reader) => reader.read(),
            AnyReader::Packed { reader, games } => loop {
                if let Some(game) = games.next() {
                    return Ok(Some(game));
                }
                match reader.read()? {
                    Some(block) => *games = block.into_iter(),
                    None => return Ok(None),
                }
            },
        }
    }

    /// The next games, some thousand at once and still packed if they are packed, for
    /// those who share the work between threads. Not to be mixed with
    /// [`GameReader::read`].
    pub fn read_batch(&mut self) -> Result<Option<GameBatch>, DataError> {
        match &mut self.source {
            AnyReader::Plain(reader) => {
                let games = std::iter::from_fn(|| reader.read().transpose()).take(BATCH);
                let games = games.collect::<Result<Vec<_>, _>>()?;
                Ok((!games.is_empty()).then_some(GameBatch::Plain(games)))
            }
            AnyReader::Packed { reader, .. } => Ok(reader.read_block()?.map(GameBatch::Packed)),
        }
    }

    /// Reports a batch whose games make no sense.
    pub fn lose(&mut self, batch: &GameBatch, error: BlockError) {
        if let (AnyReader::Packed { reader, .. }, GameBatch::Packed(block)) =
            (&mut self.source, batch)
        {
            reader.lose(block.number, error);
        }
    }

    /// Says that there is something wrong with the game read last.
    pub fn damaged(&self, source: RecordError) -> DataError {
        match &self.source {
            AnyReader::Plain(reader) => reader.damaged(source),
            AnyReader::Packed { .. } => DataError::Game { path: self.path.clone(), source },
        }
    }
}

impl PlainReader {
    /// The next game, or `None` at the end.
    fn read(&mut self) -> Result<Option<GameRecord>, DataError> {
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
    fn damaged(&self, source: RecordError) -> DataError {
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

    /// The series in the file, or a new one, by the network with this checksum. Calls `known` with each game that is
    /// there already. What a killed writer left unfinished at the end is cut off;
    /// worse damage is an error.
    pub fn resume(
        path: &Path,
        settings: Settings,
        network: u32,
        mut known: impl FnMut(&GameRecord) -> Result<(), RecordError>,
    ) -> Result<GameWriter, DataError> {
        let io = |source| DataError::Io { path: path.to_path_buf(), source };
        let length = match std::fs::metadata(path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(source) => return Err(io(source)),
        };
        let origin = Origin::Series { settings, network: Some(network) };
        let header = origin.encode();
        let unfinished = || files::read(path, HEADER as u64);
        if length == 0 || length < HEADER as u64 && header.starts_with(&unfinished().map_err(io)?) {
            // Missing, or killed before the header was whole.
            let file = files::create(path).map_err(io)?;
            let mut writer = GameWriter { path: path.to_path_buf(), file };
            writer.write_bytes(&header)?;
            return Ok(writer);
        }
        let mut reader = GameReader::open(path)?;
        let path_buf = || path.to_path_buf();
        if matches!(reader.source, AnyReader::Packed { .. }) {
            return Err(DataError::Packed { path: path_buf() });
        }
        match reader.origin() {
            Origin::Series { settings: found, network: Some(other) }
                if found == settings && other != network =>
            {
                return Err(DataError::OtherNetwork { path: path_buf(), found: other });
            }
            Origin::Series { settings: found, .. } if found == settings => {}
            found => return Err(DataError::OtherSettings { path: path_buf(), found }),
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
        let mut file = files::open_regular(path, File::options().write(true)).map_err(io)?;
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
