// What an opening is called. The names come after the page, which does not wait for them.

export type Names = Record<string, string>;

/** The last position of a line that has a name, as "B90 Sicilian Defense: Najdorf Variation". */
export function openingOf(names: Names, fens: string[]): string {
  for (const fen of fens.toReversed()) {
    const name = names[fen.split(' ').slice(0, 3).join(' ')];
    if (name) return name;
  }
  return '';
}

export async function loadNames(): Promise<Names> {
  try {
    return (await (await fetch('./openings.json')).json()) as Names;
  } catch {
    // A board without names of openings is a board all the same.
    return {};
  }
}
