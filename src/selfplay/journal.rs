//! A text file that grows by a line with every piece of work done, so that a run
//! killed at any moment goes on where it was: a CSV with the settings of the run as
//! comments above it.

use crate::files;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use thiserror::Error;

/// More than the longest run writes.
const LARGEST: u64 = 1 << 30;

#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
}

#[derive(Debug, Error)]
pub(crate) enum JournalError {
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    #[error("{path} is not a state file of this command")]
    Foreign { path: String },
    #[error("{path} is the state of a run with \"{theirs}\", not \"{ours}\"")]
    OtherSettings { path: String, theirs: String, ours: String },
    #[error("{path}: line {line} is damaged")]
    Damaged { path: String, line: usize },
}

impl Journal {
    /// Opens the journal of a run with these settings, `kind` first, and returns the
    /// rows it has. A new file gets the settings and the names of the columns.
    pub(crate) fn open(
        path: &Path,
        kind: &str,
        settings: &[String],
        columns: &str,
    ) -> Result<(Journal, Vec<String>), JournalError> {
        let name = || path.display().to_string();
        let failed = |source| JournalError::File { path: name(), source };
        let header: Vec<String> = std::iter::once(format!("# gambeson {kind}"))
            .chain(settings.iter().map(|setting| format!("# {setting}")))
            .chain([columns.to_owned()])
            .collect();
        let text = match files::read(path, LARGEST) {
            // A file that is not text is not a journal.
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Whole or not at all.
                let new = path.with_extension("new");
                files::write(&new, header.join("\n") + "\n").map_err(failed)?;
                std::fs::rename(&new, path).map_err(failed)?;
                String::new()
            }
            Err(source) => return Err(failed(source)),
        };
        // A line that was being written when the run was killed does not count.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        if !text.is_empty() {
            if lines.next() != header.first().map(String::as_str) {
                return Err(JournalError::Foreign { path: name() });
            }
            for ours in header.iter().skip(1) {
                let theirs = lines.next().unwrap_or_default();
                if theirs != ours {
                    let plain = |line: &str| line.trim_start_matches("# ").to_owned();
                    let (theirs, ours) = (plain(theirs), plain(ours));
                    return Err(JournalError::OtherSettings { path: name(), theirs, ours });
                }
            }
        }
        let rows = lines.map(str::to_owned).collect();
        let file = files::append(path).map_err(failed)?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        Ok((Journal { file }, rows))
    }

    /// Adds a row with one write, so that it is there or not.
    pub(crate) fn add(&mut self, row: &str) -> io::Result<()> {
        self.file.write_all(format!("{row}\n").as_bytes())
    }
}

/// What tells one build of the program from another.
pub(crate) fn program() -> io::Result<String> {
    let bytes = std::fs::read(std::env::current_exe()?)?;
    Ok(format!("program {:08x}", crc32fast::hash(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_and_half_written_ones_do_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.csv");
        let settings = ["nodes 50".to_owned(), "seed 1".to_owned()];
        let open = || Journal::open(&path, "test", &settings, "a,b");
        let (mut journal, rows) = open().expect("a new file");
        assert!(rows.is_empty());
        journal.add("1,2").expect("a row");
        journal.add("3,4").expect("a row");
        drop(journal);
        let text = std::fs::read_to_string(&path).expect("a file");
        assert_eq!(text, "# gambeson test\n# nodes 50\n# seed 1\na,b\n1,2\n3,4\n");
        std::fs::write(&path, format!("{text}5,")).expect("a torn row");
        let (mut journal, rows) = open().expect("the same settings");
        assert_eq!(rows, ["1,2", "3,4"]);
        journal.add("5,6").expect("a row");
        assert_eq!(open().expect("the same settings").1, ["1,2", "3,4", "5,6"]);
    }

    #[test]
    fn foreign_states_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.csv");
        let open = |kind: &str, nodes: u32| {
            Journal::open(&path, kind, &[format!("nodes {nodes}")], "a").map(|_| ())
        };
        open("test", 50).expect("a new file");
        let error = open("test", 60).expect_err("other settings").to_string();
        assert!(error.ends_with("is the state of a run with \"nodes 50\", not \"nodes 60\""));
        assert!(matches!(open("other", 50), Err(JournalError::Foreign { .. })));
        std::fs::write(&path, "a picture").expect("a file");
        assert!(matches!(open("test", 50), Err(JournalError::Foreign { .. })));
    }
}
