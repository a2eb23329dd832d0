//! Reading lines on a thread of their own. This is the one place where input is cleaned.

use super::Input;
use crate::engine::{Brake, Halt};
use std::io::{BufRead, Read};
use std::sync::mpsc::Sender;

/// Longer lines are cut: no command needs more, and memory is finite.
const LONGEST_LINE: u64 = 4 << 20;

/// Sends every line, and the end of the input. A line that ends the search going on pulls
/// the brake before it is handed on.
pub(super) fn read_lines(input: &mut dyn BufRead, inputs: &Sender<Input>, brake: &Brake) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(count) if count > 0) {
            let _ = inputs.send(Input::End);
            return;
        }
        let complete = bytes.ends_with(b"\n");
        if !complete && bytes.len() as u64 == LONGEST_LINE {
            skip_line(input);
        }
        let line = clean(&String::from_utf8_lossy(&bytes));
        if let Some(halt) = ends_search(&line) {
            brake.pull(halt);
        }
        if inputs.send(Input::Line(line)).is_err() {
            return;
        }
    }
}

/// The words that end a search at once in either protocol.
fn ends_search(line: &str) -> Option<Halt> {
    match line {
        "stop" => Some(Halt::Answer),
        "?" => Some(Halt::Move),
        _ => None,
    }
}

/// The text without byte order marks, control characters and blanks around it: none of
/// them belongs into any command.
pub(crate) fn clean(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let clean: String = text.chars().filter(|&c| c == '\t' || !c.is_control()).collect();
    clean.trim().to_owned()
}

fn skip_line(input: &mut dyn BufRead) {
    loop {
        let (used, ended) = match input.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(buffer) => match buffer.iter().position(|&byte| byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (buffer.len(), false),
            },
        };
        input.consume(used);
        if ended {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use std::sync::mpsc;

    fn lines(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = mpsc::channel();
        read_lines(&mut BufReader::new(input), &sender, &Brake::default());
        drop(sender);
        let line = |input| match input {
            Input::Line(line) => Some(line),
            Input::End | Input::Engine(_) => None,
        };
        receiver.into_iter().filter_map(line).collect()
    }

    #[test]
    fn cleans_what_arrives() {
        assert_eq!(lines(b"uci\r\n  isready \n"), ["uci", "isready"]);
        assert_eq!(lines(b"\xef\xbb\xbfuci\0\n\xff\xfe go"), ["uci", "\u{fffd}\u{fffd} go"]);
        assert_eq!(lines(b""), Vec::<String>::new());
        let mut long = vec![b'a'; (LONGEST_LINE as usize) * 2 + 7];
        long.extend_from_slice(b"\nuci\n");
        let found = lines(&long);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], "uci");
    }

    #[test]
    fn only_whole_words_end_a_search() {
        for (line, halt) in [
            ("stop", Some(Halt::Answer)),
            ("?", Some(Halt::Move)),
            ("stopp", None),
            ("isready", None),
            ("", None),
        ] {
            assert_eq!(ends_search(line), halt, "{line}");
        }
    }
}
