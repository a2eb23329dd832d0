//! `gambeson "genfens N seed S book B" quit`: start positions for games to learn from,
//! as OpenBench asks for them.

use super::CliError;
use super::duel::read_openings;
use crate::selfplay::duel::{Chooser, Openings};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum GenfensError {
    #[error("genfens: \"{0}\" is not a number")]
    Number(String),
    #[error("genfens: unknown word \"{0}\"; the form is genfens N seed S book None|FILE")]
    Word(String),
    #[error("genfens: the number of positions is missing")]
    Count,
    #[error("genfens: the positions of {0} are decided already")]
    Decided(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct GenfensRequest {
    count: u32,
    seed: u64,
    book: Option<PathBuf>,
}

/// Reads the words of the command line, if they are this command: all of it is one
/// word, usually, and `quit` the next.
pub(crate) fn parse(words: &[String]) -> Option<Result<GenfensRequest, GenfensError>> {
    let line = words.join(" ");
    let mut words = line.split_ascii_whitespace();
    (words.next() == Some("genfens")).then(|| read(words))
}

fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<GenfensRequest, GenfensError> {
    let word = |word: Option<&str>| GenfensError::Word(word.unwrap_or_default().to_owned());
    let count = words.next().filter(|word| *word != "quit").ok_or(GenfensError::Count)?;
    let mut request = GenfensRequest { count: number(count)?, ..GenfensRequest::default() };
    while let Some(name) = words.next() {
        match name {
            "seed" => request.seed = number(words.next().ok_or_else(|| word(Some(name)))?)?,
            "book" => {
                let book = words.next().ok_or_else(|| word(Some(name)))?;
                request.book = (!book.eq_ignore_ascii_case("none")).then(|| book.into());
            }
            "quit" => break,
            other => return Err(word(Some(other))),
        }
    }
    Ok(request)
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, GenfensError> {
    text.parse().map_err(|_| GenfensError::Number(text.to_owned()))
}

/// Writes each position as soon as it is found, as somebody may be waiting for it.
pub(crate) fn run(
    request: Result<GenfensRequest, GenfensError>,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let request = request?;
    let openings = match &request.book {
        Some(path) => read_openings(path)?,
        None => Openings::Random { chess960: 0 },
    };
    let mut chooser = Chooser::new().map_err(CliError::Memory)?;
    for index in 0..request.count {
        let decided = || {
            let book = request.book.as_deref().unwrap_or(Path::new("None"));
            GenfensError::Decided(book.display().to_string())
        };
        let board = chooser.start(&openings, request.seed, index).ok_or_else(decided)?;
        writeln!(out, "info string genfens {}", board.fen())?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::collections::HashSet;

    fn fens(line: &str) -> Result<Vec<String>, String> {
        let words = [line.to_owned(), "quit".to_owned()];
        let mut out = Vec::new();
        run(parse(&words).expect("genfens"), &mut out).map_err(|error| error.to_string())?;
        let lines = String::from_utf8(out).expect("text");
        let fen = |line: &str| line.strip_prefix("info string genfens ").expect(line).to_owned();
        Ok(lines.lines().map(fen).collect())
    }

    #[test]
    fn positions_follow_from_the_seed_and_can_be_played() {
        let first = fens("genfens 6 seed 11 book None ").expect("positions");
        assert_eq!(fens("genfens 6 seed 11 book None").expect("positions"), first);
        let mut all: HashSet<String> = first.into_iter().collect();
        all.extend(fens("genfens 6 seed 12 book None").expect("positions"));
        assert_eq!(all.len(), 12);
        for fen in all {
            let board = Board::from_fen(&fen).expect("a legal position");
            assert!(board.has_legal_moves() && board.fullmove_number() >= 5, "{fen}");
        }
    }

    #[test]
    fn positions_of_a_book_are_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.epd");
        let book = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n";
        std::fs::write(&path, book).expect("a file");
        let line = format!("genfens 8 seed 3 book {}", path.display());
        let found = fens(&line).expect("positions");
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), 8);
        let board = |fen: &String| Board::from_fen(fen).expect("a legal position");
        assert!(found.iter().map(board).all(|board| board.fullmove_number() >= 3));
        std::fs::write(&path, "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1\n").expect("a file");
        assert!(fens(&line).expect_err("decided").ends_with("are decided already"));
    }

    #[test]
    fn bad_requests_say_what_is_wrong() {
        for (line, reason) in [
            ("genfens", "genfens: the number of positions is missing"),
            ("genfens x seed 1", "genfens: \"x\" is not a number"),
            ("genfens 3 seed -1", "genfens: \"-1\" is not a number"),
            (
                "genfens 3 nodes 5",
                "genfens: unknown word \"nodes\"; the form is genfens N seed S book None|FILE",
            ),
        ] {
            assert_eq!(fens(line).expect_err(line), reason);
        }
        assert!(parse(&["go".to_owned()]).is_none());
        assert!(fens("genfens 3 book no/such/file").expect_err("missing").contains("no/such/file"));
    }
}
