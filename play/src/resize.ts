// The size of the board, by dragging its corner.

import { element } from './dom';
import { change, settings } from './settings';

const SMALLEST = 0.4;

export function wireResize(): void {
  const handle = element('resize');
  const box = element('board-box');
  const set = (size: number) => change({ size: Math.max(SMALLEST, Math.min(1, size)) });
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const [width, before, x, y] = [box.clientWidth, settings.size, event.clientX, event.clientY];
    const drag = (now: PointerEvent) => {
      const by = Math.max(now.clientX - x, now.clientY - y);
      set((before * (width + by)) / width);
    };
    handle.addEventListener('pointermove', drag);
    const end = () => handle.removeEventListener('pointermove', drag);
    handle.addEventListener('pointerup', end, { once: true });
    handle.addEventListener('pointercancel', end, { once: true });
  });
  handle.addEventListener('dblclick', () => set(1));
  handle.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -0.05, ArrowUp: -0.05, ArrowRight: 0.05, ArrowDown: 0.05 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(settings.size + by);
  });
}
