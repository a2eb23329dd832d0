// What page and server say to each other: the other half of src/web/message.rs.

export type Color = 'white' | 'black';

export interface TimeControl {
  base: number;
  increment: number;
}

export type Level =
  | { by: 'depth'; depth: number }
  | { by: 'seconds'; seconds: number }
  | { by: 'clock'; clock: TimeControl };

export type Player =
  | { kind: 'human'; clock: TimeControl | null }
  | { kind: 'engine'; level: Level; elo: number | null };

export function clockOf(player: Player): TimeControl | null {
  if (player.kind === 'human') return player.clock;
  return player.level.by === 'clock' ? player.level.clock : null;
}

export type Start =
  | { kind: 'standard' }
  | { kind: 'fen'; fen: string }
  | { kind: 'chess960'; number: number }
  | { kind: 'named'; name: string };

export type Request =
  | { type: 'newGame'; white: Player; black: Player; start: Start }
  | { type: 'players'; white: Player; black: Player }
  | { type: 'move'; text: string }
  | { type: 'takeBack' }
  | { type: 'moveNow' }
  | { type: 'resign' }
  | { type: 'offerDraw' }
  | { type: 'pause'; on: boolean }
  | { type: 'speed'; millis: number }
  | { type: 'analyse'; ply: number; lines: number }
  | { type: 'look'; ply: number }
  | { type: 'adopt' }
  | { type: 'stopAnalysing' }
  | { type: 'review' }
  | { type: 'loadPgn'; text: string; game: number | null }
  | { type: 'pgn' };

/** White's point of view, in centipawns or moves to mate. */
export type Eval = { cp: number } | { mate: number };

export interface Move {
  uci: string;
  san: string;
  fen: string;
  check: boolean;
  eval: Eval | null;
  clock: number | null;
  comment: string;
}

export interface Analysis {
  from: number;
  moves: Move[];
  ply: number;
  lines: number;
}

export interface State {
  type: 'state';
  players: [Player, Player];
  names: [string, string];
  start: { fen: string; check: boolean };
  chess960: boolean;
  moves: Move[];
  turn: Color;
  destinations: Record<string, string[]>;
  promotions: string[];
  end: { result: '1-0' | '0-1' | '1/2-1/2'; reason: string; text: string } | null;
  clocks: { left: [number | null, number | null]; running: Color | null };
  thinking: boolean;
  waiting: boolean;
  paused: boolean;
  speed: number;
  analysis: Analysis | null;
  review: number | null;
}

export interface Line {
  rank: number;
  depth: number;
  seldepth: number;
  eval: Eval;
  bound: string;
  nodes: number;
  nps: number;
  san: string[];
  uci: string[];
}

/** A game of a file that has several. */
export interface GameSummary {
  white: string;
  black: string;
  event: string;
  date: string;
  result: string;
  plies: number;
}

export interface Hello {
  type: 'hello';
  version: string;
  starts: { group: string; name: string }[];
  elo: { min: number; max: number } | null;
  maxDepth: number;
  maxLines: number;
}

export type Update =
  | Hello
  | State
  | { type: 'thinking'; ply: number; fen: string; lines: Line[] }
  | { type: 'pgn'; name: string; text: string }
  | { type: 'games'; games: GameSummary[]; more: boolean }
  | { type: 'notice'; text: string }
  | { type: 'accepted' }
  | { type: 'error'; text: string };
