//! Events as lines of UCI.
//!
//! Most lines are serialised by `vampirc-uci`. Where its types are too narrow
//! (depths beyond 255) or out of our reach (its times belong to a crate we do not
//! depend on), or where its words are wrong (`currmovenum`), the attribute is spelt
//! out as a pair of name and value.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use crate::engine::event::{Context, Event};
use crate::engine::options::{Kind, Spec, specs};
use crate::search::event::Info;
use crate::types::{Bound, Move, Score};
use std::io::{self, Write};
use vampirc_uci::{
    UciInfoAttribute as Attribute, UciMessage, UciMove, UciOptionConfig, UciPiece, UciSquare,
};

const NAME: &str = concat!("Gambeson ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Gambeson authors";

pub(super) fn render(event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
    match event {
        Event::Identity => identity(out),
        Event::Ready(_) => message(out, &UciMessage::ReadyOk),
        Event::Thinking { info, context, .. } => {
            message(out, &UciMessage::Info(thinking(info, *context)))
        }
        Event::CurrentMove { depth, mv, number, context } => {
            let attributes = vec![
                depth_attribute(*depth),
                Attribute::CurrMove(uci_move(*mv, context.chess960)),
                spelt("currmovenumber", number),
            ];
            message(out, &UciMessage::Info(attributes))?;
            if context.show_line {
                // The first thread is the one that reports.
                line(out, &format!("info currline 1 {}", mv.coordinates(context.chess960)))?;
            }
            Ok(())
        }
        Event::BestMove { best: Some(best), ponder, context } => {
            let best_move = uci_move(*best, context.chess960);
            let ponder = ponder.map(|mv| uci_move(mv, context.chess960));
            message(out, &UciMessage::BestMove { best_move, ponder })
        }
        Event::BestMove { best: None, .. } => line(out, "bestmove (none)"),
        Event::Problem(problem) => remark(out, &problem.to_string()),
        Event::Remark(text) => remark(out, text),
        Event::Text(text) => text.lines().try_for_each(|text| line(out, text)),

        // What only an xboard game has. Some of it may interest a reader.
        Event::Hint { mv, context, .. } => {
            remark(out, &format!("hint {}", mv.coordinates(context.chess960)))
        }
        Event::Book(lines) => lines.iter().try_for_each(|text| remark(out, text)),
        Event::Status { time, nodes, depth, left, total, mv } => {
            let millis = time.as_millis();
            let mut text = format!("depth {depth} time {millis} nodes {nodes}");
            text += &format!(" moves left {left} of {total}");
            if let Some(mv) = mv {
                text += &format!(" now {mv}");
            }
            remark(out, &text)
        }
        Event::Played { .. } | Event::GameEnded(_) | Event::OfferDraw => Ok(()),
    }
}

/// Writes a line at once, so that another process never sees half of one.
fn line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(format!("{text}\n").as_bytes())
}

fn message(out: &mut dyn Write, message: &UciMessage) -> io::Result<()> {
    line(out, &message.to_string())
}

/// An `info string` for each line of the text.
fn remark(out: &mut dyn Write, text: &str) -> io::Result<()> {
    text.split(['\n', '\r'])
        .filter(|text| !text.trim().is_empty())
        .try_for_each(|text| message(out, &UciMessage::info_string(text.to_owned())))
}

fn identity(out: &mut dyn Write) -> io::Result<()> {
    message(out, &UciMessage::id_name(NAME))?;
    message(out, &UciMessage::id_author(AUTHOR))?;
    for spec in specs() {
        message(out, &UciMessage::Option(option(&spec)))?;
    }
    message(out, &UciMessage::UciOk)
}

fn option(spec: &Spec) -> UciOptionConfig {
    let name = spec.name.to_owned();
    match spec.kind {
        Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
        Kind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
        }
        Kind::Text { default } => {
            let default = if default.is_empty() { "<empty>" } else { default };
            UciOptionConfig::String { name, default: Some(default.to_owned()) }
        }
        Kind::Button => UciOptionConfig::Button { name },
    }
}

