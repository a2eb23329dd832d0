// The moves of the game, to click through; a line that leaves the game stands
// indented where it does.

import { create, reconcile } from './dom';
import type { Move, State } from './messages';
import { moveNumber, type Model } from './model';
import { scoreText } from './score';

export class MoveList {
  private key = '';
  private curtained = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly goTo: (ply: number, inGame: boolean) => void,
  ) {
    // What stands above the list may push the current move out of it.
    new ResizeObserver(() => this.keepInSight()).observe(host);
  }

  show(model: Model, state: State): void {
    const { analysis } = state;
    const key = JSON.stringify([
      state.moves.map((move) => [move.san, move.eval]), analysis, model.ply, state.end, state.start,
      model.curtained,
    ]);
    if (key === this.key) return;
    this.key = key;
    this.curtained = model.curtained;
    const branch = analysis && analysis.moves.length > 0 ? analysis : null;
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    state.moves.forEach((move, index) => {
      const { number, color } = moveNumber(state.start.fen, index);
      if (!row || color === 'white') {
        row = create('div', 'row', create('span', 'number', `${number}`));
        if (color === 'black') row.append(create('span', 'move gap', '…'));
        rows.push(row);
      }
      const current = model.ply === index + 1 && (!branch || model.ply <= branch.from);
      row.append(this.button(move, index + 1, current, true));
      if (branch && branch.from === index + 1) {
        rows.push(this.variation(model, state, branch.from, branch.moves));
        row = null;
      }
    });
    if (branch && branch.from === 0) rows.unshift(this.variation(model, state, 0, branch.moves));
    if (state.end) {
      rows.push(create('div', 'result', create('strong', '', state.end.result), ` ${state.end.text}`));
    }
    if (rows.length === 0) rows.push(create('p', 'empty', 'No moves yet.'));
    reconcile(this.host, rows);
    this.keepInSight();
  }

  private button(move: Move, ply: number, current: boolean, inGame: boolean): HTMLElement {
    const button = create('button', 'move', move.san);
    button.type = 'button';
    if (move.eval && !this.curtained) button.append(create('span', 'eval', scoreText(move.eval)));
    if (move.comment) button.title = move.comment;
    if (current) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => this.goTo(ply, inGame));
    return button;
  }

  private variation(model: Model, state: State, from: number, moves: Move[]): HTMLElement {
    const line = create('div', 'variation');
    moves.forEach((move, index) => {
      const { number, color } = moveNumber(state.start.fen, from + index);
      if (color === 'white') line.append(create('span', 'number', `${number}.`));
      else if (index === 0) line.append(create('span', 'number', `${number}…`));
      const ply = from + index + 1;
      line.append(this.button(move, ply, model.ply === ply, false));
    });
    return line;
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
