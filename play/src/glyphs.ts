// Annotation glyphs by their numbers in PGN.

/** Of a move, and of the position after it. */
export const GLYPHS: [number, string, string][] = [
  [1, '!', 'good move'], [2, '?', 'mistake'], [3, '!!', 'brilliant move'], [4, '??', 'blunder'],
  [5, '!?', 'interesting move'], [6, '?!', 'dubious move'], [7, '□', 'only move'],
  [10, '=', 'equal'], [13, '∞', 'unclear'], [14, '+=', 'White is slightly better'],
  [15, '=+', 'Black is slightly better'], [16, '±', 'White is better'], [17, '∓', 'Black is better'],
  [18, '+−', 'White is winning'], [19, '−+', 'Black is winning'],
];
/** Up to here they are about the move, and one excludes the other. */
const LAST_OF_MOVES = 7;

export function glyphText(nags: number[]): string {
  return nags.map((nag) => GLYPHS.find(([number]) => number === nag)?.[1] ?? `$${nag}`).join(' ');
}

/** Sets a glyph, or takes it away: one about the move and one about the position. */
export function toggle(nags: number[], nag: number): number[] {
  if (nags.includes(nag)) return nags.filter((other) => other !== nag);
  const known = (other: number) => GLYPHS.some(([number]) => number === other);
  const same = (other: number) => known(other) && other <= LAST_OF_MOVES === nag <= LAST_OF_MOVES;
  return [...nags.filter((other) => !same(other)), nag].sort((a, b) => a - b);
}
