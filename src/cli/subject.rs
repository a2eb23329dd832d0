//! A position or a file as the only argument: `gambeson game.pgn`.

use super::CliError;
use crate::board::Board;
use crate::files;
use std::path::Path;

/// The largest file that is read, as large as the board's page may send.
const LARGEST_FILE: u64 = 64 << 20;

/// What is to be looked at.
pub(crate) enum Subject {
    Position(Board),
    /// The text of a PGN file.
    #[cfg_attr(not(feature = "play"), allow(dead_code, reason = "for the board"))]
    Games(String),
}

impl Subject {
    /// What these words name, unless they are a UCI command.
    pub(crate) fn of(words: &[String]) -> Result<Option<Subject>, CliError> {
        let line = words.join(" ");
        if looks_like_fen(&line) {
            return Ok(Some(Subject::Position(Board::from_fen(&line)?)));
        }
        match words {
            [word] if looks_like_path(word) => Subject::read(Path::new(word)).map(Some),
            _ => Ok(None),
        }
    }

    /// A file whose first line is a position, or else of games.
    pub(crate) fn read(path: &Path) -> Result<Subject, CliError> {
        let bytes = files::read(path, LARGEST_FILE)
            .map_err(|source| CliError::File { path: path.display().to_string(), source })?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let line = text.lines().next().unwrap_or_default();
        if looks_like_fen(line) {
            return Ok(Subject::Position(Board::from_fen(line)?));
        }
        Ok(Subject::Games(text.to_owned()))
    }
}

/// Eight ranks and something behind them.
fn looks_like_fen(line: &str) -> bool {
    let (ranks, rest) = line.split_once(' ').unwrap_or((line, ""));
    ranks.matches('/').count() == 7 && !rest.is_empty()
}

/// No command of one word has a dot or a separator in it. Several words in one argument
/// may be a command with a path in it, hence only a file if there is one.
fn looks_like_path(word: &str) -> bool {
    let path = Path::new(word);
    let looks = path.extension().is_some() || path.components().count() > 1;
    looks && (!word.contains(char::is_whitespace) || path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_a_subject() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for words in [vec![fen.to_owned()], words(fen)] {
            let found = Subject::of(&words).expect("a good position");
            assert!(matches!(found, Some(Subject::Position(board)) if board.fen() == fen));
        }
        assert!(Subject::of(&words("8/8/8/8/8/8/8/8 w - - 0 1")).is_err());
        assert!(Subject::of(&words("no/such/file")).is_err());
        assert!(Subject::of(&words("none.pgn")).is_err());
        for command in ["d", "go depth 3", "position startpos", "setoption name A value b.c"] {
            assert!(Subject::of(&words(command)).expect("a command").is_none(), "{command}");
        }
        let one_word = ["genfens 1 seed 2 book a/b.epd".to_owned()];
        assert!(Subject::of(&one_word).expect("a command").is_none());
    }

    #[test]
    fn files_of_both_kinds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let kind = |text: &str| {
            std::fs::write(&path, text).expect("writable");
            Subject::read(&path)
        };
        let epd = "\u{feff}\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n";
        assert!(matches!(kind(epd), Ok(Subject::Position(_))));
        assert!(matches!(kind("[White \"A/B\"]\n\n1. e4 *"), Ok(Subject::Games(_))));
        assert!(kind("4k3/8/8/8/8/8/4P3/8 w - - 0 1").is_err());
    }
}
