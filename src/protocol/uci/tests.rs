//! What clients may send, well-formed and not, and what it must come to.

use super::parse::number;
use super::*;
use crate::engine::Position;
use crate::engine::command::GoRequest;
use crate::protocol::clean;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fmt::Write as _;
use std::time::Duration;

/// A result in few words: quoted texts, and `!` before a problem's kind.
fn told(line: &str) -> String {
    match Uci::default().parse(&clean(line), Some(&Board::startpos())) {
        Ok(None) => "nothing".to_owned(),
        Ok(Some(Command::Go(request))) => told_go(&request),
        Ok(Some(Command::SetOption { name, value: None })) => format!("set {name:?}"),
        Ok(Some(Command::SetOption { name, value: Some(value) })) => {
            format!("set {name:?} {value:?}")
        }
        Ok(Some(Command::SetPosition(Ok(position)))) => told_position(position),
        Ok(Some(Command::SetPosition(Err(problem)))) => match problem {
            Problem::BadArgument { command, .. } => format!("!bad {command}"),
            Problem::IllegalMove { text, .. } => format!("!illegal move {text}"),
            Problem::IllegalPosition(_) => "!illegal position".to_owned(),
            other => format!("!{other}"),
        },
        Ok(Some(command)) => format!("{command:?}"),
        Err(Problem::UnknownCommand(text)) => format!("!unknown {text}"),
        Err(Problem::BadArgument { command, .. }) => format!("!bad {command}"),
        Err(other) => format!("!{other}"),
    }
}

/// Where it started and the moves.
fn told_position(mut position: Position) -> String {
    let mut moves = Vec::new();
    while let Some(mv) = position.last_move() {
        moves.push(mv.coordinates(false));
        position.take_back(1);
    }
    let start = position.board().fen();
    moves.push(if start == Board::START_FEN { "start".to_owned() } else { start });
    moves.reverse();
    moves.join("|")
}

fn told_go(go: &GoRequest) -> String {
    let mut text = "go".to_owned();
    let millis = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    for (name, value) in [
        ("wtime", millis(go.time[0])),
        ("btime", millis(go.time[1])),
        ("winc", millis(go.increment[0])),
        ("binc", millis(go.increment[1])),
        ("togo", go.moves_to_go.map(u64::from)),
        ("movetime", millis(go.move_time)),
        ("depth", go.depth.map(u64::from)),
        ("nodes", go.nodes),
        ("mate", go.mate.map(u64::from)),
    ] {
        if let Some(value) = value {
            _ = write!(text, " {name} {value}");
        }
    }
    for (name, on) in [("ponder", go.ponder), ("infinite", go.infinite)] {
        text += if on { " " } else { "" };
        text += if on { name } else { "" };
    }
    if let Some(reason) = &go.refused {
        _ = write!(text, " !{reason}");
    }
    if !go.search_moves.is_empty() {
        let moves: Vec<_> = go.search_moves.iter().map(|mv| mv.coordinates(false)).collect();
        _ = write!(text, " only {}", moves.join(","));
    }
    text
}

fn check(rows: &[(&str, &str, &str)]) {
    for (name, line, expected) in rows {
        assert_eq!(told(line), *expected, "{name}: {line:?}");
    }
}

