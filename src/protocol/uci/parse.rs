//! What stands between a client's line and the `vampirc-uci` parser.
//!
//! The parser is right about well-formed lines, but it panics on some others (a
//! blank after `go`, `depth 256`), cuts numbers and move lists short without a
//! word, and can keep only one of `ponder`, `infinite`, `movetime` and the clocks.
//! So it only ever sees a [`Canonical`] line, rebuilt here from the words it is
//! right about. What it would lose is read here and put back beside its answer.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use super::set_position;
use crate::board::Board;
use crate::engine::command::{Command, GoRequest, Problem};
use crate::engine::read_move;
use std::time::Duration;
use vampirc_uci::UciMessage;

/// The largest time in milliseconds and the largest number of nodes the parser
/// reads to the last digit.
const MAX_TWELVE_DIGITS: u64 = 999_999_999_999;
/// The parser keeps depths and numbers of moves in a byte, and panics beyond.
const MAX_COUNT: u64 = u8::MAX as u64;
/// How much of a client's text we repeat in a message.
const EXCERPT: usize = 100;

/// A line that is safe to give to the parser.
///
/// Among the messages to engines only `go` can make it panic: on a blank before the
/// end of the line, and on a number that does not fit its type. A canonical line
/// has neither, because words are joined by single blanks and numbers come only
/// from [`Canonical::number`]. Messages to clients can make it panic too, but no
/// line made here begins like one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Canonical(String);

impl Canonical {
    fn new(keyword: &'static str) -> Canonical {
        Canonical(keyword.to_owned())
    }

    fn word(&mut self, word: &str) {
        self.0.push(' ');
        self.0.push_str(word);
    }

    fn number(&mut self, keyword: &'static str, value: u64, max: u64) {
        self.word(keyword);
        self.word(&value.min(max).to_string());
    }

    fn parse(&self) -> UciMessage {
        vampirc_uci::parse_one(&self.0)
    }
}

/// What a line is read as.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reading {
    /// By the parser.
    Message(UciMessage),
    /// Clocks, depth, nodes and mate by the parser, and the limits it cannot carry.
    Go(UciMessage, GoRequest),
    /// Here, as the parser would get it wrong.
    Own(Command),
}

/// The first word and what follows it. Words end at ASCII blanks only: paths and
/// names may contain any other.
pub(super) fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let (word, rest) =
        text.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((text, ""));
    (!word.is_empty()).then_some((word, rest))
}

