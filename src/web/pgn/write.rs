//! Writing, in the standard's export format: the seven tags first, lines of at
//! most 80 columns.

use super::{Pgn, PgnMove};
use crate::board::Board;
use crate::types::Color;
use std::fmt;
use std::time::Duration;

const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
const WIDTH: usize = 80;

impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in ROSTER {
            let unknown = if name == "Date" { "????.??.??" } else { "?" };
            tag(f, name, self.tag(name).unwrap_or(unknown))?;
        }
        tag(f, "Result", &self.result.to_string())?;
        let chess960 = !self.start.castling_is_orthodox();
        if chess960 {
            tag(f, "Variant", "Chess960")?;
        }
        for (name, value) in &self.tags {
            let derived = ROSTER.contains(&name.as_str()) || name == "Variant";
            if !derived {
                tag(f, name, value)?;
            }
        }
        let fen = self.start.fen();
        if fen != Board::START_FEN {
            tag(f, "SetUp", "1")?;
            tag(f, "FEN", &fen)?;
        }
        writeln!(f)?;
        self.movetext(f)
    }
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let printable: String = value.chars().filter(|c| !c.is_control()).collect();
    let escaped = printable.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{escaped}\"]")
}

impl Pgn {
    fn movetext(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines { f, column: 0 };
        let mut board = self.start.clone();
        let mut number_is_due = true;
        for played in &self.moves {
            let number = board.fullmove_number();
            match board.side_to_move() {
                Color::White => lines.word(&format!("{number}."))?,
                Color::Black if number_is_due => lines.word(&format!("{number}..."))?,
                Color::Black => {}
            }
            lines.word(&board.san(played.mv))?;
            board.make(played.mv);
            let comment = comment(played);
            // After a comment the number is written again.
            number_is_due = !comment.is_empty();
            for word in comment.split_whitespace() {
                lines.word(word)?;
            }
        }
        lines.word(&self.result.to_string())?;
        writeln!(lines.f)
    }
}

/// Puts words into lines.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.f.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.f.write_str(" ")?;
            self.column += 1;
        }
        self.column += width;
        self.f.write_str(word)
    }
}

/// With its braces; empty if there is nothing to say.
fn comment(played: &PgnMove) -> String {
    let mut parts = Vec::new();
    if let Some(eval) = played.eval {
        parts.push(format!("[%eval {eval}]"));
    }
    if let Some(clock) = played.clock {
        parts.push(format!("[%clk {}]", clock_text(clock)));
    }
    if !played.comment.is_empty() {
        parts.push(played.comment.replace(['{', '}'], "|"));
    }
    if parts.is_empty() { String::new() } else { format!("{{ {} }}", parts.join(" ")) }
}

/// Hours, minutes and seconds, with tenths where the last minute runs.
fn clock_text(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match clock.subsec_millis() / 100 {
        tenths @ 1.. if seconds < 60 => format!("{text}.{tenths}"),
        _ => text,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::web::pgn::Eval;

    #[test]
    fn writes_what_it_reads() {
        let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
            [White \"A \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[Annotator \"me\"]\n\
            [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n\
            7... Ke7 { [%eval -1.05] [%clk 0:00:07.3] so } 8. e4 { [%eval #-3] } 8... Ke6 9.\n\
            Kd2 1/2-1/2\n";
        assert_eq!(Pgn::parse(text).unwrap().to_string(), text);
    }

    #[test]
    fn lines_stay_short_and_comments_closed() {
        let mut pgn = Pgn::parse("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *").unwrap();
        for played in &mut pgn.moves {
            played.comment = "a } brace {".to_owned();
            played.eval = Some(Eval::Centipawns(-3));
            played.clock = Some(Duration::from_secs(3661));
        }
        let text = pgn.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.contains("[%clk 1:01:01]") && text.contains("[%eval -0.03]"), "{text}");
        let again = Pgn::parse(&text).unwrap();
        assert_eq!(again.moves.len(), 8);
        assert!(again.moves.iter().all(|played| played.comment == "a | brace |"));
    }
}
