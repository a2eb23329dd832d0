// Scores as people read them, and how they are drawn.

import type { Eval } from './messages';

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