/// As much of a text as belongs in a message.
pub(super) fn excerpt(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

pub(super) fn bad_argument(command: &str, reason: impl Into<String>) -> Problem {
    Problem::BadArgument { command: command.to_owned(), reason: reason.into() }
}

/// Reads a line of UCI proper. Words before the first command are skipped, as the
/// protocol demands: `joho debug on` means `debug on`. The parser accepts commands
/// with letters glued on (`isreadyfoo`), so words are compared here.
pub(super) fn read(line: &str, board: Option<&Board>) -> Result<Reading, Problem> {
    let mut rest = line;
    while let Some((word, tail)) = split_word(rest) {
        let plain = |keyword| Ok(Reading::Message(Canonical::new(keyword).parse()));
        // Words after these say nothing, and the parser drops them just so.
        match word.to_ascii_lowercase().as_str() {
            "uci" => return plain("uci"),
            "isready" => return plain("isready"),
            "ucinewgame" => return plain("ucinewgame"),
            "stop" => return plain("stop"),
            "ponderhit" => return plain("ponderhit"),
            "quit" => return plain("quit"),
            // Nobody has to register, so it does not matter how it is asked.
            "register" => return plain("register later"),
            "debug" => return debug(tail),
            "setoption" => return set_option(tail),
            "position" => {
                // An unreadable position is as bad as an illegal one.
                let refused = |problem| Reading::Own(Command::SetPosition(Err(problem)));
                return Ok(position(tail).unwrap_or_else(refused));
            }
            "go" => return go(tail, board),
            _ => rest = tail,
        }
    }
    Err(Problem::UnknownCommand(excerpt(line)))
}

fn debug(tail: &str) -> Result<Reading, Problem> {
    let switch = split_word(tail).map(|(word, _)| word.to_ascii_lowercase());
    match switch.as_deref() {
        Some("on") => Ok(Reading::Message(Canonical::new("debug on").parse())),
        Some("off") => Ok(Reading::Message(Canonical::new("debug off").parse())),
        Some(other) => {
            Err(bad_argument("debug", format!("\"{}\" is neither on nor off", excerpt(other))))
        }
        None => Err(bad_argument("debug", "on or off is missing")),
    }
}

/// The value is taken as it stands, since a path may contain runs of blanks.
fn set_option(tail: &str) -> Result<Reading, Problem> {
    let mut rest = match split_word(tail) {
        Some((word, rest)) if word.eq_ignore_ascii_case("name") => rest,
        _ => return Err(bad_argument("setoption", "the word \"name\" is missing")),
    };
    let mut name = Vec::new();
    let mut value = None;
    while let Some((word, tail)) = split_word(rest) {
        rest = tail;
        if word.eq_ignore_ascii_case("value") {
            value = Some(rest.trim_ascii()).filter(|value| !value.is_empty());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(bad_argument("setoption", "the name of the option is missing"));
    }
    // The parser takes any word that begins with "value" for the keyword.
    let looks_like_keyword =
        |word: &&str| word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("value"));
    if name.iter().any(looks_like_keyword) {
        let value = value.map(str::to_owned);
        return Ok(Reading::Own(Command::SetOption { name: name.join(" "), value }));
    }
    let mut line = Canonical::new("setoption name");
    name.iter().for_each(|word| line.word(word));
    if let Some(value) = value {
        line.word("value");
        line.word(value);
    }
    Ok(Reading::Message(line.parse()))
}

/// Whether a FEN is legal is for the board to say; here it only has to be there.
fn position(tail: &str) -> Result<Reading, Problem> {
    let mut words = tail.split_ascii_whitespace().peekable();
    let is_moves = |word: &str| word.eq_ignore_ascii_case("moves");
    let first = words.peek().copied().unwrap_or_default();
    if first.eq_ignore_ascii_case("fen") {
        words.next();
    } else if !first.eq_ignore_ascii_case("startpos") && !first.contains('/') {
        return Err(bad_argument("position", "neither startpos nor a FEN"));
    }
    let mut setup = Vec::new();
    while let Some(word) = words.next_if(|word| !is_moves(word)) {
        setup.push(word);
    }
    words.next();
    let moves: Vec<&str> = words.collect();

    let text = setup.join(" ");
    // People paste FENs with their quotation marks.
    let text = text.trim_matches(|letter| matches!(letter, '"' | '\'' | ' '));
    let is_startpos = text.eq_ignore_ascii_case("startpos");
    if text.is_empty() {
        return Err(bad_argument("position", "the FEN is missing"));
    }
    if first.eq_ignore_ascii_case("startpos") && !is_startpos {
        return Err(bad_argument("position", "the word \"moves\" is missing after startpos"));
    }
    let own = || {
        let fen = (!is_startpos).then_some(text);
        Reading::Own(set_position(fen, moves.iter().map(|&word| word.to_owned())))
    };
    // Anything else the parser would cut, change or refuse.
    if !(is_startpos || is_plain_fen(text)) || !moves.iter().all(|word| is_plain_move(word)) {
        return Ok(own());
    }
    let mut line = Canonical::new("position");
    if is_startpos {
        line.word("startpos");
    } else {
        line.word("fen");
        line.word(text);
    }
    if !moves.is_empty() {
        line.word("moves");
        moves.iter().for_each(|word| line.word(word));
    }
    Ok(match line.parse() {
        message @ UciMessage::Position { .. } => Reading::Message(message),
        _ => own(),
    })
}

/// Whether the parser reads this FEN whole, or else refuses it whole.
fn is_plain_fen(text: &str) -> bool {
    let is_counter =
        |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    match text.split(' ').collect::<Vec<_>>().as_slice() {
        [_, _, _, _, clock, number] => is_counter(clock) && is_counter(number),
        _ => false,
    }
}

/// Whether the parser gives this move back letter by letter.
fn is_plain_move(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8']
            | [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', b'q' | b'r' | b'b' | b'n']
    )
}

const GO_KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn go_keyword(word: &str) -> Option<&'static str> {
    GO_KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// What cannot be read is left out and never takes the limits beside it along. But a
/// search without the only limit it should have would never end: `go depth x`, `go dept 3`.
fn go(tail: &str, board: Option<&Board>) -> Result<Reading, Problem> {
    let mut line = Canonical::new("go");
    let mut beyond = GoRequest::default();
    let mut ignored = Vec::new();
    let mut unreadable = None;
    let mut limited = false;
    let mut words = tail.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(keyword) = go_keyword(word) else {
            ignored.push(word);
            continue;
        };
        match keyword {
            "ponder" => beyond.ponder = true,
            "infinite" => beyond.infinite = true,
            "searchmoves" => {
                while let Some(word) = words.next_if(|word| go_keyword(word).is_none()) {
                    // A client that has no move to name sends the null move.
                    let Some(board) = board.filter(|_| word != "0000") else { continue };
                    match read_move(board, word) {
                        Ok(mv) => beyond.search_moves.push(mv),
                        Err(problem) => beyond.illegal_moves.push(problem),
                    }
                }
            }
            "perft" => return perft(words.next()).map(Reading::Own),
            _ => {
                let value = words.peek().copied().and_then(number);
                if let Some(value) = value {
                    words.next();
                    limit(keyword, value, &mut line, &mut beyond);
                    limited |= limits(keyword, value);
                } else {
                    let value = words.peek().map(|word| format!(" {}", excerpt(word)));
                    let value = value.unwrap_or_default();
                    unreadable = Some(format!("not a number: {keyword}{value}"));
                    ignored.push(word);
                }
            }
        }
    }
    if !ignored.is_empty() {
        log::warn!("go: ignoring {}", excerpt(&ignored.join(" ")));
    }
    if !limited && !beyond.infinite && !beyond.ponder {
        let unknown = || ignored.first().map(|word| format!("unknown word: {}", excerpt(word)));
        beyond.refused = unreadable.or_else(unknown);
    }
    Ok(Reading::Go(line.parse(), beyond))
}

