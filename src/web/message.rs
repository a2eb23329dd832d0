//! What page and server say to each other, as JSON over a WebSocket. The page
//! asks; the server answers with the whole state whenever it has changed, so that
//! a page that has just arrived knows as much as one that saw everything.

use super::players::{Player, Range};
use super::starts::Start;
use crate::board::{FenError, MoveError, chess960};
use crate::game::pgn::PgnError;
use crate::game::{Eval, GameEnd, ShapeError, Termination};
use crate::types::Color;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Request {
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
        #[cfg_attr(test, ts(type = "number"))]
        millis: u64,
    },
    /// Look at a position with the engine's `lines` best lines; at the last one of the game
    /// if it is not said which. To a depth, or without end.
    Analyse {
        #[serde(default)]
        at: Option<usize>,
        lines: usize,
        #[serde(default)]
        depth: Option<u32>,
    },
    /// While analysing, go to another position.
    Look {
        at: usize,
    },
    /// Go on with the game from the position under analysis. What was played after it stays
    /// as a variation.
    Adopt,
    /// Back to the game.
    StopAnalysing,
    /// Evaluate every position of the game.
    Review,
    /// Move the variation of this move up, or all the way to the main line.
    Promote {
        at: usize,
        main: bool,
    },
    /// Delete a move and what follows it.
    Delete {
        at: usize,
    },
    /// Say something about a move, with glyphs by their PGN numbers; or about the start.
    Annotate {
        at: usize,
        comment: String,
        nags: Vec<u8>,
    },
    /// What is drawn on the board after a move, or at the start: arrows and squares as in
    /// PGN comments, `Ge2e4` and `Rd5`.
    Draw {
        at: usize,
        shapes: Vec<String>,
    },
    /// Take back the last change that took something away.
    Undo,
    /// How the engine thinks in all games.
    Engine(EngineSettings),
    /// Load a game. A text of several is answered by [`Update::Several`].
    LoadPgn {
        text: String,
    },
    /// Ask for the game as PGN.
    Pgn,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum StartRequest {
    Standard,
    Fen { fen: String },
    Chess960 { number: u16 },
    Named { name: String },
}

