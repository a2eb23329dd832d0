//! Sessions in xboard: games that we follow, and that the engine plays.

use super::*;
use shakmaty::san::SanPlus;

pub struct Xboard {
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
