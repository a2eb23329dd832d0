// A hint: the engine looks at the position for a moment, as in analysis, and nothing is seen of it
// but the move it would play.

import type { Request, State } from './messages';
import type { Model } from './model';

const LONGEST = 1500;
const DEEP_ENOUGH = 16;

export class Hint {
  private phase: 'idle' | 'looking' | 'leaving' = 'idle';
  private fen = '';
  private timer = 0;

  constructor(
    private readonly model: Model,
    private readonly send: (request: Request) => void,
    private readonly show: (san: string) => void,
  ) {}

  get isBusy(): boolean {
    return this.phase === 'looking';
  }

  ask(): void {
    const { state, shown } = this.model;
    if (this.phase !== 'idle' || !state || !shown) return;
    this.fen = shown.fen;
    this.phase = 'looking';
    this.timer = window.setTimeout(() => this.finish(), LONGEST);
    this.send({ type: 'analyse', at: null, lines: 1, depth: DEEP_ENOUGH });
  }

  /** The engine has said something. */
  heard(): void {
    if (this.phase !== 'looking' || this.model.shown?.fen !== this.fen) return;
    if ((this.model.lines[0]?.depth ?? 0) >= DEEP_ENOUGH) this.finish();
  }

  private finish(): void {
    const best = this.model.lines[0];
    const { fen } = this;
    const here = this.model.shown?.fen === fen;
    this.leave();
    if (!here || !best?.uci[0]) return;
    this.model.hint = { fen, uci: best.uci[0] };
    this.show(best.san[0] ?? best.uci[0]);
  }

  /** Back to the game at once: the user has moved, or the connection was lost meanwhile. */
  leave(): void {
    if (this.phase !== 'looking') return;
    clearTimeout(this.timer);
    this.phase = 'leaving';
    this.send({ type: 'stopAnalysing' });
  }

  /** The state without the look the engine takes for a hint. */
  disguise(state: State): State {
    if (this.phase === 'leaving' && !state.analysis) this.phase = 'idle';
    return this.phase === 'idle' ? state : { ...state, analysis: null };
  }
}
