//! From an event to lines. Clients take a line that starts with a digit for
//! thinking or a result, and one that contains "offer draw" for an offer, so every
//! line with words in it that are not ours goes through [`line`].

use crate::board::{Board, MoveError};
use crate::engine::command::Problem;
use crate::engine::event::{Context, Event};
use crate::engine::options::{Kind, SPECS, Spec};
use crate::game::{GameEnd, GameResult, Termination};
use crate::protocol::ECHO;
use crate::search::event::Info;
use crate::text::excerpt;
use crate::types::{Bound, Move, Wing};
use std::io::{self, Write};
use std::time::Duration;

const OFFER_DRAW: &str = "offer draw";

/// Reasons are ours, but may quote what they are about.
const REASON: usize = 300;

/// What the engine can do, as far as it does not depend on anything.
const FEATURES: [&str; 5] = [
    "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1",
    "sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 ics=1 name=1",
    "pause=1 nps=1 debug=1 memory=1 smp=1 exclude=1 setscore=1",
    "variants=\"normal,fischerandom\"",
    concat!("myname=\"Gambeson ", env!("CARGO_PKG_VERSION"), "\""),
];

pub(super) fn event(event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
    match *event {
        Event::Identity => features(out),
        Event::Ready(token) => line(out, &format!("pong {}", excerpt(token, ECHO))),
        Event::Thinking { info, root, .. } => thinking(info, root, out),
        // xboard learns of these from thinking lines and from `move`.
        Event::CurrentMove { .. } | Event::BestMove { .. } => Ok(()),
        Event::Played { mv, context, .. } => writeln!(out, "move {}", move_text(mv, context)),
        Event::GameEnded(result) => writeln!(out, "{}", result_text(result)),
        Event::OfferDraw => writeln!(out, "{OFFER_DRAW}"),
        Event::Hint { mv, context, .. } => writeln!(out, "Hint: {}", move_text(mv, context)),
        Event::Book(lines) => book(lines, out),
        Event::Status { time, nodes, depth, left, total, ref mv } => {
            let time = centiseconds(time);
            let mv = mv.as_deref().unwrap_or_default();
            line(out, &format!("stat01: {time} {nodes} {depth} {left} {total} {mv}"))
        }
        Event::Problem(problem) => line(out, &problem_text(problem)),
        Event::Remark(text) | Event::Text(text) => {
            text.lines().try_for_each(|text| line(out, &format!("# {text}")))
        }
    }
}

/// Writes one line, whatever the text contains.
fn line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let separates = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let mut text = text.replace(separates, " ");
    // Putting ASCII letters into lower case keeps every index.
    for (start, _) in text.to_ascii_lowercase().match_indices(OFFER_DRAW) {
        let blank = start + "offer".len();
        text.replace_range(blank..=blank, "-");
    }
    writeln!(out, "{}", text.trim_end())
}

fn features(out: &mut dyn Write) -> io::Result<()> {
    // Asks the client to wait for the rest, however long it takes.
    writeln!(out, "feature done=0")?;
    for features in FEATURES {
        writeln!(out, "feature {features}")?;
    }
    if SPECS.iter().any(|spec| spec.name == "SyzygyPath") {
        writeln!(out, "feature egt=\"syzygy\"")?;
    }
    for spec in SPECS.iter().filter(|spec| spec.xboard) {
        writeln!(out, "feature option=\"{}\"", option_text(spec))?;
    }
    writeln!(out, "feature done=1")
}

fn option_text(spec: &Spec) -> String {
    let name = spec.name;
    match spec.kind {
        Kind::Check { default } => format!("{name} -check {}", u8::from(default)),
        Kind::Spin { default, min, max } => format!("{name} -spin {default} {min} {max}"),
        Kind::Button => format!("{name} -button"),
        // xboard finds the kind by the blanks around it, so the last one stays even
        // if there is no text. Files and folders get a button to browse for them.
        Kind::Text { default } if name.ends_with("File") => format!("{name} -file {default}"),
        Kind::Text { default } if name.ends_with("Path") => format!("{name} -path {default}"),
        Kind::Text { default } => format!("{name} -string {default}"),
    }
}

