//! Sessions in UCI: searches of all kinds, each answered once.

use super::*;
use std::collections::VecDeque;

pub struct Uci {
    driver: Driver,
    /// The searches not yet answered, with their positions as far as known.
    pending: VecDeque<Option<Chess>>,
    position: Option<Chess>,
    /// Every search sent so far ends on its own or was told to.
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
