//! Playing a game, as xboard wants it: sides, clocks, pondering, analysis, draw
//! offers and results. This file has the state of play and the commands that change
//! it; `turn.rs` has our own moves, `analysis.rs` thinking at other times.

mod analysis;
mod turn;

use super::command::{EditStep, GameCommand, Problem, TimeControl, UserMove, Variant};
use super::event::Event;
use super::position::Position;
use super::{Engine, Purpose};
use crate::search::MAX_DEPTH;
use crate::time::{Clock, Delays, Limits};
use crate::types::{Color, Move};
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
pub(super) struct Play {
    mode: Mode,
    level: TimeControl,
    depth_limit: Option<u32>,
    node_rate: Option<u64>,
    own_clock: Duration,
    /// Moves we have made since the level was set: a session is counted from there.
    moves_in_session: u32,
    pondering: bool,
    /// `None` as long as UCI is spoken, which always shows its thinking.
    posting: Option<bool>,
    paused: bool,
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
            level: TimeControl::Clock {
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

impl Play {
    pub(super) fn shows_thinking(&self) -> bool {
        self.posting.unwrap_or(true)
    }

    fn new_game(&mut self) {
        let fresh = Play::default();
        self.mode = Mode::Playing(Color::Black);
        self.depth_limit = None;
        self.node_rate = None;
        self.moves_in_session = 0;
        if let TimeControl::Clock { base, .. } = self.level {
            self.own_clock = base;
        }
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
            TimeControl::PerMove(time) => limits.move_time = Some(time),
            TimeControl::Clock { moves, increment, .. } => {
                let moves_to_go = (moves > 0).then(|| moves - self.moves_in_session % moves);
                limits.clock = Some(Clock { remaining: self.own_clock, increment, moves_to_go });
            }
        }
        if let Some(rate) = self.node_rate.filter(|&rate| rate > 0) {
            // Time is counted in nodes: the wall clock does not matter.
            let time = limits.budget(Delays::default()).planned().min(Duration::from_secs(86_400));
            let nodes = time.as_secs_f64() * rate as f64;
            limits = Limits { depth: self.depth_limit, ..Limits::default() };
            limits.nodes = Some((nodes as u64).max(1));
        }
        limits
    }
}

impl Engine {
    pub(in crate::engine) fn game_command(&mut self, command: GameCommand) -> io::Result<()> {
        match command {
            GameCommand::NewGame => self.new_game(),
            GameCommand::SetVariant(variant) => self.set_variant(variant),
            GameCommand::SetBoard(position) => self.set_game(position),
            GameCommand::Edit(steps) => {
                // Without the board that was refused only a whole new one makes sense.
                let position = match steps.first() {
                    Some(EditStep::Clear) => Ok(&self.position),
                    _ => self.known_position("edit"),
                };
                let position = position.and_then(|position| position.edited(&steps));
                self.set_game(position)
            }
            GameCommand::Force => {
                self.interrupt()?;
                self.play.mode = Mode::Force;
                Ok(())
            }
            GameCommand::Play => {
                self.interrupt()?;
                self.play.mode = Mode::Playing(self.side_to_move());
                self.our_turn()
            }
            GameCommand::PlayOther => {
                self.interrupt()?;
                self.play.mode = Mode::Playing(!self.side_to_move());
                self.start_pondering()
            }
            GameCommand::SetTurn(color) => {
                self.interrupt()?;
                let name = if color == Color::White { "white" } else { "black" };
                let position = self.known_position(name).and_then(|it| it.with_turn(color));
                self.play.mode = Mode::Playing(!color);
                self.set_game(position)
            }
            GameCommand::UserMove(sent) => self.user_move(sent),
            GameCommand::TakeBack(count) => self.take_back(count),
            GameCommand::SetLevel(level) => {
                self.play.level = level;
                self.play.moves_in_session = 0;
                if let TimeControl::Clock { base, .. } = level {
                    self.play.own_clock = base;
                }
                Ok(())
            }
            GameCommand::SetDepthLimit(depth) => {
                self.play.depth_limit = depth.map(|depth| depth.clamp(1, MAX_DEPTH));
                Ok(())
            }
            GameCommand::SetNodeRate(rate) => {
                self.play.node_rate = rate;
                Ok(())
            }
            GameCommand::SetClock { own, remaining } => {
                if own {
                    self.play.own_clock = remaining;
                }
                Ok(())
            }
            GameCommand::MoveNow => match self.thinking.as_ref().map(|thinking| thinking.purpose) {
                Some(Purpose::Play) => self.stop(),
                _ => Ok(()),
            },
            GameCommand::SetPondering(on) => self.set_pondering(on),
            GameCommand::SetPosting(on) => {
                self.play.posting = Some(on);
                Ok(())
            }
            GameCommand::Analyze => {
                self.interrupt()?;
                self.play.mode = Mode::Analyzing;
                self.start_analysis()
            }
            GameCommand::StopAnalyzing => {
                if self.play.mode == Mode::Analyzing {
                    self.interrupt()?;
                    self.play.mode = Mode::Force;
                }
                Ok(())
            }
            GameCommand::ReportStatus => self.report_status(),
            GameCommand::OfferDraw => self.consider_draw(),
            GameCommand::GameOver(result) => {
                log::info!("the game is over: {result}");
                self.interrupt()?;
                self.play.mode = Mode::Force;
                self.play.game_over = true;
                Ok(())
            }
            GameCommand::Hint => self.give_hint(),
            GameCommand::Book => self.show_book(),
            GameCommand::Pause => {
                self.play.paused = true;
                self.interrupt()?;
                Ok(())
            }
            GameCommand::Resume => {
                self.play.paused = false;
                self.continue_thinking()
            }
            GameCommand::Exclude(mv) => self.exclude(mv, true),
            GameCommand::Include(mv) => self.exclude(mv, false),
            GameCommand::SetScore(centipawns) => self.set_score(centipawns),
            GameCommand::OpponentName(name) => {
                log::info!("the opponent is {name}");
                self.options.opponent = name;
                Ok(())
            }
            GameCommand::OpponentIsComputer => {
                log::info!("the opponent is a computer");
                Ok(())
            }
            GameCommand::Ratings { own, opponent } => {
                log::info!("ratings: ours {own}, the opponent's {opponent}");
                Ok(())
            }
            GameCommand::Server(host) => {
                log::info!("playing on {}", host.as_deref().unwrap_or("no server"));
                Ok(())
            }
        }
    }

