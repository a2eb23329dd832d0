// How many of a game's moves are marked as mistakes, and the way from one to the next.

import { create, element, reconcile } from './dom';
import type { Color, State } from './messages';
import { moveNumber, type Model } from './model';

/** By the numbers that PGN gives these glyphs. */
const KINDS: [number, string, string, string][] = [
  [6, '?!', 'inaccuracy', 'inaccuracies'],
  [2, '?', 'mistake', 'mistakes'],
  [4, '??', 'blunder', 'blunders'],
];

/** The half-moves of a side that have this glyph, counted from 1. */
function marked(state: State, nag: number, side: Color): number[] {
  return state.moves.flatMap((move, index) => {
    const mine = moveNumber(state.start.fen, index).color === side;
    return mine && move.nags.includes(nag) ? [index + 1] : [];
  });
}

export class Mistakes {
  private readonly host = element('mistakes');

  constructor(
    private readonly model: Model,
    goTo: (ply: number) => void,
  ) {
    this.host.addEventListener('click', (event) => {
      const button = (event.target as HTMLElement).closest<HTMLElement>('[data-nag]');
      const { state } = this.model;
      if (!button || !state) return;
      const plies = marked(state, Number(button.dataset.nag), button.dataset.side as Color);
      // The next one, and after the last one the first.
      const next = plies.find((ply) => ply > this.model.ply) ?? plies[0];
      if (next !== undefined) goTo(next);
    });
  }

  /** Only beside the graph: by themselves a few glyphs of an annotator say little. */
  show(state: State): void {
    const any = KINDS.some(([nag]) => state.moves.some((move) => move.nags.includes(nag)));
    this.host.hidden = !any || element('graph').hidden;
    if (this.host.hidden) return;
    const sides = (['white', 'black'] as const).map((side) => {
      const name = side === 'white' ? 'White' : 'Black';
      const row = create('div', '', create('span', '', name));
      row.setAttribute('role', 'group');
      row.setAttribute('aria-label', `${name}’s mistakes`);
      for (const [nag, glyph, one, many] of KINDS) {
        const { length } = marked(state, nag, side);
        const button = create('button', '', `${length} `, create('span', 'glyphs', glyph));
        Object.assign(button, { type: 'button', disabled: length === 0 });
        button.dataset.nag = String(nag);
        button.dataset.side = side;
        const words = `${length} ${length === 1 ? one : many}`;
        button.title = `${words}; shows the next one`;
        button.setAttribute('aria-label', words);
        row.append(button);
      }
      return row;
    });
    reconcile(this.host, sides);
  }
}