fn thinking(info: &Info, context: Context) -> Vec<Attribute> {
    let mut attributes = vec![
        depth_attribute(info.depth),
        u8::try_from(info.seldepth)
            .map_or_else(|_| spelt("seldepth", info.seldepth), Attribute::SelDepth),
        u16::try_from(info.multipv)
            .map_or_else(|_| spelt("multipv", info.multipv), Attribute::MultiPv),
        score(info.score, info.bound),
    ];
    if context.show_wdl {
        let [win, draw, loss] = info.wdl;
        attributes.push(spelt("wdl", format!("{win} {draw} {loss}")));
    }
    attributes.extend([
        Attribute::Nodes(info.nodes),
        Attribute::Nps(info.nodes_per_second()),
        u16::try_from(info.hashfull)
            .map_or_else(|_| spelt("hashfull", info.hashfull), Attribute::HashFull),
        Attribute::TbHits(info.tbhits),
        spelt("time", info.time.as_millis()),
    ]);
    if !info.pv.is_empty() {
        let moves = info.pv.iter().map(|&mv| uci_move(mv, context.chess960));
        attributes.push(Attribute::Pv(moves.collect()));
    }
    attributes
}

fn depth_attribute(depth: u32) -> Attribute {
    u8::try_from(depth).map_or_else(|_| spelt("depth", depth), Attribute::Depth)
}

/// Bounds are named even by `Some(false)`, so a bound that is none must be absent.
fn score(score: Score, bound: Bound) -> Attribute {
    let lower_bound = (bound == Bound::Lower).then_some(true);
    let upper_bound = (bound == Bound::Upper).then_some(true);
    let (cp, mate) = match score.mate_moves() {
        None => (Some(score.centipawns()), None),
        Some(moves) => match i8::try_from(moves) {
            Ok(moves) => (None, Some(moves)),
            Err(_) => return spelt("score", format!("mate {moves}{}", suffix(bound))),
        },
    };
    Attribute::Score { cp, mate, lower_bound, upper_bound }
}

fn suffix(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    }
}

/// An attribute in our own words.
fn spelt(name: &str, value: impl ToString) -> Attribute {
    Attribute::Any(name.to_owned(), value.to_string())
}

