//! Sessions at random: sense, half sense and noise, in any order. Whatever is said, the
//! engine lives, answers every question and every search once, and plays legal moves.
//!
//! A session is one process and some conversations with it. `GAMBESON_STRESS=500` sets
//! the number of sessions of each protocol, `GAMBESON_STRESS_THREADS=4` the number of
//! threads that they search with.

#[path = "../common"]
mod common {
    pub mod conversation;
    #[allow(dead_code)] // Only the dice are wanted here.
    pub mod random;
}
mod uci;
mod xboard;

use common::conversation::{Conversation, PATIENCE};
use common::random::Dice;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
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

#[test]
fn uci() {
    run::<uci::Uci>();
}

#[test]
fn xboard() {
    run::<xboard::Xboard>();
}
