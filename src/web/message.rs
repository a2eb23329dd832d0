//! What page and server say to each other, as JSON over a WebSocket. The page
//! asks; the server answers with the whole state whenever it has changed, so that
//! a page that has just arrived knows as much as one that saw everything.

use super::players::{Player, Range};
use super::starts::Start;
use crate::board::{FenError, MoveError, chess960};
use crate::game::pgn::PgnError;
use crate::game::{Eval, GameEnd, Termination};
use crate::types::Color;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum Request {
    NewGame {
        white: Player,
        black: Player,
        start: StartRequest,
    },
    /// Who plays from now on.
    Players {
        white: Player,
        black: Player,
    },
    /// A move on the board as it is shown, in coordinates or SAN.
    Move {
        text: String,
    },
    TakeBack,
    /// Play the best move found so far.
    MoveNow,
    Resign,
    OfferDraw,
    Pause {
        on: bool,
    },
    /// How long a move stays on the board when the engine plays itself.
    Speed {
        millis: u64,
    },
    /// Look at the position after `ply` half-moves with the engine's `lines` best
    /// lines.
    Analyse {
        ply: usize,
        lines: usize,
    },
    /// While analysing, go to a move of the line that leaves the game.
    Look {
        ply: usize,
    },
    /// While analysing, let the line on the board be the game.
    Adopt,
    /// Back to the game.
    StopAnalysing,
    /// Evaluate every position of the game.
    Review,
    /// Load the game of this number, counted from 0. Without a number a text of several
    /// games is answered by a list of them.
    LoadPgn {
        text: String,
        #[serde(default)]
        game: Option<usize>,
    },
    /// Ask for the game as PGN.
    Pgn,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum StartRequest {
    Standard,
    Fen { fen: String },
    Chess960 { number: u16 },
    Named { name: String },
}

/// Why a request is refused. The game stays as it is.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RequestError {
    #[error("invalid message: {0}")]
    Unreadable(String),
    #[error("this position cannot be played: {0}")]
    Fen(#[from] FenError),
    #[error("this game cannot be read: {0}")]
    Pgn(#[from] PgnError),
    #[error("there is no game in this text")]
    NoGame,
    #[error("there is no game {0} in this text")]
    NoSuchGame(usize),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("there is no start position called \"{0}\"")]
    NoSuchStart(String),
    #[error("Chess960 positions have numbers from 0 to {max}", max = chess960::START_POSITIONS - 1)]
    Chess960,
    #[error("{what} must be from {min} to {max}")]
    OutOfRange { what: &'static str, min: f64, max: f64 },
    #[error("this engine's strength cannot be limited")]
    NoStrengthLimit,
    #[error("the game is over")]
    GameOver,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("there is no move to take back")]
    NothingToTakeBack,
    #[error("the engine is not thinking about a move")]
    NotThinking,
    #[error("no player at this board can do that")]
    NobodyThere,
    #[error("there is no game to analyse yet")]
    NothingToReview,
    #[error("this works only while analysing")]
    NotAnalysing,
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Update<'a> {
    /// The first message: what this engine offers.
    #[serde(rename_all = "camelCase")]
    Hello {
        version: &'static str,
        starts: &'a [Start],
        /// How far the strength can be limited, if it can.
        elo: Option<Range>,
        max_depth: u32,
        max_lines: usize,
    },
    State(Box<State>),
    Thinking {
        /// After how many half-moves, so that the page knows which position it is.
        ply: usize,
        /// The position the lines begin from: another line may be as long.
        fen: &'a str,
        lines: &'a [Line],
    },
    Pgn {
        name: String,
        text: String,
    },
    /// The games of a text, to choose one from.
    Games {
        games: Vec<GameSummary>,
        /// There are more than are listed.
        more: bool,
    },
    /// Something the user should know.
    Notice {
        text: String,
    },
    /// What a dialog asked for has been done.
    Accepted,
    /// A request was refused.
    Error {
        text: String,
    },
}

/// Everything there is to see, but for the engine's thinking.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    pub players: [Player; 2],
    pub names: [String; 2],
    pub start: PositionView,
    pub chess960: bool,
    pub moves: Vec<MoveView>,
    #[serde(serialize_with = "color")]
    pub turn: Color,
    /// Where the pieces can go that may be moved now, on the board as it is shown:
    /// the game's last position, or the analysis.
    pub destinations: BTreeMap<String, Vec<String>>,
    /// Moves, as from and to, that need a piece to promote to.
    pub promotions: Vec<String>,
    pub end: Option<EndView>,
    pub clocks: ClocksView,
    /// The engine thinks about its move.
    pub thinking: bool,
    /// The engine would, but is busy in other games.
    pub waiting: bool,
    pub paused: bool,
    pub speed: u64,
    pub analysis: Option<AnalysisView>,
    /// How many positions of the game have been evaluated so far.
    pub review: Option<usize>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PositionView {
    pub fen: String,
    pub check: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct MoveView {
    /// Coordinates, as UCI writes them.
    pub uci: String,
    pub san: String,
    pub fen: String,
    pub check: bool,
    #[serde(serialize_with = "optional_eval")]
    pub eval: Option<Eval>,
    /// Milliseconds left on the mover's clock.
    #[serde(serialize_with = "millis")]
    pub clock: Option<Duration>,
    pub comment: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct EndView {
    result: &'static str,
    reason: &'static str,
    text: String,
}

impl EndView {
    pub fn new(end: GameEnd) -> EndView {
        let reason = reason_name(end.termination);
        EndView { result: end.result.as_str(), reason, text: end.to_string() }
    }
}

/// What a termination is called in messages and saved games.
pub fn reason_name(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "checkmate",
        Termination::Stalemate => "stalemate",
        Termination::InsufficientMaterial => "material",
        Termination::FiftyMoves => "fiftyMoves",
        Termination::Repetition => "repetition",
        Termination::AdjudicatedWin => "adjudicatedWin",
        Termination::AdjudicatedDraw => "adjudicatedDraw",
        Termination::TooLong => "tooLong",
        Termination::SeventyFiveMoves => "seventyFiveMoves",
        Termination::FivefoldRepetition => "fivefoldRepetition",
        Termination::Time => "time",
        Termination::TimeWithoutMaterial => "timeWithoutMaterial",
        Termination::Resignation => "resignation",
        Termination::Agreement => "agreement",
        Termination::Unknown => "recorded",
    }
}

/// A game in a list.
#[derive(Debug, Clone, Serialize)]
pub struct GameSummary {
    pub white: String,
    pub black: String,
    pub event: String,
    pub date: String,
    pub result: &'static str,
    /// Half-moves.
    pub plies: usize,
}

/// Milliseconds left; `running` is the side whose clock runs.
#[derive(Debug, Clone, Serialize)]
pub struct ClocksView {
    #[serde(serialize_with = "both_millis")]
    pub left: [Option<Duration>; 2],
    #[serde(serialize_with = "optional_color")]
    pub running: Option<Color>,
}

/// The position under analysis is that of the game after `from` half-moves, and
/// after the first `ply - from` of `moves`.
#[derive(Debug, Clone, Serialize)]
pub struct AnalysisView {
    pub from: usize,
    pub moves: Vec<MoveView>,
    pub ply: usize,
    pub lines: usize,
}

/// A line of the engine's thinking.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    pub rank: usize,
    pub depth: u32,
    pub seldepth: u32,
    #[serde(serialize_with = "eval")]
    pub eval: Eval,
    /// `""`, or `≥` or `≤` if the score is only a bound.
    pub bound: &'static str,
    pub nodes: u64,
    pub nps: u64,
    pub san: Vec<String>,
    pub uci: Vec<String>,
}

fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}

fn optional_color<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    match color {
        Some(color) => serializer.collect_str(color),
        None => serializer.serialize_none(),
    }
}

fn eval<S: Serializer>(eval: &Eval, serializer: S) -> Result<S::Ok, S::Error> {
    let (name, value) = match *eval {
        Eval::Centipawns(value) => ("cp", value),
        Eval::Mate(moves) => ("mate", moves),
    };
    BTreeMap::from([(name, value)]).serialize(serializer)
}

fn optional_eval<S: Serializer>(value: &Option<Eval>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => eval(value, serializer),
        None => serializer.serialize_none(),
    }
}

fn as_millis(duration: Option<Duration>) -> Option<u64> {
    duration.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
}

fn millis<S: Serializer>(value: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    as_millis(*value).serialize(serializer)
}

fn both_millis<S: Serializer>(
    values: &[Option<Duration>; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    values.map(as_millis).serialize(serializer)
}

impl Request {
    pub fn parse(text: &str) -> Result<Request, RequestError> {
        serde_json::from_str(text).map_err(|error| RequestError::Unreadable(error.to_string()))
    }
}

impl Update<'_> {
    pub fn to_json(&self) -> String {
        // Strings, numbers and maps with string keys: nothing here can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