fn thinking(info: &Info, root: &Board, out: &mut dyn Write) -> io::Result<()> {
    let score = match info.score.mate_moves() {
        Some(moves) if info.score.0 > 0 => 100_000 + moves,
        Some(moves) => -100_000 + moves,
        None => info.score.centipawns(),
    };
    let (time, nps) = (centiseconds(info.time), info.nodes_per_second());
    let Info { depth, nodes, seldepth, tbhits, .. } = info;
    write!(out, "{depth} {score} {time} {nodes} {seldepth} {nps} {tbhits}\t")?;
    let mut board = root.clone_without_history();
    for (index, &mv) in info.pv.iter().enumerate() {
        // A line that goes wrong is cut, not played on.
        if !board.is_legal(mv) {
            break;
        }
        write!(out, "{}{}", if index == 0 { "" } else { " " }, board.san(mv))?;
        board.make(mv);
    }
    writeln!(
        out,
        "{}",
        match info.bound {
            Bound::Exact => "",
            Bound::Lower => "!",
            Bound::Upper => "?",
        }
    )
}

fn centiseconds(time: Duration) -> u128 {
    time.as_millis() / 10
}

/// In Chess960 the king's squares may be those of another move, or the same twice.
fn move_text(mv: Move, context: Context) -> String {
    if !(context.chess960 && mv.is_castle()) {
        return mv.coordinates(false);
    }
    match Wing::of_rook(mv.from().file(), mv.to().file()) {
        Wing::King => "O-O".to_owned(),
        Wing::Queen => "O-O-O".to_owned(),
    }
}

fn result_text(end: GameEnd) -> &'static str {
    match (end.termination, end.result) {
        (Termination::Checkmate, GameResult::WhiteWins) => "1-0 {White mates}",
        (Termination::Checkmate, GameResult::BlackWins) => "0-1 {Black mates}",
        (Termination::Stalemate, _) => "1/2-1/2 {Stalemate}",
        (Termination::InsufficientMaterial, _) => "1/2-1/2 {Draw by insufficient material}",
        (Termination::SeventyFiveMoves, _) => "1/2-1/2 {Draw by seventy-five-move rule}",
        (Termination::FivefoldRepetition, _) => "1/2-1/2 {Draw by fivefold repetition}",
        (Termination::Repetition, _) => "1/2-1/2 {Draw by repetition}",
        (Termination::FiftyMoves, _) => "1/2-1/2 {Draw by fifty-move rule}",
        (Termination::Resignation, _) => "resign",
        // The result alone is a line of the protocol, too.
        _ => end.result.as_str(),
    }
}

/// Book lines are indented, and an empty line ends them.
fn book(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    for text in lines {
        write!(out, "\t")?;
        line(out, text)?;
    }
    writeln!(out)
}

/// Clients tell the two kinds apart by their first word: `Illegal move` lets them
/// take the move back, `Error` makes them note that we lack a command.
fn problem_text(problem: &Problem) -> String {
    let error = |reason: &str, subject: &str| {
        format!("Error ({}): {}", excerpt(reason, REASON), excerpt(subject, ECHO))
    };
    match problem {
        Problem::UnknownCommand(command) => error("unknown command", command),
        Problem::BadArgument { command, reason } => error(reason, command),
        Problem::NotNow { command, reason } => error(reason, command),
        Problem::UnknownOption(name) => error("no such option", name),
        // xboard passes on the folder it is built with, whether there is one or not: no
        // fault of the user's, and nothing to be alarmed about.
        Problem::BadOption { name, reason } if name == "SyzygyPath" => {
            format!("# no tablebases: {}", excerpt(reason, REASON))
        }
        Problem::BadOption { name, reason } => error(reason, &format!("option {name}")),
        Problem::Other(text) => error("failed", text),
        Problem::IllegalMove { text, reason } => illegal_move(text, reason),
        Problem::IllegalPosition(reason) => {
            format!("tellusererror Illegal position: {}", excerpt(reason, REASON))
        }
    }
}

