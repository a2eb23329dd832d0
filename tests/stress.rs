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
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
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
    let mv: UciMove = text.parse().map_err(|_| format!("{text} is not a move, in {fen}"))?;
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

/// What both protocols have: the process, and the questions that it must answer.
struct Driver {
    talk: Conversation,
    asked: usize,
    answers: usize,
    totals: Totals,
}

impl Driver {
    fn new(totals: Totals) -> Driver {
        Driver { talk: Conversation::start(), asked: 0, answers: 0, totals }
    }
}

/// What one protocol says, and what must come of it.
trait Side: Sized {
    const NAME: &'static str;
    const FIRST_SEED: u64;
    /// What makes sense to say.
    const SENSE: &'static [&'static str];
    /// What ends everything that goes on.
    const END_ALL: &'static [&'static str];

    fn new(driver: Driver, dice: &mut Dice) -> Self;

    fn driver(&mut self) -> &mut Driver;

    /// The text of this question, the first being 1.
    fn question(number: usize) -> String;

    /// Judges a line of the engine's.
    fn hear(&mut self, line: &str);

    /// Says something that belongs to this protocol.
    fn act(&mut self, dice: &mut Dice);

    /// The next line may change the position in ways nobody follows.
    fn forget_position(&mut self);

    /// How many searches have no answer yet.
    fn unanswered(&self) -> usize;

    /// Everything that went on has ended.
    fn settled(&mut self);

    /// Begins what the end of the session will interrupt.
    fn last_words(&mut self, dice: &mut Dice);

    fn send(&mut self, line: &str) {
        self.driver().totals.lines += 1;
        self.driver().talk.send(line);
    }

    fn ask(&mut self) {
        self.driver().totals.questions += 1;
        self.driver().asked += 1;
        let question = Self::question(self.driver().asked);
        self.send(&question);
    }

    fn listen(&mut self, time: Duration) {
        while let Some(line) = self.driver().talk.line_within(time) {
            check_text(&mut self.driver().talk, &line);
            self.hear(&line);
        }
    }

    /// Answers that are still to come.
    fn missing(&mut self) -> usize {
        let driver = self.driver();
        driver.asked - driver.answers + self.unanswered()
    }

    fn step(&mut self, dice: &mut Dice) {
        match dice.below(16) {
            0 => self.ask(),
            1 => {
                self.driver().totals.noise += 1;
                self.driver().talk.send_bytes(&noise(dice));
            }
            2 => self.listen(Duration::from_millis(dice.below(5) as u64)),
            3 => {
                self.forget_position();
                let line = pick(dice, Self::SENSE);
                self.send(&mutated(dice, line));
            }
            _ => self.act(dice),
        }
    }

    /// Everything said so far gets its answer.
    fn settle(&mut self) {
        self.driver().totals.conversations += 1;
        Self::END_ALL.iter().for_each(|line| self.send(line));
        self.ask();
        let end = Instant::now() + PATIENCE;
        while self.missing() > 0 {
            if Instant::now() > end {
                let missing = self.missing();
                self.driver().talk.fail(&format!("{missing} answers are missing"));
            }
            self.listen(Duration::from_millis(50));
        }
        self.settled();
        assert!(self.driver().talk.is_alive());
    }

    /// Ends the session, often in the middle of a search, which has its answer all the
    /// same where the protocol wants one.
    fn end(mut self, dice: &mut Dice) -> Totals {
        self.last_words(dice);
        if dice.below(2) == 0 {
            self.send("quit");
        } else {
            self.driver().talk.close();
        }
        assert!(self.driver().talk.expect_exit(PATIENCE).success());
        for line in self.driver().talk.rest() {
            self.hear(&line);
        }
        if self.unanswered() > 0 {
            self.driver().talk.fail("the search that was going on has no answer");
        }
        std::mem::take(&mut self.driver().totals)
    }
}

