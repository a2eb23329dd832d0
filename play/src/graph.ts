// The score over the game: White's share of the height.

import type { State } from './messages';
import type { Model } from './model';
import { scoreText, whiteShare } from './score';

const HEIGHT = 100;
const WIDTH = 400;
const SVG = 'http://www.w3.org/2000/svg';

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

export class Graph {
  private plies = 1;

  constructor(
    private readonly host: HTMLElement,
    goTo: (ply: number) => void,
  ) {
    host.addEventListener('click', (event) => {
      const box = host.getBoundingClientRect();
      goTo(Math.round(((event.clientX - box.left) / box.width) * this.plies));
    });
  }

  show(model: Model, state: State): void {
    const points: { ply: number; share: number }[] = [];
    state.moves.forEach((move, index) => {
      if (move.eval) points.push({ ply: index + 1, share: whiteShare(move.eval) });
    });
    const { end } = state;
    if (end?.reason === 'checkmate') {
      points.push({ ply: state.moves.length, share: end.result === '1-0' ? 1 : 0 });
    }
    this.host.hidden = points.length < 2 || model.curtained;
    if (this.host.hidden) return;
    this.plies = Math.max(1, state.moves.length);
    const x = (ply: number) => (ply / this.plies) * WIDTH;
    const y = (share: number) => (1 - share) * HEIGHT;
    const first = points[0]!;
    const last = points[points.length - 1]!;
    const path = points.map((point) => `L${x(point.ply).toFixed(1)} ${y(point.share).toFixed(1)}`);
    const line = `M0 ${y(0.5)}${path.join('')}L${WIDTH} ${y(last.share)}`;
    const svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' });
    svg.append(
      shape('path', { class: 'area', d: `${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z` }),
      shape('line', { class: 'zero', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      shape('path', { class: 'curve', d: line }),
    );
    // In a variation: where it leaves the game.
    const ply = Math.min(model.ply, this.plies);
    svg.append(shape('line', { class: 'now', x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }));
    this.host.replaceChildren(svg);
    const evals = state.moves.map((move) => move.eval).filter((score) => score !== null);
    const final = evals[evals.length - 1];
    this.host.setAttribute(
      'aria-label',
      `Score over the game, from move ${Math.ceil(first.ply / 2)} to ${Math.ceil(last.ply / 2)}` +
        (final ? `; last ${scoreText(final)}` : ''),
    );
  }
}
