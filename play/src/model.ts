// The page's own knowledge: what the server said last, and which position of the
// game is being looked at.

import type { Color, EngineLine, Eval, Hello, Move, State } from './messages';
import { pieces, type Material } from './position';

/** A move in the tree of the game. */
interface Node {
  move: Move;
  /** The move before it, 0 for the start. */
  parent: number;
  /** Half-moves up to here. */
  ply: number;
  /** The move after it, as its line goes on. */
  next: number | null;
}

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
  private thought: { fen: string; lines: EngineLine[] } = { fen: '', lines: [] };
  /** The move browsed to, 0 for the start, or null to follow the game. */
  browsed: number | null = null;
  private nodes = new Map<number, Node>();
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

  /** Whether this is a finished game from elsewhere: there is nobody to play it again. */
  get isForeign(): boolean {
    const { state } = this;
    return !!state?.end && !state.end.here && state.players.every((player) => player.kind === 'human');
  }

  /** Whether a move on the board would be one to try, which begins an analysis. */
  get invites(): boolean {
    const { state, shown } = this;
    if (!state || !shown || state.analysis || state.review !== null) return false;
    if (state.end) return !shown.live || this.isForeign;
    const people = state.players.every((player) => player.kind === 'human');
    return !shown.live && people && state.clocks.left.every((left) => left === null);
  }

  /** A new state: its moves by their numbers. */
  accept(state: State): void {
    this.state = state;
    const nodes = new Map<number, Node>();
    const walk = (line: Move[], before: number, after: number): void => {
      let parent = before;
      line.forEach((move, index) => {
        const next = line[index + 1]?.id ?? null;
        nodes.set(move.id, { move, parent, ply: after + index + 1, next });
        for (const variation of move.variations) walk(variation, parent, after + index);
        parent = move.id;
      });
    };
    walk(state.moves, 0, 0);
    for (const line of state.ahead) walk(line, this.last, state.moves.length);
    this.nodes = nodes;
    if (this.browsed !== null && this.browsed !== 0 && !nodes.has(this.browsed)) this.browsed = null;
  }

  /** The last move played, 0 for the start. */
  get last(): number {
    const { state } = this;
    return state?.moves[state.moves.length - 1]?.id ?? 0;
  }

  /** The move that led to the position on the board, 0 for the start. */
  get at(): number {
    const { state } = this;
    return state?.analysis?.at ?? this.browsed ?? this.last;
  }

  /** All moves of the line on the board. */
  get line(): Move[] {
    const { state, nodes, at } = this;
    if (!state) return [];
    const line: Move[] = [];
    for (let id = at; id !== 0; ) {
      const node = nodes.get(id);
      if (!node) break;
      line.unshift(node.move);
      id = node.parent;
    }
    const follow = (id: number | null): void => {
      for (let next = id; next !== null; ) {
        const node = nodes.get(next);
        if (!node) return;
        line.push(node.move);
        next = node.next;
      }
    };
    follow(at === 0 ? (state.moves[0]?.id ?? null) : (nodes.get(at)?.next ?? null));
    // What analysis found after the last move is not part of the game.
    const end = line[line.length - 1]?.id ?? 0;
    if (state.analysis && end === this.last) follow(state.ahead[0]?.[0]?.id ?? null);
    return line;
  }

  get ply(): number {
    return this.nodes.get(this.at)?.ply ?? 0;
  }

  /** The first moves of the lines that could follow here, the main one first. */
  get branches(): number[] {
    const { state, at } = this;
    if (!state) return [];
    const firsts = (move: Move | undefined) =>
      move ? [move.id, ...move.variations.map((line) => line[0]!.id)] : [];
    if (at === this.last) return state.ahead.map((line) => line[0]!.id);
    if (at === 0) return firsts(state.moves[0]);
    const next = this.nodes.get(at)?.next ?? null;
    return next === null ? [] : firsts(this.nodes.get(next)?.move);
  }

  /** Where the variation on the board leaves its line, or null in the game itself. */
  get branch(): number | null {
    return this.branchOf(this.at);
  }

  /** Where the line of this move leaves the one before it. */
  branchOf(move: number): number | null {
    for (let id = move; id !== 0; ) {
      const node = this.nodes.get(id);
      if (!node) return null;
      if (node.parent === this.last && id !== 0 && node.ply > (this.state?.moves.length ?? 0)) return node.parent;
      const next = node.parent === 0 ? this.state?.moves[0]?.id : this.nodes.get(node.parent)?.next;
      if (next !== id) return node.parent;
      id = node.parent;
    }
    return null;
  }

  move(id: number): Move | null {
    return this.nodes.get(id)?.move ?? null;
  }

  /** What is drawn on the board after this move, as the server knows it. */
  shapes(id: number): string[] {
    return this.move(id)?.shapes ?? this.state?.start.shapes ?? [];
  }

  /** The positions up to the one on the board. */
  get before(): string[] {
    const { state, line, ply } = this;
    return state ? [state.start.fen, ...line.slice(0, ply).map((move) => move.fen)] : [];
  }

  get shown(): Shown | null {
    const { state, ply } = this;
    if (!state) return null;
    const move = this.move(this.at);
    const fen = move?.fen ?? state.start.fen;
    return {
      ply,
      fen,
      check: move?.check ?? state.start.check,
      lastMove: move?.uci ?? null,
      turn: fen.split(' ')[1] === 'b' ? 'black' : 'white',
      live: state.analysis !== null || this.at === this.last,
    };
  }

  think(fen: string, lines: EngineLine[]): void {
    this.thought = { fen, lines };
  }

  /**
   * The engine's lines from the position shown. After its own move that is what it expected to come,
   * as long as it goes on from there.
   */
  get lines(): EngineLine[] {
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
    const ended = state.end && !state.analysis && this.at === this.last;
    return ended ? state.end!.result : null;
  }

  /** What is known of the position shown and of no other. */
  get evaluation(): Eval | null {
    return this.lines[0]?.eval ?? this.move(this.at)?.eval ?? null;
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
export function describe(fen: string, shapes: string[] = []): string {
  const sides: Record<Color, string[]> = { white: [], black: [] };
  for (const [square, letter] of pieces(fen)) {
    const side = letter === letter.toLowerCase() ? 'black' : 'white';
    sides[side].push(`${NAMES[letter.toLowerCase()]} ${square}`);
  }
  const drawn = shapes.map((shape) => [shape.slice(1, 3), shape.slice(3)].filter(Boolean).join(' to '));
  const said = drawn.length > 0 ? ` Drawn: ${drawn.join(', ')}.` : '';
  return `White: ${sides.white.join(', ')}. Black: ${sides.black.join(', ')}.${said}`;
}

/** Captured pieces in words. */
export function inWords({ captured, ahead }: Material): string {
  const kinds = [...new Set(captured)].map((kind) => {
    const many = captured.filter((other) => other === kind).length;
    return many > 1 ? `${many} ${NAMES[kind]}s` : NAMES[kind];
  });
  return `Captured: ${kinds.join(', ') || 'nothing'}${ahead ? `; ahead by ${ahead}` : ''}`;
}
