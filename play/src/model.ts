// The page's own knowledge: what the server said last, and which position of the
// game is being looked at.

import type { Color, Eval, Hello, Line, Move, State } from './messages';
import { pieces, type Material } from './position';

export interface Shown {
  ply: number;
  fen: string;
  check: boolean;
  lastMove: string | null;
  turn: Color;
  /** Whether pieces may be moved here. */
  live: boolean;
}

export class Model {
  hello: Hello | null = null;
  state: State | null = null;
  /** The engine's last lines, and the position they begin from. */
  private thought: { fen: string; lines: Line[] } = { fen: '', lines: [] };
  /** The half-move browsed to, or null to follow the game. */
  browsed: number | null = null;
  orientation: Color = 'white';
  /** The user wants to see the engine's thoughts while playing against it. */
  peeking = false;
  /** A move that was suggested, and where. */
  hint: { fen: string; uci: string } | null = null;

  /** Whether somebody plays against the engine right now. */
  get opposed(): boolean {
    const { state } = this;
    if (!state || state.end || state.analysis || state.review !== null) return false;
    return state.players.filter((player) => player.kind === 'engine').length === 1;
  }

  /** Whether the engine's thoughts are hidden from its opponent. */
  get curtained(): boolean {
    return this.opposed && !this.peeking;
  }

  /** All moves of the line on the board. */
  get line(): Move[] {
    const { state } = this;
    if (!state) return [];
    const { analysis, moves } = state;
    return analysis ? [...moves.slice(0, analysis.from), ...analysis.moves] : moves;
  }

  get ply(): number {
    const { state } = this;
    if (!state) return 0;
    return state.analysis?.ply ?? this.browsed ?? state.moves.length;
  }

  get shown(): Shown | null {
    const { state, ply } = this;
    if (!state) return null;
    const move = this.line[ply - 1];
    const fen = move?.fen ?? state.start.fen;
    return {
      ply,
      fen,
      check: move?.check ?? state.start.check,
      lastMove: move?.uci ?? null,
      turn: fen.split(' ')[1] === 'b' ? 'black' : 'white',
      live: state.analysis !== null || ply === state.moves.length,
    };
  }

  think(fen: string, lines: Line[]): void {
    this.thought = { fen, lines };
  }

  /**
   * The engine's lines from the position shown. After its own move that is what it expected to come,
   * as long as it goes on from there.
   */
  get lines(): Line[] {
    const { thought, shown } = this;
    if (!shown) return [];
    if (thought.fen === shown.fen) return thought.lines;
    if ((this.line[shown.ply - 2]?.fen ?? this.state?.start.fen) !== thought.fen) return [];
    return thought.lines
      .filter((line) => line.uci[0] === shown.lastMove && line.uci.length > 1)
      .map((line) => ({ ...line, san: line.san.slice(1), uci: line.uci.slice(1) }));
  }

  /** How the game ended, if it did in the position shown. */
  get result(): string | null {
    const { state, shown } = this;
    if (!state || !shown) return null;
    // Also in a line that leaves the game.
    if (this.line[shown.ply - 1]?.san.endsWith('#')) return shown.turn === 'white' ? '0-1' : '1-0';
    const ended = state.end && !state.analysis && shown.ply === state.moves.length;
    return ended ? state.end!.result : null;
  }

  /** What is thought of the position shown: now, or when it was played. */
  get score(): Eval | null {
    const { state, ply } = this;
    if (!state) return null;
    const best = this.lines[0];
    if (best) return best.eval;
    for (let at = ply; at > 0; at -= 1) {
      const known = this.line[at - 1]?.eval;
      if (known) return known;
    }
    return null;
  }
}

/** The number before a half-move, as notation writes it. */
export function moveNumber(startFen: string, ply: number): { number: number; color: Color } {
  const fields = startFen.split(' ');
  const offset = fields[1] === 'b' ? 1 : 0;
  const half = ply + offset;
  return {
    number: Number(fields[5] ?? 1) + Math.floor(half / 2),
    color: half % 2 === 0 ? 'white' : 'black',
  };
}

const NAMES: Record<string, string> = {
  k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn',
};

/** The position in words, for those who hear it. */
export function describe(fen: string): string {
  const sides: Record<Color, string[]> = { white: [], black: [] };
  for (const [square, letter] of pieces(fen)) {
    const side = letter === letter.toLowerCase() ? 'black' : 'white';
    sides[side].push(`${NAMES[letter.toLowerCase()]} ${square}`);
  }
  return `White: ${sides.white.join(', ')}. Black: ${sides.black.join(', ')}.`;
}

/** Captured pieces in words. */
export function inWords({ captured, ahead }: Material): string {
  const kinds = [...new Set(captured)].map((kind) => {
    const many = captured.filter((other) => other === kind).length;
    return many > 1 ? `${many} ${NAMES[kind]}s` : NAMES[kind];
  });
  return `Captured: ${kinds.join(', ') || 'nothing'}${ahead ? `; ahead by ${ahead}` : ''}`;
}
