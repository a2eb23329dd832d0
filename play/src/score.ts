// Scores as people read them, and how they are drawn.

import { element, setText } from './dom';
import type { Eval } from './messages';
import type { Model } from './model';

export function scoreText(score: Eval): string {
  if ('mate' in score) return score.mate < 0 ? `−#${-score.mate}` : `#${score.mate}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  if (Number(pawns) === 0) return '0.00';
  return score.cp < 0 ? `−${pawns}` : `+${pawns}`;
}

/** From 0, Black wins, to 1, White wins. */
export function whiteShare(score: Eval): number {
  if ('mate' in score) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / 250));
}

/** White's share of the bar beside the board. */
export function drawBar({ score, result, orientation, curtained }: Model): void {
  const shares: Record<string, number> = { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 };
  const share = result ? shares[result]! : score ? whiteShare(score) : 0.5;
  const bar = element('bar');
  bar.classList.toggle('curtained', curtained);
  bar.classList.toggle('flipped', orientation === 'black');
  const known = score ? `Evaluation ${scoreText(score)}` : 'No evaluation yet';
  bar.setAttribute('aria-label', result ? `The game is over: ${result}` : known);
  bar.style.setProperty('--share', `${Math.max(3, Math.min(97, share * 100))}%`);
  const text = element('bar-text');
  const short = score ? scoreText(score).replace(/^[+−]/, '').replace(/(\.\d)\d$/, '$1') : '';
  setText(text, result ? '' : short);
  text.classList.toggle('low', share < 0.5);
}