/// Whether a search with this ends by itself.
fn limits(keyword: &str, value: i128) -> bool {
    match keyword {
        "winc" | "binc" | "movestogo" => false,
        "wtime" | "btime" | "movetime" => true,
        _ => value >= 0,
    }
}

/// Sets one limit. Clocks may have run out below zero, which leaves no time; but a
/// negative depth or number of nodes is some clients' way to say "no limit".
fn limit(keyword: &'static str, value: i128, line: &mut Canonical, beyond: &mut GoRequest) {
    let count = u64::try_from(value).ok();
    let millis = count.unwrap_or(0);
    match (keyword, count) {
        ("wtime" | "btime" | "winc" | "binc", _) => {
            line.number(keyword, millis, MAX_TWELVE_DIGITS);
        }
        ("movetime", _) => {
            beyond.move_time = Some(Duration::from_millis(millis.min(MAX_TWELVE_DIGITS)));
        }
        (_, None) => {}
        ("nodes", Some(count)) if count > MAX_TWELVE_DIGITS => beyond.nodes = Some(count),
        ("nodes", Some(count)) => {
            // The last of several counts.
            beyond.nodes = None;
            line.number(keyword, count, MAX_TWELVE_DIGITS);
        }
        (_, Some(count)) => line.number(keyword, count, MAX_COUNT),
    }
}

/// The argument of `perft` and `go perft`.
pub(super) fn perft(word: Option<&str>) -> Result<Command, Problem> {
    let depth = word.and_then(number).and_then(|value| u32::try_from(value).ok());
    match depth {
        Some(depth) => Ok(Command::Perft { depth: depth.min(MAX_COUNT as u32) }),
        None => Err(bad_argument("perft", "the depth is missing")),
    }
}

