// The squares of the board by keyboard: a cursor goes over them by the arrow keys, and Enter picks a
// piece up and puts it down.

import { element, setText } from './dom';
import type { Model } from './model';
import { pieces } from './position';

const NAMES: Record<string, string> = {
  k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn',
};
const FILES = 'abcdefgh';

export class Squares {
  private readonly host = element('board-box');
  private readonly cursor = element('cursor');
  private square = 'e2';

  constructor(
    private readonly model: Model,
    private readonly select: (square: string) => void,
  ) {
    this.host.addEventListener('focus', () => this.show());
    this.host.addEventListener('blur', () => (this.cursor.hidden = true));
    this.host.addEventListener('keydown', (event) => this.pressed(event));
  }

  private pressed(event: KeyboardEvent): void {
    if (event.target !== this.host || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
    };
    const step = steps[event.key];
    if (step) this.move(...step);
    else if (event.key === 'Enter' || event.key === ' ') this.select(this.square);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.show();
  }

  private move(right: number, up: number): void {
    const sign = this.model.orientation === 'white' ? 1 : -1;
    const within = (value: number) => Math.max(0, Math.min(7, value));
    const file = within(FILES.indexOf(this.square[0]!) + sign * right);
    const rank = within(Number(this.square[1]) - 1 + sign * up);
    this.square = `${FILES[file]}${rank + 1}`;
  }

  private show(): void {
    let [column, row] = [FILES.indexOf(this.square[0]!), 8 - Number(this.square[1])];
    if (this.model.orientation === 'black') [column, row] = [7 - column, 7 - row];
    this.cursor.hidden = false;
    this.cursor.style.left = `${column * 12.5}%`;
    this.cursor.style.top = `${row * 12.5}%`;
    const letter = pieces(this.model.shown?.fen ?? '').get(this.square);
    const side = letter === letter?.toUpperCase() ? 'white' : 'black';
    setText(element('cursor-text'), letter ? `${this.square}, ${side} ${NAMES[letter.toLowerCase()]}` : this.square);
  }
}