#[test]
fn simple_commands() {
    check(&[
        ("uci", "uci", "Identify"),
        ("isready", "isready", "Ready(\"\")"),
        ("ucinewgame", "ucinewgame", "ClearGame"),
        ("stop", "stop", "Stop"),
        ("ponderhit", "ponderhit", "PonderHit"),
        ("quit", "quit", "Quit"),
        ("any case", "UciNewGame", "ClearGame"),
        ("capitals", "UCI", "Identify"),
        ("padding", "   isready   ", "Ready(\"\")"),
        ("tabs", "\tstop\t", "Stop"),
        ("CR", "quit\r", "Quit"),
        ("CRLF", "uci\r\n", "Identify"),
        ("debug on", "debug on", "Debug(true)"),
        ("debug off", "DEBUG  Off", "Debug(false)"),
        ("register later", "register later", "nothing"),
        ("register in full", "register name A B code C", "nothing"),
        ("register alone", "register", "nothing"),
        ("register without a code", "register name X", "nothing"),
        ("isreadyfoo", "isreadyfoo", "!unknown isreadyfoo"),
        ("ponderhitx", "ponderhitx", "!unknown ponderhitx"),
        ("debug onx", "debug onx", "!bad debug"),
        ("uci foo", "uci foo", "Identify"),
        ("stop now", "stop now", "Stop"),
        ("words behind", "isready now please", "Ready(\"\")"),
        ("ucifoo", "ucifoo", "!unknown ucifoo"),
        ("stopp", "stopp", "!unknown stopp"),
        ("debug alone", "debug", "!bad debug"),
        ("unknown word first", "joho debug on", "Debug(true)"),
        ("undefined by UCI", "debug joho on", "!bad debug"),
        ("unknown word before isready", "joho isready", "Ready(\"\")"),
        ("unknown word before go", "foo go depth 3", "go depth 3"),
        ("byte order mark", "\u{feff}uci", "Identify"),
        ("NUL", "uci\0", "Identify"),
        ("NULs within", "\0isr\0eady\0", "Ready(\"\")"),
        ("empty line", "", "nothing"),
        ("blank line", " \t \r\n", "nothing"),
        ("messages to clients", "bestmove (none)", "!unknown bestmove (none)"),
        (
            "info that panics",
            "info depth 300 score mate 200",
            "!unknown info depth 300 score mate 200",
        ),
        ("info with wdl", "info score cp 1 wdl 1 2 3", "!unknown info score cp 1 wdl 1 2 3"),
        ("xboard", "xboard", "!unknown xboard"),
        ("not ASCII", "ｕｃｉ ♔", "!unknown ｕｃｉ ♔"),
    ]);
    let long = "♔".repeat(1000);
    assert_eq!(told(&long), format!("!unknown {}...", "♔".repeat(100)));
}

#[test]
fn extensions() {
    check(&[
        ("d", "d", "Show(Board)"),
        ("print", "print", "Show(Board)"),
        ("board", "BOARD", "Show(Board)"),
        ("eval", "eval", "Show(Evaluation)"),
        ("moves", "moves", "Show(Moves)"),
        ("fen", "fen", "Show(Fen)"),
        ("help", "help", "Show(Help)"),
        ("question mark", "?", "Show(Help)"),
        ("license", "license", "Show(License)"),
        ("compiler", "compiler", "Show(Compiler)"),
        ("flip", "flip", "Flip"),
        ("bench", "bench", "Bench([])"),
        ("bench arguments", "bench 16  1 13", "Bench([\"16\", \"1\", \"13\"])"),
        ("perft", "perft 5", "Perft { depth: 5 }"),
        ("go perft", "go perft 5", "Perft { depth: 5 }"),
        ("go perft beside limits", "go depth 3 PERFT 4", "Perft { depth: 4 }"),
        ("perft alone", "perft", "!bad perft"),
        ("go perft alone", "go perft", "!bad perft"),
        ("perft of nonsense", "perft five", "!bad perft"),
        ("negative perft", "perft -1", "!bad perft"),
        ("huge perft", "perft 4000", "Perft { depth: 255 }"),
        ("only as the first word", "psition startpos moves", "!unknown psition startpos moves"),
    ]);
}