    /// Answers when everything before is done, after our move if we think about one, and
    /// when a search can begin at once.
    pub(in crate::engine) fn ready(&mut self, token: String) -> io::Result<()> {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.purpose == Purpose::Play) {
            self.play.pending_pings.push(token);
            return Ok(());
        }
        if let Err(error) = self.thinker.prepare() {
            self.problem(&Problem::Other(format!("not enough memory to search: {error}")))?;
        }
        self.emit(&Event::Ready(&token))
    }

    /// The position, unless the client's is another that we had to refuse.
    pub(in crate::engine) fn known_position(&self, command: &str) -> Result<&Position, Problem> {
        if self.unusable {
            let reason = "the last position was refused";
            return Err(Problem::NotNow { command: command.to_owned(), reason });
        }
        Ok(&self.position)
    }

    /// Ends whatever is being thought about; what had to wait for it need not any more.
    pub(super) fn interrupt(&mut self) -> io::Result<()> {
        self.abandon();
        self.answer_pings()?;
        self.resume_deferred()
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        for token in std::mem::take(&mut self.play.pending_pings) {
            self.emit(&Event::Ready(&token))?;
        }
        Ok(())
    }

    fn new_game(&mut self) -> io::Result<()> {
        let analyzing = self.play.mode == Mode::Analyzing;
        self.interrupt()?;
        self.clear()?;
        self.position = Position::default();
        self.unusable = false;
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

    pub(in crate::engine) fn set_game(
        &mut self,
        position: Result<Position, Problem>,
    ) -> io::Result<()> {
        self.interrupt()?;
        self.play.excluded.clear();
        self.last_outcome = None;
        self.set_position(position)?;
        if self.unusable {
            return Ok(());
        }
        self.play.game_over = false;
        self.continue_analysis()
    }

    fn user_move(&mut self, UserMove { text, mv }: UserMove) -> io::Result<()> {
        let thinking = self.thinking.as_ref().map(|thinking| thinking.purpose);
        if thinking == Some(Purpose::Play) {
            let reason = "it is not your turn".to_owned();
            return self.problem(&Problem::IllegalMove { text, reason });
        }
        match mv {
            Err(problem) => return self.problem(&problem),
            Ok(Some(mv)) if thinking == Some(Purpose::Ponder(mv)) => {
                self.position.play(mv);
                return self.pondered_right();
            }
            Ok(Some(mv)) => {
                self.interrupt()?;
                self.position.play(mv);
            }
            Ok(None) => {
                self.interrupt()?;
                if let Err(problem) = self.position.pass() {
                    self.problem(&problem)?;
                    return self.continue_thinking();
                }
            }
        }
        self.play.excluded.clear();
        match self.play.mode {
            Mode::Playing(color) if color == self.side_to_move() => self.our_turn(),
            Mode::Playing(_) => self.start_pondering(),
            Mode::Analyzing => self.start_analysis(),
            Mode::Force => Ok(()),
        }
    }

    fn take_back(&mut self, count: usize) -> io::Result<()> {
        self.interrupt()?;
        self.play.excluded.clear();
        self.play.game_over = false;
        if self.position.take_back(count) < count {
            let reason = "there is no move to take back";
            let command = if count == 1 { "undo" } else { "remove" };
            self.problem(&Problem::NotNow { command: command.to_owned(), reason })?;
        }
        self.continue_analysis()
    }
}
