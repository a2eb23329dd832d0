//! Positions and searches: setting one up, starting, stopping, and delivering what
//! comes out.

use super::Engine;
use super::command::{GoRequest, Problem};
use super::event::Event;
use super::position::Position;
use super::thinker::SearchId;
use crate::board::Board;
use crate::search::event::{Info, SearchEvent, SearchResult};
use crate::search::{MAX_DEPTH, Strength, Style, Task};
use crate::time::{Budget, Clock, Delays, Limits};
use crate::types::{Color, Move};
use std::io;
use std::time::Instant;

/// What the running search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A UCI `go`, to be answered by one `bestmove`.
    Answer,
    /// Our move in a game.
    Play,
    /// Thinking on the opponent's time, expecting this move.
    Ponder(Move),
    Analyze,
    /// Perft or bench.
    Work,
}

/// The search going on.
#[derive(Debug)]
pub(super) struct Thinking {
    pub(super) purpose: Purpose,
    pub(super) root: Board,
    pub(super) limits: Limits,
    /// Told to stop, so its end is near.
    pub(super) stopping: bool,
    /// The result, if it is in but must be kept until asked for.
    pub(super) held: Option<SearchResult>,
    pub(super) last_info: Option<Info>,
    /// The root move being searched and how many there are.
    pub(super) current: Option<(Move, usize, usize)>,
    pub(super) started: Instant,
}

impl Thinking {
    pub(super) fn new(purpose: Purpose, root: Board, limits: Limits) -> Thinking {
        Thinking {
            purpose,
            root,
            limits,
            stopping: false,
            held: None,
            last_info: None,
            current: None,
            started: Instant::now(),
        }
    }
}

impl Engine {
    pub(super) fn set_position(&mut self, position: Result<Position, Problem>) -> io::Result<()> {
        // A move for another position than the client's would be worse than none.
        self.unusable = position.is_err();
        match position {
            Ok(position) => {
                self.position = position;
                Ok(())
            }
            Err(problem) => self.problem(&problem),
        }
    }

    pub(super) fn go(&mut self, request: &GoRequest) -> io::Result<()> {
        if self.thinking.is_some() {
            let reason = "a search is running; stop it first";
            return self.problem(&Problem::NotNow { command: "go".to_owned(), reason });
        }
        if self.unusable {
            let reason = "there is no legal position to search";
            return self.refuse_go(&Problem::NotNow { command: "go".to_owned(), reason });
        }
        if let Some(reason) = request.refused.clone() {
            return self.refuse_go(&Problem::BadArgument { command: "go".to_owned(), reason });
        }
        let limits = self.limits(request)?;
        if let Some(outcome) = self.book_move(&limits) {
            self.show_book_move(&outcome)?;
            let context = self.context();
            let SearchResult { best, ponder, .. } = outcome;
            return self.emit(&Event::BestMove { best, ponder, context });
        }
        self.think(Purpose::Answer, self.position.board().clone(), limits)
    }

    /// Says why there is nothing to search, and answers all the same: clients wait for it.
    fn refuse_go(&mut self, problem: &Problem) -> io::Result<()> {
        self.problem(problem)?;
        let context = self.context();
        self.emit(&Event::BestMove { best: None, ponder: None, context })
    }

    fn limits(&mut self, request: &GoRequest) -> io::Result<Limits> {
        let us = self.position.board().side_to_move();
        let own = |times: [Option<_>; 2]| times[us.index()];
        // A client that knows only the other clock still wants a move in time.
        let remaining = own(request.time).or(request.time[(!us).index()]);
        let clock = remaining.map(|remaining| Clock {
            remaining,
            increment: own(request.increment).unwrap_or_default(),
            moves_to_go: request.moves_to_go.filter(|&moves| moves > 0),
        });
        for problem in &request.illegal_moves {
            self.problem(problem)?;
        }
        let unlimited = clock.is_none()
            && request.move_time.is_none()
            && request.depth.is_none()
            && request.nodes.is_none()
            && request.mate.is_none();
        Ok(Limits {
            clock,
            move_time: request.move_time,
            depth: request.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            nodes: request.nodes,
            soft_nodes: None,
            mate: request.mate,
            search_moves: request.search_moves.clone(),
            exclude_moves: Vec::new(),
            infinite: request.infinite || unlimited && !request.ponder,
            ponder: request.ponder,
        })
    }