fn run<S: Side>() {
    let start = Instant::now();
    let mut totals = Totals::default();
    for session in 0..sessions() {
        let mut dice = Dice::new(S::FIRST_SEED + session as u64);
        let mut side = S::new(Driver::new(totals), &mut dice);
        for _ in 0..=dice.below(CONVERSATIONS) {
            for _ in 0..LINES {
                side.step(&mut dice);
            }
            side.settle();
        }
        totals = side.end(&mut dice);
    }
    let Totals { conversations, lines, noise, searches, moves_checked, questions } = totals;
    println!(
        "{}: {} sessions with {} threads, {conversations} conversations, {lines} lines, {noise} of \
         noise, {searches} searches answered, {moves_checked} moves checked, {questions} questions \
         answered, {:.1} s",
        S::NAME,
        sessions(),
        threads(),
        start.elapsed().as_secs_f64()
    );
    assert!(searches >= conversations / 5 && moves_checked >= conversations / 5);
}

struct Uci {
    driver: Driver,
    /// The searches not yet answered, with their positions as far as known.
    pending: VecDeque<Option<Chess>>,
    position: Option<Chess>,
    /// Every search sent so far will end by itself or was told to.
    may_go: bool,
}

impl Side for Uci {
    const NAME: &'static str = "UCI";
    const FIRST_SEED: u64 = 0;
    const SENSE: &'static [&'static str] = UCI_SENSE;
    const END_ALL: &'static [&'static str] = &["stop"];

    fn new(mut driver: Driver, _: &mut Dice) -> Uci {
        driver.talk.send("uci");
        driver.talk.expect_prefix("uciok");
        driver.talk.send(&format!("setoption name Threads value {}", threads()));
        let position = Some(Chess::default());
        Uci { driver, pending: VecDeque::new(), position, may_go: true }
    }

    fn driver(&mut self) -> &mut Driver {
        &mut self.driver
    }

    fn question(_: usize) -> String {
        "isready".to_owned()
    }

    fn hear(&mut self, line: &str) {
        if line == "readyok" {
            self.driver.answers += 1;
        } else if line.contains("go: a search is running") {
            self.driver.talk.fail("a search was refused");
        } else if let Some(rest) = line.strip_prefix("bestmove ") {
            let Some(position) = self.pending.pop_front() else {
                self.driver.talk.fail("a move nobody asked for");
            };
            self.may_go |= self.pending.is_empty();
            self.driver.totals.searches += 1;
            if let Some(position) = position {
                self.check_answer(&position, rest);
            }
        }
    }

    fn act(&mut self, dice: &mut Dice) {
        match dice.below(12) {
            0 | 1 => self.set_position(dice),
            2..=5 => self.go(dice),
            6 | 7 => {
                self.send("stop");
                self.may_go = true;
            }
            8 => self.send("ponderhit"),
            9 => {
                self.forget_position();
                let fen = pick(dice, BAD_POSITIONS);
                self.send(&format!("position fen {fen} moves e2e4"));
            }
            _ => {
                let line = pick(dice, UCI_SENSE);
                self.send(line);
            }
        }
    }

    fn forget_position(&mut self) {
        self.position = None;
    }

    fn unanswered(&self) -> usize {
        self.pending.len()
    }

    fn settled(&mut self) {
        self.may_go = true;
    }

    fn last_words(&mut self, dice: &mut Dice) {
        if dice.below(2) == 0 {
            self.go(dice);
        }
    }
}

impl Uci {
    fn check_answer(&mut self, position: &Chess, answer: &str) {
        let mut words = answer.split(' ');
        let best = words.next().unwrap_or_default();
        if position.legal_moves().is_empty() {
            if best != "(none)" {
                self.driver.talk.fail("there is no legal move");
            }
            return;
        }
        let result = played(position, best).and_then(|next| match (words.next(), words.next()) {
            (Some("ponder"), Some(reply)) => played(&next, reply).map(|_| ()),
            _ => Ok(()),
        });
        if let Err(reason) = result {
            self.driver.talk.fail(&reason);
        }
        self.driver.totals.moves_checked += 1;
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

struct Xboard {
    driver: Driver,
    /// The position and those before it, if we know and the engine only follows.
    known: Option<Vec<Chess>>,
}

impl Side for Xboard {
    const NAME: &'static str = "xboard";
    const FIRST_SEED: u64 = 1_000_000;
    const SENSE: &'static [&'static str] = XBOARD_SENSE;
    const END_ALL: &'static [&'static str] = &[".", "exit", "resume", "force"];