#[test]
fn limits() {
    let clocks = "go wtime 1000 btime 2000 winc 10 binc 20 togo 20";
    check(&[
        ("go", "go", "go"),
        ("go and a newline", "go\n", "go"),
        ("go and a blank", "go ", "go"),
        ("infinite and a blank", "go infinite ", "go infinite"),
        ("depth and a blank", "go depth 5 ", "go depth 5"),
        ("clocks and a tab", "go wtime 5\t", "go wtime 5"),
        ("tabs between", "go\tdepth\t3", "go depth 3"),
        ("clocks", "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 20", clocks),
        ("clocks reversed", "go movestogo 20 binc 20 winc 10 btime 2000 wtime 1000", clocks),
        ("any case", "GO WTime 1000 bTIME 2000 WINC 10 binc 20 MovesToGo 20", clocks),
        ("one clock", "go wtime 100", "go wtime 100"),
        ("the other clock", "go btime 100", "go btime 100"),
        ("movestogo 256", "go movestogo 256", "go togo 255"),
        ("depth 256", "go depth 256", "go depth 255"),
        ("mate 256", "go mate 256", "go mate 255"),
        ("movestogo 999", "go movestogo 999", "go togo 255"),
        ("depth 999", "go depth 999", "go depth 255"),
        ("mate 999", "go mate 999", "go mate 255"),
        ("depth 1000", "go depth 1000", "go depth 255"),
        ("12 digits", "go nodes 999999999999", "go nodes 999999999999"),
        ("13 digits", "go nodes 1234567890123", "go nodes 1234567890123"),
        ("nodes beyond u64", "go nodes 99999999999999999999", "go nodes 18446744073709551615"),
        ("last nodes count", "go nodes 1234567890123 nodes 5", "go nodes 5"),
        ("last nodes count, huge", "go nodes 5 nodes 1234567890123", "go nodes 1234567890123"),
        ("long time", "go wtime 1234567890123", "go wtime 999999999999"),
        ("long movetime", "go movetime 1234567890123", "go movetime 999999999999"),
        ("depth 0", "go depth 0", "go depth 0"),
        ("nodes 0", "go nodes 0", "go nodes 0"),
        ("movetime 0", "go movetime 0", "go movetime 0"),
        ("movestogo 0", "go movestogo 0", "go togo 0"),
        ("depth -1", "go depth -1", "go"),
        ("nodes -1", "go nodes -1 depth 4", "go depth 4"),
        ("depth five", "go depth five wtime 5", "go wtime 5"),
        ("depth five alone", "go depth five", "go !not a number: depth five"),
        ("an unknown limit alone", "go dept 3", "go !unknown word: dept"),
        ("depth without a value", "go depth", "go !not a number: depth"),
        (
            "depth abc with what limits nothing",
            "go depth abc winc 100 movestogo 9 nodes -1",
            "go winc 100 togo 9 !not a number: depth abc",
        ),
        ("nodes five, infinite", "go nodes five infinite", "go infinite"),
        ("value missing in between", "go depth wtime 100 btime", "go wtime 100"),
        ("negative clock", "go wtime -5 btime 100", "go wtime 0 btime 100"),
        ("negative increment", "go winc -5", "go winc 0"),
        ("negative movetime", "go movetime -10", "go movetime 0"),
        ("plus sign", "go wtime +5", "go wtime 5"),
        ("decimals", "go wtime 1000.5 btime 1000", "go wtime 1000 btime 1000"),
        ("combined", "go depth 5 nodes 9 movetime 7", "go movetime 7 depth 5 nodes 9"),
        ("infinite and depth", "go infinite depth 3", "go depth 3 infinite"),
        ("movetime and clock", "go movetime 9 wtime 8", "go wtime 8 movetime 9"),
        ("infinite and clock", "go infinite wtime 8", "go wtime 8 infinite"),
        ("ponder", "go ponder", "go ponder"),
        ("ponder and clock", "go ponder wtime 8 btime 9", "go wtime 8 btime 9 ponder"),
        ("clock and ponder", "go wtime 8 btime 9 ponder", "go wtime 8 btime 9 ponder"),
        ("ponder and movetime", "go ponder movetime 9", "go movetime 9 ponder"),
        ("ponder and depth", "go ponder depth 9", "go depth 9 ponder"),
        ("ponder and infinite", "go ponder infinite", "go ponder infinite"),
        ("mate", "go mate 3", "go mate 3"),
        ("glued on", "go infinitely ponderous depth 2", "go depth 2"),
        ("tail of nonsense", "go wtime 1 btime 1 foo 3", "go wtime 1 btime 1"),
        ("nonsense first", "go foo depth 3", "go depth 3"),
        ("nonsense between", "go wtime 1 foo btime 2", "go wtime 1 btime 2"),
    ]);
}

/// The parser must take every `go` it is given, and keep every number of it.
#[test]
fn the_parser_reads_every_number() {
    const COUNT: u64 = u8::MAX as u64;
    const TWELVE_DIGITS: u64 = 999_999_999_999;
    for value in [0, 1, 99, 100, 255, 256, 999, 1000, TWELVE_DIGITS, TWELVE_DIGITS + 1, u64::MAX] {
        for (keyword, shown, most) in [
            ("wtime", "wtime", TWELVE_DIGITS),
            ("btime", "btime", TWELVE_DIGITS),
            ("winc", "winc", TWELVE_DIGITS),
            ("binc", "binc", TWELVE_DIGITS),
            ("nodes", "nodes", u64::MAX),
            ("movestogo", "togo", COUNT),
            ("depth", "depth", COUNT),
            ("mate", "mate", COUNT),
        ] {
            let kept = value.min(most);
            assert_eq!(told(&format!("go {keyword} {value}")), format!("go {shown} {kept}"));
        }
    }
}

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

