// What the engine expects: score, depth, speed and the lines in notation. A move of a line shows its
// position under the pointer and goes there by a click.

import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { Key } from 'chessground/types';
import { create, element, reconcile, setText } from './dom';
import type { EngineLine, State } from './messages';
import { moveNumber, type Model } from './model';
import { after } from './position';
import { scoreText } from './score';

/** Longer lines say little more, until they are asked for. */
const LONGEST = 14;

export class Thinking {
  private readonly host = element('think-lines');
  private readonly preview = element('preview');
  private ground: Api | null = null;
  /** Ranks of the lines shown in full. */
  private readonly open = new Set<number>();

  constructor(
    private readonly model: Model,
    play: (moves: string[]) => void,
  ) {
    this.host.addEventListener('click', (event) => {
      const target = event.target as HTMLElement;
      const expand = target.closest<HTMLElement>('.expand');
      if (expand) this.toggle(Number(expand.dataset.rank));
      const moves = this.movesTo(target);
      if (moves) {
        this.hide();
        play(moves);
      }
    });
    this.host.addEventListener('mouseover', (event) => this.hover(event.target as HTMLElement));
    this.host.addEventListener('mouseleave', () => this.hide());
    this.host.addEventListener('focusin', (event) => this.hover(event.target as HTMLElement));
    this.host.addEventListener('focusout', () => this.hide());
  }

  /** The moves from the position shown to the one of this button. */
  private movesTo(target: HTMLElement): string[] | null {
    const path = target.closest<HTMLElement>('[data-path]')?.dataset.path;
    return path?.split(' ') ?? null;
  }

  private toggle(rank: number): void {
    if (!this.open.delete(rank)) this.open.add(rank);
    this.show();
  }

  private hover(target: HTMLElement): void {
    const moves = this.movesTo(target);
    const { shown, orientation } = this.model;
    if (!moves || !shown) return this.hide();
    const last = moves[moves.length - 1]!;
    this.preview.hidden = false;
    this.ground ??= Chessground(this.preview.firstElementChild as HTMLElement, {
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
    });
    this.ground.set({
      fen: after(shown.fen, moves),
      orientation,
      lastMove: [last.slice(0, 2) as Key, last.slice(2, 4) as Key],
    });
    // Below or above the lines, not over them.
    const { top, bottom } = this.host.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.preview;
    const fits = bottom + 12 + offsetHeight <= innerHeight;
    const wanted = target.getBoundingClientRect().left - 40;
    this.preview.style.left = `${Math.max(8, Math.min(wanted, innerWidth - offsetWidth - 8))}px`;
    this.preview.style.top = `${fits ? bottom + 12 : Math.max(8, top - offsetHeight - 8)}px`;
    // The board is drawn for the size it has on the page.
    this.ground.redrawAll();
  }

  private hide(): void {
    this.preview.hidden = true;
  }

  show(): void {
    const { state, lines, result, curtained } = this.model;
    if (!state) return;
    const button = element('curtain');
    button.hidden = !this.model.opposed;
    setText(button, curtained ? 'Show thinking' : 'Hide thinking');
    this.host.hidden = curtained;
    if (curtained) {
      this.hide();
      setText(element('think-score'), '');
      setText(element('think-depth'), 'What Gambeson thinks is hidden.');
      setText(element('think-speed'), '');
      return;
    }
    const best = lines[0];
    const known = this.model.evaluation;
    setText(element('think-score'), result ?? (known ? (best?.bound ?? '') + scoreText(known) : '–'));
    // As high as what comes next, so that nothing moves while one goes through the game.
    const wanted = state.analysis?.lines ?? (state.thinking || this.model.opposed ? 1 : 0);
    this.host.style.setProperty('--lines', String(wanted));
    this.host.classList.toggle('single', wanted === 1);
    const limit = state.analysis?.depth ?? Infinity;
    const reached = best && best.depth >= limit ? ', reached' : '';
    setText(element('think-depth'), best ? `depth ${best.depth}/${best.seldepth}${reached}` : '');
    setText(element('think-speed'), best ? `${compact(best.nodes)} nodes, ${compact(best.nps)}/s` : '');
    const rows = lines.map((line) => this.row(line, state.start.fen));
    if (rows.length === 0) {
      this.hide();
      this.host.replaceChildren(create('li', 'empty', this.hint(state)));
      return;
    }
    this.host.querySelector('.empty')?.remove();
    rows.forEach((row, index) => {
      const old = this.host.children[index] as HTMLElement | undefined;
      if (!old) return this.host.append(row);
      if (old.className !== row.className) old.className = row.className;
      const [before, now] = [old, row].map((item) => item.querySelector<HTMLElement>('.pv')!);
      reconcile(before!, [...now!.children] as HTMLElement[]);
      for (const place of ['.score', '.expand']) {
        const [one, other] = [old, row].map((item) => item.querySelector<HTMLElement>(place)!);
        if (!one!.isEqualNode(other!)) one!.replaceWith(other!);
      }
    });
    [...this.host.children].slice(rows.length).forEach((row) => row.remove());
  }

  /** The text shown instead of lines. */
  private hint(state: State): string {
    if (this.model.result) return 'The game is over.';
    if (state.analysis) return 'Looking at this position…';
    const playing = !state.end && state.players.some((player) => player.kind === 'engine');
    return playing ? 'The line Gambeson expects appears here.' : 'Analyse shows the best lines.';
  }

  private row(line: EngineLine, startFen: string): HTMLElement {
    const isOpen = this.open.has(line.rank);
    const moves = create('div', 'pv');
    const shown = isOpen ? line.san.length : LONGEST;
    line.san.slice(0, shown).forEach((san, index) => {
      const { number, color } = moveNumber(startFen, this.model.ply + index);
      if (color === 'white') moves.append(create('span', 'number', `${number}.`));
      else if (index === 0) moves.append(create('span', 'number', `${number}…`));
      const button = create('button', 'pv-move', san);
      button.type = 'button';
      button.dataset.path = line.uci.slice(0, index + 1).join(' ');
      // One stop a line for the tab key: the first move leads on to the others.
      button.tabIndex = index === 0 ? 0 : -1;
      moves.append(button);
    });
    const expand = create('button', 'expand', isOpen ? '▴' : '▾');
    expand.type = 'button';
    expand.dataset.rank = String(line.rank);
    expand.setAttribute('aria-label', 'The whole line');
    expand.setAttribute('aria-expanded', String(isOpen));
    return create('li', isOpen ? 'open' : '', create('span', 'score', scoreText(line.eval)), moves, expand);
  }
}

function compact(number: number): string {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e3) return `${Math.round(number / 1e3)} k`;
  return `${number}`;
}
