// The dialog for what this browser remembers, and for how the engine thinks.

import { element } from './dom';
import type { EngineSettings, Hello, Request } from './messages';
import { change, settings } from './settings';

export class SettingsDialog {
  private readonly dialog = element<HTMLDialogElement>('settings-dialog');
  private readonly theme = element<HTMLSelectElement>('theme');
  private readonly board = element<HTMLSelectElement>('board-theme');
  private readonly pieces = element<HTMLSelectElement>('piece-theme');
  private readonly sound = element<HTMLInputElement>('sound');
  private readonly arrows = element<HTMLInputElement>('arrows');
  private readonly engine = element<HTMLFormElement>('engine-form');

  constructor(
    redraw: () => void,
    private readonly send: (request: Request) => void,
  ) {
    element('taste').addEventListener('change', () => {
      change({
        theme: this.theme.value as typeof settings.theme,
        board: this.board.value as typeof settings.board,
        pieces: this.pieces.value as typeof settings.pieces,
        sound: this.sound.checked,
        arrows: this.arrows.checked,
      });
      redraw();
    });
    element('settings-done').addEventListener('click', () => this.dialog.close());
    this.engine.addEventListener('submit', (event) => {
      event.preventDefault();
      this.problem(null);
      this.send({
        type: 'engine',
        threads: this.field('threads').valueAsNumber,
        hash: this.field('hash').valueAsNumber,
        syzygy: this.field('syzygy').value.trim(),
        book: this.field('book').value.trim(),
      });
    });
  }

  private field(name: keyof EngineSettings): HTMLInputElement {
    return element<HTMLInputElement>(`engine-${name}`);
  }

  get isOpen(): boolean {
    return this.dialog.open;
  }

  limits({ engine, limits }: Hello): void {
    this.field('threads').max = String(limits.threads);
    this.field('hash').max = String(limits.hash);
    this.fill(engine);
  }

  /** The engine thinks so from now on. */
  fill(engine: EngineSettings): void {
    for (const name of ['threads', 'hash', 'syzygy', 'book'] as const) {
      this.field(name).value = String(engine[name]);
    }
  }

  accepted(engine: EngineSettings): void {
    this.fill(engine);
    const place = element('engine-problem');
    place.hidden = false;
    place.className = 'done';
    place.textContent = 'Applied.';
  }

  problem(text: string | null): void {
    const place = element('engine-problem');
    place.className = 'problem';
    place.hidden = text === null;
    place.textContent = text;
  }

  open(fen: string, version: string): void {
    this.theme.value = settings.theme;
    this.board.value = settings.board;
    this.pieces.value = settings.pieces;
    this.sound.checked = settings.sound;
    this.arrows.checked = settings.arrows;
    element<HTMLInputElement>('fen').value = fen;
    element('version').textContent = version;
    this.problem(null);
    this.dialog.showModal();
  }
}
