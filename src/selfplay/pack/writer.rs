//! Writing packed files.

use super::games::encode;
use super::{BLOCK, BlockHeader, MAGIC, MOST_GAMES, VERSION};
use crate::files;
use crate::selfplay::{DataError, GameRecord, Origin, RecordError, usable};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Packs games into a file that gets its name when it is whole.
#[derive(Debug)]
pub struct PackWriter {
    path: PathBuf,
    unfinished: PathBuf,
    file: File,
    games: Vec<GameRecord>,
    /// Games to a block.
    size: usize,
    blocks: u32,
}

impl PackWriter {
    /// A new file; one that exists is left alone.
    pub fn create(path: &Path, origin: Origin) -> Result<PackWriter, DataError> {
        let unfinished = unfinished(path)?;
        let file = files::create(&unfinished);
        let file = file.map_err(|source| DataError::Io { path: unfinished.clone(), source })?;
        let (path, games) = (path.to_path_buf(), Vec::new());
        let mut writer = PackWriter { path, unfinished, file, games, size: BLOCK, blocks: 0 };
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&origin.encode());
        header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
        writer.write(&header)?;
        Ok(writer)
    }

    /// Puts this many games into a block.
    pub fn blocks_of(mut self, games: usize) -> PackWriter {
        self.size = games.clamp(1, MOST_GAMES as usize);
        self
    }

    /// Fails if an earlier game of the block cannot be replayed.
    pub fn add(&mut self, game: GameRecord) -> Result<(), DataError> {
        self.games.push(game);
        if self.games.len() == self.size { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<(), DataError> {
        let games = std::mem::take(&mut self.games);
        let refused = |source| DataError::Game { path: self.path.clone(), source };
        let bytes = encode(&games).map_err(refused)?;
        let usable: Result<Vec<u64>, RecordError> = games.iter().map(usable::count).collect();
        let header = BlockHeader {
            number: self.blocks,
            first_game: games.first().map_or(0, |game| game.index),
            games: games.len() as u32,
            usable: usable.map_err(refused)?.iter().sum::<u64>() as u32,
            bytes: bytes.len() as u32,
            checksum: crc32fast::hash(&bytes),
        };
        self.write(&[header.encode(), bytes].concat())?;
        self.blocks += 1;
        Ok(())
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(mut self) -> Result<(), DataError> {
        if !self.games.is_empty() {
            self.write_block()?;
        }
        let number = self.blocks;
        let end = BlockHeader { number, first_game: 0, games: 0, usable: 0, bytes: 0, checksum: 0 };
        self.write(&end.encode())?;
        let failed = |source| DataError::Io { path: self.path.clone(), source };
        self.file.sync_all().map_err(failed)?;
        put_in_place(&self.unfinished, &self.path)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| DataError::Io { path: self.unfinished.clone(), source })
    }
}

/// The name of `path` while it is being written. Fails if there is a file of that name.
pub fn unfinished(path: &Path) -> Result<PathBuf, DataError> {
    if path.exists() {
        return Err(DataError::Exists { path: path.to_path_buf() });
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    Ok(name.into())
}

/// Gives a whole file its name, unless another one has got it meanwhile.
pub fn put_in_place(unfinished: &Path, path: &Path) -> Result<(), DataError> {
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::AlreadyExists => DataError::Exists { path: path.to_path_buf() },
        _ => DataError::Io { path: path.to_path_buf(), source },
    };
    match std::fs::hard_link(unfinished, path) {
        Ok(()) => std::fs::remove_file(unfinished).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(failed(error)),
        // Not every file system has links.
        Err(_) => std::fs::rename(unfinished, path).map_err(failed),
    }
}