    fn new(mut driver: Driver, dice: &mut Dice) -> Xboard {
        driver.talk.send("xboard");
        // Version 1 of the protocol does not ask for features.
        if dice.below(4) > 0 {
            driver.talk.send("protover 2");
            driver.talk.expect_prefix("feature done=1");
        }
        let mut side = Xboard { driver, known: None };
        side.begin();
        side
    }

    fn driver(&mut self) -> &mut Driver {
        &mut self.driver
    }

    fn question(number: usize) -> String {
        format!("ping {number}")
    }

    fn hear(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("pong ") {
            self.driver.answers += 1;
            if number != self.driver.answers.to_string() {
                self.driver.talk.fail(&format!("pong {} was to come", self.driver.answers));
            }
        } else if self.known.is_some() && line.starts_with("move ") {
            self.driver.talk.fail("a move in force mode");
        }
    }

    fn act(&mut self, dice: &mut Dice) {
        match dice.below(12) {
            0 => self.begin(),
            1..=4 => self.make_move(dice),
            5 => self.take_back(),
            6 => self.set_board(dice),
            7 | 8 => self.let_play(),
            9 => {
                let line = pick(dice, XBOARD_HARMLESS);
                self.send(line);
            }
            _ => {
                self.forget_position();
                let line = pick(dice, XBOARD_SENSE);
                self.send(line);
            }
        }
    }

    fn forget_position(&mut self) {
        self.known = None;
    }

    /// `let_play` waits for each of them.
    fn unanswered(&self) -> usize {
        0
    }

    /// The position is the one we think it is.
    fn settled(&mut self) {
        if let Some(position) = self.known.as_ref().and_then(|known| known.last()) {
            let wanted = Fen::from_position(position, EnPassantMode::Legal).to_string();
            self.send("fen");
            let line = self.driver.talk.expect_prefix("# ");
            let found = line.trim_start_matches("# ");
            if found.split(' ').take(3).ne(wanted.split(' ').take(3)) {
                self.driver.talk.fail(&format!("{found} instead of {wanted}"));
            }
        }
        self.begin();
    }

    fn last_words(&mut self, dice: &mut Dice) {
        self.forget_position();
        self.send(pick(dice, &["force", "go", "analyze", "edit", "hard\ngo"]));
    }
}

impl Xboard {
    /// A state that we know, whatever it was.
    fn begin(&mut self) {
        for line in [".", "exit", "resume", "new", "variant normal", "force", "st 0.01", "easy"] {
            self.send(line);
        }
        self.send(&format!("cores {}", threads()));
        self.known = Some(vec![Chess::default()]);
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
            let Some(line) = self.driver.talk.line_within(PATIENCE) else {
                self.driver.talk.fail("neither a move nor a result");
            };
            if let Some(text) = line.strip_prefix("move ") {
                match played(&position, text) {
                    Ok(next) => known.push(next),
                    Err(reason) => self.driver.talk.fail(&reason),
                }
                self.driver.totals.moves_checked += 1;
                break;
            }
            self.hear(&line);
            if ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| line.starts_with(start)) {
                break;
            }
            if Instant::now() > end {
                self.driver.talk.fail("neither a move nor a result");
            }
        }
        self.driver.totals.searches += 1;
        self.send("force");
        self.known = Some(known);
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
fn uci() {
    run::<Uci>();
}

#[test]
fn xboard() {
    run::<Xboard>();
}
