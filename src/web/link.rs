//! An engine of its own for a game: the service that the protocols use, on a thread,
//! sent commands and heard as events.

use super::hub::panic_text;
use super::message::{EngineLine, EngineSettings};
use super::players::{Player, ThinkingLimit, elo_range};
use crate::board::Board;
use crate::engine::command::{Command, GoRequest};
use crate::engine::event::Event;
use crate::engine::{Engine, Message, Position};
use crate::game::Eval;
use crate::search::event::Info;
use crate::types::{Bound, Move};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// More engines than this never exist at a time: they would only slow down each
/// other.
pub(super) const MAX_ENGINES: usize = 4;

/// How many engines exist, shared by all games.
#[derive(Debug, Clone, Default)]
pub(super) struct Engines(Arc<AtomicUsize>);

/// The right to have an engine, given back when dropped.
#[derive(Debug)]
struct Permit(Engines);

impl Engines {
    fn permit(&self) -> Option<Permit> {
        let more = |count| (count < MAX_ENGINES).then_some(count + 1);
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more)
            .ok()
            .map(|_| Permit(self.clone()))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What an engine says.
#[derive(Debug, Clone)]
pub(super) enum Report {
    Line(EngineLine),
    /// The search is over; there is a move unless the game is.
    Best(Option<Move>),
    Problem(String),
    /// The engine has broken down and is gone.
    Failed(String),
}

/// Searches are numbered, so that late words about an old one can be told from
/// those about the current one.
pub(super) type SearchNumber = u64;

/// What arrives in the channel of an engine's thread.
#[derive(Debug)]
enum EngineInput {
    Command(Box<Command>),
    /// From its searches.
    Engine(Message),
}

#[derive(Debug)]
pub(super) struct Link {
    engine: Sender<EngineInput>,
    asked: SearchNumber,
    applied: Option<EngineSettings>,
    _permit: Permit,
}

impl Link {
    /// Starts an engine that reports through `report` and numbers its searches from
    /// the one after `last`. `None` if there are too many already.
    pub(super) fn start(
        engines: &Engines,
        last: SearchNumber,
        mut report: impl FnMut(SearchNumber, Report) + Clone + Send + 'static,
    ) -> io::Result<Option<Link>> {
        let Some(permit) = engines.permit() else { return Ok(None) };
        let (sender, inputs) = mpsc::channel();
        let mut lament = report.clone();
        // Every search is answered by exactly one best move, in order.
        let mut current = last + 1;
        let listener = move |event: &Event<'_>| {
            match event {
                Event::Thinking { info, root, .. } => {
                    report(current, Report::Line(line(info, root)));
                }
                Event::BestMove { best, .. } => {
                    report(current, Report::Best(*best));
                    current += 1;
                }
                Event::Problem(problem) => report(current, Report::Problem(problem.to_string())),
                _ => {}
            }
            Ok(())
        };
        let messages = sender.clone();
        let notify = move |message| {
            // The engine's thread ends only when nobody wants to know any more.
            let _ = messages.send(EngineInput::Engine(message));
        };
        let engine = Engine::new(Box::new(listener), Arc::new(notify))?;
        std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let ended = match catch_unwind(AssertUnwindSafe(|| serve(engine, &inputs))) {
                Ok(ended) => ended.map_err(|error| error.to_string()),
                Err(panic) => Err(panic_text(&*panic)),
            };
            if let Err(reason) = ended {
                log::error!("an engine ended: {reason}");
                lament(last, Report::Failed(reason));
            }
        })?;
        Ok(Some(Link { engine: sender, asked: last, applied: None, _permit: permit }))
    }

    fn send(&self, command: Command) {
        // The engine listens until it is told to quit.
        let _ = self.engine.send(EngineInput::Command(Box::new(command)));
    }

    fn set_option(&self, name: &str, value: impl ToString) {
        self.send(Command::SetOption { name: name.to_owned(), value: Some(value.to_string()) });
    }

    /// Forgets the last game.
    pub(super) fn clear(&self) {
        self.stop();
        self.send(Command::ClearGame);
    }

    /// Sets the options that differ: a new hash table takes its time.
    fn apply(&mut self, settings: &EngineSettings) {
        type Value = fn(&EngineSettings) -> String;
        let before = self.applied.replace(settings.clone());
        let new = |of: Value| {
            let value = of(settings);
            (before.as_ref().map(of).as_ref() != Some(&value)).then_some(value)
        };
        let options: [(&str, Value); 5] = [
            ("Threads", |it| it.threads.to_string()),
            ("Hash", |it| it.hash.to_string()),
            ("SyzygyPath", |it| it.syzygy.clone()),
            ("BookFile", |it| it.book.clone()),
            ("OwnBook", |it| (!it.book.is_empty()).to_string()),
        ];
        for (name, of) in options {
            // A fresh engine has neither tablebases nor book.
            if let Some(value) = new(of)
                && !(before.is_none() && value.is_empty())
            {
                self.set_option(name, value);
            }
        }
    }

    /// Starts a search after the one going on, if any, has been stopped.
    pub(super) fn search(
        &mut self,
        (start, moves): (&Board, &[Move]),
        lines: usize,
        elo: Option<i64>,
        settings: &EngineSettings,
        request: GoRequest,
    ) -> SearchNumber {
        self.stop();
        self.apply(settings);
        self.set_option("MultiPV", lines);
        if elo_range().is_some() {
            self.set_option("UCI_LimitStrength", elo.is_some());
            if let Some(elo) = elo {
                self.set_option("UCI_Elo", elo);
            }
        }
        let mut position = Position::from(start.clone());
        moves.iter().for_each(|&mv| position.play(mv));
        self.send(Command::SetPosition(Ok(position)));
        self.send(Command::Go(request));
        self.asked += 1;
        self.asked
    }

    /// Ends the search going on; its move still arrives.
    pub(super) fn stop(&self) {
        self.send(Command::Stop);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.send(Command::Quit);
    }
}

