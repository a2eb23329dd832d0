//! Playing a game, as xboard wants it: sides, clocks, pondering, analysis, draw
//! offers and results.

use super::command::{Command, Level, Problem, Variant};
use super::event::{Event, GameResult};
use super::game::Game;
use super::{Engine, Purpose, Thinking};
use crate::board::{Board, ClaimableDraw};
use crate::search::MAX_DEPTH;
use crate::search::event::{Bound, Outcome};
use crate::time::{Clock, Limits};
use crate::tt::Entry;
use crate::types::{Color, Move, Score};
use std::io;
use std::time::Duration;

/// What we do when moves arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Follow the game without playing.
    Force,
    Playing(Color),
    Analyzing,
}

#[derive(Debug)]
pub struct Play {
    mode: Mode,
    level: Level,
    depth_limit: Option<u32>,
    node_rate: Option<u64>,
    own_clock: Duration,
    /// Moves we have made since the level was set: a session is counted from there.
    moves_in_session: u32,
    pondering: bool,
    /// `None` as long as UCI is spoken, which always shows its thinking.
    posting: Option<bool>,
    paused: bool,
    /// The position sent last was refused: no move is legal until a good one comes.
    board_is_bad: bool,
    game_over: bool,
    excluded: Vec<Move>,
    /// Pings to be answered after our move.
    pending_pings: Vec<String>,
    draw_offered_to_us: bool,
    /// How many of our moves in a row had a score near zero, or a lost one.
    level_moves: u32,
    lost_moves: u32,
    moves_since_offer: u32,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            mode: Mode::Force,
            level: Level::Clock {
                moves: 40,
                base: Duration::from_secs(300),
                increment: Duration::ZERO,
            },
            depth_limit: None,
            node_rate: None,
            own_clock: Duration::from_secs(300),
            moves_in_session: 0,
            pondering: false,
            posting: None,
            paused: false,
            board_is_bad: false,
            game_over: false,
            excluded: Vec::new(),
            pending_pings: Vec::new(),
            draw_offered_to_us: false,
            level_moves: 0,
            lost_moves: 0,
            moves_since_offer: 0,
        }
    }
}

/// A draw is accepted at this score or below, and offered near zero after a long
/// level stretch.
const ACCEPT_DRAW_AT: i32 = 0;
const LEVEL_SCORE: i32 = 8;
const LEVEL_MOVES: u32 = 10;
const EARLIEST_OFFER: u32 = 40;
/// So many lost positions in a row before resigning.
const LOST_MOVES: u32 = 3;

impl Play {
    pub fn shows_thinking(&self) -> bool {
        self.posting.unwrap_or(true)
    }

    fn new_game(&mut self) {
        let fresh = Play::default();
        self.mode = Mode::Playing(Color::Black);
        self.depth_limit = None;
        self.node_rate = None;
        self.moves_in_session = 0;
        self.board_is_bad = false;
        self.game_over = false;
        self.paused = false;
        self.excluded = fresh.excluded;
        self.draw_offered_to_us = false;
        self.level_moves = 0;
        self.lost_moves = 0;
        self.moves_since_offer = 0;
    }

    /// The limits for our next move.
    fn limits(&self) -> Limits {
        let mut limits = Limits { depth: self.depth_limit, ..Limits::default() };
        match self.level {
            Level::PerMove(time) => limits.move_time = Some(time),
            Level::Clock { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - self.moves_in_session % moves);
                limits.clock = Some(Clock { remaining: self.own_clock, increment, moves_to_go });
            }
        }
        if let Some(rate) = self.node_rate.filter(|&rate| rate > 0) {
            // Time is counted in nodes: the wall clock does not matter.
            let time = limits.budget(Duration::ZERO).soft.min(Duration::from_secs(86_400));
            let nodes = time.as_secs_f64() * rate as f64;
            limits = Limits { depth: self.depth_limit, ..Limits::default() };
            limits.nodes = Some((nodes as u64).max(1));
        }
        limits
    }
}

