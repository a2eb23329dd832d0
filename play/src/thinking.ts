// What the engine expects: score, depth, speed and the lines in notation.

import { create, element, setText } from './dom';
import type { Line } from './messages';
import { moveNumber, type Model } from './model';
import { scoreText } from './score';

/** Longer lines say nothing more. */
const LONGEST = 14;

export function showThinking(model: Model): void {
  const { state, lines, result, curtained } = model;
  if (!state) return;
  const button = element('curtain');
  button.hidden = !model.opposed;
  setText(button, curtained ? 'Show thinking' : 'Hide thinking');
  element('think-lines').hidden = curtained;
  if (curtained) {
    setText(element('think-score'), '');
    setText(element('think-depth'), 'What Gambeson thinks is hidden.');
    setText(element('think-speed'), '');
    return;
  }
  const best = lines[0];
  setText(element('think-score'), result ?? (best ? best.bound + scoreText(best.eval) : '–'));
  setText(element('think-depth'), best ? `depth ${best.depth}/${best.seldepth}` : '');
  setText(element('think-speed'), best ? `${compact(best.nps)} nodes/s` : '');
  const rows = lines.map((line) => {
    const text = notation(line, state.start.fen, model.ply);
    const score = create('span', 'score', scoreText(line.eval));
    const content = lines.length > 1 ? [score, ' ', text] : [text];
    return create('li', '', ...content);
  });
  if (rows.length === 0) rows.push(create('li', 'empty', 'The engine’s expected line appears here.'));
  element('think-lines').replaceChildren(...rows);
}

function notation(line: Line, startFen: string, ply: number): string {
  const parts: string[] = [];
  line.san.slice(0, LONGEST).forEach((san, index) => {
    const { number, color } = moveNumber(startFen, ply + index);
    if (color === 'white') parts.push(`${number}.`);
    else if (index === 0) parts.push(`${number}…`);
    parts.push(san);
  });
  if (line.san.length > LONGEST) parts.push('…');
  return parts.join(' ');
}

function compact(number: number): string {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e3) return `${Math.round(number / 1e3)} k`;
  return `${number}`;
}