/// That a move is illegal because it is not legal need not be said twice.
fn illegal_move(text: &str, reason: &str) -> String {
    let shown = excerpt(text, ECHO);
    if reason.is_empty() || *reason == MoveError::Illegal(text.to_owned()).to_string() {
        format!("Illegal move: {shown}")
    } else {
        format!("Illegal move ({}): {shown}", excerpt(reason, REASON))
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use crate::types::{Score, Square};

    const PLAIN: Context = Context { chess960: false, show_wdl: false, show_line: false };
    const CHESS960: Context = Context { chess960: true, show_wdl: true, show_line: false };

    fn rendered(shown: &Event<'_>) -> String {
        let mut out = Vec::new();
        event(shown, &mut out).expect("writing to memory");
        String::from_utf8(out).expect("lines are UTF-8")
    }

    #[test]
    fn features_are_announced_between_done_0_and_done_1() {
        let text = rendered(&Event::Identity);
        assert!(text.starts_with("feature done=0\n"), "{text}");
        assert!(text.ends_with("\nfeature done=1\n"), "{text}");
        for feature in [
            "ping=1",
            "setboard=1",
            "playother=1",
            "san=0",
            "usermove=1",
            "time=1",
            "draw=1",
            "sigint=0",
            "sigterm=0",
            "reuse=1",
            "analyze=1",
            "colors=0",
            "ics=1",
            "name=1",
            "pause=1",
            "nps=1",
            "debug=1",
            "memory=1",
            "smp=1",
            "exclude=1",
            "setscore=1",
            "variants=\"normal,fischerandom\"",
            concat!("myname=\"Gambeson ", env!("CARGO_PKG_VERSION"), "\""),
            "option=\"Clear Hash -button\"",
            "option=\"MultiPV -spin 1 1 256\"",
            "option=\"Minimal -check 0\"",
            "option=\"Debug Log File -file \"",
        ] {
            let found =
                text.lines().any(|line| format!("{line} ").contains(&format!(" {feature} ")));
            assert!(found, "{feature} in {text}");
        }
        for line in text.lines() {
            assert!(line.starts_with("feature ") && line.len() < 400, "{line}");
            assert!(line.matches('"').count() % 2 == 0, "{line}");
        }
        // xboard sets these two with commands of its own.
        assert!(!text.contains("Hash -spin") && !text.contains("Threads -spin"), "{text}");
        let egt = SPECS.iter().any(|spec| spec.name == "SyzygyPath");
        assert_eq!(text.contains("egt=\"syzygy\""), egt);
        let options = SPECS.iter().filter(|spec| spec.xboard).count();
        assert_eq!(text.matches("option=").count(), options);
    }

    #[test]
    fn thinking_lines() {
        let info = |score: Score, bound: Bound, pv: &[Move]| Info {
            depth: 9,
            seldepth: 14,
            multipv: 1,
            score,
            bound,
            wdl: [0, 1000, 0],
            nodes: 50_000,
            time: Duration::from_millis(255),
            hashfull: 3,
            tbhits: 7,
            pv: pv.to_vec(),
        };
        let quiet = [
            Move::normal(Square::E2, Square::E4),
            Move::normal(Square::D7, Square::D5),
            Move::normal(Square::E4, Square::D5),
        ];
        let broken = [quiet[0], quiet[2]];
        let mate = "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1";
        let mates = [Move::normal(Square::A1, Square::A8)];
        let castles = [Move::castle(Square::E1, Square::H1)];
        let shown = Score::from_centipawns;
        for (fen, score, bound, pv, expected) in [
            (Board::START_FEN, shown(31), Bound::Exact, &quiet[..], "31 ... e4 d5 exd5"),
            (Board::START_FEN, shown(-8), Bound::Lower, &quiet[..2], "-8 ... e4 d5!"),
            (Board::START_FEN, shown(0), Bound::Upper, &quiet[..1], "0 ... e4?"),
            (Board::START_FEN, shown(5), Bound::Exact, &broken[..], "5 ... e4"),
            (Board::START_FEN, shown(5), Bound::Exact, &[], "5 ... "),
            (mate, Score::mate_in(1), Bound::Exact, &mates[..], "100001 ... Ra8#"),
            (mate, Score::mate_in(5), Bound::Exact, &castles[..], "100003 ... O-O"),
            (mate, Score::mated_in(4), Bound::Exact, &castles[..], "-100002 ... O-O"),
            (mate, Score::mated_in(2), Bound::Upper, &castles[..], "-100001 ... O-O?"),
            (mate, Score::mated_in(0), Bound::Exact, &[], "-100000 ... "),
        ] {
            let root = Board::from_fen(fen).expect(fen);
            let info = info(score, bound, pv);
            let expected = expected.replace(" ... ", " 25 50000 14 196078 7\t");
            let text = rendered(&Event::Thinking { info: &info, root: &root, context: PLAIN });
            assert_eq!(text, format!("9 {expected}\n"), "{fen}");
            let second = Info { multipv: 2, ..info };
            let shown = Event::Thinking { info: &second, root: &root, context: CHESS960 };
            assert_eq!(rendered(&shown), text);
        }
    }

    #[test]
    fn moves_and_hints() {
        for (mv, context, expected) in [
            (Move::normal(Square::E2, Square::E4), PLAIN, "e2e4"),
            (Move::normal(Square::E2, Square::E4), CHESS960, "e2e4"),
            (Move::promotion(Square::B7, Square::A8, crate::types::Piece::Queen), PLAIN, "b7a8q"),
            (Move::castle(Square::E1, Square::H1), PLAIN, "e1g1"),
            (Move::castle(Square::E8, Square::A8), PLAIN, "e8c8"),
            (Move::castle(Square::E1, Square::H1), CHESS960, "O-O"),
            (Move::castle(Square::B8, Square::A8), CHESS960, "O-O-O"),
        ] {
            let played = Event::Played { mv, context };
            assert_eq!(rendered(&played), format!("move {expected}\n"));
            let hint = Event::Hint { mv, context };
            assert_eq!(rendered(&hint), format!("Hint: {expected}\n"));
            let best = Event::BestMove { best: Some(mv), ponder: None, context };
            assert_eq!(rendered(&best), "");
            let current = Event::CurrentMove { depth: 5, mv, number: 1, context };
            assert_eq!(rendered(&current), "");
        }
    }

    #[test]
    fn everything_else() {
        let book = ["e2e4 60%".to_owned(), "1\nd2d4 offer draw".to_owned()];
        let status = |mv: Option<&str>| Event::Status {
            time: Duration::from_millis(12_345),
            nodes: 99,
            depth: 8,
            left: 3,
            total: 20,
            mv: mv.map(str::to_owned),
        };
        let end = |result, reason| Event::GameEnded(GameEnd::new(result, reason));
        let draw = |reason| end(GameResult::Draw, reason);
        let (white, black) = (GameResult::WhiteWins, GameResult::BlackWins);
        for (event, expected) in [
            (Event::Ready("17"), "pong 17\n"),
            (Event::OfferDraw, "offer draw\n"),
            (end(white, Termination::Checkmate), "1-0 {White mates}\n"),
            (end(black, Termination::Checkmate), "0-1 {Black mates}\n"),
            (draw(Termination::Stalemate), "1/2-1/2 {Stalemate}\n"),
            (draw(Termination::InsufficientMaterial), "1/2-1/2 {Draw by insufficient material}\n"),
            (draw(Termination::SeventyFiveMoves), "1/2-1/2 {Draw by seventy-five-move rule}\n"),
            (draw(Termination::FivefoldRepetition), "1/2-1/2 {Draw by fivefold repetition}\n"),
            (draw(Termination::Repetition), "1/2-1/2 {Draw by repetition}\n"),
            (draw(Termination::FiftyMoves), "1/2-1/2 {Draw by fifty-move rule}\n"),
            (end(white, Termination::Resignation), "resign\n"),
            (Event::Book(&[]), "\n"),
            (Event::Book(&book), "\te2e4 60%\n\t1 d2d4 offer-draw\n\n"),
            (status(Some("Nf3")), "stat01: 1234 99 8 3 20 Nf3\n"),
            (status(None), "stat01: 1234 99 8 3 20\n"),
            (Event::Remark("a net\nof 3"), "# a net\n# of 3\n"),
            (Event::Text("1 2\r\n\n3"), "# 1 2\n#\n# 3\n"),
            (Event::Text("Offer Draw? offer draw"), "# Offer-Draw? offer-draw\n"),
        ] {
            assert_eq!(rendered(&event), expected, "{event:?}");
        }
    }

    #[test]
    fn problems() {
        let owned = str::to_owned;
        let illegal =
            |text, reason| Problem::IllegalMove { text: owned(text), reason: owned(reason) };
        let bad = |command, reason| Problem::BadArgument {
            command: owned(command),
            reason: owned(reason),
        };
        for (problem, expected) in [
            (Problem::UnknownCommand(owned("foo 1")), "Error (unknown command): foo 1"),
            (bad("st x", "not a number"), "Error (not a number): st x"),
            (bad("atomic", "unsupported variant"), "Error (unsupported variant): atomic"),
            (
                Problem::NotNow { command: owned("undo"), reason: "no move to take back" },
                "Error (no move to take back): undo",
            ),
            (Problem::UnknownOption(owned("Foo")), "Error (no such option): Foo"),
            (
                Problem::BadOption { name: owned("Hash"), reason: owned("too large") },
                "Error (too large): option Hash",
            ),
            (
                Problem::BadOption { name: owned("SyzygyPath"), reason: owned("/x: not found") },
                "# no tablebases: /x: not found",
            ),
            (Problem::Other(owned("no\nbook")), "Error (failed): no book"),
            (illegal("e2e5", ""), "Illegal move: e2e5"),
            (illegal("e2e5", "\"e2e5\" is not legal here"), "Illegal move: e2e5"),
            (illegal("Nd2", "could be several"), "Illegal move (could be several): Nd2"),
            (
                Problem::IllegalPosition(owned("no white king")),
                "tellusererror Illegal position: no white king",
            ),
        ] {
            assert_eq!(rendered(&Event::Problem(&problem)), format!("{expected}\n"));
        }
        let long = rendered(&Event::Problem(&illegal(&"é".repeat(1_000_000), "x")));
        assert_eq!(long.chars().count(), "Illegal move (x): ...\n".len() + ECHO);
    }
}
