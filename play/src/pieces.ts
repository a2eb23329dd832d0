// The flat pieces, drawn for this board: silhouettes in two colours, as a style sheet.

const BASE = '<rect x="10" y="34" width="25" height="5.5" rx="2"/>';

/** On 45 × 45. `i` is what shows through: eyes and lines. */
const SHAPES: Record<string, string> = {
  pawn:
    '<circle cx="22.5" cy="14.5" r="5.6"/><path d="M16.5 20.2h12v3h-2.6q.6 5.6 4.1 10.300h-15q3.5-4.7 4.1-10.300h-2.600z"/>' +
    '<rect x="12.5" y="34" width="20" height="5.5" rx="2"/>',
  rook:
    '<path d="M11.5 8.500h5v3.600h3.600V8.500h4.800v3.600h3.600V8.500h5v8.800l-3.2 3v9.200l2.2 4H12.500l2.2-4v-9.200l-3.2-3z"/>' + BASE +
    '<path class="i" d="M15.5 21h14M15.5 29h14"/>',
  knight:
    '<path d="M14.2 33.500c-.6-6 3-8.7 6.1-11.6-3.3 1.2-6 1-7.6 3.4-1.7 2-4.9.9-4.5-2.2 1.6-4.2 4-8 6.1-11.500L14 6.500l4.7 3.300c8.7-.6 15.7 7 14.5 23.700z"/>' + BASE +
    '<circle class="e" cx="17.2" cy="15.3" r="1.3"/><path class="i" d="M25.5 14.200c3.3 3.6 4.3 8.8 4 14.6"/>',
  bishop:
    '<circle cx="22.5" cy="7.6" r="2.5"/><path d="M22.5 10.300c-7.5 5-9.4 11-5.7 16.400h11.400c3.7-5.4 1.8-11.4-5.7-16.400z"/>' +
    '<path d="M15.5 27.300h14v2.700h-2.800l2.3 3.500H16l2.3-3.500h-2.800z"/>' + BASE +
    '<path class="i" d="M22.5 14.800v7.600M18.9 18.400h7.2"/>',
  queen:
    '<path d="M8.3 14.200l5.2 14.300h18l5.2-14.3-7.3 7.2-2.4-10.4-4.5 9.2-4.5-9.2-2.4 10.400z"/><circle cx="8" cy="12" r="2.3"/>' +
    '<circle cx="18" cy="8.8" r="2.3"/><circle cx="27" cy="8.8" r="2.3"/><circle cx="37" cy="12" r="2.3"/>' +
    '<path d="M13.5 28.500h18l-1.8 2.4 1.3 2.600H14l1.3-2.600z"/>' + BASE,
  king:
    '<path d="M21 4.500h3v3h3v3h-3V15h-3v-4.500h-3v-3h3z"/>' +
    '<path d="M22.5 15.400c-3.2-2-13.5-1.8-14 5.3-.3 4.4 3.2 7.2 5.2 9.200l.3 3.600h17l.3-3.600c2-2 5.5-4.8 5.2-9.2-.5-7.1-10.8-7.3-14-5.300z"/>' + BASE +
    '<path class="i" d="M22.5 16v12M13.8 29.300c5-1.9 12.4-1.9 17.4 0"/>',
};

const COLORS = {
  white: { fill: '#fbf8f1', line: '#3b332a' },
  black: { fill: '#453d35', line: '#15110d' },
};

function svg(shape: string, color: keyof typeof COLORS): string {
  const { fill, line } = COLORS[color];
  const inner = color === 'white' ? line : '#cfc4b4';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"><style>.i{fill:none;stroke:${inner};stroke-width:1.3}` +
    `.e{fill:${inner};stroke:none}</style><g fill="${fill}" stroke="${line}" stroke-width="1.4" stroke-linejoin="round" ` +
    `stroke-linecap="round">${shape}</g></svg>`
  );
}

export function flatPieces(): string {
  return (['white', 'black'] as const)
    .flatMap((color) =>
      Object.entries(SHAPES).map(([role, shape]) => {
        const url = `url("data:image/svg+xml,${encodeURIComponent(svg(shape, color))}")`;
        return `:root[data-pieces='flat'] .cg-wrap piece.${role}.${color} { background-image: ${url}; }`;
      }),
    )
    .join('\n');
}

/** Makes them known to the page. */
export function addFlatPieces(): void {
  const style = document.createElement('style');
  style.textContent = flatPieces();
  document.head.append(style);
}
