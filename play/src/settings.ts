// What this browser remembers: taste, not games.

import type { Player } from './messages';

interface Settings {
  theme: 'auto' | 'light' | 'dark';
  board: 'brown' | 'green' | 'blue' | 'grey';
  pieces: 'cburnett' | 'flat' | 'font';
  /** A part of the room there is. */
  size: number;
  sound: boolean;
  arrows: boolean;
  lines: number;
  /** Where analysis stops; 0 for never. */
  depth: number;
  /** Who played the game that was begun last. */
  players: [Player, Player];
}

const KEY = 'gambeson-settings';
/** A club player, as most of those who come here. */
export const ENGINE: Extract<Player, { kind: 'engine' }> = {
  kind: 'engine', level: { by: 'seconds', seconds: 1 }, elo: 1500,
};
const DEFAULTS: Settings = {
  theme: 'auto', board: 'brown', pieces: 'cburnett', size: 1, sound: false, arrows: true, lines: 3, depth: 0,
  players: [{ kind: 'human', clock: null }, ENGINE],
};

function load(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = load();

export function change(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  applyTheme();
}

export function applyTheme(): void {
  const dark =
    settings.theme === 'dark' ||
    (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.board = settings.board;
  document.documentElement.dataset.pieces = settings.pieces;
  document.documentElement.style.setProperty('--size', String(settings.size));
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
