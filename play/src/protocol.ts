// Generated from src/web by its tests: what page and server say to each other.

export type Color = "white" | "black";

/** White's point of view, in centipawns or moves to mate. */
export type Eval = { cp: number } | { mate: number };

export type Request = { "type": "newGame", white: Player, black: Player, start: StartRequest, } | { "type": "players", white: Player, black: Player, } | { "type": "move", text: string, } | { "type": "takeBack" } | { "type": "moveNow" } | { "type": "resign" } | { "type": "offerDraw" } | { "type": "pause", on: boolean, } | { "type": "speed", millis: number, } | { "type": "analyse", at: number | null, lines: number, depth: number | null, } | { "type": "look", at: number, } | { "type": "adopt" } | { "type": "stopAnalysing" } | { "type": "review" } | { "type": "promote", at: number, main: boolean, } | { "type": "delete", at: number, } | { "type": "annotate", at: number, comment: string, nags: Array<number>, } | { "type": "draw", at: number, shapes: Array<string>, } | { "type": "undo" } | { "type": "engine" } & EngineSettings | { "type": "loadPgn", text: string, } | { "type": "pgn" };

export type StartRequest = { "kind": "standard" } | { "kind": "fen", fen: string, } | { "kind": "chess960", number: number, } | { "kind": "named", name: string, };

export type Update = { "type": "hello", version: string, starts: Array<Start>, 
/**
 * How far the strength can be limited, if it can.
 */
elo: Range | null, maxDepth: number, maxLines: number, engine: EngineSettings, limits: EngineLimits, } | { "type": "state" } & State | { "type": "thinking", 
/**
 * After how many half-moves, so that the page knows which position it is.
 */
ply: number, 
/**
 * The position the lines begin from: another line may be as long.
 */
fen: string, lines: Array<EngineLine>, } | { "type": "pgn", name: string, text: string, } | { "type": "several" } | { "type": "engine" } & EngineSettings | { "type": "notice", text: string, stays: boolean, } | { "type": "accepted" } | { "type": "error", text: string, };

export type State = { 
/**
 * The name of the game, as in the page's address.
 */
game: string, 
/**
 * What the user calls it.
 */
name: string, players: [Player, Player], names: [string, string], start: PositionView, chess960: boolean, 
/**
 * The moves played, each with its alternatives.
 */
moves: Array<MoveView>, 
/**
 * What analysis found after the last move played, the first line being the best.
 */
ahead: Array<Array<MoveView>>, turn: Color, 
/**
 * Where the pieces can go that may be moved now, on the board as it is shown:
 * the game's last position, or the analysis.
 */
destinations: { [key in string]: Array<string> }, 
/**
 * Moves, as from and to, that need a piece to promote to.
 */
promotions: Array<string>, end: EndView | null, clocks: ClocksView, 
/**
 * The engine thinks about its move.
 */
thinking: boolean, 
/**
 * The engine would, but is busy in other games.
 */
waiting: boolean, paused: boolean, speed: number, analysis: AnalysisView | null, 
/**
 * How many positions of the game have been evaluated so far.
 */
review: number | null, 
/**
 * What [`Request::Undo`] would take back.
 */
undo: string | null, };

export type PositionView = { fen: string, check: boolean, 
/**
 * What is said before the first move.
 */
comment: string, 
/**
 * What is drawn there, as [`Request::Draw`] says it.
 */
shapes: Array<string>, };

export type MoveView = { id: number, 
/**
 * Coordinates, as UCI writes them.
 */
uci: string, san: string, fen: string, check: boolean, eval: Eval | null, 
/**
 * Milliseconds left on the mover's clock.
 */
clock: number | null, 
/**
 * What is said before the move, where a variation begins.
 */
before: string, comment: string, nags: Array<number>, shapes: Array<string>, 
/**
 * The lines that begin with another move here.
 */
variations: Array<Array<MoveView>>, };

export type EndView = { result: "1-0" | "0-1" | "1/2-1/2", reason: string, text: string, 
/**
 * It was played on this board, and not loaded with its result.
 */
here: boolean, };

export type ClocksView = { left: [number | null, number | null], running: Color | null, };

export type AnalysisView = { at: number, lines: number, 
/**
 * Where the engine stops.
 */
depth: number | null, };

export type EngineSettings = { threads: number, 
/**
 * Megabytes.
 */
hash: number, 
/**
 * Folders of Syzygy tablebases, or nothing.
 */
syzygy: string, 
/**
 * A Polyglot book, or nothing.
 */
book: string, };

export type EngineLimits = { threads: number, hash: number, };

export type EngineLine = { rank: number, depth: number, seldepth: number, eval: Eval, 
/**
 * `""`, or `≥` or `≤` if the score is only a bound.
 */
bound: string, nodes: number, nps: number, san: Array<string>, uci: Array<string>, };

export type Player = { "kind": "human", clock: GameClock | null, } | { "kind": "engine", level: ThinkingLimit, 
/**
 * Play no stronger than this, if the engine can be told so.
 */
elo: number | null, };

export type ThinkingLimit = { "by": "depth", depth: number, } | { "by": "seconds", seconds: number, } | { "by": "clock", clock: GameClock, };

export type GameClock = { base: number, increment: number, };

export type Range = { min: number, max: number, };

export type Start = { group: string, name: string, };

export type GameList = { games: Array<ListedGame>, 
/**
 * How many there are that match the search, and in all.
 */
found: number, total: number, 
/**
 * The file has been read to its end.
 */
complete: boolean, };

export type ListedGame = { id: string, white: string, black: string, 
/**
 * What the user calls it, or the event.
 */
name: string, date: string, result: string, 
/**
 * Half-moves.
 */
plies: number, };

export type ListedFile = { id: string, name: string, games: number, };
