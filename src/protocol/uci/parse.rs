//! From a line to a command, through the parser of `vampirc-uci` where that is right.
//!
//! It is right about well-formed lines, but it panics on some others (a blank after
//! `go`, `depth 256`), cuts numbers and move lists short without a word, and can keep
//! only one of `ponder`, `infinite`, `movetime` and the clocks. So it only ever sees a
//! [`Canonical`] line, rebuilt here from the words it is right about. What it would lose
//! is read here and put beside its answer.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use crate::board::Board;
use crate::engine::command::{Command, GoRequest, Problem, Show};
use crate::engine::{Position, read_move};
use crate::protocol::ECHO;
use crate::text::excerpt;
use std::time::Duration;
use vampirc_uci::{UciMessage, UciMove, UciTimeControl};

/// The largest time in milliseconds and the largest number of nodes the parser
/// reads to the last digit.
const MAX_TWELVE_DIGITS: u64 = 999_999_999_999;
/// The parser keeps depths and numbers of moves in a byte, and panics beyond.
const MAX_COUNT: u64 = u8::MAX as u64;

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

/// The first word and what follows it. Words end at ASCII blanks only: paths and
/// names may contain any other.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let (word, rest) =
        text.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((text, ""));
    (!word.is_empty()).then_some((word, rest))
}

fn bad_argument(command: &str, reason: impl Into<String>) -> Problem {
    Problem::BadArgument { command: command.to_owned(), reason: reason.into() }
}

/// Reads a line. `None` if it asks for nothing. Words before the first command of UCI are
/// skipped, as the protocol demands: `joho debug on` means `debug on`. The parser accepts
/// commands with letters glued on (`isreadyfoo`), so words are compared here.
pub(super) fn command(line: &str, board: Option<&Board>) -> Result<Option<Command>, Problem> {
    let Some((word, tail)) = split_word(line) else { return Ok(None) };
    if let Some(command) = extension(word, tail) {
        return command.map(Some);
    }
    let mut rest = line;
    while let Some((word, tail)) = split_word(rest) {
        // Words after these say nothing, and the parser drops them just so.
        let canonical = match word.to_ascii_lowercase().as_str() {
            "uci" => Canonical::new("uci"),
            "isready" => Canonical::new("isready"),
            "ucinewgame" => Canonical::new("ucinewgame"),
            "stop" => Canonical::new("stop"),
            "ponderhit" => Canonical::new("ponderhit"),
            "quit" => Canonical::new("quit"),
            // Nobody has to register, so it does not matter how it is asked.
            "register" => Canonical::new("register later"),
            "debug" => debug(tail)?,
            "setoption" => return set_option(tail).map(Some),
            // An unreadable position is as bad as an illegal one.
            "position" => return Ok(Some(Command::SetPosition(position(tail)))),
            "go" => return go(tail, board).map(Some),
            _ => {
                rest = tail;
                continue;
            }
        };
        return Ok(Some(match canonical.parse() {
            UciMessage::Uci => Command::Identify,
            UciMessage::IsReady => Command::Ready(String::new()),
            UciMessage::UciNewGame => Command::ClearGame,
            UciMessage::Stop => Command::Stop,
            UciMessage::PonderHit => Command::PonderHit,
            UciMessage::Quit => Command::Quit,
            UciMessage::Debug(on) => Command::Debug(on),
            UciMessage::Register { .. } => return Ok(None),
            _ => break,
        }));
    }
    Err(Problem::UnknownCommand(excerpt(line, ECHO)))
}

/// Commands for people. Unlike those of UCI they count only at the beginning of a
/// line: most are everyday words, and a mistyped `position ... moves ...` should
/// not list moves.
fn extension(word: &str, tail: &str) -> Option<Result<Command, Problem>> {
    let mut words = tail.split_ascii_whitespace();
    let command = match word.to_ascii_lowercase().as_str() {
        "d" | "print" | "board" => Command::Show(Show::Board),
        "eval" => Command::Show(Show::Evaluation),
        "moves" => Command::Show(Show::Moves),
        "fen" => Command::Show(Show::Fen),
        "help" | "?" => Command::Show(Show::Help),
        "license" => Command::Show(Show::License),
        "compiler" => Command::Show(Show::Compiler),
        "flip" => Command::Flip,
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "perft" => return Some(perft(words.next())),
        _ => return None,
    };
    Some(Ok(command))
}

fn debug(tail: &str) -> Result<Canonical, Problem> {
    let switch = split_word(tail).map(|(word, _)| word.to_ascii_lowercase());
    match switch.as_deref() {
        Some("on") => Ok(Canonical::new("debug on")),
        Some("off") => Ok(Canonical::new("debug off")),
        Some(other) => {
            let reason = format!("\"{}\" is neither on nor off", excerpt(other, ECHO));
            Err(bad_argument("debug", reason))
        }
        None => Err(bad_argument("debug", "on or off is missing")),
    }
}

