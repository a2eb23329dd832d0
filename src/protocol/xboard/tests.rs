//! What xboard says, line by line, and what it never says, by the hundred thousand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use super::*;
use crate::engine::Position;
use crate::engine::command::{Show, TimeControl, Variant};
use crate::protocol::clean;
use crate::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::time::Duration;

fn parse(line: &str) -> Result<Option<Command>, Problem> {
    told(&mut Xboard::default(), line)
}

fn told(xboard: &mut Xboard, line: &str) -> Result<Option<Command>, Problem> {
    xboard.parse(&clean(line), Some(&Board::startpos()))
}

fn check<C: Clone + Into<Command>>(rows: &[(&str, C)]) {
    for (line, command) in rows {
        assert_eq!(parse(line), Ok(Some(command.clone().into())), "{line}");
    }
}

fn set(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

#[test]
fn commands_of_the_game() {
    use GameCommand::*;
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    check(&[
        ("new", NewGame),
        ("new ", NewGame),
        ("variant normal", SetVariant(Variant::Normal)),
        ("variant fischerandom", SetVariant(Variant::Fischerandom)),
        ("force", Force),
        ("go", Play),
        ("playother", PlayOther),
        ("white", SetTurn(Color::White)),
        ("black", SetTurn(Color::Black)),
        ("?", MoveNow),
        ("draw", OfferDraw),
        ("result 1-0 {White mates}", GameOver("1-0 {White mates}".to_owned())),
        ("result 1/2-1/2 {Draw by repetition}", {
            GameOver("1/2-1/2 {Draw by repetition}".to_owned())
        }),
        ("result *", GameOver("*".to_owned())),
        ("result", GameOver(String::new())),
        (&format!("setboard {fen}"), SetBoard(Position::from_fen(fen))),
        ("setboard rubbish", SetBoard(Position::from_fen("rubbish"))),
        ("undo", TakeBack(1)),
        ("remove", TakeBack(2)),
        ("hint", Hint),
        ("bk", Book),
        ("pause", Pause),
        ("resume", Resume),
        ("hard", SetPondering(true)),
        ("easy", SetPondering(false)),
        ("post", SetPosting(true)),
        ("nopost", SetPosting(false)),
        ("analyze", Analyze),
        ("exit", StopAnalyzing),
        (".", ReportStatus),
        ("exclude e2e4", Exclude(Some(Move::normal(Square::E2, Square::E4)))),
        ("exclude all", Exclude(None)),
        ("include Nf3", Include(Some(Move::normal(Square::G1, Square::F3)))),
        ("include all", Include(None)),
        ("setscore 50", SetScore(50)),
        ("setscore -120", SetScore(-120)),
        ("setscore 12 8", SetScore(12)),
        ("name GnuChess 6.2", OpponentName("GnuChess 6.2".to_owned())),
        ("name Łódź", OpponentName("Łódź".to_owned())),
        ("name", OpponentName(String::new())),
        ("rating 2600 1500", Ratings { own: 2600, opponent: 1500 }),
        ("rating 0 0", Ratings { own: 0, opponent: 0 }),
        ("ics freechess.org", Server(Some("freechess.org".to_owned()))),
        ("ics -", Server(None)),
        ("computer", OpponentIsComputer),
    ]);
}

#[test]
fn times_and_limits() {
    let clock = |moves, base, increment| {
        let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
        GameCommand::SetLevel(TimeControl::Clock { moves, base, increment })
    };
    let per_move =
        |millis| GameCommand::SetLevel(TimeControl::PerMove(Duration::from_millis(millis)));
    let time =
        |own, millis| GameCommand::SetClock { own, remaining: Duration::from_millis(millis) };
    check(&[
        ("level 40 5 0", clock(40, 300_000, 0)),
        ("level 0 2 12", clock(0, 120_000, 12_000)),
        ("level 40 0:30 0", clock(40, 30_000, 0)),
        ("level 0 1:05 0.1", clock(0, 65_000, 100)),
        ("level 0 100:00 1", clock(0, 6_000_000, 1_000)),
        ("level 0 0.5 0.25", clock(0, 30_000, 250)),
        ("level 0 2.2 .5", clock(0, 132_000, 500)),
        ("level 0 0 0", clock(0, 0, 0)),
        ("level 40 5 0 and whatever", clock(40, 300_000, 0)),
        ("level 0 99999999999999999999 0", clock(0, 1_000_000_000_000, 0)),
        ("st 30", per_move(30_000)),
        ("st 0", per_move(0)),
        ("st 0.01", per_move(10)),
        ("st 0.5", per_move(500)),
        ("st 86400", per_move(86_400_000)),
        ("sd 8", GameCommand::SetDepthLimit(Some(8))),
        ("sd 0", GameCommand::SetDepthLimit(None)),
        ("nps 100000", GameCommand::SetNodeRate(Some(100_000))),
        ("nps 0", GameCommand::SetNodeRate(Some(0))),
        ("nps -1", GameCommand::SetNodeRate(None)),
        ("time 30000", time(true, 300_000)),
        ("time 0", time(true, 0)),
        ("time -55", time(true, 0)),
        ("time 9223372036854775807", time(true, 1_000_000_000_000)),
        ("otim 100", time(false, 1_000)),
        ("otim -1", time(false, 0)),
    ]);
}

#[test]
fn options_and_console() {
    use Command::*;
    check(&[
        ("protover 2", Identify),
        ("protover 3", Identify),
        ("  protover \t 2  ", Identify),
        ("ping 1", Ready("1".to_owned())),
        ("ping 4711", Ready("4711".to_owned())),
        ("ping 0 offer draw", Ready("0".to_owned())),
        ("ping -1", Ready("-1".to_owned())),
        ("quit", Quit),
        ("memory 512", set("Hash", Some("512"))),
        ("cores 4", set("Threads", Some("4"))),
        ("egtpath syzygy /a b/c", set("SyzygyPath", Some("/a b/c"))),
        ("egtpath syzygy", set("SyzygyPath", Some(""))),
        ("option MultiPV=3", set("MultiPV", Some("3"))),
        ("option Clear Hash", set("Clear Hash", None)),
        ("option Move Overhead=100", set("Move Overhead", Some("100"))),
        ("option Move Overhead = 100", set("Move Overhead", Some("100"))),
        ("option Debug Log File=a=b.log", set("Debug Log File", Some("a=b.log"))),
        ("option Debug Log File=", set("Debug Log File", Some(""))),
        ("option Minimal=1", set("Minimal", Some("1"))),
        ("d", Show(self::Show::Board)),
        ("eval", Show(self::Show::Evaluation)),
        ("moves", Show(self::Show::Moves)),
        ("fen", Show(self::Show::Fen)),
        ("help", Show(self::Show::Help)),
        ("license", Show(self::Show::License)),
        ("compiler", Show(self::Show::Compiler)),
        ("flip", Flip),
        ("perft 5", Perft { depth: 5 }),
        ("bench", Bench(vec![])),
        ("bench 12 1 16", Bench(vec!["12".to_owned(), "1".to_owned(), "16".to_owned()])),
    ]);
}

#[test]
fn lines_that_ask_for_nothing() {
    for line in [
        "",
        "   ",
        "xboard",
        "protover 1",
        "accepted ping",
        "accepted debug",
        "rejected usermove",
        "rejected debug",
        "accepted",
        "random",
        "egtpath nalimov /tables",
        "egtpath gaviota",
        "edit",
    ] {
        assert_eq!(parse(line), Ok(None), "{line}");
    }
}

fn moved(line: &str) -> String {
    match parse(line) {
        Ok(Some(Command::Game(GameCommand::UserMove(sent)))) => sent.text,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn moves_are_read_for_the_position() {
    let sent = |line, board: Option<&Board>| match Xboard::default().parse(line, board) {
        Ok(Some(Command::Game(GameCommand::UserMove(sent)))) => sent.mv,
        other => panic!("{line}: {other:?}"),
    };
    let start = Board::startpos();
    let knight = Move::normal(Square::G1, Square::F3);
    assert_eq!(sent("usermove g1f3", Some(&start)), Ok(Some(knight)));
    assert_eq!(sent("Nf3", Some(&start)), Ok(Some(knight)));
    assert_eq!(sent("@@@@", Some(&start)), Ok(None));
    assert!(matches!(sent("e2e5", Some(&start)), Err(Problem::IllegalMove { .. })));
    for line in ["Nf3", "@@@@"] {
        assert!(matches!(sent(line, None), Err(Problem::IllegalMove { .. })), "{line}");
    }
}

#[test]
fn moves_with_and_without_usermove() {
    let lines = "e2e4 E2E4 e7e8q e7e8Q e7e8=Q e7e8=n e1g1 e1h1 e8a8 b2b4 b7b8b O-O O-O-O 0-0 0-0-0 \
        o-o OO O-O+ O-O-O# Nf3 exd5 bxc3 b4 d4 Bb5+ bxa8=B bxa8=Q# Nbd2 N1d2 Nb1d2 Nb1xd2 \
        Qxf7# e8=Q+ e8Q e8=N! R1e2 Raxd1 Kd2!? Ng1-f3 e2-e4 e4:d5 @@@@ P@e4 nf3 a1a1 e2e5";
    for text in lines.split_whitespace() {
        assert_eq!(moved(text), text);
        assert_eq!(moved(&format!("usermove {text}")), text);
    }
    // After `usermove` it is a move whatever it looks like.
    assert_eq!(moved("usermove black"), "black");
}

#[test]
fn unknown_commands() {
    let lines = "uci, isready, position startpos, foo, b, c, #, e, e9, i4, e2e9, e2i4, e2e4k, \
        e2e4e5, xe4, Ne, Nxf, OOOO, O-0, O-O-0, O-, @@@, @@@@@, 0000, 1, 12.5, Quit, \
        NEW, Black, bb, bka, be, e2e4 e7e5, Nf3 now, newgame, =Q, +, !!, ??, é4, ♞f3, \
        tellics say hi, x, xa1b, --, 1-0, {, Pa4b5c6";
    for line in lines.split(", ") {
        assert_eq!(parse(line), Err(Problem::UnknownCommand(line.to_owned())), "{line}");
    }
    let long = "ä".repeat(5_000);
    let Err(Problem::UnknownCommand(echo)) = parse(&long) else { panic!("no command") };
    assert_eq!(echo, "ä".repeat(ECHO) + "...");
}

#[test]
fn arguments_that_cannot_be_read() {
    let lines = "protover, protover two, ping, variant, variant atomic, setboard, usermove, \
        level, level 40, level 40 5, level x 5 0, level -1 5 0, level 40 -5 0, \
        level 40 5 -1, level 40 5:x 0, level 40 :30 0, level 40 5 1e3, \
        level 40 inf 0, level 40 1:2:3 0, st, st -1, st nan, st ., st 1s, sd, sd -1, \
        sd x, nps, nps many, time, time soon, time 1.5, time 99999999999999999999, \
        otim, otim x, exclude, include, setscore, setscore x, setscore 99999999999, \
        rating, rating 2000, rating 1 x, ics, memory, memory lots, cores, cores 1.5, \
        egtpath, option, option =5, perft, perft x, perft -1";
    for line in lines.split(", ") {
        let result = parse(line);
        assert!(matches!(result, Err(Problem::BadArgument { .. })), "{line}: {result:?}");
    }
    assert_eq!(
        parse("variant atomic"),
        Err(Problem::BadArgument {
            command: "atomic".to_owned(),
            reason: "unsupported variant".to_owned()
        })
    );
}

/// Feeds lines of edit mode and gives what `.` makes of them.
fn edited(lines: &str) -> Vec<EditStep> {
    let mut xboard = Xboard::default();
    assert_eq!(told(&mut xboard, "edit"), Ok(None));
    for line in lines.split_whitespace() {
        assert_eq!(told(&mut xboard, line), Ok(None), "{line}");
    }
    let Ok(Some(Command::Game(GameCommand::Edit(steps)))) = told(&mut xboard, ".") else {
        panic!("{lines}")
    };
    assert_eq!(
        told(&mut xboard, "."),
        Ok(Some(GameCommand::ReportStatus.into())),
        "edit mode is over"
    );
    steps
}

#[test]
fn edit_mode() {
    use Color::{Black, White};
    use EditStep::*;
    use Piece::*;
    use Square::*;
    for (lines, steps) in [
        ("", vec![]),
        ("#", vec![Clear]),
        ("Pa4", vec![Put(White, Pawn, A4)]),
        ("xa4", vec![Remove(A4)]),
        ("c Bb4", vec![Put(Black, Bishop, B4)]),
        ("c c Bb4", vec![Put(White, Bishop, B4)]),
        ("# Ke1 Qd1 c Ke8", {
            vec![Clear, Put(White, King, E1), Put(White, Queen, D1), Put(Black, King, E8)]
        }),
        ("Ra1 Na1 xb1 xb1", vec![Put(White, Knight, A1), Remove(B1)]),
        ("Ra1 # Na1 #", vec![Clear]),
        ("c # Na1", vec![Clear, Put(Black, Knight, A1)]),
    ] {
        assert_eq!(edited(lines), steps, "{lines}");
    }
}

#[test]
fn edit_mode_does_not_swallow_what_matters() {
    let mut xboard = Xboard::default();
    told(&mut xboard, "edit").unwrap();
    for line in ["edit", "e2e4", "go", "Za1", "Pa9", "Pa", "P", "xa", "é", "d", "C", "##"] {
        let result = told(&mut xboard, line);
        assert!(matches!(result, Err(Problem::BadArgument { .. })), "{line}: {result:?}");
    }
    assert_eq!(told(&mut xboard, ""), Ok(None));
    assert_eq!(told(&mut xboard, "ping 3"), Ok(Some(Command::Ready("3".to_owned()))));
    assert_eq!(told(&mut xboard, "quit"), Ok(Some(Command::Quit)));
    assert_eq!(told(&mut xboard, "Pa4"), Ok(None), "still editing");
    assert_eq!(told(&mut xboard, "new"), Ok(Some(GameCommand::NewGame.into())));
    let moved = told(&mut xboard, "e2e4");
    assert!(matches!(moved, Ok(Some(Command::Game(GameCommand::UserMove(_))))), "{moved:?}");
}

#[test]
fn a_client_may_refuse_remarks() {
    let mut xboard = Xboard::default();
    let shown = |xboard: &mut Xboard| {
        let mut out = Vec::new();
        xboard.render(&Event::Remark("r"), &mut out).unwrap();
        xboard.render(&Event::Text("t"), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(shown(&mut xboard), "# r\n# t\n");
    told(&mut xboard, "rejected debug").unwrap();
    assert_eq!(shown(&mut xboard), "# t\n");
    told(&mut xboard, "accepted debug").unwrap();
    assert_eq!(shown(&mut xboard), "# r\n# t\n");
}

/// Random lines from words a client might use, and from some it should not.
struct Babble {
    rng: Xoshiro256PlusPlus,
    words: Vec<&'static str>,
}

impl Babble {
    const WORDS: &str = "xboard,protover,accepted,rejected,new,variant,normal,fischerandom,quit,random,\
        force,go,playother,white,black,level,st,sd,nps,time,otim,usermove,?,ping,draw,\
        result,setboard,edit,edit,.,#,c,Pa4,xa4,Kh8,hint,bk,undo,remove,hard,easy,post,\
        nopost,analyze,exit,name,rating,ics,computer,pause,resume,memory,cores,egtpath,\
        syzygy,option,exclude,include,all,setscore,d,eval,moves,fen,flip,perft,bench,help,\
        uci,debug,e2e4,E7E8Q,O-O,@@@@,Nf3,bxc3,e8=Q+,{White mates},1-0,offer draw,OFFER,\
        draw\n,\r\n1,\0,Hash=16,Clear Hash,=,é♞,\u{2028},🦀,-,5:30";

    fn new(seed: u64) -> Babble {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Babble { rng, words: Babble::WORDS.split(',').collect() }
    }

    fn below(&mut self, end: usize) -> usize {
        self.rng.next_u64() as usize % end
    }

    fn word(&mut self) -> String {
        match self.below(10) {
            0 => self.below(1_000).to_string(),
            1 => (self.rng.next_u64() as i64).to_string(),
            2 => format!("{}.{}", self.below(100), self.below(100)),
            3 => {
                let length = self.below(12);
                (0..length).filter_map(|_| char::from_u32(self.rng.next_u32() % 0x300)).collect()
            }
            _ => {
                let index = self.below(self.words.len());
                self.words[index].to_owned()
            }
        }
    }

    fn line(&mut self) -> String {
        // Or else edit mode, once begun, would hardly ever end.
        if self.below(20) == 0 {
            return ".".to_owned();
        }
        let mut words: Vec<String> = (0..=self.below(5)).map(|_| self.word()).collect();
        if self.below(1_000) == 0 {
            words.push(self.word().repeat(1_000));
        }
        let gaps = [" ", " ", " ", " ", "", "\t", "  "];
        words.join(gaps[self.below(gaps.len())])
    }
}

/// The two rules no line may break, and that lines are whole.
fn assert_harmless(xboard: &mut Xboard, event: &Event<'_>) {
    let mut out = Vec::new();
    xboard.render(event, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{event:?}");
    assert!(!text.to_ascii_lowercase().contains("offer draw"), "{event:?}: {text}");
    for line in text.split('\n') {
        assert!(!line.starts_with(|c: char| c.is_ascii_digit()), "{event:?}: {line}");
        assert!(!line.trim_start_matches('\t').contains(char::is_control), "{event:?}: {line}");
    }
}

#[test]
fn nothing_said_breaks_anything() {
    let mut babble = Babble::new(2);
    let mut xboard = Xboard::default();
    let (mut commands, mut problems, mut edits) = (0, 0, 0);
    for number in 0..200_000u64 {
        let line = babble.line();
        match told(&mut xboard, &line) {
            Ok(Some(Command::Game(GameCommand::Edit(steps)))) => {
                edits += 1;
                assert!(steps.len() <= 65);
            }
            Ok(Some(_)) => commands += 1,
            Ok(None) => {}
            Err(problem) => {
                problems += 1;
                assert_harmless(&mut xboard, &Event::Problem(&problem));
                let mut out = Vec::new();
                xboard.render(&Event::Problem(&problem), &mut out).unwrap();
                let illegal = matches!(problem, Problem::IllegalMove { .. });
                let start: &[u8] = if illegal { b"Illegal move" } else { b"Error (" };
                assert!(out.starts_with(start), "{line}: {problem}");
            }
        }
        let (text, mv) = (line.clone(), Some(line.clone()));
        let (depth, left, total) = (1, 2, 3);
        let time = Duration::from_millis(number);
        for event in [
            Event::Ready(&line),
            Event::Remark(&line),
            Event::Text(&line),
            Event::Book(&[text.clone(), String::new()]),
            Event::Status { time, nodes: number, depth, left, total, mv },
            Event::Problem(&Problem::UnknownCommand(text.clone())),
            Event::Problem(&Problem::Other(text.clone())),
            Event::Problem(&Problem::UnknownOption(text.clone())),
            Event::Problem(&Problem::IllegalPosition(text.clone())),
            Event::Problem(&Problem::IllegalMove { reason: text.clone(), text: text.clone() }),
            Event::Problem(&Problem::BadArgument { command: text.clone(), reason: text.clone() }),
            Event::Problem(&Problem::BadOption { name: text.clone(), reason: text }),
        ] {
            assert_harmless(&mut xboard, &event);
        }
    }
    assert!(commands > 10_000 && problems > 10_000 && edits > 500, "{commands} {problems} {edits}");
}
