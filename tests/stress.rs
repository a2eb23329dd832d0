//! Sessions at random: sense, half sense and noise, in any order. Whatever is said, the
//! engine lives, answers every question and every search once, and plays legal moves.
//!
//! A session is one process and some conversations with it. `GAMBESON_STRESS=500` sets
//! the number of sessions of each protocol, `GAMBESON_STRESS_THREADS=4` the number of
//! threads that they search with.

mod common {
    pub mod conversation;
    #[allow(dead_code)] // Only the dice are wanted here.
    pub mod random;
}

use common::conversation::{Conversation, PATIENCE};
use common::random::Dice;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The most conversations in a session, and the lines of each.
const CONVERSATIONS: usize = 12;
const LINES: usize = 15;

const FENS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "8/P1k5/8/8/8/8/5K1p/8 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/3R4/4K3 w - - 96 80",
];

const BAD_POSITIONS: &[&str] = &[
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "x",
    "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "44/8/8/8/8/8/8/k1K5 w - - 0 1",
];

fn number(variable: &str, default: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")),
        Err(_) => default,
    }
}

fn sessions() -> usize {
    number("GAMBESON_STRESS", 50)
}

fn threads() -> usize {
    number("GAMBESON_STRESS_THREADS", 1)
}

fn pick<'a>(dice: &mut Dice, list: &[&'a str]) -> &'a str {
    list[dice.below(list.len())]
}

/// Bytes that are no line of any protocol: one of them at least is beyond ASCII.
fn noise(dice: &mut Dice) -> Vec<u8> {
    let length = match dice.below(20) {
        0 => 60_000,
        1..=3 => 2_000,
        _ => 40,
    };
    let mut bytes = vec![0xb7];
    for _ in 0..dice.below(length) {
        let byte = dice.below(256) as u8;
        bytes.push(if matches!(byte, b'\n' | b' ' | b'\t') { 0 } else { byte });
    }
    bytes.push(b'\n');
    bytes
}