/// The value is taken as it stands, since a path may contain runs of blanks.
fn set_option(tail: &str) -> Result<Command, Problem> {
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
    if !name.iter().any(looks_like_keyword) {
        let mut line = Canonical::new("setoption name");
        name.iter().for_each(|word| line.word(word));
        if let Some(value) = value {
            line.word("value");
            line.word(value);
        }
        if let UciMessage::SetOption { name, value } = line.parse() {
            return Ok(Command::SetOption { name, value });
        }
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(str::to_owned) })
}

/// Whether a FEN is legal is for the board to say; here it only has to be there.
fn position(tail: &str) -> Result<Position, Problem> {
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
    let fen = (!text.eq_ignore_ascii_case("startpos")).then_some(text);
    if text.is_empty() {
        return Err(bad_argument("position", "the FEN is missing"));
    }
    if first.eq_ignore_ascii_case("startpos") && fen.is_some() {
        return Err(bad_argument("position", "the word \"moves\" is missing after startpos"));
    }
    // Anything else the parser would cut, change or refuse.
    if fen.is_none_or(is_plain_fen) && moves.iter().all(|word| is_plain_move(word)) {
        let mut line = Canonical::new("position");
        line.word(if fen.is_some() { "fen" } else { "startpos" });
        fen.iter().for_each(|fen| line.word(fen));
        if !moves.is_empty() {
            line.word("moves");
            moves.iter().for_each(|word| line.word(word));
        }
        if let UciMessage::Position { fen, moves, .. } = line.parse() {
            let fen = fen.as_ref().map(|fen| fen.as_str());
            return set_up(fen, moves.iter().map(UciMove::to_string));
        }
    }
    set_up(fen, moves.iter())
}

/// A position is taken as a whole or not at all.
fn set_up(
    fen: Option<&str>,
    moves: impl Iterator<Item = impl AsRef<str>>,
) -> Result<Position, Problem> {
    let mut position = fen.map_or_else(|| Ok(Position::default()), Position::from_fen)?;
    for text in moves {
        let mv = read_move(position.board(), text.as_ref())?;
        position.play(mv);
    }
    Ok(position)
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
fn go(tail: &str, board: Option<&Board>) -> Result<Command, Problem> {
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
            "perft" => return perft(words.next()),
            _ => {
                let value = words.peek().copied().and_then(number);
                if let Some(value) = value {
                    words.next();
                    limit(keyword, value, &mut line, &mut beyond);
                    limited |= limits(keyword, value);
                } else {
                    let value = words.peek().map(|word| format!(" {}", excerpt(word, ECHO)));
                    let value = value.unwrap_or_default();
                    unreadable = Some(format!("not a number: {keyword}{value}"));
                    ignored.push(word);
                }
            }
        }
    }
    if !ignored.is_empty() {
        log::warn!("go: ignoring {}", excerpt(&ignored.join(" "), ECHO));
    }
    if !limited && !beyond.infinite && !beyond.ponder {
        let unknown =
            || ignored.first().map(|word| format!("unknown word: {}", excerpt(word, ECHO)));
        beyond.refused = unreadable.or_else(unknown);
    }
    Ok(Command::Go(with_limits(line.parse(), beyond)))
}

/// Adds the limits that went through the parser to those that could not.
fn with_limits(message: UciMessage, mut request: GoRequest) -> GoRequest {
    let UciMessage::Go { time_control, search_control } = message else {
        debug_assert!(false, "the parser refused a canonical go: {message:?}");
        log::error!("the parser refused a canonical go: {message:?}");
        return request;
    };
    let duration = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
    if let Some(UciTimeControl::TimeLeft {
        white_time,
        black_time,
        white_increment,
        black_increment,
        moves_to_go,
    }) = time_control
    {
        request.time =
            [white_time, black_time].map(|time| time.map(|t| duration(t.num_milliseconds())));
        request.increment = [white_increment, black_increment]
            .map(|time| time.map(|t| duration(t.num_milliseconds())));
        request.moves_to_go = moves_to_go.map(u32::from);
    }
    if let Some(control) = search_control {
        request.depth = control.depth.map(u32::from);
        request.nodes = request.nodes.or(control.nodes);
        request.mate = control.mate.map(u32::from);
    }
    request
}

/// Whether a search with this comes to an end.
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
fn perft(word: Option<&str>) -> Result<Command, Problem> {
    let depth = word.and_then(number).and_then(|value| u32::try_from(value).ok());
    match depth {
        Some(depth) => Ok(Command::Perft { depth: depth.min(MAX_COUNT as u32) }),
        None => Err(bad_argument("perft", "the depth is missing")),
    }
}

/// Reads a number as clients write it: `1000`, `+5`, `-3`, `1000.5`. Fractions are
/// dropped; numbers beyond 64 bits stay at the limit.
pub(super) fn number(word: &str) -> Option<i128> {
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
