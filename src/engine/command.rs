//! What the outside world can ask of the engine, whatever protocol it speaks.

use super::position::Position;
use crate::types::{Color, Move, Piece, Square};
use std::time::Duration;
use thiserror::Error;

/// What every front end needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    /// Say who we are and what can be set.
    Identify,
    /// Answer when everything before is dealt with, giving back the token.
    Ready(String),
    SetOption {
        name: String,
        value: Option<String>,
    },
    Debug(bool),
    Quit,
    /// Forget the last game.
    ClearGame,
    /// The position to search from now on. If what was sent is none, there is nothing to
    /// search until the next.
    SetPosition(Result<Position, Problem>),
    Go(GoRequest),
    /// Finish the search and give its move.
    Stop,
    /// The move we ponder on was played.
    PonderHit,
    /// For the player of games.
    Game(GameCommand),

    // Console extras.
    Show(Show),
    Perft {
        depth: u32,
    },
    Bench(Vec<String>),
    Flip,
}

/// A game between two sides, one of which may be us, as xboard wants it played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GameCommand {
    NewGame,
    SetVariant(Variant),
    SetBoard(Result<Position, Problem>),
    Edit(Vec<EditStep>),
    /// Play neither side, only follow the moves.
    Force,
    /// Play the side to move from now on, beginning at once.
    Play,
    /// Play the side not to move.
    PlayOther,
    /// xboard's old `white` and `black`: set the turn, play the other side.
    SetTurn(Color),
    /// The opponent's move, or one to follow.
    UserMove(UserMove),
    /// Take back this many half-moves.
    TakeBack(usize),
    SetLevel(TimeControl),
    /// Search no deeper, on top of the time control; `None` for no limit.
    SetDepthLimit(Option<u32>),
    /// Count this many nodes as a second of time; 0 means the wall clock.
    SetNodeRate(Option<u64>),
    /// A clock's state: ours if `own`.
    SetClock {
        own: bool,
        remaining: Duration,
    },
    /// Play the best move found so far at once.
    MoveNow,
    SetPondering(bool),
    SetPosting(bool),
    Analyze,
    StopAnalyzing,
    /// How far analysis has come.
    ReportStatus,
    OfferDraw,
    /// The game is over; the text is the result and the reason.
    GameOver(String),
    Hint,
    Book,
    Pause,
    Resume,
    /// Root moves that analysis leaves out or considers; `None` means all.
    Exclude(Option<Move>),
    Include(Option<Move>),
    /// The evaluation of the position as the user corrects it.
    SetScore(i32),
    OpponentName(String),
    OpponentIsComputer,
    Ratings {
        own: i32,
        opponent: i32,
    },
    /// Playing on a chess server; `None` if not.
    Server(Option<String>),
}

impl From<GameCommand> for Command {
    fn from(command: GameCommand) -> Command {
        Command::Game(command)
    }
}

/// A move as the client wrote it, with what it means in the position it was sent for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UserMove {
    pub(crate) text: String,
    /// `None` if the turn is passed.
    pub(crate) mv: Result<Option<Move>, Problem>,
}

/// The limits of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct GoRequest {
    /// White's and Black's time left. Negative times arrive as zero.
    pub(crate) time: [Option<Duration>; 2],
    pub(crate) increment: [Option<Duration>; 2],
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) move_time: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) mate: Option<u32>,
    pub(crate) search_moves: Vec<Move>,
    /// What was named beside them, to be told when the search begins.
    pub(crate) illegal_moves: Vec<Problem>,
    pub(crate) ponder: bool,
    pub(crate) infinite: bool,
    /// Why there is no search: a limit could not be read, and there is no other.
    pub(crate) refused: Option<String>,
}

/// An xboard time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeControl {
    /// `moves` per session, 0 for the whole game.
    Clock { moves: u32, base: Duration, increment: Duration },
    /// This long for each move.
    PerMove(Duration),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    Normal,
    Fischerandom,
}

/// A line of xboard's edit mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditStep {
    Clear,
    Put(Color, Piece, Square),
    Remove(Square),
}

/// Something to print for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    Board,
    Evaluation,
    Moves,
    Fen,
    Help,
    License,
    Compiler,
}

/// Why a request cannot be met. Each protocol has its own way to say so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Problem {
    #[error("unknown command: {0}")]
    UnknownCommand(String),
    /// A command we know with an argument we cannot read.
    #[error("{command}: {reason}")]
    BadArgument { command: String, reason: String },
    /// The command is known but makes no sense now.
    #[error("{command}: {reason}")]
    NotNow { command: String, reason: &'static str },
    #[error("illegal move: {text} ({reason})")]
    IllegalMove { text: String, reason: String },
    #[error("illegal position: {0}")]
    IllegalPosition(String),
    #[error("no such option: {0}")]
    UnknownOption(String),
    #[error("option {name}: {reason}")]
    BadOption { name: String, reason: String },
    #[error("{0}")]
    Other(String),
}