/// Until the engine is told to quit, and every search has its answer.
fn serve(mut engine: Engine, inputs: &Receiver<EngineInput>) -> io::Result<()> {
    while !engine.is_done()
        && let Ok(input) = inputs.recv()
    {
        match input {
            EngineInput::Command(command) => engine.command(*command)?,
            EngineInput::Engine(message) => engine.handle(message)?,
        }
    }
    Ok(())
}

/// What a player's level allows for the next move.
pub(super) fn request(
    player: &Player,
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
) -> GoRequest {
    let mut request = GoRequest::default();
    match *player {
        Player::Engine { level: ThinkingLimit::Depth { depth }, .. } => request.depth = Some(depth),
        Player::Engine { level: ThinkingLimit::Seconds { seconds }, .. } => {
            request.move_time = Duration::try_from_secs_f64(seconds).ok();
        }
        Player::Engine { level: ThinkingLimit::Clock { .. }, .. } => {
            request.time = left;
            request.increment = increment.map(Some);
        }
        Player::Human { .. } => {}
    }
    request
}

/// A line of thinking in a form for people.
fn line(info: &Info, root: &Board) -> EngineLine {
    let mut board = root.clone_without_history();
    let chess960 = !board.castling_is_orthodox();
    let mut san = Vec::with_capacity(info.pv.len());
    for &mv in &info.pv {
        san.push(board.san(mv));
        board.make(mv);
    }
    let eval = Eval::new(info.score, root.side_to_move());
    let at_least = root.side_to_move() == crate::types::Color::White;
    EngineLine {
        rank: info.multipv,
        depth: info.depth,
        seldepth: info.seldepth,
        eval,
        bound: match (info.bound, at_least) {
            (Bound::Exact, _) => "",
            (Bound::Lower, true) | (Bound::Upper, false) => "≥",
            (Bound::Lower, false) | (Bound::Upper, true) => "≤",
        },
        nodes: info.nodes,
        nps: info.nodes_per_second(),
        san,
        uci: info.pv.iter().map(|mv| mv.coordinates(chess960)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_panics_says_so() {
        let (sender, reports) = mpsc::channel();
        let report = move |_, report| match report {
            Report::Line(_) => panic!("too much to say"),
            other => sender.send(other).expect("somebody listens"),
        };
        let mut link = Link::start(&Engines::default(), 0, report).expect("ok").expect("free");
        let request = GoRequest { depth: Some(3), ..GoRequest::default() };
        let settings = EngineSettings::default();
        link.search((&Board::startpos(), &[]), 1, None, &settings, request);
        let failed = reports.iter().find(|report| matches!(report, Report::Failed(_)));
        assert!(matches!(failed, Some(Report::Failed(text)) if text == "too much to say"));
    }
}
