// What people draw on the board, with the right button as chessground has it, kept with the move it
// was drawn at. The server writes it into the game's PGN.

import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';

/** Colours by the letters PGN has for them. */
const BRUSHES: Record<string, string> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };

/** `Ge4` or `Ge2e4` as it is drawn. */
export function drawn(text: string): DrawShape {
  const [orig, dest] = [text.slice(1, 3) as Key, text.slice(3) as Key];
  return { brush: BRUSHES[text[0]!] ?? 'green', orig, ...(dest ? { dest } : {}) };
}

export function written({ brush, orig, dest }: DrawShape): string {
  const letter = Object.keys(BRUSHES).find((key) => BRUSHES[key] === brush) ?? 'G';
  return `${letter}${orig}${dest ?? ''}`;
}

export class Drawings {
  /** Drawn here and not yet confirmed by the server: its older news must not wipe it out. */
  private pending: { at: number; shapes: string[] } | null = null;

  constructor(private readonly send: (at: number, shapes: string[]) => void) {}

  /** The user has drawn at this move; these are all shapes there. */
  change(at: number, shapes: string[]): void {
    this.pending = { at, shapes };
    this.send(at, shapes);
  }

  /** What to show at this move, of which the server says that `known` is drawn there. */
  shown(at: number, known: string[]): string[] {
    return this.pending?.at === at ? this.pending.shapes : known;
  }

  /** The server has said something new: `known` tells what is drawn where. */
  heard(known: (at: number) => string[]): void {
    const { pending } = this;
    if (pending && known(pending.at).join() === pending.shapes.join()) this.pending = null;
  }

  /** The server refused something or was away: what it says counts. */
  forget(): void {
    this.pending = null;
  }
}