impl Engine {
    pub(super) fn play_command(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::NewGame => self.new_game(),
            Command::SetVariant(variant) => self.set_variant(variant),
            Command::SetBoard(fen) => {
                let game = Game::from_fen(&fen);
                self.set_game(game)
            }
            Command::Edit(steps) => {
                let game = self.game.edited(&steps);
                self.set_game(game)
            }
            Command::Force => {
                self.abandon();
                self.play.mode = Mode::Force;
                self.answer_pings()
            }
            Command::Play => {
                self.abandon();
                self.answer_pings()?;
                self.play.mode = Mode::Playing(self.side_to_move());
                self.our_turn()
            }
            Command::PlayOther => {
                self.abandon();
                self.answer_pings()?;
                self.play.mode = Mode::Playing(!self.side_to_move());
                self.start_pondering()
            }
            Command::SetTurn(color) => {
                self.abandon();
                let game = self.game.with_turn(color);
                self.play.mode = Mode::Playing(!color);
                self.set_game(game)
            }
            Command::UserMove(text) => self.user_move(&text),
            Command::TakeBack(count) => self.take_back(count),
            Command::SetLevel(level) => {
                self.play.level = level;
                self.play.moves_in_session = 0;
                if let Level::Clock { base, .. } = level {
                    self.play.own_clock = base;
                }
                Ok(())
            }
            Command::SetDepthLimit(depth) => {
                self.play.depth_limit = depth.map(|depth| depth.clamp(1, MAX_DEPTH));
                Ok(())
            }
            Command::SetNodeRate(rate) => {
                self.play.node_rate = rate;
                Ok(())
            }
            Command::SetClock { own, remaining } => {
                if own {
                    self.play.own_clock = remaining;
                }
                Ok(())
            }
            Command::MoveNow => match self.thinking.as_ref().map(|thinking| thinking.purpose) {
                Some(Purpose::Play) => self.stop(),
                _ => Ok(()),
            },
            Command::SetPondering(on) => self.set_pondering(on),
            Command::SetPosting(on) => {
                self.play.posting = Some(on);
                Ok(())
            }
            Command::Analyze => {
                self.abandon();
                self.play.mode = Mode::Analyzing;
                self.start_analysis()
            }
            Command::StopAnalyzing => {
                if self.play.mode == Mode::Analyzing {
                    self.abandon();
                    self.play.mode = Mode::Force;
                }
                Ok(())
            }
            Command::ReportStatus => self.report_status(),
            Command::OfferDraw => self.consider_draw(),
            Command::GameOver(result) => {
                log::info!("the game is over: {result}");
                self.abandon();
                self.play.mode = Mode::Force;
                self.play.game_over = true;
                self.answer_pings()
            }
            Command::Hint => self.give_hint(),
            Command::Book => self.emit(&Event::Book(&[])),
            Command::Pause => {
                self.play.paused = true;
                self.abandon();
                Ok(())
            }
            Command::Resume => {
                self.play.paused = false;
                self.continue_thinking()
            }
            Command::Exclude(text) => self.exclude(text.as_deref(), true),
            Command::Include(text) => self.exclude(text.as_deref(), false),
            Command::SetScore(centipawns) => self.set_score(centipawns),
            Command::OpponentName(name) => {
                log::info!("the opponent is {name}");
                self.options.opponent = name;
                Ok(())
            }
            Command::OpponentIsComputer => {
                log::info!("the opponent is a computer");
                Ok(())
            }
            Command::Ratings { own, opponent } => {
                log::info!("ratings: ours {own}, the opponent's {opponent}");
                Ok(())
            }
            Command::Server(host) => {
                log::info!("playing on {}", host.as_deref().unwrap_or("no server"));
                Ok(())
            }
            other => {
                let reason = "this is not a command for a game";
                self.problem(&Problem::NotNow { command: format!("{other:?}"), reason })
            }
        }
    }

    /// Answers when everything before is done: after our move if we think about one.
    pub(super) fn ready(&mut self, token: String) -> io::Result<()> {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Play) {
            self.play.pending_pings.push(token);
            return Ok(());
        }
        self.emit(&Event::Ready(&token))
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        for token in std::mem::take(&mut self.play.pending_pings) {
            self.emit(&Event::Ready(&token))?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> io::Result<()> {
        let analyzing = self.play.mode == Mode::Analyzing;
        self.abandon();
        self.answer_pings()?;
        self.clear()?;
        self.game = Game::default();
        self.options.chess960 = false;
        self.play.new_game();
        if self.play.posting.is_none() {
            self.play.posting = Some(false);
        }
        if analyzing {
            self.play.mode = Mode::Analyzing;
            self.start_analysis()?;
        }
        Ok(())
    }

    fn set_variant(&mut self, variant: Variant) -> io::Result<()> {
        self.options.chess960 = variant == Variant::Fischerandom;
        Ok(())
    }

    fn set_game(&mut self, game: Result<Game, Problem>) -> io::Result<()> {
        self.abandon();
        self.play.excluded.clear();
        self.last_outcome = None;
        match game {
            Ok(game) => {
                self.game = game;
                self.play.board_is_bad = false;
                self.play.game_over = false;
                self.continue_analysis()
            }
            Err(problem) => {
                self.play.board_is_bad = true;
                self.problem(&problem)
            }
        }
    }

    fn user_move(&mut self, text: &str) -> io::Result<()> {
        let thinking = self.thinking.as_ref().map(|thinking| thinking.purpose);
        if self.play.board_is_bad {
            let reason = "the position is not legal".to_owned();
            return self.problem(&Problem::IllegalMove { text: text.to_owned(), reason });
        }
        if thinking == Some(Purpose::Play) {
            let reason = "it is not your turn".to_owned();
            return self.problem(&Problem::IllegalMove { text: text.to_owned(), reason });
        }
        let mv = match self.game.read(text) {
            Ok(mv) => mv,
            Err(problem) => return self.problem(&problem),
        };
        if thinking == Some(Purpose::Ponder(mv)) {
            self.game.play(mv);
            return self.pondered_right();
        }
        self.abandon();
        self.game.play(mv);
        self.play.excluded.clear();
        match self.play.mode {
            Mode::Playing(color) if color == self.side_to_move() => self.our_turn(),
            Mode::Playing(_) => self.start_pondering(),
            Mode::Analyzing => self.start_analysis(),
            Mode::Force => Ok(()),
        }
    }

    fn take_back(&mut self, count: usize) -> io::Result<()> {
        self.abandon();
        self.answer_pings()?;
        self.play.excluded.clear();
        self.play.game_over = false;
        if self.game.take_back(count) < count {
            let reason = "there is no move to take back";
            let command = if count == 1 { "undo" } else { "remove" };
            self.problem(&Problem::NotNow { command: command.to_owned(), reason })?;
        }
        self.continue_analysis()
    }

    /// It is our move: end the game if it is over, think otherwise.
    fn our_turn(&mut self) -> io::Result<()> {
        if let Some(result) = claim(self.game.board()) {
            self.play.game_over = true;
            return self.emit(&Event::GameEnded(result));
        }
        if self.play.paused || self.play.board_is_bad {
            return Ok(());
        }
        let limits = self.play.limits();
        self.think(Purpose::Play, limits)
    }

    /// The opponent made the move we were pondering on: the clock starts.
    fn pondered_right(&mut self) -> io::Result<()> {
        if let Some(result) = claim(self.game.board()) {
            self.abandon();
            self.play.game_over = true;
            return self.emit(&Event::GameEnded(result));
        }
        let limits = self.play.limits();
        if limits.nodes.is_some() || limits.depth.is_some() {
            // These limits hold from the first node on, so begin again.
            self.abandon();
            return self.think(Purpose::Play, limits);
        }
        let budget = limits.budget(self.options.move_overhead);
        self.thinker.start_clock(budget);
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        thinking.purpose = Purpose::Play;
        thinking.limits = limits;
        thinking.started = std::time::Instant::now();
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    /// The search for our move is over.
    pub(super) fn play_result(&mut self, outcome: Outcome, took: Duration) -> io::Result<()> {
        let Some(mv) = outcome.best else {
            return self.answer_pings();
        };
        let score = outcome.score;
        self.count_scores(score);
        if self.should_resign() {
            self.play.game_over = true;
            self.play.mode = Mode::Force;
            self.emit(&Event::GameEnded(GameResult::Resigned(self.side_to_move())))?;
            return self.answer_pings();
        }
        let before = self.game.board().clone_without_history();
        self.game.play(mv);
        let result = claim(self.game.board());
        let accepts = self.play.draw_offered_to_us && score.0 <= ACCEPT_DRAW_AT;
        self.play.draw_offered_to_us = false;
        // A draw that our own move brings about has to be claimed before it.
        if accepts || matches!(result, Some(GameResult::Draw(_))) || self.should_offer_draw() {
            self.play.moves_since_offer = 0;
            self.emit(&Event::OfferDraw)?;
        }
        let context = self.context();
        self.emit(&Event::Played { mv, board: &before, context })?;
        self.charge_clock(took);
        self.last_outcome = Some(outcome);
        if let Some(result) = result {
            self.play.game_over = true;
            self.emit(&Event::GameEnded(result))?;
        }
        self.answer_pings()?;
        self.start_pondering()
    }

    /// Keeps our clock right until the next `time` arrives, if ever one does.
    fn charge_clock(&mut self, took: Duration) {
        let play = &mut self.play;
        play.moves_in_session += 1;
        if let Level::Clock { moves, base, increment } = play.level {
            play.own_clock = play.own_clock.saturating_sub(took).saturating_add(increment);
            if moves > 0 && play.moves_in_session.is_multiple_of(moves) {
                play.own_clock = play.own_clock.saturating_add(base);
            }
        }
    }

    fn count_scores(&mut self, score: Score) {
        let play = &mut self.play;
        let is_level = score.0.abs() <= LEVEL_SCORE;
        let is_lost = self.options.resign_below.is_some_and(|limit| score.0 <= -limit);
        play.level_moves = if is_level { play.level_moves + 1 } else { 0 };
        play.lost_moves = if is_lost { play.lost_moves + 1 } else { 0 };
        play.moves_since_offer += 1;
    }

    fn should_resign(&self) -> bool {
        self.options.resign_below.is_some() && self.play.lost_moves >= LOST_MOVES
    }

    fn should_offer_draw(&self) -> bool {
        self.play.level_moves >= LEVEL_MOVES
            && self.play.moves_since_offer >= 2 * LEVEL_MOVES
            && self.game.board().fullmove_number() >= EARLIEST_OFFER
    }

    /// The opponent offers a draw: we accept if we are not better, at once if we
    /// know, after the search otherwise.
    fn consider_draw(&mut self) -> io::Result<()> {
        let thinking = self.thinking.as_ref().map(|thinking| thinking.purpose);
        if thinking == Some(Purpose::Play) {
            self.play.draw_offered_to_us = true;
            return Ok(());
        }
        match &self.last_outcome {
            Some(outcome) if outcome.score.0 <= ACCEPT_DRAW_AT => self.emit(&Event::OfferDraw),
            Some(_) => Ok(()),
            None => {
                self.play.draw_offered_to_us = true;
                Ok(())
            }
        }
    }

    fn set_pondering(&mut self, on: bool) -> io::Result<()> {
        self.play.pondering = on;
        if on {
            return if self.thinking.is_none() { self.start_pondering() } else { Ok(()) };
        }
        if matches!(self.thinking, Some(Thinking { purpose: Purpose::Ponder(_), .. })) {
            self.abandon();
        }
        Ok(())
    }

    /// Thinks about our answer to the move we expect, if there is one to expect.
    fn start_pondering(&mut self) -> io::Result<()> {
        let waiting = self.play.mode == Mode::Playing(!self.side_to_move());
        let expected = self.expected_reply();
        let (true, true, false, false, Some(expected)) =
            (self.play.pondering, waiting, self.play.game_over, self.play.paused, expected)
        else {
            return Ok(());
        };
        let mut board = self.game.board().clone();
        board.make(expected);
        if claim(&board).is_some() {
            return Ok(());
        }
        let limits = Limits { ponder: true, ..Limits::default() };
        self.think_about(Purpose::Ponder(expected), board, limits)
    }

    /// The reply our last search counted on, if it was about the game so far.
    fn expected_reply(&self) -> Option<Move> {
        let outcome = self.last_outcome.as_ref()?;
        let reply = outcome.ponder?;
        (outcome.best == self.game.last_move() && self.game.board().is_legal(reply))
            .then_some(reply)
    }

    pub(super) fn start_analysis(&mut self) -> io::Result<()> {
        if self.play.paused || self.play.board_is_bad {
            return Ok(());
        }
        let limits = Limits {
            infinite: true,
            exclude_moves: self.play.excluded.clone(),
            ..Limits::default()
        };
        self.think(Purpose::Analyze, limits)
    }

    fn continue_analysis(&mut self) -> io::Result<()> {
        if self.play.mode == Mode::Analyzing { self.start_analysis() } else { Ok(()) }
    }

    /// Takes up again what a pause interrupted.
    fn continue_thinking(&mut self) -> io::Result<()> {
        if self.thinking.is_some() || self.play.game_over {
            return Ok(());
        }
        match self.play.mode {
            Mode::Playing(color) if color == self.side_to_move() => self.our_turn(),
            Mode::Playing(_) => self.start_pondering(),
            Mode::Analyzing => self.start_analysis(),
            Mode::Force => Ok(()),
        }
    }

    fn report_status(&mut self) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_ref().filter(|it| it.purpose == Purpose::Analyze)
        else {
            return Ok(());
        };
        let total = thinking.root.legal_moves().len();
        let (mv, number) = match thinking.current {
            Some((mv, number, _)) => (Some(thinking.root.san(mv)), number),
            None => (None, 0),
        };
        let (nodes, depth) =
            thinking.last_info.as_ref().map_or((0, 0), |info| (info.nodes, info.depth));
        let time = thinking.started.elapsed();
        let left = total.saturating_sub(number);
        self.emit(&Event::Status { time, nodes, depth, left, total, mv })
    }

    fn give_hint(&mut self) -> io::Result<()> {
        let known = self.thinker.table().probe(self.game.board().key());
        let hint = self
            .expected_reply()
            .or(known.and_then(|entry| entry.best).filter(|&mv| self.game.board().is_legal(mv)));
        let Some(mv) = hint else {
            return Ok(());
        };
        let board = self.game.board().clone_without_history();
        let context = self.context();
        self.emit(&Event::Hint { mv, board: &board, context })
    }

    /// Leaves a root move out of the analysis or takes it in again; `None` means all
    /// of them.
    fn exclude(&mut self, text: Option<&str>, out: bool) -> io::Result<()> {
        let excluded = &mut self.play.excluded;
        match text {
            None if out => *excluded = self.game.board().legal_moves().into_iter().collect(),
            None => excluded.clear(),
            Some(text) => match self.game.read(text) {
                Ok(mv) => {
                    excluded.retain(|&other| other != mv);
                    if out {
                        excluded.push(mv);
                    }
                }
                Err(problem) => return self.problem(&problem),
            },
        }
        if self.play.mode == Mode::Analyzing {
            self.abandon();
        }
        self.continue_analysis()
    }

    /// The user knows better what this position is worth: searches that reach it
    /// from now on believe it.
    fn set_score(&mut self, centipawns: i32) -> io::Result<()> {
        let best = self.thinking.as_ref().and_then(|it| it.last_info.as_ref()?.pv.first().copied());
        let score = Score::evaluation(centipawns);
        let depth = MAX_DEPTH as i32;
        let entry = Entry { best, score, eval: score, depth, bound: Bound::Exact, was_pv: true };
        self.thinker.table().store(self.game.board().key(), entry);
        Ok(())
    }
}

/// How the game stands as anybody can see it on the board.
fn claim(board: &Board) -> Option<GameResult> {
    if let Some(end) = board.outcome() {
        return Some(GameResult::Over(end));
    }
    let draw: ClaimableDraw = board.claimable_draw()?;
    Some(GameResult::Draw(draw))
}