/// The serialiser's form of a move. How castling is written is decided by
/// [`Move::coordinates`].
fn uci_move(mv: Move, chess960: bool) -> UciMove {
    let text = mv.coordinates(chess960);
    let mut letters = text.chars();
    let mut square = || {
        let file = letters.next().unwrap_or_default();
        let rank = letters.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
        UciSquare::from(file, rank as u8)
    };
    let (from, to) = (square(), square());
    let promotion = letters.as_str().parse::<UciPiece>().ok();
    UciMove { from, to, promotion }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::command::Problem;
    use crate::engine::options::ABOUT;
    use crate::game::{GameEnd, GameResult, Termination};
    use std::time::Duration;

    const PLAIN: Context = Context { chess960: false, show_wdl: false, show_line: false };
    const CHESS960: Context = Context { chess960: true, show_wdl: false, show_line: false };
    const WDL: Context = Context { chess960: false, show_wdl: true, show_line: false };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";

    /// Refuses to be written half a line.
    struct Lines(Vec<String>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            let line = text.strip_suffix('\n').unwrap();
            assert!(!line.contains('\n'), "two lines in one: {line}");
            self.0.push(line.to_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            unreachable!("flushing is the caller's business")
        }
    }

    fn rendered(event: &Event<'_>) -> Vec<String> {
        let mut lines = Lines(Vec::new());
        render(event, &mut lines).unwrap();
        lines.0
    }

    fn mv(fen: &str, text: &str) -> Move {
        Board::from_fen(fen).unwrap().parse_move(text).unwrap()
    }

    fn info() -> Info {
        Info {
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score: Score::from_centipawns(35),
            bound: Bound::Exact,
            wdl: [120, 800, 80],
            nodes: 50_000,
            time: Duration::from_millis(250),
            hashfull: 17,
            tbhits: 3,
            pv: vec![mv(START, "e2e4"), mv(START, "g1f3")],
        }
    }

    fn thinking_line(context: Context, change: fn(&mut Info)) -> String {
        let root = Board::from_fen(START).unwrap();
        let mut info = info();
        change(&mut info);
        rendered(&Event::Thinking { info: &info, root: &root, context }).join("|")
    }

    #[test]
    fn whole_lines_of_thinking() {
        let head = "info depth 12 seldepth 20 multipv 1 score cp 35";
        let tail = "nodes 50000 nps 200000 hashfull 17 tbhits 3 time 250";
        let pv = "pv e2e4 g1f3";
        assert_eq!(thinking_line(PLAIN, |_| {}), format!("{head} {tail} {pv}"));
        assert_eq!(thinking_line(WDL, |_| {}), format!("{head} wdl 120 800 80 {tail} {pv}"));
        assert_eq!(thinking_line(PLAIN, |i| i.pv.clear()), format!("{head} {tail}"));
    }

    #[test]
    fn parts_of_lines_of_thinking() {
        type InfoField = (&'static str, Context, fn(&mut Info), &'static str);
        let rows: &[InfoField] = &[
            ("lower", PLAIN, |i| i.bound = Bound::Lower, "score cp 35 lowerbound nodes"),
            ("upper", PLAIN, |i| i.bound = Bound::Upper, "score cp 35 upperbound nodes"),
            ("both", WDL, |i| i.bound = Bound::Upper, "cp 35 upperbound wdl 120 800 80 nodes"),
            (
                "negative",
                PLAIN,
                |i| i.score = Score::from_centipawns(-210),
                "multipv 1 score cp -210 nodes",
            ),
            ("mate", PLAIN, |i| i.score = Score::mate_in(5), "score mate 3 nodes"),
            ("mated", PLAIN, |i| i.score = Score::mated_in(4), "score mate -2 nodes"),
            ("mated already", PLAIN, |i| i.score = Score::mated_in(0), "score mate 0 nodes"),
            ("longest mate", PLAIN, |i| i.score = Score::mate_in(246), "score mate 123 nodes"),
            // Every true mate fits; only a nonsensical score shows the other way.
            ("mate beyond i8", PLAIN, |i| i.score = Score(-33_000), "score mate 500 nodes"),
            ("depth beyond u8", PLAIN, |i| i.depth = 300, "info depth 300 seldepth"),
            ("seldepth beyond u8", PLAIN, |i| i.seldepth = 256, "12 seldepth 256 multipv"),
            ("multipv beyond u16", PLAIN, |i| i.multipv = 70_000, "multipv 70000 score"),
            ("hashfull beyond u16", PLAIN, |i| i.hashfull = 70_000, "hashfull 70000 tbhits"),
            ("many nodes", PLAIN, |i| i.nodes = u64::MAX, "nodes 18446744073709551615 nps"),
            ("no time", PLAIN, |i| i.time = Duration::ZERO, "nps 50000000000 hashfull"),
            ("long", PLAIN, |i| i.time = Duration::from_secs(1 << 40), "time 1099511627776000 pv"),
            ("castling", PLAIN, |i| i.pv = vec![mv(CASTLING, "O-O")], "pv e1g1"),
            ("castling 960", CHESS960, |i| i.pv = vec![mv(CASTLING, "O-O")], "pv e1h1"),
            ("promotion", PLAIN, |i| i.pv = vec![mv(CASTLING, "axb8=N")], "pv a7b8n"),
        ];
        for &(name, context, change, expected) in rows {
            let line = thinking_line(context, change);
            assert!(format!("{line} ").contains(&format!("{expected} ")), "{name}: {line}");
        }
        let line = thinking_line(PLAIN, |i| (i.score, i.bound) = (Score(-33_000), Bound::Lower));
        assert!(line.contains(" score mate 500 lowerbound nodes "), "{line}");
    }

    #[test]
    fn other_events() {
        let (e4, nf3) = (mv(START, "e2e4"), mv(START, "g1f3"));
        let (short, long) = (mv(CASTLING, "O-O"), mv(CASTLING, "O-O-O"));
        let queen = mv(CASTLING, "axb8=Q");
        let best = |best, ponder, context| Event::BestMove { best, ponder, context };
        let current = |depth, mv| Event::CurrentMove { depth, mv, number: 7, context: PLAIN };
        let illegal = Problem::IllegalMove { text: "e2e5".into(), reason: "no".into() };
        let unknown = Problem::UnknownCommand("a\nb".into());
        let book = ["e4 60%".to_owned(), "d4 40%".to_owned()];
        let status = |mv: Option<&str>| Event::Status {
            time: Duration::from_millis(1500),
            nodes: 99,
            depth: 4,
            left: 3,
            total: 20,
            mv: mv.map(str::to_owned),
        };
        let over = GameEnd::new(GameResult::Draw, Termination::Stalemate);
        let rows: &[(&str, Event<'_>, &[&str])] = &[
            ("ready", Event::Ready(""), &["readyok"]),
            ("ready with a token", Event::Ready("7"), &["readyok"]),
            ("best move", best(Some(e4), None, PLAIN), &["bestmove e2e4"]),
            ("ponder move", best(Some(e4), Some(nf3), PLAIN), &["bestmove e2e4 ponder g1f3"]),
            ("promotion", best(Some(queen), None, PLAIN), &["bestmove a7b8q"]),
            ("castling", best(Some(short), Some(long), PLAIN), &["bestmove e1g1 ponder e1c1"]),
            ("chess960", best(Some(short), Some(long), CHESS960), &["bestmove e1h1 ponder e1a1"]),
            ("no move", best(None, None, PLAIN), &["bestmove (none)"]),
            ("no move to ponder on", best(None, Some(e4), PLAIN), &["bestmove (none)"]),
            ("root move", current(9, nf3), &["info depth 9 currmove g1f3 currmovenumber 7"]),
            (
                "root move and line",
                Event::CurrentMove {
                    depth: 9,
                    mv: nf3,
                    number: 7,
                    context: Context { show_line: true, ..PLAIN },
                },
                &["info depth 9 currmove g1f3 currmovenumber 7", "info currline 1 g1f3"],
            ),
            ("deep", current(256, short), &["info depth 256 currmove e1g1 currmovenumber 7"]),
            ("problem", Event::Problem(&illegal), &["info string illegal move: e2e5 (no)"]),
            (
                "problem of two lines",
                Event::Problem(&unknown),
                &["info string unknown command: a", "info string b"],
            ),
            ("remark", Event::Remark("well"), &["info string well"]),
            ("remarks", Event::Remark("a\r\n\n  b\n"), &["info string a", "info string   b"]),
            ("empty remark", Event::Remark(""), &[]),
            ("text", Event::Text("+---+\n\n  x\n"), &["+---+", "", "  x"]),
            ("empty text", Event::Text(""), &[]),
            ("book", Event::Book(&book), &["info string e4 60%", "info string d4 40%"]),
            (
                "status",
                status(Some("e2e4")),
                &["info string depth 4 time 1500 nodes 99 moves left 3 of 20 now e2e4"],
            ),
            (
                "status without a move",
                status(None),
                &["info string depth 4 time 1500 nodes 99 moves left 3 of 20"],
            ),
            ("hint", Event::Hint { mv: e4, context: PLAIN }, &["info string hint e2e4"]),
            ("played", Event::Played { mv: e4, context: PLAIN }, &[]),
            ("game over", Event::GameEnded(over), &[]),
            ("draw offer", Event::OfferDraw, &[]),
        ];
        for (name, event, expected) in rows {
            assert_eq!(rendered(event), *expected, "{name}");
        }
    }

    /// Clients learn the defaults, whatever is set at the moment.
    #[test]
    fn identity_lists_every_option() {
        let lines = rendered(&Event::Identity);
        assert_eq!(lines.len(), specs().count() + 3);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(lines[0], format!("id name Gambeson {version}"));
        assert_eq!(lines[1], "id author the Gambeson authors");
        for (line, spec) in lines[2..].iter().zip(specs()) {
            assert!(line.starts_with(&format!("option name {} type ", spec.name)), "{line}");
        }
        assert_eq!(lines.last().unwrap(), "uciok");
        for expected in [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_Opponent type string default <empty>",
            &format!("option name UCI_EngineAbout type string default {ABOUT}"),
        ] {
            assert!(lines.iter().any(|line| line == expected), "{expected}");
        }
    }
}
