//! Who made the games of a merged file: a text beside it with a line for each of the
//! files that went into it, so that every game can still be replayed and its maker named.

use super::{DataError, GameReader, Origin, Settings};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;

const TITLE: &str = "# gambeson sources: games, first number, seed, nodes, Chess960 per mille, \
                     network, packed, file";
/// No list is longer: a line for each of a million files.
const LARGEST: u64 = 1 << 27;

/// The games of one file, in the order they have in the merged one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub games: u64,
    /// `None` for games that are no series' and cannot be replayed.
    pub series: Option<Series>,
    /// The name of the file they came in.
    pub file: String,
}

/// What is needed to play the games again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    pub settings: Settings,
    pub network: u32,
    /// The number of the first game.
    pub first: u32,
    /// Whether its scores are as a packed file keeps them.
    pub packed: bool,
}

#[derive(Debug, Error)]
pub enum SourcesError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is not a list of sources", path.display())]
    Foreign { path: PathBuf },
    #[error("{}, line {line}: not a source", path.display())]
    Line { path: PathBuf, line: usize },
    #[error("{one} and {other} both hold game {game} of seed {seed}")]
    Twice { one: String, other: String, game: u32, seed: u64 },
}

impl Source {
    fn range(&self, series: &Series) -> Range<u64> {
        let first = u64::from(series.first);
        first..first.saturating_add(self.games)
    }

    fn parse(line: &str) -> Option<Source> {
        let mut words = line.splitn(8, ' ');
        let games = words.next()?.parse().ok()?;
        let series: Vec<&str> = words.by_ref().take(6).collect();
        let file = words.next()?.to_owned();
        let series = match series.as_slice() {
            ["-", "-", "-", "-", "-", "-"] => None,
            [first, seed, nodes, chess960, network, packed] => Some(Series {
                settings: Settings {
                    seed: seed.parse().ok()?,
                    nodes: nodes.parse().ok()?,
                    chess960: chess960.parse().ok()?,
                },
                network: u32::from_str_radix(network, 16).ok()?,
                first: first.parse().ok()?,
                packed: match *packed {
                    "packed" => true,
                    "plain" => false,
                    _ => return None,
                },
            }),
            _ => return None,
        };
        Some(Source { games, series, file })
    }

    fn line(&self) -> String {
        let Source { games, file, .. } = self;
        match &self.series {
            None => format!("{games} - - - - - - {file}\n"),
            Some(Series { settings, network, first, packed }) => {
                let Settings { seed, nodes, chess960 } = settings;
                let packed = if *packed { "packed" } else { "plain" };
                format!("{games} {first} {seed} {nodes} {chess960} {network:08x} {packed} {file}\n")
            }
        }
    }
}

/// Where the sources of a file of games are.
pub fn beside(games: &Path) -> PathBuf {
    let mut name = games.as_os_str().to_owned();
    name.push(".sources");
    name.into()
}

/// The sources of a file: of a series itself, otherwise what stands beside it, otherwise
/// games of nobody knows whom.
pub fn of_file(path: &Path) -> Result<Vec<Source>, SourcesError> {
    let mut reader = GameReader::open(path)?;
    let list = beside(path);
    let origin = reader.origin();
    if origin == Origin::Collection && list.exists() {
        return read(&list);
    }
    let (mut games, mut first) = (0, None);
    while let Some(record) = reader.read()? {
        games += 1;
        first.get_or_insert(record.index);
    }
    let series = match (origin, first) {
        (Origin::Series { settings, network: Some(network) }, Some(first)) => {
            Some(Series { settings, network, first, packed: reader.is_packed() })
        }
        _ => None,
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let file = file.replace(['\n', '\r'], " ");
    Ok(vec![Source { games, series, file }])
}

fn read(path: &Path) -> Result<Vec<Source>, SourcesError> {
    let bytes = crate::files::read(path, LARGEST)
        .map_err(|source| SourcesError::Io { path: path.to_path_buf(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(TITLE) {
        return Err(SourcesError::Foreign { path: path.to_path_buf() });
    }
    let source = |(line, text): (usize, &str)| {
        let path = || path.to_path_buf();
        Source::parse(text).ok_or_else(|| SourcesError::Line { path: path(), line })
    };
    lines.map(source).collect()
}

/// Writes the list beside a file of games.
pub fn write(games: &Path, sources: &[Source]) -> Result<(), SourcesError> {
    let lines: String = sources.iter().map(Source::line).collect();
    let path = beside(games);
    crate::files::write(&path, format!("{TITLE}\n{lines}"))
        .map_err(|source| SourcesError::Io { path, source })
}

/// Refuses games that came twice: from somebody who sends another's as his own, too.
pub fn refuse_duplicates(sources: &[Source]) -> Result<(), SourcesError> {
    let mut ranges: Vec<_> = sources
        .iter()
        .filter_map(|source| source.series.map(|series| (series, source)))
        .map(|(series, source)| {
            let Settings { seed, nodes, chess960 } = series.settings;
            ((seed, nodes, chess960, series.network), source.range(&series), source)
        })
        .collect();
    ranges.sort_by_key(|(series, range, _)| (*series, range.start));
    for pair in ranges.windows(2) {
        let [(series, range, one), (next_series, next, other)] = pair else { continue };
        if series == next_series && next.start < range.end {
            return Err(SourcesError::Twice {
                one: one.file.clone(),
                other: other.file.clone(),
                game: next.start as u32,
                seed: series.0,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(first: u32, games: u64, file: &str) -> Source {
        let settings = Settings { seed: 7, nodes: 300, chess960: 100 };
        let series = Some(Series { settings, network: 0xABCD, first, packed: first > 0 });
        Source { games, series, file: file.to_owned() }
    }

    #[test]
    fn lists_survive_and_others_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().join("all.games");
        let imported = Source { games: 5, series: None, file: "lichess.games".to_owned() };
        let sources = vec![source(0, 50, "by alice.games"), imported, source(50, 9, "bob")];
        write(&games, &sources).expect("room");
        assert_eq!(read(&beside(&games)).expect("a list"), sources);
        for (text, expected) in [
            ("", "is not a list of sources"),
            ("a picture\n", "is not a list of sources"),
            (&format!("{TITLE}\n5 0 7 300 0 zz plain file\n"), "line 2: not a source"),
            (&format!("{TITLE}\n5 0 7 300 0 00000000 zipped file\n"), "line 2: not a source"),
            (&format!("{TITLE}\n5 0 7 300 0\n"), "line 2: not a source"),
        ] {
            std::fs::write(beside(&games), text).expect("room");
            let error = read(&beside(&games)).expect_err(text).to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn games_that_came_twice_are_noticed() {
        let (alice, bob) = (source(0, 50, "alice"), source(50, 50, "bob"));
        assert!(refuse_duplicates(&[bob.clone(), alice.clone()]).is_ok());
        let copy = source(99, 1, "carol");
        let error = refuse_duplicates(&[alice, copy, bob]).expect_err("twice").to_string();
        assert_eq!(error, "bob and carol both hold game 99 of seed 7");
    }
}