    pub(super) fn think(
        &mut self,
        purpose: Purpose,
        board: Board,
        limits: Limits,
    ) -> io::Result<()> {
        self.hear_clock(&board, limits.clock);
        let budget = if limits.infinite {
            Some(Budget::UNLIMITED)
        } else if limits.ponder {
            None
        } else {
            Some(limits.budget(self.delays()))
        };
        // Who asks for analysis wants to know the truth.
        let analysing = limits.infinite || purpose == Purpose::Analyze || self.options.analyse_mode;
        let limited = self.options.limit_strength && !analysing;
        let style = Style {
            contempt: self.options.contempt,
            noise: self.options.eval_noise.0,
            seed: self.thinker.game_seed(),
            strength: limited.then(|| Strength::of(self.options.elo)),
        };
        let multi_pv = self.options.multi_pv;
        // Levels were measured without tablebases.
        let probe = self.probe().filter(|_| !limited);
        let task = Task { multi_pv, style, probe, ..Task::new(board.clone(), limits.clone()) };
        if let Err(error) = self.thinker.start(task, budget, purpose) {
            let problem = Problem::Other(format!("the search cannot be started: {error}"));
            return match purpose {
                Purpose::Answer => self.refuse_go(&problem),
                _ => self.problem(&problem),
            };
        }
        self.thinking = Some(Thinking::new(purpose, board, limits));
        // Nobody waits for a search that begins after the end, but it has its answer.
        if self.closing.is_some() { self.stop() } else { Ok(()) }
    }

