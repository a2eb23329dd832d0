// The moves of the game, to click through. Variations and comments stand between them, each where
// it leaves its line; lines in lines are in brackets.

import { create, reconcile } from './dom';
import { glyphText } from './glyphs';
import type { Move, State } from './messages';
import { moveNumber, type Model } from './model';
import { scoreText } from './score';

export class MoveList {
  private drawn: { state: State; at: number; curtained: boolean } | null = null;
  private curtained = false;
  private at = 0;
  private startFen = '';

  constructor(
    private readonly host: HTMLElement,
    goTo: (id: number) => void,
  ) {
    // What stands above the list may push the current move out of it.
    new ResizeObserver(() => this.keepInSight()).observe(host);
    host.addEventListener('click', (event) => {
      const id = (event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset.id;
      if (id) goTo(Number(id));
    });
  }

  show(model: Model, state: State): void {
    const { at, curtained } = model;
    const { drawn } = this;
    if (drawn && drawn.state === state && drawn.at === at && drawn.curtained === curtained) return;
    this.drawn = { state, at, curtained };
    [this.at, this.curtained, this.startFen] = [at, curtained, state.start.fen];
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    if (state.start.comment) rows.push(this.said(state.start.comment));
    state.moves.forEach((move, index) => {
      const { number, color } = moveNumber(state.start.fen, index);
      if (!row || color === 'white') {
        row = create('div', 'row', create('span', 'number', `${number}`));
        if (color === 'black') row.append(create('span', 'move gap', '…'));
        rows.push(row);
      }
      row.append(this.button(move));
      const between = this.between(move, index);
      if (between.length > 0) {
        rows.push(...between);
        row = null;
      }
    });
    for (const line of state.ahead) rows.push(this.variation(line, state.moves.length, 'ahead'));
    if (state.end) {
      rows.push(create('div', 'result', create('strong', '', state.end.result), ` ${state.end.text}`));
    }
    if (rows.length === 0) rows.push(create('p', 'empty', 'No moves yet.'));
    const focused = this.host.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    reconcile(this.host, rows);
    // A variation is replaced as a whole when anything in it changes.
    if (focused?.dataset.id && !focused.isConnected) {
      this.host.querySelector<HTMLElement>(`[data-id="${focused.dataset.id}"]`)?.focus({ preventScroll: true });
    }
    this.keepInSight();
  }

  private said(comment: string): HTMLElement {
    return create('p', 'comment', comment);
  }

  /** What stands after a move of the game. */
  private between(move: Move, index: number): HTMLElement[] {
    const said = move.comment ? [this.said(move.comment)] : [];
    return [...said, ...move.variations.map((line) => this.variation(line, index, ''))];
  }

  private button(move: Move): HTMLElement {
    const glyphs = glyphText(move.nags);
    const button = create('button', 'move', move.san);
    button.type = 'button';
    button.dataset.id = String(move.id);
    if (glyphs) button.append(create('span', 'glyphs', glyphs));
    if (move.eval && !this.curtained) button.append(create('span', 'eval', scoreText(move.eval)));
    if (move.id === this.at) button.setAttribute('aria-current', 'true');
    return button;
  }

  private variation(line: Move[], after: number, kind: string): HTMLElement {
    const block = create('div', `variation ${kind}`.trim());
    this.fill(block, line, after);
    return block;
  }

  private fill(block: HTMLElement, line: Move[], after: number): void {
    let numbered = false;
    const say = (comment: string) => {
      if (!comment) return;
      block.append(create('span', 'comment', comment));
      numbered = false;
    };
    line.forEach((move, index) => {
      const { number, color } = moveNumber(this.startFen, after + index);
      say(move.before);
      if (color === 'white') block.append(create('span', 'number', `${number}.`));
      else if (!numbered) block.append(create('span', 'number', `${number}…`));
      numbered = true;
      block.append(this.button(move));
      say(move.comment);
      for (const inner of move.variations) {
        const nested = create('span', 'nested', '(');
        this.fill(nested, inner, after + index);
        nested.append(')');
        block.append(nested);
        numbered = false;
      }
    });
  }

  private keepInSight(): void {
    const current = this.host.querySelector<HTMLElement>('[aria-current]');
    const { host } = this;
    if (!current) {
      host.scrollTop = 0;
      return;
    }
    const top = current.getBoundingClientRect().top - host.getBoundingClientRect().top + host.scrollTop;
    if (top < host.scrollTop || top + current.offsetHeight > host.scrollTop + host.clientHeight) {
      host.scrollTop = top - host.clientHeight / 2;
    }
  }
}
