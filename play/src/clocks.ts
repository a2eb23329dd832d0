// Names, captured pieces and clocks beside the board. The server decides; between its messages the
// running clock is drawn from this machine's own.

import { element, setText } from './dom';
import { clockOf, type Color } from './messages';
import { inWords, moveNumber, type Model } from './model';
import { material } from './position';

/** In text form: some fonts have a coloured pawn. */
const GLYPHS: Record<string, string> = {
  q: '♛\ufe0e', r: '♜\ufe0e', b: '♝\ufe0e', n: '♞\ufe0e', p: '♟\ufe0e',
};

export class Clocks {
  private received = 0;

  constructor(private readonly model: Model) {
    setInterval(() => this.draw(), 100);
  }

  update(): void {
    this.received = performance.now();
    this.draw();
  }

  draw(): void {
    const { state, orientation } = this.model;
    if (!state) return;
    const shown: [string, Color][] = [
      ['top', orientation === 'white' ? 'black' : 'white'],
      ['bottom', orientation],
    ];
    for (const [place, color] of shown) {
      const index = color === 'white' ? 0 : 1;
      const player = element(`player-${place}`);
      player.dataset.color = color;
      player.classList.toggle('to-move', state.turn === color && !state.end);
      setText(element(`name-${place}`), state.names[index]);
      const taken = material(state.start.fen, this.model.shown?.fen ?? state.start.fen, color);
      const captured = element(`captured-${place}`);
      const ahead = taken.ahead ? ` +${taken.ahead}` : '';
      setText(captured, taken.captured.map((kind) => GLYPHS[kind]).join('') + ahead);
      captured.setAttribute('aria-label', inWords(taken));
      const clock = element(`clock-${place}`);
      const live = this.model.shown?.live && !state.analysis ? state.clocks.left[index] : null;
      let left = live ?? this.then(color);
      clock.hidden = left === null;
      if (left === null) continue;
      const running = live !== null && state.clocks.running === color;
      if (running) left -= performance.now() - this.received;
      clock.classList.toggle('running', running);
      clock.classList.toggle('low', left < 20_000);
      setText(clock, clockText(Math.max(0, left)));
    }
  }

  /** What the clock showed in the position on the board, as far as the game tells. */
  private then(color: Color): number | null {
    const { state, line, ply } = this.model;
    if (!state) return null;
    for (let at = ply; at > 0; at -= 1) {
      const left = line[at - 1]?.clock ?? null;
      if (left !== null && moveNumber(state.start.fen, at - 1).color === color) return left;
    }
    const player = state.players[color === 'white' ? 0 : 1];
    const clock = clockOf(player);
    return clock && clock.base * 1000;
  }
}

function clockText(millis: number): string {
  const tenths = Math.floor(millis / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${rest}`;
  return seconds < 20 ? `${rest}.${tenths % 10}` : rest;
}