/// A line with one letter changed, doubled or left out.
fn mutated(dice: &mut Dice, line: &str) -> String {
    let mut bytes = line.as_bytes().to_vec();
    let at = dice.below(bytes.len());
    match dice.below(3) {
        0 => bytes[at] = b'!' + dice.below(90) as u8,
        1 => bytes.insert(at, bytes[at]),
        _ => _ = bytes.remove(at),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn random_position(dice: &mut Dice) -> (Option<&'static str>, Chess) {
    if dice.below(2) == 0 {
        return (None, Chess::default());
    }
    let text = pick(dice, FENS);
    let fen: Fen = text.parse().expect(text);
    (Some(text), fen.into_position(CastlingMode::Standard).expect(text))
}

fn random_move(dice: &mut Dice, position: &Chess) -> Option<shakmaty::Move> {
    let moves = position.legal_moves();
    if moves.is_empty() { None } else { Some(moves[dice.below(moves.len())]) }
}

/// Plays a move of the engine's, which must be legal.
fn played(position: &Chess, text: &str) -> Result<Chess, String> {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let mv: UciMove = text.parse().map_err(|_| format!("{text} is no move, in {fen}"))?;
    let mv = mv.to_move(position).map_err(|_| format!("{text} is illegal in {fen}"))?;
    position.clone().play(mv).map_err(|_| format!("{text} cannot be played in {fen}"))
}

fn check_text(talk: &mut Conversation, line: &str) {
    if line.contains(|letter: char| letter.is_control() && letter != '\t') || line.len() > 20_000 {
        talk.fail(&format!("garbage: {line:?}"));
    }
}

#[derive(Default)]
struct Totals {
    conversations: usize,
    lines: usize,
    noise: usize,
    searches: usize,
    moves_checked: usize,
    questions: usize,
}

// UCI.

struct UciSide {
    talk: Conversation,
    /// The searches not yet answered, with their positions as far as known.
    pending: VecDeque<Option<Chess>>,
    questions: usize,
    answers: usize,
    position: Option<Chess>,
    /// Every search sent so far will end by itself or was told to.
    may_go: bool,
    totals: Totals,
}

impl UciSide {
    fn new() -> UciSide {
        let mut talk = Conversation::start();
        talk.send("uci");
        talk.expect_prefix("uciok");
        talk.send(&format!("setoption name Threads value {}", threads()));
        UciSide {
            talk,
            pending: VecDeque::new(),
            questions: 0,
            answers: 0,
            position: Some(Chess::default()),
            may_go: true,
            totals: Totals::default(),
        }
    }

    fn send(&mut self, line: &str) {
        self.totals.lines += 1;
        self.talk.send(line);
    }

    fn hear(&mut self, line: &str) {
        check_text(&mut self.talk, line);
        if line == "readyok" {
            self.answers += 1;
        } else if line.contains("go: a search is running") {
            self.talk.fail("a search was refused");
        } else if let Some(rest) = line.strip_prefix("bestmove ") {
            let Some(position) = self.pending.pop_front() else {
                self.talk.fail("a move nobody asked for");
            };
            self.totals.searches += 1;
            if let Some(position) = position {
                self.check_answer(&position, rest);
            }
        }
    }

    fn check_answer(&mut self, position: &Chess, answer: &str) {
        let mut words = answer.split(' ');
        let best = words.next().unwrap_or_default();
        if position.legal_moves().is_empty() {
            if best != "(none)" {
                self.talk.fail("there is no legal move");
            }
            return;
        }
        let result = played(position, best).and_then(|next| match (words.next(), words.next()) {
            (Some("ponder"), Some(reply)) => played(&next, reply).map(|_| ()),
            _ => Ok(()),
        });
        if let Err(reason) = result {
            self.talk.fail(&reason);
        }
        self.totals.moves_checked += 1;
    }

    fn listen(&mut self, time: Duration) {
        while let Some(line) = self.talk.line_within(time) {
            self.hear(&line);
        }
        if self.pending.is_empty() {
            self.may_go = true;
        }
    }

    fn step(&mut self, dice: &mut Dice) {
        match dice.below(16) {
            0 => {
                self.questions += 1;
                self.send("isready");
            }
            1 | 2 => self.set_position(dice),
            3..=6 => self.go(dice),
            7 | 8 => {
                self.send("stop");
                self.may_go = true;
            }
            9 => self.send("ponderhit"),
            10 => {
                self.totals.noise += 1;
                self.talk.send_bytes(&noise(dice));
            }
            11 => self.listen(Duration::from_millis(dice.below(5) as u64)),
            12 => {
                // Whatever this comes to, it may change the position.
                self.position = None;
                let line = pick(dice, UCI_SENSE);
                let line = mutated(dice, line);
                self.send(&line);
            }
            13 => {
                self.position = None;
                let fen = pick(dice, BAD_POSITIONS);
                self.send(&format!("position fen {fen} moves e2e4"));
            }
            _ => {
                let line = pick(dice, UCI_SENSE);
                self.send(line);
            }
        }
    }

    fn set_position(&mut self, dice: &mut Dice) {
        let (fen, mut position) = random_position(dice);
        let mut line = match fen {
            Some(fen) => format!("position fen {fen} moves"),
            None => "position startpos moves".to_owned(),
        };
        for _ in 0..dice.below(30) {
            let Some(mv) = random_move(dice, &position) else { break };
            line += &format!(" {}", mv.to_uci(CastlingMode::Standard));
            position.play_unchecked(mv);
        }
        self.position = Some(position);
        if dice.below(6) == 0 {
            // Then there is nothing to search.
            self.position = None;
            line += pick(dice, &[" e1e1", " 0000", " xyzzy e2e4", " a1h8q"]);
        }
        self.send(&line);
    }

    fn go(&mut self, dice: &mut Dice) {
        self.listen(Duration::ZERO);
        if !self.may_go {
            return;
        }
        let line = match dice.below(14) {
            0 => "go infinite".to_owned(),
            1 => "go ponder wtime 20 btime 20".to_owned(),
            2 => format!("go wtime {} btime 30 winc 1 binc 1", dice.below(40)),
            3 => format!("go movetime {}", dice.below(8)),
            4 => format!("go nodes {}", dice.below(3_000)),
            5 => "go depth 3 searchmoves e2e4 e7e5 zzzz".to_owned(),
            6 => "go wtime -7 btime -7 foo".to_owned(),
            7 => "go depth xyz".to_owned(),
            8 => "joho go mate 1 depth 3".to_owned(),
            9 => "go ponder depth 2".to_owned(),
            _ => format!("go depth {}", dice.below(5)),
        };
        self.send(&line);
        // That one is refused, so no move is to be checked.
        let position = self.position.clone().filter(|_| !line.ends_with("xyz"));
        self.pending.push_back(position);
        self.may_go = false;
    }

    /// Ends the session, often in the middle of a search, which has its answer all the
    /// same.
    fn end(mut self, dice: &mut Dice) -> Totals {
        if dice.below(2) == 0 {
            self.go(dice);
        }
        if dice.below(2) == 0 {
            self.send("quit");
        } else {
            self.talk.close();
        }
        assert!(self.talk.expect_exit(PATIENCE).success());
        for line in self.talk.rest() {
            self.hear(&line);
        }
        if !self.pending.is_empty() {
            self.talk.fail("the search that was going on has no answer");
        }
        Totals { questions: self.questions, ..self.totals }
    }

    /// Everything said so far has its answer.
    fn settle(&mut self) {
        self.totals.conversations += 1;
        self.send("stop");
        self.questions += 1;
        self.send("isready");
        let end = Instant::now() + PATIENCE;
        while self.answers < self.questions || !self.pending.is_empty() {
            if Instant::now() > end {
                let missing = self.pending.len();
                self.talk.fail(&format!("{missing} searches without a move"));
            }
            if let Some(line) = self.talk.line_within(Duration::from_millis(50)) {
                self.hear(&line);
            }
        }
        self.may_go = true;
        assert_eq!(self.answers, self.questions);
        assert!(self.talk.is_alive());
    }
}

const UCI_SENSE: &[&str] = &[
    "uci",
    "debug on",
    "debug off",
    "ucinewgame",
    "setoption name Hash value 2",
    "setoption name Hash value abc",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_ShowWDL value true",
    "setoption name Ponder value true",
    "setoption name Xyzzy value 1",
    "setoption name",
    "register later",
    "moves",
    "fen",
    "eval",
    "compiler",
    "xboard",
    "protover 2",
    "usermove e2e4",
];

#[test]
fn uci() {
    let start = Instant::now();
    let mut totals = Totals::default();
    for session in 0..sessions() {
        let mut dice = Dice::new(session as u64);
        let mut side = UciSide::new();
        for _ in 0..=dice.below(CONVERSATIONS) {
            for _ in 0..LINES {
                side.step(&mut dice);
            }
            side.settle();
        }
        add(&mut totals, &side.end(&mut dice));
    }
    report("UCI", &totals, start);
    let conversations = totals.conversations;
    assert!(totals.searches >= conversations / 2 && totals.moves_checked >= conversations / 5);
}

// xboard.

struct XboardSide {
    talk: Conversation,
    /// The position and those before it, if we know and the engine only follows.
    known: Option<Vec<Chess>>,
    pings: usize,
    pongs: usize,
    totals: Totals,
}

impl XboardSide {
    fn new(dice: &mut Dice) -> XboardSide {
        let mut talk = Conversation::start();
        talk.send("xboard");
        // Version 1 of the protocol does not ask for features.
        if dice.below(4) > 0 {
            talk.send("protover 2");
            talk.expect_prefix("feature done=1");
        }
        let mut side =
            XboardSide { talk, known: None, pings: 0, pongs: 0, totals: Totals::default() };
        side.begin();
        side
    }

    fn send(&mut self, line: &str) {
        self.totals.lines += 1;
        self.talk.send(line);
    }

    /// A state that we know, whatever it was.
    fn begin(&mut self) {
        for line in [".", "exit", "resume", "new", "variant normal", "force", "st 0.01", "easy"] {
            self.send(line);
        }
        self.send(&format!("cores {}", threads()));
        self.known = Some(vec![Chess::default()]);
    }

    fn hear(&mut self, line: &str) {
        check_text(&mut self.talk, line);
        if let Some(number) = line.strip_prefix("pong ") {
            self.pongs += 1;
            if number != self.pongs.to_string() {
                self.talk.fail(&format!("pong {} was to come", self.pongs));
            }
        } else if self.known.is_some() && line.starts_with("move ") {
            self.talk.fail("a move in force mode");
        }
    }

    fn ping(&mut self) {
        self.pings += 1;
        self.send(&format!("ping {}", self.pings));
    }

    fn step(&mut self, dice: &mut Dice) {
        match dice.below(16) {
            0 => self.ping(),
            1 => self.begin(),
            2..=5 => self.make_move(dice),
            6 => self.take_back(),
            7 => self.set_board(dice),
            8 | 9 => self.let_play(),
            10 => {
                self.totals.noise += 1;
                self.talk.send_bytes(&noise(dice));
            }
            11 => {
                let line = pick(dice, XBOARD_SENSE);
                let line = mutated(dice, line);
                self.known = None;
                self.send(&line);
            }
            12 => {
                let time = Duration::from_millis(dice.below(5) as u64);
                while let Some(line) = self.talk.line_within(time) {
                    self.hear(&line);
                }
            }
            13 => {
                let line = pick(dice, XBOARD_HARMLESS);
                self.send(line);
            }
            _ => {
                let line = pick(dice, XBOARD_SENSE);
                self.known = None;
                self.send(line);
            }
        }
    }

    fn make_move(&mut self, dice: &mut Dice) {
        let Some(known) = &mut self.known else {
            let line = pick(dice, &["e2e4", "usermove d2d4", "Nf3", "usermove O-O", "a7a6"]);
            return self.send(line);
        };
        let position = known.last().expect("a position").clone();
        let Some(mv) = random_move(dice, &position) else { return };
        let text = match dice.below(3) {
            0 => format!("usermove {}", SanPlus::from_move(position.clone(), mv)),
            1 => mv.to_uci(CastlingMode::Standard).to_string(),
            _ => format!("usermove {}", mv.to_uci(CastlingMode::Standard)),
        };
        known.push(position.play(mv).expect("a legal move"));
        self.send(&text);
    }

    fn take_back(&mut self) {
        if let Some(known) = &mut self.known
            && known.len() > 1
        {
            known.pop();
        }
        self.send("undo");
    }

    fn set_board(&mut self, dice: &mut Dice) {
        if dice.below(4) == 0 {
            self.known = None;
            let fen = pick(dice, BAD_POSITIONS);
            return self.send(&format!("setboard {fen}"));
        }
        let text = pick(dice, FENS);
        let fen: Fen = text.parse().expect(text);
        let position = fen.into_position(CastlingMode::Standard).expect(text);
        if self.known.is_some() {
            self.known = Some(vec![position]);
        }
        self.send(&format!("setboard {text}"));
    }

    /// Lets the engine make a move in a position we know.
    fn let_play(&mut self) {
        let Some(mut known) = self.known.take() else { return };
        let position = known.last().expect("a position").clone();
        self.send("go");
        let end = Instant::now() + PATIENCE;
        loop {
            let Some(line) = self.talk.line_within(PATIENCE) else {
                self.talk.fail("neither a move nor a result");
            };
            if let Some(text) = line.strip_prefix("move ") {
                match played(&position, text) {
                    Ok(next) => known.push(next),
                    Err(reason) => self.talk.fail(&reason),
                }
                self.totals.moves_checked += 1;
                break;
            }
            self.hear(&line);
            if ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| line.starts_with(start)) {
                break;
            }
            if Instant::now() > end {
                self.talk.fail("neither a move nor a result");
            }
        }
        self.totals.searches += 1;
        self.send("force");
        self.known = Some(known);
    }

    /// Ends the session, whatever it is doing.
    fn end(mut self, dice: &mut Dice) -> Totals {
        self.send(pick(dice, &["force", "go", "analyze", "edit", "hard\ngo"]));
        if dice.below(2) == 0 {
            self.send("quit");
        } else {
            self.talk.close();
        }
        assert!(self.talk.expect_exit(PATIENCE).success());
        Totals { questions: self.pings, ..self.totals }
    }

    fn settle(&mut self) {
        self.totals.conversations += 1;
        for line in [".", "exit", "resume", "force"] {
            self.send(line);
        }
        self.ping();
        let end = Instant::now() + PATIENCE;
        while self.pongs < self.pings {
            if Instant::now() > end {
                self.talk.fail("a ping without a pong");
            }
            if let Some(line) = self.talk.line_within(Duration::from_millis(50)) {
                self.hear(&line);
            }
        }
        // The position is the one we think it is.
        if let Some(position) = self.known.as_ref().and_then(|known| known.last()) {
            let wanted = Fen::from_position(position, EnPassantMode::Legal).to_string();
            self.send("fen");
            let line = self.talk.expect_prefix("# ");
            let found = line.trim_start_matches("# ");
            if found.split(' ').take(3).ne(wanted.split(' ').take(3)) {
                self.talk.fail(&format!("{found} instead of {wanted}"));
            }
        }
        self.begin();
        assert!(self.talk.is_alive());
    }
}

/// They leave the position and the mode as they are.
const XBOARD_HARMLESS: &[&str] = &[
    "accepted ping",
    "rejected san",
    "random",
    "computer",
    "name A B",
    "rating 1 2",
    "time 100",
    "otim 100",
    "?",
    ".",
    "hint",
    "bk",
    "nps 5000",
    "nps -1",
    "sd 2",
    "hard",
    "easy",
    "memory 2",
    "cores 1",
    "option MultiPV=2",
    "option Foo=1",
    "xyzzy",
    "usermove e2e5e6",
    "e9e8",
    "level x",
    "st 0.01",
    "resume",
    "draw",
    "egtpath a b",
];

const XBOARD_SENSE: &[&str] = &[
    "new",
    "force",
    "go",
    "playother",
    "analyze",
    "exit",
    "edit",
    "#",
    "Ke1",
    "c",
    ".",
    "undo",
    "remove",
    "hard",
    "easy",
    "post",
    "nopost",
    "st 0.01",
    "level 0 0:01 0",
    "level 40 5 0",
    "time 5",
    "white",
    "black",
    "pause",
    "resume",
    "draw",
    "result 1-0 {x}",
    "variant fischerandom",
    "exclude all",
    "include e2e4",
    "exclude d2d4",
    "setscore 30",
    "memory 3",
    "cores 2",
    "option Clear Hash",
    "option Foo=1",
    "usermove e2e4",
    "usermove @@@@",
    "flip",
    "moves",
    "uci",
    "?",
];

#[test]
fn xboard() {
    let start = Instant::now();
    let mut totals = Totals::default();
    for session in 0..sessions() {
        let mut dice = Dice::new(1_000_000 + session as u64);
        let mut side = XboardSide::new(&mut dice);
        for _ in 0..=dice.below(CONVERSATIONS) {
            for _ in 0..LINES {
                side.step(&mut dice);
            }
            side.settle();
        }
        add(&mut totals, &side.end(&mut dice));
    }
    report("xboard", &totals, start);
    assert!(totals.moves_checked >= totals.conversations / 5);
}

fn add(totals: &mut Totals, more: &Totals) {
    totals.conversations += more.conversations;
    totals.questions += more.questions;
    totals.lines += more.lines;
    totals.noise += more.noise;
    totals.searches += more.searches;
    totals.moves_checked += more.moves_checked;
}

fn report(name: &str, totals: &Totals, start: Instant) {
    println!(
        "{name}: {} sessions with {} threads, {} conversations, {} lines, {} of noise, {} \
         searches answered, {} moves checked, {} questions answered, {:.1} s",
        sessions(),
        threads(),
        totals.conversations,
        totals.lines,
        totals.noise,
        totals.searches,
        totals.moves_checked,
        totals.questions,
        start.elapsed().as_secs_f64()
    );
}