/// Why a request is refused. The game stays as it is.
#[derive(Debug, Clone, PartialEq, Error)]
pub(super) enum RequestError {
    #[error("invalid message: {0}")]
    Unreadable(String),
    #[error("this position cannot be played: {0}")]
    Fen(#[from] FenError),
    #[error("this game cannot be read: {0}")]
    Pgn(#[from] PgnError),
    #[error("there is no game in this text")]
    NoGame,
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
    #[error("there is no such move in this game")]
    NoSuchPlace,
    #[error("the variations here are nested too deeply")]
    TooDeep,
    #[error("the game against the engine goes on; finish it first, or play from an earlier move")]
    StillPlaying,
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("that game is open in another tab")]
    OpenElsewhere,
    #[error("{0}")]
    Settings(String),
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Update<'a> {
    /// The first message: what this engine offers.
    #[serde(rename_all = "camelCase")]
    Hello {
        version: &'static str,
        starts: &'a [Start],
        /// How far the strength can be limited, if it can.
        elo: Option<Range>,
        max_depth: u32,
        max_lines: usize,
        engine: EngineSettings,
        limits: EngineLimits,
    },
    State(Box<State>),
    Thinking {
        /// After how many half-moves, so that the page knows which position it is.
        ply: usize,
        /// The position the lines begin from: another line may be as long.
        fen: &'a str,
        lines: &'a [EngineLine],
    },
    Pgn {
        name: String,
        text: String,
    },
    /// The text has several games: it is better opened as a file.
    Several,
    /// The engine's settings have changed.
    Engine(EngineSettings),
    /// Something the user should know. What went wrong stays until it has been read.
    Notice {
        text: String,
        stays: bool,
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct State {
    /// The name of the game, as in the page's address.
    pub game: String,
    /// What the user calls it.
    pub name: String,
    pub players: [Player; 2],
    pub names: [String; 2],
    pub start: PositionView,
    pub chess960: bool,
    /// The moves played, each with its alternatives.
    pub moves: Vec<MoveView>,
    /// What analysis found after the last move played, the first line being the best.
    pub ahead: Vec<Vec<MoveView>>,
    #[cfg_attr(test, ts(type = "Color"))]
    #[serde(serialize_with = "color")]
    pub(crate) turn: Color,
    /// Where the pieces can go that may be moved now, on the board as it is shown:
    /// the game's last position, or the analysis.
    pub(crate) destinations: BTreeMap<String, Vec<String>>,
    /// Moves, as from and to, that need a piece to promote to.
    pub(crate) promotions: Vec<String>,
    pub(crate) end: Option<EndView>,
    pub(crate) clocks: ClocksView,
    /// The engine thinks about its move.
    pub(crate) thinking: bool,
    /// The engine would, but is busy in other games.
    pub waiting: bool,
    pub paused: bool,
    #[cfg_attr(test, ts(type = "number"))]
    pub speed: u64,
    pub analysis: Option<AnalysisView>,
    /// How many positions of the game have been evaluated so far.
    pub review: Option<usize>,
    /// What [`Request::Undo`] would take back.
    pub undo: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct PositionView {
    pub fen: String,
    pub check: bool,
    /// What is said before the first move.
    pub comment: String,
    /// What is drawn there, as [`Request::Draw`] says it.
    pub shapes: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct MoveView {
    pub id: usize,
    /// Coordinates, as UCI writes them.
    pub uci: String,
    pub san: String,
    pub fen: String,
    pub check: bool,
    #[cfg_attr(test, ts(type = "Eval | null"))]
    #[serde(serialize_with = "optional_eval")]
    pub(crate) eval: Option<Eval>,
    /// Milliseconds left on the mover's clock.
    #[cfg_attr(test, ts(type = "number | null"))]
    #[serde(serialize_with = "millis")]
    pub clock: Option<Duration>,
    /// What is said before the move, where a variation begins.
    pub before: String,
    pub comment: String,
    pub nags: Vec<u8>,
    pub shapes: Vec<String>,
    /// The lines that begin with another move here.
    pub variations: Vec<Vec<MoveView>>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct EndView {
    #[cfg_attr(test, ts(type = "\"1-0\" | \"0-1\" | \"1/2-1/2\""))]
    result: &'static str,
    reason: &'static str,
    text: String,
    /// It was played on this board, and not loaded with its result.
    here: bool,
}

impl EndView {
    pub(super) fn new(end: GameEnd, here: bool) -> EndView {
        let reason = reason_name(end.termination);
        EndView { result: end.result.as_str(), reason, text: end.to_string(), here }
    }
}

/// What a termination is called in messages and saved games.
pub(super) fn reason_name(termination: Termination) -> &'static str {
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

/// Milliseconds left; `running` is the side whose clock runs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ClocksView {
    #[cfg_attr(test, ts(type = "[number | null, number | null]"))]
    #[serde(serialize_with = "both_millis")]
    pub left: [Option<Duration>; 2],
    #[cfg_attr(test, ts(type = "Color | null"))]
    #[serde(serialize_with = "optional_color")]
    pub(crate) running: Option<Color>,
}

/// The position under analysis: after the move of this number, 0 for the start.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct AnalysisView {
    pub at: usize,
    pub lines: usize,
    /// Where the engine stops.
    pub depth: Option<u32>,
}

/// How the engine thinks, in all games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct EngineSettings {
    #[cfg_attr(test, ts(type = "number"))]
    pub threads: i64,
    #[cfg_attr(test, ts(type = "number"))]
    /// Megabytes.
    pub hash: i64,
    /// Folders of Syzygy tablebases, or nothing.
    pub syzygy: String,
    /// A Polyglot book, or nothing.
    pub book: String,
}

/// The largest values that make sense here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct EngineLimits {
    #[cfg_attr(test, ts(type = "number"))]
    pub threads: i64,
    #[cfg_attr(test, ts(type = "number"))]
    pub hash: i64,
}

/// A line of the engine's thinking.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct EngineLine {
    pub rank: usize,
    pub depth: u32,
    pub seldepth: u32,
    #[cfg_attr(test, ts(type = "Eval"))]
    #[serde(serialize_with = "eval")]
    pub(crate) eval: Eval,
    /// `""`, or `≥` or `≤` if the score is only a bound.
    pub bound: &'static str,
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: u64,
    #[cfg_attr(test, ts(type = "number"))]
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
    pub(super) fn parse(text: &str) -> Result<Request, RequestError> {
        serde_json::from_str(text).map_err(|error| RequestError::Unreadable(error.to_string()))
    }
}

impl Update<'_> {
    pub(super) fn to_json(&self) -> String {
        // Strings, numbers and maps with string keys: nothing here can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::library::{GameList, ListedFile, ListedGame};
    use crate::web::players::{GameClock, ThinkingLimit};
    use ts_rs::{Config, TS};

    /// The page's half of this file.
    const TYPES: &str = "play/src/protocol.ts";

    /// After a change: `WRITE_TYPES=1 cargo test --lib web::message`.
    #[test]
    #[cfg_attr(miri, ignore = "reads a file of the source")]
    fn the_page_has_the_same_types() {
        let config = Config::default();
        let declarations = [
            Request::decl(&config),
            StartRequest::decl(&config),
            Update::decl(&config),
            State::decl(&config),
            PositionView::decl(&config),
            MoveView::decl(&config),
            EndView::decl(&config),
            ClocksView::decl(&config),
            AnalysisView::decl(&config),
            EngineSettings::decl(&config),
            EngineLimits::decl(&config),
            EngineLine::decl(&config),
            Player::decl(&config),
            ThinkingLimit::decl(&config),
            GameClock::decl(&config),
            Range::decl(&config),
            Start::decl(&config),
            GameList::decl(&config),
            ListedGame::decl(&config),
            ListedFile::decl(&config),
        ];
        let mut text = "// Generated from src/web by its tests: what page and server say to each \
            other.\n\nexport type Color = \"white\" | \"black\";\n\n\
            /** White's point of view, in centipawns or moves to mate. */\n\
            export type Eval = { cp: number } | { mate: number };\n"
            .to_owned();
        declarations.iter().for_each(|it| text += &format!("\nexport {it}\n"));
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TYPES);
        if std::env::var_os("WRITE_TYPES").is_some() {
            std::fs::write(&path, &text).expect("writable");
        }
        let there = std::fs::read_to_string(&path).expect(TYPES);
        assert!(there == text, "{TYPES} is not of these messages: WRITE_TYPES=1 rewrites it");
    }
}