/// Reads a number as clients write it: `1000`, `+5`, `-3`, `1000.5`. Fractions are
/// dropped; numbers beyond 64 bits stay at the limit.
fn number(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits {
        return None;
    }
    // Only an overflow is left to go wrong.
    let value = i128::from(whole.parse().unwrap_or(u64::MAX));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_clients_write_them() {
        for (text, expected) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("+5", Some(5)),
            ("-3", Some(-3)),
            ("1000.5", Some(1000)),
            ("1000.", Some(1000)),
            ("-0.9", Some(0)),
            ("18446744073709551615", Some(i128::from(u64::MAX))),
            ("99999999999999999999999", Some(i128::from(u64::MAX))),
            ("-99999999999999999999999", Some(-i128::from(u64::MAX))),
            ("", None),
            ("-", None),
            ("+", None),
            ("--5", None),
            ("+-5", None),
            (".5", None),
            ("1.2.3", None),
            ("1e5", None),
            ("0x10", None),
            ("5ms", None),
            ("five", None),
            ("\u{0665}", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    /// The parser must take every canonical `go`, and keep every number of it.
    #[test]
    fn the_parser_reads_every_number_it_is_given() {
        let values = ["0", "1", "99", "100", "255", "256", "999", "1000", "999999999999"];
        let values = values.into_iter().chain(["1000000000000", "18446744073709551616"]);
        for value in values {
            for keyword in ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate"]
            {
                let Ok(Reading::Go(message, beyond)) = go(&format!("{keyword} {value}"), None)
                else {
                    panic!("{keyword} {value} is no go");
                };
                let max = match keyword {
                    "movestogo" | "depth" | "mate" => MAX_COUNT,
                    _ => MAX_TWELVE_DIGITS,
                };
                let kept = value.parse().unwrap_or(u64::MAX).min(max);
                if beyond.nodes.is_none() {
                    assert_eq!(message.to_string().trim_end(), format!("go {keyword} {kept}"));
                }
            }
        }
    }

    #[test]
    fn canonical_lines() {
        for (name, input, expected) in [
            ("one word", "  UCI  now", "uci"),
            ("skipped words", "foo bar IsReady", "isready"),
            ("registration", "register name A B code C", "register later"),
            ("blanks in a go", "go   depth\t5   ", "go depth 5"),
            ("nothing left", "go foo ponder infinite movetime 5 searchmoves e2e4", "go"),
            (
                "clamped",
                "go depth 256 mate 1000 movestogo 999",
                "go movestogo 255 depth 255 mate 255",
            ),
            ("negative clocks", "go wtime -5 winc -1", "go wtime 0 winc 0"),
            ("blanks in moves", "position  startpos  moves  e2e4", "position startpos moves e2e4"),
            ("no moves", "position startpos moves", "position startpos"),
            // The serialiser writes an absent value so; the parser reads it as absent.
            (
                "blanks in a name",
                "setoption  name  Clear   Hash ",
                "setoption name Clear Hash value <empty>",
            ),
            ("blanks in a value", "setoption name P value  a  b ", "setoption name P value a  b"),
        ] {
            match read(input, None) {
                Ok(Reading::Message(message) | Reading::Go(message, _)) => {
                    assert_eq!(message.to_string().trim_end(), expected, "{name}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }

    /// Lines the parser would get wrong, so that it must not see them.
    #[test]
    fn lines_kept_from_the_parser() {
        for line in [
            "position startpos moves e1g1 O-O",
            "position startpos moves 0000",
            "position startpos moves E2E4",
            "position startpos moves e7e8Q",
            "position fen 8/8/8/8/8/8/8/K1k5 w - -",
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 12345",
            "setoption name Valued Pieces value 3",
        ] {
            assert!(matches!(read(line, None), Ok(Reading::Own(_))), "{line}");
        }
    }
}
