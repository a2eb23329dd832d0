// What can be done to the move on the board: glyphs, a comment, and where its line stands.

import { create, element } from './dom';
import { GLYPHS, toggle } from './glyphs';
import type { Request, State } from './messages';
import type { Model } from './model';

export class Annotate {
  private readonly host = element('annotate');
  private readonly comment = element<HTMLInputElement>('comment');
  private readonly glyphs = element('glyphs');
  /** The move whose comment is in the field. */
  private at: number | null = null;
  /** What the server has been told of it. Its older news must not take that back. */
  private told = '';
  private nags: number[] = [];
  /** What the server said of it last. */
  private heard = { comment: '', nags: '' };

  constructor(
    private readonly model: Model,
    private readonly send: (request: Request) => void,
  ) {
    for (const [nag, text, meaning] of GLYPHS) {
      const button = create('button', '', text);
      button.type = 'button';
      button.title = meaning;
      button.setAttribute('aria-label', meaning);
      button.dataset.nag = String(nag);
      this.glyphs.append(button);
    }
    this.glyphs.addEventListener('click', (event) => {
      const nag = (event.target as HTMLElement).closest<HTMLElement>('[data-nag]')?.dataset.nag;
      if (nag && this.at) this.annotate(this.at, this.comment.value, toggle(this.nags, Number(nag)));
      this.press();
    });
    this.comment.addEventListener('change', () => this.keep());
    element('comment-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.keep();
      this.comment.blur();
    });
    element('promote').addEventListener('click', () => this.promote(false));
    element('make-main').addEventListener('click', () => this.promote(true));
    element('delete').addEventListener('click', () => this.remove());
  }

  private annotate(at: number, comment: string, nags: number[]): void {
    this.told = comment;
    this.nags = nags;
    this.send({ type: 'annotate', at, comment, nags });
  }

  /** Sends what was written, to the move it was written about. */
  private keep(): void {
    const { at } = this;
    if (at === null || this.comment.value === this.told) return;
    this.annotate(at, this.comment.value, this.nags);
  }

  /** Shows which glyphs are set. */
  private press(): void {
    for (const button of this.glyphs.querySelectorAll<HTMLButtonElement>('button')) {
      button.setAttribute('aria-pressed', String(this.nags.includes(Number(button.dataset.nag))));
    }
  }

  /** Sets a glyph of the move or takes it away, as its button does. */
  glyph(nag: number): void {
    const button = this.glyphs.querySelector<HTMLButtonElement>(`[data-nag="${nag}"]`);
    if (!this.host.hidden) button?.click();
  }

  promote(main: boolean): void {
    if (this.model.branch !== null) this.send({ type: 'promote', at: this.model.at, main });
  }

  remove(): void {
    if (this.model.at !== 0) this.send({ type: 'delete', at: this.model.at });
  }

  show(state: State): void {
    const { model } = this;
    const visible = state.analysis !== null || model.branch !== null;
    if (!visible || this.at !== model.at) this.keep();
    this.host.hidden = !visible;
    const move = model.move(model.at);
    const comment = move ? move.comment : state.start.comment;
    const heard = { comment, nags: String(move?.nags ?? []) };
    const other = this.at !== model.at;
    if (other || (comment !== this.heard.comment && document.activeElement !== this.comment)) {
      this.comment.value = comment;
      this.told = comment;
    }
    if (other || heard.nags !== this.heard.nags) this.nags = move?.nags ?? [];
    this.heard = heard;
    this.at = visible ? model.at : null;
    for (const button of this.glyphs.querySelectorAll<HTMLButtonElement>('button')) button.disabled = !move;
    this.press();
    for (const id of ['promote', 'make-main']) {
      element<HTMLButtonElement>(id).disabled = model.branch === null;
    }
    element<HTMLButtonElement>('delete').disabled = !move;
  }
}
