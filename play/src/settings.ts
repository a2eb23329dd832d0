// What this browser remembers: taste, not games.

interface Settings {
  theme: 'auto' | 'light' | 'dark';
  board: 'brown' | 'green' | 'blue' | 'grey';
  sound: boolean;
  arrows: boolean;
  lines: number;
}

const KEY = 'gambeson-settings';
const DEFAULTS: Settings = { theme: 'auto', board: 'brown', sound: false, arrows: true, lines: 3 };

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
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