    pub(super) fn stop(&mut self) -> io::Result<()> {
        self.thinker.stop();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        thinking.stopping = true;
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    pub(super) fn ponder_hit(&mut self) -> io::Result<()> {
        let delays = self.delays();
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.limits.ponder)
        else {
            let reason = "not pondering";
            return self.problem(&Problem::NotNow { command: "ponderhit".to_owned(), reason });
        };
        thinking.limits.ponder = false;
        if thinking.limits.infinite {
            return Ok(());
        }
        self.thinker.start_clock(thinking.limits.budget(delays));
        thinking.started = Instant::now();
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    pub(super) fn search_event(&mut self, id: SearchId, event: SearchEvent) -> io::Result<()> {
        if !self.thinker.is_current(id) {
            return Ok(());
        }
        match event {
            SearchEvent::Info(info) => self.info(info),
            SearchEvent::CurrentMove { depth, mv, number, total } => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.current = Some((mv, number, total));
                }
                if self.options.minimal {
                    return Ok(());
                }
                let context = self.context();
                self.emit(&Event::CurrentMove { depth, mv, number, context })
            }
            SearchEvent::Done(outcome) => self.done(outcome),
        }
    }

    fn info(&mut self, info: Info) -> io::Result<()> {
        let context = self.context();
        let shown = !self.options.minimal && self.play.shows_thinking();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        if shown {
            let event = Event::Thinking { info: &info, root: &thinking.root, context };
            (self.listener)(&event)?;
        }
        if info.multipv == 1 {
            thinking.last_info = Some(info);
        }
        Ok(())
    }

    fn done(&mut self, outcome: SearchResult) -> io::Result<()> {
        self.thinker.finish();
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        let must_hold = thinking.limits.infinite || thinking.limits.ponder;
        if must_hold && !thinking.stopping {
            thinking.held = Some(outcome);
            return Ok(());
        }
        self.deliver(outcome)
    }

    /// Acts on the result of a search that is over.
    pub(super) fn deliver(&mut self, outcome: SearchResult) -> io::Result<()> {
        let Some(thinking) = self.thinking.take() else {
            return Ok(());
        };
        if self.options.minimal
            && self.play.shows_thinking()
            && let Some(info) = &thinking.last_info
        {
            let context = self.context();
            self.emit(&Event::Thinking { info, root: &thinking.root, context })?;
        }
        match thinking.purpose {
            Purpose::Answer => {
                let context = self.context();
                let SearchResult { best, ponder, .. } = outcome;
                self.emit(&Event::BestMove { best, ponder, context })?;
            }
            Purpose::Play => self.play_result(outcome, thinking.started.elapsed())?,
            Purpose::Ponder(_) | Purpose::Analyze | Purpose::Work => {}
        }
        self.measure_lag(&thinking);
        self.resume_deferred()
    }

    /// The delays to plan with.
    pub(super) fn delays(&self) -> Delays {
        self.lag.delays(self.options.move_overhead)
    }

    /// The client has told our clock before a move on this board.
    pub(super) fn hear_clock(&mut self, board: &Board, clock: Option<Clock>) {
        if let Some(clock) = clock {
            self.lag.told(ply(board), clock.remaining);
        }
    }

    /// Notes what a move took, until the client tells the clock again.
    fn measure_lag(&mut self, thinking: &Thinking) {
        if let Some(clock) = thinking.limits.clock
            && matches!(thinking.purpose, Purpose::Answer | Purpose::Play)
            && !thinking.limits.ponder
        {
            let hard = thinking.limits.budget(self.delays()).hard;
            self.lag.moved(ply(&thinking.root), clock, thinking.started.elapsed(), hard);
        }
    }

    pub(super) fn report(&mut self, id: SearchId, text: &str) -> io::Result<()> {
        if !self.thinker.is_current(id) {
            return Ok(());
        }
        self.thinker.finish();
        self.thinking = None;
        self.emit(&Event::Text(text))?;
        self.resume_deferred()
    }

    /// Carries out what had to wait, until something has to wait again.
    pub(super) fn resume_deferred(&mut self) -> io::Result<()> {
        while let Some(command) = self.deferred.pop_front() {
            if self.must_wait(&command) {
                self.deferred.push_front(command);
                break;
            }
            self.execute(command)?;
        }
        Ok(())
    }

    /// Ends the search, if any, without using its result.
    pub(super) fn abandon(&mut self) -> Option<Purpose> {
        self.thinker.finish();
        self.thinking.take().map(|thinking| thinking.purpose)
    }
}

/// How many moves were made before this position, by both sides.
fn ply(board: &Board) -> u32 {
    2 * board.fullmove_number() + u32::from(board.side_to_move() == Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::command::Command;
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    #[test]
    fn time_that_was_lost_between_two_moves_is_noticed() {
        let (sender, messages) = mpsc::channel();
        let notify = Arc::new(move |message| sender.send(message).expect("somebody listens"));
        let mut engine = Engine::new(Box::new(|_| Ok(())), notify).expect("an engine");
        let mut worst_after = |moves: &str, remaining: u64| {
            let mut board = Board::startpos();
            for mv in moves.split_whitespace() {
                board.make(board.parse_move(mv).expect(mv));
            }
            let remaining = Duration::from_millis(remaining);
            let request = GoRequest { time: [Some(remaining); 2], ..GoRequest::default() };
            for command in [Command::SetPosition(Ok(Position::from(board))), Command::Go(request)] {
                engine.command(command).expect("heard");
            }
            while engine.thinking.is_some() {
                engine.handle(messages.recv().expect("a search")).expect("heard");
            }
            engine.delays().worst
        };
        assert_eq!(worst_after("", 900), Duration::ZERO);
        // At most a quarter of the clock was used.
        assert!(worst_after("e2e4 e7e5", 300) > Duration::from_millis(300));
    }
}