#[test]
fn search_moves() {
    check(&[
        ("before a depth", "go searchmoves e2e4 d2d4 depth 3", "go depth 3 only e2e4,d2d4"),
        ("after a depth", "go depth 3 searchmoves e2e4 d2d4", "go depth 3 only e2e4,d2d4"),
        ("with infinite", "go infinite searchmoves e2e4", "go infinite only e2e4"),
        ("before infinite", "go searchmoves e2e4 infinite", "go infinite only e2e4"),
        ("with a clock", "go wtime 5 searchmoves e2e4", "go wtime 5 only e2e4"),
        ("before a clock", "go searchmoves e2e4 wtime 5", "go wtime 5 only e2e4"),
        ("none", "go searchmoves", "go"),
        ("none before a depth", "go searchmoves depth 2", "go depth 2"),
        ("only the null move", "go searchmoves 0000", "go"),
        ("null move among others", "go searchmoves e2e4 0000 depth 3", "go depth 3 only e2e4"),
        ("castling and case", "go searchmoves O-O E2E4", "go only e2e4"),
    ]);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn positions() {
    check(&[
        ("startpos", "position startpos", "start"),
        ("moves", "position startpos moves e2e4 e7e5", "start|e2e4|e7e5"),
        ("no moves", "position startpos moves", "start"),
        ("two blanks", "position startpos moves  e2e4  e7e5", "start|e2e4|e7e5"),
        ("any case", "POSITION StartPos MOVES e2e4", "start|e2e4"),
        ("null move in the list", "position startpos moves e2e4 0000 d2d4", "!illegal move 0000"),
        ("O-O in the list", "position startpos moves e2e4 O-O d2d4", "!illegal move O-O"),
        ("drop in the list", "position startpos moves P@e4 e7e5", "!illegal move P@e4"),
        ("off the board", "position startpos moves e2e9 e7e5", "!illegal move e2e9"),
        ("nonsense in the list", "position startpos moves foo e7e5", "!illegal move foo"),
        ("promotion", "position startpos moves e7e8q", "!illegal move e7e8q"),
        ("promotion with a sign", "position startpos moves e7e8=q", "!illegal move e7e8=q"),
        ("upper-case promotion", "position startpos moves e7e8Q", "!illegal move e7e8Q"),
        ("upper case", "position startpos moves E2E4", "start|e2e4"),
        ("king takes rook", "position startpos moves e1h1", "!illegal move e1h1"),
        ("fen", "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 0 1"),
        (
            "fen with rights and moves",
            &format!("position fen {START} w KQkq - 0 1 moves e2e4 e7e5"),
            "start|e2e4|e7e5",
        ),
        ("impossible fen", "position fen 44p/8/8/8/8/8/8/8 w - - 0 1", "!illegal position"),
        ("empty board", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "!illegal position"),
        ("blanks in a fen", "position  fen  8/8  w  -  -  moves  a1a2", "!illegal position"),
        ("1 field", &format!("position fen {START}"), "!illegal position"),
        ("2 fields", &format!("position fen {START} b"), "!illegal position"),
        ("4 fields", &format!("position fen {START} b - -"), &format!("{START} b - - 0 1")),
        ("5 fields", &format!("position fen {START} b - - 7"), &format!("{START} b - - 7 1")),
        (
            "4 fields, moves",
            &format!("position fen {START} w - - moves e2e4"),
            &format!("{START} w - - 0 1|e2e4"),
        ),
        ("Shredder", &format!("position fen {START} w HAha - 0 1"), "start"),
        ("negative counter", &format!("position fen {START} w - - -1 1"), "!illegal position"),
        (
            "long clock",
            &format!("position fen {START} w - - 12345 1"),
            &format!("{START} w - - 12345 1"),
        ),
        (
            "long number",
            &format!("position fen {START} w - - 0 12345 moves e2e4"),
            &format!("{START} w - - 0 12345|e2e4"),
        ),
        (
            "quoted",
            &format!("position fen \"{START} w - - 0 1\" moves e2e4"),
            &format!("{START} w - - 0 1|e2e4"),
        ),
        (
            "without the word fen",
            &format!("position {START} w - - 0 1"),
            &format!("{START} w - - 0 1"),
        ),
        ("fen startpos", "position fen startpos moves e2e4", "start|e2e4"),
        (
            "king that can be taken",
            "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            "!illegal position",
        ),
        ("nothing", "position", "!bad position"),
        ("nonsense", "position foo", "!bad position"),
        ("only moves", "position moves e2e4", "!bad position"),
        ("no fen", "position fen", "!bad position"),
        ("no fen but moves", "position fen moves e2e4", "!bad position"),
        ("moves without the word", "position startpos e2e4", "!bad position"),
    ]);
    let (pawn, rooks) = ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (fen, moves, expected) in [
        (pawn, "a7a8n", "a7a8n"),
        (pawn, "a7a8=q", "a7a8q"),
        (pawn, "a7a8Q", "a7a8q"),
        (rooks, "e1g1 e8c8", "e1g1|e8c8"),
        (rooks, "e1h1 e8a8", "e1g1|e8c8"),
        (rooks, "O-O O-O-O", "e1g1|e8c8"),
    ] {
        let line = format!("position fen {fen} moves {moves}");
        assert_eq!(told(&line), format!("{fen}|{expected}"), "{line}");
    }
    for count in [300, 3000] {
        let moves = ["g1f3 g8f6 f3g1 f6g8"].repeat(count / 4).join(" ");
        let expected = format!("start|{}", moves.replace(' ', "|"));
        assert_eq!(told(&format!("position startpos moves {moves}")), expected);
    }
}

#[test]
fn options() {
    check(&[
        ("number", "setoption name Hash value 64", r#"set "Hash" "64""#),
        ("button", "setoption name Clear Hash", r#"set "Clear Hash""#),
        ("UCI_Elo", "setoption name UCI_Elo value 1500", r#"set "UCI_Elo" "1500""#),
        ("two words", "setoption name Move Overhead value 9", r#"set "Move Overhead" "9""#),
        ("path", "setoption name SyzygyPath value /a b/c", r#"set "SyzygyPath" "/a b/c""#),
        ("runs of blanks", "setoption name P value /a  b", r#"set "P" "/a  b""#),
        ("UTF-8", "setoption name P value /Schächte/♔", r#"set "P" "/Schächte/♔""#),
        ("trailing blank", "setoption name Hash value 64 ", r#"set "Hash" "64""#),
        ("trailing tab", "setoption name Hash value 64\t", r#"set "Hash" "64""#),
        ("value with nothing", "setoption name P value", r#"set "P""#),
        ("value with a blank", "setoption name P value ", r#"set "P""#),
        ("empty marker", "setoption name P value <empty>", r#"set "P" "<empty>""#),
        ("blank runs in a name", "setoption  name  Clear   Hash", r#"set "Clear Hash""#),
        ("name like the keyword", "setoption name Values value 3", r#"set "Values" "3""#),
        ("second word like it", "setoption name Piece Valued value 3", r#"set "Piece Valued" "3""#),
        ("value as a value", "setoption name P value value x", r#"set "P" "value x""#),
        ("any case", "SetOption NAME Hash VALUE 64", r#"set "Hash" "64""#),
        ("no keyword name", "setoption Hash value 64", "!bad setoption"),
        ("no name", "setoption name value 64", "!bad setoption"),
        ("nothing", "setoption name", "!bad setoption"),
        ("nothing at all", "setoption", "!bad setoption"),
    ]);
    let long = "x".repeat(1 << 20);
    assert_eq!(told(&format!("setoption name P value {long}")), format!("set \"P\" {long:?}"));
    assert!(told(&long).starts_with("!unknown xxx"));
}

/// Nothing a client sends may bring the engine down.
#[test]
fn random_lines_are_survived() {
    const WORDS: &str = "uci debug on off isready setoption name value register later code \
        ucinewgame position startpos fen moves go searchmoves ponder wtime btime winc binc \
        movestogo depth nodes mate movetime infinite perft stop ponderhit quit info string \
        option type spin bestmove id score cp option copyprotection registration readyok \
        d eval bench help ? flip e2e4 E7E8q e7e8=Q 0000 O-O a1a9 Hash Clear valued \
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 8/8/8/8/8/8/8/8 w b KQkq HAha - e3";
    const GARBAGE: [&str; 16] = [
        "\0", "\n", "\r\n", "\t", "  ", "\u{b}", "\u{85}", "\u{a0}", "\u{2028}", "\u{feff}", "♔",
        "é", "\"", "--", "+", ".",
    ];
    let words: Vec<&str> = WORDS.split_ascii_whitespace().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x0c1);
    let mut understood = 0;
    for _ in 0..200_000 {
        let mut line = String::new();
        for _ in 0..rng.next_u64() % 10 {
            let random = rng.next_u64();
            let pick = (random >> 8) as usize;
            match random % 10 {
                0..5 => line += words[pick % words.len()],
                5 => _ = write!(line, "{}", pick % 1100),
                6 => _ = write!(line, "{}", rng.next_u64() as i64 >> (pick % 64)),
                7 => line += GARBAGE[pick % GARBAGE.len()],
                8 => line.push(char::from_u32(pick as u32 % 0x11_0000).unwrap_or(' ')),
                _ => line += "go",
            }
            // Mostly words of their own, sometimes glued together.
            if random >> 60 != 0 {
                line.push(' ');
            }
        }
        understood += usize::from(Uci::default().parse(&clean(&line), None).is_ok());
    }
    assert!(understood > 50_000, "only {understood} lines meant anything");
}
