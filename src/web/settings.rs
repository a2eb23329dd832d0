//! How the engine thinks in all games, kept beside them.

use super::message::{EngineLimits, EngineSettings, RequestError};
use super::store;
use crate::book::Book;
use crate::tablebase::Tablebases;
use std::path::Path;
use std::{fs, io};

const FILE: &str = "settings.json";
/// More than this helps nobody who plays in a browser.
const MAX_HASH: i64 = 4096;

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings { threads: 1, hash: 64, syzygy: String::new(), book: String::new() }
    }
}

pub(super) fn limits() -> EngineLimits {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    EngineLimits { threads: i64::try_from(cores).unwrap_or(1), hash: MAX_HASH }
}

impl EngineSettings {
    /// Whether the engine can think so: the numbers come from outside, and files may be gone.
    pub(super) fn check(&self) -> Result<(), RequestError> {
        let EngineLimits { threads, hash } = limits();
        for (what, value, max) in
            [("the threads", self.threads, threads), ("the hash table in MB", self.hash, hash)]
        {
            if !(1..=max).contains(&value) {
                return Err(RequestError::OutOfRange { what, min: 1.0, max: max as f64 });
            }
        }
        if !self.syzygy.is_empty() {
            let wrong = |reason| RequestError::Settings(format!("tablebases: {reason}"));
            let (_, problems) =
                Tablebases::open(&self.syzygy).map_err(|error| wrong(error.to_string()))?;
            if let Some(problem) = problems.first() {
                return Err(wrong(problem.to_string()));
            }
        }
        if !self.book.is_empty() {
            Book::open(Path::new(&self.book))
                .map_err(|error| RequestError::Settings(format!("the book: {error}")))?;
        }
        Ok(())
    }
}

/// The settings as they were saved, as far as they still make sense.
pub(super) fn load(folder: &Path) -> EngineSettings {
    let Ok(text) = fs::read_to_string(folder.join(FILE)) else { return EngineSettings::default() };
    let read = serde_json::from_str::<EngineSettings>(&text).map_err(|error| error.to_string());
    read.and_then(|settings| match settings.check() {
        Ok(()) => Ok(settings),
        Err(error) => Err(error.to_string()),
    })
    .unwrap_or_else(|error| {
        log::warn!("the engine's settings are not used: {error}");
        EngineSettings::default()
    })
}

pub(super) fn save(folder: &Path, settings: &EngineSettings) -> io::Result<()> {
    let text = serde_json::to_string(settings).map_err(io::Error::other)?;
    store::replace(&folder.join(FILE), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(load(folder.path()), EngineSettings::default());
        let good = EngineSettings { hash: 128, ..EngineSettings::default() };
        good.check().expect("sound");
        save(folder.path(), &good).expect("writable");
        assert_eq!(load(folder.path()), good);
        for bad in [
            EngineSettings { threads: 0, ..good.clone() },
            EngineSettings { hash: 1 << 40, ..good.clone() },
            EngineSettings { syzygy: "/nowhere".to_owned(), ..good.clone() },
            EngineSettings { book: "/nowhere".to_owned(), ..good.clone() },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
            save(folder.path(), &bad).expect("writable");
            assert_eq!(load(folder.path()), EngineSettings::default());
        }
    }
}
